"""The first of three exchanges, estimated: exact values with two left, for a sample of the hands that can be drawn.

A hand drawn with two exchanges left is best folded, called or given up. Were only one left, the value of giving it up
would be known exactly for every draw, and the mean over all draws of the best of the three is the value with one
exchange fewer, which one more can only raise. What is missing is the gain: the mean over all draws of how much the
second exchange adds. Exact values tell it for each draw of a sample. For all the others a curve fitted to the sample
tells it, over what is known exactly of every draw: the value with one exchange left, and how often the dealer fails to
qualify. The mean gain by the curve is known; what the curve misses is sampled, mostly where it matters. Each part of
the sample is measured by a curve that was fitted to the rest of it, so the estimate leans to no side.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from math import ceil, sqrt
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from pycs.errors import InputError
from pycs.estimates import Estimate
from pycs.messages import quoted
from pycs.progress import progress_bar

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from tqdm import tqdm

    from pycs.exchange_states import Draws, State

__all__ = ["PRECISE", "STANDARD", "estimate_third"]

STANDARD: Final = 0.0005
"""The largest standard error, in antes."""

PRECISE: Final = 0.0001
"""The largest standard error, in antes, where a precise estimate is asked for."""

_LEAST: Final = 0.2
"""No error is stated below this share of the largest: a small sample can't show that there is less, or none."""

_HIDDEN: Final = 0.5
"""With few cards left a gain of so many antes may hide in one draw of as many as are sampled: the least error then."""

_REACH: Final = Fraction(1, 10)
"""In antes: where the last exchange falls short by more, the draw is sampled seldom, for the second one adds less."""

_FEW: Final = 36
"""With fewer cards left a second exchange can add anything: all draws are sampled alike, and many of them."""

_SELDOM: Final = 0.1
"""The share of the sample that comes from all draws alike."""

_PARTS: Final = 5
_SAMPLE: Final = 15
_MOST, _MOST_PRECISE = 100, 1000
"""The largest samples: with few cards left they may not be enough, and then the error that is stated is larger."""

_LARGEST_SEED: Final = 2**64 - 1


def estimate_third(state: State, *, precise: bool, seed: int) -> tuple[Estimate, Fraction]:
    """The value in antes of giving a hand up with three exchanges left, this one among them; and what is proven of it.

    Proven is that it is worth at least the value with two left, which is exact. The same seed gives the same estimate,
    on any number of threads. Some seconds; precise, half a minute. The standard error is at most `STANDARD`, or
    `PRECISE`, unless so many cards are known that fewer than 36 are left. InputError for a seed that is none, and as
    `State.draws`.
    """
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= _LARGEST_SEED:
        raise InputError(f"the seed {quoted(seed)}: a whole number from 0 to {_LARGEST_SEED} is allowed")
    random = np.random.Generator(np.random.PCG64(seed))
    few = len(state.live) < _FEW
    draws = state.draws(None if few else _REACH)
    curves = _Curves(draws, few=few)
    target, most = (PRECISE, _MOST_PRECISE) if precise else (STANDARD, _MOST)
    rows, values = np.empty(0, np.int64), np.empty(0)
    with progress_bar(None, desc="exact values with two exchanges left", unit=" hands") as bar:
        more = most if few else _SAMPLE
        while more:
            new = random.choice(len(curves.shares), more, p=curves.shares)
            rows, values = np.append(rows, new), np.append(values, _second(draws, new, bar))
            gain, error = curves.gain(rows, values)
            error = max(error, _HIDDEN / len(rows) if few else target * _LEAST)
            wanted = min(ceil(len(rows) * (error / target) ** 2 * 1.1), 10 * len(rows), most)
            more = _PARTS * ceil((wanted - len(rows)) / _PARTS) if error > target else 0
    return Estimate(float(draws.value) + gain, error, len(rows), seed), draws.value


class _Curves:
    """What a second exchange adds, as curves over what is known of every draw."""

    def __init__(self, draws: Draws, *, few: bool) -> None:
        one_left, stay = draws.again_values, draws.stay_values
        self.best = np.maximum(stay, one_left)
        self.near = np.full(len(stay), True) if few else one_left + float(_REACH) > self.best
        self.one_left = np.where(self.near, one_left, 0.0)
        # A hand that beats nobody is called for the sake of the dealer who fails, or folded.
        fold, failed, _, lose = draws.state.nets[:4]
        fails = draws.not_qualified
        beaten = np.maximum(fold, fails * failed + (1 - fails) * lose)
        self.known = np.stack([np.ones_like(stay), self.one_left, self.one_left**2, fails, beaten])
        self.shares = np.full(len(stay), _SELDOM / len(stay))
        self.shares[self.near] += (1 - _SELDOM) / max(1, int(np.count_nonzero(self.near)))
        self.shares /= self.shares.sum()

    def gain(self, rows: NDArray[np.int64], values: NDArray[np.float64]) -> tuple[float, float]:
        """The mean gain over all draws and its standard error, from the values with two left of the draws sampled."""
        gains = np.maximum(0.0, values - self.best[rows])
        misses, means = np.empty(len(rows)), []
        for part in range(_PARTS):
            here = np.arange(len(rows)) % _PARTS == part
            told = self._told(rows[~here], values[~here])
            means.append(float(told.mean()))
            misses[here] = (gains[here] - told[rows[here]]) / (self.shares[rows[here]] * len(told))
        return float(np.mean(means)) + float(misses.mean()), float(misses.std(ddof=1)) / sqrt(len(rows))

    def _told(self, rows: NDArray[np.int64], values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The gain of every draw, by a curve through these; none is told to be larger than the largest of these."""
        near = rows[self.near[rows]]
        added = values[self.near[rows]] - self.one_left[near]
        weights = np.linalg.lstsq(self.known[:, near].T, added, rcond=1e-9)[0]
        most = np.maximum(0.0, values - self.best[rows]).max()
        return np.where(self.near, np.clip(self.one_left + weights @ self.known - self.best, 0.0, most), 0.0)


def _second(draws: Draws, rows: NDArray[np.int64], bar: tqdm[Any]) -> NDArray[np.float64]:
    """The exact value, as a float, of giving up each of these hands with two exchanges left."""

    def value(row: int) -> float:
        return float(draws.state.given_up(draws.hand(row)).draws().value)

    values = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for each in pool.map(value, rows.tolist()):
            values.append(each)
            bar.update()
    return np.array(values)
