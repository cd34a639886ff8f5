"""The report's identities, and its independence from the road by which the game was counted."""

from fractions import Fraction
from functools import cache

import holdem_oracle
import numpy as np
import pytest

import pycs
from pycs import counted_games
from pycs.core import HOLDEM, Kernel
from pycs.games import CARIBBEAN_STUD, CASINO_HOLDEM, game_of
from pycs.ranking import qualifying_strength
from pycs.rules import load_rules, rules_from_dict

LINES = holdem_oracle.LINES
ANTE_PAYS = dict(zip(LINES, (100, 20, 10, 3, 2, 1), strict=True))


@pytest.fixture(scope="module", autouse=True)
def each_game_is_counted_once():
    """Deals and counts are not what is tested here, so the reports of this file share them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Kernel, "sweep", cache(Kernel.sweep))
        patch.setattr(counted_games, "deal_frame", cache(counted_games.deal_frame))
        yield


@cache
def reported(profile):
    return pycs.report(profile)


@pytest.fixture(params=pycs.profile_names())
def summary(request):
    return reported(request.param)


def changed_holdem(pays=None, **changes):
    """The shipped rules of Casino Hold'em with some values changed: `pays` by line, `call`, and keys of the dealer."""
    data = load_rules("casino-holdem").to_dict()
    data["pays"] = {line.replace(" ", "_"): pay for line, pay in (pays or ANTE_PAYS).items()}
    data["stakes"]["call"] = changes.pop("call", 2)
    data["dealer"].update(changes)
    return rules_from_dict(data)


def plain_net(pays=ANTE_PAYS, call=2, qualifies="pair-of-fours", ante_when_not_qualified="by the table"):
    """The sum of all net results of Casino Hold'em under best play, and the number of raw deals called.

    In 64 bits, which hold it: with the calls and pays of this file it stays below 3e16.
    """
    counts = HOLDEM.sweep(qualifying_strength(qualifies))
    _, weights = HOLDEM.canonical_deals(np.arange(HOLDEM.deals, dtype=np.uint32))
    failed = [1] * 6 if ante_when_not_qualified == "1 to 1" else list(pays.values())
    nets = [*failed, *(pay + call for pay in pays.values()), 0, -1 - call]
    called = sum(net * each.astype(np.int64) for net, each in zip(nets, counts, strict=True))
    best = np.maximum(called, -HOLDEM.completions)
    return int((best * weights).sum()), int(weights[called > -HOLDEM.completions].sum(dtype=np.int64))


def test_the_events_are_all_rounds(summary):
    game = game_of(summary.rules)
    rounds, raw_deals = {
        "caribbean-stud": (19_933_230_517_200, 122_151_120),
        "casino-holdem": (27_813_810_024_000, 25_989_600),
    }[game.name]
    assert sum(event.combinations for event in summary.outcomes) == summary.deals == game.rounds == rounds
    assert sum(summary.action_deals.values()) == game.raw_deals == raw_deals
    assert sum(summary.actions.values()) == 1


def test_the_figures_follow_from_the_events(summary):
    mean = Fraction(sum(event.net * event.combinations for event in summary.outcomes), summary.deals)
    assert summary.value == mean == -summary.house_edge
    scatter = sum((event.net - mean) ** 2 * event.combinations for event in summary.outcomes) / summary.deals
    assert summary.variance == scatter
    assert summary.sd == pytest.approx(float(scatter) ** 0.5, rel=1e-15)
    assert summary.average_bet == 1 + 2 * summary.actions["call"]
    assert summary.element_of_risk == summary.house_edge / summary.average_bet
    assert summary.indifferent_deals == (36 if summary.profile == "casino-holdem" else 0)
    names = {"casino-holdem": ["aa-bonus"], "live": ["five-plus-one", "jackpot"]}
    assert [bet.name for bet in summary.bets] == names.get(summary.profile, [])


