/* Program that computes nothing: it returns the result that came with the operands. Its cycles are
 * the overhead that all programs have. */
#include "modexp.h"

uint32_t check_operands(const struct operands *operands)
{
  (void)operands;
  return OK;
}

struct answer modexp_word(uint32_t base, uint32_t exponent, uint32_t modulus)
{
  (void)base, (void)exponent, (void)modulus;
  return (struct answer){OK, rsaxcel_operands.expect[0]};
}

uint32_t modexp_words(uint32_t *result, const struct operands *operands)
{
  for (uint32_t i = 0; i < operands->words; i++)
    result[i] = operands->expect[i];
  return OK;
}
