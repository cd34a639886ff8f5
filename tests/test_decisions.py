"""Single decisions: values, the best action, indifference, both roads, the bonus bet, bad input."""

import dataclasses
from decimal import Decimal
from fractions import Fraction
from functools import cache

import holdem_oracle
import numpy as np
import oracle
import pytest

import pycs
from pycs.cards import format_cards, parse_cards
from pycs.core import HOLDEM
from pycs.deals import parse_deal
from pycs.decisions import AnteCounts, judge
from pycs.errors import InputError
from pycs.games import CARIBBEAN_STUD, CASINO_HOLDEM
from pycs.rules import load_rules, rules_from_dict

STUD_PROFILES = ("us", "betmgm", "live", "three-box", "triple-exchange", "oasis")
ANTE_PAYS = dict(zip(holdem_oracle.LINES, (100, 20, 10, 3, 2, 1), strict=True))
BONUS_PAYS = dict(zip(holdem_oracle.BONUS_LINES, (100, 50, 40, 30, 20, 7), strict=True))
HOLDEM_COMPLETIONS = 1_070_190


def as_text(deal, hand=5):
    return format_cards(deal[:hand].tolist()), format_cards(deal[hand:].tolist())


def changed_holdem(pays=None, bonus_pays=None, **changes):
    """The shipped rules with some values changed: `call`, `qualifies`, `when_failed`, `requires_call`."""
    data = load_rules("casino-holdem").to_dict()
    data["pays"].update(pays or {})
    data["side_bets"]["aa_bonus"]["pays"].update(bonus_pays or {})
    for name, value in changes.items():
        section, key = {
            "call": (data["stakes"], "call"),
            "qualifies": (data["dealer"], "qualifies"),
            "when_failed": (data["dealer"], "ante_when_not_qualified"),
            "requires_call": (data["side_bets"]["aa_bonus"], "bonus_requires_call"),
        }[name]
        section[key] = value
    return rules_from_dict(data)


@cache
def counted(deal, lowest="pair of fours"):
    """How the completions of a deal, five card numbers, end: the oracle's count."""
    return holdem_oracle.count_outcomes(deal[:2], deal[2:], lowest)


def test_both_roads_decide_alike(random_deals, extreme_deals):
    for deal in [*random_deals[:150], *extreme_deals]:
        hand, upcard = as_text(deal)
        assert pycs.decide("us", hand, upcard) == pycs.decide("us", hand, upcard, exhaustive=True)


def test_both_roads_decide_casino_holdem_alike(holdem_random, holdem_extremes):
    for deal in [*holdem_random[:150], *holdem_extremes]:
        hand, flop = as_text(deal, 2)
        decision = pycs.decide("casino-holdem", hand, flop, bonus="1/7")
        assert decision == pycs.decide("casino-holdem", hand, flop, bonus="1/7", exhaustive=True)


@pytest.mark.parametrize("profile", STUD_PROFILES)
def test_the_value_is_the_mean_of_the_settled_rounds(profile, random_deals):
    rules = load_rules(profile)
    pays = {name: rules.pays.of(name) for name in oracle.CATEGORIES}
    for deal in random_deals[:8]:
        hand, upcard = deal[:5].tolist(), int(deal[5])
        decision = pycs.decide(profile, hand, upcard, exchanges=0)
        assert decision.values == {"fold": Fraction(-1), "call": oracle.call_value(pays, hand, upcard)}
        assert decision.action == max(decision.values, key=decision.values.get)
        assert decision.margin == abs(decision.values["call"] + 1)
        assert not decision.indifferent


def test_the_value_of_casino_holdem_is_the_mean_of_the_settled_rounds(holdem_random):
    for deal in holdem_random[:6].tolist():
        hole, flop = deal[:2], deal[2:]
        decision = pycs.decide("casino-holdem", hole, flop)
        assert decision.values == {"fold": Fraction(-1), "call": holdem_oracle.call_value(ANTE_PAYS, hole, flop)}
        assert decision.action == max(decision.values, key=decision.values.get)
        assert decision.margin == abs(decision.values["call"] + 1)
        assert not decision.indifferent


@pytest.mark.parametrize(
    ("hand", "flop", "action", "value"),
    [
        ("QsQh", "Qd2c7h", "call", "2.986914"),
        ("Js3h", "5d8cKh", "fold", "-1.081036"),
        ("8s9h", "AdAcAh", "call", "-0.213938"),
    ],
)
def test_published_deals_of_casino_holdem(hand, flop, action, value):
    decision = pycs.decide("casino-holdem", hand, flop)
    assert (decision.action, f"{float(decision.values['call']):.6f}") == (action, value)
    assert decision.values["fold"] == -1


