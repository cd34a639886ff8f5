"""The wrong rules that a verdict tries on a log: each a way in which real simulators go wrong, as a settling.

A log whose rounds are settled otherwise than the rules say is settled again by each of them; the one that gives what
the log says is the likely cause. `docs/verification.md` lists them with the log sizes at which they are found.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np

from pycs.cards import RANKS
from pycs.core import STRENGTHS, rank_hands
from pycs.games import CARIBBEAN_STUD, CASINO_HOLDEM
from pycs.ranking import CATEGORIES_UP, qualifying_strength, strengths_of
from pycs.settlings import STATES, Settling, settling_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pycs.rules import Rules

    Ints: TypeAlias = NDArray[np.int64]

__all__ = ["WRONG_RULES", "CalledRounds", "WrongRule", "called_nets", "wrong_rules_of"]

_AHEAD, _TIED, _BEHIND, _WIN, _PUSH, _LOSE = range(len(STATES))
_FAILS: Final = [_AHEAD, _TIED, _BEHIND]

_Change: TypeAlias = Callable[[Settling, "Rules"], Settling]


class CalledRounds(NamedTuple):
    """Rounds that were called: the cards of both hands, uint8 of shape (n, 5), and in Casino Hold'em (n, 7): the hole
    cards, then the board, the flop first."""

    player: NDArray[np.uint8]
    dealer: NDArray[np.uint8]


@dataclass(frozen=True)
class WrongRule:
    """A way to settle wrongly: `words` say it, after "as if"; `games` are those in which it can be.

    `change` makes the wrong settling out of the right one. `by_cards`, where it is there, gives the net results of
    called rounds in another way, for what strengths do not tell.
    """

    name: str
    words: str
    change: _Change
    games: tuple[str, ...] = (CARIBBEAN_STUD.name, CASINO_HOLDEM.name)
    by_cards: Callable[[Settling, CalledRounds], Ints] | None = None

    def settling(self, rules: Rules) -> Settling:
        """How rounds are settled under this rule.

        >>> from pycs.rules import load_rules
        >>> ties_lost = next(rule for rule in WRONG_RULES if rule.name == "ties-lost")
        >>> ties_lost.settling(load_rules("us")).nets[:, 0].tolist()
        [1, 1, 1, 3, -3, -3]
        """
        return _settling(self, rules)

    def nets(self, rules: Rules, rounds: CalledRounds) -> Ints:
        """The net result of each called round under this rule, in antes, int64."""
        settling = self.settling(rules)
        return called_nets(settling, rounds) if self.by_cards is None else self.by_cards(settling, rounds)


@lru_cache(maxsize=256)
def _settling(rule: WrongRule, rules: Rules) -> Settling:
    return rule.change(settling_of(rules), rules)


def called_nets(settling: Settling, rounds: CalledRounds) -> Ints:
    """The net result of each called round, in antes, int64, by a settling that may rank hands in a way of its own.

    >>> from pycs.rules import load_rules
    >>> wheel, aces = [51, 0, 5, 10, 15], [50, 49, 46, 41, 36]
    >>> rounds = CalledRounds(np.array([wheel], np.uint8), np.array([aces], np.uint8))
    >>> called_nets(settling_of(load_rules("us")), rounds).tolist()
    [9]
    """
    if settling.strength_ranks:
        return settling.called(rank_hands(rounds.player), rank_hands(rounds.dealer))
    return settling.called(_best_five(settling, rounds.player), _best_five(settling, rounds.dealer))


def _best_five(settling: Settling, hands: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """The strength of those five cards that are best in the order of the settling."""
    if hands.shape[1] == 5:
        return rank_hands(hands)
    fives = np.stack([rank_hands(hands[:, list(five)]) for five in combinations(range(hands.shape[1]), 5)])
    best: NDArray[np.uint16] = np.take_along_axis(fives, settling.order[fives].argmax(axis=0)[None], axis=0)[0]
    return best


def wrong_rules_of(rules: Rules) -> tuple[WrongRule, ...]:
    """Those of `WRONG_RULES` that change anything in these rules, the likely ones first."""
    right = settling_of(rules)
    return tuple(
        rule
        for rule in WRONG_RULES
        if rules.game in rule.games and (rule.by_cards or _differ(rule.settling(rules), right))
    )


def _differ(one: Settling, other: Settling) -> bool:
    arrays = ("order", "category", "qualifies", "nets")
    return one.fold != other.fold or any((getattr(one, name) != getattr(other, name)).any() for name in arrays)


# --- hands that are ranked in a wrong way -------------------------------------------------------------------------


@cache
def _held() -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """By strength: how many cards of each rank, shape (7463, 13), and whether they are of one suit."""
    counts, suited = np.zeros((STRENGTHS + 1, len(RANKS)), np.uint8), np.zeros(STRENGTHS + 1, bool)
    for ranks in combinations_with_replacement(range(len(RANKS)), 5):
        if max(map(ranks.count, ranks)) > 4:
            continue
        plain = [
            4 * rank + (ranks[:place].count(rank) or place % 4 * (ranks.count(rank) == 1))
            for place, rank in enumerate(ranks)
        ]
        for cards, one_suit in ((plain, False), ([4 * rank for rank in ranks], True)):
            if len(set(cards)) == 5:
                strength = int(rank_hands([cards])[0])
                counts[strength], suited[strength] = np.bincount(ranks, minlength=len(RANKS)), one_suit
    return counts, suited


def _strength(ranks: str, *, suited: bool) -> int:
    """The strength of five cards of these ranks."""
    return int(
        rank_hands([[4 * RANKS.index(rank) + (0 if suited else place % 2) for place, rank in enumerate(ranks)]])[0]
    )


def _reranked(settling: Settling, order: NDArray[Any], **changes: Any) -> Settling:
    return replace(settling, order=order.astype(np.int32), strength_ranks=False, **changes)


def _alike(settling: Settling, category: str, key: Callable[[NDArray[np.uint8]], NDArray[Any]]) -> Settling:
    """Hands of one category are equal where `key` of their ranks is: what else they hold does not count."""
    order, (counts, _) = settling.order.copy(), _held()
    where = np.array(strengths_of(category))
    _, group = np.unique(key(counts[where]), axis=0, return_inverse=True)
    for number in range(group.max() + 1):
        alike = where[group.ravel() == number]
        order[alike] = order[alike].min()
    return _reranked(settling, order)


def _only(times: int) -> Callable[[NDArray[np.uint8]], NDArray[Any]]:
    """The ranks that are held so many times."""
    return lambda counts: counts == times


def _top(counts: NDArray[np.uint8]) -> NDArray[Any]:
    """The highest rank."""
    highest: NDArray[Any] = len(RANKS) - 1 - (counts[:, ::-1] > 0).argmax(axis=1, keepdims=True)
    return highest


def _ace_king_alike(settling: Settling, _: Rules) -> Settling:
    lowest, above = qualifying_strength("ace-king"), qualifying_strength("pair-of-twos")
    order = settling.order.copy()
    order[lowest:above] = order[lowest]
    return _reranked(settling, order)


def _wheel_missed(settling: Settling, _: Rules) -> Settling:
    """A-5-4-3-2 is ace high, just below A-6-4-3-2."""
    order, category, qualifies = 2 * settling.order, settling.category.copy(), settling.qualifies.copy()
    for suited, name in ((False, "high card"), (True, "flush")):
        wheel, above = _strength("A5432", suited=suited), _strength("A6432", suited=suited)
        order[wheel], category[wheel] = order[above] - 1, CATEGORIES_UP.index(name)
        qualifies[wheel] = qualifies[above - 1]
    return _reranked(settling, order, category=category, qualifies=qualifies)


def _wheel_high(settling: Settling, _: Rules) -> Settling:
    order = settling.order.copy()
    for suited in (False, True):
        order[_strength("A5432", suited=suited)] = order[_strength("AKQJT", suited=suited)]
    return _reranked(settling, order)


def _straight_wraps(settling: Settling, _: Rules) -> Settling:
    """K-A-2 within a straight, which is then below A-2-3-4-5, by the card that it ends with."""
    order, category, qualifies = 4 * settling.order, settling.category.copy(), settling.qualifies.copy()
    for suited, name in ((False, "straight"), (True, "straight flush")):
        lowest = order[_strength("A5432", suited=suited)]
        for below, ranks in enumerate(("AK432", "AKQ32", "AKQJ2"), 1):
            wrapped = _strength(ranks, suited=suited)
            order[wrapped], category[wrapped], qualifies[wrapped] = lowest - below, CATEGORIES_UP.index(name), True
    return _reranked(settling, order, category=category, qualifies=qualifies)


def _straight_flush_missed(settling: Settling, _: Rules) -> Settling:
    """A straight flush is a flush of its ranks."""
    order, category = settling.order.astype(np.int64) * 16, settling.category.copy()
    counts, suited = _held()
    flushes = np.array(strengths_of("flush"))
    by_ranks = [counts[flushes][:, rank].astype(np.int64) << rank for rank in range(len(RANKS))]
    masks = np.sum(by_ranks, axis=0)
    for strength in (*strengths_of("straight flush"), *strengths_of("royal flush")):
        mask = int(sum(int(count) << rank for rank, count in enumerate(counts[strength])))
        below = flushes[masks < mask]
        order[strength] = order[below.max() if len(below) else flushes[0] - 1] + 1 + strength % 12
        category[strength] = CATEGORIES_UP.index("flush")
    assert suited[flushes].all()
    ranked = np.unique(order, return_inverse=True)[1]
    return _reranked(settling, ranked, category=category)


def _royal_as_straight_flush(settling: Settling, _: Rules) -> Settling:
    category = settling.category.copy()
    category[STRENGTHS] = CATEGORIES_UP.index("straight flush")
    return replace(settling, category=category)


# --- money that is paid in a wrong way ----------------------------------------------------------------------------


def _nets(change: Callable[[Ints, Rules], None]) -> _Change:
    """Other net results: `change` writes into a copy of them, shape (6, 10)."""

    def changed(settling: Settling, rules: Rules) -> Settling:
        nets = settling.nets.copy()
        change(nets, rules)
        return replace(settling, nets=nets)

    return changed


def _row(states: int | list[int], net: Callable[[Ints, Rules], Any]) -> _Change:
    """These states bring this net result, by the right ones and the rules; one number, or one for each category."""

    def write(nets: Ints, rules: Rules) -> None:
        nets[states] = net(nets.copy(), rules)

    return _nets(write)


def _call_pays(nets: Ints, rules: Rules) -> Ints:
    """What the call wins when it is paid, by category."""
    won: Ints = nets[_WIN] - rules.stakes.ante * (_ante_pays(nets, rules) if rules.game == CASINO_HOLDEM.name else 1)
    return won


def _ante_pays(nets: Ints, rules: Rules) -> Ints:
    """Casino Hold'em: what the ante wins to one, by category."""
    pays: Ints = (nets[_WIN] - rules.stakes.call) // rules.stakes.ante
    return pays


