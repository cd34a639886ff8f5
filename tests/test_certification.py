"""Certifying: what is right passes, and one wrong number anywhere is found and named."""

import json
import os
import shutil
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

import pycs
import pycs.certification
from pycs.errors import InputError
from pycs.games import Game, game_of
from pycs.manifest import Part, file_digest, read_manifest, write_manifest
from pycs.row_checks import check_part
from pycs.walk_journal import open_journal

PART_ROWS = 1 << 19
AROUND = 700  # rows on either side of the one that is altered


class Place(NamedTuple):
    """A row of a table, and the part in which it stands. The deal is folded."""

    profile: str
    part: int
    row: int
    folder: Path
    swept: NDArray[np.uint32]

    @property
    def game(self) -> Game:
        return game_of(pycs.load_rules(self.profile))

    @property
    def in_part(self) -> int:
        return self.row - self.part * PART_ROWS

    def rows_around(self):
        path = self.folder / f"part-{self.part:02}.parquet"
        return pl.read_parquet(path)[self.in_part - AROUND : self.in_part + AROUND]

    def checked(self, rows):
        """What is wrong with the rows around, and where."""
        found = check_part(rows, self.row - AROUND, pycs.load_rules(self.profile)).wrong
        return {problem: wrong.tolist() for wrong, problem in found if len(wrong)}


PLACES = {"us": (5, 2_700_000, "us_folder", "swept"), "casino-holdem": (1, 800_000, "holdem_folder", "holdem_swept")}


@pytest.fixture(params=PLACES)
def place(request):
    part, row, *fixtures = PLACES[request.param]
    return Place(request.param, part, row, *map(request.getfixturevalue, fixtures))


@pytest.fixture
def copy(place, tmp_path):
    folder = tmp_path / place.profile
    shutil.copytree(place.folder, folder)
    return folder


of_caribbean_stud = pytest.mark.parametrize("place", ["us"], indirect=True)
of_casino_holdem = pytest.mark.parametrize("place", ["casino-holdem"], indirect=True)


def rewrite(folder, **changes):
    manifest = read_manifest(folder)
    write_manifest(
        type(manifest)(**{name: getattr(manifest, name) for name in manifest.__struct_fields__} | changes), folder
    )


def altered(frame, row, **columns):
    """The frame with other values in one row."""
    here = pl.int_range(pl.len()) == row
    for name, value in columns.items():
        changed = pl.lit(value(frame[row, name]), frame.schema[name])
        frame = frame.with_columns(pl.when(here).then(changed).otherwise(name).alias(name))
    return frame


def alter(folder, place, **columns):
    """Change values of one row of a table, and make file and manifest fit each other again, as a forger would."""
    path = folder / f"part-{place.part:02}.parquet"
    altered(pl.read_parquet(path), place.in_part, **columns).write_parquet(path)
    parts = list(read_manifest(folder).parts)
    old = parts[place.part]
    parts[place.part] = Part(old.name, old.first, old.rows, path.stat().st_size, file_digest(path))
    rewrite(folder, parts=tuple(parts))


@pytest.fixture
def walk_only(monkeypatch, place):
    """Walk no more than the chunk around the row, so that a full run ends in a second."""

    def chunk(game, rows, qualify, real=pycs.certification.walk_chunk):
        if rows[0] <= place.row <= rows[-1]:
            return real(game, rows, qualify)
        return place.swept[:, rows]

    monkeypatch.setattr("pycs.certification.walk_chunk", chunk)


@pytest.fixture
def rows_unchecked(monkeypatch, place):
    """Give the rows' counts for the walk, without the checks of rows that other tests are about."""
    counts = pl.DataFrame({"hand": "", place.game.seen: "", **dict(zip(place.game.outcomes, place.swept, strict=True))})
    monkeypatch.setattr("pycs.certification.check_rows", lambda *_: counts)


