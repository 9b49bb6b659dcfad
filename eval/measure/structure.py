"""Counts units, stages and products of a design, by its circuit and program, not simulated."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rsaxcel import catalog
from rsaxcel.catalog import Configuration
from rsaxcel.eval.facts.fact import Fact
from rsaxcel.eval.measure.cycles import count_products
from rsaxcel.eval.measure.job import Job, Measurement, Progress
from rsaxcel.eval.measure.memo import texts
from rsaxcel.flow.requests import default_exponents
from rsaxcel.store.shown import choices_text

STAGE = "pipeline stage"  #: part of a multiplier: one stage of its pipeline

_MULTIPLIER = "multiplier"
#: attribute of MontMulRem with the units of its stages, one for each bit of an operand
_ROW_UNITS = "add_reds"


def structure(design: str, nbits: int, **choices: Any) -> Measurement:
    """Measurement of a design's numbers of units, stages and products."""
    configuration = catalog.get(design).configure(nbits, **texts(choices))
    job = Job(f"structure {configuration.name}", count_units, (configuration,), 1.0, count_units)
    common: Any = {"nbits": nbits, "choices": choices_text(choices)}

    def facts(result: dict[str, Any]) -> Iterator[Fact]:
        for part, counts in result["parts"].items():
            for quantity, count in counts.items():
                yield Fact(design, quantity, count, "measured", part=part, **common)
        if result["product_cycles"]:
            about: Any = {"part": _MULTIPLIER, "operation": "product", **common}
            yield Fact(design, "product_cycles", result["product_cycles"], "modelled", **about)
        for operation, counts in result["operations"].items():
            for quantity, count in counts.items():
                yield Fact(design, quantity, count, "modelled", operation=operation, **common)

    return Measurement(job, facts)


def count_units(configuration: Configuration, progress: Progress | None = None) -> dict[str, Any]:
    """Count a design's units: a property of the design, which is not stored as measurements are.

    ``"parts"`` has counts by part, ``""`` the lanes of loop and conversions. ``"product_cycles"``
    is 0 unless the multiplier is unrolled: cycles of others can depend on the operands.
    ``"operations"`` has exponents, and the products in the loop if one program forms all of them.
    """
    domain = configuration.choices.domain
    apart = (step for part in (domain.enter, domain.leave) for step in part)
    units = {
        "loop_multipliers": configuration.choices.lanes,
        "conversion_multipliers": sum(map(len, apart)) if domain.dedicated else 0,
    }
    unrolled, one_program = _stages(configuration), len(configuration.programs) == 1
    one_product = configuration.timing.multiplier.durations(1, 1, 3) if unrolled else ()
    return {
        "parts": {"": units, **unrolled},
        "product_cycles": sum(one_product),
        "operations": {
            name: {"exponent": str(x)}
            | ({"products": count_products(configuration, x)} if one_program else {})
            for name, x in default_exponents(configuration.nbits).items()
        },
    }


def _stages(configuration: Configuration) -> dict[str, dict[str, float]]:
    """Stages of an unrolled multiplier, and its units in each; empty for other multipliers."""
    unit = configuration.choices.multiplier
    circuit = unit.classes.rtl(configuration.nbits, **dict(unit.params))
    circuit.elaborate()
    units = getattr(circuit, _ROW_UNITS, ())
    if not units:
        return {}
    stages = len(circuit.val_reg)
    return {_MULTIPLIER: {"pipeline_stages": stages}, STAGE: {"add_reds": len(units) / stages}}
