"""A sheet of paper as one SVG: what it is about in words, and charts with their titles and keys.

It is A4 upright, or A3 across where the charts come out larger so, even when printed on A4. SVG is turned into PNG and
PDF as it is; no browser is needed.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from pycs.chart_maps import FONT, SIZE
from pycs.templating import rendered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pycs.chart_maps import Look, Picture

__all__ = ["Line", "Sheet", "drawn"]

_A4: Final = (595, 842)
_A3: Final = (1191, 842)
"""Width and height in points, of A3 lying across: two of A4 side by side."""

_MARGIN: Final = 26
_GAP: Final = 16
_LARGEST: Final = 1.6
"""A chart of few cells is drawn no larger than this."""

_NARROW, _WIDE_LETTERS = "fijlrt.,:;'|!/()[]- ", "mMwW%@"
"""Letters that are narrower and wider than others, as sans-serif fonts have them."""


class Line(NamedTuple):
    """A paragraph: its text, the size in points, how far it stands in, the space before it."""

    text: str
    size: float = 9
    bold: bool = False
    inset: float = 0
    before: float = 0


class _Text(NamedTuple):
    x: float
    y: float
    size: float
    text: str
    bold: bool = False

    def moved(self, x: float, y: float, scale: float) -> _Text:
        return self._replace(x=x + scale * self.x, y=y + scale * self.y, size=scale * self.size)


class _Mark(NamedTuple):
    x: float
    y: float
    width: float
    height: float
    look: Look

    def moved(self, x: float, y: float, scale: float) -> _Mark:
        return _Mark(x + scale * self.x, y + scale * self.y, scale * self.width, scale * self.height, self.look)


class _Block(NamedTuple):
    """A picture as it stands on a sheet: its own size, and its parts seen from its corner."""

    width: float
    height: float
    texts: Sequence[_Text]
    marks: Sequence[_Mark]
    svg: str
    top: float


@dataclass(frozen=True, eq=False)
class Sheet:
    """What a sheet says: `title` and `lines` at the top, `pictures`, and `foot` at the bottom."""

    title: str
    lines: tuple[Line, ...]
    pictures: tuple[Picture, ...] = field(repr=False)
    foot: tuple[str, ...]
    across: bool = True

    @property
    def scale(self) -> float:
        """How large the charts are drawn: at 1 their text is of `pycs.chart_maps.SIZE`."""
        return self._laid_out()[1]

    def svg(self) -> str:
        """The sheet as SVG; its text is text, and a viewer shows the exact values of a cell under the pointer."""
        (width, height), scale, side_by_side = self._laid_out()
        texts = self._written(width)
        y = texts[-1].y + 0.5 * texts[-1].size + _GAP / 2
        foot = _paragraphs([Line(line, SIZE) for line in self.foot], _MARGIN, 0, width - 2 * _MARGIN)
        texts += [text._replace(y=height - _MARGIN - foot[-1].y + text.y) for text in foot]
        x: float = _MARGIN
        marks: list[_Mark] = []
        drawings = []
        for block in map(_block, self.pictures):
            texts += [text.moved(x, y, scale) for text in block.texts]
            marks += [mark.moved(x, y, scale) for mark in block.marks]
            drawings.append(_nested(block.svg, x, y + scale * block.top, scale))
            x += (scale * block.width + _GAP) if side_by_side else 0
            y += 0 if side_by_side else (scale * block.height + _GAP)
        return rendered(
            "sheet.svg",
            width=width,
            height=height,
            title=self.title,
            font=FONT,
            texts=texts,
            marks=marks,
            drawings=drawings,
        )

    def _laid_out(self) -> tuple[tuple[int, int], float, bool]:
        """The size of the sheet, that of the charts, and whether they stand side by side."""
        blocks = [_block(picture) for picture in self.pictures]
        scale = _fits(blocks, *self._room(_A4[0]), side_by_side=False)
        if self.across and blocks:
            wide = _fits(blocks, *self._room(_A3[0]), side_by_side=True)
            if wide * _A4[0] / _A4[1] > scale:
                return _A3, wide, True
        return _A4, scale, False

    def _written(self, width: float) -> list[_Text]:
        return _paragraphs([Line(self.title, 15, True), *self.lines], _MARGIN, _MARGIN, width - 2 * _MARGIN)

    def _room(self, width: float) -> tuple[float, float]:
        """The width and the height that are left for charts."""
        head = self._written(width)
        foot = _paragraphs([Line(line, SIZE) for line in self.foot], 0, 0, width - 2 * _MARGIN)
        used = head[-1].y + 0.5 * head[-1].size + _GAP + foot[-1].y + _MARGIN
        return width - 2 * _MARGIN, _A4[1] - used


def drawn(picture: Picture) -> str:
    """The chart alone as SVG. What it says of a cell for a screen reader is shown under the pointer as well."""
    import vl_convert

    return _CELL.sub(_titled, vl_convert.vegalite_to_svg(picture.spec()))


_CELL: Final = re.compile(
    r'<path aria-label="[^"]*?fill: #[0-9a-f]{6}; ([^"]*)" role="[^"]*" aria-[a-z]*="[^"]*"([^>]*?)/?>'
)


def _titled(cell: re.Match[str]) -> str:
    said, drawn_as = cell.groups()
    words = said.replace("; ", "\n")
    return f"<path{drawn_as}><title>{words}</title>" + ("</path>" if cell[0].endswith("/>") else "")


@lru_cache(maxsize=8)
def _block(picture: Picture) -> _Block:
    svg = drawn(picture)
    found = re.search(r'width="([0-9.]+)" height="([0-9.]+)"', svg)
    assert found
    chart_width, chart_height = float(found[1]), float(found[2])
    width = max(chart_width, 260)
    texts = _paragraphs([Line(picture.title, 11, True), Line(picture.note, SIZE, before=2)], 0, 0, width)
    y = texts[-1].y + 7
    marks, x = [], 0.0
    for look in picture.key:
        wide = 21 + (9 + _width(look.meaning, SIZE) if look.meaning else 0)
        if x and x + wide > width:
            x, y = 0, y + 14
        marks.append(_Mark(x, y, 18, 10.5, look))
        if look.meaning:
            texts.append(_Text(x + 22, y + 8.3, SIZE, look.meaning))
        x += wide + 3
    top = y + 17
    return _Block(width, top + chart_height, texts, marks, svg, top)


def _paragraphs(lines: Sequence[Line], x: float, y: float, width: float) -> list[_Text]:
    """Each line broken where it is too long, one below the other; y is that of the baseline."""
    texts = []
    for line in lines:
        y += line.before
        mean = _width(line.text, line.size, line.bold) / max(1, len(line.text))
        for text in textwrap.wrap(line.text, int((width - line.inset) / (1.03 * mean or 1)), break_on_hyphens=False):
            y += 1.25 * line.size
            texts.append(_Text(x + line.inset, y, line.size, text, line.bold))
    return texts


def _width(text: str, size: float, bold: bool = False) -> float:
    """About how wide a text comes out, in points."""
    letters = sum(0.31 if c in _NARROW else 0.88 if c in _WIDE_LETTERS else 0.7 if c.isupper() else 0.55 for c in text)
    return size * letters * (1.06 if bold else 1)


def _fits(blocks: Sequence[_Block], width: float, height: float, *, side_by_side: bool) -> float:
    """How large the blocks may be drawn."""
    if not blocks:
        return 1
    gaps = _GAP * (len(blocks) - 1)
    if side_by_side:
        ways = ((width - gaps) / sum(block.width for block in blocks), height / max(block.height for block in blocks))
    else:
        ways = (width / max(block.width for block in blocks), (height - gaps) / sum(block.height for block in blocks))
    return min(*ways, _LARGEST)


def _nested(svg: str, x: float, y: float, scale: float) -> str:
    """An SVG as a part of another, at this place and of this size."""
    inner = svg[svg.index("<svg") :]
    found = re.search(r'width="([0-9.]+)" height="([0-9.]+)"', inner)
    assert found
    wide, high = scale * float(found[1]), scale * float(found[2])
    place = f'x="{x:.2f}" y="{y:.2f}" width="{wide:.2f}" height="{high:.2f}"'
    return inner.replace(found[0], place, 1)
