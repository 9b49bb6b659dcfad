/* Driver of the accelerator at the processor's xcel interface. The accelerator itself checks the
 * operands by its input rules.
 *
 * Constants of the modulus that the accelerator needs are handed over with each call; prepare.c
 * has them computed. With KEY_LOADED the key is loaded before the measured call, as it is when a second
 * message follows with the same key. */
#ifndef XCEL_H
#define XCEL_H

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

/* Called after the modulus is written: a new modulus makes the accelerator drop its constants. */
static inline void transfer_constants(void)
{
  for (uint32_t i = 0; i < constant_words; i++)
    xcel_write(CONSTANTS, constants[i]);
}

#ifdef KEY_LOADED
void load_key(const struct operands *operands)
{
  for (uint32_t i = 0; i < operands->words; i++) {
    xcel_write(EXPONENT, operands->exponent[i]);
    xcel_write(MODULUS, operands->modulus[i]);
  }
  transfer_constants();
}
#endif

struct answer modexp_word(uint32_t base, uint32_t exponent, uint32_t modulus)
{
  xcel_write(BASE, base);
#ifdef KEY_LOADED
  (void)exponent, (void)modulus;
#else
  xcel_write(EXPONENT, exponent);
  xcel_write(MODULUS, modulus);
#endif
  xcel_write(GO_STATUS, 1);
  uint32_t status = xcel_read(GO_STATUS);
  return (struct answer){status, xcel_read(RESULT)};
}

uint32_t modexp_words(uint32_t *result, const struct operands *operands)
{
  uint32_t words = operands->words;
  for (uint32_t i = 0; i < words; i++) {
    xcel_write(BASE, operands->base[i]);
#ifndef KEY_LOADED
    xcel_write(EXPONENT, operands->exponent[i]);
    xcel_write(MODULUS, operands->modulus[i]);
#endif
  }
#ifndef KEY_LOADED
  transfer_constants();
#endif
  xcel_write(GO_STATUS, 1);
  uint32_t status = xcel_read(GO_STATUS);
  for (uint32_t i = 0; i < words; i++)
    result[i] = xcel_read(RESULT);
  return status;
}

#endif
