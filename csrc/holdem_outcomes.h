/* The outcomes of hold'em, and how a board with all the dealer's hands is put down as outcomes. */
#ifndef PYCS_HOLDEM_OUTCOMES_H
#define PYCS_HOLDEM_OUTCOMES_H

#include <stdint.h>

#include "pycs.h"

/* Of the first two there are six each, by the kind of the player's hand. */
enum { PYCS_HOLDEM_NOT_QUALIFIED = 0, PYCS_HOLDEM_WIN = 6, PYCS_HOLDEM_PUSH = 12, PYCS_HOLDEM_LOSE = 13 };

/* From 0, a royal flush, to 5, a straight or less. */
static inline int pycs_hand_kind(int strength) {
    int category = 9;
    while (category > 4 && strength < pycs_category_floor(category)) {
        category--;
    }
    return 9 - category;
}

/* So many hands of the dealer on one board, against the qualifying strength and the player's. */
typedef struct {
    int qualify, mine;
    int below_qualify, below_mine, up_to_mine;
} pycs_dealers;

/* A board, or some alike, that come in so many ways. */
static inline void pycs_add_boards(uint32_t counts[PYCS_HOLDEM_OUTCOMES], const pycs_dealers *of, int dealers,
                                   int ways) {
    const int kind = pycs_hand_kind(of->mine);
    int win = 0, push = 0;
    if (of->mine >= of->qualify) {
        win = of->below_mine - of->below_qualify;
        push = of->up_to_mine - of->below_mine;
    }
    counts[PYCS_HOLDEM_NOT_QUALIFIED + kind] += (uint32_t)(ways * of->below_qualify);
    counts[PYCS_HOLDEM_WIN + kind] += (uint32_t)(ways * win);
    counts[PYCS_HOLDEM_PUSH] += (uint32_t)(ways * push);
    counts[PYCS_HOLDEM_LOSE] += (uint32_t)(ways * (dealers - of->below_qualify - win - push));
}

#endif
