"""Description: a file ``core.toml``, which says what a core in Verilog is and how it is driven."""

from __future__ import annotations

import keyword
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path

from rsaxcel.cores import formulas, front_end, verilog, vhdl
from rsaxcel.cores.errors import DescriptionError
from rsaxcel.cores.table import Table, read, shown_value
from rsaxcel.cores.verilog import SEPARATOR
from rsaxcel.fl.status import InputRules
from rsaxcel.plan.modulus_constants import Formula, ModulusConstant
from rsaxcel.plan.protocols import (
    AXI_OPTIONAL,
    AXI_PORTS,
    LEAST,
    ORDERS,
    POWER,
    PRODUCT,
    RESULT,
    XCEL_PORTS,
    Axi4Lite,
    Core,
    Data,
    Piece,
    Protocol,
    Pulse,
    Read,
    Repeat,
    Reset,
    StartDone,
    Step,
    Stream,
    Streams,
    Wait,
    Words,
    Write,
    Xcel,
    flat,
)

FILE = "core.toml"
"""Name of a description in its folder."""

OPERATIONS = ("mod_exp", "mod_mul", "mont_mul")

MODULUS = "n"
"""The modulus in a description; ``m`` in messages (``fl.messages``)."""

_MOST_STEPS = 200
_MOST_WORD = 1 << 4096
_MOST_WAIT = 1 << 12  #: cycles of a wait, divided by the square of the width


def _field_of(name: str) -> str:
    """Name of an operand in messages, for its name in a description."""
    return "m" if name == MODULUS else name


