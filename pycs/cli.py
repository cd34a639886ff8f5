"""The command line: `pycs COMMAND ...`, built on cyclopts.

Standard output carries the answer and nothing else: tables for people, or one JSON document with `--json`. Whatever is
wrong goes to standard error as one line, which quotes the input and says what is allowed. `main` gives back the exit
code: 0 fine, 1 a check failed, 2 bad usage or input, 3 not enough data for a verdict.

`pycs --help` should answer at once, so commands import what they need when they run.
"""

from __future__ import annotations

import json as json_format
import os
import shlex
import signal
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TextIO

from cyclopts import App, CycloptsError, Parameter

from pycs.errors import InputError, PycsError
from pycs.messages import quoted
from pycs.usage import help_page, usage_problem
from pycs.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pycs.cards import Alphabet
    from pycs.games import Game
    from pycs.rules import Rules

__all__ = ["app", "main"]

FINE, CHECK_FAILED, BAD_INPUT, NOT_ENOUGH = 0, 1, 2, 3
INTERRUPTED, READER_GONE = 130, 141  # as a shell reports a command that SIGINT or SIGPIPE ended

_LARGEST_SEED = 2**64 - 1

app = App(
    name="pycs",
    help="Exact analysis of casino poker: Caribbean Stud and its variants, Casino Hold'em.",
    help_flags=(),
    version_flags=(),
    suppress_keyboard_interrupt=False,
)

_Profile = Annotated[str, Parameter(help="A profile's name (see `pycs profiles`), or the path of a TOML file.")]
_Alphabet = Annotated[
    Literal["latin", "russian"],
    Parameter(metavar="latin|russian", help="How cards are written (default: latin)."),
]
_Bonus = Annotated[str, Parameter(metavar="X", help="casino-holdem: AA Bonus bet, in antes (default: 0).")]
_Box = Annotated[str | None, Parameter(metavar="N", help="three-box: the number of the box (blind: no HAND).")]
_Ante = Annotated[str | None, Parameter(metavar="X", help="The ante in money.")]
_Balance = Annotated[str | None, Parameter(metavar="Y", help="Money left beside all stakes on the table.")]
_Later = Annotated[str | None, Parameter(metavar="X", help="three-box: antes of the boxes decided later.")]
_Exchanges = Annotated[
    str | None, Parameter(metavar="N", help="Exchanges left: 0, or 1 where any is allowed (default).")
]
_Strategy = Annotated[str, Parameter(metavar="S", help="How it is played (default: optimal).")]
_Pays = Annotated[str | None, Parameter(metavar="P", help="Other pays: royal=250,flush=6 or all as 100/50/....")]
_Bets = Annotated[
    tuple[str, ...],
    Parameter(metavar="NAME=X", negative="", help="A side bet of X antes; again for each further one."),
]
_Meter = Annotated[str | None, Parameter(metavar="M", help="live: what the Jackpot's meter shows.")]
_Sharers = Annotated[str | None, Parameter(metavar="N", help="live: how many bet the Jackpot, you included.")]
_Json = Annotated[bool, Parameter(negative="", help="Print one JSON document, for programs.")]


@app.command
def profiles(*, json: _Json = False) -> int:
    """List the profiles, one line each.

    A profile is one house's rules. The other commands take its name, or the path
    of a TOML file of your own.
    """
    from pycs.rules import load_rules, profile_names

    all_rules = [load_rules(name) for name in profile_names()]
    from pycs import display
    from pycs.pay_lines import pays_of

    if json:
        return _print_json(
            [
                {
                    "profile": rules.name,
                    "title": rules.title,
                    "game": rules.game,
                    "pays": pays_of(rules),
                    "exchanges_allowed": display.exchanges(rules),
                    "qualifies": rules.dealer.qualifies,
                    "source": rules.source.document,
                }
                for rules in all_rules
            ]
        )
    return _print(display.profiles(all_rules))


@app.command
def solve(
    profile: _Profile,
    /,
    *,
    out: Annotated[
        str | None,
        Parameter(name=("--out", "-o"), metavar="DIR", help="The folder to make (default: tables/PROFILE)."),
    ] = None,
    json: _Json = False,
) -> int:
    """Count and value every canonical deal of a game, into a table.

    The table is a folder of Parquet files and a manifest. A table that is already
    there is kept; a run that was interrupted is gone on with.

    Example: pycs solve us
    """
    if out == "":
        raise InputError("the folder '' of --out: the path of a folder is allowed")
    from pycs.solving import solve as solve_profile

    table = solve_profile(profile, out)
    if json:
        return _print_json({**table.manifest.to_dict(), "path": str(table.path)})
    from pycs import display

    return _print(display.solved(table))


