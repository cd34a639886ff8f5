/* An exchange with one more after it: against single exchanges and deals, and what must hold of all of its rows. */
#include <stdlib.h>
#include <string.h>

#include "pycs.h"
#include "tests.h"

enum { MOST_LIVE = 51 };

typedef struct {
    uint8_t dealer[6], dead[52]; /* room for one more than there may be */
    int dealer_cards, dead_cards;
    uint16_t qualify;
    int64_t nets[14], least_gain;
} state;

/* All rows of a state, in buffers of just the right length. */
typedef struct {
    uint8_t live[MOST_LIVE];
    int live_cards;
    int64_t rows, completions, pairs;
    int64_t *stay, *again;
} table;

/* Of an ante of 1 and a call of 2. */
static const int64_t usual_nets[14] = {-1, 1, 0, -3, 3, 3, 5, 7, 9, 11, 15, 41, 101, 201};

static uint16_t ace_king(void) { return strength_of("AsKd4h3c2s"); }

static state usual(const char *dealer, const char *dead) {
    state result = {.dealer_cards = (int)strlen(dealer) / 2,
                    .dead_cards = (int)strlen(dead) / 2,
                    .qualify = ace_king(),
                    .least_gain = INT64_MIN};
    parse(dealer, result.dealer);
    parse(dead, result.dead);
    memcpy(result.nets, usual_nets, sizeof usual_nets);
    return result;
}

/* The dealer's cards of one suit if it can be and is_suited; live cards of so many suits, `live` of them or less. */
static state random_state(int dealer_cards, int live, int suits, int is_suited) {
    state result = {.dealer_cards = dealer_cards, .qualify = ace_king(), .least_gain = INT64_MIN};
    uint8_t order[52];
    draw(order, 52, 4);
    const int suit = (int)random_below((uint32_t)suits);
    for (int i = 0, shown = 0, left = 0; i < 52; i++) {
        const int is_of_suits = order[i] % 4 < suits;
        if (shown < dealer_cards && is_of_suits && (!is_suited || order[i] % 4 == suit)) {
            result.dealer[shown++] = order[i];
        } else if (!is_of_suits || left++ >= live) {
            result.dead[result.dead_cards++] = order[i];
        }
    }
    memcpy(result.nets, usual_nets, sizeof usual_nets);
    return result;
}

/* The usual ones; only a push pays; some that make fold and call close; any; large ones. */
static void vary_nets(state *of, int way) {
    for (int i = 0; i < 14 && way > 0; i++) {
        of->nets[i] = way == 1   ? i == 2
                      : way == 2 ? (int64_t)random_below(3) - 1
                      : way == 3 ? (int64_t)random_below(21) - 10
                                 : (int64_t)random_below(20000001) - 10000000;
    }
}

static void vary_qualify(state *of, int way) {
    if (way > 0) {
        of->qualify = (uint16_t)(1 + random_below(way == 1 ? 2000 : PYCS_STRENGTHS));
    }
}

static int64_t choose(int of, int chosen) {
    int64_t ways = 1;
    for (int i = 0; i < chosen; i++) {
        ways = ways * (of - i) / (i + 1);
    }
    return ways;
}

static void *copy_of(const void *from, size_t size) {
    void *const copy = room_for(size, 1);
    memcpy(copy, from, size);
    return copy;
}

static int run(const state *of, int64_t *stay, int64_t *again) {
    uint8_t *const dealer = copy_of(of->dealer, of->dealer_cards > 0 ? (size_t)of->dealer_cards : 0);
    uint8_t *const dead = copy_of(of->dead, of->dead_cards > 0 ? (size_t)of->dead_cards : 0);
    const int result = pycs_stud_exchange_again(dealer, of->dealer_cards, dead, of->dead_cards, of->qualify, of->nets,
                                                of->least_gain, stay, again);
    free(dead);
    free(dealer);
    return result;
}

