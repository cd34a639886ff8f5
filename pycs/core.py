"""The only door to the compiled core: every buffer and every card is checked here before C sees it.

Cards are 0..51 = 4 x rank + suit (ranks 2..A are 0..12, suits c d h s are 0..3). A *deal* is six cards: the player's
five in any order, then the dealer's upcard. A *strength* is one of 7,462 classes of hands, 1 to 7462, higher is better.

Every function may be called from any number of threads at once, and lets other threads run while C works.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pycs.cards import format_cards
from pycs.errors import InputError
from pycs.messages import quoted

try:
    from pycs._core import ffi, lib
except ImportError as error:
    raise ImportError(
        "the compiled core of pycs is not here: this is the source folder of a copy installed elsewhere; "
        "work from another folder, or install this one with 'pip install -e .'"
    ) from error

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

STRENGTHS: int = lib.PYCS_STRENGTHS
HANDS: int = lib.PYCS_HANDS
DEALS: int = lib.PYCS_DEALS
COMPLETIONS: int = lib.PYCS_COMPLETIONS


class Counts(NamedTuple):
    """How many dealer completions end in each outcome: arrays of uint32, which add up to 163,185 for every deal."""

    not_qualified: NDArray[np.uint32]
    win: NDArray[np.uint32]
    push: NDArray[np.uint32]
    lose: NDArray[np.uint32]


def version() -> str:
    """The version the core was compiled as.

    >>> version() == "" or version()[0].isdigit()
    True
    """
    return str(ffi.string(lib.pycs_version()).decode())


def rank_hands(hands: ArrayLike) -> NDArray[np.uint16]:
    """The strength of the best five cards of each hand.

    `hands` is an array of whole numbers of shape (n, 5), (n, 6) or (n, 7); uint8 in C order is taken without a copy.
    Returns n strengths, 1 to 7462, higher is better. A card outside 0..51, or twice in a hand, is an InputError that
    names the row.

    >>> rank_hands([[51, 47, 43, 39, 35], [0, 4, 8, 12, 21]])
    array([7462,    1], dtype=uint16)
    """
    cards = _cards(hands, (5, 6, 7), "hands")
    strengths = np.empty(len(cards), np.uint16)
    done = lib.pycs_rank_hands(_in(cards), len(cards), cards.shape[1], _out("uint16_t[]", strengths))
    _require_all(cards, done, "hand")
    return strengths


def category_floor(category: int) -> int:
    """The lowest strength of a category, 0 (high card) to 9 (royal flush); 7463 for 10, one past the last strength.

    >>> [category_floor(category) for category in range(11)]
    [1, 1278, 4138, 4996, 5854, 5864, 7141, 7297, 7453, 7462, 7463]
    """
    if not isinstance(category, (int, np.integer)) or not 0 <= category <= 10:
        raise InputError(f"the category {quoted(category)}: 0 to 10 are allowed")
    return int(lib.pycs_category_floor(category))


def deal_indices(deals: ArrayLike) -> NDArray[np.uint32]:
    """The canonical index, 0..5649149, of each deal; `deals` has shape (n, 6).

    Deals that a relabeling of the suits turns into each other share an index.

    >>> deal_indices([[51, 46, 36, 24, 7, 40], [48, 45, 39, 27, 4, 43]])
    array([3657254, 3657254], dtype=uint32)
    """
    cards = _cards(deals, (6,), "deals")
    indices = np.empty(len(cards), np.uint32)
    done = lib.pycs_deal_indices(_in(cards), len(cards), _out("uint32_t[]", indices))
    _require_all(cards, done, "deal")
    return indices


def deal_index(deal: Sequence[int]) -> int:
    """The canonical index of one deal, six card numbers: `deal_indices` without the arrays, for a quick look-up.

    >>> deal_index([51, 46, 36, 24, 7, 40])
    3657254
    """
    try:
        cards = bytes(tuple(deal))
    except (TypeError, ValueError):
        cards = b""
    index = ffi.new("uint32_t[1]")
    if len(cards) != 6 or lib.pycs_deal_indices(cards, 1, index) != 1:
        raise InputError(f"the deal {quoted(deal)}: six different numbers 0 to 51 are needed")
    return int(index[0])


def canonical_deals(indices: ArrayLike) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The canonical deal of each index, shape (n, 6), and its weight, the number of raw deals it stands for.

    >>> deals, weights = canonical_deals([0, 5649149])
    >>> deals[0].tolist(), weights.tolist()
    ([19, 15, 11, 7, 3, 23], [4, 12])
    """
    wanted = _array(indices, "indices")
    if wanted.ndim != 1 or wanted.dtype.kind not in "iu":
        raise InputError(f"indices of {wanted.dtype} and shape {wanted.shape}: one row of whole numbers is needed")
    if len(wanted) and (wanted.min() < 0 or wanted.max() >= DEALS):
        raise InputError(f"indices from {wanted.min()} to {wanted.max()}: 0 to {DEALS - 1} are allowed")
    wanted = np.ascontiguousarray(wanted, np.uint32)
    deals = np.empty((len(wanted), 6), np.uint8)
    weights = np.empty(len(wanted), np.uint8)
    lib.pycs_canonical_deals(
        ffi.from_buffer("uint32_t[]", wanted), len(wanted), _out("uint8_t[]", deals), _out("uint8_t[]", weights)
    )
    return deals, weights


