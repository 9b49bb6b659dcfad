"""Converts translated SystemVerilog to Verilog-2005."""

import random
import re
from pathlib import Path

from rsaxcel.flow.paths import temporary_folder
from rsaxcel.flow.yosys import Yosys, in_yosys
from rsaxcel.sim.translate import VerilogModule

_SEED = 1
_REGISTER = re.compile(r"^( +reg (?:\[(\d+):0\] )?(?:\\\S+ |\w+))( ?);$", re.MULTILINE)


def plain_verilog(module: VerilogModule, *, contents: bool = True) -> str:
    """Verilog-2005 with the same modules, ports and registers, as Yosys writes them.

    Icarus 11 cannot read fields of structs in arrays: messages become vectors, words of arrays
    registers. With ``contents``, registers start at random: x would spread even where 0 and 1 give
    the same result. Synthesizers for chips refuse such values.
    """
    with temporary_folder() as folder:
        source, target = folder / "design.sv", folder / "design.v"
        source.write_text(module.text)
        in_yosys(folder / "yosys.log", _write, source, target, module.top)
        text = target.read_text()
    if not contents:
        return text
    draw = random.Random(_SEED)

    def with_contents(register: re.Match[str]) -> str:
        nbits = int(register[2] or 0) + 1
        return f"{register[1]} = {nbits}'h{draw.getrandbits(nbits):x};"

    return _REGISTER.sub(with_contents, text)


def _write(source: Path, target: Path, top: str) -> None:
    yosys = Yosys()
    yosys.read_verilog(source, top)
    yosys.run("proc", "opt_clean")
    # Map bitwise multiplexers ($bwmux) to gates, because Verilog has no expression for them.
    yosys.run("simplemap t:$bwmux", f"write_verilog -noattr {target}")
