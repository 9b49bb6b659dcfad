"""Line traces (a line of text for each cycle), and waveforms for viewers, of either engine.

A waveform for viewers has names of states and steps as texts, and a save file for GTKWave, which
groups the signals. Texts are string variables, which GTKWave and Surfer show.
"""

from __future__ import annotations

import math
import os
import re
import shutil
import stat
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from pymtl3 import Component
from pymtl3.datatypes import is_bitstruct_class
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.diagnosis.component import field_widths
from rsaxcel.fl.xcel import XcelReqMsg, XcelRespMsg
from rsaxcel.plan.programs import Program
from rsaxcel.plan.steps import Product
from rsaxcel.proc.isa import disassemble
from rsaxcel.proc.pipeline.messages import ExecuteMsg, MemoryMsg
from rsaxcel.proc.proc_rtl import ProcRTL
from rsaxcel.rtl.exponentiators import program_executor
from rsaxcel.rtl.exponentiators.digit_bus import DigitBusExponentiator
from rsaxcel.rtl.exponentiators.exponent_scan import WordScan
from rsaxcel.rtl.exponentiators.program_executor import ProgramExecutor
from rsaxcel.rtl.exponentiators.strobe import StrobePair
from rsaxcel.rtl.lib.slots import Slots
from rsaxcel.sim.translate import message_of

_ELEMENT = re.compile(r"__(\d+)$")
_CLOCK, _RESET = "clk", "reset"
_UNKNOWN = str.maketrans("xz", "00")  # nets of a netlist that nothing drives


class Signal(NamedTuple):
    name: str  #: path of the signal from the top: `core.sequencer.step_reg`, `recv.msg`
    message: type[Any] | None = None  #: type of the message; None: a signal without fields
    field: str = ""


class Variable(NamedTuple):
    """Variable of a VCD file."""

    scopes: tuple[str, ...]
    name: str
    code: str  #: identifies the value; a signal with several names has one
    nbits: int
    range: str  #: range as in Verilog; empty if the file has none

    def scope(self, root: int) -> str:
        """PyMTL3's name of the scope, if the top module is ``root`` scopes deep."""
        return ".".join(map(_component, self.scopes[root:]))

    def path(self, root: int) -> str:
        """PyMTL3's name of the signal."""
        return ".".join(map(_component, (*self.scopes[root:], self.name)))


def read_variables(file: TextIO) -> Iterator[Variable]:
    """Read the variables of a VCD file; at the end, the file is behind its header."""
    scopes: list[str] = []
    # `readline`, not the file's iterator: that would read ahead.
    while line := file.readline():
        words = line.split()
        if words[:1] == ["$scope"]:
            scopes.append(words[2])
        elif words[:1] == ["$upscope"]:
            scopes.pop()
        elif words[:1] == ["$var"] and words[1] != "string":  # texts are for viewers
            found = words[5] if len(words) > 6 else ""
            yield Variable(tuple(scopes), words[4], words[3], int(words[2]), found)
        elif words[:1] == ["$enddefinitions"]:
            return


class Edge(NamedTuple):
    """Rising edge of the clock."""

    time: int
    place: int  #: position in the file behind the line with the time


class _Place(NamedTuple):
    """Place of a signal's value in the VCD file: bits of a variable, from bit ``lsb`` on.

    ``code`` identifies the variable; ``mask`` has as many ones as the value has bits.
    """

    code: str
    lsb: int
    mask: int


