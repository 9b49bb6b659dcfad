#include "print.h"

#include <stdarg.h>
#include <stdint.h>

#include "csr.h"

enum { NUMBER = 0x30000, CHARACTER = 0x30001 };

static void send(uint32_t type, uint32_t value)
{
  send_message(type);
  send_message(value);
}

void print(const wchar_t *format, ...)
{
  va_list arguments;
  int after_percent = 0;
  va_start(arguments, format);
  for (; *format; format++) {
    if (*format == '%' && !after_percent) {
      after_percent = 1;
    } else {
      if (after_percent && *format == 'u')
        send(NUMBER, va_arg(arguments, uint32_t));
      else
        send(CHARACTER, *format);
      after_percent = 0;
    }
  }
  va_end(arguments);
}
