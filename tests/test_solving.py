"""Making tables: the same bytes whatever happens on the way, nothing half-written, nothing overwritten."""

import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time

import holdem_oracle
import polars as pl
import pytest
from filelock import FileLock

import pycs
import pycs.profiles
import pycs.solving
from pycs.core import HOLDEM
from pycs.errors import InputError, TableError
from pycs.ranking import qualifying_strength
from pycs.rules import load_rules, rules_from_dict
from pycs.table_files import partial_folder

KILLS = int(os.environ.get("PYCS_KILLS", "1"))
"""How often a run is killed; set the variable for more, of each game then."""

FOLDERS = {"us": "us_folder", "casino-holdem": "holdem_folder"}
of_one_game = pytest.mark.parametrize("profile", ["casino-holdem"])
"""How a table is written is the same for both, and this one is written sooner."""


@pytest.fixture
def solved(profile, request):
    """The folder with the table of the profile."""
    return request.getfixturevalue(FOLDERS[profile])


def digests(folder):
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(folder.iterdir())}


def run(profile, folder):
    command = [sys.executable, "-m", "pycs", "solve", profile, "-o", str(folder)]
    return subprocess.Popen(command, cwd=folder.parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


@pytest.mark.parametrize("profile", ["casino-holdem"] if KILLS == 1 else FOLDERS)
@pytest.mark.parametrize("kill", range(KILLS))
def test_a_killed_run_leaves_nothing_half_and_goes_on(profile, solved, tmp_path, kill):
    folder = tmp_path / profile
    moment = random.Random(f"moment {kill}").uniform(0.2, 4.5)
    killed = run(profile, folder)
    time.sleep(moment)
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    assert not folder.exists() or digests(folder) == digests(solved)
    again = run(profile, folder)
    _, errors = again.communicate()
    assert again.returncode == 0, errors
    assert digests(folder) == digests(solved)
    assert not partial_folder(folder).exists()


@pytest.mark.parametrize(("profile", "failing", "parts"), [("casino-holdem", "part-01", 3)])
def test_a_run_goes_on_with_the_parts_that_are_whole(profile, failing, parts, solved, tmp_path, monkeypatch):
    folder = tmp_path / profile
    written = []

    def write(path, content, real=pycs.solving.write_atomically):
        if path.name == f"{failing}.parquet":
            raise OSError(28, "No space left on device")
        written.append(path.name)
        real(path, content)

    monkeypatch.setattr("pycs.solving.write_atomically", write)
    with pytest.raises(OSError, match="No space left"):
        pycs.solve(profile, folder)
    assert not folder.exists()
    monkeypatch.undo()
    kept = [name for name in written if name != "journal.json"]
    assert 0 < len(kept) < parts
    # One of the parts that were whole is damaged before the second run: it is made anew.
    damaged = partial_folder(folder) / "table" / sorted(kept)[0]
    damaged.write_bytes(damaged.read_bytes()[:-1] + b"x")
    pycs.solve(profile, folder)
    assert digests(folder) == digests(solved)


def test_parts_without_a_whole_journal_and_half_a_part_do_not_get_into_the_table(holdem_folder, tmp_path):
    folder = tmp_path / "casino-holdem"
    work = partial_folder(folder) / "table"
    work.mkdir(parents=True)
    for number in (0, 1):
        shutil.copy(holdem_folder / f"part-0{number}.parquet", work)
    (work / ".pycs-half").write_text("half")
    (partial_folder(folder) / "journal.json").write_text('{"of": {"format": 1,')
    pycs.solve("casino-holdem", folder)
    assert digests(folder) == digests(holdem_folder)


@pytest.mark.parametrize(("before", "profile"), [("us", "casino-holdem")])
def test_the_parts_of_other_rules_are_not_taken_over(before, profile, solved, tmp_path, monkeypatch):
    folder = tmp_path / "table"

    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("pycs.solving.write_manifest", stop)
    with pytest.raises(KeyboardInterrupt):
        pycs.solve(before, folder)
    assert len(list((partial_folder(folder) / "table").glob("*.parquet"))) == 11
    monkeypatch.undo()
    pycs.solve(profile, folder)
    assert digests(folder) == digests(solved)


@of_one_game
def test_a_table_that_is_there_is_given_back(profile, solved, tmp_path):
    folder = tmp_path / profile
    shutil.copytree(solved, folder)
    before = {file.name: file.stat().st_mtime_ns for file in folder.iterdir()}
    assert pycs.solve(profile, folder).manifest == pycs.open_table(solved).manifest
    assert {file.name: file.stat().st_mtime_ns for file in folder.iterdir()} == before


def test_another_table_or_something_else_is_not_overwritten(us_folder, tmp_path):
    folder = tmp_path / "us"
    shutil.copytree(us_folder, folder)
    with pytest.raises(TableError, match=r"built by other rules than those of betmgm.*remove the folder"):
        pycs.solve("betmgm", folder)
    with pytest.raises(TableError, match=r"built by other rules than those of casino-holdem.*remove the folder"):
        pycs.solve("casino-holdem", folder)
    (folder / "part-00.parquet").unlink()
    with pytest.raises(TableError, match=r"part-00\.parquet cannot be read.*remove the folder"):
        pycs.solve("us", folder)
    assert len(list(folder.iterdir())) == 11
    other = tmp_path / "other"
    other.mkdir()
    (other / "letter.txt").write_text("dear")
    with pytest.raises(InputError, match="something else is there"):
        pycs.solve("us", other)
    with pytest.raises(InputError, match="a file is there"):
        pycs.solve("us", other / "letter.txt")
    assert (other / "letter.txt").read_text() == "dear"


def test_two_runs_at_one_folder(tmp_path):
    folder = tmp_path / "us"
    partial_folder(folder).mkdir()
    with FileLock(partial_folder(folder) / "lock"):
        with pytest.raises(TableError, match="another run is at work"):
            pycs.solve("us", folder)
        assert (partial_folder(folder) / "lock").exists()  # the other run's folder is left alone


def test_two_runs_at_once_make_one_table(holdem_folder, tmp_path):
    folder = tmp_path / "casino-holdem"
    runs = [run("casino-holdem", folder) for _ in range(3)]
    codes = [(each.communicate()[1], each.returncode) for each in runs]
    assert 0 in [code for _, code in codes]
    assert all(code == 0 or b"another run is at work" in errors for errors, code in codes)
    assert digests(folder) == digests(holdem_folder)
    assert not partial_folder(folder).exists()


@of_one_game
def test_a_run_that_wrote_nothing_leaves_nothing(profile, tmp_path, monkeypatch):
    monkeypatch.setattr("pycs.core.Kernel.sweep", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        pycs.solve(profile, tmp_path / profile)
    assert list(tmp_path.iterdir()) == []


def test_an_empty_folder_may_be_filled_and_holds_the_same_bytes(holdem_folder, tmp_path):
    folder = tmp_path / "casino-holdem"
    folder.mkdir()
    pycs.solve("casino-holdem", folder)
    assert digests(folder) == digests(holdem_folder)


def test_a_users_own_file_is_solved_like_a_shipped_profile(tmp_path):
    text = (pycs.profiles._seeds() / "us.toml").read_text()
    path = tmp_path / "mine.toml"
    path.write_text(text.replace('name = "us"', 'name = "mine"').replace("flush = 5", "flush = 6"))
    table = pycs.solve(path, tmp_path / "mine")
    assert table.manifest.profile == "mine"
    assert table.probe("AsKsQsJs9s", "2c").values["call"] > pycs.decide("us", "AsKsQsJs9s", "2c").values["call"]
    assert pycs.open_table(tmp_path / "mine", path).rules == table.rules


def test_a_strangers_folder_is_left_alone(us_folder, tmp_path):
    for done in (False, True):
        folder = tmp_path / f"us-{done}"
        if done:
            shutil.copytree(us_folder, folder)
        partial_folder(folder).mkdir()
        (partial_folder(folder) / "notes.txt").write_text("precious")
        with pytest.raises(InputError, match=r"'notes.txt' is in us-.*\.partial"):
            pycs.solve("us", folder)
        assert (partial_folder(folder) / "notes.txt").read_text() == "precious"


def test_links_roundabout_paths_and_a_name_that_is_not_utf_8(holdem_folder, tmp_path, monkeypatch):
    there = tmp_path / os.fsdecode(b"x\xff")
    there.mkdir()
    (tmp_path / "link").symlink_to(there)
    table = pycs.solve("casino-holdem", tmp_path / "link")
    assert table.path == tmp_path / "link"
    assert digests(there) == digests(holdem_folder)
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    with pytest.raises(InputError, match="give a folder that does not exist yet"):
        pycs.solve("casino-holdem", "/")
    assert len(pycs.solve("casino-holdem", f"../{there.name}")) == len(table)


def test_parts_with_other_columns_are_not_taken_over(holdem_folder, tmp_path, monkeypatch):
    folder = tmp_path / "casino-holdem"
    monkeypatch.setattr("pycs.solving.write_manifest", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        pycs.solve("casino-holdem", folder)
    monkeypatch.undo()
    part = partial_folder(folder) / "table" / "part-01.parquet"
    pl.read_parquet(part).drop("margin").write_parquet(part)
    journal = partial_folder(folder) / "journal.json"
    noted = json.loads(journal.read_text())
    for each in noted["parts"]:
        if each["name"] == part.name:
            each |= {"bytes": part.stat().st_size, "sha256": hashlib.sha256(part.read_bytes()).hexdigest()}
    journal.write_text(json.dumps(noted))
    pycs.solve("casino-holdem", folder)
    assert digests(folder) == digests(holdem_folder)


# --- variants of Casino Hold'em ---------------------------------------------------------------------------------------

PAYS = dict(zip(holdem_oracle.LINES, (100, 20, 10, 3, 2, 1), strict=True))


def variant(**sections):
    """The rules of `casino-holdem` under another name, with other values in some sections."""
    rules = load_rules("casino-holdem").to_dict() | {"name": "another-house"}
    for section, changes in sections.items():
        rules[section] |= changes
    return rules_from_dict(rules)


def oracle_counts(row):
    """The counts in a row of a table, as the oracle has them."""
    by_line = {
        end: {line: row[f"{end}_{line.replace(' ', '_')}"] for line in holdem_oracle.LINES}
        for end in ("not_qualified", "win")
    }
    return by_line | {"push": row["push"], "lose": row["lose"]}


@pytest.mark.parametrize(
    ("changes", "options"),
    [
        ({"pays": {"flush": 4, "straight_or_less": 2}}, {"pays": PAYS | {"flush": 4, "straight or less": 2}}),
        (
            {"dealer": {"ante_when_not_qualified": "1 to 1"}, "stakes": {"call": 3}},
            {"even_if_not_qualified": True, "call": 3},
        ),
    ],
    ids=["other ante pays", "1 to 1 when the dealer fails, and a larger call"],
)
def test_other_pays_change_values_and_no_count(holdem_table, tmp_path, changes, options):
    rules, usual = variant(**changes), holdem_table.frame()
    table = pycs.solve(rules, tmp_path / "table")
    frame = table.frame()
    counted = [*frame.columns[: frame.columns.index("lose") + 1], "fold_numerator", "fold"]
    assert frame.select(counted).equals(usual.select(counted))
    assert (frame["call_numerator"] != usual["call_numerator"]).mean() > 0.2
    assert (frame["action"] != usual["action"]).any()
    assert table.manifest.totals.net != holdem_table.manifest.totals.net
    for row in frame[::5003].iter_rows(named=True):
        value = holdem_oracle.value_of_counts(counts=oracle_counts(row), **{"pays": PAYS} | options)
        assert row["call_numerator"] == value * HOLDEM.completions
        assert row["action"] == ("call" if value > -1 else "fold")
        assert table.probe(row["hand"], row["flop"]).values["call"] == value


def test_another_qualifier_counts_anew(holdem_table, holdem_random, holdem_extremes, tmp_path):
    table = pycs.solve(variant(dealer={"qualifies": "pair-of-aces"}), tmp_path / "table")
    frame, usual = table.frame(), holdem_table.frame()
    assert frame.select("hand", "flop", "weight", "aa_bonus").equals(usual.select("hand", "flop", "weight", "aa_bonus"))
    fails = pl.sum_horizontal(pl.col("^not_qualified_.*$"))
    assert (frame.select(fails).to_series() > usual.select(fails).to_series()).mean() > 0.9
    deals = [*holdem_random[:50].tolist(), *holdem_extremes.tolist()]
    told = frame.select(table.game.outcomes)[HOLDEM.indices(deals)].to_numpy().T
    assert (told == HOLDEM.walk(deals, qualifying_strength("pair-of-aces"))).all()


def test_a_bonus_of_another_house_needs_another_table(holdem_folder, holdem_table, tmp_path):
    """Its rows are the same, for they are of the main bet alone, but the table answers with a bonus bet as well."""
    folder = tmp_path / "table"
    shutil.copytree(holdem_folder, folder)
    rules = load_rules("casino-holdem").to_dict()
    rules["name"] = "other-house"
    rules["side_bets"]["aa_bonus"]["bonus_requires_call"] = False
    with pytest.raises(TableError, match="built by other rules"):
        pycs.solve(rules_from_dict(rules), folder)
    assert digests(folder) == digests(holdem_folder)
    other = pycs.solve(rules_from_dict(rules), tmp_path / "other")
    assert other.manifest.parts == holdem_table.manifest.parts
    deal = ("2s3h", "AdAc9h")
    assert [table.probe(*deal, bonus=1).action for table in (holdem_table, other)] == ["call", "fold"]
