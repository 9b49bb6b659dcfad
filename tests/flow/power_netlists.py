"""Netlists for the tests of the power analysis: mapped by Yosys, or written by hand."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from rsaxcel.flow.power.activity import Activity
from rsaxcel.flow.power.energy import Energy, EnergyModel
from rsaxcel.flow.power.netlist import Netlist
from rsaxcel.flow.power.slews import Slews
from rsaxcel.flow.yosys import Yosys, in_yosys
from tests.flow.flow_circuits import KIT, library

# Names of the form _1_ would be private to Yosys, whose opt_clean drops them at the next reading.
_MAP = Path(__file__).with_name("map.ys").read_text("utf-8")


def near(value: object, rel: float = 1e-6) -> object:
    """Compare by relative tolerance only: `pytest.approx` treats values below 1e-12 as equal."""
    return pytest.approx(value, rel=rel, abs=0.0)


def _run(commands: list[str]) -> None:
    Yosys().run(*commands)


@dataclass(frozen=True)
class Mapped:
    """A mapped design: its files and its netlist."""

    verilog: Path
    netlist: Netlist


def map_to_gates(source: str, top: str, folder: Path) -> Mapped:
    """Synthesise a Verilog text with Yosys; the flat netlist keeps the instances' names."""
    (folder / "source.v").write_text(source)
    script = _MAP.format(source=folder / "source.v", top=top, liberty=KIT.liberty, folder=folder)
    in_yosys(folder / "yosys.log", _run, script.splitlines())
    netlist = Netlist.from_yosys_json(folder / "mapped.json", library(), top=top)
    return Mapped(folder / "mapped.v", netlist)


def write_json(
    folder: Path,
    *,
    inputs: dict[str, int],
    outputs: dict[str, int],
    cells: dict[str, tuple[str, dict[str, int | str]]],
    nets: dict[str, int] | None = None,
) -> Path:
    """Write a netlist of module ``top`` in Yosys's JSON form; all nets are one bit wide."""
    ports = {name: {"direction": "input", "bits": [bit]} for name, bit in inputs.items()}
    ports |= {name: {"direction": "output", "bits": [bit]} for name, bit in outputs.items()}
    module = {
        "ports": ports,
        "cells": {
            name: {"type": kind, "connections": {pin: [bit] for pin, bit in pins.items()}}
            for name, (kind, pins) in cells.items()
        },
        "netnames": {
            name: {"hide_name": 0, "bits": [bit]}
            for name, bit in (inputs | outputs | (nets or {})).items()
        },
    }
    path = folder / "netlist.json"
    path.write_text(json.dumps({"modules": {"top": module}}))
    return path


def read_netlist(path: Path, *, clock: str | None = None, **wires_f: float) -> Netlist:
    """Read a netlist of `write_json`; the wires that are not given follow the wire-load model."""
    return Netlist.from_yosys_json(path, library(), top="top", clock=clock, wires_f=wires_f)


def uniform_activity(
    netlist: Netlist, *, toggles_per_cycle: float, cycles: float = 1.0
) -> Activity:
    """Return one activity for every net but the clock's, which toggle twice in a cycle."""
    toggles = {
        bit: cycles * (2.0 if bit in netlist.clock_nets else toggles_per_cycle)
        for bit in netlist.load_f
    }
    return Activity(cycles, toggles, dict.fromkeys(toggles, 0.5))


def analyse(netlist: Netlist, activity: Activity, slews: Slews, *, period_ns: float) -> Energy:
    return EnergyModel(netlist, slews).energy(activity, period_ns=period_ns)
