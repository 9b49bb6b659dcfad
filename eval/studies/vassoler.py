"""Vassoler: products modulo constants and pseudo-moduli, exponentiation with them, and systems."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from rsaxcel.eval.facts.fact import CELLS
from rsaxcel.eval.facts.projection import Projection
from rsaxcel.eval.measure.bus_cycles import bus
from rsaxcel.eval.measure.cycles import operation, square, workload
from rsaxcel.eval.measure.flows import AS_FAST_AS_CAN_BE_NS, flow, fpga, outline
from rsaxcel.eval.measure.job import Measurement
from rsaxcel.eval.report.spec import (
    OPERATION_TITLES,
    Column,
    Panel,
    Plot,
    Reason,
    ReportTable,
    Row,
    Section,
    Study,
    in_section,
    per,
    per_operation,
)
from rsaxcel.eval.studies.systems import NBITS, Driver, driven_systems, drivers, loaded_systems
from rsaxcel.eval.studies.trees import tree
from rsaxcel.fl.pseudo_modulus import FAMILY_COFACTOR, family_member
from rsaxcel.flow.kit import CLOCK_NS
from rsaxcel.flow.requests import default_exponents

DOCUMENT = "vassoler"
_CLOCK = AS_FAST_AS_CAN_BE_NS
_FPGA = "cyclonev"
_ON_CELLS, _ON_FPGA = {"library": CELLS}, {"library": _FPGA}

# Systems: the processor with the document's accelerators.

#: accelerator whose systems are measured whole: area, clock, cycles and energy
_WHOLE_DESIGN = "cm_pm_r2l"

_SYSTEM_NBITS = (32, 64)
#: Widths at which operations with padding are counted; up to 64 bits there is no room for it.
_PADDED_NBITS = (128, 1024)

_WIDER = (128, 256, 512, 1024)  #: widths at which the clocks of systems are projected

#: Accelerators in the systems of tables 12 and 18, which print the same figures for mm.
_ACCELERATORS = (
    "cm_r2l",
    _WHOLE_DESIGN,
    "mm_r2l",
    "mm_pm_r2l",
    "cm_r2l_shared",
    f"{_WHOLE_DESIGN}_shared",
)

_SYSTEMS = {f"axi_{x}": x for x in _ACCELERATORS}  #: accelerator of each system on the bus

_WHOLE_DRIVERS = drivers(_WHOLE_DESIGN)


def _system_measurements(max_nbits: int, library: str) -> list[Measurement]:
    """Measurements of systems: whole ones for ``_WHOLE_DESIGN``, area and clock for the others."""
    found: list[Measurement] = []
    driven = {x.system for x in _WHOLE_DRIVERS}
    others = [x for x in _SYSTEMS if x not in driven]
    for nbits in (n for n in _SYSTEM_NBITS if n <= max_nbits):
        found += driven_systems(_WHOLE_DRIVERS, library, nbits, _CLOCK)
        found += [outline(x, nbits, library, _CLOCK) for x in others]
    return found + [bus(_WHOLE_DESIGN, n) for n in _PADDED_NBITS if n <= max_nbits]


_SYSTEM_FIGURES = [
    Row("area_um2", _ON_CELLS, section="Area of the whole system", prints=False),
    Row("processor_area_um2", _ON_CELLS, section="of it the processor", prints=False),
    Row("exponentiator_area_um2", _ON_CELLS, section="of it the exponentiator", prints=False),
    Row("attachment_area_um2", _ON_CELLS, section="of it adapter, bridge, interrupt", prints=False),
    Row("min_period_ns", _ON_CELLS, section="Smallest clock period", prints=False),
]
_SYSTEM_CALLS = per_operation(
    [
        Row(x, {**_ON_CELLS, "nbits": n}, label=f"{label}, {n} bits", prints=False)
        for x, label in (("call_cycles", "cycles of the call"), ("energy_nj", "its energy"))
        for n in _SYSTEM_NBITS
    ]
)
_PADDED = per_operation(
    [
        Row(x, {"nbits": n}, label=f"{label} padding, {n} bits", prints=False)
        for x, label in (("bare_cycles", "without"), ("padded_cycles", "with"))
        for n in _PADDED_NBITS
    ]
)
_FREQUENCY = [
    Row("frequency_mhz", _ON_CELLS, section="Frequency of the whole system"),
    Row("min_period_ns", _ON_CELLS, section="Smallest clock period of the system", prints=False),
    Row("area_um2", _ON_CELLS, section="Area of the whole system", prints=False),
]
_PROJECTED_FREQUENCY = [
    Row(
        "projected_frequency_mhz",
        _ON_CELLS,
        {"quantity": "frequency_mhz"},
        section="Frequency of the whole system, projected",
    ),
    Row(
        "projected_min_period_factor",
        _ON_CELLS,
        section="The factor within which it lies",
        prints=False,
    ),
]


def _system_column(name: str) -> Column:
    return Column(name, {"subject": name}, {"subject": _SYSTEMS[name]})


_COMMON: Any = {"clock_ns": _CLOCK}
_SYSTEM_TABLES = (
    ReportTable(
        "vassoler_systems",
        f"{_WHOLE_DESIGN} beside the processor and on the bus",
        [Column(f"{x.label}, {_WHOLE_DESIGN}", {"subject": x.name}) for x in _WHOLE_DRIVERS],
        [*_SYSTEM_CALLS, *per("nbits", _SYSTEM_NBITS, _SYSTEM_FIGURES, "{} bits")],
        _COMMON,
        ("vassoler_systems", "glitches"),
    ),
    ReportTable(
        "vassoler_padding",
        "Cycles of an operation on the bus, with padding and without",
        [Column(f"axi_{_WHOLE_DESIGN}", {"subject": f"axi_{_WHOLE_DESIGN}"})],
        _PADDED,
        _COMMON,
        ("vassoler_padding",),
    ),
    ReportTable(
        "vassoler_frequency",
        "Clock of processor and accelerator on the bus (tables 12 and 18)",
        [_system_column(x) for x in _SYSTEMS],
        [
            *per("nbits", _SYSTEM_NBITS, _FREQUENCY, "{} bits"),
            *per("nbits", _WIDER, _PROJECTED_FREQUENCY, "{} bits"),
        ],
        _COMMON,
        ("vassoler_frequency",),
    ),
)
_SYSTEM_NOTES = {
    "vassoler_systems": f"""The processor of this project in place of the document's NEORV32, all
        synthesized for {_CLOCK} ns. Cycles of the call on the processor, with all transfers of
        operands and key; energy: of the program less that of the dummy. Up to 64 bits a key has no
        room for padding, in print as here: these are bare exponentiations.""",
    "vassoler_padding": """From the start to the interrupt, by the cycle model of the exponentiator
        behind the circuit of the registers; without the loading of key and message, and the reading
        of the result. An encryption adds a padding, a decryption removes it.""",
    "vassoler_frequency": f"""Whole systems of this project's processor and the accelerator on the
        bus, synthesized for {_CLOCK} ns with 45 nm cells; printed: a Cyclone V with another core
        (NEORV32), so that only ratios compare. Projected: the accelerator's own period, measured or
        projected, unless the system's shortest period, which the processor limits, is longer. The
        longest path of axi_{_WHOLE_DESIGN} at {_SYSTEM_NBITS[-1]} bits is that of
        {{{{ path('axi_{_WHOLE_DESIGN}', nbits={_SYSTEM_NBITS[-1]}) }}}}.""",
}
_SYSTEM_SECTION = Section(
    "vassoler_with_processor",
    "The document's accelerators in a system",
    _SYSTEM_TABLES,
    """The accelerators of tables 12 and 18 beside the processor and on its bus, as section 5.4 has
    them.""",
)


# Designs: exponentiation with one multiplier and with two.

#: approaches: direct, compressor tree, Montgomery; a following _pm: products modulo a
#: pseudo-modulus
_APPROACHES = ("dm", "cm", "mm")

_WIDTHS = (32, 64, 128, 256, 512, 1024)
_SHOWN = (32, 64, 128)  #: widths at which figures are measured that the document does not print

_FITTED = (8, 16, *_SHOWN)  #: measured widths from which the figures of wider designs are projected

#: greatest widths with one multiplier, in cells and mapped; the next width of dm and cm took over
#: 15 min
WIDEST = {"dm": 32, "dm_pm": 32, "cm": 64, "cm_pm": 128, "mm": 128, "mm_pm": 128}

#: Widest design with two multipliers that is measured in cells, in bits, by approach.
WIDEST_OF_TWO = {**WIDEST, "cm_pm": 64}

#: greatest widths with two multipliers, synthesized and mapped; cycles by model, no energy beyond
#: WIDEST_OF_TWO
WIDEST_OUTLINED = {**WIDEST_OF_TWO, "mm": 1024, "mm_pm": 1024}

_PROJECTED = _WIDTHS[_WIDTHS.index(WIDEST["dm"]) + 1 :]
_LANE_PATH = "core.store.lanes__0"


def designs(lanes: int) -> list[str]:
    """Names of the designs with two multipliers, or with one."""
    end = "_r2l" if lanes == 2 else "_r2l_shared"
    return [f"{x}{y}{end}" for x in _APPROACHES for y in ("", "_pm")]


_TREES = [x for x in designs(1) if x.startswith("cm")]


def approach(name: str) -> str:
    """Approach of a design, such as ``cm_pm``: the part of its name that is a key of ``WIDEST``."""
    return name.partition("_r2l")[0]


def _design_measurements(max_nbits: int, library: str) -> list[Measurement]:
    """Measurements of all designs; the cycle model counts where no circuit is simulated."""
    found = []
    for lanes in (2, 1):
        for name in designs(lanes):
            for nbits in dict.fromkeys((*_FITTED, *_WIDTHS)):
                if nbits <= max_nbits:
                    found += _of_design(name, nbits, lanes, library)
    return found + [tree(x, n) for x in _TREES for n in _WIDTHS if n <= max_nbits]


def _of_design(name: str, nbits: int, lanes: int, library: str) -> list[Measurement]:
    known = approach(name)
    mapped, measured = (WIDEST, WIDEST) if lanes == 1 else (WIDEST_OUTLINED, WIDEST_OF_TWO)
    found = [fpga(name, nbits, _FPGA)] if nbits <= mapped[known] else []
    if nbits <= measured[known]:
        level = "rtl" if nbits in _SHOWN else "cl"
        return [*found, flow(name, nbits, library=library), square(name, nbits, level)]
    if found:
        found.append(outline(name, nbits, library))
    if nbits not in _WIDTHS:
        return found
    return [*found, workload(name, nbits, "cl"), square(name, nbits, "cl")]


_PRODUCT, _ENCRYPT, _DECRYPT = ({"operation": x} for x in ("product", "encrypt", "decrypt"))
_DELAY, _BY_DELAY = "Delay of a product", "Logic modules by delay of a product"
_NUMBER = {**_ON_FPGA, "operation": ""}


def _area_time(delay: str, modules: str, **more: Any) -> Row:
    """Row of delay times logic modules; the quantity ``modules`` is a million over their number."""
    where, over = {**_ON_CELLS, **_PRODUCT}, {**_NUMBER, "quantity": modules}
    return Row("product_area_time_alms_s", where, of=delay, over=over, **more)


def _printed_rows(base: str) -> list[Row]:
    of_cm: Any = {"mode": "percent", "base": base}
    product = {**_ON_CELLS, **_PRODUCT}
    logic = "Logic modules (measured: estimate)"
    return [
        Row("alms", _ON_FPGA, section=logic),
        Row("product_us", product, section=_DELAY),
        _area_time("product_us", "per_million_alms", section=_BY_DELAY),
        Row(
            "time_us", {**_ON_CELLS, **_ENCRYPT}, section="Time of an encryption", key="encrypt_us"
        ),
        Row("time_us", {**_ON_CELLS, **_DECRYPT}, section="Time of a decryption", key="decrypt_us"),
        Row("product_us", product, section=f"{_DELAY}, in percent of cm's", **of_cm),
        Row("alms", _ON_FPGA, section="Logic modules, in percent of cm's", **of_cm),
    ]


_OWN_ROWS = [
    Row("area_um2", _ON_CELLS, section="Cell area", prints=False),
    Row("min_period_ns", _ON_CELLS, section="Smallest clock period", prints=False),
    Row("frequency_mhz", _ON_CELLS, section="Its frequency, alone", prints=False),
    Row("energy_nj", {**_ON_CELLS, **_DECRYPT}, section="Energy of a decryption", prints=False),
]


def _design_columns(lanes: int) -> list[Column]:
    """Columns of the designs; those of designs that the document lacks are not as printed."""
    # For one multiplier, the document prints the figures of Montgomery's designs with two.
    return [
        Column(x, {"subject": x}, as_printed=lanes == 2 or not x.startswith("mm"))
        for x in designs(lanes)
    ]


def _measured(lanes: int, name: str, title: str) -> ReportTable:
    base = designs(lanes)[_APPROACHES.index("cm") * 2]
    rows = per("nbits", _WIDTHS, _printed_rows(base), "{} bits")
    rows += per("nbits", _SHOWN, _OWN_ROWS, "{} bits")
    notes = ("vassoler_designs", "fpga", "glitches")
    return ReportTable(
        f"vassoler_{name}", title, _design_columns(lanes), rows, {"clock_ns": _CLOCK}, notes
    )


_PROJECTED_PRODUCT = {**_ON_CELLS, **_PRODUCT}
_FACTOR = "The factor within which it lies"
_PROJECTED_ROWS = [
    Row("projected_alms", _ON_FPGA, {"quantity": "alms"}),
    Row("projected_alms_factor", _ON_FPGA, prints=False, section=f"Logic modules: {_FACTOR}"),
    Row(
        "projected_alms",
        _ON_FPGA,
        {"quantity": "alms"},
        section="Logic modules: projected over printed",
        mode="over_printed",
        prints=False,
    ),
    Row("projected_min_period_ns", _ON_CELLS, prints=False),
    Row(
        "projected_min_period_factor",
        _ON_CELLS,
        prints=False,
        section=f"Smallest clock period: {_FACTOR}",
    ),
    Row("projected_product_us", _PROJECTED_PRODUCT, {"quantity": "product_us"}),
    _area_time(
        "projected_product_us",
        "projected_per_million_alms",
        section=f"{_BY_DELAY}, projected",
        key="projected_area_time",
    ),
    *(
        Row(
            "projected_time_us",
            {**_ON_CELLS, "operation": x},
            {"quantity": "time_us"},
            section=f"Time of {y}, projected",
            key=f"projected_{x}_us",
        )
        for x, y in (("encrypt", "an encryption"), ("decrypt", "a decryption"))
    ),
    Row("projected_area_um2", _ON_CELLS, prints=False),
    Row("projected_area_factor", _ON_CELLS, prints=False, section=f"Cell area: {_FACTOR}"),
]


def _projected(lanes: int, name: str, title: str) -> ReportTable:
    rows = per("nbits", _PROJECTED, _PROJECTED_ROWS, "{} bits")
    notes = ("vassoler_projected", "fpga")
    return ReportTable(
        f"vassoler_{name}", title, _design_columns(lanes), rows, {"clock_ns": _CLOCK}, notes
    )


_TREE_ROWS = [
    Row("tree_bits", section="Bits of the matrix", prints=False),
    Row("tree_cells", section="Cells of the tree", prints=False),
    Row("tree_units", section="Unit gates of tree and final adder", prints=False),
    Row("tree_delay_units", section="Unit gates on the longest path", prints=False),
]
_SYNTHESIZED = {**_ON_CELLS, "part": _LANE_PATH}
_TREE_CELLS = [
    Row("area_um2", _SYNTHESIZED, section="Synthesized: area of the multiplier", prints=False),
    Row(
        "unit_gate_um2",
        _SYNTHESIZED,
        section="Synthesized area for each unit gate of the plan",
        of="area_um2",
        over={"quantity": "tree_units", "part": ""},
        prints=False,
    ),
]
_TREE_TABLE = ReportTable(
    "vassoler_trees",
    "Trees of compressors by their plans (no synthesis), one multiplier",
    [Column(x, {"subject": x}) for x in _TREES],
    [*per("nbits", _WIDTHS, _TREE_ROWS, "{} bits"), *per("nbits", _SHOWN, _TREE_CELLS, "{} bits")],
    {"clock_ns": _CLOCK},
    ("vassoler_trees",),
)

_DESIGN_TABLES = (
    _measured(2, "two_multipliers", "Exponentiation on two multipliers (tables 7 to 11)"),
    _projected(2, "two_projected", "Beyond what was measured: projections, two multipliers"),
    _measured(1, "one_multiplier", "Exponentiation on one multiplier (tables 13 to 17)"),
    _projected(1, "projected", "Beyond what was measured: projections, one multiplier"),
    _TREE_TABLE,
)
_PROJECTIONS = (
    *(
        Projection(
            designs(lanes),
            {"alms": _FPGA, "area_um2": CELLS, "min_period_ns": CELLS},
            _PROJECTED,
            _SYSTEMS,
        )
        for lanes in (1, 2)
    ),
)


def _claim(quantity: str, of: str, nbits: int, over: str, subject: str, **more: Any) -> Row:
    """Row of a ratio that the text prints without a width, or for the width of the row."""
    where = {**_ON_CELLS, "subject": subject, "nbits": nbits, **more.pop("where", {})}
    printed = {"nbits": 0, **more.pop("printed", {})}
    divisor = {"subject": over, "quantity": more.pop("over_quantity", of)}
    label = f"{subject} over {over}, {nbits} bits"
    key = f"{subject}_over_{over}_{of}"
    return Row(quantity, where, printed, of=of, over=divisor, label=label, key=key, **more)


_SAVED_PLAIN = [
    _claim(
        "saved_plain_percent", "product_us", n, "cm_r2l", "cm_pm_r2l", where=_PRODUCT, mode="saved"
    )
    for n in _SHOWN
    if n <= WIDEST_OF_TWO["cm_pm"]
]
_SAVED_DIRECT = [
    _claim("saved_direct_percent", of, n, "dm_r2l", "cm_pm_r2l", where=_PRODUCT, mode="saved")
    for of, n in (("product_us", WIDEST["dm"]), ("projected_product_us", _WIDTHS[-1]))
]
_SAVED_LANES = [
    _claim(
        "saved_lanes_percent",
        "time_us",
        WIDEST_OF_TWO["cm_pm"],
        "cm_pm_r2l",
        "cm_pm_r2l_shared",
        where={"operation": x},
        printed={"operation": ""},
        mode="saved",
    )
    for x in ("encrypt", "decrypt")
]
_SLOWER = [
    *(
        _claim(
            "slowdown_ratio",
            "time_us",
            _WIDTHS[-1],
            over,
            subject,
            over_quantity="projected_time_us",
            where=_DECRYPT,
            printed={"nbits": _WIDTHS[-1], "place": "section 5.4.1"},
        )
        for subject, over in (("mm_r2l", "cm_r2l"), ("mm_pm_r2l", "cm_pm_r2l"))
    ),
    *(
        _claim(
            "slowdown_ratio",
            "time_us",
            n,
            "cm_pm_r2l",
            "mm_r2l",
            over_quantity=over,
            where=_DECRYPT,
            printed={"operation": "", "place": "section 6"},
        )
        for over, n in (("time_us", WIDEST_OF_TWO["cm_pm"]), ("projected_time_us", _WIDTHS[-1]))
    ),
]
_FASTER_CLOCK = [
    _claim(
        "frequency_ratio",
        "frequency_mhz",
        n,
        f"axi_{over}",
        "axi_cm_pm_r2l",
        printed={"subject": "cm_pm_r2l", "place": place},
    )
    for over, place in (("cm_r2l", "section 5.4.1"), ("mm_r2l", "section 6"))
    for n in _SHOWN
    if n <= WIDEST_OF_TWO["cm_pm"]
]
_CLAIMS_TABLE = ReportTable(
    "vassoler_claims",
    "Ratios that the text prints (sections 5.4.1, 5.4.2 and 6)",
    [Column("ours", {})],
    [
        *in_section("Delay of a product saved by the pseudo-modulus", _SAVED_PLAIN),
        *in_section("Delay of a product saved against direct products", _SAVED_DIRECT),
        *in_section("Time of a decryption, over that of another design", _SLOWER),
        *in_section("Time saved by one multiplier, against two", _SAVED_LANES),
        *in_section("Clock of the whole system, over that of another", _FASTER_CLOCK),
    ],
    {"clock_ns": _CLOCK},
    ("vassoler_claims",),
)


def _width_panel(y: str, where: dict[str, Any], lanes: int, widths: Sequence[int]) -> Panel:
    """Panel of a quantity over the width, one line for each design; printed figures are hollow."""
    series = _design_columns(lanes)
    points = [{"nbits": n} for n in widths]
    return Panel("nbits", y, series, points, {"clock_ns": _CLOCK, **where}, log="xy", printed=True)


def _over_widths(
    name: str, lanes: int, widths: Sequence[int], title: str, about: str, notes: tuple[str, ...]
) -> Plot:
    """Plot of delay and logic modules over the width."""
    delay = _width_panel("product_us", {**_ON_CELLS, **_PRODUCT}, lanes, widths)
    return Plot(
        f"vassoler_{name}",
        f"Delay of a product and logic modules over the width, {title}",
        f"Delay of a product and logic modules of each approach over the width in bits, {about}.",
        [(delay,), (_width_panel("alms", _ON_FPGA, lanes, widths),)],
        7.2,
        notes,
    )


_WIDTH_NOTES = ("vassoler_designs",)
_DESIGN_PLOTS = (
    _over_widths(
        "narrow", 2, (8, 16, 32), "two multipliers (figures 30 to 33)", "to 32 bits", _WIDTH_NOTES
    ),
    _over_widths("designs", 1, _WIDTHS, "one multiplier", "measured and printed", _WIDTH_NOTES),
)


# Beside the processor, or on the bus.

BUS_DESIGN = "mont_r2l"
WIDE_DESIGN, WIDE_NBITS, WIDE_OPERATION = "systolic_l2r_always", 1024, "decrypt"
_BUS_DRIVERS, _WIDE_DRIVERS = drivers(BUS_DESIGN), drivers(WIDE_DESIGN)

_BUS_WHERE = {"nbits": NBITS, "clock_ns": CLOCK_NS}
_AT_WIDE = {"nbits": WIDE_NBITS, "operation": WIDE_OPERATION}


def _bus_measurements(max_nbits: int, library: str) -> list[Measurement]:
    """Systems on the bus or beside the processor: all programs, key loaded, and alone."""
    found: list[Measurement] = []
    if max_nbits >= NBITS:
        found += [*driven_systems(_BUS_DRIVERS, library), *loaded_systems(_BUS_DRIVERS, library)]
        found += [flow(BUS_DESIGN, NBITS, CLOCK_NS, library), workload(BUS_DESIGN, NBITS)]
        found += [y for x in _BUS_DRIVERS for y in x.loaded_calls(NBITS, *OPERATION_TITLES)]
    if max_nbits >= WIDE_NBITS:
        exponent = default_exponents(WIDE_NBITS)[WIDE_OPERATION]
        found.append(operation(WIDE_DESIGN, WIDE_NBITS, WIDE_OPERATION, exponent))
        found += driven_systems(_WIDE_DRIVERS, library, WIDE_NBITS)
        found += [y for x in _WIDE_DRIVERS for y in x.loaded_calls(WIDE_NBITS, WIDE_OPERATION)]
    return found


def _driver_columns(driving: Sequence[Driver]) -> list[Column]:
    return [Column(x.label, {"subject": x.name}) for x in driving]


_BUS_CALLS = [
    Row("call_cycles", label="call with its key", prints=False),
    Row("loaded_call_cycles", prints=False),
    Row("key_cycles", prints=False),
]
_CALL_ENERGY = [
    Row("energy_nj", label="energy of the call with its key", prints=False),
    Row("loaded_energy_nj", prints=False),
    Row("key_energy_nj", prints=False),
]
_BUS_AREA = [
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
_WIDE_AREA = [replace(x, where={**x.where, "nbits": WIDE_NBITS}) for x in _BUS_AREA]
_CLOCK_ROWS = [
    Row("frequency_mhz", prints=False, label="Frequency of the whole system"),
    Row("min_period_ns", prints=False),
    Row(
        "min_period_ns",
        mode="ratio",
        base=BUS_DESIGN,
        prints=False,
        label=f"Its period over that of {BUS_DESIGN} alone",
    ),
]


def _over(design: str, **labels: str) -> list[Row]:
    """Rows with the ratio of a call, with loading, to the design alone; a label by quantity."""
    return [
        Row(x, mode="ratio", base=design, prints=False, label=f"{label} over {design} alone")
        for x, label in labels.items()
    ]


_BUS_TABLES = (
    ReportTable(
        "vassoler_attached",
        f"{BUS_DESIGN}, {NBITS} bits",
        _driver_columns(_BUS_DRIVERS),
        [
            *per_operation(
                [
                    *_BUS_CALLS,
                    *_CALL_ENERGY,
                    *_over(BUS_DESIGN, cycles="its cycles", energy_nj="its energy"),
                ]
            ),
            *in_section("Area", _BUS_AREA, prints=False),
        ],
        _BUS_WHERE,
        ("vassoler_attached", "glitches"),
        bases=[Column(BUS_DESIGN, {"subject": BUS_DESIGN})],
    ),
    ReportTable(
        "vassoler_attached_wide",
        f"{WIDE_DESIGN}, {WIDE_NBITS} bits",
        _driver_columns(_WIDE_DRIVERS),
        [
            *in_section(
                OPERATION_TITLES[WIDE_OPERATION],
                [*_BUS_CALLS, _CALL_ENERGY[0], *_over(WIDE_DESIGN, cycles="its cycles")],
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
        f"Clock of the whole system, {BUS_DESIGN}",
        [Column(x, {"subject": x}) for x in dict.fromkeys(x.system for x in _BUS_DRIVERS)],
        _CLOCK_ROWS,
        _BUS_WHERE,
        ("vassoler_system_clock",),
        bases=[Column(BUS_DESIGN, {"subject": BUS_DESIGN})],
    ),
)

_BESIDE, _ON_BUS = dict.fromkeys(x.system for x in _BUS_DRIVERS)
_HERE = f"nbits={NBITS}, clock_ns={CLOCK_NS}"
_ALONE = " and ".join(
    f"{{{{ ours('{BUS_DESIGN}', 'cycles', operation='{x}', {_HERE}) }}}}"
    for x in ("encrypt", "decrypt")
)
_BUS_NOTES = {
    "vassoler_attached": f"""The same exponentiator behind the processor's own accelerator port
        (xcel), and behind registers on its data bus (AXI4-Lite), where the driver polls or waits
        for the interrupt. Cycles of the call on the processor at RTL, transfers included, with a
        memory that answers in one cycle; of them the exponentiation itself takes {_ALONE}.
        Key loaded: it stays from an earlier call; key set-up: the difference; of a driver that
        polls, it depends on when the driver looks, too. The registers on the bus hold two exponents
        and the whole message, and pad; bare exponentiations of {NBITS} bits take no random bytes,
        and synthesis removes their source. Energy: of the program less that of the dummy; with the
        key loaded, of a second call on another message, less that of the dummy's. Over {BUS_DESIGN}
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
_BUS_SECTION = Section(
    "vassoler_bus",
    "Beside the processor, or on the bus",
    _BUS_TABLES,
    """The document couples its accelerator loosely, by registers on a bus (section 5.4). Here the
    same exponentiator stands in both places.""",
)


