"""Log files, read in batches: CSV, Parquet and NDJSON of any size, with the line that each row stands on.

A broken line is told and left out, the rest goes on. Nothing is written.
"""

from __future__ import annotations

import gzip
import io
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NamedTuple, TypeAlias

import msgspec
import numpy as np
import polars as pl

from pycs.errors import InputError
from pycs.messages import quoted, shown_path

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Source: TypeAlias = str | os.PathLike[str] | pl.DataFrame

__all__ = ["LOGS", "Batch", "LogFile", "Rejected", "open_log"]

LOGS: Final = (".csv", ".tsv", ".txt", ".parquet", ".ndjson", ".jsonl")
"""How the names of log files end; all but Parquet may be compressed, with `.gz` after it."""

_BLOCK: Final = 1 << 23  # bytes of text at a time
_ROWS: Final = 1 << 17  # rows of Parquet or of a frame at a time
_SEPARATORS: Final = ",;\t|"
_NEWLINE, _QUOTE = ord("\n"), ord('"')


class Rejected(NamedTuple):
    """A row that is left out: the line it stands on (in Parquet and frames the row, from 1), what it is, and why."""

    line: int
    text: str
    reason: str


@dataclass(frozen=True, eq=False)
class Batch:
    """Rows that follow each other: their columns, and by row the line it stands on, int64. `rejected` are broken ones.

    Columns of CSV are text; of Parquet, NDJSON and frames they have the types that they come with.
    """

    frame: pl.DataFrame
    lines: NDArray[np.int64]
    rejected: tuple[Rejected, ...] = ()


@dataclass(frozen=True)
class LogFile:
    """A log that can be read: what it is (`CSV`, `Parquet`, `NDJSON`, `frame`), its columns, and what type those have
    that come with one."""

    name: str
    kind: str
    columns: tuple[str, ...]
    types: Mapping[str, pl.DataType]
    _source: Any = field(repr=False)
    _separator: str = ""

    def batches(self, columns: tuple[str, ...]) -> Iterator[Batch]:
        """These columns of all rows, from the first on, in batches of some hundred thousand rows."""
        if self.kind == "frame":
            yield from _frame_batches(self._source.select(columns).iter_slices(_ROWS))
        elif self.kind == "Parquet":
            yield from _parquet_batches(self._source, self.name, columns)
        elif self.kind == "CSV":
            yield from _csv_batches(self, self._source, columns)
        else:
            yield from _json_batches(self._source, self.name, columns)


def open_log(source: Source) -> LogFile:
    """A log, ready to be read. InputError, one line, for a file that is missing, of no such kind, or without rows.

    >>> log = open_log(pl.DataFrame({"player": ["AsKd7h5c2d"], "net": [-1]}))
    >>> log.kind, log.columns, next(log.batches(("net",))).lines.tolist()
    ('frame', ('player', 'net'), [1])
    """
    if isinstance(source, pl.DataFrame):
        if not source.height:
            raise InputError("the log: a frame without rows")
        return LogFile("the frame", "frame", tuple(source.columns), source.schema, source)
    try:
        path = Path(os.fsdecode(source))
    except TypeError:
        raise InputError(f"the log {quoted(source)}: a file's path or a frame is allowed") from None
    name = shown_path(str(path))
    suffixes = [suffix.lower() for suffix in path.suffixes]
    suffix = suffixes[-2] if suffixes[-1:] == [".gz"] and len(suffixes) > 1 else (suffixes or [""])[-1]
    if suffix not in LOGS or (suffix == ".parquet" and suffixes[-1] == ".gz"):
        raise InputError(f"the log {name}: a file that ends in {' or '.join(LOGS)} is allowed (text also with .gz)")
    try:
        what = "" if path.is_file() else "a folder" if path.is_dir() else "no file" if path.exists() else "no such file"
    except OSError as error:  # such as a name of thousands of letters
        what = error.strerror or "it cannot be read"
    if what:
        raise InputError(f"the log {quoted(str(path))}: {what}")
    if suffix == ".parquet":
        return _open_parquet(path, name)
    with _opened(path, name) as file:
        head = file.readline(1 << 20)
    if not head.strip():
        raise InputError(f"the log {name}: {'its first line is empty' if head else 'the file is empty'}")
    if suffix in (".ndjson", ".jsonl"):
        return LogFile(name, "NDJSON", _json_columns(path, name), {}, path)
    line = head.decode("utf-8-sig", "replace").rstrip("\r\n")
    separator = max(_SEPARATORS, key=line.count)
    columns = [_unquoted(each) for each in line.split(separator)]
    if len(columns) < 2:
        raise InputError(f"the log {name}: {quoted(line)} is no line of column names, with commas, semicolons or tabs")
    if twice := [each for place, each in enumerate(columns) if each in columns[:place]]:
        raise InputError(f"the log {name}: the column {quoted(twice[0])} is there twice")
    return LogFile(name, "CSV", tuple(columns), {}, path, separator)


