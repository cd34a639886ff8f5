/* The three roads to the counts of Caribbean Stud, against each other and against plain counting. */
#include <stdlib.h>
#include <string.h>

#include "pycs.h"
#include "tests.h"

enum { UNTOUCHED = 0x7FFFFFFF };

typedef struct {
    uint32_t *not_qualified, *win, *push, *lose;
} counts;

static counts room_for_counts(size_t rows) {
    const counts result = {room_for(rows, 4), room_for(rows, 4), room_for(rows, 4), room_for(rows, 4)};
    return result;
}

static void free_counts(counts *of) {
    free(of->not_qualified);
    free(of->win);
    free(of->push);
    free(of->lose);
}

static int same_counts(const counts *a, size_t i, const counts *b, size_t j) {
    return a->not_qualified[i] == b->not_qualified[j] && a->win[i] == b->win[j] && a->push[i] == b->push[j] &&
           a->lose[i] == b->lose[j];
}

typedef int64_t count_deals(const uint8_t *, int64_t, uint16_t, uint32_t *, uint32_t *, uint32_t *, uint32_t *);
static count_deals *const roads[2] = {pycs_stud_walk, pycs_stud_count};

static int64_t take_road(int road, const uint8_t *deals, int64_t rows, uint16_t qualify, const counts *to) {
    return roads[road](deals, rows, qualify, to->not_qualified, to->win, to->push, to->lose);
}

/* The strength of each of the dealer's hands that a deal leaves possible. */
static void rank_dealers(const uint8_t *deal, uint16_t *strengths) {
    uint8_t *const hands = room_for(PYCS_COMPLETIONS, 5), *to = hands;
    uint8_t four[4] = {0, 1, 2, 3};
    do {
        int live = 1;
        for (int i = 0; i < 4 * 6; i++) {
            live &= four[i / 6] != deal[i % 6];
        }
        if (live) {
            *to++ = deal[5];
            memcpy(to, four, 4);
            to += 4;
        }
    } while (next_choice(four, 4));
    CHECK(to - hands == 5 * PYCS_COMPLETIONS, "%lld bytes", (long long)(to - hands));
    CHECK(pycs_rank_hands(hands, PYCS_COMPLETIONS, 5, strengths) == PYCS_COMPLETIONS, "dealers");
    free(hands);
}

static uint16_t ace_king(void) { return strength_of("AsKd4h3c2s"); }

void test_counts_against_plain_counting(void) {
    const uint16_t qualifies[] = {1, 2, ace_king(), 1278, 5000, PYCS_STRENGTHS};
    uint16_t *const dealers = room_for(PYCS_COMPLETIONS, sizeof *dealers);
    for (int n = 0; n < (quick ? 4 : 60); n++) {
        uint8_t deal[6];
        uint16_t mine = 0;
        draw(deal, 6, 1 + n % 4);
        CHECK(pycs_rank_hands(deal, 1, 5, &mine) == 1, "deal %d", n);
        rank_dealers(deal, dealers);
        for (size_t q = 0; q < sizeof qualifies / sizeof *qualifies; q++) {
            uint32_t plain[4] = {0, 0, 0, 0}, fast[4];
            for (int i = 0; i < PYCS_COMPLETIONS; i++) {
                plain[dealers[i] < qualifies[q] ? 0 : dealers[i] < mine ? 1 : dealers[i] == mine ? 2 : 3]++;
            }
            for (int road = 0; road < 2; road++) {
                const counts one_row = {fast, fast + 1, fast + 2, fast + 3};
                CHECK(take_road(road, deal, 1, qualifies[q], &one_row) == 1, "deal %d", n);
                CHECK(memcmp(plain, fast, sizeof plain) == 0, "deal %d, road %d, from %d on", n, road, qualifies[q]);
            }
        }
    }
    free(dealers);
}

/* Each with every upcard: so four to a flush and its upcard are among them, and each rank of upcard. */
static const char *const extreme_hands[] = {
    "AsKsQsJsTs", "AhKhQhJhTh", "KsQsJsTs9s", "5s4s3s2sAs", "AsKdQhJcTs", "5s4d3h2cAs", "AsAhAdAcKs", "AsAhAdAc2s",
    "2s2h2d2c3s", "2s2h2d2cAs", "AsAhAdKsKh", "2s2h2d3s3h", "AsKsQsJs9s", "7s5s4s3s2s", "AsAhAdKsQh", "AsAhKsKhQd",
    "AsAhKdQcJs", "2s2h5d4c3s", "AsKdQhJc9s", "AsKsQsJs9d", "AsKd4h3c2s", "AsQdJhTc9s", "7s5d4h3c2s", "7s5s4s3s2h",
};
enum { EXTREMES = sizeof extreme_hands / sizeof *extreme_hands };

static uint8_t *extreme_and_random_deals(int64_t *rows) {
    const int64_t random_deals = quick ? 100 : 2000;
    uint8_t *const deals = room_for((size_t)(EXTREMES * 47 + random_deals), 6), *to = deals;
    for (int hand = 0; hand < EXTREMES; hand++) {
        uint8_t cards[5];
        parse(extreme_hands[hand], cards);
        for (uint8_t upcard = 0; upcard < 52; upcard++) {
            if (memchr(cards, upcard, 5) == NULL) {
                memcpy(to, cards, 5);
                to[5] = upcard;
                to += 6;
            }
        }
    }
    for (int64_t i = 0; i < random_deals; i++, to += 6) {
        draw(to, 6, i % 4 ? 4 : 2);
    }
    *rows = (to - deals) / 6;
    CHECK(*rows == EXTREMES * 47 + random_deals, "%lld deals", (long long)*rows);
    return deals;
}

