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
    from collections.abc import Sequence

    from pycs.deals import Deal, Known
    from pycs.rules import Rules

__all__ = ["Exchange", "best_exchange"]


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


def best_exchange(rules: Rules, deal: Deal, known: Known, left: int | None) -> Exchange | None:
    """The exchange of the highest value among those that the rules allow, of equal ones that of fewer cards.

    `left` is how many exchanges are left to the player, 0 or 1; without it, what the rules allow if that is one. None
    when none is left. InputError for a number that the rules do not allow, for more than one, which is not counted, and
    when too few cards are left.
    """
    exchange = rules.exchange if isinstance(rules, CaribbeanStudRules) else None
    allowed = exchange.in_a_row if exchange else 0
    if left is None:
        left = allowed if allowed <= 1 else 0
    if isinstance(left, bool) or not isinstance(left, int) or not 0 <= left <= min(allowed, 1):
        why = f"; of its {allowed} in a row the value of one is counted" if allowed > 1 else ""
        raise InputError(f"exchanges left {quoted(left)}: {rules.name} allows 0{' or 1' if allowed else ''}{why}")
    if left == 0 or exchange is None or not isinstance(rules, CaribbeanStudRules):
        return None
    fees = exchange.fees.by_size()
    cards = 52 - len(deal.cards) - len(known.dealer) - len(known.dead)
    to_come = 4 - len(known.dealer)
    if cards < min(fees) + to_come:
        needed = f"an exchange needs {min(fees) + to_come} with the dealer's"
        raise InputError(f"{cards} cards are left, {needed}: say that none is left")
    wins = [rules.net_win(category) for category in CATEGORIES_UP]
    nets = [rules.net_fold, rules.net_not_qualified, rules.net_push, rules.net_lose, *wins]
    qualify = qualifying_strength(rules.dealer.qualifies)
    options = [
        _exchange(deal, known, gives_up, fee, qualify, nets)
        for size, fee in fees.items()
        if cards >= size + to_come
        for gives_up in combinations(deal.hand, size)
    ]
    return max(options, key=lambda option: option.value)


def _exchange(
    deal: Deal, known: Known, gives_up: tuple[int, ...], fee: int, qualify: int, nets: Sequence[int]
) -> Exchange:
    kept = tuple(card for card in deal.hand if card not in gives_up)
    counts = stud_exchange(kept, deal.seen + known.dealer, gives_up + known.dead, qualify, nets)
    fold, failed, push, lose, *wins = nets
    net = 0
    for win, row in zip(wins, counts, strict=True):
        net += sum(pairs * each for pairs, each in zip(row, (fold, failed, win, push, lose), strict=True))
    pairs = sum(map(sum, counts))
    return Exchange(
        gives_up=format_cards(gives_up),
        fee=fee,
        value=Fraction(net, pairs) - fee,
        folded=sum(folded for folded, *_ in counts),
        pairs=pairs,
    )
