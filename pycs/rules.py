"""The rules of a game as data: what a profile says, checked and frozen.

A profile is a TOML file that states everything about one house's game. `load_rules` reads a shipped one by its name, or
any file by its path. Stakes and net results are whole numbers of antes; every pay is "to one", that is, the stake comes
back on top of it. Rules never change once made, and every function here is pure, so threads may share all of it.

>>> rules = load_rules("us")
>>> rules.dealer.qualifies, rules.pays.flush, rules.net_win("flush")
('ace-king', 5, 11)
"""

from __future__ import annotations

import functools
import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import msgspec

from pycs.errors import InputError
from pycs.holdem_rules import CasinoHoldemRules
from pycs.messages import quoted, shown, shown_path
from pycs.profiles import check, is_path, profile_names, read_file, read_shipped, refuse
from pycs.stud_rules import CaribbeanStudRules

__all__ = ["Rules", "load_rules", "profile_names", "rules_from_dict"]

Rules: TypeAlias = CaribbeanStudRules | CasinoHoldemRules
"""The rules of any game that pycs knows: one struct type for each value of `game`."""

_GAMES: Final[Mapping[str, type[Rules]]] = MappingProxyType(
    {"caribbean-stud": CaribbeanStudRules, "casino-holdem": CasinoHoldemRules}
)


def load_rules(profile: str | os.PathLike[str] | Rules) -> Rules:
    """The rules of a shipped profile, by its name, or of a TOML file, by its path.

    A text that holds a path separator or ends in `.toml` is a path, and so is every `os.PathLike`; any other text is
    the name of a shipped profile (`profile_names`). Rules are given back as they are. A file must not give rules of its
    own the name of a shipped profile.

    Raises `InputError`, always one line, for an unknown name, for a file that is missing, is not a file or is not TOML
    in UTF-8, and for a key that is unknown, missing or has a value that is not allowed: the line names the file, the
    key as a dotted path (`pays.flush`; entries of a list count from 1) and what is allowed.

    >>> load_rules("three-box").boxes
    Boxes(fewest=1, most=3, blind=(3,))
    >>> load_rules("betmgn")
    Traceback (most recent call last):
    ...
    pycs.errors.InputError: no profile is called 'betmgn' (did you mean betmgm?): give one of us, betmgm, live, \
three-box, triple-exchange, oasis, casino-holdem, or the path of a .toml file
    """
    if isinstance(profile, Rules):
        return _checked(profile)
    try:
        path = os.fsdecode(profile)
    except TypeError:
        raise InputError(f"the profile {quoted(profile)}: a name, a TOML file's path or rules are allowed") from None
    if isinstance(profile, str) and not is_path(path):
        return _load_shipped(path)
    where = shown_path(path)
    rules = rules_from_dict(read_file(path), where=where)
    if rules.name in profile_names() and rules.digest != _load_shipped(rules.name).digest:
        raise refuse(where, "name", f"must not be {shown(rules.name)}, a shipped profile with other rules than these")
    return rules


def rules_from_dict(data: dict[str, Any], *, where: str = "rules") -> Rules:
    """The rules that a dict states, keyed as in a TOML file: the way back from `Rules.to_dict`.

    `where` begins the message of an `InputError`, raised as by `load_rules` for a key that is unknown, missing or has a
    value that is not allowed. To try a rule of your own, change such a dict and make rules of it again:

    >>> changed = load_rules("us").to_dict()
    >>> changed["pays"]["flush"] = -1
    >>> rules_from_dict(changed)
    Traceback (most recent call last):
    ...
    pycs.errors.InputError: rules: pays.flush: must be a whole number from 0 to 1000000, not -1
    """
    if not isinstance(data, dict):
        raise refuse(where, "", f"must be a table of keys, not {shown(data)}")
    game = data.get("game")
    if not isinstance(game, str) or game not in _GAMES:
        found = f"not {shown(game)}" if "game" in data else "and is missing"
        raise refuse(where, "game", f"must be one of {', '.join(_GAMES)}, {found}")
    cls = _GAMES[game]
    check(data, cls, where)
    rules: Rules = msgspec.convert(data, cls)
    for key, text in rules.objections():
        raise refuse(where, key, text)
    return rules


def _checked(rules: Rules) -> Rules:
    """Rules that were changed by hand have not been held against anything yet."""
    try:
        held = _held(msgspec.json.encode(rules))
    except InputError:
        raise
    except (TypeError, ValueError, OverflowError, msgspec.MsgspecError) as error:
        raise InputError(f"rules {quoted(rules)}: {quoted(str(error))}") from None
    if held != rules:  # such as a list in the place of a tuple
        raise InputError(f"rules {quoted(rules)}: change rules by way of to_dict and rules_from_dict")
    return held


@functools.lru_cache(maxsize=256)
def _held(encoded: bytes) -> Rules:
    """By their text, in which `true` and `1` differ, as they do not for a cache of values."""
    return rules_from_dict(msgspec.json.decode(encoded))


@functools.cache
def _load_shipped(name: str) -> Rules:
    return rules_from_dict(read_shipped(name), where=f"{name}.toml")
