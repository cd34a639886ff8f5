/* The dealer's flushes, and the player's: what they change of the values by ranks alone. None of it depends on N. */
#include <stdlib.h>
#include <string.h>

#include "rank.h"
#include "stud_again.h"

static int64_t outcome(const pycs_again *work, uint16_t dealer, uint16_t mine, int64_t win) {
    return dealer < work->qualify ? work->nets[PYCS_NET_NOT_QUALIFIED]
           : dealer < mine        ? win
           : dealer == mine       ? work->nets[PYCS_NET_PUSH]
                                  : work->nets[PYCS_NET_LOSE];
}

/* For one of the player's hands. */
static int64_t change(const pycs_again *work, const pycs_dealers_flush *flush, uint16_t mine, int64_t win) {
    return outcome(work, flush->strength, mine, win) - outcome(work, flush->by_ranks, mine, win);
}

static void find_suit(pycs_again *work, const uint8_t *dealer, int dealer_cards) {
    work->suit = dealer_cards < 5 ? dealer[0] & 3 : -1;
    for (int i = 1; i < dealer_cards; i++) {
        work->suit = (dealer[i] & 3) == (dealer[0] & 3) ? work->suit : -1;
    }
    work->suit_live = work->suit >= 0 ? work->live_in[work->suit] : 0;
    for (int suit = 0; suit < 4; suit++) {
        if (suit != work->suit) {
            work->others[work->other_count++] = suit;
        }
    }
    for (int rank = 0; rank < PYCS_RANKS; rank++) {
        if (work->suit_live >> rank & 1) {
            for (uint32_t ranks = 0; ranks < PYCS_RANK_SETS; ranks++) {
                work->squeeze[ranks] = (uint16_t)(work->squeeze[ranks] | (ranks >> rank & 1) << work->squeezed_bits);
            }
            work->squeezed_bits++;
        }
    }
    for (uint32_t set = 0; set < UINT32_C(1) << work->squeezed_bits; set++) {
        if (pycs_set_size(set) <= 4) {
            work->called_set[set] = (uint16_t)work->called_sets++;
        }
    }
}

static void number_parts(const pycs_again *work, pycs_dealers_flush *flush) {
    const uint32_t all = work->squeeze[flush->ranks];
    for (uint32_t part = all;; part = (part - 1) & all) {
        flush->part[flush->parts++] = work->called_set[part];
        if (part == 0) {
            return;
        }
    }
}

static int flush_order(const void *left, const void *right) {
    const pycs_dealers_flush *const a = left, *const b = right;
    return (a->strength > b->strength) - (a->strength < b->strength);
}

static int event_order(const void *left, const void *right) {
    const pycs_flush_event *const a = left, *const b = right;
    return (a->strength > b->strength) - (a->strength < b->strength);
}

/* With five cards seen, the one that they may be comes without a card. */
static void list_flushes(pycs_again *work, const uint8_t *dealer, int dealer_cards) {
    uint32_t key = 0, shown = 0;
    for (int i = 0; i < dealer_cards; i++) {
        key += pycs_card_key[dealer[i]];
        shown |= UINT32_C(1) << (dealer[i] >> 2);
        if ((dealer[i] & 3) != (dealer[0] & 3)) {
            return;
        }
    }
    for (uint32_t ranks = 0; ranks < PYCS_RANK_SETS; ranks++) {
        if ((int)pycs_set_size(ranks) == work->view.to_come && (ranks & ~work->suit_live) == 0) {
            uint32_t whole = key;
            for (int rank = 0; rank < PYCS_RANKS; rank++) {
                whole += ranks >> rank & 1 ? pycs_card_key[4 * rank] : 0;
            }
            pycs_dealers_flush *const flush = &work->flushes[work->flush_count++];
            flush->ranks = (uint16_t)ranks;
            flush->by_ranks = pycs_plain_5(whole);
            flush->strength = pycs_flush_strength[ranks | shown];
            number_parts(work, flush);
        }
    }
    qsort(work->flushes, (size_t)work->flush_count, sizeof *work->flushes, flush_order);
}

/* Only hands that qualify are compared with the player's. */
static void list_events(pycs_again *work) {
    for (int i = 0; i < work->flush_count; i++) {
        const pycs_dealers_flush *const flush = &work->flushes[i];
        if (flush->by_ranks >= work->qualify) {
            work->events[work->event_count++] = (pycs_flush_event){flush->by_ranks, (uint16_t)i, -1};
        }
        if (flush->strength >= work->qualify) {
            work->events[work->event_count++] = (pycs_flush_event){flush->strength, (uint16_t)i, 1};
        } else {
            work->flushes_not_qualified++;
        }
    }
    qsort(work->events, (size_t)work->event_count, sizeof *work->events, event_order);
}

/* From the sum for each set to the sum over all sets that have nothing in common with it. */
static void sum_disjoint(int64_t *table, int bits) {
    for (int half = 1; half < 1 << bits; half *= 2) {
        for (int first = 0; first < 1 << bits; first += 2 * half) {
            for (int i = first; i < first + half; i++) {
                const int64_t with = table[i + half];
                table[i + half] = table[i];
                table[i] += with;
            }
        }
    }
}

