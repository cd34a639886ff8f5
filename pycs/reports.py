"""The mathematics of a whole game: how often each event comes, what the game is worth, how far results scatter."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import polars as pl

from pycs.distributions import Distribution
from pycs.errors import InputError
from pycs.games import game_of
from pycs.joint_rounds import played, rounds_of_tally, valued_game
from pycs.messages import quoted
from pycs.named_strategies import STRATEGIES
from pycs.rules import load_rules
from pycs.sections import CATEGORIES
from pycs.side_bet_reports import side_bet_report
from pycs.side_bets import read_stakes, side_bets
from pycs.strategies import OPTIMAL
from pycs.strategy_sources import read_strategy
from pycs.values import tally
from pycs.version import __version__
from pycs.weighed_bets import STAKES, weighed_together

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from pycs.amounts import Amount
    from pycs.joint_rounds import Rounds
    from pycs.rules import Rules
    from pycs.side_bet_reports import SideBetReport
    from pycs.side_bets import SideBet
    from pycs.strategies import Strategy

__all__ = ["Event", "Report", "report", "report_of_tally", "strategy_reports"]

_Z_95: Final = NormalDist().inv_cdf(0.95)


class Event(NamedTuple):
    """A way for a round to end: its net result in antes, and in how many of the equally likely rounds it comes."""

    event: str
    net: int
    combinations: int


@dataclass(frozen=True, slots=True)
class Report:
    """A game under best play, or under the strategy it names, exactly.

    `deals` counts the equally likely ways to deal a round, such as 19,933,230,517,200; `net` is the sum of the net
    results over all of them, in antes; `value` = `net` / `deals` is the mean net result per ante, negative for the
    player. `action_deals` counts raw deals (122,151,120 pairs of hand and upcard, or 25,989,600 of hole cards and flop)
    by action, `indifferent_deals` those in which two actions are worth exactly the same. Fractions are exact. All of
    this is of the main bet alone; `bets` tells of each side bet by itself, `rounds` of all bets together, at the sizes
    that were asked for. `optimal` is the report of best play, when this is of another strategy. Of a game with
    exchanges, the report is of fold and call alone: `not_counted` says what is left out.
    """

    rules: Rules
    strategy: str
    deals: int
    net: int
    outcomes: tuple[Event, ...]
    action_deals: Mapping[str, int] = field(hash=False)
    indifferent_deals: int
    staked: int
    bets: tuple[SideBetReport, ...] = ()
    rounds: Rounds | None = None
    optimal: Report | None = None
    exchanges_left: int = 0

    @property
    def not_counted(self) -> tuple[str, ...]:
        """What the rules offer that no report counts: side bets are counted here, sessions by `pycs.session`."""
        return self.rules.not_counted_of_main_bet

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
    def distribution(self) -> Distribution:
        """The distribution of a round's net result, in antes."""
        return Distribution.of((event.net, event.combinations) for event in self.outcomes)

    @property
    def variance(self) -> Fraction:
        """The variance of a round's net result, in antes squared."""
        return self.distribution.variance

    @property
    def sd(self) -> float:
        """The standard deviation of a round's net result, in antes."""
        return sqrt(self.variance)

    @property
    def hit_frequency(self) -> Fraction:
        """How often a round wins anything: a net result above 0."""
        return self.distribution.above(0)

    @property
    def volatility_index(self) -> float:
        """1.645 standard deviations, in antes: over n rounds the mean result of a round lies within this over the root
        of n around its value in 90 of 100 cases, as far as it is normal. So called in the casinos' own literature."""
        return _Z_95 * self.sd

    def standard_error(self, rounds: int) -> float:
        """The standard deviation of the mean result of this many rounds, in antes. InputError for fewer than one."""
        if rounds < 1:
            raise InputError(f"the rounds {quoted(rounds)}: 1 or more are allowed")
        return self.sd / sqrt(rounds)

    def rounds_to_tell(self, other: Report) -> int | None:
        """About how many rounds tell this play from the other by the mean result alone; None when both are worth alike.

        With so many, a bound between the two values is passed by either in one of 20 cases only, as far as the mean is
        normal: the root of n is 1.645 (sd + other sd) over the difference.
        """
        apart = abs(self.value - other.value)
        return ceil((_Z_95 * (self.sd + other.sd) / float(apart)) ** 2) if apart else None

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
            "not_counted": list(self.not_counted),
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
            "skewness": self.distribution.skewness,
            "excess_kurtosis": self.distribution.excess_kurtosis,
            "hit_frequency": float(self.hit_frequency),
            "hit_frequency_exact": str(self.hit_frequency),
            "volatility_index": self.volatility_index,
            "against_optimal": self._against_optimal(),
            "actions": {action: float(share) for action, share in self.actions.items()},
            "action_deals": dict(self.action_deals),
            "indifferent_deals": self.indifferent_deals,
            "outcomes": [event._asdict() for event in self.outcomes],
            "bets": [bet.to_dict() for bet in self.bets],
            "together": None if self.rounds is None or not self.bets else self.rounds.to_dict(),
        }

    def _against_optimal(self) -> dict[str, Any] | None:
        if self.optimal is None:
            return None
        loss = self.optimal.value - self.value
        return {"loss": float(loss), "loss_exact": str(loss), "rounds_to_tell": self.rounds_to_tell(self.optimal)}


