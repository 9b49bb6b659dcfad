"""``python -m eval.bench``: prints speeds and their ratios, and checks them against targets."""

import sys

import click

import designs
from eval.bench.keys import disagreements, key_operations
from eval.bench.speed import DESIGN, NBITS, BenchError, Speeds, measure
from eval.cli import guard
from eval.errors import RunError
from eval.progress import steps

MIN_OVER_IMPORT = 15.0
MIN_OVER_BARE_LOOP = 0.8
KEY_DESIGNS = ("mulrem_r2l", "mont_r2l")


@click.command()
@click.option("--vectors", "count", default=1000, show_default=True, type=click.IntRange(1))
@click.option("--repetitions", default=3, show_default=True, type=click.IntRange(1))
@click.option("--keys", "num_keys", default=1000, show_default=True, type=click.IntRange(1))
def command(count: int, repetitions: int, num_keys: int) -> None:
    """Measure the native engine, and check fresh RSA keys on both designs.

    The native engine, PyMTL3's own Verilator import and a bare Verilator loop in C++ run the same
    random vectors on the same Verilog, in turn. Times include all that a call does: messages packed
    and unpacked, results and cycles returned. Exit status 1 if a target is missed or a result is
    wrong.
    """
    with steps("bench") as progress:
        try:
            speeds = measure(count, repetitions, progress)
        except BenchError as error:
            raise RunError(str(error)) from error
        passed = _show(speeds, count)
        progress(f"{num_keys} keys of {NBITS} bits")
        passed &= _compare_keys(num_keys)
    if not passed:
        raise RunError("a target was missed")


def _show(speeds: Speeds, count: int) -> bool:
    click.echo(f"{DESIGN}, {NBITS} bits, {count} vectors, {speeds.cycles:,} cycles, medians")
    for label, speed in (
        ("native engine", speeds.native),
        ("bare Verilator loop in C++", speeds.bare_loop),
        ("PyMTL3's Verilator import", speeds.pymtl_import),
    ):
        click.echo(f"  {label:<28}{speed:>12,.0f} cycles/s")
    ratios = (
        ("native over PyMTL3's import", speeds.native / speeds.pymtl_import, MIN_OVER_IMPORT),
        ("native over bare loop", speeds.native / speeds.bare_loop, MIN_OVER_BARE_LOOP),
    )
    for label, ratio, target in ratios:
        verdict = "PASS" if ratio >= target else "FAIL"
        click.echo(f"  {label:<28}{ratio:>12.2f} (at least {target:g}: {verdict})")
    return all(ratio >= target for _, ratio, target in ratios)


def _compare_keys(count: int) -> bool:
    operations = key_operations(count, NBITS)
    agreed = True
    for name in KEY_DESIGNS:
        wrong = disagreements(designs.get(name).configure(NBITS), operations)
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
    sys.exit(guard(command, "python -m eval.bench"))
