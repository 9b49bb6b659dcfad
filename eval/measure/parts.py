"""Measures the FPGA resources of a design's parts; they are estimates."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from rsaxcel import catalog
from rsaxcel.catalog import Configuration
from rsaxcel.eval.facts.fact import Fact
from rsaxcel.eval.measure.job import Job, Measurement, Progress
from rsaxcel.eval.measure.memo import of_design, texts
from rsaxcel.flow import resources, yosys
from rsaxcel.flow.layout import SYNTHESIZED
from rsaxcel.flow.resources import MODULE_FAMILIES, add_up, count_resources_by_module
from rsaxcel.flow.yosys import yosys_version
from rsaxcel.sim.translate import translate
from rsaxcel.store.places import MEASUREMENTS
from rsaxcel.store.shown import choices_text

_CODE = Path(resources.__file__), Path(yosys.__file__)
_TABLES = ("logic_luts", "dual_port_memory_luts", "single_port_memory_luts", "shift_register_luts")
_PER_SLICE = 2  #: number of look-up tables, and of flip-flops, in a slice of Virtex-E


def fpga_parts(
    design: str,
    nbits: int,
    family: str,
    parts: Mapping[str, str],
    sums: Mapping[str, Collection[str]] | None = None,
    **choices: Any,
) -> Measurement:
    """Measurement of the FPGA resources of a design's parts; modules are mapped one by one.

    ``parts``: part of each instance, by path. ``sums``: parts that consist of several others. The
    empty name is the whole design. The fact with the design's slices has no conditions: so it
    stands in a row with the design's time in cells.
    """
    configuration = catalog.get(design).configure(nbits, **texts(choices))
    name, arguments = f"{family} modules of {configuration.name}", (configuration, family)
    common = {"nbits": nbits, "choices": choices_text(choices), "library": family}

    def facts(result: Mapping[str, Mapping[str, int]]) -> Iterator[Fact]:
        found = add_up(result, parts)
        for part, own in (sums or {}).items():
            total: Counter[str] = Counter()
            for name in own:
                total.update(found[name])
            found[part] = dict(total)
        for part, used in found.items():
            counts = _counts(family, used)
            if not part:
                whole: Any = {**common, "library": ""}
                yield Fact(design, "slices", counts["slices"], "estimated", **whole)
                continue
            about: Any = {**common, "part": part, "stage": SYNTHESIZED}
            for quantity, count in counts.items():
                yield Fact(design, quantity, count, "estimated", **about)

    job = Job(name, module_resources, arguments, 2.0 * nbits, module_resources)
    return Measurement(job, facts)


def module_resources(
    configuration: Configuration, family: str, progress: Progress | None = None
) -> dict[str, dict[str, int]]:
    """Count the FPGA resources of each instance; without ``progress``, only as stored, or None."""

    def measure(progress: Progress) -> dict[str, dict[str, int]]:
        progress(f"modules for {MODULE_FAMILIES[family].device}")
        module = translate(configuration.component("rtl"), configuration.design_name)
        # After a failure the folder is kept, because the error's message names a log file in it.
        work = Path(mkdtemp(prefix="work-", dir=MEASUREMENTS.absolute()))
        verilog = work / "design.v"
        verilog.write_text(module.text)
        found = count_resources_by_module(verilog, module.top, family, work)
        shutil.rmtree(work)
        return found

    inputs = {"family": family, "yosys": yosys_version()}
    return of_design(f"{family} modules", configuration, inputs, measure, progress, _CODE)


def _counts(family: str, used: Mapping[str, int]) -> dict[str, int]:
    """Return the number of each FPGA resource in a part, by the key of the quantity."""
    # Multiplexers are counted as the look-up tables to which the mapper maps them; the mapper uses
    # no tristate buffers.
    tables = {name: used.get(name, 0) for name in _TABLES}
    counts = {**tables, "registers": used.get("flip_flops", 0), "tristates": 0}
    if family == "xcve":
        # An estimate: the mapper does not pack slices, so assume that each one is full.
        counts["slices"] = -(-max(sum(tables.values()), counts["registers"]) // _PER_SLICE)
    return counts
