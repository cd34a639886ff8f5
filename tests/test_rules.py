"""The rule profiles: what the shipped ones say, what a user's file may say, and how each fault is reported."""

import copy
import hashlib
import itertools
import json
import os
import re
import subprocess
import sys
import tomllib
from collections import Counter
from fractions import Fraction
from pathlib import Path

import holdem_oracle
import msgspec
import oracle
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pycs.errors import InputError
from pycs.game_rules import LOWEST_QUALIFYING
from pycs.holdem_rules import AA_BONUS_LINES, ANTE_LINES, ante_line
from pycs.rules import load_rules, profile_names, rules_from_dict
from pycs.sections import CATEGORIES, JACKPOT_TABLES, MAX_CALL, MAX_PAY

SEEDS = Path(__file__).resolve().parent.parent / "seeds"
RANKS = "23456789TJQKA"
PAIRS = (
    "twos",
    "threes",
    "fours",
    "fives",
    "sixes",
    "sevens",
    "eights",
    "nines",
    "tens",
    "jacks",
    "queens",
    "kings",
    "aces",
)

PROFILES = ("us", "betmgm", "live", "three-box", "triple-exchange", "oasis", "casino-holdem")
PAYS = {  # Stud: royal / straight flush / quads / full house / flush / straight / trips / two pair / pair or less
    "us": (100, 50, 20, 7, 5, 4, 3, 2, 1),
    "betmgm": (100, 50, 25, 10, 7, 5, 3, 2, 1),
    "live": (100, 50, 25, 10, 7, 5, 3, 2, 1),
    "three-box": (100, 50, 20, 7, 5, 4, 3, 2, 1),
    "triple-exchange": (100, 50, 20, 7, 5, 4, 3, 2, 1),
    "oasis": (100, 50, 20, 7, 5, 4, 3, 2, 1),
}
SOURCES = {
    "us": "the widely published base game",
    "betmgm": "000_1ecb7cdc781854ab.txt",
    "live": "002_8df76463efd22179.txt",
    "three-box": "001_2aed7a3632d7e1f7.txt",
    "triple-exchange": "003_a73d2b53e315ed26.txt",
    "oasis": "published rules of Oasis Poker",
}
ANTE_PAYS = (100, 20, 10, 3, 2, 1)  # Casino Hold'em: royal / straight flush / quads / full / flush / straight or less
BONUS_PAYS = (100, 50, 40, 30, 20, 7)  # the AA Bonus: the same, down to a pair of aces


def plain(name="us"):
    return load_rules(name).to_dict()


def put(data, key, value):
    """The same data with one dotted key set."""
    data = copy.deepcopy(data)
    *way, last = key.split(".")
    place = data
    for step in way:
        place = place.setdefault(step, {})
    place[last] = value
    return data


def drop(data, key):
    data = copy.deepcopy(data)
    *way, last = key.split(".")
    place = data
    for step in way:
        place = place[step]
    del place[last]
    return data


def refusal(call, *arguments):
    """The one line with which a call refuses its input."""
    with pytest.raises(InputError) as caught:
        call(*arguments)
    message = str(caught.value)
    assert message.isprintable()
    assert message
    return message


# --- the shipped profiles ---------------------------------------------------------------------------------------------


def test_the_names_in_order():
    assert profile_names() == PROFILES


@pytest.mark.parametrize("name", PAYS)
def test_a_shipped_profile_says_what_the_game_is(name):
    rules = load_rules(name)
    assert (rules.name, rules.game, rules.source.document) == (name, "caribbean-stud", SOURCES[name])
    assert (rules.stakes.ante, rules.stakes.call, rules.dealer.qualifies) == (1, 2, "ace-king")
    assert tuple(rules.pays.of(category) for category in CATEGORIES) == (*PAYS[name], PAYS[name][-1])
    assert (rules.net_fold, rules.net_lose, rules.net_not_qualified, rules.net_push) == (-1, -3, 1, 0)
    assert [rules.net_win(category) for category in CATEGORIES[:9]] == [1 + 2 * pay for pay in PAYS[name]]
    assert rules.notes


def test_casino_holdem_says_what_its_document_says():
    rules = load_rules("casino-holdem")
    assert (rules.name, rules.game) == ("casino-holdem", "casino-holdem")
    assert rules.source.document == "004_afc6dc60a904cea4.txt"
    assert (rules.stakes.ante, rules.stakes.call) == (1, 2)
    assert (rules.dealer.qualifies, rules.dealer.ante_when_not_qualified) == ("pair-of-fours", "by the table")
    assert tuple(rules.pays.of(line) for line in ANTE_LINES) == ANTE_PAYS
    assert rules.aa_bonus is rules.side_bets.aa_bonus
    assert rules.aa_bonus.bonus_requires_call is True
    assert tuple(rules.aa_bonus.pays.of(line) for line in AA_BONUS_LINES) == BONUS_PAYS
    assert [note.unclear for note in rules.notes if "fold" in note.settled]  # how the bonus ends after one is told
    assert not any(hasattr(rules, part) for part in ("exchange", "boxes", "shared_hand", "limits", "session"))


def test_the_nets_of_casino_holdem():
    """The table pays the ante, whether or not the dealer qualifies; the call 1 to 1, and only if he does."""
    rules = load_rules("casino-holdem")
    assert (rules.net_fold, rules.net_lose, rules.net_push) == (-1, -3, 0)
    assert [rules.net_not_qualified(line) for line in ANTE_LINES] == list(ANTE_PAYS)
    assert [rules.net_win(line) for line in ANTE_LINES] == [pay + 2 for pay in ANTE_PAYS]
    nets = (*ANTE_PAYS, *(pay + 2 for pay in ANTE_PAYS), 0, -3)
    assert {rules.nets(category) for category in CATEGORIES} == {nets}  # the first five cards decide nothing
    kinds = [outcome.partition("_")[0] for outcome in rules.outcomes]
    assert kinds == ["not"] * 6 + ["win"] * 6 + ["push", "lose"]
    for outcome, line in zip(rules.outcomes, ANTE_LINES * 2, strict=False):
        assert outcome.endswith(f"_{line.replace(' ', '_')}")


