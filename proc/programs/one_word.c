#include "one_word.h"

uint32_t check_one_word(const struct operands *operands, int odd_modulus)
{
  uint32_t modulus = operands->modulus[0];
  if (operands->words > 1)
    return OPERAND_TOO_WIDE;
  if (modulus < (odd_modulus ? 3 : 2))
    return MODULUS_TOO_SMALL;
  if (odd_modulus && modulus % 2 == 0)
    return MODULUS_EVEN;
  return operands->base[0] >= modulus ? BASE_TOO_LARGE : OK;
}
