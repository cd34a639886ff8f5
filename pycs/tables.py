"""Tables on disk: every canonical deal with its counts, values and best action, opened and asked.

A table is a folder of Parquet parts and a `manifest.json`. Row i of the parts in order is the deal with canonical index
i, so an answer is a slice. `pycs.solve` makes tables, `pycs.certify` proves them again from nothing.
"""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from pycs import core
from pycs.cards import format_card, format_cards
from pycs.core import deal_index
from pycs.deal_frames import CARD, CATEGORY, indices_of_text
from pycs.deals import COMPLETIONS, DEALS, parse_deal
from pycs.decisions import ACTIONS, Decision, Outcomes
from pycs.errors import InputError, TableError
from pycs.manifest import FILE_NAME, Manifest, Part, file_digest, read_manifest
from pycs.messages import quoted, shown_path
from pycs.profiles import profile_names
from pycs.ranking import CATEGORIES_UP
from pycs.rules import load_rules, rules_from_dict
from pycs.values import ACTION, OUTCOMES
from pycs.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, SupportsIndex

    from numpy.typing import NDArray

    from pycs.rules import Rules

__all__ = ["COLUMNS", "SCHEMA", "Table", "open_table"]

COLUMNS: Final = {
    "hand": "the player's five cards, suits as far as free in the order s h d c",
    "upcard": "the dealer's card in sight",
    "weight": "how many of the 122,151,120 raw deals the row stands for",
    "category": "the player's hand",
    "not_qualified": "dealer completions, of 163,185: the dealer does not qualify",
    "win": "dealer completions: he qualifies, the player is better",
    "push": "dealer completions: he qualifies, both are equal",
    "lose": "dealer completions: he qualifies and is better",
    "fold_numerator": "value of folding, in antes over 163,185",
    "call_numerator": "value of calling, in antes over 163,185",
    "fold": "value of folding, in antes, rounded to a float",
    "call": "value of calling, in antes, rounded to a float",
    "action": "the best action; of equal ones the cheaper",
    "margin": "best value less next best, in antes, rounded to a float",
    "indifferent": "whether both actions are worth exactly the same",
}
"""The columns of a table and what they mean."""

SCHEMA: Final = pl.Schema(
    {
        "hand": pl.String(),
        "upcard": CARD,
        "weight": pl.Int64(),
        "category": CATEGORY,
        "not_qualified": pl.Int64(),
        "win": pl.Int64(),
        "push": pl.Int64(),
        "lose": pl.Int64(),
        "fold_numerator": pl.Int64(),
        "call_numerator": pl.Int64(),
        "fold": pl.Float64(),
        "call": pl.Float64(),
        "action": ACTION,
        "margin": pl.Float64(),
        "indifferent": pl.Boolean(),
    }
)
"""The columns of a table and their types. Whole numbers have 64 bits, so that sums over all 2e13 rounds do not wrap."""


def open_table(path: str | os.PathLike[str], profile: str | os.PathLike[str] | Rules | None = None) -> Table:
    """Open the table in a folder, after checking every file against the manifest's digests (a fraction of a second).

    `profile` says by which rules the table must have been built: a profile's name, a TOML file, or rules. Without it,
    a table that carries a shipped profile's name must fit that profile as it is now; any other name is taken on trust.

    InputError when there is no table in the folder. TableError, with the reason, when a file is missing, altered or cut
    short, or when the table was built by other rules or another version of pycs.
    """
    folder = as_folder(path)
    where = shown_path(os.fspath(path))
    if not has_manifest(folder):
        unfinished = " (an unfinished one is: run pycs solve again)" if has_partial(folder) else ""
        raise InputError(f"{where}: no table is there{unfinished}: give a folder that pycs solve made")
    manifest = read_manifest(folder)
    _check_versions(manifest, where)
    rules = _check_rules(manifest, where, profile)
    check_layout(manifest, where)
    with ThreadPoolExecutor() as pool:
        for problem in pool.map(lambda part: part_problem(folder, part), manifest.parts):
            if problem:
                raise TableError(f"{where}: {problem}: solve it again")
    return Table(Path(path), manifest, rules)


def as_folder(path: str | os.PathLike[str]) -> Path:
    """The folder that a path means, absolute and without links; InputError for what can be none."""
    try:
        text = os.fspath(path)
        if not isinstance(text, str) or not text or "\0" in text:
            raise TypeError
    except TypeError:
        raise InputError(f"the folder {quoted(path)}: the path of a folder is allowed") from None
    return Path(os.path.realpath(text))


