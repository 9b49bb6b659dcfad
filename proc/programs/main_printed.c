/* Runs one exponentiation on the operands that the loader wrote, as the evaluation programs of
 * McNay's course do: the measured region is the call of the function alone; then the program checks
 * the result against the expected one and prints a line, character by character. Before that it
 * sends the result, as all programs here do. Operands have one word.
 *
 * Exit status as in main.c, and 2 if the result is wrong. */
#include "printed.h"

#include "csr.h"
#include "print.h"

enum { EXIT_NO_OPERANDS = 1, EXIT_WRONG = 2, EXIT_REFUSED = 16 };

/* The loader overwrites these zeros; they are in .data, so that the file has space for them. */
struct operands rsaxcel_operands __attribute__((section(".data")));

/* Default, for software. */
__attribute__((weak)) uint32_t check_answer(void)
{
  return OK;
}

/* Called by start_printed.S. */
int evaluate(void)
{
  const struct operands *operands = &rsaxcel_operands;
  if (operands->words == 0)
    return EXIT_NO_OPERANDS;
  uint32_t status = check_operands(operands);
  if (status != OK)
    return EXIT_REFUSED + status;
  uint32_t base = operands->base[0], exponent = operands->exponent[0];
  uint32_t modulus = operands->modulus[0];

  csr_write(CSR_STATS_EN, 1);
  uint32_t result = mod_exp(base, exponent, modulus);
  csr_write(CSR_STATS_EN, 0);

  status = check_answer();
  if (status != OK)
    return EXIT_REFUSED + status;
  send_message(result);
  if (result != operands->expect[0]) {
    print(L"\n FAILED: %u instead of %u\n\n", result, operands->expect[0]);
    return EXIT_WRONG;
  }
  print(L"\n **PASSED** \n\n");
  return 0;
}