class Waves:
    """A waveform of either engine, maybe of a stopped run, with PyMTL3's names of signals.

    Verilator has a scope ``TOP.<top>.lanes__0.recv__msg`` with a variable for each field, PyMTL3 a
    vector ``recv.msg`` in ``top.lanes(0)``; here the signal is ``lanes[0].recv.msg``.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        with path.open(encoding="ascii") as file:
            found = list(read_variables(file))
        # Verilator puts the top module, which is the last one, into a scope TOP with its ports.
        last = found[-1].scopes if found else ()
        top = last[: 2 if last[:1] == ("TOP",) else 1]
        self.root = len(top)  #: number of scopes around the top module's own ones
        #: variables of the top module and of all modules in it
        self.variables = [x for x in found if x.scopes[: self.root] == top]
        self._codes: dict[str, tuple[str, int]] = {}
        for variable in self.variables:
            self._codes.setdefault(variable.path(self.root), (variable.code, variable.nbits))

    @property
    def names(self) -> frozenset[str]:
        return frozenset(self._codes)

    def cycles(self, signals: Sequence[Signal]) -> Iterator[tuple[int, ...]]:
        """Yield the settled values of signals for each cycle without reset."""
        for _, reset, *values in self.settled((Signal(_RESET), *signals)):
            if not reset:
                yield tuple(values)

    def settled(self, signals: Sequence[Signal]) -> Iterator[tuple[Any, ...]]:
        """Yield each rising edge, and the values of signals when the next one comes."""
        places = [self._place(signal) for signal in signals]
        values = dict.fromkeys((place.code for place in places), 0)
        clock, high = self._codes[_CLOCK][0], False
        now, rise, seen = Edge(0, 0), None, None

        def sample() -> tuple[int, ...]:
            return tuple(values[p.code] >> p.lsb & p.mask for p in places)

        with self._path.open(encoding="ascii") as file:
            for _ in read_variables(file):
                pass
            place = file.tell()
            for line in file:
                place += len(line)
                kind = line[0]
                if kind == "#":
                    if rise and not high:
                        seen = sample()
                    now = Edge(int(line[1:]), place)
                elif kind in "01":
                    code = line[1:].strip()
                    if code == clock:
                        if kind == "1" and not high:
                            if seen is not None:
                                yield (rise, *seen)
                            rise, seen = now, None
                        high = kind == "1"
                    if code in values:
                        values[code] = int(kind)
                elif kind == "b":
                    digits, code = line[1:].split()
                    if code in values:
                        values[code] = int(digits.translate(_UNKNOWN), 2)
        if rise and not high:
            yield (rise, *sample())

    def _place(self, signal: Signal) -> _Place:
        name, message, field = signal
        if message is None:
            code, nbits = self._codes[name]
            return _Place(code, 0, (1 << nbits) - 1)
        if name not in self._codes:
            return self._place(Signal(f"{name}.{field}"))
        code, _ = self._codes[name]
        (found,) = (x for x in message_of(name, message).fields if x.name == field)
        return _Place(code, found.lsb, (1 << found.width) - 1)


def _component(name: str) -> str:
    """Convert a name in a VCD file to PyMTL3's: ``lanes__0`` and ``lanes(0)`` to ``lanes[0]``."""
    name = _ELEMENT.sub(r"[\1]", name.replace("(", "[").replace(")", "]"))
    return name.replace("__", ".")


_MOST_DIGITS = 16
_KEPT_DIGITS = 6


@dataclass(frozen=True)
class TraceColumn:
    title: str
    width: int  #: width in characters
    signals: Sequence[Signal]
    show: Callable[..., str]  #: text on the signals' values; called for each cycle, in order


def path_of(component: Component) -> str:
    """Prefix of the names of a component's signals: ``core.sequencer.``; empty for the top."""
    return "".join(f"{name}." for name in repr(component).split(".")[1:])


def hexadecimal(value: int, nbits: int) -> str:
    """Hexadecimal digits of a number of ``nbits`` bits.

    Of more than 16 digits, only the first 6 and the last 6 are shown.
    """
    digits = f"{value:0{-(-nbits // 4)}x}"
    if len(digits) <= _MOST_DIGITS:
        return digits
    return f"{digits[:_KEPT_DIGITS]}..{digits[-_KEPT_DIGITS:]}"


def handshake(valid: int, ready: int, message: str) -> str:
    """Text of a stream in a cycle, as in PyMTL3's line traces.

    Text for a handshake: the message; `#` if the message waits, `.` if neither valid nor ready,
    empty if only ready.
    """
    if valid:
        return message if ready else "#"
    return "" if ready else "."


def stream_column(component: Component, name: str) -> TraceColumn:
    """Column of a component's stream: the fields of its message, or digits sent one by one."""
    stream = getattr(component, name)
    message = stream.msg._dsl.Type
    if not is_bitstruct_class(message):
        return _digit_column(f"{path_of(component)}{name}", message.nbits)
    fields, path = field_widths(message), f"{path_of(component)}{name}"
    width = sum(len(hexadecimal(0, nbits)) + 1 for _, nbits in fields) - 1

    def show(valid: int, ready: int, *values: int) -> str:
        pairs = zip(values, fields, strict=True)
        return handshake(valid, ready, ":".join(hexadecimal(x, n) for x, (_, n) in pairs))

    signals = [Signal(f"{path}.val"), Signal(f"{path}.rdy")]
    signals += [Signal(f"{path}.msg", message, field) for field, _ in fields]
    title = f"{name} {':'.join(field for field, _ in fields)}"
    return TraceColumn(title, max(width, len(title)), signals, show)


