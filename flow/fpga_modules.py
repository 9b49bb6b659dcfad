"""FPGA resources by module: the hierarchy of a design is kept, each module is mapped alone.

Nothing is optimized across the borders of modules, so the sum over all modules is more than
``flow.resources`` counts; but the numbers show which modules take the resources. Virtex-E, of the
year 2000, is here for comparison with documents of its time. Its look-up tables have four inputs,
and two look-up tables form a dual-port memory of 16 words of one bit.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from rsaxcel.flow.resources import FAMILIES, Family
from rsaxcel.flow.yosys import Yosys, in_yosys
from rsaxcel.flow.yosys_json import Module, read_modules

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
    commands = [*own.settings, f"{own.command} -top {top}", *own.finishing]
    in_yosys(work / f"{family}-modules.log", _map, verilog.resolve(), top, commands, work)
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


def _map(verilog: Path, top: str, commands: Sequence[str], work: Path) -> None:
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
