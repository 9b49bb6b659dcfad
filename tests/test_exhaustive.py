"""Every product of small operands, of every multiplier's compiled circuit.

A corner that one product in ten thousand hits escapes tables and random draws; at eight bits there
are few enough products to form all of them. For each multiplier of the registry, and for each of
its parameters the smallest value, the next one and the default, the others being the smallest (many
digits, words or stages), and for all defaults together:

- every modulus of up to 8 bits that the rules allow, with every pair of operands that the contract
  allows: below m, or below 2m where products stay below that;
- where that takes more than ``WORK`` cycles, every modulus of up to 8 bits with the corners of the
  range as either operand and any value as the other, and with random pairs; and with the smallest
  parameters all moduli and pairs of the widest circuit for which they take no more;
- at ``SMALL_NBITS``, a width that no digit divides, everything with the largest parameters.

Results are compared with Python's, cycles with the cycle model's.
"""

from collections.abc import Iterator

import numpy as np
import pytest

import catalog
from eval.engines import hang_cycles
from tests.harness import Comparison, configure, engine_for

NBITS = 8
SMALL_NBITS = 5
# Cycles: some seven seconds of the native engine's.
WORK = 70_000_000
# Rows in memory at a time.
BLOCK = 1 << 20
RANDOM_PAIRS = 2000

Columns = tuple[np.ndarray, np.ndarray, np.ndarray]


def moduli(configuration) -> range:
    """Every modulus that the rules allow."""
    if configuration.constant_modulus:
        return range(configuration.constant_modulus, configuration.constant_modulus + 1)
    odd = configuration.golden.odd_modulus
    return range(3, 1 << configuration.nbits, 2) if odd else range(2, 1 << configuration.nbits)


def work(configuration) -> int:
    """Cycles of all products."""
    pairs = sum(configuration.golden.operand_limit(m) ** 2 for m in moduli(configuration))
    largest = moduli(configuration)[-1]
    longest = configuration.cycles(largest - 1, largest - 1, largest)
    return pairs * (longest + configuration.load_cycles + 1)


def all_pairs(limit: int, modulus: int) -> tuple[np.ndarray, np.ndarray]:
    """Every pair of operands."""
    values = np.arange(limit)
    return np.repeat(values, limit), np.tile(values, limit)


def some_pairs(limit: int, modulus: int) -> tuple[np.ndarray, np.ndarray]:
    """Corners with every value, both ways round, and random pairs."""
    values = np.arange(limit)
    corners = np.array([0, 1, modulus - 1, modulus, limit - 2, limit - 1])
    corners = np.unique(corners[corners < limit])
    draw = np.random.default_rng(modulus).integers(limit, size=(2, RANDOM_PAIRS))
    corner, value = np.repeat(corners, limit), np.tile(values, len(corners))
    return np.concatenate((corner, value, draw[0])), np.concatenate((value, corner, draw[1]))


PAIRS = {"all": all_pairs, "corners": some_pairs}


def blocks(configuration, pairs: str) -> Iterator[Columns]:
    """Operands a, b and moduli, in blocks that fit the memory."""
    held, count = [], 0
    for modulus in moduli(configuration):
        a, b = PAIRS[pairs](configuration.golden.operand_limit(modulus), modulus)
        held.append((a, b, np.full(len(a), modulus)))
        count += len(a)
        if count >= BLOCK or modulus == moduli(configuration)[-1]:
            yield tuple(map(np.concatenate, zip(*held, strict=True)))
            held, count = [], 0


def of_moduli(configuration, function) -> np.ndarray:
    """Table of a function of the modulus."""
    table = np.zeros(1 << configuration.nbits, np.int64)
    for modulus in moduli(configuration):
        table[modulus] = function(modulus)
    return table


def modelled_cycles(configuration, columns: Columns) -> np.ndarray:
    """Cycles by the cycle model, which is asked once for all rows that it can't tell apart."""
    golden = configuration.golden
    seen = {} if golden.constant_time else golden.timed_by
    key = np.zeros(len(columns[0]), np.int64)
    for name, column in zip(("a", "b", "modulus"), columns, strict=True):
        if name in seen:
            key = key * (2 << configuration.nbits) + column
    _, first, which = np.unique(key, return_index=True, return_inverse=True)
    cycles = [configuration.cycles(*(int(column[i]) for column in columns)) for i in first]
    return np.array(cycles)[which]


def choices(entry, nbits: int) -> list[dict]:
    """Parameters to run at a width, the smallest ones first."""
    allowed = {p.name: list(p.allowed(nbits)) for p in entry.parameters}
    least = {name: values[0] for name, values in allowed.items()}
    defaults = {p.name: p.default(nbits) for p in entry.parameters}
    others = (
        least | {name: value}
        for name, values in allowed.items()
        for value in (*values[1:2], defaults[name])
    )
    return [least, *others, defaults]


def points(name: str) -> Iterator[tuple]:
    """Width, parameters and pairs to run of a multiplier."""
    entry = catalog.find(name)
    for params in choices(entry, NBITS):
        affordable = work(configure(name, NBITS, **params)) <= WORK
        yield NBITS, tuple(params.items()), "all" if affordable else "corners"
    for nbits in (n for n in range(NBITS, 1, -1) if n in entry.widths):
        least, *_ = choices(entry, nbits)
        if work(configure(name, nbits, **least)) <= WORK:
            yield nbits, tuple(least.items()), "all"
            break
    if SMALL_NBITS in entry.widths:
        largest = ((p.name, list(p.allowed(SMALL_NBITS))[-1]) for p in entry.parameters)
        yield SMALL_NBITS, tuple(largest), "all"


POINTS = [(name, *point) for name in catalog.multipliers() for point in dict.fromkeys(points(name))]


@pytest.mark.parametrize(
    ("name", "nbits", "params", "pairs"),
    [
        pytest.param(*point, id="-".join((name, str(n), *(f"{k}={v}" for k, v in p), pairs)))
        for point in POINTS
        for name, n, p, pairs in [point]
    ],
)
def test_every_product(name, nbits, params, pairs):
    """Result and cycles of every product; what is covered is in the module's text."""
    configuration = configure(name, nbits, **dict(params))
    golden = configuration.golden
    engine = engine_for(configuration, "rtl", "native")
    inverse = of_moduli(configuration, lambda m: pow(configuration.r, -1, m))
    constants = [of_moduli(configuration, constant.formula.value) for constant in golden.constants]
    comparison = Comparison(configuration, "rtl", "native")
    for columns in blocks(configuration, pairs):
        a, b, modulus = columns
        request = (*columns, *(table[modulus] for table in constants))
        with comparison.hangs_told(columns):
            batch = engine.run_columns(request, max_idle_cycles=hang_cycles(configuration))
        expected = a * b % modulus * inverse[modulus] % modulus
        cycles = batch.cycles, modelled_cycles(configuration, columns)
        comparison.add(columns, batch.responses, [expected], cycles)
    comparison.check()
