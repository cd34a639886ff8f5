/*
 * An exchange with one more after it, by ranks.
 *
 * For each multiset of ranks N of the new hand, the value of giving it up too is that of a last exchange with N dead.
 * By ranks alone (stud_by_ranks.c) every M drawn for it has a number of ways and a value if called, for several N side
 * by side. The dealer's flushes change these values by the ranks that N and M take in his suit, and the player's
 * flushes are hands of another strength: stud_again_flushes.c has what does not depend on N, stud_again_values.c puts
 * it together for all suits of N. Then each row is one number by N's pattern in the dealer's suit and one for each of
 * the other suits.
 *
 * Before that, N that can't be worth giving up are left out, by two bounds for all of its suits: if every M gets the
 * best that there is for its category; and by the values by ranks, if the dealer's flushes do for every M whatever is
 * best for it, and all flushes that are live without N can be drawn.
 */
#include <stdlib.h>
#include <string.h>

#include "rank.h"
#include "stud_again.h"

static int64_t choose(int of, int chosen) {
    int64_t ways = 1;
    for (int i = 0; i < chosen; i++) {
        ways = ways * (of - i) / (i + 1);
    }
    return ways;
}

static void look_at_live(pycs_again *work) {
    for (int card = 0; card < 52; card++) {
        const uint32_t is_live = work->view.live >> card & 1;
        const int rank = card >> 2, suit = card & 3;
        work->live[rank] = (uint8_t)(work->live[rank] + is_live);
        work->live_suits[rank] = (uint8_t)(work->live_suits[rank] | is_live << suit);
        work->live_in[suit] |= is_live << rank;
    }
}

/* What N is worth if it is kept. */
static void value_kept(pycs_again *work, int number) {
    const pycs_rank_hand *const hand = &work->lists.hands[number];
    const int64_t *const change = work->corrections[work->class_of[number]].change;
    const int64_t fold = work->completions * work->nets[PYCS_NET_FOLD];
    for (uint32_t pattern = 0; pattern < UINT32_C(1) << hand->of.kinds; pattern++) {
        uint32_t ranks = 0;
        for (int kind = 0; kind < hand->of.kinds; kind++) {
            ranks |= (pattern >> kind & 1) << hand->of.rank[kind];
        }
        work->stay_as[pattern] = pycs_larger(fold, work->kept_values.call[number] + change[work->squeeze[ranks]]);
    }
    for (int in_his = 0; in_his < 2 && hand->unpaired >= 0; in_his++) {
        pycs_flushes_left left;
        pycs_again_count_left(work, in_his ? hand->of.ranks : 0, &left);
        const int64_t change_of_flush = pycs_again_correct_flush(work, &left, &work->standing[hand->unpaired]);
        work->stay_flush[in_his] = pycs_larger(fold, work->kept_values.as_flush[hand->unpaired] + change_of_flush);
    }
}

static int64_t least_kept(const pycs_again *work, const pycs_multiset *gone) {
    int64_t least = work->stay_as[0];
    for (uint32_t pattern = 1; pattern < UINT32_C(1) << gone->kinds; pattern++) {
        least = pycs_smaller(least, work->stay_as[pattern]);
    }
    return gone->kinds < 5 ? least : pycs_smaller(least, pycs_smaller(work->stay_flush[0], work->stay_flush[1]));
}

/*
 * A row may be left out if what it gains in all pairs is no more than the allowance, whole and rest of it in units and
 * millionths of the least gain. None is when the bounds might not fit, with few cards left.
 */
static void set_allowance(pycs_again *work, int64_t least_gain) {
    const int64_t million = 1000000, pairs = work->completions * work->draws, most = (INT64_C(1) << 62) / pairs;
    int64_t whole = least_gain / million, rest = least_gain % million;
    if (rest < 0) {
        whole--;
        rest += million;
    }
    const int64_t drawn = pairs / work->completions_after;
    work->leaves_out = least_gain != INT64_MIN && whole >= -most && drawn >= 1 << 15 &&
                       work->completions_after >= 8 * work->flush_count;
    if (work->leaves_out) {
        work->allowance = pairs * pycs_smaller(whole, most - 1) + pairs * rest / million;
    }
}

static int may_leave_out(const pycs_again *work, int64_t most_again, int64_t least_stay) {
    return most_again <= work->draws * least_stay + work->allowance;
}

/* The best net that a hand of each category may get; how much straights and flushes may be worth more than high card.
 */
