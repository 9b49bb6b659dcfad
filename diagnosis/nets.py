"""Explains PyMTL3's errors about drivers and port directions (others: ``explain``)."""

import ast
import re
from collections.abc import Collection, Iterable, Iterator
from itertools import combinations, product
from typing import Any

from pymtl3 import Component, OutPort
from pymtl3.dsl import Signal
from pymtl3.dsl.NamedObject import NamedObject

from rsaxcel.diagnosis.blocks import UpdateBlock, block_of, blocks_of, functions_in, signal_name
from rsaxcel.diagnosis.constructs import check_constructs
from rsaxcel.diagnosis.dataflow import Execution
from rsaxcel.diagnosis.drivers import ONE_DRIVER, declaration, statement_with, undriven
from rsaxcel.diagnosis.error import DesignError, Place
from rsaxcel.diagnosis.texts import Frames
from rsaxcel.diagnosis.words import Ref, reference

_QUOTED = re.compile(r'"(s[\w.\[\]:]*)"')
_INDEX = re.compile(r"\[.*?\]")
_IN_BLOCK = re.compile(
    r'- (?P<kind>\w+) "(?P<signal>s\S*)" of .* is (?P<done>read|written) in update block\s+'
    r'"(?P<block>\w+)" of (?P<host>s\S*) \(class (?P<cls>\w+)\)'
)
_CONNECTED = re.compile(
    r'"(?P<signal>s\S*)"(?: of \S+ \(class \w+\))? cannot be driven by \w+ "(?P<by>s\S*)"'
)
_MAY_READ = "a block reads signals of its own component, and OutPorts of its parts"
_MAY_WRITE = "a block writes wires and OutPorts of its own component, and InPorts of its parts"
_MAY_DRIVE = "InPorts of a part are driven from outside the part, OutPorts from inside"


def two_drivers(error: BaseException, frames: Frames) -> DesignError | None:
    """Return the error for a signal with two drivers, at a statement that drives the signal."""
    top = top_of(frames)
    if top is None:
        return None
    blocks = _blocks(top)
    for one, other in combinations(blocks, 2):
        for bits in _both(one.assigned, other.assigned):
            names = " and ".join(sorted((one.name, other.name)))
            kind = type(bits.signal.get_host_component()).__name__
            told = f"two blocks drive {bits} of {kind}: {names}"
            places = [x.place(y) for x in (one, other) for y in _both(x.assigned, [bits])]
            place = max(places, key=lambda place: (not place.ours, place.line))
            return DesignError(told, ONE_DRIVER, place)
    for one, other in combinations(blocks, 2):
        for bits in _both(one.taken, other.taken):
            taken, by = (other, one) if [*_both(one.assigned, [bits])] else (one, other)
            return taken.for_driver_of(next(_both(by.assigned, [bits]), bits), by.name)
    text = str(error)
    signals = sorted({*_QUOTED.findall(text)})
    if not signals:
        return None
    members = {*signals, *re.findall(r"^ - (s\S*)$", text, re.MULTILINE)}
    net = [reference(x) for x in top._dsl.all_signals if repr(x) in members]
    for block in blocks:
        for bits in _both(block.taken, net):
            if not [*_both(block.assigned, [bits])]:
                return block.for_driver_of(bits, "a connection")
    host = _component_at(top, signals[0])
    told = f"two drivers of one net of {type(host).__name__}: {' and '.join(signals)}"
    return DesignError(told, ONE_DRIVER, _connection(top, members))


def ring(error: BaseException, frames: Frames) -> DesignError | None:
    """Return the error for signals that are connected in a ring, or to themselves."""
    top, known = top_of(frames), frames[-1][0].f_locals
    if top is None or not isinstance(known.get("v"), Signal):
        return None
    ring = [known["v"]]
    for signal in ring:
        ring += known["adjacency"][signal].difference(ring)
    first = min(map(repr, ring))
    told = f"{first} is connected to itself, also through other signals"
    return DesignError(told, ONE_DRIVER, _connection(top, [first]))


