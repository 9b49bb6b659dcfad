/* Hardware on the bus: the driver polls; only what each message needs is measured. */
#define KEY_LOADED
#include "axi.h"
