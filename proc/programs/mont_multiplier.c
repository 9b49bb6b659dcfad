#include "mont_multiplier.h"

/* Montgomery's reduction (algorithm 2, REDC). The sum has 65 bits. A function of its own, as in the
 * document's algorithm 3, which applies it to products and to single numbers. */
__attribute__((noinline)) static uint32_t reduce_product(const struct mont_multiplier *multiplier,
                                                         uint64_t product)
{
  uint64_t below_r = multiplier->r - 1;
  uint64_t factor = (product & below_r) * multiplier->negated_inverse & below_r;
  uint64_t sum = product + factor * multiplier->modulus;
  uint64_t quotient = (uint64_t)(sum < product) << 32 | sum >> 32;
  return quotient >= multiplier->modulus ? quotient - multiplier->modulus : quotient;
}

/* The two constants of equation 5, R * r_inverse - modulus * negated_inverse = 1, by the extended
 * Euclidean algorithm. As in the document, they are then increased by the modulus and by R until
 * both are in range. */
static void find_inverses(struct mont_multiplier *multiplier)
{
  int64_t modulus = multiplier->modulus, r = multiplier->r;
  int64_t a = r, b = modulus;
  int64_t r_in_a = 1, r_in_b = 0, modulus_in_a = 0, modulus_in_b = 1;
  while (b != 0) {
    int64_t quotient = a / b;
    __asm__("" : "+r"(quotient)); /* gcc would replace the next product by a second division */
    int64_t next = a - quotient * b;
    a = b, b = next;
    next = r_in_a - quotient * r_in_b;
    r_in_a = r_in_b, r_in_b = next;
    next = modulus_in_a - quotient * modulus_in_b;
    modulus_in_a = modulus_in_b, modulus_in_b = next;
  }
  int64_t negated = -modulus_in_a;
  while (r_in_a < 0 || negated < 0)
    r_in_a += modulus, negated += r;
  multiplier->r_inverse = r_in_a;
  multiplier->negated_inverse = negated;
}

void construct(struct mont_multiplier *multiplier, uint64_t modulus, uint64_t r)
{
  uint64_t r_below_modulus = r % modulus;
  multiplier->modulus = modulus;
  multiplier->r = r;
  find_inverses(multiplier);
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
