"""What rounds would bring if the software were another: the exact distribution under other strategies, pay tables, and
wrong rules, which a verdict holds a log's figures against to name what would give them.

The play is held fixed where the rules change: wrong software settles wrongly what players decide by the right rules.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np
import polars as pl

from pycs.counted_games import counted_game
from pycs.distributions import Distribution
from pycs.errors import InputError
from pycs.games import CASINO_HOLDEM, game_of
from pycs.holdem_rules import ANTE_LINES, ante_line
from pycs.named_strategies import STRATEGIES
from pycs.pay_lines import rules_with_pays
from pycs.pay_table_values import PUBLISHED_PAYS
from pycs.ranking import CATEGORIES_UP, qualifying_strength, strengths_of
from pycs.settlings import STATES, Settling, settling_of
from pycs.strategies import OPTIMAL
from pycs.strategy_sources import read_strategy
from pycs.values import with_values
from pycs.wrong_rules import wrong_rules_of

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from pycs.rules import Rules
    from pycs.strategies import Strategy

    Given: TypeAlias = str | os.PathLike[str] | pl.DataFrame | Strategy

__all__ = ["Ending", "Kind", "PlayTally", "Variant", "distribution_of", "tallies", "variants_of"]

Kind: TypeAlias = Literal["right", "strategy", "pay table", "rule"]
"""What is other than claimed: nothing, who plays, what is paid, or another rule."""

_AHEAD, _TIED, _BEHIND, _WIN, _PUSH, _LOSE = range(len(STATES))
_EVERY: Final = tuple(range(len(CATEGORIES_UP)))


class Ending(NamedTuple):
    """A way for a round to end, `event` as a report names it: net result and all that is staked, in antes, and in how
    many of the equally likely rounds it comes."""

    event: str
    action: str
    net: int
    staked: int
    ways: int


class Group(NamedTuple):
    """Called rounds that end in one of these states, with a hand of one of these categories, as numbers."""

    states: tuple[int, ...]
    categories: tuple[int, ...]
    ways: int


@dataclass(frozen=True)
class PlayTally:
    """How the rounds of a strategy end when the dealer qualifies with a strength of `least` or more.

    `folded` counts rounds; each of `partitions` holds all called rounds. In Caribbean Stud there is one, by state and
    category. In Casino Hold'em, where the counts tell the player's final hand only for wins and for dealers who do not
    qualify, there are two: a settling that is the same within each group of either has an exact distribution.
    """

    rules: Rules
    strategy: str
    least: int
    folded: int
    partitions: tuple[tuple[Group, ...], ...] = field(repr=False)


@dataclass(frozen=True)
class Variant:
    """What software brings whose rules or players are these: `words` say it, `ends` hold its rounds, exactly.

    `ends` are named by how they are settled, `by_hands` by the hands alone (`distribution_of`). Safe to share among
    threads.
    """

    name: str
    kind: Kind
    words: str
    strategy: str
    ends: tuple[Ending, ...] = field(repr=False)
    by_hands: tuple[Ending, ...] = field(repr=False)

    @cached_property
    def net(self) -> Distribution:
        """The net result of a round, in antes."""
        return Distribution.of((end.net, end.ways) for end in self.ends)

    @cached_property
    def net_sd(self) -> float:
        """The standard deviation of a round's net result, in antes."""
        return self.net.sd

    @property
    def joint(self) -> tuple[tuple[int, int, int], ...]:
        """Net result, bet in all, and ways: what `pycs.total_tests.ratio_test` takes."""
        return tuple((end.net, end.staked, end.ways) for end in self.ends)

    @property
    def ways(self) -> int:
        """All equally likely rounds."""
        return sum(end.ways for end in self.ends)

    @cached_property
    def house_edge(self) -> Fraction:
        """What the player loses in the mean, per ante."""
        return -self.net.mean

    @cached_property
    def average_bet(self) -> Fraction:
        """All that is staked on a round in the mean, in antes."""
        return Fraction(sum(end.staked * end.ways for end in self.ends), self.ways)

    @cached_property
    def element_of_risk(self) -> Fraction:
        """What the player loses in the mean, per unit bet."""
        return self.house_edge / self.average_bet

    @cached_property
    def called(self) -> Fraction:
        """The share of rounds that are called."""
        return Fraction(sum(end.ways for end in self.ends if end.action == "call"), self.ways)

    def events(self, *, by_hands: bool = False) -> dict[str, int]:
        """In how many rounds each event comes, as it is settled or by the hands alone."""
        found: dict[str, int] = {}
        for end in self.by_hands if by_hands else self.ends:
            found[end.event] = found.get(end.event, 0) + end.ways
        return found


