"""How a log is played: its first decisions against those of every known strategy, and what they give away."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from pycs.checked_rounds import shown_cards
from pycs.strategies import PLAYED

if TYPE_CHECKING:
    from pycs.checked_rounds import CheckedRounds
    from pycs.deal_facts import DealFacts

__all__ = ["PlayCounts"]

_EXAMPLES: Final = 5
_FOLD, _CALL, _EXCHANGE = range(len(PLAYED.categories))


@dataclass
class PlayCounts:
    """Sums over first decisions: `actions` counts them, `otherwise` by strategy those that it would make otherwise.

    `loss` is what the decisions give away against the best ones in all, a numerator over the denominator of the action
    values, in antes; `mistakes` how many give anything away. Actions that are not valued, as an exchange where none is
    left, are not among them.
    """

    rounds: int = 0
    actions: dict[str, int] = field(default_factory=dict)
    otherwise: dict[str, int] = field(default_factory=dict)
    examples: dict[str, list[str]] = field(default_factory=dict)
    loss: int = 0
    mistakes: int = 0

    def add(self, checked: CheckedRounds, facts: DealFacts) -> None:
        """Look up the decisions of the rounds that follow."""
        rounds = checked.rounds
        action = np.where(rounds.given > 0, _EXCHANGE, np.where(rounds.called, _CALL, _FOLD)).astype(np.uint8)
        for number, name in enumerate(PLAYED.categories):
            self.actions[name] = self.actions.get(name, 0) + int((action == number).sum())
        self.rounds += rounds.rounds
        for name, played in facts.played.items():
            other = np.flatnonzero(played[checked.index] != action)
            self.otherwise[name] = self.otherwise.get(name, 0) + len(other)
            examples = self.examples.setdefault(name, [])
            for row in other[: _EXAMPLES - len(examples)].tolist():
                done, meant = (PLAYED.categories[int(each[row])] for each in (action, played[checked.index]))
                examples.append(f"{shown_cards(rounds, row)}: {done}, not {meant}")
        valued = action < len(facts.values.actions)
        loss = facts.loss(checked.index[valued], action[valued])
        self.loss += int(loss.sum())
        self.mistakes += int((loss > 0).sum())
