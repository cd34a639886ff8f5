"""Logs of rounds: a row for each, with its cards as text, the action, the bets and the net result; CSV or Parquet.

The columns of Caribbean Stud: `round` (from 1), `player` (what he holds in the end, five cards in the order in which
they came), `upcard`, `dealer` (all five cards, the upcard first), `action` (`fold` or `call`, the last one), `ante`,
`call` (0 after a fold) and `net`, in antes. Where an exchange is on offer `gave_up` (the cards given up, empty without
an exchange) and `fees` (in antes) stand before `net`, which has the fee taken off; where it may be of some cards only,
`dealt` (the five cards that came first) stands before them. Those of Casino Hold'em: `round`, `player` (two cards),
`board` (five, the flop first), `dealer` (two), `action`, `ante`, `call` and `net`.
"""

from __future__ import annotations

import errno
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from pycs.core import NO_CARD, rank_hands
from pycs.deal_frames import CARDS
from pycs.files import TABLES, write_aside
from pycs.games import CARIBBEAN_STUD, game_of
from pycs.offers import exchanges_allowed
from pycs.settlings import exchange_fees, settling_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from pycs.core import SimulatedRounds
    from pycs.rules import Rules

__all__ = ["log_schema", "round_frame", "write_log"]

_CARDS_AND_NONE: Final = pl.concat([CARDS, pl.Series([""])])
_ACTIONS: Final = pl.Series(["fold", "call"])
_TEXTS: Final = ("player", "upcard", "board", "dealer", "action", "dealt", "gave_up")


def log_schema(rules: Rules, *, exchange: bool) -> dict[str, Any]:
    """The columns of a log and their types; `exchange`: whether one is on offer.

    >>> from pycs.rules import load_rules
    >>> list(log_schema(load_rules("casino-holdem"), exchange=False))
    ['round', 'player', 'board', 'dealer', 'action', 'ante', 'call', 'net']
    """
    stud = game_of(rules) is CARIBBEAN_STUD
    in_sight = ("player", "upcard", "dealer") if stud else ("player", "board", "dealer")
    names = [*in_sight, "action", "ante", "call"]
    if exchange:
        names += ["gave_up", "fees"] if _all_five(rules) else ["dealt", "gave_up", "fees"]
    names = ["round", *names, "net"]
    return {name: pl.String() if name in _TEXTS else pl.Int64() for name in names}


def round_frame(rules: Rules, first: int, dealt: SimulatedRounds, *, exchange: bool) -> pl.DataFrame:
    """Rounds as rows of a log, numbered from `first`; their cards must have been given back."""
    assert dealt.cards is not None
    assert dealt.called is not None
    cards, called = dealt.cards, dealt.called
    settling, stud = settling_of(rules), game_of(rules) is CARIBBEAN_STUD
    if stud:
        mine, his = rank_hands(cards[:, :5]), rank_hands(cards[:, 5:10])
        texts = {"player": _text(cards[:, :5]), "upcard": _text(cards[:, 5:6]), "dealer": _text(cards[:, 5:10])}
    else:
        mine, his = rank_hands(cards[:, :7]), rank_hands(cards[:, 2:9])
        texts = {"player": _text(cards[:, :2]), "board": _text(cards[:, 2:7]), "dealer": _text(cards[:, 7:9])}
    net = np.where(called, settling.called(mine, his), settling.fold)
    columns: dict[str, Any] = {
        "round": np.arange(first, first + len(cards)),
        **texts,
        "action": _ACTIONS.gather(pl.Series(called.view(np.uint8))),
        "ante": np.full(len(cards), rules.stakes.ante),
        "call": called * np.int64(rules.stakes.call),
    }
    if exchange:
        gave_up = cards[:, 10:]
        gone = gave_up != NO_CARD
        if not _all_five(rules):
            columns["dealt"] = _text(np.where(gone, gave_up, cards[:, :5]))
        paid = exchange_fees(rules)[gone.sum(axis=1)]
        columns |= {"gave_up": _text(gave_up), "fees": paid}
        net = net - paid
    return pl.DataFrame(columns | {"net": net}, schema=log_schema(rules, exchange=exchange))


def _all_five(rules: Rules) -> bool:
    """Whether an exchange is always of the whole hand."""
    return tuple(exchanges_allowed(rules, None)[1]) == (5,)


def write_log(path: Path, frames: Iterable[pl.DataFrame], schema: dict[str, Any]) -> None:
    """Frames of one schema, one after the other, as CSV or Parquet, by how the path ends: whole or not at all.

    No more than some frames are in memory at a time. An OSError names the file that was asked for.
    """
    write_aside(path, lambda aside: _WRITERS[path.suffix.lower()](aside, frames, schema))


def _write_csv(path: Path, frames: Iterable[pl.DataFrame], schema: dict[str, Any]) -> None:
    with path.open("xb") as file:
        pl.DataFrame(schema=schema).write_csv(file)
        for frame in frames:
            frame.write_csv(file, include_header=False)


def _write_parquet(path: Path, frames: Iterable[pl.DataFrame], schema: dict[str, Any]) -> None:
    """As the frames come, so that they are never all in memory."""
    from polars.io.plugins import register_io_source

    def source(*_: object) -> Iterator[pl.DataFrame]:  # what Polars would leave out of it: nothing, all is written
        yield from frames

    try:
        register_io_source(source, schema=schema).sink_parquet(path)
    except pl.exceptions.ComputeError as error:  # a full disk, for one
        reason = next(iter(str(error).splitlines()), "")
        raise OSError(errno.EIO, reason[:200], str(path)) from None


_WRITERS: Final = dict(zip(TABLES, (_write_csv, _write_parquet), strict=True))


def _text(cards: NDArray[np.uint8]) -> pl.Series:
    """Cards, shape (n, k), as text; nothing for a card that is not there."""
    places = np.minimum(cards, len(CARDS))
    columns = [_CARDS_AND_NONE.gather(pl.Series(places[:, place])).alias(f"{place}") for place in range(cards.shape[1])]
    return pl.select(pl.concat_str(columns)).to_series()
