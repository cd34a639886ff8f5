"""What may be done at a decision: exchanges by rules and box, and the money that pays for them."""

from fractions import Fraction

import pytest

import pycs
from pycs import display
from pycs.errors import InputError
from pycs.offers import Offer, decided_later, exchanges_allowed, is_blind, offer
from pycs.purse import Purse, read_ante, read_purse
from pycs.rules import load_rules, rules_from_dict

THREE, TRIPLE, OASIS, US = (load_rules(name) for name in ("three-box", "triple-exchange", "oasis", "us"))
DEAL = ("2h4d6s8c9h", "5c")


def refusal(function, *arguments, **options):
    with pytest.raises(InputError) as error:
        function(*arguments, **options)
    assert "\n" not in str(error.value)
    return str(error.value)


def own_rules(profile, **changes):
    return rules_from_dict({**load_rules(profile).to_dict(), "name": "mine", **changes})


# --- by the rules -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "box", "exchanges", "expected"),
    [
        (US, None, None, Offer(("fold", "call"))),
        (THREE, None, None, Offer(("fold", "call", "exchange"), 1, {5: 1})),
        (THREE, 1, 0, Offer(("fold", "call"))),
        (THREE, 2, 1, Offer(("fold", "call", "exchange"), 1, {5: 1})),
        (TRIPLE, None, None, Offer(("fold", "call", "exchange"), 3, {5: 1})),
        (TRIPLE, None, 2, Offer(("fold", "call", "exchange"), 2, {5: 1})),
        (OASIS, None, None, Offer(("fold", "call", "exchange"), 1, {1: 1, 2: 2, 3: 3, 4: 4, 5: 5})),
    ],
)
def test_what_the_rules_offer(rules, box, exchanges, expected):
    assert offer(rules, box, exchanges, None) == expected


def test_boxes_that_may_not_exchange():
    first_only = own_rules("three-box", exchange={"in_a_row": 1, "fees": {"5": 1}, "boxes": [1]})
    assert offer(first_only, 1, None, None).exchanges == 1
    assert offer(first_only, 2, None, None) == Offer(("fold", "call"))
    assert exchanges_allowed(first_only, 2) == (0, {})
    assert refusal(offer, first_only, 2, 1, None) == "exchanges left 1: box 2 of mine allows 0"


def test_blind_boxes_and_those_decided_later():
    assert [is_blind(THREE, box) for box in (None, 1, 2, 3)] == [False, False, False, True]
    assert [decided_later(THREE, box) for box in (None, 1, 2, 3)] == [1, 1, 0, 0]
    assert decided_later(US, None) == 0


@pytest.mark.parametrize("box", [0, 4, -1, True, "1", 1.0])
def test_boxes_that_are_not_there_are_refused(box):
    assert refusal(is_blind, THREE, box) == f"box {box!r}: three-box has boxes 1 to 3"
    assert "us has no boxes, so none must be named" in refusal(pycs.decide, "us", *DEAL, box=box)


def test_states_whose_value_is_not_counted_are_refused():
    four = own_rules("triple-exchange", exchange={"in_a_row": 4, "fees": {"5": 1}})
    told = "4 exchanges are left in mine: values are known with up to 3 left"
    assert refusal(offer, four, None, None, None) == told
    assert offer(four, None, 3, None).exchanges == 3
    chosen = own_rules("oasis", exchange={"in_a_row": 2, "fees": {"1": 1, "5": 1}})
    told = "2 exchanges of chosen cards are left in mine: values are known with up to 1 left"
    assert refusal(offer, chosen, None, None, None) == told
    assert offer(chosen, None, 1, None).fees == {1: 1, 5: 1}


# --- by the money -----------------------------------------------------------------------------------------------------


def purse(rules, ante, balance, later=None):
    return read_purse(rules, ante, balance, later, decided_later=1)


