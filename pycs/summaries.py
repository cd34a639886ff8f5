"""The verdict on a summary: rounds and a total, a return or an edge, held against the exact distribution of the sum.

A summary can only show errors that move the mean. Where it does not fit what is claimed, it is held against what else
would give it: the other denominator, another strategy, another pay table, a wrong rule.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pycs.detection import about, detectable, rounds_needed
from pycs.distributions import Distribution
from pycs.exchange_summaries import verdict_with_exchange
from pycs.fit_tests import binomial_test
from pycs.messages import listed
from pycs.rule_variants import variants_of
from pycs.rules import load_rules
from pycs.stated_figures import read_figure
from pycs.stated_summaries import Per, Summary, read_summary
from pycs.strategies import OPTIMAL
from pycs.total_tests import per_bet, ratio_test, sum_test
from pycs.verdicts import ALPHA, DETECT, POWER, Finding, FitTest, holm, judged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pycs.rule_variants import Given, Kind, Variant
    from pycs.rules import Rules
    from pycs.verdicts import Part, Verdict

__all__ = ["told_apart", "verdict_on_summary"]

_SHARE: Final[Mapping[Per, str]] = {"ante": "the antes", "bet": "all money bet"}
_PART: Final[Mapping[Kind, Part]] = {
    "right": "figures",
    "strategy": "play",
    "pay table": "settling",
    "rule": "settling",
}
_REACH: Final = 8  # standard errors that the mean of a log may be off where it is not stated
_MANY: Final = 10_000  # rounds, after which
_CLEARLY: Final = 12  # standard errors need no test
_NAMED: Final = 8  # variants that are told one by one


class _Fit(NamedTuple):
    """How a summary fits what a variant would bring: the tests, and the least p-value after Holm's correction."""

    variant: Variant
    per: Per
    tests: tuple[FitTest, ...]

    @property
    def p_value(self) -> float:
        return min(holm([test.p_value for test in self.tests]))

    @property
    def exact(self) -> Fraction:
        """The mean net result, of what the figure is a share of."""
        return -(self.variant.element_of_risk if self.per == "bet" else self.variant.house_edge)


def verdict_on_summary(
    profile: str | os.PathLike[str] | Rules,
    summary: Summary | Mapping[str, Any] | str | os.PathLike[str],
    *,
    strategy: Given | None = None,
    alpha: float = ALPHA,
    anytime: bool = False,
    detect: Fraction = DETECT,
) -> Verdict:
    """What a summary says about the software that made it, when the players are said to follow a strategy.

    The total, the rate and the standard deviation are tested by the exact distribution of the sum
    (`pycs.total_tests`). A summary that fails is held against the other denominator, other strategies, published pay
    tables and wrong rules (`pycs.rule_variants`), and what fits is named, the first in this order as the cause. One
    that does not fail passes only when so many rounds would show an error of `detect` antes with 95% power; else there
    is not enough data.

    Without a strategy the play fails nothing: the summary fails only when it brings the players more than any strategy
    with a name can by chance. It passes when one of these fits; where none does, a summary cannot tell poor play from
    wrong software, and there is not enough data.

    `anytime` gives p-values that hold at every look at a growing log. Where `per` is not stated, both denominators are
    tried, and what fits is told. Rules with an exchange: `pycs.exchange_summaries`. InputError for a strategy or a
    profile that cannot be. Some ten seconds. Safe to call from many threads.

    >>> said = {"rounds": 1_000_000, "edge": "5.316%", "per": "ante"}
    >>> print(verdict_on_summary("us", said, strategy="optimal").verdict)
    not enough data
    """
    rules = load_rules(profile)
    summary = summary if isinstance(summary, Summary) else read_summary(summary)
    if "the exchange" in rules.not_counted_of_main_bet:
        return verdict_with_exchange(rules, summary, strategy=strategy, alpha=alpha, anytime=anytime, detect=detect)
    variants = variants_of(rules, OPTIMAL if strategy is None else strategy)
    return _Judge(rules, summary, variants, alpha, anytime, Fraction(detect), claimed=strategy is not None).verdict()


