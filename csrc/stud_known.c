/*
 * Stud with known cards, walked and counted. The count: the dealer's cards to come form a multiset of ranks, and each
 * stands for so many sets of cards. Suits matter only where all five of his cards are of one: those sets are taken out
 * of what their ranks said of them and put in again as flushes.
 */
#include <stddef.h>

#include "cards_in_sight.h"
#include "pycs.h"
#include "rank.h"

/* The cards left; 0 if an argument is bad. */
static uint64_t look(const uint8_t hand[5], const uint8_t *dealer, int dealer_cards, const uint8_t *dead,
                     int dead_cards, uint16_t qualify) {
    if (dealer_cards < 1 || dealer_cards > 5 || dead_cards < 0 || dead_cards > 41 || qualify < 1 ||
        qualify > PYCS_STRENGTHS) {
        return 0;
    }
    return pycs_live_cards(hand, 5, dealer, dealer_cards, dead, dead_cards);
}

typedef struct {
    uint64_t live;
    uint16_t mine, qualify;
    uint64_t counts[4];
} walk;

/* Every hand of so many given cards and, from a first one on, live ones. */
static void walk_dealers(walk *to, uint8_t dealer[5], int cards, int first) {
    if (cards < 5) {
        for (int card = first; card < 52; card++) {
            if (to->live >> card & 1) {
                dealer[cards] = (uint8_t)card;
                walk_dealers(to, dealer, cards + 1, card + 1);
            }
        }
        return;
    }
    const uint16_t strength = pycs_rank_5(dealer);
    to->counts[strength < to->qualify ? 0 : strength < to->mine ? 1 : strength == to->mine ? 2 : 3]++;
}

int pycs_stud_walk_known(const uint8_t hand[5], const uint8_t *dealer, int dealer_cards, const uint8_t *dead,
                         int dead_cards, uint16_t qualify, uint64_t counts[4]) {
    walk walked = {.live = look(hand, dealer, dealer_cards, dead, dead_cards, qualify), .qualify = qualify};
    if (walked.live == 0) {
        return -1;
    }
    uint8_t dealer_hand[5];
    for (int i = 0; i < dealer_cards; i++) {
        dealer_hand[i] = dealer[i];
    }
    walked.mine = pycs_rank_5(hand);
    walk_dealers(&walked, dealer_hand, dealer_cards, 0);
    for (int outcome = 0; outcome < 4; outcome++) {
        counts[outcome] = walked.counts[outcome];
    }
    return 0;
}

/* The dealer's hands by outcome, as they ascend: he does not qualify; the player wins; both tie; the player loses. */
typedef struct {
    uint16_t from[3]; /* the lowest strengths of the last three */
    uint32_t counts[4];
} tally;

/* A player below the qualifying strength neither beats nor ties a dealer who qualifies. */
static tally tally_against(uint16_t mine, uint16_t qualify) {
    const int is_below = mine < qualify;
    return (tally){.from = {qualify, is_below ? qualify : mine, is_below ? qualify : (uint16_t)(mine + 1)}};
}

/* Unsigned arithmetic takes back what was added when ways is minus so many. No branch here could be foreseen. */
static inline void add(tally *to, uint16_t dealer, uint32_t ways) {
    to->counts[(dealer >= to->from[0]) + (dealer >= to->from[1]) + (dealer >= to->from[2])] += ways;
}

/* The dealer's known cards and some to come, by ranks. */
typedef struct {
    uint32_t key;
    uint16_t ways, ranks; /* how many sets of cards it stands for; its ranks, one bit each */
} holding;

/* All holdings with up to three cards to come, of the ranks gone through so far, by the number of these cards. */
typedef struct {
    holding none[1], one[13], two[91], three[455];
    int count[4];
} holdings;

/* No rank yet. */
static void hold_known(holdings *all, holding known) {
    all->none[0] = known;
    all->count[0] = 1;
    all->count[1] = all->count[2] = all->count[3] = 0;
}

static holding *with(holdings *all, int cards) {
    holding *const lists[4] = {all->none, all->one, all->two, all->three};
    return lists[cards];
}

/* Ways to choose so many of the live cards of a rank. */
static const uint8_t choices[5][5] = {
    {1, 0, 0, 0, 0}, {1, 1, 0, 0, 0}, {1, 2, 1, 0, 0}, {1, 3, 3, 1, 0}, {1, 4, 6, 4, 1}};

static inline void hold_more(const holding *restrict from, int count, holding *restrict to, uint32_t key, uint32_t ways,
                             uint32_t rank) {
    for (int i = 0; i < count; i++) {
        to[i].key = from[i].key + key;
        to[i].ways = (uint16_t)(from[i].ways * ways);
        to[i].ranks = (uint16_t)(from[i].ranks | rank);
    }
}

