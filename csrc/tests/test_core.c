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
} tests[] = {
    {test_version, "version"},
    {test_category_floors, "category floors"},
    {test_strengths_order_all_five_card_hands, "strengths order all five-card hands"},
    {test_frequencies_of_five, "frequencies of five-card hands"},
    {test_frequencies_of_six, "frequencies of six-card hands"},
    {test_frequencies_of_seven, "frequencies of seven-card hands"},
    {test_six_and_seven_are_the_best_five, "six and seven cards are worth their best five"},
    {test_bad_hands, "bad hands are not ranked"},
    {test_all_canonical_deals, "all canonical deals"},
    {test_index_ignores_suit_names_and_order, "the index ignores suit names and the order of cards"},
    {test_index_tells_classes_apart, "the index tells classes apart"},
    {test_bad_deals_have_no_index, "bad deals have no index"},
    {test_bad_indices_have_no_deal, "bad indices have no deal"},
    {test_counts_against_plain_counting, "walk and count against plain counting"},
    {test_walk_count_and_sweep_agree, "walk, count and sweep agree"},
    {test_bad_deals_are_not_counted, "bad deals are not counted"},
    {test_qualifying_strengths_that_do_not_exist, "qualifying strengths that do not exist"},
};

int main(int argc, char **argv) {
    quick = argc == 2 && strcmp(argv[1], "quick") == 0;
    if (argc > 1 && !quick) {
        printf("usage: test_core [quick]\n");
        return 2;
    }
    int passed = 0, failed = 0;
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        if (quick && tests[i].run == test_frequencies_of_seven) {
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
