/*
 * What pycs_stud_exchange_again and pycs_stud_exchange_sweep work in. N is the hand just drawn, or dealt, whose ranks
 * are gone when it is given up; M is the hand drawn for it. The dealer's flushes are sets of cards to come that make
 * his hand a flush, all of one suit, "his".
 */
#ifndef PYCS_STUD_AGAIN_H
#define PYCS_STUD_AGAIN_H

#include <stdint.h>
#include <string.h>

#include "pycs.h"
#include "rank_sets.h"
#include "stud_by_ranks.h"
#include "stud_exchange_view.h"

enum {
    PYCS_RANK_SETS = 1 << PYCS_RANKS,
    PYCS_SMALL_SETS = 2380,     /* sets of up to five ranks */
    PYCS_CALLED_SETS = 794,     /* sets of up to four ranks out of the twelve that his suit may have left */
    PYCS_DEALERS_FLUSHES = 495, /* at most: four ranks out of twelve */
    PYCS_CLASSES = 8 + 2 * PYCS_DEALERS_FLUSHES,
    PYCS_PATTERNS = 1 << 5, /* which of N's different ranks lie in a suit */
    PYCS_SUIT_TABLE = 80000,
};

/* Whether M is folded or called, by its ranks: it may depend on the suits. */
enum { PYCS_FOLDS, PYCS_CALLS, PYCS_MIXED };