static void make_correction(const pycs_again *work, pycs_correction *correction, const pycs_rank_hand *hand) {
    for (int i = 0; i < work->flush_count; i++) {
        const int64_t changed =
            change(work, &work->flushes[i], hand->of.strength, work->nets[PYCS_NET_WIN + hand->category]);
        correction->low += pycs_smaller(changed, 0);
        correction->high += pycs_larger(changed, 0);
        correction->change[work->squeeze[work->flushes[i].ranks]] += changed;
    }
    sum_disjoint(correction->change, work->squeezed_bits);
}

/* A class ends with its category, and where one of the dealer's flushes is passed. Returns how many there are. */
static int classify(pycs_again *work, uint16_t first[PYCS_CLASSES]) {
    int classes = 0, event = 0;
    for (int i = 0; i < PYCS_RANK_HANDS; i++) {
        const pycs_rank_hand *const hand = &work->lists.hands[i];
        const int before = event;
        while (event < work->event_count && work->events[event].strength <= hand->of.strength) {
            event++;
        }
        if (i == 0 || hand->category != hand[-1].category || event > before ||
            (event > 0 && work->events[event - 1].strength == hand[-1].of.strength)) {
            first[classes++] = (uint16_t)i;
        }
        work->class_of[i] = (uint16_t)(classes - 1);
    }
    return classes;
}

static int make_corrections(pycs_again *work) {
    uint16_t first[PYCS_CLASSES];
    const int classes = classify(work, first);
    const size_t size = (size_t)1 << work->squeezed_bits;
    work->changes = calloc((size_t)classes * size, sizeof *work->changes);
    if (work->changes == NULL) {
        return 0;
    }
    for (int i = 0; i < classes; i++) {
        work->corrections[i].change = work->changes + (size_t)i * size;
        make_correction(work, &work->corrections[i], &work->lists.hands[first[i]]);
    }
    for (int i = 0; i < PYCS_RANK_HANDS; i++) {
        work->low[i] = work->corrections[work->class_of[i]].low;
        work->high[i] = work->corrections[work->class_of[i]].high;
    }
    return 1;
}

static void look_at_players_flush(pycs_again *work, int number) {
    pycs_flush_standing *const standing = &work->standing[number];
    const uint32_t ranks = work->lists.hands[work->lists.unpaired[number]].of.ranks;
    const int32_t strength = pycs_flush_strength[ranks], mine = strength < work->qualify ? work->qualify : strength;
    standing->win = work->nets[PYCS_NET_WIN + pycs_flush_category((uint16_t)strength)];
    for (int suit = 0; suit < 4; suit++) {
        work->suits_of[number] |= (uint8_t)(((ranks & ~work->live_in[suit]) == 0) << suit);
    }
    for (int i = 0; i < work->flush_count; i++) {
        const pycs_dealers_flush *const flush = &work->flushes[i];
        const int64_t changed = change(work, flush, (uint16_t)strength, standing->win);
        standing->low += pycs_smaller(changed, 0);
        standing->high += pycs_larger(changed, 0);
        standing->below = (uint16_t)(standing->below + (flush->strength < mine));
        standing->up_to = (uint16_t)(standing->up_to + (flush->strength < mine || flush->strength == strength));
    }
}

int pycs_again_look_at_flushes(pycs_again *work, const uint8_t *dealer, int dealer_cards) {
    find_suit(work, dealer, dealer_cards);
    list_flushes(work, dealer, dealer_cards);
    list_events(work);
    for (int i = 0; i < PYCS_UNPAIRED; i++) {
        look_at_players_flush(work, i);
    }
    return make_corrections(work);
}

void pycs_again_count_left(const pycs_again *work, uint32_t lost, pycs_flushes_left *left) {
    left->so_far[0] = 0;
    left->failed_by_ranks = 0;
    for (int i = 0; i < work->flush_count; i++) {
        const int is_left = (work->flushes[i].ranks & lost) == 0;
        left->so_far[i + 1] = left->so_far[i] + is_left;
        left->failed_by_ranks += is_left && work->flushes[i].by_ranks < work->qualify;
    }
}

/* By ranks alone the player's flush beats all of them that qualify. */
int64_t pycs_again_correct_flush(const pycs_again *work, const pycs_flushes_left *left,
                                 const pycs_flush_standing *standing) {
    const int32_t *const so_far = left->so_far;
    const int32_t failed = so_far[work->flushes_not_qualified], below = so_far[standing->below],
                  up_to = so_far[standing->up_to], all = so_far[work->flush_count];
    return work->nets[PYCS_NET_NOT_QUALIFIED] * (failed - left->failed_by_ranks) +
           standing->win * (below - failed - (all - left->failed_by_ranks)) +
           work->nets[PYCS_NET_PUSH] * (up_to - below) + work->nets[PYCS_NET_LOSE] * (all - up_to);
}

