"""How often each wrong rule that `pycs verify` knows changes a round, and in logs of what size it shows.

    python scripts/wrong_rules.py                       20,000,000 rounds of each game and play: some minutes
    python scripts/wrong_rules.py --rounds 1000000      fewer
    python scripts/wrong_rules.py --json                one JSON document

Rounds are simulated and settled both rightly and by each rule, once under best play and once with every hand called. A
log in which the rule should have changed three rounds or more shows it in 95 of 100 cases (the chance of none is
exp(-3)); the size is rounded up to 1, 2 or 5 times a power of ten. Frequencies are sampled: the relative standard error
is one over the square root of the rounds that were changed, which are printed beside them.
"""

from __future__ import annotations

import argparse
import json
import sys
from functools import partial
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Any

import numpy as np

from pycs.dealing import dealt
from pycs.played_games import played_game
from pycs.progress import progress_bar
from pycs.rules import load_rules
from pycs.settlings import settling_of
from pycs.wrong_rules import CalledRounds, called_nets, wrong_rules_of

if TYPE_CHECKING:
    from pycs.core import SimulatedRounds
    from pycs.rules import Rules

GAMES = ("us", "casino-holdem")
PLAYS = ("optimal", "always-call")
EXPECTED = 3  # changed rounds in a log that shows a rule


def changed(rules: Rules, _: int, block: SimulatedRounds) -> dict[str, int]:
    """How many rounds of a block each wrong rule changes."""
    assert block.cards is not None
    assert block.called is not None
    called = np.flatnonzero(block.called)
    folded = len(block.called) - len(called)
    if rules.game == "caribbean-stud":
        rounds = CalledRounds(block.cards[called, :5], block.cards[called, 5:10])
    else:
        board = block.cards[called, 2:7]
        rounds = CalledRounds(block.cards[called, :7], np.hstack([block.cards[called, 7:9], board]))
    right = called_nets(settling_of(rules), rounds)
    counts = {}
    for rule in wrong_rules_of(rules):
        otherwise = int((rule.nets(rules, rounds) != right).sum())
        counts[rule.name] = otherwise + folded * (rule.settling(rules).fold != rules.net_fold)
    return counts


def log_size(changed_rounds: int, rounds: int) -> int | None:
    """Rounds of a log that shows a rule; None for one that changed nothing."""
    if not changed_rounds:
        return None
    needed = EXPECTED * rounds / changed_rounds
    power = 10 ** floor(log10(needed))
    return next(int(step * power) for step in (1, 2, 5, 10) if step * power >= ceil(needed))


def main(arguments: list[str] | None = None) -> int:
    """Print the table; 0."""
    parser = argparse.ArgumentParser(description="How often wrong rules change a round.")
    parser.add_argument("--rounds", type=int, default=20_000_000, help="of each game and play (default: 20000000)")
    parser.add_argument("--seed", type=int, default=1, help="the seed (default: 1)")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of the table")
    options = parser.parse_args(arguments)
    if options.rounds < 1:
        parser.error("--rounds: a whole number from 1 is allowed")
    found: dict[str, dict[str, dict[str, int]]] = {}
    for game in GAMES:
        rules = load_rules(game)
        for play in PLAYS:
            counts = dict.fromkeys((rule.name for rule in wrong_rules_of(rules)), 0)
            dealer, count = played_game(rules, play).dealer, partial(changed, rules)
            blocks = dealt(dealer, options.rounds, options.seed, count, cards=True)
            with progress_bar(None, total=-(-options.rounds // 65_536), desc=f"{game} {play}") as bar:
                for block in blocks:
                    counts = {name: count + block[name] for name, count in counts.items()}
                    bar.update()
            found.setdefault(game, {})[play] = counts
    if options.json:
        print(json.dumps({"rounds": options.rounds, "seed": options.seed, "changed": found}, indent=2))
    else:
        _print(found, options.rounds)
    return 0


def _print(found: dict[str, Any], rounds: int) -> None:
    print(f"{rounds:,} rounds of each; changed rounds, and the size of a log that shows the rule")
    print(f"{'wrong rule':40}" + "".join(f"{game + ' ' + play:>34}" for game in GAMES for play in PLAYS))
    for name in dict.fromkeys(name for game in GAMES for name in found[game]["optimal"]):
        cells = []
        for game in GAMES:
            for play in PLAYS:
                count = found[game][play].get(name)
                size = None if count is None else log_size(count, rounds)
                cells.append("-" if count is None else f"{count:,} {'never seen' if size is None else f'{size:,}'}")
        print(f"{name:40}" + "".join(f"{cell:>34}" for cell in cells))


if __name__ == "__main__":
    sys.exit(main())
