"""Pay tables with a house edge as near as can be to one that is asked for, among all within bounds, and proven so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import reduce
from itertools import product
from math import floor, isfinite, prod
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from pycs.errors import InputError
from pycs.games import game_of
from pycs.messages import quoted
from pycs.pay_lines import lines_of, pays_of, read_items, read_pay
from pycs.pay_table_values import PayGroups, exact_nets, valued_pays
from pycs.rules import load_rules
from pycs.tables import Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pycs.pay_table_values import Source
    from pycs.rules import Rules

__all__ = ["search_pay_tables"]

_MOST_WEIGHED: Final = 20_000  # pay tables, where each must be weighed for itself
_MOST_IN_HALF: Final = 1 << 22  # ways to fill the high or the low lines
_MOST_IN_LONG_HALF: Final = 1 << 20  # and where the sums pass 64 bits, and take ten times the memory
_MOST_AT_SEAM: Final = 1 << 30  # those of both halves, times the pays of the last high line
_MOST_FOUND: Final = 1000

Bounds = Mapping[str, tuple[int, int]]


def search_pay_tables(
    source: Source,
    bounds: Bounds | str,
    target: Fraction | float | str,
    *,
    count: int = 10,
    falling: bool = False,
) -> pl.DataFrame:
    """The pay tables within bounds whose exact house edge lies nearest the target: proven, not tried out.

    `bounds` is text such as `"royal=100..250, flush=5..7"` or a mapping such as `{"flush": (5, 7)}`, both ends
    included, the lines named as for `rules_with_pays`; lines left out stay as in the profile. `target` is the house
    edge per ante: `"5%"`, `"0.05"`, `"1/20"` or a number (a float counts as the decimal it shows). With `falling` only
    pay tables that pay no less for a better hand count, lines without bounds among them. `source` is a profile's name,
    a TOML file, rules or an open `Table`.

    Returns the `count` nearest (1 to 1,000, or as many as there are), the nearest first and those that are equally near
    by smaller pays from the royal flush down, with the columns of `pay_tables`, and `distance` (Float64) and
    `distance_exact` (String, lowest terms), how far the house edge is from the target.

    In Caribbean Stud a deal's value depends on one line alone, so the result of a pay table is a sum over its lines.
    The sums of the high lines are matched with those of the low ones, cut where the halves are most alike: each half
    may be filled in up to 4,194,304 ways (1,048,576 where sums pass 64 bits, as they may with pays of thousands for
    common hands), so there can be more than 10^12 pay tables. In Casino Hold'em every line touches a deal: up to 20,000
    pay tables are weighed one by one. It takes some seconds.

    InputError, one line, for bounds or a target that cannot be, for more pay tables than that, and when no pay table
    within the bounds falls. Safe to call from many threads.

    >>> found = search_pay_tables("us", "full=5..12, flush=4..8", "5%", count=1)
    >>> found.select("full_house", "flush", "distance_exact").row(0)
    (7, 6, '62337872/1245826907325')
    """
    rules = source.rules if isinstance(source, Table) else load_rules(source)
    ranges = _read_bounds(bounds, rules)
    edge = _read_target(target)
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= _MOST_FOUND:
        raise InputError(f"the count {quoted(count)}: a whole number from 1 to {_MOST_FOUND:,} is allowed")
    deals = game_of(rules).rounds
    groups = PayGroups.of(source)
    touched = groups.counts @ groups.slopes.T.astype(np.float64)
    what = f"the bounds {quoted(bounds)}"
    if ((touched > 0).sum(axis=1) <= 1).all():
        found = _by_halves(groups, touched, ranges, -edge * deals, count, falling, what)
    else:
        found = _one_by_one(groups, ranges, -edge * deals, count, falling, what)
    if not found:
        raise InputError(f"{what}: no pay table within them pays no less for a better hand: without falling some are")
    table = valued_pays(groups, pl.DataFrame(found, dict.fromkeys(lines_of(rules), pl.Int64), orient="row"))
    distances = [abs(Fraction(-net, deals) - edge) for net in table["net"]]
    return table.with_columns(
        pl.Series("distance", [float(distance) for distance in distances]),
        pl.Series("distance_exact", [str(distance) for distance in distances]),
    )


def _read_bounds(bounds: object, rules: Rules) -> list[range]:
    """The pays that each line may have."""
    ranges = {line: range(pay, pay + 1) for line, pay in pays_of(rules).items()}
    for line, given in read_items(bounds, rules, "the bounds").items():
        what = f"the bounds {quoted(bounds)}: {line.replace('_', ' ')}"
        ends = given.split("..") if isinstance(given, str) else given
        if not isinstance(ends, (list, tuple)) or len(ends) != 2:
            raise InputError(f"{what}: {quoted(given)} are no bounds: two are needed, as 5..7 or (5, 7)")
        low, high = (read_pay(end, what) for end in ends)
        if low > high:
            raise InputError(f"{what}: from {low} to {high}: the first must not be above the second")
        ranges[line] = range(low, high + 1)
    return list(ranges.values())


def _read_target(target: object) -> Fraction:
    if isinstance(target, (int, Fraction)) and not isinstance(target, bool):
        return Fraction(target)
    if isinstance(target, float) and isfinite(target):
        return Fraction(str(target))
    text = target if isinstance(target, str) else ""
    number = re.fullmatch(r"\s*(-?[0-9]{1,9}(?:\.[0-9]{1,18}|/(?=[0-9]*[1-9])[0-9]{1,18})?)\s*(%?)\s*", text)
    if number is None:
        raise InputError(f"the target {quoted(target)}: a house edge per ante is needed, as '5%', '1/20' or 0.05")
    edge = Fraction(number[1]) / (100 if number[2] else 1)
    if abs(edge) > 1 and not number[2]:
        raise InputError(f"the target {quoted(target)}: a house edge per ante is needed, as '5%', '1/20' or 0.05")
    return edge


def _one_by_one(
    groups: PayGroups, ranges: list[range], aim: Fraction, count: int, falling: bool, what: str
) -> list[tuple[int, ...]]:
    tables = prod(map(len, ranges))
    if tables > _MOST_WEIGHED:
        raise InputError(f"{what}: {tables:,} pay tables: at most {_MOST_WEIGHED:,} of {groups.rules.name} are weighed")
    pays = [table for table in product(*ranges) if not falling or list(table) == sorted(table, reverse=True)]
    nets = exact_nets(groups, np.array(pays, np.int64).reshape(len(pays), len(ranges)))
    order = sorted(zip(nets, pays, strict=True), key=lambda found: (abs(found[0] - aim), found[1]))
    return [table for _, table in order[:count]]


# --- lines that add up -----------------------------------------------------------------------------------------------


def _by_halves(
    groups: PayGroups,
    touched: NDArray[np.float64],
    ranges: list[range],
    aim: Fraction,
    count: int,
    falling: bool,
    what: str,
) -> list[tuple[int, ...]]:
    """The nearest tables where no deal depends on two lines; `touched` says on which, shape (groups, lines)."""
    lines, rest = _lines(groups, touched), aim - _certain(groups, touched)
    most = sum(int(line.gains(pays[-1:], object)[0]) for line, pays in zip(lines, ranges, strict=True))
    # No sum is above `most`, and its distance is reckoned in quarters.
    long = 8 * (most + abs(floor(rest)) + 2) >= 1 << 63
    kind, allowed = (object, _MOST_IN_LONG_HALF) if long else (np.int64, _MOST_IN_HALF)
    sizes = [len(pays) for pays in ranges]
    cut = min(range(1, len(sizes)), key=lambda place: max(prod(sizes[:place]), prod(sizes[place:])))
    high, low = prod(sizes[:cut]), prod(sizes[cut:])
    if max(high, low) > allowed:
        ways = f"the {cut} highest lines in {high:,} ways and the others in {low:,}"
        raise InputError(f"{what}: {ways}: at most {allowed:,} are allowed for either")
    if falling and sizes[cut - 1] * (high + low) > _MOST_AT_SEAM:
        raise InputError(f"{what}: {high * low:,} pay tables are too many for falling: narrower bounds are allowed")
    gains = [line.gains(pays, kind) for line, pays in zip(lines, ranges, strict=True)]
    upper, lower = (_Half(gains[part], ranges[part], falling) for part in (slice(cut), slice(cut, None)))
    found = [
        (distance, upper.pays(above[i]) + lower.pays(below[j]))
        for above, below in _seams(upper, lower, falling)
        for distance, i, j in _nearest(upper.sums[above], lower.sums[below], rest, count)
    ]
    return [table for _, table in sorted(found)[:count]]


def _lines(groups: PayGroups, touched: NDArray[np.float64]) -> list[_Line]:
    """The lines, each with the deals that it touches."""
    base = _base(groups)
    return [
        _Line(base[more > 0], more[more > 0].astype(np.int64), groups.weights[more > 0])
        for more in np.ascontiguousarray(touched.T)
    ]


def _base(groups: PayGroups) -> NDArray[np.int64]:
    """By how much a call is worth more than a fold when every line pays nothing, for each group."""
    return groups.gains(np.zeros_like(groups.own_pays)).astype(np.int64)


def _certain(groups: PayGroups, touched: NDArray[np.float64]) -> int:
    """The net result of folding every deal, and of calling those that are better called and that no line touches."""
    gains = groups.weights * np.maximum(_base(groups), 0)
    return game_of(groups.rules).rounds * groups.rules.net_fold + int(gains[(touched == 0).all(axis=1)].sum())


class _Line:
    """The deals that one line touches: at pay p a call gains `base + more * p` over a fold, if that is above nothing.

    Sums of one of them over a game's rounds are below 3e13 x 1,002, far inside 64 bits; times a pay they may not be.
    """

    def __init__(self, base: NDArray[np.int64], more: NDArray[np.int64], weights: NDArray[np.int64]) -> None:
        lowest = -base // more + 1  # the lowest pay at which the gain is above nothing
        order = np.argsort(lowest)
        self.lowest = lowest[order]
        self.base, self.more = (np.concatenate([[0], np.cumsum((weights * part)[order])]) for part in (base, more))

    def gains(self, pays: range, kind: type) -> NDArray[Any]:
        """What all calls gain over folds at each of these pays, as int64 or as Python's integers."""
        each = np.arange(pays.start, pays.stop)
        called = np.searchsorted(self.lowest, each, side="right")
        return self.base[called].astype(kind) + self.more[called].astype(kind) * each.astype(kind)


