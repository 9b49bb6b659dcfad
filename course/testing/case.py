"""Rows of operands that run on a circuit at a level, compared with their expected values."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from shlex import quote
from typing import Any

import numpy as np
import pytest

from rsaxcel import catalog
from rsaxcel.circuit import Circuit, is_product
from rsaxcel.course.programs import Measured, compile_program, measure
from rsaxcel.course.project import Limits, Project
from rsaxcel.course.testing.cases import (
    POWER_TABLES,
    power_cases,
    product_cases,
    random_power_cases,
)
from rsaxcel.fl.status import Status
from rsaxcel.flow.errors import FlowError
from rsaxcel.proc.elf import Image
from rsaxcel.proc.systems import System, find_system
from rsaxcel.sim.answers import Expected, difference
from rsaxcel.sim.batch import Batch, Column, SimulationTimeout
from rsaxcel.sim.corners import Operands
from rsaxcel.sim.operations import expected_response, named, operation
from rsaxcel.sim.replay import replay
from rsaxcel.sim.runners import hang_cycles, open_component
from rsaxcel.sim.stalls import NO_STALLS, STALL_PROFILES, StallProfile
from rsaxcel.sim.traces import prepare
from rsaxcel.store.errors import RunError, UserError

NETLIST = "netlist"
#: Levels that ``--level`` takes; the last two run when they are asked for.
LEVELS = "fl", "cl", "rtl", NETLIST, "flow"

_GATES = "gates"
_SETUPS = (("fl", "pymtl"), ("cl", "pymtl"), ("rtl", "pymtl"), ("rtl", "native"), (NETLIST, _GATES))
_STALLED_ROWS, _RESET_ROWS = 16, 8
#: widest circuit whose exponents have full length, and the length of those of others, in bits
_FULL_NBITS, _SHORT_NBITS = 16, 12
_LEAST_SQUARE_NBITS = 4  #: of 9, the square of the least odd modulus
_OWN = "rows"  #: name of a table of one's own


@dataclass(frozen=True)
class Case:
    """A case: ``check`` runs its rows, and fails with the first row that is wrong."""

    circuit: Circuit = field(repr=False)  #: which has all of its Verilog
    level: str
    engine: str
    rows: tuple[Operands, ...]
    table: str  #: name of the table, or of the conditions
    stalls: StallProfile = NO_STALLS
    resets: bool = False  #: a reset drops an operation in flight
    vcd: Path | None = None  #: file for a waveform of the rows
    max_cycles: int | None = None  #: cycles without a handshake after which the circuit hangs
    command: str = ""  #: command that repeats the case

    @property
    def name(self) -> str:
        """Name in pytest's list, which ``-k`` selects."""
        level = f"rtl-{self.engine}" if self.level == "rtl" else self.level
        return f"{self.circuit.design_name}-{self.circuit.nbits}-{level}-{self.table}"

    def check(self) -> None:
        """Compare responses with Python's integers, and cycles with the cycle model.

        With stalls, any number of operations is in flight. With a reset in flight, an operation
        may be dropped, and all others are answered.
        """
        if self.resets:
            return self._check_reset()
        batch, timed = self._run(), None
        if self.level != "fl" and "cl" in self.circuit.levels:
            timed = replace(self, level="cl", engine="pymtl", vcd=None)._run().cycles
        self._compare(self.rows, batch, self._expected, timed, self._under)

    def _check_reset(self) -> None:
        calm = self._run()
        busy = ((calm.accepted[1] or 0) + (calm.valid[1] or 0)) // 2
        batch = self._run(reset_at=busy)
        kept = [i for i, got in enumerate(batch.responses) if got is not None]
        if len(kept) < len(self.rows) - 1:
            told = f"{self.name}: a reset drops {len(self.rows) - len(kept)} operations"
            pytest.fail(f"{told}\nreplay: {self.command}", pytrace=False)
        rows, expected = [self.rows[i] for i in kept], [self._expected[i] for i in kept]
        answered = replace(batch, responses=[batch.responses[i] for i in kept])
        self._compare(rows, answered, expected, None, f"a reset in cycle {busy}")

    def _compare(self, rows: Any, batch: Batch, expected: Any, timed: Any, under: str) -> None:
        setup = self.circuit, self.level, self.engine
        check_batch(*setup, rows, batch, expected, timed, under, self._replayed)

    @property
    def _replayed(self) -> str:
        """Command that repeats the case, unless `sim` can run its row alone."""
        is_plain = self.stalls is NO_STALLS and not self.resets and self.level != NETLIST
        return "" if is_plain else self.command

    @property
    def _expected(self) -> list[tuple[int, ...]]:
        to_do = operation(self.circuit)
        responses = [expected_response(to_do, row) for row in self.rows]
        is_alone = is_product(self.circuit)  # its response has no status
        return [(result,) if is_alone else (result, int(status)) for result, status in responses]

    @property
    def _under(self) -> str:
        return "" if self.stalls is NO_STALLS else f"stalls {self.stalls.name}"

    def _run(self, **options: Any) -> Batch:
        setup = self.circuit, self.level, self.engine
        comparison = Comparison(*setup, self._under, self._replayed)
        if self.vcd:
            options["vcd"] = self.vcd
        try:
            with comparison.hangs_told([*zip(*self.rows, strict=True)]):
                return engine_for(*setup, self.vcd is not None).run(
                    [self.circuit.request(*row) for row in self.rows],
                    stalls=self.stalls,
                    in_flight=1 if self.stalls is NO_STALLS else None,
                    max_idle_cycles=self.max_cycles or hang_cycles(self.circuit),
                    **options,
                )
        except FlowError as error:
            told = f"{self.name}: {error}\nreplay: {self.command}"
        finally:
            if self.vcd and self.vcd.exists():
                prepare(self.vcd, self.circuit.component(self.level))
        pytest.fail(told, pytrace=False)


