"""The AA Bonus of Casino Hold'em: a bet on hole cards and flop, and how it moves the decision to call.

Where the bonus is paid only after a call, the best action weighs both bets. A bonus that is lost either way moves
nothing; one that would be paid makes some deals worth a call that are folded without it, above a certain size of bet.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from pycs.amounts import read_amount
from pycs.core import rank_hands
from pycs.errors import InputError
from pycs.holdem_rules import AA_BONUS_LINES, CasinoHoldemRules
from pycs.messages import quoted
from pycs.ranking import categories, qualifying_strength
from pycs.sections import CATEGORIES

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from pycs.amounts import Amount
    from pycs.deals import Deal
    from pycs.holdem_rules import AABonus
    from pycs.rules import Rules

__all__ = ["NO_BET", "BonusBet", "bonus_bet", "bonus_of", "lines", "stake_of"]

NO_BET: Final = 0
NOTHING: Final = len(AA_BONUS_LINES)
"""The number of the line that is none: below a pair of aces."""

_LARGEST_STAKE: Final = 1_000_000


def stake_of(stake: Amount, rules: Rules) -> Fraction:
    """The exact size of a bonus bet, in antes.

    InputError for what is none, or out of range; under rules without this bonus, for anything but 0.

    >>> from pycs.rules import load_rules
    >>> rules = load_rules("casino-holdem")
    >>> stake_of("0.5", rules), stake_of(2, rules), stake_of("1/3", rules)
    (Fraction(1, 2), Fraction(2, 1), Fraction(1, 3))
    """
    if bonus_of(rules) is not None:
        return read_amount(stake, "the bonus bet", 0, _LARGEST_STAKE, "antes")
    try:
        return read_amount(stake, "the bonus bet", 0, 0, "antes")
    except InputError:
        told = f"{rules.name} has no AA Bonus, so only 0 is allowed"
        raise InputError(f"the bonus bet {quoted(stake)}: {told}") from None


def lines(strengths: ArrayLike) -> NDArray[np.uint8]:
    """For the strengths of hole cards and flop, the number of their line in `AA_BONUS_LINES`; one past it for none.

    >>> from pycs.ranking import rank_hand
    >>> lines([rank_hand("AsAh4d3c2s"), rank_hand("KsKhQdJcTs"), rank_hand("7s5s4s3s2s")])
    array([5, 6, 4], dtype=uint8)
    """
    line_of_category = [AA_BONUS_LINES.index(name) if name in AA_BONUS_LINES else NOTHING - 1 for name in CATEGORIES]
    found = np.array(line_of_category[::-1], np.uint8)[categories(strengths)]
    found[np.asarray(strengths) < qualifying_strength("pair-of-aces")] = NOTHING
    return found


@dataclass(frozen=True, slots=True)
class BonusBet:
    """A bet on the bonus for one deal, in antes. `line` is the line that pays, to one; None when the bet is lost."""

    stake: Fraction
    line: str | None
    pay: int
    requires_call: bool

    @property
    def net_call(self) -> Fraction:
        """What the bet wins or loses when the player calls."""
        return -self.stake if self.line is None else self.stake * self.pay

    @property
    def net_fold(self) -> Fraction:
        """What the bet wins or loses when the player folds."""
        return -self.stake if self.requires_call else self.net_call

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `pycs decide --json` prints it."""
        return {
            "bet": float(self.stake),
            "bet_exact": str(self.stake),
            "line": self.line,
            "pays": None if self.line is None else self.pay,
            "bonus_requires_call": self.requires_call,
            "net": {"fold": str(self.net_fold), "call": str(self.net_call)},
        }


def bonus_bet(rules: Rules, deal: Deal, stake: Amount) -> BonusBet | None:
    """The bet on the bonus for a deal, or None when nothing is bet.

    InputError for a bet that cannot be, or under rules without this bonus.
    """
    bet = Fraction(0) if stake is NO_BET else stake_of(stake, rules)
    bonus = bonus_of(rules)
    if bonus is None or bet == 0:
        return None
    number = int(lines(rank_hands([deal.cards]))[0])
    line = None if number == NOTHING else AA_BONUS_LINES[number]
    return BonusBet(bet, line, 0 if line is None else bonus.pays.of(line), bonus.bonus_requires_call)


def bonus_of(rules: Rules) -> AABonus | None:
    """The bonus that the rules offer, if they do."""
    return rules.aa_bonus if isinstance(rules, CasinoHoldemRules) else None
