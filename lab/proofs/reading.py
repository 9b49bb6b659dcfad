"""Reads Verilog as an and-inverter graph, with Yosys, and compares both on random inputs."""

from __future__ import annotations

import ctypes
import os
import random
import re
from functools import lru_cache
from pathlib import Path

from rsaxcel.flow.errors import ToolFailure
from rsaxcel.flow.paths import temporary_folder
from rsaxcel.flow.yosys import Yosys, in_yosys
from rsaxcel.lab.proofs.aig import Machine
from rsaxcel.sim.native.build import BuildOptions, build_library
from rsaxcel.store.folders import cache_root, remove
from rsaxcel.store.foreign import ForeignLibrary

_PLACE = re.compile(r"\S*circuit\.sv:|\(log: [^)]*\)")

_UNDEFINED = "setundef -undriven -anyseq"


@lru_cache(maxsize=3)  # claims about one design follow each other
def read_machine(text: str, top: str) -> Machine:
    """Read SystemVerilog whose clock is ``clk``, and in which all latches have names.

    Undefined values (x) become inputs, which can have another value in each cycle. The result is
    compared with a simulation of the text.
    """
    with temporary_folder() as folder:
        (folder / "circuit.sv").write_text(text)
        try:
            in_yosys(folder / "yosys.log", _write, folder, top)
        except ToolFailure as error:  # the log has gone when the message is read
            raise ToolFailure(_PLACE.sub("", str(error)).strip()) from error
        machine = Machine.read(folder / "circuit.aig").reduced()
    check_simulated(machine, text, top)
    return machine


def _write(folder: Path, top: str) -> None:
    yosys = Yosys()
    yosys.run(f"read_slang --no-implicit-memories --top {top} {folder}/circuit.sv")
    _leave_undefined(yosys)
    yosys.run(
        # Before any optimization, which would choose values for them. Those that follow from
        # others, such as a word that does not exist, stand out after the mapping to gates.
        _UNDEFINED,
        "proc -norom -noopt",
        _UNDEFINED,
        "flatten",
        "opt -keepdc -nodffe -nosdff",
        "dffunmap",
        "opt_clean",
        "techmap",
        "opt_expr -keepdc",
        "opt_clean",
        _UNDEFINED,
        "opt_clean",
        "aigmap",
        "opt_clean",
        f"write_aiger -symbols {folder}/circuit.aig",
    )


def _leave_undefined(yosys: Yosys) -> None:
    """Make quotients and remainders of divisions by 0 undefined; Yosys maps them to numbers."""
    a, b, s, y = (yosys.lib.IdString(f"\\{x}") for x in "ABSY")
    for module in yosys.modules():
        for cell in [x for x in module.cells_.values() if x.type.str() in _DIVISIONS]:
            result, divisor = cell.getPort(y), cell.getPort(b)
            number = yosys.lib.SigSpec(module.addWire(module.uniquify(s), result.size()))
            zero = yosys.lib.SigSpec(module.addWire(module.uniquify(s), 1))
            cell.setPort(y, number)
            module.addLogicNot(module.uniquify(a), divisor, zero)
            nothing = yosys.lib.SigSpec(yosys.lib.State.Sx, result.size())
            module.addMux(module.uniquify(a), number, nothing, zero, result)


_DIVISIONS = ("$div", "$mod", "$divfloor", "$modfloor")


_TOP = "circuit_of_claim"
_CLOCK, _RESET = "clk", "reset"
_CYCLES = 48
_RUNS = 64
_RESET_SHARE = 0.02  #: share of the cycles with a reset, after the first
_WORD = 32  #: bits of a word in Verilator's vectors
_LEAST_WORDS = 3  #: narrower ports are no vectors
_OPTIONS = BuildOptions(optimize="-O0", native_cpu=False, netlist=True)
_BIT = re.compile(r"(.*)\[\d+\]")

# Each process has a library of its own, which it removes once it is loaded.
_VERILOG = """
// {process}
module {top}(input clk, input [{inputs} - 1:0] given, output [{outputs} - 1:0] found);
  {circuit} circuit({pins});
endmodule
"""

