"""Cores apart from their shells: what is synthesized, and what is simulated around a netlist."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rsaxcel.circuit import COUNTED, LEFT_OUT, ShelledCore, Target
from rsaxcel.flow.code import code_of
from rsaxcel.flow.kit import CLOCK_NS, Kit
from rsaxcel.flow.paths import temporary_folder
from rsaxcel.flow.synthesizer.interface import MappingSource
from rsaxcel.flow.synthesizer.mapping import YosysSynthesizer
from rsaxcel.sim.translate import VerilogModule, translate
from rsaxcel.store.code import without_comments
from rsaxcel.store.folders import cache_root, keep, key_of

if TYPE_CHECKING:  # slow to import, and a result that is there needs no simulation
    from rsaxcel.flow.power.netlist import Netlist

_SYNTHESIZER = YosysSynthesizer()
_NETLIST = "netlist.json"


def told(target: Target) -> str:
    """Whether figures count the shell; empty if there is none."""
    shelled = target.shelled
    if shelled is None:
        return ""
    return COUNTED if shelled.is_counted else LEFT_OUT


def verilog_of(shelled: ShelledCore, top: str, check: Callable[[Any], object]) -> VerilogModule:
    """Verilog of the module to measure; messages are those of the shell's streams."""
    shell = _shell_of(shelled, top, check)
    if not shelled.is_counted:
        return VerilogModule(shelled.alone(top), top, shell.messages)
    nbits = shell.request.port_nbits, shell.response.port_nbits
    return VerilogModule(shelled.beside(top, shell.top, shell.text, *nbits), top, shell.messages)


def _shell_of(shelled: ShelledCore, top: str, check: Callable[[Any], object]) -> VerilogModule:
    taken = {*shelled.modules, top}
    names = (f"{top}_shell{number or ''}" for number in count())
    name = next(x for x in names if x not in taken)
    return translate(shelled.shell(), name, check=check, taken=taken)


def in_shell(
    netlist: Netlist, target: Target, kit: Kit, check: Callable[[Any], object]
) -> tuple[Netlist, float | None]:
    """Put a netlist into its shell, which is simulated and not measured.

    Return the netlist, and the area of the shell in um2; None if it is no part left out.
    """
    from rsaxcel.flow.power.netlist import Netlist

    shelled = target.shelled
    if shelled is None or shelled.is_counted:
        return netlist, None
    module = _shell_of(shelled, target.design_name, check)
    folder = _synthesized(replace(module, text=without_comments(module.text, ".v")), kit)
    shell = Netlist.from_yosys_json(folder / _NETLIST, netlist.library, top=module.top)
    area_um2 = sum(x.cell.area_um2 for x in shell.instances)
    return netlist.inside(shell, shelled.wires), round(area_um2, 3)


def _synthesized(module: VerilogModule, kit: Kit) -> Path:
    """Folder with the netlist of a shell, made once; no constraint has an effect on a core."""
    code = code_of(sys.modules[__name__])  # with that of the synthesizer
    key = key_of(module.text, kit.digest, _SYNTHESIZER.version(), code)

    def populate(folder: Path) -> None:
        with temporary_folder() as work:
            (folder / _NETLIST).write_bytes(mapped(module, kit, work).read_bytes())

    return keep(cache_root(), f"shell-{key}", populate)


def mapped(module: VerilogModule, kit: Kit, work: Path) -> Path:
    """Map a module once, with the smallest adders; return its netlist in JSON."""
    source = MappingSource(work / "design.v", module.top, kit)
    source.verilog.write_text(module.text)
    with _SYNTHESIZER.open(source, work) as mapper:
        mapper.map(_SYNTHESIZER.adders[0], CLOCK_NS, work)
    return work / _NETLIST
