"""Strategies: what a rule looks at, how rules and tables are read, and what playing by them costs."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import oracle
import polars as pl
import pytest
from command_line import refused, run
from conftest import EXTREMES, HOLDEM_EXTREMES, as_array, drawn

import pycs
from pycs import action_values as action_values_module
from pycs.action_values import ActionValues, action_values
from pycs.cards import RANKS, format_cards
from pycs.conditions import holds
from pycs.core import HOLDEM, STUD, stud_exchange
from pycs.deal_classes import HOLE_CLASSES, deal_classes
from pycs.deal_features import FEATURES, deal_features
from pycs.deal_frames import deal_frame
from pycs.errors import InputError
from pycs.games import CARIBBEAN_STUD, CASINO_HOLDEM
from pycs.named_strategies import STRATEGIES
from pycs.rules import rules_from_dict
from pycs.strategies import PLAYED, Rule, Strategy
from pycs.strategy_costs import cost_of
from pycs.strategy_sources import read_rules, read_strategy, strategy_of_table

PUBLISHED = json.loads((Path(__file__).parent / "data" / "published.json").read_text(encoding="utf-8"))
SUITS_OF_FLOP = {1: "one suit", 2: "two suits", 3: "three suits"}
RANKS_OF_FLOP = {1: "three alike", 2: "a pair", 3: "no pair"}


@pytest.fixture(scope="module")
def us() -> ActionValues:
    return action_values("us")


@pytest.fixture(scope="module")
def holdem() -> ActionValues:
    return action_values("casino-holdem")


@pytest.fixture(scope="module", autouse=True)
def each_game_is_counted_once() -> Any:
    """The command line and `pycs.strategy` count a game anew; here they share the values of all tests."""
    kept: dict[Any, Any] = {}

    def once(rules: Any, exchanges: int) -> Any:
        if (rules, exchanges) not in kept:
            kept[rules, exchanges] = counted(rules, exchanges)
        return kept[rules, exchanges]

    counted = action_values_module._counted
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(action_values_module, "_counted", once)
        yield


# --- what a player sees -----------------------------------------------------------------------------------------------


def runs_in(ranks: set[int], needed: set[int]) -> int:
    """The most ranks within one straight that holds one of those needed; the ace is low as well."""
    best = 0
    for low in range(1, 11):
        straight = {14 if rank == 1 else rank for rank in range(low, low + 5)}
        if straight & needed:
            best = max(best, len(straight & ranks))
    return best


def stud_features(cards: list[int]) -> dict[str, Any]:
    hand, up = cards[:5], cards[5]
    ranks = sorted((card // 4 + 2 for card in hand), reverse=True)
    of_rank, of_suit = Counter(ranks), Counter(card % 4 for card in hand)
    most = max(of_rank.values())
    return {
        "category": oracle.category_name(oracle.hand_key(hand)),
        **{f"card_{place}": rank for place, rank in enumerate(ranks, 1)},
        "pair": max(rank for rank, count in of_rank.items() if count == most) if most > 1 else 0,
        "up": up // 4 + 2,
        "matches": of_rank[up // 4 + 2],
        "suited": max(of_suit.values()),
        "up_suited": of_suit[up % 4],
        "straight_cards": runs_in(set(ranks), set(ranks)),
    }


def holdem_features(cards: list[int]) -> dict[str, Any]:
    hole, flop = cards[:2], cards[2:]
    mine, table = ([card // 4 + 2 for card in group] for group in (hole, flop))
    both = Counter(mine + table)
    straight = runs_in(set(both), set(mine))
    outs = sum(runs_in({*both, rank}, set(mine)) == 5 for rank in range(2, 15))
    return {
        "category": oracle.category_name(oracle.hand_key(cards)),
        "hole_1": max(mine),
        "hole_2": min(mine),
        "hole_suited": int(hole[0] % 4 == hole[1] % 4),
        **{f"flop_{place}": rank for place, rank in enumerate(sorted(table, reverse=True), 1)},
        "flop_ranks": len(set(table)),
        "flop_suits": len({card % 4 for card in flop}),
        "pair": max((rank for rank in mine if both[rank] > 1), default=0),
        "overcards": sum(rank > max(table) for rank in mine),
        "flush_cards": max(sum(card % 4 == each % 4 for card in cards) for each in hole),
        "straight_cards": straight,
        "straight_outs": 0 if straight == 5 else outs,
    }


@pytest.mark.parametrize(
    ("game", "kernel", "extremes", "features"),
    [
        pytest.param(CARIBBEAN_STUD, STUD, EXTREMES, stud_features, id="stud"),
        pytest.param(CASINO_HOLDEM, HOLDEM, HOLDEM_EXTREMES, holdem_features, id="holdem"),
    ],
)
def test_features_are_what_their_words_say(game: Any, kernel: Any, extremes: Any, features: Any) -> None:
    deals = np.concatenate([as_array(extremes), drawn(kernel, 3000, 20261130)])
    found = deal_features(game)[kernel.indices(deals)]
    assert found.columns == list(FEATURES[game.name])
    for row, deal in zip(found.rows(named=True), deals.tolist(), strict=True):
        assert row == features(deal), format_cards(deal)


def test_classes_of_deals_are_what_their_words_say() -> None:
    deals = np.concatenate([as_array(EXTREMES), drawn(STUD, 2000, 1)])
    for row, deal in zip(deal_classes(CARIBBEAN_STUD)[STUD.indices(deals)].rows(), deals.tolist(), strict=True):
        of = stud_features(deal)
        letters = [RANKS[of[f"card_{place}"] - 2] for place in range(1, 6)]
        hand = of["category"]
        if hand == "pair":
            hand = f"pair of {RANKS[of['pair'] - 2]}"
        if hand == "high card":
            hand = "-".join(letters[:3]) if letters[:2] == ["A", "K"] else f"{letters[0]} high"
        assert row == (hand, RANKS[of["up"] - 2])
    deals = np.concatenate([as_array(HOLDEM_EXTREMES), drawn(HOLDEM, 2000, 2)])
    for row, deal in zip(deal_classes(CASINO_HOLDEM)[HOLDEM.indices(deals)].rows(), deals.tolist(), strict=True):
        of = holdem_features(deal)
        hand = of["category"]
        if hand in ("high card", "pair", "three of a kind") and not of["pair"]:
            draws = ["flush"] * (of["flush_cards"] == 4) + ["straight"] * (of["straight_outs"] >= 2)
            draw = f", {' and '.join(draws)} draw" if draws else ", gutshot" if of["straight_outs"] == 1 else ""
            hand = f"{RANKS[of['hole_1'] - 2]} high{draw}"
        assert row == (hand, f"{RANKS_OF_FLOP[of['flop_ranks']]}, {SUITS_OF_FLOP[of['flop_suits']]}")


def test_there_are_169_kinds_of_hole_cards() -> None:
    assert len(set(HOLE_CLASSES)) == len(HOLE_CLASSES) == 169
    assert HOLE_CLASSES[:3] == ("AA", "AKs", "AKo")


# --- what strategies cost ---------------------------------------------------------------------------------------------


def test_published_nets_to_the_last_digit(us: ActionValues) -> None:
    names = {
        "three rules of thumb": "three-rules",
        "pair or better": "pair-or-better",
        "blind (always raise)": "always-call",
    }
    nets = PUBLISHED["caribbean_us"]["strategies_net"]
    assert set(nets) == set(names)
    for published, net in nets.items():
        found = cost_of(us, STRATEGIES["caribbean-stud"][names[published]])
        assert found.play.net == net
        assert found.optimal.net == PUBLISHED["caribbean_us"]["optimal_net"]


@pytest.mark.parametrize(
    ("name", "edge", "risk"),
    [
        # Edges as the issue of Contingencies states them to three places; risks and the others to two.
        ("ace-king-jack-eight-three", "5.316", "2.60"),
        ("matching-rank", "5.334", "2.62"),
        ("ace-king-or-better", "5.682", "2.67"),
        ("pair-or-better", "5.47", "2.74"),
        ("three-rules", "5.22", "2.55"),
        ("always-call", "16.61", "5.54"),
    ],
)
def test_published_edges(us: ActionValues, name: str, edge: str, risk: str) -> None:
    play = cost_of(us, STRATEGIES["caribbean-stud"][name]).play
    assert f"{float(100 * play.house_edge):.{len(edge.partition('.')[2])}f}" == edge
    assert f"{float(100 * play.element_of_risk):.2f}" == risk


def test_a_strategy_costs_what_the_report_says() -> None:
    """Two roads: the values of all actions here, the tally of all outcomes there; under other pays as well."""
    given = "fold when hole_1 <= T and pair = 0 and straight_outs < 2 and flush_cards < 4; otherwise call"
    rules = pycs.rules_with_pays(pycs.load_rules("casino-holdem"), "straight=0,flush=9")
    found, report = pycs.strategy(rules, given), pycs.report(rules, strategy=given)
    for figure in ("net", "deals", "value", "house_edge", "element_of_risk", "average_bet", "actions"):
        assert getattr(found.play, figure) == getattr(report, figure), figure
    assert report.optimal is not None
    assert found.loss == report.optimal.value - report.value


def test_differences_add_up_and_are_what_is_played_otherwise(us: ActionValues) -> None:
    given, other = (STRATEGIES["caribbean-stud"][name] for name in ("matching-rank", "ace-king-jack-eight-three"))
    found, back = cost_of(us, given, other), cost_of(us, other, given)
    assert sum(each.loss for each in found.differences) == found.loss_to_other == -back.loss_to_other != 0
    apart = (given.played() != other.played()).to_numpy()
    weights, calls = (us.deals[column].to_numpy() for column in ("weight", "call"))
    assert found.different_deals == back.different_deals == weights[apart].sum()
    # One class by numpy alone: ace-king with an eight third, against a deuce.
    features = deal_features(CARIBBEAN_STUD)
    of_class = np.logical_and.reduce(
        [
            features[column].to_numpy() == rank
            for column, rank in (("card_1", 14), ("card_2", 13), ("card_3", 8), ("up", 2))
        ]
    ) & (features["category"].to_numpy() == "high card")
    line = next(each for each in found.differences if (each.hand, each.seen) == ("A-K-8", "2"))
    assert (line.action, line.other) == ("call", "fold")
    assert line.deals == weights[of_class & apart].sum()
    total = int((weights * (-us.denominator - calls))[of_class & apart].sum())
    assert line.loss == Fraction(total, us.rounds)
    assert line.loss_each_time(found.raw_deals) == Fraction(total, us.denominator * line.deals)


def test_best_play_has_no_mistakes(us: ActionValues) -> None:
    found = cost_of(us, None)
    assert (found.loss, found.differences, found.play) == (0, (), found.optimal)
    assert found.play.action_deals["call"] == PUBLISHED["caribbean_us"]["raise_pairs"][0]


def test_the_short_rules_of_holdem_bring_what_the_search_says(holdem: ActionValues) -> None:
    assert cost_of(holdem, STRATEGIES["casino-holdem"]["four-rules"]).play.net == -737_346_336_544


# --- with an exchange -------------------------------------------------------------------------------------------------


def test_an_exchange_is_worth_what_decide_says(us: ActionValues, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sweep of all deals is tested with the core: here it gives the exchanges of some deals, one by one."""
    rules = pycs.load_rules("three-box")
    deals = np.concatenate([as_array(EXTREMES[::4]), drawn(STUD, 40, 7)])
    rows = STUD.indices(deals)

    def sweep(qualify: int, nets: Any, *, progress: Any) -> Any:
        for _ in range(13):
            progress()
        totals, called = np.zeros((2, STUD.deals), np.int64)
        for deal, row in zip(deals.tolist(), rows.tolist(), strict=True):
            counts = stud_exchange([], deal[5:], deal[:5], qualify, nets)
            each = [nets[0], nets[1], None, nets[2], nets[3]]
            totals[row] = sum(
                ways * (win if net is None else net)
                for outcomes, win in zip(counts, nets[4:], strict=True)
                for ways, net in zip(outcomes, each, strict=True)
            )
            called[row] = sum(sum(outcomes[1:]) for outcomes in counts)
        return totals, called

    monkeypatch.setattr(action_values_module, "stud_exchange_sweep", sweep)
    values = action_values(rules)
    assert (values.actions, values.exchanges, values.fee) == (("fold", "call", "exchange"), 1, 1)
    assert values.denominator == comb(46, 5) * comb(41, 4)
    for deal, row in zip(deals.tolist(), values.deals[rows].rows(named=True), strict=True):
        decision = pycs.decide(rules, deal[:5], deal[5])
        assert {action: Fraction(row[action], values.denominator) for action in values.actions} == decision.values
        assert (row["best"], row["indifferent"]) == (decision.action, decision.indifferent)
    assert values.deals["weight"].equals(us.deals["weight"])


