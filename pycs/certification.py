"""A table's proof, done again from nothing.

Three things are shown of a table:

- its files are those of its manifest;
- its rows are every deal once, and what stands in each follows from its counts (`pycs.row_checks`);
- the counts are right: every dealer completion of every deal is ranked and compared, one by one, by the exhaustive
  kernel, which shares neither loops nor counters with the sweep that made the table. `share` walks a random share.

The walk is noted in the table's folder as it goes, in `certificate.json` or `certificate-of-a-share.json`; a run that was
interrupted goes on from there.
"""

from __future__ import annotations

import json
import os
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec
import numpy as np
from tqdm import tqdm

from pycs import core
from pycs.core import canonical_deals, stud_walk
from pycs.deals import COMPLETIONS, DEALS
from pycs.errors import InputError, PycsError
from pycs.manifest import FILE_NAME, file_digest, read_manifest, write_atomically
from pycs.profiles import profile_names, shown_path
from pycs.ranking import qualifying_strength
from pycs.row_checks import Findings, check_rows
from pycs.rules import load_rules, rules_from_dict
from pycs.tables import check_layout, part_problem
from pycs.values import OUTCOMES

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import polars as pl
    from numpy.typing import NDArray

__all__ = ["Certificate", "certify"]

CERTIFICATE: Final = "certificate.json"
CERTIFICATE_OF_A_SHARE: Final = "certificate-of-a-share.json"
_CHUNK: Final = 1024
_SAVE_EVERY: Final = 5.0  # seconds


@dataclass(frozen=True, slots=True)
class Certificate:
    """What was shown of a table, and every problem found.

    `walked` of `rows` deals were counted again by the exhaustive road, a random sample by `seed` where `share` is below
    1. `mismatches` counts the rows that are wrong in any way, `problems` names the first of each kind. `seconds` is the
    time spent walking, over all runs.
    """

    path: str
    profile: str
    manifest_sha256: str
    core_version: str
    share: float
    seed: int
    rows: int
    walked: int
    seconds: float
    mismatches: int
    problems: tuple[str, ...]
    finished: bool

    @property
    def passed(self) -> bool:
        """Whether everything was checked and nothing was wrong."""
        return self.finished and not self.problems

    @property
    def completions(self) -> int:
        """How many dealer hands were ranked and compared."""
        return self.walked * COMPLETIONS

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `pycs certify --json` prints it."""
        return asdict(self) | {"passed": self.passed, "completions": self.completions, "problems": list(self.problems)}

    def summary(self) -> list[tuple[str, str]]:
        """The certificate in words: rows of a label and a text."""
        rate = f"{self.completions / self.seconds / 1e6:,.0f} million a second" if self.seconds else "no time"
        sample = "every deal" if self.walked == self.rows else f"a random share, seed {self.seed}"
        return [
            ("table", f"{self.profile}, {self.path}"),
            ("deals walked", f"{self.walked:,} of {self.rows:,} ({sample})"),
            ("completions", f"{self.completions:,} ranked and compared, {rate}, {self.seconds:,.1f} s"),
            ("wrong rows", f"{self.mismatches:,}"),
            ("verdict", "passed" if self.passed else "failed" if self.problems else "unfinished"),
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

    The full walk ranks 9.2e11 dealer hands, some minutes of all cores. `share`, above 0 and at most 1, walks a random
    share of the rows, drawn by `seed` (drawn anew and stated when not given); the other checks are always of all rows.
    `progress` shows bars on stderr; without it, only when stderr is a terminal. `executor` takes the walk in chunks;
    without it, threads on every core.

    Returns the certificate; `passed` tells. It is also written into the folder, as `certificate.json`, or, lest a full
    one is lost, as `certificate-of-a-share.json`. InputError when no table is there or an argument cannot be.
    """
    folder = Path(path)
    where = shown_path(str(folder))
    if not (folder / FILE_NAME).is_file():
        raise InputError(f"{where}: no table is there: give a folder that pycs solve made")
    if not 0 < share <= 1:
        raise InputError(f"a share of {share}: above 0 and at most 1 is allowed")
    if seed is not None and seed < 0:
        raise InputError(f"a seed of {seed}: 0 or more is allowed")
    findings = Findings()
    begun = Certificate(
        path=str(folder),
        profile="",
        manifest_sha256=file_digest(folder / FILE_NAME),
        core_version=core.version(),
        share=share,
        seed=int(np.random.SeedSequence().generate_state(1)[0]) if seed is None else seed,
        rows=DEALS,
        walked=0,
        seconds=0.0,
        mismatches=0,
        problems=(),
        finished=False,
    )
    try:
        manifest = read_manifest(folder)
        check_layout(manifest, where)
        rules = rules_from_dict(manifest.rules, where=f"{where}: rules")
    except PycsError as error:
        return _written(replace(begun, problems=(str(error),), finished=True), folder, set())
    begun = replace(begun, profile=rules.name)
    if rules.digest != manifest.rules_digest:
        findings.add("the rules in the manifest do not fit their digest")
    if manifest.profile in profile_names() and load_rules(manifest.profile).digest != rules.digest:
        findings.add(f"built by other rules than those of {manifest.profile} as they are now")
    if manifest.core_version != core.version():
        findings.add(f"built by the core {manifest.core_version}, this is {core.version()}")
    for part in manifest.parts:
        if problem := part_problem(folder, part):
            findings.add(problem)
    counts = check_rows(folder, manifest, rules, findings, progress)
    if counts is None:
        return _written(replace(begun, problems=tuple(findings.problems), finished=True), folder, set())
    qualify = qualifying_strength(rules.dealer.qualifies)
    return _walk(begun, folder, counts, qualify, seed, findings, progress, executor)


