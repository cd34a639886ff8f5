/* Random streams, and rounds that are dealt from them. */
#include <stdlib.h>
#include <string.h>

#include "pycs.h"
#include "tests.h"

/* The outputs that the generators' authors' code gives. */
void test_random_known_answers(void) {
    static const uint64_t expected[6] = {UINT64_C(11520),
                                         UINT64_C(0),
                                         UINT64_C(1509978240),
                                         UINT64_C(1215971899390074240),
                                         UINT64_C(1216172134540287360),
                                         UINT64_C(607988272756665600)};
    static const uint64_t started[4] = {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
                                        UINT64_C(9817491932198370423), UINT64_C(4593380528125082431)};
    uint64_t stream[4] = {1, 2, 3, 4}, words[6], other[4];
    pycs_random_words(stream, 2, words);
    pycs_random_words(stream, 4, words + 2);
    for (int i = 0; i < 6; i++) {
        CHECK(words[i] == expected[i], "word %d", i);
    }
    pycs_random_start(1234567, other);
    for (int i = 0; i < 4; i++) {
        CHECK(other[i] == started[i], "word %d of the start", i);
    }
}

/* Words before and after a jump: the two orders lead to the same stream. */
void test_random_jumps(void) {
    uint64_t one[4], other[4], words[100];
    pycs_random_start(7, one);
    memcpy(other, one, sizeof one);
    pycs_random_words(one, 100, words);
    pycs_random_jump(one);
    pycs_random_jump(other);
    CHECK(memcmp(one, other, sizeof one) != 0, "a hundred words are no step");
    pycs_random_words(other, 100, words);
    CHECK(memcmp(one, other, sizeof one) == 0, "jump and words do not commute");
}

enum { ROUNDS = 20000, STUD_ROW = 15, HOLDEM_ROW = 9, STRENGTHS_BY_RANK = (PYCS_STRENGTHS + 1) * 13 };

static int end_of(int called, uint16_t mine, uint16_t his, uint16_t qualify) {
    if (!called) {
        return 0;
    }
    const int place = mine > his ? 1 : mine == his ? 2 : 3;
    return his < qualify ? place : 3 + place;
}

static int category_of(uint16_t strength) {
    int category = 9;
    while (pycs_category_floor(category) > strength) {
        category--;
    }
    return category;
}

/* The cards of a round that are there, all different; how many they are. */
static int cards_there(const uint8_t *cards, int places) {
    uint64_t seen = 0;
    int count = 0;
    for (int i = 0; i < places; i++) {
        if (cards[i] == 255) {
            continue;
        }
        CHECK(cards[i] < 52 && !(seen >> cards[i] & 1), "card %d at place %d", cards[i], i);
        seen |= UINT64_C(1) << (cards[i] & 63);
        count++;
    }
    return count;
}

static void check_same_counts(const uint64_t *one, const uint64_t *other, int count) {
    for (int i = 0; i < count; i++) {
        CHECK(one[i] == other[i], "count %d: %llu and %llu", i, (unsigned long long)one[i],
              (unsigned long long)other[i]);
    }
}

/*
 * Rounds of stud, settled again one by one. by_deal is a pattern without a meaning, so that all actions come. Without
 * cards, and half by half from the same stream, the counts are the same.
 */
