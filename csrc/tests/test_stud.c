/* The three roads to the counts of Caribbean Stud, against each other and against plain counting. */
#include <stdlib.h>
#include <string.h>

#include "pycs.h"
#include "tests.h"

/* The strength of each of the dealer's hands that a deal leaves possible. */
static void rank_dealers(const uint8_t *deal, uint16_t *strengths) {
    uint8_t *const hands = room_for(PYCS_STUD_COMPLETIONS, 5), *to = hands;
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
    CHECK(to - hands == 5 * PYCS_STUD_COMPLETIONS, "%lld bytes", (long long)(to - hands));
    CHECK(pycs_rank_hands(hands, PYCS_STUD_COMPLETIONS, 5, strengths) == PYCS_STUD_COMPLETIONS, "dealers");
    free(hands);
}

static uint16_t ace_king(void) { return strength_of("AsKd4h3c2s"); }

void test_stud_counts_against_plain_counting(void) {
    const uint16_t qualifies[] = {1, 2, ace_king(), 1278, 5000, PYCS_STRENGTHS};
    uint16_t *const dealers = room_for(PYCS_STUD_COMPLETIONS, sizeof *dealers);
    for (int n = 0; n < (quick ? 4 : 60); n++) {
        uint8_t deal[6];
        uint16_t mine = 0;
        draw(deal, 6, 1 + n % 4);
        CHECK(pycs_rank_hands(deal, 1, 5, &mine) == 1, "deal %d", n);
        rank_dealers(deal, dealers);
        for (size_t q = 0; q < sizeof qualifies / sizeof *qualifies; q++) {
            uint32_t plain[4] = {0, 0, 0, 0}, fast[4];
            for (int i = 0; i < PYCS_STUD_COMPLETIONS; i++) {
                plain[dealers[i] < qualifies[q] ? 0 : dealers[i] < mine ? 1 : dealers[i] == mine ? 2 : 3]++;
            }
            for (int road = 0; road < 2; road++) {
                CHECK(stud.roads[road](deal, 1, qualifies[q], fast) == 1, "deal %d", n);
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

/* Sums of the whole table that are known without it. */
static void check_totals(uint16_t qualify, const int64_t totals[4]) {
    if (qualify == 1) {
        CHECK(totals[0] == 0 && totals[1] == totals[3], "player and dealer are not alike: %lld",
              (long long)(totals[1] - totals[3]));
    }
    if (qualify == ace_king()) {
        /* 1,135,260 hands are below ace-king; any of their five cards is the upcard; the player holds five of 47. */
        CHECK(totals[0] == INT64_C(1135260) * 5 * 1533939, "%lld", (long long)totals[0]);
    }
}

void test_stud_roads_agree(void) {
    const uint16_t qualifies[] = {1, ace_king(), PYCS_STRENGTHS};
    int64_t rows;
    uint8_t *const deals = extreme_and_random_deals(&rows);
    check_roads_agree(&stud, deals, rows, qualifies, 3, check_totals);
    free(deals);
}

void test_stud_bad_deals_are_not_counted(void) { check_bad_deals_are_not_counted(&stud); }

void test_stud_qualifying_strengths_that_do_not_exist(void) { check_qualifying_strengths_that_do_not_exist(&stud); }
