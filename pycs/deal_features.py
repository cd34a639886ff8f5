"""What a player can see of a deal, in the words of rules: the columns that a strategy may look at.

Ranks are numbers from 2 to 14; the letters T, J, Q, K and A may stand for 10 to 14 wherever a condition is written.
"""

from __future__ import annotations

from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from pycs.cards import RANKS
from pycs.deal_frames import category_column, hand_runs
from pycs.games import CARIBBEAN_STUD

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from pycs.games import Game

__all__ = ["FEATURES", "RANK_LETTERS", "deal_features", "rank_letter"]

RANK_LETTERS: Final[Mapping[str, int]] = MappingProxyType({"T": 10, "J": 11, "Q": 12, "K": 13, "A": 14})
"""The letters that stand for ranks in conditions."""

_STUD: Final[Mapping[str, str]] = MappingProxyType(
    {
        "category": "what the five cards are: 'high card', 'pair', ... 'royal flush'",
        "card_1": "the rank of the highest card",
        "card_2": "the rank of the second highest card; a rank held twice counts twice",
        "card_3": "the rank of the third highest card",
        "card_4": "the rank of the fourth highest card",
        "card_5": "the rank of the lowest card",
        "pair": "the rank of the pair, of the higher of two, or of three or four of a kind; 0 without one",
        "up": "the rank of the upcard",
        "matches": "how many of the five cards have the upcard's rank",
        "suited": "the most cards of one suit in the hand",
        "up_suited": "how many of the five cards are of the upcard's suit",
        "straight_cards": "the most different ranks of the hand that one straight holds",
    }
)
_HOLDEM: Final[Mapping[str, str]] = MappingProxyType(
    {
        "category": "what hole cards and flop are: 'high card', 'pair', ... 'royal flush'",
        "hole_1": "the rank of the higher hole card",
        "hole_2": "the rank of the lower hole card",
        "hole_suited": "1 if the hole cards are of one suit, else 0",
        "flop_1": "the rank of the highest card of the flop",
        "flop_2": "the rank of the middle card of the flop",
        "flop_3": "the rank of the lowest card of the flop",
        "flop_ranks": "how many different ranks the flop has",
        "flop_suits": "how many different suits the flop has",
        "pair": "the highest rank of a pair or better that a hole card is part of; 0 without one",
        "overcards": "how many of the hole cards are higher than all of the flop",
        "flush_cards": "the most cards of one suit among the five, a hole card among them",
        "straight_cards": "the most different ranks among the five that one straight holds, a hole card's among them",
        "straight_outs": "how many ranks of a next card make a straight with a hole card in it; 0 with a straight made",
    }
)

FEATURES: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType({"caribbean-stud": _STUD, "casino-holdem": _HOLDEM})
"""By game: the columns of `deal_features` and what they mean."""

_STRAIGHTS: Final = tuple(0b11111 << low for low in range(10))
"""The ten straights as sets of ranks: bit 0 is the ace below the deuce, bit 13 the ace above the king."""


@lru_cache(maxsize=2)
def deal_features(game: Game) -> pl.DataFrame:
    """The `FEATURES` of every canonical deal, in the order of their indices: `category` an Enum, the others UInt8.

    Worked out once in some seconds, then kept: 70 MB for Caribbean Stud. Safe to call from many threads.

    >>> from pycs.games import CASINO_HOLDEM
    >>> row = deal_features(CASINO_HOLDEM).row(0, named=True)  # 6s5s on 4s3s2s
    >>> row["category"], row["hole_1"], row["overcards"], row["straight_cards"], row["straight_outs"]
    ('straight flush', 6, 2, 5, 0)
    """
    deals, _ = game.kernel.canonical_deals(np.arange(game.deals, dtype=np.uint32))
    found = _of_stud(deals) if game.name == CARIBBEAN_STUD.name else _of_holdem(deals)
    columns = {name: pl.Series(name, values.astype(np.uint8)) for name, values in found.items()}
    columns["category"] = category_column(deals, game.kernel.hand)
    return pl.DataFrame({name: columns[name] for name in FEATURES[game.name]})