static void check_stud(const uint8_t *by_strength, const uint8_t *by_deal, const uint8_t *gives_up, const int64_t *nets,
                       int gives) {
    static const uint16_t qualify = 1114;
    uint64_t stream[4], counts[2][7][10] = {{{0}}}, again[2][7][10] = {{{0}}}, plain[2][7][10] = {{{0}}};
    uint8_t *const cards = room_for(ROUNDS * STUD_ROW, 1), *const called = room_for(ROUNDS, 1);
    pycs_random_start(11, stream);
    CHECK(pycs_stud_simulate(stream, ROUNDS, qualify, by_strength, by_deal, gives_up, nets, counts, cards, called) == 0,
          "refused");
    for (int i = 0; i < ROUNDS; i++) {
        const uint8_t *const row = cards + i * STUD_ROW;
        uint16_t strengths[2];
        const int there = cards_there(row, STUD_ROW);
        CHECK(there == 10 || there == 10 + gives, "round %d: %d cards", i, there);
        pycs_rank_hands(row, 2, 5, strengths);
        again[there > 10][end_of(called[i], strengths[0], strengths[1], qualify)][category_of(strengths[0])]++;
        if (there == 10) {
            uint32_t index;
            pycs_stud_indices(row, 1, &index);
            CHECK((called[i] == 1) == (by_deal[index] == 1), "round %d: action %d", i, called[i]);
        } else {
            uint64_t ways[4];
            int first = 10;
            while (row[first] == 255) {
                first++;
            }
            pycs_stud_count_known(row, row + 5, 1, row + first, there - 10, qualify, ways);
            const int64_t call = (int64_t)ways[0] * nets[1] + (int64_t)ways[2] * nets[2] + (int64_t)ways[3] * nets[3] +
                                 (int64_t)ways[1] * nets[4 + category_of(strengths[0])];
            const int64_t fold = nets[0] * (int64_t)(ways[0] + ways[1] + ways[2] + ways[3]);
            CHECK((called[i] == 1) == (call > fold), "round %d: new hand %d", i, called[i]);
        }
    }
    check_same_counts(counts[0][0], again[0][0], 2 * 7 * 10);
    pycs_stud_simulate(stream, ROUNDS, qualify, by_strength, by_deal, gives_up, nets, plain, NULL, NULL);
    check_same_counts(counts[0][0], plain[0][0], 2 * 7 * 10);
    uint8_t *const first = room_for(77 * STUD_ROW, 1), *const first_called = room_for(77, 1);
    pycs_stud_simulate(stream, 77, qualify, by_strength, by_deal, gives_up, nets, plain, first, first_called);
    CHECK(memcmp(first, cards, 77 * STUD_ROW) == 0 && memcmp(first_called, called, 77) == 0, "the first rounds differ");
    free(first);
    free(first_called);
    free(cards);
    free(called);
}

void test_stud_simulated_rounds(void) {
    static const int64_t nets[14] = {-1, 1, 0, -3, 3, 3, 5, 7, 9, 11, 15, 41, 101, 201};
    uint8_t *const by_strength = room_for(STRENGTHS_BY_RANK, 1), *const by_deal = room_for(PYCS_STUD_DEALS, 1);
    uint8_t *const gives_up = room_for(PYCS_STUD_DEALS, 1);
    memset(by_strength, 3, STRENGTHS_BY_RANK);
    for (int i = 0; i < PYCS_STUD_DEALS; i++) {
        by_deal[i] = (uint8_t)(i % 3);
        gives_up[i] = (uint8_t)(i % 5);
    }
    check_stud(by_strength, by_deal, NULL, NULL, 0);
    check_stud(by_strength, by_deal, NULL, nets, 5);
    check_stud(by_strength, by_deal, gives_up, nets, 1);
    free(by_strength);
    free(by_deal);
    free(gives_up);
}

/*
 * The card given up is the one of the stated place: with it and the upcard changed for each other, the deal as it came
 * and the canonical one still have the same index.
 */
