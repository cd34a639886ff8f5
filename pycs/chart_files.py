"""Strategy charts of a profile as files: a page of charts with hover, SVG, PNG, PDF; and one page to print."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pycs.action_values import action_values
from pycs.chart_cells import ace_king_cells, class_cells, hole_cells, texture_cells
from pycs.chart_differences import difference_cells
from pycs.chart_page import USUAL, USUAL_EXCHANGE, page_of
from pycs.chart_sheets import Line, Sheet
from pycs.charts import change_picture, play_picture
from pycs.display import pay_text, qualifier_text
from pycs.errors import InputError
from pycs.files import read_target, write_atomically
from pycs.games import CARIBBEAN_STUD, game_of
from pycs.offers import exchanges_allowed
from pycs.picture_files import PICTURES
from pycs.rules import load_rules
from pycs.strategy_costs import cost_of
from pycs.strategy_sources import read_strategy
from pycs.templating import rendered
from pycs.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl

    from pycs.action_values import ActionValues
    from pycs.rules import Rules
    from pycs.strategy_costs import Given, StrategyCost

__all__ = ["Chart", "chart", "chart_of", "compare"]

_MAPS: Final = {
    "caribbean-stud": {"ace-king": ace_king_cells, "classes": class_cells},
    "casino-holdem": {"holes": hole_cells, "textures": texture_cells},
}
_CHANGES: Final = {"caribbean-stud": ("ace-king", "classes"), "casino-holdem": ("holes", "classes")}
_SCALE: Final = 2
"""Pixels of a PNG for each point: 144 to the inch."""


@dataclass(frozen=True)
class Chart:
    """The strategy charts of a profile, or where two strategies or profiles differ, or the page of a strategy.

    `sheet` is what is drawn: the sheet of paper, with its pictures and their cells as they stand in files. `cost` is
    what the strategy of a page, or the first of two, costs; None without one. `other` are the rules of a second
    profile.
    """

    rules: Rules
    exchanges: int
    sheet: Sheet = field(repr=False)
    page: bool = False
    cost: StrategyCost | None = field(default=None, repr=False)
    other: Rules | None = None
    command: str = ""

    @property
    def cells(self) -> Mapping[str, list[dict[str, Any]]]:
        """The cells of each map, by its name, as they stand in files: looks, and exact values as text."""
        return {picture.name: picture.rows for picture in self.sheet.pictures}

    @property
    def frames(self) -> Mapping[str, pl.DataFrame]:
        """The cells of each map, by its name, as `pycs.chart_cells` and `pycs.chart_differences` count them."""
        return {picture.name: picture.cells for picture in self.sheet.pictures}

    def to_dict(self) -> dict[str, Any]:
        """Plain data: what is drawn, cell by cell."""
        return {
            "profile": self.rules.name,
            "title": self.rules.title,
            "rules_digest": self.rules.digest,
            "other_profile": None if self.other is None else self.other.name,
            "version": __version__,
            "command": self.command,
            "exchanges_left": self.exchanges,
            "strategy": None if self.cost is None else self.cost.to_dict(),
            "charts": [
                {"name": picture.name, "title": picture.title, "note": picture.note, "cells": picture.rows}
                for picture in self.sheet.pictures
            ],
        }

    def as_file(self, suffix: str) -> bytes:
        """The charts as a file of the kind that one of `PICTURES` names. HTML and SVG hold all they need."""
        if suffix == ".html":
            return self._html().encode()
        svg = self.sheet.svg()
        if suffix == ".svg":
            return svg.encode()
        import vl_convert

        found: bytes = vl_convert.svg_to_pdf(svg) if suffix == ".pdf" else vl_convert.svg_to_png(svg, scale=_SCALE)
        return found

    def write(self, path: str | os.PathLike[str]) -> None:
        """The charts as a file, by how the path ends, one of `PICTURES`. InputError for a path that cannot be."""
        suffix = read_target(os.fspath(path), "the file", PICTURES)
        write_atomically(Path(path), self.as_file(suffix))

    def _html(self) -> str:
        """Charts with hover, by the libraries that draw them, in the file; or the page as it is printed."""
        pictures = () if self.page else self.sheet.pictures
        return rendered(
            "charts.html",
            title=self.sheet.title,
            lines=[line.text for line in self.sheet.lines],
            foot=" ".join(self.sheet.foot),
            pictures=pictures,
            specs=[json.dumps(picture.spec(), separators=(",", ":")).replace("</", "<\\/") for picture in pictures],
            javascript=_libraries() if pictures else "",
            sheet=self.sheet.svg() if self.page else "",
        )


def chart(
    profile: str | os.PathLike[str] | Rules,
    out: str | os.PathLike[str] | None = None,
    *,
    strategy: Given | None = None,
    against: Given | None = None,
    exchanges: int | None = None,
    page: bool = False,
    command: str = "",
) -> Chart:
    """The strategy charts of a profile, written to `out` if that is given, a path that ends in one of `PICTURES`.

    Without a strategy they are of best play. With `strategy` alone they show how that one plays; with `against` as
    well, where the two differ. `page` makes one page to print: the rules of the strategy (by default the usual ones
    of the game), the chart of the exceptions, and the price of leaving them out. Strategies are given as for
    `pycs.strategy_costs.strategy`. `exchanges` is how many are left, 0 or 1; `command` stands at the foot.

    Some seconds, half a minute with an exchange. InputError for what cannot be. Safe to call from many threads.

    >>> made = chart("casino-holdem")
    >>> [picture.name for picture in made.sheet.pictures], made.cells["holes"][0]["call"]
    (['holes', 'textures'], 117600)
    """
    if out is not None:
        read_target(os.fspath(out), "the file", PICTURES)
    if page and against is not None:
        raise InputError("a page is of one strategy, held against best play: give no other")
    made = chart_of(action_values(profile, exchanges), strategy=strategy, against=against, page=page, command=command)
    if out is not None:
        made.write(out)
    return made


def chart_of(
    values: ActionValues,
    *,
    strategy: Given | None = None,
    against: Given | None = None,
    page: bool = False,
    command: str = "",
) -> Chart:
    """As `chart`, from values that are counted already."""
    rules, game = values.rules, values.game
    if page:
        usual = USUAL[game.name]
        if values.exchanges:
            usual = USUAL_EXCHANGE
            if strategy is None and tuple(exchanges_allowed(rules, None)[1]) != (5,):
                raise InputError(f"a page of {rules.name} with an exchange: give a strategy that makes use of it")
        given = read_strategy(game, usual if strategy is None else strategy)
        if given is None:
            raise InputError("a page is of a strategy with rules: give one that is not best play itself")
        sheet, cost = page_of(values, given, _about(values), _foot(command))
        return Chart(rules, values.exchanges, sheet, page=True, cost=cost, command=command)
    first = None if strategy is None else read_strategy(game, strategy)
    if against is not None:
        second = read_strategy(game, against)
        cost = cost_of(values, first, second)
        names = (cost.play.strategy, cost.other.strategy)
        lines = [
            f"{names[0]} loses {float(cost.loss_to_other):.6g} = {cost.loss_to_other} antes per round against "
            f"{names[1]}; they play {cost.different_deals:,} of {cost.raw_deals:,} deals otherwise."
        ]
        columns = tuple(values.deals["best"] if each is None else each.played() for each in (first, second))
        sheet = _changes(values, None, columns, names, lines, command)
        return Chart(rules, values.exchanges, sheet, cost=cost, command=command)
    played = None if first is None else first.played()
    own = None if first is None else cost_of(values, first)
    pictures = tuple(
        play_picture(game, kind, cells(values, played), values.actions) for kind, cells in _MAPS[game.name].items()
    )
    play = "best play" if first is None else f"the strategy {first.name}"
    sheet = Sheet(f"{rules.title}: {play}", _lines(values), pictures, _foot(command))
    return Chart(rules, values.exchanges, sheet, cost=own, command=command)


def compare(
    profile: str | os.PathLike[str] | Rules,
    other: str | os.PathLike[str] | Rules,
    out: str | os.PathLike[str] | None = None,
    *,
    exchanges: int | None = None,
    command: str = "",
) -> Chart:
    """Where the best play of two profiles of one game differs, and what the play of one loses at the other.

    `out` and the others as for `chart`. InputError for profiles of two games, or of which only one has an exchange.
    """
    if out is not None:
        read_target(os.fspath(out), "the file", PICTURES)
    first, second = load_rules(profile), load_rules(other)
    if first.game != second.game:
        raise InputError(f"{first.name} is {first.game} and {second.name} is {second.game}: give two of one game")
    offered = [min(exchanges_allowed(rules, None)[0], 1) for rules in (first, second)]
    if exchanges is None and offered[0] != offered[1]:
        raise InputError(f"of {first.name} and {second.name} only one has an exchange: give the number of exchanges, 0")
    values, others = action_values(first, exchanges), action_values(second, exchanges)
    names = (first.name, second.name) if first.name != second.name else (f"{first.name} 1", f"{first.name} 2")
    columns = (values.deals["best"], others.deals["best"])
    count = int(values.deals["weight"].filter(columns[0] != columns[1]).sum())
    deals = f"{count:,} of {game_of(first).raw_deals:,} deals" if count else "no deal: it is the same"
    lines = [_about(others), f"Their best play differs in {deals}."]
    sheet = _changes(values, others, columns, names, lines, command)
    made = Chart(first, values.exchanges, sheet, other=second, command=command)
    if out is not None:
        made.write(out)
    return made


def _changes(
    values: ActionValues,
    other: ActionValues | None,
    columns: tuple[pl.Series, ...],
    names: tuple[str, str],
    more: list[str],
    command: str,
) -> Sheet:
    game = values.game
    cells = {kind: difference_cells(values, kind, columns[0], columns[1], other) for kind in _CHANGES[game.name]}
    pictures = tuple(
        change_picture(game, kind, found, names, values.actions) for kind, found in cells.items() if found.height
    )
    title = f"{values.rules.title}: {names[0]} and {names[1]}"
    if other is not None:
        title = f"Best play of {names[0]} and of {names[1]}"
        for (at, played), text in zip((names, names[::-1]), ("exact", "other_exact"), strict=True):
            lost = -sum(map(Fraction, cells["classes"][text]), Fraction(0))
            if lost:
                more.append(f"The play of {played} loses {float(lost):.6g} = {lost} antes per round at {at}.")
    lines = (*_lines(values), *map(Line, more))
    return Sheet(title, lines, pictures, _foot(command))


def _lines(values: ActionValues) -> tuple[Line, ...]:
    unit = "The unit of amounts is the ante; deals are raw deals, each equally likely."
    return Line(_about(values), before=3), Line(unit)


def _about(values: ActionValues) -> str:
    rules = values.rules
    left = {0: "" if values.game is not CARIBBEAN_STUD else "; no exchange", 1: "; one exchange left"}[values.exchanges]
    pays = f"Pays, to one, from the royal flush down: {pay_text(rules)}. The dealer needs {qualifier_text(rules)}."
    return f"Profile {rules.name}: {rules.title}{left}. {pays}"


def _libraries() -> str:
    """What draws charts in a browser: Vega, Vega-Lite and Vega-Embed."""
    import vl_convert

    bundle: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return bundle.replace("</script", "<\\/script")


def _foot(command: str) -> tuple[str, ...]:
    return ((f"{command}; " if command else "") + f"pycs {__version__}",)
