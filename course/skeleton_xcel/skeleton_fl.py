"""Skeleton: the functional model, registers as software sees them.

The words of an operand go to one register, the highest first; a start takes the operands, and the
next ones begin from 0. core/core.toml has the same protocol, app/accelerator.c speaks it.
"""

# TODO: registers and protocol of your accelerator.
GO, BASE, EXPONENT, MODULUS, RESULT = range(5)
OPERANDS = (BASE, EXPONENT, MODULUS)


class Registers:
    """Registers of 32 bits at the addresses 0 to 31, which are the processor's CSRs from 0x7e0.

    Parameters
    ----------
    nbits : int; width of operands and result in bits
    """

    def __init__(self, nbits: int):
        self._mask = (1 << nbits) - 1
        self._operands = dict.fromkeys(OPERANDS, 0)
        self._result = 0

    def write(self, address: int, data: int) -> None:
        """GO: bit 0 starts; an operand: its next word."""
        if address in self._operands:
            self._operands[address] = (self._operands[address] << 32 | data) & self._mask
        elif address == GO and data & 1:
            base, exponent, modulus = self._operands.values()
            self._result = pow(base, exponent, modulus) if modulus else 0
            self._operands = dict.fromkeys(OPERANDS, 0)

    def read(self, address: int) -> int:
        """GO: 1 if the result is there; RESULT: its next word, the lowest first."""
        if address != RESULT:
            return int(address == GO)
        word = self._result & 0xFFFF_FFFF
        self._result >>= 32
        return word
