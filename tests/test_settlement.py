"""Finished rounds, settled to the ante: every profile's pays, ties, the dealer who fails, the bonus, bad input."""

from fractions import Fraction

import holdem_oracle
import oracle
import pytest

import pycs
from pycs.cards import format_cards
from pycs.errors import InputError
from pycs.rules import load_rules, rules_from_dict

STUD_PROFILES = ("us", "betmgm", "live", "three-box", "triple-exchange", "oasis")
ANTE_PAYS = dict(zip(holdem_oracle.LINES, (100, 20, 10, 3, 2, 1), strict=True))
BONUS_PAYS = dict(zip(holdem_oracle.BONUS_LINES, (100, 50, 40, 30, 20, 7), strict=True))

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


def changed_holdem(**changes):
    """The shipped rules of Casino Hold'em with some values changed, by the dotted key, a double underscore each dot."""
    data = load_rules("casino-holdem").to_dict()
    for name, value in changes.items():
        *way, last = name.split("__")
        place = data
        for step in way:
            place = place[step]
        place[last] = value
    return rules_from_dict(data)


@pytest.mark.parametrize("profile", STUD_PROFILES)
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
    assert (result.board, result.bonus, result.bonus_line, result.bonus_net) == (None, 0, None, 0)
    assert not {"board", "bonus", "bonus_line", "bonus_net"} & result.to_dict().keys()


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


@pytest.mark.parametrize("board", ["2c3c4c5c6c", "2c", "", [], (0, 1, 2, 3, 4)])
def test_a_board_in_caribbean_stud_is_refused(board):
    with pytest.raises(InputError, match=r"^the board .*: us has none, so it must be left out$"):
        pycs.settle("us", "AsKsQsJsTs", "AdKdQdJdTd", "call", board=board)


