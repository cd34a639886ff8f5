/* The obvious road: every dealer completion of a deal, ranked and compared one by one. */
#include <string.h>

#include "cards_in_sight.h"
#include "pycs.h"
#include "rank.h"

enum { LANES = 4, NO_HAND = 0x7FFF, LIVE = 46, CARD_PAIRS = LIVE * (LIVE - 1) / 2, RANK_PAIRS = 13 * 14 / 2 };

/* The live cards by twos, so that the inner loop is long: the pairs of the last cards come first. */
typedef struct {
    uint8_t ranks[CARD_PAIRS];   /* the number of its pair of ranks */
    uint16_t suited[CARD_PAIRS]; /* the two ranks, one bit each, when both cards are of the upcard's suit, else 0 */
} card_pairs;

static uint8_t rank_pair(int high, int low) { return (uint8_t)(high * (high + 1) / 2 + low); }

/* The strength of the upcard with two pairs of ranks, flushes aside. Ranks that would come five times are never asked.
 */
static void rank_by_pairs(uint8_t upcard, uint16_t strengths[RANK_PAIRS][RANK_PAIRS]) {
    uint32_t key[RANK_PAIRS];
    for (int high = 0; high < 13; high++) {
        for (int low = 0; low <= high; low++) {
            key[rank_pair(high, low)] = pycs_card_key[4 * high] + pycs_card_key[4 * low];
        }
    }
    for (int one = 0; one < RANK_PAIRS; one++) {
        for (int two = 0; two <= one; two++) {
            strengths[one][two] = strengths[two][one] = pycs_plain_5(pycs_card_key[upcard] + key[one] + key[two]);
        }
    }
}

/* strengths[i] of the dealer's hand made of the upcard, two cards (that gave the row), and pair i. */
static void rank_all(const card_pairs *pairs, int count, const uint16_t row[RANK_PAIRS], uint16_t *restrict strengths) {
    for (int i = 0; i < count; i++) {
        strengths[i] = row[pairs->ranks[i]];
    }
    for (int i = count; i < count + LANES; i++) {
        strengths[i] = NO_HAND; /* fills the last word that the counts read */
    }
}

static void rank_flushes(const card_pairs *pairs, int count, uint32_t ranks, uint16_t *restrict strengths) {
    for (int i = 0; i < count; i++) {
        if (pairs->suited[i]) {
            strengths[i] = (uint16_t)pycs_flush_strength[ranks | pairs->suited[i]];
        }
    }
}

/*
 * How many of the strengths lie below a bound, four to a word: a strength and a bound have 15 bits, so taking the
 * strength from 0x8000 + bound - 1 never borrows from a neighbour and leaves the top bit on where the strength is
 * below.
 */
static int count_below(const uint16_t *strengths, int count, uint16_t bound) {
    const uint64_t each = UINT64_C(0x0001000100010001);
    const uint64_t bounds = each * (0x8000U + (uint64_t)bound - 1);
    uint64_t below = 0;
    for (int i = 0; i < count; i += LANES) {
        uint64_t four;
        memcpy(&four, strengths + i, sizeof four);
        below += (bounds - four) >> 15 & each;
    }
    return (int)((below & 0xFFFF) + (below >> 16 & 0xFFFF) + (below >> 32 & 0xFFFF) + (below >> 48));
}

static int count_equal(const uint16_t *strengths, int count, uint16_t bound) {
    return count_below(strengths, count, (uint16_t)(bound + 1)) - count_below(strengths, count, bound);
}

typedef struct {
    int not_qualified, win, push, lose;
} outcomes;

static outcomes walk(uint64_t in_sight, uint8_t upcard, uint16_t mine, uint16_t qualify) {
    uint8_t live[LIVE];
    for (int card = 0, count = 0; card < 52; card++) {
        if (!(in_sight >> card & 1)) {
            live[count++] = (uint8_t)card;
        }
    }
    card_pairs pairs;
    for (int c = LIVE - 2, i = 0; c >= 0; c--) {
        for (int d = c + 1; d < LIVE; d++, i++) {
            const int suited = (live[c] & 3) == (upcard & 3) && (live[d] & 3) == (upcard & 3);
            pairs.ranks[i] = rank_pair(live[d] >> 2, live[c] >> 2); /* live cards ascend */
            pairs.suited[i] = (uint16_t)(suited ? 1 << (live[c] >> 2) | 1 << (live[d] >> 2) : 0);
        }
    }
    uint16_t by_pairs[RANK_PAIRS][RANK_PAIRS];
    rank_by_pairs(upcard, by_pairs);
    outcomes total = {0, 0, 0, 0};
    uint16_t strengths[CARD_PAIRS + LANES];
    for (int a = 0; a < LIVE - 3; a++) {
        for (int b = a + 1; b < LIVE - 2; b++) {
            const int later = LIVE - 1 - b, count = later * (later - 1) / 2;
            rank_all(&pairs, count, by_pairs[rank_pair(live[b] >> 2, live[a] >> 2)], strengths);
            if ((live[a] & 3) == (upcard & 3) && (live[b] & 3) == (upcard & 3)) {
                const uint32_t ranks =
                    UINT32_C(1) << (upcard >> 2) | UINT32_C(1) << (live[a] >> 2) | UINT32_C(1) << (live[b] >> 2);
                rank_flushes(&pairs, count, ranks, strengths);
            }
            const int not_qualified = count_below(strengths, count, qualify);
            total.not_qualified += not_qualified;
            if (mine < qualify) {
                total.lose += count - not_qualified;
                continue;
            }
            const int weaker = count_below(strengths, count, mine), equal = count_equal(strengths, count, mine);
            total.win += weaker - not_qualified;
            total.push += equal;
            total.lose += count - weaker - equal;
        }
    }
    return total;
}

int64_t pycs_stud_walk(const uint8_t *deals, int64_t rows, uint16_t qualify, uint32_t *counts) {
    if (qualify < 1 || qualify > PYCS_STRENGTHS) {
        return 0;
    }
    for (int64_t row = 0; row < rows; row++, deals += 6) {
        const uint64_t in_sight = pycs_cards_in_sight(deals, 6);
        if (in_sight == 0) {
            return row;
        }
        const outcomes counted = walk(in_sight, deals[5], pycs_rank_5(deals), qualify);
        counts[row] = (uint32_t)counted.not_qualified;
        counts[rows + row] = (uint32_t)counted.win;
        counts[2 * rows + row] = (uint32_t)counted.push;
        counts[3 * rows + row] = (uint32_t)counted.lose;
    }
    return rows;
}
