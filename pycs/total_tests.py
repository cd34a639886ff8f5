"""Tests of totals: a net result, a result per unit bet, or events less their chances, against what is claimed.

Results of casino games are so skewed that the normal distribution misleads: tails come from the exact distribution of
the sum where `pycs.sessions` can find it, and else from the saddlepoint approximation (Lugannani and Rice 1980), which
follows the exact cumulant generating function of a round. Within four standard deviations of the published game its
p-values are those of the exact sum to 15% from 1,000 rounds on, to 2% from 10,000 and to 0.001% from a million.
"""

from __future__ import annotations

from fractions import Fraction
from math import erfc, exp, inf, log1p, pi, sqrt
from typing import TYPE_CHECKING, Final

import numpy as np

from pycs import evidence
from pycs.distributions import Distribution
from pycs.errors import InputError
from pycs.evidence import growth_of, p_of_evidence
from pycs.messages import quoted
from pycs.sessions import MOST_ROUNDS, session_of
from pycs.verdicts import FitTest

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from pycs.verdicts import Part

    Interval: TypeAlias = tuple[Fraction, Fraction]

__all__ = ["LEAST_P", "drift_test", "mean_test", "per_bet", "ratio_test", "sum_test"]

LEAST_P: Final = 1e-300
"""The least p-value that is stated: smaller ones are given as this."""

_MOST_POINTS: Final = 2**22  # of a lattice that is transformed: some two seconds
_EXACT: Final = 20  # rounds whose sums are counted whatever the unit
_LARGE_SHAPE: Final = 10_000.0  # of a gamma distribution
_ENOUGH_VARIANCE: Final = 9.0  # of a drift, for a fitted distribution in place of a bound


def sum_test(
    name: str,
    part: Part,
    one: Distribution,
    rounds: int,
    total: Fraction | int | Interval,
    *,
    words: str | None = None,
    anytime: bool = False,
    quick: bool = False,
) -> FitTest:
    """Is the total of so many independent rounds, each distributed as `one`, one that chance brings?

    `total` is exact, or an interval from the lowest to the highest that a rounded figure stands for: then the p-value
    is the largest within it. Two-sided, twice the smaller tail: of the exact distribution of the sum with its proven
    error (added to the p-value), or labelled as the saddlepoint approximation where that would take too many lattice
    points, or when it should be `quick`. `anytime` gives a p-value that holds at every look at a growing log
    (`pycs.evidence`). InputError for fewer rounds than one.

    >>> coin = Distribution.of([(-1, 1), (1, 1)])
    >>> found = sum_test("mean", "dealing", coin, 10, 8)
    >>> found.p_value == 2 * 11 / 1024, found.method
    (True, 'exact distribution of the sum')
    """
    low, high = (Fraction(end) for end in (total if isinstance(total, tuple) else (total, total)))
    _check(rounds, low, high)
    error: float | None = 0.0
    steps = _Steps(one)
    if anytime:
        p, method = p_of_evidence(evidence.of_total(one, rounds, low, high)), "anytime-valid mixture of likelihoods"
    else:
        p, method, error = _largest(_Tails(one, steps, rounds, quick), low, high)
    expected = rounds * steps.mean
    what = f"total {_between(low, high)} antes over {rounds:,} rounds; {float(expected):,.2f} is expected"
    statistic = _standard(low, high, float(expected), steps.sd * sqrt(rounds))
    return FitTest(name, part, words or what, method, rounds, p, statistic, error, anytime)


def per_bet(ends: Sequence[tuple[Fraction | int, Fraction | int, int]], ratio: Fraction) -> Distribution:
    """The distribution of net - ratio x bet, by ends of a round: net result, bet in all, and ways.

    >>> per_bet([(-1, 1, 1), (3, 3, 1)], Fraction(1, 2)).values
    (Fraction(-3, 2), Fraction(3, 2))
    """
    return Distribution.of((Fraction(net) - ratio * Fraction(bet), ways) for net, bet, ways in ends)


