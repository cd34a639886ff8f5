"""Tests of fit of counts: how likely right software shows as large a difference, or a larger one.

Every test gives back a `FitTest` that says how its p-value was found. On skewed data, where outcomes with an expected
count of one stand beside others of millions, tables of the chi-square distribution understate the tail; so counts are
compared with all possible ones where these are few, and else with samples of a multinomial distribution. Tests of
totals are in `pycs.total_tests`.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb, exp, factorial, log1p, pi, prod, sqrt
from typing import TYPE_CHECKING, Final

import numpy as np

from pycs import evidence
from pycs.errors import InputError
from pycs.evidence import p_of_evidence
from pycs.messages import quoted
from pycs.total_tests import LEAST_P
from pycs.verdicts import FitTest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TypeAlias

    from numpy.typing import NDArray

    from pycs.verdicts import Part

    Ints: TypeAlias = NDArray[np.int64]

__all__ = ["MOST_COUNT", "SAMPLES", "binomial_test", "multinomial_test", "poisson_test", "subset_test"]

MOST_COUNT: Final = 10**12
"""The most rounds that can be tested."""

SAMPLES: Final = 100_000
"""The most samples of a Monte Carlo test: its p-value can be as small as 1 in 100,001."""

FLOAT_ERROR: Final = 1e-8
"""The relative error of tails of the binomial and the Poisson distribution, at most."""

_SUBSET_SAMPLES: Final = 20_000
_HITS: Final = 1_000  # samples at least as far off, after which a p-value is clearly not small
_BATCH: Final = 2_000
_MOST_LISTED: Final = 20_000  # possible counts that are gone through one by one
_LEAST_EXPECTED: Final = 1  # of a cell, or it is pooled
_MANY: Final = 50  # of each card, for the chi-square distribution
_CARDS: Final = 52
_BY_CLASS: Final = 0.01
_LARGE: Final = 10_000  # expected events
_BLOCK: Final = 2**15


def binomial_test(
    name: str, part: Part, hits: int, rounds: int, chance: Fraction, *, words: str | None = None, anytime: bool = False
) -> FitTest:
    """Does an event of this chance come as often as it should? Two-sided: twice the smaller exact tail.

    Tails are incomplete beta functions in floats, right to one part in 10^8. InputError for hits outside 0 to rounds,
    and for a chance outside 0 to 1.

    >>> found = binomial_test("sixes", "dealing", 4, 4, Fraction(1, 6))
    >>> round(found.p_value * 6**4, 6), found.method
    (2.0, 'exact binomial')
    """
    chance = Fraction(chance)
    _check_counts([hits, rounds - hits])
    if not 0 <= chance <= 1:
        raise InputError(f"a chance of {quoted(str(chance))}: 0 to 1 is allowed")
    expected = rounds * chance
    what = words or f"{hits:,} of {rounds:,}; {float(expected):,.1f} are expected"
    spread = sqrt(expected * (1 - chance))
    statistic = float(hits - expected) / spread if spread else None
    if chance in (0, 1):
        p = 1.0 if hits == expected else 0.0
        return FitTest(name, part, what, "exact", rounds, p, statistic, 0.0, anytime)
    if anytime:
        observed = np.array([hits, rounds - hits], np.int64)
        p = p_of_evidence(evidence.of_counts(observed, np.array([float(chance), float(1 - chance)])))
        return FitTest(name, part, what, _MIXTURE, rounds, p, statistic, 0.0, anytime)
    p = min(1.0, 2 * min(_at_least(hits, rounds, chance), _at_least(rounds - hits, rounds, 1 - chance)))
    return FitTest(name, part, what, "exact binomial", rounds, max(p, LEAST_P), statistic, FLOAT_ERROR * p)


_MIXTURE: Final = "anytime-valid mixture of Dirichlet distributions"


def _at_least(hits: int, rounds: int, chance: Fraction) -> float:
    """The chance of so many hits or more."""
    from scipy.special import betainc  # half a second that only verdicts need

    return float(betainc(hits, rounds - hits + 1, float(chance))) if hits else 1.0


def poisson_test(
    name: str, part: Part, events: int, expected: Fraction | float, *, rounds: int, words: str | None = None
) -> FitTest:
    """Are there more rare events than expected? One-sided, the exact Poisson tail, right to one part in 10^8.

    >>> found = poisson_test("repeats", "dealing", 2, Fraction(1, 1000), rounds=10)
    >>> f"{found.p_value:.4e}"
    '4.9967e-07'
    """
    _check_counts([events])
    if not 0 <= expected <= MOST_COUNT:
        raise InputError(f"expected events {quoted(expected)}: 0 to {MOST_COUNT:,} are allowed")
    p = _poisson_tail(events, float(expected)) if events and expected else float(not events)
    what = words or f"{events:,} events; {float(expected):,.4g} are expected"
    statistic = float(events - expected) / sqrt(expected) if expected else None
    return FitTest(
        name, part, what, "exact Poisson, one-sided", rounds, max(p, LEAST_P) if expected else p, statistic,
        FLOAT_ERROR * p,
    )  # fmt: skip


def _poisson_tail(events: int, expected: float) -> float:
    """The chance of so many events or more."""
    if expected < _LARGE or events <= expected:
        from scipy.special import gammainc

        return float(gammainc(events, expected))
    # SciPy loses the far tail here: the chance of this very number, by Stirling's series, times a sum of ratios
    x = (events - expected) / expected
    logarithm = -expected * ((1 + x) * log1p(x) - x) - 1 / (12 * events)
    chance = exp(max(logarithm, -700.0)) / sqrt(2 * pi * events)
    ratio, total, at = 1.0, 1.0, events
    while ratio > 1e-12:
        ratios = ratio * np.cumprod(expected / np.arange(at + 1, at + _BLOCK + 1, dtype=np.float64))
        total, ratio, at = total + float(ratios.sum()), float(ratios[-1]), at + _BLOCK
    return min(1.0, chance * total)


def multinomial_test(
    name: str,
    part: Part,
    observed: Sequence[int],
    weights: Sequence[int],
    *,
    words: str | None = None,
    anytime: bool = False,
    seed: int = 0,
    samples: int = SAMPLES,
) -> FitTest:
    """Do counts by class fit their chances, which are as these exact whole weights?

    Both have one entry for each class. A class of weight 0 that was seen settles it: the p-value is 0. The statistic is
    Pearson's, the sum of (observed - expected)^2 / expected. The p-value is

    - exact over all possible counts, where these are at most 20,000; of two classes by the binomial distribution;
    - else Monte Carlo: the share of samples of the multinomial distribution, by a generator with this `seed`, that are
      as far off, this one among them, so that it is valid by itself however few samples there are. Sampling stops after
      1,000 of them (J. Besag and P. Clifford, Sequential Monte Carlo p-values, 1991); `error` is its standard error.

    - That is worth 99% of the error rate; 1% goes to each class by itself (binomial, times their number), which tells
      gross errors that no number of samples would.

    There, classes are pooled by their expected counts alone: the smallest of them together, until they come to 1.
    `anytime` gives a p-value that holds at every look at a growing log, of all classes as they are.

    InputError for counts and weights that do not match, are negative, or more than 10^12 in all.

    >>> found = multinomial_test("dice", "dealing", [3, 0, 0, 0, 0, 0], [1] * 6)
    >>> found.p_value == 6 / 216, found.method
    (True, 'exact, 56 possible counts')
    """
    _check_counts(observed)
    if len(observed) != len(weights) or any(weight < 0 for weight in weights) or not any(weights):
        raise InputError(
            f"{len(observed)} counts and the weights {quoted(list(weights))}: as many, 0 or more, are needed"
        )
    rounds, ways = sum(observed), sum(weights)
    what = words or f"{rounds:,} rounds in {sum(weight > 0 for weight in weights)} classes"
    if any(count and not weight for count, weight in zip(observed, weights, strict=True)):
        return FitTest(name, part, what, "exact: a class that cannot be", rounds, 0.0, None, 0.0, anytime)
    cells = [(count, weight) for count, weight in zip(observed, weights, strict=True) if weight]
    if anytime:
        counts, chances = np.array([c for c, _ in cells], np.int64), np.array([w / ways for _, w in cells])
        p = p_of_evidence(evidence.of_counts(counts, chances)) if len(cells) > 1 else 1.0
        return FitTest(name, part, what, _MIXTURE, rounds, p, None, 0.0, anytime)
    if comb(rounds + len(cells) - 1, len(cells) - 1) > _MOST_LISTED:
        cells = _pooled(cells, rounds, ways)
    if len(cells) == 1 or not rounds:
        return FitTest(name, part, what, "exact: nothing to compare", rounds, 1.0)
    if len(cells) == 2:
        found = binomial_test(name, part, cells[0][0], rounds, Fraction(cells[0][1], ways), words=what)
        return FitTest(name, part, what, found.method, rounds, found.p_value, found.statistic, found.error)
    possible = comb(rounds + len(cells) - 1, len(cells) - 1)
    if possible <= _MOST_LISTED:
        p, statistic = _listed(cells, rounds)
        return FitTest(name, part, what, f"exact, {possible:,} possible counts", rounds, p, statistic)
    chances = np.array([weight / ways for _, weight in cells])
    chances /= chances.sum()
    expected = rounds * chances

    def statistics(counts: Ints) -> NDArray[np.float64]:
        far: NDArray[np.float64] = (np.square(counts - expected) / expected).sum(axis=1)
        return far

    statistic = float(statistics(np.array([[count for count, _ in cells]], np.int64))[0])
    alone = [binomial_test(name, part, count, rounds, Fraction(weight, ways)).p_value for count, weight in cells]
    least = min(1.0, min(alone) * len(cells) / _BY_CLASS)
    p, error, done = 1.0, 0.0, 0
    if least > 1 / (samples + 1) / (1 - _BY_CLASS):  # else no sample could change it
        generator = np.random.default_rng(seed)
        p, error, done = _sampled(statistic, lambda n: statistics(generator.multinomial(rounds, chances, n)), samples)
        p = min(1.0, p / (1 - _BY_CLASS))
    if least < p:
        p, method, error = least, f"exact binomial, the least of {len(cells)} classes", FLOAT_ERROR * least
    else:
        method = f"Monte Carlo, {done:,} samples"
    return FitTest(name, part, what, method, rounds, p, statistic, error)


def _pooled(cells: list[tuple[int, int]], rounds: int, ways: int) -> list[tuple[int, int]]:
    """The cells of the smallest weights as one, until at least `_LEAST_EXPECTED` is expected in each."""
    rest = sorted(cells, key=lambda cell: cell[1])
    count, weight = rest.pop(0)
    while rest and weight * rounds < _LEAST_EXPECTED * ways:
        more = rest.pop(0)
        count, weight = count + more[0], weight + more[1]
    return [(count, weight), *rest]


def _listed(cells: list[tuple[int, int]], rounds: int) -> tuple[float, float]:
    """The exact p-value and the statistic, in whole numbers: sum of count^2 / weight, over a common denominator."""
    common = prod(weight for _, weight in cells)
    factors = [common // weight for _, weight in cells]
    weights = [weight for _, weight in cells]

    def far(counts: Sequence[int]) -> int:
        return sum(count * count * factor for count, factor in zip(counts, factors, strict=True))

    bound, ways, found = far([count for count, _ in cells]), 0, factorial(rounds)
    for counts in _compositions(rounds, len(cells)):
        if far(counts) >= bound:
            orders = found // prod(map(factorial, counts))
            ways += orders * prod(weight**count for weight, count in zip(weights, counts, strict=True))
    everything = sum(weights)
    statistic = Fraction(bound * everything, common * rounds) - rounds
    return float(Fraction(ways, everything**rounds)), float(statistic)


def _compositions(total: int, cells: int) -> Iterator[tuple[int, ...]]:
    """All ways to put so many into so many cells."""
    if cells == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _compositions(total - first, cells - 1):
            yield (first, *rest)


def _sampled(statistic: float, draw: Callable[[int], NDArray[np.float64]], most: int) -> tuple[float, float, int]:
    """A Monte Carlo p-value, its standard error and the samples it took; near ties count as ties."""
    bound, hits, done = statistic * (1 - 1e-12), 0, 0
    while done < most:
        size = min(_BATCH, most - done)
        over = draw(size) >= bound
        here = int(over.sum())
        if hits + here >= _HITS:
            done += int(np.flatnonzero(over)[_HITS - hits - 1]) + 1
            p = _HITS / done
            return p, sqrt(p * p * (1 - p) / _HITS), done
        hits, done = hits + here, done + size
    p = (hits + 1) / (done + 1)
    return p, sqrt(p * (1 - p) / done), done


def subset_test(
    name: str,
    part: Part,
    counts: Sequence[int],
    cards: int,
    rounds: int,
    *,
    words: str | None = None,
    anytime: bool = False,
    seed: int = 0,
) -> FitTest:
    """Does each of the 52 cards come as often as it should among hands of so many distinct cards?

    `counts` are how often each card was held over `rounds` hands of `cards` cards. Cards of one hand push each other
    out: with p = cards / 52, the sum of (count - rounds p)^2 / (rounds p (1 - p)) times 51 / 52 is about chi-square
    with 51 degrees of freedom. That is used from 50 expected of each card on, and Monte Carlo with whole hands below.
    `anytime` compares what was held as if it were drawn with replacement, and holds at every look: by Maclaurin's
    inequality between symmetric means, distinct cards only make such bets unfair to the gambler.

    InputError for other than 52 counts, or counts that do not add up to rounds x cards.

    >>> subset_test("cards", "dealing", [10] * 52, 5, 104).p_value
    1.0
    """
    _check_counts(counts)
    share = Fraction(cards, _CARDS)
    if len(counts) != _CARDS or not 0 < cards < _CARDS or sum(counts) != rounds * cards or max(counts) > rounds:
        told = f"{_CARDS} counts of at most {rounds:,} that add up to {rounds * cards:,} are needed"
        raise InputError(f"the counts of {rounds:,} hands of {quoted(cards)} cards: {told}")
    what = words or f"each of 52 cards over {rounds:,} hands of {cards}; {float(rounds * share):,.1f} are expected"
    if anytime:
        p = p_of_evidence(evidence.of_counts(np.array(counts, np.int64), np.full(_CARDS, 1 / _CARDS)))
        return FitTest(name, part, what, _MIXTURE, rounds, p, None, 0.0, anytime)
    scale = float(Fraction(_CARDS - 1, _CARDS) / (share * (1 - share))) / max(rounds, 1)
    middle = float(rounds * share)

    def statistics(found: Ints) -> NDArray[np.float64]:
        far: NDArray[np.float64] = np.square(found - middle).sum(axis=1) * scale
        return far

    statistic = float(statistics(np.array([counts], np.int64))[0])
    if rounds * share >= _MANY:
        from scipy.special import chdtrc

        p = max(float(chdtrc(_CARDS - 1, statistic)), LEAST_P)
        method = f"chi-square, {_CARDS - 1} degrees of freedom"
        return FitTest(name, part, what, method, rounds, p, statistic, None)
    generator = np.random.default_rng(seed)

    def draw(size: int) -> NDArray[np.float64]:
        return statistics(_hands(generator, size, rounds, cards))

    p, error, done = _sampled(statistic, draw, _SUBSET_SAMPLES)
    return FitTest(name, part, what, f"Monte Carlo, {done:,} samples", rounds, p, statistic, error)


def _hands(generator: np.random.Generator, size: int, rounds: int, cards: int) -> Ints:
    """The counts of each card in samples of so many hands, shape (size, 52)."""
    few = min(cards, _CARDS - cards)  # those that are not held are a hand as well
    counts = np.zeros(size * _CARDS, np.int64)
    at = np.repeat(np.arange(size) * _CARDS, rounds)
    held = np.zeros((few, size * rounds), np.int64)
    for place in range(few):  # Floyd's algorithm
        top = _CARDS - few + place
        drawn = generator.integers(0, top + 1, size * rounds)
        taken = (held[:place] == drawn).any(axis=0)
        held[place] = np.where(taken, top, drawn)
        counts += np.bincount(at + held[place], minlength=len(counts))
    by_sample = counts.reshape(size, _CARDS)
    return by_sample if few == cards else rounds - by_sample


def _check_counts(counts: Sequence[int]) -> None:
    """InputError unless these are whole numbers, 0 or more, and not too many in all."""
    for count in counts:
        if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < 0:
            raise InputError(f"a count of {quoted(count)}: a whole number, 0 or more, is allowed")
    if sum(counts) > MOST_COUNT:
        raise InputError(f"{sum(counts):,} rounds: {MOST_COUNT:,} at most are allowed")
