"""Charts of altair as files: HTML and SVG that hold all they need, PNG and PDF."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import altair as alt

__all__ = ["PICTURES", "as_file"]

PICTURES: Final = (".html", ".svg", ".png", ".pdf")
"""How the names of files end that hold a picture."""


def as_file(chart: alt.Chart | alt.LayerChart, suffix: str) -> bytes:
    """The chart as a file of the kind that `.html`, `.svg`, `.png` or `.pdf` names. HTML and SVG hold all they need."""
    if suffix == ".html":
        return str(chart.to_html(inline=True)).encode()
    if suffix == ".svg":
        text = io.StringIO()
        chart.save(text, format="svg")
        return text.getvalue().encode()
    content = io.BytesIO()
    if suffix == ".png":
        chart.save(content, format="png", scale_factor=2)
    else:
        chart.save(content, format="pdf")
    return content.getvalue()