def ratio_test(
    name: str,
    part: Part,
    ends: Sequence[tuple[Fraction | int, Fraction | int, int]],
    rounds: int,
    ratio: Fraction | Interval,
    *,
    words: str | None = None,
    anytime: bool = False,
    quick: bool = False,
) -> FitTest:
    """Is the net result per unit bet, over so many rounds, one that chance brings?

    `ends` are the ways for a round to end: net result, bet in all (above 0), and how many equally likely rounds.
    `ratio` is the sum of nets over the sum of bets (negative for a loss), or the interval that a rounded figure stands
    for. No total bet is needed: the ratio is r or less just when the sum of net - r x bet is 0 or less, whose
    distribution is known. Its tails are found as by `sum_test`.

    >>> found = ratio_test("rtp", "dealing", [(-1, 1, 1), (2, 2, 1)], 4, Fraction(1))
    >>> found.p_value, found.method
    (0.125, 'exact distribution of the sum')
    """
    low, high = ratio if isinstance(ratio, tuple) else (ratio, ratio)
    _check(rounds, low, high)
    if any(bet <= 0 for _, bet, _ in ends):
        raise InputError("a round without a bet: more than 0 is needed for a result per unit bet")
    ways = sum(end[2] for end in ends)
    net, bet = (sum((Fraction(end[k]) * end[2] for end in ends), Fraction(0)) / ways for k in (0, 1))
    error: float | None = 0.0
    if anytime:
        p, method = p_of_evidence(evidence.of_ratio(ends, rounds, low, high)), "anytime-valid mixture of likelihoods"
    else:
        p, method, error = _largest(_RatioTails(ends, rounds, quick), low, high)
    square = sum(float(end[0] - net / bet * end[1]) ** 2 * (end[2] / ways) for end in ends)
    spread = sqrt(square) / float(bet) / sqrt(rounds)
    what = f"net result per unit bet {_between(low, high, '.6%')}; {float(net / bet):.6%} is expected"
    statistic = _standard(low, high, float(net / bet), spread)
    return FitTest(name, part, words or what, method, rounds, p, statistic, error, anytime)


def drift_test(
    name: str,
    part: Part,
    drift: float,
    variance: float,
    third: float = 0.0,
    *,
    rounds: int,
    words: str | None = None,
    anytime: bool = False,
) -> FitTest:
    """Do events come as often as their chances, which are known round by round, say?

    `drift` is the sum of events (1 or 0) less their chances p, `variance` the sum of p (1 - p), `third` that of
    p (1 - p) (1 - 2p). Two-sided: from a variance of 9 on by the gamma distribution of these three moments (Pearson's
    third type) with a correction for whole numbers, labelled, without a bound; below by Bennett's inequality, which
    never understates the p-value. `anytime`: by the same inequality, at every look.

    >>> drift_test("wins", "dealing", 0.0, 100.0, rounds=400).p_value
    1.0
    >>> drift_test("wins", "dealing", 3.0, 0.5, rounds=1000).method
    "Bennett's inequality"
    """
    if not variance >= 0 or abs(drift) == inf or drift != drift:
        raise InputError(f"a drift of {quoted(drift)} with a variance of {quoted(variance)}: numbers, 0 or more")
    error: float | None = 0.0
    if anytime:
        p, method = p_of_evidence(evidence.of_drift(drift, variance)), "anytime-valid mixture, Bennett's inequality"
    elif variance < _ENOUGH_VARIANCE:
        p, method = _bennett(abs(drift), variance), "Bennett's inequality"
    else:
        sd = sqrt(variance)
        skewness = third / (variance * sd) * (1 if drift > 0 else -1)
        p = min(1.0, 2 * _pearson((abs(drift) - 0.5) / sd, skewness)) if abs(drift) > 0.5 else 1.0
        method, error = "gamma distribution by three moments, a correction for whole numbers", None
    what = f"{drift:+,.1f} events more than their chances add up to; standard deviation {sqrt(variance):,.1f}"
    statistic = drift / sqrt(variance) if variance else 0.0
    return FitTest(name, part, words or what, method, rounds, max(p, LEAST_P), statistic, error, anytime)


def mean_test(
    name: str, part: Part, mean: Interval, expected: Fraction, sd: float, rounds: int, *, words: str, known: str
) -> FitTest:
    """Is a mean one that chance brings, where no more than a standard deviation of a round is known?

    `mean` is the interval that a rounded figure stands for. By the normal distribution, labelled, without a bound of
    its error; `known` says where the standard deviation is from.

    >>> half = Fraction(1, 2)
    >>> mean_test("m", "figures", (half, half), Fraction(0), 2.5, 100, words="", known="stated").p_value.__round__(4)
    0.0455
    """
    _check(rounds, *mean)
    z = _standard(*mean, float(expected), sd / sqrt(rounds)) or 0.0
    p = max(min(1.0, 2 * _normal(abs(z))), LEAST_P)
    return FitTest(name, part, words, f"normal distribution, standard deviation {known}", rounds, p, z, None)


