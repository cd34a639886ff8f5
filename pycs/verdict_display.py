"""What people see of a verdict on the terminal: the answer, and one screen of reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pycs.terminal import Text, facts, grid, render
from pycs.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType

    from pycs.verdicts import FitTest, Verdict

__all__ = ["DEPTHS", "p_text", "verdict"]

DEPTHS: Final = {
    "rounds": "every round, settled and decided again",
    "counts": "counts by outcome",
    "summary": "a summary: totals alone",
}
"""What each depth looks at, in words."""

_STYLES: Final = {"pass": "bold green", "fail": "bold red", "not enough data": "bold yellow"}
_TESTS: Final = 8  # shown
_FEW: Final = 4  # tests, which are shown whether they fail or not
_LEAST: Final = 0.0001
_EXAMPLES: Final = 3


def verdict(found: Verdict) -> str:
    """The verdict and its reasons."""
    claim = found.strategy or "none claimed: the play is named, and fails nothing"
    parts: list[RenderableType] = [
        Text(f"{found.verdict.upper()}: {found.words}", style=_STYLES[found.verdict]),
        "",
        facts(
            ("profile", found.profile),
            ("looked at", f"{DEPTHS[found.depth]}; {found.rounds:,} rounds"),
            ("strategy", claim),
            ("false alarms", f"at most {found.alpha:.4g} of right software fails, all tests together"),
            ("checked by", f"pycs {__version__}"),
        ),
    ]
    if found.notes:
        parts += ["", *found.notes]
    for finding in found.findings:
        cause = f" [{finding.cause}]" if finding.cause else ""
        parts += ["", f"{'WRONG' if finding.fails else 'note'}, {finding.part}{cause}: {finding.text}"]
        parts += [f"  {example}" for example in finding.examples[:_EXAMPLES]]
    if found.tests:
        parts += ["", *_tests(found)]
    if found.unseen:
        parts += ["", "What this could not have shown:", *(f"- {line}" for line in found.unseen)]
    return render(*parts)


def _tests(found: Verdict) -> Iterator[RenderableType]:
    """The tests that fail; or in a line that none does. A summary has few, which are all shown."""
    failed = [test for test in found.tests if test.failed]
    least = min(found.tests, key=lambda test: test.p_value)
    if not failed and len(found.tests) > _FEW:
        told = (
            f"the smallest p-value is {p_text(least)} ({least.name}), {least.adjusted:.4f} corrected for their number"
        )
        yield f"{len(found.tests)} tests of fit, none fails: {told}"
        return
    table = grid(("test", "left"), ("p-value", "right"), ("corrected", "right"), ("", "left"), ("compared", "left"))
    shown = sorted(failed or found.tests, key=lambda test: test.p_value)
    for test in shown[:_TESTS]:
        corrected = f"{test.adjusted:.4f}" if test.adjusted >= _LEAST else f"< {_LEAST}"
        table.add_row(test.name, p_text(test), corrected, "FAILS" if test.failed else "fits", test.words)
    yield table
    if len(shown) > _TESTS:
        yield f"and {len(shown) - _TESTS} more that fail: all are in --json and --html"


def p_text(test: FitTest) -> str:
    """A p-value as it is shown; a sampled one carries its standard error.

    >>> from pycs.verdicts import FitTest
    >>> p_text(FitTest("hands", "dealing", "", "Monte Carlo, 1,000 samples", 10, 0.25, error=0.0137))
    '0.2500 +- 0.0137'
    """
    shown = f"{test.p_value:.4f}" if test.p_value >= _LEAST else f"{test.p_value:.1e}"
    sampled = "Monte Carlo" in test.method and test.error
    return f"{shown} +- {test.error:.4f}" if sampled else shown
