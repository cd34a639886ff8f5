"""The sections of a profile: stakes, pays, exchange, boxes, limits and side bets, one frozen type for each.

The types say which keys a section of the TOML file has and in what range; `section_objections` says what the
sections of Caribbean Stud hold against each other. All of it is immutable, so threads may share it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from pycs.errors import InputError
from pycs.messages import shown

MAX_PAY: Final = 1_000_000
"""The highest pay a profile may state, to one. With `MAX_CALL` it bounds a net result by 1,000,000,001 antes, so the
sum over the 163,185 dealer hands of one deal stays below 1.7e14, far inside 64 bits. The sum over all deals of a game
does not: it needs wider integers."""

MAX_CALL: Final = 1_000
"""The largest call a profile may state, in antes."""

MAX_ANTE: Final = 999_999_999
"""The largest ante that a table's limits may state, in units of its currency."""

MAX_MONEY: Final = 1_000_000_000_000
"""The largest amount of money a profile may state, in units of its currency."""

CATEGORIES: Final = (
    "royal flush",
    "straight flush",
    "four of a kind",
    "full house",
    "flush",
    "straight",
    "three of a kind",
    "two pair",
    "pair",
    "high card",
)
"""The ten categories of a five-card hand, high to low."""

_Pay = Annotated[int, Meta(ge=0, le=MAX_PAY)]
_Box = Annotated[int, Meta(ge=1, le=9)]
_Fee = Annotated[int, Meta(ge=0, le=MAX_CALL)]
_Ante = Annotated[int, Meta(ge=1, le=MAX_ANTE)]
_Money = Annotated[int, Meta(ge=1, le=MAX_MONEY)]
Text = Annotated[str, Meta(min_length=1, description="a text of one line, not empty")]
Name = Annotated[
    str,
    Meta(pattern="^[a-z0-9][a-z0-9-]{0,63}$", description="a name of at most 64 small letters, digits and hyphens"),
]
_Share = Annotated[
    str,
    Meta(
        pattern="^(100|[1-9]?[0-9])%$|^(0|[1-9][0-9]{0,6})/[1-9][0-9]{0,6}$",
        description='a share from nothing to all, as "10%" or "1/10"',
    ),
]
_Prize = _Pay | _Share