class _ProtocolReader:
    """Reads protocols of cores of a width, with operands ``names``."""

    def __init__(self, nbits: int, names: tuple[str, ...], ports: tuple[str, ...]) -> None:
        self._nbits = nbits
        self._names = names  #: operands as descriptions name them
        self._widths = dict.fromkeys((*names, RESULT), nbits)
        self._ports = ports  #: names of the top's ports

    def with_widths(self, widths: dict[str, int]) -> _ProtocolReader:
        self._widths |= widths
        return self

    def read(self, table: Table) -> Protocol:
        kind = table.choice("kind", tuple(_KINDS))
        with table.told():
            return _KINDS[kind](self, table)

    def _streams(self, table: Table) -> Streams:
        table.only("kind", "operands", "kept", "result")
        operands = tuple(self._stream(x, operands=True) for x in table.tables("operands"))
        kept = self._operands(table.table("kept")) if "kept" in table else ()
        return Streams(operands, self._stream(table.table("result"), operands=False), kept)

    def _stream(self, table: Table, *, operands: bool) -> Stream:
        table.only("valid", "ready", "ports" if operands else "port", "nbits", "order", "last")
        valid, ready = table.text("valid"), table.text("ready", "")
        data = self._operands(table.table("ports")) if operands else (self._result(table),)
        order = table.choice("order", ORDERS, LEAST)
        with table.told():
            return Stream(valid, ready, data, order, table.text("last", ""))

    def _operands(self, table: Table) -> tuple[Data, ...]:
        """Read the ports with operands: each with an operand or a list, the first on top."""
        found = []
        for port, given in table.content.items():
            parts = given if isinstance(given, list) else [given]
            pieces = []
            for part in parts:
                inner = Table({"operand": part}, table.file, table.lines, (*table.keys, port))
                if isinstance(part, dict):
                    inner = Table(part, table.file, table.lines, (*table.keys, port))
                    inner.only("operand", "nbits")
                name = self._operand(inner)
                nbits = inner.number("nbits", self._widths[name], nbits=self._nbits, least=1)
                pieces.append(Piece(_field_of(name), nbits))
            with table.told(port):
                found.append(Data(port, tuple(pieces)))
        if not found:
            table.fail(None, "at least one port with an operand is needed", named=True)
        return tuple(found)

    def _operand(self, table: Table) -> str:
        return table.choice("operand", self._names)

    def _result(self, table: Table) -> Data:
        nbits = table.number("nbits", self._widths[RESULT], nbits=self._nbits, least=1)
        return Data(table.text("port"), (Piece(RESULT, nbits),))

    def _start_done(self, table: Table) -> StartDone:
        flags = "level", "sampled", "result_held", "resets"
        ends = "done", "busy", "ready"
        table.only("kind", "start", "operands", "result", *ends, *flags, "settles")
        result = table.content.get("result")
        if isinstance(result, str):
            table = Table(
                {**table.content, "result": {"port": result}}, table.file, table.lines, table.keys
            )
        return StartDone(
            table.text("start"),
            self._operands(table.table("operands")),
            self._result(table.table("result").only("port", "nbits")),
            done=table.text("done", ""),
            busy=table.text("busy", ""),
            ready=table.text("ready", ""),
            level=table.flag("level", default=False),
            sampled=table.flag("sampled", default=False),
            result_held=table.flag("result_held", default=False),
            resets=table.flag("resets", default=False),
            settles=table.number("settles", 1, nbits=self._nbits, least=1),
        )

    def _words(self, table: Table) -> Words:
        table.only("kind", "word_nbits", "ports", "read_cycles", "operation")
        needed, optional = ("write", "address", "data_in", "data_out"), ("select", "read")
        ports = table.table("ports").only(*needed, *optional)
        names = {x: ports.text(x) for x in needed} | {x: ports.text(x, "") for x in optional}
        return Words(
            self._steps(table),
            table.number("word_nbits", 32, nbits=self._nbits, least=1),
            **names,
            read_cycles=table.number("read_cycles", 0, nbits=self._nbits),
        )

    def _axi4_lite(self, table: Table) -> Axi4Lite:
        table.only("kind", "word_nbits", "ports", "prefix", "operation")
        ports = self._bus(table, AXI_PORTS, AXI_OPTIONAL)
        word = table.number("word_nbits", 32, nbits=self._nbits, least=1)
        return Axi4Lite(self._steps(table), word, ports)

    def _xcel(self, table: Table) -> Xcel:
        table.only("kind", "ports", "prefix", "operation")
        return Xcel(self._steps(table), 32, self._bus(table, XCEL_PORTS, ()))

    def _bus(
        self, table: Table, needed: tuple[str, ...], optional: tuple[str, ...]
    ) -> tuple[tuple[str, str], ...]:
        """Read the ports of a bus, by their names or by what all their names begin with."""
        ports = table.table("ports", {}).only(*needed, *optional)
        found = {x: ports.text(x) for x in ports.content}
        if "prefix" in table:
            prefix = table.text("prefix")
            there = {x.lower(): x for x in self._ports}
            for name in (*needed, *optional):
                port = there.get(f"{prefix}{name}".lower())
                if port:
                    found.setdefault(name, port)
                elif name in needed and name not in found:
                    table.fail("prefix", f"the top has no port {prefix}{name}", named=True)
        return tuple(found.items())

    def _steps(self, table: Table) -> tuple[Step, ...]:
        steps = tuple(self._step(x) for x in table.tables("operation", _MOST_STEPS))
        count = len([*flat(steps)])
        if count > _MOST_STEPS:
            told = f"{count} steps with those of repeats; {_MOST_STEPS} are allowed"
            table.fail("operation", told, named=True)
        return steps

    def _step(self, table: Table) -> Step:
        kinds = [x for x in _STEPS if x in table]
        if len(kinds) != 1:
            table.fail(None, f"one of {', '.join(_STEPS)} is needed", named=True)
        with table.told():
            return _STEPS[kinds[0]](self, table)

    def _number(self, table: Table, key: str, default: int | None = None, least: int = 0) -> int:
        if default is None:
            return table.number(key, nbits=self._nbits, least=least, most=_MOST_WORD)
        return table.number(key, default, nbits=self._nbits, least=least, most=_MOST_WORD)

    def _address(self, table: Table, key: str) -> tuple[int, str]:
        """Read a place: an address, or the name of a port of the top."""
        name = table.content[key]
        if isinstance(name, str) and name in self._ports:
            return 0, name
        return self._number(table, key), ""

    def _write(self, table: Table) -> Write:
        table.only("write", "operand", "value", "order", "zeros", "stride", "increment")
        if ("operand" in table) == ("value" in table):
            table.fail(None, "one of operand and value is needed", named=True)
        return Write(
            self._number(table, "write"),
            _field_of(self._operand(table)) if "operand" in table else "",
            self._number(table, "value", 0),
            table.choice("order", ORDERS, LEAST),
            self._number(table, "zeros", 0),
            self._number(table, "stride", 0),
            self._number(table, "increment", 0),
        )

    def _pulse(self, table: Table) -> Pulse:
        table.only("pulse", "value")
        address, port = self._address(table, "pulse")
        return Pulse(address, self._number(table, "value", 1), port)

    def _wait(self, table: Table) -> Wait:
        table.only("wait", "mask", "value", "cycles", "after")
        address, port = self._address(table, "wait")
        cycles = self._number(table, "cycles", 0)
        most = _MOST_WAIT * self._nbits**2 + (1 << 18)
        if cycles > most:  # for a core that never ends, a simulation waits this number of cycles
            table.fail("cycles", f"{shown_value(cycles)}; at most {most} is allowed", named=True)
        return Wait(
            address,
            self._number(table, "mask", 1, least=1),
            self._number(table, "value", -1),
            port,
            cycles,
            self._number(table, "after", 0),
        )

    def _read(self, table: Table) -> Read:
        table.only("read", "order", "zeros", "stride")
        return Read(
            self._number(table, "read"),
            table.choice("order", ORDERS, LEAST),
            self._number(table, "zeros", 0),
            self._number(table, "stride", 0),
        )

    def _repeat(self, table: Table) -> Repeat:
        table.only("repeat", "steps")
        count = self._number(table, "repeat", least=1)
        tables = table.tables("steps", _MOST_STEPS)
        if any("repeat" in x for x in tables):
            table.fail("steps", "a repeat in a repeat; other steps are allowed", named=True)
        steps = [self._step(x) for x in tables]
        return Repeat(count, tuple(x for x in steps if not isinstance(x, Repeat)))


