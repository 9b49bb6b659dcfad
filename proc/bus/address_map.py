"""Addresses at the processor's data port: the memory below ``BUS_BASE``, the bus above."""

from rsaxcel.fl.register_map import c_header
from rsaxcel.proc.isa import XLEN

BUS_BIT = XLEN - 1
BUS_BASE = 1 << BUS_BIT
"""First address of the bus and of its accelerator; lower addresses belong to the memory."""

HEADER_NAME = "bus_registers.h"
"""Name of the file that C programs include; it has the text that ``header`` returns."""


def header() -> str:
    """Text of a C header with the accelerator's address, its registers and their fields."""
    return f"#define RSAXCEL_BASE {BUS_BASE:#x}u\n{c_header()}"