def test_three_actions_are_priced_as_by_hand(us: ActionValues) -> None:
    """With exchanges made up: the sums of a strategy, and of what it stakes, in numpy with Python's integers."""
    random = np.random.default_rng(11)
    times = 850_668
    made_up = random.integers(-2 * us.denominator * times, us.denominator * times, STUD.deals)
    called = random.integers(0, us.denominator * times, STUD.deals)
    deals = us.deals.with_columns(
        pl.col("fold", "call") * times, exchange=pl.Series(made_up), exchange_called=pl.Series(called)
    )
    best = pl.select(
        pl.when(deals["exchange"] > pl.max_horizontal(deals["fold"], deals["call"]))
        .then(pl.lit("exchange"))
        .when(deals["call"] > deals["fold"])
        .then(pl.lit("call"))
        .otherwise(pl.lit("fold"))
        .cast(PLAYED)
        .alias("best")
    )
    actions = ("fold", "call", "exchange")
    rules = pycs.load_rules("three-box")
    values = ActionValues(rules, 1, actions, us.denominator * times, deals.with_columns(best["best"]))
    given = STRATEGIES["caribbean-stud"]["four-exchange-rules"]
    found = cost_of(values, given)
    weights = deals["weight"].to_numpy()
    net = staked = optimal = 0
    for action in actions:
        for play, count in ((given.played(), "net"), (best["best"], "optimal")):
            rows = (play == action).to_numpy()
            # Two halves, for the sums pass 64 bits.
            low, high = (deals[action].to_numpy()[rows] & (2**30 - 1)), (deals[action].to_numpy()[rows] >> 30)
            total = int((low * weights[rows]).sum()) + (int((high * weights[rows]).sum()) << 30)
            if count == "optimal":
                optimal += total
                continue
            net += total
            taken = int(weights[rows].sum())
            staked += taken * values.denominator * {"fold": 1, "call": 3, "exchange": 2}[action]
            if action == "exchange":
                low, high = called[rows] & (2**30 - 1), called[rows] >> 30
                staked += 2 * (int((low * weights[rows]).sum()) + (int((high * weights[rows]).sum()) << 30))
            assert found.play.action_deals[action] == taken
    assert (found.play.net, found.play.staked, found.optimal.net) == (net, staked, optimal)
    assert sum(each.loss for each in found.differences) == found.loss == Fraction(optimal - net, values.rounds)


