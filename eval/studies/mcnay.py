"""McNay: a processor with software and with two accelerators, 32 bits (tables 1 to 3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from rsaxcel import catalog
from rsaxcel.diagnosis.check import check_target
from rsaxcel.eval.facts.quantities import POWERS, find_quantity
from rsaxcel.eval.measure.flows import at_layout, outline
from rsaxcel.eval.measure.job import Measurement
from rsaxcel.eval.measure.memo import texts
from rsaxcel.eval.measure.structure import STAGE, structure
from rsaxcel.eval.report.names import PRINTED_END, label_of, subject_label
from rsaxcel.eval.report.spec import (
    OPERATION_TITLES,
    Column,
    Layouts,
    Mode,
    Panel,
    Parts,
    Plot,
    Reason,
    ReportTable,
    Row,
    Section,
    Study,
    Text,
    Where,
    in_section,
    per_operation,
    rows,
)
from rsaxcel.eval.studies.systems import NBITS, SOFTWARE, Accelerator, SystemGroup
from rsaxcel.flow.kit import CLOCK_NS, DEFAULT_LIBRARY
from rsaxcel.flow.layout import PLACED, SYNTHESIZED, Layout
from rsaxcel.proc.instruction_sets import INSTRUCTION_SETS, MCNAY, PARAMETER, RV32IM, TINYRV2
from rsaxcel.proc.parameters import DIVIDER
from rsaxcel.proc.systems import NULL_SYSTEM

SMALL, LARGE = "mulrem_r2l", "mont_r2l"
STANDARD = (Accelerator(SMALL), Accelerator(LARGE), Accelerator("mont_r2l_shared"))
_DIVIDER = {"proc_divider": "aligning", "proc_divider_bits_per_cycle": 1}
_PROCESSOR = {"proc_product_stage": "X", **_DIVIDER, "software": "printed"}
_LOOP = {"schedule": "r2l_every_square"}
#: Systems built as in the document: dividers of one bit per cycle, programs as in its listings.
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

#: Systems that are placed: the standard ones, and those of the document as they are printed.
PLACED_GROUPS = (SystemGroup("placed_", STANDARD), replace(AS_PRINTED, key="placed_printed_"))


#: Instruction sets that are compared, and their labels.
SETS = {
    TINYRV2.name: "TinyRV2",
    "tinyrv2_divu": "with divu, remu",
    "tinyrv2_mulhu": "with mulhu",
    "tinyrv2_lbu": "with lbu",
    MCNAY.name: "with all of them",
    RV32IM.name: "RV32IM",
}

#: Titles and parameters of the processors that are compared, by the end of their columns' keys.
PROCESSORS: dict[str, tuple[str, Mapping[str, Any]]] = {
    "": ("The processor as it is here", {}),
    PRINTED_END: ("The processor as the document has it", AS_PRINTED.on_null),
}

_ROWS = [
    Row("area_um2", label="Whole system"),
    Row("added_area_um2", mode="less", of="area_um2", label="Less TinyRV2", prints=False),
    Row("area_ratio", mode="ratio", of="area_um2", label="Over TinyRV2", prints=False),
    Row("min_period_ns", prints=False),
]


def addition_columns(end: str) -> list[Column]:
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


def addition_measurements(library: str) -> list[Measurement]:
    return [
        outline(NULL_SYSTEM, NBITS, library, CLOCK_NS, **column.where["choices"])
        for end in PROCESSORS
        for column in addition_columns(end)
        if PARAMETER in column.where["choices"]
    ]


def additions_section(where: Where) -> Section:
    """Return the section; ``where``: conditions common to all cells."""
    tables = []
    for end, (title, _) in PROCESSORS.items():
        shown = addition_columns(end)
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


#: How all systems of the document are placed: their wires have room at this utilisation.
LAYOUT = Layout(PLACED, utilisation=0.7)
#: How the systems as printed are placed: with seed 1, a pin of one keeps a load above its limit.
PRINTED_LAYOUT = replace(LAYOUT, seed=2)

_PRINTED: Any = {"choices": {}}
_AT_CLOCK = {"nbits": NBITS, "clock_ns": CLOCK_NS}
_OVER: Any = {"mode": "over_printed", "prints": False}
_STAGES = (
    Column(SYNTHESIZED, {"stage": SYNTHESIZED}),
    Column(PLACED, {"stage": PLACED}, prints=False),
    *(Column(f"{x}_over_printed", {"stage": x}, **_OVER) for x in (SYNTHESIZED, PLACED)),
)
_ENERGIES = {
    "program_power_mw": "power of the whole program",
    "program_energy_nj": "energy of the whole program",
    "power_mw": "power, normalized",
    "energy_nj": "energy, normalized",
}
_PLACED_COMPARED = ("operations_per_s", "power_mw", "energy_nj")


def placed_measurements(groups: Sequence[SystemGroup], library: str) -> list[Measurement]:
    """Return measurements of placed systems, and of the document's accelerators alone."""
    # Only with the default library: wires and limits of clock trees are set for its layers.
    if library != DEFAULT_LIBRARY:
        return []
    alone = [x.flow_alone(library) for x in _of_the_document(groups)[0].accelerators]
    systems = [
        at_layout(measurement, PRINTED_LAYOUT if group.as_printed else LAYOUT)
        for group in groups
        for measurement in (
            group.flow_null(library),
            *(x.flow_driven(library) for x in group.accelerators),
        )
    ]
    return [*systems, *(at_layout(x, LAYOUT) for x in alone)]


