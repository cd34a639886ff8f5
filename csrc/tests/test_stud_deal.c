/* The canonical index of Caribbean Stud, both directions. */
#include "tests.h"

void test_stud_canonical_deals(void) { check_all_canonical_deals(&stud); }

void test_stud_index_ignores_suit_names_and_order(void) { check_index_ignores_suit_names_and_order(&stud); }

void test_stud_index_tells_classes_apart(void) { check_index_tells_classes_apart(&stud); }

void test_stud_bad_deals_have_no_index(void) { check_bad_deals_have_no_index(&stud); }

void test_stud_bad_indices_have_no_deal(void) { check_bad_indices_have_no_deal(&stud); }
