"""Tables on disk: every canonical deal with its counts, values and best action, opened and asked.

A table is a folder of Parquet parts and a `manifest.json`. Row i of the parts in order is the deal with canonical index
i, so an answer is a slice. `pycs.solve` makes tables, `pycs.certify` proves them again from nothing.
"""

from __future__ import annotations

import io
import os
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cached_property
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
from pycs.messages import shown_path
from pycs.profiles import profile_names
from pycs.ranking import CATEGORIES_UP
from pycs.rules import load_rules, rules_from_dict
from pycs.values import ACTION, OUTCOMES
from pycs.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable
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
    folder = Path(path)
    where = shown_path(str(folder))
    if not (folder / FILE_NAME).is_file():
        unfinished = " (an unfinished one is: run pycs solve again)" if partial_folder(folder).is_dir() else ""
        raise InputError(f"{where}: no table is there{unfinished}: give a folder that pycs solve made")
    manifest = read_manifest(folder)
    _check_versions(manifest, where)
    rules = _check_rules(manifest, where, profile)
    check_layout(manifest, where)
    with ThreadPoolExecutor() as pool:
        for problem in pool.map(lambda part: part_problem(folder, part), manifest.parts):
            if problem:
                raise TableError(f"{where}: {problem}: solve it again")
    return Table(folder, manifest, rules)


def partial_folder(folder: Path) -> Path:
    """Where a table is built before it is complete."""
    return folder.with_name(folder.name + ".partial")


def part_problem(folder: Path, part: Part) -> str:
    """What is wrong with a part's file, or nothing."""
    path = folder / part.name
    try:
        size = path.stat().st_size
        if size != part.bytes:
            return f"{part.name} holds {size} bytes, {part.bytes} were written"
        return "" if file_digest(path) == part.sha256 else f"{part.name} was altered: its SHA-256 is not the manifest's"
    except OSError as error:
        return f"{part.name} cannot be read ({error.strerror})"


_RECORD: Final = np.dtype(
    [
        ("category", np.uint8),
        *((outcome, np.uint32) for outcome in OUTCOMES),
        ("fold_numerator", np.int64),
        ("call_numerator", np.int64),
        ("action", np.uint8),
        ("indifferent", np.bool_),
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
        self._loading = Lock()

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
        category, *counts, fold, call, action, indifferent = self._records[row].item()
        return Decision(
            profile=self.rules.name,
            hand=format_cards(deal.hand),
            upcard=format_card(deal.upcard),
            category=CATEGORIES_UP[category],
            action=ACTIONS[action],
            values={"fold": Fraction(fold, COMPLETIONS), "call": Fraction(call, COMPLETIONS)},
            margin=Fraction(abs(call - fold), COMPLETIONS),
            indifferent=indifferent,
            completions=COMPLETIONS,
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
        for column in ("hand", "upcard"):
            if column not in deals.columns:
                raise InputError(f"a frame with the columns {', '.join(deals.columns)}: hand and upcard are needed")
        index = pl.Series("index", indices_of_text(deals["hand"], deals["upcard"]))
        answers = self._values.select(pl.all().gather(index))
        return deals.with_columns(index, *answers)

    def frame(self, columns: Iterable[str] | None = None) -> pl.DataFrame:
        """All rows in the order of their indices, with all columns or those asked for; read anew at each call."""
        wanted = list(COLUMNS) if columns is None else list(columns)
        for column in wanted:
            if column not in COLUMNS:
                raise InputError(f"no column {column!r}: {', '.join(COLUMNS)} are there")
        return pl.concat([self._read(part, wanted) for part in self.manifest.parts], rechunk=True)

    @cached_property
    def _values(self) -> pl.DataFrame:
        with self._loading:
            return self.frame(column for column in COLUMNS if column not in ("hand", "upcard"))

    @cached_property
    def _records(self) -> NDArray[Any]:
        """What a probe looks up, by canonical index: one record, so that it is one place in memory."""
        with self._loading:
            columns = self.frame(_RECORD.names)
        records = np.empty(len(self), _RECORD)
        for column in columns:
            records[column.name] = column.to_physical().to_numpy()
        return records

    def _read(self, part: Part, columns: list[str]) -> pl.DataFrame:
        # What is decoded is what was checked: the bytes are read once.
        path = self.path / part.name
        problem = part_problem(self.path, part)
        if problem:
            raise TableError(f"{shown_path(str(self.path))}: {problem}: solve it again")
        return pl.read_parquet(io.BytesIO(path.read_bytes()), columns=columns)


def _check_versions(manifest: Manifest, where: str) -> None:
    for what, built, here in (
        ("pycs", manifest.package_version, __version__),
        ("the core", manifest.core_version, core.version()),
    ):
        if built != here:
            raise TableError(f"{where}: built by {what} {built}, this is {here}: solve it again")


def _check_rules(manifest: Manifest, where: str, profile: str | os.PathLike[str] | Rules | None) -> Rules:
    rules = rules_from_dict(manifest.rules, where=f"{where}: rules")
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
