"""Unrolls a machine on demand: it builds only the gates on which a requested literal depends.

Three things keep the graph of hundreds of cycles small: a gate with an input 0 is 0, and its other
input is not built; functions of the secret inputs alone are compared by truth tables; a state that
is constant in many random runs that meet the assumption is proven constant by SAT.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rsaxcel.lab.proofs.aig import FALSE, TRUE, Aig, Machine

MOST_SECRET_BITS = 12  #: most secret inputs with which there are truth tables


class SweptAig(Aig):
    """Graph whose nodes have values in random runs, and truth tables over the secret inputs.

    With more secret inputs than ``MOST_SECRET_BITS``, there are no truth tables.
    """

    def __init__(self, runs: int, secret: int) -> None:
        super().__init__()
        self.ones = (1 << runs) - 1
        self.value_of: dict[int, int] = {0: 0}
        self._rows = 1 << secret if secret <= MOST_SECRET_BITS else 0
        self._all = (1 << self._rows) - 1
        self.table_of: dict[int, int] = {0: 0} if self._rows else {}
        self._of_table: dict[int, int] = {}
        self._secrets = 0
        self.replaced: dict[int, int] = {}

    def add(self, name: str, values: int, secret: bool = False) -> int:
        """Add an input with its values in the random runs."""
        literal = self.add_input(name)
        self.value_of[literal >> 1] = values
        if secret and self._rows:
            step = 1 << self._secrets
            self._secrets += 1
            block = ((1 << step) - 1) << step
            table = sum(block << at for at in range(0, self._rows, 2 * step))
            self.table_of[literal >> 1] = table
            self._of_table[table] = literal
        return literal

    def both(self, a: int, b: int) -> int:
        """Return the literal of ``a and b``; equal truth tables are one node."""
        a, b = self.resolve(a), self.resolve(b)
        before = self.count
        found = super().both(a, b)
        if self.count == before:
            return found
        node = found >> 1
        self.value_of[node] = self.values_in_runs(a) & self.values_in_runs(b)
        table, other = self.table(a), self.table(b)
        if table is None or other is None:
            return found
        both = table & other
        if both in (0, self._all):
            self.replaced[node] = FALSE if both == 0 else TRUE
        elif both in self._of_table:
            self.replaced[node] = self._of_table[both]
        elif self._all ^ both in self._of_table:
            self.replaced[node] = self._of_table[self._all ^ both] ^ 1
        else:
            self._of_table[both], self.table_of[node] = found, both
        return self.resolve(found)

    def resolve(self, literal: int) -> int:
        """Return the literal that replaces a literal."""
        while (other := self.replaced.get(literal >> 1)) is not None:
            literal = other ^ literal & 1
        return literal

    def values_in_runs(self, literal: int) -> int:
        """Values of a literal in the random runs, one bit for each."""
        return self.value_of[literal >> 1] ^ (self.ones if literal & 1 else 0)

    def table(self, literal: int) -> int | None:
        """Truth table over the secret inputs; None: the literal depends on other inputs, too."""
        table = self.table_of.get(literal >> 1)
        return None if table is None else table ^ (self._all if literal & 1 else 0)


class Unrolled:
    """A machine, unrolled from a cycle with arbitrary states.

    ``given``: literal of an input by name and cycle; ``begin``: literal of a latch in cycle 0;
    ``state``: literal in place of a latch's one in a later cycle.
    """

    def __init__(
        self,
        machine: Machine,
        graph: Aig,
        given: Callable[[str, int], int],
        begin: Callable[[str], int],
        state: Callable[[str, int], int],
    ) -> None:
        self._graph, self._given, self._begin, self._state = graph, given, begin, state
        self._outputs = machine.outputs
        self._inputs = {node: name for name, node in machine.inputs.items()}
        self._latches = {latch.node: latch for latch in machine.latches}
        self._gates = {node: (a, b) for node, a, b in machine.gates}
        self._known: list[dict[int, int]] = []
        self._sizes = _support_sizes(machine)

    def output(self, name: str, cycle: int) -> int:
        """Literal of an output in a cycle."""
        return self._literal(self._outputs[name], cycle)

    def _literal(self, literal: int, cycle: int) -> int:
        """Literal of the graph for a literal of the machine; gates are built with a stack."""
        while len(self._known) <= cycle:
            self._known.append({0: FALSE})
        stack = [(literal >> 1, cycle)]
        while stack:
            node, at = stack[-1]
            known = self._known[at]
            if node in known:
                stack.pop()
            elif node in self._inputs:
                known[node] = self._given(self._inputs[node], at)
            elif node not in self._latches:
                self._build(node, at, stack)
            elif at == 0:
                known[node] = self._begin(self._latches[node].name)
            else:
                latch = self._latches[node]
                found = self._known[at - 1].get(latch.following >> 1)
                if found is None:
                    stack.append((latch.following >> 1, at - 1))
                else:
                    known[node] = self._state(latch.name, found ^ latch.following & 1)
        return self._graph.resolve(self._known[cycle][literal >> 1] ^ literal & 1)

    def _build(self, node: int, at: int, stack: list[tuple[int, int]]) -> None:
        """Build a gate, or put the input that has to be built first on the stack."""
        known, (a, b) = self._known[at], self._gates[node]
        of_a, of_b = known.get(a >> 1), known.get(b >> 1)
        if of_a is not None:
            of_a = self._graph.resolve(of_a ^ a & 1)
        if of_b is not None:
            of_b = self._graph.resolve(of_b ^ b & 1)
        if of_a == FALSE or of_b == FALSE:
            known[node] = FALSE
        elif of_a is not None and of_b is not None:
            known[node] = self._graph.both(of_a, of_b)
        elif of_a is None and (of_b is not None or self._sizes[a >> 1] <= self._sizes[b >> 1]):
            stack.append((a >> 1, at))
        else:
            stack.append((b >> 1, at))


def _support_sizes(machine: Machine) -> list[int]:
    """Count the inputs and latches that each node reads in its cycle."""
    bits = [0] * (machine.count + 1)
    for number, node in enumerate([*machine.inputs.values(), *(x.node for x in machine.latches)]):
        bits[node] = 1 << number
    for node, a, b in machine.gates:
        bits[node] = bits[a >> 1] | bits[b >> 1]
    return [x.bit_count() for x in bits]


def assignments(runs: Sequence[Mapping[str, int]], widths: Mapping[str, int]) -> dict[str, int]:
    """Values of each port's bits in runs, as numbers with one bit for each run."""
    found = {}
    for port, nbits in widths.items():
        for i in range(nbits):
            name = f"{port}[{i}]" if nbits > 1 else port
            found[name] = sum((run[port] >> i & 1) << at for at, run in enumerate(runs))
    return found