@pytest.mark.parametrize(
    ("place", "files", "completions"),
    [("casino-holdem", 4, 1_070_190)],
    indirect=["place"],
)
def test_a_random_share_of_the_table_passes(place, copy, files, completions):
    certificate = pycs.certify(copy, share=0.0005, seed=7)
    assert certificate.passed
    assert certificate.problems == ()
    assert certificate.profile == place.profile
    assert certificate.rows == place.game.deals
    assert certificate.walked == round(0.0005 * place.game.deals)
    assert certificate.completions == certificate.walked * completions
    assert certificate.to_dict()["passed"] is True
    assert len(list(copy.iterdir())) == files  # nothing was written there


@pytest.mark.usefixtures("rows_unchecked")
def test_a_share_is_drawn_by_its_seed(copy, monkeypatch):
    drawn = []

    def seen(game, rows, qualify, real=pycs.certification.walk_chunk):
        drawn.append(rows.tolist())
        return real(game, rows, qualify)

    monkeypatch.setattr("pycs.certification.walk_chunk", seen)
    certificates = [pycs.certify(copy, share=1e-4, seed=seed) for seed in (7, 7, 8)]
    assert [certificate.seed for certificate in certificates] == [7, 7, 8]
    assert all(certificate.passed and certificate.walked == len(drawn[0]) for certificate in certificates)
    assert drawn[0] == drawn[1] != drawn[2]


@of_casino_holdem
@pytest.mark.usefixtures("rows_unchecked")
def test_other_processes_walk_as_well(copy):
    with ProcessPoolExecutor(1, get_context("spawn")) as executor:
        assert pycs.certify(copy, share=1e-4, executor=executor).passed


@pytest.mark.usefixtures("walk_only")
@pytest.mark.parametrize(("place", "won"), [("casino-holdem", "win_straight_or_less")], indirect=["place"])
def test_one_altered_count_is_found_by_the_full_walk_and_named(place, copy, won):
    """All that is derived from the count is altered with it: only counting anew can tell."""
    completions = place.game.completions
    alter(
        copy,
        place,
        **{won: lambda old: old + 1},
        lose=lambda old: old - 1,
        call_numerator=lambda old: old + 6,
        call=lambda old: (round(old * completions) + 6) / completions,
        margin=lambda old: (round(old * completions) - 6) / completions,
    )
    certificate = pycs.certify(copy)
    assert not certificate.passed
    assert certificate.walked == place.game.deals
    assert certificate.mismatches == 1
    part = pl.read_parquet(copy / f"part-{place.part:02}.parquet")
    hand, seen, there, lost = part.select("hand", place.game.seen, won, "lose").row(place.in_part)
    assert certificate.problems == tuple(
        f"row {place.row} ('{hand}' and '{seen}'): {outcome} is {told} in the table, {right} by walking"
        for outcome, told, right in ((won, there, there - 1), ("lose", lost, lost + 1))
    )


def in_another_order(cards):
    return cards[2:4] + cards[:2] + cards[4:]


def in_other_suits(cards):
    return cards.translate(str.maketrans("shdc", "hsdc"))