# --- Casino Hold'em ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("player", "dealer", "board", "categories", "outcome", "net"),
    [
        # The dealer fails though he is better: an ace, or a pair below fours.
        ("8c7h", "Ac2d", "KdQh9c5s3d", ("high card", "high card"), "not_qualified", 1),
        ("8c7h", "3c2h", "KdQh9c5s3d", ("high card", "pair"), "not_qualified", 1),
        ("2c7h", "AcTh", "3d3hKc9s8d", ("pair", "pair"), "not_qualified", 1),  # by the board's threes alone he fails
        ("2d2h", "3c3h", "KdQh9c5s8d", ("pair", "pair"), "not_qualified", 1),
        # The board alone qualifies him: a pair of fours, two low pairs, low trips, a straight, a flush.
        ("AcKd", "2c3d", "4d4hTs9c6h", ("pair", "pair"), "win", 3),
        ("2c3d", "AcKd", "4d4hTs9c6h", ("pair", "pair"), "lose", -3),
        ("AcKd", "7c8d", "2d2h3s3cTh", ("two pair", "two pair"), "win", 3),
        ("AcKd", "7c8d", "3d3h3sTc6h", ("three of a kind", "three of a kind"), "win", 3),
        ("Kc2d", "AcTd", "7d6h5s4c3h", ("straight", "straight"), "push", 0),
        # The lowest hand with which he qualifies, and the highest with which he does not.
        ("AcKd", "4c5d", "4d7h3s2cTh", ("high card", "pair"), "lose", -3),
        ("5c5d", "4c4s", "JdTh8s3c2h", ("pair", "pair"), "win", 3),
        ("AsAc", "KcTd", "JdTh8s4c3h", ("pair", "pair"), "win", 3),
        ("5c5d", "3c3s", "AdKhQs9c7h", ("pair", "pair"), "not_qualified", 1),
        ("8c8d", "AcKs", "QdJh9s7c2h", ("pair", "high card"), "not_qualified", 1),
        # The board plays for both: a push, at any height.
        ("2c3d", "4c5d", "AsKsQsJsTs", ("royal flush", "royal flush"), "push", 0),
        ("2c3d", "4c5d", "AsKdQhJcTs", ("straight", "straight"), "push", 0),
        ("2c3d", "4c5d", "AsKsQsJs9s", ("flush", "flush"), "push", 0),
        ("2c3d", "4c5d", "KsKdKhKcAs", ("four of a kind", "four of a kind"), "push", 0),
        ("2c3d", "2d3h", "KsKd9h8c7s", ("pair", "pair"), "push", 0),
        ("Ac2c", "Ad3d", "KsKdQhJc9s", ("pair", "pair"), "push", 0),  # the fifth kicker lies on the board
        ("2c2d", "AcJd", "KsKdQhQc5s", ("two pair", "two pair"), "lose", -3),  # three pairs: the ace kicks
        # Each line of the table, against a dealer who qualifies and is beaten, and against one who fails.
        ("JsTs", "AhAd", "AsKsQs7d2c", ("royal flush", "three of a kind"), "win", 102),
        ("JsTs", "8h3d", "AsKsQs7d2c", ("royal flush", "high card"), "not_qualified", 100),
        ("9s8s", "KhKc", "7s6s5sKd2c", ("straight flush", "three of a kind"), "win", 22),
        ("9s8s", "AhQd", "7s6s5sKd2c", ("straight flush", "high card"), "not_qualified", 20),
        ("4s3s", "KhKc", "As2s5sKd9c", ("straight flush", "three of a kind"), "win", 22),  # the steel wheel
        ("3s3h", "KhKs", "3d3cKd9h7s", ("four of a kind", "full house"), "win", 12),
        ("3s3h", "AhQc", "3d3cKd9h7s", ("four of a kind", "pair"), "not_qualified", 10),
        ("3hKh", "AhKc", "3d3cKd9h7s", ("full house", "two pair"), "win", 5),
        ("3hKh", "AhQc", "3d3cKd9h7s", ("full house", "pair"), "not_qualified", 3),
        ("Qs3s", "AhAd", "As9s5sKd2c", ("flush", "three of a kind"), "win", 4),
        ("Qs3s", "Jh8d", "As9s5sKd2c", ("flush", "high card"), "not_qualified", 2),
        ("JhTc", "AhAd", "9d8c7hKd2s", ("straight", "pair"), "win", 3),
        ("JhTc", "AhQd", "9d8c7hKd2s", ("straight", "high card"), "not_qualified", 1),
        ("7d7c", "AhAd", "9d8c7hKd2s", ("three of a kind", "pair"), "win", 3),
        ("9h8h", "AhAd", "9d8c7hKd2s", ("two pair", "pair"), "win", 3),
        ("AhAd", "QhQd", "9d8c7hKd2s", ("pair", "pair"), "win", 3),
        ("AhTd", "Qh3d", "9d8c7hKd2s", ("high card", "high card"), "not_qualified", 1),
        # Beaten by each.
        ("KhKs", "3s3h", "3d3cKd9h7s", ("full house", "four of a kind"), "lose", -3),
        ("QsQh", "JsTs", "AsKsQd9s2s", ("flush", "flush"), "win", 4),  # the queen of the suit
        ("AhAd", "Qs3s", "As9s5sKd2c", ("three of a kind", "flush"), "lose", -3),
    ],
)
def test_rounds_of_casino_holdem_by_hand(player, dealer, board, categories, outcome, net):
    result = pycs.settle("casino-holdem", player, dealer, "call", board=board)
    assert (result.player_category, result.dealer_category) == categories
    assert (result.outcome, result.net, result.staked) == (outcome, net, 3)
    assert result.dealer_qualifies == (outcome != "not_qualified")
    assert result.returned == result.staked + net
    assert result.net == holdem_oracle.settle(ANTE_PAYS, *map(oracle.cards, (player, dealer, board)), "call")
    folded = pycs.settle("casino-holdem", player, dealer, "fold", board=board)
    assert (folded.outcome, folded.net, folded.staked, folded.returned) == ("fold", -1, 1, 0)
    assert (result.board, result.bonus, result.bonus_line, result.bonus_net) == (board, 0, None, 0)
    assert result.to_dict()["board"] == board


