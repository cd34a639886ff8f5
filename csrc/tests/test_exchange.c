/* The last exchange: both roads against each other, against the counts of single deals, and what must hold of it. */
#include <stdlib.h>
#include <string.h>

#include "pycs.h"
#include "tests.h"

enum { FOLDED, NOT_QUALIFIED, WIN, PUSH, LOSE };

typedef struct {
    uint8_t kept[5], dealer[6], dead[52]; /* room for one more than there may be */
    int kept_cards, dealer_cards, dead_cards;
    uint16_t qualify;
    int64_t nets[14];
} exchange;

typedef struct {
    uint64_t at[10][5];
} exchange_counts;

/* Of an ante of 1 and a call of 2. */
static const int64_t usual_nets[14] = {-1, 1, 0, -3, 3, 3, 5, 7, 9, 11, 15, 41, 101, 201};

static uint16_t ace_king(void) { return strength_of("AsKd4h3c2s"); }

static exchange usual(const char *kept, const char *dealer, const char *dead) {
    exchange result = {.kept_cards = (int)strlen(kept) / 2,
                       .dealer_cards = (int)strlen(dealer) / 2,
                       .dead_cards = (int)strlen(dead) / 2,
                       .qualify = ace_king()};
    parse(kept, result.kept);
    parse(dealer, result.dealer);
    parse(dead, result.dead);
    memcpy(result.nets, usual_nets, sizeof usual_nets);
    return result;
}

static exchange random_exchange(int kept_cards, int dealer_cards, int dead_cards, int suits) {
    exchange result = {
        .kept_cards = kept_cards, .dealer_cards = dealer_cards, .dead_cards = dead_cards, .qualify = ace_king()};
    uint8_t cards[52];
    draw(cards, kept_cards + dealer_cards + dead_cards, suits);
    memcpy(result.kept, cards, (size_t)kept_cards);
    memcpy(result.dealer, cards + kept_cards, (size_t)dealer_cards);
    memcpy(result.dead, cards + kept_cards + dealer_cards, (size_t)dead_cards);
    memcpy(result.nets, usual_nets, sizeof usual_nets);
    return result;
}

/* The usual ones; only a push pays, so that fold and call are often equal; some that make them close; any; extremes. */
static void vary_nets(exchange *of, int way) {
    for (int i = 0; i < 14 && way > 0; i++) {
        of->nets[i] = way == 1   ? i == 2
                      : way == 2 ? (int64_t)random_below(3) - 1
                      : way == 3 ? (int64_t)random_below(21) - 10
                                 : (random_below(2) ? INT64_C(0x7FFFFFFF) : -INT64_C(0x7FFFFFFF));
    }
}

static void never_fold(exchange *of) { of->nets[0] = -INT64_C(0x7FFFFFFF); }

static void *copy_of(const void *from, size_t size) {
    void *const copy = room_for(size, 1);
    memcpy(copy, from, size);
    return copy;
}

/* By one road, 0 the fast one, out of buffers of just the right length. */
static int run(int road, const exchange *of, exchange_counts *counts) {
    uint8_t *const kept = copy_of(of->kept, of->kept_cards > 0 ? (size_t)of->kept_cards : 0);
    uint8_t *const dealer = copy_of(of->dealer, of->dealer_cards > 0 ? (size_t)of->dealer_cards : 0);
    uint8_t *const dead = copy_of(of->dead, of->dead_cards > 0 ? (size_t)of->dead_cards : 0);
    const int result = (road == 0 ? pycs_stud_exchange : pycs_stud_exchange_plain)(
        kept, of->kept_cards, dealer, of->dealer_cards, dead, of->dead_cards, of->qualify, of->nets, counts->at);
    free(dead);
    free(dealer);
    free(kept);
    return result;
}

static exchange_counts count(const exchange *of) {
    exchange_counts counts = {{{0}}};
    CHECK(run(0, of, &counts) == 0, "%d kept, %d shown, %d dead", of->kept_cards, of->dealer_cards, of->dead_cards);
    return counts;
}

static int category_of(uint16_t strength) {
    int category = 9;
    while (strength < pycs_category_floor(category)) {
        category--;
    }
    return category;
}

