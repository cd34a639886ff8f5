"""The verdict on a summary of a game with an exchange: there value and average bet are exact, and no distribution is.

So the mean is tested by the normal distribution, with the standard deviation that the summary states, or with an upper
bound, which makes the p-value larger than it is. Wrong rules are not tried.
"""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Final, NamedTuple

from pycs.action_values import action_values
from pycs.detection import detectable, rounds_needed
from pycs.errors import InputError
from pycs.named_strategies import STRATEGIES
from pycs.offers import exchanges_allowed
from pycs.rule_variants import distribution_of, tallies
from pycs.settlings import settling_of
from pycs.stated_figures import read_figure
from pycs.strategies import OPTIMAL
from pycs.strategy_costs import named_plays, play_of
from pycs.strategy_sources import read_strategy
from pycs.total_tests import mean_test
from pycs.verdicts import POWER, Finding, FitTest, judged

if TYPE_CHECKING:
    from pycs.rule_variants import Given
    from pycs.rules import Rules
    from pycs.stated_summaries import Per, Summary
    from pycs.strategy_costs import Play
    from pycs.verdicts import Verdict

__all__ = ["bounded_sd", "verdict_with_exchange"]

_ALL_FIVE: Final = 5


class _Fit(NamedTuple):
    play: Play
    per: Per
    test: FitTest


def bounded_sd(rules: Rules) -> float:
    """An upper bound for the standard deviation of a round with one exchange of all five cards, whatever is played.

    The mean square of a round's net result is at most that of the first hand plus that of the second one, each as if it
    were always there and called, or folded where that costs more: for before anything is chosen, the second hand is as
    random as the first.

    InputError for exchanges of chosen cards, which make better hands than random ones.
    """
    fees = exchanges_allowed(rules, None)[1]
    if tuple(fees) != (_ALL_FIVE,):
        told = "no bound of the standard deviation is known for chosen cards: state it"
        raise InputError(f"a summary of {rules.name}: {told}")
    (fee,) = fees.values()
    called = {"always-call": STRATEGIES[rules.game]["always-call"]}
    settling = settling_of(rules)
    (tally,) = tallies(rules, called).values()
    ends = distribution_of(settling, tally) or ()
    ways = sum(end.ways for end in ends)
    fold = abs(rules.net_fold)
    squares = sum(end.ways * (max(fold, abs(end.net)) ** 2 + (max(fold, abs(end.net)) + fee) ** 2) for end in ends)
    return sqrt(squares / ways)


