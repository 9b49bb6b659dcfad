"""A design's netlist, ready to run one operation with faults; the operation and its key."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from pathlib import Path

from rsaxcel.circuit import Circuit
from rsaxcel.fl.keys import Key, balanced_key
from rsaxcel.flow.code import code_of
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.gates.engine import LANES
from rsaxcel.flow.gates.faults import FaultSimulator, Injection
from rsaxcel.flow.kit import CLOCK_NS, DEFAULT_LIBRARY
from rsaxcel.flow.power.netlist import Netlist
from rsaxcel.flow.requests import default_key
from rsaxcel.flow.runner import Progress
from rsaxcel.lab import design_netlist
from rsaxcel.lab.design_netlist import DesignNetlist, netlist_files, read_files
from rsaxcel.lab.faults import space
from rsaxcel.lab.faults.space import FaultPlaces
from rsaxcel.sim.runners import cycles_of
from rsaxcel.sim.translate import VerilogModule
from rsaxcel.store.code import code_digest
from rsaxcel.store.folders import file_digest, key_of

DEADLINE = 2  #: multiple of the cycles without a fault, after which an operation has no answer


class FaultOutcome(IntEnum):
    """End of an operation with a fault.

    ``REFUSED``: status other than ok; ``WRONG``: ok; ``NO_ANSWER``: none within ``DEADLINE``.
    """

    CORRECT = 0
    REFUSED = 1
    WRONG = 2
    NO_ANSWER = 3

    @property
    def label(self) -> str:
        """Name as users see it, such as ``no answer``."""
        return self.name.lower().replace("_", " ")


@dataclass(frozen=True, slots=True)
class FaultAnswer:
    """End of an operation with a fault: its outcome, and result and status of the response."""

    outcome: FaultOutcome
    result: int
    status: int


class FaultTarget(DesignNetlist):
    """The netlist of a design, whose operations are run with faults; ``digest`` identifies it."""

    def __init__(
        self, configuration: Circuit, netlist: Netlist, interface: VerilogModule, digest: str
    ) -> None:
        super().__init__(configuration, netlist, interface)
        self.simulator = FaultSimulator(netlist)
        own = __file__, space.__file__, design_netlist.__file__
        code = code_digest([Path(str(x)) for x in own])
        self.digest = key_of(digest, code_of(FaultSimulator), code)
        self._messages: dict[Operands, int] = {}

    @cached_property
    def places(self) -> FaultPlaces:
        """Places of faults in the netlist."""
        return FaultPlaces(self.simulator)

    def message(self, operands: Operands) -> int:
        """Pack operands into the request message; equal operands are packed once."""
        if operands not in self._messages:
            self._messages[operands] = self.request(operands)
        return self._messages[operands]

    def start(self, operation: KeyOperation) -> int:
        """Run an operation without a fault; return the cycle in which its request is accepted."""
        limit = DEADLINE * (operation.cycles + self.configuration.load_cycles)
        request, digits = self.message(operation.operands), self.digits
        run = self.simulator.run_faulty([request], [None], max_cycles=limit, digits=digits)
        (accepted,), (valid,) = run.accepted, run.valid
        got = *self.response(run.responses[0]), valid - accepted
        if min(accepted, valid) < 0 or got != (operation.response, 0, operation.cycles):
            raise FlowError(
                f"the netlist of {self.configuration.name} without a fault gives result, status "
                f"and cycles {got}, expected {(operation.response, 0, operation.cycles)}"
            )
        return accepted

    def run(
        self, operations: Sequence[KeyOperation], faults: Sequence[Injection | None], start: int
    ) -> list[FaultAnswer]:
        """Run operations of the same cycles, accepted in the cycle ``start``, each with faults."""
        answers: list[FaultAnswer] = []
        for first in range(0, len(operations), LANES):
            lanes = slice(first, first + LANES)
            answers += self._run_lanes(operations[lanes], faults[lanes], start)
        return answers

    def _run_lanes(
        self, operations: Sequence[KeyOperation], faults: Sequence[Injection | None], start: int
    ) -> list[FaultAnswer]:
        deadline = start + DEADLINE * operations[0].cycles
        run = self.simulator.run_faulty(
            [self.message(operation.operands) for operation in operations],
            faults,
            max_cycles=deadline + 1,
            digits=self.digits,
        )
        answers = []
        ends = zip(operations, run.responses, run.valid, strict=True)
        for operation, response, valid in ends:
            result, status = self.response(response)
            answers.append(FaultAnswer(_outcome(operation, result, status, valid), result, status))
        return answers


def _outcome(operation: KeyOperation, result: int, status: int, valid: int) -> FaultOutcome:
    if valid < 0:
        return FaultOutcome.NO_ANSWER
    if status:
        return FaultOutcome.REFUSED
    return FaultOutcome.CORRECT if result == operation.response else FaultOutcome.WRONG


def open_target(
    configuration: Circuit,
    library: str = DEFAULT_LIBRARY,
    clock_ns: float = CLOCK_NS,
    tell: Progress | None = None,
) -> FaultTarget:
    """Synthesize a design, or read its stored netlist; errors as in ``netlist_files``."""
    files, _ = netlist_files(configuration, library, clock_ns, tell)
    netlist, interface = read_files(files, library)
    return FaultTarget(configuration, netlist, interface, file_digest(files["netlist.json"]))


Operands = tuple[int, int, int]


@dataclass(frozen=True)
class KeyOperation:
    """An exponentiation with a private exponent."""

    #: operands as the circuit takes them; with two halves, exponents and moduli are joined
    operands: Operands
    base: int  #: message that is signed
    key: Key  #: p and q are 0 if the key's primes are not used
    response: int  #: response by the functional model
    cycles: int  #: cycles from request to response, by the functional or cycle model


def key_operation(configuration: Circuit, seed: int, *, equal_primes: bool = False) -> KeyOperation:
    """Draw a base, and return the operation with the private exponent of the width's key.

    The key is that of the flow's workload; with two halves, or with ``equal_primes``, one of two
    primes of equal length. An exponent that is wider than the circuit's loses its upper bits; a
    constant modulus replaces the key's.
    """
    draw = random.Random(f"faults/{configuration.nbits}/{seed}")
    if halves := configuration.halves:
        key = balanced_key(configuration.nbits, public_nbits=halves.public_nbits)
        p, q, dp, dq = key.halves(key.d)
        modulus, base = halves.joined(p, q), draw.randrange(2, key.n)
        exponent = halves.blinded_exponents(modulus, dp, dq, key.e, draw)
    else:
        key = (balanced_key if equal_primes else default_key)(configuration.nbits)
        modulus = configuration.constant_modulus or key.n
        exponent = key.d & configuration.largest_exponent
        base = draw.randrange(2, modulus)
    return operation_of(configuration, (base, exponent, modulus), key)


def operation_of(configuration: Circuit, operands: Operands, key: Key) -> KeyOperation:
    """Return the operation of operands, unless the functional model refuses them."""
    outcome, cycles = configuration.evaluate(*operands)
    if outcome.status:
        raise ValueError(f"the operands of a fault are refused: {outcome.status}")
    if cycles is None:
        (cycles,) = cycles_of(configuration, [operands])
    return KeyOperation(operands, operands[0], key, outcome.result, cycles)
