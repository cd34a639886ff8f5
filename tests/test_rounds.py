"""The joint results of a round and its side bets, held to joint_oracle.py, published figures and settled rounds."""

import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from pathlib import Path

import holdem_oracle
import joint_oracle
import numpy as np
import oracle
import pytest
from oracle import CATEGORIES

import pycs
from pycs import counted_games, deal_frames, games, side_bets
from pycs.cards import format_cards
from pycs.core import HOLDEM, STUD, Kernel
from pycs.errors import InputError
from pycs.games import CARIBBEAN_STUD, CASINO_HOLDEM
from pycs.joint_rounds import played, rounds, valued_game
from pycs.named_strategies import STRATEGIES, strategy_names
from pycs.ranking import qualifying_strength
from pycs.reports import report_of_tally
from pycs.rules import load_rules, rules_from_dict
from pycs.side_bet_reports import side_bet_report
from pycs.strategies import Rule
from pycs.values import tally

PUBLISHED = json.loads((Path(__file__).parent / "data" / "published.json").read_text())

UP = tuple(reversed(CATEGORIES))
US_PAYS = dict(zip(UP, (100, 50, 20, 7, 5, 4, 3, 2, 1, 1), strict=True))
LIVE_PAYS = dict(zip(UP, (100, 50, 25, 10, 7, 5, 3, 2, 1, 1), strict=True))
BONUS_5_1 = dict(zip(UP, (1000, 200, 100, 20, 15, 10, 7), strict=False))
ANTE_PAYS = dict(zip(holdem_oracle.LINES, (100, 20, 10, 3, 2, 1), strict=True))
AA_PAYS = dict(zip(holdem_oracle.BONUS_LINES, (100, 50, 40, 30, 20, 7), strict=True))
WORDS = {
    "three-rules": joint_oracle.three_rules,
    "ace-king-jack-eight-three": joint_oracle.ace_king_jack_eight_three,
    "matching-rank": joint_oracle.matching_rank,
    "pair-or-better": joint_oracle.pair_or_better,
    "ace-king-or-better": joint_oracle.ace_king_or_better,
    "always-call": joint_oracle.always_call,
}


