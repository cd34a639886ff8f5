"""Boxes: the second, which knows what the first showed, and the blind third."""

from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import oracle
import pytest

import pycs
from pycs import display
from pycs.cards import format_cards
from pycs.errors import InputError

PAYS = dict(zip(oracle.CATEGORIES, (1, 1, 2, 3, 4, 5, 7, 20, 50, 100), strict=True))
HAND, UP = "AcKh8d5s3c", "2d"


def refusal(*arguments, **options):
    with pytest.raises(InputError) as error:
        pycs.decide(*arguments, **options)
    return str(error.value)


def blind_value(up, dead):
    """Every hand out of few live cards, each called, by the oracle's deals."""
    live = [card for card in range(52) if card not in (up, *dead)]
    values = [oracle.call_value(PAYS, hand, up, [*dead]) for hand in combinations(live, 5)]
    return sum(values, Fraction(0)) / len(values)


# --- box 2 ------------------------------------------------------------------------------------------------------------


def test_box_2_is_a_hand_with_known_cards():
    for shown in ("KsKdKc2s2h", "KsKdKc2s2hQsQdQc7s7h"):
        second = pycs.decide("three-box", HAND, UP, box=2, known=shown)
        alone = pycs.decide("three-box", HAND, UP, known=shown)
        assert (second.values, second.action, second.box) == (alone.values, alone.action, 2)
        assert second.to_dict()["box"] == 2


def test_what_box_1_showed_changes_the_best_action():
    deals = {
        ("2c9hJsTc8s", "Ts"): ("Kd5h2h9dTd", "call"),
        ("Jd6h3s5s2h", "Ks"): ("KcTc5c8sJc", "exchange"),
        ("8d2sAc6d5s", "Ad"): ("JsTdKc8sAh", "exchange"),
    }
    for deal, (shown, action) in deals.items():
        assert pycs.decide("three-box", *deal, box=1).action == "fold"
        assert pycs.decide("three-box", *deal, box=2, known=shown).action == action


# --- the blind box ----------------------------------------------------------------------------------------------------


def test_before_the_deal_it_is_the_game_of_those_who_always_call():
    decision = pycs.decide("three-box", box=3)
    assert decision.values == {"call": Fraction(-3310360338060, 19933230517200)}
    assert (decision.action, decision.margin, decision.upcard, decision.completions) == (
        *("call", None, None),
        19933230517200,
    )
    called = {"pair or less": 2356341129960, "royal flush": 16759740}  # of all deals, as when every one is called
    assert {line: decision.wins[line] for line in called} == called
    assert sum(decision.wins.values()) == decision.outcomes.win


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("suits", [2, 4])
def test_few_cards_left_are_what_the_oracle_counts(seed, suits):
    deck = [4 * rank + suit for rank in range(13) for suit in range(suits)]
    live = np.random.default_rng(seed).permutation(deck)[:13].tolist()
    up, dead = live[0], [card for card in range(52) if card not in live]
    decision = pycs.decide("three-box", "", up, box=3, known=dead)
    assert decision.values["call"] == blind_value(up, dead)
    assert decision.completions == comb(12, 5) * comb(7, 4)


def test_without_an_upcard_it_is_the_mean_over_all_of_them():
    dead = [card for card in range(52) if card % 13 > 2]
    live = [card for card in range(52) if card not in dead]
    each = [pycs.decide("three-box", "", up, box=3, known=dead).values["call"] for up in live]
    assert pycs.decide("three-box", box=3, known=dead).values["call"] == sum(each, Fraction(0)) / len(live)


def test_more_of_the_dealer_seen():
    decision = pycs.decide("three-box", "", "Qc", box=3, dealer="7d5h2s")
    live = [card for card in range(52) if card not in oracle.cards("Qc7d5h2s")]
    each = [pycs.decide("three-box", "", "Qc", box=3, dealer=["7d", "5h", "2s", card]).values["call"] for card in live]
    assert decision.values["call"] == sum(each, Fraction(0)) / len(live)
    assert decision.dealer == "7d5h2s"


def test_the_suits_have_no_names():
    up, dead = oracle.cards("5c"), oracle.cards("2h4d6s8c9hKsQs")
    value = pycs.decide("three-box", "", up, box=3, known=dead).values["call"]
    for suits in ((1, 2, 3, 0), (3, 2, 1, 0), (2, 3, 0, 1)):
        there, out = ([oracle.relabel(card, suits) for card in cards] for cards in (up, dead))
        assert pycs.decide("three-box", "", there, box=3, known=out).values["call"] == value


def test_nothing_else_can_be_done_with_it():
    assert refusal("three-box", HAND, UP, box=3) == (
        f"the hand '{HAND}': box 3 is blind, so no hand is seen; give the upcard alone, or no cards"
    )
    for option in ({"exchanges": 1}, {"ante": 1, "balance": 5}, {"exhaustive": True}):
        assert "box 3 is blind: ante and call are staked before the deal" in refusal(
            "three-box", "", UP, box=3, **option
        )
    assert refusal("three-box", box=3, dealer="2c") == "the dealer's cards '2c': without an upcard none is seen"
    assert "2d of the known cards is also the upcard" in refusal("three-box", "", UP, box=3, known=UP)
    few = format_cards(range(4, 47))
    assert "43 cards came, at most 41 are allowed" in refusal("three-box", "", "2c", box=3, known=few)


def test_a_hand_is_needed_where_it_is_seen():
    assert "0 cards came, 5 are needed" in refusal("three-box", box=2)
    assert "0 cards came, 5 are needed" in refusal("us", "", UP)


def test_what_people_see():
    rules = pycs.load_rules("three-box")
    text = display.decision(pycs.decide("three-box", box=3), rules)
    for part in (
        "3, blind: ante and call are staked",
        "not dealt yet",
        "call, the only one",
        "-0.166072",
        "with flush",
    ):
        assert part in text
    text = display.decision(pycs.decide("three-box", "", "5c", box=3, known="2h"), rules)
    assert "2h, as is known" in text
    assert "5c" in text