def rank_letter(column: str) -> pl.Expr:
    """The ranks in a column of features as letters, 2 to A; nothing where there is none."""
    return pl.col(column).replace_strict(dict(enumerate(RANKS, 2)), default="", return_dtype=pl.String)


def _of_stud(deals: NDArray[np.uint8]) -> dict[str, NDArray[Any]]:
    hands, number = hand_runs(deals[:, :5])
    of_hand = {name: values.astype(np.uint8)[number] for name, values in _of_hand(hands >> 2, hands & 3).items()}
    ranks, suits = deals >> 2, deals & 3
    return {
        **of_hand,
        "up": ranks[:, 5] + 2,
        "matches": (ranks[:, :5] == ranks[:, 5:]).sum(axis=1),
        "up_suited": (suits[:, :5] == suits[:, 5:]).sum(axis=1),
    }


def _of_hand(ranks: NDArray[Any], suits: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """What hangs on the five cards alone; they stand from high to low."""
    pair = np.zeros(len(ranks), np.uint8)
    for alike in (2, 3):  # of a full house the three counts, not a higher pair
        for place in range(5 - alike, -1, -1):
            pair = np.where(ranks[:, place] == ranks[:, place + alike - 1], ranks[:, place] + 2, pair)
    return {
        **{f"card_{place}": ranks[:, place - 1] + 2 for place in range(1, 6)},
        "pair": pair,
        "suited": np.max([(suits == suit).sum(axis=1) for suit in range(4)], axis=0),
        "straight_cards": np.max([np.bitwise_count(_held(ranks) & each) for each in _STRAIGHTS], axis=0),
    }


def _of_holdem(deals: NDArray[np.uint8]) -> dict[str, NDArray[Any]]:
    ranks, suits = deals >> 2, deals & 3
    hole, flop = (np.sort(each, axis=1)[:, ::-1] for each in (ranks[:, :2], ranks[:, 2:]))
    in_suit = [(suits == suit).sum(axis=1) * (suits[:, :2] == suit).any(axis=1) for suit in range(4)]
    held, mine = _held(ranks), _held(hole)
    paired = (hole[:, :, None] == flop[:, None, :]).any(axis=2) | (hole[:, :1] == hole[:, 1:])
    straight_cards = np.max([np.bitwise_count(held & each) * _in(mine, each) for each in _STRAIGHTS], axis=0)
    outs = np.sum([_made_by(rank, held, mine) for rank in range(13)], axis=0)
    return {
        "hole_1": hole[:, 0] + 2,
        "hole_2": hole[:, 1] + 2,
        "hole_suited": suits[:, 0] == suits[:, 1],
        "flop_1": flop[:, 0] + 2,
        "flop_2": flop[:, 1] + 2,
        "flop_3": flop[:, 2] + 2,
        "flop_ranks": 1 + (flop[:, 0] != flop[:, 1]).astype(np.uint8) + (flop[:, 1] != flop[:, 2]),
        "flop_suits": np.bitwise_count(np.bitwise_or.reduce(1 << suits[:, 2:].astype(np.int32), axis=1)),
        "pair": np.where(paired, hole + 2, 0).max(axis=1),
        "overcards": (hole > flop[:, :1]).sum(axis=1),
        "flush_cards": np.max(in_suit, axis=0),
        "straight_cards": straight_cards,
        "straight_outs": np.where(straight_cards < 5, outs, 0),
    }


def _held(ranks: NDArray[Any]) -> NDArray[Any]:
    """The ranks of each row as a set, as in `_STRAIGHTS`."""
    bits = np.bitwise_or.reduce(2 << ranks.astype(np.int32), axis=1)
    held: NDArray[Any] = bits | bits >> 13
    return held


def _in(mine: NDArray[Any], straight: int) -> Any:
    """Whether a hole card is part of the straight."""
    return (mine & straight) > 0


def _made_by(rank: int, held: NDArray[Any], mine: NDArray[Any]) -> Any:
    """Whether there is a straight, with a hole card in it, once a card of this rank came."""
    drawn = 2 << rank | (2 << rank) >> 13
    return np.any([((held | drawn) & each == each) & _in(mine, each) for each in _STRAIGHTS], axis=0)
