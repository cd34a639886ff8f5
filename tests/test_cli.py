"""The command line: what goes to which stream, with which exit code, for right input and for every kind of wrong."""

from __future__ import annotations

import builtins
import contextlib
import io
import json
import os
import shlex
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from command_line import Ran, refused, run, spawn
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import pycs
from pycs import display, report_display
from pycs.cli import app, main
from pycs.pay_lines import pays_of
from pycs.rules import rules_from_dict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

COMMANDS = (
    *("profiles", "solve", "decide", "settle", "report", "session", "simulate", "paytables", "strategy", "chart"),
    *("verify", "certify"),
)
PROFILES = ("us", "betmgm", "live", "three-box", "triple-exchange", "oasis", "casino-holdem")
DEAL = ("AsKhJd8c3s", "Qc")
ROUND = ("--player", "QhQs9d6c2h", "--dealer", "JhJcAs8d3c", "--action", "call")
HOLDEM_DEAL = ("QsQh", "Qd2c7h")
KNOWN_42 = pycs.format_cards([card for card in range(51) if card not in pycs.parse_cards("".join(DEAL))][:42])
HOLDEM_ROUND = ("--player", "AsKs", "--dealer", "QcQd", "--board", "AdKd2h7c3s", "--action", "call")


def write_mine(folder: Path, text: str, changes: Sequence[tuple[str, str]]) -> Path:
    """A TOML profile with some of its text changed."""
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = folder / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def own_profile(tmp_path: Path) -> Callable[..., Path]:
    """Writes a TOML profile: that of `us` under a name and a title of one's own, with some lines changed."""

    def write(title: str, *changes: tuple[str, str]) -> Path:
        pays = "\n".join(f"{name} = {pay}" for name, pay in pays_of(pycs.load_rules("us")).items())
        text = (
            f'name = "mine"\ntitle = "{title}"\ngame = "caribbean-stud"\n[source]\ndocument = "none"\n'
            f'[stakes]\nante = 1\ncall = 2\n[dealer]\nqualifies = "ace-king"\n[pays]\n{pays}\n'
        )
        return write_mine(tmp_path, text, changes)

    return write


@pytest.fixture
def own_holdem(tmp_path: Path) -> Callable[..., Path]:
    """Writes a TOML profile: that of Casino Hold'em under a name of one's own, with some lines changed."""
    shipped = Path(__file__).resolve().parent.parent / "seeds" / "casino-holdem.toml"

    def write(*changes: tuple[str, str]) -> Path:
        named = ('name = "casino-holdem"', 'name = "mine"')
        return write_mine(tmp_path, shipped.read_text(encoding="utf-8"), (named, *changes))

    return write


class TestHelp:
    def test_no_arguments_show_the_help(self) -> None:
        ran = run()
        assert ran == run("--help") == run("-h")
        assert (ran.code, ran.err) == (0, "")
        for command in COMMANDS:
            assert f"\n  {command} " in ran.out

    @pytest.mark.parametrize("command", COMMANDS)
    def test_of_a_command(self, command: str) -> None:
        ran = run(command, "--help")
        assert ran == run("--help", command) == run(command, "us", "--nonsense", "-h")
        assert (ran.code, ran.err) == (0, "")
        assert ran.out.startswith(f"Usage: pycs {command} ")
        assert "--json" in ran.out

    def test_fits_a_terminal_of_80_columns(self) -> None:
        for tokens in ([], *([command, "-h"] for command in COMMANDS)):
            assert max(map(len, run(*tokens).out.splitlines())) <= 80

    def test_examples_in_the_help_are_right(self) -> None:
        for command in ("decide", "settle"):
            # An example may go on in the next line; the next one begins with the program's name again.
            text = run(command, "-h").out.partition("\nExamples: ")[2].partition("\n\n")[0]
            shown = [shlex.split(line) for line in text.replace("\\\n", " ").split("pycs ")[1:]]
            assert [line[:2] for line in shown[:2]] == [[command, "us"], [command, "casino-holdem"]]
            for line in shown:
                ran = run(*line)
                assert (ran.code, ran.err) == (0, "")
        assert "\nExamples: pycs report us\n" in run("report", "-h").out

    @pytest.mark.parametrize(
        ("command", "parts"),
        [
            ("decide", ("[UP|FLOP]", "flop", "--bonus X", "AA Bonus", "casino-holdem")),
            ("settle", ("--board CARDS", "the flop first", "--bonus X", "AA Bonus", "casino-holdem")),
            ("report", ("--bet NAME=X", "--strategy S", "--pays P", "--meter M", "--sharers N")),
        ],
    )
    def test_tells_of_casino_holdem(self, command: str, parts: tuple[str, ...]) -> None:
        text = run(command, "-h").out
        for part in parts:
            assert part in text

    def test_version(self) -> None:
        assert run("--version") == Ran(0, f"pycs {pycs.__version__}\n", "")

    def test_needs_no_heavy_import(self, tmp_path: Path) -> None:
        program = (
            "import sys; from pycs.cli import main; main(['--help']); main(['decide', '--help']); "
            "sys.exit(' '.join({'numpy', 'polars', 'rich', 'msgspec', 'tqdm', 'pycs._core'} & set(sys.modules)) or 0)"
        )
        done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")

    def test_unknown_command_before_help(self) -> None:
        refused(run("bogus", "--help"), "'bogus'", *COMMANDS)


class TestProfiles:
    def test_json(self) -> None:
        listed = run("profiles", "--json").document
        assert [each["profile"] for each in listed] == list(PROFILES)
        assert [each["exchanges_allowed"] for each in listed] == [0, 0, 0, 1, 3, 1, 0]
        assert [each["qualifies"] for each in listed] == ["ace-king"] * 6 + ["pair-of-fours"]
        assert [each["game"] for each in listed] == ["caribbean-stud"] * 6 + ["casino-holdem"]
        assert listed[-1]["source"] == "004_afc6dc60a904cea4.txt"
        assert list(listed[-1]["pays"].items())[-1] == ("straight_or_less", 1)
        assert list(listed[0]["pays"].values()) == [100, 50, 20, 7, 5, 4, 3, 2, 1]
        assert next(iter(listed[0]["pays"])) == "royal_flush"
        assert all(each["title"] for each in listed)

    def test_one_line_each(self) -> None:
        ran = run("profiles")
        assert (ran.code, ran.err) == (0, "")
        lines = ran.out.splitlines()
        for line, name in zip(lines[1:], PROFILES, strict=False):
            rules = pycs.load_rules(name)
            assert line.split()[0] == name
            assert rules.title in line
            assert rules.dealer.qualifies in line
            assert "/".join(map(str, pays_of(rules).values())) in line
        assert lines[1 + len(PROFILES)] == ""  # then only what the columns mean
        assert "in Casino Hold'em on the ante" in lines[-1]


