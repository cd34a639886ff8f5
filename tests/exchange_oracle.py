"""A second, independent road to Caribbean Stud with exchanges, written from the rules alone.

Nothing here is imported from the package. Cards are ints ``4 * rank + suit`` (ranks 2..A are 0..12, suits c d h s are
0..3), values are exact (``Fraction``), amounts are in antes. The game: ``us`` pays, the dealer qualifies with ace-king,
a call costs 2.

Two roads, neither of which knows the other:

* the brute force (``call_counts``, ``value_of_state``, ``best_cards_to_give_up``, ``blind_value``) deals out every
  draw and every completion of the dealer's hand and compares hands as tuples ``(category, ranks)``: for few live cards;
* the NumPy road (the names ending in ``_full``) answers full decks. It sorts the completions of the dealer's hand by
  strength, keeps running counts of how many of the completions so far contain each small set of live cards, and so
  counts, by inclusion and exclusion over the subsets of a draw, the completions that share no card with that draw.

No decision is written down anywhere: after an exchange every hand, also one below ace-king, is valued both ways.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import chain, combinations, combinations_with_replacement
from math import comb, lcm

import numpy as np
import numpy.typing as npt

Rank = tuple[int, ...]
Counts = tuple[int, int, int, int]
Fees = Mapping[int, int | Fraction]
Ints = npt.NDArray[np.int64]

RANKS = "23456789TJQKA"
SUITS = "cdhs"
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
PAYS = (1, 1, 2, 3, 4, 5, 7, 20, 50, 100)
LOWEST_QUALIFIER: Rank = (0, 12, 11)  # ace-king high: the lowest hand that counts is A-K-4-3-2


# Cards and hands


def parse_cards(text: str) -> tuple[int, ...]:
    """The cards of a text such as ``AsTh2c``."""
    return tuple(4 * RANKS.index(text[i]) + SUITS.index(text[i + 1]) for i in range(0, len(text), 2))


def format_cards(cards: Iterable[int]) -> str:
    """The text of some cards, such as ``AsTh2c``."""
    return "".join(RANKS[card // 4] + SUITS[card % 4] for card in cards)


def live_cards(*known: Iterable[int]) -> tuple[int, ...]:
    """All cards of the deck but the known ones, ascending; a card known twice is an error."""
    cards = [card for group in known for card in group]
    if len(set(cards)) != len(cards) or not all(0 <= card < 52 for card in cards):
        raise ValueError(f"not different cards of one deck: {cards}")
    return tuple(card for card in range(52) if card not in cards)


@lru_cache(maxsize=1 << 20)
def rank_hand(cards: tuple[int, ...]) -> Rank:
    """A five-card hand as ``(category, tie-break ranks...)``: the greater tuple is the better hand."""
    ranks = [card // 4 for card in cards]
    distinct = sorted(set(ranks), key=lambda rank: (ranks.count(rank), rank), reverse=True)
    shape = [ranks.count(rank) for rank in distinct]
    flush = len({card % 4 for card in cards}) == 1
    top = -1
    if len(distinct) == 5:
        if distinct == [12, 3, 2, 1, 0]:
            top = 3
        elif distinct[0] - distinct[4] == 4:
            top = distinct[0]
    if top >= 0:
        if flush:
            return (9, top) if top == 12 else (8, top)
        return (4, top)
    if flush:
        return (5, *distinct)
    category = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1, (1, 1, 1, 1, 1): 0}[tuple(shape)]
    return (category, *distinct)


def qualifies(rank: Rank) -> bool:
    """Whether a dealer's hand is ace-king high or better."""
    return rank >= LOWEST_QUALIFIER


def call_units(counts: Counts, category: int) -> int:
    """The sum of the net results of a call over the counted completions."""
    not_qualified, win, _, lose = counts
    return not_qualified + win * (1 + 2 * PAYS[category]) - 3 * lose