# Reductions, and repeated products.

_REDUCERS = ("compressor_tree_reducer", "remainder_reducer")
#: Widths in bits of the pseudo-moduli 3m; m has a bit less, in a circuit of the same width.
REDUCED_LENGTHS = (8, 16, 24, 30)

_INPUT_NBITS = 32
_MODULI: dict[str, Callable[[int], int]] = {
    "m": family_member,
    "3m": lambda nbits: FAMILY_COFACTOR * family_member(nbits),
}
#: Bits by which an operand is wider than the circuit's modulus, by the operand's width in words.
EXCESS: dict[str, Callable[[int], int]] = {
    f"{_INPUT_NBITS} bits": lambda nbits: _INPUT_NBITS - nbits,
    "nbits + 1 bits": lambda nbits: 1,
}

#: Design with products of one cycle, so that its cycles count the products; and its width.
COUNTED, COUNTED_NBITS = "dm_r2l_shared", 32

REPEATED = {"schedule": "repeated", "exponent_nbits": 17}
EXPONENTS = {"exponent_17": 17, "exponent_65537": 65537}


def _reduced(nbits: int, kind: str, excess: Callable[[int], int]) -> dict[str, Any]:
    return {"modulus": hex(_MODULI[kind](nbits)), "excess_nbits": excess(nbits)}


