"""The ``native`` engine for systems: Verilator's model and a memory, in a shared library."""

from collections.abc import Callable
from pathlib import Path

from rsaxcel.proc.run import RunInterrupted
from rsaxcel.sim.batch import SimulationError
from rsaxcel.sim.native.call import call_bench
from rsaxcel.sim.native.compiled import Compiled
from rsaxcel.sim.native.driver import system_driver
from rsaxcel.sim.native.protocol import ModelSetup, RunOutcome, SystemBatch
from rsaxcel.sim.system_run import SystemEngine, SystemRequest, SystemRun, check_system, run_so_far


class NativeSystem(Compiled, SystemEngine):
    """Runs programs on one compiled system. Threads may share it.

    Each run starts with a new model; registers are zero before reset, or random with a power-up
    seed.
    """

    driver = staticmethod(system_driver)
    check = staticmethod(check_system)

    def run(
        self,
        request: SystemRequest,
        *,
        vcd: Path | None = None,
        saif: Path | None = None,
        advance: Callable[[int], object] | None = None,
    ) -> SystemRun:
        """Run one program; the docstring of ``sim.system`` defines each cycle.

        ``saif`` gets the toggle counts of every net from the reset to the end. A message that is
        not valid keeps its value, so that an idle bus costs no energy. Bits that are 1 at the start
        count: subtract the counts of a run of 0 cycles.
        """
        library, trace_path = self.traced_library(vcd, saif)

        setup = ModelSetup(trace_path=trace_path, power_up_seed=request.power_up_seed)
        batch = SystemBatch.of([request])
        try:
            outcome, _ = call_bench(library, "run_systems", [setup], [batch], advance)
        except KeyboardInterrupt:
            raise RunInterrupted(_result(batch)) from None
        if outcome == RunOutcome.FAILED:
            raise SimulationError(f"{self.design}: {batch.error.decode(errors='replace')}")
        return _result(batch)


def _result(batch: SystemBatch) -> SystemRun:
    return run_so_far(batch.runs()[0], batch.programs[0].pc)
