"""One page to print and take along: the rules of a strategy, where best play differs, and what that is worth."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Final

import polars as pl

from pycs.chart_cells import CELLS
from pycs.chart_differences import difference_cells
from pycs.chart_sheets import Line, Sheet
from pycs.charts import change_picture
from pycs.deal_features import FEATURES
from pycs.errors import InputError
from pycs.games import CARIBBEAN_STUD, CASINO_HOLDEM
from pycs.strategy_costs import cost_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pycs.action_values import ActionValues
    from pycs.chart_maps import Picture
    from pycs.strategies import Strategy
    from pycs.strategy_costs import Play, StrategyCost

__all__ = ["USUAL", "USUAL_EXCHANGE", "exceptions", "page_of"]

USUAL: Final = {CARIBBEAN_STUD.name: "three-rules", CASINO_HOLDEM.name: "four-rules"}
"""The strategy of a page, by game, where none is given, without an exchange."""

USUAL_EXCHANGE: Final = "four-exchange-rules"
"""The same with one exchange of all five cards."""

_SMALLEST: Final = 0.75
"""Charts on a page are not drawn smaller: their text would be less than 6.4 points."""

_HANDS: Final = 10_000


def page_of(values: ActionValues, given: Strategy, about: str, foot: tuple[str, ...]) -> tuple[Sheet, StrategyCost]:
    """The page of a strategy. `about` says what profile it is of, `foot` how the page was made.

    Of exceptions without end the page holds those that cost most, as many as can be read.
    """
    cost = cost_of(values, given)
    cells = exceptions(values, given)
    lines = _words(given, cost, about)
    kept = cells
    while True:
        names = (given.name, "best play")
        pictures = tuple(_exceptions_drawn(values, kind, frame, names) for kind, frame in kept.items())
        sheet = Sheet(values.rules.title, (*lines, *_left_out(cells, kept)), pictures, foot, across=False)
        rows = sum(frame[CELLS[kind][0]].n_unique() for kind, frame in kept.items())
        if sheet.scale >= _SMALLEST or (rows == 1 and sheet.scale > 0):
            return sheet, cost
        if rows <= 1:
            raise InputError(f"the strategy {given.name}: {len(given.rules)} rules leave no room for a chart on a page")
        kept = _dearest(kept, min(0.9, sheet.scale / _SMALLEST))


def _words(given: Strategy, cost: StrategyCost, about: str) -> list[Line]:
    name = "" if given.name == "rules" else f": {given.name}"
    lines = [
        Line(about, before=3),
        Line(f"The rules{name}", 11, True, before=6),
        *(Line(f"{number}. {text}", 10.5, inset=8, before=1) for number, text in enumerate(_rules(given), 1)),
        *(Line(text, 8.5, inset=8, before=2) for text in _columns(given)),
        Line("What they are worth", 11, True, before=6),
        Line(_worth("With these rules", cost.play), inset=8, before=1),
        Line(_worth("With best play", cost.optimal), inset=8),
    ]
    if not cost.loss:
        return [*lines, Line("These rules lose nothing against best play.", inset=8)]
    share = Fraction(cost.different_deals, cost.raw_deals)
    price = f"{_amount(cost.loss)} antes per round, {_amount(_HANDS * cost.loss)} antes in {_HANDS:,} hands"
    often = f"Best play differs in {float(share):.3%} of deals" + (
        f", one hand in {round(1 / share):,}." if share < Fraction(1, 2) else "."
    )
    return [
        *lines,
        Line(f"To leave all exceptions out costs {price}; exactly {cost.loss} antes per round.", inset=8),
        Line(often, inset=8),
    ]


def _left_out(cells: Mapping[str, pl.DataFrame], kept: Mapping[str, pl.DataFrame]) -> list[Line]:
    """What the exceptions cost that the page has no room for."""
    rows, lost = 0, Fraction(0)
    for kind, frame in cells.items():
        gone = frame.join(kept[kind], on=CELLS[kind][0], how="anti") if kind in kept else frame
        rows += gone[CELLS[kind][0]].n_unique()
        lost += sum(map(Fraction, gone["exact"]), Fraction(0))
    text = f"Below stand the exceptions that cost most; {rows} more rows cost {_amount(lost)} antes per round together."
    return [Line(text, inset=8)] if rows else []


def _exceptions_drawn(values: ActionValues, kind: str, cells: pl.DataFrame, names: tuple[str, str]) -> Picture:
    drawn = change_picture(values.game, kind, cells, names, values.actions)
    subject = drawn.title.partition(":")[0]
    return replace(drawn, title=f"Exceptions: {subject[0].lower()}{subject[1:]}: do as marked.")


def exceptions(values: ActionValues, given: Strategy) -> dict[str, pl.DataFrame]:
    """The cells in which best play differs from a strategy, by map; those of ace-king by the cards beside it."""
    played, best = given.played(), values.deals["best"]
    found = {"classes": difference_cells(values, "classes", played, best)}
    if values.game is CARIBBEAN_STUD:
        found["classes"] = found["classes"].filter(~pl.col("hand").str.starts_with("A-K-"))
        found = {"ace-king": difference_cells(values, "ace-king", played, best), **found}
    return {kind: cells for kind, cells in found.items() if cells.height}


def _dearest(cells: Mapping[str, pl.DataFrame], part: float) -> dict[str, pl.DataFrame]:
    """The cells of a part of the rows, those that cost most, in their order."""
    rows = [
        (cost, kind, row)
        for kind, frame in cells.items()
        for row, cost in frame.group_by(CELLS[kind][0], maintain_order=True).agg(pl.col("loss").sum()).rows()
    ]
    most = sorted(rows, key=lambda row: row[0], reverse=True)[: max(1, int(part * len(rows)))]
    found = {}
    for kind, frame in cells.items():
        kept = [row for _, of, row in most if of == kind]
        found[kind] = frame.filter(pl.col(CELLS[kind][0]).is_in(kept))
    return {kind: frame for kind, frame in found.items() if frame.height}


def _rules(given: Strategy) -> tuple[str, ...]:
    """The rules in words, as far as they have some."""
    if given.actions is not None:
        return (given.title or f"As the table {given.name} says of every deal.",)
    return given.words


def _columns(given: Strategy) -> tuple[str, ...]:
    """What the words of rules mean that are written as conditions."""
    known: Mapping[str, str] = FEATURES[given.game.name]
    written = (rule.when for rule in given.rules if rule.words is None)
    words = dict.fromkeys(word for when in written for word in re.findall(r"[a-z_]+[0-9]?", when))
    meant = [f"{word}: {known[word]}" for word in words if word in known]
    return (f"{'. '.join(meant)}. T, J, Q, K and A are 10 to 14.",) if meant else ()


def _worth(what: str, play: Play) -> str:
    edge, risk = float(play.house_edge), float(play.element_of_risk)
    return f"{what} the house edge is {edge:.5%} of the ante, the element of risk {risk:.5%} of all that is bet."


def _amount(antes: Fraction) -> str:
    """Three digits of it, without an exponent."""
    return f"{round(antes):,}" if antes >= 100 else f"{Decimal(f'{float(antes):.3g}'):f}"
