/* Software alone, for comparison: squares and products, from the lowest bit of the exponent. */
#include "modexp.h"
#include "words.h"

uint32_t check_operands(const struct operands *operands)
{
  return check_rules(operands, 0);
}

/* A product of 16 bits each fits a word, of which the processor's own instruction divides. */
static uint32_t remainder_of(uint32_t a, uint32_t b, uint32_t modulus)
{
  return modulus >> 16 ? (uint64_t)a * b % modulus : a * b % modulus;
}

/* Operands of one word. */
struct answer modexp_word(uint32_t base, uint32_t exponent, uint32_t modulus)
{
  uint32_t result = 1;
  for (; exponent != 0; exponent >>= 1) {
    if (exponent & 1)
      result = remainder_of(result, base, modulus);
    base = remainder_of(base, base, modulus);
  }
  return (struct answer){OK, result};
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
    multiply_modulo(base, base, base);
  }
  return OK;
}
