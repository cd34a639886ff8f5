/* The canonical index, both directions. */
#include <stdlib.h>
#include <string.h>

#include "pycs.h"
#include "tests.h"

enum { BATCH = 1 << 14, RAW_DEALS = 122151120 };

static const uint8_t relabelings[24][4] = {
    {0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 1, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {0, 3, 2, 1}, {1, 0, 2, 3}, {1, 0, 3, 2},
    {1, 2, 0, 3}, {1, 2, 3, 0}, {1, 3, 0, 2}, {1, 3, 2, 0}, {2, 0, 1, 3}, {2, 0, 3, 1}, {2, 1, 0, 3}, {2, 1, 3, 0},
    {2, 3, 0, 1}, {2, 3, 1, 0}, {3, 0, 1, 2}, {3, 0, 2, 1}, {3, 1, 0, 2}, {3, 1, 2, 0}, {3, 2, 0, 1}, {3, 2, 1, 0},
};

/* A deal as one number, whatever the order of the hand: by suit, the ranks held and where the upcard is. */
static void suits_of(const uint8_t *deal, uint32_t suits[4]) {
    memset(suits, 0, 4 * sizeof *suits);
    for (int i = 0; i < 6; i++) {
        suits[deal[i] % 4] |= UINT32_C(1) << (deal[i] / 4 + (i == 5 ? 13 : 0));
    }
}

static int relabelings_that_change_nothing(const uint8_t *deal) {
    uint32_t suits[4];
    suits_of(deal, suits);
    int count = 0;
    for (int number = 0; number < 24; number++) {
        const uint8_t *const to = relabelings[number];
        count += suits[to[0]] == suits[0] && suits[to[1]] == suits[1] && suits[to[2]] == suits[2] &&
                 suits[to[3]] == suits[3];
    }
    return count;
}

void test_all_canonical_deals(void) {
    uint32_t *const indices = room_for(BATCH, sizeof *indices), *const again = room_for(BATCH, sizeof *again);
    uint8_t *const deals = room_for(BATCH, 6), *const weights = room_for(BATCH, 1);
    uint8_t last[5] = {0};
    int64_t raw_deals = 0, hands = 0;
    for (uint32_t first = 0; first < PYCS_DEALS; first += BATCH) {
        const int64_t count = first + BATCH <= PYCS_DEALS ? BATCH : PYCS_DEALS - first;
        for (uint32_t i = 0; i < count; i++) {
            indices[i] = first + i;
        }
        CHECK(pycs_canonical_deals(indices, count, deals, weights) == count, "deals from %u on", first);
        CHECK(pycs_deal_indices(deals, count, again) == count, "indices from %u on", first);
        CHECK(memcmp(indices, again, (size_t)count * sizeof *indices) == 0, "indices from %u on", first);
        for (int64_t i = 0; i < count; i++) {
            const uint8_t *const deal = deals + 6 * i;
            int held[4] = {0};
            for (int place = 0; place < 5; place++) {
                CHECK(place == 0 || deal[place - 1] > deal[place], "index %u", indices[i]);
                held[deal[place] % 4]++;
            }
            CHECK(held[3] >= held[2] && held[2] >= held[1] && held[1] >= held[0], "index %u", indices[i]);
            CHECK(weights[i] * relabelings_that_change_nothing(deal) == 24, "index %u", indices[i]);
            raw_deals += weights[i];
            hands += memcmp(last, deal, 5) != 0;
            memcpy(last, deal, 5);
        }
    }
    CHECK(raw_deals == RAW_DEALS, "weights add up to %lld", (long long)raw_deals);
    CHECK(hands == PYCS_HANDS, "%lld runs of one hand", (long long)hands);
    free(weights);
    free(deals);
    free(again);
    free(indices);
}

static void shuffle(uint8_t *cards, int count) {
    for (int i = count - 1; i > 0; i--) {
        const uint32_t other = random_below((uint32_t)i + 1);
        const uint8_t card = cards[i];
        cards[i] = cards[other];
        cards[other] = card;
    }
}

void test_index_ignores_suit_names_and_order(void) {
    for (int i = 0; i < (quick ? 2000 : 50000); i++) {
        uint8_t deal[6], images[24 * 6];
        uint32_t indices[24];
        draw(deal, 6, i % 3 ? 4 : 2);
        for (int number = 0; number < 24; number++) {
            const uint8_t *const to = relabelings[number];
            for (int place = 0; place < 6; place++) {
                images[6 * number + place] = (uint8_t)(deal[place] / 4 * 4 + to[deal[place] % 4]);
            }
            shuffle(images + 6 * number, 5);
        }
        CHECK(pycs_deal_indices(images, 24, indices) == 24, "deal %d", i);
        for (int number = 1; number < 24; number++) {
            CHECK(indices[number] == indices[0], "deal %d, relabeling %d", i, number);
        }
    }
}

typedef struct {
    uint64_t class_high, class_low; /* the least of the 24 images */
    uint32_t index;
} class_and_index;

static int by_class(const void *a, const void *b) {
    const class_and_index *const x = a, *const y = b;
    return x->class_high != y->class_high ? (x->class_high > y->class_high ? 1 : -1)
                                          : (x->class_low > y->class_low) - (x->class_low < y->class_low);
}

static int by_index(const void *a, const void *b) {
    const class_and_index *const x = a, *const y = b;
    return (x->index > y->index) - (x->index < y->index);
}

static class_and_index least_image(const uint8_t *deal) {
    class_and_index least = {UINT64_MAX, UINT64_MAX, PYCS_DEALS};
    uint32_t suits[4];
    suits_of(deal, suits);
    for (int number = 0; number < 24; number++) {
        const uint8_t *const to = relabelings[number];
        const class_and_index image = {(uint64_t)suits[to[0]] << 32 | suits[to[1]],
                                       (uint64_t)suits[to[2]] << 32 | suits[to[3]], PYCS_DEALS};
        least = by_class(&image, &least) < 0 ? image : least;
    }
    return least;
}

/* All deals out of the aces, kings, fives and twos: two have the same index exactly if they are of one class. */
void test_index_tells_classes_apart(void) {
    static const uint8_t ranks[4] = {0, 3, 11, 12};
    enum { DEALS_OF_16 = 4368 * 11 };
    class_and_index *const found = room_for(DEALS_OF_16, sizeof *found);
    size_t count = 0;
    for (uint32_t set = 0; set < UINT32_C(1) << 16; set++) {
        uint8_t deal[6], upcards[16];
        int held = 0, rest = 0;
        for (int i = 0; i < 16; i++) {
            const uint8_t card = (uint8_t)(4 * ranks[i / 4] + i % 4);
            if (!(set >> i & 1)) {
                upcards[rest++] = card;
            } else if (held < 5) {
                deal[held++] = card;
            }
        }
        for (int i = 0; held == 5 && rest == 11 && i < 11; i++) {
            deal[5] = upcards[i];
            found[count] = least_image(deal);
            CHECK(pycs_deal_indices(deal, 1, &found[count].index) == 1, "deal %zu", count);
            count++;
        }
    }
    CHECK(count == DEALS_OF_16, "%zu deals", count);
    qsort(found, count, sizeof *found, by_class);
    size_t classes = 1, different = 1;
    for (size_t i = 1; i < count; i++) {
        const int same = by_class(&found[i - 1], &found[i]) == 0;
        classes += !same;
        CHECK(!same || found[i - 1].index == found[i].index, "indices %u, %u", found[i - 1].index, found[i].index);
    }
    qsort(found, count, sizeof *found, by_index);
    for (size_t i = 1; i < count; i++) {
        different += found[i - 1].index != found[i].index;
    }
    CHECK(classes == different, "%zu classes, %zu indices", classes, different);
    free(found);
}

void test_bad_deals_have_no_index(void) {
    enum { ROWS = 20, UNTOUCHED = 0x7FFFFFFF };
    for (int64_t bad = 0; bad < ROWS; bad++) {
        for (int place = 0; place < 6; place++) {
            for (int way = 0; way < 8; way++) {
                uint8_t *const deals = room_for(ROWS, 6);
                uint32_t *const indices = room_for(ROWS, sizeof *indices);
                for (int64_t row = 0; row < ROWS; row++) {
                    draw(deals + 6 * row, 6, 4);
                    indices[row] = UNTOUCHED;
                }
                if (spoil(deals + 6 * bad, 6, place, way)) {
                    CHECK(pycs_deal_indices(deals, ROWS, indices) == bad, "row %lld, card %d, way %d", (long long)bad,
                          place, way);
                    for (int64_t row = 0; row < ROWS; row++) {
                        CHECK((indices[row] < PYCS_DEALS) == (row < bad), "row %lld", (long long)row);
                        CHECK(row < bad || indices[row] == UNTOUCHED, "row %lld", (long long)row);
                    }
                }
                free(indices);
                free(deals);
            }
        }
    }
    const uint8_t deal[6] = {0, 1, 2, 3, 4, 5};
    uint32_t index = UNTOUCHED;
    CHECK(pycs_deal_indices(deal, 0, &index) == 0 && index == UNTOUCHED, "no row");
}

void test_bad_indices_have_no_deal(void) {
    static const uint32_t bad_indices[] = {PYCS_DEALS, PYCS_DEALS + 1, UINT32_MAX};
    enum { ROWS = 20, UNTOUCHED = 0xFE };
    for (int64_t bad = 0; bad < ROWS; bad++) {
        for (int way = 0; way < 3; way++) {
            uint32_t *const indices = room_for(ROWS, sizeof *indices);
            uint8_t *const deals = room_for(ROWS, 6), *const weights = room_for(ROWS, 1);
            for (int64_t row = 0; row < ROWS; row++) {
                indices[row] = row == bad ? bad_indices[way] : PYCS_DEALS - 1 - random_below(PYCS_DEALS);
            }
            memset(deals, UNTOUCHED, 6 * ROWS);
            memset(weights, UNTOUCHED, ROWS);
            CHECK(pycs_canonical_deals(indices, ROWS, deals, weights) == bad, "row %lld", (long long)bad);
            for (int64_t row = 0; row < ROWS; row++) {
                uint8_t alone[6];
                memset(alone, UNTOUCHED, 6);
                CHECK(row > bad || pycs_canonical_deals(indices + row, 1, alone, NULL) == (row < bad), "row %lld",
                      (long long)row);
                CHECK(memcmp(alone, deals + 6 * row, 6) == 0, "row %lld", (long long)row);
                CHECK((weights[row] == UNTOUCHED) == (row >= bad), "row %lld", (long long)row);
            }
            free(weights);
            free(deals);
            free(indices);
        }
    }
    const uint32_t index = 0;
    uint8_t deal[6] = {UNTOUCHED}, weight = UNTOUCHED;
    CHECK(pycs_canonical_deals(&index, 0, deal, &weight) == 0, "no row");
    CHECK(deal[0] == UNTOUCHED && weight == UNTOUCHED, "no row");
}
