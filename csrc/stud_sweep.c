/*
 * The fast road: all deals at once.
 *
 * Go through all 2,598,960 dealer hands in the order of their strength. For every set of one to four cards keep how
 * many hands so far hold it. The dealer hands so far that hold the upcard u and none of the player's cards H number, by
 * inclusion and exclusion,
 *     sum over the subsets S of H of (-1)^|S| x (hands so far that hold S and u).
 * With S of four cards that is a single hand, so far or not: its strength tells. Asked just before the strength of H is
 * reached, the sum counts the hands that H beats; just after, those that it ties as well; asked of every H when the
 * qualifying strength is reached, the hands that do not qualify. The counters of S and u stand in rows by S, one column
 * for each u, so that one pass along the rows answers for every upcard of a hand.
 */
#include <stdlib.h>
#include <string.h>

#include "pycs.h"
#include "rank.h"
#include "stud_deal.h"

enum { CARDS = 52, ALL_HANDS = 2598960, TWOS = 1326, THREES = 22100 };

/* Hands so far that hold the upcard and: nothing more, one card, two, three; at most 249,900, 19,600, 1,176, 48. */
typedef struct {
    uint32_t none[CARDS];
    uint16_t one[CARDS][CARDS];
    uint16_t two[TWOS][CARDS];
    uint8_t three[THREES][CARDS];
} counters;

typedef struct {
    counters so_far;
    uint32_t dealer_ends[PYCS_STRENGTHS + 2]; /* by strength: where its hands end in the list */
    uint32_t player_ends[PYCS_STRENGTHS + 2];
    uint32_t dealers[ALL_HANDS];       /* five cards, six bits each, in the order of strength */
    uint32_t players[PYCS_STUD_HANDS]; /* numbers of canonical hands, in the order of strength */
    uint32_t unsorted[ALL_HANDS];
    uint16_t strengths[ALL_HANDS]; /* of the unsorted */
} workspace;

static uint32_t two_number(uint32_t low, uint32_t high) { return high * (high - 1) / 2 + low; }

static uint32_t three_number(uint32_t low, uint32_t middle, uint32_t high) {
    return high * (high - 1) * (high - 2) / 6 + two_number(low, middle);
}

/* Cards ascending. */
static void add_dealer(counters *so_far, uint32_t packed) {
    uint32_t card[5];
    for (int i = 0; i < 5; i++) {
        card[i] = packed >> 6 * i & 63;
    }
    for (int i = 0; i < 5; i++) {
        so_far->none[card[i]]++;
        uint16_t *const row = so_far->one[card[i]];
        for (int u = 0; u < 5; u++) {
            row[card[u]]++; /* the column of a card in S itself is never asked */
        }
    }
    for (int i = 0; i < 5; i++) {
        for (int j = i + 1; j < 5; j++) {
            uint16_t *const row = so_far->two[two_number(card[i], card[j])];
            for (int u = 0; u < 5; u++) {
                row[card[u]]++;
            }
            for (int k = j + 1; k < 5; k++) {
                uint8_t *const three = so_far->three[three_number(card[i], card[j], card[k])];
                for (int u = 0; u < 5; u++) {
                    three[card[u]]++;
                }
            }
        }
    }
}

/* A player's hand, cards ascending, with the strengths of the hands that four of its cards make with each upcard. */
typedef struct {
    uint8_t card[5];
    uint16_t fours[5][CARDS];
} player_hand;

