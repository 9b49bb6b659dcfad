"""Waveforms (VCD) and switching activity (SAIF) of a netlist's nets in a window of cycles.

An operation is simulated again, and the toggles of its nets in the window are recorded.
"""

from __future__ import annotations

import os
import re
import tempfile
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from rsaxcel.circuit import Target
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.files import read_json
from rsaxcel.flow.gates.level import GateLevel
from rsaxcel.flow.gates.timed import ALWAYS, Sample, Window
from rsaxcel.flow.interface import read_interface
from rsaxcel.flow.job import circuit_job
from rsaxcel.flow.kit import CLOCK_NS, DEFAULT_LIBRARY
from rsaxcel.flow.layout import NOT_PLACED, TIMED, Layout
from rsaxcel.flow.libraries import find_kit
from rsaxcel.flow.names import SEPARATOR
from rsaxcel.flow.nodes.placed_power import PlacedPowerNode
from rsaxcel.flow.nodes.power import PowerNode, power_period_ns
from rsaxcel.flow.outline import NETLIST, read_netlist, read_slews, timing_node
from rsaxcel.flow.power.activity import Activity, Simulated
from rsaxcel.flow.power.netlist import Netlist
from rsaxcel.flow.requests import usual_exponents
from rsaxcel.flow.run import run
from rsaxcel.flow.shells import in_shell
from rsaxcel.flow.subjects import Subject, subject_of
from rsaxcel.flow.yosys_json import Bit, read_module

Change = tuple[int, int, int]  #: time in ps from the beginning of the window, net, new value


class CycleChanges:
    """Turns a simulation's log into changes of all nets and of the clock nets, cycle by cycle.

    A cycle takes a period, or longer if nets settle later. The clock rises at its beginning and
    falls in the middle of the period; behind a clock gate only if the enable was 1 at the end of
    the cycle before. Without ``delays``, nets change at the beginning of a cycle to their last
    value in it. ``values`` has the value of each net after all changes so far, ``time_ps`` the
    beginning of the next cycle.
    """

    def __init__(self, netlist: Netlist, period_ps: int, *, delays: bool) -> None:
        self._netlist, self._period_ps, self._delays = netlist, period_ps, delays
        self.values: dict[int, int] = {}
        self.time_ps = 0
        self._cycle = 0

    def begin(self, nets: Mapping[int, int], values: np.ndarray) -> None:
        """Start with the values before the window; the clock is low."""
        self._bits: dict[int, list[int]] = {}  # several nets may be one, connected by a shell
        for bit, at in nets.items():
            self._bits.setdefault(at, []).append(bit)
        clock = self._netlist.clock_nets
        self.values = {bit: int(values[at]) for bit, at in nets.items() if bit not in clock}
        self.values |= dict.fromkeys(clock, 0)

    def changes(self, rows: np.ndarray) -> Iterator[list[Change]]:
        """Yield the changes of all cycles; a row of the log: cycle, index in ``values``, ps."""
        bounds = np.flatnonzero(np.diff(rows[:, 0])) + 1
        for own in np.split(rows, bounds):
            yield from self.idle(int(own[0, 0]))
            yield self._changes(own)

    def idle(self, end: int) -> Iterator[list[Change]]:
        """Yield the changes of idle cycles (only the clock toggles), up to cycle ``end``."""
        while self._cycle < end:
            yield self._changes(np.zeros((0, 3), np.int64))

    def _changes(self, rows: np.ndarray) -> list[Change]:
        begun, values = self.time_ps, self.values
        found = [(begun, bit, 1) for bit in self._clocked()]
        if not self._delays:
            positions, counts = np.unique(rows[:, 1], return_counts=True)
            moments = [(0, at) for at in positions[counts % 2 == 1].tolist()]
        else:
            order = np.argsort(rows[:, 2], kind="stable")
            moments = list(zip(rows[order, 2].tolist(), rows[order, 1].tolist(), strict=True))
        clock = [bit for _, bit, _ in found]
        falls = begun + self._period_ps // 2
        bits = self._bits
        for moment, at in moments:
            if clock and begun + moment >= falls:
                found += [(falls, bit, 0) for bit in clock]
                clock = []
            for bit in bits.get(at, ()):  # states of flip-flops are not nets
                values[bit] = value = 1 - values[bit]
                found.append((begun + moment, bit, value))
        found += [(falls, bit, 0) for bit in clock]
        last = moments[-1][0] if moments else 0
        self.time_ps += max(self._period_ps, last + 1)
        self._cycle += 1
        return found

    def _clocked(self) -> list[int]:
        """Clock nets that rise in the next cycle."""
        gated: Mapping[int, Bit] = self._netlist.gated_clocks
        values = self.values

        def enabled(bit: int) -> bool:
            enable = gated[bit]
            return values.get(enable, 0) == 1 if isinstance(enable, int) else enable == "1"

        return [x for x in self._netlist.clock_nets if x not in gated or enabled(x)]


