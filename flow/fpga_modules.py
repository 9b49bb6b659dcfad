"""FPGA resources of a design part by part: its modules stay apart, and are mapped one by one.

Nothing is optimized across their borders, so that the sum over all parts is more than
``flow.resources`` counts; it tells where the resources are. Virtex-E, of the year 2000, is here for
comparison with documents of its time: look-up tables of four inputs, two of them to a memory of 16
words that is read and written at once.
"""

from __future__ import annotations

import json
import os
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from flow.resources import FAMILIES, Family
from flow.yosys import Yosys, in_yosys, register_names

_MAPPED = "mapped.json"
_REGISTERS = "flip_flops"
_LUTS = "logic_luts"
_CARRY = "carry_bits"
SUMS = "+"
"""Stands for a module's carry chains, which take a look-up table for each bit."""

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
            "shift_register_luts": {"SRL16": 1, "SRL16E": 1},
            _REGISTERS: dict.fromkeys(_FLIP_FLOPS, 1),
            _CARRY: {"XORCY": 1},
        },
        # parts of the slices around the look-up tables
        ignored=frozenset({"MUXCY", "MUXF5", "MUXF6"}),
    ),
}
"""Families whose modules can stay apart, by Yosys's names for them."""


def count_resources_by_module(
    verilog: Path, top: str, family: str, work: Path
) -> dict[str, dict[str, int]]:
    """Map a translated design module by module and count what each instance takes.

    Memories of words become memories in look-up tables, even where registers would do.

    Parameters
    ----------
    verilog, top
        Text of all modules and the top module's name.
    family
        A key of ``MODULE_FAMILIES``.
    work
        Folder for the log and what the tools write.

    Returns
    -------
    dict
        Path of an instance to resources of its own, without those of the instances in it; the top's
        path is empty. Its registers are told apart, ``PATH.NAME``, and its sums, ``PATH.+``.

    Raises
    ------
    ValueError
        For another family.
    FlowError
        If Yosys fails or leaves a cell that is not counted.
    """
    if family not in MODULE_FAMILIES:
        raise ValueError(f"family {family!r}: {', '.join(MODULE_FAMILIES)} are allowed")
    work.mkdir(parents=True, exist_ok=True)
    command = f"{MODULE_FAMILIES[family].command} -top {top}"
    in_yosys(work / f"{family}-modules.log", _map, verilog.resolve(), top, command, work)
    modules = json.loads((work / _MAPPED).read_text())["modules"]
    found: dict[str, dict[str, int]] = {}
    _visit(modules, top, "", MODULE_FAMILIES[family], found)
    return found


def add_up(
    counts: Mapping[str, Mapping[str, int]], parts: Mapping[str, str]
) -> dict[str, dict[str, int]]:
    """Resources of parts of a design.

    Parameters
    ----------
    counts
        As ``count_resources_by_module`` gives them.
    parts
        Path of an instance, a register or the sums of one to the name of the part that it belongs
        to, with everything in it that has no entry of its own.

    Raises
    ------
    ValueError
        For a path that is nowhere in the design, or one of the design that no entry covers.
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
        raise ValueError(f"{', '.join(sorted(unused))}: nothing of the design is there")
    return {name: dict(found) for name, found in sums.items()}


def _map(verilog: Path, top: str, command: str, work: Path) -> None:
    """Map, in Yosys's process."""
    os.chdir(work)
    yosys = Yosys()
    yosys.read_verilog(verilog, memories=True)
    yosys.run(
        f"hierarchy -check -top {top}",
        'setattr -set ram_style "distributed" RegisterFile*/m:*',
        command,
        "check -assert",
        f"write_json {_MAPPED}",
    )


def _visit(
    modules: Mapping[str, Any],
    name: str,
    path: str,
    family: Family,
    found: dict[str, dict[str, int]],
) -> None:
    """Count the cells of a module, then those of its instances."""
    cells: Counter[str] = Counter()
    registers: defaultdict[str, int] = defaultdict(int)
    names = register_names(modules[name]["netnames"])
    for instance, cell in modules[name]["cells"].items():
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


def _is_box(module: Mapping[str, Any]) -> bool:
    return "blackbox" in module["attributes"] or "whitebox" in module["attributes"]
