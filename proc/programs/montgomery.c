/* Software: right-to-left binary exponentiation with Montgomery products; R = 2**32 for one word,
 * 2**(32 * words) for more. The conversions use R**2 mod the modulus. */
#include "inverse.h"
#include "modexp.h"
#include "remainder.h"
#include "words.h"

uint32_t check_operands(const struct operands *operands)
{
  return check_rules(operands, 1);
}

/* a * b / R mod modulus. The multiple of the modulus is subtracted rather than added, so that the
 * low words cancel without a carry. */
static inline uint32_t montgomery_product(uint32_t a, uint32_t b, uint32_t modulus,
                                          uint32_t inverted)
{
  uint64_t product = (uint64_t)a * b;
  uint32_t high = product >> 32;
  uint32_t factor = (uint32_t)product * inverted;
  uint32_t multiple = (uint64_t)factor * modulus >> 32;
  uint32_t difference = high - multiple;
  return high < multiple ? difference + modulus : difference;
}

struct answer modexp_word(uint32_t base, uint32_t exponent, uint32_t modulus)
{
  uint32_t inverted = inverse(modulus);
  uint32_t shift = leading_zeros(modulus);
  uint32_t result = -modulus % modulus; /* R mod modulus: 1 in Montgomery form */
  uint32_t r_squared = remainder_normalized(result << shift, 0, modulus << shift) >> shift;
  base = montgomery_product(base, r_squared, modulus, inverted);
  while (exponent != 0) {
    if (exponent & 1)
      result = montgomery_product(result, base, modulus, inverted);
    exponent >>= 1;
    base = montgomery_product(base, base, modulus, inverted);
  }
  return (struct answer){OK, montgomery_product(result, 1, modulus, inverted)};
}

static uint32_t base[MAX_WORDS];
static uint32_t r_squared[2 * MAX_WORDS + 1];
static uint32_t one[MAX_WORDS];
static uint32_t sum[MAX_WORDS + 2];
static struct divisor divisor;

/* Coarsely integrated operand scanning: for each word of a, add its product, then reduce by a
 * word. */
static void montgomery_multiply(uint32_t *result, const uint32_t *a, const uint32_t *b,
                                const uint32_t *modulus, uint32_t negated, uint32_t words)
{
  clear(sum, words + 2);
  for (uint32_t i = 0; i < words; i++) {
    uint32_t carry = add_multiple(sum, b, a[i], words);
    uint32_t top = sum[words] + carry;
    sum[words + 1] = top < carry;
    sum[words] = top;
    uint32_t factor = sum[0] * negated;
    uint64_t low = (uint64_t)factor * modulus[0] + sum[0];
    carry = low >> 32;
    for (uint32_t j = 1; j < words; j++) {
      uint64_t step = (uint64_t)factor * modulus[j] + sum[j] + carry;
      sum[j - 1] = step;
      carry = step >> 32;
    }
    top = sum[words] + carry;
    sum[words - 1] = top;
    sum[words] = sum[words + 1] + (top < carry);
  }
  if (sum[words] != 0 || compare(sum, modulus, words) >= 0)
    subtract(sum, modulus, words);
  copy(result, sum, words);
}

uint32_t modexp_words(uint32_t *result, const struct operands *operands)
{
  uint32_t words = operands->words;
  const uint32_t *modulus = operands->modulus;
  uint32_t used = used_words(modulus, words);
  uint32_t negated = -inverse(modulus[0]);
  prepare_divisor(&divisor, modulus, used);
  clear(r_squared, 2 * used);
  r_squared[2 * used] = 1;
  reduce(r_squared, r_squared, 2 * used + 1, &divisor);
  clear(one, used);
  one[0] = 1;
  clear(result, words);
  montgomery_multiply(result, one, r_squared, modulus, negated, used);
  montgomery_multiply(base, operands->base, r_squared, modulus, negated, used);
  uint32_t bits = bit_length(operands->exponent, words);
  for (uint32_t i = 0; i < bits; i++) {
    if (operands->exponent[i / 32] >> i % 32 & 1)
      montgomery_multiply(result, result, base, modulus, negated, used);
    if (i + 1 < bits)
      montgomery_multiply(base, base, base, modulus, negated, used);
  }
  montgomery_multiply(result, result, one, modulus, negated, used);
  return OK;
}
