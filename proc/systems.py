"""Systems: a processor of any level with any accelerator, or none."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pymtl3 import Component, connect

import catalog
from catalog import Configuration
from fl.modulus_constants import ModulusConstant
from fl.xcel import NullRegisters, Registers, RegisterUnit, XcelRegisters
from proc.elf import Image, load_elf
from proc.operands import write_operands
from proc.ports import SYSTEM_PORTS, add_system_ports
from proc.proc_fl import ProcFL
from proc.proc_rtl import ProcRTL
from proc.programs.build import build
from proc.programs.formulas import source_of
from rtl.xcel.null import NullXcel

PROCESSORS = {"fl": ProcFL, "rtl": ProcRTL}
"""Processors by level."""

NULL_SYSTEM = "proc_null"
_PREFIX = "proc_"
_NULL_WIDTHS = range(8, 4097)
_SOFTWARE = ("naive", "montgomery")
_DRIVER = "xcel"
OVERHEAD = "dummy"
"""Program that computes nothing: what every program costs besides its exponentiation."""


@dataclass(frozen=True)
class System:
    """A processor with an accelerator, by name.

    Parameters
    ----------
    name : str
        ``proc_`` and the design, or ``proc_null``.
    nbits : int
        Width of the operands in bits; without an accelerator it changes no circuit.
    configuration : catalog.Configuration or None
        The accelerator; None where there is none.
    """

    name: str
    nbits: int
    configuration: Configuration | None

    @property
    def key(self) -> str:
        """Name of the circuit: with the width and the parameters of the accelerator."""
        return self.name if self.configuration is None else _PREFIX + self.configuration.name

    @property
    def exponent_nbits(self) -> int:
        """Width of exponents in bits."""
        return self.nbits if self.configuration is None else self.configuration.exponent_nbits

    @property
    def params(self) -> dict[str, Any]:
        """Parameters of the accelerator by name."""
        return {} if self.configuration is None else self.configuration.params

    @property
    def programs(self) -> tuple[str, ...]:
        """Programs that exponentiate on this system, and the one that only shows the overhead."""
        exponentiate = _SOFTWARE if self.configuration is None else (_DRIVER,)
        return (*exponentiate, OVERHEAD)

    @property
    def constants(self) -> tuple[ModulusConstant, ...]:
        """Constants of the modulus that the accelerator asks of the host, in their order."""
        return () if self.configuration is None else self.configuration.host_constants

    def build(self, program: str) -> Path:
        """Build a program for this system: the driver computes the accelerator's constants.

        Raises
        ------
        CompilerError
            If the compiler is missing or fails.
        """
        return build(program, self.constants)

    def image(self, program: str, base: int, exponent: int, modulus: int) -> Image:
        """Build a program, load it and give it its operands.

        Raises
        ------
        CompilerError
            If the compiler is missing or fails.
        """
        image = load_elf(self.build(program))
        write_operands(image, base, exponent, modulus)
        return image

    def registers(self) -> Registers:
        """Make the accelerator's registers in plain Python."""
        if self.configuration is None:
            return NullRegisters()
        return XcelRegisters(self.configuration)

    def component(self, accelerator_level: str = "rtl") -> "ProcXcel":
        """Make the PyMTL3 component, not elaborated: the processor at RTL, and the accelerator.

        Parameters
        ----------
        accelerator_level : str
            Level of the accelerator: ``fl``, ``cl`` or ``rtl``.
        """
        return build_system("rtl", self.configuration, accelerator_level)


def find_system(name: str, nbits: int = 32, **params: Any) -> System:
    """System by its name, or by that of its design.

    Raises
    ------
    ValueError
        For an unknown name, a width or parameter that the design does not have, or constants of the
        modulus that the driver cannot compute.
    """
    design = name.removeprefix(_PREFIX)
    if design == NULL_SYSTEM.removeprefix(_PREFIX):
        if params:
            raise ValueError(f"{', '.join(params)}: {NULL_SYSTEM} has no parameters")
        if nbits not in _NULL_WIDTHS:
            widths = f"{_NULL_WIDTHS[0]} to {_NULL_WIDTHS[-1]}"
            raise ValueError(f"nbits={nbits}: {widths} bits allowed for {NULL_SYSTEM}")
        return System(NULL_SYSTEM, nbits, None)
    if design not in catalog.DESIGNS:
        systems = ", ".join((NULL_SYSTEM, *(_PREFIX + known for known in catalog.DESIGNS)))
        raise ValueError(f"system {name!r} is unknown; allowed: {systems}")
    system = System(_PREFIX + design, nbits, catalog.get(design).configure(nbits, **params))
    source_of(system.constants)  # refuses what the driver cannot compute
    return system


def is_system(name: str) -> bool:
    """Tell a system's full name from a design's."""
    return name.startswith(_PREFIX)


class ProcXcel(Component):
    """A processor and an accelerator.

    Parameters
    ----------
    processor : Component
        With the ports of ``proc.ports``, not elaborated.
    accelerator : Component
        With ``xcel`` minion, not elaborated.

    Ports
    -----
    Those of the processor, except ``xcel``.
    """

    def construct(s, processor, accelerator):
        add_system_ports(s)

        s.proc = processor
        s.xcel = accelerator
        s.proc.xcel //= s.xcel.xcel
        for name in SYSTEM_PORTS:
            connect(getattr(s, name), getattr(s.proc, name))

    def line_trace(s):
        return f"{s.proc.line_trace()} {s.xcel.line_trace()}"


def build_accelerator(level: str, configuration: Configuration | None) -> Component:
    """Accelerator of a configuration at a level, ``fl``, ``cl`` or ``rtl``; None: the null one."""
    if configuration is not None:
        return configuration.accelerator(level)
    return RegisterUnit(NullRegisters) if level == "fl" else NullXcel()


def build_system(
    level: str, configuration: Configuration | None = None, accelerator_level: str | None = None
) -> ProcXcel:
    """Build a system, not elaborated.

    Parameters
    ----------
    level : str
        Level of the processor: ``fl`` or ``rtl``.
    configuration : catalog.Configuration, optional
        The accelerator; without one, the null accelerator (``proc_null``).
    accelerator_level : str, optional
        Level of the accelerator: ``fl``, ``cl`` or ``rtl``; that of the processor unless given.

    Raises
    ------
    ValueError
        For another level.
    """
    if level not in PROCESSORS:
        raise ValueError(f"level {level!r}: {', '.join(PROCESSORS)} are allowed")
    accelerator = build_accelerator(accelerator_level or level, configuration)
    return ProcXcel(PROCESSORS[level](), accelerator)