def variants_of(rules: Rules, strategy: Given = OPTIMAL) -> tuple[Variant, ...]:
    """What is claimed, then what else might be: other strategies, published pay tables, wrong rules.

    The first is the strategy under the right rules. Other strategies are those that have a name; other pay tables
    (`pycs.pay_table_values.PUBLISHED_PAYS`) and `pycs.wrong_rules` are tried with the play that is claimed. Wrong rules
    that rank hands otherwise are left out: no tally tells what they do. Of fold and call alone, in a game with
    exchanges too. The first call for some rules takes about ten seconds, later ones for named strategies no time.

    InputError for a strategy that cannot be, or that exchanges. Safe to call from many threads.

    >>> from pycs.rules import load_rules
    >>> claimed, *others = variants_of(load_rules("us"), "three-rules")
    >>> f"{float(claimed.element_of_risk):.6%}", [each.name for each in others][:2]
    ('2.553771%', ['optimal', 'ace-king-jack-eight-three'])
    """
    followed = read_strategy(game_of(rules), strategy)
    name = OPTIMAL if followed is None else followed.name
    if followed is None or STRATEGIES[rules.game].get(name) is followed:
        return _variants_of_named(rules, name)
    leasts = [least for least, _ in _of_named(rules)]
    return _variants(rules, name, tallies(rules, {name: followed}, leasts))


@lru_cache(maxsize=16)
def _variants_of_named(rules: Rules, name: str) -> tuple[Variant, ...]:
    own = {key: tally for key, tally in _of_named(rules).items() if key[1] == name}
    if not own:
        raise InputError(f"the strategy {name} exchanges: a verdict is of fold and call")
    return _variants(rules, name, own)


def _variants(rules: Rules, name: str, own: Mapping[tuple[int, str], PlayTally]) -> tuple[Variant, ...]:
    """As `variants_of`, from the tallies of the claimed strategy."""
    named = _of_named(rules)
    right, least = settling_of(rules), _own_least(rules)
    found = [_variant(name, "right", f"{name} play by the right rules", right, own[least, name])]
    found += [
        _variant(other, "strategy", f"{other} play by the right rules", right, tally)
        for (strength, other), tally in named.items()
        if strength == least and other != name
    ]
    tables = PUBLISHED_PAYS if rules.game != CASINO_HOLDEM.name else {}
    for table, pays in tables.items():
        settling = settling_of(rules_with_pays(rules, pays))
        if (settling.nets != right.nets).any():
            words = f"the published pay table {pays}"
            found.append(_variant(f"pays-{table.replace(' ', '-')}", "pay table", words, settling, own[least, name]))
    for rule in wrong_rules_of(rules):
        settling = rule.settling(rules)
        if rule.by_cards is None and settling.least is not None and (settling.least, name) in own:
            found.append(_variant(rule.name, "rule", f"as if {rule.words}", settling, own[settling.least, name]))
    return tuple(each for each in found if each.ends)


def _variant(name: str, kind: Kind, words: str, settling: Settling, tally: PlayTally) -> Variant:
    staked = 2 * tally.rules.stakes.ante if name == "call-of-one" else None
    settled, by_hands = (
        distribution_of(settling, tally, staked=staked, by_hands=by_hands) or () for by_hands in (False, True)
    )
    return Variant(name, kind, words, tally.strategy, settled, by_hands)


def distribution_of(
    settling: Settling, tally: PlayTally, *, staked: int | None = None, by_hands: bool = False
) -> tuple[Ending, ...] | None:
    """How the rounds of a tally end under a settling, whose `least` must be that of the tally; None where that is more
    than the tally tells: hands that are ranked otherwise, or a result by final hands that were not counted apart.

    An event that is settled as another one is named as that one: with `ties-lost`, a push is `dealer wins`; with
    `by_hands` it keeps its name. `staked` is what a called round stakes, by default ante and call.
    """
    rules = tally.rules
    if not settling.strength_ranks or settling.least != tally.least:
        return None
    paid_as = [set(settling.category[list(strengths_of(category))].tolist()) for category in CATEGORIES_UP]
    if any(len(among) > 1 for among in paid_as):
        return None
    seen_as = [among.pop() for among in paid_as]
    right = settling_of(rules)
    for partition in tally.partitions:
        nets = [
            {int(settling.nets[state, seen_as[category]]) for state in group.states for category in group.categories}
            for group in partition
        ]
        if all(len(among) == 1 for among in nets):
            break
    else:
        return None
    stake = rules.stakes.ante + rules.stakes.call if staked is None else staked
    sums: dict[tuple[str, str, int, int], int] = {}
    ends = []
    for group, among in zip(partition, nets, strict=True):
        net = among.pop()
        event = _event(rules, right, group.states[0], group.categories[0], None if by_hands else net)
        ends.append(((event, "call", net, stake), group.ways))
    for key, ways in [*ends, (("fold", "fold", settling.fold, rules.stakes.ante), tally.folded)]:
        if ways:
            sums[key] = sums.get(key, 0) + ways
    return tuple(Ending(*key, ways) for key, ways in sums.items())


def _event(rules: Rules, right: Settling, state: int, category: int, net: int | None) -> str:
    """What a round is called that ends so: as what it is, or where that brings another result, as what brings this."""
    for other in (state, _WIN, _PUSH, _LOSE) if net is not None else ():
        if right.nets[other, category] == net:
            return _named(rules, other, category)
    return _named(rules, state, category)


