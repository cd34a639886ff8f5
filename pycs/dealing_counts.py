"""What a log's cards show, counted: cards by place, hands by category, rounds that follow each other or come again,
and how called rounds ended against what their deals had in store."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from pycs.checked_rounds import FOLDED
from pycs.deal_facts import OUTCOMES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pycs.checked_rounds import CheckedRounds
    from pycs.deal_facts import DealFacts
    from pycs.logged_rounds import LoggedRounds

    Ints: TypeAlias = NDArray[np.int64]

__all__ = ["CLASSES", "DealingCounts"]

CLASSES: Final = ("high card", "pair", "two pair or better")
"""Classes of the first five cards, for what hangs on the round before."""

_MOST_REMEMBERED: Final = 1 << 22  # rounds: beyond that a share of them, chosen by their cards
_OUTCOME_OF: Final = np.array([0, 0, 0, 1, 2, 3])  # by the states of called rounds: places in OUTCOMES
_ORDERED: Final = 100_000  # rounds whose order is looked at
_MOST_BY_CHANCE: Final = 0.5  # of three cards or more in one order: by chance a fourth of three at most
_MOST_OF_TWO: Final = 0.8  # by chance a little over half
_WIN: Final = OUTCOMES.index("win")
_MIX: Final = np.uint64(0x9E3779B97F4A7C15)  # odd; spreads the bits of a mask (Knuth's multiplicative hashing)


def _orders(cards: NDArray[np.uint8]) -> Ints:
    """How many rows there are, and how many of them are in each of four orders, upward and downward.

    By rank, by card number, by suit, and with pairs first: by how often a rank is held, then by rank.
    """
    cards = cards.astype(np.int16)
    ranks = cards // 4
    alike = (ranks[:, :, None] == ranks[:, None, :]).sum(axis=2)
    keys = (ranks, cards, cards % 4 * 16 + ranks, alike * 16 + ranks)
    found = [len(cards)]
    for key in keys:
        steps = np.diff(key, axis=1)
        found += [int((steps >= 0).all(axis=1).sum()), int((steps <= 0).all(axis=1).sum())]
    return np.array(found, np.int64)


def _none(*shape: int) -> Ints:
    return np.zeros(shape, np.int64)


@dataclass
class DealingCounts:
    """Sums over rounds that are added in their order. Arrays are int64.

    `places[group]`: how often each card came at each place of the group (`player` as dealt, `upcard` or `flop`,
    `dealer`, `turn and river`), shape (places, 52), over `together[group]` rounds; the dealer's and the late cards only
    of rounds that show them. `orders[group]`: of the first rounds, how many have the group's cards in each of some
    orders, both ways.
    `dealt`, `dealers`: first five cards, and the dealer's final hands, by category.

    `drawn`: after an exchange, the first new card by its place among the 46 that the player had not seen.

    `overlaps`: by the number of cards that a round shares with the one before, the pairs of rounds: by what the player
    saw first (`seen`), and by all cards (`all`, where every round shows them). `pairs`: rounds 1 and 2, 3 and 4, ... by
    the classes of their first five cards.

    `outcomes`: called rounds without an exchange, by `OUTCOMES`; `expected` and `variances` the exact sums of their
    chances p and of p (1 - p) over the deals that came, in units of 1/completions and 1/completions^2; `thirds` those
    of p (1 - p) (1 - 2p), rounded. `drift`: their net results less what their deals are worth, in 1/completions;
    `drift_variance` its variance, in antes squared, rounded. `after`: wins less their chances, each with the sign of
    the result of the round before; `after_variance`, `after_third` as for outcomes.
    """

    completions: int
    rounds: int = 0
    places: dict[str, Ints] = field(default_factory=dict)
    together: dict[str, int] = field(default_factory=dict)
    orders: dict[str, Ints] = field(default_factory=dict)
    board_orders: Ints = field(default_factory=lambda: _none(9))
    dealt: Ints = field(default_factory=lambda: _none(10))
    dealers: Ints = field(default_factory=lambda: _none(10))
    drawn: Ints = field(default_factory=lambda: _none(46))
    overlaps: dict[str, Ints] = field(default_factory=lambda: {"seen": _none(11), "all": _none(11)})
    same_again: int = 0
    pairs: Ints = field(default_factory=lambda: _none(3, 3))
    called: int = 0
    outcomes: Ints = field(default_factory=lambda: _none(len(OUTCOMES)))
    expected: list[int] = field(default_factory=lambda: [0] * len(OUTCOMES))
    variances: list[int] = field(default_factory=lambda: [0] * len(OUTCOMES))
    thirds: list[float] = field(default_factory=lambda: [0.0] * len(OUTCOMES))
    drift: int = 0
    drift_variance: float = 0.0
    after: float = 0.0
    after_variance: float = 0.0
    after_third: float = 0.0
    remembered_share: int = 0
    """Of the rounds, one in 2 to this power is remembered, to see whether its cards come again."""
    _hashes: list[NDArray[np.uint64]] = field(default_factory=list)
    _numbers: list[Ints] = field(default_factory=list)
    _last: tuple[np.uint64, np.uint64, int] | None = None
    _single: int | None = None

    def add(self, checked: CheckedRounds, facts: DealFacts, seen: str) -> None:
        """Count the rounds that follow; `seen` is what the game calls the cards in sight."""
        rounds = checked.rounds
        if not rounds.rounds:
            return
        self._add_places("player", rounds.first)
        self._add_places(seen, rounds.seen)
        self._add_places("dealer", rounds.hidden[rounds.shown])
        if rounds.late.shape[1]:
            self._add_places("turn and river", rounds.late[rounds.complete])
            if self.rounds < _ORDERED and rounds.complete.any():
                board = np.hstack([rounds.seen, rounds.late])[rounds.complete]
                self.board_orders = self.board_orders + _orders(board)
        self.dealt += np.bincount(checked.dealt, minlength=10)
        known = checked.his > 0
        self.dealers += np.bincount(facts.category[checked.his[known]], minlength=10)
        if rounds.given.any():
            self._add_drawn(rounds.taken(rounds.given > 0))
        self._add_pairs(np.minimum(checked.dealt, 2).astype(np.int64))
        self._add_following(checked, *self._add_drift(checked, facts))
        self._remember(checked)
        self.rounds += rounds.rounds

    def _add_places(self, group: str, cards: NDArray[np.uint8]) -> None:
        counts = np.stack([np.bincount(column, minlength=52) for column in cards.T]).astype(np.int64)
        self.places[group] = self.places.get(group, np.zeros_like(counts)) + counts
        self.together[group] = self.together.get(group, 0) + len(cards)
        if cards.shape[1] > 1 and self.together[group] - len(cards) < _ORDERED:
            self.orders[group] = self.orders.get(group, _none(9)) + _orders(cards)

    def _add_drawn(self, rounds: LoggedRounds) -> None:
        new = ~(rounds.player[:, :, None] == rounds.first[:, None, :]).any(axis=2)
        card = np.take_along_axis(rounds.player, new.argmax(axis=1)[:, None], axis=1)
        seen = np.hstack([rounds.first, rounds.seen])
        self.drawn += np.bincount(card[:, 0] - (seen < card).sum(axis=1), minlength=46)

    def _add_pairs(self, classes: Ints) -> None:
        if self._single is not None:
            classes = np.concatenate([[self._single], classes])
        whole = len(classes) // 2 * 2
        self.pairs += np.bincount(classes[:whole:2] * 3 + classes[1:whole:2], minlength=9).reshape(3, 3)
        self._single = int(classes[-1]) if len(classes) > whole else None

    def _add_drift(self, checked: CheckedRounds, facts: DealFacts) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Each round's win (1 or 0) less its chance, and the chance; 0 where the round was not called."""
        rounds, completions = checked.rounds, self.completions
        drift, chance = np.zeros(rounds.rounds), np.zeros(rounds.rounds)
        plain = np.flatnonzero((checked.state != FOLDED) & (rounds.given == 0))
        index = checked.index[plain]
        self.called += len(plain)
        outcome = _OUTCOME_OF[checked.state[plain]]
        self.outcomes += np.bincount(outcome, minlength=len(OUTCOMES))
        for place, by_deal in enumerate(facts.outcomes):
            ways = by_deal[index].astype(np.int64)
            self.expected[place] += int(ways.sum())
            self.variances[place] += int((ways * (completions - ways)).sum())
            p = ways / completions
            self.thirds[place] += float((p * (1 - p) * (1 - 2 * p)).sum())
            if place == _WIN:
                chance[plain] = p
                drift[plain] = (outcome == _WIN) - p
        short = checked.net[plain] * completions - facts.call[index]
        self.drift += int(short.sum())
        mean = facts.call[index] / completions
        self.drift_variance += float((facts.square[index] / completions - mean**2).sum())
        return drift, chance

    def _add_following(self, checked: CheckedRounds, drift: NDArray[np.float64], chance: NDArray[np.float64]) -> None:
        """What hangs on two rounds that follow each other."""
        seen, every, sign = checked.seen_mask, checked.deal_mask, np.sign(checked.net)
        if self._last is None:
            drift, chance = drift[1:], chance[1:]
        else:
            seen, every = (
                np.concatenate([np.array([last], np.uint64), mask])
                for last, mask in zip(self._last, (seen, every), strict=False)
            )
            sign = np.concatenate([[self._last[2]], sign])
        for name, masks in (("seen", seen), ("all", every)):
            self.overlaps[name] += np.bincount(np.bitwise_count(masks[1:] & masks[:-1]), minlength=11)[:11]
        self.same_again += int((every[1:] == every[:-1]).sum())
        before, spread = sign[:-1].astype(float), chance * (1 - chance)
        self.after += float((before * drift).sum())
        self.after_variance += float((before**2 * spread).sum())
        self.after_third += float((before * spread * (1 - 2 * chance)).sum())
        self._last = seen[-1], every[-1], int(sign[-1])

    def _remember(self, checked: CheckedRounds) -> None:
        """A round as one number: which cards the player saw first, and which others came, whatever their order."""
        mixed = checked.deal_mask * _MIX
        mixed ^= mixed >> np.uint64(29)
        hashes = (mixed + checked.seen_mask) * _MIX
        hashes ^= hashes >> np.uint64(32)
        self._keep(hashes, np.arange(self.rounds, self.rounds + len(hashes)))
        while sum(map(len, self._hashes)) > _MOST_REMEMBERED:
            self.remembered_share += 1
            hashed, numbers = self._hashes, self._numbers
            self._hashes, self._numbers = [], []
            for some, their in zip(hashed, numbers, strict=True):
                self._keep(some, their)

    def _keep(self, hashes: NDArray[np.uint64], numbers: Ints) -> None:
        kept = hashes & np.uint64((1 << self.remembered_share) - 1) == 0
        self._hashes.append(hashes[kept])
        self._numbers.append(numbers[kept])

    @property
    def in_order(self) -> tuple[str, ...]:
        """The groups whose cards the log puts in some order, so that places say nothing of how they were dealt."""
        return tuple(
            group
            for group, orders in self.orders.items()
            if orders[1:].max() > (_MOST_BY_CHANCE if len(self.places[group]) > 2 else _MOST_OF_TWO) * orders[0]
        )

    @property
    def board_in_order(self) -> bool:
        """Whether the five cards of the board are put in some order, so that the flop is lost."""
        return bool(self.board_orders[0]) and self.board_orders[1:].max() > _MOST_BY_CHANCE * self.board_orders[0]

    def repeats(self) -> tuple[int, int, int | None]:
        """Rounds that are remembered, pairs of them with the same cards, and the distance that is commonest among these
        pairs, in rounds (None without one)."""
        hashes, numbers = np.concatenate(self._hashes), np.concatenate(self._numbers)
        order = np.argsort(hashes, kind="stable")
        hashes, numbers = hashes[order], numbers[order]
        same = np.flatnonzero(hashes[1:] == hashes[:-1])
        if not len(same):
            return len(hashes), 0, None
        apart, times = np.unique(numbers[same + 1] - numbers[same], return_counts=True)
        _, sizes = np.unique(hashes[np.union1d(same, same + 1)], return_counts=True)
        return len(hashes), int((sizes * (sizes - 1) // 2).sum()), int(apart[times.argmax()])
