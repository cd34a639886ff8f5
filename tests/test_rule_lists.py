"""Rule lists against brute force: every ordered list of small random problems."""

from functools import cache
from itertools import product

import numpy as np
import pytest

from pycs.rule_lists import best_lists
from pycs.rule_problems import RuleList, RuleProblem, conditions_of
from pycs.rule_proofs import RuleProof


def brute_force(held, costs, rules):
    """The least loss of all ordered lists of at most so many rules, by what is left undecided."""
    actions = range(len(costs[0]))

    @cache
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


@pytest.fixture(params=[(2, 1), (3, 1), (2, 10**17), (3, 10**17)], ids=str)
def problems(request):
    """Small random problems: conditions, costs and what brute force finds for one, two and three rules."""
    actions, large = request.param
    random = np.random.default_rng(20 + actions)
    found = []
    for _ in range(3):
        truths = random.random((9, 5)) < 0.5
        costs = [[int(each) * large + int(each) % 7 for each in random.integers(0, 60, actions)] for _ in range(9)]
        conditions = conditions_of(truths, 2)
        held = [frozenset(np.flatnonzero(each).tolist()) for each in conditions.held]
        found.append((truths, conditions, costs, [brute_force(held, costs, rules) for rules in (1, 2, 3)]))
    return found


def test_best_lists_are_those_of_brute_force(problems):
    for truths, conditions, costs, least in problems:
        for rules, found in enumerate(best_lists(conditions, costs, 3), 1):
            assert found.proven
            assert len(found.rules) <= rules
            assert found.loss == lost(truths, costs, found) == least[rules - 1]


def test_the_proof_finds_them_from_any_list(problems):
    for _, conditions, costs, least in problems:
        problem = RuleProblem(conditions.held, costs)
        best, shorter = RuleList((), 0), 0
        for rules in (1, 2, 3):
            proof = RuleProof(problem, best, shorter)
            assert proof.run(rules, 10**9)
            constant = min(problem.loss(RuleList((), action)) for action in range(problem.actions))
            assert min(proof.loss, constant) + problem.surely == least[rules - 1]
            best, shorter = proof.best, min(proof.loss, constant)


def test_the_proof_on_many_small_problems():
    random = np.random.default_rng(4)
    for _ in range(500):
        actions, dearest = int(random.integers(2, 4)), int(random.choice([6, 60]))
        groups = int(random.integers(6, 9))
        truths = random.random((groups, 4)) < random.choice([0.3, 0.5, 0.7])
        costs = random.integers(0, dearest, (groups, actions)).tolist()
        conditions = conditions_of(truths, 2)
        held = [frozenset(np.flatnonzero(each).tolist()) for each in conditions.held]
        problem = RuleProblem(conditions.held, costs)
        constant = min(problem.loss(RuleList((), action)) for action in range(actions))
        one = RuleProof(problem, RuleList((), 0), constant)
        assert one.run(1, 10**9)
        two = RuleProof(problem, one.best, min(one.loss, constant))
        assert two.run(2, 10**9)
        assert min(two.loss, constant) + problem.surely == brute_force(held, costs, 2)


def test_the_best_end_of_a_list(problems):
    for _, conditions, costs, _ in problems:
        problem = RuleProblem(conditions.held, costs)
        held = [frozenset(np.flatnonzero(each).tolist()) for each in conditions.held]
        for first in [(0, 1), (len(held) - 1, 0)]:
            left = [cost for group, cost in enumerate(costs) if group not in held[first[0]]]
            numbers = [group for group in range(len(costs)) if group not in held[first[0]]]
            rest = [frozenset(map(numbers.index, each & set(numbers))) for each in held]
            best = brute_force(rest, left, 2) + sum(costs[group][first[1]] for group in held[first[0]])
            start = RuleList((first,), 0)
            proof = RuleProof(problem, start, 0)
            assert proof.complete((first,), 10**9)
            constant = min(problem.loss(RuleList((first,), action)) for action in range(problem.actions))
            assert min(proof.loss, constant) + problem.surely == best


def test_a_proof_that_takes_too_much_gives_up(problems):
    _, conditions, costs, _ = problems[0]
    assert not RuleProof(RuleProblem(conditions.held, costs), RuleList((), 0), 0).run(3, 1)


def test_without_conditions_there_is_one_list():
    conditions = conditions_of(np.ones((2, 1), bool), 3)
    found = list(best_lists(conditions, [(3, 0), (0, 2)], 2))
    assert [(one.rules, one.otherwise, one.loss, one.proven) for one in found] == [((), 1, 2, True)] * 2


def test_conditions_get_shorter_where_they_are_too_many(monkeypatch):
    truths = np.random.default_rng(5).random((40, 8)) < 0.5
    whole = conditions_of(truths, 3)
    monkeypatch.setattr("pycs.rule_problems._MOST_CELLS", 40 * 60)
    fewer = conditions_of(truths, 3)
    assert (whole.longest, fewer.longest) == (3, 2)
    assert fewer.literals == tuple(each for each in whole.literals if len(each) < 3)
