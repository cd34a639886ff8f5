"""A finished round, settled to the ante."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from pycs.aa_bonus import NO_BET, bonus_bet
from pycs.cards import check_distinct, format_cards, parse_cards
from pycs.core import rank_hands
from pycs.deals import Deal
from pycs.decisions import ACTIONS
from pycs.errors import InputError
from pycs.games import CASINO_HOLDEM, game_of
from pycs.messages import quoted
from pycs.offers import decided_later, exchanges_allowed, is_blind
from pycs.purse import read_ante, read_purse
from pycs.ranking import category, qualifying_strength
from pycs.rules import load_rules

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from pycs.amounts import Amount
    from pycs.cards import Alphabet
    from pycs.deals import Cards
    from pycs.games import Game
    from pycs.rules import Rules

__all__ = ["Money", "Settlement", "settle"]


@dataclass(frozen=True, slots=True)
class Settlement:
    """What a finished round pays. Amounts are in antes, exactly: `net` = `returned` - `staked`, all bets together; a
    Fraction where the amount is no whole number. `money` gives the same three in money, when the `ante` is known.

    `outcome` is `fold`, `not_qualified`, `win`, `push` or `lose`. The categories are those of the two hands; of the
    best five of seven in Casino Hold'em, where `board` is the five cards on the table and else None. `gave_up` are the
    cards given up, exchange by exchange, and `fees` what that cost, which is staked and lost. `bonus` is the bet
    on the AA Bonus, `bonus_net` what it brings, and `bonus_line` the line that hole cards and flop make for it; None
    for less than a pair of aces, and without a bet.
    """

    profile: str
    player: str
    dealer: str
    board: str | None
    box: int | None
    gave_up: tuple[str, ...]
    fees: int
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
    ante: Fraction | None

    @property
    def money(self) -> Money | None:
        """What is staked, returned and won in money; None when the ante is not known."""
        return (
            None if self.ante is None else Money(*(self.ante * each for each in (self.staked, self.returned, self.net)))
        )

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
        plain["gave_up"] = list(self.gave_up)
        plain["ante"] = None if self.ante is None else str(self.ante)
        plain["money"] = None if self.money is None else {k: str(v) for k, v in self.money._asdict().items()}
        if self.board is None:
            del plain["board"], plain["bonus"], plain["bonus_line"], plain["bonus_net"]
        else:
            del plain["box"], plain["gave_up"], plain["fees"]
        return plain


class Money(NamedTuple):
    """Amounts of money, in units of the table's currency."""

    staked: Fraction
    returned: Fraction
    net: Fraction


class _Hands(NamedTuple):
    player: tuple[int, ...]
    dealer: tuple[int, ...]
    board: tuple[int, ...]
    gave_up: tuple[tuple[int, ...], ...]


def settle(
    profile: str | os.PathLike[str] | Rules,
    player: Cards,
    dealer: Cards,
    action: str,
    *,
    board: Cards | None = None,
    gave_up: Sequence[Cards] = (),
    known: Cards = "",
    box: int | None = None,
    ante: Amount | None = None,
    balance: Amount | None = None,
    later: Amount | None = None,
    bonus: Amount = NO_BET,
    alphabet: Alphabet = "latin",
) -> Settlement:
    """The net result of a finished round, in antes: the player's cards, the dealer's, and `fold` or `call`.

    In Caribbean Stud both have five cards. In Casino Hold'em both have two, and `board` is the five on the table, the
    flop first; `bonus` is the bet on the AA Bonus, in antes.

    `gave_up` are the cards that the player gave up for others, one entry for each exchange; `player` is what he held in
    the end. `known` are cards shown in other boxes, which must not come twice. `box` is the number of the box: one of
    several is settled by itself, for each has its own ante and the dealer's hand is the same for all. `ante` is the one
    in money; with the `balance` that the player had at his first decision, beside all stakes on the table, and the
    antes of the boxes decided `later`, exchanges and a call that can't be paid are refused.

    InputError for cards, an action, a bet, money or a profile that cannot be. Safe to call from many threads.

    >>> settle("betmgm", "QhQs9d6c2h", "JhJcAs8d3c", "call").net
    3
    >>> settle("us", "QhJd9s8c2h", "AcQdJsTh9c", "call").outcome
    'not_qualified'
    >>> settle("casino-holdem", "AsKs", "QcQd", "call", board="AdKd2h7c3s", bonus="0.5").net
    Fraction(13, 2)
    >>> settle("three-box", "8h8d8c2d2s", "AdAc9c5h4s", "call", gave_up=["9c7d4h3s2c"], ante=10)
    Traceback (most recent call last):
    pycs.errors.InputError: 9c of the cards given up is also in the dealer's hand
    >>> settle("three-box", "8h8d8c2d2s", "AdAc9h5h4s", "call", gave_up=["9c7d4h3s2c"], ante=10).money.net
    Fraction(140, 1)
    """
    rules = load_rules(profile)
    game = game_of(rules)
    if not isinstance(action, str) or action not in ACTIONS:
        raise InputError(f"the action {quoted(action)}: {' or '.join(ACTIONS)} is allowed")
    if game is not CASINO_HOLDEM and board is not None:
        raise InputError(f"the board {quoted(board)}: {rules.name} has none, so it must be left out")
    hands = _read(game, player, dealer, board, gave_up, known, alphabet)
    if game is CASINO_HOLDEM and board is None:
        raise InputError(f"the board is missing: {rules.name} needs its five cards, the flop first")
    fees = _fees(rules, box, action, hands.gave_up)
    _require_paid(rules, box, ante, balance, later, action, fees)
    mine, his = (int(strength) for strength in rank_hands([hands.player + hands.board, hands.dealer + hands.board]))
    qualifies = his >= qualifying_strength(rules.dealer.qualifies)
    outcome = "fold" if action == "fold" else _outcome(qualifies, mine, his)
    net = rules.net_of(outcome, category(mine)) - sum(fees)
    bet = bonus_bet(rules, Deal(hands.player, hands.board[:3]), bonus)
    stake = Fraction(0) if bet is None else bet.stake
    bonus_net = Fraction(0) if bet is None else bet.net_fold if action == "fold" else bet.net_call
    staked = rules.stakes.ante + (rules.stakes.call if action == "call" else 0) + sum(fees) + stake
    return Settlement(
        profile=rules.name,
        player=format_cards(hands.player),
        dealer=format_cards(hands.dealer),
        board=format_cards(hands.board) if hands.board else None,
        box=box,
        gave_up=tuple(map(format_cards, hands.gave_up)),
        fees=sum(fees),
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
        ante=None if ante is None else read_ante(rules, ante),
    )