def test_variants_of_casino_holdem_by_hand():
    flush_beside_a_failing_dealer = ("Qs3s", "Jh8d", "call")
    even = changed_holdem(dealer__ante_when_not_qualified="1 to 1")
    assert pycs.settle(even, *flush_beside_a_failing_dealer, board="As9s5sKd2c").net == 1
    assert pycs.settle(even, "Qs3s", "AhAd", "call", board="As9s5sKd2c").net == 4
    dearer = changed_holdem(stakes__call=3)
    won = pycs.settle(dearer, "Qs3s", "AhAd", "call", board="As9s5sKd2c")
    assert (won.net, won.staked, won.returned) == (5, 4, 9)
    assert pycs.settle(dearer, "AhAd", "Qs3s", "call", board="As9s5sKd2c").net == -4
    strict = changed_holdem(dealer__qualifies="pair-of-aces")
    assert pycs.settle(strict, "Ah3d", "KsQd", "call", board="KdJh8s5c2h").outcome == "not_qualified"
    always = changed_holdem(dealer__qualifies="any")
    assert pycs.settle(always, *flush_beside_a_failing_dealer, board="As9s5sKd2c").net == 4


@pytest.mark.parametrize(
    ("player", "flop", "line", "pay"),
    [
        ("AsKs", "QsJsTs", "royal flush", 100),
        ("9s8s", "7s6s5s", "straight flush", 50),
        ("AsAh", "AdAc2s", "four of a kind", 40),
        ("KsKh", "KdAsAh", "full house", 30),
        ("3h2h", "9h5h7h", "flush", 20),
        ("9s8h", "7d6c5s", "aces to straight", 7),
        ("2s2h", "2d9cKs", "aces to straight", 7),
        ("3s3h", "2d2cKs", "aces to straight", 7),
        ("AsKd", "Ah7c2s", "aces to straight", 7),
        ("3s2h", "AhAc7s", "aces to straight", 7),
        ("KsKh", "QdJc7h", None, -1),
        ("7s2h", "QdJc9h", None, -1),
    ],
)
@pytest.mark.parametrize("requires_call", [True, False], ids=["requires a call", "paid anyway"])
@pytest.mark.parametrize("bet", ["1", "0.5", "1/3", "1000000"])
def test_the_bonus_by_hand(player, flop, line, pay, requires_call, bet):
    """Paid after a call, whoever wins the round; after a fold only where the rules say so."""
    rules = changed_holdem(side_bets__aa_bonus__bonus_requires_call=requires_call)
    stake = Fraction(bet)
    rest = [format_cards([card]) for card in range(52) if card not in oracle.cards(player + flop)]
    board, dealer = flop + "".join(rest[:2]), "".join(rest[-2:])
    for action in ("call", "fold"):
        without = pycs.settle(rules, player, dealer, action, board=board)
        result = pycs.settle(rules, player, dealer, action, board=board, bonus=bet)
        won = stake * (pay if action == "call" or not requires_call else -1)
        assert (result.bonus, result.bonus_line, result.bonus_net) == (stake, line, won)
        assert result.net == without.net + won
        assert result.staked == without.staked + stake
        assert result.returned == result.staked + result.net == without.returned + stake + won
        assert result.outcome == without.outcome


def test_the_bonus_looks_at_the_flop_alone():
    """The same five cards on the board in another order: the flop makes nothing, or aces full."""
    on_flop = pycs.settle("casino-holdem", "AsKs", "2c2d", "call", board="AdKdAh7c3s", bonus=1)
    after_it = pycs.settle("casino-holdem", "AsKs", "2c2d", "call", board="Kd7c3sAdAh", bonus=1)
    assert (on_flop.bonus_line, on_flop.bonus_net, on_flop.net) == ("full house", 30, 35)
    assert (after_it.bonus_line, after_it.bonus_net, after_it.net) == (None, -1, 4)
    assert on_flop.player_category == after_it.player_category == "full house"


