/*
 * Random numbers: xoshiro256** (Blackman and Vigna, Scrambled Linear Pseudorandom Number Generators, 2021), and a
 * shuffle whose dice all come out of one word (Brackett-Rozinsky and Lemire, Batched Ranged Random Integer Generation,
 * 2024).
 */
#ifndef PYCS_RANDOM_H
#define PYCS_RANDOM_H

#include <stdint.h>
#include <string.h>

typedef struct {
    uint64_t s[4];
} pycs_stream;

static inline uint64_t pycs_rotated(uint64_t word, int left) { return word << left | word >> (64 - left); }

static inline uint64_t pycs_next_word(pycs_stream *stream) {
    uint64_t *const s = stream->s;
    const uint64_t word = pycs_rotated(s[1] * 5, 7) * 9, shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = pycs_rotated(s[3], 45);
    return word;
}

/* 2^128 words on, and 2^192. */
void pycs_jump(pycs_stream *stream);
void pycs_long_jump(pycs_stream *stream);

static inline void pycs_order_deck(uint8_t deck[52]) {
    static const uint8_t ordered[52] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17,
                                        18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35,
                                        36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51};
    memcpy(deck, ordered, sizeof ordered);
}

/*
 * Fisher and Yates: the deck's places from first on, so many of them, each get one of the cards from there to the end,
 * all as likely. So the die at place p has 52 - p faces, and all of the dice are digits of one word: times the faces of
 * the first die, what is carried out of 64 bits is the first die; what stays, times the faces of the second, carries
 * the second; and so on. A word whose last rest is below 2^64 modulo the product of all faces is drawn again: then
 * each outcome has equally many words. The product must fit 64 bits: up to 10 places from the first on do, with 1 word
 * in 300 drawn again at most.
 * The cards go to dealt; those that are left stand in the deck from place first + places on.
 */
static inline void pycs_shuffle(pycs_stream *stream, uint8_t deck[52], int first, int places, uint8_t *dealt) {
    uint64_t outcomes = 1;
    for (int place = 0; place < places; place++) {
        outcomes *= (uint64_t)(52 - first - place);
    }
    const uint64_t least = -outcomes % outcomes;
    uint32_t dice[10];
    uint64_t rest;
    do {
        rest = pycs_next_word(stream);
        for (int place = 0; place < places; place++) {
            const uint64_t faces = (uint64_t)(52 - first - place);
            dice[place] = (uint32_t)(((rest >> 32) * faces + ((rest & UINT32_MAX) * faces >> 32)) >> 32);
            rest *= faces;
        }
    } while (rest < least);
    deck += first;
    for (int place = 0; place < places; place++) {
        uint8_t *const drawn = deck + place + dice[place];
        dealt[place] = *drawn;
        *drawn = deck[place];
    }
}

#endif
