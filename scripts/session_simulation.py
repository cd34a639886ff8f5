"""Hold the exact figures of a session against sessions that are dealt card by card: exits 1 when they differ.

    python scripts/session_simulation.py                        10,000,000 sessions of 20 rounds of betmgm: some minutes
    python scripts/session_simulation.py --sessions 100000      fewer
    python scripts/session_simulation.py --profile live --bet five-plus-one=1
    python scripts/session_simulation.py --json                 one JSON document

Every round is dealt from a shuffled deck, decided by the table of best actions, and settled by comparing both hands;
side bets are settled by their cards. From the exact distribution nothing is taken but what it is compared with: the
chances that the player, nobody or the bank wins, the mean, the standard deviation, some quantiles, and the chance of
ruin from a bankroll. A figure differs when it lies more than 4.5 of its own standard errors away, which one that is
right does in one of 150,000 cases.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

import pycs
from pycs.core import STUD, rank_hands
from pycs.joint_rounds import valued_game
from pycs.progress import progress_bar
from pycs.ranking import categories, qualifying_strength
from pycs.sections import CATEGORIES
from pycs.side_bets import NOTHING, side_bets

MOST_ERRORS = 4.5
AT_A_TIME = 500_000  # rounds
BANKROLL = 15

Units = NDArray[np.int64]


@dataclass(frozen=True)
class Figure:
    """A figure of the sample beside the exact one, both as floats, and the sample's standard error."""

    figure: str
    sampled: float
    exact: float
    standard_error: float

    @property
    def errors(self) -> float:
        """How many standard errors the sample lies off."""
        return (self.sampled - self.exact) / self.standard_error if self.standard_error else 0.0


class Dealer:
    """Deals rounds of Caribbean Stud and settles them, by tables that hang on the rules alone.

    All amounts are whole numbers of `unit`, a part of an ante that divides every result.
    """

    def __init__(self, rules: pycs.Rules, stakes: dict[str, Fraction], seed: int) -> None:
        """Counts the game for its best actions."""
        self.random = np.random.default_rng(seed)
        self.calls = (valued_game(rules, ())["action"] == "call").to_numpy()
        self.qualify = qualifying_strength(rules.dealer.qualifies)
        up = tuple(reversed(CATEGORIES))
        beside = {
            bet.name: [stakes[bet.name] * bet.nets.get(category, bet.nets[NOTHING]) for category in up]
            for bet in side_bets(rules)
            if stakes[bet.name]
        }
        amounts = [*stakes.values(), *(amount for by_category in beside.values() for amount in by_category)]
        self.unit = Fraction(1, lcm(*(amount.denominator for amount in amounts)))
        self.beside = {name: self.units(by_category) for name, by_category in beside.items()}
        self.wins = self.units(Fraction(rules.nets(category)[1]) for category in up)
        self.ante, self.call = self.units([Fraction(rules.stakes.ante), Fraction(rules.stakes.call)]).tolist()
        self.stake = self.ante + int(sum(stakes.values()) / self.unit)

    def units(self, amounts: Iterable[Fraction]) -> Units:
        """Amounts of antes in units."""
        return np.array([int(amount / self.unit) for amount in amounts], np.int64)

    def rounds(self, number: int) -> tuple[Units, Units]:
        """The net results of so many rounds, and what each would be if the call could not be paid."""
        cards = np.tile(np.arange(52, dtype=np.uint8), (number, 1))
        rows = np.arange(number)
        for place in range(10):  # Fisher and Yates: each card of those left is as likely to come next
            drawn = self.random.integers(place, 52, number)
            cards[rows, place], cards[rows, drawn] = cards[rows, drawn], cards[rows, place].copy()
        mine, his = rank_hands(cards[:, :5]), rank_hands(cards[:, 5:10])
        beside = np.zeros(number, np.int64)
        for name, nets in self.beside.items():
            beside += nets[categories(rank_hands(cards[:, :6]) if name == "five-plus-one" else mine)]
        lost = -self.ante - self.call
        won = np.where(mine > his, self.wins[categories(mine)], np.where(mine == his, 0, lost))
        called = np.where(his < self.qualify, self.ante, won)
        calls = self.calls[STUD.indices(cards[:, :6])]
        return np.where(calls, called, -self.ante) + beside, beside - self.ante


