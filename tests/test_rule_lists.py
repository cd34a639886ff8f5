"""Rule lists against brute force: every ordered list of small random problems."""

from itertools import product

import numpy as np
import pytest

from pycs.rule_lists import best_lists
from pycs.rule_problems import conditions_of


def brute_force(held, costs, rules):
    """The least loss of all ordered lists of at most so many rules, by what is left undecided."""
    actions = range(len(costs[0]))

    def least(undecided, left):
        best = min(sum(costs[group][action] for group in undecided) for action in actions)
        if left and undecided:
            for condition, action in product(held, actions):
                decided = undecided & condition
                if decided:
                    lost = sum(costs[group][action] for group in decided)
                    best = min(best, lost + least(undecided - decided, left - 1))
        return best

    return least(frozenset(range(len(costs))), rules)


def lost(truths, costs, found):
    """What a found list loses, literal by literal."""
    total = 0
    for group, cost in enumerate(costs):
        action = next(
            (then for when, then in found.rules if all(truths[group][each] for each in when)), found.otherwise
        )
        total += cost[action]
    return total


@pytest.mark.parametrize("actions", [2, 3])
@pytest.mark.parametrize("large", [1, 10**17])
def test_best_lists_are_those_of_brute_force(actions, large):
    random = np.random.default_rng(20 + actions)
    for _ in range(6):
        truths = random.random((9, 5)) < 0.5
        costs = [[int(each) * large + int(each) % 7 for each in random.integers(0, 60, actions)] for _ in range(9)]
        conditions = conditions_of(truths, 2)
        held = [frozenset(np.flatnonzero(each).tolist()) for each in conditions.held]
        for rules, found in enumerate(best_lists(conditions, costs, 3), 1):
            assert found.proven
            assert len(found.rules) <= rules
            assert found.loss == lost(truths, costs, found) == brute_force(held, costs, rules)