def test_amounts_that_are_no_whole_number_are_exact():
    half = pycs.settle("casino-holdem", "AsKs", "QcQd", "call", board="AdKd2h7c3s", bonus="0.5")
    assert (half.bonus, half.bonus_net, half.net) == (Fraction(1, 2), Fraction(7, 2), Fraction(13, 2))
    assert (half.staked, half.returned) == (Fraction(7, 2), 10)
    plain = half.to_dict()
    assert (plain["net"], plain["net_exact"], plain["staked"], plain["staked_exact"]) == (6.5, "13/2", 3.5, "7/2")
    assert (plain["bonus"], plain["bonus_exact"], plain["bonus_net"], plain["bonus_net_exact"]) == (
        0.5,
        "1/2",
        3.5,
        "7/2",
    )
    assert (plain["returned"], type(plain["returned"]), "returned_exact" in plain) == (10, int, False)
    third = pycs.settle("casino-holdem", "AsKs", "QcQd", "fold", board="AdKd2h7c3s", bonus="1/3")
    assert third.net == Fraction(-4, 3)
    assert third.to_dict()["net_exact"] == "-4/3"
    whole = pycs.settle("casino-holdem", "AsKs", "QcQd", "call", board="AdKd2h7c3s", bonus="4/2")
    assert (whole.bonus, type(whole.bonus), whole.net, type(whole.net)) == (2, int, 17, int)


def holdem_rounds(deals):
    """Rounds made of deals: hole cards, the dealer's, the board, and a bet; the cards left come in a fixed order."""
    for number, deal in enumerate(deals.tolist()):
        rest = [card for card in range(52) if card not in deal]
        picked = [rest[(number * 5 + step * 11) % 47] for step in range(4)]
        yield deal[:2], picked[:2], [*deal[2:], *picked[2:]], Fraction(number % 7, number % 4 + 1)


@pytest.mark.parametrize(
    ("changes", "how"),
    [
        ({}, {}),
        ({"dealer__ante_when_not_qualified": "1 to 1"}, {"even_if_not_qualified": True}),
        ({"stakes__call": 1}, {"call": 1}),
        ({"stakes__call": 3, "dealer__qualifies": "any"}, {"call": 3, "lowest": ()}),
        ({"dealer__qualifies": "pair-of-aces"}, {"lowest": (1, 12)}),
    ],
    ids=["published", "even money", "call of 1", "any, call of 3", "aces"],
)
@pytest.mark.parametrize("requires_call", [True, False], ids=["requires a call", "paid anyway"])
def test_random_rounds_of_casino_holdem_settle_as_the_oracle_has_them(changes, how, requires_call, holdem_random):
    rules = changed_holdem(**changes, side_bets__aa_bonus__bonus_requires_call=requires_call)
    for hole, dealer, board, bet in holdem_rounds(holdem_random[:100]):
        line = holdem_oracle.bonus_line(hole, board[:3])
        for action in ("fold", "call"):
            result = pycs.settle(rules, hole, dealer, action, board=board, bonus=bet)
            main = holdem_oracle.settle(ANTE_PAYS, hole, dealer, board, action, **how)
            bonus = bet * holdem_oracle.settle_bonus(BONUS_PAYS, line, action, requires_call)
            assert (result.net, result.bonus_net) == (main + bonus, bonus), format_cards([*hole, *dealer, *board])
            assert result.bonus_line == (line if bet else None)
            assert result.returned == result.staked + result.net


