"""What a strategy costs: its exact value, and where it parts from best play or from another strategy."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import polars as pl

from pycs.action_values import WEIGHT, action_values
from pycs.deal_classes import deal_classes
from pycs.errors import InputError
from pycs.named_strategies import STRATEGIES
from pycs.rules import load_rules
from pycs.strategies import OPTIMAL, PLAYED
from pycs.strategy_sources import read_strategy
from pycs.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    from pycs.action_values import ActionValues
    from pycs.rules import Rules
    from pycs.strategies import Strategy

    Given: TypeAlias = str | os.PathLike[str] | pl.DataFrame | Strategy

__all__ = ["Difference", "Play", "StrategyCost", "cost_of", "named_plays", "play_of", "strategy"]


class Difference(NamedTuple):
    """Deals of one class that two strategies play otherwise. `hand` and `seen` are those of `pycs.deal_classes`.

    `action` is what the strategy does there, `other` what the one does that it is held against. `deals` counts raw
    deals; `loss` is what the strategy loses against the other by them, in antes per round of the game.
    """

    hand: str
    seen: str
    action: str
    other: str
    deals: int
    loss: Fraction

    def loss_each_time(self, raw_deals: int) -> Fraction:
        """What is lost in the mean when one of these deals comes, in antes; `raw_deals` are all of the game."""
        return self.loss * raw_deals / self.deals


@dataclass(frozen=True)
class Play:
    """How a strategy fares, exactly, over `deals` equally likely ways for a round to go.

    `net` sums the net results over them, in antes, `staked` all bets, the fee of an exchange among them. `action_deals`
    counts raw deals. `strategy` is its name, `text` its rules, `title` what it says, both empty where there are none.
    """

    strategy: str
    text: str
    title: str
    deals: int
    net: int
    staked: int
    action_deals: Mapping[str, int] = field(hash=False)

    @property
    def value(self) -> Fraction:
        """The mean net result of a round, in antes."""
        return Fraction(self.net, self.deals)

    @property
    def house_edge(self) -> Fraction:
        """What the player loses in the mean, per ante."""
        return -self.value

    @property
    def average_bet(self) -> Fraction:
        """All that is staked on a round in the mean, in antes, fees among it."""
        return Fraction(self.staked, self.deals)

    @property
    def element_of_risk(self) -> Fraction:
        """What the player loses in the mean, per unit bet."""
        return Fraction(-self.net, self.staked)

    @property
    def actions(self) -> dict[str, Fraction]:
        """The share of deals in which each action is taken."""
        everything = sum(self.action_deals.values())
        return {action: Fraction(count, everything) for action, count in self.action_deals.items()}

    def to_dict(self) -> dict[str, Any]:
        """Plain data: floats to read, fractions as exact text."""
        exact = {
            "house_edge": self.house_edge,
            "element_of_risk": self.element_of_risk,
            "average_bet": self.average_bet,
        }
        return {
            "strategy": self.strategy,
            "strategy_rules": self.text,
            "strategy_title": self.title,
            "deals": self.deals,
            "net": self.net,
            "value": float(self.value),
            "exact": str(self.value),
            **{name: float(number) for name, number in exact.items()},
            **{f"{name}_exact": str(number) for name, number in exact.items()},
            "actions": {action: float(share) for action, share in self.actions.items()},
            "action_deals": dict(self.action_deals),
        }


@dataclass(frozen=True)
class StrategyCost:
    """What a strategy costs, exactly: its `play`, that of best play, and that of the `other` it is held against.

    `other` is best play itself where no other was named. `exchanges` is how many are left at the decision, 0 or 1;
    after an exchange the new hand is played at best. `differences` are the deals that the two play otherwise, in
    classes, the dearest first, and those in which the strategy wins at the end.
    """

    rules: Rules
    exchanges: int
    play: Play
    optimal: Play
    other: Play
    differences: tuple[Difference, ...] = field(repr=False)

    @property
    def loss(self) -> Fraction:
        """What the strategy loses against best play, in antes per round."""
        return self.optimal.value - self.play.value

    @property
    def loss_to_other(self) -> Fraction:
        """What the strategy loses against the other, in antes per round; negative where it wins."""
        return self.other.value - self.play.value

    @property
    def raw_deals(self) -> int:
        """How many deals there are, each equally likely."""
        return sum(self.play.action_deals.values())

    @property
    def different_deals(self) -> int:
        """How many raw deals are played otherwise than the other does."""
        return sum(each.deals for each in self.differences)

    def to_frame(self) -> pl.DataFrame:
        """The differences, one row each: classes, actions, raw deals, and losses as numbers and as exact text."""
        return pl.DataFrame(
            [
                {
                    "hand": each.hand,
                    "seen": each.seen,
                    "action": each.action,
                    "other": each.other,
                    "deals": each.deals,
                    "share": each.deals / self.raw_deals,
                    "loss": float(each.loss),
                    "loss_each_time": float(each.loss_each_time(self.raw_deals)),
                    "loss_exact": str(each.loss),
                }
                for each in self.differences
            ],
            schema=_COLUMNS,
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `pycs strategy --json` prints it: floats to read, fractions as exact text."""
        return {
            "profile": self.rules.name,
            "title": self.rules.title,
            "rules_digest": self.rules.digest,
            "version": __version__,
            "exchanges_left": self.exchanges,
            **self.play.to_dict(),
            "loss": float(self.loss),
            "loss_exact": str(self.loss),
            "optimal": self.optimal.to_dict(),
            "other": self.other.to_dict(),
            "loss_to_other": float(self.loss_to_other),
            "loss_to_other_exact": str(self.loss_to_other),
            "different_deals": self.different_deals,
            "differences": self.to_frame().to_dicts(),
        }