def test_a_flop_that_qualifies_every_dealer():
    for flop in ("AdAcAh", "4d4cKh", "2d2c2h"):
        decision = pycs.decide("casino-holdem", "8s9h", flop)
        assert decision.outcomes.not_qualified == 0
    assert pycs.decide("casino-holdem", "8s9h", "3d3cKh").outcomes.not_qualified > 0


KEYS = {"any": (), "ace-king": (0, 12, 11), "pair-of-fours": (1, 2), "pair-of-aces": (1, 12)}
"""The oracle's lowest key that qualifies."""


@pytest.mark.parametrize("qualifies", KEYS)
@pytest.mark.parametrize("deal", ["Js3h5d8cKh", "TsJsQsKs2d"])
def test_variants_of_casino_holdem(deal, qualifies):
    """Other pays, other calls, even money when the dealer fails, and other qualifiers, each with all the others."""
    cards = oracle.cards(deal)
    for call in (1, 2, 3):
        for rich in (False, True):
            pays = {line: pay + 7 * rich * place for place, (line, pay) in enumerate(ANTE_PAYS.items())}
            for when_failed in ("by the table", "1 to 1"):
                rules = changed_holdem(
                    pays={line.replace(" ", "_"): pay for line, pay in pays.items()},
                    qualifies=qualifies,
                    call=call,
                    when_failed=when_failed,
                )
                decision = pycs.decide(rules, cards[:2], cards[2:])
                counts = counted(cards, KEYS[qualifies])
                expected = holdem_oracle.value_of_counts(pays, counts, call, when_failed == "1 to 1")
                assert decision.values == {"fold": Fraction(-1), "call": expected}
                assert decision.action == ("call" if expected > -1 else "fold")


def test_the_lines_of_the_ante_add_up(holdem_random, holdem_extremes):
    for deal in [*holdem_random[:200], *holdem_extremes]:
        decision = pycs.decide("casino-holdem", *as_text(deal, 2))
        lines = decision.ante_lines
        assert tuple(lines) == holdem_oracle.LINES
        assert sum(counts.not_qualified for counts in lines.values()) == decision.outcomes.not_qualified
        assert sum(counts.win for counts in lines.values()) == decision.outcomes.win
        assert sum(decision.outcomes) == decision.completions == HOLDEM_COMPLETIONS
        net = sum(
            counts.not_qualified * ANTE_PAYS[line] + counts.win * (ANTE_PAYS[line] + 2)
            for line, counts in lines.items()
        )
        assert decision.values["call"] * HOLDEM_COMPLETIONS == net - 3 * decision.outcomes.lose


@pytest.mark.parametrize("deal", ["AsKhQdJcTs", "QsQhQd2c7h", "9s8s7s6s2d"])
def test_the_lines_of_the_ante_are_those_of_the_oracle(deal):
    cards = oracle.cards(deal)
    decision, counts = pycs.decide("casino-holdem", cards[:2], cards[2:]), counted(cards)
    assert decision.ante_lines == {
        line: AnteCounts(counts["not_qualified"][line], counts["win"][line]) for line in holdem_oracle.LINES
    }
    assert decision.outcomes[2:] == (counts["push"], counts["lose"])


def test_the_category_is_that_of_the_first_five_cards(holdem_random, holdem_extremes):
    for deal in [*holdem_random[:100], *holdem_extremes]:
        category = oracle.category_name(oracle.hand_key(deal.tolist()))
        assert pycs.decide("casino-holdem", *as_text(deal, 2)).category == category


def test_equal_values_take_the_cheaper_action():
    """No deal of a shipped Caribbean Stud is worth exactly -1 called, so these counts are made up."""
    rules, deal = load_rules("us"), parse_deal(CARIBBEAN_STUD, "AsKhJd8c3s", "Qc")
    equal = judge(rules, deal, "high card", (81591, 0, 2, 81592))
    assert equal.values == {"fold": Fraction(-1), "call": Fraction(-1)}
    assert (equal.action, equal.indifferent, equal.margin) == ("fold", True, 0)
    better = judge(rules, deal, "high card", (81592, 0, 1, 81592))
    assert (better.action, better.indifferent, better.margin) == ("call", False, Fraction(1, 163185))
    worse = judge(rules, deal, "high card", (81592, 0, 0, 81593))
    assert (worse.action, worse.indifferent) == ("fold", False)


