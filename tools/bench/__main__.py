"""``python -m tools.bench``: prints speeds of commands and engines, and compares with targets."""

import sys
from typing import Any

import click

from rsaxcel import catalog
from rsaxcel.cli.main import guard
from rsaxcel.cli.progress import steps
from rsaxcel.store.errors import RunError
from tools.bench.speed import (
    PROGRAM,
    PYMTL_CYCLES,
    TASKS,
    CommandSpeed,
    CoreSpeed,
    GateSpeeds,
    Speeds,
    SystemSpeed,
    decrypt,
    disagreements,
    drawn,
    encryptions,
    key_operations,
    measure,
    measure_commands,
    measure_core,
    measure_gates,
    measure_systems,
    start_s,
)

DESIGN = "mont_r2l"
NBITS = 32
MIN_OVER_IMPORT = 35.0
MIN_OVER_BARE_LOOP = 0.8
WIDE_DESIGN = "ssmm_r2l"
#: by width in bits: number of vectors, least speed-up over PyMTL3's Verilator import
WIDE = {128: (100, 250.0), 2048: (2, 700.0)}
#: Designs, widths in bits, parameters, and the longest time of a decryption in starts of Python.
DECRYPTIONS: tuple[tuple[str, int, dict[str, Any], int], ...] = (
    ("ssmm_r2l", 2048, {}, 400),
    ("ssmm_r2l", 4096, {}, 4000),
    ("digit_serial_r2l", 1024, {"digit_nbits": 64}, 1300),
    ("systolic_l2r_always", 1024, {}, 1300),
    ("crt_window", 2048, {}, 130),
    ("crt_window", 4096, {}, 650),
)
MIN_SYSTEM_OVER_PYMTL = 1000.0
GATE_DESIGN = "mulrem_r2l"
MIN_TIMED_OVER_ZERO = 0.02
MIN_TIMED_OVER_ICARUS = 100.0
BESIDE_CORE = "ssmm_r2l"  # a bit of a product in a cycle, as the core
MIN_CORE_OVER_DESIGN = 0.9
_COMMAND_RUNS = 7
KEY_DESIGNS = ("mulrem_r2l", "mont_r2l")


@click.command()
@click.option("--vectors", "count", default=1000, show_default=True, type=click.IntRange(1))
@click.option("--repetitions", default=3, show_default=True, type=click.IntRange(1))
@click.option("--keys", "num_keys", default=1000, show_default=True, type=click.IntRange(1))
@click.option("--software-bits", default=1024, show_default=True, type=click.IntRange(32, 2048))
def command(count: int, repetitions: int, num_keys: int, software_bits: int) -> None:
    """Measure commands and engines, and check fresh RSA keys on two designs.

    Commands: they are timed in a copy of the source tree. Three of them are timed after a change of
    a line of a circuit.

    Engines: the native engine, PyMTL3's own Verilator import and a bare Verilator loop in C++ run
    the same random vectors on the same Verilog. Their times include the packing and unpacking of
    messages and the return of results and cycles. The native engine and the import also run
    encryptions on a design of 128 and 2048 bits. The native engine decrypts once with each of the
    widest designs.

    Systems: they run an exponentiation in software, on one core. The native engine runs the whole
    program, PyMTL3's simulator only its first cycles.

    Cores: a core in Verilog runs beside a design with as many cells, 20 % more or less.

    Gates: a netlist is simulated during encryptions, with delays, without delays, and in Icarus
    Verilog.

    Exit status 1 if a target is missed or a result is wrong.
    """
    passed = True
    with steps("bench") as progress:
        for timed in measure_commands(TASKS, _COMMAND_RUNS, progress):
            passed &= _show_command(timed)
        small = catalog.get(DESIGN).configure(NBITS)
        speeds = measure(small, drawn(small, count), repetitions, progress, bare_loop=True)
        passed &= _show(small, speeds, f"{count} vectors", MIN_OVER_IMPORT)
        for nbits, (vectors, ratio) in WIDE.items():
            wide = catalog.get(WIDE_DESIGN).configure(nbits)
            speeds = measure(wide, encryptions(wide, vectors), repetitions, progress)
            passed &= _show(wide, speeds, f"{vectors} encryptions", ratio)
        bare_s = start_s(_COMMAND_RUNS)
        for name, nbits, params, most_starts in DECRYPTIONS:
            wide = catalog.get(name).configure(nbits, **params)
            cycles, seconds = decrypt(wide, progress)
            click.echo(f"{wide.name}, a decryption of {nbits} bits, {cycles:,} cycles")
            passed &= _show_starts(seconds / bare_s, most_starts)
        for system in measure_systems(software_bits, repetitions, progress):
            passed &= _show_system(system, software_bits)
        gates = catalog.get(GATE_DESIGN).configure(NBITS)
        passed &= _show_gates(gates, measure_gates(gates, repetitions, progress))
        beside = catalog.get(BESIDE_CORE).configure(NBITS)
        passed &= _show_core(beside, measure_core(beside, repetitions, progress))
        progress(f"{num_keys} keys of {NBITS} bits")
        passed &= _compare_keys(num_keys)
    if not passed:
        raise RunError("a target was missed")


