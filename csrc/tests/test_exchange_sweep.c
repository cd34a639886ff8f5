/* The last exchange for every deal with an upcard of one rank, against single exchanges. */
#include <stdlib.h>
#include <string.h>

#include "pycs.h"
#include "tests.h"

typedef struct {
    uint16_t qualify;
    int64_t nets[14];
    int64_t *totals, *called; /* one for each canonical deal */
} table;

static const int64_t untouched = INT64_MIN + 5;

/* The usual nets, of an ante of 1 and a call of 2. */
static table usual(void) {
    table result = {.qualify = strength_of("AsKd4h3c2s"), .nets = {-1, 1, 0, -3, 3, 3, 5, 7, 9, 11, 15, 41, 101, 201}};
    result.totals = room_for(PYCS_STUD_DEALS, sizeof *result.totals);
    result.called = room_for(PYCS_STUD_DEALS, sizeof *result.called);
    for (int i = 0; i < PYCS_STUD_DEALS; i++) {
        result.totals[i] = result.called[i] = untouched;
    }
    return result;
}

static void drop(table *of) {
    free(of->totals);
    free(of->called);
}

static int run(const table *of, int up_rank) {
    return pycs_stud_exchange_sweep(up_rank, of->qualify, of->nets, of->totals, of->called);
}

static void check_deal(const table *of, const uint8_t deal[6]) {
    uint64_t counts[10][5];
    uint32_t index;
    int64_t total = 0, called = 0;
    CHECK(pycs_stud_indices(deal, 1, &index) == 1, "no deal");
    CHECK(pycs_stud_exchange(NULL, 0, deal + 5, 1, deal, 5, of->qualify, of->nets, counts) == 0, "no exchange");
    for (int category = 0; category < 10; category++) {
        const int64_t of_outcome[5] = {of->nets[0], of->nets[1], of->nets[4 + category], of->nets[2], of->nets[3]};
        for (int outcome = 0; outcome < 5; outcome++) {
            total += of_outcome[outcome] * (int64_t)counts[category][outcome];
            called += outcome > 0 ? (int64_t)counts[category][outcome] : 0;
        }
    }
    CHECK(of->totals[index] == total && of->called[index] == called, "deal %u: %lld of %lld called, not %lld of %lld",
          index, (long long)of->totals[index], (long long)of->called[index], (long long)total, (long long)called);
}

/* Few suits make flushes frequent. */
static void check_rank(const table *of, uint8_t up_rank, int deals) {
    CHECK(run(of, up_rank) == 0, "rank %d", up_rank);
    for (int i = 0; i < deals; i++) {
        uint8_t deal[6];
        do {
            deal[5] = (uint8_t)(4 * up_rank);
            draw(deal, 5, 1 + i % 4);
        } while (memchr(deal, deal[5], 5) != NULL);
        check_deal(of, deal);
    }
}

void test_exchange_sweep_against_single_exchanges(void) {
    enum { OF_A_RANK = PYCS_STUD_DEALS / 13 };
    table of = usual();
    check_rank(&of, 4, 100);
    int written = 0, alike = 1;
    for (int i = 0; i < PYCS_STUD_DEALS; i++) {
        written += of.totals[i] != untouched;
        alike &= (of.totals[i] == untouched) == (of.called[i] == untouched);
    }
    CHECK(written == OF_A_RANK && alike, "%d written", written);
    of.nets[0] = -INT64_C(0x7FFFFFFF);
    check_rank(&of, 12, 20);
    for (int i = 0; i < 14; i++) {
        of.nets[i] = random_below(2) ? PYCS_STUD_LARGEST_NET : -PYCS_STUD_LARGEST_NET;
    }
    check_rank(&of, 0, 50);
    drop(&of);
}

static void check_refused(const table *of, int up_rank, const char *what, int number) {
    CHECK(run(of, up_rank) == -1, "%s %d", what, number);
}

void test_exchange_sweeps_that_cannot_be(void) {
    static const int no_ranks[] = {-1, 13, 52, INT32_MAX, INT32_MIN};
    static const uint16_t no_strengths[] = {0, PYCS_STRENGTHS + 1, UINT16_MAX};
    table of = usual();
    for (int i = 0; i < 5; i++) {
        check_refused(&of, no_ranks[i], "rank", no_ranks[i]);
    }
    for (int i = 0; i < 3; i++) {
        table bad = of;
        bad.qualify = no_strengths[i];
        check_refused(&bad, 3, "strength", i);
    }
    for (int i = 0; i < 28; i++) {
        static const int64_t large[2] = {PYCS_STUD_LARGEST_NET + 1, INT64_MAX};
        table bad = of;
        bad.nets[i / 2] = large[i % 2];
        check_refused(&bad, 3, "net", i);
        bad.nets[i / 2] = i < 2 ? -(INT64_C(1) << 31) : -large[i % 2];
        check_refused(&bad, 3, "net below", i);
    }
    int written = 0;
    for (int i = 0; i < PYCS_STUD_DEALS; i++) {
        written += of.totals[i] != untouched || of.called[i] != untouched;
    }
    CHECK(written == 0, "%d written", written);
    drop(&of);
}
