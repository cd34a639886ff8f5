"""Many pay tables of one game: what each is worth, which decisions it changes, and how much each line matters.

No pay table touches the counts, so one counted game serves them all. Everything is exact but the floats that are named
as such. A player folds where fold and call are worth the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from pycs.counted_games import counted_game
from pycs.deal_frames import CARD, cards_as_text
from pycs.errors import InputError
from pycs.games import game_of
from pycs.pay_lines import lines_of, pays_of, read_frame, rules_with_pays, to_one
from pycs.ranking import CATEGORIES_UP
from pycs.rules import load_rules
from pycs.tables import Table
from pycs.values import with_values

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping
    from typing import TypeAlias

    from numpy.typing import NDArray

    from pycs.rules import Rules

    Source: TypeAlias = str | os.PathLike[str] | Rules | Table

__all__ = [
    "PUBLISHED_PAYS",
    "PayGroups",
    "changed_deals",
    "pay_tables",
    "published_pay_tables",
    "sensitivity",
    "valued_pays",
]

PUBLISHED_PAYS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "us": "100/50/20/7/5/4/3/2/1",
        "royal 200": "200/50/20/7/5/4/3/2/1",
        "royal 250": "250/50/20/7/5/4/3/2/1",
        "live": "100/50/25/10/7/5/3/2/1",
        "royal 999": "999/199/99/14/9/5/3/1/1",
        "full house 8": "200/50/20/8/6/4/3/2/1",
        "royal 800": "800/200/25/10/7/5/3/2/1",
    }
)
"""Published pay tables of Caribbean Stud, from the royal flush down, for `rules_with_pays`."""

_TOGETHER: Final = 64  # pay tables that are weighed at once rather than parted once more
_CELLS: Final = 15_000
"""Groups times pay tables that are weighed at once: so few that OpenBLAS keeps the products on one thread. Its threads
wait for each other at full speed, which takes ten times as long on a machine that has other work."""


@dataclass(frozen=True)
class PayGroups:
    """A counted game as pay tables see it: deals that are worth the same under all of them are one group.

    An event is a way for a called round to end whose net result depends on the pays in one way: `fixed[event] +
    pays @ slopes[:, event]` antes, with int64 arrays of shape (events,) and (lines, events). `counts`, float64 of shape
    (groups, events), says how many completions of a deal end so; `weights` and `rows`, int64, how many raw and
    canonical deals a group has.

    Whole numbers below 2^53 are exact in float64, as are sums of them that stay below, in any order: that is what makes
    the matrix products here exact. No net result is above 1 + MAX_CALL x MAX_PAY antes, and the counts of a group add
    up to its completions: in Caribbean Stud 163,185 x 1,000,000,001, in Casino Hold'em, where pays are on the ante,
    1,070,190 x 1,001,000, both below 2e15 < 2^53 = 9e15. Sums of rounds stay below 3e13.
    """

    rules: Rules
    fixed: NDArray[np.int64]
    slopes: NDArray[np.int64]
    counts: NDArray[np.float64]
    weights: NDArray[np.int64]
    rows: NDArray[np.int64]

    @classmethod
    def of(cls, source: Source) -> PayGroups:
        """The groups of a profile's game, counted anew, or of the counts of an open table."""
        rules, counted = _counted(source)
        lines = lines_of(rules)
        nothing = dict.fromkeys(lines, 0)
        fixed = _nets(rules, nothing)
        slopes = [_nets(rules, {**nothing, line: 1}) - fixed for line in lines]
        alike = np.stack([fixed, *slopes]).reshape(1 + len(lines), -1)
        events, numbers = np.unique(alike, axis=1, return_inverse=True)
        event_of = numbers.reshape(fixed.shape)
        groups = counted.group_by("category", *rules.outcomes).agg(pl.col("weight").sum(), pl.len().alias("rows"))
        category = groups["category"].to_physical().to_numpy()
        every, counts = np.arange(len(groups)), np.zeros((len(groups), events.shape[1]))
        for place, outcome in enumerate(rules.outcomes):
            counts[every, event_of[category, place]] += groups[outcome].to_numpy()
        weights, rows = (groups[column].cast(pl.Int64).to_numpy() for column in ("weight", "rows"))
        return cls(rules, events[0], events[1:], counts, weights, rows)

    def nets(self, pays: NDArray[np.int64]) -> NDArray[np.int64]:
        """The net results of the events, in antes: pays of shape (..., lines) to nets of shape (..., events)."""
        return self.fixed + pays @ self.slopes

    def gains(self, pays: NDArray[np.int64]) -> NDArray[np.float64]:
        """By how much a call is worth more than a fold, over the completions of a deal, for each group: exact."""
        return self.counts @ (self.nets(pays) - self.rules.net_fold).astype(np.float64)

    @property
    def own_pays(self) -> NDArray[np.int64]:
        """The pay table of the rules."""
        return np.array(list(pays_of(self.rules).values()), np.int64)


