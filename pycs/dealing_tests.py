"""Were a log's cards dealt as from a fresh, well-shuffled deck each round? The tests, and the cause behind them."""

from __future__ import annotations

from fractions import Fraction
from math import comb, sqrt
from typing import TYPE_CHECKING, Final

import numpy as np

from pycs.cards import RANKS, format_card
from pycs.deal_facts import OUTCOMES
from pycs.dealing_counts import CLASSES
from pycs.fit_tests import multinomial_test, poisson_test, subset_test
from pycs.games import CASINO_HOLDEM
from pycs.ranking import CATEGORIES_UP
from pycs.total_tests import drift_test
from pycs.verdicts import Finding, FitTest, holm

if TYPE_CHECKING:
    from collections import Counter

    from pycs.dealing_counts import DealingCounts
    from pycs.games import Game

__all__ = ["DEALT_WRONGLY", "dealing_findings", "dealing_tests", "wrong_deck_finding"]

FIVE_CARD_HANDS: Final = (1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 4)
"""Of all 2,598,960 hands of five cards, those of each category, from high card to royal flush."""

SEVEN_CARD_HANDS: Final = (
    23294460,
    58627800,
    31433400,
    6461620,
    6180020,
    4047644,
    3473184,
    224848,
    37260,
    4324,
)
"""Of all 133,784,560 sets of seven cards, those whose best five are of each category, from high card to royal flush."""

DEALT_WRONGLY: Final = {
    "upcard-returned": "the upcard goes back into the deck before the dealer's other cards are dealt",
    "dealer-from-fresh-deck": "the dealer's cards come from another deck than the player's",
    "cards-given-up-return": "cards that were given up come again in the same round",
    "cards-twice": "the deck holds cards twice",
    "not-reshuffled": "the deck is not shuffled anew for each round: it goes on where the last one ended",
    "stuck-rounds": "the same cards are dealt again in the next round",
    "short-period": "the rounds repeat: the generator's period is short, or few seeds are used",
    "missing-card": "a card is missing from the deck",
    "card-too-often": "one card comes too often",
    "card-too-seldom": "one card comes too seldom",
    "folds-missing": "the log leaves folded rounds out",
    "biased-shuffle": "the shuffle is biased",
}
"""Ways to deal wrongly that a verdict knows by name."""

_LEAST_SHARE: Final = 0.02
_CERTAIN: Final = 5.0  # standard errors of one card that stands out
_LEAST_EXPECTED: Final = 30  # of a card that never comes


def dealing_tests(counts: DealingCounts, game: Game, anytime: bool, *, in_order: bool = True) -> list[FitTest]:
    """The tests of a log's cards; those that the log does not show are left out.

    `in_order`: whether rows follow each other as the rounds were played.
    """
    tests = []
    everywhere = _shown_everywhere(counts)
    groups = {name: places for name, places in counts.places.items() if counts.together[name] == counts.rounds}
    held = sum(len(places) for places in groups.values())
    together = np.sum([places.sum(axis=0) for places in groups.values()], axis=0)
    which = "all cards of a round" if everywhere else "the cards of a round that are always shown"
    tests.append(
        subset_test("cards", "dealing", together.tolist(), held, counts.rounds, words=_even(which), anytime=anytime)
    )
    for name, places in groups.items():
        if name in counts.in_order:
            cards = places.sum(axis=0).tolist()
            words = _even(f"the {name}'s cards" if name in ("player", "dealer") else f"the {name}")
            tests.append(
                subset_test(
                    f"cards: {name}", "dealing", cards, len(places), counts.rounds, words=words, anytime=anytime
                )
            )
            continue
        for place, column in enumerate(places, 1):
            label = name if len(places) == 1 else f"{name} {place}"
            words = _even(f"the {name}" if len(places) == 1 else f"the {name}'s card number {place}")
            tests.append(
                subset_test(
                    f"cards: {label}", "dealing", column.tolist(), 1, counts.rounds, words=words, anytime=anytime
                )
            )
    if counts.drawn.any() and "player" not in counts.in_order:
        words = "the first new card after an exchange, by its place among the 46 not seen"
        tests.append(
            multinomial_test("cards: drawn", "dealing", counts.drawn.tolist(), [1] * 46, words=words, anytime=anytime)
        )
    tests.append(
        multinomial_test(
            "hands",
            "dealing",
            counts.dealt.tolist(),
            FIVE_CARD_HANDS,
            words=_compared("hands" if game is not CASINO_HOLDEM else "hole cards with the flop", CATEGORIES_UP),
            anytime=anytime,
        )
    )
    if everywhere:
        weights = SEVEN_CARD_HANDS if game is CASINO_HOLDEM else FIVE_CARD_HANDS
        words = _compared("the dealer's hands", CATEGORIES_UP)
        tests.append(
            multinomial_test(
                "dealer's hands", "dealing", counts.dealers.tolist(), weights, words=words, anytime=anytime
            )
        )
    if in_order:
        tests += _following(counts, game, everywhere, anytime)
    return tests + _again(counts, game, everywhere, anytime) + _outcomes(counts, anytime, in_order)


