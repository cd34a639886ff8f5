/* The checks that both games share: the canonical index, and the three roads to the counts. */
#include <stdlib.h>
#include <string.h>

#include "pycs.h"
#include "tests.h"

const game stud = {
    .cards = 6,
    .first_part = 5,
    .outcomes = PYCS_STUD_OUTCOMES,
    .deals = PYCS_STUD_DEALS,
    .completions = PYCS_STUD_COMPLETIONS,
    .raw_deals = 122151120,
    .majors = 134459,
    .deals_of_16 = 4368 * 11,
    .indices_of = pycs_stud_indices,
    .deals_at = pycs_stud_deals,
    .roads = {pycs_stud_walk, pycs_stud_count},
    .sweep = pycs_stud_sweep,
};

const game holdem = {
    .cards = 5,
    .first_part = 2,
    .second_is_major = 1,
    .outcomes = PYCS_HOLDEM_OUTCOMES,
    .deals = PYCS_HOLDEM_DEALS,
    .completions = PYCS_HOLDEM_COMPLETIONS,
    .raw_deals = 25989600,
    .majors = 1755,
    .deals_of_16 = 120 * 364,
    .indices_of = pycs_holdem_indices,
    .deals_at = pycs_holdem_deals,
    .roads = {pycs_holdem_walk, pycs_holdem_count},
    .sweep = pycs_holdem_sweep,
};

