"""The whole game of Oasis, as scripts/oasis.py solves it: single deals, a whole upcard, recorded totals.

The full run is not part of the tests.
"""

import importlib.util
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from math import comb
from pathlib import Path
from types import ModuleType
from typing import Any

import conftest
import numpy as np
import pytest
from numpy.typing import NDArray

import pycs
from pycs.core import STUD, stud_exchange
from pycs.ranking import CATEGORIES_UP
from pycs.stud_rules import CaribbeanStudRules

PUBLISHED = json.loads((Path(__file__).parent / "data" / "published.json").read_text(encoding="utf-8"))
FIGURES = ("house_edge_percent", "element_of_risk_percent", "sd")
WITHOUT_FEES = "element_of_risk_without_fees_percent"
STUD_ROUNDS = PUBLISHED["caribbean_us"]["deals"]
SCRIPT = Path(__file__).resolve().parent.parent / "scripts" / "oasis.py"
DRAWS = (
    ("KsQsJsTs2d", "As"),  # four to a royal or a straight flush: in the upcard's suit, its card seen, in another one
    ("KsQsJsTs2d", "Ad"),
    ("KsQsJsTs2d", "9s"),
    ("KsKhQsJsTs", "2s"),
    ("KsKhQsJsTs", "2c"),
    ("As5d4d3d2d", "6d"),
    ("As5d4d3d2d", "2s"),
    ("9h7h5h3h2s", "Kh"),  # four to a flush
    ("9h7h5h3h2s", "Ks"),
    ("9h7h5h3h2s", "Kc"),
    ("9h7h5h3h2h", "Kh"),  # a flush
    ("9h7h5h3h2h", "Kc"),
    ("9h8c7d6s2h", "2c"),  # open-ended
    ("9h8c7d6s2h", "Td"),
    ("9c7d4h3s2c", "2d"),  # junk that is called when the dealer fails often enough
    ("6c5d4h3s2c", "2d"),
    ("AcAdAhAs2c", "2d"),  # of one rank all that there are
    ("QcQdQh3s2c", "Qs"),
    ("8c8d5h5s2c", "8h"),
    ("AsKhQd9c8s", "3d"),
    ("AsKh4d3c2s", "5c"),
)

# What the full run found: raw deals by best action and what was dealt; then, out of all pairs of a draw and a hand of
# the dealer, how many end in fold, a dealer who does not qualify, win, push and loss, by the player's final hand.
DEALS = {
    "fold": {"high card": 49_548_192},
    "exchange": {"high card": 9_681_516, "pair": 575_952},
    "call": {
        "high card": 1_989_672,
        "pair": 51_041_328,
        "two pair": 5_806_944,
        "three of a kind": 2_580_864,
        "straight": 479_400,
        "flush": 240_076,
        "full house": 175_968,
        "four of a kind": 29_328,
        "straight flush": 1_692,
        "royal flush": 188,
    },
}
STAY = {
    "fold": {"high card": 339_591_911_883_840},
    "not_qualified": {
        "high card": 6_410_302_236_576,
        "pair": 152_173_073_846_808,
        "two pair": 17_117_927_089_200,
        "three of a kind": 7_510_221_709_200,
        "straight": 1_427_091_860_880,
        "flush": 722_665_954_080,
        "full house": 506_371_370_400,
        "four of a kind": 82_011_182_400,
        "straight flush": 5_005_382_760,
        "royal flush": 584_597_160,
    },
    "win": {
        "high card": 519_918_649_992,
        "pair": 97_103_667_397_968,
        "two pair": 20_496_509_853_120,
        "three of a kind": 9_838_202_149_440,
        "straight": 1_839_831_676_200,
        "flush": 917_993_591_760,
        "full house": 698_227_961_760,
        "four of a kind": 118_962_303_600,
        "straight flush": 6_591_048_240,
        "royal flush": 703_909_080,
    },
    "push": {
        "high card": 5_457_000_024,
        "pair": 6_183_534_168,
        "two pair": 77_837_760,
        "straight": 518_490_000,
        "flush": 3_218_040,
        "straight flush": 22_680,
        "royal flush": 2_520,
    },
    "lose": {
        "high card": 6_701_076_376_848,
        "pair": 100_542_597_827_616,
        "two pair": 2_184_943_798_800,
        "three of a kind": 340_224_398_640,
        "straight": 18_255_310_920,
        "flush": 4_762_922_640,
        "full house": 1_444_867_200,
        "four of a kind": 33_880_560,
        "straight flush": 125_160,
    },
}
EXCHANGE = {
    "fold": {"high card": 37_214_524_656_540, "pair": 16_901_396_820},
    "not_qualified": {
        "high card": 1_995_114_554_748,
        "pair": 7_767_777_393_072,
        "straight": 2_356_165_327_848,
        "flush": 2_370_091_969_248,
        "straight flush": 18_279_558_456,
        "royal flush": 2_201_802_360,
    },
    "win": {
        "high card": 186_907_645_980,
        "pair": 5_560_443_350_940,
        "straight": 3_012_064_741_860,
        "flush": 3_022_953_154_968,
        "straight flush": 24_129_845_136,
        "royal flush": 2_650_657_380,
    },
    "push": {
        "high card": 913_161_948,
        "pair": 294_132_168,
        "straight": 763_643_880,
        "flush": 10_722_432,
        "straight flush": 81_804,
        "royal flush": 9_420,
    },
    "lose": {
        "high card": 2_131_168_971_864,
        "pair": 4_577_149_962_420,
        "straight": 26_192_117_832,
        "flush": 15_627_143_832,
        "straight flush": 451_404,
    },
}
NET = -8_683_003_637_268


