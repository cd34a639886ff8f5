"""What software says of many rounds in a few figures: a total, a return or an edge, and what it is a share of."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, Final, Literal, TypeAlias, get_args

from pycs.errors import InputError
from pycs.fit_tests import MOST_COUNT
from pycs.json_files import read_json
from pycs.messages import nearest, quoted, shown_path
from pycs.stated_figures import Figure, Stated, read_figure, read_total

__all__ = ["Per", "Summary", "read_summary"]

Per: TypeAlias = Literal["ante", "bet"]
"""What a figure is a share of: the antes, or all money bet."""

_LARGEST_SHARE: Final = 3  # what a return or an edge can be


@dataclass(frozen=True, kw_only=True)
class Summary:
    """What is said of many rounds, and nothing more.

    `rounds`, and one of: `net`, the total net result; `staked` and `returned`, whose difference it is; `rtp`, the share
    that was returned; `edge`, the share that was lost. `per` says of what: `ante` or `bet` (all money bet); None where
    that is not known. `sd` is the standard deviation of a round's net result in antes. Rates are text, such as
    "97.398714%", or numbers, and stand for all that rounds to them; totals are exact, in money of which an ante is
    `ante`.

    InputError for figures that cannot be, are missing, or say the same twice.

    >>> Summary(rounds=15_000_000, rtp="97.398714%", per="bet").rate
    Figure(text='97.398714%', low=Fraction(-5202573, 200000000), high=Fraction(-5202571, 200000000))
    """

    rounds: int
    net: Stated | None = None
    staked: Stated | None = None
    returned: Stated | None = None
    rtp: Stated | None = None
    edge: Stated | None = None
    per: Per | None = None
    sd: Stated | None = None
    ante: Stated = 1

    def __post_init__(self) -> None:  # noqa: D105
        if isinstance(self.rounds, bool) or not isinstance(self.rounds, int) or not 1 <= self.rounds <= MOST_COUNT:
            raise InputError(f"the rounds {quoted(self.rounds)}: a whole number from 1 to {MOST_COUNT:,} is allowed")
        given = {name for name in ("net", "staked", "returned", "rtp", "edge") if getattr(self, name) is not None}
        if given not in ({"net"}, {"net", "staked"}, {"staked", "returned"}, {"rtp"}, {"edge"}):
            told = "one of net, staked and returned, rtp, or edge is needed beside the rounds"
            raise InputError(f"the figures {', '.join(sorted(given)) or 'of nothing'}: {told}")
        if self.per is not None and (self.per not in get_args(Per) or self.rate is None):
            raise InputError(f"per {quoted(self.per)}: ante or bet is allowed, with an rtp or an edge")
        if not read_total(self.ante, "the ante") > 0:
            raise InputError(f"the ante {quoted(self.ante)}: more than 0 is needed")
        if self.sd is not None and read_figure(self.sd, "the standard deviation").low < 0:
            raise InputError(f"the standard deviation {quoted(self.sd)}: more than 0 is needed")
        for total in ("net", "staked", "returned"):
            if getattr(self, total) is not None:
                self.antes(total)

    @property
    def rate(self) -> Figure | None:
        """The rtp or the edge as a mean net result: negative for a loss."""
        if self.rtp is not None:
            figure = self._share("rtp")
            return figure._replace(low=figure.low - 1, high=figure.high - 1)
        if self.edge is not None:
            figure = self._share("edge")
            return figure._replace(low=-figure.high, high=-figure.low)
        return None

    def _share(self, name: str) -> Figure:
        """A share that can be one: 97.4 is hardly meant to be 9,740%."""
        stated = getattr(self, name)
        figure = read_figure(stated, f"the {name}")
        if abs(figure.value) > _LARGEST_SHARE:
            meant = f"{figure.text}%" if "%" not in figure.text else "a share of the money"
            raise InputError(f"the {name} {quoted(stated)}: that is {float(figure.value):,.0%}; {meant} is allowed")
        return figure

    def antes(self, total: str) -> Fraction:
        """`net`, `staked` or `returned`, in antes."""
        return read_total(getattr(self, total), f"the total {total}") / read_total(self.ante, "the ante")

    @property
    def total_net(self) -> Fraction | None:
        """The total net result in antes, where the totals are stated."""
        if self.net is not None:
            return self.antes("net")
        return None if self.returned is None else self.antes("returned") - self.antes("staked")

    def share(self, net: Fraction) -> str:
        """A mean net result as a text of the kind that is stated: a return, or an edge."""
        return f"{float(1 + net):.6%}" if self.rtp is not None else f"{float(-net):.6%}"


def read_summary(source: str | os.PathLike[str] | Mapping[str, Any]) -> Summary:
    """A summary from a JSON file, or from a mapping, keyed as the fields of `Summary`.

    Numbers in the file are read digit by digit as they stand there. InputError for a file that cannot be read, holds no
    JSON object, or other keys.

    >>> read_summary({"rounds": 1000, "edge": "5.2%"}).edge
    '5.2%'
    """
    where = "the summary"
    if not isinstance(source, Mapping):
        where = shown_path(os.fspath(source))
        source = read_json(source, 'an object as {"rounds": 1000, "edge": "5.2%"}')
    names = [each.name for each in fields(Summary)]
    if not isinstance(source, Mapping) or "rounds" not in source:
        raise InputError(f'{where}: an object with "rounds" and one of net, staked and returned, rtp or edge is needed')
    for key in source:
        if key not in names:
            allowed = f"one of {', '.join(names)} is allowed{nearest(str(key), names)}"
            raise InputError(f"{where}: the key {quoted(key)}: {allowed}")
    return Summary(**source)
