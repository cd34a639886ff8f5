"""One card given up for another, in every deal: what each of the five cards is worth giving up, exactly.

How it is counted. Once a card is drawn, six cards stand beside the upcard: the new hand and the one given up. Their
ranks alone say in how many ways the dealer's four cards can have what ranks. With these in order of strength, running
sums hold for each six how many of his hands are below a given strength, as if there were no flushes. He can only make a
flush in the upcard's suit, with four of the ranks that are free in it, of at most 495 sets: those are taken out where
their ranks stood and put in again as flushes, by running sums for each set of free ranks. A flush of the player takes
four kept cards of one suit; these draws are valued on their own. The new hand is folded or called, whichever is worth
more; folded where both are.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pycs.cards import RANKS
from pycs.core import STRENGTHS, STUD, rank_hands
from pycs.ranking import CATEGORIES_UP, categories, qualifying_strength

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pycs.stud_rules import CaribbeanStudRules

__all__ = [
    "COMPLETIONS",
    "DRAWS",
    "OUTCOMES",
    "PAIRS",
    "STAY",
    "Dealer",
    "Deals",
    "best_single_cards",
    "category_numbers",
]

DRAWS: Final = 46
COMPLETIONS: Final = comb(45, 4)
"""The hands that the dealer can have once a card was drawn."""
PAIRS: Final = DRAWS * COMPLETIONS
"""Pairs of a drawn card and a dealer's hand: what each value of a deal is counted over."""
STAY: Final = PAIRS // STUD.completions
"""How many pairs stand for one of the 163,185 completions where no card is exchanged."""

OUTCOMES: Final = ("fold", "not_qualified", "win", "push", "lose")
ALL_RANKS: Final = (1 << len(RANKS)) - 1
KEYS: Final = 7 ** np.arange(len(RANKS), dtype=np.int64)
"""What a card of each rank adds to the key of some cards."""

Ints: TypeAlias = NDArray[np.int64]


# --- ranks --------------------------------------------------------------------------------------------------------


def multisets(size: int) -> NDArray[np.uint8]:
    """The ranks of so many cards, no more than four of a kind; each row from high to low."""
    rows = combinations_with_replacement(range(len(RANKS) - 1, -1, -1), size)
    return np.array([row for row in rows if max(map(row.count, row)) <= 4], np.uint8)


def keys_of(rows: NDArray[np.uint8]) -> Ints:
    """A number for the ranks of each row, the same in any order: no two of six cards or fewer have one key."""
    keys: Ints = KEYS[rows].sum(axis=1)
    return keys


class Ranks(NamedTuple):
    """The ranks of five cards, and of six. Where a rank cannot be drawn, `made` and `six` hold no matter what."""

    hands: NDArray[np.uint8]
    """The ranks of each hand, from high to low."""
    keys: Ints
    """In rising order."""
    plain: Ints
    """The strength of each hand as if there were no flushes."""
    flush: Ints
    """The strength of each hand in one suit; 0 with a pair."""
    made: Ints
    """By hand, the place of the card given up, and the rank drawn: the hand made."""
    sixes: NDArray[np.uint8]
    """How many there are of each rank."""
    six: Ints
    """By hand and the rank drawn: the six cards."""

    def find(self, keys: Ints) -> Ints:
        """The number of the hand with each key; any other number where there is none."""
        return np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)


@cache
def ranks() -> Ranks:
    """All ranks of five cards and of six."""
    hands, sixes = multisets(5), multisets(6)
    hands, sixes = hands[np.argsort(keys_of(hands))], sixes[np.argsort(keys_of(sixes))]
    keys, keys_of_six = keys_of(hands), keys_of(sixes)
    # Cards of equal rank stand together, so that suits in turn are all different; and no five are of one suit.
    plain = rank_hands(4 * hands + np.arange(5, dtype=np.uint8) % 4)
    unpaired = (hands[:, :-1] != hands[:, 1:]).all(axis=1)
    flush = np.zeros(len(hands), np.int64)
    flush[unpaired] = rank_hands(4 * hands[unpaired])
    made = keys[:, None, None] - KEYS[hands][:, :, None] + KEYS
    found = Ranks(
        hands=hands,
        keys=keys,
        plain=plain.astype(np.int64),
        flush=flush,
        made=made,
        sixes=(sixes[:, :, None] == np.arange(len(RANKS), dtype=np.uint8)).sum(axis=1, dtype=np.uint8),
        six=np.minimum(np.searchsorted(keys_of_six, keys[:, None] + KEYS), len(sixes) - 1),
    )
    return found._replace(made=found.find(made))


