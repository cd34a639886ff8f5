"""The rounds of a log as arrays of cards, decisions and amounts: text is cleaned here, once.

What cannot be read is told, with its line, and left out. Whether the rounds are right is another matter: cards may be
there twice, amounts may be wrong.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
import polars as pl

from pycs.cards import PLAYING_CARDS, SUITS, SYMBOLS, VARIATION_SELECTORS, parse_cards
from pycs.deal_frames import CARDS, NO_CARD, plain_cards
from pycs.errors import InputError
from pycs.games import CASINO_HOLDEM, game_of
from pycs.log_columns import ROLES
from pycs.log_files import Rejected
from pycs.messages import quoted
from pycs.offers import exchanges_allowed
from pycs.profiles import profile_names

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pycs.cards import Alphabet
    from pycs.log_columns import LogColumns
    from pycs.log_files import Batch
    from pycs.rules import Rules

    Bools: TypeAlias = NDArray[np.bool_]
    Cards: TypeAlias = NDArray[np.uint8]
    Ints: TypeAlias = NDArray[np.int64]

__all__ = ["ACTION_WORDS", "MICRO", "LoggedRounds", "amounts_of", "read_rounds"]

MICRO: Final = 1_000_000
"""Amounts are whole millionths of the log's unit of money."""

_MAY_BE_EMPTY: Final = ("dealer", "gave_up")
_PLACEHOLDER: Final = r"^(?i:[\s?*._#x-]*|null|none|n/?a|hidden)$"

_LARGEST: Final = 10**12  # amounts, in millionths times antes, stay inside 64 bits
_NAMED: Final = 5  # rows whose trouble is told in full; the others are counted under the same heading

ACTION_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        **dict.fromkeys(("fold", "folded", "folds", "f", "surrender", "pass", "timeout", "timed", "time"), "fold"),
        **dict.fromkeys(("call", "called", "calls", "c", "raise", "raised", "r", "bet", "b", "play"), "call"),
    }
)
"""What logs call the two actions, by the first word in small letters; time that runs out is a fold."""

_SIGNS: Final = {
    **{symbol: SUITS[suit] for symbol, suit in SYMBOLS.items()},
    **dict.fromkeys(VARIATION_SELECTORS, ""),
    **{sign: CARDS[card] for sign, card in PLAYING_CARDS.items()},
}
"""Signs of suits and cards, and the letters that they stand for."""

_RUSSIAN_RANKS: Final = {"В": "J", "Д": "Q", "К": "K", "Т": "A", "10": "T"}
_RUSSIAN_SUITS: Final = dict(zip("ТБЧП", SUITS, strict=True))
_RUSSIAN_CARD: Final = re.compile(r"(10|[2-9ВДКТ])([ТБЧПCDHS])")


@dataclass(frozen=True, eq=False)
class LoggedRounds:
    """Rounds that follow each other in a log; arrays have a row for each.

    `lines` (int64) says where each stands, `numbers` (int64) the round's number, -1 where the log has none. Cards are
    uint8, 0..51: `first` is the hand that was dealt, shape (n, 5) or (n, 2); `player` the one held in the end; `seen`
    the upcard or the flop; `hidden` the dealer's other cards, shape (n, 4) or (n, 2); `late` turn and river, (n, 2), no
    columns in stud; `gave_up` the cards given up, (n, 5), with `NO_CARD` after the last, and `given` (int64) how many.
    Where `shown` is false, `hidden` is not known, and where `complete` is false `late` is not. `called` says what was
    done last. Amounts are int64 in millionths (`MICRO`) of the log's unit: `ante`, and where the log has them `net`,
    `call`, `fees`, `staked`.
    """

    lines: Ints
    numbers: Ints
    first: Cards
    player: Cards
    seen: Cards
    hidden: Cards
    late: Cards
    shown: Bools
    complete: Bools
    gave_up: Cards
    given: Ints
    called: Bools
    ante: Ints
    amounts: Mapping[str, Ints]

    @property
    def rounds(self) -> int:
        """How many there are."""
        return len(self.lines)

    def taken(self, rows: Any) -> LoggedRounds:
        """Some of them: a mask, indices or a slice."""
        arrays = {name: getattr(self, name)[rows] for name in self.__dataclass_fields__ if name != "amounts"}
        return replace(self, **arrays, amounts={name: amount[rows] for name, amount in self.amounts.items()})

    @classmethod
    def joined(cls, batches: Sequence[LoggedRounds]) -> LoggedRounds:
        """The rounds of one batch or more, one after the other."""
        names = [name for name in cls.__dataclass_fields__ if name != "amounts"]
        arrays = {name: np.concatenate([getattr(batch, name) for batch in batches]) for name in names}
        roles = batches[0].amounts
        return cls(
            **arrays, amounts={role: np.concatenate([batch.amounts[role] for batch in batches]) for role in roles}
        )


