/* Software as McNay prints it (listing 3): right-to-left binary exponentiation on 64-bit residues,
 * with the compiler's remainder of 64 by 64 bits after each product. As in the listing, the base is
 * squared once more after the last bit. */
#include "one_word.h"
#include "printed.h"

uint32_t check_operands(const struct operands *operands)
{
  return check_one_word(operands, 0);
}

uint32_t mod_exp(uint32_t base, uint32_t exponent, uint32_t modulus)
{
  uint64_t long_modulus = modulus;
  uint64_t square = base % long_modulus;
  uint64_t result = 1;
  while (exponent > 0) {
    if (exponent & 1)
      result = result * square % long_modulus;
    exponent >>= 1;
    square = square * square % long_modulus;
  }
  return result;
}
