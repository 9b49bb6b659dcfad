"""A SAT solver that keeps learnt clauses for further questions about one growing graph."""

from __future__ import annotations

from importlib.metadata import version

from pysat.solvers import Glucose4

from rsaxcel.lab.proofs.aig import Aig


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
