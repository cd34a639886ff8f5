/*
 * The canonical index of (two hole cards, flop), in closed form.
 *
 * Take the suits in canonical order: more flop cards first, then higher flop ranks, then higher hole ranks (a set of
 * ranks as the number whose bits they are). The numbers of flop cards in the suits, and which suits are twins, with the
 * same ranks on the flop, make five shapes. All flops of one shape have equally many hole cards, so
 *     index = first deal of the shape + number of the flop within its shape x hole cards of the shape + number of the
 * hole cards.
 * The hole cards stand in blocks by the two suits they are of. In a block a card goes by its number among the ranks of
 * its suit that are not on the flop.
 */
#include "holdem_deal.h"

#include <stddef.h>
#include <string.h>

#include "cards_in_sight.h"
#include "pycs.h"
#include "rank_sets.h"

enum { ONE_SUIT, TWO_ONE, THREE_ONES, ONE_TWINS, TRIPLETS, SHAPES };

typedef struct {
    uint32_t first_deal, holes;
} shape_range;

/* Hole cards: the blocks summed; the suits without a flop card are twins as well. */
static const shape_range ranges[SHAPES + 1] = {
    [ONE_SUIT] = {0, 344},        [TWO_ONE] = {98384, 721},    [THREE_ONES] = {829478, 1176},
    [ONE_TWINS] = {1165814, 744}, [TRIPLETS] = {1281878, 378}, [SHAPES] = {PYCS_HOLDEM_DEALS, 0},
};

typedef struct {
    uint16_t ranks[4]; /* by suit in canonical order: the ranks on the flop, one bit each */
    uint32_t live[4];  /* how many ranks are not */
    uint32_t first_deal, holes;
} canonical_flop;

static canonical_flop flop_of(const uint16_t r[4]) {
    canonical_flop flop;
    uint32_t shape, number;
    for (int place = 0; place < 4; place++) {
        flop.ranks[place] = r[place];
        flop.live[place] = 13 - pycs_set_size(r[place]);
    }
    if (r[1] == 0) {
        shape = ONE_SUIT;
        number = pycs_set_number(r[0]);
    } else if (r[2] == 0) {
        shape = TWO_ONE;
        number = pycs_set_number(r[0]) * 13 + pycs_set_number(r[1]);
    } else if (r[0] > r[1] && r[1] > r[2]) {
        shape = THREE_ONES;
        number = pycs_set_number(r[0] | r[1] | r[2]); /* three ranks are numbered as a set of three is */
    } else if (r[0] > r[2]) {
        const uint32_t twin = pycs_set_number(r[1]), other = pycs_set_number(r[0] > r[1] ? r[0] : r[2]);
        shape = ONE_TWINS;
        number = twin * 12 + (other > twin ? other - 1 : other);
    } else {
        shape = TRIPLETS;
        number = pycs_set_number(r[0]);
    }
    flop.holes = ranges[shape].holes;
    flop.first_deal = ranges[shape].first_deal + number * flop.holes;
    return flop;
}

/* The flop under which the deal of an index stands. */
static canonical_flop flop_at(uint32_t index) {
    uint16_t r[4] = {0, 0, 0, 0};
    uint32_t shape = 0;
    while (index >= ranges[shape + 1].first_deal) {
        shape++;
    }
    const uint32_t number = (index - ranges[shape].first_deal) / ranges[shape].holes;
    switch (shape) {
    case ONE_SUIT:
        r[0] = pycs_set_at(number, 3);
        break;
    case TWO_ONE:
        r[0] = pycs_set_at(number / 13, 2);
        r[1] = pycs_set_at(number % 13, 1);
        break;
    case THREE_ONES: {
        const uint16_t ones = pycs_set_at(number, 3);
        r[2] = (uint16_t)(ones & -ones);
        r[1] = (uint16_t)((ones - r[2]) & -(ones - r[2]));
        r[0] = (uint16_t)(ones - r[2] - r[1]);
        break;
    }
    case ONE_TWINS: {
        const uint32_t twin = number / 12, other = number % 12 < twin ? number % 12 : number % 12 + 1;
        r[0] = pycs_set_at(other > twin ? other : twin, 1);
        r[1] = pycs_set_at(twin, 1);
        r[2] = pycs_set_at(other > twin ? twin : other, 1);
        break;
    }
    default:
        r[0] = r[1] = r[2] = pycs_set_at(number, 1);
    }
    return flop_of(r);
}

