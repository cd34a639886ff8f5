"""What it is worth in Caribbean Stud to know cards: further ones of the dealer's, or those of other players.

The player folds or calls by what is best for all that he knows. Known cards of the dealer are counted exactly: every
set of them, every hand of the player, every completion. Known hands of other players are too many for that. There, the
cards that are seen are sampled, and for each sample every hand and every completion is counted; such a figure is an
`Estimate`.
"""

from __future__ import annotations

import os
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import chain, combinations, combinations_with_replacement, product
from math import factorial, prod, sqrt
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from pycs.core import NEVER_FOLDED, stud_exchange
from pycs.errors import InputError
from pycs.estimates import Estimate
from pycs.messages import quoted
from pycs.progress import progress_bar
from pycs.ranking import CATEGORIES_UP, qualifying_strength
from pycs.rules import load_rules
from pycs.stud_rules import CaribbeanStudRules

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from pycs.rules import Rules

__all__ = [
    "LEAST_SAMPLES",
    "InformedPlay",
    "SeenHands",
    "always_call",
    "canonical_sets",
    "known_dealer_cards",
    "seen_hands",
]

_RANKS: Final = 13
_KING, _ACE = 11, 12
_CHUNK: Final = 32  # states that a thread takes at once: some 50 milliseconds
_HALVES: Final = 2
_LEAST_IN_HALF: Final = 100
_FREQUENT: Final = 7  # categories: up to full houses
_RIDGE: Final = 1e-4

LEAST_SAMPLES: Final = _RANKS * _HALVES * _LEAST_IN_HALF
"""As few samples as `seen_hands` takes: enough in each of its parts to fit its controls."""


# --- the dealer's cards ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class InformedPlay:
    """Play of one who knows `cards` of the dealer's five cards before he folds or calls: his best. All of it is exact.

    `counts` are rounds by the category of the player's hand, high card first, shape (10, 5): folds, then calls against
    a dealer who does not qualify, calls that win, push, lose. A round is a set of known cards, a hand and a completion;
    all are equally likely. `sets` is how many sets of known cards differ by more than the names of the suits. `cards`
    is 0 for play that uses no knowledge (`always_call`).

    The house edge is per ante, the element of risk per unit bet in all. Nothing beyond fold and call is counted:
    `rules.not_counted` says what is left out.
    """

    rules: CaribbeanStudRules
    cards: int
    sets: int
    counts: tuple[tuple[int, ...], ...]

    @property
    def rounds(self) -> int:
        """All rounds; with one known card the 19,933,230,517,200 of the ordinary game."""
        return sum(map(sum, self.counts))

    @property
    def net(self) -> int:
        """The net result over all rounds, in antes."""
        return sum(net * count for net, count in self._ends())

    @property
    def value(self) -> Fraction:
        """The mean net result of a round, in antes."""
        return Fraction(self.net, self.rounds)

    @property
    def house_edge(self) -> Fraction:
        """What the player loses in the mean, per ante; negative when he wins."""
        return -self.value

    @property
    def called(self) -> Fraction:
        """The share of rounds in which the player calls."""
        return 1 - Fraction(sum(folded for folded, *_ in self.counts), self.rounds)

    @property
    def average_bet(self) -> Fraction:
        """All that is staked on a round in the mean, in antes."""
        return self.rules.stakes.ante + self.rules.stakes.call * self.called

    @property
    def element_of_risk(self) -> Fraction:
        """What the player loses in the mean, per unit bet in all; negative when he wins."""
        return -self.value / self.average_bet

    @property
    def variance(self) -> Fraction:
        """The variance of a round's net result, in antes squared."""
        return Fraction(sum(net**2 * count for net, count in self._ends()), self.rounds) - self.value**2

    @property
    def sd(self) -> float:
        """The standard deviation of a round's net result, in antes."""
        return sqrt(self.variance)

    def _ends(self) -> Iterator[tuple[int, int]]:
        """Each net result with the number of rounds that end in it."""
        for category, counts in zip(CATEGORIES_UP, self.counts, strict=True):
            yield from zip((self.rules.net_fold, *self.rules.nets(category)), counts, strict=True)

    def to_dict(self) -> dict[str, Any]:
        """Plain data: floats to read, fractions as exact text."""
        exact = ("value", "house_edge", "called", "average_bet", "element_of_risk", "variance")
        figures = {name: getattr(self, name) for name in exact}
        return {
            "profile": self.rules.name,
            "rules_digest": self.rules.digest,
            "not_counted": list(self.rules.not_counted),
            "cards": self.cards,
            "sets": self.sets,
            "rounds": self.rounds,
            "net": self.net,
            **{name: float(figure) for name, figure in figures.items()},
            **{f"{name}_exact": str(figure) for name, figure in figures.items()},
            "sd": self.sd,
            "counts": [list(row) for row in self.counts],
        }


