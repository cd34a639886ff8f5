"""Verdicts on counts by class of outcome: right ones, wrong strategies and rules that are named, bad input."""

from __future__ import annotations

import json

import numpy as np
import pytest

from pycs.errors import InputError
from pycs.event_counts import event_names, read_counts
from pycs.outcome_counts import verdict_on_counts
from pycs.rule_variants import variants_of
from pycs.rules import load_rules

US = load_rules("us")
VARIANTS = {each.name: each for each in variants_of(US)}


def drawn(name: str, rounds: int, seed: int = 1, *, by_hands: bool = False) -> dict[str, int]:
    events = VARIANTS[name].events(by_hands=by_hands)
    chances = np.array(list(events.values())) / VARIANTS[name].ways
    counts = np.random.default_rng(seed).multinomial(rounds, chances).tolist()
    return dict(zip(events, counts, strict=True))


def coarse(counts: dict[str, int]) -> dict[str, int]:
    few = {
        "Fold": counts["fold"],
        "TIE": counts["push"],
        "lost": counts["dealer wins"],
        "not_qualified": counts["dealer does not qualify"],
    }
    return {**few, "win": sum(counts.values()) - sum(few.values())}


def test_right_counts_pass() -> None:
    found = verdict_on_counts(US, drawn("optimal", 2_000_000_000), strategy="optimal")
    assert (found.verdict, found.depth, found.causes) == ("pass", "counts", ())
    assert [(test.name, test.part) for test in found.tests] == [
        ("outcomes", "dealing"),
        ("actions", "play"),
        ("net result", "dealing"),
    ]
    assert any("for-one-read-as-to-one" in line or "pays-live" in line for line in found.unseen)
    few = verdict_on_counts(US, coarse(drawn("optimal", 100_000)), strategy="optimal")
    assert few.verdict == "not enough data"
    assert len(few.tests) == 2  # a win has no one net result
    assert any(line.startswith("three-rules: that takes about") for line in few.unseen)


@pytest.mark.parametrize(
    ("name", "rounds", "part"),
    [
        ("three-rules", 4_000_000_000, "play"),
        ("pair-or-better", 300_000, "play"),
        ("ties-lost", 4_000_000_000, "settling"),
        ("pair-qualifies", 100_000, "settling"),
    ],
)
def test_what_would_give_the_counts_is_named(name: str, rounds: int, part: str) -> None:
    for anytime in (False, True):
        found = verdict_on_counts(US, drawn(name, rounds), strategy="optimal", anytime=anytime)
        assert (found.verdict, found.causes) == ("fail", (name,))
        assert found.findings[0].part == part


def test_classes_that_are_off_are_told_when_nothing_fits() -> None:
    counts = drawn("optimal", 2_000_000_000)
    counts["push"] += 300_000
    for strategy in ("optimal", None):
        found = verdict_on_counts(US, counts, strategy=strategy)
        assert (found.verdict, found.causes) == ("fail", ())
        assert "push came 332," in found.findings[0].text


def test_without_a_claim_the_play_is_named_and_fails_nothing() -> None:
    found = verdict_on_counts(US, coarse(drawn("three-rules", 300_000_000)))
    assert (found.verdict, found.strategy) == ("pass", None)
    assert "the counts fit three-rules (p " in found.notes[0]
    assert "5.2245% per ante" in found.notes[0]
    assert "of the hands are folded" in found.notes[0]
    folded = verdict_on_counts(US, {"fold": 30_000_000})
    assert folded.verdict == "not enough data"
    assert "none with a name fits" in folded.notes[0]
    wrong = verdict_on_counts(US, drawn("ace-high-qualifies", 1_000_000))
    assert (wrong.verdict, wrong.causes) == ("fail", ("ace-high-qualifies",))


