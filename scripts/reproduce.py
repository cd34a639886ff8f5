"""Hold the published figures of Caribbean Stud and Casino Hold'em against ours: exits 1 when one differs.

    python scripts/reproduce.py            a table for people
    python scripts/reproduce.py --json     the same as one JSON document

Run it in a checkout with pycs installed; it takes some seconds. The published figures stand in
tests/data/published.json, each with its source. Whole numbers and fractions must be equal; a figure published as a
decimal, or in whole percent, must be ours rounded to as many places. House edge is per ante, element of risk per unit
bet in all.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import chain, combinations
from math import comb, floor
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

import pycs
from pycs.core import HOLDEM, STUD, Kernel
from pycs.deal_frames import deal_frame
from pycs.games import CARIBBEAN_STUD
from pycs.joint_rounds import played, valued_game
from pycs.named_strategies import STRATEGIES as BY_NAME
from pycs.ranking import CATEGORIES_UP, categories
from pycs.reports import report_of_tally
from pycs.rules import rules_from_dict
from pycs.side_bet_reports import SideBetReport, side_bet_report
from pycs.side_bets import side_bets, with_lines
from pycs.values import tally

DATA = Path(__file__).resolve().parent.parent / "tests" / "data"
PUBLISHED, CONTRADICTED = DATA / "published.json", DATA / "contradicted.json"
ELSEWHERE = {
    "hole_cards_us": "scripts/price_information.py",
    "oasis_one_ante_per_card": "scripts/oasis.py",
}
"""Entries of published.json whose figures take longer, and the scripts that settle them."""
NO_FIGURES = {"about", "note", "order", "profile", "source", "three_rules_on_ace_king"}

Number: TypeAlias = int | Fraction | Decimal


@dataclass(frozen=True)
class Figure:
    """A published figure beside ours. `key` says where in published.json it stands."""

    key: str
    figure: str
    unit: str
    published: Number
    ours: Number | None
    source: str

    @property
    def agrees(self) -> bool:
        """Equal; a decimal is compared at the places it was published with."""
        ours = self.ours
        if ours is not None and isinstance(self.published, Decimal):
            ours = decimal(ours).quantize(self.published)
        return ours == self.published

    def to_dict(self) -> dict[str, Any]:
        """Plain data; numbers are exact text, except whole ones."""
        published, ours = (n if n is None or isinstance(n, int) else str(n) for n in (self.published, self.ours))
        return {**vars(self), "published": published, "ours": ours, "agrees": self.agrees}


def decimal(number: Number) -> Decimal:
    """The number to 28 digits."""
    return Decimal(number.numerator) / number.denominator if isinstance(number, Fraction) else Decimal(number)


def load_published() -> dict[str, Any]:
    """What published.json holds; decimals keep the digits they were published with."""
    published: dict[str, Any] = json.loads(PUBLISHED.read_text(encoding="utf-8"), parse_float=Decimal)
    return published


# --- the counted game ---------------------------------------------------------------------------------------------


def canonical_deals(kernel: Kernel) -> NDArray[np.uint8]:
    """All of a game, in the order of their indices."""
    return kernel.canonical_deals(np.arange(kernel.deals))[0]


STRATEGIES = {
    "three rules of thumb": "three-rules",
    "pair or better": "pair-or-better",
    "blind (always raise)": "always-call",
}
"""The published names of strategies, and ours."""


def suit_classes() -> dict[str, int]:
    """How many classes are left when the suits' names are gone: of hands, hands with an upcard, hole cards with a flop.

    The keys say how many cards there are of each kind.
    """
    stud, holdem = canonical_deals(STUD), canonical_deals(HOLDEM)
    hands = stud[:, :5] @ 52 ** np.arange(5)  # a number for each hand
    return {
        "5": len(np.unique(hands)),
        "5,1": int(np.count_nonzero(np.bincount(STUD.indices(stud)))),
        "2,3": int(np.count_nonzero(np.bincount(HOLDEM.indices(holdem)))),
    }


def frequencies(size: int) -> list[int]:
    """How many hands of 5, 6 or 7 cards are of each category, from high card to royal flush: every hand is ranked."""
    fives = np.fromiter(chain.from_iterable(combinations(range(52), 5)), np.uint8, 5 * comb(52, 5)).reshape(-1, 5)
    count = np.zeros(len(CATEGORIES_UP), np.int64)
    for hands in _all_hands(fives, size - 5):
        by_strength = np.bincount(pycs.rank_hands(hands))
        held = np.flatnonzero(by_strength)
        np.add.at(count, categories(held), by_strength[held])
    return [int(number) for number in count]


def _all_hands(fives: NDArray[np.uint8], more: int) -> Iterator[NDArray[np.uint8]]:
    """Every hand of five cards and `more` lower ones, in pieces that are good until the next one is asked for."""
    if not more:
        yield fives
        return
    for below in range(more - 1, 47):
        # The fives are in lexicographic order: those above a card are the last ones.
        above = fives[len(fives) - comb(51 - below, 5) :]
        hands = np.empty((len(above), more + 5), np.uint8)
        hands[:, more:], hands[:, more - 1] = above, below
        for lower in combinations(range(below), more - 1):
            hands[:, : more - 1] = lower
            yield hands


# --- figures ------------------------------------------------------------------------------------------------------


def figures() -> Iterator[Figure]:
    """Every published figure that is about a counted game, or about hands as such, beside ours."""
    published = load_published()
    yield from stud_figures(published["caribbean_us"])
    yield from holdem_figures(published["casino_holdem"])
    yield from five_plus_one_figures(published["five_plus_one"])
    yield from progressive_figures(published["progressive_break_even_meter_for_1_unit"])
    yield from class_figures(published["suit_classes"])
    yield from frequency_figures(published["frequencies"])


def stud_figures(stud: dict[str, Any]) -> Iterator[Figure]:
    """The return table, what follows from it, and the strategies that have a published result."""
    source, rules = stud["source"], pycs.load_rules(stud["profile"])
    game = valued_game(rules, ())
    optimal = report_of_tally(tally(game, rules), rules)

    def figure(key: str, name: str, unit: str, published: Number, ours: Number | None) -> Figure:
        return Figure(f"caribbean_us.{key}", name, unit, published, ours, source)

    events = {(event.event, event.net): event.combinations for event in optimal.outcomes}
    for name, net, combinations_ in stud["optimal_outcomes"]:
        ours = events.get((name, net))
        yield figure("optimal_outcomes", f"{name} ({net:+d})", "rounds", combinations_, ours)
    yield figure("deals", "all rounds", "rounds", stud["deals"], optimal.deals)
    yield figure("optimal_net", "optimal play", "antes over all rounds", stud["optimal_net"], optimal.net)
    house_edge = Fraction(-stud["optimal_net"], stud["deals"])
    yield figure("optimal_net", "house edge (net / rounds)", "per ante", house_edge, optimal.house_edge)
    yield figure("sd", "standard deviation", "antes", stud["sd"], decimal(optimal.variance).sqrt())
    raised, deals = stud["raise_pairs"]
    yield figure("raise_pairs", "optimal play raises", "hands x upcards", raised, optimal.action_deals["call"])
    yield figure("raise_pairs", "all deals (weights)", "hands x upcards", deals, int(game["weight"].sum()))

    plays = {
        name: report_of_tally(tally(played(game, rules, (), {}, BY_NAME[rules.game][ours]), rules), rules, ours)
        for name, ours in STRATEGIES.items()
    }
    for name, net in stud["strategies_net"].items():
        yield figure("strategies_net", name, "antes over all rounds", net, plays[name].net)
    # Published in words only: the note gives the three rules' element of risk first, then that of optimal play.
    by_rules, by_optimum = (Decimal(percent) for percent in re.findall(r"\((\d\.\d+)%\)", stud["note"]))
    three_rules, unit = plays["three rules of thumb"], "% of all bets"
    yield figure("note", "optimal element of risk", unit, by_optimum, 100 * optimal.element_of_risk)
    yield figure("note", "three rules' element of risk", unit, by_rules, 100 * three_rules.element_of_risk)


def holdem_figures(holdem: dict[str, Any]) -> Iterator[Figure]:
    """What follows from the counts of Casino Hold'em, and the edge of the AA Bonus."""
    optimal = pycs.report(holdem["profile"])
    (bonus,) = optimal.bets

    def figure(key: str, name: str, unit: str, ours: Number) -> Figure:
        # Whole percent are rounded as well: a Decimal without places.
        published = Decimal(holdem[key]) if "percent" in key else holdem[key]
        return Figure(f"casino_holdem.{key}", name, unit, published, ours, holdem["source"])

    yield figure("deals", "all rounds", "rounds", optimal.deals)
    yield figure("house_edge_percent", "house edge", "% of the ante", 100 * optimal.house_edge)
    yield figure("element_of_risk_percent", "element of risk", "% of all bets", 100 * optimal.element_of_risk)
    yield figure("call_percent", "optimal play calls", "% of deals", 100 * optimal.actions["call"])
    yield figure("aa_bonus_house_edge_percent", "AA Bonus house edge", "% of the bonus bet", 100 * bonus.house_edge)


