/* Interface of a program for modular exponentiation: main.c calls the functions below.
 *
 * Numbers of more than one word are arrays with the least significant word first. */
#ifndef MODEXP_H
#define MODEXP_H

#include <stdint.h>

#define MAX_WORDS 128

/* Status codes, as in the accelerators. */
enum {
  OK = 0,
  MODULUS_TOO_SMALL = 1,
  MODULUS_EVEN = 2,
  BASE_TOO_LARGE = 3,
  OPERAND_TOO_WIDE = 4,
  CONSTANTS_MISSING = 5,
  NO_ACCELERATOR = 16, /* in software only: no accelerator answers */
};

/* The loader writes the operands here before the program starts (proc/operands.py). */
struct operands {
  uint32_t words;             /* length of each operand, 1 .. MAX_WORDS; 0 if nothing was written */
  uint32_t expect[MAX_WORDS]; /* expected result, for the dummy program */
  uint32_t base[MAX_WORDS];
  uint32_t exponent[MAX_WORDS];
  uint32_t modulus[MAX_WORDS];
};

extern struct operands rsaxcel_operands;

/* Result of an exponentiation of one word. It fits two registers, so that functions return it
 * without using memory. */
struct answer {
  uint32_t status;
  uint32_t result;
};

/* Compute the constants that the accelerator needs; not measured. Returns the number of words that
 * the measured function then has to hand over. Programs without constants have no such function. */
uint32_t prepare(const struct operands *operands);

/* Load everything that depends on the key into the accelerator; not measured. Only programs with
 * KEY_LOADED have this function. */
void load_key(const struct operands *operands);

/* Check the input rules; measured, as in the accelerators. */
uint32_t check_operands(const struct operands *operands);

/* The measured functions, base ** exponent mod modulus: modexp_word for operands of one word if
 * there are no constants, else modexp_words. */
struct answer modexp_word(uint32_t base, uint32_t exponent, uint32_t modulus);
uint32_t modexp_words(uint32_t *result, const struct operands *operands);

#endif
