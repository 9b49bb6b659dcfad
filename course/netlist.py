"""Netlists of circuits: checked on fresh operands and by proof, or run as an engine."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from rsaxcel.circuit import Circuit
from rsaxcel.flow.errors import WrongNetlist
from rsaxcel.flow.gates.streams import GateSimulator
from rsaxcel.flow.kit import DEFAULT_LIBRARY, Kit
from rsaxcel.flow.libraries import plain_kit
from rsaxcel.flow.paths import temporary_folder
from rsaxcel.flow.power.netlist import Netlist
from rsaxcel.flow.shells import mapped
from rsaxcel.flow.subjects import subject_of
from rsaxcel.flow.subjects.circuits import pack, unpack
from rsaxcel.lab.proofs.netlists import prove_netlist
from rsaxcel.lab.proofs.solver import ProofVerdict
from rsaxcel.sim.batch import Batch, ColumnBatch, Conditions
from rsaxcel.sim.check.refused import Refused
from rsaxcel.sim.stalls import StallProfile
from rsaxcel.sim.translate import VerilogModule

MOST_PROVEN_NBITS = 16  #: widest circuit whose netlist is compared with its Verilog by proof

_SOLVER_SECONDS = 10


def _kit() -> Kit:
    return Kit.read(plain_kit(DEFAULT_LIBRARY))


def _synthesized(circuit: Circuit, folder: Path) -> tuple[VerilogModule, Netlist, Path]:
    """Synthesize a circuit with its shell; return its Verilog, its netlist and the file of it."""
    module, kit = subject_of(circuit.whole).verilog(), _kit()
    file = mapped(module, kit, folder)
    return module, Netlist.from_yosys_json(file, kit.library, top=module.top), file


def refute(module: VerilogModule, netlist: Path, kit: Kit) -> bool:
    """Whether a netlist is proven in some seconds; ``WrongNetlist`` names a difference."""
    proof = prove_netlist(module, netlist, kit, _SOLVER_SECONDS)
    if proof.counterexample is not None:
        raise WrongNetlist(f"the netlist differs from the Verilog: {proof.counterexample.text}")
    return proof.verdict is ProofVerdict.PROVEN


class NetlistEngine:
    """The netlist of a circuit, which runs batches as the engines of ``sim.engine`` do."""

    def __init__(self, circuit: Circuit) -> None:
        with temporary_folder() as folder:
            self._module, netlist, _ = _synthesized(circuit, folder)
        self.design, self._simulator = netlist.top, GateSimulator(netlist)

    def run(
        self,
        requests: Sequence[tuple[int, ...]],
        *,
        stalls: StallProfile,
        in_flight: int | None,
        max_idle_cycles: int,
        reset_at: int | None = None,
    ) -> Batch:
        """Run one batch; registers start with random values. ``FlowError`` if it never ends."""
        request, response = self._module.request, self._module.response
        done = self._simulator.run(
            [[pack(request, fields) for fields in requests]],
            under=Conditions(stalls, reset_at=reset_at),
            in_flight=in_flight,
            registers=np.random.default_rng(0),
            max_idle_cycles=max_idle_cycles,
            digits=(request.digits, response.digits),
        )
        columns = tuple(zip(*(unpack(response, x) for x in done.responses[0]), strict=True))
        at = done.accepted[0], done.valid[0], done.taken[0]
        return ColumnBatch(columns, *at, int(at[-1].max()) + 1).rows()


def check_netlist(configuration: Circuit, count: int, seed: int) -> str:
    """Check a netlist on operands drawn after the synthesis; ``count``, ``seed`` do not apply."""
    with temporary_folder() as folder:
        module, netlist, file = _synthesized(configuration, folder)
        try:
            checked = subject_of(configuration.whole).run_fresh(netlist, module)
            is_narrow = configuration.nbits <= MOST_PROVEN_NBITS
            proven = is_narrow and refute(module, file, _kit())
        except WrongNetlist as error:
            raise Refused("netlist", f"{configuration.nbits} bits: {error}") from error
    assert checked is not None  # circuits alone are checked
    told = f"{checked.operations:,} operations, seed {checked.seed}"
    return told + "; equal to the Verilog in all states" * proven
