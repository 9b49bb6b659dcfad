/* Inverse modulo a power of two. */
#ifndef INVERSE_H
#define INVERSE_H

#include <stdint.h>

/* Inverse of an odd number modulo 2**32: the first guess has 5 correct bits, and each step doubles
 * the number of correct bits. */
static inline uint32_t inverse(uint32_t odd)
{
  uint32_t guess = 3 * odd ^ 2;
  for (int step = 0; step < 3; step++)
    guess *= 2 - odd * guess;
  return guess;
}

#endif
