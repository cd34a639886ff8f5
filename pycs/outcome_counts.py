"""The verdict on counts by class of outcome, held against the exact chance of every class.

Counts show what a summary cannot: which outcomes come too often. What they cannot show is money, unless the net results
stand beside them.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import ceil, sqrt
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pycs.detection import about, detectable, rounds_needed
from pycs.errors import InputError
from pycs.event_counts import EventCounts, event_names, read_counts
from pycs.fit_tests import SAMPLES, binomial_test, multinomial_test
from pycs.messages import listed
from pycs.rule_variants import variants_of
from pycs.rules import load_rules
from pycs.sections import CATEGORIES
from pycs.strategies import OPTIMAL
from pycs.total_tests import sum_test
from pycs.verdicts import ALPHA, DETECT, POWER, Finding, FitTest, holm, judged

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from pycs.rule_variants import Given, Variant
    from pycs.rules import Rules
    from pycs.verdicts import Verdict

__all__ = ["verdict_on_counts"]

_FAR: Final = 4.0  # standard deviations from which a class is named
_NAMED: Final = 8
_FEW_SAMPLES: Final = 5_000  # where it is only looked for what fits


class _Fit(NamedTuple):
    variant: Variant
    tests: tuple[FitTest, ...]

    @property
    def p_value(self) -> float:
        return min(holm([test.p_value for test in self.tests]))

    @property
    def label(self) -> str:
        return f"{self.variant.name} (p {self.p_value:.2g}, {float(self.variant.house_edge):.4%} per ante)"


def verdict_on_counts(
    profile: str | os.PathLike[str] | Rules,
    counts: EventCounts | Mapping[str, Any] | str | os.PathLike[str],
    *,
    strategy: Given | None = None,
    alpha: float = ALPHA,
    anytime: bool = False,
    detect: Fraction = DETECT,
) -> Verdict:
    """What counts by class of outcome say about the software that made them.

    `counts` are read by `pycs.event_counts.read_counts`. With a claimed strategy three tests are made: of all classes
    (multinomial), of folds and calls (binomial), and of the total net result that the classes imply, where each of them
    has one (the exact distribution of the sum). Counts that fail are held against other strategies and wrong rules, and
    those that fit are named. Net results that stand beside the counts must be those of the rules.

    Without a strategy the play fails nothing: the one that fits is named and priced. What is tested then holds for
    every play: that no class comes more often than when every hand is called, nor folds bring more than the ante lost.
    Counts pass when a strategy with a name fits; where none does, there is not enough data.

    A pass needs so many rounds that an error of the mean of `detect` antes would be found with 95% power. InputError
    for rules with an exchange, and for a profile, a strategy or counts that cannot be. Some ten seconds. Safe to call
    from many threads.

    >>> few = {"fold": 48, "win": 20, "not_qualified": 22, "tie": 0, "lose": 10}
    >>> print(verdict_on_counts("us", few, strategy="optimal").verdict)
    not enough data
    """
    rules = load_rules(profile)
    counts = counts if isinstance(counts, EventCounts) else read_counts(counts, rules)
    if "the exchange" in rules.not_counted_of_main_bet:
        told = "no distribution is counted of a game with exchanges: a verdict on rounds is allowed"
        raise InputError(f"counts of {rules.name}: {told}")
    variants = variants_of(rules, OPTIMAL if strategy is None else strategy)
    claim, rounds = variants[0], counts.rounds
    findings, notes = _settled_wrong(rules, counts, variants), list[str]()
    samples = min(SAMPLES, max(_FEW_SAMPLES, ceil(10 / alpha)))
    fits = [_fit(counts, each, claim, anytime, samples) for each in variants if _told(counts, each, claim)]
    fitting = sorted((fit for fit in fits if fit.p_value > alpha), key=_order)
    sd = claim.net.sd
    least = detectable(sd, rounds, alpha, POWER, anytime=anytime)
    enough = least <= detect
    if strategy is not None:
        tests: tuple[FitTest, ...] = _fit(counts, claim, claim, anytime, samples=None).tests
        if any(p <= alpha for p in holm([test.p_value for test in tests])):
            findings += _explained(counts, claim, fitting)
            if fitting[1:]:
                notes.append(f"what was seen fits as well: {listed([fit.label for fit in fitting[1:]], _NAMED)}")
    else:
        tests = (_beyond_any_play(counts, variants, anytime),)
        known = [fit for fit in fitting if fit.variant.kind in ("right", "strategy")]
        enough = enough and bool(known)
        notes += _named_play(counts, known, fitting)
        if tests[0].p_value <= alpha:
            findings += _explained(counts, claim, [fit for fit in fitting if fit not in known])
    if least > detect:
        needed = rounds_needed(sd, detect, alpha, POWER, anytime=anytime)
        notes.append(
            f"{rounds:,} rounds show an error of {least:.3%} of an ante or more; an error of {float(detect):.3%} takes "
            f"{needed:,} rounds"
        )
    net = _implied_net(counts, claim)
    return judged(
        rules.name,
        "counts",
        rounds,
        tests=tests,
        findings=findings,
        enough=enough,
        alpha=alpha,
        strategy=claim.strategy if strategy is not None else None,
        notes=notes,
        unseen=_unseen(counts, variants, least, alpha),
        figures={
            "net_per_ante": None if net is None else float(net / rounds),
            "house_edge": float(claim.house_edge),
            "sd": sd,
            "detectable": least,
            "detect": float(detect),
            "classes": [
                {"name": each.name, "count": each.count, "expected": rounds * weight / claim.ways}
                for each, weight in zip(counts.classes, _weights(counts, claim), strict=False)
            ],
            "fits": [{"name": f.variant.name, "kind": f.variant.kind, "p_value": f.p_value} for f in fitting],
        },
    )


# --- tests --------------------------------------------------------------------------------------------------------


def _weights(counts: EventCounts, variant: Variant) -> list[int]:
    """In how many rounds each class comes, and last what is in none of them."""
    events = variant.events()
    inside = [sum(events.get(event, 0) for event in each.events) for each in counts.classes]
    return [*inside, variant.ways - sum(inside)]


def _fit(counts: EventCounts, variant: Variant, claim: Variant, anytime: bool, samples: int | None) -> _Fit:
    """The tests of a variant; without the slow one of the total where a number of samples is given."""
    rounds, weights = counts.rounds, _weights(counts, variant)
    observed = [*(each.count for each in counts.classes), 0]
    more: dict[str, Any] = {} if samples is None else {"samples": samples}
    words = f"{rounds:,} rounds in {len(counts.classes)} classes of outcome, against {variant.name} play"
    tests = [multinomial_test("outcomes", "dealing", observed, weights, words=words, anytime=anytime, **more)]
    folds = _folds(counts)
    if folds is not None:
        chance = 1 - variant.called
        words = f"{folds:,} folds of {rounds:,} rounds; {variant.name} folds {float(rounds * chance):,.1f}"
        tests.append(binomial_test("actions", "play", folds, rounds, chance, words=words, anytime=anytime))
    net = _implied_net(counts, claim)
    if net is not None and samples is None:
        words = (
            f"the classes bring {float(net):,.0f} antes; {variant.name} brings {float(rounds * variant.net.mean):,.1f}"
        )
        tests.append(sum_test("net result", "dealing", variant.net, rounds, net, words=words, anytime=anytime))
    return _Fit(variant, tuple(tests))


def _told(counts: EventCounts, variant: Variant, claim: Variant) -> bool:
    """Whether counts by these classes can tell it from the claim."""
    return variant is claim or _chances(counts, variant) != _chances(counts, claim)


def _chances(counts: EventCounts, variant: Variant) -> list[Fraction]:
    return [Fraction(weight, variant.ways) for weight in _weights(counts, variant)]


def _order(fit: _Fit) -> tuple[int, float]:
    """Strategies before wrong rules, the best first."""
    return {"right": 0, "strategy": 0, "pay table": 1, "rule": 1}[fit.variant.kind], -fit.p_value


def _folds(counts: EventCounts) -> int | None:
    """How many rounds were folded, where they have a class of their own."""
    return next((each.count for each in counts.classes if each.events == ("fold",)), None)


def _implied_net(counts: EventCounts, claim: Variant) -> int | None:
    """The total net result by the rules, in antes, where each class has one."""
    nets = {end.event: end.net for end in claim.by_hands}
    total = 0
    for each in counts.classes:
        among = {nets[event] for event in each.events if event in nets}
        if each.count and len(among) != 1:
            return None
        total += each.count * (among.pop() if len(among) == 1 else 0)
    return total


def _beyond_any_play(counts: EventCounts, variants: Sequence[Variant], anytime: bool) -> FitTest:
    """Does a class come more often than any play can bring it: than when every hand is called?"""
    always = next(each for each in variants if each.strategy == "always-call" and each.kind in ("right", "strategy"))
    rounds, worst, tried = counts.rounds, None, 0
    for each, weight in zip(counts.classes, _weights(counts, always), strict=False):
        if "fold" in each.events:
            continue
        tried += 1
        chance = Fraction(weight, always.ways)
        found = binomial_test(each.name, "dealing", each.count, rounds, chance, anytime=anytime)
        # the upper tail alone
        p = 1.0 if each.count <= rounds * chance else found.p_value if anytime else found.p_value / 2
        if worst is None or p < worst[0]:
            worst = (p, each, chance, found)
    if worst is None:
        return FitTest("any play", "dealing", "folds alone: nothing to compare", "exact", rounds, 1.0, anytime=anytime)
    p, cell, chance, found = worst
    words = (
        f"{cell.count:,} rounds of {cell.name}; when every hand is called {float(rounds * chance):,.1f} are expected, "
        f"and no play brings more"
    )
    method = f"{found.method}, one-sided, the least of {tried}"
    return FitTest(
        "any play", "dealing", words, method, rounds, min(1.0, tried * p), found.statistic, found.error, anytime
    )


# --- what is told -------------------------------------------------------------------------------------------------


def _settled_wrong(rules: Rules, counts: EventCounts, variants: Sequence[Variant]) -> list[Finding]:
    """Net results beside the counts that are not those of the rules, with the wrong rule that gives all of them."""
    told = [each for each in counts.classes if each.net is not None and each.count]
    right = _nets_of(rules)
    wrong = [each for each in told if {each.net} != {net for event in each.events for net in right[event]}]
    if not wrong:
        return []

    def gives(variant: Variant) -> bool:
        nets: dict[str, set[int]] = {}
        for end in variant.by_hands:
            nets.setdefault(end.event, set()).add(end.net)
        return all(nets.get(event, {each.net}) == {each.net} for each in told for event in each.events)

    likely = next((variant for variant in variants if variant.kind in ("pay table", "rule") and gives(variant)), None)
    examples = []
    for each in wrong:
        usual = ", ".join(f"{net:+}" for net in sorted({net for event in each.events for net in right[event]}))
        examples.append(f"{each.name} is settled with {each.net:+} antes; the rules bring {usual}")
    count = sum(each.count for each in wrong)
    text = examples[0] if len(examples) == 1 else f"{len(examples)} classes are settled otherwise than by the rules"
    text += f": {likely.words}" if likely else ""
    return [Finding("settling", text, True, likely.name if likely else None, count, tuple(examples))]


def _nets_of(rules: Rules) -> dict[str, set[int]]:
    """The net results of each event, by the rules."""
    found: dict[str, set[int]] = {event: set() for event in event_names(rules)}
    for category in CATEGORIES:
        for outcome, net in zip(rules.outcomes, rules.nets(category), strict=True):
            found[rules.event(outcome, category)].add(net)
    found["fold"].add(rules.net_fold)
    return found


def _explained(counts: EventCounts, claim: Variant, fitting: Sequence[_Fit]) -> list[Finding]:
    """What fits better than the claim; else the classes that are furthest off."""
    rounds = counts.rounds
    if fitting and fitting[0].variant is not claim:
        best = fitting[0]
        if best.variant.kind == "strategy":
            text = f"the counts fit the strategy {best.label}, not {claim.name}"
            return [Finding("play", text, True, best.variant.name, rounds)]
        text = f"the counts fit {best.label}, not the right rules: {best.variant.words}"
        return [Finding("settling", text, True, best.variant.name, rounds)]
    off = sorted(_off(counts, claim), key=lambda each: -abs(each[0]))
    texts = [
        f"{name} came {count:,} times, {expected:,.1f} are expected"
        for far, name, count, expected in off[:3]
        if abs(far) >= _FAR
    ]
    if not texts:
        return []
    text = f"no known strategy or wrong rule gives these counts: {'; '.join(texts)}"
    return [Finding("dealing", text, True, None, rounds)]


def _off(counts: EventCounts, claim: Variant) -> list[tuple[float, str, int, float]]:
    """Of each class: standard deviations off, name, count, and what is expected."""
    rows = []
    for each, weight in zip(counts.classes, _weights(counts, claim), strict=False):
        expected = counts.rounds * weight / claim.ways
        spread = sqrt(expected * (1 - weight / claim.ways))
        far = (each.count - expected) / spread if spread else float(each.count != expected) * 1e9
        rows.append((far, each.name, each.count, expected))
    return rows


def _named_play(counts: EventCounts, known: Sequence[_Fit], fitting: Sequence[_Fit]) -> list[str]:
    """Which strategies fit, and what they cost."""
    folds = _folds(counts)
    share = "" if folds is None else f"; {folds / counts.rounds:.4%} of the hands are folded"
    if known:
        return [f"no strategy is claimed; the counts fit {listed([fit.label for fit in known], _NAMED)}{share}"]
    notes = [f"no strategy is claimed, and none with a name fits: claim one, or give rounds{share}"]
    if fitting:
        notes.append(f"the counts would fit {listed([fit.label for fit in fitting], _NAMED)}")
    return notes


def _unseen(counts: EventCounts, variants: Sequence[Variant], least: float, alpha: float) -> list[str]:
    """What these counts could not have shown."""
    claim, rounds = variants[0], counts.rounds
    base = _chances(counts, claim)
    cells = sum(chance > 0 for chance in base)
    needed_at_one = _needed_noncentrality(cells - 1, alpha)
    near, same = [], []
    for other in variants[1:]:
        chances = _chances(counts, other)
        if any(q and not p for p, q in zip(base, chances, strict=True)):
            continue  # a class that cannot be shows at once
        far = float(sum((q - p) ** 2 / p for p, q in zip(base, chances, strict=True) if p))
        if not far:
            same.append(other.name)
        elif needed_at_one / far > rounds:
            near.append((needed_at_one / far, other.name))
    near.sort()
    lines = [f"errors of the mean of less than {least:.3%} of an ante a round"]
    lines += [f"{name}: that takes about {about(number)} rounds" for number, name in near[:_NAMED]]
    if near[_NAMED:]:
        lines.append(f"{len(near) - _NAMED} more, which are nearer still")
    told = [each for each in counts.classes if each.net is not None]
    if same and len(told) < len(counts.classes):
        lines.append(f"what leaves these counts as they are: {listed(same, _NAMED)}")
    return lines


@lru_cache(maxsize=64)
def _needed_noncentrality(freedom: int, alpha: float) -> float:
    """How far off counts must be expected, by Pearson's statistic, to fail with the usual power."""
    from scipy.special import chdtri, chndtr

    if freedom < 1:
        return float("inf")
    bound, low, high = chdtri(freedom, alpha), 0.0, 1e6
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (low, middle) if chndtr(bound, freedom, middle) <= 1 - POWER else (middle, high)
    return high
