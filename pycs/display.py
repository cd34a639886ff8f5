"""What people see on the terminal: each answer as a header and aligned tables.

Every function here gives back the whole text, so a document is printed at once or not at all. Colour and the terminal's
width come in only when standard output is a terminal; elsewhere a line is as long as its content. Signs are ASCII, as
far as a profile's own words are.
"""

from __future__ import annotations

import io
import os
import shlex
import shutil
import sys
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from pycs.messages import shown_path
from pycs.rules import CATEGORIES, pay_line
from pycs.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from pycs.certification import Certificate
    from pycs.decisions import Decision
    from pycs.reports import Report
    from pycs.rules import Rules
    from pycs.settlement import Settlement
    from pycs.tables import Table

__all__ = ["certificate", "decision", "profiles", "report", "settlement", "solved"]

_WIDTH_OF_FILES = 10_000  # wide enough for every line: a file or a pipe has no edge to wrap at


def profiles(all_rules: Sequence[Rules]) -> str:
    """The profiles, one line each."""
    grid = _grid(
        ("profile", "left"), ("pays", "left"), ("exchanges", "right"), ("qualifies", "left"), ("title", "left")
    )
    for rules in all_rules:
        # A title too long for the terminal is cut short, so that a profile stays one line.
        title = Text(rules.title, no_wrap=True, overflow="ellipsis")
        grid.add_row(
            Text(rules.name, style="bold"),
            "/".join(str(pay) for pay in pays(rules).values()),
            str(exchanges(rules)),
            rules.dealer.qualifies,
            title,
        )
    return _render(grid, "", "pays on the call, to one: royal flush, straight flush, ... down to pair or less")


def pays(rules: Rules) -> dict[str, int]:
    """The pay table from the royal flush down, by the names that profiles give to its lines."""
    return {name: getattr(rules.pays, name) for name in rules.pays.__struct_fields__}


def exchanges(rules: Rules) -> int:
    """How many exchanges the rules allow in a row."""
    return rules.exchange.in_a_row if rules.exchange else 0


def decision(answer: Decision, rules: Rules) -> str:
    """One deal: what each action is worth, which is best, and how the round ends after a call."""
    margin = f", better by {float(answer.margin):.6f} antes"
    if answer.indifferent:
        margin = "; indifferent: fold and call are worth exactly the same"
    best = Text.assemble((answer.action, "bold green"), margin)
    header = _facts(
        ("profile", f"{rules.name}: {rules.title}"),
        ("hand", f"{answer.hand} ({answer.category})"),
        ("upcard", answer.upcard),
        ("best action", best),
    )
    values = _grid(("action", "left"), ("value in antes", "right"), ("exact", "right"))
    for action, value in answer.values.items():
        style = "bold green" if action == answer.action else ""
        values.add_row(Text(action, style=style), f"{float(value):+.6f}", str(value))
    counts = _grid(("after a call", "left"), ("net", "right"), ("completions", "right"), ("share", "right"))
    ends = (
        ("dealer does not qualify", rules.net_not_qualified, answer.outcomes.not_qualified),
        ("player wins", rules.net_win(answer.category), answer.outcomes.win),
        ("push", rules.net_push, answer.outcomes.push),
        ("dealer wins", rules.net_lose, answer.outcomes.lose),
    )
    for event, net, count in ends:
        counts.add_row(event, _net(net), f"{count:,}", f"{count / answer.completions:.4%}")
    counts.add_row("in all", "", f"{answer.completions:,}", f"{1:.4%}", style="bold")
    return _render(header, *_not_counted(rules), "", values, "", counts)


def settlement(result: Settlement, rules: Rules) -> str:
    """A finished round: both hands, what came of them, and the money."""
    qualifies = f"{'qualifies' if result.dealer_qualifies else 'does not qualify'} (needs {_qualifier(rules)})"
    words = {
        "fold": "the player folded: the ante is lost",
        "not_qualified": "the dealer does not qualify: the ante wins 1 to 1, the call comes back",
        "win": f"the player is better: the ante wins 1 to 1, the call {rules.pays.of(result.player_category)} to 1",
        "push": "an exact tie: ante and call come back",
        "lose": "the dealer is better: ante and call are lost",
    }
    facts = _facts(
        ("profile", f"{rules.name}: {rules.title}"),
        ("player", f"{result.player} ({result.player_category})"),
        ("dealer", f"{result.dealer} ({result.dealer_category}), {qualifies}"),
        ("action", result.action),
        ("outcome", words[result.outcome]),
        ("staked", _antes(f"{result.staked}")),
        ("returned", _antes(f"{result.returned}")),
        ("net", Text.assemble((_antes(_net(result.net)), "bold"))),
    )
    return _render(facts)