def simulate(report: pycs.SessionReport, number: int, seed: int) -> list[Figure]:
    """So many sessions, dealt and settled, beside the exact figures of the report, which has a ruin."""
    dealer, length = Dealer(report.rounds.rules, dict(report.rounds.stakes), seed), report.result.rounds
    totals, ruined = np.empty(number, np.int64), np.empty(number, bool)
    at_a_time = max(1, AT_A_TIME // length)
    with progress_bar(None, total=number, unit=" sessions", desc="dealing") as bar:
        for first in range(0, number, at_a_time):
            these = slice(first, min(number, first + at_a_time))
            sessions = len(totals[these])
            results, short = (each.reshape(sessions, length) for each in dealer.rounds(sessions * length))
            totals[these] = results.sum(axis=1)
            ruined[these] = _ruined(results, short, dealer)
            bar.update(sessions)
    return _figures(report, totals, ruined, dealer.unit)


def _ruined(results: Units, short: Units, dealer: Dealer) -> NDArray[np.bool_]:
    """Which sessions run out of money, from `BANKROLL` antes: a call that can't be paid is a fold."""
    balance = np.full(len(results), int(BANKROLL / dealer.unit))
    ruined: NDArray[np.bool_] = balance < dealer.stake
    for place in range(results.shape[1]):
        result = np.where(balance >= dealer.stake + dealer.call, results[:, place], short[:, place])
        balance = np.where(ruined, balance, balance + result)
        ruined |= balance < dealer.stake
    return ruined


def _figures(report: pycs.SessionReport, totals: Units, ruined: NDArray[np.bool_], unit: Fraction) -> list[Figure]:
    result, number = report.result, len(totals)
    draw = int(report.draw / unit)

    def share(what: str, sampled: NDArray[np.bool_], exact: Fraction | float) -> Figure:
        return Figure(what, float(sampled.mean()), float(exact), sqrt(float(exact) * (1 - float(exact)) / number))

    fourth = (result.excess_kurtosis + 3) * result.sd**4
    assert report.ruin is not None
    found = [
        share("the player wins", totals > draw, result.above(report.draw)),
        share("nobody wins", totals == draw, result.at(report.draw)),
        share("the bank wins", totals < draw, result.below(report.draw)),
        Figure("mean", float(totals.mean() * unit), float(result.mean), result.sd / sqrt(number)),
        # The variance's own standard error, carried over to its root.
        Figure("sd", float(totals.std() * unit), result.sd, sqrt((fourth - result.sd**4) / number) / (2 * result.sd)),
        share(f"ruined from {BANKROLL} antes", ruined, report.ruin.chance),
    ]
    for percent in (1, 5, 25, 50, 75, 95, 99):
        bound, _ = result.quantile(Fraction(percent, 100))
        found.append(share(f"at most {bound}", totals <= int(bound / unit), 1 - result.above(bound)))
    return found


def main(arguments: list[str] | None = None) -> int:
    """Print the figures; 0 when none differs, 1 when one does."""
    parser = argparse.ArgumentParser(description="Hold sessions dealt card by card against the exact figures.")
    parser.add_argument("--profile", default="betmgm", help="a profile of Caribbean Stud (default: betmgm)")
    parser.add_argument("--sessions", type=int, default=10_000_000, help="how many (default: 10000000)")
    parser.add_argument("--rounds", type=int, default=None, help="of a session (default: the profile's, else 20)")
    parser.add_argument("--bet", action="append", default=[], metavar="NAME=X", help="a side bet, in antes")
    parser.add_argument("--seed", type=int, default=1, help="the seed (default: 1)")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of the table")
    options = parser.parse_args(arguments)
    if options.sessions < 2:
        parser.error("--sessions: a whole number from 2 is allowed")
    try:
        bets = dict(bet.split("=", 1) for bet in options.bet)
        report = pycs.session(options.profile, options.rounds, bets=bets, bankroll=BANKROLL)
    except (ValueError, pycs.PycsError) as error:
        parser.error(str(error))
    if report.rounds.rules.game != "caribbean-stud":
        parser.error("a profile of Caribbean Stud is needed")
    found = simulate(report, options.sessions, options.seed)
    differ = [figure for figure in found if abs(figure.errors) > MOST_ERRORS]
    if options.json:
        rows: list[dict[str, Any]] = [{**vars(figure), "errors": figure.errors} for figure in found]
        document = {"agrees": not differ, "sessions": options.sessions, "seed": options.seed, "figures": rows}
        print(json.dumps(document, indent=2))
    else:
        print(
            f"{options.sessions:,} sessions of {report.result.rounds} rounds of {options.profile}, seed {options.seed}"
        )
        print(f"{'figure':24}{'sampled':>14}{'exact':>14}{'standard error':>18}{'errors off':>12}")
        for each in found:
            values = f"{each.sampled:>14.7f}{each.exact:>14.7f}{each.standard_error:>18.7f}{each.errors:>+12.2f}"
            print(f"{each.figure:24}{values}")
        print("no figure differs" if not differ else f"{len(differ)} figures differ")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
