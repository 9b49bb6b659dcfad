"""What each pass of ``flow.synthesizer.mapping`` gains: area and smallest period without it.

``python -m tools.mapping_gains mont_r2l:32:3.0`` (name, bits, clock in ns). Unlike the flow, it
does not map a design again for another delay if the clock is missed.
"""

import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from rsaxcel import catalog
from rsaxcel.flow.areas import summarize
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.kit import Kit, find_kit
from rsaxcel.flow.library import kept_library
from rsaxcel.flow.opensta import analyse_timing
from rsaxcel.flow.synthesizer import mapping
from rsaxcel.flow.yosys import Yosys, in_yosys
from rsaxcel.sim.translate import translate

Figures = tuple[float, float]  # area in um2 and smallest period in ns


def without_command(start: str) -> None:
    """Make the mapping in this process leave out the commands of Yosys that begin with a text."""
    run: Callable[..., None] = Yosys.run

    def others(yosys: Yosys, *commands: str) -> None:
        run(yosys, *(command for command in commands if not command.startswith(start)))

    setattr(mapping.Yosys, "run", others)  # noqa: B010


def without_function(name: str) -> None:
    """Replace a function of the mapping in this process by a function that does nothing."""
    setattr(mapping, name, lambda *args: {})


def without_abc(*starts: str) -> None:
    """Make the mapping in this process leave out the commands of ABC that begin with some texts."""
    script = mapping.abc_script

    def others(target_ns: float) -> str:
        return ";".join(x for x in script(target_ns).split(";") if not x.startswith(starts))

    mapping.abc_script = others


LEFT_OUT: dict[str, Callable[[], None]] = {
    "keep_units": partial(without_function, "keep_units"),
    "specialize": partial(without_function, "specialize"),
    "opt -full -nosdff": partial(without_command, "opt -full -nosdff"),
    "wreduce": partial(without_command, "wreduce"),
    "peepopt": partial(without_command, "peepopt"),
    "booth": partial(without_command, "booth"),
    "alumacc": partial(without_command, "alumacc"),
    "simplemap": partial(without_command, "simplemap t:$mux"),
    "clock gates": partial(without_function, "_gate_clocks"),
    "a gate for 32": partial(setattr, mapping, "_GATED_MOST", sys.maxsize),
    "spread enables": partial(without_function, "_spread_enables"),
    "ifraig, scorr": partial(without_abc, "ifraig", "scorr"),
    "dch": partial(without_abc, "&dch"),
    "buffer": partial(without_abc, "buffer"),
    "upsize, dnsize": partial(without_abc, "upsize", "dnsize"),
}
"""Functions that switch off a pass in this process, by the names that the page shows."""


def map_without(left_out: str, verilog: Path, top: str, kit: Kit, clock_ns: float) -> None:
    """Map a design without a pass; call it in a new process, because it changes the mapping."""
    # ``left_out`` is a key of ``LEFT_OUT``, or ``ripple`` (all adders are prefix adders), or no
    # pass.
    adders: Any = "prefix" if left_out == "ripple" else "ripple"
    LEFT_OUT.get(left_out, lambda: None)()
    work = verilog.parent
    mapping.prepare(verilog, top, work / "prepared.il", work)
    yosys = mapping.map_registers(
        work / "prepared.il", mapping.MappingOptions(top, kit, adders), work
    )
    mapping.map_gates(yosys, kit, clock_ns - kit.rules.sequencing_ns, work)


def figures(left_out: str, name: str, nbits: int, clock_ns: float) -> Figures:
    """Map a design without a pass (empty: with all), and measure the netlist."""
    kit = find_kit("freepdk-45nm")
    configuration = catalog.find(name).configure(nbits)
    module = translate(configuration.component("rtl"), configuration.name)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        (work / "design.v").write_text(module.text)
        in_yosys(
            work / "yosys.log", map_without, left_out, work / "design.v", module.top, kit, clock_ns
        )
        summary = summarize(work / "netlist.json", module.top, kept_library(kit.liberty))
        timing = analyse_timing(
            work / "netlist.v", module.top, kit, clock_ns=clock_ns, work_dir=work
        )
        return summary["area_um2"], timing.min_period_ns


def main(points: list[str]) -> None:
    """Print how area and period of each ``NAME:WIDTH:CLOCK`` (ns) change without each pass."""
    for point in points:
        name, nbits, clock_ns = point.split(":")
        area, period = figures("", name, int(nbits), float(clock_ns))
        print(f"{point}: {area:.0f} um2, {period:.3f} ns", flush=True)
        for left_out in (*LEFT_OUT, "ripple"):
            try:
                a, p = figures(left_out, name, int(nbits), float(clock_ns))
            except FlowError as error:
                print(f"  without {left_out}: {error}", flush=True)
                continue
            change = f"{100 * (a / area - 1):+.1f} % area, {100 * (p / period - 1):+.1f} % period"
            print(f"  without {left_out}: {change}", flush=True)
