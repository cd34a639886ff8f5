"""Counts by class of outcome as people write them: a CSV or JSON file, or a mapping, by a report's events or looser
names."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pycs.errors import InputError
from pycs.fit_tests import MOST_COUNT
from pycs.json_files import read_json
from pycs.messages import nearest, quoted, shown_path
from pycs.pay_lines import SHORT_NAMES, lines_of
from pycs.sections import CATEGORIES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pycs.rules import Rules

__all__ = ["EventClass", "EventCounts", "event_names", "read_counts"]

_PUSH: Final = "push"
_FOLD: Final = "fold"
_LOSE: Final = "dealer wins"
_FAILS: Final = "dealer does not qualify"

_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    _FOLD: ("fold", "folds", "folded", "surrender", "surrendered"),
    _PUSH: ("push", "pushes", "tie", "ties", "tied", "draw", "stand off"),
    _LOSE: ("dealer wins", "lose", "loses", "loss", "losses", "lost", "player loses", "bank wins"),
    _FAILS: ("dealer does not qualify", "not qualified", "does not qualify", "no qualify", "dealer fails", "no game"),
}
_WINS: Final = ("win", "wins", "won", "player wins")
_CALLS: Final = ("call", "calls", "called", "raise", "raised")
_TOTALS: Final = ("total", "rounds", "all", "sum")
_EVENT_COLUMNS: Final = ("event", "outcome", "class", "name")
_COUNT_COLUMNS: Final = ("count", "counts", "rounds", "n", "combinations", "frequency")


@dataclass(frozen=True, slots=True)
class EventClass:
    """Rounds of one class: the name it was given, the events of a report that it stands for, how many rounds, and the
    net result of each in antes where it was told."""

    name: str
    events: tuple[str, ...]
    count: int
    net: int | None


@dataclass(frozen=True)
class EventCounts:
    """How many rounds ended in each class; no event is in two of them. Events in none of them never came."""

    classes: tuple[EventClass, ...]

    @property
    def rounds(self) -> int:
        """All rounds."""
        return sum(each.count for each in self.classes)


def event_names(rules: Rules) -> tuple[str, ...]:
    """The events of the rules' game, as a report names them.

    >>> from pycs.rules import load_rules
    >>> event_names(load_rules("us"))[8:]
    ('pair or less', 'dealer does not qualify', 'push', 'fold', 'dealer wins')
    """
    ends = ("win", "not_qualified", "push", "lose")
    found = [
        rules.event(outcome, category)
        for kind in ends[:3]
        for outcome in rules.outcomes
        if outcome.startswith(kind)
        for category in CATEGORIES
    ]
    return (*dict.fromkeys(found), _FOLD, _LOSE)


def read_counts(source: str | os.PathLike[str] | Mapping[str, Any], rules: Rules) -> EventCounts:
    """Counts by class of outcome.

    A mapping from names to counts; a JSON file of one, or of a list of objects with `event` and `count` (also under
    `outcomes`); or a CSV file with the columns `event` and `count`. Rows may tell the `net` result of each round.

    Names are those of a report's events, whatever their capitals, spaces, hyphens and underscores, or common words for
    them (`tie`, `not_qualified`, `lost`, `quads`); or for several of them: `win` for all wins, `call` for everything
    but folds. Rows of one class add up. `total` is checked. InputError, which quotes what is wrong, for names that are
    unknown or overlap, for counts that are none, and for a file that cannot be read.

    >>> from pycs.rules import load_rules
    >>> found = read_counts({"Fold": 48, "win": 20, "not_qualified": 22, "tie": 0, "lose": 10}, load_rules("us"))
    >>> found.rounds, found.classes[3]
    (100, EventClass(name='tie', events=('push',), count=0, net=None))
    """
    if isinstance(source, Mapping):
        where, rows = "the counts", _rows(source, "the counts")
    else:
        where = shown_path(os.fspath(source))
        rows = _rows_of_file(Path(source), where)
    names, found, total = _names(rules), dict[tuple[str, ...], EventClass](), None
    for name, count, net in rows:
        key = _plain(name)
        number = _whole(count, f"{where}: the count of {quoted(name)}", least=0)
        if key in _TOTALS:
            total = number
            continue
        if key not in names:
            near = nearest(key, names)
            raise InputError(
                f"{where}: the event {quoted(name)}{near}: one of {', '.join(event_names(rules))} is allowed"
            )
        events = names[key]
        told = (
            None if net in (None, "") else _whole(net, f"{where}: the net result of {quoted(name)}", least=-MOST_COUNT)
        )
        before = found.get(events)
        if before is not None:
            if before.net != told:
                raise InputError(f"{where}: {quoted(name)} with two net results: one is allowed")
            number += before.count
        found[events] = EventClass(str(name), events, number, told)
    _check(tuple(found.values()), total, where)
    return EventCounts(tuple(found.values()))


def _check(classes: Sequence[EventClass], total: int | None, where: str) -> None:
    """InputError for classes that overlap, and for totals that cannot be."""
    seen: dict[str, str] = {}
    for each in classes:
        for event in each.events:
            if event in seen:
                told = f"{quoted(seen[event])} and {quoted(each.name)} overlap"
                raise InputError(f"{where}: {told}: each round must be counted once")
            seen[event] = each.name
    rounds = sum(each.count for each in classes)
    if not 1 <= rounds <= MOST_COUNT:
        raise InputError(f"{where}: {rounds:,} rounds in all: 1 to {MOST_COUNT:,} are allowed")
    if total not in (None, rounds):
        raise InputError(f"{where}: the counts add up to {rounds:,}, not to the total {total:,}")


def _names(rules: Rules) -> dict[str, tuple[str, ...]]:
    """Every plain name, with the events it stands for."""
    events = event_names(rules)
    fails = tuple(event for event in events if event.startswith(_FAILS))
    wins = tuple(event for event in events if event not in (*fails, _PUSH, _FOLD, _LOSE))
    names: dict[str, tuple[str, ...]] = {_plain(event): (event,) for event in events}
    lines = {line: line.replace("_", " ") for line in lines_of(rules)}
    lines |= {short: lines[line] for short, line in SHORT_NAMES.items() if line in lines and short not in lines}
    lowest = next(line for line in wins if line.endswith(" or less"))
    below = CATEGORIES[CATEGORIES.index(lowest.removesuffix(" or less")) :]
    lines |= dict.fromkeys((*below, "ace king"), lowest)
    for word, line in lines.items():
        for prefix in ("", "win ", "wins "):
            names.setdefault(_plain(prefix + word), (line,))
        failing = f"{_FAILS}, {line}"
        if failing in fails:
            names.setdefault(_plain(f"not qualified {word}"), (failing,))
    for event, words in _WORDS.items():
        names |= dict.fromkeys(words, fails if event == _FAILS else (event,))
    names |= dict.fromkeys(_WINS, wins)
    names |= dict.fromkeys(_CALLS, tuple(event for event in events if event != _FOLD))
    return names


def _plain(name: object) -> str:
    return re.sub(r"[\s_,\-]+", " ", str(name).casefold()).strip()


def _whole(number: object, what: str, *, least: int) -> int:
    """A whole number, or text that shows one."""
    if isinstance(number, str) and re.fullmatch(r"\s*[+-]?[0-9][0-9,_]{0,24}(?:\.0+)?\s*", number):
        number = int(re.sub(r"[,_\s]|\.0+", "", number))
    if isinstance(number, bool) or not isinstance(number, int) or not least <= number <= MOST_COUNT:
        allowed = f"a whole number from {max(least, -MOST_COUNT):,} to {MOST_COUNT:,} is allowed"
        raise InputError(f"{what}: {quoted(number)}: {allowed}")
    return number


def _rows_of_file(path: Path, where: str) -> list[tuple[object, object, object]]:
    if path.suffix.lower() == ".json":
        return _rows(read_json(path, 'an object as {"fold": 48, "win": 20}'), where)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{where}: {error.strerror}: a file of CSV or JSON is needed") from None
    except UnicodeDecodeError:
        raise InputError(f"{where}: no text: a file of CSV or JSON is needed") from None
    try:
        table = list(csv.DictReader(text.splitlines()))
    except csv.Error as error:
        raise InputError(f"{where}: {error}: lines as event,count are needed") from None
    return _rows_of_table(table, where)


def _rows(data: object, where: str) -> list[tuple[object, object, object]]:
    if isinstance(data, Mapping) and isinstance(data.get("outcomes"), list):
        data = data["outcomes"]
    if isinstance(data, Mapping):
        return [(name, count, None) for name, count in data.items()]
    if isinstance(data, list) and all(isinstance(row, Mapping) for row in data):
        return _rows_of_table(data, where)
    raise InputError(f"{where}: names with counts, or a list of objects with event and count, are needed")


def _rows_of_table(table: Iterable[Mapping[Any, Any]], where: str) -> list[tuple[object, object, object]]:
    rows: list[tuple[object, object, object]] = []
    for number, row in enumerate(table, 1):
        plain = {_plain(key): value for key, value in row.items()}
        event = next((plain[key] for key in _EVENT_COLUMNS if plain.get(key) is not None), None)
        count = next((plain[key] for key in _COUNT_COLUMNS if plain.get(key) is not None), None)
        if event is None or count is None:
            raise InputError(f"{where}: row {number} {quoted(dict(row))}: an event and a count are needed")
        rows.append((event, count, plain.get("net")))
    return rows
