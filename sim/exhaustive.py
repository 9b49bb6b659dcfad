"""Runs every product of a multiplier, for ``rsaxcel sim --exhaustive`` and ``rsaxcel check``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rsaxcel.circuit import ProductCircuit
from rsaxcel.fl.status import Status
from rsaxcel.sim.answers import other_cycles, vector_fault
from rsaxcel.sim.batch import SimulationError, SimulationTimeout
from rsaxcel.sim.products import MOST_NBITS, Columns, Products
from rsaxcel.sim.runners import Answer, RunnerError, hang_cycles, open_component
from rsaxcel.sim.vectors import Chosen, Vector
from rsaxcel.store.errors import UserError


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
