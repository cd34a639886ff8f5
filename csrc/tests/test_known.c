/* Decisions with known cards: both roads against each other, plain counting and the deals without them; their sums. */
#include <stdlib.h>
#include <string.h>

#include "pycs.h"
#include "tests.h"

typedef int known_road(const uint8_t *five, const uint8_t *dealer, int dealer_cards, const uint8_t *dead,
                       int dead_cards, uint16_t qualify, uint64_t *counts);

/* What these checks know of a game. */
typedef struct {
    const game *of;
    known_road *roads[2];         /* walk, count */
    int fewest_known, most_known; /* of the dealer's cards */
    int most_dead;
    int dealer_cards, board_cards; /* of his own; of the board, to come */
    int kinds;                     /* of the player's hand, told apart */
} known_game;

static const known_game known_stud = {
    .of = &stud,
    .roads = {pycs_stud_walk_known, pycs_stud_count_known},
    .fewest_known = 1,
    .most_known = 5,
    .most_dead = 41,
    .dealer_cards = 5,
    .kinds = 1,
};

static const known_game known_holdem = {
    .of = &holdem,
    .roads = {pycs_holdem_walk_known, pycs_holdem_count_known},
    .most_known = 2,
    .most_dead = 43,
    .dealer_cards = 2,
    .board_cards = 2,
    .kinds = 6,
};

/* The player's five cards; the others in the order in which the dealer's known ones, then the dead are taken. */
typedef struct {
    uint8_t five[5], others[47];
    int known, dead;
    uint16_t qualify;
} state;

static int take_road(const known_game *of, int road, const state *at, uint64_t *counts) {
    return of->roads[road](at->five, at->others, at->known, at->others + at->known, at->dead, at->qualify, counts);
}

/* Hands and live cards are of the lowest suits, as far as they go; few suits make flushes frequent. */
static state random_state(int known, int dead, int suits) {
    static const uint16_t qualifies[] = {1, 1000, 1242, 1500, 2500, 5000, 5864, 6500, 7300, PYCS_STRENGTHS};
    const int hands = 5 + known;
    state result = {.known = known, .dead = dead};
    uint8_t hand_cards[10], all[52];
    draw(hand_cards, hands, suits);
    draw(all, 52, 4);
    memcpy(result.five, hand_cards, 5);
    memcpy(result.others, hand_cards + 5, (size_t)known);
    for (int low = 0, count = known; low < 2; low++) { /* the low suits last */
        for (int i = 0; i < 52; i++) {
            if ((all[i] % 4 < suits) == low && memchr(hand_cards, all[i], (size_t)hands) == NULL) {
                result.others[count++] = all[i];
            }
        }
    }
    result.qualify = qualifies[random_below(sizeof qualifies / sizeof *qualifies)];
    return result;
}

static int64_t choose(int cards, int chosen) {
    int64_t ways = 1;
    for (int i = 0; i < chosen; i++) {
        ways = ways * (cards - i) / (i + 1);
    }
    return ways;
}

static int64_t completions(const known_game *of, const state *at) {
    const int live = 47 - at->known - at->dead;
    return choose(live, of->board_cards) * choose(live - of->board_cards, of->dealer_cards - at->known);
}

static int64_t sum_of(const known_game *of, const uint64_t *counts) {
    int64_t sum = 0;
    for (int outcome = 0; outcome < of->of->outcomes; outcome++) {
        sum += (int64_t)counts[outcome];
    }
    return sum;
}

/* What can be counted by hand. live: the cards left; "" is all of them, so that none is dead. */
typedef struct {
    const char *five, *known, *live;
    uint16_t qualify;
    uint64_t counts[MOST_OUTCOMES];
} example;

static state state_of(const example *from) {
    uint8_t live[47];
    const int live_cards = (int)strlen(from->live) / 2;
    state result = {.known = (int)strlen(from->known) / 2, .qualify = from->qualify};
    parse(from->five, result.five);
    parse(from->known, result.others);
    parse(from->live, live);
    for (uint8_t card = 0; card < 52 && live_cards > 0; card++) {
        if (memchr(result.five, card, 5) == NULL && memchr(result.others, card, (size_t)result.known) == NULL &&
            memchr(live, card, (size_t)live_cards) == NULL) {
            result.others[result.known + result.dead++] = card;
        }
    }
    return result;
}

