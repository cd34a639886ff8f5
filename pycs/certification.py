"""A table's proof, done again from nothing.

Three things are shown of a table:

- its files are those of its manifest;
- its rows are every deal once, and what stands in each follows from its counts (`pycs.row_checks`);
- the counts are right: every dealer completion of every deal is ranked and compared, one by one, by the exhaustive
  kernel, which shares neither loops nor counters with the sweep that made the table. `share` walks a random share.

A run that was interrupted is gone on with (`pycs.walk_journal`). Nothing is written into the table's folder.
"""

from __future__ import annotations

import os
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from pycs import core
from pycs.errors import InputError, PycsError, TableError
from pycs.games import GAMES, game_of
from pycs.manifest import FILE_NAME, file_digest, read_manifest
from pycs.messages import quoted, shown_path
from pycs.profiles import profile_names
from pycs.progress import progress_bar
from pycs.ranking import qualifying_strength
from pycs.row_checks import Findings, check_rows
from pycs.rules import load_rules, rules_from_dict
from pycs.table_files import as_folder, check_layout, has_manifest, part_problem, stray_part, versions
from pycs.walk_journal import WalkJournal, open_journal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor

    import polars as pl
    from numpy.typing import NDArray

    from pycs.games import Game

__all__ = ["Certificate", "certify"]

_CHUNK: Final = 1024
_SAVE_EVERY: Final = 5.0  # seconds


@dataclass(frozen=True, slots=True)
class Certificate:
    """What was shown of a table, and every problem found.

    `walked` of `rows` deals were counted again by the exhaustive road, a random sample by `seed` where `share` is below
    1; `resumed` of them were walked by an earlier run of the same user that was interrupted. `mismatches` counts the
    rows that are wrong in any way, `problems` tells the first of them, and all else that is wrong, in words.
    `completions` is how many completions were ranked and compared, `seconds` the time spent on that, over all runs.
    """

    path: str
    profile: str
    rules_digest: str
    manifest_sha256: str
    core_version: str
    share: float
    seed: int
    rows: int
    walked: int
    resumed: int
    completions: int
    seconds: float
    mismatches: int
    problems: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether nothing was wrong in what was checked: all files, all rows, and the counts of the share."""
        return not self.problems

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `pycs certify --json` prints it."""
        return asdict(self) | {"passed": self.passed, "problems": list(self.problems)}

    def summary(self) -> list[tuple[str, str]]:
        """The certificate in words: rows of a label and a text."""
        rate = f"{self.completions / self.seconds / 1e6:,.0f} million a second" if self.seconds else "no time"
        sample = "every deal" if self.walked == self.rows else f"a random share, seed {self.seed}"
        earlier = f", {self.resumed:,} of them by an interrupted run" if self.resumed else ""
        return [
            ("folder", self.path),
            ("profile", self.profile),
            ("digest", f"{self.rules_digest} of its rules"),
            ("deals walked", f"{self.walked:,} of {self.rows:,} ({sample}){earlier}"),
            ("completions", f"{self.completions:,} ranked and compared, {rate}, {self.seconds:,.1f} s"),
            ("wrong rows", f"{self.mismatches:,}"),
            ("verdict", f"passed ({sample})" if self.passed else "failed"),
        ]


