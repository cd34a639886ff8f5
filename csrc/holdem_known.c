/*
 * One decision of hold'em, whatever cards are known, walked and counted. The count: turn and river have one of 91 pairs
 * of ranks, the dealer's hole cards have ranks, too, and each stands for so many sets of cards. Suits matter only on
 * boards with three or more cards of one, and no board has that of two suits. Those boards are told apart from the
 * others of their ranks; on each of them the dealer's hands without a flush are counted by ranks, those with one by the
 * cards of the suit in them.
 */
#include <stddef.h>
#include <string.h>

#include "cards_in_sight.h"
#include "holdem_outcomes.h"
#include "pycs.h"
#include "rank.h"
#include "rank_sets.h"

static int choose(int cards, int chosen) { return chosen == 0 ? 1 : chosen == 1 ? cards : cards * (cards - 1) / 2; }

/* The cards left; 0 if an argument is bad. */
static uint64_t look(const uint8_t deal[5], const uint8_t *dealer, int dealer_cards, const uint8_t *dead,
                     int dead_cards, uint16_t qualify) {
    if (dealer_cards < 0 || dealer_cards > 2 || dead_cards < 0 || dead_cards > 43 || qualify < 1 ||
        qualify > PYCS_STRENGTHS) {
        return 0;
    }
    return pycs_live_cards(deal, 5, dealer, dealer_cards, dead, dead_cards);
}

enum { MOST_DEALERS = 45 * 44 / 2 };

/* Writes every hand of so many given cards and, from a first one on, live ones. Returns the end of the hands. */
static uint8_t *lay_out(uint8_t *hands, uint64_t live, uint8_t cards[7], int count, int first) {
    if (count == 7) {
        memcpy(hands, cards, 7);
        return hands + 7;
    }
    for (int card = first; card < 52; card++) {
        if (live >> card & 1) {
            cards[count] = (uint8_t)card;
            hands = lay_out(hands, live, cards, count + 1, card + 1);
        }
    }
    return hands;
}

/* board: behind its five cards, the dealer's known ones, so many, and room for the others. */
static void walk_dealers(uint64_t counts[PYCS_HOLDEM_OUTCOMES], const uint8_t holes[2], uint8_t board[7],
                         int dealer_cards, uint64_t live, uint16_t qualify) {
    uint8_t player[7], hands[7 * MOST_DEALERS];
    uint16_t mine, dealers[MOST_DEALERS];
    memcpy(player, holes, 2);
    memcpy(player + 2, board, 5);
    const int64_t count = (lay_out(hands, live, board, 5 + dealer_cards, 0) - hands) / 7;
    pycs_rank_hands(player, 1, 7, &mine);
    pycs_rank_hands(hands, count, 7, dealers);
    const int kind = pycs_hand_kind(mine);
    for (int64_t i = 0; i < count; i++) {
        counts[dealers[i] < qualify ? PYCS_HOLDEM_NOT_QUALIFIED + kind
               : dealers[i] < mine  ? PYCS_HOLDEM_WIN + kind
               : dealers[i] == mine ? PYCS_HOLDEM_PUSH
                                    : PYCS_HOLDEM_LOSE]++;
    }
}

int pycs_holdem_walk_known(const uint8_t deal[5], const uint8_t *dealer, int dealer_cards, const uint8_t *dead,
                           int dead_cards, uint16_t qualify, uint64_t counts[14]) {
    const uint64_t live = look(deal, dealer, dealer_cards, dead, dead_cards, qualify);
    if (live == 0) {
        return -1;
    }
    uint8_t board[7];
    memcpy(board, deal + 2, 3);
    for (int i = 0; i < dealer_cards; i++) {
        board[5 + i] = dealer[i];
    }
    memset(counts, 0, PYCS_HOLDEM_OUTCOMES * sizeof *counts);
    for (int turn = 0; turn < 52; turn++) {
        for (int river = turn + 1; river < 52; river++) {
            if (live >> turn & live >> river & 1) {
                board[3] = (uint8_t)turn;
                board[4] = (uint8_t)river;
                walk_dealers(counts, deal, board, dealer_cards, live & ~(UINT64_C(1) << turn | UINT64_C(1) << river),
                             qualify);
            }
        }
    }
    return 0;
}

/*
 * By ranks, what the dealer may hold is a high and a low place: a rank, or, behind the ranks, one of his known cards.
 * Two of the same rank are one place twice.
 */
enum { RANKS = 13, PLACES = RANKS + 2, HOLDINGS = RANKS * (RANKS + 1) / 2 };

/* The ranks of all sets of so many cards. */
typedef struct {
    uint16_t ranks[RANKS * (RANKS - 1) / 2];
    int count;
} sets;

