"""Measure pycs: ratios to other libraries and to its own slow road, taken in the same run.

    python scripts/benchmark.py                    a table for people
    python scripts/benchmark.py --json             the same as one JSON document
    python scripts/benchmark.py --only sweep       one part of it; may be given again
    python scripts/benchmark.py --quick            smaller samples, fewer repeats

Ranking is compared with other libraries; then each game, Caribbean Stud and Casino Hold'em, goes through the same
measurements: its kernels, its table from nothing, its report, single decisions, the open table, and known cards. Then
come the exchanges of Caribbean Stud, pay tables by the thousand, sessions, strategies, simulated rounds, and verdicts.

Run it on Linux or macOS, in a checkout, with pycs and its extra `benchmark` installed, while nothing else runs. Every
figure is the median over the repeats; what is compared takes turns, so that noise hits all alike. A missed target is
shown and is no failure: the exit code is 0.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import platform
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from importlib.metadata import version
from math import comb
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from session_simulation import Dealer

import pycs
from pycs.action_values import action_values
from pycs.cards import format_card, format_cards
from pycs.core import random_start, rank_hands, stud_exchange, stud_exchange_sweep
from pycs.deal_frames import cards_as_text
from pycs.distributions import Distribution
from pycs.games import CARIBBEAN_STUD, Game, game_of
from pycs.named_strategies import STRATEGIES
from pycs.pay_lines import lines_of, pays_of
from pycs.played_games import played_game
from pycs.ranking import qualifying_strength
from pycs.ruin import ruin
from pycs.sessions import session_of
from pycs.strategy_costs import cost_of
from pycs.strategy_search import find_in
from pycs.stud_rules import CaribbeanStudRules

PEERS = ("eval7", "phevaluator", "treys")
MEGABYTE, GIBIBYTE = 1e6, 2**30

# The peak memory of a process counts that of the one which started it, up to then: so a small one starts it.
METER = """
import json, resource, subprocess, sys, time
start = time.perf_counter()
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
seconds = time.perf_counter() - start
print(json.dumps([seconds, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss]))
"""


@dataclass(frozen=True)
class Size:
    """How much is measured. `walked` is in completions, so that no game takes much longer than another."""

    repeat: int
    hands: int
    peer_hands: int
    walked: int
    single: int
    batch: int


FULL = Size(repeat=5, hands=1_000_000, peer_hands=20_000, walked=330_000_000, single=2_000, batch=1_000_000)
QUICK = Size(repeat=3, hands=500_000, peer_hands=5_000, walked=80_000_000, single=500, batch=300_000)


@dataclass(frozen=True)
class Played:
    """A game that is measured, by a profile of it, with the targets that are its own; None where there is none."""

    profile: str
    sweep_seconds: float | None
    sweep_ratio: float | None
    solve_seconds: float
    table_megabytes: float | None

    @property
    def game(self) -> Game:
        """The game of the profile."""
        return game_of(pycs.load_rules(self.profile))

    @property
    def qualify(self) -> int:
        """The lowest strength with which the dealer qualifies."""
        return qualifying_strength(pycs.load_rules(self.profile).dealer.qualifies)

    def random_deals(self, rows: int) -> NDArray[np.uint8]:
        """Canonical deals, each as likely as any other, in no order."""
        indices = np.random.default_rng(rows).integers(0, self.game.deals, rows)
        return self.game.kernel.canonical_deals(indices)[0]


GAMES = (
    Played("us", sweep_seconds=None, sweep_ratio=500, solve_seconds=6, table_megabytes=100),
    Played("casino-holdem", sweep_seconds=2, sweep_ratio=None, solve_seconds=8, table_megabytes=None),
)


@dataclass(frozen=True)
class Row:
    """One measured figure. `target` is what it must reach: at least for a rate or a ratio, at most otherwise.

    `game` is empty where the figure is of no game.
    """

    part: str
    game: str
    what: str
    value: float
    unit: str
    beside: str = ""
    target: float | None = None
    at_least: bool = False

    @property
    def verdict(self) -> str:
        """Whether the target is met, and by how much it is missed."""
        if self.target is None:
            return ""
        if self.value >= self.target if self.at_least else self.value <= self.target:
            return "met"
        return f"missed by {abs(self.value / self.target - 1):.0%}"

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {**vars(self), "verdict": self.verdict}


def medians(repeat: int, jobs: Mapping[str, Callable[[], object]]) -> dict[str, float]:
    """The median time of each job in seconds; they take turns."""
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(repeat):
        for name, job in jobs.items():
            start = time.perf_counter()
            job()
            times[name].append(time.perf_counter() - start)
    return {name: median(taken) for name, taken in times.items()}


# --- ranking ------------------------------------------------------------------------------------------------------


def random_hands(cards: int, hands: int) -> NDArray[np.uint8]:
    """Hands of different cards, each as likely as any other."""
    random = np.random.default_rng(cards)
    drawn = random.integers(0, 52, (3 * hands, cards), dtype=np.uint8)
    ordered = np.sort(drawn, axis=1)
    different: NDArray[np.bool_] = (ordered[:, 1:] != ordered[:, :-1]).all(axis=1)
    return drawn[different][:hands]


def peer_jobs(hands: NDArray[np.uint8]) -> dict[str, Callable[[], list[int]]]:
    """How each peer ranks the hands, one by one, from cards that are its own objects already."""
    import eval7
    import phevaluator
    import treys

    eval7_cards = [eval7.Card(format_card(card)) for card in range(52)]
    eval7_hands = [[eval7_cards[card] for card in hand] for hand in hands]
    phevaluator_hands = hands.tolist()  # it numbers cards as pycs does
    treys_cards = [treys.Card.new(format_card(card)) for card in range(52)]
    treys_hands = [[treys_cards[card] for card in hand] for hand in hands]
    eval7_rank, phevaluator_rank, treys_rank = eval7.evaluate, phevaluator.evaluate_cards, treys.Evaluator().evaluate
    return {
        "eval7": lambda: [eval7_rank(hand) for hand in eval7_hands],
        "phevaluator": lambda: [phevaluator_rank(*hand) for hand in phevaluator_hands],
        "treys": lambda: [treys_rank([], hand) for hand in treys_hands],
    }


def same_order(ours: NDArray[np.uint16], theirs: list[int], *, higher_is_better: bool) -> bool:
    """Whether both put the hands in the same order, with the same ties."""
    signed = np.array(theirs) if higher_is_better else -np.array(theirs)
    our_places, their_places = (np.unique(ranks, return_inverse=True)[1] for ranks in (ours, signed))
    return np.array_equal(our_places, their_places)


def ranking(part: str, cards: int, targets: tuple[float | None, float | None], size: Size) -> Iterator[Row]:
    """Ranking an array of hands, against each peer hand by hand."""
    hands = random_hands(cards, size.hands)
    sample = hands[: size.peer_hands]
    jobs = peer_jobs(sample)
    for peer, job in jobs.items():
        if not same_order(rank_hands(sample), job(), higher_is_better=peer == "eval7"):
            raise SystemExit(f"{peer} puts hands of {cards} cards in another order: nothing to compare")
    taken = medians(size.repeat, {"pycs": lambda: rank_hands(hands), **jobs})
    ours = taken["pycs"] / len(hands) * 1e9
    what = f"{cards}-card ranking of an array"
    yield Row(part, "", what, ours, "ns a hand", f"{len(hands):,} random hands", targets[0])
    for peer in jobs:
        theirs = taken[peer] / len(sample) * 1e9
        target = targets[1] if peer == "eval7" else None
        beside = f"{ours:.2f} against {theirs:,.0f} ns a hand"
        yield Row(part, "", what, theirs / ours, f"x {peer}", beside, target, at_least=True)


def five(size: Size) -> Iterator[Row]:
    """Five-card hands."""
    return ranking("five", 5, (3, 100), size)


def seven(size: Size) -> Iterator[Row]:
    """Seven-card hands."""
    return ranking("seven", 7, (None, None), size)


# --- counting -----------------------------------------------------------------------------------------------------


def sweep(played: Played, size: Size) -> Iterator[Row]:
    """The exhaustive kernel on one core, and all deals by the sweep against it."""
    game, kernel, qualify = played.game, played.game.kernel, played.qualify
    deals = played.random_deals(size.walked // game.completions)
    taken = medians(size.repeat, {"walk": lambda: kernel.walk(deals, qualify), "sweep": lambda: kernel.sweep(qualify)})
    rate = len(deals) * game.completions / taken["walk"]
    exhaustive = taken["walk"] / len(deals) * game.deals
    sampled = f"{len(deals):,} random deals"
    yield Row("sweep", game.name, "exhaustive kernel", rate / 1e6, "million/s/core", sampled, 700, at_least=True)
    what = f"sweep of all {game.deals:,} deals"
    yield Row("sweep", game.name, what, taken["sweep"], "s", "", played.sweep_seconds)
    beside = f"{taken['sweep']:.2f} s against {exhaustive:,.0f} s, extrapolated from {sampled}"
    ratio = exhaustive / taken["sweep"]
    yield Row("sweep", game.name, what, ratio, "x exhaustive", beside, played.sweep_ratio, at_least=True)


# --- the command --------------------------------------------------------------------------------------------------


def process(*arguments: str) -> tuple[float, int]:
    """Run the command once: seconds, and peak memory in bytes."""
    command = [sys.executable, "-c", METER, sys.executable, "-m", "pycs", *arguments]
    seconds, peak = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return seconds, peak if sys.platform == "darwin" else peak * 1024


def solve(played: Played, size: Size) -> Iterator[Row]:
    """`pycs solve` as a whole process that finds no table."""
    profile, game = played.profile, played.game.name
    runs = []
    for _ in range(size.repeat):
        with TemporaryDirectory() as folder:
            table = Path(folder, "table")
            runs.append((*process("solve", profile, "-o", str(table)), sum(f.stat().st_size for f in table.iterdir())))
    seconds, peak, disk = (median(values) for values in zip(*runs, strict=True))
    what = f"pycs solve {profile}"
    yield Row("solve", game, what, seconds, "s", "a whole process, no table there", played.solve_seconds)
    yield Row("solve", game, what, peak / GIBIBYTE, "GiB at most", "peak memory of that process", 1)
    yield Row("solve", game, what, disk / MEGABYTE, "MB on disk", "the finished table", played.table_megabytes)


def report(played: Played, size: Size) -> Iterator[Row]:
    """`pycs report` as a whole process, which counts the game anew."""
    seconds = median(process("report", played.profile)[0] for _ in range(size.repeat))
    yield Row("report", played.game.name, f"pycs report {played.profile}", seconds, "s", "a whole process")


def help_(size: Size) -> Iterator[Row]:
    """`pycs --help` as a whole process."""
    seconds = median(process("--help")[0] for _ in range(size.repeat))
    yield Row("help", "", "pycs --help", seconds, "s", "a whole process", 0.25)


# --- answers ------------------------------------------------------------------------------------------------------


def answers(played: Played, size: Size) -> Iterator[Row]:
    """Single decisions, and the table asked for one deal and for many."""
    profile, game = played.profile, played.game
    held = game.kernel.hand
    deals = [(format_cards(deal[:held]), format_cards(deal[held:])) for deal in played.random_deals(size.single)]
    many = played.random_deals(size.batch)
    frame = pl.DataFrame({"hand": cards_as_text(many[:, :held]), game.seen: cards_as_text(many[:, held:])})
    with TemporaryDirectory() as folder:
        table = pycs.solve(profile, Path(folder, "table"), progress=False)
        table.probe(*deals[0])  # the first one reads the table into memory
        walked = deals[: len(deals) // 10]
        taken = medians(
            size.repeat,
            {
                "exhaustive": lambda: [pycs.decide(profile, *deal, exhaustive=True) for deal in walked],
                "decide": lambda: [pycs.decide(profile, *deal) for deal in deals],
                "probe": lambda: [table.probe(*deal) for deal in deals],
                "probe_many": lambda: table.probe_many(frame),
            },
        )
    exhaustive = taken["exhaustive"] / len(walked) * 1e6
    decide, probe = (taken[name] / len(deals) * 1e6 for name in ("decide", "probe"))
    each = taken["probe_many"] / len(frame) * 1e6
    texts = f"{len(deals):,} random deals as text"
    yield Row("answers", game.name, "decide", decide, "µs", texts, 1000)
    beside = f"{decide:.1f} against {exhaustive:,.0f} µs"
    yield Row("answers", game.name, "decide", exhaustive / decide, "x exhaustive=True", beside, at_least=True)
    yield Row("answers", game.name, "probe of an open table", probe, "µs", texts, 20)
    rows = f"{len(frame):,} random deals as text"
    yield Row("answers", game.name, "probe_many", 1 / each, "million deals/s", rows, 3, at_least=True)
    beside = f"{each:.3f} against {probe:.1f} µs a deal"
    yield Row("answers", game.name, "probe_many", probe / each, "x probe", beside, at_least=True)


def known(played: Played, size: Size) -> Iterator[Row]:
    """Single decisions with ten cards known to be out of play, against the walk."""
    game, random = played.game, np.random.default_rng(size.single)
    held, seen, states = game.kernel.hand, game.kernel.hand + game.kernel.seen, []
    for _ in range(size.single):
        cards = random.permutation(52)[: seen + 10].tolist()
        states.append(((cards[:held], cards[held:seen]), cards[seen:]))
    walked = states[: len(states) // 10]
    taken = medians(
        size.repeat,
        {
            "decide": lambda: [pycs.decide(played.profile, *deal, known=dead) for deal, dead in states],
            "walk": lambda: [pycs.decide(played.profile, *deal, known=dead, exhaustive=True) for deal, dead in walked],
        },
    )
    decide, walk = taken["decide"] / len(states) * 1e6, taken["walk"] / len(walked) * 1e6
    what = "decide with 10 cards known"
    yield Row("known", game.name, what, decide, "µs", f"{len(states):,} random states", 1000)
    beside = f"{decide:.1f} against {walk:,.0f} µs"
    yield Row("known", game.name, what, walk / decide, "x exhaustive=True", beside, at_least=True)


def exchange(size: Size) -> Iterator[Row]:
    """The last exchange of a full state, against every draw and completion of few cards; and exchanges in `decide`."""
    rules = pycs.load_rules("three-box")
    assert isinstance(rules, CaribbeanStudRules)
    qualify, nets, game = qualifying_strength(rules.dealer.qualifies), rules.exchange_nets, CARIBBEAN_STUD.name
    random = np.random.default_rng(1)
    states = [random.permutation(52)[:6].tolist() for _ in range(max(1, size.single // 40))]
    few = random.permutation(52).tolist()  # 15 live cards: 3,003 draws, 210 completions each
    taken = medians(
        size.repeat,
        {
            "full": lambda: [stud_exchange([], cards[5:], cards[:5], qualify, nets) for cards in states],
            "plain": lambda: stud_exchange([], few[:1], few[16:], qualify, nets, plain=True),
            "three-box": lambda: [pycs.decide(rules, *_hand(cards)) for cards in states],
            "oasis": lambda: [pycs.decide("oasis", *_hand(cards)) for cards in states[:10]],
            "two": lambda: [pycs.decide("triple-exchange", *_hand(cards), exchanges=2) for cards in states[:2]],
        },
    )
    full = taken["full"] / len(states)
    pairs = comb(46, 5) * comb(41, 4)
    plain = taken["plain"] / (comb(15, 5) * comb(10, 4)) * pairs
    told, what = f"{len(states)} random states", "last exchange, all draws"
    yield Row("exchange", game, what, full * 1e3, "ms", told, 20)
    beside = f"{full * 1e3:.2f} ms against {plain:,.0f} s, extrapolated from 15 live cards"
    yield Row("exchange", game, what, plain / full, "x card by card", beside, at_least=True)
    each = taken["three-box"] / len(states) * 1e3
    yield Row("exchange", game, "decide three-box", each, "ms", f"{told}, the exchange among the actions")
    each = taken["oasis"] / len(states[:10]) * 1e3
    yield Row("exchange", game, "decide oasis", each, "ms", f"{len(states[:10])} of them, all 31 choices of cards")
    two = taken["two"] / len(states[:2])
    yield Row("exchange", game, "decide with two exchanges left", two, "s", f"{len(states[:2])} of them, exact", 1)
    start = time.perf_counter()
    error = pycs.decide("triple-exchange", *_hand(states[0])).estimates["exchange"].standard_error
    third = time.perf_counter() - start
    beside = f"one of them, once: a standard error of {error:.5f} antes"
    yield Row("exchange", game, "decide with three exchanges left", third, "s", beside, 10)


def _hand(cards: list[int]) -> tuple[list[int], int]:
    return cards[:5], cards[5]


def paytables(played: Played, size: Size) -> Iterator[Row]:
    """Many pay tables from one count of the game, against a report for each."""
    rules, game = pycs.load_rules(played.profile), played.game.name
    lines, random = lines_of(rules), np.random.default_rng(1)
    own = pays_of(rules)
    many = pl.DataFrame({line: random.integers(max(0, own[line] - 2), own[line] + 3, 1000) for line in lines})
    taken = medians(
        size.repeat,
        {"many": lambda: pycs.pay_tables(rules, many), "one": lambda: pycs.report(rules)},
    )
    what = "a thousand pay tables"
    yield Row("paytables", game, what, taken["many"], "s", "each pay up to 2 off the profile's")
    beside = f"{taken['many']:.1f} s against {taken['one']:.2f} s a report"
    yield Row("paytables", game, what, 1000 * taken["one"] / taken["many"], "x a report each", beside, at_least=True)


def sessions(size: Size) -> Iterator[Row]:
    """Sessions of one round's distribution, against a convolution round by round; and the chance of ruin."""
    counted, game = pycs.rounds("us"), CARIBBEAN_STUD.name
    net, short = counted.net, counted.when_short
    taken = medians(
        size.repeat,
        {
            "20": lambda: session_of(net, 20),
            "plain": lambda: _round_by_round(net, 20),
            "million": lambda: session_of(net, 1_000_000),
            "ruin": lambda: ruin(net, short, 20, 20, stake=1, call=2),
        },
    )
    what, beside = "a session of 20 rounds", "exact, without counting the game"
    yield Row("sessions", game, what, taken["20"] * 1e3, "ms", beside)
    beside = f"{taken['20'] * 1e3:.2f} against {taken['plain'] * 1e3:.0f} ms"
    yield Row("sessions", game, what, taken["plain"] / taken["20"], "x round by round", beside, at_least=True)
    error = session_of(net, 1_000_000).error
    what = "a session of a million rounds"
    yield Row("sessions", game, what, taken["million"] * 1e3, "ms", f"chances within {error:.1e}")
    yield Row("sessions", game, "ruin of 20 antes in 20 rounds", taken["ruin"] * 1e3, "ms", "exact")
    start = time.perf_counter()
    found = ruin(net, short, 1_000_000, 60_000, stake=1, call=2)
    beside = f"once: the chance within {found.error:.1e}"
    yield Row("sessions", game, "ruin of 60,000 antes in a million", time.perf_counter() - start, "s", beside)


