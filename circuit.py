"""``Circuit``: what those who measure a circuit know of it, whoever made it.

Simulation, flow, laboratory, course and report take circuits, and ask nothing else of them: no
multiplier, no schedule. Configurations of the catalog are circuits, and so is a design as Verilog.
A system with a processor is a ``Target``, as every circuit is.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeGuard

from rsaxcel.fl.contract import Multiplier
from rsaxcel.fl.exponentiator import Outcome
from rsaxcel.fl.status import InputRules
from rsaxcel.plan.halves import Halves
from rsaxcel.plan.modulus_constants import ModulusConstant, Widths
from rsaxcel.plan.protocols import Core

__all__ = [
    "COUNTED",
    "LEFT_OUT",
    "Circuit",
    "DescribedCircuit",
    "Halves",
    "Label",
    "ModulusConstant",
    "ProductCircuit",
    "ShelledCore",
    "Target",
    "Widths",
    "expected_power",
    "is_checked",
    "is_circuit",
    "is_described",
    "is_product",
]


#: what figures of a core say about its shell
LEFT_OUT, COUNTED = "left_out", "counted"


@dataclass(frozen=True)
class Label:
    """Role of some instances in the Verilog of a target."""

    pattern: str  #: regular expression of their paths, such as ``core.store.lanes__0``
    #: "multiplier"; "engine", a multiplier that serves all lanes; "divider" in a multiplier;
    #: "constants", which computes constants of the modulus; "processor"; "core", the circuit in a
    #: system or beside its shell; "shell"
    kind: str
    text: str  #: text for charts; ``{index}`` stands for the pattern's group of this name


class ShelledCore(Protocol):
    """A core in Verilog and the shell that gives it the framework's streams, apart.

    The core is measured alone, in a module with the core's ports; the simulation of its netlist has
    the shell around it. If the shell counts, both are measured, as instances of one module.
    """

    @property
    def core(self) -> str:
        """Instance of the core: the name of its module, unless something around has that name."""

    @property
    def modules(self) -> Collection[str]:
        """Names of all modules of the core, which the shell's modules must not have."""

    @property
    def is_counted(self) -> bool:
        """Whether figures are those of core and shell."""

    @property
    def wires(self) -> Mapping[str, str]:
        """Port of the core's module by the port of the shell to which it is connected."""

    @property
    def macros(self) -> Mapping[str, float]:
        """Area in um2 of the macro that would stand for a memory of the core, by its name."""

    def shell(self) -> Any:
        """Component of the shell, not elaborated: streams, and the core's ports from outside."""

    def alone(self, top: str) -> str:
        """Verilog of a module ``top`` with the core alone; its clock is ``clk``."""

    def beside(self, top: str, shell: str, text: str, request_nbits: int, nbits: int, /) -> str:
        """Verilog of a module ``top`` with core and shell.

        ``shell`` is the shell's module in ``text``; its messages have ``request_nbits`` and
        ``nbits`` bits.
        """


class Target(Protocol):
    """Target of translation, synthesis and placement: a circuit, or a system around one."""

    def __hash__(self) -> int:
        """Circuits are keys of caches."""
        return hash(self.name)

    @property
    def design_name(self) -> str:
        """Name of the design, multiplier or system, as users write it."""

    @property
    def nbits(self) -> int:
        """Width of operands in bits."""

    @property
    def params(self) -> dict[str, Any]:
        """Parameters by name; with ``design_name`` and ``nbits``, they determine the circuit."""

    @property
    def name(self) -> str:
        """Name for files and folders: design, width, and parameters that are not the default."""

    @property
    def sources(self) -> Sequence[Path]:
        """Source files and folders on which circuit and models depend."""

    @property
    def is_foreign(self) -> bool:
        """Whether the circuit, or a part of it, is not from this project."""

    @property
    def core(self) -> Circuit | None:
        """The circuit itself, or the one in a system, if there is one."""

    @property
    def labels(self) -> Sequence[Label]:
        """Roles of instances, for areas and pictures; none if unknown."""

    @property
    def constant_modulus(self) -> int:
        """The only modulus that the circuit supports; 0: any."""

    @property
    def exponent_nbits(self) -> int:
        """Width of the exponent in bits; 0: an operation is a product."""

    @property
    def halves(self) -> Halves | None:
        """Layout of p and q in the modulus field of a request; None: there is one modulus."""

    def component(self, level: str, /) -> Any:
        """PyMTL3 component at a level, not elaborated; ``ValueError`` if there is none."""

    @property
    def shelled(self) -> ShelledCore | None:
        """The circuit as a core and its shell, which may be left out; None: it is whole."""

    @property
    def notes(self) -> Sequence[str]:
        """Lines for records on what is unusual in the circuit, such as memories of a core."""

    def operator(self) -> Any:
        """Circuit to synthesize, not elaborated, unless the circuit is ``shelled``."""


