"""Reads the protocol of a description, for one width."""

from __future__ import annotations

from collections.abc import Callable

from rsaxcel.cores.table import Table, shown_value
from rsaxcel.plan.protocols import (
    AXI_OPTIONAL,
    AXI_PORTS,
    LEAST,
    ORDERS,
    RESULT,
    XCEL_PORTS,
    Axi4Lite,
    Data,
    Piece,
    Protocol,
    Pulse,
    Read,
    Repeat,
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

MODULUS = "n"
"""The modulus in a description; ``m`` in messages (``fl.messages``)."""

_MOST_STEPS = 200
_MOST_WORD = 1 << 4096
_MOST_CYCLES = 1 << 12  #: cycles of a wait, divided by the square of the width


def field_of(name: str) -> str:
    """Name of an operand in messages, for its name in a description."""
    return "m" if name == MODULUS else name


class Reader:
    """Reads protocols of cores of a width, with operands ``names``."""

    def __init__(self, nbits: int, names: tuple[str, ...], ports: tuple[str, ...]) -> None:
        self._nbits = nbits
        self._names = names  #: operands as descriptions name them
        self._widths = dict.fromkeys((*names, RESULT), nbits)
        self._ports = ports  #: names of the top's ports

    def with_widths(self, widths: dict[str, int]) -> Reader:
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
                pieces.append(Piece(field_of(name), nbits))
            with table.told(port):
                found.append(Data(port, tuple(pieces)))
        if not found:
            table.fail(None, "at least one port with an operand is needed", named=True)
        return tuple(found)

    def _operand(self, table: Table, key: str = "operand") -> str:
        return table.choice(key, self._names)

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
            field_of(self._operand(table)) if "operand" in table else "",
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
        most = _MOST_CYCLES * self._nbits**2 + (1 << 18)
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


_KINDS: dict[str, Callable[[Reader, Table], Protocol]] = {
    "streams": Reader._streams,
    "start_done": Reader._start_done,
    "words": Reader._words,
    "axi4_lite": Reader._axi4_lite,
    "xcel": Reader._xcel,
}

_STEPS: dict[str, Callable[[Reader, Table], Step]] = {
    "write": Reader._write,
    "pulse": Reader._pulse,
    "wait": Reader._wait,
    "read": Reader._read,
    "repeat": Reader._repeat,
}
