"""Counts cycles, by the cycle model and on the circuit, alone and on a processor.

Without ``progress``, the functions return the stored result or None. ``MeasureError``: a result
differs from Python's ``pow``, or the circuit's cycles from the model's.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import chain
from pathlib import Path
from statistics import fmean
from typing import Any

import rsaxcel.fl.keys
from rsaxcel.catalog import Configuration
from rsaxcel.circuit import Circuit, expected_power
from rsaxcel.cl.exponentiator import Handshake
from rsaxcel.eval.measure.errors import MeasureError
from rsaxcel.eval.measure.job import Progress
from rsaxcel.eval.measure.memo import ENGINES, memoize, of_design
from rsaxcel.fl.keys import seeded_key
from rsaxcel.fl.status import Status
from rsaxcel.flow.requests import OPERATION_COUNT, default_exponents, workload_operands
from rsaxcel.plan.walk import walk
from rsaxcel.proc.systems import OVERHEAD, find_system
from rsaxcel.sim.answers import Expected, difference
from rsaxcel.sim.runners import hang_cycles, open_component
from rsaxcel.sim.system import open_circuit
from rsaxcel.sim.system_run import SystemRequest, SystemRun

Operands = tuple[int, int, int]  #: base, exponent and modulus

_CIRCUIT_KEYS = 1
_MAX_CYCLES = 1 << 40
#: Kinds of measurement of a workload, by the level of the model.
WORKLOADS = {"rtl": "workload", "cl": "model"}
_ZEROS = 6  #: zero bits of an exponent in ``square_cycles``; the other has 7, and has to fit 8 bits


def key_cycles(
    configuration: Configuration,
    handshakes: Mapping[str, Handshake],
    keys: int,
    progress: Progress | None = None,
) -> dict[str, float]:
    """Mean cycles over RSA keys with a public exponent of full size, by the cycle model.

    The circuit runs both operations of the first key, in as many cycles as the model. ``"circuit"``
    is the mean with the circuit's own handshake; other keys are those of ``handshakes``.
    """
    operands = list(_operations(configuration.nbits, keys, progress))

    def measure(progress: Progress) -> dict[str, float]:
        progress(f"cycle model, {keys} keys")
        cycles = [_checked(configuration, configuration.timing, x) for x in operands]
        progress("circuit, one key")
        circuit = _on_circuit(configuration, operands[: 2 * _CIRCUIT_KEYS])
        if circuit != cycles[: len(circuit)]:
            raise MeasureError(f"RTL takes {circuit} cycles, the model {cycles[: len(circuit)]}")
        means = {"circuit": fmean(cycles)}
        for name, handshake in handshakes.items():
            timing = configuration.timing_with(handshake)
            means[name] = fmean(_checked(configuration, timing, x) for x in operands)
        return means

    named = {name: repr(x) for name, x in handshakes.items()}
    inputs = {"handshakes": named, "keys": keys, "circuit_keys": _CIRCUIT_KEYS}
    return of_design("cycles", configuration, inputs | {"operands": operands}, measure, progress)


def operation_cycles(
    configuration: Configuration, exponent: int, progress: Progress | None = None
) -> dict[str, int]:
    """Cycles of one exponentiation with the standard key's modulus, on the circuit.

    ``"load_cycles"`` counts the cycles from the offer of the request to its acceptance.
    """
    (operands,) = workload_operands(configuration, exponent, 1)

    def measure(progress: Progress) -> dict[str, int]:
        model = _checked(configuration, configuration.timing, operands)
        progress("circuit")
        (circuit,) = _on_circuit(configuration, [operands])
        if circuit != model:
            raise MeasureError(f"RTL takes {circuit} cycles, the model {model}")
        return {"cycles": circuit, "load_cycles": configuration.load_cycles}

    return of_design("operation", configuration, {"operands": operands}, measure, progress)


def workload_cycles(
    configuration: Circuit,
    level: str = "rtl",
    exponents: Mapping[str, int] | None = None,
    count: int = OPERATION_COUNT,
    progress: Progress | None = None,
) -> dict[str, float]:
    """Mean cycles of each operation over ``count`` bases, see ``workload``."""
    operands = {}
    for name, exponent in (exponents or default_exponents(configuration.nbits)).items():
        operands[name] = workload_operands(configuration, exponent, count)

    def by_model(operands: list[Operands]) -> list[int]:
        if "cl" not in configuration.levels:
            raise MeasureError(f"{configuration.name} has no cycle model: its circuit is measured")
        found = [configuration.evaluate(*row) for row in operands]
        for row, (outcome, _) in zip(operands, found, strict=True):
            _check(configuration, "the cycle model", row, tuple(outcome))
        return [cycles or 0 for _, cycles in found]

    def measure(progress: Progress) -> dict[str, float]:
        progress("circuit" if level == "rtl" else "cycle model")
        cycles = partial(_on_circuit, configuration) if level == "rtl" else by_model
        return {name: _whole(fmean(cycles(x))) for name, x in operands.items()}

    inputs = {"operands": operands}
    return of_design(WORKLOADS[level], configuration, inputs, measure, progress)


def product_cycles(
    short: Configuration, long: Configuration, progress: Progress | None = None
) -> dict[str, float] | None:
    """Cycles between dependent products, from two exponentiations of different lengths.

    ``"product_cycles"`` is the difference of cycles over that of products; all bits are scanned.
    The other figures hold for the short exponent.
    """
    found, counts = [], []
    for configuration in (short, long):
        nbits = configuration.exponent_nbits
        exponent = random.Random(nbits).getrandbits(nbits) | 1 << nbits - 1
        cycles = operation_cycles(configuration, exponent, progress)
        if cycles is None:
            return None
        found.append(cycles)
        states = configuration.golden.begin(0, exponent, configuration.usable_modulus(3))
        (program,) = configuration.programs
        counts.append(sum(map(len, chain.from_iterable(walk(program, states)))))
    interval = (found[1]["cycles"] - found[0]["cycles"]) / (counts[1] - counts[0])
    return {"product_cycles": _whole(interval), "products": counts[0], **found[0]}


def square_cycles(
    configuration: Configuration, level: str = "rtl", progress: Progress | None = None
) -> dict[str, float] | None:
    """Cycles that a zero bit of the exponent adds: those of a squaring step, with its control."""
    exponents = 1 << _ZEROS, 2 << _ZEROS
    if level == "cl":
        rows = [workload_operands(configuration, x, 1)[0] for x in exponents]
        short, long = (_checked(configuration, configuration.timing, x) for x in rows)
        return {"product_cycles": long - short}
    found = [operation_cycles(configuration, x, progress) for x in exponents]
    if found[0] is None or found[1] is None:
        return None
    return {"product_cycles": found[1]["cycles"] - found[0]["cycles"]}


def call_cycles(
    system: str, program: str, nbits: int, operation: str, progress: Progress | None = None
) -> dict[str, Any]:
    """Cycles of one exponentiation on a processor at RTL, with the standard key of this width.

    The result has cycles and instructions of a call in the program, and cycles of a call in the
    dummy program, which does not exponentiate.
    """
    exponent = default_exponents(nbits)[operation]
    found = find_system(system, nbits)
    halves = found.halves_of(program)
    (operands,) = workload_operands(found, exponent, 1, halves)

    def measure(progress: Progress) -> dict[str, Any]:
        circuit = open_circuit(found)
        runs: dict[str, SystemRun] = {}
        for name in (OVERHEAD, program):
            progress(f"{name}, exponent of {exponent.bit_length()} bits")
            image = found.image(name, *operands, halves)
            runs[name] = circuit.run(SystemRequest(image, _MAX_CYCLES))
            end = runs[name].end
            if end is None or end.exit_status != 0:
                raise MeasureError(f"{name} on {system} ends with {end}")
            if found.result(runs[name].messages) != expected_power(*operands, halves):
                raise MeasureError(f"{name} on {system} gives a wrong result")
        return {
            "exponent": exponent,
            "call_cycles": runs[program].measured_cycles,
            "instructions": runs[program].measured_instructions,
            "dummy_cycles": runs[OVERHEAD].measured_cycles,
        }

    inputs = {"operands": list(operands)}
    sources = (*found.sources, ENGINES)
    name = f"calls {system} {program} {nbits} {operation}"
    return memoize(name, inputs, sources, measure, progress)


def _operations(nbits: int, keys: int, progress: Progress | None) -> Iterator[Operands]:
    """Yield operands that encrypt with each key and decrypt; without ``progress``, of kept keys."""

    def draw(_: Progress) -> list[list[int]]:
        drawn = (seeded_key(nbits, seed, random_exponent=True) for seed in range(keys))
        return [[key.n, key.e, key.d] for key in drawn]

    # The keys are kept, because finding wide primes takes longer than everything else.
    inputs = {"nbits": nbits, "keys": keys}
    message = random.Random(nbits)
    drawn = memoize(f"keys {nbits}", inputs, [Path(rsaxcel.fl.keys.__file__)], draw, progress)
    for n, e, d in drawn or ():
        base = message.randrange(n)
        yield base, e, n
        yield pow(base, e, n), d, n


def _checked(configuration: Configuration, timing: Any, operands: Operands) -> int:
    """Return the cycles of an exponentiation by the cycle model, and check the model's result."""
    outcome, durations = timing.evaluate(*operands)
    _check(configuration, "the cycle model", operands, tuple(outcome))
    return sum(durations)


def _on_circuit(configuration: Circuit, operands: list[Operands]) -> list[int]:
    engine = open_component(configuration, "rtl", "native")
    requests = [configuration.request(*x) for x in operands]
    batch = engine.run(requests, max_idle_cycles=hang_cycles(configuration))
    for row, response in zip(operands, batch.responses, strict=True):
        _check(configuration, "the circuit", row, response or ())
    return [cycles for cycles in batch.cycles if cycles is not None]


def _check(configuration: Circuit, who: str, operands: Operands, response: tuple[int, ...]) -> None:
    expected = Expected((expected_power(*operands, configuration.halves), Status.OK))
    if told := difference(expected, response):
        raise MeasureError(f"{who} of {configuration.name}, for {operands}: {told}")


def _whole(mean: float) -> float:
    return int(mean) if mean.is_integer() else mean