def placed_section(groups: Sequence[SystemGroup]) -> Section:
    """Return the section of placed figures: systems as here, as in the document, alone."""
    return Section(
        "placed",
        "Placed, beside the printed figures",
        (
            *_texts(groups),
            *(plot for x in groups[:1] for plot in placed_scatters(x.columns, x.key, PLACED)),
            *_placed_tables(groups[0], _of_the_document(groups)[0].accelerators),
            *(table for group in groups[1:] for table in _placed_tables(group)),
        ),
        f"""The document's circuits are placed and routed, with a clock tree, by a commercial flow,
        probably with the cells that are used here (the document does not name them). Here they are
        placed at a utilisation of {LAYOUT.utilisation:g}, with clock tree and estimated wires,
        under the same constraint of {CLOCK_NS:g} ns as the synthesized ones.""",
        folded=True,
    )


def placed_scatters(
    columns: Sequence[Column], key: str = "systems_", stage: str = SYNTHESIZED
) -> tuple[Plot, Plot]:
    """Make plots of area and energy over performance at a stage; keys begin with ``key``."""

    def scatter(what: str, figure: int, quantity: str, log: str, title: str, *notes: str) -> Plot:
        style: Any = {"printed": True, "names": True, "log": log}
        panel = partial(Panel, "performance_mops", quantity, columns, **style)
        where = {**_AT_CLOCK, "stage": stage}
        panels = [
            (panel(where={**where, "operation": x}, title=title),)
            for x, title in OPERATION_TITLES.items()
        ]
        return Plot(
            f"{key}{what}_performance",
            f"{title}: performance against {what} (as figure {figure})",
            f"{what.capitalize()} of each system over operations per second, encryption and "
            "decryption; down and right is better.",
            panels,
            7.6,
            ("systems_plot", *notes),
        )

    title = "Systems" if stage == SYNTHESIZED else f"Systems, {stage}"
    return (
        scatter("area", 17, "area_kum2", "x", title),
        scatter("energy", 18, "energy_nj", "xy", title, "glitches"),
    )


def _of_the_document(groups: Sequence[SystemGroup]) -> list[SystemGroup]:
    """Keep only the accelerators that the document has: those of the last group."""
    designs = {x.design for x in groups[-1].accelerators}
    return [
        replace(group, accelerators=[x for x in group.accelerators if x.design in designs])
        for group in groups
    ]


def _placed_tables(group: SystemGroup, alone: Sequence[Accelerator] = ()) -> list[ReportTable]:
    """Tables of a group; with the accelerators ``alone`` in the table of areas."""
    null, *_ = group.hardware
    areas = [
        *_rows("area_um2", "Systems: sum of the cells", group.hardware),
        *_rows("area_um2", f"Systems: over the {label_of(null)}", group.hardware[1:], over=null),
        *_rows("core_area_um2", "Systems: core", group.hardware),
        *_rows("min_period_ns", "Systems: smallest period", group.hardware),
    ]
    if alone:
        columns = [x.alone for x in alone]
        small, *larger = columns
        areas += [
            *_rows("area_um2", "Accelerators alone: sum of the cells", columns),
            *_rows("area_um2", f"Accelerators: over {label_of(small)}", larger, over=small),
            *_rows("multiplier_area_um2", "Accelerators: average multiplier", columns),
        ]
    naive, *others = group.columns
    energies, ratios = [], []
    for name, title in OPERATION_TITLES.items():
        for quantity, label in _ENERGIES.items():
            heading = f"{title}: {label}"
            energies += _rows(quantity, heading, group.columns, operation=name)
        for quantity in _PLACED_COMPARED:
            label = _ENERGIES.get(quantity, "operations per second")
            heading = f"{title}: {label}, over {label_of(naive)}"
            ratios += _rows(quantity, heading, others, over=naive, operation=name)
    end = "" if alone else ", systems as the document has them"
    contents = {
        "areas": (f"Table 2{end}", areas, ("placed_areas",)),
        "energies": (f"Table 3{end}", energies, ("programs", "glitches")),
        "ratios": (f"Ratios as in figures 17 and 18{end}", ratios, ("glitches",)),
    }
    return [
        ReportTable(f"{group.key}{key}", title, _STAGES, content, _AT_CLOCK, notes, needs=PLACED)
        for key, (title, content, notes) in contents.items()
    ]


