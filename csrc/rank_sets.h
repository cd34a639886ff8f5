/* Sets of ranks as 13 bits, and their number among the sets of one size: what the canonical indices are made of. */
#ifndef PYCS_RANK_SETS_H
#define PYCS_RANK_SETS_H

#include <stdint.h>

/* Ways to choose so many of so many ranks: pycs_choices[ranks][chosen]. */
static const uint16_t pycs_choices[13][6] = {
    {1, 0, 0, 0, 0, 0},         {1, 1, 0, 0, 0, 0},       {1, 2, 1, 0, 0, 0},         {1, 3, 3, 1, 0, 0},
    {1, 4, 6, 4, 1, 0},         {1, 5, 10, 10, 5, 1},     {1, 6, 15, 20, 15, 6},      {1, 7, 21, 35, 35, 21},
    {1, 8, 28, 56, 70, 56},     {1, 9, 36, 84, 126, 126}, {1, 10, 45, 120, 210, 252}, {1, 11, 55, 165, 330, 462},
    {1, 12, 66, 220, 495, 792},
};

/* How many of 13 bits are on, without a branch: counts of two, four, eight bits side by side. */
static inline uint32_t pycs_set_size(uint32_t ranks) {
    ranks -= ranks >> 1 & 0x5555;
    ranks = (ranks & 0x3333) + (ranks >> 2 & 0x3333);
    ranks = (ranks + (ranks >> 4)) & 0x0F0F;
    return (ranks + (ranks >> 8)) & 0x1F;
}

/* The number of a set among the sets of its size, in the order of the numbers whose bits they are. */
static inline uint32_t pycs_set_number(uint32_t ranks) {
    uint32_t number = 0;
    for (uint32_t taken = 1; ranks; taken++, ranks &= ranks - 1) {
        number += pycs_choices[pycs_set_size((ranks & -ranks) - 1)][taken];
    }
    return number;
}

static inline uint16_t pycs_set_at(uint32_t number, uint32_t size) {
    uint32_t ranks = 0;
    for (uint32_t rank = 12; size > 0; size--) {
        while (pycs_choices[rank][size] > number) {
            rank--;
        }
        number -= pycs_choices[rank][size];
        ranks |= UINT32_C(1) << rank;
    }
    return (uint16_t)ranks;
}

/* Pairs of two different numbers below n, numbered. */
static inline uint32_t pycs_pair_number(uint32_t high, uint32_t low) { return high * (high - 1) / 2 + low; }

static inline void pycs_pair_at(uint32_t number, uint32_t *high, uint32_t *low) {
    *high = 1;
    while (pycs_pair_number(*high + 1, 0) <= number) {
        ++*high;
    }
    *low = number - pycs_pair_number(*high, 0);
}

#endif