def test_made_up_counts_of_casino_holdem_are_judged_by_their_lines():
    rules, deal = load_rules("casino-holdem"), parse_deal(CASINO_HOLDEM, "QsQh", "Qd2c7h")
    counts = [2**place for place in range(14)]
    decision = judge(rules, deal, "pair", counts)
    assert tuple(decision.outcomes) == (2**6 - 1, 2**12 - 2**6, 2**12, 2**13)
    assert list(decision.ante_lines.values()) == [(2**place, 2 ** (place + 6)) for place in range(6)]
    nets = (100, 20, 10, 3, 2, 1, 102, 22, 12, 5, 4, 3, 0, -3)
    net = sum(count * net for count, net in zip(counts, nets, strict=True))
    assert decision.values["call"] == Fraction(net, 2**14 - 1)


def test_the_two_deals_of_casino_holdem_that_are_indifferent(holdem_swept):
    """Of 1,286,792 canonical deals two are worth exactly -1 when called; they stand for 36 raw deals."""
    nets = np.array([*ANTE_PAYS.values(), *(pay + 2 for pay in ANTE_PAYS.values()), 0, -3])
    called = sum(net * counts.astype(np.int64) for net, counts in zip(nets, holdem_swept, strict=True))
    equal = np.flatnonzero(called == -HOLDEM_COMPLETIONS)
    deals, weights = HOLDEM.canonical_deals(equal)
    assert sorted(weights.tolist()) == [12, 24]
    for deal in deals:
        cards = tuple(deal.tolist())
        assert holdem_oracle.value_of_counts(ANTE_PAYS, counted(cards)) == -1
        for exhaustive in (False, True):
            decision = pycs.decide("casino-holdem", cards[:2], cards[2:], exhaustive=exhaustive)
            assert decision.values == {"fold": Fraction(-1), "call": Fraction(-1)}
            assert (decision.action, decision.indifferent, decision.margin) == ("fold", True, 0)
        assert decision.to_dict()["indifferent"] is True
        # Neither first five cards are paid by the bonus, so a bonus bet leaves them indifferent.
        betting = pycs.decide("casino-holdem", cards[:2], cards[2:], bonus=3)
        assert betting.values == {"fold": Fraction(-4), "call": Fraction(-4)}
        assert (betting.action, betting.indifferent) == ("fold", True)


def test_a_user_can_play_numbers_texts_and_rules():
    expected = pycs.decide("us", "AsKhJd8c3s", "Qc")
    assert pycs.decide(load_rules("us"), (51, 46, 37, 24, 7), 40) == expected
    assert pycs.decide("us", ["A♠", "Kh", "jd", "8c", "3s"], "q♣") == expected


def test_a_user_can_play_casino_holdem_with_numbers_texts_and_rules():
    expected = pycs.decide("casino-holdem", "QsQh", "Qd2c7h", bonus="0.5")
    assert pycs.decide(load_rules("casino-holdem"), (43, 42), (41, 0, 22), bonus=Fraction(1, 2)) == expected
    assert pycs.decide("casino-holdem", ["Q♠", "qh"], ["Qd", 0, "7♥"], bonus=0.5) == expected
    assert pycs.decide("casino-holdem", " Qs,Qh ", "Qd 2c 7h", bonus="1/2") == expected
    assert pycs.decide("casino-holdem", "QsQh", "Qd2c7h", bonus="2/4") == expected
    assert (expected.upcard, expected.flop, expected.hand) == (None, "Qd2c7h", "QsQh")
    stud = pycs.decide("us", "AsKhJd8c3s", "Qc")
    assert (stud.upcard, stud.flop, stud.ante_lines, stud.bonus) == ("Qc", None, None, None)


def test_the_order_of_the_cards_and_the_suits_do_not_matter(holdem_random):
    for deal in holdem_random[:40].tolist():
        hole, flop = deal[:2], deal[2:]
        expected = pycs.decide("casino-holdem", hole, flop, bonus=1)
        relabeled = [[oracle.relabel(card, (2, 0, 3, 1)) for card in cards] for cards in (hole, flop)]
        for same in ((hole[::-1], flop[::-1]), (hole, [flop[1], flop[2], flop[0]]), relabeled):
            answer = pycs.decide("casino-holdem", *same, bonus=1)
            assert (answer.values, answer.outcomes, answer.ante_lines, answer.bonus, answer.category) == (
                expected.values,
                expected.outcomes,
                expected.ante_lines,
                expected.bonus,
                expected.category,
            )
            assert parse_cards(answer.hand + answer.flop) == (*same[0], *same[1])


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
    assert not {"flop", "ante_lines", "bonus"} & plain.keys()