class Section(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What the sections of a profile share: frozen, compared by value, no key beyond those declared."""


class Source(Section, frozen=True, kw_only=True):
    """Where the rules come from: the document, and a published table they reproduce, if there is one."""

    document: Text
    published: Text | None = None


class Note(Section, frozen=True, kw_only=True):
    """A point that the source document leaves unclear, and how this profile settles it."""

    unclear: Text
    settled: Text


class Stakes(Section, frozen=True, kw_only=True):
    """What is bet, in antes: the ante is the unit, so always 1; the call is 1 to `MAX_CALL`."""

    ante: Annotated[int, Meta(ge=1, le=1, description="1, for the ante is the unit of every other amount")]
    call: Annotated[int, Meta(ge=1, le=MAX_CALL)]


class Dealer(Section, frozen=True, kw_only=True):
    """What the dealer needs to qualify: a key of `LOWEST_QUALIFYING`."""

    qualifies: Text


def pay_line(category: str) -> str:
    """The line of the pay table by which one of `CATEGORIES` is paid; `InputError` for any other word.

    >>> pay_line("flush"), pay_line("high card")
    ('flush', 'pair or less')
    """
    if category not in CATEGORIES:
        raise InputError(f"{shown(category)} is no category of hands: give one of {', '.join(CATEGORIES)}")
    return "pair or less" if category in ("pair", "high card") else category


class Pays(Section, frozen=True, kw_only=True):
    """What the call wins, to one, by the player's category; 0 to `MAX_PAY` each.

    >>> pays = Pays(royal_flush=100, straight_flush=50, four_of_a_kind=25, full_house=10, flush=7, straight=5,
    ...             three_of_a_kind=3, two_pair=2, pair_or_less=1)
    >>> pays.of("four of a kind"), pays.of("high card")
    (25, 1)
    """

    royal_flush: _Pay
    straight_flush: _Pay
    four_of_a_kind: _Pay
    full_house: _Pay
    flush: _Pay
    straight: _Pay
    three_of_a_kind: _Pay
    two_pair: _Pay
    pair_or_less: _Pay

    def of(self, category: str) -> int:
        """The pay, to one, for one of `CATEGORIES`; `InputError` for any other word."""
        pay: int = getattr(self, pay_line(category).replace(" ", "_"))
        return pay


class Fees(Section, frozen=True, kw_only=True):
    """What an exchange costs, in antes, by the number of cards given up (`1` to `5`); a size left out is refused."""

    one: _Fee | None = msgspec.field(default=None, name="1")
    two: _Fee | None = msgspec.field(default=None, name="2")
    three: _Fee | None = msgspec.field(default=None, name="3")
    four: _Fee | None = msgspec.field(default=None, name="4")
    five: _Fee | None = msgspec.field(default=None, name="5")

    def by_size(self) -> dict[int, int]:
        """The allowed sizes, ascending, each with its fee in antes.

        >>> Fees(five=1).by_size()
        {5: 1}
        """
        fees = (self.one, self.two, self.three, self.four, self.five)
        return {size: fee for size, fee in enumerate(fees, 1) if fee is not None}


class Exchange(Section, frozen=True, kw_only=True):
    """Cards given up for new ones before the decision. The fee is gone whatever happens, the old cards are dead.

    `in_a_row` is how many exchanges one box may make in a round; `boxes` says which boxes may, and is stated exactly
    when the profile has boxes.
    """

    in_a_row: Annotated[int, Meta(ge=1, le=8)]
    fees: Fees
    boxes: tuple[_Box, ...] | None = None


class Boxes(Section, frozen=True, kw_only=True):
    """How many boxes one player may fill, each with its own ante. They are decided in order; a blind box is not
    decided: its ante and call are staked before the deal."""

    fewest: _Box
    most: Annotated[int, Meta(ge=2, le=9)]
    blind: tuple[_Box, ...] = ()


class SharedHand(Section, frozen=True, kw_only=True):
    """How many players may play one and the same hand, each with his own decision; `any` when there is no limit."""

    players: Annotated[int, Meta(ge=1, le=1_000_000_000)] | Literal["any"]


class Limits(Section, frozen=True, kw_only=True):
    """Limits of money, in units of the table's currency.

    `exchange_leaves_call`: an exchange is refused when the balance after its fee could not cover the call.
    `exchange_leaves_later_calls`: nor when it could not cover the calls of the boxes that are decided later as well.
    `fold_when_short`: a box whose call cannot be paid may only fold.
    """

    ante_least: _Ante | None = None
    ante_most: _Ante | None = None
    exchange_leaves_call: bool = False
    exchange_leaves_later_calls: bool = False
    fold_when_short: bool = False


class Session(Section, frozen=True, kw_only=True):
    """A game made of a fixed number of rounds. Its net result, in antes, wins for the player when above `draw`, for the
    bank when below, and is a draw when equal."""

    rounds: Annotated[int, Meta(ge=1, le=1_000_000)]
    draw: Annotated[int, Meta(ge=-MAX_PAY, le=MAX_PAY)]


class FivePlusOnePays(Section, frozen=True, kw_only=True):
    """What the 5+1 Bonus wins, to one, by the best five of six cards; it is lost below three of a kind."""

    royal_flush: _Pay
    straight_flush: _Pay
    four_of_a_kind: _Pay
    full_house: _Pay
    flush: _Pay
    straight: _Pay
    three_of_a_kind: _Pay


class FivePlusOne(Section, frozen=True, kw_only=True):
    """The 5+1 Bonus: a bet on the best five of the player's five cards and the upcard."""

    requires_call: bool
    pays: FivePlusOnePays


class Prizes(Section, frozen=True, kw_only=True):
    """What a Jackpot bet wins by the player's own five cards; nothing below three of a kind.

    A whole number is a fixed prize for each 1 staked, and the stake does not come back. A text such as `"10%"` or
    `"1/10"` is that share of the meter, divided equally among all who bet the Jackpot in the round.
    """

    royal_flush: _Prize
    straight_flush: _Prize
    four_of_a_kind: _Prize
    full_house: _Prize
    flush: _Prize
    straight: _Prize
    three_of_a_kind: _Prize

    def of(self, category: str) -> int | Fraction:
        """The prize for one of `CATEGORIES`: an int, for each 1 staked, or a Fraction, the share of the meter.

        >>> JACKPOT_TABLES["50/75/100"].of("flush"), JACKPOT_TABLES["50/75/100"].of("straight flush")
        (50, Fraction(1, 10))

        `InputError` for any other word.
        """
        if category not in CATEGORIES:
            raise InputError(f"{shown(category)} is no category of hands: give one of {', '.join(CATEGORIES)}")
        prize: int | str = getattr(self, category.replace(" ", "_"), 0)
        return prize if isinstance(prize, int) else _fraction(prize)


class Jackpot(Section, frozen=True, kw_only=True):
    """The progressive Jackpot, a bet on the player's own five cards that fold and call do not touch.

    `bet`, `seed` and `meter` are whole numbers of one money unit (the smallest coin, if need be). `contribution` is the
    share of each bet that goes to the meter; `seed` is where the meter starts again once it is won; `meter` is what it
    shows now; `sharers` is how many bet the Jackpot in the round, the player himself included. The prizes are either
    a named `table`, a key of `JACKPOT_TABLES`, or written out as `prizes`.
    """

    bet: _Money
    contribution: _Share
    seed: Annotated[int, Meta(ge=0, le=MAX_MONEY)]
    meter: Annotated[int, Meta(ge=0, le=MAX_MONEY)]
    sharers: Annotated[int, Meta(ge=1, le=1_000_000_000)]
    table: Text | None = None
    prizes: Prizes | None = None

    @property
    def contribution_share(self) -> Fraction:
        """The share of each bet that goes to the meter, as a number."""
        return _fraction(self.contribution)


class SideBets(Section, frozen=True, kw_only=True):
    """The side bets on offer."""

    five_plus_one: FivePlusOne | None = None
    jackpot: Jackpot | None = None


def _progressive(flush: int, full_house: int, four_of_a_kind: int) -> Prizes:
    return Prizes(
        royal_flush="100%",
        straight_flush="10%",
        four_of_a_kind=four_of_a_kind,
        full_house=full_house,
        flush=flush,
        straight=0,
        three_of_a_kind=0,
    )


JACKPOT_TABLES: Final[Mapping[str, Prizes]] = MappingProxyType(
    {
        "50/75/100": _progressive(50, 75, 100),
        "75/100/500": _progressive(75, 100, 500),
        "100/150/250": _progressive(100, 150, 250),
        "100/250/500": _progressive(100, 250, 500),
    }
)
"""The published five-card progressives, named by their prizes for a flush, a full house and four of a kind, for each 1
staked. A straight flush wins 10% of the meter, a royal flush all of it, anything below a flush nothing."""


def section_objections(
    exchange: Exchange | None, boxes: Boxes | None, limits: Limits | None, side_bets: SideBets | None
) -> Iterator[tuple[str, str]]:
    """What is wrong between and within the sections: for each fault the key as a dotted path and what is allowed."""
    if boxes is not None:
        yield from _box_objections(boxes)
    if exchange is not None:
        yield from _exchange_objections(exchange, boxes)
    if limits is not None:
        yield from _limit_objections(limits, exchange, boxes)
    if side_bets is not None:
        if side_bets == SideBets():
            yield "side_bets", "must hold five_plus_one or jackpot, or be left out"
        if side_bets.jackpot is not None:
            yield from _jackpot_objections(side_bets.jackpot)


def _fraction(share: str) -> Fraction:
    return Fraction(int(share[:-1]), 100) if share.endswith("%") else Fraction(share)


def _list_objection(key: str, boxes: tuple[int, ...], most: int) -> Iterator[tuple[str, str]]:
    if list(boxes) != sorted(set(boxes)) or any(box > most for box in boxes):
        yield key, f"must list boxes from 1 to {most}, ascending, each once"


def _box_objections(boxes: Boxes) -> Iterator[tuple[str, str]]:
    if boxes.fewest > boxes.most:
        yield "boxes.fewest", f"must be at most boxes.most, {boxes.most}, not {boxes.fewest}"
    yield from _list_objection("boxes.blind", boxes.blind, boxes.most)


def _exchange_objections(exchange: Exchange, boxes: Boxes | None) -> Iterator[tuple[str, str]]:
    fees = exchange.fees.by_size()
    if not fees:
        yield "exchange.fees", "must state the fee of at least one size, with a key from 1 to 5"
        return
    if boxes is None and exchange.boxes is not None:
        yield "exchange.boxes", "must be left out in a profile without [boxes]"
    if boxes is not None and not exchange.boxes:
        yield "exchange.boxes", f"must list the boxes that may exchange, from 1 to {boxes.most}"
    if boxes is not None and exchange.boxes:
        yield from _list_objection("exchange.boxes", exchange.boxes, boxes.most)
        if set(exchange.boxes) & set(boxes.blind):
            yield "exchange.boxes", "must not list a blind box (boxes.blind), which is dealt without a look"
    hands = 1 if boxes is None else boxes.most
    exchanging = 1 if boxes is None else len(exchange.boxes or ())
    cards = 5 + 5 * hands + max(fees) * exchange.in_a_row * exchanging
    if cards > 52:
        yield "exchange.in_a_row", f"must leave a round within 52 cards, and this one can need {cards}"


def _limit_objections(limits: Limits, exchange: Exchange | None, boxes: Boxes | None) -> Iterator[tuple[str, str]]:
    if limits == Limits():
        yield "limits", "must hold a limit, or be left out"
    if limits.ante_least is not None and limits.ante_most is not None and limits.ante_least > limits.ante_most:
        yield "limits.ante_least", f"must be at most limits.ante_most, {limits.ante_most}, not {limits.ante_least}"
    if limits.exchange_leaves_call and exchange is None:
        yield "limits.exchange_leaves_call", "must be false or left out in a profile without [exchange]"
    if limits.exchange_leaves_later_calls and (boxes is None or not limits.exchange_leaves_call):
        needed = "must be false or left out in a profile without [boxes], or without exchange_leaves_call"
        yield "limits.exchange_leaves_later_calls", needed


def _jackpot_objections(jackpot: Jackpot) -> Iterator[tuple[str, str]]:
    key = "side_bets.jackpot"
    tables = ", ".join(JACKPOT_TABLES)
    if (jackpot.table is None) == (jackpot.prizes is None):
        yield key, f"must hold either a table (one of {tables}) or prizes of its own, and not both"
    if jackpot.table is not None and jackpot.table not in JACKPOT_TABLES:
        yield f"{key}.table", f"must be one of {tables}, not {shown(jackpot.table)}"
    if jackpot.contribution_share > 1:
        yield f"{key}.contribution", f"must be a share from nothing to all, not {shown(jackpot.contribution)}"
    if jackpot.prizes is not None:
        for category in CATEGORIES:
            prize = jackpot.prizes.of(category)
            if isinstance(prize, Fraction) and prize > 1:
                name = category.replace(" ", "_")
                yield f"{key}.prizes.{name}", f"must be a share from nothing to all, not {prize}"