def reductions(max_nbits: int, library: str) -> list[Measurement]:
    """Measurements of the reducers, and of the cycles of repeated products and of a binary scan."""
    found = [
        outline(name, nbits, library, **_reduced(nbits, kind, excess))
        for nbits in REDUCED_LENGTHS
        if nbits <= max_nbits
        for kind in _MODULI
        for excess in EXCESS.values()
        for name in _REDUCERS
    ]
    if max_nbits >= COUNTED_NBITS:
        asked: Any = {"exponents": EXPONENTS, "bases": 1}
        compositions: tuple[Any, ...] = ({}, REPEATED)
        found += [workload(COUNTED, COUNTED_NBITS, **asked, **x) for x in compositions]
    return found


def _reduction_panel(quantity: str, title: str, excess: Callable[[int], int]) -> Panel:
    """Panel over the width: one line for each reducer and kind of modulus."""
    series = [
        Column(f"{x}, modulo {y}", {"subject": x, "choices": {"modulus": y}})
        for x in _REDUCERS
        for y in _MODULI
    ]
    points = [
        {"nbits": n, "choices": lambda x, n=n: _reduced(n, x["modulus"], excess)}
        for n in REDUCED_LENGTHS
    ]
    where = {"library": CELLS, "clock_ns": _CLOCK}
    return Panel("nbits", quantity, series, points, where, title, log="xy")


