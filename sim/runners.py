"""Runs vectors on a Python model or on a simulated component, at any level and on any engine."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from rsaxcel.circuit import Circuit, is_described, is_product
from rsaxcel.fl.status import Status
from rsaxcel.sim.batch import SimulationError, SimulationTimeout
from rsaxcel.sim.corners import Operands
from rsaxcel.sim.vectors import Vector
from rsaxcel.store.errors import RunError, UserError

if TYPE_CHECKING:
    from rsaxcel.sim.engine import Engine
    from rsaxcel.sim.translate import VerilogModule

LEVELS = ("fl", "cl", "rtl")  #: functional model, cycle model, circuit

_HANG_FACTOR = 4
_HANG_MARGIN_CYCLES = 1000
#: Limit for a circuit without a cycle model: some cycles per bit for a product, and two products
#: per bit of the exponent.
_CYCLES_PER_BIT_AND_BIT = 64
_UNKNOWN_CYCLES = 10_000


class Answer(NamedTuple):
    """Answer to one vector.

    ``cycles`` counts from acceptance to response, ``load_cycles`` from the offer, when the circuit
    is idle, to acceptance. None at FL, and for a request that was not sent.
    """

    status: Status | int
    result: int
    cycles: int | None
    load_cycles: int | None = None


class Runner(Protocol):
    """Runs vectors in batches."""

    def run(self, vectors: Sequence[Vector]) -> tuple[list[Answer], int]:
        """Run a batch; return the answers and the number of cycles simulated."""


class RunnerError(RunError):
    """A simulation that could not be finished, for a ``reason`` of one line.

    ``vector`` is the vector that got no answer, if there is one.
    """

    def __init__(self, reason: str, vector: Vector | None = None) -> None:
        # Pickle makes a copy of the exception from the arguments that are passed on here.
        super().__init__(reason, vector)
        self.reason, self.vector = reason, vector

    def __str__(self) -> str:
        return self.reason


class ModelRunner:
    """Evaluates the FL or CL model directly in Python, without a simulation."""

    def __init__(self, configuration: Circuit, level: str) -> None:
        self._configuration = configuration
        self._timed = level == "cl"

    def run(self, vectors: Sequence[Vector]) -> tuple[list[Answer], int]:
        if not self._timed:
            outcomes = (self._configuration.outcome(*v.operands) for v in vectors)
            return [Answer(status, result, None) for result, status in outcomes], 0
        answers, load_cycles = [], self._configuration.load_cycles
        for vector in vectors:
            (result, status), cycles = self._configuration.evaluate(*vector.operands)
            timing = (cycles, load_cycles) if cycles else (None, None)
            answers.append(Answer(status, result, *timing))
        return answers, sum(answer.cycles or 0 for answer in answers)


class ComponentRunner:
    """Simulates the PyMTL3 component of a level, one request in flight, without stalls."""

    def __init__(
        self, configuration: Circuit, level: str, engine: str, vcd: Path | None = None
    ) -> None:
        self._vcd = vcd
        self._configuration = configuration
        self._timed = level != "fl"
        self._has_status = not is_product(configuration)
        self._max_idle_cycles = hang_cycles(configuration)
        self._engine = open_component(configuration, level, engine, with_vcd=vcd is not None)

    def run(self, vectors: Sequence[Vector]) -> tuple[list[Answer], int]:
        """Run a batch.

        ``RunnerError`` if a vector takes far more cycles than the cycle model gives.
        """
        # Multipliers have no status: vectors that break their contract are not sent.
        sent = [v for v in vectors if self._has_status or v.status is Status.OK]
        if not sent:
            return [Answer(v.status, 0, None) for v in vectors], 0
        try:
            batch = self._engine.run(
                [self._configuration.request(*v.operands) for v in sent],
                max_idle_cycles=self._max_idle_cycles,
                vcd=self._vcd,
            )
        except SimulationTimeout as error:
            raise RunnerError(str(error), sent[error.answered]) from error
        except SimulationError as error:
            raise RunnerError(str(error)) from error
        # A batch has None only for requests that a reset dropped; in this run there is no reset.
        responses: list[Any] = batch.responses
        durations: list[Any] = batch.cycles
        taken: list[Any] = batch.taken
        clear_cycles = self._configuration.clear_cycles if self._timed else 0
        answers = {
            vector.line: self._answer(response, cycles, accepted - offered)
            for vector, response, cycles, accepted, offered in zip(
                sent,
                responses,
                durations,
                batch.accepted,
                # First cycle in which the circuit is idle and a request is offered. With one
                # request in flight, this is the cycle after the previous response was taken, or
                # cycle 0 after reset. A circuit that clears its residues needs ``clear_cycles``
                # more cycles to become idle.
                (clear_cycles, *(cycle + 1 + clear_cycles for cycle in taken[:-1])),
                strict=True,
            )
        }
        in_order = [answers.get(v.line) or Answer(v.status, 0, None) for v in vectors]
        return in_order, batch.total_cycles

    def _answer(self, response: tuple[int, ...], cycles: int, load_cycles: int) -> Answer:
        result, code = response if self._has_status else (*response, Status.OK)
        status = Status(code) if code in Status._value2member_map_ else code
        return Answer(status, result, *((cycles, load_cycles) if self._timed else (None, None)))


def engine_of(level: str, engine: str | None) -> str:
    """Return ``engine``, or the level's default engine.

    ``ValueError`` if it cannot run the level.
    """
    if level not in LEVELS:
        raise ValueError(f"level={level}: {', '.join(LEVELS)} are allowed")
    allowed = ("native", "pymtl") if level == "rtl" else ("python", "pymtl")
    if engine is not None and engine not in allowed:
        raise ValueError(f"engine={engine}: {', '.join(allowed)} are allowed with level {level}")
    return engine or allowed[0]


def check_level(configuration: Circuit, level: str) -> None:
    """Raise ``UserError`` if a circuit does not exist at a level."""
    if level not in configuration.levels:
        allowed = ", ".join(configuration.levels)
        why = f"{configuration.design_name} has no cycle model"
        raise UserError(f"level={level}: {why}; {allowed} are allowed")


def open_runner(configuration: Circuit, level: str, engine: str, vcd: Path | None = None) -> Runner:
    """Make a runner that runs vectors on a configuration at a level (FL, CL or RTL).

    ``pymtl`` and ``native`` write a waveform of each batch to ``vcd``; ``python`` is a model.
    """
    check_level(configuration, level)
    if engine == "python":
        return ModelRunner(configuration, level)
    return ComponentRunner(configuration, level, engine, vcd)


def open_component(
    configuration: Circuit, level: str, engine: str, *, with_vcd: bool = False
) -> Engine:
    """Prepare a configuration's component to run batches on ``pymtl`` or ``native``.

    ``with_vcd``: compile the native library for waveforms now. ``DesignError`` for a mistake in the
    circuit (``diagnosis.check``), ``ValueError`` if it is too wide.
    """
    if level == "rtl":
        configuration.check_circuit()
    if engine == "pymtl":
        if level == "rtl":
            from rsaxcel.diagnosis.check import check_target

            check_target(configuration)
        from rsaxcel.sim.engine import open_engine

        return open_engine("pymtl", lambda: configuration.component(level))
    from rsaxcel.sim.native.engine import NativeEngine
    from rsaxcel.sim.native.toolchain import ToolError

    try:
        native = NativeEngine(translation(configuration, level))
    except ToolError as error:
        if is_described(configuration) and (told := configuration.explained(str(error))):
            raise ToolError(told) from error
        raise
    if with_vcd:
        native.library("vcd")
    return native


def translation(configuration: Circuit, level: str) -> VerilogModule:
    """Translate a configuration's component at a level to Verilog, or load the translation."""
    from rsaxcel.diagnosis.check import SOURCES, check_circuit
    from rsaxcel.sim.translate import translate_cached

    return translate_cached(
        configuration.name,
        lambda: configuration.component(level),
        sources=[*configuration.sources, *SOURCES],
        top=configuration.name,
        check=check_circuit,
    )