def five_plus_one_figures(bonus: dict[str, Any]) -> Iterator[Figure]:
    """The return of the 5+1 Bonus, and over how many hands."""
    bet = side_bet(pycs.load_rules(bonus["profile"]), "five-plus-one")
    source = "the published return of the 5+1 Bonus"
    returned = 100 * (1 + bet.value)
    yield Figure("five_plus_one.rtp_percent", "5+1 return", "% of the bet", bonus["rtp_percent"], returned, source)
    hands = bonus["six_card_hands"]
    yield Figure("five_plus_one.six_card_hands", "5+1 hands", "six-card hands", hands, bet.combinations, source)


def progressive_figures(meters: list[dict[str, Any]]) -> Iterator[Figure]:
    """The break-even meters of the published progressives, in whole units."""
    for row in meters:
        name = f"break even {row['flush']}/{row['full']}/{row['quads']}"
        key, source = "progressive_break_even_meter_for_1_unit", "the published progressives"
        yield Figure(key, name, "meter, in unit bets", row["meter"], floor(break_even(row)), source)


def contradicted() -> Iterator[dict[str, Any]]:
    """The published figures that do not hold, with ours and the reason."""
    for row in json.loads(CONTRADICTED.read_text(encoding="utf-8"))["progressive_break_even_meter_for_1_unit"]:
        yield {**row, "ours": floor(break_even(row))}


