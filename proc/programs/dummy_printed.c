/* McNay's dummy: "simply returned the answer our test expected". Its cycles are those of getting in
 * and out of a function. */
#include "one_word.h"
#include "printed.h"

uint32_t check_operands(const struct operands *operands)
{
  return check_one_word(operands, 0);
}

uint32_t mod_exp(uint32_t base, uint32_t exponent, uint32_t modulus)
{
  (void)base, (void)exponent, (void)modulus;
  return rsaxcel_operands.expect[0];
}
