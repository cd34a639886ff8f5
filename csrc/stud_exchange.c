/*
 * The last exchange by ranks, in the order of strength.
 *
 * As if there were no flushes: the player draws cards of ranks n, a multiset (of five ranks there are 6,175), and cards
 * of ranks d come to the dealer (1,820 of four); m_r cards are left of rank r. Go through the dealer's d in the order
 * of strength. For every multiset s of up to four ranks keep how many of his hands so far hold one given set of cards
 * with these ranks:
 *     T_s = sum over d >= s so far of the product over the ranks of choose(m_r - s_r, d_r - s_r).
 * The hands so far that hold none of the drawn cards N number, by inclusion and exclusion,
 *     sum over the subsets S of N of (-1)^|S| T_(ranks of S),
 * the same for every N of ranks n. Asked just before the strength of the player's hand is reached, the sum counts the
 * hands that he beats; just after, those that he ties as well; asked of the counters as they were when the qualifying
 * strength was reached, the hands that do not qualify.
 *
 * The dealer's flushes: he can have one only if the cards he shows are of one suit; then the cards to come are a set F
 * of the ranks left in that suit. By ranks alone it is passed too early. So it is taken back at the strength of its
 * ranks and passed once more at its own, in a second set of counters: for each set of ranks of that suit, how many F so
 * far hold it. If N takes the ranks A in that suit, the F that hold none of them are again an alternating sum, over the
 * subsets of A, and it is added to what the ranks said. Thus all that matters of a new hand is n and A: fold or call is
 * decided for each of these kinds (below the qualifying strength, too: a call wins whenever the dealer fails), and it
 * is easy to say how many new hands are of a kind.
 *
 * The player's flushes are few: A is all of n if he has it in the dealer's suit, or else empty. They are left out where
 * their ranks stand and settled at the strength of a flush.
 */
#include <stdlib.h>
#include <string.h>

#include "pycs.h"
#include "rank.h"
#include "rank_sets.h"
#include "stud_exchange_view.h"

enum { RANKS = 13, RANK_SETS = 1 << RANKS, MULTISETS = 2380, MOST_SUBSETS = 1 << 5 };

/* Each with the sign of inclusion and exclusion: less than 0 where the set is odd. */
typedef struct {
    int32_t by_ranks[MULTISETS]; /* hands so far, by ranks alone, that hold one given set of cards of these ranks */
    int16_t by_suit[RANK_SETS];  /* flushes so far that hold these ranks, less those passed too early by their ranks */
} counters;

/* A hand to be made up. */
typedef struct {
    int missing;         /* cards */
    uint32_t key, ranks; /* of the cards it has: the sum of their keys; their ranks, one bit each */
    uint32_t suits;      /* in which it may become a flush, one bit each */
} half_hand;

typedef struct {
    half_hand player, dealer;
    uint8_t live[RANKS];
    uint32_t live_in[4];      /* by suit: the ranks left */
    uint32_t dealers_suit;    /* the ranks left in the dealer's suit, if he shows no more than one */
    uint16_t place[5][RANKS]; /* what the first, second, ... rank of a multiset, from high to low, adds to its number */
    counters so_far, at_qualify;
    uint32_t player_at[PYCS_STRENGTHS + 1], dealer_at[PYCS_STRENGTHS + 1]; /* the ranks that come, packed; 0: none */
} workspace;

/*
 * Ranks that come, in ascending order, are packed four bits each under a leading one: the highest is the lowest four
 * bits.
 */
static void unpack(uint32_t packed, int count, uint8_t ranks[5]) {
    for (int i = 0; i < count; i++, packed >>= 4) {
        ranks[i] = packed & 15;
    }
}

static int is_flush(uint16_t strength) {
    return (strength >= pycs_category_floor(5) && strength < pycs_category_floor(6)) ||
           strength >= pycs_category_floor(8);
}

