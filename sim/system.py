"""Runs programs on systems: a processor and its memory, with or without an accelerator.

Both engines behave the same in every cycle and return equal :class:`~sim.system_run.SystemRun`
objects:

- Before cycle 0, reset is high for ``power_up_cycles`` cycles. All registers are zero when it
  begins, or random with a ``power_up_seed`` (native engine only).
- Each memory interface accepts requests while fewer than ``latency + 1`` are outstanding. A request
  is performed at the end of the cycle that accepts it, the instruction memory's first. The response
  is offered ``latency`` cycles later, in order, and stays valid until it is taken. An access
  outside the memory gets ``test`` = 1 and changes nothing.
- ``mngr2proc`` offers the inputs one after the other; ``proc2mngr`` is always ready.
- While a message to the processor is not valid, all its bits are 1.
- Random stalls follow :class:`sim.stalls.SystemStalls`.
- ``reset_at``: reset is high for ``reset_cycles`` cycles from this cycle on. The program starts
  again with the initial memory; nothing before counts.
- The run ends with the first cycle in which ``trap_val`` is high. If this does not happen within
  ``max_cycles`` cycles or in the cycle after them, the result is a
  :class:`sim.system_run.UnfinishedRun`.
- Ctrl-C raises :class:`proc.run.RunInterrupted` with the unfinished run.
"""

from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from pymtl3 import Component
from pymtl3.stdlib.mem import MemMsgType
from pymtl3.stdlib.stream.ifcs import MasterIfcRTL

from rsaxcel.diagnosis.check import check_target
from rsaxcel.proc import systems
from rsaxcel.proc.isa import End
from rsaxcel.proc.ports import MemRespMsg, Word
from rsaxcel.proc.run import RunInterrupted
from rsaxcel.sim.batch import SimulationError
from rsaxcel.sim.engine import ENGINES, EngineName
from rsaxcel.sim.native.call import call_bench
from rsaxcel.sim.native.compiled import Compiled, system_driver
from rsaxcel.sim.native.protocol import ModelSetup, RunOutcome, SystemBatch
from rsaxcel.sim.pymtl_engine import prepare
from rsaxcel.sim.system_run import (
    SystemEngine,
    SystemRequest,
    SystemRun,
    check_system,
    make_end,
    run_so_far,
)

_ADVANCE_CYCLES = 1000
_NO_RESPONSE = MemRespMsg.from_bits(~MemRespMsg().to_bits())
_NO_WORD = ~Word(0)


class _MemorySide:
    """One port of the memory: answers requests in order, ``latency`` cycles after acceptance."""

    def __init__(self, port: MasterIfcRTL, memory: bytearray, latency: int) -> None:
        self._port = port
        self._memory = memory
        self._latency = latency
        self._responses: deque[tuple[int, MemRespMsg]] = deque()
        self._shown = self._ready = False

    def rest(self) -> None:
        """Drop all pending responses, and set the processor's inputs at this port to idle."""
        self._responses.clear()
        self._shown = self._ready = False
        self._port.req.rdy @= 0
        self._port.resp.val @= 0
        self._port.resp.msg @= _NO_RESPONSE

    def drive(self, cycle: int, accepts: bool, answers: bool) -> None:
        """Set the port's inputs for a cycle; an offered response stays until it is taken."""
        self._ready = accepts and len(self._responses) <= self._latency
        if not self._shown:
            self._shown = answers and bool(self._responses) and self._responses[0][0] <= cycle
        self._port.req.rdy @= self._ready
        self._port.resp.val @= self._shown
        self._port.resp.msg @= self._responses[0][1] if self._shown else _NO_RESPONSE

    def transfer(self, cycle: int) -> None:
        """Perform the handshakes of a cycle whose combinational signals have settled."""
        if self._shown and self._port.resp.rdy:
            self._responses.popleft()
            self._shown = False
        if self._ready and self._port.req.val:
            self._responses.append((cycle + self._latency, self._access(self._port.req.msg)))

    def _access(self, request: Any) -> MemRespMsg:
        address, nbytes, kind = int(request.addr), int(request.len) or 4, int(request.type_)
        test, data = 0, 0
        if kind not in (MemMsgType.READ, MemMsgType.WRITE) or address + nbytes > len(self._memory):
            test = 1
        elif kind == MemMsgType.READ:
            data = int.from_bytes(self._memory[address : address + nbytes], "little")
        else:
            written = int(request.data).to_bytes(4, "little")[:nbytes]
            self._memory[address : address + nbytes] = written
        return MemRespMsg(kind, int(request.opaque), test, int(request.len), data)


class PymtlSystem(SystemEngine):
    """Runs programs on one simulated system; registers without reset keep their contents.

    ``factory`` is called again for each waveform.
    """

    def __init__(self, factory: Callable[[], Component]) -> None:
        self._factory = factory
        self._top = self._build(None)

    def _build(self, vcd: Path | None) -> Component:
        top = self._factory()
        top.elaborate()
        self.design = type(top).__name__
        check_system(top)
        prepare(top, vcd)
        return top

    def run(
        self,
        request: SystemRequest,
        *,
        vcd: Path | None = None,
        saif: Path | None = None,
        advance: Callable[[int], object] | None = None,
    ) -> SystemRun:
        if saif is not None:
            raise ValueError("saif: only the native engine counts toggles")
        if request.power_up_seed:
            seed = request.power_up_seed
            raise ValueError(f"power_up_seed={seed}: only the native engine supports it")
        top = self._top if vcd is None else self._build(vcd)
        return _Execution(top, request).run(advance or (lambda cycles: None))