@pytest.fixture(scope="module", autouse=True)
def each_game_is_counted_once():
    """Deals and counts are not what is tested here, so all rounds of this file share them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Kernel, "sweep", cache(Kernel.sweep))
        patch.setattr(counted_games, "deal_frame", cache(counted_games.deal_frame))
        yield


def progressive(flush, full_house, four_of_a_kind, straight_flush=Fraction(1, 10), **more):
    """Prizes by line, as the oracle takes them: whole numbers, and Fractions that are shares of the meter."""
    lines = {"flush": flush, "full house": full_house, "four of a kind": four_of_a_kind}
    return lines | {"straight flush": straight_flush, "royal flush": Fraction(1)} | more


def changed_live(jackpot=None, prizes=None, requires_call=False):
    """The shipped rules with other keys of the Jackpot, prizes of its own and another word on folding the 5+1 Bonus."""
    data = load_rules("live").to_dict()
    data["side_bets"]["five_plus_one"]["requires_call"] = requires_call
    data["side_bets"]["jackpot"].update(jackpot or {})
    if prizes is not None:
        del data["side_bets"]["jackpot"]["table"]
        every = {line: prizes.get(line, 0) for line in UP[:7]}
        data["side_bets"]["jackpot"]["prizes"] = {
            line.replace(" ", "_"): f"{prize.numerator}/{prize.denominator}" if isinstance(prize, Fraction) else prize
            for line, prize in every.items()
        }
    return rules_from_dict(data)


def changed_holdem(requires_call):
    data = load_rules("casino-holdem").to_dict()
    data["side_bets"]["aa_bonus"]["bonus_requires_call"] = requires_call
    return rules_from_dict(data)


def joint_of(result):
    """The cells, as the oracle counts: (net of the main bet, net of each side bet at its size) to rounds."""
    joint = Counter()
    for cell in result.cells:
        beside = zip(result.bets, cell.lines, strict=True)
        nets = (result.stakes[bet.name] * bet.net(line, cell.action) for bet, line in beside)
        joint[(cell.net, *nets)] += cell.combinations
    return joint


# --- games with a small deck ------------------------------------------------------------------------------------------


class SmallKernel:
    """A kernel of a game that is dealt out of a few cards: every raw deal stands for itself."""

    def __init__(self, full, deck, completions):
        self.full, self.deck, self.completions = full, sorted(deck, reverse=True), completions
        self.hand, self.seen, self.outcomes = full.hand, full.seen, full.outcomes
        self.rows = np.array(
            [
                hand + seen
                for hand in combinations(self.deck, self.hand)
                for seen in combinations(joint_oracle.without(self.deck, hand), self.seen)
            ],
            np.uint8,
        )
        self.deals = len(self.rows)

    def canonical_deals(self, indices):
        return self.rows[indices], np.ones(len(indices), np.uint8)

    def sweep(self, qualify):
        dead = joint_oracle.without(range(52), self.deck)
        counts = [self.full.known(row.tolist(), [], dead, qualify) for row in self.rows]
        return np.array(counts, np.uint32).T


@cache
def small_kernel(full, deck):
    hidden = {STUD: (4,), HOLDEM: (2, 2)}[full]
    left, completions = len(deck) - full.hand - full.seen, 1
    for cards in hidden:
        completions *= len(list(combinations(range(left), cards)))
        left -= cards
    kernel = SmallKernel(full, deck, completions)
    kernel.sweep = cache(kernel.sweep)
    return kernel


@pytest.fixture
def deal_from(monkeypatch):
    """Have pycs play one of its games with a small deck, from the counts of known cards on."""

    def prepare(game, deck):
        kernel = small_kernel(game.kernel, deck)
        small = replace(game, kernel=kernel, raw_deals=kernel.deals)
        monkeypatch.setitem(games.GAMES, game.name, small)
        if game is CARIBBEAN_STUD:
            monkeypatch.setattr(side_bets, "STUD", kernel)
        else:
            monkeypatch.setattr(deal_frames, "CASINO_HOLDEM", small)

    return prepare


STUD_DECKS = [
    pytest.param(oracle.cards(text), id=name)
    for name, text in {
        "pairs": "AsAhKsKhQsQhJdTc5d5c2c",
        "flushes": "AsKsQsJsTs9s8s7hAh3d2c",
        "straights": "AcKd9s8h7d6c5s4c4d3h2d2s",
        "ace-kings": "AcAdKhKsQdJc9h8d5s4d3c",
    }.items()
]
HOLDEM_DECKS = [
    pytest.param(oracle.cards(text), id=name)
    for name, text in {
        "pairs": "AsAhKsKdQh9c5d5c4h2s",
        "aces": "AcAdAhAsTd9h7c6d3s2h",
        "straights": "Ac9d8s7h6c5d4s3h3c2d",
    }.items()
]


def check_against(result, expected):
    """The cells of a small game, and what follows from them, against the oracle's rounds."""
    ways = sum(expected.values())
    assert joint_of(result) == expected
    assert sum(cell.combinations for cell in result.cells) == ways
    assert len({cell[:4] for cell in result.cells}) == len(result.cells)
    totals = Counter()
    for nets, count in expected.items():
        totals[sum(nets)] += count
    assert dict(zip(result.net.values, result.net.weights, strict=True)) == totals
    sizes = [Fraction(1), *result.stakes.values()]
    means = [Fraction(sum(nets[i] * count for nets, count in expected.items()), ways) for i in range(len(sizes))]
    for (i, one), (j, other) in combinations(enumerate(result.names), 2):
        if sizes[i] and sizes[j]:
            together = Fraction(sum(nets[i] * nets[j] * count for nets, count in expected.items()), ways)
            assert sizes[i] * sizes[j] * result.covariance(one, other) == together - means[i] * means[j]
            assert sizes[j] * result.alone(other).mean == means[j]


@pytest.mark.parametrize("deck", STUD_DECKS)
def test_all_rounds_of_a_small_deck_of_stud(deal_from, deck):
    # Odd sizes, a bet of two units of money, and prizes on lines that no shipped table pays.
    prizes = progressive(50, 75, 100, Fraction(1, 7), straight=Fraction(1, 1000), **{"three of a kind": 3})
    rules = changed_live({"bet": 2, "meter": 12_345, "sharers": 3}, prizes)
    deal_from(CARIBBEAN_STUD, deck)
    result = rounds(rules, {"five-plus-one": "3/7", "jackpot": "5/11"})
    money = joint_oracle.jackpot(prizes, Fraction(12_345), 3, Fraction(2))
    antes = Fraction(5, 11) / 2  # of a unit of money
    bets = [
        joint_oracle.five_plus_one(BONUS_5_1, Fraction(3, 7)),
        lambda hand, seen, action: antes * money(hand, seen, action),
    ]
    check_against(result, joint_oracle.stud_rounds(deck, LIVE_PAYS, bets))
    assert {cell.action for cell in result.cells} == {"fold", "call"}


def lost_by_a_fold(bet, size):
    """The same bet, but that a fold loses it."""
    return lambda hand, seen, action: -size if action == "fold" else bet(hand, seen, action)


@pytest.mark.parametrize("deck", STUD_DECKS[:3])
def test_a_bonus_that_a_fold_loses_in_a_small_deck_of_stud(deal_from, deck):
    rules = changed_live(requires_call=True)
    deal_from(CARIBBEAN_STUD, deck)
    jackpot = joint_oracle.jackpot({}, Fraction(0), 1, Fraction(0))
    for size in map(Fraction, ("1/9", "2")):
        bets = [lost_by_a_fold(joint_oracle.five_plus_one(BONUS_5_1, size), size), jackpot]
        expected = joint_oracle.stud_rounds(deck, LIVE_PAYS, bets)
        assert joint_of(rounds(rules, {"five-plus-one": size}, meter=0)) == expected
    assert expected != joint_oracle.stud_rounds(deck, LIVE_PAYS, bets, weigh=False)


