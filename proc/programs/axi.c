/* Hardware on the bus: the driver polls. */
#include "axi.h"
