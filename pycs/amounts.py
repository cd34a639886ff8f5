"""Amounts of money, as people write them: read exactly, and shown."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from numbers import Rational
from typing import Final, TypeAlias

from pycs.errors import InputError
from pycs.messages import quoted

__all__ = ["WRITTEN", "Amount", "plain", "read_amount"]

Amount: TypeAlias = int | float | str | Rational | Decimal
"""An amount: a number, or text such as "0.5" or "1/2". A float counts as the decimal it shows."""

WRITTEN: Final = 'of at most nine digits, as "2", "0.5" or "1/2"'
"""How amounts may be written, for messages."""


def read_amount(amount: Amount, what: str, least: int, most: int, unit: str) -> Fraction:
    """The exact amount. InputError, with these words for it, when it is none, or not from `least` to `most`.

    >>> read_amount("0.5", "the bet", 0, 10, "antes"), read_amount("1/3", "the bet", 0, 10, "antes")
    (Fraction(1, 2), Fraction(1, 3))
    """
    kinds = (int, float, str, Rational, Decimal)
    # Python writes out no number of thousands of digits.
    sizes = (amount.numerator, amount.denominator) if isinstance(amount, Rational) else ()
    writable = (
        isinstance(amount, kinds)
        and not isinstance(amount, bool)
        and all(int(size).bit_length() < 1000 for size in sizes)
    )
    text = str(amount) if writable else ""
    number = re.fullmatch(r"[0-9]{1,9}(?:\.[0-9]{1,9}|/(?=[0-9]*[1-9])[0-9]{1,9})?", text)
    if number is None or not least <= Fraction(text) <= most:
        raise InputError(f"{what} {quoted(amount)}: {least} to {most} {unit} are allowed, {WRITTEN}")
    return Fraction(text)


def plain(amount: int | Fraction) -> str:
    """An amount as a decimal where six places hold it exactly, else as a fraction.

    >>> plain(1250), plain(Fraction(1, 2)), plain(Fraction(1, 3))
    ('1,250', '0.5', '1/3')
    """
    if isinstance(amount, int):
        return f"{amount:,}"
    decimal = f"{float(amount):,.6f}".rstrip("0").rstrip(".")
    return decimal if Fraction(decimal.replace(",", "")) == amount else str(amount)
