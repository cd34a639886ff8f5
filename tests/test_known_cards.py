"""Decisions with known cards: dead ones, and further ones of the dealer, against plain enumeration and identities."""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import holdem_oracle
import numpy as np
import oracle
import pytest

import pycs
from pycs import core
from pycs.errors import InputError

ACE_KING, PAIR_OF_FOURS = 1114, 1718
HAND, UP = "AsKhJd8c3s", "Qc"
HOLE, FLOP = "Js3h", "5d8cKh"


def dealt(seed, cards, suits=4):
    """Different cards; few suits make flushes frequent."""
    random = np.random.default_rng(seed)
    deck = [4 * rank + suit for rank in range(13) for suit in range(suits)]
    return random.permutation(deck)[:cards].tolist()


def stud_outcomes(hand, dealer, dead):
    """Every way to complete the dealer's hand, judged by its key."""
    mine, counts = oracle.hand_key(hand), Counter()
    live = [card for card in range(52) if card not in (*hand, *dealer, *dead)]
    for more in combinations(live, 5 - len(dealer)):
        his = oracle.hand_key((*dealer, *more))
        good = oracle.qualifies(his)
        counts["not_qualified" if not good else "win" if mine > his else "push" if mine == his else "lose"] += 1
    return [counts[outcome] for outcome in ("not_qualified", "win", "push", "lose")]


def holdem_outcomes(hole, flop, dealer, dead):
    """Every turn, river and rest of the dealer's hole cards, judged by keys, as the core orders the outcomes."""
    counts = Counter()
    live = [card for card in range(52) if card not in (*hole, *flop, *dealer, *dead)]
    for board in combinations(live, 2):
        mine = oracle.best_key((*hole, *flop, *board))
        line = holdem_oracle.ante_line(mine)
        rest = [card for card in live if card not in board]
        for more in combinations(rest, 2 - len(dealer)):
            ending = holdem_oracle.outcome(mine, oracle.best_key((*dealer, *more, *flop, *board)))
            counts[(ending, line) if ending in ("not_qualified", "win") else ending] += 1
    by_line = [counts[kind, line] for kind in ("not_qualified", "win") for line in holdem_oracle.LINES]
    return [*by_line, counts["push"], counts["lose"]]


@pytest.mark.parametrize("dead", [0, 1, 5, 10, 20, 35, 41])
def test_stud_with_dead_cards_is_what_the_oracle_counts(dead):
    for seed in range(4):
        cards = dealt(seed, 6 + dead, suits=4)
        hand, up, out = cards[:5], cards[5], cards[6:]
        expected = list(oracle.count_outcomes(hand, up, out).values())
        for walk in (False, True):
            assert core.STUD.known(cards[:6], [], out, ACE_KING, walk=walk) == expected


@pytest.mark.parametrize("dealer", [2, 3, 4, 5])
@pytest.mark.parametrize("dead", [0, 7, 26])
@pytest.mark.parametrize("suits", [4, 3])
def test_stud_with_more_of_the_dealer_is_what_plain_enumeration_counts(dealer, dead, suits):
    cards = dealt(10 * dealer + dead, 5 + dealer + dead, suits)
    hand, his, out = cards[:5], cards[5 : 5 + dealer], cards[5 + dealer :]
    expected = stud_outcomes(hand, his, out)
    for walk in (False, True):
        assert core.STUD.known([*hand, his[0]], his[1:], out, ACE_KING, walk=walk) == expected


@pytest.mark.parametrize("dealer", [0, 1, 2])
@pytest.mark.parametrize("suits", [4, 3, 2])
@pytest.mark.parametrize("seed", [1, 2])
def test_holdem_with_few_cards_left_is_what_plain_enumeration_counts(dealer, suits, seed):
    cards = dealt(seed, 13 * suits, suits)
    hole, flop, his = cards[:2], cards[2:5], cards[5 : 5 + dealer]
    out = [*cards[18:], *(card for card in range(52) if card % 4 >= suits)]
    expected = holdem_outcomes(hole, flop, his, out)
    for walk in (False, True):
        assert core.HOLDEM.known([*hole, *flop], his, out, PAIR_OF_FOURS, walk=walk) == expected


@pytest.mark.parametrize("dead", [1, 6, 20])
def test_holdem_with_dead_cards_is_what_the_oracle_counts(dead):
    cards = dealt(dead, 5 + dead)
    hole, flop, out = cards[:2], cards[2:5], cards[5:]
    told = holdem_oracle.count_outcomes(hole, flop, dead=out)
    expected = [*told["not_qualified"].values(), *told["win"].values(), told["push"], told["lose"]]
    for walk in (False, True):
        assert core.HOLDEM.known(cards[:5], [], out, PAIR_OF_FOURS, walk=walk) == expected


def test_what_is_known_averages_out(random_deals, holdem_random):
    """Over all cards that the next one of the dealer can be, every completion is counted once for each of its cards."""
    for kernel, deals, hidden in ((core.STUD, random_deals[:5], 4), (core.HOLDEM, holdem_random[:3], 2)):
        for deal in deals.tolist():
            every = [kernel.known(deal, [card], [], 1714) for card in range(52) if card not in deal]
            assert np.array_equal(np.sum(every, axis=0), hidden * np.array(kernel.known(deal, [], [], 1714)))


