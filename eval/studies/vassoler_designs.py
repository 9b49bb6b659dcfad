"""Vassoler: exponentiators on two multipliers and on one, measured and projected to 1024 bits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rsaxcel import catalog, plan
from rsaxcel.catalog import Configuration
from rsaxcel.eval.facts.fact import CELLS, Fact
from rsaxcel.eval.facts.projection import Projection
from rsaxcel.eval.measure.cycles import square, workload
from rsaxcel.eval.measure.flows import AS_FAST_AS_CAN_BE_NS, flow, fpga, outline
from rsaxcel.eval.measure.job import Job, Measurement, Progress
from rsaxcel.eval.measure.memo import memoize
from rsaxcel.eval.report.spec import Column, Panel, Plot, ReportTable, Row, in_section, per
from rsaxcel.eval.studies.vassoler_systems import SYSTEMS
from rsaxcel.plan.compressors import plan_product, tree_columns

COUNTED = ("tree_bits", "tree_cells", "tree_units", "tree_delay_units")  #: quantities of the facts

_PLANS = Path(str(plan.__file__)).parent / "compressors"
_MAX_BITS = 1 << 22  #: a product modulo (2^1024 - 1) / 3 has 2,089,479 bits


def tree(design: str, nbits: int) -> Measurement:
    """Compressor tree of a ``compressor_tree``: bits, cells, and unit gates of area and delay."""
    configuration = catalog.get(design).configure(nbits)
    job = Job(f"tree {configuration.name}", tree_counts, (configuration,), nbits, tree_counts)

    def facts(counts: Mapping[str, int]) -> Iterator[Fact]:
        for quantity, count in counts.items():
            yield Fact(design, quantity, count, "modelled", nbits)

    return Measurement(job, facts)


def tree_counts(
    configuration: Configuration, progress: Progress | None = None
) -> dict[str, int] | None:
    """Count the quantities ``COUNTED`` of one multiplier's tree; inverters are no cells."""
    given = dict(configuration.multiplier.params)
    params = {x: given[x] for x in ("tree", "reweighted", "columns")}
    modulus = configuration.multiplier_golden.constant_modulus

    def measure(progress: Progress) -> dict[str, int]:
        progress("plan of the tree")
        columns = tree_columns(modulus, params["columns"])
        found = plan_product(modulus, params["tree"], params["reweighted"], columns, _MAX_BITS)
        cells = sum(bank.count for bank in found.banks if bank.cell.area)
        counts = found.bits, cells, found.estimate.area, found.estimate.delay
        return dict(zip(COUNTED, counts, strict=True))

    inputs = {"modulus": hex(modulus), **params}
    name = f"tree {configuration.name}"
    return memoize(name, inputs, [_PLANS, Path(__file__)], measure, progress)


#: approaches: direct, compressor tree, Montgomery; a following _pm: products modulo a
#: pseudo-modulus
APPROACHES = ("dm", "cm", "mm")

WIDTHS = (32, 64, 128, 256, 512, 1024)
SHOWN = (32, 64, 128)  #: widths at which figures are measured that the document does not print

FITTED = (8, 16, *SHOWN)  #: measured widths from which the figures of wider designs are projected

#: greatest widths with one multiplier, in cells and mapped; the next width of dm and cm took over
#: 15 min
WIDEST = {"dm": 32, "dm_pm": 32, "cm": 64, "cm_pm": 128, "mm": 128, "mm_pm": 128}

#: Widest design with two multipliers that is measured in cells, in bits, by approach.
WIDEST_OF_TWO = {**WIDEST, "cm_pm": 64}

#: greatest widths with two multipliers, synthesized and mapped; cycles by model, no energy beyond
#: WIDEST_OF_TWO
WIDEST_OUTLINED = {**WIDEST_OF_TWO, "mm": 1024, "mm_pm": 1024}

PROJECTED = WIDTHS[WIDTHS.index(WIDEST["dm"]) + 1 :]
FPGA = "cyclonev"
CLOCK = AS_FAST_AS_CAN_BE_NS
_LANE = "core.store.lanes__0"


def designs(lanes: int) -> list[str]:
    """Names of the designs with two multipliers, or with one."""
    end = "_r2l" if lanes == 2 else "_r2l_shared"
    return [f"{x}{y}{end}" for x in APPROACHES for y in ("", "_pm")]


TREES = [x for x in designs(1) if x.startswith("cm")]


def approach(name: str) -> str:
    """Approach of a design, such as ``cm_pm``: the part of its name that is a key of ``WIDEST``."""
    return name.partition("_r2l")[0]


def measurements(max_nbits: int, library: str) -> list[Measurement]:
    """Measurements of all designs; the cycle model counts where no circuit is simulated."""
    found = []
    for lanes in (2, 1):
        for name in designs(lanes):
            for nbits in dict.fromkeys((*FITTED, *WIDTHS)):
                if nbits <= max_nbits:
                    found += _of_design(name, nbits, lanes, library)
    return found + [tree(x, n) for x in TREES for n in WIDTHS if n <= max_nbits]


