"""The compiled core against the obvious roads: sweep, count and walk against each other and against the oracles."""

from concurrent.futures import ThreadPoolExecutor
from itertools import permutations
from typing import NamedTuple

import holdem_oracle
import numpy as np
import oracle
import pytest
from numpy.typing import NDArray

import pycs
from pycs import core
from pycs.cards import format_cards, parse_cards
from pycs.core import HOLDEM, STRENGTHS, STUD, Kernel
from pycs.errors import InputError
from pycs.games import CARIBBEAN_STUD, CASINO_HOLDEM

QUALIFYING = {"any": 1, "ace-king": 1114, "pair of aces": 3918, "only a royal flush": 7462}
LOWEST_KEYS = {"any": (), "ace-king": (0, 12, 11), "pair of aces": (1, 12), "only a royal flush": (9, 12)}


class Sample(NamedTuple):
    kernel: Kernel
    random: NDArray[np.uint8]
    extremes: NDArray[np.uint8]
    qualify: int
    swept: NDArray[np.uint32]

    @property
    def deals(self):
        return np.concatenate([self.random, self.extremes])


FIXTURES = {
    STUD: ("random_deals", "extreme_deals", "ace_king", "swept"),
    HOLDEM: ("holdem_random", "holdem_extremes", "pair_of_fours", "holdem_swept"),
}
of_both_games = pytest.mark.parametrize("kernel", FIXTURES, ids=lambda kernel: kernel.name)


@pytest.fixture(params=FIXTURES, ids=lambda kernel: kernel.name)
def sample(request):
    return Sample(request.param, *map(request.getfixturevalue, FIXTURES[request.param]))


def raw(kernel, deals):
    return [(deal[: kernel.hand], deal[kernel.hand :]) for deal in deals.tolist()]


def images(deals):
    """The deals under each of the 24 relabelings of the suits."""
    for relabeled in permutations(range(4)):
        yield deals // 4 * 4 + np.array(relabeled, np.uint8)[deals % 4]


def stud_by_oracle(hand, seen):
    counts = oracle.count_outcomes(hand, *seen)
    return [counts[outcome] for outcome in CARIBBEAN_STUD.outcomes]


def holdem_by_oracle(hand, seen, lowest="pair of fours"):
    counts = holdem_oracle.count_outcomes(hand, seen, lowest)
    for end in ("not_qualified", "win"):
        counts |= {f"{end}_{line.replace(' ', '_')}": count for line, count in counts[end].items()}
    return [counts[outcome] for outcome in CASINO_HOLDEM.outcomes]


def test_the_version_is_the_packages():
    assert core.version() == pycs.__version__


# --- ranking ----------------------------------------------------------------------------------------------------------


def test_every_five_card_hand_ranks_as_the_oracle_has_it():
    strengths = core.rank_hands(oracle.all_hands())
    assert np.array_equal(strengths, oracle.strengths_of_all_hands())
    assert len(np.unique(strengths)) == STRENGTHS


@pytest.mark.parametrize("cards_each", [6, 7])
def test_more_cards_rank_as_their_best_five(cards_each):
    random = np.random.default_rng(cards_each)
    hands = np.stack([random.permutation(52)[:cards_each] for _ in range(3000)]).astype(np.uint8)
    # Few random hands hold a flush, fewer a straight flush: half of the sample is dealt from two suits.
    hands[::2] = np.stack([random.permutation(26)[:cards_each] // 2 * 4 + random.integers(0, 2) for _ in range(1500)])
    distinct = np.array([len(set(hand.tolist())) == cards_each for hand in hands])
    hands = hands[distinct]
    ladder = {key: strength for strength, key in enumerate(oracle.key_ladder(), 1)}
    assert core.rank_hands(hands).tolist() == [ladder[oracle.best_key(hand.tolist())] for hand in hands]


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.uint16, np.int32, np.int64])
def test_any_whole_numbers_in_any_layout_are_taken(dtype):
    hands = np.array([parse_cards("AsKsQsJsTs"), parse_cards("7c5d4h3s2c")], dtype)
    for layout in (hands, np.asfortranarray(hands), np.repeat(hands, 2, axis=0)[::2], hands[::-1][::-1]):
        assert core.rank_hands(layout).tolist() == [7462, 1]
    read_only = hands.copy()
    read_only.flags.writeable = False
    assert core.rank_hands(read_only).tolist() == [7462, 1]