@pytest.mark.parametrize(
    ("place", "changes", "words"),
    [
        *(
            (profile, changes, words)
            for profile in PLACES
            for changes, words in (
                ({"push": lambda old: old + 1}, "the counts do not add up"),
                ({"weight": lambda old: old - 1}, "the weight is not the number of its images"),
                ({"call_numerator": lambda old: old + 1}, "the value of calling does not follow"),
                ({"fold_numerator": lambda old: old + 1}, "the value of folding does not follow"),
                ({"call": lambda old: np.nextafter(old, 9)}, "the float call is not its fraction"),
                ({"fold": lambda old: np.nextafter(old, 9)}, "the float fold is not its fraction"),
                ({"margin": lambda old: np.nextafter(old, 9)}, "the float margin is not its fraction"),
                ({"action": lambda old: "fold" if old == "call" else "call"}, "the action is not the best one"),
                ({"indifferent": lambda old: not old}, "indifferent does not follow"),
                ({"category": lambda old: "flush" if old != "flush" else "pair"}, "the category is not that of the"),
                ({"hand": in_another_order}, "it is not the deal of this row"),
                ({"hand": in_other_suits}, "it is not the deal of this row"),
                ({"hand": lambda _: "AsAs"}, "it is not the deal of this row"),
            )
        ),
        ("us", {"upcard": lambda _: "2c"}, "it is not the deal of this row"),
        ("us", {"win": lambda old: old + 1, "lose": lambda old: old - 1}, "the value of calling does not follow"),
        ("casino-holdem", {"flop": lambda _: "3c2d2c"}, "it is not the deal of this row"),
        ("casino-holdem", {"flop": in_another_order}, "it is not the deal of this row"),
        ("casino-holdem", {"hand": in_other_suits, "flop": in_other_suits}, "it is not the deal of this row"),
        ("casino-holdem", {"aa_bonus": lambda _: "aces to straight"}, "the line of the AA Bonus is another"),
        ("casino-holdem", {"win_royal_flush": lambda old: old + 1}, "the counts do not add up"),
        (
            "casino-holdem",
            {"win_flush": lambda old: old + 1, "win_straight_or_less": lambda old: old - 1},
            "the value of calling does not follow",
        ),
        (
            "casino-holdem",
            {"win_straight_or_less": lambda old: old + 1, "not_qualified_flush": lambda old: old - 1},
            "the value of calling does not follow",
        ),
    ],
    indirect=["place"],
)
def test_one_altered_value_is_found(place, changes, words):
    rows = place.rows_around()
    assert place.checked(rows) == {}
    found = place.checked(altered(rows, AROUND, **changes))
    assert [wrong for problem, wrong in found.items() if words in problem] == [[AROUND]]
    assert all(wrong == [AROUND] for wrong in found.values())


@of_casino_holdem
def test_every_line_of_the_aa_bonus_is_checked(place):
    """Every row says another line than its own, and every one is found."""
    rows = pl.read_parquet(place.folder / "part-00.parquet")[:110_000]
    kind = rows.schema["aa_bonus"]
    assert rows["aa_bonus"].n_unique() == len(kind.categories) == 7
    another = dict(zip(kind.categories, [*kind.categories[1:], kind.categories[0]], strict=True))
    rows = rows.with_columns(pl.col("aa_bonus").replace_strict(another, return_dtype=kind))
    found = {problem: wrong for wrong, problem in check_part(rows, 0, pycs.load_rules(place.profile)).wrong}
    assert found["the line of the AA Bonus is another"].tolist() == [*range(rows.height)]


@of_casino_holdem
def test_an_altered_part_is_named_and_the_rows_are_checked_and_quoted_all_the_same(place, copy):
    manifest = (copy / "manifest.json").read_bytes()
    alter(copy, place, hand=lambda _: "zz\n\x1b[31m" + "q" * 1000, flop=lambda _: "\n\x1b[31mzz" + "q" * 1000)
    (copy / "manifest.json").write_bytes(manifest)
    problems = pycs.certify(copy, share=1e-6, seed=1).problems
    assert any(f"part-{place.part:02}.parquet" in problem for problem in problems)
    [problem] = [each for each in problems if each.startswith(f"row {place.row} ")]
    assert problem.isprintable()
    assert len(problem) < 300


@of_casino_holdem
def test_a_part_that_cannot_be_read(copy):
    part = copy / "part-02.parquet"
    part.write_bytes(part.read_bytes()[:1000])
    problems = pycs.certify(copy, share=1e-6).problems
    assert any("part-02.parquet holds 1000 bytes" in problem for problem in problems)
    assert any("part-02.parquet cannot be read" in problem for problem in problems)
    part.unlink()
    assert not pycs.certify(copy, share=1e-6).passed


