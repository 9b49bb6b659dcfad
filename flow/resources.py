"""FPGA resources: Yosys maps translated Verilog to one of two families; the cells are counted.

Counts are estimates: nothing is packed, placed or routed, and vendors' tools map in their own way.
There is no clock period, which would depend on the routed wires.
"""

from __future__ import annotations

import json
import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.files import read_json
from rsaxcel.flow.yosys import Yosys, in_yosys
from rsaxcel.flow.yosys_json import Module, read_modules

RESULT = "fpga.json"  #: file with the counted cells and resources

_COUNTS = "cells.json"
WIDE_COMPARE = Path(__file__).with_name("wide_compare.v")
# Yosys's own script for ABC, without its last command &mfs and without the equivalence check: both
# take minutes to hours for trees of exclusive ors. This makes the logic 0.2 % larger; in such
# trees, 4 %.
_ABC9 = (
    "scratchpad -set abc9.verify 0",
    "scratchpad -set abc9.script +&scorr;&sweep;&dc2;&dch,-f,-r;&ps;&if,{W},{D},{R},-v",
)


@dataclass(frozen=True)
class Family:
    """A family of FPGAs: how Yosys maps to it, and which resources its cells use."""

    command: str  #: Yosys's command, without buffers at ports and clock
    device: str  #: name of a device in words
    columns: Mapping[str, Mapping[str, float]]  #: amount that each cell uses, by resource
    ignored: frozenset[str] = frozenset()  #: cells that use none of the resources
    #: Computes further resources from the counted ones, such as all LUTs.
    derived: Callable[[dict[str, float]], dict[str, float]] = lambda counts: {}
    #: Yosys's commands before labels of the script of `command`
    before: Mapping[str, Sequence[str]] = field(default_factory=dict)
    finishing: Sequence[str] = ()  #: Yosys's commands after the script

    def script(self, top: str) -> Iterator[str]:
        """Yield Yosys's commands that map the module ``top``."""
        run, begin = f"{self.command} -top {top} -run", ""
        for label, own in self.before.items():
            yield f"{run} {begin}:{label}"
            yield from own
            begin = label
        yield f"{run} {begin}:"
        yield from self.finishing

    def resources(self, cells: Mapping[str, int]) -> dict[str, int]:
        """Resources that cells use, each rounded up.

        ``FlowError`` for a cell that the family lacks.
        """
        known = {cell for column in self.columns.values() for cell in column} | self.ignored
        if unknown := sorted(set(cells) - known):
            raise FlowError(f"{self.device}: cells {', '.join(unknown)} are not counted")
        counts = {
            name: sum(weight * cells.get(cell, 0) for cell, weight in column.items())
            for name, column in self.columns.items()
        }
        return {name: -int(-x // 1) for name, x in (counts | self.derived(counts)).items()}


def _luts_of_xc7(counts: dict[str, float]) -> dict[str, float]:
    """LUTs for logic and for memories; no two functions share a LUT."""
    return {"luts": counts["logic_luts"] + counts["memory_luts"]}


def _alms(counts: dict[str, float]) -> dict[str, float]:
    """Count ALMs, of four flip-flops each; any two functions of up to five inputs share one."""
    logic = counts["functions_of_6"] + (counts["functions_to_5"] + counts["memory_luts"]) / 2
    return {"alms": max(logic, counts["flip_flops"] / 4)}


#: Families by Yosys's names.
FAMILIES = {
    "cyclonev": Family(
        command="synth_intel_alm -family cyclonev -noiopad -noclkbuf",
        device="Intel Cyclone V",
        columns={
            "functions_of_6": {"MISTRAL_ALUT6": 1},
            "functions_to_5": {
                "MISTRAL_ALUT_ARITH": 1,
                "MISTRAL_NOT": 1,
                **{f"MISTRAL_ALUT{k}": 1 for k in (2, 3, 4, 5)},
            },
            "memory_luts": {"MISTRAL_MLAB": 1},
            "flip_flops": {"MISTRAL_FF": 1},
            "carry_bits": {"MISTRAL_ALUT_ARITH": 1},
            "dsp": {"MISTRAL_MUL27X27": 1, "MISTRAL_MUL18X18": 1 / 2, "MISTRAL_MUL9X9": 1 / 3},
            "memory_blocks": {"MISTRAL_M10K": 1},
        },
        derived=_alms,
        before={"map_luts": _ABC9},
    ),
    "xc7": Family(
        command="synth_xilinx -family xc7 -flatten -noiopad -noclkbuf",
        device="Xilinx 7 series",
        columns={
            "logic_luts": {"INV": 1, **{f"LUT{k}": 1 for k in range(1, 7)}},
            "memory_luts": {
                "RAM32M": 4,
                "RAM64M": 4,
                "RAM32X1D": 2,
                "RAM64X1D": 2,
                "RAM128X1D": 4,
                "RAM32X1S": 1,
                "RAM64X1S": 1,
                "RAM128X1S": 2,
                "RAM256X1S": 4,
                "SRL16E": 1,
                "SRLC32E": 1,
            },
            "flip_flops": {"FDRE": 1, "FDSE": 1, "FDCE": 1, "FDPE": 1},
            "carry_bits": {"CARRY4": 4},
            "dsp": {"DSP48E1": 1},
            "memory_blocks": {"RAMB36E1": 1, "RAMB18E1": 1 / 2},
        },
        ignored=frozenset({"MUXF7", "MUXF8"}),
        derived=_luts_of_xc7,
        before={"coarse": (f'techmap -map "{WIDE_COMPARE}" -D LUT_WIDTH=6',), "map_luts": _ABC9},
    ),
}

NOTE = "estimate: mapped by Yosys, not packed, placed or routed"


def count_resources(verilog: Path, top: str, family: str, work: Path) -> dict[str, Any]:
    """Map a translated design; return ``resources`` (amounts) and ``cells`` (numbers by kind)."""
    work.mkdir(parents=True, exist_ok=True)
    own = FAMILIES[family]
    commands = list(own.script(top))
    in_yosys(work / f"{family}.log", _map, verilog.resolve(), top, commands, work)
    cells = read_json(work / _COUNTS)
    return {"resources": FAMILIES[family].resources(cells), "cells": cells}


def _map(verilog: Path, top: str, commands: Sequence[str], work: Path) -> None:
    """Map the design and count its cells, in Yosys's process; arrays stay memories."""
    os.chdir(work)
    yosys = Yosys()
    yosys.read_verilog(verilog, top, memories=True)
    # Foreign cores, and modules around them, may ask to keep their boundaries.
    yosys.run("setattr -mod -unset keep_hierarchy *", *commands, "check -assert")
    cells = Counter(cell.type.str() for cell in yosys.module(top).cells_.values())
    own = {kind.removeprefix("\\"): count for kind, count in sorted(cells.items())}
    own.pop("$scopeinfo", None)
    (work / _COUNTS).write_text(json.dumps(own))


_MAPPED = "mapped.json"
_REGISTERS = "flip_flops"
_LUTS = "logic_luts"
_CARRY = "carry_bits"
SUMS = "+"
"""Last name in the path of a module's carry chains, which take one look-up table for each bit."""

_FLIP_FLOPS = ("FDRE", "FDSE", "FDCE", "FDPE")
_XC7 = FAMILIES["xc7"]

MODULE_FAMILIES = {
    "xc7": replace(_XC7, command=_XC7.command.replace(" -flatten", ""), derived=lambda counts: {}),
    "xcve": Family(
        command="synth_xilinx -family xcve -noiopad -noclkbuf",
        device="Xilinx Virtex-E",
        columns={
            _LUTS: {"INV": 1, **{f"LUT{k}": 1 for k in range(1, 5)}},
            "dual_port_memory_luts": {"RAM16X1D": 2},
            "single_port_memory_luts": {"RAM16X1S": 1, "RAM32X1S": 2},
            # Virtex-E forms a chain of 32 bits of two look-up tables.
            "shift_register_luts": {"SRL16": 1, "SRL16E": 1, "SRLC32E": 2},
            _REGISTERS: dict.fromkeys(_FLIP_FLOPS, 1),
            _CARRY: {"XORCY": 1},
        },
        # For this family, the command above looks for no shift registers.
        finishing=("xilinx_srl -fixed -minlen 3", "techmap -map +/xilinx/cells_map.v", "clean"),
        # These cells are not counted: every slice has its multiplexers beside its look-up tables.
        ignored=frozenset({"MUXCY", "MUXF5", "MUXF6"}),
    ),
}
"""FPGA families that can be mapped module by module, by Yosys's names for them."""


def count_resources_by_module(
    verilog: Path, top: str, family: str, work: Path
) -> dict[str, dict[str, int]]:
    """Map a design module by module; return the resources of each instance by its path.

    An instance does not include those inside it; the top's path is empty. A register has a path of
    its own, ``PATH.NAME``; all carry chains of an instance have ``PATH.+``. Register files become
    memories in look-up tables, even where Yosys would choose flip-flops.
    """
    if family not in MODULE_FAMILIES:
        raise ValueError(f"family {family!r}: {', '.join(MODULE_FAMILIES)} are allowed")
    work.mkdir(parents=True, exist_ok=True)
    own = MODULE_FAMILIES[family]
    commands = list(own.script(top))
    in_yosys(work / f"{family}-modules.log", _map_modules, verilog.resolve(), top, commands, work)
    modules = read_modules(work / _MAPPED)
    found: dict[str, dict[str, int]] = {}
    _visit(modules, top, "", MODULE_FAMILIES[family], found)
    return found


def add_up(
    counts: Mapping[str, Mapping[str, int]], parts: Mapping[str, str]
) -> dict[str, dict[str, int]]:
    """Add up the resources of each part of a design; ``parts`` names the part of a path.

    Everything below a path is in its part, except at a longer path in ``parts``. ``ValueError`` for
    an unknown path, or a path of the design in no part.
    """
    sums: dict[str, Counter[str]] = {name: Counter() for name in parts.values()}
    unused = set(parts)
    for path, resources in counts.items():
        names = path.split(".") if path else []
        over = (".".join(names[:n]) for n in range(len(names), -1, -1))
        nearest = next((x for x in over if x in parts), None)
        if nearest is None:
            raise ValueError(f"{path} is in no part")
        unused.discard(nearest)
        sums[parts[nearest]].update(resources)
    if unused:
        raise ValueError(f"{', '.join(sorted(unused))}: the design has no such path")
    return {name: dict(found) for name, found in sums.items()}


def _map_modules(verilog: Path, top: str, commands: Sequence[str], work: Path) -> None:
    """Read the Verilog, map it and write the cells as JSON; runs in a process with Yosys."""
    os.chdir(work)
    yosys = Yosys()
    yosys.read_verilog(verilog, top, memories=True)
    yosys.run(
        'setattr -set ram_style "distributed" RegisterFile*/m:* PortRam*/m:*',
        *commands,
        "check -assert",
        f"write_json {_MAPPED}",
    )


def _visit(
    modules: Mapping[str, Module],
    name: str,
    path: str,
    family: Family,
    found: dict[str, dict[str, int]],
) -> None:
    """Count the cells of an instance, and of all instances inside it, into ``found``."""
    cells: Counter[str] = Counter()
    registers: defaultdict[str, int] = defaultdict(int)
    names = modules[name].register_names()
    for instance, cell in modules[name].cells.items():
        kind = cell["type"]
        below = f"{path}.{instance}" if path else instance
        if kind in modules and not _is_box(modules[kind]):
            _visit(modules, kind, below, family, found)
        elif kind in _FLIP_FLOPS:
            (bit,) = cell["connections"]["Q"]
            registers[names.get(bit, "").partition("[")[0]] += 1
        elif kind != "$scopeinfo":
            cells[kind] += 1
    own = family.resources(cells)
    in_sums = min(own[_CARRY], own[_LUTS])
    own[_LUTS] -= in_sums
    prefix = f"{path}." if path else ""
    if in_sums:
        found[f"{prefix}{SUMS}"] = {_LUTS: in_sums, _CARRY: own[_CARRY]}
    own[_CARRY] = 0
    own[_REGISTERS] = registers.pop("", 0)
    found[path] = own
    for register, count in registers.items():
        found[f"{prefix}{register}"] = {_REGISTERS: count}


def _is_box(module: Module) -> bool:
    return "blackbox" in module.attributes or "whitebox" in module.attributes