class _Reader:
    """The reading of one batch: which rows are still good, and what is wrong with the others."""

    def __init__(self, batch: Batch, columns: LogColumns, alphabet: Alphabet) -> None:
        self.frame, self.lines, self.columns, self.alphabet = batch.frame, batch.lines, columns, alphabet
        self.good = np.ones(len(batch.lines), bool)
        self.rejected: list[Rejected] = []

    def reject(self, rows: Bools, text: pl.Series, reason: str) -> None:
        """These rows cannot be used, for what this column says there."""
        for row in np.flatnonzero(rows & self.good).tolist():
            self.rejected.append(Rejected(int(self.lines[row]), quoted(text[row]), reason))
        self.good &= ~rows

    def cards(self, role: str, most: int, allowed: tuple[int, ...]) -> tuple[Cards, Ints]:
        """The cards of a role, shape (n, most), and how many each row has; NO_CARD fills up."""
        columns = [self.frame[name] for name in self.columns.by_role[role]]
        what = role.replace("_", " ")
        text = _as_text(columns)
        if role in _MAY_BE_EMPTY:
            text = text.str.replace(_PLACEHOLDER, "")
        cards, count, unread = _read_cards(text, most, self.alphabet)
        for row in np.flatnonzero(unread & self.good)[:_NAMED].tolist():
            self.reject(_only(row, len(unread)), text, _trouble(text[row], what, self.alphabet))
        self.reject(unread, text, f"the {what}: no cards")
        wrong = ~np.isin(count, allowed)
        needed = " or ".join(str(each) for each in allowed if each)
        self.reject(wrong, text, f"the {what}: {needed} cards are needed")
        return cards, count

    def amount(self, role: str) -> Ints:
        """An amount of money in millionths; a bet that is not there is none."""
        series = self.frame[self.columns.one(role)]
        micro, wrong = amounts_of(series)
        if role in ("call", "fees"):
            empty = series.is_null() | (series.cast(pl.String).str.strip_chars() == "")
            wrong &= ~empty.fill_null(True).to_numpy()
        self.reject(wrong, series, f"the {role} is no amount of at most six decimals and 1,000,000")
        return micro

    def numbers(self) -> Ints:
        """The rounds' numbers, where they are whole numbers."""
        if "round" not in self.columns:
            return np.full(len(self.lines), -1, np.int64)
        column = self.frame[self.columns.one("round")]
        return column.cast(pl.Int64, strict=False).fill_null(-1).to_numpy()

    def actions(self) -> Bools:
        """Which rounds were called."""
        if "action" not in self.columns:
            role = "call" if "call" in self.columns else "staked"
            staked = self.amount(role)
            if role == "call":
                return staked > 0
            least = staked[self.good].min() if self.good.any() else 0
            return staked > (self.amount("ante") if "ante" in self.columns else least)
        series = self.frame[self.columns.one("action")].cast(pl.String)
        words = series.str.to_lowercase().str.extract("([a-z]+)")
        known = words.replace_strict(ACTION_WORDS, default=None, return_dtype=pl.String)
        self.reject(known.is_null().to_numpy(), series, "an unknown action: fold or call is allowed")
        called: Bools = (known == "call").fill_null(False).to_numpy()
        return called


