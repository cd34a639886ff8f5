"""The last exchange of every deal: against single exchanges, deal by deal, and what must hold of a whole rank."""

import threading
from itertools import permutations
from math import comb

import numpy as np
import oracle
import pytest
from long_tests import long

import pycs
from pycs import core
from pycs.core import LARGEST_NET, NEVER_FOLDED, STUD
from pycs.errors import InputError

ACE_KING = 1114
NETS = [-1, 1, 0, -3, 3, 3, 5, 7, 9, 11, 15, 41, 101, 201]
PAIRS = comb(46, 5) * comb(41, 4)
OF_A_RANK = STUD.deals // 13
COUNTED = [
    ("AsKhJd8c3s", "Qc", -177310844202),
    ("7c5d4h3s2c", "2d", -116639809492),
    ("QsQh9d6c2h", "Ad", -158066299662),
]
"""Counted card by card, with the fee of one ante."""


def swept_rank(rank, qualify, nets):
    """Totals and called of one rank of upcard; what is not of that rank is as it was."""
    untouched = -(2**63) + 5
    totals, called = (np.full(STUD.deals, untouched, np.int64) for _ in range(2))
    core._sweep_exchange(rank, qualify, nets, totals, called)
    written = totals != untouched
    assert written.sum() == OF_A_RANK
    assert (written == (called != untouched)).all()
    return totals, called


def single(deal, qualify, nets):
    """Total and called of one deal, by the road of a single exchange."""
    counts = core.stud_exchange([], deal[5:], deal[:5], qualify, nets)
    total = sum(
        folded * nets[0] + failed * nets[1] + won * win + pushed * nets[2] + lost * nets[3]
        for (folded, failed, won, pushed, lost), win in zip(counts, nets[4:], strict=True)
    )
    return total, sum(sum(row[1:]) for row in counts)


def compare(deals, swept, qualify, nets):
    """Each of these deals, in the table and by itself."""
    for deal in deals:
        index = STUD.index(deal)
        assert tuple(int(column[index]) for column in swept) == single(deal, qualify, nets), deal


def random_deals(rank, number):
    """Deals with an upcard of a rank; the hands are of one to four suits, so that some are all of the upcard's."""
    random = np.random.default_rng(100 * rank + number)
    deals = []
    while len(deals) < number:
        suits = random.permutation(4)[: 1 + len(deals) % 4]
        up = 4 * rank + int(random.integers(4))
        deck = [4 * of + int(suit) for of in range(13) for suit in suits if 4 * of + suit != up]
        deals.append([*random.permutation(deck)[:5].tolist(), up])
    return deals


def with_every_suit(hands, rank):
    """Each of the hands against each card of a rank that it does not hold."""
    ups = range(4 * rank, 4 * rank + 4)
    return [[*hand, up] for hand in hands for up in ups if up not in hand]


@pytest.mark.parametrize("rank", [long(0), long(10), 12])
def test_against_single_exchanges(rank, extreme_deals):
    """Random deals, hands at the edges, the same deal by other suit names, and what was counted card by card."""
    swept = swept_rank(rank, ACE_KING, NETS)
    compare(random_deals(rank, 140), swept, ACE_KING, NETS)
    hands = {tuple(sorted(deal[:5])) for deal in extreme_deals.tolist()}
    compare(with_every_suit(sorted(hands), rank), swept, ACE_KING, NETS)
    for deal in ("KsJsTs9s3d", "8s7s6s5s4s", "9s9h5d5c3s"):
        cards = [*oracle.cards(deal), 4 * rank + 3]
        names = ([oracle.relabel(card, suits) for card in cards] for suits in permutations(range(4)))
        compare(names, swept, ACE_KING, NETS)
    for hand, up, total in COUNTED:
        deal = oracle.cards(hand) + oracle.cards(up)
        if deal[5] // 4 == rank:
            assert swept[0][STUD.index(deal)] - PAIRS == total


