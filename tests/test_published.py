"""Every published figure about Caribbean Stud, Casino Hold'em and hands as such, to the last digit.

Strategies, and all of Casino Hold'em's figures, are worked out here in numpy out of the counts, by a road of their own;
pycs.report and scripts/reproduce.py do it in Polars.
"""

import importlib.util
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from math import comb
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import holdem_oracle
import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

import pycs
from pycs import core
from pycs.core import rank_hands
from pycs.deal_frames import deal_frame
from pycs.games import CARIBBEAN_STUD
from pycs.ranking import CATEGORIES_UP, categories, rank_hand
from pycs.reports import Report, report_of_tally
from pycs.values import tally, with_values

TESTS = Path(__file__).resolve().parent
PUBLISHED = json.loads((TESTS / "data" / "published.json").read_text(encoding="utf-8"))
STUD, HOLDEM = PUBLISHED["caribbean_us"], PUBLISHED["casino_holdem"]
JACK, QUEEN, KING, ACE = 9, 10, 11, 12
# The lowest strengths with which the dealers qualify.
ACE_KING, PAIR_OF_FOURS = rank_hand("AsKd4h3c2s"), rank_hand("4s4d5h3c2s")


class Game(NamedTuple):
    """All canonical deals of a published game, counted once for every test."""

    deals: NDArray[np.uint8]
    weights: NDArray[np.int64]
    counts: NDArray[np.uint32]


def counted(kernel: core.Kernel, qualify: int) -> Game:
    deals, weights = kernel.canonical_deals(np.arange(kernel.deals))
    return Game(deals, weights.astype(np.int64), kernel.sweep(qualify))


@pytest.fixture(scope="module")
def rules() -> pycs.Rules:
    return pycs.load_rules(STUD["profile"])


@pytest.fixture(scope="module")
def game() -> Game:
    return counted(core.STUD, ACE_KING)


@pytest.fixture(scope="module")
def optimal(game: Game, rules: pycs.Rules) -> Report:
    counts = pl.DataFrame(dict(zip(CARIBBEAN_STUD.outcomes, game.counts, strict=True)))
    deals = deal_frame(CARIBBEAN_STUD, text=False).hstack(counts)
    return report_of_tally(tally(with_values(deals, rules), rules), rules)


@pytest.fixture(scope="module")
def holdem() -> Game:
    return counted(core.HOLDEM, PAIR_OF_FOURS)


