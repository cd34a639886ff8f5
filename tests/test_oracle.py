"""Is the oracle itself right? Held against figures published elsewhere and against plainer counting."""

import json
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, prod
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import oracle
import pytest
from oracle import CATEGORIES, best_key, cards, category_name, count_outcomes, hand_key, settle

# From the highest category down.
NAMES = CATEGORIES[::-1]
FREQUENCIES = (4, 36, 624, 3744, 5108, 10200, 54912, 123552, 1098240, 1302540)
DISTINCT = (1, 9, 156, 156, 1277, 10, 858, 858, 2860, 1277)
PAYS = {
    "us": dict(zip(NAMES, (100, 50, 20, 7, 5, 4, 3, 2, 1, 1), strict=True)),
    "betmgm": dict(zip(NAMES, (100, 50, 25, 10, 7, 5, 3, 2, 1, 1), strict=True)),
}
CASES = Path(__file__).parent / "data" / "cases.json"


@cache
def load_cases() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(CASES.read_text(encoding="utf-8"))
    return loaded


def stud_decisions() -> list[dict[str, Any]]:
    return [case for case in load_cases()["decide"] if case["profile"] == "us"]


def random_deal(random: Random, size: int) -> list[int]:
    return random.sample(range(52), size)


# --- one hand ---------------------------------------------------------------------------------------------------------


def test_cards_are_numbered_rank_first() -> None:
    assert cards("2c2d2h2s3cAs") == (0, 1, 2, 3, 4, 51)


@pytest.mark.parametrize(("first", "second", "who", "why"), load_cases()["compare"])
def test_compare(first: str, second: str, who: str, why: str) -> None:
    a, b = hand_key(cards(first)), hand_key(cards(second))
    assert {"first": a > b, "tie": a == b, "second": a < b}[who], why


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("AsKdJh3c2s", "AhKcTd9s8s"),
        ("5s5d4h3c2s", "4s4dAhKcQs"),
        ("5s5dQh3c2s", "5h5cJhTc9s"),
        ("AsAd2h2c3s", "KsKdQhQcAh"),
        ("3s3d3h2c2s", "2s2d2hAcAs"),
        ("9s9d9h9c3s", "9s9d9h9c2s"),
        ("TsJsQsKsAs", "9sTsJsQsKs"),
        ("2s3s4s5s6s", "As2s3s4s5s"),
        ("As2s3s4s5s", "AsAdAhAcKs"),
    ],
)
def test_order_of_the_rules(better: str, worse: str) -> None:
    assert hand_key(cards(better)) > hand_key(cards(worse))


@pytest.mark.parametrize(
    ("hand", "name"),
    [
        ("TsJsQsKsAs", "royal flush"),
        ("9sTsJsQsKs", "straight flush"),
        ("Ad2d3d4d5d", "straight flush"),
        ("9s9d9h9c3s", "four of a kind"),
        ("3s3d3h2c2s", "full house"),
        ("JdQdKdAd2d", "flush"),
        ("Ac2d3h4s5c", "straight"),
        ("TcJdQhKsAc", "straight"),
        ("3s3d3hAc2s", "three of a kind"),
        ("AsAd2h2c3s", "two pair"),
        ("5s5d4h3c2s", "pair"),
        ("QdKcAs2h3d", "high card"),
        ("KdAc2s3h4d", "high card"),
    ],
)
def test_names(hand: str, name: str) -> None:
    assert category_name(hand_key(cards(hand))) == name


@pytest.mark.parametrize("hand", ["AsKs", "AsAsKdQd2c", "AsKsQsJsTs9s"])
def test_only_five_different_cards_make_a_key(hand: str) -> None:
    with pytest.raises(ValueError, match="five different cards"):
        hand_key(cards(hand))


def test_order_of_cards_and_suits_do_not_matter() -> None:
    random = Random(5)
    for _ in range(300):
        hand = random_deal(random, 5)
        suits = random.sample(range(4), 4)
        other = [oracle.relabel(card, suits) for card in random.sample(hand, 5)]
        assert hand_key(hand) == hand_key(other)


