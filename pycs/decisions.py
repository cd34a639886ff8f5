"""One deal: what each action is worth, and which is best."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pycs.cards import format_card, format_cards
from pycs.core import rank_hands, stud_count, stud_walk
from pycs.deals import COMPLETIONS, parse_deal
from pycs.ranking import category, qualifying_strength
from pycs.rules import load_rules

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping
    from typing import SupportsIndex

    from pycs.deals import Deal
    from pycs.rules import Rules

__all__ = ["ACTIONS", "Decision", "Outcomes", "decide", "judge"]


ACTIONS: Final = ("fold", "call")
"""The actions, cheaper first: of equally good ones the first is taken."""


class Outcomes(NamedTuple):
    """How many of the 163,185 dealer completions end each way when the player calls."""

    not_qualified: int
    win: int
    push: int
    lose: int


@dataclass(frozen=True, slots=True)
class Decision:
    """The best action for a deal, with every action's exact value in antes, by action.

    `exchanges_left` is the number of exchanges left in the state that was judged: the values are those of fold and call
    alone, so it is 0. `values` is a plain dict, for reading; the hash leaves it out.
    """

    profile: str
    hand: str
    upcard: str
    category: str
    action: str
    values: Mapping[str, Fraction] = field(hash=False)
    outcomes: Outcomes
    exchanges_left: int = 0

    @property
    def margin(self) -> Fraction:
        """The best value less the next best, in antes."""
        best, next_best = sorted(self.values.values(), reverse=True)[:2]
        return best - next_best

    @property
    def indifferent(self) -> bool:
        """Whether the best two actions are worth exactly the same; `action` is then the cheaper one, fold."""
        return self.margin == 0

    @property
    def completions(self) -> int:
        """How many dealer completions there are: the sum of the outcomes, 163,185."""
        return sum(self.outcomes)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `pycs decide --json` prints it: floats to read, fractions as exact text.

        >>> decide("us", "AsKhJd8c3s", "Qc").to_dict()["exact"]
        {'fold': '-1', 'call': '-63653/54395'}
        """
        return {
            "profile": self.profile,
            "hand": self.hand,
            "upcard": self.upcard,
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


def decide(
    profile: str | os.PathLike[str] | Rules,
    hand: str | Iterable[str | SupportsIndex],
    upcard: str | SupportsIndex,
    *,
    exhaustive: bool = False,
) -> Decision:
    """The best action with a hand of five cards against an upcard, and the exact value of each action.

    `profile` is a profile's name, the path of a TOML file, or rules. Cards are text in any notation of `pycs.cards`, or
    numbers. The dealer's 163,185 completions are counted by ranks, in some microseconds; `exhaustive` walks and ranks
    every one of them instead, which gives the same. In a game with exchanges this is the decision when no exchange is
    left.

    InputError for cards or a profile that cannot be. Safe to call from many threads.

    >>> d = decide("us", "AsKhJd8c3s", "Qc")
    >>> d.action, d.values["call"], d.outcomes.not_qualified
    ('fold', Fraction(-63653, 54395), 74649)
    >>> decide("us", "As Kh Qd 9c 8s", "3d").margin
    Fraction(756, 54395)
    """
    rules = load_rules(profile)
    deal = parse_deal(hand, upcard)
    count = stud_walk if exhaustive else stud_count
    counts = count([[*deal.hand, deal.upcard]], qualifying_strength(rules.dealer.qualifies))
    outcomes = Outcomes(*(int(column[0]) for column in counts))
    return judge(rules, deal, category(int(rank_hands([deal.hand])[0])), outcomes)


def judge(rules: Rules, deal: Deal, hand_category: str, outcomes: Outcomes) -> Decision:
    """The decision that the counts of a deal lead to under the rules."""
    call_numerator = (
        outcomes.not_qualified * rules.net_not_qualified
        + outcomes.win * rules.net_win(hand_category)
        + outcomes.push * rules.net_push
        + outcomes.lose * rules.net_lose
    )
    fold_numerator = COMPLETIONS * rules.net_fold
    return Decision(
        profile=rules.name,
        hand=format_cards(deal.hand),
        upcard=format_card(deal.upcard),
        category=hand_category,
        action="call" if call_numerator > fold_numerator else "fold",
        values={"fold": Fraction(rules.net_fold), "call": Fraction(call_numerator, COMPLETIONS)},
        outcomes=outcomes,
    )
