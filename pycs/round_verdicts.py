"""The verdict on a log of rounds: every round settled and decided again, then the frequencies of its cards."""

from __future__ import annotations

import os
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import sqrt
from typing import TYPE_CHECKING, Any, Final

from pycs.deal_facts import deal_facts
from pycs.dealing_tests import dealing_findings, dealing_tests, wrong_deck_finding
from pycs.detection import detectable, rounds_needed
from pycs.errors import InputError
from pycs.games import CASINO_HOLDEM, game_of
from pycs.joint_rounds import rounds as rounds_of
from pycs.log_columns import check_types, map_columns
from pycs.log_files import open_log
from pycs.logged_rounds import MICRO
from pycs.named_strategies import STRATEGIES
from pycs.offers import exchanges_allowed
from pycs.ranking import CATEGORIES_UP
from pycs.round_counts import ante_of, counted_log, with_bet
from pycs.rules import load_rules
from pycs.settling_diagnosis import settling_findings
from pycs.settlings import STATES
from pycs.strategies import OPTIMAL
from pycs.strategy_sources import read_strategy
from pycs.total_tests import sum_test
from pycs.verdicts import ALPHA, DETECT, Finding, Verdict, judged

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pycs.amounts import Amount
    from pycs.cards import Alphabet
    from pycs.deal_facts import DealFacts
    from pycs.distributions import Distribution
    from pycs.log_columns import LogColumns
    from pycs.log_files import LogFile, Source
    from pycs.round_counts import LogCounts
    from pycs.rules import Rules
    from pycs.strategies import Strategy
    from pycs.verdicts import FitTest

__all__ = ["FEWEST", "verdict_on_rounds"]

FEWEST: Final = 10_000
"""Rounds that a log must hold for a pass: with fewer the tests of dealing would miss what they are for."""

_MOST_BROKEN: Final = 0.01  # of the lines, beyond which a clean rest is no pass: what is broken may be what is wrong
_MOST_JUMPS: Final = 0.1  # of the rounds
_KINDS: Final = 8  # of broken lines that are told one by one


def verdict_on_rounds(
    rules: Rules,
    source: Source,
    *,
    strategy: str | os.PathLike[str] | Strategy | None = None,
    columns: str | Mapping[str, str] = "",
    ante: Amount | None = None,
    alpha: float = ALPHA,
    anytime: bool = False,
    detect: Fraction = DETECT,
    alphabet: Alphabet = "latin",
    progress: bool | None = None,
) -> Verdict:
    """The verdict on a log of rounds: a CSV, Parquet or NDJSON file, or a frame. See `pycs.verify`.

    InputError, one line, for a log that cannot be used at all. Safe to call from many threads.
    """
    game, log = game_of(rules), open_log(source)
    named = map_columns(game, log.columns, columns)
    check_types(named, log.types)
    mapped = with_bet(log, named)
    claimed = None if strategy is None else read_strategy(game, strategy)
    name = None if strategy is None else OPTIMAL if claimed is None else claimed.name
    facts = deal_facts(rules, _exchanges_valued(rules, mapped), claimed)
    if name is not None and name not in facts.played:
        raise InputError(f"the strategy {name}: it exchanges, and this log cannot tell of exchanges in {rules.name}")
    unit = ante_of(log, mapped, rules, ante, alphabet)
    counts = counted_log(log, mapped, rules, facts, unit, alphabet, progress)
    if not counts.rounds:
        reason = next((f"{e[0]}: {r}" for r, e in counts.rejected_examples.items()), "it holds none")
        raise InputError(f"the log {log.name}: no usable round ({reason})")
    # (A deck that is only cut looks like that as well, but it has few different rounds.)
    if counts.dealing.board_in_order and counts.dealing.repeats()[1] * 100 < counts.rounds:
        told = "the board's five cards are put in order, so the flop cannot be told: it must come first"
        raise InputError(f"the log {log.name}: {told}")
    return _Judged(rules, log, mapped, facts, counts, name, claimed, unit, alpha, anytime, detect).verdict()