def test_every_wrong_deal_of_a_part_is_found(place):
    rows = place.rows_around()
    for row, hand in ((3, "zz"), (7, "\x1b[31m" * 100), (10, rows[AROUND, "hand"])):
        rows = altered(rows, row, hand=lambda _, hand=hand: hand)
    assert place.checked(rows) == {"it is not the deal of this row": [3, 7, 10]}


@of_casino_holdem
def test_every_wrong_flop_of_a_part_is_found(place):
    rows = place.rows_around()
    for row, flop in ((3, "zz"), (7, "\x1b[31m" * 100), (10, "4c3d2d")):
        rows = altered(rows, row, flop=lambda _, flop=flop: flop)
    assert place.checked(rows) == {"it is not the deal of this row": [3, 7, 10]}


@of_casino_holdem
def test_a_table_of_nothing_but_zeros(place, copy):
    for path in copy.glob("part-*.parquet"):
        pl.read_parquet(path).with_columns(pl.col(place.game.outcomes) * 0).write_parquet(path)
    certificate = pycs.certify(copy, share=1e-6)
    assert not certificate.passed
    assert certificate.mismatches == place.game.deals


@of_casino_holdem
def test_a_part_that_is_a_pipe(copy):
    (copy / "part-02.parquet").unlink()
    os.mkfifo(copy / "part-02.parquet")
    assert any("part-02.parquet cannot be read" in problem for problem in pycs.certify(copy, share=1e-6).problems)


@of_casino_holdem
@pytest.mark.usefixtures("rows_unchecked")
def test_another_version_is_a_problem(copy):
    rewrite(copy, package_version="9.9")
    assert pycs.certify(copy, share=1e-6).problems == (f"built by pycs 9.9, this is {pycs.__version__}",)


