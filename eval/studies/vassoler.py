"""Vassoler: products modulo constants and pseudo-moduli, and exponentiation with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from eval.facts.fact import CELLS
from eval.facts.projection import Projection
from eval.measure.cycles import square
from eval.measure.flows import AS_FAST_AS_CAN_BE_NS, flow, fpga, outline
from eval.measure.job import Measurement
from eval.report.spec import (
    Column,
    Panel,
    Plot,
    Reason,
    Row,
    Section,
    Study,
    Table,
    in_section,
    per,
)
from eval.studies import vassoler_bus
from fl.pseudo_modulus import family_member

DOCUMENT = "vassoler"
MULTIPLIER, PLAIN = "compressor_tree", "direct"
LIBRARY_NAMES = {"freepdk-45nm": "45 nm", "osu018": "180 nm"}
"""Libraries in which the study measures the multipliers, and what its texts call them."""

PRINTED_LIBRARY = "osu018"
PAIRS = (4, 6, 8, 10)
"""Exponents n of the moduli 2^n + k in table 5; each one has the pseudo-modulus 2^(n+2) - 1."""

FORM_NBITS = (8, 16)
"""Exponents n of the moduli 2^n +- k for figures 13 and 14, which do not state n."""

OFFSETS = (0, -1, 1, -3, 3, -5, 5, -21, 21, -85, 85)
"""Values of +-k in table 3."""

APPROACHES = ("dm", "cm", "mm")
"""Beginnings of designs' names, by multiplier: direct, compressor tree, Montgomery. A following
``_pm`` stands for products modulo a pseudo-modulus."""

WIDTHS = (32, 64, 128, 256, 512, 1024)
SHOWN = (32, 64, 128)
"""Widths at which figures are measured that the document does not print."""

FITTED = (8, 16, *SHOWN)
"""Measured widths from which the figures of wider designs are projected."""

WIDEST = {"dm": 32, "dm_pm": 32, "cm": 64, "cm_pm": 128, "mm": 128, "mm_pm": 128}
"""Widest measured design with one multiplier, in bits, by approach.