static table make_table(const state *of) {
    table result = {.live_cards = 0};
    for (uint8_t card = 0; card < 52; card++) {
        if (memchr(of->dealer, card, (size_t)of->dealer_cards) == NULL &&
            memchr(of->dead, card, (size_t)of->dead_cards) == NULL) {
            result.live[result.live_cards++] = card;
        }
    }
    const int to_come = 5 - of->dealer_cards;
    result.rows = choose(result.live_cards, 5);
    result.completions = choose(result.live_cards - 5, to_come);
    result.pairs = choose(result.live_cards - 5, 5) * choose(result.live_cards - 10, to_come);
    result.stay = room_for((size_t)result.rows, sizeof *result.stay);
    result.again = room_for((size_t)result.rows, sizeof *result.again);
    memset(result.stay, 0x7E, (size_t)result.rows * sizeof *result.stay);
    memset(result.again, 0x7E, (size_t)result.rows * sizeof *result.again);
    CHECK(run(of, result.stay, result.again) == 0, "%d shown, %d dead", of->dealer_cards, of->dead_cards);
    return result;
}

static void drop(table *of) {
    free(of->stay);
    free(of->again);
}

/* The row of a hand, by how many rows come before it at each of its cards. */
static int64_t row_of(const table *of, const uint8_t hand[5]) {
    int64_t row = 0;
    for (int i = 0, place = 0; i < 5; i++, place++) {
        for (; of->live[place] != hand[i]; place++) {
            row += choose(of->live_cards - place - 1, 4 - i);
        }
    }
    return row;
}

static int ascending(const void *left, const void *right) { return *(const uint8_t *)left - *(const uint8_t *)right; }

/* Any; one suit as far as it goes; pairs and more; the lowest suits. */
static void draw_hand(const table *from, int way, uint8_t hand[5]) {
    const uint8_t suit = (uint8_t)random_below(4);
    for (int count = 0, tries = 0; count < 5; tries++) {
        const uint8_t card = from->live[random_below((uint32_t)from->live_cards)];
        const int is_wanted = way == 1   ? card % 4 == suit
                              : way == 2 ? count == 0 || card / 4 == hand[count - 1] / 4 || random_below(3) == 0
                              : way == 3 ? card % 4 < 2
                                         : 1;
        if ((is_wanted || tries > 100) && memchr(hand, card, (size_t)count) == NULL) {
            hand[count++] = card;
        }
    }
    qsort(hand, 5, 1, ascending);
}

static int category_of(const uint8_t hand[5]) {
    uint16_t strength = 0;
    int category = 9;
    CHECK(pycs_rank_hands(hand, 1, 5, &strength) == 1, "no hand");
    while (strength < pycs_category_floor(category)) {
        category--;
    }
    return category;
}

static int64_t expected_stay(const state *of, const table *from, const uint8_t hand[5]) {
    uint64_t counts[4];
    CHECK(pycs_stud_count_known(hand, of->dealer, of->dealer_cards, of->dead, of->dead_cards, of->qualify, counts) == 0,
          "no count");
    const int64_t fold = from->completions * of->nets[0],
                  call = (int64_t)counts[0] * of->nets[1] + (int64_t)counts[1] * of->nets[4 + category_of(hand)] +
                         (int64_t)counts[2] * of->nets[2] + (int64_t)counts[3] * of->nets[3];
    return call > fold ? call : fold;
}

static int64_t expected_again(const state *of, int is_plain, const uint8_t hand[5]) {
    uint8_t dead[52];
    uint64_t counts[10][5];
    int64_t total = 0;
    memcpy(dead, of->dead, (size_t)of->dead_cards);
    memcpy(dead + of->dead_cards, hand, 5);
    CHECK((is_plain ? pycs_stud_exchange_plain : pycs_stud_exchange)(
              NULL, 0, of->dealer, of->dealer_cards, dead, of->dead_cards + 5, of->qualify, of->nets, counts) == 0,
          "no exchange");
    for (int category = 0; category < 10; category++) {
        const int64_t of_outcome[5] = {of->nets[0], of->nets[1], of->nets[4 + category], of->nets[2], of->nets[3]};
        for (int outcome = 0; outcome < 5; outcome++) {
            total += of_outcome[outcome] * (int64_t)counts[category][outcome];
        }
    }
    return total;
}

