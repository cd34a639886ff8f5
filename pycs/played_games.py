"""A profile under a strategy, made ready to be dealt, with all that is known of it exactly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import polars as pl

from pycs.action_values import action_values
from pycs.dealing import dealer_of
from pycs.errors import InputError
from pycs.games import game_of
from pycs.holdem_rules import CasinoHoldemRules, ante_line
from pycs.joint_rounds import played, rounds_of_tally, valued_game
from pycs.offers import exchanges_allowed
from pycs.ranking import CATEGORIES_UP
from pycs.rules import load_rules
from pycs.settlings import STATES, settling_of
from pycs.strategies import OPTIMAL
from pycs.strategy_costs import play_of
from pycs.strategy_sources import read_strategy
from pycs.values import tally

if TYPE_CHECKING:
    import os

    from numpy.typing import NDArray

    from pycs.dealing import Dealer
    from pycs.rules import Rules
    from pycs.strategies import Strategy

    Given: TypeAlias = str | os.PathLike[str] | pl.DataFrame | Strategy

__all__ = ["End", "PlayedGame", "played_game"]

End: TypeAlias = tuple[str, bool, int]
"""How a round ends: the event as reports call it, whether cards were exchanged before, and the net result in antes."""


@dataclass(frozen=True, eq=False)
class PlayedGame:
    """A profile under a strategy; nets are in antes, of the main bet of one box.

    `exchanges` is how many are left at the decision, 0 or 1, for a `fee` in antes; after it the new hand is played at
    best. `action_shares` are the exact shares of the first actions, `value` is the exact mean of a round's net result.
    `variance` and `ends`, the exact share of each end, are known without an exchange only: else None, and empty. Safe
    to share among threads.
    """

    rules: Rules
    strategy: str
    exchanges: int
    dealer: Dealer
    fee: int
    action_shares: Mapping[str, Fraction]
    value: Fraction
    variance: Fraction | None
    ends: Mapping[End, Fraction]

    def ends_of(self, counts: NDArray[np.int64]) -> dict[End, int]:
        """How many rounds came to each end, from what a dealer counted: folds first, then from the best to the worst.

        >>> game = played_game("us", "three-rules")
        >>> counts = np.zeros((2, 7, 10), np.int64)
        >>> counts[0, 0, 3], counts[0, 4, 5] = 7, 2  # folded trips, a won flush
        >>> {end: rounds for end, rounds in game.ends_of(counts).items() if rounds}
        {('fold', False, -1): 7, ('flush', False, 11): 2}
        """
        rounds: dict[End, int] = dict.fromkeys(self.ends, 0)
        for exchanged, end, category in zip(*np.nonzero(counts), strict=True):
            key = self._end(bool(exchanged), int(end), CATEGORIES_UP[category], int(category))
            rounds[key] = rounds.get(key, 0) + int(counts[exchanged, end, category])
        return dict(sorted(rounds.items(), key=lambda found: (found[0][1], found[0][0] != "fold", -found[0][2])))

    def _end(self, exchanged: bool, end: int, category: str, number: int) -> End:
        settling, fee = settling_of(self.rules), self.fee * exchanged
        if end == 0:
            return "fold", exchanged, settling.fold - fee
        state = STATES[end - 1]
        outcome = "not_qualified" if end <= 3 else state
        if isinstance(self.rules, CasinoHoldemRules) and outcome in ("not_qualified", "win"):
            outcome = f"{outcome}_{ante_line(category).replace(' ', '_')}"
        return self.rules.event(outcome, category), exchanged, int(settling.nets[end - 1, number]) - fee


def played_game(
    profile: str | os.PathLike[str] | Rules, given: Given = OPTIMAL, exchanges: int | None = None
) -> PlayedGame:
    """A profile under a strategy, as `pycs.strategy` takes it, with so many exchanges left: 0 or 1, by default 1 where
    the rules allow any.

    InputError for a strategy that cannot be, or takes an action that is not on offer. Some seconds; with an exchange
    half a minute to a minute, in which every deal is counted. The last two are kept, but not with tables of decisions.
    Safe to call from many threads.

    >>> game = played_game("us")
    >>> str(game.value), game.ends["fold", False, -1] == game.action_shares["fold"]
    ('-142031221/2718662100', True)
    """
    rules = load_rules(profile)
    strategy = read_strategy(game_of(rules), given)
    left = min(exchanges_allowed(rules, None)[0], 1) if exchanges is None else exchanges
    alike = strategy is None or strategy.actions is None  # tables of one name need not be one
    if not alike or isinstance(left, bool):
        return _played(rules, strategy, left)
    return _kept(rules, strategy, left)


@lru_cache(maxsize=2)
def _kept(rules: Rules, strategy: Strategy | None, left: int) -> PlayedGame:
    return _played(rules, strategy, left)


def _played(rules: Rules, strategy: Strategy | None, left: int) -> PlayedGame:
    without = left == 0 and not isinstance(left, bool)
    return _without_exchange(rules, strategy) if without else _with_exchange(rules, strategy, left)


def _without_exchange(rules: Rules, strategy: Strategy | None) -> PlayedGame:
    game, name = game_of(rules), OPTIMAL if strategy is None else strategy.name
    if strategy is not None and (strategy.played() == "exchange").any():
        offered = f"fold, call are on offer in {rules.name}"
        raise InputError(f"the strategy {name}: exchange is not allowed, {offered}")
    deals = played(valued_game(rules, ()), rules, (), {}, strategy)
    sums = tally(deals, rules)
    counted = rounds_of_tally(sums, rules, name, (), {})
    ends: dict[End, Fraction] = {}
    for cell in counted.cells:
        end = (cell.event, False, cell.net)
        ends[end] = ends.get(end, Fraction(0)) + Fraction(cell.combinations, game.rounds)
    taken = dict(sums.group_by("action").agg(pl.col("deals").sum()).rows())
    return PlayedGame(
        rules=rules,
        strategy=name,
        exchanges=0,
        dealer=dealer_of(rules, _numbers(deals["action"])),
        fee=0,
        action_shares={action: Fraction(taken.get(action, 0), game.raw_deals) for action in ("fold", "call")},
        value=counted.net.mean,
        variance=counted.net.variance,
        ends=ends,
    )


def _with_exchange(rules: Rules, strategy: Strategy | None, left: int) -> PlayedGame:
    """With an exchange, if so many are allowed."""
    values = action_values(rules, left)
    play = play_of(values, strategy)
    actions = values.deals["best"] if strategy is None else strategy.played()
    gives_up = _numbers(values.deals["gives_up"]) if "gives_up" in values.deals.columns else None
    return PlayedGame(
        rules=rules,
        strategy=play.strategy,
        exchanges=left,
        dealer=dealer_of(rules, _numbers(actions), exchange=True, gives_up=gives_up),
        fee=values.fee,
        action_shares=play.actions,
        value=play.value,
        variance=None,
        ends={},
    )


def _numbers(column: pl.Series) -> NDArray[Any]:
    """Actions as numbers, in the order of `pycs.strategies.PLAYED`; and numbers as they are."""
    return np.ascontiguousarray(column.to_physical().to_numpy(), np.uint8)
