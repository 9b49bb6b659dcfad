"""``Exponentiator``: an exponentiator's circuit that a processor or a bus can be attached to."""

from __future__ import annotations

from abc import abstractmethod
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from rsaxcel.fl.bus import BusRegisters
from rsaxcel.fl.bus_unit import BusUnit
from rsaxcel.fl.exponentiator import host_values
from rsaxcel.fl.status import InputRules
from rsaxcel.fl.word_serial import constant_words
from rsaxcel.fl.xcel import RegisterUnit, XcelRegisters
from rsaxcel.plan.modulus_constants import widths_of

if TYPE_CHECKING:  # at run time, a level is imported only when it is built
    from rsaxcel.fl.circuit import Circuit as _Base
    from rsaxcel.rtl.axi.pins import AxiAccelerator
else:
    _Base = object  # a dataclass would take the properties of a protocol for defaults of its fields


class Exponentiator(_Base):
    """Base of the circuits of exponentiators, behind an adapter for a processor or a bus."""

    revises: ClassVar[bool] = False
    """Whether the circuit takes back its states at a new modulus, for which it must be told."""

    if TYPE_CHECKING:

        @property
        def rules(self) -> InputRules:
            """Input rules."""

    @property
    @abstractmethod
    def design_id(self) -> int:
        """Number of the design, which software reads from an accelerator; 0: it has none."""

    def host_values(self, modulus: int) -> tuple[int, ...]:
        """Values of the constants that the host supplies for a modulus; 0 for one refused."""
        return host_values(self.rules, self.host_constants, modulus)

    def request(self, base: int, exponent: int, modulus: int, /) -> tuple[int, ...]:
        """Fields of the request message; ``wide`` is set if an operand does not fit its field."""
        operands = base, exponent, modulus
        widths = self.nbits, self.exponent_nbits, self.modulus_nbits
        held = tuple(x & (1 << n) - 1 for x, n in zip(operands, widths, strict=True))
        wide = int(held != operands)
        flags = (wide, 0) if self.host_constants else (wide,)
        return (*held, *self.host_values(held[-1]), *flags)

    def check_whole_messages(self) -> None:
        """Raise ``ValueError`` if operands come digit by digit, not in one message."""

    def accelerator(self, level: str) -> Any:
        """PyMTL3 component, not elaborated, with the processor's ``xcel`` minion interface."""
        # At cycle level, the adapter's circuit surrounds the cycle model: cycles are the circuit's.
        if level == "fl":
            return RegisterUnit(lambda: XcelRegisters(self))
        from rsaxcel.rtl.xcel.adapter import XcelAdapter

        return XcelAdapter(*self._behind(level))

    def bus_accelerator(self, level: str) -> Any:
        """PyMTL3 component, not elaborated, with registers for a bus and a padding circuit."""
        # At cycle level, its circuit surrounds the cycle model of the exponentiator.
        if level == "fl":
            return BusUnit(lambda: BusRegisters(self))
        from rsaxcel.rtl.axi.accelerator import BusAccelerator

        more = {"revises": True} if self.revises else {}
        return BusAccelerator(*self._behind(level), **more)

    def axi_accelerator(self, level: str) -> AxiAccelerator:
        """PyMTL3 component, not elaborated: ``bus_accelerator`` behind AXI4-Lite."""
        from rsaxcel.rtl.axi.pins import AxiAccelerator

        return AxiAccelerator(self.bus_accelerator(level))

    def _behind(self, level: str) -> tuple[Any, ...]:
        """Arguments to construct an adapter; ``ValueError``: unknown level or circuit too wide."""
        if level not in self.levels:
            raise ValueError(f"level {level!r}: {', '.join(self.levels)} are allowed")
        if level == "rtl":
            self.check_circuit()
        self.check_whole_messages()
        make = partial(self.component, level)
        constants = widths_of(self.host_constants)
        widths = self.exponent_nbits, self.halves
        return self.nbits, make, self.design_id, constants, *widths

    def constant_words(self, modulus: int) -> list[int]:
        """Constants that the host supplies for a modulus, as 32-bit words in writing order."""
        widths = (constant.nbits for constant in self.host_constants)
        return constant_words(self.operand_nbits, widths, self.host_values(modulus))

    @property
    def modulus_nbits(self) -> int:
        return self.rules.modulus_nbits

    @property
    def operand_nbits(self) -> int:
        """Greatest width of base, result and modulus in messages, in bits."""
        return max(self.nbits, self.modulus_nbits)

    def block_nbytes(self, modulus: int) -> int:
        """Length in bytes of a block (a padded message): the bits of the modulus, rounded up."""
        # The product p * q can have one bit less than p and q together. If that bit alone needs a
        # byte, the block is one byte longer than the product.
        halves = self.halves
        if halves is None:
            return -(-modulus.bit_length() // 8)
        nbits = sum(half.bit_length() for half in halves.split(modulus))
        return -(-min(nbits, self.nbits) // 8)
