"""What can be shown of a table's rows without counting anew: they are every deal once, and their values follow.

Row i must be the deal with canonical index i; no row may be another's image under a relabeling of the suits, each
weight must be the number of such images, and the weights must add up to all the raw deals of the game. In each row the
counts must add up and lead to the values, best action and margin that stand there, and all rows together to the
manifest's totals. None of this uses the code that made the table, but for the ranking of hands, the index and the
printing of cards.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import partial
from itertools import permutations
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import polars as pl

from pycs import core
from pycs.cards import parse_cards
from pycs.deal_frames import cards_as_text
from pycs.decisions import ACTIONS
from pycs.errors import TableError
from pycs.games import CASINO_HOLDEM, game_of
from pycs.holdem_rules import AA_BONUS_LINES
from pycs.messages import quoted
from pycs.progress import progress_bar
from pycs.ranking import CATEGORIES_UP, categories
from pycs.table_files import read_part

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from pycs.games import Game
    from pycs.manifest import Manifest, Part
    from pycs.rules import Rules

__all__ = ["CheckedRows", "Findings", "check_part", "check_rows"]

_NAMED: Final = 20  # rows that are told one by one; the rest are counted


class Findings:
    """Problems as they are found: the first ones in words, all rows counted."""

    def __init__(self) -> None:  # noqa: D107
        self.problems: list[str] = []
        self.rows: set[int] = set()

    def add(self, problem: str) -> None:
        """A problem in words, told once."""
        if problem not in self.problems:
            self.problems.append(problem)

    def add_rows(self, rows: NDArray[Any], frame: pl.DataFrame, first: int, problem: str) -> None:
        """Rows by their index in the table; `frame` begins at row `first`."""
        for row in rows.tolist():
            if len(self.rows) < _NAMED:
                cards = frame.select(pl.col("hand"), pl.col("^upcard|flop$")).row(row - first)
                self.add(f"row {row} ({' and '.join(map(quoted, cards))}): {problem}")
            self.rows.add(row)


class CheckedRows(NamedTuple):
    """What the rows of one part show: the wrong ones, and what all parts together are checked by."""

    wrong: list[tuple[NDArray[np.intp], str]]
    images: NDArray[np.uint64]
    weight: int
    sums: NDArray[np.int64]


def check_rows(
    folder: Path, manifest: Manifest, rules: Rules, findings: Findings, progress: bool | None
) -> pl.DataFrame | None:
    """Check all rows of the parts in a folder, and note what is wrong.

    Gives back the columns of the cards and the counts, in the order of the indices, for the walk; None when a part
    cannot be read at all.
    """
    game = game_of(rules)
    frames = [_read(folder, part, game, findings) for part in manifest.parts]
    whole = [frame for frame in frames if frame is not None]
    if len(whole) < len(frames):
        return None
    firsts = [part.first for part in manifest.parts]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = pool.map(partial(check_part, rules=rules), whole, firsts)
        bar = progress_bar(progress, iterable=jobs, desc="check rows", total=len(whole), unit="part")
        checked = list(bar)
    for frame, first, rows in zip(whole, firsts, checked, strict=True):
        for wrong, problem in rows.wrong:
            findings.add_rows(first + wrong, frame, first, problem)
    images = np.sort(np.concatenate([rows.images for rows in checked]))
    if (images[1:] == images[:-1]).any():
        findings.add("two rows are the same deal up to a relabeling of the suits")
    weight = sum(rows.weight for rows in checked)
    if weight != game.raw_deals:
        findings.add(f"the weights add up to {weight}, not to {game.raw_deals}")
    _check_totals(manifest, rules, np.sum([rows.sums for rows in checked], axis=0), weight, findings)
    return pl.concat([frame.select("hand", game.seen, *game.outcomes) for frame in whole])


def check_part(frame: pl.DataFrame, first: int, rules: Rules) -> CheckedRows:
    """Check rows that follow each other, from index `first` on. Wrong rows are counted from the first of them."""
    kernel = game_of(rules).kernel
    deals, _ = kernel.canonical_deals(np.arange(first, first + frame.height, dtype=np.uint32))
    images, sizes = _images(deals, kernel.hand)
    weight = frame["weight"].to_numpy()
    wrong = [
        *_wrong_rows(frame, deals, rules),
        (np.flatnonzero(weight != sizes), "the weight is not the number of its images"),
    ]
    return CheckedRows(wrong, images, int(weight.sum()), _sums(frame, rules))


def _read(folder: Path, part: Part, game: Game, findings: Findings) -> pl.DataFrame | None:
    path = folder / part.name
    try:
        if not path.is_file():  # reading what is no file, such as a pipe, could take for ever
            raise TableError(f"{part.name} cannot be read")
        return read_part(path.read_bytes(), part, game)
    except OSError as error:
        findings.add(f"{part.name} cannot be read: {error.strerror}")
    except TableError as error:
        findings.add(str(error))
    return None


def _wrong_rows(frame: pl.DataFrame, deals: NDArray[np.uint8], rules: Rules) -> Iterator[tuple[NDArray[np.intp], str]]:
    """Rows, counted from the part's first, in which something does not follow from the deal and its counts."""

    def wrong(right: NDArray[np.bool_]) -> NDArray[np.intp]:
        return np.flatnonzero(~right)

    game = game_of(rules)
    hand, completions = game.kernel.hand, game.completions
    column = {name: frame[name].to_physical().to_numpy() for name in frame.columns if frame[name].dtype != pl.String}
    right_hand = (frame["hand"] == cards_as_text(deals[:, :hand])).to_numpy()
    right_seen = (frame[game.seen].cast(pl.String) == cards_as_text(deals[:, hand:])).to_numpy()
    yield wrong(right_hand & right_seen), "it is not the deal of this row"
    strengths = core.rank_hands(deals[:, :5])
    category = categories(strengths)
    yield wrong(column["category"] == category), "the category is not that of the cards"
    if game is CASINO_HOLDEM:
        yield wrong(column["aa_bonus"] == _aa_bonus(strengths, category)), "the line of the AA Bonus is another"
    yield (
        wrong(np.sum([column[outcome] for outcome in game.outcomes], axis=0) == completions),
        f"the counts do not add up to {completions}",
    )
    nets = np.array([rules.nets(name) for name in CATEGORIES_UP])[category]
    call = sum(nets[:, place] * column[outcome] for place, outcome in enumerate(game.outcomes))
    fold = np.full(frame.height, rules.net_fold * completions)
    yield wrong(column["call_numerator"] == call), "the value of calling does not follow from the counts"
    yield wrong(column["fold_numerator"] == fold), "the value of folding does not follow from the rules"
    best = np.where(call > fold, ACTIONS.index("call"), ACTIONS.index("fold"))
    yield wrong(column["action"] == best), "the action is not the best one"
    yield wrong(column["indifferent"] == (call == fold)), "indifferent does not follow from the values"
    for name, numerator in (("call", call), ("fold", fold), ("margin", abs(call - fold))):
        yield wrong(column[name] == numerator / completions), f"the float {name} is not its fraction, rounded"


