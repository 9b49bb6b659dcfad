/* Arithmetic on numbers in signed digits of 26 bits, -2**25 .. 2**25 - 1, the least significant
 * digit first.
 *
 * The cycles and addresses of all functions depend on lengths only, not on the numbers. */
#ifndef DIGITS_H
#define DIGITS_H

#define DIGIT_BITS 26
#define SPARE_BITS (32 - DIGIT_BITS)
#define BLOCK 5 /* digits of a block; lengths are multiples of it */
#define MAX_DIGITS 80

#ifndef __ASSEMBLER__
#include <stdint.h>

/* An odd modulus m below R / 4, R = 2**(26 * digits), with the constants of Montgomery products. */
struct odd_modulus {
  uint32_t digits;
  uint32_t factor; /* -1 / m mod 2**26, times 2**6 */
  int32_t digit[MAX_DIGITS];
  int32_t r_squared[MAX_DIGITS]; /* R * R modulo m */
};

/* Convert words to digits, which have room for the number and a sign. */
void to_digits(int32_t *digit, uint32_t digits, const uint32_t *word, uint32_t words);

/* Convert digits to words; the number is not negative and fits the words. */
void to_words(uint32_t *word, uint32_t words, const int32_t *digit, uint32_t digits);

/* Sign: -1 if a number is negative, else 0. */
int32_t sign_of(const int32_t *digit, uint32_t digits);

/* sum = a * number + b * other; a and b are -2 .. 2. */
void add_multiples(int32_t *sum, int32_t a, const int32_t *number, int32_t b, const int32_t *other,
                   uint32_t digits);

/* Compute all fields of a modulus of `words` words, except `digits`, which the caller has set. */
void prepare_modulus(struct odd_modulus *modulus, const uint32_t *word, uint32_t words);

/* a * b / R modulo m. The magnitude is at most |a * b| / R plus a little more than m / 2: the
 * result is between -m and m if a and b are. The result may overwrite a factor. */
void montgomery_multiply(int32_t *result, const int32_t *a, const int32_t *b,
                         const struct odd_modulus *modulus);
void montgomery_square(int32_t *result, const int32_t *a, const struct odd_modulus *modulus);
#endif
#endif