def read_rounds(
    batch: Batch,
    columns: LogColumns,
    rules: Rules,
    *,
    ante: int = MICRO,
    alphabet: Alphabet = "latin",
) -> tuple[LoggedRounds, list[Rejected]]:
    """The rounds of a batch, and the rows that are none. `ante`, in millionths, is what it is where the log has none.

    Rows of another profile are left out, where the log names profiles.
    """
    game, profile = game_of(rules), rules.name
    reader = _Reader(batch, columns, alphabet)
    kernel, holdem = game.kernel, game is CASINO_HOLDEM
    rows = len(batch.lines)
    if "profile" in columns:
        named = reader.frame[columns.one("profile")].cast(pl.String)
        plain = named.str.strip_chars().str.to_lowercase()
        # A column called `game` may as well say "Caribbean Stud" throughout: then it tells nothing.
        if plain.is_in([profile, *profile_names()]).any():
            other = (plain != profile.lower()).fill_null(False).to_numpy()
            reader.reject(other, named, f"another profile than {profile}")
    player, _ = reader.cards("player", kernel.hand, (kernel.hand,))
    first, gave_up, given = _dealt(reader, rules, player)
    seen, hidden, late, shown, complete = (_board if holdem else _upcard)(reader)
    called = reader.actions()
    antes = reader.amount("ante") if "ante" in columns else np.full(rows, ante, np.int64)
    if "ante" in columns:
        reader.reject(antes <= 0, reader.frame[columns.one("ante")], "an ante above 0 is needed")
    amounts = {role: reader.amount(role) for role in ("net", "call", "fees", "staked", "returned") if role in columns}
    returned = amounts.get("returned")
    if "net" not in amounts and returned is not None:
        del amounts["returned"]
        bets = antes + sum(amounts.get(role, np.zeros(rows, np.int64)) for role in ("call", "fees"))
        if "staked" in amounts or "call" in amounts:
            amounts["net"] = returned - amounts.get("staked", bets)
    if called.any():  # a called round that is not shown to the end could not be settled
        column = reader.frame[columns.one("dealer")]
        reader.reject(called & ~(shown & complete), column, "called, but not all cards are there")
    found = LoggedRounds(
        batch.lines,
        reader.numbers(),
        first,
        player,
        seen,
        hidden,
        late,
        shown,
        complete,
        gave_up,
        given,
        called,
        antes,
        amounts,
    )
    return (found if reader.good.all() else found.taken(reader.good)), [*batch.rejected, *reader.rejected]


def _dealt(reader: _Reader, rules: Rules, player: Cards) -> tuple[Cards, Cards, Ints]:
    """The hand that was dealt, the cards that were given up, and how many."""
    rows, columns = len(player), reader.columns
    nothing = np.full((rows, 5), NO_CARD, np.uint8), np.zeros(rows, np.int64)
    _, fees = exchanges_allowed(rules, None)
    if not fees or not {"gave_up", "dealt"} & columns.by_role.keys():
        return player, *nothing
    first = reader.cards("dealt", 5, (5,))[0] if "dealt" in columns else player
    if "gave_up" in columns:
        gave_up, given = reader.cards("gave_up", 5, (0, *fees))
    else:  # what is not held any more
        gone = ~(first[:, :, None] == player[:, None, :]).any(axis=2)
        gave_up, given = np.where(gone, first, NO_CARD), gone.sum(axis=1)
        text = _as_text([reader.frame[name] for name in columns.by_role["dealt"]])
        reader.reject(~np.isin(given, (0, *fees)), text, f"{' or '.join(map(str, fees))} cards can be given up")
    if "dealt" not in columns:
        if set(fees) != {5}:
            raise InputError(
                f"no column for dealt ({ROLES['dealt']}): {rules.name} lets a part of the cards be given up; "
                "say which with --columns dealt=NAME"
            )
        first = np.where((given == 5)[:, None], gave_up, player)
    return first, gave_up, given


