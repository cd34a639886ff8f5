"""Verdicts on summaries: published figures, wrong denominators, strategies and rules that are named, bad input."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import pycs.exchange_summaries
from pycs.errors import InputError
from pycs.rule_variants import _of_named, variants_of
from pycs.rules import load_rules
from pycs.settlings import settling_of
from pycs.stated_figures import read_figure, read_total
from pycs.stated_summaries import Summary, read_summary
from pycs.strategy_costs import Play
from pycs.summaries import told_apart, verdict_on_summary

US = load_rules("us")
OPTIMAL = variants_of(US)[0]


def judged(strategy: str | None = "optimal", **said):
    anytime = said.pop("anytime", False)
    return verdict_on_summary(US, said, strategy=strategy, anytime=anytime)


def test_a_simulator_by_the_three_rules_passes() -> None:
    found = judged("three-rules", rounds=15_000_000, rtp="97.398714%", per="bet")
    assert (found.verdict, found.depth, found.strategy, found.causes) == ("pass", "summary", "three-rules", ())
    (test,) = found.tests
    assert test.statistic == pytest.approx(-1.67, abs=0.01)
    assert test.p_value == pytest.approx(0.0948, abs=0.001)
    assert any("ace-king-jack-eight-three" in line for line in found.unseen)
    assert not any("always-call" in line for line in found.unseen)


@pytest.mark.parametrize("strategy", ["three-rules", "optimal", None])
def test_the_same_figure_per_ante_is_the_wrong_denominator(strategy: str | None) -> None:
    found = judged(strategy, rounds=15_000_000, rtp="97.398714%", per="ante")
    assert (found.verdict, found.causes) == ("fail", ("per-bet",))
    assert "97.398714% fits the share of all money bet" in found.findings[0].text
    if strategy == "three-rules":
        assert "(exact 97.446229% for three-rules), not of the antes (94.775469%)" in found.findings[0].text


def test_an_edge_is_told_from_the_best_by_a_billion_rounds_only() -> None:
    few = judged(rounds=1_000_000, edge="5.316%", per="ante")
    assert (few.verdict, few.causes) == ("not enough data", ())
    assert "an error of 0.250% takes 14,339,1" in few.notes[-1]
    assert any(line.startswith("ace-king-jack-eight-three") for line in few.unseen)
    many = judged(rounds=1_000_000_000, edge="5.316%", per="ante")
    assert (many.verdict, many.causes) == ("fail", ("ace-king-jack-eight-three",))
    assert "5.316325%" in many.findings[0].text
    assert many.findings[0].part == "play"
    named = judged("ace-king-jack-eight-three", rounds=2_000_000_000, edge="5.316%", per="ante")
    assert named.verdict == "pass"
    growing = judged(rounds=1_000_000_000, edge="5.316%", per="ante", anytime=True)
    assert (growing.verdict, growing.tests[0].anytime) == ("fail", True)


def test_without_a_claim_the_play_is_named_and_fails_nothing() -> None:
    found = judged(None, rounds=1_000_000_000, edge="5.316%", per="ante")
    assert (found.verdict, found.strategy) == ("pass", None)
    assert found.notes[-1].startswith("no strategy is claimed; what was seen fits ace-king-jack-eight-three")
    poor = judged(None, rounds=1_000_000_000, edge="9%", per="ante")
    assert (poor.verdict, poor.findings) == ("not enough data", ())
    assert "none with a name fits" in poor.notes[-1]
    better = judged(None, rounds=1_000_000_000, edge="-11.309%", per="ante")
    assert (better.verdict, better.causes) == ("fail", ("ace-high-qualifies",))


@pytest.mark.parametrize(
    ("edge", "cause"),
    [("13.219%", "pair-qualifies"), ("-26.3892%", "for-one-read-as-to-one"), ("3.7037%", "pays-live"), ("33%", None)],
)
def test_rules_that_would_give_it_are_named(edge: str, cause: str | None) -> None:
    found = judged(rounds=3_000_000_000, edge=edge, per="ante")
    assert found.verdict == "fail"
    assert found.causes == ((cause,) if cause else ())
    assert found.findings[0].fails


def test_the_denominator_that_fits_is_told_when_none_is_stated() -> None:
    found = judged("three-rules", rounds=15_000_000, rtp="97.398714%")
    assert found.verdict == "pass"
    assert found.notes[0] == (
        "the figure does not fit the share of the antes (94.775469%) and fits the share of all money bet (97.446229%)"
    )
    assert judged(rounds=2_000_000_000, edge="5.2%").verdict == "pass"
    assert judged(rounds=2_000_000_000, edge="4%").verdict == "fail"


def test_totals_calls_and_the_standard_deviation() -> None:
    rounds = 2_000_000_000
    net, calls = round(rounds * OPTIMAL.net.mean), round(rounds * OPTIMAL.called)
    totals = {"rounds": rounds, "staked": rounds + 2 * calls, "returned": rounds + 2 * calls + net}
    found = judged(**totals, sd="2.243")
    assert found.verdict == "pass"
    assert [test.name for test in found.tests] == ["net result", "calls", "standard deviation"]
    assert min(test.p_value for test in found.tests) > 0.99
    money = {key: value if key == "rounds" else 5 * value for key, value in totals.items()}
    assert judged(**money, ante=5).verdict == "pass"
    wrong = judged(rounds=rounds, net=net, sd="3.92")
    assert (wrong.verdict, wrong.tests[1].failed) == ("fail", True)
    three = judged(rounds=10**10, net=round(10**10 * OPTIMAL.net.mean), staked=10**10 + 2 * 5229049066)
    assert (three.verdict, three.causes) == ("fail", ("three-rules",))
    antes = judged(rounds=rounds, staked=rounds, returned=rounds + net)
    assert (antes.verdict, antes.causes) == ("fail", ("per-ante",))
    assert (
        judged(rounds=rounds, net="-783,645.5").findings[0].text
        == "no 2,000,000,000 rounds bring -783,645.50 antes in all"
    )
    assert judged(rounds=100, net=30_000).verdict == "fail"
    assert judged(rounds=100, net=0, staked=99).verdict == "fail"


@pytest.mark.parametrize("rounds", [1, 3, 10**12])
def test_any_number_of_rounds(rounds: int) -> None:
    found = judged(rounds=rounds, net=-rounds if rounds < 9 else round(rounds * OPTIMAL.net.mean))
    assert found.verdict == ("not enough data" if rounds < 9 else "pass")


def test_right_summaries_fail_as_seldom_as_alpha_says() -> None:
    random, rounds = np.random.default_rng(17), 15_000
    weights = np.array([end.ways for end in OPTIMAL.ends]) / OPTIMAL.ways
    drawn = random.multinomial(rounds, weights, 8)
    nets, bets = (drawn @ np.array([getattr(end, of) for end in OPTIMAL.ends]) for of in ("net", "staked"))
    verdicts = [
        judged(rounds=rounds, edge=f"{-100 * net / bet:.4f}%", per="bet", anytime=bool(number % 2)).verdict
        for number, (net, bet) in enumerate(zip(nets.tolist(), bets.tolist(), strict=True))
    ]
    assert verdicts.count("fail") <= 2


def test_a_summary_in_a_file(tmp_path) -> None:
    file = tmp_path / "said.json"
    file.write_text('{"rounds": 15000000, "rtp": 0.97398714, "per": "bet", "sd": 2.250}')
    found = read_summary(file)
    assert found == Summary(rounds=15_000_000, rtp="0.97398714", per="bet", sd="2.250")
    assert found.rate.high - found.rate.low == Fraction(1, 10**8)
    assert verdict_on_summary("us", str(file), strategy="three-rules").to_dict()["depth"] == "summary"


def test_figures_stand_for_what_rounds_to_them() -> None:
    assert read_figure("-5.30%", "the edge")[1:] == (Fraction(-5305, 100000), Fraction(-5295, 100000))
    assert read_figure("1,234", "the edge").value == 1234
    assert read_figure(1e-7, "the edge").value == Fraction(1, 10**7)
    assert read_figure(Fraction(1, 3), "the edge") == ("1/3", Fraction(1, 3), Fraction(1, 3))
    assert read_total("2_000.50", "the net result") == Fraction(4001, 2)


def test_what_stays_untold() -> None:
    lines = told_apart({"a": 0.5, "b": 0.0, "c": 1e-4}, 2.0, 10_000, 0.01)
    assert lines == [
        "c, which is 0.0100% of an ante away: that takes about 7.1 billion rounds",
        "b, which with this play leaves the mean as it is",
    ]
    assert (
        told_apart({str(k): 1e-5 * k for k in range(1, 12)}, 2.0, 10_000, 0.01)[-1] == "3 more, which are nearer still"
    )


@pytest.fixture
def exchanges(monkeypatch):
    """The plays of `three-box` as they are, without the minute that it takes to count them."""
    best = Play("optimal", "", "", 10**12, -40_070_289_214, 2_395_000_000_000, {})
    other = Play("four-exchange-rules", "", "", 10**12, -40_625_960_000, 2_400_000_000_000, {})
    values = type("Values", (), {"game": None, "fee": 1})()
    own = (settling_of(US).least, "always-call")
    monkeypatch.setattr(pycs.exchange_summaries, "action_values", lambda _: values)
    monkeypatch.setattr(pycs.exchange_summaries, "read_strategy", lambda _, given: given)
    monkeypatch.setattr(
        pycs.exchange_summaries, "play_of", lambda _, given: {"optimal": best, "four-exchange-rules": other}[given]
    )
    monkeypatch.setattr(pycs.exchange_summaries, "named_plays", lambda _: (best, other))
    monkeypatch.setattr(pycs.exchange_summaries, "tallies", lambda *_: {own: _of_named(US)[own]})


@pytest.mark.usefixtures("exchanges")
def test_a_game_with_an_exchange_is_judged_by_its_mean() -> None:
    said = {"rounds": 100_000_000, "edge": "4.00%", "per": "ante"}
    found = verdict_on_summary("three-box", said, strategy="optimal")
    assert (found.verdict, found.tests[0].error) == ("pass", None)
    assert found.tests[0].method == "normal distribution, standard deviation at most 4.4589"
    assert verdict_on_summary("three-box", {**said, "sd": "2.9"}, strategy="optimal").tests[0].method.endswith("stated")
    wrong = verdict_on_summary("three-box", {**said, "per": "bet"}, strategy="optimal")
    assert (wrong.verdict, wrong.causes) == ("fail", ("per-ante",))
    many = {"rounds": 10**12, "edge": "4.0626%", "per": "ante"}
    other = verdict_on_summary("three-box", many, strategy="optimal")
    assert (other.verdict, other.causes) == ("fail", ("four-exchange-rules",))
    assert verdict_on_summary("three-box", many).verdict == "pass"
    better = verdict_on_summary("three-box", {**many, "edge": "3%"})
    assert (better.verdict, better.causes) == ("fail", ())
    assert verdict_on_summary("three-box", {**many, "edge": "9%"}).verdict == "not enough data"
    assert verdict_on_summary("three-box", {"rounds": 100, "net": -4}, strategy="optimal").verdict == "not enough data"


def test_exchanges_that_no_summary_can_be_judged_with() -> None:
    for profile, anytime, told in (
        ("triple-exchange", False, "with more than one exchange no whole game is valued"),
        ("three-box", True, "no test that holds at every look is known"),
        ("oasis", False, "no bound of the standard deviation is known for chosen cards: state it"),
    ):
        with pytest.raises(InputError, match=told):
            verdict_on_summary(profile, {"rounds": 100, "net": 1}, anytime=anytime)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"rounds": 0, "net": 1}, "the rounds 0: a whole number from 1 to 1,000,000,000,000"),
        ({"rounds": True, "net": 1}, "the rounds True"),
        ({"rounds": 10}, "the figures of nothing: one of net"),
        ({"rounds": 10, "staked": 10}, "the figures staked"),
        ({"rounds": 10, "net": 1, "edge": "5%"}, "the figures edge, net"),
        ({"rounds": 10, "edge": "five"}, "the edge 'five': a decimal number"),
        ({"rounds": 10, "edge": float("nan")}, "the edge nan"),
        ({"rounds": 10, "rtp": "1e3"}, "the rtp '1e3'"),
        ({"rounds": 10, "rtp": "95%", "per": "unit"}, "per 'unit': ante or bet"),
        ({"rounds": 10, "net": 1, "per": "bet"}, "per 'bet'"),
        ({"rounds": 10, "net": 1, "ante": 0}, "the ante 0: more than 0"),
        ({"rounds": 10, "net": 1, "sd": "-2"}, "the standard deviation '-2'"),
        ({"rounds": 10, "net": "a\nb"}, "the total net 'a\\nb'"),
        ({"rounds": 10, "nett": 1}, "the key 'nett': one of"),
        ({"net": 1}, 'an object with "rounds"'),
        ("nowhere.json", "nowhere.json: No such file or directory"),
    ],
)
def test_bad_summaries_are_one_line(said, told: str) -> None:
    with pytest.raises(InputError, match=r"(?s)^[^\n]+$") as error:
        verdict_on_summary("us", said)
    assert told in str(error.value)


@pytest.mark.parametrize("text", ["[1, 2]", "{", "[" * 5000, "\x00", '{"rounds": 1e3, "net": 1}'])
def test_bad_files_are_one_line(tmp_path, text: str) -> None:
    file = tmp_path / "said.json"
    file.write_text(text)
    with pytest.raises(InputError, match=r"(?s)^[^\n]+$"):
        read_summary(file)
