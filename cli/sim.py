"""``rsaxcel sim``: runs vectors and checks them."""

import json
import time
from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from rsaxcel import catalog
from rsaxcel.circuit import Circuit, is_product
from rsaxcel.cli.options.common import (
    VARIATION_OPTIONS,
    check_circuit,
    configure,
    design_fields,
    design_options,
    design_text,
    level_option,
    refuse_system,
    variation_options,
)
from rsaxcel.cli.options.plain import excludes, json_option
from rsaxcel.cli.options.vectors import VECTOR_OPTIONS, VectorSource, choose_vectors, vector_options
from rsaxcel.cli.options.watch import watch_options, watched
from rsaxcel.cli.progress import progress, waiting
from rsaxcel.fl.blinded_key import Variation
from rsaxcel.fl.status import Status
from rsaxcel.sim.answers import other_cycles, status_name, vector_fault
from rsaxcel.sim.chunks import Chunk, run_chunks, run_whole
from rsaxcel.sim.operations import Operation, named, operation
from rsaxcel.sim.products import (
    MOST_NBITS,
    ProductBlock,
    all_products,
    chosen_products,
    run_products,
)
from rsaxcel.sim.replay import replay
from rsaxcel.sim.runners import Answer, RunnerError, engine_of, open_runner
from rsaxcel.sim.vectors import MODULUS, Vector
from rsaxcel.store.errors import RunError, UserError
from rsaxcel.store.shown import LEAST, shorten

_TABLE_ROWS = 20
MISMATCHES_SHOWN = 2
# Cycles are compared with the cycle model for the first CYCLES_COMPARED answers, then for one in
# CYCLES_STRIDE: for a small circuit the model, in Python, takes longer than the simulation.
CYCLES_COMPARED = 1000
CYCLES_STRIDE = 100
#: Set-up times (of translation and compilation) that are shorter are not printed.
_SET_UP_SECONDS = 1.0


@dataclass(frozen=True)
class SimTask:
    """A simulation to run."""

    configuration: Circuit  #: design or multiplier
    level: str
    engine: str
    origin: str  #: origin of the vectors: name of a file, or a text such as ``random, seed 0``
    total: int  #: number of vectors
    to_do: Operation  #: operation that the circuit performs on the operands: a power or a product
    seed: int | None = None  #: seed of random vectors

    @property
    def keys(self) -> tuple[str, ...]:
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
        return f"{self.origin}:{vector.line}"


