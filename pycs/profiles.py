"""Profile files: which are shipped, where they lie, how one is read, and how its keys are checked against a type.

What the keys mean is the business of `pycs.rules`. No call changes any state here, so threads may share it all.
"""

from __future__ import annotations

import functools
import os
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import msgspec.inspect as mi

from pycs.errors import InputError, PycsError
from pycs.messages import nearest, shown, shown_path

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_ORDER = ("us", "betmgm", "live", "three-box", "triple-exchange", "oasis", "casino-holdem")
_LARGEST_FILE = 1 << 16
_LONGEST_LINE = 2000  # the reader of TOML takes for ever over a key of thousands of dots


@functools.cache
def profile_names() -> tuple[str, ...]:
    """The names of the shipped profiles: the base game first, then the houses' games.

    >>> profile_names()
    ('us', 'betmgm', 'live', 'three-box', 'triple-exchange', 'oasis', 'casino-holdem')

    Raises `PycsError` when the installation holds no profiles.
    """
    found = {entry.name.removesuffix(".toml") for entry in _seeds().iterdir() if entry.name.endswith(".toml")}
    return tuple(sorted(found, key=lambda name: (_ORDER.index(name) if name in _ORDER else len(_ORDER), name)))


def is_path(profile: str) -> bool:
    """Whether a text means a file and not a shipped name: it holds a path separator or ends in `.toml`.

    >>> is_path("us"), is_path("us.toml"), is_path("./us")
    (False, True, True)
    """
    return profile.lower().endswith(".toml") or os.sep in profile or bool(os.altsep and os.altsep in profile)


def read_shipped(name: str) -> dict[str, Any]:
    """The keys of a shipped profile. `InputError` for a name that is not shipped, with the nearest one that is."""
    names = profile_names()
    if name not in names:
        raise InputError(
            f"no profile is called {shown(name)}{nearest(name, names)}: "
            f"give one of {', '.join(names)}, or the path of a .toml file"
        )
    return _parse((_seeds() / f"{name}.toml").read_bytes(), f"{name}.toml")


def read_file(path: str) -> dict[str, Any]:
    """The keys of a profile file. `InputError` when it is missing, is not a file, or is not TOML in UTF-8."""
    where, file_path = shown_path(path), Path(path)
    try:
        if not file_path.exists():
            raise InputError(f"{where}: no such file: give the path of a .toml file or one of the shipped names")
        if not file_path.is_file():
            raise InputError(f"{where}: not a file: give the path of a .toml file")
        with file_path.open("rb") as file:
            raw = file.read(_LARGEST_FILE + 1)
    except OSError as error:
        raise InputError(f"{where}: cannot be read ({_one_line(error.strerror or 'input/output error')})") from None
    if len(raw) > _LARGEST_FILE:
        raise InputError(f"{where}: longer than {_LARGEST_FILE} bytes: a profile is a short TOML file")
    return _parse(raw, where)


def check(data: object, cls: type[msgspec.Struct], where: str) -> None:
    """Hold plain data against a struct type: every key known, none missing, every value of its type and range.

    `data` is what TOML or JSON gives: dicts, lists, texts, numbers. Whole numbers must be written as such: `7.0`,
    `"7"` and `true` are refused. Raises `InputError`, one line that names `where`, the key as a dotted path (entries
    of a list are counted from 1) and what is allowed there; returns nothing when all is well.
    """
    _check(data, _described(cls), where, "")


def refuse(where: str, key: str, text: str) -> InputError:
    """The error for a key of a profile: `where: key: text`, or `where: text` for the profile as a whole."""
    return InputError(f"{where}: {key}: {text}" if key else f"{where}: {text}")


def _seeds() -> Traversable:
    """The folder of the shipped profiles: inside the package when installed, next to it in a source tree.

    The source tree goes before the copy that an editable install makes of it, which is older after every change.
    """
    from importlib.resources import files

    package = Path(__file__).resolve().parent
    for folder in (package / "seeds", package.parent / "seeds", files("pycs") / "seeds"):
        if (folder / "us.toml").is_file():
            return folder
    raise PycsError("the shipped profiles are missing from this installation of pycs: install it again")


