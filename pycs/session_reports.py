"""What a session of a profile does: how it can end, the chance of ruin, and the bankroll for a given risk."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from pycs.amounts import read_amount
from pycs.errors import InputError
from pycs.joint_rounds import rounds as count_rounds
from pycs.messages import quoted
from pycs.ruin import MOST_PLAYED, bankroll_for, ruin
from pycs.rules import load_rules
from pycs.sessions import check_rounds, session_of
from pycs.strategies import OPTIMAL
from pycs.stud_rules import CaribbeanStudRules

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from pycs.amounts import Amount
    from pycs.joint_rounds import Rounds
    from pycs.ruin import Bankroll, Ruin
    from pycs.rules import Rules
    from pycs.sessions import Session
    from pycs.strategies import Strategy

__all__ = ["SessionReport", "session", "stated_session"]

_ROUNDS: Final = 20
"""How many rounds a session has where neither the profile nor the caller says."""

_LARGEST_BANKROLL: Final = 10_000_000


@dataclass(frozen=True, slots=True)
class SessionReport:
    """A session of a profile, in antes. `draw` is the result with which nobody wins.

    `rounds` is what a single round brings, `result` what the session does. `ruin` is the chance that a bankroll is lost
    on the way, `enough` the least bankroll for a given risk; None when not asked for.
    """

    rounds: Rounds
    result: Session
    draw: int
    ruin: Ruin | None
    enough: Bankroll | None

    @property
    def not_counted(self) -> tuple[str, ...]:
        """What the rules offer that is not counted here, as the exchange."""
        return self.rounds.rules.not_counted_of_main_bet

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `pycs session --json` prints it."""
        wins, draws, loses = (
            self.result.above(self.draw),
            self.result.at(self.draw),
            self.result.below(self.draw),
        )
        return {
            "profile": self.rounds.rules.name,
            "rules_digest": self.rounds.rules.digest,
            "strategy": self.rounds.strategy,
            "not_counted": list(self.not_counted),
            "stakes": {name: str(size) for name, size in self.rounds.stakes.items()},
            "draw": self.draw,
            "player_wins": float(wins),
            "nobody_wins": float(draws),
            "bank_wins": float(loses),
            **self.result.to_dict(),
            "ruin": None if self.ruin is None else self.ruin.to_dict(),
            "bankroll": None if self.enough is None else self.enough.to_dict(),
        }


def session(
    profile: str | os.PathLike[str] | Rules,
    rounds: int | None = None,
    *,
    bets: Mapping[str, Amount] | None = None,
    strategy: str | os.PathLike[str] | Strategy = OPTIMAL,
    meter: Amount | None = None,
    sharers: int | None = None,
    bankroll: Amount | None = None,
    risk: Amount | None = None,
) -> SessionReport:
    """A session of so many independent rounds (by default those of the profile, else 20) with side bets of these sizes.

    `bankroll`, in antes, asks for the chance that it is ruined on the way: a call that can't be paid is a fold, and who
    can't pay the ante and the side bets is ruined. Best play is that of a single round, whatever the balance. `risk`
    asks for the least bankroll that is ruined with at most that chance. In a game with exchanges, of fold and call.

    InputError for rounds, bets, money, a risk or a profile that cannot be. Safe to call from many threads.

    >>> night = session("betmgm", bankroll=50)
    >>> night.result.rounds, f"{float(night.result.above(0)):.6%}", f"{float(night.ruin.chance):.9f}"
    (20, '40.054946%', '0.000000000')
    """
    most = read_amount(bankroll, "the bankroll", 0, _LARGEST_BANKROLL, "antes") if bankroll is not None else None
    share = None if risk is None else _share(risk)
    rules = load_rules(profile)
    usual, draw = stated_session(rules)
    number = usual if rounds is None else rounds
    check_rounds(number)
    if number > MOST_PLAYED and not (most is None and share is None):
        raise InputError(f"the rounds {number}: with a bankroll or a risk at most {MOST_PLAYED} are allowed")
    counted = count_rounds(rules, bets, strategy=strategy, meter=meter, sharers=sharers)
    net, short, stake = counted.net, counted.when_short, counted.stake
    call = Fraction(rules.stakes.call)
    return SessionReport(
        rounds=counted,
        result=session_of(net, number),
        draw=draw,
        ruin=None if most is None else ruin(net, short, number, most, stake=stake, call=call),
        enough=None if share is None else bankroll_for(net, short, number, share, stake=stake, call=call),
    )


def stated_session(rules: Rules) -> tuple[int, int]:
    """How many rounds a session has, and the result with which nobody wins: 20 and 0 where the rules don't say."""
    stated = rules.session if isinstance(rules, CaribbeanStudRules) else None
    return (stated.rounds, stated.draw) if stated else (_ROUNDS, 0)


def _share(risk: Amount) -> Fraction:
    percent = isinstance(risk, str) and risk.endswith("%")
    try:
        share = read_amount(str(risk)[:-1] if percent else risk, "the risk", 0, 100, "") / (100 if percent else 1)
    except InputError:
        share = Fraction(0)
    if not 0 < share < 1:
        raise InputError(f"the risk {quoted(risk)}: a chance above 0 and below 1 is allowed, as '5%', '0.05' or '1/20'")
    return share