typedef struct {
    int qualify;
    int to_come; /* of the dealer's hole cards */
    int dealers; /* ways for them to come, on each board */
    uint32_t holes_key, flop_key;
    uint32_t holes[4], flop[4], dealer[4];    /* by suit: the ranks, one bit each; of the dealer, those known */
    uint8_t live[PLACES], suited[4][PLACES];  /* cards left, of all suits and of one; a known card is of none */
    sets of_suit[4][3];                       /* of no, one, two live cards of a suit */
    int high_from, high_to, low_from, low_to; /* the places of the dealer's holdings */
    uint32_t keys[HOLDINGS];                  /* by holding, ascending by high, then low place */
    int holdings;
} view;

static void view_known(view *of, const uint8_t *dealer, int dealer_cards) {
    uint32_t key[PLACES];
    for (int rank = 0; rank < RANKS; rank++) {
        key[rank] = pycs_card_key[4 * rank];
    }
    for (int i = 0; i < dealer_cards; i++) {
        of->dealer[dealer[i] & 3] |= UINT32_C(1) << (dealer[i] >> 2);
        key[RANKS + i] = pycs_card_key[dealer[i]];
        of->live[RANKS + i] = 1;
    }
    of->high_from = dealer_cards == 0 ? 0 : RANKS + dealer_cards - 1;
    of->high_to = RANKS + dealer_cards;
    of->low_from = dealer_cards < 2 ? 0 : RANKS;
    of->low_to = dealer_cards < 2 ? RANKS : RANKS + 1;
    for (int high = of->high_from; high < of->high_to; high++) {
        for (int low = of->low_from; low < of->low_to && low <= high; low++) {
            of->keys[of->holdings++] = key[high] + key[low];
        }
    }
}

static void view_suit(sets of_suit[3], const uint8_t suited[RANKS]) {
    of_suit[0].count = 1; /* no card */
    for (int rank = 0; rank < RANKS; rank++) {
        if (suited[rank]) {
            for (int cards = 1; cards >= 0; cards--) {
                const sets *const from = &of_suit[cards];
                sets *const to = &of_suit[cards + 1];
                for (int i = 0; i < from->count; i++) {
                    to->ranks[to->count++] = (uint16_t)(from->ranks[i] | 1U << rank);
                }
            }
        }
    }
}

static view view_of(uint64_t live, const uint8_t deal[5], const uint8_t *dealer, int dealer_cards, uint16_t qualify) {
    view result = {.qualify = qualify, .to_come = 2 - dealer_cards};
    int cards = 0;
    for (int i = 0; i < 5; i++) {
        *(i < 2 ? &result.holes_key : &result.flop_key) += pycs_card_key[deal[i]];
        (i < 2 ? result.holes : result.flop)[deal[i] & 3] |= UINT32_C(1) << (deal[i] >> 2);
    }
    for (int card = 0; card < 52; card++) {
        if (live >> card & 1) {
            result.suited[card & 3][card >> 2] = 1;
            result.live[card >> 2]++;
            cards++;
        }
    }
    result.dealers = choose(cards - 2, result.to_come);
    view_known(&result, dealer, dealer_cards);
    for (int suit = 0; suit < 4; suit++) {
        view_suit(result.of_suit[suit], result.suited[suit]);
    }
    return result;
}

/* In how many ways the dealer gets each of his holdings. What is impossible comes in none. */
static void find_ways(const view *of, const uint8_t live[PLACES], int ways[HOLDINGS]) {
    for (int high = of->high_from; high < of->high_to; high++) {
        for (int low = of->low_from; low < of->low_to && low < high; low++) {
            *ways++ = live[high] * live[low];
        }
        if (high < of->low_to) {
            *ways++ = choose(live[high], 2);
        }
    }
}

/* Boards with a turn and river of two ranks. */
typedef struct {
    int high, low;
    int count;
    uint8_t live[PLACES];                    /* cards left then */
    int mine;                                /* the player's strength, flushes aside */
    int strengths[HOLDINGS], ways[HOLDINGS]; /* of the dealer's holdings, flushes aside */
} boards;

/* Masks, as no branch here could be foreseen, and vectors have them. */
static inline void add_dealers(pycs_dealers *to, int strength, int ways) {
    to->below_qualify += ways & -(strength < to->qualify);
    to->below_mine += ways & -(strength < to->mine);
    to->up_to_mine += ways & -(strength <= to->mine);
}

static pycs_dealers count_dealers(const view *of, const int *strengths, const int *ways, int mine) {
    pycs_dealers result = {.qualify = of->qualify, .mine = mine};
    for (int i = 0; i < of->holdings; i++) {
        add_dealers(&result, strengths[i], ways[i]);
    }
    return result;
}

