"""A log of rounds, counted: its batches are read and checked by threads, and counted in their order."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from pycs.amounts import read_amount
from pycs.checked_rounds import FOLDED, CheckedRounds, WrongDecks, called_rounds, check_rounds
from pycs.dealing_counts import DealingCounts
from pycs.games import game_of
from pycs.logged_rounds import MICRO, amounts_of, read_rounds
from pycs.ordered_work import in_order
from pycs.play_counts import PlayCounts
from pycs.progress import progress_bar
from pycs.settling_counts import SettlingCounts
from pycs.wrong_rules import WrongRule, wrong_rules_of

if TYPE_CHECKING:
    from pycs.amounts import Amount
    from pycs.cards import Alphabet
    from pycs.deal_facts import DealFacts
    from pycs.log_columns import LogColumns
    from pycs.log_files import Batch, LogFile, Rejected
    from pycs.logged_rounds import LoggedRounds
    from pycs.rules import Rules

__all__ = ["LogCounts", "ante_of", "counted_log", "with_bet"]

_SHOWN: Final = 3  # lines of each kind of trouble
_AHEAD: Final = 4  # batches in hand, whatever the number of threads, for each takes tens of megabytes


@dataclass
class LogCounts:
    """All that is counted over a log.

    `wrong_decks` are rounds whose cards cannot come from one deck, by the groups that share them (`twice`). `rejected`:
    lines that are left out, by the reason. `unseen_rules` are the wrong rules that would have changed no round.
    """

    dealing: DealingCounts
    settling: SettlingCounts = field(default_factory=SettlingCounts)
    play: PlayCounts = field(default_factory=PlayCounts)
    wrong_decks: int = 0
    twice: Counter[tuple[str, str]] = field(default_factory=Counter)
    twice_examples: list[str] = field(default_factory=list)
    rejected: Counter[str] = field(default_factory=Counter)
    rejected_examples: dict[str, list[str]] = field(default_factory=dict)
    unseen_rules: list[WrongRule] = field(default_factory=list)
    numbered: int = 0
    """Rounds with a number."""
    jumps: int = 0
    """Those whose number is not that of the line before and one more."""
    first_jump: str = ""
    again: int = 0
    """Rows with the number of the row before, or with its dealer's hand and another player's."""
    _last_hands: tuple[np.uint64, np.uint64] | None = None
    _last: tuple[int, int] | None = None

    @property
    def rounds(self) -> int:
        """All rounds that could be read."""
        return self.dealing.rounds + self.wrong_decks

    def add(
        self, checked: CheckedRounds, wrong: WrongDecks, rejected: list[Rejected], facts: DealFacts, rules: Rules
    ) -> None:
        """Count the batch that follows."""
        for row in rejected:
            self.rejected[row.reason] += 1
            examples = self.rejected_examples.setdefault(row.reason, [])
            if len(examples) < _SHOWN:
                examples.append(f"line {row.line}: {row.text[:80]}")
        self.wrong_decks += wrong.rounds
        self.twice.update(wrong.pairs)
        self.twice_examples += wrong.examples[: _SHOWN - len(self.twice_examples)]
        self._add_numbers(checked.rounds)
        self._add_hands(checked)
        self.dealing.add(checked, facts, game_of(rules).seen)
        self.settling.add(checked, rules)
        self.play.add(checked, facts)
        self.unseen_rules = [rule for rule in self.unseen_rules if not _shows(rule, checked, rules)]

    def _add_numbers(self, rounds: LoggedRounds) -> None:
        """Rounds that are missing, or out of order: where numbers rise otherwise than lines."""
        numbers, lines = rounds.numbers, rounds.lines
        if self._last is not None:
            lines, numbers = (
                np.concatenate([[last], now]) for last, now in zip(self._last, (lines, numbers), strict=True)
            )
        if not len(numbers):
            return
        self._last = int(lines[-1]), int(numbers[-1])
        self.numbered += int((rounds.numbers >= 0).sum())
        there = (numbers[1:] >= 0) & (numbers[:-1] >= 0)
        jumps = np.flatnonzero(there & (np.diff(numbers) != np.diff(lines)))
        self.jumps += len(jumps)
        self.again += int((there & (np.diff(numbers) == 0)).sum())
        if len(jumps) and not self.first_jump:
            row = int(jumps[0])
            self.first_jump = f"line {lines[row + 1]}: round {numbers[row + 1]} after round {numbers[row]}"

    def _add_hands(self, checked: CheckedRounds) -> None:
        """Rows that share the dealer's hand with the row before, but not the player's."""
        if not checked.rounds.rounds:
            return
        first = checked.player_mask
        dealers = np.where(checked.rounds.shown, checked.deal_mask & ~first, np.uint64(0))
        if self._last_hands is not None:
            first, dealers = (
                np.concatenate([np.array([last], np.uint64), now])
                for last, now in zip(self._last_hands, (first, dealers), strict=True)
            )
        same = (dealers[1:] == dealers[:-1]) & (dealers[1:] != 0) & (first[1:] != first[:-1])
        self.again += int(same.sum())
        self._last_hands = first[-1], dealers[-1]


def _shows(rule: WrongRule, checked: CheckedRounds, rules: Rules) -> bool:
    """Whether a wrong rule would give another result in any of these rounds."""
    settling = rule.settling(rules)
    called = checked.rounds.called
    if settling.fold != rules.net_fold and not called.all():
        return True
    if not called.any():
        return False
    right = (checked.net + checked.fees)[called]
    if rule.by_cards is None and (settling.strength_ranks or not checked.rounds.late.shape[1]):
        nets = settling.called(checked.mine[called], checked.his[called])
    else:
        nets = rule.nets(rules, called_rounds(checked.rounds.taken(called)))
    return bool((nets != right).any())


def with_bet(log: LogFile, mapped: LogColumns) -> LogColumns:
    """What columns of money say whose names leave it open, by their first figures.

    A `bet` is the ante, a call that may be 0, or the whole stake; a `win` that is never below 0 is what came back.
    """
    may_return = "net" in mapped.guessed and "returned" not in mapped
    batch = next(log.batches(mapped.columns), None) if may_return or mapped.open_bet is not None else None
    if batch is None:
        return mapped
    if may_return:
        nets, wrong = amounts_of(batch.frame[mapped.one("net")])
        if not wrong.all() and nets[~wrong].min() >= 0:
            mapped = mapped.renamed("net", "returned")
    if mapped.open_bet is None:
        return mapped
    bets, wrong = amounts_of(batch.frame[mapped.open_bet])
    bets = bets[~wrong]
    if not len(bets):
        return mapped
    alike = bets.min() == bets.max() > 0
    role = "ante" if alike and "ante" not in mapped else "call" if bets.min() == 0 else "staked"
    return mapped if role in mapped else mapped.with_role(role, mapped.open_bet)


def ante_of(log: LogFile, mapped: LogColumns, rules: Rules, ante: Amount | None, alphabet: Alphabet) -> int:
    """The ante in millionths of the log's unit where no column says it: 1, or what a fold loses if that fits better."""
    if ante is not None:
        return int(read_amount(ante, "the ante", 0, 10**6, "units of money") * MICRO) or MICRO
    if "ante" in mapped:
        return MICRO
    batch = next(log.batches(mapped.columns), None)
    if batch is None:
        return MICRO
    rounds, _ = read_rounds(batch, mapped, rules, alphabet=alphabet)
    checked, _ = check_rounds(rounds, rules)
    nets = checked.rounds.amounts.get("net")
    if nets is None:
        return MICRO
    folds = nets[checked.state == FOLDED]
    lost = int(-np.median(folds)) if len(folds) else 0
    if lost <= 0:
        return MICRO
    fits = {unit: int((nets == checked.net * unit).sum()) for unit in (MICRO, lost)}
    return max(fits, key=lambda unit: fits[unit])


def counted_log(
    log: LogFile,
    mapped: LogColumns,
    rules: Rules,
    facts: DealFacts,
    unit: int,
    alphabet: Alphabet,
    progress: bool | None,
) -> LogCounts:
    """Read and check batches by threads, and count them in their order."""
    counts = LogCounts(DealingCounts(facts.completions), unseen_rules=list(wrong_rules_of(rules)))

    def read(batch: Batch) -> tuple[CheckedRounds, WrongDecks, list[Rejected]]:
        rounds, rejected = read_rounds(batch, mapped, rules, ante=unit, alphabet=alphabet)
        return *check_rounds(rounds, rules), rejected

    batches = in_order(read, log.batches(mapped.columns), threads=os.cpu_count() or 1, ahead=_AHEAD)
    with progress_bar(progress, unit=" rounds", desc="verify", unit_scale=True) as bar:
        for checked, wrong, rejected in batches:
            counts.add(checked, wrong, rejected, facts, rules)
            bar.update(checked.rounds.rounds + wrong.rounds)
    return counts