def certify(
    path: str | os.PathLike[str],
    *,
    share: float = 1.0,
    seed: int | None = None,
    progress: bool | None = None,
    executor: Executor | None = None,
) -> Certificate:
    """Prove the table in a folder again: its files, its rows, and by the exhaustive road its counts.

    The full walk ranks 9.2e11 dealer hands (in Casino Hold'em it goes through 1.4e12 completions), some minutes of all
    cores. `share`, above 0 and at most 1, walks a random share of the rows, drawn by `seed` (drawn anew and stated when
    not given); the other checks are always of all rows.
    `progress` shows bars on stderr; without it, only when stderr is a terminal. `executor`, of threads or of processes,
    takes the walk in chunks; without it, threads on every core.

    Returns the certificate; `passed` tells. InputError when no table is there or an argument cannot be,
    TableError when its manifest cannot even be read.
    """
    folder, where = as_folder(path), shown_path(os.fspath(path))
    if not has_manifest(folder):
        raise InputError(f"{where}: no table is there: give a folder that pycs solve made")
    if isinstance(share, bool) or not isinstance(share, (int, float)) or not 0 < share <= 1:
        raise InputError(f"a share of {quoted(share)}: a number above 0 and at most 1 is allowed")
    if seed is not None and (not isinstance(seed, int) or seed < 0):
        raise InputError(f"a seed of {quoted(seed)}: a whole number, 0 or more, is allowed")
    new_seed = int(np.random.SeedSequence().generate_state(1)[0])
    try:
        manifest_sha256 = file_digest(folder / FILE_NAME)
    except OSError as error:
        raise TableError(f"{where}: {FILE_NAME} cannot be read ({error.strerror})") from None
    journal = open_journal(manifest_sha256, core.version(), float(share), seed, new_seed)
    findings = Findings()
    profile, rules_digest, rows, walked, resumed, completions = "", "", 0, 0, 0, 0
    try:
        manifest = read_manifest(folder)
        rules = rules_from_dict(manifest.rules, where=f"{where}: rules")
        check_layout(manifest, game_of(rules), where)
    except PycsError as error:
        findings.add(str(error))
    else:
        game = game_of(rules)
        profile, rules_digest, rows = rules.name, rules.digest, game.deals
        if rules.digest != manifest.rules_digest:
            findings.add("the rules in the manifest do not fit their digest")
        if manifest.profile != rules.name:
            findings.add(f"the manifest is of {quoted(manifest.profile)}, the rules in it are of {quoted(rules.name)}")
        if rules.name in profile_names() and load_rules(rules.name).digest != rules.digest:
            findings.add(f"built by other rules than those of {rules.name} as they are now")
        for what, built, here in versions(manifest):
            if built != here:
                findings.add(f"built by {what} {built}, this is {here}")
        if problem := stray_part(folder, manifest):
            findings.add(problem)
        for part in manifest.parts:
            if problem := part_problem(folder, part):
                findings.add(problem)
        counts = check_rows(folder, manifest, rules, findings, progress)
        if counts is not None:
            qualify = qualifying_strength(rules.dealer.qualifies)
            walked, resumed = _walk(game, counts, qualify, journal, findings, progress, executor)
            completions = walked * game.completions
    return Certificate(
        path=os.fspath(path),
        profile=profile,
        rules_digest=rules_digest,
        manifest_sha256=journal.manifest_sha256,
        core_version=journal.core_version,
        share=journal.share,
        seed=journal.seed,
        rows=rows,
        walked=walked,
        resumed=resumed,
        completions=completions,
        seconds=journal.seconds,
        mismatches=len(findings.rows),
        problems=tuple(findings.problems),
    )


def walk_chunk(game: str, rows: NDArray[np.uint32], qualify: int) -> NDArray[np.uint32]:
    """The counts of the deals with these indices, shape (outcomes, n), by the exhaustive road.

    The game goes by its name, which is what another process can be handed.
    """
    kernel = GAMES[game].kernel
    deals, _ = kernel.canonical_deals(rows)
    return kernel.walk(deals, qualify)


def _walk(
    game: Game,
    counts: pl.DataFrame,
    qualify: int,
    journal: WalkJournal,
    findings: Findings,
    progress: bool | None,
    executor: Executor | None,
) -> tuple[int, int]:
    """Hold the counts against the walk; how many deals are walked, and how many of them an earlier run had walked."""
    rows = np.arange(game.deals, dtype=np.uint32)
    if journal.share < 1:
        size = max(1, round(journal.share * game.deals))
        rows = np.sort(np.random.default_rng(journal.seed).choice(rows, size, replace=False))
    chunks = [rows[start : start + _CHUNK] for start in range(0, len(rows), _CHUNK)]
    journal.chunks &= set(range(len(chunks)))
    resumed = sum(len(chunks[number]) for number in journal.chunks)
    left = [number for number in range(len(chunks)) if number not in journal.chunks]
    stated = np.stack([counts[outcome].to_numpy() for outcome in game.outcomes])
    bar = progress_bar(progress, total=len(rows), initial=resumed, desc="walk deals", unit="deal")
    clock = saved = time.monotonic()
    try:
        for number, walked in _walked(game, chunks, left, qualify, executor):
            chunk, told = chunks[number], stated[:, chunks[number]]
            for outcome, place in np.argwhere(told != walked).tolist():
                there, here = told[outcome, place], walked[outcome, place]
                problem = f"{game.outcomes[outcome]} is {there} in the table, {here} by walking"
                findings.add_rows(chunk[place : place + 1], counts, 0, problem)
            if np.array_equal(told, walked):
                journal.chunks.add(number)  # a chunk with a wrong row is walked again by a run that goes on
            bar.update(len(chunk))
            now = time.monotonic()
            journal.seconds += now - clock
            clock = now
            if now - saved > _SAVE_EVERY:
                journal.save()
                saved = now
    except BaseException:
        journal.save()
        raise
    finally:
        bar.close()
    journal.remove()
    return len(rows), resumed


def _walked(
    game: Game, chunks: list[NDArray[np.uint32]], numbers: list[int], qualify: int, executor: Executor | None
) -> Iterator[tuple[int, NDArray[np.uint32]]]:
    """Walk the chunks with these numbers, a few ahead of the one that is given back."""
    pool = executor or ThreadPoolExecutor(os.cpu_count())
    running: deque[tuple[int, Any]] = deque()
    try:
        for number in numbers:
            running.append((number, pool.submit(walk_chunk, game.name, chunks[number], qualify)))
            if len(running) > 4 * (os.cpu_count() or 1):
                done, job = running.popleft()
                yield done, job.result()
        for done, job in running:
            yield done, job.result()
    finally:
        if executor is None:
            pool.shutdown(cancel_futures=True)
