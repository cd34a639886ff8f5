"""Is it ever right to give up more than one card in Oasis? A proof that it is not, at one ante a card.

    python scripts/oasis_discards.py                 all hands and upcards: some minutes
    python scripts/oasis_discards.py --share 0.01    a random share of them

Of three cards or more the fees alone are nearly enough: let every new hand beat every dealer who qualifies, and what
it wins is still too little. Where that is not so, and for two cards, the exchange is valued exactly for one choice of
suits, and a bound follows that holds for all. It is compared with a bound from below for the better of folding and
calling. Suits matter only through flushes:

1. The dealer's. He has at most 495 sets of four cards that make a flush with his upcard. Where two choices of suits
   differ, each of those can turn a win of the new hand into a loss or back, so the value of a hand that wins w
   differs by at most (w + 3) x 495 / completions.
2. The player's. As a rule, count every flush that can come as a sure win on top of what the exact value holds. Where
   this is not enough, with two cards to come a flush needs three suited ones that are kept: value the exchange
   exactly with these in one suit and the cards given up in others, which leaves as many flushes as there can be, once
   with the upcard in that suit and once not.

Exits with 1 when a bound fails, and shows the hand.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb
from random import Random
from typing import NamedTuple

import numpy as np

import pycs
from pycs.core import STUD, rank_hands, stud_exchange
from pycs.progress import progress_bar
from pycs.ranking import categories, category, qualifying_strength
from pycs.stud_rules import CaribbeanStudRules

FLUSHES_OF_DEALER = comb(12, 4)
Ranks = tuple[int, ...]


@cache
def oasis() -> CaribbeanStudRules:
    """The rules of the profile."""
    rules = pycs.load_rules("oasis")
    assert isinstance(rules, CaribbeanStudRules)
    return rules


def fee_of(size: int) -> int:
    """What it costs to give up so many cards."""
    exchange = oasis().exchange
    assert exchange is not None
    return exchange.fees.by_size()[size]


class Bound(NamedTuple):
    """How far an exchange stays below the better of folding and calling, in antes, at least; and of which ranks."""

    short_by: Fraction
    hand: Ranks
    upcard: int
    kept: Ranks


def rank_deals() -> list[tuple[Ranks, int]]:
    """All ranks of five cards, each with the rank of an upcard."""
    hands = [hand for hand in combinations_with_replacement(range(13), 5) if max(Counter(hand).values()) < 5]
    return [(hand, up) for hand in hands for up in range(13) if hand.count(up) < 4]


def choices(hand: Ranks) -> Iterator[tuple[Ranks, Ranks]]:
    """The ranks kept and those given up, for two cards or more."""
    for size in range(2, 6):
        for kept in sorted(set(combinations(hand, 5 - size))):
            given_up = Counter(hand)
            given_up.subtract(kept)
            yield kept, tuple(sorted(given_up.elements()))


def dealt(kept: Ranks, given_up: Ranks, up: int, *, suited: bool, up_suited: bool) -> tuple[list[int], list[int], int]:
    """Cards of these ranks. `suited`: those kept are of suit 3, and those given up are not if they need not be."""
    upcard = 4 * up + (3 if up_suited else 0)
    used = {upcard}
    cards: list[int] = []
    for place, rank in enumerate((*kept, *given_up)):
        of_kept = place < len(kept)
        # Kept cards that are not to be suited alternate; the upcard's suit comes last, for they keep off its flushes.
        order = [3] if suited and of_kept else [1, 2, 3, 0] if place % 2 == 0 else [2, 1, 3, 0]
        order = [1, 2, 0, 3] if suited and not of_kept else order
        card = next(4 * rank + suit for suit in order if 4 * rank + suit not in used)
        used.add(card)
        cards.append(card)
    return cards[: len(kept)], cards[len(kept) :], upcard


@cache
def excess(kept: Ranks) -> int:
    """How much more than a pair the hands with these ranks win, added up over all draws from the rest of the deck."""
    rules = oasis()
    cards = [4 * rank + suit for suit, rank in enumerate(kept)] if len(set(kept)) < len(kept) else [4 * r for r in kept]
    rest = np.array([card for card in range(52) if card not in cards], np.uint8)
    drawn = rest[np.array(list(combinations(range(len(rest)), 5 - len(cards))), np.uint8)]
    hands = np.hstack([np.tile(np.array(cards, np.uint8), (len(drawn), 1)), drawn])
    made = np.bincount(categories(rank_hands(hands)), minlength=10).tolist()
    wins = rules.exchange_nets[4:]
    return sum(count * (win - wins[0]) for count, win in zip(made, wins, strict=True))


def sure_win_bound(kept: Ranks, not_qualified: Fraction) -> Fraction:
    """What an exchange is worth at most: every new hand wins, but for the ante alone when the dealer fails."""
    rules, size = oasis(), 5 - len(kept)
    least = rules.net_win("high card")
    won = least + Fraction(excess(kept), comb(46, size))
    return won - (least - rules.net_not_qualified) * not_qualified - fee_of(size)


def exchange_bound(kept: Ranks, given_up: Ranks, up: int, *, suited: bool = False, up_suited: bool = False) -> Fraction:
    """What the exchange is worth at most, whatever the suits, but for flushes of the player that these suits lack."""
    rules = oasis()
    mine, dead, upcard = dealt(kept, given_up, up, suited=suited, up_suited=up_suited)
    nets = rules.exchange_nets
    counts = stud_exchange(mine, [upcard], dead, qualifying_strength(rules.dealer.qualifies), nets)
    fold, failed, push, lose, *wins = nets
    net = slack = 0
    for win, row in zip(wins, counts, strict=True):
        net += sum(pairs * each for pairs, each in zip(row, (fold, failed, win, push, lose), strict=True))
        slack += sum(row) * (win - lose)
    pairs = sum(map(sum, counts))
    completions = pairs // comb(46, len(given_up))
    value = Fraction(net, pairs) + Fraction(slack, pairs) * Fraction(FLUSHES_OF_DEALER, completions)
    return value - fee_of(len(given_up))


@cache
def sure_flushes(kept: Ranks) -> Fraction:
    """What the player's flushes add at most: every one that can come in any suit wins, and would have been folded."""
    if len(set(kept)) < len(kept):
        return Fraction(0)
    rules, suits, total = oasis(), 4 if not kept else 1, 0
    for drawn in combinations([rank for rank in range(13) if rank not in kept], 5 - len(kept)):
        made = category(int(rank_hands([[4 * rank for rank in (*kept, *drawn)]])[0]))
        total += suits * (rules.net_win(made) - rules.net_fold)
    return Fraction(total, comb(46, 5 - len(kept)))