class _Driver:
    """An update block, its assigned bits, and the bits that PyMTL3 takes for assigned.

    PyMTL3 takes all bits or elements as assigned where an index is neither a number nor a
    parameter.
    """

    def __init__(self, block: UpdateBlock, taken: Iterable[Any]) -> None:
        self._block, self.name = block, block.name
        self._nodes = {
            Ref(signal, high - low, low): node
            for signal, ranges in Execution(block).assigned.items()
            for low, high, node in ranges
            if not isinstance(signal, str)
        }
        self.assigned: Collection[Ref] = self._nodes.keys()
        self.taken = sorted(map(reference, taken), key=str)

    def place(self, bits: Ref) -> Place:
        return self._block.place(next(y for x, y in self._nodes.items() if [*_both([x], [bits])]))

    def for_driver_of(self, bits: Ref, other: str) -> DesignError:
        """Return the error for bits that PyMTL3 wrongly takes for assigned by the block."""
        host = bits.signal.get_host_component()
        name = _INDEX.sub("", f"s{repr(bits.signal).removeprefix(repr(host))}")
        moving = (x for x in self._nodes.values() if str(signal_name(x)).endswith(name[1:]))
        told = f"{self.name} counts as driver of all of {name}, as its index varies; {other} "
        told += f"drives {bits}"
        allowed = "one block for all indices; indices that are numbers or parameters"
        return DesignError(told, allowed, self._block.place(next(moving, self._block.tree)))


def _blocks(top: Component) -> list[_Driver]:
    hosts, taken = top._dsl.all_upblk_hostobj, top._dsl.all_upblk_writes
    functions = sorted(hosts, key=lambda x: (repr(hosts[x]), x.__name__))
    blocks = {x: block_of(x, hosts[x]) for x in functions}
    return [_Driver(block, taken[x]) for x, block in blocks.items() if block]


def _both(one: Iterable[Ref], other: Iterable[Ref]) -> Iterator[Ref]:
    """Yield the bits that two groups of references have in common."""
    for x, y in product(one, other):
        low, high = max(x.low, y.low), min(x.low + x.width, y.low + y.width)
        if x.signal is y.signal and low < high:
            yield Ref(x.signal, high - low, low)


def _connection(top: Component, signals: Collection[str]) -> Place | None:
    """Place of a connection to one of several signals."""
    hosts = {repr(x): x for x in (_component_at(top, signal) for signal in sorted(signals))}
    parents = [x.get_parent_object() for x in hosts.values()]
    found = [*hosts.values(), *(x for x in parents if x is not None)]
    for plain in (False, True):  # first with indices; without, if no connection has the same ones
        for host in found:
            inside = {f"s{x.removeprefix(repr(host))}" for x in signals}
            if place := statement_with(host, lambda x, y=inside, z=plain: _connects(x, y, z)):
                return place
    return None


def _connects(statement: ast.stmt, names: Collection[str], plain: bool) -> bool:
    match statement:
        case ast.AugAssign(target=target, op=ast.FloorDiv(), value=value):
            sides = [target, value]
        case ast.Expr(value=ast.Call(func=ast.Name(id="connect"), args=sides)):
            pass
        case _:
            return False
    if plain:
        return bool({signal_name(x) for x in sides} & {_INDEX.sub("", x) for x in names})
    return bool({ast.unparse(x) for x in sides} & {*names})


def wrong_direction(error: BaseException, frames: Frames) -> DesignError | None:
    """Return the error for a statement that reads or drives a signal which it has no access to.

    For example, an update block assigns an ``InPort`` of its own component.
    """
    top, text = top_of(frames), str(error)
    if top is None:
        return None
    if found := _IN_BLOCK.search(text):
        signal = f"{found['kind']} {found['signal']}"
        told = f"{signal} is {found['done']} in {found['block']} of {found['cls']}"
        place = _in_block(top, found["host"], found["block"], found["signal"])
        return DesignError(told, _MAY_READ if found["done"] == "read" else _MAY_WRITE, place)
    if found := _CONNECTED.search(text):
        signals = (found["signal"], found["by"])
        if place := _connection(top, signals):
            return DesignError(f"{signals[0]} can't be driven by {signals[1]}", _MAY_DRIVE, place)
    return None


