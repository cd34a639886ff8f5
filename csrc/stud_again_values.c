/*
 * What giving N up is worth, for all suits of the same ranks. It depends on which of N's ranks lie in which suit (the
 * pattern in that suit), as base[pattern in the dealer's suit] + sum over the other suits of of_suit[...].
 *
 * base counts every M as if the player had no flush. Most M are folded, or called, whatever the suits: their values by
 * ranks add up as they are, and each of the dealer's flushes changes the sum for the M called that hold none of its
 * cards. These come by inclusion and exclusion over the cards of that flush from the numbers of M called that hold
 * them; the flush can come if N holds none of its cards. For the mixed M all ways are gone through in which their ranks
 * and N's lie in the dealer's suit.
 *
 * of_suit replaces what was counted for the player's flushes in that suit. Their values by ranks and patterns are added
 * here, what the dealer's flushes change comes from the tables, and where M of these ranks is not what the tables take
 * it for, fold or call, that is put right.
 */
#include <string.h>

#include "stud_again.h"

/* Which of N's ranks are among these. */
static inline uint32_t pattern_of(const pycs_again *work, uint32_t ranks) {
    return work->low_pattern[ranks & 127] | work->high_pattern[ranks >> 7];
}

/* M called that hold none of this flush's cards, weighted; `weight` is that of the category so far. */
static pycs_lane_totals ask_called(const pycs_again *work, const pycs_dealers_flush *flush, int64_t weight) {
    pycs_lane_totals sum = {{0}};
    for (int i = 0; i < flush->parts; i++) {
        const uint64_t *const weighted = work->weighted[flush->part[i]].of;
        const int32_t *const count = work->of_category[flush->part[i]].of;
        for (int lane = 0; lane < PYCS_LANES; lane++) {
            sum.of[lane] += weighted[lane] + (uint64_t)(count[lane] * weight);
        }
    }
    return sum;
}

/* M of these ranks, as far as they are called, that hold none of these ranks in the dealer's suit. */
static pycs_lane_ways ways_without(const pycs_again *work, const pycs_multiset *of, pycs_lane_ways called,
                                   uint32_t suited) {
    for (int kind = 0; kind < of->kinds; kind++) {
        const int rank = of->rank[kind], times = of->times[kind];
        const int16_t *const all = work->pass.ways[rank][times], *const with = work->pass.rest[rank][times][1];
        for (int lane = 0; lane < PYCS_LANES; lane++) {
            const int ways = suited >> rank & 1 ? all[lane] - with[lane] : all[lane];
            called.of[lane] = (int16_t)(called.of[lane] * ways);
        }
    }
    return called;
}

static void add_called(pycs_again *work, const pycs_multiset *of, pycs_lane_ways called) {
    pycs_lane_ways ways[32];
    uint16_t set[32] = {0};
    int count = 1;
    ways[0] = called;
    for (int kind = 0; kind < of->kinds; kind++) {
        const int rank = of->rank[kind], times = of->times[kind], in_suit = work->suit_live >> rank & 1;
        const int16_t *const all = work->pass.ways[rank][times], *const with = work->pass.rest[rank][times][1];
        for (int i = 0; i < count && in_suit; i++) {
            set[count + i] = (uint16_t)(set[i] | work->squeeze[1 << rank]);
            for (int lane = 0; lane < PYCS_LANES; lane++) {
                ways[count + i].of[lane] = (int16_t)(-ways[i].of[lane] * with[lane]);
            }
        }
        for (int i = 0; i < count; i++) {
            for (int lane = 0; lane < PYCS_LANES; lane++) {
                ways[i].of[lane] = (int16_t)(ways[i].of[lane] * all[lane]);
            }
        }
        count <<= in_suit;
    }
    for (int i = 0; i < count; i++) {
        if (pycs_set_size(set[i]) <= 4) {
            int32_t *const to = work->of_category[work->called_set[set[i]]].of;
            for (int lane = 0; lane < PYCS_LANES; lane++) {
                to[lane] += ways[i].of[lane];
            }
        }
    }
}

