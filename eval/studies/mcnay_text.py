"""Figures that stand in McNay's running text: sections 3.2, 5.1, 5.2 and 5.4."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rsaxcel.eval.facts.quantities import find_quantity
from rsaxcel.eval.measure.structure import STAGE
from rsaxcel.eval.report.names import PRINTED_END, subject_label
from rsaxcel.eval.report.spec import OPERATION_TITLES, Column, Mode, Row, Table, Where
from rsaxcel.eval.studies.systems import SOFTWARE, Group


def tables(group: Group, alone: Sequence[Column], base: str, where: Where) -> list[Table]:
    """Make the tables of figures in running text."""
    # ``base``: key of the column whose multipliers the text takes off those of the other
    # accelerator.
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
        Table("printed_parts", "What the text counts", alone, parts, where, ("rounds",)),
        Table(
            "printed_means",
            "Means of both operations",
            group.columns,
            means,
            where,
            ("means", "glitches"),
        ),
    ]
