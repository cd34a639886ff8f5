"""The trade-off of short strategies: how many rules against what is lost, as a table and as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Sequence

    import altair as alt

    from pycs.rules import Rules
    from pycs.strategy_search import FoundStrategy

__all__ = ["curve_chart", "curve_frame"]

_COLUMNS: Final = {
    "rules": pl.Int64,
    "all_rules": pl.Int64,
    "net": pl.String,
    "loss": pl.Float64,
    "loss_exact": pl.String,
    "least_loss_exact": pl.String,
    "proven": pl.Boolean,
    "strategy": pl.String,
}


def curve_frame(found: Sequence[FoundStrategy]) -> pl.DataFrame:
    """A row for each number of rules: what the best list found loses in antes per round, and what is proven of it.

    `all_rules` counts those of the frame as well; `net` is text, for it may be beyond 64 bits.
    """
    rows = [
        {
            "rules": each.rules,
            "all_rules": len(each.strategy.rules),
            "net": str(each.net),
            "loss": float(each.loss),
            "loss_exact": str(each.loss),
            "least_loss_exact": str(each.least_loss),
            "proven": each.proven,
            "strategy": str(each.strategy),
        }
        for each in found
    ]
    return pl.DataFrame(rows, schema=_COLUMNS)


def curve_chart(found: Sequence[FoundStrategy], rules: Rules, command: str) -> alt.LayerChart:
    """The picture: rules to the right, the loss per thousand rounds upwards; full points are proven to be best."""
    import altair as alt

    rows = [
        {
            "rules": each.rules,
            "loss": 1000 * float(each.loss),
            "exact": str(each.loss),
            "known": "proven: none loses less" if each.proven else "the best found",
            "label": f"{1000 * float(each.loss):.4g}",
        }
        for each in found
    ]
    loss = alt.Y("loss:Q", title="loss to best play, antes per 1000 rounds", scale=alt.Scale(zero=True))
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        x=alt.X(
            "rules:O", title="rules, beside those of hands that are never in question", axis=alt.Axis(labelAngle=0)
        ),
        y=loss,
    )
    kinds = ["proven: none loses less", "the best found"]
    points = base.mark_point(size=90, color="#1f4e79", strokeWidth=2).encode(
        fill=alt.Fill("known:N", title=None, scale=alt.Scale(domain=kinds, range=["#1f4e79", "white"])),
        tooltip=[
            alt.Tooltip("rules:O"),
            alt.Tooltip("exact:N", title="loss, antes per round"),
            alt.Tooltip("known:N", title="what is known"),
        ],
    )
    words = base.mark_text(dy=-12, fontSize=12).encode(text="label:N")
    title = alt.Title(f"{rules.title}: short strategies", subtitle=[f"profile {rules.name}; {command}"], anchor="start")
    chart: alt.LayerChart = (
        alt.layer(base.mark_line(color="#1f4e79", strokeDash=[4, 3]), points, words, title=title)
        .properties(width=560, height=320)
        .configure_axis(labelFontSize=12, titleFontSize=13)
        .configure_title(fontSize=15, subtitleFontSize=12)
        .configure_legend(labelFontSize=12)
    )
    return chart
