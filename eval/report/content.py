"""Everything that the report shows, made from the results."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import catalog
from eval.report import plots
from eval.report.accelerator_tables import accelerator_tables
from eval.report.area_ratio import AreaRatio, area_ratio
from eval.report.comparison import GROUP_TITLES, Table
from eval.report.drawing import Plot, colours
from eval.report.headline import Headline, Order, energy_orders, headline
from eval.report.notes import NOTES
from eval.report.published import Published
from eval.report.results import Failure, Result, choose
from eval.report.studies.study import Section
from eval.report.subjects import ACCELERATORS, STANDARD_SUBJECTS, SYSTEMS, ReportSubject
from eval.report.system_tables import system_tables
from eval.report.workload import Workload

# What the document compares: its naive and its Montgomery way, in software and with accelerators.
SMALL, LARGE = (subject.name for subject in ACCELERATORS[:2])
_SOFTWARE, _SYSTEM = SYSTEMS[0].name, f"proc_{LARGE}"


@dataclass(frozen=True)
class Content:
    """What page, terminal and files show.

    Parameters
    ----------
    systems, accelerators : mapping of str to Result
        Subjects with figures.
    failures : sequence of Failure
        Designs and systems without.
    tables : sequence of Table
        Measured and printed figures.
    headlines : mapping of str to Headline
        Comparison at a glance, by the group of tables it belongs to.
    orders : sequence of Order
        Systems by energy.
    ratio : AreaRatio or None
        Area of the accelerators, taken apart.
    plots : sequence of Plot
        Plots.
    workload : Workload
        What was run.
    published : Published
        Where printed figures stand.
    sections : sequence of Section
        Documents beyond the standard part.
    added : sequence of Subject
        What was measured beside the standard subjects.
    """

    systems: Mapping[str, Result]
    accelerators: Mapping[str, Result]
    failures: Sequence[Failure]
    tables: Sequence[Table]
    headlines: Mapping[str, Headline]
    orders: Sequence[Order]
    ratio: AreaRatio | None
    plots: Sequence[Plot]
    workload: Workload
    published: Published
    sections: Sequence[Section] = ()
    added: Sequence[ReportSubject] = ()

    @property
    def all_tables(self) -> list[Table]:
        """Tables of the standard part and of all sections."""
        return [*self.tables, *(table for section in self.sections for table in section.tables)]

    @property
    def notes(self) -> dict[str, str]:
        """Texts of all notes by key."""
        return {**NOTES, **{k: text for x in self.sections for k, text in x.notes.items()}}

    def group_title(self, table: Table) -> str:
        """Say what a table's columns are, or which document it compares with."""
        if table.group in GROUP_TITLES:
            return GROUP_TITLES[table.group]
        return self.published.documents[table.group]["short"]

    @property
    def colours(self) -> dict[str, str]:
        """Colour of every subject and its hardware, in plots and tables, whatever has figures."""
        return _colours(self.added)

    @property
    def registered(self) -> dict[str, catalog.Design]:
        """Registry entries of the accelerators with figures."""
        return {name: catalog.get(x.subject.design) for name, x in self.accelerators.items()}

    @property
    def unmeasured(self) -> list[str]:
        """Designs of the registry that nobody asked for."""
        asked = {subject.design for subject in (*STANDARD_SUBJECTS, *self.added)}
        return [name for name in catalog.DESIGNS if name not in asked]

    @property
    def results(self) -> dict[str, Result]:
        """All subjects with figures."""
        return {**self.systems, **self.accelerators}


def assemble(
    results: Mapping[str, Result],
    failures: Sequence[Failure],
    workload: Workload,
    published: Published,
    output_dir: Path,
    sections: Sequence[Section] = (),
    added: Sequence[ReportSubject] = (),
) -> Content:
    """Compare, take apart and draw; the plots' PNG files go to the folder."""
    subjects = (*STANDARD_SUBJECTS, *added)
    systems = choose(results, (x for x in subjects if x.program))
    accelerators = choose(results, (x for x in subjects if not x.program))
    headlines = {
        "systems": headline(systems, published, _SOFTWARE, _SYSTEM),
        "designs": headline(accelerators, published, SMALL, LARGE),
    }
    return Content(
        systems,
        accelerators,
        failures,
        system_tables(systems, published) + accelerator_tables(accelerators, published),
        {group: found for group, found in headlines.items() if found},
        energy_orders(systems, published),
        area_ratio(accelerators, published, LARGE, SMALL),
        plots.draw(systems, accelerators, published, _colours(added), output_dir),
        workload,
        published,
        sections,
        added,
    )


def _colours(added: Sequence[ReportSubject]) -> dict[str, str]:
    groups = (STANDARD_SUBJECTS, added)
    return colours(
        name
        for group in groups
        for name in (*(x.name for x in group), *(x.hardware for x in group))
    )