@app.command
def decide(
    profile: _Profile,
    hand: Annotated[
        str | None, Parameter(help="The player's cards, five (casino-holdem: two), spaces in quotes.")
    ] = None,
    seen: Annotated[
        str | None, Parameter(name="UP|FLOP", help="The dealer's upcard; in casino-holdem the flop's three cards.")
    ] = None,
    /,
    *,
    known: Annotated[str, Parameter(metavar="CARDS", help="Cards known to be out of play.")] = "",
    dealer: Annotated[str, Parameter(metavar="CARDS", help="Further cards seen of the dealer's hand.")] = "",
    exchanges: Annotated[str | None, Parameter(metavar="N", help="Exchanges left (default: all allowed).")] = None,
    box: _Box = None,
    ante: _Ante = None,
    balance: _Balance = None,
    later: _Later = None,
    bonus: _Bonus = "0",
    exhaustive: Annotated[bool, Parameter(negative="", help="Rank every completion, one by one.")] = False,
    precise: Annotated[bool, Parameter(negative="", help="Three exchanges left: a fifth of the error.")] = False,
    seed: Annotated[str | None, Parameter(metavar="N", help="Three exchanges left: the seed (default: 1).")] = None,
    alphabet: _Alphabet = "latin",
    json: _Json = False,
) -> int:
    """Find a hand's best action and each action's value.

    Cards are a rank (2-9, T or 10, J, Q, K, A) and a suit (c d h s, or a symbol).
    Values are exact; with three exchanges left, that of exchanging is estimated.

    Examples: pycs decide us AsKhJd8c3s Qc
              pycs decide casino-holdem QsQh Qd2c7h --bonus 0.5
              pycs decide three-box 9c7d4h3s2c 2d --box 2 --known QsQhJs5d4c
    """
    from pycs.decisions import decide as decide_deal
    from pycs.decisions import not_counted
    from pycs.games import game_of
    from pycs.offers import is_blind
    from pycs.rules import load_rules

    rules = load_rules(profile)
    number = None if box is None else _count(box, "box")
    if is_blind(rules, number):
        hand, seen = ("", hand or "") if seen is None else (hand or "", seen)
    elif hand is None or seen is None:
        raise _nothing_in_sight(game_of(rules), hand, alphabet)
    answer = decide_deal(
        rules,
        hand,
        seen,
        known=known,
        dealer=dealer,
        exchanges=None if exchanges is None else _count(exchanges, "exchanges left"),
        box=number,
        ante=ante,
        balance=balance,
        later=later,
        bonus=bonus,
        exhaustive=exhaustive,
        precise=precise,
        seed=None if seed is None else _seed(seed),
        alphabet=alphabet,
    )
    if json:
        return _print_json({**answer.to_dict(), "not_counted": list(not_counted(answer, rules))})
    from pycs import display

    return _print(display.decision(answer, rules))


@app.command
def settle(
    profile: _Profile,
    /,
    *,
    player: Annotated[str, Parameter(metavar="CARDS", help="The player's cards, five (casino-holdem: two).")],
    dealer: Annotated[str, Parameter(metavar="CARDS", help="The dealer's cards, as many.")],
    action: Annotated[str, Parameter(metavar="fold|call", help="What the player did: fold or call.")],
    board: Annotated[
        str | None, Parameter(metavar="CARDS", help="casino-holdem: the board's cards, the flop first.")
    ] = None,
    gave_up: Annotated[
        tuple[str, ...],
        Parameter(metavar="CARDS", negative="", help="Cards given up; again for each further exchange."),
    ] = (),
    known: Annotated[str, Parameter(metavar="CARDS", help="Cards shown in other boxes.")] = "",
    box: _Box = None,
    ante: _Ante = None,
    balance: _Balance = None,
    later: _Later = None,
    bonus: _Bonus = "0",
    alphabet: _Alphabet = "latin",
    json: _Json = False,
) -> int:
    """Settle a finished round: the net result in antes, and in money.

    Examples: pycs settle us --player KhKs7d7cAs --dealer KcKd7h7s2c --action call
              pycs settle casino-holdem --player AsKs --dealer 2c2d \\
                  --board AdKdAh7c3s --action call
    """
    from pycs.rules import load_rules
    from pycs.settlement import settle as settle_round

    rules = load_rules(profile)
    result = settle_round(
        rules,
        player,
        dealer,
        action,
        board=board,
        gave_up=gave_up,
        known=known,
        box=None if box is None else _count(box, "box"),
        ante=ante,
        balance=balance,
        later=later,
        bonus=bonus,
        alphabet=alphabet,
    )
    if json:
        return _print_json(result.to_dict())
    from pycs import display

    return _print(display.settlement(result, rules))