@pytest.mark.parametrize(
    "hand",
    [
        *("AsKsQsJsTs", "KsQsJsTs9s", "5s4s3s2sAs", "AsAhAdAc2s", "3s3d3h2c2s", "7s5s4s3s2s"),
        *("AsKhQdJcTs", "5c4d3h2sAs", "AsAhAdKcQs", "AsAhKdKcQs", "AsAhKdQcJs", "AsKhQdJc9s", "7c5d4h3s2c"),
    ],
)
def test_the_line_and_the_nets_of_a_final_hand(hand):
    key = oracle.hand_key(oracle.cards(hand))
    category, line = oracle.category_name(key), holdem_oracle.ante_line(key)
    rules, pay = load_rules("casino-holdem"), dict(zip(ANTE_LINES, ANTE_PAYS, strict=True))[line]
    assert ante_line(category) == line
    nets = {"fold": -1, "not_qualified": pay, "win": pay + 2, "push": 0, "lose": -3}
    assert {outcome: rules.net_of(outcome, category) for outcome in nets} == nets


def test_the_ante_may_win_even_money_when_the_dealer_fails():
    rules = rules_from_dict(put(plain("casino-holdem"), "dealer.ante_when_not_qualified", "1 to 1"))
    assert rules.nets("pair") == (1,) * 6 + tuple(pay + 2 for pay in ANTE_PAYS) + (0, -3)
    assert [rules.net_of("not_qualified", category) for category in CATEGORIES] == [1] * 10


def test_a_call_of_another_size_wins_and_loses_as_much():
    rules = rules_from_dict(put(plain("casino-holdem"), "stakes.call", 3))
    assert rules.nets("pair") == (*ANTE_PAYS, *(pay + 3 for pay in ANTE_PAYS), 0, -4)


def test_what_a_report_calls_the_outcomes():
    holdem, us = load_rules("casino-holdem"), load_rules("us")
    assert [holdem.event(outcome, "pair") for outcome in holdem.outcomes] == [
        *(f"dealer does not qualify, {line}" for line in ANTE_LINES),
        *ANTE_LINES,
        "push",
        "dealer wins",
    ]
    assert [us.event(outcome, "high card") for outcome in us.outcomes] == [
        "dealer does not qualify",
        "pair or less",
        "push",
        "dealer wins",
    ]


def test_worked_figures():
    """Ante 10, call 20: a full house wins 150, a royal flush 2010; a pair of queens wins 3 antes."""
    rules = load_rules("us")
    assert (10 * rules.net_win("full house"), 10 * rules.net_win("royal flush"), rules.net_win("pair")) == (
        150,
        2010,
        3,
    )


def test_what_only_some_profiles_have():
    extras = ("exchange", "boxes", "shared_hand", "limits", "session", "side_bets")
    held = {name: {extra for extra in extras if getattr(load_rules(name), extra) is not None} for name in PAYS}
    assert held == {
        "us": set(),
        "betmgm": {"session"},
        "live": {"shared_hand", "side_bets"},
        "three-box": {"boxes", "exchange", "limits"},
        "triple-exchange": {"exchange", "limits"},
        "oasis": {"exchange"},
    }


def test_exchanges_boxes_limits_and_session():
    three, triple, session = load_rules("three-box"), load_rules("triple-exchange"), load_rules("betmgm").session
    assert (three.exchange.in_a_row, three.exchange.fees.by_size(), three.exchange.boxes) == (1, {5: 1}, (1, 2))
    assert (three.boxes.fewest, three.boxes.most, three.boxes.blind) == (1, 3, (3,))
    assert (three.limits.exchange_leaves_call, three.limits.fold_when_short) == (True, True)
    assert three.limits.exchange_leaves_later_calls
    assert (triple.exchange.in_a_row, triple.exchange.fees.by_size(), triple.exchange.boxes) == (3, {5: 1}, None)
    assert (triple.limits.ante_least, triple.limits.ante_most, triple.limits.exchange_leaves_call) == (1, 300, True)
    oasis = load_rules("oasis").exchange
    assert (oasis.in_a_row, oasis.fees.by_size(), oasis.boxes) == (1, {size: size for size in range(1, 6)}, None)
    assert (session.rounds, session.draw) == (20, 0)
    assert load_rules("live").shared_hand.players == "any"


def test_the_five_plus_one_bonus_returns_what_is_published():
    """91.44%, from the categories of the best five of all 20,358,520 six-card hands."""
    bonus = load_rules("live").side_bets.five_plus_one
    hands = (188, 1656, 14664, 165984, 205792, 361620, 732160)
    pays = msgspec.structs.astuple(bonus.pays)
    assert (pays, bonus.requires_call) == ((1000, 200, 100, 20, 15, 10, 7), False)
    returned = Fraction(sum(count * (pay + 1) for count, pay in zip(hands, pays, strict=True)), 20358520)
    assert round(float(returned) * 100, 2) == 91.44


def test_the_jackpot_tables():
    assert {name: [table.of(category) for category in CATEGORIES] for name, table in JACKPOT_TABLES.items()} == {
        "50/75/100": [1, Fraction(1, 10), 100, 75, 50, 0, 0, 0, 0, 0],
        "75/100/500": [1, Fraction(1, 10), 500, 100, 75, 0, 0, 0, 0, 0],
        "100/150/250": [1, Fraction(1, 10), 250, 150, 100, 0, 0, 0, 0, 0],
        "100/250/500": [1, Fraction(1, 10), 500, 250, 100, 0, 0, 0, 0, 0],
    }
    assert load_rules("live").side_bets.jackpot.table in JACKPOT_TABLES


