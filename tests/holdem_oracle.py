"""A second, plain road to the numbers of Casino Hold'em: the tests hold the fast code against what stands here.

Like oracle.py, on which it stands: nothing comes from the product and nothing is clever. `hole` are a side's two
cards, `flop` the three board cards before the decision, `board` all five. Pays are to one, by line. `lowest` says which
hands of the dealer qualify: one of the names in QUALIFYING, or the lowest good key itself.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from typing import Any

import numpy as np
import oracle
from numpy.typing import NDArray
from oracle import ACE, Key, best_key, category_name, hand_key

# The lines of the ante table, by the player's final hand.
LINES = ("royal flush", "straight flush", "four of a kind", "full house", "flush", "straight or less")
# The lines of the AA Bonus, by the first five cards.
BONUS_LINES = ("royal flush", "straight flush", "four of a kind", "full house", "flush", "aces to straight")
# A key is never below its own beginning: (1, 2) is a pair of fours with whatever kickers, () is anything at all.
QUALIFYING: dict[str, Key] = {"pair of fours": (1, 2), "any": ()}

Counts = dict[str, Any]


def lowest_key(lowest: str | Key) -> Key:
    """The key from which on the dealer qualifies."""
    return QUALIFYING[lowest] if isinstance(lowest, str) else lowest


def ante_line(key: Key) -> str:
    """The line of the ante table that a player's final hand is paid by."""
    name = category_name(key)
    return name if name in LINES else "straight or less"


def outcome(mine: Key, his: Key, lowest: str | Key = "pair of fours") -> str:
    """How a called round ends, from the two final hands."""
    if his < lowest_key(lowest):
        return "not_qualified"
    if mine > his:
        return "win"
    return "push" if mine == his else "lose"


# --- one deal ---------------------------------------------------------------------------------------------------------


def _live_cards(hole: Sequence[int], flop: Sequence[int], dead: Iterable[int]) -> list[int]:
    gone = [*hole, *flop, *dead]
    if (len(hole), len(flop)) != (2, 3) or len(set(gone)) != len(gone) or not all(0 <= card < 52 for card in gone):
        raise ValueError(f"two hole cards, a flop of three and dead cards, all different and 0..51, not {gone}")
    return [card for card in oracle.DECK if card not in gone]


def _no_counts() -> Counts:
    return {"not_qualified": dict.fromkeys(LINES, 0), "win": dict.fromkeys(LINES, 0), "push": 0, "lose": 0}


def count_outcomes_plain(
    hole: Sequence[int], flop: Sequence[int], lowest: str | Key = "pair of fours", dead: Iterable[int] = ()
) -> Counts:
    """count_outcomes without any table: judge both hands of each completion by their keys.

    Some minutes for a whole deal; a second if the dead cards leave fourteen.
    """
    counts = _no_counts()
    live = _live_cards(hole, flop, dead)
    for turn_and_river in combinations(live, 2):
        board = (*flop, *turn_and_river)
        mine = best_key((*hole, *board))
        for dealer_hole in combinations([card for card in live if card not in turn_and_river], 2):
            end = outcome(mine, best_key((*dealer_hole, *board)), lowest)
            if end in ("not_qualified", "win"):
                counts[end][ante_line(mine)] += 1
            else:
                counts[end] += 1
    return counts