class _Execution:
    """One run of a program on an elaborated system."""

    def __init__(self, top: Component, request: SystemRequest) -> None:
        self.top = top
        self.request = request
        self.memory = request.memory()
        self.sides = tuple(
            _MemorySide(port, self.memory, request.latency) for port in (top.imem, top.dmem)
        )

    def restart(self, reset_cycles: int) -> None:
        """Reset the system, its memory and the counts of the run."""
        self.messages: list[int] = []
        self.inputs = deque(self.request.inputs)
        self.input_shown = False
        self.instructions = self.measured_cycles = self.measured_instructions = 0
        self.memory[:] = self.request.memory()
        top = self.top
        for side in self.sides:
            side.rest()
        top.core_id @= self.request.core_id
        top.mngr2proc.val @= 0
        top.mngr2proc.msg @= _NO_WORD
        top.proc2mngr.rdy @= 0
        top.reset @= 1
        for _ in range(reset_cycles):
            top.sim_settle()
            top.sim_edge()
        top.reset @= 0

    def run(self, advance: Callable[[int], object]) -> SystemRun:
        """Run the program to its end, or to the limit of cycles."""
        self.cycle = 0
        self.restart(self.request.power_up_cycles)
        try:
            self._go(advance)
        except KeyboardInterrupt:
            raise RunInterrupted(self._result(None)) from None
        return self._result(self._end())

    def _go(self, advance: Callable[[int], object]) -> None:
        """Run until ``trap_val`` shows the program's end, or until the limit of cycles.

        The last cycle is settled but has no clock edge.
        """
        request, top = self.request, self.top
        draws = request.stalls.draws()
        while self.cycle < request.max_cycles:
            if self.cycle == request.reset_at:
                self.restart(request.reset_cycles)
                self.cycle += request.reset_cycles
                continue
            self._drive(self.cycle, next(draws))
            top.sim_settle()
            measured, commits = int(top.stats_en), int(top.commit_inst)
            self.instructions += commits
            self.measured_cycles += measured
            self.measured_instructions += measured & commits
            if top.trap_val:
                return
            self._transfer(self.cycle)
            top.sim_edge()
            self.cycle += 1
            if self.cycle % _ADVANCE_CYCLES == 0:
                advance(_ADVANCE_CYCLES)
        top.sim_settle()

    def _end(self) -> End | None:
        """End of the program by the trap ports of a settled cycle; None: the program runs on."""
        top = self.top
        ports = (top.trap_cause, top.trap_pc, top.trap_inst, top.trap_value)
        return make_end(*map(int, ports)) if top.trap_val else None

    def _result(self, end: End | None) -> SystemRun:
        run = SystemRun(
            end=end,
            messages=tuple(self.messages),
            cycles=self.cycle,
            instructions=self.instructions,
            measured_cycles=self.measured_cycles,
            measured_instructions=self.measured_instructions,
            inputs_taken=len(self.request.inputs) - len(self.inputs),
            memory=bytes(self.memory),
        )
        return run_so_far(run, int(self.top.trap_pc))

    def _drive(self, cycle: int, goes: tuple[bool, ...]) -> None:
        """Set the system's inputs for a cycle."""
        for side, accepts, answers in zip(self.sides, goes[0:4:2], goes[1:4:2], strict=True):
            side.drive(cycle, accepts, answers)
        if not self.input_shown:
            self.input_shown = bool(self.inputs) and goes[4]
        self.top.mngr2proc.val @= self.input_shown
        self.top.mngr2proc.msg @= self.inputs[0] if self.input_shown else _NO_WORD
        self.top.proc2mngr.rdy @= goes[5]

    def _transfer(self, cycle: int) -> None:
        """Perform the handshakes of a cycle whose combinational signals have settled."""
        top = self.top
        for side in self.sides:
            side.transfer(cycle)
        if self.input_shown and top.mngr2proc.rdy:
            self.inputs.popleft()
            self.input_shown = False
        if top.proc2mngr.val & top.proc2mngr.rdy:
            self.messages.append(int(top.proc2mngr.msg))


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


def open_system(
    engine: EngineName,
    component_factory: Callable[[], Component],
    *,
    key: str | None = None,
    sources: Iterable[Path] = (),
) -> SystemEngine:
    """Prepare a system with the ports of ``proc.ports``, except the accelerator's, to run programs.

    With a ``key`` (name with all parameters) and ``sources``, the native engine reuses a stored
    translation (:func:`sim.translate.translate_cached`).
    """
    if engine == "pymtl":
        return PymtlSystem(component_factory)
    if engine == "native":
        return NativeSystem.from_component(component_factory, key=key, sources=sources)
    raise ValueError(f"engine={engine!r}: expected one of {', '.join(ENGINES)}")


def open_circuit(system: systems.System, engine: EngineName = "native") -> SystemEngine:
    """Prepare the RTL of a system to run programs; a stored translation and library are reused."""
    check_target(system)
    return open_system(engine, system.component, key=system.key, sources=system.sources)


def open_cycle_model(system: systems.System) -> SystemEngine:
    """Prepare a system with the circuit of the processor and the accelerator's cycle model."""
    return open_system("pymtl", lambda: system.component("cl"))