def _show(
    configuration: catalog.Configuration, speeds: Speeds, what: str, over_import: float
) -> bool:
    name, nbits = configuration.design_name, configuration.nbits
    click.echo(f"{name}, {nbits} bits, {what}, {speeds.cycles:,} cycles, medians")
    for label, speed in (
        ("native engine", speeds.native),
        ("bare Verilator loop in C++", speeds.bare_loop),
        ("PyMTL3's Verilator import", speeds.pymtl_import),
    ):
        if speed is not None:
            click.echo(f"  {label:<28}{speed:>12,.0f} cycles/s")
    ratios = [("native over PyMTL3's import", speeds.native / speeds.pymtl_import, over_import)]
    if speeds.bare_loop is not None:
        ratios.append(
            ("native over bare loop", speeds.native / speeds.bare_loop, MIN_OVER_BARE_LOOP)
        )
    return all([_show_ratio(*ratio) for ratio in ratios])


def _show_command(speed: CommandSpeed) -> bool:
    click.echo(str(speed.task))
    return _show_starts(speed.starts, speed.task.most_starts)


def _show_starts(starts: float, most: float) -> bool:
    click.echo(f"  {'starts of bare Python':<28}{starts:>12,.0f}")
    return _show_ratio(f"{most:,g} starts over them", most / starts, 1.0)


def _show_system(speed: SystemSpeed, nbits: int) -> bool:
    click.echo(
        f"{speed.system} at RTL, {PROGRAM} software of {nbits} bits, {speed.cycles:,} cycles"
    )
    click.echo(f"  {'native engine':<28}{speed.native:>12,.0f} cycles/s")
    pymtl = f"{speed.pymtl:>12,.0f} cycles/s (the first {PYMTL_CYCLES:,} cycles)"
    click.echo(f"  {'PyMTL3 in Python':<28}{pymtl}")
    return _show_ratio("native over PyMTL3", speed.native / speed.pymtl, MIN_SYSTEM_OVER_PYMTL)


def _show_core(configuration: catalog.Configuration, speed: CoreSpeed) -> bool:
    name = configuration.name
    click.echo(f"{speed.core}, a core in Verilog, beside {name}, on the native engine")
    for label, cells, cycles in (
        (speed.core, speed.core_cells, speed.core_speed),
        (name, speed.design_cells, speed.design_speed),
    ):
        click.echo(f"  {label:<28}{cycles:>12,.0f} cycles/s, {cells:,} cells")
    return _show_ratio(
        "core over design", speed.core_speed / speed.design_speed, MIN_CORE_OVER_DESIGN
    )


def _show_gates(configuration: catalog.Configuration, speeds: GateSpeeds) -> bool:
    click.echo(f"{configuration.name}, a netlist of {speeds.gates:,} cells")
    for label, speed in (
        ("gates with delays", speeds.timed),
        ("gates without delays", speeds.zero),
        ("Icarus Verilog", speeds.icarus),
    ):
        shown = "not installed" if speed is None else f"{speed:>12,.0f} operation-cycles/CPU s"
        click.echo(f"  {label:<28}{shown}")
    ratios = [("delays over none", speeds.timed / speeds.zero, MIN_TIMED_OVER_ZERO)]
    if speeds.icarus is not None:
        over_icarus = speeds.timed / speeds.icarus
        ratios.append(("delays over Icarus Verilog", over_icarus, MIN_TIMED_OVER_ICARUS))
    return all([_show_ratio(*ratio) for ratio in ratios])


def _show_ratio(label: str, ratio: float, target: float) -> bool:
    passed = ratio >= target
    verdict = "PASS" if passed else "FAIL"
    click.echo(f"  {label:<28}{ratio:>12.2f} (at least {target:g}: {verdict})")
    return passed


def _compare_keys(count: int) -> bool:
    operations = key_operations(count, NBITS)
    agreed = True
    for name in KEY_DESIGNS:
        wrong = disagreements(catalog.get(name).configure(NBITS), operations)
        for operation, response in wrong[:3]:
            click.echo(f"  {name}: {operation} gives {response}")
        agreed &= not wrong
        click.echo(
            f"{count:,} keys from rsa.newkeys at {NBITS} bits, {name}: {len(operations):,} "
            f"encryptions and decryptions, {len(wrong)} differ from the library: "
            f"{'FAIL' if wrong else 'PASS'}"
        )
    return agreed


if __name__ == "__main__":
    sys.exit(guard(command, "python -m tools.bench"))