static player_hand look_at(const pycs_stud_hand *hand) {
    player_hand result;
    uint8_t falling[5];
    pycs_stud_hand_cards(hand, falling);
    for (int i = 0; i < 5; i++) {
        result.card[i] = falling[4 - i];
    }
    for (int left_out = 0; left_out < 5; left_out++) {
        uint32_t sum = 0, ranks = 0, suits = 0;
        for (int i = 0; i < 5; i++) {
            if (i != left_out) {
                sum += pycs_card_key[result.card[i]];
                ranks |= UINT32_C(1) << (result.card[i] >> 2);
                suits |= UINT32_C(1) << (result.card[i] & 3);
            }
        }
        uint16_t *const row = result.fours[left_out];
        for (uint32_t rank = 0; rank < 13; rank++) {
            const uint16_t plain = pycs_plain_5(sum + pycs_card_key[4 * rank]);
            for (uint32_t suit = 0; suit < 4; suit++) {
                row[4 * rank + suit] =
                    suits == UINT32_C(1) << suit ? pycs_flush_strength[ranks | UINT32_C(1) << rank] : plain;
            }
        }
    }
    return result;
}

/* For each upcard: the dealer hands so far, all of a strength below the bound, that hold it and avoid the hand. */
static void ask(const counters *so_far, const player_hand *hand, uint16_t bound, uint32_t answer[CARDS]) {
    uint16_t threes[CARDS] = {0}, twos[CARDS] = {0};
    memcpy(answer, so_far->none, sizeof so_far->none);
    for (int i = 0; i < 5; i++) {
        const uint16_t *const one = so_far->one[hand->card[i]];
        for (int u = 0; u < CARDS; u++) {
            answer[u] -= one[u];
        }
        for (int j = i + 1; j < 5; j++) {
            const uint16_t *const two = so_far->two[two_number(hand->card[i], hand->card[j])];
            for (int u = 0; u < CARDS; u++) {
                twos[u] = (uint16_t)(twos[u] + two[u]);
            }
            for (int k = j + 1; k < 5; k++) {
                const uint8_t *const three = so_far->three[three_number(hand->card[i], hand->card[j], hand->card[k])];
                for (int u = 0; u < CARDS; u++) {
                    threes[u] = (uint16_t)(threes[u] + three[u]);
                }
            }
        }
    }
    for (int left_out = 0; left_out < 5; left_out++) {
        const uint16_t *const four = hand->fours[left_out];
        for (int u = 0; u < CARDS; u++) {
            threes[u] = (uint16_t)(threes[u] - (four[u] < bound));
        }
    }
    for (int u = 0; u < CARDS; u++) {
        answer[u] += (uint32_t)twos[u] - threes[u];
    }
}

/* ends[strength]: where the hands of that strength end in the sorted list, and those of the next begin. */
static void sort_by_strength(const workspace *work, uint32_t hands, uint32_t ends[PYCS_STRENGTHS + 2],
                             uint32_t *sorted) {
    memset(ends, 0, (PYCS_STRENGTHS + 2) * sizeof *ends);
    for (uint32_t hand = 0; hand < hands; hand++) {
        ends[work->strengths[hand] + 1]++;
    }
    for (int strength = 1; strength <= PYCS_STRENGTHS + 1; strength++) {
        ends[strength] += ends[strength - 1];
    }
    for (uint32_t hand = 0; hand < hands; hand++) {
        sorted[ends[work->strengths[hand]]++] = work->unsorted[hand]; /* turns each start into the end */
    }
}

static void sort_players(workspace *work) {
    for (uint32_t number = 0; number < PYCS_STUD_HANDS; number++) {
        const pycs_stud_hand hand = pycs_stud_hand_at(number);
        uint8_t cards[5];
        pycs_stud_hand_cards(&hand, cards);
        work->strengths[number] = pycs_rank_5(cards);
        work->unsorted[number] = number;
    }
    sort_by_strength(work, PYCS_STUD_HANDS, work->player_ends, work->players);
}

