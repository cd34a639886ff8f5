"""Strengths and categories."""

import holdem_oracle
import oracle
import pytest

from pycs.cards import format_cards
from pycs.errors import InputError
from pycs.game_rules import LOWEST_QUALIFYING
from pycs.ranking import CATEGORIES_UP, category, qualifying_strength, rank_hand, strengths_of


def test_every_class_has_the_category_of_its_hands():
    keys = oracle.key_ladder()
    assert [category(strength) for strength in range(1, 7463)] == [oracle.category_name(key) for key in keys]


def test_categories_lead_back_to_their_strengths():
    ranges = [strengths_of(name) for name in CATEGORIES_UP]
    assert [strength for each in ranges for strength in each] == list(range(1, 7463))
    for name, each in zip(CATEGORIES_UP, ranges, strict=True):
        assert {category(strength) for strength in each} == {name}


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
