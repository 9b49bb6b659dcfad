/* Registers of an accelerator at the processor's xcel interface, by number (fl/xcel.py). */
#ifndef REGISTERS_H
#define REGISTERS_H

enum {
  GO_STATUS = 0,
  BASE = 1,
  WORDS = 1,
  EXPONENT = 2,
  MODULUS = 3,
  RESULT = 4,
  STATUS = 5, /* read without waiting: bits 15 to 8 the last status code */
  CONSTANTS = 6
};

#endif
