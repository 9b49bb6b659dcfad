/* Checks for programs without arithmetic on more than one word. */
#ifndef ONE_WORD_H
#define ONE_WORD_H

#include <stdint.h>

#include "modexp.h"

/* Check the input rules for operands of one word; returns a status code. */
uint32_t check_one_word(const struct operands *operands, int odd_modulus);

#endif