REDUCTION_PLOTS = (
    Plot(
        "vassoler_reductions",
        "Reductions modulo m and 3m over the width (figures 24 to 26)",
        "Delay of a reduction by a tree and by an operator, over the width of the pseudo-modulus, "
        "for operands of 32 bits and for operands one bit wider than the pseudo-modulus.",
        [
            (_reduction_panel("critical_path_ns", f"operands of {name}", excess),)
            for name, excess in EXCESS.items()
        ],
        7.2,
        ("vassoler_reductions",),
    ),
)
_REPEATED_TABLES = (
    ReportTable(
        "vassoler_repeated",
        "Repeated products (algorithm 3) and a binary scan (algorithm 5), one multiplier",
        [
            Column("r2l", {"choices": {}}, label="right-to-left binary"),
            Column("repeated", {"choices": REPEATED}, label="repeated"),
        ],
        [
            Row("cycles", {"operation": x}, label=f"e = {e}", prints=False, key=x)
            for x, e in EXPONENTS.items()
        ],
        {"subject": COUNTED, "nbits": COUNTED_NBITS},
        ("vassoler_repeated",),
    ),
)
_REDUCTION_NOTES = {
    "vassoler_reductions": f"""Combinational reductions on their own, at
        {", ".join(map(str, REDUCED_LENGTHS))} bits, from port to port, synthesized for {_CLOCK} ns,
        which none can meet. Moduli m = (2^nbits - 1) / 3 and pseudo-moduli 3m, as in the document,
        whose tests 2 to 16 have n = 2 to 30. There and here the operand has 32 bits, or a bit more
        than the modulus; there the operator alone was tried in this second form, and the device is
        a Cyclone V, whose figures are curves without numbers. An operand is below 2^k times the
        modulus here, where k is the difference of the widths. Figure 27, products by the operator
        of operands that are wider than the modulus, has no counterpart: operands of our multipliers
        are residues, as in figures 28 and 29.""",
    "vassoler_repeated": f"""Cycles of an exponentiation with {COUNTED} at {COUNTED_NBITS} bits,
        whose product takes a cycle. The document says that algorithm 3 needs O(e) products; its
        designs scan the exponent bit by bit (algorithms 5 and 6), and it prints no figure of
        algorithm 3.""",
}


