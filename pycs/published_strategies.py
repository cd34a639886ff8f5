"""The strategies that have names: those of books and pages, each as its whole rule.

Where a strategy does not say what to do, the hand is folded. All of them choose between fold and call.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from pycs.games import CARIBBEAN_STUD, CASINO_HOLDEM
from pycs.strategies import OPTIMAL, Rule, Strategy

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pycs.games import Game

__all__ = ["STRATEGIES", "strategy_names"]

_ARTICLE: Final = "Contingencies, November/December 2000"
_PAGE: Final = "cardsflip.com/casino-holdem-rules"

_PAIR: Final = Rule(when="category >= 'pair'", then="call")
_ACE_KING: Final = "card_1 = A and card_2 = K"


def _call(*conditions: str) -> tuple[Rule, ...]:
    return tuple(Rule(when=condition, then="call") for condition in conditions)


def _stud(name: str, title: str, *rules: Rule, otherwise: str = "fold") -> Strategy:
    return Strategy(name, CARIBBEAN_STUD, rules, otherwise, title, _ARTICLE)


def _holdem(name: str, title: str, *rules: Rule, otherwise: str = "fold", source: str = "") -> Strategy:
    return Strategy(name, CASINO_HOLDEM, rules, otherwise, title, source)


_STUD: Final = (
    _stud(
        "three-rules",
        "Call a pair or better; call ace-king by three rules of thumb.",
        _PAIR,
        *_call(
            f"{_ACE_KING} and up <= Q and matches > 0",
            f"{_ACE_KING} and up >= K and (card_3 >= J or card_4 = J)",
            f"{_ACE_KING} and matches = 0 and card_3 = Q and up < card_4",
        ),
    ),
    _stud(
        "ace-king-jack-eight-three",
        "Call ace-king-jack-eight-three or better.",
        _PAIR,
        *_call(f"{_ACE_KING} and (card_3 > J or card_3 = J and (card_4 > 8 or card_4 = 8 and card_5 >= 3))"),
    ),
    _stud(
        "matching-rank",
        "Call a pair or better; call ace-king if one of its cards has the upcard's rank.",
        _PAIR,
        *_call(f"{_ACE_KING} and matches > 0"),
    ),
    _stud("pair-or-better", "Call a pair or better.", _PAIR),
    _stud("ace-king-or-better", "Call ace-king or better.", _PAIR, *_call(_ACE_KING)),
    _stud("always-call", "Call every hand.", otherwise="call"),
)
_HOLDEM: Final = (
    _holdem(
        "common-rules",
        "Call a pair or better (on the board too), ace, king, queen-jack, four to a flush or straight, two overcards.",
        _PAIR,
        *_call("hole_1 >= K", "hole_1 = Q and hole_2 = J", "flush_cards = 4", "straight_cards = 4", "overcards = 2"),
        source=_PAGE,
    ),
    _holdem("pair-or-better", "Call a pair or better, on the board or not.", _PAIR),
    _holdem("always-call", "Call every hand.", otherwise="call"),
)

STRATEGIES: Final[Mapping[str, Mapping[str, Strategy]]] = MappingProxyType(
    {
        CARIBBEAN_STUD.name: MappingProxyType({each.name: each for each in _STUD}),
        CASINO_HOLDEM.name: MappingProxyType({each.name: each for each in _HOLDEM}),
    }
)
"""By game and name. `optimal` hangs on the rules and is none of them."""


def strategy_names(game: Game) -> tuple[str, ...]:
    """The strategies of a game, best play first.

    >>> strategy_names(CASINO_HOLDEM)
    ('optimal', 'common-rules', 'pair-or-better', 'always-call')
    """
    return OPTIMAL, *STRATEGIES[game.name]
