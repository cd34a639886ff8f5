/* What the simulations of both games share: how a round ends, and the categories of strengths. */
#ifndef PYCS_SIMULATED_H
#define PYCS_SIMULATED_H

#include <stdint.h>

#include "pycs.h"

enum { PYCS_FOLD, PYCS_CALL, PYCS_EXCHANGE, PYCS_LOOK };

/* The end of a called round, 1 to 6. Without a branch: none could be foreseen. */
static inline int pycs_end_of_call(uint16_t mine, uint16_t his, uint16_t qualify) {
    return 2 + 3 * (his >= qualify) + (his > mine) - (mine > his);
}

static inline void pycs_categories(uint8_t of_strength[PYCS_STRENGTHS + 1]) {
    int category = 0;
    of_strength[0] = 0;
    for (int strength = 1; strength <= PYCS_STRENGTHS; strength++) {
        category += strength == pycs_category_floor(category + 1);
        of_strength[strength] = (uint8_t)category;
    }
}

#endif
