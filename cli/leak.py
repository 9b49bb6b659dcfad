"""``rsaxcel leak``: dependences of a design's time and energy on its operands."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from rsaxcel import catalog
from rsaxcel.circuit import Circuit
from rsaxcel.cli.options.common import (
    VARIATION_OPTIONS,
    choose_system,
    configure,
    output_file,
    refused_option,
    system_options,
    variation_options,
    variation_text,
)
from rsaxcel.cli.options.flow import (
    LAYOUT_CHOICES,
    check_uncertainty,
    flow_options,
    layout_options,
    layout_text,
)
from rsaxcel.cli.options.plain import (
    FiniteRange,
    excludes,
    json_option,
    seed_option,
    worker_options,
)
from rsaxcel.cli.progress import progress, steps
from rsaxcel.fl.blinded_key import Variation
from rsaxcel.flow.kit import CLOCK_NS, DEFAULT_LIBRARY
from rsaxcel.flow.layout import ACTIVITIES, NOT_PLACED, ZERO, Layout
from rsaxcel.proc.instruction_sets import PARAMETER
from rsaxcel.proc.systems import System, is_system
from rsaxcel.store.errors import UserError

if TYPE_CHECKING:
    from rsaxcel.eval.measure.job import Workers
    from rsaxcel.lab.leakage.request import LeakRequest

_ALL = "all"
_NONE = "none"
_VARIED = ("exponent", "base", "modulus")
_TESTS = (*_VARIED, _NONE, _ALL)
_LEAST = 64
#: Options of designs alone: the energy of systems is not measured.
_OF_NETLISTS = (
    "traces",
    "noise",
    "order",
    "attack",
    "blind_moduli",
    "swap_primes",
    "library",
    "clock_ns",
    "plot",
    "activity",
    "scheduler",
    "stage",
    "workers",
    *LAYOUT_CHOICES,
)


@click.command(
    epilog="""\b
    Examples:
      rsaxcel leak mont_r2l
      rsaxcel leak montmul_r2l --nbits 16 --test exponent --traces 2000
      rsaxcel leak montmul_r2l --param schedule=ladder --test exponent --plot ladder.png
      rsaxcel leak ssmm_r2l --noise 4 --traces 50000
      rsaxcel leak mont_r2l --test none --seed 7
      rsaxcel leak montmul_r2l --param schedule=ladder --nbits 16 --attack correlation
      rsaxcel leak proc_null
      rsaxcel leak proc_crt_window --nbits 64 --test modulus --runs 50
    """
)
@click.pass_context
@system_options
@click.option(
    "--traces",
    type=click.IntRange(1, 10_000_000),
    metavar="N",
    help="Traces of each test, of both classes together; or most traces of an exponent that is "
    "attacked.  [default: 10,000; with --attack 1,024]",
)
@click.option(
    "--noise",
    type=FiniteRange(0),
    default=1.0,
    metavar="X",
    help="Standard deviation of Gaussian noise in each cycle, in units of the signal of "
    "the circuit, module or register.",
)
@seed_option("Seed of operands and noise.", most=(1 << 32) - 1)
@click.option(
    "--test",
    type=click.Choice(_TESTS),
    default=_ALL,
    help="Operand that one class fixes. `none`: both classes are random, so that |t| has to stay "
    "below its threshold.",
)
@click.option(
    "--order",
    type=click.IntRange(1, 2),
    default=1,
    metavar="N",
    help="Order of the t-test: 1 compares means, 2 variances (squares of distances to the mean).",
)
@click.option(
    "--runs",
    type=click.IntRange(2, 1_000_000),
    default=20,
    metavar="N",
    help="Systems: runs of each program for each operand that varies.",
)
@click.option(
    "--attack",
    type=click.Choice(("simple", "horizontal", "correlation")),
    help="Attack unknown exponents instead of testing, and count the bits that come out.",
)
@variation_options
@flow_options("Standard cells.", "Clock period to synthesize for, in nanoseconds.")
@click.option(
    "--activity",
    type=click.Choice(ACTIVITIES),
    default=ZERO,
    help="Gates with delays (traces have glitches, and take several times as long) or without.",
)
@layout_options()
@output_file(
    "--plot",
    "Draw |t| over the cycles with the steps of the schedule; FILE ends in .png, .svg or .pdf.",
    ".png",
    ".svg",
    ".pdf",
)
@worker_options()
@json_option("One JSON object for each test, nothing else.")
@excludes("--attack", "--plot", "--test", "--order", "--scheduler", "--workers", *VARIATION_OPTIONS)
def command(
    context: click.Context,
    design: str,
    nbits: int,
    params: dict[str, str],
    traces: int | None,
    noise: float,
    seed: int,
    test: str,
    order: int,
    runs: int,
    attack: str | None,
    variation: Variation,
    library: str,
    clock_ns: float,
    activity: str,
    layout: Layout,
    plot: Path | None,
    pool: Workers,
    as_json: bool,
) -> int:
    """Measure whether time or energy of DESIGN depend on exponent, base or modulus.

    Time: cycles of the model for 3000 operations in which one operand varies; a design in Verilog
    is simulated instead. Cycles that vary although the design declares that they do not are an
    error.

    Energy: fixed against random t-test (Welch) of means, or with --order 2 of variances. The traces
    are the energy of the netlist in each cycle, by the weights of the power analysis. One class has
    a fixed operand, the other one a random one; |t| above the threshold shows that energy depends
    on the operand.

    Both classes run in random order in 64 simulations side by side; traces begin with the offer of
    the request, and a trace counts up to its response. The threshold is 4.5 for a single point,
    raised so that the probability of a false alarm over all cycles, the circuit, its modules and
    its registers remains that of one point. Each of these has noise in units of its own signal.

    With --attack, the exponents of a few keys are attacked by their traces: simple analysis
    (tells squares from products where their sequence depends on the exponent), horizontal analysis
    (sorts the digits of one trace, or of the mean of several, where it does not), or correlation
    with the residues that the next digit would give. The attacker knows the design, the modulus and
    the bases. The result says how many bits come out with how many traces, and whether a guess
    would have done as well.

    With --blind-moduli, the moduli of a design by two primes are those of a key with 2 BITS bits
    less, times new random primes in each operation (docs/explanation/measures.md, moduli that
    vary). With --swap-primes, the order of the primes is new in each operation.

    By default, the netlist is synthesized only, and its gates have no delays, so that traces have
    no glitches. With --activity timed, gates have delays, and traces have glitches. With --stage
    placed, the netlist has places, a clock tree and wires.

    Systems (proc_null, proc_DESIGN, axi_DESIGN) run their programs while one operand varies. Time:
    cycles of the measured call on the circuit, and, apart from them, the cycles outside of it, in
    which the host computes constants of the modulus. Addresses: those of all instructions, loads
    and stores on the model, the host's part included; the first branch, load or store that differs
    is named. The energy of systems is not measured.

    Traces are stored in blocks: the same command answers at once, and after an interruption it goes
    on where it was.

    Exit status: 0 done, 1 if the cycles contradict the design's declaration or the netlist is
    wrong, 2 for bad input.
    """
    if is_system(design):
        _refuse(context, _OF_NETLISTS, f"{design} is a system, whose energy is not measured")
        system = choose_system(design, nbits, params)
        return _software(system, seed, _VARIED if test == _ALL else [test], runs, as_json)
    _refuse(context, ("runs",), f"{design} is not a system")
    check_uncertainty(layout, clock_ns)
    if not attack and traces is not None and traces < _LEAST:
        raise UserError(f"--traces={traces}: at least {_LEAST} without --attack")
    configuration = configure(catalog.find_design, design, nbits, params)
    from rsaxcel.cli.output import leak as output
    from rsaxcel.diagnosis.check import check_target
    from rsaxcel.eval.measure.collect import run_blocks
    from rsaxcel.lab.design_netlist import netlist_files
    from rsaxcel.lab.findings import LEAKS, keep_findings
    from rsaxcel.lab.leakage import attacks, study
    from rsaxcel.lab.leakage.operands import check_test
    from rsaxcel.lab.leakage.request import LeakRequest
    from rsaxcel.lab.leakage.timing import time_blocks, time_tests

    check_target(configuration)
    if variation:
        _check_variation(configuration, variation)
    tests = study.suitable_tests(configuration) if test == _ALL else [test]
    count = traces or (attacks.TRACES if attack else study.TRACES)
    conditions = library, clock_ns, variation, activity, layout, order
    asked = LeakRequest(configuration, tests, count, noise, seed, *conditions)
    name = f"leak {configuration.name}"
    for each in tests:
        check_test(configuration, each)
    if asked.warning:
        click.echo(f"rsaxcel: note: {asked.warning}", err=True)
    if attack:
        attacks.check_attack(configuration, attack)
    with steps(name) as tell:
        files, key = netlist_files(configuration, library, clock_ns, tell, layout=layout)
    if attack:
        with progress(name, attacks.EXPONENTS[attack], "exponents") as advance:
            recorder = study.recorder_of(asked, files, key)
            found = attacks.attacked(asked, attack, recorder, key, advance)
        (output.show_attack_json if as_json else output.show_attack)(asked, found)
        return 0
    drawn = study.tests_of(asked, files, key)
    with steps(name) as tell:
        begun = [*time_blocks(configuration, seed), *study.pilots_of(asked, drawn)]
        run_blocks(begun, pool, tell)
        timings = time_tests(configuration, seed)
        for t_test in drawn:
            run_blocks(study.blocks_of(asked, t_test), pool, tell)
    with progress(name, count * len(tests), "traces") as advance:
        results = [t_test.result(advance) for t_test in drawn]
    options = f"leak --test {test} --traces {count} --noise {noise:g} --seed {seed}"
    options += f" --library {library} --clock-ns {clock_ns:g}"
    options += f" --order {order}" * (order > 1) + _choices(activity, layout)
    options += "".join(f" {x}" for x in variation_text(variation))
    varied = ", moduli blinded" if variation.factor_nbits else ""
    varied += ", primes swapped" if variation.swaps else ""
    of = f"{varied}{_conditions(asked)}"
    found_by_test = {f"{x.label}{of}": f"{x}; {asked.netlist}" for x in results}
    keep_findings(LEAKS, configuration, found_by_test, options, asked.key(key), count)
    wrong = study.contradictions(timings)
    show = output.show_json if as_json else output.show
    show(asked, timings, results)
    if plot is not None:
        from rsaxcel.cli.output.leak_drawing import draw

        draw(results, plot, output.title_of(asked))
        click.echo(f"{'written':<12}{plot}", err=as_json)
    for told in wrong:
        click.echo(f"rsaxcel: error: {told}", err=True)
    return int(bool(wrong))


def _check_variation(configuration: Circuit, variation: Variation) -> None:
    """Refuse moduli that cannot vary so in the design, before synthesis."""
    from rsaxcel.lab.leakage.operands import source_of

    try:
        source_of(configuration, variation)
    except ValueError as error:
        raise UserError(f"{refused_option(variation)}: {error}") from error


def _conditions(asked: LeakRequest) -> str:
    """Conditions that differ from the default; each set of conditions has its own findings."""
    clock, layout = f"{asked.clock_ns:g} ns", str(asked.layout)
    own = asked.library, clock, layout, asked.activity
    usual = DEFAULT_LIBRARY, f"{CLOCK_NS:g} ns", str(NOT_PLACED), ZERO
    return "".join(f", {x}" for x, default in zip(own, usual, strict=True) if x != default)


def _choices(activity: str, layout: Layout) -> str:
    """Options of delays and of the layout, where they differ from the default."""
    options = "" if activity == ZERO else f" --activity {activity}"
    return options + layout_text(layout)


def _refuse(context: click.Context, names: Sequence[str], why: str) -> None:
    """Refuse options that the user gave and that have no meaning for the design."""
    for name in names:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise UserError(f"--{name.replace('_', '-')}: {why}")


def _software(system: System, seed: int, tests: Sequence[str], runs: int, as_json: bool) -> int:
    """Test the programs of a system, and print the results."""
    from rsaxcel.cli.output import leak as output
    from rsaxcel.lab.leakage.software import (
        contradictions_of,
        left_out,
        programs_of,
        software_tests,
    )
    from rsaxcel.sim.system import open_circuit

    if _NONE in tests:
        raise UserError(f"--test={_NONE}: {', '.join((*_VARIED, _ALL))} allowed for systems")
    programs = programs_of(system)
    if not programs:
        isa = f"{PARAMETER}={system.instruction_set.name}"
        raise UserError(f"{isa}: no program of {system.design_name} runs on this processor")
    for test in tests:
        reasons = {left_out(system, program, test) for program in programs}
        if "" not in reasons:
            why = f"not for {system.key}: {reasons.pop()}"
            if len(tests) == 1:
                raise UserError(f"--test={test}: {why}")
            click.echo(f"rsaxcel: note: --test={test}: {why}", err=True)
    total = runs * len(tests) * len(programs)
    with steps(f"leak {system.key}") as tell:
        tell("circuit")
        circuit = open_circuit(system)
    with progress(f"leak {system.key}", total, "runs") as advance:
        found = list(software_tests(system, circuit, seed, runs, tests, advance))
    show = output.show_software_json if as_json else output.show_software
    show(system, seed, found)
    wrong = contradictions_of(found)
    for told in wrong:
        click.echo(f"rsaxcel: error: {told}", err=True)
    return int(bool(wrong))
