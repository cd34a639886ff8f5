/*
 * One deal counted by ranks: turn and river have one of 91 pairs of ranks, the dealer's hole cards another, and each
 * stands for so many pairs of cards. Suits matter only on boards with three or more cards of one, and no board has that
 * of two suits. Those boards are taken out of their pairs of ranks and counted by kinds of cards: of a rank, and in the
 * suit or not. On each of them, too, the dealers are counted by ranks, then those with a flush are moved.
 */
#include <string.h>

#include "holdem_view.h"
#include "pycs.h"
#include "rank.h"
#include "rank_sets.h"

/* Negative ways take back what was added. Masks, as no branch here could be foreseen. */
static void add_dealers(pycs_holdem_dealers *to, uint16_t strength, int ways) {
    to->below_qualify += ways & -(strength < to->qualify);
    to->below_mine += ways & -(strength < to->mine);
    to->up_to_mine += ways & -(strength <= to->mine);
}

/* Ways to draw two cards: of two kinds, or both of one. */
static int ways_to_draw(int live, int other_live, int is_same) {
    return is_same ? live * (live - 1) / 2 : live * other_live;
}

/* All of them, flushes aside. What comes out for two ranks that are not left is never used. */
static pycs_holdem_dealers count_by_ranks(const pycs_holdem_view *view, int turn, int river, uint16_t mine,
                                          uint16_t qualify) {
    pycs_holdem_dealers result = {.qualify = qualify, .mine = mine};
    const uint32_t board_key = view->flop_key + pycs_card_key[4 * turn] + pycs_card_key[4 * river];
    int live[13];
    memcpy(live, view->live, sizeof live);
    live[turn]--;
    live[river]--;
    for (int one = 0; one < 13; one++) {
        const uint32_t key = board_key + pycs_card_key[4 * one];
        for (int two = one; two < 13; two++) {
            const int ways = ways_to_draw(live[one], live[two], one == two);
            add_dealers(&result, pycs_plain_7(key + pycs_card_key[4 * two]), ways);
        }
    }
    return result;
}

/* The live cards, told apart by rank and by whether they are in one certain suit; those that are come first. */
typedef struct {
    struct {
        int rank, live;
        uint32_t bit; /* of the rank, if in the suit, else 0 */
    } kind[13 + 13];
    int suited, count;
} live_kinds;

static live_kinds tell_apart(const pycs_holdem_view *view, int suit) {
    const uint32_t gone = view->holes[suit] | view->flop[suit];
    live_kinds kinds = {.suited = 13 - (int)pycs_set_size(gone)};
    int suited = 0, others = kinds.suited;
    for (int rank = 0; rank < 13; rank++) {
        const int is_live = !(gone >> rank & 1), live_others = view->live[rank] - is_live;
        if (is_live) {
            kinds.kind[suited].rank = rank;
            kinds.kind[suited].live = 1;
            kinds.kind[suited++].bit = UINT32_C(1) << rank;
        }
        if (live_others > 0) {
            kinds.kind[others].rank = rank;
            kinds.kind[others].live = live_others;
            kinds.kind[others++].bit = 0;
        }
    }
    kinds.count = others;
    return kinds;
}

/* board: the three to five ranks that it has in the suit. */
static void move_flushes(pycs_holdem_dealers *of, uint32_t board_key, uint32_t board, const live_kinds *kinds) {
    const int missing = 5 - (int)pycs_set_size(board);
    const int ones = missing > 0 ? kinds->suited : kinds->count, twos = missing > 1 ? kinds->suited : kinds->count;
    for (int one = 0; one < ones; one++) {
        const uint32_t ranks = board | kinds->kind[one].bit;
        const uint32_t key = board_key + pycs_card_key[4 * kinds->kind[one].rank];
        for (int two = one; two < twos; two++) {
            const int ways = ways_to_draw(kinds->kind[one].live, kinds->kind[two].live, one == two);
            add_dealers(of, pycs_plain_7(key + pycs_card_key[4 * kinds->kind[two].rank]), -ways);
            add_dealers(of, pycs_flush_strength[ranks | kinds->kind[two].bit], ways);
        }
    }
}

/* The boards with a turn and river of two ranks: in how many ways they come, and the dealers, all flushes aside. */
typedef struct {
    int ways;
    pycs_holdem_dealers all;
} boards_of_ranks;

/* The boards that have three or more of a suit, taken out of the boards of their ranks. */
static void count_suited_boards(uint32_t total[PYCS_HOLDEM_OUTCOMES], const pycs_holdem_view *view, int suit,
                                uint16_t qualify, boards_of_ranks boards[13][13]) {
    live_kinds kinds = tell_apart(view, suit);
    for (int one = 0; one < kinds.count; one++) {
        for (int two = one; two < kinds.count; two++) {
            const uint32_t board = view->flop[suit] | kinds.kind[one].bit | kinds.kind[two].bit;
            const int ways = ways_to_draw(kinds.kind[one].live, kinds.kind[two].live, one == two);
            if (pycs_set_size(board) < 3 || ways == 0) {
                continue;
            }
            const int turn = kinds.kind[one].rank, river = kinds.kind[two].rank;
            boards_of_ranks *const same_ranks = turn > river ? &boards[turn][river] : &boards[river][turn];
            const uint32_t held = board | view->holes[suit];
            pycs_holdem_dealers all = pycs_set_size(held) < 5
                                          ? same_ranks->all
                                          : count_by_ranks(view, turn, river, pycs_flush_strength[held], qualify);
            kinds.kind[one].live--;
            kinds.kind[two].live--;
            move_flushes(&all, view->flop_key + pycs_card_key[4 * turn] + pycs_card_key[4 * river], board, &kinds);
            kinds.kind[one].live++;
            kinds.kind[two].live++;
            pycs_holdem_add_board(total, &all, ways);
            same_ranks->ways -= ways;
        }
    }
}

static void count(uint32_t total[PYCS_HOLDEM_OUTCOMES], const pycs_holdem_view *view, uint16_t qualify) {
    boards_of_ranks boards[13][13]; /* high, low */
    for (int high = 0; high < 13; high++) {
        for (int low = 0; low <= high; low++) {
            const uint32_t key = view->holes_key + view->flop_key + pycs_card_key[4 * high] + pycs_card_key[4 * low];
            boards[high][low].ways = ways_to_draw(view->live[high], view->live[low], high == low);
            boards[high][low].all = count_by_ranks(view, high, low, pycs_plain_7(key), qualify);
        }
    }
    for (int suit = 0; suit < 4; suit++) {
        count_suited_boards(total, view, suit, qualify, boards);
    }
    for (int high = 0; high < 13; high++) {
        for (int low = 0; low <= high; low++) {
            pycs_holdem_add_board(total, &boards[high][low].all, boards[high][low].ways);
        }
    }
}

int64_t pycs_holdem_count(const uint8_t *deals, int64_t rows, uint16_t qualify, uint32_t *counts) {
    if (qualify < 1 || qualify > PYCS_STRENGTHS) {
        return 0;
    }
    for (int64_t row = 0; row < rows; row++, deals += 5) {
        pycs_holdem_view view;
        if (!pycs_holdem_look(deals, &view)) {
            return row;
        }
        uint32_t total[PYCS_HOLDEM_OUTCOMES] = {0};
        count(total, &view, qualify);
        for (int outcome = 0; outcome < PYCS_HOLDEM_OUTCOMES; outcome++) {
            counts[outcome * rows + row] = total[outcome];
        }
    }
    return rows;
}
