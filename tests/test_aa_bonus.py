"""The AA Bonus: bets, lines, and the joint values of a report, counted again by another road."""

from fractions import Fraction
from functools import cache
from typing import NamedTuple

import holdem_oracle
import numpy as np
import oracle
import pytest

import pycs
from pycs import counted_games
from pycs.aa_bonus import BonusBet, bonus_bet, bonus_of, lines, stake_of
from pycs.cards import format_cards
from pycs.core import HOLDEM, Kernel, rank_hands
from pycs.deals import parse_deal
from pycs.errors import InputError
from pycs.games import CASINO_HOLDEM
from pycs.holdem_rules import AA_BONUS_LINES
from pycs.rules import load_rules, rules_from_dict
from pycs.weighed_bets import STAKES

COMPLETIONS, ROUNDS, RAW_DEALS = 1_070_190, 27_813_810_024_000, 25_989_600
NETS = (100, 20, 10, 3, 2, 1, 102, 22, 12, 5, 4, 3, 0, -3)
PAYS = (100, 50, 40, 30, 20, 7)
ODD_PAYS = (1000, 0, 40, 1, 20, 0)


def changed(pays=PAYS, requires_call=True):
    data = load_rules("casino-holdem").to_dict()
    bonus = data["side_bets"]["aa_bonus"]
    bonus["bonus_requires_call"] = requires_call
    bonus["pays"] = {line.replace(" ", "_"): pay for line, pay in zip(AA_BONUS_LINES, pays, strict=True)}
    return rules_from_dict(data)


# --- bets and lines ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stake", "exact"),
    [
        (0, Fraction(0)),
        (2, Fraction(2)),
        (0.5, Fraction(1, 2)),
        (0.1, Fraction(1, 10)),  # as it shows, not as the nearest float
        (1_000_000, Fraction(1_000_000)),
        (1e6, Fraction(1_000_000)),
        ("007", Fraction(7)),
        ("0.000000001", Fraction(1, 10**9)),
        ("1/3", Fraction(1, 3)),
        ("10/4", Fraction(5, 2)),
        ("1/1000", Fraction(1, 1000)),
        ("999999999/1000", Fraction(999_999_999, 1000)),
        (Fraction(22, 7), Fraction(22, 7)),
        (np.float64(0.25), Fraction(1, 4)),
    ],
)
def test_a_stake_is_read_exactly(stake, exact):
    assert stake_of(stake, load_rules("casino-holdem")) == exact
    assert type(stake_of(stake, load_rules("casino-holdem"))) is Fraction


@pytest.mark.parametrize("stake", ["-1", "x", "1e3", "nan", "0.1234567891", "1/0", "", True, None, 2e6, -1, "1/-2"])
def test_a_stake_that_cannot_be_is_refused(stake):
    with pytest.raises(
        InputError,
        match=r"^the bonus bet .*: 0 to 1000000 antes are allowed, of at most nine digits, as \"2\", \"0\.5\" or",
    ):
        stake_of(stake, load_rules("casino-holdem"))


def test_the_lines_are_those_of_the_oracle():
    """Every class of five-card hands."""
    ladder = oracle.key_ladder()
    expected = [holdem_oracle.bonus_line_of_key(key) for key in ladder]
    found = lines(np.arange(1, len(ladder) + 1, dtype=np.uint16))
    assert [(*AA_BONUS_LINES, None)[number] for number in found] == expected
    assert AA_BONUS_LINES == holdem_oracle.BONUS_LINES


def test_the_line_begins_at_a_pair_of_aces():
    lowest_aces, highest_kings = oracle.cards("AsAh4d3c2s"), oracle.cards("KsKhAdQcJs")
    assert lines(rank_hands([lowest_aces, highest_kings])).tolist() == [5, 6]


