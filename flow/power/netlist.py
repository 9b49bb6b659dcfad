"""A flat gate-level netlist from Yosys (`write_json`): nets, loads, drivers, clocks, modules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from rsaxcel.flow.errors import PowerError
from rsaxcel.flow.names import module_path
from rsaxcel.flow.power.liberty import Library, LibraryCell, Pin
from rsaxcel.flow.yosys_json import Bit, Module, read_module, without_collection

_CLOCK = "clk"
_AROUND = "(shell)."  # before names of instances around a netlist: no instance has such a name


@dataclass(frozen=True)
class Instance:
    """One cell of the netlist; `nets` has the net of each connected pin."""

    name: str
    cell: LibraryCell
    nets: Mapping[str, Bit]

    @property
    def module(self) -> str:
        return module_path(self.name)


@dataclass(frozen=True)
class ClockBranch:
    """State of the clock on a clock net."""

    #: Enables of all clock gates before the net, the one nearest to the port first: the net pulses
    #: only if all allow it.
    enables: tuple[Bit, ...] = ()
    inverted: bool = False  #: the net carries the complement of the clock


@dataclass(frozen=True)
class NetName:
    """One name of a net: bit `index` (0: least significant) of a signal with `width` bits."""

    name: str
    index: int
    width: int

    def __str__(self) -> str:
        return self.name if self.width == 1 else f"{self.name}[{self.index}]"


@dataclass(frozen=True, repr=False)
class Netlist:
    """A mapped, flat netlist."""

    library: Library
    top: str
    instances: tuple[Instance, ...]
    ports: Mapping[str, tuple[Bit, ...]]  #: nets, least significant bit first
    directions: Mapping[str, str]
    names: Mapping[int, tuple[NetName, ...]]  #: names of each net in the JSON and Verilog of Yosys
    clock_nets: frozenset[int]
    #: wire capacitance of nets with a layout; for others, the wire-load model counts
    wires_f: Mapping[int, float]
    #: Rise and fall delay of a layout's wire to an input pin, by instance and pin; at a flip-flop's
    #: clock pin, latency minus the mean latency.
    arrivals_s: Mapping[tuple[str, str], tuple[float, float]] = field(default_factory=dict)
    #: What is around the netlist when it is simulated; None: nothing, its ports are the streams.
    surrounded: Surrounded | None = None

    @classmethod
    @without_collection()
    def from_yosys_json(
        cls,
        path: str | Path,
        library: Library,
        *,
        top: str,
        clock: str | None = "clk",
        wires_f: Mapping[str, float] | None = None,
        arrivals_s: Mapping[tuple[str, str], tuple[float, float]] | None = None,
    ) -> Netlist:
        """Read the module `top` from a file of Yosys's `write_json`.

        The Verilog must have the same names for simulation and timing: public, and not like
        ``_1_``, which `opt_clean` takes for private. ``rename -enumerate -pattern n%`` in every
        module gives such names; before `flatten`, the path of the instance precedes them. No
        ``clock``: a combinational netlist. ``PowerError`` if a cell or pin is unknown, or a cell
        reads a net without a driver.
        """
        module = read_module(path, top)
        ports = {name: tuple(port["bits"]) for name, port in module.ports.items()}
        if clock is not None and clock not in ports:
            raise PowerError(f"{path}: module {top} has no clock port {clock!r}")
        instances = tuple(
            _instance(name, cell, library, path) for name, cell in module.cells.items()
        )
        names = _net_names(module)
        by_name = {str(name): bit for bit, alias in names.items() for name in alias}
        if unknown := set(wires_f or {}) - set(by_name):
            raise PowerError(f"{path}: no net {sorted(unknown)[0]!r} for a wire capacitance")
        netlist = cls(
            library=library,
            top=top,
            instances=instances,
            ports=ports,
            directions={name: port["direction"] for name, port in module.ports.items()},
            names=names,
            clock_nets=frozenset(_clock_branches(instances, ports[clock] if clock else ())),
            wires_f={by_name[name]: value for name, value in (wires_f or {}).items()},
            arrivals_s=arrivals_s or {},
        )
        for bit in netlist.loads:
            if bit not in netlist.drivers and bit not in netlist.input_nets:
                raise PowerError(f"{path}: net {netlist.name_of(bit)} has loads but no driver")
        return netlist

    @cached_property
    def loads(self) -> dict[int, list[Pin]]:
        """Cell pins that load each net."""
        loads: dict[int, list[Pin]] = {}
        for instance in self.instances:
            for pin, bit in instance.nets.items():
                if isinstance(bit, int) and instance.cell.pins[pin].is_input:
                    loads.setdefault(bit, []).append(instance.cell.pins[pin])
        return loads

    @cached_property
    def drivers(self) -> dict[int, str]:
        """Name of the first instance that drives each net."""
        drivers: dict[int, str] = {}
        for instance in self.instances:
            for pin, bit in instance.nets.items():
                if isinstance(bit, int) and instance.cell.pins[pin].is_output:
                    drivers.setdefault(bit, instance.name)
        return drivers

    @cached_property
    def module_of(self) -> dict[int, str]:
        """Module path of the driver of each net; nets that ports drive are absent."""
        return {bit: module_path(name) for bit, name in self.drivers.items()}

    @cached_property
    def clock_branches(self) -> dict[int, ClockBranch]:
        """State of the clock on each clock net, through buffers, inverters and clock gates."""
        return _clock_branches(self.instances, self.clock_nets & self.input_nets)

    @cached_property
    def gated_clocks(self) -> dict[int, Bit]:
        """For each clock net behind a clock gate, the net of the last such gate's enable."""
        return {
            bit: branch.enables[-1] for bit, branch in self.clock_branches.items() if branch.enables
        }

    @cached_property
    def input_nets(self) -> frozenset[int]:
        """Nets that input ports drive, including the clock."""
        return frozenset(self._port_bits("input")) - set(self.drivers)

    @cached_property
    def observed(self) -> frozenset[int]:
        """Nets that a cell or an output port reads."""
        return frozenset(self.loads) | frozenset(self._port_bits("output"))

    @cached_property
    def load_f(self) -> dict[int, float]:
        """Capacitance of each net in farads.

        Wire and pins, with the larger of their rise and fall sums.
        """
        fanouts = {bit: len(pins) for bit, pins in self.loads.items()}
        for bit in self._port_bits("output"):
            fanouts[bit] = fanouts.get(bit, 0) + 1
        model = self.library.wire_load
        wires_f = {n: model.wire_f(n) if model else 0.0 for n in {0, *fanouts.values()}}
        load_f = {}
        for bit in {*self.drivers, *self.input_nets}:
            pins = self.loads.get(bit, [])
            rise = sum(pin.rise_capacitance_f for pin in pins)
            fall = sum(pin.fall_capacitance_f for pin in pins)
            wire = wires_f[fanouts.get(bit, 0)]
            load_f[bit] = max(rise, fall) + self.wires_f.get(bit, wire)
        return load_f

    def inside(self, shell: Netlist, wires: Mapping[str, str]) -> Netlist:
        """Return the netlist with a shell around it, which is simulated and never measured.

        ``wires`` has the netlist's port by the port of the shell; clocks are connected, too. The
        cells of the shell have nearly no delays: what it gives comes at the clock edge.
        """
        joined = _Joined(self, shell)
        for outside, port in {_CLOCK: _CLOCK, **wires}.items():
            joined.connect(shell.ports[outside], self.ports[port])
        whole = Netlist(
            library=self.library,
            top=self.top,
            instances=joined.instances,
            ports={x: joined.shell(y) for x, y in shell.ports.items() if x not in wires},
            directions={x: y for x, y in shell.directions.items() if x not in wires},
            names={},
            clock_nets=frozenset(),
            wires_f={},
        )
        clock = frozenset(_clock_branches(whole.instances, whole.ports[_CLOCK]))
        nets = {bit: joined.net(bit) for bit in {*self.drivers, *self.input_nets, *self.loads}}
        return replace(self, surrounded=Surrounded(replace(whole, clock_nets=clock), nets))

    def name_of(self, bit: int) -> str:
        """Return a readable name of a net."""
        return str(self.names[bit][0]) if bit in self.names else f"number {bit}"

    def _port_bits(self, direction: str) -> Iterator[int]:
        for name, bits in self.ports.items():
            if self.directions[name] in (direction, "inout"):
                yield from (bit for bit in bits if isinstance(bit, int))


