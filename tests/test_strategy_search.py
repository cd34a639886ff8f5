"""Found strategies: priced again by other code, and no worse than what is published."""

from fractions import Fraction
from itertools import chain

import polars as pl
import pytest

from pycs.action_values import ActionValues, action_values
from pycs.conditions import condition_of, holds
from pycs.errors import InputError
from pycs.games import CARIBBEAN_STUD
from pycs.named_strategies import STRATEGIES
from pycs.rules import load_rules
from pycs.strategies import Strategy
from pycs.strategy_costs import cost_of
from pycs.strategy_search import find_in, find_strategies
from pycs.strategy_sources import read_rules
from pycs.strategy_vocabulary import frame_conditions, in_words, literals

PUBLISHED_NET = -1041417758724
"""Of the published three rules in `us`, over all rounds."""


@pytest.fixture(scope="module")
def us():
    values = action_values("us")
    return values, find_in(values, 3, most_work=2_000_000_000)


@pytest.fixture(scope="module")
def holdem():
    values = action_values("casino-holdem")
    return values, find_in(values, 1, most_work=0)


@pytest.mark.parametrize("game", ["us", "holdem"])
def test_each_list_costs_what_is_said_of_it(game, request):
    values, found = request.getfixturevalue(game)
    for one in {found[0], found[-1]}:
        priced = cost_of(values, one.strategy)
        assert (priced.play.net, priced.loss, priced.play.deals) == (one.net, one.loss, one.rounds)
    for rules, one in enumerate(found, 1):
        assert one.rules == rules
        assert len(one.strategy.rules) <= one.frame + rules
        assert one.least_loss <= one.loss
        assert one.proven == (one.least_loss == one.loss)
    losses = [one.loss for one in found]
    assert losses == sorted(losses, reverse=True)
    assert len(set(losses)) == len(losses)


def test_three_rules_are_no_worse_than_the_published_ones(us):
    values, found = us
    assert found[2].net >= PUBLISHED_NET
    assert cost_of(values, STRATEGIES["caribbean-stud"]["three-rules"]).play.net == PUBLISHED_NET
    assert [one.proven for one in found] == [True, True, False]
    assert ["None loses less." in one.searched for one in found] == [True, True, False]


@pytest.mark.parametrize("game", ["us", "holdem"])
def test_the_frame_loses_nothing(game, request):
    values, found = request.getfixturevalue(game)
    best = values.deals.select(best=pl.max_horizontal(values.actions))["best"]
    for one in found[-1:]:
        undecided = pl.repeat(True, values.game.deals, eager=True)
        assert one.frame >= 1
        for rule in one.strategy.rules[: one.frame]:
            decided = holds(rule.when, values.game, "frame") & undecided
            assert decided.any()
            assert (values.deals[rule.then] == best).filter(decided).all()
            undecided &= ~decided


@pytest.mark.parametrize("game", ["us", "holdem"])
def test_a_list_reads_back_as_the_same_strategy(game, request):
    values, found = request.getfixturevalue(game)
    one = found[-1].strategy
    assert read_rules(values.game, str(one)).played().equals(one.played())


def test_no_rule_is_there_for_nothing(us):
    values, found = us
    one = found[2]
    rules = one.strategy.rules[: one.frame] + one.strategy.rules[one.frame + 1 :]
    assert cost_of(values, Strategy("less", CARIBBEAN_STUD, rules, one.strategy.otherwise)).loss > one.loss


@pytest.mark.parametrize(("profile", "exchanges"), [("us", 0), ("three-box", 1), ("oasis", 1), ("casino-holdem", 0)])
def test_every_condition_of_the_vocabulary_can_be_read_and_said(profile, exchanges):
    rules = load_rules(profile)
    values = ActionValues(rules, exchanges, (), 1, pl.DataFrame())
    offered = [*literals(values), *chain.from_iterable(frame_conditions(values))]
    for condition in offered:
        assert condition_of(condition, values.game, "vocabulary").meta.root_names()
        assert in_words(condition)
    assert len({in_words(condition) for condition in literals(values)}) == len(literals(values))


def test_what_is_said():
    assert in_words("pair <= 6 and pair >= 3") == "there is no pair above sixes and the pair is threes or higher"
    assert in_words("category >= 'two pair'") == "the hand is two pair or better"
    assert in_words("straight_outs >= 1 or flush_cards >= 3").startswith("a card makes a straight or three cards")
    with pytest.raises(ValueError, match="no part of a vocabulary: 'card_9 = A'"):
        in_words("pair = 0 and card_9 = A")


def test_plain_data(us):
    data = us[1][1].to_dict()
    assert data["rules"] == 2
    assert data["all_rules"] == data["frame"] + 2
    assert Fraction(data["loss_exact"]) == Fraction(data["least_loss_exact"]) == us[1][1].loss
    assert data["proven"] is True
    assert data["words"][0] == "Call when the hand is a pair or better."


@pytest.mark.parametrize("rules", [0, 9, True, 2.0, "3"])
def test_how_many_rules(rules):
    with pytest.raises(InputError, match="a whole number from 1 to 8"):
        find_strategies("us", rules)
