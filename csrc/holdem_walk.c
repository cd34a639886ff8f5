/* The obvious road: every turn, river and dealer's hole cards of a deal, ranked and compared one by one. */
#include <string.h>

#include "cards_in_sight.h"
#include "holdem_outcomes.h"
#include "pycs.h"
#include "rank.h"
#include "rank_sets.h"

enum {
    LIVE = 45, /* once turn and river are there */
    PAIRS = LIVE * (LIVE - 1) / 2,
    BLOCK = 144, /* counted in bytes, so that vectors stay full: below 256, and a multiple of their length */
    COUNTED = (PAIRS + BLOCK - 1) / BLOCK * BLOCK,
    SAME_RANK = 4,
    NO_HAND = INT16_MAX
};

typedef struct {
    uint64_t in_sight;
    uint32_t holes_key, flop_key;
    uint32_t holes[4], flop[4]; /* by suit: the ranks, one bit each */
    int live[13];               /* by rank: the cards not in sight */
} deal_view;

/* Returns 0 if a card does not exist or came twice. */
static int look(const uint8_t deal[5], deal_view *view) {
    *view = (deal_view){.in_sight = pycs_cards_in_sight(deal, 5)};
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

/*
 * The strengths of all the dealer's hands on one board: of pair number c * (c - 1) / 2 + d, with c > d the numbers of
 * its cards among the live ones, from low to high. They are signed because vectors compare them so.
 */
typedef struct {
    int16_t of_pair[PAIRS + LIVE]; /* whole rows are written */
} dealer_strengths;

/* Flushes aside, the strength depends on the ranks of the pair: found once, it is laid out for all pairs of them. */
static void rank_by_ranks(uint32_t board_key, const int live[13], dealer_strengths *dealers) {
    int16_t row[LIVE + SAME_RANK] = {0}; /* of a card of the high rank and each live card, as far as found */
    int16_t *to = dealers->of_pair;
    int before = 0;
    for (int high = 0; high < 13; high++) {
        const uint32_t key = board_key + pycs_card_key[4 * high];
        int count = 0;
        for (int low = 0; low <= high; low++) {
            const uint64_t each = UINT64_C(0x0001000100010001) * pycs_plain_7(key + pycs_card_key[4 * low]);
            memcpy(row + count, &each, sizeof each); /* for those that are not live, overwritten */
            count += live[low];
        }
        for (; before < count; before++) {
            memcpy(to, row, LIVE * sizeof *row);
            to += before;
        }
    }
    for (int i = PAIRS; i < COUNTED; i++) {
        dealers->of_pair[i] = NO_HAND;
    }
}

/* The pairs that make a flush with the three, four or five ranks that the board has in a suit. */
static void rank_flushes(uint64_t in_sight, int suit, uint32_t board, dealer_strengths *dealers) {
    uint32_t suited[LIVE]; /* the rank as a bit, or 0 */
    for (int card = 0, count = 0; card < 52; card++) {
        if (!(in_sight >> card & 1)) {
            suited[count++] = (card & 3) == suit ? UINT32_C(1) << (card >> 2) : 0;
        }
    }
    int16_t *to = dealers->of_pair;
    for (int c = 0; c < LIVE; to += c, c++) {
        const uint32_t ranks = board | suited[c];
        const int missing = 5 - (int)pycs_set_size(ranks);
        for (int d = 0; d < c && missing < 2; d++) {
            if (missing <= (suited[d] != 0)) {
                to[d] = (int16_t)pycs_flush_strength[ranks | suited[d]];
            }
        }
    }
}

static pycs_dealers compare(const dealer_strengths *dealers, uint16_t mine, uint16_t qualify) {
    pycs_dealers result = {.qualify = qualify, .mine = mine};
    const int16_t bound = (int16_t)mine, lowest = (int16_t)qualify;
    for (const int16_t *block = dealers->of_pair; block < dealers->of_pair + COUNTED; block += BLOCK) {
        uint8_t below_qualify = 0, below_mine = 0, up_to_mine = 0;
        for (int i = 0; i < BLOCK; i++) {
            below_qualify = (uint8_t)(below_qualify + (block[i] < lowest));
            below_mine = (uint8_t)(below_mine + (block[i] < bound));
            up_to_mine = (uint8_t)(up_to_mine + (block[i] <= bound));
        }
        result.below_qualify += below_qualify;
        result.below_mine += below_mine;
        result.up_to_mine += up_to_mine;
    }
    return result;
}

static pycs_dealers walk_dealers(const deal_view *view, int turn, int river, uint16_t qualify) {
    const uint64_t in_sight = view->in_sight | UINT64_C(1) << turn | UINT64_C(1) << river;
    const uint32_t board_key = view->flop_key + pycs_card_key[turn] + pycs_card_key[river];
    int live[13];
    memcpy(live, view->live, sizeof live);
    live[turn >> 2]--;
    live[river >> 2]--;
    uint16_t mine = pycs_plain_7(board_key + view->holes_key);
    dealer_strengths dealers;
    rank_by_ranks(board_key, live, &dealers);
    for (int suit = 0; suit < 4; suit++) {
        const uint32_t board = view->flop[suit] | (uint32_t)((turn & 3) == suit) << (turn >> 2) |
                               (uint32_t)((river & 3) == suit) << (river >> 2);
        if (pycs_set_size(board) >= 3) {
            const uint32_t held = board | view->holes[suit];
            mine = pycs_set_size(held) >= 5 ? pycs_flush_strength[held] : mine;
            rank_flushes(in_sight, suit, board, &dealers);
        }
    }
    return compare(&dealers, mine, qualify);
}

int64_t pycs_holdem_walk(const uint8_t *deals, int64_t rows, uint16_t qualify, uint32_t *counts) {
    if (qualify < 1 || qualify > PYCS_STRENGTHS) {
        return 0;
    }
    for (int64_t row = 0; row < rows; row++, deals += 5) {
        deal_view view;
        if (!look(deals, &view)) {
            return row;
        }
        uint32_t total[PYCS_HOLDEM_OUTCOMES] = {0};
        for (int turn = 0; turn < 52; turn++) {
            for (int river = turn + 1; river < 52; river++) {
                if (!((view.in_sight >> turn | view.in_sight >> river) & 1)) {
                    const pycs_dealers dealers = walk_dealers(&view, turn, river, qualify);
                    pycs_add_boards(total, &dealers, PAIRS, 1);
                }
            }
        }
        for (int outcome = 0; outcome < PYCS_HOLDEM_OUTCOMES; outcome++) {
            counts[outcome * rows + row] = total[outcome];
        }
    }
    return rows;
}