def test_exchanges_that_are_not_counted_are_refused() -> None:
    changed = pycs.load_rules("oasis").to_dict()
    changed["exchange"]["fees"]["2"] = 1
    with pytest.raises(InputError, match="by the rules of oasis only"):
        action_values(rules_from_dict({**changed, "name": "cheaper"}))
    with pytest.raises(InputError, match="with 0 or 1, for all deals are counted with at most one left"):
        action_values("triple-exchange", 2)
    dear = pycs.load_rules("three-box").to_dict()
    dear["pays"]["royal_flush"] = 1_000_000
    dear["stakes"]["call"] = 1000
    with pytest.raises(InputError, match="is too large to count"):
        action_values(rules_from_dict({**dear, "name": "dear"}))


# --- tables of decisions ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def decisions(holdem: ActionValues) -> pl.DataFrame:
    """Best play of Casino Hold'em as a table, out of order."""
    table = deal_frame(CASINO_HOLDEM).select("hand", "flop").with_columns(holdem.deals["best"].alias("action"))
    return table.sample(fraction=1, shuffle=True, seed=4)


def test_a_table_of_best_play_loses_nothing(holdem: ActionValues, decisions: pl.DataFrame, tmp_path: Path) -> None:
    assert cost_of(holdem, strategy_of_table(CASINO_HOLDEM, decisions)).loss == 0
    decisions.write_csv(tmp_path / "best.csv")
    found = pycs.strategy("casino-holdem", tmp_path / "best.csv")
    assert (found.play.strategy, found.loss, found.differences) == ("best.csv", 0, ())
    # One decision turned around costs what that deal is worth.
    deal = decisions.row(7, named=True)
    turned = {"call": "fold", "fold": "call"}[deal["action"]]
    actions = decisions["action"].cast(pl.String).scatter(7, turned)
    decisions.with_columns(action=actions).write_parquet(tmp_path / "one.parquet")
    found = pycs.strategy("casino-holdem", str(tmp_path / "one.parquet"))
    index = int(HOLDEM.index(pycs.parse_cards(deal["hand"]) + pycs.parse_cards(deal["flop"])))
    weight, fold, call = holdem.deals.select("weight", "fold", "call").row(index)
    assert found.loss == Fraction(weight * abs(call - fold), holdem.rounds)
    (line,) = found.differences
    assert (line.action, line.other, line.deals) == (turned, deal["action"], weight)


