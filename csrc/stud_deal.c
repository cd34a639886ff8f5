/*
 * The canonical index of (five cards, upcard), in closed form.
 *
 * Take the suits in canonical order: more cards first, then higher ranks (as the number whose bits are the ranks held).
 * Of suits that hold the same ranks, the upcard's comes first. The numbers of cards in the suits, and which suits hold
 * the same ranks, make ten shapes. All hands of one shape have equally many upcards, so
 *     index = first deal of the shape + number of the hand within its shape x upcards of the shape + number of the
 * upcard.
 */
#include "stud_deal.h"

#include <stddef.h>
#include <string.h>

#include "cards_in_sight.h"
#include "pycs.h"
#include "rank_sets.h"

enum {
    ONE_SUIT,
    FOUR_ONE,
    THREE_TWO,
    THREE_ONE_ONE,
    THREE_TWIN_ONES,
    TWO_TWO_ONE,
    TWIN_TWOS_ONE,
    TWO_ONES,
    TWO_TWINS,
    TWO_TRIPLETS,
    SHAPES
};

typedef struct {
    uint32_t first_hand, first_deal, upcards;
} shape_range;

/* Upcards: 13 less the cards held, summed over the suits, equal suits counted once. */
static const shape_range ranges[SHAPES + 1] = {
    [ONE_SUIT] = {0, 0, 8 + 13},
    [FOUR_ONE] = {1287, 27027, 9 + 12 + 13},
    [THREE_TWO] = {10582, 343057, 10 + 11 + 13},
    [THREE_ONE_ONE] = {32890, 1101529, 10 + 12 + 12 + 13},
    [THREE_TWIN_ONES] = {55198, 2150005, 10 + 12 + 13},
    [TWO_TWO_ONE] = {58916, 2280135, 11 + 11 + 12 + 13},
    [TWIN_TWOS_ONE] = {97955, 4114968, 11 + 12 + 13},
    [TWO_ONES] = {98969, 4151472, 11 + 12 + 12 + 12},
    [TWO_TWINS] = {121277, 5199948, 11 + 12 + 12},
    [TWO_TRIPLETS] = {133445, 5625828, 11 + 12},
    [SHAPES] = {PYCS_STUD_HANDS, PYCS_STUD_DEALS, 0},
};

static uint32_t hand_number(const uint16_t r[4]) {
    const uint32_t sizes[3] = {pycs_set_size(r[0]), pycs_set_size(r[1]), pycs_set_size(r[2])};
    uint32_t shape, number;
    if (sizes[0] == 5) {
        shape = ONE_SUIT;
        number = pycs_set_number(r[0]);
    } else if (sizes[0] == 4) {
        shape = FOUR_ONE;
        number = pycs_set_number(r[0]) * 13 + pycs_set_number(r[1]);
    } else if (sizes[0] == 3 && sizes[1] == 2) {
        shape = THREE_TWO;
        number = pycs_set_number(r[0]) * 78 + pycs_set_number(r[1]);
    } else if (sizes[0] == 3) {
        const uint32_t high = pycs_set_number(r[1]), low = pycs_set_number(r[2]);
        shape = high > low ? THREE_ONE_ONE : THREE_TWIN_ONES;
        number =
            high > low ? pycs_set_number(r[0]) * 78 + pycs_pair_number(high, low) : pycs_set_number(r[0]) * 13 + high;
    } else if (sizes[1] == 2) {
        const uint32_t high = pycs_set_number(r[0]), low = pycs_set_number(r[1]), single = pycs_set_number(r[2]);
        shape = high > low ? TWO_TWO_ONE : TWIN_TWOS_ONE;
        number = (high > low ? pycs_pair_number(high, low) : high) * 13 + single;
    } else {
        const uint32_t high = pycs_set_number(r[1]), middle = pycs_set_number(r[2]), low = pycs_set_number(r[3]);
        const uint32_t two = pycs_set_number(r[0]);
        if (high > middle && middle > low) {
            shape = TWO_ONES;
            number = two * 286 + pycs_set_number(r[1] | r[2] | r[3]);
        } else if (high > low) {
            const uint32_t single = high > middle ? high : low;
            shape = TWO_TWINS;
            number = two * 156 + middle * 12 + (single > middle ? single - 1 : single);
        } else {
            shape = TWO_TRIPLETS;
            number = two * 13 + high;
        }
    }
    return ranges[shape].first_hand + number;
}

