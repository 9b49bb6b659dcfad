"""Addresses at the processor's data port: the memory below ``BUS_BASE``, the bus from there on."""

from fl.register_map import c_header
from proc.isa import XLEN

BUS_BIT = XLEN - 1
BUS_BASE = 1 << BUS_BIT
"""First address of the bus and of its accelerator; lower addresses belong to the memory."""

HEADER_NAME = "bus_registers.h"
"""Name of the file that programs include for ``header``."""


def header() -> str:
    """C header with the address of the accelerator, its registers and their fields."""
    return f"#define RSAXCEL_BASE {BUS_BASE:#x}u\n{c_header()}"
