"""Measurements of a point: those that the report has, with a mistake in a circuit told as such."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from catalog import Configuration
from catalog.designs import BUILT_IN
from eval.measure import cycles, flows
from eval.measure.job import Measurement, Progress
from eval.sweep.points import Point
from eval.sweep.spec import CL_CYCLES, ENERGY, FPGA, RTL_CYCLES, SYNTHESIS
from flow.errors import ToolFailure

_LEVELS = {CL_CYCLES: "cl", RTL_CYCLES: "rtl"}


def measurements_of(point: Point) -> list[Measurement]:
    """Give what is to be measured at a point; other points may share jobs."""
    return [_diagnosed(x, point.configuration) for x in _measurements(point)]


def _measurements(point: Point) -> Iterable[Measurement]:
    configuration, group = point.configuration, point.group
    design, nbits, choices = configuration.design.name, configuration.nbits, point.choices
    for measure, level in _LEVELS.items():
        if measure in group.measure:
            asked = level, point.exponents, group.operands
            yield cycles.workload(design, nbits, *asked, **choices)
    where: dict[str, Any] = {"library": point.library, "clock_ns": point.clock_ns}
    if ENERGY in group.measure:
        yield flows.flow(design, nbits, **where, operations=point.exponents, **choices)
    elif SYNTHESIS in group.measure:
        yield flows.outline(design, nbits, **where, **choices)
    if FPGA in group.measure:
        for family in group.families:
            yield flows.fpga(design, nbits, family, **choices)


def _diagnosed(measurement: Measurement, configuration: Configuration) -> Measurement:
    job = measurement.job
    arguments = configuration, job.function, job.find, job.arguments
    return replace(measurement, job=replace(job, function=measure, find=find, arguments=arguments))


def measure(
    configuration: Configuration,
    function: Callable[..., Any],
    _find: Callable[..., Any],
    arguments: tuple[Any, ...],
    progress: Progress,
) -> Any:
    """Do a job; look at circuits from outside first, and say where a circuit has a loop."""
    # PyMTL3 takes long to load
    from eval.diagnosis.check import check_configuration, loop_of
    from eval.diagnosis.loops import tells_loop

    if configuration.design not in BUILT_IN:
        check_configuration(configuration)
    try:
        return function(*arguments, progress=progress)
    except ToolFailure as error:
        if tells_loop(error):
            raise loop_of(configuration) from error
        raise


def find(
    _configuration: Configuration,
    _function: Callable[..., Any],
    look: Callable[..., Any],
    arguments: tuple[Any, ...],
) -> Any:
    """Find what a job has kept."""
    return look(*arguments)
