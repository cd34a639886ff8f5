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

/* The set of the cards left; 0 if a card does not exist or came twice. At most 5, 5 and 52 cards. */
static inline uint64_t pycs_live_cards(const uint8_t *mine, int my_cards, const uint8_t *dealer, int dealer_cards,
                                       const uint8_t *dead, int dead_cards) {
    uint8_t cards[5 + 5 + 52];
    int count = 0;
    for (int i = 0; i < my_cards; i++) {
        cards[count++] = mine[i];
    }
    for (int i = 0; i < dealer_cards; i++) {
        cards[count++] = dealer[i];
    }
    for (int i = 0; i < dead_cards; i++) {
        cards[count++] = dead[i];
    }
    const uint64_t in_sight = pycs_cards_in_sight(cards, count);
    return in_sight == 0 ? 0 : ~in_sight & ((UINT64_C(1) << 52) - 1);
}

#endif
