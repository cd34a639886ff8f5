"""Is the Casino Hold'em oracle itself right? Held against published figures, plainer counting and sums done by hand."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb, prod
from random import Random
from typing import Any

import holdem_oracle
import numpy as np
import oracle
import pytest
from holdem_oracle import (
    BONUS_LINES,
    LINES,
    best_strengths,
    bonus_line,
    call_value,
    count_outcomes,
    count_outcomes_plain,
    settle,
    settle_bonus,
    total,
    value_of_counts,
    values_with_bonus,
)
from oracle import best_key, cards, hand_key

ALL = 1070190
PAYS = dict(zip(LINES, (100, 20, 10, 3, 2, 1), strict=True))
BONUS_PAYS = dict(zip(BONUS_LINES, (100, 50, 40, 30, 20, 7), strict=True))
DEFAULT = "pair of fours"


def thinned_deal(seed: int, live: int) -> tuple[list[int], list[int], list[int]]:
    """A random hole and flop, and dead cards that leave `live` cards."""
    deal = Random(seed).sample(range(52), 52 - live)
    return deal[:2], deal[2:5], deal[5:]


# --- final hands ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "line"),
    [
        ("TsJsQsKsAs", "royal flush"),
        ("9sTsJsQsKs", "straight flush"),
        ("9s9d9h9c3s", "four of a kind"),
        ("3s3d3h2c2s", "full house"),
        ("JdQdKdAd2d", "flush"),
        ("TcJdQhKsAc", "straight or less"),
        ("AsAdAhKcQd", "straight or less"),
        ("5s4d2h3c7s", "straight or less"),
    ],
)
def test_ante_lines(hand: str, line: str) -> None:
    assert holdem_oracle.ante_line(hand_key(cards(hand))) == line


def test_best_strengths_are_those_of_the_best_keys() -> None:
    random = Random(3)
    hands = [random.sample(range(52), 7) for _ in range(500)]
    hands += [random.sample(range(20), 7) for _ in range(300)]
    ladder = oracle.key_ladder()
    strengths = best_strengths(np.array(hands, dtype=np.uint8))
    assert all(ladder[number - 1] == best_key(hand) for number, hand in zip(strengths, hands, strict=True))


@pytest.mark.parametrize(
    ("dealer", "yes"),
    [
        ("4c4d2h3s5cThJh", True),
        ("4c4d2h3s7cThJh", True),
        ("3c3d2h4s7cThJh", False),
        ("3c3dAhKs7cThJh", False),
        ("2c2dAhKs7cThJh", False),
        ("AcKdQh9s7c3h2h", False),
        ("2c2d3h3s7cThJh", True),
        ("2c2d2hKs7cThJh", True),
        ("Ac2d3h4s5cThJh", True),
        ("2c4c7cTcKc3h8h", True),
    ],
)
def test_pair_of_fours_or_better_qualifies(dealer: str, yes: bool) -> None:
    seven = cards(dealer)
    mine = hand_key(cards("AsKdQdJd9s"))
    assert (holdem_oracle.outcome(mine, best_key(seven)) != "not_qualified") is yes
    assert holdem_oracle.outcome(mine, best_key(seven), "any") != "not_qualified"


# --- one deal ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hole", "flop", "value"),
    [
        ("QsQh", "Qd2c7h", Fraction(3196566, ALL)),
        ("Js3h", "5d8cKh", Fraction(-1156914, ALL)),
        ("8s9h", "AdAcAh", Fraction(-228954, ALL)),
    ],
)
def test_known_deals(hole: str, flop: str, value: Fraction) -> None:
    counts = count_outcomes(cards(hole), cards(flop))
    assert total(counts) == ALL == comb(47, 2) * comb(45, 2)
    assert value_of_counts(PAYS, counts) == value


@pytest.mark.parametrize("seed", range(6))
def test_quick_count_equals_plain_count_with_dead_cards(seed: int) -> None:
    hole, flop, dead = thinned_deal(seed, live=10 + seed // 3)
    lowest = (DEFAULT, "any", hand_key(cards("9s9d4h3c2s")))[seed % 3]
    counts = count_outcomes(hole, flop, lowest, dead)
    assert counts == count_outcomes_plain(hole, flop, lowest, dead)
    assert total(counts) == comb(47 - len(dead), 2) * comb(45 - len(dead), 2)


@pytest.mark.parametrize(
    ("hole", "flop", "live", "lines"),
    [
        ("TsJs", "QsKs2d", "As9s2c3c3d4s4d5c6h7d9h", "royal flush, straight flush, flush, straight or less"),
        ("5h6h", "7h8hKc", "4h9hTh3h2c2dKsKd8c8d", "straight flush, flush, straight or less"),
        ("2c2d", "2h3s3d", "2s3c3hAsAdKsQdJc9h8h", "four of a kind, full house"),
        ("Ah5d", "2h3h4h", "5h6h7cAcKhQs4c4d2s9h", "straight flush, flush, straight or less"),
    ],
)
def test_quick_count_equals_plain_count_where_high_lines_come_up(hole: str, flop: str, live: str, lines: str) -> None:
    deal = cards(hole), cards(flop)
    dead = set(range(52)) - {*cards(hole), *cards(flop), *cards(live)}
    counts = count_outcomes(*deal, dead=dead)
    assert counts == count_outcomes_plain(*deal, dead=dead)
    assert ", ".join(line for line in LINES if counts["win"][line]) == lines


def test_quick_count_equals_a_walk_board_by_board() -> None:
    """All 1,070,190 completions again, each as the seven cards it is, with 21 fives judged for each."""
    hole, flop = cards("Js3h"), cards("5d8cKh")
    ladder = oracle.key_ladder()
    live = sorted(set(range(52)) - {*hole, *flop})
    ends = Counter[str]()
    for turn in live:
        rivers = [card for card in live if card > turn]
        sevens = [
            (*flop, turn, river, *two)
            for river in rivers
            for two in combinations([card for card in live if card not in (turn, river)], 2)
        ]
        if not sevens:
            continue
        his = best_strengths(np.array(sevens, dtype=np.uint8)).reshape(len(rivers), 990)
        for river, dealers in zip(rivers, his, strict=True):
            mine = best_key((*hole, *flop, turn, river))
            for number, count in zip(*np.unique(dealers, return_counts=True), strict=True):
                end = holdem_oracle.outcome(mine, ladder[number - 1])
                if end in ("not_qualified", "win"):
                    end += " " + holdem_oracle.ante_line(mine)
                ends[end] += int(count)
    counts = count_outcomes(hole, flop)
    flat = Counter({end: counts[end] for end in ("push", "lose")})
    for end in ("not_qualified", "win"):
        flat.update({f"{end} {line}": count for line, count in counts[end].items()})
    assert ends == flat
    assert ends.total() == ALL


def test_a_royal_flush_on_the_flop_by_hand() -> None:
    """T-J of spades on Q-K-A of spades wins always; how often the dealer fails, counted with products only."""
    # Left of each rank, in spades and in the other suits. The dealer has Q-K-A of spades and four more cards.
    spade = dict.fromkeys("23456789", 1) | dict.fromkeys("TJ", 0)
    other = dict.fromkeys("23456789TJ", 3)

    def ways(ranks: tuple[str, ...]) -> int:
        """Choices of one card of each rank with at most one spade: two would make a flush."""
        none = prod(other[rank] for rank in ranks)
        return none + sum(none // other[rank] * spade[rank] for rank in ranks)

    # Four more ranks without a straight: not the ten and the jack together, and not 2-3-4-5.
    high_card = sum(
        ways(ranks)
        for ranks in combinations("23456789TJ", 4)
        if not {"T", "J"} <= set(ranks) and ranks != ("2", "3", "4", "5")
    )
    # A pair of twos or threes and two more ranks: six pairs of which three hold the spade.
    low_pair = 0
    for pair in "23":
        for a, b in combinations([rank for rank in "23456789TJ" if rank != pair], 2):
            if {a, b} != {"T", "J"}:
                low_pair += 3 * ways((a, b)) + 3 * other[a] * other[b]
    not_qualified = 6 * (high_card + low_pair)

    counts = count_outcomes(cards("TsJs"), cards("QsKsAs"))
    assert counts["push"] == counts["lose"] == 0
    assert counts["not_qualified"] == dict.fromkeys(LINES, 0) | {"royal flush": not_qualified}
    assert counts["win"] == dict.fromkeys(LINES, 0) | {"royal flush": ALL - not_qualified}
    assert value_of_counts(PAYS, counts) == 100 + 2 * Fraction(ALL - not_qualified, ALL)
    even = value_of_counts(PAYS, counts, even_if_not_qualified=True)
    assert even == Fraction(not_qualified + 102 * (ALL - not_qualified), ALL)


@pytest.mark.parametrize(
    ("flop", "always"),
    [("4c4d9h", True), ("KsKdKh", True), ("AdAcAh", True), ("3c3d9h", False), ("2c2d2h", True), ("AsKdQh", False)],
)
def test_the_board_can_qualify_the_dealer(flop: str, always: bool) -> None:
    counts = count_outcomes(cards("8s7h"), cards(flop))
    assert (sum(counts["not_qualified"].values()) == 0) is always


def test_four_queens_by_hand() -> None:
    """Q-Q on Q-Q-A: the few sets of four cards with which the dealer beats four queens."""
    four_aces = 44  # the three aces left and any other card
    four_kings = 1
    diamonds, clubs = 3, 3  # with the flop's queen: J-T-9-8, K-J-T-9 and A-K-J-T
    spades = 1  # with the flop's ace: 2-3-4-5, for the player holds the queen
    counts = count_outcomes(cards("QsQh"), cards("QdQcAs"))
    # Any two of the four cards may be the turn and river; they never help the player.
    lose = 6 * (four_aces + four_kings + diamonds + clubs + spades)
    assert counts == {
        "not_qualified": dict.fromkeys(LINES, 0),
        "win": dict.fromkeys(LINES, 0) | {"four of a kind": ALL - lose},
        "push": 0,
        "lose": lose,
    }


def test_who_qualifies_moves_completions_only_between_the_ends() -> None:
    deal = cards("Js3h"), cards("5d8cKh")
    strict, usual, lax = (count_outcomes(*deal, lowest) for lowest in (hand_key(cards("AsAd4h3c2s")), DEFAULT, "any"))
    failed = [sum(counts["not_qualified"].values()) for counts in (strict, usual, lax)]
    assert failed[0] > failed[1] > failed[2] == 0
    assert total(strict) == total(usual) == total(lax) == ALL
    finals = [Counter[str](), Counter[str]()]
    for final, counts in zip(finals, (usual, lax), strict=True):
        final.update(counts["not_qualified"])
        final.update(counts["win"])
    assert all(finals[0][line] >= finals[1][line] for line in LINES)
    assert usual["lose"] < lax["lose"]
    assert usual["push"] <= lax["push"]
    assert count_outcomes(*deal, (1, 2)) == count_outcomes(*deal, hand_key(cards("4s4d5h3c2s"))) == usual


def test_both_sides_win_equally_often_if_any_hand_qualifies() -> None:
    deal = Random(8).sample(range(52), 17)
    flop, live = deal[:3], deal[3:]
    dead = set(range(52)) - set(deal)
    win = lose = 0
    for hole in combinations(live, 2):
        counts = count_outcomes(hole, flop, "any", dead)
        win += sum(counts["win"].values())
        lose += counts["lose"]
    assert win == lose > 0


@pytest.mark.parametrize(
    ("hole", "flop", "dead"),
    [("AsKh", "AsQcJd", ""), ("AsKh", "2cQcJd", "Qc"), ("AsKhQd", "2cQc", ""), ("AsAs", "2cQcJd", "")],
)
def test_a_card_is_dealt_once(hole: str, flop: str, dead: str) -> None:
    for count in (count_outcomes, count_outcomes_plain):
        with pytest.raises(ValueError, match="all different"):
            count(cards(hole), cards(flop), dead=cards(dead))


# --- money ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hole", "dealer", "board", "net", "why"),
    [
        ("2c3d", "4h4d", "TsJsQsKsAs", 0, "the board plays: a royal flush for both"),
        ("2c3d", "AhAd", "9c9d9h9sAs", 0, "the board plays: four nines with an ace"),
        ("2c3d", "4h5d", "TsJcQdKhAs", 0, "the board plays: a straight"),
        ("2c3d", "4h5d", "9c9d9h9sTs", 0, "the board's four nines and its ten play for both"),
        ("Ac3d", "4h5d", "9c9d9h9sTs", 12, "the same board, but the ace outkicks the ten"),
        ("Td3h", "AsKd", "2c5d8hJsQc", 1, "ace high is better than queen high but does not qualify"),
        ("Td3h", "2s6d", "2c5d8hJsQc", 1, "a pair of twos is better but does not qualify"),
        ("Td4h", "3s3c", "2c5d8hJsQc", 1, "a pair of threes is better but does not qualify"),
        ("Td6h", "4s4c", "2c5d8hJsQc", -3, "a pair of fours qualifies"),
        ("TdQh", "4s4c", "2c5d8hJsQc", 3, "a pair of fours qualifies, and loses to queens"),
        ("Td6h", "AsKd", "3c3d8hJsQc", 1, "the board's pair of threes does not qualify him, whatever the kickers"),
        ("Td6h", "AsKd", "4c4d8hJsQc", -3, "the board's pair of fours does, and his kickers are better"),
        ("AdKh", "Ts6d", "4c4d8hJsQc", 3, "the board's pair of fours qualifies him, and he loses"),
        ("7h3c", "6h2d", "4c4d8hJsQc", 0, "the board's pair with queen, jack and eight plays for both"),
        ("Td6h", "3s3c", "2c2d8hJsQc", -3, "twos and threes are two pair, which qualifies"),
        ("AhKh", "AsKd", "2h5h8hJsQc", 2, "a flush, and the dealer fails: the flush line, no more"),
        ("AhKh", "QsKd", "2h5h8hJsQc", 4, "a flush against a pair of queens"),
        ("9h2h", "AhKh", "3h5h8hJsQc", -3, "a flush against a better one"),
        ("2h2d", "AsKd", "5h7h8hJhQh", 0, "the board plays: a flush"),
        ("9h2d", "AsKd", "5h7h8hJhQh", 4, "the board's flush, but the nine is better than its five"),
        ("8c8d", "QsKd", "2h2s8hJsQc", 5, "a full house"),
        ("8c8d", "QsKd", "8s8hAhJsQc", 12, "four of a kind"),
        ("9hTh", "QsKd", "6h7h8hJsQc", 22, "a straight flush"),
        ("AhKh", "QsKd", "QhJhTh2sQc", 102, "a royal flush"),
        ("AhKh", "3s3d", "QhJhTh2s8c", 100, "a royal flush, and the dealer fails"),
        ("9d7h", "QsKd", "6h5c8hJsQc", 3, "a straight pays one"),
    ],
)
def test_settle_by_hand(hole: str, dealer: str, board: str, net: int, why: str) -> None:
    assert settle(PAYS, cards(hole), cards(dealer), cards(board), "call") == net, why
    assert settle(PAYS, cards(hole), cards(dealer), cards(board), "fold") == -1


@pytest.mark.parametrize(
    ("hole", "dealer", "board", "options", "net"),
    [
        ("AhKh", "AsKd", "2h5h8hJsQc", {"even_if_not_qualified": True}, 1),
        ("AhKh", "QsKd", "2h5h8hJsQc", {"even_if_not_qualified": True}, 4),
        ("AhKh", "AsKd", "2h5h8hJsQc", {"lowest": "any"}, 4),
        ("Td3h", "AsKd", "2c5d8hJsQc", {"lowest": "any"}, -3),
        ("Td6h", "4s4c", "2c5d8hJsQc", {"lowest": (1, 3)}, 1),
        ("Td6h", "4s4c", "2c5d8hJsQc", {"call": 3}, -4),
        ("TdQh", "4s4c", "2c5d8hJsQc", {"call": 3}, 4),
        ("TdQh", "4s4c", "2c5d8hJsQc", {"call": Fraction(1, 2)}, Fraction(3, 2)),
    ],
)
def test_settle_variants(hole: str, dealer: str, board: str, options: dict[str, Any], net: Any) -> None:
    assert settle(PAYS, cards(hole), cards(dealer), cards(board), "call", **options) == net


def test_settle_knows_two_actions() -> None:
    with pytest.raises(ValueError, match="fold or call"):
        settle(PAYS, cards("Td3h"), cards("AsKd"), cards("2c5d8hJsQc"), "raise")
    with pytest.raises(ValueError, match="fold or call"):
        settle_bonus(BONUS_PAYS, None, "raise")


@pytest.mark.parametrize(
    "options",
    [{}, {"even_if_not_qualified": True}, {"lowest": "any"}, {"call": Fraction(5, 2), "lowest": (1, 8)}],
)
def test_call_value_is_the_mean_of_the_settled_rounds(options: dict[str, Any]) -> None:
    hole, flop = cards("AhKh"), cards("Qh7h2c")
    live = cards("JhTh2d4s4c9c8d3s5h")
    dead = set(range(52)) - {*hole, *flop, *live}
    nets = [
        settle(PAYS, hole, dealer, (*flop, *two), "call", **options)
        for two in combinations(live, 2)
        for dealer in combinations(set(live) - set(two), 2)
    ]
    assert len(nets) == comb(9, 2) * comb(7, 2)
    assert call_value(PAYS, hole, flop, dead=dead, **options) == Fraction(sum(nets), len(nets))


# --- the AA Bonus -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hole", "flop", "line"),
    [
        ("TsJs", "QsKsAs", "royal flush"),
        ("As2s", "3s4s5s", "straight flush"),
        ("9s9d", "9h9c3s", "four of a kind"),
        ("3s3d", "3h2c2s", "full house"),
        ("JdQd", "3d7d2d", "flush"),
        ("Ac2d", "3h4s5c", "aces to straight"),
        ("2c2d", "2h4s5c", "aces to straight"),
        ("2c2d", "3h3s5c", "aces to straight"),
        ("AcAd", "2h3s4c", "aces to straight"),
        ("2c3d", "AhAs5c", "aces to straight"),
        ("Ac3d", "AhKs5c", "aces to straight"),
        ("KcKd", "AhQsJc", None),
        ("AcKd", "QhJs9c", None),
    ],
)
def test_bonus_lines(hole: str, flop: str, line: str | None) -> None:
    assert bonus_line(cards(hole), cards(flop)) == line
    assert bonus_line(cards(hole)[::-1], cards(flop)[::-1]) == line


def test_bonus_frequencies_and_the_house_edge() -> None:
    frequencies = holdem_oracle.bonus_frequencies()
    aces = comb(4, 2) * comb(12, 3) * 4**3
    assert frequencies == {
        "royal flush": 4,
        "straight flush": 36,
        "four of a kind": 624,
        "full house": 3744,
        "flush": 5108,
        "aces to straight": 10200 + 54912 + 123552 + aces,
        None: 1098240 - aces + 1302540,
    }
    assert sum(frequencies.values()) == comb(52, 5)
    net = sum(count * settle_bonus(BONUS_PAYS, line, "call") for line, count in frequencies.items())
    assert net == -162652
    assert float(Fraction(-net, comb(52, 5))) == pytest.approx(0.0626, abs=5e-5)


@pytest.mark.parametrize(
    ("line", "bonus", "requires_call", "fold", "call"),
    [
        (None, 0, True, -1, Fraction(-3, 2)),
        ("flush", 0, True, -1, Fraction(-3, 2)),
        (None, 1, True, -2, Fraction(-5, 2)),
        (None, 1, False, -2, Fraction(-5, 2)),
        ("aces to straight", 1, True, -2, Fraction(11, 2)),
        ("aces to straight", 1, False, 6, Fraction(11, 2)),
        ("flush", Fraction(1, 2), True, Fraction(-3, 2), Fraction(17, 2)),
        ("royal flush", 2, False, 199, Fraction(397, 2)),
    ],
)
def test_values_with_bonus(line: str | None, bonus: Any, requires_call: bool, fold: Any, call: Any) -> None:
    values = values_with_bonus(Fraction(-3, 2), line, BONUS_PAYS, bonus, requires_call)
    assert values == {"fold": fold, "call": call}


def test_a_bonus_that_is_paid_on_a_call_only_can_turn_a_fold_into_a_call() -> None:
    hole, flop = cards("2c3d"), cards("KhKsKd")
    alone = call_value(PAYS, hole, flop)
    assert alone < -1
    line = bonus_line(hole, flop)
    assert line == "aces to straight"
    with_call, anyway = (values_with_bonus(alone, line, BONUS_PAYS, 1, flag) for flag in (True, False))
    assert with_call["call"] > with_call["fold"]
    assert anyway["call"] < anyway["fold"]


# --- suit relabelings -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hole", "flop", "size"),
    [
        ("TsJs", "QsKsAs", 4),
        ("AsAh", "AdAcKs", 12),
        ("AsAh", "KdKc2s", 12),
        ("AsAh", "KsKh2s", 12),
        ("AsAh", "KsKhKd", 12),
        ("AsKh", "QdJc2s", 24),
    ],
)
def test_orbit(hole: str, flop: str, size: int) -> None:
    images = holdem_oracle.orbit(cards(hole), cards(flop))
    assert len(images) == size
    assert (frozenset(cards(hole)), frozenset(cards(flop))) in images
    assert all(holdem_oracle.orbit(*other) == images for other in images)


def test_number_of_classes() -> None:
    assert oracle.canonical_classes_by_burnside((2, 3)) == 1286792


def test_burnside_against_walking_a_small_deck() -> None:
    deck = range(12)
    deals = {
        (frozenset(hole), frozenset(flop))
        for hole in combinations(deck, 2)
        for flop in combinations([card for card in deck if card not in hole], 3)
    }
    assert len(deals) == comb(12, 2) * comb(10, 3)
    classes = 0
    while deals:
        deals -= holdem_oracle.orbit(*next(iter(deals)))
        classes += 1
    assert classes == oracle.canonical_classes_by_burnside((2, 3), 3)


@pytest.mark.parametrize("seed", range(3))
def test_outcomes_are_the_same_all_over_an_orbit(seed: int) -> None:
    hole, flop, dead = thinned_deal(seed, live=20)
    counts = count_outcomes(hole, flop, dead=dead)
    for suits in ((1, 0, 2, 3), (1, 2, 3, 0), (3, 2, 1, 0)):
        there = [[oracle.relabel(card, suits) for card in part] for part in (hole, flop, dead)]
        assert count_outcomes(there[0][::-1], there[1][::-1], dead=there[2]) == counts


def test_outcomes_of_a_whole_deal_are_the_same_on_another_suit() -> None:
    images = list(holdem_oracle.orbit(cards("7c5c"), cards("9cQc3d")))
    assert len(images) == 12
    first, second = (count_outcomes(sorted(hole), sorted(flop)) for hole, flop in images[::6])
    assert first == second
