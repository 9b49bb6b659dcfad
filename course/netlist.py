"""Checks that a netlist computes what its circuit should: on fresh operands, and by proof."""

from __future__ import annotations

from pathlib import Path

from rsaxcel.circuit import Circuit
from rsaxcel.flow.errors import WrongNetlist
from rsaxcel.flow.kit import DEFAULT_LIBRARY, Kit
from rsaxcel.flow.libraries import plain_kit
from rsaxcel.flow.library import kept_library
from rsaxcel.flow.paths import temporary_folder
from rsaxcel.flow.power.netlist import Netlist
from rsaxcel.flow.shells import mapped
from rsaxcel.flow.subjects import subject_of
from rsaxcel.lab.proofs.answer import ProofVerdict
from rsaxcel.lab.proofs.netlists import prove_netlist
from rsaxcel.sim.check.refused import Refused
from rsaxcel.sim.translate import VerilogModule

MOST_PROVEN_NBITS = 16  #: widest circuit whose netlist is compared with its Verilog by proof

_SOLVER_SECONDS = 10


def refute(module: VerilogModule, netlist: Path, kit: Kit) -> bool:
    """Whether a netlist is proven in some seconds; ``WrongNetlist`` names a difference."""
    proof = prove_netlist(module, netlist, kit, _SOLVER_SECONDS)
    if proof.counterexample is not None:
        raise WrongNetlist(f"the netlist differs from the Verilog: {proof.counterexample.text}")
    return proof.verdict is ProofVerdict.PROVEN


def check_netlist(configuration: Circuit, count: int, seed: int) -> str:
    """Check a netlist on operands drawn after the synthesis; ``count``, ``seed`` do not apply."""
    subject = subject_of(configuration.whole)
    kit = Kit.read(plain_kit(DEFAULT_LIBRARY))
    module = subject.verilog()
    with temporary_folder() as folder:
        file = mapped(module, kit, folder)
        netlist = Netlist.from_yosys_json(file, kept_library(kit.liberty), top=module.top)
        try:
            checked = subject.run_fresh(netlist, module)
            is_narrow = configuration.nbits <= MOST_PROVEN_NBITS
            proven = is_narrow and refute(module, file, kit)
        except WrongNetlist as error:
            raise Refused("netlist", f"{configuration.nbits} bits: {error}") from error
    assert checked is not None  # circuits alone are checked
    told = f"{checked.operations:,} operations, seed {checked.seed}"
    return told + "; equal to the Verilog in all states" * proven