@pytest.mark.parametrize(
    ("player", "dealer", "board", "words"),
    [
        ("AsKs", "2c2d", None, "the board is missing: casino-holdem needs its five cards, the flop first"),
        ("AsKs", "2c2d", "AdKdAh7c", "the board 'AdKdAh7c': 4 cards came, 5 are needed"),
        ("AsKs", "2c2d", "AdKdAh7c3s4d", "the board 'AdKdAh7c3s4d': 6 cards came, 5 are needed"),
        ("AsKs", "2c2d", "AdKdAh", "the board 'AdKdAh': 3 cards came, 5 are needed"),
        ("AsKs", "2c2d", "", "the board '': 0 cards came, 5 are needed"),
        ("AsKs", "2c2d", "AsKdAh7c3s", "As of the board is also in the player's hand"),
        ("AsKs", "2c2d", "AdKdAh7c2d", "2d of the board is also in the dealer's hand"),
        ("AsKs", "2cKs", "AdKdAh7c3s", "Ks of the dealer's hand is also in the player's hand"),
        ("AsKs", "2c2d", "AdKdAh7cAd", "the board 'AdKdAh7cAd': Ad is there twice"),
        ("AsAs", "2c2d", "AdKdAh7c3s", "the player's hand 'AsAs': As is there twice"),
        ("AsKsQs", "2c2d", "AdKdAh7c3s", "the player's hand 'AsKsQs': 3 cards came, 2 are needed"),
        ("AsKs", "2c", "AdKdAh7c3s", "the dealer's hand '2c': 1 card came, 2 are needed"),
        ("AsKsQsJsTs", "AdKdQdJdTd", None, "the player's hand 'AsKsQsJsTs': 5 cards came, 2 are needed"),
        ("AsKs", "2c2d", "AdKdAh7c1s", "the board 'AdKdAh7c1s': no such rank as '1'"),
        ("AsKs", "2c2d", 5, "the board 5: cards are text"),
        ("AsKs", "2c2d", (1, 2, 3, 4, 52), "the board, item 5, 52: a card is text such as 'As', or a number 0..51"),
    ],
)
@pytest.mark.parametrize("action", ["fold", "call"])
def test_rounds_of_casino_holdem_that_cannot_be_are_refused(player, dealer, board, words, action):
    with pytest.raises(InputError) as error:
        pycs.settle("casino-holdem", player, dealer, action, board=board)
    assert str(error.value).startswith(words)


@pytest.mark.parametrize("action", ["raise", "check", "", None, "Call"])
def test_no_such_action_in_casino_holdem(action):
    with pytest.raises(InputError, match="fold or call is allowed"):
        pycs.settle("casino-holdem", "AsKs", "2c2d", action, board="AdKdAh7c3s")


@pytest.mark.parametrize("bet", ["-1", "x", "1e3", "nan", "0.1234567891", "1/0", True, None, 2e6, 1_000_001])
def test_bonus_bets_that_cannot_be_are_refused(bet):
    for action in ("fold", "call"):
        with pytest.raises(InputError, match=r"^the bonus bet ") as error:
            pycs.settle("casino-holdem", "AsKs", "2c2d", action, board="AdKdAh7c3s", bonus=bet)
        assert '0 to 1000000 antes are allowed, of at most nine digits, as "2", "0.5" or "1/2"' in str(error.value)


def test_a_bonus_bet_in_a_game_without_one_is_refused():
    with pytest.raises(InputError, match=r"^the bonus bet 1: us has no AA Bonus, so only 0 is allowed$"):
        pycs.settle("us", "AsKsQsJsTs", "AdKdQdJdTd", "call", bonus=1)
    bare = load_rules("casino-holdem").to_dict()
    del bare["side_bets"]
    with pytest.raises(
        InputError, match=r"^the bonus bet '0\.5': casino-holdem has no AA Bonus, so only 0 is allowed$"
    ):
        pycs.settle(rules_from_dict(bare), "AsKs", "2c2d", "call", board="AdKdAh7c3s", bonus="0.5")
    assert pycs.settle("us", "AsKsQsJsTs", "AdKdQdJdTd", "call", bonus="0").net == 0