void test_stud_simulated_cards_given_up(void) {
    enum { DEALS = 2000 };
    static const int64_t nets[14] = {-1, 1, 0, -3, 3, 3, 5, 7, 9, 11, 15, 41, 101, 201};
    uint8_t *const by_strength = room_for(STRENGTHS_BY_RANK, 1), *const by_deal = room_for(PYCS_STUD_DEALS, 1);
    uint8_t *const gives_up = room_for(PYCS_STUD_DEALS, 1), *const called = room_for(DEALS, 1);
    uint8_t *const before = room_for(DEALS * STUD_ROW, 1), *const after = room_for(DEALS * STUD_ROW, 1);
    uint64_t stream[4], counts[2][7][10] = {{{0}}};
    pycs_random_start(5, stream);
    memset(by_deal, 2, PYCS_STUD_DEALS);
    memset(by_strength, 0, STRENGTHS_BY_RANK);
    pycs_stud_simulate(stream, DEALS, 1114, by_strength, by_deal, gives_up, nets, counts, before, called);
    memset(by_strength, 3, STRENGTHS_BY_RANK);
    for (int place = 0; place < 5; place++) {
        memset(gives_up, place, PYCS_STUD_DEALS);
        pycs_stud_simulate(stream, DEALS, 1114, by_strength, by_deal, gives_up, nets, counts, after, called);
        for (int i = 0; i < DEALS; i++) {
            const uint8_t *const row = after + i * STUD_ROW;
            uint8_t deals[2][6];
            uint32_t indices[2];
            memcpy(deals[0], before + i * STUD_ROW, 6);
            pycs_stud_indices(deals[0], 1, indices);
            pycs_stud_deals(indices, 1, deals[1], NULL);
            int changed = 0;
            while (changed < 5 && deals[0][changed] == row[changed]) {
                changed++;
            }
            CHECK(changed < 5 && row[10 + changed] == deals[0][changed] && cards_there(row, STUD_ROW) == 11,
                  "round %d: no card changed", i);
            const int places[2] = {changed, place};
            for (int which = 0; which < 2; which++) {
                const uint8_t upcard = deals[which][5];
                deals[which][5] = deals[which][places[which]];
                deals[which][places[which]] = upcard;
            }
            pycs_stud_indices(deals[0], 2, indices);
            CHECK(indices[0] == indices[1], "round %d: not the card of place %d", i, place);
        }
    }
    free(by_strength);
    free(by_deal);
    free(gives_up);
    free(called);
    free(before);
    free(after);
}

void test_holdem_simulated_rounds(void) {
    static const uint16_t qualify = 1712;
    uint64_t stream[4], counts[7][10] = {{0}}, again[7][10] = {{0}}, plain[7][10] = {{0}};
    uint8_t *const cards = room_for(ROUNDS * HOLDEM_ROW, 1), *const called = room_for(ROUNDS, 1);
    uint8_t *const by_deal = room_for(PYCS_HOLDEM_DEALS, 1);
    for (int i = 0; i < PYCS_HOLDEM_DEALS; i++) {
        by_deal[i] = (uint8_t)(i % 2);
    }
    pycs_random_start(12, stream);
    CHECK(pycs_holdem_simulate(stream, ROUNDS, qualify, by_deal, counts, cards, called) == 0, "refused");
    for (int i = 0; i < ROUNDS; i++) {
        const uint8_t *const row = cards + i * HOLDEM_ROW;
        uint16_t mine, his;
        uint32_t index;
        CHECK(cards_there(row, HOLDEM_ROW) == HOLDEM_ROW, "round %d", i);
        pycs_rank_hands(row, 1, 7, &mine);
        pycs_rank_hands(row + 2, 1, 7, &his);
        pycs_holdem_indices(row, 1, &index);
        CHECK(called[i] == by_deal[index], "round %d: action %d", i, called[i]);
        again[end_of(called[i], mine, his, qualify)][category_of(mine)]++;
    }
    check_same_counts(counts[0], again[0], 7 * 10);
    pycs_holdem_simulate(stream, ROUNDS, qualify, by_deal, plain, NULL, NULL);
    check_same_counts(counts[0], plain[0], 7 * 10);
    free(cards);
    free(called);
    free(by_deal);
}

void test_simulations_that_cannot_be(void) {
    uint64_t stream[4] = {1, 2, 3, 4}, counts[2][7][10] = {{{0}}};
    static const struct {
        int64_t rounds;
        uint16_t qualify;
    } bad[] = {{-1, 1114}, {1, 0}, {1, PYCS_STRENGTHS + 1}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const int64_t rounds = bad[i].rounds;
        CHECK(pycs_stud_simulate(stream, rounds, bad[i].qualify, NULL, NULL, NULL, NULL, counts, NULL, NULL) == -1,
              "stud, case %d", (int)i);
        CHECK(pycs_holdem_simulate(stream, rounds, bad[i].qualify, NULL, counts[0], NULL, NULL) == -1,
              "hold'em, case %d", (int)i);
    }
}
