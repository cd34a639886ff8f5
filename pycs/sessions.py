"""What a session brings: the distribution of the sum of many independent rounds, exact or with the bound of its error.

Few rounds are counted exactly. Many are a Fourier transform in floats, or a sum of such parts where rare results fit no
lattice; then every chance carries one stated bound.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate, combinations_with_replacement
from math import ceil, comb, factorial, floor, log, log2, prod, sqrt
from numbers import Rational
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import numpy as np
import polars as pl

from pycs.distributions import Distribution, common_unit
from pycs.errors import InputError
from pycs.messages import quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["MOST_ROUNDS", "SHARES", "Session", "check_rounds", "session_of"]

MOST_ROUNDS: Final = 1_000_000_000
"""The most rounds that a session can have."""

MOST_POINTS: Final = 2**24
"""The most lattice points that a distribution in floats can have: 128 MB."""

ROUNDING: Final = 2.0**-53
"""The largest relative error of rounding to a float."""

CUT: Final = 1e-18
"""The chance that may be cut off at either end of a distribution in floats; part of the stated error."""

SHARES: Final = tuple(Fraction(percent, 100) for percent in (1, 5, 25, 50, 75, 95, 99))
"""The shares of sessions whose quantiles are shown."""

_MOST_BITS: Final = 2**27  # of all whole weights of an exact session together: 16 MB, and seconds to find
_MOST_WORK: Final = 2**33  # bits that are multiplied to find them
_MOST_APART: Final = 20  # rounds whose sums may be counted one by one, off any lattice
_MOST_SUMS: Final = 2**22  # such sums, times results: some seconds
_MANY_POINTS: Final = 2**18  # lattice points from which on parts are tried, whose errors are smaller
_MOST_RARE: Final = 12  # results that may be taken for rare ones, and how often they may come
_MOST_PART: Final = 2**20  # lattice points of one part
_MOST_PARTS: Final = 2**23  # results of all parts together: 64 MB
_MOST_CHOICES: Final = 3_000  # parts
_NEGLIGIBLE: Final = 1e-24  # a chance that a part leaves out; all of them are part of the error
_MOST_WIDTH: Final = 14_000  # bits of one weight: Python writes out no number of more than 4,300 digits
_MOST_SHOWN: Final = 1_600  # bits of a denominator that `to_dict` writes out: some 480 digits
_MOST_LONG: Final = 2**22  # frequencies times results that long floats are used for: half a second
_BLOCK: Final = 2**15  # frequencies at a time: the arrays of one step stay in the cache

Floats: TypeAlias = "NDArray[np.float64]"
"""An array of float64."""

_AnyFloats: TypeAlias = "NDArray[np.floating[Any]]"


@dataclass(frozen=True, slots=True, eq=False)
class Session:
    """The net result of `rounds` independent rounds, each distributed as `one`, in antes.

    `method` says what it is:

    - `exact`: `exact` is the distribution in whole weights, `error` is 0, and chances are Fractions. `probabilities`
      are they, rounded to floats.
    - `fourier`: `exact` is None, chances are floats, and `error` bounds what is wrong with them: no stated chance of
      any event, be it one result, a range or another set of results, is wrong by more.
    - `parts`: the same, put together by how often a rare result comes, as a jackpot of odd cents.

    `probabilities[k]`, float64 and read-only, is the chance of the result `first + places[k] * unit`; `places`, int64,
    ascend. Results that can happen but are not there have, in all, a chance of at most `error`.

    Mean, variance and what follows from them come from one round and are exact whatever the method. Safe to share among
    threads.

    >>> coins = Distribution.of([(-1, 1), (1, 1)])
    >>> few, many = session_of(coins, 4), session_of(coins, 100_000)
    >>> few.at(0), few.above(2), few.quantile(Fraction(1, 2))
    (Fraction(3, 8), Fraction(1, 16), (Fraction(0, 1), Fraction(0, 1)))
    >>> print(few)
    4 rounds, exact: mean 0.000000, standard deviation 2.000000
    >>> many.method, abs(many.at(0) - 0.0025231262) < 1e-10, many.error < 1e-12
    ('fourier', True, True)
    """

    rounds: int
    one: Distribution = field(repr=False)
    exact: Distribution | None = field(repr=False)
    probabilities: Floats = field(repr=False)
    places: NDArray[np.int64] = field(repr=False)
    first: Fraction
    unit: Fraction
    error: float
    method: Literal["exact", "fourier", "parts"]

    @property
    def mean(self) -> Fraction:
        """The mean: that of one round, `rounds` times."""
        return self.rounds * self.one.mean

    @property
    def variance(self) -> Fraction:
        """The variance: that of one round, `rounds` times, as the rounds are independent."""
        return self.rounds * self.one.variance

    @property
    def sd(self) -> float:
        """The standard deviation: the square root of the variance."""
        return sqrt(self.variance)

    @property
    def skewness(self) -> float:
        """The skewness: that of one round over the square root of `rounds`, as third cumulants add up."""
        return self.one.skewness / sqrt(self.rounds)

    @property
    def excess_kurtosis(self) -> float:
        """The excess kurtosis: that of one round over `rounds`, as fourth cumulants add up."""
        return self.one.excess_kurtosis / self.rounds

    def above(self, bound: Fraction | int) -> Fraction | float:
        """The chance of a result above the bound: a Fraction when exact, else a float within `error`."""
        if self.exact is not None:
            return self.exact.above(bound)
        return _sum(self.probabilities[self._count(bound, "right") :])

    def below(self, bound: Fraction | int) -> Fraction | float:
        """The chance of a result below the bound: a Fraction when exact, else a float within `error`."""
        if self.exact is not None:
            return self.exact.below(bound)
        return _sum(self.probabilities[: self._count(bound, "left")])

    def at(self, value: Fraction | int) -> Fraction | float:
        """The chance of exactly this result: a Fraction when exact, else a float within `error`."""
        if self.exact is not None:
            return self.exact.at(value)
        return _sum(self.probabilities[self._count(value, "left") : self._count(value, "right")])

    def quantile(self, share: Fraction) -> tuple[Fraction, Fraction]:
        """The least result that at least this share of the sessions stay at or below: the least and most it can be.

        They are equal when exact, and else unless a cumulative chance lies within `error` of the share.

        InputError unless the share lies above 0 and is at most 1.
        """
        return self._quantiles((share,))[0]

    def frame(self) -> pl.DataFrame:
        """One row for each result, ascending: each that can happen, or in floats, each whose chance is above `error`.

        Columns `net` (Float64, antes), `net_exact` (String), `probability` (Float64), `at_most` (Float64: the chance of
        this result or less); then, when exact, `probability_exact` (String; left out beyond some 480 digits), and else
        `error` (Float64: the bound for `probability` and for `at_most`).
        """
        if self.exact is not None:
            ways = self.exact.ways
            values, texts = self.exact.values, [str(value) for value in self.exact.values]
            columns: dict[str, Any] = {
                "net": [float(value) for value in values],
                "net_exact": texts,
                "probability": [weight / ways for weight in self.exact.weights],
                "at_most": [so_far / ways for so_far in accumulate(self.exact.weights)],
            }
            if ways.bit_length() <= _MOST_SHOWN:
                columns["probability_exact"] = [str(Fraction(weight, ways)) for weight in self.exact.weights]
            return pl.DataFrame(columns)
        rows = np.flatnonzero(self.probabilities > self.error)
        values = tuple(self.first + self.unit * place for place in self.places[rows].tolist())
        columns = {
            "net": [float(value) for value in values],
            "net_exact": [str(value) for value in values],
            "probability": self.probabilities[rows],
            "at_most": _cumulative(self.probabilities)[rows],
        }
        return pl.DataFrame(columns).with_columns(error=pl.lit(self.error, pl.Float64))

    def to_dict(self) -> dict[str, Any]:
        """Plain data: the moments, the chances of ending above, at and below 0, and quantiles.

        Amounts are antes. Keys that end in `_exact` are fractions as text, left out where they have more than some 480
        digits; those of the chances are there when the session is exact. Otherwise chances are within `error`. A
        quantile lies between `least` and `most`, which differ only where `error` leaves it open.

        >>> session_of(Distribution.of([(-1, 1), (1, 1)]), 2).to_dict()["above"]
        {'chance': 0.25, 'chance_exact': '1/4'}
        """
        data: dict[str, Any] = {
            "rounds": self.rounds,
            "method": self.method,
            "error": self.error,
            **fraction_texts("mean", self.mean),
            **fraction_texts("variance", self.variance),
            "sd": self.sd,
            "skewness": self.skewness,
            "excess_kurtosis": self.excess_kurtosis,
        }
        for name, chance in (("above", self.above(0)), ("at", self.at(0)), ("below", self.below(0))):
            data[name] = fraction_texts("chance", chance)
        data["quantiles"] = [
            {"share": float(share), **fraction_texts("least", least), **fraction_texts("most", most)}
            for share, (least, most) in zip(SHARES, self._quantiles(SHARES), strict=True)
        ]
        return data

    def __str__(self) -> str:
        """The moments, and whether the chances are exact."""
        how = "exact" if self.exact is not None else f"in floats, chances within {self.error:.1e}"
        return f"{self.rounds:,} rounds, {how}: mean {float(self.mean):.6f}, standard deviation {self.sd:.6f}"

    def _count(self, bound: Fraction | int, side: Literal["left", "right"]) -> int:
        """How many of `places` lie below the bound, or with `right` at it as well."""
        place = Fraction(bound - self.first) / self.unit
        whole = floor(place) if side == "right" else ceil(place)
        return int(np.searchsorted(self.places, max(-(2**62), min(whole, 2**62)), side=side))

    def _quantiles(self, shares: Sequence[Fraction]) -> list[tuple[Fraction, Fraction]]:
        """Of each share, the quantile's least and most, with the chances added up once."""
        for share in shares:
            if not isinstance(share, (Rational, float)) or not 0 < share <= 1:
                raise InputError(f"the share {quoted(share)} of a quantile: above 0 and at most 1 is allowed")
        if self.exact is not None:
            ways, so_far = self.exact.ways, list(accumulate(self.exact.weights))
            exact = [self.exact.values[bisect_left(so_far, ceil(share * ways))] for share in shares]
            return [(value, value) for value in exact]
        cumulative = np.maximum.accumulate(_cumulative(self.probabilities))
        slack = self.error + 4 * ROUNDING  # the share is rounded as well
        lowest, highest = self.rounds * self.one.values[0], self.rounds * self.one.values[-1]

        def reached(chance: float) -> Fraction:
            """The least result whose cumulative chance, as it stands, is this."""
            if chance <= 0:
                return lowest
            place = int(np.searchsorted(cumulative, chance))
            return self.first + self.unit * int(self.places[place]) if place < len(cumulative) else highest

        return [(reached(float(share) - slack), reached(float(share) + slack)) for share in shares]


