"""Figures as software and papers state them, with what their last digit leaves open."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from typing import Final, NamedTuple, TypeAlias

from pycs.errors import InputError
from pycs.messages import quoted

__all__ = ["Figure", "Stated", "read_figure", "read_total"]

Stated: TypeAlias = str | int | float | Decimal | Fraction
"""A figure: text such as "97.398714%" or "-0.0522", or a number, which counts as the decimal it shows."""

_WRITTEN: Final = re.compile(r"([+-]?)([0-9]{1,3}(?:,[0-9]{3}){1,8}|[0-9][0-9_]{0,24})(?:\.([0-9]{0,24}))?(%?)")
_ALLOWED: Final = 'a decimal number as "97.398714%", "0.97398714" or "-1,250" is allowed'


class Figure(NamedTuple):
    """A stated figure: its text, and the exact interval of what rounds to it, half a unit of the last digit around."""

    text: str
    low: Fraction
    high: Fraction

    @property
    def value(self) -> Fraction:
        """The figure as it stands."""
        return (self.low + self.high) / 2


def read_figure(stated: Stated, what: str) -> Figure:
    """A rounded figure. InputError, which begins with `what`, for anything that is no decimal number.

    >>> read_figure("5.316%", "the edge")
    Figure(text='5.316%', low=Fraction(10631, 200000), high=Fraction(10633, 200000))
    >>> read_figure(2.24, "the standard deviation").high
    Fraction(449, 200)
    """
    text, value, unit = _read(stated, what)
    return Figure(text, value - unit / 2, value + unit / 2)


def read_total(stated: Stated, what: str) -> Fraction:
    """A total, which is exact as it stands. InputError, which begins with `what`, for anything that is no number.

    >>> read_total("-783,645.5", "the net result"), read_total(12, "the net result")
    (Fraction(-1567291, 2), Fraction(12, 1))
    """
    if isinstance(stated, Fraction):
        return stated
    return _read(stated, what)[1]


def _read(stated: Stated, what: str) -> tuple[str, Fraction, Fraction]:
    """The text, the value and the unit of the last digit; none for exact fractions."""
    if isinstance(stated, Fraction):
        return str(stated), stated, Fraction(0)
    kinds = (str, int, float, Decimal)
    text = format(Decimal(str(stated)), "f") if isinstance(stated, (float, Decimal)) else str(stated)
    found = _WRITTEN.fullmatch(text.strip()) if isinstance(stated, kinds) and not isinstance(stated, bool) else None
    if found is None:
        raise InputError(f"{what} {quoted(stated)}: {_ALLOWED}")
    sign, whole, places, percent = found.groups()
    digits = re.sub("[,_]", "", whole) + (places or "")
    unit = Fraction(1, 10 ** len(places or "")) / (100 if percent else 1)
    return text.strip(), (-1 if sign == "-" else 1) * int(digits) * unit, unit