/* The same on a board with three to five ranks of a suit, where the dealer misses up to two for a flush. */
static pycs_dealers count_suited_dealers(const view *of, const boards *on, int suit, uint32_t board, int mine) {
    const uint32_t drawn = board & ~of->flop[suit], ranks = board | of->dealer[suit];
    const int size = (int)pycs_set_size(ranks), missing = size < 5 ? 5 - size : 0;
    uint8_t suited[PLACES], others[PLACES];
    int other_cards = 0;
    for (int place = 0; place < PLACES; place++) {
        suited[place] = of->suited[suit][place] & !(drawn >> place & 1);
        others[place] = (uint8_t)(on->live[place] - suited[place]);
        other_cards += place < RANKS ? others[place] : 0;
    }
    pycs_dealers result = {.qualify = of->qualify, .mine = mine};
    if (missing > 0) {
        int ways[HOLDINGS]; /* without a flush */
        find_ways(of, missing == 1 ? others : suited, ways);
        for (int i = 0; i < of->holdings && missing == 2; i++) {
            ways[i] = on->ways[i] - ways[i];
        }
        result = count_dealers(of, on->strengths, ways, mine);
    }
    for (int cards = missing; cards <= of->to_come; cards++) {
        const sets *const held = &of->of_suit[suit][cards];
        const int ways = choose(other_cards, of->to_come - cards);
        for (int i = 0; i < held->count; i++) {
            add_dealers(&result, pycs_flush_strength[ranks | held->ranks[i]], held->ranks[i] & drawn ? 0 : ways);
        }
    }
    return result;
}

/* Takes the boards with three or more cards of a suit out of the boards of their ranks. */
static void count_suited_boards(uint32_t counts[PYCS_HOLDEM_OUTCOMES], const view *of, boards *on, int suit) {
    const int suited_high = of->suited[suit][on->high], suited_low = of->suited[suit][on->low];
    for (int high = 0; high < 2; high++) { /* whether in the suit */
        for (int low = 0; low <= (on->high == on->low ? high : 1); low++) {
            const int live_high = high ? suited_high : of->live[on->high] - suited_high;
            const int live_low = low ? suited_low : of->live[on->low] - suited_low;
            const int count = on->high == on->low && high == low ? choose(live_high, 2) : live_high * live_low;
            const uint32_t board = of->flop[suit] | (uint32_t)high << on->high | (uint32_t)low << on->low;
            if (count > 0 && pycs_set_size(board) >= 3) {
                const uint32_t held = board | of->holes[suit];
                const int mine = pycs_set_size(held) >= 5 ? pycs_flush_strength[held] : on->mine;
                const pycs_dealers suited = count_suited_dealers(of, on, suit, board, mine);
                pycs_add_boards(counts, &suited, of->dealers, count);
                on->count -= count;
            }
        }
    }
}

static void count_boards(uint32_t counts[PYCS_HOLDEM_OUTCOMES], const view *of, int high, int low) {
    boards on = {.high = high, .low = low};
    on.count = high == low ? choose(of->live[high], 2) : of->live[high] * of->live[low];
    if (on.count == 0) {
        return;
    }
    memcpy(on.live, of->live, sizeof on.live);
    on.live[high]--;
    on.live[low]--;
    const uint32_t key = of->flop_key + pycs_card_key[4 * high] + pycs_card_key[4 * low];
    on.mine = pycs_plain_7(key + of->holes_key);
    for (int i = 0; i < of->holdings; i++) {
        on.strengths[i] = pycs_plain_7(key + of->keys[i]);
    }
    find_ways(of, on.live, on.ways);
    for (int suit = 0; suit < 4; suit++) {
        if (of->flop[suit] != 0) { /* turn and river alone are not three */
            count_suited_boards(counts, of, &on, suit);
        }
    }
    const pycs_dealers others = count_dealers(of, on.strengths, on.ways, on.mine);
    pycs_add_boards(counts, &others, of->dealers, on.count);
}

int pycs_holdem_count_known(const uint8_t deal[5], const uint8_t *dealer, int dealer_cards, const uint8_t *dead,
                            int dead_cards, uint16_t qualify, uint64_t counts[14]) {
    const uint64_t live = look(deal, dealer, dealer_cards, dead, dead_cards, qualify);
    if (live == 0) {
        return -1;
    }
    const view of = view_of(live, deal, dealer, dealer_cards, qualify);
    uint32_t total[PYCS_HOLDEM_OUTCOMES] = {0};
    for (int high = 0; high < RANKS; high++) {
        for (int low = 0; low <= high; low++) {
            count_boards(total, &of, high, low);
        }
    }
    for (int outcome = 0; outcome < PYCS_HOLDEM_OUTCOMES; outcome++) {
        counts[outcome] = total[outcome];
    }
    return 0;
}

int64_t pycs_holdem_count(const uint8_t *deals, int64_t rows, uint16_t qualify, uint32_t *counts) {
    for (int64_t row = 0; row < rows; row++, deals += 5) {
        uint64_t total[PYCS_HOLDEM_OUTCOMES];
        if (pycs_holdem_count_known(deals, NULL, 0, NULL, 0, qualify, total) != 0) {
            return row;
        }
        for (int outcome = 0; outcome < PYCS_HOLDEM_OUTCOMES; outcome++) {
            counts[outcome * rows + row] = (uint32_t)total[outcome];
        }
    }
    return rows;
}