def _rows(
    quantity: str,
    heading: str,
    columns: Sequence[Column],
    over: Column | None = None,
    operation: str = "",
) -> list[Row]:
    """Rows of a figure, one for each of ``columns``; with ``over``, divided by its figure."""
    more = {"operation": operation} if operation else {}
    found = [
        Row(
            quantity,
            {**column.where, **more},
            {**_PRINTED, **column.printed},
            section=heading,
            label=label_of(column).removesuffix(", as printed").replace("processor with", "with"),
            key=f"{column.key}_{quantity}",
            as_printed=column.is_as_printed(quantity),
        )
        for column in columns
    ]
    if over is None:
        return found
    by = dict(over.where)
    return [replace(x, over=by, key=f"{x.key}_over_{over.key}") for x in found]


def _texts(groups: Sequence[SystemGroup]) -> list[Text]:
    """Make texts on the number of placed figures that are nearer to print, and on reasons."""
    printed = _of_the_document(groups)
    ends = "", " Systems as the document has them"
    texts = [
        Text(f"Nearer to print, or farther?{end}", _near(group))
        for group, end in zip(printed, ends, strict=True)
    ]
    return [*texts, Text("Why", _why(printed[0]))]


def _near(group: SystemGroup) -> str:
    """Template of a text that counts a group's figures that placement brings nearer to print."""
    null, *driven = map(_named, group.hardware)
    naive, *others = map(_named, group.columns)
    kinds: dict[str, list[Any]] = {
        "cell areas": [["area_um2", [null, *driven], None, ""]],
        f"cell areas over the {label_of(group.hardware[0])}": [["area_um2", driven, null, ""]],
    }
    for column in group.columns:
        own = _requests(_ENERGIES, [_named(column)], None)
        kinds[f"powers and energies of {label_of(column)}"] = own
    over = f"powers and energies over {label_of(group.columns[0])}"
    kinds[over] = _requests(_PLACED_COMPARED[1:], others, naive)
    every = [x for requests in kinds.values() for x in requests]
    listed = "; ".join(f"{x}: {{{{ distances({y!r}) }}}}" for x, y in kinds.items())
    return f"""{{{{ nearness({every!r}) }}}} Measured over printed, {listed}."""


def _why(group: SystemGroup) -> str:
    """Template of a text on why placement brings figures nearer to print, or farther from it."""
    hardware, work = (list(map(_named, x)) for x in (group.hardware, group.columns))
    glitches = ", ".join(
        f"{{{{ ours({x!r}, 'glitch_percent', stage='placed', operation='decrypt') }}}} in {name}"
        for x, name in ((c.where["subject"], label_of(c)) for c in group.columns)
    )
    return f"""Placed over synthesized, the cell area is {{{{ between_stages('area_um2',
        {hardware!r}) }}}}, the smallest period {{{{ between_stages('min_period_ns',
        {hardware!r}) }}}} and the energy of a decryption {{{{ between_stages('energy_nj', {work!r},
        operation='decrypt') }}}}. Placement adds what the document's circuits have, too: the
        capacitance and the delays of wires, and a clock tree with its buffers. Repair takes back a
        part where there is slack, by smaller cells and by adder cells in place of gates. A figure
        that grows comes nearer to print if it is below print as synthesized, and goes farther if it
        is above; for a figure that falls, it is the other way round. Powers have
        glitches in them; their share in the energy of a decryption, as placed, is {glitches}. A
        ratio of two systems changes by what placement adds to the one more than to the other. Where
        our programs take other cycles than the document's, energies stay far from print at both
        stages."""


def _requests(quantities: Iterable[str], subjects: Sequence[Any], over: Any) -> list[Any]:
    """Return requests of ``FigureWords.nearness`` for both operations."""
    return [[x, subjects, over, operation] for operation in OPERATION_TITLES for x in quantities]


def _named(column: Column) -> list[Any]:
    return [column.where["subject"], dict(column.where.get("choices", {}))]