def test_tables_with_a_fault_are_refused_with_the_place(decisions: pl.DataFrame) -> None:
    def refusal(table: pl.DataFrame) -> str:
        with pytest.raises(InputError) as caught:
            strategy_of_table(CASINO_HOLDEM, table)
        return str(caught.value)

    assert "1 of 1286792 deals are missing, the first of them" in refusal(decisions[1:])
    again = pl.concat([decisions, decisions[5:6]])
    assert f"row 1286792: {decisions['hand'][5]} {decisions['flop'][5]} is the same deal as row 5" in refusal(again)
    swap = str.maketrans("cdhs", "dchs")
    relabeled = decisions[5:6].with_columns(
        pl.col("hand", "flop").map_elements(lambda text: text.translate(swap), pl.String)
    )
    assert "is the same deal as row 5" in refusal(pl.concat([decisions, relabeled]))
    names = decisions["action"].cast(pl.String)
    assert "row 3: the action 'raise': one of fold, call, exchange" in refusal(
        decisions.with_columns(action=names.scatter(3, "raise"))
    )
    assert "row 3: the action None" in refusal(decisions.with_columns(action=names.scatter(3, None)))
    assert "row 2" in refusal(decisions.with_columns(hand=decisions["hand"].scatter(2, "AsAs")))
    assert "no column flop" in refusal(decisions.drop("flop"))
    lists = decisions.with_columns(action=pl.concat_list(pl.col("action").cast(pl.String)))
    assert "the column action of List(String): text is needed" in refusal(lists)