def _read(
    game: Game,
    player: Cards,
    dealer: Cards,
    board: Cards | None,
    gave_up: Sequence[Cards],
    known: Cards,
    alphabet: Alphabet,
) -> _Hands:
    each = game.kernel.hand
    hands = _Hands(
        parse_cards(player, count=each, what="player's hand", alphabet=alphabet),
        parse_cards(dealer, count=each, what="dealer's hand", alphabet=alphabet),
        () if board is None else parse_cards(board, count=5, what="board", alphabet=alphabet),
        tuple(parse_cards(cards, what="cards given up", alphabet=alphabet) for cards in _entries(gave_up)),
    )
    check_distinct(
        {
            "player's hand": hands.player,
            "dealer's hand": hands.dealer,
            "board": hands.board,
            "cards given up": tuple(card for cards in hands.gave_up for card in cards),
            "known cards": parse_cards(known, what="known cards", alphabet=alphabet),
        }
    )
    return hands


def _entries(gave_up: Sequence[Cards]) -> Sequence[Cards]:
    """A single text is a likely slip: its letters would pass for cards of one exchange each."""
    if isinstance(gave_up, str) or not hasattr(gave_up, "__iter__"):
        raise InputError(f"the cards given up {quoted(gave_up)}: a list is allowed, one entry for each exchange")
    return gave_up


def _fees(rules: Rules, box: int | None, action: str, gave_up: Sequence[tuple[int, ...]]) -> list[int]:
    """The fee of each exchange, in antes, when the rules allow them all."""
    where = rules.name if box is None else f"box {box} of {rules.name}"
    if is_blind(rules, box) and (gave_up or action != "call"):
        raise InputError(f"{where} is blind: it is called, without an exchange")
    allowed, fees = exchanges_allowed(rules, box)
    if len(gave_up) > allowed:
        made = "1 exchange" if len(gave_up) == 1 else f"{len(gave_up)} exchanges"
        raise InputError(f"{made}: {where} allows {'none' if allowed == 0 else f'at most {allowed}'}")
    for cards in gave_up:
        if len(cards) not in fees:
            sizes = " or ".join(map(str, fees))
            raise InputError(f"the cards given up {quoted(format_cards(cards) if cards else '')}: {sizes} are allowed")
    return [fees[len(cards)] for cards in gave_up]


def _require_paid(
    rules: Rules,
    box: int | None,
    ante: Amount | None,
    balance: Amount | None,
    later: Amount | None,
    action: str,
    fees: Sequence[int],
) -> None:
    """Refuse an exchange or a call that the balance did not pay for."""
    if balance is None and later is None:
        return
    if is_blind(rules, box):
        raise InputError(f"box {box} is blind: its call is staked before the deal, so the balance must be left out")
    purse = read_purse(rules, ante, balance, later, decided_later=decided_later(rules, box))
    if purse is None:
        return
    for number, paid in enumerate(accumulate(fees), 1):
        alike = set(fees[:number]) == {fees[0]}
        reason = purse.lacks_exchange(fees[0], number) if alike else purse.lacks_exchange(paid)
        if reason is not None:
            raise InputError(f"the exchange can't be paid: {reason}")
    if action == "call" and not fees and purse.lacks_call:
        raise InputError(purse.lacks_call)


def _outcome(qualifies: bool, mine: int, his: int) -> str:
    """What a called round ends in."""
    if not qualifies:
        return "not_qualified"
    return "win" if mine > his else "push" if mine == his else "lose"


def _whole(amount: Fraction) -> int | Fraction:
    return int(amount) if amount.denominator == 1 else amount
