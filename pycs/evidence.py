"""Evidence that may be looked at as often as one likes: betting against what is claimed while a log grows.

Each function gives the logarithm of an e-value: what a gambler has who began with 1 and bet on other chances than the
claimed ones, at odds that are fair when the claim is right. However long the log, and whenever one looks, the chance
that he ever has 1/p or more is at most p (Ville's inequality), so 1/e is a p-value at every look. The bets are
mixtures over many alternatives, because which one is right is not known beforehand.
"""

from __future__ import annotations

from fractions import Fraction
from math import exp, inf, log
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from pycs.distributions import Distribution

__all__ = ["LOOKS", "growth_of", "p_of_evidence"]

_SIZES: Final = 10.0 ** np.arange(1, 11.5, 0.75)
"""Rounds at which an error of some two or three standard deviations is looked for: 10 to about 2e11."""

LOOKS: Final = 2 * len(_SIZES)
"""The alternatives in a mixture over totals: of every size, above and below."""

_REACH: Final = 3.5  # standard deviations at its size that an alternative is away
_CONCENTRATIONS: Final = 10.0 ** np.arange(0, 13)
_OFFSETS: Final = 1e-7 * 1.15 ** np.arange(0, 130)  # of a ratio: up to some 7 units a unit bet
_EPS: Final = 2.0**-52


def p_of_evidence(log_e: float) -> float:
    """The p-value of so much evidence.

    >>> p_of_evidence(-3.0), round(p_of_evidence(4.60517), 6)
    (1.0, 0.01)
    """
    return min(1.0, max(exp(-min(max(log_e, 0.0), 700.0)), 1e-300))


def _mixed(logs: NDArray[np.float64]) -> float:
    """The logarithm of the mean."""
    most = float(np.max(logs))
    return -inf if most == -inf else most + log(float(np.mean(np.exp(logs - most))))


def of_counts(observed: NDArray[np.int64], chances: NDArray[np.float64]) -> float:
    """Of counts by cell, against their chances (all above 0): a mixture of Dirichlet distributions around these.

    What rounding may add is taken off.
    """
    from scipy.special import gammaln  # half a second that only verdicts need

    found = observed > 0
    counts, chances = observed[found].astype(np.float64), chances[found]
    prior = np.multiply.outer(_CONCENTRATIONS, chances)
    terms = np.concatenate(
        [
            gammaln(prior + counts),
            -gammaln(prior),
            np.broadcast_to(-counts * np.log(chances), prior.shape),
            gammaln(_CONCENTRATIONS)[:, None],
            -gammaln(_CONCENTRATIONS + counts.sum())[:, None],
        ],
        axis=1,
    )
    return _mixed(terms.sum(axis=1) - 8 * _EPS * np.abs(terms).sum(axis=1))


def growth_of(tilted: NDArray[np.float64], chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """log E exp(theta X) of steps X whose mean is 0, from theta X in the last axis, without cancellation near 0."""
    small = np.clip(tilted, -0.5, 0.5)
    series = np.ones_like(tilted)
    for k in range(14, 2, -1):
        series = 1 + small / k * series
    rest = np.where(np.abs(tilted) < 0.5, tilted * tilted / 2 * series, np.expm1(tilted) - tilted)
    growth: NDArray[np.float64] = np.log1p(rest @ chances)
    return growth


def _thetas(sd: float, widest: float) -> NDArray[np.float64]:
    """Tilts of the alternatives, the most so that no step weighs above exp(20)."""
    return np.minimum(_REACH / (sd * np.sqrt(_SIZES)), 20 / widest)


def of_total(one: Distribution, rounds: int, low: Fraction, high: Fraction) -> float:
    """Of the total of rounds that are distributed as `one`, from `low` to `high`: the least evidence there."""
    if not one.variance:
        return 0.0 if low <= rounds * one.mean <= high else inf
    mean, ways = one.mean, one.ways
    steps = np.array([float(value - mean) for value in one.values])
    chances = np.array([weight / ways for weight in one.weights])
    sizes = _thetas(one.sd, float(np.abs(steps).max()))
    thetas = np.concatenate([sizes, -sizes])
    cost = rounds * growth_of(np.multiply.outer(thetas, steps), chances)
    return _least(lambda at: _mixed(thetas * at - cost), float(low - rounds * mean), float(high - rounds * mean))


def of_drift(drift: float, variance: float) -> float:
    """Of the sum of what events came less their chances, with the sum of their variances, as Bennett's inequality
    bounds it: E exp(theta X) is at most exp(variance (exp(theta) - 1 - theta)) where X is at most 1."""
    sizes = np.minimum(_REACH / np.sqrt(_SIZES / 4), 3.0)
    cost = variance * (np.expm1(sizes) - sizes)
    return _mixed(np.concatenate([sizes * drift - cost, -sizes * drift - cost]))


def of_ratio(
    ends: Sequence[tuple[Fraction | int, Fraction | int, int]], rounds: int, low: Fraction, high: Fraction
) -> float:
    """Of the net result per unit bet over all rounds, from `low` to `high`, by ends of a round (net, bet, ways).

    For a ratio s beyond the claimed one r, net - s x bet has a mean below 0; where the rounds show a ratio of s or
    more, its total is at least 0, and at least (ratio - s) x the smallest possible bet. So each s and its best tilt are
    a bet whose fortune is known at least, without the total bet.
    """
    ways = sum(weight for *_, weight in ends)
    net, bet = (sum((Fraction(end[k]) * end[2] for end in ends), Fraction(0)) / ways for k in (0, 1))
    claimed = net / bet
    nets, bets, chances = (np.array([float(end[k]) for end in ends]) for k in range(3))
    chances /= float(ways)
    least, most = float(bets.min()), float(bets.max())
    fair = nets - float(claimed) * bets
    logs = []
    # The least evidence of bets above the claim is at the lowest ratio, of those below it at the highest.
    for side, stated in ((1, low), (-1, high)):
        steps = side * fair - np.multiply.outer(_OFFSETS, bets)
        drifts = -_OFFSETS * float(bet)
        about = steps - drifts[:, None]
        theta = np.minimum(-drifts / np.maximum(np.square(about) @ chances, 1e-30), 20 / np.abs(steps).max(axis=1))
        growth = theta * drifts + growth_of(theta[:, None] * about, chances)
        beyond = side * float(stated - claimed) - _OFFSETS
        logs.append(rounds * (theta * beyond * np.where(beyond > 0, least, most) - growth))
    return _mixed(np.concatenate(logs))


def _least(evidence: Callable[[float], float], low: float, high: float) -> float:
    """The least value of a convex function from `low` to `high`, from below within rounding."""
    for _ in range(200 if low < high else 0):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        if evidence(left) <= evidence(right):
            high = right
        else:
            low = left
    return min(evidence(low), evidence(high), evidence((low + high) / 2))
