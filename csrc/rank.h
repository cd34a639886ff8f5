/*
 * The hand ranker. A hand is the sum of its card keys, which fits carrying a partial hand through loops: add the key of
 * one more card, look up. The tables and the meaning of the keys: scripts/make_rank_tables.py.
 */
#ifndef PYCS_RANK_H
#define PYCS_RANK_H

#include <stdint.h>
#include <string.h>

extern const uint32_t pycs_card_key[52];
extern const uint16_t
    pycs_flush_strength[8192]; /* by the ranks held in the suit, one bit each; five to seven of them */
extern const uint16_t pycs_displacement_5[1 << 11];
extern const uint16_t pycs_plain_strength_5[1 << 13];
extern const uint16_t pycs_displacement_6[1 << 12];
extern const uint16_t pycs_plain_strength_6[1 << 15];
extern const uint16_t pycs_displacement_7[1 << 14];
extern const uint16_t pycs_plain_strength_7[1 << 16];

/* Strength of five, six, seven cards of which no five share a suit. Any sum stays inside the tables. */
static inline uint16_t pycs_plain_5(uint32_t sum) {
    return pycs_plain_strength_5[(sum >> 19) ^ pycs_displacement_5[(sum >> 8) & 0x7FF]];
}

static inline uint16_t pycs_plain_6(uint32_t sum) {
    return pycs_plain_strength_6[(sum >> 17) ^ pycs_displacement_6[(sum >> 5) & 0xFFF]];
}

static inline uint16_t pycs_plain_7(uint32_t sum) {
    return pycs_plain_strength_7[(sum >> 16) ^ pycs_displacement_7[(sum >> 2) & 0x3FFF]];
}

/* Strength of five cards, which must exist and differ. */
static inline uint16_t pycs_rank_5(const uint8_t cards[5]) {
    uint32_t first_four, last_four;
    memcpy(&first_four, cards, 4);
    memcpy(&last_four, cards + 1, 4);
    if ((first_four ^ last_four) & UINT32_C(0x03030303)) {
        return pycs_plain_5(pycs_card_key[cards[0]] + pycs_card_key[cards[1]] + pycs_card_key[cards[2]] +
                            pycs_card_key[cards[3]] + pycs_card_key[cards[4]]);
    }
    return pycs_flush_strength[1 << (cards[0] >> 2) | 1 << (cards[1] >> 2) | 1 << (cards[2] >> 2) |
                               1 << (cards[3] >> 2) | 1 << (cards[4] >> 2)];
}

#endif
