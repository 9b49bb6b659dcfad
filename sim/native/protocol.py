"""Records that Python and the C++ test benches exchange; the C++ is generated from them."""

import ctypes
from collections.abc import Sequence
from enum import IntEnum

import numpy as np

from rsaxcel.sim.batch import Conditions
from rsaxcel.sim.native.records import ForeignRecord
from rsaxcel.sim.system_run import SystemRequest, SystemRun, make_end

_Bytes = ctypes.POINTER(ctypes.c_uint8)
_Words = ctypes.POINTER(ctypes.c_uint32)
_Counts = ctypes.POINTER(ctypes.c_uint64)
_Cycles = ctypes.POINTER(ctypes.c_int64)
_MessageCall = ctypes.CFUNCTYPE(None, ctypes.c_uint64, ctypes.c_uint32)
_ERROR_NBYTES = 256
_CHANNELS = 6

NO_LIMIT = (1 << 64) - 1  #: limit of cycles that is never reached


class RunOutcome(IntEnum):
    """End of a bench's run.

    ``TIMEOUT``: no handshake for too long. ``UNEXPECTED``: a response without a request.
    ``STOPPED``: by Python. ``FAILED``: by an exception in C++.
    """

    DONE = 0
    TIMEOUT = 1
    UNEXPECTED = 2
    STOPPED = 3
    FAILED = 4


class CallControl(ForeignRecord):
    """State of one call of a bench: Python sets ``stop`` and reads ``cycles``, ``done`` batches."""

    _fields_ = (("stop", ctypes.c_uint64), ("cycles", ctypes.c_uint64), ("done", ctypes.c_uint64))


class ModelSetup(ForeignRecord):
    """Arguments of Verilator's model: the file of its trace, and the seed of its registers."""

    _fields_ = (("trace_path", ctypes.c_char_p), ("power_up_seed", ctypes.c_uint64))


class StreamBatch(ForeignRecord):
    """A batch for a circuit with two streams: requests, responses and handshake cycles.

    Arrays have a row for each lane (copy of the circuit, side by side). ``reset_at`` is -1 without
    a reset in flight. Toggles of the first ``uncounted`` requests do not count, those after the
    last response only with ``count_tail``. ``request_words`` and ``response_words`` count the words
    of one digit of a request or response. The run times out after ``max_idle`` cycles without a
    handshake, and after ``max_cycles``.
    """

    _fields_ = (
        ("requests", _Words),
        ("responses", _Words),
        ("source_delay", _Counts),
        ("sink_delay", _Counts),
        ("accepted_at", _Cycles),
        ("valid_at", _Cycles),
        ("taken_at", _Cycles),
        ("request_words", ctypes.c_uint64),
        ("response_words", ctypes.c_uint64),
        ("request_digits", ctypes.c_uint64),
        ("response_digits", ctypes.c_uint64),
        ("lanes", ctypes.c_uint64),
        ("count", ctypes.c_uint64),
        ("in_flight", ctypes.c_uint64),
        ("max_idle", ctypes.c_uint64),
        ("max_cycles", ctypes.c_uint64),
        ("uncounted", ctypes.c_uint64),
        ("count_tail", ctypes.c_uint64),
        ("power_up_cycles", ctypes.c_uint64),
        ("reset_at", ctypes.c_int64),
        ("reset_cycles", ctypes.c_uint64),
        ("cycles", ctypes.c_uint64),
        ("accepted", ctypes.c_uint64),
        ("answered", ctypes.c_uint64),
        ("error", ctypes.c_char * _ERROR_NBYTES),
    )

    @classmethod
    def of(
        cls,
        requests: np.ndarray,
        response_words: int,
        under: Conditions,
        *,
        in_flight: int | None,
        max_idle_cycles: int,
        max_cycles: int = NO_LIMIT,
        uncounted: int = 0,
        count_tail: bool = False,
        request_digits: int = 1,
        response_digits: int = 1,
    ) -> "StreamBatch":
        """Make a batch from an array (lane, request, word).

        ``response_words`` counts the words of all digits.
        """
        lanes, count, request_words = requests.shape
        delays = np.array(under.stalls.delays(count), np.uint64)
        source, sink = (np.tile(delays[side], (lanes, 1)) for side in (0, 1))
        return cls(
            requests=requests,
            responses=np.zeros((lanes, count, response_words), np.uint32),
            source_delay=source,
            sink_delay=sink,
            accepted_at=np.full((lanes, count), -1, np.int64),
            valid_at=np.full((lanes, count), -1, np.int64),
            taken_at=np.full((lanes, count), -1, np.int64),
            request_words=request_words // request_digits,
            response_words=response_words // response_digits,
            request_digits=request_digits,
            response_digits=response_digits,
            lanes=lanes,
            count=count,
            in_flight=max(count, 1) if in_flight is None else in_flight,
            max_idle=max_idle_cycles,
            max_cycles=max_cycles,
            uncounted=uncounted,
            count_tail=count_tail,
            power_up_cycles=under.power_up_cycles,
            reset_at=-1 if under.reset_at is None else under.reset_at,
            reset_cycles=under.reset_cycles,
        )


