"""Where two strategies, or the best play of two profiles, part: the maps of `pycs.chart_cells` with what changes."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import polars as pl

from pycs.chart_cells import CELLS, kinds_of_deals, net_of, ordered

if TYPE_CHECKING:
    from pycs.action_values import ActionValues

__all__ = ["difference_cells"]


def difference_cells(
    values: ActionValues, kind: str, first: pl.Series, second: pl.Series, other: ActionValues | None = None
) -> pl.DataFrame:
    """The cells of a map, one of `pycs.chart_cells.CELLS`, in which the actions of two columns differ.

    `first` and `second` are what is done with each canonical deal. A row for each cell with a difference: its keys;
    `deals`, its raw deals; `different`, those that differ; `first` and `second`, the actions of most of these, and
    `same_way`, how many are of just this pair; `loss` and `exact`: what `first` loses against `second` by them, in
    antes per round of the game; negative where it wins. With `other`, the values under which `second` is played, also
    `other_loss` and `other_exact`: what `second` loses against `first` there. Of ace-king, `suits` says which deals of
    the cell differ, where it hangs on no more: `=0`, `≤1` or `≥2` for how many of the cards are of the upcard's suit.

    >>> from pycs.action_values import action_values
    >>> from pycs.games import CARIBBEAN_STUD
    >>> from pycs.strategy_sources import read_strategy
    >>> values, three_rules = action_values("us"), read_strategy(CARIBBEAN_STUD, "three-rules")
    >>> cells = difference_cells(values, "classes", three_rules.played(), values.deals["best"])
    >>> cells.select("hand", "seen", "different", "first", "second").row(0)
    ('A-K-Q', '3', 3540, 'call', 'fold')
    """
    keys = CELLS[kind]
    more = {"first": first, "second": second}
    if other is not None:
        more |= {f"other_{action}": other.deals[action] for action in other.actions}
    deals = kinds_of_deals(values, kind, **more)
    differs = pl.col("first") != pl.col("second")
    counted = deals.group_by(keys).agg(
        pl.col("weight").sum().alias("deals"), pl.col("weight").filter(differs).sum().alias("different")
    )
    parted = deals.filter(differs)
    losses = [(net_of(values, "second") - net_of(values, "first")).alias("net")]
    if other is not None:
        there = parted.drop(other.actions).rename({f"other_{action}": action for action in other.actions})
        lost = there.group_by(keys).agg(other_net=net_of(other, "first") - net_of(other, "second"))
    pairs = parted.group_by(*keys, "first", "second").agg(pl.col("weight").sum().alias("same_way"))
    most = pairs.sort("same_way", "first", "second", descending=[True, False, False]).unique(keys, keep="first")
    cells = parted.group_by(keys).agg(losses).join(counted, on=keys).join(most, on=keys)
    found = {"loss": ("net", "exact", values.rounds)}
    if other is not None:
        cells = cells.join(lost, on=keys)
        found["other_loss"] = ("other_net", "other_exact", other.rounds)
    if kind == "ace-king":
        so = (pl.col("first") == pl.col("first_most")) & (pl.col("second") == pl.col("second_most"))
        alike = deals.join(most.select(*keys, first_most="first", second_most="second"), on=keys)
        cells = cells.join(_by_suits(alike.with_columns(differs=differs & so)), on=keys)
    columns: list[pl.Series] = []
    for name, (net, text, rounds) in found.items():
        exact = [Fraction(sum_, rounds) for sum_ in cells[net].to_list()]
        columns += [pl.Series(name, map(float, exact), pl.Float64), pl.Series(text, map(str, exact), pl.String)]
    suits = ("suits",) if kind == "ace-king" else ()
    shown = [*keys, "deals", "different", *suits, "first", "second", "same_way", *(column.name for column in columns)]
    cells = cells.with_columns(columns).select(shown).cast({"first": pl.String, "second": pl.String})
    return ordered(cells, keys)


def _by_suits(deals: pl.DataFrame) -> pl.DataFrame:
    """How many cards of the upcard's suit the deals of a cell hold that differ, if those and no others differ."""
    counts = deals.group_by("kickers", "up", "up_suited").agg(some=pl.col("differs").any(), all=pl.col("differs").all())
    held, alike = pl.col("up_suited").filter("some"), (pl.col("some") == pl.col("all")).all()
    first, last = (
        (held.min() == pl.col("up_suited").min()) & (held.len() == held.max() - pl.col("up_suited").min() + 1),
        (held.max() == pl.col("up_suited").max()) & (held.len() == pl.col("up_suited").max() - held.min() + 1),
    )
    said = (
        pl.when(~alike | (first & last) | (held.len() == 0))
        .then(pl.lit(""))
        .when(first & (held.max() == 0))
        .then(pl.lit("=0"))
        .when(first)
        .then(pl.format("≤{}", held.max()))
        .when(last)
        .then(pl.format("≥{}", held.min()))
        .otherwise(pl.lit(""))
    )
    return counts.group_by("kickers", "up").agg(suits=said)