/*
 * How many canonical hole cards there are with one in suit p and one in suit q, p <= q. Of twins the earlier holds the
 * higher hole ranks: two cards in one of them are in the first, and two cards in two of them are in the first two, the
 * rank in p not below that in q.
 */
static uint32_t block_size(const canonical_flop *flop, int p, int q) {
    const uint16_t *const r = flop->ranks;
    const uint32_t live = flop->live[p];
    if (p > 0 && r[p] == r[p - 1]) {
        return 0;
    }
    if (p == q) {
        return live * (live - 1) / 2;
    }
    if (r[q] != r[q - 1]) {
        return live * flop->live[q];
    }
    return q == p + 1 ? live * (live + 1) / 2 : 0;
}

typedef struct {
    int p, q;
    uint32_t first, size; /* the number of its first hole cards under the flop, and how many they are */
} hole_block;

static hole_block next_block(const canonical_flop *flop, const hole_block *block) {
    hole_block next = {.p = block->p, .q = block->q + 1, .first = block->first + block->size};
    if (next.q == 4) {
        next.q = ++next.p;
    }
    next.size = block_size(flop, next.p, next.q);
    return next;
}

static hole_block first_block(const canonical_flop *flop) {
    const hole_block block = {.size = block_size(flop, 0, 0)};
    return block;
}

/* Ranks as numbers among the ranks of the suit that are not on the flop, and back. */
static uint32_t live_number(uint32_t on_flop, uint32_t rank) {
    return rank - pycs_set_size(on_flop & ((UINT32_C(1) << rank) - 1));
}

static uint32_t live_rank(uint32_t on_flop, uint32_t number) {
    for (; on_flop; on_flop &= on_flop - 1) {
        number += number >= pycs_set_size((on_flop & -on_flop) - 1);
    }
    return number;
}

/* The number of two ranks in the block of p and q: a set, a multiset, or one and one. A set is given high to low. */
static uint32_t number_in_block(const canonical_flop *flop, int p, int q, uint32_t one, uint32_t two) {
    if (p == q) {
        return pycs_pair_number(one, two);
    }
    return flop->ranks[p] == flop->ranks[q] ? pycs_pair_number(one + 1, two) : one * flop->live[q] + two;
}

/* Canonical suits are shown as spades, hearts, diamonds, clubs. */
static uint8_t shown_card(uint32_t rank, int place) { return (uint8_t)(4 * rank + 3 - (uint32_t)place); }

/* From high to low. */
static void hole_cards_at(const canonical_flop *flop, const hole_block *block, uint32_t number, uint8_t holes[2]) {
    const int p = block->p, q = block->q;
    uint32_t one, two;
    if (p == q) {
        pycs_pair_at(number, &one, &two);
    } else if (flop->ranks[p] == flop->ranks[q]) {
        pycs_pair_at(number, &one, &two);
        one--;
    } else {
        one = number / flop->live[q];
        two = number % flop->live[q];
    }
    const uint8_t first = shown_card(live_rank(flop->ranks[p], one), p);
    const uint8_t second = shown_card(live_rank(flop->ranks[q], two), q);
    holes[0] = first > second ? first : second;
    holes[1] = first > second ? second : first;
}

/* From high to low, equal ranks in canonical suit order. */
static void flop_cards(const canonical_flop *flop, uint8_t cards[3]) {
    int count = 0;
    for (uint32_t rank = 13; rank-- > 0;) {
        for (int place = 0; place < 4; place++) {
            if (flop->ranks[place] >> rank & 1) {
                cards[count++] = shown_card(rank, place);
            }
        }
    }
}