@cache
def category_numbers() -> Ints:
    """The category of each strength."""
    return categories(np.arange(STRENGTHS + 1)).astype(np.int64)


# --- the dealer ---------------------------------------------------------------------------------------------------


class Sorted:
    """Hands of the dealer in order of strength, with running sums of something that is counted by column."""

    def __init__(self, strengths: Ints, sums: NDArray[Any]) -> None:
        """Each row of `sums` is of one hand more than the row before; the first is of none."""
        self.sums = sums
        self.rows = np.searchsorted(strengths, np.arange(STRENGTHS + 2))

    def below(self, strength: Any, column: Ints) -> NDArray[Any]:
        """The sum over the hands below a strength."""
        sums: NDArray[Any] = self.sums[self.rows[strength], column]
        return sums


class Counts(NamedTuple):
    """How many of the dealer's hands end each way after a call."""

    not_qualified: Ints
    win: Ints
    push: Ints
    lose: Ints


class Dealer:
    """The dealer's hands with an upcard of one rank."""

    def __init__(self, up: int, rules: CaribbeanStudRules) -> None:
        """`up` is the rank, 0 to 12."""
        self.up, self.rules = up, rules
        self.qualify = qualifying_strength(rules.dealer.qualifies)
        self.by_ranks = self._by_ranks()
        sets = np.array(list(combinations([rank for rank in range(len(RANKS)) if rank != up], 4)), np.uint8)
        masks = (1 << sets.astype(np.int64)).sum(axis=1)
        hands = ranks().find(keys_of(sets) + KEYS[up])
        self.flush_ranks = self._within(masks, ranks().plain[hands])
        self.flushes = self._within(masks, ranks().flush[hands])

    def settle(self, strength: Ints, six: Ints, free: Ints) -> Counts:
        """The counts for a hand of this strength; `six` are the ranks known beside the upcard.

        `free` are the ranks that are left in the upcard's suit, one bit each.
        """
        not_qualified = self._below(self.qualify, six, free)
        below = np.maximum(self._below(strength, six, free), not_qualified)
        up_to = np.maximum(self._below(strength + 1, six, free), not_qualified)
        failed = np.broadcast_to(not_qualified, below.shape)
        return Counts(failed, below - not_qualified, up_to - below, COMPLETIONS - up_to)

    def _below(self, strength: Any, six: Ints, free: Ints) -> Ints:
        """How many of the dealer's hands are below a strength."""
        by_ranks: Ints = self.by_ranks.below(strength, six).astype(np.int64)
        by_ranks -= self.flush_ranks.below(strength, free)
        by_ranks += self.flushes.below(strength, free)
        return by_ranks

    def _by_ranks(self) -> Sorted:
        """All ranks of four cards with the upcard as if no flushes; the sums are the ways to have them, by `six`."""
        fours = multisets(4)
        fours = fours[(fours == self.up).sum(axis=1) < 4]
        strengths = ranks().plain[ranks().find(keys_of(fours) + KEYS[self.up])]
        order = np.argsort(strengths, kind="stable")
        taken = ranks().sixes.T.astype(np.int64)
        left = 4 - taken
        left[self.up] -= 1
        # No one can hold a fifth card of a rank: that never comes up.
        choose = np.array([[comb(n, k) for n in range(5)] for k in range(5)], np.int32)[:, np.maximum(left, 0)]
        sums = np.zeros((len(fours) + 1, taken.shape[1]), np.int32)
        for place, four in enumerate(fours[order].tolist()):
            first, *others = sorted(set(four))
            ways = choose[four.count(first), first]
            for rank in others:
                ways = ways * choose[four.count(rank), rank]
            np.add(sums[place], ways, out=sums[place + 1])
        return Sorted(strengths[order], sums)

    @staticmethod
    def _within(masks: Ints, strengths: Ints) -> Sorted:
        """Sets of ranks in order of strength; the sums are how many lie within each set of free ranks."""
        order = np.argsort(strengths, kind="stable")
        inside = (masks[order, None] & ~np.arange(ALL_RANKS + 1)) == 0
        sums = np.zeros((len(masks) + 1, ALL_RANKS + 1), np.int16)
        np.cumsum(inside, axis=0, dtype=np.int16, out=sums[1:])
        return Sorted(strengths[order], sums)