class Circuit(Target, Protocol):
    """A circuit under measurement, with the streams ``recv`` and ``send``.

    An operation has three operands: base, exponent and modulus, or a, b and modulus for a product.
    """

    @property
    def core(self) -> Circuit:
        """The circuit itself."""

    @property
    def whole(self) -> Circuit:
        """The circuit with its shell, where that is left out; else the circuit itself."""

    @property
    def changed(self) -> dict[str, Any]:
        """Items of ``params`` that differ from the defaults."""

    @property
    def levels(self) -> Sequence[str]:
        """Levels of the target: ``fl``, ``rtl``, and ``cl`` if a model gives its cycles."""

    @property
    def rules(self) -> InputRules | None:
        """Input rules that the circuit checks; None for a multiplier, whose response has no status.

        Only operands that the contract of a multiplier allows are sent to it.
        """

    @property
    def host_constants(self) -> tuple[ModulusConstant, ...]:
        """Constants of the modulus that come with each request, in the order of its fields."""

    @property
    def largest_exponent(self) -> int:
        """Largest exponent of a request: all bits are 1; 0 for a multiplier."""

    def usable_modulus(self, drawn: int) -> int:
        """Return a modulus that the circuit supports, made from the random number ``drawn``."""

    def shortened(self, exponent: int, share: float, least: int) -> int:
        """Exponent that takes a share of the steps of another one; see ``plan.scan.Scan.leading``.

        It is at least ``least`` bits (or steps) long, if the other exponent is.
        """

    def request(self, a: int, b: int, modulus: int, /) -> tuple[int, ...]:
        """Fields of the request message."""

    def outcome(self, a: int, b: int, modulus: int, /) -> Outcome:
        """Return result and status by the functional model."""

    def evaluate(self, *operands: int) -> tuple[Outcome, int | None]:
        """Return result, status and cycles by the models; None: only a simulation knows the cycles.

        Cycles are those from the accepted request to the valid response.
        """

    def cycles(self, *operands: int) -> int | None:
        """Cycles as in ``evaluate``."""

    @property
    def load_cycles(self) -> int:
        """Cycles in which the operands of a request are loaded before the request is accepted."""

    @property
    def clear_cycles(self) -> int:
        """Additional cycles after a response, or after a reset, until a request can be accepted."""

    @property
    def exponent_dependent(self) -> bool:
        """Whether the exponent's value may change the cycle count (a side channel)."""

    @property
    def base_dependent(self) -> bool:
        """Whether the base's value may change the cycle count (a side channel)."""

    @property
    def modulus_dependent(self) -> bool:
        """Whether the circuit computes constants of the modulus, which may change the cycles."""

    @property
    def is_framed(self) -> bool:
        """Whether a request comes in several messages, such as digit by digit."""

    def check_circuit(self) -> None:
        """Raise ``ValueError`` if the circuit is too large to be built."""


class ProductCircuit(Circuit, Protocol):
    """A multiplier alone, whose operation is a product ``a * b / r mod m``."""

    @property
    def golden(self) -> Multiplier:
        """Functional model, with the contract for operands."""

    @property
    def r(self) -> int:
        """Number by which the product is divided; 1: it is not divided."""

    def operator_cycles(self, *operands: int) -> int | None:
        """Cycles on ``operator()``, which may have fewer registers than ``component("rtl")``."""


class DescribedCircuit(Circuit, Protocol):
    """A core of others in its shell, by a description; a check asks more of it."""

    @property
    def described_core(self) -> Core:
        """The core as its shell sees it."""

    @property
    def most_cycles(self) -> int:
        """Cycles that an operation takes at most, as the description says; 0: it does not say."""

    @property
    def word_widths(self) -> tuple[int, ...]:
        """Widths in bits of the words in which operands may come."""

    @property
    def output_pins(self) -> Sequence[tuple[str, str]]:
        """Output ports of the core, with their signals in a waveform."""

    def unchecked(self, core: Any = None) -> Any:
        """Component that passes every request; ``core``: one of ``variants`` in place of the core.

        It is not elaborated.
        """

    def variants(self) -> Sequence[tuple[str, Any, str]]:
        """Cores, each with a change of the description: name, core, and the change in words."""

    def explained(self, message: str) -> str:
        """Say where in the files of the core the cause of a tool's message is; "": not known."""


def is_described(target: Target) -> TypeGuard[DescribedCircuit]:
    """Whether a target is a core in its shell, by a description."""
    return hasattr(target, "described") and is_circuit(target)


def is_circuit(target: Target) -> TypeGuard[Circuit]:
    """Whether a target is a circuit with streams, and no system."""
    return target.core is target


def is_product(target: Target) -> TypeGuard[ProductCircuit]:
    """Whether a target is a multiplier alone."""
    return not target.exponent_nbits


def expected_power(base: int, exponent: int, modulus: int, halves: Halves | None = None) -> int:
    """Compute the expected result of an exponentiation, whose operands meet the input rules.

    It is 0 if a public exponent does not confirm the result (``Halves.is_confirmed``).

    Parameters
    ----------
    base, exponent, modulus
        Operands; with ``halves``, exponent and modulus are two halves each.
    halves
        Layout of the halves; None: the operands are plain numbers.
    """
    if halves:
        confirmed = halves.is_confirmed(base, exponent, modulus)
        return halves.reference_power(base, exponent, modulus) if confirmed else 0
    return pow(base, exponent, modulus)


def is_checked(halves: Halves | None) -> bool:
    """Whether a result is checked by a public exponent, to which the others have to belong."""
    return halves is not None and halves.public_nbits > 0