@pytest.mark.parametrize(
    ("rank", "qualify", "nets"),
    [
        long(3, 2598, NETS, id="a pair of eights qualifies"),
        pytest.param(2, 1, NETS, id="any hand qualifies"),
        pytest.param(5, ACE_KING, [*NETS[:9], -5, *NETS[10:12], -6, -7], id="flushes are folded"),
        long(8, 3000, [0, 0, 1, -1, *[0] * 10], id="only a push pays"),
        long(1, ACE_KING, [LARGEST_NET // 201 * net for net in NETS], id="large nets, counted in two runs"),
        long(11, 6500, [2, *NETS[1:]], id="a fold pays, a flush qualifies"),
    ],
)
def test_other_rules_against_single_exchanges(rank, qualify, nets):
    compare(random_deals(rank, 60), swept_rank(rank, qualify, nets), qualify, nets)


def test_called_always_it_is_the_base_game(swept):
    """If no new hand is folded, an exchange brings on the mean what the first hand does."""
    rank = 6
    deals, weights = STUD.canonical_deals(np.arange(STUD.deals))
    here = deals[:, 5] // 4 == rank
    category = pycs.ranking.categories(core.rank_hands(deals[here, :5]))
    failed, won, _, lost = (column[here].astype(np.int64) for column in swept)
    call = failed + won * np.array(NETS[4:])[category] - 3 * lost
    totals, called = swept_rank(rank, ACE_KING, [NEVER_FOLDED, *NETS[1:]])
    assert (called[here] == PAIRS).all()
    first = sum(weight * total for weight, total in zip(weights[here].tolist(), call.tolist(), strict=True))
    new = sum(weight * total for weight, total in zip(weights[here].tolist(), totals[here].tolist(), strict=True))
    assert new * STUD.completions == first * PAIRS


# --- the door ---------------------------------------------------------------------------------------------------------


def test_every_rank_is_swept_once(monkeypatch):
    """The ranks themselves are tested above: here each only tells that it was asked for."""
    asked, told, main = [], [], threading.get_ident()

    def sweep(rank, qualify, nets, totals, called):
        asked.append((rank, qualify, nets))
        totals[rank], called[rank] = 10 + rank, 20 + rank

    def progress():
        told.append(threading.get_ident())

    monkeypatch.setattr(core, "_sweep_exchange", sweep)
    totals, called = core.stud_exchange_sweep(ACE_KING, tuple(NETS), progress=progress)
    assert sorted(asked) == [(rank, ACE_KING, NETS) for rank in range(13)]
    assert told == [main] * 13
    assert (totals.shape, called.shape, totals.dtype, called.dtype) == (
        (STUD.deals,),
        (STUD.deals,),
        np.int64,
        np.int64,
    )
    assert totals[:13].tolist() == list(range(10, 23))
    assert called[:13].tolist() == list(range(20, 33))


def test_without_memory(monkeypatch):
    class Library:
        @staticmethod
        def pycs_stud_exchange_sweep(*_):
            return -1

    monkeypatch.setattr(core, "lib", Library)
    with pytest.raises(MemoryError, match="no memory for the exchange of every deal"):
        core.stud_exchange_sweep(ACE_KING, NETS)


@pytest.mark.parametrize(
    ("qualify", "nets", "words"),
    [
        (0, NETS, "a qualifying strength of 0"),
        (7463, NETS, "a qualifying strength of 7463"),
        (ACE_KING, NETS[1:], "13 net results: 14 are needed"),
        (ACE_KING, [*NETS[:13], LARGEST_NET + 1], "a net result of 16,000,001"),
        (ACE_KING, [-1, -LARGEST_NET - 1, *NETS[2:]], "a net result of -16,000,001"),
        (ACE_KING, [LARGEST_NET + 1, *NETS[1:]], "a net result of 16,000,001"),
        (ACE_KING, [NEVER_FOLDED - 1, *NETS[1:]], "a net result of -2,147,483,648"),
    ],
)
def test_what_cannot_be_is_refused(qualify, nets, words):
    with pytest.raises(InputError, match=words):
        core.stud_exchange_sweep(qualify, nets)
