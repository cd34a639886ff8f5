"""Many pay tables of one counted game: against reports, plain sums over the counts, decisions and enumeration."""

import functools
import itertools
from fractions import Fraction

import numpy as np
import polars as pl
import pytest

import pycs
import pycs.joint_rounds
import pycs.pay_table_values
from pycs.counted_games import counted_game
from pycs.errors import InputError
from pycs.pay_lines import lines_of, pays_of, rules_with_pays
from pycs.pay_table_search import _nearest, search_pay_tables
from pycs.pay_table_values import (
    PUBLISHED_PAYS,
    PayGroups,
    changed_deals,
    pay_tables,
    published_pay_tables,
    sensitivity,
)
from pycs.rules import load_rules, rules_from_dict

STUD_LINES = lines_of(load_rules("us"))
HOLDEM_LINES = lines_of(load_rules("casino-holdem"))
ROUNDS = {"us": 19_933_230_517_200, "casino-holdem": 27_813_810_024_000}
STUD_CATEGORIES = {"pair": "pair_or_less", "high card": "pair_or_less"}
ONE_TO_ONE = load_rules("casino-holdem").to_dict()
ONE_TO_ONE["name"], ONE_TO_ONE["dealer"]["ante_when_not_qualified"] = "house", "1 to 1"
del ONE_TO_ONE["side_bets"]
MAIN_BET = {**load_rules("casino-holdem").to_dict(), "name": "main-bet"}
del MAIN_BET["side_bets"]


@pytest.fixture(scope="module", autouse=True)
def counted_once():
    """Each game is counted, and grouped, once for all of these tests."""
    kept = {}

    def count(rules):
        key = rules.game, rules.dealer.qualifies
        if key not in kept:
            kept[key] = counted_game(rules)
        return kept[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pycs.pay_table_values, "counted_game", count)
        patch.setattr(pycs.joint_rounds, "counted_game", count)
        patch.setattr(PayGroups, "of", functools.cache(PayGroups.of))
        yield count


def drawn_tables(lines, number, seed):
    """Pay tables of every size: small pays, and now and then nothing or a million."""
    random = np.random.default_rng(seed)
    sizes = random.choice([1, 4, 12, 300, 1_000_000], (number, len(lines)), p=[0.1, 0.4, 0.3, 0.15, 0.05])
    return pl.DataFrame(random.integers(0, sizes + 1), list(lines), orient="row")


def plain_play(name, counted, tables):
    """The net result over all rounds, and which rows are called, by plain arithmetic over all rows."""
    counts = {column.name: column.cast(pl.Int64).to_numpy() for column in counted if column.dtype.is_integer()}
    names = counted["category"].cast(pl.String).replace(STUD_CATEGORIES).str.replace_all(" ", "_")
    line = names.cast(pl.Enum(STUD_LINES)).to_physical().to_numpy()
    for pays in tables.rows(named=True):
        value = -3 * counts["lose"]
        if name == "us":
            value += counts["not_qualified"] + counts["win"] * (1 + 2 * np.array(list(pays.values())))[line]
        else:
            for kind, pay in pays.items():
                value += counts[f"not_qualified_{kind}"] * pay + counts[f"win_{kind}"] * (pay + 2)
        completions = {"us": 163_185, "casino-holdem": 1_070_190}[name]
        call = value > -completions
        net = np.where(call, value, -completions)
        high, low = net >> 20, net & ((1 << 20) - 1)  # so that sums stay inside 64 bits
        yield (int(high @ counts["weight"]) << 20) + int(low @ counts["weight"]), call


# --- rules -----------------------------------------------------------------------------------------------------------