def _aa_bonus(strengths: NDArray[np.uint16], category: NDArray[np.uint8]) -> NDArray[np.intp]:
    """The line of each: flush and up by name, all else down to the lowest pair of aces by the last one, then none."""
    last = len(AA_BONUS_LINES) - 1
    named = [AA_BONUS_LINES.index(name) if name in AA_BONUS_LINES else last for name in CATEGORIES_UP]
    lowest_aces = core.rank_hands([parse_cards("AsAd4h3c2s")])[0]
    return np.where(strengths < lowest_aces, last + 1, np.array(named)[category])


def _images(deals: NDArray[np.uint8], hand: int) -> tuple[NDArray[np.uint64], NDArray[np.intp]]:
    """For each deal the smallest of its images under the 24 relabelings of the suits, and how many there are.

    An image is a number: of the player's cards and those in sight, the larger group as a set of 52 bits, then the cards
    of the smaller one (one or two), six bits each, ascending.
    """
    large, small = (deals[:, :hand], deals[:, hand:]) if hand > 2 else (deals[:, hand:], deals[:, :hand])
    one, low = np.uint64(1), np.uint64(0x1111111111111)
    sets = np.bitwise_or.reduce(one << large.astype(np.uint64), axis=1)
    # A suit's cards, moved to each of the suits.
    moved = [[(sets >> np.uint64(suit) & low) << np.uint64(to) for to in range(4)] for suit in range(4)]
    smallest = np.full(len(deals), np.iinfo(np.uint64).max)
    unchanged = np.zeros(len(deals), np.intp)
    deal = sets | _ascending(small) << np.uint64(52)
    for relabeled in permutations(range(4)):
        image = _ascending(small // 4 * 4 + np.array(relabeled, np.uint8)[small % 4]) << np.uint64(52)
        for suit, to in enumerate(relabeled):
            image |= moved[suit][to]
        np.minimum(smallest, image, out=smallest)
        unchanged += image == deal
    return smallest, 24 // unchanged


def _ascending(cards: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """One or two cards as a number, whatever their order."""
    first, last = cards[:, 0], cards[:, -1]
    number: NDArray[np.uint64] = np.minimum(first, last).astype(np.uint64)
    number |= np.maximum(first, last).astype(np.uint64) << np.uint64(6)
    return number


def _sums(frame: pl.DataFrame, rules: Rules) -> NDArray[np.int64]:
    """Rounds by action, category and outcome."""
    sums = np.zeros((len(ACTIONS), len(CATEGORIES_UP), len(rules.outcomes)), np.int64)
    weight = frame["weight"].to_numpy()
    action, category = (frame[name].to_physical().to_numpy() for name in ("action", "category"))
    for i in range(len(ACTIONS)):
        for j in range(len(CATEGORIES_UP)):
            here = (action == i) & (category == j)
            sums[i, j] = [int((weight[here] * frame[outcome].to_numpy()[here]).sum()) for outcome in rules.outcomes]
    return sums


def _check_totals(
    manifest: Manifest, rules: Rules, totals: NDArray[np.int64], weights: int, findings: Findings
) -> None:
    deals, net = int(totals.sum()), rules.net_fold * int(totals[ACTIONS.index("fold")].sum())
    for category, counts in zip(CATEGORIES_UP, totals[ACTIONS.index("call")].tolist(), strict=True):
        net += sum(each * count for each, count in zip(rules.nets(category), counts, strict=True))
    found = {"weight": weights, "deals": deals, "net": net, "value": str(Fraction(net, deals or 1))}
    stated = manifest.to_dict()["totals"]
    for name, value in found.items():
        if stated[name] != value:
            findings.add(f"the manifest's total {name} is {stated[name]}, the rows give {value}")