def _digit_column(path: str, nbits: int) -> TraceColumn:
    def show(valid: int, ready: int, digit: int) -> str:
        return handshake(valid, ready, hexadecimal(digit, nbits))

    signals = [Signal(f"{path}.{port}") for port in ("val", "rdy", "msg")]
    title = f"{path} digit"
    return TraceColumn(title, max(len(hexadecimal(0, nbits)), len(title)), signals, show)


_LEVELS = (".", "1")
_STROBE_STATES = ("multiply", "square")
_LANES = {"multiply": "r*b", "square": "b*b"}
_PHASES = ("strobe", "busy", "ready")


def strobe_columns(pair: StrobePair) -> list[TraceColumn]:
    """Columns of an elaborated exponentiator with strobes.

    ``strobe``, ``busy`` and ``ready`` (1, or a dot for 0), state, phase of each lane (nothing if it
    rests), bits left of the exponent.
    """
    path = path_of(pair)
    columns = [TraceColumn(x, len(x), [Signal(f"{path}{x}")], _LEVELS.__getitem__) for x in _PHASES]
    busy = Signal(f"{path}busy")
    state = Signal(f"{path}state_reg")
    columns.append(TraceColumn("state", len(_STROBE_STATES[0]), [busy, state], _show_state))
    for lane, title in _LANES.items():
        signals = [Signal(f"{path}{lane}.{name}") for name in _PHASES]
        columns.append(TraceColumn(title, len(_PHASES[0]), signals, _show_strobe_lane))
    exponent = Signal(f"{path}e_reg")
    columns.append(TraceColumn("bits left", len("bits left"), [busy, exponent], _show_bits))
    return columns


def _show_state(busy: int, state: int) -> str:
    return _STROBE_STATES[state] if busy else ""


def _show_strobe_lane(*levels: int) -> str:
    return next((name for name, level in zip(_PHASES, levels, strict=True) if level), "")


def _show_bits(busy: int, exponent: int) -> str:
    return str(exponent.bit_length()) if busy else ""


_STALLS, _SQUASHED = "#", "~"
_PC_DIGITS, _TEXT, _MNEMONIC = 5, 26, 6


def pipeline_columns(processor: ProcRTL) -> list[TraceColumn]:
    """Columns of an elaborated processor.

    F shows the address of an instruction, D the instruction, X, M and W the mnemonic. ``#``: the
    instruction stalls; ``~``: a jump or branch squashes it. The program ends one cycle after the
    last line: the trap port shows the end in a cycle in which W is empty.
    """
    path = path_of(processor)

    def signals(stage: str, *names: str) -> list[Signal]:
        return [Signal(f"{path}{stage}.{name}") for name in names]

    def held(stage: str, message: type) -> list[Signal]:
        return [
            *signals(stage, "valid_reg", "stalls"),
            Signal(f"{path}{stage}.msg_reg", message, "inst"),
        ]

    committed = _Committed()
    fetch = [
        *signals("fetch", "valid", "redirect"),
        *signals("decode", "take"),
        *signals("fetch", "pc"),
    ]
    decode = signals("decode", "valid_reg", "squash", "stalls", "pc_reg", "inst_reg")
    memory = [*held("memory", MemoryMsg), *signals("memory", "commit_reg")]
    return [
        TraceColumn("F", _PC_DIGITS + 1, fetch, _show_fetch),
        TraceColumn("D", _TEXT + 1, decode, _show_decode),
        TraceColumn("X", _MNEMONIC + 1, held("execute", ExecuteMsg), _show_held),
        TraceColumn("M", _MNEMONIC + 1, held("memory", MemoryMsg), _show_held),
        TraceColumn("W", _MNEMONIC + 1, memory, committed.show),
        *_xcel_columns(path),
    ]