def test_jackpot_prizes_are_for_one():
    """The published break-even meter of 50/75/100 is 263,205 for 1 staked: the prize is all that comes back."""
    hands = dict(zip(CATEGORIES, (4, 36, 624, 3744, 5108, 10200, 54912, 123552, 1098240, 1302540), strict=True))
    prizes = {category: JACKPOT_TABLES["50/75/100"].of(category) for category in CATEGORIES}
    fixed = sum(hands[category] * prize for category, prize in prizes.items() if isinstance(prize, int))
    share = sum(hands[category] * prize for category, prize in prizes.items() if isinstance(prize, Fraction))
    assert round((sum(hands.values()) - fixed) / share) == 263205


def test_every_seed_file_has_its_profiles_name_and_a_heading():
    for path in SEEDS.glob("*.toml"):
        assert path.read_text(encoding="utf-8").startswith("# ")
        assert load_rules(path).name == path.stem


# --- what qualifies ---------------------------------------------------------------------------------------------------


def unsuited_strength(ranks):
    """The order of five cards of no common suit, from their ranks 2..14: category first, then the ranks that count."""
    groups = sorted(((count, rank) for rank, count in Counter(ranks).items()), reverse=True)
    shape, order = [count for count, _ in groups], [rank for _, rank in groups]
    if len(order) == 5 and (order[0] - order[4] == 4 or order == [14, 5, 4, 3, 2]):
        return (4, [5 if order[0] == 14 and order[1] == 5 else order[0]])
    category = {(1,): 0, (2, 1, 1): 1, (2, 2): 2, (3, 1): 3, (3, 2): 5, (4, 1): 6}
    return (next(value for head, value in category.items() if tuple(shape[: len(head)]) == head), order)


def all_unsuited():
    for ranks in itertools.combinations_with_replacement(range(2, 15), 5):
        if max(Counter(ranks).values()) < 5:
            yield ranks


def lowest(test):
    return min((ranks for ranks in all_unsuited() if test(*unsuited_strength(ranks))), key=unsuited_strength)


def test_the_lowest_qualifying_hands_from_first_principles():
    expected = {
        "any": None,
        "ace-high": lowest(lambda category, order: category == 0 and order[0] == 14),
        "ace-king": lowest(lambda category, order: category == 0 and order[:2] == [14, 13]),
    }
    for rank, pair in enumerate(PAIRS, 2):
        expected[f"pair-of-{pair}"] = lowest(lambda category, order, rank=rank: category == 1 and order[0] == rank)
    assert list(LOWEST_QUALIFYING) == list(expected)
    for name, text in LOWEST_QUALIFYING.items():
        if text is None:
            assert name == "any"
            continue
        cards = re.findall(f"[{RANKS}][cdhs]", text)
        assert "".join(cards) == text
        assert len(set(cards)) == 5
        assert len({card[1] for card in cards}) > 1
        assert sorted(RANKS.index(card[0]) + 2 for card in cards) == sorted(expected[name])


def test_the_lowest_qualifying_hands_ascend():
    def strength(text):
        return unsuited_strength([RANKS.index(rank) + 2 for rank in text[::2]])

    strengths = [strength(text) for text in LOWEST_QUALIFYING.values() if text]
    assert strengths == sorted(strengths)


@pytest.mark.parametrize("name", LOWEST_QUALIFYING)
@pytest.mark.parametrize("profile", ["us", "casino-holdem"])
def test_every_named_qualifier_loads(profile, name):
    assert rules_from_dict(put(plain(profile), "dealer.qualifies", name)).dealer.qualifies == name


def test_the_qualifiers_cannot_be_changed():
    with pytest.raises(TypeError):
        LOWEST_QUALIFYING["any"] = "x"


# --- names and paths --------------------------------------------------------------------------------------------------


def test_a_path_is_taken_wherever_a_name_is(tmp_path, monkeypatch):
    copied = tmp_path / "mine.toml"
    copied.write_bytes((SEEDS / "live.toml").read_bytes())
    bare = tmp_path / "us"
    bare.write_bytes(copied.read_bytes())
    monkeypatch.chdir(tmp_path)
    live = load_rules("live")
    assert load_rules(copied) == load_rules(str(copied)) == load_rules("mine.toml") == live
    assert load_rules(f".{os.sep}us") == load_rules(Path("us")) == live
    assert load_rules("us").name == "us"
    assert load_rules(live) == live