def _bennett(drift: float, variance: float) -> float:
    """Twice the bound for a sum of independent steps of at most 1 with mean 0 to reach this."""
    if drift <= 0:
        return 1.0
    if not variance:
        return 1.0 if drift < 1e-6 else LEAST_P  # chances of 0 and 1 only, added up in floats
    x = drift / variance
    return min(1.0, 2 * exp(-min(variance * ((1 + x) * log1p(x) - x), 700.0)))


def _pearson(z: float, skewness: float) -> float:
    """The upper tail at z standard deviations of the gamma distribution of this skewness."""
    if abs(skewness) < 1e-5:
        return _normal(z)
    shape = 4 / skewness**2
    if shape > _LARGE_SHAPE:  # SciPy loses the far tails: by Lugannani and Rice, who are right to 1 / shape
        x = (1 if skewness > 0 else -1) * z / sqrt(shape)
        r = (1 if z > 0 else -1) * sqrt(max(0.0, 2 * shape * (x - log1p(x))))
        u = abs(x) * sqrt(shape) * (1 if z > 0 else -1)
        return _normal(r) + (exp(-min(r * r / 2, 700.0)) / sqrt(2 * pi) * (1 / u - 1 / r) if abs(r) > 1e-3 else 0.0)
    from scipy.special import gammainc, gammaincc  # half a second that only verdicts need

    if skewness > 0:
        return float(gammaincc(shape, max(0.0, shape + z * sqrt(shape))))
    return float(gammainc(shape, max(0.0, shape - z * sqrt(shape))))


def _normal(z: float) -> float:
    """The upper tail of the normal distribution."""
    return erfc(z / sqrt(2)) / 2


def _check(rounds: int, low: Fraction, high: Fraction) -> None:
    if isinstance(rounds, bool) or not isinstance(rounds, int) or rounds < 1:
        raise InputError(f"the rounds {quoted(rounds)}: a whole number, 1 or more, is allowed")
    if low > high:
        raise InputError(
            f"an interval from {quoted(str(low))} to {quoted(str(high))}: it must not end before it begins"
        )


def _between(low: Fraction, high: Fraction, form: str = ",.2f") -> str:
    one, other = format(float(low), form), format(float(high), form)
    return one if one == other else f"{one} to {other}"


def _standard(low: Fraction, high: Fraction, expected: float, sd: float) -> float | None:
    """How many standard deviations away the nearest end is; 0 inside."""
    nearest = float(low) - expected if float(low) > expected else min(0.0, float(high) - expected)
    return nearest / sd if sd else None


class _Steps:
    """A round in floats: results less their exact mean, each rounded once, and what is made of them."""

    def __init__(self, one: Distribution) -> None:
        ways = one.ways
        self.mean = one.mean
        self.steps = np.array([float(value - self.mean) for value in one.values])
        self.chances = np.array([weight / ways for weight in one.weights])
        self.sd = sqrt(float(self.chances @ np.square(self.steps)))
        self.skewness = float(self.chances @ self.steps**3) / self.sd**3 if self.sd else 0.0


class _Tails:
    """The chances of a total at or below, and at or above, a bound."""

    def __init__(self, one: Distribution, steps: _Steps, rounds: int, quick: bool) -> None:
        self.one, self.steps, self.rounds = one, steps, rounds
        self.session = None
        if not quick and _countable(one, steps, rounds):
            try:
                self.session = session_of(one, rounds, exact=None if rounds <= _EXACT or rounds > 1000 else False)
            except InputError:  # too many different sums
                self.session = None

    def at(self, bound: Fraction) -> tuple[float, float, str, float | None]:
        """At most, at least, how, and the bound of the error of either."""
        if self.session is not None:
            below, above = self.session.below(bound), self.session.above(bound)
            at_most, at_least = 1 - float(above), 1 - float(below)
            same = float(self.session.at(bound))
            # the smaller one without cancellation
            at_most = min(at_most, float(below) + same) if at_most < 0.5 else at_most
            at_least = min(at_least, float(above) + same) if at_least < 0.5 else at_least
            error = self.session.error * 2 + (0.0 if self.session.exact is not None else 1e-15)
            return at_most, at_least, "exact distribution of the sum", error
        unit = self.one.unit
        half = unit / 2 if float(unit) * 8 > self.steps.sd else Fraction(0)
        at_least = _saddlepoint(self.steps, self.rounds, bound - half, 1)
        at_most = _saddlepoint(self.steps, self.rounds, bound + half, -1) if half else 1 - at_least
        if at_most < 0.5 and not half:
            at_most = _saddlepoint(self.steps, self.rounds, bound, -1)
        return at_most, at_least, "saddlepoint approximation", None


