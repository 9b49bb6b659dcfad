"""Runs vectors on a model or on a simulated component, whichever engine does it."""

import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from catalog import LEVELS, AnyConfiguration, Configuration
from diagnosis.check import check_circuit, check_configuration, telling_loops
from fl.status import Status
from proc.sources import design_sources
from sim.batch import SimulationError, SimulationTimeout
from sim.engine import Engine, open_engine
from sim.native.engine import NativeEngine
from sim.translate import VerilogModule, translate_cached
from sim.vectors import Vector

_HANG_FACTOR = 4
_HANG_MARGIN_CYCLES = 1000


class Answer(NamedTuple):
    """What came back for one vector; cycles are None where there is no timing, or nothing was sent.

    ``load_cycles`` pass from offering the request to a circuit that is free to its acceptance,
    ``cycles`` from there to the response.
    """

    status: Status | int
    result: int
    cycles: int | None
    load_cycles: int | None = None


class Runner(Protocol):
    """Runs vectors in batches."""

    def run(self, vectors: Sequence[Vector]) -> tuple[list[Answer], int]:
        """Run a batch; gives the answers and the number of cycles simulated."""


class RunnerError(Exception):
    """A simulation that could not be finished.

    Parameters
    ----------
    reason : str
        One line.
    vector : Vector, optional
        The vector that got no answer.
    """

    def __init__(self, reason: str, vector: Vector | None = None) -> None:
        # All arguments, so that the exception can be pickled.
        super().__init__(reason, vector)
        self.reason, self.vector = reason, vector


class ModelRunner:
    """Evaluates the functional or the cycle model directly in Python."""

    def __init__(self, configuration: AnyConfiguration, level: str) -> None:
        self._configuration = configuration
        self._timed = level == "cl"

    def run(self, vectors: Sequence[Vector]) -> tuple[list[Answer], int]:
        """Run a batch."""
        if not self._timed:
            outcomes = (self._configuration.outcome(*v.operands) for v in vectors)
            return [Answer(status, result, None) for result, status in outcomes], 0
        answers = []
        for vector in vectors:
            (result, status), cycles = self._configuration.evaluate(*vector.operands)
            timing = (cycles, self._configuration.load_cycles) if cycles else (None, None)
            answers.append(Answer(status, result, *timing))
        return answers, sum(answer.cycles or 0 for answer in answers)


class ComponentRunner:
    """Simulates the PyMTL3 component of a level, one request in flight, without stalls.

    Parameters
    ----------
    configuration, level, engine
        What is simulated, and how.
    vcd : Path, optional
        File for the waveform of a batch.
    """

    def __init__(
        self, configuration: AnyConfiguration, level: str, engine: str, vcd: Path | None = None
    ) -> None:
        self._vcd = vcd
        self._configuration = configuration
        self._timed = level != "fl"
        self._has_status = isinstance(configuration, Configuration)
        self._max_idle_cycles = hang_cycles(configuration)
        self._engine = open_component(configuration, level, engine, with_vcd=vcd is not None)

    def run(self, vectors: Sequence[Vector]) -> tuple[list[Answer], int]:
        """Run a batch.

        Raises
        ------
        RunnerError
            If a vector gets no answer long after the cycle model says that it should.
        DesignError
            If the circuit has a combinational loop.
        """
        # Multipliers have no status: what breaks their contract is kept from them.
        sent = [v for v in vectors if self._has_status or v.status is Status.OK]
        if not sent:
            return [Answer(v.status, 0, None) for v in vectors], 0
        try:
            with telling_loops(self._configuration):
                batch = self._engine.run(
                    [self._configuration.request(*v.operands) for v in sent],
                    max_idle_cycles=self._max_idle_cycles,
                    vcd=self._vcd,
                )
        except SimulationTimeout as error:
            raise RunnerError(str(error), sent[error.answered]) from error
        except SimulationError as error:
            raise RunnerError(str(error)) from error
        # Nothing is dropped without a reset, so that no entry is None.
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
                # with one request in flight, the next is offered once a response is taken; a
                # circuit that is cleared is free some cycles later, as after a reset
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
    """Engine that runs a level, where none or another one may have been asked for.

    Raises
    ------
    ValueError
        For another level or engine, or an engine that does not run this level.
    """
    if level not in LEVELS:
        raise ValueError(f"level={level}: {', '.join(LEVELS)} are allowed")
    allowed = ("native", "pymtl") if level == "rtl" else ("python", "pymtl")
    if engine is not None and engine not in allowed:
        raise ValueError(f"engine={engine}: {', '.join(allowed)} are allowed with level {level}")
    return engine or allowed[0]


def open_runner(
    configuration: AnyConfiguration, level: str, engine: str, vcd: Path | None = None
) -> Runner:
    """Runner of a level on engine ``"python"``, ``"pymtl"`` or ``"native"``.

    What is simulated can write a waveform of each batch that it runs.
    """
    if engine == "python":
        return ModelRunner(configuration, level)
    return ComponentRunner(configuration, level, engine, vcd)


def open_component(
    configuration: AnyConfiguration, level: str, engine: str, *, with_vcd: bool = False
) -> Engine:
    """Engine on the component of a level; the native one keeps the translation.

    What the native engine needs for a waveform is compiled now, or with the first one.

    Raises
    ------
    DesignError
        For a mistake in the circuit; see ``diagnosis.check``.
    """
    if engine == "pymtl":
        if level == "rtl":
            check_configuration(configuration)
        return open_engine("pymtl", lambda: configuration.component(level))
    native = NativeEngine(translation(configuration, level))
    if with_vcd:
        native.library("vcd")
    return native


def translation(configuration: AnyConfiguration, level: str) -> VerilogModule:
    """Verilog of the component of a level; what was translated before is used again."""
    return translate_cached(
        configuration.name,
        lambda: configuration.component(level),
        sources=design_sources(configuration),
        top=configuration.name,
        check=check_circuit,
    )


@cache
def hang_cycles(configuration: AnyConfiguration) -> int:
    """Cycles without an answer that mean a hang: far more than the longest operation takes.

    With operands that are no corner of modular arithmetic: some products end early there.
    """
    draw, nbits = random.Random(0), configuration.nbits
    modulus = configuration.usable_modulus((1 << nbits) - 1 - 2 * draw.getrandbits(nbits // 2))
    if isinstance(configuration, Configuration):
        base = draw.getrandbits(nbits - 1) % modulus
        operands = base, configuration.largest_exponent, modulus
    else:
        operands = modulus - 1, modulus - 1, modulus
    return _HANG_FACTOR * configuration.cycles(*operands) + _HANG_MARGIN_CYCLES
