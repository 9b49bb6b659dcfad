"""``Claim``: a statement about a circuit that can be proven or refuted; ``Proof``: the result."""

from __future__ import annotations

import resource
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from rsaxcel.circuit import Circuit
from rsaxcel.lab.proofs.solver import ProofVerdict
from rsaxcel.proc.systems import system_sources
from rsaxcel.sim.runners import translation
from rsaxcel.sim.translate import VerilogModule, translate_cached
from rsaxcel.store.errors import UserError


def check_width(name: str, nbits: int, least: int, most: int) -> None:
    """Raise ``UserError`` if a width in bits is not allowed for proofs about a circuit."""
    if not least <= nbits <= most:
        allowed = f"{least} is allowed" if least == most else f"{least} to {most} are allowed"
        raise UserError(f"nbits={nbits}: {allowed} for proofs about {name}")


def check_parameters(name: str, given: Collection[str], allowed: Collection[str]) -> None:
    """Raise ``UserError`` if a circuit does not have a parameter that is given."""
    for parameter in given:
        if parameter not in allowed:
            known = ", ".join(allowed) or "none"
            raise UserError(f"parameter {parameter} is unknown; allowed for {name}: {known}")


def translated(
    key: str, component: Callable[[], Any], top: str, verilog: str = "", *sources: Path
) -> VerilogModule:
    """Translate a component of ours; ``verilog`` in place of its own, if it is given.

    ``sources``: files besides those of our circuits and systems.
    """
    module = translate_cached(
        key,
        component,
        sources=(*system_sources(None), *sources),
        top=top,
        check=lambda component: None,
    )
    return module.with_text(verilog) if verilog else module


TOP = "checked"  #: top module of a claim's Verilog


def shown_cycles(cycles: Collection[int]) -> str:
    """Numbers of cycles in words."""
    least, most = min(cycles), max(cycles)
    if least < most:
        return f"{least} to {most} cycles"
    return f"{most} cycle{'s' * (most != 1)}"


AROUND = "around"  #: top module of a claim's runs

_AROUND = """
// The runs of a claim: one request, from a reset on, whose response is taken at once.
module {top}(input clk, input reset, {ports} output [{width} - 1:0] seen);
  reg accepted_reg;
  {held}
  wire ready, valid;
  wire offered = !reset & !accepted_reg, taken = 1;
  {wires}
  always_ff @(posedge clk) begin
    accepted_reg <= !reset & (accepted_reg | offered & ready);
    {hold}
  end
  {checked} checks({pins} .*);
  assign seen = {seen};
endmodule
"""


_KEPT = """
  reg [{width} - 1:0] {name}_reg;
  always_ff @(posedge clk) if (!accepted_reg) {name}_reg <= {name};
  wire [{width} - 1:0] first_{name} = accepted_reg ? {name}_reg : {name};
"""


def runs_of(
    held: Mapping[str, int],
    free: Mapping[str, int],
    wires: Mapping[str, int],
    seen: str,
    first: str = "",
) -> str:
    """Verilog of the runs of a claim about one request, around its module ``TOP``.

    ``held``: widths of ports that keep their value from the reset on; ``free``: that change;
    ``wires``: of outputs. ``seen``: a formula of the outputs and ``accepted_reg``. ``first``: an
    output whose value up to the acceptance is kept, for ``seen``; if it is given, ports that are
    held change after the acceptance.
    """
    every = {**held, **free}
    kept = _KEPT.format(name=first, width=wires[first]) if first else ""
    return _AROUND.format(
        top=AROUND,
        checked=TOP,
        ports="".join(f"input [{n} - 1:0] any_{name}, " for name, n in every.items()),
        held=" ".join(f"reg [{n} - 1:0] {name}_held;" for name, n in held.items()),
        hold=" ".join(f"if (reset) {name}_held <= any_{name};" for name in held),
        wires=" ".join(f"wire [{n} - 1:0] {name};" for name, n in wires.items()) + kept,
        pins="".join(
            [f".{x}({f'accepted_reg ? any_{x} : ' * bool(first)}{x}_held), " for x in held]
            + [f".{name}(any_{name}), " for name in free]
        ),
        width=2 + sum(wires.values()),
        seen=seen,
    )


AFTER_CYCLES = 16  #: cycles after a response in which there must be no other one

#: end of the statement of a claim about one request
NO_OTHER = f"and no second response follows within {AFTER_CYCLES} cycles"

NOT_TRIED = "not tried"  #: Proof.method of a claim that was not tried


