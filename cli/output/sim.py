"""Prints the output of ``rsaxcel sim``: JSON lines, or a table and a summary."""

import json
import time
from collections import Counter
from dataclasses import dataclass
from typing import Any

import click

from rsaxcel.circuit import Circuit, is_product
from rsaxcel.cli.options.common import design_text
from rsaxcel.fl.status import Status
from rsaxcel.sim.answers import other_cycles, status_name, vector_fault
from rsaxcel.sim.chunks import Chunk
from rsaxcel.sim.exhaustive import ProductBlock
from rsaxcel.sim.operation import Operation
from rsaxcel.sim.operations import named
from rsaxcel.sim.replay import replay
from rsaxcel.sim.runners import Answer
from rsaxcel.sim.vector_keys import MODULUS
from rsaxcel.sim.vectors import Vector
from rsaxcel.store.shown import LEAST, shorten

_TABLE_ROWS = 20
MISMATCHES_SHOWN = 2
# Cycles are compared with the cycle model for the first CYCLES_COMPARED answers, then for one in
# CYCLES_STRIDE: for a small circuit the model, in Python, takes longer than the simulation.
CYCLES_COMPARED = 1000
CYCLES_STRIDE = 100
_PLAIN_WIDTH = 240
_SET_UP_SECONDS = 1.0
"""Set-up times (of translation and compilation) that are shorter are not printed."""


@dataclass(frozen=True)
class SimTask:
    """A simulation to run.

    Parameters
    ----------
    configuration : Circuit
        Design or multiplier.
    level, engine : str
        Level, and engine that simulates it.
    origin : str
        Where the vectors come from: name of a file, or a text such as ``random, seed 0``.
    total : int
        Number of vectors.
    to_do : Operation
        Operation that the circuit performs on the operands: a power or a product.
    seed : int or None
        Seed of random vectors.
    """

    configuration: Circuit
    level: str
    engine: str
    origin: str
    total: int
    to_do: Operation
    seed: int | None = None

    @property
    def keys(self) -> tuple[str, ...]:
        """Names of the operands in a vector."""
        return self.to_do.keys

    def values(self, vector: Vector) -> dict[str, str]:
        """Operands of a vector by name, as hex strings."""
        return {key: f"{x:x}" for key, x in named(self.to_do, vector.operands).items()}

    def record(self, vector: Vector) -> dict[str, str]:
        """Values of a vector by name, and the modulus by which its result is reduced."""
        modulus = {MODULUS: f"{vector.modulus:x}"} if vector.modulus else {}
        return {**self.values(vector), **modulus}

    @property
    def measures_cycles(self) -> bool:
        """Whether cycles are counted in a simulation, rather than computed by the cycle model."""
        return self.level != "fl" and self.engine != "python"

    def place(self, vector: Vector) -> str:
        """File and line of a vector, in the form FILE:LINE."""
        return f"{self.origin}:{vector.line}"


