"""The exact distribution of a result: which values it can have, and in how many equally likely ways each."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm, sqrt
from typing import TYPE_CHECKING

from pycs.errors import InputError
from pycs.messages import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Distribution", "common_unit"]


def common_unit(amounts: Iterable[Fraction]) -> Fraction:
    """The largest amount of which all of these are whole multiples; 1 when all are 0.

    >>> common_unit([Fraction(1, 2), Fraction(-3)]), common_unit([Fraction(0)])
    (Fraction(1, 2), Fraction(1, 1))
    """
    amounts = list(amounts)
    below = lcm(*(amount.denominator for amount in amounts))
    above = gcd(*(int(amount * below) for amount in amounts))
    return Fraction(above or below, below)


@dataclass(frozen=True, slots=True)
class Distribution:
    """A distribution over equally likely ways: `weights[i]` of them have the result `values[i]`, in antes.

    Values ascend, weights are positive. All of it is exact; what takes a square root is a float. Safe to share among
    threads.

    >>> coins = Distribution.of([(-1, 1), (1, 1), (-1, 2)])
    >>> coins.values, coins.weights, coins.mean, coins.variance
    ((Fraction(-1, 1), Fraction(1, 1)), (3, 1), Fraction(-1, 2), Fraction(3, 4))
    """

    values: tuple[Fraction, ...]
    weights: tuple[int, ...]

    @classmethod
    def of(cls, ways: Iterable[tuple[Fraction | int, int]]) -> Distribution:
        """The distribution of these results, each with a number of ways; equal results add up, 0 ways are left out.

        InputError for a negative number of ways, and when there are none at all.
        """
        sums: Counter[Fraction] = Counter()
        for value, weight in ways:
            if weight < 0:
                raise InputError(f"a result with {quoted(weight)} ways: 0 or more are allowed")
            sums[Fraction(value)] += weight
        values = tuple(sorted(value for value, weight in sums.items() if weight))
        if not values:
            raise InputError("a distribution without a result: at least one way is needed")
        return cls(values, tuple(sums[value] for value in values))

    @property
    def ways(self) -> int:
        """How many equally likely ways there are."""
        return sum(self.weights)

    @property
    def reduced(self) -> Distribution:
        """The same with the smallest whole weights."""
        common = gcd(*self.weights)
        return Distribution(self.values, tuple(weight // common for weight in self.weights))

    @property
    def unit(self) -> Fraction:
        """The largest amount of which every value is a whole multiple; 1 when the only value is 0.

        >>> Distribution.of([(Fraction(1, 2), 1), (-3, 1)]).unit
        Fraction(1, 2)
        """
        return common_unit(self.values)

    @property
    def mean(self) -> Fraction:
        """The mean."""
        return self.moment(1)

    @property
    def variance(self) -> Fraction:
        """The mean square of the distance from the mean."""
        return self.central_moment(2)

    @property
    def sd(self) -> float:
        """The standard deviation: the square root of the variance."""
        return sqrt(self.variance)

    @property
    def skewness(self) -> float:
        """The third central moment over the cube of the standard deviation; 0 when there is no spread."""
        return float(self.central_moment(3)) / self.sd**3 if self.variance else 0.0

    @property
    def excess_kurtosis(self) -> float:
        """The fourth central moment over the square of the variance, less 3 (that of a normal distribution)."""
        return float(self.central_moment(4) / self.variance**2 - 3) if self.variance else 0.0

    def moment(self, power: int) -> Fraction:
        """The mean of this power of the result."""
        return Fraction(sum(v**power * w for v, w in zip(self.values, self.weights, strict=True)), self.ways)

    def central_moment(self, power: int) -> Fraction:
        """The mean of this power of the distance from the mean."""
        mean = self.mean
        return Fraction(sum((v - mean) ** power * w for v, w in zip(self.values, self.weights, strict=True)), self.ways)

    def above(self, bound: Fraction | int) -> Fraction:
        """The chance of a result above the bound."""
        return Fraction(sum(w for v, w in zip(self.values, self.weights, strict=True) if v > bound), self.ways)

    def below(self, bound: Fraction | int) -> Fraction:
        """The chance of a result below the bound."""
        return Fraction(sum(w for v, w in zip(self.values, self.weights, strict=True) if v < bound), self.ways)

    def at(self, value: Fraction | int) -> Fraction:
        """The chance of exactly this result."""
        return 1 - self.above(value) - self.below(value)

    def quantile(self, share: Fraction) -> Fraction:
        """The least result that at least this share of the ways stay at or below.

        InputError unless the share lies above 0 and is at most 1.

        >>> Distribution.of([(-1, 2), (5, 1)]).quantile(Fraction(2, 3))
        Fraction(-1, 1)
        """
        if not 0 < share <= 1:
            raise InputError(f"the share {quoted(share)} of a quantile: above 0 and at most 1 is allowed")
        ways, so_far = self.ways, 0
        for value, weight in zip(self.values, self.weights, strict=True):
            so_far += weight
            if so_far >= share * ways:
                return value
        return self.values[-1]