@dataclass(frozen=True)
class Counterexample:
    """Inputs that refute a claim."""

    text: str  #: fault that the inputs show, in one line
    #: operations for `rsaxcel sim --vectors`, of claims about operations
    vectors: Sequence[Mapping[str, str]] = ()
    #: values by name and cycle, for a waveform
    signals: Mapping[str, Sequence[int]] = field(default_factory=dict)
    widths: Mapping[str, int] = field(default_factory=dict)  #: widths of the signals in bits


@dataclass(frozen=True)
class Proof:
    """Result of an attempt to prove a claim."""

    verdict: ProofVerdict
    method: str  #: method that decided, such as "SAT", or that ran out of time
    scope: str  #: scope of the claim, such as "every request"
    seconds: float  #: processor time, without that of Yosys, which reads the Verilog
    counterexample: Counterexample | None = None

    def as_json(self) -> dict[str, Any]:
        """Values for JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Proof:
        found = values["counterexample"]
        example = Counterexample(**found) if found else None
        verdict = ProofVerdict(values["verdict"])
        return cls(**{**values, "verdict": verdict, "counterexample": example})


class Claim(ABC):
    """Statement about a circuit that can be proven or refuted."""

    kind: ClassVar[str] = ""  #: name of the class of claims, as users type it
    meaning: ClassVar[str] = ""  #: meaning of such claims, in a few words

    @property
    @abstractmethod
    def name(self) -> str:
        """Name of the circuit, as users type it."""

    @property
    @abstractmethod
    def nbits(self) -> int:
        """Width of the circuit in bits."""

    @property
    def params(self) -> Mapping[str, Any]:
        """Values of the circuit's parameters, by name; a circuit may have none."""
        return {}

    @property
    def changed(self) -> Mapping[str, Any]:
        """Items of ``params`` that differ from the defaults."""
        return {}

    @property
    @abstractmethod
    def text(self) -> str:
        """Verilog of the circuit and of the claim, with the top module ``TOP``."""

    @property
    @abstractmethod
    def statement(self) -> str:
        """The claim in words, in one line."""

    @property
    def figures(self) -> Sequence[int]:
        """Figures of the model in the claim, if its statement does not list them."""
        return ()

    @property
    def read(self) -> Sequence[str] | None:
        """Digests of what is read besides ``text``; None: some of it has to be made first."""
        return ()

    def make(self) -> None:  # noqa: B027  # most claims read their text alone
        """Make what ``read`` is about."""

    @property
    def around(self) -> str:
        """Verilog of the runs of the claim: module ``AROUND`` around ``TOP``; empty: all runs."""
        return ""

    @property
    def read_bits(self) -> Sequence[str]:
        """Bits of the circuit's outputs that the claim reads, such as ``send__msg_7``; none: all.

        An output of one bit has no number.
        """
        return ()

    @property
    def fixed_cycles(self) -> int:
        """Cycles of the runs ``around`` in which the claim fixes all that is seen; 0: it does not.

        If such a claim is proven of two circuits, nothing that is seen is different.
        """
        return 0

    @property
    def part(self) -> str:
        """Part of the circuit's behaviour that the claim is about; empty: there are no parts."""
        return ""

    @abstractmethod
    def prove(self, seconds: float) -> Proof:
        """Prove or refute the claim, within a limit of seconds for the solvers."""


@dataclass(frozen=True)
class CircuitClaim(Claim):
    """Statement about the circuit of a configuration."""

    configuration: Circuit
    #: Verilog in place of the circuit's own, with the same ports and top module; empty: its own
    verilog: str = ""

    #: Largest width for which such claims are tried: beyond it, a proof takes too long.
    most_nbits: ClassVar[int] = 16

    @classmethod
    def applies(cls, configuration: Any) -> bool:
        """Whether there is such a claim about a configuration."""
        return True

    @property
    def name(self) -> str:
        return self.configuration.design_name

    @property
    def nbits(self) -> int:
        return self.configuration.nbits

    @property
    def params(self) -> Mapping[str, Any]:
        return self.configuration.params

    @property
    def changed(self) -> Mapping[str, Any]:
        return self.configuration.changed

    @property
    def module(self) -> VerilogModule:
        """Translated circuit, or the given Verilog."""
        module = translation(self.configuration, "rtl")
        return module.with_text(self.verilog) if self.verilog else module


def processor_seconds() -> float:
    """Processor time of this process and of its children that have ended."""
    return sum(
        used.ru_utime + used.ru_stime
        for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )
