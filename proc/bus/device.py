"""Model of the bus in plain Python: the accelerator's registers, at their bus addresses."""

from rsaxcel.fl.bus import BusRegisters
from rsaxcel.fl.register_map import ADDRESS_NBITS, WORD_NBYTES, c_header
from rsaxcel.proc.bus.entropy import entropy
from rsaxcel.proc.isa import XLEN

# Addresses at the processor's data port: the memory below `BUS_BASE`, the bus above.
BUS_BIT = XLEN - 1
#: First address of the bus and of its accelerator; lower addresses belong to the memory.
BUS_BASE = 1 << BUS_BIT

HEADER_NAME = "bus_registers.h"  #: C programs include this file; its text is that of `header`


def header() -> str:
    """Text of a C header with the accelerator's address, its registers and their fields."""
    return f"#define RSAXCEL_BASE {BUS_BASE:#x}u\n{c_header()}"


class BusDevice:
    """An accelerator on the bus, without timing: an operation ends with the write that starts it.

    Addresses are the processor's: ``BUS_BASE`` plus the register's offset.
    """

    def __init__(self, registers: BusRegisters) -> None:
        self._registers = registers
        self._entropy = entropy()

    def read(self, address: int, nbytes: int) -> int | None:
        if not self._is_there(address, nbytes):
            return None
        value, fails = self._registers.read(address - BUS_BASE)
        return None if fails else value

    def write(self, address: int, nbytes: int, data: int) -> bool:
        if not self._is_there(address, nbytes):
            return False
        fails = self._registers.write(address - BUS_BASE, data)
        self._registers.finish(self._entropy)
        return not fails

    @property
    def interrupt(self) -> bool:
        return self._registers.interrupt

    @staticmethod
    def _is_there(address: int, nbytes: int) -> bool:
        return nbytes == WORD_NBYTES and 0 <= address - BUS_BASE < 1 << ADDRESS_NBITS