static void check_examples(const known_game *of, const example *examples, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const state at = state_of(&examples[i]);
        for (int road = 0; road < 2; road++) {
            uint64_t found[MOST_OUTCOMES];
            CHECK(take_road(of, road, &at, found) == 0, "example %zu, road %d", i, road);
            CHECK(memcmp(found, examples[i].counts, (size_t)of->of->outcomes * sizeof *found) == 0,
                  "example %zu, road %d", i, road);
        }
    }
}

/* Whether all cards are live, and none of them among the others. */
static int can_come(const state *at, const uint8_t *cards, int count, const uint8_t *others, int other_count) {
    int can = 1;
    for (int i = 0; i < count; i++) {
        can &= memchr(at->five, cards[i], 5) == NULL && memchr(others, cards[i], (size_t)other_count) == NULL &&
               memchr(at->others, cards[i], (size_t)(at->known + at->dead)) == NULL;
    }
    return can;
}

static int kind_of(const known_game *of, uint16_t strength) {
    int kind = 0;
    for (int category = 9; category > 4 && of->kinds > 1; category--) {
        kind += strength < pycs_category_floor(category);
    }
    return kind;
}

/* hands: room for all the dealer's on one board; strengths, too. */
static void count_plainly(const known_game *of, const state *at, uint8_t *hands, uint16_t *strengths,
                          uint64_t *counts) {
    const int board_cards = of->board_cards, to_come = of->dealer_cards - at->known;
    const int from_five = board_cards > 0 ? 3 : 0, each = 5 + board_cards;
    uint8_t board[2] = {0, 1};
    memset(counts, 0, (size_t)of->of->outcomes * sizeof *counts);
    do {
        if (!can_come(at, board, board_cards, board, 0)) {
            continue;
        }
        uint8_t player[7], cards[4] = {0, 1, 2, 3}, *to = hands;
        uint16_t mine = 0;
        memcpy(player, at->five, 5);
        memcpy(player + 5, board, (size_t)board_cards);
        CHECK(pycs_rank_hands(player, 1, each, &mine) == 1, "player");
        do {
            if (can_come(at, cards, to_come, board, board_cards)) {
                memcpy(to, at->others, (size_t)at->known);
                memcpy(to + at->known, cards, (size_t)to_come);
                memcpy(to + of->dealer_cards, player + 5 - from_five, (size_t)(from_five + board_cards));
                to += each;
            }
        } while (next_choice(cards, to_come));
        const int64_t dealers = (to - hands) / each;
        const int kind = kind_of(of, mine);
        CHECK(pycs_rank_hands(hands, dealers, each, strengths) == dealers, "dealers");
        for (int64_t i = 0; i < dealers; i++) {
            counts[strengths[i] < at->qualify ? kind
                   : strengths[i] < mine      ? of->kinds + kind
                   : strengths[i] == mine     ? 2 * of->kinds
                                              : 2 * of->kinds + 1]++;
        }
    } while (next_choice(board, board_cards));
    CHECK(sum_of(of, counts) == completions(of, at), "%lld completions", (long long)sum_of(of, counts));
}

static void check_against_plain_counting(const known_game *of) {
    const size_t most_dealers = (size_t)choose(47 - of->fewest_known, of->dealer_cards - of->fewest_known);
    uint8_t *const hands = room_for(most_dealers, 7);
    uint16_t *const strengths = room_for(most_dealers, sizeof *strengths);
    for (int n = 0; n < (quick ? 12 : 120); n++) {
        const int known = of->fewest_known + n % (of->most_known - of->fewest_known + 1);
        const int dead = n % 10 ? (int)random_below((uint32_t)of->most_dead + 1) : 0;
        const state at = random_state(known, dead, 1 + n % 4);
        uint64_t plain[MOST_OUTCOMES], found[MOST_OUTCOMES];
        count_plainly(of, &at, hands, strengths, plain);
        for (int road = 0; road < 2; road++) {
            CHECK(take_road(of, road, &at, found) == 0, "state %d, road %d", n, road);
            CHECK(memcmp(plain, found, (size_t)of->of->outcomes * sizeof *plain) == 0,
                  "state %d, road %d: %d known, %d dead", n, road, known, dead);
        }
    }
    free(strengths);
    free(hands);
}

