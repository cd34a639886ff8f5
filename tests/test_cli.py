"""The command line: what goes to which stream, with which exit code, for right input and for every kind of wrong."""

from __future__ import annotations

import builtins
import contextlib
import io
import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import pycs
from pycs import display
from pycs.cli import app, main

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

COMMANDS = ("profiles", "solve", "decide", "settle", "report", "certify")
PROFILES = ("us", "betmgm", "live", "three-box", "triple-exchange")
DEAL = ("AsKhJd8c3s", "Qc")
ROUND = ("--player", "QhQs9d6c2h", "--dealer", "JhJcAs8d3c", "--action", "call")


class Ran(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        assert (self.code, self.err) in ((0, ""), (1, ""))
        return json.loads(self.out)


def run(*arguments: str) -> Ran:
    """In this process, with streams that are no terminal."""
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        code = main(arguments)
    return Ran(code, out.getvalue(), err.getvalue())


def spawn(folder: Path, *arguments: str | bytes, **environment: str) -> Ran:
    """As a user does, away from the source folder."""
    done = subprocess.run(
        [sys.executable, "-m", "pycs", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
        capture_output=True,
        timeout=120,
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def refused(ran: Ran, *parts: str) -> None:
    """Exit code 2, nothing on stdout, one printable line on stderr that holds these parts."""
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("pycs")
    assert ran.err.endswith("\n")
    line = ran.err.removesuffix("\n")
    assert line.isprintable(), ran.err
    for part in parts:
        assert part in line


@pytest.fixture
def own_profile(tmp_path: Path) -> Callable[..., Path]:
    """Writes a TOML profile: that of `us` under a name and a title of one's own, with some lines changed."""

    def write(title: str, *changes: tuple[str, str]) -> Path:
        pays = "\n".join(f"{name} = {pay}" for name, pay in display.pays(pycs.load_rules("us")).items())
        text = (
            f'name = "mine"\ntitle = "{title}"\ngame = "caribbean-stud"\n[source]\ndocument = "none"\n'
            f'[stakes]\nante = 1\ncall = 2\n[dealer]\nqualifies = "ace-king"\n[pays]\n{pays}\n'
        )
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / "mine.toml"
        path.write_text(text, encoding="utf-8")
        return path

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
            line = next(line for line in run(command, "-h").out.splitlines() if line.startswith("Example: pycs "))
            assert run(*line.removeprefix("Example: pycs ").split()).code == 0

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
        assert [each["exchanges_allowed"] for each in listed] == [0, 0, 0, 1, 3]
        assert {each["qualifies"] for each in listed} == {"ace-king"}
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
            assert "/".join(map(str, display.pays(rules).values())) in line


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
        ran = run("decide", "triple-exchange", *DEAL)
        assert "fold and call only; not counted: the exchange, limits of money" in ran.out
        document = run("decide", "triple-exchange", *DEAL, "--json").document
        assert (document["exchanges_left"], document["not_counted"]) == (0, ["the exchange", "limits of money"])

    def test_indifferent(self) -> None:
        rules = pycs.load_rules("us")
        answer = pycs.Decision(
            **{"profile": "us", "hand": DEAL[0], "upcard": DEAL[1], "category": "high card", "action": "fold"},
            values={"fold": Fraction(-1), "call": Fraction(-1)},
            outcomes=pycs.Outcomes(81592, 0, 1, 81592),
        )
        assert "fold; indifferent: fold and call are worth exactly the same" in display.decision(answer, rules)

    def test_file_of_rules(self, own_profile: Callable[..., Path]) -> None:
        path = own_profile("Карибский покер, [bold]наш[/] :smile: " + "длинно " * 30, ("ace-king", "any"))
        ran = run("decide", str(path), *DEAL)
        assert "Карибский покер, [bold]наш[/] :smile: длинно" in ran.out
        assert run("decide", str(path), *DEAL, "--json").document["outcomes"]["not_qualified"] == 0


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

    def test_qualifiers_in_words(self, own_profile: Callable[..., Path]) -> None:
        arguments = ("settle", str(own_profile("Pairs", ("ace-king", "pair-of-fours"))), *ROUND)
        assert "needs a pair of fours or better" in run(*arguments).out
        own_profile("Any", ("ace-king", "any"))
        assert "needs no more than any hand" in run(*arguments).out


@pytest.fixture(scope="module")
def us_figures() -> pycs.Report:
    return pycs.report("us")


@pytest.fixture
def us_counted(us_figures: pycs.Report, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts the game once for all tests of this file."""
    monkeypatch.setattr("pycs.reports.report", lambda rules: {"us": us_figures}[rules.name])


@pytest.mark.usefixtures("us_counted")
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
        text = display.report(figures, rules)
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

    def test_certify_that_passes(self, monkeypatch: pytest.MonkeyPatch) -> None:
        asked: list[dict[str, Any]] = []

        def certify(folder: str, **how: Any) -> pycs.Certificate:
            asked.append({"folder": folder, **how})
            counts = {"rows": 5649150, "walked": 565, "resumed": 0, "seconds": 0.1, "mismatches": 0}
            names = {"path": folder, "profile": "us", "rules_digest": "1" * 64, "core_version": "0"}
            return pycs.Certificate(**names, **counts, manifest_sha256="0" * 64, share=0.0001, seed=5, problems=())

        monkeypatch.setattr("pycs.certification.certify", certify)
        proof = run("certify", "tables/us", "--seed", "5", "--share", "0.0001", "--json")
        assert (proof.code, proof.document["passed"], proof.document["seed"]) == (0, True, 5)
        ran = run("certify", "tables/us")
        assert (ran.code, ran.err) == (0, "")
        assert "565 of 5,649,150" in ran.out
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
            (("decide",), ("pycs decide: PROFILE is missing", "pycs decide PROFILE HAND UP")),
            (("decide", "us", "AsKhJd8c3s"), ("UP is missing",)),
            (("decide", "us", "As", "Kh", "Jd"), ("'Jd' is one argument too many", "quotes", "PROFILE HAND UP")),
            (("decide", "us", *DEAL, "--exhaustve"), ("'--exhaustve'", "did you mean --exhaustive?")),
            (("decide", "us", *DEAL, "--no-json"), ("'--no-json'", "[--json]")),
            (("decide", "us", *DEAL, "--json", "--json"), ("'--json' is there twice",)),
            (("decide", "us", *DEAL, "--json=maybe"), ("'maybe'", "--json")),
            (("decide", "--", "us", *DEAL, "--json"), ("'--json' after '--'",)),
            (("decide", "us", "-x", "Qc"), ("'-x'", "PROFILE HAND UP")),
            (("decide", "us", "-5", "Qc"), ("hand '-5'",)),
            (("decide", "us", "A\n\x1b[31ms", "Qc"), ("\\x1b",)),
            (("settle", "us", "--player", "AsKhJd8c3s"), ("--dealer is missing",)),
            (("settle", "us", "--palyer", "AsKhJd8c3s"), ("'--palyer'", "did you mean --player?", "--dealer CARDS")),
            (("settle", "us", *ROUND[:-1]), ("'--action' needs a value", "fold|call")),
            (("settle", "us", *ROUND[:-1], "raise"), ("'raise'", "fold or call")),
            (("settle", "us", *ROUND, "--action", "fold"), ("'--action' is there twice",)),
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

    def test_file_with_a_fault(self, own_profile: Callable[..., Path]) -> None:
        path = own_profile("Broken", ("flush = 5\n", "flush = -5\n"))
        refused(run("report", str(path)), str(path), "pays.flush", "-5")

    POOL = (
        *COMMANDS,
        "decide",
        "settle",
        *DEAL,
        *ROUND,
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
        st.booleans(),
    )
    @example(["decide", "us", *DEAL], True)
    @settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    def test_anything_at_all(self, arguments: list[str], with_profile: bool) -> None:
        if with_profile and arguments[:1] in (["decide"], ["settle"]):
            arguments = [arguments[0], "us", *arguments[1:]]
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
            def report(*_: object) -> None:
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
        listed = display.profiles([pycs.load_rules(name) for name in PROFILES])
    for part in ("-63653/54395", "163,185", "dealer does not qualify"):
        assert part in text
    assert "triple-exchange" in listed
    assert "100/50/25/10/7/5/3/2/1" in listed


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
