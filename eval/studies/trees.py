"""Counts cells of compressor trees in their plans, at any width, without synthesis."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from rsaxcel import catalog, plan
from rsaxcel.catalog import Configuration
from rsaxcel.eval.facts.fact import Fact
from rsaxcel.eval.measure.job import Job, Measurement, Progress
from rsaxcel.eval.measure.memo import memoize
from rsaxcel.plan.compressors import plan_product, tree_columns

#: Quantities of the facts.
_TREE_COUNTS = ("tree_bits", "tree_cells", "tree_units", "tree_delay_units")

_PLANS = Path(str(plan.__file__)).parent / "compressors"
_MAX_BITS = 1 << 22  #: a product modulo (2^1024 - 1) / 3 has 2,089,479 bits


def tree(design: str, nbits: int) -> Measurement:
    """Compressor tree of a ``compressor_tree``: bits, cells, and unit gates of area and delay."""
    configuration = catalog.get(design).configure(nbits)
    job = Job(f"tree {configuration.name}", tree_counts, (configuration,), nbits, tree_counts)

    def facts(counts: Mapping[str, int]) -> Iterator[Fact]:
        for quantity, count in counts.items():
            yield Fact(design, quantity, count, "modelled", nbits)

    return Measurement(job, facts)


def tree_counts(
    configuration: Configuration, progress: Progress | None = None
) -> dict[str, int] | None:
    """Count the quantities ``_TREE_COUNTS`` of one multiplier's tree; inverters are no cells."""
    given = dict(configuration.multiplier.params)
    params = {x: given[x] for x in ("tree", "reweighted", "columns")}
    modulus = configuration.multiplier_golden.constant_modulus

    def measure(progress: Progress) -> dict[str, int]:
        progress("plan of the tree")
        columns = tree_columns(modulus, params["columns"])
        found = plan_product(modulus, params["tree"], params["reweighted"], columns, _MAX_BITS)
        cells = sum(bank.count for bank in found.banks if bank.cell.area)
        counts = found.bits, cells, found.estimate.area, found.estimate.delay
        return dict(zip(_TREE_COUNTS, counts, strict=True))

    inputs = {"modulus": hex(modulus), **params}
    name = f"tree {configuration.name}"
    return memoize(name, inputs, [_PLANS, Path(__file__)], measure, progress)
