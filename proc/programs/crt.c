/* Software: a private operation by the Chinese remainder theorem, in constant time.
 *
 * The modulus consists of p and q, the exponent of dp and dq, each in half of the words, p and dp
 * first; p and q have no common factor. The base is any number of as many words as the modulus. The
 * result is below p * q. Two exponentiations with Montgomery products use fixed windows of 5 bits;
 * each window reads all entries of the table. Garner's formula joins the results. Branches and
 * addresses depend on the number of words only.
 *
 * 1 / q mod p comes with the key, as in a PEM file. All other values are computed in the measured
 * region. */
#include "digits.h"
#include "modexp.h"
#include "words.h"

#define WINDOW 5
#define ENTRIES (1 << WINDOW)
#define MAX_HALF (MAX_WORDS / 2)

/* Written by the loader; a program with this variable takes two halves (proc/operands.py). */
uint32_t rsaxcel_q_inverse[MAX_HALF] __attribute__((section(".data")));

static const int32_t one[MAX_DIGITS] = {1};

/* Whether a modulus is less than 3; the time depends on the number of words only. */
static uint32_t is_small(const uint32_t *modulus, uint32_t words)
{
  uint32_t above = 0;
  for (uint32_t i = 1; i < words; i++)
    above |= modulus[i];
  return (above == 0) & (modulus[0] < 3);
}

uint32_t check_operands(const struct operands *operands)
{
  uint32_t half = operands->words / 2;
  const uint32_t *p = operands->modulus, *q = p + half;
  if (is_small(p, half) | is_small(q, half))
    return MODULUS_TOO_SMALL;
  return p[0] & q[0] & 1 ? OK : MODULUS_EVEN;
}

/* Never called: operands have at least one word for each half. */
struct answer modexp_word(uint32_t base, uint32_t exponent, uint32_t modulus)
{
  (void)base, (void)exponent, (void)modulus;
  return (struct answer){OPERAND_TOO_WIDE, 0};
}

static int32_t table[MAX_DIGITS][ENTRIES];

static void store_entry(uint32_t entry, const int32_t *digit, uint32_t digits)
{
  for (uint32_t i = 0; i < digits; i++)
    table[i][entry] = digit[i];
}

static void load_entry(int32_t *digit, uint32_t entry, uint32_t digits)
{
  for (uint32_t i = 0; i < digits; i++)
    digit[i] = table[i][entry];
}

/* Add the table entry `index` to `digit`, which is 0 before, if the entry is one of the sixteen
 * from `first` on. All sixteen are read; masks select the entry, and sixteen masks fit the
 * registers. Entries are loaded in pairs before they are used, so that the processor does not
 * stall. */
