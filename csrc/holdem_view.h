/* What walk and count share: a deal as they look at it, and a board with all the dealer's hands put down as outcomes.
 */
#ifndef PYCS_HOLDEM_VIEW_H
#define PYCS_HOLDEM_VIEW_H

#include <stdint.h>

#include "cards_in_sight.h"
#include "pycs.h"
#include "rank.h"

enum { PYCS_HOLDEM_BOARD_DEALERS = 45 * 44 / 2 };

typedef struct {
    uint64_t in_sight;
    uint32_t holes_key, flop_key;
    uint32_t holes[4], flop[4]; /* by suit: the ranks, one bit each */
    int live[13];               /* by rank: the cards not in sight */
} pycs_holdem_view;

/* Returns 0 if a card does not exist or came twice. */
static inline int pycs_holdem_look(const uint8_t deal[5], pycs_holdem_view *view) {
    *view = (pycs_holdem_view){.in_sight = pycs_cards_in_sight(deal, 5)};
    if (view->in_sight == 0) {
        return 0;
    }
    for (int rank = 0; rank < 13; rank++) {
        view->live[rank] = 4;
    }
    for (int i = 0; i < 5; i++) {
        *(i < 2 ? &view->holes_key : &view->flop_key) += pycs_card_key[deal[i]];
        (i < 2 ? view->holes : view->flop)[deal[i] & 3] |= UINT32_C(1) << (deal[i] >> 2);
        view->live[deal[i] >> 2]--;
    }
    return 1;
}

/* All the dealer's hands on one board, against the qualifying strength and the player's. */
typedef struct {
    uint16_t qualify, mine;
    int below_qualify, below_mine, up_to_mine;
} pycs_holdem_dealers;

/* A board that comes in so many ways. */
static inline void pycs_holdem_add_board(uint32_t counts[PYCS_HOLDEM_OUTCOMES], const pycs_holdem_dealers *dealers,
                                         int ways) {
    enum { NOT_QUALIFIED = 0, WIN = 6, PUSH = 12, LOSE = 13 };
    int category = 9, win = 0, push = 0;
    while (category > 4 && dealers->mine < pycs_category_floor(category)) {
        category--;
    }
    const int hand = 9 - category; /* royal flush first, straight or less last */
    if (dealers->mine >= dealers->qualify) {
        win = dealers->below_mine - dealers->below_qualify;
        push = dealers->up_to_mine - dealers->below_mine;
    }
    const int lose = PYCS_HOLDEM_BOARD_DEALERS - dealers->below_qualify - win - push;
    counts[NOT_QUALIFIED + hand] += (uint32_t)(ways * dealers->below_qualify);
    counts[WIN + hand] += (uint32_t)(ways * win);
    counts[PUSH] += (uint32_t)(ways * push);
    counts[LOSE] += (uint32_t)(ways * lose);
}

#endif
