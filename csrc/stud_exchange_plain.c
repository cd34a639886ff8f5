/* The obvious road through the last exchange: every draw, for each every completion, both hands ranked and compared. */
#include <string.h>

#include "pycs.h"
#include "rank.h"
#include "stud_exchange_view.h"

/* Places in a list, ascending: the next choice in lexicographic order; 0 after the last one. */
static int next_choice(int *places, int count, int of) {
    int i = count - 1;
    while (i >= 0 && places[i] == of - count + i) {
        i--;
    }
    if (i < 0) {
        return 0;
    }
    for (places[i]++; i + 1 < count; i++) {
        places[i + 1] = places[i] + 1;
    }
    return 1;
}

/* live: the cards that the draw left. */
static pycs_called count_completions(const uint8_t *dealer, int dealer_cards, const uint8_t *live, int live_cards,
                                     uint16_t mine, uint16_t qualify) {
    pycs_called result = {0};
    uint8_t hand[5];
    memcpy(hand, dealer, (size_t)dealer_cards);
    const int to_come = 5 - dealer_cards;
    int places[4] = {0, 1, 2, 3};
    do {
        for (int i = 0; i < to_come; i++) {
            hand[dealer_cards + i] = live[places[i]];
        }
        const uint16_t strength = pycs_rank_5(hand);
        if (strength < qualify) {
            result.not_qualified++;
        } else if (strength < mine) {
            result.win++;
        } else if (strength == mine) {
            result.push++;
        } else {
            result.lose++;
        }
    } while (next_choice(places, to_come, live_cards));
    return result;
}

int pycs_stud_exchange_plain(const uint8_t *kept, int kept_cards, const uint8_t *dealer, int dealer_cards,
                             const uint8_t *dead, int dead_cards, uint16_t qualify, const int64_t nets[14],
                             uint64_t counts[10][5]) {
    pycs_exchange_view view;
    if (!pycs_exchange_look(kept, kept_cards, dealer, dealer_cards, dead, dead_cards, qualify, nets, &view)) {
        return -1;
    }
    memset(counts, 0, 10 * sizeof *counts);
    uint8_t live[52], hand[5];
    for (uint8_t card = 0, count = 0; card < 52; card++) {
        if (view.live >> card & 1) {
            live[count++] = card;
        }
    }
    for (int i = 0; i < kept_cards; i++) {
        hand[i] = kept[i];
    }
    int places[5] = {0, 1, 2, 3, 4};
    do {
        uint8_t left[52];
        int drawn = 0, left_cards = 0, category = 9;
        for (int i = 0; i < view.live_cards; i++) {
            if (drawn < view.drawn && places[drawn] == i) {
                hand[kept_cards + drawn++] = live[i];
            } else {
                left[left_cards++] = live[i];
            }
        }
        const uint16_t mine = pycs_rank_5(hand);
        while (mine < pycs_category_floor(category)) {
            category--;
        }
        const pycs_called if_called = count_completions(dealer, dealer_cards, left, left_cards, mine, qualify);
        pycs_exchange_settle(&if_called, category, 1, nets, counts);
    } while (next_choice(places, view.drawn, view.live_cards));
    return 0;
}