_KINDS: dict[str, Callable[[_ProtocolReader, Table], Protocol]] = {
    "streams": _ProtocolReader._streams,
    "start_done": _ProtocolReader._start_done,
    "words": _ProtocolReader._words,
    "axi4_lite": _ProtocolReader._axi4_lite,
    "xcel": _ProtocolReader._xcel,
}

_STEPS: dict[str, Callable[[_ProtocolReader, Table], Step]] = {
    "write": _ProtocolReader._write,
    "pulse": _ProtocolReader._pulse,
    "wait": _ProtocolReader._wait,
    "read": _ProtocolReader._read,
    "repeat": _ProtocolReader._repeat,
}


_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*")
_LONGEST_NAME = 60
_LEAST_WIDTH, _MOST_WIDTH = 2, 1 << 14
_MOST_WIDTHS = 1 << 14
_MOST_CONSTANT = 8  #: largest width of a constant of the modulus, in widths of the modulus
_MOST_CONSTANTS, _MOST_DEFINES = 32, 500
_MOST_CYCLES = 1 << 48
_TAKEN = ("m", "r", "nbits", "wide", "missing", "constants", "status")  #: fields of messages

_KEYS = (
    *("name", "title", "source", "licence", "claims"),
    *("files", "vhdl", "include", "defines", "top", "parameters", "widths"),
    *("operation", "divisor", "clock", "reset", "held", "protocol", "constants"),
    *("rules", "secrecy", "cycles", "macros"),
)

#: Events of a process at two edges, with the `if` that follows; events at several edges.
_EVENTS = re.compile(
    r"(\balways(?:_ff)?\s*@\s*)\(\s*((?:pos|neg)edge\s+(\w+))\s*(?:or\b|,)"
    r"\s*((?:pos|neg)edge\s+(\w+))\s*\)(\s*(?:begin\b\s*(?::\s*\w+)?\s*)?if\s*\(([^\n()]*)\))?"
)
_MORE_EVENTS = re.compile(r"@\s*\([^()]*edge[^()]*(?:\bor\b|,)[^()]*edge[^()]*\)")


