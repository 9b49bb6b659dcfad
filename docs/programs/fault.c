/* An example of a program that fails: it reads words from an address that is not a multiple of 4. */
#include "csr.h"

static volatile uint32_t words[64];

__attribute__((noinline)) uint32_t sum(const uint32_t *at, uint32_t count)
{
  uint32_t total = 0;
  for (uint32_t i = 0; i < count; i++)
    total += at[i];
  return total;
}

int main(void)
{
  words[3] = 4;
  return (int)sum((const uint32_t *)((const char *)words + 2), 5);
}
