/* For programs that have no arithmetic on more than one word. */
#include "modexp.h"

uint32_t modexp_words(uint32_t *result, const struct operands *operands)
{
  (void)result, (void)operands;
  return OPERAND_TOO_WIDE;
}
