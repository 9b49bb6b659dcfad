/* Software: right-to-left binary exponentiation, a division after each product. */
#include "modexp.h"
#include "remainder.h"
#include "words.h"

uint32_t check_operands(const struct operands *operands)
{
  return check_rules(operands, 0);
}

/* The modulus is shifted once to be normalized, and residues are kept shifted by as many places.
 * The product of a shifted residue and an unshifted residue is a shifted product, so only one
 * factor has to be shifted back. */
struct answer modexp_word(uint32_t base, uint32_t exponent, uint32_t modulus)
{
  uint32_t shift = leading_zeros(modulus);
  uint32_t divisor = modulus << shift;
  uint32_t result = 1u << shift;
  base <<= shift;
  while (exponent != 0) {
    uint32_t plain = base >> shift;
    if (exponent & 1) {
      uint64_t product = (uint64_t)result * plain;
      result = remainder_normalized(product >> 32, product, divisor);
    }
    exponent >>= 1;
    if (exponent == 0)
      break;
    uint64_t square = (uint64_t)base * plain;
    base = remainder_normalized(square >> 32, square, divisor);
  }
  return (struct answer){OK, result >> shift};
}

static uint32_t base[MAX_WORDS];
static uint32_t product[2 * MAX_WORDS];
static struct divisor divisor;

static void multiply_modulo(uint32_t *result, const uint32_t *a, const uint32_t *b)
{
  multiply(product, a, b, divisor.words);
  reduce(result, product, 2 * divisor.words, &divisor);
}

uint32_t modexp_words(uint32_t *result, const struct operands *operands)
{
  uint32_t words = operands->words;
  uint32_t used = used_words(operands->modulus, words);
  prepare_divisor(&divisor, operands->modulus, used);
  copy(base, operands->base, used);
  clear(result, words);
  result[0] = 1;
  uint32_t bits = bit_length(operands->exponent, words);
  for (uint32_t i = 0; i < bits; i++) {
    if (operands->exponent[i / 32] >> i % 32 & 1)
      multiply_modulo(result, result, base);
    if (i + 1 < bits)
      multiply_modulo(base, base, base);
  }
  return OK;
}
