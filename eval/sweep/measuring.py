"""Makes a job for each measurement of a sweep; the job also reports mistakes in the circuit."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from rsaxcel.circuit import Circuit
from rsaxcel.eval.measure import cycles, flows
from rsaxcel.eval.measure.costs import cost_of
from rsaxcel.eval.measure.job import Measurement, Progress
from rsaxcel.eval.sweep.points import Point
from rsaxcel.eval.sweep.spec import CL_CYCLES, ENERGY, FPGA, RTL_CYCLES, SYNTHESIS
from rsaxcel.flow.layout import PLACED
from rsaxcel.store.shown import choices_text

_LEVELS = {CL_CYCLES: "cl", RTL_CYCLES: "rtl"}


@dataclass(frozen=True)
class AskedMeasurement:
    """A measurement that a specification asks for at a point."""

    point: Point
    measure: str  #: one of eval.sweep.spec.MEASURES, or "placed": energy at this stage
    measurement: Measurement  #: measurement, which may share its job with other points

    @property
    def about(self) -> dict[str, Any]:
        """Description of the measurement for its line in the sweep's ledger."""
        configuration = self.point.configuration
        return {
            "measure": self.measure,
            "design": configuration.design_name,
            "nbits": configuration.nbits,
            "choices": choices_text(self.point.choices),
        }


def measurements_of(point: Point) -> list[AskedMeasurement]:
    return [
        AskedMeasurement(point, measure, _diagnosed(x, measure, point.configuration))
        for measure, x in _measurements(point)
    ]


def _measurements(point: Point) -> Iterable[tuple[str, Measurement]]:
    configuration, group = point.configuration, point.group
    design, nbits, choices = configuration.design_name, configuration.nbits, point.choices
    for measure, level in _LEVELS.items():
        if measure in group.measure:
            asked = level, point.exponents, group.operands
            yield measure, cycles.workload(design, nbits, *asked, **choices)
    where: dict[str, Any] = {"library": point.library, "clock_ns": point.clock_ns}
    if ENERGY in group.measure:
        for layout, activity in product(group.layouts, group.activities):
            clock = {"clock_ns": None} if layout.placed and group.own_clock else {}
            conditions = {**where, **clock, "operations": point.exponents}
            own = flows.flow(design, nbits, **conditions, **choices)
            timed = flows.at_activity(own, activity, group.timed_cycles)
            yield PLACED if layout.placed else ENERGY, flows.at_layout(timed, layout)
    elif SYNTHESIS in group.measure:
        yield SYNTHESIS, flows.outline(design, nbits, **where, **choices)
    if FPGA in group.measure:
        for family in group.families:
            yield FPGA, flows.fpga(design, nbits, family, **choices)


def _diagnosed(measurement: Measurement, measure: str, configuration: Circuit) -> Measurement:
    placed = measure == PLACED
    job, cost = measurement.job, cost_of(ENERGY if placed else measure, configuration)
    job = replace(
        job,
        function=diagnosed,
        find=find,
        arguments=(configuration, job.function, job.find, job.arguments),
        weight=cost.seconds * (flows.PLACED_WEIGHT if placed else 1.0),
        memory_mb=cost.memory_mb,
    )
    return replace(measurement, job=job)


def diagnosed(
    configuration: Circuit,
    function: Callable[..., Any],
    _find: Callable[..., Any],
    arguments: tuple[Any, ...],
    progress: Progress,
) -> Any:
    """Run ``function(*arguments)``; check a circuit from outside for combinational loops first."""
    # Imported only here, because PyMTL3 is slow to import.
    from rsaxcel.diagnosis.check import check_target

    if configuration.is_foreign:
        check_target(configuration)
    return function(*arguments, progress=progress)


def find(
    _configuration: Circuit,
    _function: Callable[..., Any],
    look: Callable[..., Any],
    arguments: tuple[Any, ...],
) -> Any:
    """Return the stored result of a measurement, found by ``look(*arguments)``."""
    return look(*arguments)
