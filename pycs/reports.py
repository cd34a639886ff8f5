"""The mathematics of a whole game: how often each event comes, what the game is worth, how far results scatter."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import polars as pl

from pycs.aa_bonus import NO_BET, bonus_of, stake_of
from pycs.bonus_reports import STAKES, BonusReport, bonus_report
from pycs.deal_frames import deal_frame
from pycs.games import game_of
from pycs.ranking import qualifying_strength
from pycs.rules import load_rules
from pycs.sections import CATEGORIES
from pycs.values import tally, with_values
from pycs.version import __version__

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from pycs.amounts import Amount
    from pycs.rules import Rules

__all__ = ["Event", "Report", "report", "report_of_tally"]

STRATEGY = "optimal"


class Event(NamedTuple):
    """A way for a round to end: its net result in antes, and in how many of the equally likely rounds it comes."""

    event: str
    net: int
    combinations: int


@dataclass(frozen=True, slots=True)
class Report:
    """A game under best play, exactly.

    `deals` counts the equally likely ways to deal a round, such as 19,933,230,517,200; `net` is the sum of the net
    results over all of them, in antes; `value` = `net` / `deals` is the mean net result per ante, negative for the
    player. `action_deals` counts raw deals (122,151,120 pairs of hand and upcard, or 25,989,600 of hole cards and flop)
    by best action, `indifferent_deals` those in which two actions are worth exactly the same. Fractions are exact. All
    of this is of the main bet alone; `bets` tells of the side bets. Of a game with more than fold and call, the report
    is of these alone: `rules.not_counted` says what is left out.
    """

    rules: Rules
    strategy: str
    deals: int
    net: int
    outcomes: tuple[Event, ...]
    action_deals: Mapping[str, int] = field(hash=False)
    indifferent_deals: int
    staked: int
    bets: tuple[BonusReport, ...] = ()
    exchanges_left: int = 0

    @property
    def profile(self) -> str:
        """The name of the profile."""
        return self.rules.name

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
        """All that is staked on a round in the mean, in antes."""
        return Fraction(self.staked, self.deals)

    @property
    def element_of_risk(self) -> Fraction:
        """What the player loses in the mean, per unit bet in all."""
        return Fraction(-self.net, self.staked)

    @property
    def variance(self) -> Fraction:
        """The variance of a round's net result, in antes squared."""
        square = sum(event.net**2 * event.combinations for event in self.outcomes)
        return Fraction(square, self.deals) - self.value**2

    @property
    def sd(self) -> float:
        """The standard deviation of a round's net result, in antes."""
        return sqrt(self.variance)

    @property
    def actions(self) -> dict[str, Fraction]:
        """The share of deals in which each action is best."""
        return {action: Fraction(count, game_of(self.rules).raw_deals) for action, count in self.action_deals.items()}

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `pycs report --json` prints it: floats to read, fractions as exact text."""
        return {
            "profile": self.profile,
            "title": self.rules.title,
            "rules": self.rules.to_dict(),
            "rules_digest": self.rules.digest,
            "version": __version__,
            "strategy": self.strategy,
            "exchanges_left": self.exchanges_left,
            "not_counted": list(self.rules.not_counted),
            "deals": self.deals,
            "net": self.net,
            "value": float(self.value),
            "exact": str(self.value),
            "house_edge": float(self.house_edge),
            "house_edge_exact": str(self.house_edge),
            "element_of_risk": float(self.element_of_risk),
            "element_of_risk_exact": str(self.element_of_risk),
            "average_bet": float(self.average_bet),
            "average_bet_exact": str(self.average_bet),
            "variance": float(self.variance),
            "variance_exact": str(self.variance),
            "sd": self.sd,
            "actions": {action: float(share) for action, share in self.actions.items()},
            "action_deals": dict(self.action_deals),
            "indifferent_deals": self.indifferent_deals,
            "outcomes": [event._asdict() for event in self.outcomes],
            "bets": [bet.to_dict() for bet in self.bets],
        }


def report(profile: str | os.PathLike[str] | Rules, *, bonus: Amount = NO_BET) -> Report:
    """The mathematics of a profile's main bet under best play, counted anew in a second or two.

    In a game with exchanges the report is of fold and call alone, for a player who never exchanges. With an AA Bonus,
    `bets` tells what it is worth, and what ante and bonus are worth together for some sizes of the bonus bet; `bonus`
    is one more such size, in antes.

    InputError for a bet or a profile that cannot be. Safe to call from many threads.

    >>> r = report("us")
    >>> r.net, r.deals
    (-1041372912372, 19933230517200)
    >>> f"{float(r.house_edge):.6%} per ante, {float(r.element_of_risk):.6%} per unit bet"
    '5.224306% per ante, 2.555286% per unit bet'
    """
    rules = load_rules(profile)
    stake = stake_of(bonus, rules)
    game = game_of(rules)
    counts = game.kernel.sweep(qualifying_strength(rules.dealer.qualifies))
    deals = deal_frame(game, text=False).with_columns(
        pl.Series(outcome, count) for outcome, count in zip(game.outcomes, counts, strict=True)
    )
    valued = with_values(deals, rules)
    main = report_of_tally(tally(valued, rules), rules)
    aa_bonus = bonus_of(rules)
    if aa_bonus is None:
        return main
    stakes = sorted({*STAKES, stake} - {Fraction(0)})
    return replace(main, bets=(bonus_report(valued, rules, aa_bonus, main.net, stakes),))


def report_of_tally(sums: pl.DataFrame, rules: Rules) -> Report:
    """The report of the main bet that the sums of `pycs.values.tally` over all deals lead to."""
    game = game_of(rules)
    action_deals = {"fold": 0, "call": 0}
    nets = {
        rules.event(outcome, category): rules.nets(category)[rules.outcomes.index(outcome)]
        for kind in ("win", "not_qualified", "push")
        for outcome in rules.outcomes
        if outcome.startswith(kind)
        for category in CATEGORIES
    }
    nets |= {"fold": rules.net_fold, "dealer wins": rules.net_lose}
    rounds = dict.fromkeys(nets, 0)
    indifferent = 0
    for row in sums.rows(named=True):
        action_deals[row["action"]] += row["deals"]
        indifferent += row["indifferent"]
        if row["action"] == "call":
            for outcome in rules.outcomes:
                rounds[rules.event(outcome, row["category"])] += row[outcome]
    rounds["fold"] = action_deals["fold"] * game.completions
    events = tuple(Event(event, nets[event], rounds[event]) for event in nets)
    return Report(
        rules=rules,
        strategy=STRATEGY,
        deals=sum(event.combinations for event in events),
        net=sum(event.net * event.combinations for event in events),
        outcomes=events,
        action_deals=action_deals,
        indifferent_deals=indifferent,
        staked=game.completions * (game.raw_deals * rules.stakes.ante + action_deals["call"] * rules.stakes.call),
    )