class Output:
    """Base class of ``JsonOutput`` and ``TextOutput``.

    It counts mismatches, and reports them on standard error.
    """

    def __init__(self, run: SimTask) -> None:
        self.run = run
        self.mismatches = 0
        self.compared = self.differing = 0
        self._timed = 0
        self._first: Vector | None = None

    def add(self, chunk: Chunk) -> None:
        """Check and show the answer to each vector of a chunk."""
        for vector, answer in zip(chunk.vectors, chunk.answers, strict=True):
            cycles = self._cycle_fault(vector, answer)
            wrong = vector_fault(vector, answer) or cycles
            if wrong:
                self.tell(vector, wrong)
            self.show(vector, answer, wrong is None)

    def tell(self, vector: Vector, wrong: str) -> None:
        """Count a mismatch, and print it if it is one of the first."""
        self.mismatches += 1
        if self._first is None and vector.expected == vector.result:
            self._first = vector  # if these two differ, the vector is wrong, not the circuit
        if self.mismatches <= MISMATCHES_SHOWN:
            click.echo(f"rsaxcel: mismatch: {self._describe(vector, wrong)}", err=True)

    def _cycle_fault(self, vector: Vector, answer: Answer) -> str | None:
        """Message if cycles differ from the cycle model; None if they agree or are not compared."""
        if answer.cycles is None or not self.run.measures_cycles:
            return None
        self._timed += 1
        if self._timed > CYCLES_COMPARED and self._timed % CYCLES_STRIDE:
            return None
        configuration = self.run.configuration
        modelled = configuration.cycles(*vector.operands)
        if modelled is None:
            return None
        self.compared += 1
        for name, got, expected in (
            ("cycles", answer.cycles, modelled),
            ("load cycles", answer.load_cycles, configuration.load_cycles),
        ):
            if got != expected:
                self.differing += 1
                return other_cycles(got, expected, name)
        return None

    def _describe(self, vector: Vector, wrong: str) -> str:
        return f"{self.run.place(vector)}: {wrong}; {json.dumps(self.run.record(vector))}"

    def show(self, vector: Vector, answer: Answer, match: bool) -> None:
        """Show one answer."""
        raise NotImplementedError

    def finish(self) -> None:
        """Print how many mismatches were not printed, and a command that repeats the first one."""
        unseen = self.mismatches - MISMATCHES_SHOWN
        if unseen > 0:
            click.echo(f"rsaxcel: mismatch: {unseen} more", err=True)
        if self._first:
            run = self.run
            of_vector = self._first.operands, self._first.modulus
            command = replay(run.configuration, run.level, run.engine, *of_vector)
            click.echo(f"rsaxcel: the first one again: {command}", err=True)


class JsonOutput(Output):
    """Prints one JSON object per vector, in a form that the option ``--vectors`` can read."""

    def __init__(self, run: SimTask) -> None:
        super().__init__(run)
        self._head = {
            "design": run.configuration.design_name,
            "nbits": run.configuration.nbits,
            "params": run.configuration.params,
            "level": run.level,
            "engine": run.engine,
            **({} if run.seed is None else {"seed": run.seed}),
        }

    def show(self, vector: Vector, answer: Answer, match: bool) -> None:
        """Print a vector and the circuit's answer to it as a line of JSON."""
        record: dict[str, Any] = {
            **self._head,
            "line": vector.line,
            **self.run.record(vector),
            "status": status_name(answer.status),
            "result": f"{answer.result:x}",
            "expect": f"{vector.expected:x}",
            "match": match,
            "cycles": answer.cycles,
        }
        if self.run.configuration.load_cycles:
            record["load_cycles"] = answer.load_cycles
        print(json.dumps(record))


