/* Runs one exponentiation on the operands that the loader wrote, and sends the words of the result.
 *
 * The measured region, in which stats_en is 1, is the exponentiation with its input checks:
 * accelerators check their operands, and so does software. Constants that an accelerator needs from
 * its host are computed before the region, because they depend on the modulus alone and are
 * computed once per key. Handing them over is measured, unless the program loads the key before
 * (main_loaded.c).
 *
 * Exit status: 0; 16 plus the status code if the operands are refused; 1 if no operands were
 * written; 32 without an accelerator. */
#include "csr.h"
#include "modexp.h"

enum { EXIT_NO_OPERANDS = 1, EXIT_REFUSED = 16 };

/* The loader overwrites these zeros; they are in .data, so that the file has space for them. */
struct operands rsaxcel_operands __attribute__((section(".data")));

/* The result is written in the measured region. Therefore it is placed below 2 KiB, where one
 * instruction reaches it, unless there is too much measured code before it. */
static uint32_t result[MAX_WORDS] __attribute__((section(".data.first")));

/* Default of prepare, for programs without constants. */
__attribute__((weak)) uint32_t prepare(const struct operands *operands)
{
  (void)operands;
  return 0;
}

/* Run the exponentiation in the measured region; returns its status code. */
static uint32_t measure(const struct operands *operands, int one_word)
{
  uint32_t status;
  if (one_word) {
    uint32_t base = operands->base[0];
    uint32_t exponent = operands->exponent[0];
    uint32_t modulus = operands->modulus[0];
    csr_write(CSR_STATS_EN, 1);
    status = check_operands(operands);
    if (status == OK) {
      struct answer answer = modexp_word(base, exponent, modulus);
      status = answer.status;
      result[0] = answer.result;
    }
    csr_write(CSR_STATS_EN, 0);
  } else {
    csr_write(CSR_STATS_EN, 1);
    status = check_operands(operands);
    if (status == OK)
      status = modexp_words(result, operands);
    csr_write(CSR_STATS_EN, 0);
  }
  return status;
}

int main(void)
{
  const struct operands *operands = &rsaxcel_operands;
  uint32_t words = operands->words;
  if (words == 0 || words > MAX_WORDS)
    return EXIT_NO_OPERANDS;
  uint32_t constant_words = prepare(operands);
#ifdef KEY_LOADED
  load_key(operands);
  constant_words = 0;
#endif
  uint32_t status = measure(operands, words == 1 && constant_words == 0);
  if (status != OK)
    return EXIT_REFUSED + status;
  for (uint32_t i = 0; i < words; i++)
    send_message(result[i]);
  return 0;
}
