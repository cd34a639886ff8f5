"""The distribution of a session's result as a picture: a bar for each range of results; losses, draws, wins apart."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import ceil, floor, gcd
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from pycs.distributions import common_unit

if TYPE_CHECKING:
    import altair as alt

    from pycs.sessions import Session

__all__ = ["Bar", "bars", "session_chart"]

_TAIL: Final = Fraction(1, 2000)
"""What is left out of the picture at either end, as long as that makes it narrower: the bars' sum says so."""

# Dark to light and blue to orange: told apart without colours, and by those who see few.
_COLOURS: Final = {"loss": "#1f4e79", "draw": "#7f7f7f", "win": "#f4a259"}


class Bar(NamedTuple):
    """The chance of a result from `least` to `most`, both taken in, in antes; `result` is loss, draw or win."""

    least: Fraction
    most: Fraction
    chance: float
    result: str


def bars(session: Session, most: int = 100) -> list[Bar]:
    """At most some `most` bars of one width, over all but the outermost 1/2000 of the results at either end.

    A result of 0 has a bar of its own, so that none holds wins and losses.

    >>> from pycs.distributions import Distribution
    >>> from pycs.sessions import session_of
    >>> [(str(bar.least), str(bar.most), bar.chance) for bar in bars(session_of(Distribution.of([(-1, 1), (1, 1)]), 2))]
    [('-2', '-2', 0.25), ('0', '0', 0.5), ('2', '2', 0.25)]
    """
    low, high = session.quantile(_TAIL)[0], session.quantile(1 - _TAIL)[1]
    # Results lie `step` places apart, but not always on a place that is a whole multiple of it: so neither does 0.
    place = common_unit([session.first, session.unit])
    step = int(session.unit / place)
    least, last = floor(low / place), ceil(high / place)
    spacing = _spacing(session, place)
    width = spacing * max(1, ceil((last - least + 1) / (most * spacing)))
    chances = session.probabilities
    places = int(session.first / place) + step * session.places
    number = np.where(places > 0, (places + width - 1) // width, -((-places + width - 1) // width))
    found = []
    for at in range(-ceil(-least / width) if least < 0 else least // width, ceil(last / width) + 1):
        inside = number == at
        if not inside.any():
            continue
        chance = float(chances[inside].sum())
        if not chance:
            continue
        ends = (
            place * (width * at - (width - 1 if at > 0 else 0)),
            place * (width * at + (width - 1 if at < 0 else 0)),
        )
        found.append(Bar(*ends, chance, "draw" if at == 0 else "win" if at > 0 else "loss"))
    return found


def _spacing(session: Session, place: Fraction) -> int:
    """How many places apart the usual results of a session lie; 1 for a single round, whose results are few.

    In Caribbean Stud a push is the only even result of a round and rare: all but few sessions of 20 rounds end even.
    """
    if session.rounds == 1:
        return 1
    one = session.one
    usual = [value for value, weight in zip(one.values, one.weights, strict=True) if 1000 * weight >= one.ways]
    return int(gcd(*(int((value - usual[0]) / place) for value in usual)) or 1)


def session_chart(session: Session, title: str, subtitle: str) -> alt.Chart:
    """The picture, 640 by 320 points. Chances are percent of sessions, results are in antes."""
    import altair as alt
    import polars as pl

    shown = bars(session)
    gaps = [following.least - bar.most for bar, following in pairwise(shown)]
    half = float(min(gaps, default=session.unit)) / 2  # bars may touch, and do not overlap
    domain = [float(shown[0].least) - half, float(shown[-1].most) + half]
    x_title = "net result of the session, in antes"
    rows = pl.DataFrame(
        {
            "from": [float(bar.least) - half for bar in shown],
            "to": [float(bar.most) + half for bar in shown],
            "percent": [100 * bar.chance for bar in shown],
            "result": [bar.result for bar in shown],
            "results": [str(bar.least) if bar.least == bar.most else f"{bar.least} to {bar.most}" for bar in shown],
        }
    )
    colours = alt.Scale(domain=list(_COLOURS), range=list(_COLOURS.values()))
    chart: alt.Chart = (
        alt.Chart(alt.InlineData(values=rows.to_dicts()), title=alt.Title(title, subtitle=subtitle, anchor="start"))
        .mark_bar(stroke="white", strokeWidth=0.3)
        .encode(
            x=alt.X("from:Q", bin="binned", title=x_title, scale=alt.Scale(domain=domain, nice=False)),
            x2="to:Q",
            y=alt.Y("percent:Q", title="percent of sessions"),
            color=alt.Color("result:N", scale=colours, title="result"),
            tooltip=[alt.Tooltip("results:N", title="net, antes"), alt.Tooltip("percent:Q", format=".6f")],
        )
        .properties(width=640, height=320)
        .configure_axis(labelFontSize=12, titleFontSize=13)
        .configure_title(fontSize=15, subtitleFontSize=12)
        .configure_legend(labelFontSize=12, titleFontSize=12)
    )
    return chart
