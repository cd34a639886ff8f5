"""The chance that a bankroll does not last: exact, or in floats with the bound of its error.

Before each round the balance decides what is played. Below the stake (ante and side bets) the player is ruined and
plays no more. With the stake, but not enough for the call after it, a call that can't be paid is a fold, so the round
brings what `short` says. With enough for both it brings what `normal` says.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, exp, expm1, lcm, log1p, log2, sqrt
from numbers import Rational
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import numpy as np

from pycs.distributions import Distribution
from pycs.errors import InputError
from pycs.messages import quoted
from pycs.progress import progress_bar
from pycs.sessions import (
    CUT,
    MOST_POINTS,
    ROUNDING,
    about_mean,
    check_rounds,
    chernoff_reach,
    fraction_texts,
    session_of,
    step,
    transform_rounding,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray
    from tqdm import tqdm

    from pycs.sessions import Floats

__all__ = ["MOST_PLAYED", "Bankroll", "Method", "Ruin", "bankroll_for", "ruin"]

MOST_PLAYED: Final = 10_000_000
"""The most rounds that the chance of ruin is worked out for: some minutes."""

_Span: TypeAlias = tuple[int, int]

Method: TypeAlias = Literal["exact", "steps", "blocks", "bound"]
"""How a chance of ruin was found: in whole numbers, in floats round by round or by blocks of rounds, or as at most some
`error`."""

_MOST_WORK: Final = 2**35  # bits that an exact recursion may multiply: some seconds
_MOST_STEPS: Final = 2**30  # chances that are multiplied round by round: less than two seconds
_MOST_BLOCK: Final = 64  # rounds that one matrix takes at once
_MOST_MATRIX: Final = 2**19  # its elements, about
_NEGLIGIBLE: Final = 1e-19  # a chance that a block leaves out; what it leaves out is part of the error
_GAP: Final = 1_024  # places without results from which on a kernel is taken in two parts


@dataclass(frozen=True, slots=True)
class Ruin:
    """The chance that a bankroll, in antes, is ruined within so many rounds.

    `chance` is a Fraction and `error` 0 when `method` is `exact`; else `chance` is a float that is wrong by at most
    `error`. Safe to share among threads.
    """

    rounds: int
    bankroll: Fraction
    chance: Fraction | float
    error: float
    method: Method

    def to_dict(self) -> dict[str, Any]:
        """Plain data; exact text beside the floats, but for a chance of more than some 480 digits."""
        return {
            "rounds": self.rounds,
            "bankroll": float(self.bankroll),
            "bankroll_exact": str(self.bankroll),
            **fraction_texts("chance", self.chance),
            "error": self.error,
            "method": self.method,
        }

    def __str__(self) -> str:
        """The chance, and whether it is exact."""
        how = "exact" if self.method == "exact" else f"within {self.error:.1e}"
        return f"ruined within {self.rounds:,} rounds from {self.bankroll} antes: {float(self.chance):.9f} ({how})"


@dataclass(frozen=True, slots=True)
class Bankroll:
    """The least bankroll in whole antes that, as every larger one, is ruined with a chance of at most `risk`.

    `bankroll` is surely enough; below `least`, surely, none is enough in this sense. They are equal, and the answer
    `certain`, when `method` is `exact` and unless the `error` of chances in floats leaves it open. `chance` is that
    with `bankroll`, `chance_below` that with one ante less. Safe to share among threads.
    """

    rounds: int
    risk: Fraction
    bankroll: int
    least: int
    chance: Fraction | float
    chance_below: Fraction | float
    error: float
    method: Method

    @property
    def certain(self) -> bool:
        """Whether `bankroll` is the least, in spite of the error."""
        return self.bankroll == self.least

    def to_dict(self) -> dict[str, Any]:
        """Plain data; exact text beside the floats, but for chances of more than some 480 digits."""
        return {
            "rounds": self.rounds,
            **fraction_texts("risk", self.risk),
            "bankroll": self.bankroll,
            "least": self.least,
            "certain": self.certain,
            **fraction_texts("chance", self.chance),
            **fraction_texts("chance_below", self.chance_below),
            "error": self.error,
            "method": self.method,
        }

    def __str__(self) -> str:
        """The bankroll, its chance of ruin, and whether they are exact."""
        how = "exact" if self.method == "exact" else f"within {self.error:.1e}"
        open_to = "" if self.certain else f", or as little as {self.least:,}"
        return (
            f"{self.bankroll:,} antes{open_to}: ruined within {self.rounds:,} rounds with a chance of "
            f"{float(self.chance):.9f} ({how})"
        )


def ruin(
    normal: Distribution,
    short: Distribution,
    rounds: int,
    bankroll: Fraction | int,
    *,
    stake: Fraction | int,
    call: Fraction | int,
    method: Method | None = None,
    progress: bool | None = None,
) -> Ruin:
    """The chance that the balance falls below `stake` at some time, up to and including after the last round.

    `normal` and `short` are the net results of a round with and without the money for a call; `bankroll`, `stake` and
    `call` are antes. A bankroll below the stake is ruined from the start.

    With u_t(x) the chance of ruin within t rounds from a balance of x, u_t is 1 below the stake, and u_(t+1)(x) is the
    mean of u_t after one round from x. Without a `method`, the first of these that is quick enough is taken:

    - `exact`: that recursion in whole numbers, on the balances that can still be ruined. Some hundred rounds.
    - `steps`: the same in floats. A mean makes no error larger, so those of rounding add up, one round at a time.
    - `blocks`: where no balance can come near the stake within T rounds, these are one mean over the results of T
      rounds (`pycs.sessions`), a convolution by Fourier transform; nearer, halves of T rounds are taken in turn, down
      to a block of at most 64 rounds that is one matrix. The bounds of the errors (Higham, Accuracy and Stability of
      Numerical Algorithms, theorem 24.2 for transforms and section 3.1 for products) add up along the rounds. A million
      rounds take some seconds.

    In floats, balances that ruin can hardly be reached from, or that can hardly be reached, are left out; the bound of
    their chance, 1e-18 by Chernoff and Doob, is part of the error. A bankroll that is such a balance has a chance of 0
    with that error, and `bound` for its method.

    A bar on stderr shows the progress of what takes longer than a second; `progress` shows or hides it, without it
    only a terminal gets one. InputError for rounds that are not a whole number from 1 to 10,000,000, a bankroll that
    is negative or no whole number or Fraction, a stake that is not above 0, a negative call, and when more than
    16,777,216 balances would count. Safe to call from many threads.

    >>> coins = Distribution.of([(-1, 1), (1, 1)])
    >>> ruin(coins, coins, 3, 1, stake=1, call=0).chance
    Fraction(5, 8)
    >>> print(ruin(coins, coins, 10_000, 100, stake=1, call=0))
    ruined within 10,000 rounds from 100 antes: 0.317334705 (within 5.6e-12)
    """
    bankroll, stake, call = _checked(rounds, bankroll, stake, call, method)
    loss = _loss(normal, short)
    if bankroll < stake:
        return Ruin(rounds, bankroll, Fraction(1), 0.0, "exact")
    if bankroll - stake >= rounds * loss:
        return Ruin(rounds, bankroll, Fraction(0), 0.0, "exact")
    game = _Game.of(normal, short, stake, call, rounds * loss, bankroll, [])
    if method == "exact" or (method is None and game.work(rounds) <= _MOST_WORK):
        chances, ways = _counted(game, rounds, game.place(bankroll))
        return Ruin(rounds, bankroll, Fraction(chances[0], ways), 0.0, "exact")
    enough = _top(normal, rounds, stake + call, CUT)
    if bankroll >= enough:
        return Ruin(rounds, bankroll, 0.0, CUT, "bound")
    up = chernoff_reach([_walk(normal, 1), _walk(short, 1)], rounds)
    top = min(enough, bankroll + ceil(up) + 1, stake + rounds * loss)
    game = _Game.of(normal, short, stake, call, _cap(top, loss), bankroll, [])
    found, error, how = _floats(game, rounds, game.height(top), method, progress)
    chance = float(found[game.place(bankroll)])
    return Ruin(rounds, bankroll, min(max(chance, 0.0), 1.0), error + 2 * CUT, how)


def bankroll_for(
    normal: Distribution,
    short: Distribution,
    rounds: int,
    risk: Fraction | float,
    *,
    stake: Fraction | int,
    call: Fraction | int,
    method: Method | None = None,
    progress: bool | None = None,
) -> Bankroll:
    """The least bankroll in whole antes that, as every larger one, is ruined with a chance of at most `risk`.

    The chances, methods, bounds and errors are those of `ruin`. "As every larger one", since a little more can be worse
    where it pays for calls that lose. InputError also for a risk that is not above 0 and below 1, or less than 1e-300.

    >>> coins = Distribution.of([(-1, 1), (1, 1)])
    >>> print(bankroll_for(coins, coins, 100, Fraction(1, 20), stake=1, call=0))
    20 antes: ruined within 100 rounds with a chance of 0.046044067 (exact)
    """
    _, stake, call = _checked(rounds, 0, stake, call, method)
    number = isinstance(risk, (float, Rational)) and not isinstance(risk, bool)
    if not number or not 1e-300 <= risk < 1:
        raise InputError(f"the risk {quoted(risk)}: a number above 0 (from 1e-300) and below 1 is allowed")
    risk, loss, first = Fraction(risk), _loss(normal, short), ceil(stake)
    game = _Game.of(normal, short, stake, call, rounds * loss, Fraction(0), [Fraction(1)])
    if not loss:
        return Bankroll(rounds, risk, first, first, Fraction(0), Fraction(1), 0.0, "exact")
    if method == "exact" or (method is None and game.work(rounds) <= _MOST_WORK):
        chances, ways = _counted(game, rounds, None)
        exact = [Fraction(chance, ways) for chance in chances[game.place(first) :: game.per_ante]]
        least = _last(chance > risk for chance in exact) + 1
        exact = [Fraction(1), *exact, Fraction(0)]  # of one ante less than the stake, and with what ruin can't reach
        return Bankroll(rounds, risk, first + least, first + least, exact[least + 1], exact[least], 0.0, "exact")
    cut = min(CUT, float(risk))
    top = min(_top(normal, rounds, stake + call, cut), stake + rounds * loss)
    game = _Game.of(normal, short, stake, call, _cap(top, loss), Fraction(0), [Fraction(1)])
    found, error, how = _floats(game, rounds, game.height(top), method, progress)
    error += cut
    floats = [1.0, *np.clip(found[game.place(first) :: game.per_ante], 0.0, 1.0).tolist(), 0.0]
    # beyond the floats the chance is at most `cut`, and so at most the risk, whatever the error
    most = _last(chance + error > risk for chance in floats[1:-1]) + 1
    least = _last(chance - error > risk for chance in floats[1:-1]) + 1
    return Bankroll(rounds, risk, first + most, first + least, floats[most + 1], floats[most], error, how)


@dataclass(frozen=True)
class _Game:
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
    ) -> _Game:
        """The lattice of all balances that can follow `start`, and those that lie `apart` from them.

        To win `cap` or more must be as good as never to be ruined, so all of it counts as one win. A jackpot with odd
        cents then makes no lattice of cents.
        """
        unit = step([value for value in (*normal.values, *short.values) if value < cap] + apart)

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
        return cls(unit, lowest, shorts, int(_loss(normal, short)), normal, short)

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


def _checked(
    rounds: int, bankroll: Fraction | int, stake: Fraction | int, call: Fraction | int, method: Method | None
) -> tuple[Fraction, Fraction, Fraction]:
    """The amounts as Fractions. InputError unless all is allowed."""
    check_rounds(rounds, MOST_PLAYED)
    for what, amount, allowed in (
        ("bankroll", bankroll, "0 or more"),
        ("stake", stake, "above 0"),
        ("call", call, "0 or more"),
    ):
        number = isinstance(amount, Rational) and not isinstance(amount, bool)
        if not number or amount < 0 or (what == "stake" and not amount):
            raise InputError(f"the {what} {quoted(amount)}: a whole number or a Fraction, {allowed}, is allowed")
    if method not in (None, "exact", "steps", "blocks"):
        raise InputError(f"the method {quoted(method)}: exact, steps or blocks is allowed")
    return Fraction(bankroll), Fraction(stake), Fraction(call)


def _loss(normal: Distribution, short: Distribution) -> Fraction:
    """The most that a round takes."""
    return max(-normal.values[0], -short.values[0], Fraction(0))


def _walk(one: Distribution, sign: int) -> tuple[Floats, Floats, float]:
    """A round's net result, or what it takes, as `chernoff_reach` wants it."""
    distances, chances, mean = about_mean(one.values, one)
    return sign * distances, chances, float(sign * mean)


