"""One deal: what each action is worth, and which is best."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pycs.aa_bonus import NO_BET, BonusBet, bonus_bet
from pycs.blind_boxes import blind_call
from pycs.cards import format_cards
from pycs.core import rank_hands
from pycs.deals import NOTHING_MORE, Deal, parse_deal, parse_known, parse_upcard
from pycs.errors import InputError
from pycs.exchanges import Exchange, exchange_of
from pycs.games import game_of
from pycs.holdem_rules import ANTE_LINES, CasinoHoldemRules
from pycs.messages import quoted
from pycs.offers import MOST_EXACT, decided_later, is_blind, offer
from pycs.purse import Purse, read_purse
from pycs.ranking import category, qualifying_strength
from pycs.rules import load_rules
from pycs.stud_rules import CaribbeanStudRules

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence
    from typing import SupportsIndex

    from pycs.amounts import Amount
    from pycs.cards import Alphabet
    from pycs.deals import Cards, Known
    from pycs.estimates import Estimate
    from pycs.offers import Offer
    from pycs.rules import Rules

__all__ = [
    "ACTIONS",
    "UNDECIDED",
    "AnteCounts",
    "Decision",
    "Outcomes",
    "decide",
    "judge",
    "not_counted",
    "weigh",
]


ACTIONS: Final = ("fold", "call")
"""The actions of every game, cheaper first: of equally good ones the first is taken."""

UNDECIDED: Final = "undecided"
"""The action of a decision in which an estimate does not stand clear of the other values."""


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
    """The best action for a deal, with the value of every action on offer in antes, by action.

    In sight is an `upcard` or a `flop`, the other one is None. `dealer` is what else is known of the dealer's cards,
    `known` what is known to be out of play. `values` are exact; an action whose value is only estimated stands in
    `estimates` instead, with its error. `action` is `undecided` where an estimate does not stand clear of the others.
    `not_offered` says of an action why there is none, such as too little money in the `purse`.

    `counts` are the completions by outcome, in the order of the rules' `outcomes`. `bonus` is the bet on the AA Bonus,
    None without one; with it, the values are those of all bets together. `exchange` is the best way to use the first of
    the `exchanges_left`, None when none is on offer. A blind `box` has neither hand nor category: its counts are of all
    hands with all their completions, and `wins` are those won, by line of the pay table. The dicts are plain ones, for
    reading; the hash leaves them out.
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
    estimates: Mapping[str, Estimate] = field(default_factory=dict, hash=False)
    counts: tuple[int, ...]
    bonus: BonusBet | None = None
    exchanges_left: int = 0
    exchange: Exchange | None = None
    box: int | None = None
    purse: Purse | None = None
    not_offered: Mapping[str, str] = field(default_factory=dict, hash=False)
    wins: Mapping[str, int] | None = field(default=None, hash=False)

    @property
    def margin(self) -> Fraction | None:
        """The best value less the next best, in antes; None for a single action, and where a value is an estimate."""
        if self.estimates or len(self.values) < 2:
            return None
        best, next_best = sorted(self.values.values(), reverse=True)[:2]
        return best - next_best

    @property
    def estimated_margin(self) -> Estimate | None:
        """How much an exchange brings more than the best other action, in antes, when its value is an estimate."""
        if not self.estimates:
            return None
        estimate = self.estimates["exchange"]
        return replace(estimate, value=estimate.value - float(max(self.values.values())))

    @property
    def indifferent(self) -> bool:
        """Whether the best two actions are worth exactly the same; `action` is then the cheaper one, such as fold."""
        return self.margin == 0

    @property
    def completions(self) -> int:
        """How many completions there are: 163,185, or in Casino Hold'em 1,070,190; fewer when more cards are known."""
        return sum(self.counts)

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
        margin = self.margin
        plain: dict[str, Any] = {
            "profile": self.profile,
            "hand": self.hand or None,
            **({"upcard": self.upcard} if self.flop is None else {"flop": self.flop}),
            "dealer": self.dealer,
            "known": self.known,
            "category": self.category or None,
            "action": self.action,
            "values": {action: float(value) for action, value in self.values.items()},
            "exact": {action: str(value) for action, value in self.values.items()},
            "estimates": {action: estimate.to_dict() for action, estimate in self.estimates.items()},
            "margin": None if margin is None else float(margin),
            "margin_exact": None if margin is None else str(margin),
            "margin_estimate": None if self.estimated_margin is None else self.estimated_margin.to_dict(),
            "indifferent": self.indifferent,
            "not_offered": dict(self.not_offered),
            "completions": self.completions,
            "outcomes": self.outcomes._asdict(),
            "exchanges_left": self.exchanges_left,
            "box": self.box,
            "money": None if self.purse is None else self.purse.to_dict(),
        }
        if self.ante_lines is not None:
            plain["ante_lines"] = {line: counts._asdict() for line, counts in self.ante_lines.items()}
            plain["bonus"] = None if self.bonus is None else self.bonus.to_dict()
        if self.exchange is not None:
            plain["exchange"] = self.exchange.to_dict()
        if self.wins is not None:
            plain["wins"] = dict(self.wins)
        return plain