@dataclass(frozen=True)
class NamedSignal:
    """A net or a bus with a name."""

    name: str  #: name in the netlist, after the path of its module
    bits: tuple[Bit, ...]  #: nets of the signal, least significant first
    lowest: int  #: index of the least significant bit in the Verilog
    is_bus: bool  #: the signal has a range in the Verilog, maybe [0:0]

    @property
    def path(self) -> tuple[str, ...]:
        return tuple(self.name.split(SEPARATOR))

    @property
    def range(self) -> str:
        """Range of a bus as in Verilog, such as ``[7:0]``; empty for a single net."""
        return f"[{self.lowest + len(self.bits) - 1}:{self.lowest}]" if self.is_bus else ""

    @property
    def bit_names(self) -> list[str]:
        """Name of each bit: ``name[index]`` for a bus; for a single net, the signal's name."""
        if not self.is_bus:
            return [self.name]
        return [f"{self.name}[{self.lowest + at}]" for at in range(len(self.bits))]


def read_signals(path: Path, top: str) -> list[NamedSignal]:
    """Read the signals with names in the Verilog from the JSON that Yosys wrote beside it."""
    return [
        NamedSignal(name, tuple(net["bits"]), net.get("offset", 0), _is_bus(net))
        for name, net in sorted(read_module(path, top).public_nets)
    ]


def _is_bus(net: Mapping[str, Any]) -> bool:
    return len(net["bits"]) > 1 or "single_bit_vector" in net.get("attributes", {})


@dataclass(frozen=True)
class Span:
    """Range of an operation's cycles, from 0, both ends included; ``last`` None: to the end."""

    first: int = 0
    last: int | None = None

    def __str__(self) -> str:
        return f"{self.first}:{'' if self.last is None else self.last}"


@dataclass(frozen=True, eq=False)
class RecordedCircuit:
    """Circuit whose nets are recorded, and its signals with their names in the Verilog."""

    netlist: Netlist
    signals: Sequence[NamedSignal]
    period_ps: int


class WaveFile(ABC):
    """Writes the changes in a window to a file, which appears only when it is complete.

    Changes go to a draft beside the file, which ``publish`` puts in its place; else the end of a
    ``with`` block removes it.
    """

    def __init__(self, path: Path, comment: str = "") -> None:
        self.path, self.comment = path, comment
        self._draft: Path | None = None

    def start(self, circuit: RecordedCircuit) -> None:
        """Open a draft beside the file; this is the first call, before ``begin``."""
        folder, name = self.path.parent, f".{self.path.name}."
        descriptor, draft = tempfile.mkstemp(dir=folder, prefix=name)
        self._draft = Path(draft)
        self._file: TextIO = open(descriptor, "w", encoding="ascii")
        self.circuit = circuit

    @abstractmethod
    def begin(self, values: Mapping[int, int]) -> None:
        """Store or write the values that the nets have before the window, by net number."""

    @abstractmethod
    def add(self, changes: Sequence[Change]) -> None:
        """Store or write the value changes of all nets in a cycle."""

    @abstractmethod
    def finish(self, time_ps: int, swallowed: Mapping[int, int]) -> None:
        """Write the rest of the file.

        The window's length is ``time_ps``; ``swallowed`` has pulses shorter than the gate's delay.
        """

    def end(self, time_ps: int, swallowed: Mapping[int, int]) -> None:
        self.finish(time_ps, swallowed)
        self._file.close()

    def publish(self) -> None:
        assert self._draft is not None
        self._draft.chmod(0o644)
        os.replace(self._draft, self.path)
        self._draft = None

    def __enter__(self) -> WaveFile:
        return self

    def __exit__(self, *_: object) -> None:
        if self._draft is not None:
            self._file.close()
            self._draft.unlink(missing_ok=True)


