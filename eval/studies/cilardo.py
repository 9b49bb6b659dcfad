"""Cilardo et al.: digit-serial products, 1024 bits, digits of S = 32 to 256 bits (figure 17.4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

from rsaxcel.eval.facts.fact import CELLS, Fact
from rsaxcel.eval.facts.printed import printed
from rsaxcel.eval.measure.cycles import operation
from rsaxcel.eval.measure.flows import AS_FAST_AS_CAN_BE_NS, flow, fpga, outline
from rsaxcel.eval.measure.job import Measurement
from rsaxcel.eval.measure.parts import fpga_parts
from rsaxcel.eval.report.spec import (
    Column,
    Panel,
    Plot,
    Reason,
    ReportTable,
    Row,
    Section,
    Study,
    per,
    rows,
)
from rsaxcel.fl.keys import public_exponent
from rsaxcel.flow.resources import SUMS

#: forms of the bus: operands in one message; digit by digit; digit by digit, to a memory with two
#: ports, as printed
WIDE, NARROW, PORTS = "wide", "digit", "dual_port"


def _stages(
    engine: str, memories: Sequence[str], others: Sequence[str], queues: bool = False
) -> dict[str, str]:
    """Stage of the document's pipeline for each path of an instance, see ``STAGES``."""
    adders = [f"{engine}.adders__{lane}" for lane in (0, 1)]
    registers = [f"{engine}.queues__{lane}" for lane in (0, 1) if queues]
    return {
        **dict.fromkeys((engine, *memories), "memory"),
        **dict.fromkeys((*adders, *registers), "write"),
        **{f"{adder}.{sums}": "adder" for adder in adders for sums in (SUMS, "carry_reg")},
        **dict.fromkeys(("", *others), "interface"),
    }


_NARROW_MEMORIES = ("memory", "sequencer", "loader")
#: Stage of the document's pipeline, by form and path of an instance, as in its figures: the
#: registers of a digit and of operand A belong to the last stage, carries to the adder, with the
#: narrow bus the exponent to the memory (Register E). Control, too, whose unit the document does
#: not place; the slices of the three stages add up to the area of figure 17.4. "interface" is not
#: in the document: wide bus: logic for operands as wide as the modulus, exponent and control;
#: narrow bus: the input rules, and a subtractor for the result.
STAGES = {
    WIDE: _stages("core.store.engine", ("core.store.memory",), ()),
    NARROW: _stages("engine", _NARROW_MEMORIES, ("loader.check", "unloader")),
    PORTS: _stages("engine", _NARROW_MEMORIES, ("loader.check", "unloader"), queues=True),
}

#: Sums of stages; the whole processor has an empty name.
SUMS_OF_STAGES = {
    "without_interface": ("memory", "adder", "write"),
    "without_memory": ("adder", "write"),
    "": ("memory", "adder", "write", "interface"),
}


