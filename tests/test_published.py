"""Every published figure about Caribbean Stud and about hands as such, to the last digit.

The strategies are worked out here in numpy, by a road of their own; scripts/reproduce.py does it in Polars.
"""

import importlib.util
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

import pycs
from pycs.core import Counts, canonical_deals, deal_indices, rank_hands, stud_sweep
from pycs.deal_frames import deal_frame
from pycs.deals import COMPLETIONS, DEALS
from pycs.ranking import CATEGORIES_UP, categories, qualifying_strength
from pycs.reports import Report, report_of_tally
from pycs.values import tally, with_values

TESTS = Path(__file__).resolve().parent
PUBLISHED = json.loads((TESTS / "data" / "published.json").read_text(encoding="utf-8"))
STUD = PUBLISHED["caribbean_us"]
JACK, QUEEN, KING, ACE = 9, 10, 11, 12


class Game(NamedTuple):
    """All canonical deals of the published game, counted once for every test."""

    rules: pycs.Rules
    deals: NDArray[np.uint8]
    weights: NDArray[np.int64]
    counts: Counts


@pytest.fixture(scope="module")
def game() -> Game:
    rules = pycs.load_rules(STUD["profile"])
    deals, weights = canonical_deals(np.arange(DEALS))
    return Game(rules, deals, weights.astype(np.int64), stud_sweep(qualifying_strength(rules.dealer.qualifies)))


@pytest.fixture(scope="module")
def optimal(game: Game) -> Report:
    deals = deal_frame(text=False).hstack(pl.DataFrame(game.counts._asdict()))
    return report_of_tally(tally(with_values(deals, game.rules)), game.rules)


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


# --- best play --------------------------------------------------------------------------------------------------------


def test_outcomes(optimal: Report) -> None:
    assert [list(event) for event in optimal.outcomes] == STUD["optimal_outcomes"]


def test_deals_and_net(optimal: Report) -> None:
    assert (optimal.deals, optimal.net) == (STUD["deals"], STUD["optimal_net"])
    assert optimal.house_edge == -optimal.value == Fraction(-STUD["optimal_net"], STUD["deals"])


def test_share_of_deals_to_raise(optimal: Report, game: Game) -> None:
    assert [optimal.action_deals["call"], game.weights.sum()] == STUD["raise_pairs"]
    assert optimal.actions["call"] == Fraction(*STUD["raise_pairs"])


def test_standard_deviation(optimal: Report) -> None:
    places = len(str(STUD["sd"]).partition(".")[2])
    assert round(optimal.sd, places) == STUD["sd"]


# --- strategies -------------------------------------------------------------------------------------------------------


class Play(NamedTuple):
    """What a strategy leads to: antes over all rounds, and the loss per unit bet in all."""

    net: int
    element_of_risk: Fraction


@pytest.fixture(scope="module")
def plays(game: Game) -> dict[str, Play]:
    """What comes of raising by each published strategy instead of by value."""
    rules = game.rules
    category = categories(rank_hands(game.deals[:, :5]))
    net_win = np.array([rules.net_win(name) for name in CATEGORIES_UP])[category]
    nets = (rules.net_not_qualified, net_win, rules.net_push, rules.net_lose)
    call = sum((count * np.asarray(net, np.int64) for count, net in zip(game.counts, nets, strict=True)), np.int64(0))

    def play(raises: NDArray[np.bool_]) -> Play:
        net = int(game.weights @ np.where(raises, call, COMPLETIONS * rules.net_fold))
        raised, deals = int(game.weights @ raises), int(game.weights.sum())
        return Play(net, Fraction(-net, COMPLETIONS * (deals * rules.stakes.ante + raised * rules.stakes.call)))

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


# --- hands as such ----------------------------------------------------------------------------------------------------


def test_suit_classes(game: Game) -> None:
    hands = game.deals[:, :5] @ 52 ** np.arange(5)
    assert len(np.unique(hands)) == PUBLISHED["suit_classes"]["5"]
    assert len(game.deals) == PUBLISHED["suit_classes"]["5,1"]
    assert np.array_equal(deal_indices(game.deals), np.arange(len(game.deals)))


@pytest.mark.parametrize("size", [5, 6, 7])
def test_frequencies_of_all_hands(size: int, reproduce: ModuleType) -> None:
    assert tuple(PUBLISHED["frequencies"]["order"]) == CATEGORIES_UP[::-1]
    assert reproduce.frequencies(size)[::-1] == PUBLISHED["frequencies"][f"{size}"]


# --- the script -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def figures(reproduce: ModuleType, game: Game) -> list[Any]:
    """The script's figures from the counts that are here already, without the frequencies, which are tested above."""
    published = reproduce.load_published()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reproduce, "stud_sweep", lambda _qualify: game.counts)
        return [*reproduce.stud_figures(published["caribbean_us"]), *reproduce.class_figures(published["suit_classes"])]


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
