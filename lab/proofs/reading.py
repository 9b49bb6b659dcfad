"""Reads Verilog as an and-inverter graph, with Yosys."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from rsaxcel.flow.errors import ToolFailure
from rsaxcel.flow.paths import temporary_folder
from rsaxcel.flow.yosys import Yosys, in_yosys
from rsaxcel.lab.proofs.aig import Machine
from rsaxcel.lab.proofs.simulated import check_simulated

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