# --- exchanges, boxes and money ---------------------------------------------------------------------------------------

GIVEN_UP = "9c7d4h3s2c"
FULL_HOUSE, PAIR_OF_ACES = "8h8d8c6d6s", "AdAcKh5h4s"


@pytest.mark.parametrize(
    ("player", "action", "exchanges", "staked", "net"),
    [
        (FULL_HOUSE, "call", 0, 30, 150),
        (FULL_HOUSE, "call", 1, 40, 140),
        (FULL_HOUSE, "call", 2, 50, 130),
        (FULL_HOUSE, "call", 3, 60, 120),
        ("KsQsJsTsAs", "call", 0, 30, 2010),
        ("KsQsJsTsAs", "call", 2, 50, 1990),
        ("QsQhJd8c2h", "call", 1, 40, -40),
        ("QsQhJd8c2h", "fold", 3, 40, -40),
        ("QsQhJd8c2h", "fold", 0, 10, -10),
    ],
)
def test_the_money_of_triple_exchange(player, action, exchanges, staked, net):
    """An ante of 10: a full house wins 150, a royal flush 2010, and each exchange takes 10."""
    gave_up = [GIVEN_UP, "9d7h5s3c2d", "9s7c4d3h2s"][:exchanges]
    result = pycs.settle("triple-exchange", player, PAIR_OF_ACES, action, gave_up=gave_up, ante=10)
    assert result.money == (staked, staked + net, net)
    assert (result.fees, result.gave_up) == (exchanges, tuple(gave_up))
    assert result.net == Fraction(net, 10)
    plain = result.to_dict()
    assert (plain["money"], plain["ante"]) == (
        {"staked": str(staked), "returned": str(staked + net), "net": str(net)},
        "10",
    )
    assert (plain["fees"], plain["gave_up"]) == (exchanges, gave_up)


def test_a_dealer_who_fails_and_a_push_after_an_exchange():
    failed = pycs.settle("three-box", "QsJh8d5c3h", "KcJd9s7h2s", "call", gave_up=[GIVEN_UP], ante=10)
    assert (failed.outcome, failed.net, failed.money.net) == ("not_qualified", 0, 0)
    push = pycs.settle("three-box", "AsKhQdJc8s", "AdKcQhJd8d", "call", gave_up=[GIVEN_UP], ante=10)
    assert (push.outcome, push.net, push.money.returned) == ("push", -1, 30)


def test_chosen_cards_cost_what_the_profile_says():
    for given, fee in (("2d", 1), ("2d3d", 2), ("2d3d4d", 3), ("2d3d4d7d", 4), ("2d3d4d7d9d", 5)):
        result = pycs.settle("oasis", FULL_HOUSE, PAIR_OF_ACES, "call", gave_up=[given])
        assert (result.net, result.fees, result.money) == (15 - fee, fee, None)


def test_an_ante_that_is_no_whole_number():
    result = pycs.settle("three-box", FULL_HOUSE, PAIR_OF_ACES, "call", gave_up=[GIVEN_UP], ante="2.50")
    assert result.money == (10, 45, 35)
    assert pycs.settle("casino-holdem", "AsKs", "QcQd", "call", board="AdKd2h7c3s", ante="1/3").money.net == 1


def test_boxes_are_settled_each_by_itself():
    for box in (1, 2):
        result = pycs.settle("three-box", FULL_HOUSE, PAIR_OF_ACES, "call", gave_up=[GIVEN_UP], box=box, ante=20)
        assert (result.box, result.money.net, result.to_dict()["box"]) == (box, 280, box)
    blind = pycs.settle("three-box", "7s5d4h3s2c", PAIR_OF_ACES, "call", box=3, known=GIVEN_UP[:4] + "QsJs")
    assert (blind.net, blind.box) == (-3, 3)


