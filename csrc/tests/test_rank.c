/* The ranker against a plain one, published frequencies, and bad input. */
#include <stdlib.h>
#include <string.h>

#include "pycs.h"
#include "tests.h"

enum { BATCH = 1 << 14, UNTOUCHED = 0xFFFF };

/* Five cards as a number that compares like the hands do: the category from bit 20 on, below it the tie-breaks. */
static uint32_t plain_key(const uint8_t *cards) {
    uint32_t held[13] = {0}, ranks = 0, shape = 0, ties = 0;
    int suited = 1, top = -1;
    for (int i = 0; i < 5; i++) {
        held[cards[i] / 4]++;
        ranks |= UINT32_C(1) << cards[i] / 4;
        suited &= cards[i] % 4 == cards[0] % 4;
    }
    for (uint32_t times = 4; times > 0; times--) {
        for (uint32_t rank = 13; rank-- > 0;) {
            if (held[rank] == times) {
                shape = 10 * shape + times;
                ties = 13 * ties + rank;
            }
        }
    }
    for (int rank = 4; rank < 13; rank++) {
        top = ranks == UINT32_C(0x1F) << (rank - 4) ? rank : top;
    }
    top = ranks == UINT32_C(0x100F) ? 3 : top;
    if (top >= 0) {
        return (suited ? top == 12 ? 9U : 8U : 4U) << 20 | (uint32_t)top;
    }
    const uint32_t category = suited          ? 5
                              : shape == 41   ? 7
                              : shape == 32   ? 6
                              : shape == 311  ? 3
                              : shape == 221  ? 2
                              : shape == 2111 ? 1
                                              : 0;
    return category << 20 | ties;
}

void test_strengths_order_all_five_card_hands(void) {
    static uint32_t key_of[PYCS_STRENGTHS + 1];
    uint8_t cards[5] = {0, 1, 2, 3, 4};
    uint16_t strength = 0;
    do {
        const uint32_t key = plain_key(cards);
        CHECK(pycs_rank_hands(cards, 1, 5, &strength) == 1, "one good hand");
        if (strength < 1 || strength > PYCS_STRENGTHS) {
            CHECK(0, "strength %d", strength);
            return;
        }
        CHECK(key_of[strength] == 0 || key_of[strength] == key, "two kinds of hands share strength %d", strength);
        key_of[strength] = key;
    } while (next_choice(cards, 5));
    for (int s = 1; s <= PYCS_STRENGTHS; s++) {
        const int category = (int)(key_of[s] >> 20);
        CHECK(key_of[s] > key_of[s - 1], "strength %d never occurs, or hands do not rise to it", s);
        CHECK(pycs_category_floor(category) <= s && s < pycs_category_floor(category + 1), "strength %d", s);
    }
}

void test_category_floors(void) {
    CHECK(pycs_category_floor(0) == 1, "high card");
    CHECK(pycs_category_floor(0) == strength_of("7s5d4h3c2s"), "lowest of all");
    CHECK(pycs_category_floor(1) == strength_of("2s2d5h4c3s"), "lowest pair");
    CHECK(pycs_category_floor(9) == PYCS_STRENGTHS && strength_of("AsKsQsJsTs") == PYCS_STRENGTHS, "royal flush");
    CHECK(pycs_category_floor(10) == PYCS_STRENGTHS + 1, "past the end");
    const int others[] = {-1, 11, INT32_MIN, INT32_MAX};
    for (int i = 0; i < 4; i++) {
        CHECK(pycs_category_floor(others[i]) == 0, "category %d", others[i]);
    }
}

static void test_frequencies(int cards_each, int64_t hands, int strengths, const int64_t frequency[10]) {
    static int64_t seen[PYCS_STRENGTHS + 1];
    memset(seen, 0, sizeof seen);
    uint8_t *const cards = room_for(BATCH, (size_t)cards_each);
    uint16_t *const strength = room_for(BATCH, sizeof *strength);
    uint8_t choice[7] = {0, 1, 2, 3, 4, 5, 6};
    int64_t done = 0;
    for (int more = 1; more;) {
        int64_t count = 0;
        for (uint8_t *to = cards; more && count < BATCH; count++, to += cards_each) {
            for (int i = 0; i < cards_each; i++) {
                to[i] = choice[i];
            }
            more = next_choice(choice, cards_each);
        }
        CHECK(pycs_rank_hands(cards, count, cards_each, strength) == count, "hands from %lld on", (long long)done);
        for (int64_t i = 0; i < count; i++) {
            seen[strength[i] <= PYCS_STRENGTHS ? strength[i] : 0]++;
        }
        done += count;
    }
    CHECK(done == hands && seen[0] == 0, "%lld hands", (long long)done);
    int different = 0;
    for (int category = 0; category < 10; category++) {
        int64_t sum = 0;
        for (int s = pycs_category_floor(category); s < pycs_category_floor(category + 1); s++) {
            sum += seen[s];
            different += seen[s] > 0;
        }
        CHECK(sum == frequency[category], "category %d: %lld", category, (long long)sum);
    }
    CHECK(different == strengths, "%d strengths", different);
    free(strength);
    free(cards);
}