def test_nothing_more_known_is_the_deal_alone(random_deals, holdem_random):
    for kernel, deals in ((core.STUD, random_deals[:300]), (core.HOLDEM, holdem_random[:100])):
        alone = kernel.count(deals, 1714)
        assert [kernel.known(deal, [], [], 1714) for deal in deals.tolist()] == alone.T.tolist()


# --- decide -----------------------------------------------------------------------------------------------------------


def test_a_decision_says_what_is_known():
    decision = pycs.decide("us", HAND, UP, dealer="7d 2c", known=["Qs", "Qh", "Js"])
    assert (decision.dealer, decision.known, decision.action) == ("7d2c", "QsQhJs", "call")
    hand, dealer, dead = oracle.cards(HAND), oracle.cards("Qc7d2c"), oracle.cards("QsQhJs")
    assert list(decision.outcomes) == stud_outcomes(hand, dealer, dead)
    assert decision.completions == 820
    plain = decision.to_dict()
    assert (plain["dealer"], plain["known"], plain["completions"]) == ("7d2c", "QsQhJs", 820)
    assert pycs.decide("us", HAND, UP, dealer="7d2c", known="QsQhJs", exhaustive=True) == decision
    assert pycs.decide("us", HAND, UP).to_dict()["known"] == ""


def test_a_dealer_seen_in_full_leaves_one_completion():
    assert pycs.decide("us", HAND, UP, dealer="7d5h4c2s").values["call"] == 1
    assert pycs.decide("us", HAND, UP, dealer="QdQhQs2s").values["call"] == -3
    seen = pycs.decide("casino-holdem", HOLE, FLOP, dealer="KsKd")
    assert seen.completions == 45 * 44 / 2
    assert seen.action == "fold"


def test_a_bonus_bet_goes_with_known_cards():
    alone = pycs.decide("casino-holdem", "QsQh", "Qd2c7h", known="2s2h7s")
    both = pycs.decide("casino-holdem", "QsQh", "Qd2c7h", known="2s2h7s", bonus="0.5")
    assert both.values == {"fold": Fraction(-3, 2), "call": alone.values["call"] + Fraction(7, 2)}


@pytest.mark.parametrize(
    ("profile", "known", "words"),
    [
        ("us", {"known": "Qc"}, "Qc of the known cards is also the upcard"),
        ("us", {"known": "As"}, "As of the known cards is also in the hand"),
        ("us", {"dealer": "2c", "known": "2c"}, "2c of the known cards is also in the dealer's cards"),
        ("us", {"dealer": "2c2c"}, "2c is there twice"),
        ("us", {"dealer": "2c3c4c5c6c"}, "5 cards came, at most 4 are allowed"),
        ("us", {"known": "x"}, "no such rank"),
        ("us", {"known": None}, "None"),
        ("us", {"dealer": [52]}, "0..51"),
        (
            "casino-holdem",
            {"dealer": "2c3c4c"},
            "the dealer's hole cards '2c3c4c': 3 cards came, at most 2 are allowed",
        ),
        ("casino-holdem", {"known": "Kh"}, "Kh of the known cards is also in the flop"),
    ],
)
def test_what_cannot_be_known_is_refused(profile, known, words):
    deal = (HAND, UP) if profile == "us" else (HOLE, FLOP)
    with pytest.raises(InputError) as error:
        pycs.decide(profile, *deal, **known)
    assert words in str(error.value)
    assert str(error.value).isprintable()


def test_too_many_known_cards_are_refused():
    in_sight = (*oracle.cards(HAND), *oracle.cards(UP))
    rest = [card for card in range(52) if card not in in_sight]
    assert pycs.decide("us", HAND, UP, known=rest[:41]).completions == 5
    with pytest.raises(InputError, match="42 cards came, at most 41 are allowed"):
        pycs.decide("us", HAND, UP, known=rest[:42])
    in_sight = (*oracle.cards(HOLE), *oracle.cards(FLOP))
    rest = [card for card in range(52) if card not in in_sight]
    assert pycs.decide("casino-holdem", HOLE, FLOP, known=rest[:43]).completions == 6
    with pytest.raises(InputError, match="44 cards came, at most 43 are allowed"):
        pycs.decide("casino-holdem", HOLE, FLOP, known=rest[:44])


@pytest.mark.parametrize(
    ("deal", "dealer", "dead"),
    [
        ([0, 1, 2, 3, 4], [], []),
        ([0, 1, 2, 3, 4, 5], [5], []),
        ([0, 1, 2, 3, 4, 5], [], [300, 301, 302]),
        ([0, 1, 2, 3, 4, 5], [], [-1]),
        ([0, 1, 2, 3, 4, 5], "ab", []),
        ([0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10], []),
        ([0, 1, 2, 3, 4, 5], [], list(range(6, 48))),
        ([0, 1, 2, 3, 4, 5], [], list(range(6, 52)) * 50),
    ],
)
def test_the_core_is_never_handed_cards_that_cannot_be(deal, dealer, dead):
    with pytest.raises(InputError):
        core.STUD.known(deal, dealer, dead, ACE_KING)
    with pytest.raises(InputError, match="1 to 7462"):
        core.STUD.known([0, 1, 2, 3, 4, 5], [], [], 0)
