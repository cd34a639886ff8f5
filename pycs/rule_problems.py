"""The weighted problem behind short strategies, with no game in it: conditions, groups of cases, and losses.

There are groups of cases that no literal tells apart, and what each action loses in each group. A rule takes one action
wherever a conjunction of literals holds; the first rule that holds decides a group, and where none holds the list's
last action does.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["Conditions", "RuleList", "RuleProblem", "conditions_of"]

_EXACT_BITS: Final = 52
_MOST_CELLS: Final = 60_000_000
"""Conditions times groups: half a GB as float64. Where longer conditions would be more, there are none of them."""


class RuleList(NamedTuple):
    """Rules as pairs of a condition's number and an action's, and the action where none of them holds."""

    rules: tuple[tuple[int, int], ...]
    otherwise: int


@dataclass(frozen=True)
class Conditions:
    """Conjunctions of literals that hold for different groups: the shortest first, then by the order of the literals.

    `literals` has the numbers of each one's literals, at most `longest`; `held` (conditions x groups, bool) says where
    it holds. Conditions that hold nowhere or everywhere are left out, of those
    that hold for the same groups the first stays.
    """

    literals: tuple[tuple[int, ...], ...]
    longest: int
    held: NDArray[np.bool_]


def conditions_of(truths: NDArray[np.bool_], most: int) -> Conditions:
    """All conjunctions of at most `most` literals, or of fewer if they were too many; `truths` is groups x literals.

    >>> both = conditions_of(np.array([[True, False, True], [True, True, False], [False, True, False]]), 2)
    >>> both.literals
    ((0,), (1,), (2,), (0, 1))
    """
    groups, columns = len(truths), np.ascontiguousarray(truths.T)
    seen: set[bytes] = set()
    literals: list[tuple[int, ...]] = []
    held: list[NDArray[np.bool_]] = []
    last: list[tuple[tuple[int, ...], NDArray[np.bool_]]] = [((), np.ones(groups, bool))]
    longest = 0
    for length in range(1, most + 1):
        longer = []
        for one, where in last:
            for literal in range(one[-1] + 1 if one else 0, len(columns)):
                both = where & columns[literal]
                key = _digest(both)
                if key in seen or not both.any() or both.all():
                    continue
                seen.add(key)
                longer.append(((*one, literal), both))
            if (len(literals) + len(longer)) * groups > _MOST_CELLS:
                return Conditions(tuple(literals), longest, np.array(held))
        literals.extend(one for one, _ in longer)
        held.extend(where for _, where in longer)
        last, longest = longer, length
    return Conditions(tuple(literals), longest, np.array(held).reshape(-1, groups))


def _digest(groups: NDArray[np.bool_]) -> bytes:
    return blake2b(np.packbits(groups).tobytes(), digest_size=16).digest()


class RuleProblem:
    """Conditions and what each action loses in each group: as float64, and as Python integers.

    The integers, less what every list loses (`surely`), are shifted right so far that all of them sum to less than
    2^53: every sum of the shifted `losses` (groups x actions) is exact in float64 then, in whatever order it is taken.
    The shift is 0 where it can be; otherwise it rounds every loss down, so that bounds from below stay bounds, and a
    list that may be better by the shifted losses is priced again in whole integers.

    `pairs` are all pairs of different actions. `weights` has a column for each action, its losses; `gains` says by pair
    which of its columns tells how much the first action of the pair is better, 0 where it is not. `work` counts the
    products that were summed.
    """

    def __init__(self, held: NDArray[np.bool_], costs: Sequence[Sequence[int]]) -> None:
        """`costs` is what each action loses in each group."""
        self.costs = np.array(costs, dtype=object)
        self.surely = sum(min(each) for each in costs)
        self.costs = self.costs - self.costs.min(axis=1, keepdims=True)
        self.shift = max(0, int(self.costs.sum()).bit_length() - _EXACT_BITS)
        self.losses = (self.costs >> self.shift).astype(np.float64)
        self.held = held
        self.matrix = held.astype(np.float64)
        self.groups, self.actions = self.losses.shape
        self.pairs = [(a, b) for a in range(self.actions) for b in range(self.actions) if a != b]
        if self.actions == 2:  # in each group one of them loses nothing
            self.weights, self.gains = self.losses, {(0, 1): 1, (1, 0): 0}
        else:
            apart = [np.maximum(0, self.losses[:, b] - self.losses[:, a]) for a, b in self.pairs]
            self.weights = np.column_stack([self.losses, *apart])
            self.gains = {pair: self.actions + number for number, pair in enumerate(self.pairs)}
        self.work = 0

    def within(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """For each condition the sum of each column of `weights` over the groups in which it holds."""
        self.work += self.matrix.size * weights.shape[1]
        found: NDArray[np.float64] = self.matrix @ weights
        return found

    def undecided(self, rules: Sequence[tuple[int, int]]) -> NDArray[np.bool_]:
        """The groups in which none of the rules holds."""
        still = np.ones(self.groups, bool)
        for condition, _ in rules:
            still &= ~self.held[condition]
        return still

    def played(self, found: RuleList) -> NDArray[np.intp]:
        """What the list does in each group."""
        actions = np.full(self.groups, found.otherwise)
        for condition, action in reversed(found.rules):
            actions[self.held[condition]] = action
        return actions

    def loss(self, found: RuleList) -> int:
        """What the list loses, beyond what every list does."""
        return int(self.costs[np.arange(self.groups), self.played(found)].sum())
