"""What people see of a game's mathematics on the terminal: the report, with all side bets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pycs.amounts import plain
from pycs.display import not_counted_line, pay_text, qualifier_text
from pycs.holdem_rules import CasinoHoldemRules
from pycs.named_strategies import STRATEGIES
from pycs.sections import CATEGORIES
from pycs.strategies import OPTIMAL
from pycs.terminal import Grid, antes, facts, grid, render, signed
from pycs.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from rich.console import RenderableType

    from pycs.joint_rounds import Rounds
    from pycs.reports import Report
    from pycs.rules import Rules
    from pycs.side_bet_reports import Progressive, SideBetReport
    from pycs.weighed_bets import Weighed

__all__ = ["paid", "report", "winning_events"]


def report(figures: Report) -> str:
    """A game's mathematics: the outcome table, every figure with what it is a share of, then the side bets."""
    rules = figures.rules
    known = STRATEGIES[rules.game].get(figures.strategy)
    if figures.strategy == OPTIMAL:
        what = ": the action of higher exact value; fold if both are equal"
    else:
        what = f": {known.title}" if known else ""
    header = facts(
        ("profile", f"{rules.name}: {rules.title}"),
        *paid(rules),
        ("qualifier", qualifier_text(rules)),
        ("rules digest", rules.digest),
        ("strategy", f"{figures.strategy}{what}"),
        ("counted by", f"pycs {__version__}"),
    )
    # Worth a line only where it happens: with the usual pay tables of Caribbean Stud no deal is indifferent.
    equal = [f"in {figures.indifferent_deals:,} of the folded deals, calling is worth exactly the same"]
    parts: list[RenderableType] = [
        header,
        *not_counted_line(figures.not_counted),
        "",
        _events(figures),
        "",
        _measures(figures),
    ]
    parts += ["", _actions(figures), *(equal if figures.indifferent_deals else ())]
    if figures.optimal is not None:
        parts += ["", _against(figures, figures.optimal)]
    for bet in figures.bets:
        parts += ["", *_side_bet(bet)]
    if figures.rounds is not None and figures.bets:
        parts += ["", *_together(figures.rounds)]
    return render(*parts)


def paid(rules: Rules) -> Iterator[tuple[str, str]]:
    """What the main bet pays, as labelled facts."""
    if isinstance(rules, CasinoHoldemRules):
        yield "pays", f"{pay_text(rules)}, to one, on the ante; 1 to 1 on a call of {rules.stakes.call}"
        yield "", f"dealer does not qualify: the ante pays {rules.dealer.ante_when_not_qualified}, the call comes back"
    else:
        yield "pays", f"{pay_text(rules)}, to one, on a call of {rules.stakes.call}"


def winning_events(rules: Rules) -> set[str]:
    """The events that are lines of the pay table."""
    winning = [outcome for outcome in rules.outcomes if outcome.startswith("win")]
    return {rules.event(outcome, category) for outcome in winning for category in CATEGORIES}


def _events(figures: Report) -> Grid:
    wins = winning_events(figures.rules)
    events = grid(
        ("event", "left"), ("net", "right"), ("combinations", "right"), ("share", "right"), ("to the value", "right")
    )
    for event, net, combinations in figures.outcomes:
        events.add_row(
            f"wins with {event}" if event in wins else event,
            signed(net),
            f"{combinations:,}",
            f"{combinations / figures.deals:.8f}",
            f"{net * combinations / figures.deals:+.8f}",
        )
    events.add_row("in all", "", f"{figures.deals:,}", f"{1:.8f}", f"{float(figures.value):+.8f}", style="bold")
    return events


def _measures(figures: Report) -> Grid:
    spread = figures.distribution
    measures = grid(("figure", "left"), ("amount", "right"), ("of what", "left"))
    measures.add_row("value", f"{float(figures.value):+.9f}", "antes per round")
    measures.add_row("", "", f"exactly {figures.value}")
    measures.add_row("house edge", f"{float(figures.house_edge):.6%}", "of the ante, lost per round on average")
    measures.add_row(
        "element of risk", f"{float(figures.element_of_risk):.6%}", "of all that is bet, lost per round on average"
    )
    measures.add_row("average bet", f"{float(figures.average_bet):.6f}", "antes per round, ante and call")
    measures.add_row("variance", f"{float(figures.variance):.6f}", "antes squared, of a round's net result")
    measures.add_row("standard deviation", f"{figures.sd:.6f}", "antes, of a round's net result")
    measures.add_row("skewness", f"{spread.skewness:+.6f}", "of a round's net result")
    measures.add_row(
        "excess kurtosis", f"{spread.excess_kurtosis:+.6f}", "of a round's net result; 0 if it were normal"
    )
    measures.add_row("hit frequency", f"{float(figures.hit_frequency):.6%}", "of rounds, with a net result above 0")
    measures.add_row("volatility index", f"{figures.volatility_index:.6f}", "1.645 standard deviations")
    for rounds in (10_000, 1_000_000, 100_000_000):
        measures.add_row(
            "standard error", f"{figures.standard_error(rounds):.6f}", f"antes, of {rounds:,} rounds' mean"
        )
    return measures


def _actions(figures: Report) -> Grid:
    heading = "best action" if figures.strategy == OPTIMAL else "action"
    actions = grid((heading, "left"), ("deals", "right"), ("share of deals", "right"))
    for action, count in figures.action_deals.items():
        actions.add_row(action, f"{count:,}", f"{float(figures.actions[action]):.6%}")
    actions.add_row("in all", f"{sum(figures.action_deals.values()):,}", f"{1:.6%}", style="bold")
    return actions


