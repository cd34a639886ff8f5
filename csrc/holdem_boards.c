/*
 * One board at a time: sort the holdings, that is pairs of types, by strength, and go up. Keep how many holdings of the
 * dealer were passed, P, and how many of them hold one given card of type x, P(x). Those that avoid the player's own
 * cards, of types x and y, number P - P(x) - P(y), plus one if the player's holding, taken off twice, was itself
 * passed. Asked just before the player's strength this counts the holdings that he beats; just after, those that he
 * ties as well; asked of every holding at the qualifying strength, those that do not qualify.
 */
#include "holdem_boards.h"

#include "holdem_outcomes.h"

/* Holdings to be sorted: strength, higher type, lower type in 13, 5, 5 bits. */
static uint16_t strength_of(uint32_t holding) { return (uint16_t)(holding >> 10); }

static uint32_t high_of(uint32_t holding) { return holding >> 5 & 31; }

static uint32_t low_of(uint32_t holding) { return holding & 31; }

static uint32_t number_of(uint32_t holding) { return pycs_pair_number(high_of(holding) + 1, low_of(holding)); }

/* First by the low 7 bits of the strength, then, keeping that order among equals, by the high 6. */
static void sort_by_strength(uint32_t holdings[PYCS_TYPE_PAIRS], int count) {
    uint32_t halfway[PYCS_TYPE_PAIRS];
    uint16_t low_starts[128 + 1] = {0}, high_starts[64 + 1] = {0};
    for (int i = 0; i < count; i++) {
        low_starts[(holdings[i] >> 10 & 127) + 1]++;
        high_starts[(holdings[i] >> 17) + 1]++;
    }
    for (int i = 1; i < 128; i++) {
        low_starts[i] = (uint16_t)(low_starts[i] + low_starts[i - 1]);
    }
    for (int i = 1; i < 64; i++) {
        high_starts[i] = (uint16_t)(high_starts[i] + high_starts[i - 1]);
    }
    for (int i = 0; i < count; i++) {
        halfway[low_starts[holdings[i] >> 10 & 127]++] = holdings[i];
    }
    for (int i = 0; i < count; i++) {
        holdings[high_starts[halfway[i] >> 17]++] = halfway[i];
    }
}

/* Holdings of the dealer so far: all, and those that hold one given card of a type. */
typedef struct {
    uint32_t all;
    uint32_t with[PYCS_TYPES];
} passed;

static void pass(passed *so_far, const uint8_t left[PYCS_TYPES], uint32_t holding) {
    const uint32_t x = low_of(holding), y = high_of(holding);
    if (x == y) {
        so_far->all += left[x] * (left[x] - UINT32_C(1)) / 2;
        so_far->with[x] += left[x] - UINT32_C(1);
    } else {
        so_far->all += (uint32_t)left[x] * left[y];
        so_far->with[x] += left[y];
        so_far->with[y] += left[x];
    }
}

static uint32_t avoiding(const passed *so_far, uint32_t holding) {
    return so_far->all - so_far->with[low_of(holding)] - so_far->with[high_of(holding)];
}

/* All holdings that the board leaves. */
static int list_holdings(const pycs_table *board, uint32_t holdings[PYCS_TYPE_PAIRS]) {
    int count = 0;
    for (uint32_t y = 0; y < board->types; y++) {
        for (uint32_t x = 0; x <= y; x++) {
            if (pycs_leaves(board, x, y)) {
                const uint32_t suited = board->suited | pycs_rank_in_suit(x) | pycs_rank_in_suit(y);
                const uint32_t strength = pycs_set_size(suited) >= 5
                                              ? pycs_flush_strength[suited]
                                              : pycs_plain_7(board->sum + pycs_card_key[4 * pycs_rank_of(x)] +
                                                             pycs_card_key[4 * pycs_rank_of(y)]);
                holdings[count++] = strength << 10 | y << 5 | x;
            }
        }
    }
    return count;
}

static void sweep_board(const pycs_table *board, uint16_t qualify, const uint8_t *line_of, uint32_t *counts,
                        uint8_t *lines) {
    uint32_t holdings[PYCS_TYPE_PAIRS], below[PYCS_TYPE_PAIRS];
    const int count = list_holdings(board, holdings);
    sort_by_strength(holdings, count);
    passed so_far = {0};
    int first = 0;
    for (; first < count && strength_of(holdings[first]) < qualify; first++) {
        pass(&so_far, board->left, holdings[first]);
    }
    for (int i = 0; i < count; i++) {
        counts[number_of(holdings[i])] = avoiding(&so_far, holdings[i]) + (i < first);
        lines[number_of(holdings[i])] = line_of[strength_of(holdings[i])];
    }
    /* The holdings of one strength at a time; those below the qualifying strength neither win nor tie. */
    while (first < count) {
        const uint16_t strength = strength_of(holdings[first]);
        int end = first;
        for (; end < count && strength_of(holdings[end]) == strength; end++) {
            below[end] = avoiding(&so_far, holdings[end]);
        }
        for (int i = first; i < end; i++) {
            pass(&so_far, board->left, holdings[i]);
        }
        for (; first < end; first++) {
            uint32_t *const record = &counts[number_of(holdings[first])]; /* so far, those not qualified */
            const uint32_t win = below[first] - *record;
            const uint32_t push = avoiding(&so_far, holdings[first]) + 1 - below[first];
            *record |= win << 10 | push << 20;
        }
    }
}

/* Every board that more cards, of types from first up, make of this table. */
static void sweep_from(pycs_boards *boards, const pycs_table *table, int cards, uint32_t first, uint16_t qualify) {
    if (cards < 5) {
        for (uint32_t type = first; type < table->types; type++) {
            if (table->left[type] > 0) {
                pycs_table next = *table;
                pycs_put(&next, type);
                sweep_from(boards, &next, cards + 1, type, qualify);
            }
        }
    } else if (table->types == PYCS_RANKS) {
        pycs_rank_board *const board = &boards->by_ranks[pycs_plain_5(table->sum)];
        sweep_board(table, qualify, boards->line_of, board->counts, board->lines);
    } else if (pycs_set_size(table->suited) >= 3) {
        pycs_suited_board *const board = &boards->suited[pycs_suited_number(table)];
        sweep_board(table, qualify, boards->line_of, board->counts, board->lines);
    }
}

void pycs_sweep_boards(pycs_boards *boards, uint16_t qualify) {
    for (uint16_t strength = 1; strength <= PYCS_STRENGTHS; strength++) {
        boards->line_of[strength] = (uint8_t)pycs_hand_kind(strength);
    }
    const pycs_table by_ranks = pycs_empty_table(PYCS_RANKS), by_suit = pycs_empty_table(PYCS_TYPES);
    sweep_from(boards, &by_ranks, 0, 0, qualify);
    sweep_from(boards, &by_suit, 0, 0, qualify);
}

uint32_t pycs_suited_number(const pycs_table *table) {
    const uint32_t set = pycs_set_number(table->suited);
    switch (table->offs) {
    case 2:
        return set * PYCS_RANK_PAIRS + pycs_type_pair(table->off[0], table->off[1]);
    case 1:
        return PYCS_THREE_RANKS * PYCS_RANK_PAIRS + set * PYCS_RANKS + table->off[0];
    default:
        return PYCS_THREE_RANKS * PYCS_RANK_PAIRS + PYCS_FOUR_RANKS * PYCS_RANKS + set;
    }
}