static uint64_t choose(int of, int chosen) {
    uint64_t ways = 1;
    for (int i = 0; i < chosen; i++) {
        ways = ways * (uint64_t)(of - i) / (uint64_t)(i + 1);
    }
    return ways;
}

static uint64_t draws_and_completions(const exchange *of) {
    const int live = 52 - of->kept_cards - of->dealer_cards - of->dead_cards, drawn = 5 - of->kept_cards;
    return choose(live, drawn) * choose(live - drawn, 5 - of->dealer_cards);
}

static uint64_t sum_of(const exchange_counts *counts, int outcome) {
    uint64_t sum = 0;
    for (int category = 0; category < 10; category++) {
        sum += counts->at[category][outcome];
    }
    return sum;
}

static uint64_t sum_of_all(const exchange_counts *counts) {
    uint64_t sum = 0;
    for (int outcome = 0; outcome < 5; outcome++) {
        sum += sum_of(counts, outcome);
    }
    return sum;
}

/* In all draws and completions, without the fee. */
static int64_t total_of(const exchange_counts *counts, const int64_t nets[14]) {
    int64_t total = 0;
    for (int category = 0; category < 10; category++) {
        const uint64_t *const at = counts->at[category];
        total += nets[0] * (int64_t)at[FOLDED] + nets[1] * (int64_t)at[NOT_QUALIFIED] + nets[2] * (int64_t)at[PUSH] +
                 nets[3] * (int64_t)at[LOSE] + nets[4 + category] * (int64_t)at[WIN];
    }
    return total;
}

static void add(exchange_counts *to, const exchange_counts *counts, uint64_t times) {
    for (int category = 0; category < 10; category++) {
        for (int outcome = 0; outcome < 5; outcome++) {
            to->at[category][outcome] += times * counts->at[category][outcome];
        }
    }
}

static void check_roads(const exchange *of, const char *what, int number) {
    exchange_counts plain;
    const exchange_counts fast = count(of);
    CHECK(run(1, of, &plain) == 0, "%s %d", what, number);
    CHECK(memcmp(&fast, &plain, sizeof fast) == 0, "%s %d: %d kept, %d shown, %d dead, from %d on", what, number,
          of->kept_cards, of->dealer_cards, of->dead_cards, of->qualify);
    CHECK(sum_of_all(&fast) == draws_and_completions(of), "%s %d", what, number);
}

/* Few live cards, often of few suits. */
void test_exchange_roads_agree(void) {
    for (int n = 0; n < (quick ? 60 : 1000); n++) {
        const int kept = (int)random_below(5), shown = 1 + (int)random_below(5), suits = 1 + n % 4;
        const int needed = 5 - kept + 5 - shown, most = 13 * suits - kept - shown;
        const int live = needed + (int)random_below((uint32_t)((most < 15 ? most : 15) - needed + 1));
        exchange state = random_exchange(kept, shown, 0, suits);
        uint8_t order[52];
        draw(order, 13 * suits, suits);
        for (uint8_t card = 0; card < 52; card++) {
            if (card % 4 >= suits) {
                state.dead[state.dead_cards++] = card;
            }
        }
        for (int i = 0, left = 0; i < 13 * suits; i++) {
            if (!memchr(state.kept, order[i], (size_t)kept) && !memchr(state.dealer, order[i], (size_t)shown) &&
                left++ >= live) {
                state.dead[state.dead_cards++] = order[i];
            }
        }
        if (n % 3 > 0) {
            state.qualify = (uint16_t)(1 + random_below(n % 3 == 1 ? 2000 : PYCS_STRENGTHS));
        }
        vary_nets(&state, n % 5);
        check_roads(&state, "state", n);
    }
}

