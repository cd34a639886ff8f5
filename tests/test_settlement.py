"""Finished rounds, settled to the ante: every profile's pays, ties, the dealer who fails, bad input."""

import oracle
import pytest

import pycs
from pycs.cards import format_cards
from pycs.errors import InputError
from pycs.rules import load_rules

# A hand of each category that beats a pair of threes, which qualifies.
WINNERS = {
    "royal flush": "AsKsQsJsTs",
    "straight flush": "KsQsJsTs9s",
    "four of a kind": "AsAhAdAc2s",
    "full house": "AsAhAdKcKs",
    "flush": "AsKsQsJs9s",
    "straight": "AsKhQdJcTs",
    "three of a kind": "AsAhAdKcQs",
    "two pair": "AsAhKdKcQs",
    "pair": "AsAhKdQcJs",
}


@pytest.mark.parametrize("profile", pycs.profile_names())
@pytest.mark.parametrize(("category", "hand"), WINNERS.items())
def test_a_win_pays_one_and_twice_the_pay(profile, category, hand):
    result = pycs.settle(profile, hand, "3s3h8d7c5s", "call")
    assert result.player_category == category
    assert result.outcome == "win"
    assert result.net == 1 + 2 * load_rules(profile).pays.of(category)
    assert (result.staked, result.returned) == (3, result.net + 3)


def test_ace_king_wins_as_a_pair_or_less():
    assert pycs.settle("us", "AsKhQdJc9s", "AdKcQh9d8c", "call").net == 3


@pytest.mark.parametrize(
    ("player", "dealer", "action", "outcome", "net"),
    [
        ("AsAhAdAc2s", "7s5h4d3c2d", "call", "not_qualified", 1),
        ("8s7h5d4c2s", "AsQhJdTc9s", "call", "not_qualified", 1),
        ("8s7h5d4c2s", "AsKhJdTc9s", "call", "lose", -3),
        ("8s7h5d4c2s", "7s5h4d3c2d", "fold", "fold", -1),
        ("AsAhAdAc2s", "7s5h4d3c2d", "fold", "fold", -1),
        ("AsKh8d5c2s", "AcKd8h5s2d", "call", "push", 0),
        ("5s5h4d3c2s", "4s4hAdKcQs", "call", "win", 3),  # the order examples of a house's own rules
        ("AsKhJd3c2s", "AhKdTc9s8h", "call", "win", 3),
        ("5s5hQd3c2s", "5d5cJdTc9s", "call", "win", 3),
        ("AsAh2d2c3s", "KsKhQdQcAd", "call", "win", 5),
        ("3s3h3d2c2s", "2h2dAsAh5c", "call", "win", 15),
    ],
)
def test_rounds_by_hand(player, dealer, action, outcome, net):
    result = pycs.settle("us", player, dealer, action)
    assert (result.outcome, result.net) == (outcome, net)
    assert result.returned == result.staked + net


def test_random_rounds_settle_as_the_oracle_has_them(random_deals):
    pays = {name: load_rules("live").pays.of(name) for name in oracle.CATEGORIES}
    live = [[card for card in range(52) if card not in deal] for deal in random_deals[:300].tolist()]
    for deal, rest in zip(random_deals[:300].tolist(), live, strict=True):
        player, dealer = deal[:5], [deal[5], *rest[::11][:4]]
        for action in ("fold", "call"):
            net = pycs.settle("live", player, dealer, action).net
            assert net == oracle.settle(pays, player, dealer, action), format_cards([*player, *dealer])


@pytest.mark.parametrize(
    ("player", "dealer", "action", "words"),
    [
        ("AsKsQsJsTs", "AsKdQdJdTd", "call", "As of the dealer's hand is also in the player's hand"),
        ("AsKsQsJs", "AdKdQdJdTd", "call", "the player's hand 'AsKsQsJs': 4 cards came, 5 are needed"),
        ("AsKsQsJsTs", "AdKdQdJd", "fold", "the dealer's hand 'AdKdQdJd': 4 cards came, 5 are needed"),
        ("AsKsQsJsTs", "AdKdQdJdTd", "raise", "'raise': fold or call"),
        ("AsKsQsJsTs", "AdKdQdJdTd", None, "None: fold or call"),
    ],
)
def test_rounds_that_cannot_be_are_refused(player, dealer, action, words):
    with pytest.raises(InputError) as error:
        pycs.settle("us", player, dealer, action)
    assert words in str(error.value)