@pytest.mark.parametrize("name", ["for-one-read-as-to-one", "ties-lost", "pays-live"])
def test_net_results_beside_the_counts_must_be_right(name: str, tmp_path) -> None:
    rows = [{"event": end.event, "count": end.ways // 10**4, "net": end.net} for end in VARIANTS[name].by_hands]
    file = tmp_path / "counts.json"
    file.write_text(json.dumps({"outcomes": rows}))
    found = verdict_on_counts(US, file, strategy="optimal")
    assert (found.verdict, found.causes) == ("fail", (name,))
    assert found.findings[0].part == "settling"
    assert found.findings[0].examples
    right = [{"event": end.event, "count": end.ways // 10**3, "net": end.net} for end in VARIANTS["optimal"].ends]
    file.write_text(json.dumps(right))
    assert verdict_on_counts(US, file, strategy="optimal").verdict == "pass"
    odd = [{**row, "net": 2} if row["event"] == "push" else row for row in right]
    assert verdict_on_counts(US, {"outcomes": odd}, strategy="optimal").causes == ()


def test_right_counts_fail_as_seldom_as_alpha_says() -> None:
    verdicts = [
        verdict_on_counts(US, drawn("optimal", 5_000, seed), strategy="optimal", anytime=bool(seed % 2)).verdict
        for seed in range(8)
    ]
    assert verdicts.count("fail") <= 2


def test_counts_of_one_round_and_of_a_trillion() -> None:
    assert verdict_on_counts(US, {"fold": 1}, strategy="optimal").verdict == "not enough data"
    exact = {
        event: 999_999_999_000 * ways // VARIANTS["optimal"].ways
        for event, ways in VARIANTS["optimal"].events().items()
    }
    assert verdict_on_counts(US, exact, strategy="optimal").verdict == "pass"


def test_names_are_read_loosely(tmp_path) -> None:
    assert [
        read_counts({name: 1}, US).classes[0].events for name in ("Royal Flush", "quads", "high card", "win_flush")
    ] == [
        ("royal flush",),
        ("four of a kind",),
        ("pair or less",),
        ("flush",),
    ]
    holdem = load_rules("casino-holdem")
    assert read_counts({"not-qualified flush": 1}, holdem).classes[0].events == ("dealer does not qualify, flush",)
    assert len(read_counts({"not qualified": 1}, holdem).classes[0].events) == 6
    assert read_counts({"two pair": 1, "straight": 2}, holdem).classes[0].count == 3
    assert set(read_counts({"call": 1}, US).classes[0].events) == set(event_names(US)) - {"fold"}
    file = tmp_path / "counts.csv"
    file.write_text('\ufeffOutcome,Rounds\nfold,"1,000"\nPair,7\nhigh-card,3\ntotal,1010\n', encoding="utf-8")
    found = read_counts(file, US)
    assert [(each.name, each.count) for each in found.classes] == [("fold", 1000), ("high-card", 10)]


@pytest.mark.parametrize(
    ("counts", "told"),
    [
        ({"folded": 1, "flsh": 2}, "the event 'flsh' (did you mean flush?): one of royal flush"),
        ({"win": 1, "flush": 2}, "'win' and 'flush' overlap: each round must be counted once"),
        ({"fold": -1}, "the count of 'fold': -1: a whole number from 0"),
        ({"fold": 1.5}, "the count of 'fold': 1.5"),
        ({"fold": "many"}, "the count of 'fold': 'many'"),
        ({"fold": True}, "the count of 'fold': True"),
        ({"fold": 0}, "0 rounds in all: 1 to 1,000,000,000,000"),
        ({"fold": 10**13}, "a whole number from 0 to 1,000,000,000,000"),
        ({"fold": 1, "total": 2}, "the counts add up to 1, not to the total 2"),
        ({"outcomes": [{"event": "fold"}]}, "row 1 {'event': 'fold'}: an event and a count are needed"),
        ({"outcomes": [{"event": "fold", "count": 1, "net": "x"}]}, "the net result of 'fold': 'x'"),
        ("nowhere.csv", "nowhere.csv: No such file or directory"),
    ],
)
def test_bad_counts_are_one_line(counts, told: str) -> None:
    with pytest.raises(InputError, match=r"(?s)^[^\n]+$") as error:
        verdict_on_counts(US, counts)
    assert told in str(error.value)


@pytest.mark.parametrize("text", [b"\xff\xfe", b"", b"[", b"[1]", b"event\nfold\n", b"[" * 5000, b"a,b\n1,2\n"])
def test_bad_files_are_one_line(tmp_path, text: bytes) -> None:
    file = tmp_path / "counts.csv"
    file.write_bytes(text)
    with pytest.raises(InputError, match=r"(?s)^[^\n]+$"):
        read_counts(file, US)


def test_rules_with_an_exchange_are_refused() -> None:
    with pytest.raises(InputError, match="counts of three-box"):
        verdict_on_counts("three-box", {"fold": 1})