static void add_entries(int32_t *digit, uint32_t first, uint32_t index, uint32_t digits)
{
#define MASK(n) int32_t mask##n = (int32_t)((index ^ (first + n)) - 1) >> 31
#define ADD_PAIR(m, n)                   \
  do {                                   \
    int32_t a = row[m], b = row[n];      \
    __asm__("" : "+r"(a), "+r"(b));      \
    sum |= (a & mask##m) | (b & mask##n); \
  } while (0)
  MASK(0); MASK(1); MASK(2); MASK(3); MASK(4); MASK(5); MASK(6); MASK(7);
  MASK(8); MASK(9); MASK(10); MASK(11); MASK(12); MASK(13); MASK(14); MASK(15);
  const int32_t *row = table[0] + first;
  for (const int32_t *end = row + ENTRIES * digits; row != end; row += ENTRIES) {
    int32_t sum = *digit;
    ADD_PAIR(0, 1); ADD_PAIR(2, 3); ADD_PAIR(4, 5); ADD_PAIR(6, 7);
    ADD_PAIR(8, 9); ADD_PAIR(10, 11); ADD_PAIR(12, 13); ADD_PAIR(14, 15);
    *digit++ = sum;
  }
#undef MASK
#undef ADD_PAIR
}

/* Read the table entry at a secret index; all entries are read. */
static void look_up(int32_t *digit, uint32_t index, uint32_t digits)
{
  for (uint32_t i = 0; i < digits; i++)
    digit[i] = 0;
  add_entries(digit, 0, index, digits);
  add_entries(digit, ENTRIES / 2, index, digits);
}

static uint32_t window_at(const uint32_t *exponent, uint32_t words, uint32_t position)
{
  uint32_t first = position / 32, shift = position % 32;
  uint32_t window = exponent[first] >> shift;
  if (shift > 32 - WINDOW && first + 1 < words)
    window |= exponent[first + 1] << (32 - shift);
  return window % ENTRIES;
}

/* result = R * base ** exponent; the base has twice as many digits as the modulus. */
static void exponentiate(int32_t *result, const int32_t *base, const uint32_t *exponent,
                         uint32_t words, const struct odd_modulus *modulus)
{
  static int32_t entry[MAX_DIGITS], residue[MAX_DIGITS];
  uint32_t digits = modulus->digits;
  montgomery_multiply(residue, base + digits, modulus->r_squared, modulus);
  montgomery_multiply(residue, residue, modulus->r_squared, modulus);
  montgomery_multiply(entry, base, modulus->r_squared, modulus);
  /* The residue of the base is now up to 1.4 m in magnitude. Its square, and its products with
   * numbers in -m .. m, are again in -m .. m. */
  add_multiples(residue, 1, residue, 1, entry, digits);
  montgomery_multiply(entry, modulus->r_squared, one, modulus);
  store_entry(0, entry, digits);
  store_entry(1, residue, digits);
  for (uint32_t i = 2; i < ENTRIES; i += 2) {
    load_entry(entry, i / 2, digits);
    montgomery_square(entry, entry, modulus);
    store_entry(i, entry, digits);
    montgomery_multiply(entry, entry, residue, modulus);
    store_entry(i + 1, entry, digits);
  }
  uint32_t position = (32 * words - 1) / WINDOW * WINDOW;
  look_up(result, window_at(exponent, words, position), digits);
  while (position > 0) {
    position -= WINDOW;
    for (int i = 0; i < WINDOW; i++)
      montgomery_square(result, result, modulus);
    look_up(entry, window_at(exponent, words, position), digits);
    montgomery_multiply(result, result, entry, modulus);
  }
}

/* Map a number between -m and m to 0 .. m - 1. */
static void make_canonical(int32_t *digit, const struct odd_modulus *modulus)
{
  uint32_t digits = modulus->digits;
  add_multiples(digit, 1, digit, -sign_of(digit, digits), modulus->digit, digits);
}

uint32_t modexp_words(uint32_t *result, const struct operands *operands)
{
  static struct odd_modulus p, q;
  static int32_t base[2 * MAX_DIGITS], of_p[MAX_DIGITS], of_q[MAX_DIGITS], inverse[MAX_DIGITS];
  static uint32_t quotient[MAX_HALF];
  uint32_t half = operands->words / 2;
  uint32_t digits = (32 * half + 2 + DIGIT_BITS * BLOCK - 1) / (DIGIT_BITS * BLOCK) * BLOCK;
  p.digits = q.digits = digits;
  prepare_modulus(&p, operands->modulus, half);
  prepare_modulus(&q, operands->modulus + half, half);
  to_digits(base, 2 * digits, operands->base, 2 * half);
  exponentiate(of_p, base, operands->exponent, half, &p);
  exponentiate(of_q, base, operands->exponent + half, half, &q);

  /* of_q + q * ((of_p - of_q) / q mod p) */
  montgomery_multiply(of_q, of_q, one, &q);
  make_canonical(of_q, &q);
  to_words(result, half, of_q, digits);
  montgomery_multiply(of_q, of_q, p.r_squared, &p);
  add_multiples(of_p, 1, of_p, -1, of_q, digits);
  to_digits(inverse, digits, rsaxcel_q_inverse, half);
  montgomery_multiply(of_p, of_p, inverse, &p);
  make_canonical(of_p, &p);
  to_words(quotient, half, of_p, digits);
  for (uint32_t i = 0; i < half; i++)
    result[i + half] = add_multiple(result + i, operands->modulus + half, quotient[i], half);
  return OK;
}
