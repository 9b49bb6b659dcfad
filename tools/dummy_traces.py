"""``python -m tools.dummy_traces``: what dummies look like in traces, and what they hide.

The figures are those of docs/security.md. Traces are energies of the synthesized netlist, as those
of ``rsaxcel leak``. The exponent is fixed, bases and random numbers are random.

1. The energy of a dummy, beside that of a square and of a product of the exponent, without noise.
2. The correlation of a trace with a residue in the middle of the exponentiation, with noise of the
   size of the signal: what an attacker sees who knows bases and the exponent up to there. The
   largest value of all cycles counts. The residue is told by the number of its bits that are 1.
"""

from __future__ import annotations

import random
import sys
from collections import defaultdict
from collections.abc import Sequence

import click
import numpy as np

import catalog
from catalog import Configuration
from eval.design_netlist import netlist_files
from eval.leakage.measure import calibration, signal_fj
from eval.leakage.operands import Source
from eval.leakage.recorder import Recorder, Traces
from flow.gates.engine import LANES
from flow.kit import DEFAULT_LIBRARY
from flow.requests import Operands
from plan.dummies import DUMMY
from plan.steps import ENTRY, Product
from rsaxcel.cli import guard

_DESIGN = "crt_window"
_BITS = 64
_KINDS = ("dummy", "square", "product")


@click.command()
@click.option("--nbits", default=_BITS, show_default=True, help="Width in bits.")
@click.option("--traces", default=4096, show_default=True, help="Traces of each design.")
@click.option("--clock-ns", default=0.5, show_default=True, help="Clock period in nanoseconds.")
@click.option("--noise", default=1.0, show_default=True, help="Noise in units of the signal.")
def table(nbits: int, traces: int, clock_ns: float, noise: float) -> None:
    """Print both figures with and without dummies."""
    for params in ({}, {"dummies": "squares"}):
        configuration = catalog.get(_DESIGN).configure(nbits, **params)
        files, _ = netlist_files(configuration, DEFAULT_LIBRARY, clock_ns)
        typical = calibration(configuration)
        recorder = Recorder.of_files(configuration, files, DEFAULT_LIBRARY, typical)
        rows, recorded = _record(recorder, traces)
        click.echo(f"{configuration.name}: {len(rows):,} traces")
        walks = [Walk(configuration, row, int(recorded.accepted[0])) for row in rows]
        for kind, energies_fj in _energies(walks, recorded).items():
            mean, deviation = np.mean(energies_fj) / 1e3, np.std(energies_fj) / 1e3
            click.echo(f"  {kind}: {mean:.3f} pJ, standard deviation {deviation:.3f} pJ")
        correlation, cycle, floor = _correlation(walks, recorded, noise)
        click.echo(f"  correlation {correlation:.3f} in cycle {cycle}, by chance up to {floor:.3f}")
        sys.stdout.flush()


def _record(recorder: Recorder, count: int) -> tuple[list[Operands], Traces]:
    """Record operations with one exponent; return their operands, in the order of the traces."""
    source, draw = Source(recorder.configuration), random.Random(0)
    exponent = source.exponent(draw)
    rows: list[Operands] = []
    found: list[Traces] = []
    while len(rows) < count:
        lanes = [
            [source.request(draw, source.base(draw), exponent, source.modulus) for _ in range(2)]
            for _ in range(LANES)
        ]
        found += recorder.record(lanes, compare_cycles=False)
        rows += [second for _, second in lanes]
    energies_fj = np.concatenate([each.energies_fj[:, :, :1] for each in found])
    rest = (np.concatenate([getattr(x, name) for x in found]) for name in _LENGTHS)
    return rows, Traces(energies_fj, *rest)


_LENGTHS = ("lengths", "accepted", "valid")


class Walk:
    """Steps of an operation with their cycles, and the residue in the middle of the loop.

    Parameters
    ----------
    configuration, operands
        The design, and the operands of the operation.
    accepted
        Cycle of a trace in which the request is accepted.
    """

    def __init__(self, configuration: Configuration, operands: Operands, accepted: int) -> None:
        timing, program = configuration.timing, configuration.programs[0]
        states = timing.golden.begin(*operands, ())
        moduli, more = [state.modulus for state in states], timing.more_cycles(program)
        at = accepted + timing.handshake.request_cycles + timing.handshake.start_cycles
        self.spans: list[tuple[str, int, int]] = []
        middle, seen = program.scan.ndigits * len(program.loop) // 2, 0
        self.ones = 0
        for formed in timing.golden.run(program, states):
            cycles = timing.step_cycles(formed, program, moduli, more)
            kind = _kind(formed[0].product) if formed else ""
            if kind:
                self.spans.append((kind, at, at + cycles))
            if kind in ("square", "product"):
                seen += 1
                if seen == middle:
                    residue = states[0].residues["r"]
                    self.ones = (residue & (1 << moduli[0].bit_length() + 2) - 1).bit_count()
            at += cycles


def _kind(product: Product) -> str:
    """Tell what a product is; empty: it is not formed in the loop."""
    if product.a == product.b == product.dst:
        return "dummy" if product.dst == DUMMY else "square"
    return "product" if product.dst == "r" and ENTRY in product.operands else ""


def _energies(walks: Sequence[Walk], recorded: Traces) -> dict[str, list[float]]:
    found: dict[str, list[float]] = defaultdict(list)
    for walk, trace in zip(walks, recorded.energies_fj[:, :, 0], strict=True):
        sums = np.concatenate([[0.0], np.cumsum(trace, dtype=float)])
        for kind, begin, end in walk.spans:
            found[kind].append(sums[end] - sums[begin])
    return {kind: found[kind] for kind in _KINDS if kind in found}


def _correlation(walks: Sequence[Walk], recorded: Traces, noise: float) -> tuple[float, int, float]:
    """Return the largest correlation, its cycle, and what pure chance gives in so many cycles."""
    traces = recorded.energies_fj[:, : int(recorded.lengths.min()), 0].astype(float)
    rng = np.random.default_rng(0)
    traces += rng.normal(0, noise * signal_fj(recorded), traces.shape)
    ones = np.array([walk.ones for walk in walks], float)

    def correlations(told: np.ndarray) -> np.ndarray:
        centred, own = traces - traces.mean(axis=0), told - told.mean()
        return np.abs(own @ centred / (np.linalg.norm(centred, axis=0) * np.linalg.norm(own)))

    found = correlations(ones)
    chance = max(correlations(rng.permutation(ones)).max() for _ in range(20))
    return float(found.max()), int(found.argmax()), float(chance)


if __name__ == "__main__":
    sys.exit(guard(table, "dummy_traces"))