def report(figures: Report, rules: Rules) -> str:
    """A game's mathematics: the outcome table, then every figure with what it is a share of."""
    header = _facts(
        ("profile", f"{rules.name}: {rules.title}"),
        ("pays", f"{'/'.join(str(pay) for pay in pays(rules).values())}, to one, on a call of {rules.stakes.call}"),
        ("qualifier", _qualifier(rules)),
        ("rules digest", rules.digest),
        ("strategy", f"{figures.strategy}: the action of higher exact value; fold if both are equal"),
        ("counted by", f"pycs {__version__}"),
    )
    events = _grid(
        ("event", "left"), ("net", "right"), ("combinations", "right"), ("share", "right"), ("to the value", "right")
    )
    for event, net, combinations in figures.outcomes:
        wins = event in map(pay_line, CATEGORIES)
        events.add_row(
            f"wins with {event}" if wins else event,
            _net(net),
            f"{combinations:,}",
            f"{combinations / figures.deals:.8f}",
            f"{net * combinations / figures.deals:+.8f}",
        )
    events.add_row("in all", "", f"{figures.deals:,}", f"{1:.8f}", f"{float(figures.value):+.8f}", style="bold")
    measures = _grid(("figure", "left"), ("amount", "right"), ("of what", "left"))
    measures.add_row("value", f"{float(figures.value):+.9f}", "antes per round")
    measures.add_row("", "", f"exactly {figures.value}")
    measures.add_row("house edge", f"{float(figures.house_edge):.6%}", "of the ante, lost per round on average")
    measures.add_row(
        "element of risk", f"{float(figures.element_of_risk):.6%}", "of all that is bet, lost per round on average"
    )
    measures.add_row("average bet", f"{float(figures.average_bet):.6f}", "antes per round, ante and call")
    measures.add_row("variance", f"{float(figures.variance):.6f}", "antes squared, of a round's net result")
    measures.add_row("standard deviation", f"{figures.sd:.6f}", "antes, of a round's net result")
    actions = _grid(("best action", "left"), ("deals", "right"), ("share of deals", "right"))
    for action, count in figures.action_deals.items():
        actions.add_row(action, f"{count:,}", f"{float(figures.actions[action]):.6%}")
    actions.add_row("in all", f"{sum(figures.action_deals.values()):,}", f"{1:.6%}", style="bold")
    # Worth a line only where it happens: with the usual pay tables no deal is indifferent.
    equal = [f"in {figures.indifferent_deals:,} of the folded deals, calling is worth exactly the same"]
    return _render(
        header,
        *_not_counted(rules),
        "",
        events,
        "",
        measures,
        "",
        actions,
        *(equal if figures.indifferent_deals else ()),
    )


def solved(table: Table) -> str:
    """A table that has been solved: where it is, how large, and what the game costs."""
    manifest = table.manifest
    size = sum(part.bytes for part in manifest.parts)
    edge = -Fraction(manifest.totals.value)
    folder = str(table.path)
    facts = _facts(
        ("profile", f"{table.rules.name}: {table.rules.title}"),
        ("folder", shown_path(folder)),
        ("rows", f"{len(table):,} canonical deals"),
        ("size", f"{size / 1e6:.1f} MB in {len(manifest.parts)} parts"),
        ("house edge", f"{float(edge):.6%} of the ante, exactly {edge}"),
    )
    next_step = f"next: pycs certify {shlex.quote(folder) if folder.isprintable() else 'DIR'} --share 0.001"
    return _render(facts, *_not_counted(table.rules), "", next_step)


def certificate(proof: Certificate) -> str:
    """A table's proof: what was done again, what was found, and the verdict."""
    colour = "bold green" if proof.passed else "bold red"
    rows = [(label, Text(text, style=colour if label == "verdict" else "")) for label, text in proof.summary()]
    return _render(_facts(*rows), *proof.problems)


def _grid(*columns: tuple[str, Literal["left", "right"]]) -> Grid:
    grid = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for number, (heading, justify) in enumerate(columns, 1):
        # Numbers and names stay whole; only words in a last column give way to a narrow terminal.
        grid.add_column(heading, justify=justify, no_wrap=justify == "right" or number < len(columns))
    return grid


def _facts(*rows: tuple[str, str | Text]) -> Grid:
    """Labels and what belongs to them, one line each; what is too long for the terminal goes on below itself."""
    grid = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    grid.add_column(style="bold", no_wrap=True)
    grid.add_column(overflow="fold")
    for label, value in rows:
        grid.add_row(label, value)
    return grid


def _not_counted(rules: Rules) -> tuple[str, ...]:
    return (f"fold and call only; not counted: {', '.join(rules.not_counted)}",) if rules.not_counted else ()


def _qualifier(rules: Rules) -> str:
    if rules.dealer.qualifies == "any":
        return "no more than any hand"
    return f"{rules.dealer.qualifies.replace('pair-of-', 'a pair of ')} or better"


def _net(net: int) -> str:
    return f"{net:+,}" if net else "0"


def _antes(amount: str) -> str:
    return f"{amount} {'ante' if amount.lstrip('+-') == '1' else 'antes'}"


def _render(*parts: RenderableType) -> str:
    terminal = sys.stdout is not None and sys.stdout.isatty()
    colour = terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    console = Console(
        file=io.StringIO(),
        width=_WIDTH_OF_FILES,
        force_terminal=colour,
        # Without a colour system nothing is styled at all, not even bold: plain text is what NO_COLOR users expect.
        color_system="standard" if colour else None,
        markup=False,
        emoji=False,
        highlight=False,
        legacy_windows=False,
    )
    if terminal:
        # On a terminal too narrow for the numbers, better that it wraps lines than that digits are cut off.
        for column in [column for part in parts if isinstance(part, Grid) for column in part.columns if column.no_wrap]:
            column.min_width = max(console.measure(cell).maximum for cell in (column.header, *column.cells))
        least = max(console.measure(part).minimum for part in parts)
        console.width = max(shutil.get_terminal_size().columns, least)
    with console.capture() as capture:
        console.print(*parts, sep="\n")
    return "".join(f"{line.rstrip()}\n" for line in capture.get().splitlines())