@app.command
def report(
    profile: _Profile,
    /,
    *,
    strategy: _Strategy = "optimal",
    pays: _Pays = None,
    bet: _Bets = (),
    meter: _Meter = None,
    sharers: _Sharers = None,
    html: Annotated[str | None, Parameter(metavar="FILE", help="Also write it all as one HTML file, to print.")] = None,
    json: _Json = False,
) -> int:
    """Show a game's mathematics: outcomes, house edge, variance.

    Each side bet has its own table; --bet says how much is bet on it, for what
    all bets are worth together. Strategies are those of `pycs strategy`,
    as three-rules, or rules of your own.

    Examples: pycs report us
              pycs report live --bet five-plus-one=0.5 --bet jackpot=0.1
              pycs report us --pays royal=250,flush=6 --html report.html
    """
    from pycs.files import read_target, write_atomically
    from pycs.reports import report as report_profile

    if html is not None:
        read_target(html, "the file", (".html", ".htm"))
    rules = _rules(profile, pays)
    figures = report_profile(
        rules,
        strategy=strategy,
        bets=_stakes(bet),
        meter=meter,
        sharers=None if sharers is None else _whole(sharers, "number of sharers"),
    )
    if html is not None:
        from pycs.html_report import html_report

        asked = [("--strategy", strategy)] if strategy != "optimal" else []
        asked += [("--pays", pays)] if pays is not None else []
        asked += [("--bet", each) for each in bet]
        asked += [(name, given) for name, given in (("--meter", meter), ("--sharers", sharers)) if given is not None]
        command = shlex.join(["pycs", "report", profile, *(word for option in asked for word in option)])
        document = html_report(figures, command, None if pays is not None else shlex.quote(profile))
        write_atomically(Path(html), document.encode())
    if json:
        return _print_json(figures.to_dict())
    from pycs import report_display

    return _print(report_display.report(figures))


@app.command
def session(
    profile: _Profile,
    /,
    *,
    rounds: Annotated[
        str | None, Parameter(metavar="N", help="How many rounds (default: the profile's, else 20).")
    ] = None,
    bankroll: Annotated[str | None, Parameter(metavar="X", help="The chance that X antes do not last.")] = None,
    risk: Annotated[str | None, Parameter(metavar="R", help="The bankroll whose chance of ruin is at most R.")] = None,
    strategy: _Strategy = "optimal",
    pays: _Pays = None,
    bet: _Bets = (),
    meter: _Meter = None,
    sharers: _Sharers = None,
    out: Annotated[
        str | None,
        Parameter(
            name=("--out", "-o"), metavar="FILE", help="All results as .csv or .parquet, or a picture as .svg ...."
        ),
    ] = None,
    json: _Json = False,
) -> int:
    """Show how a session of many rounds can end.

    The chance of every net result, and of ruin from a bankroll: a player who
    can't pay the call folds, one who can't pay the ante has lost. Exact for some
    hundred rounds, fewer with side bets; for more, up to a billion (ten million
    with a bankroll), within a stated error.

    Examples: pycs session betmgm
              pycs session us --rounds 1000000 --bankroll 60000
              pycs session live --bet five-plus-one=1 -o night.svg
    """
    from pycs.files import read_target
    from pycs.session_display import WRITTEN
    from pycs.session_display import session as shown
    from pycs.session_reports import session as play

    if out is not None:
        read_target(out, "the file", WRITTEN)
    found = play(
        _rules(profile, pays),
        None if rounds is None else _whole(rounds, "number of rounds"),
        bets=_stakes(bet),
        strategy=strategy,
        meter=meter,
        sharers=None if sharers is None else _whole(sharers, "number of sharers"),
        bankroll=bankroll,
        risk=risk,
    )
    if out is not None:
        from pycs.session_display import write

        write(found, out)
    return _print_json(found.to_dict()) if json else _print(shown(found))


