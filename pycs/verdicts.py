"""The verdict on a simulator: pass, fail or not enough data, with its tests, what was found, and what stayed unseen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from pycs.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ALPHA", "DETECT", "POWER", "Depth", "Finding", "FitTest", "Verdict", "holm", "judged"]

ALPHA: Final = 0.01
"""The share of right logs that a verdict fails, at most: 99% confidence, as testing laboratories ask for."""

POWER: Final = 0.95
"""The chance with which an error of a stated size is found, where rounds needed are stated."""

DETECT: Final = Fraction(1, 400)
"""The error of an edge, per ante, that a summary must be large enough to show for a pass: a quarter of a percent."""

Depth: TypeAlias = Literal["rounds", "counts", "summary"]
"""What the verdict was made from: every round, counts by outcome, or sums."""

Answer: TypeAlias = Literal["pass", "fail", "not enough data"]

Part: TypeAlias = Literal["settling", "dealing", "play", "log", "figures"]


@dataclass(frozen=True, slots=True)
class FitTest:
    """One test of fit: how likely right software shows as large a difference or a larger one.

    `words` say in one sentence what was compared and what came out; `method` how `p_value` was found, such as `exact`,
    `chi-square, 12 degrees of freedom` or `Monte Carlo, 100,000 samples`. `error` bounds what is wrong with the
    p-value (of a Monte Carlo one, its standard error); 0 where it is exact, None for an approximation without a bound,
    which its method names. `anytime`: the p-value stays valid however often a growing log is looked at.

    `adjusted` is the p-value after the correction for the number of tests, `failed` whether that is at or below the
    verdict's alpha: both are set by `judged`.
    """

    name: str
    part: Part
    words: str
    method: str
    rounds: int
    p_value: float
    statistic: float | None = None
    error: float | None = 0.0
    anytime: bool = False
    adjusted: float = 1.0
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong, or worth telling: the reason for a failure when `fails`.

    `cause` is the name of the wrong rule, strategy or denominator that explains it, None where none does. `rounds` is
    how many rounds show it; `examples` are the first ones, a line of text each.
    """

    part: Part
    text: str
    fails: bool
    cause: str | None = None
    rounds: int = 0
    examples: tuple[str, ...] = ()


@dataclass(frozen=True)
class Verdict:
    """What a log, counts or a summary say about the software that made them.

    `verdict` is `pass`, `fail` or `not enough data`. It fails on a finding that fails, or on a test that does, of which
    right software has a chance of at most `alpha` in all. `strategy` is the claimed one, None when none was. `findings`
    begin with what fails; `notes` tell what was understood and what fits; `unseen` what this input could not have
    shown, whatever the verdict. `figures` are plain numbers and texts, for programs. Safe to share among threads.
    """

    profile: str
    depth: Depth
    verdict: Answer
    rounds: int
    alpha: float
    strategy: str | None
    tests: tuple[FitTest, ...] = ()
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()
    figures: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def passed(self) -> bool:
        """Whether the verdict is a pass."""
        return self.verdict == "pass"

    @property
    def words(self) -> str:
        """The reason in half a sentence."""
        if self.verdict == "pass":
            return "nothing is wrong in what could be seen"
        if self.verdict == "not enough data":
            return "nothing is wrong so far, but too little could be seen"
        tests = sum(test.failed for test in self.tests)
        told = [
            *([f"the likely cause is {', '.join(self.causes)}"] if self.causes else []),
            *([f"{tests} of {len(self.tests)} tests of fit fail"] if tests else []),
        ]
        failing = [finding.text for finding in self.findings if finding.fails]
        return "; ".join(told) or failing[0]

    def __str__(self) -> str:
        """The verdict and its reason, in a line."""
        return f"{self.verdict}: {self.words}"

    @property
    def causes(self) -> tuple[str, ...]:
        """The names of what explains the failures, each once."""
        return tuple(dict.fromkeys(f.cause for f in self.findings if f.fails and f.cause is not None))

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `pycs verify --json` prints it."""
        return {
            "profile": self.profile,
            "version": __version__,
            "depth": self.depth,
            "verdict": self.verdict,
            "rounds": self.rounds,
            "alpha": self.alpha,
            "strategy": self.strategy,
            "causes": list(self.causes),
            "findings": [asdict(each) for each in self.findings],
            "tests": [asdict(each) for each in self.tests],
            "notes": list(self.notes),
            "unseen": list(self.unseen),
            "figures": dict(self.figures),
        }


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjustment: with these, the chance of any false alarm among all tests stays at alpha.

    S. Holm, A simple sequentially rejective multiple test procedure, 1979: however the tests hang together.

    >>> holm([0.01, 0.5, 0.02])
    [0.03, 0.5, 0.04]
    """
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    adjusted, largest = [0.0] * len(p_values), 0.0
    for done, place in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - done) * p_values[place]))
        adjusted[place] = largest
    return adjusted


def judged(
    profile: str,
    depth: Depth,
    rounds: int,
    *,
    tests: Sequence[FitTest],
    findings: Sequence[Finding],
    enough: bool,
    alpha: float = ALPHA,
    strategy: str | None = None,
    notes: Sequence[str] = (),
    unseen: Sequence[str] = (),
    figures: Mapping[str, Any] | None = None,
) -> Verdict:
    """The verdict on these tests and findings: `enough` says whether a clean input of this size is a pass.

    >>> judged("us", "rounds", 10, tests=[], findings=[], enough=False).verdict
    'not enough data'
    """
    adjusted = holm([test.p_value for test in tests])
    tried = tuple(replace(test, adjusted=p, failed=p <= alpha) for test, p in zip(tests, adjusted, strict=True))
    fails = any(test.failed for test in tried) or any(finding.fails for finding in findings)
    return Verdict(
        profile=profile,
        depth=depth,
        verdict="fail" if fails else "pass" if enough else "not enough data",
        rounds=rounds,
        alpha=alpha,
        strategy=strategy,
        tests=tried,
        findings=tuple(sorted(findings, key=lambda finding: not finding.fails)),
        notes=tuple(notes),
        unseen=tuple(unseen),
        figures=dict(figures or {}),
    )
