"""What a side bet that a fold loses does to the decisions: the value of both bets together, by size of the side bet."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import polars as pl

from pycs.games import game_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pycs.rules import Rules
    from pycs.side_bets import SideBet

__all__ = ["STAKES", "JointValue", "Weighed", "weighed_together"]

STAKES: Final = (Fraction(1, 10), Fraction(1, 2), Fraction(1), Fraction(5))
"""The sizes of the bet, in antes, whose joint value a report shows."""


class JointValue(NamedTuple):
    """Ante and side bet together, in antes per round, with a bet of this size and the best action for both.

    `apart` is what a player gets who decides as if there were no side bet. `changed_deals` counts the raw deals that
    are called for the sake of the side bet and folded without, `changed_rows` the canonical ones.
    """

    bonus: Fraction
    value: Fraction
    apart: Fraction
    changed_deals: int
    changed_rows: int

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `pycs report --json` prints it."""
        return {
            "bonus": float(self.bonus),
            "bonus_exact": str(self.bonus),
            "value": float(self.value),
            "exact": str(self.value),
            "apart": float(self.apart),
            "apart_exact": str(self.apart),
            "changed_deals": self.changed_deals,
            "changed_rows": self.changed_rows,
        }


@dataclass(frozen=True, slots=True)
class Weighed:
    """Main bet and side bet weighed together, for some sizes of the side bet.

    `smallest_change` and `largest_change` are the least and the greatest bet beyond which some deal that is folded
    without it is called; None when no bet changes any decision.
    """

    joint: tuple[JointValue, ...]
    smallest_change: Fraction | None
    largest_change: Fraction | None

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `pycs report --json` prints it."""
        changes = {"smallest_change": self.smallest_change, "largest_change": self.largest_change}
        return {
            "joint": [each.to_dict() for each in self.joint],
            **{name: None if change is None else float(change) for name, change in changes.items()},
            **{f"{name}_exact": None if change is None else str(change) for name, change in changes.items()},
        }


class _Folded(NamedTuple):
    """Deals that are folded without the side bet and would be paid with it, as long as it is at most `until`."""

    until: Fraction
    gain_at_none: int
    net: Fraction
    deals: int
    rows: int


def weighed_together(
    deals: pl.DataFrame, rules: Rules, bet: SideBet, net: int, stakes: Iterable[Fraction] = STAKES
) -> Weighed:
    """Main bet and side bet together, from all canonical deals with their values and lines.

    `net` is the sum of the main bet's net results over all rounds, in antes.
    """
    game = game_of(rules)
    weights = deals.group_by(bet.column, "action").agg(pl.col("weight").sum()).rows()
    folded = _folded_winners(deals, rules, bet) if bet.requires_call else []
    alone = game.completions * sum(weight * bet.net(line, action) for line, action, weight in weights)

    def joint(stake: Fraction) -> JointValue:
        changed = [each for each in folded if stake > each.until]
        gain = sum(each.deals * (each.gain_at_none + game.completions * stake * (each.net + 1)) for each in changed)
        apart = net + stake * alone
        return JointValue(
            bonus=stake,
            value=(apart + gain) / Fraction(game.rounds),
            apart=apart / Fraction(game.rounds),
            changed_deals=sum(each.deals for each in changed),
            changed_rows=sum(each.rows for each in changed),
        )

    return Weighed(
        joint=tuple(joint(stake) for stake in stakes),
        smallest_change=min((each.until for each in folded), default=None),
        largest_change=max((each.until for each in folded), default=None),
    )


def _folded_winners(deals: pl.DataFrame, rules: Rules, bet: SideBet) -> list[_Folded]:
    completions = game_of(rules).completions
    winners = [line for line, net in bet.nets.items() if net > -1]
    groups = (
        deals.filter((pl.col("action") == "fold") & pl.col(bet.column).is_in(winners))
        .group_by(bet.column, "call_numerator")
        .agg(pl.col("weight").sum().alias("deals"), pl.len().alias("rows"))
        .sort(bet.column, "call_numerator")
    )
    found = []
    for line, call, count, rows in groups.rows():
        gain = call - completions * rules.net_fold  # at most 0, for without the side bet the deal is folded
        until = Fraction(-gain) / (completions * (bet.nets[line] + 1))
        found.append(_Folded(until, gain, bet.nets[line], count, rows))
    return found