def best_actions(values: Mapping[str, Fraction]) -> list[str]:
    """All actions that share the greatest value."""
    return [action for action, value in values.items() if value == max(values.values())]


# Brute force


def _deals(live: tuple[int, ...], size: int) -> Iterable[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Every set of ``size`` of the cards with the cards left after it.

    In lexicographic order the complements of the sets come in exactly the reverse lexicographic order.
    """
    rests = list(combinations(live, len(live) - size))
    return zip(combinations(live, size), reversed(rests), strict=True)


def _count(rank: Rank, dealer_seen: tuple[int, ...], live: tuple[int, ...]) -> Counts:
    not_qualified = win = push = lose = 0
    for rest in combinations(live, 5 - len(dealer_seen)):
        dealer = rank_hand(dealer_seen + rest)
        if dealer < LOWEST_QUALIFIER:
            not_qualified += 1
        elif rank > dealer:
            win += 1
        elif rank == dealer:
            push += 1
        else:
            lose += 1
    return not_qualified, win, push, lose


def call_counts(hand: Sequence[int], dealer_seen: Sequence[int], dead: Iterable[int] = ()) -> Counts:
    """(not qualified, win, push, lose) over all completions of the dealer's hand; the last three if he qualifies."""
    return _count(rank_hand(tuple(hand)), tuple(dealer_seen), live_cards(hand, dealer_seen, dead))


class _Tree:
    """The tree of all that can follow, for one view of the dealer's hand and one list of fees.

    Values are integers over the common denominator ``scale(number of live cards, exchanges left)``.
    """

    def __init__(self, dealer_seen: Sequence[int], fees: Fees) -> None:
        self.dealer_seen = tuple(dealer_seen)
        self.unseen = 5 - len(self.dealer_seen)
        self.fees = dict(fees)
        self._sizes: dict[int, list[int]] = {}
        self._scales: dict[tuple[int, int], int] = {}
        self._calls: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
        self._exchanges: dict[tuple[tuple[int, ...], tuple[int, ...], int], int] = {}

    def sizes(self, live: int) -> list[int]:
        """The sizes of an exchange after which enough cards are left for the dealer's hand."""
        if live not in self._sizes:
            self._sizes[live] = [size for size in sorted(self.fees) if live - size >= self.unseen]
        return self._sizes[live]

    def scale(self, live: int, left: int) -> int:
        """A common denominator of all values with this many live cards and exchanges left."""
        if (live, left) not in self._scales:
            parts = [comb(live, self.unseen)]
            if left:
                parts += [comb(live, size) * self.scale(live - size, left - 1) for size in self.sizes(live)]
                parts += [Fraction(fee).denominator for fee in self.fees.values()]
            self._scales[live, left] = lcm(*parts)
        return self._scales[live, left]

    def call(self, hand: tuple[int, ...], live: tuple[int, ...], left: int) -> int:
        """The value of a call."""
        key = (hand, live if self.unseen else ())
        if key not in self._calls:
            rank = rank_hand(hand)
            self._calls[key] = call_units(_count(rank, self.dealer_seen, live), rank[0])
        return self._calls[key] * (self.scale(len(live), left) // comb(len(live), self.unseen))

    def exchange(self, kept: tuple[int, ...], live: tuple[int, ...], left: int) -> int:
        """The value of giving up all but the kept cards: less the fee, plus the mean of what the new hand is worth."""
        key = (kept, live, left)
        if key not in self._exchanges:
            size = 5 - len(kept)
            scale = self.scale(len(live), left)
            total = sum(self.best(kept + draw, rest, left - 1) for draw, rest in _deals(live, size))
            total *= scale // (comb(len(live), size) * self.scale(len(live) - size, left - 1))
            self._exchanges[key] = total - int(self.fees[size] * scale)
        return self._exchanges[key]

    def exchanges(self, hand: tuple[int, ...], live: tuple[int, ...], left: int) -> dict[tuple[int, ...], int]:
        """The value of every allowed exchange, by the cards given up."""
        if not left:
            return {}
        return {
            given: self.exchange(kept, live, left)
            for size in self.sizes(len(live))
            for given, kept in _deals(hand, size)
        }

    def best(self, hand: tuple[int, ...], live: tuple[int, ...], left: int) -> int:
        """The value of the best action."""
        value = max(-self.scale(len(live), left), self.call(hand, live, left))
        if left:
            for size in self.sizes(len(live)):
                for kept in combinations(hand, 5 - size):
                    value = max(value, self.exchange(kept, live, left))
        return value


def exchange_values(
    hand: Sequence[int], dealer_seen: Sequence[int], dead: Iterable[int], exchanges_left: int, fees: Fees
) -> dict[tuple[int, ...], Fraction]:
    """The value of every allowed exchange by brute force, by the (sorted) cards given up."""
    live, tree = live_cards(hand, dealer_seen, dead), _Tree(dealer_seen, fees)
    values = tree.exchanges(tuple(sorted(hand)), live, exchanges_left)
    return {given: Fraction(value, tree.scale(len(live), exchanges_left)) for given, value in values.items()}


def value_of_state(
    hand: Sequence[int], dealer_seen: Sequence[int], dead: Iterable[int], exchanges_left: int, fees: Fees
) -> dict[str, Fraction]:
    """The exact value of ``fold``, ``call`` and the best ``exchange``, by brute force.

    ``fees`` maps each allowed number of cards given up to its fee. Fees paid before this state are not counted. An
    exchange that would leave too few cards is not offered; without any there is no ``exchange`` in the answer.
    """
    hand, dealer_seen, dead = tuple(hand), tuple(dealer_seen), tuple(dead)
    counts = call_counts(hand, dealer_seen, dead)
    values = {"fold": Fraction(-1), "call": Fraction(call_units(counts, rank_hand(hand)[0]), sum(counts))}
    exchanges = exchange_values(hand, dealer_seen, dead, exchanges_left, fees)
    if exchanges:
        values["exchange"] = max(exchanges.values())
    return values


def best_cards_to_give_up(
    hand: Sequence[int], dealer_seen: Sequence[int], dead: Iterable[int], exchanges_left: int, fees: Fees
) -> list[tuple[int, ...]]:
    """All sets of cards (each sorted) that share the greatest value of an exchange; fewer cards come first."""
    values = exchange_values(hand, dealer_seen, dead, exchanges_left, fees)
    return [given for given, value in values.items() if value == max(values.values())]


def blind_value(dealer_seen: Sequence[int], dead: Iterable[int] = ()) -> Fraction:
    """The mean net result of a box that always calls, over all its hands and all completions, by brute force."""
    dealer_seen = tuple(dealer_seen)
    units = weight = 0
    for hand, rest in _deals(live_cards(dealer_seen, dead), 5):
        rank = rank_hand(hand)
        counts = _count(rank, dealer_seen, rest)
        units += call_units(counts, rank[0])
        weight += sum(counts)
    return Fraction(units, weight)


# NumPy road


@lru_cache(maxsize=1)
def _classes() -> tuple[npt.NDArray[np.int16], Ints, int]:
    """(strength by key, category by strength, lowest qualifying strength) of the 7,462 different hand values.

    The key is the five ranks, ascending, as digits of base 13, plus ``13 ** 5`` for a flush.
    """
    found: dict[int, Rank] = {}
    for ranks in combinations_with_replacement(range(13), 5):
        if ranks[0] == ranks[4]:
            continue
        key = sum(rank * 13**place for place, rank in enumerate(ranks))
        found[key] = rank_hand(tuple(4 * rank + place % 4 for place, rank in enumerate(ranks)))
        if len(set(ranks)) == 5:
            found[key + 13**5] = rank_hand(tuple(4 * rank for rank in ranks))
    order = sorted(set(found.values()))
    strength = {rank: place for place, rank in enumerate(order)}
    table = np.full(2 * 13**5, -1, np.int16)
    for key, rank in found.items():
        table[key] = strength[rank]
    categories = np.array([rank[0] for rank in order], np.int64)
    return table, categories, sum(not qualifies(rank) for rank in order)


def strengths(cards: Ints) -> Ints:
    """The strengths (0 to 7461) of hands, one a row."""
    ranks, suits = np.sort(cards // 4, axis=1), cards % 4
    keys: Ints = ranks @ (13 ** np.arange(5)) + 13**5 * (suits == suits[:, :1]).all(axis=1)
    found: Ints = _classes()[0][keys].astype(np.int64)
    return found


@lru_cache(maxsize=8)
def _sets(n: int, size: int) -> Ints:
    """All sets of ``size`` of the places 0 to n - 1, one a row, each ascending."""
    places = np.fromiter(chain.from_iterable(combinations(range(n), size)), np.int64, size * comb(n, size))
    return places.reshape(comb(n, size), size)


@lru_cache(maxsize=4)
def _subsets(n: int, size: int, most: int) -> tuple[npt.NDArray[np.int32], Ints]:
    """For each row of ``_sets(n, size)`` the numbers of its subsets of up to ``most`` places; the signs of the columns.

    The sets of each size are numbered from 0 on as sums of binomials, after all the smaller sets.
    """
    sets = _sets(n, size)
    binomials = np.array([[comb(place, k) for k in range(most + 1)] for place in range(n)], np.int64)
    columns, signs = [], []
    for k in range(min(size, most) + 1):
        first = sum(comb(n, smaller) for smaller in range(k))
        for chosen in combinations(range(size), k):
            number = np.full(len(sets), first, np.int64)
            for place, column in enumerate(chosen):
                number += binomials[sets[:, column], place + 1]
            columns.append(number.astype(np.int32))
            signs.append((-1) ** k)
    return np.stack(columns, axis=1), np.array(signs, np.int64)


def draw_counts(
    kept: Sequence[int], dealer_seen: Sequence[int], live: Sequence[int]
) -> tuple[Ints, Ints, Ints, Ints, Ints, Ints]:
    """What every draw that fills up the kept cards meets: (draws, categories, not qualified, win, push, lose).

    One entry for each draw, in ascending order of the hands' strength; ``draws`` holds the cards drawn.
    """
    n, size, unseen = len(live), 5 - len(kept), 5 - len(dealer_seen)
    most = min(size, unseen)
    _, categories, lowest = _classes()
    cards = np.array(live, np.int64)

    def hands(held: Sequence[int], places: Ints) -> Ints:
        return np.hstack([np.tile(np.array(held, np.int64), (len(places), 1)), cards[places]])

    draw_strengths = strengths(hands(kept, _sets(n, size)))
    order = np.argsort(draw_strengths, kind="stable")
    draw_strengths = draw_strengths[order]
    of_draw, signs = _subsets(n, size, most)
    of_draw = of_draw[order]

    dealer_strengths = strengths(hands(dealer_seen, _sets(n, unseen)))
    dealer_order = np.argsort(dealer_strengths, kind="stable")
    dealer_strengths = dealer_strengths[dealer_order]
    of_dealer = _subsets(n, unseen, most)[0][dealer_order]

    # holding[s]: how many of the completions taken in so far contain the set of cards number s.
    holding = np.zeros(sum(comb(n, k) for k in range(most + 1)), np.int64)
    taken = int(np.searchsorted(dealer_strengths, lowest))
    np.add.at(holding, of_dealer[:taken].ravel(), 1)
    not_qualified = holding[of_draw] @ signs

    # The same again from nothing, over the qualifying completions only, weakest first.
    holding[:] = 0
    below = np.empty(len(order), np.int64)
    not_above = np.empty(len(order), np.int64)
    values, starts = np.unique(draw_strengths, return_index=True)
    ends = [*starts[1:], len(order)]
    weaker = np.searchsorted(dealer_strengths, values, side="left")
    not_stronger = np.searchsorted(dealer_strengths, values, side="right")
    for start, end, *limits in zip(starts, ends, weaker, not_stronger, strict=True):
        for limit, answer in zip(limits, (below, not_above), strict=True):
            upto = max(taken, int(limit))
            np.add.at(holding, of_dealer[taken:upto].ravel(), 1)
            taken = upto
            answer[start:end] = holding[of_draw[start:end]] @ signs
    lose = comb(n - size, unseen) - not_qualified - not_above
    return cards[_sets(n, size)[order]], categories[draw_strengths], not_qualified, below, not_above - below, lose


def _draw_units(kept: Sequence[int], dealer_seen: Sequence[int], live: Sequence[int]) -> Ints:
    """The sum of the net results of a call over all completions, for every draw."""
    _, categories, not_qualified, win, _, lose = draw_counts(kept, dealer_seen, live)
    return not_qualified + win * (1 + 2 * np.array(PAYS, np.int64)[categories]) - 3 * lose


def call_counts_full(hand: Sequence[int], dealer_seen: Sequence[int], dead: Iterable[int] = ()) -> Counts:
    """The same as ``call_counts``, by comparing strengths in NumPy."""
    live = np.array(live_cards(hand, dealer_seen, dead), np.int64)
    places = _sets(len(live), 5 - len(dealer_seen))
    dealer = strengths(np.hstack([np.tile(np.array(dealer_seen, np.int64), (len(places), 1)), live[places]]))
    own = int(strengths(np.array([hand], np.int64))[0])
    counted = dealer >= _classes()[2]
    return (
        int((~counted).sum()),
        int((counted & (dealer < own)).sum()),
        int((counted & (dealer == own)).sum()),
        int((counted & (dealer > own)).sum()),
    )


def value_one_exchange_full(
    hand: Sequence[int],
    dealer_seen: Sequence[int],
    dead: Iterable[int],
    give_up: Sequence[int],
    fee: int | Fraction = 0,
) -> Fraction:
    """The value of the last exchange, of these cards: the mean of the best of fold and call, less the fee."""
    if not set(give_up) <= set(hand):
        raise ValueError("only cards of the hand can be given up")
    live = live_cards(hand, dealer_seen, dead)
    ways = comb(len(live) - len(give_up), 5 - len(dealer_seen))
    units = _draw_units([card for card in hand if card not in give_up], dealer_seen, live)
    return Fraction(int(np.maximum(units, -ways).sum()), ways * len(units)) - fee


def value_of_state_full(
    hand: Sequence[int], dealer_seen: Sequence[int], dead: Iterable[int], fees: Fees
) -> tuple[dict[str, Fraction], list[tuple[int, ...]]]:
    """The values of ``fold``, ``call`` and the best ``exchange`` (one is left), and all the best sets to give up."""
    dead = tuple(dead)
    counts = call_counts_full(hand, dealer_seen, dead)
    values = {"fold": Fraction(-1), "call": Fraction(call_units(counts, rank_hand(tuple(hand))[0]), sum(counts))}
    exchanges = {
        given: value_one_exchange_full(hand, dealer_seen, dead, given, fees[size])
        for size in sorted(fees)
        for given in combinations(sorted(hand), size)
    }
    values["exchange"] = max(exchanges.values())
    return values, [given for given, value in exchanges.items() if value == values["exchange"]]


def blind_value_full(dealer_seen: Sequence[int], dead: Iterable[int] = ()) -> Fraction:
    """The same as ``blind_value``, by the NumPy road."""
    live = live_cards(dealer_seen, dead)
    units = _draw_units((), dealer_seen, live)
    return Fraction(int(units.sum()), len(units) * comb(len(live) - 5, 5 - len(dealer_seen)))