def _named(*approaches: str) -> tuple[str, ...]:
    """Names of the designs of some approaches, with two multipliers and with one."""
    return tuple(x for lanes in (2, 1) for x in designs(lanes) if approach(x) in approaches)


# Reasons for differences from the printed figures.

_FPGA_CLOCK = "clock and time: standard cells of 45 nm against an FPGA"
_MODULE_REASONS = (
    Reason(
        "in print, a tree's logic modules for each partial product fall 30- to 40-fold from 32 to "
        "1024 bits (docs/records/errata.md); here they stay: mapped, and projected beyond that",
        where={"quantity": "alms", "subject": _named("cm", "cm_pm")},
    ),
    Reason(
        "the document's DM takes any modulus; here the modulus is built in",
        where={"quantity": "alms", "subject": _named("dm", "dm_pm"), "nbits": 32},
    ),
    Reason(
        "above 32 bits the document extrapolates direct products; the estimate maps the operator "
        "to an array of subtractors, and is projected; and its DM takes any modulus, ours one",
        where={"quantity": "alms", "subject": _named("dm", "dm_pm")},
    ),
    Reason(
        "a mapping that neither packs nor places, of our own control and registers",
        where={"quantity": "alms", "subject": _named("mm", "mm_pm")},
    ),
)
_SYSTEM_CLOCK = (
    f"{_FPGA_CLOCK}, and another processor, whose own path limits most of our systems at 32 and 64 "
    "bits, and those with mm at all widths"
)
_CLAIM_REASONS = (
    Reason(
        "in this project's trees modulo m, carries wait in guard columns until they can be "
        "re-weighted without another level, so that there is less to gain from a pseudo-modulus",
        where={"quantity": "saved_plain_percent"},
    ),
    Reason(
        "the document's clock of mm is 30 to 99 times slower than that of Li and Chu on the same "
        "family of devices; in standard cells an addition costs little beside a tree",
        where={"quantity": "slowdown_ratio"},
    ),
    Reason(
        "in our systems the processor limits the clock, with a pseudo-modulus and with mm alike",
        where={"quantity": "frequency_ratio"},
    ),
    Reason(
        "here square and product run side by side on two multipliers, so that one multiplier takes "
        "longer, not less: its path is as long",
        where={"quantity": "saved_lanes_percent"},
    ),
)