static const uint8_t relabelings[24][4] = {
    {0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 1, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {0, 3, 2, 1}, {1, 0, 2, 3}, {1, 0, 3, 2},
    {1, 2, 0, 3}, {1, 2, 3, 0}, {1, 3, 0, 2}, {1, 3, 2, 0}, {2, 0, 1, 3}, {2, 0, 3, 1}, {2, 1, 0, 3}, {2, 1, 3, 0},
    {2, 3, 0, 1}, {2, 3, 1, 0}, {3, 0, 1, 2}, {3, 0, 2, 1}, {3, 1, 0, 2}, {3, 1, 2, 0}, {3, 2, 0, 1}, {3, 2, 1, 0},
};

enum { RANKS = 13, ALL_RANKS = (1 << RANKS) - 1 };

static int size_of(uint32_t set) {
    int size = 0;
    for (; set; set &= set - 1) {
        size++;
    }
    return size;
}

/* A deal whatever the order of its cards: by suit, the ranks of the minor part, and above them those of the major. */
static void suits_of(const game *of, const uint8_t *deal, uint32_t suits[4]) {
    memset(suits, 0, 4 * sizeof *suits);
    for (int i = 0; i < of->cards; i++) {
        const int is_major = (i >= of->first_part) == of->second_is_major;
        suits[deal[i] % 4] |= UINT32_C(1) << (deal[i] / 4 + (is_major ? RANKS : 0));
    }
}

static int relabelings_that_change_nothing(const uint32_t suits[4]) {
    int count = 0;
    for (int number = 0; number < 24; number++) {
        const uint8_t *const to = relabelings[number];
        count += suits[to[0]] == suits[0] && suits[to[1]] == suits[1] && suits[to[2]] == suits[2] &&
                 suits[to[3]] == suits[3];
    }
    return count;
}

static int is_in_order(const game *of, const uint8_t *deal, const uint32_t suits[4]) {
    int in_order = 1;
    for (int i = 1; i < of->cards; i++) {
        in_order &= i == of->first_part || deal[i - 1] > deal[i];
    }
    for (int suit = 1; suit < 4; suit++) {
        const int size = size_of(suits[suit] >> RANKS), size_below = size_of(suits[suit - 1] >> RANKS);
        in_order &= size > size_below || (size == size_below && suits[suit] >= suits[suit - 1]);
    }
    return in_order;
}

void check_all_canonical_deals(const game *of) {
    enum { BATCH = 1 << 14 };
    uint32_t *const indices = room_for(BATCH, sizeof *indices), *const again = room_for(BATCH, sizeof *again);
    uint8_t *const deals = room_for(BATCH, (size_t)of->cards), *const weights = room_for(BATCH, 1);
    uint32_t last[4] = {0};
    int64_t raw_deals = 0, majors = 0;
    for (uint32_t first = 0; first < of->deals; first += BATCH) {
        const int64_t count = first + BATCH <= of->deals ? BATCH : of->deals - first;
        for (uint32_t i = 0; i < count; i++) {
            indices[i] = first + i;
        }
        CHECK(of->deals_at(indices, count, deals, weights) == count, "deals from %u on", first);
        CHECK(of->indices_of(deals, count, again) == count, "indices from %u on", first);
        CHECK(memcmp(indices, again, (size_t)count * sizeof *indices) == 0, "indices from %u on", first);
        for (int64_t i = 0; i < count; i++) {
            uint32_t suits[4];
            suits_of(of, deals + of->cards * i, suits);
            CHECK(is_in_order(of, deals + of->cards * i, suits), "index %u", indices[i]);
            CHECK(weights[i] * relabelings_that_change_nothing(suits) == 24, "index %u", indices[i]);
            raw_deals += weights[i];
            int is_new = 0;
            for (int suit = 0; suit < 4; suit++) {
                is_new |= suits[suit] >> RANKS != last[suit];
                last[suit] = suits[suit] >> RANKS;
            }
            majors += is_new;
        }
    }
    CHECK(raw_deals == of->raw_deals, "weights add up to %lld", (long long)raw_deals);
    CHECK(majors == of->majors, "%lld runs", (long long)majors);
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

void check_index_ignores_suit_names_and_order(const game *of) {
    for (int i = 0; i < (quick ? 2000 : 50000); i++) {
        uint8_t deal[MOST_CARDS], images[24 * MOST_CARDS];
        uint32_t indices[24];
        draw(deal, of->cards, i % 3 ? 4 : 2);
        for (int number = 0; number < 24; number++) {
            uint8_t *const image = images + of->cards * number;
            for (int place = 0; place < of->cards; place++) {
                image[place] = (uint8_t)(deal[place] / 4 * 4 + relabelings[number][deal[place] % 4]);
            }
            shuffle(image, of->first_part);
            shuffle(image + of->first_part, of->cards - of->first_part);
        }
        CHECK(of->indices_of(images, 24, indices) == 24, "deal %d", i);
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

static class_and_index class_of(const game *of, const uint8_t *deal) {
    class_and_index least = {UINT64_MAX, UINT64_MAX, of->deals};
    uint32_t suits[4];
    suits_of(of, deal, suits);
    for (int number = 0; number < 24; number++) {
        const uint8_t *const to = relabelings[number];
        const class_and_index image = {(uint64_t)suits[to[0]] << 32 | suits[to[1]],
                                       (uint64_t)suits[to[2]] << 32 | suits[to[3]], of->deals};
        least = by_class(&image, &least) < 0 ? image : least;
    }
    CHECK(of->indices_of(deal, 1, &least.index) == 1, "one good deal");
    return least;
}

/* All deals out of the aces, kings, fives and twos: two have the same index exactly if they are of one class. */
void check_index_tells_classes_apart(const game *of) {
    static const uint8_t ranks[4] = {0, 3, 11, 12};
    class_and_index *const found = room_for(of->deals_of_16, sizeof *found);
    size_t count = 0;
    for (uint32_t set = 0; set < UINT32_C(1) << 16; set++) {
        if (size_of(set) != of->cards) {
            continue;
        }
        uint8_t cards[MOST_CARDS];
        for (int i = 0, held = 0; i < 16; i++) {
            if (set >> i & 1) {
                cards[held++] = (uint8_t)(4 * ranks[i / 4] + i % 4);
            }
        }
        for (uint32_t part = 0; part < UINT32_C(1) << of->cards; part++) {
            if (size_of(part) != of->first_part) {
                continue;
            }
            uint8_t deal[MOST_CARDS], *first = deal, *second = deal + of->first_part;
            for (int i = 0; i < of->cards; i++) {
                *(part >> i & 1 ? first++ : second++) = cards[i];
            }
            found[count++] = class_of(of, deal);
        }
    }
    CHECK(count == of->deals_of_16, "%zu deals", count);
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

enum { UNTOUCHED = 0x7FFFFFFF, UNTOUCHED_BYTE = 0xFE };

static uint8_t *random_deals(const game *of, int64_t rows) {
    uint8_t *const deals = room_for((size_t)rows, (size_t)of->cards);
    for (int64_t row = 0; row < rows; row++) {
        draw(deals + of->cards * row, of->cards, 4);
    }
    return deals;
}

void check_bad_deals_have_no_index(const game *of) {
    enum { ROWS = 20 };
    for (int64_t bad = 0; bad < ROWS; bad++) {
        for (int place = 0; place < of->cards; place++) {
            for (int way = 0; way < 2 + of->cards; way++) {
                uint8_t *const deals = random_deals(of, ROWS);
                uint32_t *const indices = room_for(ROWS, sizeof *indices);
                for (int64_t row = 0; row < ROWS; row++) {
                    indices[row] = UNTOUCHED;
                }
                if (spoil(deals + of->cards * bad, of->cards, place, way)) {
                    CHECK(of->indices_of(deals, ROWS, indices) == bad, "row %lld, card %d, way %d", (long long)bad,
                          place, way);
                    for (int64_t row = 0; row < ROWS; row++) {
                        CHECK((indices[row] < of->deals) == (row < bad), "row %lld", (long long)row);
                        CHECK(row < bad || indices[row] == UNTOUCHED, "row %lld", (long long)row);
                    }
                }
                free(indices);
                free(deals);
            }
        }
    }
    const uint8_t deal[MOST_CARDS] = {0, 1, 2, 3, 4, 5};
    uint32_t index = UNTOUCHED;
    CHECK(of->indices_of(deal, 0, &index) == 0 && index == UNTOUCHED, "no row");
}

void check_bad_indices_have_no_deal(const game *of) {
    enum { ROWS = 20 };
    const uint32_t bad_indices[] = {of->deals, of->deals + 1, UINT32_MAX};
    const size_t cards = (size_t)of->cards;
    for (size_t bad = 0; bad < ROWS; bad++) {
        for (int way = 0; way < 3; way++) {
            uint32_t *const indices = room_for(ROWS, sizeof *indices);
            uint8_t *const deals = room_for(ROWS, cards), *const weights = room_for(ROWS, 1);
            for (size_t row = 0; row < ROWS; row++) {
                indices[row] = row == bad ? bad_indices[way] : of->deals - 1 - random_below(of->deals);
            }
            memset(deals, UNTOUCHED_BYTE, cards * ROWS);
            memset(weights, UNTOUCHED_BYTE, ROWS);
            CHECK(of->deals_at(indices, ROWS, deals, weights) == (int64_t)bad, "row %zu", bad);
            for (size_t row = 0; row < ROWS; row++) {
                uint8_t alone[MOST_CARDS];
                memset(alone, UNTOUCHED_BYTE, cards);
                CHECK(row > bad || of->deals_at(indices + row, 1, alone, NULL) == (row < bad), "row %zu", row);
                CHECK(memcmp(alone, deals + cards * row, cards) == 0, "row %zu", row);
                CHECK((weights[row] == UNTOUCHED_BYTE) == (row >= bad), "row %zu", row);
            }
            free(weights);
            free(deals);
            free(indices);
        }
    }
    const uint32_t index = 0;
    uint8_t deal[MOST_CARDS] = {UNTOUCHED_BYTE}, weight = UNTOUCHED_BYTE;
    CHECK(of->deals_at(&index, 0, deal, &weight) == 0, "no row");
    CHECK(deal[0] == UNTOUCHED_BYTE && weight == UNTOUCHED_BYTE, "no row");
}

uint8_t *weights_of_all_deals(const game *of) {
    uint32_t *const indices = room_for(of->deals, sizeof *indices);
    uint8_t *const deals = room_for(of->deals, (size_t)of->cards), *const weights = room_for(of->deals, 1);
    for (uint32_t i = 0; i < of->deals; i++) {
        indices[i] = i;
    }
    CHECK(of->deals_at(indices, of->deals, deals, weights) == of->deals, "weights");
    free(deals);
    free(indices);
    return weights;
}

static uint32_t *room_for_counts(const game *of, size_t rows) {
    return room_for((size_t)of->outcomes * rows, sizeof(uint32_t));
}

/* The outcomes of a row added up. */
static int64_t sum_of_row(const game *of, const uint32_t *counts, int64_t rows, int64_t row) {
    int64_t sum = 0;
    for (int outcome = 0; outcome < of->outcomes; outcome++) {
        sum += counts[outcome * rows + row];
    }
    return sum;
}

static void weigh_sweep(const game *of, const uint32_t *sweep, const uint8_t *weights, int64_t *totals) {
    for (uint32_t i = 0; i < of->deals; i++) {
        CHECK(sum_of_row(of, sweep, of->deals, i) == of->completions, "deal %u", i);
    }
    for (int outcome = 0; outcome < of->outcomes; outcome++) {
        totals[outcome] = 0;
        for (uint32_t i = 0; i < of->deals; i++) {
            totals[outcome] += (int64_t)weights[i] * sweep[(size_t)outcome * of->deals + i];
        }
    }
}

void check_roads_agree(const game *of, const uint8_t *deals, int64_t rows, const uint16_t *qualifies, int count,
                       void (*check_totals)(uint16_t qualify, const int64_t *totals)) {
    uint8_t *const weights = weights_of_all_deals(of);
    uint32_t *const indices = room_for((size_t)rows, sizeof *indices);
    CHECK(of->indices_of(deals, rows, indices) == rows, "indices");
    uint32_t *const sweep = room_for_counts(of, of->deals), *const found = room_for_counts(of, (size_t)rows);
    int64_t totals[MOST_OUTCOMES];
    for (int q = 0; q < count; q++) {
        CHECK(of->sweep(qualifies[q], sweep) == 0, "sweep");
        weigh_sweep(of, sweep, weights, totals);
        check_totals(qualifies[q], totals);
        for (int road = 0; road < 2; road++) {
            CHECK(of->roads[road](deals, rows, qualifies[q], found) == rows, "road %d", road);
            for (int outcome = 0; outcome < of->outcomes; outcome++) {
                for (int64_t row = 0; row < rows; row++) {
                    CHECK(found[outcome * rows + row] == sweep[(size_t)outcome * of->deals + indices[row]],
                          "road %d, outcome %d, deal %lld, from %d on", road, outcome, (long long)row, qualifies[q]);
                }
            }
        }
    }
    free(found);
    free(sweep);
    free(indices);
    free(weights);
}

static void leave_untouched(const game *of, uint32_t *counts, int64_t rows) {
    for (int64_t i = 0; i < of->outcomes * rows; i++) {
        counts[i] = UNTOUCHED;
    }
}

static int is_untouched(const game *of, const uint32_t *counts, int64_t rows, int64_t row) {
    int untouched = 1;
    for (int outcome = 0; outcome < of->outcomes; outcome++) {
        untouched &= counts[outcome * rows + row] == UNTOUCHED;
    }
    return untouched;
}

static void check_bad_deal(const game *of, int road, int64_t rows, int64_t bad, int place, int way) {
    uint8_t *const deals = random_deals(of, rows);
    uint32_t *const found = room_for_counts(of, (size_t)rows);
    leave_untouched(of, found, rows);
    if (spoil(deals + of->cards * bad, of->cards, place, way)) {
        CHECK(of->roads[road](deals, rows, 1, found) == bad, "road %d, row %lld, card %d, way %d", road, (long long)bad,
              place, way);
        for (int64_t row = 0; row < rows; row++) {
            CHECK(row < bad ? sum_of_row(of, found, rows, row) == of->completions : is_untouched(of, found, rows, row),
                  "row %lld", (long long)row);
        }
    }
    free(found);
    free(deals);
}

void check_bad_deals_are_not_counted(const game *of) {
    enum { ROWS = 3 };
    for (int road = 0; road < 2; road++) {
        for (int64_t bad = 0; bad < ROWS; bad++) {
            for (int place = 0; place < of->cards; place++) {
                for (int way = 0; way < 2 + of->cards; way++) {
                    check_bad_deal(of, road, ROWS, bad, place, way);
                }
            }
        }
    }
}

void check_qualifying_strengths_that_do_not_exist(const game *of) {
    static const uint16_t no_strengths[] = {0, PYCS_STRENGTHS + 1, UINT16_MAX};
    uint8_t *const deal = random_deals(of, 1);
    uint32_t *const found = room_for_counts(of, 1); /* far too short for a sweep that does not refuse */
    leave_untouched(of, found, 1);
    for (int i = 0; i < 3; i++) {
        for (int road = 0; road < 2; road++) {
            CHECK(of->roads[road](deal, 1, no_strengths[i], found) == 0, "road %d, from %d on", road, no_strengths[i]);
            CHECK(of->roads[road](deal, 0, 1, found) == 0, "road %d, no row", road);
        }
        CHECK(of->sweep(no_strengths[i], found) == -1, "from %d on", no_strengths[i]);
    }
    CHECK(is_untouched(of, found, 1, 0), "something was written");
    free(found);
    free(deal);
}
