/* Computes the constants of the modulus that the accelerator needs, by the table. This is not
 * measured: the constants depend on the modulus alone and are computed once per key. */
#include "bus.h"
#include "constants.h"
#include "csr.h"
#include "registers.h"
#include "words.h"

/* Write a constant to its place, whose words are zeros; returns 0 if the constant has more than
 * nbits bits, or more words than the place. The time depends on lengths only. */
static int put_constant(uint32_t *place, uint32_t words, struct number value, uint32_t nbits)
{
  uint32_t above = 0;
  for (uint32_t i = 0; i < value.words; i++) {
    uint32_t word = value.word[i];
    if (i >= words || i >= nbits / 32)
      above |= i < words && i == nbits / 32 ? word >> nbits % 32 : word;
    if (i < words)
      place[i] = word;
  }
  return above == 0;
}

/* Compute the constants of the modulus in the operands, one after the other. Each is padded with
 * zeros to the same length: one word more than the accelerator's operands have, or the words of the
 * widest constant if these are more. Returns the number of words of all constants.
 *
 * If the accelerator will refuse the modulus, the constants are zeros. If a constant is longer than
 * declared, or than its space, the function returns 0: the accelerator will report missing
 * constants. */
static uint32_t compute_constants(const struct operands *operands, uint32_t accelerator_words)
{
  uint32_t least = formulas.least_each;
  uint32_t each = accelerator_words + 1 < least ? least : accelerator_words + 1;
  uint32_t words = formulas.count * each;
  uint32_t *place = formulas.constants;
  clear(place, words);
  if (!choose_modulus(operands, accelerator_words))
    return words;
  for (struct step *step = formulas.step; step < formulas.step + formulas.steps; step++) {
    if (step->operation != PUT) {
      step->result = result_of(step, operands);
      continue;
    }
    if (!put_constant(place, each, step->a->result, step->number))
      return 0;
    place += each;
  }
  return words;
}

/* Words of the operands of an accelerator on the bus. */
static uint32_t words_on_bus(void)
{
  uint32_t widths = bus(WIDTHS);
  uint32_t nbits = (widths & RSAXCEL_WIDTHS_NBITS) >> RSAXCEL_WIDTHS_NBITS_LSB;
  if (formulas.half_words != 0) {
    /* With two halves, the modulus in a request is as wide as the exponents of the halves. */
    uint32_t both = (widths & RSAXCEL_WIDTHS_EXPONENT_NBITS) >> RSAXCEL_WIDTHS_EXPONENT_NBITS_LSB;
    both -= formulas.above_exponents_nbits;
    nbits = nbits < both ? both : nbits;
  }
  return (nbits + 31) / 32;
}

__attribute__((section(".text.start"))) uint32_t prepare(const struct operands *operands)
{
  if (formulas.on_bus && xcel_read(BUS_ADDRESS) == 0)
    return 0; /* no accelerator: the driver reports it */
  uint32_t words = formulas.on_bus ? words_on_bus() : xcel_read(WORDS);
  /* For a wider accelerator there is no space: without constants, it reports missing constants. */
  if (words <= MAX_WORDS)
    *formulas.constant_words = compute_constants(operands, words);
  return *formulas.constant_words;
}
