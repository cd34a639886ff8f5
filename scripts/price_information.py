"""What knowing cards is worth in Caribbean Stud: prints every figure of docs/information.md.

    python scripts/price_information.py                       everything: some twenty minutes on two quiet cores
    python scripts/price_information.py --quick               up to three known cards, small samples: under a minute
    python scripts/price_information.py --only dealer         known cards of the dealer, exact: some three minutes
    python scripts/price_information.py --only hands          hands of other players, estimated: minutes for each
    python scripts/price_information.py --profile betmgm      by another pay table
    python scripts/price_information.py --json                one JSON document instead of the tables

Run it in a checkout with pycs installed: the quoted figures, which are of the profile `us`, stand in
tests/data/published.json. Percentages are of the ante, but for the element of risk, which is of all that is bet. An
estimate is followed by one standard error; the interval is four of them to each side.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from pycs import load_rules
from pycs.core import NEVER_FOLDED, stud_exchange
from pycs.information import (
    LEAST_SAMPLES,
    InformedPlay,
    SeenHands,
    always_call,
    canonical_sets,
    known_dealer_cards,
    seen_hands,
)
from pycs.ranking import CATEGORIES_UP, qualifying_strength
from pycs.stud_rules import CaribbeanStudRules

PUBLISHED = Path(__file__).resolve().parent.parent / "tests" / "data" / "published.json"
SAMPLES = {1: 13_000, 2: 26_000, 3: 52_000, 4: 104_000, 5: 130_000, 6: 208_000}


def percent(number: Fraction | float, places: int = 6) -> str:
    """A share as signed percent."""
    return f"{100 * float(number):+.{places}f}%"


def table(rows: Sequence[tuple[str, ...]]) -> str:
    """Aligned columns, the first to the left; the first row is the heading."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            f"{cell:<{width}}" if place == 0 else f"{cell:>{width}}"
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


# --- the dealer's cards ----------------------------------------------------------------------------------------------


def dealer_table(blind: InformedPlay, plays: list[InformedPlay]) -> str:
    """What known cards of the dealer are worth."""
    rows: list[tuple[str, ...]] = [
        ("known cards", "player's edge", "a card more", "element of risk", "called", "sd", "card sets", "exactly")
    ]
    rows.append(("none used", *_figures(blind, None)))
    for before, play in zip([None, *plays], plays, strict=False):
        rows.append((f"{play.cards}", *_figures(play, before)))
    return table(rows)


def _figures(play: InformedPlay, before: InformedPlay | None) -> tuple[str, ...]:
    return (
        percent(play.value),
        percent(play.value - before.value) if before else "",
        percent(play.element_of_risk),
        f"{100 * float(play.called):.4f}%",
        f"{play.sd:.6f}",
        f"{play.sets:,}",
        f"{play.value}",
    )


def by_category(rules: CaribbeanStudRules, cards: int, threads: int | None) -> Fraction:
    """The value of play that folds or calls all hands of a category alike, by the known cards of the dealer."""
    qualify = qualifying_strength(rules.dealer.qualifies)
    nets = [NEVER_FOLDED, *rules.exchange_nets[1:]]

    def net(known: tuple[int, ...]) -> tuple[int, int]:
        total = rounds = 0
        for category, (_, *ends) in zip(CATEGORIES_UP, stud_exchange([], known, [], qualify, nets), strict=True):
            call = sum(count * each for count, each in zip(ends, rules.nets(category), strict=True))
            total += max(call, rules.net_fold * sum(ends))
            rounds += sum(ends)
        return total, rounds

    sets, weights = zip(*canonical_sets(cards), strict=True)
    with ThreadPoolExecutor(threads) as pool:
        nets_and_rounds = list(pool.map(net, sets))
    sums = [sum(w * each[i] for w, each in zip(weights, nets_and_rounds, strict=True)) for i in (0, 1)]
    return Fraction(*sums)


def royal_as_straight_flush(play: InformedPlay) -> Fraction:
    """The value if a royal flush paid as other straight flushes do. No decision changes: such a hand is called."""
    less = play.rules.net_win("royal flush") - play.rules.net_win("straight flush")
    return play.value - Fraction(less * play.counts[-1][2], play.rounds)


def ties_folded(play: InformedPlay) -> Fraction:
    """The value if the calls that end in a push had been folded: what a player who knows everything could do."""
    pushes = sum(row[3] for row in play.counts)
    return play.value - Fraction((play.rules.net_push - play.rules.net_fold) * pushes, play.rounds)


def quoted_figures() -> dict[int, Decimal]:
    """The second-hand figures: the player's edge in percent of the ante, by known cards."""
    published = json.loads(PUBLISHED.read_text(encoding="utf-8"), parse_float=Decimal)["hole_cards_us"]
    return {int(cards): edge for cards, edge in published["player_edge_percent_by_known_dealer_cards"].items()}


