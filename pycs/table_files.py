"""The files of a table: where they lie, what columns they hold, and what can be wrong with them."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

import polars as pl

from pycs import core
from pycs.deal_frames import AA_BONUS, CARD, CATEGORY
from pycs.errors import InputError, TableError
from pycs.manifest import FILE_NAME, file_digest
from pycs.messages import quoted
from pycs.values import ACTION
from pycs.version import __version__

if TYPE_CHECKING:
    from pycs.games import Game
    from pycs.manifest import Manifest, Part

__all__ = [
    "as_folder",
    "check_layout",
    "columns_of",
    "has_manifest",
    "has_partial",
    "part_problem",
    "partial_folder",
    "read_part",
    "schema_of",
    "stray_part",
    "versions",
]


def columns_of(game: Game) -> dict[str, str]:
    """The columns of a game's tables and what they mean."""
    completions = f"{game.completions:,}"
    cards, first_five = _CARDS[game.name], _FIRST_FIVE[game.name]
    return {
        **cards,
        "weight": f"how many of the {game.raw_deals:,} raw deals the row stands for",
        **first_five,
        **{outcome: f"completions, of {completions}: {_meaning(outcome)}" for outcome in game.outcomes},
        "fold_numerator": f"value of folding, in antes over {completions}",
        "call_numerator": f"value of calling, in antes over {completions}",
        "fold": "value of folding, in antes, rounded to a float",
        "call": "value of calling, in antes, rounded to a float",
        "action": "the best action; of equal ones the cheaper",
        "margin": "best value less next best, in antes, rounded to a float",
        "indifferent": "whether both actions are worth exactly the same",
    }


_CARDS: Final = {
    "caribbean-stud": {
        "hand": "the player's five cards, suits as far as free in the order s h d c",
        "upcard": "the dealer's card in sight",
    },
    "casino-holdem": {
        "hand": "the player's two hole cards",
        "flop": "the three board cards in sight, suits as far as free in the order s h d c",
    },
}
_FIRST_FIVE: Final = {
    "caribbean-stud": {"category": "the player's hand"},
    "casino-holdem": {
        "category": "what hole cards and flop make",
        "aa_bonus": "the line of the AA Bonus that they make, or nothing",
    },
}


def _meaning(outcome: str) -> str:
    for kind, meaning in (
        ("not_qualified", "the dealer does not qualify"),
        ("win", "he qualifies, the player is better"),
        ("push", "he qualifies, both are equal"),
        ("lose", "he qualifies and is better"),
    ):
        if outcome.startswith(kind):
            line = outcome.removeprefix(kind).replace("_", " ").strip()
            return f"{meaning}; the player ends with {line}" if line else meaning
    raise ValueError(outcome)


def schema_of(game: Game) -> pl.Schema:
    """The columns of a game's tables and their types. Whole numbers have 64 bits, so that sums over all rounds do not
    wrap."""
    types: dict[str, pl.DataType | type[pl.DataType]] = {
        game.seen: CARD if game.kernel.seen == 1 else pl.String(),
        "hand": pl.String(),
        "category": CATEGORY,
        "aa_bonus": AA_BONUS,
        "fold": pl.Float64(),
        "call": pl.Float64(),
        "margin": pl.Float64(),
        "action": ACTION,
        "indifferent": pl.Boolean(),
    }
    return pl.Schema({column: types.get(column, pl.Int64()) for column in columns_of(game)})


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


def stray_part(folder: Path, manifest: Manifest) -> str:
    """What is wrong when a Parquet file lies beside the parts, where reading the whole folder would take it for one."""
    known = {part.name for part in manifest.parts}
    strange = sorted(entry.name for entry in folder.glob("*.parquet") if entry.name not in known)
    return f"{quoted(strange[0])} is no part of this table" if strange else ""


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


def read_part(content: bytes, part: Part, game: Game, columns: list[str] | None = None) -> pl.DataFrame:
    """The rows of a part's file, all its columns or some; TableError when they are not the rows of a table."""
    try:
        schema = pl.read_parquet_schema(io.BytesIO(content))
        if schema != schema_of(game):
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


def versions(manifest: Manifest) -> tuple[tuple[str, str, str], ...]:
    """Of the package and of its core: the name, the version that built the table, the version that is here."""
    return ("pycs", manifest.package_version, __version__), ("the core", manifest.core_version, core.version())


def check_layout(manifest: Manifest, game: Game, where: str) -> None:
    """TableError unless the parts follow each other without a gap from the first deal to the last."""
    expected = 0
    for part in manifest.parts:
        if part.first != expected:
            raise TableError(f"{where}: {part.name} begins at row {part.first} instead of {expected}: solve it again")
        expected += part.rows
    if not expected == manifest.rows == game.deals:
        raise TableError(f"{where}: {expected} rows instead of {game.deals}: solve it again")
