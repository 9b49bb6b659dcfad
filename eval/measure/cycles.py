"""Measures cycles: by the cycle model and on the circuit, alone and on a processor.

The functions that jobs run have a parameter ``progress``; without it, they return the stored
result, or None if there is none, as ``memoize`` does. They raise ``MeasureError`` if a result
differs from Python's ``pow``, or if the circuit and the cycle model do not take the same number of
cycles.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any

import catalog
import fl.keys
from catalog import Configuration
from cl.exponentiator import Handshake
from eval.facts.fact import Fact, Kind, choices_text
from eval.measure.errors import MeasureError
from eval.measure.job import Job, Measurement, Progress
from eval.measure.memo import ENGINES, memoize, of_design, texts
from fl.keys import seeded_key
from fl.status import Status
from flow.requests import OPERATION_COUNT, default_exponents, workload_operands
from plan.halves import expected_power
from plan.walk import walk
from proc.operands import join_words
from proc.programs.build import build
from proc.sources import system_sources
from proc.systems import OVERHEAD, find_system
from sim.answers import Expected, difference
from sim.runners import hang_cycles, open_component
from sim.system import open_circuit
from sim.system_run import SystemRequest, SystemRun

Operands = tuple[int, int, int]

_CIRCUIT_KEYS = 1
_MAX_CYCLES = 1 << 40
# Number of bits by which the second exponent of ``product_cycles`` is longer than the first one.
_MORE_BITS = 2
_WORKLOADS = {"rtl": "workload", "cl": "model"}
_CALL = {x: x for x in ("call_cycles", "dummy_cycles")}
_ZEROS = 8  # zero bits of the exponent in ``square_cycles``; every width has room for them


def average(
    design: str, nbits: int, keys: int, handshakes: Mapping[str, Handshake] | None = None
) -> Measurement:
    """Measurement of the mean cycles of encryption and decryption over random keys.

    Parameters
    ----------
    design, nbits
        Design of the registry, and width in bits.
    keys : int
        Number of keys, see ``key_cycles``.
    handshakes : mapping of str to Handshake, optional
        Other handshakes (cycles that control adds to the products) for which the cycle model also
        gives the mean. The key of each handshake is the quantity of the fact with this mean.
    """
    handshakes = dict(handshakes or {})
    configuration = catalog.get(design).configure(nbits)
    job = _job(f"cycles {configuration.name}", nbits, key_cycles, configuration, handshakes, keys)
    names = {"circuit": "cycles", **{name: name for name in handshakes}}
    return _measurement(job, design, nbits, {}, {x: ("average", y) for x, y in names.items()})


def workload(
    design: str,
    nbits: int,
    level: str = "rtl",
    exponents: Mapping[str, int] | None = None,
    operands: int = OPERATION_COUNT,
    **choices: Any,
) -> Measurement:
    """Measurement of the mean cycles of operations over random bases.

    Parameters
    ----------
    design, nbits, choices
        Design of the registry, width in bits, and parameters.
    level : str
        ``"rtl"`` for the circuit, ``"cl"`` for the cycle model.
    exponents : mapping of str to int, optional
        Exponent of each operation; by default the exponents of the standard workload.
    operands : int
        Number of bases for each operation.
    """
    configuration = catalog.get(design).configure(nbits, **texts(choices))
    exponents = dict(exponents or default_exponents(nbits))
    label = f"{_WORKLOADS[level]} {configuration.name}"
    arguments: tuple[Any, ...] = configuration, level
    if (exponents, operands) != (default_exponents(nbits), OPERATION_COUNT):
        asked = choices_text({name: hex(x) for name, x in exponents.items()})
        label += f" with {asked} for {operands} bases"
        arguments = *arguments, exponents, operands
    job = _job(label, nbits, workload_cycles, *arguments)
    kind: Kind = "measured" if level == "rtl" else "modelled"
    names = {x: (x, "cycles") for x in exponents}
    return _measurement(job, design, nbits, choices, names, kind)


def operation(design: str, nbits: int, name: str, exponent: int, **choices: Any) -> Measurement:
    """Measurement of an exponentiation's cycles on the circuit; ``name`` names it in the facts."""
    configuration = catalog.get(design).configure(nbits, **texts(choices))
    job = _job(f"operation {configuration.name}", nbits, operation_cycles, configuration, exponent)
    names = _as_they_are(name, "cycles", "load_cycles")
    return _measurement(job, design, nbits, choices, names)


