#include "words.h"

#include "remainder.h"

void copy(uint32_t *to, const uint32_t *from, uint32_t words)
{
  for (uint32_t i = 0; i < words; i++)
    to[i] = from[i];
}

void clear(uint32_t *to, uint32_t words)
{
  for (uint32_t i = 0; i < words; i++)
    to[i] = 0;
}

uint32_t used_words(const uint32_t *number, uint32_t words)
{
  while (words > 0 && number[words - 1] == 0)
    words--;
  return words;
}

uint32_t bit_length(const uint32_t *number, uint32_t words)
{
  uint32_t used = used_words(number, words);
  return used == 0 ? 0 : 32 * used - leading_zeros(number[used - 1]);
}

int compare(const uint32_t *a, const uint32_t *b, uint32_t words)
{
  for (uint32_t i = words; i-- > 0;) {
    if (a[i] != b[i])
      return a[i] < b[i] ? -1 : 1;
  }
  return 0;
}

uint32_t subtract(uint32_t *a, const uint32_t *b, uint32_t words)
{
  uint32_t borrow = 0;
  for (uint32_t i = 0; i < words; i++) {
    uint64_t difference = (uint64_t)a[i] - b[i] - borrow;
    a[i] = difference;
    borrow = difference >> 63;
  }
  return borrow;
}

uint32_t add_multiple(uint32_t *sum, const uint32_t *number, uint32_t factor, uint32_t words)
{
  uint32_t carry = 0;
  for (uint32_t i = 0; i < words; i++) {
    uint64_t step = (uint64_t)number[i] * factor + sum[i] + carry;
    sum[i] = step;
    carry = step >> 32;
  }
  return carry;
}

void multiply(uint32_t *product, const uint32_t *a, const uint32_t *b, uint32_t words)
{
  clear(product, words);
  for (uint32_t i = 0; i < words; i++)
    product[i + words] = add_multiple(product + i, b, a[i], words);
}

/* sum = sum - number * factor; returns the borrow. */
static uint32_t subtract_multiple(uint32_t *sum, const uint32_t *number, uint32_t factor,
                                  uint32_t words)
{
  uint32_t borrow = 0;
  for (uint32_t i = 0; i < words; i++) {
    uint64_t step = (uint64_t)number[i] * factor + borrow;
    uint32_t low = step;
    borrow = (step >> 32) + (sum[i] < low);
    sum[i] -= low;
  }
  return borrow;
}

/* sum = sum + number; returns the carry. */
static uint32_t add(uint32_t *sum, const uint32_t *number, uint32_t words)
{
  uint32_t carry = 0;
  for (uint32_t i = 0; i < words; i++) {
    uint64_t step = (uint64_t)sum[i] + number[i] + carry;
    sum[i] = step;
    carry = step >> 32;
  }
  return carry;
}

/* Shift to the left by 0 .. 31 bits; returns the bits that leave the most significant word. */
static uint32_t shift_left(uint32_t *to, const uint32_t *from, uint32_t words, uint32_t shift)
{
  uint32_t carry = 0;
  for (uint32_t i = 0; i < words; i++) {
    uint32_t word = from[i];
    to[i] = word << shift | carry;
    carry = shift == 0 ? 0 : word >> (32 - shift);
  }
  return carry;
}

static void shift_right(uint32_t *to, const uint32_t *from, uint32_t words, uint32_t shift)
{
  uint32_t carry = 0;
  for (uint32_t i = words; i-- > 0;) {
    uint32_t word = from[i];
    to[i] = word >> shift | carry;
    carry = shift == 0 ? 0 : word << (32 - shift);
  }
}

void prepare_divisor(struct divisor *divisor, const uint32_t *modulus, uint32_t words)
{
  divisor->words = words;
  divisor->shift = leading_zeros(modulus[words - 1]);
  shift_left(divisor->normalized, modulus, words, divisor->shift);
}

/* Schoolbook division. Each word of the quotient is estimated from two words of the rest and the
 * most significant word of the divisor; the estimate is at most two too large (Knuth, The Art of
 * Computer Programming, volume 2, section 4.3.1, theorem B). */
void reduce(uint32_t *result, const uint32_t *number, uint32_t words,
            const struct divisor *divisor)
{
  static uint32_t rest[2 * MAX_WORDS + 2];
  uint32_t length = divisor->words;
  uint32_t top = divisor->normalized[length - 1];
  rest[words] = shift_left(rest, number, words, divisor->shift);
  for (uint32_t i = words - length + 1; i-- > 0;) {
    uint32_t *part = rest + i;
    uint32_t high = part[length];
    uint32_t estimate =
        high < top ? divide_normalized(high, part[length - 1], top).quotient : 0xffffffff;
    uint32_t borrow = subtract_multiple(part, divisor->normalized, estimate, length);
    while (high != borrow)
      borrow -= add(part, divisor->normalized, length);
  }
  shift_right(result, rest, length, divisor->shift);
}

uint32_t check_rules(const struct operands *operands, int odd_modulus)
{
  uint32_t words = operands->words;
  const uint32_t *modulus = operands->modulus;
  if (used_words(modulus, words) <= 1 && modulus[0] < (odd_modulus ? 3 : 2))
    return MODULUS_TOO_SMALL;
  if (odd_modulus && modulus[0] % 2 == 0)
    return MODULUS_EVEN;
  if (compare(operands->base, modulus, words) >= 0)
    return BASE_TOO_LARGE;
  return OK;
}