def has_manifest(folder: Path) -> bool:
    """Whether a table is there, whole or not."""
    return os.path.isfile(folder / FILE_NAME)  # noqa: PTH113 - a Path would not answer for a name that is too long


def has_partial(folder: Path) -> bool:
    """Whether a run was interrupted there, or is at work."""
    return os.path.isdir(partial_folder(folder))  # noqa: PTH112 - as above


def partial_folder(folder: Path) -> Path:
    """Where a table is built before it is complete."""
    return folder.parent / f"{folder.name}.partial"


def part_problem(folder: Path, part: Part) -> str:
    """What is wrong with a part's file, or nothing."""
    path = folder / part.name
    try:
        if path.exists() and not path.is_file():
            return f"{part.name} cannot be read (it is not a file)"
        size = path.stat().st_size
        if size != part.bytes:
            return f"{part.name} holds {size} bytes, {part.bytes} were written"
        return "" if file_digest(path) == part.sha256 else f"{part.name} was altered: its SHA-256 is not the manifest's"
    except OSError as error:
        return f"{part.name} cannot be read ({error.strerror})"


def read_part(content: bytes, part: Part, columns: list[str] | None = None) -> pl.DataFrame:
    """The rows of a part's file, all its columns or some; TableError when they are not the rows of a table."""
    try:
        schema = pl.read_parquet_schema(io.BytesIO(content))
        if schema != SCHEMA:
            types = ", ".join(f"{name} {dtype}" for name, dtype in schema.items())
            raise TableError(f"{part.name} holds the columns {quoted(types)}, not those of a table")
        frame = pl.read_parquet(io.BytesIO(content), columns=columns)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        raise TableError(f"{part.name} cannot be read: {' '.join(str(error).split())[:200]}") from None
    if frame.height != part.rows:
        raise TableError(f"{part.name} holds {frame.height} rows, {part.rows} were written")
    empty = [column for column in frame.columns if frame[column].null_count()]
    if empty:
        raise TableError(f"{part.name} has empty places in {', '.join(empty)}")
    return frame


_RECORD: Final = np.dtype(
    [
        ("category", np.uint8),
        *((outcome, np.uint32) for outcome in OUTCOMES),
        ("fold_numerator", np.int64),
        ("call_numerator", np.int64),
        ("action", np.uint8),
    ]
)


