"""Study of an RSA private operation: CRT designs against others, alone and on the processor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rsaxcel.eval.facts.fact import CELLS
from rsaxcel.eval.measure.cycles import calls, operation
from rsaxcel.eval.measure.flows import AS_FAST_AS_CAN_BE_NS, flow, outline
from rsaxcel.eval.measure.job import Measurement
from rsaxcel.eval.report.spec import (
    Column,
    Panel,
    Plot,
    ReportTable,
    Row,
    Section,
    Study,
    per,
    rows,
)
from rsaxcel.flow.requests import default_exponents
from rsaxcel.proc.kinds import XCEL
from rsaxcel.proc.systems import NULL_SYSTEM

DOCUMENT = "private_operation"
DESIGN = "crt_window"
BASE = "montmul_csa_r2l"
WIDTHS = (256, 512, 1024)
NBITS = 1024
WIDEST = 2048  #: width in bits that is only synthesized: its netlist is not simulated

#: steps from the best design of the documents to DESIGN; each adds the choice that names it
STEPS = (
    Column(BASE, {"subject": BASE}),
    Column("lane", {"subject": "orup_window", "choices": {"schedule": "l2r_always"}}),
    Column("window", {"subject": "orup_window"}),
    Column("one_lane", {"subject": "crt_window_shared"}),
    Column("two_lanes", {"subject": DESIGN}),
)

OTHERS = tuple(Column(x, {"subject": x}) for x in ("ssmm_r2l", "systolic_l2r_always"))
#: Programs on the processor without an accelerator, by subject.
SOFTWARE = {"software_montgomery": "montgomery", "software_crt": "crt"}

#: designs on the processor: one of each multiplier for all widths, and two with the CRT
DRIVEN = (
    "mulrem_r2l",
    "montred_r2l",
    "montmul_r2l",
    BASE,
    "ssmm_r2l",
    "systolic_l2r_always",
    "digit_serial_r2l",
    "mm_r2l",
    "orup_window",
    "crt_window_shared",
    DESIGN,
)

CALL_WIDTHS = (1024, 2048)

_CLOCK = AS_FAST_AS_CAN_BE_NS
_DECRYPT = "decrypt"


def measurements(max_nbits: int, library: str) -> list[Measurement]:
    found: list[Measurement] = []
    for nbits in (n for n in WIDTHS if n <= max_nbits):
        for column in (*STEPS, *OTHERS):
            choices = column.where.get("choices", {})
            found.append(flow(column.where["subject"], nbits, library=library, **choices))
    if max_nbits >= WIDEST:
        exponent = default_exponents(WIDEST)[_DECRYPT]
        found.append(outline(DESIGN, WIDEST, library))
        found.append(operation(DESIGN, WIDEST, _DECRYPT, exponent))
    for nbits in (n for n in CALL_WIDTHS if n <= max_nbits):
        for subject, program in SOFTWARE.items():
            found += calls(subject, NULL_SYSTEM, program, nbits, (_DECRYPT,))
        for system in (XCEL.prefix + design for design in DRIVEN):
            found += calls(system, system, "xcel", nbits, (_DECRYPT,))
    return found


_WHERE = {"operation": _DECRYPT, "clock_ns": _CLOCK, "library": CELLS}
_FIGURES = ("cycles", "min_period_ns", "time_ms", "area_um2", "area_time_mm2_ms", "energy_uj")
_FACTOR: Any = {"mode": "speedup", "base": BASE, "section": f"Less than {BASE}"}
_COMPARED = {"time_ms": "time", "area_time_mm2_ms": "area by time", "energy_uj": "energy"}
_ROWS = [
    *rows(*_FIGURES, prints=False),
    *(Row(x, label=label, key=f"{x}_less", **_FACTOR) for x, label in _COMPARED.items()),
]
_CALLS = [
    Row("call_cycles", label="Cycles of the call, transfers included", prints=False),
    Row(
        "call_cycles",
        mode="speedup",
        base="software_crt",
        key="speedup",
        label="Speed-up over software by primes",
    ),
]


def _calls() -> Sequence[Column]:
    software = [Column(x, {"subject": x}) for x in SOFTWARE]
    driven = [Column(x, {"subject": x}) for x in (XCEL.prefix + design for design in DRIVEN)]
    return [*software, *driven]


_TABLES = (
    ReportTable(
        f"{DOCUMENT}_steps",
        "Designs side by side, each step another choice",
        [*STEPS, *OTHERS],
        per("nbits", WIDTHS, _ROWS, "{} bits"),
        _WHERE,
        ("private_steps", "simulated", "glitches"),
    ),
    ReportTable(
        f"{DOCUMENT}_calls",
        "On the processor",
        _calls(),
        per("nbits", CALL_WIDTHS, _CALLS, "{} bits"),
        {"operation": _DECRYPT},
        ("private_calls",),
    ),
)
_POINTS, _NAMES = [{"nbits": n} for n in WIDTHS], [f"{n} bits" for n in WIDTHS]
_STYLE: Any = {"x_label": "time in ms", "log": "xy", "products": True, "point_names": _NAMES}
_PLOTS = (
    Plot(
        f"{DOCUMENT}_area_time",
        "Area over time of a private operation",
        "Cell area over the time of a private operation, per width and design.",
        [(Panel("time_ms", "area_kum2", [*STEPS, *OTHERS], _POINTS, _WHERE, **_STYLE),)],
        5.4,
        ("private_plot",),
    ),
)
_NOTES = {
    "private_steps": f"""The same operation of each: d of full size, or d modulo each prime less 1.
        lane: products of a high radix in place of bits in carry-save form, square and multiply
        always (orup_window with schedule=l2r_always); window: its two bits (orup_window);
        one_lane: by the primes, one half after the other (crt_window_shared); two_lanes: both at a
        time ({DESIGN}). Whole circuits, with their operands' registers; synthesized for
        {_CLOCK} ns, time at the smallest period.""",
    "private_calls": """From the first word of the operands to the last one of the result, on the
        circuit of the processor; constants of the key are there. software_crt: by the primes in
        windows of five bits, in the same time whatever key and message are.""",
    "private_plot": """Down and left is better; along a dotted line, area by time stays the same,
        from line to line it grows tenfold.""",
}
_HEADLINE = f"""A private operation of {NBITS} bits by the primes takes
    {{{{ ours('{DESIGN}', 'time_ms', operation='{_DECRYPT}') }}}} and
    {{{{ ours('{DESIGN}', 'energy_uj', operation='{_DECRYPT}') }}}}, and
    {{{{ times('{DESIGN}', '{BASE}', 'area_time_mm2_ms', operation='{_DECRYPT}') }}}} area by time
    than {BASE}."""

STUDY = Study(
    DOCUMENT,
    measurements,
    (
        Section(
            "by_the_primes",
            "By the primes",
            (*_PLOTS, *_TABLES),
            """No document has this one: two exponentiations of half the width by the Chinese
            remainder theorem, in windows whose digits all take as many cycles, on carry-save lanes
            of a high radix that find quotients without a multiplication.""",
        ),
    ),
    _NOTES,
    topic="A private operation by the primes",
    headline=_HEADLINE,
    where={"nbits": NBITS, "clock_ns": _CLOCK},
    without_document=True,
)