def _counted(source: Source) -> tuple[Rules, pl.DataFrame]:
    if isinstance(source, Table):
        return source.rules, source.frame(["weight", "category", *source.game.outcomes])
    rules = load_rules(source)
    return rules, counted_game(rules)


def _nets(rules: Rules, pays: Mapping[str, int]) -> NDArray[np.int64]:
    """The net result of each outcome after a call, shape (categories, outcomes)."""
    changed = rules_with_pays(rules, pays)
    return np.array([changed.nets(category) for category in CATEGORIES_UP], np.int64)


@dataclass(frozen=True)
class _Play:
    """Best play under each of some pay tables, all of it int64: rounds by event after a call, shape (tables, events),
    and deals that are called, indifferent, or not played as under the rules' own pays, shape (tables,)."""

    rounds: NDArray[np.int64]
    called: NDArray[np.int64]
    indifferent: NDArray[np.int64]
    changed_deals: NDArray[np.int64]
    changed_rows: NDArray[np.int64]


def _play(groups: PayGroups, pays: NDArray[np.int64]) -> _Play:
    own = groups.gains(groups.own_pays) > 0
    weighed = np.column_stack(
        [
            groups.weights[:, None] * groups.counts,
            groups.weights,
            groups.weights * np.where(own, -1, 1),
            groups.rows * np.where(own, -1, 1),
        ]
    )
    sums = np.zeros((len(pays), weighed.shape[1]))
    indifferent = np.zeros(len(pays), np.int64)
    over_fold = (groups.nets(pays) - groups.rules.net_fold).astype(np.float64)
    matter = groups.slopes @ groups.counts.sum(axis=0)

    def weigh(tables: NDArray[np.intp], among: NDArray[np.intp]) -> None:
        """Add to the sums of these pay tables what is called among these groups."""
        # No pay makes a call worth less: what is called at the lowest pays always is, and so for folds at the highest.
        lowest, highest = pays[tables].min(axis=0), pays[tables].max(axis=0)
        counts = groups.counts[among]
        ends = groups.nets(np.stack([lowest, highest])) - groups.rules.net_fold
        low, high = (counts @ ends.T.astype(np.float64)).T
        sums[tables] += weighed[among[low > 0]].sum(axis=0)
        among = among[(low <= 0) & (high >= 0)]
        del counts, low, high
        if len(tables) > _TOGETHER and len(among):
            # Tables that are alike leave fewer deals open: parted by the line in which they differ most.
            line = (abs(pays[tables] - np.median(pays[tables], axis=0)).sum(axis=0) * matter).argmax()
            ascending = tables[np.argsort(pays[tables, line], kind="stable")]
            for half in np.array_split(ascending, 2):
                weigh(half, among)
            return
        step, nets = max(1, _CELLS // len(tables)), np.ascontiguousarray(over_fold[tables].T)
        called = np.zeros((len(tables), weighed.shape[1]))
        for part in (among[first : first + step] for first in range(0, len(among), step)):
            gains = groups.counts[part] @ nets
            equal, under = np.nonzero(gains == 0)
            np.add.at(indifferent, tables[under], groups.weights[part[equal]])
            called += (gains > 0).astype(np.float64).T @ weighed[part]
        sums[tables] += called

    if len(pays):
        weigh(np.arange(len(pays)), np.arange(len(groups.counts)))
    exact = sums.astype(np.int64)
    # Among the called deals those of the own pays count -1, the others 1; with the former in all, what is left are the
    # deals that the one calls and the other does not.
    return _Play(
        rounds=exact[:, :-3],
        called=exact[:, -3],
        indifferent=indifferent,
        changed_deals=exact[:, -2] + groups.weights[own].sum(),
        changed_rows=exact[:, -1] + groups.rows[own].sum(),
    )


def pay_tables(source: Source, tables: pl.DataFrame) -> pl.DataFrame:
    """The exact edge and the best play of many pay tables of one game: a thousand in a few seconds.

    `source` is a profile's name, a TOML file or rules, whose game is then counted anew, or an open `Table`. `tables`
    has one row for each pay table and one column of whole numbers for each line, by any name that `rules_with_pays`
    takes; lines left out are as in the profile. A column `name` of text is carried through.

    Returns, in the order of `tables`: `name` if given; every line (Int64, to one); `deals` (Int64), the equally likely
    rounds, and `net` (Int128: it may pass 2e22), the net result over all of them, in antes; `value_exact` (String), the
    mean net result of a round in antes, in lowest terms; as floats to read, each rounded once from its exact value,
    `house_edge` (per ante), `element_of_risk` (per unit bet), `average_bet` and `sd` (in antes; the variance is exact);
    `called_deals` (Int64, raw deals), `called_share` (Float64), `indifferent_deals` (Int64, raw deals in which both
    actions are worth the same: they are folded); `changed_deals` and `changed_rows` (Int64), the raw and the canonical
    deals whose best action is another than under the profile's own pays.

    As in a report, only the main bet and only fold and call are counted. It takes some 700 MB. InputError, with the
    number of the row (from 0) where there is one, for a column that is no line, is twice or holds no whole numbers, and
    for a pay that is missing or not from 0 to 1,000,000. Safe to call from many threads.

    >>> found = pay_tables("us", pl.DataFrame({"royal": [100, 250], "pair": [1, 2]}))
    >>> found.select("royal_flush", "pair_or_less", "net", "changed_deals").rows()
    [(100, 1, -1041372912372, 0), (250, 2, 3658129404744, 1369344)]
    """
    rules = source.rules if isinstance(source, Table) else load_rules(source)
    pays = read_frame(tables, rules)  # before the counting, which takes its time
    return valued_pays(PayGroups.of(source), pays)


def exact_nets(groups: PayGroups, pays: NDArray[np.int64]) -> list[int]:
    """The net result over all rounds under best play, in antes, for each pay table: pays of shape (tables, lines)."""
    return _moments(groups, pays, _play(groups, pays))[0]


def _moments(groups: PayGroups, pays: NDArray[np.int64], play: _Play) -> tuple[list[int], list[int]]:
    """The sums over all rounds of the net result and of its square, beyond 64 bits: as Python's integers."""
    game, fold = game_of(groups.rules), groups.rules.net_fold
    rounds, nets = play.rounds.astype(object), groups.nets(pays).astype(object)
    folded = (game.raw_deals - play.called.astype(object)) * game.completions
    return list((rounds * nets).sum(axis=1) + folded * fold), list((rounds * nets**2).sum(axis=1) + folded * fold**2)


def valued_pays(groups: PayGroups, tables: pl.DataFrame) -> pl.DataFrame:
    """As `pay_tables`, for tables as `pycs.pay_lines.read_frame` gives them."""
    rules, game = groups.rules, game_of(groups.rules)
    pays = tables.select(lines_of(rules)).to_numpy()
    play = _play(groups, pays)
    nets, squares = _moments(groups, pays, play)
    deals, called = game.rounds, play.called.tolist()
    staked = [game.completions * (game.raw_deals * rules.stakes.ante + n * rules.stakes.call) for n in called]
    # Python rounds the quotient of two integers once, however long they are.
    return tables.with_columns(
        pl.Series("deals", [deals] * len(tables), pl.Int64),
        pl.Series("net", nets, pl.Int128),
        pl.Series("value_exact", [str(Fraction(net, deals)) for net in nets], pl.String),
        pl.Series("house_edge", [-net / deals for net in nets], pl.Float64),
        pl.Series("element_of_risk", [-net / bet for net, bet in zip(nets, staked, strict=True)], pl.Float64),
        pl.Series("average_bet", [bet / deals for bet in staked], pl.Float64),
        pl.Series("sd", [sqrt((s * deals - n**2) / deals**2) for n, s in zip(nets, squares, strict=True)], pl.Float64),
        pl.Series("called_deals", play.called),
        pl.Series("called_share", [n / game.raw_deals for n in called], pl.Float64),
        pl.Series("indifferent_deals", play.indifferent),
        pl.Series("changed_deals", play.changed_deals),
        pl.Series("changed_rows", play.changed_rows),
    )


def published_pay_tables() -> pl.DataFrame:
    """`PUBLISHED_PAYS`, as `pay_tables` values them; `changed_deals` are those that are not played as in `us`.

    None of them changes a decision: in Caribbean Stud only the pay for a pair or less does, by the hands below a pair.
    """
    rules = load_rules("us")
    rows = [{"name": name, **to_one(pays, rules)} for name, pays in PUBLISHED_PAYS.items()]
    return pay_tables(rules, pl.DataFrame(rows))


def changed_deals(source_a: Source, rules_b: str | os.PathLike[str] | Rules) -> pl.DataFrame:
    """The canonical deals whose best action under one pay table is another than under a second one.

    `source_a` is a profile's name, a TOML file, rules or an open `Table`, `rules_b` likewise but for the table.
    Returns, in the order of the canonical indices, `index` (UInt32), `hand` and `upcard` or `flop` as in a table,
    `weight` (Int64, raw deals), `category`, that of the first five cards, `action_a` and `action_b`, `margin_a` and
    `margin_b` (Float64, best less next best, in antes). Where both actions are worth the same, the best is to fold.

    InputError when the games are not the same, or the dealer needs something else to qualify. Safe to call from many
    threads.

    >>> changed = changed_deals("us", rules_with_pays("us", "pair=2"))
    >>> changed.height, changed.select("hand", "upcard", "action_a", "action_b").row(0)
    (61743, ('AhKs6s4s2s', '6d', 'fold', 'call'))
    """
    a = source_a.rules if isinstance(source_a, Table) else load_rules(source_a)
    b, game = load_rules(rules_b), game_of(a)
    for what, here, there in (
        ("the game", a.game, b.game),
        ("a dealer who qualifies with", a.dealer.qualifies, b.dealer.qualifies),
    ):
        if here != there:
            raise InputError(f"{b.name} has {what} {there}, {a.name} {here}: two pay tables of one game are needed")
    counted = _counted(source_a)[1]
    actions = counted.select("weight", "category")
    for rules, side in ((a, "a"), (b, "b")):
        valued = with_values(counted, rules)
        actions = actions.with_columns(
            valued["action"].alias(f"action_{side}"), valued["margin"].alias(f"margin_{side}")
        )
    differ = actions.with_row_index("index").filter(pl.col("action_a") != pl.col("action_b"))
    cards, _ = game.kernel.canonical_deals(differ["index"].to_numpy())
    hand, seen = cards_as_text(cards[:, : game.kernel.hand]), cards_as_text(cards[:, game.kernel.hand :])
    return differ.select(
        "index",
        hand.alias("hand"),
        (seen.cast(CARD) if game.kernel.seen == 1 else seen).alias(game.seen),
        *("weight", "category", "action_a", "action_b", "margin_a", "margin_b"),
    )


def sensitivity(source: Source, *, rising: bool = False) -> dict[str, Fraction]:
    """How much the value of a round, in antes, changes with each line's pay: its derivative, exact.

    The value of best play is convex in the pays, and its derivative is that of the play that is best, held fixed (the
    envelope theorem): what one more to one adds to the rounds that end with the line, over all rounds. In Caribbean
    Stud that is the call for every win with it; in Casino Hold'em the ante, also when the dealer does not qualify, if
    it is paid by the table then.

    Where fold and call are worth the same, the derivative has two sides. This is the one towards lower pays, at which
    such deals are folded; with `rising` it is the one towards higher pays, at which they are called. The two are equal
    where `pay_tables` counts no indifferent deals with the line.

    `source` is a profile's name, a TOML file, rules or an open `Table`. Keys are those of the profile, high to low.
    InputError for a profile that cannot be. Safe to call from many threads.

    >>> sensitivity("us")["royal_flush"]
    Fraction(279329, 166110254310)
    """
    groups = PayGroups.of(source)
    gains = groups.gains(groups.own_pays)
    called = gains >= 0 if rising else gains > 0
    rounds = groups.weights[called].astype(np.float64) @ groups.counts[called]
    more = groups.slopes @ rounds.astype(np.int64)
    deals = game_of(groups.rules).rounds
    return {line: Fraction(int(n), deals) for line, n in zip(lines_of(groups.rules), more, strict=True)}