@dataclass(frozen=True)
class WrittenFormula(Formula):
    """Formula of a description, of the modulus ``n``."""

    text: str
    nbits: int

    def value(self, modulus: int) -> int:
        return formulas.value(self.text, n=modulus, nbits=self.nbits)

    def most_nbits(self, modulus_nbits: int) -> int:
        return formulas.most_nbits(self.text, modulus_nbits)

    @property
    def for_host(self) -> Formula | None:
        return formulas.for_host(self.text, self.nbits)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class CoreRules(InputRules):
    """Input rules of a core that may demand a modulus of full length, or an exponent above 0."""

    full_modulus: bool = False
    positive_exponent: bool = False

    @property
    def min_modulus(self) -> int:
        # PyMTL3 translates some large powers of two with too few bits: the least one is left out.
        return (1 << (self.nbits - 1)) + 1 if self.full_modulus else super().min_modulus

    @property
    def min_exponent(self) -> int:
        return int(self.positive_exponent)


@dataclass(frozen=True, eq=False)
class Description:
    """A description, checked as far as no width is needed."""

    file: Path
    table: Table = field(repr=False)
    name: str
    title: str
    source: str  #: where the core is from, with its licence, and what its authors claim
    top: str
    widths: Sequence[int]
    operation: str
    odd_modulus: bool
    full_modulus: bool  #: the highest bit of the modulus must be 1
    positive_exponent: bool  #: the exponent must be 1 or more
    exponent_dependent: bool  #: False: it declares that no exponent changes the cycles
    base_dependent: bool
    sources: verilog.Sources
    standard: str  #: of VHDL; "": the files are Verilog

    @property
    def makes_synchronous(self) -> bool:
        """Whether the core's asynchronous resets are made synchronous, for a comparison."""
        reset = self.table.content.get("reset")
        return isinstance(reset, dict) and self.table.table("reset").flag(
            "make_synchronous", default=False
        )

    @property
    def is_product(self) -> bool:
        return self.operation != "mod_exp"

    @property
    def operands(self) -> tuple[str, ...]:
        """Names of the operands in a description."""
        names = PRODUCT if self.is_product else POWER
        return tuple(MODULUS if x == "m" else x for x in names)

    @cached_property
    def files(self) -> tuple[Path, ...]:
        """Files on which the circuits of the core depend."""
        text = self.file.read_text("utf-8", errors="replace")
        beside = self.sources.data_files([text.replace("'", '"'), text])
        return (self.file, *self.sources.all_files, *beside)

    def text(self, nbits: int) -> str:
        """Verilog of the modules of the core."""
        return _elaborated(self, nbits).text

    def netlist_text(self, nbits: int) -> str:
        """Verilog that netlists are made of: what nothing drives is 0."""
        return _elaborated(self, nbits).netlist or self.text(nbits)

    def notes(self, nbits: int) -> tuple[str, ...]:
        """Say what is unusual in the core's Verilog, such as latches, in a line each."""
        within = f"{self.sources.shown}{os.sep}"
        faults = (x.removeprefix(within) for x in self._netlist_faults(nbits))
        return (*_elaborated(self, nbits).notes, *faults)

    def macros(self, nbits: int) -> dict[str, float]:
        """Area in um2 of the macro that would stand for a memory, by the memory's name."""
        table, notes = self.table.table("macros", {}), _elaborated(self, nbits).notes
        for name in table.content:
            if not any(f": memory {name}: " in x and "as flip-flops" in x for x in notes):
                table.fail(name, f"the core has no memory {name!r} of flip-flops at {nbits} bits")
        return {name: _macro(table, name, nbits) for name in table.content}

    def _netlist_faults(self, nbits: int) -> tuple[str, ...]:
        found = _elaborated(self, nbits)
        falling = (
            f"{x.place}: flip-flops at the falling edge of {x.port}; the flow takes rising ones"
            for x in found.clocks
            if not x.rising
        )
        return (*found.faults, *falling)

    def check_netlist(self, nbits: int) -> None:
        """Refuse what no netlist can be made of; ``DescriptionError`` with its file and line."""
        if faults := self._netlist_faults(nbits):
            more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
            raise DescriptionError(f"{faults[0]}{more}")

    def constants(self, nbits: int) -> tuple[ModulusConstant, ...]:
        """Constants of the modulus that the host gives with each operation."""
        table, found = self.table.table("constants", {}), []
        if len(table.content) > _MOST_CONSTANTS:
            self.table.fail("constants", f"more than {_MOST_CONSTANTS} constants")
        for name in table.content:
            is_taken = name in (*self.operands, *_TAKEN) or _is_keyword(name)
            if not _NAME.fullmatch(name) or is_taken:
                told = (
                    "is no name of a constant; letters and digits are, but no keyword, operand or "
                    "field of a message"
                )
                table.fail(name, f"{shown_value(name)} {told}")
            own = table.table(name).only("value", "nbits", "title")
            text = own.text("value")
            width = own.number("nbits", nbits, nbits=nbits, least=1)
            if width > _MOST_CONSTANT * nbits:
                most = _MOST_CONSTANT * nbits
                own.fail("nbits", f"{width} bits; 1 to {most} are allowed", named=True)
            formula = WrittenFormula(text, nbits)
            constant = ModulusConstant(name, width, formula, own.text("title", text))
            with own.told("value"):
                constant.check_width(nbits)
                formula.value((1 << nbits) - 1)
            found.append(constant)
        return tuple(found)

    def rules(self, nbits: int) -> InputRules:
        """Input rules, which the shell checks."""
        constants = bool(self.table.table("constants", {}).content)
        return CoreRules(
            nbits,
            self.odd_modulus,
            constants,
            nbits,
            full_modulus=self.full_modulus,
            positive_exponent=self.positive_exponent,
        )

    def usable_modulus(self, nbits: int, drawn: int) -> int:
        """Return a modulus of full length from a random number, if the core demands it."""
        return drawn | self.rules(nbits).min_modulus if self.full_modulus else drawn

    def most_cycles(self, nbits: int) -> int:
        """Most cycles of an operation, by the ``Wait`` steps of the protocol; 0: it has none."""
        steps = getattr(self.core(nbits).protocol, "steps", ())
        return sum(x.most_cycles for x in flat(steps) if isinstance(x, Wait))

    def divisor(self, nbits: int) -> int:
        """R, by which a Montgomery product is divided; else 1."""
        if self.operation != "mont_mul":
            return 1
        found = self.table.number(
            "divisor", 1 << nbits, nbits=nbits, least=2, most=1 << 4 * _MOST_WIDTH
        )
        if found & (found - 1):
            self.table.fail("divisor", "powers of two are allowed", named=True)
        return found

    @cached_property
    def counts_cycles(self) -> bool:
        """Whether it has a formula of its cycles."""
        return "cycles" in self.table

    @cached_property
    def steady(self) -> bool:
        """Whether no operand is in the formula of its cycles."""
        return not formulas.names_of(formulas.parse(self._cycles)) & {*self.operands}

    def cycles(self, nbits: int, operands: Sequence[int]) -> int:
        """Cycles from an accepted request to its result, by its formula."""
        with self.table.told("cycles"):
            named = dict(zip(self.operands, operands, strict=True))
            found = formulas.value(self._cycles, nbits=nbits, **named)
            if not 0 <= found <= _MOST_CYCLES:
                given = ", ".join(f"{name}={x:#x}" for name, x in named.items())
                told = f"cycles: {shown_value(found)} for {given} at {nbits} bits"
                raise ValueError(f"{told}; 0 to {_MOST_CYCLES:,} are allowed")
        return found

    @property
    def _cycles(self) -> str:
        found = self.table.content["cycles"]
        return found if isinstance(found, str) else str(found)

    def core(self, nbits: int) -> Core:
        """Return what a shell knows of the core, for one width."""
        return _core(self, nbits)

    def parameters(self, nbits: int) -> dict[str, int | str]:
        """Values of the top's parameters."""
        table, found = self.table.table("parameters", {}), {}
        for name, value in table.content.items():
            is_text = isinstance(value, str) and len(value) > 1 and value[0] == value[-1] == '"'
            least = -(1 << 63)
            found[name] = value[1:-1] if is_text else table.number(name, nbits=nbits, least=least)
            if is_text and not re.fullmatch(r"[\w .,:/+-]*", value[1:-1]):
                told = "letters, digits and . , : / + - are allowed in a text"
                table.fail(name, told, named=True)
            if not re.fullmatch(r"([A-Za-z_]\w*::)?[A-Za-z_]\w*", name):
                table.fail(
                    name, f"{name!r} is no name of a parameter; letters, digits and _ are allowed"
                )
        return found


