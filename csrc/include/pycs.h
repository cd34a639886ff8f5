/*
 * pycs: exact counts for casino poker: Caribbean Stud and its variants ("stud"), Casino Hold'em ("holdem").
 *
 * Cards are 0..51 = 4 x rank + suit; ranks 2..A are 0..12, suits c d h s are 0..3.
 * A strength is one of 7,462 classes of hands, 1 (7-5-4-3-2) to 7462 (royal flush); higher is better.
 * A deal is what the player sees. Stud: five cards in any order, then the dealer's upcard; six bytes. Hold'em: two hole
 * cards in any order, then the flop's three in any order; five bytes.
 * A completion is one way for the cards not in sight to fall. Counts are kept by outcome, and stand in one buffer of
 * outcomes x rows, all rows of the first outcome first; in each row they add up to the number of completions.
 *
 * No function keeps or changes any state between calls: threads may call all of them at once. Each batch function
 * checks its cards (0..51, all different) and returns how many rows it did: fewer than asked for means that the row of
 * that number, counted from 0, holds a card that does not exist or the same card twice; the rows before it are done.
 * Buffers must have the stated length and must not overlap; they are not checked.
 */
#ifndef PYCS_H
#define PYCS_H

#include <stdint.h>

#define PYCS_STRENGTHS 7462

/*
 * Stud. Completions: four more dealer cards out of 46. Outcomes: the dealer does not qualify; he does, and the player
 * wins; ties; loses.
 */
#define PYCS_STUD_DEALS 5649150
#define PYCS_STUD_COMPLETIONS 163185
#define PYCS_STUD_OUTCOMES 4

/*
 * Hold'em. Completions: turn and river out of 47 cards, then the dealer's two hole cards out of 45; each side has the
 * best five of seven. Outcomes: first, by the player's final hand, the dealer does not qualify: six of them, for a
 * royal flush, a straight flush, four of a kind, a full house, a flush, and a straight or less; then he qualifies and
 * the player wins, by the player's final hand in the same order: six; then both are equal; then the player loses.
 */
#define PYCS_HOLDEM_DEALS 1286792
#define PYCS_HOLDEM_COMPLETIONS 1070190
#define PYCS_HOLDEM_OUTCOMES 14

/* The release this core belongs to, such as "0.1.0". */
const char *pycs_version(void);

/*
 * The strength of each hand of the best five cards out of cards_each (5, 6 or 7; any other number does no row).
 * cards: hands x cards_each bytes. strengths: hands.
 */
int64_t pycs_rank_hands(const uint8_t *cards, int64_t hands, int cards_each, uint16_t *strengths);

/*
 * The lowest strength of a category: 0 high card, 1 pair, 2 two pair, 3 three of a kind, 4 straight, 5 flush,
 * 6 full house, 7 four of a kind, 8 straight flush, 9 royal flush; 10 gives 7463, one past the highest strength.
 * Any other number gives 0.
 */
uint16_t pycs_category_floor(int category);

/*
 * The canonical index, from 0, of each deal: deals that a relabeling of the suits turns into each other share it. All
 * the upcards of a canonical hand, and all the hole cards of a canonical flop, stand together.
 * deals: rows x 6, or rows x 5 bytes. indices: rows.
 */
int64_t pycs_stud_indices(const uint8_t *deals, int64_t rows, uint32_t *indices);
int64_t pycs_holdem_indices(const uint8_t *deals, int64_t rows, uint32_t *indices);

/*
 * The canonical deal of each index, the way back: hand, hole cards and flop from high to low, suits in the order
 * s h d c as far as there is a choice. weights (may be NULL): how many raw deals the index stands for, of 122,151,120
 * (stud) or 25,989,600 (hold'em). An index past the last deal stops it, as a bad card does elsewhere.
 * deals: rows x 6, or rows x 5 bytes. weights: rows.
 */
int64_t pycs_stud_deals(const uint32_t *indices, int64_t rows, uint8_t *deals, uint8_t *weights);
int64_t pycs_holdem_deals(const uint32_t *indices, int64_t rows, uint8_t *deals, uint8_t *weights);

/*
 * The obvious road: walks all the completions of each deal, ranks and compares each one, and counts. The dealer
 * qualifies with the strength qualify (1..7462; any other does no row) or better.
 * deals: rows x 6, or rows x 5 bytes. counts: outcomes x rows.
 */
int64_t pycs_stud_walk(const uint8_t *deals, int64_t rows, uint16_t qualify, uint32_t *counts);
int64_t pycs_holdem_walk(const uint8_t *deals, int64_t rows, uint16_t qualify, uint32_t *counts);

/* The same counts of the same deals by ranks and multiplicities, quicker. */
int64_t pycs_stud_count(const uint8_t *deals, int64_t rows, uint16_t qualify, uint32_t *counts);
int64_t pycs_holdem_count(const uint8_t *deals, int64_t rows, uint16_t qualify, uint32_t *counts);