static void look_at_best(pycs_again *work) {
    for (int category = 0; category < 10; category++) {
        const int64_t without_win =
            pycs_larger(pycs_larger(work->nets[PYCS_NET_FOLD], work->nets[PYCS_NET_LOSE]),
                        pycs_larger(work->nets[PYCS_NET_NOT_QUALIFIED], work->nets[PYCS_NET_PUSH]));
        work->best[category] = pycs_larger(without_win, work->nets[PYCS_NET_WIN + category]);
    }
    for (int i = 0; i < PYCS_UNPAIRED; i++) {
        const pycs_rank_hand *const hand = &work->lists.hands[work->lists.unpaired[i]];
        const int category = pycs_flush_category(pycs_flush_strength[hand->of.ranks]);
        int64_t straights = hand->category == 4;
        for (int kind = 0; kind < 5; kind++) {
            straights *= work->live[hand->of.rank[kind]];
        }
        work->most_of_suited += straights * pycs_larger(0, work->best[4] - work->best[0]);
        work->most_of_suited += pycs_suits_taken[work->suits_of[i]] *
                                pycs_larger(0, work->best[category] - pycs_smaller(work->best[0], work->best[4]));
    }
    work->most_of_suited *= work->completions_after;
}

/* How many hands of each category there are without straights and flushes, these being high card; from power sums. */
static void count_categories(const uint8_t left[PYCS_RANKS], int64_t hands, int64_t count[10]) {
    int64_t cards = 0, squares = 0, cubes = 0, pairs = 0;
    memset(count, 0, 10 * sizeof *count);
    for (int rank = 0; rank < PYCS_RANKS; rank++) {
        const int64_t n = left[rank];
        cards += n;
        squares += n * n;
        cubes += n * n * n;
        pairs += pycs_choices[n][2];
    }
    for (int rank = 0; rank < PYCS_RANKS; rank++) {
        const int64_t n = left[rank], two = pycs_choices[n][2], three = pycs_choices[n][3];
        const int64_t others = cards - n, other_squares = squares - n * n, other_cubes = cubes - n * n * n;
        count[1] += two * (others * others * others - 3 * others * other_squares + 2 * other_cubes) / 6;
        count[3] += three * (others * others - other_squares) / 2;
        count[6] += three * (pairs - two);
        count[7] += pycs_choices[n][4] * others;
        for (int low = 0; low < rank; low++) {
            count[2] += two * pycs_choices[left[low]][2] * (others - left[low]);
        }
    }
    count[0] = hands - count[1] - count[2] - count[3] - count[6] - count[7];
}

/* If every M gets the best that there is. */
static int64_t most_by_categories(const pycs_again *work, const uint8_t left[PYCS_RANKS]) {
    int64_t count[10], most = work->most_of_suited;
    count_categories(left, work->completions * work->draws / work->completions_after, count);
    for (int category = 0; category < 10; category++) {
        most += count[category] * work->completions_after * work->best[category];
    }
    return most;
}

/* By the values by ranks, for all suits of N. */
static int64_t most_by_ranks(const pycs_again *work, const pycs_rank_values *values) {
    int64_t most = 0;
    for (int i = 0; i < PYCS_RANK_HANDS; i++) {
        most += values->ways[i] * pycs_larger(work->fold, values->call[i] + work->high[i]);
    }
    for (int i = 0; i < PYCS_UNPAIRED; i++) {
        const int number = work->lists.unpaired[i];
        const int64_t value = pycs_larger(work->fold, values->as_flush[i] + work->standing[i].high);
        const int64_t counted = pycs_larger(work->fold, values->call[number] + work->low[number]);
        most +=
            pycs_smaller(pycs_suits_taken[work->suits_of[i]], values->ways[number]) * pycs_larger(0, value - counted);
    }
    return most;
}

typedef struct {
    uint32_t key;
    uint16_t number;
} place_of_hand;

static int place_order(const void *left, const void *right) {
    const place_of_hand *const a = left, *const b = right;
    return (a->key > b->key) - (a->key < b->key);
}

/* By category, as N of one category are left out or not together; then from low ranks to high ones, as the rows are. */
static void put_in_order(pycs_again *work) {
    place_of_hand order[PYCS_RANK_HANDS];
    for (int i = 0; i < PYCS_RANK_HANDS; i++) {
        const pycs_rank_hand *const hand = &work->lists.hands[i];
        order[i] = (place_of_hand){.key = hand->category, .number = (uint16_t)i};
        for (int kind = hand->of.kinds - 1; kind >= 0; kind--) {
            for (int times = 0; times < hand->of.times[kind]; times++) {
                order[i].key = order[i].key << 4 | hand->of.rank[kind];
            }
        }
    }
    qsort(order, PYCS_RANK_HANDS, sizeof *order, place_order);
    for (int i = 0; i < PYCS_RANK_HANDS; i++) {
        work->order[i] = order[i].number;
    }
}

