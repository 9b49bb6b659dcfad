"""Tests whether cycles depend on exponent, base or modulus as the design declares."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from time import perf_counter
from typing import Any

import numpy as np
from scipy import stats

from rsaxcel.circuit import Circuit
from rsaxcel.lab.blocks import Block
from rsaxcel.lab.leakage.operands import BASE, EXPONENT, MODULUS, TESTS, OperandSource
from rsaxcel.lab.leakage.recorder import code_of
from rsaxcel.sim.corners import Operands
from rsaxcel.sim.runners import cycles_of
from rsaxcel.store.code import code_digest
from rsaxcel.store.folders import cache_root, keep_json, key_of

COUNT = 3000  #: operations for each operand that is varied


@dataclass(frozen=True, kw_only=True)
class Spread:
    """Range of the cycles while one operand varies."""

    operand: str
    #: whether the design declares that cycles depend on the operand; None: no declaration
    declared: bool | None
    count: int  #: number of operations
    least: int  #: smallest number of cycles
    most: int  #: largest number of cycles

    @property
    def varies(self) -> bool:
        """Whether the cycles depend on the operand."""
        return self.most > self.least

    @property
    def contradicts(self) -> bool:
        """Whether the cycles vary although the design declares that they do not."""
        return self.varies and self.declared is False

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "varies": self.varies, "contradicts": self.contradicts}


@dataclass(frozen=True, kw_only=True)
class TimeSpread(Spread):
    """Cycles of the model, or of a circuit without model, while one operand varies."""

    #: Pearson's correlation of cycles and number of ones (CRT: in both numbers); None: constant
    #: cycles
    ones: float | None
    length: float | None  #: Pearson's correlation of cycles and length; None: constant cycles
    example: tuple[Operands, ...] = ()  #: two operands with different cycles, if there are any


def time_test(
    configuration: Circuit,
    operand: str,
    seed: int,
    cycles: Callable[..., int] | None = None,
    count: int = COUNT,
) -> TimeSpread | None:
    """Vary one operand and compare the cycles with the design's declaration.

    Half of the operands have all bits drawn, half of them a random length, so that leading zeros
    occur; the other two operands are drawn once. Without ``cycles``, the cycle model or a
    simulation gives them. None: the circuit has only one modulus.
    """
    if operand == MODULUS and configuration.constant_modulus:
        return None
    source, draw = OperandSource(configuration), random.Random(f"{seed}/time/{operand}")
    base, exponent, modulus = source.base(draw), source.exponent(draw), source.modulus
    if operand == MODULUS:
        base = draw.getrandbits(2)
    rows: list[Operands] = []
    for number in range(count):
        if operand == EXPONENT:
            nbits = source.exponent_nbits
            if number % 2:
                nbits = draw.randint(0, nbits)
            rows.append(source.request(draw, base, source.exponent(draw, nbits), modulus))
        elif operand == BASE:
            drawn = source.base(draw)
            short = drawn >> draw.randint(0, configuration.nbits) if number % 2 else drawn
            rows.append(source.request(draw, short, exponent, modulus))
        else:
            drawn = _modulus(configuration, source, draw, number)
            rows.append(source.request(draw, base, exponent, drawn))
    took = np.array([cycles(*row) for row in rows] if cycles else cycles_of(configuration, rows))
    least, most = int(took.min()), int(took.max())
    example: tuple[Operands, ...] = ()
    ones = length = None
    if most > least:
        example = (rows[int(took.argmin())], rows[int(took.argmax())])
        varied = [row[(BASE, EXPONENT, MODULUS).index(operand)] for row in rows]
        ones = _correlation(took, [x.bit_count() for x in varied])
        length = _correlation(took, [_length(configuration, operand, x) for x in varied])
    declared = {
        EXPONENT: configuration.exponent_dependent,
        BASE: configuration.base_dependent,
        MODULUS: None,
    }[operand]
    return TimeSpread(
        operand=operand,
        declared=declared,
        count=count,
        least=least,
        most=most,
        ones=ones,
        length=length,
        example=example,
    )


def _modulus(
    configuration: Circuit, source: OperandSource, draw: random.Random, number: int
) -> int:
    if number % 2 == 0 or configuration.halves:
        return source.any_modulus(draw)
    nbits = draw.randint(3, configuration.nbits)
    return configuration.usable_modulus(draw.getrandbits(nbits) | 1 << (nbits - 1) | 1)


def _length(configuration: Circuit, operand: str, value: int) -> int:
    if configuration.halves and operand != BASE:
        return sum(half.bit_length() for half in configuration.halves.split(value))
    return value.bit_length()


def _correlation(cycles: np.ndarray, values: list[int]) -> float | None:
    if len(set(values)) < 2:
        return None
    return round(float(stats.pearsonr(cycles, values).statistic), 3)


def time_tests(configuration: Circuit, seed: int) -> list[TimeSpread]:
    """Vary each operand in turn (see ``time_test``), or return what is kept."""
    found = (_kept(configuration, operand, seed) for operand in TESTS)
    return [
        TimeSpread(**{**timing, "example": tuple(map(tuple, timing["example"]))})
        for timing in found
        if timing is not None
    ]


def time_blocks(configuration: Circuit, seed: int) -> list[Block]:
    """Blocks of ``time_tests``."""
    source, draw = OperandSource(configuration), random.Random(0)
    row = [source.request(draw, source.base(draw), source.exponent(draw), source.modulus)]
    cycles_of(configuration, row)  # prepares what all rows need
    begun = perf_counter()
    cycles_of(configuration, row)
    seconds = COUNT * (perf_counter() - begun)
    return [
        Block(
            f"time of {configuration.name}, {operand}",
            _entry(configuration, operand, seed),
            _vary,
            (configuration, seed),
            number,
            seconds,
            _MEMORY_MB,
        )
        for number, operand in enumerate(TESTS)
    ]


_MEMORY_MB = 500.0  #: of a worker with a model


def _vary(
    configuration: Circuit, seed: int, numbers: Sequence[int], progress: Callable[[str], None]
) -> None:
    for number in numbers:
        _kept(configuration, TESTS[number], seed)


def _kept(configuration: Circuit, operand: str, seed: int) -> dict[str, Any] | None:
    def vary() -> dict[str, Any] | None:
        found = time_test(configuration, operand, seed)
        return None if found is None else asdict(found)

    entry = _entry(configuration, operand, seed)
    kept: dict[str, Any] | None = keep_json(cache_root(), entry, vary)
    return kept


def _entry(configuration: Circuit, operand: str, seed: int) -> str:
    code = code_digest(configuration.sources), code_of(__file__)
    key = key_of(dict(configuration.params), configuration.nbits, seed, COUNT, *code)
    return f"time-{configuration.name}-{operand}-{key}"