def _of_design(name: str, nbits: int, lanes: int, library: str) -> list[Measurement]:
    known = approach(name)
    mapped, measured = (WIDEST, WIDEST) if lanes == 1 else (WIDEST_OUTLINED, WIDEST_OF_TWO)
    found = [fpga(name, nbits, FPGA)] if nbits <= mapped[known] else []
    if nbits <= measured[known]:
        level = "rtl" if nbits in SHOWN else "cl"
        return [*found, flow(name, nbits, library=library), square(name, nbits, level)]
    if found:
        found.append(outline(name, nbits, library))
    if nbits not in WIDTHS:
        return found
    return [*found, workload(name, nbits, "cl"), square(name, nbits, "cl")]


ON_CELLS, ON_FPGA = {"library": CELLS}, {"library": FPGA}
PRODUCT, ENCRYPT, DECRYPT = ({"operation": x} for x in ("product", "encrypt", "decrypt"))
_DELAY, _BY_DELAY = "Delay of a product", "Logic modules by delay of a product"
_NUMBER = {**ON_FPGA, "operation": ""}


def _area_time(delay: str, modules: str, **more: Any) -> Row:
    """Row of delay times logic modules; the quantity ``modules`` is a million over their number."""
    where, over = {**ON_CELLS, **PRODUCT}, {**_NUMBER, "quantity": modules}
    return Row("product_area_time_alms_s", where, of=delay, over=over, **more)


def _printed_rows(base: str) -> list[Row]:
    of_cm: Any = {"mode": "percent", "base": base}
    product = {**ON_CELLS, **PRODUCT}
    logic = "Logic modules (measured: estimate)"
    return [
        Row("alms", ON_FPGA, section=logic),
        Row("product_us", product, section=_DELAY),
        _area_time("product_us", "per_million_alms", section=_BY_DELAY),
        Row("time_us", {**ON_CELLS, **ENCRYPT}, section="Time of an encryption", key="encrypt_us"),
        Row("time_us", {**ON_CELLS, **DECRYPT}, section="Time of a decryption", key="decrypt_us"),
        Row("product_us", product, section=f"{_DELAY}, in percent of cm's", **of_cm),
        Row("alms", ON_FPGA, section="Logic modules, in percent of cm's", **of_cm),
    ]


_OWN_ROWS = [
    Row("area_um2", ON_CELLS, section="Cell area", prints=False),
    Row("min_period_ns", ON_CELLS, section="Smallest clock period", prints=False),
    Row("frequency_mhz", ON_CELLS, section="Its frequency, alone", prints=False),
    Row("energy_nj", {**ON_CELLS, **DECRYPT}, section="Energy of a decryption", prints=False),
]


def _columns(lanes: int) -> list[Column]:
    """Columns of the designs; those of designs that the document lacks are not as printed."""
    # For one multiplier, the document prints the figures of Montgomery's designs with two.
    return [
        Column(x, {"subject": x}, as_printed=lanes == 2 or not x.startswith("mm"))
        for x in designs(lanes)
    ]


def _measured(lanes: int, name: str, title: str) -> ReportTable:
    base = designs(lanes)[APPROACHES.index("cm") * 2]
    rows = per("nbits", WIDTHS, _printed_rows(base), "{} bits")
    rows += per("nbits", SHOWN, _OWN_ROWS, "{} bits")
    notes = ("vassoler_designs", "fpga", "glitches")
    return ReportTable(f"vassoler_{name}", title, _columns(lanes), rows, {"clock_ns": CLOCK}, notes)


_PROJECTED_PRODUCT = {**ON_CELLS, **PRODUCT}
_FACTOR = "The factor within which it lies"
_PROJECTED_ROWS = [
    Row("projected_alms", ON_FPGA, {"quantity": "alms"}),
    Row("projected_alms_factor", ON_FPGA, prints=False, section=f"Logic modules: {_FACTOR}"),
    Row(
        "projected_alms",
        ON_FPGA,
        {"quantity": "alms"},
        section="Logic modules: projected over printed",
        mode="over_printed",
        prints=False,
    ),
    Row("projected_min_period_ns", ON_CELLS, prints=False),
    Row(
        "projected_min_period_factor",
        ON_CELLS,
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
            {**ON_CELLS, "operation": x},
            {"quantity": "time_us"},
            section=f"Time of {y}, projected",
            key=f"projected_{x}_us",
        )
        for x, y in (("encrypt", "an encryption"), ("decrypt", "a decryption"))
    ),
    Row("projected_area_um2", ON_CELLS, prints=False),
    Row("projected_area_factor", ON_CELLS, prints=False, section=f"Cell area: {_FACTOR}"),
]


