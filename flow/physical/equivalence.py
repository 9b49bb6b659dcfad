"""Proof that a repaired netlist computes what the synthesized one computes.

The proof is structural: behind all buffers and inverters, every cell has the function and the input
signals of the cell of the same name, and a listed copy those of its original. So both have equal
values in every cycle if they begin with equal states. Listed adder cells are proven by truth tables
(`AdderProof`). Names of nets do not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from graphlib import CycleError, TopologicalSorter

import numpy as np

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.physical.array_netlist import ArrayNetlist
from rsaxcel.flow.physical.checks import check_connections, in_all
from rsaxcel.flow.physical.roles import NetSources, roles_of
from rsaxcel.flow.power.boolean import BooleanFunction
from rsaxcel.flow.power.liberty import Library

Adders = Mapping[str, Mapping[str, str]]  #: replaced gate by adder cell and output pin

_MOST_GATES = 64  #: most gates between the inputs of an adder cell and a gate that it replaces
_MOST_INPUTS = 6


@dataclass
class AdderProof:
    """Proof for all adder cells of a netlist.

    A *signal* is twice a number, plus 1 if inverted; equal signals of ``new`` and ``old`` have
    equal values.
    """

    adders: Adders
    new: NetSources  #: sources of the netlist with adder cells
    old: NetSources  #: sources of the synthesized netlist
    signals: np.ndarray  #: signals of root nets of `new`; `run` finds those of adder cells
    old_signals: np.ndarray  #: signals of nets of `old`
    library: Library
    #: Instances of `old` that were evaluated: only these may be missing.
    replaced: set[int] = field(default_factory=set)

    def run(self) -> None:
        """Prove all adder cells, each after those that it reads; ``FlowError`` for a fault."""
        number = {name: at for at, name in enumerate(self.new.netlist.names)}
        if lost := [name for name in self.adders if name not in number]:
            raise FlowError(f"the listed adder cell {lost[0]} is missing ({len(lost)} in all)")
        own = {number[name]: gates for name, gates in self.adders.items()}
        order = TopologicalSorter({at: own.keys() & self._drivers(at) for at in own})
        try:
            for at in order.static_order():
                self._prove(at, own[at])
        except CycleError as error:
            name = self.new.netlist.names[error.args[1][0]]
            raise FlowError(f"adder cell {name} reads its own output") from None

    @cached_property
    def _instances(self) -> dict[str, int]:
        return {name: at for at, name in enumerate(self.old.netlist.names)}

    def _drivers(self, at: int) -> list[int]:
        netlist = self.new.netlist
        kind = netlist.kinds[netlist.kind[at]]
        nets = _nets_of(netlist, at)
        roots = [int(self.new.root[nets[pin.name]]) for pin in kind.pins if not pin.is_output]
        return [int(netlist.pin_instance[self.new.driver[root]]) for root in roots]

    def _prove(self, at: int, gates: Mapping[str, str]) -> None:
        netlist = self.new.netlist
        nets = _nets_of(netlist, at)
        cell = self.library.cells[netlist.kinds[netlist.kind[at]].name]
        name = netlist.names[at]
        inputs = [pin.name for pin in cell.inputs]
        outputs = {pin.name for pin in cell.outputs}
        if cell.sequential or outputs != {*gates} or len(inputs) > _MOST_INPUTS:
            raise FlowError(f"{name} is listed as an adder cell, but of the kind {cell.name}")
        at_pins = {pin: self._signal(nets[pin]) for pin in inputs}
        sources = sorted({signal >> 1 for signal in at_pins.values()})
        leaves = {source: _variable(k, len(sources)) for k, source in enumerate(sources)}
        every = (1 << (1 << len(sources))) - 1
        given = {pin: leaves[x >> 1] ^ (every * (x & 1)) for pin, x in at_pins.items()}
        for pin, gate in gates.items():
            function = cell.pins[pin].function
            before = self._instances.get(gate)
            output = None if before is None else self._output(before)
            if before is None or output is None or function is None:
                raise FlowError(f"output {pin} of {name} replaces {gate}, which is no gate")
            cone = _Cone(self, leaves, len(sources))
            has, wants = _evaluated(function, given, len(sources)), cone.table(output)
            if cone.reached != {*sources} or has not in (wants, every ^ wants):
                raise FlowError(f"output {pin} of adder cell {name} is not the function of {gate}")
            self.replaced |= cone.gates
            self.signals[nets[pin]] = int(self.old_signals[output]) ^ (has != wants)

    def _signal(self, net: int) -> int:
        return int(self.signals[self.new.root[net]]) ^ int(self.new.inverted[net])

    def _output(self, at: int) -> int | None:
        """Net of a gate with one output."""
        netlist = self.old.netlist
        if netlist.is_port[at]:
            return None
        kind = netlist.kinds[netlist.kind[at]]
        nets = [_nets_of(netlist, at)[pin.name] for pin in kind.pins if pin.is_output]
        return nets[0] if len(nets) == 1 and nets[0] >= 0 else None


@dataclass
class _Cone:
    """Gates from given signals to a net of the synthesized netlist, with their truth tables."""

    proof: AdderProof
    leaves: Mapping[int, int]
    count: int
    gates: set[int] = field(default_factory=set)
    reached: set[int] = field(default_factory=set)
    known: dict[int, int] = field(default_factory=dict)

    def table(self, net: int, inner: bool = True) -> int:
        """Truth table of a net (a leaf only without ``inner``); ``FlowError`` for other signals."""
        old = self.proof.old
        signal = int(self.proof.old_signals[net])
        every = (1 << (1 << self.count)) - 1
        if not inner and signal >> 1 in self.leaves:
            self.reached.add(signal >> 1)
            return self.leaves[signal >> 1] ^ (every * (signal & 1))
        root = int(old.root[net])
        if root not in self.known:
            self.known[root] = self._of_gate(int(old.netlist.pin_instance[old.driver[root]]))
        return self.known[root] ^ (every * int(old.inverted[net]))

    def _of_gate(self, at: int) -> int:
        netlist = self.proof.old.netlist
        self.gates.add(at)
        cell = self.proof.library.cells.get(netlist.kinds[netlist.kind[at]].name)
        function = cell.outputs[0].function if cell and len(cell.outputs) == 1 else None
        if cell is None or cell.sequential or function is None or len(self.gates) > _MOST_GATES:
            raise FlowError(
                f"{netlist.names[at]} is not between an adder cell and the gate that it replaces"
            )
        nets = _nets_of(netlist, at)
        given = {pin: self.table(nets[pin], inner=False) for pin in function.pins}
        return _evaluated(function, given, self.count)


def _nets_of(netlist: ArrayNetlist, at: int) -> dict[str, int]:
    pins = range(netlist.pin_start[at], netlist.pin_start[at + 1])
    kind = netlist.kinds[netlist.kind[at]]
    return {pin.name: int(netlist.pin_net[p]) for pin, p in zip(kind.pins, pins, strict=True)}


def _variable(index: int, count: int) -> int:
    """Truth table of variable ``index`` of ``count``: bit ``v`` is bit ``index`` of ``v``."""
    return sum(1 << value for value in range(1 << count) if value >> index & 1)


def _evaluated(function: BooleanFunction, given: Mapping[str, int], count: int) -> int:
    """Truth table of a function whose pins have the given truth tables."""
    tables = [given[pin] for pin in function.pins]
    return sum(
        int(function.table[tuple(table >> value & 1 for table in tables)]) << value
        for value in range(1 << count)
    )


_NONE = -1


def check_equivalent(
    netlist: ArrayNetlist,
    reference: ArrayNetlist,
    library: Library,
    copies: Mapping[str, str] | None = None,
    adders: Adders | None = None,
) -> None:
    """Prove that a netlist is equivalent to ``reference``, the synthesized one.

    `copies` has the original of each copied cell. `FlowError` names the first difference.
    """
    check_connections(reference)
    check_connections(netlist)
    _Comparison(netlist, reference, library, copies or {}, adders or {}).run()


class _Comparison:
    """Comparison of two netlists; an *owner* is the number of an instance in the reference."""

    def __init__(
        self,
        netlist: ArrayNetlist,
        reference: ArrayNetlist,
        library: Library,
        copies: Mapping[str, str],
        adders: Adders,
    ) -> None:
        self.netlist, self.reference, self.copies, self.adders = netlist, reference, copies, adders
        self.library = library
        self.new = NetSources(netlist, roles_of(netlist.kinds, library))
        self.old = NetSources(reference, roles_of(reference.kinds, library))
        self.owner = self._owners()
        names = sorted(
            {pin.name for kind in (*netlist.kinds, *reference.kinds) for pin in kind.pins}
        )
        self.pin_names = {name: number for number, name in enumerate(names)}

    def run(self) -> None:
        """Compare functions, then input signals."""
        self._check_added()
        self._check_functions()
        proof = self._proof()
        proof.run()
        self._check_present(proof.replaced)
        self._check_inputs(proof)

    def _owners(self) -> np.ndarray:
        known = {name: number for number, name in enumerate(_labels(self.reference))}
        for copy, original in self.copies.items():
            if copy in known:
                raise FlowError(f"the copy {copy} is a cell of the synthesized netlist")
            if original not in known:
                raise FlowError(
                    f"{copy} is a copy of {original}, which is no cell of the synthesized netlist"
                )
        both = (known.get(self.copies.get(name, name), _NONE) for name in _labels(self.netlist))
        return np.fromiter(both, np.int64, self.netlist.count)

    def _check_added(self) -> None:
        added = np.flatnonzero(_is_compared(self.new) & (self.owner == _NONE)).tolist()
        _fail(
            "is not in the synthesized netlist, and no buffer, inverter or listed copy or adder",
            (name for at in added if (name := self.netlist.names[at]) not in self.adders),
        )

    def _check_present(self, replaced: Iterable[int]) -> None:
        old = _is_compared(self.old)
        present = np.zeros(self.reference.count, bool)
        named = np.fromiter((x not in self.copies for x in self.netlist.names), bool)
        present[self.owner[named & (self.owner != _NONE)]] = True
        present[list(replaced)] = True
        _fail(
            "of the synthesized netlist is missing",
            (self.reference.names[at] for at in np.flatnonzero(old & ~present)),
        )

    def _check_functions(self) -> None:
        numbers: dict[object, int] = {}
        new, old = (
            np.array([numbers.setdefault(x.signature, len(numbers)) for x in sources.roles])
            for sources in (self.new, self.old)
        )
        both = self.owner != _NONE
        owner = self.owner[both]
        differ = new[self.netlist.kind[both]] != old[self.reference.kind[owner]]
        differ &= _is_compared(self.new)[both] | _is_compared(self.old)[owner]
        _fail(
            "has another function than in the synthesized netlist",
            (self.netlist.names[at] for at in np.flatnonzero(both)[differ]),
        )

    def _proof(self) -> AdderProof:
        """Proof of the adder cells; it finds the signals of their outputs."""
        old_signals = self._signals(self.old, np.arange(self.reference.count))
        signals = self._signals(self.new, self.owner) ^ self.new.inverted
        return AdderProof(self.adders, self.new, self.old, signals, old_signals, self.library)

    def _check_inputs(self, proof: AdderProof) -> None:
        keys, pins = self._inputs(self.new, self.owner)
        old_keys, old_pins = self._inputs(self.old, np.arange(self.reference.count))
        order = np.argsort(old_keys)
        # Every key is found, because functions, and with them the names of pins, are equal.
        expected = old_pins[order][np.searchsorted(old_keys[order], keys)]
        nets = self.netlist.pin_net[pins]
        has = proof.signals[self.new.root[nets]] ^ self.new.inverted[nets]
        wants = proof.old_signals[self.reference.pin_net[expected]]
        wrong = np.flatnonzero(has != wants)
        if not wrong.size:
            return
        first = int(wrong[np.argmin(pins[wrong])])
        cell, pin = self.netlist.pin_name(int(pins[first]))
        net = int(self.netlist.pin_net[pins[first]])
        count = f"({in_all(wrong, 'pin')})"
        if has[first] == wants[first] ^ 1:
            path = [self.netlist.names[at] for at in self.new.path(net)]
            behind = f", behind {', '.join(path[:4])}" if path else ""
            raise FlowError(f"pin {pin} of {cell} has the complement of its signal{behind} {count}")
        now = self._source(self.new, net)
        then = self._source(self.old, int(self.reference.pin_net[expected[first]]))
        raise FlowError(f"pin {pin} of {cell} is connected to {now} instead of {then} {count}")

    def _inputs(self, sources: NetSources, owner: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Key of each input pin of compared cells, by owner and name, and the pin's number."""
        netlist = sources.netlist
        compared = _is_compared(sources) & (owner != _NONE)
        pins = np.flatnonzero(~netlist.pin_is_output & compared[netlist.pin_instance])
        return self._keys(sources, owner, pins), pins

    def _keys(self, sources: NetSources, owner: np.ndarray, pins: np.ndarray) -> np.ndarray:
        netlist = sources.netlist
        numbers = [[self.pin_names[pin.name] for pin in kind.pins] for kind in netlist.kinds]
        first = np.cumsum([0, *map(len, numbers)])[:-1]
        own = netlist.pin_instance[pins]
        within = pins - netlist.pin_start[own]
        name = np.array([x for kind in numbers for x in kind])[first[netlist.kind[own]] + within]
        return owner[own].astype(np.int64) * len(self.pin_names) + name

    def _signals(self, sources: NetSources, owner: np.ndarray) -> np.ndarray:
        """Signal of each net: twice the key of its source, and 1 more if it is inverted."""
        netlist = sources.netlist
        driver, complement = sources.states(sources.driver[sources.root])
        values = np.array([-1 if x.constant is None else x.constant for x in sources.roles])
        constant = values[netlist.kind[netlist.pin_instance[driver]]]
        # All tie cells of one value are one signal, whatever their instances are.
        key = np.where(constant >= 0, -1, self._keys(sources, owner, driver))
        value = np.where(constant >= 0, constant, 0) ^ complement
        return 2 * key + (value ^ sources.inverted)

    def _source(self, sources: NetSources, net: int) -> str:
        driver = int(sources.driver[sources.root[net]])
        cell, pin = sources.netlist.pin_name(driver)
        if sources.netlist.is_port[sources.netlist.pin_instance[driver]]:
            return f"port {cell}"
        return f"{pin} of {cell}"


def _labels(netlist: ArrayNetlist) -> list[str]:
    """Names of instances, those of ports made different from those of cells."""
    ports = netlist.is_port.tolist()
    return [f"\n{x}" if port else x for x, port in zip(netlist.names, ports, strict=True)]


def _is_compared(sources: NetSources) -> np.ndarray:
    """Whether each instance is neither buffer, inverter nor tie cell."""
    kinds = [role.repeats is None and role.constant is None for role in sources.roles]
    return np.array(kinds)[sources.netlist.kind]


def _fail(what: str, names: Iterable[str]) -> None:
    if found := list(names):
        raise FlowError(f"cell {found[0]} {what} ({in_all(found, 'cell')})")