def read_description(path: Path) -> Description:
    """Read and check a description; ``DescriptionError`` for the first mistake.

    Parameters
    ----------
    path
        A file, or the folder of a file ``core.toml``.
    """
    if path.name == FILE and path.is_dir():
        raise DescriptionError(f"{path}: it is a folder; a file is allowed")
    file = path / FILE if path.is_dir() else path
    table = read(file, str(file)).only(*_KEYS)
    name = table.text("name")
    if not _NAME.fullmatch(name) or len(name) > _LONGEST_NAME:
        table.fail(
            "name",
            f"{name!r}; letters, digits and single underscores, at most {_LONGEST_NAME}, are "
            "allowed",
            named=True,
        )
    rules = table.table("rules", {}).only("odd_modulus", "full_modulus", "positive_exponent")
    secrecy = table.table("secrecy", {}).only("exponent_dependent", "base_dependent")
    operation = table.choice("operation", OPERATIONS, OPERATIONS[0])
    odd = rules.flag("odd_modulus", default=operation == "mont_mul")
    if operation == "mont_mul" and not odd:
        rules.fail("odd_modulus", "a Montgomery product has odd moduli alone", named=True)
    if operation != "mod_exp" and rules.flag("positive_exponent", default=False):
        rules.fail("positive_exponent", "a product has no exponent", named=True)
    found = Description(
        file=file,
        table=table,
        name=name,
        title=table.text("title", f"{operation} in Verilog"),
        source=_source(table),
        top=_identifier(table, "top"),
        widths=_widths(table),
        operation=operation,
        odd_modulus=odd,
        full_modulus=rules.flag("full_modulus", default=False),
        positive_exponent=rules.flag("positive_exponent", default=False),
        exponent_dependent=secrecy.flag("exponent_dependent", default=True),
        base_dependent=secrecy.flag("base_dependent", default=True),
        sources=(sources := _sources(table, file)),
        standard=_standard(table, sources),
    )
    if found.counts_cycles:
        _check_cycles(found)
    macros = table.table("macros", {})
    for key in macros.content:
        _macro(macros, key, found.widths[0])
    return found