def not_counted(decision: Decision, rules: Rules) -> tuple[str, ...]:
    """What the rules offer beyond what the decision's values take in."""
    counted = {
        "the exchange": True,
        "limits of money": decision.purse is not None or decision.wins is not None,
        "further boxes": decision.box is not None and decided_later(rules, decision.box) == 0,
    }
    return tuple(part for part in rules.not_counted if not counted.get(part))


def decide(
    profile: str | os.PathLike[str] | Rules,
    hand: Cards = "",
    seen: Cards | SupportsIndex = "",
    /,
    *,
    known: Cards = "",
    dealer: Cards = "",
    exchanges: int | None = None,
    box: int | None = None,
    ante: Amount | None = None,
    balance: Amount | None = None,
    later: Amount | None = None,
    bonus: Amount = NO_BET,
    exhaustive: bool = False,
    precise: bool = False,
    seed: int | None = None,
    alphabet: Alphabet = "latin",
) -> Decision:
    """The best action with a hand against an upcard, or with two hole cards on a flop; each action's value.

    `profile` is a profile's name, the path of a TOML file, or rules. Cards are text in any notation of `pycs.cards`, or
    numbers. `known` are cards that are out of play: neither in the dealer's hand nor to come. `dealer` are those of the
    dealer's that are seen beside the upcard, in Casino Hold'em of his two hole cards. `bonus` is a bet on the AA Bonus,
    in antes: a whole number, a Fraction, or text such as "0.5". The completions are counted by ranks, in some
    microseconds (Casino Hold'em: a tenth of a millisecond); `exhaustive` walks and ranks every one of them instead,
    which gives the same.

    `exchanges` is how many exchanges are left; without it, as many as the rules allow. With one left, `exchange` is
    among the actions, valued over all new hands, each played on by its best action, in some milliseconds; with two,
    too, in about a second. With three its value is an estimate with a stated error, from exact values with two left:
    a standard error of at most 0.0005 antes in some seconds, with `precise` 0.0001 (larger when so many cards are known
    that fewer than 36 are left); the same `seed`, by default 1, gives the same.

    `box` is the number of the box, in a game of boxes; what the boxes before it showed goes into `known`. A blind box
    has no hand: leave it out, and the upcard too for its value before the deal. `ante` and `balance` are money: the
    ante of this box, and what the player has left beside all his stakes on the table; `later` is the antes of the boxes
    that are decided after this one. An action that can't be paid is not offered.

    InputError for cards, a bet, a state or a profile that cannot be. Safe to call from many threads.

    >>> d = decide("us", "AsKhJd8c3s", "Qc")
    >>> d.action, d.values["call"], d.outcomes.not_qualified
    ('fold', Fraction(-63653, 54395), 74649)
    >>> decide("us", "As Kh Qd 9c 8s", "3d").margin
    Fraction(756, 54395)
    >>> decide("casino-holdem", "Js3h", "5d8cKh").action
    'fold'
    >>> decide("us", "AsKhJd8c3s", "Qc", dealer="7d2c", known="QsQhJs").action
    'call'
    >>> decide("three-box", "9c7d4h3s2c", "2d", ante=10, balance=25).not_offered["exchange"]
    'a fee of 10 and a call of 20 after it come to 30, and the balance is 25'
    """
    rules = load_rules(profile)
    if isinstance(rules, CaribbeanStudRules) and is_blind(rules, box):
        if (ante, balance, later) != (None, None, None) or exchanges or exhaustive or precise or seed is not None:
            told = "ante and call are staked before the deal, so nothing can be said of exchanges, money or an estimate"
            raise InputError(f"box {box} is blind: {told}")
        return _blind(rules, box, hand, seen, dealer, known, alphabet)
    game = game_of(rules)
    purse = read_purse(rules, ante, balance, later, decided_later=decided_later(rules, box))
    deal = parse_deal(game, hand, seen, alphabet=alphabet)
    more = parse_known(game, deal, dealer, known, alphabet=alphabet)
    bet = bonus_bet(rules, deal, bonus)
    offered = offer(rules, box, exchanges, purse)
    if (precise or seed is not None) and offered.exchanges <= MOST_EXACT:
        given = "precise" if precise else f"the seed {quoted(seed)}"
        raise InputError(f"{given}: nothing is estimated with {offered.exchanges} exchanges left, so leave it out")
    qualify = qualifying_strength(rules.dealer.qualifies)
    if exhaustive and more == NOTHING_MORE:
        counts = game.kernel.walk([deal.cards], qualify)[:, 0].tolist()
    else:
        counts = game.kernel.known(deal.cards, more.dealer, more.dead, qualify, walk=exhaustive)
    decision = judge(rules, deal, category(int(rank_hands([deal.cards[:5]])[0])), counts, bet, more)
    if box is None and purse is None and not offered.exchanges:
        return decision
    stay = {action: value for action, value in decision.values.items() if action in offered.actions}
    exchange = None
    if offered.exchanges and isinstance(rules, CaribbeanStudRules):
        exchange = exchange_of(rules, deal, more, offered, precise=precise, seed=1 if seed is None else seed)
    return on_offer(replace(decision, box=box, purse=purse), rules, offered, stay, exchange)