def test_names_of_lines():
    given = "Royal=1, straight flush=2, quads=3, full-house=4, flush=5, straight=6, trips=7, Two pair=8, pair=9"
    assert list(pays_of(rules_with_pays("us", given)).values()) == list(range(1, 10))
    same = {"royal_flush": 1, "sf": 2, "four of a kind": 3, "full": 4, "FLUSH": 5, "straight": 6, "three-of-a-kind": 7}
    assert rules_with_pays("us", {**same, "two_pair": 8, "pair or less": 9}) == rules_with_pays("us", given)
    assert rules_with_pays("us", "1/2/3/4/5/6/7/8/9") == rules_with_pays("us", given)
    holdem = rules_with_pays("casino-holdem", "royal=9,sf=8,quads=7,full=6,flush=5,straight=4")
    assert holdem == rules_with_pays("casino-holdem", " 9 / 8/7/6/5/4")
    assert holdem.pays.straight_or_less == 4


def test_changed_rules_do_not_pass_for_the_profile():
    us = load_rules("us")
    changed = rules_with_pays("us", "royal=250")
    assert changed.name == "us-pays"
    assert changed.title == "Caribbean Stud, the published base game, with royal flush 250 to 1"
    assert changed.digest != us.digest
    assert changed.source.published is None
    assert changed.stakes == us.stakes
    assert rules_with_pays(changed, "flush=6").name == "us-pays"
    assert rules_with_pays(changed, "flush=6,royal=1,pair=0").title.endswith(
        "with royal flush 1 to 1, flush 6 to 1 and pair or less 0 to 1"
    )
    long = rules_from_dict({**us.to_dict(), "name": "a" * 64})
    assert rules_with_pays(long, "flush=6").name == "a" * 59 + "-pays"


def test_pays_that_change_nothing():
    for pays in ("royal=100", "royal=100, flush=5", {}, {"pair": 1}, PUBLISHED_PAYS["us"]):
        assert rules_with_pays("us", pays) == load_rules("us")


@pytest.mark.parametrize(
    ("pays", "words"),
    [
        ("royl=5", ("'royl'", "did you mean royal?", "two pair")),
        ("high card=5", ("'high card'", "pair or less")),
        ("royal=5,royal flush=6", ("royal flush twice", "once is allowed")),
        ("royal=-1", ("'-1'", "from 0 to 1,000,000")),
        ("royal=1000001", ("1000001", "from 0 to 1,000,000")),
        ("royal=7.5", ("'7.5'", "whole number")),
        ("royal=٧", ("whole number",)),
        ("royal=", ("''", "whole number")),
        ("royal", ("'royal'", "line=...")),
        ("royal=1=2", ("'royal=1=2'", "line=...")),
        ("", ("''", "line=...")),
        ("100/50/20", ("'100/50/20'", "3 pays came, 9 are needed")),
        ("1/2/3/4/5/6/7/8/9/10", ("10 pays came, 9 are needed",)),
        ("1/2/3/4/5/6/7/8/x", ("'x'", "whole number")),
        ({"flush": 2.0}, ("2.0", "whole number")),
        ({"flush": True}, ("True", "whole number")),
        ({"flush": None}, ("None", "whole number")),
        ({"flush": 10**30}, ("whole number",)),
        ({7: 5}, ("7 is no line",)),
        ({"flush": 5, "Flush ": 5}, ("flush twice",)),
        (["flush"], ("['flush']", "a mapping is allowed")),
        ("line\nbreak=5", ("line\\nbreak",)),
        ("x" * 500 + "=1", ("500 characters",)),
    ],
)
def test_bad_pays(pays, words):
    with pytest.raises(InputError) as error:
        rules_with_pays("us", pays)
    assert all(word in str(error.value) for word in words), error.value
    assert str(error.value).isprintable()


