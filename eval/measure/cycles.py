"""Measurements of cycles: counts by the cycle model and on the circuit, alone and on a processor.

Functions that count take ``progress``; without it, they return the stored result or None.
``MeasureError``: a result differs from Python's ``pow``, or the circuit's cycles from the model's.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain
from pathlib import Path
from statistics import fmean
from typing import Any

import rsaxcel.fl.keys
from rsaxcel import catalog
from rsaxcel.catalog import Configuration
from rsaxcel.circuit import Circuit, expected_power
from rsaxcel.cl.exponentiator import Handshake
from rsaxcel.eval.facts.fact import Fact, Kind
from rsaxcel.eval.measure.errors import MeasureError
from rsaxcel.eval.measure.job import Job, Measurement, Progress
from rsaxcel.eval.measure.memo import ENGINES, memoize, of_design, texts
from rsaxcel.fl.keys import seeded_key
from rsaxcel.fl.status import Status
from rsaxcel.flow.requests import OPERATION_COUNT, default_exponents, workload_operands
from rsaxcel.plan.walk import walk
from rsaxcel.proc.systems import OVERHEAD, find_system
from rsaxcel.sim.answers import Expected, difference
from rsaxcel.sim.runners import hang_cycles, open_component
from rsaxcel.sim.system import open_circuit
from rsaxcel.sim.system_run import SystemRequest, SystemRun
from rsaxcel.store.shown import choices_text

#: Number of bits by which the second exponent of ``product_cycles`` is longer than the first one.
_MORE_BITS = 2
_KINDS: Mapping[str, Kind] = {"rtl": "measured", "cl": "modelled"}
_CALL = {x: x for x in ("call_cycles", "dummy_cycles")}


def average(
    design: str, nbits: int, keys: int, handshakes: Mapping[str, Any] | None = None, **choices: Any
) -> Measurement:
    """Mean cycles of encryption and decryption over random keys, also with other handshakes.

    ``handshakes`` are of the cycle model, such as ``cl.exponentiator.STROBE``.

    Each handshake's key is the quantity of the fact that has the mean cycles.
    """
    handshakes = dict(handshakes or {})
    configuration = catalog.get(design).configure(nbits, **texts(choices))
    job = _job(f"cycles {configuration.name}", nbits, key_cycles, configuration, handshakes, keys)
    names = {"circuit": "cycles", **{name: name for name in handshakes}}
    return _measurement(job, design, nbits, choices, {x: ("average", y) for x, y in names.items()})


def workload(
    design: str,
    nbits: int,
    level: str = "rtl",
    exponents: Mapping[str, int] | None = None,
    bases: int = OPERATION_COUNT,
    **choices: Any,
) -> Measurement:
    """Mean cycles of operations (by default, of the standard workload) over random bases."""
    configuration = catalog.find_design(design).configure(nbits, **texts(choices))
    exponents = dict(exponents or default_exponents(nbits))
    label = f"{WORKLOADS[level]} {configuration.name}"
    arguments: tuple[Any, ...] = configuration, level
    if (exponents, bases) != (default_exponents(nbits), OPERATION_COUNT):
        asked = choices_text({name: hex(x) for name, x in exponents.items()})
        label += f" with {asked} for {bases} bases"
        arguments = *arguments, exponents, bases
    job = _job(label, nbits, workload_cycles, *arguments)
    names = {x: (x, "cycles") for x in exponents}
    return _measurement(job, design, nbits, choices, names, _KINDS[level])


def operation(design: str, nbits: int, name: str, exponent: int, **choices: Any) -> Measurement:
    """Measurement of an exponentiation's cycles on the circuit; ``name`` names it in the facts."""
    configuration = catalog.get(design).configure(nbits, **texts(choices))
    job = _job(f"operation {configuration.name}", nbits, operation_cycles, configuration, exponent)
    names = _as_they_are(name, "cycles", "load_cycles")
    return _measurement(job, design, nbits, choices, names)


def products(
    design: str, nbits: int, exponent_nbits: int, multiplier: str, **choices: Any
) -> Measurement:
    """Cycles between dependent products, and of a whole exponentiation, on the circuit.

    Each bit of the exponent has to take the same number of products. The facts about a product are
    also yielded for the multiplier.
    """
    entry, lengths = catalog.get(design), (exponent_nbits, exponent_nbits + _MORE_BITS)
    both = [entry.configure(nbits, exponent_nbits=x, **texts(choices)) for x in lengths]
    job = _job(f"products {both[0].name}", 2.0 * nbits, product_cycles, *both)
    whole = _as_they_are("decrypt", "cycles", "load_cycles", "products", "product_cycles")
    product = _as_they_are("product", "product_cycles")
    # The cycles of a product do not depend on the exponent.
    shared = [_measurement(job, x, nbits, choices, product) for x in (design, multiplier)]
    scanned = {**choices, "exponent_nbits": exponent_nbits}
    every = [_measurement(job, design, nbits, scanned, whole), *shared]
    return Measurement(job, lambda result: [fact for x in every for fact in x.facts(result)])


def square(design: str, nbits: int, level: str = "rtl") -> Measurement:
    """Measurement of the cycles of one squaring of a right-to-left design."""
    configuration = catalog.get(design).configure(nbits)
    job = _job(f"square {configuration.name}", nbits, square_cycles, configuration, level)
    names = _as_they_are("product", "product_cycles")
    return _measurement(job, design, nbits, {}, names, _KINDS[level])


def calls(
    subject: str,
    system: str,
    program: str,
    nbits: int,
    operations: Iterable[str],
    quantities: Mapping[str, str] = _CALL,
) -> Iterator[Measurement]:
    """Yield measurements of a call of the exponentiation on a processor, by operation.

    ``quantities``: figures of ``call_cycles`` to yield, each with the quantity of its fact.
    """
    for name in operations:
        label = f"{name} {program} on {system} {nbits}"
        job = Job(label, call_cycles, (system, program, nbits, name), nbits, call_cycles)
        names = {key: (name, quantity) for key, quantity in quantities.items()}
        yield _measurement(job, subject, nbits, {}, names)


def _job(name: str, weight: float, function: Callable[..., Any], *arguments: Any) -> Job:
    return Job(name, function, arguments, weight, function)


def _as_they_are(operation: str, *quantities: str) -> dict[str, tuple[str, str]]:
    return {x: (operation, x) for x in quantities}


def _measurement(
    job: Job,
    subject: str,
    nbits: int,
    choices: Mapping[str, Any],
    names: Mapping[str, tuple[str, str]],
    kind: Kind = "measured",
) -> Measurement:
    """Combine a job with ``names``: operation and quantity of the fact, by figure of its result."""

    def facts(result: Mapping[str, Any]) -> Iterator[Fact]:
        text = choices_text(choices)
        for name, (operation, quantity) in names.items():
            value = result[name]
            yield Fact(subject, quantity, value, kind, nbits, text, operation=operation)

    return Measurement(job, facts)


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
        counts.append(count_products(configuration, exponent))
    interval = (found[1]["cycles"] - found[0]["cycles"]) / (counts[1] - counts[0])
    return {"product_cycles": _whole(interval), "products": counts[0], **found[0]}


def count_products(configuration: Configuration, exponent: int) -> int:
    """Count the products of an exponentiation by a single program."""
    (program,) = configuration.programs
    states = configuration.golden.begin(0, exponent, configuration.usable_modulus(3))
    return sum(map(len, chain.from_iterable(walk(program, states))))


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