class TestDecide:
    def test_json(self) -> None:
        answer = run("decide", "us", *DEAL, "--json").document
        assert answer == {**pycs.decide("us", *DEAL).to_dict(), "not_counted": []}
        assert {"profile", "hand", "upcard", "action", "values", "exact", "margin", "completions"} <= answer.keys()
        assert answer["action"] == "fold"
        assert Fraction(answer["exact"]["call"]) == Fraction(-190959, 163185)
        assert answer["outcomes"] == {"not_qualified": 74649, "win": 0, "push": 0, "lose": 88536}

    def test_options_stand_anywhere(self) -> None:
        asked = run("decide", "us", *DEAL, "--json")
        assert run("decide", "--json", "us", *DEAL) == run("decide", "us", "--exhaustive", DEAL[0], "--json", DEAL[1])
        assert run("decide", "--json", "--", "us", *DEAL) == asked

    @pytest.mark.parametrize("hand", ["As Kh Jd 8c 3s", "as,kh,jd,8c,3s", "A♠K♥J♦8♣3♠", " AsKh Jd8c3s "])
    def test_any_notation(self, hand: str) -> None:
        assert run("decide", "us", hand, "q♣", "--json") == run("decide", "us", *DEAL, "--json")

    def test_people(self) -> None:
        ran = run("decide", "us", *DEAL)
        assert (ran.code, ran.err) == (0, "")
        for part in ("AsKhJd8c3s (high card)", "Qc", "fold, better by 0.170199", "-1.170199", "-63653/54395", "74,649"):
            assert part in ran.out
        assert "no exchange" not in ran.out
        assert run("decide", "us", *DEAL, "--exhaustive") == ran

    def test_exchange_note(self) -> None:
        ran = run("decide", "three-box", *DEAL)
        assert "one hand alone; not counted: further boxes, limits of money" in ran.out
        document = run("decide", "triple-exchange", *DEAL, "--exchanges", "0", "--json").document
        assert (document["exchanges_left"], document["not_counted"]) == (0, ["limits of money"])

    def test_boxes_and_money(self) -> None:
        ran = run("decide", "three-box", *DEAL, "--ante", "10", "--balance", "25", "--box", "1", "--later", "10")
        assert (ran.code, ran.err) == (0, "")
        for part in ("an ante of 10, a balance of 25", "exchange: a fee of 10, a call of 20", "a call leaves 5, and"):
            assert part in ran.out
        blind = run("decide", "three-box", "--box", "3")
        assert "call, the only one" in blind.out
        assert run("decide", "three-box", "Qc", "--box=3", "--json").document["upcard"] == "Qc"
        document = run("decide", "three-box", "--box", "3", "--json").document
        assert (document["hand"], document["upcard"], document["exact"]["call"]) == (
            *(None, None),
            "-18390890767/110740169540",
        )
        assert document["wins"]["flush"] == 21_856_990_280

    def test_indifferent(self) -> None:
        rules = pycs.load_rules("us")
        answer = pycs.Decision(
            **{"profile": "us", "hand": DEAL[0], "upcard": DEAL[1], "category": "high card", "action": "fold"},
            values={"fold": Fraction(-1), "call": Fraction(-1)},
            counts=(81592, 0, 1, 81592),
        )
        assert "fold; indifferent: fold and call are worth exactly the same" in display.decision(answer, rules)

    def test_file_of_rules(self, own_profile: Callable[..., Path]) -> None:
        path = own_profile("Карибский покер, [bold]наш[/] :smile: " + "длинно " * 30, ("ace-king", "any"))
        ran = run("decide", str(path), *DEAL)
        assert "Карибский покер, [bold]наш[/] :smile: длинно" in ran.out
        assert run("decide", str(path), *DEAL, "--json").document["outcomes"]["not_qualified"] == 0


class TestDecideCasinoHoldem:
    def test_json(self) -> None:
        answer = run("decide", "casino-holdem", *HOLDEM_DEAL, "--json").document
        assert answer == {**pycs.decide("casino-holdem", *HOLDEM_DEAL).to_dict(), "not_counted": []}
        assert (answer["hand"], answer["flop"], answer["action"]) == ("QsQh", "Qd2c7h", "call")
        assert "upcard" not in answer
        assert answer["bonus"] is None
        assert Fraction(answer["exact"]["call"]) == Fraction(3196566, 1070190)
        assert list(answer["outcomes"]) == ["not_qualified", "win", "push", "lose"]
        assert sum(answer["outcomes"].values()) == answer["completions"] == 1070190
        lines = answer["ante_lines"]
        names = ["royal flush", "straight flush", "four of a kind", "full house", "flush", "straight or less"]
        assert list(lines) == names
        for end in ("not_qualified", "win"):
            assert sum(lines[name][end] for name in names) == answer["outcomes"][end]

    def test_json_with_a_bonus(self) -> None:
        answer = run("decide", "casino-holdem", *HOLDEM_DEAL, "--bonus", "1/3", "--json").document
        assert answer == {**pycs.decide("casino-holdem", *HOLDEM_DEAL, bonus="1/3").to_dict(), "not_counted": []}
        assert answer["bonus"] == {
            "bet": 1 / 3,
            "bet_exact": "1/3",
            "line": "aces to straight",
            "pays": 7,
            "bonus_requires_call": True,
            "net": {"fold": "-1/3", "call": "7/3"},
        }
        assert answer["exact"]["fold"] == "-4/3"
        assert run("decide", "casino-holdem", *HOLDEM_DEAL, "--bonus=0", "--json") == run(
            "decide", "casino-holdem", *HOLDEM_DEAL, "--json"
        )

    @pytest.mark.parametrize("more", [(), ("--json",), ("--bonus", "0.5"), ("--exhaustive",)])
    def test_spaces_change_nothing(self, more: tuple[str, ...]) -> None:
        plain = run("decide", "casino-holdem", *HOLDEM_DEAL, *more)
        assert plain.code == 0
        for hand, flop in (("Qs Qh", "Qd 2c 7h"), ("qs,qh", "Q♦ 2♣ 7♥"), (" QsQh ", "Qd2c 7h")):
            assert run("decide", "casino-holdem", hand, flop, *more) == plain

    def test_options_stand_anywhere(self) -> None:
        asked = run("decide", "casino-holdem", *HOLDEM_DEAL, "--bonus", "2")
        assert run("decide", "--bonus=2", "casino-holdem", *HOLDEM_DEAL) == asked
        assert run("decide", "casino-holdem", "QsQh", "--exhaustive", "--bonus", "2", "Qd2c7h") == asked
        assert run("decide", "--bonus", "2", "--", "casino-holdem", *HOLDEM_DEAL) == asked

    def test_people(self) -> None:
        ran = run("decide", "casino-holdem", *HOLDEM_DEAL)
        assert (ran.code, ran.err) == (0, "")
        for part in (
            *("QsQh\n", "Qd2c7h (with the hand: three of a kind)", "call, better by 3.986914", "+2.986914"),
            *("177587/59455", "dealer does not qualify, full house", "player wins with four of a kind", "1,070,190"),
        ):
            assert part in ran.out
        # Lines of the table that the player cannot reach are left out, and nothing is said of a bonus without a bet.
        assert not any(word in ran.out for word in ("royal", "straight flush", "bonus"))

    def test_people_with_a_bonus(self) -> None:
        ran = run("decide", "casino-holdem", "2s3d", "AsAhKs", "--bonus", "0.5")
        for part in ("0.5 antes: aces to straight pays 7 to 1, lost after a fold", "-3/2", "net without the bonus"):
            assert part in ran.out
        assert "call, better by" in ran.out
        assert "fold, better by" in run("decide", "casino-holdem", "2s3d", "AsAhKs").out
        lost = run("decide", "casino-holdem", "Js3h", "5d8cKh", "--bonus", "1")
        assert "1 ante: lost, whatever the player does" in lost.out

    def test_indifferent(self) -> None:
        ran = run("decide", "casino-holdem", "3h3d", "AsJs9s")
        assert "fold; indifferent: fold and call are worth exactly the same" in ran.out
        answer = run("decide", "casino-holdem", "3h3d", "AsJs9s", "--json").document
        assert (answer["indifferent"], answer["margin_exact"], answer["action"]) == (True, "0", "fold")

    def test_the_russian_alphabet(self) -> None:
        russian = run("decide", "casino-holdem", "Дп Дч", "Дб 2т 7ч", "--alphabet", "russian")
        assert russian == run("decide", "casino-holdem", *HOLDEM_DEAL)

    def test_file_of_rules_that_pay_the_bonus_anyway(self, own_holdem: Callable[..., Path]) -> None:
        path = own_holdem(("bonus_requires_call = true", "bonus_requires_call = false"))
        ran = run("decide", str(path), "2s3d", "AsAhKs", "--bonus", "0.5")
        assert "pays 7 to 1, after a fold too" in ran.out
        assert "fold, better by" in ran.out