/* As large as the plain road gets in a second. */
void test_exchange_roads_agree_on_full_decks(void) {
    static const struct {
        int kept, shown, dead, takes_long;
    } sizes[] = {{4, 1, 1, 0}, {4, 3, 0, 0}, {0, 5, 5, 1}, {3, 2, 2, 1}, {1, 5, 14, 0}, {3, 1, 12, 1}, {0, 4, 15, 1}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (int n = 0; n < 4 && !(quick && sizes[i].takes_long); n++) {
            const exchange state = random_exchange(sizes[i].kept, sizes[i].shown, sizes[i].dead, 4);
            check_roads(&state, "full deck", n);
        }
    }
    const char *const extremes[][3] = {
        {"AsKsQsJs", "Ts", ""},     {"AsKsQsJs", "9h", "Ts"}, {"5s4s3s2s", "Ah", ""},       {"AsAhAdAc", "Ks", ""},
        {"AsKsQsJs", "Th9h8h", ""}, {"9s8s7s6s", "Ts", ""},   {"KsQsJsTs", "4h3h2h", "2s"}, {"2s2h2d2c", "3s3h", ""},
    };
    for (size_t i = 0; i < sizeof extremes / sizeof *extremes; i++) {
        const exchange state = usual(extremes[i][0], extremes[i][1], extremes[i][2]);
        check_roads(&state, "extreme", (int)i);
    }
}

/* With nothing dead, each new hand is a deal: its call is counted by itself, and fold or call is decided here. */
void test_exchange_against_single_deals(void) {
    for (int n = 0; n < (quick ? 10 : 100); n++) {
        exchange state = random_exchange(n % 4 ? 4 : 3, 1, 0, n % 3 ? 4 : 2);
        vary_nets(&state, n % 5);
        exchange_counts expected = {{{0}}};
        const exchange_counts found = count(&state);
        uint8_t drawn[2] = {0, 1}, deal[6];
        memcpy(deal, state.kept, (size_t)state.kept_cards);
        deal[5] = state.dealer[0];
        do {
            uint32_t if_called[4];
            uint16_t strength = 0;
            memcpy(deal + state.kept_cards, drawn, (size_t)(5 - state.kept_cards));
            if (pycs_stud_count(deal, 1, state.qualify, if_called) == 1) { /* or the draw is not out of live cards */
                CHECK(pycs_rank_hands(deal, 1, 5, &strength) == 1, "state %d", n);
                const int category = category_of(strength);
                uint64_t *const to = expected.at[category];
                const int64_t call = state.nets[1] * if_called[0] + state.nets[4 + category] * if_called[1] +
                                     state.nets[2] * if_called[2] + state.nets[3] * if_called[3];
                if (call > state.nets[0] * PYCS_STUD_COMPLETIONS) {
                    for (int outcome = 0; outcome < 4; outcome++) {
                        to[NOT_QUALIFIED + outcome] += if_called[outcome];
                    }
                } else {
                    to[FOLDED] += PYCS_STUD_COMPLETIONS;
                }
            }
        } while (next_choice(drawn, 5 - state.kept_cards));
        CHECK(memcmp(&expected, &found, sizeof found) == 0, "state %d", n);
    }
}

/* The counts of all states that have one live card more in one place, kept, shown or dead. */
static exchange_counts with_one_more(const exchange *of, uint8_t *place, exchange *more) {
    exchange_counts sum = {{{0}}};
    uint64_t in_sight = 0;
    for (int i = 0; i < of->kept_cards; i++) {
        in_sight |= UINT64_C(1) << of->kept[i];
    }
    for (int i = 0; i < of->dealer_cards; i++) {
        in_sight |= UINT64_C(1) << of->dealer[i];
    }
    for (int i = 0; i < of->dead_cards; i++) {
        in_sight |= UINT64_C(1) << of->dead[i];
    }
    for (uint8_t card = 0; card < 52; card++) {
        if (!(in_sight >> card & 1)) {
            *place = card;
            const exchange_counts counts = count(more);
            add(&sum, &counts, 1);
        }
    }
    return sum;
}

/*
 * What is kept does not matter once a new hand is made, so the states with one more card kept, added up, are the state
 * itself as often as cards are drawn, folds and all. When all is called, what is shown or dead does not matter either:
 * added up over the next card, as often as cards may take that place once all else is dealt.
 */