static uint8_t *weights_of_all_deals(void) {
    uint32_t *const indices = room_for(PYCS_DEALS, sizeof *indices);
    uint8_t *const deals = room_for(PYCS_DEALS, 6), *const weights = room_for(PYCS_DEALS, 1);
    for (uint32_t i = 0; i < PYCS_DEALS; i++) {
        indices[i] = i;
    }
    CHECK(pycs_canonical_deals(indices, PYCS_DEALS, deals, weights) == PYCS_DEALS, "weights");
    free(deals);
    free(indices);
    return weights;
}

/* Sums of the whole table that are known without it. */
static void check_totals(const counts *sweep, uint16_t qualify, const uint8_t *weights) {
    int64_t not_qualified = 0, win = 0, lose = 0;
    for (uint32_t i = 0; i < PYCS_DEALS; i++) {
        CHECK(sweep->not_qualified[i] + sweep->win[i] + sweep->push[i] + sweep->lose[i] == PYCS_COMPLETIONS, "deal %u",
              i);
        not_qualified += (int64_t)weights[i] * sweep->not_qualified[i];
        win += (int64_t)weights[i] * sweep->win[i];
        lose += (int64_t)weights[i] * sweep->lose[i];
    }
    if (qualify == 1) {
        CHECK(not_qualified == 0 && win == lose, "player and dealer are not alike: %lld", (long long)(win - lose));
    }
    if (qualify == ace_king()) {
        /* 1,135,260 hands are below ace-king; any of their five cards is the upcard; the player holds five of 47. */
        CHECK(not_qualified == INT64_C(1135260) * 5 * 1533939, "%lld", (long long)not_qualified);
    }
}

void test_walk_count_and_sweep_agree(void) {
    const uint16_t qualifies[] = {1, ace_king(), PYCS_STRENGTHS};
    int64_t rows;
    uint8_t *const deals = extreme_and_random_deals(&rows), *const weights = weights_of_all_deals();
    uint32_t *const indices = room_for((size_t)rows, sizeof *indices);
    CHECK(pycs_deal_indices(deals, rows, indices) == rows, "indices");
    counts sweep = room_for_counts(PYCS_DEALS), found = room_for_counts((size_t)rows);
    for (int q = 0; q < 3; q++) {
        CHECK(pycs_stud_sweep(qualifies[q], sweep.not_qualified, sweep.win, sweep.push, sweep.lose) == 0, "sweep");
        check_totals(&sweep, qualifies[q], weights);
        for (int road = 0; road < 2; road++) {
            CHECK(take_road(road, deals, rows, qualifies[q], &found) == rows, "road %d", road);
            for (int64_t i = 0; i < rows; i++) {
                CHECK(same_counts(&found, (size_t)i, &sweep, indices[i]), "road %d, deal %lld, from %d on", road,
                      (long long)i, qualifies[q]);
            }
        }
    }
    free_counts(&found);
    free_counts(&sweep);
    free(indices);
    free(weights);
    free(deals);
}

static void leave_untouched(const counts *rows, int64_t count) {
    for (int64_t row = 0; row < count; row++) {
        rows->not_qualified[row] = rows->win[row] = rows->push[row] = rows->lose[row] = UNTOUCHED;
    }
}

static int is_untouched(const counts *rows, int64_t row) {
    return rows->not_qualified[row] == UNTOUCHED && rows->win[row] == UNTOUCHED && rows->push[row] == UNTOUCHED &&
           rows->lose[row] == UNTOUCHED;
}

static int is_done(const counts *rows, int64_t row) {
    return (uint64_t)rows->not_qualified[row] + rows->win[row] + rows->push[row] + rows->lose[row] == PYCS_COMPLETIONS;
}

static void check_bad_deal(int road, int64_t rows, int64_t bad, int place, int way) {
    uint8_t *const deals = room_for((size_t)rows, 6);
    counts found = room_for_counts((size_t)rows);
    leave_untouched(&found, rows);
    for (int64_t row = 0; row < rows; row++) {
        draw(deals + 6 * row, 6, 4);
    }
    if (spoil(deals + 6 * bad, 6, place, way)) {
        CHECK(take_road(road, deals, rows, 1, &found) == bad, "road %d, row %lld, card %d, way %d", road,
              (long long)bad, place, way);
        for (int64_t row = 0; row < rows; row++) {
            CHECK(row < bad ? is_done(&found, row) : is_untouched(&found, row), "row %lld", (long long)row);
        }
    }
    free_counts(&found);
    free(deals);
}

void test_bad_deals_are_not_counted(void) {
    enum { ROWS = 3 };
    for (int road = 0; road < 2; road++) {
        for (int64_t bad = 0; bad < ROWS; bad++) {
            for (int place = 0; place < 6; place++) {
                for (int way = 0; way < 8; way++) {
                    check_bad_deal(road, ROWS, bad, place, way);
                }
            }
        }
    }
}

void test_qualifying_strengths_that_do_not_exist(void) {
    static const uint16_t no_strengths[] = {0, PYCS_STRENGTHS + 1, UINT16_MAX};
    uint8_t deal[6];
    parse("AsKhJd8c3sQc", deal);
    counts found = room_for_counts(1);
    leave_untouched(&found, 1);
    for (int i = 0; i < 3; i++) {
        for (int road = 0; road < 2; road++) {
            CHECK(take_road(road, deal, 1, no_strengths[i], &found) == 0, "road %d, from %d on", road, no_strengths[i]);
            CHECK(take_road(road, deal, 0, 1, &found) == 0, "road %d, no row", road);
        }
        CHECK(pycs_stud_sweep(no_strengths[i], found.not_qualified, found.win, found.push, found.lose) == -1,
              "from %d on", no_strengths[i]);
    }
    CHECK(is_untouched(&found, 0), "something was written");
    free_counts(&found);
}
