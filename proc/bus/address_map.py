"""Addresses at the processor's data port: the memory below ``BUS_BASE``, the bus above."""

from rsaxcel.fl.register_map import c_header
from rsaxcel.proc.isa import XLEN

BUS_BIT = XLEN - 1
#: First address of the bus and of its accelerator; lower addresses belong to the memory.
BUS_BASE = 1 << BUS_BIT

HEADER_NAME = "bus_registers.h"  #: C programs include this file; its text is that of `header`


def header() -> str:
    """Text of a C header with the accelerator's address, its registers and their fields."""
    return f"#define RSAXCEL_BASE {BUS_BASE:#x}u\n{c_header()}"