class TestSettle:
    def test_json(self) -> None:
        result = run("settle", "betmgm", *ROUND, "--json").document
        assert result == pycs.settle("betmgm", ROUND[1], ROUND[3], "call").to_dict()
        assert (result["net"], result["staked"], result["returned"], result["outcome"]) == (3, 3, 6, "win")

    @pytest.mark.parametrize(
        ("player", "dealer", "action", "words"),
        [
            ("QhQs9d6c2h", "JhJcAs8d3c", "call", ("player is better", "call 1 to 1", "net       +3 antes")),
            ("QhJd9s8c2h", "AcQdJsTh9c", "call", ("does not qualify (needs ace-king or better)", "+1 ante\n")),
            ("AhKd8s5c2h", "AcKs8d5h2d", "call", ("exact tie", "net       0 antes")),
            ("JhJcAs8d3c", "QhQs9d6c2h", "call", ("dealer is better", "net       -3 antes")),
            ("QhQs9d6c2h", "JhJcAs8d3c", "fold", ("player folded", "staked    1 ante\n", "net       -1 ante\n")),
        ],
    )
    def test_people(self, player: str, dealer: str, action: str, words: Sequence[str]) -> None:
        ran = run("settle", "us", "--action", action, "--dealer", dealer, "--player", player)
        assert (ran.code, ran.err) == (0, "")
        for part in words:
            assert part in ran.out

    def test_exchanges_and_money(self) -> None:
        full_house = ("--player", "8h8d8c6d6s", "--dealer", "AdAcKh5h4s", "--action", "call", "--ante", "10")
        given = ("--gave-up", "9c7d4h3s2c", "--gave-up", "9d7h5s3c2d")
        ran = run("settle", "triple-exchange", *full_house, *given)
        for part in (
            *("exchange 1  9c7d4h3s2c given up", "exchange 2  9d7h5s3c2d given up", "2 antes, lost whatever happens"),
            *("staked      5 antes, in money 50", "net         +13 antes, in money +130"),
        ):
            assert part in ran.out
        document = run("settle", "triple-exchange", *full_house, *given, "--json").document
        assert document["money"] == {"staked": "50", "returned": "180", "net": "130"}
        assert "box         2" in run("settle", "three-box", *full_house, *given[:2], "--box", "2").out

    def test_qualifiers_in_words(self, own_profile: Callable[..., Path]) -> None:
        arguments = ("settle", str(own_profile("Pairs", ("ace-king", "pair-of-fours"))), *ROUND)
        assert "needs a pair of fours or better" in run(*arguments).out
        own_profile("Any", ("ace-king", "any"))
        assert "needs no more than any hand" in run(*arguments).out

    def test_json_of_casino_holdem(self) -> None:
        result = run("settle", "casino-holdem", *HOLDEM_ROUND, "--json").document
        assert result == pycs.settle("casino-holdem", "AsKs", "QcQd", "call", board="AdKd2h7c3s").to_dict()
        assert (result["board"], result["net"], result["staked"], result["bonus"]) == ("AdKd2h7c3s", 3, 3, 0)
        betting = run("settle", "casino-holdem", *HOLDEM_ROUND, "--bonus", "0.5", "--json").document
        assert (betting["bonus"], betting["bonus_exact"], betting["bonus_line"]) == (0.5, "1/2", "aces to straight")
        assert (betting["net"], betting["net_exact"]) == (6.5, "13/2")
        assert not {"board", "bonus"} & run("settle", "us", *ROUND, "--json").document.keys()

    def test_spaces_change_nothing(self) -> None:
        spaced = ("--player", "As Ks", "--dealer", "Q♣,Q♦", "--board", "Ad Kd 2h 7c 3s", "--action", "call")
        assert run("settle", "casino-holdem", *spaced) == run("settle", "casino-holdem", *HOLDEM_ROUND)

    @pytest.mark.parametrize(
        ("player", "dealer", "board", "more", "words"),
        [
            ("JsTs", "AhAd", "AsKsQs7d2c", (), ("the ante wins 100 to 1, the call 1 to 1", "net       +102 antes")),
            ("JsTs", "8h3d", "AsKsQs7d2c", (), ("the ante wins 100 to 1, the call comes back", "+100 antes")),
            ("8c7h", "Ac2d", "KdQh9c5s3d", (), ("does not qualify (needs a pair of fours or better)", "+1 ante\n")),
            ("AcKd", "2c3d", "4d4hTs9c6h", (), ("board     4d4hTs9c6h", "(pair), qualifies", "+3 antes")),
            ("2c3d", "4c5d", "AsKdQhJcTs", (), ("exact tie: ante and call come back", "net       0 antes")),
            ("2c3d", "AcKd", "4d4hTs9c6h", (), ("dealer is better", "net       -3 antes")),
            ("AsKs", "2c2d", "AdKdAh7c3s", ("--bonus", "0.5"), ("0.5 antes on full house: +15 antes", "+20 antes")),
            ("AsKs", "2c2d", "AdKdAh7c3s", ("--bonus=1/3",), ("1/3 antes on full house: +10 antes", "10/3 antes")),
            (
                "8c7h",
                "Ac2d",
                "KdQh9c5s3d",
                ("--bonus", "1"),
                ("1 ante on less than a pair of aces: -1 ante", "0 antes"),
            ),
        ],
    )
    def test_people_of_casino_holdem(
        self, player: str, dealer: str, board: str, more: Sequence[str], words: Sequence[str]
    ) -> None:
        arguments = ("--player", player, "--dealer", dealer, "--board", board, *more)
        ran = run("settle", "casino-holdem", *arguments, "--action", "call")
        assert (ran.code, ran.err) == (0, "")
        for part in words:
            assert part in ran.out
        assert ("AA Bonus" in ran.out.partition("\n")[2]) == bool(more)
        folded = run("settle", "casino-holdem", *arguments, "--action", "fold")
        assert "the player folded: the ante is lost" in folded.out
        assert more or "staked    1 ante\n" in folded.out

    def test_people_of_casino_holdem_with_other_rules(self, own_holdem: Callable[..., Path]) -> None:
        arguments = ("--player", "Qs3s", "--board", "As9s5sKd2c", "--action", "call")
        path = str(own_holdem(('= "by the table"', '= "1 to 1"'), ("call = 2", "call = 3")))
        failed = run("settle", path, *arguments, "--dealer", "Jh8d").out
        assert "the dealer does not qualify: the ante wins 1 to 1, the call comes back" in failed
        assert "net       +1 ante\n" in failed
        beaten = run("settle", path, *arguments, "--dealer", "AhAd").out
        assert "the player is better: the ante wins 2 to 1, the call 1 to 1" in beaten
        assert "net       +5 antes\n" in beaten