/* In lexicographic order, the rows after a hand's: for each of its cards those that have a higher one in its place. */
static void prepare_rows(pycs_again *work) {
    int above[52], count = work->view.live_cards;
    for (int card = 0; card < 52; card++) {
        count -= (int)(work->view.live >> card & 1);
        above[card] = count;
    }
    for (uint32_t suits = 0; suits < 16; suits++) {
        for (int suit = 0; suit < 4; suit++) {
            work->spread[suits] |= (suits >> suit & 1) << 5 * suit;
        }
        for (int rank = 0; rank < PYCS_RANKS; rank++) {
            for (int cards = 0; cards < 5; cards++) {
                for (int suit = 0, taken = cards; suit < 4; suit++) {
                    if (suits >> suit & 1 && taken < 5) {
                        work->step[rank][suits][cards] += (int32_t)choose(above[4 * rank + suit], 5 - taken++);
                    }
                }
            }
        }
    }
}

/* Some of N's cards: of which ranks are the next, how many they are, and their patterns, five bits for each suit. */
typedef struct {
    int32_t row;
    int kind, cards;
    uint32_t patterns;
} partial_hand;

static void fill_row(pycs_again *work, const pycs_multiset *gone, const partial_hand *hand, int is_valued) {
    const uint32_t in_his = work->suit >= 0 ? hand->patterns >> 5 * work->suit & 31 : 0;
    int64_t stay = work->stay_as[in_his];
    for (int suit = 0; suit < 4 && gone->kinds == 5; suit++) {
        if ((hand->patterns >> 5 * suit & 31) == 31) {
            stay = work->stay_flush[suit == work->suit];
        }
    }
    uint64_t again = work->base[in_his];
    for (int i = 0; i < work->other_count && is_valued; i++) {
        const int suit = work->others[i];
        again += work->of_suit[suit][hand->patterns >> 5 * suit & 31][in_his];
    }
    work->stay[hand->row] = stay;
    work->again[hand->row] = is_valued ? (int64_t)again : INT64_MIN;
}

static void fill(pycs_again *work, const pycs_multiset *gone, const partial_hand *so_far, int is_valued) {
    const int rank = gone->rank[so_far->kind], times = gone->times[so_far->kind];
    for (uint32_t suits = 1; suits < 16; suits++) {
        if (pycs_suits_taken[suits] == times && (suits & ~(uint32_t)work->live_suits[rank]) == 0) {
            const partial_hand more = {.row = so_far->row - work->step[rank][suits][so_far->cards],
                                       .kind = so_far->kind - 1,
                                       .cards = so_far->cards + times,
                                       .patterns = so_far->patterns | work->spread[suits] << so_far->kind};
            if (more.kind < 0) {
                fill_row(work, gone, &more, is_valued);
            } else {
                fill(work, gone, &more, is_valued);
            }
        }
    }
}

/* All rows of N's ranks; its values are at hand. */
static void fill_rows(pycs_again *work, const pycs_multiset *gone, int is_valued) {
    const partial_hand none = {.row = (int32_t)choose(work->view.live_cards, 5) - 1, .kind = gone->kinds - 1};
    fill(work, gone, &none, is_valued);
}

/* Some N side by side. */
typedef struct {
    int count, numbers[PYCS_LANES];
    uint8_t left[PYCS_LANES][PYCS_RANKS];
} batch;

static void finish(pycs_again *work, batch *of) {
    uint8_t valued[PYCS_LANES] = {0};
    int any_valued = 0;
    pycs_pass_ranks(&work->pass, &work->lists, (const uint8_t (*)[PYCS_RANKS])of->left, work->qualify, work->nets,
                    work->completions_after, work->values);
    for (int lane = 0; lane < of->count; lane++) {
        value_kept(work, of->numbers[lane]);
        valued[lane] = !work->leaves_out || !may_leave_out(work, most_by_ranks(work, &work->values[lane]),
                                                           least_kept(work, &work->lists.hands[of->numbers[lane]].of));
        any_valued |= valued[lane];
    }
    if (any_valued) {
        if (!work->tables_made) {
            pycs_again_make_tables(work);
        }
        pycs_again_decide(work, valued);
    }
    for (int lane = 0; lane < of->count; lane++) {
        const pycs_multiset *const gone = &work->lists.hands[of->numbers[lane]].of;
        value_kept(work, of->numbers[lane]);
        if (valued[lane]) {
            pycs_again_value(work, gone, lane);
        }
        fill_rows(work, gone, valued[lane]);
    }
    of->count = 0;
}

