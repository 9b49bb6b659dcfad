#include "one_word.h"

#include "words.h"

uint32_t check_one_word(const struct operands *operands, int odd_modulus)
{
  return operands->words > 1 ? (uint32_t)OPERAND_TOO_WIDE : check_rules(operands, odd_modulus);
}

/* Never called, because check_one_word refuses operands of more than one word. */
uint32_t modexp_words(uint32_t *result, const struct operands *operands)
{
  (void)result, (void)operands;
  return OPERAND_TOO_WIDE;
}