def _check_cycles(description: Description) -> None:
    """Check the formula of the cycles, for the largest operands of the least width."""
    if not isinstance(description.table.content["cycles"], str):
        description.table.number("cycles", most=_MOST_CYCLES)
    least = description.widths[0]
    description.cycles(least, [(1 << least) - 1] * len(description.operands))


def _macro(macros: Table, name: str, nbits: int) -> float:
    is_formula = isinstance(macros.content[name], str)
    return float(macros.number(name, nbits=nbits)) if is_formula else macros.quantity(name)


def _source(table: Table) -> str:
    claims = table.table("claims", {}).only("area_um2", "clock_ns", "cycles", "library")
    said = [f"{x} {claims.quantity(x)}" for x in claims.content if x != "library"]
    said += [f"library {claims.text('library')}"] if "library" in claims else []
    licence = table.text("licence", "")
    parts = [table.text("source", "Verilog"), f"licence {licence}" if licence else ""]
    parts.append(f"its authors claim {', '.join(said)}" if said else "")
    return "; ".join(filter(None, parts))


def _is_keyword(name: str) -> bool:
    """Whether a name is a keyword of Python, whose messages have it, or of Verilog."""
    from pymtl3.passes.backends.verilog.util.utility import verilog_reserved

    return keyword.iskeyword(name) or name in verilog_reserved


