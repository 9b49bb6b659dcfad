"""A physical tool for tests: cells in rows, one clock buffer, wires of one length.

It tests what calls a physical tool. The clock tree is one buffer between the clock port and the
flip-flops; clock gates stay at the port. Cells get the next size where their load is too large.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from rsaxcel.flow import tools
from rsaxcel.flow.layout import EMBEDDED
from rsaxcel.flow.library import kept_library
from rsaxcel.flow.physical.interface import (
    LAYOUT,
    NETLIST,
    SPEF,
    STEPS,
    PhysicalTool,
    PlacementTask,
)
from rsaxcel.flow.physical.placed import overloaded, read_placed
from rsaxcel.flow.power.netlist import Netlist

BUFFER, CLOCK_NET = "CLKBUF_X3", "clk_tree"
WIRE_FF, WIRE_OHM = 0.5, 1000
LATENCY_NS = 0.1

_HEADER = Path(__file__).with_name("fake_header.spef").read_text("utf-8")


class FakeTool(PhysicalTool):
    """Places cells row by row.

    Attributes
    ----------
    room_at_place, room
        Largest utilisation without overflow after placement, and of the finished layout.
    called
        Steps that ran, with the utilisation.
    """

    name = EMBEDDED
    room_at_place, room = 0.7, 0.66
    called: list[tuple[str, float]] = []  # noqa: RUF012

    def version(self) -> str:
        """Version of the tool."""
        return "fake 4"

    def run(
        self, step: str, task: PlacementTask, before: Path | None, folder: Path, work: Path
    ) -> dict[str, Any]:
        """Run a step; the checkpoint lists the steps that ran before."""
        self.called.append((step, task.utilisation))
        done = json.loads(before.read_text()) if before else []
        assert done == list(STEPS[: STEPS.index(step)])
        (work / "log").write_text(step)
        (folder / f"{step}.db").write_text(json.dumps([*done, step]))
        if step == "place":
            return {"overflow": max(0, round(1000 * (task.utilisation - self.room_at_place)))}
        return _write(task, folder, self.room) if step == "wires" else {}


def fake(monkeypatch) -> type[FakeTool]:
    """Use the tool of this module as the embedded one."""
    monkeypatch.setitem(tools.TOOLS, EMBEDDED, FakeTool)
    monkeypatch.setattr(FakeTool, "called", [])
    return FakeTool


def _write(task: PlacementTask, folder: Path, room: float) -> dict[str, Any]:
    """Write the files of a layout; return its figures."""
    content = json.loads(task.netlist.read_text())
    module = content["modules"][task.top]
    (clock,) = module["ports"]["clk"]["bits"]
    tree = 1 + max(b for n in module["netnames"].values() for b in n["bits"] if isinstance(b, int))
    text, sinks = task.verilog.read_text().replace(" [0:0] ", " "), []
    for name, cell in module["cells"].items():
        if cell["type"].startswith("DFF"):
            sinks.append(f"{name}/CK")
            if cell["connections"]["CK"] == [clock]:
                cell["connections"]["CK"] = [tree]
    text = re.sub(r"(\bDFF\w* [^;]*\.CK\()clk\)", rf"\1{CLOCK_NET})", text)
    buffer = f"  wire {CLOCK_NET};\n  {BUFFER} clk_buffer (.A(clk), .Z({CLOCK_NET}));\nendmodule"
    text = text.replace("endmodule", buffer)
    module["cells"]["clk_buffer"] = {"type": BUFFER, "connections": {"A": [clock], "Z": [tree]}}
    module["netnames"][CLOCK_NET] = {"hide_name": 0, "bits": [tree]}
    (folder / "placed.v").write_text(text)
    (folder / "placed.json").write_text(json.dumps(content))
    netlist = _wired(task, folder)
    while heavy := overloaded(netlist):
        _enlarge({pin.rpartition("/")[0] for pin in heavy}, task, folder)
        netlist = _wired(task, folder)
    area_um2 = sum(x.cell.area_um2 for x in netlist.instances)
    (folder / "placed.def").write_text("".join(_rows(netlist, area_um2 / task.utilisation)))
    np.savez(folder / "capacity.npz", demand=np.ones((2, 2)), capacity=np.ones((2, 2)))
    tree_of = {"latency_ns": dict.fromkeys(sinks, LATENCY_NS), "mean_latency_ns": LATENCY_NS}
    tree_of |= {"skew_ns": 0.0, "insertion_delay_ns": LATENCY_NS, "buffers": 1}
    (folder / "clock.json").write_text(json.dumps(tree_of))
    assert {x.name for x in folder.iterdir()} >= {*LAYOUT}
    return {
        "core_area_um2": area_um2 / task.utilisation,
        "utilisation": task.utilisation,
        "area_um2": area_um2,
        "wire_length_mm": 1.0,
        "overflow": max(0, round(1000 * (task.utilisation - room))),
        "clock_buffers": 1,
        "hold_buffers": 0,
    }


def _wired(task: PlacementTask, folder: Path) -> Netlist:
    """Write the wires of the netlist in the folder; return the netlist with them."""
    files = {name: folder / name for name in (NETLIST, SPEF)}
    library = kept_library(task.kit.liberty)
    bare = Netlist.from_yosys_json(files[NETLIST], library, top=task.top)
    files[SPEF].write_text(_HEADER + "".join(_nets(bare)))
    return read_placed(files, library, task.top)


def _enlarge(names: set[str], task: PlacementTask, folder: Path) -> None:
    """Give cells twice their drive."""
    content = json.loads((folder / "placed.json").read_text())
    cells = content["modules"][task.top]["cells"]
    text = (folder / "placed.v").read_text()
    for name in names:
        kind, _, drive = cells[name]["type"].rpartition("_X")
        cells[name]["type"] = f"{kind}_X{2 * int(drive)}"
        text, count = re.subn(
            rf"\b{kind}_X{drive} (\\?{re.escape(name)} )", rf"{cells[name]['type']} \1", text
        )
        assert count == 1
    (folder / "placed.v").write_text(text)
    (folder / "placed.json").write_text(json.dumps(content))


def _nets(netlist: Netlist) -> Iterator[str]:
    """Yield each net of a netlist in SPEF: a resistance from the driver to each sink."""
    ends: dict[int, list[tuple[bool, str, str]]] = {}
    for name, bits in netlist.ports.items():
        given = netlist.directions[name] == "input"
        for index, bit in enumerate(bits):
            pin = name if len(bits) == 1 else f"{name}[{index}]"
            line = f"*P {pin} {'I' if given else 'O'}\n"
            if isinstance(bit, int):
                ends.setdefault(bit, []).append((given, pin, line))
    for instance in netlist.instances:
        for pin, bit in instance.nets.items():
            drives = instance.cell.pins[pin].is_output
            place = f"{_escaped(instance.name)}:{pin}"
            line = f"*I {place} {'O' if drives else 'I'}\n"
            if isinstance(bit, int):
                ends.setdefault(bit, []).append((drives, place, line))
    nets = sorted(netlist.observed)
    yield from (f"*{bit} {_name(netlist, bit)}\n" for bit in nets)
    yield "\n"
    for bit in nets:
        yield from _net(bit, ends[bit])


def _name(netlist: Netlist, bit: int) -> str:
    """Name of a net; a port's name comes before others. Only an index has plain brackets."""
    own = min(netlist.names[bit], key=lambda x: x.name not in netlist.ports)
    return _escaped(own.name) + (f"[{own.index}]" if own.width > 1 else "")


def _net(bit: int, ends: list[tuple[bool, str, str]]) -> Iterator[str]:
    (driver,) = (place for drives, place, _ in ends if drives)
    sinks = [place for drives, place, _ in ends if not drives]
    yield f"*D_NET *{bit} {WIRE_FF * len(sinks)}\n*CONN\n"
    yield from (line for _, _, line in ends)
    yield "*CAP\n"
    yield from (f"{i} {place} {WIRE_FF}\n" for i, place in enumerate(sinks))
    yield "*RES\n"
    yield from (f"{i} {driver} {place} {WIRE_OHM}\n" for i, place in enumerate(sinks))
    yield "*END\n"


def _escaped(name: str) -> str:
    return re.sub(r"([\[\]])", r"\\\1", name)


def _rows(netlist: Netlist, core_um2: float) -> Iterator[str]:
    """Yield the places of all cells, in rows of the core's width."""
    width, x, y = core_um2**0.5, 0.0, 0
    for instance in netlist.instances:
        if x > width:
            x, y = 0.0, y + 1
        yield f"{instance.name} {instance.cell.name} {x:.2f} {1.4 * y:.1f}\n"
        x += instance.cell.area_um2 / 1.4
