"""Vassoler: products modulo constants and pseudo-moduli, and exponentiation with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from rsaxcel.eval.facts.fact import CELLS
from rsaxcel.eval.measure.cycles import workload
from rsaxcel.eval.measure.flows import flow, outline
from rsaxcel.eval.measure.job import Measurement
from rsaxcel.eval.report.spec import (
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
)
from rsaxcel.eval.studies import vassoler_bus, vassoler_designs, vassoler_systems
from rsaxcel.eval.studies.vassoler_designs import (
    CLOCK,
    DECRYPT,
    FITTED,
    ON_CELLS,
    SHOWN,
    WIDEST,
    WIDEST_OF_TWO,
    WIDEST_OUTLINED,
    WIDTHS,
    approach,
    designs,
)
from rsaxcel.fl.pseudo_modulus import FAMILY_COFACTOR, family_member

REDUCERS = ("compressor_tree_reducer", "remainder_reducer")
#: Widths in bits of the pseudo-moduli 3m; m has a bit less, in a circuit of the same width.
REDUCED_LENGTHS = (8, 16, 24, 30)

INPUT_NBITS = 32
MODULI: dict[str, Callable[[int], int]] = {
    "m": family_member,
    "3m": lambda nbits: FAMILY_COFACTOR * family_member(nbits),
}
#: Bits by which an operand is wider than the circuit's modulus, by the operand's width in words.
EXCESS: dict[str, Callable[[int], int]] = {
    f"{INPUT_NBITS} bits": lambda nbits: INPUT_NBITS - nbits,
    "nbits + 1 bits": lambda nbits: 1,
}

#: Design with products of one cycle, so that its cycles count the products; and its width.
COUNTED, COUNTED_NBITS = "dm_r2l_shared", 32

REPEATED = {"schedule": "repeated", "exponent_nbits": 17}
EXPONENTS = {"exponent_17": 17, "exponent_65537": 65537}


def _reduced(nbits: int, kind: str, excess: Callable[[int], int]) -> dict[str, Any]:
    return {"modulus": hex(MODULI[kind](nbits)), "excess_nbits": excess(nbits)}


def reductions(max_nbits: int, library: str) -> list[Measurement]:
    """Measurements of the reducers, and of the cycles of repeated products and of a binary scan."""
    found = [
        outline(name, nbits, library, **_reduced(nbits, kind, excess))
        for nbits in REDUCED_LENGTHS
        if nbits <= max_nbits
        for kind in MODULI
        for excess in EXCESS.values()
        for name in REDUCERS
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
        for x in REDUCERS
        for y in MODULI
    ]
    points = [
        {"nbits": n, "choices": lambda x, n=n: _reduced(n, x["modulus"], excess)}
        for n in REDUCED_LENGTHS
    ]
    where = {"library": CELLS, "clock_ns": CLOCK}
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
        {", ".join(map(str, REDUCED_LENGTHS))} bits, from port to port, synthesized for {CLOCK} ns,
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


_FPGA_CLOCK = "clock and time: standard cells of 45 nm against an FPGA"
_MODULES = (
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
_CLAIMS = (
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

REASONS = (
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
    *_MODULES,
    *_CLAIMS,
    *(Reason(_FPGA_CLOCK, f"Table {x}") for x in (8, 10, 11, 14, 16, 17)),
    *(Reason(_SYSTEM_CLOCK, f"Table {x}") for x in (12, 18)),
    *(
        Reason(f"{_FPGA_CLOCK}, times the modules of table {y}", f"Table {x}")
        for x, y in ((9, 7), (15, 13))
    ),
)


DOCUMENT = "vassoler"
MULTIPLIER, PLAIN = "compressor_tree", "direct"
#: Libraries in which the study measures the multipliers, and what its texts call them.
LIBRARY_NAMES = {"freepdk-45nm": "45 nm", "osu018": "180 nm"}

PRINTED_LIBRARY = "osu018"
#: Exponents n of the moduli 2^n + k in table 5; each one has the pseudo-modulus 2^(n+2) - 1.
PAIRS = (4, 6, 8, 10)

#: Exponents n of the moduli 2^n +- k for figures 13 and 14, which do not state n.
FORM_NBITS = (8, 16)

OFFSETS = (0, -1, 1, -3, 3, -5, 5, -21, 21, -85, 85)  #: values of +-k in table 3

#: Designs of other documents, measured for comparison.
BEST = ("montmul_csa_r2l", "ssmm_r2l", "montmul_r2l_shared")

TUNED = "cm_r2l_shared"  #: design that is also measured with columns=best


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
    found += [
        outline(x, n, library, modulus=hex(modulus(n)))
        for x in (MULTIPLIER, PLAIN)
        for n in _LENGTHS
        for modulus in MODULI.values()
    ]
    found += reductions(max_nbits, library)
    found += vassoler_designs.measurements(max_nbits, library)
    for nbits in (n for n in SHOWN if n <= max_nbits):
        found += [flow(name, nbits, library=library) for name in BEST]
        if nbits <= WIDEST["cm"]:
            found.append(flow(TUNED, nbits, library=library, columns="best"))
    found += vassoler_systems.measurements(max_nbits, library)
    return [*found, *vassoler_bus.measurements(max_nbits, library)]


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
_COMPARED = [
    *(Column(x, {"subject": x}) for x in (*designs(1), *BEST)),
    Column(f"{TUNED}, best columns", {"subject": TUNED, "choices": {"columns": "best"}}),
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
_AT_128: Any = {**ON_CELLS, **DECRYPT, "clock_ns": CLOCK, "nbits": 128}


def _multipliers(name: str, title: str, columns: Sequence[Column]) -> ReportTable:
    rows, notes = _per_library(_MULTIPLIER_ROWS), ("vassoler_multipliers",)
    return ReportTable(f"{DOCUMENT}_{name}", title, columns, rows, {"clock_ns": CLOCK}, notes)


TABLES = (
    _multipliers("pairs", "Moduli and their pseudo-moduli (table 5)", list(_pairs())),
    *(
        _multipliers(f"forms_{n}", f"Forms of the modulus, n = {n} (figures 13, 14)", _forms(n))
        for n in FORM_NBITS
    ),
    *vassoler_designs.TABLES,
    *_REPEATED_TABLES,
    vassoler_designs.CLAIMS,
    ReportTable(
        f"{DOCUMENT}_best",
        "One multiplier, against designs of the other documents",
        _COMPARED,
        per("nbits", SHOWN, _BEST_ROWS, "{} bits"),
        {**ON_CELLS, **DECRYPT, "clock_ns": CLOCK},
        ("vassoler_best", "glitches"),
    ),
)
_WITH_CM: Any = {**_AT_128, "nbits": WIDEST["cm"]}
_THERE = [x for x in _COMPARED if WIDEST.get(approach(x.key), WIDEST["cm"]) >= WIDEST["cm"]]
_COST = Panel("time_us", "area_kum2", _THERE, where=_WITH_CM, log="xy", names=True, products=True)
_LENGTHS = (8, 16, 32)  #: widths in bits of the pseudo-moduli in the plot of multipliers

_LANES = [
    Column(f"{x}, modulo {y}", {"subject": x, "choices": {"modulus": y}})
    for x in (MULTIPLIER, PLAIN)
    for y in MODULI
]
_OF_LENGTH = [
    {"nbits": n, "choices": lambda x, n=n: {"modulus": hex(MODULI[x["modulus"]](n))}}
    for n in _LENGTHS
]
_FORMS = [
    Column(f"n = {n}", {"subject": MULTIPLIER, "nbits": n, "choices": {"modulus": n}})
    for n in FORM_NBITS
]
_OF_FORM = [
    {
        "nbits": lambda n, x=x: ((1 << n) + x).bit_length(),
        "choices": lambda c, x=x: {"modulus": hex((1 << c["modulus"]) + x)},
    }
    for x in OFFSETS
]
_IN_PRINTED_LIBRARY = {"library": PRINTED_LIBRARY, "clock_ns": CLOCK}
_AS_FAST = {**ON_CELLS, "clock_ns": CLOCK}
_PLOTS = (
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
                    point_names=[f"2^n{x:+d}" if x else "2^n" for x in OFFSETS],
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
            (Panel("nbits", x, _LANES, _OF_LENGTH, _AS_FAST, log="xy"),)
            for x in ("critical_path_ns", "area_um2")
        ],
        7.2,
        ("vassoler_lengths",),
    ),
    *vassoler_designs.PLOTS,
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
    "vassoler_forms": f"""Combinational multipliers for n = {" and ".join(map(str, FORM_NBITS))};
        the document's text does not state its n. It finds 2^n the fastest and smallest and 2^n + 85
        and 2^n - 85 the slowest and largest.""",
    "vassoler_lengths": f"""Combinational multipliers modulo m = (2^nbits - 1) / 3 and 3m, at
        {", ".join(map(str, _LENGTHS))} bits; the document plots them on a Cyclone V to 32 bits.
        Montgomery's, of figure 28, is in the plots of the exponentiators.""",
    "vassoler_multipliers": f"""Combinational multipliers with their final adders, from port to
        port, synthesized for {CLOCK} ns, which none can meet: the best of three trees, with as
        many columns as a residue has bits, as in the document's figure 5, and with the columns that
        the unit-gate model likes best: for a modulus of the family, those of 3m. Below them the
        same product written as a * b % m, as Yosys and ABC make it.""",
    "vassoler_designs": f"""Moduli (2^nbits - 1) / 3, pseudo-moduli 2^nbits - 1; for mm_pm three
        times the modulus. Exponents: 65537, and the standard key's d, of full size; no key has such
        a modulus. Clock, delay and time: standard cells synthesized for {CLOCK} ns, measured to
        {SHOWN[-1]} bits, dm to {WIDEST["dm"]}, cm to {WIDEST["cm"]}, cm_pm on two multipliers to
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
        at {", ".join(map(str, FITTED))} bits; cycles are those of the cycle model. The factor says
        within what a figure is to be taken: the fit without the widest figure misses that by some
        factor, and each doubling of the width beyond it by as much again. What depends on the
        period has the period's factor; a product of two projections has that of both.""",
    "vassoler_trees": """Counted in the plan of the tree, which needs no synthesis, at the widths of
        the document: a full adder has 7 unit gates, a two-input AND 1. Below it the multiplier as
        it was synthesized, and its area for each unit gate: the nearer to a constant, the better
        the plan's count stands for the area at widths that were not synthesized.""",
    "vassoler_claims": f"""Ours at the widest widths that are measured, and at {WIDTHS[-1]} bits by
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
            (*_PLOTS, *TABLES),
            """Products modulo a constant by an operator (dm), by a tree of compressors (cm) and by
            Montgomery's method without final subtraction (mm), each modulo m and modulo a multiple
            of it (pm). The printed figures are those of an FPGA, those of the multipliers of 180 nm
            cells: they compare with ours by their ratios.""",
        ),
        vassoler_systems.SECTION,
        vassoler_bus.SECTION,
    ),
    {**_NOTES, **_REDUCTION_NOTES, **vassoler_systems.NOTES, **vassoler_bus.NOTES},
    topic="Compressor trees and pseudo-moduli",
    headline=_HEADLINE,
    where=_AT_128,
    runs_on={**vassoler_bus.RUNS_ON, **vassoler_systems.RUNS_ON},
    projections=vassoler_designs.PROJECTIONS,
    reasons=REASONS,
)
