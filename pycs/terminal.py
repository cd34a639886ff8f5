"""Text for a terminal or a file: labelled facts and aligned tables, and the amounts in them.

Colour and the terminal's width come in only when standard output is a terminal; elsewhere a line is as long as its
content. Signs are ASCII, as far as a profile's own words are.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, TypeAlias

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from pycs.amounts import plain

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["Grid", "Side", "Text", "antes", "facts", "grid", "render", "signed"]

Side: TypeAlias = Literal["left", "right"]
"""On which side of its column a cell stands."""

_WIDTH_OF_FILES = 10_000  # wide enough for every line: a file or a pipe has no edge to wrap at


def grid(*columns: tuple[str, Side]) -> Grid:
    """An empty table with these headings, each with the side on which its cells stand."""
    table = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for number, (heading, justify) in enumerate(columns, 1):
        # Numbers and names stay whole; only words in a last column give way to a narrow terminal.
        table.add_column(heading, justify=justify, no_wrap=justify == "right" or number < len(columns))
    return table


def facts(*rows: tuple[str, str | Text]) -> Grid:
    """Labels and what belongs to them, one line each; what is too long for the terminal goes on below itself."""
    table = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for label, value in rows:
        table.add_row(label, value)
    return table


def signed(amount: int | Fraction) -> str:
    """An amount with its sign; nothing is plain 0."""
    return f"+{plain(amount)}" if amount > 0 else plain(amount)


def antes(text: str) -> str:
    """An amount as text, with its unit."""
    return f"{text} {'ante' if text.lstrip('+-') == '1' else 'antes'}"


def render(*parts: RenderableType) -> str:
    """The parts below each other, as text to be written at once or not at all."""
    terminal = sys.stdout is not None and sys.stdout.isatty()
    colour = terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    console = Console(
        file=io.StringIO(),
        width=_WIDTH_OF_FILES,
        force_terminal=colour,
        # Without a colour system nothing is styled at all, not even bold: plain text is what NO_COLOR users expect.
        color_system="standard" if colour else None,
        markup=False,
        emoji=False,
        highlight=False,
        legacy_windows=False,
    )
    if terminal:
        # On a terminal too narrow for the numbers, better that it wraps lines than that digits are cut off.
        for column in [column for part in parts if isinstance(part, Grid) for column in part.columns if column.no_wrap]:
            column.min_width = max(console.measure(cell).maximum for cell in (column.header, *column.cells))
        least = max(console.measure(part).minimum for part in parts)
        console.width = max(shutil.get_terminal_size().columns, least)
    with console.capture() as capture:
        console.print(*parts, sep="\n")
    return "".join(f"{line.rstrip()}\n" for line in capture.get().splitlines())