_DRIVER = """
#include "Dut.h"
#include <cstring>
#include <memory>
#include <stdexcept>
void vl_fatal(const char*, int, const char*, const char* told) { throw std::runtime_error(told); }
void vl_stop(const char*, int, const char*) {}
void vl_finish(const char*, int, const char*) {}
extern "C" __attribute__((visibility("default")))
void simulate(const uint32_t* given, uint32_t* found, uint64_t runs, uint64_t cycles) {
    for (uint64_t run = 0; run < runs; run++) {
        VerilatedContext context;
        context.randReset(2);
        context.randSeed(static_cast<int>(run) + 1);
        const auto dut = std::make_unique<Dut>(&context);
        for (uint64_t cycle = 0; cycle < cycles; cycle++) {
            dut->clk = 0;
            std::memcpy(dut->given.data(), given, sizeof dut->given);
            given += sizeof dut->given / sizeof *given;
            dut->eval();
            std::memcpy(found, dut->found.data(), sizeof dut->found);
            found += sizeof dut->found / sizeof *found;
            dut->clk = 1;
            dut->eval();
        }
    }
}
"""


def check_simulated(machine: Machine, text: str, top: str) -> int:
    """Compare outputs in all cycles; return the number of values, ``ToolFailure`` if one differs.

    The first cycle of each run is a reset.
    """
    inputs = [x for x in machine.inputs if x not in machine.undefined and x != _CLOCK]
    outputs = list(machine.outputs)
    draw = random.Random(text)
    given = [_drawn(draw, inputs, cycle) for cycle in range(_CYCLES)]
    simulated = _simulated(text, top, inputs, outputs, given)
    compared = 0
    states = [(_ALL, _ALL)] * len(machine.latches)
    for cycle, values in enumerate(given):
        found, states = machine.possible(dict(zip(inputs, values, strict=True)), states, _ALL)
        for name, value in zip(outputs, simulated[cycle], strict=True):
            one, zero = found[name]
            if (value & ~one) | (~value & _ALL & ~zero):
                raise ToolFailure(
                    f"Yosys: the graph of {top} is not its Verilog, {name} differs from the "
                    f"simulation in cycle {cycle}"
                )
            compared += (one ^ zero).bit_count()
    return compared


_ALL = (1 << _RUNS) - 1


def _drawn(draw: random.Random, inputs: list[str], cycle: int) -> list[int]:
    """Values of the inputs in a cycle, a bit for each run."""
    values = [draw.getrandbits(_RUNS) for _ in inputs]
    if _RESET in inputs:
        resets = sum((draw.random() < _RESET_SHARE) << run for run in range(_RUNS))
        values[inputs.index(_RESET)] = resets if cycle else _ALL
    return values


def _simulated(
    text: str, top: str, inputs: list[str], outputs: list[str], given: list[list[int]]
) -> list[list[int]]:
    """Values of the outputs in each cycle by Verilator, a bit for each run."""
    widths = [max(_LEAST_WORDS, -(-len(x) // _WORD)) for x in (inputs, outputs)]
    pins = [f".{_CLOCK}(clk)", *_pins(inputs, "given"), *_pins(outputs, "found")]
    wrapper = _VERILOG.format(
        process=os.getpid(),
        top=_TOP,
        circuit=top,
        inputs=widths[0] * _WORD,
        outputs=widths[1] * _WORD,
        pins=", ".join(pins),
    )
    path = build_library(text + wrapper, _TOP, _DRIVER, options=_OPTIONS)
    library = ForeignLibrary(path)
    remove(cache_root(), path.parent.name)
    rows = [
        sum((value >> run & 1) << place for place, value in enumerate(values))
        for run in range(_RUNS)
        for values in given
    ]
    sent = b"".join(row.to_bytes(4 * widths[0], "little") for row in rows)
    size = 4 * widths[1]
    got = ctypes.create_string_buffer(len(rows) * size)
    simulate = library.declare(
        "simulate", None, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_uint64, ctypes.c_uint64
    )
    simulate(sent, got, _RUNS, len(given))
    words = [int.from_bytes(got.raw[at : at + size], "little") for at in range(0, len(got), size)]
    words = words[: len(rows)]
    return [
        [
            sum((words[run * len(given) + cycle] >> place & 1) << run for run in range(_RUNS))
            for place in range(len(outputs))
        ]
        for cycle in range(len(given))
    ]


def _pins(names: list[str], vector: str) -> list[str]:
    """Connect ports, whose bits are side by side, to the bits of a vector."""
    places: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        bit = _BIT.fullmatch(name)
        places.setdefault(bit[1] if bit else name, []).append(place)
    return [f".{port}({vector}[{max(x)}:{min(x)}])" for port, x in places.items()]
