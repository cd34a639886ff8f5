"""The last exchange: the quick road against the plain one, single deals and the oracle, and what decide makes of it."""

from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import oracle
import pytest
from long_tests import long_test

import pycs
from pycs import core, display
from pycs.cards import format_cards
from pycs.decisions import on_offer
from pycs.errors import InputError
from pycs.estimates import Estimate
from pycs.exchanges import Exchange
from pycs.offers import Offer
from pycs.rules import load_rules, rules_from_dict

ACE_KING = 1114
PAYS = dict(zip(oracle.CATEGORIES, (1, 1, 2, 3, 4, 5, 7, 20, 50, 100), strict=True))
NETS = [-1, 1, 0, -3, *(1 + 2 * pay for pay in PAYS.values())]
DEALS = [("AsKhJd8c3s", "Qc"), ("7c5d4h3s2c", "2d"), ("QsQh9d6c2h", "Ad"), ("9c7d4h3s2c", "2d"), ("KsQsJs9s2d", "As")]


def dealt(seed, cards, suits=4):
    """Different cards; few suits make flushes frequent."""
    random = np.random.default_rng(seed)
    deck = [4 * rank + suit for rank in range(13) for suit in range(suits)]
    return random.permutation(deck)[:cards].tolist()


def net_of(counts):
    """The net result of all pairs of a draw and a completion."""
    return sum(
        folded * NETS[0] + failed * NETS[1] + won * win + pushed * NETS[2] + lost * NETS[3]
        for (folded, failed, won, pushed, lost), win in zip(counts, NETS[4:], strict=True)
    )


def net_by_keys(kept, up, live):
    """Every draw, every completion, every hand by its key: best of fold and call for each draw, added up."""
    total = 0
    for drawn in combinations(live, 5 - len(kept)):
        mine = oracle.hand_key((*kept, *drawn))
        rest = [card for card in live if card not in drawn]
        call = fold = 0
        for four in combinations(rest, 4):
            his = oracle.hand_key((up, *four))
            fold -= 1
            if not oracle.qualifies(his):
                call += 1
            elif mine != his:
                call += 1 + 2 * PAYS[oracle.category_name(mine)] if mine > his else -3
        total += max(fold, call)
    return total


def net_by_deals(kept, dealer, dead, live):
    """Every draw by the counts of the deal that it makes."""
    total = 0
    for drawn in combinations(live, 5 - len(kept)):
        hand = (*kept, *drawn)
        failed, won, _, lost = core.STUD.known([*hand, dealer[0]], dealer[1:], dead, ACE_KING)
        fold = -sum((failed, won, _, lost))
        category = int(pycs.ranking.categories([core.rank_hands([hand])[0]])[0])
        total += max(fold, failed + won * NETS[4 + category] - 3 * lost)
    return total