/* What the dealer's flushes change for one of the player's, less what they were counted to change for its ranks. */
static uint64_t table_value(const pycs_again *work, int number, int64_t change, uint32_t lost) {
    const pycs_correction *const by_ranks = &work->corrections[work->class_of[work->lists.unpaired[number]]];
    return (uint64_t)change - (work->nominal[number] ? (uint64_t)by_ranks->change[work->squeeze[lost]] : 0);
}

/* Sets of up to so many ranks; subsets of five ranks of up to so many. */
static const uint16_t small_sets[6] = {1, 14, 92, 378, 1093, 2380}, small_subsets[6] = {1, 6, 16, 26, 31, 32};

static void list_small_sets(pycs_again *work) {
    int count = 0;
    for (uint32_t size = 0; size <= 5; size++) {
        for (uint32_t ranks = 0; ranks < PYCS_RANK_SETS; ranks++) {
            if (pycs_set_size(ranks) == size) {
                work->position[ranks] = (uint16_t)count;
                work->small_set[count++] = (uint16_t)ranks;
            }
        }
    }
}

/* The positions of all subsets, the smaller first. */
static void list_subsets(const pycs_again *work, uint32_t ranks, uint16_t subset[32]) {
    int count = 0;
    for (uint32_t size = 0; size <= 5; size++) {
        for (uint32_t part = ranks;; part = (part - 1) & ranks) {
            if (pycs_set_size(part) == size) {
                subset[count++] = work->position[part];
            }
            if (part == 0) {
                break;
            }
        }
    }
}

/* From the sum over all sets that hold a small set to that over those that have nothing in common with it. */
static void sum_without(const pycs_again *work, uint64_t *table, int sets) {
    for (int rank = 0; rank < PYCS_RANKS; rank++) {
        for (int i = 0; i < sets; i++) {
            const uint32_t set = work->small_set[i];
            if (set >> rank & 1) {
                table[i] = table[work->position[set & ~(UINT32_C(1) << rank)]] - table[i];
            }
        }
    }
}

/* One part of the suit tables: with these ranks lost in the dealer's suit, of N's there are at most `most` others. */
static void make_suit_tables(pycs_again *work, const uint16_t subset[PYCS_UNPAIRED][32], uint32_t lost, int most) {
    pycs_flushes_left left;
    pycs_again_count_left(work, lost, &left);
    for (int i = 0; i < PYCS_UNPAIRED; i++) {
        const int64_t change = pycs_again_correct_flush(work, &left, &work->standing[i]);
        const uint64_t value = table_value(work, i, change, lost);
        for (int other = 0; other < work->other_count && value != 0; other++) {
            uint64_t *const table = work->suit_table[other] + work->offset[lost];
            for (int j = 0; j < small_subsets[most] && work->suits_of[i] >> work->others[other] & 1; j++) {
                table[subset[i][j]] += value;
            }
        }
    }
    for (int other = 0; other < work->other_count; other++) {
        sum_without(work, work->suit_table[other] + work->offset[lost], small_sets[most]);
    }
}

/* In his own suit the player's flush takes its ranks from the dealer's, too. */
static uint64_t sum_own_suit(pycs_again *work, uint32_t lost) {
    uint64_t sum = 0;
    for (int i = 0; i < PYCS_UNPAIRED; i++) {
        const uint32_t ranks = work->lists.hands[work->lists.unpaired[i]].of.ranks;
        if (work->suits_of[i] >> work->suit & 1 && (ranks & lost) == 0) {
            pycs_flushes_left left;
            uint32_t beside = 0;
            pycs_again_count_left(work, lost | ranks, &left);
            for (int rank = 0; rank < PYCS_RANKS; rank++) {
                beside |= lost >> rank & 1 ? pycs_again_beside(work, ranks, rank) : 0;
            }
            work->own_change[i][beside] = pycs_again_correct_flush(work, &left, &work->standing[i]);
            sum += table_value(work, i, work->own_change[i][beside], lost | ranks);
        }
    }
    return sum;
}

void pycs_again_make_tables(pycs_again *work) {
    uint16_t subset[PYCS_UNPAIRED][32];
    list_small_sets(work);
    for (int i = 0; i < PYCS_UNPAIRED; i++) {
        list_subsets(work, work->lists.hands[work->lists.unpaired[i]].of.ranks, subset[i]);
    }
    uint32_t offset = 0;
    for (int i = 0; i < PYCS_SMALL_SETS; i++) {
        const uint32_t lost = work->small_set[i];
        if ((lost & ~work->suit_live) == 0) {
            const int most = 5 - (int)pycs_set_size(lost);
            work->offset[lost] = offset;
            make_suit_tables(work, (const uint16_t (*)[32])subset, lost, most);
            offset += small_sets[most];
            if (work->suit >= 0) {
                work->own_suit[lost] = sum_own_suit(work, lost);
            }
        }
    }
    work->tables_made = 1;
}