@pytest.mark.parametrize("deck", STUD_DECKS[3:])
@pytest.mark.parametrize("strategy", WORDS)
def test_strategies_in_a_small_deck_of_stud(deal_from, deck, strategy):
    deal_from(CARIBBEAN_STUD, deck)
    rules = STRATEGIES[CARIBBEAN_STUD.name][strategy].rules
    # In one, since there is no deal in the small deck for some of them.
    any_of = (Rule(when=" or ".join(f"({rule.when})" for rule in rules), then="call"),) if rules else ()
    small = replace(STRATEGIES[CARIBBEAN_STUD.name][strategy], game=games.GAMES[CARIBBEAN_STUD.name], rules=any_of)
    result = rounds("us", strategy=small)
    assert joint_of(result) == joint_oracle.stud_rounds(deck, US_PAYS, strategy=WORDS[strategy])
    assert result.strategy == strategy


@pytest.mark.parametrize("requires_call", [True, False])
@pytest.mark.parametrize("deck", HOLDEM_DECKS)
def test_all_rounds_of_a_small_deck_of_holdem(deal_from, deck, requires_call):
    rules = changed_holdem(requires_call)
    deal_from(CASINO_HOLDEM, deck)
    for size in map(Fraction, ("1/40", "7/5", "1000000") if requires_call else ("1/3",)):
        expected = joint_oracle.holdem_rounds(deck, ANTE_PAYS, [joint_oracle.aa_bonus(AA_PAYS, size, requires_call)])
        check_against(rounds(rules, {"aa-bonus": size}), expected)


def worth(joint):
    """The mean of all bets together, over the oracle's rounds."""
    return Fraction(sum(sum(nets) * count for nets, count in joint.items()), sum(joint.values()))


@pytest.mark.parametrize("deck", HOLDEM_DECKS[::2])
def test_the_joint_values_of_a_report_on_a_small_deck(deal_from, deck):
    deal_from(CASINO_HOLDEM, deck)
    weighed = pycs.report("casino-holdem", bets={"aa-bonus": "2/9"}).bets[0].weighed

    def bets(size):
        return [joint_oracle.aa_bonus(AA_PAYS, size, True)]

    assert Fraction(2, 9) in {joint.bonus for joint in weighed.joint}
    for joint in weighed.joint:
        assert joint.value == worth(joint_oracle.holdem_rounds(deck, ANTE_PAYS, bets(joint.bonus)))
        assert joint.apart == worth(joint_oracle.holdem_rounds(deck, ANTE_PAYS, bets(joint.bonus), weigh=False))
    for change in {weighed.smallest_change, weighed.largest_change} - {None}:
        # At this size a deal is worth as much folded as called, and is folded; beyond it, it is called.
        at, beyond = (joint_oracle.holdem_rounds(deck, ANTE_PAYS, bets(change * more)) for more in (1, Fraction(9, 8)))
        folded_at, folded_beyond = (sum(n for nets, n in each.items() if nets[0] == -1) for each in (at, beyond))
        assert folded_at > folded_beyond
        reported = pycs.report("casino-holdem", bets={"aa-bonus": change})
        assert joint_of(reported.rounds) == at
        if change == weighed.smallest_change:
            here = next(joint for joint in reported.bets[0].weighed.joint if joint.bonus == change)
            assert here.changed_deals == here.changed_rows == 0


def test_the_small_decks_have_decisions_that_the_bonus_changes():
    for deck in HOLDEM_DECKS[0].values[0], HOLDEM_DECKS[2].values[0]:
        bets = [joint_oracle.aa_bonus(AA_PAYS, Fraction(1, 3), True)]
        with_bonus, without = (
            joint_oracle.holdem_rounds(deck, ANTE_PAYS, bets, weigh=weigh) for weigh in (True, False)
        )
        assert with_bonus != without


# --- each side bet by itself ------------------------------------------------------------------------------------------


def test_frequencies_by_hand_are_the_published_ones():
    order, by_size = PUBLISHED["frequencies"]["order"], PUBLISHED["frequencies"]
    assert joint_oracle.five_card_frequencies() == dict(zip(order, by_size["5"], strict=True))
    assert joint_oracle.six_card_frequencies() == dict(zip(order, by_size["6"], strict=True))
    assert round(100 * (1 + joint_oracle.five_plus_one_value(BONUS_5_1)), 2) == Fraction("91.44")
    assert round(-100 * joint_oracle.aa_bonus_value(AA_PAYS), 2) == Fraction("6.26")


def test_categories_of_many_hands_at_once():
    random = np.random.default_rng(64)
    # All cards, one suit and a few more, few ranks, high cards: every category comes.
    pools = np.arange(52), np.r_[np.arange(0, 52, 4), 1, 2], np.arange(16), np.arange(32, 52)
    rows = np.array([random.permutation(pool)[:6] for pool in pools for _ in range(200)], np.uint8)
    for width in (5, 6):
        found = joint_oracle.categories_of_rows(rows[:, :width])
        assert found.tolist() == [oracle.best_key(row[:width].tolist())[0] for row in rows]
    assert set(found.tolist()) == set(range(10))


