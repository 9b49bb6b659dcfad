"""Measurements of FPGA resources part by part: estimates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import catalog
import flow
import sim
from catalog import Configuration
from eval.facts.fact import Fact, choices_text
from eval.measure.cycles import memoize
from eval.measure.job import Job, Measurement, Progress
from flow.fpga_modules import MODULE_FAMILIES, add_up, count_resources_by_module
from flow.yosys import yosys_version
from sim.sources import design_sources
from sim.translate import translate

_FLOW, _SIM = (Path(str(package.__file__)).parent for package in (flow, sim))
_CODE = tuple(_FLOW / name for name in ("fpga_modules.py", "resources.py", "yosys.py"))
_TABLES = ("logic_luts", "dual_port_memory_luts", "single_port_memory_luts", "shift_register_luts")
_PER_SLICE = 2
"""Look-up tables, and as many flip-flops, of a slice of Virtex-E."""


def fpga_parts(
    design: str, nbits: int, family: str, parts: Mapping[str, str], **choices: Any
) -> Measurement:
    """FPGA resources of the parts of a design, its modules mapped one by one: estimates.

    Parameters
    ----------
    design, nbits, choices
        Design of the registry, width in bits, and parameters.
    family : str
        A key of ``flow.fpga_modules.MODULE_FAMILIES``.
    parts : mapping of str to str
        Instances to the parts that they belong to, see ``flow.fpga_modules.add_up``.
    """
    texts = {name: str(value) for name, value in choices.items()}
    configuration = catalog.get(design).configure(nbits, **texts)
    name = f"{family} modules of {configuration.name}"
    job = Job(name, module_resources, (configuration, family), 2.0 * nbits, module_resources)
    return Measurement(
        job, partial(_facts, design, nbits, choices_text(choices), family, dict(parts))
    )


def module_resources(
    configuration: Configuration, family: str, progress: Progress | None = None
) -> dict[str, dict[str, int]]:
    """Resources of each instance, see ``flow.fpga_modules.count_resources_by_module``.

    Parameters
    ----------
    configuration : Configuration
        Design.
    family : str
        A key of ``flow.fpga_modules.MODULE_FAMILIES``.
    progress : callable, optional
        As ``eval.measure.cycles.memoize``.

    Raises
    ------
    FlowError
        If the mapping fails.
    """

    def measure() -> dict[str, dict[str, int]]:
        assert progress is not None  # or else nothing is measured
        progress(f"modules for {MODULE_FAMILIES[family].device}")
        module = translate(configuration.component("rtl"), configuration.design.name)
        with TemporaryDirectory() as folder:
            verilog = Path(folder, "design.v")
            verilog.write_text(module.text)
            return count_resources_by_module(verilog, module.top, family, Path(folder))

    inputs = {"params": configuration.params, "family": family, "yosys": yosys_version()}
    sources = (*design_sources(configuration), _SIM, *_CODE)
    return memoize(f"{family} modules {configuration.name}", inputs, sources, measure, progress)


def _facts(
    design: str,
    nbits: int,
    choices: str,
    family: str,
    parts: Mapping[str, str],
    result: Mapping[str, Mapping[str, int]],
) -> Iterator[Fact]:
    for part, resources in add_up(result, parts).items():
        counts = {name: resources.get(name, 0) for name in _TABLES}
        registers = resources.get("flip_flops", 0)
        # multiplexers are look-up tables here
        counts |= {"registers": registers, "tristates": 0}
        if family == "xcve":
            # as if every slice were full
            full = max(sum(counts[name] for name in _TABLES), registers)
            counts["slices"] = -(-full // _PER_SLICE)
        for quantity, count in counts.items():
            yield Fact(
                design,
                quantity,
                count,
                "estimated",
                nbits,
                choices,
                part=part,
                library=family,
                stage="synthesis",
            )
