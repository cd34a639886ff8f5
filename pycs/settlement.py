"""A finished round, settled to the ante."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from pycs.aa_bonus import NO_BET, bonus_bet
from pycs.cards import check_distinct, format_cards, parse_cards
from pycs.core import rank_hands
from pycs.deals import Deal
from pycs.decisions import ACTIONS
from pycs.errors import InputError
from pycs.games import CASINO_HOLDEM, game_of
from pycs.messages import quoted
from pycs.ranking import category, qualifying_strength
from pycs.rules import load_rules

if TYPE_CHECKING:
    import os

    from pycs.aa_bonus import Stake
    from pycs.cards import Alphabet
    from pycs.deals import Cards
    from pycs.games import Game
    from pycs.rules import Rules

__all__ = ["Settlement", "settle"]


@dataclass(frozen=True, slots=True)
class Settlement:
    """What a finished round pays. Money is in antes, exactly: `net` = `returned` - `staked`, all bets together; a
    Fraction where the amount is no whole number.

    `outcome` is `fold`, `not_qualified`, `win`, `push` or `lose`. The categories are those of the two hands; of the
    best five of seven in Casino Hold'em, where `board` is the five cards on the table and else None. `bonus` is the bet
    on the AA Bonus, `bonus_net` what it brings, and `bonus_line` the line that hole cards and flop make for it; None
    for less than a pair of aces, and without a bet.
    """

    profile: str
    player: str
    dealer: str
    board: str | None
    action: str
    player_category: str
    dealer_category: str
    dealer_qualifies: bool
    outcome: str
    bonus: int | Fraction
    bonus_line: str | None
    bonus_net: int | Fraction
    staked: int | Fraction
    returned: int | Fraction
    net: int | Fraction

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `pycs settle --json` prints it: amounts that are no whole number as floats, and as exact text.

        >>> settle("us", "QhJd9s8c2h", "AcQdJsTh9c", "call").to_dict()["net"]
        1
        """
        plain = asdict(self)
        for amount in ("bonus", "bonus_net", "staked", "returned", "net"):
            value = plain[amount]
            if isinstance(value, Fraction):
                plain[amount], plain[f"{amount}_exact"] = float(value), str(value)
        if self.board is None:
            del plain["board"], plain["bonus"], plain["bonus_line"], plain["bonus_net"]
        return plain


class _Hands(NamedTuple):
    player: tuple[int, ...]
    dealer: tuple[int, ...]
    board: tuple[int, ...]


def settle(
    profile: str | os.PathLike[str] | Rules,
    player: Cards,
    dealer: Cards,
    action: str,
    *,
    board: Cards | None = None,
    bonus: Stake = NO_BET,
    alphabet: Alphabet = "latin",
) -> Settlement:
    """The net result, in antes, of a finished round: the player's cards, the dealer's, and `fold` or `call`.

    In Caribbean Stud both have five cards. In Casino Hold'em both have two, and `board` is the five on the table, the
    flop first; `bonus` is the bet on the AA Bonus, in antes.

    InputError for cards, an action, a bet or a profile that cannot be. Safe to call from many threads.

    >>> settle("betmgm", "QhQs9d6c2h", "JhJcAs8d3c", "call").net
    3
    >>> settle("us", "QhJd9s8c2h", "AcQdJsTh9c", "call").outcome
    'not_qualified'
    >>> settle("casino-holdem", "AsKs", "QcQd", "call", board="AdKd2h7c3s", bonus="0.5").net
    Fraction(13, 2)
    """
    rules = load_rules(profile)
    game = game_of(rules)
    if not isinstance(action, str) or action not in ACTIONS:
        raise InputError(f"the action {quoted(action)}: {' or '.join(ACTIONS)} is allowed")
    if game is not CASINO_HOLDEM and board is not None:
        raise InputError(f"the board {quoted(board)}: {rules.name} has none, so it must be left out")
    hands = _read(game, player, dealer, board, alphabet)
    if game is CASINO_HOLDEM and board is None:
        raise InputError(f"the board is missing: {rules.name} needs its five cards, the flop first")
    mine, his = (int(strength) for strength in rank_hands([hands.player + hands.board, hands.dealer + hands.board]))
    qualifies = his >= qualifying_strength(rules.dealer.qualifies)
    outcome = "fold" if action == "fold" else _outcome(qualifies, mine, his)
    net = rules.net_of(outcome, category(mine))
    bet = bonus_bet(rules, Deal(hands.player, hands.board[:3]), bonus)
    stake = Fraction(0) if bet is None else bet.stake
    bonus_net = Fraction(0) if bet is None else bet.net_fold if action == "fold" else bet.net_call
    staked = rules.stakes.ante + (rules.stakes.call if action == "call" else 0) + stake
    return Settlement(
        profile=rules.name,
        player=format_cards(hands.player),
        dealer=format_cards(hands.dealer),
        board=format_cards(hands.board) if hands.board else None,
        action=action,
        player_category=category(mine),
        dealer_category=category(his),
        dealer_qualifies=qualifies,
        outcome=outcome,
        bonus=_whole(stake),
        bonus_line=None if bet is None else bet.line,
        bonus_net=_whole(bonus_net),
        staked=_whole(staked),
        returned=_whole(staked + net + bonus_net),
        net=_whole(net + bonus_net),
    )


def _read(game: Game, player: Cards, dealer: Cards, board: Cards | None, alphabet: Alphabet) -> _Hands:
    each = game.kernel.hand
    hands = _Hands(
        parse_cards(player, count=each, what="player's hand", alphabet=alphabet),
        parse_cards(dealer, count=each, what="dealer's hand", alphabet=alphabet),
        () if board is None else parse_cards(board, count=5, what="board", alphabet=alphabet),
    )
    check_distinct({"player's hand": hands.player, "dealer's hand": hands.dealer, "board": hands.board})
    return hands


def _outcome(qualifies: bool, mine: int, his: int) -> str:
    """What a called round ends in."""
    if not qualifies:
        return "not_qualified"
    return "win" if mine > his else "push" if mine == his else "lose"


def _whole(amount: Fraction) -> int | Fraction:
    return int(amount) if amount.denominator == 1 else amount
