/* Canonical hands of five cards, and the deals that stand under each. */
#ifndef PYCS_DEAL_H
#define PYCS_DEAL_H

#include <stdint.h>

typedef struct {
    uint16_t ranks[4];   /* by suit in canonical order: the ranks held, one bit each */
    uint32_t first_deal; /* the index of its first deal; the others follow */
} pycs_canonical_hand;

/* hand below PYCS_HANDS. */
pycs_canonical_hand pycs_hand_at(uint32_t hand);

/* The cards from high to low, equal ranks in canonical suit order. */
void pycs_hand_cards(const pycs_canonical_hand *hand, uint8_t cards[5]);

/* The upcards of the canonical deals of the hand, in the order of their indices; returns how many, at most 47. */
int pycs_hand_upcards(const pycs_canonical_hand *hand, uint8_t upcards[47]);

#endif