def products(
    design: str, nbits: int, exponent_nbits: int, multiplier: str, **choices: Any
) -> Measurement:
    """Measurement of the cycles between dependent products, and of a whole exponentiation.

    Both are measured on the circuit.

    Parameters
    ----------
    design, nbits, exponent_nbits
        A design in which each bit of the exponent takes the same number of products, its width, and
        the width of the exponent in bits.
    multiplier : str
        Name of the design's multiplier; the facts about a product are also yielded for it.
    choices
        Further parameters of the design.
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


def square(design: str, nbits: int) -> Measurement:
    """Measurement of the cycles of one squaring on the circuit of a right-to-left design."""
    configuration = catalog.get(design).configure(nbits)
    job = _job(f"square {configuration.name}", nbits, square_cycles, configuration)
    return _measurement(job, design, nbits, {}, _as_they_are("product", "product_cycles"))


def calls(
    subject: str,
    system: str,
    program: str,
    nbits: int,
    operations: Iterable[str],
    quantities: Mapping[str, str] = _CALL,
) -> Iterator[Measurement]:
    """Yield measurements of a call of the exponentiation on a processor, one for each operation.

    Parameters
    ----------
    subject : str
        Subject in facts.
    system, program, nbits
        System, program that runs on it, and width in bits.
    operations : iterable of str
        ``"encrypt"``, ``"decrypt"`` or both.
    quantities : mapping of str to str
        Figures to yield. The key is the name of a figure in the result of ``call_cycles``, the
        value is the quantity of its fact. Figures that are not named are left out.
    """
    for name in operations:
        label = f"{name} {program} on {system} {nbits}"
        job = Job(label, call_cycles, (system, program, nbits, name), nbits, _find_call)
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
    """Combine a job with a function that turns its result into facts.

    ``names`` maps the name of each figure in the job's result to the operation and quantity of the
    figure's fact.
    """

    def facts(result: Mapping[str, Any]) -> Iterator[Fact]:
        text = choices_text(choices)
        for name, (operation, quantity) in names.items():
            value = result[name]
            yield Fact(subject, quantity, value, kind, nbits, text, operation=operation)

    return Measurement(job, facts)


def key_cycles(
    configuration: Configuration,
    handshakes: Mapping[str, Handshake],
    keys: int,
    progress: Progress | None = None,
) -> dict[str, float]:
    """Mean cycles of encryption and decryption over RSA keys with a public exponent of full size.

    The cycle model counts the cycles. The circuit runs both operations of the first key, and must
    take as many cycles as the model. In the result, ``"circuit"`` is the mean with the circuit's
    own handshake. The result also has the mean with each of ``handshakes``, by the same name.
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
    configuration: Configuration,
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
        return [_checked(configuration, configuration.timing, x) for x in operands]

    def measure(progress: Progress) -> dict[str, float]:
        progress("circuit" if level == "rtl" else "cycle model")
        cycles = partial(_on_circuit, configuration) if level == "rtl" else by_model
        return {name: _whole(fmean(cycles(x))) for name, x in operands.items()}

    inputs = {"operands": operands}
    return of_design(_WORKLOADS[level], configuration, inputs, measure, progress)


