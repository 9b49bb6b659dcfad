"""And-inverter graphs: a circuit as two-input AND gates and inverters.

A literal is twice the number of a node, plus 1 if it is inverted; literal 0 is false, 1 true (as in
the AIGER format, version 1.9).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

FALSE, TRUE = 0, 1

#: Whether a bit can be 1, and whether it can be 0.
Pair = tuple[int, int]


def beginning(latch: str) -> str:
    """Name of the input that is a latch's first state."""
    return f"begin:{latch}"


class Aig:
    """A graph that grows: equal gates are one node, and gates with constant inputs are none.

    The input number i, with a name in ``inputs``, is node ``nodes_of_inputs[i]``.
    """

    def __init__(self) -> None:
        self.inputs: list[str] = []
        self.input_nodes: list[int] = []
        self.gates: dict[int, tuple[int, int]] = {}
        self._known: dict[tuple[int, int], int] = {}
        self.count = 1

    def add_input(self, name: str) -> int:
        """Add an input and return its literal."""
        self.inputs.append(name)
        self.input_nodes.append(self.count)
        self.count += 1
        return 2 * (self.count - 1)

    def both(self, a: int, b: int) -> int:
        """Return the literal of ``a and b``."""
        if a > b:
            a, b = b, a
        if a == FALSE or a ^ b == 1:
            return FALSE
        if a == TRUE or a == b:
            return b
        found = self._known.get((a, b))
        if found is None:
            found = self._known[a, b] = 2 * self.count
            self.gates[self.count] = a, b
            self.count += 1
        return found

    def either(self, a: int, b: int) -> int:
        """Return the literal of ``a or b``."""
        return self.both(a ^ 1, b ^ 1) ^ 1

    def differ(self, a: int, b: int) -> int:
        """Return the literal of ``a xor b``."""
        return self.either(self.both(a, b ^ 1), self.both(a ^ 1, b))

    def any_of(self, literals: Iterable[int]) -> int:
        """Return the literal that is true if any of the literals is."""
        found = FALSE
        for literal in literals:
            found = self.either(found, literal)
        return found

    def resolve(self, literal: int) -> int:
        """Return the literal that stands for ``literal``; a subclass may know a simpler one."""
        return literal

    def copy(self, machine: Machine, given: Mapping[str, int], states: Sequence[int]) -> Frame:
        """Add a machine's gates for one cycle; inputs that are not ``given`` become the graph's."""
        literal = [FALSE] * (machine.count + 1)
        for name, node in machine.inputs.items():
            fresh = name not in given
            literal[node] = self.add_input(f"{name}@{self.count}") if fresh else given[name]
        for latch, state in zip(machine.latches, states, strict=True):
            literal[latch.node] = state
        both = self.both
        for node, a, b in machine.gates:
            literal[node] = both(literal[a >> 1] ^ a & 1, literal[b >> 1] ^ b & 1)
        nexts = [literal[x.following >> 1] ^ x.following & 1 for x in machine.latches]
        outputs = {name: literal[x >> 1] ^ x & 1 for name, x in machine.outputs.items()}
        return Frame(outputs, nexts)

    def cone(self, roots: Iterable[int]) -> list[int]:
        """Nodes of the gates on which literals depend, in an order that can be computed."""
        # Nodes are numbered in the order in which they are added, and a gate reads older nodes
        # only.
        return sorted(node for node in self._reached(roots) if node in self.gates)

    def is_larger(self, literal: int, most: int) -> bool:
        """Whether a literal depends on more than ``most`` gates."""
        gates = (node for node in self._reached([literal]) if node in self.gates)
        return next(islice(gates, most, None), None) is not None

    def support(self, literal: int) -> set[str]:
        """Names of the inputs on which a literal depends."""
        names = dict(zip(self.input_nodes, self.inputs, strict=True))
        return {names[node] for node in self._reached([literal]) if node in names}

    def _reached(self, roots: Iterable[int]) -> Iterator[int]:
        """Yield each node on which literals depend once, also the literals' own nodes."""
        seen, left = set(), [self.resolve(root) >> 1 for root in roots]
        while left:
            node = left.pop()
            if node not in seen:
                seen.add(node)
                yield node
                left += [self.resolve(x) >> 1 for x in self.gates.get(node, ())]

    def substituted(self, roots: Sequence[int], given: Mapping[int, int]) -> list[int]:
        """Literals of the functions of ``roots`` after literals replace some inputs (``given``)."""
        found = {0: FALSE} | {node: given.get(node, 2 * node) for node in self.input_nodes}
        for node in self.cone(roots):
            a, b = map(self.resolve, self.gates[node])
            found[node] = self.both(found[a >> 1] ^ a & 1, found[b >> 1] ^ b & 1)
        return [found[x >> 1] ^ x & 1 for x in map(self.resolve, roots)]

    def write(
        self,
        path: Path,
        output: int,
        ninputs: int | None = None,
        latches: Sequence[int] = (),
        nexts: Sequence[int] = (),
    ) -> None:
        """Write a circuit as a binary AIGER file; its latches begin at 0.

        The first ``ninputs`` inputs of the graph are the circuit's, by default all; ``latches``
        are states of latches, the other inputs, and ``nexts`` their next states.
        """
        inputs = self.input_nodes[:ninputs]
        gates = self.cone([output, *nexts])
        nodes = [0, *inputs, *(x >> 1 for x in latches), *gates]
        number = {node: i for i, node in enumerate(nodes)}

        def literal(x: int) -> int:
            x = self.resolve(x)
            return 2 * number[x >> 1] ^ x & 1

        counts = len(nodes) - 1, len(inputs), len(latches), 1, len(gates)
        lines = [" ".join(["aig", *map(str, counts)]), *(str(literal(x)) for x in (*nexts, output))]
        content = bytearray()
        for node in gates:
            low, high = sorted(map(literal, self.gates[node]))
            for delta in (2 * number[node] - high, high - low):
                while delta > 0x7F:
                    content.append(delta & 0x7F | 0x80)
                    delta >>= 7
                content.append(delta)
        path.write_bytes("\n".join(lines).encode() + b"\n" + bytes(content))

    def values(self, given: Sequence[int], roots: Iterable[int]) -> list[int]:
        """Values of literals for given values of all inputs."""
        roots = [self.resolve(root) for root in roots]
        value = dict(zip(self.input_nodes, given, strict=True)) | {0: 0}
        for node in self.cone(roots):
            a, b = map(self.resolve, self.gates[node])
            value[node] = (value[a >> 1] ^ a & 1) & (value[b >> 1] ^ b & 1)
        return [value[x >> 1] ^ x & 1 for x in roots]


