"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from pycs.errors import InputError
from pycs.messages import quoted

__all__ = ["read_suffix", "write_atomically"]


def write_atomically(path: Path, content: bytes) -> None:
    """Write aside, make sure it is on the disk, rename: at no moment is there half a file."""
    aside = path.with_name(path.name + ".tmp")
    try:
        with aside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
    except OSError:
        with suppress(OSError):
            aside.unlink()
        raise


def read_suffix(path: str, what: str, allowed: tuple[str, ...]) -> str:
    """What kind of file the path names, by how it ends. InputError when it is none of these.

    >>> read_suffix("night.CSV", "the file", (".csv", ".parquet"))
    '.csv'
    """
    suffix = Path(path).suffix.lower()
    if suffix not in allowed or not path.isprintable():
        raise InputError(f"{what} {quoted(path)}: the path of a file that ends in {' or '.join(allowed)} is allowed")
    return suffix