void test_exchange_card_by_card(void) {
    for (int n = 0; n < (quick ? 8 : 60); n++) {
        const int shown = n % 3 ? 1 : 1 + (int)random_below(4);
        const exchange state = random_exchange(n % 4, shown, (int)random_below(30), n % 5 ? 4 : 3);
        exchange more = state;
        exchange_counts expected = {{{0}}}, here = count(&state);
        more.kept_cards++;
        exchange_counts sum = with_one_more(&state, &more.kept[state.kept_cards], &more);
        add(&expected, &here, (uint64_t)(5 - state.kept_cards));
        CHECK(memcmp(&sum, &expected, sizeof sum) == 0, "state %d, one more kept", n);
    }
    for (int n = 0; n < (quick ? 4 : 30); n++) {
        exchange state = random_exchange(n % 5, 1 + n / 5 % 4, n % 4 * 5, 4);
        never_fold(&state);
        exchange more = state;
        exchange_counts expected = {{{0}}}, here = count(&state);
        more.dealer_cards++;
        exchange_counts sum = with_one_more(&state, &more.dealer[state.dealer_cards], &more);
        add(&expected, &here, (uint64_t)(5 - state.dealer_cards));
        CHECK(memcmp(&sum, &expected, sizeof sum) == 0, "state %d, one more shown", n);

        more = state;
        memset(&expected, 0, sizeof expected);
        more.dead_cards++;
        sum = with_one_more(&state, &more.dead[state.dead_cards], &more);
        add(&expected, &here, (uint64_t)(52 - 10 - state.dead_cards));
        CHECK(memcmp(&sum, &expected, sizeof sum) == 0, "state %d, one more dead", n);
    }
}

/* A first hand, all called: with the card-by-card check, exchanging and never folding costs just the fee. */
void test_exchange_of_nothing_is_the_whole_game(void) {
    const uint16_t qualifies[] = {1, ace_king()};
    uint8_t *const weights = weights_of_all_deals(&stud);
    uint32_t *const sweep = room_for((size_t)PYCS_STUD_OUTCOMES * PYCS_STUD_DEALS, sizeof *sweep);
    for (int q = 0; q < 2; q++) {
        exchange_counts sum = {{{0}}};
        for (uint8_t upcard = 0; upcard < 52; upcard++) {
            exchange state = usual("", "2c", "");
            state.dealer[0] = upcard;
            state.qualify = qualifies[q];
            never_fold(&state);
            const exchange_counts counts = count(&state);
            add(&sum, &counts, 1);
        }
        CHECK(pycs_stud_sweep(qualifies[q], sweep) == 0, "sweep");
        for (size_t outcome = 0; outcome < PYCS_STUD_OUTCOMES; outcome++) {
            uint64_t total = 0;
            for (size_t i = 0; i < PYCS_STUD_DEALS; i++) {
                total += (uint64_t)weights[i] * sweep[outcome * PYCS_STUD_DEALS + i];
            }
            CHECK(sum_of(&sum, NOT_QUALIFIED + (int)outcome) == total, "outcome %zu, from %d on", outcome,
                  qualifies[q]);
        }
        CHECK(sum_of(&sum, FOLDED) == 0, "%llu folded", (unsigned long long)sum_of(&sum, FOLDED));
    }
    free(sweep);
    free(weights);
}

/* Found by counting card by card, with inclusion and exclusion over the sets of drawn cards. */
void test_exchange_values(void) {
    static const struct {
        const char *dealer, *dead;
        int64_t total; /* with the fee, of 1,370,754 x 101,270 */
    } known[] = {{"Qc", "AsKhJd8c3s", INT64_C(-177310844202)},
                 {"2d", "7c5d4h3s2c", INT64_C(-116639809492)},
                 {"Ad", "QsQh9d6c2h", INT64_C(-158066299662)}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const exchange state = usual("", known[i].dealer, known[i].dead);
        const exchange_counts counts = count(&state);
        const int64_t all = (int64_t)sum_of_all(&counts), total = total_of(&counts, usual_nets) - all;
        CHECK(all == INT64_C(1370754) * 101270, "%lld", (long long)all);
        CHECK(total == known[i].total, "%s: %lld", known[i].dead, (long long)total);
    }
}

/* The dead cards make the dealer fail so often that hands that can't beat him when he does not are worth a call. */
void test_exchange_calls_junk(void) {
    const exchange state = usual("9s8h7d6c", "2d", "7c5d4h3s2c");
    const exchange_counts counts = count(&state);
    const uint64_t *const high_card = counts.at[0];
    CHECK(high_card[WIN] == 0 && high_card[PUSH] == 0, "no new hand has ace and king");
    CHECK(high_card[NOT_QUALIFIED] > high_card[LOSE] && high_card[FOLDED] > 0, "some are called");
}