@pytest.mark.parametrize("requires_call", [True, False], ids=["requires a call", "paid anyway"])
@pytest.mark.parametrize("pays", [PAYS, ODD_PAYS], ids=["published", "odd"])
def test_bets_win_and_lose_as_the_oracle_has_them(holdem_extremes, holdem_random, pays, requires_call):
    rules, by_line = changed(pays, requires_call), dict(zip(holdem_oracle.BONUS_LINES, pays, strict=True))
    for deal in [*holdem_extremes.tolist(), *holdem_random[:200].tolist()]:
        parsed = parse_deal(CASINO_HOLDEM, deal[:2], deal[2:])
        line = holdem_oracle.bonus_line(deal[:2], deal[2:])
        bet = bonus_bet(rules, parsed, "1/3")
        assert (bet.stake, bet.line, bet.requires_call) == (Fraction(1, 3), line, requires_call), format_cards(deal)
        for action, net in (("fold", bet.net_fold), ("call", bet.net_call)):
            assert net == Fraction(1, 3) * holdem_oracle.settle_bonus(by_line, line, action, requires_call)
        assert bonus_bet(rules, parsed, 0) is None


@pytest.mark.parametrize(
    ("bet", "plain"),
    [
        (
            BonusBet(Fraction(1, 3), "flush", 20, True),
            {"line": "flush", "pays": 20, "bonus_requires_call": True, "net": {"fold": "-1/3", "call": "20/3"}},
        ),
        (
            BonusBet(Fraction(1, 3), "flush", 20, False),
            {"line": "flush", "pays": 20, "bonus_requires_call": False, "net": {"fold": "20/3", "call": "20/3"}},
        ),
        (
            BonusBet(Fraction(1, 3), None, 0, False),
            {"line": None, "pays": None, "bonus_requires_call": False, "net": {"fold": "-1/3", "call": "-1/3"}},
        ),
    ],
)
def test_a_bet_as_plain_data(bet, plain):
    assert bet.to_dict() == {"bet": float(Fraction(1, 3)), "bet_exact": "1/3", **plain}


def test_only_casino_holdem_with_the_bonus_offers_it():
    assert bonus_of(load_rules("casino-holdem")).bonus_requires_call
    assert stake_of("1/2", load_rules("casino-holdem")) == Fraction(1, 2)
    bare = load_rules("casino-holdem").to_dict()
    del bare["side_bets"]
    for rules in (load_rules("us"), load_rules("live"), rules_from_dict(bare)):
        with pytest.raises(InputError, match=rf"^the bonus bet 1: {rules.name} has no AA Bonus, so only 0 is allowed$"):
            stake_of(1, rules)
        assert bonus_of(rules) is None
        assert stake_of("0", rules) == 0


# --- the joint value of both bets -------------------------------------------------------------------------------------


class Deals(NamedTuple):
    """Of every canonical deal: its weight, its line of the bonus, 6 for none, and what a call is worth.

    `call` is a whole number over the completions, and so is everything that is made of it.
    """

    weight: np.ndarray
    line: np.ndarray
    call: np.ndarray


class Joint(NamedTuple):
    value: Fraction
    apart: Fraction
    changed_deals: int
    changed_rows: int


@pytest.fixture(scope="module")
def every_deal(holdem_swept):
    deals, weights = HOLDEM.canonical_deals(np.arange(HOLDEM.deals, dtype=np.uint32))
    line_of_key = [
        (*holdem_oracle.BONUS_LINES, None).index(holdem_oracle.bonus_line_of_key(k)) for k in oracle.key_ladder()
    ]
    line = np.array([-1, *line_of_key])[oracle.strengths_of_rows(deals)]
    call = sum(net * counts.astype(np.int64) for net, counts in zip(NETS, holdem_swept, strict=True))
    return Deals(weights.astype(np.int64), line, call)


def bonus_net(deals, pays, requires_call):
    """What one unit bet brings after a fold and after a call, deal by deal."""
    call = np.array([*pays, -1], dtype=np.int64)[deals.line]
    return np.full_like(call, -1) if requires_call else call, call


def joint(deals, stake, pays=PAYS, requires_call=True):
    """Both bets played for the best, and played apart: every deal valued, in whole numbers over one denominator."""
    over, times = stake.denominator, stake.numerator
    after_fold, after_call = (COMPLETIONS * times * net for net in bonus_net(deals, pays, requires_call))
    fold, call = -COMPLETIONS * over + after_fold, deals.call * over + after_call
    called_alone = deals.call > -COMPLETIONS
    moved = (call > fold) != called_alone
    assert not (moved & called_alone).any()  # no bet makes a fold of a call

    def mean(numerators):
        # By parts, each of them far inside 64 bits, summed up in Python's own integers.
        sums = [
            int((numerators[part] * deals.weight[part]).sum()) for part in np.array_split(np.arange(HOLDEM.deals), 1024)
        ]
        return Fraction(sum(sums), over * ROUNDS)

    return Joint(
        value=mean(np.maximum(fold, call)),
        apart=mean(np.where(called_alone, call, fold)),
        changed_deals=int(deals.weight[moved].sum()),
        changed_rows=int(moved.sum()),
    )


