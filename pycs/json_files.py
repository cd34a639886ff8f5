"""JSON files, read digit by digit: numbers with a fraction stay the text that they are."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from pycs.errors import InputError
from pycs.messages import shown_path

__all__ = ["read_json"]


def read_json(path: str | os.PathLike[str], needed: str) -> Any:
    """What a JSON file holds. InputError, which says what is `needed`, for one that cannot be read or is no JSON."""
    where = shown_path(os.fspath(path))
    try:
        return json.loads(Path(path).read_text(encoding="utf-8-sig"), parse_float=str)
    except OSError as error:
        raise InputError(f"{where}: {error.strerror}: {needed} is needed") from None
    except (ValueError, RecursionError):
        raise InputError(f"{where}: no JSON: {needed} is needed") from None
