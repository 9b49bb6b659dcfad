#include "csr.h"
#include "digits.h"

#define LOADED __attribute__((section(".data")))
struct odd_modulus modulus LOADED;
int32_t a[MAX_DIGITS] LOADED, b[MAX_DIGITS] LOADED;
static int32_t product[MAX_DIGITS], square[MAX_DIGITS];

int main(void)
{
  montgomery_multiply(product, a, b, &modulus);
  montgomery_square(square, a, &modulus);
  montgomery_multiply(a, a, b, &modulus);
  for (uint32_t i = 0; i < modulus.digits; i++) {
    send_message(product[i]);
    send_message(square[i]);
    send_message(a[i]);
  }
  return 0;
}