static void end_category(pycs_again *work, int64_t weight) {
    for (int set = 0; set < work->called_sets; set++) {
        for (int lane = 0; lane < PYCS_LANES; lane++) {
            const int32_t count = work->of_category[set].of[lane];
            work->called[set].of[lane] += count;
            work->weighted[set].of[lane] += (uint64_t)(count * weight);
        }
    }
    memset(work->of_category, 0, (size_t)work->called_sets * sizeof *work->of_category);
}

/*
 * A flush of the dealer that qualifies is counted at its own strength, or taken back at that of its ranks. M below it
 * lose to it and M above it win. This is the same as if all of them won, plus the weights, a loss less a win, of those
 * below it: only they are added here, and end_flushes adds the rest.
 */
static void add_event(pycs_again *work, const pycs_flush_event *event, int64_t weight) {
    const pycs_lane_totals sum = ask_called(work, &work->flushes[event->flush], weight);
    for (int lane = 0; lane < PYCS_LANES; lane++) {
        work->of_flush[event->flush].of[lane] += (uint64_t)event->sign * sum.of[lane];
    }
}

/* By ranks alone M is equal to it. */
static void add_equal(pycs_again *work, const pycs_flush_event *event, const pycs_rank_hand *hand,
                      pycs_lane_ways called) {
    const pycs_lane_ways ways = ways_without(work, &hand->of, called, work->flushes[event->flush].ranks);
    const int64_t weight = event->sign * (work->nets[PYCS_NET_PUSH] - work->nets[PYCS_NET_WIN + hand->category]);
    for (int lane = 0; lane < PYCS_LANES; lane++) {
        work->of_flush[event->flush].of[lane] += (uint64_t)(ways.of[lane] * weight);
    }
}

/*
 * Counted and taken back, the wins of all M cancel out. Where the flush qualifies only as itself, they are to be added,
 * a loss less its weight each, and the net of a dealer who fails is to be taken back.
 */
static void end_flushes(pycs_again *work) {
    const uint64_t per_call = (uint64_t)work->nets[PYCS_NET_LOSE] - (uint64_t)work->nets[PYCS_NET_NOT_QUALIFIED];
    for (int i = 0; i < work->flush_count; i++) {
        const pycs_dealers_flush *const flush = &work->flushes[i];
        const uint64_t qualifies = flush->strength >= work->qualify && flush->by_ranks < work->qualify;
        if (!qualifies) {
            continue;
        }
        const pycs_lane_totals weighted = ask_called(work, flush, 0);
        for (int part = 0; part < flush->parts; part++) {
            const int32_t *const count = work->called[flush->part[part]].of;
            for (int lane = 0; lane < PYCS_LANES; lane++) {
                work->of_flush[i].of[lane] += per_call * (uint64_t)count[lane];
            }
        }
        for (int lane = 0; lane < PYCS_LANES; lane++) {
            work->of_flush[i].of[lane] -= weighted.of[lane];
        }
    }
}

/* Returns for which N it is called. */
static pycs_lane_ways decide_hand(pycs_again *work, int number, const uint8_t valued[PYCS_LANES], int *any_called) {
    pycs_lane_ways called = {{0}};
    *any_called = 0;
    for (int lane = 0; lane < PYCS_LANES; lane++) {
        if (!valued[lane]) {
            continue;
        }
        const int64_t call = work->values[lane].call[number];
        const uint64_t ways = work->values[lane].ways[number];
        uint8_t *const status = &work->status[lane][number];
        if (call + work->low[number] >= work->fold) {
            *status = PYCS_CALLS;
            called.of[lane] = 1;
            *any_called = 1;
            work->by_ranks.of[lane] += (uint64_t)call * ways;
        } else if (call + work->high[number] <= work->fold) {
            *status = PYCS_FOLDS;
            work->by_ranks.of[lane] += (uint64_t)work->fold * ways;
        } else {
            *status = PYCS_MIXED;
            if (ways > 0) {
                work->mixed[lane][work->mixed_count[lane]++] = (uint16_t)number;
            }
        }
    }
    return called;
}

