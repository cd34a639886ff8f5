"""What people see on the terminal: each answer as a header and aligned tables.

Every function here gives back the whole text, so a document is printed at once or not at all.
"""

from __future__ import annotations

import shlex
from fractions import Fraction
from typing import TYPE_CHECKING

from pycs.aa_bonus import bonus_of
from pycs.amounts import plain
from pycs.decisions import UNDECIDED, not_counted
from pycs.holdem_rules import CasinoHoldemRules
from pycs.messages import shown_path
from pycs.pay_lines import pays_of
from pycs.stud_rules import CaribbeanStudRules
from pycs.terminal import Text, antes, facts, grid, render, signed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import RenderableType

    from pycs.aa_bonus import BonusBet
    from pycs.certification import Certificate
    from pycs.decisions import Decision
    from pycs.rules import Rules
    from pycs.settlement import Settlement
    from pycs.tables import Table

__all__ = [
    "certificate",
    "decision",
    "not_counted_line",
    "pay_text",
    "profiles",
    "qualifier_text",
    "settlement",
    "solved",
]


def profiles(all_rules: Sequence[Rules]) -> str:
    """The profiles, one line each."""
    table = grid(
        ("profile", "left"), ("pays", "left"), ("exchanges", "right"), ("qualifies", "left"), ("title", "left")
    )
    for rules in all_rules:
        # A title too long for the terminal is cut short, so that a profile stays one line.
        title = Text(rules.title, no_wrap=True, overflow="ellipsis")
        table.add_row(
            Text(rules.name, style="bold"), pay_text(rules), str(exchanges(rules)), rules.dealer.qualifies, title
        )
    return render(
        table,
        "",
        "pays, to one: on the call, royal flush, straight flush, ... down to pair or less;",
        "in Casino Hold'em on the ante, down to straight or less",
    )


def exchanges(rules: Rules) -> int:
    """How many exchanges the rules allow in a row."""
    return rules.exchange.in_a_row if isinstance(rules, CaribbeanStudRules) and rules.exchange else 0


def decision(answer: Decision, rules: Rules) -> str:
    """One deal: what each action is worth, which is best, and how the round ends after a call."""
    header = facts(
        ("profile", f"{rules.name}: {rules.title}"),
        *_in_sight(answer),
        *([] if answer.bonus is None else [("bonus bet", _bonus_bet(answer.bonus))]),
        *_money(answer),
        ("best action", _best(answer)),
    )
    values = grid(("action", "left"), ("value in antes", "right"), ("exact", "right"))
    for action, value in answer.values.items():
        style = "bold green" if action == answer.action else ""
        values.add_row(Text(action, style=style), f"{float(value):+.6f}", str(value))
    for action, estimate in answer.estimates.items():
        style = "bold green" if action == answer.action else ""
        values.add_row(Text(action, style=style), f"{estimate.value:+.6f}", "an estimate, see below")
    net = "net" if answer.bonus is None else "net without the bonus"
    what = "completions" if answer.wins is None else "ways"
    counts = grid(("after a call", "left"), (net, "right"), (what, "right"), ("share", "right"))
    for event, amount, count in _endings(answer, rules):
        counts.add_row(event, signed(amount), f"{count:,}", f"{count / answer.completions:.4%}")
    counts.add_row("in all", "", f"{answer.completions:,}", f"{1:.4%}", style="bold")
    counted = "one hand alone" if answer.exchange is not None or answer.box is not None else "fold and call only"
    left_out = not_counted_line(not_counted(answer, rules), counted)
    return render(header, *left_out, "", values, *_exchange(answer, rules), "", counts)


def _in_sight(answer: Decision) -> Iterator[tuple[str, str]]:
    if answer.wins is not None:
        yield "box", f"{answer.box}, blind: ante and call are staked before the deal"
        yield "upcard", answer.upcard or "not dealt yet"
    elif answer.flop is not None:
        yield "hand", answer.hand
        yield "flop", f"{answer.flop} (with the hand: {answer.category})"
    else:
        if answer.box is not None:
            yield "box", str(answer.box)
        yield "hand", f"{answer.hand} ({answer.category})"
        yield "upcard", str(answer.upcard)
    if answer.dealer:
        yield "dealer holds", f"{answer.dealer}, as is known"
    if answer.known:
        yield "out of play", f"{answer.known}, as is known"