def test_no_hands_have_no_strengths():
    assert core.rank_hands(np.empty((0, 7), np.uint8)).tolist() == []


@pytest.mark.parametrize(
    ("hands", "words"),
    [
        ([[0, 1, 2, 3]], "(1, 4)"),
        ([0, 1, 2, 3, 4], "(5,)"),
        ([[0.0, 1, 2, 3, 4]], "float64"),
        ([[True, False, True, True, False]], "bool"),
        ([["As", "Kd", "Qh", "Jc", "Ts"]], "whole numbers"),
        (np.ma.masked_array([[0, 1, 2, 3, 4]], mask=[[1, 0, 0, 0, 0]]), "masked"),
        ([[0, 1, 2, 3, 52]], "0 to 51"),
        ([[0, 1, 2, 3, -1]], "from -1"),
        ([[0, 1, 2, 3, 256]], "256"),
        ([[0, 1, 2, 3, 4], [0, 1, 2, 3, 0]], "row 1: 2c is twice"),
    ],
)
def test_hands_that_cannot_be_are_refused(hands, words):
    with pytest.raises(InputError) as error:
        core.rank_hands(hands if isinstance(hands, np.ma.MaskedArray) else np.array(hands))
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_rows_of_different_length_are_refused():
    with pytest.raises(InputError, match="hands that make no array"):
        core.rank_hands([[1, 2, 3, 4, 5], [1, 2]])
    for kernel in (STUD, HOLDEM):
        with pytest.raises(InputError, match="deals that make no array"):
            kernel.indices([[1, 2, 3, 4, 5], [1, 2]])
        with pytest.raises(InputError, match="indices that make no array"):
            kernel.canonical_deals([[1], [1, 2]])


@pytest.mark.parametrize("cards_each", [5, 6, 7])
@pytest.mark.parametrize("row", [0, 7, 15, 16, 31, 40, 63, 99])
@pytest.mark.parametrize("fault", ["no card", "twice"])
def test_a_bad_hand_is_found_wherever_it_stands(cards_each, row, fault):
    random = np.random.default_rng(row)
    hands = np.stack([random.permutation(52)[:cards_each] for _ in range(100)]).astype(np.uint8)
    hands[row, cards_each - 1] = 52 if fault == "no card" else hands[row, 0]
    with pytest.raises(InputError, match=rf"^row {row}\b"):
        core.rank_hands(hands)


# --- the canonical index ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kernel", "raw_deals"), [(STUD, 122_151_120), (HOLDEM, 25_989_600)], ids=lambda each: getattr(each, "name", "")
)
def test_index_and_deal_turn_into_each_other(kernel, raw_deals):
    indices = np.arange(kernel.deals, dtype=np.uint32)
    deals, weights = kernel.canonical_deals(indices)
    assert np.array_equal(kernel.indices(deals), indices)
    assert int(weights.sum(dtype=np.int64)) == raw_deals


def test_a_deal_keeps_its_index_under_every_relabeling_and_order(sample):
    random, hand = np.random.default_rng(1), sample.kernel.hand
    indices = sample.kernel.indices(sample.deals)
    for image in images(sample.deals):
        for group in (image[:, :hand], image[:, hand:]):
            random.permuted(group, axis=1, out=group)
        assert np.array_equal(sample.kernel.indices(image), indices)


@pytest.mark.parametrize(
    ("sample", "orbit"),
    [(STUD, lambda hand, seen: oracle.orbit(hand, *seen)), (HOLDEM, holdem_oracle.orbit)],
    indirect=["sample"],
    ids=["stud", "holdem"],
)
def test_weights_are_the_sizes_of_the_orbits(sample, orbit):
    deals, weights = sample.kernel.canonical_deals(sample.kernel.indices(sample.deals))
    orbits = [orbit(*each) for each in raw(sample.kernel, deals)]
    assert [len(each) for each in orbits] == weights.tolist()
    asked = [orbit(*each) for each in raw(sample.kernel, sample.deals)]
    assert asked == orbits


