/* Computes the constants of the modulus for the accelerator at the processor's xcel interface. */
#include "constants.h"
#include "csr.h"
#include "registers.h"

uint32_t prepare(const struct operands *operands)
{
  return keep_constants(operands, xcel_read(WORDS));
}