@pytest.fixture(scope="module")
def live():
    """All bets of `live` at odd sizes, with a meter of our own."""
    return rounds("live", {"five-plus-one": "1/3", "jackpot": "0.1"}, meter=263_205, sharers=2)


def frequencies(distribution, out_of):
    """How many of so many equally likely ways bring each result."""
    shares = zip(distribution.values, distribution.weights, strict=True)
    return {value: Fraction(weight * out_of, distribution.ways) for value, weight in shares}


def by_net(counts, net_of):
    """How many ways bring each net result, from how many make each line."""
    nets = Counter()
    for line, count in counts.items():
        nets[net_of(line)] += count
    return nets


def test_each_bet_alone_by_combinatorics(live, holdem):
    six = by_net(joint_oracle.six_card_frequencies(), lambda line: BONUS_5_1.get(line, -1))
    assert frequencies(live.alone("five-plus-one"), joint_oracle.SIX_CARD_HANDS) == six
    prizes = progressive(50, 75, 100)
    bet = joint_oracle.jackpot(prizes, Fraction(263_205), 2, Fraction(1))
    five = by_net(joint_oracle.five_card_frequencies(), lambda line: bet(joint_oracle.EXAMPLES[line], (), "fold"))
    assert frequencies(live.alone("jackpot"), joint_oracle.FIVE_CARD_HANDS) == five
    bonus = by_net(joint_oracle.aa_bonus_frequencies(), lambda line: -1 if line is None else AA_PAYS[line])
    assert frequencies(holdem(1, False).alone("aa-bonus"), joint_oracle.FIVE_CARD_HANDS) == bonus

    assert live.alone("five-plus-one").mean == joint_oracle.five_plus_one_value(BONUS_5_1)
    assert live.alone("jackpot").mean == joint_oracle.jackpot_value(prizes, Fraction(263_205), 2)
    assert holdem(1, False).alone("aa-bonus").mean == joint_oracle.aa_bonus_value(AA_PAYS)


# --- all rounds of the full deck --------------------------------------------------------------------------------------


@cache
def stud_pass():
    """For every canonical deal of stud: cards, weights, counts, and the categories of five and of six cards."""
    deals, weights = STUD.canonical_deals(np.arange(STUD.deals, dtype=np.uint32))
    counts = STUD.sweep(qualifying_strength("ace-king")).astype(np.int64)
    # The upcards of a hand stand together, so a hand's own category is worked out once.
    new = np.r_[True, (deals[1:, :5] != deals[:-1, :5]).any(axis=1)]
    five = joint_oracle.categories_of_rows(deals[new, :5])[np.cumsum(new) - 1]
    return deals, weights.astype(np.int64), counts, five, joint_oracle.categories_of_rows(deals)


def grouped(groups, ways, size):
    """Sums of whole numbers by group; in floats, which hold all whole numbers up to 9e15 and so these."""
    sums = np.bincount(groups, weights=ways, minlength=size)
    assert sums.max() < 2**53
    return [int(each) for each in sums]


