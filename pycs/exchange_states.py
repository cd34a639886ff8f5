"""A hand given up with one more exchange to follow: every new hand, folded, called, or given up again, exactly."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import comb
from typing import TYPE_CHECKING, Final

import numpy as np

from pycs.core import NOT_WORTH_IT, stud_exchange_again
from pycs.errors import InputError
from pycs.ranking import qualifying_strength

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pycs.deals import Deal, Known
    from pycs.stud_rules import CaribbeanStudRules

__all__ = ["Draws", "State"]

_LARGEST_TOTAL: Final = 2**61
_NEVER_FOLDED: Final = -1_000
_NOTHING_AGAIN: Final = Fraction(1_000_000)


@dataclass(frozen=True, slots=True)
class State:
    """What the value of giving up a hand depends on: the dealer's cards that are seen, and all cards that are gone.

    Which of the cards gone were held last makes no difference. `fee` is that of each exchange, in antes; `nets` are
    the net results as the core's exchanges take them.
    """

    dealer: tuple[int, ...]
    gone: tuple[int, ...]
    fee: int
    qualify: int
    nets: tuple[int, ...]

    @classmethod
    def of(cls, rules: CaribbeanStudRules, deal: Deal, known: Known, fee: int) -> State:
        """The state in which the hand of a deal has been given up."""
        qualify = qualifying_strength(rules.dealer.qualifies)
        return cls(deal.seen + known.dealer, deal.hand + known.dead, fee, qualify, rules.exchange_nets)

    @property
    def live(self) -> list[int]:
        """The cards left, ascending."""
        away = {*self.dealer, *self.gone}
        return [card for card in range(52) if card not in away]

    def given_up(self, hand: tuple[int, ...]) -> State:
        """The state in which a hand drawn here has been given up as well."""
        return replace(self, gone=self.gone + hand)

    def draws(self, slack: Fraction | None = Fraction(0)) -> Draws:
        """Every hand that can be drawn, with the values of staying and of giving it up for the last exchange.

        A hand for which the exchange falls short by `slack` antes or more need not be valued; without a slack all are.
        Some tenths of a second. InputError for rules whose pays are too large for 64 bits.
        """
        live, to_come = len(self.live), 5 - len(self.dealer)
        pairs = comb(live - 5, 5) * comb(live - 10, to_come)
        if pairs * (max(map(abs, self.nets)) + self.fee) >= _LARGEST_TOTAL:
            most = _LARGEST_TOTAL // pairs - self.fee
            told = f"with more than one exchange left less than {most:,} is needed here"
            raise InputError(f"a net result of {max(self.nets):,} antes is too large to count: {told}")
        least = None if slack is None else self.fee - slack
        stay, again = stud_exchange_again(self.dealer, self.gone, self.qualify, self.nets, least)
        return Draws(self, stay, again)


@dataclass(frozen=True)
class Draws:
    """The hands that can be drawn, in lexicographic order of the live cards, and what each is worth.

    `stay` are the totals of the better of fold and call over `completions`, `again` those of the last exchange, without
    its fee, over `pairs` of a draw and a completion; `NOT_WORTH_IT` where the exchange falls short by the slack.
    """

    state: State
    stay: NDArray[np.int64]
    again: NDArray[np.int64]

    @property
    def completions(self) -> int:
        """How many ways there are for the dealer's cards to come after a draw."""
        return comb(len(self.state.live) - 5, 5 - len(self.state.dealer))

    @property
    def pairs(self) -> int:
        """How many ways there are for a further draw and then the dealer's cards."""
        live = len(self.state.live)
        return comb(live - 5, 5) * comb(live - 10, 5 - len(self.state.dealer))

    @cached_property
    def value(self) -> Fraction:
        """What it is worth to give a hand up here, with one exchange to follow, in antes and with the fee."""
        best = np.maximum(self._stay_in_pairs, self._again_less_fee)
        return Fraction(_sum(best), len(best) * self.pairs) - self.state.fee

    @property
    def new_hands(self) -> dict[str, int]:
        """How many of the hands are best folded, called, and given up again; of equals the cheaper counts."""
        again = self._again_less_fee > self._stay_in_pairs
        folded = ~again & (self.stay == self.completions * self.state.nets[0])
        counts = {"fold": int(folded.sum()), "exchange": int(again.sum())}
        return {"fold": counts["fold"], "call": len(again) - sum(counts.values()), "exchange": counts["exchange"]}

    @property
    def stay_values(self) -> NDArray[np.float64]:
        """The better of fold and call for each hand, in antes."""
        return self.stay / self.completions

    @property
    def again_values(self) -> NDArray[np.float64]:
        """The last exchange for each hand, in antes and with its fee; minus infinity where it falls short."""
        values = self.again / self.pairs - self.state.fee
        values[self.again == NOT_WORTH_IT] = -np.inf
        return values

    @property
    def not_qualified(self) -> NDArray[np.float64]:
        """How often the dealer fails to qualify after each draw, as a share of the completions."""
        only_failing = (_NEVER_FOLDED, 1, *[0] * 12)
        state = self.state
        failed, _ = stud_exchange_again(state.dealer, state.gone, state.qualify, only_failing, _NOTHING_AGAIN)
        return failed / self.completions

    def hand(self, row: int) -> tuple[int, ...]:
        """The cards of a hand by its row.

        >>> state = State((40,), (51, 46, 37, 24, 7), 1, 1114, (-1, 1, 0, -3, *[3] * 10))
        >>> draws = Draws(state, np.empty(0), np.empty(0))
        >>> draws.hand(0), draws.hand(1_370_753)
        ((0, 1, 2, 3, 4), (45, 47, 48, 49, 50))
        """
        live = self.state.live
        cards: list[int] = []
        for place, card in enumerate(live):
            after = comb(len(live) - place - 1, 4 - len(cards)) if len(cards) < 5 else 0
            if len(cards) == 5:
                break
            if row < after:
                cards.append(card)
            else:
                row -= after
        return tuple(cards)

    @property
    def _stay_in_pairs(self) -> NDArray[np.int64]:
        return self.stay * (self.pairs // self.completions)

    @property
    def _again_less_fee(self) -> NDArray[np.int64]:
        less = self.again - self.state.fee * self.pairs
        less[self.again == NOT_WORTH_IT] = NOT_WORTH_IT
        return less


def _sum(totals: NDArray[np.int64]) -> int:
    """The exact sum, in two halves, for NumPy's own would wrap without a word."""
    return (int((totals >> 32).sum()) << 32) + int((totals & 0xFFFFFFFF).sum())
