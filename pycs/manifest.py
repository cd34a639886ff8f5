"""A table's manifest: what the folder holds, by which rules and which version, and the digest of every file.

The manifest closes with a digest of itself, so that one altered bit anywhere in a table's folder shows.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from pycs.errors import TableError
from pycs.files import write_atomically
from pycs.messages import shown_path

FORMAT: Final = 1
FILE_NAME: Final = "manifest.json"

_Count = Annotated[int, Meta(ge=0, le=2**63 - 1)]
_Digest = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
_PartName = Annotated[str, Meta(pattern=r"^part-[0-9]{2}[.]parquet\Z")]


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One Parquet file of a table: the rows from index `first` on."""

    name: _PartName
    first: _Count
    rows: _Count
    bytes: _Count
    sha256: _Digest


class Totals(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Sums over all deals, each times its weight: best play wins `net` antes in `deals` rounds, `value` in the mean."""

    weight: _Count
    deals: Annotated[int, Meta(ge=1, le=2**63 - 1)]
    net: int
    value: Annotated[str, Meta(pattern=r"^-?[0-9]{1,99}(/[1-9][0-9]{0,99})?\Z")]


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a table's folder holds. `rules` are the full rules; `columns` says what each column means."""

    format: int
    profile: str
    title: str
    rules_digest: _Digest
    rules: dict[str, Any]
    package_version: str
    core_version: str
    rows: _Count
    columns: dict[str, str]
    totals: Totals
    parts: tuple[Part, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain data, keyed as in `manifest.json`."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return plain


def write_manifest(manifest: Manifest, folder: Path) -> None:
    """Write `manifest.json` into the folder, whole or not at all."""
    write_atomically(folder / FILE_NAME, _as_file(manifest.to_dict()))


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a table's folder; TableError when it is not as it was written."""
    where = shown_path(str(folder / FILE_NAME))
    try:
        content = (folder / FILE_NAME).read_bytes()
        plain = json.loads(content)
    except OSError as error:
        raise TableError(f"{where} cannot be read ({error.strerror})") from None
    except (ValueError, RecursionError):
        raise TableError(f"{where} was altered or cut short: it is not JSON") from None
    digest = plain.pop("digest", None) if isinstance(plain, dict) else None
    # To the byte: what says the same in other bytes was altered too.
    if digest is None or content != _as_file(plain):
        raise TableError(f"{where} was altered or cut short: it does not fit its own digest")
    if plain.get("format") != FORMAT:
        raise TableError(f"{where} is of format {plain.get('format')!r}, this version reads format {FORMAT}")
    try:
        return msgspec.convert(plain, Manifest)
    except msgspec.ValidationError as error:
        raise TableError(f"{where} is not a manifest of pycs: {error}") from None


def file_digest(path: Path) -> str:
    """The SHA-256 of a file, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _as_file(plain: dict[str, Any]) -> bytes:
    """The manifest's text, closed by the digest of all that stands before."""
    text = json.dumps(plain, indent=1)
    digest = hashlib.sha256(text.encode()).hexdigest()
    return (json.dumps({**plain, "digest": digest}, indent=1) + "\n").encode()
