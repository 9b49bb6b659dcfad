/* Interface of the programs as printed: main_printed.c calls the functions below. */
#ifndef PRINTED_H
#define PRINTED_H

#include <stdint.h>

#include "modexp.h"

/* Check the input rules of the exponentiation; not measured, because the document's programs have no
 * such check. */
uint32_t check_operands(const struct operands *operands);

/* The measured function: base ** exponent mod modulus. */
uint32_t mod_exp(uint32_t base, uint32_t exponent, uint32_t modulus);

/* Status of the exponentiation, read after the call; not measured. Software has no such function:
 * what it can refuse, check_operands has refused. */
uint32_t check_answer(void);

#endif