def break_even(row: dict[str, Any]) -> Fraction:
    """The break-even meter of a progressive with these fixed prizes; a straight flush wins a tenth of the meter."""
    rules = pycs.load_rules("live").to_dict()
    jackpot = rules["side_bets"]["jackpot"]
    del jackpot["table"]
    fixed = {"four_of_a_kind": row["quads"], "full_house": row["full"], "flush": row["flush"]}
    shares = {"royal_flush": "100%", "straight_flush": "10%"}
    jackpot["prizes"] = {**shares, **fixed, "straight": 0, "three_of_a_kind": 0}
    progressive = side_bet(rules_from_dict(rules), "jackpot").progressive
    assert progressive is not None
    assert progressive.break_even is not None
    return progressive.break_even


def side_bet(rules: pycs.Rules, name: str) -> SideBetReport:
    """A side bet of Caribbean Stud by itself."""
    (bet,) = (bet for bet in side_bets(rules) if bet.name == name)
    return side_bet_report(bet, line_deals(name))


@cache
def line_deals(name: str) -> dict[str, int]:
    """How many raw deals make each line of a side bet of `live`: these lines are the same for all prizes."""
    (bet,) = (bet for bet in side_bets(pycs.load_rules("live")) if bet.name == name)
    deals = with_lines(deal_frame(CARIBBEAN_STUD, text=False), (bet,))
    return dict(deals.group_by(bet.column).agg(pl.col("weight").sum()).rows())