def _unquoted(name: str) -> str:
    name = name.strip()
    return name[1:-1] if len(name) > 1 and name[0] == name[-1] == '"' else name


@contextmanager
def _opened(path: Path, name: str) -> Iterator[BinaryIO]:
    """The bytes of a file, unpacked. What cannot be read is told in a line."""
    try:
        with gzip.open(path, "rb") if path.suffix.lower() == ".gz" else path.open("rb") as file:
            yield file  # type: ignore[misc]
    except (EOFError, gzip.BadGzipFile) as error:
        raise InputError(f"the log {name}: cannot be unpacked ({error})") from None


def _blocks(file: BinaryIO) -> Iterator[bytes]:
    """Whole lines, some megabytes at a time; the last one ends with a newline as well."""
    rest = b""
    while block := file.read(_BLOCK):
        end = block.rfind(b"\n") + 1
        if end:
            yield rest + block[:end]
            rest = block[end:]
        else:
            rest += block
    if rest:
        yield rest + b"\n"


# --- CSV ----------------------------------------------------------------------------------------------------------


def _csv_batches(log: LogFile, path: Path, columns: tuple[str, ...]) -> Iterator[Batch]:
    places = [log.columns.index(column) for column in columns]
    line = 2
    with _opened(path, log.name) as file:
        file.readline()
        for block in _blocks(file):
            data = np.frombuffer(block, np.uint8)
            ends = np.flatnonzero(data == _NEWLINE)
            starts = np.concatenate([[0], ends[:-1] + 1])
            whole, reasons = _whole_lines(data, starts, ends, ord(log._separator), len(log.columns))
            rejected = tuple(
                Rejected(
                    line + int(row), block[starts[row] : ends[row]].decode("utf-8", "replace").rstrip("\r"), reason
                )
                for row, reason in reasons
            )
            kept = np.flatnonzero(whole)
            if len(kept) < len(ends):
                parts = [block[starts[row] : ends[row] + 1] for row in kept]
                block = b"".join(parts)
            if len(kept):
                yield Batch(_parse_csv(block, log, places, columns, len(kept)), line + kept, rejected)
            elif rejected:
                yield Batch(pl.DataFrame(schema=dict.fromkeys(columns, pl.String)), kept, rejected)
            line += len(ends)


def _whole_lines(
    data: NDArray[np.uint8], starts: NDArray[np.intp], ends: NDArray[np.intp], separator: int, columns: int
) -> tuple[NDArray[np.bool_], list[tuple[int, str]]]:
    """Which lines have as many fields as there are columns; the rest but for empty ones, with the reason."""
    marks = data == separator
    odd = np.zeros(len(ends), bool)
    quotes = data == _QUOTE
    if quotes.any():
        before = np.cumsum(quotes, dtype=np.int64)
        opened = before[ends] - (before[starts] - quotes[starts])
        odd = opened % 2 == 1
        since = before - np.repeat(before[starts] - quotes[starts], ends - starts + 1)
        marks &= since % 2 == 0
    fields = np.add.reduceat(marks, starts, dtype=np.int64) + 1
    lengths = ends - starts
    empty = (lengths == 0) | ((lengths == 1) & (data[starts] == ord("\r")))
    whole = (fields == columns) & ~odd & ~empty
    wrong = np.flatnonzero(~whole & ~empty)
    reasons = [
        (int(row), "a quotation mark is not closed" if odd[row] else f"{fields[row]} fields, {columns} are needed")
        for row in wrong
    ]
    return whole, reasons


