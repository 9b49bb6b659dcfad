"""Checks a circuit (loops across its update blocks, too) and the models of its multiplier."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from graphlib import CycleError, TopologicalSorter
from inspect import signature, unwrap
from numbers import Integral
from pathlib import Path
from typing import Any, TypeVar

from pymtl3 import Component
from pymtl3.dsl import Const
from pyslang import DiagnosticEngine, DiagnosticSeverity, SourceManager, ast, syntax

from rsaxcel.catalog import AnyConfiguration
from rsaxcel.circuit import Target, is_circuit
from rsaxcel.diagnosis.component import message_types
from rsaxcel.diagnosis.constructs import block_of, blocks_of, check_constructs
from rsaxcel.diagnosis.dataflow import Execution
from rsaxcel.diagnosis.drivers import check_drivers, check_names
from rsaxcel.diagnosis.error import DesignError, Place
from rsaxcel.diagnosis.words import Ref, WordNode, WordPiece, reference
from rsaxcel.rtl.lib.verilog_core import VerilogCore, VerilogText
from rsaxcel.store.code import code_digest
from rsaxcel.store.folders import cache_root, keep_json, key_of

SOURCES = tuple(Path(__file__).parent.glob("*.py"))
"""Files of the checks: what has passed is checked again after a change of them."""

_OPERANDS = 0, 0, 3  #: values of a, b and the modulus, which every multiplier accepts


def check_circuit(top: Component) -> tuple[type, type]:
    """Check an elaborated circuit, and return the types of its request and response messages."""
    types = message_types(top)
    check_component(top)
    return types


def check_component(top: Component) -> None:
    """Check an elaborated circuit with any ports; see ``check_circuit``."""
    cores = [x for x in top.get_all_components() if isinstance(x, VerilogText)]
    if cores:
        for core in cores:
            check_core(core)
    blocks = list(blocks_of(top))
    for block in blocks:
        check_constructs(block)
    check_names(top)
    executions = [Execution(block) for block in blocks]
    for execution in executions:
        execution.check()
    check_drivers(top, executions)
    check_loops(top)


def check_models(configuration: AnyConfiguration) -> None:
    """Check the FL and CL models of a multiplier: parameters and results of their methods."""
    classes, constants = configuration.multiplier.classes, configuration.multiplier_golden.constants
    named = {constant.name: 0 for constant in constants}
    for cls, name, more in ((classes.fl, "product", named), (classes.cl, "durations", {})):
        try:
            signature(getattr(cls, name)).bind(None, *_OPERANDS, **more)
        except TypeError as error:
            takes = ", ".join(("self, a, b, modulus", *more))
            raise DesignError(
                f"{name} of {cls.__name__}: {error}", takes, _place(cls, name)
            ) from None
    _check_contract(classes.fl, configuration)
    found = configuration.multiplier.build("cl", configuration.product_nbits).durations(*_OPERANDS)
    if isinstance(found, Sequence) and found and all(isinstance(x, Integral) for x in found):
        return
    raise DesignError(
        f"durations of {classes.cl.__name__} gives {found!r}",
        "a tuple with the cycles of each stage as integers, such as (9,) for one stage",
        _place(classes.cl, "durations"),
    )


def _check_contract(cls: type, configuration: AnyConfiguration) -> None:
    """Check that ``odd_modulus`` of a golden model is a bool and that its product is an integer."""
    golden = configuration.multiplier_golden
    if type(golden.odd_modulus) is not bool:
        raise DesignError(f"odd_modulus of {cls.__name__} is {golden.odd_modulus!r}", "True, False")
    modulus = configuration.usable_modulus(7)
    if type(modulus) is not int or golden.constant_modulus:
        return
    values = {x.name: x.formula.value(modulus) for x in golden.constants}
    product = golden.product(1, 2, modulus, **values)
    if not isinstance(product, Integral):
        told = f"product of {cls.__name__} gives {product!r}"
        raise DesignError(told, "an integer", _place(cls, "product"))


def _place(cls: type, name: str) -> Place:
    code = unwrap(getattr(cls, name)).__code__
    return Place(code.co_filename, code.co_firstlineno)


def check_target(target: Target) -> None:
    """Check a circuit or a system, unless these source files passed before."""
    examine = check_circuit if is_circuit(target) else check_component

    def check() -> bool:
        component = target.component("rtl")
        component.elaborate()
        examine(component)
        return True

    digest = key_of(code_digest([*target.sources, *SOURCES]))
    keep_json(cache_root(), f"checked-{target.name}-{digest}", check)


_T = TypeVar("_T", bound=Hashable)
_Bit = tuple[WordNode, int]
_ON_PATH, _DONE = 1, 2


def check_loops(top: Component) -> None:
    """Refuse an elaborated circuit with a combinational loop, in blocks or connections."""
    # Blocks and signals are searched first, then the bits of those that are near a loop of blocks:
    # a loop of blocks is legal where no bit depends on itself.
    near = _near_loops(_blocks_and_signals(top))
    if not near:
        return
    nodes: dict[Any, WordNode] = {}

    def node_of(signal: Any) -> WordNode:
        if signal not in nodes:
            nodes[signal] = WordNode(reference(signal).width, signal)
        return nodes[signal]

    blocks = top._dsl.all_upblk_hostobj
    for function in sorted(near & blocks.keys(), key=lambda x: (repr(blocks[x]), x.__name__)):
        if block := block_of(function, blocks[function]):
            for signal, segment in Execution(block, node_of).segments():
                node_of(signal).depend((segment.piece,), segment.low)
    for writer, signals in top.get_all_value_nets():
        if not isinstance(writer, Const) and writer.get_top_level_signal() in near:
            source = reference(writer)
            piece = WordPiece(source.width, node_of(source.signal), source.low, 1)
            for target in map(reference, signals - {writer}):
                if target.signal in near:
                    node_of(target.signal).depend((piece,), target.low)
    if loop := _loop_of_bits(sorted(nodes.values(), key=lambda node: repr(node.signal))):
        raise _error(top, loop)


def _blocks_and_signals(top: Component) -> dict[Any, set[Any]]:
    """Return, for each combinational block and signal, the blocks and signals before it."""
    before: dict[Any, set[Any]] = defaultdict(set)
    for function in top._dsl.all_upblk_hostobj.keys() - top._dsl.all_update_ff:
        reads, writes = top._dsl.all_upblk_reads[function], top._dsl.all_upblk_writes[function]
        before[function] = {x.get_top_level_signal() for x in reads if x.is_signal()}
        for signal in writes:
            before[signal.get_top_level_signal()].add(function)
    for writer, signals in top.get_all_value_nets():
        if not isinstance(writer, Const):
            for signal in signals - {writer}:
                before[signal.get_top_level_signal()].add(writer.get_top_level_signal())
    return before


def _near_loops(before: dict[_T, set[_T]]) -> set[_T]:
    """Keys in the loops of a graph, and on paths between its loops."""
    for _ in range(2):  # removes nodes without a loop before, then nodes without a loop behind
        sorter = TopologicalSorter(before)
        try:
            sorter.prepare()
        except CycleError:
            done: set[_T] = set()
            while ready := sorter.get_ready():
                sorter.done(*ready)
                done.update(ready)
            behind: dict[_T, set[_T]] = {x: set() for x in before.keys() - done}
            for key in behind:
                for x in before[key] - done:
                    behind[x].add(key)
            before = behind
        else:
            return set()
    return set(before)


def _loop_of_bits(signals: Iterable[WordNode]) -> list[_Bit]:
    """Return the bits of a loop, each after a bit that depends on it; empty if there is no loop."""
    before: dict[WordNode, set[WordNode]] = {}
    found = deque(signals)
    while found:
        if (node := found.popleft()) not in before:
            before[node] = node.sources()
            found.extend(before[node])
    near = _near_loops(before)
    marks = {node: bytearray(node.width) for node in before if node in near}

    def bits_before(bit: _Bit) -> Iterator[_Bit]:
        return (x for x in bit[0].before(bit[1]) if x[0] in marks)

    for node in marks:
        for at in range(node.width if node.signal else 0):
            path = [(node, at)]
            ways = [bits_before(path[0])] if not marks[node][at] else []
            while ways:
                last, number = path[-1]
                marks[last][number] = _ON_PATH
                for bit in ways[-1]:
                    mark = marks[bit[0]][bit[1]]
                    if mark == _ON_PATH:
                        loop = path[path.index(bit) :]
                        start = next(x for x in loop if x[0].signal)
                        return _shortest(start, bits_before)
                    if not mark:
                        path.append(bit)
                        ways.append(bits_before(bit))
                        break
                else:
                    marks[last][number] = _DONE
                    path.pop()
                    ways.pop()
    return []


def _shortest(start: _Bit, bits_before: Callable[[_Bit], Iterable[_Bit]]) -> list[_Bit]:
    behind: dict[_Bit, _Bit] = {}
    queue = deque([start])
    while start not in behind:
        bit = queue.popleft()
        for x in bits_before(bit):
            if x not in behind:
                behind[x] = bit
                queue.append(x)
    loop: list[_Bit] = []
    while start not in loop:
        loop.append(behind[loop[-1] if loop else start])
    return loop[::-1]


def _error(top: Component, loop: Sequence[_Bit]) -> DesignError:
    """Return the error for a loop of bits, at a statement that reads a signal of the loop."""
    steps: list[tuple[str, Place | None]] = []
    for node, bit in loop:
        if node.signal:
            steps.append((_name(node, bit), None))
        else:
            steps[-1] = steps[-1][0], node.place
    first = min(range(len(steps)), key=lambda n: _rank(steps[n][1]))
    steps = [*steps[first:], *steps[:first]]
    names = [name for name, _ in (*steps, steps[0])]
    told = f"combinational loop in {type(top).__name__}: {' -> '.join(reversed(names))}"
    return DesignError(told, "loops through a register (update_ff, <<=) only", steps[0][1])


def _rank(place: Place | None) -> tuple[bool, bool, str, int]:
    """Order of places in which to show a loop: a user's files first."""
    return (False, place.ours, place.file, place.line) if place else (True, True, "", 0)


