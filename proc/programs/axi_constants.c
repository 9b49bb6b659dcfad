/* Constants for the accelerator on the bus. */
#include "bus.h"
#include "constants.h"

uint32_t prepare(const struct operands *operands)
{
  if (xcel_read(BUS_ADDRESS) == 0)
    return 0; /* there is none, which the driver will say */
  uint32_t nbits = (bus(WIDTHS) & RSAXCEL_WIDTHS_NBITS) >> RSAXCEL_WIDTHS_NBITS_LSB;
  return keep_constants(operands, (nbits + 31) / 32);
}
