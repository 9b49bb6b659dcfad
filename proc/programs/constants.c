#include "constants.h"

#include "inverse.h"
#include "words.h"

static uint32_t number[2 * MAX_WORDS + 1];
static struct divisor divisor;

/* result = 2**nbits modulo the divisor. nbits is halved, which drops a bit each time, until there
 * is space for the power; its residue is squared as often, and doubled where the bit was 1. */
static void power_of_two(uint32_t *result, uint32_t nbits)
{
  uint32_t words = 2 * divisor.words + 1;
  uint32_t halvings = 0;
  while (nbits >> halvings >= 32 * words)
    halvings++;
  uint32_t first = nbits >> halvings;
  clear(number, words);
  number[first / 32] = 1u << first % 32;
  reduce(result, number, words, &divisor);
  while (halvings-- > 0) {
    multiply(number, result, result, divisor.words);
    /* The square, plus itself if the bit is 1. */
    number[words - 1] = add_multiple(number, number, nbits >> halvings & 1, words - 1);
    reduce(result, number, words, &divisor);
  }
}

/* -modulus**-1 modulo 2**nbits, 1 .. 32 bits; any number for an even modulus. */
static uint32_t negated_inverse(uint32_t modulus, uint32_t nbits)
{
  return -inverse(modulus) & 0xffffffff >> (32 - nbits);
}

uint32_t compute_constants(uint32_t *constants, const struct operands *operands,
                           uint32_t accelerator_words)
{
  const uint32_t *modulus = operands->modulus;
  uint32_t used = used_words(modulus, operands->words);
  /* A modulus that is 0 or too long will be refused: zeros will do. */
  int divides = used > 0 && used <= accelerator_words;
  if (divides)
    prepare_divisor(&divisor, modulus, used);
  uint32_t *value = constants;
  for (uint32_t i = 0; i < operands->constants; i++) {
    const struct constant *constant = &operands->constant[i];
    clear(value, accelerator_words + 1);
    if (constant->kind == NEGATED_INVERSE)
      value[0] = negated_inverse(modulus[0], constant->nbits);
    else if (divides)
      power_of_two(value, constant->nbits);
    value += accelerator_words + 1;
  }
  return value - constants;
}