def _top(normal: Distribution, rounds: int, short_of: Fraction, cut: float) -> Fraction:
    """A balance from which ruin has a chance of at most `cut`: not even what is short of a call is reached."""
    return short_of + ceil(chernoff_reach([_walk(normal, -1)], rounds, cut)) + 1


def _cap(top: Fraction, loss: Fraction) -> Fraction:
    """A win after which no block of rounds ends at a balance below the top: blocks lose at most a quarter of it."""
    return top * 5 / 4 + _MOST_BLOCK * loss


def _last(tests: Iterable[bool]) -> int:
    """The place of the last that is true, -1 when none is."""
    return max((place for place, true in enumerate(tests) if true), default=-1)


def _counted(game: _Game, rounds: int, place: int | None) -> tuple[list[int], int]:
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


def _floats(
    game: _Game, rounds: int, height: int, method: Method | None, progress: bool | None
) -> tuple[Floats, float, Method]:
    """The chances of ruin from the lowest `height` places, as if higher ones were safe, the error, and the method."""
    quick = rounds * len(game.normal.values) * (height + 1_000) <= _MOST_STEPS
    with progress_bar(progress, total=rounds, desc="ruin", unit="round", delay=1) as bar:
        if method == "steps" or (method is None and quick) or height <= game.shorts + 2 * game.loss:
            return *_stepped(game, np.zeros(height), 0.0, rounds, bar), "steps"
        return *_Blocks(game, height, rounds).run(rounds, bar), "blocks"


