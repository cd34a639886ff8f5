"""The compiled core against the obvious roads: sweep, count and walk against each other and against the oracle."""

from concurrent.futures import ThreadPoolExecutor
from itertools import permutations

import numpy as np
import oracle
import pytest

import pycs
from pycs import core
from pycs.cards import format_cards, parse_cards
from pycs.core import COMPLETIONS, DEALS, STRENGTHS
from pycs.errors import InputError

QUALIFYING = {"any": 1, "ace-king": 1114, "pair of aces": 3918, "only a royal flush": 7462}


def raw(deals):
    return [([int(card) for card in deal[:5]], int(deal[5])) for deal in deals]


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
    with pytest.raises(InputError, match="indices that make no array"):
        core.canonical_deals([[1], [1, 2]])


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


def test_index_and_deal_turn_into_each_other():
    indices = np.arange(DEALS, dtype=np.uint32)
    deals, weights = core.canonical_deals(indices)
    assert np.array_equal(core.deal_indices(deals), indices)
    assert int(weights.sum(dtype=np.int64)) == 122_151_120


def test_a_deal_keeps_its_index_under_every_relabeling_and_order(random_deals, extreme_deals):
    deals = np.concatenate([random_deals, extreme_deals])
    indices = core.deal_indices(deals)
    for relabeled in permutations(range(4)):
        images = deals // 4 * 4 + np.array(relabeled, np.uint8)[deals % 4]
        images[:, :5] = np.random.default_rng(1).permuted(images[:, :5], axis=1)
        assert np.array_equal(core.deal_indices(images), indices)


def test_weights_are_the_sizes_of_the_orbits(random_deals, extreme_deals):
    deals, weights = core.canonical_deals(core.deal_indices(np.concatenate([random_deals, extreme_deals])))
    assert [len(oracle.orbit(hand, up)) for hand, up in raw(deals)] == weights.tolist()


def test_there_are_as_many_indices_as_classes():
    assert oracle.canonical_classes_by_burnside((5, 1)) == DEALS
    assert oracle.canonical_classes_by_burnside((5,)) == core.HANDS


def test_one_deal_alone_has_the_index_it_has_among_many(random_deals):
    assert [core.deal_index(deal.tolist()) for deal in random_deals[:200]] == core.deal_indices(
        random_deals[:200]
    ).tolist()


@pytest.mark.parametrize(
    "deal",
    [
        [0, 1, 2, 3, 4],
        [0, 1, 2, 3, 4, 52],
        [0, 1, 2, 3, 4, 0],
        [0, 1, 2, 3, 4, 300],
        [-1] * 6,
        5,
        10**12,
        None,
        "abcdef",
        [1.0] * 6,
    ],
)
def test_a_deal_that_cannot_be_has_no_index(deal):
    with pytest.raises(InputError):
        core.deal_index(deal)
    with pytest.raises(InputError):
        core.deal_indices([deal] if isinstance(deal, list) else deal)


@pytest.mark.parametrize("indices", [[DEALS], [-1], [0.5], [[0]], ["0"]])
def test_an_index_that_cannot_be_has_no_deal(indices):
    with pytest.raises(InputError):
        core.canonical_deals(np.array(indices))


# --- counts: three roads ----------------------------------------------------------------------------------------------


def test_sweep_and_count_agree_with_the_walk(swept, ace_king, random_deals, extreme_deals):
    deals = np.concatenate([random_deals, extreme_deals])
    assert len(random_deals) >= 2000
    indices = core.deal_indices(deals)
    walked = core.stud_walk(deals, ace_king)
    assert np.array_equal(np.stack(walked), np.stack(core.stud_count(deals, ace_king)))
    assert np.array_equal(np.stack(walked), np.stack(swept)[:, indices])


@pytest.mark.parametrize("qualify", QUALIFYING.values(), ids=QUALIFYING.keys())
def test_the_roads_agree_whatever_qualifies(qualify, random_deals, extreme_deals):
    deals = np.concatenate([random_deals[:100], extreme_deals])
    walked = np.stack(core.stud_walk(deals, qualify))
    assert np.array_equal(walked, np.stack(core.stud_count(deals, qualify)))
    assert np.array_equal(walked, np.stack(core.stud_sweep(qualify))[:, core.deal_indices(deals)])
    assert (walked.sum(axis=0) == COMPLETIONS).all()


def test_the_walk_agrees_with_the_oracle(ace_king, random_deals, extreme_deals):
    deals = np.concatenate([random_deals[:60], extreme_deals[:30]])
    walked = core.stud_walk(deals, ace_king)
    for row, (hand, up) in enumerate(raw(deals)):
        expected = oracle.count_outcomes(hand, up)
        assert {name: int(count[row]) for name, count in walked._asdict().items()} == expected, format_cards(
            [*hand, up]
        )


def test_a_deal_has_the_same_counts_under_all_relabelings(ace_king, extreme_deals):
    deals = extreme_deals[::3]
    walked = np.stack(core.stud_walk(deals, ace_king))
    for relabeled in permutations(range(4)):
        images = deals // 4 * 4 + np.array(relabeled, np.uint8)[deals % 4]
        assert np.array_equal(np.stack(core.stud_walk(images, ace_king)), walked)
        assert np.array_equal(np.stack(core.stud_count(images, ace_king)), walked)


def test_all_counts_of_the_game_add_up(swept):
    assert (np.stack(swept).sum(axis=0) == COMPLETIONS).all()


def test_threads_share_the_core(swept, ace_king, random_deals):
    deals = random_deals[:400]
    expected = np.stack(swept)[:, core.deal_indices(deals)]
    with ThreadPoolExecutor(8) as pool:
        jobs = [pool.submit(core.stud_walk, deals, ace_king) for _ in range(8)]
        sweeps = [pool.submit(core.stud_sweep, ace_king) for _ in range(2)]
        assert all(np.array_equal(np.stack(job.result()), expected) for job in jobs)
        assert all(np.array_equal(np.stack(job.result()), np.stack(swept)) for job in sweeps)


@pytest.mark.parametrize("qualify", [0, -1, 7463, 1 << 20, 1.5, None, "a"])
@pytest.mark.parametrize("road", [core.stud_walk, core.stud_count])
def test_a_strength_that_cannot_be_qualifies_nobody(road, qualify):
    with pytest.raises(InputError, match="1 to 7462"):
        road([[0, 1, 2, 3, 4, 5]], qualify)
    with pytest.raises(InputError, match="1 to 7462"):
        core.stud_sweep(qualify)


@pytest.mark.parametrize("road", [core.stud_walk, core.stud_count])
def test_deals_that_cannot_be_are_not_counted(road):
    with pytest.raises(InputError, match="row 1: 6c is twice"):
        road([[0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 16, 16]], 1114)
    with pytest.raises(InputError, match="0 to 51"):
        road([[0, 1, 2, 3, 4, 77]], 1114)
