/* Text for the manager, a message of type and a message for each character. */
#ifndef PRINT_H
#define PRINT_H

#include <stddef.h>

/* Send a text: %u stands for the next argument, an unsigned number, %% for a percent sign. Texts
 * have characters of a word each, because McNay's base processor loads and stores words only. */
void print(const wchar_t *format, ...);

#endif