# --- rules ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("call when card_3 > up and categry = 'pair'", "no column 'categry'"),
        ("call when category = 'paire'", "the category 'paire': one of high card, pair"),
        ("call when up > 3 and", "no condition: invalid syntax: columns, whole numbers, comparisons"),
        ("call when card_1", "no condition: it gives a number, true or false is needed"),
        ("call when card_1 = A twice", "no condition: invalid syntax"),
        # Each was read by SQL as something else than it says, or looks at more than the deal, or is not whole.
        ("call when category = 'royal flush' and up = max(up)", "no condition: 'max(up)'"),
        ("call when up / 3 * 3 = up", "no condition: 'up / 3'"),
        ("call when matches > 0 xor up_suited > 0", "no condition: invalid syntax"),
        ("call when now() = 3", "no condition: 'now()'"),
        ("call when category != $$pear$$", "no condition: invalid syntax"),
        ("call when 'pear' = category", "the category 'pear': one of high card, pair"),
        ("call when category > 3", "'3' is a number, a category is needed there"),
        ("call when not pair", "'pair' is a number, a truth is needed there"),
        ("call when (up > 3) = 1", "'up > 3' is a truth, which is not compared"),
        ("call when 9223372036854775807 + pair > 0", "can be larger than 9007199254740992"),
        ("call when " + "*".join(["up"] * 15) + " > 3", "can be larger than"),
        ('call when "^mat.*$" > 0', "the category '^mat.*$': one of high card"),
        ("call when up = 3 # or more", "no condition: '#' at character 8"),
        ("call when up = 3or4", "no condition: '3o' at character 6"),
        ("call when pair in 3", "in is followed by a list in brackets"),
        ("call when pair is 3", "no condition"),
        ("call when " + "-" * 1900 + "up = 3", "no condition: nested too deeply"),
        ("call when true", "no column 'true'"),
        ("call when card_1 > A", "it holds for no deal at all"),
        (
            "call when pair > 0; fold when pair > 5",
            "rule 2, 'pair > 5': it decides nothing that the rules before it leave open",
        ),
        ("raise when pair > 0", "the strategy 'raise when pair > 0'"),
        ("call when pair > 0; otherwise raise", "the rule 'otherwise raise'"),
        ("otherwise fold; call when pair > 0", "the rule 'call when pair > 0'"),
        ("call when pair > 0; exchange when up > 3", "exchange is not allowed, fold, call are on offer in us"),
        ("call when " + " and ".join(["up > 2"] * 300), "2000 are allowed"),
        ("three-rule", "did you mean three-rules"),
        ("nowhere.toml", "no such file"),
        ("nowhere.csv", "no such file"),
        ("", "one of optimal, three-rules"),
    ],
)
def test_rules_that_cannot_be_are_refused(rule: str, words: str) -> None:
    refused(run("strategy", "us", rule), words)