static const uint8_t pycs_suits_taken[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

typedef struct {
    uint16_t ranks, by_ranks, strength; /* that come; of the whole hand: by ranks alone, and as the flush it is */
    uint8_t parts;
    uint16_t part[16]; /* the numbers of its subsets among the called sets */
} pycs_dealers_flush;

/* By ranks alone a flush is taken back (sign -1) at one strength, and as itself it is counted (1) at another. */
typedef struct {
    uint16_t strength, flush;
    int sign;
} pycs_flush_event;

/* What his flushes change for hands without a flush, from one strength to another. */
typedef struct {
    int64_t low, high; /* it is never outside of these */
    int64_t *change;   /* by the ranks, squeezed, that his suit lost: the sum over his flushes that hold none of them */
} pycs_correction;

/* How a flush of the player stands among his: so many are below it, and no better than it, if they qualify. */
typedef struct {
    uint16_t below, up_to;
    int64_t win, low, high; /* low, high: what his change for it is never outside of these */
} pycs_flush_standing;

/* His flushes that hold none of some ranks: so far, by strength; and those that fail by ranks alone. */
typedef struct {
    int32_t so_far[PYCS_DEALERS_FLUSHES + 1], failed_by_ranks;
} pycs_flushes_left;

/* One for each N side by side. */
typedef struct {
    uint64_t of[PYCS_LANES];
} pycs_lane_totals;

typedef struct {
    int32_t of[PYCS_LANES];
} pycs_lane_counts;

typedef struct {
    int16_t of[PYCS_LANES];
} pycs_lane_ways;

typedef struct {
    /* The question. */
    pycs_exchange_view view;
    const int64_t *nets;
    uint16_t qualify;
    int64_t completions, completions_after;           /* of the dealer's hand: with N drawn; with M drawn as well */
    int64_t draws;                                    /* pairs of M and completion for each completion that N leaves */
    int64_t fold;                                     /* the total of a fold of M */
    uint8_t live[PYCS_RANKS], live_suits[PYCS_RANKS]; /* live cards of each rank: how many, and of which suits */
    uint32_t live_in[4];                              /* by suit: the ranks left */
    pycs_rank_lists lists;

    /* Rows that may be left out. */
    int leaves_out;
    int64_t allowance;      /* no row gains more than this in all pairs, if it is left out */
    int64_t best[10];       /* net of a category */
    int64_t most_of_suited; /* what straights and flushes may add to their value as high cards */

    /* The dealer's suit, -1 if no card to come can make his hand a flush, and the ranks left in it. */
    int suit, others[4], other_count;
    uint32_t suit_live;
    int squeezed_bits;
    uint16_t squeeze[PYCS_RANK_SETS]; /* a set of ranks to those left in his suit, without gaps */

    /* His flushes, by strength. */
    pycs_dealers_flush flushes[PYCS_DEALERS_FLUSHES];
    int flush_count, flushes_not_qualified;
    pycs_flush_event events[2 * PYCS_DEALERS_FLUSHES];
    int event_count;
    int called_sets;
    uint16_t called_set[1 << 12]; /* the number of a set of up to four ranks, squeezed */
    pycs_correction corrections[PYCS_CLASSES];
    int64_t *changes;
    uint16_t class_of[PYCS_RANK_HANDS];
    int64_t low[PYCS_RANK_HANDS], high[PYCS_RANK_HANDS]; /* of its class's correction */

    /* The player's flushes, by the number of their ranks among the hands with five different ones. */
    pycs_flush_standing standing[PYCS_UNPAIRED];
    uint8_t suits_of[PYCS_UNPAIRED]; /* in which all its cards are live, one bit each */
    uint8_t nominal[PYCS_UNPAIRED];  /* whether the same ranks without a flush are counted as called in the tables */
    uint16_t small_set[PYCS_SMALL_SETS], position[PYCS_RANK_SETS]; /* sets of up to five ranks, the smaller first */
    int tables_made;
    uint32_t offset[PYCS_RANK_SETS];           /* in a suit table, by the ranks that the dealer's suit lost */
    uint64_t suit_table[4][PYCS_SUIT_TABLE];   /* one for each of the others, from there on by the ranks that it lost */
    uint64_t own_suit[PYCS_RANK_SETS];         /* by the ranks that the dealer's suit lost */
    int64_t own_change[PYCS_UNPAIRED][1 << 7]; /* of a flush of the player in his suit, by pycs_again_beside */

    /* Several N side by side. */
    pycs_rank_pass pass;
    pycs_rank_values values[PYCS_LANES];
    uint8_t status[PYCS_LANES][PYCS_RANK_HANDS];
    uint16_t mixed[PYCS_LANES][PYCS_RANK_HANDS];
    int mixed_count[PYCS_LANES];
    pycs_lane_counts of_category[PYCS_CALLED_SETS]; /* M called that hold a given set of cards, by ranks in his suit: */
    pycs_lane_counts called[PYCS_CALLED_SETS];      /* of this category so far; of those below it; and weighted; */
    pycs_lane_totals weighted[PYCS_CALLED_SETS];    /* each less than 0 where the set is odd */
    pycs_lane_totals of_flush[PYCS_DEALERS_FLUSHES], by_ranks;

    /* One N. */
    const pycs_multiset *gone;
    uint8_t left[PYCS_RANKS];                              /* live cards of each rank */
    uint32_t ranks_in[PYCS_PATTERNS], lost[PYCS_PATTERNS]; /* a pattern's ranks; those left in his suit, squeezed */
    uint8_t low_pattern[1 << 7], high_pattern[1 << 6];     /* of the seven lowest ranks, of the others */
    int has_flushes_left;
    pycs_flushes_left flushes_left[PYCS_PATTERNS]; /* if N has that pattern in his suit */
    uint64_t base[PYCS_PATTERNS];
    uint64_t by_pattern[4][PYCS_PATTERNS];
    uint64_t exceptions[4][PYCS_PATTERNS][PYCS_PATTERNS];
    uint64_t of_suit[4][PYCS_PATTERNS][PYCS_PATTERNS]; /* by suit, pattern in it, pattern in the dealer's suit */

    /* N kept. */
    pycs_rank_values kept_values;
    int64_t stay_as[PYCS_PATTERNS], stay_flush[2]; /* by pattern in his suit; a flush in another suit, in his */

    /* The rows. */
    uint16_t order[PYCS_RANK_HANDS]; /* of N: the rows are written nearly one after the other */
    int32_t step[PYCS_RANKS][16]
                [5];     /* by rank, suits taken and cards so far: what these add to the rows from the end */
    uint32_t spread[16]; /* suits taken, five bits for each suit */
    int64_t *stay, *again;
} pycs_again;

static inline int64_t pycs_larger(int64_t a, int64_t b) { return a > b ? a : b; }
static inline int64_t pycs_smaller(int64_t a, int64_t b) { return a < b ? a : b; }

/* The live cards of each rank that N leaves. */
static inline void pycs_again_take(const pycs_again *work, const pycs_multiset *gone, uint8_t left[PYCS_RANKS]) {
    memcpy(left, work->live, sizeof work->live);
    for (int kind = 0; kind < gone->kinds; kind++) {
        left[gone->rank[kind]] = (uint8_t)(left[gone->rank[kind]] - gone->times[kind]);
    }
}

/* The bit of a rank in a set of ranks that his suit lost besides those of a flush in it; 0 if it is none of them. */
static inline uint32_t pycs_again_beside(const pycs_again *work, uint32_t flush, int rank) {
    const uint32_t others = work->suit_live & ~flush, bit = UINT32_C(1) << rank;
    return others & bit ? UINT32_C(1) << pycs_set_size(others & (bit - 1)) : 0;
}

/* stud_exchange_again.c */

/* All that does not depend on N, in a workspace of zeros. Returns 0 when the memory can't be had; changes is to be
 * freed in any case. */
int pycs_again_set_up(pycs_again *work, const pycs_exchange_view *view, uint16_t qualify, const int64_t nets[PYCS_NETS],
                      const uint8_t *dealer, int dealer_cards);

/* stud_again_flushes.c */

/* Returns 0 when the memory can't be had. */
int pycs_again_look_at_flushes(pycs_again *work, const uint8_t *dealer, int dealer_cards);
void pycs_again_make_tables(pycs_again *work);
void pycs_again_count_left(const pycs_again *work, uint32_t lost, pycs_flushes_left *left);
int64_t pycs_again_correct_flush(const pycs_again *work, const pycs_flushes_left *left,
                                 const pycs_flush_standing *standing);

/* stud_again_values.c */

/* Fold or call, of each M, for the N that are to be valued. */
void pycs_again_decide(pycs_again *work, const uint8_t valued[PYCS_LANES]);

/* What giving N up is worth: base by pattern in the dealer's suit, and of_suit. */
void pycs_again_value(pycs_again *work, const pycs_multiset *gone, int lane);

#endif
