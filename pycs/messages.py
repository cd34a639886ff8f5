"""The words of messages: input as it may be quoted in one line, and the nearest word to a wrong one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["listed", "nearest", "quoted", "shown", "shown_path"]

_MOST: Final = 60  # characters of the input that a message shows


def quoted(value: object) -> str:
    """What the caller gave, as a message shows it: on one line, of bounded length, printable anywhere.

    >>> quoted("a\\nb"), quoted(["As"])
    ("'a\\\\nb'", "['As']")
    """
    if isinstance(value, str):
        shown = repr(value[:_MOST])
        return shown if len(value) <= _MOST else f"{shown}... ({len(value)} characters)"
    try:
        shown = repr(value)
    except Exception:  # whatever the caller's object does, the message is about cards
        shown = f"<{type(value).__name__}>"
    if len(shown) > _MOST:
        shown = shown[:_MOST] + "..."
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in shown)


def shown(value: object) -> str:
    """A value from a file as it may stand in a message: short, on one line, without control characters.

    >>> shown("seven"), shown("a\\nb"), shown(True), shown([1]), shown(10**30)
    ("'seven'", "'a\\\\nb'", 'true', 'a list', 'a number beyond 64 bits')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if value.bit_length() < 64 else "a number beyond 64 bits"
    if isinstance(value, float):
        return str(value)
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, (list, tuple)):
        return "a list"
    return "nothing" if value is None else "a date or a time"


def shown_path(path: str) -> str:
    """A path as it may stand in a message: as it is, or quoted when it holds something that cannot be printed."""
    return path if path and path.isprintable() else repr(path)


def listed(parts: Sequence[str], most: int, between: str = ", ") -> str:
    """The first of these, and how many more there are.

    >>> listed(["us", "live", "oasis"], 2)
    'us, live, and 1 more'
    """
    shown_parts = between.join(parts[:most])
    return shown_parts if len(parts) <= most else f"{shown_parts}{between}and {len(parts) - most} more"


def nearest(word: str, words: Iterable[str]) -> str:
    """` (did you mean us?)` for a word close to one of the words, else nothing."""
    import difflib

    near = difflib.get_close_matches(word[:40], list(words), n=1)
    return f" (did you mean {near[0]}?)" if near else ""
