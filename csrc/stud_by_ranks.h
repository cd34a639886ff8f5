/* New hands against the dealer's by ranks alone, as if there were no flushes; several sets of live cards at once. */
#ifndef PYCS_STUD_BY_RANKS_H
#define PYCS_STUD_BY_RANKS_H

#include <stdint.h>

#include "pycs.h"

enum {
    PYCS_RANKS = 13,
    PYCS_RANK_HANDS = 6175,   /* hands of five by ranks alone: multisets */
    PYCS_UNPAIRED = 1287,     /* of them with five different ranks */
    PYCS_RANK_DEALERS = 1820, /* what may come to the dealer, by ranks: at most so many multisets */
    PYCS_MULTISETS = 2380,    /* of up to four ranks */
    PYCS_WORDS = 4,
    PYCS_LANES_OF_A_WORD = 3,
    PYCS_LANE_BITS = 21,
    PYCS_LANES = PYCS_WORDS * PYCS_LANES_OF_A_WORD,
};

/* A multiset of ranks. */
typedef struct {
    uint8_t kinds, rank[5], times[5]; /* its different ranks from high to low, and how often each comes */
    uint16_t ranks;                   /* as a set, one bit each */
    uint16_t strength;                /* of the whole hand, by ranks alone */
} pycs_multiset;

typedef struct {
    pycs_multiset of;
    uint8_t category;
    uint8_t eights, doubled[4]; /* eights of subsets; how often to double the sum so far before adding the next one */
    uint16_t number[4][8];      /* of the multisets of ranks that may come to the dealer as well */
    int16_t unpaired;           /* its number among those with five different ranks, or -1 */
} pycs_rank_hand;

/* What comes to the dealer, of these ranks; the numbers of its sub-multisets, and whether each is odd. */
typedef struct {
    pycs_multiset of;
    uint8_t parts, is_odd[16];
    uint16_t number[16];
} pycs_rank_dealer;

/* All of both, in the order of strength, for one upcard or more. */
typedef struct {
    uint16_t
        place[5][PYCS_RANKS]; /* what the first, second, ... rank of a multiset, from high to low, adds to its number */
    pycs_rank_hand hands[PYCS_RANK_HANDS];
    uint16_t unpaired[PYCS_UNPAIRED]; /* the numbers of the hands with five different ranks */
    pycs_rank_dealer dealers[PYCS_RANK_DEALERS];
    int dealer_count;
} pycs_rank_lists;

/* The value of every hand for one set of live cards: of how many hands, and the total of nets of a call of each. */
typedef struct {
    int64_t call[PYCS_RANK_HANDS], as_flush[PYCS_UNPAIRED];
    uint16_t ways[PYCS_RANK_HANDS];
} pycs_rank_values;

/*
 * Counts side by side, three in a word, so that plain 64-bit sums add them all at once. On the way they may borrow from
 * their neighbours; the whole word is exact. In the end each is less than 2^20 in size, even where there are no such
 * cards for a hand and the sum is no count of anything: no set of k cards is in more than choose(51 - k, 4 - k) of the
 * dealer's hands, which is 360,145 in all for the subsets of five cards.
 */
typedef struct {
    uint64_t word[PYCS_WORDS];
} pycs_packed;

/* What a pass works in. */
typedef struct {
    pycs_packed so_far[PYCS_MULTISETS + 1]; /* by multiset; the last one stays 0 */
    pycs_packed not_qualified[PYCS_RANK_HANDS], below[PYCS_RANK_HANDS], flush_below[PYCS_UNPAIRED];
    int16_t left_ways[PYCS_RANKS][5][5][PYCS_LANES]; /* to choose so many when so many are gone */
    int16_t ways[PYCS_RANKS][5][PYCS_LANES];         /* to choose so many of the live cards of a rank */
    int16_t rest[PYCS_RANKS][5][5][PYCS_LANES];      /* when so many of them are given */
} pycs_rank_pass;

/* dealer_key: the sum of the keys of the cards he shows. Returns 0 when the memory can't be had. */
int pycs_list_ranks(pycs_rank_lists *lists, uint32_t dealer_key, const uint8_t live[PYCS_RANKS], int to_come);

/*
 * live: by lane, the live cards of each rank, the new hand's and the dealer's among them. completions: the ways the
 * dealer's cards come once the new hand is drawn.
 */
/* Of a hand that is one: flush, straight flush or royal flush. */
static inline int pycs_flush_category(uint16_t strength) {
    return strength < pycs_category_floor(8) ? 5 : strength < PYCS_STRENGTHS ? 8 : 9;
}

void pycs_pass_ranks(pycs_rank_pass *pass, const pycs_rank_lists *lists, const uint8_t live[PYCS_LANES][PYCS_RANKS],
                     uint16_t qualify, const int64_t nets[14], int64_t completions,
                     pycs_rank_values values[PYCS_LANES]);

#endif
