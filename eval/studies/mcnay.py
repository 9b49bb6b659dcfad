"""McNay: a processor with software and with two accelerators, 32 bits (tables 1 to 3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import catalog
from eval.measure.cycles import workload
from eval.measure.flows import flow, system
from eval.measure.job import Measurement
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
)
from flow.kit import CLOCK_NS
from proc.systems import NULL_SYSTEM

DOCUMENT = "mcnay_2023"
NBITS = 32
WHERE = {"nbits": NBITS, "clock_ns": CLOCK_NS}
NAIVE, MONTGOMERY = "software_naive", "software_montgomery"
SOFTWARE = {NAIVE: "naive", MONTGOMERY: "montgomery"}
SMALL, LARGE = "mulrem_r2l", "mont_r2l"
_PRINTED: Mapping[str, Any] = {"choices": {}}


@dataclass(frozen=True)
class Accelerator:
    """A design that is measured on its own and on the processor.

    Parameters
    ----------
    design : str
        Design of the registry.
    choices : mapping
        Parameters that are not the default.
    on_system : mapping
        Parameters of the processor.
    label : str
        Name of the column, where it is not the design's with its parameters.
    """

    design: str
    choices: Mapping[str, Any] = field(default_factory=dict)
    on_system: Mapping[str, Any] = field(default_factory=dict)
    label: str = ""

    @property
    def name(self) -> str:
        """Name of the column."""
        return self.label or "_".join([self.design, *(f"{k}_{v}" for k, v in self.choices.items())])

    @property
    def alone(self) -> Column:
        """Column of the accelerator."""
        return Column(self.name, {"subject": self.design, "choices": self.choices}, _PRINTED)

    @property
    def driven(self) -> Column:
        """Column of the processor with it."""
        choices = {**self.choices, **self.on_system}
        where = {"subject": f"proc_{self.design}", "choices": choices}
        return Column(f"proc_{self.name}", where, _PRINTED)

    def measurements(self) -> list[Measurement]:
        """Its cycles and its way through the flow, alone and driven."""
        name = f"proc_{self.design}"
        choices = {**self.choices, **self.on_system}
        return [
            system(name, NBITS, CLOCK_NS, {name: "xcel"}, **choices),
            flow(self.design, NBITS, CLOCK_NS, **self.choices),
            workload(self.design, NBITS, **self.choices),
        ]


STANDARD = (Accelerator(SMALL), Accelerator(LARGE), Accelerator("mont_r2l_shared"))


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
    accelerators = (*STANDARD, *more)
    return Study(
        DOCUMENT,
        lambda max_nbits: _measurements(accelerators),
        (_systems(accelerators, more), _accelerators(accelerators, more)),
        _NOTES,
        _REASONS,
        WHERE,
        dict.fromkeys(SOFTWARE, NULL_SYSTEM),
    )


def _measurements(accelerators: Sequence[Accelerator]) -> list[Measurement]:
    return [
        system(NULL_SYSTEM, NBITS, CLOCK_NS, SOFTWARE),
        *(x for accelerator in accelerators for x in accelerator.measurements()),
    ]


def _systems(accelerators: Sequence[Accelerator], more: Sequence[Accelerator]) -> Section:
    driven = [x.driven for x in accelerators]
    columns = [*(Column(name, {"subject": name}, _PRINTED) for name in SOFTWARE), *driven]
    hardware = [Column(NULL_SYSTEM, {"subject": NULL_SYSTEM}, _PRINTED), *driven]
    host = ("constants",) if any(_takes_constants(x) for x in more) else ()

    def table(
        key: str, title: str, rows: list[Row], *notes: str, shown: Sequence[Column] = columns
    ) -> Table:
        return Table(key, title, shown, rows, WHERE, (*notes, *host))

    return Section(
        "systems",
        "Systems: processor with software, processor with accelerator",
        (
            Table(
                "systems_glance",
                f"proc_{LARGE} over {NAIVE}",
                [x for x in columns if x.key == f"proc_{LARGE}"],
                [
                    *per_operation([_over("operations_per_s", NAIVE)]),
                    Row("area_um2", mode="ratio", base=NAIVE, label="Area"),
                    *per_operation([_over("energy_nj", NAIVE)]),
                ],
                WHERE,
                ("glitches",),
                cards=True,
                bases=columns[:1],
            ),
            _scatter("systems_area_performance", "area (as figure 17)", "area_kum2", columns),
            _scatter(
                "systems_energy_performance", "energy (as figure 18)", "energy_nj", columns, "log"
            ),
            table("systems_cycles", "Cycles", per_operation(_CYCLES), "calls"),
            table("speedups", "Speed-up", per_operation(_SPEEDUPS), "speedups"),
            table("systems_timing", "Clock and time per operation", _TIMING, "period"),
            Text("Critical paths", _paths(hardware)),
            table("systems_area", "Area", _SYSTEM_AREA, "systems_area", shown=hardware),
            table(
                "systems_energy", "Power and energy", per_operation(_ENERGY), "programs", "glitches"
            ),
            Text("Least energy first", _orders(columns)),
            table(
                "energy_ratios", "Energy as time and power", _ENERGY_RATIOS, "ratios", "glitches"
            ),
            table(
                "energy_parts",
                "Against the printed energy",
                per_operation(_ENERGY_PARTS),
                "parts",
                "glitches",
            ),
        ),
    )


def _accelerators(accelerators: Sequence[Accelerator], more: Sequence[Accelerator]) -> Section:
    columns = [x.alone for x in accelerators]
    large = [x for x in columns if x.key == LARGE]
    extra = [x.alone for x in more]
    cycles = per_operation([Row("cycles", prints=False)])
    power = per_operation([Row("power_mw", prints=False), Row("energy_nj", prints=False)])
    parts = [
        Row(f"{part}_mw", {"operation": "encrypt"})
        for part in ("clock", "switching", "internal", "leakage")
    ]
    return Section(
        "designs",
        "Accelerators on their own",
        (
            Table(
                "designs_glance",
                f"{LARGE} over {SMALL}",
                large,
                [
                    *per_operation([_over("operations_per_s", SMALL, prints=False)]),
                    Row("area_um2", mode="ratio", base=SMALL, label="Area"),
                    *per_operation([_over("energy_nj", SMALL, prints=False)]),
                ],
                WHERE,
                ("glitches",),
                cards=True,
                bases=columns[:1],
            ),
            Text("What they are", _descriptions(accelerators)),
            _joined("area_performance", "Area", "area_kum2", columns),
            _joined("energy_performance", "Energy", "energy_nj", columns, ("glitches",)),
            Table("cycles", "Cycles per operation", columns, cycles, WHERE, ("cycles",)),
            Table("timing", "Clock and time per operation", columns, _TIMING, WHERE, ("period",)),
            Text("Critical paths", _paths(columns)),
            Table("area", "Area", columns, _AREA, WHERE, ("area",)),
            Parts(
                "area_by_module",
                "Area by module",
                "Cell area of every multiplier, of the constants unit and of the rest.",
                columns,
                WHERE,
            ),
            Text(f"Area of {LARGE} over {SMALL}", _AREA_RATIO),
            Table(
                "energy",
                "Power and energy per operation",
                columns,
                power,
                WHERE,
                ("energy", "glitches"),
            ),
            Table(
                "power_parts",
                "Where the power of encryption goes",
                columns,
                parts,
                WHERE,
                ("clock", "glitches"),
            ),
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


def _over(quantity: str, base: str, prints: bool = True) -> Row:
    return Row(quantity, mode="ratio", base=base, prints=prints)


def _speedup(base: str, label: str) -> Row:
    program = SOFTWARE[base]
    return Row(f"speedup_{program}_ratio", mode="speedup", of="cycles", base=base, label=label)


_CYCLES = [Row(x) for x in ("call_cycles", "dummy_cycles")] + [
    Row("cycles", label="normalized: the difference"),
    Row("program_cycles"),
]
_SPEEDUPS = [
    *(_speedup(base, f"over {base.replace('_', ' ')}") for base in SOFTWARE),
    *(
        Row(
            "call_cycles",
            mode="speedup",
            base=base,
            prints=False,
            key=f"call_speedup_{program}",
            label=f"not normalized, over {base.replace('_', ' ')}",
        )
        for base, program in SOFTWARE.items()
    ),
    *(
        Row(
            "time_us",
            mode="speedup",
            base=base,
            prints=False,
            key=f"time_speedup_{program}",
            label=f"in time, over {base.replace('_', ' ')}",
        )
        for base, program in SOFTWARE.items()
    ),
    Row("cycles", mode="over_printed", label="cycles, measured over printed"),
]
_TIMING = [
    *(Row(x, prints=x == "clock_ns") for x in ("clock_ns", "min_period_ns", "period_ns")),
    *per_operation([Row("time_us", prints=False), Row("operations_per_s", prints=False)]),
]
_SYSTEM_AREA = [
    Row("area_um2", label="Whole system"),
    Row("area_ratio", mode="ratio", of="area_um2", base=NULL_SYSTEM),
    Row("processor_area_um2"),
    Row(
        "accelerator_area_um2",
        printed={"subject": lambda x: x.removeprefix("proc_"), "quantity": "area_um2"},
    ),
]
_ENERGY = [
    Row("program_power_mw"),
    Row("dummy_power_mw"),
    Row("power_mw", label="power, normalized"),
    Row("program_energy_nj"),
    Row("dummy_energy_nj"),
    Row("energy_nj", label="energy, normalized"),
]
_ENERGY_RATIOS = [
    *per_operation(
        [
            Row("energy_nj", mode="ratio", base=NAIVE, label="energy over software naive"),
            Row("energy_time_ns", mode="ratio", base=NAIVE, label="of it time"),
            Row("power_mw", mode="ratio", base=NAIVE, label="of it power"),
            Row(
                "unclocked_energy_nj",
                mode="ratio",
                base=NAIVE,
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
        base=NAIVE,
        label="power of the accelerator",
    ),
]
_ENERGY_PARTS = [
    Row("energy_nj", mode="over_printed", label="energy, measured over printed"),
    Row("energy_time_ns", mode="over_printed", label="of it time"),
    Row("power_mw", mode="over_printed", label="of it power"),
    *(
        Row(f"{part}_mw", prints=False, label=f"normalized power: {label}")
        for part, label in (
            ("clock", "clock"),
            ("switching", "other nets"),
            ("internal", "inside of cells"),
            ("leakage", "leakage"),
        )
    ),
]
_AREA = [
    Row("area_um2", label="Whole design"),
    Row("multiplier_area_um2"),
    Row("multipliers"),
    Row("multipliers_percent"),
    Row("dividers_percent"),
]
_ADDED = [
    row
    for base in STANDARD
    for row in in_section(
        f"Over {base.name}",
        [
            Row("area_um2", mode="ratio", base=base.name, label="area", prints=False),
            Row(
                "min_period_ns", mode="ratio", base=base.name, label="smallest period", prints=False
            ),
            *(
                Row(
                    quantity,
                    {"operation": name},
                    mode="ratio",
                    base=base.name,
                    prints=False,
                    label=f"{title.lower()}, {label}",
                )
                for name, title in OPERATIONS.items()
                for quantity, label in (
                    ("cycles", "cycles"),
                    ("time_us", "time"),
                    ("energy_nj", "energy"),
                )
            ),
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