def test_a_file_saved_with_a_byte_order_mark_and_crlf_loads(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xef\xbb\xbf" + (SEEDS / "us.toml").read_bytes().replace(b"\n", b"\r\n"))
    assert load_rules(path) == load_rules("us")


def test_a_file_may_not_give_a_shipped_name_to_rules_of_its_own(tmp_path):
    path = tmp_path / "us.toml"
    path.write_text((SEEDS / "us.toml").read_text())
    assert load_rules(path) == load_rules("us")
    path.write_text((SEEDS / "us.toml").read_text().replace("\nflush = 5", "\nflush = 6"))
    assert "name: must not be 'us', a shipped profile with other rules than these" in refusal(load_rules, path)
    path.write_text((SEEDS / "casino-holdem.toml").read_text().replace('name = "casino-holdem"', 'name = "us"'))
    assert "name: must not be 'us', a shipped profile with other rules than these" in refusal(load_rules, path)


@pytest.mark.parametrize("profile", [3, None, 1.5, ["us"]])
def test_what_is_no_profile_at_all_is_refused(profile):
    assert "a name, a TOML file's path or rules are allowed" in refusal(load_rules, profile)


def test_rules_say_what_pycs_does_not_count_of_them():
    assert {name: load_rules(name).not_counted for name in PROFILES} == {
        "us": (),
        "betmgm": ("the session's result",),
        "live": ("the 5+1 Bonus", "the Jackpot"),
        "three-box": ("the exchange", "further boxes", "limits of money"),
        "triple-exchange": ("the exchange", "limits of money"),
        "oasis": ("the exchange",),
        "casino-holdem": (),
    }


def test_an_unknown_name_gets_the_names_and_the_nearest():
    assert refusal(load_rules, "betmgn") == (
        "no profile is called 'betmgn' (did you mean betmgm?): "
        "give one of us, betmgm, live, three-box, triple-exchange, oasis, casino-holdem, or the path of a .toml file"
    )


@pytest.mark.parametrize("name", ["", "US", "a\nb", "\x1b[31m", "x" * 5000, "\ud800", "us\0"])
def test_odd_names_are_refused_in_one_short_line(name):
    assert len(refusal(load_rules, name)) < 300


def test_files_that_cannot_be_read(tmp_path):
    folder = tmp_path / "folder.toml"
    folder.mkdir()
    binary, broken, long = tmp_path / "binary.toml", tmp_path / "broken.toml", tmp_path / "long.toml"
    binary.write_bytes(b'name = "\xff"')
    broken.write_text('name = "us\n')
    long.write_bytes(b"# " + b"x" * (1 << 20))
    assert "gone.toml: no such file" in refusal(load_rules, tmp_path / "gone.toml")
    assert "folder.toml: not a file" in refusal(load_rules, folder)
    assert "binary.toml: not UTF-8 text (at byte 8)" in refusal(load_rules, binary)
    assert "broken.toml: not TOML: " in refusal(load_rules, broken)
    assert "long.toml: longer than 65536 bytes" in refusal(load_rules, long)
    refusal(load_rules, "a\0b.toml")
    refusal(load_rules, "a\nb.toml")
    refusal(load_rules, "\ud800.toml")
    refusal(load_rules, "x" * 5000 + ".toml")


@pytest.mark.parametrize(
    "text",
    [
        "name = 1\nname = 2",
        '"a\\nb" = 1',
        f"call = {'9' * 5000}",
        f"call = 0x{'f' * 5000}",
        "call = 2024-13-45",
        "x = " + "[" * 20000,
        "x = " + "[" * 200 + "]" * 200,
        "",
        "\x00",
    ],
)
def test_text_that_is_no_profile(tmp_path, text):
    path = tmp_path / "mine.toml"
    path.write_text(text)
    assert "mine.toml: " in refusal(load_rules, path)


# --- faults in the content --------------------------------------------------------------------------------------------


def test_a_fault_names_file_key_and_what_is_allowed(tmp_path):
    path = tmp_path / "house.toml"
    path.write_text((SEEDS / "us.toml").read_text().replace("\nflush = 5", '\nflush = "five"'))
    assert refusal(load_rules, path) == f"{path}: pays.flush: must be a whole number from 0 to 1000000, not 'five'"


NOT_WHOLE = [
    "7",
    7.0,
    float("nan"),
    float("inf"),
    True,
    None,
    [],
    {},
    2**63,
    2**64,
    -(2**70),
    pytest.param(16**9000, id="36000 bits"),
]


BOTH = pytest.mark.parametrize("profile", ["us", "casino-holdem"])


@pytest.mark.parametrize(
    ("profile", "key"),
    [
        ("us", "pays.flush"),
        ("casino-holdem", "pays.flush"),
        ("casino-holdem", "pays.straight_or_less"),
        ("casino-holdem", "side_bets.aa_bonus.pays.aces_to_straight"),
    ],
)
@pytest.mark.parametrize("value", [*NOT_WHOLE, -1, MAX_PAY + 1])
def test_a_pay_is_a_whole_number_in_range(profile, key, value):
    message = refusal(rules_from_dict, put(plain(profile), key, value))
    assert message.startswith(f"rules: {key}: must be a whole number from 0 to 1000000, not ")


@BOTH
@pytest.mark.parametrize("value", [*NOT_WHOLE, 0, -2, MAX_CALL + 1])
def test_a_call_is_a_whole_number_from_one(profile, value):
    message = refusal(rules_from_dict, put(plain(profile), "stakes.call", value))
    assert message.startswith("rules: stakes.call: must be a whole number from 1 to 1000, not ")


@BOTH
@pytest.mark.parametrize("value", [*NOT_WHOLE, 0, 2, 10])
def test_the_ante_is_the_unit(profile, value):
    message = refusal(rules_from_dict, put(plain(profile), "stakes.ante", value))
    assert message.startswith("rules: stakes.ante: must be 1, for the ante is the unit of every other amount, not ")


def test_the_bounds_themselves_are_allowed():
    data = put(put(put(plain(), "stakes.call", MAX_CALL), "pays.royal_flush", MAX_PAY), "pays.pair_or_less", 0)
    rules = rules_from_dict(data)
    assert rules.net_win("royal flush") == 1 + MAX_CALL * MAX_PAY
    assert (rules.net_win("high card"), rules.net_lose) == (1, -1 - MAX_CALL)
    assert 163185 * rules.net_win("royal flush") < 2**63
    data = put(put(put(plain("casino-holdem"), "stakes.call", MAX_CALL), "pays.royal_flush", MAX_PAY), "pays.flush", 0)
    rules = rules_from_dict(put(data, "side_bets.aa_bonus.pays.flush", MAX_PAY))
    assert (rules.net_win("royal flush"), rules.net_not_qualified("royal flush")) == (MAX_CALL + MAX_PAY, MAX_PAY)
    assert (rules.net_win("flush"), rules.net_not_qualified("flush"), rules.net_lose) == (MAX_CALL, 0, -1 - MAX_CALL)
    assert rules.aa_bonus.pays.of("flush") == MAX_PAY


REQUIRED = ("pays.flush", "stakes.call", "dealer.qualifies", "name", "title", "source", "pays")
BONUS_KEYS = ("bonus_requires_call", "pays", "pays.royal_flush", "pays.aces_to_straight")


@pytest.mark.parametrize(
    ("profile", "key"),
    [
        *(("us", key) for key in REQUIRED),
        *(("casino-holdem", key) for key in REQUIRED),
        ("casino-holdem", "dealer"),
        ("casino-holdem", "dealer.ante_when_not_qualified"),
        ("casino-holdem", "pays.straight_or_less"),
        *(("casino-holdem", f"side_bets.aa_bonus.{key}") for key in BONUS_KEYS),
    ],
)
def test_a_missing_key(profile, key):
    assert refusal(rules_from_dict, drop(plain(profile), key)).startswith(f"rules: {key}: is missing: it must be ")


SAID = "game, name, title, source, stakes, dealer, pays"


@pytest.mark.parametrize(
    ("profile", "key", "allowed"),
    [
        ("us", "colour", f"{SAID}, exchange, boxes, shared_hand, limits, session, side_bets"),
        ("us", "pays.pair", "royal_flush, straight_flush, four_of_a_kind, full_house, flush"),
        ("us", "dealer.stands", "qualifies"),
        ("three-box", "exchange.fees.6", "1, 2, 3, 4, 5"),
        ("live", "side_bets.jackpot.odds", "bet, contribution, seed, meter, sharers, table, prizes"),
        ("casino-holdem", "colour", f"{SAID}, side_bets"),
        ("casino-holdem", "dealer.stands", "qualifies, ante_when_not_qualified"),
        ("casino-holdem", "side_bets.aa_bonus.bet", "bonus_requires_call, pays"),
        ("casino-holdem", "side_bets.aa_bonus.pays.straight", "royal_flush, straight_flush, four_of_a_kind"),
        # The keys of one game are none of the other's.
        *(("casino-holdem", key, SAID) for key in ("exchange", "boxes", "shared_hand", "limits", "session")),
        ("casino-holdem", "pays.straight", "straight_flush, four_of_a_kind, full_house, flush, straight_or_less"),
        ("casino-holdem", "pays.pair_or_less", "royal_flush, straight_flush, four_of_a_kind, full_house"),
        ("casino-holdem", "side_bets.jackpot", "aa_bonus"),
        ("casino-holdem", "side_bets.five_plus_one", "aa_bonus"),
        ("us", "pays.straight_or_less", "straight, three_of_a_kind, two_pair, pair_or_less"),
        ("us", "dealer.ante_when_not_qualified", "qualifies"),
        ("live", "side_bets.aa_bonus", "five_plus_one, jackpot"),
    ],
)
def test_an_unknown_key_gets_those_allowed_there(profile, key, allowed):
    message = refusal(rules_from_dict, put(plain(profile), key, 1))
    assert message.startswith(f"rules: {key}: no such key")
    assert allowed in message.partition(": allowed here are ")[2]


def test_a_misspelt_key_gets_the_nearest():
    assert "pays.fluhs: no such key (did you mean flush?)" in refusal(rules_from_dict, put(plain(), "pays.fluhs", 5))
    holdem = plain("casino-holdem")
    for key, near in (
        ("side_bets.aa_bonus.requires_call", "bonus_requires_call"),
        ("side_bets.aa_bonus.pays.aces_to_straights", "aces_to_straight"),
        ("side_bets.aa_bonuses", "aa_bonus"),
        ("dealer.ante_if_not_qualified", "ante_when_not_qualified"),
        ("side_bet", "side_bets"),
    ):
        assert f"{key}: no such key (did you mean {near}?)" in refusal(rules_from_dict, put(holdem, key, 5))


@BOTH
@pytest.mark.parametrize("key", ["a\nb", "\x1b[2J", "\u2028", "x" * 5000, "\ud800", 7, ""])
def test_a_key_brings_no_control_characters_into_the_message(profile, key):
    data = plain(profile)
    data["pays"][key] = 1
    assert len(refusal(rules_from_dict, data)) < 300


@pytest.mark.parametrize("text", ["a\nb", "\x1b[2J", "\u2028", "x\ny" * 5000, "\ud800"])
@pytest.mark.parametrize(
    ("profile", "key"),
    [
        *(("us", key) for key in ("title", "name", "game", "dealer.qualifies", "pays.flush", "source.document")),
        *(("casino-holdem", key) for key in ("game", "dealer.qualifies", "dealer.ante_when_not_qualified")),
        *(("casino-holdem", f"side_bets.aa_bonus.{key}") for key in ("bonus_requires_call", "pays", "pays.flush")),
    ],
)
def test_a_value_brings_no_control_characters_into_the_message(profile, key, text):
    assert len(refusal(rules_from_dict, put(plain(profile), key, text))) < 400


@BOTH
@pytest.mark.parametrize(
    ("word", "near"), [("ace-kings", "ace-king"), ("pair-of-four", "pair-of-fours"), ("pair of fours", "pair-of-fours")]
)
def test_an_unknown_qualifier_gets_all_and_the_nearest(profile, word, near):
    message = refusal(rules_from_dict, put(plain(profile), "dealer.qualifies", word))
    assert message.startswith("rules: dealer.qualifies: must be one of any, ace-high, ace-king, pair-of-twos, ")
    assert message.endswith(f"pair-of-aces, not '{word}' (did you mean {near}?)")


@BOTH
@pytest.mark.parametrize("game", ["blackjack", "holdem", "caribbean stud", 1, None, ["caribbean-stud"]])
def test_a_wrong_game(profile, game):
    assert refusal(rules_from_dict, put(plain(profile), "game", game)).startswith(
        "rules: game: must be one of caribbean-stud, casino-holdem, not "
    )


@pytest.mark.parametrize(
    ("profile", "game", "says"),
    [
        ("us", "casino-holdem", 'dealer.ante_when_not_qualified: is missing: it must be "1 to 1" or "by the table"'),
        ("three-box", "casino-holdem", "exchange: no such key"),
        ("live", "casino-holdem", "shared_hand: no such key"),
        ("casino-holdem", "caribbean-stud", "dealer.ante_when_not_qualified: no such key"),
    ],
)
def test_rules_of_one_game_under_the_name_of_the_other(profile, game, says):
    assert says in refusal(rules_from_dict, put(plain(profile), "game", game))


def test_no_game_and_no_table():
    for profile in ("us", "casino-holdem"):
        missing = refusal(rules_from_dict, drop(plain(profile), "game"))
        assert missing == "rules: game: must be one of caribbean-stud, casino-holdem, and is missing"
    assert refusal(rules_from_dict, []) == "rules: must be a table of keys, not a list"
    assert refusal(rules_from_dict, put(plain(), "pays", 5)) == "rules: pays: must be a table of keys, not 5"


PRIZES = msgspec.to_builtins(JACKPOT_TABLES["75/100/500"])
AA, WHEN_FAILED = "side_bets.aa_bonus", "dealer.ante_when_not_qualified"


@pytest.mark.parametrize(
    ("profile", "key", "value", "at", "says"),
    [
        ("three-box", "boxes.fewest", 4, "boxes.fewest", "at most boxes.most, 3, not 4"),
        ("three-box", "boxes.blind", [4], "boxes.blind", "from 1 to 3, ascending, each once"),
        ("three-box", "boxes.blind", [3, 3], "boxes.blind", "each once"),
        ("three-box", "boxes.blind", ["3"], "boxes.blind[1]", "a whole number from 1 to 9"),
        ("three-box", "boxes.blind", 3, "boxes.blind", "a list, each entry a whole number from 1 to 9"),
        ("three-box", "exchange.boxes", [2, 1], "exchange.boxes", "ascending"),
        ("three-box", "exchange.boxes", [1, 4], "exchange.boxes", "from 1 to 3"),
        ("three-box", "exchange.boxes", [1, 3], "exchange.boxes", "blind box"),
        ("three-box", "exchange.boxes", [], "exchange.boxes", "must list the boxes"),
        ("three-box", "exchange.fees", {}, "exchange.fees", "at least one size"),
        ("three-box", "exchange.fees.5", -1, "exchange.fees.5", "a whole number from 0 to 1000"),
        ("three-box", "exchange.in_a_row", 4, "exchange.in_a_row", "within 52 cards, and this one can need 60"),
        ("triple-exchange", "exchange.boxes", [1], "exchange.boxes", "left out in a profile without [boxes]"),
        ("triple-exchange", "exchange.in_a_row", 0, "exchange.in_a_row", "a whole number from 1 to 8"),
        ("triple-exchange", "limits.ante_least", 301, "limits.ante_least", "at most limits.ante_most, 300, not 301"),
        ("triple-exchange", "limits.ante_most", 0.5, "limits.ante_most", "a whole number from 1 to"),
        ("triple-exchange", "limits", {}, "limits", "must hold a limit, or be left out"),
        ("us", "limits.exchange_leaves_call", True, "limits.exchange_leaves_call", "without [exchange]"),
        (
            *("triple-exchange", "limits.exchange_leaves_later_calls", True),
            *("limits.exchange_leaves_later_calls", "in a profile without [boxes]"),
        ),
        ("us", "limits.fold_when_short", 1, "limits.fold_when_short", "true or false, not 1"),
        ("betmgm", "session.rounds", 0, "session.rounds", "a whole number from 1 to"),
        ("live", "shared_hand.players", "all", "shared_hand.players", "or \"any\", not 'all'"),
        ("live", "shared_hand.players", 0, "shared_hand.players", "a whole number from 1 to"),
        ("live", "side_bets", {}, "side_bets", "must hold five_plus_one or jackpot"),
        ("live", "side_bets.five_plus_one.pays.straight", -1, "side_bets.five_plus_one.pays.straight", "from 0 to"),
        ("live", "side_bets.jackpot.table", "1/2/3", "side_bets.jackpot.table", "must be one of 50/75/100, "),
        ("live", "side_bets.jackpot.prizes", PRIZES, "side_bets.jackpot", "not both"),
        ("live", "side_bets.jackpot.contribution", "3/2", "side_bets.jackpot.contribution", "from nothing to all"),
        ("live", "side_bets.jackpot.contribution", "101%", "side_bets.jackpot.contribution", 'as "10%" or "1/10"'),
        ("live", "side_bets.jackpot.contribution", "1/0", "side_bets.jackpot.contribution", 'as "10%" or "1/10"'),
        ("live", "side_bets.jackpot.contribution", 0.5, "side_bets.jackpot.contribution", 'as "10%" or "1/10"'),
        ("live", "side_bets.jackpot.sharers", 0, "side_bets.jackpot.sharers", "a whole number from 1 to"),
        ("us", "notes", [{"unclear": "x"}], "notes[1].settled", "is missing"),
        ("us", "notes", {}, "notes", "a list of tables"),
        ("casino-holdem", "side_bets", {}, "side_bets", "must hold aa_bonus, or be left out"),
        ("casino-holdem", "side_bets.aa_bonus", {}, "side_bets.aa_bonus.bonus_requires_call", "is missing"),
        ("casino-holdem", "side_bets.aa_bonus", True, "side_bets.aa_bonus", "a table of keys, not true"),
        *(
            ("casino-holdem", f"{AA}.bonus_requires_call", value, f"{AA}.bonus_requires_call", "true or false, not ")
            for value in (1, "yes", "true", None, 1.0, [])
        ),
        *(
            ("casino-holdem", WHEN_FAILED, value, WHEN_FAILED, 'must be "1 to 1" or "by the table", not ')
            for value in ("by table", "1:1", "", 1, True, None, ["1 to 1"])
        ),
        ("casino-holdem", "dealer.qualifies", 4, "dealer.qualifies", "a text of one line, not empty, not 4"),
        ("casino-holdem", "notes", [{"settled": "x"}], "notes[1].unclear", "is missing"),
    ],
)
def test_the_sections_are_held_against_each_other(profile, key, value, at, says):
    message = refusal(rules_from_dict, put(plain(profile), key, value))
    assert message.startswith(f"rules: {at}: ")
    assert says in message


@pytest.mark.parametrize("prize", ["3/2", "10.5%", "all", -1, 0.1, True])
def test_a_prize_is_a_whole_number_or_a_share(prize):
    data = drop(plain("live"), "side_bets.jackpot.table")
    data = put(data, "side_bets.jackpot.prizes", {**PRIZES, "flush": prize})
    message = refusal(rules_from_dict, data)
    assert message.startswith("rules: side_bets.jackpot.prizes.flush: must be ")
    assert "a share from nothing to all" in message


@pytest.mark.parametrize("word", ["flushes", "Flush", "", "pair or less", "two\npair"])
def test_an_unknown_category(word):
    assert "royal flush, straight flush, four of a kind" in refusal(load_rules("us").net_win, word)
    assert "royal flush, straight flush, four of a kind" in refusal(JACKPOT_TABLES["50/75/100"].of, word)
    assert "royal flush, straight flush, four of a kind" in refusal(ante_line, word)
    assert "royal flush, straight flush, four of a kind" in refusal(load_rules("casino-holdem").net_of, "win", word)


# --- digest, round trip, frozen ---------------------------------------------------------------------------------------


def test_the_digest_changes_with_everything_that_decides_what_an_action_is_worth():
    data = plain()
    changed = [data, put(data, "stakes.call", 3)]
    changed += [put(data, f"pays.{name}", pay + 1) for name, pay in data["pays"].items()]
    changed += [put(data, "dealer.qualifies", name) for name in LOWEST_QUALIFYING if name != "ace-king"]
    triple = plain("triple-exchange")
    changed += [triple, put(triple, "exchange.in_a_row", 2), put(triple, "exchange.fees.5", 2)]
    holdem = plain("casino-holdem")
    changed += [holdem, put(holdem, "stakes.call", 3), put(holdem, "dealer.ante_when_not_qualified", "1 to 1")]
    changed += [put(holdem, f"pays.{name}", pay + 1) for name, pay in holdem["pays"].items()]
    # With a bet on the AA Bonus a fold may become a call.
    changed += [drop(holdem, "side_bets"), put(holdem, "side_bets.aa_bonus.bonus_requires_call", False)]
    changed += [put(holdem, "side_bets.aa_bonus.pays.flush", 25)]
    changed += [put(holdem, "dealer.qualifies", name) for name in LOWEST_QUALIFYING if name != "pair-of-fours"]
    digests = [rules_from_dict(each).digest for each in changed]
    assert len(set(digests)) == len(digests)
    assert all(re.fullmatch("[0-9a-f]{64}", digest) for digest in digests)


def test_the_digest_leaves_out_what_leaves_the_main_bet_alone():
    said = put(put(put(plain(), "title", "another"), "source.document", "another"), "notes", [])
    assert rules_from_dict(said).digest == load_rules("us").digest
    assert rules_from_dict(put(plain(), "limits.ante_most", 100)).digest == load_rules("us").digest
    live = plain("live")
    for key in ("bet", "seed", "meter", "sharers"):
        assert rules_from_dict(put(live, f"side_bets.jackpot.{key}", 77)).digest == load_rules("live").digest
    holdem = plain("casino-holdem")
    for same in (
        put(put(put(holdem, "title", "another"), "source.document", "another"), "notes", []),
        put(holdem, "name", "another"),
    ):
        assert rules_from_dict(same).digest == load_rules("casino-holdem").digest


def test_the_digest_does_not_depend_on_the_order_of_the_keys():
    for name in ("triple-exchange", "oasis", "casino-holdem"):
        data = plain(name)
        backwards = dict(reversed(list(data.items())))
        backwards["pays"] = dict(reversed(list(data["pays"].items())))
        backwards["dealer"] = dict(reversed(list(data["dealer"].items())))
        assert rules_from_dict(backwards).digest == load_rules(name).digest


def test_the_digest_is_the_same_in_another_process():
    code = "from pycs.rules import load_rules; print(load_rules('live').digest)"
    env = {**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    run = subprocess.run([sys.executable, "-c", code], cwd=SEEDS.parent, env=env, capture_output=True, text=True)
    assert run.stdout.strip() == load_rules("live").digest, run.stderr


def test_the_digest_of_the_base_game_is_kept():
    """Tables are tied to this text: a change of it is a change of the format."""
    text = (
        '{"dealer":{"qualifies":"ace-king"},"game":"caribbean-stud","pays":{"flush":5,"four_of_a_kind":20,'
        '"full_house":7,"pair_or_less":1,"royal_flush":100,"straight":4,"straight_flush":50,"three_of_a_kind":3,'
        '"two_pair":2},"stakes":{"ante":1,"call":2}}'
    )
    assert load_rules("us").digest == hashlib.sha256(text.encode()).hexdigest()


def test_the_digest_of_casino_holdem_is_kept():
    """As above."""
    text = (
        '{"dealer":{"ante_when_not_qualified":"by the table","qualifies":"pair-of-fours"},"game":"casino-holdem",'
        '"pays":{"flush":2,"four_of_a_kind":10,"full_house":3,"royal_flush":100,"straight_flush":20,'
        '"straight_or_less":1},"side_bets":{"aa_bonus":{"bonus_requires_call":true,"pays":{"aces_to_straight":7,'
        '"flush":20,"four_of_a_kind":40,"full_house":30,"royal_flush":100,"straight_flush":50}}},'
        '"stakes":{"ante":1,"call":2}}'
    )
    assert load_rules("casino-holdem").digest == hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize("name", PROFILES)
def test_the_round_trip_through_json(name):
    rules = load_rules(name)
    back = rules_from_dict(json.loads(json.dumps(rules.to_dict())))
    assert back == rules
    assert back.digest == rules.digest
    assert hash(back) == hash(rules)


def test_rules_are_frozen():
    rules = load_rules("three-box")
    for part, field in ((rules, "name"), (rules.pays, "flush"), (rules.stakes, "call"), (rules.exchange.fees, "five")):
        with pytest.raises(AttributeError):
            setattr(part, field, getattr(part, field))
    rules.to_dict()["pays"]["flush"] = 99
    rules.exchange.fees.by_size()[5] = 99
    assert load_rules("three-box").pays.flush == 5
    assert load_rules("three-box").exchange.fees.by_size() == {5: 1}
    holdem = load_rules("casino-holdem")
    for part, field in ((holdem, "pays"), (holdem.dealer, "qualifies"), (holdem.aa_bonus, "bonus_requires_call")):
        with pytest.raises(AttributeError):
            setattr(part, field, getattr(part, field))
    holdem.to_dict()["side_bets"]["aa_bonus"]["pays"]["flush"] = 99
    assert load_rules("casino-holdem").aa_bonus.pays.flush == 20


def test_casino_holdem_without_its_bonus():
    rules = rules_from_dict(drop(plain("casino-holdem"), "side_bets"))
    assert rules.aa_bonus is None
    assert "side_bets" not in rules.to_dict()
    assert rules_from_dict(rules.to_dict()) == rules


# --- whatever a file may hold -----------------------------------------------------------------------------------------

LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-3, 12)
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(["any", "ace-king", "10%", "1/2", "50/75/100", "caribbean-stud", "casino-holdem", "1 to 1"])
    | st.dates()
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)


