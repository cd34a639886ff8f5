/* Cards and buffers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pycs.h"
#include "tests.h"

void *room_for(size_t count, size_t size) {
    void *const room = malloc(count * size);
    if (room == NULL && count > 0) {
        printf("no memory\n");
        exit(1);
    }
    return room;
}

static uint64_t random_state = UINT64_C(0x9E3779B97F4A7C15);

/* Marsaglia's xorshift, 64 bits. */
uint32_t random_below(uint32_t bound) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)((random_state >> 32) * bound >> 32);
}

void draw(uint8_t *cards, int count, int suits) {
    uint64_t taken = 0;
    for (int i = 0; i < count;) {
        const uint32_t card = 4 * random_below(13) + random_below((uint32_t)suits);
        if (!(taken >> card & 1)) {
            taken |= UINT64_C(1) << card;
            cards[i++] = (uint8_t)card;
        }
    }
}

void parse(const char *text, uint8_t *cards) {
    static const char ranks[] = "23456789TJQKA", suits[] = "cdhs";
    for (; *text; text += 2) {
        *cards++ = (uint8_t)(4 * (strchr(ranks, text[0]) - ranks) + (strchr(suits, text[1]) - suits));
    }
}

uint16_t strength_of(const char *text) {
    uint8_t cards[5];
    uint16_t strength = 0;
    parse(text, cards);
    CHECK(pycs_rank_hands(cards, 1, 5, &strength) == 1, "%s", text);
    return strength;
}

int next_choice(uint8_t *cards, int count) {
    int i = count - 1;
    while (i >= 0 && cards[i] == 52 - count + i) {
        i--;
    }
    if (i < 0) {
        return 0;
    }
    for (cards[i]++; i + 1 < count; i++) {
        cards[i + 1] = (uint8_t)(cards[i] + 1);
    }
    return 1;
}

int spoil(uint8_t *cards, int count, int place, int way) {
    static const uint8_t no_cards[] = {52, 255};
    const int other = way - 2;
    if (other == place || other >= count) {
        return 0;
    }
    cards[place] = other < 0 ? no_cards[way] : cards[other];
    return 1;
}
