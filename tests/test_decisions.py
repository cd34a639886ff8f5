"""Single decisions: values, the best action, indifference, both roads, bad input."""

import dataclasses
from fractions import Fraction

import oracle
import pytest

import pycs
from pycs.cards import format_cards
from pycs.deals import parse_deal
from pycs.decisions import Outcomes, judge
from pycs.errors import InputError
from pycs.rules import load_rules, rules_from_dict


def as_text(deal):
    return format_cards(deal[:5].tolist()), format_cards(deal[5:].tolist())


def test_both_roads_decide_alike(random_deals, extreme_deals):
    for deal in [*random_deals[:150], *extreme_deals]:
        hand, upcard = as_text(deal)
        assert pycs.decide("us", hand, upcard) == pycs.decide("us", hand, upcard, exhaustive=True)


@pytest.mark.parametrize("profile", pycs.profile_names())
def test_the_value_is_the_mean_of_the_settled_rounds(profile, random_deals):
    rules = load_rules(profile)
    pays = {name: rules.pays.of(name) for name in oracle.CATEGORIES}
    for deal in random_deals[:8]:
        hand, upcard = deal[:5].tolist(), int(deal[5])
        decision = pycs.decide(profile, hand, upcard)
        assert decision.values == {"fold": Fraction(-1), "call": oracle.call_value(pays, hand, upcard)}
        assert decision.action == max(decision.values, key=decision.values.get)
        assert decision.margin == abs(decision.values["call"] + 1)
        assert not decision.indifferent


def test_equal_values_take_the_cheaper_action():
    """No deal of a shipped profile is worth exactly -1 called, so these counts are made up."""
    rules, deal = load_rules("us"), parse_deal("AsKhJd8c3s", "Qc")
    equal = judge(rules, deal, "high card", Outcomes(not_qualified=81591, win=0, push=2, lose=81592))
    assert equal.values == {"fold": Fraction(-1), "call": Fraction(-1)}
    assert (equal.action, equal.indifferent, equal.margin) == ("fold", True, 0)
    better = judge(rules, deal, "high card", Outcomes(not_qualified=81592, win=0, push=1, lose=81592))
    assert (better.action, better.indifferent, better.margin) == ("call", False, Fraction(1, 163185))
    worse = judge(rules, deal, "high card", Outcomes(not_qualified=81592, win=0, push=0, lose=81593))
    assert (worse.action, worse.indifferent) == ("fold", False)


def test_a_user_can_play_numbers_texts_and_rules():
    expected = pycs.decide("us", "AsKhJd8c3s", "Qc")
    assert pycs.decide(load_rules("us"), (51, 46, 37, 24, 7), 40) == expected
    assert pycs.decide("us", ["A♠", "Kh", "jd", "8c", "3s"], "q♣") == expected


def test_another_call_and_another_qualifier_change_the_value():
    changed = load_rules("us").to_dict()
    changed["stakes"]["call"], changed["dealer"]["qualifies"] = 1, "any"
    hand, upcard = "AsKhQd9c8s", "3d"
    decision = pycs.decide(rules_from_dict(changed), hand, upcard)
    strengths = oracle.count_outcomes(oracle.cards(hand), oracle.cards(upcard)[0])
    assert decision.outcomes.not_qualified == 0
    weaker = strengths["not_qualified"] + strengths["win"]  # an ace-king hand beats all who do not qualify
    assert decision.outcomes.win == weaker
    assert decision.values["call"] == Fraction(2 * weaker - 2 * strengths["lose"], 163185)


def test_a_decision_is_frozen_and_plain_as_json():
    decision = pycs.decide("us", "As Kh Jd 8c 3s", "Qc")
    with pytest.raises(dataclasses.FrozenInstanceError):
        decision.action = "call"
    plain = decision.to_dict()
    assert plain["hand"] == "AsKhJd8c3s"
    assert plain["exact"] == {"fold": "-1", "call": "-63653/54395"}
    assert Fraction(plain["exact"]["call"]) == Fraction(-190959, 163185)
    assert plain["values"]["call"] == -190959 / 163185
    assert plain["outcomes"] == {"not_qualified": 74649, "win": 0, "push": 0, "lose": 88536}
    assert plain["completions"] == sum(plain["outcomes"].values())


@pytest.mark.parametrize(
    ("hand", "upcard", "words"),
    [
        ("AsKhJd8c", "Qc", "4 cards came, 5 are needed"),
        ("AsKhJd8c3s2s", "Qc", "6 cards came, 5 are needed"),
        ("AsKhJd8cAs", "Qc", "As is there twice"),
        ("AsKhJd8c3s", "As", "the upcard As is also in the hand"),
        ("AsKhJd8c3s", "QcQd", "2 cards came, 1 is needed"),
        ("AsKhJd8c3s", "", "0 cards came"),
        ("AsKhJd8c3x", "Qc", "no such suit"),
        ((51, 46, 37, 24, 52), "Qc", "0..51"),
        (None, "Qc", "None"),
        ("AsKhJd8c3s", None, "None"),
    ],
)
@pytest.mark.parametrize("exhaustive", [False, True])
def test_what_cannot_be_dealt_is_refused(hand, upcard, words, exhaustive):
    with pytest.raises(InputError) as error:
        pycs.decide("us", hand, upcard, exhaustive=exhaustive)
    assert words in str(error.value)
