/* Streams of random words, and the jumps between them. */
#include "random.h"

#include "pycs.h"

/* A jump of so many steps is a polynomial in the step, modulo its characteristic one: these are the published ones. */
static void jump_by(pycs_stream *stream, const uint64_t polynomial[4]) {
    pycs_stream sum = {{0, 0, 0, 0}};
    for (int bit = 0; bit < 256; bit++) {
        if (polynomial[bit / 64] >> bit % 64 & 1) {
            for (int i = 0; i < 4; i++) {
                sum.s[i] ^= stream->s[i];
            }
        }
        pycs_next_word(stream);
    }
    *stream = sum;
}

void pycs_jump(pycs_stream *stream) {
    static const uint64_t polynomial[4] = {UINT64_C(0x180ec6d33cfd0aba), UINT64_C(0xd5a61266f0c9392c),
                                           UINT64_C(0xa9582618e03fc9aa), UINT64_C(0x39abdc4529b1661c)};
    jump_by(stream, polynomial);
}

void pycs_long_jump(pycs_stream *stream) {
    static const uint64_t polynomial[4] = {UINT64_C(0x76e15d3efefdcbbf), UINT64_C(0xc5004e441c522fb3),
                                           UINT64_C(0x77710069854ee241), UINT64_C(0x39109bb02acbe635)};
    jump_by(stream, polynomial);
}

/* Four words of SplitMix64, as the authors of the generator advise: never all zero. */
void pycs_random_start(uint64_t seed, uint64_t stream[4]) {
    for (int i = 0; i < 4; i++) {
        seed += UINT64_C(0x9e3779b97f4a7c15);
        uint64_t word = seed;
        word = (word ^ word >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        word = (word ^ word >> 27) * UINT64_C(0x94d049bb133111eb);
        stream[i] = word ^ word >> 31;
    }
}

void pycs_random_jump(uint64_t stream[4]) {
    pycs_stream jumped;
    memcpy(jumped.s, stream, sizeof jumped.s);
    pycs_jump(&jumped);
    memcpy(stream, jumped.s, sizeof jumped.s);
}

void pycs_random_words(uint64_t stream[4], int64_t count, uint64_t *words) {
    pycs_stream drawn;
    memcpy(drawn.s, stream, sizeof drawn.s);
    for (int64_t i = 0; i < count; i++) {
        words[i] = pycs_next_word(&drawn);
    }
    memcpy(stream, drawn.s, sizeof drawn.s);
}