def tables(
    group: SystemGroup, alone: Sequence[Column], base: str, where: Where
) -> list[ReportTable]:
    """Make the tables of figures that stand in the document's text.

    ``base``: key of the column whose multipliers the text subtracts from those of the other
    accelerator.
    """
    software = {"subject": next(iter(SOFTWARE))}
    naive, montgomery = (x.key for x in group.columns[: len(SOFTWARE)])

    def added(quantity: str, part: str, label: str) -> Row:
        over: Any = {"mode": "less", "of": quantity, "base": base, "key": f"added_{quantity}"}
        return Row("added_area_um2", printed={"part": part}, label=label, **over)

    of_multiplier = {"part": "multiplier"}
    parts = [
        Row("pipeline_stages", of_multiplier),
        Row("add_reds", {"part": STAGE}, label="AddReds in a stage"),
        Row(
            "product_cycles", {**of_multiplier, "operation": "product"}, label="cycles of a product"
        ),
        Row("products", {"operation": "encrypt"}, software, label="products, encryption"),
        *(
            Row("exponent", {"operation": name}, label=f"exponent, {title.lower()}")
            for name, title in OPERATION_TITLES.items()
        ),
        added("loop_multipliers_area_um2", "multipliers of the loop", "added by the loop's"),
        added(
            "conversion_multipliers_area_um2",
            "multipliers of the conversions",
            "added by the conversions'",
        ),
        added("multipliers_area_um2", "multipliers", "added by all multipliers"),
    ]

    def mean(quantity: str, of: str, mode: Mode, over: str) -> Row:
        both = [{"operation": x} for x in OPERATION_TITLES]
        average = {"operation": "average"}
        other = subject_label(over.removesuffix(PRINTED_END))
        label = f"{find_quantity(of).label.lower()}, over {other}"
        return Row(quantity, average, mode=mode, of=of, base=over, mean=both, label=label)

    means = [
        mean("speedup_naive_ratio", "cycles", "speedup", naive),
        mean("speedup_montgomery_ratio", "cycles", "speedup", montgomery),
        mean("energy_naive_percent", "energy_nj", "percent", naive),
    ]
    return [
        ReportTable("printed_parts", "What the text counts", alone, parts, where, ("rounds",)),
        ReportTable(
            "printed_means",
            "Means of both operations",
            group.columns,
            means,
            where,
            ("means", "glitches"),
        ),
    ]


#: Templates of notes by key; ``eval.report.words`` fills them.
NOTES = {
    "calls": """Cycles of the call of the exponentiation on the processor (stats_en), operand
        transfers to the accelerator and back included, with a memory that answers in one cycle.
        Normalized: less the call of a dummy function that computes nothing. Measured: mean over all
        operands; printed: one message. The document prints no cycles of whole programs; those shown
        follow from its energies and powers.""",
    "speedups": """Speed-ups are in cycles, normalized as the document's unless said otherwise. What
        they differ by from the printed ones are the two ratios of cycles measured over printed,
        that of the software and that of the accelerator.""",
    "systems_area": """Measured: cells as synthesized. Printed: after place-and-route by a
        commercial flow, the accelerators taken through it on their own.""",
    "placed_areas": """Sum of the cells: with clock tree, buffers and repairs, without fillers.
        Core: the rows in which cells and wires have room. The document does not say which of the
        two its areas are; it prints areas by module, so that they are taken for sums of cells.""",
    "additions": """Cells as synthesized, of the processor without an accelerator. RV32IM has all of
        them, signed divisions and high products, and loads and stores of bytes and halfwords.
        Decoder and counters of cycles and instructions are in all of them. Every circuit is mapped
        anew, so that differences of less than one percent say little. Printed: after
        place-and-route, the processor with all that is added.""",
    "programs": """Average over a whole program on the system, from reset to its end. Dummy: the
        same program with a dummy that only returns the answer. Normalized: energy less that of the
        dummy, and power over the time that is left. Printed powers of the dummy and normalized ones
        are not printed as such; they follow from the printed energies and cycles at 3.0 ns.""",
    "ratios": """Energy over energy is time over time by power over power. The power of an
        accelerator at rest is that of the dummy program on its system less that on proc_null.""",
    "parts": """The same against the document, system by system, and the parts of the power.""",
    "rounds": """Multipliers of the loop are compared with those of the other accelerator; the text
        says the same of the areas. Products: 17 squares and 2 products with e = 65537, in 17 rounds
        on two multipliers; the text's 17 are those that are needed, 16 squares and 1 product.""",
    "means": """Means of the ratio of encryption and the ratio of decryption, as the text forms them
        in its last paragraph.""",
    "constants": """Where an accelerator takes constants of the modulus from the host, the program
        computes them before the call, once for a key. Cycles and times of the call are without
        that; power and energy, and the cycles of the whole program, are with it.""",
    "systems_plot": """Operations per second by normalized cycles and the period of the system.
        Hollow: printed, at 3.0 ns and after place-and-route; a dotted line leads to the same system
        measured here.""",
    "layouts": """Drawn as the document draws its layouts: multipliers highlighted, critical path in
        yellow. Ours are placed, with a clock tree and without routed wires; the copy at hand has no
        drawings, only their captions, so that nothing of their sizes is compared.""",
    "cycles": """The accelerator alone, from the cycle in which it accepts the request to the one in
        which its response is valid; no transfer of operands. The document prints none such.""",
    "area": """Measured: the exponentiator alone, cells as synthesized. Printed: with its xcel
        adapter, from a commercial flow.""",
    "energy": """The accelerator alone, average over its own operation. The document prints powers
        and energies of whole systems only.""",
    "added": """Figures of a design over those of a standard one, both measured here, each on its
        own and at the period that it uses. Below 1 it is smaller, or takes less time or energy.""",
}

