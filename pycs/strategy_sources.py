"""Strategies as they are given: by name, as rules in one line, in a TOML file, or as a table of decisions."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np
import polars as pl

from pycs.cards import format_cards
from pycs.deal_frames import indices_of_text
from pycs.errors import InputError
from pycs.files import TABLES
from pycs.messages import nearest, quoted, shown_path
from pycs.named_strategies import STRATEGIES, strategy_names
from pycs.profiles import check, is_path, read_file, refuse
from pycs.sections import Name, Section, Text
from pycs.strategies import OPTIMAL, PLAYED, Action, Rule, Strategy

if TYPE_CHECKING:
    from pycs.games import Game

__all__ = ["read_rules", "read_strategy", "strategy_of_file", "strategy_of_table"]


class _RuleFile(Section, frozen=True, kw_only=True):
    """A strategy as a TOML file states it."""

    name: Name
    game: Text
    title: Text | None = None
    source: Text | None = None
    rules: tuple[Rule, ...]
    otherwise: Action


def read_strategy(game: Game, given: str | os.PathLike[str] | pl.DataFrame | Strategy) -> Strategy | None:
    """The strategy that is meant; None for `optimal`, which hangs on the rules.

    A text is one of `strategy_names`, rules in one line (`read_rules`), or the path of a file: TOML
    (`strategy_of_file`), CSV or Parquet (`strategy_of_table`). InputError for anything else.
    """
    if isinstance(given, Strategy):
        if given.game is not game:
            raise InputError(f"the strategy {given.name} is one of {given.game.name}, not of {game.name}")
        return given
    if isinstance(given, pl.DataFrame):
        return strategy_of_table(game, given)
    try:
        text = os.fsdecode(given)
    except TypeError:
        raise InputError(f"the strategy {quoted(given)}: a name, rules, a file's path or a frame are allowed") from None
    if _is_rules(text):
        return read_rules(game, text)
    if text.lower().endswith(TABLES):
        return strategy_of_table(game, _table(text), text)
    if is_path(text) or not isinstance(given, str):
        return strategy_of_file(game, text)
    names = strategy_names(game)
    if text not in names:
        files = "rules such as 'call when pair > 0', or a file (.toml, .csv, .parquet)"
        allowed = f"one of {', '.join(names)} is allowed{nearest(text, names)}; {files}"
        raise InputError(f"the strategy {quoted(text)}: {allowed}")
    return None if text == OPTIMAL else STRATEGIES[game.name][text]


def read_rules(game: Game, text: str, name: str = "rules") -> Strategy:
    """A strategy written in one line: `call when CONDITION; exchange when CONDITION; otherwise fold`.

    The first condition that holds decides; without `otherwise` the rest is folded. InputError for any other text; what
    the conditions say is checked when they are used.

    >>> from pycs.games import CASINO_HOLDEM
    >>> str(read_rules(CASINO_HOLDEM, "fold when pair = 0 and hole_1 < Q; otherwise call").rules[0])
    'fold when pair = 0 and hole_1 < Q'
    """
    rules, otherwise = [], None
    for part in text.split(";"):
        found = re.fullmatch(r"\s*(fold|call|exchange) when (.+?)\s*", part, re.IGNORECASE | re.DOTALL)
        last = re.fullmatch(r"\s*otherwise (fold|call|exchange)\s*", part, re.IGNORECASE)
        if (not found and not last) or otherwise is not None or not part.isprintable():
            form = "'call when CONDITION; ...; otherwise fold' is allowed"
            raise InputError(f"the rule {quoted(part.strip())}: {form}")
        if last:
            otherwise = last[1].lower()
        elif found:
            rules.append(Rule(when=found[2], then=found[1].lower()))  # type: ignore[arg-type]
    return Strategy(name, game, tuple(rules), otherwise or "fold")


def strategy_of_file(game: Game, path: str | os.PathLike[str]) -> Strategy:
    """The strategy of a TOML file. InputError, with the key, for a file that states none, or one of another game."""
    text = os.fspath(path)
    where, data = shown_path(text), read_file(text)
    check(data, _RuleFile, where)
    stated = msgspec.convert(data, _RuleFile)
    if stated.game != game.name:
        raise refuse(where, "game", f"must be {game.name!r} here, not {quoted(stated.game)}")
    if stated.name in strategy_names(game):
        raise refuse(where, "name", f"must not be {stated.name}, which is a published strategy")
    if not stated.rules:
        raise refuse(where, "rules", "at least one rule is needed")
    return Strategy(
        stated.name, game, stated.rules, stated.otherwise, stated.title or "", stated.source or "", f"{where}: "
    )


def _is_rules(text: str) -> bool:
    return re.match(r"\s*((fold|call|exchange) when|otherwise) ", text, re.IGNORECASE) is not None


def strategy_of_table(game: Game, table: pl.DataFrame, path: str = "") -> Strategy:
    """The strategy that a table of decisions states: one row for each canonical deal, in any order.

    `table` has the columns `hand`, `upcard` or `flop`, and `action`, as those that `pycs solve` makes; others are left
    alone. InputError, with the number of the row (from 0), for a row that is no deal or no action, for a deal that
    stands twice, also with its suits relabeled, and for one that is missing.
    """
    where = f"{shown_path(path)}: " if path else "the table: "
    for column in ("hand", game.seen, "action"):
        if column not in table.columns:
            found = f"hand, {game.seen} and action are needed, {quoted(table.columns)} are there"
            raise InputError(f"{where}no column {column}: {found}")
    if table["action"].dtype not in (pl.String, pl.Categorical, pl.Enum, pl.Null):
        raise InputError(f"{where}the column action of {table['action'].dtype}: text is needed")
    actions = table["action"].cast(pl.String)
    wrong = ~actions.is_in(PLAYED.categories).fill_null(False)
    if wrong.any():
        row = int(wrong.arg_true()[0])
        allowed = f"one of {', '.join(PLAYED.categories)} is allowed"
        raise InputError(f"{where}row {row}: the action {quoted(table['action'][row])}: {allowed}")
    try:
        indices = indices_of_text(game, table["hand"], table[game.seen])
    except InputError as error:
        raise InputError(f"{where}{error}") from None
    rows = np.full(game.deals, len(indices), np.int64)
    rows[indices[::-1]] = np.arange(len(indices) - 1, -1, -1)  # the first of equal ones stays
    again = np.flatnonzero(rows[indices] != np.arange(len(indices)))
    if len(again):
        row, first = int(again[0]), int(rows[indices[again[0]]])
        deals = [f"{table['hand'][each]} {table[game.seen][each]}" for each in (first, row)]
        raise InputError(f"{where}row {row}: {deals[1]} is the same deal as row {first}, {deals[0]}")
    missing = np.flatnonzero(rows == len(indices))
    if len(missing):
        cards = game.kernel.canonical_deals(missing[:1])[0][0]
        deal = f"{format_cards(cards[: game.kernel.hand])} {format_cards(cards[game.kernel.hand :])}"
        raise InputError(f"{where}{len(missing)} of {game.deals} deals are missing, the first of them {deal}")
    name = Path(path).name or "table"
    return Strategy(name, game, actions=actions.cast(PLAYED).gather(pl.Series(rows)).alias("action"))


def _table(path: str) -> pl.DataFrame:
    """A CSV file, all of it as text, or a Parquet file."""
    where = shown_path(path)
    if Path(path).is_dir():
        raise InputError(f"{where}: a folder, a file is needed")
    try:
        if path.lower().endswith(".csv"):
            return pl.read_csv(path, infer_schema=False, glob=False)
        return pl.read_parquet(path, glob=False)
    except FileNotFoundError:
        raise InputError(f"{where}: no such file") from None
    except (OSError, pl.exceptions.PolarsError, ValueError) as error:
        reason = next(iter(str(error).splitlines()), "")[:200]
        raise InputError(f"{where}: cannot be read as a table: {quoted(reason)}") from None
