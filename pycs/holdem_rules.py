"""The rules of Casino Hold'em, and of its AA Bonus.

Stakes and net results are whole numbers of antes; every pay is "to one". The rules never change once made.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Final, Literal

from msgspec import Meta

from pycs.errors import InputError
from pycs.game_rules import GameRules, qualifier_objections
from pycs.messages import shown
from pycs.sections import CATEGORIES, MAX_PAY, Note, Section, Text

__all__ = [
    "AA_BONUS_LINES",
    "ANTE_LINES",
    "AABonus",
    "AABonusPays",
    "AntePays",
    "CasinoHoldemRules",
    "HoldemDealer",
    "HoldemSideBets",
    "ante_line",
]

ANTE_LINES: Final = ("royal flush", "straight flush", "four of a kind", "full house", "flush", "straight or less")
"""The lines of the ante's pay table, high to low, by the player's final hand: the best five of seven cards."""

AA_BONUS_LINES: Final = ("royal flush", "straight flush", "four of a kind", "full house", "flush", "aces to straight")
"""The lines by which the AA Bonus pays, high to low, on hole cards and flop; below a pair of aces it is lost."""

_Pay = Annotated[int, Meta(ge=0, le=MAX_PAY)]


def ante_line(category: str) -> str:
    """The line of the ante's pay table by which one of `CATEGORIES` is paid; `InputError` for any other word.

    >>> ante_line("flush"), ante_line("pair")
    ('flush', 'straight or less')
    """
    if category not in CATEGORIES:
        raise InputError(f"{shown(category)} is no category of hands: give one of {', '.join(CATEGORIES)}")
    return category if category in ANTE_LINES else ANTE_LINES[-1]


class HoldemDealer(Section, frozen=True, kw_only=True):
    """What the dealer needs to qualify, a key of `LOWEST_QUALIFYING`, and what the ante wins when he does not."""

    qualifies: Text
    ante_when_not_qualified: Literal["by the table", "1 to 1"]


class AntePays(Section, frozen=True, kw_only=True):
    """What the ante wins, to one, by the player's final hand; 0 to `MAX_PAY` each. The call always wins 1 to 1."""

    royal_flush: _Pay
    straight_flush: _Pay
    four_of_a_kind: _Pay
    full_house: _Pay
    flush: _Pay
    straight_or_less: _Pay

    def of(self, line: str) -> int:
        """The pay, to one, for one of `ANTE_LINES`; `InputError` for any other word."""
        if line not in ANTE_LINES:
            raise InputError(f"{shown(line)} is no line of the ante's pay table: give one of {', '.join(ANTE_LINES)}")
        pay: int = getattr(self, line.replace(" ", "_"))
        return pay


class AABonusPays(Section, frozen=True, kw_only=True):
    """What the AA Bonus wins, to one, by hole cards and flop; it is lost below a pair of aces."""

    royal_flush: _Pay
    straight_flush: _Pay
    four_of_a_kind: _Pay
    full_house: _Pay
    flush: _Pay
    aces_to_straight: _Pay

    def of(self, line: str) -> int:
        """The pay, to one, for one of `AA_BONUS_LINES`."""
        pay: int = getattr(self, line.replace(" ", "_"))
        return pay


class AABonus(Section, frozen=True, kw_only=True):
    """The AA Bonus: a bet on hole cards and flop. With `bonus_requires_call` a player who folds loses it."""

    bonus_requires_call: bool
    pays: AABonusPays


class HoldemSideBets(Section, frozen=True, kw_only=True):
    """The side bets on offer."""

    aa_bonus: AABonus | None = None


_EVENTS: Final = {
    **{f"not_qualified_{line.replace(' ', '_')}": f"dealer does not qualify, {line}" for line in ANTE_LINES},
    **{f"win_{line.replace(' ', '_')}": line for line in ANTE_LINES},
    "push": "push",
    "lose": "dealer wins",
}
"""What a report calls each outcome, in the order in which they are counted."""


