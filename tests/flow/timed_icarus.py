"""Simulates a netlist with delays in Icarus Verilog: writes Verilog and SDF, reads toggles.

Icarus ignores conditions in SDF, reads its times in the unit of the Verilog, and needs plain names
of instances. So delays must not depend on states, times are in ns, and instances are renamed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np

from rsaxcel.flow.gates.delays import cases_of, gate_delays
from rsaxcel.flow.power.boolean import BooleanFunction
from rsaxcel.flow.power.liberty import DelayArc, Library, LibraryCell, LookUpTable, Pin
from rsaxcel.flow.power.netlist import Instance, Netlist
from rsaxcel.flow.yosys_json import Bit
from rsaxcel.sim.batch import RESET_CYCLES
from tests.flow.timed_comparison import TimedSimulation
from tests.shared.icarus import icarus

_SCALE = "`timescale 1ns/1ps\n"


def without_states(library: Library) -> Library:
    """Replace state-dependent delays of an input by their mean."""

    def mean(arcs: Sequence[DelayArc]) -> DelayArc:
        tables = {}
        for edge in arcs[0].tables:
            first = arcs[0].tables[edge]
            points = np.meshgrid(first.slews_s, first.columns, indexing="ij")
            values = [arc.tables[edge].lookup(*points) for arc in arcs if edge in arc.tables]
            tables[edge] = LookUpTable(first.slews_s, first.columns, np.mean(values, axis=0))
        return DelayArc(arcs[0].related_pin, None, tables)

    def simple(pin: Pin) -> Pin:
        related = dict.fromkeys(arc.related_pin for arc in pin.delay_arcs)
        arcs = [mean([x for x in pin.delay_arcs if x.related_pin == name]) for name in related]
        return replace(pin, delay_arcs=tuple(arcs))

    cells = {
        name: replace(cell, pins={pin: simple(x) for pin, x in cell.pins.items()})
        for name, cell in library.cells.items()
    }
    return replace(library, cells=cells)


def in_icarus(simulation: TimedSimulation, folder: Path) -> tuple[list[int], Counter[int]]:
    """Run the requests of a simulation's only lane; return responses, and toggles by net."""
    (folder / "cells.v").write_text(_cells(simulation.netlist))
    (folder / "netlist.v").write_text(_netlist(simulation.netlist))
    (folder / "delays.sdf").write_text(_delays(simulation))
    rows = [list(row.values()) for row in simulation.inputs(0)]
    digits = ["".join("01"[value] for value in reversed(row)) for row in rows]
    (folder / "inputs.txt").write_text("\n".join(digits) + "\n")
    (folder / "bench.v").write_text(_bench(simulation, len(rows)))
    files = ("cells.v", "netlist.v", "bench.v")
    status, text = icarus(folder, *files, options=("-gspecify", "-Wno-timescale"))
    assert status == 0, text
    lines = text.splitlines()
    assert not any("SDF" in line or "rror" in line for line in lines), text[:2000]
    shown = [line.removeprefix("response ") for line in lines if line.startswith("response ")]
    return [int(shown[cycle], 2) for cycle in simulation.run.taken[0]], _toggles(folder)


def _cells(netlist: Netlist) -> str:
    """Write Verilog modules of the cells: truth tables, flip-flops, clock gates without delays."""
    used = {instance.cell.name: instance.cell for instance in netlist.instances}
    return _SCALE + "".join(_cell(cell) for cell in used.values())


def _cell(cell: LibraryCell) -> str:
    state, text, tables = cell.sequential, "", ""
    pins = [f"input {pin.name}" for pin in cell.inputs]
    pins += [f"output {pin.name}" for pin in cell.outputs]
    if state is not None:
        (data,), (clock,) = state.next_state.pins, state.clock.pins
        text += f"reg {state.state} = 0;\n"
        if state.kind == "gate":
            (output,) = cell.outputs
            text += f"always @({clock}, {data}) if (!{clock}) {state.state} = {data};\n"
            text += f"assign {output.name} = {clock} & {state.state};\n"
        else:
            text += f"always @(posedge {clock}) {state.state} <= {data};\n"
    for pin in cell.outputs if not cell.clock_gate else ():
        function = _function(cell, pin)
        if not function.pins:
            text += f"assign {pin.name} = {int(function.table)};\n"
            continue
        name = f"{cell.name}_{pin.name}"
        tables += _primitive(name, function)
        text += f"{name} p_{pin.name}({', '.join((pin.name, *function.pins))});\n"
        paths = [f"({cause} => {pin.name}) = (0, 0);" for cause in _causes(cell, pin)]
        text += f"specify {' '.join(paths)} endspecify\n"
    return f"{tables}module {cell.name}({', '.join(pins)});\n{text}endmodule\n"


def _primitive(name: str, function: BooleanFunction) -> str:
    rows = [
        f"{' '.join(map(str, row))} : {int(function.table[row])};"
        for row in product((0, 1), repeat=len(function.pins))
    ]
    pins = ", ".join(("out", *function.pins))
    inputs = ", ".join(function.pins)
    table = "\n".join(rows)
    head = f"primitive {name}({pins});\noutput out;\ninput {inputs};\n"
    return f"{head}table\n{table}\nendtable\nendprimitive\n"


def _function(cell: LibraryCell, pin: Pin) -> BooleanFunction:
    function = pin.function
    assert function is not None
    if cell.sequential is not None:
        state = BooleanFunction.variable(cell.sequential.state)
        function = function.substitute(cell.sequential.complement, ~state)
    return function


