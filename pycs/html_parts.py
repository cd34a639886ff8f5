"""What pages in HTML are made of: the parts that the template `report.html` knows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pycs.terminal import Side

__all__ = ["Command", "Listing", "Part", "Picture", "Section", "Words"]


@dataclass(frozen=True)
class Words:
    """A paragraph; `exact` sets it as figures."""

    text: str
    exact: bool = False
    kind: str = "text"


@dataclass(frozen=True)
class Command:
    """A command to be typed."""

    text: str
    kind: str = "command"


@dataclass(frozen=True)
class Picture:
    """A drawing."""

    svg: str
    kind: str = "picture"


@dataclass(frozen=True)
class Listing:
    """A table: its columns with the side on which their cells stand, and its rows; `sum` sets the last one apart."""

    columns: tuple[tuple[str, Side], ...]
    rows: Sequence[tuple[str, ...]]
    caption: str = ""
    sum: bool = False
    kind: str = "table"


Part: TypeAlias = Words | Command | Picture | Listing
"""What a section is made of."""


class Section(NamedTuple):
    """A heading, and what stands below it."""

    title: str
    parts: Sequence[Part]
