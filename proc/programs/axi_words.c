/* Length of the operands of the accelerator on the bus. */
#include "bus.h"
#include "constants.h"

uint32_t accelerator_words(void)
{
  if (xcel_read(BUS_ADDRESS) == 0)
    return 0; /* there is none, which the driver will say */
  uint32_t nbits = (bus(WIDTHS) & RSAXCEL_WIDTHS_NBITS) >> RSAXCEL_WIDTHS_NBITS_LSB;
  return (nbits + 31) / 32;
}