def _in_block(top: Component, host: str, name: str, signal: str) -> Place | None:
    """Place of a signal in a block: its first assignment, else its first reading, or the block."""
    component = _component_at(top, f"{host}.")
    file = type(component).construct.__code__.co_filename
    plain = _INDEX.sub("", signal.removeprefix(host))
    own = f"s{plain}"
    for function in functions_in(file):
        if function.name == name:
            nodes = [*ast.walk(function)]
            assigned = (x for x in nodes if isinstance(x, ast.AugAssign))
            lines = [x.lineno for x in assigned if signal_name(x.target) == own]
            read = (x for x in nodes if isinstance(x, ast.Attribute | ast.Subscript))
            lines += [x.lineno for x in read if signal_name(x) == own]
            return Place(file, (lines or [function.lineno])[0])
    return None


def _component_at(top: Component, signal: str) -> Component:
    """Component to which a signal belongs; ``signal`` is the signal's hierarchical name."""
    hosts = [x for x in _components(top) if signal.startswith(f"{x!r}.")]
    return max(hosts, key=lambda x: len(repr(x)), default=top)


def _components(top: Component) -> Iterator[Component]:
    yield top
    for child in top.get_child_components():
        yield from _components(child)


def top_of(frames: Frames) -> Component | None:
    """Top component of the circuit in whose elaboration or simulation the exception was raised."""
    for frame, _ in frames:
        for names in (frame.f_locals, frame.f_globals):
            component = names.get("s")
            if isinstance(component, Component):
                return component
    return None


def no_driver(error: BaseException, frames: Frames) -> DesignError | None:
    """Return the error for a net without a driver, at the signal that should drive the net.

    The signal is the output port deepest in the hierarchy; without one, the highest signal.
    """
    for frame, _ in reversed(frames):
        nets = frame.f_locals.get("headless")
        if nets:
            for block in blocks_of(frame.f_locals["s"]):
                check_constructs(block)  # a block drives nothing, for example, if it does not use s
            signals = sorted((x for net in nets for x in net), key=repr)
            outputs = [x for x in signals if isinstance(x, OutPort)]
            signal = max(outputs, key=_depth) if outputs else min(signals, key=_depth)
            return undriven(reference(signal))
    return None


def _depth(signal: Any) -> int:
    return signal.get_host_component().get_component_level()


def without_name(error: BaseException, frames: Frames) -> DesignError | None:
    """Return the error for a signal or part whose name PyMTL3 skips, at its declaration."""
    top = top_of(frames)
    components = [top] if top else []
    for component in components:
        for name, value in vars(component).items():
            if isinstance(value, Component):
                components.append(value)
            inner = value.values() if isinstance(value, dict) else value
            kind = type(value).__name__
            if isinstance(value, dict | tuple) and any(isinstance(x, NamedObject) for x in inner):
                told = f"s.{name} of {type(component).__name__} is a {kind}, which PyMTL3 skips"
                return DesignError(told, "a list", declaration(component, f"s.{name}"))
            if str(name).startswith("_") and isinstance(value, NamedObject):
                told = f"s.{name} of {type(component).__name__} has a name that PyMTL3 skips"
                allowed = f"a name without underscore, such as s.{name.strip('_')}"
                return DesignError(told, allowed, declaration(component, f"s.{name}"))
    return None


def untranslatable(error: BaseException, frames: Frames) -> DesignError | None:
    """Return the error for an attribute of a component that PyMTL3 can't translate."""
    for frame, _ in reversed(frames):
        component, name = frame.f_locals.get("obj"), frame.f_locals.get("_id")
        if isinstance(component, Component) and isinstance(name, str):
            told = f"s.{name} of {type(component).__name__} can't be part of a circuit"
            allowed = "signals and parts, lists of one type of them, numbers; others without s."
            return DesignError(told, allowed, declaration(component, f"s.{name}"))
    return None
