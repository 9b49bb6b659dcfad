"""Runs programs on the netlist of a processor system, counting the toggles."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flow.errors import FlowError
from flow.gates.engine import LANES, GateEngine, NetlistArrays
from flow.power.activity import Activity
from proc.isa import XLEN
from sim.batch import RESET_CYCLES
from sim.system_run import SystemRequest, SystemRun, make_end
from sim.translate import Message

_DONE, _TIMEOUT = range(2)
_MAX_MESSAGES = 1024
_REQUEST_FIELDS = ("type_", "opaque", "addr", "len", "data")
_RESPONSE_FIELDS = ("type_", "opaque", "test", "len", "data")


class _Port(ctypes.Structure):
    """``Port`` of system.h."""

    _fields_ = (
        ("nets", ctypes.c_void_p),
        *((name, ctypes.c_int64) for name in ("bits", "valid_net", "ready_net")),
    )


class _Field(ctypes.Structure):
    """``Field`` of system.h."""

    _fields_ = (("lsb", ctypes.c_int64), ("width", ctypes.c_int64))


class _Program(ctypes.Structure):
    """``Program`` of system.h."""

    _fields_ = tuple(
        (name, ctypes.c_int64)
        for name in (
            *("ended", "cause", "pc", "inst", "value"),
            *("cycles", "instructions", "measured_cycles", "measured_instructions"),
            *("messages", "inputs_taken"),
        )
    )


class _Simulation(ctypes.Structure):
    """``SystemSimulation`` of system.h."""

    _fields_ = (
        ("netlist", NetlistArrays),
        *((n, _Port) for n in ("imem_req", "imem_resp", "dmem_req", "dmem_resp")),
        *((n, _Port) for n in ("proc2mngr", "mngr2proc")),
        ("request", _Field * len(_REQUEST_FIELDS)),
        ("response", _Field * len(_RESPONSE_FIELDS)),
        *((f"{n}_nets", ctypes.c_void_p) for n in ("cause", "pc", "inst", "value")),
        *((f"{n}_net", ctypes.c_int64) for n in ("stats_en", "commit_inst", "trap_val")),
        *((n, ctypes.c_int64) for n in ("cause_bits", "word_bits")),
        ("memories", ctypes.c_void_p),
        ("memory_nbytes", ctypes.c_int64),
        ("latency", ctypes.c_int64),
        ("messages", ctypes.c_void_p),
        ("max_messages", ctypes.c_int64),
        ("inputs", ctypes.c_void_p),
        ("input_counts", ctypes.c_void_p),
        ("max_inputs", ctypes.c_int64),
        ("programs", ctypes.c_void_p),
        *((n, ctypes.c_int64) for n in ("lanes", "max_cycles", "stop")),
    )


@dataclass(frozen=True)
class GateSystemRun:
    """What programs did on the netlist.

    Parameters
    ----------
    runs
        One for each program.
    activity
        Toggles of all runs, from the first cycle after reset to the one that shows the end.
    """

    runs: list[SystemRun]
    activity: Activity


class GateSystem(GateEngine):
    """A netlist with the ports of a processor system, ready to run.

    The semantics are those of the engines of systems, without stalls. Messages that are not
    valid stay as they were, so that an idle bus costs no energy. The memories are not part of
    the circuit.
    """

    def run(
        self,
        requests: Sequence[SystemRequest],
        messages: dict[str, Message],
        *,
        registers: np.random.Generator | None = None,
    ) -> GateSystemRun:
        """Run programs side by side.

        Parameters
        ----------
        requests
            Up to 64 programs with equal limits and sizes of memories, without stalls or resets.
        messages
            Messages of the ports by name, as translation gives them.
        registers
            Draws the registers' values before reset, which are 0 otherwise.

        Raises
        ------
        ValueError
            For too many programs, or ones that ask for what is not simulated.
        FlowError
            If a program does not end within its cycles.
        """
        lanes, first = len(requests), _check(requests)
        prepared = self.prepare(registers)
        memories = np.frombuffer(b"".join(r.memory() for r in requests), np.uint8).copy()
        sent = np.zeros((lanes, _MAX_MESSAGES), np.uint32)
        counts = np.array([len(request.inputs) for request in requests], np.int64)
        inputs = np.zeros((lanes, max(1, counts.max())), np.uint32)
        for row, request in zip(inputs, requests, strict=True):
            row[: len(request.inputs)] = request.inputs
        programs = (_Program * lanes)()
        kept: list[np.ndarray] = []

        def nets(port: str) -> int:
            kept.append(self.nets(port))
            return kept[-1].ctypes.data

        def port(name: str) -> _Port:
            data = nets(f"{name}__msg")
            return _Port(data, len(kept[-1]), self.net(f"{name}__val"), self.net(f"{name}__rdy"))

        simulation = _Simulation(
            prepared.netlist,
            imem_req=port("imem__req"),
            imem_resp=port("imem__resp"),
            dmem_req=port("dmem__req"),
            dmem_resp=port("dmem__resp"),
            proc2mngr=port("proc2mngr"),
            mngr2proc=port("mngr2proc"),
            request=_fields(messages["imem__req__msg"], _REQUEST_FIELDS),
            response=_fields(messages["imem__resp__msg"], _RESPONSE_FIELDS),
            **{f"{n}_nets": nets(f"trap_{n}") for n in ("cause", "pc", "inst", "value")},
            **{f"{n}_net": self.net(n) for n in ("stats_en", "commit_inst", "trap_val")},
            cause_bits=len(self.nets("trap_cause")),
            word_bits=XLEN,
            memories=memories.ctypes.data,
            memory_nbytes=first.memory_nbytes,
            latency=first.latency,
            messages=sent.ctypes.data,
            max_messages=_MAX_MESSAGES,
            inputs=inputs.ctypes.data,
            input_counts=counts.ctypes.data,
            max_inputs=inputs.shape[1],
            programs=ctypes.addressof(programs),
            lanes=lanes,
            max_cycles=first.max_cycles,
        )
        if self.call("simulate_system", simulation) == _TIMEOUT:
            raise FlowError(
                f"gate-level simulation of {self.netlist.top}: no end within {first.max_cycles} "
                "cycles"
            )
        contents = memories.reshape(lanes, -1)
        runs = [_run(p, sent[i], contents[i]) for i, p in enumerate(programs)]
        return GateSystemRun(runs, self.activity(prepared, simulation.netlist.counted_cycles))


def _check(requests: Sequence[SystemRequest]) -> SystemRequest:
    if not 0 < len(requests) <= LANES:
        raise ValueError(f"{len(requests)} programs: 1 to {LANES} are allowed")
    first = requests[0]
    for request in requests:
        if any(request.stalls.chances) or request.reset_at is not None:
            raise ValueError("stalls and resets in flight are not simulated with gates")
        if request.power_up_seed or request.power_up_cycles != RESET_CYCLES:
            raise ValueError("power_up_seed and power_up_cycles are not simulated with gates")
        for name in ("max_cycles", "latency", "core_id", "memory_nbytes"):
            if getattr(request, name) != getattr(first, name):
                raise ValueError(f"{name} differs between programs that run side by side")
    if first.core_id:
        raise ValueError(f"core_id={first.core_id}: 0 is allowed with gates")
    return first


def _fields(message: Message, names: Sequence[str]) -> ctypes.Array:
    found = {field.name: _Field(field.lsb, field.width) for field in message.fields}
    return (_Field * len(names))(*(found[name] for name in names))


def _run(program: _Program, sent: np.ndarray, memory: np.ndarray) -> SystemRun:
    if program.messages > len(sent):
        raise FlowError(f"a program sent {program.messages} messages; {len(sent)} are kept")
    return SystemRun(
        end=make_end(program.cause, program.pc, program.inst, program.value),
        messages=tuple(sent[: program.messages].tolist()),
        cycles=program.cycles,
        instructions=program.instructions,
        measured_cycles=program.measured_cycles,
        measured_instructions=program.measured_instructions,
        inputs_taken=program.inputs_taken,
        memory=memory.tobytes(),
    )