def session_of(one: Distribution, rounds: int, *, exact: bool | None = None) -> Session:
    """What `rounds` independent rounds bring in all, when each brings `one`.

    Counted exactly while that takes a few seconds (of a game with some ten results, about a hundred rounds), and else
    computed in floats with the bound of the error. `exact=False` asks for a Fourier transform in any case but
    one round's, `exact=True` for an exact count or an InputError.

    Exactly: the whole weights are the coefficients of a polynomial, and those of its power follow one by one from J. C.
    P. Miller's recurrence (Knuth, The Art of Computer Programming 2, 4.7), in whole numbers throughout.

    In floats: the characteristic function of one round, about its exact mean, is taken at N frequencies as
    1 - a + ib with a, a mean of 2 sin^2, and b, one of sin(x) - x, found without cancellation; its power by the
    logarithm; and the chances by the inverse transform; in long floats where that is quick. `error` adds up, each with
    a margin:

    - what lies outside the window of results: Chernoff's bound, the best of some thousand exponents, twice, as by
      aliasing (Poisson's summation formula) it also falls inside;
    - rounding in the power, propagated frequency by frequency, and brought to the results by Parseval's theorem;
    - rounding in the transform: Higham, Accuracy and Stability of Numerical Algorithms, theorem 24.2, with twice its
      constant;
    - from the root of the sum of squares to the sum: Cauchy and Schwarz.

    It takes sines and logarithms to be right to four units in the last place, as those of NumPy are.

    In parts, where a lattice of all results would be too fine or too wide: the largest results, which are rare, are
    taken out, and the distribution is the sum over how often each of them comes, each part a session of the others.

    InputError unless `rounds` is a whole number from 1 to 1,000,000,000, and when even that would need more than some
    8,000,000 results. Safe to call from many threads.

    >>> dice = Distribution.of([(points, 1) for points in range(1, 7)])
    >>> session_of(dice, 3).at(10), session_of(dice, 1000).mean
    (Fraction(1, 8), Fraction(3500, 1))
    """
    check_rounds(rounds)
    one = one.reduced
    unit = common_unit([value - one.values[0] for value in one.values])
    places = [int((value - one.values[0]) / unit) for value in one.values]
    width = rounds * log2(one.ways)
    points = rounds * places[-1] + 1
    on_lattice = width <= _MOST_WIDTH and points * width <= _MOST_BITS
    on_lattice = on_lattice and len(places) * points * (width + 1000) <= _MOST_WORK
    if rounds == 1:
        exact = exact or None
    # as many different sums as there are ways to choose results, if no two ways come to the same
    apart = rounds <= _MOST_APART and len(places) * comb(len(places) + rounds - 1, rounds) <= _MOST_SUMS
    if exact and not (on_lattice or apart):
        raise InputError(f"{rounds:,} rounds of {len(places)} results, exactly: fewer are allowed, or exact=False")
    if (on_lattice or apart) and exact is not False:
        powers = _powers(one, rounds, places) if on_lattice else _sums(one, rounds, places)
        return _counted(one, rounds, powers, unit)
    low, high = _window(one, rounds, places)
    found = _in_parts(one, rounds, places, unit) if exact is None and high - low > _MANY_POINTS else None
    if found is None and high - low >= MOST_POINTS:
        raise InputError(
            f"{rounds:,} rounds with results from {quoted(str(one.values[0]))} to {quoted(str(one.values[-1]))} in "
            f"steps of {quoted(str(unit))}: too many different sums; fewer rounds, or rounder amounts, are allowed"
        )
    return found or _transformed(one, rounds, places, unit, (low, high))


