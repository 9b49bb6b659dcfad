/* Constants of a modulus that an accelerator asks of its host.
 *
 * formulas.py writes compute_constants when a driver is built, of calls of the functions below: one
 * for each operation of a formula. Where an accelerator asks for none, none of this is in its
 * driver. */
#ifndef CONSTANTS_H
#define CONSTANTS_H

#include <stdint.h>

#include "modexp.h"

/* Length of the longest number on the way to a constant. */
#define MAX_NUMBER_WORDS (4 * MAX_WORDS)

/* A number without leading zero words; 0 has none. */
struct number {
  uint32_t words;
  const uint32_t *word;
};

/* Where the program keeps the constants (link.ld), and how many words of them it hands over. */
extern uint32_t constants[];
extern uint32_t constant_words;

/* Compute the constants of the modulus that the operands describe, one after the other, each padded
 * to a word more than the accelerator's operands have, which are at most MAX_WORDS long, or to as
 * many words as the widest constant needs. Gives the number of words.
 *
 * A modulus that is 0 or longer than the accelerator's operands has zeros: it will be refused.
 * Where a constant is longer than declared, or than its place, none is given: the accelerator will
 * miss them. */
uint32_t compute_constants(uint32_t *place, const struct operands *operands,
                           uint32_t accelerator_words);

/* Let the program hand these constants over. Gives the number of words. */
static inline uint32_t keep_constants(const struct operands *operands, uint32_t accelerator_words)
{
  /* A wider accelerator has constants for which there is no space: it will miss them. */
  if (accelerator_words <= MAX_WORDS)
    constant_words = compute_constants(constants, operands, accelerator_words);
  return constant_words;
}

/* Choose the modulus of the functions below; 0 if it has no constants. */
int choose_modulus(const struct operands *operands, uint32_t accelerator_words);

/* The same of a modulus that is two, each of them padded to so many words. */
int choose_half(const struct operands *operands, uint32_t half, uint32_t half_words);

/* Whether both halves are odd numbers from 3 on, of at most so many bits, and there is no more. */
int halves_fit(const struct operands *operands, uint32_t half_words, uint32_t half_nbits);

/* A half as a number; the space has half_words words. */
struct number half_of(uint32_t *space, const struct operands *operands, uint32_t half,
                      uint32_t half_words);

/* The operations, for any modulus from 1 on. The space holds the longest result that they can have. */

/* 2**exponent mod m. */
struct number power_of_two(uint32_t *space, uint32_t exponent);

/* floor(2**exponent / m). */
struct number reciprocal(uint32_t *space, uint32_t exponent);

/* -m**-1 mod 2**nbits; of an even modulus, which has none, any number of so many bits. */
struct number negated_inverse(uint32_t *space, uint32_t nbits);

/* a * b; the space has as many words as both together. */
struct number product_of(uint32_t *space, struct number a, struct number b);

/* a mod m. */
struct number remainder_of(uint32_t *space, struct number a);

/* a**-1 mod m of an odd modulus, and a number below it; 0 where they share a factor. */
struct number inverse_modulo(uint32_t *space, struct number a);

/* Write a constant to its place, of so many words, which are zeros; 0 if it has more than nbits
 * bits or words. */
int put_constant(uint32_t *place, uint32_t words, struct number value, uint32_t nbits);

#endif
