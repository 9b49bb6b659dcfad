"""Systems: a processor at FL or RTL with any accelerator, or without an accelerator."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from pymtl3 import Component

from rsaxcel import catalog
from rsaxcel.catalog import Configuration
from rsaxcel.catalog.choices import check_width, refuse_parameter
from rsaxcel.catalog.configuration import Exponentiator
from rsaxcel.circuit import Halves, Label, ModulusConstant
from rsaxcel.plan.parameters import Parameter
from rsaxcel.proc.elf import Image, ProgramError
from rsaxcel.proc.instruction_sets import (
    INSTRUCTION_SETS,
    PARAMETER,
    RV32IM,
    InstructionSet,
    sets_with,
)
from rsaxcel.proc.kinds import ATTACHED, NULL, XCEL, SystemKind
from rsaxcel.proc.operands import join_words, write_operands
from rsaxcel.proc.parameters import PREFIX, SOFTWARE, circuit_arguments, parse_own
from rsaxcel.proc.proc_fl import ProcFL
from rsaxcel.proc.proc_rtl import ProcRTL
from rsaxcel.proc.programs.build import BY_PRIMES, build
from rsaxcel.proc.programs.formulas import table_of
from rsaxcel.proc.run import Devices

PROCESSORS = {"fl": ProcFL, "rtl": ProcRTL}  #: components of the processor by level

NULL_SYSTEM = "proc_null"
NULL_WIDTHS = range(8, 4097)  #: widths of operands of the system without an accelerator
OVERHEAD = "dummy"  #: program without exponentiation: the overhead of all programs
_LABELS = (
    Label("proc", "processor", "processor"),
    Label(r"(xcel|accelerator\.accelerator)\.exponentiator", "core", "exponentiator"),
)
_PRINTED = {x: f"{x}_printed" for x in (*NULL.programs, *XCEL.programs, OVERHEAD)}


@dataclass(frozen=True)
class System:
    """A named system, a ``Target``: a processor with an accelerator, or without one.

    Parameters
    ----------
    design_name : str
        Prefix that tells how the accelerator is connected (``proc.kinds``), and the design, such as
        ``proc_mont_r2l``; ``proc_null``: no accelerator.
    nbits : int
        Width of the operands in bits; no effect on a circuit without an accelerator.
    configuration : catalog.configuration.Exponentiator or None
        Configuration of the accelerator.
    values : tuple of (str, value)
        Values of the system's ``parameters``; missing ones have their defaults.
    """

    design_name: str
    nbits: int
    configuration: Exponentiator | None
    values: tuple[tuple[str, Any], ...] = ()

    shelled: ClassVar[None] = None

    @property
    def kind(self) -> SystemKind:
        """Kind of the system: how the accelerator is connected."""
        return _split(self.design_name)[0]

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Parameters of the system that are not parameters of the accelerator."""
        return self.kind.parameters

    @property
    def key(self) -> str:
        """Unique name: system, width of the accelerator, and all parameters not at default."""
        configuration = self.configuration
        named = self.design_name if configuration is None else self.kind.prefix + configuration.name
        defaults = {p.name: p.default(self.nbits) for p in self.parameters}
        changed = (f"{k}_{v}" for k, v in self._own_params.items() if v != defaults[k])
        return "_".join([named, *changed])

    @property
    def name(self) -> str:
        """Name for files and folders: ``key``, and always the width of operands."""
        return self.key if self.configuration else f"{self.key}_{self.nbits}"

    @property
    def core(self) -> Exponentiator | None:
        """The accelerator's circuit, behind its registers; None without an accelerator."""
        return self.configuration

    @property
    def sources(self) -> tuple[Path, ...]:
        """Source files and folders on which the system and its programs depend."""
        return system_sources(self.configuration)

    @property
    def is_foreign(self) -> bool:
        """Whether the accelerator's circuit is not from this project."""
        return bool(self.configuration and self.configuration.is_foreign)

    @property
    def labels(self) -> tuple[Label, ...]:
        """Labels of processor and core, and of the core's instances."""
        return (*_LABELS, *(self.core.labels if self.core else ()))

    @property
    def constant_modulus(self) -> int:
        """The only modulus that the accelerator supports; 0: any."""
        return 0 if self.configuration is None else self.configuration.constant_modulus

    @property
    def halves(self) -> Halves | None:
        """Layout of p and q in the accelerator's modulus field; None: there is one modulus."""
        return None if self.configuration is None else self.configuration.rules.halves

    @property
    def exponent_nbits(self) -> int:
        """Width of exponents in bits."""
        return self.nbits if self.configuration is None else self.configuration.exponent_nbits

    @property
    def params(self) -> dict[str, Any]:
        """Values of all parameters by name, those of the accelerator first."""
        return (self.configuration.params if self.configuration else {}) | self._own_params

    @property
    def _own_params(self) -> dict[str, Any]:
        return {p.name: p.default(self.nbits) for p in self.parameters} | dict(self.values)

    @property
    def programs(self) -> tuple[str, ...]:
        """Programs that exponentiate here, and ``dummy``, if the processor has all instructions."""
        return tuple(x for x in self._candidates if not self.lacks(x))

    @property
    def left_out(self) -> dict[str, list[str]]:
        """Programs that ``programs`` leaves out, with the instructions that the processor lacks."""
        return {x: lacks for x in self._candidates if (lacks := self.lacks(x))}

    @property
    def _candidates(self) -> tuple[str, ...]:
        return (*self.kind.programs, OVERHEAD)

    @property
    def instruction_set(self) -> InstructionSet:
        """Instruction set of the processor."""
        return INSTRUCTION_SETS[self._own_params[PARAMETER]]

    def lacks(self, program: str) -> list[str]:
        if self.instruction_set == RV32IM:
            return []
        image = self._image(program)
        return self.instruction_set.lacks(map(image.word, image.code))

    @property
    def constants(self) -> tuple[ModulusConstant, ...]:
        """Constants that the accelerator needs from its host, in the request's order."""
        return () if self.configuration is None else self.configuration.host_constants

    def build(self, program: str) -> Image:
        """Build a program for this system: a driver, or software that exponentiates.

        ``software`` selects tuned programs, or those of McNay's document. A driver computes the
        constants of the modulus. ``ProgramError`` if the processor lacks an instruction.
        """
        lacks = self.lacks(program)
        if lacks:
            name, isa = self._form(program), self.instruction_set.name
            needs = f"{name} needs {', '.join(lacks)}, which {PARAMETER}={isa} lacks"
            raise ProgramError(f"{needs}: {sets_with(lacks)}")
        return self._image(program)

    def _image(self, program: str) -> Image:
        return build(self._form(program), self.constants)

    def _form(self, program: str) -> str:
        return _PRINTED.get(program, program) if self._is_printed else program

    def result(self, messages: Sequence[int]) -> int:
        """Return the number that a program sent."""
        # McNay's programs send one word before a line of text.
        return join_words(messages[:1] if self._is_printed else messages)

    @property
    def _is_printed(self) -> bool:
        """Whether the programs are those of McNay's document."""
        return self._own_params.get(SOFTWARE.name) == "printed"

    def halves_of(self, program: str) -> Halves | None:
        """Layout of p and q in the modulus operand of a program; None: there is one modulus."""
        if program in BY_PRIMES:
            return Halves(-(-self.nbits // 2))
        return None if program in NULL.programs else self.halves

    def image(
        self, program: str, base: int, exponent: int, modulus: int, halves: Halves | None = None
    ) -> Image:
        """Build a program, and write its operands into the memory.

        `halves` is by default the accelerator's layout of two moduli, and of their exponents.
        """
        image = self.build(program)
        write_operands(image, base, exponent, modulus, halves=halves or self.halves)
        return image

    def devices(self) -> Devices:
        """Make plain Python models of the devices at the processor: accelerator and bus."""
        return self.kind.devices(self.configuration)

    def component(self, level: str = "rtl", /) -> Component:
        """Make the system's component, not elaborated: accelerator at a level, processor at RTL."""
        processor = circuit_arguments(self._own_params)
        return build_system("rtl", self.configuration, level, kind=self.kind, **processor)

    @property
    def notes(self) -> Sequence[str]:
        """What is unusual in Verilog from outside, such as a latch."""
        return self.configuration.notes if self.configuration else ()

    def operator(self) -> Component:
        """Circuit to synthesize, not elaborated."""
        configuration = self.configuration and self.configuration.mapped
        return replace(self, configuration=configuration).component()


def find_system(name: str, nbits: int = 32, /, **params: Any) -> System:
    """Make the system with the given name; the name of a design alone stands for ``proc_DESIGN``.

    Parameters
    ----------
    name : str; name of the system or of the design
    nbits : int; width of the operands in bits
    **params : parameters of system and accelerator, and choices on the accelerator's axes, as
        values or text

    Raises ``ValueError`` if name, width or a parameter is not allowed, the driver cannot compute a
    constant that the accelerator needs, or the accelerator does not take a request in one message.
    """
    kind, design = _split(name)
    if kind is NULL:
        nbits = check_width(nbits, NULL_WIDTHS, NULL_SYSTEM)
        values = parse_own(kind.parameters, params, nbits)
        _check_known(NULL_SYSTEM, kind.parameters, params)
        return System(NULL_SYSTEM, nbits, None, values)
    designs = catalog.designs()
    if design not in designs:
        null = (NULL_SYSTEM,) if kind.prefix == NULL.prefix else ()
        systems = ", ".join((*null, *(kind.prefix + known for known in designs)))
        raise ValueError(f"system {name!r} is unknown; allowed: {systems}")
    # other types fail when the defaults of parameters compare the width
    if not hasattr(nbits, "__index__"):
        catalog.find_design(design).configure(nbits)  # raises an error with the reason
    values = parse_own(kind.parameters, params, nbits)
    others = {k: v for k, v in params.items() if k.startswith(PREFIX)}
    _check_known(kind.prefix + design, kind.parameters, others)
    configuration = catalog.find_design(design).configure(nbits, **params)
    system = System(kind.prefix + design, configuration.nbits, configuration, values)
    if system.constants and system.params.get(SOFTWARE.name) == "printed":
        why = "which needs constants from its host"
        raise ValueError(f"{SOFTWARE.name}=printed: tuned allowed for {design}, {why}")
    configuration.check_whole_messages()
    table_of(system.constants)  # raises if the driver cannot compute a constant
    return system


def _split(name: str) -> tuple[SystemKind, str]:
    """Split the name of a system, or of a design, into kind of system and name of design."""
    prefix = next((prefix for prefix in ATTACHED if name.startswith(prefix)), "")
    kind, design = ATTACHED.get(prefix, XCEL), name.removeprefix(prefix)
    return (NULL if kind.prefix + design == NULL_SYSTEM else kind), design


def _check_known(system: str, parameters: Sequence[Parameter], left: Mapping[str, Any]) -> None:
    """Raise ``ValueError`` for the first parameter in ``left``: the system has none of them."""
    for name, value in left.items():
        refuse_parameter(name, value, system, [p.name for p in parameters])


def is_system(name: str) -> bool:
    """Whether a name has the prefix of a system; if not, it is the name of a design."""
    return name.startswith(tuple(ATTACHED))


def build_system(
    level: str,
    configuration: Exponentiator | None = None,
    accelerator_level: str | None = None,
    *,
    kind: SystemKind | None = None,
    **processor: Any,
) -> Component:
    """Build a system, not elaborated.

    Default: a system without an accelerator (`proc_null`: all registers read 0), or with one at the
    processor's level (`fl` or `rtl`), at the xcel interface. `processor` has arguments of its
    component.
    """
    if level not in PROCESSORS:
        raise ValueError(f"level {level!r}: {', '.join(PROCESSORS)} are allowed")
    kind = kind or (NULL if configuration is None else XCEL)
    accelerator = kind.accelerator(configuration, accelerator_level or level)
    return kind.join(PROCESSORS[level](**processor), accelerator)


def system_sources(accelerator: Exponentiator | None) -> tuple[Path, ...]:
    """Source files and folders on which a system and its programs depend.

    Unless the accelerator is a design of the catalog, the files of all designs are included.
    """
    own = () if accelerator is None else accelerator.sources
    levels = () if isinstance(accelerator, Configuration) else catalog.sources()
    return (*levels, *own, Path(__file__).parent)