# --- the player ---------------------------------------------------------------------------------------------------


class Draws(NamedTuple):
    """Cards drawn to some hands, each `times` over, and what is then known; the arrays fit each other's shapes."""

    strength: Ints
    six: Ints
    free: Ints
    times: Ints

    def play(self, dealer: Dealer) -> tuple[Counts, Ints]:
        """The counts of a call with each new hand, and its net result, over all hands of the dealer, without a fee."""
        counts = dealer.settle(self.strength, self.six, self.free)
        _, failed, push, lose, *wins = dealer.rules.exchange_nets
        won = np.array(wins, np.int64)[category_numbers()[self.strength]]
        return counts, counts.not_qualified * failed + counts.win * won + counts.push * push + counts.lose * lose

    def values(self, dealer: Dealer) -> Ints:
        """What each new hand is worth, folded or called, and whether it is called, as many times as it comes.

        Shape (2, ...): the totals over all hands of the dealer, and how many pairs are called.
        """
        _, call = self.play(dealer)
        fold = dealer.rules.net_fold * COMPLETIONS
        return np.array([self.times * np.maximum(call, fold), self.times * COMPLETIONS * (call > fold)])

    def outcomes(self, dealer: Dealer, weights: Ints, *, may_fold: bool) -> Ints:
        """Pairs by the new hand's category and outcome, for so many deals of each; `may_fold` or only call."""
        counts, call = self.play(dealer)
        times = self.times * weights
        called = (call > dealer.rules.net_fold * COMPLETIONS) | (not may_fold)
        folded = np.where(called, 0, times * COMPLETIONS)
        category = category_numbers()[np.broadcast_to(self.strength, times.shape)]
        ends = np.zeros((len(CATEGORIES_UP), len(OUTCOMES)), np.int64)
        for end, pairs in enumerate((folded, *(np.where(called, times * count, 0) for count in counts))):
            np.add.at(ends[:, end], category, pairs)
        return ends