def walk_chunk(rows: NDArray[np.uint32], qualify: int) -> NDArray[np.uint32]:
    """The four counts of the deals with these indices, shape (4, n), by the exhaustive road."""
    deals, _ = canonical_deals(rows)
    return np.stack(stud_walk(deals, qualify))


def _walk(
    begun: Certificate,
    folder: Path,
    counts: pl.DataFrame,
    qualify: int,
    seed: int | None,
    findings: Findings,
    progress: bool | None,
    executor: Executor | None,
) -> Certificate:
    begun, noted = _resumed(begun, folder, seed)
    rows = np.arange(DEALS, dtype=np.uint32)
    if begun.share < 1:
        size = max(1, round(begun.share * DEALS))
        rows = np.sort(np.random.default_rng(begun.seed).choice(rows, size, replace=False))
    stated = np.stack([counts[outcome].to_numpy() for outcome in OUTCOMES])
    chunks = [rows[start : start + _CHUNK] for start in range(0, len(rows), _CHUNK)]
    done = noted & set(range(len(chunks)))
    left = deque(number for number in range(len(chunks)) if number not in done)
    walked = sum(len(chunks[number]) for number in done)
    started = saved = time.monotonic()

    def certificate(finished: bool) -> Certificate:
        return replace(
            begun,
            walked=walked,
            seconds=begun.seconds + time.monotonic() - started,
            mismatches=len(findings.rows),
            problems=tuple(findings.problems),
            finished=finished,
        )

    pool = executor or ThreadPoolExecutor(os.cpu_count())
    bar = tqdm(
        total=len(rows),
        initial=walked,
        desc="walk deals",
        unit="deal",
        disable=None if progress is None else not progress,
    )
    running: deque[tuple[int, Any]] = deque()
    try:
        while left or running:
            while left and len(running) < 4 * (os.cpu_count() or 1):
                number = left.popleft()
                running.append((number, pool.submit(walk_chunk, chunks[number], qualify)))
            number, job = running.popleft()
            chunk, walked_counts = chunks[number], job.result()
            told = stated[:, chunk]
            if np.array_equal(told, walked_counts):
                done.add(number)  # a chunk in which something is wrong is walked again by a run that goes on
            for outcome, place in np.argwhere(told != walked_counts).tolist():
                there, walked_there = told[outcome, place], walked_counts[outcome, place]
                problem = f"{OUTCOMES[outcome]} is {there} in the table, {walked_there} by walking"
                findings.add_rows(chunk[place : place + 1], counts, 0, problem)
            walked += len(chunk)
            bar.update(len(chunk))
            if time.monotonic() - saved > _SAVE_EVERY:
                _written(certificate(finished=False), folder, done)
                saved = time.monotonic()
    finally:
        bar.close()
        if left or running:  # interrupted: what is done is kept
            _written(certificate(finished=False), folder, done)
        if executor is None:
            pool.shutdown(cancel_futures=True)
    return _written(certificate(finished=True), folder, done)


def _path(folder: Path, share: float) -> Path:
    return folder / (CERTIFICATE if share == 1 else CERTIFICATE_OF_A_SHARE)


def _written(certificate: Certificate, folder: Path, chunks: set[int]) -> Certificate:
    plain = certificate.to_dict()
    if not certificate.finished:
        plain["chunks"] = sorted(chunks)
    write_atomically(_path(folder, certificate.share), (json.dumps(plain, indent=1) + "\n").encode())
    return certificate


class _Noted(msgspec.Struct):
    """What a run needs of the certificate of an interrupted one."""

    manifest_sha256: str
    core_version: str
    share: float
    seed: Annotated[int, msgspec.Meta(ge=0)]
    seconds: Annotated[float, msgspec.Meta(ge=0)]
    finished: bool
    chunks: set[int] = msgspec.field(default_factory=set)


def _resumed(begun: Certificate, folder: Path, seed: int | None) -> tuple[Certificate, set[int]]:
    """The chunks that an interrupted run of the same walk had done and found right."""
    try:
        noted = msgspec.json.decode(_path(folder, begun.share).read_bytes(), type=_Noted)
    except (OSError, ValueError):
        return begun, set()  # none, or not a whole one: begin anew
    same = all(getattr(noted, key) == getattr(begun, key) for key in ("manifest_sha256", "core_version", "share"))
    if noted.finished or not same or (seed is not None and noted.seed != seed):
        return begun, set()
    return replace(begun, seed=noted.seed, seconds=noted.seconds), noted.chunks
