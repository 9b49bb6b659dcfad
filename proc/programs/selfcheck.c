/* Program that checks the features on which compiled code relies. It sends 1 if all work, else the
 * number of the first failed check. Numbers of checks start at 2. */
#include <stdint.h>

#include "csr.h"

/* A value that the compiler does not know, so that it cannot compute results in advance. */
#define RUNTIME(type, value) (*(volatile type *)&(type){value})

#define CHECK(number, condition) \
  do {                           \
    if (!(condition))            \
      return number;             \
  } while (0)

static uint32_t initialized[4] = {1, 20, 300, 4000};
static uint32_t cleared[8];
static const int8_t signed_bytes[] = {-128, -1, 0, 127};
static const uint16_t halves[] = {0, 1, 0x7fff, 0x8000, 0xffff};

static uint32_t fibonacci(uint32_t n)
{
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static uint32_t twice(uint32_t x)
{
  return 2 * x;
}

static uint32_t square(uint32_t x)
{
  return x * x;
}

static uint32_t (*const operations[])(uint32_t) = {twice, square, fibonacci};

/* The cases are dense enough for the compiler to make a jump table. */
static uint32_t choose(uint32_t selector)
{
  switch (selector) {
  case 0: return 17;
  case 1: return 4;
  case 2: return 99;
  case 3: return 1000;
  case 4: return 3;
  case 5: return 77;
  case 6: return 12;
  case 7: return 5;
  default: return 0;
  }
}

struct mixed {
  uint8_t byte;
  int16_t half;
  uint32_t word;
  int8_t sign;
};

static uint32_t checksum(const char *text)
{
  uint32_t sum = 0;
  for (; *text != 0; text++)
    sum = sum << 5 ^ sum >> 27 ^ (uint8_t)*text;
  return sum;
}

static uint32_t check_memory(void)
{
  uint32_t sum = 0;
  for (int i = 0; i < 4; i++)
    sum += RUNTIME(uint32_t, initialized[i]);
  CHECK(2, sum == 4321);
  for (int i = 0; i < 8; i++)
    CHECK(3, RUNTIME(uint32_t, cleared[i]) == 0);
  int32_t total = 0;
  for (uint32_t i = 0; i < sizeof signed_bytes; i++)
    total += ((const volatile int8_t *)signed_bytes)[i];
  CHECK(4, total == -2);
  uint32_t wide = 0;
  for (uint32_t i = 0; i < sizeof halves / 2; i++)
    wide += ((const volatile uint16_t *)halves)[i];
  CHECK(5, wide == 0x1ffff);
  volatile struct mixed mixed = {0x12, -2, 0x3456789a, -3};
  mixed.byte += 0xf0;
  mixed.half *= 3;
  CHECK(6, mixed.byte == 2 && mixed.half == -6 && mixed.word == 0x3456789a && mixed.sign == -3);
  return 0;
}

static uint32_t check_words(void)
{
  int32_t minus_seven = RUNTIME(int32_t, -7);
  uint32_t large = RUNTIME(uint32_t, 0xfffffff9);
  CHECK(10, minus_seven / 2 == -3 && minus_seven % 2 == -1);
  CHECK(11, large / 2 == 0x7ffffffc && large % 10 == 9);
  CHECK(12, minus_seven >> 1 == -4 && large >> 1 == 0x7ffffffc);
  CHECK(13, large * large == 49);
  CHECK(14, (minus_seven < 1) && !(large < 1));
  CHECK(15, (uint32_t)RUNTIME(int8_t, -5) == 0xfffffffb && (uint8_t)large == 0xf9);
  return 0;
}

/* For some 64-bit operations the compiler calls functions of libgcc. */
static uint32_t check_long_words(void)
{
  uint64_t a = RUNTIME(uint64_t, 0x123456789abcdef0), b = RUNTIME(uint64_t, 0xfedcba98);
  int64_t negative = RUNTIME(int64_t, -1000000000000);
  CHECK(20, a * b == 0xcf13578ad05ebe80);
  CHECK(21, a / b == 0x12492492);
  CHECK(22, a / b * b + a % b == a && a % b < b);
  CHECK(23, negative / 7 == -142857142857 && negative % 7 == -1);
  CHECK(24, negative >> 12 == -244140625 && (uint64_t)negative >> 60 == 15);
  CHECK(25, a << 20 == 0x6789abcdef000000);
  return 0;
}

static uint32_t check_calls(void)
{
  CHECK(30, fibonacci(RUNTIME(uint32_t, 15)) == 610);
  uint32_t sum = 0;
  for (uint32_t i = 0; i < 3; i++)
    sum += operations[RUNTIME(uint32_t, i)](12);
  CHECK(31, sum == 24 + 144 + 144);
  sum = 0;
  for (uint32_t i = 0; i < 9; i++)
    sum += choose(RUNTIME(uint32_t, i));
  CHECK(32, sum == 1217);
  CHECK(33, checksum("accelerator") == 0xcc995da1);
  return 0;
}

static uint32_t check_csrs(void)
{
  uint32_t before = csr_read(CSR_INSTRET), cycle = csr_read(CSR_CYCLE);
  uint32_t after = csr_read(CSR_INSTRET);
  CHECK(40, after - before == 2);
  CHECK(41, csr_read(CSR_CYCLE) - cycle >= 2);
  return 0;
}

int main(void)
{
  uint32_t (*const checks[])(void) = {check_memory, check_words, check_long_words, check_calls,
                                      check_csrs};
  for (uint32_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
    uint32_t failed = checks[i]();
    if (failed != 0) {
      send_message(failed);
      return 1;
    }
  }
  send_message(1);
  return 0;
}
