"""Reads results of ``rsaxcel flow`` and ``rsaxcel fpga`` from the flow's store as facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from rsaxcel import catalog
from rsaxcel.eval.facts.fact import Fact
from rsaxcel.eval.facts.records import fpga_facts, outline_facts, record_facts
from rsaxcel.flow.earlier import Earlier, earlier_results
from rsaxcel.flow.fpga import FpgaRecord
from rsaxcel.flow.record import Record
from rsaxcel.flow.requests import default_exponents
from rsaxcel.proc.systems import find_system, is_system
from rsaxcel.store.shown import choices_text

Source = tuple[float, list[Fact]]
"""Time at which facts were made or last requested, in seconds since 1970, and the facts."""


def flow_sources(build: Path, known: Mapping[str, float]) -> Iterator[Source]:
    """Yield the facts of each result of the flow in a build folder.

    ``known`` has, by hash of a result, when a table with its facts was written: a result that was
    last requested before that time is left out.
    """
    for earlier in earlier_results(build / "flow", build / "fpga"):
        if known.get(earlier.result.hash, 0.0) < earlier.asked_s:
            yield earlier.asked_s, list(earlier_facts(earlier))


def earlier_facts(earlier: Earlier) -> Iterator[Fact]:
    choices, program = choices_and_program(earlier.design, earlier.nbits, earlier.params)
    result, about = earlier.result, (earlier.design, choices_text(choices))
    if isinstance(result, Record):
        return record_facts(_of_the_workload(result), *about, program=program)
    if isinstance(result, FpgaRecord):
        return fpga_facts(result, *about)
    return outline_facts(result, earlier.nbits, *about)


def choices_and_program(
    design: str, nbits: int, params: Mapping[str, Any]
) -> tuple[Mapping[str, Any], str]:
    """Return the choices that differ from the design's own, and a system's program or "".

    The program stands for a system with an accelerator: ``xcel``, or ``axi`` on the bus. For a
    design that the catalog does not know, all parameters are choices.
    """
    try:
        if not is_system(design):
            return catalog.find(design).configure(nbits, **params).changed, ""
        system = find_system(design, nbits, **params)
    except ValueError:
        return params, ""
    usual = {p.name: p.default(nbits) for p in system.parameters}
    changed = {name: x for name, x in system.params.items() if usual.get(name, x) != x}
    if system.configuration is None:
        return changed, ""
    return system.configuration.changed | changed, system.kind.programs[0]


def _of_the_workload(record: Record) -> Record:
    """Return the record without operations whose exponent differs from the standard workload's."""
    if all(operation.exponent is None for operation in record.operations.values()):
        return record  # products of a multiplier: its width may have no RSA key
    usual = _exponents(record.nbits)
    kept = {
        name: x
        for name, x in record.operations.items()
        if usual.get(name.removeprefix(f"{x.program}_"), x.exponent) == x.exponent
    }
    return replace(record, operations=kept)


@cache  # making a key of 4096 bits takes seconds
def _exponents(nbits: int) -> Mapping[str, int]:
    return default_exponents(nbits)