def verdict_with_exchange(
    rules: Rules,
    summary: Summary,
    *,
    strategy: Given | None,
    alpha: float,
    anytime: bool,
    detect: Fraction,
) -> Verdict:
    """As `pycs.summaries.verdict_on_summary`, for one box of rules with one exchange; half a minute to a minute.

    InputError for more exchanges, of which no whole game has an exact value, for growing logs, and as there.
    """
    if exchanges_allowed(rules, None)[0] > 1:
        told = "with more than one exchange no whole game is valued: a verdict on rounds is allowed"
        raise InputError(f"a summary of {rules.name}: {told}")
    if anytime:
        told = "no test that holds at every look is known with an exchange: one look is allowed"
        raise InputError(f"a summary of {rules.name}: {told}")
    if summary.sd is not None:
        sd, known = float(read_figure(summary.sd, "the standard deviation").high), "stated"
    else:
        sd = bounded_sd(rules)
        known = f"at most {sd:.4f}"
    values = action_values(rules)
    given = read_strategy(values.game, OPTIMAL if strategy is None else strategy)
    claim = play_of(values, given)
    plays = [claim, *(play for play in named_plays(values) if play.strategy != claim.strategy)]
    rate = summary.rate
    pers: tuple[Per, ...] = ("ante",) if rate is None else ("ante", "bet") if summary.per is None else (summary.per,)
    both: tuple[Per, ...] = ("ante",) if rate is None else ("ante", "bet")
    widest = 1 + values.fee + rules.stakes.call
    fits = [_fit(summary, play, per, sd, known, widest) for play in plays for per in both]
    stated = [fit for fit in fits if fit.per in pers]
    own = max((fit for fit in stated if fit.play is claim), key=lambda fit: fit.test.p_value)
    test = own.test
    if strategy is None:  # the play fails nothing: the best of all, and only above it
        test = max((fit.test if (fit.test.statistic or 0) > 0 else _no_more(fit.test) for fit in stated), key=_p_value)
    fitting = sorted(
        (fit for fit in fits if fit.test.p_value > alpha),
        key=lambda fit: ((fit.play is not claim) + 2 * (fit.per not in pers), -fit.test.p_value),
    )
    least = detectable(sd, summary.rounds, alpha)
    enough = least <= detect and (strategy is not None or any(fit.per in pers for fit in fitting))
    notes = [
        f"of one box with one exchange; the standard deviation is {known}, and tails are those of the normal curve"
    ]
    findings: list[Finding] = []
    named = [f"{fit.play.strategy} ({_exact(summary, fit)}, p {fit.test.p_value:.2g})" for fit in fitting]
    if test.p_value <= alpha:
        findings.append(_explained(summary, own, fitting[0] if fitting else None))
        named = named[1:]
    if named:
        notes.append(f"what was seen fits {'; '.join(named)}")
    if least > detect:
        needed = rounds_needed(sd, detect, alpha)
        notes.append(
            f"{summary.rounds:,} rounds show an error of {least:.3%} of an ante or more; an error of "
            f"{float(detect):.3%} takes {needed:,} rounds"
        )
    return judged(
        rules.name,
        "summary",
        summary.rounds,
        tests=[test],
        findings=findings,
        enough=enough,
        alpha=alpha,
        strategy=None if strategy is None else claim.strategy,
        notes=notes,
        unseen=[
            f"errors of less than {least:.3%} of an ante a round",
            "errors that leave the mean as it is, and what wrong rules would bring, which is not counted here",
        ],
        figures={
            "stated": None if rate is None else rate.text,
            "per": summary.per,
            "house_edge": float(claim.house_edge),
            "element_of_risk": float(claim.element_of_risk),
            "sd_at_most": sd,
            "detectable": least,
            "detect": float(detect),
            "power": POWER,
            "fits": [{"name": f.play.strategy, "per": f.per, "p_value": f.test.p_value} for f in fitting],
        },
    )


def _fit(summary: Summary, play: Play, per: Per, sd: float, known: str, widest: int) -> _Fit:
    """One play by one denominator. Per unit bet, net - ratio x bet scatters by at most sd + |ratio| x half the range
    of bets."""
    rate, net = summary.rate, summary.total_net
    mean = play.value / (play.average_bet if per == "bet" else 1)
    interval = (rate.low, rate.high) if rate is not None else (Fraction(net or 0) / summary.rounds,) * 2
    spread = sd if per == "ante" else (sd + abs(float(mean)) * (widest - 1) / 2) / float(play.average_bet)
    words = (
        f"{summary.share(interval[0] / 2 + interval[1] / 2)} per {per}; {play.strategy} brings {summary.share(mean)}"
    )
    name = "per unit bet" if per == "bet" else "per ante"
    found = mean_test(name, "figures", interval, mean, spread, summary.rounds, words=words, known=known)
    return _Fit(play, per, found)


def _no_more(test: FitTest) -> FitTest:
    """A test of a result that is below what a play brings, when only more would be wrong."""
    return FitTest(
        test.name, test.part, test.words, f"{test.method}, one-sided", test.rounds, 1.0, test.statistic, None
    )


def _p_value(test: FitTest) -> float:
    return test.p_value


def _exact(summary: Summary, fit: _Fit) -> str:
    mean = fit.play.value / (fit.play.average_bet if fit.per == "bet" else 1)
    return f"{summary.share(mean)} of {'all money bet' if fit.per == 'bet' else 'the antes'}"


def _explained(summary: Summary, own: _Fit, best: _Fit | None) -> Finding:
    """What would give the figure: the other denominator, or another strategy."""
    if best is None:
        told = "neither another denominator nor a known strategy gives these figures"
        return Finding("figures", told, fails=True, rounds=summary.rounds)
    told = f"what was seen fits {best.play.strategy} ({_exact(summary, best)}), not {own.play.strategy}"
    told += f" ({_exact(summary, own)})"
    if best.per != own.per:
        return Finding("figures", told, fails=True, cause=f"per-{best.per}", rounds=summary.rounds)
    return Finding("play", told, fails=True, cause=best.play.strategy, rounds=summary.rounds)
