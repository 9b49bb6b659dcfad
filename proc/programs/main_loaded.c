/* main.c with the key loaded before the measured call, as for a second message. */
#define KEY_LOADED
#include "main.c"