@dataclass(frozen=True, repr=False)
class Surrounded:
    """A netlist in its shell, for simulation."""

    whole: Netlist  #: instances of the netlist keep their names; those of the shell have others
    nets: Mapping[int, Bit]  #: net of the whole by the net of the netlist


class _Joined:
    """Numbers the nets of a netlist and of its shell, whose ports are connected, as one."""

    def __init__(self, core: Netlist, shell: Netlist) -> None:
        self._core, self._shell = core, shell
        self._offset = 1 + max((x for x in _bits_of(core) if isinstance(x, int)), default=0)
        self._same: dict[Bit, Bit] = {}

    def connect(self, outside: Iterable[Bit], inside: Iterable[Bit]) -> None:
        for one, other in zip(self._moved(outside), inside, strict=True):
            one, other = self.net(one), self.net(other)
            if one != other:
                # A constant stands for all nets that have it.
                kept, left = (other, one) if isinstance(other, str) else (one, other)
                self._same[left] = kept

    def net(self, bit: Bit) -> Bit:
        """Return the net that stands for all that are connected with a net."""
        while bit in self._same:
            bit = self._same[bit]
        return bit

    def shell(self, bits: Iterable[Bit]) -> tuple[Bit, ...]:
        return tuple(map(self.net, self._moved(bits)))

    @property
    def instances(self) -> tuple[Instance, ...]:
        inside = (
            replace(x, nets={pin: self.net(bit) for pin, bit in x.nets.items()})
            for x in self._core.instances
        )
        around = (
            Instance(
                f"{_AROUND}{x.name}",
                x.cell,
                dict(zip(x.nets, self.shell(x.nets.values()), strict=True)),
            )
            for x in self._shell.instances
        )
        return (*inside, *around)

    def _moved(self, bits: Iterable[Bit]) -> Iterator[Bit]:
        return (x + self._offset if isinstance(x, int) else x for x in bits)


