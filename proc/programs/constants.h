/* Constants of a modulus that an accelerator needs from its host.
 *
 * formulas.py writes a table of steps, and the loader puts it behind this code: each step is one
 * operation of a formula, or hands a result over. A driver without such constants has none of this
 * code. A modulus that is one number is public: constants.c takes the fastest way. A modulus of two
 * halves is secret: in half_constants.c, time and addresses depend only on the lengths of the
 * halves. */
#ifndef CONSTANTS_H
#define CONSTANTS_H

#include <stdint.h>

#include "modexp.h"

/* Length of the longest intermediate value. */
#define MAX_NUMBER_WORDS (4 * MAX_WORDS)

/* Space of the constants (link.ld), and number of their words, which the driver hands over. */
extern uint32_t constants[];
extern uint32_t constant_words;

/* A number. If it is not secret, it has no leading zero words, and 0 has no words. */
struct number {
  uint32_t words;
  const uint32_t *word;
};

/* Operations of steps, in the order of formulas.py. m is the modulus, from 1 on, or the half of the
 * modulus that was chosen. */
enum operation {
  PUT,             /* a is the next constant, of `number` bits */
  POWER_OF_TWO,    /* 2**number mod m */
  RECIPROCAL,      /* floor(2**number / m) */
  NEGATED_INVERSE, /* -m**-1 mod 2**number; for an even m, any number of so many bits */
  PRODUCT_OF,      /* a * b */
  REMAINDER_OF,    /* a mod m */
  CHOOSE_HALF,     /* m is half 0, which is p, or half 1, which is q */
  RECOMBINATION    /* 2**number / q mod p, or 0 if p and q share a factor; m is p from then on.
                      The number is at least the halves' greatest length in bits. */
};

struct step {
  uint32_t operation;
  uint32_t number;
  struct step *a, *b;
  uint32_t *space; /* for the longest result */
  struct number result;
};

/* The table; its addresses are those of the program that it belongs to. */
struct formulas {
  uint32_t on_bus;                /* whether the accelerator is on the bus */
  uint32_t above_exponents_nbits; /* of halves: bits of their exponents above those of the modulus */
  uint32_t half_words, half_nbits; /* of halves: length of each, with and without padding */
  uint32_t *constants, *constant_words;
  uint32_t count;      /* constants */
  uint32_t least_each; /* words of the widest constant */
  uint32_t steps;
  struct step step[];
};

extern struct formulas formulas;

/* Set the modulus of the operations. Returns 0 if the accelerator will refuse it: it is 0 or too
 * long; or a half is even, below 3 or too long, or the modulus has words above the halves. */
int choose_modulus(const struct operands *operands, uint32_t accelerator_words);

/* The result of a step. */
struct number result_of(const struct step *step, const struct operands *operands);

#endif
