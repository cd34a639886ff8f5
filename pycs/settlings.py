"""How a called round is settled, as tables by strength: what verdicts settle logs by, rightly and in wrong ways.

A wrong rule (`pycs.wrong_rules`) is a change of one of these tables.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from pycs.core import STRENGTHS
from pycs.offers import exchanges_allowed
from pycs.ranking import CATEGORIES_UP, categories, qualifying_strength

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pycs.rules import Rules

__all__ = ["STATES", "Settling", "exchange_fees", "settling_of"]

STATES: Final = ("ahead", "tied", "behind", "win", "push", "lose")
"""How a called round can end: the dealer does not qualify, and the player is ahead, tied or behind; or he qualifies."""


@dataclass(frozen=True, eq=False)
class Settling:
    """How called rounds are settled. Strengths are 0..7462 (0 is none), categories 0..9 as in `CATEGORIES_UP`.

    `order` (int32, by strength): the hand with the higher number is better, equal ones tie. `category` (uint8, by
    strength): the one by which a hand is paid. `qualifies` (bool, by strength): whether a dealer with it qualifies.
    `nets` (int64, shape (6, 10)): the net result in antes by the state (`STATES`) and the player's category. `fold` is
    the net result of a fold. `strength_ranks` says that `order` and `category` are those of true strengths, so that
    only money, or what qualifies, is other than usual. Safe to share among threads; not to be written to.
    """

    order: NDArray[np.int32]
    category: NDArray[np.uint8]
    qualifies: NDArray[np.bool_]
    nets: NDArray[np.int64]
    fold: int
    strength_ranks: bool = True

    @property
    def least(self) -> int | None:
        """The lowest strength that qualifies, where all above it do; None where it is not so."""
        least = int(np.argmax(self.qualifies[1:])) + 1
        return least if self.qualifies[1:].any() and self.qualifies[least:].all() else None

    def states(self, mine: NDArray[np.uint16], his: NDArray[np.uint16]) -> NDArray[np.uint8]:
        """The state in which each called round ends, as a number, by the strengths of both hands.

        >>> from pycs.rules import load_rules
        >>> settling = settling_of(load_rules("us"))
        >>> settling.states(np.array([10, 7462, 1], np.uint16), np.array([5, 7000, 1200], np.uint16)).tolist()
        [0, 3, 5]
        """
        place: NDArray[np.uint8] = (1 - np.sign(self.order[mine] - self.order[his])).astype(np.uint8)
        place += np.uint8(3) * self.qualifies[his]
        return place

    def called(self, mine: NDArray[np.uint16], his: NDArray[np.uint16]) -> NDArray[np.int64]:
        """The net result of each called round in antes."""
        nets: NDArray[np.int64] = self.nets[self.states(mine, his), self.category[mine]]
        return nets


def exchange_fees(rules: Rules) -> NDArray[np.int64]:
    """What giving up so many cards costs, in antes, int64 by their number from 0 to 5; 0 where it is not allowed.

    >>> from pycs.rules import load_rules
    >>> exchange_fees(load_rules("three-box")).tolist()
    [0, 0, 0, 0, 0, 1]
    """
    _, fees = exchanges_allowed(rules, None)
    return np.array([fees.get(number, 0) for number in range(6)], np.int64)


def settling_of(rules: Rules) -> Settling:
    """The right way to settle, by the rules.

    >>> from pycs.rules import load_rules
    >>> settling_of(load_rules("us")).nets[:, 5].tolist()
    [1, 1, 1, 11, 0, -3]
    """
    strengths = np.arange(STRENGTHS + 1)
    outcomes = ("not_qualified",) * 3 + ("win", "push", "lose")
    nets = [[rules.net_of(outcome, category) for category in CATEGORIES_UP] for outcome in outcomes]
    by_strength: NDArray[Any] = np.zeros(STRENGTHS + 1, np.uint8)
    by_strength[1:] = categories(strengths[1:])
    return Settling(
        order=strengths.astype(np.int32),
        category=by_strength,
        qualifies=(strengths >= qualifying_strength(rules.dealer.qualifies)) & (strengths > 0),
        nets=np.array(nets, np.int64),
        fold=rules.net_fold,
    )
