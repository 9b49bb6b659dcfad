#include "digits.h"

#include "inverse.h"
#include "modexp.h"
#include "words.h"

/* Return the carry to the next digit; the digit that is left is the one nearest to 0. */
static inline int32_t carry_of(int32_t value)
{
  return (value + (1 << (DIGIT_BITS - 1))) >> DIGIT_BITS;
}

void to_digits(int32_t *digit, uint32_t digits, const uint32_t *word, uint32_t words)
{
  int32_t carry = 0;
  for (uint32_t i = 0; i < digits; i++) {
    uint32_t first = DIGIT_BITS * i / 32;
    uint32_t shift = DIGIT_BITS * i % 32;
    uint32_t bits = first < words ? word[first] >> shift : 0;
    if (shift > SPARE_BITS && first + 1 < words)
      bits |= word[first + 1] << (32 - shift);
    int32_t value = (int32_t)(bits & ((1u << DIGIT_BITS) - 1)) + carry;
    carry = carry_of(value);
    digit[i] = value - (carry << DIGIT_BITS);
  }
}

void to_words(uint32_t *word, uint32_t words, const int32_t *digit, uint32_t digits)
{
  uint64_t bits = 0;
  int32_t carry = 0;
  uint32_t held = 0, place = 0;
  for (uint32_t i = 0; i < digits && place < words; i++) {
    int32_t value = digit[i] + carry;
    carry = value >> DIGIT_BITS;
    bits |= (uint64_t)(value & ((1 << DIGIT_BITS) - 1)) << held;
    held += DIGIT_BITS;
    if (held >= 32) {
      word[place++] = bits;
      bits >>= 32;
      held -= 32;
    }
  }
}

int32_t sign_of(const int32_t *digit, uint32_t digits)
{
  int32_t carry = 0;
  for (uint32_t i = 0; i < digits; i++)
    carry = (digit[i] + carry) >> DIGIT_BITS;
  return carry;
}

void add_multiples(int32_t *sum, int32_t a, const int32_t *number, int32_t b, const int32_t *other,
                   uint32_t digits)
{
  int32_t carry = 0;
  for (uint32_t i = 0; i < digits; i++) {
    int32_t value = a * number[i] + b * other[i] + carry;
    carry = carry_of(value);
    sum[i] = value - (carry << DIGIT_BITS);
  }
}

/* All ones if the value is 0, else 0. */
static inline uint32_t mask_of_zero(uint32_t value)
{
  return ((value | -value) >> 31) - 1;
}

/* Shift to the left until the most significant bit is 1. The number of places is secret, so the
 * time does not depend on it. */
static void normalize(uint32_t *number, uint32_t words)
{
  uint32_t step = 1;
  while (step < words)
    step *= 2;
  for (; step > 0; step /= 2) {
    uint32_t top = 0;
    for (uint32_t i = 1; i <= step && i <= words; i++)
      top |= number[words - i];
    uint32_t moves = mask_of_zero(top);
    for (uint32_t i = words; i-- > 0;) {
      uint32_t moved = i >= step ? number[i - step] : 0;
      number[i] ^= (number[i] ^ moved) & moves;
    }
  }
  for (step = 16; step > 0; step /= 2) {
    uint32_t moves = mask_of_zero(number[words - 1] >> (32 - step));
    for (uint32_t i = words; i-- > 0;) {
      uint32_t below = i > 0 ? number[i - 1] >> (32 - step) : 0;
      number[i] ^= (number[i] ^ (number[i] << step | below)) & moves;
    }
  }
}

/* Greatest t for which R * 2**t is reached by doublings from R; a greater t is reached by
 * squares. */
#define FEW_DOUBLINGS 16

/* Compute R**2 modulo m. Let M = m * 2**k, with the most significant bit of `words` words set. The
 * start is the power 2**(32 * words), which is 2**(32 * words) - M modulo M. The power is doubled,
 * by adding or subtracting M, and squared by Montgomery products modulo m: R * 2**t becomes
 * R * 2**(t + 1) and R * 2**(2 * t). At the end, R**3 modulo m, a number below M, is divided by R,
 * which brings it below m. */
static void compute_r_squared(struct odd_modulus *modulus, const uint32_t *word, uint32_t words)
{
  static uint32_t normalized[MAX_WORDS];
  static int32_t multiple[MAX_DIGITS];
  int32_t *power = modulus->r_squared;
  uint32_t digits = modulus->digits;
  uint32_t target = 2 * DIGIT_BITS * digits, halvings = 0;
  copy(normalized, word, words);
  normalize(normalized, words);
  to_digits(multiple, digits, normalized, words);
  uint32_t carry = 1;
  for (uint32_t i = 0; i < words; i++) {
    normalized[i] = ~normalized[i] + carry;
    carry &= normalized[i] == 0;
  }
  to_digits(power, digits, normalized, words);
  while (target >> halvings > FEW_DOUBLINGS)
    halvings++;
  uint32_t doublings = DIGIT_BITS * digits - 32 * words + (target >> halvings);
  for (;;) {
    for (; doublings > 0; doublings--)
      add_multiples(power, 2, power, -1 - 2 * sign_of(power, digits), multiple, digits);
    if (halvings == 0)
      break;
    montgomery_square(power, power, modulus);
    doublings = target >> --halvings & 1;
  }
  static const int32_t one[MAX_DIGITS] = {1};
  montgomery_multiply(power, power, one, modulus);
}

void prepare_modulus(struct odd_modulus *modulus, const uint32_t *word, uint32_t words)
{
  modulus->factor = -inverse(word[0]) << SPARE_BITS;
  to_digits(modulus->digit, modulus->digits, word, words);
  compute_r_squared(modulus, word, words);
}