def _show_fetch(valid: int, redirect: int, take: int, pc: int) -> str:
    if not valid:
        return ""
    mark = _SQUASHED if redirect else " " if take else _STALLS
    return f"{mark}{pc:0{_PC_DIGITS}x}"


def _show_decode(valid: int, squash: int, stalls: int, pc: int, inst: int) -> str:
    if not valid:
        return ""
    mark = _SQUASHED if squash else _STALLS if stalls else " "
    return f"{mark}{disassemble(inst, pc)}"


def _show_held(valid: int, stalls: int, inst: int) -> str:
    return f"{_STALLS if stalls else ' '}{_mnemonic(inst)}" if valid else ""


def _mnemonic(inst: int) -> str:
    return disassemble(inst).split()[0]


class _Committed:
    """Text of column W, which has no register: the instruction in stage M one cycle before."""

    def __init__(self) -> None:
        self._before = 0

    def show(self, valid: int, stalls: int, inst: int, commits: int) -> str:
        text = f" {_mnemonic(self._before)}" if commits else ""
        self._before = inst
        return text


def _xcel_columns(path: str) -> list[TraceColumn]:
    request, response = f"{path}xcel.req", f"{path}xcel.resp"

    def show_request(valid: int, ready: int, writes: int, addr: int, data: int) -> str:
        text = f"xr{addr}={hexadecimal(data, 32)}" if writes else f"xr{addr}?"
        return handshake(valid, ready, text)

    def show_response(valid: int, ready: int, kind: int, data: int) -> str:
        return handshake(valid, ready, "done" if kind else hexadecimal(data, 32))

    asked = [Signal(f"{request}.msg", XcelReqMsg, x) for x in ("type_", "addr", "data")]
    told = [Signal(f"{response}.msg", XcelRespMsg, x) for x in ("type_", "data")]
    return [
        TraceColumn(
            "xcel", 13, [Signal(f"{request}.val"), Signal(f"{request}.rdy"), *asked], show_request
        ),
        TraceColumn(
            "answer",
            8,
            [Signal(f"{response}.val"), Signal(f"{response}.rdy"), *told],
            show_response,
        ),
    ]


_STATES = {
    getattr(program_executor, name): name.lower()
    for name in ("IDLE", "START", "CONSTANTS", "RUN", "DONE", "BLANK", "CLEAR", "CHECK")
}
_RUNNING = program_executor.RUN


def executor_columns(executor: ProgramExecutor | DigitBusExponentiator) -> list[TraceColumn]:
    """Columns of an elaborated executor, or of an exponentiator on a bus of one digit.

    State; in ``run`` also the step, each lane's unfinished products (``#``: not accepted by the end
    of the cycle), and the bits left of the exponent with the current digit: with an exponent in
    words, the bits of the current word; with a counted exponent, products.
    """
    sequencer = executor.sequencer
    program: Program = sequencer._dsl.args[0]
    path, slots = path_of(sequencer), Slots(program)
    state = Signal(f"{path_of(executor)}state_reg")
    masks = [Signal(f"{path}{name}") for name in ("wait_reg", "issue_reg", "accepted_slots")]
    name = path_of(executor).rstrip(".") or "executor"
    # A netlist has no index where the program fills no table.
    counters = ("step_reg", "index_reg")[: 2 if program.sections.get("table") else 1]
    steps = [Signal(f"{path}{name}") for name in counters]
    columns = [
        TraceColumn(
            name, max(len(name), *map(len, _STATES.values())), [state], _STATES.__getitem__
        ),
        TraceColumn(
            "step", max(map(len, _step_names(program))), [state, *steps], _show_step(program)
        ),
    ]
    for lane in range(slots.lanes):
        title, show = f"lane {lane}", _show_lane(slots, lane)
        columns.append(TraceColumn(title, _lane_width(slots, lane), [state, *masks], show))
    if "e" in program.receives:
        title = "word left" if isinstance(sequencer.scan, WordScan) else "bits left"
        title = "products left" if program.scan.counts else title
        columns.append(_bits_left(path, program, state, title))
    return columns


def _step_names(program: Program) -> list[str]:
    """Names of a program's steps, such as ``loop 1/2``.

    A step that fills the table ends with ``00``, where ``_show_step`` puts the number of the entry.
    """
    names = []
    for group, steps in program.sections.items():
        for number in range(len(steps)):
            count = f" {number + 1}/{len(steps)}" if len(steps) > 1 else ""
            names.append(f"{group}{count}" + (" 00" if group == "table" else ""))
    return names


