"""Measurements of cycles: by the cycle model and on the circuit, alone and on a processor."""

import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any

import catalog
import fl.keys
import proc
import sim
from catalog import Configuration
from cl.exponentiator import Handshake
from eval.engines import hang_cycles, open_component
from eval.facts.fact import Fact, Kind, choices_text
from eval.measure.errors import MeasureError
from eval.measure.job import Job, Measurement, Progress
from fl.keys import seeded_key
from fl.status import Status
from fl.steps import walk
from flow.requests import OPERATIONS, bases, default_exponents
from proc.operands import join_words
from proc.systems import OVERHEAD, find_system
from sim.sources import design_sources
from sim.system import open_circuit
from sim.system_run import SystemRequest, SystemRun
from store.code import code_digest
from store.folders import find_json, keep_json, key_of

Operands = tuple[int, int, int]

_FOLDER = Path("build", "measurements")
_SIM, _PROC = (Path(str(package.__file__)).parent for package in (sim, proc))
_CIRCUIT_KEYS = 1
_MAX_CYCLES = 1 << 40
# Exponent bits by which two exponentiations differ whose cycles tell those of a product.
_MORE_BITS = 2


def average(
    design: str, nbits: int, keys: int, handshakes: Mapping[str, Handshake] | None = None
) -> Measurement:
    """Mean cycles of encryption and decryption over so many keys, see ``key_cycles``.

    Handshakes are named by the quantities that their means are.
    """
    configuration = catalog.get(design).configure(nbits)
    arguments = (configuration, dict(handshakes or {}), keys)
    job = Job(f"cycles {configuration.name}", key_cycles, arguments, nbits, key_cycles)
    names = {"circuit": "cycles", **{name: name for name in handshakes or {}}}
    facts = partial(_facts, design, nbits, "", "average", names)
    return Measurement(job, facts)


def workload(design: str, nbits: int, **choices: Any) -> Measurement:
    """Cycles of encryption and decryption of the standard workload, on the circuit."""
    configuration = catalog.get(design).configure(nbits, **{k: str(v) for k, v in choices.items()})
    job = Job(
        f"workload {configuration.name}", workload_cycles, (configuration,), nbits, workload_cycles
    )
    text = choices_text(choices)

    def facts(result: Mapping[str, float]) -> Iterator[Fact]:
        for operation, cycles in result.items():
            yield Fact(design, "cycles", cycles, "measured", nbits, text, operation=operation)

    return Measurement(job, facts)


def operation(design: str, nbits: int, name: str, exponent: int, **choices: Any) -> Measurement:
    """Cycles of one exponentiation, on the circuit, see ``operation_cycles``.

    Parameters
    ----------
    name : str
        Operation that it is in the facts.
    """
    configuration = catalog.get(design).configure(nbits, **{k: str(v) for k, v in choices.items()})
    job = Job(
        f"operation {configuration.name}",
        operation_cycles,
        (configuration, exponent),
        nbits,
        operation_cycles,
    )
    names = {x: x for x in ("cycles", "load_cycles")}
    return Measurement(job, partial(_facts, design, nbits, choices_text(choices), name, names))


def products(design: str, nbits: int, exponent_nbits: int, multiplier: str) -> Measurement:
    """Cycles between dependent products, and of an exponentiation of full size, on the circuit.

    Parameters
    ----------
    design, nbits, exponent_nbits
        A design that takes as many products for each bit of an exponent.
    multiplier : str
        Subject in the facts of what a product takes.
    """
    entry = catalog.get(design)
    both = tuple(
        entry.configure(nbits, exponent_nbits=exponent_nbits + more) for more in (0, _MORE_BITS)
    )
    job = Job(f"products {both[0].name}", product_cycles, both, 2.0 * nbits, product_cycles)

    def facts(result: Mapping[str, float]) -> Iterator[Fact]:
        choices = choices_text({"exponent_nbits": exponent_nbits})
        names = ("cycles", "load_cycles", "products", "product_cycles")
        yield from _facts(design, nbits, choices, "decrypt", {x: x for x in names}, result)
        # A product takes as long whatever the exponent.
        for subject in (design, multiplier):
            yield Fact(
                subject,
                "product_cycles",
                result["product_cycles"],
                "measured",
                nbits,
                operation="product",
            )

    return Measurement(job, facts)


def calls(
    subject: str, system: str, program: str, nbits: int, operations: Iterable[str]
) -> list[Measurement]:
    """Cycles of a call of the exponentiation on a processor, see ``call_cycles``."""
    names = {x: x for x in ("call_cycles", "dummy_cycles")}
    return [
        Measurement(
            Job(
                f"{name} {subject} {nbits}",
                call_cycles,
                (system, program, nbits, name),
                float(nbits),
                call_cycles,
            ),
            partial(_facts, subject, nbits, "", name, names),
        )
        for name in operations
    ]


def _facts(
    subject: str,
    nbits: int,
    choices: str,
    operation: str,
    names: Mapping[str, str],
    result: Mapping[str, Any],
    kind: Kind = "measured",
) -> Iterator[Fact]:
    for name, quantity in names.items():
        yield Fact(subject, quantity, result[name], kind, nbits, choices, operation=operation)