class Table:
    """An open table. Made by `open_table` and `solve`.

    Immutable: threads may share it. The first `probe`, and the first `probe_many`, read what they look up into memory,
    in about a second; the table then holds some 200 and 350 MB.
    """

    def __init__(self, path: Path, manifest: Manifest, rules: Rules) -> None:  # noqa: D107
        self.path: Final = path
        self.manifest: Final = manifest
        self.rules: Final = rules
        self._folder: Final = as_folder(path)
        self._loading: Final = Lock()
        self._loaded: dict[str, Any] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy, also in another process, opens the same folder."""
        return open_table, (self._folder, self.rules)

    def __repr__(self) -> str:
        """Profile, size and place."""
        return f"<Table of {self.rules.name}, {len(self)} deals, in {shown_path(str(self.path))}>"

    def __len__(self) -> int:
        """The number of deals, 5,649,150."""
        return self.manifest.rows

    def probe(self, hand: str | Iterable[str | SupportsIndex], upcard: str | SupportsIndex) -> Decision:
        """What the table says of a deal: the same as `pycs.decide`, in some microseconds.

        InputError for cards that cannot be a deal; TableError when a part was altered since the table was opened.
        """
        deal = parse_deal(hand, upcard)
        row = deal_index([*deal.hand, deal.upcard])
        category, *counts, fold, call, action = self._load("records", self._read_records)[row].item()
        return Decision(
            profile=self.rules.name,
            hand=format_cards(deal.hand),
            upcard=format_card(deal.upcard),
            category=CATEGORIES_UP[category],
            action=ACTIONS[action],
            values={"fold": Fraction(fold, COMPLETIONS), "call": Fraction(call, COMPLETIONS)},
            outcomes=Outcomes(*counts),
        )

    def get(
        self, hand: str | Iterable[str | SupportsIndex], upcard: str | SupportsIndex, default: Decision | None = None
    ) -> Decision | None:
        """As `probe`, but `default` for cards that cannot be a deal."""
        try:
            return self.probe(hand, upcard)
        except InputError:
            return default

    def probe_many(self, deals: pl.DataFrame) -> pl.DataFrame:
        """What the table says of many deals, millions a second.

        `deals` has the columns `hand` and `upcard`, text in any notation of `pycs.cards`, quickest two characters to a
        card. Returns its columns, then `index` (the canonical index, UInt32) and the table's columns but for `hand` and
        `upcard`, in the order of `deals`. Columns of `deals` that carry such a name are replaced.

        InputError, with the number of the row, for the first deal that cannot be, or when a column is missing.
        """
        if not isinstance(deals, pl.DataFrame):
            raise InputError(f"{quoted(deals)}: a Polars DataFrame with the columns hand and upcard is needed")
        for column in ("hand", "upcard"):
            if column not in deals.columns:
                raise InputError(f"a frame with the columns {quoted(deals.columns)}: hand and upcard are needed")
        index = pl.Series("index", indices_of_text(deals["hand"], deals["upcard"]))
        answers = self._load("values", self._read_values).select(pl.all().gather(index))
        return deals.with_columns(index, *answers)

    def frame(self, columns: Iterable[str] | None = None) -> pl.DataFrame:
        """All rows in the order of their indices, with all columns or those asked for; read anew at each call."""
        if columns is not None and (isinstance(columns, str) or not isinstance(columns, Iterable)):
            raise InputError(f"the columns {quoted(columns)}: a list of names is allowed")
        wanted = list(COLUMNS) if columns is None else list(columns)
        for number, column in enumerate(wanted):
            if not isinstance(column, str) or column not in COLUMNS:
                raise InputError(f"no column {quoted(column)}: {', '.join(COLUMNS)} are there")
            if column in wanted[:number]:
                raise InputError(f"the column {column} twice: once is enough")
        return pl.concat([self._read(part, wanted) for part in self.manifest.parts], rechunk=True)

    def _load(self, what: str, read: Callable[[], Any]) -> Any:
        """What was read into memory at its first use, by one thread while the others wait."""
        if what not in self._loaded:
            with self._loading:
                if what not in self._loaded:
                    self._loaded[what] = read()
        return self._loaded[what]

    def _read_values(self) -> pl.DataFrame:
        return self.frame([column for column in COLUMNS if column not in ("hand", "upcard")])

    def _read_records(self) -> NDArray[Any]:
        """What a probe looks up, by canonical index: one record, so that it is one place in memory."""
        records = np.empty(len(self), _RECORD)
        for column in self.frame(_RECORD.names):
            records[column.name] = column.to_physical().to_numpy()
        return records

    def _read(self, part: Part, columns: list[str]) -> pl.DataFrame:
        # What is decoded is what was checked: the bytes are read once.
        where = shown_path(str(self.path))
        try:
            content = (self._folder / part.name).read_bytes()
        except OSError as error:
            raise TableError(f"{where}: {part.name} cannot be read ({error.strerror}): solve it again") from None
        if hashlib.sha256(content).hexdigest() != part.sha256:
            raise TableError(f"{where}: {part.name} was altered since the table was opened: solve it again")
        try:
            return read_part(content, part, columns)
        except TableError as error:
            raise TableError(f"{where}: {error}: solve it again") from None


def versions(manifest: Manifest) -> tuple[tuple[str, str, str], ...]:
    """Of the package and of its core: the name, the version that built the table, the version that is here."""
    return ("pycs", manifest.package_version, __version__), ("the core", manifest.core_version, core.version())


def _check_versions(manifest: Manifest, where: str) -> None:
    for what, built, here in versions(manifest):
        if built != here:
            raise TableError(f"{where}: built by {what} {built}, this is {here}: solve it again")


def _check_rules(manifest: Manifest, where: str, profile: str | os.PathLike[str] | Rules | None) -> Rules:
    try:
        rules = rules_from_dict(manifest.rules, where=f"{where}: rules")
    except InputError as error:
        raise TableError(str(error)) from None
    if rules.digest != manifest.rules_digest:
        raise TableError(f"{where}: the rules in the manifest do not fit their digest: solve it again")
    if profile is None and manifest.profile in profile_names():
        profile = manifest.profile
    if profile is not None and load_rules(profile).digest != rules.digest:
        raise TableError(f"{where}: built by other rules than those of {load_rules(profile).name} as they are now")
    return rules


def check_layout(manifest: Manifest, where: str) -> None:
    """TableError unless the parts follow each other without a gap from the first deal to the last."""
    expected = 0
    for part in manifest.parts:
        if part.first != expected:
            raise TableError(f"{where}: {part.name} begins at row {part.first} instead of {expected}: solve it again")
        expected += part.rows
    if not expected == manifest.rows == DEALS:
        raise TableError(f"{where}: {expected} rows instead of {DEALS}: solve it again")
