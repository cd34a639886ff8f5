"""What people see of strategies on the terminal: what one costs, where it errs, and which have names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from pycs.cards import RANKS
from pycs.deal_features import FEATURES, RANK_LETTERS
from pycs.files import TABLES, write_atomically, write_table
from pycs.games import CARIBBEAN_STUD, game_of
from pycs.messages import shown_path
from pycs.picture_files import PICTURES, as_file
from pycs.report_display import paid
from pycs.strategies import OPTIMAL
from pycs.terminal import Grid, facts, grid, render

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import RenderableType

    from pycs.chart_files import Chart
    from pycs.games import Game
    from pycs.rules import Rules
    from pycs.strategy_costs import Difference, Play, StrategyCost
    from pycs.strategy_search import FoundStrategy

__all__ = ["CURVES", "charted", "columns", "cost", "exchanges_said", "found", "named", "write_curve"]

CURVES: Final = (*TABLES, *PICTURES)
"""How the names of files end that hold the trade-off of short strategies."""

_MOST_SHOWN: Final = 20
"""Lines of differences; all are in the files and in JSON."""


def cost(found: StrategyCost) -> str:
    """What a strategy costs, beside best play or another strategy, and where the two part."""
    rules = found.rules
    plays = [found.play] if found.play == found.other else [found.play, found.other]
    if found.optimal not in plays:
        plays.append(found.optimal)
    parts: list[RenderableType] = [
        facts(
            ("profile", f"{rules.name}: {rules.title}"),
            *paid(rules),
            *exchanges_said(rules, found.exchanges),
            *(fact for play in plays for fact in _said(play)),
        ),
        "",
        _figures(plays),
        "",
        f"loss to best play: {float(found.loss):.9f} antes per round, exactly {found.loss}",
    ]
    if found.other != found.optimal:
        lost = "loses" if found.loss_to_other >= 0 else "wins"
        amount = f"{float(abs(found.loss_to_other)):.9f} antes per round, exactly {abs(found.loss_to_other)}"
        parts.append(f"{found.play.strategy} {lost} against {found.other.strategy}: {amount}")
    if found.differences:
        parts += ["", *_differences(found)]
    elif found.play != found.optimal or found.other != found.optimal:
        parts += ["", f"every deal is played as {found.other.strategy} plays it"]
    return render(*parts)


def exchanges_said(rules: Rules, exchanges: int) -> Iterator[tuple[str, str]]:
    """How many exchanges are left, as a labelled fact, where the rules have any."""
    if "the exchange" in rules.not_counted:
        after = "; after it the new hand is folded or called, whichever is worth more" if exchanges else ""
        yield "exchanges left", f"{exchanges}{after}"


def named(rules: Rules, exchanges: int, plays: Sequence[Play]) -> str:
    """The strategies with names, best play first: what each is worth and what it says."""
    table = grid(
        ("strategy", "left"),
        ("house edge", "right"),
        ("element of risk", "right"),
        ("loss to best play", "right"),
        ("what it says", "left"),
    )
    best = plays[0]
    for play in plays:
        table.add_row(
            play.strategy,
            f"{float(play.house_edge):.6%}",
            f"{float(play.element_of_risk):.6%}",
            f"{float(best.value - play.value):.9f}",
            play.title or "The action of highest exact value.",
        )
    header = facts(("profile", f"{rules.name}: {rules.title}"), *exchanges_said(rules, exchanges))
    units = "house edge and loss in antes per round, element of risk per unit bet"
    return render(header, "", table, "", units)


def found(lists: Sequence[FoundStrategy], rules: Rules) -> str:
    """The best short strategies, by the number of their rules: the trade-off, then the longest in full."""
    table = grid(
        ("rules", "right"),
        ("house edge", "right"),
        ("loss per 1000 rounds", "right"),
        ("net", "right"),
        ("what is known", "left"),
    )
    for each in lists:
        edge = f"{-100 * each.net / each.rounds:.6f}%"
        known = "proven: no list of so many rules loses less" if each.proven else "the best found"
        table.add_row(str(each.rules), edge, f"{float(1000 * each.loss):.6f}", f"{each.net:,}", known)
    last = lists[-1]
    header = facts(("profile", f"{rules.name}: {rules.title}"), *paid(rules))
    steps = [(f"{number}.", words) for number, words in enumerate(last.strategy.words, 1)]
    return render(
        header,
        "",
        table,
        f"rules: beside the first {last.frame}, which settle hands that are never in question and lose nothing",
        "net: antes over all rounds; house edge and loss in antes per round, against best play",
        "",
        f"the longest of them, which loses {float(last.loss):.9f} antes per round, exactly {last.loss}:",
        facts(*steps),
        f"as pycs takes it: {last.strategy}",
        "",
        last.searched,
    )


def write_curve(lists: Sequence[FoundStrategy], rules: Rules, path: str) -> None:
    """The trade-off as a table or a picture, by how the path ends, one of `CURVES`."""
    from pycs.strategy_curves import curve_chart, curve_frame

    file, suffix = Path(path), Path(path).suffix.lower()
    if suffix in TABLES:
        write_table(file, curve_frame(lists))
        return
    command = f"pycs strategy {rules.name} --find --rules {len(lists)} -o {file.name}"
    write_atomically(file, as_file(curve_chart(lists, rules, command), suffix))


def charted(made: Chart, path: str) -> str:
    """What was drawn, and where it lies."""
    table = grid(("chart", "left"), ("cells", "right"))
    for picture in made.sheet.pictures:
        table.add_row(picture.title, f"{len(picture.rows):,}")
    return render(facts(("file", shown_path(path))), "", table)


def columns(game: Game) -> str:
    """The columns that rules may look at."""
    table = grid(("column", "left"), ("what it is", "left"))
    for name, meaning in FEATURES[game.name].items():
        table.add_row(name, meaning)
    letters = ", ".join(f"{letter} = {rank}" for letter, rank in RANK_LETTERS.items())
    example = "card_1 = A and card_2 = K and matches > 0" if game is CARIBBEAN_STUD else "hole_1 >= Q or overcards = 2"
    return render(
        table,
        "",
        f"Ranks are 2 to 14, and {letters}. Categories are ordered: category >= 'pair'.",
        f"A condition: {example}",
        f"Rules in one line: call when {example}; otherwise fold",
    )


def _said(play: Play) -> Iterator[tuple[str, str]]:
    """What a strategy says: its title, or its rules."""
    if play.strategy == OPTIMAL:
        yield OPTIMAL, "the action of highest exact value; of equal ones the one that stakes less"
        return
    yield play.strategy, play.title or play.text
    if play.title and play.text != play.strategy:
        for number, rule in enumerate(play.text.split("; "), 1):
            yield "", f"{number}. {rule}"


def _figures(plays: Sequence[Play]) -> Grid:
    table = grid(("figure", "left"), *((play.strategy, "right") for play in plays), ("of what", "left"))
    rows = {
        ("value", "antes per round"): [f"{float(play.value):+.9f}" for play in plays],
        ("house edge", "of the ante, lost per round on average"): [f"{float(play.house_edge):.6%}" for play in plays],
        ("element of risk", "of all that is bet, lost per round on average"): [
            f"{float(play.element_of_risk):.6%}" for play in plays
        ],
        ("average bet", "antes per round"): [f"{float(play.average_bet):.6f}" for play in plays],
        ("net", f"antes over all {plays[0].deals:,} rounds"): [f"{play.net:,}" for play in plays],
    }
    for action in plays[0].actions:
        rows[action, "of all deals"] = [f"{float(play.actions[action]):.6%}" for play in plays]
    for (figure, unit), numbers in rows.items():
        table.add_row(figure, *numbers, unit)
    return table


def _differences(found: StrategyCost) -> Iterator[RenderableType]:
    """Deals of one hand class, with the same two actions, on one line; the upcards or flops beside them."""
    lines = _merged(found.differences)
    share = found.different_deals / found.raw_deals
    told = f"{found.different_deals:,} deals ({share:.4%}) are played otherwise than {found.other.strategy} plays them"
    yield f"{told}, the dearest first:"
    yield ""
    seen = "against" if game_of(found.rules) is CARIBBEAN_STUD else "on a flop with"
    table = grid(
        ("hand", "left"),
        (found.play.strategy, "left"),
        (found.other.strategy, "left"),
        ("deals", "right"),
        ("loss per 1000 rounds", "right"),
        ("each time", "right"),
        (seen, "left"),
    )
    for line in lines[:_MOST_SHOWN]:
        deals, loss = sum(each.deals for each in line), sum(each.loss for each in line)
        table.add_row(
            line[0].hand,
            line[0].action,
            line[0].other,
            f"{deals:,}",
            f"{float(1000 * loss):.6f}",
            f"{float(loss * found.raw_deals / deals):.6f}",
            _seen([each.seen for each in line]),
        )
    yield table
    if len(lines) > _MOST_SHOWN:
        yield f"and {len(lines) - _MOST_SHOWN} lines more: all are in --json and in a file of -o"


def _merged(differences: Sequence[Difference]) -> list[list[Difference]]:
    """Those of one hand and the same two actions together, the dearest first."""
    lines: dict[tuple[str, str, str], list[Difference]] = {}
    for each in differences:
        lines.setdefault((each.hand, each.action, each.other), []).append(each)
    return sorted(lines.values(), key=lambda line: -sum(each.loss for each in line))


def _seen(classes: Sequence[str]) -> str:
    """Upcards as ranges, 2-6 J; textures of flops one by one.

    >>> _seen(["4", "2", "3", "J"]), _seen(["no pair, two suits"])
    ('2-4 J', 'no pair, two suits')
    """
    if not set(classes) <= set(RANKS):
        return "; ".join(classes)
    runs: list[str] = []
    for rank in sorted(classes, key=RANKS.index):
        if runs and RANKS.index(runs[-1][-1]) + 1 == RANKS.index(rank):
            runs[-1] = f"{runs[-1][0]}-{rank}"
        else:
            runs.append(rank)
    return " ".join(runs)
