/*
 * The counting is that of stud_exchange.c without the flushes: counters for each multiset of up to four ranks, so many
 * of the dealer's hands so far hold one given set of cards with these ranks; inclusion and exclusion over the new
 * hand's cards. Here it is done for PYCS_LANES sets of live cards side by side, which compilers turn into vectors.
 */
#include "stud_by_ranks.h"

#include <stdlib.h>
#include <string.h>

#include "rank.h"
#include "rank_sets.h"
#include "stud_exchange_view.h"

/* Up to four of 13 ranks are just four of 14, the lowest of which stands for none; Pascal's triangle. */
static void number_multisets(uint16_t place[5][PYCS_RANKS]) {
    for (int rank = 0; rank < PYCS_RANKS; rank++) {
        place[4][rank] = 1;
        for (int i = 3; i >= 0; i--) {
            place[i][rank] = (uint16_t)(place[i + 1][rank] + (rank > 0 ? place[i][rank - 1] : 0));
        }
    }
}

/* Every multiset of so many ranks, none more often than `most` of it, by the strength of the hand with these keys. */
static void list_multisets(const pycs_multiset *so_far, int missing, uint32_t key, const uint8_t most[PYCS_RANKS],
                           pycs_multiset at[PYCS_STRENGTHS + 1]) {
    if (missing == 0) {
        const uint16_t strength = pycs_plain_5(key);
        at[strength] = *so_far;
        at[strength].strength = strength;
        return;
    }
    const int end = so_far->kinds > 0 ? so_far->rank[so_far->kinds - 1] : PYCS_RANKS;
    for (int rank = 0; rank < end; rank++) {
        pycs_multiset more = *so_far;
        more.rank[more.kinds++] = (uint8_t)rank;
        more.ranks = (uint16_t)(more.ranks | 1U << rank);
        for (int times = 1; times <= missing && times <= most[rank]; times++) {
            more.times[more.kinds - 1] = (uint8_t)times;
            list_multisets(&more, missing - times, key + (uint32_t)times * pycs_card_key[4 * rank], most, at);
        }
    }
}

typedef struct {
    int count;
    uint16_t number[31];
    uint8_t times[31];
} subsets;

/* The subsets of a hand's cards, by ranks, and how often each comes; none with more cards than come to the dealer. */
static void list_subsets(subsets *all, const pycs_multiset *of, const uint16_t place[5][PYCS_RANKS], int to_come,
                         int kind, int size, int number, int times) {
    if (kind == 5 || kind == of->kinds) {
        all->number[all->count] = (uint16_t)number;
        all->times[all->count++] = (uint8_t)times;
        return;
    }
    for (int taken = 0; taken <= of->times[kind] && size + taken <= to_come; taken++) {
        list_subsets(all, of, place, to_come, kind + 1, size + taken, number,
                     times * pycs_choices[of->times[kind]][taken]);
        number += place[size + taken][of->rank[kind]];
    }
}

static void start_eight(pycs_rank_hand *hand, int is_doubled) {
    for (int i = 0; i < 8; i++) {
        hand->number[hand->eights][i] = PYCS_MULTISETS;
    }
    hand->doubled[hand->eights++] = (uint8_t)is_doubled;
}

/* How often they come is written in binary: first those with a four in it, then those with a two, then a one. */
static void number_subsets(pycs_rank_hand *hand, const uint16_t place[5][PYCS_RANKS], int to_come) {
    subsets all = {.count = 0};
    list_subsets(&all, &hand->of, place, to_come, 0, 0, 0, 1);
    for (int bit = 2; bit >= 0; bit--) {
        int count = 0;
        if (hand->eights > 0) {
            start_eight(hand, 1);
        }
        for (int i = 0; i < all.count; i++) {
            if (all.times[i] >> bit & 1) {
                if (hand->eights == 0 || count == 8) {
                    start_eight(hand, 0);
                    count = 0;
                }
                hand->number[hand->eights - 1][count++] = all.number[i];
            }
        }
    }
}