def best_strengths(rows: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """The strength number of the best five cards of each row, say of seven."""
    best = np.zeros(len(rows), dtype=np.uint16)
    for five in combinations(range(rows.shape[1]), 5):
        best = np.maximum(best, oracle.strengths_of_rows(rows[:, five]))
    return best


def _with_same(same: Sequence[int], rows: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The rows with the same cards put before each."""
    before = np.tile(np.array(same, dtype=np.uint8), (len(rows), 1))
    return np.column_stack([before, rows])


@cache
def _lines_of_strengths() -> NDArray[np.int64]:
    """At each strength number, which of LINES it is; the place 0 stands for no hand."""
    return np.array([-1, *(LINES.index(ante_line(key)) for key in oracle.key_ladder())])


def _by_line(mine: NDArray[np.uint16]) -> dict[str, int]:
    how_many = np.bincount(_lines_of_strengths()[mine], minlength=len(LINES))
    return dict(zip(LINES, how_many.tolist(), strict=True))


def count_outcomes(
    hole: Sequence[int], flop: Sequence[int], lowest: str | Key = "pair of fours", dead: Iterable[int] = ()
) -> Counts:
    """How each completion (turn and river, then the dealer's two cards) ends for a player who calls.

    With no dead cards there are C(47, 2) * C(45, 2) = 1,070,190 of them. The dealer's seven cards are the flop and four
    more; any two of the four may be the turn and river, so each four stands for six completions. The player's final
    hand depends on the turn and river only.
    """
    live = np.array(_live_cards(hole, flop, dead), dtype=np.uint8)
    two, four = oracle._all_choices(len(live), 2), oracle._all_choices(len(live), 4)
    mine_by_board = np.zeros((len(live), len(live)), dtype=np.uint16)
    mine_by_board[two[:, 0], two[:, 1]] = best_strengths(_with_same([*hole, *flop], live[two]))
    his = best_strengths(_with_same(flop, live[four]))
    qualified = his > bisect_left(oracle.key_ladder(), lowest_key(lowest))

    counts = _no_counts()
    for turn, river in combinations(range(4), 2):
        mine = mine_by_board[four[:, turn], four[:, river]]
        for end, where in (("not_qualified", ~qualified), ("win", qualified & (mine > his))):
            for line, count in _by_line(mine[where]).items():
                counts[end][line] += count
        counts["push"] += int(np.count_nonzero(qualified & (mine == his)))
        counts["lose"] += int(np.count_nonzero(qualified & (mine < his)))
    return counts


def total(counts: Counts) -> int:
    """How many completions were counted."""
    return int(sum(counts["not_qualified"].values()) + sum(counts["win"].values()) + counts["push"] + counts["lose"])


# --- money ------------------------------------------------------------------------------------------------------------


def settle(
    pays: Mapping[str, Any],
    hole: Sequence[int],
    dealer_hole: Sequence[int],
    board: Sequence[int],
    action: str,
    call: Any = 2,
    lowest: str | Key = "pair of fours",
    even_if_not_qualified: bool = False,
) -> Any:
    """Net result, in antes, of a finished round, the bonus bet left aside.

    `even_if_not_qualified` is the variant in which the ante pays 1 to 1 when the dealer fails.
    """
    mine, his = best_key((*hole, *board)), best_key((*dealer_hole, *board))
    if action == "fold":
        return -1
    if action != "call":
        raise ValueError(f"fold or call, not {action!r}")
    end = outcome(mine, his, lowest)
    if end == "not_qualified":
        return 1 if even_if_not_qualified else pays[ante_line(mine)]
    if end == "win":
        return pays[ante_line(mine)] + call
    if end == "push":
        return 0
    return -(1 + call)


def value_of_counts(
    pays: Mapping[str, Any], counts: Counts, call: Any = 2, even_if_not_qualified: bool = False
) -> Fraction:
    """The mean net result of a call, in antes, if the completions end as counted."""
    won = Fraction(0)
    for line in LINES:
        won += counts["not_qualified"][line] * (Fraction(1) if even_if_not_qualified else Fraction(pays[line]))
        won += counts["win"][line] * (Fraction(pays[line]) + Fraction(call))
    won -= counts["lose"] * (1 + Fraction(call))
    return Fraction(won, total(counts))


def call_value(
    pays: Mapping[str, Any],
    hole: Sequence[int],
    flop: Sequence[int],
    call: Any = 2,
    lowest: str | Key = "pair of fours",
    even_if_not_qualified: bool = False,
    dead: Iterable[int] = (),
) -> Fraction:
    """The mean net result of a call, in antes."""
    return value_of_counts(pays, count_outcomes(hole, flop, lowest, dead), call, even_if_not_qualified)


# --- the AA Bonus -----------------------------------------------------------------------------------------------------


def bonus_line_of_key(key: Key) -> str | None:
    """The line of the bonus table for five cards of this key, None below a pair of aces."""
    name = category_name(key)
    if name in BONUS_LINES:
        return name
    return "aces to straight" if key >= (1, ACE) else None


def bonus_line(hole: Sequence[int], flop: Sequence[int]) -> str | None:
    """The line of the bonus table the first five cards make, None below a pair of aces."""
    return bonus_line_of_key(hand_key((*hole, *flop)))


def bonus_frequencies() -> dict[str | None, int]:
    """How many of the 2,598,960 five-card hands make each line of the bonus table; None stands for no line."""
    frequencies: dict[str | None, int] = dict.fromkeys((*BONUS_LINES, None), 0)
    how_many = np.bincount(oracle.strengths_of_all_hands())
    for number, key in enumerate(oracle.key_ladder(), start=1):
        frequencies[bonus_line_of_key(key)] += int(how_many[number])
    return frequencies


def settle_bonus(pays: Mapping[str, Any], line: str | None, action: str, requires_call: bool = True) -> Any:
    """Net result of a bonus bet of one. With `requires_call` a fold loses it whatever the first five cards are."""
    if action not in ("fold", "call"):
        raise ValueError(f"fold or call, not {action!r}")
    if line is None or (action == "fold" and requires_call):
        return -1
    return pays[line]


def values_with_bonus(
    call_value: Fraction, line: str | None, pays: Mapping[str, Any], bonus: Any = 1, requires_call: bool = True
) -> dict[str, Fraction]:
    """What fold and call are worth, in antes, with a bonus bet of `bonus` antes; `pays` is the bonus table."""
    alone = {"fold": Fraction(-1), "call": Fraction(call_value)}
    return {
        action: value + Fraction(bonus) * Fraction(settle_bonus(pays, line, action, requires_call))
        for action, value in alone.items()
    }


# --- suit relabelings -------------------------------------------------------------------------------------------------


def orbit(hole: Iterable[int], flop: Iterable[int]) -> set[tuple[frozenset[int], frozenset[int]]]:
    """All deals that differ from this one by the names of the suits only, itself among them."""
    hole, flop = list(hole), list(flop)
    return {
        (frozenset(oracle.relabel(c, suits) for c in hole), frozenset(oracle.relabel(c, suits) for c in flop))
        for suits in permutations(range(4))
    }