@pytest.mark.parametrize(("hand", "name", "why"), load_cases()["best_of_seven"])
def test_best_of_seven(hand: str, name: str, why: str) -> None:
    assert category_name(best_key(cards(hand))) == name, why


def test_best_of_seven_tie_breaks() -> None:
    assert best_key(cards("6cQcAd6sAcTdJs")) == best_key(cards("6cQcAd6sAc3s3d")) == hand_key(cards("AdAc6c6sQc"))
    assert best_key(cards("AcQsJcTc9c8c7c")) == hand_key(cards("JcTc9c8c7c"))
    assert best_key(cards("KsKdKh2c2s2d")) == hand_key(cards("KsKdKh2c2s"))
    assert best_key(cards("AsKdJh3c2s")) == hand_key(cards("AsKdJh3c2s"))


@pytest.mark.parametrize(
    ("dealer", "yes"),
    [("AsKd4h3c2s", True), ("AsQdJhTc9s", False), ("2s2d3h4c5s", True), ("As2d3h4c5s", True), ("KsQdJh9c8s", False)],
)
def test_qualifies(dealer: str, yes: bool) -> None:
    assert oracle.qualifies(hand_key(cards(dealer))) is yes


# --- all five-card hands ----------------------------------------------------------------------------------------------


def test_frequencies_of_all_hands() -> None:
    how_many = np.bincount(oracle.strengths_of_all_hands())
    ladder = oracle.key_ladder()
    assert how_many[0] == 0
    assert len(how_many) == len(ladder) + 1 == 7463
    frequencies, distinct = Counter[str](), Counter[str]()
    for number, key in enumerate(ladder, start=1):
        frequencies[category_name(key)] += int(how_many[number])
        distinct[category_name(key)] += 1
    assert frequencies == dict(zip(NAMES, FREQUENCIES, strict=True))
    assert distinct == dict(zip(NAMES, DISTINCT, strict=True))


def test_how_many_hands_qualify() -> None:
    how_many = np.bincount(oracle.strengths_of_all_hands())
    assert sum(int(how_many[n]) for n, key in enumerate(oracle.key_ladder(), 1) if oracle.qualifies(key)) == 1463700


def test_strengths_stand_in_the_order_of_combinations() -> None:
    hands, strengths = oracle.all_hands(), oracle.strengths_of_all_hands()
    assert hands.shape == (2598960, 5)
    assert strengths.shape == (2598960,)
    assert strengths.dtype == np.uint16
    assert [tuple(row) for row in hands[:2000].tolist()] == [
        hand for _, hand in zip(range(2000), combinations(range(52), 5), strict=False)
    ]
    ladder = oracle.key_ladder()
    for i in Random(1).sample(range(len(hands)), 5000):
        hand = hands[i].tolist()
        assert oracle.hand_index(hand) == i
        assert ladder[strengths[i] - 1] == hand_key(hand)


def test_column_wise_look_up_gives_every_hand_its_own_strength() -> None:
    assert np.array_equal(oracle.strengths_of_rows(oracle.all_hands()[:, ::-1]), oracle.strengths_of_all_hands())


# --- one deal ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", stud_decisions(), ids=lambda case: f"{case['hand']}-{case['up']}")
def test_known_decisions(case: dict[str, Any]) -> None:
    hand, up = cards(case["hand"]), cards(case["up"])[0]
    value = oracle.call_value(PAYS["us"], hand, up)
    if "call" in case:
        assert value == Fraction(case["call"])
    else:
        assert float(value) == pytest.approx(case["call_about"], abs=5e-7)
    assert ("call" if value > -1 else "fold") == case["action"]
    if "not_qualified" in case:
        assert count_outcomes(hand, up)["not_qualified"] == case["not_qualified"]


