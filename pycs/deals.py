"""The canonical deals of Caribbean Stud: what a player can see, counted once for all relabelings of the suits.

A deal is the player's five cards and the dealer's upcard. There are 122,151,120 raw deals and 5,649,150 canonical ones,
numbered from 0; a canonical deal's *weight* is the number of raw deals it stands for, 4 to 24. All upcards of one
canonical hand stand together. Numbers and deals turn into each other by a formula, without a table.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import polars as pl

from pycs.cards import RANKS, SUITS, check_distinct, format_card, format_cards, parse_card, parse_cards
from pycs.core import COMPLETIONS, DEALS, HANDS, canonical_deals, deal_index, deal_indices, rank_hands
from pycs.errors import InputError
from pycs.ranking import CATEGORIES_UP, categories

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import SupportsIndex

    from numpy.typing import NDArray

__all__ = [
    "COMPLETIONS",
    "DEALS",
    "HANDS",
    "RAW_DEALS",
    "ROUNDS",
    "Deal",
    "deal_at",
    "deal_frame",
    "index_of",
    "indices_of_text",
    "parse_deal",
]

RAW_DEALS: Final = 122_151_120
"""C(52,5) x 47: hands with an upcard, suits told apart."""

ROUNDS: Final = RAW_DEALS * COMPLETIONS
"""19,933,230,517,200: raw deals with all their dealer completions, the equally likely ways a round can be dealt."""

CARDS: Final = pl.Series([rank + suit for rank in RANKS for suit in SUITS])
CARD: Final = pl.Enum(CARDS)
"""The 52 cards as a Polars type: card number n is category n."""

NO_CARD: Final = 255

CATEGORY: Final = pl.Enum(CATEGORIES_UP)
"""The ten hand categories as a Polars type, from low to high."""


class Deal(NamedTuple):
    """What the player sees, as card numbers."""

    hand: tuple[int, ...]
    upcard: int


def parse_deal(hand: str | Iterable[str | SupportsIndex], upcard: str | SupportsIndex) -> Deal:
    """Read a hand of five cards and an upcard, in any notation of `pycs.cards`.

    InputError when there are not five and one, when a card is twice, and for anything that is no card.

    >>> parse_deal("AsKhJd8c3s", "Qc")
    Deal(hand=(51, 46, 37, 24, 7), upcard=40)
    """
    deal = Deal(parse_cards(hand, count=5), parse_card(upcard, what="upcard"))
    if deal.upcard in deal.hand:
        check_distinct(deal._asdict())
    return deal


def index_of(hand: str | Iterable[str | SupportsIndex], upcard: str | SupportsIndex) -> int:
    """The canonical index of a deal: the row of every table in which the deal stands.

    >>> index_of("AsKhJd8c3s", "Qc") == index_of("3h 8s Jd Kc Ah", "Qs")
    True
    """
    deal = parse_deal(hand, upcard)
    return deal_index([*deal.hand, deal.upcard])


def deal_at(index: int) -> tuple[str, str]:
    """The canonical deal of an index, as text: the way back from `index_of`.

    >>> deal_at(0), deal_at(index_of("3h 8s Jd Kc Ah", "Qs"))
    (('6s5s4s3s2s', '7s'), ('AsKhJd8c3s', 'Qc'))
    """
    deals, _ = canonical_deals([index])
    *hand, upcard = deals[0]
    return format_cards(hand), format_card(upcard)


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
    frame = pl.DataFrame({"weight": weights, "category": category})
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
    [4347244, 4347244]
    """
    deals = np.empty((len(hands), 6), np.uint8)
    _read_plain(hands, deals[:, :5])
    _read_plain(upcards, deals[:, 5:])
    other_notation = np.flatnonzero((deals == NO_CARD).any(axis=1)) if NO_CARD in deals else ()
    for row in map(int, other_notation):
        try:
            deal = parse_deal(*_texts_at(hands, upcards, row))
        except InputError as error:
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
