"""The words of the strategies that are searched for: short conditions that a player can hold in mind at the table.

A rule of a found strategy is a conjunction of a few of the literals here; some of these have two parts, such as a high
card without a pair. Conditions of the frame are those that may settle hands which are never in question; they are used
where they lose exactly nothing. Where the frame leaves a literal nothing to decide, such as the rank of a pair where
all pairs are called, the literal is left out.

In stud without an exchange no literal looks at suits. What remains open there is ace-king, and with the published pay
table even the best use of its suits would bring less than two millionths of an ante.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from pycs.cards import RANKS
from pycs.games import CARIBBEAN_STUD
from pycs.offers import exchanges_allowed
from pycs.ranking import CATEGORIES_UP

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pycs.action_values import ActionValues

__all__ = ["frame_conditions", "in_words", "literals"]


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
_MADE: Final = (
    "pair > 0",
    "pair = 0",
    *_at_least("pair", "AKQJT9876543"),
    *_at_most("pair", "KQJT9876543"),
    "card_1 = A and card_2 = K",
    "(card_1 < A or card_2 < K)",
)
_STUD: Final = (*_MADE, *_UP, *_KICKERS, *_AGAINST_UP)
"""Without an exchange ace-king is what is in question: its kickers and the upcard."""

_DRAWS: Final = (
    "up < card_3",
    "up > card_3",
    "up < card_4",
    "up > card_4",
    "suited >= 4",
    "suited <= 3",
    "straight_cards >= 4",
    "straight_cards <= 3",
)
_STUD_EXCHANGE: Final = (
    *_MADE,
    *_UP,
    "up = K",
    *_at_least("card_3", "QJT"),
    *_at_most("card_3", "JT9"),
    *_DRAWS,
)
"""With an exchange on offer: pairs, high cards and draws against the upcard."""

_STUD_SINGLE: Final = (
    "pair > 0",
    "pair = 0",
    *_at_least("pair", "T8643"),
    *_at_most("pair", "97532"),
    *_at_least("up", "AKQT86"),
    *_at_most("up", "QJ9753"),
    "matches > 0",
    "matches = 0",
    "card_1 = A and card_2 = K",
    "(card_1 < A or card_2 < K)",
    *_at_least("card_3", "QJ"),
    *_at_most("card_3", "JT"),
    *_DRAWS,
)
"""Where a single card may be exchanged: draws to a flush or a straight."""

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
    if not values.exchanges:
        return _STUD
    _, fees = exchanges_allowed(values.rules, None)
    return _STUD_EXCHANGE if tuple(fees) == (5,) else _STUD_SINGLE


_TO_TEN: Final = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    dict(zip(RANKS, (*_TO_TEN, "jack", "queen", "king", "ace"), strict=True))
)
_CARDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "up": "the upcard",
        "pair": "the pair",
        **{
            f"card_{place}": f"the {name} card"
            for place, name in enumerate(("highest", "second", "third", "fourth"), 1)
        },
        "card_5": "the lowest card",
        "hole_1": "the higher hole card",
        "hole_2": "the lower hole card",
        **{
            f"flop_{place}": f"the {name} card of the flop"
            for place, name in enumerate(("highest", "middle", "lowest"), 1)
        },
    }
)
_SIGNS: Final[Mapping[str, str]] = MappingProxyType(
    {">=": "{} or higher", "<=": "{} or lower", "=": "{}", "<": "lower than {}", ">": "higher than {}"}
)
_SAID: Final[Mapping[str, str]] = MappingProxyType(
    {
        "card_1 < A or card_2 < K": "the hand is below ace-king",
        "pair > 0": "there is a pair",
        "pair = 0": "there is no pair",
        "matches > 0": "a card has the upcard's rank",
        "matches = 0": "no card has the upcard's rank",
        "suited >= 4": "four cards are of one suit",
        "suited <= 3": "no four cards are of one suit",
        "straight_cards >= 4": "a card is missing for a straight",
        "straight_cards <= 3": "two cards or more are missing for a straight",
        "overcards = 0": "no hole card is above the flop",
        "overcards >= 1": "a hole card is above the flop",
        "straight_outs = 0": "no next card makes a straight",
        "straight_outs >= 1": "some next card makes a straight",
        "straight_outs >= 2": "next cards of two ranks make a straight",
        "flush_cards <= 2": "fewer than three cards share a hole card's suit",
        "flush_cards >= 3": "three cards share a hole card's suit",
        "flush_cards >= 4": "four cards share a hole card's suit",
        "straight_outs >= 1 or flush_cards >= 3": "a card makes a straight or three cards share a hole card's suit",
        "flop_ranks = 3": "the flop has three ranks",
        "flop_ranks <= 2": "the flop is paired",
        "flop_ranks >= 2": "the flop is not three of a kind",
        "flop_suits = 1": "the flop is of one suit",
        "flop_suits = 3": "the flop is of three suits",
    }
)


def in_words(condition: str) -> str:
    """A condition of this vocabulary as a person would say it. ValueError for a part that is not of the vocabulary.

    >>> in_words("card_3 >= Q and up < card_4")
    'the third card is a queen or higher and the upcard is lower than the fourth card'
    """
    return " and ".join(_part_in_words(part.removeprefix("(").removesuffix(")")) for part in condition.split(" and "))


def _part_in_words(part: str) -> str:
    if part in _SAID:
        return _SAID[part]
    if found := re.fullmatch(r"category >= '(.+)'", part):
        return f"the hand is {_with_article(found[1])} or better"
    found = re.fullmatch(r"(\w+) (>=|<=|=|<|>) (\w+)", part)
    if found is None or found[1] not in _CARDS:
        raise ValueError(f"no part of a vocabulary: {part!r}")
    other = found[3]
    if other in _CARDS:
        said = f"of the rank of {_CARDS[other]}" if found[2] == "=" else _SIGNS[found[2]].format(_CARDS[other])
    elif found[1] == "pair" and found[2] == "<=":  # 0 without one
        return f"there is no pair above {_several(_NAMES[other])}"
    else:
        name = _NAMES[other]
        said = _SIGNS[found[2]].format(_several(name) if found[1] == "pair" else _with_article(name))
    return f"{_CARDS[found[1]]} is {said}"


def _with_article(name: str) -> str:
    if name.startswith(("two pair", "three of", "four of")):
        return name
    return f"{'an' if name[0] in 'ae' else 'a'} {name}"


def _several(name: str) -> str:
    return f"{name}es" if name == "six" else f"{name}s"
