"""What a player can pay: the money of a box, and which actions it does not pay for.

Money is in units of the table's currency. The antes are staked already; a call and the fee of an exchange come out of
the balance. The rules are those of a profile's [limits], and one that needs no rule: what can't be paid is not offered.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from pycs.amounts import WRITTEN, plain, read_amount
from pycs.errors import InputError
from pycs.messages import quoted
from pycs.sections import MAX_ANTE, Limits
from pycs.stud_rules import CaribbeanStudRules

if TYPE_CHECKING:
    from pycs.amounts import Amount
    from pycs.rules import Rules

__all__ = ["Purse", "read_ante", "read_purse"]


@dataclass(frozen=True, slots=True)
class Purse:
    """The ante of a box, the balance that is left beside all stakes on the table, and the calls that are still to come.

    `call` is what the call of this box takes, `later_calls` what those of the boxes take that are decided after it, and
    `leaves_later_calls` whether an exchange must leave these too.
    """

    ante: Fraction
    balance: Fraction
    call: Fraction
    later_calls: Fraction = Fraction(0)
    leaves_later_calls: bool = False

    @property
    def lacks_call(self) -> str | None:
        """Why the call can't be paid; None when it can."""
        if self.balance >= self.call:
            return None
        return f"a call of {plain(self.call)} can't be paid out of a balance of {plain(self.balance)}"

    def lacks_exchange(self, fee: int, in_a_row: int = 1) -> str | None:
        """Why so many exchanges, each with such a fee in antes, and then the call can't be paid; None when they can."""
        fees, each = self.ante * fee * in_a_row, plain(self.ante * fee)
        what = (f"a fee of {each}", "it") if in_a_row == 1 else (f"{in_a_row} fees of {each}", "them")
        parts = [what[0], f"a call of {plain(self.call)} after {what[1]}"]
        if self._kept:
            parts.append(f"the calls of later boxes, {plain(self._kept)},")
        needed = fees + self.call + self._kept
        if self.balance >= needed:
            return None
        listed = f"{', '.join(parts[:-1])} and {parts[-1]}"
        return f"{listed} come to {plain(needed)}, and the balance is {plain(self.balance)}"

    def exchanges(self, fee: int, most: int) -> int:
        """How many exchanges in a row, up to so many, can be paid, when each must leave what is to follow."""
        return next((left for left in range(most, 0, -1) if self.lacks_exchange(fee, left) is None), 0)

    @property
    def lacks_later_calls(self) -> str | None:
        """What a call leaves, when it is too little for all calls of the later boxes; None when it is enough."""
        over = self.balance - self.call
        if over < 0 or over >= self.later_calls:
            return None
        return f"a call leaves {plain(over)}, and the calls of later boxes take {plain(self.later_calls)}"

    @property
    def _kept(self) -> Fraction:
        return self.later_calls if self.leaves_later_calls else Fraction(0)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `pycs decide --json` prints it: exact text."""
        parts = {"ante": self.ante, "balance": self.balance, "call": self.call, "later_calls": self.later_calls}
        return {name: str(amount) for name, amount in parts.items()}


def read_purse(
    rules: Rules, ante: Amount | None, balance: Amount | None, later: Amount | None = None, *, decided_later: int
) -> Purse | None:
    """The money of a box, None when nothing is said of it. `later` are the antes of the boxes decided after this one.

    `decided_later` is how many boxes those can be. InputError for an amount that is none, for an ante outside the
    table's limits, for one of ante and balance without the other, and for later boxes where there can be none.

    >>> from pycs.rules import load_rules
    >>> purse = read_purse(load_rules("three-box"), 10, "25", decided_later=1)
    >>> purse.lacks_call, purse.lacks_exchange(1)
    (None, 'a fee of 10 and a call of 20 after it come to 30, and the balance is 25')
    """
    if ante is None and balance is None and later is None:
        return None
    after = read_amount(0 if later is None else later, "the later boxes' antes", 0, MAX_ANTE, "money units")
    if after and not decided_later:
        told = "no box is decided after this one, so only 0 is allowed"
        raise InputError(f"the later boxes' antes {quoted(later)}: {told}")
    stake = None if ante is None else read_ante(rules, ante)
    left = None if balance is None else read_amount(balance, "the balance", 0, MAX_ANTE, "money units")
    if stake is None or left is None:
        given = {"ante": ante, "balance": balance, "later boxes' antes": later}
        there = [f"the {what} {quoted(amount)}" for what, amount in given.items() if amount is not None]
        missing = [f"the {what}" for what in ("ante", "balance") if given[what] is None]
        told = f"{' and '.join(missing)} must be given, too, for what can be paid follows from both"
        raise InputError(f"{' and '.join(there)}: {told}")
    call = rules.stakes.call
    return Purse(stake, left, call * stake, call * after, _limits(rules).exchange_leaves_later_calls)


def read_ante(rules: Rules, ante: Amount) -> Fraction:
    """The ante in money. InputError for an amount that is none, or outside the limits of the table.

    >>> from pycs.rules import load_rules
    >>> read_ante(load_rules("triple-exchange"), "2.50")
    Fraction(5, 2)
    """
    limits = _limits(rules)
    most = limits.ante_most or MAX_ANTE
    if limits.ante_least is not None:
        return read_amount(ante, "the ante", limits.ante_least, most, "money units")
    try:
        stake = read_amount(ante, "the ante", 0, most, "money units")
    except InputError:
        stake = Fraction(0)
    if stake == 0:
        raise InputError(f"the ante {quoted(ante)}: more than 0 and at most {most} money units are allowed, {WRITTEN}")
    return stake


def _limits(rules: Rules) -> Limits:
    return (rules.limits if isinstance(rules, CaribbeanStudRules) else None) or Limits()
