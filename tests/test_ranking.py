"""Strengths, categories, and how often each category comes."""

import json
from itertools import combinations
from math import comb
from pathlib import Path

import holdem_oracle
import numpy as np
import oracle
import pytest

from pycs.cards import format_cards
from pycs.core import rank_hands
from pycs.errors import InputError
from pycs.game_rules import LOWEST_QUALIFYING
from pycs.ranking import CATEGORIES_UP, categories, category, qualifying_strength, rank_hand, strengths_of

PUBLISHED = json.loads((Path(__file__).parent / "data" / "published.json").read_text())["frequencies"]


def test_every_class_has_the_category_of_its_hands():
    keys = oracle.key_ladder()
    assert [category(strength) for strength in range(1, 7463)] == [oracle.category_name(key) for key in keys]


def test_categories_lead_back_to_their_strengths():
    ranges = [strengths_of(name) for name in CATEGORIES_UP]
    assert [strength for each in ranges for strength in each] == list(range(1, 7463))
    for name, each in zip(CATEGORIES_UP, ranges, strict=True):
        assert {category(strength) for strength in each} == {name}


def frequencies(cards_each):
    """Of all hands of so many cards, how many are of each category: one batch for each pair of lowest cards."""
    # Sets of the higher cards in the order of their highest: those of the first n cards are the first C(n, k).
    higher = np.array(sorted(combinations(range(50), cards_each - 2), key=lambda cards: cards[::-1]), np.uint8)
    counts = np.zeros(7463, np.int64)
    for low in range(51):
        for second in range(low + 1, 52):
            size = comb(51 - second, cards_each - 2)
            hands = np.empty((size, cards_each), np.uint8)
            hands[:, :2] = low, second
            hands[:, 2:] = higher[:size] + np.uint8(second + 1)
            counts += np.bincount(rank_hands(hands), minlength=len(counts))
    by_category = np.bincount(categories(range(1, 7463)), counts[1:]).astype(np.int64)  # floats hold such sums exactly
    return dict(zip(CATEGORIES_UP, by_category.tolist(), strict=True))


@pytest.mark.parametrize("cards_each", [5, 6, 7])
def test_frequencies_of_all_hands(cards_each):
    assert frequencies(cards_each) == dict(zip(PUBLISHED["order"], PUBLISHED[str(cards_each)], strict=True))


@pytest.mark.parametrize("name", LOWEST_QUALIFYING)
def test_the_qualifying_strength_is_the_lowest_that_qualifies(name):
    strength = qualifying_strength(name)
    if name == "any":
        assert strength == 1
        return
    below, at = oracle.key_ladder()[strength - 2], oracle.key_ladder()[strength - 1]
    kind, ranks = name.rsplit("-", 1)[-1], oracle.hand_key(oracle.cards(LOWEST_QUALIFYING[name]))
    assert at == ranks
    assert below < at
    if name == "ace-king":
        assert oracle.qualifies(at)
        assert not oracle.qualifies(below)
    elif name == "pair-of-twos":
        assert oracle.category_name(below) == "high card"
    elif kind in ("threes", "fours", "kings", "aces"):
        assert below[0] == at[0]
        assert below[1] == at[1] - 1


@pytest.mark.parametrize(("name", "lowest"), [("pair-of-fours", "pair of fours"), ("any", "any")])
def test_the_best_five_of_seven_qualify_as_the_oracle_has_them(name, lowest):
    """Hands around the lowest that qualifies in Casino Hold'em, and the board's part in them."""
    near = [
        *("4c4d2h3s5cThJh", "4c4d2h3s7cThJh", "3c3d2h4s7cThJh", "3c3dAhKs7cThJh", "AcKdQh9s7c3h2h", "AcKdQhJs7c5h3h"),
        *("2c2d3h3sAcThJh", "2c2d2hKs7cThJh", "Ac2d3h4s5cThJh", "2c4c7cTcKc3h8h", "3c3dAhKsQcJh9h", "4c4d3h3s2h2dAs"),
    ]
    mine = oracle.best_key(oracle.cards("AsKsQsJsTs"))
    for dealer in near:
        fails = holdem_oracle.outcome(mine, oracle.best_key(oracle.cards(dealer)), lowest) == "not_qualified"
        assert (rank_hand(dealer) < qualifying_strength(name)) is fails, dealer


def test_ranks_alone_decide_where_suits_make_no_flush():
    assert rank_hand("KhKs9d5c2s") == rank_hand("KcKd9h5h2d")


def test_a_hand_of_another_size_is_refused():
    with pytest.raises(InputError, match="4 cards came"):
        rank_hand("AsKsQsJs")
    with pytest.raises(InputError, match="8 cards came"):
        rank_hand(format_cards(range(8)))


@pytest.mark.parametrize("strength", [0, 7463, -1])
def test_no_such_strength(strength):
    with pytest.raises(InputError, match="1 to 7462"):
        category(strength)


def test_no_such_category():
    with pytest.raises(InputError, match="royal flush"):
        strengths_of("flash")
