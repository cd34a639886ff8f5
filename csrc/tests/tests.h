/* What the tests of the C core share: the check, cards, buffers, checks of either game, and the list of tests. */
#ifndef PYCS_TESTS_H
#define PYCS_TESTS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Whether to leave out the longest counts. */
extern int quick;

/* A failed check is told and the test goes on. What follows the condition is for printf: what the check was about. */
#define CHECK(condition, ...)                                                                                          \
    ((condition)                            ? (void)0                                                                  \
     : fail(__FILE__, __LINE__, #condition) ? (void)(printf(__VA_ARGS__), putchar('\n'))                               \
                                            : (void)0)

/* Returns whether there is more to tell: the first few failures of a test are told in full. */
int fail(const char *file, int line, const char *condition);

/* A buffer of exactly this length, so that the address sanitizer sees each access outside of it. */
void *room_for(size_t count, size_t size);

/* Cards as text: rank and suit letters with nothing between them. */
void parse(const char *text, uint8_t *cards);

/* Of five cards, by the core. */
uint16_t strength_of(const char *text);

/* The next choice of ascending cards below 52, in lexicographic order; 0 after the last one. */
int next_choice(uint8_t *cards, int count);

/* Pseudo-random numbers, the same in every run. */
uint32_t random_below(uint32_t bound);

/* So many different cards out of the lowest suits; few suits make flushes frequent. */
void draw(uint8_t *cards, int count, int suits);

/* The cards with card number `place` made bad in one of the ways 0..count: a card that does not exist, or one of the
   others again. Returns 0 when there is no such way. */
int spoil(uint8_t *cards, int count, int place, int way);

enum { MOST_CARDS = 6, MOST_OUTCOMES = 14 };

/* What the shared checks know of a game. A deal has two parts, each in any order; canonical deals of one major part
   stand together. */
typedef struct {
    int cards, first_part; /* of a deal; of its first part */
    int second_is_major;   /* or the first is */
    int outcomes;
    uint32_t deals;
    int64_t completions, raw_deals, majors;
    size_t deals_of_16; /* raw deals out of 16 cards */
    int64_t (*indices_of)(const uint8_t *deals, int64_t rows, uint32_t *indices);
    int64_t (*deals_at)(const uint32_t *indices, int64_t rows, uint8_t *deals, uint8_t *weights);
    int64_t (*roads[2])(const uint8_t *deals, int64_t rows, uint16_t qualify, uint32_t *counts); /* walk, count */
    int (*sweep)(uint16_t qualify, uint32_t *counts);
} game;

extern const game stud, holdem;

/* One for each canonical deal; free it. */
uint8_t *weights_of_all_deals(const game *of);

/* The index, both directions. */
void check_all_canonical_deals(const game *of);
void check_index_ignores_suit_names_and_order(const game *of);
void check_index_tells_classes_apart(const game *of);
void check_bad_deals_have_no_index(const game *of);
void check_bad_indices_have_no_deal(const game *of);

/* Walk, count and sweep. The totals of a sweep are those of all raw deals, by outcome. */
void check_roads_agree(const game *of, const uint8_t *deals, int64_t rows, const uint16_t *qualifies, int count,
                       void (*check_totals)(uint16_t qualify, const int64_t *totals));
void check_bad_deals_are_not_counted(const game *of);
void check_qualifying_strengths_that_do_not_exist(const game *of);

/* test_rank.c */
void test_category_floors(void);
void test_strengths_order_all_five_card_hands(void);
void test_frequencies_of_five(void);
void test_frequencies_of_six(void);
void test_frequencies_of_seven(void);
void test_six_and_seven_are_the_best_five(void);
void test_bad_hands(void);

/* test_stud_deal.c */
void test_stud_canonical_deals(void);
void test_stud_index_ignores_suit_names_and_order(void);
void test_stud_index_tells_classes_apart(void);
void test_stud_bad_deals_have_no_index(void);
void test_stud_bad_indices_have_no_deal(void);

/* test_stud.c */
void test_stud_counts_against_plain_counting(void);
void test_stud_roads_agree(void);
void test_stud_bad_deals_are_not_counted(void);
void test_stud_qualifying_strengths_that_do_not_exist(void);

/* test_holdem_deal.c */
void test_holdem_canonical_deals(void);
void test_holdem_index_ignores_suit_names_and_order(void);
void test_holdem_index_tells_classes_apart(void);
void test_holdem_all_raw_deals(void);
void test_holdem_bad_deals_have_no_index(void);
void test_holdem_bad_indices_have_no_deal(void);

/* test_holdem.c */
void test_holdem_counts_against_plain_counting(void);
void test_holdem_roads_agree(void);
void test_holdem_bad_deals_are_not_counted(void);
void test_holdem_qualifying_strengths_that_do_not_exist(void);

/* test_known.c */
void test_stud_known_by_hand(void);
void test_stud_known_against_plain_counting(void);
void test_stud_known_roads_agree(void);
void test_stud_known_without_more_cards(void);
void test_stud_known_sums_over_one_more_card(void);
void test_stud_known_refusals(void);
void test_holdem_known_by_hand(void);
void test_holdem_known_against_plain_counting(void);
void test_holdem_known_roads_agree(void);
void test_holdem_known_without_more_cards(void);
void test_holdem_known_sums_over_one_more_card(void);
void test_holdem_known_refusals(void);

/* test_exchange.c */
void test_exchange_roads_agree(void);
void test_exchange_roads_agree_on_full_decks(void);
void test_exchange_against_single_deals(void);
void test_exchange_card_by_card(void);
void test_exchange_of_nothing_is_the_whole_game(void);
void test_exchange_values(void);
void test_exchange_calls_junk(void);
void test_exchange_never_helps_two_pair_or_better(void);
void test_exchange_states_that_do_not_exist(void);
void test_exchange_of_the_last_cards(void);

/* test_exchange_sweep.c */
void test_exchange_sweep_against_single_exchanges(void);
void test_exchange_sweeps_that_cannot_be(void);

/* test_exchange_again.c */
void test_again_against_single_exchanges(void);
void test_again_against_the_plain_road(void);
void test_again_known_values(void);
void test_again_leaves_out_what_cannot_gain(void);
void test_again_ignores_suit_names(void);
void test_again_adds_up_when_all_is_called(void);
void test_again_states_that_do_not_exist(void);
void test_again_nets_too_large(void);

/* test_simulate.c */
void test_random_known_answers(void);
void test_random_jumps(void);
void test_stud_simulated_rounds(void);
void test_stud_simulated_cards_given_up(void);
void test_holdem_simulated_rounds(void);
void test_simulations_that_cannot_be(void);

#endif
