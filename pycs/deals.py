"""Deals read and numbered: the player's cards and those in sight, as text or numbers, and their canonical index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pycs.cards import check_distinct, format_cards, parse_cards
from pycs.errors import InputError
from pycs.games import game_of
from pycs.messages import quoted
from pycs.rules import load_rules

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable
    from typing import SupportsIndex, TypeAlias

    from pycs.cards import Alphabet
    from pycs.games import Game
    from pycs.rules import Rules

    Cards: TypeAlias = str | Iterable[str | SupportsIndex]

__all__ = ["NOTHING_MORE", "Deal", "Known", "deal_at", "index_of", "parse_deal", "parse_known", "parse_upcard"]


class Deal(NamedTuple):
    """What the player sees, as card numbers: his own cards, and the upcard or the flop."""

    hand: tuple[int, ...]
    seen: tuple[int, ...]

    @property
    def cards(self) -> tuple[int, ...]:
        """All of them, as the core takes them."""
        return self.hand + self.seen


def parse_deal(game: Game, hand: Cards, seen: Cards | SupportsIndex, *, alphabet: Alphabet = "latin") -> Deal:
    """Read the player's cards and those in sight, in any notation of `pycs.cards`; one card may be its bare number.

    InputError when there are not as many as the game deals, when a card is twice, and for anything that is no card.

    >>> from pycs.games import CARIBBEAN_STUD, CASINO_HOLDEM
    >>> parse_deal(CARIBBEAN_STUD, "AsKhJd8c3s", "Qc")
    Deal(hand=(51, 46, 37, 24, 7), seen=(40,))
    >>> parse_deal(CASINO_HOLDEM, "QsQh", "Qd2c")
    Traceback (most recent call last):
    pycs.errors.InputError: the flop 'Qd2c': 2 cards came, 3 are needed
    """
    kernel = game.kernel
    deal = Deal(
        parse_cards(hand, count=kernel.hand, alphabet=alphabet),
        parse_cards(_seen_cards(seen), count=kernel.seen, what=game.seen, alphabet=alphabet),
    )
    if not set(deal.hand).isdisjoint(deal.seen):
        check_distinct(_groups(game, deal))
    return deal


def _seen_cards(seen: Cards | SupportsIndex) -> Any:
    # An array has __index__ as well, whatever it holds.
    return (seen,) if hasattr(seen, "__index__") and not hasattr(seen, "__iter__") else seen


def _groups(game: Game, deal: Deal) -> dict[str, int | tuple[int, ...]]:
    """The cards of a deal by what messages call them; an upcard is one card, not a group."""
    return {"hand": deal.hand, game.seen: deal.seen if game.kernel.seen > 1 else deal.seen[0]}


class Known(NamedTuple):
    """Cards that the player knows beside his deal: further ones of the dealer, and dead ones, which are out of play."""

    dealer: tuple[int, ...] = ()
    dead: tuple[int, ...] = ()


NOTHING_MORE: Final = Known()
"""The knowledge of a player who sees his deal alone."""


def parse_known(game: Game, deal: Deal, dealer: Cards, dead: Cards, *, alphabet: Alphabet = "latin") -> Known:
    """Read the cards that are known beside a deal, in any notation of `pycs.cards`.

    InputError when there are more than the game has room for, when a card is twice, and for anything that is no card.

    >>> from pycs.games import CARIBBEAN_STUD
    >>> parse_known(CARIBBEAN_STUD, parse_deal(CARIBBEAN_STUD, "AsKhJd8c3s", "Qc"), "", "QsQh")
    Known(dealer=(), dead=(43, 42))
    """
    return _parse_known(game, _groups(game, deal), dealer, dead, alphabet)


def _parse_known(
    game: Game, groups: dict[str, int | tuple[int, ...]], dealer: Cards, dead: Cards, alphabet: Alphabet
) -> Known:
    """`groups` are the cards that are in sight already, by what messages call them."""
    known = Known(
        parse_cards(dealer, what="dealer's cards", alphabet=alphabet),
        parse_cards(dead, what="known cards", alphabet=alphabet),
    )
    beside = "the dealer's cards beside the upcard" if game.seen == "upcard" else "the dealer's hole cards"
    for what, cards, most in ((beside, known.dealer, game.hidden), ("the known cards", known.dead, game.most_dead)):
        if len(cards) > most:
            came = f"{len(cards)} cards came, at most {most} are allowed"
            raise InputError(f"{what} {quoted(format_cards(cards))}: {came}")
    check_distinct({**groups, "dealer's cards": known.dealer, "known cards": known.dead})
    return known


def parse_upcard(
    game: Game, upcard: Cards | SupportsIndex, dealer: Cards, dead: Cards, *, alphabet: Alphabet = "latin"
) -> tuple[int | None, Known]:
    """Read what is known about the cards of a hand that nobody sees: an upcard or none, and what is known beside it.

    InputError as for `parse_known`, and for further cards of the dealer without an upcard.

    >>> from pycs.games import CARIBBEAN_STUD
    >>> parse_upcard(CARIBBEAN_STUD, "5c", "", "2h4d")
    (12, Known(dealer=(), dead=(2, 9)))
    """
    up = _seen_cards(upcard)
    seen = () if up in ("", ()) else parse_cards(up, count=1, what=game.seen, alphabet=alphabet)
    known = _parse_known(game, {game.seen: seen[0]} if seen else {}, dealer, dead, alphabet)
    if known.dealer and not seen:
        raise InputError(f"the dealer's cards {quoted(format_cards(known.dealer))}: without an upcard none is seen")
    return (seen[0] if seen else None), known


def index_of(profile: str | os.PathLike[str] | Rules, hand: Cards, seen: Cards | SupportsIndex) -> int:
    """The canonical index of a deal of a profile's game: the row of every table in which the deal stands.

    >>> index_of("us", "AsKhJd8c3s", "Qc") == index_of("us", "3h 8s Jd Kc Ah", "Qs")
    True
    """
    game = game_of(load_rules(profile))
    return game.kernel.index(parse_deal(game, hand, seen).cards)


def deal_at(profile: str | os.PathLike[str] | Rules, index: int) -> tuple[str, str]:
    """The canonical deal of an index, as text: the way back from `index_of`.

    >>> deal_at("us", 0), deal_at("casino-holdem", index_of("casino-holdem", "QdQc", "Qs2h7c"))
    (('6s5s4s3s2s', '7s'), ('QhQc', 'Qs7h2d'))
    """
    kernel = game_of(load_rules(profile)).kernel
    if isinstance(index, bool) or not hasattr(index, "__index__") or not 0 <= int(index) < kernel.deals:
        raise InputError(f"the index {quoted(index)}: a whole number from 0 to {kernel.deals - 1} is allowed")
    deals, _ = kernel.canonical_deals([int(index)])
    return format_cards(deals[0, : kernel.hand]), format_cards(deals[0, kernel.hand :])
