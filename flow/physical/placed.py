"""Reads a placed netlist with its wires: capacitances, delays of wires, skew of the clock."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.files import read_json
from rsaxcel.flow.physical.interface import CLOCK, INTERCONNECT, NETLIST, SPEF
from rsaxcel.flow.physical.spef import read_totals
from rsaxcel.flow.power.liberty import Library
from rsaxcel.flow.power.netlist import Netlist

#: Keys of clock.json; see flow.physical.interface.LAYOUT.
MEAN_LATENCY, LATENCIES = "mean_latency_ns", "latency_ns"

_FF, _NS = 1e-15, 1e-9

#: Rise and fall delay of the wire to an input pin, by instance and pin.
Delays = Mapping[tuple[str, str], tuple[float, float]]


def read_placed(
    files: Mapping[str, Path], library: Library, top: str, *, delays: bool = False
) -> Netlist:
    """Read a placed netlist and its wires' capacitances.

    With ``delays``, read ``INTERCONNECT`` and ``CLOCK``, too.
    """
    totals = read_totals(files[SPEF])
    netlist = Netlist.from_yosys_json(
        files[NETLIST],
        library,
        top=top,
        wires_f={name: total * _FF for name, total in totals.items()},
        arrivals_s=_arrivals_s(files) if delays else None,
    )
    bare = sorted(netlist.name_of(bit) for bit in netlist.observed - netlist.wires_f.keys())
    if bare:
        raise FlowError(f"{SPEF}: {len(bare)} nets have no wires, the first is {bare[0]}")
    return netlist


def overloaded(netlist: Netlist) -> dict[str, tuple[float, float]]:
    """Return load and limit in fF of each output pin whose load is above the library's limit."""
    return {
        f"{instance.name}/{pin.name}": (load_f / _FF, pin.max_capacitance_f / _FF)
        for instance in netlist.instances
        for pin in instance.cell.outputs
        if isinstance(bit := instance.nets.get(pin.name), int)
        and (load_f := netlist.load_f.get(bit, 0.0)) > pin.max_capacitance_f
    }


def clock_area_um2(netlist: Netlist) -> float:
    """Area in um2 of the cells that drive clock nets: the tree's buffers, and clock gates."""
    return sum(
        instance.cell.area_um2
        for instance in netlist.instances
        if any(instance.nets.get(pin.name) in netlist.clock_nets for pin in instance.cell.outputs)
    )


def write_delays(path: Path, delays_ns: Delays) -> None:
    """Write the delays of wires in ns; a line has instance and pin, rise and fall delay."""
    lines = (f"{name}/{pin} {r:g} {f:g}\n" for (name, pin), (r, f) in delays_ns.items())
    path.write_text("".join(lines))


def _arrivals_s(files: Mapping[str, Path]) -> dict[tuple[str, str], tuple[float, float]]:
    """Delays to input pins in seconds; at clock sinks, the latency minus the mean latency."""
    found = {}
    for line in files[INTERCONNECT].read_text().splitlines():
        name, rise, fall = line.split()
        instance, _, pin = name.rpartition("/")
        found[instance, pin] = float(rise) * _NS, float(fall) * _NS
    clock = read_json(files[CLOCK])
    for name, latency_ns in clock[LATENCIES].items():
        instance, _, pin = name.rpartition("/")
        skew_s = (latency_ns - clock[MEAN_LATENCY]) * _NS
        found[instance, pin] = skew_s, skew_s
    return found
