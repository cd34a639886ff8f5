"""Short ordered rule lists of least loss, found and where it can be proven: no game in it.

Lists are grown by one rule at a time, at any place, their rules are exchanged one by one for better ones, and the best
two rules are found to end the best of them with; then `pycs.rule_proofs` searches all lists of as many rules that might
lose less.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Final

import numpy as np

from pycs.rule_problems import RuleList, RuleProblem
from pycs.rule_proofs import RuleProof

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pycs.rule_problems import Conditions

__all__ = ["MOST_WORK", "FoundList", "best_lists"]

MOST_WORK: Final = 300_000_000_000
"""Products that the proof for one length of lists may sum: a minute or two of a core."""

_KEPT: Final = 60
"""How many lists of each length, for each last action, are grown by one more rule."""

_TRIED: Final = 12
"""How many ways to put in one more rule are kept for each list and place."""

_IMPROVED: Final = 20
"""How many lists of each length have their rules exchanged one by one until nothing gets better."""

_COMPLETED: Final = 4
"""Of how many lists of each length the rules but two, or one, are taken and the best two put at their end."""

_COMPLETION_WORK: Final = 4_000_000_000
"""Products that the search for such a pair may sum."""

_BATCH: Final = 48


@dataclass(frozen=True)
class FoundList:
    """A list, what it loses, and what is known of the best: every list of so many rules loses at least `least`."""

    rules: tuple[tuple[tuple[int, ...], int], ...]
    otherwise: int
    loss: int
    least: int

    @property
    def proven(self) -> bool:
        """Whether no list of so many rules loses less."""
        return self.loss == self.least


def _grown(problem: RuleProblem, lists: list[RuleList]) -> list[RuleList]:
    """Each list with one more rule, at every place, in the ways that lose least by the shifted losses."""
    spots = [(one, place) for one in lists for place in range(len(one.rules) + 1)]
    best = _best_at(problem, spots, _TRIED)
    return [_with(one, place, rule) for (one, place), rules in zip(spots, best, strict=True) for rule in rules]


def _with(one: RuleList, place: int, rule: tuple[int, int]) -> RuleList:
    return RuleList((*one.rules[:place], rule, *one.rules[place:]), one.otherwise)


def _best_at(problem: RuleProblem, spots: list[tuple[RuleList, int]], most: int) -> list[list[tuple[int, int]]]:
    """For each list and place in it the rules to put in there that lose least, by the shifted losses."""
    found = []
    for start in range(0, len(spots), _BATCH):
        some = spots[start : start + _BATCH]
        weights = []
        for one, place in some:
            after = problem.played(RuleList(one.rules[place:], one.otherwise))
            later = problem.losses[np.arange(problem.groups), after]
            weights.append((problem.losses - later[:, None]) * problem.undecided(one.rules[:place])[:, None])
        changed = problem.within(np.concatenate(weights, axis=1)).reshape(-1, len(some), problem.actions)
        for number in range(len(some)):
            flat = np.ascontiguousarray(changed[:, number]).ravel()
            order = np.argpartition(flat, min(most, len(flat) - 1))[:most]
            order = order[np.lexsort((order, flat[order]))]
            found.append([divmod(int(each), problem.actions) for each in order])
    return found


def _improved(problem: RuleProblem, lists: list[RuleList]) -> list[RuleList]:
    """Each list with rules exchanged one at a time, the one that brings most first, until none brings anything."""
    done: list[RuleList] = []
    while lists:
        spots = [(one, place) for one in lists for place in range(len(one.rules))]
        without = [(RuleList(one.rules[:place] + one.rules[place + 1 :], one.otherwise), place) for one, place in spots]
        others: dict[RuleList, list[RuleList]] = {one: [] for one in lists}
        for (one, _), (less, place), [rule] in zip(spots, without, _best_at(problem, without, 1), strict=True):
            others[one].append(_with(less, place, rule))
        lists = []
        for one, changed in others.items():
            better = min([one, *changed], key=problem.loss)
            (done if better is one else lists).append(better)
    return done


def _beginnings(length: int, lists: list[RuleList]) -> list[tuple[tuple[int, int], ...]]:
    """So many rules of each list in their order, in all ways; none if there are to be none."""
    return list(dict.fromkeys(rest for one in lists for rest in combinations(one.rules, length))) if length > 0 else []


def _kept(problem: RuleProblem, lists: list[RuleList]) -> list[RuleList]:
    """Of the lists that play differently those that lose least, so many for each last action."""
    different: dict[tuple[int, bytes], RuleList] = {}
    for one in lists:
        different.setdefault((one.otherwise, problem.played(one).tobytes()), one)
    priced = sorted(different.values(), key=problem.loss)
    return [one for action in range(problem.actions) for one in [e for e in priced if e.otherwise == action][:_KEPT]]


def _plain(problem: RuleProblem, one: RuleList) -> RuleList:
    """A list that plays the same, with the plainest conditions that do, and without rules that change nothing.

    Rules for one action that follow one another stand in the order of their conditions, the shortest first.
    """
    rules = [rule for _, run in groupby(one.rules, key=itemgetter(1)) for rule in sorted(run)]
    played = problem.played(one)
    for place in reversed(range(len(rules))):
        action = rules[place][1]
        undecided = problem.undecided(rules[:place])
        later = problem.played(RuleList(tuple(rules[place + 1 :]), one.otherwise))
        needed = undecided & (played == action) & (later != action)
        if not needed.any():
            del rules[place]
            continue
        spoiled = undecided & (played != action)
        does = problem.held[:, needed].all(axis=1) & ~problem.held[:, spoiled].any(axis=1)
        rules[place] = int(does.argmax()), action  # conditions stand from short to long
    return RuleList(tuple(rules), one.otherwise)


def best_lists(
    conditions: Conditions, costs: Sequence[Sequence[int]], most: int, most_work: int = MOST_WORK
) -> Iterator[FoundList]:
    """The best lists found of at most 1, 2, ... `most` rules; an entry of `costs` is what each action loses in a group.

    A list is proven to be best only where all shorter ones are, and where the proof takes no more than `most_work` sums
    and products. Where it is not, it still loses at least what the best action of each group does. A list that is no
    better than a shorter one is given as the shorter one.
    """
    if not conditions.literals:
        lost = [sum(each) for each in zip(*costs, strict=True)]
        for _ in range(most):
            yield FoundList((), lost.index(min(lost)), min(lost), min(lost))
        return
    problem = RuleProblem(conditions.held, costs)
    lists = [RuleList((), action) for action in range(problem.actions)]
    best = min(lists, key=problem.loss)
    least = problem.loss(best)
    for rules in range(1, most + 1):
        shorter = sorted(lists, key=problem.loss)[:_COMPLETED]
        lists = _kept(problem, [*lists, *_grown(problem, lists)])
        lists = _kept(problem, [*lists, *_improved(problem, sorted(lists, key=problem.loss)[:_IMPROVED])])
        best = min([best, *lists], key=problem.loss)
        proof = RuleProof(problem, best, least)
        for prefix in _beginnings(rules - 2, [*shorter, *sorted(lists, key=problem.loss)[:_COMPLETED]]):
            proof.complete(prefix, _COMPLETION_WORK)
        if proof.run(rules, most_work):
            least = proof.loss
        else:
            least = most_work = 0
        best = _plain(problem, proof.best)
        lists.append(best)
        shown = tuple((conditions.literals[condition], action) for condition, action in best.rules)
        yield FoundList(shown, best.otherwise, proof.loss + problem.surely, least + problem.surely)
