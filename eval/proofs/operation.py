"""One operation of a design, unrolled from a reset with arbitrary contents of registers."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field

from eval.proofs.aig import FALSE, TRUE, Machine
from eval.proofs.claim import processor_seconds
from eval.proofs.design import CheckedDesign
from eval.proofs.incremental import Incremental
from eval.proofs.unrolled import SweptAig, Unrolled, assignments

_RUNS = 256
_MOST_GATES = (1500, 100_000)
"""States that depend on more gates are taken for results of arithmetic, and not tried as constants:
in a first attempt, and in a second one if the first ends too early."""
_CONFLICTS = 2000
"""Limit of the solver's conflicts for one state."""
_LONGEST_WAIT = 64
"""Cycles to the next attempt on a latch are fewer than this, however many attempts failed."""


@dataclass
class Operation:
    """Unrolls one operation: a request is offered until it is accepted, its response taken at once.

    Parameters
    ----------
    design, machine
        The design in its wrapper, and the wrapper's circuit.
    legal
        Whether the request meets the input rules, or breaks one.
    fixed
        Ports of the request with a fixed value, and the values.
    most_gates
        States that depend on more gates are not tried as constants.

    Attributes
    ----------
    graph : SweptAig
        The unrolled circuit.
    assumed : int
        Literal that is true if the request is as ``legal`` says.
    expected : list of int
        Literals of the status that the input rules give.
    """

    design: CheckedDesign
    machine: Machine
    legal: bool
    fixed: Mapping[str, int] = field(default_factory=dict)
    most_gates: int = _MOST_GATES[0]
    accepted: int = 0
    _inputs: dict[str, int] = field(default_factory=dict)
    _begin: dict[str, int] = field(default_factory=dict)
    _tried: set[int] = field(default_factory=set)
    _failures: dict[str, int] = field(default_factory=dict)
    _waits: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Unroll the first cycles."""
        secret = [name for port in self.design.secret for name in self.machine.bits(port)]
        self.graph = SweptAig(_RUNS, len(secret))
        runs = self.design.requests(_RUNS, self.legal, fixed=self.fixed)
        self._values = assignments(runs, self.design.widths)
        self._draw = random.Random(0)
        for port, value in self.fixed.items():
            self._inputs |= {x: value >> i & 1 for i, x in enumerate(self.machine.bits(port))}
        for name in secret:
            self._inputs[name] = self.graph.add(name, self._values[name], secret=True)
        self.secret = frozenset(secret)
        self._offered = [FALSE, TRUE]
        self.unrolled = Unrolled(
            self.machine, self.graph, self._given, self._beginning, lambda _, literal: literal
        )
        self.expected = [self.unrolled.output(f"expected[{i}]", 1) for i in range(8)]
        refused = self.graph.any_of(self.expected)
        self.assumed = refused ^ 1 if self.legal else refused
        self._solver = Incremental(self.graph)
        self._solver.assume(self.assumed)
        self.unrolled = Unrolled(
            self.machine, self.graph, self._given, self._beginning, self._state
        )

    @classmethod
    def unroll(
        cls,
        design: CheckedDesign,
        machine: Machine,
        legal: bool,
        most_cycles: int,
        seconds: float,
        fixed: Mapping[str, int] | None = None,
    ) -> tuple[Operation, int, int, int]:
        """Unroll an operation until the response; return it, and what ``run`` returns."""
        began = processor_seconds()
        for most_gates in _MOST_GATES:
            op = cls(design, machine, legal, fixed or {}, most_gates)
            cycle, ready, valid = op.run(most_cycles, seconds - (processor_seconds() - began))
            if {ready, valid} <= {FALSE, TRUE}:
                break
        return op, cycle, ready, valid

    def run(self, most_cycles: int, seconds: float) -> tuple[int, int, int]:
        """Unroll until the response.

        Returns
        -------
        int, int, int
            Number of the cycle; literals of ``ready`` and ``valid`` in it. ``valid`` is true if the
            response comes in this cycle in all cases. If one of the literals is no constant, or
            ``valid`` is false, the operation could not be unrolled further.
        """
        began, ready, valid, cycle = processor_seconds(), FALSE, FALSE, 0
        while valid == FALSE and cycle < most_cycles and processor_seconds() - began < seconds:
            cycle += 1
            if cycle >= len(self._offered):
                self._offered.append(FALSE if self.accepted else TRUE)
            ready = self.constant(self.unrolled.output("ready", cycle))
            valid = self.constant(self.unrolled.output("valid", cycle))
            if {ready, valid} - {FALSE, TRUE}:
                break
            if ready and not self.accepted:
                self.accepted = cycle
        return cycle, ready, valid

    def status(self, cycle: int) -> list[int]:
        """Literals of the response's status in a cycle."""
        return [self.unrolled.output(f"status[{i}]", cycle) for i in range(8)]

    def constant(self, literal: int) -> int:
        """Return a constant in place of a literal that is constant under the assumption."""
        graph = self.graph
        literal = graph.resolve(literal)
        if not self._may_be_constant(literal):
            return literal
        self._tried.add(literal >> 1)
        if graph.is_larger(literal, self.most_gates):
            return literal
        value = TRUE if graph.values_in_runs(literal) else FALSE
        if self._solver.is_impossible(literal ^ value, _CONFLICTS):
            graph.replaced[literal >> 1] = value ^ literal & 1
            return value
        return literal

    def _may_be_constant(self, literal: int) -> bool:
        """Whether a literal is the same in all runs, and SAT was not asked about it."""
        graph = self.graph
        if literal in (FALSE, TRUE) or graph.table(literal) is not None:
            return False
        return graph.values_in_runs(literal) in (0, graph.ones) and literal >> 1 not in self._tried

    def _state(self, latch: str, literal: int) -> int:
        """Return a constant in place of a latch's literal, if it is found to be constant.

        After each failure, about twice as many cycles pass to the next attempt on the latch: most
        registers of data are not constant, although they are in all random runs.
        """
        literal = self.graph.resolve(literal)
        if not self._may_be_constant(literal):
            return literal
        if self._waits.get(latch, 0):
            self._waits[latch] -= 1
            return literal
        found = self.constant(literal)
        if found in (FALSE, TRUE):
            self._failures[latch] = 0
        else:
            failures = self._failures[latch] = self._failures.get(latch, 0) + 1
            self._waits[latch] = min(2**failures, _LONGEST_WAIT) - 2
        return found

    def _given(self, name: str, cycle: int) -> int:
        """Literal of an input; an undefined value is a new input in each cycle."""
        if name in ("clk", "reset", "offered", "taken"):
            fixed = {"clk": FALSE, "reset": cycle == 0, "taken": cycle > 0}
            return self._offered[cycle] if name == "offered" else int(fixed[name])
        if name not in self._values:
            return self.graph.add(f"{name}@{cycle}", self._draw.getrandbits(_RUNS))
        if name not in self._inputs:
            self._inputs[name] = self.graph.add(name, self._values[name])
        return self._inputs[name]

    def _beginning(self, name: str) -> int:
        if name not in self._begin:
            drawn = self._draw.getrandbits(_RUNS)
            self._begin[name] = self.graph.add(f"begin:{name}", drawn)
        return self._begin[name]