/* In which suits a hand that gets these ranks is a flush. */
static uint32_t flush_suits(const workspace *work, const half_hand *hand, uint32_t ranks) {
    uint32_t suits = 0;
    if (pycs_set_size(hand->ranks | ranks) == 5) {
        for (int suit = 0; suit < 4; suit++) {
            suits |= (uint32_t)((ranks & ~work->live_in[suit]) == 0) << suit;
        }
    }
    return suits & hand->suits;
}

/* Ranks that come, so far: packed, the sum of their keys, as a set; the highest of them, and how often it came. */
typedef struct {
    uint32_t packed, key, ranks;
    int count, high, times;
} coming;

/* All multisets of ranks that may come, by the strength of the whole hand: by ranks alone, and as a flush. */
static void list(const workspace *work, const half_hand *hand, const coming *so_far, uint32_t *at) {
    if (so_far->count == hand->missing) {
        at[pycs_plain_5(hand->key + so_far->key)] = so_far->packed;
        if (flush_suits(work, hand, so_far->ranks)) {
            at[pycs_flush_strength[hand->ranks | so_far->ranks]] = so_far->packed;
        }
        return;
    }
    for (int rank = so_far->high; rank < RANKS; rank++) {
        const int times = rank == so_far->high ? so_far->times + 1 : 1;
        if (times <= work->live[rank]) {
            const coming more = {.packed = so_far->packed << 4 | (uint32_t)rank,
                                 .key = so_far->key + pycs_card_key[4 * rank],
                                 .ranks = so_far->ranks | UINT32_C(1) << rank,
                                 .count = so_far->count + 1,
                                 .high = rank,
                                 .times = times};
            list(work, hand, &more, at);
        }
    }
}

static half_hand look_at(const uint8_t *cards, int count) {
    half_hand hand = {.missing = 5 - count, .suits = 15};
    for (int i = 0; i < count; i++) {
        hand.key += pycs_card_key[cards[i]];
        hand.ranks |= UINT32_C(1) << (cards[i] >> 2);
        hand.suits &= UINT32_C(1) << (cards[i] & 3);
    }
    return hand;
}

static void prepare(workspace *work, uint64_t live, const uint8_t *kept, int kept_cards, const uint8_t *dealer,
                    int dealer_cards) {
    memset(work, 0, sizeof *work);
    work->player = look_at(kept, kept_cards);
    work->dealer = look_at(dealer, dealer_cards);
    for (int rank = 0; rank < RANKS; rank++) {
        for (int suit = 0; suit < 4; suit++) {
            const uint32_t is_live = live >> (4 * rank + suit) & 1;
            work->live[rank] = (uint8_t)(work->live[rank] + is_live);
            work->live_in[suit] |= is_live << rank;
        }
    }
    for (int suit = 0; suit < 4; suit++) {
        work->dealers_suit |= work->dealer.suits >> suit & 1 ? work->live_in[suit] : 0;
    }
    /* Up to four of 13 ranks are just four of 14, the lowest of which stands for none; Pascal's triangle. */
    for (int rank = 0; rank < RANKS; rank++) {
        work->place[4][rank] = 1;
        for (int place = 3; place >= 0; place--) {
            work->place[place][rank] =
                (uint16_t)(work->place[place + 1][rank] + (rank > 0 ? work->place[place][rank - 1] : 0));
        }
    }
    const coming none = {.packed = 1};
    list(work, &work->player, &none, work->player_at);
    list(work, &work->dealer, &none, work->dealer_at);
}

/* Every multiset within the ranks, high to low: number, size, and in how many ways the rest of the hand comes. */
static void pass_by_ranks(workspace *work, const uint8_t *ranks, int count, int number, int size, int32_t ways) {
    if (count == 0) {
        work->so_far.by_ranks[number] += size % 2 ? -ways : ways;
        return;
    }
    int run = 1;
    while (run < count && ranks[run] == ranks[0]) {
        run++;
    }
    for (int taken = 0; taken <= run; taken++) {
        pass_by_ranks(work, ranks + run, count - run, number, size + taken,
                      ways * pycs_choices[work->live[ranks[0]] - taken][run - taken]);
        number += work->place[size + taken][ranks[0]];
    }
}

