"""What knowing cards is worth: against plain enumeration, the published game, the sweep, and all relabelings.

The exact figures for four and five known cards take minutes to count again: `python scripts/price_information.py`.
"""

import importlib.util
import json
import re
import sys
from fractions import Fraction
from itertools import combinations, permutations
from math import comb
from pathlib import Path

import numpy as np
import oracle
import pytest

import pycs
from pycs import core
from pycs.errors import InputError
from pycs.information import (
    LEAST_SAMPLES,
    InformedPlay,
    _seen_ranks,
    always_call,
    canonical_sets,
    known_dealer_cards,
    seen_hands,
)
from pycs.rules import rules_from_dict

ROOT = Path(__file__).resolve().parent.parent
ACE_KING = 1114
PAYS = dict(zip(oracle.CATEGORIES, (1, 1, 2, 3, 4, 5, 7, 20, 50, 100), strict=True))
NETS = [-1, 1, 0, -3, *(1 + 2 * pay for pay in PAYS.values())]
WINS = np.array(NETS[4:])
ROUNDS = 19_933_230_517_200
PUBLISHED = json.loads((ROOT / "tests" / "data" / "published.json").read_text(encoding="utf-8"))

VALUES = {
    1: Fraction(-142031221, 2718662100),
    2: Fraction(-2558246932, 415275635775),
    3: Fraction(397558091753, 3322205086200),
    4: Fraction(439218068918, 1245826907325),
    5: Fraction(71185534689, 110740169540),
}
"""By number of known cards; four and five as `scripts/price_information.py` prints them."""


def net_of(counts):
    """The net result of all rounds that the core counted."""
    return sum(
        folded * NETS[0] + failed * NETS[1] + won * win + pushed * NETS[2] + lost * NETS[3]
        for (folded, failed, won, pushed, lost), win in zip(counts, NETS[4:], strict=True)
    )


def cards_left(cards, seed):
    """Different cards, and all others."""
    deck = np.random.default_rng(seed).permutation(52).tolist()
    return deck[:cards], deck[cards:]


# --- sets of cards ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("cards", "classes"), [(1, 13), (2, 169), (3, 1755), (4, 16432), (5, 134459)])
def test_classes_and_weights(cards, classes):
    sets = list(canonical_sets(cards))
    assert len(sets) == classes == oracle.canonical_classes_by_burnside((cards,))
    assert sum(weight for _, weight in sets) == comb(52, cards)
    assert all(len(set(known)) == cards and min(known) >= 0 and max(known) < 52 for known, _ in sets)


@pytest.mark.parametrize("cards", [1, 2, 3])
def test_the_classes_are_every_set_once(cards):
    images = []
    for known, weight in canonical_sets(cards):
        orbit = {frozenset(oracle.relabel(card, suits) for card in known) for suits in permutations(range(4))}
        assert len(orbit) == weight
        images += orbit
    assert len(images) == len(set(images)) == comb(52, cards)


@pytest.mark.parametrize("cards", [4, 5])
def test_some_larger_classes(cards):
    sets = list(canonical_sets(cards))
    for place in np.random.default_rng(cards).integers(0, len(sets), 300).tolist():
        known, weight = sets[place]
        orbit = {frozenset(oracle.relabel(card, suits) for card in known) for suits in permutations(range(4))}
        assert len(orbit) == weight


@pytest.mark.parametrize("cards", [1, 2, 3, 4, 5])
def test_the_suits_have_no_names(cards):
    """The value of a state is the same under all 24 relabelings, so one set may stand for its class."""
    for seed, suits_of in ((1, 4), (2, 2)):
        random = np.random.default_rng(100 * cards + seed)
        deck = [4 * rank + suit for rank in range(13) for suit in range(suits_of)]
        known = random.permutation(deck)[:cards].tolist()
        counts = core.stud_exchange([], known, [], ACE_KING, NETS)
        for suits in permutations(range(4)):
            there = [oracle.relabel(card, suits) for card in known]
            assert core.stud_exchange([], there, [], ACE_KING, NETS) == counts


# --- known cards of the dealer ----------------------------------------------------------------------------------------


def best_net(known, live):
    """Every hand of the player and every completion by their keys, the best of fold and call for each hand."""
    total = rounds = called = 0
    for hand in combinations(live, 5):
        mine = oracle.hand_key(hand)
        rest = [card for card in live if card not in hand]
        call = completions = 0
        for more in combinations(rest, 5 - len(known)):
            his = oracle.hand_key((*known, *more))
            completions += 1
            if not oracle.qualifies(his):
                call += 1
            elif mine != his:
                call += 1 + 2 * PAYS[oracle.category_name(mine)] if mine > his else -3
        total += max(call, -completions)
        called += completions if call > -completions else 0
        rounds += completions
    return total, called, rounds


