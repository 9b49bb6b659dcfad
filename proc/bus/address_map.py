"""Addresses of the processor's data port: memory below, the bus above."""

from fl.register_map import c_header
from proc.isa import XLEN

BUS_BIT = XLEN - 1
BUS_BASE = 1 << BUS_BIT
"""First address of the bus, and of the accelerator on it. What is below belongs to the memory."""

HEADER_NAME = "bus_registers.h"
"""Name under which programs include ``header``."""


def header() -> str:
    """C header with the accelerator's address, and its registers and fields."""
    return f"#define RSAXCEL_BASE {BUS_BASE:#x}u\n{c_header()}"