def memoize(
    name: str,
    inputs: Mapping[str, Any],
    sources: Iterable[Path],
    measure: Callable[[], Any],
    progress: Progress | None,
) -> Any:
    """Return what ``measure`` returns, from its file if it ran before with the same code.

    Parameters
    ----------
    name : str
        Name of the measurement, for its file.
    inputs : mapping of str to any
        What else decides the result; for JSON.
    sources : iterable of Path
        Files, and folders of files, that decide the result.
    measure : callable
        Gives the result, for JSON.
    progress : callable, optional
        Takes a line for each step; without it nothing is measured, and there may be no result.

    Raises
    ------
    CacheError
        If the file can't be written.
    """
    label = re.sub(r"[^A-Za-z0-9_]+", "-", name)
    key = key_of(name, inputs, code_digest(sources))
    if progress is None:
        return find_json(_FOLDER.absolute(), f"{label}-{key}")
    return keep_json(_FOLDER.absolute(), f"{label}-{key}", measure)


def key_cycles(
    configuration: Configuration,
    handshakes: Mapping[str, Handshake],
    keys: int,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Mean cycles of an encryption and a decryption over RSA keys whose e is of full size, too.

    The cycle model gives them; the circuit does both operations of the first key, and has to take
    as many.

    Parameters
    ----------
    configuration : Configuration
        Design.
    handshakes : mapping of str to Handshake
        Other handshakes of the cycle model, by name.
    keys : int
        Number of keys.
    progress : callable, optional
        As ``memoize``.

    Returns
    -------
    dict
        ``"circuit"`` and every handshake with the mean.

    Raises
    ------
    MeasureError
        If a result differs from Python's ``pow``, or the circuit's cycles from the model's.
    """
    inputs = {
        "params": configuration.params,
        "handshakes": {name: repr(x) for name, x in handshakes.items()},
        "keys": keys,
        "circuit_keys": _CIRCUIT_KEYS,
        "operands": (operands := list(_operations(configuration.nbits, keys, progress))),
    }

    def measure() -> dict[str, Any]:
        _tell(progress, f"cycle model, {keys} keys")
        cycles = [_checked(configuration, configuration.timing, x) for x in operands]
        _tell(progress, "circuit, one key")
        circuit = _on_circuit(configuration, operands[: 2 * _CIRCUIT_KEYS])
        if circuit != cycles[: len(circuit)]:
            raise MeasureError(f"RTL takes {circuit} cycles, the model {cycles[: len(circuit)]}")
        means = {"circuit": fmean(cycles)}
        for name, handshake in handshakes.items():
            timing = configuration.timing_with(handshake)
            means[name] = fmean(_checked(configuration, timing, x) for x in operands)
        return means

    sources = (*design_sources(configuration), _SIM)
    return memoize(f"cycles {configuration.name}", inputs, sources, measure, progress)


def operation_cycles(
    configuration: Configuration, exponent: int, progress: Progress | None = None
) -> dict[str, int]:
    """Cycles of one exponentiation with the standard key's modulus, on the circuit.

    Parameters
    ----------
    configuration : Configuration
        Design.
    exponent : int
        Exponent.
    progress : callable, optional
        As ``memoize``.

    Returns
    -------
    dict
        ``"cycles"``, and ``"load_cycles"`` before the request is accepted.

    Raises
    ------
    MeasureError
        If a result differs from Python's ``pow``, or the circuit's cycles from the model's.
    """
    modulus, (base,) = bases(configuration.nbits, exponent, 1)
    operands = base, exponent, modulus

    def measure() -> dict[str, int]:
        model = _checked(configuration, configuration.timing, operands)
        _tell(progress, "circuit")
        (circuit,) = _on_circuit(configuration, [operands])
        if circuit != model:
            raise MeasureError(f"RTL takes {circuit} cycles, the model {model}")
        return {"cycles": circuit, "load_cycles": configuration.load_cycles}

    inputs = {"params": configuration.params, "operands": operands}
    sources = (*design_sources(configuration), _SIM)
    return memoize(f"operation {configuration.name}", inputs, sources, measure, progress)


def workload_cycles(
    configuration: Configuration, progress: Progress | None = None
) -> dict[str, float]:
    """Mean cycles of each operation of the standard workload, on the circuit.

    Raises
    ------
    MeasureError
        If a result differs from Python's ``pow``.
    """
    operands = {}
    for name, exponent in default_exponents(configuration.nbits).items():
        modulus, drawn = bases(configuration.nbits, exponent, OPERATIONS)
        operands[name] = [(base, exponent, modulus) for base in drawn]

    def measure() -> dict[str, float]:
        _tell(progress, "circuit")
        means = {name: fmean(_on_circuit(configuration, x)) for name, x in operands.items()}
        return {name: int(x) if x.is_integer() else x for name, x in means.items()}

    inputs = {"params": configuration.params, "operands": operands}
    sources = (*design_sources(configuration), _SIM)
    return memoize(f"workload {configuration.name}", inputs, sources, measure, progress)


def product_cycles(
    short: Configuration, long: Configuration, progress: Progress | None = None
) -> dict[str, float] | None:
    """Cycles between dependent products: what two more exponent bits add to an exponentiation.

    Parameters
    ----------
    short, long : Configuration
        One design for exponents of two widths; both are scanned in full.
    progress : callable, optional
        As ``memoize``.

    Returns
    -------
    dict
        ``"product_cycles"``; ``"products"``, ``"cycles"`` and ``"load_cycles"`` of the short one.
    """
    found, counts = [], []
    for configuration in (short, long):
        nbits = configuration.exponent_nbits
        exponent = random.Random(nbits).getrandbits(nbits) | 1 << nbits - 1
        cycles = operation_cycles(configuration, exponent, progress)
        if cycles is None:
            return None
        found.append(cycles)
        state = configuration.golden.begin(0, exponent, 3)
        (program,) = configuration.programs
        counts.append(sum(len(step) for step in walk(program, state, lambda a, b: 0)))
    more = found[1]["cycles"] - found[0]["cycles"]
    interval = more / (counts[1] - counts[0])
    return {
        "product_cycles": int(interval) if interval.is_integer() else interval,
        "products": counts[0],
        **found[0],
    }


def call_cycles(
    system: str, program: str, nbits: int, operation: str, progress: Progress | None = None
) -> dict[str, Any]:
    """Cycles of one exponentiation on a processor at RTL, with the standard key of a width.

    Parameters
    ----------
    system, program : str
        System and program that exponentiates on it.
    nbits : int
        Width of the operands in bits.
    operation : str
        ``"encrypt"`` with e = 65537 or ``"decrypt"`` with d.
    progress : callable, optional
        As ``memoize``.

    Returns
    -------
    dict
        Exponent, cycles and instructions of the call, and the cycles of the dummy's.

    Raises
    ------
    MeasureError
        If a result differs from Python's ``pow``.
    """
    exponent = default_exponents(nbits)[operation]
    modulus, (base,) = bases(nbits, exponent, 1)
    found = find_system(system, nbits)

    def measure() -> dict[str, Any]:
        circuit = open_circuit(found)
        runs: dict[str, SystemRun] = {}
        for name in (OVERHEAD, program):
            _tell(progress, f"{name}, exponent of {exponent.bit_length()} bits")
            image = found.image(name, base, exponent, modulus)
            runs[name] = circuit.run(SystemRequest(image, _MAX_CYCLES))
            end = runs[name].end
            if end is None or end.exit_status != 0:
                raise MeasureError(f"{name} on {system} ends with {end}")
            if join_words(runs[name].messages) != pow(base, exponent, modulus):
                raise MeasureError(f"{name} on {system} gives a wrong result")
        return {
            "exponent": exponent,
            "call_cycles": runs[program].measured_cycles,
            "instructions": runs[program].measured_instructions,
            "dummy_cycles": runs[OVERHEAD].measured_cycles,
        }

    inputs = {"operands": [base, exponent, modulus]}
    accelerator = found.configuration
    sources = (*(design_sources(accelerator) if accelerator else ()), _PROC, _SIM)
    return memoize(
        f"calls {system} {program} {nbits} {operation}", inputs, sources, measure, progress
    )


def _tell(progress: Progress | None, line: str) -> None:
    assert progress is not None  # or else nothing is measured
    progress(line)


def _operations(nbits: int, keys: int, progress: Progress | None) -> Iterator[Operands]:
    """Encrypt a message with each of so many keys, and decrypt it again; none without keys."""

    def draw() -> list[list[int]]:
        drawn = (seeded_key(nbits, seed, random_exponent=True) for seed in range(keys))
        return [[key.n, key.e, key.d] for key in drawn]

    # Wide primes take longer to find than everything else.
    inputs = {"nbits": nbits, "keys": keys}
    message = random.Random(nbits)
    drawn = memoize(f"keys {nbits}", inputs, [Path(fl.keys.__file__)], draw, progress)
    for n, e, d in drawn or ():
        base = message.randrange(n)
        yield base, e, n
        yield pow(base, e, n), d, n


def _checked(configuration: Configuration, timing: Any, operands: Operands) -> int:
    """Cycles by a cycle model."""
    outcome, durations = timing.evaluate(*operands)
    if outcome != (pow(*operands), Status.OK):
        raise MeasureError(f"{configuration.name} gives {outcome} for {operands}")
    return sum(durations)


def _on_circuit(configuration: Configuration, operands: list[Operands]) -> list[int]:
    engine = open_component(configuration, "rtl", "native")
    batch = engine.run(
        [configuration.request(*x) for x in operands], max_idle_cycles=hang_cycles(configuration)
    )
    for got, expected in zip(batch.responses, operands, strict=True):
        if got != (pow(*expected), 0):
            raise MeasureError(f"the circuit gives {got} for {expected}")
    return [cycles for cycles in batch.cycles if cycles is not None]
