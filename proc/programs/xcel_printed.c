/* A program with an accelerator, in the cycles of McNay's table 1 (the document does not print it):
 * the function hands over base, exponent and modulus, starts the accelerator, and reads its result
 * when it is done. */
#include "csr.h"
#include "printed.h"
#include "registers.h"

uint32_t check_operands(const struct operands *operands)
{
  if (xcel_read(WORDS) == 0)
    return NO_ACCELERATOR;
  return operands->words > 1 ? (uint32_t)OPERAND_TOO_WIDE : OK;
}

uint32_t mod_exp(uint32_t base, uint32_t exponent, uint32_t modulus)
{
  xcel_write(BASE, base);
  xcel_write(EXPONENT, exponent);
  xcel_write(MODULUS, modulus);
  xcel_write(GO_STATUS, 1);
  xcel_read(GO_STATUS); /* waits until the accelerator is done */
  return xcel_read(RESULT);
}

/* The accelerator itself checks its operands. */
uint32_t check_answer(void)
{
  return xcel_read(STATUS) >> 8 & 0xff;
}
