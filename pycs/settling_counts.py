"""How a log's rounds were settled against the rules: what differs, what was staked, and rounds kept to find why."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from pycs.amounts import plain
from pycs.checked_rounds import FOLDED, shown_cards
from pycs.logged_rounds import MICRO

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pycs.checked_rounds import CheckedRounds
    from pycs.rules import Rules

    Ints: TypeAlias = NDArray[np.int64]

__all__ = ["Kept", "SettlingCounts", "settled_otherwise"]

_EXAMPLES: Final = 5
_DIFFERING: Final = 20_000  # rounds that are settled otherwise, kept to find out why
_AGREEING: Final = 40_000  # and rounds that are not, which a wrong rule must leave alone
_EACH: Final = 300  # further ones of each way to end with each category, so that rare hands are among them


@dataclass
class Kept:
    """Some rounds with the net result that the log states, in whole millionths of an ante; `rounds` are batches."""

    rounds: list[CheckedRounds] = field(default_factory=list)
    nets: list[Ints] = field(default_factory=list)
    size: int = 0

    def add(self, checked: CheckedRounds, nets: Ints, rows: Ints) -> None:
        """Keep these rows."""
        if len(rows):
            self.rounds.append(checked.taken(rows))
            self.nets.append(nets[rows])
            self.size += len(rows)


@dataclass
class SettlingCounts:
    """Sums over rounds. `settled` have a net result to check, `differing` of them another one than the rules give.

    `net` and `antes` are the log's, in millionths of its unit of money; `right_net`, `right_squares` and `staked` what
    the rules give for its cards and actions, in antes. `ends`: by whether cards were given up, the way to end (a state,
    or a fold) and the player's category, int64 of shape (2, 7, 10). `bets`: rounds whose call, fees or whole stake are
    not what the rules ask for, by the name of the column.
    """

    settled: int = 0
    differing: int = 0
    net: int = 0
    antes: int = 0
    right_net: int = 0
    right_squares: int = 0
    staked: int = 0
    ends: Ints = field(default_factory=lambda: np.zeros((2, FOLDED + 1, 10), np.int64))
    bets: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)
    bet_examples: list[str] = field(default_factory=list)
    wrong: Kept = field(default_factory=Kept)
    right: Kept = field(default_factory=Kept)
    _each: Ints = field(default_factory=lambda: np.zeros((FOLDED + 1) * 10, np.int64))

    def add(self, checked: CheckedRounds, rules: Rules) -> None:
        """Settle the rounds that follow."""
        rounds = checked.rounds
        if not rounds.rounds:
            return
        place = ((rounds.given > 0) * (FOLDED + 1) + checked.state) * 10 + checked.category
        self.ends += np.bincount(place, minlength=self.ends.size).reshape(self.ends.shape)
        self.right_net += int(checked.net.sum())
        self.right_squares += int((checked.net**2).sum())
        self.staked += int(checked.staked.sum())
        self._add_bets(checked, rules)
        if "net" in rounds.amounts:
            self._add_nets(checked, rounds.amounts["net"])

    def _add_nets(self, checked: CheckedRounds, nets: Ints) -> None:
        rounds = checked.rounds
        self.settled += rounds.rounds
        self.net += int(nets.sum())
        self.antes += int(rounds.ante.sum())
        differ = nets != checked.net * rounds.ante
        self.differing += int(differ.sum())
        in_antes = np.rint(nets / rounds.ante * MICRO).astype(np.int64)
        wrong = np.flatnonzero(differ)
        for row in wrong[: _EXAMPLES - len(self.examples)].tolist():
            self.examples.append(settled_otherwise(checked, row, int(nets[row]), int(rounds.ante[row])))
        self.wrong.add(checked, in_antes, wrong[: max(0, _DIFFERING - self.wrong.size)])
        agree = np.flatnonzero(~differ)
        rare = self._rare(checked, agree)
        common = agree[: max(0, _AGREEING - self.right.size)]
        self.right.add(checked, in_antes, np.union1d(common, rare))

    def _rare(self, checked: CheckedRounds, rows: Ints) -> Ints:
        """Of each way to end with each category the first ones."""
        kinds = checked.state[rows].astype(np.int64) * 10 + checked.category[rows]
        room = _EACH - self._each
        chosen = [rows[kinds == kind][: room[kind]] for kind in np.unique(kinds).tolist() if room[kind] > 0]
        self._each += np.minimum(np.bincount(kinds, minlength=len(room)), room)
        return np.concatenate(chosen) if chosen else np.empty(0, np.int64)

    def _add_bets(self, checked: CheckedRounds, rules: Rules) -> None:
        rounds = checked.rounds
        called = rounds.called.astype(np.int64) * rules.stakes.call
        needed: dict[str, Any] = {
            "call": called * rounds.ante,
            "fees": checked.fees * rounds.ante,
            "staked": checked.staked * rounds.ante,
        }
        if "net" in rounds.amounts:
            needed["returned"] = rounds.amounts["net"] + needed["staked"]
        for role, amount in needed.items():
            if role in rounds.amounts:
                wrong = np.flatnonzero(rounds.amounts[role] != amount)
                self.bets[role] += len(wrong)
                for row in wrong[: _EXAMPLES - len(self.bet_examples)].tolist():
                    told, right = plain_micro(rounds.amounts[role][row]), plain_micro(amount[row])
                    self.bet_examples.append(f"line {rounds.lines[row]}: {role} {told}, not {right}")


def plain_micro(amount: int) -> str:
    """An amount in millionths, as people write it.

    >>> plain_micro(-2500000)
    '-2.5'
    """
    return plain(Fraction(int(amount), MICRO))


def settled_otherwise(checked: CheckedRounds, row: int, net: int, ante: int) -> str:
    """A round with the net result of the log and that of the rules; `net` and `ante` are millionths of the unit."""
    done = STATE_WORDS[int(checked.state[row])]
    amounts = f"the log says {plain_micro(net)}, the rules {plain_micro(int(checked.net[row]) * ante)}"
    return f"{shown_cards(checked.rounds, row)}, {done}: {amounts}"


STATE_WORDS: Final = (
    *("called, dealer does not qualify",) * 3,
    "called, player wins",
    "called, push",
    "called, dealer wins",
    "folded",
)
"""How a round ended, by its state."""
