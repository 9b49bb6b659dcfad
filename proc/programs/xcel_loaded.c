/* Hardware: as xcel.c, with the key loaded before the measured call, as for a second message. */
#include "constants.h"
#include "csr.h"
#include "modexp.h"
#include "registers.h"

uint32_t constant_words;

uint32_t check_operands(const struct operands *operands)
{
  (void)operands;
  return xcel_read(WORDS) == 0 ? NO_ACCELERATOR : OK;
}

void load_key(const struct operands *operands)
{
  for (uint32_t i = 0; i < operands->words; i++) {
    xcel_write(EXPONENT, operands->exponent[i]);
    xcel_write(MODULUS, operands->modulus[i]);
  }
  for (uint32_t i = 0; i < constant_words; i++)
    xcel_write(CONSTANTS, constants[i]);
}

struct answer modexp_word(uint32_t base, uint32_t exponent, uint32_t modulus)
{
  (void)exponent, (void)modulus;
  xcel_write(BASE, base);
  xcel_write(GO_STATUS, 1);
  uint32_t status = xcel_read(GO_STATUS);
  return (struct answer){status, xcel_read(RESULT)};
}

uint32_t modexp_words(uint32_t *result, const struct operands *operands)
{
  uint32_t words = operands->words;
  for (uint32_t i = 0; i < words; i++)
    xcel_write(BASE, operands->base[i]);
  xcel_write(GO_STATUS, 1);
  uint32_t status = xcel_read(GO_STATUS);
  for (uint32_t i = 0; i < words; i++)
    result[i] = xcel_read(RESULT);
  return status;
}