class _RatioTails:
    """The same for a ratio: each bound has a distribution of its own."""

    def __init__(self, ends: Sequence[tuple[Fraction | int, Fraction | int, int]], rounds: int, quick: bool) -> None:
        self.ends, self.rounds, self.quick = ends, rounds, quick

    def at(self, bound: Fraction) -> tuple[float, float, str, float | None]:
        one = per_bet(self.ends, bound)
        return _Tails(one, _Steps(one), self.rounds, self.quick).at(Fraction(0))


def _largest(tails: _Tails | _RatioTails, low: Fraction, high: Fraction) -> tuple[float, str, float | None]:
    """The largest two-sided p-value of a bound from low to high: the chance at most it ascends, that at least it
    descends."""
    at_most, at_least, method, error = tails.at(low)
    p = min(at_most, at_least)
    if low < high and at_most < at_least:
        at_most, at_least, method, error = tails.at(high)
        p = 0.5 if at_most >= at_least else min(at_most, at_least)  # the middle lies between
    return min(1.0, max(2 * (max(p, 0.0) + (error or 0.0)), LEAST_P)), method, None if error is None else 2 * error


def _countable(one: Distribution, steps: _Steps, rounds: int) -> bool:
    """Whether the distribution of the sum is a matter of seconds."""
    if rounds <= _EXACT:
        return True
    largest = float(np.abs(steps.steps).max())
    reach = min(rounds * float(one.values[-1] - one.values[0]), 20 * steps.sd * sqrt(rounds) + 80 * largest)
    return rounds <= MOST_ROUNDS and reach / float(one.unit) <= _MOST_POINTS


def _saddlepoint(one: _Steps, rounds: int, bound: Fraction, side: int) -> float:
    """About the chance of a total at or above the bound, or with side -1 at or below it."""
    steps, chances = side * one.steps, one.chances
    x = float(side * (bound / rounds - one.mean))
    if x >= steps.max():
        return 0.0 if x > steps.max() else float(chances[steps.argmax()]) ** rounds
    if x <= steps.min():
        return 1.0
    sd = one.sd
    low, high = (0.0, 1 / sd) if x > 0 else (-1 / sd, 0.0)

    def slope(theta: float) -> tuple[float, float]:
        """First and second derivative of the cumulant generating function."""
        tilted = chances * np.exp(theta * steps - (theta * steps).max())
        tilted /= tilted.sum()
        first = float(tilted @ steps)
        return first, float(tilted @ (steps - first) ** 2)

    while x > 0 and slope(high)[0] < x:
        low, high = high, 2 * high
    while x < 0 and slope(low)[0] > x:
        low, high = 2 * low, low
    theta = min(max(x / sd**2, low), high)
    for _ in range(200):
        first, second = slope(theta)
        if first < x:
            low = theta
        else:
            high = theta
        step = theta + (x - first) / second if second else (low + high) / 2
        following = step if low < step < high else (low + high) / 2
        if abs(following - theta) <= 1e-15 * abs(theta):
            break
        theta = following
    growth = float(growth_of(theta * steps, chances))
    r = sqrt(max(0.0, 2 * rounds * (theta * x - growth))) * (1 if theta > 0 else -1)
    u = theta * sqrt(rounds * slope(theta)[1])
    if abs(r) < 1e-3:
        skewness = side * one.skewness / sqrt(rounds)
        return _normal(r) - skewness / (6 * sqrt(2 * pi))
    return min(1.0, max(0.0, _normal(r) + exp(-min(r * r / 2, 700.0)) / sqrt(2 * pi) * (1 / u - 1 / r)))
