"""A core in a shell that passes every request, also those that break its input rules."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import Any, NamedTuple

from rsaxcel.circuit import DescribedCircuit, is_product
from rsaxcel.sim.batch import SimulationError, SimulationTimeout
from rsaxcel.sim.corners import Operands
from rsaxcel.sim.operations import operation
from rsaxcel.sim.runners import unknown_cycles


class Answer(NamedTuple):
    result: int | None  #: None: there is none
    cycles: int = 0
    is_taken: bool = True  #: the request was accepted


class Bare:
    """A core in a shell without input rules.

    ``core``, with the name ``variant``: the core with a change of its description, to try whether
    the change makes its results right.
    """

    def __init__(self, circuit: DescribedCircuit, core: Any = None, variant: str = "") -> None:
        from rsaxcel.diagnosis.check import SOURCES, check_circuit
        from rsaxcel.sim.native.engine import NativeEngine
        from rsaxcel.sim.translate import translate_cached

        name = "_".join(filter(None, (circuit.name, "unchecked", variant)))
        self.circuit, self.is_product = circuit, is_product(circuit)
        self.most_cycles = unknown_cycles(circuit)
        self.engine = NativeEngine(
            translate_cached(
                name,
                lambda: circuit.unchecked(core),
                sources=[*circuit.sources, *SOURCES],
                top=name,
                check=check_circuit,
            )
        )

    def request(self, row: Operands) -> tuple[int, ...]:
        constants = self.circuit.host_constants
        fields = (*row, *(_value(x, row[2]) for x in constants))
        if self.is_product:
            return fields
        return (*fields, 0, 0) if constants else (*fields, 0)

    def expected(self, row: Operands) -> int | None:
        """Compute the result by Python's integers; None: there is none."""
        first, second, modulus = row
        if modulus == 0:
            return None
        if not is_product(self.circuit):
            return pow(first, second, modulus)
        r = self.circuit.r
        return first * second * pow(r, -1, modulus) % modulus if gcd(r, modulus) == 1 else None

    def alone(self, row: Operands) -> Answer:
        """Answer to a request after a reset."""
        return self.in_turn([row])[0]

    def in_turn(self, rows: Sequence[Operands]) -> list[Answer]:
        """Answers to requests in a row; after one without an answer, those left have none."""
        try:
            batch = self.engine.run(
                [self.request(x) for x in rows], max_idle_cycles=self.most_cycles
            )
        except SimulationTimeout as error:
            told = self.in_turn(rows[: error.answered]) if error.answered else []
            left = len(rows) - error.answered - 1
            return [*told, Answer(None, 0, error.accepted > error.answered), *[Answer(None)] * left]
        except SimulationError:
            return [Answer(None)] * len(rows)
        pairs = zip(batch.responses, batch.cycles, strict=True)
        return [Answer(response[0], cycles or 0) for response, cycles in pairs if response]

    def shown(self, row: Operands) -> str:
        names = operation(self.circuit).keys
        return ", ".join(f"{name}={x:#x}" for name, x in zip(names, row, strict=True))


def _value(constant: Any, modulus: int) -> int:
    """Value of a constant of the modulus; 0 where its formula has none."""
    try:
        return int(constant.formula.value(modulus)) & ((1 << constant.nbits) - 1)
    except (ValueError, ZeroDivisionError, ArithmeticError):
        return 0


def allowed(circuit: DescribedCircuit, rows: Sequence[Operands]) -> list[Operands]:
    """Rows that meet the input rules."""
    to_do = operation(circuit)
    return [x for x in rows if not to_do.status(x)]
