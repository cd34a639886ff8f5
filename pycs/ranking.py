"""Hands by strength: 7,462 classes, 1 (7-5-4-3-2) to 7462 (royal flush), higher is better; ten categories.

Suits never rank, so hands of one strength tie. The order is that of poker everywhere; the ace is low in A-2-3-4-5 only.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from pycs import core
from pycs.cards import parse_cards
from pycs.core import STRENGTHS, rank_hands
from pycs.errors import InputError
from pycs.game_rules import LOWEST_QUALIFYING
from pycs.messages import quoted
from pycs.sections import CATEGORIES

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import SupportsIndex

    from numpy.typing import ArrayLike, NDArray

__all__ = [
    "CATEGORIES_UP",
    "categories",
    "category",
    "qualifying_strength",
    "rank_hand",
    "rank_hands",
    "strengths_of",
]

CATEGORIES_UP: Final = CATEGORIES[::-1]
"""The ten categories from low to high: `CATEGORIES_UP[0]` is "high card"."""

_FLOORS: Final = np.array([core.category_floor(number) for number in range(len(CATEGORIES_UP) + 1)])


def rank_hand(cards: str | Iterable[str | SupportsIndex]) -> int:
    """The strength of the best five of five, six or seven cards, as text or numbers.

    InputError for any other number of cards, and for anything that is no card.

    >>> rank_hand("AsKsQsJsTs"), rank_hand("7c5d4h3s2c"), rank_hand("As Kd 7h 5c 2d 2h 2s")
    (7462, 1, 5061)
    """
    hand = parse_cards(cards)
    if not 5 <= len(hand) <= 7:
        raise InputError(f"the hand {quoted(cards)}: {len(hand)} cards came, 5, 6 or 7 can be ranked")
    return int(rank_hands([hand])[0])


def category(strength: int) -> str:
    """The category of a strength.

    >>> category(7462), category(1)
    ('royal flush', 'high card')
    """
    if not isinstance(strength, (int, np.integer)) or not 1 <= strength <= STRENGTHS:
        raise InputError(f"a strength of {quoted(strength)}: 1 to {STRENGTHS} are allowed")
    return CATEGORIES_UP[int(categories([strength])[0])]


def categories(strengths: ArrayLike) -> NDArray[np.uint8]:
    """The category of each strength as a number: its place in `CATEGORIES_UP`, 0 (high card) to 9 (royal flush).

    >>> categories([1, 1278, 7462])
    array([0, 1, 9], dtype=uint8)
    """
    return (np.searchsorted(_FLOORS, np.asarray(strengths), side="right") - 1).astype(np.uint8)


def strengths_of(name: str) -> range:
    """The strengths of a category, the way back from `category`.

    >>> strengths_of("straight")
    range(5854, 5864)
    """
    if name not in CATEGORIES_UP:
        raise InputError(f"{quoted(name)} is no category of hands: give one of {', '.join(CATEGORIES)}")
    number = CATEGORIES_UP.index(name)
    return range(int(_FLOORS[number]), int(_FLOORS[number + 1]))


@cache
def qualifying_strength(qualifies: str) -> int:
    """The lowest strength with which a dealer qualifies; `qualifies` is a key of `pycs.game_rules.LOWEST_QUALIFYING`.

    >>> qualifying_strength("ace-king"), qualifying_strength("any")
    (1114, 1)
    """
    lowest = LOWEST_QUALIFYING[qualifies]
    return 1 if lowest is None else rank_hand(lowest)