def test_a_decision_of_casino_holdem_is_frozen_and_plain_as_json():
    decision = pycs.decide("casino-holdem", "Qs Qh", "Qd 2c 7h", bonus="0.1")
    with pytest.raises(dataclasses.FrozenInstanceError):
        decision.bonus.stake = 2
    assert hash(decision) == hash(pycs.decide("casino-holdem", "QsQh", "Qd2c7h", bonus="1/10"))
    plain = decision.to_dict()
    counts = counted(oracle.cards("QsQhQd2c7h"))
    assert (plain["hand"], plain["flop"], plain["category"]) == ("QsQh", "Qd2c7h", "three of a kind")
    assert "upcard" not in plain
    assert plain["outcomes"] == {
        "not_qualified": sum(counts["not_qualified"].values()),
        "win": sum(counts["win"].values()),
        "push": counts["push"],
        "lose": counts["lose"],
    }
    assert plain["ante_lines"] == {
        line: {"not_qualified": counts["not_qualified"][line], "win": counts["win"][line]}
        for line in holdem_oracle.LINES
    }
    assert plain["bonus"] == {
        "bet": 0.1,
        "bet_exact": "1/10",
        "line": "aces to straight",
        "pays": 7,
        "bonus_requires_call": True,
        "net": {"fold": "-1/10", "call": "7/10"},
    }
    assert Fraction(plain["exact"]["call"]) == Fraction(3196566, HOLDEM_COMPLETIONS) + Fraction(7, 10)
    assert plain["exact"]["fold"] == "-11/10"
    assert pycs.decide("casino-holdem", "QsQh", "Qd2c7h").to_dict()["bonus"] is None


# --- the bonus bet ----------------------------------------------------------------------------------------------------

BONUS_DEALS = [
    ("AsKs", "QsJsTs", "royal flush"),
    ("9s8s", "7s6s5s", "straight flush"),
    ("As2s", "5s4s3s", "straight flush"),
    ("AsAh", "AdAc2s", "four of a kind"),
    ("KsKh", "KdAsAh", "full house"),
    ("3h2h", "9h5h7h", "flush"),
    ("9s8h", "7d6c5s", "aces to straight"),
    ("As2h", "5d4c3h", "aces to straight"),
    ("2s2h", "2d9cKs", "aces to straight"),
    ("3s3h", "2d2cKs", "aces to straight"),
    ("AsKd", "Ah7c2s", "aces to straight"),
    ("2s3d", "AsAhKs", "aces to straight"),  # folded, but for the bonus
    ("2c4d", "AsAhQs", "aces to straight"),
    ("KsKh", "QdJc7h", None),
    ("Js3h", "5d8cKh", None),
    ("AsKh", "QdJc9h", None),
]


@pytest.mark.parametrize("requires_call", [True, False], ids=["requires a call", "paid anyway"])
@pytest.mark.parametrize(("hand", "flop", "line"), BONUS_DEALS)
def test_a_bonus_bet_comes_on_top(hand, flop, line, requires_call):
    rules = changed_holdem(requires_call=requires_call)
    alone = pycs.decide(rules, hand, flop)
    assert holdem_oracle.bonus_line(oracle.cards(hand), oracle.cards(flop)) == line
    for text in ("0.1", "1/3", "1", "5", "1000000"):
        bet = Fraction(text)
        both = pycs.decide(rules, hand, flop, bonus=text)
        expected = holdem_oracle.values_with_bonus(alone.values["call"], line, BONUS_PAYS, bet, requires_call)
        assert both.values == expected
        assert both.action == ("call" if expected["call"] > expected["fold"] else "fold")
        assert (both.bonus.stake, both.bonus.line, both.bonus.requires_call) == (bet, line, requires_call)
        assert both.bonus.pay == (0 if line is None else BONUS_PAYS[line])
        for action in ("fold", "call"):
            net = bet * holdem_oracle.settle_bonus(BONUS_PAYS, line, action, requires_call)
            assert getattr(both.bonus, f"net_{action}") == net
        assert (both.outcomes, both.ante_lines) == (alone.outcomes, alone.ante_lines)
        if line is None or not requires_call:
            assert (both.action, both.margin) == (alone.action, alone.margin)