@cache
def hang_cycles(configuration: Circuit) -> int:
    """Return the cycles without a handshake after which a circuit counts as hung.

    The limit is far above the longest operation's cycles by the model. The operation's modulus is
    random, near ``2**nbits``: some multipliers finish early with ``2**nbits - 1``.
    """
    draw, nbits = random.Random(0), configuration.nbits
    if "cl" not in configuration.levels:
        return unknown_cycles(configuration)
    modulus = configuration.usable_modulus((1 << nbits) - 1 - 2 * draw.getrandbits(nbits // 2))
    if is_product(configuration):
        operands = modulus - 1, modulus - 1, modulus
    else:
        base = draw.getrandbits(nbits - 1) % modulus
        operands = base, configuration.largest_exponent, modulus
    return _HANG_FACTOR * cycles_or(0, configuration, operands) + _HANG_MARGIN_CYCLES


def unknown_cycles(configuration: Circuit) -> int:
    """Return the cycles without a handshake after which any circuit counts as hung.

    A description may say that its core takes longer than others of its width.
    """
    declared = configuration.most_cycles if is_described(configuration) else 0
    return declared + _UNKNOWN_CYCLES + _CYCLES_PER_BIT_AND_BIT * configuration.nbits**2


def cycles_or(unknown: int, configuration: Circuit, operands: Operands) -> int:
    """Return an operation's cycles by the models; ``unknown`` if only a simulation has them."""
    found = configuration.cycles(*operands)
    return unknown if found is None else found


def cycles_of(configuration: Circuit, rows: Sequence[Operands]) -> list[int]:
    """Return the cycles of operations, by the cycle model or, without one, measured at RTL."""
    if "cl" in configuration.levels:
        return [cycles_or(0, configuration, row) for row in rows]
    return [cycles for _, cycles in answers_of(configuration, rows)]


def answers_of(
    configuration: Circuit, rows: Sequence[Operands]
) -> list[tuple[tuple[int, ...], int]]:
    """Return response and cycles of each operation, measured at RTL."""
    requests = [configuration.request(*row) for row in rows]
    hangs = hang_cycles(configuration)
    batch = _measuring(configuration).run(requests, max_idle_cycles=hangs)
    found = zip(batch.responses, batch.cycles, strict=True)
    return [(tuple(response or ()), int(cycles or 0)) for response, cycles in found]


@cache
def _measuring(configuration: Circuit) -> Engine:
    return open_component(configuration, "rtl", "native")
