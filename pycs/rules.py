"""The rules of a game as data: what a profile says, checked and frozen.

A profile is a TOML file that states everything about one house's game. `load_rules` reads a shipped one by its name, or
any file by its path. Stakes and net results are whole numbers of antes; every pay is "to one", that is, the stake comes
back on top of it. Rules never change once made, and every function here is pure, so threads may share all of it.

>>> rules = load_rules("us")
>>> rules.dealer.qualifies, rules.pays.flush, rules.net_win("flush")
('ace-king', 5, 11)
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import msgspec

from pycs.errors import InputError
from pycs.messages import nearest, quoted, shown, shown_path
from pycs.profiles import check, is_path, profile_names, read_file, read_shipped, refuse
from pycs.sections import (
    CATEGORIES,
    JACKPOT_TABLES,
    MAX_CALL,
    MAX_MONEY,
    MAX_PAY,
    Boxes,
    Dealer,
    Exchange,
    Fees,
    FivePlusOne,
    FivePlusOnePays,
    Jackpot,
    Limits,
    Name,
    Note,
    Pays,
    Prizes,
    Section,
    Session,
    SharedHand,
    SideBets,
    Source,
    Stakes,
    Text,
    objections,
    pay_line,
)

__all__ = [
    "CATEGORIES",
    "JACKPOT_TABLES",
    "LOWEST_QUALIFYING",
    "MAX_CALL",
    "MAX_MONEY",
    "MAX_PAY",
    "Boxes",
    "CaribbeanStudRules",
    "Dealer",
    "Exchange",
    "Fees",
    "FivePlusOne",
    "FivePlusOnePays",
    "Jackpot",
    "Limits",
    "Note",
    "Pays",
    "Prizes",
    "Rules",
    "Session",
    "SharedHand",
    "SideBets",
    "Source",
    "Stakes",
    "load_rules",
    "pay_line",
    "profile_names",
    "rules_from_dict",
]

LOWEST_QUALIFYING: Final[Mapping[str, str | None]] = MappingProxyType(
    {
        "any": None,
        "ace-high": "As6d4h3c2s",
        "ace-king": "AsKd4h3c2s",
        "pair-of-twos": "2s2d5h4c3s",
        "pair-of-threes": "3s3d5h4c2s",
        "pair-of-fours": "4s4d5h3c2s",
        "pair-of-fives": "5s5d4h3c2s",
        "pair-of-sixes": "6s6d4h3c2s",
        "pair-of-sevens": "7s7d4h3c2s",
        "pair-of-eights": "8s8d4h3c2s",
        "pair-of-nines": "9s9d4h3c2s",
        "pair-of-tens": "TsTd4h3c2s",
        "pair-of-jacks": "JsJd4h3c2s",
        "pair-of-queens": "QsQd4h3c2s",
        "pair-of-kings": "KsKd4h3c2s",
        "pair-of-aces": "AsAd4h3c2s",
    }
)
"""What a dealer may need to qualify, and for each the lowest five cards that do: he qualifies with these or better.

