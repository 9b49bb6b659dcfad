"""Claims of ``rsaxcel prove`` without a name, derived from the registry."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rsaxcel import catalog
from rsaxcel.catalog import Configuration
from rsaxcel.lab.proofs.blocks import BLOCKS
from rsaxcel.lab.proofs.claim import Claim
from rsaxcel.lab.proofs.exchanges import exchange_claims
from rsaxcel.lab.proofs.functions import FunctionClaim
from rsaxcel.lab.proofs.instructions import instruction_claims
from rsaxcel.lab.proofs.netlists import NetlistClaim
from rsaxcel.lab.proofs.products import ProductClaim
from rsaxcel.lab.proofs.secrecy import SecrecyClaim
from rsaxcel.lab.proofs.study import claims_of
from rsaxcel.lab.proofs.surroundings import EXCHANGES
from rsaxcel.proc.systems import NULL_SYSTEM, find_system

PRODUCT_NBITS = 9  #: width of multipliers: one bit more than the tests' exhaustive runs

DESIGN_NBITS = 8

ENGINE_NBITS = 32  #: width of multipliers and engines whose netlists are compared

#: Schedules of a fixed sequence of products, for which compositions are proven, too.
_SCHEDULES = ("ladder", "l2r_always", "r2l_always")

_COMPOSED = "montmul_r2l"

#: Designs whose netlists are compared at the width of multipliers, too.
_ENGINES = ("orup_window", "crt_window", "crt_window_shared")

_HARDENED = "crt_window"
_CHECK = {"check": "public_exponent"}
_BLINDING = {"blinding": "both"}
_DOUBLED = {"states": "doubled"}
_DUMMIES = {"dummies": "squares"}
#: Measures against faults and leaks, with which a design is proven, too.
_MEASURES = (_CHECK, _BLINDING, _DOUBLED, _DUMMIES, {**_CHECK, **_BLINDING, **_DOUBLED})


def standard_claims() -> Iterator[Claim]:
    """Yield claims of all classes: about blocks, multipliers, designs, and the processor."""
    for block in BLOCKS.values():
        for params in block.variants:
            yield FunctionClaim(block, block.nbits, params)
    for exchange in EXCHANGES.values():
        yield from exchange_claims(exchange)
    for name in (*catalog.multipliers(), *catalog.REDUCERS):
        entry: Any = catalog.find(name)
        yield ProductClaim(entry.configure(max(PRODUCT_NBITS, entry.widths[0])))
    for name in catalog.multipliers():
        yield NetlistClaim(catalog.find(name).configure(ENGINE_NBITS))
    for name in _ENGINES:
        yield NetlistClaim(catalog.get(name).configure(ENGINE_NBITS))
    designs = [catalog.get(name).configure(DESIGN_NBITS) for name in catalog.DESIGNS]
    composed = catalog.get(_COMPOSED)
    designs += [composed.configure(DESIGN_NBITS, schedule=x) for x in _SCHEDULES]
    designs += [catalog.get(_HARDENED).configure(DESIGN_NBITS, **x) for x in _MEASURES]
    for configuration in designs:
        yield from design_claims(configuration)
    yield from instruction_claims(find_system(NULL_SYSTEM))


def design_claims(configuration: Configuration) -> Iterator[Claim]:
    """Yield claims about a design; no secrecy if its cycles are said to depend on the exponent."""
    for claim in claims_of(configuration):
        if not isinstance(claim, SecrecyClaim) or claim.declared:
            yield claim
