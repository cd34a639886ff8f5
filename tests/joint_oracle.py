"""A second, plain road to what a round brings with side bets: the tests hold the fast code against what stands here.

Like oracle.py, on which it stands: nothing comes from the product and nothing is clever. A whole game is dealt out of a
small deck, round by round, and every bet of a round is settled by the rules; for the side bets alone there are closed
forms. Pays and prizes are by line, as oracle.CATEGORIES names them.

A side bet is a function of the player's cards, the seen cards and the action, which gives its net result. The seen
cards are the dealer's upcard, or the flop. A strategy is a function of the same cards that says whether to call.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

import holdem_oracle
import numpy as np
import oracle
from numpy.typing import NDArray
from oracle import ACE, CATEGORIES, FIVE, KING, Key, category_name, hand_key

Cards = tuple[int, ...]
Net = int | Fraction
SideBet = Callable[[Cards, Cards, str], Fraction]
Strategy = Callable[[Cards, Cards], bool]

QUEEN, JACK = 10, 9
SIX_CARD_HANDS = comb(52, 6)
FIVE_CARD_HANDS = comb(52, 5)


@cache
def best_key(cards: frozenset[int]) -> Key:
    """The key of the best five of some cards. A small deck has few sets of cards, so each is judged once."""
    return oracle.best_key(cards)


# --- the side bets ----------------------------------------------------------------------------------------------------


def five_plus_one(pays: Mapping[str, int], size: Fraction) -> SideBet:
    """The 5+1 Bonus: the best five of hand and upcard, paid after a fold too; lost on a line without a pay."""

    nets = {line: size * pays.get(line, -1) for line in CATEGORIES}
    return lambda hand, seen, _: nets[category_name(best_key(frozenset((*hand, *seen))))]


def jackpot(prizes: Mapping[str, int | Fraction], meter: Fraction, sharers: int, size: Fraction) -> SideBet:
    """The Jackpot on the player's own five cards. A prize is for one: the stake is gone.

    A whole number is paid for each 1 staked; a Fraction is a share of the meter, divided among the sharers.
    """

    nets = dict.fromkeys(CATEGORIES, -size)
    for line, prize in prizes.items():
        nets[line] += prize * meter / sharers if isinstance(prize, Fraction) else prize * size
    return lambda hand, _, __: nets[category_name(best_key(frozenset(hand)))]


def aa_bonus(pays: Mapping[str, int], size: Fraction, requires_call: bool) -> SideBet:
    """The AA Bonus on hole cards and flop, by the lines of holdem_oracle."""

    nets = {
        (line, action): size * holdem_oracle.settle_bonus(pays, line, action, requires_call)
        for line in (*holdem_oracle.BONUS_LINES, None)
        for action in ("fold", "call")
    }
    return lambda hole, flop, action: nets[holdem_oracle.bonus_line_of_key(best_key(frozenset((*hole, *flop)))), action]


# --- whole games, dealt out of a small deck ---------------------------------------------------------------------------


def stud_rounds(
    deck: Cards,
    pays: Mapping[str, int],
    bets: Sequence[SideBet] = (),
    strategy: Strategy | None = None,
    weigh: bool = True,
) -> Counter[tuple[Net, ...]]:
    """How many of all rounds of Caribbean Stud bring each (net of the main bet, net of each side bet).

    Without a strategy, a deal is called when that brings more over all that the dealer can hold; with `weigh`, side
    bets count for the decision.
    """

    def net(mine: str, end: str) -> int:
        return {"not_qualified": 1, "win": 1 + 2 * pays[mine], "push": 0, "lose": -3}[end]

    return _joint(stud_deals(deck), net, bets, strategy, weigh)


def holdem_rounds(
    deck: Cards,
    pays: Mapping[str, int],
    bets: Sequence[SideBet] = (),
    strategy: Strategy | None = None,
    weigh: bool = True,
) -> Counter[tuple[Net, ...]]:
    """The same for Casino Hold'em; a round is hole cards, flop, turn and river, and the dealer's two cards."""

    def net(mine: str, end: str) -> int:
        ante = pays[mine if mine in pays else "straight or less"]
        return {"not_qualified": ante, "win": ante + 2, "push": 0, "lose": -3}[end]

    return _joint(holdem_deals(deck), net, bets, strategy, weigh)


Ends = Counter[tuple[str, str]]
"""How many completions leave the player with a hand of this category, and end a called round like this."""


def _joint(
    deals: Sequence[tuple[Cards, Cards, Ends]],
    net: Callable[[str, str], int],
    bets: Sequence[SideBet],
    strategy: Strategy | None,
    weigh: bool,
) -> Counter[tuple[Net, ...]]:
    beside: dict[tuple[Net, ...], Counter[int]] = {}
    for hand, seen, ends in deals:
        side = {action: tuple(bet(hand, seen, action) for bet in bets) for action in ("fold", "call")}
        nets = [(net(*end), count) for end, count in ends.items()]
        rounds = sum(count for _, count in nets)
        if strategy is not None:
            called = strategy(hand, seen)
        else:
            gain = sum(net * count for net, count in nets) + rounds  # over a fold, which loses the ante
            if weigh and side["call"] != side["fold"]:
                gain += rounds * (sum(side["call"]) - sum(side["fold"]))
            called = gain > 0
        mains = beside.setdefault(side["call" if called else "fold"], Counter())
        for main, count in nets if called else [(-1, rounds)]:
            mains[main] += count
    return Counter({(main, *others): count for others, mains in beside.items() for main, count in mains.items()})


@cache
def stud_deals(deck: Cards) -> list[tuple[Cards, Cards, Ends]]:
    """Every hand and upcard out of a deck, with how the rounds end that they are the start of."""
    return [
        (hand, (up,), Counter(_stud_end(hand, (up, *four)) for four in combinations(without(deck, (*hand, up)), 4)))
        for hand in combinations(deck, 5)
        for up in without(deck, hand)
    ]


def _stud_end(hand: Cards, dealers: Cards) -> tuple[str, str]:
    mine, his = best_key(frozenset(hand)), best_key(frozenset(dealers))
    if not oracle.qualifies(his):
        return category_name(mine), "not_qualified"
    return category_name(mine), "win" if mine > his else "push" if mine == his else "lose"


@cache
def holdem_deals(deck: Cards) -> list[tuple[Cards, Cards, Ends]]:
    """Every two hole cards and flop out of a deck, with how the rounds end that they are the start of."""
    deals = []
    for hole in combinations(deck, 2):
        for flop in combinations(without(deck, hole), 3):
            live = without(deck, (*hole, *flop))
            ends = Counter(
                _holdem_end(hole, dealers, (*flop, *later))
                for later in combinations(live, 2)
                for dealers in combinations(without(live, later), 2)
            )
            deals.append((hole, flop, ends))
    return deals


def _holdem_end(hole: Cards, dealers: Cards, board: Cards) -> tuple[str, str]:
    mine, his = best_key(frozenset((*hole, *board))), best_key(frozenset((*dealers, *board)))
    return category_name(mine), holdem_oracle.outcome(mine, his)


def without(deck: Sequence[int], gone: Sequence[int]) -> list[int]:
    """The cards of a deck that are not gone."""
    return [card for card in deck if card not in gone]


# --- strategies, from their words -------------------------------------------------------------------------------------


def always_call(_: Cards, __: Cards) -> bool:
    """Call whatever you hold."""
    return True


def pair_or_better(hand: Cards, _: Cards) -> bool:
    """Raise a pair or better."""
    return best_key(frozenset(hand))[0] >= 1


def ace_king_or_better(hand: Cards, _: Cards) -> bool:
    """Raise ace-king high or better."""
    return oracle.qualifies(best_key(frozenset(hand)))


def ace_king_jack_eight_three(hand: Cards, _: Cards) -> bool:
    """Raise A-K-J-8-3 high or better."""
    return best_key(frozenset(hand)) >= best_key(frozenset(oracle.cards("AsKhJd8c3s")))


def matching_rank(hand: Cards, seen: Cards) -> bool:
    """Raise a pair or better, and ace-king when the upcard's rank is one of yours."""
    matches = seen[0] // 4 in {card // 4 for card in hand}
    return pair_or_better(hand, seen) or (ace_king_or_better(hand, seen) and matches)


