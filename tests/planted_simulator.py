"""A simulator of its own for two games, right as it stands, into which one known fault can be planted by name.

A verifier is as good as what it finds, so it is tried on logs whose fault is known. Nothing here comes from the
product; the rules are written out once more, as arrays over all rounds at once. Cards are 0..51 = 4 * rank + suit; the
ranks 2..A are 0..12 and the suits c d h s are 0..3.

With one seed, every fault outside the dealing leaves the cards as they are without it. Players decide by the right
order of hands even when the house ranks them wrongly, so a fault in ranking never shows in the actions.

Some faults leave no trace in a log, whoever reads it: in stud, a player who calls with ace-king or better is never
behind a dealer who fails, so the three faults `...-when-behind` change nothing, and `dealer-always-qualifies` and
`call-paid-when-dealer-fails` give the same log. It takes a weaker hand that calls to tell.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations

import numpy as np
import polars as pl
from numpy.typing import NDArray

Cards = NDArray[np.uint8]  # one row a round, one column a card
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

STUD, HOLDEM = "us", "casino-holdem"
BOTH = (STUD, HOLDEM)

FAULTS: dict[str, tuple[str, ...]] = {
    # Ranking
    "two-pair-kicker-ignored": BOTH,  # equal two pairs tie, whatever the fifth card
    "pair-kickers-ignored": BOTH,  # equal pairs tie, whatever the three side cards
    "wheel-missed": BOTH,  # A-2-3-4-5 is no straight: ace high, or a plain flush
    "wheel-high": BOTH,  # A-2-3-4-5 ranks with A-K-Q-J-10 (in one suit: the highest straight flush, no royal)
    "ace-king-kickers-ignored": (STUD,),  # ace-king against ace-king ties
    "flush-by-top-card": BOTH,  # flushes are compared by the highest card only
    "straight-wraps": BOTH,  # J-Q-K-A-2, Q-K-A-2-3 and K-A-2-3-4 are straights, below A-2-3-4-5
    "three-of-a-kind-kickers-ignored": (HOLDEM,),  # equal threes of a kind tie, whatever the two side cards
    "straight-flush-missed": BOTH,  # a straight flush, or a royal, is a flush of its ranks
    "royal-as-straight-flush": BOTH,  # a royal flush is paid as a straight flush
    # Settling
    "ties-lost": BOTH,  # a tie loses ante and call
    "ties-won": BOTH,  # a tie is paid like a win
    "ante-pushed-when-behind": BOTH,  # dealer fails, but has the better hand: ante comes back unpaid
    "ante-lost-when-behind": BOTH,  # dealer fails, but has the better hand: ante lost
    "all-lost-when-behind": BOTH,  # dealer fails, but has the better hand: ante and call lost
    "ante-pushed-when-dealer-fails": BOTH,  # dealer fails: ante and call come back
    "call-paid-when-dealer-fails-and-ahead": BOTH,  # dealer fails and has the worse hand: the call is paid too
    "call-paid-even-when-dealer-fails": (STUD,),  # dealer fails: the call is paid 1 to 1
    "call-paid-when-dealer-fails": BOTH,  # dealer fails: the call is paid too, as for a win
    "call-lost-when-dealer-fails": BOTH,  # dealer fails: the ante is paid, the call kept by the house
    "for-one": (STUD,),  # the call's pays taken as for one: one less for each unit called
    "to-one-from-for-one": (STUD,),  # the stake added to the call's pays: one more for each unit called
    "flush-pays-6": BOTH,  # a flush pays one more than the pay table says (5 becomes 6; in hold'em 2 becomes 3)
    "ante-not-paid-on-win": BOTH,  # a win pays the call only, the ante just comes back
    "ante-pays-table-too": (STUD,),  # a win pays the ante by the pay table as well
    "loss-takes-ante-only": BOTH,  # the call comes back on a loss
    "loss-takes-call-only": BOTH,  # the ante comes back on a loss
    "call-pays-table-too": (HOLDEM,),  # a win pays the call by the pay table as well
    "fold-costs-nothing": BOTH,  # a fold gets the ante back
    "fold-costs-the-call": BOTH,  # a fold loses as much as a beaten hand
    "call-of-one": BOTH,  # a call stakes one ante instead of two
    "dealer-always-qualifies": BOTH,  # no dealer hand fails
    "ace-high-qualifies": BOTH,  # any ace is enough
    "king-high-qualifies": BOTH,  # a king or an ace is enough
    "ace-king-qualifies": (HOLDEM,),  # ace-king is enough
    "any-pair-qualifies": (HOLDEM,),  # a pair of twos is enough
    "pair-qualifies": (STUD,),  # ace-king is not enough
    "pair-of-threes-qualifies": (HOLDEM,),  # a pair of threes is enough
    "pair-of-fives-qualifies": (HOLDEM,),  # a pair of fours is not enough
    "board-cannot-qualify": (HOLDEM,),  # the dealer's hand must also beat the board's own five cards
    "board-pair-cannot-qualify": (HOLDEM,),  # a pair is not enough unless a card of it is the dealer's own
    "ante-one-to-one-when-dealer-fails": (HOLDEM,),  # dealer fails: ante paid even money, not by the table
    "by-five-cards": (HOLDEM,),  # the ante is paid by hole cards and flop, not by the best five of seven
    # Logging
    "net-is-returned": BOTH,  # net holds all that comes back, stakes included
    "net-without-ante": BOTH,  # net holds the call's result only (and the fee)
    "ante-not-deducted": BOTH,  # net is one too high: the ante was booked elsewhere
    "sign-reversed": BOTH,  # net is the bank's
    "losses-as-nothing": BOTH,  # net is 0 where it is a loss
    "winnings-less-stakes": BOTH,  # net is what was won, the stake not in it, less all stakes
    # Dealing
    "upcard-returned": (STUD,),  # the upcard is back in the deck when the dealer's other four are drawn
    "dealer-from-fresh-deck": BOTH,  # the dealer's own cards come from another full deck
    "naive-shuffle": BOTH,  # each place of a sorted deck is swapped with any of the 52, each round
    "byte-modulo": BOTH,  # each card is a random byte modulo 52, again while dealt already: aces a fifth too seldom
    "not-reshuffled": BOTH,  # the deck goes on where the last round ended until too few cards are left
    "missing-card": BOTH,  # 2c never comes
    "short-period": BOTH,  # the rounds repeat after 5,000
    "ace-rich": BOTH,  # As comes a tenth too often, in every place
    "stuck-rounds": BOTH,  # in 1 of 500 rounds the cards of the round before come again
    "sorted-deck-cut": BOTH,  # a sorted deck is cut at random, not shuffled
    "cards-given-up-return": (STUD,),  # new cards and the dealer's other four are drawn with those given up put back
    # Play
    "strategy-ignored": BOTH,  # every hand is called
    "fold-ace-king": (STUD,),  # ace-king is always folded
    # The exchange
    "exchange-free": (STUD,),  # the fee is logged, but not taken
    "exchange-fee-twice": (STUD,),  # the fee is taken twice
}
EXCHANGE_FAULTS = frozenset(
    {"cards-given-up-return", "exchange-free", "exchange-fee-twice"}
)  # nothing without exchanges
DEALING_FAULTS = frozenset(
    {"upcard-returned", "dealer-from-fresh-deck", "naive-shuffle", "byte-modulo", "not-reshuffled", "missing-card"}
    | {"short-period", "ace-rich", "stuck-rounds", "sorted-deck-cut", "cards-given-up-return"}
)
TABLE_FAULTS = frozenset(
    {"two-pair-kicker-ignored", "pair-kickers-ignored", "wheel-missed", "wheel-high"}
    | {"ace-king-kickers-ignored", "flush-by-top-card", "straight-wraps"}
    | {"three-of-a-kind-kickers-ignored", "straight-flush-missed"}
)

# Royal flush first and then downward; the last pay is for all hands below too.
PAYS: dict[str, tuple[int, ...]] = {STUD: (100, 50, 20, 7, 5, 4, 3, 2, 1), HOLDEM: (100, 20, 10, 3, 2, 1)}
STRATEGIES: dict[str, tuple[str, ...]] = {
    STUD: ("three-rules", "ace-king-or-better", "pair-or-better", "always-call"),
    HOLDEM: ("pair-or-better", "always-call"),
}

RANKS, SUITS = "23456789TJQKA", "cdhs"
FIVE, JACK, QUEEN, KING, ACE = 3, 9, 10, 11, 12
AS = 51
HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH, ROYAL_FLUSH = range(10)


# --- hands ------------------------------------------------------------------------------------------------------------
# A hand's strength is its category and then five ranks, four bits each; a higher one wins.


def strength_of(category: int, *ranks: int) -> int:
    """The lowest strength of a category whose first ranks are these."""
    return (category << 20) + sum(rank << (16 - 4 * place) for place, rank in enumerate(ranks))


PAIR_OR_BETTER = strength_of(PAIR)
ACE_KING = strength_of(HIGH_CARD, ACE, KING)
QUALIFYING = {STUD: ACE_KING, HOLDEM: strength_of(PAIR, RANKS.index("4"))}
WRONGLY_QUALIFYING = {
    "dealer-always-qualifies": 0,
    "ace-high-qualifies": strength_of(HIGH_CARD, ACE),
    "king-high-qualifies": strength_of(HIGH_CARD, KING),
    "ace-king-qualifies": ACE_KING,
    "pair-qualifies": PAIR_OR_BETTER,
    "any-pair-qualifies": PAIR_OR_BETTER,
    "pair-of-threes-qualifies": strength_of(PAIR, RANKS.index("3")),
    "pair-of-fives-qualifies": strength_of(PAIR, RANKS.index("5")),
}


@cache
def strength_table(fault: str | None) -> NDArray[np.int32]:
    """The strength of any five ranks in any order, read as digits to base 13; row 1 is for five cards of one suit."""
    ranks = np.indices((13,) * 5, dtype=np.int32).reshape(5, -1)
    alike = np.stack([(ranks == rank).sum(axis=0, dtype=np.int32) for rank in ranks])
    # Ranks held most often first, higher before lower among equals: K-K-7-7-A reads K, K, 7, 7, A.
    digits = np.sort(16 * alike + ranks, axis=0)[::-1] & 15

    # How many cards each card is equal to, in all: 5 + 2 for a pair, and so on. Five alike come only from two decks.
    categories = np.zeros(26, np.int32)
    categories[[5, 7, 9, 11, 13, 17, 25]] = HIGH_CARD, PAIR, TWO_PAIR, TRIPS, FULL_HOUSE, QUADS, QUADS
    category, by_ranks = categories[alike.sum(axis=0)], digits.copy()

    lowest_top = {"straight-wraps": 0, "wheel-missed": FIVE + 1}.get(fault or "", FIVE)
    held = np.bitwise_or.reduce(1 << ranks, axis=0)
    for top in range(lowest_top, 13):
        straight = held == sum(1 << (top - below) % 13 for below in range(5))
        category[straight] = STRAIGHT
        digits[:, straight] = 0
        digits[0, straight] = ACE if fault == "wheel-high" and top == FIVE else top
    is_royal = held == sum(1 << rank for rank in range(8, 13))

    suited = np.where(category == STRAIGHT, STRAIGHT_FLUSH, np.maximum(category, FLUSH))
    suited[is_royal] = ROYAL_FLUSH

    table = np.empty((2, 13**5), np.int32)
    for row, kind in enumerate((category, suited)):
        counted = digits.copy()
        match fault:
            case "straight-flush-missed" if row:
                kind = np.maximum(categories[alike.sum(axis=0)], FLUSH)
                counted = by_ranks
            case "three-of-a-kind-kickers-ignored":
                counted[3:, kind == TRIPS] = 0
            case "two-pair-kicker-ignored":
                counted[4:, kind == TWO_PAIR] = 0
            case "pair-kickers-ignored":
                counted[2:, kind == PAIR] = 0
            case "ace-king-kickers-ignored":
                counted[2:, (kind == HIGH_CARD) & (digits[0] == ACE) & (digits[1] == KING)] = 0
            case "flush-by-top-card":
                counted[1:, kind == FLUSH] = 0
        table[row] = (kind << 20) + sum(digit << (16 - 4 * place) for place, digit in enumerate(counted))
    return table


def strengths(cards: Cards, fault: str | None = None) -> Ints:
    """The strength of the best five of each row's cards."""
    table = strength_table(fault if fault in TABLE_FAULTS else None).ravel()
    columns = np.ascontiguousarray(cards.T).astype(np.int32)
    ranks, suits = columns >> 2, columns & 3
    best = np.zeros(len(cards), np.int64)
    for five in combinations(range(len(columns)), 5):
        first, *others = five
        at, suited = ranks[first], np.ones(len(cards), bool)
        for other in others:
            at = 13 * at + ranks[other]
            suited &= suits[other] == suits[first]
        np.maximum(best, table[at + 13**5 * suited], out=best)
    return best