_DRIVEN = ("proc_mulrem_r2l", "proc_mont_r2l")

#: Reasons for large differences from printed figures, by table or section.
REASONS = (
    Reason(
        """the dummy's code is not printed: here it is a load and a return, two cycles less than in
        the document""",
        "section 5.1",
        {"quantity": "dummy_cycles"},
    ),
    Reason(
        """an accelerator at rest takes 2.8 to 3.0 mW by the document's energies: its published
        dividers and loops load their registers in every idle cycle; here the clocks of registers
        that hold their values are gated, and there is no clock tree""",
        "Table 3",
        {
            "subject": _DRIVEN,
            "quantity": ("dummy_energy_nj", "program_energy_nj", "program_power_mw"),
        },
    ),
    Reason(
        """glitches in the AddReds, eight in series, are counted here and nearly double the energy;
        print is likely of a simulation without delays: ours without glitches is a little below it
        (see the parts of the energy)""",
        "Table 3",
        {"subject": "proc_mont_r2l"},
    ),
    Reason(
        """the document's MulRem keeps numbers of 64 bits throughout, and loads the registers of a
        divider that waits in every cycle; here remainder and modulus have 32 bits, and the clocks
        of registers that hold their values are gated""",
        "Table 3",
        {"subject": "proc_mulrem_r2l"},
    ),
    Reason(
        "the pair 1.31 and 1.54 is exchanged in print: by table 3 it is 1.54 and 1.31 (errata)",
        "section 5.4",
        {
            "subject": ("software_montgomery", "proc_mulrem_r2l"),
            "quantity": "power_naive_ratio",
            "operation": "encrypt",
        },
    ),
    Reason(
        "a product of two ratios of power; each of them stands beside one of ours",
        "section 5.4",
        {"quantity": "power_product_ratio"},
    ),
    Reason("it follows from powers and energies of table 3, which see", "section 5.4"),
)


DOCUMENT = "mcnay_2023"
WHERE = {"nbits": NBITS, "clock_ns": CLOCK_NS, "stage": SYNTHESIZED}
NAIVE = next(iter(SOFTWARE))
_DRAWN = 3  #: the document draws the processor alone, and its two accelerators
_ALONE = subject_label(NULL_SYSTEM)


def _added(designs: Iterable[str], params: Mapping[str, str]) -> tuple[Accelerator, ...]:
    """Return the accelerators to measure for further designs; leave out those in ``STANDARD``."""
    accelerators = []
    for design in map(catalog.find_design, dict.fromkeys(designs)):
        try:
            configuration = design.configure(NBITS, **params)
        except ValueError as error:
            about = f"the report measures {design.name} at {NBITS} bits"
            raise ValueError(f"{error} ({about})") from error
        check_target(configuration)
        accelerators.append(Accelerator(design.name, configuration.changed))
    return tuple(x for x in accelerators if x not in STANDARD)


def study(
    designs: Iterable[str] = (), params: Mapping[str, str] | None = None, *, whole: bool = True
) -> Study:
    """Study of McNay's document, with further designs (and their ``params``) in its tables.

    ``whole``: the systems are also built as printed, and placed; else best here, synthesized.
    """
    more = _added(designs, params or {})
    standard = SystemGroup("", (*STANDARD, *more))

    def measurements(_: int, library: str) -> list[Measurement]:
        if not whole:
            return standard.measurements(library)
        return [
            *standard.measurements(library),
            *AS_PRINTED.measurements(library),
            *(structure(x.design, NBITS, **x.choices) for x in AS_PRINTED.accelerators),
            *addition_measurements(library),
            *placed_measurements(PLACED_GROUPS, library),
        ]

    printed = (_as_printed(), additions_section(WHERE), placed_section(PLACED_GROUPS))
    return Study(
        DOCUMENT,
        measurements,
        (
            _systems(standard, more),
            *(printed if whole else ()),
            _accelerators(standard.accelerators, more),
        ),
        NOTES,
        REASONS,
        WHERE,
        dict.fromkeys(SOFTWARE, NULL_SYSTEM),
        topic="Software and accelerators on a processor",
        headline=_HEADLINE,
    )


