"""Li and Chu: bit-serial Montgomery against shift-sub products, 64 to 2048 bits (table 1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rsaxcel import catalog
from rsaxcel.cl.exponentiator import STROBE
from rsaxcel.eval.facts.fact import CELLS
from rsaxcel.eval.measure.cycles import average, calls
from rsaxcel.eval.measure.flows import AS_FAST_AS_CAN_BE_NS, flow, fpga
from rsaxcel.eval.measure.job import Measurement
from rsaxcel.eval.report.names import PRINTED_END, subject_label
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
    per,
    per_operation,
)
from rsaxcel.proc.systems import NULL_SYSTEM

DOCUMENT = "li_chu"
PRINTED = ("montred_r2l", "montmul_r2l", "ssmm_r2l")
NAMES = (*PRINTED[:2], "montmul_csa_r2l", "ssmm_r2l", "montmul_r2l_shared", "ssmm_r2l_shared")
BASE = "montmul_r2l"
WIDTHS = (64, 128, 256, 512, 1024, 2048)
KEYS = 20
#: Choices with which each algorithm is built as the document prints it.
AS_PRINTED: Mapping[str, Mapping[str, Any]] = {
    **{x: {"r2_recurrence": "unsigned", "recurrence": "unsigned"} for x in PRINTED[:2]},
    "ssmm_r2l": {"control": "strobe", "recurrence": "unsigned"},
}

CALL_NBITS = 1024
#: System and program that are measured for each column of the table of calls.
CALLS = {
    "software_naive": (NULL_SYSTEM, "naive"),
    "software_montgomery": (NULL_SYSTEM, "montgomery"),
    "proc_montmul_r2l": ("proc_montmul_r2l", "xcel"),
    "proc_ssmm_r2l": ("proc_ssmm_r2l", "xcel"),
}

_FAMILY = "cyclonev"
_MOST_FLOW_NBITS = 1024
_MOST_PRINTED_FLOW_NBITS = 256
#: This design is synthesized up to the following widths only (for standard cells, for the FPGA):
#: the area of its combinational multipliers grows with the square of the width, and the synthesis
#: time even faster.
_WIDE_PRODUCTS = "montred_r2l"
_WIDE_PRODUCTS_NBITS = 128
_WIDE_PRODUCTS_FPGA_NBITS = 256
_COLUMNS = [Column(name, {"subject": name}) for name in NAMES]
_PRINTED_COLUMNS = [
    Column(
        f"{name}{PRINTED_END}",
        {"subject": name, "choices": choices},
        {"choices": {}},
        as_printed=True,
    )
    for name, choices in AS_PRINTED.items()
]
_PRINTED_BASE = f"{BASE}{PRINTED_END}"
_BASES = [x for x in _PRINTED_COLUMNS if x.key == _PRINTED_BASE]
_AVERAGE = {"operation": "average", "clock_ns": AS_FAST_AS_CAN_BE_NS}
_CELLS, _FPGA = {"library": CELLS}, {"library": _FAMILY}


def measurements(max_nbits: int, library: str) -> list[Measurement]:
    """Measurements: cycles, flow and FPGA resources of the designs, and calls on the processor."""
    found = []
    for nbits in (n for n in WIDTHS if n <= max_nbits):
        for name in NAMES:
            if nbits in catalog.get(name).widths:
                found += _of(name, nbits, library)
        for name, choices in AS_PRINTED.items():
            found += _of_printed(name, choices, nbits, library)
    if max_nbits >= CALL_NBITS:
        for subject, (system, program) in CALLS.items():
            found += calls(subject, system, program, CALL_NBITS, OPERATION_TITLES)
    return found


def _of(name: str, nbits: int, library: str) -> list[Measurement]:
    found = [average(name, nbits, KEYS, {"document_handshake_cycles": STROBE})]
    wide = name == _WIDE_PRODUCTS
    if nbits <= (_WIDE_PRODUCTS_NBITS if wide else _MOST_FLOW_NBITS):
        found.append(flow(name, nbits, library=library))
    if name in PRINTED and (nbits <= _WIDE_PRODUCTS_FPGA_NBITS or not wide):
        found.append(fpga(name, nbits, _FAMILY))
    return found


def _of_printed(
    name: str, choices: Mapping[str, Any], nbits: int, library: str
) -> list[Measurement]:
    wide = name == _WIDE_PRODUCTS
    found = []
    if "control" in choices and nbits <= _MOST_PRINTED_FLOW_NBITS:
        found.append(average(name, nbits, KEYS, **choices))
    if nbits <= _MOST_PRINTED_FLOW_NBITS and not wide:
        found.append(flow(name, nbits, library=library, **choices))
    if nbits <= _WIDE_PRODUCTS_NBITS or not wide:
        found.append(fpga(name, nbits, _FAMILY, **choices))
    return found


def _table(key: str, title: str, rows: Sequence[Row], *notes: str) -> ReportTable:
    by_width = per("nbits", WIDTHS, rows, "{} bits")
    return ReportTable(f"{DOCUMENT}_{key}", title, _COLUMNS, by_width, _AVERAGE, notes)


_ALMS = "FPGA: logic modules (measured: estimate)"
_REGISTERS = "FPGA: flip-flops (measured: estimate)"
_AS_CYCLES: Any = {"printed": {"quantity": "cycles"}}
_AS_REGISTERS: Any = {"printed": {"quantity": "registers"}}
_OVER_PRINTED = "The document's handshake, against the printed cycles"
_PRODUCTS = "Cell area by time; printed: logic modules by time"
_OVER: Any = {"mode": "percent", "base": BASE}
_CYCLES = [
    Row("cycles", label="This circuit"),
    Row(
        "document_handshake_cycles",
        label="With the document's handshake",
        as_printed=True,
        **_AS_CYCLES,
    ),
    Row("cycles", label="This circuit, against the printed cycles", mode="deviation"),
    Row("document_handshake_cycles", mode="deviation", **_AS_CYCLES, label=_OVER_PRINTED),
]
_TIMING = [
    Row("min_period_ns", prints=False),
    Row("frequency_mhz"),
    Row("time_ms", label="Time per operation"),
]
_AREA = [
    Row("area_um2", _CELLS),
    Row("flip_flops", label="Flip-flops of the cells", **_AS_REGISTERS),
    Row("alms", _FPGA, label=_ALMS),
    Row("registers", _FPGA, label=_REGISTERS),
    Row("dsps", _FPGA, label="FPGA: DSP blocks (measured: estimate)"),
]
_RATIOS = [
    Row("area_um2", _CELLS, **_OVER, label="Cell area"),
    Row("alms", _FPGA, **_OVER, label=_ALMS),
    Row("flip_flops", **_OVER, label="Flip-flops", **_AS_REGISTERS),
    Row("time_ms", **_OVER, label="Time per operation"),
    Row("area_time_um2_ms", {}, {"quantity": "area_time_alms_ms"}, **_OVER, label=_PRODUCTS),
]
_WITH_CELLS = [n for n in WIDTHS if n <= _MOST_PRINTED_FLOW_NBITS]
_OVER_BASE: Any = {"mode": "percent", "base": _PRINTED_BASE}
_AS_PRINTED = [
    *per("nbits", _WITH_CELLS, [Row("cycles", label="Cycles from strobe to ready")], "{} bits"),
    *per("nbits", _WITH_CELLS, [Row("min_period_ns", prints=False)], "{} bits"),
    *per("nbits", _WITH_CELLS, [Row("area_um2", _CELLS)], "{} bits"),
    *per(
        "nbits",
        WIDTHS,
        [Row("alms", _FPGA, label=_ALMS), Row("registers", _FPGA, label=_REGISTERS)],
        "{} bits",
    ),
]
_AS_PRINTED_RATIOS = [
    *per("nbits", _WITH_CELLS, [Row("area_um2", _CELLS, **_OVER_BASE, label="Cell area")]),
    *per(
        "nbits",
        WIDTHS,
        [
            Row("alms", _FPGA, **_OVER_BASE, label=_ALMS),
            Row("registers", _FPGA, **_OVER_BASE, label=_REGISTERS),
        ],
    ),
]
#: Widths at which table 1 has the ratios that the abstract gives as the least and the most, among
#: the widths that the document implements, 64 to 1024 bits.
_ABSTRACT = {
    ("least", "alms"): 1024,
    ("most", "alms"): 512,
    ("least", "registers"): 64,
    ("most", "registers"): 1024,
}
_ENDS = [
    Row(
        f"{end}_{resource}_over_montmul_percent",
        {**_FPGA, "nbits": nbits},
        {"nbits": 0, "operation": ""},
        mode="percent",
        of=resource,
        base=_PRINTED_BASE,
        label=f"{label}, {end}: {nbits} bits",
        key=f"{end}_{resource}_over_montmul_percent",
    )
    for (end, resource), nbits in _ABSTRACT.items()
    for label in ({"alms": "Logic modules", "registers": "Flip-flops"}[resource],)
]
_ENERGY = [
    Row("energy_uj", {"operation": "decrypt"}, label="Decryption"),
    Row("simulated_percent", {"operation": "decrypt"}),
]


def _speedup(base: str) -> Row:
    label, key = f"speed-up over {subject_label(base)}", f"{CALL_NBITS}_bits_speedup_{base}"
    return Row("cycles", mode="speedup", base=base, key=key, label=label)


_TABLES = (
    _table("cycles", "Cycles per operation", _CYCLES, "li_chu_cycles"),
    _table("timing", "Clock and time per operation", _TIMING, "li_chu_timing"),
    _table("area", "Area and registers", _AREA, "li_chu_area", "fpga"),
    _table("ratios", f"Against {BASE}", _RATIOS, "li_chu_ratios"),
    ReportTable(
        f"{DOCUMENT}_as_printed",
        "As printed",
        _PRINTED_COLUMNS,
        _AS_PRINTED,
        _AVERAGE,
        ("li_chu_as_printed", "fpga"),
    ),
    ReportTable(
        f"{DOCUMENT}_printed_ratios",
        f"As printed, against {BASE}",
        [x for x in _PRINTED_COLUMNS if x.key != _PRINTED_BASE],
        _AS_PRINTED_RATIOS,
        _AVERAGE,
        ("li_chu_printed_ratios",),
        bases=_BASES,
    ),
    ReportTable(
        f"{DOCUMENT}_abstract",
        f"As printed, against {BASE}: the abstract",
        [x for x in _PRINTED_COLUMNS if x.where["subject"] == "ssmm_r2l"],
        _ENDS,
        _AVERAGE,
        ("li_chu_abstract",),
        bases=_BASES,
    ),
    _table("energy", "Energy", _ENERGY, "li_chu_energy", "simulated", "glitches"),
    ReportTable(
        f"{DOCUMENT}_calls",
        f"Exponentiation of {CALL_NBITS} bits on the processor",
        [Column(name, {"subject": name}) for name in CALLS],
        per_operation([Row("cycles", label="call"), *map(_speedup, list(CALLS)[:2])]),
        {"nbits": CALL_NBITS},
        ("li_chu_calls",),
    ),
)


def _cost(nbits: int, number: int) -> Plot:
    common: Any = {"where": {**_AVERAGE, "nbits": nbits}, "log": "y", "names": True}
    common |= {"x": "time_ms", "x_label": "time per operation in ms", "series": _COLUMNS}
    ours = Panel(y="area_kum2", title="measured: NanGate45", **common)
    theirs = Panel(y="alms", title="printed: Cyclone V", measured=False, printed=True, **common)
    return Plot(
        f"{DOCUMENT}_{nbits}_bits",
        f"Cost and performance at {nbits} bits (as figure {number})",
        f"Area over the time of an exponentiation of {nbits} bits, measured and printed.",
        [(ours,), (theirs,)],
        6.4,
        ("li_chu_plots",),
    )


_OVER_WIDTH: Any = {"points": [{"nbits": n} for n in WIDTHS], "where": _AVERAGE, "log": "xy"}
_SCALING = Plot(
    f"{DOCUMENT}_scaling",
    "Area and time over the width",
    "Cell area and time of an exponentiation over the width in bits.",
    [
        (Panel("nbits", "area_kum2", _COLUMNS, **_OVER_WIDTH),),
        (Panel("nbits", "time_ms", _COLUMNS, **_OVER_WIDTH, printed=True),),
    ],
    7.2,
)

_NOTES = {
    "li_chu_cycles": f"""Mean of encryption and decryption over {KEYS} RSA keys with e and d of full
        size, by the cycle model; both operations of the first key run on the circuit, too, and take
        as many cycles. Of the document's keys, only that
        of 128 bits is printed. Its handshake takes five cycles per
        exponent bit besides the multiplier's iterations; with it, the model takes the cycles of the
        document's 128-bit example exactly.""",
    "li_chu_timing": f"""Synthesized for {AS_FAST_AS_CAN_BE_NS} ns; at 256 bits {{{{ met(*{NAMES!r},
        nbits=256) }}}} it: the flow makes each design as fast as it can. Time per operation,
        measured: mean cycles at the smallest period; printed: cycles at F.""",
    "li_chu_area": f"""Exponentiators alone. Cells as synthesized. Table 1 has a column of
        DSP blocks, which the copy at hand lacks; algorithm 2's products are in some here. In cells,
        it is synthesized to {_WIDE_PRODUCTS_NBITS} bits: its combinational multipliers grow with
        the square of the width. Above {_MOST_FLOW_NBITS} bits there are FPGA estimates only.""",
    "li_chu_ratios": f"""In percent of {BASE}. Printed ratios follow from table 1; the document's
        text says 55 to 59 % of the logic modules and 69 to 85 % of the registers. Cell area of
        ssmm_r2l over that of {BASE} at 1024 bits: {{{{ ratio('ssmm_r2l', '{BASE}', 'area_um2')
        }}}}. Area by time: cell area, or logic modules, times the time per operation.""",
    "li_chu_as_printed": f"""Algorithms 1, 3 and 5 with unsigned running values
        (recurrence=unsigned), and algorithm 6 with the strobes of the printed Verilog
        (control=strobe). The Verilog of algorithms 2 and 4 is not printed; their control is ours.
        From the strobe to ready takes one cycle more than busy is high, which the document counts.
        Cycles and cells to {_MOST_PRINTED_FLOW_NBITS} bits; algorithm 2 on the FPGA only, to
        {_WIDE_PRODUCTS_NBITS} bits.""",
    "li_chu_printed_ratios": f"""In percent of {BASE} as printed, beside the ratio that follows from
        table 1. Unlike the printed Verilog, ssmm_r2l checks its operands
        here, and has one register for the modulus; the control of montmul_r2l is ours.""",
    "li_chu_abstract": """At the width at which table 1 has the ratio. 69 % of the registers is read
        as a slip for 79 %: the least ratio of table 1 is 78.6 %, at 64 bits, among the widths that
        the document implements.""",
    "li_chu_energy": "A decryption with the standard key's d, which has full size.",
    "li_chu_calls": """Call of the exponentiation on the processor at RTL with a memory that answers
        in one cycle, operand transfers included, less the call of a dummy function; one operation
        with the standard key (e = 65537, d of full size), run from beginning to end.""",
    "li_chu_plots": """Down and left is better. Above: NanGate45 cells, as synthesized; below: what
        the document prints for a Cyclone V.""",
}