def _exchanges_valued(rules: Rules, mapped: LogColumns) -> int:
    """How many exchanges first decisions are valued with: one where the log can tell of any and where it is counted."""
    allowed, fees = exchanges_allowed(rules, None)
    counted = tuple(fees) == (5,) or rules.digest == load_rules("oasis").digest
    return 1 if allowed and counted and {"gave_up", "dealt"} & mapped.by_role.keys() else 0


@lru_cache(maxsize=16)
def _net(rules: Rules, strategy: str) -> Distribution:
    """The net result of a round under a strategy with a name."""
    return rounds_of(rules, strategy=strategy).alone("main")


@dataclass(frozen=True)
class _Judged:
    """A counted log on its way to a verdict. `name` is the claimed strategy's, `unit` the ante where no column says."""

    rules: Rules
    log: LogFile
    mapped: LogColumns
    facts: DealFacts
    counts: LogCounts
    name: str | None
    claimed: Strategy | None
    unit: int
    alpha: float
    anytime: bool
    detect: Fraction

    def verdict(self) -> Verdict:
        counts, dealing = self.counts, self.counts.dealing
        findings = [*settling_findings(counts.settling, self.rules), *self.play_findings()]
        if counts.wrong_decks:
            examples = tuple(counts.twice_examples)
            findings.append(wrong_deck_finding(counts.wrong_decks, counts.rounds, counts.twice, examples))
        # Without the rounds from wrong decks, the others are no fair sample of all that were dealt.
        # Neither are they when many lines could not be read, which are hardly any lines.
        fair = not counts.wrong_decks and not self.too_broken and not self.shared
        tests = self.tests() if dealing.rounds and fair else []
        findings += [*dealing_findings(dealing, tests, self.alpha, self.folds_missing), *self.broken_lines()]
        enough = dealing.rounds >= FEWEST and fair and counts.settling.settled > 0
        return judged(
            self.rules.name,
            "rounds",
            counts.rounds,
            tests=tests,
            findings=findings,
            enough=enough,
            alpha=self.alpha,
            strategy=self.name,
            notes=[*self.notes()],
            unseen=[*self.unseen()],
            figures=self.figures(),
        )

    @cached_property
    def fits(self) -> tuple[str, ...]:
        """The strategies that all decisions are those of, the claimed one first."""
        fitting = [name for name, other in self.counts.play.otherwise.items() if not other]
        return tuple(sorted(fitting, key=lambda name: name != self.name))

    @cached_property
    def one(self) -> Distribution | None:
        """The exact net result of a round as it is played; None where that is not known."""
        if not self.fits or self.facts.values.exchanges:
            return None
        played, claimed = self.fits[0], self.claimed
        if claimed is not None and played == self.name and claimed is not STRATEGIES[self.rules.game].get(played):
            return rounds_of(self.rules, strategy=claimed).alone("main")
        return _net(self.rules, played)

    @cached_property
    def sd(self) -> float:
        """The standard deviation of a round's net result, exact where the play is known, else the sample's."""
        if self.one is not None:
            return self.one.sd
        rounds, settling = max(1, self.counts.dealing.rounds), self.counts.settling
        return sqrt(max(settling.right_squares / rounds - (settling.right_net / rounds) ** 2, 0.0))

    @property
    def broken(self) -> int:
        """Lines that are left out."""
        return sum(self.counts.rejected.values())

    @property
    def too_broken(self) -> bool:
        return self.broken > _MOST_BROKEN * (self.counts.rounds + self.broken)

    @property
    def folds_missing(self) -> bool:
        """Whether no round is folded though the play is that of a strategy that folds."""
        return (
            not self.too_broken
            and not self.counts.play.actions.get("fold")
            and any(bool((self.facts.played[name] == 0).any()) for name in self.fits)
        )

    @property
    def out_of_order(self) -> bool:
        """Whether the numbers of the rounds do not follow each other, so that neither do the rows."""
        return self.counts.jumps > _MOST_JUMPS * self.counts.numbered

    @property
    def shared(self) -> bool:
        """Whether several rows are of one round, so that they are no independent rounds."""
        return self.counts.again > _MOST_BROKEN * self.counts.rounds

    def tests(self) -> list[FitTest]:
        dealing = self.counts.dealing
        tests = dealing_tests(dealing, game_of(self.rules), self.anytime, in_order=not self.out_of_order)
        if self.one is not None:
            words = (
                f"the mean net result, settled rightly: {self.counts.settling.right_net / dealing.rounds:+.6f} antes; "
                f"{float(self.one.mean):+.6f} are expected of {self.fits[0]}"
            )
            total = self.counts.settling.right_net
            tests.append(
                sum_test("mean", "dealing", self.one, dealing.rounds, total, words=words, anytime=self.anytime)
            )
        return tests

    def play_findings(self) -> list[Finding]:
        play, name = self.counts.play, self.name
        if name is None or not play.otherwise.get(name):
            return []
        other, examples = play.otherwise[name], tuple(play.examples[name])
        meant = name if self.claimed is None or name != "rules" else f"the claimed rules ({self.claimed})"
        text = f"{other:,} of {play.rounds:,} decisions are not those of {meant}"
        if self.fits:
            told = f"{text}: all are those of {self.fits[0]}. Has the choice of a strategy no effect?"
            return [Finding("play", told, True, "strategy-without-effect", other, examples)]
        nearest = min(play.otherwise, key=lambda each: play.otherwise[each])
        near = f"; the nearest known strategy is {nearest}, with {play.otherwise[nearest]:,}" if nearest != name else ""
        return [Finding("play", f"{text}{near}.", True, "other-play", other, examples)]

    def broken_lines(self) -> list[Finding]:
        counts = self.counts
        told = [
            Finding(
                "log", f"{number:,} line{'s' * (number > 1)} left out: {reason}.", False, None, number, tuple(examples)
            )
            for reason, number in counts.rejected.most_common(_KINDS)
            for examples in [counts.rejected_examples[reason]]
        ]
        if len(counts.rejected) > _KINDS:
            told.append(Finding("log", f"{self.broken:,} lines left out in all.", False, None, self.broken))
        if 0 < counts.jumps <= _MOST_JUMPS * counts.numbered:  # else these are no numbers in a row at all
            text = f"The numbers of the rounds jump {counts.jumps:,} times: rounds may be missing."
            told.append(Finding("log", text, False, None, counts.jumps, (counts.first_jump,)))
        return told

    def notes(self) -> list[str]:
        """What was understood, how it was played, and what chance did."""
        play, dealing = self.counts.play, self.counts.dealing
        notes = [f"{self.log.kind} with {self.counts.rounds:,} rounds; columns: {self.mapped.words}."]
        if "ante" not in self.mapped and self.unit != MICRO:
            notes.append(f"No column tells the ante: it is taken to be {self.unit / MICRO:g}.")
        if not dealing.rounds:
            return notes
        notes += self.result()
        if self.fits:
            also = ", ".join(self.fits[1:])
            told = f"All {play.rounds:,} decisions are those of {self.fits[0]}"
            notes.append(f"{told} (and of {also}: this log cannot tell them apart)." if also else f"{told}.")
        else:
            nearest = sorted(play.otherwise, key=lambda each: play.otherwise[each])[:2]
            near = " and ".join(f"{each} ({play.otherwise[each]:,} decisions otherwise)" for each in nearest)
            notes.append(f"The play is that of no known strategy; the nearest: {near}.")
        loss = float(Fraction(play.loss, self.facts.values.denominator * dealing.rounds))
        notes.append(
            f"Against best play the decisions give away {loss:.6%} of an ante a round; mistakes: {play.mistakes:,}."
        )
        if dealing.called:
            drift = dealing.drift / dealing.completions / dealing.rounds
            error = sqrt(dealing.drift_variance) / dealing.rounds
            notes.append(
                f"Luck, what called hands won beyond what they were worth: {drift:+.4%} of an ante a round, "
                f"standard error {error:.4%}."
            )
        if ordered := dealing.in_order:
            told = " and ".join(ordered)
            notes.append(f"The cards of {told} are put in order, so their places are not tested.")
        if self.out_of_order:
            notes.append("The numbers of the rounds are not in order, so what follows what is not tested.")
        return notes

    def result(self) -> list[str]:
        """The edge that the log states, beside what it is when settled rightly, and the exact one."""
        settling, rounds = self.counts.settling, self.counts.dealing.rounds
        told = []
        if settling.settled:
            told.append(f"as the log has it {-settling.net / settling.antes:+.4%}")
        told.append(f"settled rightly {-settling.right_net / rounds:+.4%}")
        if self.one is not None:
            told.append(f"exactly {float(-self.one.mean):+.4%}, standard error {self.sd / sqrt(rounds):.4%}")
        return [f"House edge, per ante: {', '.join(told)}."]

    def unseen(self) -> list[str]:
        """What this log could not have shown."""
        counts, dealing, settling = self.counts, self.counts.dealing, self.counts.settling
        told = []
        if not settling.settled:
            told.append("No column tells the net result, so the settling was not checked.")
        if dealing.rounds < FEWEST:
            told.append(f"{dealing.rounds:,} rounds dealt from one deck: {FEWEST:,} are needed for a pass.")
        if self.too_broken:
            told.append(f"{self.broken:,} lines could not be read, over 1 in 100: no frequency was tested.")
        if self.shared:
            told.append(
                f"{self.counts.again:,} rows are of the round before, or share the dealer's hand with it: frequencies, "
                "which take one row for each round, were not tested."
            )
        if not dealing.rounds:
            return told
        ends = settling.ends.sum(axis=0)
        paid = ends[STATES.index("win")]
        if self.rules.game == CASINO_HOLDEM.name:
            paid = paid + ends[: STATES.index("win")].sum(axis=0)
        if counts.wrong_decks:
            told.append("Rounds from wrong decks are left out, so the frequencies of the others were not tested.")
        if never := [name for name, number in zip(CATEGORIES_UP[::-1], paid[::-1], strict=True) if not number]:
            told.append(f"Never paid, so never checked: {', '.join(never)}.")
        if counts.unseen_rules:
            names = ", ".join(rule.name for rule in counts.unseen_rules)
            told.append(f"Wrong rules that would have changed no round of this log: {names}.")
        if hidden := [name for name, number in dealing.together.items() if number < dealing.rounds]:
            told.append(
                f"Not shown in every round, so their frequencies were not tested: the cards of {', '.join(hidden)}."
            )
        if given := int(settling.ends[1].sum()):
            told.append(f"In {given:,} rounds with an exchange, what was done with the new hand was not priced.")
        least = detectable(self.sd, dealing.rounds, self.alpha, anytime=self.anytime) if self.sd else 0.0
        if least:
            needed = rounds_needed(self.sd, self.detect, self.alpha, anytime=self.anytime)
            told.append(
                f"By the mean result alone, an error of the edge below {least:.3%} of an ante is likely to be missed; "
                f"one of {float(self.detect):.3%} needs {needed:,} rounds."
            )
        return told

    def figures(self) -> dict[str, Any]:
        dealing, settling, play = self.counts.dealing, self.counts.settling, self.counts.play
        rounds = max(1, dealing.rounds)
        return {
            "log": self.log.name,
            "lines_left_out": self.broken,
            "rounds_from_wrong_decks": self.counts.wrong_decks,
            "rounds_settled_otherwise": settling.differing,
            "net": settling.net / MICRO,
            "antes": settling.antes / MICRO,
            "net_per_ante": settling.net / settling.antes if settling.antes else None,
            "right_net_in_antes": settling.right_net,
            "right_net_per_ante": settling.right_net / rounds,
            "staked_in_antes": settling.staked,
            "right_net_per_unit_bet": settling.right_net / settling.staked if settling.staked else None,
            "standard_error": self.sd / sqrt(rounds),
            "exact_value": None if self.one is None else float(self.one.mean),
            "actions": dict(play.actions),
            "decisions_otherwise": dict(play.otherwise),
            "mistakes": play.mistakes,
            "loss_per_round": float(Fraction(play.loss, self.facts.values.denominator * rounds)),
            "luck_per_round": dealing.drift / dealing.completions / rounds,
        }