def _upcard(reader: _Reader) -> tuple[Cards, Cards, Cards, Bools, Bools]:
    """Stud: the upcard, and the dealer's four other cards."""
    dealer, count = reader.cards("dealer", 5, (0, 1, 4, 5) if "upcard" in reader.columns else (1, 5))
    rows = len(dealer)
    late, complete = np.empty((rows, 0), np.uint8), np.ones(rows, bool)
    if "upcard" not in reader.columns:
        return dealer[:, :1], dealer[:, 1:], late, count == 5, complete
    up, _ = reader.cards("upcard", 1, (1,))
    # Of five cards, the upcard is taken out; where it is not among them, they are not its hand.
    place = (dealer == up).argmax(axis=1)
    among = (dealer == up).any(axis=1)
    text = reader.frame[reader.columns.one("dealer")]
    reader.reject(np.isin(count, (1, 5)) & ~among, text, "the upcard is not among the dealer's cards")
    others = np.arange(4)
    others = np.where((count == 5)[:, None], others + (others >= place[:, None]), others)
    hidden = np.take_along_axis(dealer, others, axis=1)
    return up, hidden, late, count > 1, complete


def _board(reader: _Reader) -> tuple[Cards, Cards, Cards, Bools, Bools]:
    """Hold'em: the flop, the dealer's hole cards, turn and river."""
    board, count = reader.cards("board", 5, (3, 5))
    dealer, dealt = reader.cards("dealer", 2, (0, 2))
    return board[:, :3], dealer, board[:, 3:], dealt > 0, count == 5


def _only(row: int, rows: int) -> Bools:
    mask = np.zeros(rows, bool)
    mask[row] = True
    return mask


def _as_text(columns: list[pl.Series]) -> pl.Series:
    """One text for each row, a column's after the other's."""
    texts = []
    for column in columns:
        if isinstance(column.dtype, pl.List):
            items = pl.element()
            if column.dtype.inner.is_integer():
                items = items.cast(pl.Int64).replace_strict(_BY_NUMBER, default="?", return_dtype=pl.String)
            column = column.list.eval(items.cast(pl.String)).list.join(" ")
        elif column.dtype.is_integer() or (len(columns) > 1 and _are_numbers(column)):
            numbers = column.cast(pl.Int64, strict=False)
            column = numbers.replace_strict(_BY_NUMBER, default="?", return_dtype=pl.String)
        texts.append(column.cast(pl.String).fill_null(""))
    return texts[0] if len(texts) == 1 else pl.select(pl.concat_str(texts)).to_series()


_BY_NUMBER: Final = dict(enumerate(CARDS))


def _are_numbers(column: pl.Series) -> bool:
    """Whether cards of a text column are given by their numbers."""
    some = column.drop_nulls().head(100)
    return len(some) > 0 and some.dtype == pl.String and bool(some.str.contains(r"^\s*\d{1,2}\s*$").all())


