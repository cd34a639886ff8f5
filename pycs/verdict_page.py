"""A verdict as one HTML file, to be read and printed: the answer, its reasons, every test, what stayed unseen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pycs.html_parts import Command, Listing, Section, Words
from pycs.templating import rendered
from pycs.verdict_display import DEPTHS, p_text
from pycs.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pycs.html_parts import Part
    from pycs.terminal import Side
    from pycs.verdicts import Verdict

__all__ = ["verdict_page"]


def verdict_page(found: Verdict, command: str) -> str:
    """The whole document; `command` is what prints the verdict.

    >>> from pycs.verdicts import judged
    >>> page = verdict_page(judged("us", "rounds", 10, tests=[], findings=[], enough=False), "pycs verify us log.csv")
    >>> "Not enough data" in page
    True
    """
    return rendered(
        "report.html",
        title=f"{found.verdict.capitalize()}: {found.profile}, {found.figures.get('log', 'a summary of rounds')}",
        subtitle=f"{found.words[0].upper()}{found.words[1:]}.",
        sections=[*_sections(found, command)],
    )


def _sections(found: Verdict, command: str) -> Iterator[Section]:
    rate = f"right software fails in at most {found.alpha:.4g} of cases, all tests together (Holm's correction)"
    facts = (
        ("profile", found.profile),
        ("looked at", f"{DEPTHS[found.depth]}; {found.rounds:,} rounds"),
        ("claimed strategy", found.strategy or "none: the play is named, and fails nothing"),
        ("error rate", rate),
        ("checked by", f"pycs {__version__}"),
    )
    notes: list[Part] = [Listing((("", "left"), ("", "left")), facts), *map(Words, found.notes), Command(command)]
    yield Section("What was looked at", notes)
    if found.findings:
        yield Section("What was found", [*_findings(found)])
    if found.unseen:
        yield Section("What this could not have shown", [*map(Words, found.unseen)])
    if found.tests:
        columns: tuple[tuple[str, Side], ...] = (
            ("test", "left"),
            ("compared", "left"),
            ("how", "left"),
            ("p-value", "right"),
            ("corrected", "right"),
            ("", "left"),
        )
        rows = [
            (test.name, test.words, test.method, p_text(test), f"{test.adjusted:.4f}", "FAILS" if test.failed else "")
            for test in found.tests
        ]
        yield Section("Tests of fit", [Listing(columns, rows)])
    if figures := [*_figures(found.figures)]:
        yield Section("Figures", [Listing((("figure", "left"), ("", "right")), figures)])


def _figures(figures: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Names and figures, those of one kind each in a line of its own."""
    for name, value in figures.items():
        label = name.replace("_", " ")
        if isinstance(value, Mapping):
            yield from ((f"{label}: {part}", _figure(number)) for part, number in value.items())
        elif not isinstance(value, list | tuple):
            yield label, _figure(value)


def _figure(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return "-" if value is None else str(value).lower()
    return f"{value:,}" if isinstance(value, int) else f"{value:,.6f}" if isinstance(value, float) else str(value)


def _findings(found: Verdict) -> Iterator[Part]:
    for finding in found.findings:
        cause = f" [{finding.cause}]" if finding.cause else ""
        yield Words(f"{'Wrong' if finding.fails else 'Note'}, {finding.part}{cause}: {finding.text}")
        for example in finding.examples:
            yield Words(example, exact=True)
