/*
 * The fast road: all deals at once.
 *
 * A board has at most one suit with three or more cards, and only there can a hand be a flush. So every count of a deal
 * is what ranks alone say of it, as if there were no flushes, plus for each suit s on the flop a correction, over those
 * turns and rivers that bring s to three or more cards. The correction asks of a card only its rank and whether it is
 * in s.
 *
 * 1. Boards (holdem_boards.c): for every board by ranks alone, and every board seen from a suit that has three or more
 *    of its cards, the counts of the dealer's 990 holdings by the player's holding.
 * 2. Flops: for a flop seen from a suit, or by ranks alone, the sum of the boards that turn and river make of it, each
 *    taken as often as it comes from the cards that flop and holding leave, for all holdings side by side.
 * 3. Deals: a flop with two or three cards in one suit is summed as seen from that suit, any other by ranks alone; then
 *    each suit with a single card on the flop adds its correction, made beforehand for all such flops.
 */
#include <stdlib.h>
#include <string.h>

#include "holdem_boards.h"

enum { LONE_FLOPS = PYCS_RANKS * PYCS_RANK_PAIRS, BATCH = 4096, NO_SUIT = 4, MOST_SUITS = 4 };

/* By line, three counts side by side: not qualified, win, push; 21 bits each hold any number of completions. */
typedef struct {
    uint64_t lines[PYCS_HOLDEM_LINES];
} tally;

typedef struct {
    pycs_boards boards;
    tally lone[LONE_FLOPS][PYCS_TYPE_PAIRS]; /* corrections: one flop card in the suit and two off it; by holding */
    tally flop[PYCS_TYPE_PAIRS];
    uint8_t holds[PYCS_TYPES][PYCS_TYPE_PAIRS]; /* cards of the type in the pair */
    uint8_t rank_pair[PYCS_TYPE_PAIRS];         /* the ranks of a pair of types */
    uint32_t indices[BATCH];
    uint8_t deals[BATCH][5];
} workspace;

static void list_pairs(workspace *work) {
    for (uint32_t y = 0; y < PYCS_TYPES; y++) {
        for (uint32_t x = 0; x <= y; x++) {
            const uint32_t pair = pycs_type_pair(x, y);
            work->holds[x][pair]++;
            work->holds[y][pair]++;
            work->rank_pair[pair] = (uint8_t)pycs_type_pair(pycs_rank_of(x), pycs_rank_of(y));
        }
    }
}

/* In how many ways turn and river are of types x and y, by holding. What comes out for one not left is never used. */
static void ways_to_draw(const workspace *work, const pycs_table *flop, uint32_t x, uint32_t y,
                         uint8_t ways[PYCS_TYPE_PAIRS]) {
    const uint8_t *const x_held = work->holds[x], *const y_held = work->holds[y];
    const int x_left = flop->left[x], y_left = flop->left[y] - (x == y), halve = x == y;
    for (int i = 0; i < PYCS_TYPE_PAIRS; i++) {
        ways[i] = (uint8_t)((x_left - x_held[i]) * (y_left - y_held[i]) >> halve);
    }
}

/* From ten bits each to 21. */
static uint64_t spread(uint32_t counts) {
    return (counts & 0x3FF) | (uint64_t)(counts & 0xFFC00) << 11 | (uint64_t)(counts >> 20) << 42;
}

static void add_suited(tally *to, const uint8_t ways[PYCS_TYPE_PAIRS], const pycs_suited_board *board) {
    for (int i = 0; i < PYCS_TYPE_PAIRS; i++) {
        to[i].lines[board->lines[i]] += ways[i] * spread(board->counts[i]);
    }
}

/* times: one, or minus one as unsigned arithmetic has it. */
static void add_by_ranks(tally *to, int holdings, uint64_t times, const uint8_t ways[PYCS_TYPE_PAIRS],
                         const pycs_rank_board *board, const uint8_t rank_pair[PYCS_TYPE_PAIRS]) {
    for (int i = 0; i < holdings; i++) {
        to[i].lines[board->lines[rank_pair[i]]] += times * ways[i] * spread(board->counts[rank_pair[i]]);
    }
}

/*
 * By the player's holding: for a flop with one card in the suit the correction, for any other the sum of all boards.
 * The counts of a correction may be negative and then borrow from each other; in a deal's sum this comes right.
 */
static void add_up_flop(const workspace *work, const pycs_table *flop, tally to[PYCS_TYPE_PAIRS]) {
    const int lone = pycs_set_size(flop->suited) == 1;
    const int holdings = flop->types == PYCS_RANKS ? PYCS_RANK_PAIRS : PYCS_TYPE_PAIRS;
    uint8_t ways[PYCS_TYPE_PAIRS];
    memset(to, 0, PYCS_TYPE_PAIRS * sizeof *to);
    for (uint32_t y = 0; y < flop->types; y++) {
        for (uint32_t x = 0; x <= y; x++) {
            if (!pycs_leaves(flop, x, y)) {
                continue;
            }
            pycs_table board = *flop;
            pycs_put(&board, x);
            pycs_put(&board, y);
            const int suited = pycs_set_size(board.suited) >= 3;
            if (lone && !suited) {
                continue;
            }
            ways_to_draw(work, flop, x, y, ways);
            if (suited) {
                add_suited(to, ways, &work->boards.suited[pycs_suited_number(&board)]);
            }
            if (lone || !suited) {
                add_by_ranks(to, holdings, lone ? UINT64_MAX : 1, ways, &work->boards.by_ranks[pycs_plain_5(board.sum)],
                             work->rank_pair);
            }
        }
    }
}