def _bits_of(netlist: Netlist) -> Iterator[Bit]:
    for instance in netlist.instances:
        yield from instance.nets.values()
    for bits in netlist.ports.values():
        yield from bits


def _instance(name: str, cell: dict, library: Library, path: str | Path) -> Instance:
    kind = library.cells.get(cell["type"])
    if kind is None:
        raise PowerError(f"{path}: cell {name} has type {cell['type']}, not in {library.name}")
    nets = {}
    for pin, bits in cell["connections"].items():
        if pin not in kind.pins or len(bits) > 1:
            raise PowerError(f"{path}: cell {name} of type {kind.name} has no such pin as {pin}")
        if bits:
            nets[pin] = bits[0]
    for pin in kind.inputs:
        if pin.name not in nets:
            raise PowerError(f"{path}: input {pin.name} of cell {name} is not connected")
    return Instance(name, kind, nets)


def _net_names(module: Module) -> dict[int, tuple[NetName, ...]]:
    """Collect the public names of each net; the Verilog has other hidden names than the JSON."""
    names: dict[int, list[NetName]] = {}
    for name, net in module.public_nets:
        for index, bit in enumerate(net["bits"]):
            if isinstance(bit, int):
                names.setdefault(bit, []).append(NetName(name, index, len(net["bits"])))
    return {bit: tuple(aliases) for bit, aliases in names.items()}


def _clock_branches(
    instances: tuple[Instance, ...], roots: Iterable[Bit]
) -> dict[int, ClockBranch]:
    """Follow the clock from its port through buffers, inverters and clock gates."""
    readers: dict[Bit, list[Instance]] = {}
    for instance in instances:
        inputs, outputs = instance.cell.inputs, instance.cell.outputs
        if gate := instance.cell.clock_gate:
            inputs = tuple(pin for pin in inputs if pin.name in gate.clock.pins)
        if len(inputs) == len(outputs) == 1 and outputs[0].name in instance.nets:
            readers.setdefault(instance.nets[inputs[0].name], []).append(instance)
    found = {bit: ClockBranch() for bit in roots if isinstance(bit, int)}
    pending = list(found)
    while pending:
        bit = pending.pop()
        for instance in readers.get(bit, []):
            (pin,) = instance.cell.outputs
            driven = instance.nets[pin.name]
            if isinstance(driven, int) and driven not in found:
                found[driven] = _behind(instance, pin, found[bit])
                pending.append(driven)
    return found


def _behind(instance: Instance, pin: Pin, branch: ClockBranch) -> ClockBranch:
    """Return the clock branch at the output of a buffer, an inverter or a clock gate."""
    if gate := instance.cell.clock_gate:
        (enable,) = gate.next_state.pins
        return replace(branch, enables=(*branch.enables, instance.nets[enable]))
    falls = pin.function is not None and not pin.function.table[-1]
    return replace(branch, inverted=branch.inverted != falls)