def places(data):
    """Every dict and list inside some data, with each of its keys or positions."""
    for key, value in list(data.items() if isinstance(data, dict) else enumerate(data)):
        yield data, key
        if isinstance(value, (dict, list)):
            yield from places(value)


def loads_or_refuses(call, *arguments):
    """Rules that survive the round trip, or a refusal of one line; any other exception fails the test."""
    try:
        rules = call(*arguments)
    except InputError as error:
        message = str(error)
    else:
        assert rules_from_dict(rules.to_dict()) == rules
        assert len(rules.digest) == 64
        return
    assert message.isprintable()
    assert len(message) < 800


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_mutated_profiles_load_or_are_refused_in_one_line(draw):
    data = plain(draw.draw(st.sampled_from(PROFILES)))
    for _ in range(draw.draw(st.integers(1, 3))):
        place, key = draw.draw(st.sampled_from(list(places(data))))
        action = draw.draw(st.sampled_from(["set", "drop", "add"]))
        if action == "drop":
            del place[key]
        elif action == "add" and isinstance(place, dict):
            place[draw.draw(st.text(max_size=8))] = draw.draw(VALUES)
        else:
            place[key] = draw.draw(VALUES)
        if not data:
            break
    loads_or_refuses(rules_from_dict, data)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(PROFILES), st.integers(0, 3000), st.integers(0, 30), st.binary(max_size=12))
