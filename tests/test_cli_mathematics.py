"""Reports, sessions and pay tables on the command line: what they print, what they write, and what they refuse."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction
from functools import cache
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest
from command_line import refused, run

import pycs
from pycs import html_report, joint_rounds, pay_table_values, reports
from pycs.pay_table_values import PayGroups
from pycs.rules import rules_from_dict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

NIGHT = ("session", "betmgm")


@pytest.fixture(scope="module", autouse=True)
def each_game_is_counted_once() -> Iterator[None]:
    """What a game is worth is tested elsewhere: here it is counted, valued and grouped once."""
    kept: dict[object, Any] = {}

    def keep(function: Callable[..., Any], key: Callable[..., object]) -> Callable[..., Any]:
        def kept_one(*arguments: Any) -> Any:
            found = (function, key(*arguments))
            if found not in kept:
                kept[found] = function(*arguments)
            return kept[found]

        return kept_one

    with pytest.MonkeyPatch.context() as patch:
        valued = keep(joint_rounds.valued_game, lambda rules, bets: (rules, tuple(bet.name for bet in bets)))
        patch.setattr(joint_rounds, "valued_game", valued)
        patch.setattr(reports, "valued_game", valued)
        patch.setattr(html_report, "strategy_reports", cache(reports.strategy_reports))
        patch.setattr(PayGroups, "of", cache(PayGroups.of))
        patch.setattr(pay_table_values, "counted_game", cache(pay_table_values.counted_game))
        yield


class TestSession:
    def test_people(self) -> None:
        ran = run(*NIGHT, "--bankroll", "20", "--risk", "1/20")
        assert (ran.code, ran.err) == (0, "")
        for part in (
            "20 rounds, strategy optimal",
            "chances  exact",
            "above 0: the player wins  40.054946%",
            "exactly 0: nobody wins     7.913267%",
            "below 0: the bank wins    52.031787%",
            "-0.740735636 antes, exactly -184565677343/249165381465",
            "from 20 antes, ruined within 20 rounds: 0.0440334368 (exact, rounded here)",
            "for a risk of at most 0.05: 20 antes",
            "with one less 0.0505013338",
            "a call that can't be paid is a fold",
        ):
            assert part in ran.out
        assert re.search(r"^ {9}0 +7\.9133%  #+$", ran.out, re.MULTILINE)

    def test_json(self) -> None:
        document = run(*NIGHT, "--bankroll", "20", "--risk", "1/20", "--json").document
        wins, draws, loses = (Fraction(document[name]["chance_exact"]) for name in ("above", "at", "below"))
        assert wins + draws + loses == 1
        assert (document["rounds"], document["method"], document["error"], document["draw"]) == (20, "exact", 0, 0)
        assert document["player_wins"] == float(wins)
        assert document["bankroll"]["bankroll"] == 20
        assert document["ruin"]["chance"] == document["bankroll"]["chance"]
        assert Fraction(document["mean_exact"]) == 20 * pycs.report("betmgm").value

    def test_floats_say_so(self) -> None:
        ran = run("session", "us", "--rounds", "1000000")
        assert re.search(r"in floats, by Fourier transform: none is wrong by more than \d\.\de-\d\d", ran.out)
        document = run("session", "us", "--rounds", "1000000", "--json").document
        assert document["method"] == "fourier"
        assert 0 < document["error"] < 1e-9
        assert "chance_exact" not in document["above"]

    def test_a_table_of_all_results(self, tmp_path: Path) -> None:
        for name in ("night.csv", "night.parquet"):
            assert run(*NIGHT, "-o", str(tmp_path / name)).code == 0
        rows = pl.read_csv(tmp_path / "night.csv", infer_schema_length=None)
        assert rows.columns == pl.read_parquet(tmp_path / "night.parquet").columns
        chances = [Fraction(text) for text in rows["probability_exact"]]
        nets = [Fraction(f"{text}") for text in rows["net_exact"]]
        assert sum(chances) == 1
        assert sum(net * chance for net, chance in zip(nets, chances, strict=True)) == 20 * pycs.report("betmgm").value
        assert sorted(path.name for path in tmp_path.iterdir()) == ["night.csv", "night.parquet"]

    def test_pictures(self, tmp_path: Path) -> None:
        starts = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF", "html": b"<!DOCTYPE html>"}
        for kind, start in starts.items():
            path = tmp_path / f"night.{kind}"
            assert run(*NIGHT, "--bet", "five-plus-one=0", "-o", str(path)).code == 2  # betmgm has no side bet
            assert not path.exists()
            assert run(*NIGHT, "-o", str(path)).code == 0
            assert path.read_bytes().lstrip().lower().startswith(start.lower())
        assert "20 rounds of betmgm" in (tmp_path / "night.svg").read_text(encoding="utf-8")
        page = (tmp_path / "night.html").read_text(encoding="utf-8")
        assert not re.search(r'<(script|link|img)[^>]*(src|href)="http', page)

    @pytest.mark.parametrize(
        ("arguments", "parts"),
        [
            (("us", "--rounds", "0"), ("the rounds 0", "a whole number from 1 to 1")),
            (("us", "--rounds", "-1"), ("'-1'", "a whole number")),
            (("us", "--rounds", "1.5"), ("'1.5'", "a whole number")),
            (("us", "--rounds", "9999999999"), ("9999999999", "a whole number from 1 to 1")),
            (
                ("us", "--rounds", "100000000", "--bankroll", "1"),
                ("100000000", "with a bankroll", "at most 10000000"),
            ),
            (("us", "--bankroll", "-1"), ("the bankroll '-1'", "0 to 10000000 antes are allowed")),
            (("us", "--risk", "0"), ("the risk '0'", "above 0 and below 1")),
            (("us", "--risk", "1"), ("the risk '1'", "above 0 and below 1")),
            (("us", "--risk", "2"), ("the risk '2'", "above 0 and below 1")),
            (("us", "--bet", "jackpot=1"), ("bet 'jackpot'", "us offers no side bet")),
            (("live", "--bet", "jackpot=-1"), ("'-1'", "0 to 1000000 antes")),
            (("live", "--meter", "-5"), ("the meter '-5'", "0 to 999999999")),
            (("us", "-o", "night.txt"), ("'night.txt'", ".csv or .parquet or .html or .svg or .png or .pdf")),
            (("us", "-o", ""), ("''", ".csv")),
            (("us", "--strategy", "best"), ("strategy 'best'", "optimal, three-rules")),
            (("nosuch",), ("'nosuch'", "betmgm")),
        ],
    )
    def test_what_cannot_be(self, arguments: tuple[str, ...], parts: tuple[str, ...]) -> None:
        refused(run("session", *arguments), "pycs session: ", *parts)

    def test_a_folder_that_is_not_there(self, tmp_path: Path) -> None:
        refused(run(*NIGHT, "-o", str(tmp_path / "no" / "night.csv")), "night.csv", "there is no folder")
        (tmp_path / "night.csv").mkdir()
        refused(run(*NIGHT, "-o", str(tmp_path / "night.csv")), "night.csv", "there is a folder of that name")


def test_what_is_not_counted_is_said() -> None:
    for command in ("session", "paytables"):
        assert "fold and call only; not counted: the exchange" in run(command, "oasis").out
        assert run(command, "oasis", "--json").document["not_counted"] == ["the exchange"]
    assert run("session", "live", "--json").document["not_counted"] == []


def test_a_meter_with_odd_cents() -> None:
    ran = run("session", "live", "--bet", "jackpot=0.1", "--meter", "123456.78")
    assert "in floats, by how often a rare result comes: none is wrong by more than" in ran.out


class TestPayTables:
    def test_the_published_ones(self) -> None:
        ran = run("paytables", "us")
        assert (ran.code, ran.err) == (0, "")
        for part in ("5.224306%", "5.207490%", "5.199082%", "3.703678%", "5.005529%", "4.821386%", "3.349784%"):
            assert part in ran.out
        rows = run("paytables", "us", "--json").document["rows"]
        assert [row["changed_deals"] for row in rows] == [0] * 7  # only what a pair or less pays moves a decision
        assert Fraction(rows[0]["value_exact"]) == pycs.report("us").value

    def test_of_a_file(self, tmp_path: Path) -> None:
        mine = tmp_path / "mine.csv"
        mine.write_text("name,royal,pair\nas it is,100,1\nmore,250,2\n", encoding="utf-8")
        out = tmp_path / "out.parquet"
        rows = run("paytables", "us", str(mine), "-o", str(out), "--json").document["rows"]
        assert [row["name"] for row in rows] == ["as it is", "more"]
        assert [row["net"] for row in rows] == [-1041372912372, 3658129404744]
        written = pl.read_parquet(out)
        assert written["net"].to_list() == ["-1041372912372", "3658129404744"]
        assert written["value_exact"].to_list() == [row["value_exact"] for row in rows]
        assert "as it is" in run("paytables", "us", str(mine)).out

    def test_a_file_is_one_file(self, tmp_path: Path) -> None:
        """Whatever Polars would take its name for; and its words do not move the terminal."""
        path = tmp_path / "[x]*.csv"
        path.write_text('name,royal\n"\x1b[31mred",200\n"two\nlines",300\n', encoding="utf-8")
        ran = run("paytables", "us", str(path))
        assert (ran.code, ran.err) == (0, "")
        assert "\\x1b[31mred" in ran.out
        assert "two\\nlines" in ran.out
        refused(run("paytables", "us", str(tmp_path / "*.csv")), "No such file")
        refused(run("paytables", "us", "http://localhost/x.csv"), "No such file")
        for content, words in {
            "": "empty",
            "royal\n": "no pay table",
            "royal,royal\n1,2\n": "'royal' is",
        }.items():
            path.write_text(content, encoding="utf-8")
            refused(run("paytables", "us", str(path)), "[x]*.csv: ", words)

    def test_search(self) -> None:
        question = ("paytables", "us", "--search", "royal=100..250,flush=5..7", "--target", "5%", "--count", "1")
        (row,) = run(*question, "--json").document["rows"]
        assert (row["royal_flush"], row["flush"]) == (130, 6)
        assert abs(row["house_edge"] - 0.05) == pytest.approx(row["distance"], rel=1e-6)
        assert "130/50/20/7/6/4/3/2/1" in run(*question).out

    def test_changes(self, tmp_path: Path) -> None:
        out = tmp_path / "changes.csv"
        ran = run("paytables", "us", "--changes", "pair=2", "-o", str(out))
        assert "and 61,703 more rows" in ran.out
        rows = pl.read_csv(out)
        assert rows.height == 61_743
        assert set(rows["action_a"]) == {"fold"}
        hand, upcard = rows.row(1000, named=True)["hand"], rows.row(1000, named=True)["upcard"]
        assert pycs.decide("us", hand, upcard).action == "fold"
        assert pycs.decide(pycs.rules_with_pays("us", "pair=2"), hand, upcard).action == "call"

    def test_sensitivity(self) -> None:
        rows = run("paytables", "us", "--sensitivity", "--json").document["rows"]
        assert [row["line"] for row in rows][:2] == ["royal_flush", "straight_flush"]
        assert Fraction(rows[0]["derivative_exact"]) == Fraction(2 * 16_759_740, 19_933_230_517_200)
        assert rows[0]["derivative"] == float(Fraction(rows[0]["derivative_exact"]))
        assert "279329/166110254310" in run("paytables", "us", "--sensitivity").out

    @pytest.mark.parametrize(
        ("arguments", "parts"),
        [
            (("us", "nosuch.csv"), ("nosuch.csv", "No such file")),
            (("us", "nosuch.txt"), ("'nosuch.txt'", ".csv or .parquet")),
            (("us", "--search", "royal=1..2"), ("--search needs a --target",)),
            (("us", "--target", "5%"), ("belong to --search",)),
            (("us", "--search", "royal=2..1", "--target", "5%"), ("royal", "2..1")),
            (("us", "--search", "royol=1..2", "--target", "5%"), ("royol", "did you mean")),
            (("us", "--search", "royal=1..2", "--target", "much"), ("'much'",)),
            (("us", "--search", "royal=1..2", "--target", "5"), ("'5'", "'5%'")),
            (("us", "--search", "royal=1..2", "--target", "5%", "--count", "0"), ("0", "from 1 to")),
            (("us", "--changes", "pair=x"), ("x", "whole number")),
            (("us", "x.csv", "--changes", "pair=2"), ("FILE and --changes", "one of them at a time")),
            (("casino-holdem",), ("FILE is missing", "Caribbean Stud")),
        ],
    )
    def test_what_cannot_be(self, arguments: tuple[str, ...], parts: tuple[str, ...]) -> None:
        refused(run("paytables", *arguments), "pycs paytables: ", *parts)

    @pytest.mark.parametrize(
        "content", [b"", b"\xff\xfe\x00", b"royal\n1.5\n", b"royal\n-1\n", b"rojal\n1\n", b"royal,royal\n1,2\n"]
    )
    def test_files_that_are_none(self, content: bytes, tmp_path: Path) -> None:
        path = tmp_path / "mine.csv"
        path.write_bytes(content)
        refused(run("paytables", "us", str(path)), "pycs paytables: ")
        broken = tmp_path / "mine.parquet"
        broken.write_bytes(content)
        refused(run("paytables", "us", str(broken)), "mine.parquet")


class _Page(HTMLParser):
    """The rows of a page's tables, and what else it holds."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.tags: list[str] = []
        self.outside: list[str] = []
        self._cell = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.outside += [
            f"{value}" for name, value in attrs if name in ("src", "href") and not f"{value}".startswith("#")
        ]
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self._cell = True
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self._cell = False

    def handle_data(self, data: str) -> None:
        if self._cell:
            self.rows[-1][-1] += data