class ProgramResult(ForeignRecord):
    """Result of the program that ran on one lane."""

    _fields_ = tuple(
        (name, ctypes.c_uint64)
        for name in (
            "ended",
            "cause",
            "pc",
            "inst",
            "value",
            "cycles",
            "instructions",
            "measured_cycles",
            "measured_instructions",
            "inputs_taken",
            "messages",
            "messages_before_reset",
        )
    )


class SystemBatch(ForeignRecord):
    """A batch for a processor system: a program in each lane (copy of the system).

    Arrays have a row for each lane. ``images``, the initial memories, are restored by a reset
    during the run, and absent without one. ``stalls``: chance for each channel, in 256ths
    (``sim.stalls.SystemStalls.chances``).
    """

    _fields_ = (
        ("memories", _Bytes),
        ("images", _Bytes),
        ("inputs", _Words),
        ("input_counts", _Counts),
        ("programs", ctypes.POINTER(ProgramResult)),
        ("message", _MessageCall),
        ("memory_nbytes", ctypes.c_uint64),
        ("max_inputs", ctypes.c_uint64),
        ("lanes", ctypes.c_uint64),
        ("latency", ctypes.c_uint64),
        ("max_cycles", ctypes.c_uint64),
        ("power_up_cycles", ctypes.c_uint64),
        ("reset_at", ctypes.c_int64),
        ("reset_cycles", ctypes.c_uint64),
        ("stalls", ctypes.c_uint64 * _CHANNELS),
        ("seed", ctypes.c_uint64),
        ("core_id", ctypes.c_uint64),
        ("error", ctypes.c_char * _ERROR_NBYTES),
    )

    @classmethod
    def of(cls, requests: Sequence[SystemRequest]) -> "SystemBatch":
        """Make a batch of programs.

        ``ValueError`` if they differ in more than images and inputs.
        """
        first, lanes = requests[0], len(requests)
        for name in _COMMON:
            if any(getattr(request, name) != getattr(first, name) for request in requests):
                raise ValueError(f"{name} differs between programs that run side by side")
        memories = np.zeros((lanes, first.memory_nbytes), np.uint8)
        for memory, request in zip(memories, requests, strict=True):
            contents = request.contents
            memory[: len(contents)] = np.frombuffer(contents, np.uint8)
        counts = np.array([len(request.inputs) for request in requests], np.uint64)
        inputs = np.zeros((lanes, max(1, int(counts.max()))), np.uint32)
        for row, request in zip(inputs, requests, strict=True):
            row[: len(request.inputs)] = request.inputs
        sent: list[list[int]] = [[] for _ in requests]
        batch = cls(
            memories=memories,
            images=None if first.reset_at is None else memories.copy(),
            inputs=inputs,
            input_counts=counts,
            programs=[ProgramResult() for _ in requests],
            message=_MessageCall(lambda lane, word: sent[lane].append(word)),
            memory_nbytes=first.memory_nbytes,
            max_inputs=inputs.shape[1],
            lanes=lanes,
            latency=first.latency,
            max_cycles=first.max_cycles,
            power_up_cycles=first.power_up_cycles,
            reset_at=-1 if first.reset_at is None else first.reset_at,
            reset_cycles=first.reset_cycles,
            stalls=(ctypes.c_uint64 * _CHANNELS)(*first.stalls.chances),
            seed=first.stalls.seed,
            core_id=first.core_id,
        )
        batch.sent = sent
        return batch

    sent: list[list[int]]  #: words that each program wrote to `proc2mngr`

    def runs(self) -> list[SystemRun]:
        return [self._run(lane) for lane in range(self.lanes)]

    def _run(self, lane: int) -> SystemRun:
        program = self.programs[lane]
        ended = (program.cause, program.pc, program.inst, program.value)
        return SystemRun(
            end=make_end(*ended) if program.ended else None,
            messages=tuple(self.sent[lane][program.messages_before_reset :]),
            cycles=program.cycles,
            instructions=program.instructions,
            measured_cycles=program.measured_cycles,
            measured_instructions=program.measured_instructions,
            inputs_taken=program.inputs_taken,
            memory=self.arrays["memories"][lane].tobytes(),
        )


_COMMON = (
    "max_cycles",
    "latency",
    "core_id",
    "memory_nbytes",
    "stalls",
    "power_up_cycles",
    "reset_at",
    "reset_cycles",
)