def _tables(group: SystemGroup, more: Sequence[Accelerator] = ()) -> list[ReportTable]:
    """Tables of a group of systems: cycles, speed-ups, time, area, energy."""
    naive, montgomery = (f"{name}{group.label}" for name in SOFTWARE)
    area, ratios = _system_area(group.hardware[0].key), _energy_ratios(naive)
    parts, speedups = per_operation(_ENERGY_PARTS), per_operation(_speedups(naive, montgomery))
    host = ("constants",) if any(_takes_constants(x) for x in more) else ()

    def table(key: str, title: str, content: list[Row], *notes: str, **more: Any) -> ReportTable:
        said = (*notes, *host)
        return ReportTable(group.key + key, title, group.columns, content, WHERE, said, **more)

    return [
        table("systems_cycles", "Cycles", per_operation(_CYCLES), "calls"),
        table("speedups", "Speed-up", speedups, "speedups", folded=False),
        table("systems_timing", _TIMES, _TIMING, "period", folded=True),
        replace(table("systems_area", "Area", area, "systems_area"), columns=group.hardware),
        table("systems_energy", "Power and energy", per_operation(_ENERGY), "programs", "glitches"),
        table("energy_ratios", "Energy as time and power", ratios, "ratios", "glitches"),
        table("energy_parts", "Against the printed energy", parts, "parts", "glitches"),
    ]


def _systems(group: SystemGroup, more: Sequence[Accelerator]) -> Section:
    columns = group.columns
    cycles, speedups, timing, area, energy, ratios, parts = _tables(group, more)
    return Section(
        "systems",
        "Systems: processor with software, processor with accelerator",
        (
            _glance("systems_glance", f"proc_{LARGE}", NAIVE, columns),
            *placed_scatters(columns),
            cycles,
            speedups,
            timing,
            Text("Critical paths", _paths(group.hardware), folded=True),
            _layouts("systems", 16, group.hardware[:_DRAWN]),
            area,
            energy,
            Text("Least energy first", _orders(columns)),
            ratios,
            parts,
        ),
    )


def _as_printed() -> Section:
    columns, area = [x.alone for x in AS_PRINTED.accelerators], _area(SMALL + PRINTED_END)
    alone = ReportTable("printed_area", "Area of the accelerators", columns, area, WHERE, ("area",))
    return Section(
        "as_printed",
        "The systems as the document has them",
        (
            *placed_scatters(AS_PRINTED.columns, AS_PRINTED.key),
            *_tables(AS_PRINTED),
            alone,
            *tables(AS_PRINTED, columns, SMALL + PRINTED_END, WHERE),
        ),
        """Programs with the algorithms of its listings 3 and 4, remainders of 64 bits by software,
        dividers, AddReds and registers for operands as in the circuits that its author has
        published, its loop's squares also after the last bit; around the call, start-up, a check of
        the result and a line of text. Those above are ours: faster dividers, narrower remainders,
        no last square, other programs. The functions that its listings call, and the accelerator's
        program, are not printed; ours follow the text. The processor has RV32IM, more than the
        document's.""",
        folded=True,
    )


def _accelerators(accelerators: Sequence[Accelerator], more: Sequence[Accelerator]) -> Section:
    columns, extra = [x.alone for x in accelerators], [x.alone for x in more]
    cycles = per_operation(rows("cycles", prints=False))
    energy = per_operation(rows("power_mw", "energy_nj", prints=False))
    parts = rows(*(f"{x}_mw" for x in POWERS), where={"operation": "encrypt"})
    about = "Cell area of every multiplier, of the constants unit and of the rest."

    def table(key: str, title: str, content: list[Row], *notes: str, **more: Any) -> ReportTable:
        return ReportTable(key, title, columns, content, WHERE, notes, **more)

    added = table("added", "Against the standard designs", _ADDED, "added", "glitches")
    added = replace(added, columns=extra, bases=columns[: len(STANDARD)], folded=False)

    return Section(
        "designs",
        "Accelerators on their own",
        (
            _glance("designs_glance", LARGE, SMALL, columns, prints=False),
            Text("What they are", _descriptions(accelerators)),
            _joined("Area", "area_kum2", columns),
            _joined("Energy", "energy_nj", columns, "glitches"),
            table("cycles", "Cycles per operation", cycles, "cycles"),
            table("timing", _TIMES, _TIMING, "period", folded=True),
            Text("Critical paths", _paths(columns), folded=True),
            _layouts("accelerators", 15, columns[: _DRAWN - 1]),
            table("area", "Area", _area(SMALL), "area"),
            Parts("area_by_module", "Area by module", about, columns, WHERE),
            Text(f"Area of {LARGE} over {SMALL}", _AREA_RATIO, folded=True),
            table("energy", "Power and energy per operation", energy, "energy", "glitches"),
            table("power_parts", "Where the power of encryption goes", parts, "clock", "glitches"),
            added,
        ),
    )