def test_betmgm_and_live_are_one_game():
    betmgm, live = reported("betmgm"), reported("live")
    assert betmgm.outcomes == live.outcomes
    assert betmgm.net > reported("us").net  # it pays as much or more for every hand


def test_always_losing_pays_leave_only_the_ante_to_win():
    """With a call that wins nothing, no hand's value depends on beating the dealer by more than the ante."""
    changed = load_rules("us").to_dict()
    changed["pays"] = dict.fromkeys(changed["pays"], 0)
    poor = pycs.report(rules_from_dict(changed))
    assert {event.net for event in poor.outcomes} == {1, 0, -1, -3}
    assert poor.net < reported("us").net


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
    summary = reported("us")
    events = {event.event: event.combinations for event in summary.outcomes}
    for event, column in (("dealer does not qualify", "not_qualified"), ("push", "push"), ("dealer wins", "lose")):
        assert int((weight * frame[column].to_numpy())[called].sum()) == events[event]
    for category in ("royal flush", "full house", "two pair"):
        here = called & (frame["category"] == category).to_numpy()
        assert int((weight * frame["win"].to_numpy())[here].sum()) == events[category]
    totals = us_table.manifest.totals
    assert (totals.weight, totals.deals, totals.net) == (CARIBBEAN_STUD.raw_deals, summary.deals, summary.net)
    assert totals.value == str(summary.value)


def test_the_table_of_casino_holdem_leads_to_the_same_report(holdem_table):
    summary = reported("casino-holdem")
    names = {
        "push": "push",
        "lose": "dealer wins",
        **{f"win_{line.replace(' ', '_')}": line for line in LINES},
        **{f"not_qualified_{line.replace(' ', '_')}": f"dealer does not qualify, {line}" for line in LINES},
    }
    frame = holdem_table.frame(["weight", "action", *names])
    weight = frame["weight"].to_numpy().astype(np.int64)
    called = (frame["action"] == "call").to_numpy()
    events = {event.event: event.combinations for event in summary.outcomes}
    for column, event in names.items():
        assert int((weight * frame[column].to_numpy())[called].sum()) == events.pop(event)
    assert events == {"fold": int(weight[~called].sum()) * 1_070_190}
    totals = holdem_table.manifest.totals
    assert (totals.weight, totals.deals, totals.net) == (CASINO_HOLDEM.raw_deals, summary.deals, summary.net)
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


# --- Casino Hold'em ---------------------------------------------------------------------------------------------------


def test_the_published_figures_of_casino_holdem():
    summary = reported("casino-holdem")
    assert f"{float(summary.house_edge):.2%}" == "2.16%"
    assert f"{float(summary.element_of_risk):.2%}" == "0.82%"
    assert f"{float(summary.actions['call']):.0%}" == "82%"
    assert (summary.deals, summary.indifferent_deals) == (27_813_810_024_000, 36)


def test_every_event_of_casino_holdem_has_its_net_result():
    nets = {event.event: event.net for event in reported("casino-holdem").outcomes}
    expected = {
        **{line: pay + 2 for line, pay in ANTE_PAYS.items()},
        **{f"dealer does not qualify, {line}": pay for line, pay in ANTE_PAYS.items()},
        "push": 0,
        "fold": -1,
        "dealer wins": -3,
    }
    assert list(nets.items()) == list(expected.items())  # in this order


VARIANTS = {
    "published": {},
    "1 to 1": {"ante_when_not_qualified": "1 to 1"},
    "call of 1": {"call": 1},
    "call of 3": {"call": 3},
    "nothing to win": {"pays": dict.fromkeys(LINES, 0)},
    "any": {"qualifies": "any"},
    "a million": {"pays": {**ANTE_PAYS, "royal flush": 1_000_000}, "call": 1000},
}


