/* Constants of a modulus that an accelerator asks of its host. */
#ifndef CONSTANTS_H
#define CONSTANTS_H

#include <stdint.h>

#include "modexp.h"

#define MAX_CONSTANT_WORDS (MAX_CONSTANTS * (MAX_WORDS + 1))

/* Compute the constants of the modulus that the operands describe, one after the other, each padded
 * to a word more than the accelerator's operands have, which are at most MAX_WORDS long. Gives the
 * number of words. */
uint32_t compute_constants(uint32_t *constants, const struct operands *operands,
                           uint32_t accelerator_words);

#endif
