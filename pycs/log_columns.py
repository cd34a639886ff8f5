"""Which column of a log says what: told by the user, or guessed from its name and then stated."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import polars as pl

from pycs.errors import InputError
from pycs.games import CASINO_HOLDEM
from pycs.messages import nearest, quoted

if TYPE_CHECKING:
    from pycs.games import Game

__all__ = ["ROLES", "LogColumns", "check_types", "map_columns"]

ROLES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "player": "the player's cards, those that he holds in the end",
        "upcard": "the dealer's upcard; without it, it is the first of the dealer's cards",
        "dealer": "the dealer's cards, with the upcard or without it; may be empty after a fold",
        "board": "casino-holdem: the cards on the table, the flop first",
        "gave_up": "the cards given up in an exchange, empty without one",
        "dealt": "the cards dealt first, needed where a part of them can be given up",
        "action": "fold or call, what was done last; without it, a round with a call bet was called",
        "ante": "the ante, in any unit of money; without it, one unit, or what a fold loses",
        "call": "the call bet, 0 after a fold",
        "fees": "what exchanges cost",
        "staked": "all that was staked",
        "returned": "all that came back, stakes included",
        "net": "the net result, in the unit of the ante",
        "profile": "the profile's name, where a log may hold rounds of several",
        "round": "the number of the round",
    }
)
"""What a column can say: the names by which `--columns` calls it."""

# Names as logs have them, in small letters without spaces and signs.
_ALIASES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "player": ("player", "playerhand", "playercards", "hand", "hero", "herocards", "holecards", "hole", "cards"),
        "upcard": ("upcard", "up", "dealerup", "dealerupcard", "dealersupcard", "opencard", "faceup"),
        "dealer": (
            "dealer",
            "dealerhand",
            "dealercards",
            "dealershand",
            "dealerhole",
            "dealerholecards",
            "dealerhidden",
            "dealerdown",
            "hidden",
            "house",
            "bank",
        ),
        "board": ("board", "boardcards", "community", "communitycards", "table"),
        "dealt": ("dealt", "dealthand", "firsthand", "initialhand"),
        "gave_up": ("gaveup", "givenup", "discards", "discarded", "discardedcards", "exchanged", "oldhand"),
        "action": ("action", "decision", "choice", "move", "play"),
        "ante": ("ante", "antebet"),
        "call": ("call", "callbet", "raise", "raisebet", "playbet"),
        "fees": ("fees", "fee", "exchangefee", "drawfee"),
        "staked": (
            "staked",
            "stake",
            "totalbet",
            "totalstake",
            "totalstaked",
            "wager",
            "wagered",
            "totalwager",
            "debit",
        ),
        "returned": ("returned", "return", "payout", "paid", "payback", "totalreturn", "totalwin", "credit"),
        "net": (
            "net",
            "result",
            "netresult",
            "netwin",
            "win",
            "winloss",
            "profit",
            "pl",
            "pnl",
            "delta",
            "balancechange",
        ),
        "profile": ("profile", "game", "gamename", "variant"),
        "round": ("round", "roundid", "roundno", "id", "number", "no", "nr", "n", "seq", "index"),
    }
)

_BY_NUMBER: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "player": ("player", "playercard", "p", "hand", "handcard", "card", "hole", "holecard"),
        "dealer": ("dealer", "dealercard", "d", "house"),
        "board": ("board", "boardcard", "b", "community", "communitycard"),
        "gave_up": ("discard", "gaveup"),
    }
)
"""Columns of one card each, such as `p1` to `p5`."""

_OF_CARDS: Final = ("player", "dealer", "board", "gave_up", "dealt")
"""Roles that may have a column for each card."""

_BETS: Final = ("bet", "bets", "wageramount", "betamount")

_STREETS: Final = ("flop", "turn", "river")


@dataclass(frozen=True)
class LogColumns:
    """The columns of a log by what they say: a role of `ROLES`, and one column or several with a card each.

    `guessed` are the roles that were found by the names of columns. `open_bet` is a column called `bet`, which may be
    the ante, the call or all that was staked: its figures tell.
    """

    by_role: Mapping[str, tuple[str, ...]]
    guessed: tuple[str, ...]
    open_bet: str | None = None

    def __contains__(self, role: str) -> bool:
        """Whether the log has it."""
        return role in self.by_role

    def one(self, role: str) -> str:
        """The column of a role that has one."""
        return self.by_role[role][0]

    def with_role(self, role: str, column: str) -> LogColumns:
        """With one more role that was found by looking at a column."""
        return LogColumns({**self.by_role, role: (column,)}, (*self.guessed, role))

    def renamed(self, role: str, other: str) -> LogColumns:
        """With another role for what was guessed to have this one."""
        by_role = {other if name == role else name: columns for name, columns in self.by_role.items()}
        return replace(self, by_role=by_role, guessed=tuple(other if name == role else name for name in self.guessed))

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that are read, each once."""
        named = [column for columns in self.by_role.values() for column in columns]
        return tuple(dict.fromkeys([*named, *([self.open_bet] if self.open_bet else [])]))

    @property
    def words(self) -> str:
        """What was understood, in one line; columns that are called as their role go without saying."""
        said = [
            f"{role} = {'+'.join(columns)}" + (" (guessed)" if role in self.guessed else "")
            for role, columns in self.by_role.items()
            if columns != (role,)
        ]
        same = [role for role, columns in self.by_role.items() if columns == (role,)]
        return "; ".join([*([", ".join(same)] if same else []), *said])


