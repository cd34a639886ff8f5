"""Canonical deals by the million, as Polars columns: cards as text, weights, categories, and text back into indices."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from pycs.cards import RANKS, SUITS
from pycs.core import DEALS, canonical_deals, deal_indices, rank_hands
from pycs.deals import parse_deal
from pycs.errors import InputError
from pycs.messages import quoted
from pycs.ranking import CATEGORIES_UP, categories

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["CARD", "CATEGORY", "deal_frame", "hands_as_text", "indices_of_text"]

CARDS: Final = pl.Series([rank + suit for rank in RANKS for suit in SUITS])
CARD: Final = pl.Enum(CARDS)
"""The 52 cards as a Polars type: card number n is category n."""

NO_CARD: Final = 255

CATEGORY: Final = pl.Enum(CATEGORIES_UP)
"""The ten hand categories as a Polars type, from low to high."""


def deal_frame(first: int = 0, rows: int = DEALS, *, text: bool = True) -> pl.DataFrame:
    """The canonical deals from index `first` on: `hand` and `upcard` as text, `weight`, `category`.

    Without `text` the first two columns are left out.

    >>> deal_frame(0, 1).rows()
    [('6s5s4s3s2s', '7s', 4, 'straight flush')]
    """
    deals, weights = canonical_deals(np.arange(first, first + rows, dtype=np.uint32))
    # The upcards of a hand stand together: what belongs to a hand is worked out once.
    starts = np.ones(rows, bool)
    starts[1:] = (deals[1:, :5] != deals[:-1, :5]).any(axis=1)
    hands = deals[starts, :5]
    number = pl.Series(np.cumsum(starts, dtype=np.uint32) - 1)
    category = pl.Series(CATEGORIES_UP, dtype=CATEGORY).gather(pl.Series(categories(rank_hands(hands)))).gather(number)
    frame = pl.DataFrame({"weight": weights.astype(np.int64), "category": category})
    if text:
        upcard = CARDS.cast(CARD).gather(pl.Series(deals[:, 5]))
        frame = frame.select(hands_as_text(hands).gather(number).alias("hand"), upcard.alias("upcard"), pl.all())
    return frame


def hands_as_text(hands: NDArray[np.uint8]) -> pl.Series:
    """Hands, shape (n, 5), as a Series of text.

    >>> hands_as_text(np.array([[51, 46, 37, 24, 7]], np.uint8)).to_list()
    ['AsKhJd8c3s']
    """
    columns = [CARDS.gather(pl.Series(hands[:, place])).alias(f"{place}") for place in range(hands.shape[1])]
    return pl.select(pl.concat_str(columns)).to_series()


def indices_of_text(hands: pl.Series, upcards: pl.Series) -> NDArray[np.uint32]:
    """The canonical index of each deal of two columns of text, in any notation of `pycs.cards`.

    InputError, with the number of the row (from 0), for the first deal that cannot be.

    >>> indices_of_text(pl.Series(["AsKhJd8c3s", "3h 8s Jd Kc Ah"]), pl.Series(["Qc", "Q♠"])).tolist()
    [5061859, 5061859]
    """
    for texts in (hands, upcards):
        if texts.dtype not in (pl.String, pl.Categorical, pl.Enum, pl.Null):
            raise InputError(f"the column {quoted(texts.name)} of {texts.dtype}: cards as text are needed")
    deals = np.empty((len(hands), 6), np.uint8)
    _read_plain(hands, deals[:, :5])
    _read_plain(upcards, deals[:, 5:])
    other_notation = np.flatnonzero((deals == NO_CARD).any(axis=1)) if NO_CARD in deals else ()
    for row in map(int, other_notation):
        try:
            deal = parse_deal(*_texts_at(hands, upcards, row))
        except InputError as error:
            deal_indices(deals[:row])  # a row before this one may hold a card twice, and is the first then
            raise InputError(f"row {row}: {error}") from None
        deals[row] = [*deal.hand, deal.upcard]
    return deal_indices(deals)


def _texts_at(hands: pl.Series, upcards: pl.Series, row: int) -> tuple[str, str]:
    hand, upcard = hands[row], upcards[row]
    if hand is None or upcard is None:
        raise InputError("a hand or an upcard is missing")
    return str(hand), str(upcard)


def _read_plain(texts: pl.Series, cards: NDArray[np.uint8]) -> None:
    """Read the texts that are two characters to a card into the rows of `cards`; NO_CARD stands where they are not."""
    count = cards.shape[1]
    if texts.dtype != pl.String:
        texts = texts.cast(pl.String)
    right_length = (texts.str.len_bytes() == 2 * count).fill_null(False)
    if not right_length.all():
        texts = texts.set(~right_length, "--" * count)
    joined = texts.str.join().item().encode()
    cards[:] = _card_of_pair()[np.frombuffer(joined, np.uint16)].reshape(-1, count)


@cache
def _card_of_pair() -> NDArray[np.uint8]:
    """The card that two bytes of text name, by the two bytes as one number; NO_CARD where they name none."""
    cards = np.full(1 << 16, NO_CARD, np.uint8)
    for rank, letter in enumerate(RANKS):
        for suit, mark in enumerate(SUITS):
            for text in (letter + mark, letter.lower() + mark, letter + mark.upper(), letter.lower() + mark.upper()):
                cards[np.frombuffer(text.encode(), np.uint16)[0]] = 4 * rank + suit
    return cards
