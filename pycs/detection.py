"""How many rounds show an error of a given size, and how large an error a given number of rounds shows."""

from __future__ import annotations

from math import ceil, log, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Final

from pycs.errors import InputError
from pycs.evidence import LOOKS
from pycs.messages import quoted
from pycs.verdicts import ALPHA, POWER

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = ["about", "detectable", "rounds_needed"]

_NORMAL: Final = NormalDist()


def _reach(alpha: float, power: float, anytime: bool) -> float:
    """The error that is found, in standard deviations of the mean."""
    for what, chance in (("alpha", alpha), ("power", power)):
        if not 0 < chance < 1:
            raise InputError(f"{what} {quoted(chance)}: a number between 0 and 1 is allowed")
    # Evidence of exp(z^2 / 2) / LOOKS must reach 1 / alpha: see pycs.evidence.
    bound = sqrt(2 * log(LOOKS / alpha)) if anytime else _NORMAL.inv_cdf(1 - alpha / 2)
    return bound + _NORMAL.inv_cdf(power)


def detectable(sd: float, rounds: int, alpha: float = ALPHA, power: float = POWER, *, anytime: bool = False) -> float:
    """The least error of a mean that so many rounds show with this power, in the unit of `sd`.

    By the normal distribution, two-sided at `alpha`: (z(1 - alpha/2) + z(power)) x sd / root of the rounds. With
    `anytime` the bound is that of a test that may be looked at after every round, which needs about twice as many.
    InputError for chances outside 0 and 1, and for fewer than one round.

    >>> f"{detectable(2.242950, 15_000_000):.4%} {detectable(2.242950, 15_000_000, anytime=True):.4%}"
    '0.2444% 0.3260%'
    """
    if rounds < 1:
        raise InputError(f"the rounds {quoted(rounds)}: 1 or more are needed")
    return _reach(alpha, power, anytime) * sd / sqrt(rounds)


def rounds_needed(
    sd: float, error: float | Fraction, alpha: float = ALPHA, power: float = POWER, *, anytime: bool = False
) -> int:
    """About how many rounds show an error of this size of a mean with this power: the way back from `detectable`.

    >>> rounds_needed(2.242950, 0.0025)
    14339191
    """
    if not error > 0:
        raise InputError(f"the error {quoted(error)}: more than 0 is needed")
    return max(1, ceil((_reach(alpha, power, anytime) * sd / float(error)) ** 2))


def about(rounds: float) -> str:
    """A large number of rounds by two digits, in words.

    >>> about(14_339_191), about(1234), about(3.2e9)
    ('14 million', '1,200', '3.2 billion')
    """
    for size, word in ((10**12, "trillion"), (10**9, "billion"), (10**6, "million")):
        if rounds >= size:
            return f"{float(f'{rounds / size:.2g}'):g} {word}"
    return f"{ceil(float(f'{rounds:.2g}')):,}"
