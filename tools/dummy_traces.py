"""``python -m tools.dummy_traces``: what dummies look like in traces, and what they hide.

The figures are energies of the netlist, as in ``rsaxcel leak``:
1. the energy of a dummy, beside that of a square and of a product, without noise;
2. how many are told apart by their cycles in one trace, with means learned from other traces;
3. the highest correlation with the weight of operand b of a product in the middle, for an
   attacker who knows bases and the exponent up to there.
"""

from __future__ import annotations

import random
import sys
from collections import defaultdict
from collections.abc import Sequence

import click
import numpy as np

from rsaxcel import catalog
from rsaxcel.catalog import Configuration
from rsaxcel.cli.main import guard
from rsaxcel.flow.gates.engine import LANES
from rsaxcel.flow.kit import DEFAULT_LIBRARY
from rsaxcel.flow.requests import Operands
from rsaxcel.lab.design_netlist import netlist_files
from rsaxcel.lab.leakage.measure import calibration, signal_fj
from rsaxcel.lab.leakage.operands import Source
from rsaxcel.lab.leakage.recorder import Recorder, Traces
from rsaxcel.plan.measures.dummies import DUMMY
from rsaxcel.plan.steps import ENTRY, Product

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
        for level in (noise, 0.0):
            noisy = _with_noise(recorded, level)
            if params:
                right = _told_apart(walks, noisy)
                click.echo(f"  noise {level:g}: {100 * right:.1f} % told apart")
            found, cycle, chance = _correlation(walks, noisy)
            told = f"{found:.3f} in cycle {cycle}, by chance up to {chance:.3f}"
            click.echo(f"  noise {level:g}: correlation {told}")
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
    """Steps of an operation with their cycles, and an operand in the middle of the loop.

    ``accepted`` is the cycle of a trace in which the request is accepted.
    """

    def __init__(self, configuration: Configuration, operands: Operands, accepted: int) -> None:
        timing, program = configuration.timing, configuration.programs[0]
        states = timing.golden.begin(*operands, ())
        moduli, more = [state.modulus for state in states], timing.more_cycles(program)
        at = accepted + timing.handshake.request_cycles + timing.handshake.start_cycles
        self.spans: list[tuple[str, int, int]] = []
        middle, seen = program.scan.ndigits * len(program.loop) // 2, 0
        mask = (1 << timing.golden.multiplier.residue_nbits) - 1
        for formed in timing.golden.run(program, states):
            cycles = timing.step_cycles(formed, program, moduli, more)
            kind = _kind(formed[0].product) if formed else ""
            if kind:
                self.spans.append((kind, at, at + cycles))
            if kind in ("square", "product"):
                seen += 1
                if seen == middle:
                    self.ones = sum((each.b & mask).bit_count() for each in formed)
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


def _with_noise(recorded: Traces, noise: float) -> np.ndarray:
    """Return the cycles that all traces have, with Gaussian noise."""
    traces = recorded.energies_fj[:, : int(recorded.lengths.min()), 0].astype(float)
    drawn = np.random.default_rng(0).normal(0, 1, traces.shape)
    return traces + noise * signal_fj(recorded) * drawn


def _told_apart(walks: Sequence[Walk], traces: np.ndarray) -> float:
    """Return the share of dummies and squares that are told apart, half of it for each kind."""
    # The first half of the traces gives means and variances by cycle. Cycles are taken for
    # independent, with equal variances in both kinds.
    pairs = [*zip(walks, traces, strict=True)]
    known, asked = (
        {
            kind: np.array([t[b:e] for walk, t in part for k, b, e in walk.spans if k == kind])
            for kind in ("dummy", "square")
        }
        for part in (pairs[: len(pairs) // 2], pairs[len(pairs) // 2 :])
    )
    means = {kind: found.mean(axis=0) for kind, found in known.items()}
    variance = sum(found.var(axis=0) for found in known.values()) / 2
    weights = (means["dummy"] - means["square"]) / np.where(variance > 0, variance, np.inf)
    limit = weights @ (means["dummy"] + means["square"]) / 2
    return float(
        ((asked["dummy"] @ weights > limit).mean() + (asked["square"] @ weights <= limit).mean())
        / 2
    )


def _correlation(walks: Sequence[Walk], traces: np.ndarray) -> tuple[float, int, float]:
    """Return the largest correlation, its cycle, and what pure chance gives in so many cycles."""
    ones = np.array([walk.ones for walk in walks], float)
    centred = traces - traces.mean(axis=0)
    norms = np.linalg.norm(centred, axis=0)
    norms[norms == 0] = np.inf

    def correlations(told: np.ndarray) -> np.ndarray:
        own = told - told.mean()
        return np.abs(own @ centred / (norms * np.linalg.norm(own)))

    found, rng = correlations(ones), np.random.default_rng(1)
    chance = max(correlations(rng.permutation(ones)).max() for _ in range(20))
    return float(found.max()), int(found.argmax()), float(chance)


if __name__ == "__main__":
    sys.exit(guard(table, "dummy_traces"))
