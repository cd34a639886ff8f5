"""Pay tables as people write them: the lines of a game by their names, and rules with some of their pays changed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from pycs.errors import InputError
from pycs.messages import nearest, quoted
from pycs.rules import load_rules, rules_from_dict
from pycs.sections import MAX_PAY

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

    import polars as pl

    from pycs.rules import Rules

__all__ = [
    "SHORT_NAMES",
    "line_named",
    "lines_of",
    "pays_of",
    "read_frame",
    "read_items",
    "read_pay",
    "rules_with_pays",
    "to_one",
]

SHORT_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "royal": "royal_flush",
        "sf": "straight_flush",
        "quads": "four_of_a_kind",
        "full": "full_house",
        "straight": "straight_or_less",
        "trips": "three_of_a_kind",
        "pair": "pair_or_less",
    }
)
"""Short names of lines, for the games whose pay table has such a line and none of that very name."""

_ALLOWED: Final = f"a whole number from 0 to {MAX_PAY:,} is allowed"
_LONGEST_NAME: Final = 64


def lines_of(rules: Rules) -> tuple[str, ...]:
    """The lines of the pay table, high to low, by their keys in a profile.

    >>> lines_of(load_rules("casino-holdem"))
    ('royal_flush', 'straight_flush', 'four_of_a_kind', 'full_house', 'flush', 'straight_or_less')
    """
    return rules.pays.__struct_fields__


def pays_of(rules: Rules) -> dict[str, int]:
    """The pay of each of `lines_of`, to one."""
    return {line: getattr(rules.pays, line) for line in lines_of(rules)}


def line_named(word: object, rules: Rules, what: str) -> str:
    """The line, one of `lines_of`, that a word means: its key, also with spaces or hyphens, or one of `SHORT_NAMES`.

    Capital letters do not matter. InputError, which begins with `what`, for a word that means none.

    >>> [line_named(word, load_rules("us"), "") for word in ("Two pair", "four-of-a-kind", "sf")]
    ['two_pair', 'four_of_a_kind', 'straight_flush']
    """
    lines = lines_of(rules)
    short = {name: line for name, line in SHORT_NAMES.items() if line in lines and name not in lines}
    names = {line: line for line in lines} | short
    key = re.sub(r"[\s_-]+", "_", word.strip().lower()) if isinstance(word, str) else ""
    if key not in names:
        near = nearest(key, names).replace("_", " ")
        allowed = ", ".join(names).replace("_", " ")
        raise InputError(f"{what}: {quoted(word)} is no line of the pay table{near}: give one of {allowed}")
    return names[key]


def read_items(given: object, rules: Rules, what: str) -> dict[str, object]:
    """Each line that is named, with what is given for it, from text as `line=..., line=...` or from a mapping.

    InputError, which begins with `what`, for anything else, a line that is none, and a line twice.

    >>> read_items("royal=250, flush=5..7", load_rules("us"), "the bounds")
    {'royal_flush': '250', 'flush': '5..7'}
    """
    parts: Iterable[tuple[object, ...]]
    if isinstance(given, str):
        parts = [tuple(text.strip() for text in part.split("=")) for part in given.split(",")]
    elif isinstance(given, Mapping):
        parts = given.items()
    else:
        raise InputError(f"{what} {quoted(given)}: text such as 'royal=..., flush=...' or a mapping is allowed")
    items: dict[str, object] = {}
    for part in parts:
        if len(part) != 2:
            raise InputError(f"{what} {quoted(given)}: {quoted('='.join(map(str, part)))} is not of the form line=...")
        line = line_named(part[0], rules, f"{what} {quoted(given)}")
        if line in items:
            raise InputError(f"{what} {quoted(given)}: the {line.replace('_', ' ')} twice: once is allowed")
        items[line] = part[1]
    return items


def read_pay(pay: object, what: str) -> int:
    """A pay: a whole number from 0 to `MAX_PAY`, or text that shows one; InputError, which begins with `what`."""
    if isinstance(pay, str) and re.fullmatch(r"\s*[0-9]{1,7}\s*", pay):
        pay = int(pay)
    if isinstance(pay, bool) or not isinstance(pay, int) or not 0 <= pay <= MAX_PAY:
        raise InputError(f"{what}: {quoted(pay)} is no pay: {_ALLOWED}")
    return pay


def to_one(pays: object, rules: Rules) -> dict[str, int]:
    """The pays that text or a mapping states, by line: some lines, or with slashes all of them from the royal down.

    >>> to_one("royal=250", load_rules("us")), to_one("100/20/10/3/2/1", load_rules("casino-holdem"))["flush"]
    ({'royal_flush': 250}, 2)
    """
    what = f"the pays {quoted(pays)}"
    if isinstance(pays, str) and "/" in pays:
        lines, parts = lines_of(rules), pays.split("/")
        if len(parts) != len(lines):
            words = ", ".join(lines).replace("_", " ")
            raise InputError(f"{what}: {len(parts)} pays came, {len(lines)} are needed, for {words}")
        return {line: read_pay(part, what) for line, part in zip(lines, parts, strict=True)}
    items = read_items(pays, rules, "the pays")
    return {line: read_pay(pay, f"{what}: {line.replace('_', ' ')}") for line, pay in items.items()}


def rules_with_pays(profile: str | os.PathLike[str] | Rules, pays: str | Mapping[str, int]) -> Rules:
    """Rules with some pays of their table changed, to one; in Casino Hold'em those of the ante.

    `profile` is a profile's name, a TOML file, or rules. `pays` is text such as `"royal=250, flush=6"`, a mapping such
    as `{"flush": 6}`, or a whole table from the royal flush down, such as `"100/50/20/7/5/4/3/2/1"`. Lines go by their
    keys in a profile, also written with spaces or hyphens, or by `SHORT_NAMES`.

    Pays that change nothing give the rules back as they are. Others get a name and a title that say so, for no report
    of them should pass for one of the profile, and claim no published table.

    InputError, one line, for a profile that cannot be, a line that is unknown or comes twice, a pay that is no whole
    number from 0 to 1,000,000, and a table with more or fewer lines than the game's. Safe to call from many threads.

    >>> rules = rules_with_pays("us", "royal=250, two pair=3")
    >>> rules.name, rules.title
    ('us-pays', 'Caribbean Stud, the published base game, with royal flush 250 to 1 and two pair 3 to 1')
    >>> rules.pays.royal_flush, rules.pays.flush
    (250, 5)
    """
    rules = load_rules(profile)
    own, new = pays_of(rules), to_one(pays, rules)
    changed = {line: new[line] for line in own if new.get(line, own[line]) != own[line]}
    if not changed:
        return rules
    data = rules.to_dict()
    data["pays"].update(changed)
    ending = "" if rules.name.endswith("-pays") else "-pays"
    data["name"] = rules.name[: _LONGEST_NAME - len(ending)] + ending
    *most, last = (f"{line.replace('_', ' ')} {pay} to 1" for line, pay in changed.items())
    data["title"] = f"{rules.title}, with {', '.join(most)}{' and ' if most else ''}{last}"
    data["source"].pop("published", None)
    return rules_from_dict(data)


def read_frame(tables: pl.DataFrame, rules: Rules) -> pl.DataFrame:
    """Pay tables, one to a row, with all lines as Int64, those that are left out as in the rules; `name` if there is.

    InputError for a column that is no line, comes twice or holds no whole numbers, and, with the number of the row
    (from 0), for a pay that is missing or out of range.

    >>> import polars as pl
    >>> read_frame(pl.DataFrame({"royal": [200, 250]}), load_rules("casino-holdem")).row(1)
    (250, 20, 10, 3, 2, 1)
    """
    import polars as pl  # a single decision needs the names of lines, and no frames

    if not isinstance(tables, pl.DataFrame):
        raise InputError(f"the pay tables {quoted(tables)}: a Polars DataFrame, one row to a pay table, is needed")
    columns: dict[str, pl.Series] = {}
    for column in tables:
        what = f"the column {quoted(column.name)}"
        if column.name == "name":
            if column.dtype != pl.String:
                raise InputError(f"{what} of {column.dtype}: names as text are allowed")
            continue
        line = line_named(column.name, rules, what)
        if line in columns:
            raise InputError(f"{what} and {quoted(columns[line].name)} are the same line: one of them is allowed")
        if not column.dtype.is_integer():
            raise InputError(f"{what} of {column.dtype}: whole numbers are needed")
        columns[line] = column
    pays = {line: column.cast(pl.Int128, strict=False) for line, column in columns.items()}
    bad = {
        line: (~wide.is_between(0, MAX_PAY)).fill_null(True).arg_true().head(1).to_list() for line, wide in pays.items()
    }
    for row, line in sorted((rows[0], line) for line, rows in bad.items() if rows):
        read_pay(columns[line][row], f"row {row}: {line.replace('_', ' ')}")
    names = [tables["name"]] if "name" in tables.columns else []
    own = {line: pl.repeat(pay, len(tables), dtype=pl.Int64, eager=True) for line, pay in pays_of(rules).items()}
    return pl.DataFrame([*names, *((pays.get(line, same)).cast(pl.Int64).alias(line) for line, same in own.items())])
