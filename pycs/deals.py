"""The canonical deals of Caribbean Stud: what a player can see, counted once for all relabelings of the suits.

A deal is the player's five cards and the dealer's upcard. There are 122,151,120 raw deals and 5,649,150 canonical ones,
numbered from 0; a canonical deal's *weight* is the number of raw deals it stands for, 4 to 24. All upcards of one
canonical hand stand together. Numbers and deals turn into each other by a formula, without a table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from pycs.cards import check_distinct, format_card, format_cards, parse_card, parse_cards
from pycs.core import COMPLETIONS, DEALS, canonical_deals, deal_index

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import SupportsIndex

__all__ = [
    "COMPLETIONS",
    "DEALS",
    "RAW_DEALS",
    "ROUNDS",
    "Deal",
    "deal_at",
    "index_of",
    "parse_deal",
]

RAW_DEALS: Final = 122_151_120
"""C(52,5) x 47: hands with an upcard, suits told apart."""

ROUNDS: Final = RAW_DEALS * COMPLETIONS
"""19,933,230,517,200: raw deals with all their dealer completions, the equally likely ways a round can be dealt."""


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