_COLUMNS = {
    "hand": pl.String,
    "seen": pl.String,
    "action": pl.String,
    "other": pl.String,
    "deals": pl.Int64,
    "share": pl.Float64,
    "loss": pl.Float64,
    "loss_each_time": pl.Float64,
    "loss_exact": pl.String,
}


def strategy(
    profile: str | os.PathLike[str] | Rules,
    given: Given,
    against: Given = OPTIMAL,
    *,
    exchanges: int | None = None,
) -> StrategyCost:
    """What a strategy of a profile is worth, exactly, and where it differs from best play, or from another strategy.

    A strategy is a name (`pycs.named_strategies`), rules such as `"call when pair > 0; otherwise fold"`
    (`pycs.strategy_sources.read_rules`), the path of a TOML file of such rules, or a table with the columns `hand`,
    `upcard` or `flop`, and `action`: a CSV or Parquet file, or a frame. `exchanges` is how many are left (0 or 1; by
    default 1 where the rules allow any).

    InputError for a profile or a strategy that cannot be, and for one that takes an action that is not on offer. Some
    seconds, half a minute with an exchange. Safe to call from many threads.

    >>> three_rules = strategy("us", "three-rules")
    >>> three_rules.play.net, str(three_rules.loss)
    (-1041417758724, '311433/138425211925')
    >>> worst = three_rules.differences[0]
    >>> worst.hand, worst.seen, worst.action, worst.other, worst.deals
    ('A-K-Q', '5', 'call', 'fold', 20820)
    """
    rules = load_rules(profile)
    values = action_values(rules, exchanges)
    return cost_of(values, read_strategy(values.game, given), read_strategy(values.game, against))


def cost_of(values: ActionValues, given: Strategy | None, against: Strategy | None = None) -> StrategyCost:
    """As `strategy`, from values that are counted already; None stands for best play."""
    action, other = _played(values, given), _played(values, against)
    optimal = _play(values, None, values.deals["best"])
    return StrategyCost(
        rules=values.rules,
        exchanges=values.exchanges,
        play=optimal if given is None else _play(values, given, action),
        optimal=optimal,
        other=optimal if against is None else _play(values, against, other),
        differences=_differences(values, action, other),
    )


def play_of(values: ActionValues, given: Strategy | None) -> Play:
    """How a strategy fares, None being best play, without a look at where it errs."""
    return _play(values, given, _played(values, given))


def named_plays(values: ActionValues) -> tuple[Play, ...]:
    """How each strategy fares that has a name and takes only what is on offer; best play first."""
    named = STRATEGIES[values.game.name].values()
    offered = [given for given in named if given.takes <= set(values.actions)]
    return tuple(play_of(values, given) for given in (None, *offered))


def _played(values: ActionValues, given: Strategy | None) -> pl.Series:
    if given is None:
        return values.deals["best"]
    actions = given.played()
    for action in PLAYED.categories:
        if action not in values.actions and (actions == action).any():
            offered = f"{', '.join(values.actions)} are on offer in {values.rules.name}"
            raise InputError(f"the strategy {given.name}: {action} is not allowed, {offered}")
    return actions


def _play(values: ActionValues, given: Strategy | None, action: pl.Series) -> Play:
    deals = values.deals.with_columns(action.alias("action"))
    sums = deals.group_by("action").agg(
        pl.col("weight").sum(),
        net=(values.value_of("action") * WEIGHT).sum(),
        later=(_later(values) * WEIGHT).sum(),
    )
    by_action = {row["action"]: row for row in sums.rows(named=True)}
    taken = {name: by_action[name]["weight"] if name in by_action else 0 for name in values.actions}
    stakes = values.rules.stakes
    first = stakes.ante * values.rounds + stakes.call * taken["call"] * values.denominator
    return Play(
        strategy=OPTIMAL if given is None else given.name,
        text="" if given is None else str(given),
        title="" if given is None else given.title,
        deals=values.rounds,
        net=sum(row["net"] for row in by_action.values()),
        staked=first + sum(row["later"] for row in by_action.values()),
        action_deals=taken,
    )


def _later(values: ActionValues) -> pl.Expr:
    """What an exchange stakes beyond the ante, over the denominator: its fee, and the calls of new hands."""
    if not values.exchanges:
        return pl.lit(0, pl.Int64)
    after = values.fee * values.denominator + values.rules.stakes.call * pl.col("exchange_called")
    return pl.when(pl.col("action") == "exchange").then(after).otherwise(0)


def _differences(values: ActionValues, action: pl.Series, other: pl.Series) -> tuple[Difference, ...]:
    differ = action != other
    if not differ.any():
        return ()
    deals = values.deals.with_columns(action.alias("action"), other.alias("other"), *deal_classes(values.game))
    loss = (values.value_of("other") - values.value_of("action")) * WEIGHT
    found = (
        deals.filter(differ)
        .group_by("hand", "seen", "action", "other")
        .agg(pl.col("weight").sum().alias("deals"), loss.sum().alias("loss"))
        .sort(pl.col("loss"), "hand", "seen", "action", "other", descending=[True, False, False, False, False])
    )
    return tuple(
        Difference(hand, seen, action, other, count, Fraction(lost, values.rounds))
        for hand, seen, action, other, count, lost in found.rows()
    )
