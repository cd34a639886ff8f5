"""What is known exactly of every deal before it is played on: how rounds can end, and what strategies do with it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from pycs.action_values import action_values
from pycs.counted_games import counted_game
from pycs.games import game_of
from pycs.named_strategies import STRATEGIES
from pycs.ranking import CATEGORIES_UP
from pycs.settlings import settling_of
from pycs.strategies import OPTIMAL, PLAYED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import polars as pl
    from numpy.typing import NDArray

    from pycs.action_values import ActionValues
    from pycs.rules import Rules
    from pycs.strategies import Strategy

    Ints: TypeAlias = NDArray[np.int64]

__all__ = ["OUTCOMES", "DealFacts", "deal_facts"]

OUTCOMES: Final = ("not_qualified", "win", "push", "lose")
"""How a called round can end, whatever the hands."""


@dataclass(frozen=True, eq=False)
class DealFacts:
    """By canonical index: `outcomes` (uint32, shape (4, deals)) of the completions; the sums of a called round's net
    result (`call`, int64) and of its square (`square`, float64) over them; and `played`, by strategy the action (uint8,
    a place in `PLAYED.categories`), those with names first. `values` are the values of the actions; `category` (uint8)
    says the category of each strength.

    Safe to share among threads.
    """

    values: ActionValues
    completions: int
    category: NDArray[np.uint8]
    outcomes: NDArray[np.uint32]
    call: Ints
    square: NDArray[np.float64]
    played: Mapping[str, NDArray[np.uint8]]

    def loss(self, index: NDArray[np.uint32], action: NDArray[np.uint8]) -> Ints:
        """What each decision gives away against the best one: a numerator over `values.denominator`, in antes."""
        by_action = np.stack([self._numerators(name)[index] for name in self.values.actions])
        loss: Ints = by_action.max(axis=0) - np.take_along_axis(by_action, action[None].astype(np.intp), axis=0)[0]
        return loss

    def _numerators(self, action: str) -> Ints:
        return self.values.deals[action].to_numpy()


def deal_facts(rules: Rules, exchanges: int, claimed: Strategy | None = None) -> DealFacts:
    """The facts of a game, counted anew in some seconds (half a minute with an exchange) and kept for the next call.

    `claimed` is a strategy of one's own, beside those with names, which are looked up in any case.
    """
    facts = _facts(rules, exchanges)
    if claimed is None or claimed is STRATEGIES[facts.values.game.name].get(claimed.name):
        return facts
    return replace(facts, played={**facts.played, **_played(facts.values, [claimed])})


@lru_cache(maxsize=2)  # some 300 MB each
def _facts(rules: Rules, exchanges: int) -> DealFacts:
    game, values = game_of(rules), action_values(rules, exchanges)
    counted = counted_game(rules)
    by_category = np.array([rules.nets(name) for name in CATEGORIES_UP], np.int64)
    category = counted["category"].to_physical().to_numpy()
    counts = np.stack([counted[outcome].to_numpy() for outcome in rules.outcomes])
    call, square = np.zeros(game.deals, np.int64), np.zeros(game.deals)
    for place in range(len(rules.outcomes)):
        net = by_category[category, place]
        call += net * counts[place]
        square += net.astype(np.float64) ** 2 * counts[place]
    groups = [[place for place, name in enumerate(rules.outcomes) if name.startswith(outcome)] for outcome in OUTCOMES]
    outcomes = np.stack([counts[group].sum(axis=0, dtype=np.uint32) for group in groups])
    played = {OPTIMAL: _numbers(values.deals["best"]), **_played(values, STRATEGIES[game.name].values())}
    return DealFacts(values, game.completions, settling_of(rules).category, outcomes, call, square, played)


def _played(values: ActionValues, strategies: Iterable[Strategy]) -> dict[str, NDArray[np.uint8]]:
    """What these strategies do, but for those that take what is not on offer."""
    actions = {strategy.name: strategy.played() for strategy in strategies if strategy.takes <= set(values.actions)}
    return {name: _numbers(each) for name, each in actions.items() if each.is_in(values.actions).all()}


def _numbers(actions: pl.Series) -> NDArray[np.uint8]:
    numbers: NDArray[np.uint8] = actions.cast(PLAYED).to_physical().to_numpy().astype(np.uint8)
    return numbers