def _more_to_one(more: int) -> _Change:
    """Each line of the pay table pays so much more to one."""

    def write(nets: Ints, rules: Rules) -> None:
        holdem = rules.game == CASINO_HOLDEM.name
        nets[_WIN] += more * (rules.stakes.ante if holdem else rules.stakes.call)
        if holdem:
            nets[_FAILS] += more * rules.stakes.ante

    return _nets(write)


def _call_of_one(settling: Settling, rules: Rules) -> Settling:
    """The call is as large as the ante."""
    ante, call = rules.stakes.ante, rules.stakes.call
    nets = settling.nets.copy()
    nets[_WIN] -= _call_pays(settling.nets, rules) * (call - ante) // call
    nets[_LOSE] = -2 * ante
    return replace(settling, nets=nets)


def _by_five_cards(settling: Settling, rounds: CalledRounds) -> Ints:
    """Casino Hold'em: hole cards and flop say by which line the ante is paid."""
    mine, his, paid = rank_hands(rounds.player), rank_hands(rounds.dealer), rank_hands(rounds.player[:, :5])
    nets: Ints = settling.nets[settling.states(mine, his), settling.category[paid]]
    return nets


def _board_cannot_qualify(settling: Settling, rounds: CalledRounds) -> Ints:
    """Casino Hold'em: a dealer whose best five are the board's does not qualify."""
    mine, his, board = rank_hands(rounds.player), rank_hands(rounds.dealer), rank_hands(rounds.dealer[:, 2:])
    states = settling.states(mine, his)
    states[(states >= _WIN) & (his == board)] -= _WIN
    nets: Ints = settling.nets[states, settling.category[mine]]
    return nets