def _projected(lanes: int, name: str, title: str) -> ReportTable:
    rows = per("nbits", PROJECTED, _PROJECTED_ROWS, "{} bits")
    notes = ("vassoler_projected", "fpga")
    return ReportTable(f"vassoler_{name}", title, _columns(lanes), rows, {"clock_ns": CLOCK}, notes)


_TREE_ROWS = [
    Row("tree_bits", section="Bits of the matrix", prints=False),
    Row("tree_cells", section="Cells of the tree", prints=False),
    Row("tree_units", section="Unit gates of tree and final adder", prints=False),
    Row("tree_delay_units", section="Unit gates on the longest path", prints=False),
]
_SYNTHESIZED = {**ON_CELLS, "part": _LANE}
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
    [Column(x, {"subject": x}) for x in TREES],
    [*per("nbits", WIDTHS, _TREE_ROWS, "{} bits"), *per("nbits", SHOWN, _TREE_CELLS, "{} bits")],
    {"clock_ns": CLOCK},
    ("vassoler_trees",),
)

TABLES = (
    _measured(2, "two_multipliers", "Exponentiation on two multipliers (tables 7 to 11)"),
    _projected(2, "two_projected", "Beyond what was measured: projections, two multipliers"),
    _measured(1, "one_multiplier", "Exponentiation on one multiplier (tables 13 to 17)"),
    _projected(1, "projected", "Beyond what was measured: projections, one multiplier"),
    _TREE_TABLE,
)
PROJECTIONS = (
    *(
        Projection(
            designs(lanes),
            {"alms": FPGA, "area_um2": CELLS, "min_period_ns": CELLS},
            PROJECTED,
            SYSTEMS,
        )
        for lanes in (1, 2)
    ),
)


def _claim(quantity: str, of: str, nbits: int, over: str, subject: str, **more: Any) -> Row:
    """Row of a ratio that the text prints without a width, or for the width of the row."""
    where = {**ON_CELLS, "subject": subject, "nbits": nbits, **more.pop("where", {})}
    printed = {"nbits": 0, **more.pop("printed", {})}
    divisor = {"subject": over, "quantity": more.pop("over_quantity", of)}
    label = f"{subject} over {over}, {nbits} bits"
    key = f"{subject}_over_{over}_{of}"
    return Row(quantity, where, printed, of=of, over=divisor, label=label, key=key, **more)


_SAVED_PLAIN = [
    _claim(
        "saved_plain_percent", "product_us", n, "cm_r2l", "cm_pm_r2l", where=PRODUCT, mode="saved"
    )
    for n in SHOWN
    if n <= WIDEST_OF_TWO["cm_pm"]
]
_SAVED_DIRECT = [
    _claim("saved_direct_percent", of, n, "dm_r2l", "cm_pm_r2l", where=PRODUCT, mode="saved")
    for of, n in (("product_us", WIDEST["dm"]), ("projected_product_us", WIDTHS[-1]))
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
            WIDTHS[-1],
            over,
            subject,
            over_quantity="projected_time_us",
            where=DECRYPT,
            printed={"nbits": WIDTHS[-1], "place": "section 5.4.1"},
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
            where=DECRYPT,
            printed={"operation": "", "place": "section 6"},
        )
        for over, n in (("time_us", WIDEST_OF_TWO["cm_pm"]), ("projected_time_us", WIDTHS[-1]))
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
    for n in SHOWN
    if n <= WIDEST_OF_TWO["cm_pm"]
]
CLAIMS = ReportTable(
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
    {"clock_ns": CLOCK},
    ("vassoler_claims",),
)


def over_width(y: str, where: dict[str, Any], lanes: int, widths: Sequence[int]) -> Panel:
    """Panel of a quantity over the width, one line for each design; printed figures are hollow."""
    series = _columns(lanes)
    points = [{"nbits": n} for n in widths]
    return Panel("nbits", y, series, points, {"clock_ns": CLOCK, **where}, log="xy", printed=True)


def _over_widths(
    name: str, lanes: int, widths: Sequence[int], title: str, about: str, notes: tuple[str, ...]
) -> Plot:
    """Plot of delay and logic modules over the width."""
    delay = over_width("product_us", {**ON_CELLS, **PRODUCT}, lanes, widths)
    return Plot(
        f"vassoler_{name}",
        f"Delay of a product and logic modules over the width, {title}",
        f"Delay of a product and logic modules of each approach over the width in bits, {about}.",
        [(delay,), (over_width("alms", ON_FPGA, lanes, widths),)],
        7.2,
        notes,
    )


_NOTES = ("vassoler_designs",)
PLOTS = (
    _over_widths(
        "narrow", 2, (8, 16, 32), "two multipliers (figures 30 to 33)", "to 32 bits", _NOTES
    ),
    _over_widths("designs", 1, WIDTHS, "one multiplier", "measured and printed", _NOTES),
)
