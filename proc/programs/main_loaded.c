/* main.c with the key loaded before the measured region, as it is when a second message follows
 * with the same key. */
#define KEY_LOADED
#include "main.c"