def product_cycles(
    short: Configuration, long: Configuration, progress: Progress | None = None
) -> dict[str, float] | None:
    """Cycles between dependent products, from two exponentiations of different lengths.

    The two configurations are the same design, for a short and a long exponent. All bits of both
    exponents are scanned.
    ``"product_cycles"`` is the difference of cycles divided by the difference of products.
    ``"products"``, ``"cycles"`` and ``"load_cycles"`` hold for the short exponent.
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
        counts.append(sum(len(step) for step in walk(program, states, lambda each: 0)))
    interval = (found[1]["cycles"] - found[0]["cycles"]) / (counts[1] - counts[0])
    return {"product_cycles": _whole(interval), "products": counts[0], **found[0]}


def square_cycles(
    configuration: Configuration, progress: Progress | None = None
) -> dict[str, float] | None:
    """Cycles that a zero bit of the exponent adds: one squaring step, with its control."""
    exponents = 1 << _ZEROS, 2 << _ZEROS
    found = [operation_cycles(configuration, x, progress) for x in exponents]
    if found[0] is None or found[1] is None:
        return None
    return {"product_cycles": found[1]["cycles"] - found[0]["cycles"]}


def call_cycles(
    system: str, program: str, nbits: int, operation: str, progress: Progress | None = None
) -> dict[str, Any]:
    """Cycles of one exponentiation on a processor at RTL, with the standard key of this width.

    The result has the exponent (e = 65537 for ``"encrypt"``, d for ``"decrypt"``), cycles and
    instructions of a call in the program, and cycles of a call in the dummy program, which does not
    exponentiate.
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
            if join_words(runs[name].messages) != expected_power(*operands, halves):
                raise MeasureError(f"{name} on {system} gives a wrong result")
        return {
            "exponent": exponent,
            "call_cycles": runs[program].measured_cycles,
            "instructions": runs[program].measured_instructions,
            "dummy_cycles": runs[OVERHEAD].measured_cycles,
        }

    inputs = {"operands": list(operands)}
    sources = (*system_sources(found.configuration), ENGINES)
    name = f"calls {system} {program} {nbits} {operation}"
    return memoize(name, inputs, sources, measure, progress)


def _find_call(*arguments: Any) -> dict[str, Any] | None:
    """Find the stored result of ``call_cycles``.

    If there is none, build the dummy program, so that a missing compiler is reported early.
    """
    found = call_cycles(*arguments)
    if found is None:
        build(OVERHEAD)
    return found


def _operations(nbits: int, keys: int, progress: Progress | None) -> Iterator[Operands]:
    """Yield the operands that encrypt a message with each key and decrypt it again.

    Without ``progress`` keys are not drawn: if none are kept, nothing is yielded.
    """

    def draw(_: Progress) -> list[list[int]]:
        drawn = (seeded_key(nbits, seed, random_exponent=True) for seed in range(keys))
        return [[key.n, key.e, key.d] for key in drawn]

    # The keys are kept, because finding wide primes takes longer than everything else.
    inputs = {"nbits": nbits, "keys": keys}
    message = random.Random(nbits)
    drawn = memoize(f"keys {nbits}", inputs, [Path(fl.keys.__file__)], draw, progress)
    for n, e, d in drawn or ():
        base = message.randrange(n)
        yield base, e, n
        yield pow(base, e, n), d, n


def _checked(configuration: Configuration, timing: Any, operands: Operands) -> int:
    """Return the cycles of an exponentiation by the cycle model, and check the model's result."""
    outcome, durations = timing.evaluate(*operands)
    _check(configuration, "the cycle model", operands, tuple(outcome))
    return sum(durations)


def _on_circuit(configuration: Configuration, operands: list[Operands]) -> list[int]:
    engine = open_component(configuration, "rtl", "native")
    requests = [configuration.request(*x) for x in operands]
    batch = engine.run(requests, max_idle_cycles=hang_cycles(configuration))
    for row, response in zip(operands, batch.responses, strict=True):
        _check(configuration, "the circuit", row, response or ())
    return [cycles for cycles in batch.cycles if cycles is not None]


def _check(
    configuration: Configuration, who: str, operands: Operands, response: tuple[int, ...]
) -> None:
    expected = Expected((expected_power(*operands, configuration.halves), Status.OK))
    if told := difference(expected, response):
        raise MeasureError(f"{who} of {configuration.name}, for {operands}: {told}")


def _whole(mean: float) -> float:
    return int(mean) if mean.is_integer() else mean
