"""Solving a game: every canonical deal counted, valued and written to a table.

The table is built in `FOLDER.partial` and renamed when it is complete. A part is written aside and renamed, then noted
with its digest in a journal; a run that was killed goes on with the parts that the journal vouches for, and ends in the
same bytes as a run that was not.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
import polars as pl
from filelock import FileLock, Timeout

from pycs import core
from pycs.deal_frames import deal_frame
from pycs.errors import InputError, TableError
from pycs.files import ASIDE, write_atomically
from pycs.games import game_of
from pycs.manifest import FORMAT, Manifest, Part, Totals, write_manifest
from pycs.messages import quoted, shown_path
from pycs.progress import progress_bar
from pycs.ranking import qualifying_strength
from pycs.reports import report_of_tally
from pycs.rules import load_rules
from pycs.table_files import as_folder, columns_of, part_problem, partial_folder, read_part, schema_of
from pycs.tables import Table, open_table
from pycs.values import tally, with_values
from pycs.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from pycs.games import Game
    from pycs.rules import Rules

__all__ = ["solve"]

PART_ROWS: Final = 1 << 19
_ROW_GROUP: Final = 1 << 18
_JOURNAL: Final = "journal.json"
_LOCK: Final = "lock"
_WORK: Final = "table"
_OURS: Final = (_JOURNAL, _LOCK, _WORK)  # what the folder of an unfinished table holds


def solve(
    profile: str | os.PathLike[str] | Rules,
    out: str | os.PathLike[str] | None = None,
    *,
    progress: bool | None = None,
) -> Table:
    """Count and value all canonical deals of a profile's game and write them to a table; some seconds.

    `out` is the folder to make; without it, `tables/` and the profile's name. If the very table is already there, it is
    opened and given back. A run that was interrupted is gone on with. `progress` shows a bar on stderr; without it,
    only when stderr is a terminal. The table is of the main bet alone; in a game with exchanges it is of fold and call
    when no exchange is left.

    InputError for a profile that cannot be or a folder that holds something else; TableError when the folder holds
    another table, or another run is at work on it; OSError when the disk refuses.
    """
    rules = load_rules(profile)
    given = Path("tables", rules.name) if out is None else out
    folder = as_folder(given)
    if not folder.name:
        raise InputError(f"{shown_path(os.fspath(given))}: give a folder that does not exist yet")
    found = _already_there(folder, given, rules)
    if found is not None and not partial_folder(folder).exists():
        return found
    with _at_work(folder, given) as work:
        found = _already_there(folder, given, rules)  # another run may have ended just now
        if found is not None:
            return found
        _build(work, rules, progress)
        work.replace(folder)
        _sync(folder.parent)
    return open_table(given, rules)


def _already_there(folder: Path, given: str | os.PathLike[str], rules: Rules) -> Table | None:
    where = shown_path(os.fspath(given))
    if not folder.exists():
        return None
    if not folder.is_dir():
        raise InputError(f"{where}: a file is there: give a folder that does not exist yet")
    if not any(folder.iterdir()):
        return None
    try:
        return open_table(given, rules)
    except InputError:
        raise InputError(f"{where}: something else is there: give a folder that does not exist yet") from None
    except TableError as error:
        raise TableError(f"{error}; remove the folder or give another one") from None


@contextmanager
def _at_work(folder: Path, given: str | os.PathLike[str]) -> Iterator[Path]:
    """The folder to build in, ours alone while the lock is held. After a failure it is left for the next run."""
    partial, where = partial_folder(folder), shown_path(os.fspath(given))
    partial.mkdir(parents=True, exist_ok=True)
    names = {entry.name for entry in partial.iterdir()}
    strange = sorted(name for name in names - {*_OURS} if not name.startswith(ASIDE))
    if strange:
        raise InputError(f"{where}: {quoted(strange[0])} is in {shown_path(partial.name)}, where pycs would build")
    work, lock = partial / _WORK, FileLock(partial / _LOCK)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise TableError(f"{where}: another run is at work on it") from None
    try:
        work.mkdir(exist_ok=True)
        yield work
    except BaseException:
        if not work.exists() or not any(work.iterdir()):  # a run that wrote nothing leaves nothing
            shutil.rmtree(partial, ignore_errors=True)
        raise
    else:
        shutil.rmtree(partial, ignore_errors=True)
    finally:
        lock.release()


class _Journal:
    """The parts that are complete, with their digests; void when rules or version changed."""

    def __init__(self, work: Path, rules: Rules) -> None:
        self.path = work.parent / _JOURNAL
        self.of = {
            "format": FORMAT,
            "rules_digest": rules.digest,
            "package_version": __version__,
            "core_version": core.version(),
        }
        self.parts: dict[int, Part] = {}
        for part in self._noted():
            if part_problem(work, part) == "" and _has_our_columns(work / part.name, game_of(rules)):
                self.parts[part.first] = part
        kept = {part.name for part in self.parts.values()}
        for entry in work.iterdir():
            if entry.name not in kept:
                entry.unlink()  # of a run that was killed while it wrote

    def _noted(self) -> list[Part]:
        try:
            plain = json.loads(self.path.read_bytes())
            if plain["of"] != self.of:
                return []
            return msgspec.convert(plain["parts"], list[Part])
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return []  # no journal, or not a whole one: begin anew

    def note(self, part: Part) -> None:
        self.parts[part.first] = part
        plain = {"of": self.of, "parts": [msgspec.to_builtins(each) for each in self.parts.values()]}
        write_atomically(self.path, json.dumps(plain).encode())


def _has_our_columns(path: Path, game: Game) -> bool:
    try:
        return pl.read_parquet_schema(io.BytesIO(path.read_bytes())) == schema_of(game)
    except (OSError, pl.exceptions.PolarsError):
        return False


def _build(work: Path, rules: Rules, progress: bool | None) -> None:
    journal, game = _Journal(work, rules), game_of(rules)
    firsts = range(0, game.deals, PART_ROWS)
    wanted = [first for first in firsts if first not in journal.parts]
    with progress_bar(progress, total=1 + len(wanted), desc=f"solve {rules.name}", unit="part") as bar:
        if wanted:
            counts = game.kernel.sweep(qualifying_strength(rules.dealer.qualifies))
            bar.update()
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                jobs = [pool.submit(_write_part, work, first, counts, rules) for first in wanted]
                for job in as_completed(jobs):
                    journal.note(job.result())
                    bar.update()
        parts = tuple(journal.parts[first] for first in firsts)
        write_manifest(_manifest(work, rules, parts), work)
        _sync(work)
        if not wanted:
            bar.update()


def _write_part(work: Path, first: int, counts: NDArray[np.uint32], rules: Rules) -> Part:
    game = game_of(rules)
    rows = min(PART_ROWS, game.deals - first)
    columns = zip(game.outcomes, counts[:, first : first + rows], strict=True)
    counted = pl.DataFrame([pl.Series(outcome, column) for outcome, column in columns])
    frame = with_values(deal_frame(game, first, rows).hstack(counted), rules).select(*schema_of(game))
    buffer = io.BytesIO()
    frame.write_parquet(buffer, compression="zstd", compression_level=1, row_group_size=_ROW_GROUP)
    content, name = buffer.getvalue(), f"part-{first // PART_ROWS:02}.parquet"
    write_atomically(work / name, content)
    digest = hashlib.sha256(content).hexdigest()
    return Part(name=name, first=first, rows=rows, bytes=len(content), sha256=digest)


def _manifest(work: Path, rules: Rules, parts: tuple[Part, ...]) -> Manifest:
    game = game_of(rules)
    columns = ["weight", "category", *game.outcomes, "action", "indifferent"]
    # Out of the files themselves: the totals are of what was written.
    frames = (read_part((work / part.name).read_bytes(), part, game, columns) for part in parts)
    sums = pl.concat([tally(frame, rules) for frame in frames])
    summary = report_of_tally(sums, rules)
    return Manifest(
        format=FORMAT,
        profile=rules.name,
        title=rules.title,
        rules_digest=rules.digest,
        rules=rules.to_dict(),
        package_version=__version__,
        core_version=core.version(),
        rows=sum(part.rows for part in parts),
        columns=columns_of(game),
        totals=Totals(
            weight=sum(summary.action_deals.values()),
            deals=summary.deals,
            net=summary.net,
            value=str(summary.value),
        ),
        parts=parts,
    )


def _sync(folder: Path) -> None:
    """Make a folder's renames last, where the system lets a folder be opened."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