/*
 * The fast road: the same counts for every canonical deal, in the order of their indices. counts: outcomes x deals.
 * Returns 0; -1 when the memory to work in (stud 30 MB, hold'em 88 MB) can't be had or qualify is not 1..7462,
 * and then nothing was written.
 */
int pycs_stud_sweep(uint16_t qualify, uint32_t *counts);
int pycs_holdem_sweep(uint16_t qualify, uint32_t *counts);

/*
 * One decision of a player who knows more cards than a deal shows. dealer: cards of the dealer that were seen; stud 1
 * to 5 of them, the upcard among them, hold'em 0 to 2 of his hole cards. dead: cards that are known not to come; stud 0
 * to 41 of them, hold'em 0 to 43. A list without cards may be NULL. The cards left are live = 47 - dealer_cards -
 * dead_cards, and the counts add up to the number of completions. Stud: C(live, 5 - dealer_cards), 4 counts. Hold'em:
 * C(live, 2) for turn and river times C(live - 2, 2 - dealer_cards), 14 counts.
 * Returns 0; -1 when a card does not exist or is there twice, a number of cards is out of its range, or qualify is not
 * 1..7462, and then nothing was written.
 */

/* The obvious road: walks all completions card by card, ranks and compares each one. */
int pycs_stud_walk_known(const uint8_t hand[5], const uint8_t *dealer, int dealer_cards, const uint8_t *dead,
                         int dead_cards, uint16_t qualify, uint64_t counts[4]);
int pycs_holdem_walk_known(const uint8_t deal[5], const uint8_t *dealer, int dealer_cards, const uint8_t *dead,
                           int dead_cards, uint16_t qualify, uint64_t counts[14]);

/* The same counts by ranks and multiplicities, quicker. */
int pycs_stud_count_known(const uint8_t hand[5], const uint8_t *dealer, int dealer_cards, const uint8_t *dead,
                          int dead_cards, uint16_t qualify, uint64_t counts[4]);
int pycs_holdem_count_known(const uint8_t deal[5], const uint8_t *dealer, int dealer_cards, const uint8_t *dead,
                            int dead_cards, uint16_t qualify, uint64_t counts[14]);

/*
 * The last exchange. The player keeps some of his cards (0 to 4) and draws up to five again. He sees some of the
 * dealer's (1 to 5, the upcard among them) and knows the dead ones: those given up now or earlier, other boxes', and so
 * on. Every draw out of the live cards is followed by every completion of the dealer's hand. The player folds or calls
 * the new hand, whichever has the higher total of nets over its completions; he folds when they are equal.
 * nets: of fold, not qualified, push, loss, then of a win by the new hand's category from high card to royal flush;
 * each below 2^31 in size.
 * counts: by the new hand's category, the pairs of draw and completion that end in: fold, not qualified, win, push,
 * loss. They add up to choose(live, drawn) x choose(live - drawn, the dealer's cards to come).
 * Returns 0; -1 for a card that does not exist or comes twice, a number out of its range, too few cards left, or when
 * the memory to work in (115 KB) can't be had, and then nothing was written.
 */
int pycs_stud_exchange(const uint8_t *kept, int kept_cards, const uint8_t *dealer, int dealer_cards,
                       const uint8_t *dead, int dead_cards, uint16_t qualify, const int64_t nets[14],
                       uint64_t counts[10][5]);

/* The same by the obvious road, card by card: some ten nanoseconds for each pair of draw and completion. */
int pycs_stud_exchange_plain(const uint8_t *kept, int kept_cards, const uint8_t *dealer, int dealer_cards,
                             const uint8_t *dead, int dead_cards, uint16_t qualify, const int64_t nets[14],
                             uint64_t counts[10][5]);

/*
 * An exchange that has one more after it: what each new hand of five is worth, kept, and given up too. The player sees
 * some of the dealer's cards (1 to 5) and knows the dead ones, all those given up so far among them. The rows are the
 * choose(live, 5) hands out of the live = 52 - dealer_cards - dead_cards cards left, in the lexicographic order of the
 * combinations of the ascending cards (card 0 is the lowest).
 * nets: as in pycs_stud_exchange, without any fee.
 * stay: the larger of the totals of a fold and of a call of the row's hand, over its completions, of which there are
 * choose(live - 5, 5 - dealer_cards).
 * again: the total of nets of giving it up as well: what pycs_stud_exchange counts with no card kept and the row's hand
 * dead, over its pairs = completions x choose(live - 10 + dealer_cards, 5) pairs of draw and completion.
 * least_gain: in millionths of the unit of nets. Where again / pairs - stay / completions is sure to be no more than
 * that, again may be INT64_MIN instead; each other again is exact. With the fee less some tolerance for least_gain,
 * what is left out falls short of the fee by the tolerance or more. INT64_MIN: nothing is left out.
 *
 * Returns 0; -1 for a card that does not exist or comes twice, a number out of its range, fewer cards left than for two
 * hands and the dealer's, a net not smaller in size than 2^31 and than 2^61 / pairs (rounded down), or when the memory
 * to work in (some 10 MB; 40 MB where the dealer's flushes would qualify by their ranks alone) can't be had, and then
 * nothing was written.
 */