def _causes(cell: LibraryCell, pin: Pin) -> list[str]:
    """Inputs that cause edges of an output; for a flip-flop, the clock."""
    function = _function(cell, pin)
    names = [function.pins[case.position] for case in cases_of(cell, pin, function)]
    assert len(names) == len(set(names))  # the delays do not depend on states
    return [cell.sequential.clock.pins[0] if cell.sequential else name for name in names]


def _net(bit: Bit) -> str:
    return f"n{bit}" if isinstance(bit, int) else f"1'b{int(bit == '1')}"


def _netlist(netlist: Netlist) -> str:
    inputs = sorted(netlist.input_nets)
    wires = {bit for x in netlist.instances for bit in x.nets.values() if isinstance(bit, int)}
    lines = [f"wire {_net(bit)};" for bit in sorted(wires - netlist.input_nets)]
    for number, instance in enumerate(netlist.instances):
        pins = ", ".join(f".{pin}({_net(bit)})" for pin, bit in instance.nets.items())
        lines.append(f"{instance.cell.name} i{number}({pins});")
    ports = ", ".join(f"input {_net(bit)}" for bit in inputs)
    return f"{_SCALE}module dut({ports});\n" + "\n".join(lines) + "\nendmodule\n"


def _delays(simulation: TimedSimulation) -> str:
    """Write the simulator's delays as SDF, in ns; clock gates have no delays."""
    netlist = simulation.netlist
    drivers: list[tuple[Instance, Pin, BooleanFunction]] = []
    numbers = []
    for number, instance in enumerate(netlist.instances):
        for pin in instance.cell.outputs if not instance.cell.clock_gate else ():
            if pin.name in instance.nets:
                drivers.append((instance, pin, _function(instance.cell, pin)))
                numbers.append(number)
    lines = ['(DELAYFILE (SDFVERSION "3.0") (DIVIDER .) (TIMESCALE 1ns)']
    found = gate_delays(netlist, simulation.slews, drivers)
    for (instance, pin, _), number, delays in zip(drivers, numbers, found, strict=True):
        # If a net drives several inputs, Icarus uses the first path: it gets the least delay.
        least: dict[Bit, tuple[str, np.ndarray]] = {}
        for cause, edges in zip(_causes(instance.cell, pin), delays.reshape(-1, 2), strict=True):
            first, so_far = least.get(instance.nets[cause], (cause, edges))
            least[instance.nets[cause]] = first, np.minimum(so_far, edges)
        paths = []
        for cause, edges in least.values():
            rise, fall = (":".join([f"{edge / 1000:.3f}"] * 3) for edge in edges)
            paths.append(f"(IOPATH {cause} {pin.name} ({rise}) ({fall}))")
        if paths:
            head = f'(CELL (CELLTYPE "{instance.cell.name}") (INSTANCE i{number})'
            lines.append(f"{head} (DELAY (ABSOLUTE {' '.join(paths)})))")
    return "\n".join([*lines, ")\n"])


def _bench(simulation: TimedSimulation, cycles: int) -> str:
    """Write the testbench, which sets the inputs of each cycle at its clock edge."""
    netlist = simulation.netlist
    inputs = list(next(simulation.inputs(0)))
    (clock,), (reset,) = netlist.ports["clk"], netlist.ports["reset"]
    ports = [f".{_net(bit)}(in[{place}])" for place, bit in enumerate(inputs)]
    ports.append(f".{_net(clock)}(clk)")
    response = ", ".join(
        f"dut.{_net(bit)}" if isinstance(bit, int) else _net(bit)
        for bit in reversed(netlist.ports["send__msg"])
    )
    latest_ps = int(simulation.log[:, 2].max())
    half = f"#{(latest_ps // 2 + 100) / 1000:.3f}"
    show = f'$display("response %b", {{{response}}});'
    return f"""{_SCALE}module bench;
reg clk = 0;
reg [{len(inputs) - 1}:0] in = 0, inputs [0:{cycles - 1}];
integer cycle;
dut dut({", ".join(ports)});
initial begin
$sdf_annotate("delays.sdf", dut);
$readmemb("inputs.txt", inputs);
in[{inputs.index(reset)}] = 1;
{half} {half}
repeat ({RESET_CYCLES}) begin clk = 1; {half} clk = 0; {half}; end
in = 0; {half}
$dumpfile("toggles.vcd");
$dumpvars(1, dut);
{half} in <= inputs[0];
{half} {half} {show}
for (cycle = 1; cycle < {cycles}; cycle = cycle + 1) begin
clk = 1; in <= inputs[cycle]; {half} clk = 0; {half} {show}
end
$finish(0);
end
endmodule
"""


def _toggles(folder: Path) -> Counter[int]:
    """Count the changes of each net after the initial values of the waveform."""
    found: Counter[str] = Counter()
    with (folder / "toggles.vcd").open() as file:
        names = dict(_names(file))
        for line in file:
            if line.startswith("$end"):
                break
        for line in file:
            if line[0] in "01":
                found[line[1:-1]] += 1
            else:
                assert line[0] in "#$", line
    return Counter({int(names[key][1:]): count for key, count in found.items()})


def _names(file) -> Iterator[tuple[str, str]]:
    for line in file:
        words = line.split()
        if words[:1] == ["$var"]:
            yield words[3], words[4]
        if words[:1] == ["$dumpvars"]:
            return
