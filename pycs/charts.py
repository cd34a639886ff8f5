"""The strategy charts of the games: from the cells of `pycs.chart_cells` to pictures."""

from __future__ import annotations

import re
from itertools import combinations, groupby, pairwise
from math import ceil
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pycs.cards import RANKS
from pycs.chart_cells import CELLS
from pycs.chart_maps import COLOURS, Picture, Written, colour_of, look, map_chart
from pycs.games import CASINO_HOLDEM

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl

    from pycs.chart_maps import Look
    from pycs.games import Game

__all__ = ["LETTERS", "change_picture", "percent", "play_picture", "short_value"]

LETTERS: Final = {"fold": "F", "call": "C", "exchange": "X"}
"""How an action is written into a cell."""

_DOWN: Final = RANKS[::-1]
_TEXTURES: Final = {
    "no pair, one suit": "1 suit",
    "no pair, two suits": "2 suits",
    "no pair, three suits": "3 suits",
    "a pair, two suits": "pair, 2",
    "a pair, three suits": "pair, 3",
    "three alike, three suits": "trips",
}
_FLOPS: Final = "Columns: the flop, without a pair in 1, 2 or 3 suits, a pair in 2 or 3 suits, three of one rank."


_SUITED: Final = {"=": "none", "≤": "at most {}", "≥": "at least {}"}


class _Layout(NamedTuple):
    """How a map is laid out. Of rows that belong together `alike`, a regular expression, finds the same.

    A panel of more than `fullest` rows is split, into `most` panels if it must be.
    """

    subject: str
    note: str
    x: tuple[str, str]
    y: tuple[str, str]
    columns: Sequence[str]
    cell: tuple[float, float]
    alike: str
    fullest: int
    most: int
    labels: Mapping[str, str] | None = None


_LAYOUTS: Final = {
    "ace-king": _Layout(
        "Ace-king without a pair",
        "Rows: the three cards beside ace and king. Columns: the dealer's upcard.",
        ("up", "upcard"),
        ("kickers", "beside A-K"),
        RANKS,
        (11, 10.9),
        "^.",
        24,
        3,
    ),
    "classes": _Layout(
        "Every hand",
        "Rows: the player's five cards. Columns: the dealer's upcard.",
        ("seen", "upcard"),
        ("hand", "hand"),
        RANKS,
        (24, 14),
        "pair|A-K|high|^",
        99,
        1,
    ),
    "holes": _Layout(
        "Hole cards",
        "Ranks of the hole cards; above the pairs of one suit (s), below them of two (o).",
        ("column", "second card"),
        ("row", "first card"),
        _DOWN,
        (38, 38),
        "^",
        99,
        1,
    ),
    "textures": _Layout(
        "Hole cards that may fold, by the flop",
        f"Rows: the hole cards, of one suit (s) or two (o). {_FLOPS}",
        ("seen", "flop"),
        ("hole", "hole cards"),
        tuple(_TEXTURES),
        (22, 10.9),
        "^.",
        24,
        3,
        _TEXTURES,
    ),
    "flops": _Layout(
        "Hands after the flop",
        f"Rows: what hole cards and flop make. {_FLOPS}",
        ("seen", "flop"),
        ("hand", "hand"),
        tuple(_TEXTURES),
        (24, 12),
        "^.",
        20,
        2,
        _TEXTURES,
    ),
}


