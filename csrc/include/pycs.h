/*
 * pycs: exact counts for Caribbean Stud and its variants.
 *
 * Cards are 0..51 = 4 x rank + suit; ranks 2..A are 0..12, suits c d h s are 0..3.
 * A strength is one of 7,462 classes of hands, 1 (7-5-4-3-2) to 7462 (royal flush); higher is better.
 * A deal is what the player sees: five cards in any order, then the upcard; six bytes.
 *
 * No function keeps or changes any state between calls: threads may call all of them at once. Each batch function
 * checks its cards (0..51, all different) and returns how many rows it did: fewer than asked for means that the row of
 * that number, counted from 0, holds a card that does not exist or the same card twice; the rows before it are done.
 * Buffers must have the stated length and must not overlap; they are not checked.
 */
#ifndef PYCS_H
#define PYCS_H

#include <stdint.h>

#define PYCS_STRENGTHS 7462
#define PYCS_HANDS 134459       /* five cards, up to a relabeling of the suits */
#define PYCS_DEALS 5649150      /* (five cards, upcard), up to a relabeling of the suits */
#define PYCS_COMPLETIONS 163185 /* four more dealer cards out of the 46 that are not in sight */

/* The release this core belongs to, such as "0.1.0". */
const char *pycs_version(void);

/*
 * The strength of each hand of the best five cards out of cards_each (5, 6 or 7; any other number does no row).
 * cards: hands x cards_each bytes. strengths: hands.
 */
int64_t pycs_rank_hands(const uint8_t *cards, int64_t hands, int cards_each, uint16_t *strengths);

/*
 * The lowest strength of a category: 0 high card, 1 pair, 2 two pair, 3 three of a kind, 4 straight, 5 flush,
 * 6 full house, 7 four of a kind, 8 straight flush, 9 royal flush; 10 gives 7463, one past the highest strength.
 * Any other number gives 0.
 */
uint16_t pycs_category_floor(int category);

/*
 * The canonical index, 0..5649149, of each deal: deals that a relabeling of the suits turns into each other share
 * it. All the upcards of a canonical hand stand together. deals: rows x 6 bytes. indices: rows.
 */
int64_t pycs_deal_indices(const uint8_t *deals, int64_t rows, uint32_t *indices);

/*
 * The canonical deal of each index, the inverse of pycs_deal_indices: cards from high to low, suits in the order
 * s h d c as far as there is a choice. weights (may be NULL): how many raw deals, of 122,151,120, the index stands for.
 * An index of PYCS_DEALS or more stops it, as a bad card does elsewhere. deals: rows x 6 bytes. weights: rows.
 */
int64_t pycs_canonical_deals(const uint32_t *indices, int64_t rows, uint8_t *deals, uint8_t *weights);

/*
 * Walks the 163,185 dealer hands that each deal leaves possible, ranks each, and counts: dealer hands weaker than the
 * strength qualify (1..7462; any other does no row) do not qualify; of the others the player beats some, ties some,
 * loses to the rest. deals: rows x 6 bytes. The four others: rows each.
 */
int64_t pycs_stud_walk(const uint8_t *deals, int64_t rows, uint16_t qualify, uint32_t *not_qualified, uint32_t *win,
                       uint32_t *push, uint32_t *lose);

/*
 * The same counts of the same deals by ranks and multiplicities, in microseconds a deal. Arguments as pycs_stud_walk.
 */
int64_t pycs_stud_count(const uint8_t *deals, int64_t rows, uint16_t qualify, uint32_t *not_qualified, uint32_t *win,
                        uint32_t *push, uint32_t *lose);

/*
 * The same counts for every canonical deal, in the order of their indices, by one sweep through all dealer hands in
 * the order of their strength. The four buffers: PYCS_DEALS each. Returns 0; -1 when 30 MB of memory can't be had or
 * qualify is not 1..7462, and then nothing was written.
 */
int pycs_stud_sweep(uint16_t qualify, uint32_t *not_qualified, uint32_t *win, uint32_t *push, uint32_t *lose);

#endif
