"""A game's mathematics as one HTML file: each wager's rules, true odds, payout odds and house advantage.

The file holds all it needs, pictures as well, and is made to be printed. House edge is per ante, element of risk per
unit bet, and every figure says which; what is exact is shown as a fraction beside its decimal.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from pycs.amounts import plain
from pycs.display import qualifier_text
from pycs.errors import InputError
from pycs.holdem_rules import CasinoHoldemRules
from pycs.html_parts import Command, Listing, Part, Picture, Section, Words
from pycs.pay_lines import pays_of
from pycs.pay_table_values import sensitivity
from pycs.picture_files import as_file
from pycs.report_display import winning_events
from pycs.reports import strategy_reports
from pycs.session_plots import session_chart
from pycs.session_reports import stated_session
from pycs.sessions import SHARES, session_of
from pycs.templating import rendered
from pycs.terminal import Side, antes, signed
from pycs.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pycs.reports import Report
    from pycs.side_bet_reports import SideBetReport

__all__ = ["html_report"]


def html_report(figures: Report, command: str, profile: str | None) -> str:
    """The whole document. `command` is what prints the report, `profile` what names the profile on the command line.

    Without a `profile` there is none with these rules, so no table of it can be solved either.

    The strategies and the sensitivity are counted for it: some seconds beyond the report.
    """
    rules = figures.rules
    sections = [
        _rules(figures),
        _main_bet(figures),
        *(_side_bet(bet) for bet in figures.bets),
        *_together(figures),
        _strategies(figures),
        _errors(figures),
        _pay_table(figures),
        _session(figures),
        _provenance(figures, command, profile),
    ]
    return rendered(
        "report.html",
        title=rules.title,
        subtitle=f"Exact mathematics of the profile {rules.name}, by pycs {__version__}, under {_play(figures)}.",
        sections=sections,
    )


def _play(figures: Report) -> str:
    return "best play" if figures.optimal is None else f"the strategy {figures.strategy}"


def _line(name: str) -> str:
    return name.replace("_", " ")


def _rules(figures: Report) -> Section:
    rules = figures.rules
    what = "the ante" if isinstance(rules, CasinoHoldemRules) else f"the call of {rules.stakes.call} antes"
    rows = [
        ("source", rules.source.document + (f"; {rules.source.published}" if rules.source.published else "")),
        ("ante", "1, the unit of every amount that is not said to be in another"),
        ("call", f"{rules.stakes.call} antes"),
        ("the dealer qualifies with", qualifier_text(rules)),
        ("fold", f"loses the ante: {rules.net_fold:+}"),
        ("the dealer qualifies and is better", f"ante and call are lost: {rules.net_lose:+}"),
        ("exact tie", "ante and call come back: 0"),
    ]
    if isinstance(rules, CasinoHoldemRules):
        rows += [
            (
                "the dealer does not qualify",
                f"the ante pays {rules.dealer.ante_when_not_qualified}, the call comes back",
            ),
            ("the player is better", "the ante pays by the table, the call 1 to 1"),
        ]
    else:
        rows += [
            ("the dealer does not qualify", "the ante pays 1 to 1, the call comes back"),
            ("the player is better", "the ante pays 1 to 1, the call by the table"),
        ]
    notes = [(note.unclear, note.settled) for note in rules.notes]
    parts: list[Part] = [
        Listing((("", "left"), ("", "left")), rows),
        Listing(
            (("hand", "left"), (f"pays, to one, on {what}", "right")),
            [(_line(k), f"{v:,}") for k, v in pays_of(rules).items()],
        ),
    ]
    if notes:
        parts.append(Listing((("unclear in the source", "left"), ("settled as", "left")), notes))
    if figures.not_counted:
        parts.append(Words(f"Fold and call only; not counted: {', '.join(figures.not_counted)}."))
    return Section("Rules", parts)


def _payout(net: Fraction) -> str:
    """Payout odds; a prize that is less than the bet is told by what comes back."""
    if net == -1:
        return "lost"
    return f"{plain(net)} to 1" if net >= 0 else f"{plain(net + 1)} comes back"


def _odds(others: int, ways: int) -> str:
    return f"{others / ways:,.4f} to 1" if ways else "never"


def _main_bet(figures: Report) -> Section:
    wins, deals = winning_events(figures.rules), figures.deals
    rows = [
        (
            f"wins with {event}" if event in wins else event,
            signed(net),
            f"{ways:,}",
            f"{ways / deals:.10f}",
            _odds(deals - ways, ways),
            f"{net * ways / deals:+.8f}",
        )
        for event, net, ways in figures.outcomes
    ]
    rows.append(("in all", "", f"{deals:,}", f"{1:.10f}", "", f"{float(figures.value):+.8f}"))
    events = Listing(
        (
            ("event", "left"),
            ("pays, net in antes", "right"),
            ("combinations", "right"),
            ("probability", "right"),
            ("true odds against", "right"),
            ("to the value", "right"),
        ),
        rows,
        "Every way a round can be dealt",
        sum=True,
    )
    edges = Listing(
        (("", "left"), ("amount", "right"), ("denominator", "left"), ("exactly", "left")),
        [
            ("house edge", f"{float(figures.house_edge):.6%}", "of the ante", str(figures.house_edge)),
            (
                "element of risk",
                f"{float(figures.element_of_risk):.6%}",
                "of all that is bet, ante and call",
                str(figures.element_of_risk),
            ),
            (
                "return to player",
                f"{float(1 - figures.element_of_risk):.6%}",
                "of all that is bet, ante and call",
                str(1 - figures.element_of_risk),
            ),
            ("average bet", f"{float(figures.average_bet):.6f}", "antes per round", str(figures.average_bet)),
        ],
        "House advantage: two denominators, never to be mixed",
    )
    spread = figures.distribution
    measures = Listing(
        (("", "left"), ("amount", "right"), ("of a round's net result", "left")),
        [
            ("standard deviation", f"{figures.sd:.9f}", "antes"),
            ("variance", f"{float(figures.variance):.9f}", f"antes squared, exactly {figures.variance}"),
            ("skewness", f"{spread.skewness:+.6f}", ""),
            ("excess kurtosis", f"{spread.excess_kurtosis:+.6f}", "of a normal distribution 0"),
            ("hit frequency", f"{float(figures.hit_frequency):.6%}", "rounds with a net result above 0"),
            ("volatility index", f"{figures.volatility_index:.6f}", "1.645 standard deviations, antes"),
        ],
    )
    actions = Listing(
        (("action", "left"), ("deals", "right"), ("share of deals", "right")),
        [
            (action, f"{count:,}", f"{float(figures.actions[action]):.6%}")
            for action, count in figures.action_deals.items()
        ],
    )
    return Section("The main bet", [events, edges, measures, actions])


def _side_bet(bet: SideBetReport) -> Section:
    rows = [
        (
            line,
            _payout(net),
            f"{ways:,}",
            f"{ways / bet.combinations:.10f}",
            _odds(bet.combinations - ways, ways),
        )
        for line, net, ways in bet.lines
    ]
    rows.append(("in all", "", f"{bet.combinations:,}", f"{1:.10f}", ""))
    lines = Listing(
        (
            ("line", "left"),
            ("payout odds", "right"),
            ("combinations", "right"),
            ("probability", "right"),
            ("true odds against", "right"),
        ),
        rows,
        f"On {bet.cards}",
        sum=True,
    )
    figures = [
        ("house advantage", f"{float(bet.house_edge):.6%}", "of the bet on it", str(bet.house_edge)),
        ("return to player", f"{float(1 + bet.value):.6%}", "of the bet on it", str(1 + bet.value)),
        ("hit frequency", f"{float(bet.hit_frequency):.6%}", "of rounds", str(bet.hit_frequency)),
        ("standard deviation", f"{bet.sd:.6f}", "per unit bet", f"variance {bet.variance}"),
    ]
    parts: list[Part] = [
        lines,
        Listing((("", "left"), ("amount", "right"), ("denominator", "left"), ("exactly", "left")), figures),
    ]
    if bet.requires_call:
        parts.append(Words("A fold loses the bet. The figures are of the bet when it is never lost by folding."))
    if bet.progressive is not None:
        parts.append(_progressive(bet))
    if bet.weighed is not None:
        parts.append(
            Listing(
                (("bet", "right"), ("both bets", "right"), ("played apart", "right"), ("deals changed", "right")),
                [
                    (
                        plain(each.bonus),
                        f"{float(each.value):+.9f}",
                        f"{float(each.apart):+.9f}",
                        f"{each.changed_deals:,}",
                    )
                    for each in bet.weighed.joint
                ],
                "Main bet and side bet together, in antes per round, when decisions weigh both",
            )
        )
    return Section(bet.title, parts)


def _progressive(bet: SideBetReport) -> Listing:
    progressive = bet.progressive
    assert progressive is not None
    meter = progressive.meter
    rows = [
        ("meter now", plain(meter.amount), f"shared by {meter.sharers:,}, for a bet of {meter.bet:,}"),
        ("value at a meter of 0", f"{float(progressive.at_zero):+.9f}", f"per unit bet, exactly {progressive.at_zero}"),
        (
            "value of each unit of meter",
            f"{float(progressive.slope):+.12f}",
            f"per unit bet, exactly {progressive.slope}",
        ),
    ]
    if progressive.break_even is not None:
        exactly = f"exactly {progressive.break_even}"
        rows.append(("break-even meter", f"{float(progressive.break_even):,.2f}", exactly))
    if progressive.mean_meter is not None:
        said = f"contributions of {meter.contribution} and seeds of {meter.seed:,} all paid out"
        rows.append(("value in the long run", f"{float(progressive.long_run):+.9f}", f"per unit bet; {said}"))
        rows.append(
            ("meter in the mean", f"{float(progressive.mean_meter):,.2f}", "when a hand is paid, over all time")
        )
    return Listing((("", "left"), ("amount", "right"), ("", "left")), rows, "The meter, in the profile's money unit")


def _together(figures: Report) -> Iterator[Section]:
    rounds = figures.rounds
    if rounds is None or not figures.bets:
        return
    pairs = [
        (f"{one} and {other}", f"{float(rounds.covariance(one, other)):+.9f}", f"{rounds.correlation(one, other):+.6f}")
        for place, one in enumerate(rounds.names)
        for other in rounds.names[place + 1 :]
    ]
    columns: tuple[tuple[str, Side], ...] = (("bets", "left"), ("covariance", "right"), ("correlation", "right"))
    parts: list[Part] = [
        Words("The bets hang on the same cards, so their results are not independent."),
        Listing(columns, pairs, "Of an ante on the main bet and a unit on each side bet"),
    ]
    if any(rounds.stakes.values()):
        net = rounds.net
        sizes = ", ".join(f"{antes(plain(size))} on {name}" for name, size in rounds.stakes.items() if size)
        rows = [
            ("value", f"{float(net.mean):+.9f}", f"antes per round, exactly {net.mean}"),
            ("lost", f"{float(-net.mean / rounds.average_bet):.6%}", "of all that is bet"),
            ("average bet", f"{float(rounds.average_bet):.6f}", "antes per round"),
            ("standard deviation", f"{net.sd:.6f}", "antes"),
            ("hit frequency", f"{float(net.above(0)):.6%}", "of rounds, with a net result above 0"),
        ]
        together = Listing(
            (("", "left"), ("amount", "right"), ("", "left")), rows, f"With an ante on the main bet, {sizes}"
        )
        parts.append(together)
    yield Section("All bets together", parts)


def _strategies(figures: Report) -> Section:
    optimal, *others = strategy_reports(figures.rules)
    rows = []
    for each in (optimal, *others):
        tell = each.rounds_to_tell(optimal)
        rows.append(
            (
                each.strategy,
                f"{float(each.house_edge):.6%}",
                f"{float(each.element_of_risk):.6%}",
                f"{float(each.actions['call']):.4%}",
                f"{each.sd:.6f}",
                f"{float(optimal.value - each.value):.9f}",
                "" if tell is None else f"{tell:,}",
            )
        )
    columns: tuple[tuple[str, Side], ...] = (
        ("strategy", "left"),
        ("house edge, of the ante", "right"),
        ("element of risk, of all bets", "right"),
        ("calls", "right"),
        ("sd, antes", "right"),
        ("loses to best play, antes per round", "right"),
        ("rounds to tell it apart", "right"),
    )
    told = (
        "Rounds to tell apart: with about so many, the mean result alone names the right one of the two in 19 of 20 "
        "cases, whichever it is, as far as the mean is normal: the square of 1.645 times both standard deviations over "
        "the difference."
    )
    return Section("Strategies", [Listing(columns, rows, "The main bet"), Words(told)])


def _errors(figures: Report) -> Section:
    rows = [
        (
            f"{rounds:,}",
            f"{figures.standard_error(rounds):.9f}",
            f"{float(figures.house_edge) - 1.96 * figures.standard_error(rounds):.4%}",
            f"{float(figures.house_edge) + 1.96 * figures.standard_error(rounds):.4%}",
        )
        for rounds in (1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000)
    ]
    columns: tuple[tuple[str, Side], ...] = (
        ("rounds", "right"),
        ("standard error, antes per round", "right"),
        ("in 95 of 100 cases the loss per ante lies above", "right"),
        ("and below", "right"),
    )
    return Section(
        "What a sample of rounds shows",
        [Listing(columns, rows), Words("Of the main bet, as far as the mean is normal.")],
    )


def _pay_table(figures: Report) -> Section:
    slopes = sensitivity(figures.rules)
    rows = [(_line(line), f"{float(slope):+.10f}", str(slope)) for line, slope in slopes.items()]
    columns: tuple[tuple[str, Side], ...] = (
        ("one more to one for", "left"),
        ("raises the value by, antes per round", "right"),
        ("exactly", "left"),
    )
    note = "The derivative of the value under best play in each pay; a whole step brings at least as much."
    return Section("Sensitivity to the pay table", [Listing(columns, rows), Words(note)])


def _session(figures: Report) -> Section:
    rules, rounds = figures.rules, figures.rounds
    count, draw = stated_session(rules)
    title = f"A session of {count} rounds"
    try:
        result = session_of(figures.distribution if rounds is None else rounds.net, count)
    except InputError as error:
        return Section(title, [Words(f"It can't be told: {error}.")])
    rows = [
        (words, f"{float(chance):.6%}")
        for words, chance in (
            ("the player wins", result.above(draw)),
            ("nobody wins", result.at(draw)),
            ("the bank wins", result.below(draw)),
        )
    ]
    ends = [(f"{float(share):.0%}", _span(result.quantile(share))) for share in SHARES]
    chart = session_chart(result, f"{count} rounds of {rules.name}", _error(result.error))
    return Section(
        title,
        [
            Listing((("", "left"), ("chance", "right")), rows),
            Listing((("share of sessions", "right"), ("end at or below, antes", "right")), ends),
            Words(f"All bets of a round together. {_error(result.error)}."),
            Picture(as_file(chart, ".svg").decode()),
        ],
    )


def _span(ends: tuple[Fraction, Fraction]) -> str:
    """A quantile; from its least to its most where the error leaves it open."""
    return " to ".join(signed(end) for end in dict.fromkeys(ends))


def _error(error: float) -> str:
    return f"Chances are within {error:.1e}" if error else "Chances are exact"


def _provenance(figures: Report, command: str, profile: str | None) -> Section:
    rules = figures.rules
    how = (
        "Nothing here is sampled. Every deal that differs by more than a relabeling of the suits is counted once, with "
        "all the ways the other cards can fall, in whole numbers; pays come after, as exact fractions. Decisions "
        "compare integers. What is normal only by approximation says so."
    )
    return Section(
        "How the figures were obtained, and how to check them",
        [
            Words(how),
            Words(f"SHA-256 of the rules that decide the main bet: {rules.digest}", exact=True),
            Words("This document again:"),
            Command(f"{command} --html report.html"),
            Words("The same as data, with every fraction:"),
            Command(f"{command} --json"),
            *_proof(profile),
        ],
    )


def _proof(profile: str | None) -> list[Part]:
    if profile is None:
        return [
            Words("These pays are those of no profile: with a TOML file that states them, pycs solve makes a table.")
        ]
    return [
        Words("The table of every deal of the profile, and its proof by ranking every completion:"),
        Command(f"pycs solve {profile} -o table && pycs certify table"),
    ]
