/* Arithmetic on numbers of several words, least significant word first. */
#ifndef WORDS_H
#define WORDS_H

#include <stdint.h>

#include "modexp.h"

/* A modulus prepared for divisions by it. */
struct divisor {
  uint32_t words;                 /* without leading zero words */
  uint32_t shift;                 /* places by which the modulus is shifted to be normalized */
  uint32_t normalized[MAX_WORDS]; /* the shifted modulus */
};

void copy(uint32_t *to, const uint32_t *from, uint32_t words);
void clear(uint32_t *to, uint32_t words);

/* Length without leading zero words, and in bits; 0 for the number 0. */
uint32_t used_words(const uint32_t *number, uint32_t words);
uint32_t bit_length(const uint32_t *number, uint32_t words);

/* Compare: negative, zero or positive if a is below b, equal, or above. */
int compare(const uint32_t *a, const uint32_t *b, uint32_t words);

/* a = a - b; returns the borrow. */
uint32_t subtract(uint32_t *a, const uint32_t *b, uint32_t words);

/* sum = sum + number * factor; returns the carry. */
uint32_t add_multiple(uint32_t *sum, const uint32_t *number, uint32_t factor, uint32_t words);

/* product, of twice as many words, = a * b. */
void multiply(uint32_t *product, const uint32_t *a, const uint32_t *b, uint32_t words);

/* Prepare a modulus for `reduce`. It must be above zero and have no leading zero word. */
void prepare_divisor(struct divisor *divisor, const uint32_t *modulus, uint32_t words);

/* result = number mod divisor. The result has as many words as the divisor; number and result may
 * be the same array. The number has at most 2 * MAX_WORDS + 1 words, and at least as many as the
 * divisor. */
void reduce(uint32_t *result, const uint32_t *number, uint32_t words,
            const struct divisor *divisor);

/* Check the input rules of software exponentiations; returns a status code. */
uint32_t check_rules(const struct operands *operands, int odd_modulus);

#endif
