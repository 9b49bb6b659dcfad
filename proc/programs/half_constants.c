/* Constants of a modulus of two halves, the secret primes p and q (constants.h). Branches and
 * addresses depend only on lengths: the lengths of the operands, and those of p and q in bits. No
 * secret number is divided, because the time of a division may depend on its operands.
 *
 * m is the half that was chosen, R = 2**(32 * words). Residues are 0 .. m - 1. */
#include "constants.h"

#include "inverse.h"
#include "words.h"

#define SPACE (MAX_WORDS + 2)

static uint32_t modulus[SPACE]; /* m, with zeros above it */
static uint32_t words, nbits;   /* length of m without leading zero words, and in bits */
static uint32_t negated;        /* -1 / m mod 2**32 */

static uint32_t scratch[2 * SPACE];

int choose_modulus(const struct operands *operands, uint32_t accelerator_words)
{
  (void)accelerator_words;
  uint32_t half_words = formulas.half_words;
  for (uint32_t half = 0; half < 2; half++) {
    const uint32_t *number = operands->modulus + half * half_words;
    uint32_t length = bit_length(number, half_words);
    if (length < 2 || length > formulas.half_nbits || number[0] % 2 == 0)
      return 0;
  }
  return used_words(operands->modulus, operands->words) <= 2 * half_words;
}

static void choose_half(const struct operands *operands, uint32_t half)
{
  const uint32_t *number = operands->modulus + half * formulas.half_words;
  words = used_words(number, formulas.half_words);
  nbits = bit_length(number, formulas.half_words);
  copy(modulus, number, words);
  clear(modulus + words, 2);
  negated = -inverse(modulus[0]);
}

/* number = number + top * R, a sum below 2 * m, is brought below m. The factor is 1 if the
 * difference is negative, else 0. */
static void correct(uint32_t *number, uint32_t top)
{
  uint32_t borrow = subtract(number, modulus, words);
  add_multiple(number, modulus, borrow - top, words);
}

/* result = number / 2**(32 * count) mod m. The number has count + words words, is below
 * 2**(32 * count) * m, and is overwritten. */
static void montgomery_reduce(uint32_t *result, uint32_t *number, uint32_t count)
{
  uint32_t top = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t carry = add_multiple(number + i, modulus, number[i] * negated, words);
    uint64_t sum = (uint64_t)number[i + words] + carry + top;
    number[i + words] = sum;
    top = sum >> 32;
  }
  correct(number + count, top);
  copy(result, number + count, words);
}

/* Greatest t for which R * 2**t is reached by doublings from R; a greater t is reached by
 * squares. */
#define FEW_DOUBLINGS 16

/* The power 2**(nbits - 1) is a residue. Doublings lead to R * 2**t, with t the upper bits of the
 * exponent; a Montgomery square turns R * 2**t into R * 2**(2 * t). */
static struct number power_of_two(uint32_t *space, uint32_t exponent)
{
  uint32_t halvings = 0;
  while (exponent >> halvings > FEW_DOUBLINGS)
    halvings++;
  uint32_t doublings = 32 * words - (nbits - 1) + (exponent >> halvings);
  clear(space, words);
  space[(nbits - 1) / 32] = 1u << (nbits - 1) % 32;
  for (;;) {
    for (; doublings > 0; doublings--)
      correct(space, add_multiple(space, space, 1, words));
    if (halvings == 0)
      break;
    multiply(scratch, space, space, words);
    montgomery_reduce(space, scratch, words);
    doublings = exponent >> --halvings & 1;
  }
  copy(scratch, space, words);
  clear(scratch + words, words);
  montgomery_reduce(space, scratch, words);
  return (struct number){words, space};
}

/* Division steps that are executed together: their factors fit a signed word. */
#define STEPS 30

/* f becomes (u * f + v * g) / 2**STEPS, g becomes (q * f + r * g) / 2**STEPS. */
struct matrix {
  int32_t u, v, q, r;
};

/* Execute STEPS division steps on the lowest words of f, which is odd, and of g. A step replaces
 * delta, f and g by
 *
 *   1 - delta, g, (g - f) / 2                if delta > 0 and g is odd
 *   1 + delta, f, (g + (g mod 2) * f) / 2    otherwise.
 *
 * Returns the new delta. Source: Bernstein and Yang, "Fast constant-time gcd computation and modular
 * inversion", 2019, section 8. */
static int32_t divide_steps(struct matrix *matrix, int32_t delta, uint32_t f, uint32_t g)
{
  uint32_t u = 1, v = 0, q = 0, r = 1;
  for (int step = 0; step < STEPS; step++) {
    uint32_t odd = -(g & 1);
    uint32_t swap = odd & (-delta >> 31);
    uint32_t of_f = (f ^ g) & swap, of_u = (u ^ q) & swap, of_v = (v ^ r) & swap;
    f ^= of_f, u ^= of_u, v ^= of_v;
    g = ((g ^ of_f) ^ swap) - swap;
    q = ((q ^ of_u) ^ swap) - swap;
    r = ((r ^ of_v) ^ swap) - swap;
    delta = (int32_t)((delta ^ swap) - swap) + 1;
    g = (g + (f & odd)) >> 1;
    q += u & odd, r += v & odd;
    u <<= 1, v <<= 1;
  }
  *matrix = (struct matrix){u, v, q, r};
  return delta;
}

