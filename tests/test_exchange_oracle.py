"""Known cards, exchanges and blind boxes against values that were worked out from the rules alone.

`data/exchange_cases.json` holds some two hundred states of each kind, worked out once by `exchange_oracle.py`, which
knows nothing of the product. A few of each kind are worked out here again, so that the two stay together. All states
are compared, but of those with two and three exchanges only some: `PYCS_ALL_CASES=1` takes all, in some minutes.
"""

import json
import os
from fractions import Fraction
from pathlib import Path

import exchange_oracle
import pytest
from long_tests import long

import pycs
from pycs.blind_boxes import blind_call
from pycs.deals import Known
from pycs.rules import load_rules, rules_from_dict

CASES = json.loads((Path(__file__).parent / "data" / "exchange_cases.json").read_text())
OASIS = load_rules("oasis")
ALL_CASES = bool(os.environ.get("PYCS_ALL_CASES"))


def exact(values):
    return {action: Fraction(value) for action, value in values.items()}


def decided(case, profile, **options):
    up, more = case["dealer"][:2], case["dealer"][2:]
    return pycs.decide(profile, case["hand"], up, dealer=more, known=case["dead"], **options)


def one_size(size):
    """Oasis where so many cards, and no other number of them, may be given up."""
    fees = {str(size): size}
    return rules_from_dict({**OASIS.to_dict(), "name": "mine", "exchange": {"in_a_row": 1, "fees": fees}})


def test_there_are_enough_of_each_kind():
    kinds = {kind: len(cases) for kind, cases in CASES.items() if kind != "about"}
    assert min(number for kind, number in kinds.items() if kind != "exchange_full") >= 200
    assert kinds["exchange_full"] >= 80


def test_known_cards():
    for case in CASES["known"]:
        decision = decided(case, "us")
        assert list(decision.outcomes) == case["call_counts"], case
        assert (decision.action in case["best"], decision.indifferent) == (True, len(case["best"]) > 1), case


@pytest.mark.parametrize("kind", ["exchange_small", "exchange_full"])
def test_one_exchange(kind):
    for case in CASES[kind]:
        decision = decided(case, "three-box")
        assert decision.values == exact(case["values"]), case


def test_chosen_cards_with_few_cards_left():
    for case in CASES["oasis_small"]:
        decision = decided(case, "oasis")
        assert decision.values == exact(case["values"]), case
        best = [sorted(pycs.parse_cards(cards)) for cards in case["best_give_up"]]
        assert sorted(pycs.parse_cards(decision.exchange.gives_up)) in best, case


def test_chosen_cards_of_full_decks():
    """The value of giving up certain cards is no more than that of the best of as many, and often is it."""
    best = 0
    for case in CASES["oasis_full"]:
        given_up = sorted(pycs.parse_cards(case["give_up"]))
        decision = decided(case, one_size(len(given_up)))
        if sorted(pycs.parse_cards(decision.exchange.gives_up)) == given_up:
            best += 1
            assert decision.values == exact(case["values"]), case
        else:
            assert decision.values["exchange"] >= exact(case["values"])["exchange"], case
    assert best >= 50


def test_two_exchanges():
    for case in CASES["two_small"][:: 1 if ALL_CASES else 4]:
        decision = decided(case, "triple-exchange", exchanges=2)
        assert decision.values == exact(case["values"]), case


def test_three_exchanges_within_their_error(monkeypatch):
    """Each estimate within five of its errors, and together as far off as errors are."""
    monkeypatch.setattr("pycs.exchange_estimates._MOST", 40)
    off = []
    for case in CASES["three_small"][:: 1 if ALL_CASES else 20]:
        decision = decided(case, "triple-exchange")
        values = exact(case["values"])
        estimate, value = decision.estimates["exchange"], values.pop("exchange")
        assert decision.values == values
        assert decision.exchange.at_least <= value
        off.append((estimate.value - float(value)) / estimate.standard_error)
    assert max(map(abs, off)) < 5
    assert sum(each**2 for each in off) / len(off) < 2


def test_blind_boxes():
    rules = load_rules("three-box")
    for case in CASES["blind"]:
        up, *more = pycs.parse_cards(case["dealer"]) or (None,)
        called = blind_call(rules, up, Known(tuple(more), pycs.parse_cards(case["dead"])))
        assert called.value(rules) == Fraction(case["values"]["blind"]), case


@pytest.mark.parametrize(
    ("kind", "exchanges", "fees"),
    [("exchange_small", 1, {5: 1}), ("oasis_small", 1, {1: 1, 2: 2, 3: 3, 4: 4, 5: 5}), long("two_small", 2, {5: 1})],
)
def test_the_cases_are_what_the_oracle_says(kind, exchanges, fees):
    for case in sorted(CASES[kind], key=lambda case: -len(case["dead"]))[:3]:
        hand, dealer, dead = (exchange_oracle.parse_cards(case[cards]) for cards in ("hand", "dealer", "dead"))
        values = exchange_oracle.value_of_state(hand, dealer, dead, exchanges, fees)
        assert values == exact(case["values"])


def test_full_decks_by_the_oracle():
    case = CASES["exchange_full"][0]
    hand, dealer, dead = (exchange_oracle.parse_cards(case[cards]) for cards in ("hand", "dealer", "dead"))
    assert exchange_oracle.value_of_state_full(hand, dealer, dead, {5: 1})[0] == exact(case["values"])