# --- many tables -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("profile", "pays"),
    [
        ("us", "0/0/0/0/0/0/0/0/0"),
        ("us", "/".join(["1000000"] * 9)),
        (rules_from_dict(MAIN_BET), "0/0/0/0/0/0"),
        (rules_from_dict(ONE_TO_ONE), "25/20/10/5/3/2"),
    ],
)
def test_as_the_report(profile, pays):
    rules = rules_with_pays(profile, pays)
    report = pycs.report(rules)
    row = pay_tables(profile, pl.DataFrame([{"name": "a", **pays_of(rules)}])).row(0, named=True)
    assert row["name"] == "a"
    assert (row["deals"], row["net"], row["value_exact"]) == (report.deals, report.net, str(report.value))
    assert row["house_edge"] == float(report.house_edge)
    assert row["element_of_risk"] == float(report.element_of_risk)
    assert row["average_bet"] == float(report.average_bet)
    assert row["sd"] == report.sd
    assert row["called_deals"] == report.action_deals["call"]
    assert row["called_share"] == float(report.actions["call"])
    assert row["indifferent_deals"] == report.indifferent_deals


@pytest.mark.parametrize("profile", ["us", "casino-holdem"])
def test_against_plain_sums(profile, counted_once):
    rules = load_rules(profile)
    counted = counted_once(rules)
    alike = counted.group_by(pl.exclude("weight", "aa_bonus")).agg(pl.col("weight").sum(), rows=pl.len())
    weight, rows = alike["weight"].to_numpy(), alike["rows"].to_numpy()
    tables = pl.concat([pl.DataFrame([pays_of(rules)]), drawn_tables(lines_of(rules), 12, 5)])
    found = pay_tables(profile, tables)
    own = None
    plain = plain_play(profile, alike, tables)
    for row, (net, call) in zip(found.rows(named=True), plain, strict=True):
        own = call if own is None else own
        assert (row["net"], row["called_deals"], row["deals"]) == (net, weight[call].sum(), ROUNDS[profile])
        assert Fraction(row["value_exact"]) == Fraction(net, ROUNDS[profile])
        assert (row["changed_deals"], row["changed_rows"]) == (weight[call != own].sum(), rows[call != own].sum())