static uint32_t shape_of_hand(uint32_t hand) {
    uint32_t shape = 0;
    while (hand >= ranges[shape + 1].first_hand) {
        shape++;
    }
    return shape;
}

pycs_stud_hand pycs_stud_hand_at(uint32_t hand) {
    const uint32_t shape = shape_of_hand(hand);
    const uint32_t number = hand - ranges[shape].first_hand;
    pycs_stud_hand result = {{0, 0, 0, 0}, ranges[shape].first_deal + number * ranges[shape].upcards};
    uint16_t *const r = result.ranks;
    switch (shape) {
    case ONE_SUIT:
        r[0] = pycs_set_at(number, 5);
        break;
    case FOUR_ONE:
        r[0] = pycs_set_at(number / 13, 4);
        r[1] = pycs_set_at(number % 13, 1);
        break;
    case THREE_TWO:
        r[0] = pycs_set_at(number / 78, 3);
        r[1] = pycs_set_at(number % 78, 2);
        break;
    case THREE_ONE_ONE: {
        uint32_t high, low;
        pycs_pair_at(number % 78, &high, &low);
        r[0] = pycs_set_at(number / 78, 3);
        r[1] = pycs_set_at(high, 1);
        r[2] = pycs_set_at(low, 1);
        break;
    }
    case THREE_TWIN_ONES:
        r[0] = pycs_set_at(number / 13, 3);
        r[1] = r[2] = pycs_set_at(number % 13, 1);
        break;
    case TWO_TWO_ONE: {
        uint32_t high, low;
        pycs_pair_at(number / 13, &high, &low);
        r[0] = pycs_set_at(high, 2);
        r[1] = pycs_set_at(low, 2);
        r[2] = pycs_set_at(number % 13, 1);
        break;
    }
    case TWIN_TWOS_ONE:
        r[0] = r[1] = pycs_set_at(number / 13, 2);
        r[2] = pycs_set_at(number % 13, 1);
        break;
    case TWO_ONES: {
        const uint16_t singles = pycs_set_at(number % 286, 3); /* three ranks are numbered as a set of three is */
        r[0] = pycs_set_at(number / 286, 2);
        r[3] = (uint16_t)(singles & -singles);
        r[2] = (uint16_t)((singles - r[3]) & -(singles - r[3]));
        r[1] = (uint16_t)(singles - r[3] - r[2]);
        break;
    }
    case TWO_TWINS: {
        const uint32_t twin = number % 156 / 12, other = number % 12;
        const uint32_t single = other >= twin ? other + 1 : other;
        r[0] = pycs_set_at(number / 156, 2);
        r[1] = pycs_set_at(single > twin ? single : twin, 1);
        r[2] = pycs_set_at(twin, 1);
        r[3] = pycs_set_at(single > twin ? twin : single, 1);
        break;
    }
    default:
        r[0] = pycs_set_at(number / 13, 2);
        r[1] = r[2] = r[3] = pycs_set_at(number % 13, 1);
    }
    return result;
}

/* Canonical suits are shown as spades, hearts, diamonds, clubs. */
static uint8_t shown_card(uint32_t rank, uint32_t place) { return (uint8_t)(4 * rank + 3 - place); }

void pycs_stud_hand_cards(const pycs_stud_hand *hand, uint8_t cards[5]) {
    int count = 0;
    for (uint32_t rank = 13; rank-- > 0;) {
        for (uint32_t place = 0; place < 4; place++) {
            if (hand->ranks[place] >> rank & 1) {
                cards[count++] = shown_card(rank, place);
            }
        }
    }
}

int pycs_stud_hand_upcards(const pycs_stud_hand *hand, uint8_t upcards[47]) {
    int count = 0;
    for (uint32_t place = 0; place < 4; place++) {
        if (place > 0 && hand->ranks[place] == hand->ranks[place - 1]) {
            continue;
        }
        for (uint32_t rank = 0; rank < 13; rank++) {
            if (!(hand->ranks[place] >> rank & 1)) {
                upcards[count++] = shown_card(rank, place);
            }
        }
    }
    return count;
}

/* A suit of the deal: its ranks, and whether the upcard is of it; the key sorts suits into canonical order. */
static uint32_t suit_key(uint32_t ranks, uint32_t has_upcard) {
    return pycs_set_size(ranks) << 14 | ranks << 1 | has_upcard;
}

