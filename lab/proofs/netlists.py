"""Claim: the synthesized netlist computes what the translated design computes."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from rsaxcel.flow.kit import CLOCK_NS, DEFAULT_LIBRARY, Kit
from rsaxcel.flow.libraries import plain_kit
from rsaxcel.flow.library import kept_library
from rsaxcel.flow.nodes.synthesis import synthesize
from rsaxcel.flow.paths import temporary_folder
from rsaxcel.flow.synthesizer.interface import MappingSource
from rsaxcel.flow.synthesizer.mapping import prepare
from rsaxcel.flow.yosys import in_yosys
from rsaxcel.lab.proofs.answer import ProofVerdict
from rsaxcel.lab.proofs.claim import CircuitClaim, Counterexample, Proof, processor_seconds
from rsaxcel.lab.proofs.equivalence import NotProved, proved_equal
from rsaxcel.sim.translate import VerilogModule

METHOD = "combinational equivalence (&cec)"

_DIFFERENT = "NOT EQUIVALENT"


@dataclass(frozen=True)
class NetlistClaim(CircuitClaim):
    """Claim: outputs and next states of design and netlist are the same functions.

    Design and netlist are cut at the registers, which have the same names; a gated clock is an
    enable. Where the Verilog leaves a value undefined, the netlist may have any.
    """

    kind = "netlist"
    most_nbits = 64
    meaning = "the synthesized netlist computes what the Verilog computes"

    @property
    def statement(self) -> str:
        return f"the netlist for {DEFAULT_LIBRARY} has the same outputs and next states"

    @property
    def text(self) -> str:
        """Verilog of the circuit."""
        return self.module.text

    def prove(self, seconds: float) -> Proof:
        """Prove or refute the claim; ``seconds`` do not limit the synthesis."""
        module, begun = self.module, processor_seconds()
        kit = Kit.read(plain_kit(DEFAULT_LIBRARY))
        with temporary_folder() as folder:
            source = MappingSource(folder / "design.v", module.top, kit)
            source.verilog.write_text(module.text)
            synthesize(source, CLOCK_NS, folder, folder / "work")
            return _proof(folder, module.top, kit, seconds, begun)


def prove_netlist(module: VerilogModule, netlist: Path, kit: Kit, seconds: float) -> Proof:
    """Prove or refute the claim about the ``netlist.json`` of a synthesis."""
    begun = processor_seconds()
    with temporary_folder() as folder:
        verilog, work = folder / "design.v", folder / "work"
        verilog.write_text(module.text)
        shutil.copy(netlist, folder / "netlist.json")
        # Dropped registers are read from the first step of synthesis, which gives the same each
        # time.
        in_yosys(folder / "prepare.log", prepare, verilog, module.top, work / "prepared.il", work)
        return _proof(folder, module.top, kit, seconds, begun)


def _proof(folder: Path, top: str, kit: Kit, seconds: float, begun: float) -> Proof:
    """Proof about the netlist in the folder of a synthesis, which began at a processor time."""
    try:
        found = proved_equal(folder, top, kit, kept_library(kit.liberty), seconds)
    except NotProved as error:
        used = processor_seconds() - begun
        if _DIFFERENT not in str(error):
            return Proof(ProofVerdict.OPEN, METHOD, "all states", used)
        return Proof(ProofVerdict.REFUTED, METHOD, "all states", used, _example(error))
    used = processor_seconds() - begun
    where = "all states" + ", where the Verilog defines a value" * found.undefined
    products = ", products formed as in synthesis" * found.formed
    scope = f"{where}, {found.kept} flip-flops, {found.dropped} dropped by synthesis{products}"
    return Proof(ProofVerdict.PROVEN, METHOD, scope, used)


def _example(error: NotProved) -> Counterexample:
    """State and inputs for which netlist and design differ."""
    if not error.differing:
        return Counterexample("netlist and Verilog differ")
    name, *others = error.differing
    gold, gate = (error.signals[f"{x}_{name}"][0] for x in ("gold", "gate"))
    text = f"{name.removeprefix('next:')} = {gate} in the netlist, {gold} in the Verilog"
    more = f"; {len(others)} others differ, too" if others else ""
    return Counterexample(text + more, (), error.signals, error.widths)
