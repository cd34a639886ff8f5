"""What several test files share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import pycs
from pycs.cards import parse_cards
from pycs.core import HOLDEM, STUD
from pycs.ranking import qualifying_strength

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from pycs.core import Kernel

EXTREMES = (
    ("AsKsQsJsTs", "2c"),  # royals, in the upcard's suit and not
    ("AsKsQsJsTs", "9s"),
    ("KsQsJsTs9s", "As"),  # the upcard would make the royal
    ("5s4s3s2sAs", "6s"),  # steel wheel
    ("5c4d3h2sAs", "6s"),  # wheel
    ("AsKdQhJcTs", "Td"),
    ("AsAhAdAcKs", "Kd"),  # quads
    ("2s2h2d2c3s", "3d"),
    ("AsAhAdKcKs", "Ac"),
    ("KsKhKd2c2s", "2d"),
    ("QsJsTs9s7s", "8s"),  # flush, the upcard in its gap
    ("7s5s4s3s2s", "6s"),
    ("AsKh4d3c2s", "5c"),  # the lowest ace-king, and either side of it
    ("AsKh4d3c2s", "Ad"),
    ("AsQhJdTc8s", "9c"),
    ("AsKhQdJc9s", "Tc"),
    ("AsKhQdJc9s", "Ts"),
    ("AsKsQsJs9h", "Ts"),  # four to a flush with the upcard
    ("AsKsQsJs9h", "2s"),
    ("9s7s5s3s2d", "As"),
    ("7c5d4h3s2c", "2d"),  # the lowest hand
    ("7c5d4h3s2c", "8d"),
    ("2s2h5d4c3s", "2d"),  # the lowest pair
    ("AsAh4d3c2s", "Kd"),
    *((f"AsKhJd8c3{suit}", f"{rank}{other}") for suit in "sc" for rank in "24567TQA" for other in "cd"),
    *((f"9s7h5d4c{low}", f"{rank}h") for low in ("2s", "2c") for rank in "23456TJQKA"),
)
"""Deals at the edges: the highest and lowest hands, ace-king, four to a flush, every rank of upcard."""

HOLDEM_EXTREMES = (
    ("AsKs", "QsJsTs"),  # a royal, with the ace or the ten on the flop as well
    ("KsQs", "AsJsTs"),
    ("AsTs", "KsQsJs"),
    ("2c2d", "QsJsTs"),  # its draw on the flop, in nobody's hand, in one's and the dealer's, blocked
    ("AsTc", "KsQsJs"),
    ("9s8s", "QsJsTs"),  # a straight flush that a royal on the board beats
    ("KsQs", "JsTs9s"),
    ("As2s", "5s4s3s"),  # steel wheel, its higher and lower neighbours
    ("7s6s", "5s4s3s"),
    ("6d7d", "5s4s3s"),
    ("AhKh", "AsKsQs"),  # a flush that the player is far from, two pair
    ("AsKd", "AdAcAh"),  # quads by hole and flop
    ("AsAh", "AdAcKs"),
    ("QsQh", "QdQc2c"),
    ("2s2h", "2d2c3s"),
    ("8s9h", "AdAcAh"),  # trips on the flop: all share them
    ("2c3c", "AdAcAh"),
    ("KsKh", "AdAcAh"),
    ("AsKs", "2d2c2h"),
    ("3s2h", "2d2c3d"),  # full houses
    ("QsQh", "Qd2c7h"),  # a set
    ("AsAh", "KsKdQh"),  # a paired flop that qualifies every dealer
    ("7s2h", "4c4dKh"),  # the lowest flop that does
    ("AsKh", "3c3d5h"),  # the highest that does not
    ("AsKh", "2c2d7h"),
    ("4s4d", "Js9s2d"),  # the lowest pair that qualifies, two of it gone
    ("3s3d", "Js9s2d"),
    ("4s3h", "4d3c2h"),
    ("KsQs", "Js9s2s"),  # three to a flush on the flop: with two cards of it, with one, with none
    ("AsKd", "Js9s2s"),
    ("3sKd", "Js9s2s"),
    ("AhKd", "Js9s2s"),
    ("AsKs", "Js9s2d"),  # two to a flush on the flop
    ("AsKd", "Js9s2d"),
    ("AhKh", "Js9s2d"),
    ("AdKd", "Js9s2d"),
    ("AsKs", "Jh9s2d"),  # one of each suit on the flop, runner-runner flushes
    ("AcKc", "Jh9s2d"),
    ("AsKh", "Jh9s2d"),
    ("AsKh", "QdJcTh"),  # straights, the highest, the wheel, open ends
    ("As2h", "5d4c3h"),
    ("6s2h", "5d4c3h"),
    ("7s2h", "QdJcTh"),  # the board can play
    ("3d2c", "AsKsQs"),
    ("3d2c", "AsAhKs"),
    ("3d2c", "KsQdJh"),
    ("As7h", "9d9cKh"),
    ("Js3h", "5d8cKh"),  # rags
    ("2c7d", "9sJhKd"),
    ("2s3h", "7d5c4h"),
    ("7c5d", "4h3s2c"),  # the lowest five
    ("AsAh", "7d5c2h"),
    *((f"{rank}c{rank}d", "Ts8h3s") for rank in "2459TQKA"),
    *((f"A{suit}{rank}{other}", "Th8s6s") for rank in "T42" for suit, other in ("ss", "sd", "cc", "cd")),
    *((f"9c{rank}d", f"{rank}h{rank}s4c") for rank in "23567TJQKA"),
)
"""Deals at the edges: royals, quads, flushes that are there and that may come, boards that all share, qualifying."""


def as_array(deals: tuple[tuple[str, str], ...]) -> NDArray[np.uint8]:
    """Deals in text as the core takes them, one to a row."""
    return np.array([parse_cards(hand) + parse_cards(seen) for hand, seen in deals], np.uint8)


def drawn(kernel: Kernel, number: int, seed: int) -> NDArray[np.uint8]:
    """Raw deals drawn evenly from the canonical ones, their suits relabeled at random."""
    random = np.random.default_rng(seed)
    deals, _ = kernel.canonical_deals(random.integers(0, kernel.deals, number))
    labels = random.permuted(np.tile(np.arange(4, dtype=np.uint8), (number, 1)), axis=1)
    return (deals // 4 * 4 + np.take_along_axis(labels, deals % 4, axis=1)).astype(np.uint8)


def read_only_sweep(kernel: Kernel, qualify: int) -> NDArray[np.uint32]:
    """The counts of a whole game, which tests share."""
    counts = kernel.sweep(qualify)
    counts.flags.writeable = False
    return counts


@pytest.fixture(scope="session")
def extreme_deals() -> NDArray[np.uint8]:
    """The extremes of Caribbean Stud, shape (n, 6)."""
    return as_array(EXTREMES)


@pytest.fixture(scope="session")
def random_deals() -> NDArray[np.uint8]:
    """2,500 raw deals of Caribbean Stud, shape (n, 6)."""
    return drawn(STUD, 2500, 20001101)


@pytest.fixture(scope="session")
def ace_king() -> int:
    """The strength with which the dealer qualifies in every shipped profile of Caribbean Stud."""
    return qualifying_strength("ace-king")


@pytest.fixture(scope="session")
def swept(ace_king: int) -> NDArray[np.uint32]:
    """The counts of all of Caribbean Stud, shape (4, deals). Not to be changed."""
    return read_only_sweep(STUD, ace_king)


@pytest.fixture(scope="session")
def us_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the table of `us`. Not to be changed: copy it."""
    return pycs.solve("us", tmp_path_factory.mktemp("tables") / "us").path


