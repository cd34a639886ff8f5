"""Certifying: what is right passes, and one wrong number anywhere is found and named."""

import json
import os
import shutil

import numpy as np
import polars as pl
import pytest

import pycs
import pycs.certification
from pycs.deals import DEALS
from pycs.errors import InputError
from pycs.manifest import Part, file_digest, read_manifest, write_manifest
from pycs.row_checks import check_part
from pycs.walk_journal import open_journal

PART, ROW = 5, 2_700_000  # the row stands in this part
IN_PART = ROW - PART * (1 << 19)


@pytest.fixture
def copy(us_folder, tmp_path):
    folder = tmp_path / "us"
    shutil.copytree(us_folder, folder)
    return folder


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


def alter(folder, **columns):
    """Change values of one row of a table, and make file and manifest fit each other again, as a forger would."""
    path = folder / f"part-{PART:02}.parquet"
    altered(pl.read_parquet(path), IN_PART, **columns).write_parquet(path)
    parts = list(read_manifest(folder).parts)
    old = parts[PART]
    parts[PART] = Part(old.name, old.first, old.rows, path.stat().st_size, file_digest(path))
    rewrite(folder, parts=tuple(parts))


@pytest.fixture
def walk_only(monkeypatch):
    """Walk no more than the chunk around the row, so that a full run ends in a second."""

    def chunk(rows, qualify, real=pycs.certification.walk_chunk):
        if rows[0] <= ROW <= rows[-1]:
            return real(rows, qualify)
        return STATED[:, rows]

    monkeypatch.setattr("pycs.certification.walk_chunk", chunk)


STATED = np.empty((4, DEALS), np.uint32)


@pytest.fixture(autouse=True, scope="module")
def stated(swept):
    STATED[:] = np.stack(swept)


def test_a_random_share_of_the_table_passes(copy):
    certificate = pycs.certify(copy, share=0.0005, seed=7)
    assert certificate.passed
    assert certificate.problems == ()
    assert certificate.walked == round(0.0005 * DEALS)
    assert certificate.completions == certificate.walked * 163185
    assert certificate.to_dict()["passed"] is True
    assert len(list(copy.iterdir())) == 12  # nothing was written there
    again = pycs.certify(copy, share=0.0005, seed=7)
    assert (again.passed, again.walked, again.seed) == (True, certificate.walked, 7)


@pytest.mark.usefixtures("walk_only")
def test_one_altered_count_is_found_by_the_full_walk_and_named(copy):
    """All that is derived from the count is altered with it: only counting anew can tell."""
    alter(
        copy,
        win=lambda old: old + 1,
        lose=lambda old: old - 1,
        call_numerator=lambda old: old + 6,
        call=lambda old: (round(old * 163185) + 6) / 163185,
        margin=lambda old: (round(old * 163185) + 6) / 163185,
    )
    certificate = pycs.certify(copy)
    assert not certificate.passed
    assert certificate.mismatches == 1
    hand, upcard = pl.read_parquet(copy / f"part-{PART:02}.parquet").select("hand", "upcard").row(IN_PART)
    named = [
        problem for problem in certificate.problems if problem.startswith(f"row {ROW} ('{hand}' against {upcard})")
    ]
    assert any("win is" in problem and "by walking" in problem for problem in named)
    assert any("lose is" in problem and "by walking" in problem for problem in named)


@pytest.mark.parametrize(
    ("column", "change", "words"),
    [
        ("push", lambda old: old + 1, "the counts do not add up"),
        ("weight", lambda old: old - 1, "the weight is not the number of its images"),
        ("call_numerator", lambda old: old + 1, "the value of calling does not follow"),
        ("fold_numerator", lambda old: old + 1, "the value of folding does not follow"),
        ("call", lambda old: np.nextafter(old, 9), "the float call is not its fraction"),
        ("margin", lambda old: np.nextafter(old, 9), "the float margin is not its fraction"),
        ("action", lambda old: "fold" if old == "call" else "call", "the action is not the best one"),
        ("indifferent", lambda old: not old, "indifferent does not follow"),
        ("category", lambda old: "flush" if old != "flush" else "pair", "the category is not that of the hand"),
        ("upcard", lambda _: "2c", "it is not the deal of this row"),
        (
            "hand",
            lambda old: old[2:4] + old[:2] + old[4:],
            "it is not the deal of this row",
        ),  # the cards in another order
        (
            "hand",
            lambda old: old.translate(str.maketrans("shdc", "hsdc")),
            "it is not the deal of this row",
        ),  # an image
        ("hand", lambda _: "AsAs", "it is not the deal of this row"),
    ],
)
def test_one_altered_value_is_found(us_folder, column, change, words):
    first, rules = ROW - 700, pycs.load_rules("us")
    rows = pl.read_parquet(us_folder / f"part-{PART:02}.parquet")[IN_PART - 700 : IN_PART + 700]
    assert all(len(wrong) == 0 for wrong, _ in check_part(rows, first, rules).wrong)
    found = {
        problem: wrong.tolist()
        for wrong, problem in check_part(altered(rows, 700, **{column: change}), first, rules).wrong
    }
    assert [wrong for problem, wrong in found.items() if words in problem] == [[700]]


