"""Claim: the synthesized netlist computes what the translated design computes."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rsaxcel.flow.code import code_of
from rsaxcel.flow.kit import CLOCK_NS, DEFAULT_LIBRARY, Kit
from rsaxcel.flow.layout import usual_timer
from rsaxcel.flow.libraries import plain_kit
from rsaxcel.flow.library import kept_library
from rsaxcel.flow.nodes.synthesis import SynthesisNode, synthesize
from rsaxcel.flow.paths import temporary_folder
from rsaxcel.flow.synthesizer.interface import MappingSource
from rsaxcel.flow.synthesizer.mapping import prepare
from rsaxcel.flow.tools import find_timer, key_of_tool
from rsaxcel.flow.yosys import in_yosys, yosys_version
from rsaxcel.lab.proofs.answer import ProofVerdict
from rsaxcel.lab.proofs.claim import CircuitClaim, Counterexample, Proof, processor_seconds
from rsaxcel.lab.proofs.equivalence import NotProved, proved_equal
from rsaxcel.sim.translate import VerilogModule
from rsaxcel.store.folders import cache_root, file_digest, find, keep, key_of

METHOD = "combinational equivalence (&cec)"

_DIFFERENT = "NOT EQUIVALENT"
_NETLIST, _PREPARED = "netlist.json", "prepared.il"


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

    @property
    def read(self) -> Sequence[str] | None:
        """Digests of netlist, prepared design and library; None: the netlist is not made yet."""
        kit = _kit()
        folder = find(cache_root(), _entry(self.module, kit))
        if folder is None:
            return None
        return [file_digest(x) for x in (folder / _NETLIST, folder / _PREPARED, kit.liberty)]

    def make(self) -> None:
        """Synthesize the circuit, unless it is in the store."""
        kept_netlist(self.module, self.kit)

    @property
    def kit(self) -> Kit:
        return _kit()

    @property
    def netlist(self) -> Path:
        """File of the netlist, which is made first if it is not in the store."""
        return kept_netlist(self.module, self.kit) / _NETLIST

    def prove_other(self, netlist: str, seconds: float) -> Proof:
        """Prove or refute the claim about another netlist, in JSON."""
        with temporary_folder() as folder:
            file = folder / "other.json"
            file.write_text(netlist)
            return prove_netlist(self.module, file, self.kit, seconds)

    def prove(self, seconds: float) -> Proof:
        """Prove or refute the claim; ``seconds`` do not limit the synthesis."""
        module, kit, begun = self.module, _kit(), processor_seconds()
        kept = kept_netlist(module, kit)
        with temporary_folder() as folder:
            (folder / "design.v").write_text(module.text)
            (folder / "work").mkdir()
            shutil.copy(kept / _NETLIST, folder / _NETLIST)
            shutil.copy(kept / _PREPARED, folder / "work" / _PREPARED)
            return _proof(folder, module.top, kit, seconds, begun)


def _kit() -> Kit:
    return Kit.read(plain_kit(DEFAULT_LIBRARY))


def kept_netlist(module: VerilogModule, kit: Kit) -> Path:
    """Folder with the netlist of a circuit and its prepared design, which are made once."""

    def populate(folder: Path) -> None:
        with temporary_folder() as made:
            source = MappingSource(made / "design.v", module.top, kit)
            source.verilog.write_text(module.text)
            synthesize(source, CLOCK_NS, made, made / "work")
            shutil.copy(made / _NETLIST, folder)
            shutil.copy(made / "work" / _PREPARED, folder)

    return keep(cache_root(), _entry(module, kit), populate)


def _entry(module: VerilogModule, kit: Kit) -> str:
    """Name of the kept netlist, which depends on all that decides on it."""
    tools = yosys_version(), key_of_tool(find_timer(usual_timer()))
    key = key_of(module.text, module.top, kit.digest, CLOCK_NS, tools, code_of(SynthesisNode))
    return f"proven-netlist-{key}"


def prove_netlist(module: VerilogModule, netlist: Path, kit: Kit, seconds: float) -> Proof:
    """Prove or refute the claim about the ``netlist.json`` of a synthesis."""
    begun = processor_seconds()
    with temporary_folder() as folder:
        verilog, work = folder / "design.v", folder / "work"
        verilog.write_text(module.text)
        shutil.copy(netlist, folder / _NETLIST)
        # Dropped registers are read from the first step of synthesis, which gives the same each
        # time.
        in_yosys(folder / "prepare.log", prepare, verilog, module.top, work / _PREPARED, work)
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
