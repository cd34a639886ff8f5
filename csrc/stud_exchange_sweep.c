/*
 * The last exchange for every deal, an upcard's rank at a time.
 *
 * The hand of a deal is given up in the same way as a hand drawn against that upcard with no card dead: it is an N of
 * stud_again_values.c, valued for all of its suits at once and for PYCS_LANES multisets of ranks side by side. Of the
 * hands of the same ranks one of each canonical deal is written.
 *
 * How many M are called comes out of the same sums. All nets are multiplied by a scale, and then each M is worth one
 * less if it is called: still more than folded where it was more, and less where it was equal. So what all M are worth
 * is
 *     sum = scale x total - the M called.
 * With a scale above the number of M both can be read from the sum, if it fits 64 bits. With larger nets it takes two
 * runs: a plain one for the total; and one with a scale of 2, for scale x total - sum is right even where it wraps.
 */
#include <stdlib.h>

#include "stud_again.h"

enum { PLAIN = 1, TWICE = 2, PACKED_BITS = 21, PACKED = 1 << PACKED_BITS };

typedef struct {
    int64_t scale, nets[PYCS_NETS]; /* scaled */
    pycs_again *work;
    int64_t *totals, *called;
} sweep_run;

/* Checks and copies. Fold may be as low as it likes: it is raised to where every M is called all the same. */
static int take_nets(const int64_t nets[PYCS_NETS], int64_t taken[PYCS_NETS]) {
    int64_t least_called = PYCS_STUD_LARGEST_NET;
    for (int i = 0; i < PYCS_NETS; i++) {
        if (nets[i] > PYCS_STUD_LARGEST_NET || (nets[i] < -PYCS_STUD_LARGEST_NET && i != PYCS_NET_FOLD)) {
            return 0;
        }
        if (i != PYCS_NET_FOLD) {
            least_called = pycs_smaller(least_called, nets[i]);
        }
        taken[i] = nets[i];
    }
    taken[PYCS_NET_FOLD] = pycs_larger(nets[PYCS_NET_FOLD], least_called - 1);
    return 1;
}

/*
 * Whether every total is small enough for PACKED. Each M is worth the least net or more; and at most the best net that
 * a pair or less can bring, and what better categories bring beyond it, as often as they come out of a whole deck.
 */
static int may_pack(const int64_t nets[PYCS_NETS]) {
    const int64_t draws = 1370754, completions = 101270;
    static const int32_t hands_of[10] = {0, 0, 123552, 54912, 10200, 5108, 3744, 624, 36, 4};
    int64_t least = nets[0], most = nets[0];
    for (int i = 0; i < PYCS_NET_WIN + 2; i++) {
        most = pycs_larger(most, nets[i]);
    }
    for (int i = 0; i < PYCS_NETS; i++) {
        least = pycs_smaller(least, nets[i]);
    }
    int64_t highest = draws * most;
    for (int category = 2; category < 10; category++) {
        highest += hands_of[category] * pycs_larger(0, nets[PYCS_NET_WIN + category] - most);
    }
    const int64_t limit = (INT64_C(1) << (63 - PACKED_BITS)) / completions;
    return highest < limit && draws * least > -limit;
}

/* One less for each M that is called. */
static void mark_calls(pycs_rank_values *values) {
    for (int i = 0; i < PYCS_RANK_HANDS; i++) {
        values->call[i]--;
    }
    for (int i = 0; i < PYCS_UNPAIRED; i++) {
        values->as_flush[i]--;
    }
}

static void write_sum(const sweep_run *run, uint32_t deal, uint64_t sum) {
    uint64_t called;
    switch (run->scale) {
    case PLAIN:
        run->totals[deal] = (int64_t)sum;
        return;
    case TWICE:
        called = TWICE * (uint64_t)run->totals[deal] - sum;
        break;
    default:
        called = (0 - sum) & (PACKED - 1);
        run->totals[deal] = (int64_t)(sum + called) / PACKED;
    }
    run->called[deal] = (int64_t)called * run->work->completions_after;
}

/* Some of N's cards, and the upcard: which kind is the next, how many cards there are, and their patterns, by suit. */
typedef struct {
    int kind, cards;
    uint8_t deal[6], pattern[4];
} partial_deal;

/* Hands that only swap suits other than the dealer's are one canonical deal: that with falling patterns is written. */
static int is_falling(const pycs_again *work, const uint8_t pattern[4]) {
    return pattern[work->others[0]] >= pattern[work->others[1]] && pattern[work->others[1]] >= pattern[work->others[2]];
}

static void write_deal(const sweep_run *run, const partial_deal *of) {
    const pycs_again *const work = run->work;
    const uint32_t in_his = of->pattern[work->suit];
    uint64_t sum = work->base[in_his];
    uint32_t deal;
    for (int i = 0; i < work->other_count; i++) {
        const int suit = work->others[i];
        sum += work->of_suit[suit][of->pattern[suit]][in_his];
    }
    pycs_stud_indices(of->deal, 1, &deal);
    write_sum(run, deal, sum);
}