_REASONS = (
    Reason(
        "other 180 nm cells and other trees: the printed areas are up to 2.2 times ours",
        "Table 5",
        {"quantity": "area_um2"},
    ),
    Reason(
        "the printed delays are a sixth to a tenth of ours, in other 180 nm cells and of other "
        "trees",
        "Table 5",
        {"quantity": ("critical_path_ns", "area_delay_um2_ns")},
    ),
    *_MODULE_REASONS,
    *_CLAIM_REASONS,
    *(Reason(_FPGA_CLOCK, f"Table {x}") for x in (8, 10, 11, 14, 16, 17)),
    *(Reason(_SYSTEM_CLOCK, f"Table {x}") for x in (12, 18)),
    *(
        Reason(f"{_FPGA_CLOCK}, times the modules of table {y}", f"Table {x}")
        for x, y in ((9, 7), (15, 13))
    ),
)


# Multipliers, and designs of other documents beside the document's.

MULTIPLIER, PLAIN = "compressor_tree", "direct"
#: Libraries in which the study measures the multipliers, and what its texts call them.
_LIBRARY_NAMES = {"freepdk-45nm": "45 nm", "osu018": "180 nm"}

_PRINTED_LIBRARY = "osu018"
#: Exponents n of the moduli 2^n + k in table 5; each one has the pseudo-modulus 2^(n+2) - 1.
_PAIRS = (4, 6, 8, 10)

#: Exponents n of the moduli 2^n +- k for figures 13 and 14, which do not state n.
_FORM_NBITS = (8, 16)

_OFFSETS = (0, -1, 1, -3, 3, -5, 5, -21, 21, -85, 85)  #: values of +-k in table 3

#: Designs of other documents, measured for comparison.
_BEST = ("montmul_csa_r2l", "ssmm_r2l", "montmul_r2l_shared")

_TUNED = "cm_r2l_shared"  #: design that is also measured with columns=best


def _of_modulus(modulus: int, key: str) -> Column:
    """Column of a multiplier for one modulus: as wide as the modulus, and at least 4 bits wide."""
    own = {"nbits": max(modulus.bit_length(), 4), "choices": {"modulus": hex(modulus)}}
    return Column(key, {"subject": MULTIPLIER, **own})


def _pairs() -> Iterator[Column]:
    for n in _PAIRS:
        modulus = family_member(n + 2)
        yield _of_modulus(modulus, f"2^{n}+{modulus - (1 << n)}")
        yield _of_modulus(3 * modulus, f"2^{n + 2}-1")


def _forms(n: int) -> list[Column]:
    return [_of_modulus((1 << n) + x, f"2^{n}{x:+d}" if x else f"2^{n}") for x in _OFFSETS]