def _stepped(game: _Game, chances: Floats, error: float, rounds: int, bar: tqdm[Any]) -> tuple[Floats, float]:
    """So many more rounds, one by one; the error grows by what rounding a mean of chances can come to."""
    for _ in range(rounds):
        chances = _one_round(game, chances, len(chances))
        bar.update()
    return chances, error + rounds * game.rounding


def _one_round(game: _Game, chances: Floats, height: int) -> Floats:
    """The chances of ruin with one more round, from the lowest `height` places."""
    padded = np.concatenate((np.ones(game.loss), chances))
    found = np.zeros(height)
    for moves, start, stop in zip(game.moves, (0, game.shorts), (min(game.shorts, height), height), strict=True):
        for move, chance in moves:
            read = padded[game.loss + move + start : game.loss + move + stop]
            found[start : start + len(read)] += chance * read
    return found


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
    def of(cls, game: _Game, rounds: int, height: int) -> _Kernel:
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


class _Blocks:
    """Many rounds at once, on the lowest `height` places; those above are safe.

    `base` rounds at once are one matrix for the places that could come near the stake in them, and a kernel for the
    others; two, four, eight times as many are a kernel, and nearer twice the half.
    """

    def __init__(self, game: _Game, height: int, rounds: int) -> None:
        self._game, self._height = game, height
        self._kernels: dict[int, _Kernel] = {}
        self._base = _MOST_BLOCK
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
        chances, error = _stepped(self._game, np.zeros(self._height), 0.0, rounds % self._base, bar)
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

    def __init__(self, game: _Game, rounds: int, height: int) -> None:
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

    def __init__(self, game: _Game) -> None:
        self._game = game
        self._rows = game.shorts + game.loss
        self.spans: list[_Span] = [
            (max(0, move), self._rows + move) for moves in game.moves for move, _ in moves if self._rows + move > 0
        ]

    def mean(self, chances: Floats) -> tuple[Floats, float]:
        """The chances with one more round, and what error that adds."""
        return _one_round(self._game, chances, self._rows), self._game.rounding


def _padded(chances: Floats, start: int, count: int) -> Floats:
    """A copy of so many chances from this place on; beyond the last they are 0."""
    read = np.zeros(count)
    known = chances[start : start + count]
    read[: len(known)] = known
    return read
