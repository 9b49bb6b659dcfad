"""One operation of a design, unrolled from a reset with arbitrary contents of registers."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import version

from pysat.solvers import Glucose4

from rsaxcel.fl.status import Status
from rsaxcel.lab.proofs.aig import FALSE, TRUE, Aig, Machine, beginning
from rsaxcel.lab.proofs.claim import AFTER_CYCLES, processor_seconds
from rsaxcel.lab.proofs.design import CheckedDesign
from rsaxcel.lab.proofs.signals import step
from rsaxcel.lab.proofs.unrolled import SweptAig, Unrolled, assignments

_RUNS = 256
#: Most gates of a state that is tried as a constant, in the first and in the second attempt; a
#: state of more gates is taken for a result of arithmetic.
_MOST_GATES = (1500, 100_000)
#: conflicts of the solver for one state; questions about the response may take until the time is up
_CONFLICTS = 2000
#: Cycles to the next attempt on a latch are fewer than this, however many attempts failed.
_LONGEST_WAIT = 64


_PINS = ("clk", "reset", "offered", "taken")


def other(name: str) -> str:
    """Name of an input for the second of two exponents."""
    return f"other:{name}"


@dataclass
class UnrolledOperation:
    """Unrolls one operation: a request is offered until it is accepted, its response taken at once.

    ``graph`` is the unrolled circuit, ``expected`` has literals of the status by the input rules.
    """

    design: CheckedDesign
    machine: Machine
    legal: bool  #: True: the request meets the input rules; False: it breaks one
    most_cycles: int  #: cycles after which unrolling ends, response or not
    fixed: Mapping[str, int]  #: values of ports of the request
    until: float  #: processor time at which unrolling and questions end
    most_gates: int  #: most gates of states that are tried as constants
    cycle: int = 0  #: last cycle that was unrolled
    accepted: int = 0  #: cycle of the request's acceptance
    ready: int = FALSE  #: literal of `ready` in `cycle`
    valid: int = FALSE  #: literal of `valid` in `cycle`
    _inputs: dict[str, int] = field(default_factory=dict)
    _begin: dict[str, int] = field(default_factory=dict)
    _tried: set[int] = field(default_factory=set)
    _failures: dict[str, int] = field(default_factory=dict)
    _waits: dict[str, int] = field(default_factory=dict)
    _later: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Unroll the first cycles."""
        secret = [name for port in self.design.secret for name in self.machine.bits(port)]
        self.graph = SweptAig(_RUNS, len(secret))
        runs = self.design.requests(_RUNS, self.legal, fixed=self.fixed)
        self._values = assignments(runs, self.design.widths)
        self._draw = random.Random(0)
        for port, value in self.fixed.items():
            self._inputs |= {x: value >> i & 1 for i, x in enumerate(self.machine.bits(port))}
        self._secret = frozenset(secret)
        for name in secret:
            self._inputs[name] = self.graph.add(name, self._values[name], secret=True)
        self._offered = [FALSE, TRUE]
        self.unrolled = Unrolled(
            self.machine, self.graph, self._given, self._beginning, lambda _, literal: literal
        )
        self.expected = [self.unrolled.output(f"expected[{i}]", 1) for i in range(8)]
        refused = self.graph.any_of(self.expected)
        self._solver = Incremental(self.graph)
        self._solver.assume(refused ^ 1 if self.legal else refused)
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
        fixed: Mapping[str, int],
    ) -> UnrolledOperation:
        """Unroll an operation until its response, or as far as possible."""
        until = processor_seconds() + seconds
        for most_gates in _MOST_GATES:
            op = cls(design, machine, legal, most_cycles, fixed, until, most_gates)
            op._run()
            decided = all(x in (FALSE, TRUE) or op._varies(x) for x in (op.ready, op.valid))
            if decided or not op._has_time:
                break
        return op

    def _run(self) -> None:
        while not self.valid and self.cycle < self.most_cycles and self._has_time:
            self.cycle += 1
            if self.cycle >= len(self._offered):
                self._offered.append(FALSE if self.accepted else TRUE)
            self.ready = self.constant(self.unrolled.output("ready", self.cycle))
            self.valid = self.constant(self.unrolled.output("valid", self.cycle))
            if {self.ready, self.valid} - {FALSE, TRUE}:
                break
            if self.ready and not self.accepted:
                self.accepted = self.cycle

    @property
    def _has_time(self) -> bool:
        return processor_seconds() < self.until

    @property
    def answered(self) -> bool:
        """Whether in all cases the request is accepted and the response comes in ``cycle``."""
        return self.valid == TRUE and self.accepted > 0

    @property
    def silent(self) -> bool:
        """Whether there is no response in ``most_cycles`` cycles, in all cases."""
        return {self.ready, self.valid} == {FALSE} and self.cycle == self.most_cycles

    @property
    def took(self) -> int:
        """Cycles from the acceptance of the request to cycle ``cycle``."""
        return self.cycle - self.accepted

    def valid_again(self) -> int:
        """Unroll cycles without a request after the response; return a literal: another one."""
        found = FALSE
        for _ in range(AFTER_CYCLES):
            self.cycle += 1
            self._offered.append(FALSE)
            valid = self.constant(self.unrolled.output("valid", self.cycle))
            found = self.graph.either(found, valid)
        return found

    def breaks(self, status: Status) -> int:
        """Literal: the request gets a status by the input rules."""
        bits = (self.graph.differ(x, int(status) >> i & 1) for i, x in enumerate(self.expected))
        return self.graph.any_of(bits) ^ 1

    @property
    def status(self) -> list[int]:
        """Literals of the status in cycle ``cycle``."""
        return [self.unrolled.output(f"status[{i}]", self.cycle) for i in range(8)]

    def _varies(self, literal: int) -> bool:
        """Whether a literal is shown to have both values."""
        values = self.graph.values_in_runs(literal)
        if values not in (0, self.graph.ones):
            return True
        return isinstance(self._solver.find(literal ^ (values != 0), _CONFLICTS), dict)

    def request(self, literal: int) -> dict[str, int] | bool | None:
        """Find inputs (by name) that make a literal true; False: there are none; None: open."""
        found = self._solver.find(literal, _CONFLICTS)
        # the solver goes on with the clauses that it has learnt
        while found is None and self._has_time:
            found = self._solver.find(literal, _CONFLICTS)
        if not isinstance(found, dict):
            return found
        return found | {name: x for name, x in self._inputs.items() if x in (FALSE, TRUE)}

    def requests_apart(self, has_status: bool) -> dict[str, int] | bool | None:
        """Find two requests whose exponents and handshakes in cycle ``cycle`` differ.

        ``has_status``: or with different statuses. Undefined values may differ, too. The input
        rules do not read an exponent, so both requests are as ``legal`` says. The other exponent
        has the names ``other(name)``.
        """
        graph = self.graph
        nodes = {name: self._inputs[name] >> 1 for name in sorted(self._secret)} | self._later
        others = {
            node: graph.add(other(name), self._draw.getrandbits(_RUNS))
            for name, node in nodes.items()
        }
        seen = [self.ready, self.valid, *(self.status if has_status and self.answered else ())]
        pairs = zip(seen, graph.substituted(seen, others), strict=True)
        return self.request(graph.any_of(graph.differ(a, b) for a, b in pairs))

    def frames(self, found: Mapping[str, int]) -> list[dict[str, int]]:
        """Return the found inputs of each cycle, with the ``other`` exponent and ``beginning``."""
        frames = [
            {name: self._pin(name, cycle) for name in _PINS} | self._frame(found, cycle)
            for cycle in range(self.cycle + 1)
        ]
        begin = [beginning(latch.name) for latch in self.machine.latches]
        frames[0] |= {name: found.get(name, 0) for name in begin}
        return frames

    def _frame(self, found: Mapping[str, int], cycle: int) -> dict[str, int]:
        """Values of the inputs but the pins in a cycle."""
        names = [name for name in self.machine.inputs if name not in _PINS]
        names += map(other, sorted(self._secret | self.machine.undefined))
        return {name: found.get(f"{name}@{cycle}", found.get(name, 0)) for name in names}

    def simulated(self, found: Mapping[str, int]) -> tuple[list[dict[str, int]], int | None, int]:
        """Run a request; return inputs up to the response, its status, and the acceptance's cycle.

        The status is None if there is no response.
        """
        frames = self.frames(found)[:1]
        states = [frames[0][beginning(latch.name)] for latch in self.machine.latches]
        _, states = step(self.machine, frames[0], states)
        accepted = 0
        for cycle in range(1, self.most_cycles + 1):
            pins = {"clk": 0, "reset": 0, "offered": int(not accepted), "taken": 1}
            frames.append(pins | self._frame(found, cycle))
            outputs, states = step(self.machine, frames[-1], states)
            if outputs["ready"] and not accepted:
                accepted = cycle
            if outputs["valid"]:
                status = sum(outputs[f"status[{i}]"] << i for i in range(8))
                return frames, status, accepted
        return frames, None, accepted

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
        """Return a constant in place of a latch's literal, if it is found to be constant."""
        # After each failure, about twice as many cycles pass to the next attempt on the latch: most
        # registers of data are not constant, although they are in all random runs.
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
        """Literal of an input; undefined values, and requests once accepted, are new each cycle."""
        if name in _PINS:
            return self._pin(name, cycle)
        if name not in self._values or 0 < self.accepted < cycle:
            literal = self.graph.add(f"{name}@{cycle}", self._draw.getrandbits(_RUNS))
            if name in self._secret | self.machine.undefined:
                self._later[f"{name}@{cycle}"] = literal >> 1
            return literal
        if name not in self._inputs:
            self._inputs[name] = self.graph.add(name, self._values[name])
        return self._inputs[name]

    def _pin(self, name: str, cycle: int) -> int:
        if name == "offered":
            return self._offered[cycle]
        return int({"clk": False, "reset": cycle == 0, "taken": cycle > 0}[name])

    def _beginning(self, name: str) -> int:
        if name not in self._begin:
            drawn = self._draw.getrandbits(_RUNS)
            self._begin[name] = self.graph.add(beginning(name), drawn)
        return self._begin[name]