class CasinoHoldemRules(GameRules, frozen=True, kw_only=True, tag="casino-holdem"):
    """One house's Casino Hold'em, as its profile states it. Frozen and hashable; made by `load_rules`.

    Net results are whole numbers of antes, without a bonus bet.

    >>> from pycs.rules import load_rules
    >>> rules = load_rules("casino-holdem")
    >>> rules.net_fold, rules.net_lose, rules.net_push, rules.net_win("flush"), rules.net_not_qualified("flush")
    (-1, -3, 0, 4, 2)
    """

    outcomes: ClassVar[tuple[str, ...]] = tuple(_EVENTS)
    played: ClassVar[tuple[str, ...]] = ("stakes", "dealer", "pays", "side_bets")

    dealer: HoldemDealer
    pays: AntePays
    side_bets: HoldemSideBets | None = None
    notes: tuple[Note, ...] = ()

    def net_not_qualified(self, line: str) -> int:
        """The dealer does not qualify: the ante wins by one of `ANTE_LINES`, or 1 to 1, and the call comes back."""
        pay = self.pays.of(line)
        return self.stakes.ante * (pay if self.dealer.ante_when_not_qualified == "by the table" else 1)

    def net_win(self, line: str) -> int:
        """The dealer qualifies and the player is better: the ante wins by one of `ANTE_LINES`, the call 1 to 1."""
        return self.stakes.ante * self.pays.of(line) + self.stakes.call

    def nets(self, category: str) -> tuple[int, ...]:  # noqa: ARG002 - what the first five cards are pays nothing
        """The net result of each of `outcomes` after a call, whatever the `category` of the first five cards.

        >>> from pycs.rules import load_rules
        >>> load_rules("casino-holdem").nets("pair")
        (100, 20, 10, 3, 2, 1, 102, 22, 12, 5, 4, 3, 0, -3)
        """
        return (
            *(self.net_not_qualified(line) for line in ANTE_LINES),
            *(self.net_win(line) for line in ANTE_LINES),
            self.net_push,
            self.net_lose,
        )

    def net_of(self, outcome: str, category: str) -> int:
        """The net result of a round: `outcome` is `fold`, `not_qualified`, `win`, `push` or `lose`; `category` that of
        the player's final hand.

        >>> from pycs.rules import load_rules
        >>> load_rules("casino-holdem").net_of("win", "flush"), load_rules("casino-holdem").net_of("fold", "flush")
        (4, -1)
        """
        line = ante_line(category)
        nets = {
            "fold": self.net_fold,
            "not_qualified": self.net_not_qualified(line),
            "win": self.net_win(line),
            "push": self.net_push,
            "lose": self.net_lose,
        }
        if outcome not in nets:
            raise InputError(f"{shown(outcome)} is no outcome: give one of {', '.join(nets)}")
        return nets[outcome]

    def event(self, outcome: str, category: str) -> str:  # noqa: ARG002 - as above
        """What a report calls this outcome: a line of the ante's pay table for a win.

        >>> from pycs.rules import load_rules
        >>> [load_rules("casino-holdem").event(outcome, "pair") for outcome in ("win_flush", "not_qualified_flush")]
        ['flush', 'dealer does not qualify, flush']
        """
        return _EVENTS[outcome]

    @property
    def aa_bonus(self) -> AABonus | None:
        """The AA Bonus, where it is on offer."""
        return self.side_bets.aa_bonus if self.side_bets else None

    @property
    def not_counted(self) -> tuple[str, ...]:
        """What these rules offer that pycs does not count: nothing."""
        return ()

    def objections(self) -> Iterator[tuple[str, str]]:
        """What the sections hold against each other: the key at fault and what is allowed there."""
        yield from qualifier_objections(self.dealer.qualifies)
        if self.side_bets == HoldemSideBets():
            yield "side_bets", "must hold aa_bonus, or be left out"
