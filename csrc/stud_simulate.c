/*
 * Rounds of Caribbean Stud, with or without an exchange. They go in batches, step by step: so the processor does not
 * wait for one round's cards, strengths and decision before it begins with the next.
 */
#include <stddef.h>
#include <string.h>

#include "pycs.h"
#include "random.h"
#include "rank.h"
#include "simulated.h"
#include "stud_deal.h"

enum { BATCH = 64, DEALT = 10, DRAWN = 5, UP = 5, ROW = DEALT + DRAWN, NO_CARD = 255 };

typedef struct {
    uint16_t qualify;
    const uint8_t *by_strength, *by_deal, *gives_up;
    const int64_t *nets;
    uint8_t category[PYCS_STRENGTHS + 1];
} play;

/* The player's hand, the dealer's with the upcard first, and the cards for an exchange; later those given up. */
typedef uint8_t row[ROW];

/* Gives up all cards of the hand, or one, for the next ones: those given up stand where they stood in the hand. */
static int exchange(const play *by, row cards, const uint8_t **gave_up) {
    uint8_t *const next = cards + DEALT;
    if (by->gives_up == NULL) {
        for (int i = 0; i < DRAWN; i++) {
            const uint8_t old = cards[i];
            cards[i] = next[i];
            next[i] = old;
        }
        *gave_up = next;
        return DRAWN;
    }
    const int place = pycs_stud_card_at(cards, by->gives_up[pycs_stud_index(cards)]);
    const uint8_t old = cards[place];
    cards[place] = next[0];
    memset(next, NO_CARD, DRAWN);
    next[place] = old;
    *gave_up = next + place;
    return 1;
}

/* Whether a new hand is worth more called than folded. */
static int is_called(const play *by, const row cards, uint16_t mine, const uint8_t *gave_up, int count) {
    uint64_t counts[PYCS_STUD_OUTCOMES];
    pycs_stud_count_known(cards, cards + UP, 1, gave_up, count, by->qualify, counts);
    const int64_t failed = (int64_t)counts[0], won = (int64_t)counts[1], tied = (int64_t)counts[2];
    const int64_t lost = (int64_t)counts[3], *const nets = by->nets;
    const int64_t call = failed * nets[1] + tied * nets[2] + lost * nets[3] + won * nets[4 + by->category[mine]];
    return call > nets[0] * (failed + won + tied + lost);
}

/* The last action of each round, and whether there was an exchange before it. */
static void decide(const play *by, row *cards, uint16_t *mine, uint8_t *actions, uint8_t *exchanged, int rounds) {
    for (int i = 0; i < rounds; i++) {
        actions[i] = by->by_strength[13 * mine[i] + (cards[i][UP] >> 2)];
    }
    for (int i = 0; i < rounds; i++) {
        if (actions[i] >= PYCS_LOOK) {
            actions[i] = by->by_deal[pycs_stud_index(cards[i])];
        }
    }
    memset(exchanged, 0, (size_t)rounds);
    for (int i = 0; by->nets != NULL && i < rounds; i++) {
        if (actions[i] == PYCS_EXCHANGE) {
            const uint8_t *gave_up;
            const int count = exchange(by, cards[i], &gave_up);
            exchanged[i] = 1;
            mine[i] = pycs_rank_5(cards[i]);
            actions[i] = is_called(by, cards[i], mine[i], gave_up, count) ? PYCS_CALL : PYCS_FOLD;
        }
    }
}

int pycs_stud_simulate(const uint64_t stream[4], int64_t rounds, uint16_t qualify, const uint8_t *by_strength,
                       const uint8_t *by_deal, const uint8_t *gives_up, const int64_t *nets, uint64_t counts[2][7][10],
                       uint8_t *cards, uint8_t *actions) {
    if (rounds < 0 || qualify < 1 || qualify > PYCS_STRENGTHS) {
        return -1;
    }
    play by = {.qualify = qualify, .by_strength = by_strength, .by_deal = by_deal, .gives_up = gives_up, .nets = nets};
    pycs_categories(by.category);
    pycs_stream deals, draws;
    memcpy(deals.s, stream, sizeof deals.s);
    draws = deals;
    pycs_long_jump(&draws);
    while (rounds > 0) {
        const int batch = rounds < BATCH ? (int)rounds : BATCH;
        row dealt[BATCH];
        uint16_t mine[BATCH], his[BATCH];
        uint8_t action[BATCH], exchanged[BATCH], deck[52];
        for (int i = 0; i < batch; i++) {
            pycs_order_deck(deck);
            pycs_shuffle(&deals, deck, 0, DEALT, dealt[i]);
            if (nets != NULL) {
                pycs_shuffle(&draws, deck, DEALT, DRAWN, dealt[i] + DEALT);
            }
        }
        for (int i = 0; i < batch; i++) {
            mine[i] = pycs_rank_5(dealt[i]);
            his[i] = pycs_rank_5(dealt[i] + UP);
        }
        decide(&by, dealt, mine, action, exchanged, batch);
        for (int i = 0; i < batch; i++) {
            const int called = action[i] == PYCS_CALL, end = called * pycs_end_of_call(mine[i], his[i], qualify);
            counts[exchanged[i]][end][by.category[mine[i]]]++;
        }
        for (int i = 0; cards != NULL && i < batch; i++) {
            if (!exchanged[i]) {
                memset(dealt[i] + DEALT, NO_CARD, DRAWN);
            }
            memcpy(cards, dealt[i], ROW);
            cards += ROW;
            *actions++ = action[i] == PYCS_CALL;
        }
        rounds -= batch;
    }
    return 0;
}