int pycs_stud_exchange_again(const uint8_t *dealer, int dealer_cards, const uint8_t *dead, int dead_cards,
                             uint16_t qualify, const int64_t nets[14], int64_t least_gain, int64_t *stay,
                             int64_t *again);

/*
 * The last exchange of all five cards, for every canonical deal whose upcard is of one rank, 0 to 12: five new cards
 * out of the 46 not seen, then fold or call; the five old ones are dead. Of each deal there are 1,370,754 new hands and
 * for each 101,270 completions: so many pairs.
 * qualify, nets: as in pycs_stud_exchange, without any fee, but each net is at most PYCS_STUD_LARGEST_NET in size; only
 * that of a fold may be below, down to those of pycs_stud_exchange, and then each new hand is called.
 * totals: by the canonical index, the total of nets over all pairs. called: how many of the pairs are of a new hand
 * that is called. Both have an entry for each of the PYCS_STUD_DEALS, and those with other upcards are left as they
 * are: thirteen calls fill both, and they may run at once.
 * It takes twice the time and memory where totals may reach 2^42, as with a net of 32 for a fold, a loss or a pair.
 * Returns 0; -1 for a rank that does not exist, qualify or a net out of its range, or when the memory to work in (some
 * 10 MB; 40 MB where the dealer's flushes would qualify by their ranks alone) can't be had, and then nothing was
 * written.
 */
#define PYCS_STUD_LARGEST_NET 16000000
int pycs_stud_exchange_sweep(int up_rank, uint16_t qualify, const int64_t nets[14], int64_t *totals, int64_t *called);

/*
 * Random words of xoshiro256**. A stream is its state: four words, not all zero. start: the stream of a seed, by
 * SplitMix64. jump: 2^128 words on, so that streams of one seed, so many jumps apart, never meet. words: the next ones,
 * after which the stream stands behind them.
 */
void pycs_random_start(uint64_t seed, uint64_t stream[4]);
void pycs_random_jump(uint64_t stream[4]);
void pycs_random_words(uint64_t stream[4], int64_t count, uint64_t *words);

/*
 * Simulated rounds, dealt one after the other from a stream, decided by a strategy and settled. Each round shuffles a
 * deck in order from card 0 to 51, as csrc/random.h tells, by one word of the stream.
 * Stud: ten cards, the player's five, the upcard, then four more of the dealer's. Where an exchange is on offer, five
 * further places of the deck are shuffled for it in every round, whether it takes place or not, by one word of the
 * stream one long jump (2^192 words) on: so a round's cards hang on the stream and its number, never on the play.
 * Hold'em: nine cards, the player's two, the board's five with the flop first, the dealer's two.
 *
 * by_deal: the action in each canonical deal: 0 fold, 1 call, 2 exchange. by_strength (7463 x 13): the action in all
 * deals of that strength of the player's five cards and that rank of the upcard; 3 where it is not one alone.
 * gives_up: by canonical deal, the place of the one card that an exchange gives up, 0 for the highest; NULL: all five.
 * New cards come to the places of the old ones, in order. nets: as in pycs_stud_exchange; NULL: no exchange is on
 * offer, and where by_deal says so the hand is folded. The new hand is folded or called, whichever has the higher total
 * of nets over all completions that the cards in sight and the dead ones leave; folded when they are equal.
 * counts: what the rounds are added to, by whether an exchange was made (stud), by the end, and by the category of the
 * player's final hand, 0 to 9. Ends: a fold; the dealer does not qualify, and the player is better, equal, worse; he
 * does, and the player wins, ties, loses.
 * cards: NULL, or a row for each round. Stud: 15, the player's final five, the dealer's five with the upcard first, the
 * cards given up, each where it stood in the hand, and 255 for those that were kept. Hold'em: 9, as they are dealt.
 * actions: NULL, or the last action of each. Both are there or neither is. Returns 0; -1 when rounds is negative or
 * qualify is not 1..7462, and then nothing was written.
 */
int pycs_stud_simulate(const uint64_t stream[4], int64_t rounds, uint16_t qualify, const uint8_t *by_strength,
                       const uint8_t *by_deal, const uint8_t *gives_up, const int64_t *nets, uint64_t counts[2][7][10],
                       uint8_t *cards, uint8_t *actions);
int pycs_holdem_simulate(const uint64_t stream[4], int64_t rounds, uint16_t qualify, const uint8_t *by_deal,
                         uint64_t counts[7][10], uint8_t *cards, uint8_t *actions);

#endif