/* All canonical deals of N's ranks; from the pattern's highest bit on, so that those that do not fall end early. */
static void write_deals(const sweep_run *run, const pycs_multiset *of, const partial_deal *so_far) {
    if (so_far->kind < 0) {
        write_deal(run, so_far);
        return;
    }
    const int rank = of->rank[so_far->kind];
    for (uint32_t suits = 1; suits < 16; suits++) {
        if (pycs_suits_taken[suits] != of->times[so_far->kind] || suits & ~(uint32_t)run->work->live_suits[rank]) {
            continue;
        }
        partial_deal more = *so_far;
        for (int suit = 0; suit < 4; suit++) {
            if (suits >> suit & 1) {
                more.deal[more.cards++] = (uint8_t)(4 * rank + suit);
                more.pattern[suit] = (uint8_t)(more.pattern[suit] | 1 << more.kind);
            }
        }
        more.kind--;
        if (is_falling(run->work, more.pattern)) {
            write_deals(run, of, &more);
        }
    }
}

/* Some N side by side. */
typedef struct {
    int count;
    const pycs_multiset *gone[PYCS_LANES];
    uint8_t left[PYCS_LANES][PYCS_RANKS], valued[PYCS_LANES];
} batch;

static void finish(sweep_run *run, batch *of, uint8_t upcard) {
    pycs_again *const work = run->work;
    pycs_pass_ranks(&work->pass, &work->lists, (const uint8_t (*)[PYCS_RANKS])of->left, work->qualify, work->nets,
                    work->completions_after, work->values);
    for (int lane = 0; lane < of->count; lane++) {
        of->valued[lane] = 1;
        if (run->scale != PLAIN) {
            mark_calls(&work->values[lane]);
        }
    }
    pycs_again_decide(work, of->valued);
    for (int lane = 0; lane < of->count; lane++) {
        pycs_again_value(work, of->gone[lane], lane);
        const partial_deal none = {.kind = of->gone[lane]->kinds - 1, .deal = {0, 0, 0, 0, 0, upcard}};
        write_deals(run, of->gone[lane], &none);
    }
    memset(of, 0, sizeof *of);
}

static void sweep(sweep_run *run, uint8_t upcard) {
    batch next = {.count = 0};
    for (int i = 0; i < PYCS_RANK_HANDS; i++) {
        if (run->work->kept_values.ways[i] > 0) {
            next.gone[next.count] = &run->work->lists.hands[i].of;
            pycs_again_take(run->work, next.gone[next.count], next.left[next.count]);
            if (++next.count == PYCS_LANES) {
                finish(run, &next, upcard);
            }
        }
    }
    if (next.count > 0) {
        finish(run, &next, upcard);
    }
}

/* Returns 0 when the memory can't be had. */
static int set_up(sweep_run *run, const pycs_exchange_view *view, uint16_t qualify, const int64_t nets[PYCS_NETS],
                  uint8_t upcard) {
    for (int i = 0; i < PYCS_NETS; i++) {
        run->nets[i] = run->scale * nets[i];
    }
    run->work = calloc(1, sizeof *run->work);
    if (run->work == NULL || !pycs_again_set_up(run->work, view, qualify, run->nets, &upcard, 1)) {
        return 0;
    }
    pycs_again_make_tables(run->work);
    return 1;
}

static void drop(sweep_run *run) {
    if (run->work != NULL) {
        free(run->work->changes);
    }
    free(run->work);
}

int pycs_stud_exchange_sweep(int up_rank, uint16_t qualify, const int64_t nets[14], int64_t *totals, int64_t *called) {
    int64_t taken[PYCS_NETS];
    pycs_exchange_view view;
    if (up_rank < 0 || up_rank >= PYCS_RANKS) {
        return -1;
    }
    const uint8_t upcard = (uint8_t)(4 * up_rank);
    if (!pycs_exchange_look(NULL, 0, &upcard, 1, NULL, 0, qualify, nets, &view) || !take_nets(nets, taken)) {
        return -1;
    }
    sweep_run runs[2] = {{.scale = may_pack(taken) ? PACKED : PLAIN, .totals = totals, .called = called},
                         {.scale = TWICE, .totals = totals, .called = called}};
    const int count = runs[0].scale == PACKED ? 1 : 2;
    int is_ready = 1;
    for (int i = 0; i < count && is_ready; i++) {
        is_ready = set_up(&runs[i], &view, qualify, taken, upcard);
    }
    for (int i = 0; i < count; i++) {
        if (is_ready) {
            sweep(&runs[i], upcard);
        }
        drop(&runs[i]);
    }
    return is_ready ? 0 : -1;
}