/* Goes through one more rank. Most cards first, so that what they are added to is still without it. */
static void hold_rank(holdings *all, int most, int rank, int live) {
    for (int cards = most; cards > 0; cards--) {
        for (int more = 1; more <= cards && more <= live; more++) {
            hold_more(with(all, cards - more), all->count[cards - more], with(all, cards) + all->count[cards],
                      (uint32_t)more * pycs_card_key[4 * rank], choices[live][more], UINT32_C(1) << rank);
            all->count[cards] += all->count[cards - more];
        }
    }
}

/* known: the holding without any card to come, of which there are some. Each hand is counted at its highest rank. */
static void count_by_ranks(tally *to, holding known, const uint8_t live[13], int to_come) {
    holdings lower;
    hold_known(&lower, known);
    for (int rank = 0; rank < 13; rank++) {
        for (int last = 1; last <= to_come && last <= live[rank]; last++) {
            const uint32_t key = (uint32_t)last * pycs_card_key[4 * rank], ways = choices[live[rank]][last];
            const holding *const of = with(&lower, to_come - last);
            for (int i = 0; i < lower.count[to_come - last]; i++) {
                add(to, pycs_plain_5(of[i].key + key), of[i].ways * ways);
            }
        }
        hold_rank(&lower, to_come - 1, rank, live[rank]);
    }
}

/* suited: by rank, whether the card of the suit that all known ones are of is live. */
static void correct_flushes(tally *to, holding known, const uint8_t suited[13], int to_come) {
    holdings lower;
    hold_known(&lower, known);
    for (int rank = 0; rank < 13; rank++) {
        if (suited[rank]) {
            const holding *const of = with(&lower, to_come - 1);
            for (int i = 0; i < lower.count[to_come - 1]; i++) {
                add(to, pycs_plain_5(of[i].key + pycs_card_key[4 * rank]), UINT32_MAX);
                add(to, pycs_flush_strength[of[i].ranks | UINT32_C(1) << rank], 1);
            }
            hold_rank(&lower, to_come - 1, rank, 1);
        }
    }
}

static void count(tally *to, uint64_t live, const uint8_t *dealer, int dealer_cards) {
    const int suit_of_first = dealer[0] & 3;
    int one_suit = 1;
    holding known = {.ways = 1};
    for (int i = 0; i < dealer_cards; i++) {
        known.key += pycs_card_key[dealer[i]];
        known.ranks = (uint16_t)(known.ranks | 1U << (dealer[i] >> 2));
        one_suit &= (dealer[i] & 3) == suit_of_first;
    }
    uint8_t of_rank[13] = {0}, suited[13];
    for (int rank = 0; rank < 13; rank++) {
        for (int suit = 0; suit < 4; suit++) {
            of_rank[rank] = (uint8_t)(of_rank[rank] + (live >> (4 * rank + suit) & 1));
        }
        suited[rank] = live >> (4 * rank + suit_of_first) & 1;
    }
    count_by_ranks(to, known, of_rank, 5 - dealer_cards);
    if (one_suit) {
        correct_flushes(to, known, suited, 5 - dealer_cards);
    }
}

int pycs_stud_count_known(const uint8_t hand[5], const uint8_t *dealer, int dealer_cards, const uint8_t *dead,
                          int dead_cards, uint16_t qualify, uint64_t counts[4]) {
    const uint64_t live = look(hand, dealer, dealer_cards, dead, dead_cards, qualify);
    if (live == 0) {
        return -1;
    }
    tally counted = tally_against(pycs_rank_5(hand), qualify);
    if (dealer_cards == 5) {
        add(&counted, pycs_rank_5(dealer), 1);
    } else {
        count(&counted, live, dealer, dealer_cards);
    }
    for (int outcome = 0; outcome < 4; outcome++) {
        counts[outcome] = counted.counts[outcome];
    }
    return 0;
}

int64_t pycs_stud_count(const uint8_t *deals, int64_t rows, uint16_t qualify, uint32_t *counts) {
    for (int64_t row = 0; row < rows; row++, deals += 6) {
        uint64_t total[PYCS_STUD_OUTCOMES];
        if (pycs_stud_count_known(deals, deals + 5, 1, NULL, 0, qualify, total) != 0) {
            return row;
        }
        for (int outcome = 0; outcome < PYCS_STUD_OUTCOMES; outcome++) {
            counts[outcome * rows + row] = (uint32_t)total[outcome];
        }
    }
    return rows;
}