def test_mutated_files_load_or_are_refused_in_one_line(tmp_path, name, start, length, put_in):
    raw = (SEEDS / f"{name}.toml").read_bytes()
    path = tmp_path / "mine.toml"
    path.write_bytes(raw[:start] + put_in + raw[start + length :])
    loads_or_refuses(load_rules, path)


def test_the_seed_files_say_no_more_than_the_rules_keep():
    for name in PROFILES:
        assert tomllib.loads((SEEDS / f"{name}.toml").read_text(encoding="utf-8")) == load_rules(name).to_dict()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"pair_or_less": 10**14}, "pays.pair_or_less"),
        ({"flush": -1}, "pays.flush"),
        ({"flush": 2.5}, "pays.flush"),
        ({"flush": 10**30}, "rules"),
        ({"flush": [5]}, "rules"),
    ],
)
def test_rules_changed_by_hand_are_held_against_the_same_bounds(changes, words):
    rules = load_rules("us")
    changed = msgspec.structs.replace(rules, pays=msgspec.structs.replace(rules.pays, **changes))
    assert words in refusal(load_rules, changed)


@pytest.mark.parametrize(
    ("section", "changes", "words"),
    [
        ("pays", {"flush": -1}, "pays.flush"),
        ("pays", {"straight_or_less": 2.5}, "pays.straight_or_less"),
        ("pays", {"flush": 10**30}, "rules"),
        ("pays", {"flush": [5]}, "rules"),
        ("stakes", {"call": 0}, "stakes.call"),
        ("dealer", {"qualifies": "zz"}, "dealer.qualifies"),
        ("dealer", {"ante_when_not_qualified": "sometimes"}, "dealer.ante_when_not_qualified"),
    ],
)
def test_rules_of_casino_holdem_changed_by_hand_are_too(section, changes, words):
    rules = load_rules("casino-holdem")
    changed = msgspec.structs.replace(rules, **{section: msgspec.structs.replace(getattr(rules, section), **changes)})
    assert words in refusal(load_rules, changed)