class Deals:
    """Deals with an upcard of one rank: what they are worth, and how they end.

    `deals` has shape (n, 6). Deals of the same ranks, with the same ranks in the upcard's suit, are one `row`: for
    them an exchange is worth the same, but for flushes of the player.
    """

    def __init__(self, deals: NDArray[np.uint8], dealer: Dealer) -> None:
        """ValueError for a hand that does not go from high to low, and an upcard that is not the dealer's."""
        self.dealer, self.deals = dealer, deals
        self.suits = (deals % 4).astype(np.int64)
        by_ranks = deals // 4
        if (by_ranks[:, :4] < by_ranks[:, 1:5]).any() or (by_ranks[:, 5] != dealer.up).any():
            raise ValueError("hands from high to low are needed, and one rank of upcard")
        self.bits = 1 << by_ranks.astype(np.int64)
        self.hand = ranks().find(keys_of(by_ranks[:, :5]))
        suited = self._bits_of(self.suits[:, 5])
        rows, self.row = np.unique((self.hand << len(RANKS)) + suited, return_inverse=True)
        self.row_hand, self.row_suited = rows >> len(RANKS), rows & ALL_RANKS

    @property
    def exchanges(self) -> Ints:
        """The total of each deal and place of the card given up, over all pairs, without the fee."""
        totals: Ints = self._played[0]
        return totals

    @property
    def called(self) -> Ints:
        """Of each deal and place of the card given up, how many pairs are of a new hand that is called."""
        called: Ints = self._played[1]
        return called

    @cached_property
    def _played(self) -> Ints:
        both = np.zeros((2, len(self.row_hand), 5), np.int64)
        for draws in self._draws(self.row_hand, self.row_suited):
            both += draws.values(self.dealer)
        played = both[:, self.row]
        for deal, place, plain, flush in self._flushes:
            more = flush.values(self.dealer) - plain.values(self.dealer)
            for sums, added in zip(played, more, strict=True):
                np.add.at(sums, (deal, place), added)
        return played

    def outcomes(self, weights: Ints, *, may_fold: bool = True) -> Ints:
        """Pairs by the new hand's category and outcome when so many of each deal give up the card of each place."""
        by_row = np.zeros((len(self.row_hand), 5), np.int64)
        np.add.at(by_row, self.row, weights)
        used = by_row.any(axis=1)
        ends = np.zeros((len(CATEGORIES_UP), len(OUTCOMES)), np.int64)
        for draws in self._draws(self.row_hand[used], self.row_suited[used]):
            ends += draws.outcomes(self.dealer, by_row[used], may_fold=may_fold)
        for deal, place, plain, flush in self._flushes:
            ends += flush.outcomes(self.dealer, weights[deal, place], may_fold=may_fold)
            ends -= plain.outcomes(self.dealer, weights[deal, place], may_fold=may_fold)
        return ends

    def _bits_of(self, suit: Ints) -> Ints:
        """The ranks that each hand holds in a suit."""
        bits: Ints = np.where(self.suits[:, :5] == suit[:, None], self.bits[:, :5], 0).sum(axis=1)
        return bits

    def _draws(self, hand: Ints, suited: Ints) -> Iterator[Draws]:
        """All draws to each row and place, as if they made no flush: by rank, in the upcard's suit and in others."""
        free = ALL_RANKS & ~suited & ~(1 << self.dealer.up)
        held = np.zeros((len(ranks().hands), len(RANKS)), np.int64)
        np.add.at(held, (np.arange(len(held))[:, None], ranks().hands), 1)
        for rank in range(len(RANKS)):
            bit = 1 << rank
            strength = ranks().plain[ranks().made[hand, :, rank]]
            six, is_free, has_suited = ranks().six[hand, rank], (free & bit) != 0, (suited & bit) != 0
            yield Draws(strength, six[:, None], (free & ~bit)[:, None], is_free.astype(np.int64)[:, None])
            yield Draws(strength, six[:, None], free[:, None], (3 - held[hand, rank] + has_suited)[:, None])

    @cached_property
    def _flushes(self) -> list[tuple[Ints, Ints, Draws, Draws]]:
        """The draws that make a flush: by the place of the card given up the deals, and both without and with it."""
        up_suit = self.suits[:, 5]
        suited = self._bits_of(up_suit)
        flushes = []
        for place in range(5):
            kept = np.delete(self.suits[:, :5], place, axis=1)
            four = np.flatnonzero((kept == kept[:, :1]).all(axis=1))
            suit = kept[four, 0]
            in_up_suit = suit == up_suit[four]
            taken = self._bits_of(kept[:, 0])[four] | np.where(in_up_suit, self.bits[four, 5], 0)
            which, rank = np.nonzero((taken[:, None] >> np.arange(len(RANKS)) & 1) == 0)
            deal = four[which]
            gone = suited[deal] | self.bits[deal, 5] | np.where(in_up_suit[which], 1 << rank, 0)
            hand, made = self.hand[deal], ranks().made[self.hand[deal], place, rank]
            plain = Draws(ranks().plain[made], ranks().six[hand, rank], ALL_RANKS & ~gone, np.ones_like(deal))
            flushes.append((deal, np.full_like(deal, place), plain, plain._replace(strength=ranks().flush[made])))
        return flushes


def best_single_cards(
    rules: CaribbeanStudRules, progress: Callable[[], object] | None = None
) -> tuple[Ints, Ints, Ints]:
    """The best single card to give up in every canonical deal, in the order of their indices.

    The totals of net results over `PAIRS`, without a fee; how many of the pairs are called; and the place of the card,
    0 for the highest of the hand. About a minute and half a GiB; `progress` is called after each of the thirteen ranks
    of upcards.
    """
    deals, _ = STUD.canonical_deals(np.arange(STUD.deals))
    totals, called, places = (np.empty(len(deals), np.int64) for _ in range(3))
    for up in range(len(RANKS)):
        of_up = np.flatnonzero(deals[:, 5] // 4 == up)
        valued = Deals(deals[of_up], Dealer(up, rules))
        place = valued.exchanges.argmax(axis=1)
        rows = np.arange(len(place))
        totals[of_up], called[of_up], places[of_up] = valued.exchanges[rows, place], valued.called[rows, place], place
        if progress is not None:
            progress()
    return totals, called, places
