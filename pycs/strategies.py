"""A strategy: what to do, as a function of what the player sees.

It is an ordered list of rules over the columns of `pycs.deal_features`, with conditions as in `pycs.conditions`: the
first that holds decides, and where none holds `otherwise` does. Or it states the action of every deal. The published
ones have names (`pycs.named_strategies`), others come as text or in files (`pycs.strategy_sources`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import polars as pl

from pycs.conditions import holds
from pycs.errors import InputError
from pycs.messages import quoted
from pycs.sections import Section, Text

if TYPE_CHECKING:
    from pycs.games import Game

__all__ = ["OPTIMAL", "PLAYED", "Action", "Rule", "Strategy"]

OPTIMAL: Final = "optimal"
"""The action of highest exact value; of equal ones the one that stakes less."""

PLAYED: Final = pl.Enum(("fold", "call", "exchange"))
"""The actions of a strategy as a Polars type, the one that stakes least first."""

Action: TypeAlias = Literal["fold", "call", "exchange"]


class Rule(Section, frozen=True, kw_only=True):
    """When the condition holds, then this is done; `words` say it as a person would, on charts and pages."""

    when: Text
    then: Action
    words: Text | None = None

    def __str__(self) -> str:
        """As it may be given on the command line."""
        return f"{self.then} when {self.when}"


@dataclass(frozen=True)
class Strategy:
    """A strategy of a game: by its `rules` and what is done `otherwise`, or by the `actions` of every canonical deal.

    `where` begins messages about a rule: the file that it stands in. `title` is what the strategy says, in words, and
    `source` where it comes from. Safe to share among threads.
    """

    name: str
    game: Game
    rules: tuple[Rule, ...] = ()
    otherwise: str = "fold"
    title: str = ""
    source: str = ""
    where: str = ""
    actions: pl.Series | None = field(default=None, repr=False, compare=False)

    def __str__(self) -> str:
        """Its rules as text, as `pycs.strategy_sources` reads them; its name where it has none."""
        if self.actions is not None:
            return self.name
        return "; ".join([*map(str, self.rules), f"otherwise {self.otherwise}"])

    @property
    def takes(self) -> frozenset[str]:
        """The actions that its rules name. What a table of decisions takes stands in `actions`."""
        return frozenset([*(rule.then for rule in self.rules), self.otherwise])

    @property
    def words(self) -> tuple[str, ...]:
        """The rules as a person would say them, as far as they have words, and what is done otherwise."""
        said = [rule.words or f"{rule.then.capitalize()} when {rule.when}." for rule in self.rules]
        return *said, f"{self.otherwise.capitalize()} {'everything else' if said else 'every hand'}."

    def played(self) -> pl.Series:
        """What is done with each canonical deal, in the order of their indices, as `PLAYED`.

        InputError, with the number of the rule, for a condition that cannot be read, that looks at more than the deal,
        or that never decides: since it never holds, or since rules before it decide all that it holds for.

        >>> from pycs.games import CARIBBEAN_STUD
        >>> eights = Strategy("eights", CARIBBEAN_STUD, (Rule(when="pair >= 8", then="call"),))
        >>> eights.played().value_counts().sort("action").rows()
        [('fold', 4039500), ('call', 1609650)]
        """
        if self.actions is not None:
            return self.actions
        actions = pl.repeat(self.otherwise, self.game.deals, dtype=PLAYED, eager=True)
        undecided = pl.repeat(True, self.game.deals, eager=True)
        for number, rule in enumerate(self.rules, 1):
            where = f"{self.where}rule {number}, {quoted(rule.when)}"
            held = holds(rule.when, self.game, where)
            if not held.any():
                raise InputError(f"{where}: it holds for no deal at all")
            decides = held & undecided
            if not decides.any():
                raise InputError(f"{where}: it decides nothing that the rules before it leave open")
            actions = actions.set(decides, rule.then)
            undecided = undecided & ~held
        return actions.alias("action")