/* All numbers of cards that can be known, down to the last completion. */
static void check_roads(const known_game *of) {
    for (int known = of->fewest_known; known <= of->most_known; known++) {
        for (int dead = quick ? 30 : 0; dead <= of->most_dead; dead++) {
            for (int n = 0; n < (dead < 20 ? 4 : 40); n++) {
                const state at = random_state(known, dead, 1 + n % 4);
                uint64_t walked[MOST_OUTCOMES], counted[MOST_OUTCOMES];
                CHECK(take_road(of, 0, &at, walked) == 0, "%d known, %d dead", known, dead);
                CHECK(take_road(of, 1, &at, counted) == 0, "%d known, %d dead", known, dead);
                CHECK(memcmp(walked, counted, (size_t)of->of->outcomes * sizeof *walked) == 0,
                      "%d known, %d dead, state %d", known, dead, n);
                CHECK(sum_of(of, counted) == completions(of, &at), "%d known, %d dead", known, dead);
            }
        }
    }
}

/* What a deal shows, and nothing more: stud_count and holdem_count know it. */
static void check_without_more_cards(const known_game *of) {
    for (int n = 0; n < (quick ? 50 : 1000); n++) {
        const state at = random_state(of->fewest_known, 0, 1 + n % 4);
        uint8_t deal[MOST_CARDS];
        uint32_t counts[MOST_OUTCOMES];
        uint64_t found[MOST_OUTCOMES];
        memcpy(deal, at.five, 5);
        memcpy(deal + 5, at.others, (size_t)of->fewest_known);
        CHECK(of->of->roads[1](deal, 1, at.qualify, counts) == 1, "state %d", n);
        CHECK(of->roads[1](at.five, at.others, at.known, NULL, 0, at.qualify, found) == 0, "state %d", n);
        for (int outcome = 0; outcome < of->of->outcomes; outcome++) {
            CHECK(found[outcome] == counts[outcome], "state %d, outcome %d", n, outcome);
        }
    }
}

/* One more card is known, each of the live ones in turn: so often is every completion counted. */
static void check_sums_over_one_more(const known_game *of, const state *at, int more_known, uint64_t times) {
    uint64_t counts[MOST_OUTCOMES], more[MOST_OUTCOMES], sums[MOST_OUTCOMES] = {0};
    CHECK(take_road(of, 1, at, counts) == 0, "%d known, %d dead", at->known, at->dead);
    for (int i = at->known + at->dead; i < 47; i++) {
        state next = *at;
        const uint8_t card = at->others[i];
        const int place = more_known ? at->known : at->known + at->dead;
        next.others[i] = at->others[at->known + at->dead]; /* makes room behind the dead cards */
        next.others[at->known + at->dead] = at->others[place];
        next.others[place] = card;
        next.known += more_known;
        next.dead += !more_known;
        CHECK(take_road(of, 1, &next, more) == 0, "%d known, %d dead", next.known, next.dead);
        for (int outcome = 0; outcome < of->of->outcomes; outcome++) {
            sums[outcome] += more[outcome];
        }
    }
    for (int outcome = 0; outcome < of->of->outcomes; outcome++) {
        CHECK(sums[outcome] == times * counts[outcome], "%d known, %d dead, outcome %d, more known %d", at->known,
              at->dead, outcome, more_known);
    }
}

static void check_sums(const known_game *of) {
    for (int n = 0; n < (quick ? 20 : 300); n++) {
        const int known = of->fewest_known + n % (of->most_known - of->fewest_known + 1);
        const int dead = (int)random_below((uint32_t)of->most_dead), to_come = of->dealer_cards - known;
        const state at = random_state(known, dead, 1 + n % 4);
        if (to_come > 0) {
            check_sums_over_one_more(of, &at, 1, (uint64_t)to_come);
        }
        check_sums_over_one_more(of, &at, 0, (uint64_t)(47 - known - dead - of->board_cards - to_come));
    }
}

enum { UNTOUCHED = 0x7FFFFFFF };

static void check_refusal(const known_game *of, const state *at, const char *why) {
    for (int road = 0; road < 2; road++) {
        uint64_t counts[MOST_OUTCOMES];
        for (int i = 0; i < MOST_OUTCOMES; i++) {
            counts[i] = UNTOUCHED;
        }
        CHECK(take_road(of, road, at, counts) == -1, "road %d: %s", road, why);
        for (int i = 0; i < MOST_OUTCOMES; i++) {
            CHECK(counts[i] == UNTOUCHED, "road %d: %s", road, why);
        }
    }
}

