"""What the cells of strategy charts say: how deals of one kind are played, and what each action is worth in them.

Every sum is exact. A cell counts raw deals; its values are means over them, in antes.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

import polars as pl

from pycs.action_values import WEIGHT
from pycs.cards import RANKS
from pycs.deal_classes import HOLE_CLASSES, deal_classes
from pycs.deal_features import deal_features, rank_letter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pycs.action_values import ActionValues

__all__ = [
    "CELLS",
    "KICKERS",
    "ace_king_cells",
    "class_cells",
    "hole_cells",
    "kinds_of_deals",
    "net_of",
    "ordered",
    "texture_cells",
]

_DOWN: Final = RANKS[::-1]

KICKERS: Final = tuple(
    f"{third}-{fourth}-{fifth}"
    for third in _DOWN[2:]
    for fourth in _DOWN[_DOWN.index(third) + 1 :]
    for fifth in _DOWN[_DOWN.index(fourth) + 1 :]
    if third + fourth + fifth != "QJT"
)
"""The 164 sets of three cards beside ace and king, from high to low; with Q-J-T they would be a straight."""

CELLS: Final = {
    "ace-king": ("kickers", "up"),
    "classes": ("hand", "seen"),
    "holes": ("hole",),
    "textures": ("hole", "seen"),
}
"""The maps: what the rows and the columns of their cells are."""


def ace_king_cells(values: ActionValues, actions: pl.Series | None = None) -> pl.DataFrame:
    """Caribbean Stud's hands of ace-king without a pair: a row for each of `KICKERS` and rank of the upcard.

    `actions` is what is done with each canonical deal, by default the best. Columns: `kickers` and `up`; `deals`, how
    many raw deals there are, and for each action of the values, under its name, in how many of them it is taken;
    `value`, the mean result of that play, and `exact`, the same as a fraction; for each action `fold_net`,
    `fold_value`, `fold_exact`: its numerator over `deals` times the denominator of the values, and its mean; `gain`
    and `gain_exact`: how much the best action brings more than the next best, in the mean.

    >>> from pycs.action_values import action_values
    >>> cells = ace_king_cells(action_values("us"))
    >>> cells.height, cells.select("kickers", "up", "deals", "fold", "call").row(0)
    (2132, ('Q-J-9', '2', 4080, 0, 4080))
    """
    return _cells(values, "ace-king", actions)


def class_cells(values: ActionValues, actions: pl.Series | None = None) -> pl.DataFrame:
    """The classes of `pycs.deal_classes`, `hand` by `seen`, with columns as in `ace_king_cells`."""
    return _cells(values, "classes", actions)


def hole_cells(values: ActionValues, actions: pl.Series | None = None) -> pl.DataFrame:
    """Casino Hold'em's 169 kinds of hole cards, `hole`, over all flops, with columns as in `ace_king_cells`."""
    return _cells(values, "holes", actions)


def texture_cells(values: ActionValues, actions: pl.Series | None = None) -> pl.DataFrame:
    """Casino Hold'em's hole cards that ever fold, `hole`, by the flop, `seen`, with columns as in `ace_king_cells`."""
    cells = _cells(values, "textures", actions)
    folded = cells.filter(pl.col("fold") > 0)["hole"].unique().to_list()
    return cells.filter(pl.col("hole").is_in(folded))


def _cells(values: ActionValues, kind: str, actions: pl.Series | None) -> pl.DataFrame:
    keys = CELLS[kind]
    played = values.deals["best"] if actions is None else actions
    deals = kinds_of_deals(values, kind, played=played)
    most, least = (by(values.actions).cast(pl.Int128) for by in (pl.max_horizontal, pl.min_horizontal))
    inner = pl.sum_horizontal([pl.col(action).cast(pl.Int128) for action in values.actions]) - most - least
    following = least if len(values.actions) == 2 else inner
    cells = deals.group_by(keys).agg(
        pl.col("weight").sum().alias("deals"),
        *(pl.col("weight").filter(pl.col("played") == action).sum().alias(action) for action in values.actions),
        *((pl.col(action) * WEIGHT).sum().alias(f"{action}_net") for action in values.actions),
        net_of(values, "played").alias("net"),
        ((most - following) * WEIGHT).sum().alias("gain_net"),
    )
    means = {"value": "net", "gain": "gain_net", **{f"{action}_value": f"{action}_net" for action in values.actions}}
    over = [count * values.denominator for count in cells["deals"].to_list()]
    columns: list[pl.Series] = []
    for name, net in means.items():
        exact = [Fraction(sum_, ways) for sum_, ways in zip(cells[net].to_list(), over, strict=True)]
        text = "exact" if name == "value" else f"{name.removesuffix('_value')}_exact"
        columns += [pl.Series(name, map(float, exact), pl.Float64), pl.Series(text, map(str, exact), pl.String)]
    return ordered(cells.drop("net", "gain_net").with_columns(columns), keys)


def kinds_of_deals(values: ActionValues, kind: str, **more: pl.Series) -> pl.DataFrame:
    """The deals of the values that a map of `CELLS` is about, with the columns of its cells and those given."""
    deals = values.deals.with_columns(series.alias(name) for name, series in more.items())
    if kind == "classes":
        return deals.with_columns(deal_classes(values.game))
    features = deal_features(values.game)
    if kind == "ace-king":
        kept = (features["card_1"] == 14) & (features["card_2"] == 13) & (features["category"] == "high card")
        cards = features.filter(kept)
        kickers = pl.concat_str([rank_letter(f"card_{place}") for place in (3, 4, 5)], separator="-")
        return deals.filter(kept).with_columns(cards.select("up_suited", kickers=kickers, up=rank_letter("up")))
    suited = pl.when(pl.col("hole_1") == pl.col("hole_2")).then(pl.lit(""))
    hole = suited.when(pl.col("hole_suited") == 1).then(pl.lit("s")).otherwise(pl.lit("o"))
    deals = deals.with_columns(features.select(hole=rank_letter("hole_1") + rank_letter("hole_2") + hole))
    return deals if kind == "holes" else deals.with_columns(deal_classes(values.game)["seen"])


def net_of(values: ActionValues, column: str) -> pl.Expr:
    """The sum of the numerators of the actions in a column, over all raw deals."""
    return (values.value_of(column) * WEIGHT).sum()


def ordered(cells: pl.DataFrame, keys: Sequence[str]) -> pl.DataFrame:
    """The cells in the order of their rows, then of their columns, with keys as text."""
    orders = {"kickers": KICKERS, "up": tuple(RANKS), "hole": HOLE_CLASSES}
    types = {name: pl.Enum(orders[name]) for name in keys if name in orders}
    return cells.cast(types).sort(keys).cast(dict.fromkeys(keys, pl.String))  # type: ignore[arg-type]
