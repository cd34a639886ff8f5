/* Strengths of whole hands, in batches. */
#include "rank.h"

#include "cards_in_sight.h"
#include "pycs.h"

static const uint16_t category_floor[11] = {1, 1278, 4138, 4996, 5854, 5864, 7141, 7297, 7453, 7462, 7463};

uint16_t pycs_category_floor(int category) { return category >= 0 && category <= 10 ? category_floor[category] : 0; }

/* Hands are checked and ranked by so many. Their cards are followed by more hands: comparing runs over the end. */
enum { BLOCK = 16, MOST_CARDS = 7 };

/*
 * The functions below are inlined once for each number of cards, so that the loops over a hand unroll. Left to itself
 * clang does not, which costs it a factor of six.
 */
#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#elif defined(_MSC_VER)
#define INLINE static __forceinline
#else
#define INLINE static inline
#endif

/* Whether all cards of a block exist and each hand holds no card twice: bytes side by side, as vectors compare them. */
INLINE int block_is_good(const uint8_t *cards, int cards_each, uint8_t same_hand[MOST_CARDS][BLOCK * MOST_CARDS]) {
    uint8_t bad = 0;
    for (int i = 0; i < BLOCK * cards_each; i++) {
        bad |= cards[i] >= 52;
        for (int apart = 1; apart < cards_each; apart++) {
            bad |= (cards[i] == cards[i + apart]) & same_hand[apart][i];
        }
    }
    return !bad;
}

INLINE uint16_t rank_hand(const uint8_t *cards, int cards_each) {
    if (cards_each == 5) {
        return pycs_rank_5(cards);
    }
    /* One byte counts the cards of each suit; five or more, with three on top, reach the byte's bit of eight. */
    uint32_t sum = 0, suits = UINT32_C(0x03030303);
    for (int i = 0; i < cards_each; i++) {
        sum += pycs_card_key[cards[i]];
        suits += UINT32_C(1) << 8 * (cards[i] & 3);
    }
    suits &= UINT32_C(0x08080808);
    if (suits == 0) {
        return cards_each == 6 ? pycs_plain_6(sum) : pycs_plain_7(sum);
    }
    const int suit = (suits & UINT32_C(0xFFFF0000) ? 2 : 0) + (suits & UINT32_C(0xFF00FF00) ? 1 : 0);
    uint32_t ranks = 0;
    for (int i = 0; i < cards_each; i++) {
        ranks |= (uint32_t)((cards[i] & 3) == suit) << (cards[i] >> 2);
    }
    return pycs_flush_strength[ranks];
}

INLINE int64_t rank_hands(const uint8_t *cards, int64_t hands, int cards_each, uint16_t *strengths) {
    uint8_t same_hand[MOST_CARDS][BLOCK * MOST_CARDS];
    for (int apart = 1; apart < cards_each; apart++) {
        for (int i = 0; i < BLOCK * cards_each; i++) {
            same_hand[apart][i] = i % cards_each + apart < cards_each;
        }
    }
    int64_t hand = 0;
    for (; hand + BLOCK < hands; hand += BLOCK, cards += BLOCK * cards_each) {
        if (!block_is_good(cards, cards_each, same_hand)) {
            break;
        }
        for (int i = 0; i < BLOCK; i++) {
            strengths[hand + i] = rank_hand(cards + i * cards_each, cards_each);
        }
    }
    /* The last block, or the first bad one, hand by hand. */
    for (; hand < hands; hand++, cards += cards_each) {
        if (pycs_cards_in_sight(cards, cards_each) == 0) {
            return hand;
        }
        strengths[hand] = rank_hand(cards, cards_each);
    }
    return hands;
}

int64_t pycs_rank_hands(const uint8_t *cards, int64_t hands, int cards_each, uint16_t *strengths) {
    switch (cards_each) {
    case 5:
        return rank_hands(cards, hands, 5, strengths);
    case 6:
        return rank_hands(cards, hands, 6, strengths);
    case 7:
        return rank_hands(cards, hands, 7, strengths);
    default:
        return 0;
    }
}
