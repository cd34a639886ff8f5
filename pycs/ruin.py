"""The chance that a bankroll does not last: exact, or in floats with the bound of its error.

Before each round the balance decides what is played. Below the stake (ante and side bets) the player is ruined and
plays no more. With the stake, but not enough for the call after it, a call that can't be paid is a fold, so the round
brings what `short` says. With enough for both it brings what `normal` says.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from numbers import Rational
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import numpy as np

from pycs.balances import Balances, counted, most_lost, stepped
from pycs.distributions import Distribution
from pycs.errors import InputError
from pycs.messages import quoted
from pycs.progress import progress_bar
from pycs.ruin_blocks import MOST_BLOCK, Blocks
from pycs.sessions import (
    CUT,
    about_mean,
    check_rounds,
    chernoff_reach,
    fraction_texts,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pycs.sessions import Floats

__all__ = ["MOST_PLAYED", "Bankroll", "Method", "Ruin", "bankroll_for", "ruin"]

MOST_PLAYED: Final = 10_000_000
"""The most rounds that the chance of ruin is worked out for: some minutes."""


Method: TypeAlias = Literal["exact", "steps", "blocks", "bound"]
"""How a chance of ruin was found: in whole numbers, in floats round by round or by blocks of rounds, or as at most some
`error`."""

_MOST_WORK: Final = 2**35  # bits that an exact recursion may multiply: some seconds
_MOST_STEPS: Final = 2**30  # chances that are multiplied round by round: less than two seconds


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
    loss = most_lost(normal, short)
    if bankroll < stake:
        return Ruin(rounds, bankroll, Fraction(1), 0.0, "exact")
    if bankroll - stake >= rounds * loss:
        return Ruin(rounds, bankroll, Fraction(0), 0.0, "exact")
    game = Balances.of(normal, short, stake, call, rounds * loss, bankroll, [])
    if method == "exact" or (method is None and game.work(rounds) <= _MOST_WORK):
        chances, ways = counted(game, rounds, game.place(bankroll))
        return Ruin(rounds, bankroll, Fraction(chances[0], ways), 0.0, "exact")
    enough = _top(normal, rounds, stake + call, CUT)
    if bankroll >= enough:
        return Ruin(rounds, bankroll, 0.0, CUT, "bound")
    up = chernoff_reach([_walk(normal, 1), _walk(short, 1)], rounds)
    top = min(enough, bankroll + ceil(up) + 1, stake + rounds * loss)
    game = Balances.of(normal, short, stake, call, _cap(top, loss), bankroll, [])
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
    risk, loss, first = Fraction(risk), most_lost(normal, short), ceil(stake)
    game = Balances.of(normal, short, stake, call, rounds * loss, Fraction(0), [Fraction(1)])
    if not loss:
        return Bankroll(rounds, risk, first, first, Fraction(0), Fraction(1), 0.0, "exact")
    if method == "exact" or (method is None and game.work(rounds) <= _MOST_WORK):
        chances, ways = counted(game, rounds, None)
        exact = [Fraction(chance, ways) for chance in chances[game.place(first) :: game.per_ante]]
        least = _last(chance > risk for chance in exact) + 1
        exact = [Fraction(1), *exact, Fraction(0)]  # of one ante less than the stake, and with what ruin can't reach
        return Bankroll(rounds, risk, first + least, first + least, exact[least + 1], exact[least], 0.0, "exact")
    cut = min(CUT, float(risk))
    top = min(_top(normal, rounds, stake + call, cut), stake + rounds * loss)
    game = Balances.of(normal, short, stake, call, _cap(top, loss), Fraction(0), [Fraction(1)])
    found, error, how = _floats(game, rounds, game.height(top), method, progress)
    error += cut
    floats = [1.0, *np.clip(found[game.place(first) :: game.per_ante], 0.0, 1.0).tolist(), 0.0]
    # beyond the floats the chance is at most `cut`, and so at most the risk, whatever the error
    most = _last(chance + error > risk for chance in floats[1:-1]) + 1
    least = _last(chance - error > risk for chance in floats[1:-1]) + 1
    return Bankroll(rounds, risk, first + most, first + least, floats[most + 1], floats[most], error, how)


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


def _walk(one: Distribution, sign: int) -> tuple[Floats, Floats, float]:
    """A round's net result, or what it takes, as `chernoff_reach` wants it."""
    distances, chances, mean = about_mean(one.values, one)
    return sign * distances, chances, float(sign * mean)


def _top(normal: Distribution, rounds: int, short_of: Fraction, cut: float) -> Fraction:
    """A balance from which ruin has a chance of at most `cut`: not even what is short of a call is reached."""
    return short_of + ceil(chernoff_reach([_walk(normal, -1)], rounds, cut)) + 1


def _cap(top: Fraction, loss: Fraction) -> Fraction:
    """A win after which no block of rounds ends at a balance below the top: blocks lose at most a quarter of it."""
    return top * 5 / 4 + MOST_BLOCK * loss


def _last(tests: Iterable[bool]) -> int:
    """The place of the last that is true, -1 when none is."""
    return max((place for place, true in enumerate(tests) if true), default=-1)


def _floats(
    game: Balances, rounds: int, height: int, method: Method | None, progress: bool | None
) -> tuple[Floats, float, Method]:
    """The chances of ruin from the lowest `height` places, as if higher ones were safe, the error, and the method."""
    quick = rounds * len(game.normal.values) * (height + 1_000) <= _MOST_STEPS
    with progress_bar(progress, total=rounds, desc="ruin", unit="round", delay=1) as bar:
        if method == "steps" or (method is None and quick) or height <= game.shorts + 2 * game.loss:
            return *stepped(game, np.zeros(height), 0.0, rounds, bar), "steps"
        return *Blocks(game, height, rounds).run(rounds, bar), "blocks"
