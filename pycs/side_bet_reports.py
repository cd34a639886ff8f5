"""The mathematics of a side bet by itself: how often each line comes, what a unit bet is worth, what a meter does."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from pycs.distributions import Distribution

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pycs.side_bets import Meter, SideBet
    from pycs.weighed_bets import Weighed

__all__ = ["BetLine", "Progressive", "SideBetReport", "side_bet_report"]


class BetLine(NamedTuple):
    """A line of a side bet: what a unit bet wins on it (-1: it is lost), and how many deals of its cards make it."""

    line: str
    net: Fraction
    combinations: int


@dataclass(frozen=True, slots=True)
class Progressive:
    """What a meter makes of a bet on a Jackpot. Values are per unit bet, meters in the profile's money unit.

    With the meter at `meter.amount` = m, a unit bet is worth `at_zero` + `slope` x m, an exact straight line.
    """

    meter: Meter
    at_zero: Fraction
    slope: Fraction
    won_in_full: Fraction
    shares: Fraction

    @property
    def break_even(self) -> Fraction | None:
        """The meter with which the bet is worth exactly nothing to either side; None when no prize hangs on the meter.

        Below zero when the fixed prizes alone favour the player.
        """
        return -self.at_zero / self.slope if self.slope else None

    @property
    def long_run(self) -> Fraction:
        """What a unit bet is worth over all time, when every round is bet on by as many: the meter pays out all that
        goes in, the contributions and the seeds that the house puts there when it is won in full."""
        meter = self.meter
        seeds = self.won_in_full * meter.seed / (meter.sharers * meter.bet)
        return self.at_zero + (meter.contribution + seeds if self.shares else 0)

    @property
    def mean_meter(self) -> Fraction | None:
        """What the meter shows when a hand is paid, in the mean over all time; None when no prize hangs on it.

        A round adds the contributions and then takes each line's share, or starts again at the seed if that is all:
        the mean is where what comes in balances what goes out.
        """
        meter = self.meter
        if not self.shares:
            return None
        return (self.won_in_full * meter.seed + meter.sharers * meter.contribution * meter.bet) / self.shares

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `pycs report --json` prints it."""
        figures = {
            "value_with_meter_at_0": self.at_zero,
            "value_of_each_unit_of_meter": self.slope,
            "break_even_meter": self.break_even,
            "long_run_value": self.long_run,
            "mean_meter": self.mean_meter,
        }
        return {
            "bet": self.meter.bet,
            "meter": float(self.meter.amount),
            "meter_exact": str(self.meter.amount),
            "sharers": self.meter.sharers,
            "seed": self.meter.seed,
            "contribution": str(self.meter.contribution),
            **{name: None if figure is None else float(figure) for name, figure in figures.items()},
            **{f"{name}_exact": None if figure is None else str(figure) for name, figure in figures.items()},
        }


@dataclass(frozen=True, slots=True)
class SideBetReport:
    """A side bet, exactly, when it is never lost by folding. All is per unit bet on it.

    The lines' `combinations` count the different deals of the `cards` that the bet looks at. `progressive` tells of the
    meter behind a Jackpot, `weighed` what becomes of the decisions when a fold would lose the bet; None without.
    """

    name: str
    title: str
    cards: str
    requires_call: bool
    lines: tuple[BetLine, ...]
    progressive: Progressive | None
    weighed: Weighed | None

    @property
    def combinations(self) -> int:
        """How many different deals of its cards there are."""
        return sum(line.combinations for line in self.lines)

    @property
    def distribution(self) -> Distribution:
        """The distribution of what a unit bet wins or loses."""
        return Distribution.of((line.net, line.combinations) for line in self.lines)

    @property
    def value(self) -> Fraction:
        """The mean net result of a unit bet."""
        return self.distribution.mean

    @property
    def house_edge(self) -> Fraction:
        """What the player loses in the mean, per unit bet on it."""
        return -self.value

    @property
    def hit_frequency(self) -> Fraction:
        """How often the bet is not lost, or not all of it."""
        return self.distribution.above(-1)

    @property
    def variance(self) -> Fraction:
        """The variance of what a unit bet wins or loses."""
        return self.distribution.variance

    @property
    def sd(self) -> float:
        """The standard deviation of what a unit bet wins or loses."""
        return sqrt(self.variance)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `pycs report --json` prints it."""
        figures = {
            "house_edge": self.house_edge,
            "hit_frequency": self.hit_frequency,
            "variance": self.variance,
        }
        return {
            "bet": self.name,
            "title": self.title,
            "cards": self.cards,
            "requires_call": self.requires_call,
            "combinations": self.combinations,
            "lines": [
                {"line": line, "net": float(net), "net_exact": str(net), "combinations": combinations}
                for line, net, combinations in self.lines
            ],
            "value": float(self.value),
            "exact": str(self.value),
            **{name: float(figure) for name, figure in figures.items()},
            **{f"{name}_exact": str(figure) for name, figure in figures.items()},
            "sd": self.sd,
            "progressive": None if self.progressive is None else self.progressive.to_dict(),
            **({} if self.weighed is None else self.weighed.to_dict()),
        }


def side_bet_report(bet: SideBet, deals: Mapping[str, int], weighed: Weighed | None = None) -> SideBetReport:
    """The report of a side bet, from the number of raw deals that make each of its lines."""
    combinations = {line: deals.get(line, 0) // bet.alike for line in bet.nets}
    every = sum(combinations.values())

    def mean(of: Mapping[str, Fraction]) -> Fraction:
        return sum((amount * combinations[line] for line, amount in of.items()), Fraction(0)) / every

    progressive = None
    if bet.meter is not None:
        shares = bet.meter.shares
        full = {line: share for line, share in shares.items() if share == 1}
        slope = mean(shares) / (bet.meter.sharers * bet.meter.bet)
        progressive = Progressive(bet.meter, mean(bet.fixed), slope, mean(full), mean(shares))
    lines = tuple(BetLine(line, net, combinations[line]) for line, net in bet.nets.items())
    return SideBetReport(bet.name, bet.title, bet.cards, bet.requires_call, lines, progressive, weighed)
