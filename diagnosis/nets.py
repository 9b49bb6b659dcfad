"""Explains PyMTL3's errors about drivers of signals, port directions and loops.

Each function for an error takes an exception of PyMTL3 and the frames of its traceback, and returns
the error to show; None if the exception does not tell enough.
"""

import ast
import re
from collections.abc import Iterator
from typing import Any

from pymtl3 import Component, OutPort

from diagnosis.blocks import functions_in, signal_name
from diagnosis.drivers import ONE_DRIVER, statement_with, undriven
from diagnosis.error import DesignError, Place
from diagnosis.loops import combinational_loop
from diagnosis.texts import Frames

_QUOTED = re.compile(r'"(s[\w.\[\]:]*)"')
_INDEX = re.compile(r"\[.*?\]")
_WRITER = re.compile(r"- (\w+) at (s\S*)|- (s\S*) \(in (\w+)\)")
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
    text = str(error)
    blocks = [(x[0] or x[3], x[1] or x[2]) for x in _WRITER.findall(text)]
    if text.startswith("Multiple update blocks write "):
        signal = text.removeprefix("Multiple update blocks write ").split("\n")[0].rstrip(".")
        places = [_in_block(top, host, name, signal) for name, host in blocks]
        names = " and ".join(sorted(name for name, _ in blocks))
        host = _component_at(top, signal)
        told = f"two blocks drive {signal} of {type(host).__name__}: {names}"
        place = max((x for x in places if x), key=lambda x: x.line, default=None)
        return DesignError(told, ONE_DRIVER, place)
    signals = [x for x in dict.fromkeys(_QUOTED.findall(text) or [host for _, host in blocks])]
    if not signals:
        return None
    net = re.findall(r"^ - (s\S*)$", text, re.MULTILINE) or signals
    host = _component_at(top, signals[0])
    prefix = repr(host)
    inside = {f"s{x.removeprefix(prefix)}" for x in (*signals, *net) if x.startswith(prefix)}
    told = f"two drivers of one net of {type(host).__name__}: {' and '.join(sorted(signals))}"
    return DesignError(told, ONE_DRIVER, statement_with(host, lambda x: _connects(x, inside)))


def _connects(statement: ast.stmt, names: set[str]) -> bool:
    if not (isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.FloorDiv)):
        return False
    return bool({ast.unparse(x) for x in (statement.target, statement.value)} & names)


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
        hosts = {repr(x): x for x in (_component_at(top, signal) for signal in signals)}
        parents = [x.get_parent_object() for x in hosts.values()]
        for host in (*hosts.values(), *(x for x in parents if x is not None)):
            inside = {f"s{x.removeprefix(repr(host))}" for x in signals}
            if place := statement_with(host, lambda x, inside=inside: _connects(x, inside)):
                return DesignError(
                    f"{signals[0]} can't be driven by {signals[1]}", _MAY_DRIVE, place
                )
    return None


def _in_block(top: Component, host: str, name: str, signal: str) -> Place | None:
    """Place of a signal in a block: its first assignment, else its first reading.

    If the block has neither, the place is the start of the block. ``host`` and ``signal`` are the
    hierarchical names of the block's component and of the signal.
    """
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

    This signal is the output port deepest in the hierarchy. If the net has no output port, it is
    the signal highest in the hierarchy.
    """
    for frame, _ in reversed(frames):
        nets = frame.f_locals.get("headless")
        if nets:
            signals = sorted((x for net in nets for x in net), key=repr)
            outputs = [x for x in signals if isinstance(x, OutPort)]
            return undriven(max(outputs, key=_depth) if outputs else min(signals, key=_depth))
    return None


def _depth(signal: Any) -> int:
    return signal.get_host_component().get_component_level()


def loop(error: BaseException, frames: Frames) -> DesignError | None:
    """Return the error for a combinational loop through the update blocks in PyMTL3's message."""
    found = re.search(r"\{(.*)\}", str(error))
    blocks = found[1].split(", ") if found else []
    tops = (x for frame, _ in frames if isinstance(x := frame.f_globals.get("s"), Component))
    return next((combinational_loop(top, lambda _, block: block in blocks) for top in tops), None)