@dataclass(frozen=True)
class Frame:
    """A machine in one cycle: literals of its outputs by name, and of the latches' next states."""

    outputs: dict[str, int]
    nexts: list[int]


@dataclass(frozen=True)
class Latch:
    """A latch (flip-flop) of a machine."""

    name: str  #: register and number of its bit
    node: int  #: node of the state
    following: int  #: literal of the next state


@dataclass(frozen=True)
class Machine:
    """A sequential circuit as Yosys writes it, bit by bit."""

    inputs: dict[str, int]  #: nodes by name, such as recv__msg[3]; one bit has no number
    outputs: dict[str, int]  #: literals by name
    latches: list[Latch]
    #: node and input literals of each gate, in an order in which gates can be computed
    gates: list[tuple[int, int, int]]
    count: int = field(repr=False)  #: number of nodes
    undefined: frozenset[str] = frozenset()  #: inputs that stand for undefined values (x)

    @classmethod
    def read(cls, path: Path) -> Machine:
        """Read a binary AIGER file with names of inputs, outputs and latches."""
        content = path.read_bytes()
        header, _, rest = content.partition(b"\n")
        kind, *numbers = header.split()
        if kind != b"aig":
            raise ValueError(f"{path}: no binary AIGER file")
        count, ninputs, nlatches, noutputs, ngates = map(int, numbers[:5])
        lines = rest.split(b"\n", nlatches + noutputs)
        followings = [int(line.split()[0]) for line in lines[:nlatches]]
        roots = [int(line) for line in lines[nlatches : nlatches + noutputs]]
        gates, end = _gates(lines[-1], ninputs + nlatches + 1, ngates)
        names: dict[str, str] = {}
        for line in lines[-1][end:].split(b"\n"):
            if line == b"c":
                break
            key, _, name = line.decode().partition(" ")
            names[key] = name
        inputs = [f"i{i}" for i in range(ninputs)]
        return cls(
            {names.get(x, x): i + 1 for i, x in enumerate(inputs)},
            {names.get(f"o{i}", f"o{i}"): root for i, root in enumerate(roots)},
            [
                Latch(names.get(f"l{i}", f"l{i}"), ninputs + 1 + i, following)
                for i, following in enumerate(followings)
            ],
            gates,
            count,
            frozenset(inputs) - names.keys(),
        )

    def reduced(self) -> Machine:
        """Return the machine without equal gates, and without those that nothing reads."""
        graph = Aig()
        given = {name: graph.add_input(name) for name in self.inputs}
        states = [graph.add_input(latch.name) for latch in self.latches]
        frame = graph.copy(self, given, states)
        return Machine(
            {name: x >> 1 for name, x in given.items()},
            frame.outputs,
            [
                Latch(latch.name, state >> 1, following)
                for latch, state, following in zip(self.latches, states, frame.nexts, strict=True)
            ],
            [(x, *graph.gates[x]) for x in graph.cone([*frame.outputs.values(), *frame.nexts])],
            graph.count,
            self.undefined,
        )

    def possible(
        self,
        given: Mapping[str, int],
        states: Iterable[Pair],
        true: int,
        both: Callable[[int, int], int] = operator.and_,
        either: Callable[[int, int], int] = operator.or_,
    ) -> tuple[dict[str, Pair], list[Pair]]:
        """Return a pair of values for each output by name, and for the latches' next states.

        The first value is true if the bit can be 1, the second if it can be 0. An undefined bit (x)
        can be both, as can inputs that are not ``given``. Values are literals of a graph that has
        the functions ``both`` and ``either``, or numbers with a bit for each run; 0 is false.
        """
        pairs = [(FALSE, true)] * (self.count + 1)

        def pair(literal: int) -> Pair:
            one, zero = pairs[literal >> 1]
            return (zero, one) if literal & 1 else (one, zero)

        for name, node in self.inputs.items():
            pairs[node] = (given[name], given[name] ^ true) if name in given else (true, true)
        for latch, state in zip(self.latches, states, strict=True):
            pairs[latch.node] = state
        for node, a, b in self.gates:
            (one_a, zero_a), (one_b, zero_b) = pair(a), pair(b)
            pairs[node] = both(one_a, one_b), either(zero_a, zero_b)
        outputs = {name: pair(literal) for name, literal in self.outputs.items()}
        return outputs, [pair(latch.following) for latch in self.latches]

    def bits(self, port: str, outputs: bool = False) -> list[str]:
        """Names of the bits of a port, the lowest first; none if there is no such port."""
        names = self.outputs if outputs else self.inputs
        if port in names:
            return [port]
        found: list[str] = []
        while f"{port}[{len(found)}]" in names:
            found.append(f"{port}[{len(found)}]")
        return found


def _gates(content: bytes, first: int, count: int) -> tuple[list[tuple[int, int, int]], int]:
    """Decode the gates of a binary AIGER file; return them, and the place behind them."""
    gates, at = [], 0
    for node in range(first, first + count):
        pins, last = [], 2 * node
        for _ in range(2):
            shift = delta = 0
            while (byte := content[at]) & 0x80:
                delta |= (byte & 0x7F) << shift
                shift += 7
                at += 1
            delta |= byte << shift
            at += 1
            last -= delta
            pins.append(last)
        gates.append((node, pins[0], pins[1]))
    return gates, at