@pytest.mark.parametrize(
    ("balance", "call", "exchanges"),
    [
        (0, False, 0),
        ("19.99", False, 0),
        (20, True, 0),
        ("29.99", True, 0),
        (30, True, 1),
        (39, True, 1),
        (50, True, 3),
    ],
)
def test_each_exchange_must_leave_the_call(balance, call, exchanges):
    offered = offer(TRIPLE, None, None, purse(TRIPLE, 10, balance))
    assert ("call" in offered.actions, offered.exchanges) == (call, exchanges)
    assert ("exchange" in offered.actions) == (exchanges > 0)
    missing = {0: {"exchange"}, 1: {"more than 1 of 3 exchanges"}, 2: {"more than 2 of 3 exchanges"}, 3: set()}
    assert set(offered.not_offered) == ({"call"} if not call else set()) | missing[exchanges]


def test_the_text_says_why():
    reasons = offer(THREE, None, None, purse(THREE, 10, 15)).not_offered
    assert reasons == {
        "call": "a call of 20 can't be paid out of a balance of 15",
        "exchange": "a fee of 10 and a call of 20 after it come to 30, and the balance is 15",
    }


def test_an_exchange_on_box_1_leaves_the_call_of_box_2():
    assert offer(THREE, 1, None, purse(THREE, 10, 70, 20)).exchanges == 1
    short = purse(THREE, 10, 69, 20)
    assert offer(THREE, 1, None, short).not_offered == {
        "exchange": "a fee of 10, a call of 20 after it and the calls of later boxes, 40, come to 70, "
        "and the balance is 69"
    }
    assert short.lacks_later_calls is None
    assert purse(THREE, 10, 59, 20).lacks_later_calls == "a call leaves 39, and the calls of later boxes take 40"
    assert purse(THREE, 10, 19, 20).lacks_later_calls is None  # there is no call


def test_a_house_may_not_keep_later_calls_in_mind():
    limits = {"exchange_leaves_call": True}
    assert offer(THREE, 1, None, purse(own_rules("three-box", limits=limits), 10, 30, 20)).exchanges == 1


def test_sizes_that_cannot_be_paid_are_left_out():
    offered = offer(OASIS, None, None, purse(OASIS, 1, 4))
    assert (offered.exchanges, offered.fees) == (1, {1: 1, 2: 2})
    assert offered.not_offered == {
        "exchange of 3, 4, 5 cards": "a fee of 3 and a call of 2 after it come to 5, and the balance is 4"
    }


def test_an_exchange_without_a_fee():
    free = own_rules("triple-exchange", exchange={"in_a_row": 3, "fees": {"5": 0}})
    assert offer(free, None, None, purse(free, 1, 2)).exchanges == 3
    assert offer(free, None, None, purse(free, 1, 1)).exchanges == 0


def test_exchanges_that_the_balance_does_not_pay_for_are_refused_when_asked_for():
    text = refusal(offer, THREE, None, 1, purse(THREE, 10, 25))
    assert text.startswith("exchanges left 1: the balance pays for 0, since a fee of 10 and a call of 20 after it")
    assert "the balance pays for 1" in refusal(offer, TRIPLE, None, 2, purse(TRIPLE, 10, 35))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"ante": 10}, "the ante 10: the balance must be given, too"),
        ({"balance": 10}, "the balance 10: the ante must be given, too"),
        ({"later": 10}, "the later boxes' antes 10: the ante and the balance must be given, too"),
        ({"ante": 0, "balance": 1}, "the ante 0: more than 0 and at most 999999999 money units are allowed"),
        ({"ante": -1, "balance": 1}, "the ante -1: more than 0 and at most"),
        ({"ante": "x", "balance": 1}, "the ante 'x': more than 0 and at most"),
        ({"ante": 1, "balance": "1e3"}, "the balance '1e3': 0 to 999999999 money units are allowed"),
        ({"ante": 1, "balance": True}, "the balance True: 0 to"),
        ({"ante": 1, "balance": 1, "later": -1}, "the later boxes' antes -1: 0 to"),
    ],
)
def test_money_that_cannot_be_is_refused(options, words):
    assert words in refusal(pycs.decide, "three-box", *DEAL, **options)