@app.command
def simulate(
    profile: _Profile,
    /,
    *,
    rounds: Annotated[str, Parameter(name=("--rounds", "-n"), metavar="N", help="How many rounds.")],
    strategy: _Strategy = "optimal",
    seed: Annotated[str | None, Parameter(metavar="N", help="The seed, 0 to 2^64 - 1 (default: 1).")] = None,
    exchanges: _Exchanges = None,
    pays: _Pays = None,
    threads: Annotated[str | None, Parameter(metavar="N", help="How many threads (default: one a core).")] = None,
    out: Annotated[
        str | None, Parameter(name=("--out", "-o"), metavar="LOG", help="Every round, as .csv or .parquet.")
    ] = None,
    json: _Json = False,
) -> int:
    """Deal random rounds, and hold them against the exact value.

    The same seed deals the same rounds, whatever the number of threads. A log has
    a row for each round: its cards, the action, the bets and the net result.
    After an exchange the new hand is played at best; one is made at most.

    Examples: pycs simulate us -n 10000000
              pycs simulate casino-holdem -n 1000000 --seed 7 -o rounds.parquet
    """
    from pycs.simulation import simulate as deal

    found = deal(
        _rules(profile, pays),
        _whole(rounds, "number of rounds"),
        strategy=strategy,
        seed=1 if seed is None else _seed(seed),
        exchanges=None if exchanges is None else _count(exchanges, "exchanges left"),
        out=out,
        threads=None if threads is None else _count(threads, "threads"),
    )
    if json:
        return _print_json(found.to_dict())
    from pycs import simulation_display

    return _print(simulation_display.simulation(found))


@app.command
def paytables(
    profile: _Profile,
    tables: Annotated[
        str | None, Parameter(name="FILE", help="A CSV or Parquet file, a pay table in each row.")
    ] = None,
    /,
    *,
    search: Annotated[
        str | None, Parameter(metavar="BOUNDS", help="Pay tables within bounds: royal=100..250,flush=5..7.")
    ] = None,
    target: Annotated[str | None, Parameter(metavar="EDGE", help="The house edge to come near: 5%.")] = None,
    count: Annotated[str | None, Parameter(metavar="N", help="How many of the nearest (default: 10).")] = None,
    falling: Annotated[bool, Parameter(negative="", help="Only those that pay no less for a better hand.")] = False,
    changes: Annotated[str | None, Parameter(metavar="P", help="The deals played otherwise under these pays.")] = None,
    sensitivity: Annotated[bool, Parameter(negative="", help="What one more to one is worth, line by line.")] = False,
    out: Annotated[
        str | None, Parameter(name=("--out", "-o"), metavar="FILE", help="All columns and rows as .csv or .parquet.")
    ] = None,
    json: _Json = False,
) -> int:
    """Value many pay tables, exactly, from one count of the game.

    Without a file: the published pay tables of Caribbean Stud. In a file, each
    column is a line, such as royal or full_house; a column `name` may label the
    rows. Lines left out are as in the profile; messages count rows from 0.
    --search finds those whose house edge comes nearest to a target; --changes
    takes pays as report does.

    Examples: pycs paytables us
              pycs paytables us --search royal=100..250,flush=5..7 --target 5%
              pycs paytables us --changes pair=2
    """
    from pycs.files import TABLES, read_target
    from pycs.pay_table_display import pay_table_answer, write

    if out is not None:
        read_target(out, "the file", TABLES)
    number = None if count is None else _whole(count, "count")
    answer = pay_table_answer(
        profile,
        tables,
        search=search,
        target=target,
        count=number,
        falling=falling,
        changes=changes,
        sensitive=sensitivity,
    )
    if out is not None:
        write(answer, out)
    return _print_json(answer.to_dict()) if json else _print(answer.text())


