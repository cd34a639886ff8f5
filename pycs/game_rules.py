"""What the rules of every game share: names and sources, what the dealer needs, and the digest of what is played.

Each game has its own type of rules (`pycs.stud_rules`, `pycs.holdem_rules`); `pycs.rules` reads them from profiles.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Final

import msgspec

from pycs.messages import nearest, shown
from pycs.sections import Name, Section, Source, Stakes, Text

__all__ = ["LOWEST_QUALIFYING", "GameRules", "qualifier_objections"]

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


_BESIDE_THE_MAIN_BET: Final = frozenset({"the 5+1 Bonus", "the Jackpot", "the session's result"})
"""Among what `not_counted` names: what leaves a hand's best action and the main bet alone."""


class GameRules(Section, frozen=True, kw_only=True, tag_field="game"):
    """One house's rules of a game, as its profile states them. Frozen and hashable.

    `outcomes` are the ways in which a completion can end after a call, in the order in which they are counted;
    `played` are the keys of a profile that decide what an action is worth.
    """

    outcomes: ClassVar[tuple[str, ...]]
    played: ClassVar[tuple[str, ...]]

    name: Name
    title: Text
    source: Source
    stakes: Stakes

    @property
    def game(self) -> str:
        """The game of which these are rules, such as `caribbean-stud`."""
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
    def net_push(self) -> int:
        """An exact tie: ante and call come back."""
        return 0

    @property
    def not_counted(self) -> tuple[str, ...]:
        """What these rules offer beyond the fold or call of one hand; each game's rules say it."""
        raise NotImplementedError

    @property
    def not_counted_of_main_bet(self) -> tuple[str, ...]:
        """The same without side bets and sessions, which are counted beside the main bet, as the exchange."""
        return tuple(part for part in self.not_counted if part not in _BESIDE_THE_MAIN_BET)

    @property
    def digest(self) -> str:
        """SHA-256, in hex, of the rules that decide what an action is worth, which a table is made by.

        That is `game` and the keys named in `played`, where they are there, as JSON with sorted keys and no spaces.
        What is only said (`name`, `title`, `source`, `notes`) and what leaves the value of a hand alone (the side bets
        of Caribbean Stud, boxes, sessions, limits, sharing) is left out: a Jackpot's meter moves every day, the tables
        stay good. The AA Bonus is not left out, for with a bet on it a fold may become a call. The digest is the same
        in every run and for every order of the keys.

        >>> from pycs.rules import load_rules
        >>> len(load_rules("us").digest), load_rules("betmgm").digest == load_rules("live").digest
        (64, True)
        """
        everything = self.to_dict()
        played = {key: everything[key] for key in ("game", *self.played) if key in everything}
        text = json.dumps(played, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(text.encode("ascii")).hexdigest()

    def to_dict(self) -> dict[str, Any]:
        """The full rules as plain dicts, lists, texts and ints, keyed as in the TOML file; absent keys are left out.

        `pycs.rules.rules_from_dict` makes equal rules of it, also after a way through JSON.

        >>> from pycs.rules import load_rules, rules_from_dict
        >>> rules_from_dict(load_rules("live").to_dict()) == load_rules("live")
        True
        """
        plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))
        return plain


def qualifier_objections(qualifies: str) -> Iterator[tuple[str, str]]:
    """What is wrong with what the dealer needs to qualify: the key at fault and what is allowed there."""
    if qualifies not in LOWEST_QUALIFYING:
        names = tuple(LOWEST_QUALIFYING)
        text = f"must be one of {', '.join(names)}, not {shown(qualifies)}{nearest(qualifies, names)}"
        yield "dealer.qualifies", text
