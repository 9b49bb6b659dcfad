/* Software as McNay prints it (listing 4): right-to-left binary exponentiation with a Montgomery
 * multiplier that is constructed for the modulus. As in the listing, the base is squared once more
 * after the last bit. */
#include "mont_multiplier.h"
#include "one_word.h"
#include "printed.h"

uint32_t check_operands(const struct operands *operands)
{
  return check_one_word(operands, 1);
}

uint32_t mod_exp(uint32_t base, uint32_t exponent, uint32_t modulus)
{
  struct mont_multiplier multiplier;
  construct(&multiplier, modulus, 1ull << 32);
  uint32_t square = convert_in(&multiplier, base % modulus);
  uint32_t result = convert_in(&multiplier, 1);
  while (exponent > 0) {
    if (exponent & 1)
      result = montgomery_multiply(&multiplier, result, square);
    exponent >>= 1;
    square = montgomery_multiply(&multiplier, square, square);
  }
  return convert_out(&multiplier, result);
}
