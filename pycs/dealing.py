"""Rounds dealt by a seed: in blocks, on all cores, and the same whatever the number of threads.

The rounds of a seed are split into blocks of 65,536. Block b is dealt from the stream of xoshiro256** that lies b jumps
of 2^128 words behind the seed's start, so a round's cards hang on the seed and on its number alone.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

from pycs.core import LOOK, STRENGTHS, STUD, HoldemDealer, StudDealer, random_jump, random_start
from pycs.deal_frames import hand_runs
from pycs.errors import InputError
from pycs.games import CARIBBEAN_STUD, game_of
from pycs.messages import quoted
from pycs.ordered_work import in_order
from pycs.ranking import qualifying_strength, rank_hands
from pycs.stud_rules import CaribbeanStudRules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from numpy.typing import NDArray

    from pycs.core import SimulatedRounds
    from pycs.rules import Rules

    Dealer: TypeAlias = StudDealer | HoldemDealer

__all__ = ["BLOCK", "MOST_ROUNDS", "check_rounds", "check_seed", "dealer_of", "dealt", "threads_of"]

BLOCK: Final = 1 << 16
"""Rounds dealt from one stream."""

MOST_ROUNDS: Final = 10**12
"""The most rounds of a simulation: some hours on a hundred cores."""

_MOST_THREADS: Final = 999

Made = TypeVar("Made")


def dealer_of(
    rules: Rules, actions: NDArray[np.uint8], *, exchange: bool = False, gives_up: NDArray[np.uint8] | None = None
) -> Dealer:
    """What deals, decides and settles the rounds of these rules.

    `actions` says what is done with each canonical deal, in the order of their indices: 0 fold, 1 call, 2 exchange.
    `exchange`: whether one is on offer; `gives_up` is then the place of the one card that it gives up, by deal, and
    None where it gives up all five.
    """
    qualify = qualifying_strength(rules.dealer.qualifies)
    if game_of(rules) is not CARIBBEAN_STUD:
        return HoldemDealer(qualify, actions)
    assert isinstance(rules, CaribbeanStudRules)
    return StudDealer(qualify, _by_strength(actions), actions, gives_up, rules.exchange_nets if exchange else None)


def _by_strength(actions: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The action by strength and rank of the upcard, `LOOK` where it is not one alone: it spares most look-ups."""
    deals, _ = STUD.canonical_deals(np.arange(STUD.deals, dtype=np.uint32))
    hands, number = hand_runs(deals[:, :5])
    views = rank_hands(hands).astype(np.int64).take(number) * 13 + deals[:, 5] // 4
    found = np.full((STRENGTHS + 1) * 13, LOOK, np.uint8)
    taken = [np.bincount(views[actions == action], minlength=len(found)) > 0 for action in range(3)]
    alone = np.sum(taken, axis=0) == 1
    for action, some in enumerate(taken):
        found[some & alone] = action
    return found.reshape(STRENGTHS + 1, 13)


def dealt(
    dealer: Dealer,
    rounds: int,
    seed: int,
    make: Callable[[int, SimulatedRounds], Made],
    *,
    cards: bool = False,
    threads: int | None = None,
) -> Iterator[Made]:
    """The rounds of a seed, block by block and in order; `cards`: whether each round is given back, or counts alone.

    `make` gets the number of a block's first round, from 1, and its rounds; what it makes of them comes out. It runs in
    the threads that deal, which are so many, by default one for each core. They work two blocks ahead at most, so that
    memory is bounded for any number of rounds.

    >>> from pycs.played_games import played_game
    >>> [int(counts.sum()) for counts in dealt(played_game("us").dealer, 100_000, 1, lambda _, block: block.counts)]
    [65536, 34464]
    """
    workers = threads_of(threads)

    def made(block: tuple[int, NDArray[np.uint64]]) -> Made:
        first, stream = block
        return make(first + 1, dealer.rounds(stream, min(BLOCK, rounds - first), cards=cards))

    yield from in_order(made, _blocks(rounds, seed), threads=workers, ahead=2 * workers)


def _blocks(rounds: int, seed: int) -> Iterator[tuple[int, NDArray[np.uint64]]]:
    """Each block by the rounds before it, and its stream."""
    stream = random_start(seed)
    for first in range(0, rounds, BLOCK):
        yield first, stream
        stream = random_jump(stream)


def threads_of(threads: int | None) -> int:
    """How many threads deal, by default one for each core. InputError for a number that cannot be."""
    if threads is None:
        return os.cpu_count() or 1
    if isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= _MOST_THREADS:
        raise InputError(f"the threads {quoted(threads)}: 1 to {_MOST_THREADS} are allowed")
    return threads


def check_rounds(rounds: int) -> None:
    """InputError for a number of rounds that cannot be dealt."""
    if isinstance(rounds, bool) or not isinstance(rounds, int) or not 1 <= rounds <= MOST_ROUNDS:
        raise InputError(f"the rounds {quoted(rounds)}: 1 to {MOST_ROUNDS:,} are allowed")


def check_seed(seed: int) -> None:
    """InputError for a seed that is no number of 64 bits."""
    random_start(seed)
