"""What other software would bring: against reports of changed rules, and rounds that are dealt one by one."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from pycs.errors import InputError
from pycs.games import game_of
from pycs.named_strategies import STRATEGIES
from pycs.ranking import rank_hands
from pycs.reports import report
from pycs.rule_variants import distribution_of, tallies, variants_of
from pycs.rules import load_rules, rules_from_dict
from pycs.settlings import settling_of
from pycs.wrong_rules import wrong_rules_of

US, HOLDEM = load_rules("us"), load_rules("casino-holdem")


def test_variants_of_the_published_game() -> None:
    found = {each.name: each for each in variants_of(US)}
    assert next(iter(found)) == "optimal"
    for name, per_ante, per_bet in (
        ("optimal", "5.224306%", "2.555286%"),
        ("three-rules", "5.224531%", "2.553771%"),
        ("ace-king-jack-eight-three", "5.316325%", "2.596013%"),
        ("pays-live", "3.703678%", "1.811524%"),
    ):
        assert f"{float(found[name].house_edge):.6%}" == per_ante
        assert f"{float(found[name].element_of_risk):.6%}" == per_bet
    assert {each.ways for each in found.values()} == {game_of(US).rounds}
    assert {each.kind for each in found.values()} == {"right", "strategy", "pay table", "rule"}
    optimal, lost = found["optimal"], found["ties-lost"]
    pushes = optimal.events()["push"]
    assert optimal.house_edge - lost.house_edge == Fraction(-3 * pushes, game_of(US).rounds)
    assert "push" not in lost.events()
    assert lost.events()["dealer wins"] == optimal.events()["dealer wins"] + pushes
    assert lost.events(by_hands=True) == optimal.events()
    assert found["call-of-one"].average_bet == 1 + optimal.called
    # best play calls no hand that is behind a dealer who fails
    assert found["ante-lost-when-behind"].house_edge == optimal.house_edge


def test_other_dealers_are_as_in_reports_of_their_rules() -> None:
    data = US.to_dict()
    data["dealer"]["qualifies"], data["name"] = "pair-of-twos", "pair"
    expected = report(rules_from_dict(data), strategy="ace-king-or-better")
    found = {each.name: each for each in variants_of(US, "ace-king-or-better")}
    assert found["pair-qualifies"].house_edge == expected.house_edge
    assert found["pair-qualifies"].element_of_risk == expected.element_of_risk
    outcomes = {event.event: event.combinations for event in expected.outcomes if event.combinations}
    assert found["pair-qualifies"].events() == outcomes


def check_against_dealt_rounds(rules, variants, least_named: int) -> None:
    """Rounds that are always called, dealt at random and settled by strength, bring each result as often."""
    random, rounds, game = np.random.default_rng(4), 200_000, game_of(rules)
    decks = random.permuted(np.tile(np.arange(52, dtype=np.uint8), (rounds, 1)), axis=1)[:, :10]
    if game.name == "casino-holdem":
        mine, his = rank_hands(decks[:, :7]), rank_hands(decks[:, 2:9])
    else:
        mine, his = rank_hands(decks[:, :5]), rank_hands(decks[:, 5:10])
    tried = 0
    for rule in wrong_rules_of(rules):
        variant = variants.get(rule.name)
        if variant is None:
            continue
        tried += 1
        nets, counts = np.unique(rule.settling(rules).called(mine, his), return_counts=True)
        dealt = dict(zip(nets.tolist(), counts.tolist(), strict=True))
        for value, weight in zip(variant.net.values, variant.net.weights, strict=True):
            chance = weight / variant.ways
            off = abs(dealt.pop(int(value), 0) - rounds * chance)
            assert off <= 5.5 * (rounds * chance * (1 - chance)) ** 0.5 + 5, (rule.name, value)
        assert not dealt
    assert tried >= least_named


def test_wrong_rules_against_rounds_that_are_dealt() -> None:
    check_against_dealt_rounds(US, {each.name: each for each in variants_of(US, "always-call")}, 20)


def test_holdem_by_final_hands() -> None:
    always = {"always-call": STRATEGIES["casino-holdem"]["always-call"], "optimal": None}
    by_name = {rule.name: rule.settling(HOLDEM) for rule in wrong_rules_of(HOLDEM) if rule.by_cards is None}
    five = by_name["pair-of-fives-qualifies"].least
    found = tallies(HOLDEM, always, [five])
    own = settling_of(HOLDEM).least
    right = distribution_of(settling_of(HOLDEM), found[own, "optimal"])
    assert sum(end.ways for end in right) == game_of(HOLDEM).rounds
    assert f"{-sum(end.net * end.ways for end in right) / game_of(HOLDEM).rounds:.6%}" == "2.157646%"
    # what a tie would win hangs on final hands that are not counted apart
    assert distribution_of(by_name["ties-won"], found[own, "optimal"]) is None
    assert distribution_of(by_name["wheel-missed"], found[own, "optimal"]) is None
    assert distribution_of(settling_of(HOLDEM), found[five, "optimal"]) is None
    variants = {}
    for name, settling in by_name.items():
        ends = (
            distribution_of(settling, found[settling.least, "always-call"]) if settling.least in (own, five) else None
        )
        if ends is not None:
            variants[name] = _Ends(ends)
    assert {"ties-lost", "ante-one-to-one-when-dealer-fails", "pair-of-fives-qualifies"} <= set(variants)
    check_against_dealt_rounds(HOLDEM, variants, 12)


class _Ends:
    """As much of a variant as the check needs."""

    def __init__(self, ends) -> None:
        from pycs.distributions import Distribution

        self.net = Distribution.of((end.net, end.ways) for end in ends)
        self.ways = self.net.ways


def test_strategies_that_cannot_be() -> None:
    with pytest.raises(InputError, match="four-exchange-rules exchanges"):
        variants_of(US, "four-exchange-rules")
    with pytest.raises(InputError, match="the strategy 'optimum'"):
        variants_of(US, "optimum")
