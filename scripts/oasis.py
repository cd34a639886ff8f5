"""Solve Oasis Poker exactly, and hold its published figures against ours: exits 1 when one of them does not hold.

    python scripts/oasis.py                  the whole game
    python scripts/oasis.py --upcards 2A     only the rounds in which the upcard is a deuce or an ace
    python scripts/oasis.py --json           the same as one JSON document

The whole game takes about a minute and 550 MB. The rules are those of the profile `oasis`: Caribbean Stud with one
exchange of chosen cards for a fee of one ante a card. No more than one card is ever worth giving up: that is proven by
scripts/oasis_discards.py. So fold, call and the five single cards are valued here for each of the 5,649,150 canonical
deals, over all 46 cards that can be drawn and then all 148,995 hands that the dealer can have, and the best is taken;
of equally good actions the one that stakes less. After an exchange the new hand is folded or called in its turn,
whichever is worth more. A bet is the ante, the fee of an exchange, and a call that is made, also when it comes back.

How it is counted is told in pycs/single_exchanges.py.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cache
from math import comb
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

import pycs
from pycs.cards import RANKS
from pycs.core import STUD, rank_hands
from pycs.progress import progress_bar
from pycs.ranking import CATEGORIES_UP, qualifying_strength
from pycs.single_exchanges import COMPLETIONS, DRAWS, OUTCOMES, PAIRS, STAY, Dealer, Deals, category_numbers
from pycs.stud_rules import CaribbeanStudRules

PUBLISHED = Path(__file__).resolve().parent.parent / "tests" / "data" / "published.json"

ACTIONS: Final = ("fold", "exchange", "call")
"""The one that stakes less first: of equally good ones it is taken."""

Ints: TypeAlias = NDArray[np.int64]


@cache
def oasis() -> CaribbeanStudRules:
    """The rules of the profile."""
    rules = pycs.load_rules("oasis")
    assert isinstance(rules, CaribbeanStudRules)
    return rules


def fee() -> int:
    """What it costs to give up one card."""
    exchange = oasis().exchange
    assert exchange is not None
    return exchange.fees.by_size()[1]


# --- the game -----------------------------------------------------------------------------------------------------


class Values(NamedTuple):
    """Totals of each deal over all pairs, with the fee taken off: `fold`, `call`, and the best `exchange`."""

    fold: int
    call: Ints
    exchange: Ints
    place: Ints
    """Of the card given up in the best exchange; of equally good ones the highest card."""

    @property
    def totals(self) -> Ints:
        """Of each of `ACTIONS`, for each deal."""
        return np.array([np.full_like(self.call, self.fold), self.exchange, self.call])

    @property
    def action(self) -> Ints:
        """The best of `ACTIONS` for each deal, by number."""
        actions: Ints = self.totals.argmax(axis=0)
        return actions

    @property
    def indifferent(self) -> NDArray[np.bool_]:
        """Whether another action is worth exactly as much as the best one."""
        totals = self.totals
        equal: NDArray[np.bool_] = (totals == totals.max(axis=0)).sum(axis=0) > 1
        return equal


def values_of(deals: Deals, counts: NDArray[np.uint32]) -> Values:
    """What the actions are worth; `counts` are those of the base game."""
    rules = oasis()
    category = category_numbers()[rank_hands(deals.deals[:, :5])]
    nets = np.array([rules.nets(name) for name in CATEGORIES_UP], np.int64)[category]
    call = STAY * (counts.T.astype(np.int64) * nets).sum(axis=1)
    place = deals.exchanges.argmax(axis=1)
    best = deals.exchanges[np.arange(len(place)), place]
    return Values(rules.net_fold * PAIRS, call, best - fee() * PAIRS, place)


class Event(NamedTuple):
    """An end of a round, and how often it comes. `net` is with the fee taken off; `bet` is the ante and the call."""

    outcome: str
    category: str
    exchanged: bool
    pairs: int
    net: int
    bet: int
    fee: int

    @property
    def name(self) -> str:
        """What a report calls it."""
        rules = oasis()
        name = "fold" if self.outcome == "fold" else rules.event(self.outcome, self.category)
        return f"{'wins with ' if self.outcome == 'win' else ''}{name}{', after an exchange' if self.exchanged else ''}"


def no_ends() -> Ints:
    """A table of no rounds by category and outcome."""
    return np.zeros((len(CATEGORIES_UP), len(OUTCOMES)), np.int64)


@dataclass(eq=False)
class Solution:
    """What came of some upcards: raw deals by action and category dealt, pairs by final category and outcome."""

    upcards: str
    deals: Ints = field(default_factory=lambda: np.zeros((len(ACTIONS), len(CATEGORIES_UP)), np.int64))
    indifferent: int = 0
    """Raw deals in which two of fold, call and the best exchange are both best."""
    net: int = 0
    """The sum of the best totals. It must come out of the outcomes as well."""
    stay: Ints = field(default_factory=no_ends)
    exchange: Ints = field(default_factory=no_ends)
    base_net: int = 0
    """The net result over all rounds of the game without an exchange."""
    called: Ints = field(default_factory=no_ends)
    """Rounds when every hand is called and none exchanged."""
    exchanged: Ints = field(default_factory=no_ends)
    """Pairs when each of the five cards is given up once in every deal, and every new hand is called."""

    def add(self, deals: Deals, weights: Ints, counts: NDArray[np.uint32]) -> None:
        """Take in some deals. No sum can pass 64 bits: 122,151,120 deals x 6,853,770 pairs x 201 antes are 1.7e17."""
        values = values_of(deals, counts)
        action, category = values.action, category_numbers()[rank_hands(deals.deals[:, :5])]
        fold, exchange, call = (weights * (action == number) for number in range(len(ACTIONS)))
        np.add.at(self.deals, (action, category), weights)
        self.indifferent += int(weights[values.indifferent].sum())
        self.net += int(fold.sum()) * values.fold + int(exchange @ values.exchange) + int(call @ values.call)
        self.base_net += int(weights @ np.maximum(values.call, values.fold)) // STAY
        np.add.at(self.stay[:, 0], category, fold * PAIRS)
        for outcome, count in enumerate(counts, start=1):
            np.add.at(self.stay[:, outcome], category, call * STAY * count)
            np.add.at(self.called[:, outcome], category, weights * count)
        given_up = np.zeros((len(weights), 5), np.int64)
        given_up[np.arange(len(weights)), values.place] = exchange
        self.exchange += deals.outcomes(given_up)
        self.exchanged += deals.outcomes(np.repeat(weights[:, None], 5, axis=1), may_fold=False)

    @property
    def raw_deals(self) -> int:
        """All deals."""
        return int(self.deals.sum())

    @property
    def pairs(self) -> int:
        """What the outcomes are counted over."""
        return self.raw_deals * PAIRS

    @property
    def events(self) -> list[Event]:
        """All that can come of a round."""
        rules, events = oasis(), []
        for paid, ends in ((0, self.stay), (fee(), self.exchange)):
            for outcome, column in zip(OUTCOMES, ends.T.tolist(), strict=True):
                bet = rules.stakes.ante + (rules.stakes.call if outcome != "fold" else 0)
                for category, pairs in zip(CATEGORIES_UP, column, strict=True):
                    net = rules.net_of(outcome, category) - paid
                    events.append(Event(outcome, category, paid > 0, pairs, net, bet, paid))
        return events

    @property
    def value(self) -> Fraction:
        """What a round is worth, in antes."""
        return Fraction(self.net, self.pairs)

    @property
    def average_bet(self) -> Fraction:
        """Ante and calls, in antes, without fees."""
        return Fraction(sum(event.pairs * event.bet for event in self.events), self.pairs)

    @property
    def average_fee(self) -> Fraction:
        """The fees, in antes."""
        return Fraction(sum(event.pairs * event.fee for event in self.events), self.pairs)

    @property
    def variance(self) -> Fraction:
        """Of the net result of a round, fees taken off, in antes squared."""
        return Fraction(sum(event.pairs * event.net**2 for event in self.events), self.pairs) - self.value**2

    @property
    def figures(self) -> dict[str, Fraction | Decimal]:
        """What follows, by the names of the published figures; and what the element of risk is without the fees."""
        return {
            "house_edge_percent": -100 * self.value / oasis().stakes.ante,
            "element_of_risk_percent": -100 * self.value / (self.average_bet + self.average_fee),
            "sd": decimal(self.variance).sqrt(),
            "element_of_risk_without_fees_percent": -100 * self.value / self.average_bet,
        }

    def failures(self) -> list[str]:
        """What does not fit together; nothing may."""
        rounds = self.pairs // STAY
        all_deals = comb(52, 5) * 47 * len(self.upcards) // len(RANKS)
        checks: dict[str, tuple[Any, Any]] = {
            "all deals": (self.raw_deals, all_deals),
            "the pairs of all events": (sum(event.pairs for event in self.events), self.pairs),
            "their net results": (sum(event.pairs * event.net for event in self.events), self.net),
            "all rounds that are called": (int(self.called.sum()), rounds),
            # A card given up at random leaves a hand that is drawn at random, and so ends as one that is dealt.
            "random exchanges, always called": (self.exchanged.tolist(), (self.called * 5 * STAY).tolist()),
        }
        if self.upcards == RANKS:
            base = published()["caribbean_us"]
            checks["the game without an exchange"] = (self.base_net, base["optimal_net"])
            checks["all rounds"] = (rounds, base["deals"])
        return [f"{name}: {ours} is not {theirs}" for name, (ours, theirs) in checks.items() if ours != theirs]


def decimal(number: Fraction | Decimal) -> Decimal:
    """The number to 28 digits."""
    return number if isinstance(number, Decimal) else Decimal(number.numerator) / number.denominator


def published() -> dict[str, Any]:
    """What published.json holds; decimals keep the digits they were published with."""
    document: dict[str, Any] = json.loads(PUBLISHED.read_text(encoding="utf-8"), parse_float=Decimal)
    return document


def solve(upcards: str = RANKS) -> Solution:
    """Solve the game, or the rounds with an upcard of one of these ranks."""
    solution = Solution("".join(rank for rank in RANKS if rank in upcards))
    swept = STUD.sweep(qualifying_strength(oasis().dealer.qualifies))
    deals, weights = STUD.canonical_deals(np.arange(STUD.deals))
    with progress_bar(None, total=len(solution.upcards), unit=" upcards") as bar:
        for up in map(RANKS.index, solution.upcards):
            of_up = np.flatnonzero(deals[:, 5] // 4 == up)
            solution.add(Deals(deals[of_up], Dealer(up, oasis())), weights[of_up].astype(np.int64), swept[:, of_up])
            bar.update()
    return solution


# --- output -------------------------------------------------------------------------------------------------------


class Verdict(NamedTuple):
    """A published figure beside ours."""

    figure: str
    published: Decimal
    ours: Decimal

    @property
    def holds(self) -> bool:
        """Whether ours is the published one at the places it was published with."""
        return self.ours.quantize(self.published) == self.published


def verdicts(solution: Solution) -> list[Verdict]:
    """The published figures beside ours."""
    of_oasis, ours = published()["oasis_one_ante_per_card"], solution.figures
    return [Verdict(name, it, decimal(ours[name])) for name, it in of_oasis.items() if isinstance(it, Decimal)]


def document_of(solution: Solution, failures: list[str], compared: list[Verdict]) -> dict[str, Any]:
    """All of it as plain data; what is exact is text, or whole numbers."""
    figures = {"value": solution.value, "average_bet": solution.average_bet, "average_fee": solution.average_fee}
    return {
        "upcards": solution.upcards,
        "deals": solution.raw_deals,
        "pairs": solution.pairs,
        "net": solution.net,
        "actions": {
            action: dict(zip(CATEGORIES_UP, row, strict=True))
            for action, row in zip(ACTIONS, solution.deals.tolist(), strict=True)
        },
        "indifferent": solution.indifferent,
        "events": [event._asdict() for event in solution.events if event.pairs],
        "figures": {
            name: str(figure)
            for name, figure in (*figures.items(), ("variance", solution.variance), *solution.figures.items())
        },
        "published": [
            {"figure": each.figure, "published": str(each.published), "ours": str(each.ours), "holds": each.holds}
            for each in compared
        ],
        "failures": failures,
    }


def lines_of(solution: Solution, compared: list[Verdict]) -> Iterator[str]:
    """All of it as text."""
    yield f"{oasis().title}; upcards {solution.upcards}"
    yield f"{solution.raw_deals:,} deals, each of {DRAWS} draws x {COMPLETIONS:,} hands of the dealer: {PAIRS:,} pairs"
    yield ""
    yield from action_lines(solution)
    yield ""
    yield from event_lines(solution)
    yield ""
    yield from figure_lines(solution)
    for each in compared:
        verdict = "holds" if each.holds else "DOES NOT HOLD"
        yield f"published {each.figure}: {each.published}, ours {each.ours:.6f}: {verdict}"


def action_lines(solution: Solution) -> Iterator[str]:
    """How many deals are folded, exchanged and called, by what was dealt."""
    yield f"{'best action':<11}  {'deals':>11}  {'share':>10}  {'without a pair':>14}  {'a pair':>10}  {'better':>10}"
    for action, (high, pair, *better) in zip(ACTIONS, solution.deals.tolist(), strict=True):
        deals = high + pair + sum(better)
        share = f"{deals / solution.raw_deals:.6%}"
        yield f"{action:<11}  {deals:>11,}  {share:>10}  {high:>14,}  {pair:>10,}  {sum(better):>10,}"
    yield f"in {solution.indifferent:,} deals two of the actions are worth exactly the same"


def event_lines(solution: Solution) -> Iterator[str]:
    """How rounds end, without an exchange and after one, best result first."""
    events: dict[tuple[str, int], int] = {}
    for event in sorted(solution.events, key=lambda event: (event.exchanged, -event.net)):
        events[event.name, event.net] = events.get((event.name, event.net), 0) + event.pairs
    yield f"{'event':<44}  {'net':>4}  {'pairs':>19}  {'share':>10}  {'to the value':>12}"
    for (name, net), count in events.items():
        share, part = count / solution.pairs, net * count / solution.pairs
        yield f"{name:<44}  {f'{net:+}' if net else '0':>4}  {count:>19,}  {share:>10.8f}  {part + 0.0:>+12.8f}"
    yield f"{'in all':<44}  {'':>4}  {sum(events.values()):>19,}  {1:>10.8f}  {float(solution.value):>+12.8f}"


def figure_lines(solution: Solution) -> Iterator[str]:
    """What follows."""
    figures = {name: float(figure) for name, figure in solution.figures.items()}
    bets = solution.average_bet + solution.average_fee
    yield f"value                {float(solution.value):+.9f} antes per round, exactly {solution.value}"
    yield f"house edge            {figures['house_edge_percent']:.7f}% of the ante"
    yield f"average bet           {float(bets):.9f} antes per round: ante, fee, and a call that is made"
    yield f"  fees left out       {float(solution.average_bet):.9f}"
    yield f"element of risk       {figures['element_of_risk_percent']:.7f}% of all that is bet, fees among it"
    yield f"  fees left out       {figures['element_of_risk_without_fees_percent']:.7f}%"
    yield f"variance              {float(solution.variance):.7f} antes squared, of a round's net result"
    yield f"standard deviation    {figures['sd']:.7f} antes"


def main(arguments: list[str] | None = None) -> int:
    """Solve and compare; 1 when a published figure does not hold, or a check fails."""
    parser = argparse.ArgumentParser(description="Solve Oasis Poker exactly.")
    parser.add_argument("--upcards", default=RANKS, help="the ranks of the upcard, such as 2A; all without it")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of the tables")
    options = parser.parse_args(arguments)
    if not options.upcards or set(options.upcards) - set(RANKS):
        parser.error(f"the upcards {options.upcards!r}: one or more of {RANKS} are needed")
    solution = solve(options.upcards)
    compared = verdicts(solution) if solution.upcards == RANKS else []
    failures = solution.failures()
    if options.json:
        print(json.dumps(document_of(solution, failures, compared), indent=2))
    else:
        print("\n".join([*lines_of(solution, compared), *(f"FAILED: {failure}" for failure in failures)]))
    return 0 if not failures and all(each.holds for each in compared) else 1


if __name__ == "__main__":
    sys.exit(main())
