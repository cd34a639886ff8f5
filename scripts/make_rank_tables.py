"""Write csrc/rank_tables.c: the look-up tables of the hand ranker.

    python scripts/make_rank_tables.py            write the file
    python scripts/make_rank_tables.py --check    exit 1 if the file differs from what this script makes

Needs the standard library only. The output is the same on every machine.

A hand without a flush is known by how many cards of each rank it holds: the number whose base-5 digits are those
counts. Times an odd multiplier, modulo 2**32, that number stays unique, so it can be added up card by card: the key of
a card is `MULTIPLIER * 5**rank mod 2**32`. The top bits of the sum pick a slot, bits below pick a bucket whose
displacement is XORed into the slot; the script finds displacements under which no two holdings meet.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

TARGET = Path(__file__).resolve().parent.parent / "csrc" / "rank_tables.c"
MULTIPLIER = 0xBC91727F
# Cards in the hand -> (bits of a slot, bits of a bucket). csrc/rank.h states the same numbers.
SIZES = {5: (13, 11), 6: (15, 12), 7: (16, 14)}
ACE_LOW_STRAIGHT = (12, 3, 2, 1, 0)


def straight_top(ranks: frozenset[int]) -> int | None:
    """The highest rank of the best straight within the ranks, the ace counting low in A-2-3-4-5 only."""
    for top in range(12, 3, -1):
        if all(rank in ranks for rank in range(top - 4, top + 1)):
            return top
    return 3 if all(rank in ranks for rank in ACE_LOW_STRAIGHT) else None


def flush_key(ranks: frozenset[int]) -> tuple[int, ...]:
    top = straight_top(ranks)
    return (8, top) if top is not None else (5, *sorted(ranks, reverse=True)[:5])


def plain_key(counts: Counter[int]) -> tuple[int, ...]:
    """A tuple that orders the best five cards of a holding in which no flush counts."""
    by_size = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    sizes = [counts[rank] for rank in by_size]

    def kickers(taken: list[int], wanted: int) -> list[int]:
        return sorted((rank for rank in counts if rank not in taken), reverse=True)[:wanted]

    first = by_size[0]
    pairs = sorted((rank for rank in by_size[1:] if counts[rank] >= 2), reverse=True)
    top = straight_top(frozenset(counts))
    if sizes[0] == 4:
        return (7, first, *kickers([first], 1))
    if sizes[0] == 3 and pairs:
        return (6, first, pairs[0])
    if top is not None:
        return (4, top)
    if sizes[0] == 3:
        return (3, first, *kickers([first], 2))
    if sizes[0] == 2 and pairs:
        return (2, first, pairs[0], *kickers([first, pairs[0]], 1))
    if sizes[0] == 2:
        return (1, first, *kickers([first], 3))
    return (0, *kickers([], 5))


def holdings(cards: int, ranks: int = 13) -> Iterator[Counter[int]]:
    """Every way to hold so many cards by ranks, at most four of each."""

    def build(rank: int, left: int, held: dict[int, int]) -> Iterator[Counter[int]]:
        if left == 0:
            yield Counter(held)
        elif rank < ranks:
            for count in range(min(4, left) + 1):
                yield from build(rank + 1, left - count, held | ({rank: count} if count else {}))

    yield from build(0, cards, {})


def displace(keys: dict[int, int], slot_bits: int, bucket_bits: int) -> tuple[list[int], list[int]]:
    """(displacement of each bucket, strength in each slot) such that no two keys share a slot."""
    buckets: dict[int, list[int]] = {}
    for key in keys:
        bucket = key >> (32 - slot_bits - bucket_bits) & ((1 << bucket_bits) - 1)
        buckets.setdefault(bucket, []).append(key)
    displacements = [0] * (1 << bucket_bits)
    slots = [0] * (1 << slot_bits)
    for bucket, members in sorted(buckets.items(), key=lambda item: (-len(item[1]), item[0])):
        homes = [key >> (32 - slot_bits) for key in members]
        if len(set(homes)) < len(homes):
            raise SystemExit("two keys of one bucket share a slot: choose another multiplier")
        for displacement in range(1 << slot_bits):
            if all(slots[home ^ displacement] == 0 for home in homes):
                break
        else:
            raise SystemExit("no displacement fits: choose more slots or another multiplier")
        displacements[bucket] = displacement
        for key, home in zip(members, homes, strict=True):
            slots[home ^ displacement] = keys[key]
    return displacements, slots


def c_array(name: str, ctype: str, values: list[int]) -> str:
    lines = [f"const {ctype} {name}[{len(values)}] = {{"]
    line = "   "
    for value in values:
        piece = f" {value},"
        if len(line) + len(piece) > 120:
            lines.append(line)
            line = "   "
        line += piece
    return "\n".join([*lines, line, "};"])


def render() -> str:
    plain = {cards: list(holdings(cards)) for cards in SIZES}
    flushes = [frozenset(ranks) for size in (5, 6, 7) for ranks in combinations(range(13), size)]
    five_card_keys = {plain_key(held) for held in plain[5]} | {flush_key(ranks) for ranks in flushes[:1287]}
    strength = {key: number for number, key in enumerate(sorted(five_card_keys), 1)}
    if len(strength) != 7462:
        raise SystemExit(f"{len(strength)} strengths instead of 7462")

    card_keys = [MULTIPLIER * 5 ** (card // 4) % 2**32 for card in range(52)]
    flush_table = [0] * 8192
    for ranks in flushes:
        flush_table[sum(1 << rank for rank in ranks)] = strength[flush_key(ranks)]

    parts = [
        "/* Made by scripts/make_rank_tables.py, which tells what the numbers mean: change that, not this file. */",
        '#include "rank.h"',
        c_array("pycs_card_key", "uint32_t", card_keys),
        c_array("pycs_flush_strength", "uint16_t", flush_table),
    ]
    for cards, (slot_bits, bucket_bits) in SIZES.items():
        keys = {
            MULTIPLIER * sum(count * 5**rank for rank, count in held.items()) % 2**32: strength[plain_key(held)]
            for held in plain[cards]
        }
        displacements, slots = displace(keys, slot_bits, bucket_bits)
        parts.append(c_array(f"pycs_displacement_{cards}", "uint16_t", displacements))
        parts.append(c_array(f"pycs_plain_strength_{cards}", "uint16_t", slots))
    return "\n\n".join(parts) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the look-up tables of the hand ranker.")
    parser.add_argument("--check", action="store_true", help="compare with the file instead of writing it")
    text = render()
    if parser.parse_args().check:
        if TARGET.read_text() != text:
            sys.exit(f"{TARGET.name} is not what this script makes: run it without --check")
    else:
        TARGET.write_text(text)


if __name__ == "__main__":
    main()