@app.command
def strategy(
    profile: _Profile,
    given: Annotated[
        str | None,
        Parameter(name="S", help="A name, rules in quotes, or a .toml, .csv or .parquet file."),
    ] = None,
    /,
    *,
    against: Annotated[
        str | None, Parameter(metavar="S", help="The strategy that it is held against (default: optimal).")
    ] = None,
    list_: Annotated[
        bool, Parameter(name="--list", negative="", help="The strategies that have names, and what each is worth.")
    ] = False,
    columns: Annotated[bool, Parameter(negative="", help="The columns that rules may look at.")] = False,
    find: Annotated[bool, Parameter(negative="", help="Find the short rules that lose least: minutes.")] = False,
    rules: Annotated[
        str | None, Parameter(metavar="N", help="With --find: how many rules at most (default: 3).")
    ] = None,
    exchanges: _Exchanges = None,
    pays: _Pays = None,
    out: Annotated[
        str | None,
        Parameter(
            name=("--out", "-o"), metavar="FILE", help="Where the two differ, or with --find the curve, as a file."
        ),
    ] = None,
    json: _Json = False,
) -> int:
    """Price a strategy exactly, and show where it errs.

    Rules are tried in order, the first that holds decides: 'call when CONDITION;
    fold when CONDITION; otherwise call'. In a file they stand as [[rules]] with
    `when` and `then`. A table has a row for every deal: hand, upcard (or flop)
    and action, as pycs solve writes it.

    Examples: pycs strategy us --list
              pycs strategy us three-rules
              pycs strategy us "call when pair >= 8 or category > 'pair'"
              pycs strategy casino-holdem --find --rules 4
    """
    house, left = _rules(profile, pays), None if exchanges is None else _count(exchanges, "exchanges left")
    if rules is not None and not find:
        raise InputError("--rules says how many rules to find: it goes with --find")
    if list_ or columns or find:
        if given is not None or against is not None or list_ + columns + find > 1 or (out is not None and not find):
            raise InputError("--list, --columns and --find stand alone: without a strategy, without each other")
        if find:
            return _found(house, 3 if rules is None else _count(rules, "rules"), left, out, json=json)
        return _listed(house, left, columns=columns, json=json)
    if given is None:
        raise InputError("no strategy: a name, rules or a file are allowed; --list shows the names")
    from pycs import strategy_display
    from pycs.files import TABLES, read_target, write_table
    from pycs.strategy_costs import strategy as price

    if out is not None:
        read_target(out, "the file", TABLES)
    found = price(house, given, "optimal" if against is None else against, exchanges=left)
    if out is not None:
        write_table(Path(out), found.to_frame())
    return _print_json(found.to_dict()) if json else _print(strategy_display.cost(found))


def _found(house: Rules, most: int, exchanges: int | None, out: str | None, *, json: bool) -> int:
    """The best short rules, from one to so many."""
    from pycs import strategy_display
    from pycs.files import read_target
    from pycs.strategy_search import find_strategies

    if out is not None:
        read_target(out, "the file", strategy_display.CURVES)
    found = find_strategies(house, most, exchanges=exchanges)
    if out is not None:
        strategy_display.write_curve(found, house, out)
    if json:
        return _print_json([each.to_dict() for each in found])
    return _print(strategy_display.found(found, house))


def _listed(rules: Rules, exchanges: int | None, *, columns: bool, json: bool) -> int:
    """The columns of a game, or its strategies with names."""
    from pycs import strategy_display
    from pycs.deal_features import FEATURES
    from pycs.games import game_of

    game = game_of(rules)
    if columns:
        return _print_json(dict(FEATURES[game.name])) if json else _print(strategy_display.columns(game))
    from pycs.action_values import action_values
    from pycs.strategy_costs import named_plays

    values = action_values(rules, exchanges)
    plays = named_plays(values)
    if json:
        return _print_json([play.to_dict() for play in plays])
    return _print(strategy_display.named(rules, values.exchanges, plays))