def _named(rules: Rules, state: int, category: int) -> str:
    outcome = ("not_qualified",) * 3 + ("win", "push", "lose")
    kind, name = outcome[state], CATEGORIES_UP[category]
    if rules.game == CASINO_HOLDEM.name and kind in ("not_qualified", "win"):
        kind = f"{kind}_{ante_line(name).replace(' ', '_')}"
    return rules.event(kind, name)


def _own_least(rules: Rules) -> int:
    return max(1, qualifying_strength(rules.dealer.qualifies))


@lru_cache(maxsize=4)
def _of_named(rules: Rules) -> Mapping[tuple[int, str], PlayTally]:
    """The tallies of best play and of all named strategies that do not exchange, for every wrong rule."""
    settlings = [rule.settling(rules) for rule in wrong_rules_of(rules) if rule.by_cards is None]
    leasts = {settling.least for settling in settlings if settling.strength_ranks} - {None}
    named = {name: each for name, each in STRATEGIES[rules.game].items() if "exchange" not in each.takes}
    return tallies(rules, {OPTIMAL: None, **named}, [least for least in leasts if least is not None])


def tallies(
    rules: Rules, strategies: Mapping[str, Strategy | None], leasts: Iterable[int] = ()
) -> dict[tuple[int, str], PlayTally]:
    """How the rounds of strategies end, None being best play by the rules, by what the dealer needs and by name.

    The game is counted anew for what the rules say, for a dealer who always qualifies, and for each of `leasts`.
    InputError for a strategy that exchanges.
    """
    game, own = game_of(rules), _own_least(rules)
    valued = with_values(counted_game(rules), rules)
    weight, cell = valued["weight"].to_numpy(), valued["category"].to_physical().to_numpy().astype(np.int64)
    categories, right = len(CATEGORIES_UP), [valued[outcome].to_numpy() for outcome in game.outcomes]
    for place, strategy in enumerate(strategies.values()):
        calls = (valued["action"] if strategy is None else _fold_or_call(strategy)) == "call"
        cell += calls.to_numpy() * (categories << place)
    del valued
    cells = np.arange(categories << len(strategies))  # one for the deals of a category that all play alike

    def summed(counts: NDArray[Any]) -> NDArray[np.int64]:
        """Raw rounds by cell. Sums of whole numbers below 2^53 are exact in float64, and all rounds are below 3e13."""
        sums: NDArray[np.int64] = np.bincount(cell, weight * counts, len(cells)).astype(np.int64)
        return sums

    deals = summed(np.ones(len(weight), np.int64))
    always = dict(zip(game.outcomes, map(summed, game.kernel.sweep(1)), strict=True))
    found: dict[tuple[int, str], PlayTally] = {}
    for least in dict.fromkeys([own, *leasts]):
        counts = right if least == own else game.kernel.sweep(least)
        ends = always if least == 1 else dict(zip(game.outcomes, map(summed, counts), strict=True))
        failed = {f"failed {name}": always[name] - ends[name] for name in ends if not name.startswith("not_qualified")}
        for place, name in enumerate(strategies):
            called = cells // categories >> place & 1 == 1
            folded = game.rounds - int(deals[called].sum()) * game.completions
            by_category = {
                int(number): {
                    column: int(sums[called & (cells % categories == number)].sum())
                    for column, sums in {**ends, **failed}.items()
                }
                for number in np.unique(cells % categories)
            }
            found[least, name] = PlayTally(rules, name, least, folded, _partitions(rules, by_category))
    return found


def _fold_or_call(strategy: Strategy) -> pl.Series:
    actions = strategy.played()
    if (actions == "exchange").any():
        raise InputError(f"the strategy {strategy.name} exchanges: a verdict is of fold and call")
    return actions


def _partitions(rules: Rules, by_category: Mapping[int, Mapping[str, int]]) -> tuple[tuple[Group, ...], ...]:
    """The called rounds in groups. `failed ...` are those that a dealer who always qualifies would win, tie, lose."""
    if rules.game != CASINO_HOLDEM.name:
        states = ("failed win", "failed push", "failed lose", "win", "push", "lose")
        return (
            tuple(
                Group((state,), (category,), row[column])
                for category, row in by_category.items()
                for state, column in enumerate(states)
            ),
        )

    def total(column: str) -> int:
        return sum(row[column] for row in by_category.values())

    groups, behind_by_line = [], []
    for line in ANTE_LINES:
        categories = tuple(number for number in _EVERY if ante_line(CATEGORIES_UP[number]) == line)
        key = line.replace(" ", "_")
        ahead = total(f"failed win_{key}")
        groups += [Group((_AHEAD,), categories, ahead), Group((_WIN,), categories, total(f"win_{key}"))]
        behind_by_line.append(Group((_TIED, _BEHIND), categories, total(f"not_qualified_{key}") - ahead))
    groups += [Group((_PUSH,), _EVERY, total("push")), Group((_LOSE,), _EVERY, total("lose"))]
    by_state = [Group((_TIED,), _EVERY, total("failed push")), Group((_BEHIND,), _EVERY, total("failed lose"))]
    return (*groups, *behind_by_line), (*groups, *by_state)