static void forget(pycs_again *work) {
    memset(work->of_category, 0, sizeof work->of_category);
    memset(work->called, 0, sizeof work->called);
    memset(work->weighted, 0, sizeof work->weighted);
    memset(work->of_flush, 0, sizeof work->of_flush);
    memset(&work->by_ranks, 0, sizeof work->by_ranks);
    memset(work->mixed_count, 0, sizeof work->mixed_count);
}

void pycs_again_decide(pycs_again *work, const uint8_t valued[PYCS_LANES]) {
    const pycs_flush_event *event = work->events, *const end = work->events + work->event_count;
    int64_t weight = 0;
    forget(work);
    for (int i = 0; i < PYCS_RANK_HANDS; i++) {
        const pycs_rank_hand *const hand = &work->lists.hands[i];
        if (i > 0 && hand->category != hand[-1].category) {
            end_category(work, weight);
        }
        weight = work->nets[PYCS_NET_LOSE] - work->nets[PYCS_NET_WIN + hand->category];
        int any_called;
        const pycs_lane_ways called = decide_hand(work, i, valued, &any_called);
        for (; event < end && event->strength <= hand->of.strength; event++) {
            add_event(work, event, weight);
            if (event->strength == hand->of.strength) {
                add_equal(work, event, hand, called);
            }
        }
        if (work->flush_count > 0 && any_called) {
            add_called(work, &hand->of, called);
        }
    }
    end_category(work, weight);
    for (; event < end; event++) {
        add_event(work, event, 0);
    }
    end_flushes(work);
}

/* From the sum for each pattern to that over all patterns that have nothing in common with it; rows of so many. */
static void sum_patterns(uint64_t *rows, uint32_t patterns, uint32_t stride, uint32_t width) {
    for (uint32_t half = 1; half < patterns; half *= 2) {
        for (uint32_t i = 0; i < patterns; i++) {
            for (uint32_t j = 0; j < width && !(i & half); j++) {
                uint64_t *const without = &rows[i * stride + j], *const with = &rows[(i + half) * stride + j];
                const uint64_t sum = *without + *with;
                *with = *without;
                *without = sum;
            }
        }
    }
}

static void look_at_gone(pycs_again *work, const pycs_multiset *gone) {
    work->gone = gone;
    work->has_flushes_left = 0;
    pycs_again_take(work, gone, work->left);
    memset(work->low_pattern, 0, sizeof work->low_pattern);
    memset(work->high_pattern, 0, sizeof work->high_pattern);
    memset(work->ranks_in, 0, sizeof work->ranks_in);
    for (int kind = 0; kind < gone->kinds; kind++) {
        const int rank = gone->rank[kind];
        for (uint32_t ranks = 0; ranks < 128; ranks++) {
            work->low_pattern[ranks] |= (uint8_t)((ranks >> rank & 1) << kind);
            work->high_pattern[ranks & 63] |= (uint8_t)(((ranks & 63) << 7 >> rank & 1) << kind);
        }
        for (uint32_t pattern = 0; pattern < PYCS_PATTERNS; pattern++) {
            work->ranks_in[pattern] |= (pattern >> kind & 1) << rank;
        }
    }
    for (uint32_t pattern = 0; pattern < PYCS_PATTERNS; pattern++) {
        work->lost[pattern] = work->squeeze[work->ranks_in[pattern]];
    }
}

/* Ways for a rank of M, all; without the card of the dealer's suit, which is live; with it. */
typedef struct {
    int64_t all, without, with;
} rank_ways;

static rank_ways look_at_rank(const pycs_again *work, int rank, int times) {
    rank_ways ways = {.all = pycs_choices[work->left[rank]][times]};
    if (work->suit_live >> rank & 1) {
        ways.without = pycs_choices[work->left[rank] - 1][times];
        ways.with = pycs_choices[work->left[rank] - 1][times - 1];
    }
    return ways;
}

/*
 * An M whose fold or call depends on the suits. Values by pattern of N's ranks and, above these bits, of M's other
 * ranks, in the dealer's suit; then M's ranks are added up one by one. A rank of both is in the pattern if either has
 * it there: first the card is N's, and what M has of it is not.
 */