def _round_by_round(one: Distribution, rounds: int) -> Counter[Fraction]:
    """The obvious road: a dictionary of results, one round added after the other."""
    sums: Counter[Fraction] = Counter({Fraction(0): 1})
    for _ in range(rounds):
        after: Counter[Fraction] = Counter()
        for result, ways in sums.items():
            for value, weight in zip(one.values, one.weights, strict=True):
                after[result + value] += ways * weight
        sums = after
    return sums


def strategies(size: Size) -> Iterator[Row]:
    """A strategy priced; the exchange of every deal against exchanges one by one; short rules found, each once."""
    rules, game = pycs.load_rules("three-box"), CARIBBEAN_STUD
    assert isinstance(rules, CaribbeanStudRules)
    values, given = action_values("us"), STRATEGIES[game.name]["three-rules"]
    qualify, nets, random = qualifying_strength(rules.dealer.qualifies), rules.exchange_nets, np.random.default_rng(1)
    states = [random.permutation(52)[:6].tolist() for _ in range(max(1, size.single // 40))]
    taken = medians(
        size.repeat,
        {
            "price": lambda: cost_of(values, given),
            "single": lambda: [stud_exchange([], cards[5:], cards[:5], qualify, nets) for cards in states],
        },
    )
    beside = f"{game.deals:,} deals, and its mistakes in classes; counted before"
    yield Row("strategies", game.name, "a strategy priced", taken["price"], "s", beside)
    start = time.perf_counter()
    stud_exchange_sweep(qualify, nets)
    swept = time.perf_counter() - start
    one_by_one, what = taken["single"] / len(states) * game.deals, "the exchange of every deal"
    yield Row("strategies", game.name, what, swept, "s", "once, on all cores", 40)
    beside = f"{swept:.1f} s against {one_by_one:,.0f} s, extrapolated from {len(states)} random deals"
    yield Row("strategies", game.name, what, one_by_one / swept, "x one by one", beside, at_least=True)
    start = time.perf_counter()
    found = find_in(values, 2)
    proven = "proven to be best" if all(each.proven for each in found) else "not proven to be best"
    yield Row("strategies", game.name, "the best two rules", time.perf_counter() - start, "s", f"once; {proven}")


def simulate(played: Played, size: Size) -> Iterator[Row]:
    """Rounds dealt, decided and settled on one core; against whole arrays in NumPy; and with a log, on all cores."""
    game, rounds = played_game(played.profile), 4 * size.batch
    name, stream = played.game.name, random_start(1)
    jobs: dict[str, Callable[[], object]] = {"kernel": lambda: game.dealer.rounds(stream, rounds)}
    if played.game is CARIBBEAN_STUD:
        plain = Dealer(pycs.load_rules(played.profile), {}, 1)
        jobs["numpy"] = lambda: plain.rounds(size.batch)
    with TemporaryDirectory() as folder:
        for suffix in (".csv", ".parquet"):
            log = Path(folder, f"rounds{suffix}")
            jobs[suffix] = partial(pycs.simulate, played.profile, size.batch, out=log)
        taken = medians(size.repeat, jobs)
    rate, what = rounds / taken["kernel"] / 1e6, "simulated rounds"
    target = 20 if played.game is CARIBBEAN_STUD else None
    yield Row(
        "simulate", name, what, rate, "million/s/core", f"{rounds:,}, counted without a log", target, at_least=True
    )
    if "numpy" in taken:
        arrays = size.batch / taken["numpy"] / 1e6
        beside = f"{rate:.1f} against {arrays:.2f} million/s"
        yield Row("simulate", name, what, rate / arrays, "x arrays of NumPy", beside, at_least=True)
    for suffix in (".csv", ".parquet"):
        beside = f"{size.batch:,} on all cores, written to {suffix}"
        yield Row("simulate", name, what, size.batch / taken[suffix] / 1e6, "million/s", beside, at_least=True)


def verify(played: Played, size: Size) -> Iterator[Row]:
    """`pycs verify` as a whole process on a log of ten batches, against settling and deciding round by round."""
    profile, name, rounds = played.profile, played.game.name, 10 * size.batch
    what = f"pycs verify {profile}"
    with TemporaryDirectory() as folder:
        log = Path(folder, "log.csv")
        pycs.simulate(profile, rounds, out=log)
        seconds, peak = process("verify", profile, str(log))
        some = pl.read_csv(log, n_rows=size.single // 4).to_dicts()
    started = time.perf_counter()
    for row in some:
        board, seen = row.get("board"), row.get("upcard") or row["board"][:6]
        done = pycs.settle(profile, row["player"], row["dealer"], row["action"], board=board)
        if done.net != row["net"]:
            raise SystemExit(f"round {row['round']} is settled otherwise")
        pycs.decide(profile, row["player"], seen)
    each = (time.perf_counter() - started) / len(some)
    beside = f"once, {rounds:,} rounds of CSV on all cores, a whole process"
    target = 60 * rounds / 10_000_000 if rounds >= 10_000_000 else None
    yield Row("verify", name, what, seconds, "s", beside, target)
    yield Row("verify", name, what, peak / GIBIBYTE, "GiB at most", "peak memory of that process", 2)
    beside = f"{seconds / rounds * 1e6:.2f} against {each * 1e6:.0f} \u00b5s a round, extrapolated from {len(some)}"
    yield Row("verify", name, what, each * rounds / seconds, "x round by round", beside, at_least=True)


def of_each_game(measure: Callable[[Played, Size], Iterator[Row]]) -> Callable[[Size], Iterator[Row]]:
    """One game after the other."""
    return lambda size: (row for played in GAMES for row in measure(played, size))


PARTS: dict[str, Callable[[Size], Iterator[Row]]] = {
    "five": five,
    "seven": seven,
    "sweep": of_each_game(sweep),
    "solve": of_each_game(solve),
    "report": of_each_game(report),
    "help": help_,
    "answers": of_each_game(answers),
    "known": of_each_game(known),
    "exchange": exchange,
    "paytables": of_each_game(paytables),
    "sessions": sessions,
    "strategies": strategies,
    "simulate": of_each_game(simulate),
    "verify": of_each_game(verify),
}


# --- output -------------------------------------------------------------------------------------------------------


def machine() -> dict[str, str]:
    """What was measured on: no names or paths of it."""
    core = importlib.util.find_spec("pycs._core")
    binary = Path(core.origin).read_bytes() if core is not None and core.origin else b""
    # Where compilers leave their names in what they make: ELF and Mach-O files hold them, others may not.
    compiler = re.search(rb"GCC: \([^)]*\) [\d.]+|clang version [\d.]+", binary)
    return {
        "cpu": f"{cpu_name()}, {os.cpu_count()} cores",
        "load": f"{os.getloadavg()[0]:.1f} processes at the start",
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "compiler": compiler[0].decode() if compiler else "unknown",
        "packages": ", ".join(f"{name} {version(name)}" for name in ("pycs-poker", "numpy", "polars", *PEERS)),
    }


def cpu_name() -> str:
    """The processor's own name, where the system tells."""
    try:
        found = re.search(r"model name\s*: (.+)", Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    except OSError:
        found = None
    return found[1].strip() if found else platform.processor() or platform.machine()


def number(value: float) -> str:
    """Three or more digits."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def table(rows: list[Row]) -> str:
    """An aligned table."""
    lines = [("what", "game", "measured", "unit", "target", "", "beside")]
    for row in rows:
        bound = "" if row.target is None else f"{'>=' if row.at_least else '<='} {number(row.target)}"
        lines.append((row.what, row.game, number(row.value), row.unit, bound, row.verdict, row.beside))
    what, game, value, unit, target, verdict, _ = (max(map(len, column)) for column in zip(*lines, strict=True))
    return "\n".join(
        f"{a:{what}}  {b:{game}}  {c:>{value}} {d:{unit}}  {e:>{target}}  {f:{verdict}}  {g}".rstrip()
        for a, b, c, d, e, f, g in lines
    )


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure pycs against other libraries and its own slow road.")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of the table")
    parser.add_argument("--quick", action="store_true", help="smaller samples, fewer repeats")
    parser.add_argument("--only", action="append", choices=PARTS, metavar="NAME", help=f"of {', '.join(PARTS)}")
    parser.add_argument("--repeat", type=int, metavar="N", help="how often each is measured")
    options = parser.parse_args()
    if options.repeat is not None and options.repeat < 1:
        parser.error("--repeat: at least 1 is needed")
    if not all(importlib.util.find_spec(peer) for peer in PEERS):
        print("the libraries to compare with are missing: pip install -e '.[benchmark]'", file=sys.stderr)
        return 2
    size = QUICK if options.quick else FULL
    if options.repeat is not None:
        size = Size(**{**vars(size), "repeat": options.repeat})
    about = machine()
    rows = [row for name in options.only or PARTS for row in PARTS[name](size)]
    if options.json:
        document = {"machine": about, "size": vars(size), "rows": [row.to_dict() for row in rows]}
        print(json.dumps(document, indent=2, ensure_ascii=False))
    else:
        print("\n".join(f"{key:9} {text}" for key, text in about.items()))
        print(f"medians of {size.repeat} runs\n")
        print(table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