def cards_of(text: str) -> Cards:
    """One row of cards, from text such as `AsKd7h`."""
    pairs = zip(text[::2], text[1::2], strict=True)
    return np.array([[4 * RANKS.index(rank) + SUITS.index(suit) for rank, suit in pairs]], np.uint8)


def texts_of(cards: Cards) -> pl.Series:
    """Each row's cards as text, such as `AsKd7h`."""
    letters = np.array([[ord(rank), ord(suit)] for rank in RANKS for suit in SUITS], np.uint8)
    wide = letters[cards].reshape(len(cards), -1)
    return pl.Series(np.ascontiguousarray(wide).view(f"S{wide.shape[1]}").ravel().tolist(), dtype=pl.Binary).cast(
        pl.String
    )


# --- dealing ----------------------------------------------------------------------------------------------------------


def full_decks(rng: np.random.Generator, rounds: int, lowest: int = 0) -> Cards:
    """A well shuffled deck for each round, of the cards from `lowest` up."""
    return rng.permuted(np.tile(np.arange(lowest, 52, dtype=np.uint8), (rounds, 1)), axis=1)


def shuffled(rng: np.random.Generator, rounds: int, used: int, fault: str | None = None) -> Cards:
    """A deck for each round, of whose cards the first `used` may be dealt."""
    every = np.arange(rounds)
    match fault:
        case "naive-shuffle":
            decks = np.tile(np.arange(52, dtype=np.uint8), (rounds, 1))
            for place in range(52):
                other = rng.integers(52, size=rounds)
                held = decks[every, other]
                decks[every, other] = decks[:, place]
                decks[:, place] = held
            return decks
        case "byte-modulo":  # drawing by weight without replacement is taking the earliest of exponential times
            weights = np.bincount(np.arange(256) % 52)
            return np.argsort(rng.standard_exponential((rounds, 52)) / weights, axis=1).astype(np.uint8)
        case "sorted-deck-cut":
            return ((rng.integers(52, size=(rounds, 1)) + np.arange(52)) % 52).astype(np.uint8)
        case "missing-card":
            return full_decks(rng, rounds, lowest=1)
        case "not-reshuffled":
            in_one_deck = 52 // used
            decks = full_decks(rng, -(-rounds // in_one_deck))
            return decks[:, : in_one_deck * used].reshape(-1, used)[:rounds]
        case "short-period":
            return full_decks(rng, rounds)[every % 5_000]
        case "stuck-rounds":
            decks = full_decks(rng, rounds)
            return decks[np.maximum.accumulate(np.where(rng.random(rounds) < 1 / 500, 0, every))]
        case "ace-rich":
            decks = full_decks(rng, rounds)
            place_of_ace = (decks == AS).argmax(axis=1)
            # Dealt in used/52 of the rounds; a tenth of that, out of the rounds without it.
            brought = (place_of_ace >= used) & (rng.random(rounds) < 0.1 * used / (52 - used))
            place = rng.integers(used, size=rounds)[brought]
            decks[every[brought], place_of_ace[brought]] = decks[every[brought], place]
            decks[every[brought], place] = AS
            return decks
        case _:
            return full_decks(rng, rounds)


# --- playing and settling ---------------------------------------------------------------------------------------------


def called_in_stud(player: Cards, upcard: Cards, strategy: str) -> Flags:
    """The hands of Caribbean Stud that a strategy calls."""
    strength = strengths(player)
    if strategy == "always-call":
        return np.ones(len(player), bool)
    if strategy == "pair-or-better":
        return strength >= PAIR_OR_BETTER
    if strategy == "ace-king-or-better":
        return strength >= ACE_KING

    up, ranks = upcard >> 2, np.sort(player >> 2, axis=1)
    matched = (ranks == up[:, None]).any(axis=1)
    has_queen, has_jack = (ranks == QUEEN).any(axis=1), (ranks == JACK).any(axis=1)
    high_up = up >= KING
    ace_king_called = (
        (~high_up & matched) | (high_up & (has_queen | has_jack)) | (~matched & has_queen & (up < ranks[:, 1]))
    )
    return (strength >= PAIR_OR_BETTER) | ((strength >= ACE_KING) & ace_king_called)


def settled(
    game: str,
    player: Ints,
    dealer: Ints,
    *,
    called: Flags,
    qualified: Flags,
    pay: Ints,
    stake: int = 2,
    fault: str | None = None,
) -> Ints:
    """The net results, from both strengths and the pay table's pay for each player's hand.

    A win pays, in stud, the ante even money and the call by the table; in hold'em the ante by the table, the call even
    money.
    """
    even = np.ones_like(pay)
    ante_pay, call_pay = (even, pay) if game == STUD else (pay, even)
    won: Ints = ante_pay + stake * call_pay
    tied: Ints = 0 * even
    lost: Ints = -(1 + stake) * even
    failed = failed_behind = ante_pay  # the dealer does not qualify; and his hand is the better one
    folded = -even
    match fault:
        case "ties-lost":
            tied = lost
        case "ties-won":
            tied = won
        case "ante-pushed-when-behind":
            failed_behind = 0 * even
        case "ante-lost-when-behind":
            failed_behind = -even
        case "all-lost-when-behind":
            failed_behind = lost
        case "call-paid-even-when-dealer-fails":
            failed = failed_behind = ante_pay + stake
        case "call-paid-when-dealer-fails":
            failed = failed_behind = won
        case "ante-pushed-when-dealer-fails":
            failed = failed_behind = 0 * even
        case "call-paid-when-dealer-fails-and-ahead":
            failed = np.where(player > dealer, won, ante_pay)
        case "call-lost-when-dealer-fails":
            failed = failed_behind = ante_pay - stake
        case "ante-one-to-one-when-dealer-fails":
            failed = failed_behind = even
        case "for-one":
            won = ante_pay + stake * (call_pay - 1)
        case "to-one-from-for-one":
            won = ante_pay + stake * (call_pay + 1)
        case "ante-not-paid-on-win":
            won = stake * call_pay
        case "ante-pays-table-too":
            won = (1 + stake) * pay
        case "call-pays-table-too":
            won = (1 + stake) * pay
        case "fold-costs-nothing":
            folded = 0 * even
        case "fold-costs-the-call":
            folded = lost
        case "loss-takes-ante-only":
            lost = -even
        case "loss-takes-call-only":
            lost = -stake * even
    cases = [~called, ~qualified & (player < dealer), ~qualified, player > dealer, player == dealer]
    return np.select(cases, [folded, failed_behind, failed, won, tied], lost)


def pays_by_category(game: str, pays: Sequence[int] | None, fault: str | None = None) -> Ints:
    """The pay of each category, high card first."""
    downward = list(pays or PAYS[game])
    table = np.array((downward + downward[-1:] * 10)[9::-1], np.int64)
    if fault == "flush-pays-6":
        table[FLUSH] += 1
    if fault == "royal-as-straight-flush":
        table[ROYAL_FLUSH] = table[STRAIGHT_FLUSH]
    return table


def logged(net: Ints, net_of_ante: Ints, staked: Ints, fault: str | None) -> Ints:
    """What stands in the column `net`."""
    match fault:
        case "net-is-returned":
            return net + staked
        case "net-without-ante":
            return net - net_of_ante
        case "ante-not-deducted":
            return net + 1
        case "losses-as-nothing":
            return np.where(net < 0, 0, net)
        case "winnings-less-stakes":
            return np.where(net < 0, 0, net) - staked
        case "sign-reversed":
            return -net
        case _:
            return net


def played(
    game: str,
    rounds: int,
    *,
    seed: int,
    pays: Sequence[int] | None = None,
    fault: str | None = None,
    strategy: str | None = None,
    exchange: bool = False,
) -> pl.DataFrame:
    """The log of so many rounds, with one fault in them or none.

    `pays` go from the royal flush downward, the last one for all hands below too. The strategy is the game's first of
    `STRATEGIES` unless named. With `exchange`, a stud hand below ace-king is exchanged against an upcard below a king,
    and then the strategy, `ace-king-or-better` unless named, decides on the hand in the end.
    """
    if game not in BOTH:
        raise ValueError(f"the game is one of {BOTH}, not {game!r}")
    if exchange and game != STUD:
        raise ValueError(f"cards are exchanged in {STUD} only")
    if fault is not None and game not in FAULTS.get(fault, ()):
        raise ValueError(f"{game} has no fault {fault!r}")
    if fault in EXCHANGE_FAULTS and not exchange:
        raise ValueError(f"{fault} needs exchanges")
    strategy = strategy or ("ace-king-or-better" if exchange else STRATEGIES[game][0])
    if strategy not in STRATEGIES[game]:
        raise ValueError(f"the strategy is one of {STRATEGIES[game]}, not {strategy!r}")

    rng = np.random.default_rng(seed)
    pay = pays_by_category(game, pays, fault)
    if game == STUD:
        return stud(rng, rounds, pay, strategy, exchange=exchange, fault=fault)
    return holdem(rng, rounds, pay, strategy, fault=fault)


def stud(
    rng: np.random.Generator, rounds: int, pays: Ints, strategy: str, *, exchange: bool, fault: str | None
) -> pl.DataFrame:
    """Rounds of Caribbean Stud; a deck gives the player's five, the dealer's with the upcard first, and new ones."""
    decks = shuffled(rng, rounds, 15 if exchange else 10, fault)
    first, dealer, new = decks[:, :5], decks[:, 5:10].copy(), decks[:, 10:15]
    if fault == "dealer-from-fresh-deck":
        dealer = full_decks(rng, rounds)[:, :5]
    upcard = dealer[:, 0]

    exchanged = np.full(rounds, exchange) & (strengths(first) < ACE_KING) & (upcard >> 2 < KING)
    if fault == "cards-given-up-return":
        unseen = rng.permuted(np.delete(decks[exchanged], 5, axis=1), axis=1)
        new = new.copy()
        new[exchanged], dealer[exchanged, 1:] = unseen[:, :5], unseen[:, 5:9]
    player = np.where(exchanged[:, None], new, first) if exchange else first
    if fault == "upcard-returned":
        place = rng.integers(np.where(exchanged, 42, 47))  # where the upcard lies among the cards left; 4 are drawn
        again = place < 4
        dealer[again, 1 + place[again]] = upcard[again]

    called = called_in_stud(player, upcard, strategy)
    if fault == "strategy-ignored":
        called[:] = True
    if fault == "fold-ace-king":
        called &= strengths(player) >= PAIR_OR_BETTER

    player_strength, dealer_strength = strengths(player, fault), strengths(dealer, fault)
    qualified = dealer_strength >= WRONGLY_QUALIFYING.get(fault or "", QUALIFYING[STUD])
    pay = pays[player_strength >> 20]
    stake = 1 if fault == "call-of-one" else 2
    net, net_of_ante = (
        settled(
            STUD,
            player_strength,
            dealer_strength,
            called=called,
            qualified=qualified,
            pay=pay,
            stake=units,
            fault=fault,
        )
        for units in (stake, 0)
    )
    fees, call = exchanged.astype(np.int64), stake * called.astype(np.int64)
    net -= fees * {"exchange-free": 0, "exchange-fee-twice": 2}.get(fault or "", 1)
    frame = pl.DataFrame(
        {
            "round": np.arange(1, rounds + 1, dtype=np.int64),
            "player": texts_of(player),
            "upcard": texts_of(dealer[:, :1]),
            "dealer": texts_of(dealer),
            "action": np.where(called, "call", "fold").tolist(),
            "ante": np.ones(rounds, np.int64),
            "call": call,
            "gave_up": texts_of(first).set(pl.Series(~exchanged), ""),
            "fees": fees,
            "net": logged(net, net_of_ante, 1 + call + fees, fault),
        }
    )
    return frame if exchange else frame.drop("gave_up", "fees")


def holdem(rng: np.random.Generator, rounds: int, pays: Ints, strategy: str, *, fault: str | None) -> pl.DataFrame:
    """Rounds of Casino Hold'em; from each deck come the player's two, the dealer's two and the board, flop first."""
    decks = shuffled(rng, rounds, 9, fault)
    player, dealer, board = decks[:, :2], decks[:, 2:4], decks[:, 4:9]
    if fault == "dealer-from-fresh-deck":
        dealer = full_decks(rng, rounds)[:, :2]

    seen = np.hstack([player, board[:, :3]])
    called = np.full(rounds, strategy == "always-call" or fault == "strategy-ignored") | (
        strengths(seen) >= PAIR_OR_BETTER
    )

    player_strength = strengths(np.hstack([player, board]), fault)
    dealer_strength = strengths(np.hstack([dealer, board]), fault)
    qualified = dealer_strength >= WRONGLY_QUALIFYING.get(fault or "", QUALIFYING[HOLDEM])
    if fault == "board-cannot-qualify":
        qualified &= dealer_strength > strengths(board)
    if fault == "board-pair-cannot-qualify":
        own, shared = dealer >> 2, board >> 2
        in_pair = (own[:, :, None] == shared[:, None, :]).any(axis=(1, 2)) | (own[:, 0] == own[:, 1])
        qualified &= in_pair | (dealer_strength >> 20 != PAIR)
    pay = pays[(strengths(seen) if fault == "by-five-cards" else player_strength) >> 20]
    stake = 1 if fault == "call-of-one" else 2
    net, net_of_ante = (
        settled(
            HOLDEM,
            player_strength,
            dealer_strength,
            called=called,
            qualified=qualified,
            pay=pay,
            stake=units,
            fault=fault,
        )
        for units in (stake, 0)
    )
    call = stake * called.astype(np.int64)
    return pl.DataFrame(
        {
            "round": np.arange(1, rounds + 1, dtype=np.int64),
            "player": texts_of(player),
            "board": texts_of(board),
            "dealer": texts_of(dealer),
            "action": np.where(called, "call", "fold").tolist(),
            "ante": np.ones(rounds, np.int64),
            "call": call,
            "net": logged(net, net_of_ante, 1 + call, fault),
        }
    )