@pytest.fixture(scope="module")
def reproduce() -> Iterator[ModuleType]:
    """The script, as a module."""
    spec = importlib.util.spec_from_file_location("reproduce", TESTS.parent / "scripts" / "reproduce.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["reproduce"] = module  # its dataclasses look their module up
    spec.loader.exec_module(module)
    yield module
    del sys.modules["reproduce"]


def rounded_as(published: float, number: Fraction | float) -> float:
    """The number at as many places as the published one has."""
    return float(round(number, len(str(published).partition(".")[2])))


# --- Caribbean Stud: best play ----------------------------------------------------------------------------------------


def test_outcomes(optimal: Report) -> None:
    assert [list(event) for event in optimal.outcomes] == STUD["optimal_outcomes"]


def test_deals_and_net(optimal: Report) -> None:
    assert (optimal.deals, optimal.net) == (STUD["deals"], STUD["optimal_net"])
    assert optimal.house_edge == -optimal.value == Fraction(-STUD["optimal_net"], STUD["deals"])


def test_share_of_deals_to_raise(optimal: Report, game: Game) -> None:
    assert [optimal.action_deals["call"], game.weights.sum()] == STUD["raise_pairs"]
    assert optimal.actions["call"] == Fraction(*STUD["raise_pairs"])


def test_standard_deviation(optimal: Report) -> None:
    assert rounded_as(STUD["sd"], optimal.sd) == STUD["sd"]


# --- Caribbean Stud: strategies ---------------------------------------------------------------------------------------


class Play(NamedTuple):
    """What a strategy leads to: antes over all rounds, and the loss per unit bet in all."""

    net: int
    element_of_risk: Fraction


@pytest.fixture(scope="module")
def plays(game: Game, rules: pycs.Rules) -> dict[str, Play]:
    """What comes of raising by each published strategy instead of by value."""
    category = categories(rank_hands(game.deals[:, :5]))
    net_win = np.array([rules.net_win(name) for name in CATEGORIES_UP])[category]
    nets = (rules.net_not_qualified, net_win, rules.net_push, rules.net_lose)
    call = sum((count * np.asarray(net, np.int64) for count, net in zip(game.counts, nets, strict=True)), np.int64(0))

    def play(raises: NDArray[np.bool_]) -> Play:
        completions = int(game.counts[:, 0].sum())
        net = int(game.weights @ np.where(raises, call, completions * rules.net_fold))
        raised, deals = int(game.weights @ raises), int(game.weights.sum())
        return Play(net, Fraction(-net, completions * (deals * rules.stakes.ante + raised * rules.stakes.call)))

    ranks = np.sort(game.deals[:, :5] // 4, axis=1)[:, ::-1]
    up = game.deals[:, 5] // 4
    matches = (ranks == up[:, None]).any(axis=1)
    # Beside an ace and a king, the third highest card tells of the queen, and it or the one below of the jack.
    queen = ranks[:, 2] == QUEEN
    jack = (ranks[:, 2] == JACK) | (ranks[:, 3] == JACK)
    ace_king = (category == 0) & (ranks[:, 0] == ACE) & (ranks[:, 1] == KING)
    first = matches & (up <= QUEEN)
    second = (up >= KING) & (queen | jack)
    third = ~matches & queen & (up < ranks[:, 3])
    return {
        "three rules of thumb": play((category > 0) | (ace_king & (first | second | third))),
        "pair or better": play(category > 0),
        "blind (always raise)": play(np.ones(len(category), bool)),
    }


@pytest.mark.parametrize("strategy", STUD["strategies_net"])
def test_net_of_strategies(strategy: str, plays: dict[str, Play]) -> None:
    assert plays[strategy].net == STUD["strategies_net"][strategy]


def test_three_rules_cost_more_per_ante_and_less_per_unit_bet(optimal: Report, plays: dict[str, Play]) -> None:
    by_rules, by_optimum = re.findall(r"\((\d\.\d{3})%\)", STUD["note"])
    play = plays["three rules of thumb"]
    assert f"{float(100 * play.element_of_risk):.3f}" == by_rules
    assert f"{float(100 * optimal.element_of_risk):.3f}" == by_optimum
    assert play.net < optimal.net
    assert play.element_of_risk < optimal.element_of_risk


# --- Casino Hold'em ---------------------------------------------------------------------------------------------------

ANTE_PAYS = (100, 20, 10, 3, 2, 1)
BONUS_PAYS = dict(zip(holdem_oracle.BONUS_LINES, (100, 50, 40, 30, 20, 7), strict=True))
BONUS_NETS = np.array([-1, 7, 7, 7, 7, 20, 30, 40, 50, 100])  # by category, a pair being one of aces
HOLDEM_FIGURES = [key for key in HOLDEM if key not in ("profile", "source")]


@pytest.fixture(scope="module")
def worked_out(holdem: Game) -> dict[str, int | Fraction]:
    """Casino Hold'em's published figures out of the counts, whole numbers all the way."""
    call = np.zeros(len(holdem.deals), np.int64)
    for count, net in zip(holdem.counts, (*ANTE_PAYS, *(pay + 2 for pay in ANTE_PAYS), 0, -3), strict=True):
        call += count * np.int64(net)
    completions, deals = comb(47, 2) * comb(45, 2), int(holdem.weights.sum())
    calls = call > -completions
    called = int(holdem.weights @ calls)
    net = int(holdem.weights @ np.where(calls, call, -completions))

    strengths = rank_hands(holdem.deals)
    bonus = np.where(strengths >= rank_hand("AsAh4d3c2s"), BONUS_NETS[categories(strengths)], -1)
    return {
        "deals": deals * completions,
        "house_edge_percent": Fraction(-100 * net, deals * completions),
        "element_of_risk_percent": Fraction(-100 * net, (deals + 2 * called) * completions),
        "call_percent": Fraction(100 * called, deals),
        "aa_bonus_house_edge_percent": Fraction(-100 * int(holdem.weights @ bonus), deals),
    }


@pytest.fixture(scope="module")
def reported() -> dict[str, int | Fraction]:
    """The same from pycs.report."""
    report = pycs.report(HOLDEM["profile"])
    (bonus,) = report.bets
    return {
        "deals": report.deals,
        "house_edge_percent": 100 * report.house_edge,
        "element_of_risk_percent": 100 * report.element_of_risk,
        "call_percent": 100 * report.actions["call"],
        "aa_bonus_house_edge_percent": 100 * bonus.house_edge,
    }


@pytest.mark.parametrize("key", HOLDEM_FIGURES)
def test_casino_holdem_worked_out(key: str, worked_out: dict[str, int | Fraction]) -> None:
    assert rounded_as(HOLDEM[key], worked_out[key]) == HOLDEM[key]


@pytest.mark.parametrize("key", HOLDEM_FIGURES)
def test_casino_holdem_reported(
    key: str, reported: dict[str, int | Fraction], worked_out: dict[str, int | Fraction]
) -> None:
    assert rounded_as(HOLDEM[key], reported[key]) == HOLDEM[key]
    assert reported[key] == worked_out[key]


def test_edge_of_the_aa_bonus_as_a_fraction(
    reported: dict[str, int | Fraction], worked_out: dict[str, int | Fraction]
) -> None:
    frequencies = holdem_oracle.bonus_frequencies()
    net = sum(count * holdem_oracle.settle_bonus(BONUS_PAYS, line, "call") for line, count in frequencies.items())
    edge = Fraction(-net, sum(frequencies.values()))
    assert edge == Fraction(162652, 2598960)
    assert reported["aa_bonus_house_edge_percent"] == worked_out["aa_bonus_house_edge_percent"] == 100 * edge


# --- hands as such ----------------------------------------------------------------------------------------------------


def test_suit_classes(game: Game) -> None:
    hands = game.deals[:, :5] @ 52 ** np.arange(5)
    assert len(np.unique(hands)) == PUBLISHED["suit_classes"]["5"]
    assert len(game.deals) == PUBLISHED["suit_classes"]["5,1"]
    assert np.array_equal(core.STUD.indices(game.deals), np.arange(len(game.deals)))


def test_suit_classes_of_hole_cards_and_flop(holdem: Game) -> None:
    # A class is what the four suits hold, in no order: each as the ranks on the flop and those in the hole, one bit a
    # rank. It stands for 24 deals, fewer where suits hold the same.
    suits = np.zeros((len(holdem.deals), 4), np.int64)
    for place, card in enumerate(holdem.deals.T.astype(np.int64)):
        suits[np.arange(len(suits)), card % 4] += 1 << (card // 4 + (13 if place < 2 else 0))
    suits.sort(axis=1)
    assert pl.DataFrame(suits).n_unique() == PUBLISHED["suit_classes"]["2,3"] == len(holdem.deals)
    alike = suits[:, 1:] == suits[:, :-1]
    same = np.array([1, 2, 6])[alike.sum(axis=1)]
    same[alike[:, 0] & ~alike[:, 1] & alike[:, 2]] = 4  # two and two
    assert np.array_equal(holdem.weights, 24 // same)
    # Different classes, and together all the deals there are: no class is missing.
    assert holdem.weights.sum() == comb(52, 2) * comb(50, 3)


@pytest.mark.parametrize("size", [5, 6, 7])
def test_frequencies_of_all_hands(size: int, reproduce: ModuleType) -> None:
    assert tuple(PUBLISHED["frequencies"]["order"]) == CATEGORIES_UP[::-1]
    assert reproduce.frequencies(size)[::-1] == PUBLISHED["frequencies"][f"{size}"]


# --- the script -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def figures(reproduce: ModuleType, game: Game, holdem: Game) -> list[Any]:
    """The script's figures from the counts that are here already, without the frequencies, which are tested above."""
    published = reproduce.load_published()
    counts = {(core.STUD, ACE_KING): game.counts, (core.HOLDEM, PAIR_OF_FOURS): holdem.counts}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(core.Kernel, "sweep", lambda kernel, qualify: counts[kernel, qualify])
        return [
            *reproduce.stud_figures(published["caribbean_us"]),
            *reproduce.holdem_figures(published["casino_holdem"]),
            *reproduce.five_plus_one_figures(published["five_plus_one"]),
            *reproduce.progressive_figures(published["progressive_break_even_meter_for_1_unit"]),
            *reproduce.class_figures(published["suit_classes"]),
        ]


def test_script_lists_what_it_does_not_cover(reproduce: ModuleType, figures: list[Any]) -> None:
    covered = {figure.key for figure in figures} | {f"frequencies.{size}" for size in (5, 6, 7)}
    assert reproduce.not_covered(covered) == ["suit_classes.6", "suit_classes.7"]


def test_script_contradicts_what_two_lines_of_arithmetic_contradict(reproduce: ModuleType) -> None:
    """A unit bet returns a unit where the prizes of all 2,598,960 hands add up to as many units."""

    def meter(quads: int, full: int, flush: int) -> int:
        return (comb(52, 5) - 624 * quads - 3744 * full - 5108 * flush) * 10 // (4 * 10 + 36)

    rows = list(reproduce.contradicted())
    assert [row["ours"] for row in rows] == [meter(500, 100, 50), meter(500, 150, 50)] == [218_047, 193_415]
    assert all(row["printed"] != row["ours"] and row["source"] for row in rows)
    assert rows[1]["printed"] == meter(500, 150, 75)


def test_what_other_scripts_settle_is_published(reproduce: ModuleType) -> None:
    assert set(reproduce.ELSEWHERE) <= set(reproduce.load_published())
    for script in reproduce.ELSEWHERE.values():
        assert (Path(__file__).resolve().parent.parent / script).exists()


def test_script_agrees(
    reproduce: ModuleType, figures: list[Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(reproduce, "figures", lambda: iter(figures))
    assert reproduce.main([]) == 0
    assert f"{len(figures)} of {len(figures)} figures agree" in capsys.readouterr().out
    assert reproduce.main(["--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["agrees"] is True
    assert [row["figure"] for row in document["figures"]] == [figure.figure for figure in figures]


def least_step(number: int | Fraction | Decimal) -> int | Fraction | Decimal:
    """The least by which a published number can be off: one, or one in its last digit."""
    if isinstance(number, Decimal):
        return Decimal((0, (1,), number.as_tuple().exponent))
    return 1 if isinstance(number, int) else Fraction(1, STUD["deals"])


def test_script_sees_each_single_difference(
    reproduce: ModuleType, figures: list[Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for place, figure in enumerate(figures):
        rows = list(figures)
        rows[place] = replace(figure, published=figure.published + least_step(figure.published))
        monkeypatch.setattr(reproduce, "figures", lambda rows=rows: iter(rows))
        assert reproduce.main(["--json"]) == 1
        agrees = [row["agrees"] for row in json.loads(capsys.readouterr().out)["figures"]]
        assert [i for i, yes in enumerate(agrees) if not yes] == [place]