`any` means that he always plays, so there is no lowest hand. `ace-high` is an ace without a pair (A-5-4-3-2 is a
straight, so A-6-4-3-2 is the lowest); `ace-king` an ace and a king without a pair, the rule of Caribbean Stud;
`pair-of-...` that pair with the lowest three cards beside it. Suits never rank: they are chosen to make no flush.
"""


class CaribbeanStudRules(Section, frozen=True, kw_only=True, tag_field="game", tag="caribbean-stud"):
    """One house's Caribbean Stud, as its profile states it. Frozen and hashable; made by `load_rules`.

    Net results are whole numbers of antes, for a round without an exchange; each exchange takes its fee off them.

    >>> rules = load_rules("us")
    >>> rules.net_fold, rules.net_lose, rules.net_not_qualified, rules.net_push
    (-1, -3, 1, 0)
    """

    name: Name
    title: Text
    source: Source
    stakes: Stakes
    dealer: Dealer
    pays: Pays
    exchange: Exchange | None = None
    boxes: Boxes | None = None
    shared_hand: SharedHand | None = None
    limits: Limits | None = None
    session: Session | None = None
    side_bets: SideBets | None = None
    notes: tuple[Note, ...] = ()

    @property
    def game(self) -> str:
        """The game of which these are rules: `caribbean-stud`."""
        return str(self.__struct_config__.tag)

    @property
    def net_fold(self) -> int:
        """The ante is lost."""
        return -self.stakes.ante

    @property
    def net_lose(self) -> int:
        """The dealer qualifies and is better: ante and call are lost."""
        return -(self.stakes.ante + self.stakes.call)

    @property
    def net_not_qualified(self) -> int:
        """The dealer does not qualify: the ante wins 1 to 1 and the call comes back, whatever the player holds."""
        return self.stakes.ante

    @property
    def net_push(self) -> int:
        """An exact tie: ante and call come back."""
        return 0

    def net_win(self, category: str) -> int:
        """The dealer qualifies and the player is better, with a hand of this category (one of `CATEGORIES`).

        The ante wins 1 to 1 and the call by the pay table. `InputError` for any other word.

        >>> load_rules("us").net_win("royal flush"), load_rules("us").net_win("high card")
        (201, 3)
        """
        return self.stakes.ante + self.stakes.call * self.pays.of(category)

    @property
    def digest(self) -> str:
        """SHA-256, in hex, of the rules that decide the main bet, which a table is counted by.

        That is `game`, `stakes`, `dealer`, `pays` and, where there is one, `exchange`, as JSON with sorted keys and no
        spaces. What is only said (`name`, `title`, `source`, `notes`) and what leaves the value of a hand alone (side
        bets, boxes, sessions, limits, sharing) is left out: a Jackpot's meter moves every day, the tables stay good.
        The digest is the same in every run and for every order of the keys.

        >>> len(load_rules("us").digest), load_rules("betmgm").digest == load_rules("live").digest
        (64, True)
        """
        everything = self.to_dict()
        played = {key: everything[key] for key in ("game", "stakes", "dealer", "pays", "exchange") if key in everything}
        text = json.dumps(played, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(text.encode("ascii")).hexdigest()

    @property
    def not_counted(self) -> tuple[str, ...]:
        """What these rules offer beyond the fold or call of one hand, which is all that pycs counts of them so far.

        >>> load_rules("us").not_counted, load_rules("three-box").not_counted
        ((), ('the exchange', 'further boxes', 'limits of money'))
        """
        bets = self.side_bets or SideBets()
        parts = {
            "the exchange": self.exchange,
            "further boxes": self.boxes,
            "the 5+1 Bonus": bets.five_plus_one,
            "the Jackpot": bets.jackpot,
            "the session's result": self.session,
            "limits of money": self.limits,
        }
        return tuple(name for name, part in parts.items() if part is not None)

    def to_dict(self) -> dict[str, Any]:
        """The full rules as plain dicts, lists, texts and ints, keyed as in the TOML file; absent keys are left out.

        `rules_from_dict` makes equal rules of it, also after a way through JSON.

        >>> rules_from_dict(load_rules("live").to_dict()) == load_rules("live")
        True
        """
        plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))
        return plain

    def _objections(self) -> Iterator[tuple[str, str]]:
        """What the sections hold against each other: the key at fault and what is allowed there."""
        if self.dealer.qualifies not in LOWEST_QUALIFYING:
            given, names = self.dealer.qualifies, tuple(LOWEST_QUALIFYING)
            yield "dealer.qualifies", f"must be one of {', '.join(names)}, not {shown(given)}{nearest(given, names)}"
        yield from objections(self.exchange, self.boxes, self.limits, self.side_bets)


Rules: TypeAlias = CaribbeanStudRules
"""The rules of any game that pycs knows: one struct type for each value of `game`."""

_GAMES: Final[Mapping[str, type[Rules]]] = MappingProxyType({"caribbean-stud": CaribbeanStudRules})


def load_rules(profile: str | os.PathLike[str] | Rules) -> Rules:
    """The rules of a shipped profile, by its name, or of a TOML file, by its path.

    A text that holds a path separator or ends in `.toml` is a path, and so is every `os.PathLike`; any other text is
    the name of a shipped profile (`profile_names`). Rules are given back as they are. A file must not give rules of its
    own the name of a shipped profile.

    Raises `InputError`, always one line, for an unknown name, for a file that is missing, is not a file or is not TOML
    in UTF-8, and for a key that is unknown, missing or has a value that is not allowed: the line names the file, the
    key as a dotted path (`pays.flush`; entries of a list count from 1) and what is allowed.

    >>> load_rules("three-box").boxes
    Boxes(fewest=1, most=3, blind=(3,))
    >>> load_rules("betmgn")
    Traceback (most recent call last):
    ...
    pycs.errors.InputError: no profile is called 'betmgn' (did you mean betmgm?): give one of us, betmgm, live, \
three-box, triple-exchange, or the path of a .toml file
    """
    if isinstance(profile, Rules):
        return _checked(profile)
    try:
        path = os.fsdecode(profile)
    except TypeError:
        raise InputError(f"the profile {quoted(profile)}: a name, a TOML file's path or rules are allowed") from None
    if isinstance(profile, str) and not is_path(path):
        return _load_shipped(path)
    where = shown_path(path)
    rules = rules_from_dict(read_file(path), where=where)
    if rules.name in profile_names() and rules.digest != _load_shipped(rules.name).digest:
        raise refuse(where, "name", f"must not be {shown(rules.name)}, a shipped profile with other rules than these")
    return rules


def rules_from_dict(data: dict[str, Any], *, where: str = "rules") -> Rules:
    """The rules that a dict states, keyed as in a TOML file: the way back from `Rules.to_dict`.

    `where` begins the message of an `InputError`, raised as by `load_rules` for a key that is unknown, missing or has a
    value that is not allowed. To try a rule of your own, change such a dict and make rules of it again:

    >>> changed = load_rules("us").to_dict()
    >>> changed["pays"]["flush"] = -1
    >>> rules_from_dict(changed)
    Traceback (most recent call last):
    ...
    pycs.errors.InputError: rules: pays.flush: must be a whole number from 0 to 1000000, not -1
    """
    if not isinstance(data, dict):
        raise refuse(where, "", f"must be a table of keys, not {shown(data)}")
    game = data.get("game")
    if not isinstance(game, str) or game not in _GAMES:
        found = f"not {shown(game)}" if "game" in data else "and is missing"
        raise refuse(where, "game", f"must be one of {', '.join(_GAMES)}, {found}")
    cls = _GAMES[game]
    check(data, cls, where)
    rules = msgspec.convert(data, cls)
    for key, text in rules._objections():
        raise refuse(where, key, text)
    return rules


def _checked(rules: Rules) -> Rules:
    """Rules that were changed by hand have not been held against anything yet."""
    try:
        return _held(rules)
    except TypeError:  # a value that is not even hashable
        raise InputError(f"rules {quoted(rules)}: change rules by way of to_dict and rules_from_dict") from None


@functools.lru_cache(maxsize=256)
def _held(rules: Rules) -> Rules:
    try:
        return rules_from_dict(rules.to_dict())
    except (TypeError, ValueError, OverflowError, msgspec.MsgspecError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"rules {quoted(rules)}: {quoted(str(error))}") from None


@functools.cache
def _load_shipped(name: str) -> Rules:
    return rules_from_dict(read_shipped(name), where=f"{name}.toml")