def test_an_altered_part_is_named_and_the_rows_are_checked_all_the_same(copy):
    manifest = (copy / "manifest.json").read_bytes()
    alter(copy, push=lambda old: old + 1)
    (copy / "manifest.json").write_bytes(manifest)
    problems = pycs.certify(copy, share=1e-6, seed=1).problems
    assert any("part-05.parquet" in problem for problem in problems)
    assert any(problem.startswith(f"row {ROW} ") for problem in problems)


def test_a_part_that_cannot_be_read(copy):
    part = copy / "part-02.parquet"
    part.write_bytes(part.read_bytes()[:1000])
    problems = pycs.certify(copy, share=1e-6).problems
    assert any("part-02.parquet holds 1000 bytes" in problem for problem in problems)
    assert any("part-02.parquet cannot be read" in problem for problem in problems)
    part.unlink()
    assert not pycs.certify(copy, share=1e-6).passed


def test_every_wrong_deal_of_a_part_is_found(us_folder):
    first = ROW - 700
    rows = pl.read_parquet(us_folder / f"part-{PART:02}.parquet")[IN_PART - 700 : IN_PART + 700]
    for row, hand in ((3, "zz"), (7, "\x1b[31m" * 100), (10, rows[700, "hand"])):
        rows = altered(rows, row, hand=lambda _, hand=hand: hand)
    found = {problem: wrong.tolist() for wrong, problem in check_part(rows, first, pycs.load_rules("us")).wrong}
    assert found["it is not the deal of this row"] == [3, 7, 10]


def test_what_a_forger_writes_into_a_hand_is_quoted(copy):
    alter(copy, hand=lambda _: "zz\n\x1b[31m" + "q" * 1000)
    [problem] = [each for each in pycs.certify(copy, share=1e-6).problems if each.startswith(f"row {ROW} ")]
    assert problem.isprintable()
    assert len(problem) < 200


def test_a_table_of_nothing_but_zeros(copy):
    for number in range(11):
        path = copy / f"part-{number:02}.parquet"
        pl.read_parquet(path).with_columns(pl.col("not_qualified", "win", "push", "lose") * 0).write_parquet(path)
    certificate = pycs.certify(copy, share=1e-6)
    assert not certificate.passed
    assert certificate.mismatches == DEALS


def test_a_part_that_is_a_pipe(copy):
    (copy / "part-02.parquet").unlink()
    os.mkfifo(copy / "part-02.parquet")
    assert any("part-02.parquet cannot be read" in problem for problem in pycs.certify(copy, share=1e-6).problems)


def test_another_version_is_a_problem(copy):
    rewrite(copy, package_version="9.9")
    assert any("built by pycs 9.9" in problem for problem in pycs.certify(copy, share=1e-6).problems)


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


def test_an_interrupted_walk_goes_on(copy, journals, monkeypatch):
    walked, real = [], pycs.certification.walk_chunk

    def interrupted(rows, qualify):
        if len(walked) == 3:
            raise KeyboardInterrupt
        walked.append(rows)
        return real(rows, qualify)

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

    def counted(rows, qualify):
        again.append(rows)
        return real(rows, qualify)

    monkeypatch.setattr("pycs.certification.walk_chunk", counted)
    certificate = pycs.certify(copy, share=0.002)  # no seed: that of the run that goes on
    assert certificate.passed
    assert certificate.seed == 3
    assert certificate.walked == round(0.002 * DEALS)
    assert len(again) == 12 - len(noted["chunks"])
    assert certificate.resumed == 1024 * len(noted["chunks"])
    assert not journal.exists()


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
def test_a_journal_of_something_else_skips_no_deal(copy, journals, changes, monkeypatch, swept):
    """Rows are checked elsewhere: here only the walk counts."""
    counts = pl.DataFrame({"hand": "", "upcard": "", **swept._asdict()})
    monkeypatch.setattr("pycs.certification.check_rows", lambda *_: counts)
    journal = open_journal(file_digest(copy / "manifest.json"), pycs.core.version(), 0.0005, 7, 0)
    journal.chunks = {0, 1, 2}
    journal.save()
    assert pycs.certify(copy, share=0.0005, seed=7).resumed == round(
        0.0005 * DEALS
    )  # all three, if it is the same walk
    journal.save()
    [path] = journals.iterdir()
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))
    certificate = pycs.certify(copy, share=0.0005, seed=7)
    assert certificate.passed
    assert (certificate.walked, certificate.resumed) == (round(0.0005 * DEALS), 0)


def test_a_certificate_needs_no_state_folder(copy, monkeypatch):
    monkeypatch.setattr("pycs.walk_journal.user_state_path", lambda *_, **__: copy / "manifest.json")
    monkeypatch.setattr("pycs.certification._SAVE_EVERY", 0)
    assert pycs.certify(copy, share=0.0005).passed


@pytest.mark.parametrize("share", [0, -1, 1.5, float("nan"), "much", None])
def test_a_share_that_cannot_be(copy, share):
    with pytest.raises(InputError, match="a share of"):
        pycs.certify(copy, share=share)


def test_where_no_table_is(tmp_path):
    with pytest.raises(InputError, match="no table is there"):
        pycs.certify(tmp_path)
    (tmp_path / "manifest.json").write_text("{}")
    with pytest.raises(InputError, match="a seed of -1"):
        pycs.certify(tmp_path, seed=-1)
