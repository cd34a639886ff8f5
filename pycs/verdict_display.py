"""What people see of a verdict on the terminal: the answer, and one screen of reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pycs.terminal import Grid, Text, facts, grid, render
from pycs.version import __version__

if TYPE_CHECKING:
    from rich.console import RenderableType

    from pycs.verdicts import FitTest, Verdict

__all__ = ["DEPTHS", "p_text", "verdict", "verdict_words"]

DEPTHS: Final = {
    "rounds": "every round, settled and decided again",
    "counts": "counts by outcome",
    "summary": "a summary: totals alone",
}
"""What each depth looks at, in words."""

_STYLES: Final = {"pass": "bold green", "fail": "bold red", "not enough data": "bold yellow"}
_TESTS: Final = 8  # shown: those that fail, then the smallest p-values
_EXAMPLES: Final = 3


def verdict(found: Verdict) -> str:
    """The verdict and its reasons."""
    claim = found.strategy or "none: the play is named, and fails nothing"
    parts: list[RenderableType] = [
        Text(f"{found.verdict.upper()}: {verdict_words(found)}", style=_STYLES[found.verdict]),
        "",
        facts(
            ("profile", found.profile),
            ("looked at", f"{DEPTHS[found.depth]}; {found.rounds:,} rounds"),
            ("strategy", claim),
            ("error rate", f"right software fails in at most {found.alpha:.4g} of cases, all tests together"),
            ("checked by", f"pycs {__version__}"),
        ),
    ]
    for finding in found.findings:
        cause = f" [{finding.cause}]" if finding.cause else ""
        parts += ["", f"{'WRONG' if finding.fails else 'note'}, {finding.part}{cause}: {finding.text}"]
        parts += [f"  {example}" for example in finding.examples[:_EXAMPLES]]
    if found.notes:
        parts += ["", *found.notes]
    if found.tests:
        parts += ["", _tests(found)]
        left = len(found.tests) - _TESTS
        if left > 0:
            parts.append(f"{left} more tests with larger p-values: see --json or --html")
    if found.unseen:
        parts += ["", "What this could not have shown:", *(f"- {line}" for line in found.unseen)]
    return render(*parts)


def verdict_words(found: Verdict) -> str:
    """The verdict in a sentence."""
    failing = [finding for finding in found.findings if finding.fails]
    if found.verdict == "fail":
        causes = ", ".join(found.causes)
        tests = sum(test.failed for test in found.tests)
        told = [
            *([f"the likely cause is {causes}"] if causes else []),
            *([f"{tests} of {len(found.tests)} tests of fit fail"] if tests else []),
        ]
        return "; ".join(told) or (failing[0].text if failing else "it does not fit")
    if found.verdict == "pass":
        return "nothing is wrong in what could be seen"
    return "nothing is wrong so far, but too little could be seen"


def _tests(found: Verdict) -> Grid:
    """The tests that fail, and those that come nearest to it."""
    table = grid(
        ("test", "left"), ("p-value", "right"), ("corrected", "right"), ("", "left"), ("what was compared", "left")
    )
    for test in sorted(found.tests, key=lambda test: test.p_value)[:_TESTS]:
        table.add_row(
            test.name,
            p_text(test),
            f"{test.adjusted:.4f}",
            "FAILS" if test.failed else "",
            f"{test.words} ({test.method})",
        )
    return table


def p_text(test: FitTest) -> str:
    """A p-value as it is shown; a sampled one carries its standard error.

    >>> from pycs.verdicts import FitTest
    >>> p_text(FitTest("hands", "dealing", "", "Monte Carlo, 1,000 samples", 10, 0.25, error=0.0137))
    '0.2500 +- 0.0137'
    """
    shown = f"{test.p_value:.4f}" if test.p_value >= 1e-4 else f"{test.p_value:.1e}"
    sampled = "Monte Carlo" in test.method and test.error
    return f"{shown} +- {test.error:.4f}" if sampled else shown