static void check_row(const state *of, const table *from, int is_plain, const uint8_t hand[5], const char *what,
                      int number) {
    const int64_t row = row_of(from, hand), stay = expected_stay(of, from, hand),
                  again = expected_again(of, is_plain, hand);
    CHECK(from->stay[row] == stay, "%s %d, row %lld stays: %lld, not %lld", what, number, (long long)row,
          (long long)from->stay[row], (long long)stay);
    CHECK(from->again[row] == again, "%s %d, row %lld again: %lld, not %lld", what, number, (long long)row,
          (long long)from->again[row], (long long)again);
}

/* Rows of each kind. */
static void check_rows(const state *of, int hands, const char *what, int number) {
    table found = make_table(of);
    for (int i = 0; i < hands; i++) {
        uint8_t hand[5];
        draw_hand(&found, i % 4, hand);
        check_row(of, &found, 0, hand, what, number);
    }
    drop(&found);
}

void test_again_against_single_exchanges(void) {
    static const int dead[] = {5, 10, 0};
    const int hands = quick ? 8 : 10;
    for (int i = 0; i < 3 && !quick; i++) {
        const state full = random_state(1, 51 - dead[i], 4, 0);
        check_rows(&full, i < 2 ? hands : 8, "full state", i);
    }
    for (int i = 0; i < (quick ? 1 : 3); i++) {
        state any = random_state(1 + i, 20 + (int)random_below(10), 4, i < 4);
        vary_nets(&any, (i + 1) % 5);
        vary_qualify(&any, i % 3);
        check_rows(&any, hands, "state", i);
    }
    for (int i = 0; i < (quick ? 2 : 5); i++) { /* fewer suits, more flushes, and ranks with no card left */
        const int suits = 2 + i % 2;
        state any = random_state(1 + i % 4, 15 + (int)random_below(suits == 2 ? 5 : 8), suits, i % 4 > 0);
        vary_nets(&any, i / 2 % 5);
        vary_qualify(&any, i % 3);
        check_rows(&any, hands, "few suits", i);
    }
}

/* Every row of states with the last cards, and some of larger ones. */
void test_again_against_the_plain_road(void) {
    for (int i = 0; i < (quick ? 2 : 10); i++) {
        const int shown = 1 + i % 5, suits = 2 + i % 3;
        state any = random_state(shown, 15 - shown + (i % 4 == 3), suits, i % 2);
        vary_nets(&any, i % 5);
        vary_qualify(&any, i % 3);
        table found = make_table(&any);
        uint8_t hand[5];
        for (int n = 0; n < (quick ? 10 : 20); n++) {
            draw_hand(&found, n % 4, hand);
            check_row(&any, &found, 1, hand, "last cards", i);
        }
        drop(&found);
    }
}

/* The values of test_exchange.c, counted card by card: there the row's hand is dead. They are worth having. */
void test_again_known_values(void) {
    static const struct {
        const char *dealer, *hand;
        int64_t total; /* with the fee */
    } known[] = {{"Qc", "AsKhJd8c3s", INT64_C(-177310844202)},
                 {"2d", "7c5d4h3s2c", INT64_C(-116639809492)},
                 {"Ad", "QsQh9d6c2h", INT64_C(-158066299662)}};
    for (size_t i = 0; i < sizeof known / sizeof *known && !quick; i++) {
        state of = usual(known[i].dealer, "");
        of.least_gain = 0;
        table found = make_table(&of);
        uint8_t hand[5];
        parse(known[i].hand, hand);
        qsort(hand, 5, 1, ascending);
        const int64_t again = found.again[row_of(&found, hand)];
        CHECK(again == INT64_MIN ? i == 2 : again - found.pairs == known[i].total, "%s: %lld", known[i].hand,
              (long long)again);
        drop(&found);
    }
}

