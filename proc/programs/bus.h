/* The accelerator on the bus (docs/how-to/bus.md), and its interrupt (proc/bus/interrupt.py). */
#ifndef BUS_H
#define BUS_H

#include "bus_registers.h" /* written by tools/programs.py: addresses and fields */
#include "csr.h"

#define bus(name) (*(volatile uint32_t *)(RSAXCEL_BASE + RSAXCEL_##name))

/* Interrupt registers, by number: control registers xcel0 and xcel7 of the processor. They are
 * where the registers of an accelerator at the xcel interface would be. */
enum {
  INTERRUPT_WAIT = 0, /* read: waits for the interrupt */
  BUS_ADDRESS = 7     /* read: 0 if there is no bus */
};

#endif