static void add_mixed(pycs_again *work, int number, int64_t call) {
    const pycs_multiset *const of = &work->lists.hands[number].of;
    const int64_t *const change = work->corrections[work->class_of[number]].change;
    int64_t value[1 << 10];
    uint16_t lost[1 << 10];
    const int patterns = 1 << work->gone->kinds;
    int count = patterns;
    uint64_t factor = 1;
    for (int i = 0; i < patterns; i++) {
        lost[i] = (uint16_t)work->lost[i];
    }
    for (int kind = 0; kind < of->kinds; kind++) {
        const int rank = of->rank[kind];
        if (!(work->suit_live >> rank & 1)) {
            factor *= pycs_choices[work->left[rank]][of->times[kind]];
        } else if (!(work->gone->ranks >> rank & 1)) {
            for (int i = 0; i < count; i++) {
                lost[count + i] = (uint16_t)(lost[i] | work->squeeze[1 << rank]);
            }
            count *= 2;
        }
    }
    for (int i = 0; i < count; i++) {
        value[i] = pycs_larger(work->fold, call + change[lost[i]]);
    }
    for (int kind = of->kinds - 1; kind >= 0; kind--) {
        const int rank = of->rank[kind];
        const rank_ways ways = look_at_rank(work, rank, of->times[kind]);
        if (!(work->suit_live >> rank & 1)) {
            continue;
        }
        if (!(work->gone->ranks >> rank & 1)) {
            count /= 2;
            for (int i = 0; i < count; i++) {
                value[i] = ways.without * value[i] + ways.with * value[count + i];
            }
            continue;
        }
        const int in = (int)pattern_of(work, UINT32_C(1) << rank);
        for (int i = 0; i < count; i++) {
            if (!(i & in)) {
                value[i] = ways.without * value[i] + ways.with * value[i | in];
                value[i | in] *= ways.all;
            }
        }
    }
    for (int i = 0; i < patterns; i++) {
        work->base[i] += factor * (uint64_t)value[i];
    }
}

/* A flush of the player whose ranks, or it itself, are not folded or called as the tables have it. */
typedef struct {
    int number, is_mixed, may_fold;
    int64_t times; /* how often the correction by ranks is missing in the tables */
    int64_t call, as_flush;
    const int64_t *change;
} odd_flush;

/* flush_change: what the dealer's flushes change for the flush itself, if it may be folded. */
static inline uint64_t odd_value(const pycs_again *work, const odd_flush *odd, int64_t flush_change,
                                 uint32_t squeezed) {
    const int64_t change = odd->change[squeezed];
    uint64_t value = (uint64_t)(odd->times * change);
    if (odd->is_mixed) {
        value -= (uint64_t)pycs_larger(work->fold, odd->call + change);
    }
    if (odd->may_fold) {
        value += (uint64_t)pycs_larger(work->fold - odd->as_flush - flush_change, 0);
    }
    return value;
}

static void count_flushes_left(pycs_again *work) {
    for (uint32_t pattern = 0; pattern < UINT32_C(1) << work->gone->kinds && !work->has_flushes_left; pattern++) {
        pycs_again_count_left(work, work->ranks_in[pattern], &work->flushes_left[pattern]);
    }
    work->has_flushes_left = 1;
}

static void add_odd(pycs_again *work, const odd_flush *odd, uint32_t ranks, uint32_t in) {
    const uint32_t suits = work->suits_of[odd->number];
    const int in_his = work->suit >= 0 && suits >> work->suit & 1;
    uint64_t value[PYCS_PATTERNS];
    uint8_t beside[PYCS_PATTERNS] = {0};
    for (int kind = 0; kind < work->gone->kinds && in_his; kind++) {
        const uint32_t bit = pycs_again_beside(work, ranks, work->gone->rank[kind]);
        for (int i = 0; i < 1 << kind; i++) {
            beside[1 << kind | i] = (uint8_t)(beside[i] | bit);
        }
    }
    if (odd->may_fold) {
        count_flushes_left(work);
    }
    for (uint32_t pattern = 0; pattern < UINT32_C(1) << work->gone->kinds; pattern++) {
        const int64_t change =
            odd->may_fold ? pycs_again_correct_flush(work, &work->flushes_left[pattern], &work->standing[odd->number])
                          : 0;
        value[pattern] = odd_value(work, odd, change, work->lost[pattern]);
        if (in_his && !(pattern & in)) {
            work->base[pattern] += odd_value(work, odd, work->own_change[odd->number][beside[pattern]],
                                             work->lost[pattern] | work->squeeze[ranks]);
        }
    }
    for (int i = 0; i < work->other_count; i++) {
        uint64_t *const to = work->exceptions[work->others[i]][in];
        for (uint32_t pattern = 0; pattern < UINT32_C(1) << work->gone->kinds && suits >> work->others[i] & 1;
             pattern++) {
            to[pattern] += value[pattern];
        }
    }
}