@pytest.mark.parametrize(("cards", "left"), [(1, 10), (2, 11), (3, 12), (4, 14), (5, 16)])
@pytest.mark.parametrize("seed", [1, 2])
def test_few_cards_left_by_plain_enumeration(cards, left, seed):
    known, others = cards_left(cards, 10 * cards + seed)
    live, dead = others[:left], others[left:]
    counts = core.stud_exchange([], known, dead, ACE_KING, NETS)
    folded = sum(row[0] for row in counts)
    rounds = sum(map(sum, counts))
    assert (net_of(counts), rounds - folded, rounds) == best_net(known, live)


def hands_without(known):
    """Every hand that holds none of these cards: as rows, by strength and by the net result of winning with it."""
    hands = oracle.all_hands()
    hands = hands[~np.isin(hands, known).any(axis=1)]
    strengths = oracle.strengths_of_rows(hands)
    ladder = np.array([key[0] for key in oracle.key_ladder()])
    return hands, strengths, WINS[ladder[strengths - 1]]


LOWEST_QUALIFYING = 1 + [oracle.qualifies(key) for key in oracle.key_ladder()].index(True)


@pytest.mark.parametrize("seed", [1, 2])
def test_all_hands_against_five_known_cards(seed):
    known, _ = cards_left(5, seed)
    _, mine, wins = hands_without(known)
    his = oracle.strength(known)
    call = np.where(mine > his, wins, np.where(mine == his, 0, -3)) if his >= LOWEST_QUALIFYING else np.ones(len(mine))
    counts = core.stud_exchange([], known, [], ACE_KING, NETS)
    assert net_of(counts) == int(np.maximum(call, -1).sum())
    assert sum(map(sum, counts)) == comb(47, 5)


@pytest.mark.parametrize("known", ["AsKd7h2c", "Ts9s8s7s"])
def test_all_hands_against_four_known_cards(known):
    known = oracle.cards(known)
    hands, mine, wins = hands_without(known)
    call = np.zeros(len(hands), np.int64)
    for last in (card for card in range(52) if card not in known):
        his = oracle.strength((*known, last))
        net = np.where(mine > his, wins, np.where(mine == his, 0, -3)) if his >= LOWEST_QUALIFYING else 1
        call += np.where((hands == last).any(axis=1), 0, net)
    counts = core.stud_exchange([], known, [], ACE_KING, NETS)
    assert net_of(counts) == int(np.maximum(call, -43).sum())
    folded = sum(row[0] for row in counts)
    assert folded == 43 * int(np.count_nonzero(call <= -43))


@pytest.fixture(scope="module")
def few():
    """Play with one and with two known cards."""
    return {cards: known_dealer_cards("us", cards, threads=1) for cards in (1, 2)}


def test_one_known_card_is_the_published_game(few):
    play, report = few[1], pycs.report("us")
    assert (play.net, play.rounds) == (PUBLISHED["caribbean_us"]["optimal_net"], ROUNDS) == (report.net, report.deals)
    for figure in ("value", "house_edge", "element_of_risk", "average_bet", "variance", "sd"):
        assert getattr(play, figure) == getattr(report, figure)
    assert play.called == report.actions["call"]
    assert sum(row[3] for row in play.counts) == next(e.combinations for e in report.outcomes if e.event == "push")


@pytest.mark.parametrize("cards", [1, 2])
def test_recorded_values(few, cards):
    play = few[cards]
    assert play.value == VALUES[cards] == -play.house_edge
    assert play.rounds == comb(52, cards) * comb(52 - cards, 5) * comb(47 - cards, 5 - cards)
    assert play.element_of_risk * play.average_bet == play.house_edge


