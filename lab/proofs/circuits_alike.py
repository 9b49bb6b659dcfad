"""Proves with Yosys and ABC that two circuits of the same ports have the same outputs in all runs.

Both circuits get the same arbitrary inputs, registers at power-up and, first, a reset.
"""

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rsaxcel.flow.yosys import Yosys, in_yosys
from rsaxcel.lab.proofs.aig import Machine
from rsaxcel.lab.proofs.sequential import is_constant
from rsaxcel.lab.proofs.signals import step
from rsaxcel.lab.proofs.solver import run_abc

_RUNS = 4096  #: runs that are simulated
_GOLD, _GATE, _MITER = "gold", "gate", "miter"
_LEFT = "left.aig"
#: Scripts of ABC commands, each tried if those before it proved nothing. In the first, ``scorr``
#: and ``dc2`` reduce most circuits that are equal to a constant, which ``pdr`` refuses.
_ATTEMPTS = (
    f"scorr; dc2; write_aiger {_LEFT}",
    "dprove",
    "scorr; dc2; pdr -T {seconds}",
    "pdr -T {seconds}",
)
_PROVED = ("Property proved", "Networks are equivalent")
_DIFFERENT = "was asserted in frame"
_RESET = "reset"


def proved_equal(one: str, other: str, top: str, folder: Path, seconds: int) -> bool:
    """Whether two circuits are proved equivalent; ``seconds`` limits each attempt of ABC.

    ``folder`` must be empty; both top modules have the inputs ``clk`` and ``reset``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{_GOLD}.sv").write_text(one)
    (folder / f"{_GATE}.sv").write_text(other)
    in_yosys(folder / "yosys.log", _join, folder, top)
    for attempt in _ATTEMPTS:
        commands = f"read_aiger miter.aig; {attempt.format(seconds=seconds)}"
        told = run_abc(commands, folder, 2 * seconds)
        left = folder / _LEFT
        if any(text in told for text in _PROVED) or (left.exists() and is_constant(left)):
            return True
        if _DIFFERENT in told:
            return False
    return False


def seen_apart(one: Machine, other: Machine, cycles: int) -> bool:
    """Whether outputs differ in some cycle of random runs that begin with a reset.

    Inputs and first states of the same name are the same; undefined values (x) are 0.
    """
    draw, ones = random.Random(0), (1 << _RUNS) - 1
    first = {x.name: draw.getrandbits(_RUNS) for x in (*one.latches, *other.latches)}
    states = [[first[x.name] for x in machine.latches] for machine in (one, other)]
    for cycle in range(cycles):
        given = {x: draw.getrandbits(_RUNS) for x in one.inputs if x not in one.undefined}
        given |= {_RESET: 0 if cycle else ones}
        found = []
        for i, machine in enumerate((one, other)):
            outputs, states[i] = step(machine, given, states[i], ones)
            found.append(outputs)
        if cycle and found[0] != found[1]:
            return True
    return False


def _join(folder: Path, top: str) -> None:
    """Write miter.aig: both circuits, and an output that is 1 if they differ."""
    whole = Yosys()
    for name in (_GOLD, _GATE):
        part = Yosys()
        read = f"read_slang --no-implicit-memories --top {top} {folder / name}.sv"
        part.run(read, "proc", "flatten", "dffunmap", "setundef -zero", f"rename {top} {name}")
        _Begin(part.lib, part.module(name)).from_any_contents()
        part.run(f"select {name}", f"write_rtlil -selected {folder / name}.il")
        whole.run(f"read_rtlil {folder / name}.il")
    modules = [whole.module(name) for name in (_GOLD, _GATE)]
    inputs = {name: width for module in modules for name, width in _inputs(module)}
    for module in modules:
        lacking = inputs.keys() - dict(_inputs(module)).keys()
        for name in sorted(lacking):
            wire = module.addWire(whole.lib.IdString(name), inputs[name])
            wire.port_input = True
        module.fixup_ports()
    whole.run(f"miter -equiv -flatten {_GOLD} {_GATE} {_MITER}", f"hierarchy -top {_MITER}")
    _Begin(whole.lib, whole.module(_MITER)).without_output()
    whole.run(
        "opt",
        "techmap",
        "setundef -zero",  # those that follow from others stand out after the mapping to gates
        "opt",
        "dffunmap",
        "aigmap",
        "clean",
        f"write_aiger -zinit {folder}/miter.aig",
    )


def _label(thing: Any) -> str:
    return re.sub(r"\W+", "_", thing.name.str())


def _inputs(module: Any) -> Iterator[tuple[str, int]]:
    for wire in module.wires_.values():
        if wire.port_input:
            yield wire.name.str(), wire.width


class _Begin:
    """Adds logic to a flat module of Yosys that has an effect in the first cycle only."""

    def __init__(self, lib: Any, module: Any) -> None:
        self._lib, self._module = lib, module
        self._first = module.Initstate(self._name("first"))

    def from_any_contents(self) -> None:
        """Make the first cycle a reset, and add an input for each register's initial contents."""
        lib, module = self._lib, self._module
        for cell in [x for x in module.cells_.values() if x.type.str() == "$dff"]:
            q_port = lib.IdString("\\Q")
            q = cell.getPort(q_port)
            label = _label(cell)
            held = module.addWire(self._name(f"held{label}"), q.size())
            given = lib.SigSpec()
            for bit in q.bits():  # the names of cells are not the same in both circuits
                name = lib.IdString(f"\\contents_{_label(bit.wire)}_{bit.offset}")
                wire = module.addWire(name, 1)
                wire.port_input = True
                given.append(lib.SigSpec(wire))
            cell.setPort(q_port, lib.SigSpec(held))
            sides = lib.SigSpec(held), given
            module.connect(q, module.Mux(self._name(f"mux{label}"), *sides, self._first))
        asked = module.wire(lib.IdString(f"\\{_RESET}"))
        asked.port_input = False
        module.rename(asked, self._name(_RESET))
        given = module.addWire(lib.IdString(f"\\{_RESET}"), 1)
        given.port_input = True
        either = module.Or(self._name("any_reset"), lib.SigSpec(given), self._first)
        module.connect(lib.SigSpec(asked), either)
        module.fixup_ports()

    def without_output(self) -> None:
        """Force the output of the miter to 0 in the first cycle, which is not compared."""
        lib, module = self._lib, self._module
        differs = module.wire(lib.IdString("\\trigger"))
        differs.port_output = False
        output = module.addWire(lib.IdString("\\differ"), 1)
        output.port_output = True
        later = module.Not(self._name("later"), self._first)
        both = module.And(self._name("both"), lib.SigSpec(differs), later)
        module.connect(lib.SigSpec(output), both)
        module.fixup_ports()

    def _name(self, text: str) -> Any:
        return self._lib.IdString(f"$begin${text}")
