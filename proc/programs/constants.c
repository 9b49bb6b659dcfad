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

static int choose(const uint32_t *number, uint32_t words, uint32_t most_words)
{
  modulus = number;
  uint32_t used = used_words(modulus, words);
  if (used == 0 || used > most_words)
    return 0;
  prepare_divisor(&divisor, modulus, used);
  return 1;
}

int choose_modulus(const struct operands *operands, uint32_t accelerator_words)
{
  return choose(operands->modulus, operands->words, accelerator_words);
}

/* If the operands are too short for a half, the half is 0: the memory behind the modulus is 0. */
int choose_half(const struct operands *operands, uint32_t half, uint32_t half_words)
{
  return choose(operands->modulus + half * half_words, half_words, half_words);
}

int halves_fit(const struct operands *operands, uint32_t half_words, uint32_t half_nbits)
{
  for (uint32_t half = 0; half < 2; half++) {
    const uint32_t *number = operands->modulus + half * half_words;
    uint32_t nbits = bit_length(number, half_words);
    if (nbits < 2 || nbits > half_nbits || number[0] % 2 == 0)
      return 0;
  }
  return used_words(operands->modulus, operands->words) <= 2 * half_words;
}

/* The exponent is halved, and its lowest bit dropped, until there is space for the power of two.
 * Then, for each dropped bit, the residue of the power is squared, and doubled if the bit is 1. */
struct number power_of_two(uint32_t *space, uint32_t exponent)
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

/* Schoolbook division as in reduce of words.c, but with the quotient as the result. */
struct number reciprocal(uint32_t *space, uint32_t exponent)
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

/* Find, word by word, the number in space for which 1 + space * m is a multiple of 2**nbits. The
 * sum is 1 + space * m; only the words to which a multiple of m has been added are valid. */
struct number negated_inverse(uint32_t *space, uint32_t nbits)
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

struct number product_of(uint32_t *space, struct number a, struct number b)
{
  clear(space, b.words);
  for (uint32_t i = 0; i < a.words; i++)
    space[i + b.words] = add_multiple(space + i, b.word, a.word[i], b.words);
  return number_in(space, a.words + b.words);
}

/* The number is taken from its most significant words on, as many words at a time as the modulus
 * has. Each time, the residue of the preceding words is put above them, and all is reduced. */
struct number remainder_of(uint32_t *space, struct number a)
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

struct number half_of(uint32_t *space, const struct operands *operands, uint32_t half,
                      uint32_t half_words)
{
  copy(space, operands->modulus + half * half_words, half_words);
  return number_in(space, half_words);
}

static void halve(uint32_t *number, uint32_t carry, uint32_t words)
{
  for (uint32_t i = words; i-- > 0;) {
    uint32_t low = number[i] & 1;
    number[i] = carry << 31 | number[i] >> 1;
    carry = low;
  }
}

/* Binary algorithm for the greatest common divisor of a and the modulus m. After each step, left
 * equals a * of_left and right equals a * of_right, modulo m. At the end, right is the greatest
 * common divisor; if it is 1, of_right is the inverse. */
struct number inverse_modulo(uint32_t *space, struct number a)
{
  uint32_t words = divisor.words;
  uint32_t *left = scratch, *right = scratch + words, *of_left = scratch + 2 * words;
  uint32_t *of_right = space;
  copy(left, a.word, a.words);
  clear(left + a.words, words - a.words);
  copy(right, modulus, words);
  clear(of_left, words);
  clear(of_right, words);
  of_left[0] = 1;
  while (used_words(left, words) > 0) {
    while (left[0] % 2 == 0) {
      halve(left, 0, words);
      uint32_t carry = of_left[0] % 2 ? add_multiple(of_left, modulus, 1, words) : 0;
      halve(of_left, carry, words);
    }
    if (compare(left, right, words) < 0) {
      uint32_t *swapped = left, *of_swapped = of_left;
      left = right, of_left = of_right;
      right = swapped, of_right = of_swapped;
    }
    subtract(left, right, words);
    if (subtract(of_left, of_right, words))
      add_multiple(of_left, modulus, 1, words);
  }
  if (right[0] != 1 || used_words(right, words) > 1)
    clear(of_right, words);
  if (of_right != space)
    copy(space, of_right, words);
  return number_in(space, words);
}

int put_constant(uint32_t *place, uint32_t words, struct number value, uint32_t nbits)
{
  if (value.words > words || bit_length(value.word, value.words) > nbits)
    return 0;
  copy(place, value.word, value.words);
  return 1;
}