@pytest.mark.parametrize(
    ("hand", "up", "total"),
    [
        ("AsKhJd8c3s", "Qc", -190959),
        ("AsKhQd9c8s", "3d", -160917),
        ("AsKhQd9c8s", "3h", -160845),
        ("TsJsQsKsAs", "2c", None),
    ],
)
def test_known_deals(hand: str, up: str, total: int | None) -> None:
    counts = count_outcomes(cards(hand), cards(up)[0])
    assert sum(counts.values()) == comb(46, 4) == 163185
    if total is None:
        assert counts["push"] == counts["lose"] == 0
    else:
        assert counts["not_qualified"] + 3 * counts["win"] - 3 * counts["lose"] == total


def test_ace_king_against_a_three_by_hand() -> None:
    """A-K-Q-9-8 against the three of hearts, counted with products only."""
    left = {rank: 3 if rank in "AKQ98" else 4 for rank in "2456789TJQKA"}

    def ways(ranks: str, take: int) -> int:
        return sum(prod(left[rank] for rank in chosen) for chosen in combinations(ranks, take))

    # No game: four more ranks, all different, not ace and king together; less the straights 5-high to 7-high and the
    # heart flushes (eleven hearts left without the king), three of which are both.
    no_pair = ways("2456789TJQ", 4) + (left["A"] + left["K"]) * ways("2456789TJQ", 3)
    straights = ways("A245", 4) + ways("2456", 4) + ways("4567", 4)
    not_qualified = no_pair - straights - comb(11, 4) + 3
    # The player beats ace, king and any two more ranks, but for queen-jack and queen-ten. The king of hearts is the
    # player's own, so none of these hands is a flush.
    win = left["A"] * left["K"] * (ways("2456789TJQ", 2) - ways("JQ", 2) - ways("TQ", 2))
    lose = comb(46, 4) - not_qualified - win
    assert (not_qualified, win, lose) == (74199, 5319, 83667)
    assert not_qualified + 3 * win - 3 * lose == -160845
    counts = count_outcomes(cards("AsKhQd9c8s"), cards("3h")[0])
    assert counts == {"not_qualified": not_qualified, "win": win, "push": 0, "lose": lose}


def test_quick_count_equals_plain_count() -> None:
    deal = cards("AsKhJd8c3s"), cards("Qc")[0]
    assert count_outcomes(*deal) == oracle.count_outcomes_plain(*deal)
    assert count_outcomes(*deal)["not_qualified"] == 74649


@pytest.mark.parametrize("seed", range(12))
def test_quick_count_equals_plain_count_with_dead_cards(seed: int) -> None:
    random = Random(seed)
    up, *rest = random_deal(random, random.randint(26, 40))
    counts = count_outcomes(rest[:5], up, rest[5:])
    assert counts == oracle.count_outcomes_plain(rest[:5], up, rest[5:])
    assert sum(counts.values()) == comb(51 - len(rest), 4)


def test_over_all_upcards_each_dealer_hand_comes_up_five_times() -> None:
    hand = cards("AsKdQh7c7d")
    total = Counter[str]()
    for up in set(range(52)) - set(hand):
        total.update(count_outcomes(hand, up))
    free = ~np.isin(oracle.all_hands(), hand).any(axis=1)
    his, mine = oracle.strengths_of_all_hands()[free], oracle.strength(hand)
    least = 1 + oracle.key_ladder().index(hand_key(cards("AsKd4h3c2s")))
    assert len(his) == comb(47, 5)
    assert total == {
        "not_qualified": 5 * int((his < least).sum()),
        "win": 5 * int(((his >= least) & (his < mine)).sum()),
        "push": 5 * int((his == mine).sum()),
        "lose": 5 * int((his > mine).sum()),
    }


@pytest.mark.parametrize(
    ("hand", "up", "dead"), [("AsKhJd8c3s", "As", ""), ("AsKhJd8c3s", "Qc", "Qc"), ("AsKhJd8c", "Qc", "")]
)
def test_a_card_is_dealt_once(hand: str, up: str, dead: str) -> None:
    with pytest.raises(ValueError, match="all different"):
        count_outcomes(cards(hand), cards(up)[0], cards(dead))


