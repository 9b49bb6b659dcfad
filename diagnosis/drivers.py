"""Checks of a circuit's signals: drivers, and names that Verilog allows."""

from __future__ import annotations

import ast
import sys
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pymtl3 import Component, InPort, OutPort, Placeholder
from pymtl3.dsl import Const
from pymtl3.passes.backends.verilog.util.utility import verilog_reserved

from rsaxcel.diagnosis.constructs import block_of, signal_name, tree_of
from rsaxcel.diagnosis.dataflow import Execution
from rsaxcel.diagnosis.error import DesignError, Place
from rsaxcel.diagnosis.words import Ref, reference

CONNECTIONS = "//= for a connection; @= in update blocks and <<= in update_ff blocks"
ONE_DRIVER = "one driver for each signal: an update block, or a connection (//=)"

_Driver = tuple[int, int, Ref | None]
"""A range of bits, and the bits from which a connection takes them; None for other drivers."""


def check_drivers(top: Component, executions: Iterable[Execution]) -> None:
    """Refuse a circuit in which an output, or a bit that a block reads, has no driver."""
    # Without this check, a signal without a driver would read as 0.
    drivers = _drivers(top, executions)
    outputs = top.get_all_object_filter(lambda x: isinstance(x, OutPort))
    needed = {
        _range(port): None
        for port in sorted(outputs, key=repr)
        if port.is_top_level_signal() and port.get_host_component() is top
    }
    for execution in executions:
        for signal, found in execution.read.items():
            if not isinstance(signal, str):
                needed |= {Ref(signal, high - low, low): None for low, high, _ in found}
    queue = deque(needed)
    while queue:
        for bits in _sources(queue.popleft(), drivers):
            if bits not in needed:
                needed[bits] = None
                queue.append(bits)


def _sources(needed: Ref, drivers: Mapping[Any, Sequence[_Driver]]) -> Iterator[Ref]:
    """Yield the bits from which connections take some bits; refuse bits without a driver."""
    at, end = needed.low, needed.high
    for low, high, source in drivers.get(needed.signal, ()):
        if at < low:
            end = min(end, low)
            break
        if at < min(high, end):
            if source is not None:
                yield source.cut(at - low, min(high, end) - low)
            at = high
    if at < end:
        raise undriven(Ref(needed.signal, end - at, at))


def check_names(top: Component) -> None:
    """Refuse a signal or block whose name is a reserved word, or is shared by both."""
    signals = top.get_all_object_filter(lambda x: hasattr(x, "is_signal") and x.is_signal())
    for signal in sorted(signals, key=repr):
        name, host = signal.get_field_name(), signal.get_host_component()
        if name in verilog_reserved:
            raise DesignError(
                f"s.{name} of {type(host).__name__}: {name} is a reserved word of SystemVerilog",
                f"another name, such as {name}_value",
                declaration(host, f"s.{name}"),
            )
    for component in top.get_all_components():
        for name in sorted(x.__name__ for x in component.get_update_blocks()):
            if name in verilog_reserved or name in vars(component):
                what = "a reserved word of SystemVerilog"
                what = what if name in verilog_reserved else "the name of a signal, too"
                place = statement_with(
                    component, lambda x, y=name: isinstance(x, ast.FunctionDef) and x.name == y
                )
                told = f"block {name} of {type(component).__name__}: {name} is {what}"
                raise DesignError(told, f"another name, such as block_{name}", place)


def undriven(bits: Ref) -> DesignError:
    """Return the error for a signal, or bits of a signal, without a driver."""
    host = bits.signal.get_host_component()
    name = f"s{str(bits).removeprefix(repr(host))}"
    kind = type(host).__name__
    plain = name.partition("[")[0]
    if place := statement_with(host, lambda x: _is_plain_function(x, plain)):
        told = f"nothing drives {plain} of {kind}: this function is no update block"
        return DesignError(told, "@update or @update_ff before the function", place)
    if place := statement_with(host, lambda x: _is_set(x, plain)):
        return DesignError(f"= connects nothing, so nothing drives {name}", CONNECTIONS, place)
    where = "" if repr(host) == "s" else f", which is {host!r} of the circuit"
    told = f"nothing drives {name} of {kind}{where}"
    place = declaration(host, name)
    if isinstance(bits.signal, InPort) and (parent := host.get_parent_object()) is not None:
        place = declaration(parent, f"s{repr(host).removeprefix(repr(parent))}")
    return DesignError(told, ONE_DRIVER, place)


def _is_set(statement: ast.stmt, name: str) -> bool:
    """Whether a statement assigns a part of a signal by ``=``."""
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return any((signal_name(x) or "").startswith(f"{name}.") for x in targets)


def _is_plain_function(statement: ast.stmt, name: str) -> bool:
    """Whether a statement is a function without decorator that assigns a signal."""
    if not isinstance(statement, ast.FunctionDef) or statement.decorator_list:
        return False
    inner = [x for part in statement.body for x in ast.walk(part)]
    assigned = {signal_name(x.target) for x in inner if isinstance(x, ast.AugAssign)}
    return name in assigned and not any(isinstance(x, ast.FunctionDef) for x in inner)


def declaration(component: Component, name: str) -> Place | None:
    """Place where a component declares a signal, or the interface that contains the signal."""
    first = name.split(".")[1].partition("[")[0]
    return statement_with(
        component,
        lambda x: (
            isinstance(x, ast.Assign)
            and any(ast.unparse(target) == f"s.{first}" for target in x.targets)
        ),
    )


def statement_with(component: Component, fits: Any) -> Place | None:
    """Find the last statement of a component's class, or else of its bases, that fits."""
    for cls in type(component).__mro__:
        if cls is Component:
            break
        file = getattr(sys.modules.get(cls.__module__), "__file__", None) or ""
        for node in tree_of(file).body:
            if isinstance(node, ast.ClassDef) and node.name == cls.__name__:
                found = [x for x in ast.walk(node) if isinstance(x, ast.stmt) and fits(x)]
                if found:
                    return Place(file, max(x.lineno for x in found))
    return None


def _drivers(top: Component, executions: Iterable[Execution]) -> dict[Any, list[_Driver]]:
    """Ranges of bits that have a driver, in order, by signal.

    A driver is an update block, a connection, the environment at the inputs of ``top``, or a
    circuit that is written in Verilog, at its outputs.
    """
    found: dict[Any, list[_Driver]] = defaultdict(list)
    for execution in executions:
        for signal, ranges in execution.assigned.items():
            found[signal] += {(low, high, None) for low, high, _ in ranges}
    inputs = top.get_all_object_filter(lambda x: isinstance(x, InPort))
    outputs = top.get_all_object_filter(lambda x: isinstance(x, OutPort))
    driven = {x for x in inputs if x.get_host_component() is top}
    driven |= {x for x in outputs if isinstance(x.get_host_component(), Placeholder)}
    for function, host in top._dsl.all_upblk_hostobj.items():
        if block_of(function, host) is None:  # a circuit in Verilog has no source, and no execution
            driven |= top._dsl.all_upblk_writes[function]
    for bits in map(_range, driven):
        found[bits.signal].append((bits.low, bits.high, None))
    for writer, net in top.get_all_value_nets():
        source = None if isinstance(writer, Const) else _range(writer)
        for bits in map(_range, net - {writer}):
            found[bits.signal].append((bits.low, bits.high, source))
    return {signal: sorted(x, key=lambda driver: driver[:2]) for signal, x in found.items()}


def _range(signal: Any) -> Ref:
    """Bits of a signal, as a reference that can be hashed."""
    bits = reference(signal)
    return bits.cut(0, bits.width)
