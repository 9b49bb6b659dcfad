/* As xcel.c, with the key loaded before the measured call. */
#define KEY_LOADED
#include "xcel.h"