def _against(figures: Report, optimal: Report) -> Grid:
    loss = optimal.value - figures.value
    tell = figures.rounds_to_tell(optimal)
    return facts(
        (
            "best play",
            f"house edge {float(optimal.house_edge):.6%}, element of risk {float(optimal.element_of_risk):.6%}",
        ),
        ("loses to it", f"{float(loss):.9f} antes per round, exactly {loss}"),
        ("told from it", "never: both are worth the same" if tell is None else f"by the mean of about {tell:,} rounds"),
    )


def _side_bet(bet: SideBetReport) -> Iterator[RenderableType]:
    lines = grid(
        (f"{bet.title} on", "left"),
        ("net", "right"),
        ("combinations", "right"),
        ("share", "right"),
        ("true odds", "right"),
    )
    for line, net, combinations in bet.lines:
        odds = f"{(bet.combinations - combinations) / combinations:,.4f} to 1" if combinations else "never"
        lines.add_row(line, signed(net), f"{combinations:,}", f"{combinations / bet.combinations:.8f}", odds)
    lines.add_row("in all", "", f"{bet.combinations:,}", f"{1:.8f}", "", style="bold")
    yield lines
    yield ""
    never = ", when it is never lost by folding" if bet.requires_call else ""
    unit = "of the bet on it"
    yield facts(
        ("on", f"{bet.cards}; net is per unit bet"),
        ("house edge", f"{float(bet.house_edge):.6%} {unit}{never}"),
        ("", f"exactly {bet.house_edge}"),
        ("hit frequency", f"{float(bet.hit_frequency):.6%}{never}"),
        ("standard deviation", f"{bet.sd:.6f} per unit bet, variance {float(bet.variance):.6f}"),
        ("after a fold", "lost: the best action weighs both bets" if bet.requires_call else "paid as after a call"),
        *(() if bet.progressive is None else _progressive(bet.progressive)),
    )
    if bet.weighed is not None:
        yield ""
        yield from _weighed(bet.weighed)


def _progressive(bet: Progressive) -> Iterator[tuple[str, str]]:
    meter, unit = bet.meter, "per unit bet"
    yield "meter", f"{plain(meter.amount)}, shared by {meter.sharers:,}, for a bet of {meter.bet:,}"
    line = f"{float(bet.at_zero):+.9f} {unit} at a meter of 0, and {float(bet.slope):+.12f} for each unit of it"
    yield "value", line
    yield "", f"exactly {bet.at_zero} + {bet.slope} x meter"
    if bet.break_even is not None:
        yield "break-even meter", f"{float(bet.break_even):,.2f}, exactly {bet.break_even}"
    if bet.mean_meter is not None:
        paid_in = f"contributions of {meter.contribution} and seeds of {meter.seed:,} all paid out"
        yield "in the long run", f"{float(bet.long_run):+.9f} {unit}, exactly {bet.long_run}: {paid_in}"
        yield "", f"the meter is {float(bet.mean_meter):,.2f} in the mean when a hand is paid"


def _weighed(weighed: Weighed) -> Iterator[RenderableType]:
    joint = grid(
        ("bonus bet", "right"),
        ("both bets", "right"),
        ("played apart", "right"),
        ("deals changed", "right"),
        ("both bets, exactly", "left"),
    )
    for each in weighed.joint:
        joint.add_row(
            plain(each.bonus),
            f"{float(each.value):+.9f}",
            f"{float(each.apart):+.9f}",
            f"{each.changed_deals:,}",
            str(each.value),
        )
    yield joint
    yield "in antes: the bonus bet, and what it and the ante are worth per round together; played apart: decided as if"
    yield "there were no bonus; deals changed: called for its sake, folded without it"
    if weighed.smallest_change is not None and weighed.largest_change is not None:
        yield f"up to a bonus bet of {_at(weighed.smallest_change)} no decision changes"
        yield f"beyond a bonus bet of {_at(weighed.largest_change)} no more do"


def _at(bonus: Fraction) -> str:
    return "0" if bonus == 0 else f"{float(bonus):.6f} (exactly {bonus})"


def _together(rounds: Rounds) -> Iterator[RenderableType]:
    pairs = grid(("bets", "left"), ("covariance", "right"), ("correlation", "right"), ("covariance, exactly", "left"))
    names = rounds.names
    for place, one in enumerate(names):
        for other in names[place + 1 :]:
            covariance, correlation = rounds.covariance(one, other), rounds.correlation(one, other)
            pairs.add_row(f"{one}, {other}", f"{float(covariance):+.9f}", f"{correlation:+.6f}", str(covariance))
    yield pairs
    yield "of an ante on the main bet and a unit on each side bet"
    if not any(rounds.stakes.values()):
        return
    net = rounds.net
    sizes = [f"{antes(plain(size))} on {name}" for name, size in rounds.stakes.items() if size]
    loss = -net.mean
    yield ""
    yield facts(
        ("all bets", f"1 ante on {names[0]}, {', '.join(sizes)}"),
        ("value", f"{float(net.mean):+.9f} antes per round, exactly {net.mean}"),
        ("average bet", f"{float(rounds.average_bet):.6f} antes per round, all bets"),
        ("lost", f"{float(loss / rounds.average_bet):.6%} of all that is bet"),
        ("standard deviation", f"{net.sd:.6f} antes, variance {float(net.variance):.6f}"),
        ("skewness", f"{net.skewness:+.6f}, excess kurtosis {net.excess_kurtosis:+.6f}"),
        ("hit frequency", f"{float(net.above(0)):.6%} of rounds, with a net result above 0"),
    )
