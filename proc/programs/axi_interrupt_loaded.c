/* Program that exponentiates on an accelerator on the bus; the driver waits for the interrupt. The
 * key is loaded before the measured call. */
#define WAIT_FOR_INTERRUPT
#define KEY_LOADED
#include "axi.h"
