/* An example of a program: small kernels with answers that are known otherwise. It prints a line for
 * each, by messages that are characters (rsaxcel run --text), and measures all of them together. */
#include "csr.h"

enum { NUMBERS = 200, SIZE = 10, BYTES = 300 };

static uint32_t random_state = 1;

static uint32_t next_random(void)
{
  random_state = random_state * 1664525 + 1013904223;
  return random_state;
}

/* There is no C library: numbers are printed by hand. */
static void send_number(uint32_t number)
{
  char digits[11], *first = digits + sizeof digits - 1;
  *first = 0;
  do {
    *--first = (char)('0' + number % 10);
    number /= 10;
  } while (number);
  send_text(first);
}

static void send_line(const char *name, uint32_t answer)
{
  send_text(name);
  send_text(" ");
  send_number(answer);
  send_text("\n");
}

/* Sort: a linked list, by merging. */

struct node {
  struct node *next;
  int32_t value;
};

static struct node *merge(struct node *a, struct node *b)
{
  struct node head = {0, 0}, *last = &head;
  while (a && b) {
    struct node **smaller = a->value <= b->value ? &a : &b;
    last->next = *smaller;
    last = *smaller;
    *smaller = last->next;
  }
  last->next = a ? a : b;
  return head.next;
}

static struct node *sort(struct node *list, uint32_t length)
{
  if (length < 2) {
    if (list)
      list->next = 0;
    return list;
  }
  struct node *middle = list;
  for (uint32_t i = 0; i < length / 2; i++)
    middle = middle->next;
  struct node *upper = sort(middle, length - length / 2);
  return merge(sort(list, length / 2), upper);
}

static uint32_t sort_numbers(void)
{
  static struct node nodes[NUMBERS];
  for (uint32_t i = 0; i < NUMBERS; i++)
    nodes[i] = (struct node){i + 1 < NUMBERS ? &nodes[i + 1] : 0, (int32_t)next_random()};
  uint32_t place = 0, answer = 0;
  for (struct node *node = sort(nodes, NUMBERS); node; node = node->next)
    answer += ++place * (uint32_t)node->value;
  return answer;
}

/* Matrix: a product of signed half words. */

static uint32_t multiply_matrices(void)
{
  static int16_t a[SIZE][SIZE], b[SIZE][SIZE];
  for (uint32_t i = 0; i < SIZE * SIZE; i++) {
    a[i / SIZE][i % SIZE] = (int16_t)(next_random() >> 16);
    b[i / SIZE][i % SIZE] = (int16_t)(next_random() >> 16);
  }
  uint32_t answer = 0;
  for (uint32_t i = 0; i < SIZE; i++)
    for (uint32_t j = 0; j < SIZE; j++) {
      uint32_t sum = 0;
      for (uint32_t k = 0; k < SIZE; k++)
        sum += (uint32_t)(a[i][k] * b[k][j]);
      answer = answer * 31 + sum;
    }
  return answer;
}

/* CRC-32, a bit at a time. */

static uint32_t crc(const uint8_t *bytes, uint32_t count)
{
  uint32_t remainder = 0xffffffff;
  for (uint32_t i = 0; i < count; i++) {
    remainder ^= bytes[i];
    for (int bit = 0; bit < 8; bit++)
      remainder = remainder >> 1 ^ (0xedb88320 & -(remainder & 1));
  }
  return ~remainder;
}

static uint32_t crc_of_bytes(void)
{
  static uint8_t bytes[BYTES];
  for (uint32_t i = 0; i < BYTES; i++)
    bytes[i] = (uint8_t)(next_random() >> 24);
  return crc(bytes, BYTES);
}

/* Strings: the sum of the numbers in a text, decimal, hexadecimal and negative ones. */

static const char text[] = "12 0x1f, -7;x9 0xg 4294967295,abc 0xFFFF  3- 007 --5 65536;-0x10 0x";

static int digit(char character, uint32_t radix)
{
  int value = character >= '0' && character <= '9'   ? character - '0'
              : character >= 'a' && character <= 'f' ? character - 'a' + 10
              : character >= 'A' && character <= 'F' ? character - 'A' + 10
                                                     : 99;
  return value < (int)radix ? value : -1;
}

static int is_blank(char character)
{
  return character == ' ' || character == ',' || character == ';';
}

static uint32_t sum_of_numbers(void)
{
  uint32_t sum = 0;
  for (const char *at = text; *at;) {
    if (is_blank(*at)) {
      at++;
      continue;
    }
    int negative = *at == '-';
    at += negative;
    uint32_t radix = at[0] == '0' && at[1] == 'x' ? 16 : 10, number = 0;
    at += radix == 16 ? 2 : 0;
    int good = digit(*at, radix) >= 0;
    for (; *at && !is_blank(*at); at++) {
      good &= digit(*at, radix) >= 0;
      number = number * radix + (uint32_t)digit(*at, radix);
    }
    if (good)
      sum += negative ? -number : number;
  }
  return sum;
}

/* Code that the program writes: a function of two instructions, each time another one. */

static uint32_t write_code(void)
{
  static uint32_t function[2];
  uint32_t answer = 0;
  for (uint32_t i = 1; i <= 5; i++) {
    function[0] = 0x00050513 | i << 20; /* addi a0, a0, i */
    function[1] = 0x00008067;           /* ret */
    fence_i();
    answer = ((uint32_t(*)(uint32_t))function)(answer) * 10;
  }
  return answer;
}

int main(void)
{
  uint64_t before = read_instructions();
  csr_write(CSR_STATS_EN, 1);
  uint32_t sorted = sort_numbers();
  uint32_t product = multiply_matrices();
  uint32_t remainder = crc_of_bytes();
  uint32_t sum = sum_of_numbers();
  uint32_t written = write_code();
  csr_write(CSR_STATS_EN, 0);
  uint64_t instructions = read_instructions() - before;
  send_line("sort", sorted);
  send_line("matrix", product);
  send_line("crc", remainder);
  send_line("strings", sum);
  send_line("code", written);
  send_line("instructions", (uint32_t)instructions);
  return instructions >> 32 != 0;
}