@pytest.mark.parametrize(
    ("profile", "options", "words"),
    [
        ("us", {"gave_up": [GIVEN_UP]}, "1 exchange: us allows none"),
        ("three-box", {"gave_up": [GIVEN_UP, "9d7h5s3c2d"]}, "2 exchanges: three-box allows at most 1"),
        ("three-box", {"gave_up": ["9c7d4h3s"]}, "the cards given up '9c7d4h3s': 5 are allowed"),
        ("three-box", {"gave_up": [""]}, "the cards given up '': 5 are allowed"),
        ("oasis", {"gave_up": ["9c", "7d"]}, "2 exchanges: oasis allows at most 1"),
        ("oasis", {"gave_up": ["9c7d4h3s2cTc"]}, "1 or 2 or 3 or 4 or 5 are allowed"),
        (
            "three-box",
            {"gave_up": [GIVEN_UP], "box": 3},
            "box 3 of three-box is blind: it is called, without an exchange",
        ),
        ("three-box", {"box": 4}, "box 4: three-box has boxes 1 to 3"),
        ("us", {"box": 1}, "us has no boxes"),
        ("three-box", {"gave_up": GIVEN_UP}, "a list is allowed, one entry for each exchange"),
        ("three-box", {"gave_up": 3}, "a list is allowed, one entry for each exchange"),
        ("three-box", {"gave_up": ["9c7d4h3sAd"]}, "Ad of the cards given up is also in the dealer's hand"),
        ("triple-exchange", {"gave_up": [GIVEN_UP, "9c7h4s3c2d"]}, "9c"),
        ("three-box", {"known": "8h"}, "8h of the known cards is also in the player's hand"),
        ("three-box", {"gave_up": [GIVEN_UP], "known": "9c"}, "9c of the known cards is also in the cards given up"),
        (
            "three-box",
            {"gave_up": [GIVEN_UP], "ante": 10, "balance": 29},
            "can't be paid: a fee of 10 and",
        ),
        (
            *("triple-exchange", {"gave_up": [GIVEN_UP, "9d7h5s3c2d"], "ante": 10, "balance": 39}),
            "the exchange can't be paid: 2 fees of 10 and a call of 20 after them come to 40, and the balance is 39",
        ),
        ("three-box", {"ante": 10, "balance": 19}, "a call of 20 can't be paid out of a balance of 19"),
        ("three-box", {"box": 3, "ante": 10, "balance": 100}, "box 3 is blind: its call is staked before the deal"),
        ("three-box", {"balance": 100}, "the balance 100: the ante must be given, too"),
        ("triple-exchange", {"ante": 301}, "the ante 301: 1 to 300 money units are allowed"),
        ("casino-holdem", {"gave_up": ["2c"], "board": "AdKd2h7c3s"}, "1 exchange: casino-holdem allows none"),
    ],
)
def test_rounds_that_cannot_be_are_refused_with_the_reason(profile, options, words):
    hands = ("AsKs", "QcQd") if profile == "casino-holdem" else (FULL_HOUSE, PAIR_OF_ACES)
    with pytest.raises(InputError) as error:
        pycs.settle(profile, *hands, "call", **options)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_what_can_be_paid_is_settled():
    options = {"gave_up": [GIVEN_UP], "ante": 10, "balance": 30}
    assert pycs.settle("three-box", FULL_HOUSE, PAIR_OF_ACES, "call", **options).money.net == 140
    assert pycs.settle("three-box", FULL_HOUSE, PAIR_OF_ACES, "fold", ante=10, balance=0).money.net == -10
    with pytest.raises(InputError, match="the calls of later boxes, 20, come to 50"):
        pycs.settle("three-box", FULL_HOUSE, PAIR_OF_ACES, "call", **{**options, "balance": 45}, later=10)


def test_a_blind_box_is_not_folded():
    with pytest.raises(InputError, match="box 3 of three-box is blind: it is called"):
        pycs.settle("three-box", FULL_HOUSE, PAIR_OF_ACES, "fold", box=3)
