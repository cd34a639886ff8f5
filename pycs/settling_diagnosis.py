"""Why rounds are settled otherwise than the rules say: the wrong rule, or the meaning of a column, that explains it.

Each of `pycs.wrong_rules`, some ways to write a net result down, and a pay table read off the log are tried on the
rounds that differ and on rounds that do not. What gives the log's figure in all of them is the cause.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import numpy as np

from pycs.amounts import plain
from pycs.checked_rounds import FOLDED, CheckedRounds, called_rounds
from pycs.games import CASINO_HOLDEM
from pycs.logged_rounds import MICRO
from pycs.pay_lines import lines_of, pays_of
from pycs.pay_table_values import PUBLISHED_PAYS
from pycs.ranking import CATEGORIES_UP
from pycs.settling_counts import settled_otherwise
from pycs.settlings import STATES
from pycs.verdicts import Finding
from pycs.wrong_rules import wrong_rules_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pycs.rules import Rules
    from pycs.settling_counts import Kept, SettlingCounts
    from pycs.wrong_rules import WrongRule

    Ints: TypeAlias = NDArray[np.int64]

__all__ = ["LOGGED_OTHERWISE", "settling_findings"]

_WIN, _LOSE = STATES.index("win"), STATES.index("lose")
_MOST_CAUSES: Final = 3
_EXAMPLES: Final = 3


class _Logged(NamedTuple):
    """A way in which a right result is written down as another, or the money of an exchange goes wrong."""

    name: str
    words: str
    net: Callable[[CheckedRounds, Rules], Ints]


def _ante_alone(checked: CheckedRounds, rules: Rules) -> Ints:
    """What the ante by itself brings."""
    lost = (checked.state == FOLDED) | (checked.state == _LOSE)
    alone = np.where(lost, -rules.stakes.ante, checked.net + checked.fees)
    won = checked.state == _WIN
    if rules.game == CASINO_HOLDEM.name:
        alone[won] -= rules.stakes.call
    else:
        alone[won] = rules.stakes.ante
    return alone


LOGGED_OTHERWISE: Final = (
    _Logged("net-is-returned", "it were all that comes back, stakes included", lambda c, _: c.net + c.staked),
    _Logged("losses-left-out", "a loss were nothing", lambda c, _: np.maximum(c.net, 0)),
    _Logged(
        "stake-not-returned",
        "what comes back held no stake",
        lambda c, _: np.maximum(c.net, 0) - c.staked,
    ),
    _Logged("net-is-the-banks", "it were the bank's result, with the other sign", lambda c, _: -c.net),
    _Logged("ante-not-deducted", "the ante had not been taken off", lambda c, r: c.net + r.stakes.ante),
    _Logged("ante-left-out", "it were the call's result alone", lambda c, r: c.net - _ante_alone(c, r)),
    _Logged("exchange-free", "an exchange cost nothing", lambda c, _: c.net + c.fees),
    _Logged("exchange-fee-twice", "the fee of an exchange were taken twice", lambda c, _: c.net - c.fees),
)
"""What the net column may say instead, after "as if"."""


@dataclass(frozen=True)
class _Tried:
    """A candidate on the kept rounds: where it gives the log's figure, among those that differ and those that agree."""

    name: str
    words: str
    explains: NDArray[np.bool_]
    leaves: bool


def settling_findings(counts: SettlingCounts, rules: Rules) -> tuple[Finding, ...]:
    """What is wrong with the settling of a log, with the cause where it is known; nothing when all is right."""
    findings = []
    if counts.differing:
        findings += _net_findings(counts, rules)
    if any(counts.bets.values()):
        told = ", ".join(f"{role} in {number:,}" for role, number in counts.bets.items() if number)
        text = f"The stakes written down are not those of the rules: {told} rounds."
        most = max(counts.bets.values())
        findings.append(Finding("settling", text, True, "wrong-bets", most, tuple(counts.bet_examples)))
    return tuple(findings)


def _net_findings(counts: SettlingCounts, rules: Rules) -> list[Finding]:
    wrong, wrong_nets = _joined(counts.wrong)
    right, right_nets = _joined(counts.right)
    assert wrong is not None, "rounds that differ are kept"
    tried = [*_candidates(wrong, wrong_nets, right, right_nets, rules)]
    share = f"{counts.differing:,} of {counts.settled:,} rounds are settled otherwise than the rules say"
    full = [each for each in tried if each.leaves and each.explains.all()]
    if full:
        also = "".join(f"; or as if {other.words} ({other.name}): this log cannot tell" for other in full[1:3])
        text = f"{share}, as if {full[0].words}{also}."
        return [Finding("settling", text, True, full[0].name, counts.differing, tuple(counts.examples))]
    if (times := _times(wrong, wrong_nets, right)) is not None:
        text = f"{share}: each net result is {plain(times)} times what they give. Is the ante another (--ante)?"
        return [Finding("settling", text, True, "other-unit", counts.differing, tuple(counts.examples))]
    if (pays := _other_pays(wrong, wrong_nets, right, right_nets, rules)) is not None:
        text = f"{share}, as if the pay table were another: {pays}."
        return [Finding("settling", text, True, "other-pay-table", counts.differing, tuple(counts.examples))]
    return _partly(counts, tried, wrong, wrong_nets, right, right_nets, rules)