def _money(answer: Decision) -> Iterator[tuple[str, str]]:
    if answer.purse is not None:
        yield "money", f"an ante of {plain(answer.purse.ante)}, a balance of {plain(answer.purse.balance)}"
        if answer.purse.lacks_later_calls and "call" in answer.values:
            yield "later boxes", answer.purse.lacks_later_calls
    for action, reason in answer.not_offered.items():
        yield "not offered", f"{action}: {reason}"


def _best(answer: Decision) -> Text:
    style = "bold green"
    if answer.estimated_margin is not None:
        margin, others = answer.estimated_margin, "fold" if "call" not in answer.values else "fold and call"
        than = f"the exchange is worth about {abs(margin.value):.4f} antes {'more' if margin.value > 0 else 'less'}"
        told, style = f": {than} than {others}", "bold" if answer.action == UNDECIDED else style
        if answer.action == UNDECIDED:
            told += f", less than four of its standard errors of {margin.standard_error:.4f}"
    elif answer.margin is None:
        told = ", the only one"
    elif answer.indifferent:
        best_value = max(answer.values.values())
        equals = [action for action, value in answer.values.items() if value == best_value]
        told = f"; indifferent: {' and '.join(equals)} are worth exactly the same"
    else:
        told = f", better by {float(answer.margin):.6f} antes"
    return Text.assemble((answer.action, style), told)


_THEN = {"fold": "folded", "call": "called", "exchange": "given up again"}


def _exchange(answer: Decision, rules: Rules) -> Iterator[RenderableType]:
    exchange = answer.exchange
    if exchange is None:
        return
    yield ""
    what = f"exchange: {exchange.gives_up} for new cards and a fee of {antes(plain(exchange.fee))}"
    if exchanges(rules) > 1:
        what += f", with {answer.exchanges_left} exchange{'s' if answer.exchanges_left > 1 else ''} left"
    yield what
    if exchange.new_hands is not None:
        draws = sum(exchange.new_hands.values())
        shares = [f"{count / draws:.4%} are {_THEN[then]}" for then, count in exchange.new_hands.items()]
        yield f"of the {draws:,} new hands {', '.join(shares[:-1])} and {shares[-1]}"
    for action, estimate in answer.estimates.items():
        low, high = estimate.interval()
        yield f"estimate of {action}: {estimate}, most likely {low:+.6f} to {high:+.6f}"
        yield f"proven: at least {float(exchange.at_least):+.6f}, exactly {exchange.at_least}, as with one fewer left"


def _endings(answer: Decision, rules: Rules) -> Iterator[tuple[str, int, int]]:
    """How the round can end after a call: in Casino Hold'em by the player's final hand, as far as he can get it."""
    if isinstance(rules, CasinoHoldemRules):
        possible = [(line, counts) for line, counts in (answer.ante_lines or {}).items() if any(counts)]
        for line, counts in possible:
            yield f"dealer does not qualify, {line}", rules.net_not_qualified(line), counts.not_qualified
        for line, counts in possible:
            yield f"player wins with {line}", rules.net_win(line), counts.win
    elif answer.wins is not None:
        yield "dealer does not qualify", rules.net_not_qualified, answer.outcomes.not_qualified
        for line, count in answer.wins.items():
            yield f"player wins with {line}", rules.net_win("high card" if line == "pair or less" else line), count
    else:
        yield "dealer does not qualify", rules.net_not_qualified, answer.outcomes.not_qualified
        yield "player wins", rules.net_win(answer.category), answer.outcomes.win
    yield "push", rules.net_push, answer.outcomes.push
    yield "dealer wins", rules.net_lose, answer.outcomes.lose


def _bonus_bet(bonus: BonusBet) -> str:
    size = antes(plain(bonus.stake))
    if bonus.line is None:
        return f"{size}: lost, whatever the player does"
    return f"{size}: {bonus.line} pays {bonus.pay:,} to 1, {_after_a_fold(bonus.requires_call)}"


def _after_a_fold(requires_call: bool) -> str:
    return "lost after a fold" if requires_call else "after a fold too"


