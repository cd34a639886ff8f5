/* The three roads to the counts of Casino Hold'em, against each other and against plain counting. */
#include <stdlib.h>
#include <string.h>

#include "pycs.h"
#include "tests.h"

enum { BOARDS = 47 * 46 / 2, DEALERS = 45 * 44 / 2, CLASSES = 6, WIN = CLASSES, PUSH = 2 * CLASSES, LOSE };

static uint16_t pair_of_fours(void) { return strength_of("4s4d5h3c2s"); }

/* From royal flush to straight or less. */
static int hand_class(uint16_t strength) {
    int result = 0;
    for (int category = 9; category > 4; category--) {
        result += strength < pycs_category_floor(category);
    }
    return result;
}

/* Whether none of the cards is among the others. */
static int avoid(const uint8_t *cards, int count, const uint8_t *others, int other_count) {
    int apart = 1;
    for (int i = 0; i < count; i++) {
        apart &= memchr(others, cards[i], (size_t)other_count) == NULL;
    }
    return apart;
}

/* The player's strength on each board that a deal leaves possible, and those of all the dealers on it. */
static void rank_all(const uint8_t *deal, uint16_t *players, uint16_t *dealers) {
    uint8_t *const hands = room_for(DEALERS, 7), turn_river[2] = {0, 1};
    int boards = 0;
    do {
        if (!avoid(turn_river, 2, deal, 5)) {
            continue;
        }
        uint8_t seven[7], *to = hands, holes[2] = {0, 1};
        memcpy(seven, deal, 5);
        memcpy(seven + 5, turn_river, 2);
        CHECK(pycs_rank_hands(seven, 1, 7, players + boards) == 1, "board %d", boards);
        do {
            if (avoid(holes, 2, seven, 7)) {
                memcpy(to, holes, 2);
                memcpy(to + 2, seven + 2, 5);
                to += 7;
            }
        } while (next_choice(holes, 2));
        CHECK(to - hands == 7 * DEALERS, "%lld bytes", (long long)(to - hands));
        CHECK(pycs_rank_hands(hands, DEALERS, 7, dealers + boards * DEALERS) == DEALERS, "board %d", boards);
        boards++;
    } while (next_choice(turn_river, 2));
    CHECK(boards == BOARDS, "%d boards", boards);
    free(hands);
}

static const char *const extreme_deals[] = {
    "AsKsQsJsTs", "KsQsAsJsTs", "2c2dQsJsTs", "AsTcKsQsJs", "9s8sQsJsTs", "As2s5s4s3s", "6d7d5s4s3s", "AhKhAsKsQs",
    "AsKdAdAcAh", "8s9hAdAcAh", "KsKhAdAcAh", "2s3h2d2c2h", "AsKs2d2c2h", "AsAhAdAcKs", "2c3cAdAcKs", "QsQhQd2c7h",
    "Js3h5d8cKh", "AsAhKsKdKh", "KsQsJs9s2s", "AhKdJs9s2s", "AsKdJs9s2s", "4s4dJs9s2d", "AsKsJs9s2d", "2s2hAd7c7h",
    "4s4h7d5c3h", "2s3h7d5c4h", "AsKhQdJcTh", "7s2hQdJcTh", "6s2h5d4c3h", "As2h5d4c3h", "AsKhKdQcQh", "2s7h9dTcKh",
};
enum { EXTREMES = sizeof extreme_deals / sizeof *extreme_deals };

static void check_plainly(const uint8_t *deal, const char *name, uint16_t *players, uint16_t *dealers) {
    const uint16_t qualifies[] = {
        1, pair_of_fours(), pycs_category_floor(4), pycs_category_floor(6), pycs_category_floor(8), PYCS_STRENGTHS};
    rank_all(deal, players, dealers);
    for (size_t q = 0; q < sizeof qualifies / sizeof *qualifies; q++) {
        uint32_t plain[PYCS_HOLDEM_OUTCOMES] = {0}, fast[PYCS_HOLDEM_OUTCOMES];
        for (int board = 0; board < BOARDS; board++) {
            const uint16_t mine = players[board], *const others = dealers + board * DEALERS;
            const int hand = hand_class(mine);
            for (int i = 0; i < DEALERS; i++) {
                plain[others[i] < qualifies[q] ? hand
                      : others[i] < mine       ? WIN + hand
                      : others[i] == mine      ? PUSH
                                               : LOSE]++;
            }
        }
        for (int road = 0; road < 2; road++) {
            CHECK(holdem.roads[road](deal, 1, qualifies[q], fast) == 1, "%s", name);
            CHECK(memcmp(plain, fast, sizeof plain) == 0, "%s, road %d, from %d on", name, road, qualifies[q]);
        }
    }
}

void test_holdem_counts_against_plain_counting(void) {
    uint16_t *const players = room_for(BOARDS, sizeof *players), *const dealers = room_for(BOARDS * DEALERS, 2);
    uint8_t deal[5];
    for (int i = 0; i < EXTREMES; i += quick ? 8 : 1) {
        parse(extreme_deals[i], deal);
        check_plainly(deal, extreme_deals[i], players, dealers);
    }
    for (int n = 0; n < (quick ? 4 : 12); n++) {
        draw(deal, 5, 1 + n % 4);
        check_plainly(deal, "random", players, dealers);
    }
    free(dealers);
    free(players);
}

/* Sums of the whole table that are known without it: player, dealer, flop, turn and river come in all ways. */
static void check_totals(uint16_t qualify, const int64_t totals[PYCS_HOLDEM_OUTCOMES]) {
    const int64_t ways =
        INT64_C(21) * 10 * 990; /* of one's seven cards to be holes, flop and rest; of the other's holes */
    int64_t not_qualified = 0, win = 0;
    for (int hand = 0; hand < CLASSES; hand++) {
        not_qualified += totals[hand];
        win += totals[WIN + hand];
    }
    if (qualify == 1) {
        CHECK(not_qualified == 0 && win == totals[LOSE], "player and dealer are not alike: %lld",
              (long long)(win - totals[LOSE]));
    }
    if (qualify == pair_of_fours()) {
        /* Of seven cards, 23,294,460 are less than a pair, and 9,111,960 a pair of twos or threes. */
        CHECK(not_qualified == (23294460 + 9111960) * ways, "%lld", (long long)not_qualified);
    }
    if (qualify == pycs_category_floor(6)) {
        /* Player and dealer alike: one has a full house or better and beats the other. */
        const int64_t better = totals[0] + totals[1] + totals[2] + totals[3] + win;
        CHECK(better == totals[LOSE], "%lld, %lld", (long long)better, (long long)totals[LOSE]);
    }
}

void test_holdem_roads_agree(void) {
    const uint16_t qualifies[] = {pair_of_fours(), 1, pycs_category_floor(6)};
    const int64_t rows = EXTREMES + (quick ? 50 : 500);
    uint8_t *const deals = room_for((size_t)rows, 5);
    for (int64_t row = 0; row < rows; row++) {
        if (row < EXTREMES) {
            parse(extreme_deals[row], deals + 5 * row);
        } else {
            draw(deals + 5 * row, 5, row % 4 ? 4 : 2);
        }
    }
    check_roads_agree(&holdem, deals, rows, qualifies, quick ? 1 : 3, check_totals);
    free(deals);
}

void test_holdem_bad_deals_are_not_counted(void) { check_bad_deals_are_not_counted(&holdem); }

void test_holdem_qualifying_strengths_that_do_not_exist(void) { check_qualifying_strengths_that_do_not_exist(&holdem); }
