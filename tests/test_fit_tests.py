"""Tests of fit: against enumeration in whole numbers, long decimals and SciPy, and their error rates by simulation.

Rates are held against binomial bounds that right code passes in all but 1 of 100,000 cases; seeds are fixed.
"""

from __future__ import annotations

import json
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product
from math import ceil, comb, factorial, prod, sqrt
from pathlib import Path

import numpy as np
import pytest
from scipy.special import chdtri
from scipy.stats import binomtest, chisquare

from pycs.detection import detectable, rounds_needed
from pycs.distributions import Distribution
from pycs.errors import InputError
from pycs.evidence import LOOKS
from pycs.fit_tests import _hands, binomial_test, multinomial_test, poisson_test, subset_test
from pycs.sessions import session_of
from pycs.total_tests import _pearson, drift_test, per_bet, ratio_test, sum_test

PUBLISHED = json.loads((Path(__file__).parent / "data" / "published.json").read_text())["caribbean_us"]
ENDS = [(net, 1 if event == "fold" else 3, ways) for event, net, ways in PUBLISHED["optimal_outcomes"]]
US = Distribution.of([(net, ways) for net, _, ways in ENDS])
WEIGHTS = [ways for *_, ways in ENDS]
COIN = Distribution.of([(-1, 1), (1, 1)])
SKEWED = [1, 20, 700, 5_000, 400_000]


def most_hits(trials: int, alpha: float) -> int:
    """More hits come in fewer than 1 of 100,000 cases where each has a chance of alpha."""
    return next(k for k in range(trials + 1) if tail(k + 1, trials, alpha) < 1e-5)


def tail(hits: int, trials: int, chance: float) -> float:
    return float(binomtest(hits, trials, chance, alternative="greater").pvalue) if hits <= trials else 0.0


def check_level(p_values: list[float], alphas: tuple[float, ...] = (0.05, 0.01, 0.001)) -> None:
    for alpha in alphas:
        hits = sum(p <= alpha for p in p_values)
        assert hits <= most_hits(len(p_values), alpha), (alpha, hits, len(p_values))


# --- counts -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weights", [(1, 2, 3), (1, 1, 1, 1), (1, 50, 1000)])
def test_few_counts_are_compared_with_all_possible_ones(weights: tuple[int, ...]) -> None:
    rounds, ways = 7, sum(weights)
    chances = {}
    for counts in product(range(rounds + 1), repeat=len(weights)):
        if sum(counts) == rounds:
            orders = factorial(rounds) // prod(map(factorial, counts))
            way = orders * prod(w**c for w, c in zip(weights, counts, strict=True))
            far = sum(Fraction((c * ways - rounds * w) ** 2, w) for w, c in zip(weights, counts, strict=True))
            chances[counts] = (far, Fraction(way, ways**rounds))
    assert sum(chance for _, chance in chances.values()) == 1
    for counts, (far, _) in chances.items():
        found = multinomial_test("counts", "dealing", counts, weights)
        assert found.p_value == float(sum(chance for other, chance in chances.values() if other >= far))
        assert found.statistic == pytest.approx(float(far / (rounds * ways)))
        assert (found.error, found.method) == (0.0, f"exact, {len(chances)} possible counts")


def test_samples_agree_with_the_chi_square_distribution_where_counts_are_large() -> None:
    random = np.random.default_rng(3)
    weights = [3, 5, 7, 11]
    for seed in range(20):
        observed = random.multinomial(200_000, np.array(weights) / 26).tolist()
        found = multinomial_test("counts", "dealing", observed, weights, seed=seed)
        expected = chisquare(observed, [200_000 * weight / 26 for weight in weights])
        assert found.statistic == pytest.approx(expected.statistic)
        assert found.error is not None
        assert abs(found.p_value * 0.99 - expected.pvalue) < 6 * found.error + 0.001


