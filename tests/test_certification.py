"""Certifying: what is right passes, and one wrong number anywhere is found and named."""

import json
import shutil

import numpy as np
import polars as pl
import pytest

import pycs
from pycs.certification import CERTIFICATE, CERTIFICATE_OF_A_SHARE
from pycs.deals import DEALS
from pycs.errors import InputError
from pycs.manifest import Part, file_digest, read_manifest, write_manifest
from pycs.row_checks import check_part

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
    assert json.loads((copy / CERTIFICATE_OF_A_SHARE).read_text())["passed"] is True
    assert not (copy / CERTIFICATE).exists()
    assert pycs.open_table(copy).manifest == read_manifest(copy)  # the certificate is no part of the table
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
    named = [problem for problem in certificate.problems if problem.startswith(f"row {ROW} ({hand} against {upcard})")]
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
        ("hand", lambda _: "AsAs", "it is no deal"),
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


def test_wrong_totals_and_a_wrong_manifest(copy):
    totals = read_manifest(copy).totals
    rewrite(copy, totals=type(totals)(totals.weight, totals.deals, totals.net + 1, totals.value))
    problems = pycs.certify(copy, share=1e-6).problems
    assert problems == (f"the manifest's total net is {totals.net + 1}, the rows give {totals.net}",)
    (copy / "manifest.json").write_text("{}")
    assert "manifest.json" in pycs.certify(copy).problems[0]


def test_an_interrupted_walk_goes_on(copy, monkeypatch):
    walked = []

    def interrupted(rows, qualify, real=pycs.certification.walk_chunk):
        if len(walked) == 3:
            raise KeyboardInterrupt
        walked.append(rows)
        return real(rows, qualify)

    monkeypatch.setattr("pycs.certification.os.cpu_count", lambda: 1)
    monkeypatch.setattr("pycs.certification.walk_chunk", interrupted)
    with pytest.raises(KeyboardInterrupt):
        pycs.certify(copy, share=0.002, seed=3)
    state = json.loads((copy / CERTIFICATE_OF_A_SHARE).read_text())
    assert not state["finished"]
    assert 0 < len(state["chunks"]) <= 3
    monkeypatch.undo()
    again = []

    def counted(rows, qualify, real=pycs.certification.walk_chunk):
        again.append(rows)
        return real(rows, qualify)

    monkeypatch.setattr("pycs.certification.walk_chunk", counted)
    certificate = pycs.certify(copy, share=0.002)  # no seed: that of the run that goes on
    assert certificate.passed
    assert certificate.seed == 3
    assert certificate.walked == round(0.002 * DEALS)
    assert len(again) == 12 - len(state["chunks"])
    assert "chunks" not in json.loads((copy / CERTIFICATE_OF_A_SHARE).read_text())


@pytest.mark.parametrize(
    "changes",
    [
        {"chunks": ["0", "1", "2"]},
        {"chunks": [-1, 3, 99, 10**30]},
        {"chunks": None},
        {"seed": 8, "chunks": [0, 1, 2]},
        {"manifest_sha256": "0" * 64, "chunks": [0, 1, 2]},
        {"core_version": "0.0.9", "chunks": [0, 1, 2]},
        {"finished": True, "chunks": [0, 1, 2]},
        {"seconds": "long", "chunks": [0, 1, 2]},
    ],
)
def test_a_certificate_of_something_else_skips_no_deal(copy, changes, monkeypatch, swept):
    """Rows are checked elsewhere: here only the walk counts."""
    counts = pl.DataFrame({"hand": "", "upcard": "", **swept._asdict()})
    monkeypatch.setattr("pycs.certification.check_rows", lambda *_: counts)
    pycs.certify(copy, share=0.0005, seed=7)
    path = copy / CERTIFICATE_OF_A_SHARE
    path.write_text(json.dumps(json.loads(path.read_text()) | {"finished": False} | changes))
    walked = []

    def counted(rows, qualify, real=pycs.certification.walk_chunk):
        walked.append(len(rows))
        return real(rows, qualify)

    monkeypatch.setattr("pycs.certification.walk_chunk", counted)
    assert pycs.certify(copy, share=0.0005, seed=7).passed
    assert sum(walked) == round(0.0005 * DEALS)


@pytest.mark.parametrize("share", [0, -1, 1.5, float("nan")])
def test_a_share_that_cannot_be(copy, share):
    with pytest.raises(InputError, match="a share of"):
        pycs.certify(copy, share=share)


def test_where_no_table_is(tmp_path):
    with pytest.raises(InputError, match="no table is there"):
        pycs.certify(tmp_path)
    (tmp_path / "manifest.json").write_text("{}")
    with pytest.raises(InputError, match="a seed of -1"):
        pycs.certify(tmp_path, seed=-1)