def stud_walk(deals: ArrayLike, qualify: int) -> Counts:
    """The obvious road: each deal's 163,185 dealer hands, ranked and compared one by one.

    `qualify` is the lowest strength with which the dealer qualifies. About a tenth of a millisecond a deal.

    >>> [int(count[0]) for count in stud_walk([[51, 46, 37, 24, 7, 40]], 1114)]
    [74649, 0, 0, 88536]
    """
    return _count(lib.pycs_stud_walk, deals, qualify)


def stud_count(deals: ArrayLike, qualify: int) -> Counts:
    """The same counts as `stud_walk`, by ranks and multiplicities: some microseconds a deal.

    >>> [int(count[0]) for count in stud_count([[51, 46, 37, 24, 7, 40]], 1114)]
    [74649, 0, 0, 88536]
    """
    return _count(lib.pycs_stud_count, deals, qualify)


def stud_sweep(qualify: int) -> Counts:
    """The counts of all 5,649,150 canonical deals, in the order of their indices, in about a second.

    Raises MemoryError when the 30 MB that the sweep works in can't be had.
    """
    _require_strength(qualify)
    counts = Counts(*np.empty((4, DEALS), np.uint32))
    if lib.pycs_stud_sweep(qualify, *(_out("uint32_t[]", count) for count in counts)) != 0:
        raise MemoryError("no memory for the sweep, which needs 30 MB")
    return counts


def _count(function: Any, deals: ArrayLike, qualify: int) -> Counts:
    _require_strength(qualify)
    cards = _cards(deals, (6,), "deals")
    counts = Counts(*np.empty((4, len(cards)), np.uint32))
    done = function(_in(cards), len(cards), qualify, *(_out("uint32_t[]", count) for count in counts))
    _require_all(cards, done, "deal")
    return counts


def _cards(array: ArrayLike, widths: tuple[int, ...], what: str) -> NDArray[np.uint8]:
    cards = _array(array, what)
    allowed = " or ".join(f"(n, {width})" for width in widths)
    if cards.dtype.kind not in "iu":
        raise InputError(f"{what} of {cards.dtype}: whole numbers 0 to 51 are needed")
    if cards.ndim != 2 or cards.shape[1] not in widths:
        raise InputError(f"{what} of shape {cards.shape}: {allowed} is needed")
    if cards.dtype != np.uint8:
        if cards.size and (cards.min() < 0 or cards.max() > 51):
            raise InputError(f"{what} with cards from {cards.min()} to {cards.max()}: 0 to 51 are allowed")
        cards = cards.astype(np.uint8)
    return np.ascontiguousarray(cards)


def _array(array: ArrayLike, what: str) -> NDArray[Any]:
    if np.ma.isMaskedArray(array):
        raise InputError(f"{what} in a masked array: every card must be there, and the array plain")
    try:
        return np.asarray(array)
    except (TypeError, ValueError) as error:  # such as rows of different length
        raise InputError(f"{what} that make no array: {quoted(str(error))}") from None


def _require_strength(qualify: int) -> None:
    if not isinstance(qualify, (int, np.integer)) or not 1 <= qualify <= STRENGTHS:
        raise InputError(f"a qualifying strength of {quoted(qualify)}: 1 to {STRENGTHS} are allowed")


def _require_all(cards: NDArray[np.uint8], done: int, what: str) -> None:
    """C stopped at a row whose cards cannot be: say which and why."""
    if done == len(cards):
        return
    row = [int(card) for card in cards[done]]
    if max(row) > 51:
        raise InputError(f"row {done} holds card {max(row)}: 0 to 51 are allowed")
    twice = next(card for card in row if row.count(card) > 1)
    raise InputError(f"row {done}: {format_cards([twice])} is twice in the {what} {format_cards(row)}")


def _in(cards: NDArray[np.uint8]) -> Any:
    return ffi.from_buffer("uint8_t[]", cards)


def _out(ctype: str, array: NDArray[Any]) -> Any:
    return ffi.from_buffer(ctype, array, require_writable=True)
