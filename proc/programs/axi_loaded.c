/* Hardware on the bus: the driver polls, and the key is loaded before the measured call. */
#define KEY_LOADED
#include "axi.h"