def test_two_known_cards_through_their_ranks(few):
    """By a sum over all 1,326 sets that are no classes, and by the values of single deals for a few of them."""
    total = {}
    for known in combinations(range(52), 2):
        shape = (known[0] // 4, known[1] // 4, known[0] % 4 == known[1] % 4)
        total[shape] = total.get(shape, 0) + 1
    net = 0
    for (low, high, suited), weight in total.items():
        counts = core.stud_exchange([], [4 * low + 3, 4 * high + (3 if suited else 1)], [], ACE_KING, NETS)
        net += weight * net_of(counts)
    assert net == few[2].net


def test_five_known_cards_follow_from_the_sweep(swept):
    """Who knows all calls unless he loses: what calling every hand brings, with the lost calls folded."""
    deals, weights = core.STUD.canonical_deals(np.arange(core.STUD.deals))
    wins = WINS[pycs.ranking.categories(core.rank_hands(deals[:, :5]))]
    failed, won, _, lost = swept.astype(np.int64)
    knows_all = int((weights * (failed + won * wins - lost)).sum())
    assert Fraction(knows_all, ROUNDS) == VALUES[5]
    assert Fraction(int((weights * (failed + won * wins - 3 * lost)).sum()), ROUNDS) == always_call("us").value


def test_more_knowledge_is_worth_more():
    blind = always_call("us")
    assert blind.value == Fraction(PUBLISHED["caribbean_us"]["strategies_net"]["blind (always raise)"], ROUNDS)
    assert blind.called == 1
    assert blind.cards == 0
    assert [blind.value, *VALUES.values()] == sorted([blind.value, *VALUES.values()])


def test_calling_always_is_the_same_whatever_is_known():
    nets = [1 - 2**31, *NETS[1:]]
    net = sum(weight * net_of(core.stud_exchange([], known, [], ACE_KING, nets)) for known, weight in canonical_sets(2))
    assert Fraction(net, comb(52, 2) * comb(50, 5) * comb(45, 3)) == always_call("us").value


def test_threads_do_not_matter(few):
    assert known_dealer_cards("us", 2, threads=3) == few[2]


def test_another_pay_table_and_a_dealer_who_always_qualifies():
    changed = pycs.load_rules("betmgm").to_dict()
    changed["name"], changed["dealer"]["qualifies"] = "open", "any"
    play = known_dealer_cards(rules_from_dict(changed), 1)
    assert play.value == pycs.report(play.rules).value
    assert sum(row[1] for row in play.counts) == 0


def test_what_is_not_counted_is_said():
    assert "the exchange" in known_dealer_cards("three-box", 1).to_dict()["not_counted"]


def test_plain_data(few):
    plain = json.loads(json.dumps(few[2].to_dict()))
    assert plain["value_exact"] == "-2558246932/415275635775"
    assert (plain["profile"], plain["cards"], plain["sets"]) == ("us", 2, 169)
    assert plain["house_edge"] == pytest.approx(0.00616036)
    assert np.sum(plain["counts"]) == plain["rounds"]


# --- hands of others --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def seen():
    """The hands of six others seen."""
    return seen_hands("us", 6, samples=LEAST_SAMPLES, seed=5, threads=1)


def test_an_estimate_by_its_seed_whatever_the_threads(seen):
    assert seen_hands("us", 6, samples=LEAST_SAMPLES, seed=5, threads=3) == seen


def test_another_seed_and_samples_spread_evenly_over_the_upcards(seen):
    other = seen_hands("us", 6, samples=LEAST_SAMPLES + 1, seed=6)
    assert (other.value.samples, other.value.seed) == (LEAST_SAMPLES + 26, 6)
    assert other.value.value != seen.value.value
    spread = np.hypot(other.value.standard_error, seen.value.standard_error)
    assert abs(other.value.value - seen.value.value) < 4 * spread


def test_what_an_estimate_carries(seen):
    assert (seen.value.samples, seen.value.seed) == (LEAST_SAMPLES, 5)
    assert 0 < seen.value.standard_error < 0.001
    assert seen.house_edge.value == -seen.value.value
    bet = 1 + 2 * seen.called.value
    assert seen.element_of_risk.value == pytest.approx(-seen.value.value / bet)
    assert 0 < seen.element_of_risk.standard_error < seen.value.standard_error
    assert seen.value.interval()[0] > VALUES[2]
    plain = json.loads(json.dumps(seen.to_dict()))
    assert plain["value"] == seen.value.to_dict()


def test_the_plain_mean_of_a_sample_agrees(seen):
    """Upcards and dead cards by another generator, without strata and controls; the controls' exact means as well."""
    random, values, blind = np.random.default_rng(11), [], []
    for _ in range(1000):
        deck = random.permutation(52).tolist()
        for nets, means in ((NETS, values), ([1 - 2**31, *NETS[1:]], blind)):
            counts = core.stud_exchange([], deck[:1], deck[1:31], ACE_KING, nets)
            means.append(net_of(counts) / sum(map(sum, counts)))
    error, error_blind = (np.std(means, ddof=1) / np.sqrt(1000) for means in (values, blind))
    assert error > 5 * seen.value.standard_error  # what strata and controls are for
    assert abs(np.mean(values) - seen.value.value) < 4 * error
    assert abs(np.mean(blind) - float(always_call("us").value)) < 4 * error_blind


@pytest.mark.parametrize("up", [0, 5, 11, 12])
@pytest.mark.parametrize("dead", [1, 2, 3])
def test_the_controls_by_ranks_have_mean_zero(up, dead):
    """Over every set of dead cards."""
    others = [card // 4 for card in range(52) if card != 4 * up]
    controls = _seen_ranks(np.array(list(combinations(others, dead)), np.uint8), up)
    assert np.abs(controls.mean(axis=0)).max() < 1e-12
    assert controls.std(axis=0).min() > 0


# --- what cannot be ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cards", [0, 6, -1, True, "2", 2.0, None])
def test_numbers_of_known_cards_that_cannot_be(cards):
    with pytest.raises(InputError, match="known cards of the dealer: 1 to 5 are allowed"):
        known_dealer_cards("us", cards)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"hands": 0}, "0 hands of others: 1 to 6 are allowed"),
        ({"hands": 7}, "7 hands of others"),
        ({"hands": True}, "True hands of others"),
        ({"samples": LEAST_SAMPLES - 1}, f"samples: a whole number from {LEAST_SAMPLES} is allowed"),
        ({"samples": 1e6}, "1000000.0 samples"),
        ({"seed": -1}, "-1 as the seed"),
        ({"seed": None}, "None as the seed"),
        ({"threads": 0}, "0 threads: a whole number from 1 is allowed"),
    ],
)
def test_samples_that_cannot_be(arguments, words):
    with pytest.raises(InputError) as error:
        seen_hands(**{"profile": "us", "hands": 6, "samples": LEAST_SAMPLES, "seed": 1, **arguments})
    assert words in str(error.value)


