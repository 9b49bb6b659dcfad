/* Computes the constants of the modulus for the accelerator on the bus. */
#include "bus.h"
#include "constants.h"
#include "modulus.h"

uint32_t prepare(const struct operands *operands)
{
  if (xcel_read(BUS_ADDRESS) == 0)
    return 0; /* no accelerator: the driver reports it */
  uint32_t widths = bus(WIDTHS);
  uint32_t nbits = (widths & RSAXCEL_WIDTHS_NBITS) >> RSAXCEL_WIDTHS_NBITS_LSB;
#if MODULUS_IS_TWO
  /* With two halves, the modulus in a request is as wide as the exponents of the halves. */
  uint32_t both = (widths & RSAXCEL_WIDTHS_EXPONENT_NBITS) >> RSAXCEL_WIDTHS_EXPONENT_NBITS_LSB;
  both -= ABOVE_EXPONENTS_NBITS;
  nbits = nbits < both ? both : nbits;
#endif
  return keep_constants(operands, (nbits + 31) / 32);
}