static void sweep(pycs_again *work) {
    batch next = {.count = 0};
    memset(next.left, 0, sizeof next.left);
    for (int i = 0; i < PYCS_RANK_HANDS; i++) {
        const int number = work->order[i];
        if (work->kept_values.ways[number] == 0) {
            continue;
        }
        const pycs_multiset *const gone = &work->lists.hands[number].of;
        uint8_t *const left = next.left[next.count];
        pycs_again_take(work, gone, left);
        value_kept(work, number);
        if (work->leaves_out && may_leave_out(work, most_by_categories(work, left), least_kept(work, gone))) {
            fill_rows(work, gone, 0);
            continue;
        }
        next.numbers[next.count++] = number;
        if (next.count == PYCS_LANES) {
            finish(work, &next);
        }
    }
    if (next.count > 0) {
        finish(work, &next);
    }
}

/* Whether all sums fit. */
static int nets_fit(const pycs_exchange_view *view, const int64_t nets[PYCS_NETS]) {
    const int64_t pairs = choose(view->live_cards - 5, 5) * choose(view->live_cards - 10, view->to_come);
    for (int i = 0; i < PYCS_NETS; i++) {
        const int64_t size = nets[i] < 0 ? -nets[i] : nets[i];
        if (size >= (INT64_C(1) << 61) / pairs) {
            return 0;
        }
    }
    return 1;
}

static void value_kept_by_ranks(pycs_again *work) {
    uint8_t live[PYCS_LANES][PYCS_RANKS];
    for (int lane = 0; lane < PYCS_LANES; lane++) {
        memcpy(live[lane], work->live, sizeof live[lane]);
    }
    pycs_pass_ranks(&work->pass, &work->lists, (const uint8_t (*)[PYCS_RANKS])live, work->qualify, work->nets,
                    work->completions, work->values);
    work->kept_values = work->values[0];
    for (int i = 0; i < PYCS_UNPAIRED; i++) {
        work->nominal[i] =
            work->kept_values.call[work->lists.unpaired[i]] > work->completions * work->nets[PYCS_NET_FOLD];
    }
}

int pycs_again_set_up(pycs_again *work, const pycs_exchange_view *view, uint16_t qualify, const int64_t nets[PYCS_NETS],
                      const uint8_t *dealer, int dealer_cards) {
    uint32_t key = 0;
    work->view = *view;
    work->qualify = qualify;
    work->nets = nets;
    work->completions = choose(view->live_cards - 5, view->to_come);
    work->completions_after = choose(view->live_cards - 10, view->to_come);
    work->draws = choose(view->live_cards - 5 - view->to_come, 5);
    work->fold = work->completions_after * nets[PYCS_NET_FOLD];
    for (int i = 0; i < dealer_cards; i++) {
        key += pycs_card_key[dealer[i]];
    }
    look_at_live(work);
    if (!pycs_list_ranks(&work->lists, key, work->live, view->to_come) ||
        !pycs_again_look_at_flushes(work, dealer, dealer_cards)) {
        return 0;
    }
    value_kept_by_ranks(work);
    return 1;
}

int pycs_stud_exchange_again(const uint8_t *dealer, int dealer_cards, const uint8_t *dead, int dead_cards,
                             uint16_t qualify, const int64_t nets[14], int64_t least_gain, int64_t *stay,
                             int64_t *again) {
    pycs_exchange_view view;
    if (!pycs_exchange_look(NULL, 0, dealer, dealer_cards, dead, dead_cards, qualify, nets, &view) ||
        view.live_cards < 10 + view.to_come || !nets_fit(&view, nets)) {
        return -1;
    }
    pycs_again *const work = calloc(1, sizeof *work);
    if (work == NULL) {
        return -1;
    }
    int result = -1;
    if (pycs_again_set_up(work, &view, qualify, nets, dealer, dealer_cards)) {
        work->stay = stay;
        work->again = again;
        look_at_best(work);
        set_allowance(work, least_gain);
        prepare_rows(work);
        put_in_order(work);
        sweep(work);
        result = 0;
    }
    free(work->changes);
    free(work);
    return result;
}