uint32_t pycs_holdem_index(const uint8_t deal[5]) {
    uint32_t keys[4] = {0, 1, 2, 3}; /* from high bits to low: flop cards, flop ranks, hole ranks, the suit itself */
    for (int i = 0; i < 2; i++) {
        keys[deal[i] & 3] += UINT32_C(1) << (2 + (deal[i] >> 2));
    }
    for (int i = 2; i < 5; i++) {
        keys[deal[i] & 3] += UINT32_C(1) << 28 | UINT32_C(1) << (15 + (deal[i] >> 2));
    }
    for (int suit = 1; suit < 4; suit++) {
        const uint32_t key = keys[suit];
        int place = suit;
        for (; place > 0 && keys[place - 1] < key; place--) {
            keys[place] = keys[place - 1];
        }
        keys[place] = key;
    }
    uint16_t ranks[4];
    int place_of[4];
    for (int place = 0; place < 4; place++) {
        ranks[place] = (uint16_t)(keys[place] >> 15 & 0x1FFF);
        place_of[keys[place] & 3] = place;
    }
    const canonical_flop flop = flop_of(ranks);
    const uint8_t high = deal[0] > deal[1] ? deal[0] : deal[1], low = deal[0] > deal[1] ? deal[1] : deal[0];
    const int in_order = place_of[high & 3] <= place_of[low & 3];
    const uint8_t first = in_order ? high : low, second = in_order ? low : high;
    const int p = place_of[first & 3], q = place_of[second & 3];
    hole_block block = first_block(&flop);
    while (block.p != p || block.q != q) {
        block = next_block(&flop, &block);
    }
    return flop.first_deal + block.first +
           number_in_block(&flop, p, q, live_number(ranks[p], first >> 2), live_number(ranks[q], second >> 2));
}

/* 24 relabelings, less those that leave the deal as it is: suits that are the same on the flop and in the hole. */
static uint8_t weight_of(const canonical_flop *flop, const uint8_t holes[2]) {
    uint32_t keys[4];
    for (int place = 0; place < 4; place++) {
        keys[place] = (uint32_t)flop->ranks[place] << 13;
    }
    for (int i = 0; i < 2; i++) {
        keys[3 - (holes[i] & 3)] |= UINT32_C(1) << (holes[i] >> 2);
    }
    uint32_t stabilizer = 1, alike = 1;
    for (int place = 1; place < 4; place++) {
        alike = keys[place] == keys[place - 1] ? alike + 1 : 1;
        stabilizer *= alike;
    }
    return (uint8_t)(24 / stabilizer);
}

int64_t pycs_holdem_indices(const uint8_t *deals, int64_t rows, uint32_t *indices) {
    for (int64_t row = 0; row < rows; row++, deals += 5) {
        if (pycs_cards_in_sight(deals, 5) == 0) {
            return row;
        }
        indices[row] = pycs_holdem_index(deals);
    }
    return rows;
}

int64_t pycs_holdem_deals(const uint32_t *indices, int64_t rows, uint8_t *deals, uint8_t *weights) {
    canonical_flop flop = {.holes = 0}; /* kept, with the block, for the deals that follow under the same flop */
    hole_block block = {.size = 0};
    uint8_t cards[3];
    for (int64_t row = 0; row < rows; row++, deals += 5) {
        if (indices[row] >= PYCS_HOLDEM_DEALS) {
            return row;
        }
        if (indices[row] - flop.first_deal >= flop.holes) {
            flop = flop_at(indices[row]);
            flop_cards(&flop, cards);
            block = first_block(&flop);
        }
        const uint32_t number = indices[row] - flop.first_deal;
        if (number < block.first) {
            block = first_block(&flop);
        }
        while (number - block.first >= block.size) {
            block = next_block(&flop, &block);
        }
        hole_cards_at(&flop, &block, number - block.first, deals);
        memcpy(deals + 2, cards, sizeof cards);
        if (weights != NULL) {
            weights[row] = weight_of(&flop, deals);
        }
    }
    return rows;
}
