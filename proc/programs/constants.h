/* Constants of a modulus that an accelerator needs from its host.
 *
 * When a driver is built, formulas.py writes compute_constants: it calls one of the functions below
 * for each operation of a formula. A driver without such constants has none of this code. A modulus
 * that is one number is public: constants.c takes the fastest way. A modulus of two halves is secret:
 * in half_constants.c, time and addresses depend only on the lengths of the halves. */
#ifndef CONSTANTS_H
#define CONSTANTS_H

#include <stdint.h>

#include "modexp.h"

/* Length of the longest intermediate value. */
#define MAX_NUMBER_WORDS (4 * MAX_WORDS)

/* A number. If it is not secret, it has no leading zero words, and 0 has no words. */
struct number {
  uint32_t words;
  const uint32_t *word;
};

/* Space of the constants (link.ld), and number of their words, which the driver hands over. */
extern uint32_t constants[];
extern uint32_t constant_words;

/* Compute the constants of the modulus in the operands and write them to `place`, one after the
 * other. Each is padded with zeros to the same length: one word more than the accelerator's
 * operands have (accelerator_words, at most MAX_WORDS), or the words of the widest constant if
 * these are more. Returns the number of words of all constants.
 *
 * If the modulus is 0 or longer than the accelerator's operands, the constants are zeros: the
 * accelerator will refuse the modulus. If a constant is longer than declared, or than its space,
 * the function returns 0: the accelerator will report missing constants. */
uint32_t compute_constants(uint32_t *place, const struct operands *operands,
                           uint32_t accelerator_words);

/* Compute the constants into the space `constants`. Returns the number of words to hand over. */
static inline uint32_t keep_constants(const struct operands *operands, uint32_t accelerator_words)
{
  /* For a wider accelerator there is no space: without constants, it reports missing constants. */
  if (accelerator_words <= MAX_WORDS)
    constant_words = compute_constants(constants, operands, accelerator_words);
  return constant_words;
}

/* Write a constant to its place, whose words are zeros; returns 0 if the constant has more than
 * nbits bits, or more words than the place. The time depends on lengths only. */
static inline int put_constant(uint32_t *place, uint32_t words, struct number value, uint32_t nbits)
{
  uint32_t above = 0;
  for (uint32_t i = 0; i < value.words; i++) {
    uint32_t word = value.word[i];
    if (i >= words || i >= nbits / 32)
      above |= i < words && i == nbits / 32 ? word >> nbits % 32 : word;
    if (i < words)
      place[i] = word;
  }
  return above == 0;
}

/* Operations for a modulus m that is one number, from 1 on. Each writes its result to `space`, which
 * is large enough for the longest result. */

/* Set the modulus of the operations; returns 0 if it is 0 or too long. */
int choose_modulus(const struct operands *operands, uint32_t accelerator_words);

/* 2**exponent mod m; also for a half. */
struct number power_of_two(uint32_t *space, uint32_t exponent);

/* floor(2**exponent / m). */
struct number reciprocal(uint32_t *space, uint32_t exponent);

/* -m**-1 mod 2**nbits; for an even modulus, which has no inverse, any number of nbits bits. */
struct number negated_inverse(uint32_t *space, uint32_t nbits);

/* a * b; the space has as many words as a and b together. */
struct number product_of(uint32_t *space, struct number a, struct number b);

/* a mod m. */
struct number remainder_of(uint32_t *space, struct number a);

/* Operations for a modulus of two halves, p and q, each padded to half_words words. If the operands
 * are too short for a half, the half is 0: the memory behind the modulus is 0. */

/* Whether both halves are odd, at least 3 and of at most half_nbits bits, and all words of the
 * modulus above the halves are 0. The operations below need such halves. */
int halves_fit(const struct operands *operands, uint32_t half_words, uint32_t half_nbits);

/* Set the modulus of power_of_two: half 0, which is p, or half 1, which is q. */
void choose_half(const struct operands *operands, uint32_t half, uint32_t half_words);

/* 2**exponent / q mod p, or 0 if p and q share a factor. The exponent is at least that of the
 * halves' greatest length in bits. The modulus is p from then on. */
struct number recombination(uint32_t *space, const struct operands *operands, uint32_t half_words,
                            uint32_t exponent);

#endif