def check_rounds(rounds: int, most: int = MOST_ROUNDS) -> None:
    """InputError unless this is a whole number of rounds, from 1 to the most."""
    if isinstance(rounds, bool) or not isinstance(rounds, int) or not 1 <= rounds <= most:
        raise InputError(f"the rounds {quoted(rounds)}: a whole number from 1 to {most:,} is allowed")


def about_mean(places: Sequence[Fraction | int], one: Distribution) -> tuple[Floats, Floats, Fraction]:
    """The distances of places from their mean, their chances, and the exact mean.

    Places and weights are those of the results in order. Each float is a Fraction rounded once.
    """
    ways = one.ways
    mean = Fraction(sum(place * weight for place, weight in zip(places, one.weights, strict=True)), ways)
    chances = np.array([weight / ways for weight in one.weights])
    return np.array([float(place - mean) for place in places]), chances, mean


def chernoff_reach(walks: Sequence[tuple[Floats, Floats, float]], rounds: int, chance: float = CUT) -> float:
    """A height that a sum of steps reaches at any time within so many rounds with at most this chance.

    Each walk gives, of one kind of step, the distances from the mean, their chances and the mean; any kind may be taken
    at any time. Chernoff's bound in Doob's form: with M the larger of 1 and the moment generating functions at theta,
    exp(theta S_t) / M^t is a supermartingale, so S ever reaches y with a chance of at most M^n exp(-theta y). Any theta
    gives a bound; the best of a few thousand is taken, with a margin for rounding.
    """
    largest = max(float(distances.max()) for distances, _, _ in walks) or 1.0
    thetas = np.geomspace(1e-9, 600, 4000) / largest
    growth, wander = np.zeros(len(thetas)), 0.0
    for distances, chances, mean in walks:
        spread = np.zeros(len(thetas))
        for distance, weight in zip(distances, chances, strict=True):
            spread += weight * (np.expm1(thetas * distance) - thetas * distance)
        growth = np.maximum(growth, np.log1p(np.maximum(spread, 0)) + thetas * mean)
        wander = max(wander, float(chances @ np.abs(distances)) + abs(mean))
    best = float(np.min((rounds * growth - log(chance)) / thetas))
    return best * (1 + 1e-9) + 64 * ROUNDING * rounds * wander