def test_with_a_bonus_bet_a_deal_is_called_that_is_folded_without():
    hand, flop = "2s3d", "AsAhKs"
    assert pycs.decide("casino-holdem", hand, flop).action == "fold"
    call = holdem_oracle.value_of_counts(ANTE_PAYS, counted(oracle.cards(hand + flop)))
    enough = (-1 - call) / 8  # a bet of one wins 7 with a call and is lost with a fold
    assert 0 < enough < 1
    at = judge_with_bonus(hand, flop, enough)
    assert (at.action, at.indifferent) == ("fold", True)
    assert judge_with_bonus(hand, flop, enough + Fraction(1, 10**9)).action == "call"
    assert judge_with_bonus(hand, flop, enough - Fraction(1, 10**9)).action == "fold"
    anyway = changed_holdem(requires_call=False)
    assert pycs.decide(anyway, hand, flop, bonus=1_000_000).action == "fold"


def judge_with_bonus(hand, flop, stake):
    """A bet of any size, also of one that no text spells."""
    alone = pycs.decide("casino-holdem", hand, flop)
    bet = dataclasses.replace(pycs.decide("casino-holdem", hand, flop, bonus=1).bonus, stake=stake)
    lines = alone.ante_lines.values()
    counts = [*(each.not_qualified for each in lines), *(each.win for each in lines), *alone.outcomes[2:]]
    rules = load_rules("casino-holdem")
    return judge(rules, parse_deal(CASINO_HOLDEM, hand, flop), alone.category, counts, bet)


def test_another_bonus_table():
    rules = changed_holdem(bonus_pays={"royal_flush": 500, "aces_to_straight": 0})
    royal = pycs.decide(rules, "AsKs", "QsJsTs", bonus="0.5")
    assert royal.values["call"] - pycs.decide(rules, "AsKs", "QsJsTs").values["call"] == 250
    aces = pycs.decide(rules, "AsKd", "Ah7c2s", bonus="0.5")
    assert (aces.bonus.line, aces.bonus.pay, aces.bonus.net_call) == ("aces to straight", 0, 0)  # the stake comes back
    assert aces.values["call"] == pycs.decide(rules, "AsKd", "Ah7c2s").values["call"]
    assert aces.values["fold"] == Fraction(-3, 2)


@pytest.mark.parametrize("nothing", [0, "0", "0.0", "0/1", 0.0, Fraction(0)])
@pytest.mark.parametrize(("profile", "deal"), [("us", ("AsKhJd8c3s", "Qc")), ("casino-holdem", ("QsQh", "Qd2c7h"))])
def test_no_bonus_bet_is_always_allowed(profile, deal, nothing):
    decision = pycs.decide(profile, *deal, bonus=nothing)
    assert decision == pycs.decide(profile, *deal)
    assert decision.bonus is None


BAD_BETS = [
    *("-1", "x", "1e3", "nan", "inf", "0.1234567891", "1/0", "", " 1", "1 ", "+1", ".5", "1.", "0,5", "1//2", "1/2/3"),
    *("½", "١", "1_000", "2000000", "1000000.5", "9" * 5000, "1\n", "\x1b[31m", True, False, None, -1, -0.5, 2e6),
    *(float("nan"), float("inf"), 10**30, 1_000_001, Fraction(-1, 2), [1], b"1", 1j),
]


@pytest.mark.parametrize("bet", BAD_BETS, ids=lambda bet: ascii(bet)[:20])
@pytest.mark.parametrize("profile", ["us", "casino-holdem"])
def test_a_bonus_bet_that_cannot_be_is_refused(profile, bet):
    deal = ("QsQh", "Qd2c7h") if profile == "casino-holdem" else ("AsKhJd8c3s", "Qc")
    with pytest.raises(InputError) as error:
        pycs.decide(profile, *deal, bonus=bet)
    message = str(error.value)
    assert message.startswith("the bonus bet ")
    allowed = '0 to 1000000 antes are allowed, of at most nine digits, as "2", "0.5" or "1/2"'
    assert (allowed if profile == "casino-holdem" else "us has no AA Bonus, so only 0 is allowed") in message
    assert message.isprintable()
    assert len(message) < 250
    if profile == "casino-holdem":
        with pytest.raises(InputError) as error:
            pycs.report(profile, bets={"aa-bonus": bet})
        assert str(error.value) == message.replace("the bonus bet", "the bet on aa-bonus")