static void pass_by_suit(workspace *work, uint32_t ranks, int times) {
    for (uint32_t subset = ranks;; subset = (subset - 1) & ranks) {
        int16_t *const counter = &work->so_far.by_suit[subset];
        *counter = (int16_t)(*counter + (pycs_set_size(subset) % 2 ? -times : times));
        if (subset == 0) {
            return;
        }
    }
}

/* The dealer's hands of a strength. Returns 0 if there are none. */
static int pass(workspace *work, uint16_t strength) {
    const uint32_t packed = work->dealer_at[strength];
    const int count = work->dealer.missing;
    uint8_t ranks[5];
    uint32_t set = 0;
    if (packed == 0) {
        return 0;
    }
    unpack(packed, count, ranks);
    for (int i = 0; i < count; i++) {
        set |= UINT32_C(1) << ranks[i];
    }
    if (is_flush(strength)) {
        pass_by_suit(work, set, 1);
    } else {
        pass_by_ranks(work, ranks, count, 0, 0, 1);
        if (flush_suits(work, &work->dealer, set)) {
            pass_by_suit(work, set, -1);
        }
    }
    return 1;
}

/* The new hands of one strength, by the set of ranks that they take in the dealer's suit. */
typedef struct {
    int subsets, sets;
    uint16_t number[MOST_SUBSETS]; /* of the ranks of each subset of the drawn cards with up to four of them */
    uint16_t set[MOST_SUBSETS];    /* the empty one first, the fullest last */
    int32_t hands[MOST_SUBSETS];   /* how many new hands take this set */
} new_hands;

static void number_subsets(new_hands *hands, const workspace *work, const uint8_t *ranks, int count) {
    static const uint8_t size[MOST_SUBSETS / 2] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    hands->number[0] = 0;
    for (int i = 0; i < count; i++) {
        for (int subset = 0; subset < 1 << i; subset++) {
            hands->number[1 << i | subset] = (uint16_t)(hands->number[subset] + work->place[size[subset]][ranks[i]]);
        }
    }
    hands->subsets = count < 5 ? 1 << count : MOST_SUBSETS - 1; /* no counter is for all five */
}

/* A rank that comes so many times: in the dealer's suit and others, or in others only. */
static void put_rank(new_hands *hands, const workspace *work, int rank, int times) {
    const int in_suit = work->dealers_suit >> rank & 1, others = work->live[rank] - in_suit;
    for (int i = 0; i < hands->sets; i++) {
        if (in_suit) {
            hands->set[hands->sets + i] = (uint16_t)(hands->set[i] | 1 << rank);
            hands->hands[hands->sets + i] = hands->hands[i] * pycs_choices[others][times - 1];
        }
        hands->hands[i] *= pycs_choices[others][times];
    }
    hands->sets <<= in_suit;
}

static new_hands look_at_new(const workspace *work, uint16_t strength) {
    const int count = work->player.missing;
    uint8_t ranks[5];
    unpack(work->player_at[strength], count, ranks);
    new_hands result = {.sets = 1, .hands = {1}};
    number_subsets(&result, work, ranks, count);
    uint32_t all = 0;
    for (int i = 0, times = 1; i < count; i++, times++) {
        if (i + 1 == count || ranks[i + 1] != ranks[i]) {
            put_rank(&result, work, ranks[i], times);
            all |= UINT32_C(1) << ranks[i];
            times = 0;
        }
    }
    /* A flush takes all of its ranks in the dealer's suit, or none. */
    const uint32_t suits = flush_suits(work, &work->player, all);
    int in_suit = (suits & work->dealer.suits) != 0, in_others = (int)pycs_set_size(suits) - in_suit;
    if (is_flush(strength)) {
        memset(result.hands, 0, sizeof result.hands);
    } else {
        in_suit = -in_suit;
        in_others = -in_others;
    }
    result.hands[0] += in_others;
    result.hands[result.sets - 1] += in_suit;
    return result;
}