/* In the order of pass_dealer. */
static void number_parts(pycs_rank_dealer *dealer, const uint16_t place[5][PYCS_RANKS]) {
    uint8_t size[16] = {0};
    int count = 1;
    for (int kind = 0; kind < dealer->of.kinds; kind++) {
        for (int taken = 1; taken <= dealer->of.times[kind]; taken++) {
            for (int i = 0; i < count; i++) {
                const int from = (taken - 1) * count + i, to = taken * count + i;
                dealer->number[to] = (uint16_t)(dealer->number[from] + place[size[from]][dealer->of.rank[kind]]);
                size[to] = (uint8_t)(size[from] + 1);
            }
        }
        count *= dealer->of.times[kind] + 1;
    }
    dealer->parts = (uint8_t)count;
    for (int i = 0; i < count; i++) {
        dealer->is_odd[i] = size[i] % 2;
    }
}

static void list_hands(pycs_rank_lists *lists, const pycs_multiset at[PYCS_STRENGTHS + 1], int to_come) {
    int hands = 0, unpaired = 0, category = 0;
    for (uint16_t strength = 1; strength <= PYCS_STRENGTHS; strength++) {
        category += strength == pycs_category_floor(category + 1);
        if (at[strength].strength > 0) {
            pycs_rank_hand *const hand = &lists->hands[hands];
            hand->of = at[strength];
            hand->category = (uint8_t)category;
            hand->unpaired = (int16_t)(hand->of.kinds == 5 ? unpaired : -1);
            number_subsets(hand, (const uint16_t (*)[PYCS_RANKS])lists->place, to_come);
            if (hand->of.kinds == 5) {
                lists->unpaired[unpaired++] = (uint16_t)hands;
            }
            hands++;
        }
    }
}

static void list_dealers(pycs_rank_lists *lists, const pycs_multiset at[PYCS_STRENGTHS + 1]) {
    for (uint16_t strength = 1; strength <= PYCS_STRENGTHS; strength++) {
        if (at[strength].strength > 0) {
            pycs_rank_dealer *const dealer = &lists->dealers[lists->dealer_count++];
            dealer->of = at[strength];
            number_parts(dealer, (const uint16_t (*)[PYCS_RANKS])lists->place);
        }
    }
}

int pycs_list_ranks(pycs_rank_lists *lists, uint32_t dealer_key, const uint8_t live[PYCS_RANKS], int to_come) {
    static const uint8_t four_each[PYCS_RANKS] = {4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4};
    const pycs_multiset none = {0};
    pycs_multiset *const at = calloc(2 * (PYCS_STRENGTHS + 1), sizeof *at), *const at_dealers = at + PYCS_STRENGTHS + 1;
    if (at == NULL) {
        return 0;
    }
    memset(lists, 0, sizeof *lists);
    number_multisets(lists->place);
    list_multisets(&none, 5, 0, four_each, at);
    list_multisets(&none, to_come, dealer_key, live, at_dealers);
    list_hands(lists, at, to_come);
    list_dealers(lists, at_dealers);
    free(at);
    return 1;
}

static void take_live(pycs_rank_pass *pass, const uint8_t live[PYCS_LANES][PYCS_RANKS]) {
    for (int rank = 0; rank < PYCS_RANKS; rank++) {
        for (int lane = 0; lane < PYCS_LANES; lane++) {
            const int cards = live[lane][rank];
            for (int chosen = 0; chosen < 5; chosen++) {
                pass->ways[rank][chosen][lane] = (int16_t)pycs_choices[cards][chosen];
                for (int given = 0; given < 5; given++) {
                    const int left = cards < given ? 0 : cards - given;
                    pass->left_ways[rank][chosen][given][lane] = (int16_t)pycs_choices[left][chosen];
                    pass->rest[rank][chosen][given][lane] =

                        given > chosen || given > cards ? 0 : (int16_t)pycs_choices[left][chosen - given];
                }
            }
        }
    }
}

static inline pycs_packed pack(const int16_t counts[PYCS_LANES]) {
    pycs_packed packed;
    for (int word = 0; word < PYCS_WORDS; word++) {
        const int16_t *const of = counts + PYCS_LANES_OF_A_WORD * word;
        packed.word[word] =
            (uint64_t)of[0] + ((uint64_t)of[1] << PYCS_LANE_BITS) + ((uint64_t)of[2] << 2 * PYCS_LANE_BITS);
    }
    return packed;
}

static inline void unpack(const pycs_packed *packed, int32_t counts[PYCS_LANES]) {
    const uint64_t half = UINT64_C(1) << (PYCS_LANE_BITS - 1), mask = 2 * half - 1;
    for (int word = 0; word < PYCS_WORDS; word++) {
        uint64_t lanes = packed->word[word] + half + (half << PYCS_LANE_BITS) + (half << 2 * PYCS_LANE_BITS);
        for (int i = 0; i < PYCS_LANES_OF_A_WORD; i++, lanes >>= PYCS_LANE_BITS) {
            counts[PYCS_LANES_OF_A_WORD * word + i] = (int32_t)(lanes & mask) - (int32_t)half;
        }
    }
}

