/* Hardware: the exponentiation runs on the accelerator. */
#include "xcel.h"
