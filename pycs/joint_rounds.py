"""The joint results of a round: the main bet and all side bets on the same cards, exactly.

A side bet looks at cards that the main bet hangs on as well, so their results are not independent. Every way a round
can be dealt is put into one of some hundred cells by all that matters to any bet; bets of any size follow from these.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, product
from math import ceil, sqrt
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import polars as pl

from pycs.counted_games import counted_game
from pycs.distributions import Distribution
from pycs.errors import InputError
from pycs.games import game_of
from pycs.messages import nearest, quoted
from pycs.rules import load_rules
from pycs.side_bets import read_stakes, side_bets, with_lines
from pycs.strategies import OPTIMAL
from pycs.strategy_sources import read_strategy
from pycs.values import ACTION, tally, with_values

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Mapping

    from pycs.amounts import Amount
    from pycs.rules import Rules
    from pycs.side_bets import SideBet
    from pycs.strategies import Strategy

__all__ = ["MAIN", "Cell", "Rounds", "played", "rounds", "rounds_of_tally", "valued_game"]

MAIN: Final = "main"
"""The name of the main bet: ante and call."""

_MOST_64: Final = 2**63 - 1


class Cell(NamedTuple):
    """Rounds in which every bet ends alike: the action, the main bet's event and net, and the line of each side bet.

    `combinations` counts them, out of all equally likely rounds.
    """

    action: str
    event: str
    net: int
    lines: tuple[str, ...]
    combinations: int


@dataclass(frozen=True)
class Rounds:
    """Every way a round can be dealt, by what each bet makes of it. Nets are in antes, or per unit bet; all is exact.

    `stakes` are the side bets on the table, in antes: they are weighed in the decisions, where a fold would lose them,
    and they are what `net` adds up. Safe to share among threads.
    """

    rules: Rules = field(repr=False)
    strategy: str
    bets: tuple[SideBet, ...] = field(repr=False)
    stakes: Mapping[str, Fraction] = field(hash=False)
    cells: tuple[Cell, ...] = field(repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        """The bets: the main one, then the side bets."""
        return MAIN, *(bet.name for bet in self.bets)

    @property
    def net(self) -> Distribution:
        """The net result of a round in antes: the main bet, and each side bet at its size.

        >>> with_bonus = rounds("casino-holdem", {"aa-bonus": 1})
        >>> with_bonus.net.mean == with_bonus.alone("main").mean + with_bonus.alone("aa-bonus").mean
        True
        >>> str(with_bonus.net.mean)
        '-21235339033/248337589500'
        """
        sizes = [Fraction(1), *(self.stakes[bet.name] for bet in self.bets)]
        return Distribution.of(
            (sum((size * net for size, net in zip(sizes, nets, strict=True)), Fraction(0)), ways)
            for nets, ways in self._nets()
        )

    def alone(self, bet: str) -> Distribution:
        """One bet by itself: the main bet per ante, or a side bet per unit bet. InputError for a bet that is none."""
        place = self._place(bet)
        return Distribution.of((nets[place], ways) for nets, ways in self._nets())

    def covariance(self, first: str, second: str) -> Fraction:
        """The covariance of two bets, of an ante or a unit each. InputError for a bet that is none."""
        one, other = self._place(first), self._place(second)
        all_rounds = game_of(self.rules).rounds
        together = sum((nets[one] * nets[other] * ways for nets, ways in self._nets()), Fraction(0))
        return together / all_rounds - self.alone(first).mean * self.alone(second).mean

    def correlation(self, first: str, second: str) -> float:
        """The covariance over both standard deviations; 0 where a bet's result never changes."""
        spread = self.alone(first).variance * self.alone(second).variance
        return float(self.covariance(first, second)) / sqrt(spread) if spread else 0.0

    @property
    def when_short(self) -> Distribution:
        """The net result, with the side bets, when the call can't be paid: every round is folded."""
        ante = self.rules.net_fold
        return Distribution.of(
            (
                sum(
                    (self.stakes[bet.name] * bet.net(line, "fold") for bet, line in self._beside(cell)),
                    Fraction(ante),
                ),
                cell.combinations,
            )
            for cell in self.cells
        )

    @property
    def stake(self) -> Fraction:
        """What must be paid to be dealt in: the ante and the side bets, in antes."""
        return self.rules.stakes.ante + sum(self.stakes.values(), Fraction(0))

    @property
    def average_bet(self) -> Fraction:
        """All that is staked on a round in the mean, in antes."""
        called = sum(cell.combinations for cell in self.cells if cell.action == "call")
        return self.stake + Fraction(self.rules.stakes.call * called, game_of(self.rules).rounds)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `pycs report --json` prints it: all bets together, and how each pair hangs together."""
        net = self.net
        figures = {
            "average_bet": self.average_bet,
            "loss_per_unit_bet": -net.mean / self.average_bet,
            "variance": net.variance,
            "hit_frequency": net.above(0),
        }
        return {
            "stakes": {name: str(size) for name, size in self.stakes.items()},
            "value": float(net.mean),
            "exact": str(net.mean),
            **{name: float(figure) for name, figure in figures.items()},
            **{f"{name}_exact": str(figure) for name, figure in figures.items()},
            "sd": net.sd,
            "skewness": net.skewness,
            "excess_kurtosis": net.excess_kurtosis,
            "pairs": [
                {
                    "bets": [one, other],
                    "covariance": float(self.covariance(one, other)),
                    "covariance_exact": str(self.covariance(one, other)),
                    "correlation": self.correlation(one, other),
                }
                for one, other in combinations(self.names, 2)
            ],
            "distribution": [
                {"net": float(value), "net_exact": str(value), "combinations": weight}
                for value, weight in zip(net.values, net.weights, strict=True)
            ],
        }

    def _nets(self) -> Iterator[tuple[list[Fraction], int]]:
        for cell in self.cells:
            beside = (bet.net(line, cell.action) for bet, line in self._beside(cell))
            yield [Fraction(cell.net), *beside], cell.combinations

    def _beside(self, cell: Cell) -> Iterator[tuple[SideBet, str]]:
        return zip(self.bets, cell.lines, strict=True)

    def _place(self, bet: str) -> int:
        if bet not in self.names:
            allowed = f"one of {', '.join(self.names)} is allowed{nearest(str(bet), self.names)}"
            raise InputError(f"the bet {quoted(bet)}: {allowed}")
        return self.names.index(bet)


def rounds(
    profile: str | os.PathLike[str] | Rules,
    bets: Mapping[str, Amount] | None = None,
    *,
    strategy: str | os.PathLike[str] | Strategy = OPTIMAL,
    meter: Amount | None = None,
    sharers: int | None = None,
) -> Rounds:
    """Every way a round of a profile can be dealt, with side bets of these sizes in antes; counted anew in seconds.

    `strategy` is a name, rules or a file, as `pycs.strategy` takes them. Under best play, decisions weigh the main bet
    and those side bets that a fold would lose. `meter` and `sharers` take the place of what the profile says of its
    Jackpot, whose money unit is as many antes as its size here over its bet there. In a game with exchanges, of fold
    and call alone.

    InputError for a bet, a size, a strategy or a profile that cannot be. Safe to call from many threads.

    >>> live = rounds("live", {"five-plus-one": 1})
    >>> str(live.net.mean), f"{live.net.sd:.6f}"
    ('-611206985183/4983307629300', '6.458823')
    >>> f"{live.correlation('main', 'five-plus-one'):.6f}"
    '0.252788'
    """
    rules = load_rules(profile)
    offered = side_bets(rules, meter=meter, sharers=sharers)
    stakes = read_stakes(bets or {}, offered, rules.name)
    followed = read_strategy(game_of(rules), strategy)
    valued = played(valued_game(rules, offered), rules, offered, stakes, followed)
    sums = tally(valued, rules, [bet.column for bet in offered])
    return rounds_of_tally(sums, rules, followed.name if followed else OPTIMAL, offered, stakes)


def valued_game(rules: Rules, bets: tuple[SideBet, ...]) -> pl.DataFrame:
    """All canonical deals, counted and valued (`pycs.values.with_values`), with the lines of these side bets."""
    return with_lines(with_values(counted_game(rules), rules), bets)


def played(
    valued: pl.DataFrame,
    rules: Rules,
    bets: tuple[SideBet, ...],
    stakes: Mapping[str, Fraction],
    strategy: Strategy | None = None,
) -> pl.DataFrame:
    """The deals of `valued_game`, with the `action` of a strategy, or without one the best for all bets together.

    Under best play the side bets that a fold would lose are weighed as well. `indifferent` tells where both actions are
    worth exactly the same. InputError for a strategy that exchanges: these rounds are of fold and call.
    """
    if strategy is not None:
        actions = strategy.played()
        if (actions == "exchange").any():
            raise InputError(f"the strategy {strategy.name} exchanges, this is of fold and call: see pycs strategy")
        return valued.with_columns(actions.cast(ACTION))
    weighed = [bet for bet in bets if bet.requires_call and stakes[bet.name]]
    if not weighed:
        return valued
    completions = game_of(rules).completions
    short = pl.col("fold_numerator") - pl.col("call_numerator")
    call, equal = short < 0, short == 0
    for lines in product(*(bet.nets for bet in weighed)):
        gain = sum(
            (stakes[bet.name] * (bet.nets[line] + 1) for bet, line in zip(weighed, lines, strict=True)), Fraction(0)
        )
        if not gain:
            continue
        here = pl.all_horizontal([pl.col(bet.column) == line for bet, line in zip(weighed, lines, strict=True)])
        most = completions * gain
        # In whole numbers: short < most, and short == most, which only a whole one can be.
        call = pl.when(here).then(short < min(ceil(most), _MOST_64)).otherwise(call)
        same = short == int(most) if most.denominator == 1 and most <= _MOST_64 else pl.lit(False)
        equal = pl.when(here).then(same).otherwise(equal)
    action = pl.when(call).then(pl.lit("call", ACTION)).otherwise(pl.lit("fold", ACTION))
    return valued.with_columns(action=action, indifferent=equal)


def rounds_of_tally(
    sums: pl.DataFrame, rules: Rules, strategy: str, bets: tuple[SideBet, ...], stakes: Mapping[str, Fraction]
) -> Rounds:
    """The rounds that the sums of `pycs.values.tally`, by the lines of all bets, lead to."""
    completions = game_of(rules).completions
    cells: dict[tuple[str, str, int, tuple[str, ...]], int] = {}
    for row in sums.rows(named=True):
        category, lines = row["category"], tuple(row[bet.column] for bet in bets)
        if row["action"] == "fold":
            ends = [("fold", rules.net_fold, row["deals"] * completions)]
        else:
            nets = zip(rules.outcomes, rules.nets(category), strict=True)
            ends = [(rules.event(outcome, category), net, row[outcome]) for outcome, net in nets]
        for event, net, ways in ends:
            if ways:
                key = (row["action"], event, net, lines)
                cells[key] = cells.get(key, 0) + ways
    return Rounds(rules, strategy, bets, stakes, tuple(Cell(*key, ways) for key, ways in cells.items()))