/* High card first, royal flush last. */
void test_frequencies_of_five(void) {
    static const int64_t frequency[10] = {1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 4};
    test_frequencies(5, 2598960, PYCS_STRENGTHS, frequency);
}

void test_frequencies_of_six(void) {
    static const int64_t frequency[10] = {6612900, 9730740, 2532816, 732160, 361620, 205792, 165984, 14664, 1656, 188};
    test_frequencies(6, 20358520, 6075, frequency);
}

void test_frequencies_of_seven(void) {
    static const int64_t frequency[10] = {23294460, 58627800, 31433400, 6461620, 6180020,
                                          4047644,  3473184,  224848,   37260,   4324};
    test_frequencies(7, 133784560, 4824, frequency);
}

static uint16_t best_of_subsets(const uint8_t *cards, int cards_each) {
    uint8_t subsets[21 * 5];
    uint16_t strengths[21], best = 0;
    int count = 0;
    for (int without = 0; without < cards_each; without++) {
        for (int nor = without + 1; nor <= cards_each; nor++) {
            if ((nor == cards_each) != (cards_each == 6)) {
                continue; /* six cards leave out one, seven leave out two */
            }
            uint8_t *to = subsets + 5 * count++;
            for (int i = 0; i < cards_each; i++) {
                if (i != without && i != nor) {
                    *to++ = cards[i];
                }
            }
        }
    }
    CHECK(pycs_rank_hands(subsets, count, 5, strengths) == count, "%d subsets", count);
    for (int i = 0; i < count; i++) {
        best = strengths[i] > best ? strengths[i] : best;
    }
    return best;
}

void test_six_and_seven_are_the_best_five(void) {
    for (int cards_each = 6; cards_each <= 7; cards_each++) {
        const int64_t hands = quick ? 30000 : 300000;
        uint8_t *const cards = room_for((size_t)hands, (size_t)cards_each);
        uint16_t *const strengths = room_for((size_t)hands, sizeof *strengths);
        for (int64_t i = 0; i < hands; i++) {
            draw(cards + i * cards_each, cards_each, i % 2 ? 4 : 1 + (int)(i / 2 % 3));
        }
        CHECK(pycs_rank_hands(cards, hands, cards_each, strengths) == hands, "%d cards each", cards_each);
        for (int64_t i = 0; i < hands; i++) {
            CHECK(strengths[i] == best_of_subsets(cards + i * cards_each, cards_each), "%d cards, hand %lld",
                  cards_each, (long long)i);
        }
        free(strengths);
        free(cards);
    }
}

/* Rows of good hands, one of them spoiled: the rows before it are done, it is named, the rest stays as it was. */
static void check_bad_row(int64_t rows, int64_t bad, int cards_each, int place, int way) {
    uint8_t *const cards = room_for((size_t)rows, (size_t)cards_each);
    uint16_t *const strengths = room_for((size_t)rows, sizeof *strengths);
    for (int64_t row = 0; row < rows; row++) {
        draw(cards + row * cards_each, cards_each, 4);
        strengths[row] = UNTOUCHED;
    }
    if (spoil(cards + bad * cards_each, cards_each, place, way)) {
        CHECK(pycs_rank_hands(cards, rows, cards_each, strengths) == bad, "row %lld of %lld, card %d of %d, way %d",
              (long long)bad, (long long)rows, place, cards_each, way);
        for (int64_t row = 0; row < rows; row++) {
            uint16_t alone = UNTOUCHED;
            CHECK(pycs_rank_hands(cards + row * cards_each, 1, cards_each, &alone) == (row != bad), "row %lld",
                  (long long)row);
            CHECK(strengths[row] == (row < bad ? alone : UNTOUCHED), "row %lld", (long long)row);
        }
    }
    free(strengths);
    free(cards);
}

void test_bad_hands(void) {
    static const int64_t rows[] = {1, 2, 15, 16, 17, 18, 33, 49};
    for (int cards_each = 5; cards_each <= 7; cards_each++) {
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
            for (int64_t bad = 0; bad < rows[r]; bad++) {
                for (int place = 0; place < cards_each; place++) {
                    for (int way = 0; way < 2 + cards_each; way++) {
                        check_bad_row(rows[r], bad, cards_each, place, way);
                    }
                }
            }
        }
    }
    const uint8_t hand[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    const int not_so_many[] = {-5, 0, 1, 4, 8};
    uint16_t strength = UNTOUCHED;
    for (size_t i = 0; i < sizeof not_so_many / sizeof *not_so_many; i++) {
        CHECK(pycs_rank_hands(hand, 1, not_so_many[i], &strength) == 0, "%d cards", not_so_many[i]);
    }
    for (int cards_each = 5; cards_each <= 7; cards_each++) {
        CHECK(pycs_rank_hands(hand, 0, cards_each, &strength) == 0, "no row");
    }
    CHECK(strength == UNTOUCHED, "strength %d", strength);
}
