/* Constants of a modulus that an accelerator needs from its host.
 *
 * formulas.py writes compute_constants when a driver is built: a call of a function below for each
 * operation of a formula. A driver without such constants has none of this code. */
#ifndef CONSTANTS_H
#define CONSTANTS_H

#include <stdint.h>

#include "modexp.h"

/* Length of the longest intermediate value. */
#define MAX_NUMBER_WORDS (4 * MAX_WORDS)

/* A number without leading zero words; 0 has no words. */
struct number {
  uint32_t words;
  const uint32_t *word;
};

/* Space of the constants (link.ld), and number of words to hand over. */
extern uint32_t constants[];
extern uint32_t constant_words;

/* Compute the constants of the modulus in the operands, one after the other. Each is padded to a
 * word more than the accelerator's operands have (at most MAX_WORDS), or to as many words as the
 * widest constant needs. Returns the number of words.
 *
 * The constants of a modulus that is 0 or longer than the accelerator's operands are zeros: it will
 * be refused. If a constant is longer than declared, or than its space, none is computed: the
 * accelerator will report missing constants. */
uint32_t compute_constants(uint32_t *place, const struct operands *operands,
                           uint32_t accelerator_words);

/* Compute the constants that the program hands over. Returns the number of words. */
static inline uint32_t keep_constants(const struct operands *operands, uint32_t accelerator_words)
{
  /* A wider accelerator has constants for which there is no space: it reports missing constants. */
  if (accelerator_words <= MAX_WORDS)
    constant_words = compute_constants(constants, operands, accelerator_words);
  return constant_words;
}

/* Set the modulus of the functions below; returns 0 if it has no constants. */
int choose_modulus(const struct operands *operands, uint32_t accelerator_words);

/* Set the modulus to a half of a modulus; each half is padded to half_words words. */
int choose_half(const struct operands *operands, uint32_t half, uint32_t half_words);

/* Whether both halves are odd, at least 3, of at most half_nbits bits, and nothing is above
 * them. */
int halves_fit(const struct operands *operands, uint32_t half_words, uint32_t half_nbits);

/* A half as a number; the space has half_words words. */
struct number half_of(uint32_t *space, const struct operands *operands, uint32_t half,
                      uint32_t half_words);

/* Operations, for any modulus from 1 on. The space holds the longest result of the operation. */

/* 2**exponent mod m. */
struct number power_of_two(uint32_t *space, uint32_t exponent);

/* floor(2**exponent / m). */
struct number reciprocal(uint32_t *space, uint32_t exponent);

/* -m**-1 mod 2**nbits; for an even modulus, which has no inverse, any number of nbits bits. */
struct number negated_inverse(uint32_t *space, uint32_t nbits);

/* a * b; the space has as many words as a and b together. */
struct number product_of(uint32_t *space, struct number a, struct number b);

/* a mod m. */
struct number remainder_of(uint32_t *space, struct number a);

/* a**-1 mod m for an odd modulus and a below it; 0 if they share a factor. */
struct number inverse_modulo(uint32_t *space, struct number a);

/* Write a constant to its place, whose words are zeros; returns 0 if the constant has more than
 * nbits bits, or more words than the place. */
int put_constant(uint32_t *place, uint32_t words, struct number value, uint32_t nbits);

#endif
