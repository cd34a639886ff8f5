/* The canonical index of Casino Hold'em, both directions. */
#include <stdlib.h>
#include <string.h>

#include "pycs.h"
#include "tests.h"

void test_holdem_canonical_deals(void) { check_all_canonical_deals(&holdem); }

void test_holdem_index_ignores_suit_names_and_order(void) { check_index_ignores_suit_names_and_order(&holdem); }

void test_holdem_index_tells_classes_apart(void) { check_index_tells_classes_apart(&holdem); }

void test_holdem_bad_deals_have_no_index(void) { check_bad_deals_have_no_index(&holdem); }

void test_holdem_bad_indices_have_no_deal(void) { check_bad_indices_have_no_deal(&holdem); }

/* Each index comes up as often as its weight says. */
void test_holdem_all_raw_deals(void) {
    enum { HOLES = 49 * 48 / 2 };
    uint8_t *const weights = weights_of_all_deals(&holdem), *const deals = room_for(HOLES, 5);
    uint8_t *const seen = room_for(PYCS_HOLDEM_DEALS, 1);
    uint32_t *const indices = room_for(HOLES, sizeof *indices);
    memset(seen, 0, PYCS_HOLDEM_DEALS);
    uint8_t flop[3] = {0, 1, 2};
    do {
        uint8_t *to = deals, holes[2] = {0, 1};
        do {
            if (memchr(flop, holes[0], 3) == NULL && memchr(flop, holes[1], 3) == NULL) {
                memcpy(to, holes, 2);
                memcpy(to + 2, flop, 3);
                to += 5;
            }
        } while (next_choice(holes, 2));
        CHECK(to - deals == 5 * HOLES, "%lld bytes", (long long)(to - deals));
        CHECK(pycs_holdem_indices(deals, HOLES, indices) == HOLES, "flop %d %d %d", flop[0], flop[1], flop[2]);
        for (int i = 0; i < HOLES; i++) {
            seen[indices[i]]++;
        }
    } while (next_choice(flop, 3));
    for (uint32_t i = 0; i < PYCS_HOLDEM_DEALS; i++) {
        CHECK(seen[i] == weights[i], "index %u: %d times", i, seen[i]);
    }
    free(indices);
    free(seen);
    free(deals);
    free(weights);
}
