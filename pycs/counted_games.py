"""A whole game, counted: every canonical deal with its weight, its category and how its completions end."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import polars as pl

from pycs.deal_frames import deal_frame
from pycs.games import game_of
from pycs.ranking import qualifying_strength

if TYPE_CHECKING:
    from pycs.games import Game
    from pycs.rules import Rules

__all__ = ["counted_game"]


def counted_game(rules: Rules) -> pl.DataFrame:
    """All canonical deals in the order of their indices, counted anew in about a second, and kept for the next call.

    `weight` (Int64, raw deals), `category`, in Casino Hold'em `aa_bonus`, and one column of UInt32 for each of the
    rules' `outcomes`. No pay table is in it: it serves all rules of the game under which the dealer needs the same.

    >>> from pycs.rules import load_rules
    >>> game = counted_game(load_rules("us"))
    >>> game.height, game.select("weight", "not_qualified", "win", "push", "lose").row(0)
    (5649150, (4, 71160, 92024, 0, 1))
    """
    return _counted(game_of(rules), qualifying_strength(rules.dealer.qualifies))


@lru_cache(maxsize=2)  # some 150 MB each
def _counted(game: Game, qualify: int) -> pl.DataFrame:
    counts = game.kernel.sweep(qualify)
    return deal_frame(game, text=False).with_columns(
        pl.Series(outcome, count) for outcome, count in zip(game.outcomes, counts, strict=True)
    )