def _partly(
    counts: SettlingCounts,
    tried: list[_Tried],
    wrong: CheckedRounds,
    nets: Ints,
    right: CheckedRounds | None,
    right_nets: Ints,
    rules: Rules,
) -> list[Finding]:
    """Several causes, each for a part of the rounds; the rest is told without one."""
    findings, open_ = [], np.ones(counts.wrong.size, bool)
    looked_at = f"{counts.differing:,} rounds"
    if counts.wrong.size < counts.differing:
        looked_at = f"first {counts.wrong.size:,} of {counts.differing:,} rounds"
    for _ in range(_MOST_CAUSES):
        usable = [each for each in tried if each.leaves]
        best = max(usable, key=lambda each: int((each.explains & open_).sum()), default=None)
        number = int((best.explains & open_).sum()) if best is not None else 0
        if best is None or number * 50 < counts.wrong.size:
            break
        text = f"{number:,} of the {looked_at} settled otherwise are as if {best.words}."
        findings.append(
            Finding("settling", text, True, best.name, number, _examples(wrong, nets, best.explains & open_))
        )
        open_ &= ~best.explains
    left = int(open_.sum())
    if not left:
        return findings
    rows = np.flatnonzero(open_)
    pays = _other_pays(wrong.taken(rows), nets[rows], right, right_nets, rules) if findings else None
    text = f"{left:,} {'more ' if findings else ''}of the {looked_at} settled otherwise "
    if pays is not None:
        text, cause = f"{text}are as if the pay table were another: {pays}.", "other-pay-table"
    else:
        text, cause = f"{text}are explained by nothing in the list.", None
    return [*findings, Finding("settling", text, True, cause, left, _examples(wrong, nets, open_))]


def _examples(wrong: CheckedRounds, nets: Ints, which: NDArray[np.bool_]) -> tuple[str, ...]:
    """The first rounds of a finding, in antes."""
    rows = np.flatnonzero(which)[:_EXAMPLES].tolist()
    return tuple(settled_otherwise(wrong, row, int(nets[row]), MICRO) for row in rows)


def _candidates(
    wrong: CheckedRounds, wrong_nets: Ints, right: CheckedRounds | None, right_nets: Ints, rules: Rules
) -> list[_Tried]:
    tried = []

    def hold(name: str, words: str, net: Callable[[CheckedRounds], Ints]) -> None:
        explains = net(wrong) * MICRO == wrong_nets
        leaves = bool(explains.any()) and (right is None or bool((net(right) * MICRO == right_nets).all()))
        tried.append(_Tried(name, words, explains, leaves))

    for rule in wrong_rules_of(rules):
        hold(rule.name, rule.words, lambda checked, rule=rule: _settled_by(rule, checked, rules))  # type: ignore[misc]
    for logged in LOGGED_OTHERWISE:
        words = f"the net result were written down in another sense: {logged.words}"
        hold(logged.name, words, lambda checked, logged=logged: logged.net(checked, rules))  # type: ignore[misc]
    return tried


def _settled_by(rule: WrongRule, checked: CheckedRounds, rules: Rules) -> Ints:
    """The net results under a wrong rule, fees taken off."""
    called = checked.rounds.called
    nets = np.full(len(called), rule.settling(rules).fold, np.int64)
    if called.any():
        nets[called] = rule.nets(rules, called_rounds(checked.rounds.taken(called)))
    return nets - checked.fees


def _other_pays(
    wrong: CheckedRounds, wrong_nets: Ints, right: CheckedRounds | None, right_nets: Ints, rules: Rules
) -> str | None:
    """The lines that are paid otherwise, when all that differs is explained by other pays; None when it is not."""
    holdem = rules.game == CASINO_HOLDEM.name
    ante, call = rules.stakes.ante, rules.stakes.call
    fixed, unit = (call, ante) if holdem else (ante, call)
    pays: dict[str, int] = {}
    paid = [_WIN, *([0, 1, 2] if holdem else [])]
    for checked, nets in ((wrong, wrong_nets), *(((right, right_nets),) if right is not None else ())):
        here = np.isin(checked.state, paid)
        if checked is wrong and not here.all():
            return None
        net = nets[here] + checked.fees[here] * MICRO - np.where(checked.state[here] == _WIN, fixed, 0) * MICRO
        if (net % (unit * MICRO)).any():
            return None
        for category in np.unique(checked.category[here]).tolist():
            line = _line(CATEGORIES_UP[category], rules)
            found = np.unique(net[checked.category[here] == category] // (unit * MICRO))
            if len(found) > 1 or pays.setdefault(line, int(found[0])) != found[0]:
                return None
    usual = pays_of(rules)
    other = {line: pay for line, pay in pays.items() if pay != usual[line]}
    if not other:
        return None
    told = ", ".join(f"{line.replace('_', ' ')} {pay} to one, not {usual[line]}" for line, pay in other.items())
    whole = "/".join(str({**usual, **other}[line]) for line in lines_of(rules))
    named = [name for name, table in PUBLISHED_PAYS.items() if table == whole and not holdem]
    return told + (f" (the published table {named[0]!r})" if named else "")


def _times(wrong: CheckedRounds, nets: Ints, right: CheckedRounds | None) -> Fraction | None:
    """The number that all results are multiplied by; None where there is none."""
    first = int(np.argmax(wrong.net != 0))
    if not wrong.net[first] or (right is not None and (right.net != 0).any()):
        return None
    times = Fraction(int(nets[first]), int(wrong.net[first]) * MICRO)
    alike = nets * times.denominator == wrong.net * (MICRO * times.numerator)
    return times if alike.all() and times > 0 else None


def _line(category: str, rules: Rules) -> str:
    """The line of the pay table that pays a category."""
    line = category.replace(" ", "_")
    return line if line in lines_of(rules) else lines_of(rules)[-1]


def _joined(kept: Kept) -> tuple[CheckedRounds | None, Ints]:
    """All kept rounds as one; None when there are none."""
    if not kept.size:
        return None, np.empty(0, np.int64)
    return CheckedRounds.joined(kept.rounds), np.concatenate(kept.nets)