@pytest.mark.parametrize(
    ("kernel", "parts", "together"),
    [(STUD, (5, 1), slice(5)), (HOLDEM, (2, 3), slice(2, 5))],
    ids=["stud", "holdem"],
)
def test_there_are_as_many_indices_as_classes(kernel, parts, together):
    """Counted by Burnside's lemma; so are the hands (of Casino Hold'em the flops), and each stands together."""
    assert oracle.canonical_classes_by_burnside(parts) == kernel.deals
    deals, _ = kernel.canonical_deals(np.arange(kernel.deals))
    groups = deals[:, together]
    runs = 1 + np.count_nonzero((groups[1:] != groups[:-1]).any(axis=1))
    assert runs == oracle.canonical_classes_by_burnside((groups.shape[1],))


def test_one_deal_alone_has_the_index_it_has_among_many(sample):
    deals = sample.random[:200]
    assert [sample.kernel.index(deal.tolist()) for deal in deals] == sample.kernel.indices(deals).tolist()


@of_both_games
@pytest.mark.parametrize(
    "deal",
    [
        lambda width: [*range(width - 1)],
        lambda width: [*range(width + 1)],
        lambda width: [*range(width - 1), 52],
        lambda width: [*range(width - 1), 300],
        lambda width: [*range(width - 1), 0],
        lambda width: [0, *range(width - 1)],
        lambda width: [*range(width - 1), width - 2],
        lambda width: [-1] * width,
        lambda _: 5,
        lambda _: 10**12,
        lambda _: None,
        lambda width: "abcdef"[:width],
        lambda width: [1.0] * width,
    ],
)
def test_a_deal_that_cannot_be_has_no_index(kernel, deal):
    cannot_be = deal(kernel.hand + kernel.seen)
    with pytest.raises(InputError):
        kernel.index(cannot_be)
    with pytest.raises(InputError):
        kernel.indices([cannot_be] if isinstance(cannot_be, list) else cannot_be)


@of_both_games
@pytest.mark.parametrize("index", [lambda deals: deals, lambda _: -1, lambda _: 0.5, lambda _: [0], lambda _: "0"])
def test_an_index_that_cannot_be_has_no_deal(kernel, index):
    with pytest.raises(InputError):
        kernel.canonical_deals(np.array([index(kernel.deals)]))


# --- counts: three roads ----------------------------------------------------------------------------------------------


def test_sweep_and_count_agree_with_the_walk(sample):
    kernel, deals = sample.kernel, sample.deals
    assert len(sample.random) >= 2000
    walked = kernel.walk(deals, sample.qualify)
    assert walked.shape == (kernel.outcomes, len(deals))
    assert np.array_equal(walked, kernel.count(deals, sample.qualify))
    assert np.array_equal(walked, sample.swept[:, kernel.indices(deals)])


@pytest.mark.parametrize("qualify", QUALIFYING.values(), ids=QUALIFYING.keys())
def test_the_roads_agree_whatever_qualifies(sample, qualify):
    kernel, deals = sample.kernel, np.concatenate([sample.random[:100], sample.extremes])
    walked = kernel.walk(deals, qualify)
    assert np.array_equal(walked, kernel.count(deals, qualify))
    assert np.array_equal(walked, kernel.sweep(qualify)[:, kernel.indices(deals)])
    assert (walked.sum(axis=0) == kernel.completions).all()


def test_the_walk_agrees_with_the_oracle(ace_king, random_deals, extreme_deals):
    deals = np.concatenate([random_deals[:60], extreme_deals[:30]])
    walked = STUD.walk(deals, ace_king)
    for row, (hand, up) in enumerate(raw(STUD, deals)):
        assert walked[:, row].tolist() == stud_by_oracle(hand, up), format_cards(hand + up)