def _identifier(table: Table, key: str) -> str:
    found = table.text(key)
    if not re.fullmatch(r"[A-Za-z_]\w*", found):
        table.fail(key, f"{found!r}; a name in Verilog is allowed", named=True)
    return found


def _widths(table: Table) -> Sequence[int]:
    """Read the widths: a list, or the least, the most and a step."""
    listed = table.content.get("widths")
    if isinstance(listed, dict):
        own = table.table("widths").only("least", "most", "step")
        least = own.number("least", least=_LEAST_WIDTH)
        most = own.number("most", least=least)
        step = own.number("step", 1, least=1)
        found: Sequence[int] = range(least, most + 1, step)
    elif isinstance(listed, list) and listed and all(type(x) is int for x in listed):
        found = tuple(sorted({*listed}))
    else:
        table.fail(
            "widths" if "widths" in table else None,
            "widths: a list of numbers, or { least, most, step }, is needed",
        )
    if not _LEAST_WIDTH <= found[0] <= found[-1] <= _MOST_WIDTH:
        table.fail("widths", f"{_LEAST_WIDTH} to {_MOST_WIDTH} bits are allowed", named=True)
    return found


def _sources(table: Table, file: Path) -> verilog.Sources:
    folder = file.parent
    files: dict[Path, None] = {}
    patterns = table.texts("files")
    if not patterns:
        table.fail("files", "a list without a pattern; at least one is allowed", named=True)
    with table.told("files"):
        for pattern in patterns:
            files |= dict.fromkeys(verilog.matching(folder, pattern))
    includes = []
    for name in table.texts("include", ()):
        path = folder / name
        with table.told("include"):
            if Path(name).is_absolute() or ".." in Path(name).parts or not path.is_dir():
                raise ValueError(f"no folder {shown_value(name)} in the folder of the description")
            includes.append(verilog.inside(folder, path))
    defines = table.table("defines", {})
    if len(defines.content) > _MOST_DEFINES:
        table.fail("defines", f"more than {_MOST_DEFINES} macros")
    found = []
    for name, value in defines.content.items():
        text = str(value) if type(value) is int else defines.text(name)
        if not re.fullmatch(r"[A-Za-z_]\w*", name):
            defines.fail(name, f"{name!r} is no name of a macro; letters, digits and _ are allowed")
        found.append((name, text))
    sources = verilog.Sources(folder, str(folder), tuple(files), tuple(includes), tuple(found))
    with table.told("files"):
        verilog.check_sizes(sources.all_files)
    return sources


def _standard(table: Table, sources: verilog.Sources) -> str:
    kinds = {vhdl.is_vhdl(x) for x in sources.files}
    if len(kinds) > 1:
        table.fail("files", "files of Verilog and of VHDL; one of both is allowed", named=True)
    if kinds == {False}:
        if "vhdl" in table:
            table.fail("vhdl", "the files are Verilog; no such key is allowed", named=True)
        return ""
    for key in ("include", "defines"):
        if key in table:
            table.fail(key, "VHDL has none; no such key is allowed", named=True)
    return table.choice("vhdl", (*vhdl.STANDARDS,), "2008")


@cache
def _elaborated(description: Description, nbits: int) -> verilog.Elaborated:
    given = description.parameters(nbits)
    standard = description.standard
    found = front_end.elaborate(description.sources, description.top, given, standard)
    names = {description.name, f"{description.name}_{nbits}"} & {*found.modules}
    if names:
        module = names.pop()
        description.table.fail(
            "name", f"a module of the core is {module!r}, too; another name is allowed", named=True
        )
    _check_clocks(description, found)
    known = {x.resolve() for x in description.files}
    for file, place in found.data:
        if Path(file) not in known:  # a change of it would not be noticed
            folder = description.sources.folder.resolve()
            shown = shown_value(os.fspath(Path(file).relative_to(folder)))
            raise DescriptionError(
                f"{place}: the name of the file {shown} is computed; one that stands in quotes in "
                f"the Verilog is allowed, or, also as a comment, in {description.file.name}"
            )
    if not description.makes_synchronous:
        return found
    with description.table.table("reset").told("make_synchronous"):
        netlist = made_synchronous(found.netlist) if found.netlist else ""
        return replace(found, text=made_synchronous(found.text), netlist=netlist)


