/* Program that exponentiates on an accelerator at the processor's xcel interface. */
#include "xcel.h"
