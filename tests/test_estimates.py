"""An estimate never goes without its error."""

from dataclasses import FrozenInstanceError
from math import inf, nan

import numpy as np
import pytest

from pycs.errors import InputError
from pycs.estimates import Estimate


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        (-0.0522431, 0.0000213, "-0.052243 ± 0.000021 (standard error, 12,000 samples, seed 7)"),
        (-0.0522431, 0.00002, "-0.052243 ± 0.000020 (standard error, 12,000 samples, seed 7)"),
        (2.345, 0.123, "2.35 ± 0.12 (standard error, 12,000 samples, seed 7)"),
        (1234.5678, 12.3, "1235 ± 12 (standard error, 12,000 samples, seed 7)"),
        (1234.5678, 456.7, "1235 ± 457 (standard error, 12,000 samples, seed 7)"),
        (0.25, 0.0, "0.250000 ± 0.000000 (standard error, 12,000 samples, seed 7)"),
        (0.0, 1e-9, "0.0000000000 ± 0.0000000010 (standard error, 12,000 samples, seed 7)"),
    ],
)
def test_text_shows_two_digits_of_the_error(value, error, text):
    assert str(Estimate(value, error, 12_000, 7)) == text


def test_interval_is_four_errors_to_each_side():
    estimate = Estimate(1.0, 0.25, 100, 0)
    assert estimate.interval() == (0.0, 2.0)
    assert estimate.interval(2) == (0.5, 1.5)
    assert estimate.interval(0) == (1.0, 1.0)


def test_interval_holds_the_mean_as_often_as_it_says():
    random = np.random.default_rng(1)
    held = {1: 0, 2: 0, 4: 0}
    for _ in range(2000):
        drawn = random.random(100)
        estimate = Estimate(float(drawn.mean()), float(drawn.std(ddof=1)) / 10, 100, 1)
        for width in held:
            low, high = estimate.interval(width)
            held[width] += low < 0.5 < high
    assert held[1] == pytest.approx(1365, abs=90)
    assert held[2] == pytest.approx(1909, abs=40)
    assert held[4] >= 1997


def test_no_part_is_a_bare_value():
    plain = Estimate(0.5, 0.25, 4, 1).to_dict()
    assert plain == {"estimated_value": 0.5, "standard_error": 0.25, "samples": 4, "seed": 1}
    with pytest.raises(TypeError):
        float(Estimate(0.5, 0.25, 4, 1))


def test_frozen_and_equal_by_all_parts():
    estimate = Estimate(0.5, 0.25, 4, 1)
    with pytest.raises(FrozenInstanceError):
        estimate.value = 1.0
    assert estimate == Estimate(0.5, 0.25, 4, 1)
    assert len({estimate, Estimate(0.5, 0.25, 4, 1), Estimate(0.5, 0.25, 4, 2)}) == 2


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ((nan, 0.1, 4, 1), "an estimate of nan"),
        ((inf, 0.1, 4, 1), "an estimate of inf"),
        ((0.5, -0.1, 4, 1), "a standard error of -0.1: a finite number from 0 is needed"),
        ((0.5, nan, 4, 1), "a standard error of nan"),
        ((0.5, 0.1, 1, 1), "an estimate from 1 samples: at least 2 are needed"),
    ],
)
def test_estimates_that_cannot_be_are_refused(parts, words):
    with pytest.raises(InputError) as error:
        Estimate(*parts)
    assert words in str(error.value)


@pytest.mark.parametrize("width", [-1, nan, inf])
def test_widths_that_cannot_be_are_refused(width):
    with pytest.raises(InputError, match="a width of"):
        Estimate(0.5, 0.1, 4, 1).interval(width)