def quoted_table(plays: list[InformedPlay], simple: dict[int, Fraction]) -> str:
    """The second-hand figures beside ours, and what plays that are not the best are worth."""
    rows: list[tuple[str, ...]] = [
        ("known cards", "quoted", "ours", "more by", "agrees", "by category", "royal as straight flush", "ties folded")
    ]
    for play in plays:
        theirs = quoted_figures()[play.cards]
        quoted = theirs.as_tuple()
        assert isinstance(quoted.exponent, int)  # or it would be no number
        ours = round(100 * play.value, -quoted.exponent)
        rows.append(
            (
                f"{play.cards}",
                f"{theirs:+}%",
                percent(play.value, 4),
                percent(play.value - Fraction(theirs) / 100, 4),
                "yes" if ours == Fraction(theirs) else "NO",
                percent(simple[play.cards], 4) if play.cards in simple else "",
                percent(royal_as_straight_flush(play), 4),
                percent(ties_folded(play), 4) if play.cards == 5 else "",
            )
        )
    return table(rows)


# --- other players' hands --------------------------------------------------------------------------------------------


def hands_table(nothing: InformedPlay, seen: list[SeenHands]) -> str:
    """What the hands of others are worth: each figure with its standard error."""
    heading = ("hands seen", "player's edge", "error", "interval (4 errors)", "gain", "element of risk", "error")
    rows: list[tuple[str, ...]] = [(*heading, "called", "error", "samples")]
    rows.append(
        (
            "0",
            percent(nothing.value, 4),
            "exact",
            "",
            "",
            percent(nothing.element_of_risk, 4),
            "exact",
            f"{100 * float(nothing.called):.3f}%",
            "exact",
            "",
        )
    )
    for each in seen:
        low, high = each.value.interval()
        rows.append(
            (
                f"{each.hands}",
                percent(each.value.value, 4),
                f"{100 * each.value.standard_error:.4f}%",
                f"{percent(low, 4)} to {percent(high, 4)}",
                percent(each.value.value - float(nothing.value), 4),
                percent(each.element_of_risk.value, 4),
                f"{100 * each.element_of_risk.standard_error:.4f}%",
                f"{100 * each.called.value:.3f}%",
                f"{100 * each.called.standard_error:.3f}%",
                f"{each.value.samples:,}",
            )
        )
    return table(rows)


def main(arguments: list[str] | None = None) -> int:
    """Count, sample and print."""
    parser = argparse.ArgumentParser(description="What knowing cards is worth in Caribbean Stud.")
    parser.add_argument("--profile", default="us", help="a profile of Caribbean Stud, or a TOML file (us)")
    parser.add_argument("--quick", action="store_true", help="up to three known cards, small samples")
    parser.add_argument("--only", choices=("dealer", "hands"), help="one of the two parts")
    parser.add_argument("--seed", type=int, default=1, help="of the samples (1)")
    parser.add_argument("--threads", type=int, help="without it, one for every core")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of the tables")
    options = parser.parse_args(arguments)
    started = time.monotonic()
    rules = load_rules(options.profile)
    blind, nothing = always_call(rules), known_dealer_cards(rules, 1, progress=False)
    assert isinstance(rules, CaribbeanStudRules)  # or it would have been refused
    document: dict[str, Any] = {"profile": rules.name, "always_call": blind.to_dict()}
    text = [f"{rules.name}: {rules.title}"]
    if options.only != "hands":
        most = 3 if options.quick else 5
        plays = [nothing, *(known_dealer_cards(rules, k, threads=options.threads) for k in range(2, most + 1))]
        document["known_dealer_cards"] = [play.to_dict() for play in plays]
        text += ["", "known cards of the dealer, the upcard among them; exact", dealer_table(blind, plays)]
        if rules.name == "us":
            simple = {play.cards: by_category(rules, play.cards, options.threads) for play in plays if play.cards < 5}
            document["by_category"] = {cards: str(value) for cards, value in simple.items()}
            text += ["", "the player's edge as quoted second hand, and ours", quoted_table(plays, simple)]
    if options.only != "dealer":
        samples = dict.fromkeys(SAMPLES, LEAST_SAMPLES) if options.quick else SAMPLES
        seen = [
            seen_hands(rules, hands, samples=number, seed=options.seed, threads=options.threads)
            for hands, number in samples.items()
        ]
        document["seen_hands"] = [each.to_dict() for each in seen]
        title = f"hands of other players seen; estimated, with one standard error, seed {options.seed}"
        text += ["", title, hands_table(nothing, seen)]
    document["seconds"] = round(time.monotonic() - started, 1)
    text += ["", f"took {document['seconds']:,.0f} s"]
    print(json.dumps(document, indent=2) if options.json else "\n".join(text))
    return 0


if __name__ == "__main__":
    sys.exit(main())