def test_the_limits_of_the_table():
    assert (read_ante(TRIPLE, 1), read_ante(TRIPLE, 300), read_ante(US, "0.01")) == (1, 300, Fraction(1, 100))
    for ante in (301, "0.5", 0):
        assert "1 to 300 money units are allowed" in refusal(read_ante, TRIPLE, ante)


def test_later_boxes_only_where_there_are_some():
    told = "the later boxes' antes 5: no box is decided after this one, so only 0 is allowed"
    assert refusal(pycs.decide, "three-box", *DEAL, box=2, ante=1, balance=10, later=5) == told
    assert refusal(pycs.decide, "us", *DEAL, ante=1, balance=10, later=5) == told
    assert pycs.decide("three-box", *DEAL, box=2, ante=1, balance=10, later=0).purse.later_calls == 0


def test_amounts_are_exact():
    third = Purse(Fraction(1, 3), Fraction(1), Fraction(2, 3))
    assert (third.lacks_exchange(1), third.lacks_call) == (None, None)
    assert third.exchanges(1, 3) == 1
    assert purse(THREE, "0.1", "0.3").lacks_exchange(1) is None  # as floats, 0.1 + 0.2 is more than 0.3
    assert purse(THREE, 0.1, 0.3).lacks_exchange(1) is None
    assert third.to_dict() == {"ante": "1/3", "balance": "1", "call": "2/3", "later_calls": "0"}


# --- decide -----------------------------------------------------------------------------------------------------------


def test_decide_offers_what_can_be_paid():
    rich = pycs.decide("three-box", *DEAL, ante=10, balance=30)
    assert (set(rich.values), rich.action, rich.not_offered) == ({"fold", "call", "exchange"}, "exchange", {})
    assert rich.values == pycs.decide("three-box", *DEAL).values
    short = pycs.decide("three-box", *DEAL, ante=10, balance=29)
    assert (set(short.values), short.action, short.exchanges_left) == ({"fold", "call"}, "fold", 0)
    broke = pycs.decide("three-box", "AsAhAdAc2s", "3d", ante=10, balance=19)
    assert (broke.values, broke.action, broke.margin, broke.indifferent) == ({"fold": -1}, "fold", None, False)
    plain = broke.to_dict()
    assert (plain["margin"], plain["margin_exact"], plain["money"]["balance"]) == (None, None, "19")
    assert set(plain["not_offered"]) == {"call", "exchange"}


def test_a_short_balance_in_every_game():
    for profile, deal in (("us", ("AsAhAdAc2s", "3d")), ("casino-holdem", ("AsAh", "AdAc3d"))):
        assert pycs.decide(profile, *deal, ante=5, balance=10).action == "call"
        assert pycs.decide(profile, *deal, ante=5, balance="9.99").action == "fold"


def test_money_limits_the_exchanges_in_a_row():
    one = pycs.decide("triple-exchange", "9c7d4h3s2c", "2d", ante=10, balance=35)
    told = "2 fees of 10 and a call of 20 after them come to 40, and the balance is 35"
    assert (one.exchanges_left, one.not_offered) == (1, {"more than 1 of 3 exchanges": told})
    assert "with 1 exchange left" in display.decision(one, TRIPLE)
    assert one.values == pycs.decide("three-box", "9c7d4h3s2c", "2d").values


def test_what_is_not_counted():
    from pycs.decisions import not_counted

    told = {
        (box, money): not_counted(
            pycs.decide("three-box", *DEAL, box=box, **({"ante": 1, "balance": 9} if money else {})), THREE
        )
        for box in (None, 1, 2)
        for money in (False, True)
    }
    assert told == {
        (None, False): ("further boxes", "limits of money"),
        (None, True): ("further boxes",),
        (1, False): ("further boxes", "limits of money"),
        (1, True): ("further boxes",),
        (2, False): ("limits of money",),
        (2, True): (),
    }
    assert not_counted(pycs.decide("three-box", box=3), THREE) == ()
