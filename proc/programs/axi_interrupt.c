/* Program that exponentiates on an accelerator on the bus; the driver waits for the interrupt. */
#define WAIT_FOR_INTERRUPT
#include "axi.h"