/* With everything computed beside it: exact, or short of the least gain by exact fractions. */
static void check_left_out(const state *of, const table *all, int64_t least_gain, int some, int64_t *left_out) {
    state limited = *of;
    limited.least_gain = least_gain;
    table found = make_table(&limited);
    const int64_t draws = all->pairs / all->completions;
    *left_out = 0;
    for (int64_t row = 0; row < all->rows; row++) {
        const int is_left_out = found.again[row] == INT64_MIN;
        const int64_t gain = all->again[row] - draws * all->stay[row]; /* in all pairs */
        const int is_short = (double)gain <= (double)least_gain * (double)all->pairs / 1e6 + 1e-3;
        CHECK(found.stay[row] == all->stay[row], "row %lld", (long long)row);
        CHECK(is_left_out ? is_short : found.again[row] == all->again[row], "row %lld, least gain %lld", (long long)row,
              (long long)least_gain);
        *left_out += is_left_out;
    }
    CHECK(!some || (*left_out > 0 && *left_out < all->rows), "%lld of %lld", (long long)*left_out,
          (long long)all->rows);
    drop(&found);
}

void test_again_leaves_out_what_cannot_gain(void) {
    int64_t left_out, before = 0;
    state of = usual("2d", "7c5d4h3s2c");
    if (quick) {
        of = random_state(1, 17, 4, 0);
    }
    table all = make_table(&of);
    for (int i = 0; i < (quick ? 1 : 2); i++) { /* the more the higher */
        static const int64_t gains[] = {800000, 1250000};
        check_left_out(&of, &all, gains[i], !quick, &left_out);
        CHECK(left_out >= before, "%lld", (long long)gains[i]);
        before = left_out;
    }
    drop(&all);
    for (int i = 0; i < (quick ? 0 : 4); i++) {
        static const int64_t gains[] = {0, 1500000, INT64_MAX, 1 - INT64_MAX};
        state any = random_state(1 + i % 3, 28, 4, i % 2);
        vary_nets(&any, i % 4);
        vary_qualify(&any, i % 3);
        table whole = make_table(&any);
        if (gains[i] < INT64_MAX / 2 && gains[i] > -INT64_MAX / 2) {
            check_left_out(&any, &whole, gains[i], 0, &left_out);
        } else {
            any.least_gain = gains[i];
            table found = make_table(&any);
            for (int64_t row = 0; row < whole.rows; row++) {
                CHECK(found.again[row] == (gains[i] > 0 ? INT64_MIN : whole.again[row]), "row %lld", (long long)row);
            }
            drop(&found);
        }
        drop(&whole);
    }
}

/* A relabeling of the suits turns rows into each other. */
void test_again_ignores_suit_names(void) {
    static const uint8_t names[4] = {2, 0, 3, 1};
    for (int i = 0; i < (quick ? 1 : 3); i++) {
        const state of = random_state(1 + i, quick ? 17 : 24, 4, 1);
        state other = of;
        for (int card = 0; card < of.dealer_cards; card++) {
            other.dealer[card] = (uint8_t)(of.dealer[card] / 4 * 4 + names[of.dealer[card] % 4]);
        }
        for (int card = 0; card < of.dead_cards; card++) {
            other.dead[card] = (uint8_t)(of.dead[card] / 4 * 4 + names[of.dead[card] % 4]);
        }
        table a = make_table(&of), b = make_table(&other);
        for (int n = 0; n < 20000; n++) {
            uint8_t hand[5], renamed[5];
            draw_hand(&a, n % 4, hand);
            for (int card = 0; card < 5; card++) {
                renamed[card] = (uint8_t)(hand[card] / 4 * 4 + names[hand[card] % 4]);
            }
            qsort(renamed, 5, 1, ascending);
            const int64_t row = row_of(&a, hand), same = row_of(&b, renamed);
            CHECK(a.stay[row] == b.stay[same] && a.again[row] == b.again[same], "state %d, row %lld", i,
                  (long long)row);
        }
        drop(&a);
        drop(&b);
    }
}