def _parse(raw: bytes, where: str) -> dict[str, Any]:
    longest = max(map(len, raw.split(b"\n")))
    if longest > _LONGEST_LINE:
        raise InputError(f"{where}: a line of {longest} bytes: {_LONGEST_LINE} are allowed")
    try:
        return tomllib.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InputError(f"{where}: not UTF-8 text (at byte {error.start}): a profile is TOML in UTF-8") from None
    except RecursionError:
        raise InputError(f"{where}: nested too deeply for a profile") from None
    except ValueError as error:  # TOMLDecodeError is one; a number of thousands of digits or a bad date is another
        raise InputError(f"{where}: not TOML: {_one_line(str(error))}") from None


def _one_line(text: str) -> str:
    return "".join(character if character.isprintable() else " " for character in text[:160])


@functools.cache
def _described(cls: type[msgspec.Struct]) -> mi.Type:
    return mi.type_info(cls)


def _check(data: object, kind: mi.Type, where: str, key: str) -> None:
    kind = _without_none(kind)
    if isinstance(kind, mi.StructType):
        if not isinstance(data, dict):
            raise refuse(where, key, f"must be a table of keys, not {shown(data)}")
        _check_struct(data, kind, where, key)
    elif isinstance(kind, mi.VarTupleType):
        if not isinstance(data, (list, tuple)):
            raise refuse(where, key, f"must be {_allowed(kind)}, not {shown(data)}")
        for number, entry in enumerate(data, 1):
            _check(entry, kind.item_type, where, f"{key}[{number}]")
    elif not _fits(data, kind):
        raise refuse(where, key, f"must be {_allowed(kind)}, not {shown(data)}")


def _check_struct(data: dict[str, Any], kind: mi.StructType, where: str, key: str) -> None:
    fields = {field.encode_name: field for field in kind.fields}
    allowed = [kind.tag_field, *fields] if kind.tag_field else [*fields]
    prefix = f"{key}." if key else ""
    for name in data:
        if name not in allowed:
            plain = isinstance(name, str) and re.fullmatch(r"[A-Za-z0-9_-]{1,40}", name)
            near = nearest(name, allowed) if plain else ""
            text = f"no such key{near}: allowed here are {', '.join(allowed)}"
            raise refuse(where, prefix + (name if plain else shown(name)), text)
    for name, field in fields.items():
        if name in data:
            _check(data[name], field.type, where, prefix + name)
        elif field.required:
            raise refuse(where, prefix + name, f"is missing: it must be {_allowed(field.type)}")


def _without_none(kind: mi.Type) -> mi.Type:
    if isinstance(kind, mi.UnionType):
        rest = tuple(part for part in kind.types if not isinstance(part, mi.NoneType))
        return rest[0] if len(rest) == 1 else mi.UnionType(rest)
    return kind


def _fits(value: object, kind: mi.Type) -> bool:
    if isinstance(kind, mi.UnionType):
        return any(_fits(value, part) for part in kind.types)
    if isinstance(kind, mi.Metadata):
        return _fits(value, kind.type)
    if isinstance(kind, mi.IntType):
        low, high = _bounds(kind)
        return type(value) is int and low <= value <= high
    if isinstance(kind, mi.StrType):
        return (
            type(value) is str
            and value.isprintable()
            and len(value) >= (kind.min_length or 0)
            and (kind.pattern is None or re.search(kind.pattern, value) is not None)
        )
    if isinstance(kind, mi.LiteralType):
        return type(value) is str and value in kind.values
    return isinstance(kind, mi.BoolType) and isinstance(value, bool)


def _allowed(kind: mi.Type) -> str:
    kind = _without_none(kind)
    if isinstance(kind, mi.UnionType):
        return " or ".join(_allowed(part) for part in kind.types)
    if isinstance(kind, mi.Metadata):
        return str((kind.extra_json_schema or {})["description"])
    if isinstance(kind, mi.IntType):
        low, high = _bounds(kind)
        return f"a whole number from {low} to {high}"
    if isinstance(kind, mi.LiteralType):
        return " or ".join(f'"{value}"' for value in kind.values)
    if isinstance(kind, mi.BoolType):
        return "true or false"
    if isinstance(kind, mi.VarTupleType):
        item = _without_none(kind.item_type)
        return "a list of tables" if isinstance(item, mi.StructType) else f"a list, each entry {_allowed(item)}"
    return "a table of keys" if isinstance(kind, mi.StructType) else "a text of one line"


def _bounds(kind: mi.IntType) -> tuple[int, int]:
    """Every whole number of a profile type is declared with both bounds."""
    if kind.ge is None or kind.le is None:
        raise TypeError("a whole number in a profile type needs both bounds, ge and le")
    return kind.ge, kind.le