def _check_clocks(description: Description, found: verilog.Elaborated) -> None:
    clock = description.table.text("clock")
    for each in found.clocks if clock in {x.name for x in found.ports} else ():
        if each.port != clock:
            raise DescriptionError(
                f"{each.place}: flip-flops at edges of {each.port}; one clock is allowed, which is "
                f"{clock} of the description"
            )


@cache
def _core(description: Description, nbits: int) -> Core:
    from rsaxcel.rtl.shells.pins import pin  # PyMTL3 takes long to load

    table = description.table
    elaborated = _elaborated(description, nbits)
    constants = description.constants(nbits)
    names = (*description.operands, *(x.name for x in constants))
    ports = tuple(x.name for x in elaborated.ports)
    for at, name in enumerate(ports):
        if same := [x for x in ports[:at] if pin(x) == pin(name)]:
            table.fail(
                "top", f"ports {same[0]} and {name} differ in _ and $ alone; others are allowed"
            )
    reader = _ProtocolReader(nbits, names, ports).with_widths({x.name: x.nbits for x in constants})
    protocol = reader.read(table.table("protocol"))
    held = table.table("held", {})
    most = 1 << 4 * _MOST_WIDTH  # a port may have an operand
    values = tuple((name, held.number(name, nbits=nbits, most=most)) for name in held.content)
    # What GHDL makes has values in place of generics.
    given = {} if description.standard else description.parameters(nbits)
    with table.told("protocol"):
        core = Core(
            description.top,
            nbits,
            elaborated.ports,
            table.text("clock"),
            _reset(table, nbits),
            protocol,
            tuple((x, y) for x, y in given.items() if SEPARATOR not in x),
            values,
            description.is_product,
            tuple((_field_of(x.name), x.nbits) for x in constants),
        )
        core.check_given()
        return core


def _reset(table: Table, nbits: int) -> Reset | None:
    if "reset" not in table:
        return None
    if isinstance(table.content["reset"], str):
        return Reset(table.text("reset"))
    if not isinstance(table.content["reset"], dict):
        shown = shown_value(table.content["reset"])
        table.fail("reset", f"{shown}; a port or a table is allowed", named=True)
    own = table.table("reset").only("port", "active", "synchronous", "make_synchronous", "cycles")
    with own.told():
        return Reset(
            own.text("port"),
            own.choice("active", ("high", "low"), "high") == "high",
            own.flag("synchronous", default=True) or own.flag("make_synchronous", default=False),
            own.number("cycles", 1, nbits=nbits, least=1),
        )


def made_synchronous(text: str) -> str:
    """Leave the reset out of the events of each process, whose first ``if`` asks for it.

    ``ValueError`` if a process has another form, or if none has an asynchronous reset.
    """
    found, count = _EVENTS.subn(_synchronous, text)
    if not count:
        raise ValueError("no process of the core has an asynchronous reset")
    if other := _MORE_EVENTS.search(found):
        raise ValueError(f"{' '.join(other[0].split())}: a clock and a reset are allowed")
    return found


def _synchronous(match: re.Match[str]) -> str:
    head, first, first_name, second, second_name, body, condition = match.groups()
    asked = set(re.findall(r"\w+", condition or "")) & {first_name, second_name}
    if len(asked) != 1:
        events = f"@({first} or {second})"
        raise ValueError(f"{events}: a first `if` with the reset in its condition is needed")
    clock = second if first_name in asked else first
    return f"{head}({clock}){body}"
