/* Like main_loaded.c, but makes `calls` calls in a row, each on another message, and sends the result
 * of the last call, whose message is the base of the operands. The
 * energy of two calls minus that of one call is the energy of a call with the key loaded. */
#define main main_of_one_call
#include "main.c"
#undef main

/* The loader overwrites it. It lies behind all else, so that it does not move other data. */
uint32_t calls __attribute__((section(".behind"))) = 1;

static uint32_t message[MAX_WORDS];

/* For programs that load no key. */
__attribute__((weak)) void load_key(const struct operands *operands)
{
  (void)operands;
}

int main(void)
{
  struct operands *operands = &rsaxcel_operands;
  uint32_t words = operands->words;
  if (words == 0 || words > MAX_WORDS)
    return EXIT_NO_OPERANDS;
  for (uint32_t i = 0; i < words; i++)
    message[i] = operands->base[i];
  load_key(operands);
  uint32_t status = OK;
  for (uint32_t left = calls; left-- > 0 && status == OK;) {
    for (uint32_t i = 0; i < words; i++)
      operands->base[i] = message[i] >> left; /* below the modulus, as the base is */
    status = measure(operands, words == 1);
  }
  if (status != OK)
    return EXIT_REFUSED + status;
  for (uint32_t i = 0; i < words; i++)
    send_message(result[i]);
  return 0;
}
