/* Program that exponentiates on an accelerator on the bus; the driver polls for the end. The key is
 * loaded before the measured call. */
#define KEY_LOADED
#include "axi.h"
