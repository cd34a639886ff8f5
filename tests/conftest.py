"""What several test files share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import pycs
from pycs.cards import parse_cards
from pycs.core import DEALS, canonical_deals, stud_sweep
from pycs.ranking import qualifying_strength

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from pycs.core import Counts

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


@pytest.fixture(scope="session")
def extreme_deals() -> NDArray[np.uint8]:
    """The extremes as an array, shape (n, 6)."""
    return np.array([[*parse_cards(hand), *parse_cards(upcard)] for hand, upcard in EXTREMES], np.uint8)


@pytest.fixture(scope="session")
def random_deals() -> NDArray[np.uint8]:
    """2,500 raw deals, shape (n, 6), drawn evenly from the canonical ones, their suits relabeled at random."""
    random = np.random.default_rng(20001101)
    deals, _ = canonical_deals(random.integers(0, DEALS, 2500))
    labels = random.permuted(np.tile(np.arange(4, dtype=np.uint8), (len(deals), 1)), axis=1)
    return (deals // 4 * 4 + np.take_along_axis(labels, deals % 4, axis=1)).astype(np.uint8)


@pytest.fixture(scope="session")
def ace_king() -> int:
    """The strength with which the dealer qualifies in every shipped profile."""
    return qualifying_strength("ace-king")


@pytest.fixture(scope="session")
def swept(ace_king: int) -> Counts:
    """The counts of the whole game."""
    return stud_sweep(ace_king)


@pytest.fixture(scope="session")
def us_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the table of `us`. Not to be changed: copy it."""
    folder = tmp_path_factory.mktemp("tables") / "us"
    pycs.solve("us", folder)
    return folder


@pytest.fixture(scope="session")
def us_table(us_folder: Path) -> pycs.Table:
    """The table of `us`, open."""
    return pycs.open_table(us_folder)