@pytest.mark.parametrize("rounds", [50, 1_000, 30_000, 1_000_000])
def test_counts_of_skewed_data_hold_their_level(rounds: int) -> None:
    random = np.random.default_rng(rounds)
    chances = np.array(SKEWED) / sum(SKEWED)
    drawn = [random.multinomial(rounds, chances).tolist() for _ in range(250)]
    check_level([multinomial_test("c", "dealing", o, SKEWED, seed=k).p_value for k, o in enumerate(drawn)])


def test_outcomes_of_the_game_hold_their_level() -> None:
    random = np.random.default_rng(11)
    chances = np.array(WEIGHTS) / sum(WEIGHTS)
    drawn = [random.multinomial(20_000, chances).tolist() for _ in range(100)]
    check_level([multinomial_test("c", "dealing", o, WEIGHTS, seed=k).p_value for k, o in enumerate(drawn)])


def test_counts_of_any_size() -> None:
    exact = [10**12 * weight // sum(WEIGHTS) for weight in WEIGHTS]
    found = multinomial_test("counts", "dealing", exact, WEIGHTS)
    assert found.p_value > 0.99
    exact[0], exact[9] = exact[0] + 8_000, exact[9] - 8_000  # royal flushes, of 840,000
    assert multinomial_test("counts", "dealing", exact, WEIGHTS).p_value < 1e-12
    assert multinomial_test("counts", "dealing", exact, WEIGHTS, anytime=True).p_value < 0.01
    assert multinomial_test("none", "dealing", [0, 0, 0], [1, 2, 3]).p_value == 1
    assert multinomial_test("one", "dealing", [0, 0, 1], [1, 2, 3]).p_value == 1


def test_a_class_that_cannot_be_settles_it() -> None:
    assert multinomial_test("counts", "dealing", [1, 10**9], [0, 1]).p_value == 0
    assert multinomial_test("counts", "dealing", [0, 10**9], [0, 1]).p_value == 1


def test_two_classes_are_binomial() -> None:
    found = multinomial_test("counts", "dealing", [30_000, 70_400], [3, 7])
    alone = binomial_test("counts", "dealing", 30_000, 100_400, Fraction(3, 10))
    assert (found.p_value, found.method) == (alone.p_value, "exact binomial")


@pytest.mark.parametrize("chance", [Fraction(1, 3), Fraction(1, 649_740), Fraction(99, 100)])
def test_binomial_tails_are_those_of_whole_numbers(chance: Fraction) -> None:
    rounds, up, down = 40, chance.numerator, chance.denominator - chance.numerator
    ways = [comb(rounds, k) * up**k * down ** (rounds - k) for k in range(rounds + 1)]
    everything = chance.denominator**rounds
    for hits in range(rounds + 1):
        expected = min(1.0, 2 * float(Fraction(min(sum(ways[: hits + 1]), sum(ways[hits:])), everything)))
        found = binomial_test("hits", "dealing", hits, rounds, chance)
        assert found.p_value == pytest.approx(max(expected, 1e-300), rel=1e-8)


def log_factorial(number: int) -> Decimal:
    """By Stirling's series: right to some 40 digits."""
    if number < 3_000:
        return Decimal(factorial(number)).ln()
    n, pi = Decimal(number), Decimal("3.14159265358979323846264338327950288419716939937510582")
    return n * n.ln() - n + (2 * pi * n).ln() / 2 + 1 / (12 * n) - 1 / (360 * n**3) + 1 / (1260 * n**5)


@pytest.mark.parametrize("rounds", [10**4, 10**9, 10**12])
@pytest.mark.parametrize("z", [5, 15, 35])
def test_far_tails_of_many_rounds(rounds: int, z: int) -> None:
    chance = Fraction(9523005974460, 19933230517200)
    hits = ceil(rounds * chance + z * sqrt(rounds * chance * (1 - chance)))
    with localcontext(prec=60):
        up = Decimal(chance.numerator) / Decimal(chance.denominator)
        logarithm = log_factorial(rounds) - log_factorial(hits) - log_factorial(rounds - hits)
        logarithm += hits * up.ln() + (rounds - hits) * (1 - up).ln()
        odds, ratio, total, at = float(up / (1 - up)), 1.0, 1.0, hits
        while ratio > 1e-12 * total and at < rounds:
            k = np.arange(at, min(at + 2**16, rounds), dtype=np.float64)
            steps = ratio * np.cumprod((rounds - k) / (k + 1) * odds)
            ratio, total, at = float(steps[-1]), total + float(steps.sum()), at + len(k)
        expected = 2 * float((logarithm + Decimal(total).ln()).exp())
    found = binomial_test("hits", "dealing", hits, rounds, chance)
    assert found.p_value == pytest.approx(max(expected, 1e-300), rel=1e-8)


@pytest.mark.parametrize("expected", [Fraction(1, 1000), Fraction(5), 9_000, 20_000, 10**9])
@pytest.mark.parametrize("z", [0, 3, 12])
def test_poisson_tails(expected: Fraction, z: int) -> None:
    events = max(1, ceil(expected + z * sqrt(expected)))
    with localcontext(prec=60):
        mean = Decimal(Fraction(expected).numerator) / Decimal(Fraction(expected).denominator)
        logarithm = events * mean.ln() - mean - log_factorial(events)
        ratio, total, at = 1.0, 1.0, events
        while ratio > 1e-12:
            steps = ratio * np.cumprod(float(expected) / np.arange(at + 1, at + 2**15, dtype=np.float64))
            ratio, total, at = float(steps[-1]), total + float(steps.sum()), at + len(steps)
        right = float((logarithm + Decimal(total).ln()).exp())
    assert poisson_test("e", "dealing", events, expected, rounds=1).p_value == pytest.approx(right, rel=1e-8)
    assert poisson_test("e", "dealing", 0, expected, rounds=1).p_value == 1


def test_cards_of_hands_hold_their_level() -> None:
    random = np.random.default_rng(5)
    for rounds, cards, trials in ((6, 5, 30), (60, 2, 30), (100, 1, 30)):
        drawn = _hands(random, trials, rounds, cards)
        assert (drawn.sum(axis=1) == rounds * cards).all()
        check_level(
            [subset_test("c", "dealing", c, cards, rounds, seed=k).p_value for k, c in enumerate(drawn.tolist())]
        )
    for rounds, cards in ((520, 5), (300, 9), (60, 47)):  # by the chi-square distribution
        drawn = _hands(random, 500, rounds, cards)
        share = cards / 52
        far = np.square(drawn - rounds * share).sum(axis=1) * 51 / 52 / (rounds * share * (1 - share))
        for alpha in (0.01, 0.001):
            assert (far >= chdtri(51, alpha)).sum() <= most_hits(500, 1.2 * alpha)
        found = subset_test("c", "dealing", drawn[0].tolist(), cards, rounds)
        assert found.statistic == pytest.approx(far[0])


def test_a_marked_deck_fails() -> None:
    counts = [1_000_000] * 52
    counts[0] += 12_000
    counts[1] -= 12_000
    assert subset_test("cards", "dealing", counts, 5, 10_400_000).p_value < 1e-5
    assert subset_test("cards", "dealing", counts, 5, 10_400_000, anytime=True).p_value < 0.01


# --- totals -------------------------------------------------------------------------------------------------------


def test_a_sum_is_tested_by_its_exact_distribution() -> None:
    session = session_of(US, 12)
    for total in (-36, -20, -3, 0, 9, 60, 201):
        expected = min(1.0, 2 * float(min(1 - session.above(total), 1 - session.below(total))))
        found = sum_test("total", "dealing", US, 12, total)
        assert found.p_value == pytest.approx(max(expected, 1e-300), rel=1e-12)
        assert found.error == 0


def test_of_an_interval_the_largest_p_value_counts() -> None:
    p = [sum_test("total", "dealing", COIN, 100, total).p_value for total in range(-30, 31, 2)]
    low, high = Fraction(12), Fraction(20)
    assert sum_test("total", "dealing", COIN, 100, (low, high)).p_value == p[(12 + 30) // 2]
    assert sum_test("total", "dealing", COIN, 100, (-high, -low)).p_value == p[(30 - 12) // 2]
    assert sum_test("total", "dealing", COIN, 100, (-high, high)).p_value == 1
    with pytest.raises(InputError, match="must not end before it begins"):
        sum_test("total", "dealing", COIN, 100, (high, low))


@pytest.mark.parametrize(("rounds", "within"), [(1_000, 0.15), (10_000, 0.02), (1_000_000, 1e-5)])
def test_the_saddlepoint_is_near_the_exact_sum(rounds: int, within: float) -> None:
    for z in (-3, 3) if rounds > 10_000 else (-4, -2.5, -1, 0.001, 1, 2.5, 4):
        total = int(rounds * US.mean + z * US.sd * sqrt(rounds))
        exact = sum_test("total", "dealing", US, rounds, total)
        quick = sum_test("total", "dealing", US, rounds, total, quick=True)
        assert quick.p_value == pytest.approx(exact.p_value, rel=within)
        assert (exact.method, quick.method) == ("exact distribution of the sum", "saddlepoint approximation")
        assert quick.error is None


def test_totals_of_a_trillion_rounds() -> None:
    rounds = 10**12
    middle = round(rounds * US.mean)
    p = [sum_test("t", "dealing", US, rounds, middle + round(z * US.sd * 1e6)).p_value for z in (0, 3, -3, 10, 60)]
    assert p == pytest.approx([1, 0.0027, 0.0027, 1.5239706e-23, 1e-300], rel=1e-3)


def test_a_ratio_is_tested_by_the_exact_distribution() -> None:
    """Against all ways for eight rounds to end: totals of net and of bet, in whole numbers."""
    ends = [(-1, 1, 4), (-3, 3, 2), (1, 3, 2), (9, 3, 1)]
    sums = {(0, 0): 1}
    for _ in range(8):
        more: dict[tuple[int, int], int] = {}
        for (net, bet), ways in sums.items():
            for other, staked, weight in ends:
                key = (net + other, bet + staked)
                more[key] = more.get(key, 0) + ways * weight
        sums = more
    everything = sum(sums.values())
    ratios = sorted({Fraction(net, bet) for net, bet in sums})
    for ratio in (ratios[0], ratios[len(ratios) // 3], Fraction(-1, 7), ratios[-40], ratios[-1]):
        at_most = sum(ways for (net, bet), ways in sums.items() if Fraction(net, bet) <= ratio)
        at_least = sum(ways for (net, bet), ways in sums.items() if Fraction(net, bet) >= ratio)
        found = ratio_test("rtp", "dealing", ends, 8, ratio)
        assert found.p_value == pytest.approx(min(1, 2 * min(at_most, at_least) / everything), rel=1e-12)


def drawn_games(random: np.random.Generator, rounds: int, number: int) -> tuple[np.ndarray, np.ndarray]:
    """Total net results and bets of games of so many rounds."""
    counts = random.multinomial(rounds, np.array(WEIGHTS) / sum(WEIGHTS), number)
    return counts @ np.array([net for net, *_ in ENDS]), counts @ np.array([bet for _, bet, _ in ENDS])


def test_totals_and_ratios_hold_their_level() -> None:
    random = np.random.default_rng(8)
    nets, bets = drawn_games(random, 20_000, 250)
    check_level([sum_test("t", "dealing", US, 20_000, int(net), quick=True).p_value for net in nets])
    ratios = [Fraction(int(net), int(bet)) for net, bet in zip(nets, bets, strict=True)]
    check_level([ratio_test("r", "dealing", ENDS, 20_000, ratio, quick=True).p_value for ratio in ratios[:100]])
    nets, _ = drawn_games(random, 300, 40)
    check_level([sum_test("t", "dealing", US, 300, int(net)).p_value for net in nets])


def test_per_bet_has_no_mean_at_the_exact_ratio() -> None:
    ratio = US.mean / Fraction(sum(bet * ways for _, bet, ways in ENDS), sum(WEIGHTS))
    assert f"{float(-ratio):.6%}" == "2.555286%"
    assert per_bet(ENDS, ratio).mean == 0
    with pytest.raises(InputError, match="a round without a bet"):
        ratio_test("r", "dealing", [(1, 0, 1)], 5, Fraction(0))


def test_drifts_hold_their_level() -> None:
    random = np.random.default_rng(6)
    for groups in (
        {1e-4: 100_000},
        {0.5: 40},
        {1e-3: 90_000, 0.9: 10},
        {0.05: 800},
        {0.95: 800},
        {1e-3: 300},
        {0.5: 2},
    ):
        variance = sum(n * p * (1 - p) for p, n in groups.items())
        third = sum(n * p * (1 - p) * (1 - 2 * p) for p, n in groups.items())
        drifts = sum(random.binomial(n, p, 6_000) - n * p for p, n in groups.items())
        values, counts = np.unique(np.round(drifts, 6), return_counts=True)
        rounds = sum(groups.values())
        p_values = [drift_test("d", "dealing", float(x), variance, third, rounds=rounds).p_value for x in values]
        check_level([p for p, count in zip(p_values, counts.tolist(), strict=True) for _ in range(count)])


def test_drifts_of_a_large_log_are_normal() -> None:
    found = drift_test("d", "dealing", 3_000.5, 10**6, 2e5, rounds=10**7)
    assert found.p_value == pytest.approx(0.0027, rel=0.01)
    assert drift_test("d", "dealing", 0.0, 0.0, rounds=10).p_value == 1
    assert drift_test("d", "dealing", 1.0, 0.0, rounds=10).p_value == 1e-300
    for skewness in (0.0201, -0.0201, 0.05):  # on either side of where SciPy's gamma distribution is left
        for z in (0.5, 2, 5):
            near = _pearson(z, skewness * 0.99), _pearson(z, skewness), _pearson(z, skewness * 1.01)
            assert sorted(near) in (list(near), list(near)[::-1])


# --- at every look ------------------------------------------------------------------------------------------------


def looks(random: np.random.Generator, runs: int) -> np.ndarray:
    """Counts by outcome of growing logs, at 12 looks from 30 rounds to 4 million: shape (runs, looks, outcomes)."""
    steps = np.diff([0, *np.geomspace(30, 4e6, 12).astype(int)])
    counts = np.stack([random.multinomial(step, np.array(WEIGHTS) / sum(WEIGHTS), runs) for step in steps], axis=1)
    return np.asarray(counts.cumsum(axis=1))


def test_a_look_after_every_batch_does_no_harm() -> None:
    runs, alpha = 40, 0.05
    counts = looks(np.random.default_rng(21), runs)
    nets, bets = (counts @ np.array([end[k] for end in ENDS]) for k in (0, 1))
    alarms = dict.fromkeys(("counts", "total", "ratio", "drift"), 0)
    for run in range(runs):
        least = dict.fromkeys(alarms, 1.0)
        for look in range(counts.shape[1]):
            observed = counts[run, look].tolist()
            rounds, net, bet = sum(observed), int(nets[run, look]), int(bets[run, look])
            chance = WEIGHTS[0] / sum(WEIGHTS)
            found = {
                "counts": multinomial_test("c", "dealing", observed, WEIGHTS, anytime=True),
                "total": sum_test("t", "dealing", US, rounds, net, anytime=True),
                "ratio": ratio_test("r", "dealing", ENDS, rounds, Fraction(net, bet), anytime=True),
                "drift": drift_test(
                    "d", "dealing", observed[0] - rounds * chance, rounds * chance * (1 - chance), rounds=rounds,
                    anytime=True,
                ),
            }  # fmt: skip
            least = {name: min(least[name], test.p_value) for name, test in found.items()}
        for name, p in least.items():
            alarms[name] += p <= alpha
    assert max(alarms.values()) <= most_hits(runs, alpha)


def test_anytime_tests_find_errors_all_the_same() -> None:
    rounds = 2 * rounds_needed(US.sd, 0.01, anytime=True)
    total = round(rounds * (US.mean + Fraction(1, 100)))
    assert sum_test("t", "dealing", US, rounds, total, anytime=True).p_value < 0.01
    assert sum_test("t", "dealing", US, rounds, (Fraction(-rounds), Fraction(total)), anytime=True).p_value == 1
    observed = [int(rounds * weight / sum(WEIGHTS)) for weight in WEIGHTS]
    observed[0] += 100
    assert multinomial_test("c", "dealing", observed, WEIGHTS, anytime=True).p_value < 1e-6


def test_detectable_and_rounds_needed() -> None:
    assert f"{detectable(2.242950, 15_000_000):.4%}" == "0.2444%"
    for anytime in (False, True):
        rounds = rounds_needed(2.242950, 0.0025, anytime=anytime)
        assert (
            detectable(2.242950, rounds, anytime=anytime) <= 0.0025 < detectable(2.242950, rounds - 2, anytime=anytime)
        )
    assert LOOKS == 28
    for wrong in ({"alpha": 0.0}, {"power": 1.0}):
        with pytest.raises(InputError, match="a number between 0 and 1"):
            detectable(1.0, 10, **wrong)
    with pytest.raises(InputError, match="the rounds 0"):
        detectable(1.0, 0)
    with pytest.raises(InputError, match="the error 0"):
        rounds_needed(1.0, 0)


def test_detectable_errors_are_detected() -> None:
    """With the stated power, by simulation."""
    random, rounds = np.random.default_rng(2), 40_000
    error = detectable(US.sd, rounds)
    nets, _ = drawn_games(random, rounds, 200)
    p_values = [
        sum_test("t", "dealing", US, rounds, int(net) + int(error * rounds), quick=True).p_value for net in nets
    ]
    missed = sum(p > 0.01 for p in p_values)
    assert missed <= most_hits(200, 0.05)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: multinomial_test("c", "dealing", [1, -1], [1, 1]), "a count of -1: a whole number, 0 or more"),
        (lambda: multinomial_test("c", "dealing", [1.5, 1], [1, 1]), "a count of 1.5"),
        (lambda: multinomial_test("c", "dealing", [1, 2], [1]), "2 counts and the weights"),
        (lambda: multinomial_test("c", "dealing", [0, 0], [0, 0]), "2 counts and the weights"),
        (lambda: multinomial_test("c", "dealing", [10**12, 1], [1, 1]), "1,000,000,000,001 rounds"),
        (lambda: binomial_test("c", "dealing", 5, 4, Fraction(1, 2)), "a count of -1"),
        (lambda: binomial_test("c", "dealing", 1, 4, Fraction(3, 2)), "a chance of '3/2': 0 to 1"),
        (lambda: poisson_test("c", "dealing", 1, -1, rounds=1), "expected events -1"),
        (lambda: subset_test("c", "dealing", [1] * 51, 5, 10), "52 counts of at most 10"),
        (lambda: subset_test("c", "dealing", [1] * 52, 4, 14), "that add up to 56"),
        (lambda: sum_test("c", "dealing", US, 0, 0), "the rounds 0"),
        (lambda: drift_test("c", "dealing", 1.0, -1.0, rounds=1), "with a variance of -1.0"),
    ],
)
def test_bad_input_is_one_line(call, told: str) -> None:
    with pytest.raises(InputError, match=r"(?s)^[^\n]+$") as error:
        call()
    assert told in str(error.value)