def test_other_games_are_refused():
    words = "casino-holdem: what information is worth is counted of Caribbean Stud only"
    with pytest.raises(InputError, match=words):
        always_call("casino-holdem")
    with pytest.raises(InputError, match=words):
        known_dealer_cards("casino-holdem", 1)
    with pytest.raises(InputError, match=words):
        seen_hands("casino-holdem", 1, samples=LEAST_SAMPLES, seed=1)


# --- the script -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def script():
    """The script, as a module."""
    spec = importlib.util.spec_from_file_location("price_information", ROOT / "scripts" / "price_information.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["price_information"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["price_information"]


@pytest.fixture
def recorded(script, few, seen, monkeypatch):
    """The script with plays that are here already, for any number of cards or hands."""
    monkeypatch.setattr(script, "known_dealer_cards", lambda _, cards, **__: few[min(cards, 2)])
    monkeypatch.setattr(script, "seen_hands", lambda *_, **__: seen)
    monkeypatch.setattr(script, "by_category", lambda *_: Fraction(-1, 20))
    return script


def test_the_script_prints_all_parts(recorded, capsys):
    assert recorded.main(["--quick"]) == 0
    shown = capsys.readouterr().out
    assert "-5.224306%" in shown
    assert "-142031221/2718662100" in shown
    assert re.search(r"^1 +-5\.22% +-5\.2243% +-0\.0043% +yes", shown, re.MULTILINE)
    assert re.search(r"^2 +-1\.74% +-0\.6160% +\+1\.1240% +NO", shown, re.MULTILINE)
    assert recorded.main(["--quick", "--json", "--only", "dealer"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["known_dealer_cards"][1]["value_exact"] == str(VALUES[2])
    assert "seen_hands" not in document


def test_play_by_category(script):
    """With one known card: what a pair or better brings."""
    pair_or_better = PUBLISHED["caribbean_us"]["strategies_net"]["pair or better"]
    assert script.by_category(pycs.load_rules("us"), 1, 1) == Fraction(pair_or_better, ROUNDS)


def test_variants(script, few):
    play = few[1]
    changed = play.rules.to_dict()
    changed["name"], changed["pays"]["royal_flush"] = "no-royal", changed["pays"]["straight_flush"]
    assert script.royal_as_straight_flush(play) == known_dealer_cards(rules_from_dict(changed), 1).value
    small = InformedPlay(play.rules, 5, 1, ((1, 2, 3, 4, 0), *[(0,) * 5] * 9))
    assert script.ties_folded(small) == small.value - Fraction(4, 10)


def test_the_page_shows_the_recorded_values():
    page = (ROOT / "docs" / "information.md").read_text(encoding="utf-8")
    for value in VALUES.values():
        assert f"{value}" in page
        assert f"{100 * float(value):+.6f}%" in page