/* For each set that the new hands take: the dealer's hands counted so far that hold none of their cards. */
static void ask(const counters *of, const new_hands *hands, int32_t answers[MOST_SUBSETS]) {
    for (int i = 0; i < hands->sets; i++) {
        answers[i] = of->by_suit[hands->set[i]];
    }
    for (int i = 0; i < hands->subsets; i++) {
        answers[0] += of->by_ranks[hands->number[i]];
    }
    /* From each set's own number to the sum over its subsets, which all have the empty one. */
    for (int half = 1; half < hands->sets; half *= 2) {
        for (int first = 0; first < hands->sets; first += 2 * half) {
            for (int i = first; i < first + half; i++) {
                answers[i + half] += answers[i];
            }
        }
    }
}

static void sweep(workspace *work, uint16_t qualify, int32_t completions, const int64_t nets[PYCS_NETS],
                  uint64_t counts[10][PYCS_EXCHANGE_OUTCOMES]) {
    for (uint16_t strength = 1; strength < qualify; strength++) {
        pass(work, strength);
    }
    work->at_qualify = work->so_far;
    int category = 0;
    for (uint16_t strength = 1; strength <= PYCS_STRENGTHS; strength++) {
        category += strength == pycs_category_floor(category + 1);
        if (work->player_at[strength] == 0) {
            if (strength >= qualify) {
                pass(work, strength);
            }
            continue;
        }
        const new_hands hands = look_at_new(work, strength);
        int32_t not_qualified[MOST_SUBSETS], below[MOST_SUBSETS], up_to[MOST_SUBSETS];
        ask(&work->at_qualify, &hands, not_qualified);
        const int32_t *beaten = not_qualified, *not_better = not_qualified;
        if (strength >= qualify) {
            ask(&work->so_far, &hands, below);
            beaten = not_better = below;
            if (pass(work, strength)) {
                ask(&work->so_far, &hands, up_to);
                not_better = up_to;
            }
        }
        for (int i = 0; i < hands.sets; i++) {
            if (hands.hands[i] > 0) {
                const pycs_called if_called = {.not_qualified = not_qualified[i],
                                               .win = beaten[i] - not_qualified[i],
                                               .push = not_better[i] - beaten[i],
                                               .lose = completions - not_better[i]};
                pycs_exchange_settle(&if_called, category, (uint64_t)hands.hands[i], nets, counts);
            }
        }
    }
}

/* Ways to choose at most four of so many cards. */
static int32_t choose(int of, int chosen) {
    int32_t ways = 1;
    for (int i = 0; i < chosen; i++) {
        ways = ways * (of - i) / (i + 1);
    }
    return ways;
}

int pycs_stud_exchange(const uint8_t *kept, int kept_cards, const uint8_t *dealer, int dealer_cards,
                       const uint8_t *dead, int dead_cards, uint16_t qualify, const int64_t nets[14],
                       uint64_t counts[10][5]) {
    pycs_exchange_view view;
    if (!pycs_exchange_look(kept, kept_cards, dealer, dealer_cards, dead, dead_cards, qualify, nets, &view)) {
        return -1;
    }
    workspace *const work = malloc(sizeof *work);
    if (work == NULL) {
        return -1;
    }
    prepare(work, view.live, kept, kept_cards, dealer, dealer_cards);
    memset(counts, 0, 10 * sizeof *counts);
    sweep(work, qualify, choose(view.live_cards - view.drawn, view.to_come), nets, counts);
    free(work);
    return 0;
}