static void add_up_lone_flops(workspace *work) {
    for (uint32_t rank = 0; rank < PYCS_RANKS; rank++) {
        for (uint32_t y = 0; y < PYCS_RANKS; y++) {
            for (uint32_t x = 0; x <= y; x++) {
                pycs_table flop = pycs_empty_table(PYCS_TYPES);
                pycs_put(&flop, PYCS_RANKS + rank);
                pycs_put(&flop, x);
                pycs_put(&flop, y);
                add_up_flop(work, &flop, work->lone[rank * PYCS_RANK_PAIRS + pycs_type_pair(x, y)]);
            }
        }
    }
}

static uint32_t type_from(uint32_t suit, uint8_t card) {
    return (uint32_t)(card >> 2) + ((card & 3U) == suit ? PYCS_RANKS : 0U);
}

static pycs_table flop_from(uint32_t suit, const uint8_t cards[3]) {
    pycs_table flop = pycs_empty_table(suit == NO_SUIT ? PYCS_RANKS : PYCS_TYPES);
    for (int i = 0; i < 3; i++) {
        pycs_put(&flop, type_from(suit, cards[i]));
    }
    return flop;
}

/* What the deals of one flop are summed from: tallies by the player's holding as seen from a suit. */
typedef struct {
    int count;
    uint32_t suit[MOST_SUITS];
    const tally *tallies[MOST_SUITS];
} summands;

static summands take_flop(workspace *work, const uint8_t cards[3]) {
    summands result = {.count = 1, .suit = {NO_SUIT}, .tallies = {work->flop}};
    for (uint32_t suit = 0; suit < 4; suit++) {
        const pycs_table flop = flop_from(suit, cards);
        if (flop.offs == 2) {
            const uint32_t rank = pycs_set_size(flop.suited - 1);
            result.suit[result.count] = suit;
            result.tallies[result.count++] =
                work->lone[rank * PYCS_RANK_PAIRS + pycs_type_pair(flop.off[0], flop.off[1])];
        } else if (flop.offs < 2) {
            result.suit[0] = suit;
        }
    }
    const pycs_table flop = flop_from(result.suit[0], cards);
    add_up_flop(work, &flop, work->flop);
    return result;
}

static void count_deal(const summands *flop, const uint8_t hole[2], uint32_t *counts) {
    tally sum = {{0}};
    for (int i = 0; i < flop->count; i++) {
        const uint32_t pair = pycs_type_pair(type_from(flop->suit[i], hole[0]), type_from(flop->suit[i], hole[1]));
        for (int line = 0; line < PYCS_HOLDEM_LINES; line++) {
            sum.lines[line] += flop->tallies[i][pair].lines[line];
        }
    }
    uint32_t push = 0, lose = PYCS_HOLDEM_COMPLETIONS;
    for (int line = 0; line < PYCS_HOLDEM_LINES; line++) {
        const uint32_t not_qualified = sum.lines[line] & 0x1FFFFF, win = sum.lines[line] >> 21 & 0x1FFFFF;
        counts[line * PYCS_HOLDEM_DEALS] = not_qualified;
        counts[(PYCS_HOLDEM_LINES + line) * PYCS_HOLDEM_DEALS] = win;
        push += (uint32_t)(sum.lines[line] >> 42);
        lose -= not_qualified + win;
    }
    counts[2 * PYCS_HOLDEM_LINES * PYCS_HOLDEM_DEALS] = push;
    counts[(2 * PYCS_HOLDEM_LINES + 1) * PYCS_HOLDEM_DEALS] = lose - push;
}

int pycs_holdem_sweep(uint16_t qualify, uint32_t *counts) {
    workspace *const work = qualify >= 1 && qualify <= PYCS_STRENGTHS ? calloc(1, sizeof *work) : NULL;
    if (work == NULL) {
        return -1;
    }
    list_pairs(work);
    pycs_sweep_boards(&work->boards, qualify);
    add_up_lone_flops(work);
    summands flop = {0};
    uint8_t flop_cards[3] = {0};
    for (uint32_t first = 0; first < PYCS_HOLDEM_DEALS; first += BATCH) {
        const uint32_t batch = PYCS_HOLDEM_DEALS - first < BATCH ? PYCS_HOLDEM_DEALS - first : BATCH;
        for (uint32_t i = 0; i < batch; i++) {
            work->indices[i] = first + i;
        }
        pycs_holdem_deals(work->indices, batch, work->deals[0], NULL);
        for (uint32_t i = 0; i < batch; i++) {
            const uint8_t *const deal = work->deals[i];
            if (memcmp(flop_cards, deal + 2, 3) != 0) { /* once for each flop: its deals stand together */
                memcpy(flop_cards, deal + 2, 3);
                flop = take_flop(work, flop_cards);
            }
            count_deal(&flop, deal, counts + first + i);
        }
    }
    free(work);
    return 0;
}
