"""Wires of a routed layout: OpenRCX's extraction, or estimates with the routed lengths, as SPEF."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.physical.array_netlist import ArrayNetlist
from rsaxcel.flow.physical.spef import spef_head

_FF = {"PF": 1e3, "FF": 1.0}
_UNIT = re.compile(r"^\*C_UNIT ([\d.]+) (\w+)", re.MULTILINE)
_NAME = re.compile(r"^(\*\d+) (\S+)$", re.MULTILINE)
_START, _END = "*D_NET ", "*END"


def convert_extraction(
    source: Path, target: Path, design: ArrayNetlist, renamed: Mapping[str, str]
) -> None:
    """Write the SPEF file of OpenRCX in this flow's form, under the names of ``design``.

    The capacitance between two nets counts fully at both, to ground.
    """
    head, *parts = source.read_text(encoding="utf-8").split(_START)
    unit = _UNIT.search(head)
    if unit is None or unit[2] not in _FF:
        raise FlowError(f"{source} does not tell its unit of capacitance")
    names = {number: _plain(name) for number, name in _NAME.findall(head)}
    nodes = _Nodes(design, names, renamed, {part.split(maxsplit=1)[0] for part in parts})
    scale = float(unit[1]) * _FF[unit[2]]
    try:
        with target.open("w", encoding="utf-8") as file:
            ports = np.flatnonzero(design.is_port).tolist()
            file.write(spef_head(design.top, design.nets, design.names, ports))
            for part in parts:
                file.writelines(_net(part, nodes, scale))
    except (KeyError, ValueError, IndexError) as error:
        raise FlowError(f"{source} is no extraction of the netlist: {error}") from error


class _Nodes:
    """Numbers of nets, pins and ports in this flow's form, by their names in OpenRCX's file."""

    def __init__(
        self,
        design: ArrayNetlist,
        names: Mapping[str, str],
        renamed: Mapping[str, str],
        nets: Iterable[str],
    ) -> None:
        net_number = {name: at for at, name in enumerate(design.nets, 1)}
        first = 1 + len(design.nets)
        labels = zip(design.names, design.is_port.tolist(), strict=True)
        numbers = {label: at for at, label in enumerate(labels, first)}
        self._ports = {name: f"*{at}" for (name, is_port), at in numbers.items() if is_port}
        listed = set(nets)
        # The file also has the nets of power and the cells without signals.
        self.nets = {
            number: f"*{net_number[name]}"
            for number in listed
            if (name := renamed.get(names[number], names[number])) in net_number
        }
        self._cells = {
            number: f"*{numbers[name, False]}"
            for number, name in names.items()
            if number not in listed and (name, False) in numbers
        }

    def node(self, text: str) -> str:
        """Translate a pin, a port, or a node inside a net."""
        owner, colon, inside = text.partition(":")
        if not colon:
            return self._ports[_plain(text)]
        return f"{self.nets[owner] if owner in self.nets else self._cells[owner]}:{inside}"


def _net(part: str, nodes: _Nodes, scale: float) -> Iterator[str]:
    first, *lines = part.split("\n")
    listed = first.split()[0]
    number = nodes.nets.get(listed)
    if number is None:
        return
    section, body, total = "", [], 0.0
    own: set[str] = set()
    for line in lines:
        words = line.split()
        if not words or words[0] == _END:
            continue
        if words[0] in ("*CONN", "*CAP", "*RES"):
            section = words[0]
            body.append(section)
        elif section == "*CONN":
            own.add(words[1])
            body.append(f"{words[0]} {nodes.node(words[1])} {words[2]}")
        elif section == "*CAP":
            # Number, node, maybe another node, of which one belongs to another net, capacitance.
            value = float(words[-1]) * scale
            total += value
            mine = [x for x in words[1:-1] if x in own or x.startswith(f"{listed}:")]
            body.append(f"{words[0]} {nodes.node(mine[0])} {value:.6g}")
        else:
            ends = f"{nodes.node(words[1])} {nodes.node(words[2])}"
            body.append(f"{words[0]} {ends} {float(words[3]):.6g}")
    yield f"{_START}{number} {total:.6g}\n"
    yield from (f"{line}\n" for line in (*body, _END))


def _plain(name: str) -> str:
    return name.replace("\\", "")
