/* Driver of the accelerator on the bus: operands of any length, without padding.
 *
 * The driver polls for the end of an operation; with WAIT_FOR_INTERRUPT it waits for the interrupt.
 * With KEY_LOADED the key is loaded before the measured call, as it is when a second message
 * follows with the same key. With MODULUS_IS_TWO the modulus consists of two halves. */
#ifndef AXI_H
#define AXI_H

#include "bus.h"
#include "constants.h"
#include "modexp.h"

uint32_t constant_words;

uint32_t check_operands(const struct operands *operands)
{
  (void)operands;
  return xcel_read(BUS_ADDRESS) == 0 ? NO_ACCELERATOR : OK;
}

/* Prepare the accelerator for the numbers of a key: they will start at their lowest words, messages
 * have no padding and, with WAIT_FOR_INTERRUPT, the interrupt is enabled. */
static inline void begin_key(void)
{
  bus(CONTROL) = RSAXCEL_CONTROL_REWIND;
  bus(MODE) = RSAXCEL_MODE_UNPADDED;
#ifdef WAIT_FOR_INTERRUPT
  bus(INTERRUPT_ENABLE) = RSAXCEL_INTERRUPT_ENABLE_ENABLE;
#endif
}

static inline void transfer_key(const struct operands *operands)
{
  begin_key();
  for (uint32_t i = 0; i < operands->words; i++) {
    bus(MODULUS) = operands->modulus[i];
    bus(PUBLIC_EXPONENT) = operands->exponent[i];
  }
  /* Write constants after the modulus: a new modulus makes the accelerator drop its constants. */
  for (uint32_t i = 0; i < constant_words; i++)
    bus(CONSTANTS) = constants[i];
}

#ifdef KEY_LOADED
void load_key(const struct operands *operands)
{
  if (check_operands(operands) == OK)
    transfer_key(operands);
}
#endif

/* Start the operation on the message in the accelerator, and wait for its end. Returns the status
 * code. */
static inline uint32_t operate(void)
{
  bus(STATUS) = RSAXCEL_STATUS_START;
#ifdef WAIT_FOR_INTERRUPT
  (void)xcel_read(INTERRUPT_WAIT);
  bus(INTERRUPTS) = 1;
#else
  while (bus(STATUS) & RSAXCEL_STATUS_BUSY)
    ;
#endif
  return bus(STATUS_CODE);
}

static inline uint32_t word_nbytes(uint32_t word)
{
  return (word > 0) + (word > 0xff) + (word > 0xffff) + (word > 0xffffff);
}

#ifdef MODULUS_IS_TWO
/* Write the length of the message, which has at most `used` words: the length of both halves of the
 * modulus together. A longer message has its own length, and the accelerator will refuse it.
 * Returns the length in words. */
static inline uint32_t write_length(const struct operands *operands, uint32_t used)
{
  bus(INPUT_LENGTH) = 0xffffffff; /* reads as the greatest length allowed */
  uint32_t most = bus(INPUT_LENGTH);
  while (used > 1 && operands->base[used - 1] == 0)
    used--;
  uint32_t nbytes = 4 * (used - 1) + word_nbytes(operands->base[used - 1]);
  nbytes = nbytes < most ? most : nbytes;
  bus(INPUT_LENGTH) = nbytes;
  return (nbytes + 3) / 4;
}
#else
/* Write the length of the message: the length of the modulus. A longer message has its own length,
 * and the accelerator will refuse it. Returns the length in words. */
static inline uint32_t write_length(const struct operands *operands, uint32_t used)
{
  while (used > 1 && (operands->base[used - 1] | operands->modulus[used - 1]) == 0)
    used--;
  uint32_t top = operands->base[used - 1] | operands->modulus[used - 1];
  bus(INPUT_LENGTH) = 4 * (used - 1) + word_nbytes(top);
  return used;
}
#endif

/* For operands of one word. As in write_length, the message has the length of the modulus, or its
 * own length if it is longer. */
struct answer modexp_word(uint32_t base, uint32_t exponent, uint32_t modulus)
{
#ifdef KEY_LOADED
  (void)exponent;
#else
  begin_key();
  bus(MODULUS) = modulus;
  bus(PUBLIC_EXPONENT) = exponent;
#endif
  bus(INPUT_LENGTH) = word_nbytes(base | modulus);
  bus(INPUT_FIFO) = base;
  bus(WRITE_ADDRESS) = 0;
  uint32_t status = operate();
  bus(READ_ADDRESS) = 0;
  return (struct answer){status, bus(OUTPUT_FIFO)};
}

uint32_t modexp_words(uint32_t *result, const struct operands *operands)
{
  uint32_t words = operands->words;
#ifndef KEY_LOADED
  transfer_key(operands);
#endif
  uint32_t used = write_length(operands, words);
  for (uint32_t i = 0; i < used; i++) {
    bus(INPUT_FIFO) = operands->base[i];
    bus(WRITE_ADDRESS) = i;
  }
  uint32_t status = operate();
  for (uint32_t i = 0; i < words; i++) {
    bus(READ_ADDRESS) = i;
    result[i] = bus(OUTPUT_FIFO);
  }
  return status;
}

#endif
