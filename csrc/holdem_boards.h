/* Hold'em boards by types of cards, and the player's holdings on each of them. */
#ifndef PYCS_HOLDEM_BOARDS_H
#define PYCS_HOLDEM_BOARDS_H

#include <stdint.h>

#include "pycs.h"
#include "rank.h"
#include "rank_sets.h"

/*
 * The types of cards, seen from a suit: x < 13 is a card of rank x off the suit, of which there are three; 13 + x is
 * the card of rank x in the suit. Where no suit matters the 13 ranks are the types, of four cards each.
 */
enum {
    PYCS_RANKS = 13,
    PYCS_TYPES = 26,
    PYCS_RANK_PAIRS = 91, /* unordered, both the same included */
    PYCS_TYPE_PAIRS = 351,
    PYCS_THREE_RANKS = 286, /* sets of three ranks, four, five */
    PYCS_FOUR_RANKS = 715,
    PYCS_FIVE_RANKS = 1287,
    PYCS_SUITED_BOARDS = PYCS_THREE_RANKS * PYCS_RANK_PAIRS + PYCS_FOUR_RANKS * PYCS_RANKS + PYCS_FIVE_RANKS,
    PYCS_HOLDEM_LINES = (PYCS_HOLDEM_OUTCOMES - 2) / 2
};

/* The pairs of the first 13 types come first. */
static inline uint32_t pycs_type_pair(uint32_t x, uint32_t y) {
    return x < y ? pycs_pair_number(y + 1, x) : pycs_pair_number(x + 1, y);
}

static inline uint32_t pycs_rank_of(uint32_t type) { return type < PYCS_RANKS ? type : type - PYCS_RANKS; }

/* The ranks in the suit that a card of this type adds: its own, or none. */
static inline uint32_t pycs_rank_in_suit(uint32_t type) { return (UINT32_C(1) << type) >> PYCS_RANKS; }

/* Up to five cards on the table, seen from a suit or, with 13 types, by ranks alone. */
typedef struct {
    uint32_t types;
    uint8_t left[PYCS_TYPES]; /* cards of each type not on the table */
    uint32_t suited;          /* the ranks in the suit, one bit each */
    uint32_t off[5];          /* the other cards' ranks */
    uint32_t offs;
    uint32_t sum; /* of the card keys */
} pycs_table;

static inline pycs_table pycs_empty_table(uint32_t types) {
    pycs_table table = {.types = types};
    for (uint32_t type = 0; type < types; type++) {
        table.left[type] = types == PYCS_RANKS ? 4 : type < PYCS_RANKS ? 3 : 1;
    }
    return table;
}

static inline void pycs_put(pycs_table *table, uint32_t type) {
    table->left[type]--;
    table->sum += pycs_card_key[4 * pycs_rank_of(type)];
    table->suited |= pycs_rank_in_suit(type);
    if (type < PYCS_RANKS) {
        table->off[table->offs++] = type;
    }
}

/* Whether a pair of cards of types x <= y can be dealt. */
static inline int pycs_leaves(const pycs_table *table, uint32_t x, uint32_t y) {
    return table->left[y] > 0 && table->left[x] > (x == y);
}

/*
 * A board, by the player's holding as a pair of types: how many of the dealer's 990 holdings do not qualify, how many
 * more the player beats, how many he ties, ten bits each from the lowest; and the line of his hand. All 0 for a holding
 * that cannot be dealt.
 */
typedef struct {
    uint32_t counts[PYCS_RANK_PAIRS];
    uint8_t lines[PYCS_RANK_PAIRS];
} pycs_rank_board;

typedef struct {
    uint32_t counts[PYCS_TYPE_PAIRS];
    uint8_t lines[PYCS_TYPE_PAIRS];
} pycs_suited_board;

typedef struct {
    pycs_rank_board by_ranks[PYCS_STRENGTHS + 1]; /* no flushes; at the board's own strength, which tells its ranks */
    pycs_suited_board suited[PYCS_SUITED_BOARDS]; /* three cards or more in the suit; at pycs_suited_number */
    uint8_t line_of[PYCS_STRENGTHS + 1];          /* by strength */
} pycs_boards;

/* Fills in all of it; boards must be zero. */
void pycs_sweep_boards(pycs_boards *boards, uint16_t qualify);

uint32_t pycs_suited_number(const pycs_table *table);

#endif
