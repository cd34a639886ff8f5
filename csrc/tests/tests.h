/* What the tests of the C core share: the check, cards, buffers, and the list of tests. */
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

/* rank.c */
void test_category_floors(void);
void test_strengths_order_all_five_card_hands(void);
void test_frequencies_of_five(void);
void test_frequencies_of_six(void);
void test_frequencies_of_seven(void);
void test_six_and_seven_are_the_best_five(void);
void test_bad_hands(void);

/* deal.c */
void test_all_canonical_deals(void);
void test_index_ignores_suit_names_and_order(void);
void test_index_tells_classes_apart(void);
void test_bad_deals_have_no_index(void);
void test_bad_indices_have_no_deal(void);

/* stud_*.c */
void test_counts_against_plain_counting(void);
void test_walk_count_and_sweep_agree(void);
void test_bad_deals_are_not_counted(void);
void test_qualifying_strengths_that_do_not_exist(void);

#endif