@pytest.fixture(scope="session")
def us_table(us_folder: Path) -> pycs.Table:
    """The table of `us`, open."""
    return pycs.open_table(us_folder)


@pytest.fixture(scope="session")
def holdem_extremes() -> NDArray[np.uint8]:
    """The extremes of Casino Hold'em, shape (n, 5)."""
    return as_array(HOLDEM_EXTREMES)


@pytest.fixture(scope="session")
def holdem_random() -> NDArray[np.uint8]:
    """2,000 raw deals of Casino Hold'em, shape (n, 5)."""
    return drawn(HOLDEM, 2000, 20070401)


@pytest.fixture(scope="session")
def pair_of_fours() -> int:
    """The strength with which the dealer qualifies in the shipped profile of Casino Hold'em."""
    return qualifying_strength("pair-of-fours")


@pytest.fixture(scope="session")
def holdem_swept(pair_of_fours: int) -> NDArray[np.uint32]:
    """The counts of all of Casino Hold'em, shape (14, deals). Not to be changed."""
    return read_only_sweep(HOLDEM, pair_of_fours)


@pytest.fixture(scope="session")
def holdem_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the table of `casino-holdem`. Not to be changed: copy it."""
    return pycs.solve("casino-holdem", tmp_path_factory.mktemp("tables") / "casino-holdem").path


@pytest.fixture(scope="session")
def holdem_table(holdem_folder: Path) -> pycs.Table:
    """The table of `casino-holdem`, open."""
    return pycs.open_table(holdem_folder)
