#include "constants.h"

#include "inverse.h"
#include "remainder.h"
#include "words.h"

static const uint32_t *modulus;
static struct divisor divisor; /* the modulus without leading zero words */

/* Temporary space of the functions below. */
static uint32_t scratch[MAX_NUMBER_WORDS + 1];
static uint32_t multiple[MAX_WORDS + 1];

/* Return the number in the first `words` words of a space. */
static struct number number_in(const uint32_t *space, uint32_t words)
{
  return (struct number){used_words(space, words), space};
}

int choose_modulus(const struct operands *operands, uint32_t accelerator_words)
{
  modulus = operands->modulus;
  uint32_t used = used_words(modulus, operands->words);
  if (used == 0 || used > accelerator_words)
    return 0;
  prepare_divisor(&divisor, modulus, used);
  return 1;
}

/* 2**exponent mod m. The exponent is halved, and its lowest bit dropped, until there is space for the power of two.
 * Then, for each dropped bit, the residue of the power is squared, and doubled if the bit is 1. */
static struct number power_of_two(uint32_t *space, uint32_t exponent)
{
  uint32_t words = 2 * divisor.words + 1;
  uint32_t halvings = 0;
  while (exponent >> halvings >= 32 * words)
    halvings++;
  uint32_t first = exponent >> halvings;
  clear(scratch, words);
  scratch[first / 32] = 1u << first % 32;
  reduce(space, scratch, words, &divisor);
  while (halvings-- > 0) {
    multiply(scratch, space, space, divisor.words);
    /* Add the square to itself if the bit is 1. */
    scratch[words - 1] = add_multiple(scratch, scratch, exponent >> halvings & 1, words - 1);
    reduce(space, scratch, words, &divisor);
  }
  return number_in(space, divisor.words);
}

/* floor(2**exponent / m). Schoolbook division as in reduce of words.c, but with the quotient as the result. */
static struct number reciprocal(uint32_t *space, uint32_t exponent)
{
  uint32_t length = divisor.words;
  uint32_t top = divisor.normalized[length - 1];
  uint32_t words = exponent / 32 + 1;
  uint32_t shifted = exponent + divisor.shift;
  if (words < length)
    return number_in(space, 0);
  clear(scratch, words + 1);
  scratch[shifted / 32] = 1u << shifted % 32;
  for (uint32_t i = words - length + 1; i-- > 0;) {
    uint32_t *part = scratch + i;
    uint32_t high = part[length];
    uint32_t estimate =
        high < top ? divide_normalized(high, part[length - 1], top).quotient : 0xffffffff;
    clear(multiple, length);
    multiple[length] = add_multiple(multiple, divisor.normalized, estimate, length);
    while (compare(multiple, part, length + 1) > 0) {
      multiple[length] -= subtract(multiple, divisor.normalized, length);
      estimate--;
    }
    subtract(part, multiple, length + 1);
    space[i] = estimate;
  }
  return number_in(space, words - length + 1);
}

/* -m**-1 mod 2**nbits. Find, word by word, the number in space for which 1 + space * m is a multiple of 2**nbits. The
 * sum is 1 + space * m; only the words to which a multiple of m has been added are valid. */
static struct number negated_inverse(uint32_t *space, uint32_t nbits)
{
  uint32_t words = (nbits + 31) / 32;
  uint32_t negated = -inverse(modulus[0]);
  uint32_t *sum = scratch;
  clear(sum, words);
  sum[0] = 1;
  for (uint32_t i = 0; i < words; i++) {
    uint32_t left = words - i;
    uint32_t length = left < divisor.words ? left : divisor.words;
    space[i] = sum[i] * negated;
    uint32_t carry = add_multiple(sum + i, modulus, space[i], length);
    if (length < left)
      sum[i + length] = carry;
  }
  if (nbits % 32 != 0)
    space[words - 1] &= 0xffffffff >> (32 - nbits % 32);
  return number_in(space, words);
}

static struct number product_of(uint32_t *space, struct number a, struct number b)
{
  clear(space, b.words);
  for (uint32_t i = 0; i < a.words; i++)
    space[i + b.words] = add_multiple(space + i, b.word, a.word[i], b.words);
  return number_in(space, a.words + b.words);
}

/* a mod m. The number is taken from its most significant words on, as many words at a time as the modulus
 * has. Each time, the residue of the preceding words is put above them, and all is reduced. */
static struct number remainder_of(uint32_t *space, struct number a)
{
  uint32_t length = divisor.words;
  if (a.words < length)
    return a;
  clear(space, length);
  for (uint32_t left = a.words; left > 0;) {
    uint32_t taken = left < length ? left : length;
    left -= taken;
    copy(scratch, a.word + left, taken);
    copy(scratch + taken, space, length);
    reduce(space, scratch, taken + length, &divisor);
  }
  return number_in(space, length);
}

struct number result_of(const struct step *step, const struct operands *operands)
{
  (void)operands;
  switch (step->operation) {
  case POWER_OF_TWO:
    return power_of_two(step->space, step->number);
  case RECIPROCAL:
    return reciprocal(step->space, step->number);
  case NEGATED_INVERSE:
    return negated_inverse(step->space, step->number);
  case PRODUCT_OF:
    return product_of(step->space, step->a->result, step->b->result);
  default:
    return remainder_of(step->space, step->a->result);
  }
}