def _counted(one: Distribution, rounds: int, powers: dict[int, int], unit: Fraction) -> Session:
    """Exactly, in whole weights by place."""
    first = rounds * one.values[0]
    exact = Distribution(tuple(first + place * unit for place in powers), tuple(powers.values()))
    ways, at = exact.ways, np.array(list(powers), np.int64)
    chances = np.array([weight / ways for weight in powers.values()])
    if at[-1] < MOST_POINTS // 8:  # the whole lattice, as in floats
        places, probabilities = np.arange(at[-1] + 1), np.zeros(at[-1] + 1)
        probabilities[at] = chances
        return _session(one, rounds, exact, probabilities, places, first, unit, 0.0, "exact")
    return _session(one, rounds, exact, chances, at, first, unit, 0.0, "exact")


def _session(one: Distribution, rounds: int, exact: Distribution | None, *others: Any) -> Session:
    """A session whose arrays stay as they are."""
    for array in others[:2]:
        array.setflags(write=False)
    return Session(rounds, one, exact, *others)


def _sums(one: Distribution, rounds: int, places: Sequence[int]) -> dict[int, int]:
    """The weights of the sums of few rounds, round by round, whatever lies between them."""
    sums = {0: 1}
    for _ in range(rounds):
        more: Counter[int] = Counter()
        for so_far, ways in sums.items():
            for place, weight in zip(places, one.weights, strict=True):
                more[so_far + place] += ways * weight
        sums = dict(more)
    return dict(sorted(sums.items()))