class TextOutput(Output):
    """Prints a table of the vectors if they are few, and a summary.

    Parameters
    ----------
    run : SimTask
        The simulation; its time is measured from the creation of this object.
    set_up : float
        Seconds that translation and compilation of the circuit have taken.
    """

    def __init__(self, run: SimTask, set_up: float = 0) -> None:
        super().__init__(run)
        self._set_up = set_up
        self._started = time.monotonic()
        self._simulated_cycles = 0
        self._cycles: Counter[int] = Counter()
        self._load_cycles: set[int] = set()
        self._rejected = 0
        self._rows: list[tuple[str, ...]] = []

    def add(self, chunk: Chunk) -> None:
        """Count the simulated cycles; check and show the answers."""
        self._simulated_cycles += chunk.cycles
        super().add(chunk)

    def add_products(self, block: ProductBlock) -> None:
        """Count the cycles and mismatches of a block of products; print the first mismatches."""
        for vector, wrong in block.faults:
            self.tell(vector, wrong)
        self.mismatches += block.fault_count - len(block.faults)
        self.compared += sum(block.cycles.values())
        self.differing += block.differing
        self._cycles += block.cycles
        self._simulated_cycles += block.total_cycles

    def show(self, vector: Vector, answer: Answer, match: bool) -> None:
        """Add one answer to the table and to the summary."""
        if vector.status is not Status.OK:
            self._rejected += 1
        elif answer.cycles is not None:
            self._cycles[answer.cycles] += 1
            self._load_cycles.add(answer.load_cycles or 0)
        if self.run.total <= _TABLE_ROWS:
            operands = self.run.values(vector).values()
            results = f"{answer.result:x}", f"{vector.expected:x}"
            cycles = "-" if answer.cycles is None else str(answer.cycles)
            verdict = "yes" if match else "NO"
            row = (
                str(vector.line),
                *operands,
                status_name(answer.status),
                *results,
                cycles,
                verdict,
            )
            self._rows.append(row)

    def finish(self) -> None:
        """Print the table and the summary."""
        super().finish()
        if self._rows:
            self._show_table()
        for label, value in self._summary(time.monotonic() - self._started):
            click.echo(f"{label:<13}{value}")

    def _show_table(self) -> None:
        """Print the table; long numbers are shortened so that the lines fit."""
        from rich.console import Console  # slow import, needed for tables only
        from rich.table import Table

        console = Console(highlight=False)
        if not console.is_terminal:
            console.width = _PLAIN_WIDTH
        names = ("line", *self.run.keys, "status", "result", "expect", "cycles", "match")
        numbers = [index for index, name in enumerate(names) if name in self._long]
        widths = [max(map(len, column)) for column in zip(names, *self._rows, strict=True)]
        others = sum(width for index, width in enumerate(widths) if index not in numbers)
        limit = max(LEAST, (console.width - others - len(names) + 1) // len(numbers))
        table = Table(box=None, header_style="bold", pad_edge=False, collapse_padding=True)
        for name in names:
            is_word = name in ("status", "match")
            table.add_column(name, justify="left" if is_word else "right", no_wrap=True)
        for row in self._rows:
            cells = [shorten(x, limit) if i in numbers else x for i, x in enumerate(row)]
            table.add_row(*cells, style=None if row[-1] == "yes" else "bold red")
        # If the table is wider than the terminal, rich would cut numbers. So rich is told that the
        # terminal is wide enough, and the terminal wraps the lines.
        console.width = max(console.width, sum(widths) + len(names))
        console.print(table, crop=False)
        if any(widths[index] > limit for index in numbers):
            console.print("(long numbers are shortened; --json has all digits)", style="dim")
        console.print()

    @property
    def _long(self) -> tuple[str, ...]:
        """Names of the columns with numbers that may be long."""
        return (*self.run.keys, "result", "expect")

    def _summary(self, seconds: float) -> list[tuple[str, str]]:
        run, configuration = self.run, self.run.configuration
        design = design_text(configuration.design_name, configuration.nbits, configuration.params)
        # A multiplier's response has no status: rejected vectors are not sent.
        unsent = self._rejected and is_product(configuration)
        rows = [
            ("design", design),
            ("engine", f"{run.engine}, level {run.level}"),
            (
                "vectors",
                f"{run.total:,} ({run.origin}), {self._rejected:,} of them against an input rule"
                + (" and not sent" if unsent else ""),
            ),
            ("mismatches", f"{self.mismatches:,}"),
        ]
        if self._cycles:
            mean = sum(k * n for k, n in self._cycles.items()) / self._cycles.total()
            spread = f"min {min(self._cycles):,}, mean {mean:,.1f}, max {max(self._cycles):,}"
            rows.append(("cycles", f"{spread} (vectors with status ok)"))
        if any(self._load_cycles):
            counts = ", ".join(f"{x:,}" for x in sorted(self._load_cycles))
            rows.append(("load cycles", f"{counts} before the request is accepted"))
        if self.compared:
            differing = f"no, {self.differing:,} differ" if self.differing else "yes, all"
            rows.append(("as cl model", f"{differing} of {self.compared:,} compared"))
        speed = f"{run.total / seconds:,.0f} vectors/s"
        if self._simulated_cycles:
            speed += f", {self._simulated_cycles / seconds:,.0f} cycles/s"
        if self._set_up >= _SET_UP_SECONDS:
            speed += f"; set-up {self._set_up:.1f} s"
        rows.append(("time", f"{seconds:.2f} s, {speed}"))
        return rows