def known_dealer_cards(
    profile: str | os.PathLike[str] | Rules,
    cards: int,
    *,
    threads: int | None = None,
    progress: bool | None = None,
) -> InformedPlay:
    """Best play for a player who knows `cards` of the dealer's cards, 1 to 5, the upcard among them: exact.

    With one, this is the ordinary game. Each set of known cards, up to the names of the suits, is one evaluation of
    some milliseconds: 13, 169, 1,755, 16,432 and 134,459 of them, so that five known cards take some minutes. They run
    on `threads` threads; without it, on every core. `progress` shows a bar on stderr; without it, only when stderr is a
    terminal.

    InputError for another number of cards, and for a profile that is not of Caribbean Stud. Safe to call from many
    threads.

    >>> play = known_dealer_cards("us", 1)
    >>> play.value, play.rounds
    (Fraction(-142031221, 2718662100), 19933230517200)
    >>> f"{float(play.house_edge):.6%} per ante, {float(play.element_of_risk):.6%} per unit bet"
    '5.224306% per ante, 2.555286% per unit bet'
    """
    rules = _stud(profile)
    if isinstance(cards, bool) or not isinstance(cards, int) or not 1 <= cards <= 5:
        raise InputError(f"{quoted(cards)} known cards of the dealer: 1 to 5 are allowed")
    sets = list(canonical_sets(cards))
    total = np.zeros((len(CATEGORIES_UP), 5), np.int64)
    chunks = [sets[first : first + _CHUNK] for first in range(0, len(sets), _CHUNK)]
    bar = progress_bar(progress, total=len(sets), desc=f"{rules.name}, {cards} known", unit="set")
    with bar, _pool(threads) as pool:
        for chunk, counts in zip(chunks, pool.map(partial(_count, rules, rules.net_fold), chunks), strict=True):
            total += counts
            bar.update(len(chunk))
    return _play(rules, cards, len(sets), total)


def always_call(profile: str | os.PathLike[str] | Rules) -> InformedPlay:
    """Calling every hand unseen: exact, and the same whatever the player knows, for no decision uses it.

    InputError for a profile that is not of Caribbean Stud. Safe to call from many threads.

    >>> always_call("us").value == Fraction(-3310360338060, 19933230517200)
    True
    """
    rules = _stud(profile)
    sets = list(canonical_sets(1))
    return _play(rules, 0, len(sets), _count(rules, NEVER_FOLDED, sets))


def _count(rules: CaribbeanStudRules, fold: int, sets: Sequence[tuple[tuple[int, ...], int]]) -> NDArray[np.int64]:
    """The rounds with these sets of known cards, by category and end, when a fold is taken to be worth `fold`."""
    qualify, nets = qualifying_strength(rules.dealer.qualifies), [fold, *rules.exchange_nets[1:]]
    total = np.zeros((len(CATEGORIES_UP), 5), np.int64)
    for known, weight in sets:
        # All rounds together are below 5e13: far inside 64 bits.
        total += weight * np.array(stud_exchange([], known, [], qualify, nets), np.int64)
    return total


def _play(rules: CaribbeanStudRules, cards: int, sets: int, counts: NDArray[np.int64]) -> InformedPlay:
    return InformedPlay(rules, cards, sets, tuple(tuple(map(int, row)) for row in counts))