@pytest.mark.parametrize(("profile", "number"), [("us", 1000), ("casino-holdem", 20)])
def test_many_tables_as_one_by_one(profile, number):
    tables = drawn_tables(lines_of(load_rules(profile)), number, 6)
    found = pay_tables(profile, tables)
    assert found.select(tables.columns).equals(tables)
    for row in (0, number // 2, number - 1):
        assert pay_tables(profile, tables[row]).equals(found[row])


def test_lines_left_out_and_names():
    tables = pl.DataFrame({"two pair": pl.Series([3, 2], dtype=pl.UInt8), "name": ["three", None], "sf": [50, 60]})
    found = pay_tables("us", tables)
    assert found.columns[:4] == ["name", "royal_flush", "straight_flush", "four_of_a_kind"]
    assert found["name"].to_list() == ["three", None]
    assert found.select(STUD_LINES).rows() == [(100, 50, 20, 7, 5, 4, 3, 3, 1), (100, 60, 20, 7, 5, 4, 3, 2, 1)]
    assert found["net"].dtype == pl.Int128
    assert pay_tables("us", pl.DataFrame({"name": ["us"]}))["net"].item() == -1_041_372_912_372


def test_no_tables():
    assert pay_tables("us", pl.DataFrame()).height == 0
    some = pay_tables("us", pl.DataFrame({"flush": [5]}))
    assert pay_tables("us", pl.DataFrame({"flush": pl.Series([], dtype=pl.Int8)})).schema == some.schema


def test_an_open_table(holdem_table):
    tables = drawn_tables(HOLDEM_LINES, 2, 7)
    assert pay_tables(holdem_table, tables).equals(pay_tables("casino-holdem", tables))
    assert changed_deals(holdem_table, rules_with_pays("casino-holdem", "flush=3")).height == 5367
    assert search_pay_tables(holdem_table, "flush=1..3", "2%")["flush"].to_list() == [2, 3, 1]


@pytest.mark.parametrize(
    ("tables", "words"),
    [
        ("flush", ("'flush'", "DataFrame")),
        ({"flsh": [1]}, ("'flsh'", "did you mean flush?")),
        ({"weight": [1]}, ("'weight'",)),
        ({"flush": [1.0]}, ("'flush'", "Float64")),
        ({"flush": ["1"]}, ("String",)),
        ({"flush": [True]}, ("Boolean",)),
        ({"flush": [None]}, ("Null",)),
        ({"flush": [5], "Flush": [5]}, ("'Flush'", "'flush'", "same line")),
        ({"name": [1]}, ("'name'", "names as text")),
        ({"flush": [5, None, -1]}, ("row 1: flush", "None", "from 0 to 1,000,000")),
        ({"flush": [5, 5, -1], "sf": [1, 1_000_001, 1]}, ("row 1: straight flush", "1000001")),
        ({"flush": pl.Series([2**64 - 1], dtype=pl.UInt64)}, ("row 0: flush", str(2**64 - 1))),
    ],
)
def test_bad_tables(tables, words):
    with pytest.raises(InputError) as error:
        pay_tables("us", pl.DataFrame(tables) if isinstance(tables, dict) else tables)
    assert all(word in str(error.value) for word in words), error.value
    assert str(error.value).isprintable()


def test_published_pay_tables():
    found = published_pay_tables()
    assert found["name"].to_list() == list(PUBLISHED_PAYS)
    edges = ["5.2243%", "5.2075%", "5.1991%", "3.7037%", "5.0055%", "4.8214%", "3.3498%"]
    assert [f"{edge:.4%}" for edge in found["house_edge"]] == edges
    assert found["changed_deals"].sum() == 0
    assert pays_of(load_rules("live")) == found.filter(name="live").select(STUD_LINES).row(0, named=True)


# --- what changes ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("profile", "pays"), [("us", "pair=0"), ("us", "pair=3,flush=9"), ("casino-holdem", "50/50/30/8/4/0")]
)
def test_changes(profile, pays):
    rules = rules_with_pays(profile, pays)
    changed = changed_deals(profile, rules)
    row = pay_tables(profile, pl.DataFrame([pays_of(rules)])).row(0, named=True)
    assert (changed["weight"].sum(), changed.height) == (row["changed_deals"], row["changed_rows"])
    assert changed.height > 0
    assert changed["index"].is_sorted()
    for deal in changed.sample(25, seed=8).rows(named=True):
        cards = deal["hand"], deal["flop" if "flop" in deal else "upcard"]
        assert pycs.index_of(profile, *cards) == deal["index"]
        for side, played in (("a", profile), ("b", rules)):
            decision = pycs.decide(played, *cards)
            assert decision.action == deal[f"action_{side}"]
            assert float(decision.margin) == deal[f"margin_{side}"]
            assert decision.category == deal["category"]


def test_in_caribbean_stud_only_the_lowest_line_moves_a_decision():
    """A hand above a pair is called even when it is paid nothing; its value only rises with what it is paid."""
    nothing_else = pl.DataFrame([{**dict.fromkeys(STUD_LINES, 0), "pair_or_less": pair} for pair in (1, 0)])
    assert pay_tables("us", nothing_else)["changed_deals"].to_list() == [0, 4_554_696]


def test_changes_of_equal_tables():
    assert changed_deals("us", "live").height == 0


def test_changes_need_one_game():
    with pytest.raises(InputError, match="casino-holdem"):
        changed_deals("us", "casino-holdem")
    other = {**load_rules("us").to_dict(), "name": "other", "dealer": {"qualifies": "any"}}
    with pytest.raises(InputError, match="other has a dealer who qualifies with any, us ace-king"):
        changed_deals("us", rules_from_dict(other))