def _read_cards(text: pl.Series, most: int, alphabet: Alphabet) -> tuple[Cards, Ints, Bools]:
    """Cards in any notation of `pycs.cards`: shape (n, most), how many a row has, and which rows are no cards."""
    if alphabet == "latin":
        cards = np.empty((len(text), most), np.uint8)
        plain_cards(text, cards)
        if not (cards == NO_CARD).any():
            return cards, np.full(len(text), most, np.int64), np.zeros(len(text), bool)
        text = _in_latin(_numbers_as_text(text))
    else:
        text = pl.Series([_from_russian(each) for each in text.to_list()], dtype=pl.String)
    length = text.str.len_bytes().to_numpy()
    count = np.minimum(length // 2, most + 1)
    padded = text.str.head(2 * most).str.pad_end(2 * most, "-")
    cards = np.empty((len(text), most), np.uint8)
    plain_cards(padded, cards)
    cards[np.arange(most) >= count[:, None]] = NO_CARD
    no_card = (cards == NO_CARD) & (np.arange(most) < count[:, None])
    return cards, count.astype(np.int64), (length % 2 == 1) | no_card.any(axis=1)


def _numbers_as_text(text: pl.Series) -> pl.Series:
    """Cards that are all told by their numbers, as `51 45 7`."""
    if not text.str.contains(r"^\d{1,2}( \d{1,2})*$").all():
        return text
    cards = pl.element().cast(pl.Int64).replace_strict(_BY_NUMBER, default="?", return_dtype=pl.String)
    return text.str.split(" ").list.eval(cards).list.join("")


def _in_latin(text: pl.Series) -> pl.Series:
    text = text.str.replace_all(r"[\s,;]+", "").str.replace_all("10", "T", literal=True)
    return (
        text.str.replace_many(list(_SIGNS), list(_SIGNS.values())) if not text.str.contains(r"^[ -~]*$").all() else text
    )


def _from_russian(text: str) -> str:
    plain = re.sub(r"[\s,;]+", "", "".join(_SIGNS.get(sign, sign) for sign in text)).upper()

    def card(found: re.Match[str]) -> str:
        rank, suit = found.groups()
        return _RUSSIAN_RANKS.get(rank, rank) + _RUSSIAN_SUITS.get(suit, suit.lower())

    return _RUSSIAN_CARD.sub(card, plain)


def _plain_amounts(texts: pl.Series) -> pl.Series:
    """Amounts as a person may write them: with other minus signs, in brackets, with a currency or grouped digits."""
    texts = texts.str.strip_chars()
    if not texts.cast(pl.Float64, strict=False).is_null().any():
        return texts
    texts = (
        texts.str.replace_all("[\u2212\u2013]", "-").str.replace(r"^\((.*)\)$", "-$1").str.replace(r"^(.*)-$", "-$1")
    )
    texts = texts.str.replace_all(r"[$\u20ac\u00a3\s]", "")
    grouped = texts.str.contains(r"^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$").fill_null(False)
    return texts.set(grouped, None).fill_null(texts.str.replace_all(",", "")) if grouped.any() else texts


def _trouble(text: str, what: str, alphabet: Alphabet) -> str:
    """Why a text is no cards."""
    try:
        parse_cards(text, what=what, alphabet=alphabet)
    except InputError as error:
        return str(error).removeprefix(f"the {what} {quoted(text)}: ")
    return f"the {what}: no cards"


def amounts_of(series: pl.Series) -> tuple[Ints, Bools]:
    """A column's amounts in millionths, and which rows have none.

    >>> [array.tolist() for array in amounts_of(pl.Series(["1", "-2.5", "much"]))]
    [[1000000, -2500000, 0], [False, False, True]]
    """
    if series.dtype.is_integer():
        whole = series.cast(pl.Int64, strict=False)
        wrong = whole.is_null() | ~whole.is_between(-_LARGEST // MICRO, _LARGEST // MICRO)
        return whole.fill_null(0).clip(-_LARGEST, _LARGEST).to_numpy() * MICRO, wrong.to_numpy()
    close = 3e-7 if series.dtype == pl.Float32 else 0.0  # the digits that it has
    if series.dtype == pl.String:
        series = _plain_amounts(series)
    amount = series.cast(pl.Float64, strict=False).fill_null(float("nan")).to_numpy()
    with np.errstate(invalid="ignore"):
        exact = amount * MICRO
        micro = np.rint(exact)
        wrong_float = ~(np.abs(exact) <= _LARGEST) | (np.abs(exact - micro) > 1e-3 + close * np.abs(exact))
    return np.where(wrong_float, 0, micro).astype(np.int64), wrong_float