static void check_refusals(const known_game *of) {
    static const uint16_t no_strengths[] = {0, PYCS_STRENGTHS + 1, UINT16_MAX};
    const int most_known = of->most_known, most_dead = of->most_dead;
    const int no_numbers[][2] = {{of->fewest_known - 1, 0},
                                 {most_known + 1, 0},
                                 {INT32_MIN, 0},
                                 {INT32_MAX, 0},
                                 {most_known, -1},
                                 {most_known, INT32_MIN},
                                 {most_known, INT32_MAX},
                                 {most_known, most_dead + 1},
                                 {of->fewest_known, most_dead + 1}};
    const state good = random_state(most_known, 6, 4);
    for (int i = 0; i < 3; i++) {
        state at = good;
        at.qualify = no_strengths[i];
        check_refusal(of, &at, "qualify");
    }
    for (size_t i = 0; i < sizeof no_numbers / sizeof *no_numbers; i++) {
        for (int road = 0; road < 2; road++) {
            uint64_t count = UNTOUCHED;
            CHECK(of->roads[road](good.five, good.others, no_numbers[i][0], good.others + most_known, no_numbers[i][1],
                                  1, &count) == -1,
                  "road %d, %d known, %d dead", road, no_numbers[i][0], no_numbers[i][1]);
            CHECK(count == UNTOUCHED, "road %d, %d known, %d dead", road, no_numbers[i][0], no_numbers[i][1]);
        }
    }
    const int cards = 5 + good.known + good.dead;
    for (int place = 0; place < cards; place++) {
        for (int way = 0; way < 2 + cards; way++) {
            uint8_t all[52];
            memcpy(all, good.five, 5);
            memcpy(all + 5, good.others, 47);
            if (spoil(all, cards, place, way)) {
                state at = good;
                memcpy(at.five, all, 5);
                memcpy(at.others, all + 5, 47);
                check_refusal(of, &at, "cards");
            }
        }
    }
}

void test_stud_known_by_hand(void) {
    static const example examples[] = {
        {"AsKsQsJsTs", "AhKhQhJhTh", "", PYCS_STRENGTHS, {0, 0, 1, 0}},
        {"AsKsQsJsTs", "AhKhQhJh", "", PYCS_STRENGTHS, {42, 0, 1, 0}},
        {"AsKsQsJsTs", "AhKhQhJh", "", 1, {0, 42, 1, 0}},
        /* A straight or better: three fives, four tens, six more hearts. */
        {"7s5d4h3c2s", "9h8h7h6h", "", 5854, {30, 0, 0, 13}},
        {"7s5d4h3c2s", "9h8h7h6h", "5hTsTh2h2d", 5854, {1, 0, 0, 4}},
        {"7s5d4h3c2s", "2d", "7h5h4d3h2h", 1, {0, 0, 1, 4}},
    };
    check_examples(&known_stud, examples, sizeof examples / sizeof *examples);
}

void test_stud_known_against_plain_counting(void) { check_against_plain_counting(&known_stud); }
void test_stud_known_roads_agree(void) { check_roads(&known_stud); }
void test_stud_known_without_more_cards(void) { check_without_more_cards(&known_stud); }
void test_stud_known_sums_over_one_more_card(void) { check_sums(&known_stud); }
void test_stud_known_refusals(void) { check_refusals(&known_stud); }

void test_holdem_known_by_hand(void) {
    static const example examples[] = {
        /* Both have the board. */
        {"2c3dQsJsTs", "2d3c", "AsKs", PYCS_STRENGTHS, {[12] = 1}},
        /* The dealer has two pair, whatever falls. */
        {"AsKsQsJsTs", "", "2h2d3c3d", 4138, {[6] = 6}},
        {"AsKsQsJsTs", "", "2h2d3c3d", 4996, {[0] = 6}},
        {"AsKsQsJsTs", "2h", "2d3c3d", 4138, {[6] = 3}},
        {"9c9dQsJsTs", "2h2d", "3c3d", 4138, {[11] = 1}},
        {"2h2dQsJsTs", "9c9d", "3c3d", 4138, {[13] = 1}},
        /* The eight makes a flush; the dealer has a pair of fours in any case. */
        {"AsKsQsJs2h", "3d", "8s4c4d", 1278, {[10] = 2, [11] = 1}},
        {"AsKsQsJs2h", "3d", "8s4c4d", 4138, {[4] = 2, [5] = 1}},
    };
    check_examples(&known_holdem, examples, sizeof examples / sizeof *examples);
}

void test_holdem_known_against_plain_counting(void) { check_against_plain_counting(&known_holdem); }
void test_holdem_known_roads_agree(void) { check_roads(&known_holdem); }
void test_holdem_known_without_more_cards(void) { check_without_more_cards(&known_holdem); }
void test_holdem_known_sums_over_one_more_card(void) { check_sums(&known_holdem); }
void test_holdem_known_refusals(void) { check_refusals(&known_holdem); }