def test_a_manifest_that_says_another_game(place, copy):
    """Its rules, its name, and even as many rows as that game has: the columns are those of the game that it is of."""
    [other] = set(PLACES) - {place.profile}
    rules = pycs.load_rules(other)
    rewrite(copy, rules=rules.to_dict(), rules_digest=rules.digest, profile=other)
    certificate = pycs.certify(copy, share=1e-6)
    [problem] = certificate.problems
    assert f"{place.game.deals} rows instead of {game_of(rules).deals}" in problem
    assert (certificate.walked, certificate.completions) == (0, 0)
    parts, rows = read_manifest(copy).parts, game_of(rules).deals
    *whole, last = parts[: -(-rows // PART_ROWS)]
    whole.append(Part(last.name, last.first, rows - last.first, last.bytes, last.sha256))
    rewrite(copy, parts=tuple(whole), rows=rows)
    certificate = pycs.certify(copy, share=1e-6)
    assert not certificate.passed
    assert certificate.walked == 0
    assert any("part-00.parquet holds the columns" in problem for problem in certificate.problems)


@of_casino_holdem
def test_a_manifest_of_other_rules(place, copy):
    rules = pycs.load_rules(place.profile).to_dict()
    rules["pays"]["flush"] += 1
    rewrite(copy, rules=rules)
    problems = pycs.certify(copy, share=1e-6).problems
    assert "the rules in the manifest do not fit their digest" in problems
    assert f"built by other rules than those of {place.profile} as they are now" in problems
    assert any("the value of calling does not follow from the counts" in problem for problem in problems)
    assert any("the manifest's total net is" in problem for problem in problems)


@of_casino_holdem
def test_wrong_totals_and_a_wrong_manifest(copy):
    totals = read_manifest(copy).totals
    rewrite(copy, totals=type(totals)(totals.weight, totals.deals, totals.net + 1, totals.value))
    problems = pycs.certify(copy, share=1e-6).problems
    assert problems == (f"the manifest's total net is {totals.net + 1}, the rows give {totals.net}",)
    (copy / "manifest.json").write_text("{}")
    assert "manifest.json" in pycs.certify(copy).problems[0]


@pytest.fixture(autouse=True)
def journals(tmp_path, monkeypatch):
    """The state folder of this test alone."""
    monkeypatch.setattr("pycs.walk_journal.user_state_path", lambda *_, **__: tmp_path / "state")
    return tmp_path / "state" / "certify"


@of_caribbean_stud
@pytest.mark.usefixtures("rows_unchecked")
def test_an_interrupted_walk_goes_on(place, copy, journals, monkeypatch):
    walked, real = [], pycs.certification.walk_chunk

    def interrupted(game, rows, qualify):
        if len(walked) == 3:
            raise KeyboardInterrupt
        walked.append(rows)
        return real(game, rows, qualify)

    monkeypatch.setattr("pycs.certification.os.cpu_count", lambda: 1)
    monkeypatch.setattr("pycs.certification.walk_chunk", interrupted)
    with pytest.raises(KeyboardInterrupt):
        pycs.certify(copy, share=0.002, seed=3)
    [journal] = journals.iterdir()
    noted = json.loads(journal.read_text())
    assert noted["seed"] == 3
    assert 0 < len(noted["chunks"]) <= 3
    monkeypatch.setattr("pycs.certification.os.cpu_count", lambda: 2)
    again = []

    def counted(game, rows, qualify):
        again.append(rows)
        return real(game, rows, qualify)

    monkeypatch.setattr("pycs.certification.walk_chunk", counted)
    certificate = pycs.certify(copy, share=0.002)  # no seed: that of the run that goes on
    assert certificate.passed
    assert certificate.seed == 3
    assert certificate.walked == round(0.002 * place.game.deals)
    assert len(again) == 12 - len(noted["chunks"])
    assert certificate.resumed == 1024 * len(noted["chunks"])
    assert not journal.exists()


@of_caribbean_stud
@pytest.mark.usefixtures("rows_unchecked")
@pytest.mark.parametrize(
    "changes",
    [
        {"chunks": ["0", "1", "2"]},
        {"chunks": [-1, 3, 99]},
        {"chunks": [10**30]},
        {"chunks": None},
        {"seed": 8},
        {"manifest_sha256": "0" * 64},
        {"core_version": "0.0.9"},
        {"share": 0.5},
        {"seconds": "long"},
    ],
)
def test_a_journal_of_something_else_skips_no_deal(place, copy, journals, changes):
    walk = round(0.0005 * place.game.deals)
    journal = open_journal(file_digest(copy / "manifest.json"), pycs.core.version(), 0.0005, 7, 0)
    journal.chunks = {0, 1, 2}
    journal.save()
    assert pycs.certify(copy, share=0.0005, seed=7).resumed == walk  # all three, if it is the same walk
    journal.save()
    [path] = journals.iterdir()
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))
    certificate = pycs.certify(copy, share=0.0005, seed=7)
    assert certificate.passed
    assert (certificate.walked, certificate.resumed) == (walk, 0)


@of_caribbean_stud
@pytest.mark.usefixtures("rows_unchecked")
def test_a_certificate_needs_no_state_folder(copy, monkeypatch):
    monkeypatch.setattr("pycs.walk_journal.user_state_path", lambda *_, **__: copy / "manifest.json")
    monkeypatch.setattr("pycs.certification._SAVE_EVERY", 0)
    assert pycs.certify(copy, share=0.0005).passed


@of_casino_holdem
@pytest.mark.parametrize("share", [0, -1, 1.5, float("nan"), "much", None, True])
def test_a_share_that_cannot_be(copy, share):
    with pytest.raises(InputError, match="a share of"):
        pycs.certify(copy, share=share)


def test_where_no_table_is(tmp_path):
    with pytest.raises(InputError, match="no table is there"):
        pycs.certify(tmp_path)
    (tmp_path / "manifest.json").write_text("{}")
    with pytest.raises(InputError, match="a seed of -1"):
        pycs.certify(tmp_path, seed=-1)
