"""Makes a design of what the C++ code returns, with names for what it inserted."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count

import numpy as np

from rsaxcel.flow.names import module_path
from rsaxcel.flow.physical.array_netlist import ArrayNetlist

_REPEATER_PINS = 2


def compressed(
    before: ArrayNetlist, arrays: dict[str, np.ndarray], nets: int
) -> tuple[ArrayNetlist, dict[str, str], dict[str, dict[str, str]]]:
    """Make a design of what is left, with names for what was inserted.

    ``nets`` counts removed nets, too. The result has the original of each copy, and the replaced
    gate for each output pin of each adder cell.
    """
    kind, second = arrays["kind"], arrays["second"].tolist()
    kept = kind >= 0
    own_pins = np.diff(arrays["first_pin"], append=len(arrays["pin_net"]))
    pin_net = arrays["pin_net"][np.repeat(kept, own_pins)]
    used = np.unique(pin_net[pin_net >= 0])
    number = np.full(nets, -1, np.int32)
    number[used] = np.arange(len(used), dtype=np.int32)
    fresh_name, fresh_net = _Fresh(before.names), _Fresh(before.nets)
    names, net_names = list(before.names), list(before.nets)
    copies: dict[str, str] = {}
    adders: dict[str, dict[str, str]] = {}
    for at, parent in enumerate(arrays["parent"][before.count :].tolist(), before.count):
        original = before.names[parent] if parent >= 0 else ""
        module = module_path(original)
        if kind[at] < 0:  # inserted and removed again: it needs no name, and is no copy
            names.append("")
        elif second[at] >= 0:
            outputs = [pin.name for pin in before.kinds[kind[at]].pins if pin.is_output]
            stem = "adder" if len(outputs) > 1 else "not"
            names.append(fresh_name(f"{module}.{stem}" if module else stem))
            gates = original, before.names[second[at]]
            adders[names[-1]] = dict(zip(outputs, gates, strict=False))
        elif len(before.kinds[kind[at]].pins) == _REPEATER_PINS:
            names.append(fresh_name(f"{module}.rb" if module else "rb"))
        else:
            names.append(fresh_name(f"{original}_copy"))
            copies[names[-1]] = original
    for _ in range(nets - len(before.nets)):
        net_names.append(fresh_net("rn"))
    after = ArrayNetlist(
        before.top,
        before.kinds,
        [name for name, keep in zip(names, kept, strict=True) if keep],
        [net_names[i] for i in used],
        kind[kept],
        np.where(pin_net >= 0, number[pin_net], -1).astype(np.int32),
        arrays["x"][kept],
        arrays["y"][kept],
        arrays["orient"][kept],
        before.ports,
    )
    _name_port_nets(after, fresh_net)
    return after, copies, adders


def _name_port_nets(design: ArrayNetlist, fresh: _Fresh) -> None:
    """Name each net at a port after the port's bit; rename a net that has lost its port."""
    ports = np.flatnonzero(design.is_port).tolist()
    nets = design.pin_net[design.pin_start[ports]].tolist()
    bits = {design.names[at] for at in ports}
    named: dict[int, str] = {}
    for at, net in zip(ports, nets, strict=True):
        if design.names[at] == design.nets[net] or net not in named:
            named[net] = design.names[at]
    for net, name in enumerate(design.nets):
        if net in named:
            design.nets[net] = named[net]
        elif name in bits:
            design.nets[net] = fresh("rn")


class _Fresh:
    """Makes names that are not taken: a stem and a number."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)
        self._next: dict[str, int] = {}

    def __call__(self, stem: str) -> str:
        for number in count(self._next.get(stem, 0)):
            name = f"{stem}{number}"
            if name not in self._taken:
                self._next[stem] = number + 1
                return name
        raise AssertionError
