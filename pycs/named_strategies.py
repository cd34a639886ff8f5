"""The strategies that have names: those of books and pages, and short ones that were found here.

Where a strategy does not say what to do, the hand is folded. Those that were found come from `pycs strategy PROFILE
--find --rules 4`; what they lose is exact, that no list of four rules loses less is not proven.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from pycs.games import CARIBBEAN_STUD, CASINO_HOLDEM
from pycs.strategies import OPTIMAL, Action, Rule, Strategy

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pycs.games import Game

__all__ = ["STRATEGIES", "strategy_names"]

_ARTICLE: Final = "Contingencies, November/December 2000"
_PAGE: Final = "cardsflip.com/casino-holdem-rules"

_FOUND: Final = "found by pycs strategy --find --rules 4"

_ACE_KING: Final = "card_1 = A and card_2 = K"


def _rule(then: Action, when: str, words: str) -> Rule:
    return Rule(when=when, then=then, words=words)


_PAIR: Final = _rule("call", "category >= 'pair'", "Call any pair or better.")

_STUD: Final = (
    Strategy(
        "three-rules",
        CARIBBEAN_STUD,
        (
            _PAIR,
            _rule(
                "call",
                f"{_ACE_KING} and up <= Q and matches > 0",
                "Call ace-king when the upcard is a deuce to a queen and one of your cards has its rank.",
            ),
            _rule(
                "call",
                f"{_ACE_KING} and up >= K and (card_3 >= J or card_4 = J)",
                "Call ace-king when the upcard is an ace or a king and you hold a queen or a jack.",
            ),
            _rule(
                "call",
                f"{_ACE_KING} and matches = 0 and card_3 = Q and up < card_4",
                "Call ace-king-queen when none of your cards has the upcard's rank and your fourth highest is higher.",
            ),
        ),
        title="Call a pair or better; call ace-king by three rules of thumb.",
        source=_ARTICLE,
    ),
    Strategy(
        "ace-king-jack-eight-three",
        CARIBBEAN_STUD,
        (
            _PAIR,
            _rule(
                "call",
                f"{_ACE_KING} and (card_3 > J or card_3 = J and (card_4 > 8 or card_4 = 8 and card_5 >= 3))",
                "Call ace-king-jack-eight-three or better.",
            ),
        ),
        title="Call ace-king-jack-eight-three or better.",
        source=_ARTICLE,
    ),
    Strategy(
        "matching-rank",
        CARIBBEAN_STUD,
        (
            _PAIR,
            _rule("call", f"{_ACE_KING} and matches > 0", "Call ace-king if one of its cards has the upcard's rank."),
        ),
        title="Call a pair or better; call ace-king if one of its cards has the upcard's rank.",
        source=_ARTICLE,
    ),
    Strategy("pair-or-better", CARIBBEAN_STUD, (_PAIR,), title="Call a pair or better.", source=_ARTICLE),
    Strategy(
        "ace-king-or-better",
        CARIBBEAN_STUD,
        (_PAIR, _rule("call", _ACE_KING, "Call ace-king.")),
        title="Call ace-king or better.",
        source=_ARTICLE,
    ),
    Strategy("always-call", CARIBBEAN_STUD, otherwise="call", title="Call every hand.", source=_ARTICLE),
    Strategy(
        "four-exchange-rules",
        CARIBBEAN_STUD,
        (
            _rule("call", "category >= 'two pair'", "Call two pair or better."),
            _rule("call", "pair >= 3", "Call a pair of threes or better."),
            _rule(
                "call",
                f"{_ACE_KING} and matches > 0 and card_3 >= T",
                "Call ace-king with a ten or higher beside it when one of your cards has the upcard's rank.",
            ),
            _rule(
                "exchange",
                "up <= 5 and matches = 0",
                "Exchange against a five or lower when none of your cards has its rank.",
            ),
            _rule(
                "exchange",
                "pair = 0 and up <= 7 and matches > 0",
                "Exchange without a pair against a seven or lower when one of your cards has its rank.",
            ),
            _rule("fold", "pair = 0", "Fold everything else without a pair."),
        ),
        otherwise="call",
        title="For one exchange of all five cards: four short rules beside the hands that are always called.",
        source=_FOUND,
    ),
)
_HOLDEM: Final = (
    Strategy(
        "four-rules",
        CASINO_HOLDEM,
        (
            _rule("call", "category >= 'straight'", "Call a straight or better."),
            _rule("call", "flush_cards >= 4", "Call four cards to a flush, one of yours among them."),
            _rule(
                "fold",
                "pair = 0 and hole_1 <= T and hole_2 <= 3 and straight_outs = 0 and flush_cards <= 2",
                "Fold ten high or lower with a deuce or a trey: no pair, no three to a flush, no straight by one card.",
            ),
            _rule(
                "call",
                "hole_1 >= 9 and hole_2 >= 4 and (straight_outs >= 1 or flush_cards >= 3)",
                "Call a nine and a four, or higher, when one card would make a straight, or with three to a flush.",
            ),
            _rule(
                "fold",
                "pair = 0 and hole_1 <= Q and flop_suits = 1",
                "Fold queen high or lower, without a pair of yours, on a flop of one suit.",
            ),
            _rule(
                "fold",
                "pair = 0 and hole_1 <= 9 and hole_2 <= 7 and straight_outs = 0",
                "Fold nine high or lower with a seven or lower: no pair of yours, no straight by one card.",
            ),
        ),
        otherwise="call",
        title="Four short rules beside the hands that are always called.",
        source=_FOUND,
    ),
    Strategy(
        "common-rules",
        CASINO_HOLDEM,
        (
            _PAIR,
            _rule("call", "hole_1 >= K", "Call with an ace or a king in your hand."),
            _rule("call", "hole_1 = Q and hole_2 = J", "Call queen-jack."),
            _rule("call", "flush_cards = 4", "Call four cards to a flush, one of yours among them."),
            _rule("call", "straight_cards = 4", "Call four ranks of one straight, one of yours among them."),
            _rule("call", "overcards = 2", "Call when both of your cards are higher than all of the flop."),
        ),
        title="Call a pair (on the board too), ace, king, queen-jack, four to a flush or straight, two overcards.",
        source=_PAGE,
    ),
    Strategy("pair-or-better", CASINO_HOLDEM, (_PAIR,), title="Call a pair or better, on the board or not."),
    Strategy("always-call", CASINO_HOLDEM, otherwise="call", title="Call every hand."),
)

STRATEGIES: Final[Mapping[str, Mapping[str, Strategy]]] = MappingProxyType(
    {
        CARIBBEAN_STUD.name: MappingProxyType({each.name: each for each in _STUD}),
        CASINO_HOLDEM.name: MappingProxyType({each.name: each for each in _HOLDEM}),
    }
)
"""By game and name. `optimal` hangs on the rules and is none of them."""


def strategy_names(game: Game) -> tuple[str, ...]:
    """The strategies of a game, best play first. Some make use of an exchange.

    >>> strategy_names(CASINO_HOLDEM)
    ('optimal', 'four-rules', 'common-rules', 'pair-or-better', 'always-call')
    """
    return OPTIMAL, *STRATEGIES[game.name]
