"""Balances on a lattice, what a round does to them, and the chance of ruin from each of them, round by round."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, lcm, log2
from typing import TYPE_CHECKING, Any

import numpy as np

from pycs.distributions import Distribution, common_unit
from pycs.errors import InputError
from pycs.messages import quoted
from pycs.sessions import MOST_POINTS, ROUNDING

if TYPE_CHECKING:
    from tqdm import tqdm

    from pycs.sessions import Floats

__all__ = ["Balances", "counted", "most_lost", "one_round", "stepped"]


@dataclass(frozen=True)
class Balances:
    """The rule of play on the lattice of balances `lowest + place * unit`: `lowest` is the least that can be played.

    Places below 0 are ruined, those below `shorts` play `short`. Its and `normal`'s values are whole numbers of places,
    weights add up to the same, and `loss` places are the most that a round takes.
    """

    unit: Fraction
    lowest: Fraction
    shorts: int
    loss: int
    normal: Distribution
    short: Distribution

    @classmethod
    def of(
        cls,
        normal: Distribution,
        short: Distribution,
        stake: Fraction,
        call: Fraction,
        cap: Fraction,
        start: Fraction,
        apart: list[Fraction],
    ) -> Balances:
        """The lattice of all balances that can follow `start`, and those that lie `apart` from them.

        To win `cap` or more must be as good as never to be ruined, so all of it counts as one win. A jackpot with odd
        cents then makes no lattice of cents.
        """
        unit = common_unit([value for value in (*normal.values, *short.values) if value < cap] + apart)

        def on_lattice(one: Distribution) -> Distribution:
            places = (value / unit if value < cap else ceil(cap / unit) for value in one.values)
            return Distribution.of(zip(places, one.weights, strict=True)).reduced

        normal, short = on_lattice(normal), on_lattice(short)
        ways = lcm(normal.ways, short.ways)
        normal, short = (
            Distribution(one.values, tuple(weight * (ways // one.ways) for weight in one.weights))
            for one in (normal, short)
        )
        lowest = start + ceil((stake - start) / unit) * unit
        shorts = max(0, ceil((stake + call - lowest) / unit))
        return cls(unit, lowest, shorts, int(most_lost(normal, short)), normal, short)

    @property
    def per_ante(self) -> int:
        """How many places an ante is, when whole antes lie on the lattice."""
        return int(1 / self.unit)

    def place(self, balance: Fraction | int) -> int:
        """The place of a balance on the lattice."""
        return int((balance - self.lowest) / self.unit)

    def height(self, top: Fraction) -> int:
        """How many places there are from the lowest to this balance. InputError when they are too many."""
        height = ceil((top - self.lowest) / self.unit) + 1
        if height > MOST_POINTS:
            raise InputError(
                f"balances up to {float(top):,.0f} antes in steps of {quoted(str(self.unit))}: {height:,} balances "
                f"count, {MOST_POINTS:,} are allowed"
            )
        return height

    def work(self, rounds: int) -> float:
        """The bits that an exact recursion multiplies, about."""
        products = len(self.normal.values) * self.loss * rounds**2 / 2
        return products * (2_000 + rounds * log2(self.normal.ways))

    @cached_property
    def moves(self) -> tuple[list[tuple[int, float]], list[tuple[int, float]]]:
        """The places that a round moves the balance by, each with its chance: in `short`, and in `normal`."""
        short, normal = (
            [(int(value), weight / one.ways) for value, weight in zip(one.values, one.weights, strict=True)]
            for one in (self.short, self.normal)
        )
        return short, normal

    @property
    def rounding(self) -> float:
        """The relative error that a round adds to a mean of chances."""
        return ROUNDING * (max(len(moves) for moves in self.moves) + 3)


def most_lost(normal: Distribution, short: Distribution) -> Fraction:
    """The most that a round takes."""
    return max(-normal.values[0], -short.values[0], Fraction(0))


def counted(game: Balances, rounds: int, place: int | None) -> tuple[list[int], int]:
    """How many equally likely ways of so many rounds lead to ruin, from this place or all that ruin can reach; of all.

    After t of the rounds, counted from the last, ruin reaches `loss * t` places.
    """
    ways = game.normal.ways
    moves = [[(int(v), w) for v, w in zip(d.values, d.weights, strict=True)] for d in (game.short, game.normal)]
    before: list[int] = []
    low_before, all_ways = 0, 1
    for t in range(1, rounds + 1):
        low = 0 if place is None else max(0, place - game.loss * (rounds - t))
        now = []
        for at in range(low, game.loss * t if place is None or t < rounds else place + 1):
            so_far = 0
            for move, weight in moves[at >= game.shorts]:
                to = at + move
                if to < 0:
                    so_far += weight * all_ways
                elif to - low_before >= len(before):
                    break
                else:
                    so_far += weight * before[to - low_before]
            now.append(so_far)
        before, low_before, all_ways = now, low, all_ways * ways
    return before, all_ways


def stepped(game: Balances, chances: Floats, error: float, rounds: int, bar: tqdm[Any]) -> tuple[Floats, float]:
    """So many more rounds, one by one; the error grows by what rounding a mean of chances can come to."""
    for _ in range(rounds):
        chances = one_round(game, chances, len(chances))
        bar.update()
    return chances, error + rounds * game.rounding


def one_round(game: Balances, chances: Floats, height: int) -> Floats:
    """The chances of ruin with one more round, from the lowest `height` places."""
    padded = np.concatenate((np.ones(game.loss), chances))
    found = np.zeros(height)
    for moves, start, stop in zip(game.moves, (0, game.shorts), (min(game.shorts, height), height), strict=True):
        for move, chance in moves:
            read = padded[game.loss + move + start : game.loss + move + stop]
            found[start : start + len(read)] += chance * read
    return found
