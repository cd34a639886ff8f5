"""Tables on disk: every canonical deal with its counts, values and best action, opened and asked.

A table is a folder of Parquet parts and a `manifest.json`. Row i of the parts in order is the deal with canonical index
i, so an answer is a slice. `pycs.solve` makes tables, `pycs.certify` proves them again from nothing.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from pycs.aa_bonus import NO_BET, bonus_bet, stake_of
from pycs.deal_frames import indices_of_text
from pycs.deals import parse_deal
from pycs.decisions import weigh
from pycs.errors import InputError, TableError
from pycs.games import game_of
from pycs.manifest import Manifest, Part, read_manifest
from pycs.messages import quoted, shown_path
from pycs.profiles import profile_names
from pycs.ranking import CATEGORIES_UP
from pycs.rules import load_rules, rules_from_dict
from pycs.table_files import (
    as_folder,
    check_layout,
    columns_of,
    has_manifest,
    has_partial,
    part_problem,
    read_part,
    stray_part,
    versions,
)
from pycs.values import VALUED, with_values

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, SupportsIndex

    from numpy.typing import NDArray

    from pycs.amounts import Amount
    from pycs.deals import Cards
    from pycs.decisions import Decision
    from pycs.rules import Rules

__all__ = ["Table", "open_table"]


def open_table(path: str | os.PathLike[str], profile: str | os.PathLike[str] | Rules | None = None) -> Table:
    """Open the table in a folder, after checking every file against the manifest's digests (a fraction of a second).

    `profile` says by which rules the table must have been built: a profile's name, a TOML file, or rules. Without it,
    a table that carries a shipped profile's name must fit that profile as it is now; any other name is taken on trust.

    InputError when there is no table in the folder. TableError, with the reason, when a file is missing, altered or cut
    short, or when the table was built by other rules or another version of pycs.
    """
    folder = as_folder(path)
    where = shown_path(os.fspath(path))
    if not has_manifest(folder):
        unfinished = " (an unfinished one is: run pycs solve again)" if has_partial(folder) else ""
        raise InputError(f"{where}: no table is there{unfinished}: give a folder that pycs solve made")
    manifest = read_manifest(folder)
    _check_versions(manifest, where)
    rules = _check_rules(manifest, where, profile)
    check_layout(manifest, game_of(rules), where)
    if problem := stray_part(folder, manifest):
        raise TableError(f"{where}: {problem}: remove it")
    with ThreadPoolExecutor() as pool:
        for problem in pool.map(lambda part: part_problem(folder, part), manifest.parts):
            if problem:
                raise TableError(f"{where}: {problem}: solve it again")
    return Table(Path(path), manifest, rules)


class Table:
    """An open table. Made by `open_table` and `solve`.

    Immutable: threads may share it. The first `probe`, and the first `probe_many`, read what they look up into memory,
    in about a second; the table then holds some 200 and 350 MB.
    """

    def __init__(self, path: Path, manifest: Manifest, rules: Rules) -> None:  # noqa: D107
        self.path: Final = path
        self.manifest: Final = manifest
        self.rules: Final = rules
        self.game: Final = game_of(rules)
        self._folder: Final = as_folder(path)
        self._loading: Final = Lock()
        self._loaded: dict[str, Any] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy, also in another process, opens the same folder."""
        return open_table, (self._folder, self.rules)

    def __repr__(self) -> str:
        """Profile, size and place."""
        return f"<Table of {self.rules.name}, {len(self)} deals, in {shown_path(str(self.path))}>"

    def __len__(self) -> int:
        """The number of deals: 5,649,150, or in Casino Hold'em 1,286,792."""
        return self.manifest.rows

    def probe(self, hand: Cards, seen: Cards | SupportsIndex, /, *, bonus: Amount = NO_BET) -> Decision:
        """What the table says of a deal, the player's cards and the upcard or flop: as `pycs.decide`, but quicker.

        InputError for cards that cannot be a deal, or a bonus bet that cannot be; TableError when a part was altered
        since the table was opened.
        """
        deal = parse_deal(self.game, hand, seen)
        row = self.game.kernel.index(deal.cards)
        category, net_call, *counts = self._load("records", self._read_records)[row].item()
        bet = bonus_bet(self.rules, deal, bonus)
        return weigh(self.rules, deal, CATEGORIES_UP[category], counts, net_call, bet)

    def get(
        self, hand: Cards, seen: Cards | SupportsIndex, /, default: Decision | None = None, *, bonus: Amount = NO_BET
    ) -> Decision | None:
        """As `probe`, but `default` for cards that cannot be a deal."""
        stake_of(bonus, self.rules)  # a bet that cannot be is no matter of the deal
        try:
            return self.probe(hand, seen, bonus=bonus)
        except InputError:
            return default

    def probe_many(self, deals: pl.DataFrame) -> pl.DataFrame:
        """What the table says of many deals, millions a second.

        `deals` has the columns `hand` and `upcard`, or `hand` and `flop`, text in any notation of `pycs.cards`,
        quickest two characters to a card. Returns its columns, then `index` (the canonical index, UInt32) and the
        table's columns but for the cards, in the order of `deals`: the main bet alone, without a bonus bet. Columns of
        `deals` that carry such a name are replaced.

        InputError, with the number of the row, for the first deal that cannot be, or when a column is missing.
        """
        seen = self.game.seen
        if not isinstance(deals, pl.DataFrame):
            raise InputError(f"{quoted(deals)}: a Polars DataFrame with the columns hand and {seen} is needed")
        for column in ("hand", seen):
            if column not in deals.columns:
                raise InputError(f"a frame with the columns {quoted(deals.columns)}: hand and {seen} are needed")
        index = pl.Series("index", indices_of_text(self.game, deals["hand"], deals[seen]))
        answers = self._load("values", self._read_values).select(pl.all().gather(index))
        return deals.with_columns(index, *answers)

    def frame(self, columns: Iterable[str] | None = None) -> pl.DataFrame:
        """All rows in the order of their indices, with all columns or those asked for; read anew at each call."""
        if columns is not None and (isinstance(columns, str) or not isinstance(columns, Iterable)):
            raise InputError(f"the columns {quoted(columns)}: a list of names is allowed")
        known = columns_of(self.game)
        wanted = list(known) if columns is None else list(columns)
        if not wanted:
            raise InputError(f"no columns: at least one of {', '.join(known)} is needed")
        for number, column in enumerate(wanted):
            if not isinstance(column, str) or column not in known:
                raise InputError(f"no column {quoted(column)}: {', '.join(known)} are there")
            if column in wanted[:number]:
                raise InputError(f"the column {column} twice: once is enough")
        return pl.concat([self._read(part, wanted) for part in self.manifest.parts], rechunk=True)

    def under(self, profile: str | os.PathLike[str] | Rules) -> pl.DataFrame:
        """All rows as other rules value them, from the counts of this table: other pays, another call.

        `profile` is a profile's name, a TOML file, or rules. InputError when its game or what the dealer needs to
        qualify is another, for that must be counted anew.
        """
        rules = load_rules(profile)
        for what, here, there in (
            ("the game", self.rules.game, rules.game),
            ("a dealer who qualifies with", self.rules.dealer.qualifies, rules.dealer.qualifies),
        ):
            if here != there:
                raise InputError(f"{rules.name} has {what} {there}, this table is counted for {here}: solve it anew")
        counted = [column for column in columns_of(self.game) if column not in VALUED]
        return with_values(self.frame(counted), rules).select(*columns_of(self.game))

    def _load(self, what: str, read: Callable[[], Any]) -> Any:
        """What was read into memory at its first use, by one thread while the others wait."""
        if what not in self._loaded:
            with self._loading:
                if what not in self._loaded:
                    self._loaded[what] = read()
        return self._loaded[what]

    def _read_values(self) -> pl.DataFrame:
        return self.frame([column for column in columns_of(self.game) if column not in ("hand", self.game.seen)])

    def _read_records(self) -> NDArray[Any]:
        """What a probe looks up, by canonical index: one record, so that it is one place in memory."""
        counts = ((outcome, np.uint32) for outcome in self.game.outcomes)
        record = np.dtype([("category", np.uint8), ("call_numerator", np.int64), *counts])
        records = np.empty(len(self), record)
        for column in self.frame(record.names):
            records[column.name] = column.to_physical().to_numpy()
        return records

    def _read(self, part: Part, columns: list[str]) -> pl.DataFrame:
        # What is decoded is what was checked: the bytes are read once.
        where = shown_path(str(self.path))
        try:
            content = (self._folder / part.name).read_bytes()
        except OSError as error:
            raise TableError(f"{where}: {part.name} cannot be read ({error.strerror}): solve it again") from None
        if hashlib.sha256(content).hexdigest() != part.sha256:
            raise TableError(f"{where}: {part.name} was altered since the table was opened: solve it again")
        try:
            return read_part(content, part, self.game, columns)
        except TableError as error:
            raise TableError(f"{where}: {error}: solve it again") from None


def _check_versions(manifest: Manifest, where: str) -> None:
    for what, built, here in versions(manifest):
        if built != here:
            raise TableError(f"{where}: built by {what} {built}, this is {here}: solve it again")


def _check_rules(manifest: Manifest, where: str, profile: str | os.PathLike[str] | Rules | None) -> Rules:
    try:
        rules = rules_from_dict(manifest.rules, where=f"{where}: rules")
    except InputError as error:
        raise TableError(str(error)) from None
    if rules.digest != manifest.rules_digest:
        raise TableError(f"{where}: the rules in the manifest do not fit their digest: solve it again")
    if profile is None and manifest.profile in profile_names():
        profile = manifest.profile
    if profile is not None and load_rules(profile).digest != rules.digest:
        raise TableError(f"{where}: built by other rules than those of {load_rules(profile).name} as they are now")
    return rules
