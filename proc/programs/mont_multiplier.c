#include "mont_multiplier.h"

/* Montgomery's reduction (algorithm 2). The sum has 65 bits. */
static uint32_t reduce_product(const struct mont_multiplier *multiplier, uint64_t product)
{
  uint64_t below_r = multiplier->r - 1;
  uint64_t factor = (product & below_r) * multiplier->negated_inverse & below_r;
  uint64_t sum = product + factor * multiplier->modulus;
  uint64_t quotient = (uint64_t)(sum < product) << 32 | sum >> 32;
  return quotient >= multiplier->modulus ? quotient - multiplier->modulus : quotient;
}

/* Return the inverse of the modulus modulo R, by the extended Euclidean algorithm. Only the
 * coefficient of the modulus is computed; the coefficient of R is not needed. */
static int64_t inverse_of(uint64_t modulus, uint64_t r)
{
  uint64_t a = r, b = modulus;
  int64_t of_a = 0, of_b = 1;
  while (b != 0) {
    uint64_t quotient = a / b;
    uint64_t rest = a - quotient * b;
    int64_t of_rest = of_a - quotient * of_b;
    a = b, of_a = of_b;
    b = rest, of_b = of_rest;
  }
  return of_a;
}

void construct(struct mont_multiplier *multiplier, uint64_t modulus, uint64_t r)
{
  int64_t negated = -inverse_of(modulus, r);
  uint64_t r_below_modulus = r % modulus;
  multiplier->modulus = modulus;
  multiplier->r = r;
  multiplier->negated_inverse = negated < 0 ? negated + (int64_t)r : negated;
  multiplier->r_squared = r_below_modulus * r_below_modulus % modulus;
}

uint32_t convert_in(const struct mont_multiplier *multiplier, uint32_t value)
{
  return reduce_product(multiplier, value * multiplier->r_squared);
}

uint32_t montgomery_multiply(const struct mont_multiplier *multiplier, uint32_t a, uint32_t b)
{
  return reduce_product(multiplier, (uint64_t)a * b);
}

uint32_t convert_out(const struct mont_multiplier *multiplier, uint32_t residue)
{
  return reduce_product(multiplier, residue);
}