/* Each with the sign of inclusion and exclusion: less than 0 where the multiset is odd. */
static void pass_dealer(pycs_rank_pass *pass, const pycs_rank_dealer *dealer) {
    int16_t ways[16][PYCS_LANES];
    int count = 1;
    for (int lane = 0; lane < PYCS_LANES; lane++) {
        ways[0][lane] = 1;
    }
    for (int kind = 0; kind < dealer->of.kinds; kind++) {
        const int times = dealer->of.times[kind];
        const int16_t (*const rest)[PYCS_LANES] =
            (const int16_t (*)[PYCS_LANES])pass->rest[dealer->of.rank[kind]][times];
        for (int taken = times; taken >= 0; taken--) { /* none taken last: what it is made of stands in its place */
            for (int i = 0; i < count; i++) {
                for (int lane = 0; lane < PYCS_LANES; lane++) {
                    ways[taken * count + i][lane] = (int16_t)(ways[i][lane] * rest[taken][lane]);
                }
            }
        }
        count *= times + 1;
    }
    for (int i = 0; i < count; i++) {
        pycs_packed *const to = &pass->so_far[dealer->number[i]];
        const pycs_packed more = pack(ways[i]);
        for (int word = 0; word < PYCS_WORDS; word++) {
            to->word[word] += dealer->is_odd[i] ? 0 - more.word[word] : more.word[word];
        }
    }
}

/* The dealer's hands counted so far that hold none of a new hand's cards. */
static inline void ask(const pycs_packed *counters, const pycs_rank_hand *hand, pycs_packed *answer) {
    pycs_packed sum = {{0}};
    for (int i = 0; i < hand->eights; i++) {
        const uint16_t *const number = hand->number[i];
        for (int word = 0; word < PYCS_WORDS; word++) {
            sum.word[word] <<= hand->doubled[i];
        }
        for (int j = 0; j < 8; j++) {
            for (int word = 0; word < PYCS_WORDS; word++) {
                sum.word[word] += counters[number[j]].word[word];
            }
        }
    }
    *answer = sum;
}

/* The dealer's hands of the same ranks that hold none of a new hand's cards. */
static void count_ties(const pycs_rank_pass *pass, const pycs_rank_hand *hand, const pycs_rank_dealer *dealer,
                       int16_t ways[PYCS_LANES]) {
    for (int lane = 0; lane < PYCS_LANES; lane++) {
        ways[lane] = 1;
    }
    for (int kind = 0, mine = 0; kind < dealer->of.kinds; kind++) {
        const int rank = dealer->of.rank[kind], times = dealer->of.times[kind];
        while (hand->of.rank[mine] != rank) {
            mine++;
        }
        const int16_t *const left = pass->left_ways[rank][times][hand->of.times[mine]];
        for (int lane = 0; lane < PYCS_LANES; lane++) {
            ways[lane] = (int16_t)(ways[lane] * left[lane]);
        }
    }
}

/* The dealer's hands in the order of strength. */
static void go_up(pycs_rank_pass *pass, const pycs_rank_lists *lists, uint16_t qualify) {
    int passed = 0, number = 0;
    while (passed < lists->dealer_count && lists->dealers[passed].of.strength < qualify) {
        pass_dealer(pass, &lists->dealers[passed++]);
    }
    for (int i = 0; i < PYCS_RANK_HANDS; i++) {
        ask(pass->so_far, &lists->hands[i], &pass->not_qualified[i]);
    }
    for (; number < PYCS_RANK_HANDS; number++) {
        const pycs_rank_hand *const hand = &lists->hands[number];
        if (hand->category == 6 && hand[-1].category < 6) {
            for (int i = 0; i < PYCS_UNPAIRED; i++) {
                ask(pass->so_far, &lists->hands[lists->unpaired[i]], &pass->flush_below[i]);
            }
        }
        if (hand->of.strength >= qualify) {
            ask(pass->so_far, hand, &pass->below[number]);
            if (passed < lists->dealer_count && lists->dealers[passed].of.strength == hand->of.strength) {
                pass_dealer(pass, &lists->dealers[passed++]);
            }
        }
    }
}

