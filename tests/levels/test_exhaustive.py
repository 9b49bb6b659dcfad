"""Every product of small operands, of every multiplier's compiled circuit.

Tables and random draws miss a corner that one product in ten thousand hits; at 8 bits there are few
enough products to form all of them. Each multiplier of the registry runs with each parameter at its
smallest value, the next one and the default, while the others are smallest (many digits, words or
stages), and with all defaults together:

- every modulus of up to 8 bits that the rules allow, with every pair of operands that the contract
  allows: below m, or below 2m if products stay below 2m;
- if that takes more than ``WORK`` cycles: every modulus of up to 8 bits, with one operand at the
  corners of the range and any value as the other, and with random pairs; then, with the smallest
  parameters, all moduli and pairs at the greatest width at which they take at most ``WORK``;
- at ``SMALL_NBITS``, a width that no digit divides: all products with the largest parameters.

Results are compared with Python's, cycles with the cycle model's.
"""

from collections.abc import Iterator
from functools import partial

import pytest

from rsaxcel import catalog
from rsaxcel.sim.products import WORK, Products, all_pairs, some_pairs
from rsaxcel.sim.runners import hang_cycles
from tests.shared.harness import Comparison, configure, engine_for

NBITS = 8
SMALL_NBITS = 5

PAIRS = {"all": all_pairs, "corners": partial(some_pairs, count=500)}


def choices(entry, nbits: int) -> list[dict]:
    """List the sets of parameters to run at a width, the smallest ones first."""
    allowed = {p.name: list(p.allowed(nbits)) for p in entry.parameters}
    least = {name: values[0] for name, values in allowed.items()}
    defaults = {p.name: p.default(nbits) for p in entry.parameters}
    others = (
        least | {name: value}
        for name, values in allowed.items()
        for value in (*values[1:2], defaults[name])
    )
    return [least, *others, defaults]


def points(name: str) -> Iterator[tuple]:
    """Yield the runs of a multiplier: width, parameters and key of ``PAIRS``."""
    entry = catalog.find(name)
    for params in choices(entry, NBITS):
        affordable = Products(configure(name, NBITS, **params)).work <= WORK
        yield NBITS, tuple(params.items()), "all" if affordable else "corners"
    for nbits in (n for n in range(NBITS, 1, -1) if n in entry.widths):
        least, *_ = choices(entry, nbits)
        if Products(configure(name, nbits, **least)).work <= WORK:
            yield nbits, tuple(least.items()), "all"
            break
    if SMALL_NBITS in entry.widths:
        largest = ((p.name, list(p.allowed(SMALL_NBITS))[-1]) for p in entry.parameters)
        yield SMALL_NBITS, tuple(largest), "all"


POINTS = [(name, *point) for name in catalog.multipliers() for point in dict.fromkeys(points(name))]


@pytest.mark.quick_cases(
    "mul_rem-8-*preloaded*direct-all",
    "mul_rem-5-*",
    "mont_mul_rem-8-stages=2-*",
    "mont_mul_rem-8-*serial-*all",
    "mont_mul_rem-5-*",
    "mont_red-8-*",
    "mont_mul-8-bits_per_cycle=1-*",
    "mont_mul-5-*",
    "mont_mul_csa-8-resolve_cycles=1-*",
    "mont_mul_csa-5-*",
    "mont_mul_unreduced-[57]-*",
    "interleaved-5-*",
    "ssmm-8-bits_per_cycle=1-*",
    "ssmm-5-*",
    "systolic-8-*on-all",
    "systolic-8-radix_nbits=16-*",
    "digit_serial-8-digit_nbits=8-*",
    "mont_orup-8-digit_nbits=4-pipeline=rows4-*",
    "mont_orup-5-*",
    "direct-8-modulus=[23]-*",
    "compressor_tree-8-modulus=[23]-tree=best-reweighted=products-columns=own-squares=product-*",
    "compressor_tree-5-*",
)
@pytest.mark.parametrize(
    ("name", "nbits", "params", "pairs"),
    [
        pytest.param(*point, id="-".join((name, str(n), *(f"{k}={v}" for k, v in p), pairs)))
        for point in POINTS
        for name, n, p, pairs in [point]
    ],
)
def test_every_product(name, nbits, params, pairs):
    """Results and cycles are right for the products that the module's docstring lists."""
    configuration = configure(name, nbits, **dict(params))
    engine = engine_for(configuration, "rtl", "native")
    products = Products(configuration, PAIRS[pairs])
    comparison = Comparison(configuration, "rtl", "native")
    for columns in products.blocks():
        with comparison.hangs_told(columns):
            batch = engine.run_columns(
                products.requests(columns), max_idle_cycles=hang_cycles(configuration)
            )
        cycles = batch.cycles, products.cycles(columns)
        comparison.add(columns, batch.responses, [products.expected(columns)], cycles)
    comparison.check()