@dataclass(frozen=True)
class Watched:
    """Numbers of a recorded window, without clock nets; a net with several names counts once."""

    operation: str
    cycles: int
    toggles: int
    glitches: int


def operations_of(target: Target) -> list[str]:
    """Names of the operations that ``watch`` accepts; the first one is the default."""
    subject = subject_of(target)
    return subject.operations(_exponents(subject))


def watch(
    target: Target,
    library: str = DEFAULT_LIBRARY,
    clock_ns: float = CLOCK_NS,
    *,
    operation: str,
    span: Span,
    activity: str = TIMED,
    layout: Layout = NOT_PLACED,
    recorders: Sequence[WaveFile],
) -> Watched:
    """Simulate the first operation of a type, and record the toggles in some of its cycles.

    The netlist is a result of ``flow.run.run_flow``; ``operation`` is one of ``operations_of``.
    ``activity`` is ``timed`` (nets toggle after their delays) or ``zero`` (at the beginning of the
    cycle).
    """
    subject = subject_of(target)
    exponents = _exponents(subject)
    names = subject.operations(exponents)
    if operation not in names:
        raise ValueError(f"operation={operation}: {', '.join(names)} are allowed")
    job = circuit_job(target, library, clock_ns, layout=layout)
    found = run(job, NETLIST, lookup=True)
    if found is None:
        raise FlowError(f"{subject.name}: the netlist of the flow is gone")
    files = found.files
    interface = read_interface(files["interface.json"])
    top, power = interface.top, PlacedPowerNode if layout.placed else PowerNode
    read, slews = read_netlist(files, library, top, layout), read_slews(files, layout)
    netlist, _ = in_shell(read, target, find_kit(library), subject.check)
    timing = read_json(files[timing_node(layout).figures])
    period_ns = power_period_ns(timing["clock_ns"], timing["min_period_ns"])
    signals = read_signals(files[power.netlist], top)
    circuit = RecordedCircuit(netlist, signals, round(1000 * period_ns))
    observer = Observer(circuit, recorders, delays=activity == TIMED)
    level = _WatchedLevel(netlist, slews, observer=observer, wanted=operation, span=span)
    for done in subject.simulate(level, interface, exponents):
        if done.name == operation:
            break
    return Watched(operation, observer.cycles, observer.toggles, observer.glitches)


def _exponents(subject: Subject) -> dict[str, int]:
    nbits = subject.exponent_nbits
    return usual_exponents(subject.nbits, nbits) if nbits else {}


class Observer:
    """Turns the log of a simulation into changes of nets, counts them, and informs recorders.

    ``cycles`` are in the window, ``lane_cycles`` in the operation; clock nets do not count.
    """

    def __init__(
        self, circuit: RecordedCircuit, recorders: Sequence[WaveFile], *, delays: bool
    ) -> None:
        self._circuit, self._recorders, self._delays = circuit, recorders, delays
        self._changes = CycleChanges(circuit.netlist, circuit.period_ps, delays=delays)
        self.cycles = self.lane_cycles = self.toggles = self.glitches = 0

    def begin(self, nets: Mapping[int, int], values: np.ndarray) -> None:
        """Pass the circuit, and the values before the window, to the recorders."""
        self._nets = nets
        self._changes.begin(nets, values)
        for recorder in self._recorders:
            recorder.start(self._circuit)
            recorder.begin(self._changes.values)

    def add(self, rows: np.ndarray) -> None:
        """Pass the changes in rows of the log to the recorders, cycle by cycle."""
        self._pass_on(self._changes.changes(rows))

    def end(self, cycles: int, lane_cycles: int, swallowed: np.ndarray) -> None:
        """Pass the idle cycles up to the end of the window, then call each recorder's ``end``."""
        self._pass_on(self._changes.idle(cycles))
        self.cycles, self.lane_cycles = cycles, lane_cycles
        pulses = {bit: int(swallowed[at]) for bit, at in self._nets.items()}
        for recorder in self._recorders:
            recorder.end(self._changes.time_ps, pulses if self._delays else {})

    def _pass_on(self, cycles: Iterator[list[Change]]) -> None:
        clock = self._circuit.netlist.clock_nets
        for changes in cycles:
            for recorder in self._recorders:
                recorder.add(changes)
            nets = [bit for _, bit, _ in changes if bit not in clock]
            self.toggles += len(nets)
            # An odd number of toggles changes a net's value: then one toggle is useful.
            odd: set[int] = set()
            for bit in nets:
                odd ^= {bit}
            self.glitches += len(nets) - len(odd)


