/* Rounds of Casino Hold'em, in batches that go step by step, as in stud_simulate.c. */
#include <stddef.h>
#include <string.h>

#include "holdem_deal.h"
#include "pycs.h"
#include "random.h"
#include "rank.h"
#include "simulated.h"

enum { BATCH = 64, DEALT = 9, HOLE = 2, BOARD = 5 };

/* The player's two cards, the board's five with the flop first, the dealer's two. */
typedef uint8_t row[DEALT];

typedef struct {
    uint32_t key, suits; /* the sum of the cards' keys, and how many there are of each suit, a byte for each */
} cards_sum;

static inline cards_sum with(cards_sum of, const uint8_t *cards, int count) {
    for (int i = 0; i < count; i++) {
        of.key += pycs_card_key[cards[i]];
        of.suits += UINT32_C(1) << 8 * (cards[i] & 3);
    }
    return of;
}

/* The best five of a side's two cards and the board. */
static inline uint16_t strength(const uint8_t hole[2], const uint8_t board[5], cards_sum of_board) {
    const cards_sum all = with(of_board, hole, HOLE);
    /* Five or more of a suit, with three on top, reach the byte's bit of eight. */
    const uint32_t flush = (all.suits + UINT32_C(0x03030303)) & UINT32_C(0x08080808);
    if (flush == 0) {
        return pycs_plain_7(all.key);
    }
    const int suit = (flush & UINT32_C(0xFFFF0000) ? 2 : 0) + (flush & UINT32_C(0xFF00FF00) ? 1 : 0);
    uint32_t ranks = 0;
    for (int i = 0; i < BOARD; i++) {
        ranks |= (uint32_t)((board[i] & 3) == suit) << (board[i] >> 2);
    }
    for (int i = 0; i < HOLE; i++) {
        ranks |= (uint32_t)((hole[i] & 3) == suit) << (hole[i] >> 2);
    }
    return pycs_flush_strength[ranks];
}

int pycs_holdem_simulate(const uint64_t stream[4], int64_t rounds, uint16_t qualify, const uint8_t *by_deal,
                         uint64_t counts[7][10], uint8_t *cards, uint8_t *actions) {
    if (rounds < 0 || qualify < 1 || qualify > PYCS_STRENGTHS) {
        return -1;
    }
    uint8_t category[PYCS_STRENGTHS + 1];
    pycs_categories(category);
    pycs_stream deals;
    memcpy(deals.s, stream, sizeof deals.s);
    while (rounds > 0) {
        const int batch = rounds < BATCH ? (int)rounds : BATCH;
        row dealt[BATCH];
        uint16_t mine[BATCH], his[BATCH];
        uint32_t index[BATCH];
        uint8_t deck[52];
        for (int i = 0; i < batch; i++) {
            pycs_order_deck(deck);
            pycs_shuffle(&deals, deck, 0, DEALT, dealt[i]);
        }
        for (int i = 0; i < batch; i++) {
            const uint8_t *const board = dealt[i] + HOLE;
            const cards_sum of_board = with((cards_sum){0, 0}, board, BOARD);
            mine[i] = strength(dealt[i], board, of_board);
            his[i] = strength(board + BOARD, board, of_board);
        }
        for (int i = 0; i < batch; i++) {
            index[i] = pycs_holdem_index(dealt[i]);
        }
        for (int i = 0; i < batch; i++) {
            const int called = by_deal[index[i]] == PYCS_CALL;
            counts[called * pycs_end_of_call(mine[i], his[i], qualify)][category[mine[i]]]++;
            if (cards != NULL) {
                memcpy(cards, dealt[i], DEALT);
                cards += DEALT;
                *actions++ = (uint8_t)called;
            }
        }
        rounds -= batch;
    }
    return 0;
}