def _glance(
    key: str, large: str, base: str, columns: Sequence[Column], prints: bool = True
) -> ReportTable:
    over: dict[str, Any] = {"mode": "ratio", "base": base}
    content = [
        *per_operation(rows("operations_per_s", **over, prints=prints)),
        Row("area_um2", **over, label="Area"),
        *per_operation(rows("energy_nj", **over, prints=prints)),
    ]
    title = f"{subject_label(large)} over {subject_label(base)}"
    shown = [x for x in columns if x.key == large]
    return ReportTable(key, title, shown, content, WHERE, ("glitches",), cards=True, bases=columns)


_CYCLES = [
    *rows("call_cycles", "dummy_cycles"),
    Row("cycles", label="normalized: the difference"),
    Row("program_cycles"),
]
_TIMES = "Clock and time per operation"
_TIMING = [
    Row("clock_ns"),
    *rows("min_period_ns", "period_ns", prints=False),
    *per_operation(rows("time_us", "operations_per_s", prints=False)),
]
_ENERGY = [
    *rows("program_power_mw", "dummy_power_mw"),
    Row("power_mw", label="power, normalized"),
    *rows("program_energy_nj", "dummy_energy_nj"),
    Row("energy_nj", label="energy, normalized"),
]
_ENERGY_PARTS = [
    Row("energy_nj", mode="over_printed", label="energy, measured over printed"),
    Row("energy_time_ns", mode="over_printed", label="of it time"),
    Row("power_mw", mode="over_printed", label="of it power"),
    Row(
        "energy_lower_nj",
        printed={"quantity": "energy_nj"},
        mode="over_printed",
        prints=False,
        label="without glitches, measured over printed",
    ),
    *(Row(f"{x}_mw", prints=False, label=f"normalized power: {y}") for x, y in POWERS.items()),
]


def _speedups(naive: str, montgomery: str) -> list[Row]:
    kinds = (
        ("speedup", "cycles", "over"),
        ("call_speedup", "call_cycles", "not normalized, over"),
        ("time_speedup", "time_us", "in time, over"),
    )
    found = []
    for key, quantity, label in kinds:
        for (subject, program), base in zip(SOFTWARE.items(), (naive, montgomery), strict=True):
            ratio: Any = {"mode": "speedup", "of": quantity, "base": base}
            text, name = f"{label} {subject_label(subject)}", f"{key}_{program}_ratio"
            prints = quantity == "cycles"
            found.append(
                Row(f"speedup_{program}_ratio", **ratio, key=name, prints=prints, label=text)
            )
    return [*found, Row("cycles", mode="over_printed", label="cycles, measured over printed")]


def _system_area(null: str) -> list[Row]:
    # The document prints the area of an accelerator only without a processor.
    alone = {"subject": lambda x: x.removeprefix("proc_"), "quantity": "area_um2"}
    return [
        Row("area_um2", label="Whole system"),
        Row("area_ratio", mode="ratio", of="area_um2", base=null, label=f"Over the {_ALONE}"),
        Row("added_area_um2", mode="less", of="area_um2", base=null, label=f"Less the {_ALONE}"),
        Row("processor_area_um2"),
        Row("accelerator_area_um2", printed=alone),
    ]


def _area(small: str) -> list[Row]:
    return [
        Row("area_um2", label="Whole design"),
        *rows("multiplier_area_um2", "multipliers", "multipliers_percent", "dividers_percent"),
        Row("area_ratio", mode="ratio", of="area_um2", base=small, label=f"Over {SMALL}"),
        Row("added_area_um2", mode="less", of="area_um2", base=small, label=f"Less {SMALL}"),
    ]


def _energy_ratios(naive: str) -> list[Row]:
    over: dict[str, Any] = {"mode": "ratio", "base": naive}
    whole = "power of the whole program over it"
    unclocked = "energy over it, both without the clock's"
    ratios = [
        Row("energy_nj", **over, label="energy over software naive"),
        Row("energy_saving_naive_ratio", mode="speedup", of="energy_nj", base=naive),
        Row("energy_time_ns", **over, label="of it time"),
        Row("power_mw", **over, label="of it power"),
        Row("power_naive_ratio", of="program_power_mw", **over, label=whole),
        Row("unclocked_energy_nj", **over, prints=False, label=unclocked),
        Row("clock_percent", prints=False),
    ]
    at_rest = Row("dummy_power_mw", mode="less", base=naive, label="power of the accelerator")
    encryption = in_section("At rest", [at_rest], where={"operation": "encrypt"})
    return [*per_operation(ratios), *encryption]