def canonical_sets(cards: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """One set of so many cards from each class that a relabeling of the suits makes, and how many sets it stands for.

    What the suits hold, in no order, is all that matters: four sets of ranks. They stand for 24 sets of cards, fewer
    where suits hold the same.

    >>> list(canonical_sets(1))[0], sum(weight for _, weight in canonical_sets(2))
    (((3,), 4), 1326)
    """
    for sizes in combinations_with_replacement(range(cards + 1), 4):
        if sum(sizes) != cards:
            continue
        alike = Counter(sizes)
        held = (combinations_with_replacement(combinations(range(_RANKS), size), alike[size]) for size in alike)
        for groups in product(*held):
            suits = tuple(chain.from_iterable(groups))
            known = tuple(4 * rank + suit for suit, ranks in enumerate(suits) for rank in ranks)
            yield known, factorial(4) // prod(map(factorial, Counter(suits).values()))


# --- other players' hands --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SeenHands:
    """Best play of a player who sees the hands of `hands` others and the upcard before he folds or calls: estimated.

    `value` is the mean net result of a round, in antes, `called` the share of rounds in which the player calls,
    `element_of_risk` what he loses per unit bet in all; negative when he wins. Each carries its standard error.
    """

    rules: CaribbeanStudRules
    hands: int
    value: Estimate
    called: Estimate
    element_of_risk: Estimate

    @property
    def house_edge(self) -> Estimate:
        """What the player loses in the mean, per ante; negative when he wins."""
        value = self.value
        return Estimate(-value.value, value.standard_error, value.samples, value.seed)

    def to_dict(self) -> dict[str, Any]:
        """Plain data; each figure with its error."""
        return {
            "profile": self.rules.name,
            "rules_digest": self.rules.digest,
            "not_counted": list(self.rules.not_counted),
            "hands": self.hands,
            "value": self.value.to_dict(),
            "house_edge": self.house_edge.to_dict(),
            "called": self.called.to_dict(),
            "element_of_risk": self.element_of_risk.to_dict(),
        }


def seen_hands(
    profile: str | os.PathLike[str] | Rules,
    hands: int,
    *,
    samples: int,
    seed: int,
    threads: int | None = None,
    progress: bool | None = None,
) -> SeenHands:
    """Best play for a player who sees the hands of `hands` others, 1 to 6, before he folds or calls: an estimate.

    A sample is an upcard and the cards of the others. For each, all hands of the player and all completions of the
    dealer's are counted and the best action is exact, so that nothing but the cards seen is left to chance. `samples`
    is how many are drawn, `LEAST_SAMPLES` or more, rounded up so that each rank of the upcard has as many; each takes
    some milliseconds. `seed`, 0 or more, gives the same estimate whatever the number of `threads` (without it, one for
    every core). `progress` shows a bar on stderr; without it, only when stderr is a terminal.

    The error is made smaller without a bias: the ranks of the upcard are taken equally often, and from each sample is
    taken off what quantities of exactly known mean explain of it. These controls are how the rounds would end with the
    same cards if every hand were called, how many cards of each rank are seen, and the products of the numbers of aces,
    kings and cards of the upcard's rank. How much they explain is fitted on one half of the samples and taken off the
    other.

    InputError for numbers that are not allowed, and for a profile that is not of Caribbean Stud. Safe to call from many
    threads.

    >>> seen = seen_hands("us", 6, samples=2600, seed=1)
    >>> low, high = seen.value.interval()
    >>> low < 0.0238 < high, seen.value.samples
    (True, 2600)
    """
    rules = _stud(profile)
    for what, number, least, most in (
        ("hands of others", hands, 1, 6),
        ("samples", samples, LEAST_SAMPLES, None),
        ("as the seed", seed, 0, None),
    ):
        if isinstance(number, bool) or not isinstance(number, int) or number < least or (most and number > most):
            allowed = f"{least} to {most} are allowed" if most else f"a whole number from {least} is allowed"
            raise InputError(f"{quoted(number)} {what}: {allowed}")
    in_half = -(-samples // (_RANKS * _HALVES))
    streams = np.random.SeedSequence(seed, spawn_key=(hands,)).spawn(_RANKS)
    means, spread = np.zeros(2), np.zeros((2, 2))
    total = _RANKS * _HALVES * in_half
    bar = progress_bar(progress, total=total, desc=f"{rules.name}, {hands} seen", unit="sample")
    with bar, _pool(threads) as pool:
        for rank, stream in enumerate(streams):
            upcard = 4 * rank
            others = np.delete(np.arange(52, dtype=np.uint8), upcard)
            random = np.random.Generator(np.random.PCG64(stream))
            deck = random.permuted(np.tile(others, (_HALVES * in_half, 1)), axis=1)
            dead, state = deck[:, : 5 * hands], _State(rules, upcard)
            rows: list[list[float]] = []
            chunks = [dead[first : first + _CHUNK].tolist() for first in range(0, len(dead), _CHUNK)]
            for some in pool.map(state.rows, chunks):
                rows += some
                bar.update(len(some))
            results = np.array(rows)
            controls = np.hstack([results[:, 2:] - state.expected, _seen_ranks(dead // 4, rank)])
            for mean, covariance in _controlled(results[:, :2], controls):
                means += mean / (_RANKS * _HALVES)
                spread += covariance / (_RANKS * _HALVES) ** 2
    value, called = map(float, means)
    bet = rules.stakes.ante + rules.stakes.call * called
    # A ratio of means moves with them as its derivatives say.
    moves = np.array([-1 / bet, value * rules.stakes.call / bet**2])

    def estimate(mean: float, variance: float) -> Estimate:
        return Estimate(mean, sqrt(variance), total, seed)

    return SeenHands(
        rules=rules,
        hands=hands,
        value=estimate(value, float(spread[0, 0])),
        called=estimate(called, float(spread[1, 1])),
        element_of_risk=estimate(-value / bet, float(moves @ spread @ moves)),
    )


class _State:
    """An upcard under some rules: what samples of dead cards are valued by."""

    def __init__(self, rules: CaribbeanStudRules, upcard: int) -> None:
        self.upcard = upcard
        self.qualify = qualifying_strength(rules.dealer.qualifies)
        self.nets = rules.exchange_nets
        by_category = [(rules.net_fold, *rules.nets(category)) for category in CATEGORIES_UP]
        self.net_of = np.array(by_category, np.float64)
        self.expected = np.array(self._by_calling([]))
        """The exact means of the controls by calling: dead cards that nobody looks at change nothing."""

    def rows(self, some: Sequence[Sequence[int]]) -> list[list[float]]:
        """For each set of dead cards: the value of best play, the share of rounds called, the controls by calling."""
        return [[*self._best(dead), *self._by_calling(dead)] for dead in some]

    def _shares(self, dead: Sequence[int], fold: int) -> NDArray[np.float64]:
        """How rounds end, as shares of all, shape (10, 5), when a fold is taken to be worth `fold`."""
        nets = [fold, *self.nets[1:]]
        counts = np.array(stud_exchange([], [self.upcard], dead, self.qualify, nets), np.float64)
        shares: NDArray[np.float64] = counts / counts.sum()
        return shares

    def _best(self, dead: Sequence[int]) -> tuple[float, float]:
        shares = self._shares(dead, self.nets[0])
        return float((shares * self.net_of).sum()), float(1 - shares[:, 0].sum())

    def _by_calling(self, dead: Sequence[int]) -> list[float]:
        """Every hand called: the value, and how the hands of each frequent category fail, win and lose."""
        shares = self._shares(dead, NEVER_FOLDED)
        frequent: list[float] = shares[:_FREQUENT, [1, 2, 4]].ravel().tolist()
        return [float((shares * self.net_of).sum()), *frequent]


def _seen_ranks(ranks: NDArray[np.uint8], up: int) -> NDArray[np.float64]:
    """How many cards of each rank are dead, and the products of those of the upcard's rank, aces and kings.

    `ranks` are those of the dead cards, shape (samples, dead). Each column has its exact mean taken off, that of draws
    from 51 cards without replacement.
    """
    dead, left = ranks.shape[1], 51
    counts = np.stack([np.count_nonzero(ranks == rank, axis=1) for rank in range(_RANKS)], axis=1)
    shares = np.full(_RANKS, 4 / left)
    shares[up] = 3 / left
    covariances = (np.diag(shares) - np.outer(shares, shares)) * dead * (left - dead) / (left - 1)
    centred = counts - dead * shares
    pairs = combinations_with_replacement(sorted({up, _KING, _ACE}), 2)
    return np.column_stack([centred, *(centred[:, a] * centred[:, b] - covariances[a, b] for a, b in pairs)])


def _controlled(
    results: NDArray[np.float64], controls: NDArray[np.float64]
) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """For each half of the samples: the means of the results, less what the controls explain, and their covariances.

    The controls have mean 0. Their coefficients are fitted on the other half, so that the means stay unbiased.
    """
    halves = np.array_split(np.arange(len(results)), _HALVES)
    for here, there in (halves, halves[::-1]):
        size = controls[there].std(axis=0)
        size[size == 0] = 1
        terms = (controls[there] - controls[there].mean(axis=0)) / size
        # Controls depend on each other (the ranks' counts add up), and few samples tell little of rare ones.
        ridge = _RIDGE * len(there) * np.eye(terms.shape[1])
        coefficients = np.linalg.solve(terms.T @ terms + ridge, terms.T @ results[there])
        rest = results[here] - controls[here] / size @ coefficients
        yield rest.mean(axis=0), np.cov(rest, rowvar=False) / len(here)


# --- both ------------------------------------------------------------------------------------------------------------


def _stud(profile: str | os.PathLike[str] | Rules) -> CaribbeanStudRules:
    rules = load_rules(profile)
    if not isinstance(rules, CaribbeanStudRules):
        raise InputError(f"the profile {rules.name}: what information is worth is counted of Caribbean Stud only")
    return rules


@contextmanager
def _pool(threads: int | None) -> Iterator[ThreadPoolExecutor]:
    """Threads that drop what is left to do when they are interrupted."""
    if threads is not None and (isinstance(threads, bool) or not isinstance(threads, int) or threads < 1):
        raise InputError(f"{quoted(threads)} threads: a whole number from 1 is allowed")
    pool = ThreadPoolExecutor(threads or os.cpu_count())
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)
