"""Checks of a circuit's signals: whether each has a driver, and a name that Verilog allows."""

import ast
import sys
from collections.abc import Iterable
from typing import Any

from pymtl3 import Component, InPort, OutPort
from pymtl3.dsl import Const
from pymtl3.passes.backends.verilog.util.utility import verilog_reserved

from diagnosis.blocks import tree_of
from diagnosis.error import DesignError, Place

ONE_DRIVER = "one driver for each signal: an update block, or a connection (//=)"


def check_drivers(top: Component) -> None:
    """Refuse an elaborated circuit in which an output or a signal that is read has no driver.

    The outputs of the top component, and the signals that update blocks read, are checked. Without
    this check, a signal without a driver would read as 0.

    Raises
    ------
    DesignError
        Names the signal and the component.
    """
    driven = _driven(top)
    outputs = top.get_all_object_filter(lambda x: isinstance(x, OutPort))
    needed = {x for x in outputs if x.is_top_level_signal() and x.get_host_component() is top}
    for signals in top._dsl.all_upblk_reads.values():
        needed |= {x for x in signals if x.is_signal()}
    for signal in sorted(needed, key=repr):
        if not _is_driven(signal, driven):
            raise undriven(signal)


def check_names(top: Component) -> None:
    """Refuse an elaborated circuit with a signal whose name is a reserved word of SystemVerilog.

    Raises
    ------
    DesignError
        Names the signal and the component.
    """
    signals = top.get_all_object_filter(lambda x: hasattr(x, "is_signal") and x.is_signal())
    for signal in sorted(signals, key=repr):
        name, host = signal.get_field_name(), signal.get_host_component()
        if name in verilog_reserved:
            raise DesignError(
                f"s.{name} of {type(host).__name__}: {name} is a reserved word of SystemVerilog",
                f"another name, such as {name}_value",
                declaration(host, f"s.{name}"),
            )


def undriven(signal: Any) -> DesignError:
    """Return the error for a signal without a driver."""
    host = signal.get_host_component()
    name = f"s{repr(signal).removeprefix(repr(host))}"
    kind = type(host).__name__
    where = "" if repr(host) == "s" else f", which is {host!r} of the circuit"
    told = f"nothing drives {name} of {kind}{where}"
    place = declaration(host, name)
    if isinstance(signal, InPort) and (parent := host.get_parent_object()) is not None:
        place = declaration(parent, f"s{repr(host).removeprefix(repr(parent))}")
    return DesignError(told, ONE_DRIVER, place)


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
    """Find a statement in the source of a component's class, and return its place.

    It is the last statement of the class for which ``fits`` returns true. If there is none, the
    base classes are searched, one after the other. None is returned if no class has one.
    """
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


def _driven(top: Component) -> set[Any]:
    """Signals, fields and slices that have a driver.

    A driver is an update block, a connection, or the environment at the inputs of ``top``.
    """
    found = set().union(*top._dsl.all_upblk_writes.values())
    for writer, signals in top.get_all_value_nets():
        found |= {x for x in signals if x is not writer and not isinstance(x, Const)}
    inputs = top.get_all_object_filter(lambda x: isinstance(x, InPort))
    return found | {x for x in inputs if x.get_host_component() is top}


def _is_driven(signal: Any, driven: set[Any]) -> bool:
    """Whether all of a signal, or a part of it, is driven."""
    if signal in driven or _above(signal, driven):
        return True
    return any(signal in [*_ancestors(x)] for x in _of_root(signal, driven))


def _above(signal: Any, driven: set[Any]) -> bool:
    if any(x in driven for x in _ancestors(signal)):
        return True
    return any(x in driven and x.slice_overlap(signal) for x in signal.get_sibling_slices())


def _ancestors(signal: Any) -> Iterable[Any]:
    parent = signal.get_parent_object()
    while parent.is_signal():
        yield parent
        parent = parent.get_parent_object()


def _of_root(signal: Any, driven: set[Any]) -> Iterable[Any]:
    root = signal.get_top_level_signal()
    return (x for x in driven if x.get_top_level_signal() is root)