static void add_flushes(pycs_again *work, int lane) {
    const pycs_rank_values *const values = &work->values[lane];
    memset(work->by_pattern, 0, sizeof work->by_pattern);
    memset(work->exceptions, 0, sizeof work->exceptions);
    for (int i = 0; i < PYCS_UNPAIRED; i++) {
        const int number = work->lists.unpaired[i], status = work->status[lane][number];
        const uint32_t ranks = work->lists.hands[number].of.ranks, in = pattern_of(work, ranks);
        const odd_flush odd = {.number = i,
                               .is_mixed = status == PYCS_MIXED,
                               .may_fold = values->as_flush[i] + work->standing[i].low < work->fold,
                               .times = work->nominal[i] - (status == PYCS_CALLS),
                               .call = values->call[number],
                               .as_flush = values->as_flush[i],
                               .change = work->corrections[work->class_of[number]].change};
        const int64_t counted = status == PYCS_FOLDS ? work->fold : status == PYCS_CALLS ? odd.call : 0;
        const uint64_t more = (uint64_t)odd.as_flush - (uint64_t)counted;
        for (int suit = 0; suit < 4; suit++) {
            work->by_pattern[suit][in] += more * (work->suits_of[i] >> suit & 1);
        }
        if (work->suits_of[i] != 0 && (odd.times != 0 || odd.is_mixed || odd.may_fold)) {
            add_odd(work, &odd, ranks, in);
        }
    }
}

static void put_together(pycs_again *work) {
    const uint32_t patterns = UINT32_C(1) << work->gone->kinds;
    for (int suit = 0; suit < 4; suit++) {
        sum_patterns(work->by_pattern[suit], patterns, 1, 1);
    }
    for (uint32_t own = 0; own < patterns; own++) {
        const uint32_t lost = work->ranks_in[own] & work->suit_live;
        work->base[own] += work->suit >= 0 ? work->by_pattern[work->suit][own] + work->own_suit[lost] : 0;
    }
    for (int i = 0; i < work->other_count; i++) {
        const int suit = work->others[i];
        sum_patterns(work->exceptions[suit][0], patterns, PYCS_PATTERNS, patterns);
        for (uint32_t own = 0; own < patterns; own++) {
            const uint32_t lost = work->ranks_in[own] & work->suit_live;
            const uint64_t *const table = work->suit_table[i] + work->offset[lost];
            for (uint32_t pattern = 0; pattern < patterns; pattern++) {
                if (pycs_set_size(lost) + pycs_set_size(pattern) <= 5) { /* or N has not that many cards */
                    work->of_suit[suit][pattern][own] = work->by_pattern[suit][pattern] +
                                                        work->exceptions[suit][pattern][own] +
                                                        table[work->position[work->ranks_in[pattern]]];
                }
            }
        }
    }
}

void pycs_again_value(pycs_again *work, const pycs_multiset *gone, int lane) {
    look_at_gone(work, gone);
    memset(work->base, 0, sizeof work->base);
    for (int i = 0; i < work->flush_count; i++) {
        work->base[pattern_of(work, work->flushes[i].ranks)] += work->of_flush[i].of[lane];
    }
    work->base[0] += work->by_ranks.of[lane];
    sum_patterns(work->base, UINT32_C(1) << gone->kinds, 1, 1);
    for (int i = 0; i < work->mixed_count[lane]; i++) {
        const int number = work->mixed[lane][i];
        add_mixed(work, number, work->values[lane].call[number]);
    }
    add_flushes(work, lane);
    put_together(work);
}