def thresholds(deals, pays=PAYS):
    """The bets beyond which a folded deal is called, for all that the bonus would pay, where a fold loses it."""
    folded = (deals.call <= -COMPLETIONS) & (deals.line < 6)
    gap, gain = -COMPLETIONS - deals.call[folded], np.array(pays)[deals.line[folded]] + 1
    different = {(int(a), int(b)) for a, b in zip(gap, gain, strict=True)}
    return sorted(Fraction(a, COMPLETIONS * b) for a, b in different)


@pytest.fixture(scope="module", autouse=True)
def the_game_is_counted_once(holdem_swept):
    """Deals and counts are not what is tested here, so the reports of this file share them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Kernel, "sweep", lambda *_: holdem_swept)
        patch.setattr(counted_games, "deal_frame", cache(counted_games.deal_frame))
        yield


@cache
def reported(pays=PAYS, requires_call=True, bonus=0):
    summary = pycs.report(changed(pays, requires_call), bets={"aa-bonus": bonus})
    (bet,) = summary.bets
    assert bet.weighed is None or requires_call
    return summary, bet, bet.weighed


@pytest.mark.parametrize("pays", [PAYS, ODD_PAYS], ids=["published", "odd"])
def test_the_joint_values_are_those_of_every_deal_played_for_the_best(every_deal, pays):
    summary, bet, bonus = reported(pays)
    assert [each.bonus for each in bonus.joint] == [Fraction(1, 10), Fraction(1, 2), 1, 5] == list(STAKES)
    for each in bonus.joint:
        assert each[1:] == joint(every_deal, each.bonus, pays)
        # No more than both bets alone, each at its best, and no less than for a player who minds the ante only.
        assert each.apart <= each.value <= summary.value + each.bonus * bet.value
    assert joint(every_deal, Fraction(0), pays) == (summary.value, summary.value, 0, 0)


def test_what_the_published_bonus_moves(every_deal):
    *_, bonus = reported()
    tenth, half, one, five = bonus.joint
    assert 0 < tenth.changed_deals < half.changed_deals == one.changed_deals == five.changed_deals
    folded_winners = (every_deal.call <= -COMPLETIONS) & (every_deal.line < 6)
    assert five.changed_deals == int(every_deal.weight[folded_winners].sum())
    assert five.changed_rows == int(folded_winners.sum())


@pytest.mark.parametrize("pays", [PAYS, ODD_PAYS], ids=["published", "odd"])
def test_the_least_and_the_greatest_bet_that_changes_a_decision(every_deal, pays):
    *_, bonus = reported(pays)
    every = thresholds(every_deal, pays)
    assert (bonus.smallest_change, bonus.largest_change) == (every[0], every[-1])


def test_a_bet_of_just_that_size_changes_nothing_yet(every_deal):
    """At the least bet that matters call and fold are worth the same, and the cheaper action is taken."""
    *_, bonus = reported()
    *_, at_least = reported(bonus=bonus.smallest_change)
    *_, at_most = reported(bonus=bonus.largest_change)
    everything = max(each.changed_rows for each in bonus.joint)
    (least,) = (each for each in at_least.joint if each.bonus == bonus.smallest_change)
    (most,) = (each for each in at_most.joint if each.bonus == bonus.largest_change)
    assert (least.changed_deals, least.changed_rows, least.value) == (0, 0, least.apart)
    assert least[1:] == joint(every_deal, bonus.smallest_change)
    assert most[1:] == joint(every_deal, bonus.largest_change)
    gap = int(bonus.largest_change * COMPLETIONS * 8)  # a bet of one wins 7 with a call and is lost with a fold
    last = (every_deal.line == 5) & (-COMPLETIONS - every_deal.call == gap)
    assert most.changed_rows == everything - int(last.sum())
    (row,) = np.flatnonzero(last)[:1]
    deal = HOLDEM.canonical_deals([row])[0][0].tolist()
    decision = pycs.decide("casino-holdem", deal[:2], deal[2:], bonus=bonus.largest_change)
    assert (decision.action, decision.indifferent) == ("fold", True)
    assert pycs.decide("casino-holdem", deal[:2], deal[2:], bonus="0.12").action == "call"


def test_a_bet_of_ones_own_stands_among_the_others(every_deal):
    *_, bonus = reported(bonus="2")
    assert [each.bonus for each in bonus.joint] == [Fraction(1, 10), Fraction(1, 2), 1, 2, 5]
    assert bonus.joint[3][1:] == joint(every_deal, Fraction(2))
    assert [each for each in bonus.joint if each.bonus != 2] == list(reported()[2].joint)
    for there_already in ("0.5", 5):
        assert reported(bonus=there_already)[1] == reported()[1]
    *_, small = reported(bonus="1/70000")
    assert small.joint[0][1:] == joint(every_deal, Fraction(1, 70000))


@pytest.mark.parametrize("pays", [PAYS, ODD_PAYS], ids=["published", "odd"])
def test_a_bonus_that_is_paid_anyway_is_a_bet_apart(every_deal, pays):
    summary, bonus, weighed = reported(pays, requires_call=False, bonus="1/3")
    assert (bonus.requires_call, weighed) == (False, None)
    together = summary.rounds.net.mean
    assert together == summary.value + Fraction(1, 3) * bonus.value
    assert (together, together, 0, 0) == joint(every_deal, Fraction(1, 3), pays, requires_call=False)
    assert "joint" not in bonus.to_dict()


@pytest.mark.parametrize("pays", [PAYS, ODD_PAYS], ids=["published", "odd"])
@pytest.mark.parametrize("requires_call", [True, False], ids=["requires a call", "paid anyway"])
def test_the_bonus_alone(every_deal, pays, requires_call):
    """Its lines and its value are those of all deals; nothing of the main bet changes them."""
    summary, bonus, _ = reported(pays, requires_call)
    often = np.bincount(every_deal.line, every_deal.weight, minlength=7).astype(np.int64).tolist()
    assert [(each.net, each.combinations) for each in bonus.lines] == list(zip((*pays, -1), often, strict=True))
    assert bonus.combinations == RAW_DEALS == sum(often)
    value = Fraction(sum(count * pay for count, pay in zip(often, (*pays, -1), strict=True)), RAW_DEALS)
    assert bonus.value == value == -bonus.house_edge
    assert bonus.hit_frequency == Fraction(RAW_DEALS - often[6], RAW_DEALS)
    assert summary.net == pycs.report("casino-holdem").net
    if pays == PAYS:
        assert bonus.house_edge == Fraction(162_652, 2_598_960)


def test_without_the_bonus_the_report_has_no_bets():
    bare = load_rules("casino-holdem").to_dict()
    del bare["side_bets"]
    summary = pycs.report(rules_from_dict(bare))
    assert summary.bets == ()
    assert summary.net == reported()[0].net
    with pytest.raises(InputError, match="the bet 'aa-bonus': casino-holdem offers no side bet"):
        pycs.report(rules_from_dict(bare), bets={"aa-bonus": 1})


def test_the_bonus_as_plain_data():
    _, bet, bonus = reported(bonus="1/3")
    plain = bet.to_dict()
    assert plain["lines"] == [
        {"line": name, "net": pays, "net_exact": str(pays), "combinations": deals}
        for name, pays, deals in zip(
            (*holdem_oracle.BONUS_LINES, "nothing"),
            (*PAYS, -1),
            (10 * count for count in holdem_oracle.bonus_frequencies().values()),
            strict=True,
        )
    ]
    assert plain["hit_frequency"] == float(bet.hit_frequency)
    assert Fraction(plain["smallest_change_exact"]) == bonus.smallest_change
    assert Fraction(plain["largest_change_exact"]) == bonus.largest_change
    for each, shown in zip(bonus.joint, plain["joint"], strict=True):
        exact = [Fraction(shown[key]) for key in ("bonus_exact", "exact", "apart_exact")]
        assert exact == [each.bonus, each.value, each.apart]
        assert [shown["bonus"], shown["value"], shown["apart"]] == [float(amount) for amount in exact]
        assert (shown["changed_deals"], shown["changed_rows"]) == (each.changed_deals, each.changed_rows)
