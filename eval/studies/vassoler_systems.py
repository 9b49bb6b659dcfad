"""Vassoler: his accelerators with a processor, beside it and on a bus (tables 12 and 18)."""

from __future__ import annotations

from typing import Any

from rsaxcel.eval.facts.fact import CELLS
from rsaxcel.eval.measure.bus_cycles import bus
from rsaxcel.eval.measure.flows import AS_FAST_AS_CAN_BE_NS, outline
from rsaxcel.eval.measure.job import Measurement
from rsaxcel.eval.report.spec import Column, ReportTable, Row, Section, per, per_operation
from rsaxcel.eval.studies.systems import driven_systems, drivers

#: accelerator whose systems are measured whole: area, clock, cycles and energy
DESIGN = "cm_pm_r2l"

NBITS = (32, 64)
#: Widths at which operations with padding are counted; up to 64 bits there is no room for it.
PADDED_NBITS = (128, 1024)

WIDER = (128, 256, 512, 1024)  #: widths at which the clocks of systems are projected

CLOCK_NS = AS_FAST_AS_CAN_BE_NS

#: Accelerators in the systems of tables 12 and 18, which print the same figures for mm.
ACCELERATORS = ("cm_r2l", DESIGN, "mm_r2l", "mm_pm_r2l", "cm_r2l_shared", f"{DESIGN}_shared")

SYSTEMS = {f"axi_{x}": x for x in ACCELERATORS}  #: accelerator of each system on the bus

DRIVERS = drivers(DESIGN)
#: Name of the system on which a program runs, by the program's name as the subject of facts.
RUNS_ON = {x.name: x.system for x in DRIVERS}

_CELLS = {"library": CELLS}


def measurements(max_nbits: int, library: str) -> list[Measurement]:
    """Measurements of systems: whole ones for ``DESIGN``, area and clock for the others."""
    found: list[Measurement] = []
    others = [x for x in SYSTEMS if x not in RUNS_ON.values()]
    for nbits in (n for n in NBITS if n <= max_nbits):
        found += driven_systems(DRIVERS, library, nbits, CLOCK_NS)
        found += [outline(x, nbits, library, CLOCK_NS) for x in others]
    return found + [bus(DESIGN, n) for n in PADDED_NBITS if n <= max_nbits]


_FIGURES = [
    Row("area_um2", _CELLS, section="Area of the whole system", prints=False),
    Row("processor_area_um2", _CELLS, section="of it the processor", prints=False),
    Row("exponentiator_area_um2", _CELLS, section="of it the exponentiator", prints=False),
    Row("attachment_area_um2", _CELLS, section="of it adapter, bridge, interrupt", prints=False),
    Row("min_period_ns", _CELLS, section="Smallest clock period", prints=False),
]
_CALLS = per_operation(
    [
        Row(x, {**_CELLS, "nbits": n}, label=f"{label}, {n} bits", prints=False)
        for x, label in (("call_cycles", "cycles of the call"), ("energy_nj", "its energy"))
        for n in NBITS
    ]
)
_PADDED = per_operation(
    [
        Row(x, {"nbits": n}, label=f"{label} padding, {n} bits", prints=False)
        for x, label in (("bare_cycles", "without"), ("padded_cycles", "with"))
        for n in PADDED_NBITS
    ]
)
_FREQUENCY = [
    Row("frequency_mhz", _CELLS, section="Frequency of the whole system"),
    Row("min_period_ns", _CELLS, section="Smallest clock period of the system", prints=False),
    Row("area_um2", _CELLS, section="Area of the whole system", prints=False),
]
_PROJECTED_FREQUENCY = [
    Row(
        "projected_frequency_mhz",
        _CELLS,
        {"quantity": "frequency_mhz"},
        section="Frequency of the whole system, projected",
    ),
    Row(
        "projected_min_period_factor",
        _CELLS,
        section="The factor within which it lies",
        prints=False,
    ),
]


def _column(name: str) -> Column:
    return Column(name, {"subject": name}, {"subject": SYSTEMS[name]})


_COMMON: Any = {"clock_ns": CLOCK_NS}
TABLES = (
    ReportTable(
        "vassoler_systems",
        f"{DESIGN} beside the processor and on the bus",
        [Column(f"{x.label}, {DESIGN}", {"subject": x.name}) for x in DRIVERS],
        [*_CALLS, *per("nbits", NBITS, _FIGURES, "{} bits")],
        _COMMON,
        ("vassoler_systems", "glitches"),
    ),
    ReportTable(
        "vassoler_padding",
        "Cycles of an operation on the bus, with padding and without",
        [Column(f"axi_{DESIGN}", {"subject": f"axi_{DESIGN}"})],
        _PADDED,
        _COMMON,
        ("vassoler_padding",),
    ),
    ReportTable(
        "vassoler_frequency",
        "Clock of processor and accelerator on the bus (tables 12 and 18)",
        [_column(x) for x in SYSTEMS],
        [
            *per("nbits", NBITS, _FREQUENCY, "{} bits"),
            *per("nbits", WIDER, _PROJECTED_FREQUENCY, "{} bits"),
        ],
        _COMMON,
        ("vassoler_frequency",),
    ),
)
NOTES = {
    "vassoler_systems": f"""The processor of this project in place of the document's NEORV32, all
        synthesized for {CLOCK_NS} ns. Cycles of the call on the processor, with all transfers of
        operands and key; energy: of the program less that of the dummy. Up to 64 bits a key has no
        room for padding, in print as here: these are bare exponentiations.""",
    "vassoler_padding": """From the start to the interrupt, by the cycle model of the exponentiator
        behind the circuit of the registers; without the loading of key and message, and the reading
        of the result. An encryption adds a padding, a decryption removes it.""",
    "vassoler_frequency": f"""Whole systems of this project's processor and the accelerator on the
        bus, synthesized for {CLOCK_NS} ns with 45 nm cells; printed: a Cyclone V with another core
        (NEORV32), so that only ratios compare. Projected: the accelerator's own period, measured or
        projected, unless the system's shortest period, which the processor limits, is longer. The
        longest path of axi_{DESIGN} at {NBITS[-1]} bits is that of
        {{{{ path('axi_{DESIGN}', nbits={NBITS[-1]}) }}}}.""",
}
SECTION = Section(
    "vassoler_with_processor",
    "The document's accelerators in a system",
    TABLES,
    """The accelerators of tables 12 and 18 beside the processor and on its bus, as section 5.4 has
    them.""",
)
