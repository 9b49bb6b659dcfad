/* Program that exponentiates on an accelerator on the bus; the driver polls for the end. */
#include "axi.h"
