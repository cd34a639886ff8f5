"""Conditions on what a player sees: text in SQL, as Polars reads it, over the columns of `pycs.deal_features`.

The letters T, J, Q, K and A stand for the ranks 10 to 14. All arithmetic is in 64 bits. A condition must be true or
false for every deal by itself.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import polars as pl

from pycs.deal_features import FEATURES, RANK_LETTERS, deal_features
from pycs.errors import InputError
from pycs.messages import nearest, quoted
from pycs.ranking import CATEGORIES_UP

if TYPE_CHECKING:
    from pycs.games import Game

__all__ = ["holds"]

_LONGEST: Final = 2_000
_ALONE: Final = 25
"""How many deals are looked at by themselves, to see whether a condition gives the same there."""


def holds(text: str, game: Game, where: str) -> pl.Series:
    """For which canonical deals a condition holds, in the order of their indices.

    `where` begins the message of the InputError for a text that is no condition, or that looks at more than one deal.

    >>> from pycs.games import CARIBBEAN_STUD
    >>> holds("category = 'pair' and pair <= 5 and up >= T", CARIBBEAN_STUD, "rule 1").sum()
    294800
    """
    features = deal_features(game)
    condition = _condition(text, game, where)
    found = _evaluated(condition, features, where)
    if found.dtype != pl.Boolean:
        raise InputError(f"{where}: no condition: it gives {found.dtype}, true or false is needed")
    if found.null_count():
        raise InputError(f"{where}: no condition: for some deals it is neither true nor false")
    # A maximum over all deals, say, would not be a function of what the player sees: every deal must stand alone.
    step = len(features) // _ALONE + 1
    alone = [_evaluated(condition, features[row], where)[0] for row in range(0, len(features), step)]
    if alone != found.gather_every(step).to_list():
        raise InputError(f"{where}: no condition: it looks at more than one deal")
    return found


def _condition(text: str, game: Game, where: str) -> pl.Expr:
    """The expression that a condition is, over columns that there are."""
    columns = [*FEATURES[game.name], *RANK_LETTERS]
    if len(text) > _LONGEST:
        raise InputError(f"{where}: {len(text)} characters, {_LONGEST} are allowed")
    for word in re.findall(r"'([^']*)'", text):
        if word not in CATEGORIES_UP:
            allowed = f"one of {', '.join(CATEGORIES_UP)} is allowed{nearest(word, CATEGORIES_UP)}"
            raise InputError(f"{where}: the category {quoted(word)}: {allowed}")
    try:
        condition = pl.sql_expr(text)
    except (pl.exceptions.PolarsError, RecursionError) as error:
        raise InputError(f"{where}: no condition: {_first_line(error)}") from None
    if str(condition.meta.undo_aliases()) != str(condition):
        raise InputError(f"{where}: no condition: a word stands after its end")
    for column in condition.meta.root_names():
        if column not in columns:
            raise InputError(
                f"{where}: no column {quoted(column)}: {', '.join(columns)} are there{nearest(column, columns)}"
            )
    return condition


def _evaluated(condition: pl.Expr, features: pl.DataFrame, where: str) -> pl.Series:
    letters = [pl.lit(rank, pl.Int64).alias(letter) for letter, rank in RANK_LETTERS.items()]
    # In 64 bits, so that no sum or product of ranks wraps.
    wide = [pl.col(name) if name == "category" else pl.col(name).cast(pl.Int64) for name in features.columns]
    try:
        found = features.lazy().select(*wide, *letters).select(condition.alias("holds")).collect()["holds"]
    except pl.exceptions.PolarsError as error:
        raise InputError(f"{where}: no condition: {_first_line(error)}") from None
    return found.new_from_index(0, len(features)) if len(found) == 1 else found


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)[:200]
