"""Maps of cells, rows against columns, made with altair: what the strategy charts are drawn with.

Colours differ in how dark they are, and every cell that is not plain says its action or share in print: so a chart is
read as well without colours. A picture holds its rows as they are drawn, exact values among them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import altair as alt
    import polars as pl

__all__ = ["COLOURS", "FONT", "SIZE", "Look", "Picture", "Written", "colour_of", "look", "map_chart"]

FONT: Final = "Liberation Sans, Arial, Helvetica, sans-serif"

SIZE: Final = 8.5
"""Text in points: still 6 where a sheet of A3 is printed on A4."""

COLOURS: Final = {"fold": "#fdf3dd", "exchange": "#f0a440", "call": "#153e6b"}
"""The actions, light, middling and dark."""

_SHARES: Final = (COLOURS["fold"], COLOURS["exchange"], COLOURS["call"])
"""From never to always."""

_DARK: Final = 0.18
"""The luminance at which black and white text stand out equally."""


class Look(NamedTuple):
    """How a cell looks: what fills it, the colour of its text, the text; in a key also what that means."""

    fill: str
    ink: str
    text: str
    meaning: str = ""


class Written(NamedTuple):
    """A column that is written into the cells, at a place seen from the middle, in points."""

    column: str
    right: float = 0
    down: float = 0
    bold: bool = False


@dataclass(frozen=True, eq=False)
class Picture:
    """A chart with all that belongs to it.

    `cells` is what it shows, exactly; `rows` are the same cells as they stand in files, with their looks, under `name`.
    """

    name: str
    title: str
    note: str
    key: tuple[Look, ...]
    cells: pl.DataFrame = field(repr=False)
    rows: list[dict[str, Any]] = field(repr=False)
    chart: alt.HConcatChart = field(repr=False)

    def spec(self) -> dict[str, Any]:
        """The chart as Vega-Lite, with its data."""
        found: dict[str, Any] = self.chart.to_dict()
        found["datasets"] = {self.name: self.rows}
        return found


def colour_of(share: float) -> str:
    """The colour of a share, from light for 0 to dark for 1.

    >>> colour_of(0), colour_of(0.75), colour_of(1)
    ('#fdf3dd', '#827156', '#153e6b')
    """
    place = min(int(2 * share), 1)
    low, high = (bytes.fromhex(_SHARES[place + step][1:]) for step in (0, 1))
    part = 2 * share - place
    return "#" + bytes(round(a + (b - a) * part) for a, b in zip(low, high, strict=True)).hex()


def look(fill: str, text: str, meaning: str = "") -> Look:
    """A cell of this colour, its text black or white, whichever stands out more."""
    parts = [value / 255 for value in bytes.fromhex(fill[1:])]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    light = 0.2126 * red + 0.7152 * green + 0.0722 * blue > _DARK
    return Look(fill, "#000000" if light else "#ffffff", text, meaning)


def map_chart(
    name: str,
    panels: Sequence[Sequence[str]],
    columns: Sequence[str],
    *,
    x: tuple[str, str],
    y: tuple[str, str],
    cell: tuple[float, float],
    tooltip: Mapping[str, str],
    texts: Sequence[Written] = (Written("text"),),
    labels: Mapping[str, str] | None = None,
    both_ends: bool = True,
    changes: bool = False,
) -> alt.HConcatChart:
    """A map in panels side by side, each of its own rows; a row of blanks is a gap.

    `x` and `y` are a column and the title of its axis, `cell` width and height in points, `tooltip` columns with what
    they are called. `labels` stand upright over the columns, in the place of their names. With `both_ends` the columns
    are named below as well; with `changes` the cells stand out of a grid that is empty but for them.
    """
    import altair as alt

    hover = [alt.Tooltip(f"{column}:N", title=title) for column, title in tooltip.items()]
    edge, wide = ("#222222", 0.9) if changes else ("#8a8a8a", 0.4)

    def across(axis: alt.Axis | None) -> alt.X:
        return alt.X(f"{x[0]}:N", scale=_bands(columns), axis=axis)

    top, bottom = _axis("top", x[1], labels, changes), _axis("bottom", None, None, False)

    shown = []
    for number, rows in enumerate(panels):
        down = alt.Y(f"{y[0]}:N", scale=_bands(rows), axis=_axis("left", None if number else y[1], None, changes))
        filled = [row for row in rows if row.strip()]
        data = alt.Chart(alt.NamedData(name)).transform_filter(alt.FieldOneOfPredicate(y[0], filled))
        layers: list[Any] = [
            data.mark_rect(stroke=edge, strokeWidth=wide).encode(
                x=across(top), y=down, color=alt.Color("fill:N", scale=None), tooltip=hover
            )
        ]
        for place, text in enumerate(texts):
            mark = data.mark_text(
                dx=text.right, dy=text.down, fontWeight="bold" if text.bold else "normal", aria=False, tooltip=None
            )
            layers.append(
                mark.encode(
                    x=across(top if not both_ends else None if place else bottom),
                    y=down,
                    text=f"{text.column}:N",
                    color=alt.Color("ink:N", scale=None),
                )
            )
        panel = alt.layer(*layers).properties(width=cell[0] * len(columns), height=cell[1] * len(rows))
        shown.append(panel.resolve_axis(x="independent") if both_ends else panel)
    chart: alt.HConcatChart = (
        alt.hconcat(*shown, spacing=10)
        .configure(font=FONT, padding=2, background="white")
        .configure_view(stroke=None)
        .configure_text(fontSize=SIZE, baseline="middle")
        .configure_axis(labelFontSize=SIZE, titleFontSize=SIZE, titleFontWeight="normal")
    )
    return chart


def _bands(domain: Sequence[str]) -> alt.Scale:
    import altair as alt

    return alt.Scale(domain=list(domain), padding=0)


def _axis(orient: Any, title: str | None, labels: Mapping[str, str] | None, grid: bool) -> alt.Axis:
    import altair as alt

    more: dict[str, Any] = {"labelAngle": 0}
    if labels and orient == "top":
        chosen = [f"datum.value === '{name}' ? '{label}' : " for name, label in labels.items()]
        more = {"labelAngle": -90, "labelExpr": "".join(chosen) + "datum.value"}
    if grid:
        more |= {"grid": True, "gridColor": "#d0d0d0", "bandPosition": 0}
    return alt.Axis(
        orient=orient,
        title=title,
        domain=False,
        ticks=False,
        labelPadding=2,
        titlePadding=3,
        labelOverlap=False,
        zindex=0,
        **more,
    )
