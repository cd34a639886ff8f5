"""The rules of Caribbean Stud and its variants.

Stakes and net results are whole numbers of antes; every pay is "to one". The rules never change once made.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pycs.errors import InputError
from pycs.game_rules import GameRules, qualifier_objections
from pycs.messages import shown
from pycs.sections import (
    CATEGORIES,
    Boxes,
    Dealer,
    Exchange,
    Limits,
    Note,
    Pays,
    Session,
    SharedHand,
    SideBets,
    pay_line,
    section_objections,
)

__all__ = ["CaribbeanStudRules"]


class CaribbeanStudRules(GameRules, frozen=True, kw_only=True, tag="caribbean-stud"):
    """One house's Caribbean Stud, as its profile states it. Frozen and hashable; made by `load_rules`.

    Net results are whole numbers of antes, for a round without an exchange; each exchange takes its fee off them.

    >>> from pycs.rules import load_rules
    >>> rules = load_rules("us")
    >>> rules.net_fold, rules.net_lose, rules.net_not_qualified, rules.net_push
    (-1, -3, 1, 0)
    """

    outcomes: ClassVar[tuple[str, ...]] = ("not_qualified", "win", "push", "lose")
    played: ClassVar[tuple[str, ...]] = ("stakes", "dealer", "pays", "exchange")

    dealer: Dealer
    pays: Pays
    exchange: Exchange | None = None
    boxes: Boxes | None = None
    shared_hand: SharedHand | None = None
    limits: Limits | None = None
    session: Session | None = None
    side_bets: SideBets | None = None
    notes: tuple[Note, ...] = ()

    @property
    def net_not_qualified(self) -> int:
        """The dealer does not qualify: the ante wins 1 to 1 and the call comes back, whatever the player holds."""
        return self.stakes.ante

    def net_win(self, category: str) -> int:
        """The dealer qualifies and the player is better, with a hand of this category (one of `CATEGORIES`).

        The ante wins 1 to 1 and the call by the pay table. `InputError` for any other word.

        >>> from pycs.rules import load_rules
        >>> load_rules("us").net_win("royal flush"), load_rules("us").net_win("high card")
        (201, 3)
        """
        return self.stakes.ante + self.stakes.call * self.pays.of(category)

    def nets(self, category: str) -> tuple[int, ...]:
        """The net result of each of `outcomes` after a call, for a hand of this category (one of `CATEGORIES`).

        >>> from pycs.rules import load_rules
        >>> load_rules("us").nets("flush")
        (1, 11, 0, -3)
        """
        return self.net_not_qualified, self.net_win(category), self.net_push, self.net_lose

    @property
    def exchange_nets(self) -> tuple[int, ...]:
        """The net results as the core's exchanges take them: fold, not qualified, push, loss, and wins by category.

        The wins are those of `CATEGORIES` from low to high.

        >>> from pycs.rules import load_rules
        >>> load_rules("three-box").exchange_nets
        (-1, 1, 0, -3, 3, 3, 5, 7, 9, 11, 15, 41, 101, 201)
        """
        wins = (self.net_win(category) for category in reversed(CATEGORIES))
        return self.net_fold, self.net_not_qualified, self.net_push, self.net_lose, *wins

    def net_of(self, outcome: str, category: str) -> int:
        """The net result of a round: `outcome` is `fold` or one of `outcomes`, `category` that of the player's hand.

        >>> from pycs.rules import load_rules
        >>> load_rules("us").net_of("win", "flush"), load_rules("us").net_of("fold", "flush")
        (11, -1)
        """
        nets = {"fold": self.net_fold, **dict(zip(self.outcomes, self.nets(category), strict=True))}
        if outcome not in nets:
            raise InputError(f"{shown(outcome)} is no outcome: give one of {', '.join(nets)}")
        return nets[outcome]

    def event(self, outcome: str, category: str) -> str:
        """What a report calls this outcome for a hand of this category: a line of the pay table for a win.

        >>> from pycs.rules import load_rules
        >>> load_rules("us").event("win", "high card"), load_rules("us").event("lose", "high card")
        ('pair or less', 'dealer wins')
        """
        names = {"not_qualified": "dealer does not qualify", "push": "push", "lose": "dealer wins"}
        return pay_line(category) if outcome == "win" else names[outcome]

    @property
    def not_counted(self) -> tuple[str, ...]:
        """What these rules offer beyond the fold or call of one hand, which is all that pycs counts of them so far.

        >>> from pycs.rules import load_rules
        >>> load_rules("us").not_counted, load_rules("three-box").not_counted
        ((), ('the exchange', 'further boxes', 'limits of money'))
        """
        bets = self.side_bets or SideBets()
        parts = {
            "the exchange": self.exchange,
            "further boxes": self.boxes,
            "the 5+1 Bonus": bets.five_plus_one,
            "the Jackpot": bets.jackpot,
            "the session's result": self.session,
            "limits of money": self.limits,
        }
        return tuple(name for name, part in parts.items() if part is not None)

    def objections(self) -> Iterator[tuple[str, str]]:
        """What the sections hold against each other: the key at fault and what is allowed there."""
        yield from qualifier_objections(self.dealer.qualifies)
        yield from section_objections(self.exchange, self.boxes, self.limits, self.side_bets)
