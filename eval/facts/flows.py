"""Results of ``rsaxcel flow`` and ``rsaxcel fpga`` as facts, read from the flow's own store."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import catalog
from eval.facts.fact import Fact, choices_text
from eval.facts.records import fpga_facts, outline_facts, record_facts
from flow.earlier import Earlier, earlier_results
from flow.fpga import FpgaRecord
from flow.record import Record
from flow.requests import default_exponents
from proc.systems import find_system, is_system

Source = tuple[float, list[Fact]]
"""When facts were made or last asked for, in seconds since 1970, and the facts."""


def flow_sources(build: Path, known: Mapping[str, float]) -> Iterator[Source]:
    """Give the facts of each result of the flow below a folder.

    Parameters
    ----------
    build : Path
        The folder ``build``.
    known : mapping of str to float
        Times of the tables that have a result's facts already, by its hash: the result is given
        again only if it was asked for later.
    """
    for earlier in earlier_results(build / "flow", build / "fpga"):
        if known.get(earlier.result.hash, 0.0) < earlier.asked_s:
            yield earlier.asked_s, list(_facts(earlier))


def _facts(earlier: Earlier) -> Iterator[Fact]:
    choices, program = _named(earlier.design, earlier.nbits, earlier.params)
    result, about = earlier.result, (earlier.design, choices_text(choices))
    if isinstance(result, Record):
        return record_facts(_of_the_workload(result), *about, program=program)
    if isinstance(result, FpgaRecord):
        return fpga_facts(result, *about)
    return outline_facts(result, earlier.nbits, *about)


def _named(design: str, nbits: int, params: Mapping[str, Any]) -> tuple[Mapping[str, Any], str]:
    """Give the choices that are not the design's own, and the program whose work is a system's.

    That is the first one of its kind: ``xcel`` by instructions, ``axi`` on the bus. Of a design
    that is not there any more, all parameters are choices.
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
    """Leave out the operations that have another exponent than the workload's of the same name."""
    if all(operation.exponent is None for operation in record.operations.values()):
        return record  # of a multiplier, whose width may be less than a key's
    usual = _exponents(record.nbits)
    kept = {
        name: x
        for name, x in record.operations.items()
        if usual.get(name.removeprefix(f"{x.program}_"), x.exponent) == x.exponent
    }
    return replace(record, operations=kept)


@cache  # a key of 4096 bits takes seconds
def _exponents(nbits: int) -> Mapping[str, int]:
    return default_exponents(nbits)