static void sort_dealers(workspace *work) {
    uint32_t hand = 0;
    uint8_t card[5];
    for (card[0] = 0; card[0] < 48; card[0]++) {
        for (card[1] = card[0] + 1; card[1] < 49; card[1]++) {
            for (card[2] = card[1] + 1; card[2] < 50; card[2]++) {
                for (card[3] = card[2] + 1; card[3] < 51; card[3]++) {
                    for (card[4] = card[3] + 1; card[4] < 52; card[4]++, hand++) {
                        work->strengths[hand] = pycs_rank_5(card);
                        work->unsorted[hand] = (uint32_t)card[0] | (uint32_t)card[1] << 6 | (uint32_t)card[2] << 12 |
                                               (uint32_t)card[3] << 18 | (uint32_t)card[4] << 24;
                    }
                }
            }
        }
    }
    sort_by_strength(work, ALL_HANDS, work->dealer_ends, work->dealers);
}

/* Answers for the deals of one canonical hand: the first deal's index, how many, and for each the hands below bound. */
typedef struct {
    uint32_t first_deal;
    int deals;
    uint32_t below[47];
} hand_answers;

static hand_answers ask_hand(const counters *so_far, uint32_t number, uint16_t bound) {
    const pycs_stud_hand hand = pycs_stud_hand_at(number);
    const player_hand player = look_at(&hand);
    uint32_t by_upcard[CARDS];
    ask(so_far, &player, bound, by_upcard);
    uint8_t upcards[47];
    hand_answers result = {.first_deal = hand.first_deal, .deals = pycs_stud_hand_upcards(&hand, upcards)};
    for (int i = 0; i < result.deals; i++) {
        result.below[i] = by_upcard[upcards[i]];
    }
    return result;
}

int pycs_stud_sweep(uint16_t qualify, uint32_t *counts) {
    uint32_t *const not_qualified = counts, *const win = not_qualified + PYCS_STUD_DEALS;
    uint32_t *const push = win + PYCS_STUD_DEALS, *const lose = push + PYCS_STUD_DEALS;
    workspace *const work = qualify >= 1 && qualify <= PYCS_STRENGTHS ? malloc(sizeof *work) : NULL;
    if (work == NULL) {
        return -1;
    }
    sort_players(work);
    sort_dealers(work);
    counters *const so_far = &work->so_far;
    memset(so_far, 0, sizeof *so_far);
    uint32_t dealer = 0;
    for (uint16_t strength = 1; strength < qualify; strength++) {
        for (; dealer < work->dealer_ends[strength]; dealer++) {
            add_dealer(so_far, work->dealers[dealer]);
        }
    }
    /* A hand that does not reach the qualifying strength loses to every dealer who does. */
    for (uint32_t number = 0; number < PYCS_STUD_HANDS; number++) {
        const hand_answers answers = ask_hand(so_far, number, qualify);
        for (int i = 0; i < answers.deals; i++) {
            const uint32_t deal = answers.first_deal + (uint32_t)i;
            not_qualified[deal] = answers.below[i];
            win[deal] = 0;
            push[deal] = 0;
            lose[deal] = PYCS_STUD_COMPLETIONS - answers.below[i];
        }
    }
    for (uint16_t strength = qualify; strength <= PYCS_STRENGTHS; strength++) {
        const uint32_t first = work->player_ends[strength - 1], end = work->player_ends[strength];
        for (uint32_t player = first; player < end; player++) {
            const hand_answers answers = ask_hand(so_far, work->players[player], strength);
            for (int i = 0; i < answers.deals; i++) {
                const uint32_t deal = answers.first_deal + (uint32_t)i;
                win[deal] = answers.below[i] - not_qualified[deal];
            }
        }
        for (; dealer < work->dealer_ends[strength]; dealer++) {
            add_dealer(so_far, work->dealers[dealer]);
        }
        for (uint32_t player = first; player < end; player++) {
            const hand_answers answers = ask_hand(so_far, work->players[player], (uint16_t)(strength + 1));
            for (int i = 0; i < answers.deals; i++) {
                const uint32_t deal = answers.first_deal + (uint32_t)i;
                push[deal] = answers.below[i] - not_qualified[deal] - win[deal];
                lose[deal] = PYCS_STUD_COMPLETIONS - answers.below[i];
            }
        }
    }
    free(work);
    return 0;
}
