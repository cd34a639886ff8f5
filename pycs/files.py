"""Files that are written whole or not at all."""

from __future__ import annotations

import io
import os
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING

from pycs.errors import InputError
from pycs.messages import quoted, shown_path

if TYPE_CHECKING:
    from collections.abc import Callable

    import polars as pl

__all__ = ["ASIDE", "TABLES", "read_target", "write_aside", "write_atomically", "write_table"]

TABLES = (".csv", ".parquet")
"""How the names of files end that hold a table."""

ASIDE = ".pycs-"
"""How the names of files begin that are being written, beside the one they become."""


def write_aside(path: Path, write: Callable[[Path], object]) -> None:
    """Write a file aside, make sure it is on the disk, rename: at no moment is there half a file.

    `write` gets the path of a file that is not there yet, beside the one it becomes. A link is followed. An OSError
    names the file that was asked for.
    """
    target = Path(os.path.realpath(path))
    aside = target.with_name(ASIDE + token_hex(8))
    try:
        write(aside)
        with aside.open("rb+") as file:
            os.fsync(file.fileno())
        aside.replace(target)
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from None
    finally:
        try:
            aside.unlink(missing_ok=True)  # renamed, it is not there any more
        except KeyboardInterrupt:  # Polars raises the first by itself, and Python the same one again, here
            aside.unlink(missing_ok=True)
            raise


def write_atomically(path: Path, content: bytes) -> None:
    """The content as a file, by `write_aside`."""
    write_aside(path, lambda aside: aside.write_bytes(content))


def write_table(path: Path, frame: pl.DataFrame) -> None:
    """A frame as CSV or Parquet, by how the path ends, one of `TABLES`."""
    content = io.BytesIO()
    if path.suffix.lower() == ".csv":
        frame.write_csv(content)
    else:
        frame.write_parquet(content)
    write_atomically(path, content.getvalue())


def read_target(path: str, what: str, allowed: tuple[str, ...]) -> str:
    """How the path of a file to be written ends, one of these. InputError unless it can be written there.

    >>> read_target("night.CSV", "the file", (".csv", ".parquet"))
    '.csv'
    """
    target = Path(path)
    suffix = target.suffix.lower()
    if suffix not in allowed or not path.isprintable():
        raise InputError(f"{what} {quoted(path)}: the path of a file that ends in {' or '.join(allowed)} is allowed")
    if target.is_dir():
        raise InputError(f"{shown_path(path)}: there is a folder of that name")
    if target.exists() and not target.is_file():
        raise InputError(f"{shown_path(path)}: it is there and no file")
    if not target.parent.is_dir():
        raise InputError(f"{shown_path(path)}: there is no folder {shown_path(str(target.parent))}")
    return suffix
