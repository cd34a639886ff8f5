"""Sessions of many rounds: by other roads that share no code with `pycs.sessions`."""

from __future__ import annotations

import json
from collections import defaultdict
from fractions import Fraction
from math import comb, erf, exp, lcm, pi, sqrt
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pycs.sessions
from pycs.distributions import Distribution
from pycs.errors import InputError
from pycs.sessions import Session, session_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

PUBLISHED = json.loads((Path(__file__).parent / "data" / "published.json").read_text())["caribbean_us"]
US = Distribution.of([(net, ways) for _, net, ways in PUBLISHED["optimal_outcomes"]])
COIN = Distribution.of([(-1, 1), (1, 1)])
SMALL = st.lists(
    st.tuples(st.fractions(-3, 6, max_denominator=4), st.integers(1, 50)),
    min_size=1,
    max_size=5,
    unique_by=lambda w: w[0],
).map(Distribution.of)


def convolved(one: Distribution, rounds: int) -> dict[Fraction, Fraction]:
    parts = lcm(*(value.denominator for value in one.values))
    steps = [(int(value * parts), weight) for value, weight in zip(one.values, one.weights, strict=True)]
    sums = {0: 1}
    for _ in range(rounds):
        following: dict[int, int] = defaultdict(int)
        for total, ways in sums.items():
            for value, weight in steps:
                following[total + value] += ways * weight
        sums = following
    return {Fraction(total, parts): Fraction(ways, one.ways**rounds) for total, ways in sorted(sums.items())}


def chances_of(one: Distribution) -> dict[Fraction, Fraction]:
    return {value: Fraction(weight, one.ways) for value, weight in zip(one.values, one.weights, strict=True)}


def spread_out(found: Session, wide: Session) -> NDArray[np.float64]:
    """The probabilities of one on the lattice of the other, which is wider."""
    start = (found.first - wide.first) / wide.unit
    assert found.unit == wide.unit
    assert start.denominator == 1
    chances = np.zeros(len(wide.probabilities))
    chances[int(start) : int(start) + len(found.probabilities)] = found.probabilities
    return chances


