"""What people see of a session: on the terminal, as a table in a file, or as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from pycs.amounts import plain
from pycs.display import not_counted_line
from pycs.files import TABLES, write_atomically, write_table
from pycs.picture_files import PICTURES, as_file
from pycs.session_plots import bars
from pycs.sessions import SHARES
from pycs.terminal import antes, facts, grid, render, signed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType

    from pycs.session_reports import SessionReport

__all__ = ["WRITTEN", "session", "write"]

WRITTEN: Final = (*TABLES, *PICTURES)

_BARS, _WIDTH = 24, 40


def session(found: SessionReport) -> str:
    """A session: who wins, how it can end, and what becomes of a bankroll."""
    result, rules = found.result, found.rounds.rules
    sizes = ", ".join(f"{antes(plain(size))} on {name}" for name, size in found.rounds.stakes.items() if size)
    header = facts(
        ("profile", f"{rules.name}: {rules.title}"),
        ("session", f"{result.rounds:,} round{'' if result.rounds == 1 else 's'}, strategy {found.rounds.strategy}"),
        *([("side bets", sizes)] if sizes else []),
        ("chances", _how(found)),
    )
    ends = grid(("net result", "left"), ("chance", "right"))
    against = f"{signed(found.draw)} antes" if found.draw else "0"
    ends.add_row(f"above {against}: the player wins", f"{float(result.above(found.draw)):.6%}")
    ends.add_row(f"exactly {against}: nobody wins", f"{float(result.at(found.draw)):.6%}")
    ends.add_row(f"below {against}: the bank wins", f"{float(result.below(found.draw)):.6%}")
    measures = facts(
        ("mean", f"{float(result.mean):+.9f} antes, exactly {result.mean}"),
        ("standard deviation", f"{result.sd:.6f} antes"),
        ("skewness", f"{result.skewness:+.6f}, excess kurtosis {result.excess_kurtosis:+.6f}"),
    )
    quantiles = grid(("share of sessions", "right"), ("end at or below", "right"))
    for share in SHARES:
        least, most = result.quantile(share)
        quantiles.add_row(
            f"{float(share):.0%}", signed(most) if least == most else f"{signed(least)} to {signed(most)}"
        )
    return render(
        header,
        *not_counted_line(found.not_counted),
        "",
        ends,
        "",
        measures,
        "",
        quantiles,
        "",
        *_picture(found),
        *_bankroll(found),
    )


def _how(found: SessionReport) -> str:
    if found.result.exact is not None:
        return "exact"
    how = "by Fourier transform" if found.result.method == "fourier" else "by how often a rare result comes"
    return f"in floats, {how}: none is wrong by more than {found.result.error:.1e}"


def _picture(found: SessionReport) -> Iterator[RenderableType]:
    shown = bars(found.result, _BARS)
    tallest = max(bar.chance for bar in shown)
    histogram = grid(("net result", "right"), ("chance", "right"), ("", "left"))
    for bar in shown:
        ends = signed(bar.least) if bar.least == bar.most else f"{signed(bar.least)} to {signed(bar.most)}"
        histogram.add_row(ends, f"{bar.chance:.4%}", "#" * round(_WIDTH * bar.chance / tallest))
    yield histogram
    yield f"all but {1 - sum(bar.chance for bar in shown):.4%} of the sessions, which end further out"


def _bankroll(found: SessionReport) -> Iterator[RenderableType]:
    if found.ruin is not None:
        how = "exact, rounded here" if found.ruin.method == "exact" else f"within {found.ruin.error:.1e}"
        yield ""
        yield (
            f"from {antes(plain(found.ruin.bankroll))}, ruined within {found.ruin.rounds:,} rounds: "
            f"{float(found.ruin.chance):.9g} ({how})"
        )
    if found.enough is not None:
        enough = found.enough
        how = "exact, rounded here" if enough.method == "exact" else f"within {enough.error:.1e}"
        yield ""
        chances = f"{float(enough.chance):.9g}; with one less {float(enough.chance_below):.9g}"
        yield f"for a risk of at most {plain(enough.risk)}: {antes(plain(enough.bankroll))}, "
        yield f"ruined with a chance of {chances} ({how})"
        if not enough.certain:
            yield f"the error leaves open whether {antes(plain(enough.least))} would do"
    if found.ruin is not None or found.enough is not None:
        yield "ruined: unable to pay the next ante and side bets; a call that can't be paid is a fold"
        yield "all that stands above is of a player who can pay every round"


def write(found: SessionReport, path: str) -> None:
    """Every result with its chance as a table, or a picture of them, by how the path ends."""
    file, suffix = Path(path), Path(path).suffix.lower()
    if suffix in TABLES:
        write_table(file, found.result.frame())
        return
    from pycs.session_plots import session_chart

    rounds = found.rounds
    sizes = "".join(f", {plain(size)} on {name}" for name, size in rounds.stakes.items() if size)
    title = f"{found.result.rounds:,} rounds of {rounds.rules.name}{sizes}"
    chart = session_chart(found.result, title, f"strategy {rounds.strategy}; chances {_how(found)}")
    write_atomically(file, as_file(chart, suffix))