@dataclass(frozen=True)
class NetlistCase:
    """The netlist of a circuit, on operands that are drawn after its synthesis, and by proof."""

    circuit: Circuit

    @property
    def name(self) -> str:
        """Name in pytest's list."""
        return f"{self.circuit.design_name}-{self.circuit.nbits}-netlist-drawn"

    def check(self) -> None:
        """Synthesize the circuit, and compare the netlist with it."""
        from rsaxcel.course.netlist import check_netlist
        from rsaxcel.sim.check.refused import Refused

        try:
            check_netlist(self.circuit, 0, 0)
        except Refused as error:
            design = self.circuit.design_name
            command = f"rsaxcel check {design} --nbits {self.circuit.nbits} --only netlist"
            pytest.fail(f"{error}\nreplay: {command}", pytrace=False)


@dataclass(frozen=True)
class LimitsCase:
    """Limits of a project, which a circuit keeps after the flow."""

    circuit: Circuit
    library: str
    clock_ns: float
    limits: Limits

    @property
    def name(self) -> str:
        """Name in pytest's list."""
        return f"{self.circuit.design_name}-{self.circuit.nbits}-flow-limits"

    def check(self) -> None:
        """Measure the circuit; fail with each limit that it exceeds."""
        from rsaxcel.flow.run import run_flow

        record = run_flow(
            self.circuit, library=self.library, clock_ns=self.clock_ns, activity="zero"
        )
        found = [record.fault] if record.fault else []
        for key in Limits.__struct_fields__:
            limit, got = getattr(self.limits, key), getattr(record, key)
            if limit is not None and got > limit:
                found.append(f"{key} {got:g}, the limit is {limit:g}")
        if found:
            pytest.fail(f"{self.circuit.name}: {'; '.join(found)}", pytrace=False)


def cases_of(
    name: str,
    nbits: int,
    levels: Sequence[str] = LEVELS[:3],
    rows: Sequence[Operands] = (),
    *,
    in_python: bool = True,
    **params: Any,
) -> Iterator[Case | NetlistCase]:
    """Yield the cases of a circuit at a width.

    Parameters
    ----------
    name : str; design or multiplier
    nbits : int; width of the operands in bits
    levels : sequence of str; of ``LEVELS``
    rows : sequence of (int, int, int); a table of one's own, in place of all others
    in_python : bool; whether PyMTL3 simulates the circuit, too, which is slow if it is wide
    **params : parameters of the circuit, as values or text
    """
    circuit = catalog.find(name).configure(nbits, **params)
    tables = {_OWN: tuple(rows)} if rows else _tables(circuit)
    for level, engine in _SETUPS:
        is_slow = (level, engine) == ("rtl", "pymtl") and not in_python
        made_from = "rtl" if level == NETLIST else level
        if level not in levels or made_from not in circuit.levels or is_slow:
            continue
        if engine == "pymtl" and level == "rtl" and circuit.is_foreign:
            continue  # PyMTL3 simulates no Verilog
        for table, found in tables.items():
            if found:
                yield Case(circuit, level, engine, found, table)
        if not rows:
            first = next(iter(tables.values()))
            for stalls in STALL_PROFILES.values():
                if stalls is not NO_STALLS:
                    conditions = f"stalls_{stalls.name}", stalls
                    yield Case(circuit, level, engine, first[:_STALLED_ROWS], *conditions)
            some = first[1 : 1 + _RESET_ROWS]
            yield Case(circuit, level, engine, some, "reset", resets=True)
    if NETLIST in levels and not rows:
        yield NetlistCase(circuit)