/*
 * If all hands are called, a new hand drawn after N and one drawn at once are the same on the mean: all rows of again
 * add up to those of stay, each as often as N is drawn out of what is left.
 */
void test_again_adds_up_when_all_is_called(void) {
    for (int i = 0; i < (quick ? 1 : 3); i++) {
        state of = random_state(1 + i, quick ? 17 : 26 - i, 4, i % 2);
        of.nets[0] = -1000000;
        table found = make_table(&of);
        uint64_t stay = 0, again = 0; /* the sums need not fit */
        for (int64_t row = 0; row < found.rows; row++) {
            stay += (uint64_t)found.stay[row];
            again += (uint64_t)found.again[row];
        }
        CHECK(again == stay * (uint64_t)(found.pairs / found.completions), "state %d", i);
        drop(&found);
    }
}

static void check_refused(const state *of, const char *what, int number) {
    int64_t stay = 77, again = 78;
    CHECK(run(of, &stay, &again) == -1, "%s %d", what, number);
    CHECK(stay == 77 && again == 78, "%s %d", what, number);
}

void test_again_states_that_do_not_exist(void) {
    const state good = usual("2d3d", "4c5c6c");
    for (int place = 0; place < 5; place++) {
        for (int way = 0; way < 2 + 5; way++) {
            uint8_t cards[5];
            memcpy(cards, good.dealer, 2);
            memcpy(cards + 2, good.dead, 3);
            if (spoil(cards, 5, place, way)) {
                state bad = good;
                memcpy(bad.dealer, cards, 2);
                memcpy(bad.dead, cards + 2, 3);
                check_refused(&bad, "card", place);
            }
        }
    }
    const uint16_t no_strengths[] = {0, PYCS_STRENGTHS + 1, UINT16_MAX};
    for (int i = 0; i < 3; i++) {
        state bad = good;
        bad.qualify = no_strengths[i];
        check_refused(&bad, "strength", i);
    }
    const state too_many = usual("2d3d4d5d6d7d", ""), none = usual("", "2d3d");
    check_refused(&too_many, "dealer's cards", 6);
    check_refused(&none, "dealer's cards", 0);
    for (int i = 0; i < 2; i++) {
        state bad = good;
        *(i == 0 ? &bad.dealer_cards : &bad.dead_cards) = -1;
        check_refused(&bad, "less than no cards", i);
    }
    for (int shown = 1; shown <= 5; shown++) {
        const state too_few = random_state(shown, 10 + 5 - shown - 1, 4, 0);
        check_refused(&too_few, "too few cards, shown", shown);
        const state enough = random_state(shown, 10 + 5 - shown, 4, 0);
        check_rows(&enough, 4, "just enough cards, shown", shown);
    }
}

/* Any net may be too large: by itself, or for so many pairs. */
void test_again_nets_too_large(void) {
    const int64_t pairs = choose(41, 5) * choose(36, 4), limit = (INT64_C(1) << 61) / pairs;
    for (int i = 0; i < 28; i++) {
        state bad = usual("2d", "4c5c6c7c8c"), few = random_state(1, 15, 4, 0);
        bad.nets[i / 2] = i % 2 ? limit : -limit;
        check_refused(&bad, "net for so many pairs", i);
        few.nets[i / 2] = i % 2 ? INT64_C(1) << 31 : -(INT64_C(1) << 31);
        check_refused(&few, "net", i);
    }
    state few = random_state(1, 15, 4, 1), larger = random_state(1, 22, 4, 1);
    for (int i = 0; i < 14; i++) {
        few.nets[i] = random_below(2) ? INT64_C(0x7FFFFFFF) : -INT64_C(0x7FFFFFFF);
        larger.nets[i] = random_below(2) ? limit : -limit; /* fewer pairs, so that they may be so large */
    }
    check_rows(&few, 10, "largest nets, few cards", 0);
    check_rows(&larger, 10, "large nets", 0);
}