def on_device(parts: Measurement) -> Measurement:
    """Add the number of processors that fill the document's device, by their estimated slices."""
    (device,) = (
        int(x.value) for x in printed().facts if (x.subject, x.quantity) == ("xcv2000e", "slices")
    )

    def facts(result: Any) -> Iterator[Fact]:
        for fact in parts.facts(result):
            yield fact
            if fact.quantity == "slices" and not fact.part:
                yield replace(fact, quantity="processors", value=device // int(fact.value))

    return replace(parts, facts=facts)


_STAGES, _PROCESSOR = "Figure 17.3", "Figure 17.4"

#: Reasons for differences; of several that hold for a figure, the first is taken.
REASONS = (
    Reason(
        "no open tool has the delays of Virtex-E; in cells, a stage's path alone says nothing: "
        "synthesis sizes the gates of all stages for the slowest (the period of the whole is "
        "beside figure 17.4)",
        _STAGES,
        {"quantity": "min_period_ns"},
    ),
    Reason(
        "at S = 64 to 256 the document has tristate buffers as multiplexers, here they are LUTs; "
        "at S = 32 its multiplexers are LUTs, too, and ours take more; at every S, control, "
        "loading and the exponent's current word are in this stage here",
        _STAGES,
        {"quantity": ("tristates", "logic_luts", "slices"), "part": "memory"},
    ),
    Reason(
        "the printed registers U have 32 words for every S, ours as many as an operand (33, 17, 9, "
        "5); and ours assumes full slices, while the printed ones are packed (1.3 times LUTs / 2 "
        "in this stage)",
        _STAGES,
        {"quantity": "slices", "part": "write"},
    ),
    Reason(
        "multiplexers are LUTs here, because the mapper has no tristate buffers",
        _STAGES,
        {"quantity": ("tristates", "logic_luts"), "part": "write"},
    ),
    Reason(
        "with the wide bus, operand A comes from its memory digit by digit, and is in no shift "
        "register",
        _STAGES,
        {"quantity": "shift_register_luts"},
    ),
    Reason(
        "here one constant, R^2 mod N, and the exponent; in the document RAM1 with its constants, "
        "4,096 bits for every S; it does not say which they are, and has the exponent in a "
        "register E",
        _STAGES,
        {"quantity": "single_port_memory_luts"},
    ),
    Reason(
        "LUTs have 16 words, and an operand has 33, 17, 9 or 5 words, where the printed memories "
        "have 32, 16, 8 or 4 for each number, and in the last stage 32 words for each U at every S",
        _STAGES,
        {"quantity": "dual_port_memory_luts"},
    ),
    Reason(
        "the exponent's current word (S bits), control and the counters of the bus are in FFs; the "
        "document prints 44 for every S",
        _STAGES,
        {"quantity": "registers"},
    ),
    Reason(
        "ours count what section 17.2 has not, or has otherwise: input rules and a subtractor for "
        "the result (116 to 710 slices), the exponent's word and its counters, and multiplexers in "
        "LUTs, where the document has tristate buffers (at S = 32 in its last stage only)",
        _PROCESSOR,
        {"quantity": "slices"},
    ),
    Reason(
        "clock and time: standard cells of 45 nm against an FPGA of 180 nm",
        _PROCESSOR,
        {"quantity": ("min_period_ns", "time_ms", "area_time_slices_ms")},
    ),
    Reason("a figure of the device, not of a design", "section 17.3"),
    Reason(
        "Blum and Paar's designs, which the document quotes, and its comparison with them: none of "
        "them is a design here",
        "section 17.4",
    ),
)


DOCUMENT = "cilardo"
DESIGN = "digit_serial_r2l"
NBITS = 1024
DIGITS = (32, 64, 128, 256)
LANES = {2: "with the Z-processor", 1: "without the Z-processor"}
FPGA = "xc7"
VIRTEX = "xcve"
WIDTHS = (256, 512, 1024)

#: Designs in the ranking by area by time.
RANKED = [
    *(
        Column(
            f"digit_serial_{digit_nbits}",
            {"subject": DESIGN, "choices": {"digit_nbits": digit_nbits}},
            label=f"{DESIGN}, S = {digit_nbits}",
        )
        for digit_nbits in DIGITS
    ),
    *(Column(x, {"subject": x}) for x in ("systolic_l2r_always", "ssmm_r2l", "montmul_r2l")),
]

_CLOCK = AS_FAST_AS_CAN_BE_NS
_AS_PRINTED = {"bus": "digit", "memory": PORTS, "lanes": 2}
_CHOICES = [{"choices": {"digit_nbits": x}} for x in DIGITS]


def measurements(max_nbits: int, library: str) -> list[Measurement]:
    """Cycles, flow and FPGA for every digit size S, and flows of ranked designs."""
    found = []
    if max_nbits >= NBITS:
        for lanes, digit_nbits in product(LANES, DIGITS):
            own: Any = {"digit_nbits": digit_nbits, "lanes": lanes}
            found += [
                operation(DESIGN, NBITS, "encrypt", public_exponent(NBITS), **own),
                flow(DESIGN, NBITS, library=library, **own),
                fpga(DESIGN, NBITS, FPGA, **own),
            ]
        for digit_nbits in DIGITS:
            own = {"digit_nbits": digit_nbits}
            found.append(fpga_parts(DESIGN, NBITS, VIRTEX, STAGES[WIDE], SUMS_OF_STAGES, **own))
            own = {"digit_nbits": digit_nbits, **_AS_PRINTED}
            found += [
                operation(DESIGN, NBITS, "encrypt", public_exponent(NBITS), **own),
                outline(DESIGN, NBITS, library, _CLOCK, **own),
                on_device(fpga_parts(DESIGN, NBITS, VIRTEX, STAGES[PORTS], SUMS_OF_STAGES, **own)),
            ]
    for design, choices in ((x.where["subject"], x.where.get("choices", {})) for x in RANKED):
        widths = (nbits for nbits in WIDTHS if nbits <= max_nbits)
        found += [flow(design, nbits, library=library, **choices) for nbits in widths]
    return found


_WIDE_COLUMNS = [
    Column(f"S_{digit_nbits}", {"subject": DESIGN, **x}, x, f"S = {digit_nbits}")
    for digit_nbits, x in zip(DIGITS, _CHOICES, strict=True)
]
_PRINTED_COLUMNS = [
    Column(
        f"S_{x}_printed",
        {"subject": DESIGN, "choices": {"digit_nbits": x, **_AS_PRINTED}},
        {"choices": {"digit_nbits": x}},
        f"S = {x}, as printed",
        base="S_32_printed",
        as_printed=True,
    )
    for x in DIGITS
]
_COLUMNS = [x for pair in zip(_PRINTED_COLUMNS, _WIDE_COLUMNS, strict=True) for x in pair]
_WHERE = {"nbits": NBITS, "operation": "encrypt", "clock_ns": _CLOCK}
_DECRYPTION = {"operation": "decrypt", "clock_ns": _CLOCK}
_CELLS, _ON_FPGA = {"library": CELLS}, {"library": FPGA}


def _both(quantity: str, where: Mapping[str, Any], section: str = "", **more: Any) -> list[Row]:
    """Rows with and without the Z-processor (second lane); the document prints those with it."""
    own: Any = {"section": section, "key": f"{quantity}_{more['mode']}" if "mode" in more else ""}
    return [
        Row(quantity, {**where, "choices": {"lanes": n}}, label=x, prints=n == 2, **own, **more)
        for n, x in LANES.items()
    ]


_SLICES_BY_TIME = "Slices (Virtex-E) by time in cells; printed: both on Virtex-E"
_SLICES_MS = {"quantity": "area_time_slices_ms"}
_OF_LEAST: Any = {"mode": "percent", "base": _WIDE_COLUMNS[0].key, "printed": _SLICES_MS}
_ENCRYPTION_ROWS = [
    *_both("cycles", {}, "Cycles"),
    *_both("min_period_ns", _CELLS, "Smallest clock period"),
    *_both("time_ms", _CELLS, "Time"),
    *_both("area_um2", _CELLS, "Cell area"),
    Row("slices", section="Slices of a Virtex-E (estimate)"),
    *_both("flip_flops", _CELLS, "Flip-flops"),
    *_both("area_time_um2_ms", _CELLS, "Area by time"),
    Row("area_time_slices_ms", _CELLS, section=_SLICES_BY_TIME),
    *_both("area_time_um2_ms", _CELLS, "Area by time, of that for S = 32", **_OF_LEAST),
]
_FPGA_ROWS = [
    *_both("luts", _ON_FPGA, "LUTs (estimate)"),
    *_both("memory_luts", _ON_FPGA, "of them memory and shift registers"),
    *_both("registers", _ON_FPGA, "Flip-flops (estimate)"),
    *_both("carry_bits", _ON_FPGA, "Carry (estimate)"),
    Row("slices", section="Slices of a Virtex-E (estimate)"),
]
_STAGE_ROWS = [
    *rows("registers", "logic_luts", "dual_port_memory_luts", "single_port_memory_luts"),
    *rows("shift_register_luts", "tristates"),
    Row("slices", label="Slices, if all were full"),
    Row("min_period_ns"),
    Row("multiplexers", label="Multiplexers are"),
]
_OWN_TIME = {**_CELLS, "quantity": "operations_per_s", "operation": "encrypt", "part": ""}


def _area_time(
    label: str, key: str, quantity: str, where: Mapping[str, Any], **more: Any
) -> list[Row]:
    """Rows for slices by time: relative to S = 32, and the rank of each S."""
    key, base = f"area_time_{key}", _PRINTED_COLUMNS[0].key
    row = partial(Row, quantity, where, section=label, **more)
    return [
        row(label="area by time, of that for S = 32", mode="percent", key=key, base=base),
        row(label="rank of area by time", mode="rank", key=f"{key}_rank"),
    ]


def _part_by_time(label: str, part: str) -> list[Row]:
    """Rows as ``_area_time`` for some stages of the processor; the document prints none."""
    where = {"part": part, "library": VIRTEX}
    return _area_time(label, part, "slices", where, over=_OWN_TIME, prints=False)


_AREA_TIME_ROWS = [
    *_area_time("The whole processor", "whole", "area_time_slices_ms", _CELLS),
    *_part_by_time("Without rules and final subtraction", "without_interface"),
    *_part_by_time("Without memories and control, too", "without_memory"),
]
_BLUM_PAAR = [
    Column(f"blum_paar_{x}", {"subject": f"blum_paar_{x}"}, label=f"Blum and Paar, {label}")
    for x, label in (
        ("fastest", "fastest"),
        ("smallest", "smallest"),
        ("best_area_time", "best area by time"),
    )
]
_DEVICE_ROWS = [
    Row("slices", section="Area"),
    Row("time_ms", _CELLS, section="Time of an encryption"),
    Row("area_time_slices_ms", _CELLS, section="Slices by time"),
    Row("processors", section="Processors on an XCV2000E", prints=False),
    Row("processors", section="Encryptions per ms of all of them", label="encryptions per ms",
        prints=False, key="device_throughput", over={**_CELLS, "quantity": "time_ms"}),
]  # fmt: skip
_RANKING_ROWS = [
    Row("area_um2", prints=False, section="Cell area"),
    Row("min_period_ns", prints=False, section="Smallest clock period"),
    Row("time_ms", prints=False, section="Time of a decryption"),
    Row("area_time_mm2_ms", prints=False, section="Area by time"),
    Row("area_time_mm2_ms", mode="rank", prints=False, section="Rank by area by time", key="rank"),
]
_TABLES = (
    ReportTable(
        f"{DOCUMENT}_encryption",
        "Encryption with 1024 bits (figure 17.4)",
        _COLUMNS,
        _ENCRYPTION_ROWS,
        _WHERE,
        ("cilardo_cycles", "cilardo_time"),
    ),
    ReportTable(
        f"{DOCUMENT}_area_time",
        "Area by time, with and without interface and memory",
        _PRINTED_COLUMNS,
        _AREA_TIME_ROWS,
        _WHERE,
        ("cilardo_area_time",),
    ),
    ReportTable(
        f"{DOCUMENT}_device",
        "Several processors on one device, beside Blum and Paar's (section 17.4)",
        [*_PRINTED_COLUMNS, *_BLUM_PAAR],
        _DEVICE_ROWS,
        _WHERE,
        ("cilardo_device",),
    ),
    ReportTable(
        f"{DOCUMENT}_fpga",
        "FPGA resources of the whole processor, beside the printed slices",
        _WIDE_COLUMNS,
        _FPGA_ROWS,
        _WHERE,
        ("cilardo_fpga", "fpga"),
    ),
    ReportTable(
        f"{DOCUMENT}_stages",
        "FPGA resources of each stage of the pipeline (figure 17.3)",
        _COLUMNS,
        per("part", dict.fromkeys(STAGES[WIDE].values()), _STAGE_ROWS),
        {"nbits": NBITS, "library": VIRTEX},
        ("cilardo_stages",),
    ),
    ReportTable(
        f"{DOCUMENT}_ranking",
        "Area by time against other designs",
        RANKED,
        per("nbits", WIDTHS, _RANKING_ROWS, "{} bits"),
        {**_CELLS, **_DECRYPTION},
        ("cilardo_ranking",),
    ),
)


def _over_digits(
    y: str, theirs_y: str, label: str, titles: Sequence[str] = ("", "")
) -> list[Panel]:
    """Panels over the digit size S: measured, with and without the Z-processor, and printed."""
    panel = partial(
        Panel, "digit_nbits", points=_CHOICES, where=_WHERE, x_label="S in bits", log="x"
    )
    ours = [Column(x, {"subject": DESIGN, "choices": {"lanes": n}}) for n, x in LANES.items()]
    theirs: Any = {"y_label": label, "measured": False, "printed": True}
    return [
        panel(y, ours, title=titles[0]),
        panel(theirs_y, [Column(LANES[2], {"subject": DESIGN})], title=titles[1], **theirs),
    ]


_TITLES = ("measured: NanGate45", "printed: Virtex-E")
_WIDTH_POINTS, _NAMES = [{"nbits": n} for n in WIDTHS], [f"{n} bits" for n in WIDTHS]
_STYLE: Any = {"x_label": "time of a decryption in ms", "log": "xy", "products": True}
_AREA_OVER_TIME = Panel(
    "time_ms", "area_kum2", RANKED, _WIDTH_POINTS, _DECRYPTION, point_names=_NAMES, **_STYLE
)
_PLOTS = (
    Plot(
        f"{DOCUMENT}_digits",
        "Time, area and their product over S (figure 17.4)",
        f"Time, area and area by time of an encryption of {NBITS} bits over the bits of a digit, "
        "measured and printed.",
        [
            _over_digits("time_ms", "time_ms", "time (ms)", _TITLES),
            _over_digits("area_kum2", "slices", "slices"),
            _over_digits("area_time_mm2_ms", "area_time_slices_ms", "slices by time (ms)"),
        ],
        7.0,
        ("cilardo_digits",),
    ),
    Plot(
        f"{DOCUMENT}_ranking",
        "Area over time, against other designs",
        "Cell area over the time of a decryption, per width and design.",
        [(_AREA_OVER_TIME,)],
        5.4,
        ("cilardo_ranking_plot",),
    ),
)
_NOTES = {
    "cilardo_cycles": """Request accepted to response complete, on the circuit; loading the operands
        is not counted: the document's formula has no cycles for it. Figure 17.4 prints the cycles
        for S = 64 and 128 in each other's row; here they stand where formula and times have them.
        As printed: operands come and the result leaves digit by digit; numbers share one memory
        with two ports, the constant has one with one port; the input rules take two more cycles,
        and are not in the document.""",
    "cilardo_time": f"""Synthesized for {_CLOCK} ns, which at S = 32 {{{{ met('digit_serial_r2l',
        choices={{'digit_nbits': 32, 'lanes': 2}}) }}}}. Time: cycles at the smallest period. The
        printed time for S = 256 is a little less than its cycles take at its period. The document's
        period grows with S, and its area by time is least at S = 64; the adders here take hardly
        longer for more bits. Slices are estimates for Virtex-E, as in the table of stages; slices
        by time take the time in cells.""",
    "cilardo_fpga": """Estimates with the wide bus: LUTs, flip-flops and carry for Xilinx 7 series,
        whose LUTs have six inputs. Slices are those of a Virtex-E, of the table of stages, with two
        LUTs of four inputs and two flip-flops; 3,085 to 3,309 of them are the wide interface, which
        the document has not. Request and response are as wide as the operands here, and words are
        selected from them; the document takes and gives words, as the designs as printed do.""",
    "cilardo_stages": """Estimates for Virtex-E, the printed family, each module mapped on its own;
        nothing is packed, placed or routed. Here, 'memory' contains residues, 2B + N, what selects
        their words, and control; as printed also the exponent. 'Adder' contains the adder's bits
        and carries. 'Write' contains the running sums, and all registers of a digit; as printed
        also operand A. 'Interface' contains, with the wide bus, operands and results as wide as the
        modulus, and the exponent; as printed, the input rules and a subtractor for the result, for
        which the document takes the P-processor's adder. The document has control in a unit of its
        own and does not say in which figures it is; the slices of the three stages add up to the
        area of figure 17.4. As printed, one memory with two ports has four numbers one behind the
        other; with the wide bus, each number has a memory of its own. Multiplexers are LUTs,
        because the mapper has no tristate buffers.""",
    "cilardo_area_time": """Slices for Virtex-E times the time of an encryption in cells; the
        document ranks whole processors. In cells the period hardly grows with S, while the
        document's grows 3.5-fold from S = 32 to 256, so that the best S need not be the same.""",
    "cilardo_device": """Section 17.4 proposes several processors on one device and prints no
        figure for them. Here an XCV2000E, with 19,200 slices, is filled with as many as the
        estimate allows, without what would distribute messages and keys. By the document's slices
        it would be 19, 16, 10 and 6; its tristate buffers, of which the device has 19,520, allow
        43, 9, 4 and 2. Blum and Paar's figures are quoted by the document, for another device and
        its clock; 3,649 is 4,865 x 0.75, not printed. Times here are those of cells of 45 nm, so
        that only ratios between the columns of one source compare.""",
    "cilardo_ranking": f"""A decryption with the standard key's d, of full size. Area by time at the
        smallest period; all are synthesized for {_CLOCK} ns, which at {NBITS} bits {{{{
        met('systolic_l2r_always', 'ssmm_r2l', 'montmul_r2l') }}}}. Rank 1 is the smallest.""",
    "cilardo_digits": """With e = 65537. Left: cells, time at the smallest period; right: what the
        document prints for a Virtex-E, with the Z-processor only.""",
    "cilardo_ranking_plot": """Down and left is better; along a dotted line, area by time stays the
        same, from line to line it grows tenfold.""",
}

_HEADLINE = f"""An encryption of {NBITS} bits with two lanes takes
    {{{{ ours('{DESIGN}', 'time_ms', operation='encrypt',
    choices={{'digit_nbits': 32, 'lanes': 2}}) }}}} with digits of 32 bits, and
    {{{{ ours('{DESIGN}', 'time_ms', operation='encrypt',
    choices={{'digit_nbits': 256, 'lanes': 2}}) }}}} with digits of 256 bits."""

STUDY = Study(
    DOCUMENT,
    measurements,
    (
        Section(
            "cilardo_digit_serial",
            "Digit-serial products",
            (*_PLOTS, *_TABLES),
            f"""Exponentiation of {NBITS} bits with e = 65537 in additions of S bits, with a
            processor of their own for the squares (Z-processor) or on one processor alone. The
            printed figures are those of a Virtex-E: its slices compare with cell area by their
            ratios only.""",
        ),
    ),
    _NOTES,
    topic="Digit-serial products",
    headline=_HEADLINE,
    where={"nbits": NBITS, "clock_ns": _CLOCK},
    reasons=REASONS,
)