def test_arithmetic_of_ranks_does_not_wrap() -> None:
    """Ranks are held in eight bits; rules must not see that."""
    played = read_rules(CARIBBEAN_STUD, "call when up - 14 < 0 and card_1 * card_2 * card_3 > 2000").played()
    features = deal_features(CARIBBEAN_STUD)
    wide = {name: features[name].to_numpy().astype(np.int64) for name in ("up", "card_1", "card_2", "card_3")}
    calls = (wide["up"] < 14) & (wide["card_1"] * wide["card_2"] * wide["card_3"] > 2000)
    assert ((played == "call").to_numpy() == calls).all()


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("2 <= pair <= 5", lambda of: 2 <= of["pair"] <= 5),
        ("card_1 = card_2 = A", lambda of: of["card_1"] == of["card_2"] == 14),
        ("pair in (2, J, up) AND NOT matches = 0", lambda of: of["pair"] in (2, 11, of["up"]) and of["matches"] != 0),
        ("up not in (2, K) or pair <> 0", lambda of: of["up"] not in (2, 13) or of["pair"] != 0),
        ("category in ('pair', \"two pair\")", lambda of: of["category"] in ("pair", "two pair")),
        (
            "'pair' < category <= 'flush'",
            lambda of: of["category"] in ("two pair", "three of a kind", "straight", "flush"),
        ),
        (
            "card_1 - card_5 > 2 * matches + 3 and -up < -4",
            lambda of: of["card_1"] - of["card_5"] > 2 * of["matches"] + 3 and of["up"] > 4,
        ),
    ],
)
def test_conditions_mean_what_they_say(text: str, meaning: Any) -> None:
    held = holds(text, CARIBBEAN_STUD, "here")
    deals = np.concatenate([as_array(EXTREMES), drawn(STUD, 1500, 5)])
    features = deal_features(CARIBBEAN_STUD)[STUD.indices(deals)].rows(named=True)
    assert held.gather(STUD.indices(deals)).to_list() == [meaning(of) for of in features]


def test_a_condition_of_no_column() -> None:
    assert holds("1 < 2", CARIBBEAN_STUD, "here").all()
    assert len(holds("2 < 1", CARIBBEAN_STUD, "here")) == STUD.deals


def test_the_first_rule_that_holds_decides() -> None:
    played = read_rules(CARIBBEAN_STUD, "fold when up = 2; call when pair > 0 or up = 2; otherwise fold").played()
    features = deal_features(CARIBBEAN_STUD)
    calls = (features["up"] != 2) & (features["pair"] > 0)
    assert (played == "call").equals(calls.rename("action"))


RULE_FILE = """
name = "eights"
game = "casino-holdem"
title = "Eights or better."
rules = [{ when = "pair >= 8 or category > 'pair'", then = "call" }]
otherwise = "fold"
"""


def test_a_rule_file(tmp_path: Path) -> None:
    path = tmp_path / "eights.toml"
    path.write_text(RULE_FILE)
    found = pycs.strategy("casino-holdem", path)
    assert found.play.net == pycs.strategy("casino-holdem", "call when pair >= 8 or category > 'pair'").play.net
    assert (found.play.strategy, found.play.title) == ("eights", "Eights or better.")
    assert run("report", "casino-holdem", "--strategy", str(path), "--json").document["net"] == found.play.net
    for text, changed, words in (
        ("pair >= 8", "pear >= 8", "eights.toml: rule 1, \"pear >= 8 or category > 'pair'\": no column 'pear'"),
        ('then = "call"', 'then = "raise"', "rules[1].then: must be"),
        ('otherwise = "fold"', "", "otherwise: is missing"),
        ('"casino-holdem"', '"caribbean-stud"', "game: must be 'casino-holdem' here"),
        ('"eights"', '"common-rules"', "name: must not be common-rules"),
        ('title = "Eights', 'titel = "Eights', "titel: no such key (did you mean title?)"),
        ("rules = [", "rules = [] #", "rules: at least one rule is needed"),
    ):
        path.write_text(RULE_FILE.replace(text, changed, 1))
        refused(run("strategy", "casino-holdem", str(path)), words)


