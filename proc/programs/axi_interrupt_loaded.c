/* Hardware on the bus: the driver waits for the interrupt, and the key is loaded before the
 * measured call. */
#define WAIT_FOR_INTERRUPT
#define KEY_LOADED
#include "axi.h"