class Incremental:
    """Answers whether literals of a graph can be true (Glucose, by PySAT).

    A gate becomes clauses when it is first asked about. A node that is replaced in the graph later
    must be equal to its replacement under the assumptions.
    """

    def __init__(self, graph: Aig) -> None:
        self._graph = graph
        self._solver = Glucose4()
        self._encoded = {0}
        self._solver.add_clause([-_variable(0)])

    def assume(self, literal: int) -> None:
        """Assume that a literal is true, from now on."""
        self._solver.add_clause([self._encode(literal)])

    def is_impossible(self, literal: int, conflicts: int) -> bool:
        """Whether the solver shows within ``conflicts`` conflicts that a literal is never true."""
        if self._is_possible(literal, conflicts) is not False:
            return False
        self._solver.add_clause([-self._encode(literal)])
        return True

    def find(self, literal: int, conflicts: int) -> dict[str, int] | bool | None:
        """Find values of inputs for which a literal is true, under the assumptions."""
        found = self._is_possible(literal, conflicts)
        if not found:
            return found
        true = set(self._solver.get_model() or ())
        graph = self._graph
        nodes = zip(graph.inputs, graph.input_nodes, strict=True)
        return {name: int(_variable(node) in true) for name, node in nodes}

    def _is_possible(self, literal: int, conflicts: int) -> bool | None:
        """Whether a literal can be true; None if it stays open."""
        asked = self._encode(literal)
        self._solver.conf_budget(conflicts)
        return self._solver.solve_limited(assumptions=[asked])

    def _encode(self, literal: int) -> int:
        """Add the clauses of the gates on which a literal depends; return the solver's literal."""
        graph = self._graph
        literal = graph.resolve(literal)
        left = [literal >> 1]
        while left:
            node = left.pop()
            if node in self._encoded:
                continue
            self._encoded.add(node)
            if node in graph.gates:
                a, b = (graph.resolve(x) for x in graph.gates[node])
                out, one, other = _variable(node), _signed(a), _signed(b)
                clauses = [[-out, one], [-out, other], [out, -one, -other]]
                self._solver.append_formula(clauses)
                left += [a >> 1, b >> 1]
        return _signed(literal)


def solver_version() -> str:
    """Version of PySAT."""
    return version("python-sat")


def _variable(node: int) -> int:
    return node + 1


def _signed(literal: int) -> int:
    variable = _variable(literal >> 1)
    return -variable if literal & 1 else variable
