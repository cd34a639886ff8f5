"""The proof that no list of so many rules loses less: a search through all that might.

It goes rule by rule, and passes over a rule where what it and those before it lose is too much already, or where a list
without it could not be so much worse: all shorter lists have been searched before. The last two rules are searched as a
pair, and only such pairs are tried as can settle enough of what is left between them. All of it is in integers.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from pycs.rule_problems import RuleList

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from pycs.rule_problems import RuleProblem

__all__ = ["RuleProof"]

_BATCH: Final = 48


class _Node(NamedTuple):
    """Where the last two rules are wanted: the last one for `action`, then `other`.

    `sums` are over the undecided groups, `total` is what is lost if all of them are played as `other`.
    """

    prefix: tuple[tuple[int, int], ...]
    undecided: NDArray[np.bool_]
    sums: NDArray[np.float64]
    total: float
    action: int
    other: int


class _TooMuchError(Exception):
    """The proof would take more work than is allowed."""


@dataclass
class RuleProof:
    """A search through all lists of so many rules for one that loses less than the best known.

    `shorter` is what every list with fewer rules loses at least. `best` is the best list known, `loss` what it loses
    beyond what every list does. Not to be shared among threads.
    """

    problem: RuleProblem
    best: RuleList
    shorter: int
    loss: int = field(init=False)
    _most_work: int = field(init=False, default=0)
    _numbers: NDArray[np.intp] = field(init=False)
    _held: NDArray[np.bool_] = field(init=False)
    _matrix: NDArray[np.float64] = field(init=False)
    """The conditions that may matter: their numbers in the problem, and where they hold."""

    def __post_init__(self) -> None:
        """Price the list."""
        self.loss = self.problem.loss(self.best)

    @property
    def allowed(self) -> int:
        """What the shifted losses of a better list sum to at most."""
        return (self.loss - 1) >> self.problem.shift

    def run(self, rules: int, most_work: int) -> bool:
        """Search all lists of exactly so many rules; False if that took more than `most_work` sums and products."""
        problem = self.problem
        self._most_work = problem.work + most_work
        sums = problem.within(problem.weights)
        matter = np.any([self._matters(sums, action) for action in range(problem.actions)], axis=0)
        self._numbers = np.flatnonzero(matter)
        self._held, self._matrix, sums = problem.held[matter], problem.matrix[matter], sums[matter]
        try:
            if rules == 1:
                self._last(sums)
            else:
                self._from(np.ones(problem.groups, bool), sums, rules, (), 0.0)
        except _TooMuchError:
            return False
        return True

    def complete(self, prefix: tuple[tuple[int, int], ...], most_work: int) -> bool:
        """Search all lists that begin with some rules and go on with two more; False as in `run`."""
        problem = self.problem
        self._most_work = problem.work + most_work
        self._numbers, self._held, self._matrix = np.arange(len(problem.held)), problem.held, problem.matrix
        undecided = problem.undecided(prefix)
        played = problem.played(RuleList(prefix, 0))
        spent = float(problem.losses[np.arange(problem.groups), played][~undecided].sum())
        try:
            self._last_two(undecided, problem.within(problem.weights * undecided[:, None]), prefix, spent)
        except _TooMuchError:
            return False
        return True

    def _from(
        self,
        undecided: NDArray[np.bool_],
        sums: NDArray[np.float64],
        rules: int,
        prefix: tuple[tuple[int, int], ...],
        spent: float,
    ) -> None:
        if rules == 2:
            self._last_two(undecided, sums, prefix, spent)
            return
        first_rules = self._first_rules(undecided, sums, spent)
        self._plan(len(first_rules) * self._matrix.size * sums.shape[1])
        for start in range(0, len(first_rules), _BATCH):
            some = first_rules[start : start + _BATCH]
            rests = [undecided & ~self._held[condition] for condition, _ in some]
            for (condition, action), rest, of_rest in zip(some, rests, self._sums(rests), strict=True):
                loss = spent + sums[condition, action]
                self._from(rest, of_rest, rules - 1, (*prefix, (condition, action)), loss)

    def _first_rules(
        self, undecided: NDArray[np.bool_], sums: NDArray[np.float64], spent: float
    ) -> list[tuple[int, int]]:
        """The rules that may come next in a better list, one of those that decide the same."""
        found = []
        for action in range(self.problem.actions):
            may = (spent + sums[:, action] <= self.allowed) & self._matters(sums, action)
            found += [(each, action) for each in self._different(np.flatnonzero(may), undecided)]
        return found

    def _sums(self, rests: list[NDArray[np.bool_]]) -> Iterator[NDArray[np.float64]]:
        """The sums of the problem's weights for each condition, over each of these sets of groups."""
        width = self.problem.weights.shape[1]
        weights = np.concatenate([self.problem.weights * rest[:, None] for rest in rests], axis=1)
        self._plan(self._matrix.size * weights.shape[1], done=True)
        found = self._matrix @ weights
        return (found[:, width * each : width * (each + 1)] for each in range(len(rests)))

    def _plan(self, work: int, *, done: bool = False) -> None:
        """Give up if so much more work is too much."""
        if self.problem.work + work > self._most_work:
            raise _TooMuchError
        if done:
            self.problem.work += work

    def _last(self, sums: NDArray[np.float64]) -> None:
        for action, other in self.problem.pairs:
            losses = self.problem.losses[:, other].sum() + sums[:, action] - sums[:, other]
            for condition in np.flatnonzero(losses <= self.allowed):
                self._see(((int(condition), action),), other)

    def _see(self, rules: tuple[tuple[int, int], ...], otherwise: int) -> None:
        one = RuleList(tuple((int(self._numbers[condition]), action) for condition, action in rules), otherwise)
        if (loss := self.problem.loss(one)) < self.loss:
            self.best, self.loss = one, loss

    def _last_two(
        self, undecided: NDArray[np.bool_], sums: NDArray[np.float64], prefix: tuple[tuple[int, int], ...], spent: float
    ) -> None:
        problem = self.problem
        for action, other in problem.pairs:
            node = _Node(prefix, undecided, sums, spent + problem.losses[undecided, other].sum(), action, other)
            self._exception(node, spent)
            for first in range(problem.actions):
                if first != other:
                    self._both(node, spent, first)

    def _matters(self, sums: NDArray[np.float64], action: int) -> NDArray[np.bool_]:
        """For which conditions a rule for the action can bring as much as a list with one more rule must."""
        saved = np.zeros(len(sums))
        for better, other in self.problem.pairs:
            if better == action:
                saved += self._gains(sums, action, other)
        needed = (self.shorter >> self.problem.shift) - self.allowed
        # The shift may take nearly 1 of what is saved in each group.
        least = needed - self.problem.groups - 1 if self.problem.shift else max(1, needed)
        matters: NDArray[np.bool_] = saved >= least
        return matters

    def _gains(self, sums: NDArray[np.float64], action: int, other: int) -> NDArray[np.float64]:
        """By condition what `action` gains over `other` in the groups where it is better."""
        gains: NDArray[np.float64] = sums[:, self.problem.gains[action, other]]
        return gains

    def _exception(self, node: _Node, spent: float) -> None:
        """First a rule for `other`, an exception from the last rule, which is for `action`; then `other` again."""
        action, other, sums = node.action, node.other, node.sums
        gains, against = self._gains(sums, action, other), self._gains(sums, other, action)
        rows = np.flatnonzero((spent + sums[:, other] <= self.allowed) & self._matters(sums, other))
        most = against[rows].max(initial=0.0)
        last = self._matters(sums, action) & (node.total - gains + np.maximum(0, against - most) <= self.allowed)
        total = node.total - gains + against
        weights = self.problem.losses[:, other] - self.problem.losses[:, action]
        for some, back in self._pairs(node.undecided, np.flatnonzero(last), rows, weights):
            losses = total[some] + back
            for row, column in np.argwhere(losses <= self.allowed):
                self._see((*node.prefix, (rows[row], other), (some[column], action)), other)

    def _both(self, node: _Node, spent: float, first: int) -> None:
        """First a rule for `first`, then one for `action`, neither of which is what is done last."""
        action, other, sums = node.action, node.other, node.sums
        gains = self._gains(sums, action, other)
        may = (spent + sums[:, first] <= self.allowed) & self._matters(sums, first)
        change = sums[:, first] - sums[:, other]
        then = self._matters(sums, action)
        if first == action:  # their order does not matter: let the first be the one that gains more
            then &= may
            may &= node.total + change - np.minimum(gains[then].max(initial=0.0), gains) <= self.allowed
        else:
            may &= node.total + change - gains[then].max(initial=0.0) <= self.allowed
        then &= node.total + change[may].min(initial=0.0) - gains <= self.allowed
        rows = np.flatnonzero(then)
        weights = self.problem.losses[:, action] - self.problem.losses[:, other]
        alone = sums[rows, action] - sums[rows, other]
        for some, overlap in self._pairs(node.undecided, np.flatnonzero(may), rows, weights):
            losses = node.total + change[some] + alone[:, None] - overlap
            for row, column in np.argwhere(losses <= self.allowed):
                self._see((*node.prefix, (some[column], first), (rows[row], action)), other)

    def _pairs(
        self,
        undecided: NDArray[np.bool_],
        conditions: NDArray[np.intp],
        rows: NDArray[np.intp],
        weights: NDArray[np.float64],
    ) -> Iterator[tuple[NDArray[np.intp], NDArray[np.float64]]]:
        """Some of the conditions each time, one of those that hold for the same, and rows x these: the sums of the
        weights over the undecided groups in which both hold."""
        if not len(rows) or not len(conditions):
            return
        groups = np.flatnonzero(undecided & (weights != 0))
        conditions = np.array(self._different(conditions, undecided))
        matrix = self._matrix[np.ix_(rows, groups)]
        for start in range(0, len(conditions), _BATCH):
            some = conditions[start : start + _BATCH]
            self._plan(matrix.size * len(some), done=True)
            yield some, matrix @ (self._matrix[np.ix_(some, groups)] * weights[groups]).T

    def _different(self, conditions: NDArray[np.intp], undecided: NDArray[np.bool_]) -> list[int]:
        """One of those conditions each that hold for the same undecided groups."""
        held = self._held[np.ix_(conditions, np.flatnonzero(undecided))]
        seen: dict[bytes, int] = {}
        for each, bits in zip(conditions, np.packbits(held, axis=1), strict=True):
            seen.setdefault(bits.tobytes(), int(each))
        return list(seen.values())
