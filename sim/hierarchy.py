"""A circuit as a tree of its components, with the widths of their ports."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from pymtl3 import Component, InPort, OutPort
from pymtl3.datatypes import is_bitstruct_class

from rsaxcel.diagnosis.component import field_widths

_INDEX = re.compile(r"\[(\d+)\]")
_ELEMENTS = re.compile(r"(\[\d+\])+$")
_NOT_SHOWN = {"clk", "reset"}
#: Index of a list element in a Verilog name, such as 0 in lanes__0. In a record of the flow, the
#: paths of the areas consist of Verilog names.
_ELEMENT = re.compile(r"__(\d+)(?=\.|$)")


@dataclass(frozen=True)
class ComponentGroup:
    """A component, or several equal components of a list."""

    name: str  #: name; `lanes[0..1]` for a list
    kind: str  #: name of the class
    paths: tuple[str, ...]  #: paths of all instances, relative to the top, which is ""
    #: input ports, such as `load:1`; for a stream, the fields of its message
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    parts: tuple[
        ComponentGroup, ...
    ]  #: components inside, with their paths in all elements of a list

    @property
    def _shape(self) -> tuple[Any, ...]:
        """Class, ports and subcomponents, by which ``_merged`` compares elements of a list."""
        own = (self.kind, self.inputs, self.outputs)
        return (*own, tuple((part.name, part._shape) for part in self.parts))

    def area(self, areas: Mapping[str, float]) -> float | None:
        """Sum of the instances' areas, from ``areas`` (area by path); None if none is listed."""
        known = [areas[path] for path in self.paths if path in areas]
        return sum(known) if known else None


def hierarchy(component: Component, name: str) -> ComponentGroup:
    """Elaborate a new component and return its tree; ``name`` is the name of the top."""
    component.elaborate()
    ports: dict[Component, list[Any]] = {}
    for port in component.get_all_object_filter(lambda x: isinstance(x, InPort | OutPort)):
        if port.is_top_level_signal():
            ports.setdefault(port.get_host_component(), []).append(port)
    return _part(component, name, ports)


def area_paths(areas: Mapping[str, float]) -> dict[str, float]:
    """Rewrite the paths in a record's areas as ``ComponentGroup.paths``: lanes__0 as lanes[0]."""
    return {_ELEMENT.sub(r"[\1]", path): area for path, area in areas.items()}


def _part(component: Component, name: str, ports: Mapping[Component, list[Any]]) -> ComponentGroup:
    path = ".".join(repr(component).split(".")[1:])
    children = sorted(component.get_child_components(), key=_order)
    parts = [_part(child, repr(child).rpartition(".")[2], ports) for child in children]
    own = ports.get(component, [])
    return ComponentGroup(
        name,
        type(component).__name__,
        (path,),
        tuple(_ports(len(repr(component)) + 1, own, InPort)),
        tuple(_ports(len(repr(component)) + 1, own, OutPort)),
        tuple(_merged(parts)),
    )


def _order(part: Any) -> tuple[Any, ...]:
    """Sort key for components by name, with list indices as numbers: x[2] before x[10]."""
    return tuple(int(x) if x.isdigit() else x for x in _INDEX.split(repr(part)) if x)


def _merged(parts: Iterable[ComponentGroup]) -> Iterable[ComponentGroup]:
    """Merge neighbouring list elements with equal class, ports and subcomponents into one part."""
    for (base, _), group in groupby(parts, lambda x: (_ELEMENTS.sub("", x.name), x._shape)):
        same = list(group)
        first, last = same[0], same[-1]
        if len(same) == 1:
            yield first
        else:
            ends = f"{first.name.removeprefix(base)[1:-1]}..{last.name.removeprefix(base)[1:-1]}"
            yield _together(same, f"{base}[{ends}]")


def _together(same: list[ComponentGroup], name: str) -> ComponentGroup:
    first = same[0]
    paths = tuple(path for part in same for path in part.paths)
    inner = zip(*(part.parts for part in same), strict=True)
    parts = tuple(_together(list(each), each[0].name) for each in inner)
    return ComponentGroup(name, first.kind, paths, first.inputs, first.outputs, parts)


def _ports(start: int, both: list[Any], kind: type[Any]) -> Iterable[str]:
    """Texts of the ports of one direction: ``load:1``, ``offers[0..1]:1``, ``recv {b:8 e:8}``.

    A name is a port's path from character ``start`` on. A stream has its message's direction, and
    no ``val`` and ``rdy``.
    """
    names = {repr(port)[start:] for port in both}
    holders = {name.rpartition(".")[0] for name in names}
    streams = {x for x in holders if x and {f"{x}.val", f"{x}.rdy"} <= names}
    ports = {repr(port)[start:]: port._dsl.Type for port in both if isinstance(port, kind)}
    shown = []
    for name in sorted(
        ports, key=lambda x: [int(y) if y.isdigit() else y for y in _INDEX.split(x)]
    ):
        holder, _, last = name.rpartition(".")
        if name in _NOT_SHOWN or (holder in streams and last in ("val", "rdy")):
            continue
        text = _width(ports[name])
        shown.append((holder if holder in streams and last == "msg" else name, text))
    for (base, text), group in groupby(shown, lambda x: (_ELEMENTS.sub("", x[0]), x[1])):
        same = [name for name, _ in group]
        label = same[0]
        if len(same) > 1:
            ends = (_ELEMENTS.search(name) for name in (same[0], same[-1]))
            label = f"{base}[{'..'.join(x[0][1:-1] for x in ends if x)}]"
        yield f"{label}{text}"


def _width(kind: type[Any]) -> str:
    if is_bitstruct_class(kind):
        return f" {{{' '.join(f'{name}:{nbits}' for name, nbits in field_widths(kind))}}}"
    return f":{kind.nbits}"
