"""Runs programs on the netlist of a processor system, counting the toggles."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.gates.engine import LANES, WHOLE, GateEngine, refuse_seed
from rsaxcel.flow.gates.timed import Sample
from rsaxcel.flow.power.activity import Activity
from rsaxcel.flow.power.netlist import Netlist
from rsaxcel.flow.power.slews import Slews
from rsaxcel.sim.native.ports import SYSTEM_PORTS, check_memory_messages
from rsaxcel.sim.native.protocol import SystemBatch
from rsaxcel.sim.system_run import SystemRequest, SystemRun
from rsaxcel.sim.translate import Message


class GateSystem(GateEngine):
    """A netlist with the ports of a processor system, ready to run; memories are not part of it.

    A message port that is not valid keeps its last value, so that an idle bus costs no energy.
    """

    def __init__(self, netlist: Netlist, slews: Slews | None = None) -> None:
        super().__init__(netlist, SYSTEM_PORTS, slews=slews)

    def run(
        self,
        requests: Sequence[SystemRequest],
        messages: dict[str, Message],
        *,
        registers: np.random.Generator | None = None,
        sample: Sample = WHOLE,
    ) -> tuple[list[SystemRun], Activity]:
        """Run up to 64 programs side by side, which differ only in images and inputs.

        Return their results, and the activity from the reset to the cycle that signals the end.

        Toggles during reset do not count. Without ``registers``, all are 0 before reset.
        ``ValueError`` for other programs, or messages that differ from ``proc.ports``.
        """
        if not 0 < len(requests) <= LANES:
            raise ValueError(f"{len(requests)} programs: 1 to {LANES} are allowed")
        for request in requests:
            refuse_seed(request.power_up_seed)
        check_memory_messages(messages)
        batch = SystemBatch.of(requests)
        prepared = self.prepare(registers)
        _, timed = self.call("run_systems", prepared, batch, sample)
        runs = batch.runs()
        if any(run.end is None for run in runs):
            raise FlowError(
                f"gate-level simulation of {self.netlist.top}: no end within {batch.max_cycles} "
                "cycles"
            )
        return runs, self.activity(prepared, timed)