def _parse_csv(block: bytes, log: LogFile, places: list[int], columns: tuple[str, ...], rows: int) -> pl.DataFrame:
    frame = pl.read_csv(
        io.BytesIO(block),
        has_header=False,
        separator=log._separator,
        columns=sorted(places),
        infer_schema=False,
        encoding="utf8-lossy",
        empty_string_is_null=True,
    )
    assert frame.height == rows, "each line is a row"
    named = dict(zip(frame.columns, (log.columns[place] for place in sorted(places)), strict=True))
    return frame.rename(named).select(columns)


# --- NDJSON -------------------------------------------------------------------------------------------------------


def _json_columns(path: Path, name: str) -> tuple[str, ...]:
    """The keys of the first lines that are objects."""
    keys: dict[str, None] = {}
    with _opened(path, name) as file:
        for line in [file.readline(1 << 20) for _ in range(100)]:
            row = _json_object(line)
            keys.update(dict.fromkeys(row or ()))
    if not keys:
        raise InputError(f"the log {name}: none of its first lines is a JSON object")
    return tuple(keys)


def _json_object(line: bytes) -> dict[str, Any] | None:
    try:
        row = msgspec.json.decode(line.removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return row if isinstance(row, dict) else None


def _json_batches(path: Path, name: str, columns: tuple[str, ...]) -> Iterator[Batch]:
    line = 1
    with _opened(path, name) as file:
        for block in _blocks(file):
            lines = block.split(b"\n")[:-1]
            rows = [(line + place, text, _json_object(text)) for place, text in enumerate(lines) if text.strip()]
            kept = [(number, row) for number, _, row in rows if row is not None]
            rejected = tuple(
                Rejected(number, text.decode("utf-8", "replace"), "no JSON object")
                for number, text, row in rows
                if row is None
            )
            frame = pl.DataFrame(
                {column: [_plain(row.get(column)) for _, row in kept] for column in columns},
                schema=dict.fromkeys(columns, pl.String),
            )
            yield Batch(frame, np.array([number for number, _ in kept], np.int64), rejected)
            line += len(lines)


def _plain(value: Any) -> str | None:
    """A value as text: the items of a list one after the other."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return " ".join(map(str, value))
    return str(value)


# --- Parquet and frames -------------------------------------------------------------------------------------------


def _open_parquet(path: Path, name: str) -> LogFile:
    try:
        schema = pl.scan_parquet(path, glob=False).collect_schema()
        rows = int(pl.scan_parquet(path, glob=False).select(pl.len()).collect().item())
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InputError(f"the log {name}: not readable as Parquet ({_first_line(error)})") from None
    if not rows:
        raise InputError(f"the log {name}: it has no rows")
    return LogFile(name, "Parquet", tuple(schema), schema, path)


def _parquet_batches(path: Path, name: str, columns: tuple[str, ...]) -> Iterator[Batch]:
    try:
        yield from _frame_batches(
            pl.scan_parquet(path, glob=False).select(columns).collect_batches(chunk_size=_ROWS, lazy=True)
        )
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InputError(f"the log {name}: not readable as Parquet ({_first_line(error)})") from None


def _frame_batches(frames: Iterator[pl.DataFrame]) -> Iterator[Batch]:
    line = 1
    for frame in frames:
        if frame.height:
            yield Batch(frame, np.arange(line, line + frame.height))
            line += frame.height


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or ["no reason given"])[0][:120]
