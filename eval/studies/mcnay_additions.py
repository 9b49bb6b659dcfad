"""Cost of the instructions that McNay adds to his course's processor (his section 2.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rsaxcel.eval.measure.flows import outline
from rsaxcel.eval.measure.job import Measurement
from rsaxcel.eval.report.names import PRINTED_END
from rsaxcel.eval.report.spec import Column, ReportTable, Row, Section, Where
from rsaxcel.eval.studies.systems import NBITS, Accelerator, SystemGroup
from rsaxcel.flow.kit import CLOCK_NS
from rsaxcel.proc.instruction_sets import INSTRUCTION_SETS, MCNAY, PARAMETER, RV32IM, TINYRV2
from rsaxcel.proc.parameters import DIVIDER
from rsaxcel.proc.systems import NULL_SYSTEM

SMALL, LARGE = "mulrem_r2l", "mont_r2l"
STANDARD = (Accelerator(SMALL), Accelerator(LARGE), Accelerator("mont_r2l_shared"))
_DIVIDER = {"proc_divider": "aligning", "proc_divider_bits_per_cycle": 1}
_PROCESSOR = {"proc_product_stage": "X", **_DIVIDER, "software": "printed"}
_LOOP = {"schedule": "r2l_every_square"}
AS_PRINTED = SystemGroup(
    "printed_",
    (
        Accelerator(
            SMALL,
            {**_LOOP, "divider": "aligning", "operands": "registered"},
            _PROCESSOR,
            SMALL + PRINTED_END,
            as_printed=True,
        ),
        Accelerator(
            LARGE,
            {
                **_LOOP,
                "add_red": "own_sum",
                "operands": "registered",
                "r2_bits_per_cycle": 1,
                "r2_divider": "aligning",
            },
            _PROCESSOR,
            LARGE + PRINTED_END,
            as_printed=True,
        ),
    ),
    _PROCESSOR,
    PRINTED_END,
    as_printed=True,
)
"""Systems built as in the document: dividers of one bit per cycle, programs as in its listings."""

PLACED_GROUPS = (SystemGroup("placed_", STANDARD), replace(AS_PRINTED, key="placed_printed_"))
"""Systems that are placed: the standard ones, and those of the document as they are printed."""


SETS = {
    TINYRV2.name: "TinyRV2",
    "tinyrv2_divu": "with divu, remu",
    "tinyrv2_mulhu": "with mulhu",
    "tinyrv2_lbu": "with lbu",
    MCNAY.name: "with all of them",
    RV32IM.name: "RV32IM",
}
"""Instruction sets that are compared, and their labels."""

PROCESSORS: dict[str, tuple[str, Mapping[str, Any]]] = {
    "": ("The processor as it is here", {}),
    PRINTED_END: ("The processor as the document has it", AS_PRINTED.on_null),
}
"""Titles and parameters of the processors that are compared, by the end of their columns' keys."""

_ROWS = [
    Row("area_um2", label="Whole system"),
    Row("added_area_um2", mode="less", of="area_um2", label="Less TinyRV2", prints=False),
    Row("area_ratio", mode="ratio", of="area_um2", label="Over TinyRV2", prints=False),
    Row("min_period_ns", prints=False),
]


def columns(end: str) -> list[Column]:
    """Columns of a processor with each of ``SETS``; ``end``: of the keys, "" or PRINTED_END."""
    # A processor without division has no parameters of a divider.
    _, processor = PROCESSORS[end]
    ending = ", as printed" if end else ""
    found = []
    for isa, label in SETS.items():
        divides = INSTRUCTION_SETS[isa].divides
        own = {k: v for k, v in processor.items() if divides or not k.startswith(DIVIDER)}
        choices = own if isa == RV32IM.name else {**own, PARAMETER: isa}
        is_his = isa == MCNAY.name and end == PRINTED_END
        where = {"subject": NULL_SYSTEM, "choices": choices}
        printed: Any = {"choices": {}}
        found.append(
            Column(isa + end, where, printed, label + ending, prints=is_his, as_printed=is_his)
        )
    return found


def measurements(library: str) -> list[Measurement]:
    return [
        outline(NULL_SYSTEM, NBITS, library, CLOCK_NS, **column.where["choices"])
        for end in PROCESSORS
        for column in columns(end)
        if PARAMETER in column.where["choices"]
    ]


def section(where: Where) -> Section:
    """Return the section; ``where``: conditions common to all cells."""
    tables = []
    for end, (title, _) in PROCESSORS.items():
        shown = columns(end)
        content = [replace(x, base=shown[0].key) if x.of else x for x in _ROWS]
        key = f"added_instructions{end}"
        tables.append(ReportTable(key, title, shown, content, where, ("additions",), folded=False))
    return Section(
        "additions",
        "What the added instructions cost",
        tables,
        """The document adds divu and remu, mulhu and lbu to the processor of its course, for its
        software; the course's published labs call the instruction set without them TinyRV2. It
        prints no area of them, only that of the whole processor with all of them. Here each can be
        left out (proc_isa): its unit and its part of the decoder are then not in the circuit.""",
        folded=True,
    )
