"""Cycle measurements of studies: of designs over many keys, and of calls on whole systems."""

import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from statistics import fmean
from typing import Any

import fl.keys
import proc
import sim
from catalog import Configuration
from cl.exponentiator import Handshake
from eval.engines import hang_cycles, open_component
from eval.report.measure import Progress
from eval.report.results import OPERATIONS, MeasureError
from fl.keys import seeded_key
from fl.status import Status
from flow.requests import bases, default_exponents
from proc.operands import join_words
from proc.systems import OVERHEAD, find_system
from sim.sources import design_sources
from sim.system import open_circuit
from sim.system_run import SystemRequest, SystemRun
from store.code import code_digest
from store.folders import keep_json, key_of

Operands = tuple[int, int, int]

_FOLDER = Path("build", "measurements")
_SIM, _PROC = (Path(str(package.__file__)).parent for package in (sim, proc))
_CIRCUIT_KEYS = 1
_MAX_CYCLES = 1 << 40


def memoize(
    name: str, inputs: Mapping[str, Any], sources: Iterable[Path], measure: Callable[[], Any]
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

    Raises
    ------
    CacheError
        If the file can't be written.
    """
    label = re.sub(r"[^A-Za-z0-9_]+", "-", name)
    key = key_of(name, inputs, code_digest(sources))
    return keep_json(_FOLDER.absolute(), f"{label}-{key}", measure)


def key_cycles(
    configuration: Configuration,
    handshakes: Mapping[str, Handshake],
    keys: int,
    progress: Progress,
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
    progress : callable
        Takes a line for each step.

    Returns
    -------
    dict
        ``"circuit"`` and every handshake with the mean; ``"rtl"`` with the circuit's own cycles of
        the first key by operation.

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
        "operands": (operands := list(_operations(configuration.nbits, keys))),
    }

    def measure() -> dict[str, Any]:
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
        return {**means, "rtl": dict(zip(OPERATIONS, circuit, strict=True))}

    sources = (*design_sources(configuration), _SIM)
    return memoize(f"cycles {configuration.name}", inputs, sources, measure)


def operation_cycles(
    configuration: Configuration, exponent: int, progress: Progress
) -> dict[str, int]:
    """Cycles of one exponentiation with the standard key's modulus, on the circuit.

    Parameters
    ----------
    configuration : Configuration
        Design.
    exponent : int
        Exponent.
    progress : callable
        Takes a line for each step.

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
        progress("circuit")
        (circuit,) = _on_circuit(configuration, [operands])
        if circuit != model:
            raise MeasureError(f"RTL takes {circuit} cycles, the model {model}")
        return {"cycles": circuit, "load_cycles": configuration.load_cycles}

    inputs = {"params": configuration.params, "operands": operands}
    sources = (*design_sources(configuration), _SIM)
    return memoize(f"operation {configuration.name}", inputs, sources, measure)


def call_cycles(
    system: str, program: str, nbits: int, operation: str, progress: Progress
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
    progress : callable
        Takes a line for each step.

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
            progress(f"{name}, exponent of {exponent.bit_length()} bits")
            image = found.image(name, base, exponent, modulus)
            runs[name] = circuit.run(SystemRequest(image, _MAX_CYCLES))
            end = runs[name].end
            if end is None or end.exit_status != 0:
                raise MeasureError(f"{name} on {system} ends with {end}")
            if join_words(runs[name].messages) != pow(base, exponent, modulus):
                raise MeasureError(f"{name} on {system} gives a wrong result")
        return {
            "exponent": exponent,
            "cycles": runs[program].measured_cycles,
            "instructions": runs[program].measured_instructions,
            "dummy_cycles": runs[OVERHEAD].measured_cycles,
        }

    inputs = {"operands": [base, exponent, modulus]}
    accelerator = found.configuration
    sources = (*(design_sources(accelerator) if accelerator else ()), _PROC, _SIM)
    return memoize(f"calls {system} {program} {nbits} {operation}", inputs, sources, measure)


def _operations(nbits: int, keys: int) -> Iterator[Operands]:
    """Encrypt a message with each of so many keys, and decrypt it again."""

    def draw() -> list[list[int]]:
        drawn = (seeded_key(nbits, seed, random_exponent=True) for seed in range(keys))
        return [[key.n, key.e, key.d] for key in drawn]

    # Wide primes take longer to find than everything else.
    inputs = {"nbits": nbits, "keys": keys}
    message = random.Random(nbits)
    for n, e, d in memoize(f"keys {nbits}", inputs, [Path(fl.keys.__file__)], draw):
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
