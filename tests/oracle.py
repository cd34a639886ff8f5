"""A second, plain road to the same answers: the tests hold the fast code against what stands here.

Nothing in this file comes from the product, and nothing here is clever. Poker hands are compared as tuples, deals are
walked one by one, suit classes are counted with Burnside's lemma. Cards are ints 0..51 = 4 * rank + suit; the ranks
2..A are 0..12 and the suits c d h s are 0..3.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

RANKS = "23456789TJQKA"
SUITS = "cdhs"
ACE, KING, FIVE = 12, 11, 3
DECK = range(52)

CATEGORIES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
    "royal flush",
)

Key = tuple[int, ...]


def cards(text: str) -> tuple[int, ...]:
    """Cards written as rank and suit letter with nothing between them: 'AsKh' -> (51, 46)."""
    return tuple(4 * RANKS.index(text[i]) + SUITS.index(text[i + 1]) for i in range(0, len(text), 2))


# --- one hand ---------------------------------------------------------------------------------------------------------


def hand_key(hand: Iterable[int]) -> Key:
    """Five cards as a tuple that compares like the poker hands do: the category's number, then the tie-breaks."""
    hand = list(hand)
    if len(set(hand)) != 5:
        raise ValueError(f"five different cards, not {hand}")
    ranks = sorted((card // 4 for card in hand), reverse=True)
    is_flush = len({card % 4 for card in hand}) == 1

    if len(set(ranks)) == 5 and ranks[0] - ranks[4] == 4:
        straight_top = ranks[0]
    elif ranks == [ACE, 3, 2, 1, 0]:
        straight_top = FIVE
    else:
        straight_top = None

    if straight_top is not None and is_flush:
        return (9, ACE) if straight_top == ACE else (8, straight_top)

    # Ranks held most often come first, higher before lower among equals: K-K-7-7-A reads K, 7, A.
    how_often = Counter(ranks)
    by_weight = tuple(sorted(how_often, key=lambda rank: (how_often[rank], rank), reverse=True))
    shape = sorted(how_often.values(), reverse=True)
    if shape == [4, 1]:
        return (7, *by_weight)
    if shape == [3, 2]:
        return (6, *by_weight)
    if is_flush:
        return (5, *by_weight)
    if straight_top is not None:
        return (4, straight_top)
    if shape == [3, 1, 1]:
        return (3, *by_weight)
    if shape == [2, 2, 1]:
        return (2, *by_weight)
    if shape == [2, 1, 1, 1]:
        return (1, *by_weight)
    return (0, *by_weight)


def category_name(key: Key) -> str:
    """The name of the category a key from hand_key or best_key belongs to."""
    return CATEGORIES[key[0]]


def best_key(hand: Iterable[int]) -> Key:
    """The key of the best five of five, six or seven cards."""
    return max(hand_key(five) for five in combinations(list(hand), 5))


def qualifies(dealer_key: Key) -> bool:
    """Caribbean Stud: ace-king high, or any pair or better."""
    return dealer_key[0] > 0 or dealer_key[1:3] == (ACE, KING)


# --- all five-card hands ----------------------------------------------------------------------------------------------


def all_five_card_keys() -> Iterator[Key]:
    """The key of every five-card hand, in the order of itertools.combinations(range(52), 5)."""
    seen: dict[tuple[int, int, int, int, int, bool], Key] = {}
    for a, b, c, d, e in combinations(DECK, 5):
        # The key depends on the ranks and on "all one suit" only, so each such pattern is judged once.
        pattern = (a // 4, b // 4, c // 4, d // 4, e // 4, a % 4 == b % 4 == c % 4 == d % 4 == e % 4)
        key = seen.get(pattern)
        if key is None:
            key = seen[pattern] = hand_key((a, b, c, d, e))
        yield key


@cache
def all_hands() -> NDArray[np.uint8]:
    """Every five-card hand as a row, in the order of itertools.combinations(range(52), 5)."""
    return _all_choices(52, 5)


@cache
def _keys_and_strengths() -> tuple[list[Key], NDArray[np.uint16]]:
    keys = list(all_five_card_keys())
    ladder = sorted(set(keys))
    number = {key: i for i, key in enumerate(ladder, start=1)}
    strengths = np.fromiter((number[key] for key in keys), dtype=np.uint16, count=len(keys))
    strengths.setflags(write=False)
    return ladder, strengths


def strengths_of_all_hands() -> NDArray[np.uint16]:
    """For every five-card hand (combinations order) its place among the 7,462 distinct keys; the lowest is 1."""
    return _keys_and_strengths()[1]


def key_ladder() -> list[Key]:
    """The distinct keys, lowest first: the key of strength n stands at n - 1."""
    return _keys_and_strengths()[0]


def hand_index(hand: Iterable[int]) -> int:
    """Where a five-card hand stands in the order of itertools.combinations(range(52), 5).

    The hands that come after a < b < c < d < e either have a higher first card (all five above a), or the same first
    card and a higher second one (four above b), and so on. Count those, and the place from the end is known.
    """
    a, b, c, d, e = sorted(hand)
    after = comb(51 - a, 5) + comb(51 - b, 4) + comb(51 - c, 3) + comb(51 - d, 2) + comb(51 - e, 1)
    return comb(52, 5) - 1 - after


def strength(hand: Iterable[int]) -> int:
    """The strength number 1..7462 of one five-card hand."""
    return int(strengths_of_all_hands()[hand_index(hand)])


# --- one deal of Caribbean Stud ---------------------------------------------------------------------------------------


def _live_cards(hand: Sequence[int], up: int, dead: Iterable[int]) -> list[int]:
    gone = [*hand, up, *dead]
    if len(hand) != 5 or len(set(gone)) != len(gone) or not all(0 <= card < 52 for card in gone):
        raise ValueError(f"five cards, an upcard and dead cards, all different and 0..51, not {gone}")
    return [card for card in DECK if card not in gone]


def count_outcomes_plain(hand: Sequence[int], up: int, dead: Iterable[int] = ()) -> dict[str, int]:
    """count_outcomes without any table: judge each dealer's hand by its key. About a second for a whole deal."""
    mine = hand_key(hand)
    counts = {"not_qualified": 0, "win": 0, "push": 0, "lose": 0}
    for four in combinations(_live_cards(hand, up, dead), 4):
        his = hand_key((up, *four))
        if not qualifies(his):
            counts["not_qualified"] += 1
        elif mine > his:
            counts["win"] += 1
        elif mine == his:
            counts["push"] += 1
        else:
            counts["lose"] += 1
    return counts


@cache
def _all_choices(n: int, k: int) -> NDArray[np.uint8]:
    """Every choice of k of 0..n-1 as a row, in the order of itertools.combinations."""
    flat = (card for choice in combinations(range(n), k) for card in choice)
    rows = np.fromiter(flat, dtype=np.uint8, count=k * comb(n, k)).reshape(-1, k)
    rows.setflags(write=False)
    return rows


@cache
def _comb_tables() -> list[NDArray[np.int64]]:
    """Table i holds, for each card, how many ways the cards above it fill the places i..4 of a sorted hand."""
    return [np.array([comb(51 - card, 5 - place) for card in DECK], dtype=np.int64) for place in range(5)]


@cache
def _lowest_qualifying_strength() -> int:
    """The key ladder rises, and from the first key that qualifies on, all do."""
    good = [qualifies(key) for key in key_ladder()]
    first = good.index(True)
    assert all(good[first:])
    return first + 1


def strengths_of_rows(rows: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """The strength number of each row of five cards, in any order within the row: hand_index, a column at a time."""
    rows = np.sort(rows, axis=1)
    after = sum((table[rows[:, place]] for place, table in enumerate(_comb_tables())), np.zeros(len(rows), np.int64))
    return strengths_of_all_hands()[comb(52, 5) - 1 - after]


def count_outcomes(hand: Sequence[int], up: int, dead: Iterable[int] = ()) -> dict[str, int]:
    """How each four-card completion of the dealer's hand ends for a player who calls.

    The dealer's four cards come from all that is neither in the hand, nor the upcard, nor dead: 163,185 ways with no
    dead cards. The four counts add up to all of them.
    """
    live = np.array(_live_cards(hand, up, dead), dtype=np.uint8)
    four = live[_all_choices(len(live), 4)]
    his = strengths_of_rows(np.column_stack([np.full(len(four), up, dtype=np.uint8), four]))
    mine = strength(hand)
    qualified = his >= _lowest_qualifying_strength()
    return {
        "not_qualified": int(np.count_nonzero(~qualified)),
        "win": int(np.count_nonzero(qualified & (his < mine))),
        "push": int(np.count_nonzero(qualified & (his == mine))),
        "lose": int(np.count_nonzero(qualified & (his > mine))),
    }


def settle(pays: Mapping[str, Any], player: Iterable[int], dealer: Iterable[int], action: str) -> Any:
    """Net result, in antes, of a finished Caribbean Stud round. `pays` gives each category's pay, to one."""
    mine, his = hand_key(player), hand_key(dealer)
    if action == "fold":
        return -1
    if action != "call":
        raise ValueError(f"fold or call, not {action!r}")
    if not qualifies(his):
        return 1
    if mine > his:
        return 1 + 2 * pays[category_name(mine)]
    if mine == his:
        return 0
    return -3


def call_value(pays: Mapping[str, Any], hand: Sequence[int], up: int, dead: Iterable[int] = ()) -> Fraction:
    """The mean net result of a call, in antes."""
    counts = count_outcomes(hand, up, dead)
    win = 1 + 2 * Fraction(pays[category_name(hand_key(hand))])
    return (counts["not_qualified"] + win * counts["win"] - 3 * counts["lose"]) / Fraction(sum(counts.values()))


# --- suit relabelings -------------------------------------------------------------------------------------------------


def relabel(card: int, suits: Sequence[int]) -> int:
    """The card after each suit s has become suits[s]."""
    return 4 * (card // 4) + suits[card % 4]


def orbit(hand: Iterable[int], up: int) -> set[tuple[frozenset[int], int]]:
    """All deals that differ from this one by the names of the suits only, itself among them."""
    hand = list(hand)
    return {(frozenset(relabel(card, suits) for card in hand), relabel(up, suits)) for suits in permutations(range(4))}


def _fixed_deals(suits: Sequence[int], parts: Sequence[int], ranks: int) -> int:
    """How many deals of disjoint card sets of the given sizes a suit permutation leaves as they are.

    A set stays the same exactly if it is made of whole cycles of cards. So go through the cycles: each lies in one of
    the sets or in none; `ways` counts the choices by how full the sets have become.
    """
    todo = set(range(4 * ranks))
    ways: Counter[tuple[int, ...]] = Counter({tuple(0 for _ in parts): 1})
    while todo:
        start = card = todo.pop()
        length = 1
        while (card := relabel(card, suits)) != start:
            todo.remove(card)
            length += 1
        more = Counter(ways)
        for filled, count in ways.items():
            for i, size in enumerate(parts):
                if filled[i] + length <= size:
                    more[(*filled[:i], filled[i] + length, *filled[i + 1 :])] += count
        ways = more
    return ways[tuple(parts)]


def canonical_classes_by_burnside(parts: Sequence[int] = (5,), ranks: int = 13) -> int:
    """How many deals are different when the suits' names don't count: the mean number of deals a permutation fixes.

    `parts` are the sizes of the sets dealt, say (5, 1) for a hand and an upcard. `ranks` makes smaller decks for tests.
    """
    total = sum(_fixed_deals(suits, parts, ranks) for suits in permutations(range(4)))
    assert total % 24 == 0
    return total // 24


def classes_of_all_hands() -> NDArray[np.uint64]:
    """For every five-card hand (combinations order) a number that two hands share exactly if they are of one class.

    Each suit holds a set of ranks, written as 13 bits. With the suits' names gone, what is left of a hand is its four
    sets in no order, so sort them and write them one after the other.
    """
    hands = all_hands()
    sets = np.zeros((len(hands), 4), dtype=np.uint64)
    row = np.arange(len(hands))
    for place in range(5):
        sets[row, hands[:, place] % 4] |= np.uint64(1) << (hands[:, place] // 4).astype(np.uint64)
    sets.sort(axis=1)
    weights = np.array([1 << 39, 1 << 26, 1 << 13, 1], dtype=np.uint64)
    classes: NDArray[np.uint64] = (sets * weights).sum(axis=1, dtype=np.uint64)
    return classes
