"""The classes in which people think of deals: what kind of hand, against what the dealer shows.

They are for showing where strategies differ; every deal is in one class of each kind.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import polars as pl

from pycs.cards import RANKS
from pycs.deal_features import deal_features, rank_letter
from pycs.games import CARIBBEAN_STUD
from pycs.ranking import CATEGORIES_UP

if TYPE_CHECKING:
    from pycs.games import Game

__all__ = ["HOLE_CLASSES", "deal_classes"]

_HIGH_FIRST: Final = RANKS[::-1]

HOLE_CLASSES: Final = tuple(
    first + second + ("" if first == second else suited)
    for place, first in enumerate(_HIGH_FIRST)
    for second in _HIGH_FIRST[place:]
    for suited in (("",) if first == second else ("s", "o"))
)
"""The 169 kinds of hole cards, such as AA, AKs and AKo."""

_SUITS: Final = ("one suit", "two suits", "three suits")
_TEXTURES: Final = tuple(
    f"{ranks}, {suits}"
    for ranks in ("no pair", "a pair", "three alike")
    for suits in _SUITS
    if not (ranks == "a pair" and suits == "one suit") and not (ranks == "three alike" and suits != "three suits")
)


_BETTER: Final = tuple(category for category in CATEGORIES_UP[::-1] if category not in ("pair", "high card"))
_STUD_HANDS: Final = (
    *_BETTER,
    *(f"pair of {rank}" for rank in _HIGH_FIRST),
    *(f"A-K-{rank}" for rank in _HIGH_FIRST[2:-2]),
    *(f"{rank} high" for rank in _HIGH_FIRST[:-5]),
)
_DRAWS: Final = ("flush and straight draw", "flush draw", "straight draw", "gutshot", "")
_HOLDEM_HANDS: Final = (
    *_BETTER,
    "pair",
    *(f"{rank} high, {draw}".removesuffix(", ") for rank in _HIGH_FIRST[:-1] for draw in _DRAWS),
    "2 high",
)

_LOOKED_AT: Final = {
    "caribbean-stud": ("category", "pair", "card_1", "card_2", "card_3", "up"),
    "casino-holdem": ("category", "pair", "hole_1", "flush_cards", "straight_outs", "flop_ranks", "flop_suits"),
}
"""The features that classes hang on."""


@lru_cache(maxsize=2)
def deal_classes(game: Game) -> pl.DataFrame:
    """The class of every canonical deal, in the order of their indices: `hand` and `seen`, both Enum.

    In Caribbean Stud `hand` is the category, a pair with its rank, ace-king with the next rank, other hands without a
    pair by their highest card; `seen` is the upcard's rank. In Casino Hold'em `hand` is the category; without a pair of
    the player's own it is his highest hole card and what he may draw to. `seen` is the texture of the flop.

    >>> from pycs.games import CASINO_HOLDEM
    >>> classes = deal_classes(CASINO_HOLDEM)
    >>> classes.filter(pl.col("hand").cast(pl.String).str.starts_with("J")).row(0)
    ('J high, flush and straight draw', 'no pair, one suit')
    """
    hand, seen = (_stud_hand(), rank_letter("up")) if game.name == CARIBBEAN_STUD.name else (_holdem_hand(), _texture())
    kinds = (_STUD_HANDS, RANKS) if game.name == CARIBBEAN_STUD.name else (_HOLDEM_HANDS, _TEXTURES)
    # Worked out once for all deals that look alike here, which are some thousands.
    looked_at = deal_features(game).select(_LOOKED_AT[game.name])
    found = looked_at.unique().with_columns(hand=hand, seen=seen)
    found = found.cast({"hand": pl.Enum(kinds[0]), "seen": pl.Enum(kinds[1])})
    return looked_at.join(found, on=_LOOKED_AT[game.name], how="left", maintain_order="left").select("hand", "seen")


def _stud_hand() -> pl.Expr:
    ace_king = (pl.col("card_1") == 14) & (pl.col("card_2") == 13)
    return (
        pl.when(pl.col("category") == "pair")
        .then(pl.format("pair of {}", rank_letter("pair")))
        .when(pl.col("category") != "high card")
        .then(pl.col("category").cast(pl.String))
        .when(ace_king)
        .then(pl.format("A-K-{}", rank_letter("card_3")))
        .otherwise(pl.format("{} high", rank_letter("card_1")))
    )


def _holdem_hand() -> pl.Expr:
    own = pl.col("pair") > 0
    flush, outs = pl.col("flush_cards") == 4, pl.col("straight_outs")
    draw = (
        pl.when(flush & (outs >= 2))
        .then(pl.lit(", flush and straight draw"))
        .when(flush)
        .then(pl.lit(", flush draw"))
        .when(outs >= 2)
        .then(pl.lit(", straight draw"))
        .when(outs == 1)
        .then(pl.lit(", gutshot"))
        .otherwise(pl.lit(""))
    )
    on_the_board = pl.col("category").is_in(["high card", "pair", "three of a kind"]) & ~own
    return (
        pl.when(on_the_board)
        .then(pl.format("{} high{}", rank_letter("hole_1"), draw))
        .otherwise(pl.col("category").cast(pl.String))
    )


def _texture() -> pl.Expr:
    words = {"flop_ranks": ("three alike", "a pair", "no pair"), "flop_suits": _SUITS}
    ranks, suits = (
        pl.col(column).replace_strict(dict(enumerate(said, 1)), return_dtype=pl.String)
        for column, said in words.items()
    )
    return pl.format("{}, {}", ranks, suits)