@pytest.fixture(scope="module")
def figures() -> dict[str, pycs.Report]:
    return {"us": pycs.report("us"), "casino-holdem": pycs.report("casino-holdem", bets={"aa-bonus": 2})}


@pytest.fixture
def bets_reported(figures: dict[str, pycs.Report], monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Each game is counted once for all tests of this file; gives back the list of bets that are asked for."""
    asked: list[object] = []

    def report(rules: pycs.Rules, *, bets: object, **_: object) -> pycs.Report:
        asked.append(bets)
        return figures[rules.name]

    monkeypatch.setattr("pycs.reports.report", report)
    return asked


@pytest.mark.usefixtures("bets_reported")
class TestReport:
    def test_json(self) -> None:
        figures = run("report", "us", "--json").document
        assert (figures["net"], figures["deals"]) == (-1041372912372, 19933230517200)
        assert Fraction(figures["exact"]) == Fraction(figures["net"], figures["deals"])
        assert sum(each["combinations"] for each in figures["outcomes"]) == figures["deals"]
        assert figures["house_edge"] == -figures["value"] > figures["element_of_risk"] > 0
        assert {"profile", "strategy", "average_bet", "variance", "sd", "actions", "bets"} <= figures.keys()
        assert set(figures["outcomes"][0]) == {"event", "net", "combinations"}

    def test_people(self) -> None:
        ran = run("report", "us")
        assert (ran.code, ran.err) == (0, "")
        for part in ("16,759,740", "19,933,230,517,200", "-142031221/2718662100", "58,357,116", "122,151,120"):
            assert part in ran.out
        lines = ran.out.splitlines()
        # Each figure stands on one line with what it is a share of.
        assert any("house edge" in line and "5.224306%" in line and "of the ante" in line for line in lines)
        assert any("element of risk" in line and "2.555286%" in line and "of all that is bet" in line for line in lines)
        assert any("average bet" in line and "2.044510" in line and "antes per round" in line for line in lines)
        assert any("standard deviation" in line and "2.242950" in line for line in lines)
        assert max(map(len, lines)) <= 80
        assert "AA Bonus" not in ran.out

    def test_json_of_casino_holdem(self, bets_reported: list[object]) -> None:
        document = run("report", "casino-holdem", "--bet", "aa-bonus=2", "--json").document
        assert bets_reported == [{"aa-bonus": "2"}]
        assert (document["deals"], document["indifferent_deals"]) == (27813810024000, 36)
        assert Fraction(document["exact"]) == Fraction(document["net"], document["deals"])
        assert sum(each["combinations"] for each in document["outcomes"]) == document["deals"]
        (bonus,) = document["bets"]
        assert (bonus["bet"], bonus["requires_call"]) == ("aa-bonus", True)
        assert Fraction(bonus["house_edge_exact"]) == Fraction(162652, 2598960)
        assert [each["bonus"] for each in bonus["joint"]] == [0.1, 0.5, 1.0, 2.0, 5.0]
        assert set(bonus["lines"][0]) == {"line", "net", "net_exact", "combinations"}

    def test_no_bonus_asked_for(self, bets_reported: list[object]) -> None:
        assert run("report", "casino-holdem").code == run("report", "us").code == 0
        assert bets_reported == [{}, {}]

    def test_people_of_casino_holdem(self) -> None:
        ran = run("report", "casino-holdem", "--bet", "aa-bonus=2")
        assert (ran.code, ran.err) == (0, "")
        for part in ("27,813,810,024,000", "25,989,600", "a pair of fours or better", "in 36 of the folded deals"):
            assert part in ran.out
        lines = [line for line in ran.out.splitlines() if line]
        for words in (
            ("house edge", "2.157646%", "of the ante"),
            ("element of risk", "0.817348%", "of all that is bet"),
            ("call", "21,309,024", "81.990581%"),
            ("wins with straight or less", "+3", "6,426,665,569,636"),
            ("dealer does not qualify, royal flush", "+100", "119,892,960"),
            ("nothing", "-1", "23,163,000"),
            ("house edge", "6.258349% of the bet on it"),
            ("exactly 5809/92820",),
            ("0.1", "-0.029179867", "-0.030650950", "89,172"),
            ("2", "-0.148093462", "-0.203066285", "91,488"),
        ):
            assert any(all(word in line for word in words) for line in lines), words
        assert any("17/4280760" in line for line in lines)
        assert any("169013/1426920" in line for line in lines)

    def test_people_of_casino_holdem_with_other_rules(self, figures: dict[str, pycs.Report]) -> None:
        """The words that hang on the rules: the figures are those of the shipped ones."""
        rules = pycs.load_rules("casino-holdem").to_dict()
        rules["dealer"]["ante_when_not_qualified"] = "1 to 1"
        (bet,) = figures["casino-holdem"].bets
        anyway = replace(bet, requires_call=False, weighed=None)
        other = replace(figures["casino-holdem"], rules=rules_from_dict(rules), bets=(anyway,))
        text = report_display.report(other)
        assert "dealer does not qualify: the ante pays 1 to 1, the call comes back" in text
        assert "after a fold        paid as after a call" in text
        assert "beyond a bonus bet" not in text
        published = report_display.report(figures["casino-holdem"])
        assert "100/20/10/3/2/1, to one, on the ante; 1 to 1 on a call of 2" in published
        assert "after a fold        lost: the best action weighs both bets" in published
        assert "beyond a bonus bet of 0.118446" in published

    def test_exchange_and_indifference_are_told(self) -> None:
        rules = pycs.load_rules("three-box")
        figures = pycs.Report(
            rules=rules,
            strategy="optimal",
            deals=4,
            net=-2,
            outcomes=(pycs.Event("push", 0, 2), pycs.Event("fold", -1, 2)),
            action_deals={"fold": 1000, "call": 1000},
            indifferent_deals=1000,
            staked=8,
        )
        text = report_display.report(figures)
        assert "fold and call only; not counted: the exchange, further boxes, limits of money" in text
        assert "in 1,000 of the folded deals, calling is worth exactly the same" in text


class TestTables:
    def test_solve_finds_the_table_that_is_there(self, us_folder: Path) -> None:
        ran = run("solve", "us", "-o", str(us_folder))
        assert (ran.code, ran.err) == (0, "")
        for part in (str(us_folder), "5,649,150", " MB ", "5.224306% of the ante", "next: pycs certify"):
            assert part in ran.out
        manifest = run("solve", "us", "--out", str(us_folder), "--json").document
        assert (manifest["rows"], manifest["path"]) == (5649150, str(us_folder))
        assert manifest["totals"]["net"] == -1041372912372

    def test_solve_finds_the_table_of_casino_holdem_that_is_there(self, holdem_folder: Path) -> None:
        ran = run("solve", "casino-holdem", "-o", str(holdem_folder))
        assert (ran.code, ran.err) == (0, "")
        for part in (str(holdem_folder), "1,286,792", " MB ", "2.157646% of the ante", "next: pycs certify"):
            assert part in ran.out
        manifest = run("solve", "casino-holdem", "--out", str(holdem_folder), "--json").document
        assert (manifest["rows"], manifest["path"]) == (1286792, str(holdem_folder))
        assert Fraction(manifest["totals"]["value"]) == Fraction(-1363917077, 63213204600)
        refused(run("solve", "us", "-o", str(holdem_folder)), str(holdem_folder))

    def test_certify_that_passes(self, monkeypatch: pytest.MonkeyPatch) -> None:
        asked: list[dict[str, Any]] = []

        def certify(folder: str, **how: Any) -> pycs.Certificate:
            asked.append({"folder": folder, **how})
            counts = {"rows": 5649150, "walked": 565, "resumed": 0, "mismatches": 0}
            counts |= {"completions": 565 * 163185, "seconds": 0.1}
            names = {"path": folder, "profile": "us", "rules_digest": "1" * 64, "core_version": "0"}
            return pycs.Certificate(**names, **counts, manifest_sha256="0" * 64, share=0.0001, seed=5, problems=())

        monkeypatch.setattr("pycs.certification.certify", certify)
        proof = run("certify", "tables/us", "--seed", "5", "--share", "0.0001", "--json")
        assert (proof.code, proof.document["passed"], proof.document["seed"]) == (0, True, 5)
        ran = run("certify", "tables/us")
        assert (ran.code, ran.err) == (0, "")
        assert "565 of 5,649,150" in ran.out
        assert "92,199,525 ranked and compared" in ran.out
        assert "passed" in ran.out
        assert asked == [
            {"folder": "tables/us", "share": 0.0001, "seed": 5},
            {"folder": "tables/us", "share": 1.0, "seed": None},
        ]

    def test_certify_that_fails(self, us_folder: Path, tmp_path: Path) -> None:
        manifest = (us_folder / "manifest.json").read_text()
        (tmp_path / "manifest.json").write_text(manifest.replace("-1041372912372", "-1041372912371"))
        ran = run("certify", str(tmp_path))
        assert (ran.code, ran.err) == (1, "")
        assert "failed" in ran.out
        assert "was altered or cut short" in ran.out
        proof = run("certify", str(tmp_path), "--json")
        assert (proof.code, proof.document["passed"], len(proof.document["problems"])) == (1, False, 1)

    def test_other_rules_there(self, us_folder: Path) -> None:
        refused(run("solve", "betmgm", "-o", str(us_folder)), str(us_folder))

    def test_folders_that_cannot_be(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        refused(run("solve", "us", "-o", str(tmp_path / "file")), str(tmp_path / "file"))
        refused(run("solve", "us", "-o", str(tmp_path / "file" / "below")), "Not a directory")
        refused(run("solve", "us", "-o", ""), "''", "folder")
        refused(run("certify", str(tmp_path / "nosuch")), "nosuch", "pycs solve")


class TestUsage:
    @pytest.mark.parametrize(
        ("arguments", "parts"),
        [
            (("dcide",), ("pycs: ", "'dcide'", "did you mean decide?", *COMMANDS)),
            (("",), ("''", *COMMANDS)),
            (("--json", "report", "us"), ("'--json'", "after it")),
            (("--",), ("'--'", *COMMANDS)),
            (("decide",), ("pycs decide: PROFILE is missing", "pycs decide PROFILE [HAND] [UP|FLOP]")),
            (("decide", "casino-holdem"), ("HAND is missing", "2 cards and the flop are needed")),
            (("decide", "us", *DEAL, "--box", "1"), ("box 1", "us has no boxes")),
            (
                ("decide", "three-box", *DEAL, "--box", "x"),
                ("box 'x'", "a whole number of at most three digits is allowed"),
            ),
            (("decide", "three-box", *DEAL, "--box", "3"), ("the hand 'AsKhJd8c3s'", "blind", "the upcard alone")),
            (("decide", "three-box", "--box", "2"), ("HAND is missing", "5 cards and the upcard are needed")),
            (("decide", "three-box", *DEAL, "--ante", "10"), ("the ante '10'", "the balance must be given, too")),
            (
                ("decide", "three-box", *DEAL, "--exchanges", "1", "--ante", "10", "--balance", "29"),
                ("exchanges left 1", "the balance pays for 0", "come to 30, and the balance is 29"),
            ),
            (("decide", "us", *DEAL, "--exchanges", "1"), ("exchanges left 1: us allows 0",)),
            (("decide", "triple-exchange", *DEAL, "--exchanges", "4"), ("exchanges left 4", "0 to 3")),
            (("decide", "three-box", *DEAL, "--exchanges", "x"), ("exchanges left 'x'", "a whole number")),
            (
                ("decide", "three-box", *DEAL, "--later", "10"),
                ("the later boxes' antes '10'", "the ante and the balance"),
            ),
            (("decide", "three-box", *DEAL, "--seed", "7"), ("the seed 7: nothing is estimated", "leave it out")),
            (("decide", "us", *DEAL, "--precise"), ("precise: nothing is estimated with 0 exchanges left",)),
            (("decide", "triple-exchange", *DEAL, "--seed", "x"), ("the seed 'x'", "from 0 to")),
            (("decide", "three-box", "--box", "3", "--ante", "10"), ("box 3 is blind",)),
            (("decide", "us", *DEAL, "--known", "As"), ("As of the known cards is also in the hand",)),
            (("decide", "us", *DEAL, "--known", KNOWN_42), ("42 cards came, at most 41 are allowed",)),
            (("settle", "us", *ROUND, "--gave-up", "2d"), ("1 exchange: us allows none",)),
            (("settle", "three-box", *ROUND, "--gave-up", "2d"), ("the cards given up '2d'", "5 are allowed")),
            (("decide", "us", "AsKhJd8c3s"), ("the upcard is missing", "after the hand")),
            (
                ("decide", "us", "As", "Kh", "Jd"),
                ("'Jd' is one argument too many", "quotes", "[UP|FLOP]"),
            ),
            (("decide", "us", *DEAL, "--bonus", "1"), ("bonus bet '1'", "us has no AA Bonus", "only 0 is allowed")),
            (("decide", "us", *DEAL, "--board", "AdKd2h7c3s"), ("'--board'", "[--bonus X]")),
            (("decide", "casino-holdem", *HOLDEM_DEAL, "--bonus"), ("'--bonus' needs a value", "--bonus X")),
            (("decide", "casino-holdem", *HOLDEM_DEAL, "--bonsu", "1"), ("'--bonsu'", "did you mean --bonus?")),
            (("decide", "casino-holdem", *HOLDEM_DEAL, "--bonus=1", "--bonus=2"), ("'--bonus' is there twice",)),
            (("decide", "casino-holdem", "QsQh", "Qd", "2c", "7h"), ("'2c' is one argument too many", "quotes")),
            (("decide", "us", *DEAL, "--exhaustve"), ("'--exhaustve'", "did you mean --exhaustive?")),
            (("decide", "us", *DEAL, "--no-json"), ("'--no-json'", "[--json]")),
            (("decide", "us", *DEAL, "--json", "--json"), ("'--json' is there twice",)),
            (("decide", "us", *DEAL, "--json=maybe"), ("'maybe'", "--json")),
            (("decide", "--", "us", *DEAL, "--json"), ("'--json' after '--'",)),
            (("decide", "us", "-x", "Qc"), ("'-x'", "PROFILE [HAND] [UP|FLOP]")),
            (("decide", "us", "-5", "Qc"), ("hand '-5'",)),
            (("decide", "us", "A\n\x1b[31ms", "Qc"), ("\\x1b",)),
            (("settle", "us", "--player", "AsKhJd8c3s"), ("--dealer is missing",)),
            (("settle", "us", "--palyer", "AsKhJd8c3s"), ("'--palyer'", "did you mean --player?", "--dealer CARDS")),
            (("settle", "us", *ROUND[:-1]), ("'--action' needs a value", "fold|call")),
            (("settle", "us", *ROUND[:-1], "raise"), ("'raise'", "fold or call")),
            (("settle", "us", *ROUND, "--action", "fold"), ("'--action' is there twice",)),
            (("settle", "us", *ROUND, "--board", "AdKd2h7c4s"), ("board 'AdKd2h7c4s'", "us has none")),
            (("settle", "us", *ROUND, "--bonus", "2"), ("bonus bet '2'", "us has no AA Bonus", "only 0 is allowed")),
            (("settle", "casino-holdem", *ROUND), ("hand 'QhQs9d6c2h'", "5 cards came, 2 are needed")),
            (
                ("settle", "casino-holdem", *HOLDEM_ROUND[:4], "--action", "call"),
                ("board is missing", "five cards, the flop first"),
            ),
            (("settle", "casino-holdem", *HOLDEM_ROUND, "--board", "x"), ("'--board' is there twice",)),
            (("settle", "casino-holdem", *HOLDEM_ROUND[:6]), ("--action is missing", "--action fold|call")),
            (("settle", "casino-holdem", *HOLDEM_ROUND[:-1], "check"), ("'check'", "fold or call")),
            *(
                (("settle", "casino-holdem", *HOLDEM_ROUND[:5], board, "--action", "call"), (f"'{board}'", words))
                for board, words in (
                    ("AdKd2h7c", "4 cards came, 5 are needed"),
                    ("AdKd2h7c3s4s", "6 cards came, 5 are needed"),
                    ("", "0 cards came, 5 are needed"),
                    ("AdKd2h7c7c", "7c is there twice"),
                )
            ),
            (
                ("settle", "casino-holdem", *HOLDEM_ROUND[:5], "AdKs2h7c3s", "--action", "call"),
                ("Ks of the board is also in the player's hand",),
            ),
            (("report", "us", "--bet", "aa-bonus=1"), ("bet 'aa-bonus'", "us offers no side bet")),
            (("report", "live", "--bet", "jackpoy=1"), ("bet 'jackpoy'", "live offers", "did you mean jackpot?")),
            (("report", "live", "--bet", "jackpot"), ("bet 'jackpot'", "NAME=X is allowed")),
            (("report", "live", "--bet", "jackpot=-1"), ("'-1'", "0 to 1000000 antes are allowed")),
            (("report", "live", "--bet", "jackpot=1", "--bet", "jackpot=2"), ("'jackpot=2'", "given twice")),
            (("report", "live", "--meter", "-1"), ("meter '-1'", "0 to 999999999")),
            (("report", "us", "--meter", "1"), ("meter '1'", "us has no Jackpot")),
            (("report", "live", "--sharers", "0"), ("number of sharers 0", "1 to 1000000000 are allowed")),
            (("report", "live", "--sharers", "1.5"), ("number of sharers '1.5'", "a whole number")),
            (("report", "us", "--strategy", "three-rule"), ("strategy 'three-rule'", "did you mean three-rules?")),
            (("report", "casino-holdem", "--bet"), ("'--bet' needs a value", "pycs report PROFILE [--strategy S]")),
            (("report", "casino-holdme"), ("'casino-holdme'", "did you mean casino-holdem?")),
            (("solve", "casino-holdem", "--bonus", "1"), ("'--bonus'", "pycs solve PROFILE")),
            *(
                (
                    (*asked, "--bonus", bad),
                    (f"bonus bet '{bad}'", '0 to 1000000 antes are allowed, of at most nine digits, as "2", "0.5" or'),
                )
                for bad in ("-1", "x", "1e3", "nan", "0.1234567891", "1/0", "1000001", "", "½")
                for asked in (
                    ("decide", "casino-holdem", *HOLDEM_DEAL),
                    ("settle", "casino-holdem", *HOLDEM_ROUND),
                )
            ),
            *(
                (("report", "casino-holdem", "--bet", f"aa-bonus={bad}"), (f"bet on aa-bonus '{bad}'", "0 to 1000000"))
                for bad in ("-1", "1e3", "1/0", "")
            ),
            (("solve", "us", "-o"), ("'-o' needs a value", "--out DIR")),
            (("report", "betmgn"), ("'betmgn'", "did you mean betmgm?", *PROFILES, ".toml")),
            (("report", "nosuch.toml"), ("nosuch.toml", "no such file")),
            (("profiles", "us"), ("'us' is one argument too many", "pycs profiles [--json]")),
            *((("certify", "x", "--share", bad), (f"'{bad}'", "above 0")) for bad in ("0", "1.1", "nan", "half", "-1")),
            *((("certify", "x", f"--seed={bad}"), (f"'{bad}'", "from 0")) for bad in ("1.5", "-1", "١", "0x1", "")),
            (("certify", "x", "--seed", str(2**64)), (str(2**64), str(2**64 - 1))),
            (("certify", "x", "--seed", "9" * 5000), ("'999", "from 0")),
        ],
        ids=lambda value: " ".join(value)[:40] if isinstance(value, tuple) else None,
    )
    def test_one_line_that_quotes_and_allows(self, arguments: tuple[str, ...], parts: tuple[str, ...]) -> None:
        refused(run(*arguments), *parts)

    @pytest.mark.parametrize(
        ("hand", "upcard", "part"),
        [
            ("AsAsKdQdJd", "2c", "As is there twice"),
            ("AsKd7h8c", "2c", "4 cards came, 5 are needed"),
            (*DEAL[:1], "As", "the upcard As is also in the hand"),
            (*DEAL[:1], "1h", "'1h'"),
            ("Тs Kh Jd 8c 3s", "2c", "Russian"),
            ("", "", "0 cards came"),
        ],
    )
    def test_cards(self, hand: str, upcard: str, part: str) -> None:
        refused(run("decide", "us", hand, upcard), "pycs decide: ", part)

    @pytest.mark.parametrize(
        ("cards", "parts"),
        [
            (("QsQh", "Qs2c7h"), ("Qs of the flop is also in the hand",)),
            (("QsQh", "Qd2c"), ("flop 'Qd2c'", "2 cards came, 3 are needed")),
            (("QsQh", "Qd2c7h8h"), ("flop 'Qd2c7h8h'", "4 cards came, 3 are needed")),
            (
                ("QsQhQd2c7h3s4s",),
                ("hand 'QsQhQd2c7h3s4s'", "7 cards came, 2 are needed", "the flop is missing: its 3 cards"),
            ),
            (("QsQhQd2c7h3s4s", "Qd2c7h"), ("hand 'QsQhQd2c7h3s4s'", "7 cards came, 2 are needed")),
            (("QsQh", "QsQhQd2c7h3s4s"), ("flop 'QsQhQd2c7h3s4s'", "7 cards came, 3 are needed")),
            (("QsQhQd2c7h",), ("hand 'QsQhQd2c7h'", "5 cards came, 2 are needed", "the flop is missing: its 3 cards")),
            (("QsQh",), ("the flop is missing", "3 cards", "after the hand")),
            (("QsQs", "Qd2c7h"), ("hand 'QsQs'", "Qs is there twice")),
            (("QsQh", "Qd2cQd"), ("flop 'Qd2cQd'", "Qd is there twice")),
            (("QsQh", "Qd2c1h"), ("'1' (character 5)", "2-9, T or 10, J, Q, K, A")),
            (("Qs", "Qh"), ("hand 'Qs'", "1 card came, 2 are needed")),
            (("", ""), ("hand ''", "0 cards came, 2 are needed")),
            (("AsKhJd8c3s", "Qc"), ("hand 'AsKhJd8c3s'", "5 cards came, 2 are needed")),
        ],
    )
    def test_cards_of_casino_holdem(self, cards: tuple[str, ...], parts: tuple[str, ...]) -> None:
        refused(run("decide", "casino-holdem", *cards), "pycs decide: ", *parts)

    def test_six_cards_in_one_argument(self) -> None:
        refused(run("decide", "us", "".join(DEAL)), "hand 'AsKhJd8c3sQc'", "6 cards came, 5 are needed", "upcard")

    def test_file_with_a_fault(self, own_profile: Callable[..., Path]) -> None:
        path = own_profile("Broken", ("flush = 5\n", "flush = -5\n"))
        refused(run("report", str(path)), str(path), "pays.flush", "-5")

    @pytest.mark.parametrize(
        ("change", "parts"),
        [
            (("bonus_requires_call = true", 'bonus_requires_call = "yes"'), ("true or false, not 'yes'",)),
            (
                ('= "by the table"', '= "1:1"'),
                ("dealer.ante_when_not_qualified", '"1 to 1" or "by the table"', "'1:1'"),
            ),
            (("straight_or_less = 1", "pair_or_less = 1"), ("pays.pair_or_less", "did you mean straight_or_less?")),
            (('"pair-of-fours"', '"pair-of-four"'), ("dealer.qualifies", "did you mean pair-of-fours?")),
            (('game = "casino-holdem"', 'game = "holdem"'), ("game", "caribbean-stud, casino-holdem, not 'holdem'")),
        ],
    )
    def test_file_of_casino_holdem_with_a_fault(
        self, own_holdem: Callable[..., Path], change: tuple[str, str], parts: tuple[str, ...]
    ) -> None:
        path = str(own_holdem(change))
        refused(run("decide", path, *HOLDEM_DEAL), path, *parts)

    POOL = (
        *COMMANDS,
        "decide",
        "settle",
        *DEAL,
        *ROUND,
        *HOLDEM_DEAL,
        *HOLDEM_ROUND,
        "--bonus",
        "0.5",
        "--json",
        "--exhaustive",
        "--",
        "-",
        "-o",
        "--out=x",
        "--share",
    )

    @given(
        st.lists(st.sampled_from(POOL) | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))),
        st.sampled_from([None, "us", "casino-holdem"]),
    )
    @example(["decide", *DEAL], "us")
    @example(["decide", *HOLDEM_DEAL, "--bonus", "0.5"], "casino-holdem")
    @example(["settle", *HOLDEM_ROUND, "--bonus", "0.5"], "casino-holdem")
    @settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    def test_anything_at_all(self, arguments: list[str], profile: str | None) -> None:
        if profile is not None and arguments[:1] in (["decide"], ["settle"]):
            arguments = [arguments[0], profile, *arguments[1:]]
        ran = run(*arguments)
        if ran.code:
            refused(ran)
        else:
            assert ran.err == ""
            assert ran.out


class TestProcess:
    """What shows only in a process of its own."""

    def test_answers_like_the_function(self, tmp_path: Path) -> None:
        ran = spawn(tmp_path, "decide", "us", *DEAL, "--json")
        assert ran == run("decide", "us", *DEAL, "--json")
        ran = spawn(tmp_path, "decide", "casino-holdem", "Qs Qh", "Qd 2c 7h", "--bonus", "0.5")
        assert ran == run("decide", "casino-holdem", *HOLDEM_DEAL, "--bonus", "0.5")

    def test_bytes_that_are_no_text(self, tmp_path: Path) -> None:
        refused(spawn(tmp_path, "decide", "us", b"A\xffs", "Qc"), "\\udcff")

    def test_ascii_output(self, tmp_path: Path, own_profile: Callable[..., Path]) -> None:
        path = str(own_profile("Карибский покер"))
        ran = spawn(tmp_path, "decide", path, *DEAL, LC_ALL="C", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
        assert (ran.code, ran.err) == (0, "")
        assert "\\u041a" in ran.out
        refused(spawn(tmp_path, "decide", "us", "A♠", "Qc", PYTHONIOENCODING="ascii"), "\\u2660")

    def test_console_command(self, tmp_path: Path) -> None:
        command = Path(sys.executable).parent / "pycs"
        done = subprocess.run([command, "--version"], cwd=tmp_path, capture_output=True, text=True)
        assert (done.returncode, done.stdout, done.stderr) == (0, f"pycs {pycs.__version__}\n", "")

    @pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
    def test_reader_that_goes_away(self, tmp_path: Path) -> None:
        reading, writing = os.pipe()
        os.close(reading)
        try:
            done = subprocess.run(
                [sys.executable, "-m", "pycs", "--help"], cwd=tmp_path, stdout=writing, stderr=subprocess.PIPE
            )
        finally:
            os.close(writing)
        assert (done.returncode, done.stderr) == (141, b"")

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
    def test_full_disk(self, tmp_path: Path) -> None:
        with Path("/dev/full").open("wb") as full:
            done = subprocess.run(
                [sys.executable, "-m", "pycs", "--help"], cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True
            )
        refused(Ran(done.returncode, "", done.stderr), "No space left on device")

    @pytest.mark.skipif(os.name != "posix", reason="terminals of POSIX")
    @pytest.mark.parametrize("environment", [{}, {"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=["colour", "no", "dumb"])
    def test_terminal(self, tmp_path: Path, environment: dict[str, str]) -> None:
        import pty

        ours, theirs = pty.openpty()
        plain = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}
        subprocess.run(
            [sys.executable, "-m", "pycs", "decide", "us", *DEAL],
            cwd=tmp_path,
            env={**plain, "TERM": "xterm", "COLUMNS": "80", **environment},
            stdin=theirs,
            stdout=theirs,
            check=True,
        )
        os.close(theirs)
        shown = os.read(ours, 1 << 16)
        os.close(ours)
        assert b"163,185" in shown
        assert (b"\x1b" in shown) == (not environment)


class TestTrouble:
    """What can go wrong under a command, each in one line."""

    @pytest.fixture
    def failing(self, monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException], Ran]:
        def fail(error: BaseException) -> Ran:
            def report(*_: object, **__: object) -> None:
                raise error

            monkeypatch.setattr("pycs.reports.report", report)
            return run("report", "us")

        return fail

    def test_errors_of_every_kind(self, failing: Callable[[BaseException], Ran]) -> None:
        refused(failing(pycs.TableError("tables/us: part-00.parquet was altered")), "pycs report: tables/us")
        refused(failing(PermissionError(13, "Permission denied", "/x\n")), "'/x\\n': Permission denied")
        refused(failing(OSError("odd")), "odd")
        refused(failing(MemoryError()), "out of memory")

    def test_interrupt(self, failing: Callable[[BaseException], Ran]) -> None:
        assert failing(KeyboardInterrupt()) == Ran(130, "", "pycs report: interrupted\n")

    def test_core_that_does_not_load(self, monkeypatch: pytest.MonkeyPatch) -> None:
        real = builtins.__import__

        def without_core(name: str, *rest: Any, **more: Any) -> Any:
            if name == "pycs.decisions":
                raise ImportError("pycs._core: wrong architecture")
            return real(name, *rest, **more)

        monkeypatch.setattr(builtins, "__import__", without_core)
        refused(run("decide", "us", *DEAL), "wrong architecture")

    def test_streams_that_are_not_there(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stdout", None)
        monkeypatch.setattr(sys, "stderr", None)
        assert main(["profiles"]) == 0
        assert main(["bogus"]) == 2


def test_narrow_terminal_keeps_every_digit(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setenv("NO_COLOR", "1")
    with contextlib.redirect_stdout(Terminal()):
        text = display.decision(pycs.decide("us", *DEAL), pycs.load_rules("us"))
        decision = pycs.decide("casino-holdem", *HOLDEM_DEAL, bonus="0.5")
        text += display.decision(decision, pycs.load_rules("casino-holdem"))
        listed = display.profiles([pycs.load_rules(name) for name in PROFILES])
    for part in ("-63653/54395", "163,185", "dealer does not qualify", "771359/118910", "1,070,190", "392,316"):
        assert part in text
    assert "triple-exchange" in listed
    assert "100/50/25/10/7/5/3/2/1" in listed
    assert "casino-holdem" in listed
    assert "100/20/10/3/2/1" in listed


def test_every_command_is_tested_here() -> None:
    assert tuple(app) == COMMANDS


def test_the_russian_alphabet_is_read_when_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    russian = ["decide", "us", "Тп Кч Вб 8т 3п", "Дт", "--json"]
    assert main([*russian, "--alphabet", "russian"]) == 0
    assert json.loads(capsys.readouterr().out)["hand"] == "AsKhJd8c3s"
    assert main(russian) == 2
    assert "an ace on Russian decks, a ten to the eye" in capsys.readouterr().err
    settled = ["settle", "us", "--player", "ТпКпДпВп10п", "--dealer", "2т3т4т5т7б", "--action", "call"]
    assert main([*settled, "--alphabet", "russian"]) == 0
    capsys.readouterr()
    holdem = ["settle", "casino-holdem", "--player", "ТпКп", "--dealer", "ДтДб", "--board", "ТбКб2ч7т3п"]
    assert main([*holdem, "--action", "call", "--alphabet", "russian"]) == 0
    assert capsys.readouterr().out == run("settle", "casino-holdem", *HOLDEM_ROUND).out
