"""Inputs on which published programs or pages went wrong: each stands for its whole kind.

The cases about reading cards are in test_cards.py.
"""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import pycs
from pycs.ranking import category

CASES = json.loads((Path(__file__).parent / "data" / "cases.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("first", "second", "who", "why"), CASES["compare"])
def test_compare(first: str, second: str, who: str, why: str) -> None:
    a, b = pycs.rank_hand(first), pycs.rank_hand(second)
    assert {"first": a > b, "tie": a == b, "second": a < b}[who], why


@pytest.mark.parametrize(("hand", "name", "why"), CASES["best_of_seven"])
def test_best_of_seven(hand: str, name: str, why: str) -> None:
    assert category(pycs.rank_hand(hand)) == name, why


def test_of_three_pairs_the_third_is_no_better_than_a_kicker() -> None:
    assert pycs.rank_hand("6cQcAd6sAcTdJs") == pycs.rank_hand("6cQcAd6sAc3s3d") == pycs.rank_hand("AdAc6c6sQc")


@pytest.mark.parametrize("case", CASES["settle"], ids=lambda case: f"{case['player']}-{case['dealer']}")
def test_settle(case: dict[str, Any]) -> None:
    assert pycs.settle(case["profile"], case["player"], case["dealer"], case["action"]).net == case["net"]


@pytest.mark.parametrize("exhaustive", [False, True], ids=["counted", "exhaustive"])
@pytest.mark.parametrize("case", CASES["decide"], ids=lambda case: f"{case['hand']}-{case.get('flop', case.get('up'))}")
def test_decide(case: dict[str, Any], exhaustive: bool) -> None:
    seen = case["flop"] if "flop" in case else case["up"]
    decision = pycs.decide(case["profile"], case["hand"], seen, exhaustive=exhaustive)
    assert decision.action == case["action"]
    call = decision.values["call"]
    if "call" in case:
        assert call == Fraction(case["call"])
    else:
        assert round(float(call), 6) == case["call_about"]
    if "not_qualified" in case:
        assert decision.outcomes.not_qualified == case["not_qualified"]


def test_the_cases_are_of_both_games() -> None:
    assert {case["profile"] for case in CASES["decide"]} == {"us", "casino-holdem"}
