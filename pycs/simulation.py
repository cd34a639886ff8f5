"""Simulated rounds of a profile under a strategy, and where the sample stands beside the exact value."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import erfc, sqrt
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from pycs.dealing import check_rounds, check_seed, dealt, threads_of
from pycs.errors import InputError
from pycs.files import TABLES, read_target
from pycs.messages import quoted
from pycs.played_games import PlayedGame, played_game
from pycs.progress import progress_bar
from pycs.round_logs import log_schema, round_frame, write_log
from pycs.strategies import OPTIMAL
from pycs.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeAlias

    import polars as pl
    from numpy.typing import NDArray
    from tqdm import tqdm

    from pycs.core import SimulatedRounds
    from pycs.rules import Rules
    from pycs.strategies import Strategy

    Given: TypeAlias = str | os.PathLike[str] | pl.DataFrame | Strategy

__all__ = ["SimulatedOutcome", "Simulation", "simulate", "simulated_rounds"]

_SECONDS: Final = 0.2
"""Between two looks at where the sample stands."""


class SimulatedOutcome(NamedTuple):
    """A way for a round to end: in how many of the rounds it did, and the exact share of all, None where it is unknown.

    `exchanged`: whether cards were exchanged before; the fee is taken off `net`, in antes.
    """

    event: str
    exchanged: bool
    net: int
    rounds: int
    expected: Fraction | None


@dataclass(frozen=True)
class Simulation:
    """Simulated rounds, beside what is known of them exactly. Nets are in antes, of the main bet of one box.

    `exchanges` is how many were left at the decision, 0 or 1; after an exchange the new hand was played at best.
    `actions` counts the rounds by their first action, `expected_actions` are the exact shares. `value` is the exact
    mean of a round's net result, `variance` its exact variance: None with an exchange, for there it is not known.
    `path` is the log that was written, None without one. Safe to share among threads.
    """

    rules: Rules
    strategy: str
    exchanges: int
    rounds: int
    seed: int
    actions: Mapping[str, int] = field(hash=False)
    expected_actions: Mapping[str, Fraction] = field(hash=False)
    outcomes: tuple[SimulatedOutcome, ...] = field(repr=False)
    value: Fraction
    variance: Fraction | None
    path: str | None = None

    @property
    def net(self) -> int:
        """The sum of all net results."""
        return sum(each.net * each.rounds for each in self.outcomes)

    @property
    def mean(self) -> Fraction:
        """The sample's mean net result of a round."""
        return Fraction(self.net, self.rounds)

    @property
    def sample_variance(self) -> Fraction | None:
        """The variance as the sample itself has it; None for a single round."""
        squares = sum(each.net**2 * each.rounds for each in self.outcomes)
        return (squares - self.net * self.mean) / (self.rounds - 1) if self.rounds > 1 else None

    @property
    def standard_error(self) -> float | None:
        """How far means of so many rounds scatter about the exact value: by the exact variance, else the sample's."""
        variance = self.sample_variance if self.variance is None else self.variance
        return None if variance is None else sqrt(variance / self.rounds)

    @property
    def z(self) -> float | None:
        """How many standard errors the mean lies above the exact value; None where the standard error tells nothing."""
        return float(self.mean - self.value) / self.standard_error if self.standard_error else None

    @property
    def chance(self) -> float | None:
        """How likely the mean of right rounds is to lie as far off or further, to either side, as a normal number."""
        return None if self.z is None else erfc(abs(self.z) / sqrt(2))

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `pycs simulate --json` prints it: floats to read, fractions as exact text."""
        return {
            "profile": self.rules.name,
            "title": self.rules.title,
            "rules_digest": self.rules.digest,
            "version": __version__,
            "strategy": self.strategy,
            "exchanges_left": self.exchanges,
            "rounds": self.rounds,
            "seed": self.seed,
            "net": self.net,
            "mean": float(self.mean),
            "house_edge": float(-self.mean),
            "value": float(self.value),
            "exact": str(self.value),
            "standard_error": self.standard_error,
            "standard_error_by": "the sample" if self.variance is None else "the exact variance",
            "z": self.z,
            "chance": self.chance,
            "actions": dict(self.actions),
            "expected_actions": {action: float(share) for action, share in self.expected_actions.items()},
            "outcomes": [
                {**each._asdict(), "expected": None if each.expected is None else float(each.expected)}
                for each in self.outcomes
            ],
            "path": self.path,
        }


def simulate(
    profile: str | os.PathLike[str] | Rules,
    rounds: int,
    *,
    strategy: Given = OPTIMAL,
    seed: int = 1,
    exchanges: int | None = None,
    out: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    progress: bool | None = None,
) -> Simulation:
    """Deal so many rounds, decide them by a strategy, settle them, and hold the sample against the exact value.

    `strategy` is as for `pycs.strategy`, and so is `exchanges`: how many are left, 0 or 1, by default 1 where the rules
    allow any. After one the new hand is folded or called, whichever is worth more; where chosen cards are exchanged,
    the best single one is given up. The main bet of one box. `seed` (0 to 2^64 - 1) and the number of a round make its
    cards: they are the same with any number of `threads`, by default one for each core. `out` is the path of a log, CSV
    or Parquet with the columns of `pycs.round_logs`, written whole or not at all. `progress` shows a bar on stderr with
    the mean, the exact value, the standard error and where the sample stands; without it, on a terminal.

    InputError for anything that cannot be. Safe to call from many threads.

    >>> sample = simulate("us", 100_000)
    >>> sample.rounds, sample.net, sample.actions
    (100000, -5891, {'fold': 47803, 'call': 52197})
    >>> f"{float(sample.mean):+.6f} {float(sample.value):+.6f} {sample.standard_error:.6f} {sample.z:+.2f}"
    '-0.058910 -0.052243 0.007093 -0.94'
    """
    check_rounds(rounds)
    check_seed(seed)
    path = None if out is None else _target(out)
    workers = threads_of(threads)
    game = played_game(profile, strategy, exchanges)
    sample = _Sample(game, seed, path)
    with progress_bar(progress, total=rounds, unit=" rounds", unit_scale=True) as bar:
        if path is None:
            for counts in dealt(game.dealer, rounds, seed, lambda _, block: block.counts, threads=workers):
                sample.add(counts, bar)
        else:
            make = _frame_maker(game)
            blocks = dealt(
                game.dealer, rounds, seed, lambda *block: (block[1].counts, make(*block)), cards=True, threads=workers
            )
            write_log(Path(path), sample.frames(blocks, bar), log_schema(game.rules, exchange=game.exchanges > 0))
    return sample.simulation()


def simulated_rounds(
    profile: str | os.PathLike[str] | Rules,
    rounds: int,
    *,
    strategy: Given = OPTIMAL,
    seed: int = 1,
    exchanges: int | None = None,
    threads: int | None = None,
) -> Iterator[pl.DataFrame]:
    """The rounds of `simulate` as frames, in order, with the columns of its log (`pycs.round_logs`).

    A frame holds 65,536 rounds, the last one those that are left; a few are dealt ahead of what is asked for.
    InputError, at once, for anything that cannot be. Safe to call from many threads.

    >>> [frame.height for frame in simulated_rounds("casino-holdem", 100_000)]
    [65536, 34464]
    """
    check_rounds(rounds)
    check_seed(seed)
    workers = threads_of(threads)
    game = played_game(profile, strategy, exchanges)
    return dealt(game.dealer, rounds, seed, _frame_maker(game), cards=True, threads=workers)


def _frame_maker(game: PlayedGame) -> Callable[[int, SimulatedRounds], pl.DataFrame]:
    return lambda first, block: round_frame(game.rules, first, block, exchange=game.exchanges > 0)


class _Sample:
    """The rounds so far."""

    def __init__(self, game: PlayedGame, seed: int, path: str | None) -> None:
        self.game, self.seed, self.path = game, seed, path
        self.counts, self.told = np.zeros((2, 7, 10), np.int64), 0.0

    def add(self, counts: NDArray[np.int64], bar: tqdm[Any]) -> None:
        """A block more; the bar tells where the sample stands, some times a second."""
        self.counts += counts
        if not bar.disable and monotonic() - self.told > _SECONDS:
            self.told = monotonic()
            so_far = self.simulation()
            told = [f"mean {float(so_far.mean):+.6f}", f"exact {float(so_far.value):+.6f}"]
            if so_far.z is not None:
                told.append(f"standard error {so_far.standard_error:.6f}, {so_far.z:+.2f} of them off")
            bar.set_postfix_str(", ".join(told), refresh=False)
        bar.update(int(counts.sum()))

    def frames(
        self, blocks: Iterable[tuple[NDArray[np.int64], pl.DataFrame]], bar: tqdm[Any]
    ) -> Iterator[pl.DataFrame]:
        """The frames of blocks, each counted as it is taken."""
        for counts, frame in blocks:
            self.add(counts, bar)
            yield frame

    def simulation(self) -> Simulation:
        """What has been dealt so far."""
        game, counts = self.game, self.counts
        first = {"fold": counts[0, 0].sum(), "call": counts[0, 1:].sum(), "exchange": counts[1].sum()}
        return Simulation(
            rules=game.rules,
            strategy=game.strategy,
            exchanges=game.exchanges,
            rounds=int(counts.sum()),
            seed=self.seed,
            actions={action: int(first[action]) for action in game.action_shares},
            expected_actions=game.action_shares,
            outcomes=tuple(
                SimulatedOutcome(*end, number, game.ends.get(end)) for end, number in game.ends_of(counts).items()
            ),
            value=game.value,
            variance=game.variance,
            path=self.path,
        )


def _target(out: str | os.PathLike[str]) -> str:
    try:
        path = os.fsdecode(out)
    except TypeError:
        raise InputError(f"the log {quoted(out)}: the path of a file is allowed") from None
    read_target(path, "the log", TABLES)
    return path
