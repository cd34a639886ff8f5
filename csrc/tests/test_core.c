/*
 * Tests of the C core alone, through its public header. `test_core` does all of it; `test_core quick` leaves out the
 * longest counts, for builds with sanitizers. What failed goes to standard output; the last line is the summary.
 */
#include <stdio.h>
#include <string.h>

#include "pycs.h"
#include "tests.h"

enum { MOST_SHOWN = 10 };

int quick;
static int failed_checks; /* of the test that runs */

int fail(const char *file, int line, const char *condition) {
    const int shown = failed_checks++ < MOST_SHOWN;
    if (shown) {
        printf("  %s:%d: not true: %s: ", file, line, condition);
    }
    return shown;
}

static void test_version(void) { CHECK(pycs_version()[0] != '\0', "no version"); }

static const struct {
    void (*run)(void);
    const char *name;
    int takes_long;
} tests[] = {
    {test_version, "version", 0},
    {test_category_floors, "category floors", 0},
    {test_strengths_order_all_five_card_hands, "strengths order all five-card hands", 0},
    {test_frequencies_of_five, "frequencies of five-card hands", 0},
    {test_frequencies_of_six, "frequencies of six-card hands", 0},
    {test_frequencies_of_seven, "frequencies of seven-card hands", 1},
    {test_six_and_seven_are_the_best_five, "six and seven cards are worth their best five", 0},
    {test_bad_hands, "bad hands are not ranked", 0},
    {test_stud_canonical_deals, "stud: all canonical deals", 0},
    {test_stud_index_ignores_suit_names_and_order, "stud: the index ignores suit names and the order of cards", 0},
    {test_stud_index_tells_classes_apart, "stud: the index tells classes apart", 0},
    {test_stud_bad_deals_have_no_index, "stud: bad deals have no index", 0},
    {test_stud_bad_indices_have_no_deal, "stud: bad indices have no deal", 0},
    {test_stud_counts_against_plain_counting, "stud: walk and count against plain counting", 0},
    {test_stud_roads_agree, "stud: walk, count and sweep agree", 0},
    {test_stud_bad_deals_are_not_counted, "stud: bad deals are not counted", 0},
    {test_stud_qualifying_strengths_that_do_not_exist, "stud: qualifying strengths that do not exist", 0},
    {test_holdem_canonical_deals, "hold'em: all canonical deals", 0},
    {test_holdem_index_ignores_suit_names_and_order, "hold'em: the index ignores suit names and the order of cards", 0},
    {test_holdem_index_tells_classes_apart, "hold'em: the index tells classes apart", 0},
    {test_holdem_all_raw_deals, "hold'em: all raw deals have the index as often as its weight says", 1},
    {test_holdem_bad_deals_have_no_index, "hold'em: bad deals have no index", 0},
    {test_holdem_bad_indices_have_no_deal, "hold'em: bad indices have no deal", 0},
    {test_holdem_counts_against_plain_counting, "hold'em: walk and count against plain counting", 0},
    {test_holdem_roads_agree, "hold'em: walk, count and sweep agree", 0},
    {test_holdem_bad_deals_are_not_counted, "hold'em: bad deals are not counted", 0},
    {test_holdem_qualifying_strengths_that_do_not_exist, "hold'em: qualifying strengths that do not exist", 0},
    {test_stud_known_by_hand, "stud with known cards: small cases by hand", 0},
    {test_stud_known_against_plain_counting, "stud with known cards: walk and count against plain counting", 0},
    {test_stud_known_roads_agree, "stud with known cards: walk and count agree", 0},
    {test_stud_known_without_more_cards, "stud with known cards: no more cards known is the deal alone", 0},
    {test_stud_known_sums_over_one_more_card, "stud with known cards: one more card known, summed over that card", 0},
    {test_stud_known_refusals, "stud with known cards: what cannot be is refused", 0},
    {test_holdem_known_by_hand, "hold'em with known cards: small cases by hand", 0},
    {test_holdem_known_against_plain_counting, "hold'em with known cards: walk and count against plain counting", 0},
    {test_holdem_known_roads_agree, "hold'em with known cards: walk and count agree", 0},
    {test_holdem_known_without_more_cards, "hold'em with known cards: no more cards known is the deal alone", 0},
    {test_holdem_known_sums_over_one_more_card, "hold'em with known cards: one more card known, summed over that card",
     0},
    {test_holdem_known_refusals, "hold'em with known cards: what cannot be is refused", 0},
    {test_exchange_roads_agree, "exchange: both roads agree", 0},
    {test_exchange_roads_agree_on_full_decks, "exchange: both roads agree on full decks", 0},
    {test_exchange_against_single_deals, "exchange: against the counts of single deals", 0},
    {test_exchange_card_by_card, "exchange: card by card", 0},
    {test_exchange_of_nothing_is_the_whole_game, "exchange: of nothing it is the whole game", 1},
    {test_exchange_values, "exchange: values", 0},
    {test_exchange_calls_junk, "exchange: junk can be worth a call", 0},
    {test_exchange_never_helps_two_pair_or_better, "exchange: never helps two pair or better", 0},
    {test_exchange_states_that_do_not_exist, "exchange: states that do not exist", 0},
    {test_exchange_of_the_last_cards, "exchange: of the last cards", 0},
    {test_exchange_sweep_against_single_exchanges, "exchange of every deal: against single exchanges", 1},
    {test_exchange_sweeps_that_cannot_be, "exchange of every deal: what cannot be is refused", 0},
    {test_again_against_single_exchanges, "exchange with one more: against single exchanges", 0},
    {test_again_against_the_plain_road, "exchange with one more: against the plain road", 0},
    {test_again_known_values, "exchange with one more: values", 0},
    {test_again_leaves_out_what_cannot_gain, "exchange with one more: leaves out what cannot gain", 0},
    {test_again_ignores_suit_names, "exchange with one more: ignores suit names", 0},
    {test_again_adds_up_when_all_is_called, "exchange with one more: adds up when all is called", 0},
    {test_again_states_that_do_not_exist, "exchange with one more: states that do not exist", 0},
    {test_again_nets_too_large, "exchange with one more: nets too large", 0},
    {test_random_known_answers, "random words: known answers", 0},
    {test_random_jumps, "random words: jumps", 0},
    {test_stud_simulated_rounds, "simulation: rounds of stud, settled again", 0},
    {test_stud_simulated_cards_given_up, "simulation: the right card is given up", 0},
    {test_holdem_simulated_rounds, "simulation: rounds of hold'em, settled again", 0},
    {test_simulations_that_cannot_be, "simulation: what cannot be is refused", 0},
};

int main(int argc, char **argv) {
    quick = argc == 2 && strcmp(argv[1], "quick") == 0;
    if (argc > 1 && !quick) {
        printf("usage: test_core [quick]\n");
        return 2;
    }
    int passed = 0, failed = 0;
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        if (quick && tests[i].takes_long) {
            printf("left out: %s\n", tests[i].name);
            continue;
        }
        failed_checks = 0;
        tests[i].run();
        if (failed_checks > 0) {
            printf("FAILED, %d checks: %s\n", failed_checks, tests[i].name);
            failed++;
        } else {
            printf("ok: %s\n", tests[i].name);
            passed++;
        }
        fflush(stdout);
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed > 0;
}
