"""Compares the rows of a run with their expected values, and prints how to run one again."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from rsaxcel.circuit import Circuit
from rsaxcel.sim.answers import Expected, difference
from rsaxcel.sim.batch import Batch, Column, SimulationTimeout
from rsaxcel.sim.corners import Operands
from rsaxcel.sim.operations import named, operation
from rsaxcel.sim.replay import replay


class Comparison:
    """Compares the rows of a run with their expected values, batch by batch.

    Parameters
    ----------
    configuration, level, engine
        Simulated configuration, its level and engine.
    under
        Conditions of the run, such as stalls.
    command
        Command that repeats the run; else one is printed that runs the row alone.
    """

    def __init__(
        self, configuration: Circuit, level: str, engine: str, under: str = "", command: str = ""
    ) -> None:
        self._configuration, self._level, self._engine = configuration, level, engine
        params = (f"{k}={v}" for k, v in configuration.params.items())
        choices = ", ".join((f"{configuration.nbits} bits", *params))
        self._head = f"{configuration.design_name} ({choices}), level {level}, engine {engine}"
        if under:
            self._head += f", {under}"
        self._command = command
        self._alone = "; with its row alone, not with these conditions" if under else ""
        self._rows = self._differing = 0
        self._first = ""

    def add(
        self,
        operands: Sequence[Column],
        got: Sequence[Column],
        expected: Sequence[Column],
        cycles: tuple[Column, Column] | None = None,
    ) -> None:
        """Compare a batch, given column by column; ``cycles``: simulated and expected cycles."""
        if cycles is not None:
            got, expected = [*got, cycles[0]], [*expected, cycles[1]]
        differs = np.zeros(len(operands[0]), bool)
        for ours, theirs in zip(got, expected, strict=True):
            differs |= _array(ours) != _array(theirs)
        self._rows += len(differs)
        self._differing += int(differs.sum())
        if differs.any() and not self._first:
            index = int(differs.argmax())
            found, wanted = ([int(c[index]) for c in columns] for columns in (got, expected))
            response = slice(None) if cycles is None else slice(-1)
            counted = (None, None) if cycles is None else (found[-1], wanted[-1])
            told = difference(
                Expected(tuple(wanted[response]), counted[1]), found[response], counted[0]
            )
            self._first = self._told([int(column[index]) for column in operands], told)

    def check(self) -> None:
        """Fail if a row differs; the message has the first one, and a command that repeats it."""
        if self._differing:
            counts = f"{self._differing:,} of {self._rows:,} rows differ"
            pytest.fail(f"{self._head}: {counts}\n{self._first}", pytrace=False)

    @contextmanager
    def hangs_told(self, operands: Sequence[Column]) -> Iterator[None]:
        """Fail in the same way if a run of these operands (by column) gets no answer."""
        hang = None
        try:
            yield
        except SimulationTimeout as error:
            hang = error
        if hang:
            row = [int(column[hang.answered]) for column in operands]
            pytest.fail(f"{self._head}: no answer\n{self._told(row, str(hang))}", pytrace=False)

    def _told(self, row: Any, what: str) -> str:
        values = named(operation(self._configuration), row)
        operands = " ".join(f"{key}={value:#x}" for key, value in values.items())
        if self._command:
            return f"first: {operands}: {what}\nreplay: {self._command}"
        command = replay(self._configuration, self._level, self._engine, row)
        return f"first: {operands}: {what}\nreplay{self._alone}: {command}"


def check_batch(
    configuration: Circuit,
    level: str,
    engine: str,
    operands: Sequence[Operands],
    batch: Batch,
    expected: Sequence[tuple[int, ...]],
    cycles: Sequence[int | None] | None = None,
    under: str = "",
    command: str = "",
) -> None:
    """Fail at the first row whose response, or cycles if given, differ from the expected ones."""
    assert len(operands) == len(batch.responses) == len(expected)
    if not operands:
        return  # a table may have no rows at a width
    comparison = Comparison(configuration, level, engine, under, command)
    rows: tuple[Any, ...] = operands, batch.responses, expected
    sent, got, wanted = ([*zip(*each, strict=True)] for each in rows)
    counted: Any = None if cycles is None else (batch.cycles, cycles)
    comparison.add(sent, got, wanted, counted)
    comparison.check()


def _array(column: Column) -> np.ndarray:
    """Column as an array; its integers may have any size."""
    return column if isinstance(column, np.ndarray) else np.array(column, object)