@pytest.mark.parametrize("bet", [1, "0.5", Fraction(1, 3), "1000000"])
def test_a_bonus_bet_where_there_is_no_bonus_is_refused(bet):
    bare = load_rules("casino-holdem").to_dict()
    del bare["side_bets"]
    for rules, deal in ((load_rules("us"), ("AsKhJd8c3s", "Qc")), (rules_from_dict(bare), ("QsQh", "Qd2c7h"))):
        words = rf"^the bonus bet .*: {rules.name} has no AA Bonus, so only 0 is allowed"
        with pytest.raises(InputError, match=words):
            pycs.decide(rules, *deal, bonus=bet)
        with pytest.raises(InputError, match=f"^the bet 'aa-bonus': {rules.name} offers no side bet"):
            pycs.report(rules, bets={"aa-bonus": bet})


# --- what cannot be dealt ---------------------------------------------------------------------------------------------


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


@pytest.mark.parametrize(
    ("hand", "flop", "words"),
    [
        ("QsQh", "Qs2c7h", "Qs of the flop is also in the hand"),
        ("QsQh", "2c7hQh", "Qh of the flop is also in the hand"),
        ("QsQh", "Qd2c", "the flop 'Qd2c': 2 cards came, 3 are needed"),
        ("QsQh", "Qd2c7h8h", "the flop 'Qd2c7h8h': 4 cards came, 3 are needed"),
        ("QsQh", "", "the flop '': 0 cards came, 3 are needed"),
        ("QsQh", 41, "1 card came, 3 are needed"),
        ("QsQh", "Qd2cQd", "Qd is there twice"),
        ("QsQs", "Qd2c7h", "Qs is there twice"),
        ("Qs", "Qd2c7h", "the hand 'Qs': 1 card came, 2 are needed"),
        ("QsQh9c", "Qd2c7h", "3 cards came, 2 are needed"),
        ("QsQhQd2c7h8h9h", "Qd2c7h", "7 cards came, 2 are needed"),
        ("QsQh", "Qd2c7h8h9hQsQh", "7 cards came, 3 are needed"),
        ("AsKhJd8c3s", "Qc", "5 cards came, 2 are needed"),
        ("", "", "0 cards came, 2 are needed"),
        ("QsQx", "Qd2c7h", "no such suit"),
        ("QsQh", "Qd2c1h", "no such rank"),
        ((43, 52), "Qd2c7h", "0..51"),
        ("QsQh", (41, 0, -1), "0..51"),
        (None, "Qd2c7h", "None"),
        ("QsQh", None, "None"),
        ("QsQh", b"Qd2c7h", "cards are text"),
    ],
)
@pytest.mark.parametrize("exhaustive", [False, True])
def test_what_cannot_be_dealt_in_casino_holdem_is_refused(hand, flop, words, exhaustive):
    with pytest.raises(InputError) as error:
        pycs.decide("casino-holdem", hand, flop, exhaustive=exhaustive)
    assert words in str(error.value)
    assert str(error.value).isprintable()


def test_an_upcard_is_no_flop_and_a_flop_no_upcard():
    with pytest.raises(InputError, match="the upcard 'Qd2c7h': 3 cards came, 1 is needed"):
        pycs.decide("us", "AsKhJd8c3s", "Qd2c7h")
    with pytest.raises(InputError, match="the flop 'Qd': 1 card came, 3 are needed"):
        pycs.decide("casino-holdem", "QsQh", "Qd")


def test_cards_in_arrays_are_numbers_too():
    cards = np.array(parse_cards("QsQhQd2c7h"))
    assert pycs.decide("casino-holdem", cards[:2], cards[2:]) == pycs.decide("casino-holdem", "QsQh", "Qd2c7h")
    cards = np.array(parse_cards("AsKhJd8c3sQc"), np.uint8)
    expected = pycs.decide("us", "AsKhJd8c3s", "Qc")
    assert pycs.decide("us", cards[:5], cards[5:]) == pycs.decide("us", cards[:5], cards[5]) == expected


def test_cards_in_another_alphabet():
    spoken = pycs.decide("casino-holdem", "Дп Дч", "Дб 2т 7ч", alphabet="russian")
    assert spoken == pycs.decide("casino-holdem", "QsQh", "Qd2c7h")


def test_a_bonus_bet_may_be_a_decimal():
    deal = ("casino-holdem", "QsQh", "Qd2c7h")
    assert pycs.decide(*deal, bonus=Decimal("0.1")) == pycs.decide(*deal, bonus=Fraction(1, 10))
