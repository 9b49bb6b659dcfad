"""Products to test a multiplier of up to 8 bits, as arrays: all, or corners and drawn ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from rsaxcel.circuit import ProductCircuit
from rsaxcel.fl.status import Status
from rsaxcel.sim.answers import other_cycles, vector_fault
from rsaxcel.sim.batch import SimulationError, SimulationTimeout
from rsaxcel.sim.runners import Answer, RunnerError, cycles_of, hang_cycles, open_component
from rsaxcel.sim.vectors import Chosen, Vector
from rsaxcel.store.errors import UserError

MOST_NBITS = 8  #: largest width of a multiplier: at 8 bits, all products are millions

#: Most cycles for which a check runs all products: about seven seconds on the native engine.
WORK = 70_000_000

Columns = tuple[np.ndarray, np.ndarray, np.ndarray]  #: values of a, values of b, moduli

_BLOCK = 1 << 20  #: number of rows in a block
_RANDOM_PAIRS = 2000


def all_pairs(limit: int, modulus: int) -> tuple[np.ndarray, np.ndarray]:
    """Every pair of operands a and b below ``limit``; ``modulus`` has no effect."""
    values = np.arange(limit)
    return np.repeat(values, limit), np.tile(values, limit)


def some_pairs(
    limit: int, modulus: int, count: int = _RANDOM_PAIRS
) -> tuple[np.ndarray, np.ndarray]:
    """Pair 0, 1 and values next to ``modulus`` and ``limit`` with every value, in both orders.

    ``count`` random pairs follow.
    """
    values = np.arange(limit)
    corners = np.array([0, 1, modulus - 1, modulus, limit - 2, limit - 1])
    corners = np.unique(corners[(corners >= 0) & (corners < limit)])
    draw = np.random.default_rng(modulus).integers(limit, size=(2, count))
    corner, value = np.repeat(corners, limit), np.tile(values, len(corners))
    return np.concatenate((corner, value, draw[0])), np.concatenate((value, corner, draw[1]))


#: Takes the exclusive limit of operands and a modulus.
Pairs = Callable[[int, int], tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True)
class Products:
    """Products of a multiplier of up to ``MOST_NBITS`` bits, for every modulus that it allows."""

    configuration: ProductCircuit
    pairs: Pairs = all_pairs

    @property
    def moduli(self) -> range:
        """Every modulus that the contract allows."""
        configuration = self.configuration
        if only := configuration.constant_modulus:
            return range(only, only + 1)
        end = 1 << configuration.nbits
        return range(3, end, 2) if configuration.golden.odd_modulus else range(2, end)

    def limit(self, modulus: int) -> int:
        """Return the exclusive limit of both operands."""
        return self.configuration.golden.operand_limit(modulus)

    @property
    def count(self) -> int:
        return sum(self.limit(m) ** 2 for m in self.moduli)

    @property
    def work(self) -> int:
        """Upper estimate of the cycles for all pairs, by the cycle model or one product."""
        largest = self.moduli[-1]
        (longest,) = cycles_of(self.configuration, [(largest - 1, largest - 1, largest)])
        return self.count * (longest + self.configuration.load_cycles + 1)

    def blocks(self, rows: int = _BLOCK) -> Iterator[Columns]:
        """Yield operands a and b with their moduli, in blocks of at least ``rows`` rows."""
        held: list[Columns] = []
        count = 0
        for modulus in self.moduli:
            a, b = self.pairs(self.limit(modulus), modulus)
            held.append((a, b, np.full(len(a), modulus)))
            count += len(a)
            if count >= rows or modulus == self.moduli[-1]:
                a, b, m = (np.concatenate(parts) for parts in zip(*held, strict=True))
                yield a, b, m
                held, count = [], 0

    def requests(self, columns: Columns) -> tuple[np.ndarray, ...]:
        """Request messages for a block of products, as an array for each field of the message."""
        return (*columns, *(table[columns[2]] for table in self._constants))

    def expected(self, columns: Columns) -> np.ndarray:
        """Compute a * b mod the modulus, divided by a Montgomery multiplier's R."""
        a, b, modulus = columns
        return a * b % modulus * self._inverse[modulus] % modulus

    def cycles(self, columns: Columns) -> np.ndarray | None:
        """Cycles of each product of a block; None without a cycle model."""
        # The model is called once for equal operands among those on which the timing depends.
        if "cl" not in self.configuration.levels:
            return None
        golden = self.configuration.golden
        seen = () if golden.constant_time else golden.timed_by
        key = np.zeros(len(columns[0]), np.int64)
        for name, column in zip(("a", "b", "modulus"), columns, strict=True):
            if name in seen:
                key = key * (2 << self.configuration.nbits) + column
        _, first, which = np.unique(key, return_index=True, return_inverse=True)
        rows = [[int(column[i]) for column in columns] for i in first]
        return np.array([self.configuration.cycles(*row) for row in rows])[which]

    @cached_property
    def _inverse(self) -> np.ndarray:
        return self._table(lambda m: pow(self.configuration.r, -1, m))

    @cached_property
    def _constants(self) -> list[np.ndarray]:
        return [self._table(x.formula.value) for x in self.configuration.golden.constants]

    def _table(self, function: Callable[[int], Any]) -> np.ndarray:
        """Table of a function's values, indexed by the modulus."""
        table = np.zeros(1 << self.configuration.nbits, np.int64)
        for modulus in self.moduli:
            table[modulus] = function(modulus)
        return table