@pytest.fixture(scope="module")
def oasis() -> Iterator[ModuleType]:
    """The script, as a module."""
    spec = importlib.util.spec_from_file_location("oasis", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["oasis"] = module  # its dataclass looks its module up
    spec.loader.exec_module(module)
    yield module
    del sys.modules["oasis"]


def sample(up: int) -> NDArray[np.uint8]:
    """Deals with an upcard of this rank, some at random, and all the edges that have one; hands from high to low."""
    deals = np.concatenate([conftest.as_array(DRAWS + conftest.EXTREMES), conftest.drawn(STUD, 700, 1993)])
    deals = deals[deals[:, 5] // 4 == up]
    deals[:, :5] = -np.sort(-deals[:, :5].astype(np.int8), axis=1)
    return deals


def exchange_counts(deal: list[int], place: int) -> list[list[int]]:
    """The exchange of the card in one place, by the core."""
    rules, (*hand, up) = pycs.load_rules("oasis"), deal
    assert isinstance(rules, CaribbeanStudRules)
    return stud_exchange([*hand[:place], *hand[place + 1 :]], [up], [hand[place]], 1114, rules.exchange_nets)


def net_of(counts: list[list[int]]) -> int:
    wins = (3, 3, 5, 7, 9, 11, 15, 41, 101, 201)
    return sum(nq + win * won - fold - 3 * lost for win, (fold, nq, won, _, lost) in zip(wins, counts, strict=True))


@pytest.mark.parametrize("up", [0, 8, 11, 12])
def test_single_deals(up: int, oasis: ModuleType, ace_king: int) -> None:
    cards = sample(up)
    assert len(cards) >= 50
    deals = oasis.Deals(cards, oasis.Dealer(up, oasis.oasis()))
    rows = cards.tolist()
    by_core = [[exchange_counts(deal, place) for place in range(5)] for deal in rows]
    assert deals.exchanges.tolist() == [[net_of(counts) for counts in places] for places in by_core]
    assert deals.called.tolist() == [
        [oasis.PAIRS - sum(fold for fold, *_ in counts) for counts in places] for places in by_core
    ]

    # How the exchanges end: all of them, each deal and place with a weight of its own.
    weights = np.arange(1, 5 * len(cards) + 1).reshape(-1, 5)
    ends = (np.array(by_core, np.int64) * weights[:, :, None, None]).sum(axis=(0, 1))
    assert np.array_equal(deals.outcomes(weights), ends)

    values = oasis.values_of(deals, STUD.count(cards, ace_king))
    for row in range(0, len(rows), 5):
        decision = pycs.decide("oasis", rows[row][:5], rows[row][5])
        totals = values.fold, values.call[row], values.exchange[row]
        assert [decision.values[action] for action in ("fold", "call", "exchange")] == [
            Fraction(int(total), oasis.PAIRS) for total in totals
        ]
        assert oasis.ACTIONS[values.action[row]] == decision.action


def test_hands_that_are_refused(oasis: ModuleType) -> None:
    dealer = oasis.Dealer(0, oasis.oasis())
    cards = conftest.as_array((("2c9d4h3s7c", "2d"), ("9d7c4h3s2c", "3d")))
    for row in cards[:, None]:
        with pytest.raises(ValueError, match="high to low"):
            oasis.Deals(row, dealer)


def test_equal_actions_take_the_one_that_stakes_less(oasis: ModuleType) -> None:
    call, exchange = np.array([-2, -1, 3, 3, 5, 4]), np.array([-1, -2, 3, 4, 3, 4])
    values = oasis.Values(-1, call, exchange, np.zeros(6, np.int64))
    best = [oasis.ACTIONS[number] for number in values.action]
    assert best == ["fold", "fold", "exchange", "exchange", "call", "exchange"]
    assert values.indifferent.tolist() == [True, True, True, False, False, True]


# --- a whole upcard ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def fives(oasis: ModuleType) -> Any:
    """All rounds in which the upcard is a five."""
    return oasis.solve("5")


def test_a_whole_upcard(
    fives: Any, oasis: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fives.failures() == []
    monkeypatch.setattr(oasis, "solve", lambda upcards: fives if upcards == "5" else None)
    assert oasis.main(["--upcards", "5", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["deals"] == comb(52, 5) * 47 // 13
    assert document["pairs"] == sum(event["pairs"] for event in document["events"]) == document["deals"] * oasis.PAIRS
    assert document["net"] == sum(event["net"] * event["pairs"] for event in document["events"])
    assert Fraction(document["figures"]["value"]) == Fraction(document["net"], document["pairs"])
    assert document["published"] == document["failures"] == []
    assert oasis.main(["--upcards", "5"]) == 0
    assert "published" not in capsys.readouterr().out


@pytest.mark.parametrize("part", ["deals", "stay", "exchange", "net", "called", "exchanged"])
def test_what_does_not_fit_is_found(
    part: str, fives: Any, oasis: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = replace(fives, **{part: getattr(fives, part) + 1})
    monkeypatch.setattr(oasis, "solve", lambda _: wrong)
    assert oasis.main(["--upcards", "5"]) == 1
    assert "FAILED: " in capsys.readouterr().out


@pytest.mark.parametrize("upcards", ["", "1", "5s", "10"])
def test_upcards_that_are_none(upcards: str, oasis: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        oasis.main(["--upcards", upcards])
    assert stopped.value.code == 2
    assert f"the upcards {upcards!r}" in capsys.readouterr().err


# --- the whole game, as recorded --------------------------------------------------------------------------------------


def as_table(rows: tuple[str, ...], recorded: dict[str, dict[str, int]]) -> NDArray[np.int64]:
    """A recorded table as the script keeps it, one row to each name."""
    assert set(recorded) <= set(rows)
    return np.array([[recorded.get(row, {}).get(name, 0) for name in CATEGORIES_UP] for row in rows], np.int64)


@pytest.fixture
def recorded(oasis: ModuleType) -> Any:
    """What the full run found; every hand called, which is not recorded, is filled in to fit."""
    called = oasis.no_ends()
    called[0, 1] = STUD_ROUNDS
    return oasis.Solution(
        upcards=oasis.RANKS,
        deals=as_table(oasis.ACTIONS, DEALS),
        net=NET,
        stay=as_table(oasis.OUTCOMES, STAY).T,
        exchange=as_table(oasis.OUTCOMES, EXCHANGE).T,
        base_net=PUBLISHED["caribbean_us"]["optimal_net"],
        called=called,
        exchanged=called * 5 * oasis.STAY,
    )


def test_published_figures(
    recorded: Any, oasis: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert recorded.failures() == []
    assert recorded.pairs == STUD_ROUNDS * oasis.STAY
    assert recorded.value == Fraction(-723583636439, 69766306810200)
    assert {each.figure: each.holds for each in oasis.verdicts(recorded)} == dict.fromkeys(FIGURES, True)
    # Of all that is bet: with the fees left out it would be 0.49%.
    ours = {name: round(float(figure), 4) for name, figure in recorded.figures.items()}
    assert ours == {**dict(zip(FIGURES, (1.0372, 0.4749, 2.4975), strict=True)), WITHOUT_FEES: 0.4939}
    monkeypatch.setattr(oasis, "solve", lambda _: recorded)
    assert oasis.main([]) == 0
    assert capsys.readouterr().out.count(": holds\n") == 3


def test_hands_that_are_never_exchanged_end_as_in_the_base_game(recorded: Any, oasis: ModuleType) -> None:
    wins = {name: pairs for name, pairs in STAY["win"].items() if name not in ("high card", "pair")}
    published = {event: rounds for event, _, rounds in PUBLISHED["caribbean_us"]["optimal_outcomes"]}
    assert wins == {name: published[name] * oasis.STAY for name in wins}
    assert len(wins) == 8
    assert not recorded.deals[oasis.ACTIONS.index("exchange"), 2:].any()


@pytest.mark.parametrize("figure", FIGURES)
@pytest.mark.parametrize("step", [-1, 1])
def test_a_figure_that_does_not_hold(
    figure: str,
    step: int,
    recorded: Any,
    oasis: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    published = oasis.published()
    published["oasis_one_ante_per_card"][figure] += step * Decimal("0.01")
    monkeypatch.setattr(oasis, "published", lambda: published)
    monkeypatch.setattr(oasis, "solve", lambda _: recorded)
    assert oasis.main(["--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert [each["figure"] for each in document["published"] if not each["holds"]] == [figure]
    assert document["failures"] == []
    assert oasis.main([]) == 1
    assert capsys.readouterr().out.count("DOES NOT HOLD") == 1