@pytest.mark.parametrize("profile", ["us", "casino-holdem", rules_from_dict(ONE_TO_ONE)])
def test_sensitivity_lies_between_the_difference_quotients(profile):
    rules = load_rules(profile)
    own, lines = pays_of(rules), lines_of(rules)
    tables = [own] + [{**own, line: own[line] + step} for line in lines for step in (-1, 1)]
    values = [Fraction(value) for value in pay_tables(profile, pl.DataFrame(tables))["value_exact"]]
    left, right = sensitivity(profile), sensitivity(profile, rising=True)
    assert list(left) == list(right) == list(lines)
    for line, less, more in zip(lines, values[1::2], values[2::2], strict=True):
        assert 0 < values[0] - less <= left[line] <= right[line] <= more - values[0]
    assert values[2] - values[0] == right["royal_flush"] or rules.game == "casino-holdem"


def test_sensitivity_has_two_sides_where_deals_are_indifferent():
    left, right = sensitivity("casino-holdem"), sensitivity("casino-holdem", rising=True)
    assert left["straight_or_less"] < right["straight_or_less"]
    assert sensitivity("us") == sensitivity("us", rising=True)


# --- search ----------------------------------------------------------------------------------------------------------


def enumerated(profile, bounds, target, count, falling=False):
    """The nearest tables, and how near, by weighing all of them."""
    rules = load_rules(profile)
    ranges = {line: (pay, pay) for line, pay in pays_of(rules).items()} | bounds
    tables = list(itertools.product(*(range(low, high + 1) for low, high in ranges.values())))
    if falling:
        tables = [table for table in tables if all(a >= b for a, b in itertools.pairwise(table))]
    found = pay_tables(rules, pl.DataFrame(tables, list(ranges), orient="row"))
    distances = [abs(-Fraction(value) - target) for value in found["value_exact"]]
    return sorted(zip(distances, tables, strict=True))[:count]


@pytest.mark.parametrize(
    ("profile", "bounds", "target", "count", "falling"),
    [
        ("us", {"royal_flush": (95, 104), "flush": (3, 7), "pair_or_less": (0, 3)}, Fraction(1, 20), 10, False),
        ("us", {"full_house": (3, 6), "flush": (3, 6), "straight": (2, 5), "two_pair": (1, 4)}, Fraction(), 40, True),
        ("us", {"straight": (0, 9), "two_pair": (0, 9), "pair_or_less": (0, 2)}, Fraction(-1, 3), 300, True),
        ("us", {"royal_flush": (0, 9), "pair_or_less": (999_990, 1_000_000)}, Fraction(-470_000), 7, False),
        ("us", {"flush": (1, 9)}, Fraction(10**30), 3, False),
        (
            "casino-holdem",
            {"royal_flush": (99, 100), "full_house": (2, 4), "flush": (1, 3)},
            Fraction(2, 100),
            9,
            False,
        ),
        ("casino-holdem", {"full_house": (1, 3), "flush": (1, 3)}, Fraction(2, 100), 99, True),
    ],
)
def test_search_against_enumeration(profile, bounds, target, count, falling):
    found = search_pay_tables(profile, bounds, target, count=count, falling=falling)
    right = enumerated(profile, bounds, target, count, falling)
    assert found.select(lines_of(load_rules(profile))).rows() == [table for _, table in right]
    assert [Fraction(distance) for distance in found["distance_exact"]] == [distance for distance, _ in right]
    assert found["distance"].to_list() == [float(distance) for distance, _ in right]
    assert [abs(Fraction(value) + target) for value in found["value_exact"]] == [distance for distance, _ in right]


def test_search_of_a_trillion_tables():
    bounds = "royal=100..120,sf=50..70,quads=20..40,full=5..25,flush=3..23,straight=3..23,trips=1..21,two pair=1..21"
    found = search_pay_tables("us", f"{bounds},pair=0..20", "5%", count=3)
    assert found["distance_exact"][0] == "2/73283935725"
    assert found["distance"].is_sorted()