def play_picture(game: Game, kind: str, cells: pl.DataFrame, actions: Sequence[str]) -> Picture:
    """The map of how deals are played, and what that is worth. `kind` is one of `pycs.chart_cells.CELLS`.

    `actions` are those on offer. With fold and call a cell is the darker, the more of its deals call, and says in
    percent how many; with an exchange it has the colour of what is done most often, and says how often.
    """
    layout, valued = _layout(game, kind), kind in ("classes", "holes")
    rows = []
    for cell in cells.to_dicts():
        row = {name: cell[name] for name in (*CELLS[kind], "deals", *actions)}
        worth = {"worth": ("value", "exact"), "gained": ("gain", "gain_exact")}
        worth |= {f"{action}_worth": (f"{action}_value", f"{action}_exact") for action in actions}
        row |= {name: _exactly(cell[value], cell[exact]) for name, (value, exact) in worth.items()}
        drawn = _look_of_play(cell, actions)
        if valued:
            row["mean"] = short_value(cell["value"])
        text, letter = drawn.text, LETTERS[max(actions, key=lambda action: cell[action])]
        if kind == "holes" and len(actions) == 2:
            text = f"{percent(cell['call'], cell['deals'])}%"
        elif valued and (not text or len(actions) > 2):
            text = text.strip(letter) + letter
        rows.append({**row, "fill": drawn.fill, "ink": drawn.ink, "text": text})
    tooltip = {
        "deals": "deals",
        **{action: f"{action}, deals" for action in actions},
        "worth": "mean net result, antes",
        **{f"{action}_worth": f"{action}, antes" for action in actions},
        "gained": "best over next best, antes",
    }
    return Picture(
        kind,
        f"{layout.subject}: {', '.join(actions[:-1])} or {actions[-1]}",
        layout.note + (" With a sign: the mean net result of a round, in antes." if valued else ""),
        _key_of_play(actions),
        cells,
        _placed(kind, rows),
        _drawn(kind, layout, rows, tooltip, valued=valued),
    )


def change_picture(
    game: Game, kind: str, cells: pl.DataFrame, names: tuple[str, str], actions: Sequence[str]
) -> Picture:
    """The map of where two strategies or profiles of these `names` differ, from `pycs.chart_differences`.

    A cell has the colour of what the second does there, with its letter, or with the percent of deals that differ.
    """
    layout, (first, second) = _layout(game, kind), names
    rows = []
    for cell in cells.to_dicts():
        row = {name: cell[name] for name in (*CELLS[kind], "deals", "different", "first", "second", "same_way")}
        row |= {"suits": _SUITED.get(cell["suits"][:1], "").format(cell["suits"][1:])} if "suits" in cell else {}
        for loss in (name for name in ("loss", "other_loss") if name in cell):
            row[loss] = _exactly(cell[loss], cell[loss.replace("loss", "exact")])
        drawn = _look_of_change(cell)
        rows.append({**row, "fill": drawn.fill, "ink": drawn.ink, "text": drawn.text})
    two = "other_loss" in cells.columns
    tooltip = {
        "deals": "deals",
        "different": "played otherwise",
        "first": first,
        "second": second,
        "same_way": "so, deals",
        **({"suits": "cards of the upcard's suit"} if kind == "ace-king" else {}),
        "loss": f"{first} loses to the other{f' at {first}' * two}, antes per round",
        **({"other_loss": f"{second} loses to the other at {second}, antes per round"} if two else {}),
    }
    done = [action for action in actions if action in cells["second"].to_list()]
    marks = [look(COLOURS[action], LETTERS[action], f"{second}: {action}") for action in done]
    told = "suits" in cells and (cells["suits"] != "").any()
    suits = [look("#ffffff", "≤1", "with so many cards of the upcard's suit")] if told else []
    key = (*marks, *suits, look("#ffffff", "43", "percent of deals that differ so; letter: all; blank: none"))
    title = f"{layout.subject}: where {first} and {second} differ"
    return Picture(
        kind, title, layout.note, key, cells, _placed(kind, rows), _drawn(kind, layout, rows, tooltip, changes=True)
    )


def percent(part: int, whole: int) -> int:
    """A share in percent; what is neither none nor all is neither 0 nor 100.

    >>> percent(1, 1000), percent(1, 3), percent(999, 1000), percent(3, 3)
    (1, 33, 99, 100)
    """
    return max(1, min(99, round(100 * part / whole))) if 0 < part < whole else 100 * (part > 0)


def short_value(value: float) -> str:
    """An amount in few digits, always with its sign.

    >>> short_value(-0.987), short_value(12.34), short_value(109.7)
    ('-0.99', '+12.3', '+110')
    """
    size = abs(value)
    return f"{value:+.2f}" if size < 9.995 else f"{value:+.1f}" if size < 99.95 else f"{value:+.0f}"


def _exactly(value: float, exact: str) -> str:
    return exact if "/" not in exact else f"{value:.9g} = {exact}"


