"""Protocols of foreign cores: what a shell knows of a core in Verilog, for one width.

All numbers are evaluated. A core forms a power or a product of three operands; its operands and its
result have the names of the fields of the framework's messages (``fl.messages``): ``b``, ``e``,
``m`` for a power, ``a``, ``b``, ``m`` for a product, the constants of the modulus, ``r`` for the
result.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

LEAST, MOST = "least significant first", "most significant first"
ORDERS = (LEAST, MOST)
"""Orders of the words of a number."""

POWER = ("b", "e", "m")
PRODUCT = ("a", "b", "m")
RESULT = "r"

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*")

_MOST_PORT_NBITS = 1 << 18
_MOST_COUNT = 1 << 16  #: cycles that a shell counts
_MOST_WORDS = 1 << 12  #: rounds of a repeat, and words of zeros; each has a part in the shell


@dataclass(frozen=True)
class Port:
    """A port of the top module of a core."""

    name: str
    nbits: int
    is_input: bool

    def __post_init__(self) -> None:
        _require(_NAME.fullmatch(self.name), f"port {self.name!r}: a name in Verilog is allowed")
        _require(
            0 < self.nbits <= _MOST_PORT_NBITS,
            f"port {self.name}: nbits={self.nbits}; 1 to {_MOST_PORT_NBITS} are allowed",
        )


@dataclass(frozen=True)
class Reset:
    """The reset of a core, active for ``cycles`` rising edges of the clock."""

    port: str
    active_high: bool = True
    synchronous: bool = True
    cycles: int = 1

    def __post_init__(self) -> None:
        _require_count("reset: cycles", self.cycles, 1)


@dataclass(frozen=True)
class Piece:
    """An operand or the result, as a part of the value of a port."""

    field: str
    nbits: int  #: width in the core; the bits beyond those of the field are zeros


@dataclass(frozen=True)
class Data:
    """Value of a port: the first piece has the highest bits.

    A port narrower than its value transfers it in beats; the highest bits of the most significant
    beat are zeros.
    """

    port: str
    pieces: tuple[Piece, ...]

    def __post_init__(self) -> None:
        _require(self.pieces, f"port {self.port}: at least one operand is allowed")

    @property
    def nbits(self) -> int:
        return sum(x.nbits for x in self.pieces)


@dataclass(frozen=True)
class Stream:
    """Ports with one valid and one ready, whose values are transferred together."""

    valid: str
    ready: str  #: "": the receiver is always ready
    data: tuple[Data, ...]
    order: str = LEAST  #: order of the beats
    last: str = ""  #: 1 with the last beat; "": there is no such port

    def __post_init__(self) -> None:
        _require(self.data, f"stream of {self.valid}: at least one port with data is allowed")
        _require_order(f"stream of {self.valid}", self.order)


@dataclass(frozen=True)
class Streams:
    """Operands in one stream or in several, the result in one stream.

    A core takes operands in the cycle in which valid and ready are 1, and the result stays valid
    until it is taken; without ready, a result is valid for one cycle.
    """

    operands: tuple[Stream, ...]
    result: Stream
    kept: tuple[Data, ...] = ()  #: operands at ports of their own, until the result is taken

    def __post_init__(self) -> None:
        _require(self.operands, "streams: at least one stream of operands is allowed")


@dataclass(frozen=True)
class StartDone:
    """A start, and a sign of the end.

    An operation begins while ``ready`` is 1 and ``busy`` is 0, where the core has these ports. It
    has ended when ``done`` is 1; without it, when ``busy`` is 0; without it, when ``ready`` is 1.
    """

    start: str
    operands: tuple[Data, ...]
    result: Data
    done: str = ""
    busy: str = ""
    ready: str = ""
    level: bool = False  #: start stays 1 until the end, then is 0 for a cycle; else it is a pulse
    sampled: bool = False  #: operands are read in the first cycle of start alone
    result_held: bool = False  #: result stays until the next start; else until the end's cycle
    settles: int = 1  #: cycles after the first cycle of start from which the end may be told
    resets: bool = False  #: the core is reset between two operations

    def __post_init__(self) -> None:
        ends = self.done or self.busy or self.ready
        _require(ends, "start_done: one of done, busy and ready is needed")
        _require(self.operands, "start_done: at least one port with operands is allowed")
        _require_count("settles", self.settles, 1)


@dataclass(frozen=True)
class Write:
    """Writes an operand word by word, or a constant.

    In a ``Repeat``, round ``i`` writes word ``i`` of the operand, or the constant plus ``i`` times
    ``increment``, to the address plus ``i`` times ``stride``.
    """

    address: int
    field: str = ""  #: name of the operand; "": the constant is written
    value: int = 0  #: the constant
    order: str = LEAST  #: order of the words
    zeros: int = 0  #: words of zeros beyond the most significant word
    stride: int = 0  #: distance from the address of a word to that of the next one
    increment: int = 0  #: what is added to the constant from round to round

    def __post_init__(self) -> None:
        _require_order(f"write {self.address:#x}", self.order)
        _require_count("zeros", self.zeros, most=_MOST_WORDS)
        _require(
            not (self.field and (self.value or self.increment)),
            f"write {self.address:#x}: an operand or a constant is allowed, not both",
        )


@dataclass(frozen=True)
class Pulse:
    """Writes a constant to a register that clears itself, or sets an input port for one cycle."""

    address: int = 0
    value: int = 1
    port: str = ""  #: "": the register


@dataclass(frozen=True)
class Wait:
    """Waits for ``(word & mask) == (value & mask)`` at an address, or for the value of a port.

    The shell has no counter for ``most_cycles``: a core that never ends lets the shell wait. A
    simulation tells it, and a reset ends it.
    """

    address: int = 0
    mask: int = 1
    value: int = -1  #: -1: all bits of the mask
    port: str = ""  #: 1 bit; "": the address
    most_cycles: int = 0  #: 0: not known
    after: int = 0  #: cycles that are waited first, in which a core may still show its last end

    def __post_init__(self) -> None:
        _require(self.mask > 0, f"mask={self.mask:#x}: at least one bit is allowed")
        _require_count("after", self.after)


@dataclass(frozen=True)
class Read:
    """Reads the result word by word; in a ``Repeat``, round ``i`` reads word ``i``."""

    address: int
    order: str = LEAST
    zeros: int = 0  #: words beyond the most significant word, which are dropped
    stride: int = 0

    def __post_init__(self) -> None:
        _require_order(f"read {self.address:#x}", self.order)
        _require_count("zeros", self.zeros, most=_MOST_WORDS)


@dataclass(frozen=True)
class Repeat:
    """Runs steps ``count`` times; none of them is a ``Repeat``."""

    count: int
    steps: tuple[Write | Pulse | Wait | Read, ...]

    def __post_init__(self) -> None:
        _require_count("repeat: count", self.count, 1, _MOST_WORDS)
        _require(self.steps, "repeat: at least one step is allowed")


Step = Write | Pulse | Wait | Read | Repeat


@dataclass(frozen=True)
class Steps:
    """What the protocols of words share."""

    steps: tuple[Step, ...]
    word_nbits: int

    def __post_init__(self) -> None:
        _require(self.word_nbits > 0, f"word_nbits={self.word_nbits}: at least 1 is allowed")
        found = [x for x in flat(self.steps) if isinstance(x, Read)]
        _require(len(found) == 1, f"{len(found)} steps read the result; 1 is allowed")


@dataclass(frozen=True)
class Words(Steps):
    """Memory-mapped words: an access in each cycle, a read word in its cycle or some cycles later.

    Address and select stay while a read word is awaited.
    """

    write: str  #: 1: the access is a write
    address: str
    data_in: str
    data_out: str
    select: str = ""  #: 1 during an access
    read: str = ""  #: 1 during a read
    read_cycles: int = 0  #: cycles from the one with the address to the one with the word

    def __post_init__(self) -> None:
        super().__post_init__()
        _require_count("read_cycles", self.read_cycles)


AXI_PORTS = (
    *("awaddr", "awvalid", "awready", "wdata", "wvalid", "wready", "bvalid", "bready"),
    *("araddr", "arvalid", "arready", "rdata", "rvalid", "rready"),
)
AXI_OPTIONAL = ("awprot", "wstrb", "bresp", "arprot", "rresp")


@dataclass(frozen=True)
class Axi4Lite(Steps):
    """Words on an AXI4-Lite bus; addresses are those of the bus, in bytes.

    Error responses of the core are ignored.
    """

    ports: tuple[tuple[str, str], ...]  #: signal of the bus in small letters, port of the core

    def __post_init__(self) -> None:
        super().__post_init__()
        known = {x for x, _ in self.ports}
        for name in AXI_PORTS:
            _require(name in known, f"axi4_lite: a port for {name} is needed")
        for name in known - {*AXI_PORTS, *AXI_OPTIONAL}:
            allowed = ", ".join(AXI_PORTS + AXI_OPTIONAL)
            raise ValueError(f"axi4_lite: signal {name!r} is unknown; allowed: {allowed}")


XCEL_PORTS = ("req_msg", "req_val", "req_rdy", "resp_msg", "resp_val", "resp_rdy")
XCEL_ADDRESS_NBITS, XCEL_WORD_NBITS = 5, 32


@dataclass(frozen=True)
class Xcel(Steps):
    """Words by xcel messages: request {type, address, data}, response {type, data}.

    Type 1 is a write; the first field has the highest bits: 1 + 5 + 32 and 1 + 32 bits.
    """

    ports: tuple[tuple[str, str], ...]  #: signal as in ``XCEL_PORTS``, port of the core

    def __post_init__(self) -> None:
        super().__post_init__()
        if {x for x, _ in self.ports} != {*XCEL_PORTS}:
            raise ValueError(f"xcel: ports for {', '.join(XCEL_PORTS)} are needed")
        _require(self.word_nbits == XCEL_WORD_NBITS, "xcel: words of 32 bits are allowed")


Protocol = Streams | StartDone | Words | Axi4Lite | Xcel


@dataclass(frozen=True)
class Core:
    """A core in Verilog, as a shell sees it."""

    module: str  #: the top module
    nbits: int  #: width of operands and result
    ports: tuple[Port, ...]
    clock: str
    reset: Reset | None  #: None: a start restarts the core at any time
    protocol: Protocol
    #: parameters of the top module; a str is in quotes
    parameters: tuple[tuple[str, int | str], ...] = ()
    held: tuple[tuple[str, int], ...] = ()  #: ports, and values at which they are held
    is_product: bool = False  #: operands a, b, m; else b, e, m; and the constants
    constants: tuple[tuple[str, int], ...] = ()  #: constants that the host sends: names and widths
    #: the shell waits before accesses, and takes responses late: a check
    host_waits: bool = field(default=False, repr=False)

    def __post_init__(self) -> None:
        for name in (self.module, *(x for x, _ in self.parameters)):
            _require(_NAME.fullmatch(name), f"{name!r}: a name in Verilog is allowed")
        _require(self.nbits > 0, f"nbits={self.nbits}: at least 1 is allowed")
        names = [x.name for x in self.ports]
        for name in names:
            _require(names.count(name) == 1, f"port {name}: there are two of this name")
        for name, is_input, nbits in self._used():
            _require(name in names, f"port {name!r} is unknown; allowed: {', '.join(names)}")
            port = self.port(name)
            kind = "an input" if is_input else "an output"
            _require(port.is_input is is_input, f"port {name}: {kind} is allowed")
            _require(
                nbits in (0, port.nbits), f"port {name}: {nbits} bits are needed, not {port.nbits}"
            )
        used = [x for x, _, _ in self._used()]
        for name in used:
            _require(used.count(name) == 1, f"port {name}: it has one use, not several")
        for name in [x.name for x in self.ports if x.is_input and x.name not in used]:
            raise ValueError(f"input port {name}: it has no use; hold it at a value")
        for name, value in self.held:
            nbits = self.port(name).nbits
            _require(
                0 <= value and value.bit_length() <= nbits,
                f"port {name}: it is held at a value that does not fit; {nbits} bits are allowed",
            )
        if isinstance(self.protocol, Streams):
            for stream in (*self.protocol.operands, self.protocol.result):
                _require(
                    len({-(-x.nbits // self.port(x.port).nbits) for x in stream.data}) == 1,
                    f"stream of {stream.valid}: all ports with the same number of beats allowed",
                )
            given = self.protocol.result.data
            _require(len(given) == 1, f"{len(given)} ports have the result; 1 is allowed")
        elif isinstance(self.protocol, Steps):
            self._check_repeats(self.protocol)
            self._check_steps(self.protocol)
        self._check_operands()

    @property
    def operands(self) -> tuple[str, ...]:
        """Fields of a request, without flags."""
        return (*(PRODUCT if self.is_product else POWER), *(x for x, _ in self.constants))

    def port(self, name: str) -> Port:
        return next(x for x in self.ports if x.name == name)

    def beats(self, stream: Stream) -> int:
        """Beats in which each port of a stream transfers its value."""
        return max(-(-x.nbits // self.port(x.port).nbits) for x in stream.data)

    def width(self, field: str) -> int:
        """Width of an operand or of the result in the framework's messages."""
        return dict(self.constants).get(field, self.nbits)

    @property
    def most_cycles(self) -> int:
        """Cycles of an operation's waits at most; 0: they are not known."""
        if not isinstance(self.protocol, Steps):
            return 0
        waits = [x.most_cycles for x in flat(self.protocol.steps) if isinstance(x, Wait)]
        return sum(waits) if waits and all(waits) else 0

    def words(self, step: Write | Read) -> int:
        """Words of the operand of a step or of the result, with zeros."""
        assert isinstance(self.protocol, Steps)
        name = RESULT if isinstance(step, Read) else step.field
        return -(-self.width(name) // self.protocol.word_nbits) + step.zeros

    def _check_repeats(self, protocol: Steps) -> None:
        """Check that a repeat transfers each word of its operands once."""
        for repeat in [x for x in protocol.steps if isinstance(x, Repeat)]:
            for step in repeat.steps:
                if isinstance(step, Read) or (isinstance(step, Write) and step.field):
                    words = self.words(step)
                    _require(
                        repeat.count == words,
                        f"repeat: count={repeat.count}; {words} is allowed, the words of"
                        f" address {step.address:#x}",
                    )

    def _check_steps(self, protocol: Steps) -> None:
        """Check that addresses and words fit the ports, also in the last round of a repeat."""
        for step in protocol.steps:
            if isinstance(step, Repeat):
                for each in step.steps:
                    self._check_step(protocol, each, step.count - 1)
            else:
                self._check_step(protocol, step, 0)

    def _check_step(
        self, protocol: Steps, step: Write | Pulse | Wait | Read, last_round: int
    ) -> None:
        word = protocol.word_nbits
        last = step.address + last_round * getattr(step, "stride", 0)
        numbers = [("address", last, self._address_nbits(protocol))]
        if not isinstance(step, Read):
            increment = last_round * getattr(step, "increment", 0)
            numbers += [("value", step.value + increment, word)]
        if isinstance(step, Wait) and not step.port:
            numbers += [("mask", step.mask, word)]
        for what, number, nbits in numbers:
            _require(
                number.bit_length() <= nbits,
                f"{type(step).__name__.lower()}: {what} does not fit; {nbits} bits are allowed",
            )

    def _address_nbits(self, protocol: Steps) -> int:
        """Bits of an address at the ports of a core."""
        if isinstance(protocol, Words):
            return self.port(protocol.address).nbits
        if isinstance(protocol, Axi4Lite):
            ports = dict(protocol.ports)
            return min(self.port(ports[x]).nbits for x in ("awaddr", "araddr"))
        return XCEL_ADDRESS_NBITS

    def _given(self) -> Iterator[Piece]:
        """Operands that the core is given; in words, each as wide as it is in messages."""
        protocol = self.protocol
        if isinstance(protocol, Steps):
            names = [x.field for x in flat(protocol.steps) if isinstance(x, Write) and x.field]
            yield from (Piece(x, self.width(x)) for x in names)
        else:
            kept = protocol.kept if isinstance(protocol, Streams) else ()
            yield from (x for data in _data((*protocol.operands, *kept)) for x in data.pieces)

    def check_given(self) -> None:
        """Raise ``ValueError`` for an operand that the core is not given."""
        given = [x.field for x in self._given()]
        for name in [x for x in self.operands if x not in given]:
            twice = [x for x in dict.fromkeys(given) if given.count(x) > 1]
            also = f", but {_described(twice[0])} twice" if twice else ""
            raise ValueError(f"operand {_described(name)}: the core is not given it{also}")

    def _check_operands(self) -> None:
        for piece in self._given():
            name, allowed = piece.field, ", ".join(self.operands)
            _require(name in self.operands, f"operand {name!r} is unknown; allowed: {allowed}")
            self._check_width(piece)
        if isinstance(self.protocol, Streams | StartDone):
            result = self.protocol.result
            (data,) = result.data if isinstance(result, Stream) else (result,)
            _require(
                [x.field for x in data.pieces] == [RESULT], f"port {data.port}: not the result"
            )
            self._check_width(data.pieces[0])

    def _check_width(self, piece: Piece) -> None:
        name, least = _described(piece.field), self.width(piece.field)
        _require(
            piece.nbits >= least,
            f"operand {name}: {piece.nbits} bits of the core; {least} or more are needed",
        )

    @property
    def used(self) -> frozenset[str]:
        """Names of the ports that have a use."""
        return frozenset(name for name, _, _ in self._used() if name)

    def _used(self) -> Iterator[tuple[str, bool, int]]:
        """Ports that the protocol names, whether each is an input, and its width; 0: any."""
        yield self.clock, True, 1
        if self.reset:
            yield self.reset.port, True, 1
        yield from ((name, True, 0) for name, _ in self.held)
        protocol = self.protocol
        found: list[tuple[str, bool, int]] = []
        if isinstance(protocol, Streams):
            for stream in (*protocol.operands, protocol.result):
                given = stream is not protocol.result
                found += [(stream.valid, given, 1), (stream.ready, not given, 1)]
                found += [(stream.last, given, 1)]
                found += [(x.port, given, 0) for x in stream.data]
            found += [(x.port, True, x.nbits) for x in protocol.kept]
        elif isinstance(protocol, StartDone):
            found += [(protocol.start, True, 1)]
            found += [(x, False, 1) for x in (protocol.done, protocol.busy, protocol.ready)]
            found += [(x.port, True, x.nbits) for x in protocol.operands]
            found += [(protocol.result.port, False, protocol.result.nbits)]
        elif isinstance(protocol, Words):
            found += [(x, True, 1) for x in (protocol.write, protocol.select, protocol.read)]
            found += [(protocol.address, True, 0), (protocol.data_in, True, protocol.word_nbits)]
            found += [(protocol.data_out, False, protocol.word_nbits)]
        elif isinstance(protocol, Axi4Lite):
            widths = {"wdata": protocol.word_nbits, "rdata": protocol.word_nbits}
            widths |= {"wstrb": protocol.word_nbits // 8, "bresp": 2, "rresp": 2}
            widths |= {"awprot": 3, "arprot": 3, "awaddr": 0, "araddr": 0}
            outputs = {"awready", "wready", "bvalid", "bresp"}
            outputs |= {"arready", "rdata", "rvalid", "rresp"}
            found += [(port, x not in outputs, widths.get(x, 1)) for x, port in protocol.ports]
        else:
            request = 1 + XCEL_ADDRESS_NBITS + XCEL_WORD_NBITS
            widths = {"req_msg": request, "resp_msg": 1 + XCEL_WORD_NBITS}
            inputs = ("req_msg", "req_val", "resp_rdy")
            found += [(port, x in inputs, widths.get(x, 1)) for x, port in protocol.ports]
        if isinstance(protocol, Steps):
            steps = [*flat(protocol.steps)]
            pulsed = {x.port for x in steps if isinstance(x, Pulse)}
            awaited = {x.port for x in steps if isinstance(x, Wait)}
            found += [(x, True, 1) for x in sorted(pulsed)]
            found += [(x, False, 1) for x in sorted(awaited)]
        yield from (x for x in found if x[0])


def flat(steps: Iterable[Step]) -> Iterator[Write | Pulse | Wait | Read]:
    """Yield steps, and those of each ``Repeat`` in its place."""
    for step in steps:
        yield from step.steps if isinstance(step, Repeat) else (step,)


def _data(operands: Iterable[Data | Stream]) -> Iterator[Data]:
    for x in operands:
        yield from x.data if isinstance(x, Stream) else (x,)


def _described(field: str) -> str:
    """Name of an operand as descriptions have it."""
    return "n" if field == "m" else field


def _require_order(what: str, order: str) -> None:
    _require(order in ORDERS, f"{what}: order={order!r}; {' or '.join(ORDERS)} are allowed")


def _require_count(what: str, count: int, least: int = 0, most: int = _MOST_COUNT) -> None:
    _require(least <= count <= most, f"{what}={count}; {least} to {most} are allowed")


def _require(condition: object, message: str) -> None:
    if not condition:
        raise ValueError(message)