@pytest.fixture(scope="module")
def variants():
    return {
        name: pycs.report(changed_holdem(**changes)) if changes else reported("casino-holdem")
        for name, changes in VARIANTS.items()
    }


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_of_casino_holdem_sums_up_to_what_its_counts_say(name, variants):
    summary, changes = variants[name], VARIANTS[name]
    net, called = plain_net(**changes)
    assert summary.net == net == sum(event.net * event.combinations for event in summary.outcomes)
    assert summary.action_deals == {"fold": 25_989_600 - called, "call": called}
    assert sum(event.combinations for event in summary.outcomes) == 27_813_810_024_000
    assert summary.average_bet == 1 + changes.get("call", 2) * summary.actions["call"]
    assert summary.element_of_risk == summary.house_edge / summary.average_bet


def test_how_variants_of_casino_holdem_compare(variants):
    published = reported("casino-holdem")
    assert variants["1 to 1"].net < published.net
    assert variants["nothing to win"].net < variants["1 to 1"].net
    assert variants["any"].net != published.net


def test_the_events_of_variants_of_casino_holdem(variants):
    even = {event.event: event for event in variants["1 to 1"].outcomes}
    assert {even[f"dealer does not qualify, {line}"].net for line in LINES} == {1}
    assert [even[line].net for line in LINES] == [pay + 2 for pay in ANTE_PAYS.values()]
    poor = {event.net for event in variants["nothing to win"].outcomes}
    assert poor == {2, 0, -1, -3}  # the call's own win, and nothing for the ante
    always = {event.event: event.combinations for event in variants["any"].outcomes}
    assert {always[f"dealer does not qualify, {line}"] for line in LINES} == {0}
    dear = {event.event: event.net for event in variants["call of 3"].outcomes}
    assert (dear["straight or less"], dear["dealer wins"], dear["dealer does not qualify, flush"]) == (4, -4, 2)
    rich = {event.event: event.net for event in variants["a million"].outcomes}
    assert (rich["royal flush"], rich["dealer does not qualify, royal flush"]) == (1_001_000, 1_000_000)


def test_the_aa_bonus_is_that_of_all_five_card_hands():
    """Hole cards and flop are any five cards: ten ways to choose the two, so each line comes ten times as often."""
    (bonus,) = reported("casino-holdem").bets
    often = holdem_oracle.bonus_frequencies()
    pays = {**dict(zip(holdem_oracle.BONUS_LINES, (100, 50, 40, 30, 20, 7), strict=True)), None: -1}
    assert [(each.net, each.combinations) for each in bonus.lines] == [(pays[line], 10 * often[line]) for line in often]
    assert [each.line for each in bonus.lines] == [*holdem_oracle.BONUS_LINES, "nothing"]
    assert bonus.combinations == 25_989_600
    assert bonus.house_edge == Fraction(162_652, 2_598_960) == -bonus.value
    assert f"{float(bonus.house_edge):.2%}" == "6.26%"
    assert bonus.hit_frequency == 1 - Fraction(often[None], 2_598_960)


def test_the_report_of_casino_holdem_is_plain_as_json():
    plain = reported("casino-holdem").to_dict()
    assert Fraction(plain["exact"]) == Fraction(plain["net"], plain["deals"])
    assert (plain["profile"], plain["indifferent_deals"], plain["not_counted"]) == ("casino-holdem", 36, [])
    (bonus,) = plain["bets"]
    assert (bonus["bet"], bonus["requires_call"], bonus["combinations"]) == ("aa-bonus", True, 25_989_600)
    assert Fraction(bonus["exact"]) == -Fraction(bonus["house_edge_exact"]) == Fraction(-162_652, 2_598_960)
    assert bonus["value"] == float(Fraction(bonus["exact"]))
    assert [each["bonus"] for each in bonus["joint"]] == [0.1, 0.5, 1.0, 5.0]
    for each in bonus["joint"]:
        assert each["value"] == float(Fraction(each["exact"]))
        assert each["apart"] == float(Fraction(each["apart_exact"]))
        assert each["bonus"] == float(Fraction(each["bonus_exact"]))
    assert 0 < Fraction(bonus["smallest_change_exact"]) < Fraction(bonus["largest_change_exact"])