@pytest.mark.parametrize("changes", [{"bonus_requires_call": 1}, {"pays": None}])
def test_a_bonus_changed_by_hand_is_too(changes):
    rules = load_rules("casino-holdem")
    bonus = msgspec.structs.replace(rules.aa_bonus, **changes)
    changed = msgspec.structs.replace(rules, side_bets=msgspec.structs.replace(rules.side_bets, aa_bonus=bonus))
    assert f"side_bets.aa_bonus.{next(iter(changes))}" in refusal(load_rules, changed)


def test_rules_with_a_qualifier_nobody_knows_are_refused_as_an_object_too():
    rules = load_rules("us")
    changed = msgspec.structs.replace(rules, dealer=msgspec.structs.replace(rules.dealer, qualifies="zz"))
    assert "dealer.qualifies" in refusal(load_rules, changed)
    assert "name" in refusal(load_rules, msgspec.structs.replace(rules, name="../../x"))


def test_a_line_that_the_reader_would_take_for_ever_over_is_refused(tmp_path):
    path = tmp_path / "dots.toml"
    path.write_text("a." * 30_000 + "b=1")
    assert "a line of 60003 bytes: 2000 are allowed" in refusal(load_rules, path)
    path.write_text("# " + "x" * 70_000)
    assert "longer than" in refusal(load_rules, path)


def test_a_changed_bonus_needs_a_name_of_its_own(tmp_path):
    text = (SEEDS / "casino-holdem.toml").read_text()
    path = tmp_path / "mine.toml"
    path.write_text(text.replace("bonus_requires_call = true", "bonus_requires_call = false"))
    assert "name: must not be 'casino-holdem', a shipped profile with other rules" in refusal(load_rules, path)