def stay_bound(hand: Ranks, up: int) -> tuple[Fraction, Fraction]:
    """The least, whatever the suits: what the better of folding and calling is worth; how often the dealer fails."""
    rules = oasis()
    mine, _, upcard = dealt(hand, (), up, suited=False, up_suited=False)
    made = category(int(rank_hands([mine])[0]))
    counts = STUD.count([[*mine, upcard]], qualifying_strength(rules.dealer.qualifies))[:, 0].tolist()
    call = Fraction(sum(count * net for count, net in zip(counts, rules.nets(made), strict=True)), sum(counts))
    flushes = Fraction(FLUSHES_OF_DEALER, sum(counts))
    least_call = call - flushes * (rules.net_win(made) - rules.net_lose)
    return max(Fraction(rules.net_fold), least_call), Fraction(counts[0], sum(counts)) - flushes


def bound(rank_deal: tuple[Ranks, int]) -> list[Bound]:
    """The nearest that two, three, four and five cards given up come to staying, one for each number."""
    hand, up = rank_deal
    stay, not_qualified = stay_bound(hand, up)
    nearest: dict[int, Bound] = {}
    for kept, given_up in choices(hand):
        size = len(given_up)
        most = sure_win_bound(kept, not_qualified) if size > 2 else stay
        if most >= stay:
            most = exchange_bound(kept, given_up, up) + sure_flushes(kept)
        if most >= stay and size == 2 and len(set(kept)) == 3:
            suited = [exchange_bound(kept, given_up, up, suited=True)]
            if up not in kept:
                suited.append(exchange_bound(kept, given_up, up, suited=True, up_suited=True))
            most = max(exchange_bound(kept, given_up, up), *suited)
        found = Bound(stay - most, hand, up, kept)
        nearest[size] = min(nearest.get(size, found), found)
    return list(nearest.values())


def main() -> int:
    """Go through all of them, or a share."""
    parser = argparse.ArgumentParser(description="Prove that no more than one card is ever given up in Oasis.")
    parser.add_argument("--share", type=float, default=1.0, help="a random share of the ranks, above 0, at most 1")
    parser.add_argument("--seed", type=int, default=1, help="the seed of that share")
    arguments = parser.parse_args()
    if not 0 < arguments.share <= 1:
        parser.error(f"the share {arguments.share}: a number above 0 and at most 1 is allowed")
    deals = rank_deals()
    if arguments.share < 1:
        deals = Random(arguments.seed).sample(deals, max(1, round(arguments.share * len(deals))))
    nearest: dict[int, Bound] = {}
    failed: list[Bound] = []
    with ProcessPoolExecutor(os.cpu_count()) as pool, progress_bar(None, total=len(deals), unit=" hands") as bar:
        for found in pool.map(bound, deals, chunksize=16):
            for each in found:
                size = 5 - len(each.kept)
                nearest[size] = min(nearest.get(size, each), each)
                if each.short_by <= 0:
                    failed.append(each)
            bar.update()
    print(f"{len(deals):,} ranks of a hand and an upcard, every choice of two to five of the five cards")
    for size, each in sorted(nearest.items()):
        print(f"{size} cards given up fall short of the best fold or call by at least {_told(each)}")
    for each in failed:
        print(f"not proven: {_told(each)}")
    print("not proven for all" if failed else "proven: more than one card is never given up")
    return 1 if failed else 0


def _told(found: Bound) -> str:
    names = "23456789TJQKA"
    hand, kept = ("".join(names[rank] for rank in ranks) for ranks in (found.hand, found.kept))
    return f"{float(found.short_by):.6f} antes ({hand} against {names[found.upcard]}, keeping {kept or 'none'})"


if __name__ == "__main__":
    sys.exit(main())
