/* Length of the operands of the accelerator beside the processor. */
#include "constants.h"
#include "csr.h"
#include "registers.h"

uint32_t accelerator_words(void)
{
  return xcel_read(WORDS);
}
