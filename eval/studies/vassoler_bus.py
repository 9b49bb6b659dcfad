"""Vassoler: the same accelerator on a bus and beside the processor, compared (section 5.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rsaxcel.eval.measure.cycles import operation, workload
from rsaxcel.eval.measure.flows import flow
from rsaxcel.eval.measure.job import Measurement
from rsaxcel.eval.report.spec import (
    OPERATION_TITLES,
    Column,
    ReportTable,
    Row,
    Section,
    in_section,
    per_operation,
)
from rsaxcel.eval.studies.systems import NBITS, Driver, driven_systems, drivers, loaded_systems
from rsaxcel.flow.kit import CLOCK_NS
from rsaxcel.flow.requests import default_exponents

DOCUMENT = "vassoler"
DESIGN = "mont_r2l"
WIDE_DESIGN, WIDE_NBITS, WIDE_OPERATION = "systolic_l2r_always", 1024, "decrypt"
DRIVERS, WIDE_DRIVERS = drivers(DESIGN), drivers(WIDE_DESIGN)
#: Name of the system on which a program runs, by the program's name as the subject of facts.
RUNS_ON = {x.name: x.system for x in (*DRIVERS, *WIDE_DRIVERS)}

_WHERE = {"nbits": NBITS, "clock_ns": CLOCK_NS}
_AT_WIDE = {"nbits": WIDE_NBITS, "operation": WIDE_OPERATION}


def measurements(max_nbits: int, library: str) -> list[Measurement]:
    """Systems on the bus or beside the processor: all programs, key loaded, and alone."""
    found: list[Measurement] = []
    if max_nbits >= NBITS:
        found += [*driven_systems(DRIVERS, library), *loaded_systems(DRIVERS, library)]
        found += [flow(DESIGN, NBITS, CLOCK_NS, library), workload(DESIGN, NBITS)]
        found += [y for x in DRIVERS for y in x.loaded_calls(NBITS, *OPERATION_TITLES)]
    if max_nbits >= WIDE_NBITS:
        exponent = default_exponents(WIDE_NBITS)[WIDE_OPERATION]
        found.append(operation(WIDE_DESIGN, WIDE_NBITS, WIDE_OPERATION, exponent))
        found += driven_systems(WIDE_DRIVERS, library, WIDE_NBITS)
        found += [y for x in WIDE_DRIVERS for y in x.loaded_calls(WIDE_NBITS, WIDE_OPERATION)]
    return found


def _columns(driving: Sequence[Driver]) -> list[Column]:
    return [Column(x.label, {"subject": x.name}) for x in driving]


_CALLS = [
    Row("call_cycles", label="call with its key", prints=False),
    Row("loaded_call_cycles", prints=False),
    Row("key_cycles", prints=False),
]
_ENERGY = [
    Row("energy_nj", label="energy of the call with its key", prints=False),
    Row("loaded_energy_nj", prints=False),
    Row("key_energy_nj", prints=False),
]
_AREA = [
    Row("area_um2", label="Whole system"),
    Row("processor_area_um2"),
    Row("exponentiator_area_um2"),
    Row("attachment_area_um2"),
    Row("attached_ratio"),
    Row("registers_area_um2", label="of it registers around the exponentiator"),
    Row("area_um2", {"part": "accelerator.slave"}, label="of it AXI4-Lite slave"),
    Row("area_um2", {"part": "bridge"}, label="of it bridge from the processor to the bus"),
    Row("area_um2", {"part": "interrupt"}, label="of it interrupt of the processor"),
]
_WIDE_AREA = [replace(x, where={**x.where, "nbits": WIDE_NBITS}) for x in _AREA]
_CLOCK_ROWS = [
    Row("frequency_mhz", prints=False, label="Frequency of the whole system"),
    Row("min_period_ns", prints=False),
    Row(
        "min_period_ns",
        mode="ratio",
        base=DESIGN,
        prints=False,
        label=f"Its period over that of {DESIGN} alone",
    ),
]


def _over(design: str, **labels: str) -> list[Row]:
    """Rows with the ratio of a call, with loading, to the design alone; a label by quantity."""
    return [
        Row(x, mode="ratio", base=design, prints=False, label=f"{label} over {design} alone")
        for x, label in labels.items()
    ]


TABLES = (
    ReportTable(
        "vassoler_attached",
        f"{DESIGN}, {NBITS} bits",
        _columns(DRIVERS),
        [
            *per_operation(
                [*_CALLS, *_ENERGY, *_over(DESIGN, cycles="its cycles", energy_nj="its energy")]
            ),
            *in_section("Area", _AREA, prints=False),
        ],
        _WHERE,
        ("vassoler_attached", "glitches"),
        bases=[Column(DESIGN, {"subject": DESIGN})],
    ),
    ReportTable(
        "vassoler_attached_wide",
        f"{WIDE_DESIGN}, {WIDE_NBITS} bits",
        _columns(WIDE_DRIVERS),
        [
            *in_section(
                OPERATION_TITLES[WIDE_OPERATION],
                [*_CALLS, _ENERGY[0], *_over(WIDE_DESIGN, cycles="its cycles")],
                where=_AT_WIDE,
            ),
            *in_section("Area", _WIDE_AREA, prints=False),
        ],
        {"clock_ns": CLOCK_NS},
        ("vassoler_attached_wide", "glitches"),
        bases=[Column(WIDE_DESIGN, {"subject": WIDE_DESIGN})],
    ),
    ReportTable(
        "vassoler_system_clock",
        f"Clock of the whole system, {DESIGN}",
        [Column(x, {"subject": x}) for x in dict.fromkeys(x.system for x in DRIVERS)],
        _CLOCK_ROWS,
        _WHERE,
        ("vassoler_system_clock",),
        bases=[Column(DESIGN, {"subject": DESIGN})],
    ),
)

_BESIDE, _ON_BUS = dict.fromkeys(x.system for x in DRIVERS)
_HERE = f"nbits={NBITS}, clock_ns={CLOCK_NS}"
_ALONE = " and ".join(
    f"{{{{ ours('{DESIGN}', 'cycles', operation='{x}', {_HERE}) }}}}"
    for x in ("encrypt", "decrypt")
)
NOTES = {
    "vassoler_attached": f"""The same exponentiator behind the processor's own accelerator port
        (xcel), and behind registers on its data bus (AXI4-Lite), where the driver polls or waits
        for the interrupt. Cycles of the call on the processor at RTL, transfers included, with a
        memory that answers in one cycle; of them the exponentiation itself takes {_ALONE}.
        Key loaded: it stays from an earlier call; key set-up: the difference; of a driver that
        polls, it depends on when the driver looks, too. The registers on the bus hold two exponents
        and the whole message, and pad; bare exponentiations of {NBITS} bits take no random bytes,
        and synthesis removes their source. Energy: of the program less that of the dummy; with the
        key loaded, of a second call on another message, less that of the dummy's. Over {DESIGN}
        alone: cycles and energy of the call with its key, less the dummy's, over those of the
        exponentiation. A transfer takes 1 cycle beside the processor, and 4 on the bus.""",
    "vassoler_attached_wide": f"""A decryption with the standard key, whose d has full size. The
        accelerator asks its host for constants of the modulus: they are computed before the call,
        and are part of the key. Over {WIDE_DESIGN} alone: cycles of the call with its key, less the
        dummy's, over those of the exponentiation without the loading of its memory. Energy: of the
        program less that of the dummy.""",
    "vassoler_system_clock": f"""Frequencies do not compare: ours are standard cells, synthesized
        for {CLOCK_NS} ns, printed: a Cyclone V with its own core (NEORV32). What compares is what
        the attachment costs. Here {_ON_BUS} has {{{{ ratio('{_ON_BUS}', '{_BESIDE}',
        'min_period_ns', {_HERE}) }}}} the period and {{{{ ratio('{_ON_BUS}', '{_BESIDE}',
        'area_um2', {_HERE}) }}}} the area of {_BESIDE}. In print, a step of cm or cm_pm is one
        cycle, and the period of the system's clock is longer than the delay of that step alone; a
        step of mm takes many cycles. The document prints neither cycles of a call or a transfer,
        nor energy, nor the area of its interface; its total times leave out both transfers and this
        clock (docs/records/errata.md).""",
}
SECTION = Section(
    "vassoler_bus",
    "Beside the processor, or on the bus",
    TABLES,
    """The document couples its accelerator loosely, by registers on a bus (section 5.4). Here the
    same exponentiator stands in both places.""",
)
