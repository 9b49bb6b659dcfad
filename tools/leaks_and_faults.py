"""``python -m tools.leaks_and_faults``: prints what leaks and what faults do, for all designs."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from rsaxcel import catalog
from rsaxcel.cli.main import guard
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.kit import CLOCK_NS, DEFAULT_LIBRARY
from rsaxcel.lab.design_netlist import netlist_files
from rsaxcel.lab.faults.campaign import Campaign
from rsaxcel.lab.faults.operation import key_operation
from rsaxcel.lab.faults.space import ALL, kinds_of
from rsaxcel.lab.faults.study import FaultStudy, run_study
from rsaxcel.lab.faults.target import FaultOutcome, open_target
from rsaxcel.lab.leakage.measure import TestResult
from rsaxcel.lab.leakage.operands import BASE, EXPONENT
from rsaxcel.lab.leakage.study import NOISE, Asked, results_of
from rsaxcel.lab.leakage.timing import time_test
from rsaxcel.lab.proofs.answer import Verdict
from rsaxcel.lab.proofs.standard import DESIGN_NBITS, design_claims
from rsaxcel.lab.proofs.study import proofs_of

_PROOF_SECONDS = 60

_HEAD = (
    "design",
    "time varies with",
    "max t",
    "traces to detection",
    "register with the largest t",
    "correct",
    "refused",
    "wrong",
    "no answer",
    "safe errors: bits",
    "wrong results with factor",
    f"proven at {DESIGN_NBITS} bits",
)


@click.command()
@click.option("--nbits", default=32, show_default=True, help="Width in bits.")
@click.option("--traces", default=10_000, show_default=True, help="Traces of the t-test.")
@click.option("--faults", default=5000, show_default=True, help="Faults that are drawn.")
@click.option("--safe-errors/--no-safe-errors", default=True, help="Run the safe-error attack.")
@click.argument("names", nargs=-1)
def table(nbits: int, traces: int, faults: int, safe_errors: bool, names: Sequence[str]) -> None:
    """Print a row for each registered design, or for NAMES, as a table in Markdown."""
    click.echo(_line(_HEAD))
    click.echo("|" + "---|" * len(_HEAD))
    for name in names or catalog.DESIGNS:
        try:
            configuration = catalog.get(name).configure(nbits)
            click.echo(_line(_row(configuration, traces, faults, safe_errors)))
        except FlowError as error:
            click.echo(f"{name}: {error}", err=True)
        sys.stdout.flush()


def _row(
    configuration: catalog.Configuration, traces: int, faults: int, safe_errors: bool
) -> Sequence[str]:
    timings = [time_test(configuration, operand, 0) for operand in (EXPONENT, BASE)]
    varies = [timing.operand for timing in timings if timing and timing.varies]
    asked = Asked(configuration, [EXPONENT], traces, NOISE, 0, DEFAULT_LIBRARY, CLOCK_NS)
    files, key = netlist_files(configuration)
    (leak,) = results_of(asked, files, key, lambda traces: None)
    target, operation = open_target(configuration), key_operation(configuration, 0)
    campaign = Campaign.of(target, operation, kinds_of(ALL), faults, 0)
    study = run_study(campaign, safe_errors=safe_errors)
    name = configuration.design_name
    tested = *_leak(leak), *_faults(study)
    return f"`{name}`", " and ".join(varies) or "-", *tested, _proven(name)


def _leak(leak: TestResult) -> Sequence[str]:
    register = next(iter(leak.registers), "")
    detected = f"{leak.detected:,}" if leak.detected else f"more than {leak.traces:,}"
    return f"{leak.peak.t:.1f}", detected, f"`{register}`" if register else "-"


def _faults(study: FaultStudy) -> Sequence[str]:
    shares = [f"{100 * study.whole.share(outcome):.1f} %" for outcome in FaultOutcome]
    safe = study.safe_error
    bits = "-" if isinstance(safe, str) else f"{safe.bits} of {safe.exponent_nbits}"
    wrong = study.whole.by_outcome[FaultOutcome.WRONG]
    factor = "-" if study.factors is None else f"{100 * study.whole.factors / wrong:.0f} %"
    return (*shares, bits, factor)


def _proven(name: str) -> str:
    claims = [*design_claims(catalog.get(name).configure(DESIGN_NBITS))]
    found = {claim.kind: proof.verdict for claim, proof in proofs_of(claims, _PROOF_SECONDS)}
    proven = [kind for kind, verdict in found.items() if verdict is Verdict.PROVEN]
    others = [f"{kind} {verdict}" for kind, verdict in found.items() if kind not in proven]
    return "; ".join([", ".join(proven), *others])


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    sys.exit(guard(table, "leaks_and_faults"))