def _layout(game: Game, kind: str) -> _Layout:
    return _LAYOUTS["flops" if kind == "classes" and game is CASINO_HOLDEM else kind]


def _look_of_play(cell: Mapping[str, Any], actions: Sequence[str]) -> Look:
    most = max(actions, key=lambda action: cell[action])
    part, whole = cell[most], cell["deals"]
    if len(actions) > 2:
        return look(COLOURS[most], LETTERS[most] if part == whole else str(percent(part, whole)))
    return look(colour_of(cell["call"] / whole), "" if part == whole else str(percent(cell["call"], whole)))


def _look_of_change(cell: Mapping[str, Any]) -> Look:
    same, whole = cell["same_way"], cell["deals"]
    text = LETTERS[cell["second"]] if same == whole else cell.get("suits") or str(percent(same, whole))
    return look(COLOURS[cell["second"]], text)


def _key_of_play(actions: Sequence[str]) -> tuple[Look, ...]:
    if len(actions) > 2:
        marks = [look(COLOURS[action], LETTERS[action], action) for action in actions]
        return *marks, look("#ffffff", "86", "percent of deals played as the colour says, if not all")
    shares = [look(colour_of(share / 100), str(share), "") for share in (25, 50)]
    return (
        look(colour_of(0), "", "fold (F)"),
        *shares,
        look(colour_of(0.75), "75", "percent of deals to call"),
        look(colour_of(1), "", "call (C)"),
    )


def _placed(kind: str, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """With the row and the column of hole cards: those of one suit stand above the pairs."""
    for row in rows if kind == "holes" else ():
        high, low = row["hole"][:2]
        row["row"], row["column"] = (low, high) if row["hole"].endswith("o") else (high, low)
    return rows


def _drawn(
    kind: str,
    layout: _Layout,
    rows: list[dict[str, Any]],
    tooltip: dict[str, str],
    *,
    valued: bool = False,
    changes: bool = False,
) -> Any:
    given = list(layout.columns) if kind == "holes" else list(dict.fromkeys(row[layout.y[0]] for row in rows))
    cell, texts = layout.cell, [Written("text")]
    if kind == "holes":
        texts = [Written("hole", down=-7, bold=True), Written("text", down=7)]
        if valued:
            texts = [Written("hole", down=-11, bold=True), Written("text"), Written("mean", down=11)]
    elif valued:
        cell, texts = (46, 15), [Written("text", right=-13), Written("mean", right=8.5)]
    keys = {"hole": "hole cards"} if kind == "holes" else {layout.y[0]: layout.y[1], layout.x[0]: layout.x[1]}
    return map_chart(
        kind,
        _panels(given, layout),
        layout.columns,
        x=layout.x,
        y=layout.y,
        cell=cell,
        tooltip=keys | tooltip,
        texts=texts,
        labels=layout.labels,
        both_ends=layout.labels is None and len(given) > 20,
        changes=changes,
    )


def _panels(rows: Sequence[str], layout: _Layout) -> list[list[str]]:
    """The rows in panels of about one height, with gaps between those that do not belong together."""
    count = min(layout.most, ceil(len(rows) / layout.fullest)) or 1
    pieces: list[tuple[int, Sequence[str]]] = []
    for number, (_, found) in enumerate(groupby(rows, key=lambda row: re.findall(layout.alike, row)[:1])):
        group = list(found)
        size = ceil(len(group) / ceil(count * len(group) / len(rows)))
        pieces += [(number, group[start : start + size]) for start in range(0, len(group), size)]
    count = min(count, len(pieces)) or 1
    ways = [(0, *cuts, len(pieces)) for cuts in combinations(range(1, len(pieces)), count - 1)]
    return min(
        ([_panel(pieces[start:end]) for start, end in pairwise(cuts)] for cuts in ways),
        key=lambda panels: max(map(len, panels)),
    )


def _panel(pieces: Sequence[tuple[int, Sequence[str]]]) -> list[str]:
    """The rows of a panel; a gap is a row of blanks, of which no two are alike."""
    panel: list[str] = []
    for place, (number, rows) in enumerate(pieces):
        gap = place and number != pieces[place - 1][0]
        panel += [" " * place, *rows] if gap else rows
    return panel