@pytest.mark.parametrize("case", load_cases()["settle"], ids=lambda case: f"{case['player']}-{case['dealer']}")
def test_settle_cases(case: dict[str, Any]) -> None:
    net = settle(PAYS[case["profile"]], cards(case["player"]), cards(case["dealer"]), case["action"])
    assert net == case["net"]


@pytest.mark.parametrize(
    ("player", "dealer", "action", "net"),
    [
        ("QhQs9d6c2h", "JhJcAs8d3c", "call", 3),
        ("QhQs9d6c2h", "JhJcAs8d3c", "fold", -1),
        ("QhQs9d6c2h", "KhKcAs8d3c", "call", -3),
        ("QhQs9d6c2h", "KhQcJs8d3c", "call", 1),
        ("3h3s3d6c6h", "JhJcAs8d3c", "call", 15),
        ("AhKhQhJhTh", "JdJcAs8d3c", "call", 201),
        ("AhKhQhJhTh", "AdQcJs8d3c", "call", 1),
        ("AhKdJh4c3c", "AsKc9h8d7c", "call", 3),
        ("7h5d4h3c2c", "AsKc9h8d6c", "call", -3),
    ],
)
def test_settle_worked_figures(player: str, dealer: str, action: str, net: int) -> None:
    assert settle(PAYS["us"], cards(player), cards(dealer), action) == net


def test_settle_knows_two_actions() -> None:
    with pytest.raises(ValueError, match="fold or call"):
        settle(PAYS["us"], cards("QhQs9d6c2h"), cards("JhJcAs8d3c"), "raise")


def test_call_value_is_the_mean_of_the_settled_rounds() -> None:
    hand, up, dead = cards("AhKdJh4c3c"), cards("As")[0], cards("2c2d2h2s5c5d5h5s6c6d6h6s7c7d7h7s8c8d8h8s")
    live = set(range(52)) - {*hand, up, *dead}
    nets = [settle(PAYS["us"], hand, (up, *four), "call") for four in combinations(sorted(live), 4)]
    assert oracle.call_value(PAYS["us"], hand, up, dead) == Fraction(sum(nets), len(nets))


# --- suit relabelings -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "up", "size"),
    [
        ("TsJsQsKsAs", "2s", 4),
        ("TsJsQsKsAs", "2c", 12),
        ("AsAhAdAcKs", "Kc", 12),
        ("AsAhAdAcKs", "Qs", 4),
        ("AsKhJd8c3s", "Qc", 24),
    ],
)
def test_orbit(hand: str, up: str, size: int) -> None:
    images = oracle.orbit(cards(hand), cards(up)[0])
    assert len(images) == size
    assert (frozenset(cards(hand)), cards(up)[0]) in images
    assert all(oracle.orbit(other, card) == images for other, card in images)


@pytest.mark.parametrize(
    ("parts", "classes"),
    [((5,), 134459), ((5, 1), 5649150), ((2, 3), 1286792), ((6,), 962988), ((7,), 6009159), ((2,), 169)],
)
def test_published_class_counts(parts: tuple[int, ...], classes: int) -> None:
    assert oracle.canonical_classes_by_burnside(parts) == classes


def test_classes_of_five_cards_by_walking_all_hands() -> None:
    assert len(np.unique(oracle.classes_of_all_hands())) == 134459


@pytest.mark.parametrize("ranks", [2, 3])
def test_burnside_against_walking_a_small_deck(ranks: int) -> None:
    deals = {
        (frozenset(hand), up) for hand in combinations(range(4 * ranks), 5) for up in range(4 * ranks) if up not in hand
    }
    classes = 0
    while deals:
        deals -= oracle.orbit(*next(iter(deals)))
        classes += 1
    assert classes == oracle.canonical_classes_by_burnside((5, 1), ranks)


def test_outcomes_are_the_same_all_over_an_orbit() -> None:
    images = oracle.orbit(cards("AsKhJd8c3s"), cards("Qc")[0])
    assert len({tuple(count_outcomes(sorted(hand), up).values()) for hand, up in images}) == 1
