/* The program of the accelerator: speaks the protocol of its registers. */
#include "csr.h"
#include "modexp.h"
#include "words.h"

/* TODO: registers and protocol of your accelerator, as in skeleton_fl.py. */
enum { GO, BASE, EXPONENT, MODULUS, RESULT };

uint32_t check_operands(const struct operands *operands)
{
  return check_rules(operands, 0);
}

static void start_and_wait(void)
{
  xcel_write(GO, 1);
  while (!xcel_read(GO))
    ;
}

/* Operands of one word. */
struct answer modexp_word(uint32_t base, uint32_t exponent, uint32_t modulus)
{
  xcel_write(BASE, base);
  xcel_write(EXPONENT, exponent);
  xcel_write(MODULUS, modulus);
  start_and_wait();
  return (struct answer){OK, xcel_read(RESULT)};
}

uint32_t modexp_words(uint32_t *result, const struct operands *operands)
{
  for (uint32_t i = operands->words; i-- > 0;) {
    xcel_write(BASE, operands->base[i]);
    xcel_write(EXPONENT, operands->exponent[i]);
    xcel_write(MODULUS, operands->modulus[i]);
  }
  start_and_wait();
  for (uint32_t i = 0; i < operands->words; i++)
    result[i] = xcel_read(RESULT);
  return OK;
}