void test_exchange_never_helps_two_pair_or_better(void) {
    static const char *const hands[] = {"3s3h2d2c4s", "2s2h2d3c4h", "6s5h4d3c2s", "7s5s4s3s2s",
                                        "2s2h2d3c3s", "2s2h2d2c3s", "6s5s4s3s2s", "AsKsQsJsTs"};
    for (size_t i = 0; i < sizeof hands / sizeof *hands; i++) {
        uint8_t deal[6];
        const int category = category_of(strength_of(hands[i]));
        parse(hands[i], deal);
        for (uint8_t upcard = 0; upcard < 52; upcard++) {
            uint32_t if_called[4];
            deal[5] = upcard;
            if (pycs_stud_count(deal, 1, ace_king(), if_called) == 1) {
                exchange state = usual("", "", hands[i]);
                state.dealer[state.dealer_cards++] = upcard;
                const exchange_counts counts = count(&state);
                const double call = (double)(usual_nets[1] * if_called[0] + usual_nets[4 + category] * if_called[1] +
                                             usual_nets[2] * if_called[2] + usual_nets[3] * if_called[3]);
                const double exchanged = (double)total_of(&counts, usual_nets) / (double)sum_of_all(&counts) - 1;
                CHECK(exchanged < call / PYCS_STUD_COMPLETIONS, "%s, upcard %d", hands[i], upcard);
            }
        }
    }
}

static void check_refused(const exchange *of, const char *what, int number) {
    for (int road = 0; road < 2; road++) {
        exchange_counts counts, untouched;
        memset(&counts, 0x7E, sizeof counts);
        untouched = counts;
        CHECK(run(road, of, &counts) == -1, "road %d, %s %d", road, what, number);
        CHECK(memcmp(&counts, &untouched, sizeof counts) == 0, "road %d, %s %d", road, what, number);
    }
}

void test_exchange_states_that_do_not_exist(void) {
    const exchange good = usual("AsKs", "2d3d", "4c5c6c");
    for (int place = 0; place < 7; place++) {
        for (int way = 0; way < 2 + 7; way++) {
            uint8_t cards[7];
            memcpy(cards, good.kept, 2);
            memcpy(cards + 2, good.dealer, 2);
            memcpy(cards + 4, good.dead, 3);
            if (spoil(cards, 7, place, way)) {
                exchange bad = good;
                memcpy(bad.kept, cards, 2);
                memcpy(bad.dealer, cards + 2, 2);
                memcpy(bad.dead, cards + 4, 3);
                check_refused(&bad, "card", place);
            }
        }
    }
    const uint16_t no_strengths[] = {0, PYCS_STRENGTHS + 1, UINT16_MAX};
    for (int i = 0; i < 3; i++) {
        exchange bad = good;
        bad.qualify = no_strengths[i];
        check_refused(&bad, "strength", i);
    }
    for (int i = 0; i < 28; i++) {
        exchange bad = good;
        bad.nets[i / 2] = i % 2 ? INT64_C(1) << 31 : -(INT64_C(1) << 31);
        check_refused(&bad, "net", i);
    }
    static const struct {
        const char *kept, *dealer;
    } too_many[] = {{"AsKsQsJsTs", "2d"}, {"As", "2d3d4d5d6d7d"}, {"As", ""}};
    for (int i = 0; i < 3; i++) {
        const exchange bad = usual(too_many[i].kept, too_many[i].dealer, "");
        check_refused(&bad, "number of cards", i);
    }
    for (int i = 0; i < 3; i++) {
        exchange bad = good;
        *(i == 0 ? &bad.kept_cards : i == 1 ? &bad.dealer_cards : &bad.dead_cards) = -1;
        check_refused(&bad, "less than no cards", i);
    }
}

/* All but the last cards dead: enough of them, and one too few. */
void test_exchange_of_the_last_cards(void) {
    for (int kept = 0; kept <= 4; kept++) {
        for (int shown = 1; shown <= 5; shown++) {
            const int needed = 5 - kept + 5 - shown;
            const exchange enough = random_exchange(kept, shown, 52 - kept - shown - needed, 4);
            const exchange too_few = random_exchange(kept, shown, 52 - kept - shown - needed + 1, 4);
            check_roads(&enough, "kept", kept);
            check_refused(&too_few, "kept", kept);
        }
    }
}
