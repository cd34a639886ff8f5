"""A finished round, settled to the ante."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from pycs.cards import check_distinct, format_cards, parse_cards
from pycs.core import rank_hands
from pycs.decisions import ACTIONS
from pycs.errors import InputError
from pycs.messages import quoted
from pycs.ranking import category, qualifying_strength
from pycs.rules import load_rules

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable
    from typing import SupportsIndex

    from pycs.rules import Rules

__all__ = ["Settlement", "settle"]


@dataclass(frozen=True, slots=True)
class Settlement:
    """What a finished round pays. Money is in antes: `net` = `returned` - `staked`.

    `outcome` is `fold`, `not_qualified`, `win`, `push` or `lose`. The categories are those of the two hands.
    """

    profile: str
    player: str
    dealer: str
    action: str
    player_category: str
    dealer_category: str
    dealer_qualifies: bool
    outcome: str
    staked: int
    returned: int
    net: int

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `pycs settle --json` prints it."""
        return asdict(self)


def settle(
    profile: str | os.PathLike[str] | Rules,
    player: str | Iterable[str | SupportsIndex],
    dealer: str | Iterable[str | SupportsIndex],
    action: str,
) -> Settlement:
    """The net result, in antes, of a finished round: the player's five cards, the dealer's five, and `fold` or `call`.

    InputError for cards, an action or a profile that cannot be. Safe to call from many threads.

    >>> settle("betmgm", "QhQs9d6c2h", "JhJcAs8d3c", "call").net
    3
    >>> settle("us", "QhJd9s8c2h", "AcQdJsTh9c", "call").outcome
    'not_qualified'
    """
    rules = load_rules(profile)
    if not isinstance(action, str) or action not in ACTIONS:
        raise InputError(f"the action {quoted(action)}: {' or '.join(ACTIONS)} is allowed")
    hands = (parse_cards(player, count=5, what="player's hand"), parse_cards(dealer, count=5, what="dealer's hand"))
    check_distinct({"player's hand": hands[0], "dealer's hand": hands[1]})
    mine, his = (int(strength) for strength in rank_hands(hands))
    qualifies = his >= qualifying_strength(rules.dealer.qualifies)
    staked = rules.stakes.ante
    if action == "fold":
        outcome, net = "fold", rules.net_fold
    else:
        staked += rules.stakes.call
        if not qualifies:
            outcome, net = "not_qualified", rules.net_not_qualified
        elif mine > his:
            outcome, net = "win", rules.net_win(category(mine))
        elif mine == his:
            outcome, net = "push", rules.net_push
        else:
            outcome, net = "lose", rules.net_lose
    return Settlement(
        profile=rules.name,
        player=format_cards(hands[0]),
        dealer=format_cards(hands[1]),
        action=action,
        player_category=category(mine),
        dealer_category=category(his),
        dealer_qualifies=qualifies,
        outcome=outcome,
        staked=staked,
        returned=staked + net,
        net=net,
    )
