"""Measurements of cycles: jobs that count cycles, and the facts that follow from the counts."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from rsaxcel import catalog
from rsaxcel.eval.facts.fact import Fact, Kind
from rsaxcel.eval.measure.cycle_counts import (
    WORKLOADS,
    call_cycles,
    key_cycles,
    operation_cycles,
    product_cycles,
    square_cycles,
    workload_cycles,
)
from rsaxcel.eval.measure.job import Job, Measurement
from rsaxcel.eval.measure.memo import texts
from rsaxcel.flow.requests import OPERATION_COUNT, default_exponents
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