@pytest.mark.parametrize("kept", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("suits", [4, 2])
def test_the_oracle_with_few_cards_left(kept, suits):
    cards = dealt(kept + suits, 13 * suits, suits)
    mine, up, live = cards[:kept], cards[kept], cards[kept + 1 : kept + 13 - kept]
    dead = [card for card in range(52) if card not in (*mine, up, *live)]
    expected = net_by_keys(mine, up, live)
    for plain in (False, True):
        counts = core.stud_exchange(mine, [up], dead, ACE_KING, NETS, plain=plain)
        assert net_of(counts) == expected
        assert sum(map(sum, counts)) == comb(len(live), 5 - kept) * comb(len(live) - 5 + kept, 4)


@pytest.mark.parametrize("dealer", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("kept", [0, 2, 4])
@pytest.mark.parametrize("suits", [4, 3])
def test_the_plain_road_with_fewer_cards(dealer, kept, suits):
    cards = dealt(10 * dealer + kept, 13 * suits, suits)
    mine, his, live = cards[:kept], cards[kept : kept + dealer], cards[kept + dealer :][:15]
    dead = [card for card in range(52) if card not in (*mine, *his, *live)]
    for nets in (NETS, [0, 0, 1, 0, *[0] * 10], [-5, 3, 1, -4, *range(10)]):
        quick = core.stud_exchange(mine, his, dead, ACE_KING, nets)
        assert quick == core.stud_exchange(mine, his, dead, ACE_KING, nets, plain=True)


@pytest.mark.parametrize(("hand", "up"), DEALS)
@pytest.mark.parametrize("kept", [3, 4])
def test_full_decks_against_the_deals_that_the_draws_make(hand, up, kept):
    hand, dealer = oracle.cards(hand), oracle.cards(up)
    mine, dead = hand[:kept], hand[kept:]
    live = [card for card in range(52) if card not in (*hand, *dealer)]
    assert net_of(core.stud_exchange(mine, dealer, dead, ACE_KING, NETS)) == net_by_deals(mine, dealer, dead, live)


@pytest.mark.parametrize("seed", [1, 2])
def test_five_new_cards_against_the_deals_that_the_draws_make(seed):
    cards = dealt(seed, 52)
    dealer, live, dead = cards[:1], cards[1:20], cards[20:]
    assert net_of(core.stud_exchange([], dealer, dead, ACE_KING, NETS)) == net_by_deals([], dealer, dead, live)


def test_the_suits_have_no_names():
    hand, up = oracle.cards("KsQsJs9s2d"), oracle.cards("As")
    counts = core.stud_exchange([], up, hand, ACE_KING, NETS)
    for suits in ((1, 2, 3, 0), (3, 2, 1, 0), (2, 3, 0, 1)):
        there, out = ([oracle.relabel(card, suits) for card in cards] for cards in (up, hand))
        assert core.stud_exchange([], there, out, ACE_KING, NETS) == counts


def test_with_nothing_known_an_exchange_is_the_whole_game(swept):
    """Keeping nothing and knowing nothing but the upcard, the new hand is a deal like any other: one rank of upcard."""
    deals, weights = core.STUD.canonical_deals(np.arange(core.STUD.deals))
    rank = 7
    here = deals[:, 5] // 4 == rank
    category = pycs.ranking.categories(core.rank_hands(deals[here, :5]))
    failed, won, _, lost = (column[here].astype(np.int64) for column in swept)
    call = failed + won * np.array(NETS[4:])[category] - 3 * lost
    total = int((weights[here].astype(np.int64) * np.maximum(call, -163185)).sum())
    assert 4 * net_of(core.stud_exchange([], [4 * rank], [], ACE_KING, NETS)) == total


@pytest.mark.parametrize(
    ("kept", "dealer", "dead"),
    [
        ([0, 1, 2, 3, 4], [5], []),
        ([], [], [0, 1, 2, 3, 4]),
        ([], [5, 6, 7, 8, 9, 10], []),
        ([], [5], [5]),
        ([], [5], [0, 0]),
        ([], [52], []),
        ([], [5], list(range(6, 52))),
        ([], [5], list(range(6, 52)) * 9),
        ([], [5], [-1]),
    ],
)
@pytest.mark.parametrize("plain", [False, True])
def test_exchanges_that_cannot_be_are_refused(kept, dealer, dead, plain):
    with pytest.raises(InputError):
        core.stud_exchange(kept, dealer, dead, ACE_KING, NETS, plain=plain)
    with pytest.raises(InputError):
        core.stud_exchange([], [5], [0, 1, 2, 3, 4], ACE_KING, NETS[1:], plain=plain)


# --- decide -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("hand", "up"), DEALS)
def test_three_box_offers_an_exchange(hand, up):
    decision = pycs.decide("three-box", hand, up)
    without = pycs.decide("three-box", hand, up, exchanges=0)
    assert {action: decision.values[action] for action in ("fold", "call")} == without.values
    assert decision.exchanges_left == 1
    assert (without.exchanges_left, without.exchange) == (0, None)
    pairs = comb(46, 5) * comb(41, 4)
    net = net_of(core.stud_exchange([], oracle.cards(up), oracle.cards(hand), ACE_KING, NETS))
    assert decision.values["exchange"] == Fraction(net, pairs) - 1
    assert decision.action == max(decision.values, key=decision.values.get)
    assert (decision.exchange.gives_up, decision.exchange.fee) == (hand, 1)
    assert decision.exchange.at_least == decision.exchange.value
    assert sum(decision.exchange.new_hands.values()) == comb(46, 5)
    plain = decision.to_dict()
    assert plain["exact"]["exchange"] == plain["exchange"]["exact"] == str(decision.values["exchange"])


def test_a_hopeless_hand_exchanges_and_a_good_one_does_not():
    assert pycs.decide("three-box", "9c7d4h3s2c", "2d").action == "exchange"
    assert pycs.decide("three-box", "9c7d4h3s2c", "2d", exchanges=0).action == "fold"
    assert pycs.decide("three-box", "QsQh9d6c2h", "Ad").action == "call"


def test_two_pair_or_better_never_exchanges():
    for hand in ("2s2h3d3c4s", "2s2h2d3c4s", "6c5d4h3s2c", "7s5s4s3s2s"):
        for up in ("As", "7d", "Kc"):
            values = pycs.decide("three-box", hand, up).values
            assert values["exchange"] < values["call"]


def test_known_cards_are_dead_for_the_new_hand_too():
    hand, up, dead = "9c7d4h3s2c", "2d", "AsAhAdAcKsKhKdKc"
    decision = pycs.decide("three-box", hand, up, known=dead, dealer="2h")
    counts = core.stud_exchange([], oracle.cards("2d2h"), oracle.cards(hand + dead), ACE_KING, NETS)
    assert decision.values["exchange"] == Fraction(net_of(counts), sum(map(sum, counts))) - 1
    assert decision.known == dead


def test_the_cards_to_give_up_are_named():
    decision = pycs.decide("oasis", "KsQsJs9s2d", "8h")
    hand, up = oracle.cards("KsQsJs9s2d"), oracle.cards("8h")
    live = [card for card in range(52) if card not in (*hand, *up)]
    assert (decision.exchange.gives_up, decision.exchange.fee) == ("2d", 1)
    assert decision.values["exchange"] == Fraction(net_by_deals(hand[:4], up, hand[4:], live), 46 * comb(45, 4)) - 1
    assert pycs.decide("oasis", "AsAhAdAc2s", "3d").action == "call"


@pytest.mark.parametrize(
    ("profile", "exchanges", "words"),
    [
        ("us", 1, "exchanges left 1: us allows 0"),
        ("casino-holdem", 1, "exchanges left 1: casino-holdem allows 0"),
        ("three-box", 2, "exchanges left 2: three-box allows 0 or 1"),
        ("triple-exchange", 4, "exchanges left 4: triple-exchange allows 0 to 3"),
        ("three-box", -1, "exchanges left -1"),
        ("three-box", True, "exchanges left True"),
        ("three-box", "1", "exchanges left '1'"),
    ],
)
def test_exchanges_that_are_not_left_are_refused(profile, exchanges, words):
    deal = ("QsQh", "Qd2c7h") if profile == "casino-holdem" else ("AsKhJd8c3s", "Qc")
    with pytest.raises(InputError) as error:
        pycs.decide(profile, *deal, exchanges=exchanges)
    assert words in str(error.value)


def test_triple_exchange_with_one_left():
    deal = ("9c7d4h3s2c", "2d")
    assert pycs.decide("triple-exchange", *deal, exchanges=1).values == pycs.decide("three-box", *deal).values


def test_too_few_cards_for_an_exchange():
    known = format_cards(card for card in range(52) if card not in oracle.cards("AsKhJd8c3sQc"))[: 2 * 38]
    assert pycs.decide("three-box", "AsKhJd8c3s", "Qc", known=known, exchanges=0).completions == comb(8, 4)
    with pytest.raises(InputError, match="8 cards are left, an exchange needs 9 with the dealer's"):
        pycs.decide("three-box", "AsKhJd8c3s", "Qc", known=known)


# --- two and three in a row -------------------------------------------------------------------------------------------


def test_with_two_left_each_draw_is_an_exchange_of_its_own():
    """Rows of the core's table against the last exchange of the same cards, and the value against all rows."""
    cards = dealt(5, 52)
    dealer, live, dead = cards[:2], sorted(cards[2:16]), cards[16:]
    stay, again = core.stud_exchange_again(dealer, dead, ACE_KING, NETS)
    draws = list(combinations(live, 5))
    completions, pairs = comb(9, 3), comb(9, 5) * comb(4, 3)
    for row in range(0, len(draws), 97):
        assert again[row] == net_of(core.stud_exchange([], dealer, [*dead, *draws[row]], ACE_KING, NETS))
        failed, won, _, lost = core.STUD.known([*draws[row], dealer[0]], dealer[1:], dead, ACE_KING)
        category = int(pycs.ranking.categories([core.rank_hands([draws[row]])[0]])[0])
        assert stay[row] == max(-completions, failed + won * NETS[4 + category] - 3 * lost)
    hand, known = dead[:5], dead[5:]
    decision = pycs.decide("triple-exchange", hand, dealer[0], dealer=dealer[1:], known=known, exchanges=2)
    best = [max(Fraction(int(s), completions), Fraction(int(a), pairs) - 1) for s, a in zip(stay, again, strict=True)]
    assert decision.values["exchange"] == sum(best, Fraction(0)) / len(best) - 1
    assert sum(decision.exchange.new_hands.values()) == len(draws)
    assert list(decision.exchange.new_hands) == ["fold", "call", "exchange"]


def test_a_full_state_with_two_left():
    """The suits have no names, and one exchange more is worth more."""
    hand, up, known = "9c7d4h3s2c", "2d", "AhKh"
    decision = pycs.decide("triple-exchange", hand, up, known=known, exchanges=2)
    assert decision.values["exchange"] > pycs.decide("three-box", hand, up, known=known).values["exchange"]
    there = [[oracle.relabel(card, (2, 3, 1, 0)) for card in oracle.cards(cards)] for cards in (hand, up, known)]
    assert pycs.decide("triple-exchange", *there[:2], known=there[2], exchanges=2).values == decision.values


@pytest.mark.parametrize(
    ("dealer", "dead", "nets"),
    [
        ([], [0], NETS),
        ([5], [5], NETS),
        ([5], [52], NETS),
        ([5], [0, 0], NETS),
        ([5], list(range(6, 44)), NETS),
        ([5], [0, 1, 2, 3, 4], NETS[1:]),
        ([5], [0, 1, 2, 3, 4], [*NETS[:-1], 10**9]),
    ],
)
def test_two_exchanges_that_cannot_be_are_refused(dealer, dead, nets):
    with pytest.raises(InputError, match="two exchanges against"):
        core.stud_exchange_again(dealer, dead, ACE_KING, nets)


def test_pays_too_large_for_two_exchanges():
    rules = load_rules("triple-exchange").to_dict() | {"name": "mine"}
    rules["pays"] = dict.fromkeys(rules["pays"], 1_000_000)
    rules["stakes"] = {"ante": 1, "call": 1000}
    large = rules_from_dict(rules)
    assert pycs.decide(large, *DEALS[0], exchanges=1).action in ("call", "exchange")
    for left in (2, 3):
        with pytest.raises(
            InputError, match=r"1,000,000,001 antes is too large .* one exchange left less than 52,235,413 is needed"
        ):
            pycs.decide(large, *DEALS[0], exchanges=left)


def few_left(live=19):
    """A state with so many cards left beside hand and upcard."""
    cards = dealt(11, 52)
    return {"hand": cards[:5], "up": cards[5], "known": cards[6 : 52 - live]}


def test_an_estimate_is_the_same_for_the_same_seed(monkeypatch):
    monkeypatch.setattr("pycs.exchange_estimates._MOST", 20)
    state = few_left()

    def estimate(seed):
        decision = pycs.decide("triple-exchange", state["hand"], state["up"], known=state["known"], seed=seed)
        return decision.estimates["exchange"]

    first = estimate(1)
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    assert estimate(1) == first
    other = estimate(2)
    assert other != first
    assert abs(other.value - first.value) < 5 * (other.standard_error**2 + first.standard_error**2) ** 0.5
    for seed in (-1, 2**64, 1.5, True, "1"):
        with pytest.raises(InputError, match="a whole number from 0 to 18446744073709551615 is allowed"):
            estimate(seed)


@long_test  # the oracle's small states are always tried
def test_a_full_state_with_three_left():
    decision = pycs.decide("triple-exchange", "9c7d4h3s2c", "2d")
    estimate, two = decision.estimates["exchange"], pycs.decide("triple-exchange", "9c7d4h3s2c", "2d", exchanges=2)
    assert set(decision.values) == {"fold", "call"}
    assert (decision.action, decision.exchanges_left) == ("exchange", 3)
    assert decision.exchange.at_least == two.values["exchange"]
    assert estimate.standard_error <= 0.0005
    low, high = estimate.interval()
    assert float(two.values["exchange"]) < low < -0.7563 < high  # what other seeds say
    plain = decision.to_dict()
    assert (plain["margin"], plain["margin_exact"]) == (None, None)
    assert set(plain["exact"]) == set(plain["values"]) == {"fold", "call"}
    assert plain["estimates"]["exchange"] == plain["exchange"]["estimate"] == estimate.to_dict()
    assert plain["margin_estimate"]["standard_error"] == estimate.standard_error
    assert plain["exchange"]["exact"] is None
    text = display.decision(decision, load_rules("triple-exchange"))
    for part in (
        "an estimate, see below",
        "estimate of exchange: -0.75",
        "standard error",
        "proven: at least -0.782762",
    ):
        assert part in text


@pytest.mark.parametrize(
    ("value", "error", "at_least", "better"),
    [
        (-0.9, 0.0005, Fraction(-11, 10), True),
        (-1.1, 0.0005, Fraction(-12, 10), False),
        (-0.9995, 0.0005, Fraction(-11, 10), None),
        (-1.0019, 0.0005, Fraction(-11, 10), None),
        (-1.0021, 0.0005, Fraction(-11, 10), False),
        (-0.9995, 0.0005, Fraction(-999999, 1000000), True),  # proven, whatever the error
        (-1.0021, 0.0005, Fraction(-1), False),
    ],
)
def test_an_estimate_decides_only_when_it_is_clear(value, error, at_least, better):
    exchange = Exchange("AsKhJd8c3s", 1, Estimate(value, error, 20, 1), at_least, None)
    assert exchange.is_better_than(Fraction(-1)) is better


def test_undecided_is_said():
    rules = load_rules("triple-exchange")
    exchange = Exchange("AsKhJd8c3s", 1, Estimate(-0.9995, 0.0005, 20, 1), Fraction(-11, 10), None)
    plain = pycs.decide(rules, *DEALS[0], exchanges=0)
    offered = Offer(("fold", "call", "exchange"), 3, {5: 1})
    decision = on_offer(plain, rules, offered, plain.values, exchange)
    assert (decision.action, decision.margin, decision.indifferent) == ("undecided", None, False)
    assert decision.estimated_margin.value == pytest.approx(0.0005)
    text = display.decision(decision, rules)
    assert "undecided: the exchange is worth about 0.0005 antes more" in text
    assert "less than four of its standard errors of 0.0005" in text
    assert "-1.001500 to -0.997500" in text