_HEADLINE = """At 1024 bits, shift-sub products (ssmm_r2l) take
    {{ times('ssmm_r2l', 'montmul_r2l', 'alms') }} logic than bit-serial Montgomery (montmul_r2l)
    in our form, with signed running values (the document prints 0.55 of the modules for its own),
    and {{ ours('ssmm_r2l', 'cycles', operation='average') }} on average against
    {{ ours('montmul_r2l', 'cycles', operation='average') }}."""

STUDY = Study(
    DOCUMENT,
    measurements,
    (
        Section(
            "li_chu_products",
            "Bit-serial Montgomery against shift-sub products",
            (_cost(128, 6), _cost(1024, 7), _SCALING, *_TABLES),
            """Algorithm 2 (montred_r2l), algorithm 4 (montmul_r2l) and algorithm 6 (ssmm_r2l) of
            the document, each with two multipliers; algorithm 4 in carry-save form
            (montmul_csa_r2l); and algorithms 4 and 6 on one multiplier (shared). The printed
            figures are those of an FPGA: they compare with clock and area of standard cells by
            their ratios only.""",
        ),
    ),
    _NOTES,
    topic="Bit-serial Montgomery against shift-sub products",
    headline=_HEADLINE,
    where={"nbits": 1024, "clock_ns": AS_FAST_AS_CAN_BE_NS},
    reasons=(
        Reason(
            "standard cells of 45 nm against an FPGA, whose clock the estimate does not tell",
            "Table 1",
            {"quantity": ("frequency_mhz", "time_ms")},
        ),
        Reason(
            "what of the large products goes into DSP blocks, and what into logic, is the mapper's "
            "choice: at 256 bits, most is in DSP blocks here",
            "Table 1",
            {"subject": _WIDE_PRODUCTS, "quantity": "alms"},
        ),
        Reason(
            "the printed counts at 64 bits are high for their width: that of algorithm 6 is above "
            "the 789 flip-flops that its printed Verilog declares, as if registers were "
            "duplicated; from 128 bits on its counts are below the declared ones, as if equal ones "
            "were merged",
            "Table 1",
            {"quantity": "registers", "nbits": 64},
        ),
    ),
)
