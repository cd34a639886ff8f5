"""A distribution's figures against those of all its ways, one by one."""

from fractions import Fraction
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pycs.distributions import Distribution
from pycs.errors import InputError

values = st.fractions(min_value=-5, max_value=200, max_denominator=6)
some_ways = st.lists(st.tuples(values, st.integers(1, 5)), min_size=1, max_size=8)


@given(some_ways)
def test_every_figure_is_that_of_all_ways(ways):
    one = Distribution.of(ways)
    each = sorted(value for value, weight in ways for _ in range(weight))
    mean = sum(each, Fraction(0)) / len(each)
    assert one.ways == len(each)
    assert list(one.values) == sorted(set(each))
    assert one.mean == mean
    for power in (2, 3, 4):
        assert one.central_moment(power) == sum(((value - mean) ** power for value in each), Fraction(0)) / len(each)
        assert one.moment(power) == sum((value**power for value in each), Fraction(0)) / len(each)
    assert one.variance == one.central_moment(2)
    for bound in (Fraction(0), each[0], each[-1], mean):
        shares = [Fraction(sum(test(value) for value in each), len(each)) for test in comparisons(bound)]
        assert [one.below(bound), one.at(bound), one.above(bound)] == shares
    for percent in (1, 50, 100):
        assert one.quantile(Fraction(percent, 100)) == each[max(0, -(-percent * len(each) // 100) - 1)]
    assert all((value / one.unit).denominator == 1 for value in each)
    assert one.reduced.mean == one.mean
    assert Distribution.of([*ways, (1000, 0)]) == one


def comparisons(bound):
    return (lambda value: value < bound), (lambda value: value == bound), (lambda value: value > bound)


def test_the_shape_of_a_known_distribution():
    """The waiting time of a fair coin, cut where nothing is left to see: skewness 3/sqrt(2), excess kurtosis 6.5."""
    waits = Distribution.of((times, 2 ** (200 - times)) for times in range(1, 200))
    assert float(waits.mean) == pytest.approx(2, abs=1e-12)
    assert waits.sd == pytest.approx(2**0.5)
    assert waits.skewness == pytest.approx(3 / 2**0.5)
    assert waits.excess_kurtosis == pytest.approx(6.5)


def test_one_value_has_no_spread():
    sure = Distribution.of([(-1, 7)])
    assert (sure.sd, sure.skewness, sure.excess_kurtosis, sure.unit) == (0, 0, 0, 1)
    assert Distribution.of([(0, 1)]).unit == 1
    assert fmean(map(float, sure.values)) == -1


def test_what_is_no_distribution_is_refused():
    with pytest.raises(InputError, match="without a result"):
        Distribution.of([(1, 0)])
    with pytest.raises(InputError, match="with -1 ways"):
        Distribution.of([(1, -1)])
    for share in (Fraction(0), Fraction(101, 100), Fraction(-1)):
        with pytest.raises(InputError, match="above 0 and at most 1 is allowed"):
            Distribution.of([(1, 1)]).quantile(share)