class Output:
    """Base class of ``JsonOutput`` and ``TextOutput``.

    Both count mismatches, and report these on standard error.
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
        """Print the number of further mismatches, and a command that repeats the first one."""
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
            **design_fields(run.configuration),
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

    ``set_up``: seconds that translation and compilation of the circuit have taken.
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
        from rich.table import Table  # slow import, needed for tables only

        from rsaxcel.eval.report.views import wide_console

        console = wide_console()
        names = ("line", *self.run.keys, "status", "result", "expect", "cycles", "match")
        numbers = [index for index, name in enumerate(names) if name in self._long]
        widths = [max(map(len, column)) for column in zip(names, *self._rows, strict=True)]
        others = sum(width for index, width in enumerate(widths) if index not in numbers)
        limit = max(LEAST, (console.width - others - len(names) + 1) // len(numbers))
        long = {index for index in numbers if widths[index] > limit}
        table = Table(box=None, header_style="bold", pad_edge=False, collapse_padding=True)
        for name in names:
            is_word = name in ("status", "match")
            table.add_column(name, justify="left" if is_word else "right", no_wrap=True)
        for row in self._rows:
            cells = [shorten(x, limit) if i in long else x for i, x in enumerate(row)]
            table.add_row(*cells, style=None if row[-1] == "yes" else "bold red")
        # If the table is wider than the terminal, rich would cut numbers. So rich is told that the
        # terminal is wide enough, and the terminal wraps the lines.
        console.width = max(console.width, sum(widths) + len(names))
        console.print(table, crop=False)
        if long:
            console.print("(long numbers are shortened; --json has all digits)", style="dim")
        console.print()

    @property
    def _long(self) -> tuple[str, ...]:
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


@click.command(
    epilog="""\b
    Examples:
      rsaxcel sim mont_r2l
      rsaxcel sim mont_r2l --nbits 64 --random 100000 --seed 7
      rsaxcel sim mulrem_r2l --level cl --param bits_per_cycle=4 --random 1000
      rsaxcel sim mont_r2l --nbits 8 --random 1 --trace --vcd mont.vcd
      rsaxcel sim mont_r2l --engine pymtl --vectors vectors.jsonl --json
      rsaxcel sim ssmm_r2l --nbits 1024 --key key.pem --random 20
      rsaxcel sim crt_window --nbits 1024 --key key.pem --swap-primes --random 20
      rsaxcel sim crt_window --nbits 1088 --key key.pem --blind-moduli 32 --random 20
      rsaxcel sim mul_rem --nbits 8 --exhaustive
      echo '{"a": "7b", "b": "1c8", "n": "315"}' | rsaxcel sim mul_rem --vectors -
    """
)
@design_options
@level_option
@click.option(
    "--engine",
    type=click.Choice(("native", "pymtl")),
    help="Engine that simulates the component of the level: compiled C++ (rtl only, and its "
    "default), or PyMTL3. Without it, fl and cl are evaluated directly in Python.",
)
@vector_options()
@variation_options
@click.option(
    "--exhaustive",
    is_flag=True,
    help=f"Run every product of a multiplier instead, at up to {MOST_NBITS} bits.",
)
@watch_options
@json_option("One JSON object per vector, nothing else.")
@excludes("--exhaustive", *VECTOR_OPTIONS, *VARIATION_OPTIONS, "--trace", "--vcd")
def command(
    design: str,
    nbits: int,
    params: dict[str, str],
    level: str,
    engine: str | None,
    source: VectorSource,
    variation: Variation,
    exhaustive: bool,
    with_trace: bool,
    vcd: Path | None,
    as_json: bool,
) -> int:
    """Run vectors on DESIGN, check each one, show results and cycles.

    Without --vectors and --random, 10 random vectors run. A vector is a JSON line with hex strings
    "base", "exp" and "n" ("base", "p", "q", "dp" and "dq" for a design by the primes), or "a", "b"
    and "n" for a multiplier. The expected status follows from the design's input rules. If it is
    ok, the result must equal Python's pow, and "expect" if the vector has it; otherwise "expect" is
    ignored, as standard error says. The "expect" value "error" means that the source of the vector
    refuses the operands; it is ignored, too. For a Montgomery multiplier, "expect" may be a*b mod n
    as well as a*b/R mod n. A multiplier's response has no status: vectors that break its rules are
    counted, not sent. Other keys are ignored, and named once on standard error, unless they stand
    beside "expect" and --json prints them.

    Random vectors have moduli (or p and q) and exponents of any bit length; one in eight is an RSA
    key, one in fifty breaks an input rule, and one in four is a corner: 0, 1, m - 1, all ones,
    moduli at both ends of the width, products that are multiples of m. A seed always gives the same
    vectors. With --key, vectors are bases: 0, the modulus less 1, and random ones. --exhaustive
    forms every product of a multiplier, some million at 8 bits: a few seconds, and up to an hour
    for circuits that take many cycles for each.

    With --key and --swap-primes, a design by two primes gets the key's primes, and what belongs to
    them, in a drawn order in each vector.

    With --key and --blind-moduli, the moduli of a design by two primes are random multiples of the
    key's, other ones in each vector. Results are reduced modulo the key's n, and compared with
    those of the key. A vector of a file may have "n", too: p*q of a key, if its "p" and "q" are
    such multiples.

    Cycles are counted from the cycle in which the request is accepted to the one in which the
    response is valid, with one request in flight and no stalls. Functional models have no cycles.
    Cycles of a simulation (level rtl, or cl with --engine pymtl) have to equal those of the cycle
    model. They are compared for the first 1,000 vectors and for one in 100 of the others, because
    the model may take longer than the simulation.

    With --trace or --vcd, all vectors run one after the other in one simulation of the level's
    component. Each line of a trace is a cycle; the first cycle after reset is number 0. It shows
    the request (# if it waits, . if none would be accepted), then for each executor its state,
    its step, the product on each lane (# if a product waits for the lane) and the bits of the
    exponent that remain, then the response. Both engines give the same trace.

    The table shortens long numbers in the middle. With --json each line has design, parameters,
    level, seed (of random vectors), operands and results in full, and is a vector for --vectors
    again. With a private --key, --json and --trace thus print secrets of the key: its exponents,
    and for a design by two primes the primes. A file of --vcd has them, too, and only its owner
    can read it.

    The first simulation of a circuit translates and compiles it. Standard error says for about how
    long; vectors and cycles per second do not count this time.

    Exit status: 1 on a mismatch of results or cycles, reported with its line, or if the simulation
    hangs; 2 for a malformed line, before anything is run.
    """
    if level != "rtl" and engine == "native":
        raise UserError(f"--engine native runs rtl only, not {level}; leave it out or take pymtl")
    refuse_system(design)
    configuration = configure(catalog.find, design, nbits, params)
    check_circuit(configuration, level)
    to_do = operation(configuration)
    source = replace(source, variation=variation, reduces=True)
    watches = with_trace or vcd is not None
    products = None
    if exhaustive:
        if not is_product(configuration):
            such = ""
            if isinstance(configuration, catalog.Configuration):
                such = f", such as {configuration.multiplier.classes.name}"
            raise UserError(f"--exhaustive: {design} is a design; a multiplier is allowed{such}")
        products = all_products(configuration)
        vectors, total, origin, seed = chosen_products(products)
    else:
        vectors, total, origin, seed = choose_vectors(
            to_do, nbits, source, configuration=configuration
        )
    # A trace or waveform needs a simulation; PyMTL3 alone simulates levels other than rtl.
    engine = engine_of(level, engine or ("pymtl" if watches and level != "rtl" else None))
    run = SimTask(configuration, level, engine, origin, total, to_do, seed)
    run_all = run_whole if watches else run_chunks
    try:
        component = partial(configuration.component, level)
        with watched(with_trace, vcd, component, err=as_json, secret=source.secret) as watch:
            begun = time.monotonic()
            with waiting(f"set-up of {configuration.name}"):
                runner = open_runner(configuration, level, engine, watch.waves)
            set_up = time.monotonic() - begun
            output = JsonOutput(run) if as_json else TextOutput(run, set_up)
            with progress(f"sim {configuration.name}", total, "vectors") as advance:
                if products and engine == "native" and isinstance(output, TextOutput):
                    for block in run_products(products, MISMATCHES_SHOWN):
                        output.add_products(block)
                        advance(sum(block.cycles.values()))
                    vectors = ()
                for chunk in run_all(iter(vectors), runner):
                    output.add(chunk)
                    advance(len(chunk.vectors))
    except RunnerError as error:
        where = f"{run.place(error.vector)}: no answer; " if error.vector else ""
        raise RunError(f"{where}{error.reason}") from error
    output.finish()
    return 1 if output.mismatches else 0
