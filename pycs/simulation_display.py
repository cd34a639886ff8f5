"""What people see of simulated rounds on the terminal: the sample beside the exact value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pycs.messages import shown_path
from pycs.report_display import paid
from pycs.strategy_display import exchanges_said
from pycs.terminal import Grid, facts, grid, render, signed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pycs.simulation import Simulation

__all__ = ["simulation", "stands"]


def simulation(found: Simulation) -> str:
    """Simulated rounds: where their mean stands, and how often they ended how."""
    rules = found.rules
    header = facts(
        ("profile", f"{rules.name}: {rules.title}"),
        *paid(rules),
        *exchanges_said(rules, found.exchanges),
        ("rounds", f"{found.rounds:,}, strategy {found.strategy}, seed {found.seed}"),
        *([] if found.path is None else [("log", shown_path(found.path))]),
    )
    figures = facts(
        ("mean", f"{float(found.mean):+.9f} antes per round, {found.net:,} in all: a house edge of {_edge(found)}"),
        ("exact value", f"{float(found.value):+.9f}, exactly {found.value}"),
        ("standard error", _error(found)),
        ("where it stands", stands(found)),
    )
    return render(header, "", figures, "", _actions(found), "", _outcomes(found), *_left_out(found))


def stands(found: Simulation) -> str:
    """Where the mean stands, in words."""
    if found.z is None or found.chance is None:
        return "one round tells nothing" if found.rounds == 1 else "all rounds ended alike: that tells nothing"
    side = "above" if found.z > 0 else "below"
    if found.chance >= 0.01:
        often = f"{found.chance:.0%} of samples"
    elif found.chance >= 1e-15:
        often = f"one of {1 / found.chance:,.0f} samples"
    else:
        often = "fewer than one of 10^15 samples"
    return f"{abs(found.z):.2f} standard errors {side} the exact value; by chance {often} are as far off, or further"


def _edge(found: Simulation) -> str:
    return f"{float(-found.mean):.6%}"


def _error(found: Simulation) -> str:
    if found.standard_error is None:
        return "not known of a single round"
    source = "the sample's own variance" if found.variance is None else "the exact variance"
    return f"{found.standard_error:.9f}, by {source}"


def _actions(found: Simulation) -> Grid:
    table = grid(("action", "left"), ("rounds", "right"), ("share", "right"), ("exactly", "right"))
    for action, rounds in found.actions.items():
        table.add_row(
            action, f"{rounds:,}", f"{rounds / found.rounds:.4%}", f"{float(found.expected_actions[action]):.4%}"
        )
    return table


def _outcomes(found: Simulation) -> Grid:
    exact = found.variance is not None
    expected = [("expected", "right")] if exact else []
    table = grid(("outcome", "left"), ("net", "right"), ("rounds", "right"), *expected)  # type: ignore[arg-type]
    for each in found.outcomes:
        event = f"after the exchange: {each.event}" if each.exchanged else each.event
        share = [f"{float((each.expected or 0) * found.rounds):,.1f}"] if exact else []
        table.add_row(event, signed(each.net), f"{each.rounds:,}", *share)
    return table


def _left_out(found: Simulation) -> Iterator[str]:
    rules = found.rules
    if "further boxes" in rules.not_counted:
        yield ""
        yield "of one box, the first"
    if "the exchange" in rules.not_counted and found.exchanges == 1:
        from pycs.offers import exchanges_allowed

        if exchanges_allowed(rules, None)[0] > 1:
            yield ""
            yield "one exchange at most was made, though the rules allow more: so is the exact value counted"