static void value_flushes(const pycs_rank_pass *pass, const pycs_rank_lists *lists, uint16_t qualify,
                          const int64_t nets[PYCS_NETS], int64_t completions, pycs_rank_values values[PYCS_LANES]) {
    for (int i = 0; i < PYCS_UNPAIRED; i++) {
        const uint16_t strength = pycs_flush_strength[lists->hands[lists->unpaired[i]].of.ranks];
        const int category = pycs_flush_category(strength);
        const int64_t fail = nets[PYCS_NET_NOT_QUALIFIED], win = nets[PYCS_NET_WIN + category],
                      lose = nets[PYCS_NET_LOSE];
        int32_t failed[PYCS_LANES], below[PYCS_LANES];
        unpack(&pass->not_qualified[lists->unpaired[i]], failed);
        unpack(&pass->flush_below[i], below);
        for (int lane = 0; lane < PYCS_LANES; lane++) {
            const int64_t beaten = strength < qualify ? failed[lane] : category > 5 ? completions : below[lane];
            values[lane].as_flush[i] =
                failed[lane] * fail + (beaten - failed[lane]) * win + (completions - beaten) * lose;
        }
    }
}

/* A hand below the qualifying strength wins only if the dealer fails. tie: the dealer's hand of the same ranks, or
 * NULL. */
static void value_hand(const pycs_rank_pass *pass, const pycs_rank_hand *hand, int number, int is_below,
                       const pycs_rank_dealer *tie, const int64_t nets[PYCS_NETS], int64_t completions,
                       pycs_rank_values values[PYCS_LANES]) {
    const int64_t fail = nets[PYCS_NET_NOT_QUALIFIED], win = nets[PYCS_NET_WIN + hand->category],
                  lose = nets[PYCS_NET_LOSE];
    int32_t failed[PYCS_LANES], below[PYCS_LANES];
    unpack(&pass->not_qualified[number], failed);
    if (is_below) {
        for (int lane = 0; lane < PYCS_LANES; lane++) {
            values[lane].call[number] = failed[lane] * (fail - lose) + completions * lose;
        }
        return;
    }
    unpack(&pass->below[number], below);
    for (int lane = 0; lane < PYCS_LANES; lane++) {
        values[lane].call[number] = failed[lane] * (fail - win) + below[lane] * (win - lose) + completions * lose;
    }
    if (tie != NULL) {
        int16_t ties[PYCS_LANES];
        count_ties(pass, hand, tie, ties);
        for (int lane = 0; lane < PYCS_LANES; lane++) {
            values[lane].call[number] += ties[lane] * (nets[PYCS_NET_PUSH] - lose);
        }
    }
}

static void count_ways(const pycs_rank_pass *pass, const pycs_multiset *of, int number,
                       pycs_rank_values values[PYCS_LANES]) {
    int16_t ways[PYCS_LANES];
    for (int lane = 0; lane < PYCS_LANES; lane++) {
        ways[lane] = 1;
    }
    for (int kind = 0; kind < of->kinds; kind++) {
        for (int lane = 0; lane < PYCS_LANES; lane++) {
            ways[lane] = (int16_t)(ways[lane] * pass->ways[of->rank[kind]][of->times[kind]][lane]);
        }
    }
    for (int lane = 0; lane < PYCS_LANES; lane++) {
        values[lane].ways[number] = (uint16_t)ways[lane];
    }
}

void pycs_pass_ranks(pycs_rank_pass *pass, const pycs_rank_lists *lists, const uint8_t live[PYCS_LANES][PYCS_RANKS],
                     uint16_t qualify, const int64_t nets[14], int64_t completions,
                     pycs_rank_values values[PYCS_LANES]) {
    take_live(pass, live);
    memset(pass->so_far, 0, sizeof pass->so_far);
    go_up(pass, lists, qualify);
    value_flushes(pass, lists, qualify, nets, completions, values);
    const pycs_rank_dealer *tie = lists->dealers;
    for (int i = 0; i < PYCS_RANK_HANDS; i++) {
        const pycs_rank_hand *const hand = &lists->hands[i];
        const int is_tie = tie < lists->dealers + lists->dealer_count && tie->of.strength == hand->of.strength;
        value_hand(pass, hand, i, hand->of.strength < qualify, is_tie ? tie : NULL, nets, completions, values);
        count_ways(pass, &hand->of, i, values);
        tie += is_tie;
    }
}
