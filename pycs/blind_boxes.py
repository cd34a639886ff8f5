"""A blind box: ante and call are staked before the deal, so every hand is called; its value is a mean over hands."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from pycs.core import NEVER_FOLDED, stud_exchange
from pycs.errors import InputError
from pycs.ranking import CATEGORIES_UP, qualifying_strength
from pycs.sections import pay_line

if TYPE_CHECKING:
    from pycs.deals import Known
    from pycs.stud_rules import CaribbeanStudRules

__all__ = ["Called", "blind_call"]


@dataclass(frozen=True, slots=True)
class Called:
    """How the pairs of a hand and a completion end when every hand is called. `wins` are by line of the pay table."""

    not_qualified: int
    wins: dict[str, int]
    push: int
    lose: int

    def value(self, rules: CaribbeanStudRules) -> Fraction:
        """The mean net result, in antes."""
        won = sum(count * (rules.stakes.ante + rules.stakes.call * pay) for count, pay in self._paid(rules))
        net = self.not_qualified * rules.net_not_qualified + won + self.push * rules.net_push
        net += self.lose * rules.net_lose
        return Fraction(net, self.not_qualified + sum(self.wins.values()) + self.push + self.lose)

    def _paid(self, rules: CaribbeanStudRules) -> list[tuple[int, int]]:
        return [(count, getattr(rules.pays, line.replace(" ", "_"))) for line, count in self.wins.items()]


def blind_call(rules: CaribbeanStudRules, upcard: int | None, known: Known) -> Called:
    """Every hand that can come, against every completion; without an upcard against every hand of the dealer.

    InputError when too few cards are left. A tenth of a second without an upcard, some milliseconds with one.

    >>> from pycs.deals import Known
    >>> from pycs.rules import load_rules
    >>> rules = load_rules("three-box")
    >>> blind_call(rules, None, Known()).value(rules) * 19933230517200
    Fraction(-3310360338060, 1)
    """
    gone = {*known.dealer, *known.dead}
    upcards = [card for card in range(52) if card not in gone] if upcard is None else [upcard]
    left = 52 - len(gone) - 1
    needed = 9 - len(known.dealer)
    if left < needed:
        raise InputError(f"{left} cards are left beside the upcard, a blind box and the dealer need {needed}")
    qualify = qualifying_strength(rules.dealer.qualifies)
    nets = [NEVER_FOLDED, *[0] * 13]
    failed = push = lose = 0
    wins = dict.fromkeys(map(pay_line, reversed(CATEGORIES_UP)), 0)
    for card in upcards:
        counts = stud_exchange((), (card, *known.dealer), known.dead, qualify, nets)
        for category, (_, not_qualified, won, pushed, lost) in zip(CATEGORIES_UP, counts, strict=True):
            wins[pay_line(category)] += won
            failed, push, lose = failed + not_qualified, push + pushed, lose + lost
    return Called(failed, wins, push, lose)