def test_all_rounds_of_stud_by_a_pass_of_our_own(live):
    _, weights, (failed, won, tied, lost), five, six = stud_pass()
    pays = np.array([LIVE_PAYS[category] for category in CATEGORIES])
    call = failed + won * (1 + 2 * pays[five]) - 3 * lost
    called = call > -STUD.completions
    ends = {
        "fold": ~called * STUD.completions,
        **{end: called * n for end, n in {"not_qualified": failed, "win": won, "push": tied, "lose": lost}.items()},
    }
    groups = five.astype(np.int64) * 10 + six
    bet = joint_oracle.jackpot(progressive(50, 75, 100), Fraction(263_205), 2, Fraction(1))
    expected = Counter()
    for end, ways in ends.items():
        for group, count in enumerate(grouped(groups, ways * weights, 100)):
            mine, best = CATEGORIES[group // 10], CATEGORIES[group % 10]
            net = {"fold": -1, "not_qualified": 1, "win": 1 + 2 * LIVE_PAYS[mine], "push": 0, "lose": -3}[end]
            jackpot = bet(joint_oracle.EXAMPLES[mine], (), "fold") / 10
            if count:
                expected[(net, Fraction(BONUS_5_1.get(best, -1), 3), jackpot)] += count
    assert joint_of(live) == expected
    assert sum(expected.values()) == CARIBBEAN_STUD.rounds

    best = np.maximum(call, -STUD.completions) * weights
    bonus = np.array([BONUS_5_1.get(category, -1) for category in CATEGORIES])
    together = Fraction(int((best * bonus[six]).sum()), CARIBBEAN_STUD.rounds)
    alone = Fraction(int(best.sum()), CARIBBEAN_STUD.rounds)
    assert live.covariance("main", "five-plus-one") == together - alone * joint_oracle.five_plus_one_value(BONUS_5_1)
    assert live.alone("main").mean == alone


@cache
def holdem_pass():
    """For every canonical deal of hold'em: weights, counts, and the line of the AA Bonus, 6 for none."""
    deals, weights = HOLDEM.canonical_deals(np.arange(HOLDEM.deals, dtype=np.uint32))
    counts = HOLDEM.sweep(qualifying_strength("pair-of-fours")).astype(np.int64)
    categories = joint_oracle.categories_of_rows(deals)
    aces = (deals >= oracle.cards("Ac")[0]).sum(axis=1)
    lines = np.array([6, 5, 5, 5, 5, 4, 3, 2, 1, 0])[categories]
    lines[(categories == 1) & (aces < 2)] = 6
    return weights.astype(np.int64), counts, lines


ENDS = [*ANTE_PAYS.values(), *(pay + 2 for pay in ANTE_PAYS.values()), 0, -3]
"""The net result of each end of a called round, in the order in which they are counted."""


@cache
def holdem_gain():
    """What a call brings more than a fold in all of a deal's completions, without a bonus bet."""
    _, counts, _ = holdem_pass()
    return sum(net * each for net, each in zip(ENDS, counts, strict=True)) + HOLDEM.completions


def holdem_called(size, requires_call):
    """Which deals are called with a bonus bet of this size."""
    _, _, lines = holdem_pass()
    saved = np.array([size.numerator * (pay + 1) if requires_call else 0 for pay in (*AA_PAYS.values(), -1)])
    return size.denominator * holdem_gain() + saved[lines] * HOLDEM.completions > 0


def holdem_joint(size, requires_call):
    """All rounds of hold'em with a bonus bet of this size: net of the ante and call, and of the bonus, to rounds."""
    weights, counts, lines = holdem_pass()
    called = holdem_called(size, requires_call)
    pays = [*AA_PAYS.values(), -1]
    joint = Counter()
    for net, ways in (*zip(ENDS, counts * called, strict=True), (None, ~called * HOLDEM.completions)):
        for line, count in enumerate(grouped(lines, ways * weights, 7)):
            if count:
                kept = net is not None or not requires_call
                joint[(-1 if net is None else net, size * (pays[line] if kept else -1))] += count
    return joint


@pytest.fixture(scope="module")
def holdem():
    """All rounds of hold'em with a bonus bet of a size, which a fold loses or does not; each counted once."""
    return cache(lambda size, requires_call: rounds(changed_holdem(requires_call), {"aa-bonus": Fraction(size)}))


@cache
def smallest_change():
    """The least bonus bet beyond which some deal is called that is folded without it."""
    _, _, lines = holdem_pass()
    short = -holdem_gain()
    folded_winners = [(pay, short[(lines == line) & (short >= 0)]) for line, pay in enumerate(AA_PAYS.values())]
    return min(Fraction(int(each.min()), HOLDEM.completions * (pay + 1)) for pay, each in folded_winners if len(each))


@pytest.mark.parametrize(("size", "requires_call"), [("1", False), ("1", True), ("least", True)])
def test_all_rounds_of_holdem_by_a_pass_of_our_own(holdem, size, requires_call):
    size = smallest_change() if size == "least" else Fraction(size)
    result, expected = holdem(size, requires_call), holdem_joint(size, requires_call)
    assert joint_of(result) == expected
    assert sum(expected.values()) == CASINO_HOLDEM.rounds
    mean, bonus = (Fraction(sum(nets[i] * n for nets, n in expected.items()), CASINO_HOLDEM.rounds) for i in (0, 1))
    together = Fraction(sum(nets[0] * nets[1] * n for nets, n in expected.items()), CASINO_HOLDEM.rounds)
    assert size * result.covariance("main", "aa-bonus") == together - mean * bonus


def test_a_bonus_of_the_least_size_is_weighed_and_changes_nothing():
    size = smallest_change()
    sizes = Fraction(0), size, size * Fraction(1001, 1000)
    without, at, beyond = (np.count_nonzero(holdem_called(each, True)) for each in sizes)
    assert without == at < beyond
    weighed = pycs.report("casino-holdem").bets[0].weighed
    assert weighed.smallest_change == size
    weights, _, _ = holdem_pass()
    for joint in weighed.joint:
        changed = holdem_called(joint.bonus, True) & ~holdem_called(Fraction(0), True)
        assert joint.changed_rows == np.count_nonzero(changed)
        assert joint.changed_deals == weights[changed].sum()


@pytest.fixture(scope="module")
def together(live, holdem):
    """Rounds of both games with all their bets."""
    return {"live": live, "casino-holdem": holdem(1, True), "paid anyway": holdem(1, False)}


@pytest.mark.parametrize("name", ["live", "casino-holdem", "paid anyway"])
def test_what_follows_from_all_rounds(together, name):
    result = together[name]
    cells = result.cells
    every = sum(cell.combinations for cell in cells)
    called = Fraction(sum(cell.combinations for cell in cells if cell.action == "call"), every)
    sizes = {"main": Fraction(1), **result.stakes}
    assert result.stake == sum(sizes.values())
    assert result.average_bet == sum(sizes.values()) + 2 * called
    for one in result.names:
        assert result.covariance(one, one) == result.alone(one).variance
        assert result.correlation(one, one) == pytest.approx(1, abs=1e-12)
        for other in result.names:
            assert result.covariance(one, other) == result.covariance(other, one)
            assert result.correlation(one, other) == result.correlation(other, one)
            assert -1 <= result.correlation(one, other) <= 1 + 1e-12
    pairs = [(one, other) for one in result.names for other in result.names]
    assert result.net.variance == sum(sizes[a] * sizes[b] * result.covariance(a, b) for a, b in pairs)
    assert result.net.mean == sum(sizes[bet] * result.alone(bet).mean for bet in result.names)
    assert result.net.ways == every


def test_when_the_call_cannot_be_paid_every_round_is_folded(together):
    live = together["live"]
    six, sizes = joint_oracle.five_plus_one_value(BONUS_5_1), live.stakes
    value = joint_oracle.jackpot_value(progressive(50, 75, 100), Fraction(263_205), 2)
    assert live.when_short.mean == -1 + sizes["five-plus-one"] * six + sizes["jackpot"] * value
    assert live.when_short.ways == CARIBBEAN_STUD.rounds
    lost = together["casino-holdem"].when_short
    assert (lost.values, lost.weights) == ((-2,), (CASINO_HOLDEM.rounds,))
    kept = by_net(joint_oracle.aa_bonus_frequencies(), lambda line: -2 if line is None else AA_PAYS[line] - 1)
    assert frequencies(together["paid anyway"].when_short, joint_oracle.FIVE_CARD_HANDS) == kept


# --- rounds as they are dealt -----------------------------------------------------------------------------------------


def test_settled_rounds_of_stud_are_among_the_cells(live):
    cells = {cell[:4] for cell in live.cells}
    deals, _, (failed, won, _, lost), five, six = stud_pass()
    random = np.random.default_rng(20_001_101)
    # Half of them with three of a kind or better by hand or upcard, which few deals have.
    rare = random.choice(np.flatnonzero(six >= 3), 200)
    seen = set()
    for index in (*random.integers(0, STUD.deals, 200), *rare):
        mine, best = CATEGORIES[five[index]], CATEGORIES[six[index]]
        rest = random.permutation(joint_oracle.without(range(52), deals[index].tolist()))[:4]
        worth = failed[index] + won[index] * (1 + 2 * LIVE_PAYS[mine]) - 3 * lost[index]
        action = "call" if worth > -STUD.completions else "fold"
        hand, dealer = deals[index][:5].tolist(), [int(deals[index][5]), *rest.tolist()]
        settled = pycs.settle("live", format_cards(hand), format_cards(dealer), action)
        assert settled.net == oracle.settle(LIVE_PAYS, hand, dealer, action)
        names = {"win": mine if mine in UP[:8] else "pair or less", "not_qualified": "dealer does not qualify"}
        event = names.get(settled.outcome, "dealer wins" if settled.outcome == "lose" else settled.outcome)
        lines = tuple(line if line in UP[:7] else "nothing" for line in (best, mine))
        assert (action, event, settled.net, lines) in cells
        seen.add((action, event, lines))
    assert len(seen) > 20


def test_settled_rounds_of_holdem_are_among_the_cells(holdem):
    result = holdem(1, True)
    cells, bet = {cell[:4] for cell in result.cells}, result.bets[0]
    rules = changed_holdem(True)
    random = np.random.default_rng(20_070_401)
    seen = set()
    cards = np.array([random.permutation(52)[:9] for _ in range(400)])
    cards[200:] = [
        [*oracle.cards("AsAh"), *random.permutation(50)[:7].tolist()] if 49 not in row[:7] else row
        for row in cards[200:]
    ]
    cards = np.array([row for row in cards if len(set(row.tolist())) == 9])
    counts = HOLDEM.count(cards[:, :5], qualifying_strength("pair-of-fours"))
    for row, worth in zip(cards.tolist(), np.array(ENDS) @ counts.astype(np.int64), strict=True):
        hole, flop, board, dealers = row[:2], row[2:5], row[2:7], row[7:]
        line = holdem_oracle.bonus_line(hole, flop)
        gain = 0 if line is None else HOLDEM.completions * (AA_PAYS[line] + 1)
        action = "call" if worth + HOLDEM.completions + gain > 0 else "fold"
        texts = map(format_cards, (hole, dealers))
        settled = pycs.settle(rules, *texts, action, board=format_cards(board), bonus=1)
        main = holdem_oracle.settle(ANTE_PAYS, hole, dealers, board, action)
        won = holdem_oracle.settle_bonus(AA_PAYS, line, action)
        assert (settled.net, settled.bonus_net) == (main + won, won)
        mine = settled.player_category if settled.player_category in ANTE_PAYS else "straight or less"
        names = {"win": mine, "not_qualified": f"dealer does not qualify, {mine}", "lose": "dealer wins"}
        cell = (action, names.get(settled.outcome, settled.outcome), main, (line or "nothing",))
        assert cell in cells
        assert settled.bonus_net == bet.net(line or "nothing", action)
        seen.add(cell)
    assert len(seen) > 10


# --- strategies -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def us():
    """All canonical deals of `us` with their values."""
    return valued_game(load_rules("us"), ())


def played_by(us, strategy):
    return played(us, load_rules("us"), (), {}, STRATEGIES[CARIBBEAN_STUD.name][strategy])


@pytest.mark.parametrize("strategy", WORDS)
def test_strategies_do_what_their_words_say_and_bring_what_is_published(us, strategy):
    by_strategy = played_by(us, strategy)
    deals, _, _, five, _ = stud_pass()
    random = np.random.default_rng(316)
    high = (five == 0) & (deals[:, 0] >= oracle.cards("Ac")[0])
    ace_king = np.flatnonzero(high & (deals[:, 1] // 4 == oracle.KING))
    some = np.concatenate([random.choice(ace_king, 1500), random.integers(0, STUD.deals, 500)])
    actions = by_strategy["action"].gather(some).to_list()
    assert actions == ["call" if WORDS[strategy](tuple(hand), (up,)) else "fold" for *hand, up in deals[some].tolist()]
    figures = report_of_tally(tally(by_strategy, load_rules("us")), load_rules("us"), strategy)
    published = PUBLISHED["caribbean_us"]["strategies_net"]
    nets = {
        "three-rules": published["three rules of thumb"],
        "pair-or-better": published["pair or better"],
        "always-call": published["blind (always raise)"],
    }
    edges = {"ace-king-jack-eight-three": "5.316", "matching-rank": "5.334", "ace-king-or-better": "5.682"}
    if strategy in nets:
        assert figures.net == nets[strategy]
    else:
        assert round(100 * figures.house_edge, 3) == Fraction(edges[strategy])
    assert figures.value <= Fraction(PUBLISHED["caribbean_us"]["optimal_net"], CARIBBEAN_STUD.rounds)


def test_every_strategy_is_held_to_its_words():
    assert strategy_names(CARIBBEAN_STUD) == ("optimal", *WORDS, "four-exchange-rules")
    assert strategy_names(CASINO_HOLDEM) == ("optimal", "four-rules", "common-rules", "pair-or-better", "always-call")


def test_always_calling_holdem_by_a_pass_of_our_own():
    weights, counts, _ = holdem_pass()
    net = sum(one * int((each * weights).sum()) for one, each in zip(ENDS, counts, strict=True))
    result = rounds("casino-holdem", strategy="always-call")
    assert result.alone("main").mean == Fraction(net, CASINO_HOLDEM.rounds)
    assert result.average_bet == 3


# --- the meter --------------------------------------------------------------------------------------------------------


def progressive_of(rules, **changes):
    """What pycs makes of the meter behind a Jackpot: from the raw deals by line, which are known."""
    bet = side_bets.side_bets(rules, **changes)[1]
    deals = {line: 47 * count for line, count in joint_oracle.five_card_frequencies().items() if line in UP[:7]}
    deals["nothing"] = 47 * joint_oracle.FIVE_CARD_HANDS - sum(deals.values())
    return side_bet_report(bet, deals)


TABLES = {
    "50/75/100": progressive(50, 75, 100),
    "75/100/500": progressive(75, 100, 500),
    "100/150/250": progressive(100, 150, 250),
    "100/250/500": progressive(100, 250, 500),
}


@pytest.mark.parametrize("case", PUBLISHED["progressive_break_even_meter_for_1_unit"], ids=lambda case: case["meter"])
def test_break_even_meters_as_published(case):
    prizes = progressive(case["flush"], case["full"], case["quads"])
    progress = progressive_of(changed_live(prizes=prizes)).progressive
    assert int(progress.break_even) == round(progress.break_even) == case["meter"]
    assert progress.break_even == joint_oracle.break_even_meter(prizes)


@pytest.mark.parametrize("sharers", [1, 3, 7])
@pytest.mark.parametrize("bet", [1, 5])
@pytest.mark.parametrize("table", TABLES)
def test_the_meter_by_the_oracle(table, bet, sharers):
    prizes = TABLES[table]
    rules = changed_live({"table": table, "bet": bet, "contribution": "37%", "seed": 12_000, "sharers": 2})
    exact = Fraction(bet)
    for meter in (0, 1, 250_000, 1_000_000):
        found = progressive_of(rules, meter=meter, sharers=sharers)
        value = joint_oracle.jackpot_value(prizes, Fraction(meter), sharers, exact)
        assert found.value == value == found.progressive.at_zero + found.progressive.slope * meter
    progress = found.progressive
    assert progress.break_even == joint_oracle.break_even_meter(prizes, sharers, exact)
    case = prizes, Fraction(37, 100), Fraction(12_000), sharers, exact
    before, as_paid = joint_oracle.mean_meter(*case)
    assert progress.mean_meter == as_paid
    assert float(before) == pytest.approx(joint_oracle.mean_meter_by_iteration(*map_floats(case)), rel=1e-9)
    assert progress.long_run == joint_oracle.long_run_value(*case)
    assert progress.long_run == joint_oracle.jackpot_value(prizes, as_paid, sharers, exact)


def map_floats(case):
    """The same case with floats for its amounts."""
    prizes, *amounts = case
    return prizes, *map(float, amounts)


def test_a_meter_without_a_share_short_of_all_and_one_that_wins_nothing():
    prizes = progressive(50, 75, 100, 5000)
    case = prizes, Fraction(1, 4), Fraction(800), 2, Fraction(3)
    rules = changed_live({"bet": 3, "contribution": "25%", "seed": 800, "sharers": 2}, prizes)
    progress = progressive_of(rules).progressive
    assert progress.mean_meter == joint_oracle.mean_meter(*case)[1]
    assert progress.long_run == joint_oracle.long_run_value(*case)
    fixed = changed_live(prizes={"royal flush": 1000})
    assert progressive_of(fixed).progressive.break_even is None
    assert progressive_of(fixed).progressive.mean_meter is None
    chance = Fraction(4, joint_oracle.FIVE_CARD_HANDS)
    assert progressive_of(fixed).progressive.long_run == 1000 * chance - 1 == progressive_of(fixed).value


def test_the_reports_lines_count_hands(live):
    found = progressive_of(load_rules("live"))
    counts = joint_oracle.five_card_frequencies()
    assert found.combinations == joint_oracle.FIVE_CARD_HANDS
    assert {line: count for line, _, count in found.lines if line != "nothing"} == {
        line: counts[line] for line in UP[:7]
    }
    deals = Counter()
    for cell in live.cells:
        deals[cell.lines[0]] += Fraction(cell.combinations, STUD.completions)
    found = side_bet_report(live.bets[0], deals)
    six = joint_oracle.six_card_frequencies()
    assert found.combinations == joint_oracle.SIX_CARD_HANDS
    assert {line: count for line, _, count in found.lines if line != "nothing"} == {line: six[line] for line in UP[:7]}
    assert round(100 * (1 - found.house_edge), 2) == Fraction("91.44")


# --- what is refused --------------------------------------------------------------------------------------------------

REFUSED = [
    ("live", {"bets": {"five-plus-two": 1}}, "five-plus-two"),
    ("casino-holdem", {"bets": {"jackpot": 1}}, "jackpot"),
    ("us", {"bets": {"five-plus-one": 1}}, "five-plus-one"),
    ("live", {"bets": {"five-plus-one": -1}}, "-1"),
    ("live", {"bets": {"jackpot": "-0.5"}}, "-0.5"),
    ("casino-holdem", {"bets": {"aa-bonus": 1_000_001}}, "1000001"),
    ("live", {"bets": {"jackpot": float("nan")}}, "nan"),
    ("live", {"bets": {"jackpot": None}}, "None"),
    ("live", {"bets": {"jackpot": True}}, "True"),
    ("live", {"bets": {"jackpot\n": 1}}, "jackpot\\n"),
    ("live", {"bets": "jackpot"}, "jackpot"),
    ("live", {"bets": {7: 1}}, "7"),
    ("live", {"meter": -1}, "-1"),
    ("live", {"meter": "much"}, "much"),
    ("live", {"sharers": 0}, "0"),
    ("live", {"sharers": -3}, "-3"),
    ("live", {"sharers": 1.0}, "1.0"),
    ("live", {"sharers": True}, "True"),
    ("us", {"meter": 100}, "100"),
    ("us", {"sharers": 2}, "2"),
    ("casino-holdem", {"meter": 100}, "100"),
    ("live", {"strategy": "three-rule"}, "three-rule"),
    ("casino-holdem", {"strategy": "three-rules"}, "three-rules"),
    ("us", {"strategy": None}, "None"),
    ("us", {"strategy": ["optimal"]}, "['optimal']"),
    ("no-such", {}, "no-such"),
]


@pytest.mark.parametrize(("profile", "given", "quoted"), REFUSED)
def test_bad_input_is_refused_in_one_line(profile, given, quoted):
    for call in (lambda: pycs.report(profile, **given), lambda: rounds(profile, **given)):
        with pytest.raises(InputError) as caught:
            call()
        assert "\n" not in str(caught.value)
        assert quoted in str(caught.value)


def test_a_bet_that_is_none_is_refused(live):
    for ask in (live.alone, lambda bet: live.covariance("main", bet), lambda bet: live.correlation(bet, "main")):
        with pytest.raises(InputError, match=r"'five-plus-on'.*did you mean five-plus-one"):
            ask("five-plus-on")
