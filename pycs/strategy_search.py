"""Short strategies that lose least: ordered rule lists over a vocabulary that people can use at the table.

What is searched: lists of at most so many rules, each a conjunction of a few literals of `pycs.strategy_vocabulary`,
each for any action of the game. Before them stands the frame: conditions that settle hands which are never in question,
since they lose exactly nothing; its rules do not count. All sums are exact (`pycs.rule_lists`).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, get_args

import polars as pl
from threadpoolctl import threadpool_limits

from pycs.action_values import action_values
from pycs.conditions import condition_of
from pycs.deal_features import deal_features
from pycs.errors import InputError
from pycs.messages import quoted
from pycs.progress import progress_bar
from pycs.rule_lists import MOST_WORK, best_lists
from pycs.rule_problems import conditions_of
from pycs.strategies import Action, Rule, Strategy
from pycs.strategy_vocabulary import frame_conditions, in_words, literals

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from pycs.action_values import ActionValues
    from pycs.games import Game
    from pycs.rule_lists import FoundList
    from pycs.rules import Rules

__all__ = ["MOST_RULES", "FoundStrategy", "find_in", "find_strategies"]

MOST_RULES: Final = 8
"""The longest lists that are searched for, the frame not counted."""

_MOST_LITERALS: Final = 3

_ACTIONS: Final[Mapping[str, Action]] = MappingProxyType({action: action for action in get_args(Action)})


@dataclass(frozen=True)
class FoundStrategy:
    """The best list found with at most `rules` rules after the `frame` rules that settle what is never in question.

    `net` sums the net results in antes over `rounds` equally likely ways for a round to go, `loss` is what is lost
    against best play, in antes per round. Every list of so many rules in the vocabulary loses at least `least_loss`;
    `proven` says that none loses less than this one. `searched` says in a sentence what was searched.
    """

    strategy: Strategy
    frame: int
    rules: int
    rounds: int
    net: int
    loss: Fraction
    least_loss: Fraction
    searched: str

    @property
    def proven(self) -> bool:
        """Whether no list of so many rules in the vocabulary loses less."""
        return self.loss == self.least_loss

    def to_dict(self) -> dict[str, Any]:
        """Plain data: floats to read, fractions as exact text."""
        return {
            "strategy": self.strategy.name,
            "strategy_rules": str(self.strategy),
            "words": list(self.strategy.words),
            "frame": self.frame,
            "rules": self.rules,
            "all_rules": len(self.strategy.rules),
            "deals": self.rounds,
            "net": self.net,
            "loss": float(self.loss),
            "loss_exact": str(self.loss),
            "least_loss": float(self.least_loss),
            "least_loss_exact": str(self.least_loss),
            "proven": self.proven,
            "searched": self.searched,
        }


def find_strategies(
    profile: str | os.PathLike[str] | Rules, rules: int, *, exchanges: int | None = None
) -> tuple[FoundStrategy, ...]:
    """The best rule lists of a profile with at most 1, 2, ... `rules` rules, in this order.

    `exchanges` is how many are left, as in `pycs.action_values.action_values`. Half a minute of a core and half a GB;
    some minutes where a proof is tried. InputError for a profile that cannot be, and for a number of rules that is not
    one of 1 to `MOST_RULES`. Safe to call from many threads.
    """
    _check(rules)
    return find_in(action_values(profile, exchanges), rules)


def _check(rules: object) -> None:
    if isinstance(rules, bool) or not isinstance(rules, int) or not 1 <= rules <= MOST_RULES:
        raise InputError(f"rules {quoted(rules)}: a whole number from 1 to {MOST_RULES} is needed")


def find_in(values: ActionValues, most: int, *, most_work: int = MOST_WORK) -> tuple[FoundStrategy, ...]:
    """As `find_strategies`, from values that are counted already; `most_work` as in `pycs.rule_lists.best_lists`."""
    _check(most)
    kinds = _kinds(values)
    frame, settled = _frame(values, kinds)
    unsettled = kinds.filter(~settled)
    truths = unsettled.select(*values.actions, *(_held(text, values.game).alias(text) for text in literals(values)))
    offered = [text for text in literals(values) if truths[text].n_unique() > 1]
    groups = truths.lazy().group_by(offered).agg(pl.col(values.actions).sum()).sort(offered).collect()
    conditions = conditions_of(groups.select(offered).to_numpy(), _MOST_LITERALS)
    size = _Size(len(offered), len(conditions.literals), conditions.longest, len(groups))
    found = []
    # One thread: on busy cores those of the linear algebra wait for each other, many times as long as they work.
    with threadpool_limits(limits=1), progress_bar(None, total=most, unit=" lists") as bar:
        for rules, one in enumerate(best_lists(conditions, groups.select(values.actions).rows(), most, most_work), 1):
            found.append(_found(values, kinds, frame, rules, one, offered, size))
            bar.update()
    return tuple(found)


def _rule(when: str, then: Action) -> Rule:
    return Rule(when=when, then=then, words=f"{then.capitalize()} when {in_words(when)}.")


class _Size(NamedTuple):
    """How much was searched."""

    literals: int
    conditions: int
    longest: int
    groups: int


def _found(
    values: ActionValues,
    kinds: pl.DataFrame,
    frame: Sequence[Rule],
    rules: int,
    one: FoundList,
    offered: Sequence[str],
    size: _Size,
) -> FoundStrategy:
    otherwise = values.actions[one.otherwise]
    found = [_rule(_text([offered[each] for each in when]), _ACTIONS[values.actions[then]]) for when, then in one.rules]
    kept = list(frame)
    for rule in reversed(frame):  # those that change nothing here
        without = [each for each in kept if each is not rule]
        if _loss(kinds, [*without, *found], otherwise, values.game) == one.loss:
            kept = without
    optimal = values.deals.select((pl.max_horizontal(values.actions).cast(pl.Int128) * pl.col("weight")).sum()).item()
    return FoundStrategy(
        strategy=Strategy(
            f"found-{len(found)}",
            values.game,
            (*kept, *found),
            otherwise,
            f"{'A best' if one.proven else 'The best found'} list of at most {rules} rules.",
            "pycs strategy --find",
        ),
        frame=len(kept),
        rules=rules,
        rounds=values.rounds,
        net=optimal - one.loss,
        loss=Fraction(one.loss, values.rounds),
        least_loss=Fraction(one.least, values.rounds),
        searched=_searched(size, rules, one.proven),
    )


def _text(parts: Sequence[str]) -> str:
    """The conjunction of some literals, each of its parts once; a literal with `or` in it stands in brackets."""
    text = " and ".join(dict.fromkeys(part for literal in parts for part in literal.split(" and ")))
    return text[1:-1] if text.startswith("(") and text.endswith(")") and len(parts) == 1 else text


def _searched(size: _Size, rules: int, proven: bool) -> str:
    what = (
        f"lists of at most {rules} rules, each of at most {size.longest} out of {size.literals} literals: "
        f"{size.conditions:,} different conditions on {size.groups:,} groups of deals"
    )
    if proven:
        return f"All {what}. None loses less."
    return f"The best found among {what}. Not proven: the least loss is what no list of any length goes below."


def _held(condition: str, game: Game) -> pl.Expr:
    return condition_of(condition, game, "the vocabulary")


def _loss(kinds: pl.DataFrame, rules: Sequence[Rule], otherwise: str, game: Game) -> int:
    """What rules lose against best play, over the values' denominator."""
    lost = pl.col(otherwise)
    for rule in reversed(rules):
        lost = pl.when(_held(rule.when, game)).then(pl.col(rule.then)).otherwise(lost)
    return int(kinds.select(lost.sum()).item())


