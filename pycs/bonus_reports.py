"""The mathematics of the AA Bonus in a whole game: its lines and edge, and the value of both bets played together."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import polars as pl

from pycs.aa_bonus import NOTHING
from pycs.games import CASINO_HOLDEM
from pycs.holdem_rules import AA_BONUS_LINES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pycs.holdem_rules import AABonus
    from pycs.rules import Rules

__all__ = ["STAKES", "BonusLine", "BonusReport", "JointValue", "bonus_report"]

STAKES: Final = (Fraction(1, 10), Fraction(1, 2), Fraction(1), Fraction(5))
"""The bonus bets, in antes, whose joint value a report shows."""


class BonusLine(NamedTuple):
    """A line of the bonus: what it pays, to one (-1: the bet is lost), and how many raw deals make it."""

    line: str
    pays: int
    deals: int


class JointValue(NamedTuple):
    """Ante and bonus together, in antes per round, with a bonus bet of this size and the best action for both.

    `apart` is what a player gets who decides as if there were no bonus. `changed_deals` counts the raw deals, of
    25,989,600, that are called for the sake of the bonus and folded without, `changed_rows` the canonical ones.
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
class BonusReport:
    """The bonus bet, exactly, over all 25,989,600 raw deals of hole cards and flop.

    `value` is what one unit bet on it brings in the mean when it is never lost by folding. `joint` shows it together
    with the main bet. `smallest_change` and `largest_change` are the least and the greatest bonus bet beyond which some
    deal that is folded without a bonus is called; None when no bet changes any decision.
    """

    bet: str
    requires_call: bool
    lines: tuple[BonusLine, ...]
    joint: tuple[JointValue, ...]
    smallest_change: Fraction | None
    largest_change: Fraction | None

    @property
    def deals(self) -> int:
        """How many raw deals there are."""
        return sum(line.deals for line in self.lines)

    @property
    def value(self) -> Fraction:
        """The mean net result of one unit bet, when it is never lost by folding."""
        return Fraction(sum(line.pays * line.deals for line in self.lines), self.deals)

    @property
    def house_edge(self) -> Fraction:
        """What the player loses in the mean, per unit bet on the bonus."""
        return -self.value

    @property
    def hit_frequency(self) -> Fraction:
        """How often the bonus is paid, when it is never lost by folding."""
        return Fraction(sum(line.deals for line in self.lines if line.pays >= 0), self.deals)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `pycs report --json` prints it."""
        changes = {"smallest_change": self.smallest_change, "largest_change": self.largest_change}
        return {
            "bet": self.bet,
            "bonus_requires_call": self.requires_call,
            "deals": self.deals,
            "lines": [line._asdict() for line in self.lines],
            "value": float(self.value),
            "exact": str(self.value),
            "house_edge": float(self.house_edge),
            "house_edge_exact": str(self.house_edge),
            "hit_frequency": float(self.hit_frequency),
            "hit_frequency_exact": str(self.hit_frequency),
            "joint": [each.to_dict() for each in self.joint],
            **{name: None if change is None else float(change) for name, change in changes.items()},
            **{f"{name}_exact": None if change is None else str(change) for name, change in changes.items()},
        }


class _Folded(NamedTuple):
    """Deals that are folded without a bonus bet and would be paid with one, as long as it is at most `until`."""

    until: Fraction
    gain_at_none: int
    pays: int
    deals: int
    rows: int


def bonus_report(
    deals: pl.DataFrame, rules: Rules, bonus: AABonus, net: int, stakes: Iterable[Fraction] = STAKES
) -> BonusReport:
    """The report of the bonus, from all canonical deals with their values (`pycs.values.with_values`).

    `net` is the sum of the main bet's net results over all rounds, in antes.
    """
    completions, rounds = CASINO_HOLDEM.completions, CASINO_HOLDEM.rounds
    pays = dict(enumerate((*(bonus.pays.of(line) for line in AA_BONUS_LINES), -1)))
    numbered = deals.with_columns(line=pl.col("aa_bonus").to_physical().cast(pl.Int64))
    weights: dict[tuple[int, str], int] = {
        (line, action): weight
        for line, action, weight in numbered.group_by("line", "action").agg(pl.col("weight").sum()).rows()
    }
    folded = _folded_winners(numbered, rules, pays) if bonus.bonus_requires_call else []

    def bonus_net(line: int, action: str) -> int:
        return -1 if bonus.bonus_requires_call and action == "fold" else pays[line]

    alone = completions * sum(weight * bonus_net(*key) for key, weight in weights.items())

    def joint(stake: Fraction) -> JointValue:
        changed = [each for each in folded if stake > each.until]
        gain = sum(each.deals * (each.gain_at_none + completions * stake * (each.pays + 1)) for each in changed)
        apart = net + stake * alone
        return JointValue(
            bonus=stake,
            value=(apart + gain) / Fraction(rounds),
            apart=apart / Fraction(rounds),
            changed_deals=sum(each.deals for each in changed),
            changed_rows=sum(each.rows for each in changed),
        )

    names = (*AA_BONUS_LINES, "less than a pair of aces")
    sums = {line: sum(weights.get((line, action), 0) for action in ("fold", "call")) for line in pays}
    return BonusReport(
        bet="AA Bonus",
        requires_call=bonus.bonus_requires_call,
        lines=tuple(BonusLine(names[line], pays[line], sums[line]) for line in pays),
        joint=tuple(joint(stake) for stake in stakes),
        smallest_change=min((each.until for each in folded), default=None),
        largest_change=max((each.until for each in folded), default=None),
    )


def _folded_winners(numbered: pl.DataFrame, rules: Rules, pays: dict[int, int]) -> list[_Folded]:
    completions = CASINO_HOLDEM.completions
    groups = (
        numbered.filter((pl.col("action") == "fold") & (pl.col("line") < NOTHING))
        .group_by("line", "call_numerator")
        .agg(pl.col("weight").sum().alias("deals"), pl.len().alias("rows"))
        .sort("line", "call_numerator")
    )
    found = []
    for line, call, deals, rows in groups.rows():
        gain = call - completions * rules.net_fold  # at most 0, for without a bonus the deal is folded
        until = Fraction(-gain, completions * (pays[line] + 1))
        found.append(_Folded(until, gain, pays[line], deals, rows))
    return found
