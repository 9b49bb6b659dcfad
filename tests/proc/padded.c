#include "bus.h"

static const uint32_t modulus[] = {%(modulus)s}, private_exponent[] = {%(d)s};
enum { WORDS = sizeof modulus / 4, MESSAGE = %(message)s, LENGTH = 1 };

static void operate(uint32_t how)
{
  bus(STATUS) = RSAXCEL_STATUS_START | how;
  (void)xcel_read(INTERRUPT_WAIT);
  bus(INTERRUPTS) = 1;
  send_message(bus(STATUS_CODE));
  send_message(bus(OUTPUT_LENGTH));
}

int main(void)
{
  bus(CONTROL) = RSAXCEL_CONTROL_REWIND;
  bus(INTERRUPT_ENABLE) = 1;
  bus(PUBLIC_EXPONENT) = %(e)s;
  for (int i = 0; i < WORDS; i++) {
    bus(MODULUS) = modulus[i];
    bus(PRIVATE_EXPONENT) = private_exponent[i];
  }
  bus(INPUT_LENGTH) = LENGTH;
  bus(INPUT_FIFO) = MESSAGE;
  bus(WRITE_ADDRESS) = 0;
  operate(0);
  for (int i = 0; i < WORDS; i++) {
    bus(READ_ADDRESS) = i;
    uint32_t word = bus(OUTPUT_FIFO);
    send_message(word);
    bus(INPUT_FIFO) = word;
    bus(WRITE_ADDRESS) = i;
  }
  bus(INPUT_LENGTH) = 4 * WORDS;
  operate(RSAXCEL_STATUS_DECRYPT);
  bus(READ_ADDRESS) = 0;
  send_message(bus(OUTPUT_FIFO));
  return 0;
}