def map_columns(game: Game, columns: tuple[str, ...], given: str | Mapping[str, str] = "") -> LogColumns:
    """Which column says what. `given` are pairs such as `net=result,player=c1+c2+c3+c4+c5`; the rest is guessed.

    InputError when a role or a column is none, and when what every log must tell is missing: the player's cards, the
    dealer's, and what was done.

    >>> from pycs.games import CARIBBEAN_STUD
    >>> map_columns(CARIBBEAN_STUD, ("Hand", "Dealer Up", "dealer", "decision", "x"), "net=x").words
    'dealer; net = x; player = Hand (guessed); upcard = Dealer Up (guessed); action = decision (guessed)'
    """
    told = _told(given, columns)
    left = [column for column in columns if column not in {each for group in told.values() for each in group}]
    found: dict[str, tuple[str, ...]] = {}
    for role, aliases in _ALIASES.items():
        named = [column for alias in aliases for column in left if _plain(column) == alias]
        if role not in told and named and (role != "board" or game is CASINO_HOLDEM):
            found[role] = (named[0],)
            left.remove(named[0])
    for role, stems in _BY_NUMBER.items():
        if role not in told and role not in found:
            for stem in stems:
                numbered = sorted((int(m[1]), c) for c in left if (m := re.fullmatch(rf"{stem}(\d)", _plain(c))))
                if len(numbered) > 1:
                    found[role] = tuple(column for _, column in numbered)
                    break
    streets = {street: column for street in _STREETS for column in left if _plain(column) in (street, f"{street}card")}
    if game is CASINO_HOLDEM and "board" not in {**told, **found} and len(streets) == len(_STREETS):
        found["board"] = tuple(streets[street] for street in _STREETS)
    bets = [column for column in left if _plain(column) in _BETS and (column,) not in found.values()]
    bet = bets[0] if len(bets) == 1 and "staked" not in {**told, **found} else None
    mapped = LogColumns({**told, **found}, tuple(role for role in found if found[role] != (role,)), bet)
    _require(game, mapped, columns)
    return mapped


def check_types(mapped: LogColumns, types: Mapping[str, pl.DataType]) -> None:
    """InputError for a column of a type that can say nothing: only text, numbers and, for cards, lists of them can."""
    for role, columns in mapped.by_role.items():
        for column in columns:
            kind = types.get(column)
            inner = kind.inner if isinstance(kind, pl.List) and role in _OF_CARDS else kind
            if inner is not None and not (inner.is_numeric() or inner in _TEXTS):
                lists = " or lists of them" if role in _OF_CARDS else ""
                raise InputError(f"the column {quoted(column)} of type {kind}: text or numbers{lists} are needed")


_TEXTS: Final = (pl.String, pl.Categorical, pl.Enum, pl.Null)


def _require(game: Game, mapped: LogColumns, columns: tuple[str, ...]) -> None:
    needed = ["player", "dealer", *(["board"] if game is CASINO_HOLDEM else [])]
    missing = [role for role in needed if role not in mapped]
    if not {"action", "call", "staked"} & set(mapped.by_role) and mapped.open_bet is None:
        missing.append("action")
    if missing:
        there = ", ".join(columns[:12]) + (", ..." if len(columns) > 12 else "")
        raise InputError(
            f"no column for {missing[0]} ({ROLES[missing[0]]}): the columns are {quoted(there)[1:-1]}; "
            f"say which with --columns {missing[0]}=NAME"
        )


def _told(given: str | Mapping[str, str], columns: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    if not isinstance(given, str | Mapping):
        raise InputError(f"the columns {quoted(given)}: text as net=result,player=hand, or a mapping is allowed")
    pairs = (
        [tuple(part.partition("=")[::2]) for part in given.split(",") if part.strip()]
        if isinstance(given, str)
        else list(given.items())
    )
    told: dict[str, tuple[str, ...]] = {}
    for role, named in pairs:
        role = role.strip()
        if role not in ROLES:
            raise InputError(f"the column {quoted(role)}{nearest(role, ROLES)}: {', '.join(ROLES)} are allowed")
        group = tuple(each.strip() for each in str(named).split("+"))
        if role in told:
            raise InputError(f"the column {quoted(role)} is told twice: once is enough")
        if len(group) > 1 and role not in _OF_CARDS:
            raise InputError(
                f"{quoted(str(named))} for {role}: one column is allowed; several for {', '.join(_OF_CARDS)}"
            )
        for column in group:
            if column not in columns:
                there = ", ".join(columns)
                raise InputError(f"no column {quoted(column)} for {role}{nearest(column, columns)}: there are {there}")
        told[role] = group
    return told


def _plain(column: str) -> str:
    return re.sub(r"[^a-z0-9]", "", column.lower())