_COMPARED = [
    Row("area_um2", label="area"),
    Row("min_period_ns", label="smallest period"),
    *(
        Row(quantity, {"operation": name}, label=f"{title.lower()}, {label}")
        for name, title in OPERATION_TITLES.items()
        for quantity, label in (("cycles", "cycles"), ("time_us", "time"), ("energy_nj", "energy"))
    ),
]
_ADDED = [
    row
    for x in STANDARD
    for row in in_section(f"Over {x.name}", _COMPARED, mode="ratio", base=x.name, prints=False)
]


def _layouts(what: str, figure: int, columns: Sequence[Column]) -> Layouts:
    about = "Cells by their place and role, and the critical path in yellow; one scale for all."
    title = f"Placed {what} (as figure {figure})"
    return Layouts(f"{what}_layout", title, about, columns, WHERE, ("layouts",))


def _joined(title: str, quantity: str, columns: Sequence[Column], *notes: str) -> Plot:
    points, names = [{"operation": x} for x in OPERATION_TITLES], list(OPERATION_TITLES.values())
    style: Any = {"where": WHERE, "names": True, "point_names": names}
    panel = Panel("performance_mops", quantity, columns, points, **style)
    about = f"{title} over operations per second; down and right is better."
    key = f"{title.lower()}_performance"
    return Plot(key, f"{title} against performance", about, [(panel,)], 4.2, notes)


def _paths(columns: Sequence[Column]) -> str:
    """Template of a text on each subject's longest path, and whether it meets the constraint."""
    paths = (
        f"{label_of(x)}: {{{{ path({where['subject']!r}, choices={dict(where['choices'])}) }}}}."
        for x, where in ((column, column.where) for column in columns)
    )
    return " ".join((*paths, "The smallest period adds the set-up time of the end point."))


def _orders(columns: Sequence[Column]) -> str:
    """Template of a text on the subjects' ranking by energy, compared with the printed ranking."""
    subjects = [x.where["subject"] for x in columns if not x.where["choices"]]
    orders = (
        f"{title}: {{{{ order('energy_nj', {subjects!r}, operation={name!r}) }}}}."
        for name, title in OPERATION_TITLES.items()
    )
    return f"""{" ".join(orders)} The printed powers are those of placed and routed circuits with a
        clock tree. Here there is neither, and registers that hold their values have gated clocks;
        for placed circuits see below."""


def _descriptions(accelerators: Sequence[Accelerator]) -> str:
    designs = ((x.name, catalog.find_design(x.design)) for x in accelerators)
    return " ".join(f"{name}: {x.summary} ({x.source})." for name, x in designs)


def _takes_constants(accelerator: Accelerator) -> bool:
    design = catalog.find_design(accelerator.design)
    return bool(design.configure(NBITS, **texts(accelerator.choices)).host_constants)


_AREA_RATIO = f"""{{% set large, small = '{LARGE}', '{SMALL}' %}}
    {{{{ beside(large, small, 'area_um2') }}}}; of one multiplier over the other: {{{{ beside(large,
    small, 'multiplier_area_um2') }}}}. If one thing alone were as printed, the ratio of the areas
    would be {{{{ exchanged(large, small, small, 'multiplier_area_um2') }}}} with the multiplier of
    {SMALL}, {{{{ exchanged(large, small, large, 'multiplier_area_um2') }}}} with that of {LARGE},
    {{{{ exchanged(large, small, small, 'rest_area_um2') }}}} and {{{{ exchanged(large, small,
    large, 'rest_area_um2') }}}} with the rest of each. The document's {SMALL} multiplies and
    divides 64 bits wide; this one multiplies 32 x 32 bits, and the high half of the product is
    below the modulus already, so that a 32-bit divider takes the low half. {LARGE} has an AddRed
    per bit, pipelined, as the document's, but AddReds share their sums of the modulus; its
    commercial tool has a library of arithmetic, the open one maps adders from gates. The document's
    accelerators contain the xcel adapter and have been placed and routed."""

_HEADLINE = f"""A decryption by the {subject_label(f"proc_{LARGE}")} takes
    {{{{ times('proc_{LARGE}', '{NAIVE}', 'time_us', operation='decrypt') }}}} time than by
    {subject_label(NAIVE)} and
    {{{{ times('proc_{LARGE}', '{NAIVE}', 'energy_nj', operation='decrypt') }}}} energy, on
    {{{{ times('proc_{LARGE}', '{NULL_SYSTEM}', 'area_um2') }}}} cell area than the processor
    alone."""


STUDY = study()
