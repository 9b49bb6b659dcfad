/* Division of two words by one, from divisions of 32 by 16 bits, which the processor has.
 *
 * The divisor is normalized: its most significant bit is 1. The high word of the dividend is below
 * the divisor. */
#ifndef REMAINDER_H
#define REMAINDER_H

#include <stdint.h>

struct division {
  uint32_t quotient;
  uint32_t remainder;
};

/* One half of the quotient: (rest * 2**16 + half) / divisor. The estimate from the divisor's high
 * half is at most two too large. */
static inline struct division divide_half(uint32_t rest, uint32_t half, uint32_t divisor)
{
  uint32_t high = divisor >> 16;
  uint32_t quotient = rest / high;
  /* Hides from gcc that the quotient comes from a division: otherwise gcc would compute the
   * remainder by a second division. */
  __asm__("" : "+r"(quotient));
  uint32_t partial = (rest - quotient * high) << 16 | half;
  uint32_t product = quotient * (divisor & 0xffff);
  if (partial < product) {
    quotient--;
    partial += divisor;
    /* If the sum has wrapped around, it is large enough: only one correction is needed. */
    if (partial >= divisor && partial < product) {
      quotient--;
      partial += divisor;
    }
  }
  return (struct division){quotient, partial - product};
}

static inline struct division divide_normalized(uint32_t high, uint32_t low, uint32_t divisor)
{
  struct division upper = divide_half(high, low >> 16, divisor);
  struct division lower = divide_half(upper.remainder, low & 0xffff, divisor);
  return (struct division){upper.quotient << 16 | lower.quotient, lower.remainder};
}

static inline uint32_t remainder_normalized(uint32_t high, uint32_t low, uint32_t divisor)
{
  return divide_normalized(high, low, divisor).remainder;
}

/* Number of bits by which a value, not 0, is shifted to the left to be normalized. */
static inline uint32_t leading_zeros(uint32_t value)
{
  uint32_t count = 0;
  for (uint32_t step = 16; step > 0; step >>= 1) {
    if (value >> (32 - step) == 0) {
      value <<= step;
      count += step;
    }
  }
  return count;
}

#endif