@dataclass(frozen=True, kw_only=True)
class _WatchedLevel(GateLevel):
    """Gate level that simulates one type of operation, and observes a window of it."""

    observer: Observer
    wanted: str
    span: Span

    def measured(
        self, name: str, cycles: float, simulate: Callable[[Sample], Simulated]
    ) -> Simulated:
        """Simulate the type of operation ``wanted``; return an empty result for all others."""
        if name != self.wanted:
            return Simulated(name, Activity(0.0, {}, {}), 0, {})
        first, last = self.span.first, self.span.last
        end = ALWAYS if last is None else last + 1
        done = simulate(Sample(window=Window(self.observer, first=first, end=end)))
        has = self.observer.lane_cycles
        if first >= has or (last is not None and last >= has):
            raise ValueError(f"cycles={self.span}: {name} has the cycles 0:{has - 1}")
        return done


_FIRST, _LAST = 33, 126  #: range of the characters of an identifier code (printable ASCII)


def code_of(number: int) -> str:
    """Return the identifier code of the signal with this number: a few printable characters."""
    digits = ""
    while True:
        number, digit = divmod(number, _LAST - _FIRST + 1)
        digits += chr(_FIRST + digit)
        if not number:
            return digits
        number -= 1


def declared(scope: str, variables: Iterable[tuple[Sequence[str], str]]) -> Iterator[str]:
    """Yield the lines that declare a scope: its variables, then the scopes in it.

    A variable has its path below the scope, and the text on its width, code and name.
    """
    yield f"$scope module {scope} $end"
    inner: dict[str, list[tuple[Sequence[str], str]]] = defaultdict(list)
    for path, text in variables:
        if len(path) > 1:
            inner[path[0]].append((path[1:], text))
        else:
            yield f"$var wire {text} $end"
    for name, own in inner.items():
        yield from declared(name, own)
    yield "$upscope $end"


_SPECIAL = re.compile(r"[^A-Za-z0-9_]")


def escaped(name: str) -> str:
    """Name with a backslash before each character that is special in SAIF."""
    return _SPECIAL.sub(r"\\\g<0>", name)


class VcdFile(WaveFile):
    """Writes a waveform for a viewer; its scopes are the modules of the design.

    The values before the window are shown for a period, so that its first edges are visible.
    """

    def begin(self, values: Mapping[int, int]) -> None:
        """Write declarations, and the values before the window."""
        signals, write = self.circuit.signals, self._file.write
        # Signals with the same nets share an identifier code of the VCD.
        codes: dict[tuple[Bit, ...], str] = {}
        for signal in signals:
            codes.setdefault(signal.bits, code_of(len(codes)))
        self._vectors = {bits: code for bits, code in codes.items() if len(bits) > 1}
        self._scalars: dict[Bit, str] = {b[0]: code for b, code in codes.items() if len(b) == 1}
        self._buses: dict[Bit, list[tuple[Bit, ...]]] = defaultdict(list)
        for bits in self._vectors:
            for bit in dict.fromkeys(bits):
                self._buses[bit].append(bits)
        write(f"$comment {self.comment} $end\n$timescale 1 ps $end\n")
        variables = [
            (x.path, f"{len(x.bits)} {codes[x.bits]} {x.path[-1]} {x.range}".rstrip())
            for x in signals
        ]
        top = self.circuit.netlist.top
        self._file.writelines(f"{line}\n" for line in declared(top, variables))
        self._values = {bit: str(value) for bit, value in values.items()}
        write("$enddefinitions $end\n#0\n$dumpvars\n")
        for bit, code in self._scalars.items():
            write(f"{self._value(bit)}{code}\n")
        for bits, code in self._vectors.items():
            write(self._vector(bits, code))
        write("$end\n")

    def add(self, changes: Sequence[Change]) -> None:
        """Write the changes of one cycle, which are sorted by time."""
        time, write, values = -1, self._file.write, self._values
        buses: dict[tuple[Bit, ...], None] = {}
        for at, bit, value in changes:
            if at != time:
                for bits in buses:
                    write(self._vector(bits, self._vectors[bits]))
                buses.clear()
                time = at
                write(f"#{self.circuit.period_ps + at}\n")
            values[bit] = "1" if value else "0"
            if bit in self._scalars:
                write(f"{value}{self._scalars[bit]}\n")
            if bit in self._buses:
                buses |= dict.fromkeys(self._buses[bit])
        for bits in buses:
            write(self._vector(bits, self._vectors[bits]))

    def finish(self, time_ps: int, swallowed: Mapping[int, int]) -> None:
        self._file.write(f"#{self.circuit.period_ps + time_ps}\n")

    def _value(self, bit: Bit) -> str:
        return bit if isinstance(bit, str) else self._values.get(bit, "x")

    def _vector(self, bits: tuple[Bit, ...], code: str) -> str:
        return f"b{''.join(self._value(bit) for bit in reversed(bits))} {code}\n"