def report(
    profile: str | os.PathLike[str] | Rules,
    *,
    strategy: str | os.PathLike[str] | Strategy = OPTIMAL,
    bets: Mapping[str, Amount] | None = None,
    meter: Amount | None = None,
    sharers: int | None = None,
) -> Report:
    """The mathematics of a profile under best play, or under a strategy, counted anew in some seconds.

    `strategy` is a name, rules or a file, as `pycs.strategy` takes them. `bets` gives the sizes of side bets, in antes
    by their names (`five-plus-one`, `jackpot`, `aa-bonus`), for what all bets are worth together. `meter` and `sharers`
    take the place of what the profile says of its Jackpot. In a game with exchanges the report is of fold and call
    alone, for a player who never exchanges.

    InputError for a strategy, a bet or a profile that cannot be. Safe to call from many threads.

    >>> r = report("us")
    >>> r.net, r.deals
    (-1041372912372, 19933230517200)
    >>> f"{float(r.house_edge):.6%} per ante, {float(r.element_of_risk):.6%} per unit bet"
    '5.224306% per ante, 2.555286% per unit bet'
    """
    rules = load_rules(profile)
    offered = side_bets(rules, meter=meter, sharers=sharers)
    stakes = read_stakes(bets or {}, offered, rules.name)
    followed = read_strategy(game_of(rules), strategy)
    valued = valued_game(rules, offered)
    columns = [bet.column for bet in offered]
    sums = tally(valued, rules, columns)
    main = report_of_tally(sums, rules)
    side = tuple(_side_bet(bet, valued, sums, main, stakes[bet.name]) for bet in offered)
    if followed is not None:
        sums = tally(played(valued, rules, offered, stakes, followed), rules, columns)
        main = replace(report_of_tally(sums, rules, followed.name), optimal=main)
    elif any(bet.requires_call and stakes[bet.name] for bet in offered):
        sums = tally(played(valued, rules, offered, stakes), rules, columns)
    return replace(main, bets=side, rounds=rounds_of_tally(sums, rules, main.strategy, offered, stakes))


def strategy_reports(profile: str | os.PathLike[str] | Rules) -> tuple[Report, ...]:
    """The reports of a profile's main bet under each of its game's named strategies without an exchange, best play
    first; counted once.

    InputError for a profile that cannot be. Safe to call from many threads.
    """
    rules = load_rules(profile)
    valued = valued_game(rules, ())
    optimal = report_of_tally(tally(valued, rules), rules)
    others = []
    for name, strategy in STRATEGIES[rules.game].items():
        if "exchange" in strategy.takes:
            continue
        sums = tally(played(valued, rules, (), {}, strategy), rules)
        others.append(replace(report_of_tally(sums, rules, name), optimal=optimal))
    return optimal, *others


def _side_bet(bet: SideBet, valued: pl.DataFrame, sums: pl.DataFrame, main: Report, stake: Fraction) -> SideBetReport:
    deals: dict[str, int] = dict(sums.group_by(bet.column).agg(pl.col("deals").sum()).rows())
    weighed = None
    if bet.requires_call:
        weighed = weighed_together(valued, main.rules, bet, main.net, sorted({*STAKES, stake} - {Fraction(0)}))
    return side_bet_report(bet, deals, weighed)


def report_of_tally(sums: pl.DataFrame, rules: Rules, strategy: str = OPTIMAL) -> Report:
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
        strategy=strategy,
        deals=sum(event.combinations for event in events),
        net=sum(event.net * event.combinations for event in events),
        outcomes=events,
        action_deals=action_deals,
        indifferent_deals=indifferent,
        staked=game.completions * (game.raw_deals * rules.stakes.ante + action_deals["call"] * rules.stakes.call),
    )
