"""Progress bars: on standard error, and silent where that is no terminal."""

from __future__ import annotations

import sys
from typing import Any

from tqdm import tqdm

__all__ = ["progress_bar"]


def progress_bar(show: bool | None, **what: Any) -> tqdm[Any]:
    """A bar of tqdm. `show` says whether it is shown; without it, it is shown on a terminal. `what` goes to tqdm."""
    if sys.stderr is None:  # closed: tqdm would write there all the same
        show = False
    return tqdm(disable=None if show is None else not show, **what)