class SaifFile(WaveFile):
    """Writes toggle counts and times at 0 and 1, for tools that compute power.

    The top module has its nets, and in it is each cell with its output nets. The two edges of a
    swallowed pulse count as inertial glitches (``IG``); a net without a number has no ``IG``.
    """

    def begin(self, values: Mapping[int, int]) -> None:
        self._toggles: Counter[Bit] = Counter()
        self._high_ps: Counter[Bit] = Counter()
        self._values: dict[Bit, int] = {bit: value for bit, value in values.items()}

    def add(self, changes: Sequence[Change]) -> None:
        toggles, high_ps, values = self._toggles, self._high_ps, self._values
        for at, bit, value in changes:
            toggles[bit] += 1
            high_ps[bit] += -at if value else at
            values[bit] = value

    def finish(self, time_ps: int, swallowed: Mapping[int, int]) -> None:
        self._duration_ps = time_ps
        for bit, value in self._values.items():
            if value:
                self._high_ps[bit] += time_ps
        netlist, file = self.circuit.netlist, self._file
        file.write('(SAIFILE\n(SAIFVERSION "2.0")\n(DIRECTION "backward")\n')
        file.write('(PROGRAM_NAME "rsaxcel")\n(DIVIDER / )\n(TIMESCALE 1 ps)\n')
        file.write(f"(DURATION {self._duration_ps})\n(INSTANCE {escaped(netlist.top)}\n(NET\n")
        for signal in self.circuit.signals:
            for name, bit in zip(signal.bit_names, signal.bits, strict=True):
                file.write(self._net(name, bit, swallowed))
        file.write(")\n")
        file.writelines(self._cells(netlist, swallowed))
        file.write(")\n)\n")

    def _cells(self, netlist: Netlist, swallowed: Mapping[int, int]) -> Iterator[str]:
        for instance in netlist.instances:
            pins = [pin.name for pin in instance.cell.outputs if pin.name in instance.nets]
            yield f"(INSTANCE {escaped(instance.name)}\n(NET\n"
            for pin in pins:
                yield self._net(pin, instance.nets[pin], swallowed)
            yield ")\n)\n"

    def _net(self, name: str, bit: Bit, swallowed: Mapping[int, int]) -> str:
        duration = self._duration_ps
        if bit in self._values:
            high, unknown = self._high_ps[bit], 0
        else:
            high, unknown = (duration if bit == "1" else 0), (0 if bit in ("0", "1") else duration)
        low = duration - high - unknown
        pulses = swallowed.get(bit) if isinstance(bit, int) else None
        glitches = "" if pulses is None else f" (IG {2 * pulses})"
        return (
            f"({escaped(name)} (T0 {low}) (T1 {high}) (TX {unknown}) "
            f"(TC {self._toggles[bit]}){glitches})\n"
        )
