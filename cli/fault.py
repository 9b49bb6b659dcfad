"""``rsaxcel fault``: effects of faults in flip-flops and gates of a design's netlist."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from rsaxcel import catalog
from rsaxcel.circuit import Circuit
from rsaxcel.cli.options.common import check_circuit, configure, design_options, refuse_system
from rsaxcel.cli.options.flow import flow_options
from rsaxcel.cli.options.plain import excludes, json_option, only_with, seed_option, worker_options
from rsaxcel.cli.progress import progress, steps
from rsaxcel.store.errors import UserError

if TYPE_CHECKING:
    from rsaxcel.eval.measure.job import Workers


@click.command(
    epilog="""\b
    Kinds of faults, each at any cycle from the acceptance of a request to its response:
      flip       a flip-flop is inverted in one cycle
      stuck      a flip-flop is stuck at 0 or 1 from one cycle on
      skip       a register, all its bits, misses one edge of the clock
      transient  the output of a gate is inverted in one cycle
    A register misses the edge that begins the cycle of the fault.

    \b
    Examples:
      rsaxcel fault montmul_r2l --nbits 8 --kind flip
      rsaxcel fault crt_window --nbits 64 --count 50000
      rsaxcel fault crt_window --nbits 1024 --count 2000 --no-safe-errors
      rsaxcel fault crt_window --nbits 64 --param check=public_exponent --faults 2 --second stuck
      rsaxcel fault systolic_l2r_always --kind transient --seed 3 --json
    """
)
@design_options
@click.option("--kind", default="all", metavar="KIND", help="flip, stuck, skip, transient, or all.")
@click.option(
    "--count",
    type=int,
    metavar="N",
    help="Number of faults to draw.  [default: every fault once if there are at most 100,000, else "
    "20,000]",
)
@click.option(
    "--faults",
    type=click.IntRange(1, 2),
    default=1,
    metavar="N",
    help="Faults in each run: two are drawn independently, place and cycle, each of its own kind.",
)
@click.option("--first", metavar="KIND", help="Kind of one of two faults.")
@click.option("--second", metavar="KIND", help="Kind of the other one.")
@click.option("--exhaustive", is_flag=True, help="Run every fault once.")
@seed_option("Seed of the faults and of the operation's base.")
@click.option(
    "--safe-errors/--no-safe-errors",
    default=True,
    help="Run the safe-error attack, which takes hours at 1024 bits.",
)
@click.option(
    "--equal-primes",
    is_flag=True,
    help="Use a key of two primes of equal length, as a core with CRT needs.",
)
@flow_options("Standard cells.", "Clock period to synthesize for, in nanoseconds.")
@worker_options()
@json_option()
@excludes("--exhaustive", "--count")
@excludes("--first", "--kind")
@excludes("--second", "--kind")
@only_with(("--first", "--second"), "--faults 2")
def command(
    design: str,
    nbits: int,
    params: dict[str, str],
    kind: str,
    count: int | None,
    faults: int,
    first: str | None,
    second: str | None,
    exhaustive: bool,
    seed: int,
    safe_errors: bool,
    equal_primes: bool,
    library: str,
    clock_ns: float,
    pool: Workers,
    as_json: bool,
) -> None:
    """Inject faults into the netlist of DESIGN, and count how its operation ends.

    A run has one fault, or two, and ends with the correct result, with a status other than ok
    (refused), with a wrong result, or without an answer in twice the cycles of the run without a
    fault. Gates have no delays. --json lists each run.

    In a design with two halves (CRT), and in a core in Verilog from 32 bits on, each wrong result
    is used to compute a prime of the modulus; the key that follows is tried. In a design whose
    schedule has a fixed number of steps, and in a core whose cycles do not depend on the exponent,
    a safe-error attack reads digits of the exponent from flips that change no result.

    The same command, after an interruption, goes on where it stopped.
    """
    configuration = _configure(design, nbits, params)
    if count is not None and count < 1:
        raise UserError(f"--count={count}: at least 1")
    # Only now: these take seconds to load, and a wrong name or parameter is refused at once.
    from rsaxcel.cli.output.fault import describe
    from rsaxcel.eval.measure.collect import run_blocks
    from rsaxcel.lab.faults.campaign import check_exhaustive
    from rsaxcel.lab.faults.space import ALL, kinds_of
    from rsaxcel.lab.faults.study import FaultRequest, blocks_of, faults_of, run_study
    from rsaxcel.lab.findings import FAULTS, keep_findings

    first, second = first or ALL, second or ALL
    if faults == 2:
        if kind != ALL or exhaustive:
            raise UserError("--faults=2: --first and --second are allowed, and no --exhaustive")
        kind = first
    kinds, others = kinds_of(kind), kinds_of(second) if faults == 2 else ()
    drawn = kinds, others, count, seed, exhaustive, equal_primes
    request = FaultRequest(configuration, library, clock_ns, *drawn)
    if exhaustive:
        check_exhaustive(configuration, request.operation, kinds)
    with steps(f"fault {configuration.name}") as tell:
        campaign = request.campaign(tell)
        run_blocks(blocks_of(request, campaign), pool, tell)
    total = faults_of(campaign, safe_errors)
    with progress(f"fault {configuration.name}", total, "faults") as advance:
        study = run_study(campaign, advance, safe_errors=safe_errors)
    asked = "--exhaustive" if campaign.exhaustive else f"--count {len(study.effects)}"
    of_netlist = f"--library {library} --clock-ns {clock_ns:g}"
    attack = "" if safe_errors else " --no-safe-errors"
    of_key = " --equal-primes" if equal_primes else ""
    of_kinds = f"--kind {kind}"
    item = "" if kind == ALL else kind
    if others:
        of_kinds = f"--faults 2 --first {first} --second {second}"
        item = f"two faults, {first} and {second}"
    options = f"fault {of_kinds} {asked} --seed {seed} {of_netlist}{of_key}{attack}"
    found = {item: f"{study}; synthesized for {clock_ns:g} ns"}
    keep_findings(FAULTS, configuration, found, options, campaign.target.digest, len(study.effects))
    click.echo(json.dumps(study.as_json()) if as_json else "\n".join(describe(study)))


def _configure(design: str, nbits: int, params: dict[str, str]) -> Circuit:
    """Configure a design; refuse systems, multipliers and circuits that are too large."""
    refuse_system(design, "designs")
    configuration = configure(catalog.find_design, design, nbits, params)
    check_circuit(configuration)
    from rsaxcel.diagnosis.check import check_target

    check_target(configuration)
    return configuration