uint32_t pycs_stud_index(const uint8_t deal[6]) {
    uint32_t ranks[4] = {0, 0, 0, 0};
    for (int i = 0; i < 5; i++) {
        ranks[deal[i] & 3] |= UINT32_C(1) << (deal[i] >> 2);
    }
    const uint32_t up_suit = deal[5] & 3, up_rank = deal[5] >> 2;
    uint32_t keys[4];
    for (uint32_t suit = 0; suit < 4; suit++) {
        const uint32_t key = suit_key(ranks[suit], suit == up_suit);
        uint32_t place = suit;
        for (; place > 0 && keys[place - 1] < key; place--) {
            keys[place] = keys[place - 1];
        }
        keys[place] = key;
    }
    uint16_t canonical[4];
    for (int place = 0; place < 4; place++) {
        canonical[place] = (uint16_t)(keys[place] >> 1 & 0x1FFF);
    }
    uint32_t upcard = 0;
    for (int place = 0; !(keys[place] & 1); place++) {
        if (place == 0 || canonical[place] != canonical[place - 1]) {
            upcard += 13 - pycs_set_size(canonical[place]);
        }
    }
    upcard += up_rank - pycs_set_size(ranks[up_suit] & ((UINT32_C(1) << up_rank) - 1));
    const uint32_t hand = hand_number(canonical);
    const uint32_t shape = shape_of_hand(hand);
    return ranges[shape].first_deal + (hand - ranges[shape].first_hand) * ranges[shape].upcards + upcard;
}

int pycs_stud_card_at(const uint8_t deal[6], int place) {
    uint32_t ranks[4] = {0, 0, 0, 0}, keys[4];
    for (int i = 0; i < 5; i++) {
        ranks[deal[i] & 3] |= UINT32_C(1) << (deal[i] >> 2);
    }
    for (uint32_t suit = 0; suit < 4; suit++) {
        keys[suit] = suit_key(ranks[suit], suit == (deal[5] & 3U)) << 2 | suit; /* of equal suits any may come first */
    }
    uint8_t shown[5];
    for (int i = 0; i < 5; i++) {
        uint32_t before = 0;
        for (int suit = 0; suit < 4; suit++) {
            before += keys[suit] > keys[deal[i] & 3];
        }
        shown[i] = shown_card(deal[i] >> 2, before);
    }
    int card = 0;
    for (int i = 0; i < 5; i++) {
        int above = 0;
        for (int j = 0; j < 5; j++) {
            above += shown[j] > shown[i];
        }
        card = above == place ? i : card;
    }
    return card;
}

/* 24 relabelings, less those that leave the deal as it is: suits that hold the same ranks and not the upcard. */
static uint8_t weight_of(const pycs_stud_hand *hand, uint8_t upcard) {
    const uint32_t up_place = 3 - (upcard & 3U);
    uint32_t stabilizer = 1, alike = 0;
    for (uint32_t place = 0; place < 4; place++) {
        if (place == 0 || hand->ranks[place] != hand->ranks[place - 1]) {
            alike = 0;
        }
        if (place != up_place) {
            stabilizer *= ++alike;
        }
    }
    return (uint8_t)(24 / stabilizer);
}

int64_t pycs_stud_indices(const uint8_t *deals, int64_t rows, uint32_t *indices) {
    for (int64_t row = 0; row < rows; row++, deals += 6) {
        if (pycs_cards_in_sight(deals, 6) == 0) {
            return row;
        }
        indices[row] = pycs_stud_index(deals);
    }
    return rows;
}

int64_t pycs_stud_deals(const uint32_t *indices, int64_t rows, uint8_t *deals, uint8_t *weights) {
    pycs_stud_hand hand;
    uint8_t cards[5], upcards[47];
    uint32_t first = 0, count = 0; /* the deals of the hand; its next deal needs no new one */
    for (int64_t row = 0; row < rows; row++, deals += 6) {
        if (indices[row] >= PYCS_STUD_DEALS) {
            return row;
        }
        if (indices[row] - first >= count) {
            uint32_t shape = 0;
            while (indices[row] >= ranges[shape + 1].first_deal) {
                shape++;
            }
            const uint32_t number = (indices[row] - ranges[shape].first_deal) / ranges[shape].upcards;
            hand = pycs_stud_hand_at(ranges[shape].first_hand + number);
            pycs_stud_hand_cards(&hand, cards);
            count = (uint32_t)pycs_stud_hand_upcards(&hand, upcards);
            first = hand.first_deal;
        }
        memcpy(deals, cards, sizeof cards);
        deals[5] = upcards[indices[row] - first];
        if (weights != NULL) {
            weights[row] = weight_of(&hand, deals[5]);
        }
    }
    return rows;
}
