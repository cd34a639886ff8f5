"""What each action is worth in every canonical deal: fold, call and, where the rules have it, the last exchange."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from pycs.cards import RANKS
from pycs.core import stud_exchange_sweep
from pycs.counted_games import counted_game
from pycs.errors import InputError
from pycs.games import game_of
from pycs.messages import quoted
from pycs.offers import exchanges_allowed
from pycs.progress import progress_bar
from pycs.ranking import qualifying_strength
from pycs.rules import load_rules
from pycs.single_exchanges import PAIRS, best_single_cards
from pycs.strategies import PLAYED
from pycs.stud_rules import CaribbeanStudRules
from pycs.values import with_numerators

if TYPE_CHECKING:
    import os

    from pycs.games import Game
    from pycs.rules import Rules

__all__ = ["WEIGHT", "ActionValues", "action_values"]

WEIGHT: Final = pl.col("weight").cast(pl.Int128)
"""Wide enough: 122,151,120 raw deals, times numerators inside 64 bits, are far inside 128."""

_ALL_FIVE: Final = comb(46, 5) * comb(41, 4)
"""Pairs of a new hand and the dealer's cards after it, when all five cards are exchanged."""

_MOST_64: Final = 2**63


@dataclass(frozen=True)
class ActionValues:
    """The value of each action in every canonical deal, exactly.

    `deals` has a row for each canonical deal in the order of their indices: `weight` (raw deals), `category`, and for
    each of `actions` a column of that name, Int64: its net result in antes summed over `denominator` equally likely
    ways to go on; `best` is the action of highest value, of equal ones the one that stakes least, `indifferent` tells
    where two actions are worth exactly as much as the best. With an exchange, `exchange_called` counts the ways in
    which the new hand is called; where one chosen card is exchanged, `gives_up` is its place, 0 for the highest of the
    canonical hand. `exchanges` is how many are left, 0 or 1; after it the new hand is played at best.
    Safe to share among threads.
    """

    rules: Rules
    exchanges: int
    actions: tuple[str, ...]
    denominator: int
    deals: pl.DataFrame

    @property
    def game(self) -> Game:
        """The game of the rules."""
        return game_of(self.rules)

    @property
    def rounds(self) -> int:
        """All equally likely ways for a round to go: what totals are counted over."""
        return self.game.raw_deals * self.denominator

    def value_of(self, column: str) -> pl.Expr:
        """The numerator of the action that stands in a column, deal by deal."""
        value = pl.col(self.actions[-1])
        for action in self.actions[:-1]:
            value = pl.when(pl.col(column) == action).then(pl.col(action)).otherwise(value)
        return value

    @property
    def fee(self) -> int:
        """What an exchange costs, in antes; 0 without one."""
        fees = exchanges_allowed(self.rules, None)[1]
        return min(fees.values()) if self.exchanges else 0


def action_values(profile: str | os.PathLike[str] | Rules, exchanges: int | None = None) -> ActionValues:
    """The value of each action of a profile in every canonical deal, counted anew.

    `exchanges` is how many are left: 0 or 1, by default 1 where the rules allow any. Some seconds; with an exchange
    half a minute to a minute, kept for the next call. InputError for more exchanges, and for exchanges of chosen cards
    by other rules than those of `oasis`: there no more than one card is ever worth giving up (scripts/oasis_discards.py
    proves it), so that single cards are enough. Safe to call from many threads.

    >>> values = action_values("us")
    >>> values.actions, values.denominator, values.rounds
    (('fold', 'call'), 163185, 19933230517200)
    >>> values.deals.select("weight", "fold", "call", "best").row(0)
    (4, -163185, 9365581, 'call')
    """
    rules = load_rules(profile)
    allowed, fees = exchanges_allowed(rules, None)
    left = min(allowed, 1) if exchanges is None else exchanges
    if isinstance(left, bool) or not isinstance(left, int) or not 0 <= left <= min(allowed, 1):
        more = ", for all deals are counted with at most one left" if allowed > 1 else ""
        numbers = "0 or 1" if allowed else "0"
        raise InputError(f"exchanges left {quoted(left)}: {rules.name} is valued with {numbers}{more}")
    if left and tuple(fees) != (5,) and rules.digest != load_rules("oasis").digest:
        told = "of chosen cards, all deals are counted by the rules of oasis only: 0 exchanges are allowed"
        raise InputError(f"the exchange of {rules.name}: {told}")
    return _counted(rules, left)


@lru_cache(maxsize=1)
def _counted(rules: Rules, exchanges: int) -> ActionValues:
    game = game_of(rules)
    valued = with_numerators(counted_game(rules), rules)
    deals = valued.select("weight", "category", fold="fold_numerator", call="call_numerator")
    actions: tuple[str, ...] = ("fold", "call")
    denominator = game.completions
    if exchanges:
        assert isinstance(rules, CaribbeanStudRules)  # the only ones with an exchange
        actions = (*actions, "exchange")
        deals, denominator = _with_exchange(deals, rules)
    most = pl.max_horizontal(actions)
    best = pl.lit(actions[-1], PLAYED)
    for action in reversed(actions[:-1]):
        best = pl.when(pl.col(action) == most).then(pl.lit(action, PLAYED)).otherwise(best)
    alike = pl.sum_horizontal([(pl.col(action) == most).cast(pl.UInt8) for action in actions])
    return ActionValues(rules, exchanges, actions, denominator, deals.with_columns(best=best, indifferent=alike > 1))


def _with_exchange(deals: pl.DataFrame, rules: CaribbeanStudRules) -> tuple[pl.DataFrame, int]:
    """With the last exchange, all over its pairs of draw and dealer: each completion stands for as many of them."""
    fees = exchanges_allowed(rules, None)[1]
    all_five = tuple(fees) == (5,)
    denominator = _ALL_FIVE if all_five else PAIRS
    fee = min(fees.values())
    most = max(map(abs, rules.exchange_nets)) + fee
    if most * denominator >= _MOST_64:
        allowed = f"less than {_MOST_64 // denominator:,} is needed with an exchange"
        raise InputError(f"a net result of {most:,} antes is too large to count: {allowed}")
    with progress_bar(None, total=len(RANKS), unit=" upcards") as bar:
        if all_five:
            qualify = qualifying_strength(rules.dealer.qualifies)
            totals, called = stud_exchange_sweep(qualify, rules.exchange_nets, progress=bar.update)
        else:
            totals, called, places = best_single_cards(rules, bar.update)
            deals = deals.with_columns(gives_up=pl.Series(places.astype(np.uint8)))
    times = denominator // game_of(rules).completions
    exchange = pl.Series("exchange", totals - fee * denominator)
    valued = deals.with_columns(pl.col("fold", "call") * times, exchange, pl.Series("exchange_called", called))
    return valued, denominator