def _following(counts: DealingCounts, game: Game, everywhere: bool, anytime: bool) -> list[FitTest]:
    """What hangs on the rounds before."""
    size = sum(len(places) for places in counts.places.values()) if everywhere else game.kernel.hand + game.kernel.seen
    shared = counts.overlaps["all" if everywhere else "seen"][: size + 1].tolist()
    weights = [comb(size, common) * comb(52 - size, size - common) for common in range(size + 1)]
    mean = sum(number * count for number, count in enumerate(shared)) / max(1, sum(shared))
    words = f"a round shares {mean:.4f} of its {size} cards with the one before, {size * size / 52:.4f} are expected"
    tests = [multinomial_test("rounds that follow", "dealing", shared, weights, words=words, anytime=anytime)]
    first = [sum(FIVE_CARD_HANDS[place] for place in group) for group in ((0,), (1,), range(2, 10))]
    weights = [one * other for one in first for other in first]
    words = _compared("hands of two rounds that follow each other", CLASSES)
    tests.append(
        multinomial_test(
            "hands that follow", "dealing", counts.pairs.ravel().tolist(), weights, words=words, anytime=anytime
        )
    )
    return tests


def _again(counts: DealingCounts, game: Game, everywhere: bool, anytime: bool) -> list[FitTest]:
    """Rounds with the same cards, wherever they stand."""
    tests = []
    size = sum(len(places) for places in counts.places.values())
    if not anytime and everywhere:
        remembered, pairs, _ = counts.repeats()
        seen = game.kernel.hand + game.kernel.seen
        ways = comb(52, seen) * comb(52 - seen, size - seen)
        # Rounds are remembered by their cards, so of two with the same cards both are, or neither.
        expected = Fraction(comb(counts.rounds, 2), ways << counts.remembered_share)
        words = (
            f"{pairs:,} pairs of rounds among {remembered:,} with the same cards; {float(expected):.4g} are expected"
        )
        tests.append(poisson_test("rounds again", "dealing", pairs, expected, rounds=counts.rounds, words=words))
    return tests


def _outcomes(counts: DealingCounts, anytime: bool, in_order: bool) -> list[FitTest]:
    """How called rounds ended, against the exact chances of the deals that came."""
    tests = []
    if counts.called:
        for place, outcome in enumerate(OUTCOMES):
            number, chances = int(counts.outcomes[place]), counts.expected[place] / counts.completions
            words = (
                f"{outcome.replace('_', ' ')}: {number:,} of {counts.called:,} called rounds; "
                f"{chances:,.1f} are expected of what the player saw in them"
            )
            drift = float(Fraction(number * counts.completions - counts.expected[place], counts.completions))
            variance = counts.variances[place] / counts.completions**2
            tests.append(
                drift_test(
                    f"outcomes: {outcome.replace('_', ' ')}",
                    "dealing",
                    drift,
                    variance,
                    counts.thirds[place],
                    rounds=counts.called,
                    words=words,
                    anytime=anytime,
                )
            )
    if counts.called and in_order:
        words = "wins against their chances, after rounds won and after rounds lost"
        tests.append(
            drift_test(
                "wins that follow",
                "dealing",
                counts.after,
                counts.after_variance,
                counts.after_third,
                rounds=counts.called,
                words=words,
                anytime=anytime,
            )
        )
    return tests


def _shown_everywhere(counts: DealingCounts) -> bool:
    return all(together == counts.rounds for together in counts.together.values())


def _even(what: str) -> str:
    return f"each of the 52 cards among {what}"


def _compared(what: str, classes: tuple[str, ...]) -> str:
    return f"{what}, by {len(classes)} classes from {classes[0]} to {classes[-1]}"


# --- what is behind it --------------------------------------------------------------------------------------------


def wrong_deck_finding(rounds: int, of: int, pairs: Counter[tuple[str, str]], examples: tuple[str, ...]) -> Finding:
    """Rounds whose cards cannot come from one deck, and what it looks like by the groups that share cards."""
    told = ", ".join(
        f"{one} and {other} {number:,}" if one != other else f"twice in the {one} {number:,}"
        for (one, other), number in pairs.most_common(4)
    )
    name = _deck_cause(set(pairs), rounds / of)
    text = f"{rounds:,} of {of:,} rounds are not dealt from one deck ({told}): {DEALT_WRONGLY[name]}."
    return Finding("dealing", text, True, name, rounds, examples)


