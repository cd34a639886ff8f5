/* What both roads make of an exchange: the check of all that was given, the cards left, and the fold or call. */
#ifndef PYCS_STUD_EXCHANGE_VIEW_H
#define PYCS_STUD_EXCHANGE_VIEW_H

#include <stdint.h>

#include "cards_in_sight.h"
#include "pycs.h"

/* How the nets and the outcomes stand in their arrays. */
enum { PYCS_NET_FOLD, PYCS_NET_NOT_QUALIFIED, PYCS_NET_PUSH, PYCS_NET_LOSE, PYCS_NET_WIN, PYCS_NETS = 14 };
enum { PYCS_FOLDED, PYCS_NOT_QUALIFIED, PYCS_WIN, PYCS_PUSH, PYCS_LOSE, PYCS_EXCHANGE_OUTCOMES };

typedef struct {
    uint64_t live;                  /* the cards left, one bit each */
    int live_cards, drawn, to_come; /* how many: left, for the player to draw, for the dealer to come */
} pycs_exchange_view;

/* Returns 0 if there is no such exchange. */
static inline int pycs_exchange_look(const uint8_t *kept, int kept_cards, const uint8_t *dealer, int dealer_cards,
                                     const uint8_t *dead, int dead_cards, uint16_t qualify,
                                     const int64_t nets[PYCS_NETS], pycs_exchange_view *view) {
    if (kept_cards < 0 || kept_cards > 4 || dealer_cards < 1 || dealer_cards > 5 || dead_cards < 0 || dead_cards > 52 ||
        qualify < 1 || qualify > PYCS_STRENGTHS) {
        return 0;
    }
    for (int i = 0; i < PYCS_NETS; i++) {
        if (nets[i] <= -(INT64_C(1) << 31) || nets[i] >= INT64_C(1) << 31) {
            return 0;
        }
    }
    *view = (pycs_exchange_view){.live = pycs_live_cards(kept, kept_cards, dealer, dealer_cards, dead, dead_cards),
                                 .live_cards = 52 - kept_cards - dealer_cards - dead_cards,
                                 .drawn = 5 - kept_cards,
                                 .to_come = 5 - dealer_cards};
    return view->live != 0 && view->live_cards >= view->drawn + view->to_come;
}

/* The completions that follow one new hand, by how a call would end. */
typedef struct {
    int64_t not_qualified, win, push, lose;
} pycs_called;

/* So many new hands of a category, each followed by the same completions: fold or call. */
static inline void pycs_exchange_settle(const pycs_called *if_called, int category, uint64_t hands,
                                        const int64_t nets[PYCS_NETS], uint64_t counts[10][PYCS_EXCHANGE_OUTCOMES]) {
    uint64_t *const to = counts[category];
    const int64_t completions = if_called->not_qualified + if_called->win + if_called->push + if_called->lose;
    const int64_t call = if_called->not_qualified * nets[PYCS_NET_NOT_QUALIFIED] +
                         if_called->win * nets[PYCS_NET_WIN + category] + if_called->push * nets[PYCS_NET_PUSH] +
                         if_called->lose * nets[PYCS_NET_LOSE];
    if (call > completions * nets[PYCS_NET_FOLD]) {
        to[PYCS_NOT_QUALIFIED] += hands * (uint64_t)if_called->not_qualified;
        to[PYCS_WIN] += hands * (uint64_t)if_called->win;
        to[PYCS_PUSH] += hands * (uint64_t)if_called->push;
        to[PYCS_LOSE] += hands * (uint64_t)if_called->lose;
    } else {
        to[PYCS_FOLDED] += hands * (uint64_t)completions;
    }
}

#endif