def test_nearest_pairs_with_many_ties():
    random = np.random.default_rng(9)
    for size, count, aim in itertools.product(
        (1, 2, 7, 40), (1, 3, 50), (Fraction(0), Fraction(7, 2), Fraction(-5, 3))
    ):
        left, right = random.integers(-30, 30, size), np.sort(random.integers(-30, 30, 41 - size))
        exact = sorted(
            (abs(a + b - aim), i, j) for i, a in enumerate(left.tolist()) for j, b in enumerate(right.tolist())
        )
        needed = {(i, j) for far, i, j in exact if far <= exact[:count][-1][0]}
        for kind in (np.int64, object):
            found = _nearest(left.astype(kind), right.astype(kind), aim, count)
            assert {(i, j) for _, i, j in found} >= needed
            real = [abs(int(left[i] + right[j]) - aim) for _, i, j in sorted(found)]
            assert real == sorted(real)


@pytest.mark.parametrize("target", ["5%", " 0.05 ", "1/20", 0.05, Fraction(1, 20), "5.0%"])
def test_targets(target):
    found = search_pay_tables("us", {"flush": [4, 6]}, target, count=1)
    assert found["flush"].item() == 6
    assert Fraction(found["distance_exact"].item()) == abs(Fraction(found["value_exact"].item()) + Fraction(1, 20))


@pytest.mark.parametrize(
    ("profile", "bounds", "target", "more", "words"),
    [
        ("us", "flush=7..5", "5%", {}, ("'flush=7..5'", "from 7 to 5")),
        ("us", "flsh=5..7", "5%", {}, ("did you mean flush?",)),
        ("us", "flush=5", "5%", {}, ("'5'", "5..7")),
        ("us", "flush=5..7..9", "5%", {}, ("'5..7..9'",)),
        ("us", "flush=-1..7", "5%", {}, ("'-1'", "from 0 to 1,000,000")),
        ("us", {"flush": (5, 1_000_001)}, "5%", {}, ("1000001", "from 0 to 1,000,000")),
        ("us", {"flush": (5, 7.0)}, "5%", {}, ("7.0",)),
        ("us", {"flush": 5}, "5%", {}, ("5 are no bounds",)),
        ("us", "flush=5..7,flush=5..7", "5%", {}, ("flush twice",)),
        ("us", "flush=5..7", "much", {}, ("'much'", "house edge")),
        ("us", "flush=5..7", "1/0", {}, ("'1/0'",)),
        ("us", "flush=5..7", float("nan"), {}, ("nan",)),
        ("us", "flush=5..7", float("inf"), {}, ("inf",)),
        ("us", "flush=5..7", None, {}, ("None",)),
        ("us", "flush=5..7", True, {}, ("True",)),
        ("us", "flush=5..7", "5%", {"count": 0}, ("the count 0", "1 to 1,000")),
        ("us", "flush=5..7", "5%", {"count": 1.0}, ("the count 1.0",)),
        (
            "us",
            "royal=0..999,sf=0..999,quads=0..999,full=0..999,flush=0..9",
            "5%",
            {},
            ("in 10,000,000", "at most 4,194,304"),
        ),
        ("us", "quads=0..999999,trips=0..2,pair=0..999999", "5%", {}, ("in 3,000,000", "at most 1,048,576")),
        ("us", "royal=0..999999,sf=0..999999", "5%", {"falling": True}, ("too many for falling",)),
        ("us", "flush=200..201", "5%", {"falling": True}, ("pays no less for a better hand",)),
        ("casino-holdem", "royal=0..20000", "5%", {}, ("20,001 pay tables", "at most 20,000")),
        ("casino-holdem", "flush=200..201", "5%", {"falling": True}, ("pays no less for a better hand",)),
    ],
)
def test_bad_searches(profile, bounds, target, more, words):
    with pytest.raises(InputError) as error:
        search_pay_tables(profile, bounds, target, **more)
    assert all(word in str(error.value) for word in words), error.value
    assert str(error.value).isprintable()
