/* The one check of cards that come from outside. */
#ifndef PYCS_CARDS_IN_SIGHT_H
#define PYCS_CARDS_IN_SIGHT_H

#include <stdint.h>

/* The set of cards, one bit each; 0 if one of them does not exist or came twice. */
static inline uint64_t pycs_cards_in_sight(const uint8_t *cards, int count) {
    uint64_t set = 0;
    for (int i = 0; i < count; i++) {
        if (cards[i] >= 52 || set >> cards[i] & 1) {
            return 0;
        }
        set |= UINT64_C(1) << cards[i];
    }
    return set;
}

#endif
