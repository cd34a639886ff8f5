"""Strategies by name: when to call, as an expression over the columns that `strategy_columns` makes.

Besides `optimal` there are the published ones of Caribbean Stud. Each is the whole rule: where it does not say to call,
the hand is folded. All of them choose between fold and call; none exchanges.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from pycs.cards import RANKS
from pycs.errors import InputError
from pycs.games import CARIBBEAN_STUD
from pycs.messages import nearest, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pycs.games import Game

__all__ = ["OPTIMAL", "STRATEGIES", "calls_of", "strategy_columns", "strategy_names"]

OPTIMAL: Final = "optimal"
"""The action of higher exact value; fold if both are equal."""

_HAND: Final = tuple(pl.col(f"card_{place}") for place in range(1, 6))
_UP: Final = pl.col("up")
_ACE, _KING, _QUEEN, _JACK, _EIGHT, _THREE = (RANKS.index(rank) for rank in "AKQJ83")

_PAIR_OR_BETTER: Final = pl.col("category") != "high card"
_ACE_KING: Final = (pl.col("category") == "high card") & (_HAND[0] == _ACE) & (_HAND[1] == _KING)
_MATCHES: Final = pl.any_horizontal([card == _UP for card in _HAND])
_HOLDS_QUEEN: Final = pl.any_horizontal([card == _QUEEN for card in _HAND])
_HOLDS_JACK: Final = pl.any_horizontal([card == _JACK for card in _HAND])
# The fourth highest of the five cards is the next to lowest.
_THREE_RULES: Final = (
    (_UP <= _QUEEN) & _MATCHES
    | (_UP >= _KING) & (_HOLDS_QUEEN | _HOLDS_JACK)
    | ~_MATCHES & _HOLDS_QUEEN & (_HAND[3] > _UP)
)
# A-K-J-8-3 is the least: compared card by card, so by the first of the last three that differs.
_AT_LEAST_J83: Final = (_HAND[2] > _JACK) | (_HAND[2] == _JACK) & (
    (_HAND[3] > _EIGHT) | (_HAND[3] == _EIGHT) & (_HAND[4] >= _THREE)
)

_STUD: Final[Mapping[str, pl.Expr]] = MappingProxyType(
    {
        "three-rules": _PAIR_OR_BETTER | _ACE_KING & _THREE_RULES,
        "ace-king-jack-eight-three": _PAIR_OR_BETTER | _ACE_KING & _AT_LEAST_J83,
        "matching-rank": _PAIR_OR_BETTER | _ACE_KING & _MATCHES,
        "pair-or-better": _PAIR_OR_BETTER,
        "ace-king-or-better": _PAIR_OR_BETTER | _ACE_KING,
        "always-call": pl.lit(True),
    }
)
_HOLDEM: Final[Mapping[str, pl.Expr]] = MappingProxyType({"always-call": pl.lit(True)})

STRATEGIES: Final[Mapping[str, Mapping[str, pl.Expr]]] = MappingProxyType(
    {"caribbean-stud": _STUD, "casino-holdem": _HOLDEM}
)
"""By game and name: when the strategy calls. `optimal` hangs on the rules and has no expression."""


def strategy_names(game: Game) -> tuple[str, ...]:
    """The strategies of a game, best play first.

    >>> from pycs.games import CASINO_HOLDEM
    >>> strategy_names(CASINO_HOLDEM)
    ('optimal', 'always-call')
    """
    return OPTIMAL, *STRATEGIES[game.name]


def calls_of(game: Game, strategy: str) -> pl.Expr | None:
    """When the strategy calls; None for `optimal`. InputError for a name that is none."""
    names = strategy_names(game)
    if strategy not in names:
        raise InputError(
            f"the strategy {quoted(strategy)}: one of {', '.join(names)} is allowed{nearest(str(strategy), names)}"
        )
    return STRATEGIES[game.name].get(strategy)


def strategy_columns(game: Game) -> pl.DataFrame:
    """What the strategies of a game look at, one row for each canonical deal in the order of their indices.

    In Caribbean Stud the ranks, 0 (a two) to 12 (an ace): `card_1` (highest) to `card_5`, and `up`. In Casino Hold'em
    nothing so far.
    """
    if game is not CARIBBEAN_STUD:
        return pl.DataFrame()
    deals, _ = game.kernel.canonical_deals(np.arange(game.deals, dtype=np.uint32))
    return pl.DataFrame(deals // 4, schema=[*(f"card_{place}" for place in range(1, 6)), "up"])