def measurements(max_nbits: int, library: str) -> list[Measurement]:
    """Measurements of multipliers with both libraries, of all designs, and of systems."""
    found = []
    shown = [*_pairs(), *(x for n in _FORM_NBITS for x in _forms(n))]
    for nbits, modulus in dict.fromkeys(
        (x.where["nbits"], x.where["choices"]["modulus"]) for x in shown
    ):
        for each in _LIBRARY_NAMES:
            found += [outline(x, nbits, each, modulus=modulus) for x in (MULTIPLIER, PLAIN)]
            found.append(outline(MULTIPLIER, nbits, each, modulus=modulus, columns="best"))
    found += [
        outline(x, n, library, modulus=hex(modulus(n)))
        for x in (MULTIPLIER, PLAIN)
        for n in _LENGTHS
        for modulus in _MODULI.values()
    ]
    found += reductions(max_nbits, library)
    found += _design_measurements(max_nbits, library)
    for nbits in (n for n in _SHOWN if n <= max_nbits):
        found += [flow(name, nbits, library=library) for name in _BEST]
        if nbits <= WIDEST["cm"]:
            found.append(flow(_TUNED, nbits, library=library, columns="best"))
    found += _system_measurements(max_nbits, library)
    return [*found, *_bus_measurements(max_nbits, library)]


def _per_library(rows: Sequence[Row]) -> list[Row]:
    found = []
    for library, name in _LIBRARY_NAMES.items():
        for row in rows:
            own: Any = {
                "where": {**row.where, "library": library},
                "prints": row.prints and library == _PRINTED_LIBRARY,
                "key": f"{row.key or row.quantity}_{library}",
            }
            found += in_section(name, [replace(row, **own)])
    return found


_OPERATOR: Any = {"where": {"subject": PLAIN}, "prints": False}
_BEST_COLUMNS: Any = {"where": {"choices": {"columns": "best"}}, "prints": False}
_MULTIPLIER_ROWS = [
    Row("critical_path_ns", label="Delay"),
    Row("area_um2", label="Area"),
    Row("area_delay_um2_ns", label="Area by delay"),
    Row("critical_path_ns", **_BEST_COLUMNS, label="Delay, best columns", key="delay_ns"),
    Row("area_um2", **_BEST_COLUMNS, label="Area, best columns", key="tuned_area_um2"),
    Row("critical_path_ns", **_OPERATOR, label="Delay of a * b % m", key="operator_delay_ns"),
    Row("area_um2", **_OPERATOR, label="Area of a * b % m", key="operator_area_um2"),
]
_COMPARED = [
    *(Column(x, {"subject": x}) for x in (*designs(1), *_BEST)),
    Column(f"{_TUNED}, best columns", {"subject": _TUNED, "choices": {"columns": "best"}}),
]
_BASE = "mm_r2l_shared"
_BEST_ROWS = [
    Row("cycles", section="Cycles of a decryption", prints=False),
    Row("min_period_ns", section="Smallest clock period", prints=False),
    Row("area_um2", section="Cell area", prints=False),
    Row("time_us", section="Time of a decryption", prints=False),
    Row("energy_nj", section="Energy of a decryption", prints=False),
    Row("area_time_um2_ms", section="Area by time", prints=False),
    Row(
        "time_us",
        section=f"Speed-up over {_BASE}",
        mode="speedup",
        base=_BASE,
        prints=False,
        key="speedup",
    ),
]
_AT_128: Any = {**_ON_CELLS, **_DECRYPT, "clock_ns": _CLOCK, "nbits": 128}


def _multipliers(name: str, title: str, columns: Sequence[Column]) -> ReportTable:
    rows, notes = _per_library(_MULTIPLIER_ROWS), ("vassoler_multipliers",)
    return ReportTable(f"{DOCUMENT}_{name}", title, columns, rows, {"clock_ns": _CLOCK}, notes)


TABLES = (
    _multipliers("pairs", "Moduli and their pseudo-moduli (table 5)", list(_pairs())),
    *(
        _multipliers(f"forms_{n}", f"Forms of the modulus, n = {n} (figures 13, 14)", _forms(n))
        for n in _FORM_NBITS
    ),
    *_DESIGN_TABLES,
    *_REPEATED_TABLES,
    _CLAIMS_TABLE,
    ReportTable(
        f"{DOCUMENT}_best",
        "One multiplier, against designs of the other documents",
        _COMPARED,
        per("nbits", _SHOWN, _BEST_ROWS, "{} bits"),
        {**_ON_CELLS, **_DECRYPT, "clock_ns": _CLOCK},
        ("vassoler_best", "glitches"),
    ),
)
_WITH_CM: Any = {**_AT_128, "nbits": WIDEST["cm"]}
_THERE = [x for x in _COMPARED if WIDEST.get(approach(x.key), WIDEST["cm"]) >= WIDEST["cm"]]
_COST = Panel("time_us", "area_kum2", _THERE, where=_WITH_CM, log="xy", names=True, products=True)
_LENGTHS = (8, 16, 32)  #: widths in bits of the pseudo-moduli in the plot of multipliers

