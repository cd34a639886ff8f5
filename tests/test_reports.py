"""The report's identities, and its independence from the road by which the game was counted."""

from fractions import Fraction

import numpy as np
import pytest

import pycs
from pycs.deals import RAW_DEALS, ROUNDS
from pycs.rules import load_rules, rules_from_dict


@pytest.fixture(scope="module", params=pycs.profile_names())
def summary(request):
    return pycs.report(request.param)


def test_the_events_are_all_rounds(summary):
    assert sum(event.combinations for event in summary.outcomes) == summary.deals == ROUNDS == 19_933_230_517_200
    assert sum(summary.action_deals.values()) == RAW_DEALS
    assert sum(summary.actions.values()) == 1


def test_the_figures_follow_from_the_events(summary):
    mean = Fraction(sum(event.net * event.combinations for event in summary.outcomes), summary.deals)
    assert summary.value == mean == -summary.house_edge
    scatter = sum((event.net - mean) ** 2 * event.combinations for event in summary.outcomes) / summary.deals
    assert summary.variance == scatter
    assert summary.sd == pytest.approx(float(scatter) ** 0.5, rel=1e-15)
    assert summary.average_bet == 1 + 2 * summary.actions["call"]
    assert summary.element_of_risk == summary.house_edge / summary.average_bet
    assert summary.indifferent_deals == 0


def test_betmgm_and_live_are_one_game():
    betmgm, live = pycs.report("betmgm"), pycs.report("live")
    assert betmgm.outcomes == live.outcomes
    assert betmgm.net > pycs.report("us").net  # it pays as much or more for every hand


def test_always_losing_pays_leave_only_the_ante_to_win():
    """With a call that wins nothing, no hand's value depends on beating the dealer by more than the ante."""
    changed = load_rules("us").to_dict()
    changed["pays"] = dict.fromkeys(changed["pays"], 0)
    poor = pycs.report(rules_from_dict(changed))
    assert {event.net for event in poor.outcomes} == {1, 0, -1, -3}
    assert poor.net < pycs.report("us").net


def test_the_report_of_a_dealer_who_always_plays():
    changed = load_rules("us").to_dict()
    changed["dealer"]["qualifies"] = "any"
    always = pycs.report(rules_from_dict(changed))
    events = {event.event: event.combinations for event in always.outcomes}
    assert events["dealer does not qualify"] == 0


def test_the_table_leads_to_the_same_report(us_table):
    frame = us_table.frame(["weight", "category", "not_qualified", "win", "push", "lose", "action"])
    weight = frame["weight"].to_numpy().astype(np.int64)
    called = (frame["action"] == "call").to_numpy()
    summary = pycs.report("us")
    events = {event.event: event.combinations for event in summary.outcomes}
    for event, column in (("dealer does not qualify", "not_qualified"), ("push", "push"), ("dealer wins", "lose")):
        assert int((weight * frame[column].to_numpy())[called].sum()) == events[event]
    for category in ("royal flush", "full house", "two pair"):
        here = called & (frame["category"] == category).to_numpy()
        assert int((weight * frame["win"].to_numpy())[here].sum()) == events[category]
    totals = us_table.manifest.totals
    assert (totals.weight, totals.deals, totals.net) == (RAW_DEALS, summary.deals, summary.net)
    assert totals.value == str(summary.value)


def test_a_pay_too_large_for_32_bits_is_still_exact():
    changed = load_rules("us").to_dict()
    changed["pays"]["royal_flush"] = 1_000_000
    changed["stakes"]["call"] = 1_000
    rich = pycs.report(rules_from_dict(changed))
    royal = next(event for event in rich.outcomes if event.event == "royal flush")
    assert royal.net == 1_000_000_001
    assert royal.combinations == 16_759_740
    assert rich.net == sum(event.net * event.combinations for event in rich.outcomes)