/* sum = a * x + b * y, in two's complement of `length` words. */
static void combine(uint32_t *sum, int32_t a, const uint32_t *x, int32_t b, const uint32_t *y,
                    uint32_t length)
{
  clear(sum, length);
  add_multiple(sum, x, a, length);
  add_multiple(sum, y, b, length);
  /* A negative factor was taken as 2**32 more than it is. */
  uint32_t of_x = a >> 31, of_y = b >> 31, borrow = 0;
  for (uint32_t i = 1; i < length; i++) {
    uint64_t difference = (uint64_t)sum[i] - (x[i - 1] & of_x) - (y[i - 1] & of_y) - borrow;
    sum[i] = difference;
    borrow = -(uint32_t)(difference >> 32);
  }
}

/* to = sum / 2**STEPS; the sum is a multiple of 2**STEPS. */
static void shift_steps(uint32_t *to, uint32_t *sum, uint32_t length)
{
  for (uint32_t i = 0; i + 1 < length; i++)
    to[i] = sum[i] >> STEPS | sum[i + 1] << (32 - STEPS);
  to[length - 1] = (int32_t)sum[length - 1] >> STEPS;
}

/* to = sum / 2**32 mod m, by a multiple of m that makes the sum a multiple of 2**32. */
static void divide_word(uint32_t *to, uint32_t *sum, uint32_t length)
{
  add_multiple(sum, modulus, sum[0] * negated, length);
  copy(to, sum + 1, length - 1);
  to[length - 1] = (int32_t)to[length - 2] >> 31;
}

/* x, y = the product of the matrix and (x, y), divided. */
static void transform(uint32_t *x, uint32_t *y, const struct matrix *matrix, uint32_t length,
                      void divide(uint32_t *to, uint32_t *sum, uint32_t length))
{
  static uint32_t other[SPACE];
  combine(scratch, matrix->u, x, matrix->v, y, length);
  combine(other, matrix->q, x, matrix->r, y, length);
  divide(x, scratch, length);
  divide(y, other, length);
}

/* All ones if the value is 0, else 0. */
static uint32_t mask_of_zero(uint32_t value)
{
  return ((value | -value) >> 31) - 1;
}

/* Division steps begin with f = p and g = q / 2**(32 * length of q) mod p. As many as are executed
 * here, by the length of p, end with g = 0, and with f the greatest common divisor or its negative
 * (Bernstein and Yang, theorem 11.2). After n calls of transform
 *
 *   of_f * g_0 = f * 2**((STEPS - 32) * n) modulo p,
 *
 * and the same with of_g and g, where g_0 is the first g. So at the end, of_f or its negative is the
 * inverse of q, times a power of two. f and g are between -p and p, of_f and of_g between -4/3 p
 * and 4/3 p. Numbers have two words more than p, because u * of_f + v * of_g plus the multiple of p
 * in divide_word has up to 32 bits more than p, and a sign. */
static struct number recombination(uint32_t *space, const struct operands *operands,
                                   uint32_t exponent)
{
  uint32_t half_words = formulas.half_words;
  static uint32_t f[SPACE], g[SPACE], of_f[SPACE], of_g[SPACE], power[SPACE];
  choose_half(operands, 0);
  const uint32_t *q = operands->modulus + half_words;
  uint32_t q_words = used_words(q, half_words), length = words + 2;
  copy(scratch, q, q_words);
  clear(scratch + q_words, words);
  clear(g, length);
  montgomery_reduce(g, scratch, q_words);
  copy(f, modulus, length);
  clear(of_f, length);
  clear(of_g, length);
  of_g[0] = 1;

  struct matrix matrix;
  int32_t delta = 1;
  uint32_t transforms = ((49 * nbits + 80) / 17 + STEPS - 1) / STEPS;
  for (uint32_t i = 0; i < transforms; i++) {
    delta = divide_steps(&matrix, delta, f[0], g[0]);
    transform(f, g, &matrix, length, shift_steps);
    transform(of_f, of_g, &matrix, length, divide_word);
  }

  uint32_t sign = (int32_t)f[length - 1] >> 31;
  uint32_t not_one = ((f[0] ^ sign) - sign) ^ 1;
  for (uint32_t i = 1; i < length; i++)
    not_one |= f[i] ^ sign;

  /* of_f with the sign of f, made positive by 2 * p, times the power of two that is missing: what
   * the lines above and the reduction below divide by. */
  combine(g, sign | 1, of_f, 2, modulus, length);
  power_of_two(power, exponent + 32 * (words + 1) + (32 - STEPS) * transforms - 32 * q_words);
  power[words] = 0;
  multiply(scratch, g, power, words + 1);
  montgomery_reduce(space, scratch, words + 1);
  for (uint32_t i = 0; i < words; i++)
    space[i] &= mask_of_zero(not_one);
  return (struct number){words, space};
}

struct number result_of(const struct step *step, const struct operands *operands)
{
  switch (step->operation) {
  case CHOOSE_HALF:
    choose_half(operands, step->number);
    return step->result;
  case POWER_OF_TWO:
    return power_of_two(step->space, step->number);
  default:
    return recombination(step->space, operands, step->number);
  }
}