def settlement(result: Settlement, rules: Rules) -> str:
    """A finished round: both hands, what came of them, and the money."""
    money = result.money
    qualifies = f"{'qualifies' if result.dealer_qualifies else 'does not qualify'} (needs {qualifier_text(rules)})"
    table = facts(
        ("profile", f"{rules.name}: {rules.title}"),
        *([] if result.board is None else [("board", result.board)]),
        ("player", f"{result.player} ({result.player_category})"),
        ("dealer", f"{result.dealer} ({result.dealer_category}), {qualifies}"),
        *([] if result.box is None else [("box", str(result.box))]),
        *((f"exchange {number}", f"{cards} given up") for number, cards in enumerate(result.gave_up, 1)),
        ("action", result.action),
        ("outcome", _outcome(result, rules)),
        *([("fees", f"{antes(plain(result.fees))}, lost whatever happens")] if result.gave_up else []),
        *([("AA Bonus", _bonus_result(result, rules))] if result.bonus else []),
        ("staked", _amount(antes(plain(result.staked)), money and plain(money.staked))),
        ("returned", _amount(antes(plain(result.returned)), money and plain(money.returned))),
        ("net", Text.assemble((_amount(antes(signed(result.net)), money and signed(money.net)), "bold"))),
    )
    return render(table)


def _amount(in_antes: str, in_money: str | None) -> str:
    return in_antes if in_money is None else f"{in_antes}, in money {in_money}"


def _outcome(result: Settlement, rules: Rules) -> str:
    if result.outcome in ("not_qualified", "win"):
        if isinstance(rules, CasinoHoldemRules):
            ante, call = rules.net_of("win", result.player_category) - rules.stakes.call, 1
            if result.outcome == "not_qualified":
                ante = rules.net_of("not_qualified", result.player_category)
        else:
            ante, call = rules.stakes.ante, rules.pays.of(result.player_category)
        if result.outcome == "not_qualified":
            return f"the dealer does not qualify: the ante wins {ante:,} to 1, the call comes back"
        return f"the player is better: the ante wins {ante:,} to 1, the call {call:,} to 1"
    words = {
        "fold": "the player folded: the ante is lost",
        "push": "an exact tie: ante and call come back",
        "lose": "the dealer is better: ante and call are lost",
    }
    return words[result.outcome]


def _bonus_result(result: Settlement, rules: Rules) -> str:
    made, bonus = result.bonus_line, bonus_of(rules)
    how = ""
    if result.action == "fold" and made is not None and bonus is not None:
        how = f", {_after_a_fold(bonus.bonus_requires_call)}"
    bet, net = antes(plain(result.bonus)), antes(signed(result.bonus_net))
    return f"{bet} on {made or 'less than a pair of aces'}{how}: {net}"


def solved(table: Table) -> str:
    """A table that has been solved: where it is, how large, and what the game costs."""
    manifest = table.manifest
    size = sum(part.bytes for part in manifest.parts)
    edge = -Fraction(manifest.totals.value)
    folder = str(table.path)
    about = facts(
        ("profile", f"{table.rules.name}: {table.rules.title}"),
        ("folder", shown_path(folder)),
        ("rows", f"{len(table):,} canonical deals"),
        ("size", f"{size / 1e6:.1f} MB in {len(manifest.parts)} parts"),
        ("house edge", f"{float(edge):.6%} of the ante, exactly {edge}"),
    )
    next_step = f"next: pycs certify {shlex.quote(folder) if folder.isprintable() else 'DIR'} --share 0.001"
    return render(about, *not_counted_line(table.rules.not_counted), "", next_step)


def certificate(proof: Certificate) -> str:
    """A table's proof: what was done again, what was found, and the verdict."""
    colour = "bold green" if proof.passed else "bold red"
    rows = [(label, Text(text, style=colour if label == "verdict" else "")) for label, text in proof.summary()]
    return render(facts(*rows), *proof.problems)


def not_counted_line(parts: Sequence[str], counted: str = "fold and call only") -> tuple[str, ...]:
    """The line that says what is left out; none when nothing is."""
    return (f"{counted}; not counted: {', '.join(parts)}",) if parts else ()


def pay_text(rules: Rules) -> str:
    """The pay table from the royal flush down."""
    return "/".join(str(pay) for pay in pays_of(rules).values())


def qualifier_text(rules: Rules) -> str:
    """What the dealer needs."""
    if rules.dealer.qualifies == "any":
        return "no more than any hand"
    return f"{rules.dealer.qualifies.replace('pair-of-', 'a pair of ')} or better"
