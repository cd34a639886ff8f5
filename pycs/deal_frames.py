"""Canonical deals by the million, as Polars columns: cards as text, weights, categories, and text back into indices."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from pycs.aa_bonus import lines
from pycs.cards import RANKS, SUITS
from pycs.core import NO_CARD, rank_hands
from pycs.deals import parse_deal
from pycs.errors import InputError
from pycs.games import CASINO_HOLDEM
from pycs.holdem_rules import AA_BONUS_LINES
from pycs.messages import quoted
from pycs.ranking import CATEGORIES_UP, categories

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pycs.games import Game

__all__ = [
    "AA_BONUS",
    "CARD",
    "CARDS",
    "CATEGORY",
    "NO_CARD",
    "cards_as_text",
    "category_column",
    "deal_frame",
    "hand_runs",
    "indices_of_text",
    "plain_cards",
]

CARDS: Final = pl.Series([rank + suit for rank in RANKS for suit in SUITS])
CARD: Final = pl.Enum(CARDS)
"""The 52 cards as a Polars type: card number n is category n."""

CATEGORY: Final = pl.Enum(CATEGORIES_UP)
"""The ten hand categories as a Polars type, from low to high."""

AA_BONUS: Final = pl.Enum((*AA_BONUS_LINES, "nothing"))
"""The lines of the AA Bonus as a Polars type, in the order of `pycs.aa_bonus.lines`."""


def deal_frame(game: Game, first: int = 0, rows: int | None = None, *, text: bool = True) -> pl.DataFrame:
    """The canonical deals from index `first` on, as a table begins.

    `hand` and the cards in sight (`upcard` or `flop`) as text, `weight`, `category`: that of the first five cards,
    which are the hand, or hole cards and flop; in Casino Hold'em also `aa_bonus`, the line of the AA Bonus that they
    make. Without `text` the first two columns are left out.

    >>> from pycs.games import CARIBBEAN_STUD, CASINO_HOLDEM
    >>> deal_frame(CARIBBEAN_STUD, 0, 1).rows()
    [('6s5s4s3s2s', '7s', 4, 'straight flush')]
    >>> deal_frame(CASINO_HOLDEM, 0, 1).rows()
    [('6s5s', '4s3s2s', 4, 'straight flush', 'straight flush')]
    """
    kernel = game.kernel
    rows = kernel.deals - first if rows is None else rows
    deals, weights = kernel.canonical_deals(np.arange(first, first + rows, dtype=np.uint32))
    strengths = _strengths(deals, kernel.hand)
    frame = pl.DataFrame({"weight": weights.astype(np.int64), "category": _gather(CATEGORY, categories(strengths))})
    if game is CASINO_HOLDEM:
        frame = frame.with_columns(aa_bonus=_gather(AA_BONUS, lines(strengths)))
    if text:
        hand, seen = _as_column(deals[:, : kernel.hand]), _as_column(deals[:, kernel.hand :])
        frame = frame.select(hand.alias("hand"), seen.alias(game.seen), pl.all())
    return frame


def cards_as_text(cards: NDArray[np.uint8]) -> pl.Series:
    """Cards, shape (n, k), as a Series of text.

    >>> cards_as_text(np.array([[51, 46, 37, 24, 7]], np.uint8)).to_list()
    ['AsKhJd8c3s']
    """
    columns = [CARDS.gather(pl.Series(cards[:, place])).alias(f"{place}") for place in range(cards.shape[1])]
    return pl.select(pl.concat_str(columns)).to_series()


def hand_runs(cards: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], NDArray[np.uint32]]:
    """The rows that differ from the one before, and for each row the number of the one that it repeats.

    All upcards of a hand stand together, as do all hole cards of a flop: what belongs to one is worked out once.
    """
    starts = np.ones(len(cards), bool)
    starts[1:] = (cards[1:] != cards[:-1]).any(axis=1)
    return cards[starts], np.cumsum(starts, dtype=np.uint32) - 1


def category_column(deals: NDArray[np.uint8], hand: int) -> pl.Series:
    """The category of the first five cards of each deal, whose first `hand` cards are the player's."""
    return _gather(CATEGORY, categories(_strengths(deals, hand)))


def _strengths(deals: NDArray[np.uint8], hand: int) -> NDArray[np.uint16]:
    """Of the first five cards of each deal."""
    if hand < 5:
        return rank_hands(deals[:, :5])
    hands, number = hand_runs(deals[:, :hand])
    return rank_hands(hands).take(number)


def _gather(kind: pl.Enum, numbers: NDArray[np.uint8]) -> pl.Series:
    return pl.Series(kind.categories, dtype=kind).gather(pl.Series(numbers))


def _as_column(cards: NDArray[np.uint8]) -> pl.Series:
    if cards.shape[1] == 1:
        return CARDS.cast(CARD).gather(pl.Series(cards[:, 0]))
    different, number = hand_runs(cards)
    return cards_as_text(different).gather(pl.Series(number))


def indices_of_text(game: Game, hands: pl.Series, seen: pl.Series) -> NDArray[np.uint32]:
    """The canonical index of each deal of two columns of text, in any notation of `pycs.cards`.

    InputError, with the number of the row (from 0), for the first deal that cannot be.

    >>> from pycs.games import CARIBBEAN_STUD
    >>> hands, upcards = pl.Series(["AsKhJd8c3s", "3h 8s Jd Kc Ah"]), pl.Series(["Qc", "Q♠"])
    >>> indices_of_text(CARIBBEAN_STUD, hands, upcards).tolist()
    [5061859, 5061859]
    """
    for texts in (hands, seen):
        if texts.dtype not in (pl.String, pl.Categorical, pl.Enum, pl.Null):
            raise InputError(f"the column {quoted(texts.name)} of {texts.dtype}: cards as text are needed")
    kernel = game.kernel
    deals = np.empty((len(hands), kernel.hand + kernel.seen), np.uint8)
    plain_cards(hands, deals[:, : kernel.hand])
    plain_cards(seen, deals[:, kernel.hand :])
    other_notation = np.flatnonzero((deals == NO_CARD).any(axis=1)) if NO_CARD in deals else ()
    for row in map(int, other_notation):
        try:
            deals[row] = _deal_at(game, hands[row], seen[row])
        except InputError as error:
            kernel.indices(deals[:row])  # a row before this one may hold a card twice, and is the first then
            raise InputError(f"row {row}: {error}") from None
    return kernel.indices(deals)


def _deal_at(game: Game, hand: Any, seen: Any) -> tuple[int, ...]:
    if hand is None or seen is None:
        raise InputError(f"a hand or {'an' if game.seen[0] in 'aeiou' else 'a'} {game.seen} is missing")
    return parse_deal(game, str(hand), str(seen)).cards


def plain_cards(texts: pl.Series, cards: NDArray[np.uint8]) -> None:
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