def three_rules(hand: Cards, seen: Cards) -> bool:
    """Raise a pair or better, and ace-king by the three published rules."""
    if pair_or_better(hand, seen):
        return True
    if not ace_king_or_better(hand, seen):
        return False
    ranks, up = sorted((card // 4 for card in hand), reverse=True), seen[0] // 4
    first = up <= QUEEN and up in ranks
    second = up in (ACE, KING) and (QUEEN in ranks or JACK in ranks)
    third = up not in ranks and QUEEN in ranks and up < ranks[3]
    return first or second or third


# --- each side bet by itself ------------------------------------------------------------------------------------------


def five_card_frequencies() -> dict[str, int]:
    """How many five-card hands are of each category: the textbook's counts, from ranks and then suits."""
    straight_sets = 10
    flushes = 4 * comb(13, 5)
    counts = {
        "royal flush": 4,
        "straight flush": 4 * (straight_sets - 1),
        "four of a kind": 13 * 48,
        "full house": 13 * comb(4, 3) * 12 * comb(4, 2),
        "flush": flushes - 4 * straight_sets,
        "straight": straight_sets * (4**5 - 4),
        "three of a kind": 13 * comb(4, 3) * comb(12, 2) * 4**2,
        "two pair": comb(13, 2) * comb(4, 2) ** 2 * 44,
        "pair": 13 * comb(4, 2) * comb(12, 3) * 4**3,
        "high card": (comb(13, 5) - straight_sets) * (4**5 - 4),
    }
    assert sum(counts.values()) == FIVE_CARD_HANDS
    return counts


def six_card_frequencies() -> dict[str, int]:
    """How many six-card hands have a best five of each category, from ranks and then suits.

    Six cards cannot hold a flush or straight together with four of a kind, a full house or two three of a kinds: those
    leave at most four different ranks.
    """
    # A straight flush is counted at its highest: the sixth card is any other, but not the next one of the suit. Only
    # above the royal flush there is none.
    royal = 4 * 47
    straight_flush = 4 * 9 * 46
    five_suited = 4 * (comb(13, 6) + comb(13, 5) * 39)
    # Six different ranks with a straight in them, counted at its top; the same with one rank of the straight twice.
    six_ranks = 1 * 8 + 9 * 7
    five_ranks = 10
    # Suits without five alike: of six cards of different ranks, and of a pair and four others. Five alike of the six
    # are 6 places for the odd one and 3 suits for it; of the pair, one is in the suit and the other any of three.
    no_flush_six = 4**6 - 4 * (1 + 6 * 3)
    no_flush_pair = comb(4, 2) * 4**4 - 4 * 3
    counts = {
        "royal flush": royal,
        "straight flush": straight_flush,
        "four of a kind": 13 * comb(48, 2),
        "full house": comb(13, 2) * 4 * 4 + 13 * 4 * 12 * comb(4, 2) * 44,
        "flush": five_suited - royal - straight_flush,
        "straight": six_ranks * no_flush_six + five_ranks * 5 * no_flush_pair,
        "three of a kind": 13 * 4 * comb(12, 3) * 4**3,
        "two pair": comb(13, 3) * comb(4, 2) ** 3 + comb(13, 2) * comb(4, 2) ** 2 * comb(11, 2) * 4**2,
        "pair": (comb(13, 5) - five_ranks) * 5 * no_flush_pair,
        "high card": (comb(13, 6) - six_ranks) * no_flush_six,
    }
    assert sum(counts.values()) == SIX_CARD_HANDS
    return counts


def aa_bonus_frequencies() -> dict[str | None, int]:
    """How many first five cards make each line of the AA Bonus; None stands for no line."""
    of = five_card_frequencies()
    aces = comb(4, 2) * comb(12, 3) * 4**3
    counts: dict[str | None, int] = {line: of[line] for line in holdem_oracle.BONUS_LINES[:-1]}
    counts["aces to straight"] = aces + of["two pair"] + of["three of a kind"] + of["straight"]
    counts[None] = FIVE_CARD_HANDS - sum(counts.values())
    return counts


def five_plus_one_value(pays: Mapping[str, int]) -> Fraction:
    """The mean net result of a 5+1 Bonus of 1."""
    nets = sum(count * pays.get(line, -1) for line, count in six_card_frequencies().items())
    return Fraction(nets, SIX_CARD_HANDS)


def aa_bonus_value(pays: Mapping[str, int]) -> Fraction:
    """The mean net result of an AA Bonus of 1 that a fold does not lose."""
    nets = sum(count * (-1 if line is None else pays[line]) for line, count in aa_bonus_frequencies().items())
    return Fraction(nets, FIVE_CARD_HANDS)


def jackpot_value(
    prizes: Mapping[str, int | Fraction], meter: Fraction, sharers: int = 1, bet: Fraction = Fraction(1)
) -> Fraction:
    """The mean net result of a Jackpot bet, for each 1 staked, when the meter stands at `meter` as it is paid."""
    bet_on = jackpot(prizes, meter, sharers, bet)
    mean = Fraction(0)
    for line, count in five_card_frequencies().items():
        mean += count * bet_on(EXAMPLES[line], (), "fold")
    return mean / FIVE_CARD_HANDS / bet


EXAMPLES: dict[str, Cards] = {
    category_name(hand_key(oracle.cards(text))): oracle.cards(text)
    for text in (
        "AsKsQsJsTs",
        "KsQsJsTs9s",
        "AsAhAdAcKs",
        "AsAhAdKcKs",
        "AsKsQsJs9s",
        "AsKsQsJsTh",
        "AsAhAdKcQs",
        "AsAhKdKcQs",
        "AsAhKdQcJs",
        "AsKhQdJc9s",
    )
}
"""A hand of each category."""
assert set(EXAMPLES) == set(CATEGORIES)


def break_even_meter(
    prizes: Mapping[str, int | Fraction], sharers: int = 1, bet: Fraction = Fraction(1)
) -> Fraction | None:
    """The meter at which a bet is worth nothing: by the rule of false position, exact for a straight line."""
    at_0, at_1 = (jackpot_value(prizes, Fraction(meter), sharers, bet) for meter in (0, 1))
    return None if at_0 == at_1 else -at_0 / (at_1 - at_0)


def mean_meter(
    prizes: Mapping[str, int | Fraction], contribution: Fraction, seed: Fraction, sharers: int, bet: Fraction
) -> tuple[Fraction, Fraction]:
    """Where the meter stands in the long run, on average: before the bets of a round are in, and as it is paid.

    All sharers bet in each round and hold the same hand. The time from one royal flush to the next is a cycle. `n`
    rounds after its start, no royal flush having come, the meter is expected at m(n): m(0) is the seed, and then comes
    what is put in, and a share goes with the chance of a hand that wins one. So m(n) is a geometric series, and so is
    the chance of getting to n: the mean over all rounds is the sum over n of p (1 - p)^n m(n).
    """
    of = {line: Fraction(count, FIVE_CARD_HANDS) for line, count in five_card_frequencies().items()}
    p = sum((of[line] for line, prize in prizes.items() if prize == Fraction(1) and isinstance(prize, Fraction)), 0)
    shares = [(of[line] / (1 - p), prize) for line, prize in prizes.items() if isinstance(prize, Fraction)]
    kept = 1 - sum(chance * share for chance, share in shares if share < 1)
    added = contribution * bet * sharers
    if kept == 1:
        before = seed + added * (1 - p) / p
    else:
        limit = kept * added / (1 - kept)
        before = limit + (seed - limit) * p / (1 - (1 - p) * kept)
    return before, before + added


def mean_meter_by_iteration(
    prizes: Mapping[str, int | Fraction], contribution: float, seed: float, sharers: int, bet: float
) -> float:
    """The same mean, before the bets are in, from any start: the expectation after 2^40 rounds, in floats.

    One round takes the expectation m to a m + b. Doing twice what takes it to a m + b takes it to a (a m + b) + b.
    """
    of = {line: count / FIVE_CARD_HANDS for line, count in five_card_frequencies().items()}
    gone = sum(of[line] * float(prize) for line, prize in prizes.items() if isinstance(prize, Fraction))
    resets = sum(of[line] for line, prize in prizes.items() if isinstance(prize, Fraction) and prize == 1)
    a, b = 1 - gone, (1 - gone) * contribution * bet * sharers + resets * seed
    for _ in range(40):
        a, b = a * a, a * b + b
    return a * seed + b


def long_run_value(
    prizes: Mapping[str, int | Fraction], contribution: Fraction, seed: Fraction, sharers: int, bet: Fraction
) -> Fraction:
    """What a bet is worth in the long run, for each 1 staked, from the book of the meter.

    What goes into the meter comes out of it: the contributions, and the seed at each royal flush. Nothing of where the
    meter stands is needed.
    """
    of = {line: Fraction(count, FIVE_CARD_HANDS) for line, count in five_card_frequencies().items()}
    fixed = sum((of[line] * prize for line, prize in prizes.items() if not isinstance(prize, Fraction)), Fraction(0))
    seeded = sum((of[line] * seed for line, prize in prizes.items() if isinstance(prize, Fraction) and prize == 1), 0)
    return fixed - 1 + contribution + seeded / (sharers * bet)


# --- many hands at once -----------------------------------------------------------------------------------------------


@cache
def _rank_set_tables() -> tuple[NDArray[np.uint8], NDArray[np.bool_], NDArray[np.bool_]]:
    """For each set of ranks as 13 bits: how many there are, whether five in a row are, whether A-K-Q-J-T are."""
    size = np.array([bin(ranks).count("1") for ranks in range(1 << 13)], np.uint8)
    runs = [sum(1 << rank for rank in range(low, low + 5)) for low in range(9)]
    runs.append(sum(1 << rank for rank in (ACE, *range(FIVE + 1))))
    straight = np.array([any(ranks & run == run for run in runs) for ranks in range(1 << 13)])
    royal = np.array([ranks & runs[8] == runs[8] for ranks in range(1 << 13)])
    return size, straight, royal


def categories_of_rows(rows: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The category of the best five of each row of five or six cards, as its place in oracle.CATEGORIES."""
    size, straight, royal = _rank_set_tables()
    suits = [np.zeros(len(rows), np.uint16) for _ in range(4)]
    for column in rows.T:
        bit = np.left_shift(np.uint16(1), (column >> 2).astype(np.uint16))
        for suit in range(4):
            suits[suit] |= np.where((column & 3) == suit, bit, np.uint16(0))
    once = np.zeros(len(rows), np.uint16)
    twice, thrice, four = once.copy(), once.copy(), once.copy()
    for ranks in suits:
        four |= thrice & ranks
        thrice |= twice & ranks
        twice |= once & ranks
        once |= ranks
    pairs, trips = size[twice], size[thrice]

    category = np.minimum(pairs, 2)
    category[trips > 0] = 3
    category[straight[once]] = 4
    for ranks in suits:
        category[size[ranks] >= 5] = 5
    category[(trips > 0) & (pairs > 1)] = 6
    category[four > 0] = 7
    for ranks in suits:
        category[straight[ranks]] = 8
        category[royal[ranks]] = 9
    return category
