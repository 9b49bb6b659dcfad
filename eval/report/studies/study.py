"""A study: what the report measures and shows of one document, beyond the standard part."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from catalog import AnyConfiguration, Configuration
from eval.report.comparison import Table
from eval.report.drawing import Plot
from eval.report.published import Published
from flow.fpga import run_fpga
from flow.run import run_flow

CLOCK_NS = 0.5
"""Clock in ns that the studies' designs are synthesized for: too short for each of them, so that
every one gets as fast as the flow can make it, and figures of different designs compare."""

_FLOW_WEIGHT = 3.0
"""Duration of the flow over that of a cycle measurement of the same width."""


@dataclass(frozen=True)
class Job:
    """A piece of work whose result the function itself keeps, so that a second run gives it again.

    Parameters
    ----------
    name : str
        For people and to find the result by.
    function : callable
        A module's function; takes ``arguments`` and the keyword ``progress``.
    arguments : tuple
        Arguments that can be pickled.
    weight : float
        Rough duration against other jobs; the longest are begun first.
    """

    name: str
    function: Callable[..., Any] = field(compare=False)
    arguments: tuple[Any, ...] = field(compare=False)
    weight: float = field(compare=False)


Findings = Mapping[str, Any]
"""Results by the names of their jobs; those that failed have none."""


@dataclass(frozen=True)
class Section:
    """What page, terminal and files show of a document.

    Parameters
    ----------
    document : str
        Key in ``Published.documents``.
    introduction : str
        What is compared, in a few sentences.
    tables, plots : sequence
        Those that there are figures for.
    records : mapping of str to mapping
        The flow's records behind them, by configuration.
    notes : mapping of str to str
        Texts of the notes that tables and plots name.
    colours : mapping of str to str
        Colour of each column.
    """

    document: str
    introduction: str
    tables: Sequence[Table]
    plots: Sequence[Plot]
    records: Mapping[str, Mapping[str, Any]]
    notes: Mapping[str, str]
    colours: Mapping[str, str]


@dataclass(frozen=True)
class Study:
    """What to do for one document.

    Parameters
    ----------
    document : str
        Key in ``Published.documents``.
    introduction : str
        What is compared, in a few sentences.
    notes : mapping of str to str
        Texts of the notes that tables and plots name.
    colours : mapping of str to str
        Colour of each column.
    jobs : callable
        Takes the greatest width in bits; gives what has to be measured.
    figures : callable
        Takes findings, whatever they lack, and the greatest width; gives access to them by the
        columns of the tables.
    tables : callable
        Takes figures and printed figures; gives the tables that have rows.
    plots : callable
        Takes figures, printed figures and the folder of the plots; draws those with anything to
        show.
    """

    document: str
    introduction: str
    notes: Mapping[str, str]
    colours: Mapping[str, str]
    jobs: Callable[[int], Sequence[Job]]
    figures: Callable[[Findings, int], Any]
    tables: Callable[[Any, Published], Sequence[Table]]
    plots: Callable[[Any, Published, Path], Sequence[Plot]]

    def section(
        self, findings: Findings, published: Published, output_dir: Path, max_nbits: int
    ) -> Section:
        """Show what was found, at widths up to the greatest one."""
        figures = self.figures(findings, max_nbits)
        return Section(
            document=self.document,
            introduction=self.introduction,
            tables=self.tables(figures, published),
            plots=self.plots(figures, published, output_dir),
            records={
                job.arguments[0].name: findings[job.name]
                for job in self.jobs(max_nbits)
                if job.function is _record and job.name in findings
            },
            notes=self.notes,
            colours=self.colours,
        )


def flow_job(configuration: Configuration, weight: float = 1.0) -> Job:
    """Job that takes a design through the ASIC flow at ``CLOCK_NS``, with the standard exponents.

    Parameters
    ----------
    configuration : Configuration
        The design.
    weight : float
        Duration against other designs of the same width.
    """
    return Job(
        f"flow {configuration.name}",
        _record,
        (configuration,),
        _FLOW_WEIGHT * configuration.nbits * weight,
    )


def fpga_job(configuration: AnyConfiguration, family: str, weight: float = 1.0) -> Job:
    """Job that estimates a design's resources on a family of FPGAs; parameters as ``flow_job``'s.

    Parameters
    ----------
    family : str
        A key of ``flow.fpga.FAMILIES``.
    """
    name = f"{family} {configuration.name}"
    return Job(name, _resources, (configuration, family), configuration.nbits * weight)


def record_of(findings: Findings, configuration: Configuration) -> Mapping[str, Any] | None:
    """Record that ``flow_job`` found."""
    return findings.get(flow_job(configuration).name)


def _record(configuration: Configuration, progress: Callable[[str], None]) -> dict[str, Any]:
    return run_flow(configuration, clock_ns=CLOCK_NS, progress=progress).as_json()


def _resources(
    configuration: AnyConfiguration, family: str, progress: Callable[[str], None]
) -> dict[str, Any]:
    return run_fpga(configuration, family, progress=progress).as_json()
