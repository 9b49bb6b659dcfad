/* Montgomery's multiplication of one word: the functions that McNay's listing 4 calls. The document
 * does not print them; they follow its algorithm 2 and equations 4 to 9, all in 64 bits, with
 * R = 2**32. */
#ifndef MONT_MULTIPLIER_H
#define MONT_MULTIPLIER_H

#include <stdint.h>

struct mont_multiplier {
  uint64_t modulus;
  uint64_t r;
  uint64_t r_inverse;       /* 1 / R mod modulus */
  uint64_t negated_inverse; /* -1 / modulus mod R: N' in the document */
  uint64_t r_squared;       /* R * R mod modulus */
};

/* For an odd modulus of at most 32 bits. */
void construct(struct mont_multiplier *multiplier, uint64_t modulus, uint64_t r);

/* value * R mod modulus. */
uint32_t convert_in(const struct mont_multiplier *multiplier, uint32_t value);

/* a * b / R mod modulus. */
uint32_t montgomery_multiply(const struct mont_multiplier *multiplier, uint32_t a, uint32_t b);

/* residue / R mod modulus. */
uint32_t convert_out(const struct mont_multiplier *multiplier, uint32_t residue);

#endif
