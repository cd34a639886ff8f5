"""What an interrupted walk through a table had found right, so that the next run goes on from there.

The journal lies in the user's own state folder, not in the table's: whoever hands over a table must not be able to hand
over a proof of it. It is bound to the manifest's digest, the core's version, the share and the seed, and goes when the
walk ends. Where it can't be written the walk runs all the same, and an interruption loses it.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import msgspec
from platformdirs import user_state_path

from pycs.files import write_atomically

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["WalkJournal", "open_journal"]


class WalkJournal(msgspec.Struct, kw_only=True):
    """A walk that is under way: the chunks that were right, and the seconds spent on them."""

    manifest_sha256: str
    core_version: str
    share: float
    seed: Annotated[int, msgspec.Meta(ge=0)]
    seconds: Annotated[float, msgspec.Meta(ge=0)] = 0.0
    chunks: set[int] = msgspec.field(default_factory=set)

    def save(self) -> None:
        """Write the journal, if that can be done."""
        with suppress(OSError):
            path = _path(self.manifest_sha256, self.share)
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, msgspec.json.encode(self))

    def remove(self) -> None:
        """The walk has ended."""
        with suppress(OSError):
            _path(self.manifest_sha256, self.share).unlink(missing_ok=True)


def open_journal(manifest_sha256: str, core_version: str, share: float, seed: int | None, new_seed: int) -> WalkJournal:
    """The journal of an interrupted walk of the same kind, or a new one.

    Without a `seed`, that of the interrupted walk is taken; `new_seed` is for a new walk.
    """
    new = WalkJournal(
        manifest_sha256=manifest_sha256, core_version=core_version, share=share, seed=new_seed if seed is None else seed
    )
    try:
        found = msgspec.json.decode(_path(manifest_sha256, share).read_bytes(), type=WalkJournal)
    except (OSError, ValueError, RecursionError):
        return new  # none, or not a whole one
    bound = (found.manifest_sha256, found.core_version, found.share)
    same = bound == (manifest_sha256, core_version, share) and seed in (None, found.seed)
    return found if same else new


def _path(manifest_sha256: str, share: float) -> Path:
    return user_state_path("pycs", appauthor=False) / "certify" / f"{manifest_sha256[:32]}-{share}.json"
