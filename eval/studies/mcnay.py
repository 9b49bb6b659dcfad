"""McNay: a processor with software and with two accelerators, 32 bits (tables 1 to 3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import catalog
from eval.report.spec import (
    OPERATIONS,
    Column,
    Panel,
    Parts,
    Plot,
    Row,
    Section,
    Study,
    Table,
    Text,
    in_section,
    per_operation,
    rows,
)
from eval.studies.systems import NBITS, SOFTWARE, Accelerator, Group
from flow.kit import CLOCK_NS
from proc.systems import NULL_SYSTEM

DOCUMENT = "mcnay_2023"
WHERE = {"nbits": NBITS, "clock_ns": CLOCK_NS}
NAIVE = next(iter(SOFTWARE))
SMALL, LARGE = "mulrem_r2l", "mont_r2l"


STANDARD = (Accelerator(SMALL), Accelerator(LARGE), Accelerator("mont_r2l_shared"))

_PROCESSOR = {
    "proc_product_stage": "X",
    "proc_divider": "aligning",
    "proc_divider_bits_per_cycle": 1,
}
_LOOP = {"schedule": "r2l_every_square"}
_LABEL = "_as_printed"
AS_PRINTED = Group(
    "printed_",
    (
        Accelerator(SMALL, {**_LOOP, "divider": "aligning"}, _PROCESSOR, SMALL + _LABEL),
        Accelerator(LARGE, {**_LOOP, "r2_bits_per_cycle": 1}, _PROCESSOR, LARGE + _LABEL),
    ),
    {**_PROCESSOR, "software": "printed"},
    _LABEL,
)
"""Systems as the document has them: every divider a bit per cycle, its listings as they stand."""


def added(designs: Iterable[str], params: Mapping[str, str]) -> tuple[Accelerator, ...]:
    """More designs, unless they are standard ones.

    Parameters
    ----------
    designs : iterable of str
        Designs of the registry.
    params : mapping of str to str
        Parameters of all of them.

    Raises
    ------
    ValueError
        For an unknown name, or a design that has no such width or parameter; says what is allowed.
    """
    found = dict.fromkeys(designs)
    accelerators = []
    for design in map(catalog.get, found):
        try:
            configuration = design.configure(NBITS, **params)
        except ValueError as error:
            raise ValueError(
                f"{error} (the report measures {design.name} at {NBITS} bits)"
            ) from error
        defaults = {x.name: x.default(NBITS) for x in design.parameters}
        changed = {k: v for k, v in configuration.params.items() if v != defaults[k]}
        accelerators.append(Accelerator(design.name, changed))
    return tuple(x for x in accelerators if x not in STANDARD)


def study(more: Sequence[Accelerator] = ()) -> Study:
    """Study with more designs beside the standard ones."""
    standard = Group("", (*STANDARD, *more))
    return Study(
        DOCUMENT,
        lambda max_nbits: [*standard.measurements(), *AS_PRINTED.measurements()],
        (_systems(standard, more), _as_printed(), _accelerators(standard.accelerators, more)),
        _NOTES,
        _REASONS,
        WHERE,
        dict.fromkeys(SOFTWARE, NULL_SYSTEM),
    )


def _tables(group: Group, more: Sequence[Accelerator] = ()) -> dict[str, Table]:
    """Tables of a group of systems, by their keys."""
    naive, montgomery = (f"{name}{group.label}" for name in SOFTWARE)
    null = group.hardware[0].key
    host = ("constants",) if any(_takes_constants(x) for x in more) else ()
    contents: dict[str, tuple[str, list[Row], tuple[str, ...]]] = {
        "systems_cycles": ("Cycles", per_operation(_CYCLES), ("calls",)),
        "speedups": ("Speed-up", per_operation(_speedups(naive, montgomery)), ("speedups",)),
        "systems_timing": ("Clock and time per operation", _TIMING, ("period",)),
        "systems_area": ("Area", _system_area(null), ("systems_area",)),
        "systems_energy": ("Power and energy", per_operation(_ENERGY), ("programs", "glitches")),
        "energy_ratios": (
            "Energy as time and power",
            _energy_ratios(naive),
            ("ratios", "glitches"),
        ),
        "energy_parts": (
            "Against the printed energy",
            per_operation(_ENERGY_PARTS),
            ("parts", "glitches"),
        ),
    }
    return {
        key: Table(
            group.key + key,
            title,
            group.hardware if key == "systems_area" else group.columns,
            content,
            WHERE,
            (*notes, *host),
        )
        for key, (title, content, notes) in contents.items()
    }


def _systems(group: Group, more: Sequence[Accelerator]) -> Section:
    tables, columns = _tables(group, more), group.columns
    return Section(
        "systems",
        "Systems: processor with software, processor with accelerator",
        (
            _glance("systems_glance", f"proc_{LARGE}", NAIVE, columns),
            _scatter("systems_area_performance", "area (as figure 17)", "area_kum2", columns),
            _scatter(
                "systems_energy_performance", "energy (as figure 18)", "energy_nj", columns, "log"
            ),
            *(tables[x] for x in ("systems_cycles", "speedups", "systems_timing")),
            Text("Critical paths", _paths(group.hardware)),
            *(tables[x] for x in ("systems_area", "systems_energy")),
            Text("Least energy first", _orders(columns)),
            *(tables[x] for x in ("energy_ratios", "energy_parts")),
        ),
    )


def _as_printed() -> Section:
    columns = [x.alone for x in AS_PRINTED.accelerators]
    return Section(
        "as_printed",
        "The systems as the document has them",
        (
            *_tables(AS_PRINTED).values(),
            Table(
                "printed_area",
                "Area of the accelerators",
                columns,
                _area(SMALL + _LABEL),
                WHERE,
                ("area",),
            ),
        ),
        "Programs with the algorithms of its listings 3 and 4, remainders of 64 bits by software, "
        "every divider a bit per cycle, its loop's squares also after the last bit. Those above "
        "are ours: the same structure, with what costs cycles for no gain taken out. The functions "
        "that its listings call are not printed; ours follow the text.",
    )


def _accelerators(accelerators: Sequence[Accelerator], more: Sequence[Accelerator]) -> Section:
    columns, extra = [x.alone for x in accelerators], [x.alone for x in more]
    parts = rows(*(f"{x}_mw" for x in _PARTS), where={"operation": "encrypt"})

    def table(key: str, title: str, content: list[Row], *notes: str) -> Table:
        return Table(key, title, columns, content, WHERE, notes)

    return Section(
        "designs",
        "Accelerators on their own",
        (
            _glance("designs_glance", LARGE, SMALL, columns, prints=False),
            Text("What they are", _descriptions(accelerators)),
            _joined("area_performance", "Area", "area_kum2", columns),
            _joined("energy_performance", "Energy", "energy_nj", columns, ("glitches",)),
            table(
                "cycles",
                "Cycles per operation",
                per_operation(rows("cycles", prints=False)),
                "cycles",
            ),
            table("timing", "Clock and time per operation", _TIMING, "period"),
            Text("Critical paths", _paths(columns)),
            table("area", "Area", _area(SMALL), "area"),
            Parts(
                "area_by_module",
                "Area by module",
                "Cell area of every multiplier, of the constants unit and of the rest.",
                columns,
                WHERE,
            ),
            Text(f"Area of {LARGE} over {SMALL}", _AREA_RATIO),
            table(
                "energy",
                "Power and energy per operation",
                per_operation(rows("power_mw", "energy_nj", prints=False)),
                "energy",
                "glitches",
            ),
            table("power_parts", "Where the power of encryption goes", parts, "clock", "glitches"),
            Table(
                "added",
                "Against the standard designs",
                extra,
                _ADDED,
                WHERE,
                ("added", "glitches"),
                bases=columns[: len(STANDARD)],
            ),
        ),
    )


def _glance(
    key: str, large: str, base: str, columns: Sequence[Column], prints: bool = True
) -> Table:
    over: dict[str, Any] = {"mode": "ratio", "base": base}
    return Table(
        key,
        f"{large} over {base}",
        [x for x in columns if x.key == large],
        [
            *per_operation(rows("operations_per_s", **over, prints=prints)),
            *rows("area_um2", **over, label="Area"),
            *per_operation(rows("energy_nj", **over, prints=prints)),
        ],
        WHERE,
        ("glitches",),
        cards=True,
        bases=columns,
    )


_PARTS = {
    "clock": "clock",
    "switching": "other nets",
    "internal": "inside of cells",
    "leakage": "leakage",
}
_CYCLES = [
    *rows("call_cycles", "dummy_cycles"),
    Row("cycles", label="normalized: the difference"),
    Row("program_cycles"),
]
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
    *(
        Row(f"{part}_mw", prints=False, label=f"normalized power: {label}")
        for part, label in _PARTS.items()
    ),
]


def _speedups(naive: str, montgomery: str) -> list[Row]:
    found = []
    for quantity, label, prints in (
        ("cycles", "over {}", True),
        ("call_cycles", "not normalized, over {}", False),
        ("time_us", "in time, over {}", False),
    ):
        for base, program in ((naive, "naive"), (montgomery, "montgomery")):
            shown = f"speedup_{program}_ratio" if prints else quantity
            key = "" if prints else f"{quantity.partition('_')[0]}_speedup_{program}_ratio"
            text = label.format(f"software {program}")
            found.append(
                Row(
                    shown,
                    mode="speedup",
                    of=quantity,
                    base=base,
                    prints=prints,
                    key=key,
                    label=text,
                )
            )
    return [*found, Row("cycles", mode="over_printed", label="cycles, measured over printed")]


def _system_area(null: str) -> list[Row]:
    return [
        Row("area_um2", label="Whole system"),
        Row("area_ratio", mode="ratio", of="area_um2", base=null),
        Row("added_area_um2", mode="less", of="area_um2", base=null, label=f"Less {NULL_SYSTEM}"),
        Row("processor_area_um2"),
        Row(
            "accelerator_area_um2",
            printed={"subject": lambda x: x.removeprefix("proc_"), "quantity": "area_um2"},
        ),
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
    return [
        *per_operation(
            [
                Row("energy_nj", **over, label="energy over software naive"),
                Row("energy_saving_naive_ratio", mode="speedup", of="energy_nj", base=naive),
                Row("energy_time_ns", **over, label="of it time"),
                Row("power_mw", **over, label="of it power"),
                Row(
                    "power_naive_ratio",
                    of="program_power_mw",
                    **over,
                    label="power of the whole program over it",
                ),
                Row(
                    "unclocked_energy_nj",
                    **over,
                    prints=False,
                    label="energy over it, both without the clock's",
                ),
                Row("clock_percent", prints=False),
            ]
        ),
        Row(
            "dummy_power_mw",
            {"operation": "encrypt"},
            section="At rest",
            mode="less",
            base=naive,
            label="power of the accelerator",
        ),
    ]


_ADDED = [
    row
    for base in STANDARD
    for row in in_section(
        f"Over {base.name}",
        [
            Row(quantity, where, mode="ratio", base=base.name, prints=False, label=label)
            for quantity, where, label in (
                ("area_um2", {}, "area"),
                ("min_period_ns", {}, "smallest period"),
                *(
                    (quantity, {"operation": name}, f"{title.lower()}, {label}")
                    for name, title in OPERATIONS.items()
                    for quantity, label in (
                        ("cycles", "cycles"),
                        ("time_us", "time"),
                        ("energy_nj", "energy"),
                    )
                ),
            )
        ],
    )
]


def _scatter(
    key: str, title: str, quantity: str, columns: Sequence[Column], scale: Any = "zero"
) -> Plot:
    panels = [
        (
            Panel(
                "performance_mops",
                quantity,
                columns,
                where={**WHERE, "operation": name},
                title=heading,
                x_scale="log",
                y_scale=scale,
                printed=True,
                names=True,
            ),
        )
        for name, heading in OPERATIONS.items()
    ]
    what = title.partition(" ")[0]
    return Plot(
        key,
        f"Systems: performance against {title}",
        f"{what.capitalize()} of each system over operations per second, encryption and "
        "decryption; down and right is better.",
        panels,
        7.6,
        ("systems_plot", *(("glitches",) if what == "energy" else ())),
    )


def _joined(
    key: str, title: str, quantity: str, columns: Sequence[Column], notes: tuple[str, ...] = ()
) -> Plot:
    panel = Panel(
        "performance_mops",
        quantity,
        columns,
        points=[{"operation": name} for name in OPERATIONS],
        where=WHERE,
        names=True,
        point_names=list(OPERATIONS.values()),
    )
    return Plot(
        key,
        f"{title} against performance",
        f"{title} over operations per second; down and right is better.",
        [(panel,)],
        4.2,
        notes,
    )


def _paths(columns: Sequence[Column]) -> str:
    """Template: the longest path of each subject, and whether the constraint is met."""
    paths = (
        f"{x.key}: {{{{ path({x.where['subject']!r}, choices={_choices(x)}) }}}}." for x in columns
    )
    return " ".join((*paths, "The smallest period adds the set-up time of the end point."))


def _choices(column: Column) -> str:
    return repr(dict(column.where.get("choices", {})))


def _orders(columns: Sequence[Column]) -> str:
    """Template: verdicts on the ranking by energy."""
    subjects = [x.where["subject"] for x in columns if not x.where.get("choices")]
    return " ".join(
        f"{title}: {{{{ order('energy_nj', {subjects!r}, operation={name!r}) }}}}."
        for name, title in OPERATIONS.items()
    ) + (
        " The printed powers are those of placed and routed circuits with a clock tree. Here there "
        "is neither, registers that hold their values have gated clocks, and no glitch is counted."
    )


def _descriptions(accelerators: Sequence[Accelerator]) -> str:
    return " ".join(
        f"{x.name}: {catalog.get(x.design).summary} ({catalog.get(x.design).source})."
        for x in accelerators
    )


def _takes_constants(accelerator: Accelerator) -> bool:
    design = catalog.get(accelerator.design)
    texts = {k: str(v) for k, v in accelerator.choices.items()}
    return bool(design.configure(NBITS, **texts).host_constants)


_AREA_RATIO = (
    f"{{{{ beside('{LARGE}', '{SMALL}', 'area_um2') }}}}; of one multiplier over the other: "
    f"{{{{ beside('{LARGE}', '{SMALL}', 'multiplier_area_um2') }}}}. If one thing alone "
    "were as printed, the ratio of the areas would be "
    f"{{{{ exchanged('{LARGE}', '{SMALL}', '{SMALL}', 'multiplier_area_um2') }}}} with the "
    f"multiplier of {SMALL}, "
    f"{{{{ exchanged('{LARGE}', '{SMALL}', '{LARGE}', 'multiplier_area_um2') }}}} with that of "
    f"{LARGE}, {{{{ exchanged('{LARGE}', '{SMALL}', '{SMALL}', 'rest_area_um2') }}}} and "
    f"{{{{ exchanged('{LARGE}', '{SMALL}', '{LARGE}', 'rest_area_um2') }}}} with the rest of each. "
    f"The document's {SMALL} multiplies and divides 64 bits wide; this one multiplies 32 x 32 "
    "bits, and the high half of the product is below the modulus already, so that a 32-bit divider "
    "takes "
    f"the low half. The structure of {LARGE} is the document's, an AddRed per bit, pipelined; its "
    "commercial tool has a library of arithmetic, the open one maps adders from gates. The "
    "document's accelerators contain the xcel adapter and have been placed and routed."
)

_NOTES = {
    "calls": (
        "Cycles of the call of the exponentiation on the processor (stats_en), operand transfers "
        "to the accelerator and back included, with a memory that answers in one cycle. "
        "Normalized: less the call of a dummy function that computes nothing. Measured: mean over "
        "all operands; printed: one message. The document prints no cycles of whole programs; "
        "those shown follow from its energies and powers."
    ),
    "speedups": (
        "Speed-ups are in cycles, normalized as the document's unless said otherwise. What they "
        "differ by from the printed ones are the two ratios of cycles measured over printed, that "
        "of the software and that of the accelerator."
    ),
    "systems_area": (
        "Measured: cells as synthesized. Printed: after place-and-route by a commercial flow, the "
        "accelerators taken through it on their own."
    ),
    "programs": (
        "Average over a whole program on the system, from reset to its end. Dummy: the same "
        "program with a function that computes nothing. Normalized: energy less that of the "
        "dummy, and power over the time that is left. Printed powers of the dummy and normalized "
        "ones are not printed as such; they follow from the printed energies and cycles at 3.0 ns."
    ),
    "ratios": (
        "Energy over energy is time over time by power over power. The power of an accelerator "
        "at rest is that of the dummy program on its system less that on proc_null."
    ),
    "parts": (
        "The same against the document, system by system, and the parts of the measured power. "
        "Registers that hold their values have gated clocks; there are no buffers of a clock tree."
    ),
    "constants": (
        "Where an accelerator takes constants of the modulus from the host, the program computes "
        "them before the call, once for a key. Cycles and times of the call are without that; "
        "power and energy, and the cycles of the whole program, are with it."
    ),
    "systems_plot": (
        "Operations per second by normalized cycles and the period of the system. Hollow: "
        "printed, at 3.0 ns and after place-and-route; a dotted line leads to the same system "
        "measured here."
    ),
    "cycles": (
        "The accelerator alone, from the cycle in which it accepts the request to the one in "
        "which its response is valid; no transfer of operands. The document prints none such."
    ),
    "area": (
        "Measured: the exponentiator alone, cells as synthesized. Printed: with its xcel adapter, "
        "from a commercial flow."
    ),
    "energy": (
        "The accelerator alone, average over its own operation. The document prints powers and "
        "energies of whole systems only."
    ),
    "added": (
        "Figures of a design over those of a standard one, both measured here, each on its own and "
        "at the period that it uses. Below 1 it is smaller, or takes less time or energy."
    ),
}
_REASONS: dict[str, str] = {}