class TestReport:
    def test_other_pays_are_another_game(self) -> None:
        document = run("report", "us", "--pays", "royal=250", "--json").document
        assert document["profile"] != "us"
        assert "royal flush 250" in document["title"]
        more = (document["net"] + 1041372912372) / 16759740  # the royal flushes that win, two antes for each one to one
        assert more == 300
        refused(run("report", "us", "--pays", "royl=250"), "royl", "did you mean royal?")
        refused(run("report", "us", "--pays", "100/50"), "100/50")

    @pytest.mark.parametrize(
        ("arguments", "parts"),
        [
            (("us",), ("5.224306%", "142031221/2718662100", "three-rules", "10,759,067,657,467")),
            (
                ("live", "--bet", "five-plus-one=1", "--bet", "jackpot=0.1", "--meter", "263205.26"),
                ("12816/149695", "108,289.0000 to 1", "5000900/19", "five-plus-one and jackpot", "Chances are within"),
            ),
            (("casino-holdem", "--bet", "aa-bonus=1"), ("5809/92820", "91,488", "straight or less")),
        ],
        ids=lambda value: value[0] if isinstance(value, tuple) else "",
    )
    def test_html(self, arguments: tuple[str, ...], parts: tuple[str, ...], tmp_path: Path) -> None:
        path = tmp_path / "report.html"
        document = run("report", *arguments, "--html", str(path), "--json").document
        text = path.read_text(encoding="utf-8")
        page = _Page()
        page.feed(text)
        # One file that holds all it needs.
        assert page.outside == []
        assert "script" not in page.tags
        assert page.tags.count("svg") == 1
        rows: dict[str, list[str]] = {}
        for first, *others in page.rows:
            rows.setdefault(first, others)
        events = {first.removeprefix("wins with "): others for first, *others in page.rows if len(others) == 5}
        for event in document["outcomes"]:
            shown = events[event["event"]]
            assert (int(shown[0]), int(shown[1].replace(",", ""))) == (event["net"], event["combinations"])
        # Both denominators, each with what it is a share of.
        assert rows["house edge"][:2] == [f"{document['house_edge']:.6%}", "of the ante"]
        assert rows["element of risk"][1] == "of all that is bet, ante and call"
        for part in parts:
            assert part in text
        command = " ".join(["pycs report", *arguments])
        assert f"<code>{command} --html report.html</code>" in text
        assert f"<code>pycs solve {arguments[0]} -o table &amp;&amp; pycs certify table</code>" in text

    def test_html_of_rules_with_marks_in_their_words(self) -> None:
        rules = pycs.load_rules("us").to_dict()
        rules["title"] = "<b>bold</b> & free"
        own = replace(pycs.report("us"), rules=rules_from_dict(rules))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(html_report, "strategy_reports", lambda _: (own,))
            patch.setattr(html_report, "sensitivity", lambda _: {"royal_flush": Fraction(1, 3)})
            page = html_report.html_report(own, "pycs report 'a<b>.toml'", "'a<b>.toml'")
        assert "<b>" not in page
        assert "pycs solve &#39;a&lt;b&gt;.toml&#39; -o table" in page
        assert "pycs solve us" in html_report.html_report(own, "pycs report us", "us")
        # The table of a profile would prove another game than one with pays of its own.
        assert "pycs certify" not in html_report.html_report(own, "pycs report us --pays royal=250", None)
        assert "&lt;b&gt;bold&lt;/b&gt; &amp; free" in page

    def test_a_page_that_cannot_be_written(self, tmp_path: Path) -> None:
        refused(run("report", "us", "--html", "report.txt"), "'report.txt'", ".html or .htm")
        refused(run("report", "us", "--html", str(tmp_path / "no" / "report.html")), "report.html", "no folder")
        assert list(tmp_path.iterdir()) == []


def test_json_is_json_alone() -> None:
    for arguments in (NIGHT, ("paytables", "us"), ("report", "live", "--bet", "jackpot=0.1")):
        json.loads(run(*arguments, "--json").out)
