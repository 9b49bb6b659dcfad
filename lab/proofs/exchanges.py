"""Claim: a circuit with streams answers each request once, in time, in any surroundings.

Surroundings do anything that their streams allow; Verilog by hand checks what comes out. A claim is
about all runs whose first cycle is a reset, with any later resets, from any contents of registers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rsaxcel.lab.proofs import surroundings
from rsaxcel.lab.proofs.claim import (
    AROUND,
    TOP,
    Claim,
    Counterexample,
    Proof,
    check_width,
    processor_seconds,
    translated,
)
from rsaxcel.lab.proofs.reading import read_machine
from rsaxcel.lab.proofs.sequential import FromReset
from rsaxcel.lab.proofs.signals import signals_of
from rsaxcel.lab.proofs.solver import ProofVerdict
from rsaxcel.lab.proofs.surroundings import EXCHANGES, Exchange
from rsaxcel.sim.translate import VerilogModule

_HEAD = f"module {TOP}("
_PORT = re.compile(r"\b(input|output) (\[[^\]]*\] )?(\w+)(?=[,\n])")
_AROUND = """
module {0}({1}, output [1023:0] seen);
  {2}
  {3} checks(.*);
  assign seen = {{{4}}};
endmodule
"""


@dataclass(frozen=True)
class ExchangeClaim(Claim):
    """Claim: one property of an exchange holds in every run."""

    exchange: Exchange
    about: str  #: name of the property
    width: int  #: width in bits
    #: Verilog in place of the circuit's own, with the same ports and top module; empty: its own
    verilog: str = ""

    kind = "exchange"
    meaning = "every request gets one response, in time, whatever is around the circuit"

    def __reduce__(self) -> Any:
        """Pass the circuit to another process by its name: its functions cannot be passed."""
        return _claim, (self.name, self.about, self.width, self.verilog)

    @property
    def name(self) -> str:
        return self.exchange.name

    @property
    def nbits(self) -> int:
        return self.width

    @property
    def part(self) -> str:
        return self.about

    @property
    def statement(self) -> str:
        return f"{self.about}: {self.exchange.properties[self.about]}"

    @property
    def module(self) -> VerilogModule:
        """Translated component, or the given Verilog."""
        return translated(
            f"exchange-{self.name}-{self.width}",
            lambda: self.exchange.component(self.width),
            self.name,
            self.verilog,
            Path(surroundings.__file__),
        )

    @property
    def text(self) -> str:
        """Verilog of the circuit in its surroundings."""
        return self.module.text + self.exchange.checked(self.module, self.width)

    @property
    def around(self) -> str:
        if not self.exchange.seen:
            return ""
        ports = _PORT.findall(self.exchange.checked(self.module, self.width).split(_HEAD)[1])
        inputs = ", ".join(f"input {width}{name}" for way, width, name in ports if way == "input")
        outputs = " ".join(f"wire {width}{name};" for way, width, name in ports if way == "output")
        return _AROUND.format(AROUND, inputs, outputs, TOP, self.exchange.seen)

    def prove(self, seconds: float) -> Proof:
        machine, wrong = read_machine(self.text, TOP), f"wrong_{self.about}"
        begun = processor_seconds()
        answer = FromReset(machine, wrong).decide(seconds)
        used = processor_seconds() - begun
        if answer.verdict is not ProofVerdict.REFUTED:
            return Proof(answer.verdict, answer.method, "every run from a reset", used)
        signals, widths = signals_of(machine, answer.frames)
        at = signals[wrong].index(1)
        shown = ", ".join(f"{name} = {signals[name][at]:#x}" for name in self.exchange.told)
        example = Counterexample(f"cycle {at} from a reset: {shown}", (), signals, widths)
        return Proof(answer.verdict, answer.method, f"{at} cycles from a reset", used, example)


def exchange_claims(
    exchange: Exchange, nbits: int | None = None, verilog: str = ""
) -> list[ExchangeClaim]:
    """Claims about a circuit: one for each property; without ``nbits``, the standard width."""
    width = exchange.nbits if nbits is None else nbits
    check_width(exchange.name, width, exchange.least_nbits, exchange.most_nbits)
    return [ExchangeClaim(exchange, about, width, verilog) for about in exchange.properties]


def _claim(name: str, about: str, width: int, verilog: str) -> ExchangeClaim:
    return ExchangeClaim(EXCHANGES[name], about, width, verilog)
