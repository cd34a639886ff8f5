"""Many rounds at once, for the chance of ruin: means over the results of a block of rounds, and their error."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, expm1, log1p, sqrt
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from pycs.balances import one_round, stepped
from pycs.distributions import Distribution
from pycs.sessions import CUT, ROUNDING, session_of, transform_rounding

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from tqdm import tqdm

    from pycs.balances import Balances
    from pycs.sessions import Floats

__all__ = ["MOST_BLOCK", "Blocks"]

MOST_BLOCK: Final = 64
"""The most rounds that one matrix takes at once."""

_Span: TypeAlias = tuple[int, int]

_MOST_MATRIX: Final = 2**19  # its elements, about
_NEGLIGIBLE: Final = 1e-19  # a chance that a block leaves out; what it leaves out is part of the error
_GAP: Final = 1_024  # places without results from which on a kernel is taken in two parts


@dataclass(frozen=True, slots=True)
class _Kernel:
    """The results of so many normal rounds, in places: `bands` of consecutive ones that are not negligible.

    Results that lead beyond all places that count have a chance of `safe` in all. The chances are wrong by at most
    `error` in all; what is left out has a chance of at most `dropped`.
    """

    bands: list[tuple[int, Floats]]
    safe: float
    error: float
    dropped: float
    spectra: dict[tuple[int, int], NDArray[np.complex128]]

    @classmethod
    def of(cls, game: Balances, rounds: int, height: int) -> _Kernel:
        """The results of so many rounds, where `height` places count."""
        # one win from which no losses of these rounds lead back is safety; without it, the sums are few
        wins = [int(value) >= height + rounds * game.loss for value in game.normal.values]
        ways = zip(game.normal.values, game.normal.weights, wins, strict=True)
        usual = Distribution.of((value, weight) for value, weight, win in ways if not win)
        no_win = rounds * log1p(-(game.normal.ways - usual.ways) / game.normal.ways)
        many = session_of(usual, rounds, exact=False)
        probabilities = many.probabilities * exp(no_win)
        places = int(many.first) + int(many.unit) * np.arange(len(probabilities))
        safe = places >= height
        # a sixteenth of the error that there is anyway may be dropped
        kept = probabilities >= max(_NEGLIGIBLE, many.error / len(places) / 16)
        dropped = float(np.sum(probabilities[~kept & ~safe])) + 4 * CUT
        kept &= ~safe
        bands = []
        for run in np.split(np.flatnonzero(kept), np.flatnonzero(np.diff(places[kept]) > _GAP) + 1):
            band = np.zeros(int(places[run[-1]] - places[run[0]]) + 1)
            band[places[run] - places[run[0]]] = probabilities[run]
            bands.append((int(places[run[0]]), band))
        error = many.error + 4 * ROUNDING * (1 - no_win)
        return cls(bands, float(np.sum(probabilities[safe])) - expm1(no_win), error, dropped, {})

    @property
    def width(self) -> int:
        """How many results there are."""
        return sum(len(band) for _, band in self.bands)

    def mean(self, chances: Floats, start: int, stop: int) -> tuple[Floats, float]:
        """The mean of the chances after these rounds from the places `start` to `stop`, and what error it adds.

        Chances beyond the last are 0. Errors of the kernel and of the transforms count only for how far the chances
        differ from their midpoint, which is taken out. To first order, both transforms are exact ones of inputs that
        are wrong by their bound, and by Cauchy and Schwarz no mean is wrong by more than the product of the norms.
        """
        count = stop - start
        reads = [_padded(chances, start + low, count + len(band) - 1) for low, band in self.bands]
        low = min(0.0 if self.safe else 1.0, *(float(read.min()) for read in reads))
        half = (max(float(read.max()) for read in reads) - low) / 2
        middle = low + half
        found = np.full(count, middle - self.safe * middle)
        error = self.error * half + self.dropped + 4 * ROUNDING
        for index, (read, (_, band)) in enumerate(zip(reads, self.bands, strict=True)):
            read -= middle
            size = 1 << (len(read) - 1).bit_length()
            if (index, size) not in self.spectra:
                self.spectra[index, size] = np.conj(np.fft.rfft(band, size))
            found += np.fft.irfft(np.fft.rfft(read, size) * self.spectra[index, size], size)[:count]
            rounding = transform_rounding(size)
            norm, own = sqrt(float(read @ read)), sqrt(float(band @ band))
            error += 1.1 * norm * (rounding * (1 + 2 * own) + 4 * ROUNDING)
        return found, error


class Blocks:
    """Many rounds at once, on the lowest `height` places; those above are safe.

    `base` rounds at once are one matrix for the places that could come near the stake in them, and a kernel for the
    others; two, four, eight times as many are a kernel, and nearer twice the half.
    """

    def __init__(self, game: Balances, height: int, rounds: int) -> None:
        """Prepares what blocks of as many rounds as are wanted, or fewer, need."""
        self._game, self._height = game, height
        self._kernels: dict[int, _Kernel] = {}
        self._base = MOST_BLOCK
        while self._base > 1 and (self._base > rounds or not self._fits(self._base)):
            self._base //= 2
        self._near = _Near(game, self._base, height) if self._base > 1 else _NearOne(game)
        self._halfway: dict[int, list[_Span]] = {}  # of so many rounds, the places that half must be known for
        size = self._base
        self._sizes = [size]
        while 2 * size <= rounds and 4 * self._reach(2 * size) <= height:
            self._halfway[2 * size] = self._needed(size, [(0, self._reach(2 * size))])
            size *= 2
            self._sizes.append(size)

    def run(self, rounds: int, bar: tqdm[Any]) -> tuple[Floats, float]:
        """The chances of ruin within so many rounds, and the error."""
        chances, error = stepped(self._game, np.zeros(self._height), 0.0, rounds % self._base, bar)
        for size in self._sizes:
            last = size == self._sizes[-1]
            for _ in range(rounds // size if last else rounds // size % 2):
                chances, more = self._more(chances, size, [(0, self._height)], bar)
                error += more
        return chances, error

    def _more(self, chances: Floats, size: int, spans: list[_Span], bar: tqdm[Any]) -> tuple[Floats, float]:
        """The chances with so many more rounds, at these places (others hold nothing), and what error that adds."""
        reach = self._reach(size)
        if size == self._base:
            near, error = self._near.mean(chances)
            bar.update(size)
        else:
            halfway, first = self._more(chances, size // 2, self._halfway[size], bar)
            near, second = self._more(halfway, size // 2, [(0, reach)], bar)
            error = first + second
        found = np.zeros(max(reach, spans[-1][1]))
        found[:reach] = near
        for start, stop in self._far(size, spans):
            found[start:stop], far_error = self._kernel(size).mean(chances, start, stop)
            error = max(error, far_error)
        return found, error

    def _kernel(self, size: int) -> _Kernel:
        if size not in self._kernels:
            self._kernels[size] = _Kernel.of(self._game, size, self._height)
        return self._kernels[size]

    def _reach(self, size: int) -> int:
        """From here on, so many rounds are all normal."""
        return self._game.shorts + size * self._game.loss

    def _fits(self, size: int) -> bool:
        """Whether the matrix of so many rounds is small enough, and within the height."""
        reach = self._reach(size)
        return reach <= self._height and reach * (reach + self._kernel(size).width) <= _MOST_MATRIX

    def _far(self, size: int, spans: list[_Span]) -> list[_Span]:
        """What of these places lies beyond the reach of so many rounds."""
        reach = self._reach(size)
        return [(max(start, reach), stop) for start, stop in spans if stop > reach]

    def _needed(self, size: int, spans: list[_Span]) -> list[_Span]:
        """The places that must be known before so many rounds, for these after them."""
        needed = [
            (start + low, stop + low + len(band) - 1)
            for start, stop in self._far(size, spans)
            for low, band in self._kernel(size).bands
        ]
        needed += self._near.spans if size == self._base else self._needed(size // 2, self._halfway[size])
        joined = [(0, self._reach(size))]
        for start, stop in sorted(needed):
            if start <= joined[-1][1] + _GAP:
                joined[-1] = joined[-1][0], max(joined[-1][1], min(stop, self._height))
            elif start < self._height:
                joined.append((start, min(stop, self._height)))
        return joined


class _Near:
    """So many rounds from the places that could come near the stake in them, as a matrix."""

    def __init__(self, game: Balances, rounds: int, height: int) -> None:
        rows = game.shorts + rounds * game.loss
        places, matrix = np.arange(rows), np.eye(rows)  # one column for each place that the rounds begin with
        ruined, safe, dropped = np.zeros(rows), np.zeros(rows), np.zeros(rows)
        for _ in range(rounds):
            shorts = int(np.searchsorted(places, game.shorts))
            parts = [
                (places[part] + move, chance, matrix[part])
                for moves, part in zip(game.moves, (slice(shorts), slice(shorts, None)), strict=True)
                for move, chance in moves
            ]
            reached = np.unique(np.concatenate([to for to, _, _ in parts]))
            reached = reached[(reached >= 0) & (reached < height)]
            found = np.zeros((len(reached), rows))
            for to, chance, from_there in parts:
                low, high = np.searchsorted(to, (0, height))
                found[np.searchsorted(reached, to[low:high])] += chance * from_there[low:high]
                ruined += chance * np.sum(from_there[:low], axis=0)
                safe += chance * np.sum(from_there[high:], axis=0)
            kept = np.max(found, axis=1) >= _NEGLIGIBLE
            dropped += np.sum(found[~kept], axis=0)
            places, matrix = reached[kept], found[kept]
        self._places, self._matrix, self._ruined, self._safe = places, np.ascontiguousarray(matrix.T), ruined, safe
        self._dropped = float(np.max(dropped))
        self._entry = rounds * game.rounding  # relative error of an element
        self._product = self._entry + ROUNDING * (len(places) + 2)

    @property
    def spans(self) -> list[_Span]:
        """The places that must be known before the rounds."""
        runs = np.split(self._places, np.flatnonzero(np.diff(self._places) > 1) + 1)
        return [(int(run[0]), int(run[-1]) + 1) for run in runs]

    def mean(self, chances: Floats) -> tuple[Floats, float]:
        """The chances with so many more rounds, and what error that adds; their midpoint is taken out as in kernels."""
        read = _padded(chances, 0, int(self._places[-1]) + 1)[self._places]
        low, high = float(read.min()), float(read.max())
        if self._safe.any():
            low = min(low, 0.0)
        half = (high - low) / 2
        middle = low + half
        read -= middle
        found = middle + self._ruined * (1 - middle) - self._safe * middle + self._matrix @ read
        # the elements, ruin and safety add up to 1, so errors count for how far the chances are from the midpoint
        most = max(half, 1 - middle)
        return found, 1.1 * (self._product * half + self._entry * most + self._dropped + 6 * ROUNDING)


class _NearOne:
    """One round from there: where steps are many to the ante, most elements of a matrix would be 0."""

    def __init__(self, game: Balances) -> None:
        self._game = game
        self._rows = game.shorts + game.loss
        self.spans: list[_Span] = [
            (max(0, move), self._rows + move) for moves in game.moves for move, _ in moves if self._rows + move > 0
        ]

    def mean(self, chances: Floats) -> tuple[Floats, float]:
        """The chances with one more round, and what error that adds."""
        return one_round(self._game, chances, self._rows), self._game.rounding


def _padded(chances: Floats, start: int, count: int) -> Floats:
    """A copy of so many chances from this place on; beyond the last they are 0."""
    read = np.zeros(count)
    known = chances[start : start + count]
    read[: len(known)] = known
    return read