@app.command
def chart(
    profile: Annotated[str | None, Parameter(help="A profile's name, or the path of a TOML file.")] = None,
    /,
    *,
    out: Annotated[
        str | None,
        Parameter(name=("--out", "-o"), metavar="FILE", help="The file to write: .html, .svg, .png or .pdf."),
    ] = None,
    strategy: Annotated[
        str | None, Parameter(metavar="S", help="How this strategy plays, instead of best play.")
    ] = None,
    page: Annotated[
        bool, Parameter(negative="", help="One page to print: rules, exceptions, and their price.")
    ] = False,
    compare: Annotated[
        tuple[str, str] | None,
        Parameter(metavar="A B", negative="", help="Where two strategies differ; without PROFILE: profiles."),
    ] = None,
    exchanges: _Exchanges = None,
    pays: _Pays = None,
    json: _Json = False,
) -> int:
    """Draw the strategy charts of a game, exact in every cell.

    HTML shows the exact values under the pointer; all formats print in black and
    white. Caribbean Stud: ace-king against each upcard, and every hand's value;
    Casino Hold'em: the hole cards, and flops by their texture.

    Examples: pycs chart us -o us.html
              pycs chart us --page -o page.pdf
              pycs chart us --compare three-rules optimal -o differ.svg
              pycs chart --compare us live -o differ.html
    """
    from pycs.chart_files import chart_of
    from pycs.chart_files import compare as compare_profiles
    from pycs.files import read_target
    from pycs.picture_files import PICTURES

    if out is None and not json:
        raise InputError(f"no file to write: -o with a path that ends in {' or '.join(PICTURES)} is needed")
    if out is not None:
        read_target(out, "the file", PICTURES)
    left = None if exchanges is None else _count(exchanges, "exchanges left")
    words = ["pycs", "chart", *([] if profile is None else [profile])]
    options = (("--strategy", strategy), ("--exchanges", exchanges), ("--pays", pays))
    words += [word for name, given in options if given is not None for word in (name, given)]
    words += ["--page"] * page + (["--compare", *compare] if compare is not None else [])
    command = shlex.join([*words, "-o", Path(out).name] if out is not None else words)
    if profile is None:
        if compare is None:
            raise InputError("no profile: give one, or two profiles to --compare")
        if strategy is not None or page or pays is not None:
            raise InputError("two profiles are compared in their best play: without --strategy, --page and --pays")
        made = compare_profiles(*compare, exchanges=left, command=command)
    else:
        from pycs.action_values import action_values

        if compare is not None and (strategy is not None or page):
            raise InputError("--compare takes both strategies: without --strategy and --page")
        first, second = compare if compare is not None else (strategy, None)
        values = action_values(_rules(profile, pays), left)
        made = chart_of(values, strategy=first, against=second, page=page, command=command)
    if out is not None:
        made.write(out)
    if json:
        return _print_json(made.to_dict())
    from pycs.strategy_display import charted

    return _print(charted(made, str(out)))


@app.command
def verify(
    profile: _Profile,
    log: Annotated[
        str | None, Parameter(name="LOG", help="A log of rounds, or counts by outcome, or a summary as .json.")
    ] = None,
    /,
    *,
    strategy: Annotated[
        str | None, Parameter(metavar="S", help="The claimed strategy; without it play fails nothing.")
    ] = None,
    columns: Annotated[str, Parameter(metavar="R=C,...", help="Which column is what, as net=result,action=move.")] = "",
    ante: Annotated[str | None, Parameter(metavar="X", help="The ante in the log's money, if no column says.")] = None,
    alpha: Annotated[str, Parameter(metavar="A", help="How often a right log may fail (default: 0.01).")] = "0.01",
    growing: Annotated[bool, Parameter(negative="", help="The log still grows: valid at every look.")] = False,
    pays: _Pays = None,
    detect: Annotated[
        str, Parameter(metavar="X", help="The error that a summary must show (default: 0.25%).")
    ] = "0.25%",
    rounds: Annotated[str | None, Parameter(metavar="N", help="Without LOG, a summary: how many rounds.")] = None,
    net: Annotated[str | None, Parameter(metavar="X", help="... the total net result, in antes.")] = None,
    staked: Annotated[str | None, Parameter(metavar="X", help="... all that was staked, in antes.")] = None,
    returned: Annotated[str | None, Parameter(metavar="X", help="... all that came back, in antes.")] = None,
    rtp: Annotated[str | None, Parameter(metavar="P", help="... the return to player: 97.4%.")] = None,
    edge: Annotated[str | None, Parameter(metavar="P", help="... or the edge: 5.22%.")] = None,
    per: Annotated[
        Literal["ante", "bet"] | None, Parameter(metavar="ante|bet", help="... of what they are a share.")
    ] = None,
    sd: Annotated[str | None, Parameter(metavar="X", help="... the standard deviation of a round.")] = None,
    html: Annotated[str | None, Parameter(metavar="FILE", help="Also write it all as one HTML file.")] = None,
    alphabet: _Alphabet = "latin",
    json: _Json = False,
) -> int:
    """Judge a simulator or game server by its log.

    A log of rounds (CSV, Parquet, NDJSON) is dealt, settled and decided again,
    counts by outcome (CSV, JSON) and summaries are held against the exact game.
    Exits with 0 for a pass, 1 for a fail, 3 when there is not enough data.

    Examples: pycs verify us log.csv --strategy three-rules
              pycs verify us --rounds 15000000 --rtp 97.398714% --per bet \\
                  --strategy three-rules
    """
    from pycs.files import read_target, write_atomically
    from pycs.verification import verify as judge

    if html is not None:
        read_target(html, "the file", (".html", ".htm"))
        if log is not None and os.path.realpath(html) == os.path.realpath(log):
            raise InputError(f"the file {quoted(html)}: it is the log, which is not written over")
    figures = {"net": net, "staked": staked, "returned": returned, "rtp": rtp, "edge": edge, "per": per, "sd": sd}
    stated = {name: figure for name, figure in figures.items() if figure is not None}
    if log is not None and (stated or rounds is not None):
        raise InputError("a log and the figures of a summary: one of them is allowed")
    if log is None and rounds is None:
        raise InputError("no log: give a file, or a summary by --rounds and --net, --rtp or --edge")
    evidence: Any = log if rounds is None else {"rounds": _whole(rounds, "number of rounds"), **stated}
    found = judge(
        _rules(profile, pays),
        evidence,
        strategy=strategy,
        columns=columns,
        ante=ante,
        alpha=alpha,
        growing=growing,
        detect=detect,
        alphabet=alphabet,
    )
    if html is not None:
        from pycs.verdict_page import verdict_page

        given = {
            "--strategy": strategy,
            "--columns": columns or None,
            "--ante": ante,
            "--pays": pays,
            "--rounds": rounds,
        }
        given |= {f"--{name}": figure for name, figure in stated.items()}
        words = ["pycs", "verify", profile, *([] if log is None else [log])]
        words += [word for name, value in given.items() if value is not None for word in (name, value)]
        write_atomically(Path(html), verdict_page(found, shlex.join(words + ["--growing"] * growing)).encode())
    if json:
        _print_json(found.to_dict())
    else:
        from pycs import verdict_display

        _print(verdict_display.verdict(found))
    return {"pass": FINE, "fail": CHECK_FAILED}.get(found.verdict, NOT_ENOUGH)