_MULTIPLIER_COLUMNS = [
    Column(f"{x}, modulo {y}", {"subject": x, "choices": {"modulus": y}})
    for x in (MULTIPLIER, PLAIN)
    for y in _MODULI
]
_OF_LENGTH = [
    {"nbits": n, "choices": lambda x, n=n: {"modulus": hex(_MODULI[x["modulus"]](n))}}
    for n in _LENGTHS
]
_FORMS = [
    Column(f"n = {n}", {"subject": MULTIPLIER, "nbits": n, "choices": {"modulus": n}})
    for n in _FORM_NBITS
]
_OF_FORM = [
    {
        "nbits": lambda n, x=x: ((1 << n) + x).bit_length(),
        "choices": lambda c, x=x: {"modulus": hex((1 << c["modulus"]) + x)},
    }
    for x in _OFFSETS
]
_IN_PRINTED_LIBRARY = {"library": _PRINTED_LIBRARY, "clock_ns": _CLOCK}
_AS_FAST = {**_ON_CELLS, "clock_ns": _CLOCK}
_ALL_PLOTS = (
    *REDUCTION_PLOTS,
    Plot(
        f"{DOCUMENT}_forms",
        "Forms of the modulus: area over delay, 180 nm (figures 13 and 14)",
        "Cell area over the delay of multipliers modulo 2^n + k and 2^n - k, n = 8 and 16.",
        [
            (
                Panel(
                    "critical_path_ns",
                    "area_um2",
                    _FORMS,
                    _OF_FORM,
                    _IN_PRINTED_LIBRARY,
                    point_names=[f"2^n{x:+d}" if x else "2^n" for x in _OFFSETS],
                    log="xy",
                ),
            )
        ],
        5.6,
        ("vassoler_forms",),
    ),
    Plot(
        f"{DOCUMENT}_lengths",
        "Multipliers modulo m and 3m over the width (figures 28 and 29)",
        "Delay and cell area of a product by a tree and by operators, over the width in bits.",
        [
            (Panel("nbits", x, _MULTIPLIER_COLUMNS, _OF_LENGTH, _AS_FAST, log="xy"),)
            for x in ("critical_path_ns", "area_um2")
        ],
        7.2,
        ("vassoler_lengths",),
    ),
    *_DESIGN_PLOTS,
    Plot(
        f"{DOCUMENT}_best",
        f"Area over time at {WIDEST['cm']} bits, one multiplier",
        f"Cell area over the time of a decryption of {WIDEST['cm']} bits, per design.",
        [(_COST,)],
        5.0,
        ("vassoler_best",),
    ),
)
_MULTIPLIER_NOTES = {
    "vassoler_forms": f"""Combinational multipliers for n = {" and ".join(map(str, _FORM_NBITS))};
        the document's text does not state its n. It finds 2^n the fastest and smallest and 2^n + 85
        and 2^n - 85 the slowest and largest.""",
    "vassoler_lengths": f"""Combinational multipliers modulo m = (2^nbits - 1) / 3 and 3m, at
        {", ".join(map(str, _LENGTHS))} bits; the document plots them on a Cyclone V to 32 bits.
        Montgomery's, of figure 28, is in the plots of the exponentiators.""",
    "vassoler_multipliers": f"""Combinational multipliers with their final adders, from port to
        port, synthesized for {_CLOCK} ns, which none can meet: the best of three trees, with as
        many columns as a residue has bits, as in the document's figure 5, and with the columns that
        the unit-gate model likes best: for a modulus of the family, those of 3m. Below them the
        same product written as a * b % m, as Yosys and ABC make it.""",
    "vassoler_designs": f"""Moduli (2^nbits - 1) / 3, pseudo-moduli 2^nbits - 1; for mm_pm three
        times the modulus. Exponents: 65537, and the standard key's d, of full size; no key has such
        a modulus. Clock, delay and time: standard cells synthesized for {_CLOCK} ns, measured to
        {_SHOWN[-1]} bits, dm to {WIDEST["dm"]}, cm to {WIDEST["cm"]}, cm_pm on two multipliers to
        {WIDEST_OF_TWO["cm_pm"]}, mm on two to {WIDEST_OUTLINED["mm"]}; logic modules: an estimate
        by mapping; printed: a Cyclone V. A product takes a cycle in dm and cm,
        nbits + 4 in mm. Printed figures of dm above 32 bits are extrapolations of the document, and
        those of dm and cm on one multiplier are halves of those on two. dm has its modulus built in
        and cm has guard columns, which the document's have not: only mm on two multipliers is as
        the document describes it.""",
    "vassoler_best": f"""A decryption at {WIDEST["cm"]} bits takes cm_pm_r2l_shared
        {{{{ ratio('cm_pm_r2l_shared', 'cm_r2l_shared', 'time_us', nbits={WIDEST["cm"]}) }}}} the
        time of cm_r2l_shared. At 128 bits it takes
        {{{{ ratio('cm_pm_r2l_shared', 'mm_r2l_shared', 'time_us') }}}} that of mm_r2l_shared and
        {{{{ ratio('cm_pm_r2l_shared', 'montmul_csa_r2l', 'time_us') }}}} that of montmul_csa_r2l,
        in {{{{ ratio('cm_pm_r2l_shared', 'montmul_csa_r2l', 'area_um2') }}}} the area. The document
        claims half the time of cm and 10^-7 of that of mm. The modulus is part of the circuit in dm
        and cm, and one that factors by inspection; mm and the others take any odd modulus.""",
    "vassoler_projected": f"""No measurements: powers of the width, fitted by least squares to those
        at {", ".join(map(str, _FITTED))} bits; cycles are those of the cycle model. The factor says
        within what a figure is to be taken: the fit without the widest figure misses that by some
        factor, and each doubling of the width beyond it by as much again. What depends on the
        period has the period's factor; a product of two projections has that of both.""",
    "vassoler_trees": """Counted in the plan of the tree, which needs no synthesis, at the widths of
        the document: a full adder has 7 unit gates, a two-input AND 1. Below it the multiplier as
        it was synthesized, and its area for each unit gate: the nearer to a constant, the better
        the plan's count stands for the area at widths that were not synthesized.""",
    "vassoler_claims": f"""Ours at the widest widths that are measured, and at {_WIDTHS[-1]} bits by
        the projections; the document gives means over all widths, no width, or 1024 bits. It says
        about 10^7, where its own tables come to about 10^5 at most (docs/records/errata.md). 99.8 %
        saved against DM is the mean against MM.""",
}


_HEADLINE = """At 128 bits, a decryption with a compressor tree over a pseudo-modulus
    (cm_pm_r2l_shared) takes
    {{ times('cm_pm_r2l_shared', 'montmul_csa_r2l', 'time_ms', operation='decrypt') }} time than by
    carry-save Montgomery (montmul_csa_r2l), on
    {{ times('cm_pm_r2l_shared', 'montmul_csa_r2l', 'area_um2') }} cell area."""

STUDY = Study(
    DOCUMENT,
    measurements,
    (
        Section(
            "vassoler_pseudo_modulus",
            "Compressor trees and pseudo-moduli",
            (*_ALL_PLOTS, *TABLES),
            """Products modulo a constant by an operator (dm), by a tree of compressors (cm) and by
            Montgomery's method without final subtraction (mm), each modulo m and modulo a multiple
            of it (pm). The printed figures are those of an FPGA, those of the multipliers of 180 nm
            cells: they compare with ours by their ratios.""",
        ),
        _SYSTEM_SECTION,
        _BUS_SECTION,
    ),
    {**_MULTIPLIER_NOTES, **_REDUCTION_NOTES, **_SYSTEM_NOTES, **_BUS_NOTES},
    topic="Compressor trees and pseudo-moduli",
    headline=_HEADLINE,
    where=_AT_128,
    runs_on={x.name: x.system for x in (*_BUS_DRIVERS, *_WIDE_DRIVERS, *_WHOLE_DRIVERS)},
    projections=_PROJECTIONS,
    reasons=_REASONS,
)