def class_figures(classes: dict[str, Any]) -> Iterator[Figure]:
    """How many hands and deals there are when the suits' names are gone."""
    names = {"5": "hands", "5,1": "hands x upcards", "2,3": "hole cards x flops"}
    for key, ours in suit_classes().items():
        yield Figure(f"suit_classes.{key}", names[key], "suit classes", classes[key], ours, classes["source"])


def frequency_figures(published: dict[str, Any]) -> Iterator[Figure]:
    """How many hands of five, six and seven cards are of each category."""
    for size in (5, 6, 7):
        ours = dict(zip(CATEGORIES_UP, frequencies(size), strict=True))
        for name, count in zip(published["order"], published[f"{size}"], strict=True):
            yield Figure(f"frequencies.{size}", name, f"{size}-card hands", count, ours[name], "combinatorics")


def not_covered(covered: set[str]) -> list[str]:
    """The keys of published.json whose figures are neither among the covered ones nor settled by another script."""
    keys = [
        f"{part}.{key}" if isinstance(entry, dict) else part
        for part, entry in load_published().items()
        for key in (entry if isinstance(entry, dict) else [part])
        if key not in NO_FIGURES and part not in ELSEWHERE
    ]
    return [key for key in dict.fromkeys(keys) if key not in covered]


# --- output -------------------------------------------------------------------------------------------------------


def shown(number: Number | None, like: Number) -> str:
    """A number as the table shows it; ours has as many digits as the published one."""
    if number is None:
        return "none"
    if isinstance(like, Decimal):
        return f"{decimal(number).quantize(like)}"
    return f"{float(number):.12f}" if isinstance(number, Fraction) else f"{number:,}"


def table(rows: list[Figure]) -> str:
    """An aligned table, in groups by source."""
    lines = [("figure", "unit", "published", "ours", "agrees")]
    lines += [
        (row.figure, row.unit, shown(row.published, row.published), shown(row.ours, row.published), _yes(row.agrees))
        for row in rows
    ]
    name, unit, theirs, ours, _ = (max(map(len, column)) for column in zip(*lines, strict=True))
    text = [f"{a:{name}}  {b:{unit}}  {c:>{theirs}}  {d:>{ours}}  {e}" for a, b, c, d, e in lines]
    out, source = [text[0]], ""
    for row, line in zip(rows, text[1:], strict=True):
        if row.source != source:
            source = row.source
            out += ["", f"source: {source}"]
        out.append(line)
    return "\n".join(out)


def _yes(agrees: bool) -> str:
    return "yes" if agrees else "NO"


def main(arguments: list[str] | None = None) -> int:
    """Print the figures; 0 when all agree, 1 when one does not."""
    parser = argparse.ArgumentParser(description="Hold published figures against ours.")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of the table")
    options = parser.parse_args(arguments)
    rows = list(figures())
    different = [row for row in rows if not row.agrees]
    missing = not_covered({row.key for row in rows})
    if options.json:
        document = {
            "agrees": not different,
            "contradicted": list(contradicted()),
            "figures": [row.to_dict() for row in rows],
            "elsewhere": ELSEWHERE,
            "not_covered": missing,
        }
        print(json.dumps(document, indent=2))
    else:
        print(table(rows))
        print()
        for entry, script in ELSEWHERE.items():
            print(f"{entry}: python {script}")
        print("published figures that do not hold:")
        for row in contradicted():
            print(f"  {row['source']}: {row['printed']:,} printed, {row['ours']:,} counted; {row['why']}")
        print(f"not covered: {', '.join(missing)}")
        print(f"{len(rows) - len(different)} of {len(rows)} figures agree")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