def test_the_walk_of_casino_holdem_agrees_with_the_oracle(pair_of_fours, holdem_random, holdem_extremes):
    deals = np.concatenate([holdem_random[:4], holdem_extremes[:52:2]])
    walked = HOLDEM.walk(deals, pair_of_fours)
    for row, (hole, flop) in enumerate(raw(HOLDEM, deals)):
        assert walked[:, row].tolist() == holdem_by_oracle(hole, flop), format_cards(hole + flop)


@pytest.mark.parametrize(("row", "name"), [*enumerate(QUALIFYING)])
def test_the_walk_of_casino_holdem_agrees_with_the_oracle_whatever_qualifies(row, name, holdem_random):
    deal = holdem_random[row].tolist()
    walked = HOLDEM.walk([deal], QUALIFYING[name])
    assert walked[:, 0].tolist() == holdem_by_oracle(deal[:2], deal[2:], LOWEST_KEYS[name]), format_cards(deal)


def test_a_deal_has_the_same_counts_under_all_relabelings(sample):
    deals = sample.extremes[::3]
    walked = sample.kernel.walk(deals, sample.qualify)
    for image in images(deals):
        assert np.array_equal(sample.kernel.walk(image, sample.qualify), walked)
        assert np.array_equal(sample.kernel.count(image, sample.qualify), walked)


@pytest.mark.parametrize(
    ("sample", "completions"), [(STUD, 163_185), (HOLDEM, 1_070_190)], indirect=["sample"], ids=["stud", "holdem"]
)
def test_all_counts_of_the_game_add_up(sample, completions):
    assert sample.kernel.completions == completions
    assert sample.swept.shape == (sample.kernel.outcomes, sample.kernel.deals)
    assert (sample.swept.sum(axis=0) == completions).all()


@of_both_games
def test_both_sides_win_equally_often_if_any_hand_qualifies(kernel):
    """Over the whole game: what one side holds, the other does as often."""
    counts = kernel.sweep(1).astype(np.int64)
    _, weights = kernel.canonical_deals(np.arange(kernel.deals))
    *wins, _, losses = (counts * weights).sum(axis=1).tolist()
    assert sum(wins) == losses > 0
    assert not counts[: len(wins) // 2].any()


def test_threads_share_the_core(sample):
    kernel, deals = sample.kernel, sample.random[:100]
    expected = sample.swept[:, kernel.indices(deals)]
    with ThreadPoolExecutor(8) as pool:
        jobs = [pool.submit(road, deals, sample.qualify) for road in (kernel.walk, kernel.count) for _ in range(6)]
        sweeps = [pool.submit(kernel.sweep, sample.qualify) for _ in range(2)]
        assert all(np.array_equal(job.result(), expected) for job in jobs)
        assert all(np.array_equal(job.result(), sample.swept) for job in sweeps)


@of_both_games
@pytest.mark.parametrize("qualify", [0, -1, 7463, 1 << 20, 1.5, None, "a"])
def test_a_strength_that_cannot_be_qualifies_nobody(kernel, qualify):
    for road in (kernel.walk, kernel.count):
        with pytest.raises(InputError, match="1 to 7462"):
            road([[*range(kernel.hand + kernel.seen)]], qualify)
    with pytest.raises(InputError, match="1 to 7462"):
        kernel.sweep(qualify)


@of_both_games
@pytest.mark.parametrize("road", ["walk", "count"])
def test_deals_that_cannot_be_are_not_counted(kernel, road):
    count, first = getattr(kernel, road), [*range(kernel.hand + kernel.seen)]
    with pytest.raises(InputError, match="row 1: 6c is twice"):
        count([first, [*first[:-2], 16, 16]], 1114)
    with pytest.raises(InputError, match="row 0: 2c is twice"):
        count([[*first[:-1], 0]], 1114)
    with pytest.raises(InputError, match="0 to 51"):
        count([[*first[:-1], 77]], 1114)
    with pytest.raises(InputError, match=rf"\(n, {len(first)}\) is needed"):
        count([first[:-1]], 1114)
    assert count(np.empty((0, len(first)), np.uint8), 1114).shape == (kernel.outcomes, 0)