class _Judge:
    """One verdict in the making."""

    def __init__(
        self,
        rules: Rules,
        summary: Summary,
        variants: Sequence[Variant],
        alpha: float,
        anytime: bool,
        detect: Fraction,
        *,
        claimed: bool,
    ) -> None:
        self.rules, self.summary, self.variants = rules, summary, variants
        self.alpha, self.anytime, self.detect, self.claimed = alpha, anytime, detect, claimed
        self.pers: tuple[Per, ...] = ("ante",)  # those that are claimed
        if summary.rate is not None:
            self.pers = ("ante", "bet") if summary.per is None else (summary.per,)
        self.per = self.pers[0]  # the one that is judged
        self.notes: list[str] = []
        self.findings: list[Finding] = []

    def verdict(self) -> Verdict:
        summary, claim = self.summary, self.variants[0]
        tests = self._tests_of_claim() if self.claimed else self._tests_of_any_play()
        self._check_totals()
        fitting = [fit for fit in self._all_fits() if fit.p_value > self.alpha]
        sd = self._sd(claim, self.per)
        least = detectable(sd, summary.rounds, self.alpha, POWER, anytime=self.anytime)
        enough = least <= self.detect
        known: list[_Fit] = []
        if not self.claimed:
            known = [fit for fit in fitting if fit.variant.kind in ("right", "strategy") and fit.per in self.pers]
            enough = enough and bool(known)
        if any(p <= self.alpha for p in holm([test.p_value for test in tests])):
            self._explain(fitting)
        elif least > self.detect:
            needed = rounds_needed(sd, self.detect, self.alpha, POWER, anytime=self.anytime)
            self.notes.append(
                f"{summary.rounds:,} rounds show an error of {least:.3%} of an ante or more; an error of "
                f"{float(self.detect):.3%} takes {needed:,} rounds"
            )
        if not self.claimed and not self.findings:
            self._name_play(known, [fit for fit in fitting if fit not in known])
        return judged(
            self.rules.name,
            "summary",
            summary.rounds,
            tests=tests,
            findings=self.findings,
            enough=enough,
            alpha=self.alpha,
            strategy=claim.strategy if self.claimed else None,
            notes=self.notes,
            unseen=self._unseen(claim, sd, least),
            figures=self._figures(claim, sd, least, fitting),
        )

    # --- tests --------------------------------------------------------------------------------------------------

    def _fit(self, variant: Variant, per: Per, *, quick: bool) -> _Fit:
        """Every figure of the summary against one variant."""
        summary, rounds = self.summary, self.summary.rounds
        how: dict[str, Any] = {"anytime": self.anytime, "quick": quick}
        rate, net = summary.rate, summary.total_net
        tests = []
        if net is not None:
            expected = f"total net result {float(net):,.2f} antes; {variant.name} brings {{:,.2f}}"
            words = expected.format(float(rounds * variant.net.mean))
            tests.append(sum_test("net result", "figures", variant.net, rounds, net, words=words, **how))
        elif rate is not None:
            about = -(variant.element_of_risk if per == "bet" else variant.house_edge)
            words = f"{rate.text} of {_SHARE[per]}; {variant.name} brings {summary.share(about)}"
            if per == "bet":
                interval = (rate.low, rate.high)
                found = ratio_test("per unit bet", "figures", variant.joint, rounds, interval, words=words, **how)
            else:
                total = (rate.low * rounds, rate.high * rounds)
                found = sum_test("per ante", "figures", variant.net, rounds, total, words=words, **how)
            tests.append(found)
        calls = self._calls(variant)
        if calls is not None:
            words = f"{calls:,} calls by the total staked; {variant.name} calls {float(rounds * variant.called):,.1f}"
            found = binomial_test("calls", "play", calls, rounds, variant.called, words=words, anytime=self.anytime)
            tests.append(found)
        if summary.sd is not None and rounds > 1:
            tests.append(self._sd_test(variant, per, how))
        return _Fit(variant, per, tuple(tests))

    def _sd_test(self, variant: Variant, per: Per, how: Mapping[str, Any]) -> FitTest:
        """The standard deviation by the sum of squares, whose distribution is exact as that of any other sum."""
        summary, rounds = self.summary, self.summary.rounds
        figure = read_figure(summary.sd if summary.sd is not None else 0, "the standard deviation")
        rate, net, one = summary.rate, summary.total_net, variant.net
        if net is not None:
            means = [net / rounds]
        elif rate is not None and per == "ante":
            means = [rate.low, rate.high]
        else:
            off = Fraction(_REACH * one.sd / sqrt(rounds))
            means = [one.mean - off, one.mean + off]
        squares = [mean * mean for mean in means]
        smallest = Fraction(0) if min(means) <= 0 <= max(means) else min(squares)
        # over rounds or rounds - 1, as either is usual
        total = ((rounds - 1) * figure.low**2 + rounds * smallest, rounds * (figure.high**2 + max(squares)))
        square = Distribution.of((value * value, ways) for value, ways in zip(one.values, one.weights, strict=True))
        words = f"standard deviation {figure.text}; {variant.name} has {one.sd:.6f}"
        return sum_test("standard deviation", "figures", square, rounds, total, words=words, **how)

    def _calls(self, variant: Variant | None = None) -> int | None:
        """How many rounds were called, by the total staked; None where it is not stated, or cannot be."""
        if self.summary.staked is None:
            return None
        stakes, rounds = self.rules.stakes, self.summary.rounds
        ends = (variant or self.variants[0]).ends
        call = max((end.staked for end in ends if end.action == "call"), default=0) - stakes.ante
        calls = (self.summary.antes("staked") - rounds * stakes.ante) / (call or stakes.call)
        return (
            int(calls) if calls.denominator == 1 and 0 <= calls <= rounds and (calls or self._never_calls()) else None
        )

    def _never_calls(self) -> bool:
        return self.claimed and not self.variants[0].called

    def _check_totals(self) -> None:
        """Totals that no rounds can bring."""
        summary, rounds = self.summary, self.summary.rounds
        net, one = summary.total_net, self.variants[0].net
        if summary.staked is not None and self._calls() is None:
            staked, ante = summary.antes("staked"), rounds * self.rules.stakes.ante
            if staked == ante:
                told = (
                    f"the total staked, {float(staked):,.2f}, is that of the antes alone: what was called is left out"
                )
                self.findings.append(Finding("figures", told, fails=True, cause="per-ante", rounds=rounds))
            else:
                told = f"no {rounds:,} rounds stake {float(staked):,.2f} antes in all"
                self.findings.append(Finding("figures", told, fails=True, rounds=rounds))
        if net is not None and (
            (net / one.unit).denominator > 1 or not one.values[0] <= net / rounds <= one.values[-1]
        ):
            told = f"no {rounds:,} rounds bring {float(net):,.2f} antes in all"
            self.findings.append(Finding("figures", told, fails=True, rounds=rounds))

    def _tests_of_claim(self) -> tuple[FitTest, ...]:
        fits = [self._fit(self.variants[0], per, quick=False) for per in self.pers]
        best = max(fits, key=lambda fit: fit.p_value)
        self.per = best.per
        if len(fits) > 1:
            self._name_denominator(fits)
        return best.tests

    def _tests_of_any_play(self) -> tuple[FitTest, ...]:
        """Is the result above what any strategy with a name brings by chance? That with the largest p-value."""
        found: list[FitTest] = []
        for per in self.pers:
            for variant in self._plays():
                test = self._fit(variant, per, quick=True).tests[0]
                p = test.p_value / 2 if (test.statistic or 0) > 0 and not self.anytime else test.p_value
                p = 1.0 if (test.statistic or 0) <= 0 else p
                words = f"no more than {variant.name} play brings: {test.words}"
                found.append(FitTest(
                    "not above play", "figures", words, f"{test.method}, one-sided", test.rounds, p, test.statistic,
                    test.error, test.anytime,
                ))  # fmt: skip
        return (max(found, key=lambda test: test.p_value),)

    def _plays(self) -> list[Variant]:
        return [variant for variant in self.variants if variant.kind in ("right", "strategy")]

    # --- what fits ----------------------------------------------------------------------------------------------

    def _all_fits(self) -> list[_Fit]:
        """Every variant by every denominator, in the order in which causes are named."""
        both: tuple[Per, ...] = ("ante", "bet") if self.summary.rate is not None else self.pers
        order = [
            (variant, per)
            for variant in self.variants
            for per in both
            if self.claimed or variant.kind == "right" or per in self.pers or variant.kind == "strategy"
        ]
        near = [(variant, per) for variant, per in order if not self._far(variant, per) and self._can_stake(variant)]
        fits = [self._fit(variant, per, quick=True) for variant, per in near]
        return sorted(fits, key=lambda fit: (self._tier(fit), -fit.p_value))

    def _can_stake(self, variant: Variant) -> bool:
        """Whether so much can have been staked, as far as it is stated."""
        return self.summary.staked is None or self._calls() is None or self._calls(variant) is not None

    def _far(self, variant: Variant, per: Per) -> bool:
        """Whether a figure is so far off that no test is needed."""
        rate, net, rounds = self.summary.rate, self.summary.total_net, self.summary.rounds
        if rounds < _MANY:
            return False
        mean = float(-(variant.element_of_risk if per == "bet" else variant.house_edge))
        low, high = (float(net / rounds),) * 2 if rate is None and net is not None else (0.0, 0.0)
        if rate is not None:
            low, high = float(rate.low), float(rate.high)
        return max(low - mean, mean - high) > _CLEARLY * variant.net_sd / sqrt(rounds)

    def _tier(self, fit: _Fit) -> int:
        kind, stated = fit.variant.kind, fit.per in self.pers
        if kind == "right" or (kind == "strategy" and not self.claimed):
            return 0 if stated else 1
        return {"strategy": 2, "pay table": 3, "rule": 3}[kind] + (0 if stated else 2)

    def _explain(self, fitting: Sequence[_Fit]) -> None:
        """What would give the summary, the first tier with anything in it as the cause."""
        summary, claim = self.summary, self.variants[0]
        stated = self.per
        if not fitting:
            told = "neither another denominator, nor a known strategy, pay table or wrong rule gives these figures"
            self.findings.append(Finding("figures", told, fails=True, rounds=summary.rounds))
            return
        best, rate = fitting[0], summary.rate
        if rate is not None and best.per not in self.pers:
            cause = f"per-{best.per}" if best.variant.kind in ("right", "strategy") else best.variant.name
            wrong = _Fit(best.variant if best.variant.kind != "right" else claim, stated, ())
            told = (
                f"{rate.text} fits the share of {_SHARE[best.per]} (exact {summary.share(best.exact)} for "
                f"{best.variant.name}), not of {_SHARE[stated]} ({summary.share(wrong.exact)})"
            )
            part: Part = "figures"
        else:
            cause, part = best.variant.name, _PART[best.variant.kind]
            kind = {"strategy": "the strategy ", "right": "", "pay table": "", "rule": ""}[best.variant.kind]
            told = f"what was seen fits {kind}{best.variant.name} ({self._exact(best)}), not {claim.name}"
            told += f" ({self._exact(_Fit(claim, best.per, ()))})"
            if best.variant.kind in ("pay table", "rule"):
                told += f": {best.variant.words}"
        self.findings.append(Finding(part, told, fails=True, cause=cause, rounds=summary.rounds))
        others = [self._label(fit) for fit in fitting[1:]]
        if others:
            self.notes.append(f"what was seen fits as well: {listed(others, _NAMED, '; ')}")

    def _exact(self, fit: _Fit) -> str:
        return f"{self.summary.share(fit.exact)} of {_SHARE[fit.per]}"

    def _label(self, fit: _Fit) -> str:
        return f"{fit.variant.name} ({self._exact(fit)}, p {fit.p_value:.2g})"

    def _name_denominator(self, fits: Sequence[_Fit]) -> None:
        """Of the claim, by both denominators."""
        told = []
        for fit in fits:
            verb = "fits" if fit.p_value > self.alpha else "does not fit"
            told.append(f"{verb} the share of {_SHARE[fit.per]} ({self.summary.share(fit.exact)})")
        self.notes.append(f"the figure {' and '.join(told)}")

    def _name_play(self, known: Sequence[_Fit], others: Sequence[_Fit]) -> None:
        """Which strategies fit, best first, and what they cost; where none does, what else."""
        if known:
            self.notes.append(
                f"no strategy is claimed; what was seen fits {listed([*map(self._label, known)], _NAMED, '; ')}"
            )
            return
        self.notes.append("no strategy is claimed, and none with a name fits: claim one, or give counts or rounds")
        if others:
            self.notes.append(f"what was seen would fit {listed([*map(self._label, others)], _NAMED, '; ')}")

    def _sd(self, variant: Variant, per: Per) -> float:
        """The standard deviation of what is tested, in antes a round."""
        if self.summary.rate is None or per == "ante":
            return variant.net.sd
        return per_bet(variant.joint, -variant.element_of_risk).sd

    def _unseen(self, claim: Variant, sd: float, least: float) -> list[str]:
        rounds, per = self.summary.rounds, self.per
        lines = [
            f"errors of less than {least:.3%} of an ante a round",
            "errors that leave the mean as it is, such as cards that come in a pattern",
        ]
        apart = {other.name: float(abs(self._mean(other, per) - self._mean(claim, per))) for other in self.variants[1:]}
        return lines + told_apart(apart, sd, rounds, self.alpha, anytime=self.anytime)

    def _mean(self, variant: Variant, per: Per) -> Fraction:
        """What is tested, in antes a round."""
        if self.summary.rate is None or per == "ante":
            return variant.net.mean
        return -variant.element_of_risk * self.variants[0].average_bet

    def _figures(self, claim: Variant, sd: float, least: float, fitting: Sequence[_Fit]) -> dict[str, Any]:
        rate, net = self.summary.rate, self.summary.total_net
        return {
            "stated": None if rate is None else rate.text,
            "per": self.summary.per,
            "net_per_ante": None if net is None else float(net / self.summary.rounds),
            "house_edge": float(claim.house_edge),
            "element_of_risk": float(claim.element_of_risk),
            "sd": claim.net.sd,
            "detectable": least,
            "detect": float(self.detect),
            "rounds_needed": rounds_needed(sd, self.detect, self.alpha, POWER, anytime=self.anytime),
            "fits": [
                {"name": fit.variant.name, "kind": fit.variant.kind, "per": fit.per, "p_value": fit.p_value}
                for fit in fitting
            ],
        }


def told_apart(apart: Mapping[str, float], sd: float, rounds: int, alpha: float, *, anytime: bool = False) -> list[str]:
    """What so many rounds cannot tell from the claim by the mean, with the rounds that would: a line of text each.

    `apart` says how far the mean of each variant is from the claimed one, in the unit of `sd`.

    >>> told_apart({"three-rules": 2.25e-6}, 2.243, 1000, 0.01)
    ['three-rules, which is 0.0002% of an ante away: that takes about 18 trillion rounds']
    """
    least = detectable(sd, rounds, alpha, anytime=anytime)
    near = sorted((distance, name) for name, distance in apart.items() if 0 < distance < least)[::-1]
    lines = [
        f"{name}, which is {distance:.4%} of an ante away: that takes about "
        f"{about(rounds_needed(sd, distance, alpha, anytime=anytime))} rounds"
        for distance, name in near[:_NAMED]
    ]
    if near[_NAMED:]:
        lines.append(f"{len(near) - _NAMED} more, which are nearer still")
    if same := [name for name, distance in apart.items() if not distance]:
        lines.append(f"{', '.join(same)}, which with this play leaves the mean as it is")
    return lines
