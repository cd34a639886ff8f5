"""What was sampled instead of counted: a number that cannot be had without its error.

Whatever pycs counts is an int or a Fraction. Whatever it samples is an `Estimate`: the type, the keys of its dict and
its text all say that there is an error, and how large it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, isfinite, log10
from typing import Any

from pycs.errors import InputError
from pycs.messages import quoted

__all__ = ["Estimate"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean found by sampling, and its error.

    `standard_error` is one standard error, in the unit of `value`: the standard deviation that `value` would have if
    the sampling were done again and again with other seeds, itself estimated from the sample. The true mean lies within
    one of them in about two cases of three, within two in 95 of 100, and within four (`interval`) in all but one of
    some 16,000. `samples` is how many independent draws there were, `seed` what brings the same ones again.

    InputError for an error that is negative or no number, and for fewer than two samples, which show no error.

    >>> edge = Estimate(value=-0.0522431, standard_error=0.0000213, samples=12000, seed=1)
    >>> print(edge)
    -0.052243 ± 0.000021 (standard error, 12,000 samples, seed 1)
    >>> low, high = edge.interval()
    >>> print(f"{low:.6f} to {high:.6f}")
    -0.052328 to -0.052158
    """

    value: float
    standard_error: float
    samples: int
    seed: int

    def __post_init__(self) -> None:  # noqa: D105
        if not isfinite(self.value):
            raise InputError(f"an estimate of {quoted(self.value)}: a finite number is needed")
        if not isfinite(self.standard_error) or self.standard_error < 0:
            raise InputError(f"a standard error of {quoted(self.standard_error)}: a finite number from 0 is needed")
        if self.samples < 2:
            raise InputError(f"an estimate from {quoted(self.samples)} samples: at least 2 are needed")

    def interval(self, width: float = 4) -> tuple[float, float]:
        """The value less and plus `width` standard errors. InputError for a width that is negative or no number."""
        if not isfinite(width) or width < 0:
            raise InputError(f"a width of {quoted(width)}: a number of standard errors, 0 or more, is allowed")
        return self.value - width * self.standard_error, self.value + width * self.standard_error

    def to_dict(self) -> dict[str, Any]:
        """Plain data. The keys say that the value was estimated: there is none called `value`.

        >>> Estimate(0.5, 0.25, 4, 1).to_dict()
        {'estimated_value': 0.5, 'standard_error': 0.25, 'samples': 4, 'seed': 1}
        """
        return {
            "estimated_value": self.value,
            "standard_error": self.standard_error,
            "samples": self.samples,
            "seed": self.seed,
        }

    def __str__(self) -> str:
        """The error with two digits, the value with as many places."""
        error = self.standard_error
        places = max(0, 1 - floor(log10(error))) if error else 6
        return (
            f"{self.value:.{places}f} ± {error:.{places}f} (standard error, {self.samples:,} samples, seed {self.seed})"
        )
