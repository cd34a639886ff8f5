/*
 * One deal counted by ranks: the dealer's four cards to come form one of 1,820 multisets of ranks, and each stands for
 * so many sets of cards. Suits matter only where all four, and the upcard, are of one suit: at most 495 sets of cards,
 * taken out of what their ranks said of them and put in again as flushes.
 */
#include "cards_in_sight.h"
#include "pycs.h"
#include "rank.h"

typedef struct {
    uint16_t mine, qualify;
    uint32_t not_qualified, win, push, lose;
} tally;

/* Adds ways hands of the dealer; unsigned arithmetic takes back what it added when ways is minus one. */
static void add(tally *to, uint16_t dealer, uint32_t ways) {
    if (dealer < to->qualify) {
        to->not_qualified += ways;
    } else if (dealer < to->mine) {
        to->win += ways;
    } else if (dealer == to->mine) {
        to->push += ways;
    } else {
        to->lose += ways;
    }
}

static const uint8_t choices[5][5] = {
    {1, 0, 0, 0, 0}, {1, 1, 0, 0, 0}, {1, 2, 1, 0, 0}, {1, 3, 3, 1, 0}, {1, 4, 6, 4, 1}};

/* Four ranks, each at least the one before. */
static uint32_t ways_to_hold(const int live[13], const int rank[4]) {
    uint32_t ways = 1;
    for (int i = 0, run = 1; i < 4; i++, run++) {
        if (i == 3 || rank[i + 1] != rank[i]) {
            ways *= choices[live[rank[i]]][run];
            run = 0;
        }
    }
    return ways;
}

static void count_by_ranks(tally *to, const int live[13], uint32_t up_key) {
    int rank[4];
    for (rank[0] = 0; rank[0] < 13; rank[0]++) {
        for (rank[1] = rank[0]; rank[1] < 13; rank[1]++) {
            for (rank[2] = rank[1]; rank[2] < 13; rank[2]++) {
                for (rank[3] = rank[2]; rank[3] < 13; rank[3]++) {
                    const uint32_t ways = ways_to_hold(live, rank);
                    if (ways > 0) {
                        add(to,
                            pycs_plain_5(up_key + pycs_card_key[4 * rank[0]] + pycs_card_key[4 * rank[1]] +
                                         pycs_card_key[4 * rank[2]] + pycs_card_key[4 * rank[3]]),
                            ways);
                    }
                }
            }
        }
    }
}

static void correct_flushes(tally *to, const int *suited, int count, uint8_t upcard) {
    for (int a = 0; a < count; a++) {
        for (int b = a + 1; b < count; b++) {
            for (int c = b + 1; c < count; c++) {
                for (int d = c + 1; d < count; d++) {
                    const uint32_t ranks = UINT32_C(1) << suited[a] | UINT32_C(1) << suited[b] |
                                           UINT32_C(1) << suited[c] | UINT32_C(1) << suited[d] |
                                           UINT32_C(1) << (upcard >> 2);
                    add(to,
                        pycs_plain_5(pycs_card_key[upcard] + pycs_card_key[4 * suited[a]] +
                                     pycs_card_key[4 * suited[b]] + pycs_card_key[4 * suited[c]] +
                                     pycs_card_key[4 * suited[d]]),
                        UINT32_MAX);
                    add(to, pycs_flush_strength[ranks], 1);
                }
            }
        }
    }
}

int64_t pycs_stud_count(const uint8_t *deals, int64_t rows, uint16_t qualify, uint32_t *counts) {
    if (qualify < 1 || qualify > PYCS_STRENGTHS) {
        return 0;
    }
    for (int64_t row = 0; row < rows; row++, deals += 6) {
        const uint64_t in_sight = pycs_cards_in_sight(deals, 6);
        if (in_sight == 0) {
            return row;
        }
        tally counted = {.mine = pycs_rank_5(deals), .qualify = qualify};
        int live[13], suited[13], suited_count = 0;
        for (int rank = 0; rank < 13; rank++) {
            live[rank] = 0;
            for (int suit = 0; suit < 4; suit++) {
                const int unseen = !(in_sight >> (4 * rank + suit) & 1);
                live[rank] += unseen;
                if (unseen && suit == (deals[5] & 3)) {
                    suited[suited_count++] = rank;
                }
            }
        }
        count_by_ranks(&counted, live, pycs_card_key[deals[5]]);
        correct_flushes(&counted, suited, suited_count, deals[5]);
        counts[row] = counted.not_qualified;
        counts[rows + row] = counted.win;
        counts[2 * rows + row] = counted.push;
        counts[3 * rows + row] = counted.lose;
    }
    return rows;
}