The synthesis of designs twice as wide did not end within a quarter of an hour.
"""

WIDEST_OF_TWO = {**WIDEST, "cm_pm": 64}
"""Widest measured design with two multipliers, in bits, by approach."""

PROJECTED = WIDTHS[WIDTHS.index(WIDEST["dm"]) + 1 :]
FPGA = "cyclonev"
BEST = ("montmul_csa_r2l", "ssmm_r2l", "montmul_r2l_shared")
"""Designs of other documents, measured for comparison."""

TUNED = "cm_r2l_shared"
"""Design that is also measured with ``columns=best``."""

_CLOCK = AS_FAST_AS_CAN_BE_NS


def _of_modulus(modulus: int, key: str) -> Column:
    """Column of a multiplier for one modulus: as wide as the modulus, and at least 4 bits wide."""
    own = {"nbits": max(modulus.bit_length(), 4), "choices": {"modulus": hex(modulus)}}
    return Column(key, {"subject": MULTIPLIER, **own})


def _pairs() -> Iterator[Column]:
    for n in PAIRS:
        modulus = family_member(n + 2)
        yield _of_modulus(modulus, f"2^{n}+{modulus - (1 << n)}")
        yield _of_modulus(3 * modulus, f"2^{n + 2}-1")


def _forms(n: int) -> list[Column]:
    return [_of_modulus((1 << n) + x, f"2^{n}{x:+d}" if x else f"2^{n}") for x in OFFSETS]


def _designs(lanes: int) -> list[str]:
    end = "_r2l" if lanes == 2 else "_r2l_shared"
    return [f"{x}{y}{end}" for x in APPROACHES for y in ("", "_pm")]


def _approach(name: str) -> str:
    """Approach of a design, such as ``cm_pm``: the part of its name that is a key of ``WIDEST``."""
    return name.partition("_r2l")[0]


def measurements(max_nbits: int, library: str) -> list[Measurement]:
    """Measurements of multipliers with both libraries, of all designs, and of systems."""
    found = []
    shown = [*_pairs(), *(x for n in FORM_NBITS for x in _forms(n))]
    for nbits, modulus in dict.fromkeys(
        (x.where["nbits"], x.where["choices"]["modulus"]) for x in shown
    ):
        for each in LIBRARY_NAMES:
            found += [outline(x, nbits, each, modulus=modulus) for x in (MULTIPLIER, PLAIN)]
            found.append(outline(MULTIPLIER, nbits, each, modulus=modulus, columns="best"))
    for lanes in (2, 1):
        for name in _designs(lanes):
            for nbits in FITTED if lanes == 1 else SHOWN:
                if nbits <= max_nbits:
                    found += _of_design(name, nbits, lanes, library)
    for nbits in (n for n in SHOWN if n <= max_nbits):
        found += [flow(name, nbits, library=library) for name in BEST]
        if nbits <= WIDEST["cm"]:
            found.append(flow(TUNED, nbits, library=library, columns="best"))
    return [*found, *vassoler_bus.measurements(max_nbits, library)]


def _of_design(name: str, nbits: int, lanes: int, library: str) -> list[Measurement]:
    """Return the measurements of a design; none if ``nbits`` exceeds its widest measured width."""
    approach = _approach(name)
    if nbits > (WIDEST if lanes == 1 else WIDEST_OF_TWO)[approach]:
        return []
    found = [flow(name, nbits, library=library), fpga(name, nbits, FPGA)]
    return [*found, square(name, nbits)] if nbits in SHOWN else found


def _per_library(rows: Sequence[Row]) -> list[Row]:
    found = []
    for library, name in LIBRARY_NAMES.items():
        for row in rows:
            own: Any = {
                "where": {**row.where, "library": library},
                "prints": row.prints and library == PRINTED_LIBRARY,
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
_CELLS, _ON_FPGA = {"library": CELLS}, {"library": FPGA}
_PRODUCT, _ENCRYPT, _DECRYPT = ({"operation": x} for x in ("product", "encrypt", "decrypt"))


def _printed_rows(base: str) -> list[Row]:
    of_cm: Any = {"mode": "percent", "base": base}
    product, delay = {**_CELLS, **_PRODUCT}, "Delay of a product"
    logic = "Logic modules (measured: estimate)"
    return [
        Row("alms", _ON_FPGA, section=logic),
        Row("frequency_mhz", _CELLS, section="Frequency"),
        Row("product_us", product, section=delay),
        Row(
            "product_area_time_alms_s",
            {**_ON_FPGA, **_PRODUCT},
            section="Logic modules by delay of a product",
        ),
        Row("time_us", {**_CELLS, **_ENCRYPT}, section="Time of an encryption", key="encrypt_us"),
        Row("time_us", {**_CELLS, **_DECRYPT}, section="Time of a decryption", key="decrypt_us"),
        Row("product_us", product, section=f"{delay}, in percent of cm's", **of_cm),
        Row("alms", _ON_FPGA, section="Logic modules, in percent of cm's", **of_cm),
    ]


_OWN_ROWS = [
    Row("area_um2", _CELLS, section="Cell area", prints=False),
    Row("min_period_ns", _CELLS, section="Smallest clock period", prints=False),
    Row("energy_nj", {**_CELLS, **_DECRYPT}, section="Energy of a decryption", prints=False),
]


def _table(lanes: int, name: str, title: str) -> Table:
    names = _designs(lanes)
    base = names[APPROACHES.index("cm") * 2]
    rows = per("nbits", WIDTHS, _printed_rows(base), "{} bits")
    rows += per("nbits", SHOWN, _OWN_ROWS, "{} bits")
    columns = [Column(x, {"subject": x}) for x in names]
    notes = ("vassoler_designs", "fpga", "glitches")
    return Table(f"{DOCUMENT}_{name}", title, columns, rows, {"clock_ns": _CLOCK}, notes)


_COMPARED = [
    *(Column(x, {"subject": x}) for x in (*_designs(1), *BEST)),
    Column(f"{TUNED}, best columns", {"subject": TUNED, "choices": {"columns": "best"}}),
]
_PROJECTIONS = (
    Projection(
        _designs(1),
        {"alms": FPGA, "area_um2": CELLS, "min_period_ns": CELLS},
        PROJECTED,
    ),
)
_PROJECTED_ROWS = [
    Row("projected_alms", _ON_FPGA, prints=False),
    Row("projected_alms_factor", _ON_FPGA, prints=False, section="Its factor"),
    Row(
        "projected_alms",
        _ON_FPGA,
        {"quantity": "alms"},
        section="Logic modules: projected over printed",
        mode="over_printed",
        prints=False,
    ),
    Row("projected_area_um2", _CELLS, prints=False),
    Row("projected_area_factor", _CELLS, prints=False, section="Its factor"),
    Row("projected_min_period_ns", _CELLS, prints=False),
    Row("projected_min_period_factor", _CELLS, prints=False, section="Its factor"),
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
_AT_128: Any = {**_CELLS, **_DECRYPT, "clock_ns": _CLOCK, "nbits": 128}


def _multipliers(name: str, title: str, columns: Sequence[Column]) -> Table:
    rows, notes = _per_library(_MULTIPLIER_ROWS), ("vassoler_multipliers",)
    return Table(f"{DOCUMENT}_{name}", title, columns, rows, {"clock_ns": _CLOCK}, notes)


TABLES = (
    _multipliers("pairs", "Moduli and their pseudo-moduli (table 5)", list(_pairs())),
    *(
        _multipliers(f"forms_{n}", f"Forms of the modulus, n = {n} (figures 13, 14)", _forms(n))
        for n in FORM_NBITS
    ),
    _table(2, "two_multipliers", "Exponentiation on two multipliers (tables 7 to 12)"),
    _table(1, "one_multiplier", "Exponentiation on one multiplier (tables 13 to 18)"),
    Table(
        f"{DOCUMENT}_best",
        "One multiplier, against designs of the other documents",
        _COMPARED,
        per("nbits", SHOWN, _BEST_ROWS, "{} bits"),
        {**_CELLS, **_DECRYPT, "clock_ns": _CLOCK},
        ("vassoler_best", "glitches"),
    ),
    Table(
        f"{DOCUMENT}_projected",
        "Beyond what was measured: projections, one multiplier",
        [Column(x, {"subject": x}) for x in _designs(1)],
        per("nbits", PROJECTED, _PROJECTED_ROWS, "{} bits"),
        {"clock_ns": _CLOCK},
        ("vassoler_projected", "fpga"),
    ),
)


def _over_width(y: str, where: dict[str, Any]) -> Panel:
    series = [Column(x, {"subject": x}) for x in _designs(1)]
    points = [{"nbits": n} for n in WIDTHS]
    return Panel("nbits", y, series, points, {"clock_ns": _CLOCK, **where}, log="xy", printed=True)


_WITH_CM: Any = {**_AT_128, "nbits": WIDEST["cm"]}
_THERE = [x for x in _COMPARED if WIDEST.get(_approach(x.key), WIDEST["cm"]) >= WIDEST["cm"]]
_COST = Panel("time_us", "area_kum2", _THERE, where=_WITH_CM, log="xy", names=True, products=True)
_PLOTS = (
    Plot(
        f"{DOCUMENT}_designs",
        "Delay of a product and logic modules over the width, one multiplier",
        "Delay of a product and logic modules of each approach over the width in bits, measured "
        "and printed.",
        [(_over_width("product_us", {**_CELLS, **_PRODUCT}),), (_over_width("alms", _ON_FPGA),)],
        7.2,
        ("vassoler_designs",),
    ),
    Plot(
        f"{DOCUMENT}_best",
        f"Area over time at {WIDEST['cm']} bits, one multiplier",
        f"Cell area over the time of a decryption of {WIDEST['cm']} bits, per design.",
        [(_COST,)],
        5.0,
        ("vassoler_best",),
    ),
)
_NOTES = {
    "vassoler_multipliers": f"""Combinational multipliers with their final adders, from port to
        port, synthesized for {_CLOCK} ns, which none can meet: the best of three trees, with the n
        columns of 2^n + k or 2^n - k, and with the columns that the unit-gate model likes best: of
        a modulus of the family they are those of its pseudo-modulus. Below them the same product
        written as a * b % m, as Yosys and ABC make it.""",
    "vassoler_designs": f"""Moduli (2^nbits - 1) / 3, pseudo-moduli 2^nbits - 1; for mm_pm three
        times the modulus. Exponents: 65537, and the standard key's d, of full size; no key has such
        a modulus. Clock, delay and time: standard cells synthesized for {_CLOCK} ns, measured to
        {SHOWN[-1]} bits, dm to {WIDEST["dm"]}, cm to {WIDEST["cm"]}, cm_pm on two multipliers to
        {WIDEST_OF_TWO["cm_pm"]}; printed: a Cyclone V, where the frequency is that of processor and
        accelerator. A product takes a cycle in dm and cm, nbits + 4 in mm. Printed figures of dm
        above 32 bits are extrapolations of the document, and those of dm and cm on one multiplier
        are halves of those on two.""",
    "vassoler_best": f"""A decryption at {WIDEST["cm"]} bits takes cm_pm_r2l_shared
        {{{{ ratio('cm_pm_r2l_shared', 'cm_r2l_shared', 'time_us', nbits={WIDEST["cm"]}) }}}} the
        time of cm_r2l_shared. At 128 bits it takes
        {{{{ ratio('cm_pm_r2l_shared', 'mm_r2l_shared', 'time_us') }}}} that of mm_r2l_shared and
        {{{{ ratio('cm_pm_r2l_shared', 'montmul_csa_r2l', 'time_us') }}}} that of montmul_csa_r2l,
        in {{{{ ratio('cm_pm_r2l_shared', 'montmul_csa_r2l', 'area_um2') }}}} the area. The document
        claims half the time of cm and 10^-7 of that of mm. The modulus is part of the circuit in dm
        and cm, and one that factors by inspection; mm and the others take any odd modulus.""",
    "vassoler_projected": f"""No measurements: powers of the width, fitted by least squares to those
        at {", ".join(map(str, FITTED))} bits. The factor says within what a figure is to be taken:
        the fit without the widest figure misses that by some factor, and each doubling of the width
        beyond it by as much again.""",
}
_FPGA_CLOCK = "clock and time: standard cells of 45 nm against an FPGA"

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
            (*_PLOTS, *TABLES),
            """Products modulo a constant by an operator (dm), by a tree of compressors (cm) and by
            Montgomery's method without final subtraction (mm), each modulo m and modulo a multiple
            of it (pm). The printed figures are those of an FPGA, those of the multipliers of 180 nm
            cells: they compare with ours by their ratios.""",
        ),
        vassoler_bus.SECTION,
    ),
    {**_NOTES, **vassoler_bus.NOTES},
    topic="Compressor trees and pseudo-moduli",
    headline=_HEADLINE,
    where=_AT_128,
    runs_on=vassoler_bus.RUNS_ON,
    projections=_PROJECTIONS,
    reasons=(
        Reason(
            "the printed delays are a fifth of what as many gates take in our 180 nm cells",
            "Table 5",
        ),
        *(Reason(_FPGA_CLOCK, f"Table {x}") for x in (8, 10, 11, 12, 14, 16, 17, 18)),
    ),
)
