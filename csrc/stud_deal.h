/* Canonical hands of five cards, and the deals that stand under each. */
#ifndef PYCS_STUD_DEAL_H
#define PYCS_STUD_DEAL_H

#include <stdint.h>

/* The canonical index of a deal whose cards exist and differ. */
uint32_t pycs_stud_index(const uint8_t deal[6]);

/* Which of the deal's five cards, 0 to 4, stands at a place, 0 to 4, of the canonical deal's hand. */
int pycs_stud_card_at(const uint8_t deal[6], int place);

#define PYCS_STUD_HANDS 134459 /* five cards, up to a relabeling of the suits */

typedef struct {
    uint16_t ranks[4];   /* by suit in canonical order: the ranks held, one bit each */
    uint32_t first_deal; /* the index of its first deal; the others follow */
} pycs_stud_hand;

/* hand below PYCS_STUD_HANDS. */
pycs_stud_hand pycs_stud_hand_at(uint32_t hand);

/* The cards from high to low, equal ranks in canonical suit order. */
void pycs_stud_hand_cards(const pycs_stud_hand *hand, uint8_t cards[5]);

/* The upcards of the canonical deals of the hand, in the order of their indices; returns how many, at most 47. */
int pycs_stud_hand_upcards(const pycs_stud_hand *hand, uint8_t upcards[47]);

#endif