def _frame(values: ActionValues, kinds: pl.DataFrame) -> tuple[list[Rule], pl.Series]:
    """The fewest rules found that lose nothing and settle what such rules can, and for which kinds they do."""
    settled = pl.repeat(False, len(kinds), eager=True)
    rules: list[Rule] = []
    for family in frame_conditions(values):
        for action in values.actions:
            for text in family:
                held = kinds.select(_held(text, values.game).alias("held"))["held"] & ~settled
                if held.any() and kinds[action].filter(held).sum() == 0:
                    rules.append(_rule(text, _ACTIONS[action]))
                    settled = settled | held
                    break
    for rule in tuple(rules):
        fewer = [each for each in rules if each is not rule]
        if _settles_as_much(kinds, fewer, settled, values.game):
            rules = fewer
    return rules, settled


def _settles_as_much(kinds: pl.DataFrame, rules: Sequence[Rule], settled: pl.Series, game: Game) -> bool:
    open_still = settled
    for rule in rules:
        held = kinds.select(_held(rule.when, game).alias("held"))["held"]
        if kinds[rule.then].filter(held & open_still).sum() != 0 or (held & ~settled).any():
            return False
        open_still = open_still & ~held
    return not open_still.any()


def _kinds(values: ActionValues) -> pl.DataFrame:
    """The deals that share all features, a row each: what each action loses against the best one in all of them.

    The losses are Int128, over the values' denominator.
    """
    features = deal_features(values.game)
    best = pl.max_horizontal(values.actions).cast(pl.Int128)
    losses = [((best - pl.col(action)) * pl.col("weight")).alias(action) for action in values.actions]
    kinds = (
        values.deals.lazy()
        .select(losses)
        .collect()
        .hstack(features)
        .lazy()
        .group_by(features.columns)
        .agg(pl.col(values.actions).sum())
        .sort(features.columns)
    )
    return kinds.collect()
