"""What tools of chips need to know of elaborated Verilog: clocks, memories, loops, drivers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from rsaxcel.cores.effort import check_effort, check_ends
from rsaxcel.cores.errors import DescriptionError, Place, spot_of

_MOST_MEMORY, _MOST_BITS = 1 << 20, 1 << 24  #: bits of all memories; of all nets and variables
_MOST_FLIP_FLOPS = 1 << 17  #: bits of all memories, if flip-flops are made of them
_MOST_WIDTH = 1 << 20  #: bits of one net or variable that is no memory
_LITERALS = ("IntegerLiteral", "UnbasedUnsizedIntegerLiteral")
_PATTERNS = ("WildcardEquality", "WildcardInequality", "CaseEquality", "CaseInequality")
_MOST_STEPS = 1000  #: assignments and ports from a flip-flop to the port of its clock


@dataclass(frozen=True)
class Clock:
    """A port of the top whose edges flip-flops wait for."""

    port: str
    rising: bool
    place: str


@dataclass
class Findings:
    """What was found in a core."""

    clocks: list[Clock] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  #: what its user should know
    faults: list[str] = field(default_factory=list)  #: why no netlist can be made
    high: list[Any] = field(default_factory=list)  #: literals with Z, which are 0 in a netlist


def find(core: Any, drivers: Callable[[Any], list[Any]], place: Place) -> Findings:
    """Look through the instances of a core; ``DescriptionError`` for what is too large.

    ``drivers`` gives the drivers of a net or variable as slang's analysis knows them.
    """
    look = _Look(drivers, place)
    look.instance(core)
    return look.finish(core)


def scopes(instance: Any, alike: Any = None) -> Iterator[tuple[str, list[Any], dict[str, Any]]]:
    """Yield path and members of an instance and of each of its blocks of ``generate``.

    With them, by name, those whose drivers are known: instances that are alike are analyzed once,
    and what is below the others not at all; ``alike`` is the analyzed instance, if the one around
    this one is such.
    """
    body = instance.body
    analyzed = instance.canonicalBody or (alike and (alike.canonicalBody or alike.body)) or ()
    left = [(body, {x.name: x for x in analyzed})]
    while left:
        scope, known = left.pop()
        members = [*scope]
        path = (instance if scope is body else scope).hierarchicalPath
        yield path, members, known
        for member in members:
            kind = member.kind.name
            if kind in ("GenerateBlock", "GenerateBlockArray", "InstanceArray"):
                if kind != "GenerateBlock" or not member.isUninstantiated:
                    other = known.get(member.name)
                    left.append((member, {x.name: x for x in other} if other is not None else {}))


def instances(core: Any) -> Iterator[Any]:
    """Yield an instance and those below it, but not those below one that is like another."""
    left = [core]
    while left:
        now = left.pop()
        yield now
        if now.canonicalBody is not None:
            continue
        for _, members, _ in scopes(now):
            left += (x for x in members if x.kind.name == "Instance")


@dataclass
class _Memory:
    place: str
    words: int
    nbits: int
    count: int  #: number of instances
    is_rom: bool


class _Look:
    def __init__(self, drivers: Callable[[Any], list[Any]], place: Place) -> None:
        self._drivers, self._place = drivers, place
        self._bits = self._memory_bits = 0
        self._memories: dict[tuple[str, str], _Memory] = {}  #: memories by place and name
        self._ports: dict[str, tuple[Any, Any]] = {}  #: instance and port, by path
        self._events: list[tuple[Any, Any]] = []  #: events of flip-flops: edge and expression
        self._seen: set[tuple[Any, int]] = set()  #: places whose effort is known
        self._heavy: list[str] = []
        self._high: list[Any] = []
        self._last = ""  #: place of the last memory
        self._clocked: set[tuple[Any, int]] = set()  #: places of processes with a clock
        self._assigned: dict[str, list[Any]] = {}  #: continuous assignments by path of the net
        self._initial: dict[tuple[str, str], str] = {}  #: variables with an initial value, by place
        self._constant: dict[tuple[str, str], str] = {}  #: of these, those nothing else drives
        self._latched: dict[tuple[str, str], str] = {}
        self._inside: Any = None  #: instance that is looked through
        self._shared: dict[Any, tuple[Any, Any, str]] = {}  #: by place: with several drivers

    def instance(self, instance: Any, alike: Any = None) -> None:
        """Look through an instance and those below it; ``alike``: as of ``scopes``."""
        for port in instance.body.portList:
            symbol = getattr(port, "internalSymbol", None)
            if symbol is not None:
                self._ports[symbol.hierarchicalPath] = instance, port
        for _, members, known in scopes(instance, alike):
            for member in members:
                if member.kind.name == "ProceduralBlock":
                    self._block(member)
            for member in members:
                kind = member.kind.name
                if kind in ("Net", "Variable"):
                    self._inside = instance
                    self._value(member, known.get(member.name) or member)
                elif kind == "ContinuousAssign":
                    self._continuous(member.assignment)
                    self._effort(member, member.assignment, is_run=True)
                elif kind == "Subroutine":
                    self._effort(member, member.body)
                elif kind == "Instance":
                    self.instance(member, known.get(member.name))

    def _value(self, symbol: Any, canonical: Any) -> None:
        kind = symbol.type.canonicalType
        nbits = kind.bitstreamWidth if kind.isFixedSize else 0
        is_memory = kind.isUnpackedArray and kind.isFixedSize
        self._bits += 0 if is_memory else nbits
        where = self._place(symbol.location)
        if nbits > _MOST_WIDTH and not is_memory:
            raise DescriptionError(
                f"{where}: {symbol.name} has {nbits:,} bits; {_MOST_WIDTH:,} are allowed"
            )
        if self._bits > _MOST_BITS:
            raise DescriptionError(
                f"{where}: with {symbol.name}, all nets and variables have more than "
                f"{_MOST_BITS:,} bits; fewer are allowed"
            )
        if symbol.initializer is not None:
            self._effort(symbol, symbol.initializer)
        drivers = self._drivers(canonical)
        sources = {x.source.name for x in drivers if not x.isInputPort}
        if symbol.kind.name == "Variable":
            starts = "Initial" in sources or symbol.initializer is not None
            others = [x for x in drivers if x.source.name != "Initial" and not is_start(x)]
            if starts and others:
                self._initial.setdefault((where, symbol.name), symbol.name)
            elif starts and symbol.initializer is None:
                self._constant.setdefault((where, symbol.name), symbol.name)
            is_kept = any(spot_of(x.containingSymbol.location) in self._clocked for x in others)
            if is_memory and (is_kept or nbits > _MOST_MEMORY or (starts and not others)):
                self._memory(symbol, kind, where, nbits, not others)
        if "AlwaysLatch" in sources:
            self._latched.setdefault((where, symbol.name), symbol.name)
        if symbol.kind.name == "Net" or not any(x.source.name == "Initial" for x in drivers):
            if pair := shared_by(symbol, drivers):
                places = sorted({self._place(x.sourceRange.start) for x in pair})
                told = f"{where}: several drivers of {symbol.name} ({' and '.join(places)})"
                self._shared.setdefault(spot_of(symbol.location), (self._inside, symbol, told))

    def _memory(self, symbol: Any, kind: Any, where: str, nbits: int, is_rom: bool) -> None:
        if symbol.name and not is_rom:
            self._memory_bits += nbits
            self._last = where
        if nbits > _MOST_MEMORY or self._memory_bits > _MOST_MEMORY:
            others = "" if nbits > _MOST_MEMORY else " with the memories before it"
            total = nbits if nbits > _MOST_MEMORY else self._memory_bits
            raise DescriptionError(
                f"{where}: memory {symbol.name} has {total:,} bits{others}, which become "
                f"flip-flops; {_MOST_MEMORY:,} are allowed"
            )
        words = max(1, kind.fixedRange.width)
        new = _Memory(f"{where}: memory {symbol.name}", words, nbits // words, 0, is_rom)
        found = self._memories.setdefault((where, symbol.name), new)
        found.count += 1

    def _continuous(self, assignment: Any) -> None:
        if assignment.kind.name == "Assignment":
            symbol = getattr(assignment.left, "symbol", None)
            if symbol is not None:
                found = self._assigned.setdefault(symbol.hierarchicalPath, [])
                found.append(assignment.right)

    def _effort(self, symbol: Any, body: Any, *, is_run: bool = False) -> None:
        spot = spot_of(symbol.location)
        if spot not in self._seen:  # once for all instances: parameters make a small difference
            self._seen.add(spot)
            heavy = [*check_effort(symbol, body, self._place)]
            is_initial = getattr(symbol, "procedureKind", None) is not None and not is_run
            self._heavy += [] if is_initial else heavy
            self._high += [] if is_initial else _high(body)
            if is_run:
                check_ends(symbol, body, self._place)

    def _block(self, block: Any) -> None:
        body = block.body
        self._effort(block, body, is_run=block.procedureKind.name not in ("Initial", "Final"))
        if block.procedureKind.name in ("Always", "AlwaysFF") and body.kind.name == "Timed":
            timing = body.timing
            many = timing.kind.name == "EventList"
            edges = [x for x in (timing.events if many else [timing]) if _edge(x) != "None_"]
            if len(edges) > 1:
                edges = [*_clocks(edges, body.stmt)]
            if len(edges) > 1:
                named = ", ".join(_shown(x.expr) for x in edges)
                raise DescriptionError(
                    f"{self._place(block.location)}: flip-flops at edges of {named}; one clock is "
                    "allowed, and a reset that the first `if` asks for"
                )
            self._events += [(x, x.expr) for x in edges]
            if edges:
                self._clocked.add(spot_of(block.location))

    def finish(self, core: Any) -> Findings:
        found = Findings()
        seen: dict[tuple[str, bool], str] = {}
        for event, expression in self._events:
            place = self._place(event.sourceRange.start)
            if _edge(event) == "BothEdges":
                raise DescriptionError(
                    f"{place}: flip-flops at both edges of {_shown(expression)}; one edge is "
                    "allowed"
                )
            root, inverted = self._root(expression, core.hierarchicalPath, place)
            seen.setdefault((root, inverted != (_edge(event) == "NegEdge")), place)
        found.clocks = [Clock(name, not down, place) for (name, down), place in seen.items()]
        self._tell(found)
        return found

    def _tell(self, found: Findings) -> None:
        for memory in self._memories.values():
            bits = memory.words * memory.nbits * memory.count
            times = f"{memory.count:,} times " if memory.count > 1 else ""
            kind = "constants" if memory.is_rom else "as flip-flops, for an ASIC without a macro"
            found.notes.append(
                f"{memory.place}: {times}{memory.words:,} words of {memory.nbits:,} bits, "
                f"{bits:,} bits, {kind}"
            )
        for (where, _), name in self._initial.items():
            told = "an initial value, which an ASIC does not have"
            found.notes.append(f"{where}: {name} has {told}")
        for (where, _), name in self._constant.items():
            found.notes.append(f"{where}: {name} has its value from `initial` alone")
        found.high = self._high
        for literal in self._high:
            place = self._place(literal.sourceRange.start)
            found.notes.append(f"{place}: Z, and a netlist has 0")
        found.faults += self._heavy
        if self._memory_bits > _MOST_FLIP_FLOPS:
            found.faults.append(
                f"{self._last}: memories have {self._memory_bits:,} bits, which become flip-flops; "
                f"the flow takes {_MOST_FLIP_FLOPS:,}"
            )
        for (where, _), name in self._latched.items():
            found.faults.append(f"{where}: a latch: {name}; the flow takes flip-flops alone")
        for spot, (instance, symbol, told) in self._shared.items():
            if spot not in counters(instance, [symbol]):  # a netlist has one for each loop
                found.faults.append(f"{told}; the flow takes one")

    def _root(self, expression: Any, top: str, place: str) -> tuple[str, bool]:
        """Give the port of the top that a clock is, and whether it is inverted."""
        inverted, now, steps = False, expression, 0
        while (steps := steps + 1) < _MOST_STEPS:
            kind = now.kind.name
            if kind == "Conversion":
                now = now.operand
                continue
            if kind == "UnaryOp" and now.op.name in ("BitwiseNot", "LogicalNot"):
                now, inverted = now.operand, not inverted
                continue
            if kind == "Assignment":  # slang has an assignment for a port's connection
                now = now.right
                continue
            symbol = getattr(now, "symbol", None)
            if symbol is None:
                break
            path = symbol.hierarchicalPath
            instance, port = self._ports.get(path, (None, None))
            is_input = port is not None and port.direction.name == "In"
            if is_input and instance.hierarchicalPath == top:
                return symbol.name, inverted
            if is_input:
                connection = instance.getPortConnection(port)
                now = connection.expression if connection is not None else None
            else:
                now = self._assignment(symbol)
            if now is None:
                break
        raise DescriptionError(
            f"{place}: {_shown(expression)} is a derived or gated clock; the clock of the "
            "description alone is allowed, with enables of flip-flops"
        )

    def _assignment(self, symbol: Any) -> Any:
        """Give the one expression that a net has its value from, or None."""
        if symbol.kind.name == "Net" and symbol.initializer is not None:
            return symbol.initializer
        assigned = self._assigned.get(symbol.hierarchicalPath, ())
        return assigned[0] if len(assigned) == 1 else None


def _high(body: Any) -> list[Any]:
    """Find literals with Z that are values: those of choices and comparisons are patterns."""
    literals: dict[Any, Any] = {}
    patterns: set[Any] = set()

    def visit(node: Any) -> None:
        kind = getattr(getattr(node, "kind", None), "name", "")
        if kind == "Case":
            for item in node.items:
                _visit(item.expressions, pattern)
        elif kind == "Inside":
            _visit(node.rangeList, pattern)
        elif kind == "BinaryOp" and node.op.name in _PATTERNS:
            _visit([node.right], pattern)
        elif kind in _LITERALS and "z" in str(node.value).lower():
            literals[spot_of(node.sourceRange.start)] = node

    def pattern(node: Any) -> None:
        patterns.add(spot_of(node.sourceRange.start))

    _visit([body], visit)
    return [x for spot, x in literals.items() if spot not in patterns]


def _visit(nodes: Iterable[Any], function: Callable[[Any], None]) -> None:
    for node in nodes:
        node.visit(function)


def _edge(event: Any) -> str:
    return str(getattr(getattr(event, "edge", None), "name", "None_"))


def _clocks(edges: list[Any], statement: Any) -> Iterator[Any]:
    """Yield the edges whose signal the statement does not ask for: the others are resets."""
    read = set()

    def visit(node: Any) -> None:
        symbol = getattr(node, "symbol", None)
        if symbol is not None and hasattr(symbol, "hierarchicalPath"):
            read.add(symbol.hierarchicalPath)

    statement.visit(visit)
    for edge in edges:
        symbol = getattr(edge.expr, "symbol", None)
        if symbol is None or symbol.hierarchicalPath not in read:
            yield edge


def _shown(expression: Any) -> str:
    return " ".join(str(expression.syntax).split())[:60]


def shared_by(symbol: Any, drivers: Iterable[Any]) -> tuple[Any, Any] | None:
    """Find two drivers of the same bits, each in a process of its own or none.

    Bits that a loop chooses by a counter of the module count as others: they are not known here.
    """
    own = [x for x in drivers if not (x.isInputPort or is_start(x))]
    for at, one in enumerate(own):
        for two in own[at + 1 :]:
            if _overlap(one, two) and _process(one) != _process(two):
                if not (_by_rounds(symbol, one) or _by_rounds(symbol, two)):
                    return one, two
    return None


def _by_rounds(symbol: Any, driver: Any) -> bool:
    """Whether a driver gives values to parts of a variable in the rounds of a loop."""
    if driver.kind.name == "Continuous":
        return False
    spot, found = spot_of(symbol.location), False

    def chosen(node: Any) -> None:
        nonlocal found
        if _kind(node) == "Assignment" and node.left.kind.name in ("ElementSelect", "RangeSelect"):
            found |= spot in _spots(getattr(node.left, "value", None))

    def loop(node: Any) -> None:
        if _kind(node) == "ForLoop" and node.initializers:
            node.visit(chosen)

    driver.containingSymbol.visit(loop)
    return found


def is_start(driver: Any) -> bool:
    """Whether a driver is the initial value of a declaration."""
    from pyslang import analysis

    return bool(driver.flags & analysis.DriverFlags.Initializer)


def _overlap(one: Any, two: Any) -> bool:
    return bool(max(one.bounds[0], two.bounds[0]) <= min(one.bounds[1], two.bounds[1]))


def _process(driver: Any) -> Any:
    """Return the process of a driver; one outside of processes equals no other."""
    if driver.kind.name == "Continuous":
        return object()
    process = driver.containingSymbol
    return spot_of(process.location), process.hierarchicalPath


def counters(instance: Any, variables: Iterable[Any]) -> dict[Any, list[Any]]:
    """Return, by place, variables that only count rounds of loops, with the loops' processes."""
    shared = {spot_of(x.location) for x in variables}
    uses: Counter[Any] = Counter()
    counted: Counter[Any] = Counter()
    found: dict[Any, list[Any]] = {}

    def used(node: Any) -> None:
        uses.update(_spots(node) & shared)
        if _kind(node) == "ProceduralBlock":
            own: Counter[Any] = Counter()
            node.body.visit(lambda x: _count_rounds(x, shared, own))
            for spot in own:
                found.setdefault(spot, []).append(node)
            counted.update(own)

    instance.body.visit(used)
    return {spot: blocks for spot, blocks in found.items() if counted[spot] == uses[spot]}


def _count_rounds(node: Any, shared: set[Any], own: Counter[Any]) -> None:
    """Count how often a variable stands in a loop that begins with its first value."""
    if _kind(node) != "ForLoop":
        return
    spots = {spot for x in node.initializers for spot in _spots(getattr(x, "left", None))} & shared
    node.visit(lambda x: own.update(_spots(x) & spots))


def _spots(node: Any) -> set[Any]:
    symbol: Any = getattr(node, "symbol", None)
    is_value = symbol is not None and _kind(node).endswith("Value")
    return {spot_of(symbol.location)} if is_value else set()


def _kind(node: Any) -> str:
    return str(getattr(getattr(node, "kind", None), "name", ""))
