"""The exchange of Caribbean Stud: what it is worth to give up cards for new ones.

Each new hand is played on by its best action, against every completion of the dealer's hand. The fee is gone whatever
happens; the cards given up are dead. A hand below what the dealer needs to qualify can be worth a call: it wins
whenever he fails. With one exchange left the new hand is folded or called, and its value is exact over all draws. With
two left it may also be given up for the last exchange; that is exact as well. With three left the value is estimated,
see `pycs.exchange_estimates`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any

from pycs.cards import format_cards
from pycs.core import stud_exchange
from pycs.errors import InputError
from pycs.exchange_states import State
from pycs.ranking import qualifying_strength

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pycs.deals import Deal, Known
    from pycs.estimates import Estimate
    from pycs.offers import Offer
    from pycs.stud_rules import CaribbeanStudRules

__all__ = ["Exchange", "exchange_of"]


@dataclass(frozen=True, slots=True)
class Exchange:
    """Giving up cards for new ones. `value` is in antes, with the fee taken off: exact, or an estimate.

    `at_least` is what the value is proven not to fall short of: itself when it is exact. `new_hands` says how many of
    the hands that can be drawn are then best folded, called, and given up again; None where the value is an estimate.
    """

    gives_up: str
    fee: int
    value: Fraction | Estimate
    at_least: Fraction
    new_hands: Mapping[str, int] | None = field(hash=False)

    def is_better_than(self, stay: Fraction) -> bool | None:
        """Whether the exchange is worth more than another action; None where its error leaves that open."""
        if isinstance(self.value, Fraction) or self.at_least > stay:
            return self.at_least > stay
        low, high = self.value.interval()
        return None if low <= stay <= high else low > stay

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `pycs decide --json` prints it."""
        exact = isinstance(self.value, Fraction)
        return {
            "gives_up": self.gives_up,
            "fee": self.fee,
            "value": float(self.value) if isinstance(self.value, Fraction) else None,
            "exact": str(self.value) if exact else None,
            "estimate": None if isinstance(self.value, Fraction) else self.value.to_dict(),
            "at_least": str(self.at_least),
            "new_hands": None if self.new_hands is None else dict(self.new_hands),
        }


def exchange_of(
    rules: CaribbeanStudRules, deal: Deal, known: Known, offered: Offer, *, precise: bool, seed: int
) -> Exchange:
    """The exchange of the highest value among those on offer, of equal ones that of fewer cards.

    InputError when too few cards are left for all the exchanges that are.
    """
    cards = 52 - len(deal.cards) - len(known.dealer) - len(known.dead)
    needed = min(offered.fees) * offered.exchanges + 4 - len(known.dealer)
    if cards < needed:
        told = "an exchange needs" if offered.exchanges == 1 else f"{offered.exchanges} exchanges need"
        fewer = "none is" if offered.exchanges == 1 else "fewer are"
        raise InputError(f"{cards} cards are left, {told} {needed} with the dealer's: say that {fewer} left")
    if offered.exchanges == 1:
        options = [
            _last(rules, deal, known, gives_up, fee)
            for size, fee in offered.fees.items()
            if cards >= size + 4 - len(known.dealer)
            for gives_up in combinations(deal.hand, size)
        ]
        return max(options, key=lambda option: option.at_least)
    state = State.of(rules, deal, known, offered.fees[5])
    hand = format_cards(deal.hand)
    if offered.exchanges == 2:
        draws = state.draws()
        return Exchange(hand, state.fee, draws.value, draws.value, draws.new_hands)
    from pycs.exchange_estimates import estimate_third

    estimate, at_least = estimate_third(state, precise=precise, seed=seed)
    return Exchange(hand, state.fee, estimate, at_least, None)


def _last(rules: CaribbeanStudRules, deal: Deal, known: Known, gives_up: tuple[int, ...], fee: int) -> Exchange:
    kept = tuple(card for card in deal.hand if card not in gives_up)
    qualify, nets = qualifying_strength(rules.dealer.qualifies), rules.exchange_nets
    counts = stud_exchange(kept, deal.seen + known.dealer, gives_up + known.dead, qualify, nets)
    fold, failed, push, lose, *wins = nets
    net = 0
    for win, row in zip(wins, counts, strict=True):
        net += sum(pairs * each for pairs, each in zip(row, (fold, failed, win, push, lose), strict=True))
    pairs = sum(map(sum, counts))
    live = 52 - len(deal.cards) - len(known.dealer) - len(known.dead)
    draws = comb(live, len(gives_up))
    folded = sum(row[0] for row in counts) * draws // pairs
    value = Fraction(net, pairs) - fee
    return Exchange(format_cards(gives_up), fee, value, value, {"fold": folded, "call": draws - folded})