def on_offer(
    decision: Decision, rules: Rules, offered: Offer, stay: Mapping[str, Fraction], exchange: Exchange | None
) -> Decision:
    """The decision among the actions on offer; of equally good ones the cheaper."""
    values, estimates, costs = dict(stay), {}, {"fold": 0, "call": rules.stakes.call}
    if exchange is not None:
        costs["exchange"] = exchange.fee
        if isinstance(exchange.value, Fraction):
            values["exchange"] = exchange.value
        else:
            estimates["exchange"] = exchange.value
    best = max(values, key=lambda action: (values[action], -costs[action]))
    if exchange is not None and estimates:
        is_better = exchange.is_better_than(values[best])
        best = UNDECIDED if is_better is None else "exchange" if is_better else best
    return replace(
        decision,
        action=best,
        values=values,
        estimates=estimates,
        exchanges_left=offered.exchanges,
        exchange=exchange,
        not_offered=offered.not_offered,
    )


def _blind(
    rules: CaribbeanStudRules,
    box: int | None,
    hand: Cards,
    seen: Cards | SupportsIndex,
    dealer: Cards,
    known: Cards,
    alphabet: Alphabet,
) -> Decision:
    """A blind box: called without a look, before the deal when no upcard is given."""
    if hand not in ("", ()):
        raise InputError(
            f"the hand {quoted(hand)}: box {box} is blind, so no hand is seen; give the upcard alone, or no cards"
        )
    upcard, more = parse_upcard(game_of(rules), seen, dealer, known, alphabet=alphabet)
    called = blind_call(rules, upcard, more)
    return Decision(
        profile=rules.name,
        hand="",
        upcard=None if upcard is None else format_cards([upcard]),
        dealer=format_cards(more.dealer) if more.dealer else "",
        known=format_cards(more.dead) if more.dead else "",
        category="",
        action="call",
        values={"call": called.value(rules)},
        counts=(called.not_qualified, sum(called.wins.values()), called.push, called.lose),
        box=box,
        wins=called.wins,
    )


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
