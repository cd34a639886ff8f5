"""The side bets of a game: on which cards each is settled, by which lines, and what a unit bet on it wins or loses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from pycs.amounts import read_amount
from pycs.core import STUD, rank_hands
from pycs.errors import InputError
from pycs.holdem_rules import AA_BONUS_LINES, CasinoHoldemRules
from pycs.messages import nearest, quoted
from pycs.ranking import categories
from pycs.sections import CATEGORIES, JACKPOT_TABLES, FivePlusOne, Jackpot

if TYPE_CHECKING:
    from pycs.amounts import Amount
    from pycs.rules import Rules

__all__ = ["NOTHING", "Meter", "SideBet", "read_stakes", "side_bets", "with_lines"]

NOTHING: Final = "nothing"
"""The line that is none: the bet is lost."""

PAID_CATEGORIES: Final = CATEGORIES[: CATEGORIES.index("three of a kind") + 1]
"""The categories by which the 5+1 Bonus and the Jackpot may pay, high to low."""

_CATEGORY_LINES: Final = pl.Enum((*PAID_CATEGORIES, NOTHING))
_LARGEST_STAKE: Final = 1_000_000
_LARGEST_METER: Final = 999_999_999  # as many digits as amounts may have
_LARGEST_SHARERS: Final = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Meter:
    """The progressive meter behind a Jackpot, in the money unit of the profile.

    Of each `bet` the share `contribution` goes to the meter. It shows `amount` now; won in full, it starts again at
    `seed`. `sharers` is how many bet the Jackpot in the round: they hold the same hand, so they divide what comes from
    the meter. `shares` is the share of the meter that each line wins.
    """

    bet: int
    contribution: Fraction
    seed: int
    amount: Fraction
    sharers: int
    shares: Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class SideBet:
    """A side bet as a profile states it.

    `nets` gives for each line, high to low and then `NOTHING`, what a unit bet wins, or loses: -1. `fixed` gives the
    same with the meter at 0, where there is one. `alike` is how many raw deals hold the same cards, as far as this bet
    looks at them. With `requires_call` a player who folds loses the bet.
    """

    name: str
    title: str
    cards: str
    requires_call: bool
    alike: int
    nets: Mapping[str, Fraction]
    fixed: Mapping[str, Fraction]
    meter: Meter | None = None

    @property
    def column(self) -> str:
        """The column of `with_lines` that holds its line."""
        return self.name.replace("-", "_")

    def net(self, line: str, action: str) -> Fraction:
        """What a unit bet brings on this line after `fold` or `call`."""
        return Fraction(-1) if self.requires_call and action == "fold" else self.nets[line]


def side_bets(rules: Rules, *, meter: Amount | None = None, sharers: int | None = None) -> tuple[SideBet, ...]:
    """The side bets that the rules offer, in the order of the profile.

    `meter` and `sharers` take the place of what the profile says of its Jackpot. InputError for what cannot be, and for
    either under rules without a Jackpot.

    >>> from pycs.rules import load_rules
    >>> [bet.name for bet in side_bets(load_rules("live"))]
    ['five-plus-one', 'jackpot']
    >>> jackpot = side_bets(load_rules("live"), meter=263205)[1]
    >>> jackpot.nets["royal flush"], jackpot.nets["flush"], jackpot.nets["straight"]
    (Fraction(263204, 1), Fraction(49, 1), Fraction(-1, 1))
    """
    if isinstance(rules, CasinoHoldemRules):
        _require_jackpot(rules, None, meter, sharers)
        bonus = rules.aa_bonus
        if bonus is None:
            return ()
        pays = {line: Fraction(bonus.pays.of(line)) for line in AA_BONUS_LINES} | {NOTHING: Fraction(-1)}
        cards = "hole cards and flop"
        return (SideBet("aa-bonus", "AA Bonus", cards, bonus.bonus_requires_call, 1, pays, pays),)
    bets = rules.side_bets
    _require_jackpot(rules, bets.jackpot if bets else None, meter, sharers)
    found = []
    if bets and bets.five_plus_one:
        found.append(_five_plus_one(bets.five_plus_one))
    if bets and bets.jackpot:
        found.append(_jackpot(bets.jackpot, meter, sharers))
    return tuple(found)


def _five_plus_one(bet: FivePlusOne) -> SideBet:
    pays = {line: Fraction(getattr(bet.pays, line.replace(" ", "_"))) for line in PAID_CATEGORIES}
    nets = pays | {NOTHING: Fraction(-1)}
    cards = "best five of hand and upcard"
    return SideBet("five-plus-one", "5+1 Bonus", cards, bet.requires_call, 6, nets, nets)


def _jackpot(bet: Jackpot, meter: Amount | None, sharers: int | None) -> SideBet:
    prizes = bet.prizes or JACKPOT_TABLES[str(bet.table)]
    by_line = {line: prizes.of(line) for line in PAID_CATEGORIES}
    shares = {line: prize for line, prize in by_line.items() if isinstance(prize, Fraction)}
    behind = Meter(
        bet=bet.bet,
        contribution=bet.contribution_share,
        seed=bet.seed,
        amount=Fraction(bet.meter)
        if meter is None
        else read_amount(meter, "the meter", 0, _LARGEST_METER, "in the profile's money unit"),
        sharers=bet.sharers if sharers is None else sharers,
        shares=shares,
    )
    # A prize is "for one": the stake is gone whatever comes.
    fixed = {line: Fraction(0 if line in shares else prize) - 1 for line, prize in by_line.items()}
    each = behind.amount / (behind.sharers * behind.bet)
    nets = {line: net + shares.get(line, 0) * each for line, net in fixed.items()}
    lost = {NOTHING: Fraction(-1)}
    return SideBet("jackpot", "Jackpot", "the player's five cards", False, 47, nets | lost, fixed | lost, behind)


def _require_jackpot(rules: Rules, jackpot: Jackpot | None, meter: Amount | None, sharers: int | None) -> None:
    for what, given in (("meter", meter), ("number of sharers", sharers)):
        if given is not None and jackpot is None:
            raise InputError(f"the {what} {quoted(given)}: {rules.name} has no Jackpot, so it must be left out")
    if sharers is not None and (type(sharers) is not int or not 1 <= sharers <= _LARGEST_SHARERS):
        raise InputError(f"the number of sharers {quoted(sharers)}: 1 to {_LARGEST_SHARERS} are allowed")


def read_stakes(stakes: Mapping[str, Amount], bets: tuple[SideBet, ...], profile: str) -> dict[str, Fraction]:
    """The size of the bet on each of the side bets, in antes; 0 where nothing is said.

    InputError for a bet that the profile does not offer, and for a size that cannot be.

    >>> from pycs.rules import load_rules
    >>> read_stakes({"jackpot": "0.1"}, side_bets(load_rules("live")), "live")
    {'five-plus-one': Fraction(0, 1), 'jackpot': Fraction(1, 10)}
    """
    names = [bet.name for bet in bets]
    if not isinstance(stakes, Mapping):
        raise InputError(f"the bets {quoted(stakes)}: a mapping of names to sizes is allowed")
    for name in stakes:
        if name not in names:
            allowed = f"{profile} offers {' and '.join(names)}" if names else f"{profile} offers no side bet"
            raise InputError(f"the bet {quoted(name)}: {allowed}{nearest(str(name), names)}")
    return {name: read_amount(stakes.get(name, 0), f"the bet on {name}", 0, _LARGEST_STAKE, "antes") for name in names}


def with_lines(deals: pl.DataFrame, bets: tuple[SideBet, ...]) -> pl.DataFrame:
    """Add to all canonical deals of a game, in their order, a column for each bet: the line that its cards make.

    The column of the AA Bonus is there already (`pycs.deal_frames.deal_frame`).
    """
    for bet in bets:
        if bet.name == "five-plus-one":
            cards, _ = STUD.canonical_deals(np.arange(STUD.deals, dtype=np.uint32))
            deals = deals.with_columns(_as_lines(categories(rank_hands(cards))).alias(bet.column))
        elif bet.name == "jackpot":
            deals = deals.with_columns(_as_lines(deals["category"].to_physical().to_numpy()).alias(bet.column))
    return deals


def _as_lines(category: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> pl.Series:
    """The lines of categories that count from 0, a high card, to 9, a royal flush."""
    line = np.minimum(len(CATEGORIES) - 1 - category, len(PAID_CATEGORIES))
    return pl.Series(_CATEGORY_LINES.categories, dtype=_CATEGORY_LINES).gather(pl.Series(line.astype(np.uint32)))