def test_strategies_of_another_kind_are_refused() -> None:
    with pytest.raises(InputError, match="is one of casino-holdem, not of caribbean-stud"):
        pycs.strategy("us", STRATEGIES["casino-holdem"]["always-call"])
    with pytest.raises(InputError, match="a name, rules, a file's path or a frame"):
        pycs.strategy("us", 7)  # type: ignore[arg-type]
    exchanging = Strategy("x", CASINO_HOLDEM, (Rule(when="pair = 0", then="exchange"),), "call")
    with pytest.raises(InputError, match="the strategy x exchanges"):
        pycs.report("casino-holdem", strategy=exchanging)


def test_rules_as_text_are_read_back_as_themselves() -> None:
    for game in (CARIBBEAN_STUD, CASINO_HOLDEM):
        for given in STRATEGIES[game.name].values():
            again = read_strategy(game, str(given))
            assert again is not None
            assert (str(again), again.otherwise) == (str(given), given.otherwise)
            assert [(rule.when, rule.then) for rule in again.rules] == [(rule.when, rule.then) for rule in given.rules]


# --- the command line -------------------------------------------------------------------------------------------------


def test_strategy_on_the_command_line(tmp_path: Path) -> None:
    ran = run("strategy", "us", "three-rules", "-o", str(tmp_path / "mistakes.csv"))
    assert (ran.code, ran.err) == (0, "")
    for part in ("-1,041,417,758,724", "exactly 311433/138425211925", "A-K-Q  call         fold     60,360", "3-7"):
        assert part in ran.out
    document = run("strategy", "us", "three-rules", "--json").document
    rows = pl.read_csv(tmp_path / "mistakes.csv")
    assert rows.rows(named=True) == document["differences"]
    assert sum(Fraction(text) for text in rows["loss_exact"]) == Fraction(document["loss_exact"])
    assert document["optimal"]["net"] == PUBLISHED["caribbean_us"]["optimal_net"]


def test_the_list_of_strategies_and_of_columns() -> None:
    named = run("strategy", "us", "--list", "--json").document
    assert [play["strategy"] for play in named] == ["optimal", *STRATEGIES["caribbean-stud"]][:-1]
    assert min(play["house_edge"] for play in named) == named[0]["house_edge"]
    assert "matching-rank" in run("strategy", "us", "--list").out
    assert run("strategy", "casino-holdem", "--columns", "--json").document == dict(FEATURES["casino-holdem"])
    assert "overcards" in run("strategy", "casino-holdem", "--columns").out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("us",), "no strategy"),
        (("us", "three-rules", "--list"), "--list, --columns and --find stand alone"),
        (("us", "three-rules", "--exchanges", "1"), "exchanges left 1: us is valued with 0"),
        (
            ("triple-exchange", "three-rules", "--exchanges", "2"),
            "with 0 or 1, for all deals are counted with at most one",
        ),
        (("us", "four-exchange-rules"), "exchange is not allowed, fold, call are on offer in us"),
        (("us", "--find", "--rules", "9"), "1 to 8"),
        (("us", "--rules", "2"), "it goes with --find"),
        (("us", "three-rules", "--find"), "--list, --columns and --find stand alone"),
        (("us", "three-rules", "-o", "x.txt"), "ends in .csv or .parquet"),
        (("us", "three-rules", "--against", "best"), "the strategy 'best'"),
    ],
)
def test_what_the_command_refuses(arguments: tuple[str, ...], words: str) -> None:
    refused(run("strategy", *arguments), words)


def test_side_by_side_on_the_command_line() -> None:
    both = ("strategy", "casino-holdem", "always-call", "--against", "pair-or-better")
    document = run(*both, "--json").document
    assert document["other"]["strategy"] == "pair-or-better"
    assert document["loss_to_other"] < 0 < document["loss"]
    assert "always-call wins against pair-or-better" in run(*both).out