class _Half:
    """All ways to fill some lines, in the order of their pays, with what they gain; if `falling`, only such as fall."""

    def __init__(self, gains: list[NDArray[Any]], ranges: list[range], falling: bool) -> None:
        self.ranges, self.shape = ranges, tuple(map(len, ranges))
        kept = np.ones(self.shape, bool)
        for place in range(len(ranges) - 1 if falling else 0):
            here, next_ = (np.arange(pays.start, pays.stop) for pays in ranges[place : place + 2])
            falls = here[:, None] >= next_
            kept &= falls.reshape((1,) * place + falls.shape + (1,) * (len(ranges) - place - 2))
        self.places = np.flatnonzero(kept)
        self.sums: NDArray[Any] = reduce(np.add.outer, gains).ravel()[self.places]

    def pays(self, number: int) -> tuple[int, ...]:
        """The pays of the way with this number."""
        places = np.unravel_index(self.places[number], self.shape)
        return tuple(pays[int(place)] for pays, place in zip(self.ranges, places, strict=True))

    def ends(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The first and the last pay of each way."""
        first = self.places // prod(self.shape[1:]) + self.ranges[0].start
        return first, self.places % self.shape[-1] + self.ranges[-1].start


def _seams(upper: _Half, lower: _Half, falling: bool) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Which ways of the two halves go together; those of the lower one by ascending sums."""
    above, below = np.arange(len(upper.sums)), np.argsort(lower.sums, kind="stable")
    if not falling:
        yield above, below
        return
    _, last = upper.ends()
    first = lower.ends()[0][below]
    for seam in np.unique(last):
        yield above[last == seam], below[first <= seam]


def _nearest(left: NDArray[Any], right: NDArray[Any], aim: Fraction, count: int) -> list[tuple[int, int, int]]:
    """The pairs whose sums lie nearest the aim: `count` of them, all that are as near as the last, and a few more.

    `right` ascends. Each pair is a distance and the places in `left` and `right`; distances are whole numbers that are
    in the order of the real ones.
    """
    if not len(left) or not len(right):
        return []
    whole = floor(aim)
    # With a sum of whole + d, |4d - corner| is in the order of |sum - aim|: only on which side of a half the fractional
    # part of the aim lies matters for the order of whole numbers around it.
    part = aim - whole
    corner = (part > 0) + (part >= Fraction(1, 2)) + (part > Fraction(1, 2))

    def distances(sums: NDArray[Any]) -> NDArray[Any]:
        return abs(4 * (sums - whole) - corner)

    last = len(right) - 1
    above = np.searchsorted(right, whole + 1 - left)  # the first right that lifts the sum above `whole`
    at_best = np.minimum(
        distances(left + right[np.maximum(above - 1, 0)]), distances(left + right[np.minimum(above, last)])
    )
    # Any other left is farther off with every right than `count` pairs are.
    lefts = np.flatnonzero(at_best <= np.sort(at_best)[min(count, len(left)) - 1])
    around = above[lefts, None] + np.arange(-count, count)
    sums = left[lefts, None] + right[np.clip(around, 0, last)]
    near = np.sort(distances(sums)[(around >= 0) & (around <= last)])
    limit = int(near[min(count, len(near)) - 1])
    lowest, highest = whole - (limit - corner) // 4, whole + (limit + corner) // 4
    starts = np.searchsorted(right, lowest - left[lefts], side="left")
    stops = np.searchsorted(right, highest - left[lefts], side="right")
    return [
        (int(distances(left[i] + right[j])), int(i), j)
        for i, start, stop in zip(lefts, starts, stops, strict=True)
        for j in range(start, stop)
    ]
