"""One deal: what each action is worth, and which is best."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pycs.aa_bonus import NO_BET, BonusBet, bonus_bet
from pycs.cards import format_cards
from pycs.core import rank_hands
from pycs.deals import NOTHING_MORE, parse_deal, parse_known
from pycs.exchanges import Exchange, best_exchange
from pycs.games import game_of
from pycs.holdem_rules import ANTE_LINES, CasinoHoldemRules
from pycs.ranking import category, qualifying_strength
from pycs.rules import load_rules

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence
    from typing import SupportsIndex

    from pycs.aa_bonus import Stake
    from pycs.cards import Alphabet
    from pycs.deals import Cards, Deal, Known
    from pycs.rules import Rules

__all__ = ["ACTIONS", "AnteCounts", "Decision", "Outcomes", "decide", "judge", "not_counted", "weigh"]


ACTIONS: Final = ("fold", "call")
"""The actions, cheaper first: of equally good ones the first is taken."""


class Outcomes(NamedTuple):
    """How many of the completions end each way when the player calls."""

    not_qualified: int
    win: int
    push: int
    lose: int


class AnteCounts(NamedTuple):
    """How many completions pay a line of Casino Hold'em's ante: against a dealer who fails, and one who is beaten."""

    not_qualified: int
    win: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The best action for a deal, with every action's exact value in antes, by action.

    In sight is an `upcard` or a `flop`, the other one is None. `dealer` is what else is known of the dealer's cards,
    `known` what is known to be out of play. `counts` are the completions by outcome, in the order of
    the rules' `outcomes`. `bonus` is the bet on the AA Bonus, None without one; with it, the values are those of all
    bets together. `exchange` is the best way to use the one exchange that is left, None when none is. `values` is a
    plain dict, for reading; the hash leaves it out.
    """

    profile: str
    hand: str
    upcard: str | None = None
    flop: str | None = None
    dealer: str = ""
    known: str = ""
    category: str
    action: str
    values: Mapping[str, Fraction] = field(hash=False)
    counts: tuple[int, ...]
    bonus: BonusBet | None = None
    exchange: Exchange | None = None

    @property
    def margin(self) -> Fraction:
        """The best value less the next best, in antes."""
        best, next_best = sorted(self.values.values(), reverse=True)[:2]
        return best - next_best

    @property
    def indifferent(self) -> bool:
        """Whether the best two actions are worth exactly the same; `action` is then the cheaper one, such as fold."""
        return self.margin == 0

    @property
    def completions(self) -> int:
        """How many completions there are: 163,185, or in Casino Hold'em 1,070,190; fewer when more cards are known."""
        return sum(self.counts)

    @property
    def exchanges_left(self) -> int:
        """How many exchanges were left in the state that was judged, 0 or 1."""
        return 0 if self.exchange is None else 1

    @property
    def outcomes(self) -> Outcomes:
        """How many of the completions end each way when the player calls."""
        lines = (len(self.counts) - 2) // 2
        return Outcomes(sum(self.counts[:lines]), sum(self.counts[lines:-2]), *self.counts[-2:])

    @property
    def ante_lines(self) -> dict[str, AnteCounts] | None:
        """The counts by the line of the ante's pay table, the player's final hand; None outside Casino Hold'em."""
        if self.flop is None:
            return None
        lines = len(ANTE_LINES)
        pairs = zip(self.counts[:lines], self.counts[lines:-2], strict=True)
        return dict(zip(ANTE_LINES, map(AnteCounts._make, pairs), strict=True))

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `pycs decide --json` prints it: floats to read, fractions as exact text.

        >>> decide("us", "AsKhJd8c3s", "Qc").to_dict()["exact"]
        {'fold': '-1', 'call': '-63653/54395'}
        """
        plain: dict[str, Any] = {
            "profile": self.profile,
            "hand": self.hand,
            **({"upcard": self.upcard} if self.flop is None else {"flop": self.flop}),
            "dealer": self.dealer,
            "known": self.known,
            "category": self.category,
            "action": self.action,
            "values": {action: float(value) for action, value in self.values.items()},
            "exact": {action: str(value) for action, value in self.values.items()},
            "margin": float(self.margin),
            "margin_exact": str(self.margin),
            "indifferent": self.indifferent,
            "completions": self.completions,
            "outcomes": self.outcomes._asdict(),
            "exchanges_left": self.exchanges_left,
        }
        if self.ante_lines is not None:
            plain["ante_lines"] = {line: counts._asdict() for line, counts in self.ante_lines.items()}
            plain["bonus"] = None if self.bonus is None else self.bonus.to_dict()
        if self.exchange is not None:
            plain["exchange"] = self.exchange.to_dict()
        return plain


def not_counted(decision: Decision, rules: Rules) -> tuple[str, ...]:
    """What the rules offer beyond the actions that the decision values."""
    return tuple(part for part in rules.not_counted if part != "the exchange" or decision.exchange is None)


def decide(
    profile: str | os.PathLike[str] | Rules,
    hand: Cards,
    seen: Cards | SupportsIndex,
    /,
    *,
    known: Cards = "",
    dealer: Cards = "",
    exchanges: int | None = None,
    bonus: Stake = NO_BET,
    exhaustive: bool = False,
    alphabet: Alphabet = "latin",
) -> Decision:
    """The best action with a hand against an upcard, or with two hole cards on a flop; each action's exact value.

    `profile` is a profile's name, the path of a TOML file, or rules. Cards are text in any notation of `pycs.cards`, or
    numbers. `known` are cards that are out of play: neither in the dealer's hand nor to come. `dealer` are those of the
    dealer's that are seen beside the upcard, in Casino Hold'em of his two hole cards. `bonus` is a bet on the AA Bonus,
    in antes: a whole number, a Fraction, or text such as "0.5". The completions are counted by ranks, in some
    microseconds (Casino Hold'em: a tenth of a millisecond); `exhaustive` walks and ranks every one of them instead,
    which gives the same.

    `exchanges` is how many exchanges are left, 0 or 1; without it, one in a game that allows one in all, and none in
    any other: more than one left is not counted. With one left, `exchange` is among the actions, valued over all new
    hands, each played on by its best action, in some milliseconds.

    InputError for cards, a bet or a profile that cannot be. Safe to call from many threads.

    >>> d = decide("us", "AsKhJd8c3s", "Qc")
    >>> d.action, d.values["call"], d.outcomes.not_qualified
    ('fold', Fraction(-63653, 54395), 74649)
    >>> decide("us", "As Kh Qd 9c 8s", "3d").margin
    Fraction(756, 54395)
    >>> decide("casino-holdem", "Js3h", "5d8cKh").action
    'fold'
    >>> decide("us", "AsKhJd8c3s", "Qc", dealer="7d2c", known="QsQhJs").action
    'call'
    """
    rules = load_rules(profile)
    game = game_of(rules)
    deal = parse_deal(game, hand, seen, alphabet=alphabet)
    more = parse_known(game, deal, dealer, known, alphabet=alphabet)
    qualify = qualifying_strength(rules.dealer.qualifies)
    if exhaustive and more == NOTHING_MORE:
        counts = game.kernel.walk([deal.cards], qualify)[:, 0].tolist()
    else:
        counts = game.kernel.known(deal.cards, more.dealer, more.dead, qualify, walk=exhaustive)
    bet = bonus_bet(rules, deal, bonus)
    decision = judge(rules, deal, category(int(rank_hands([deal.cards[:5]])[0])), counts, bet, more)
    exchange = best_exchange(rules, deal, more, exchanges)
    return decision if exchange is None else _with_exchange(decision, rules, exchange)


def _with_exchange(decision: Decision, rules: Rules, exchange: Exchange) -> Decision:
    values = {**decision.values, "exchange": exchange.value}
    costs = {"fold": 0, "exchange": exchange.fee, "call": rules.stakes.call}
    best = max(costs, key=lambda action: (values[action], -costs[action]))
    return replace(decision, action=best, values=values, exchange=exchange)


def judge(
    rules: Rules,
    deal: Deal,
    hand_category: str,
    counts: Sequence[int],
    bonus: BonusBet | None = None,
    known: Known = NOTHING_MORE,
) -> Decision:
    """The decision that the counts of a deal, one for each of `rules.outcomes`, lead to under the rules."""
    net_call = sum(count * net for count, net in zip(counts, rules.nets(hand_category), strict=True))
    return weigh(rules, deal, hand_category, counts, net_call, bonus, known)


def weigh(
    rules: Rules,
    deal: Deal,
    hand_category: str,
    counts: Sequence[int],
    net_call: int,
    bonus: BonusBet | None = None,
    known: Known = NOTHING_MORE,
) -> Decision:
    """As `judge`, when the net result of calling, summed over all completions, is known already."""
    completions = sum(counts)
    fold, call = Fraction(rules.net_fold), Fraction(net_call, completions)
    best = "call" if net_call > rules.net_fold * completions else "fold"
    if bonus is not None:
        fold, call = fold + bonus.net_fold, call + bonus.net_call
        best = "call" if call > fold else "fold"
    seen, flop = format_cards(deal.seen), isinstance(rules, CasinoHoldemRules)
    return Decision(
        profile=rules.name,
        hand=format_cards(deal.hand),
        upcard=None if flop else seen,
        flop=seen if flop else None,
        dealer=format_cards(known.dealer) if known.dealer else "",
        known=format_cards(known.dead) if known.dead else "",
        category=hand_category,
        action=best,
        values={"fold": fold, "call": call},
        counts=tuple(counts),
        bonus=bonus,
    )