@app.command
def certify(
    folder: Annotated[str, Parameter(name="DIR", help="The folder of a table that `pycs solve` made.")],
    /,
    *,
    share: Annotated[str, Parameter(metavar="X", help="Only a random share of the deals: above 0, at most 1.")] = "1",
    seed: Annotated[str | None, Parameter(metavar="N", help="The seed of that share, to draw the same again.")] = None,
    json: _Json = False,
) -> int:
    """Prove a table again, from nothing.

    Every completion of every deal (or of a random share of the deals) is ranked
    and compared: some minutes, or seconds for a share of 0.001. An interrupted
    run is gone on with. Exits with 1 when the table is wrong.

    Example: pycs certify tables/us --share 0.001
    """
    wanted, drawn_by = _share(share), None if seed is None else _seed(seed)
    from pycs.certification import certify as certify_table

    proof = certify_table(folder, share=wanted, seed=drawn_by)
    if json:
        _print_json(proof.to_dict())
    else:
        from pycs import display

        _print(display.certificate(proof))
    return FINE if proof.passed else CHECK_FAILED


def main(tokens: Sequence[str] | None = None) -> int:
    """Run the command line on these arguments, by default those of the process, and give back the exit code."""
    arguments = list(sys.argv[1:] if tokens is None else tokens)
    interrupts = signal.getsignal(signal.SIGINT)
    where = " ".join(["pycs", *arguments[:1]]) if arguments[:1] and arguments[0] in list(app) else "pycs"
    try:
        if tokens is None:
            signal.signal(signal.SIGINT, signal.default_int_handler)  # from here on Ctrl-C is told in a line
            sys.unraisablehook = _without_interrupts
        code = _run(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        code = READER_GONE  # the reader has seen enough, as in `pycs report us | head -1`
    except KeyboardInterrupt:
        try:
            _ignore_interrupts()
        except KeyboardInterrupt:  # Polars raises the first by itself, and Python the same one again, here
            _ignore_interrupts()
        code = _complain(where, "interrupted", INTERRUPTED)
    except CycloptsError as error:
        code = _complain(where, usage_problem(app, error))
    except PycsError as error:
        code = _complain(where, str(error))
    except OSError as error:
        file = f"{quoted(os.fsdecode(error.filename))}: " if isinstance(error.filename, (str, bytes)) else ""
        code = _complain(where, f"{file}{error.strerror or error}")
    except MemoryError:
        code = _complain(where, "out of memory: about 1 GiB is needed")
    except ImportError as error:
        first_line = next((line for line in str(error).splitlines() if line.strip()), "a module is missing")
        code = _complain(where, first_line[:300])
    _let_go_of_stdout()
    if tokens is not None and code == INTERRUPTED and interrupts is not None:
        signal.signal(signal.SIGINT, interrupts)  # the process goes on
    return code


def _without_interrupts(unraisable: sys.UnraisableHookArgs) -> None:
    """What cannot be raised is told, but for Ctrl-C within a destructor: it comes again, and is told then."""
    if not issubclass(unraisable.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(unraisable)


def _run(arguments: list[str]) -> int:
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    if not arguments or "--help" in options or "-h" in options:
        return _print(help_page(app, arguments))
    if arguments[0] == "--version":
        return _print(f"pycs {__version__}\n")
    command, bound, _ = app.parse_args(arguments, print_error=False, exit_on_error=False)
    code: int = command(*bound.args, **bound.kwargs)
    return code


def _ignore_interrupts() -> None:
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _nothing_in_sight(game: Game, hand: str | None, alphabet: Alphabet) -> InputError:
    """The error of a single argument of cards, wrong as a hand or alone, and of none."""
    from pycs.cards import parse_cards

    if hand is None:
        return InputError(f"HAND is missing: the player's {game.kernel.hand} cards and the {game.seen} are needed")
    comes = "it comes" if game.kernel.seen == 1 else f"its {game.kernel.seen} cards come"
    expected = f"the {game.seen} is missing: {comes} after the hand, as a further argument"
    try:
        parse_cards(hand, count=game.kernel.hand, alphabet=alphabet)
    except InputError as error:
        return InputError(f"{error}; {expected}")
    return InputError(expected)


def _rules(profile: str, pays: str | None) -> Rules:
    """The rules of a profile, with other pays if some are given."""
    from pycs.rules import load_rules

    if pays is None:
        return load_rules(profile)
    from pycs.pay_lines import rules_with_pays

    return rules_with_pays(load_rules(profile), pays)


def _stakes(texts: Sequence[str]) -> dict[str, str]:
    stakes: dict[str, str] = {}
    for text in texts:
        name, equals, size = text.partition("=")
        if not equals or not name:
            raise InputError(f"the bet {quoted(text)}: NAME=X is allowed, as five-plus-one=0.5")
        if name in stakes:
            raise InputError(f"the bet {quoted(text)}: the size of {quoted(name)} is given twice")
        stakes[name] = size
    return stakes


def _whole(text: str, what: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 20):
        raise InputError(f"the {what} {quoted(text)}: a whole number of at most 19 digits is allowed")
    return int(text)


def _count(text: str, what: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 4):
        raise InputError(f"{what} {quoted(text)}: a whole number of at most three digits is allowed")
    return int(text)


def _share(text: str) -> float:
    # Numbers are read here, not by cyclopts: it would round a seed of 1.5 to 2 without a word.
    try:
        share = float(text)
    except ValueError:
        share = 0.0
    if not 0 < share <= 1:
        raise InputError(f"the share {quoted(text)}: a number above 0 and at most 1 is allowed")
    return share


def _seed(text: str) -> int:
    digits = text.isascii() and text.isdecimal() and len(text) <= len(str(_LARGEST_SEED))
    if not digits or int(text) > _LARGEST_SEED:
        raise InputError(f"the seed {quoted(text)}: a whole number from 0 to {_LARGEST_SEED} is allowed")
    return int(text)


def _print_json(document: Any) -> int:
    # ASCII, so that every terminal, pipe and program can take it.
    return _print(json_format.dumps(document, indent=2, allow_nan=False) + "\n")


def _print(text: str) -> int:
    """Write the whole answer; what standard output's encoding does not know is escaped."""
    if sys.stdout is not None:
        sys.stdout.write(_encodable(text, sys.stdout))
    return FINE


def _encodable(text: str, stream: TextIO) -> str:
    encoding = stream.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def _complain(where: str, problem: str, code: int = BAD_INPUT) -> int:
    """One line on standard error, without a control character, whatever the input was."""
    line = "".join(char if char.isprintable() else ascii(char)[1:-1] for char in f"{where}: {problem}")
    # `print` to a stream that is not there would go to standard output.
    if sys.stderr is not None:
        with suppress(OSError):  # a full disk behind it: the exit code still tells
            print(_encodable(line, sys.stderr), file=sys.stderr, flush=True)
    return code


def _let_go_of_stdout() -> None:
    """After a broken pipe or a full disk: keep the interpreter's last flush from failing too, with a traceback."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