def _own_cards_qualify(settling: Settling, rounds: CalledRounds) -> Ints:
    """Casino Hold'em: a dealer's pair counts only when one of his own cards is in it."""
    mine, his = rank_hands(rounds.player), rank_hands(rounds.dealer)
    ranks = rounds.dealer // 4
    own = np.zeros(len(ranks), bool)
    for hole in range(2):
        others = [place for place in range(7) if place != hole]
        own |= (ranks[:, [hole]] == ranks[:, others]).any(axis=1)
    states = settling.states(mine, his)
    pair = settling.category[his] == CATEGORIES_UP.index("pair")
    states[(states >= _WIN) & pair & ~own] -= _WIN
    nets: Ints = settling.nets[states, settling.category[mine]]
    return nets


def _qualifies(lowest: str) -> _Change:
    """The dealer qualifies with another hand or better."""
    return lambda settling, _: replace(settling, qualifies=np.arange(STRENGTHS + 1) >= qualifying_strength(lowest))


def _king_high_qualifies(settling: Settling, _: Rules) -> Settling:
    lowest = _strength("K5432", suited=False)
    return replace(settling, qualifies=np.arange(STRENGTHS + 1) >= lowest)


def _unchanged(settling: Settling, _: Rules) -> Settling:
    return settling


def _stake(rules: Rules) -> int:
    return rules.stakes.ante + rules.stakes.call