def _show_step(program: Program) -> Callable[..., str]:
    names = _step_names(program)

    def show(state: int, step: int, index: int = 0) -> str:
        if state != _RUNNING:
            return ""
        name = names[step]
        return f"{name[:-2]}{index:>2}" if name.startswith("table") else name

    return show


def _text(product: Product) -> str:
    return f"{product.dst}={product.a}*{product.b}"


def _lane_width(slots: Slots, lane: int) -> int:
    widths = [len(_text(p)) for k, p in slots.products.items() if k // slots.per_lane == lane]
    return max(widths, default=0) + 1


def _show_lane(slots: Slots, lane: int) -> Callable[[int, int, int, int], str]:
    own = {k: _text(p) for k, p in slots.products.items() if k // slots.per_lane == lane}

    def show(state: int, waits: int, issues: int, accepted: int) -> str:
        if state != _RUNNING:
            return ""
        offered = issues & ~accepted
        listed = [
            f"{'#' if offered >> k & 1 else ' '}{text}" for k, text in own.items() if waits >> k & 1
        ]
        return " ".join(listed)

    return show


def _bits_left(path: str, program: Program, state: Signal, title: str) -> TraceColumn:
    scan = program.scan

    def by_count(state: int, count: int) -> str:
        return str(min(count * scan.digit_nbits, scan.exponent_nbits)) if state == _RUNNING else ""

    def by_length(state: int, left: int) -> str:
        shown = left if scan.counts else left.bit_length()
        return str(shown) if state == _RUNNING else ""

    if program.loop and (scan.from_top or scan.fixed):
        return TraceColumn(title, len(title), [state, Signal(f"{path}scan.count_reg")], by_count)
    return TraceColumn(title, len(title), [state, Signal(f"{path}exponent")], by_length)


_SEPARATOR = " | "

#: Classes with columns, anywhere in a hierarchy, and functions that make the columns.
PARTS: dict[type[Component], Callable[..., list[TraceColumn]]] = {
    ProcRTL: pipeline_columns,
    ProgramExecutor: executor_columns,
    StrobePair: strobe_columns,
    DigitBusExponentiator: executor_columns,
}


def columns_of(top: Component) -> list[TraceColumn]:
    """Make the columns: request stream, components whose class is in ``PARTS``, response stream."""
    first = _streams(top, RecvIfcRTL)
    last = _streams(top, SendIfcRTL)
    return [*first, *(x for columns in columns_by_part(top).values() for x in columns), *last]


def columns_by_part(top: Component) -> dict[Component, list[TraceColumn]]:
    """Make the columns of each component whose class is in ``PARTS``."""
    parts = sorted(top.get_all_components(), key=lambda part: (len(repr(part)), repr(part)))
    pairs = [(p, make) for kind, make in PARTS.items() for p in parts if isinstance(p, kind)]
    return {part: make(part) for part, make in pairs}


def _streams(top: Component, kind: type) -> list[TraceColumn]:
    names = [name for name in ("recv", "send") if isinstance(getattr(top, name, None), kind)]
    return [
        stream_column(top, name)
        for name in names
        if is_bitstruct_class(getattr(top, name).msg._dsl.Type) or hasattr(top, "frames")
    ]


def trace(component: Component, path: Path) -> Iterator[str]:
    """Yield a header, then a line for each cycle after reset, from a waveform (VCD).

    ``component`` is a new instance of the simulated one, not elaborated.
    """
    component.elaborate()
    columns = columns_of(component)
    waves = Waves(path)
    yield _line("cycle", [column.title for column in columns], columns)
    signals = [signal for column in columns for signal in column.signals]
    for number, values in enumerate(waves.cycles(signals)):
        yield _line(str(number), cells(columns, values), columns)


def cells(columns: Sequence[TraceColumn], values: Iterable[int]) -> list[str]:
    """Texts of columns, from the values of the signals of all of them."""
    left = iter(values)
    return [column.show(*islice(left, len(column.signals))) for column in columns]


def _line(number: str, texts: list[str], columns: list[TraceColumn]) -> str:
    padded = (text.ljust(column.width) for text, column in zip(texts, columns, strict=True))
    return f"{number:>6}: {_SEPARATOR.join(padded)}".rstrip()


_HEAD = "[*] written by rsaxcel"  #: first line of a save file
_SCOPE, _CODE = "trace", "text"  #: scope of the texts; start of their codes, longer than all others
_STREAM = re.compile(r"(.+?)\.(?:val|rdy|msg(?:\..+)?)")
_MADE = re.compile(r"__.*|n\d+")  #: names by translator and synthesizer
_REGISTER = re.compile(r"_reg(?:\[\d+\])*(?:\.|$)")

#: width of a cycle, in which most texts fit, and of that whose logarithm GTKWave calls zoom
_CYCLE_PIXELS, _FRAME_PIXELS = 64, 200

Named = Sequence[tuple[str, Variable]]
"""Variables of the top module, each with PyMTL3's name."""

# GTKWave's flags of a line: hexadecimal or binary with digits to the right, text; a group's begin
# and end, open or closed.
_HEX, _BIT, _ASCII = "@22", "@28", "@820"
_OPEN, _CLOSED = ("@800200", "@1000200"), ("@c00200", "@1401200")


def prepare(path: Path, component: Component | None = None) -> None:
    """Add the texts of a line trace to a waveform (VCD), and write ``.gtkw`` beside it.

    ``component`` is a new instance of the simulated one, not elaborated; None: of a circuit without
    one, all signals are shown.
    """
    if not path.is_file():
        return  # a pipe has gone to its reader
    waves, names = Waves(path), dict[str, list[str]]()
    if component is not None:
        component.elaborate()
        names = _add_texts(path, waves, component)
    file = _save_file(path)
    # What a user has arranged and saved stays.
    if not file.exists() or file.read_text(errors="replace").startswith(_HEAD):
        lines = _HEAD, *_lines(path, waves, names, component)
        file.write_text("\n".join(lines) + "\n", "ascii")


def _save_file(path: Path) -> Path:
    return path.with_suffix(".gtkw")


def _add_texts(path: Path, waves: Waves, top: Component) -> dict[str, list[str]]:
    """Add a string variable for each column; return their names by part of the circuit."""
    found = {
        path_of(part).rstrip(".") or type(part).__name__: [x for x in columns if _is_in(waves, x)]
        for part, columns in columns_by_part(top).items()
    }
    columns = [x for each in found.values() for x in each]
    if not columns:
        return {}
    # Viewers take dots, brackets and stars for more than parts of a name.
    scopes = {part: _plain(part) for part in found}
    names = {
        part: ["state" if x.title in (part, "executor") else _plain(x.title) for x in each]
        for part, each in found.items()
    }
    codes = (f"{_CODE}{at}" for at in range(len(columns)))
    header = [f"$scope module {_SCOPE} $end\n"]
    for part, each in names.items():
        header.append(f"$scope module {scopes[part]} $end\n")
        header += (f"$var string 1 {code} {x} $end\n" for x, code in zip(each, codes, strict=False))
        header.append("$upscope $end\n")
    header.append("$upscope $end\n")
    first = "".join(_change(at, "") for at in range(len(columns)))
    _merge(path, "".join(header), first, _changes(waves, columns))
    return {part: [f"{_SCOPE}.{scopes[part]}.{x}" for x in each] for part, each in names.items()}


def _is_in(waves: Waves, column: TraceColumn) -> bool:
    """Whether a waveform has a column's signals; of a netlist, synthesis may have removed them."""
    return all(
        x.name in waves.names or f"{x.name}.{x.field}" in waves.names for x in column.signals
    )


def _changes(waves: Waves, columns: Sequence[TraceColumn]) -> Iterator[tuple[int, str]]:
    """Yield places in the file at which texts change, and the changes."""
    signals = [signal for column in columns for signal in column.signals]
    before = [""] * len(columns)
    for edge, *values in waves.settled(signals):
        texts = [text.strip() for text in cells(columns, values)]
        pairs = enumerate(zip(texts, before, strict=True))
        yield edge.place, "".join(_change(at, now) for at, (now, old) in pairs if now != old)
        before = texts


def _change(number: int, text: str) -> str:
    return f"s{text} {_CODE}{number}\n".replace(" ", r"\x20", text.count(" "))


def _plain(name: str) -> str:
    return re.sub(r"\W+", "_", name).strip("_")


def _merge(path: Path, header: str, first: str, changes: Iterable[tuple[int, str]]) -> None:
    """Add variables, their first values and changes to a VCD file, which keeps its mode."""
    descriptor, draft = tempfile.mkstemp(prefix=".", dir=path.parent)
    try:
        with path.open("rb") as old, open(descriptor, "wb") as new:
            while (line := old.readline()) and not line.startswith(b"#"):
                if line.startswith(b"$enddefinitions"):
                    new.write(header.encode())
                new.write(line)
            new.write(line + first.encode())
            for place, lines in changes:
                new.write(old.read(place - old.tell()))
                new.write(lines.encode())
            shutil.copyfileobj(old, new)
        os.chmod(draft, stat.S_IMODE(path.stat().st_mode))
        os.replace(draft, path)
    except BaseException:
        os.unlink(draft)
        raise


def _lines(
    path: Path, waves: Waves, texts: Mapping[str, list[str]], top: Component | None
) -> Iterator[str]:
    """Yield the lines of a save file: texts, clock, streams, then registers by module."""
    for key, file in {"dumpfile": path, "savefile": _save_file(path)}.items():
        if (name := str(file.resolve())).isascii() and name.isprintable() and '"' not in name:
            yield f'[{key}] "{name}"'
    yield "[timestart] 0\n[signals_width] 240"
    rises = waves.settled(()) if _CLOCK in waves.names else ()
    match [edge.time for edge, *_ in islice(rises, 2)]:
        case first, second:
            frame = (second - first) * _FRAME_PIXELS / _CYCLE_PIXELS
            yield f"*{-math.log2(frame):.3f} -1"
    for part, names in texts.items():
        yield from _group(part, [f"{_ASCII}\n{name}" for name in names])
    named = [(variable.path(waves.root), variable) for variable in waves.variables]
    yield from (_shown(variable) for name, variable in named if name in (_CLOCK, _RESET))
    parts = {path_of(x).rstrip("."): x for x in top.get_all_components()} if top else {}
    for stream, ports in _ports_of_streams(named, parts).items():
        yield from _group(stream, map(_shown, ports))
    for module, variables in _modules(named, parts, waves.root).items():
        yield from _group(module or "top", map(_shown, variables), closed=True)


def _ports_of_streams(named: Named, parts: Mapping[str, Component]) -> dict[str, list[Variable]]:
    """Find the streams of the top module; a name that begins with a part is the part's."""
    found: dict[str, list[Variable]] = {"recv": [], "send": []}
    heads = {_first(path) for path in parts}
    for name, variable in named:
        if parts and (match := _STREAM.fullmatch(name)) and _first(name) not in heads:
            found.setdefault(match[1], []).append(variable)
    return found


def _first(name: str) -> str:
    return re.split(r"[.\[]", name, maxsplit=1)[0]


def _modules(named: Named, parts: Mapping[str, Component], root: int) -> dict[str, list[Variable]]:
    """Find the registers of each part, and all signals of a module in Verilog, each value once."""
    found: dict[str, dict[str, Variable]] = defaultdict(dict)
    for name, variable in named:
        owner = name
        while owner and owner not in parts:
            owner = owner.rpartition(".")[0]
        left = name[len(owner) :].lstrip(".")
        if _MADE.fullmatch(variable.name):
            continue
        # Signals and messages of a component are attributes of it.
        if owner not in parts or not hasattr(parts[owner], _first(left)):
            found[variable.scope(root)].setdefault(variable.code, variable)
        elif _REGISTER.search(left):
            found[owner].setdefault(variable.code, variable)
    return {module: list(each.values()) for module, each in sorted(found.items())}


def _group(name: str, lines: Iterable[str], *, closed: bool = False) -> Iterator[str]:
    begin, end = _CLOSED if closed else _OPEN
    if shown := list(lines):
        yield from (begin, f"-{name}", *shown, end, f"-{name}")


def _shown(variable: Variable) -> str:
    """Two lines that show a variable; GTKWave escapes a name with a dot."""
    name = f"\\{variable.name}" if "." in variable.name else variable.name
    full = ".".join((*variable.scopes, name))
    if variable.nbits == 1:
        return f"{_BIT}\n{full}"
    return f"{_HEX}\n{full}{variable.range or f'[{variable.nbits - 1}:0]'}"