def _tables(circuit: Circuit) -> dict[str, tuple[Operands, ...]]:
    """Rows by table; those of a multiplier meet its contract, as its circuit does not check it."""
    nbits, only = circuit.nbits, circuit.constant_modulus
    if is_product(circuit):
        if circuit.golden.unary:
            raise UserError(f"{circuit.design_name} is a reducer; designs and multipliers allowed")
        to_do = operation(circuit)
        drawn = product_cases(nbits, circuit.golden.odd_modulus, modulus=only)
        allowed = (x.operands for x in drawn if to_do.status(x.operands) is Status.OK)
        return {"products": (*allowed, *_zeros(nbits, circuit.constant_modulus))}
    if circuit.halves:
        raise UserError(f"{circuit.design_name} takes two primes; a design of one modulus allowed")
    exponent_nbits = circuit.exponent_nbits if nbits <= _FULL_NBITS else _SHORT_NBITS
    tables = {
        table: tuple(x.operands for x in power_cases(table, nbits, exponent_nbits, only))
        for table in POWER_TABLES
    }
    zeros = tuple((base, 2, modulus) for base, _, modulus in _zeros(nbits, only))
    return tables | {"zeros": zeros}


def _zeros(nbits: int, only: int | None) -> tuple[Operands, ...]:
    """Operands whose product is a multiple of the modulus: the last subtraction leaves 0."""
    if only or nbits < _LEAST_SQUARE_NBITS:
        return ()
    roots = (3, (1 << nbits // 2) - 1, (1 << nbits // 2 - 1) + 1)
    return tuple((root, root, root * root) for root in dict.fromkeys(roots))


@cache
def engine_for(circuit: Circuit, level: str, engine: str, with_vcd: bool = False) -> Any:
    """Engine with a component or a netlist, opened once per session."""
    if level == NETLIST:
        from rsaxcel.course.netlist import NetlistEngine

        return NetlistEngine(circuit)
    return open_component(circuit, level, engine, with_vcd=with_vcd)


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


_LEVELS = "fl", "rtl"
_COUNT = 6  #: random powers

_compiled = cache(compile_program)


@dataclass(frozen=True)
class ProgramCase:
    """A program at a level: ``check`` compares its powers with Python's."""

    system: System
    level: str
    source: Path
    rows: tuple[Operands, ...]

    @property
    def name(self) -> str:
        """Name in pytest's list."""
        return f"{self.source.stem}-{self.system.nbits}-{self.level}"

    def check(self) -> None:
        """Run the program on each row; the first one that is wrong fails."""
        for row in self.rows:
            told, expected = "", pow(*row)
            try:
                got = measure(self.system, self.level, self._image, row).result
                if got != expected:
                    told = f"{self.source}: result {got:#x} instead of {expected:#x}"
            except RunError as error:
                told = str(error)
            if told:
                pytest.fail(f"{told}\nreplay: {self._replay(row)}", pytrace=False)

    @property
    def _image(self) -> Image:
        return _compiled(self.source)

    def _replay(self, row: Operands) -> str:
        vector = json.dumps(dict(zip(("base", "exp", "n"), (f"{x:x}" for x in row), strict=True)))
        made = self.source.parent.parent / "build" / f"{self.source.stem}.elf"
        choice = f"--system {self.system.design_name} --nbits {self.system.nbits}"
        run = f"rsaxcel run {quote(str(made))} {choice} --level {self.level} --data -"
        return f"echo {quote(vector)} | {run}"


def program_cases(
    system: str, nbits: int, source: Path, levels: Sequence[str] = _LEVELS
) -> Iterator[ProgramCase]:
    """Yield the cases of a program at a width, for odd moduli."""
    drawn = random_power_cases(nbits, _COUNT, seed=1)
    rows = (1, 0, 3), (2, 1, 3), *(x.operands for x in drawn)
    for level in _LEVELS:
        if level in levels:
            yield ProgramCase(find_system(system, nbits), level, source, rows)


def evaluate(project: Project) -> list[Measured]:
    """Run the evaluation programs of a project at RTL, on random operands of its greatest width."""
    if not (programs := project.programs):
        return []
    asked, nbits = project.settings.evaluation.exponent, max(project.settings.nbits)
    draw = random.Random(f"evaluation/{nbits}")
    modulus = draw.getrandbits(nbits) | 1 << nbits - 1 | 1
    base, exponent = draw.randrange(modulus), draw.getrandbits(nbits) | 1 << nbits - 1
    row = base, exponent if asked is None else asked, modulus
    system = find_system(project.system, nbits)
    images = [_compiled(project.folder / x) for x in programs]
    found = [measure(system, "rtl", x, row) for x in images]
    for image, measured in zip(images, found, strict=True):
        if measured.result != pow(*row):
            raise RunError(f"{image.name}: result {measured.result:#x}, Python has {pow(*row):#x}")
    return found