def _name(node: WordNode, bit: int) -> str:
    """Name of the bits that are assigned together with a bit, as far as all are of one signal."""
    part = reference(node.signal)
    while parts := part.parts():
        part = next(x for x in parts.values() if x.low <= bit < x.low + x.width)
    low, high = next((x, x + y.length) for x, y in node.parts if x <= bit < x + y.length)
    low, high = max(low, part.low), min(high, part.low + part.width)
    return str(Ref(node.signal, high - low, low))


_OUTPUT = "an output"
_SEVERE = (DiagnosticSeverity.Error, DiagnosticSeverity.Fatal)


def check_core(core: VerilogText) -> None:
    """Check an elaborated component's Verilog: errors; of a core the top module and its ports."""
    manager = SourceManager()
    name = f"{core.module}.v"
    compilation = ast.Compilation()
    compilation.addSyntaxTree(syntax.SyntaxTree.fromText(core.text, manager, name, name))
    engine = DiagnosticEngine(manager)
    for each in compilation.getAllDiagnostics():
        if engine.getSeverity(each.code, each.location) in _SEVERE:
            line = manager.getLineNumber(each.location)
            raise DesignError(f"{name}:{line}: {engine.formatMessage(each)}", "")
    if not isinstance(core, VerilogCore):
        return
    tops = {top.name: top for top in compilation.getRoot().topInstances}
    if core.module not in tops:
        found = ", ".join(tops) or "none"
        told = f"{name}: no top module {core.module}, but {found}"
        raise DesignError(told, f"module {core.module}, in which all other modules are")
    body = tops[core.module].body
    found_ports = {x.name: _words(x.direction.name, x.type.bitWidth) for x in body.portList}
    for port, wanted in _ports(core).items():
        if (own := found_ports.pop(port, "missing")) != wanted:
            raise DesignError(f"{name}: port {port} of {core.module} is {own}", wanted)
    for port, own in found_ports.items():
        if not own.startswith(_OUTPUT):
            told = f"{name}: nothing drives port {port} of {core.module}"
            raise DesignError(told, f"{', '.join(_ports(core))}, and further outputs")


def _ports(core: VerilogCore) -> dict[str, str]:
    """Direction and width of each port, by name."""
    inputs = {"clk": 1, "reset": 1, "recv__msg": core.recv.msg._dsl.Type.nbits}
    inputs |= {"recv__val": 1, "send__rdy": 1}
    outputs = {"recv__rdy": 1, "send__msg": core.send.msg._dsl.Type.nbits, "send__val": 1}
    found = {name: _words("In", width) for name, width in inputs.items()}
    return found | {name: _words("Out", width) for name, width in outputs.items()}


def _words(direction: str, width: int) -> str:
    kind = {"In": "an input", "Out": _OUTPUT}.get(direction, direction.lower())
    return f"{kind} of {width} bit{'s' * (width > 1)}"