@settings(max_examples=40, deadline=None)
@given(SMALL, st.integers(1, 6))
def test_exact_is_round_by_round_convolution(one: Distribution, rounds: int) -> None:
    expected = convolved(one, rounds)
    found = session_of(one, rounds)
    assert found.exact is not None
    assert found.method == "exact"
    assert chances_of(found.exact) == expected
    for k, chance in enumerate(found.probabilities.tolist()):
        assert chance == float(expected.get(found.first + k * found.unit, 0))
    middle = list(expected)[len(expected) // 2]
    assert found.at(middle) == expected[middle]
    assert found.above(middle) == sum(p for value, p in expected.items() if value > middle)
    assert found.below(middle) == sum(p for value, p in expected.items() if value < middle)
    assert found.mean == found.exact.mean
    assert found.variance == found.exact.variance
    assert found.skewness == pytest.approx(found.exact.skewness, abs=1e-9)
    assert found.excess_kurtosis == pytest.approx(found.exact.excess_kurtosis, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(SMALL, st.integers(2, 60))
def test_floats_are_within_their_error(one: Distribution, rounds: int) -> None:
    exact, floats = session_of(one, rounds, exact=True), session_of(one, rounds, exact=False)
    assert floats.method == "fourier"
    assert floats.exact is None
    assert 0 < floats.error < 1e-11
    wrong = np.abs(spread_out(floats, exact) - exact.probabilities)
    assert wrong.max() <= floats.error
    assert wrong.sum() <= 2 * floats.error
    for bound in (exact.mean, Fraction(0), exact.first, exact.exact.values[-1]):
        for chance in ("above", "below", "at"):
            assert abs(getattr(floats, chance)(bound) - getattr(exact, chance)(bound)) <= floats.error
    for share in (Fraction(1, 100), Fraction(1, 3), Fraction(1, 2), Fraction(99, 100), Fraction(1)):
        least, most = floats.quantile(share)
        assert least <= exact.quantile(share)[0] <= most


def test_twenty_rounds_of_the_published_game() -> None:
    expected = convolved(US, 20)
    found = session_of(US, 20)
    assert found.exact is not None
    assert chances_of(found.exact) == expected
    frame = found.frame()
    assert frame.columns == ["net", "net_exact", "probability", "at_most", "probability_exact"]
    assert [Fraction(text) for text in frame["net_exact"]] == list(expected)
    assert [Fraction(text) for text in frame["probability_exact"]] == list(expected.values())
    assert frame["probability"].to_list() == [float(chance) for chance in expected.values()]
    assert frame["at_most"][-1] == 1


@pytest.mark.parametrize("rounds", [2, 20, 100])
def test_floats_of_the_published_game_are_within_their_error(rounds: int) -> None:
    exact, floats = session_of(US, rounds), session_of(US, rounds, exact=False)
    assert exact.method == "exact"
    assert floats.error < 1e-13
    wrong = np.abs(spread_out(floats, exact) - exact.probabilities)
    assert wrong.sum() <= floats.error
    assert [low for low, _ in (floats.quantile(Fraction(k, 20)) for k in range(1, 20))] == [
        exact.quantile(Fraction(k, 20))[0] for k in range(1, 20)
    ]
    frame = floats.frame()
    assert frame.columns == ["net", "net_exact", "probability", "at_most", "error"]
    assert frame["error"].unique().to_list() == [floats.error]
    for net, at_most in zip(frame["net_exact"][::50], frame["at_most"][::50], strict=True):
        assert abs(1 - exact.above(Fraction(net)) - Fraction(at_most)) <= floats.error


def test_a_rare_jackpot() -> None:
    """A lattice too large for long floats, and in parts, against binomials: of losses, and of a rare jackpot."""
    one = Distribution.of([(-1, 499_999), (0, 500_000), (500_003, 1)])
    many = session_of(one, 50, exact=False)
    assert many.method == "fourier"
    assert many.error < 1e-9
    check_rare_jackpot(many)
    parts = session_of(one, 50)
    assert parts.method == "parts"
    assert parts.error < 1e-13
    check_rare_jackpot(parts)


def check_rare_jackpot(many: Session) -> None:
    never = Fraction(comb(50, 25) * 499_999**25 * 500_000**25, 1_000_000**50)
    assert abs(many.at(-25) - never) <= many.error
    once = Fraction(50 * comb(49, 20) * 499_999**20 * 500_000**29, 1_000_000**50)
    assert abs(many.at(500_003 - 20) - once) <= many.error


def squared(one: Distribution, rounds: int) -> tuple[int, NDArray[np.longdouble]]:
    """The lowest result and the chances, by squaring in long floats; chances below 1e-19 are cut off."""

    def product(
        a: tuple[int, NDArray[np.longdouble]], b: tuple[int, NDArray[np.longdouble]]
    ) -> tuple[int, NDArray[np.longdouble]]:
        count = len(a[1]) + len(b[1]) - 1
        size = 1 << count.bit_length()
        both = np.fft.irfft(np.fft.rfft(a[1], size) * np.fft.rfft(b[1], size), size)[:count]
        kept = np.flatnonzero(both > 1e-19)
        return a[0] + b[0] + int(kept[0]), both[kept[0] : kept[-1] + 1]

    low = int(one.values[0])
    base = np.zeros(int(one.values[-1]) - low + 1, dtype=np.longdouble)
    for value, weight in zip(one.values, one.weights, strict=True):
        base[int(value) - low] = np.longdouble(weight) / np.longdouble(one.ways)
    power, result = (low, base), (0, np.ones(1, dtype=np.longdouble))
    while rounds:
        if rounds % 2:
            result = product(result, power)
        rounds //= 2
        if rounds:
            power = product(power, power)
    return result


@pytest.mark.parametrize("rounds", [3_000, 1_000_000])
def test_many_rounds_are_repeated_squares(rounds: int) -> None:
    found = session_of(US, rounds)
    low, expected = squared(US, rounds)
    assert found.unit == 1
    places = np.arange(len(found.probabilities)) + int(found.first) - low
    inside = (places >= 0) & (places < len(expected))
    wrong = np.abs(found.probabilities[inside] - expected[places[inside]])
    # squaring in long floats is wrong by some 1e-19 times the rounds, and an eighth of the machines have none
    assert wrong.sum() < found.error + 1e-9
    assert found.probabilities[~inside].sum() < 1e-12


def test_a_million_rounds_have_their_moments_and_shape() -> None:
    found = session_of(US, 1_000_000)
    assert found.method == "fourier"
    assert found.error < 1e-12
    net = float(found.first) + np.arange(len(found.probabilities)) - float(found.mean)
    assert found.probabilities.sum() == pytest.approx(1, abs=1e-12)
    assert (found.probabilities * net).sum() == pytest.approx(0, abs=1e-6)
    assert (found.probabilities * net**2).sum() == pytest.approx(float(found.variance), rel=1e-10)
    assert (found.probabilities * net**3).sum() / found.sd**3 == pytest.approx(found.skewness, rel=1e-7)
    assert (found.probabilities * net**4).sum() / found.sd**4 - 3 == pytest.approx(found.excess_kurtosis, abs=1e-9)
    for z in (-2, -1, 0, 0.5, 1.5):  # Edgeworth, with the correction for a lattice that is read between two results
        bound = int(found.mean) + round(z * found.sd)
        z = (bound + 0.5 - float(found.mean)) / found.sd
        density = exp(-z * z / 2) / sqrt(2 * pi)
        expected = (1 + erf(z / sqrt(2))) / 2 - density * found.skewness * (z * z - 1) / 6
        assert 1 - found.above(bound) == pytest.approx(expected, abs=2e-6)


def test_the_most_rounds() -> None:
    found = session_of(COIN, 10**9)
    # Stirling's series
    assert found.at(0) == pytest.approx(sqrt(2 / (pi * 1e9)) * (1 - 1 / 4e9), rel=1e-9)
    assert found.at(1) == 0
    assert abs(found.above(0) + found.at(0) + found.below(0) - 1) <= found.error
    assert found.quantile(Fraction(1, 2)) == (0, 0)


def test_a_quantile_that_is_open_says_so() -> None:
    found = session_of(COIN, 99_999)  # odd: exactly half of it lies below 0
    assert found.method == "fourier"
    assert found.quantile(Fraction(1, 2)) == (-1, 1)
    assert found.quantile(Fraction(1)) == (found.quantile(Fraction(1))[0], 99_999)
    assert found.quantile(Fraction(1, 10**20))[0] == -99_999


def test_one_result_and_one_round() -> None:
    sure = session_of(Distribution.of([(Fraction(-5, 2), 7)]), 10**9)
    assert sure.at(Fraction(-5 * 10**9, 2)) == 1
    assert sure.to_dict()["variance"] == 0
    huge = Distribution.of([(0, 10**9), (Fraction(1, 1000), 1), (5000, 1)])
    assert session_of(huge, 1, exact=False).at(5000) == Fraction(1, 10**9 + 2)


def test_to_dict_is_plain_and_says_what_is_exact() -> None:
    few, many = session_of(US, 20).to_dict(), session_of(US, 20, exact=False).to_dict()
    assert json.loads(json.dumps(few)) == few
    assert (few["method"], few["error"], many["method"]) == ("exact", 0.0, "fourier")
    assert Fraction(few["above"]["chance_exact"]) == session_of(US, 20).above(0)
    assert "chance_exact" not in many["above"]
    assert few["mean_exact"] == many["mean_exact"] == str(20 * US.mean)
    assert [row["share"] for row in few["quantiles"]] == [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99]
    assert few["quantiles"] == many["quantiles"]
    assert "chance_exact" not in session_of(US, 100).to_dict()["above"]  # thousands of digits
    assert "exact" in str(session_of(US, 20))
    assert "within" in str(session_of(US, 20, exact=False))


def test_simulation() -> None:
    """Ten million sessions of 20 rounds, within five standard errors."""
    nets = net_of_draws(US)
    exact = session_of(US, 20)
    counts = np.zeros(5_000, dtype=np.int64)
    rng = np.random.default_rng(20)
    sessions, chunk = 10_000_000, 500_000
    for _ in range(sessions // chunk):
        total = np.zeros(chunk, dtype=np.int16)
        for _ in range(20):
            total += draw(rng, nets, US, chunk)
        counts += np.bincount(total + 60, minlength=len(counts))
    net = np.arange(len(counts)) - 60
    cells = [net > 0, net == 0, net < 0]
    expected = [exact.above(0), exact.at(0), exact.below(0)]
    cuts = [int(exact.quantile(Fraction(k, 20))[0]) for k in range(1, 20)]
    cells += [net <= cut for cut in cuts]
    expected += [1 - exact.above(cut) for cut in cuts]
    for cell, chance in zip(cells, expected, strict=True):
        p = float(chance)
        assert abs(counts[cell].sum() / sessions - p) < 5 * sqrt(p * (1 - p) / sessions)


def net_of_draws(one: Distribution) -> NDArray[np.int16]:
    """The result of each of 65,536 equal parts of the ways, -30,000 where a part has more than one."""
    ends = np.cumsum([0, *one.weights])
    nets = np.full(65_536, -30_000, dtype=np.int16)
    for k, value in enumerate(one.values):
        nets[-(-int(ends[k]) * 65_536 // one.ways) : int(ends[k + 1]) * 65_536 // one.ways] = int(value)
    return nets


def draw(rng: np.random.Generator, nets: NDArray[np.int16], one: Distribution, count: int) -> NDArray[np.int16]:
    parts = rng.integers(0, 65_536, count, dtype=np.uint16)
    drawn = nets[parts]
    mixed = np.flatnonzero(drawn == -30_000)
    place = (parts[mixed] + rng.random(len(mixed))) / 65_536 * one.ways
    found = np.searchsorted(np.cumsum(one.weights), place, side="right")
    drawn[mixed] = np.array([int(value) for value in one.values], dtype=np.int16)[found]
    return drawn


@pytest.mark.parametrize("rounds", [0, -1, 10**9 + 1, 1.0, "20", True, None])
def test_bad_rounds(rounds: object) -> None:
    with pytest.raises(InputError, match=r"^the rounds .+: a whole number from 1 to 1,000,000,000 is allowed$"):
        session_of(US, rounds)  # type: ignore[arg-type]


def test_too_much() -> None:
    jackpot = Distribution.of([(-1, 10), (Fraction(1, 1000), 1), (10**6, 1)])
    with pytest.raises(InputError, match=r"^1,000 rounds .+: too many different sums; fewer rounds, or rounder"):
        session_of(jackpot, 1000)
    with pytest.raises(InputError, match=r"^1,000 rounds of 13 results, exactly: fewer are allowed, or exact=False$"):
        session_of(US, 1000, exact=True)


@pytest.mark.parametrize("share", [0, -1, Fraction(3, 2)])
@pytest.mark.parametrize("exact", [True, False])
def test_bad_share(share: Fraction, exact: bool) -> None:
    with pytest.raises(InputError, match=r"above 0 and at most 1 is allowed$"):
        session_of(COIN, 10, exact=exact).quantile(share)


ODD_CENTS = Distribution.of([*zip(US.values, US.weights, strict=True), (Fraction(1234567891, 10**5), US.ways // 10**5)])


def test_parts_are_within_their_error() -> None:
    """A rare result that fits no lattice, against every sum of five rounds one by one."""
    found = session_of(ODD_CENTS, 200)
    assert (found.method, found.exact) == ("parts", None)
    assert 0 < found.error < 1e-11
    assert abs(sum(found.probabilities.tolist()) - 1) < found.error
    exact: dict[Fraction, Fraction] = {Fraction(0): Fraction(1)}
    one = [(value, Fraction(weight, ODD_CENTS.ways)) for value, weight in zip(*_columns(ODD_CENTS), strict=True)]
    for _ in range(5):
        more: dict[Fraction, Fraction] = {}
        for so_far, chance in exact.items():
            for value, weight in one:
                more[so_far + value] = more.get(so_far + value, Fraction(0)) + chance * weight
        exact = more
    few = pycs.sessions._in_parts(ODD_CENTS.reduced, 5, *_lattice(ODD_CENTS))
    assert few is not None
    values = {few.first + few.unit * place: chance for place, chance in enumerate_places(few)}
    assert all(chance <= few.error for value, chance in values.items() if value not in exact)
    for value, chance in exact.items():
        assert abs(values.get(value, 0.0) - chance) <= few.error
    for bound in (-3, 0, 20, 12000, 12346, 30000):
        assert abs(Fraction(few.above(bound)) - sum(c for v, c in exact.items() if v > bound)) <= few.error
        assert abs(Fraction(few.below(bound)) - sum(c for v, c in exact.items() if v < bound)) <= few.error
    assert few.quantile(Fraction(1, 2))[0] == sorted_quantile(exact, Fraction(1, 2))


def test_parts_agree_with_simulated_counts_of_the_rare_result() -> None:
    """The chance of at least one odd win is that of a coin, whatever else comes."""
    found = session_of(ODD_CENTS, 200)
    rare = 1 - (1 - Fraction(US.ways // 10**5, ODD_CENTS.ways)) ** 200
    assert abs(Fraction(found.above(5000)) - rare) <= found.error
    frame = found.frame()
    assert frame.columns == ["net", "net_exact", "probability", "at_most", "error"]
    assert frame["probability"].min() > found.error


def test_few_rounds_of_results_without_a_lattice_are_exact() -> None:
    found = session_of(ODD_CENTS, 3)
    assert found.method == "exact"
    assert len(found.exact.values) == len(found.probabilities) == len(found.places) < 1000
    assert found.at(3 * Fraction(1234567891, 10**5)) == Fraction(US.ways // 10**5, ODD_CENTS.ways) ** 3


def _columns(one: Distribution) -> tuple[tuple[Fraction, ...], tuple[int, ...]]:
    return one.values, one.weights


def _lattice(one: Distribution) -> tuple[list[int], Fraction]:
    unit = Fraction(1, 10**5)
    return [int((value - one.values[0]) / unit) for value in one.values], unit


def enumerate_places(found: Session) -> list[tuple[int, float]]:
    return [(place, chance) for place, chance in zip(found.places.tolist(), found.probabilities, strict=True) if chance]


def sorted_quantile(exact: dict[Fraction, Fraction], share: Fraction) -> Fraction:
    so_far = Fraction(0)
    for value in sorted(exact):
        so_far += exact[value]
        if so_far >= share:
            return value
    raise AssertionError