def _powers(one: Distribution, rounds: int, places: Sequence[int]) -> dict[int, int]:
    """The coefficients of the power of a polynomial, from the lowest up; those that are 0 are left out."""
    lowest = one.weights[0]
    terms = [((rounds + 1) * place, place, weight) for place, weight in zip(places, one.weights, strict=True)][1:]
    powers = [lowest**rounds]
    for k in range(1, rounds * places[-1] + 1):
        # from P Q' = n P' Q for Q = P^n, and so without a rest
        so_far = 0
        for factor, place, weight in terms:
            if place > k:
                break
            if before := powers[k - place]:
                so_far += (factor - k) * weight * before
        powers.append(so_far // (k * lowest))
    return {k: weight for k, weight in enumerate(powers) if weight}


def _window(one: Distribution, rounds: int, places: Sequence[int]) -> tuple[int, int]:
    """The places beyond which a sum of rounds lies, on either side, with a chance of at most `CUT`."""
    distances, chances, mean = about_mean(places, one)
    middle = round(rounds * mean)
    below = middle - ceil(chernoff_reach([(-distances, chances, 0.0)], rounds)) - 1
    above = middle + ceil(chernoff_reach([(distances, chances, 0.0)], rounds)) + 1
    return max(0, below), min(rounds * places[-1], above)


def _in_parts(one: Distribution, rounds: int, places: Sequence[int], unit: Fraction) -> Session | None:
    """In floats, by how often each of the rarest large results comes; None when no choice of them helps."""
    by_size = sorted(range(len(places)), key=lambda number: abs(one.values[number]))
    for rare in range(1, min(_MOST_RARE, len(places) - 1) + 1):
        found = _with_rare(one, rounds, places, unit, sorted(by_size[:-rare]), by_size[-rare:])
        if found is not None:
            return found
    return None


def _with_rare(
    one: Distribution, rounds: int, places: Sequence[int], unit: Fraction, usual: list[int], rare: list[int]
) -> Session | None:
    """The session with these results of a round taken for rare ones; None when there are too many sums."""
    ways = one.ways
    among = Distribution(tuple(one.values[n] for n in usual), tuple(one.weights[n] for n in usual))
    chance = (ways - among.ways) / ways
    most, rest = 0, rounds * chance  # of more than `most` rare results: at most C(n, k) p^k, with k one more
    while rest > CUT and most < rounds:
        if most == _MOST_RARE:
            return None
        most += 1
        rest *= (rounds - most) * chance / (most + 1)
    lattice = common_unit([value - among.values[0] for value in among.values])
    ends = _window(among, rounds, [int((value - among.values[0]) / lattice) for value in among.values])
    points, choices = ends[1] - ends[0] + 1, comb(len(rare) + most, most)
    if points > _MOST_PART or choices > _MOST_CHOICES or rounds * places[-1] >= 2**62:
        return None
    found_places, found_chances, error, kept = [], [], rest, 0
    for count in range(most + 1):
        left = rounds - count
        # an empty session ends at 0 for certain
        part = session_of(among, left, exact=False) if left else None
        chances = np.ones(1) if part is None else part.probabilities
        at = np.zeros(1, np.int64)
        if part is not None:
            at = int((part.first - left * one.values[0]) / unit) + int(part.unit / unit) * part.places
        for chosen in combinations_with_replacement(rare, count):
            several = Counter(chosen)
            orders = factorial(rounds) // factorial(left) // prod(map(factorial, several.values()))
            weight = float(Fraction(orders * among.ways**left * prod(one.weights[n] for n in chosen), ways**rounds))
            likely = weight * chances
            likely[likely < _NEGLIGIBLE] = 0
            those = np.flatnonzero(likely)
            found_places.append(at[those] + sum(places[n] for n in chosen))
            found_chances.append(likely[those])
            kept += len(those)
            error += weight * (0.0 if part is None else part.error) + _NEGLIGIBLE * (len(likely) - len(those))
            if kept > _MOST_PARTS:
                return None
    all_places, number = np.unique(np.concatenate(found_places), return_inverse=True)
    probabilities = np.bincount(number, weights=np.concatenate(found_chances))
    error = 1.1 * (error + (choices + 8) * ROUNDING)
    first = rounds * one.values[0]
    return _session(one, rounds, None, probabilities, all_places, first, unit, error, "parts")


def _transformed(
    one: Distribution, rounds: int, places: Sequence[int], unit: Fraction, window: tuple[int, int]
) -> Session:
    """In floats, with the bound of the error."""
    low, high = window
    mean = about_mean(places, one)[2]
    middle = round(rounds * mean)
    cut = CUT * ((low > 0) + (high < rounds * places[-1]))
    points = high - low + 1
    size = 1 << max(1, (points - 1).bit_length())
    # where nearly all results are odd, say, the characteristic function comes close to 1 far from 0 as well, and there
    # rounding counts `rounds` times; long floats, where there are any, are worth their time while it is short
    kind = np.longdouble if size * len(places) <= _MOST_LONG else np.float64
    rounding = float(np.finfo(kind).eps) / 2
    fine_distances = _rounded([place - mean for place in places], kind)
    fine_chances = _rounded([Fraction(weight, one.ways) for weight in one.weights], kind)
    spectrum, wrong = _spectrum(fine_distances, fine_chances, rounds * mean - middle, rounds, size)
    norm = sqrt(2 * float(np.sum(np.square(np.abs(spectrum)))) / size)  # at least that of the probabilities
    found = np.fft.irfft(spectrum, size).astype(np.float64)
    del spectrum
    probabilities = np.maximum(np.roll(found, middle - low)[:points], 0.0)
    wrong += transform_rounding(size, rounding) * norm
    error = 1.1 * (sqrt(points) * wrong + 2 * cut + 8 * ROUNDING)
    first = rounds * one.values[0] + low * unit
    return _session(one, rounds, None, probabilities, np.arange(points), first, unit, error, "fourier")


def transform_rounding(size: int, rounding: float = ROUNDING) -> float:
    """The relative error of a fast Fourier transform of this size, a power of two, in the Euclidean norm."""
    return 14 * rounding * log2(size)


def _rounded(numbers: Sequence[Fraction], kind: type[np.floating[Any]]) -> _AnyFloats:
    """Fractions as floats of this kind."""
    high = [float(number) for number in numbers]
    low = [float(number - Fraction(part)) for number, part in zip(numbers, high, strict=True)]
    return np.array(high, dtype=kind) + np.array(low, dtype=kind)


def _spectrum(
    distances: _AnyFloats, chances: _AnyFloats, shift: Fraction, rounds: int, size: int
) -> tuple[NDArray[np.complexfloating[Any, Any]], float]:
    """The characteristic function of the sum from its mean, plus `shift`, at the frequencies from 0 to half of `size`.

    Signed as an inverse transform wants it, in the precision of the distances. With it, a bound for what its rounding
    adds to the Euclidean norm of the probabilities.
    """
    rounding = float(np.finfo(distances.dtype).eps) / 2
    circle = 8 * np.arctan(np.ones((), dtype=distances.dtype))
    spectrum = np.empty(size // 2 + 1, dtype=np.result_type(distances.dtype, np.complex64))
    squares = 0.0
    for start in range(0, len(spectrum), _BLOCK):
        angle = np.arange(start, min(start + _BLOCK, len(spectrum))) * (circle / size)
        a, b, strain = np.zeros_like(angle), np.zeros_like(angle), np.zeros_like(angle)
        for distance, chance in zip(distances, chances, strict=True):
            x = angle * distance
            a += chance * 2 * np.square(np.sin(x / 2))
            b += chance * _sine_less_angle(x)
            strain += chance * np.minimum(np.square(x), np.abs(x))
        # |1 - a + ib|^2 - 1; it is at least -1, whatever rounding says
        size_squared = np.maximum(-2 * a + np.square(a) + np.square(b), -1)
        with np.errstate(divide="ignore"):
            magnitude = np.exp(rounds * np.log1p(size_squared) / 2)
        turn = np.arctan2(b, 1 - a)
        phase = rounds * turn + angle * _rounded([shift], distances.dtype.type)
        spectrum[start : start + _BLOCK] = magnitude * np.cos(phase) - 1j * (magnitude * np.sin(phase))
        # |x^n - y^n| <= n max(|x|, |y|)^(n-1) |x - y|, where |x - y| is at most `off`: x is wrong by 4 roundings, and
        # sines, products and sums come to some 40 of `strain` and 2 more for each term
        off = rounding * (40 + 2 * len(chances)) * strain
        base = np.minimum(np.sqrt(1 + size_squared) + off, 1) ** max(rounds - 2, 0)
        logarithm = rounding * (9 * a + 2 * np.square(a) + 2 * np.square(b) + 7 * np.abs(turn))
        squares += float(np.sum(np.square(base * (rounds * (off + logarithm) + 20 * rounding))))
    return spectrum, sqrt(2 * squares / size)


def _sine_less_angle(x: _AnyFloats) -> _AnyFloats:
    """sin(x) - x, to a few units in the last place where x is small too: there by its series."""
    square = np.square(np.minimum(np.abs(x), 1))
    series = np.ones_like(x)
    for k in range(12, 1, -1):
        series = 1 - square / (2 * k * (2 * k + 1)) * series
    return np.where(np.abs(x) < 1, -x * square / 6 * series, np.sin(x) - x)


def _split(chances: Floats) -> tuple[Floats, Floats]:
    """Chances as multiples of 2^-52, whose sums up to 2 are exact, and the small rest."""
    whole = np.rint(chances * 2.0**52) / 2.0**52
    return whole, chances - whole


def _sum(chances: Floats) -> float:
    """Their sum, rounded a few times at most."""
    whole, rest = _split(chances)
    return float(np.sum(whole) + np.sum(rest))


def _cumulative(chances: Floats) -> Floats:
    """Their sums up to each, each rounded a few times at most."""
    whole, rest = _split(chances)
    return np.cumsum(whole) + np.cumsum(rest)


def fraction_texts(name: str, value: Fraction | float) -> dict[str, Any]:
    """A number for `to_dict`: as a float, and as exact text when it is a fraction of no more than some 480 digits."""
    number: dict[str, Any] = {name: float(value)}
    if isinstance(value, Fraction) and value.denominator.bit_length() <= _MOST_SHOWN:
        number[f"{name}_exact"] = str(value)
    return number