@dataclass(frozen=True)
class ProductBlock:
    """Results of a block of products on the compiled circuit."""

    cycles: Counter[int]  #: number of products for each number of cycles
    total_cycles: int
    faults: list[tuple[Vector, str]]  #: first faulty products, with descriptions
    fault_count: int  #: number of wrong results, and of cycles that differ from the model
    differing: int  #: products whose cycles differ from the model


def all_products(configuration: ProductCircuit) -> Products:
    """All products of a multiplier of at most ``MOST_NBITS`` bits; ``UserError`` for others."""
    if configuration.golden.unary:
        name = configuration.design_name
        raise UserError(f"--exhaustive: {name} forms no products; a multiplier is allowed")
    if configuration.nbits > MOST_NBITS:
        raise UserError(f"--exhaustive: --nbits {configuration.nbits}; up to {MOST_NBITS} allowed")
    return Products(configuration)


def chosen_products(products: Products) -> Chosen:
    """Convert products to vectors with expected results, for ``rsaxcel sim``."""
    return Chosen(_vectors_of(products), products.count, "every product", None)


def _vectors_of(products: Products) -> Iterator[Vector]:
    number = 0
    for columns in products.blocks():
        rows = zip(*(x.tolist() for x in columns), strict=True)
        for row, result in zip(rows, products.expected(columns).tolist(), strict=True):
            number += 1
            yield Vector(number, row, Status.OK, result)


def run_products(products: Products, shown: int) -> Iterator[ProductBlock]:
    """Run every product on the compiled circuit, block by block.

    A block describes up to ``shown`` faults.
    """
    configuration = products.configuration
    engine = open_component(configuration, "rtl", "native")
    from rsaxcel.sim.native.engine import NativeEngine

    assert isinstance(engine, NativeEngine)
    engine.optimize()
    done = 0
    for columns in products.blocks():
        try:
            batch = engine.run_columns(
                products.requests(columns), max_idle_cycles=hang_cycles(configuration)
            )
        except SimulationTimeout as error:
            vector = _vector(products, columns, error.answered, done)
            raise RunnerError(str(error), vector) from error
        except SimulationError as error:
            raise RunnerError(str(error)) from error
        (results,), known = batch.responses, products.cycles(columns)
        modelled = batch.cycles if known is None else known
        differs = batch.cycles != modelled
        wrong = np.flatnonzero((results != products.expected(columns)) | differs)
        faults = []
        for index in wrong[:shown].tolist():
            vector = _vector(products, columns, index, done)
            answer = Answer(Status.OK, int(results[index]), int(batch.cycles[index]))
            said = other_cycles(answer.cycles, int(modelled[index]))
            faults.append((vector, vector_fault(vector, answer) or said))
        values, counts = np.unique(batch.cycles, return_counts=True)
        cycles = Counter(dict(zip(values.tolist(), counts.tolist(), strict=True)))
        yield ProductBlock(cycles, batch.total_cycles, faults, len(wrong), int(differs.sum()))
        done += len(results)


def _vector(products: Products, columns: Columns, index: int, done: int) -> Vector:
    a, b, modulus = (column[index : index + 1] for column in columns)
    result = int(products.expected((a, b, modulus))[0])
    return Vector(done + index + 1, (int(a[0]), int(b[0]), int(modulus[0])), Status.OK, result)
