"""The last exchange of Caribbean Stud: what it is worth to give up cards for new ones, over all draws.

Each draw is played on by its best action, fold or call, against every completion of the dealer's hand. The fee is gone
whatever happens; the cards given up are dead. A hand below what the dealer needs to qualify can be worth a call: it
wins whenever he fails.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any

from pycs.cards import format_cards
from pycs.core import stud_exchange
from pycs.errors import InputError
from pycs.messages import quoted
from pycs.ranking import CATEGORIES_UP, qualifying_strength
from pycs.stud_rules import CaribbeanStudRules

if TYPE_CHECKING:
    from pycs.deals import Deal, Known
    from pycs.rules import Rules

__all__ = ["Exchange", "best_exchange", "exchanges_of"]


@dataclass(frozen=True, slots=True)
class Exchange:
    """Giving up cards, for the last time. `value` is exact, in antes, with the fee taken off.

    `folded` of the `pairs` of a draw and a completion end in a fold, for the draw is worth no call.
    """

    gives_up: str
    fee: int
    value: Fraction
    folded: int
    pairs: int

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `pycs decide --json` prints it."""
        return {
            "gives_up": self.gives_up,
            "fee": self.fee,
            "value": float(self.value),
            "exact": str(self.value),
            "folded": self.folded,
            "pairs": self.pairs,
        }


def exchanges_of(rules: Rules, asked: int | None) -> int:
    """How many exchanges are left to the player, 0 or 1: as asked, or what the rules allow if that is one.

    InputError for a number that the rules do not allow, and for more than one, which is not counted.
    """
    allowed = rules.exchange.in_a_row if isinstance(rules, CaribbeanStudRules) and rules.exchange else 0
    if asked is None:
        return allowed if allowed <= 1 else 0
    if isinstance(asked, bool) or not isinstance(asked, int) or not 0 <= asked <= min(allowed, 1):
        why = f"; of its {allowed} in a row the value of one is counted" if allowed > 1 else ""
        raise InputError(f"exchanges left {quoted(asked)}: {rules.name} allows 0{' or 1' if allowed else ''}{why}")
    return asked


def best_exchange(rules: CaribbeanStudRules, deal: Deal, known: Known) -> Exchange:
    """The exchange of the highest value among those that the rules allow, of equal ones that of fewer cards."""
    if rules.exchange is None:
        raise InputError(f"{rules.name} has no exchange")
    least = min(rules.exchange.fees.by_size())
    left = 52 - len(deal.cards) - len(known.dealer) - len(known.dead)
    needed = least + 4 - len(known.dealer)
    if left < needed:
        raise InputError(f"{left} cards are left, an exchange needs {needed} with the dealer's: say that none is left")
    options = [
        _exchange(rules, deal, known, gives_up, fee)
        for size, fee in rules.exchange.fees.by_size().items()
        if left >= needed - least + size
        for gives_up in combinations(deal.hand, size)
    ]
    return max(options, key=lambda option: option.value)


def _exchange(rules: CaribbeanStudRules, deal: Deal, known: Known, gives_up: tuple[int, ...], fee: int) -> Exchange:
    kept = tuple(card for card in deal.hand if card not in gives_up)
    wins = [rules.net_win(category) for category in CATEGORIES_UP]
    nets = [rules.net_fold, rules.net_not_qualified, rules.net_push, rules.net_lose, *wins]
    qualify = qualifying_strength(rules.dealer.qualifies)
    counts = stud_exchange(kept, deal.seen + known.dealer, gives_up + known.dead, qualify, nets)
    net = 0
    for win, (folded, not_qualified, won, pushed, lost) in zip(wins, counts, strict=True):
        net += folded * rules.net_fold + not_qualified * rules.net_not_qualified
        net += won * win + pushed * rules.net_push + lost * rules.net_lose
    pairs = sum(map(sum, counts))
    return Exchange(
        gives_up=format_cards(gives_up),
        fee=fee,
        value=Fraction(net, pairs) - fee,
        folded=sum(folded for folded, *_ in counts),
        pairs=pairs,
    )