def _deck_cause(pairs: set[tuple[str, str]], share: float) -> str:
    groups = [set(pair) for pair in pairs]
    if share < _LEAST_SHARE:  # what follows would show in a tenth of the rounds or so
        return "cards-twice"
    if all(pair == {"upcard", "dealer"} for pair in groups):
        return "upcard-returned"
    if all("given up" in pair and len(pair) == 2 for pair in groups):
        return "cards-given-up-return"
    theirs = {"upcard", "dealer"} if any("upcard" in pair for pair in groups) else {"dealer"}
    if all(len(pair) == 2 and len(pair & theirs) == 1 for pair in groups):
        return "dealer-from-fresh-deck"
    return "cards-twice"


def dealing_findings(counts: DealingCounts, tests: list[FitTest], alpha: float, folds_missing: bool) -> list[Finding]:
    """What is behind the tests that fail, which are all tests of the verdict: one cause, the likeliest.

    `folds_missing`: no round is folded, though the play is that of a strategy that folds. Nothing when no test fails.
    """
    adjusted = holm([test.p_value for test in tests])
    failed = {test.name: test for test, p in zip(tests, adjusted, strict=True) if p <= alpha}
    if not failed:
        return []
    name, text = _cause(counts, failed, folds_missing)
    return [Finding("dealing", text, True, name, counts.rounds)]


def _cause(counts: DealingCounts, failed: dict[str, FitTest], folds_missing: bool) -> tuple[str, str]:
    together = np.sum([p.sum(axis=0) for g, p in counts.places.items() if counts.together[g] == counts.rounds], axis=0)
    expected = together.sum() / 52
    never = np.flatnonzero(together == 0)
    if len(never) and expected >= _LEAST_EXPECTED:
        cards = ", ".join(format_card(card) for card in never.tolist()[:5])
        return (
            "missing-card",
            f"{cards} never came, {expected:,.0f} times are expected: {DEALT_WRONGLY['missing-card']}.",
        )
    if "rounds again" in failed:
        _, pairs, apart = counts.repeats()
        if counts.same_again * 2 > pairs:
            told = f"{counts.same_again:,} rounds have the cards of the one before"
            return "stuck-rounds", f"{told}: {DEALT_WRONGLY['stuck-rounds']}."
        told = f"{pairs:,} pairs of rounds have the same cards, most often {apart:,} rounds apart"
        return "short-period", f"{told}: {DEALT_WRONGLY['short-period']}."
    if "rounds that follow" in failed and not {"cards", "hands"} & failed.keys():
        told = failed["rounds that follow"].words
        return "not-reshuffled", f"{told[0].upper()}{told[1:]}: {DEALT_WRONGLY['not-reshuffled']}."
    if folds_missing and "hands" in failed:
        share = counts.dealt[0] / counts.rounds
        told = f"no round is folded, and {share:.1%} of the hands hold no pair, 50.1% are expected"
        return "folds-missing", f"{told[0].upper()}{told[1:]}: {DEALT_WRONGLY['folds-missing']}."
    if "cards" in failed and (single := _single_card(together, counts.rounds)) is not None:
        return single
    return "biased-shuffle", f"{_worst(counts, failed)}: {DEALT_WRONGLY['biased-shuffle']}."


def _single_card(together: np.ndarray, rounds: int) -> tuple[str, str] | None:
    """One card alone that comes too often or too seldom."""
    share = together.sum() / rounds / 52
    spread = sqrt(rounds * share * (1 - share))
    errors = (together - rounds * share) / spread
    card = int(abs(errors).argmax())
    rest = np.delete(together, card)
    others = (rest - rest.mean()) / spread
    if abs(errors[card]) < _CERTAIN or (abs(others) > _CERTAIN).any() or (others**2).sum() > 2 * len(rest):
        return None
    name = "card-too-often" if errors[card] > 0 else "card-too-seldom"
    ratio = together[card] / (rounds * share) - 1
    told = (
        f"{format_card(card)} came {int(together[card]):,} times, {ratio:+.1%} against {rounds * share:,.0f} expected"
    )
    return name, f"{told}: {DEALT_WRONGLY[name]}."


def _worst(counts: DealingCounts, failed: dict[str, FitTest]) -> str:
    """What stands out most among the cards by place and rank."""
    best = (0.0, "")
    for group, places in counts.places.items():
        rounds = counts.together[group]
        if not rounds or group in counts.in_order:
            continue
        for place, column in enumerate(places, 1):
            where = f"the {group}" if len(places) == 1 else f"place {place} of the {group}"
            for label, number, share in (
                *((f"{RANKS[rank]}s", column[4 * rank : 4 * rank + 4].sum(), 1 / 13) for rank in range(13)),
                *((format_card(card), column[card], 1 / 52) for card in range(52)),
            ):
                error = (number - rounds * share) / sqrt(rounds * share * (1 - share))
                told = f"{label} came {int(number):,} times in {where}, {rounds * share:,.0f} are expected"
                best = max(best, (abs(float(error)), told))
    first = min(failed.values(), key=lambda test: test.p_value)
    return best[1] if best[0] > _CERTAIN and best[1] else f"What does not fit, with no card standing out: {first.words}"
