"""Logged rounds with what follows from their cards and the rules: strengths, states, the right net results.

Rounds whose cards cannot come from one deck are told apart; nothing follows from them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from pycs.cards import format_cards
from pycs.core import rank_hands
from pycs.deal_frames import NO_CARD
from pycs.games import CASINO_HOLDEM, game_of
from pycs.logged_rounds import LoggedRounds
from pycs.settlings import STATES, exchange_fees, settling_of
from pycs.wrong_rules import CalledRounds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from pycs.rules import Rules

    Masks: TypeAlias = NDArray[np.uint64]

__all__ = ["FOLDED", "CheckedRounds", "WrongDecks", "called_rounds", "check_rounds", "shown_cards"]

FOLDED: Final = len(STATES)
"""The state of a folded round, after those of called ones (`pycs.settlings.STATES`)."""

_EXAMPLES: Final = 3


@dataclass(frozen=True)
class WrongDecks:
    """Rounds whose cards cannot come from one deck: how many, by the two groups that share a card, and the first ones.

    Groups are called `player`, `given up`, `upcard` or `flop`, `dealer`, `turn and river`; a pair of the same group is
    a card that comes twice within it.
    """

    rounds: int
    pairs: Counter[tuple[str, str]]
    examples: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class CheckedRounds:
    """Rounds with cards from one deck. Arrays have a row for each.

    `mine`, `his` (uint16) are the strengths of the hands in the end; `his` is 0 where the dealer's cards are not shown.
    `state` (uint8) is one of `STATES`, or `FOLDED`; `category` (uint8) that of the player's final hand, `dealt` that of
    the first five cards: his hand, or hole cards and flop. `net` and `staked` (int64) are what the rules give, in
    antes, with what an exchange costs in them, which is `fees`. `index` (uint32) is the canonical index of the first
    decision. Masks (uint64) have a bit for each card: `player_mask` the hand that was dealt, `seen_mask` what the
    player saw first, `deal_mask` that and the cards that the dealer and the board have beside it, as far as they are
    shown: as many in every round, whatever is exchanged.
    """

    rounds: LoggedRounds
    mine: NDArray[np.uint16]
    his: NDArray[np.uint16]
    state: NDArray[np.uint8]
    category: NDArray[np.uint8]
    dealt: NDArray[np.uint8]
    net: NDArray[np.int64]
    staked: NDArray[np.int64]
    fees: NDArray[np.int64]
    index: NDArray[np.uint32]
    player_mask: Masks
    seen_mask: Masks
    deal_mask: Masks

    def taken(self, rows: Any) -> CheckedRounds:
        """Some of them: a mask, indices or a slice."""
        arrays = {name: getattr(self, name)[rows] for name in self.__dataclass_fields__ if name != "rounds"}
        return CheckedRounds(self.rounds.taken(rows), **arrays)

    @classmethod
    def joined(cls, batches: Sequence[CheckedRounds]) -> CheckedRounds:
        """The rounds of one batch or more, one after the other."""
        names = [name for name in cls.__dataclass_fields__ if name != "rounds"]
        arrays = {name: np.concatenate([getattr(batch, name) for batch in batches]) for name in names}
        return cls(LoggedRounds.joined([batch.rounds for batch in batches]), **arrays)


def check_rounds(rounds: LoggedRounds, rules: Rules) -> tuple[CheckedRounds, WrongDecks]:
    """What follows from the cards of these rounds, and those among them whose cards cannot be."""
    game = game_of(rules)
    groups = _groups(rounds, game.seen)
    masks = {name: np.where(there, _mask(cards), np.uint64(0)) for name, (cards, there) in groups.items()}
    sizes = {name: np.where(there, cards.shape[1], 0) for name, (cards, there) in groups.items()}
    sizes["given up"] = rounds.given
    union = np.bitwise_or.reduce(list(masks.values()))
    dealt = np.hstack([rounds.first, rounds.seen])  # as stated by the log, where it states both
    fair = (np.bitwise_count(union) == sum(sizes.values())) & (np.bitwise_count(_mask(dealt)) == dealt.shape[1])
    wrong = WrongDecks(0, Counter(), ())
    if not fair.all():
        wrong = _wrong_decks(rounds, groups, masks, sizes, ~fair)
        rounds = rounds.taken(fair)
        masks = {name: mask[fair] for name, mask in masks.items()}
    beside = [masks[name] for name in ("dealer", "turn and river") if name in masks]
    return _checked(rounds, rules, np.bitwise_or.reduce(beside)), wrong


def _checked(rounds: LoggedRounds, rules: Rules, beside: Masks) -> CheckedRounds:
    game, settling = game_of(rules), settling_of(rules)
    holdem = game is CASINO_HOLDEM
    first = np.hstack([rounds.first, rounds.seen])
    dealt = settling.category[rank_hands(first[:, :5])]
    known = rounds.shown & rounds.complete
    mine, his = np.zeros(rounds.rounds, np.uint16), np.zeros(rounds.rounds, np.uint16)
    final = rounds.complete
    if final.all() and known.all():
        both = called_rounds(rounds)
        mine, his = rank_hands(both.player), rank_hands(both.dealer)
    else:
        if final.any():
            mine[final] = rank_hands(called_rounds(rounds.taken(final)).player)
        if known.any():
            his[known] = rank_hands(called_rounds(rounds.taken(known)).dealer)
    if holdem:
        mine = np.where(final, mine, rank_hands(first[:, :5]))
    state = np.where(rounds.called, settling.states(mine, his), np.uint8(FOLDED))
    category = settling.category[mine]
    fees = exchange_fees(rules)[rounds.given]
    won = settling.nets[np.minimum(state, FOLDED - 1), category]
    net = np.where(rounds.called, won, settling.fold) - fees
    staked = rules.stakes.ante + rules.stakes.call * rounds.called.astype(np.int64) + fees
    seen_mask = _mask(first)
    return CheckedRounds(
        rounds,
        mine,
        his,
        state,
        category,
        dealt,
        net,
        staked,
        fees,
        game.kernel.indices(first),
        _mask(rounds.first),
        seen_mask,
        seen_mask | beside,
    )


def called_rounds(rounds: LoggedRounds) -> CalledRounds:
    """The hands of rounds that are shown to the end, as they are settled."""
    if rounds.late.shape[1]:
        board = [rounds.seen, rounds.late]
        return CalledRounds(np.hstack([rounds.player, *board]), np.hstack([rounds.hidden, *board]))
    return CalledRounds(rounds.player, np.hstack([rounds.seen, rounds.hidden]))


def shown_cards(rounds: LoggedRounds, row: int) -> str:
    """The cards of one round, as a message shows them.

    Called by those who tell of a round; the line comes first.
    """
    parts = [f"line {rounds.lines[row]}: player {_text(rounds.player[row])}"]
    if rounds.given[row]:
        parts.append(f"given up {_text(rounds.gave_up[row][rounds.gave_up[row] != NO_CARD])}")
    if rounds.late.shape[1]:
        late = _text(rounds.late[row]) if rounds.complete[row] else ""
        parts += [f"board {_text(rounds.seen[row])}{late}"]
        parts += [f"dealer {_text(rounds.hidden[row])}"] if rounds.shown[row] else []
    else:
        hidden = _text(rounds.hidden[row]) if rounds.shown[row] else ""
        parts += [f"dealer {_text(rounds.seen[row])}{hidden}"]
    return ", ".join(parts)


def _text(cards: NDArray[np.uint8]) -> str:
    return format_cards(cards.tolist())


def _groups(rounds: LoggedRounds, seen: str) -> dict[str, tuple[NDArray[np.uint8], Any]]:
    """The cards of a round by who holds them, and in which rounds they are known."""
    everywhere = np.ones(rounds.rounds, bool)
    groups: dict[str, tuple[NDArray[np.uint8], Any]] = {
        "player": (rounds.player, everywhere),
        seen: (rounds.seen, everywhere),
        "dealer": (rounds.hidden, rounds.shown),
    }
    if rounds.given.any():
        groups["given up"] = (rounds.gave_up, rounds.given > 0)
    if rounds.late.shape[1]:
        groups["turn and river"] = (rounds.late, rounds.complete)
    return groups


def _mask(cards: NDArray[np.uint8]) -> Masks:
    """A bit for each card of a row."""
    bits = np.where(cards == NO_CARD, np.uint64(0), np.uint64(1) << (cards & np.uint8(63)).astype(np.uint64))
    mask: Masks = np.bitwise_or.reduce(bits, axis=1)
    return mask


def _wrong_decks(
    rounds: LoggedRounds,
    groups: dict[str, Any],
    masks: dict[str, Masks],
    sizes: dict[str, Any],
    unfair: NDArray[np.bool_],
) -> WrongDecks:
    pairs: Counter[tuple[str, str]] = Counter()
    for name in groups:
        within = unfair & (np.bitwise_count(masks[name]) < sizes[name])
        pairs[name, name] += int(within.sum())
    for one, other in combinations(groups, 2):
        pairs[one, other] += int((unfair & (masks[one] & masks[other] != 0)).sum())
    rows = np.flatnonzero(unfair)
    examples = tuple(shown_cards(rounds, row) for row in rows[:_EXAMPLES].tolist())
    return WrongDecks(len(rows), +pairs, examples)
