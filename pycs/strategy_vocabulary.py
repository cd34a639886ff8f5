"""The words of the strategies that are searched for: short conditions that a player can hold in mind at the table.

A rule of a found strategy is a conjunction of a few of the literals here. Conditions of the frame are those that may
settle hands which are never in question; they are used where they lose exactly nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pycs.cards import RANKS
from pycs.games import CARIBBEAN_STUD
from pycs.ranking import CATEGORIES_UP

if TYPE_CHECKING:
    from pycs.action_values import ActionValues

__all__ = ["frame_conditions", "literals"]


def _at_least(column: str, ranks: str) -> tuple[str, ...]:
    return tuple(f"{column} >= {rank}" for rank in ranks)


def _at_most(column: str, ranks: str) -> tuple[str, ...]:
    return tuple(f"{column} <= {rank}" for rank in ranks)


_HIGH_FIRST: Final = RANKS[::-1]
_LOW_FIRST: Final = RANKS

_STUD_FRAME: Final = (
    tuple(f"category >= '{category}'" for category in CATEGORIES_UP[1:]),
    _at_least("pair", _LOW_FIRST),
    ("card_1 < A or card_2 < K", *(f"card_1 < {rank}" for rank in _HIGH_FIRST)),
)
_HOLDEM_FRAME: Final = (
    tuple(f"category >= '{category}'" for category in CATEGORIES_UP[1:]),
    ("flush_cards >= 3", "flush_cards >= 4"),
    _at_least("pair", _LOW_FIRST),
    ("category >= 'two pair' and flop_ranks >= 2",),
    _at_least("hole_1", "TJQKA"),
    ("straight_outs >= 1", "straight_outs >= 2"),
)
"""For each game families of conditions, the widest of each first."""

_UP: Final = (*_at_least("up", "AKQJT9876543"), *_at_most("up", "23456789TJQK"), "matches > 0", "matches = 0")
_KICKERS: Final = (
    *_at_least("card_3", "QJT98"),
    *_at_most("card_3", "JT987"),
    *_at_least("card_4", "JT9876"),
    *_at_most("card_4", "T98765"),
    "card_4 = T",
    *_at_least("card_5", "87654"),
    *_at_most("card_5", "76543"),
)
_AGAINST_UP: Final = (
    *(f"up {sign} card_{place}" for place in (3, 4, 5) for sign in ("<", ">", "=")),
    "up < card_2",
)
_STUD: Final = (*_UP, *_KICKERS, *_AGAINST_UP)
"""Without an exchange ace-king is what is in question: its kickers and the upcard."""

_STUD_EXCHANGE: Final = (
    "pair > 0",
    "pair = 0",
    *_at_least("pair", "AKQJT9876543"),
    *_at_most("pair", "KQJT9876543"),
    *_UP,
    "up = K",
    "card_1 = A and card_2 = K",
    "(card_1 < A or card_2 < K)",
    *_at_least("card_3", "QJT"),
    *_at_most("card_3", "JT9"),
    "up < card_3",
    "up > card_3",
    "up < card_4",
    "up > card_4",
    "suited >= 4",
    "suited <= 3",
    "straight_cards >= 4",
    "straight_cards <= 3",
)
"""With an exchange on offer: pairs, high cards and draws against the upcard."""

_HOLDEM: Final = (
    "pair > 0",
    "pair = 0",
    *(f"pair = 0 and hole_1 <= {rank}" for rank in "QJT987"),
    *_at_least("hole_1", "QJT9"),
    *_at_least("hole_2", "7654"),
    *_at_most("hole_2", "876543"),
    "overcards >= 1",
    "overcards = 0",
    "straight_outs >= 1",
    "straight_outs = 0",
    "flush_cards >= 3",
    "flush_cards <= 2",
    "(straight_outs >= 1 or flush_cards >= 3)",
    "straight_outs = 0 and flush_cards <= 2",
    "flop_ranks = 3",
    "flop_ranks <= 2",
    "flop_suits = 3",
    "flop_suits = 1",
    "hole_1 > flop_2",
    "hole_1 < flop_2",
    "hole_2 > flop_3",
    "hole_2 < flop_3",
)
"""Where hole cards and flop make no pair of the player's, no flush draw, no straight: high cards and lesser draws."""


def frame_conditions(values: ActionValues) -> tuple[tuple[str, ...], ...]:
    """Families of conditions of a frame, the widest of each family first."""
    return _STUD_FRAME if values.game.name == CARIBBEAN_STUD.name else _HOLDEM_FRAME


def literals(values: ActionValues) -> tuple[str, ...]:
    """The literals of a game as conditions of `pycs.conditions`; of two that mean the same the first is taken."""
    if values.game.name != CARIBBEAN_STUD.name:
        return _HOLDEM
    return _STUD_EXCHANGE if values.exchanges else _STUD
