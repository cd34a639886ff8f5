"""What a player may do at a decision: the actions that rules, box and money leave him, and why not the others."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from pycs.errors import InputError
from pycs.messages import quoted
from pycs.stud_rules import CaribbeanStudRules

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pycs.purse import Purse
    from pycs.rules import Rules
    from pycs.sections import Boxes

__all__ = ["MOST_COUNTED", "MOST_EXACT", "Offer", "decided_later", "exchanges_allowed", "is_blind", "offer"]

MOST_COUNTED: Final = 3
"""The most exchanges left with which a state is valued: beyond `MOST_EXACT` by an estimate."""

MOST_EXACT: Final = 2
"""The most exchanges left with which a value is exact."""


@dataclass(frozen=True, slots=True)
class Offer:
    """The actions on offer, and for each that is not, the reason. `exchanges` is how many are left; `fees` are in
    antes, by the number of cards that can be given up now."""

    actions: tuple[str, ...]
    exchanges: int = 0
    fees: Mapping[int, int] = field(default_factory=dict)
    not_offered: Mapping[str, str] = field(default_factory=dict)


def is_blind(rules: Rules, box: int | None) -> bool:
    """Whether ante and call of a box are staked before the deal, so that nothing about it is decided.

    InputError for a box that the rules do not have.

    >>> from pycs.rules import load_rules
    >>> is_blind(load_rules("three-box"), 3), is_blind(load_rules("three-box"), None)
    (True, False)
    """
    boxes = _boxes(rules)
    if box is None:
        return False
    if boxes is None:
        raise InputError(f"box {quoted(box)}: {rules.name} has no boxes, so none must be named")
    if isinstance(box, bool) or not isinstance(box, int) or not 1 <= box <= boxes.most:
        raise InputError(f"box {quoted(box)}: {rules.name} has boxes 1 to {boxes.most}")
    return box in boxes.blind


def decided_later(rules: Rules, box: int | None) -> int:
    """How many boxes can be decided after this one; box 1 where none is named.

    >>> from pycs.rules import load_rules
    >>> [decided_later(load_rules("three-box"), box) for box in (None, 1, 2)], decided_later(load_rules("us"), None)
    ([1, 1, 0], 0)
    """
    boxes = _boxes(rules)
    return 0 if boxes is None else sum(each not in boxes.blind for each in range((box or 1) + 1, boxes.most + 1))


def offer(rules: Rules, box: int | None, exchanges: int | None, purse: Purse | None) -> Offer:
    """What is on offer in a box that is not blind; `exchanges` is how many are left, by default all the rules allow.

    InputError for a box that the rules do not have, and for exchanges that they do not allow, that the money does not
    pay for, or whose value is not counted.

    >>> from pycs.rules import load_rules
    >>> offer(load_rules("three-box"), 2, None, None)
    Offer(actions=('fold', 'call', 'exchange'), exchanges=1, fees={5: 1}, not_offered={})
    """
    left, fees = _by_rules(rules, box, exchanges)
    not_offered = {}
    if purse is not None:
        if purse.lacks_call:
            not_offered["call"] = purse.lacks_call
        payable = {size: fee for size, fee in fees.items() if purse.lacks_exchange(fee) is None}
        paid_left = min(left, purse.exchanges(min(payable.values(), default=0), left) if payable else 0)
        if exchanges is not None and paid_left < exchanges:
            why = purse.lacks_exchange(min(fees.values()), exchanges)
            raise InputError(f"exchanges left {exchanges}: the balance pays for {paid_left}, since {why}")
        too_dear = {size: fee for size, fee in fees.items() if size not in payable}
        if too_dear and payable:
            sizes = f"{', '.join(map(str, too_dear))} cards"
            not_offered[f"exchange of {sizes}"] = str(purse.lacks_exchange(min(too_dear.values())))
        elif too_dear:
            not_offered["exchange"] = str(purse.lacks_exchange(min(too_dear.values())))
        elif paid_left < left:
            reason = purse.lacks_exchange(min(payable.values()), paid_left + 1)
            not_offered[f"more than {paid_left} of {left} exchanges"] = str(reason)
        left, fees = paid_left, payable
    _require_counted(rules, left, fees)
    actions = ("fold", *(() if "call" in not_offered else ("call",)), *(("exchange",) if left else ()))
    return Offer(actions, left, fees if left else {}, not_offered)


def _boxes(rules: Rules) -> Boxes | None:
    return rules.boxes if isinstance(rules, CaribbeanStudRules) else None


def exchanges_allowed(rules: Rules, box: int | None) -> tuple[int, dict[int, int]]:
    """How many exchanges in a row the rules allow in a box, and the fees in antes, by the number of cards given up.

    >>> from pycs.rules import load_rules
    >>> exchanges_allowed(load_rules("three-box"), 2), exchanges_allowed(load_rules("us"), None)
    ((1, {5: 1}), (0, {}))
    """
    exchange = rules.exchange if isinstance(rules, CaribbeanStudRules) else None
    is_blind(rules, box)
    if exchange is None or (exchange.boxes and (box or 1) not in exchange.boxes):
        return 0, {}
    return exchange.in_a_row, exchange.fees.by_size()


def _by_rules(rules: Rules, box: int | None, exchanges: int | None) -> tuple[int, dict[int, int]]:
    """How many exchanges are left, and the fees by size, as far as the rules go."""
    allowed, fees = exchanges_allowed(rules, box)
    if exchanges is None:
        exchanges = allowed
    if isinstance(exchanges, bool) or not isinstance(exchanges, int) or not 0 <= exchanges <= allowed:
        where = rules.name if box is None else f"box {box} of {rules.name}"
        numbers = "0" if allowed == 0 else "0 or 1" if allowed == 1 else f"0 to {allowed}"
        raise InputError(f"exchanges left {quoted(exchanges)}: {where} allows {numbers}")
    return exchanges, fees if exchanges else {}


def _require_counted(rules: Rules, left: int, fees: Mapping[int, int]) -> None:
    most = MOST_COUNTED if tuple(fees) == (5,) else 1
    if left > most:
        of = "" if most > 1 else " of chosen cards"
        raise InputError(f"{left} exchanges{of} are left in {rules.name}: values are known with up to {most} left")
