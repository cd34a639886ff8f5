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

import polars as pl
import pytest
from filelock import FileLock

import pycs
import pycs.profiles
import pycs.solving
from pycs.errors import InputError, TableError
from pycs.table_files import partial_folder

KILLS = int(os.environ.get("PYCS_KILLS", "5"))
"""How often a run is killed; set the variable for more."""


def digests(folder):
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(folder.iterdir())}


def run(folder):
    command = [sys.executable, "-m", "pycs", "solve", "us", "-o", str(folder)]
    return subprocess.Popen(command, cwd=folder.parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


@pytest.mark.parametrize("kill", range(KILLS))
def test_a_killed_run_leaves_nothing_half_and_goes_on(us_folder, tmp_path, kill):
    folder = tmp_path / "us"
    moment = random.Random(f"moment {kill}").uniform(0.2, 4.5)
    killed = run(folder)
    time.sleep(moment)
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    assert not folder.exists() or digests(folder) == digests(us_folder)
    again = run(folder)
    _, errors = again.communicate()
    assert again.returncode == 0, errors
    assert digests(folder) == digests(us_folder)
    assert not partial_folder(folder).exists()


def test_a_run_goes_on_with_the_parts_that_are_whole(us_folder, tmp_path, monkeypatch):
    folder = tmp_path / "us"
    written = []

    def failing(path, content, real=pycs.solving.write_atomically):
        if path.name == "part-06.parquet":
            raise OSError(28, "No space left on device")
        written.append(path.name)
        real(path, content)

    monkeypatch.setattr("pycs.solving.write_atomically", failing)
    with pytest.raises(OSError, match="No space left"):
        pycs.solve("us", folder)
    assert not folder.exists()
    monkeypatch.undo()
    kept = [name for name in written if name != "journal.json"]
    assert 0 < len(kept) < 11
    # One of the parts that were whole is damaged before the second run: it is made anew.
    damaged = partial_folder(folder) / "table" / sorted(kept)[0]
    damaged.write_bytes(damaged.read_bytes()[:-1] + b"x")
    pycs.solve("us", folder)
    assert digests(folder) == digests(us_folder)


def test_a_torn_journal_is_no_journal(us_folder, tmp_path):
    folder = tmp_path / "us"
    work = partial_folder(folder) / "table"
    work.mkdir(parents=True)
    for number in (0, 1):
        shutil.copy(us_folder / f"part-0{number}.parquet", work)
    (partial_folder(folder) / "journal.json").write_text('{"of": {"format": 1,')
    pycs.solve("us", folder)
    assert digests(folder) == digests(us_folder)


def test_the_parts_of_other_rules_are_not_taken_over(us_folder, tmp_path, monkeypatch):
    folder = tmp_path / "table"

    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("pycs.solving.write_manifest", stop)
    with pytest.raises(KeyboardInterrupt):
        pycs.solve("betmgm", folder)
    assert len(list((partial_folder(folder) / "table").glob("*.parquet"))) == 11
    monkeypatch.undo()
    pycs.solve("us", folder)
    assert digests(folder) == digests(us_folder)


def test_a_table_that_is_there_is_given_back(us_folder, tmp_path):
    folder = tmp_path / "us"
    shutil.copytree(us_folder, folder)
    before = {file.name: file.stat().st_mtime_ns for file in folder.iterdir()}
    assert pycs.solve("us", folder).manifest == pycs.open_table(us_folder).manifest
    assert {file.name: file.stat().st_mtime_ns for file in folder.iterdir()} == before


def test_another_table_or_something_else_is_not_overwritten(us_folder, tmp_path):
    folder = tmp_path / "us"
    shutil.copytree(us_folder, folder)
    with pytest.raises(TableError, match=r"built by other rules than those of betmgm.*remove the folder"):
        pycs.solve("betmgm", folder)
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


def test_two_runs_at_once_make_one_table(us_folder, tmp_path):
    folder = tmp_path / "us"
    runs = [run(folder) for _ in range(3)]
    codes = [(each.communicate()[1], each.returncode) for each in runs]
    assert 0 in [code for _, code in codes]
    assert all(code == 0 or b"another run is at work" in errors for errors, code in codes)
    assert digests(folder) == digests(us_folder)
    assert not partial_folder(folder).exists()


def test_a_run_that_wrote_nothing_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr("pycs.solving.stud_sweep", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        pycs.solve("us", tmp_path / "us")
    assert list(tmp_path.iterdir()) == []


def test_an_empty_folder_may_be_filled(us_folder, tmp_path):
    folder = tmp_path / "us"
    folder.mkdir()
    pycs.solve("us", folder)
    assert digests(folder) == digests(us_folder)


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


def test_what_a_killed_run_left_beside_its_parts_does_not_get_into_the_table(us_folder, tmp_path):
    folder = tmp_path / "us"
    work = partial_folder(folder) / "table"
    work.mkdir(parents=True)
    (work / "part-03.parquet.tmp").write_text("half")
    pycs.solve("us", folder)
    assert digests(folder) == digests(us_folder)


def test_links_and_roundabout_paths(us_folder, tmp_path, monkeypatch):
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "there")
    table = pycs.solve("us", tmp_path / "link")
    assert table.path == tmp_path / "link"
    assert digests(tmp_path / "there") == digests(us_folder)
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    with pytest.raises(InputError, match="give a folder that does not exist yet"):
        pycs.solve("us", "/")
    assert len(pycs.solve("us", "../there")) == len(table)


def test_a_name_that_is_not_utf_8(us_folder, tmp_path):
    folder = tmp_path / os.fsdecode(b"x\xff")
    pycs.solve("us", folder)
    assert digests(folder) == digests(us_folder)


def test_parts_with_other_columns_are_not_taken_over(us_folder, tmp_path, monkeypatch):
    folder = tmp_path / "us"
    monkeypatch.setattr("pycs.solving.write_manifest", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        pycs.solve("us", folder)
    monkeypatch.undo()
    part = partial_folder(folder) / "table" / "part-04.parquet"
    pl.read_parquet(part).drop("margin").write_parquet(part)
    journal = partial_folder(folder) / "journal.json"
    noted = json.loads(journal.read_text())
    for each in noted["parts"]:
        if each["name"] == part.name:
            each |= {"bytes": part.stat().st_size, "sha256": hashlib.sha256(part.read_bytes()).hexdigest()}
    journal.write_text(json.dumps(noted))
    pycs.solve("us", folder)
    assert digests(folder) == digests(us_folder)