_STUD: Final = (CARIBBEAN_STUD.name,)
_HOLDEM: Final = (CASINO_HOLDEM.name,)

WRONG_RULES: Final = (
    WrongRule("ties-lost", "a tie lost ante and call", _row(_PUSH, lambda nets, _: nets[_LOSE])),
    WrongRule("ties-won", "a tie won for the player", _row(_PUSH, lambda nets, _: nets[_WIN])),
    WrongRule(
        "ante-pushed-when-behind",
        "the ante came back, and won nothing, when the dealer does not qualify and the player is behind",
        _row(_BEHIND, lambda *_: 0),
    ),
    WrongRule(
        "ante-lost-when-behind",
        "the ante were lost when the dealer does not qualify and the player is behind",
        _row(_BEHIND, lambda _, rules: -rules.stakes.ante),
    ),
    WrongRule(
        "all-lost-when-behind",
        "ante and call were lost when the dealer does not qualify and the player is behind",
        _row(_BEHIND, lambda _, rules: -_stake(rules)),
    ),
    WrongRule(
        "ante-pushed-when-dealer-fails",
        "the ante won nothing when the dealer does not qualify",
        _row(_FAILS, lambda *_: 0),
    ),
    WrongRule(
        "call-paid-when-dealer-fails",
        "the call were paid as well when the dealer does not qualify",
        _row(_FAILS, lambda nets, rules: nets[_FAILS] + _call_pays(nets, rules)),
    ),
    WrongRule(
        "call-paid-even-when-dealer-fails",
        "the call were paid 1 to 1 when the dealer does not qualify",
        _row(_FAILS, lambda nets, rules: nets[_FAILS] + rules.stakes.call),
        _STUD,
    ),
    WrongRule(
        "call-paid-when-dealer-fails-and-ahead",
        "the call were paid as well when the dealer does not qualify and the player is ahead",
        _row(_AHEAD, lambda nets, rules: nets[_AHEAD] + _call_pays(nets, rules)),
    ),
    WrongRule(
        "call-lost-when-dealer-fails",
        "the call were lost when the dealer does not qualify",
        _row(_FAILS, lambda nets, rules: nets[_FAILS] - rules.stakes.call),
    ),
    WrongRule(
        "for-one-read-as-to-one",
        "each line of the pay table paid one more to one: a table 'for one' that was read as 'to one'",
        _more_to_one(1),
    ),
    WrongRule(
        "to-one-read-as-for-one",
        "each line of the pay table paid one less to one: a table 'to one' that was read as 'for one'",
        _more_to_one(-1),
    ),
    WrongRule(
        "ante-not-paid-on-win",
        "the ante won nothing when the player beats a dealer who qualifies",
        _row(_WIN, lambda nets, rules: _call_pays(nets, rules)),
    ),
    WrongRule(
        "ante-pays-table-too",
        "the ante were paid by the call's pay table as well",
        _row(_WIN, lambda nets, rules: _call_pays(nets, rules) // rules.stakes.call * _stake(rules)),
        _STUD,
    ),
    WrongRule(
        "call-pays-table-too",
        "the call were paid by the ante's pay table as well",
        _row(_WIN, lambda nets, rules: _ante_pays(nets, rules) * _stake(rules)),
        _HOLDEM,
    ),
    WrongRule(
        "loss-takes-ante-only",
        "a hand that is beaten lost the ante alone",
        _row(_LOSE, lambda _, rules: -rules.stakes.ante),
    ),
    WrongRule(
        "loss-takes-call-only",
        "a hand that is beaten lost the call alone",
        _row(_LOSE, lambda _, rules: -rules.stakes.call),
    ),
    WrongRule("call-of-one", "the call were as large as the ante", _call_of_one),
    WrongRule("fold-costs-nothing", "a fold gave the ante back", lambda s, _: replace(s, fold=0)),
    WrongRule("fold-costs-the-call", "a fold lost the call as well", lambda s, r: replace(s, fold=-_stake(r))),
    WrongRule(
        "ante-one-to-one-when-dealer-fails",
        "the ante won 1 to 1 when the dealer does not qualify, not by the table",
        _row(_FAILS, lambda _, rules: rules.stakes.ante),
        _HOLDEM,
    ),
    WrongRule(
        "ante-by-table-when-dealer-fails",
        "the ante won by the table when the dealer does not qualify, not 1 to 1",
        _row(_FAILS, lambda nets, rules: rules.stakes.ante * _ante_pays(nets, rules)),
        _HOLDEM,
    ),
    WrongRule("dealer-always-qualifies", "every dealer qualified", _qualifies("any")),
    WrongRule("ace-high-qualifies", "the dealer qualified with ace high", _qualifies("ace-high")),
    WrongRule("king-high-qualifies", "the dealer qualified with king high", _king_high_qualifies),
    WrongRule("ace-king-qualifies", "the dealer qualified with ace-king", _qualifies("ace-king"), _HOLDEM),
    WrongRule(
        "pair-qualifies",
        "the dealer needed a pair to qualify, and ace-king were not enough",
        _qualifies("pair-of-twos"),
        _STUD,
    ),
    WrongRule("any-pair-qualifies", "the dealer qualified with any pair", _qualifies("pair-of-twos"), _HOLDEM),
    WrongRule(
        "pair-of-threes-qualifies", "the dealer qualified with a pair of threes", _qualifies("pair-of-threes"), _HOLDEM
    ),
    WrongRule(
        "pair-of-fours-qualifies", "the dealer qualified with a pair of fours", _qualifies("pair-of-fours"), _HOLDEM
    ),
    WrongRule(
        "pair-of-fives-qualifies", "the dealer needed a pair of fives to qualify", _qualifies("pair-of-fives"), _HOLDEM
    ),
    WrongRule(
        "board-cannot-qualify",
        "a dealer whose best five cards are the board did not qualify",
        _unchanged,
        _HOLDEM,
        by_cards=_board_cannot_qualify,
    ),
    WrongRule(
        "board-pair-cannot-qualify",
        "a pair on the board did not qualify the dealer",
        _unchanged,
        _HOLDEM,
        by_cards=_own_cards_qualify,
    ),
    WrongRule(
        "paid-by-five-cards",
        "the ante were paid by hole cards and flop, not by the best five of seven",
        _unchanged,
        _HOLDEM,
        by_cards=_by_five_cards,
    ),
    WrongRule(
        "ace-king-kickers-ignored",
        "two hands of ace-king were equal whatever cards stand beside",
        _ace_king_alike,
        _STUD,
    ),
    WrongRule(
        "two-pair-kicker-ignored",
        "two pair were compared without the fifth card",
        lambda s, _: _alike(s, "two pair", _only(2)),
    ),
    WrongRule(
        "pair-kickers-ignored",
        "a pair were compared without the cards beside it",
        lambda s, _: _alike(s, "pair", _only(2)),
    ),
    WrongRule("wheel-missed", "A-2-3-4-5 were no straight", _wheel_missed),
    WrongRule("wheel-high", "A-2-3-4-5 were the highest straight", _wheel_high),
    WrongRule("straight-wraps", "a straight could go on from the king over the ace", _straight_wraps),
    WrongRule(
        "flush-by-top-card", "flushes were compared by their highest card alone", lambda s, _: _alike(s, "flush", _top)
    ),
    WrongRule(
        "three-of-a-kind-kickers-ignored",
        "three of a kind were compared without the cards beside them",
        lambda s, _: _alike(s, "three of a kind", _only(3)),
        _HOLDEM,
    ),
    WrongRule("straight-flush-missed", "a straight flush were a flush", _straight_flush_missed),
    WrongRule("royal-as-straight-flush", "a royal flush were paid as a straight flush", _royal_as_straight_flush),
)
"""All of them, the likely ones first: where two explain a log equally, the first is named."""
