"""What the report knows about a subject: the flow's record, checked and with derived figures."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from eval.report.subjects import ReportSubject

OPERATIONS = ("encrypt", "decrypt")
POWER_PARTS = ("clock", "switching", "internal", "leakage")
OPERATION_TITLES = {"encrypt": "Encryption", "decrypt": "Decryption"}


class MeasureError(Exception):
    """A subject can't be measured, or its record is incomplete or contradicts the simulation."""


class SetupFailure(MeasureError):  # noqa: N818
    """A tool is missing or a folder can't be written."""


@dataclass(frozen=True)
class SimulatedRun:
    """One operation as it was simulated: a request, or a program from reset to end; averages.

    Parameters
    ----------
    cycles : float
        All cycles of the run.
    measured_cycles : float
        Those that count as the operation's: of a program, its call of the exponentiation.
    power_mw, energy_nj : float
        Average power in mW and energy in nJ of the whole run.
    power_parts_mw : mapping of str to float
        Power in mW by ``POWER_PARTS``: clock, other nets, inside of cells, leakage.
    """

    cycles: float
    measured_cycles: float
    power_mw: float
    energy_nj: float
    power_parts_mw: Mapping[str, float]

    @property
    def time_ns(self) -> float:
        """Time in ns over which energy and power were taken."""
        return 1e3 * self.energy_nj / self.power_mw


@dataclass(frozen=True)
class OperationFigures:
    """One modular exponentiation with the exponent of encryption or decryption.

    All figures but those of ``plain`` and ``dummy`` are normalized: less the dummy program's, where
    there is one.

    Parameters
    ----------
    name : str
        Key in ``OPERATIONS``.
    exponent : int
        Exponent.
    period_ns : float
        Clock period in ns at which the operation runs.
    plain : Run
        The operation as it ran.
    dummy : Run or None
        The same without the exponentiation; None for an accelerator on its own.
    """

    name: str
    exponent: int
    period_ns: float
    plain: SimulatedRun
    dummy: SimulatedRun | None = None

    @property
    def cycles(self) -> float:
        """Cycles of the exponentiation."""
        return self.plain.measured_cycles - (self.dummy.measured_cycles if self.dummy else 0)

    @property
    def time_us(self) -> float:
        """Time of one operation in microseconds."""
        return self.cycles * self.period_ns / 1e3

    @property
    def operations_per_s(self) -> float:
        """Operations per second, one after the other."""
        return 1e6 / self.time_us

    @property
    def energy_nj(self) -> float:
        """Energy per operation in nJ."""
        return self.plain.energy_nj - (self.dummy.energy_nj if self.dummy else 0)

    @property
    def energy_time_ns(self) -> float:
        """Time in ns by which the run is longer than the dummy's, which is where energy goes."""
        return self.plain.time_ns - (self.dummy.time_ns if self.dummy else 0)

    @property
    def power_mw(self) -> float:
        """Average power of the operation in mW."""
        return 1e3 * self.energy_nj / self.energy_time_ns

    @property
    def power_parts_mw(self) -> dict[str, float]:
        """Power in mW by ``POWER_PARTS``."""
        return {part: self._part_mw(part) for part in POWER_PARTS}

    def _part_mw(self, part: str) -> float:
        runs = [(self.plain, 1.0)] + ([(self.dummy, -1.0)] if self.dummy else [])
        energy_pj = sum(sign * run.power_parts_mw[part] * run.time_ns for run, sign in runs)
        return energy_pj / self.energy_time_ns


def dummy_of(operation: OperationFigures) -> SimulatedRun:
    """Give the dummy program's run, which every operation of a system has."""
    assert operation.dummy is not None
    return operation.dummy


@dataclass(frozen=True)
class Failure:
    """Why something has no figures.

    Parameters
    ----------
    hardware : str
        Design or system.
    message : str
        One line.
    setup : bool
        Whether a missing tool or folder is to blame.
    """

    hardware: str
    message: str
    setup: bool = False


@dataclass(frozen=True)
class Result:
    """A subject's figures.

    Parameters
    ----------
    subject : Subject
        Whose.
    record : mapping
        The flow's record of its hardware.
    operations : dict of str to Operation
        By name.
    """

    subject: ReportSubject
    record: Mapping[str, Any]
    operations: dict[str, OperationFigures]

    @property
    def name(self) -> str:
        """Name of the subject."""
        return self.subject.name

    @property
    def hardware(self) -> str:
        """Design or system that it runs on; several programs can share one."""
        return self.subject.hardware

    @property
    def area_um2(self) -> float:
        """Total cell area in um2."""
        return self.record["area_um2"]

    @property
    def clock_ns(self) -> float:
        """Clock constraint in ns."""
        return self.record["clock_ns"]

    @property
    def min_period_ns(self) -> float:
        """Smallest clock period in ns."""
        return self.record["min_period_ns"]

    @property
    def meets_clock(self) -> bool:
        """Whether the constraint holds."""
        return self.min_period_ns <= self.clock_ns

    @property
    def period_ns(self) -> float:
        """Period in ns at which operations run: the constraint, or what the circuit needs."""
        return max(self.clock_ns, self.min_period_ns)

    @property
    def critical_path(self) -> Mapping[str, Any]:
        """Start point, end point and delay in ns of the longest path."""
        return self.record["critical_path"]


def choose(results: Mapping[str, Result], subjects: Iterable[ReportSubject]) -> dict[str, Result]:
    """Results of some subjects, those that there are."""
    return {x.name: results[x.name] for x in subjects if x.name in results}


def by_hardware(results: Mapping[str, Result]) -> dict[str, Result]:
    """One result of each piece of hardware, by its name."""
    found: dict[str, Result] = {}
    for result in results.values():
        found.setdefault(result.hardware, result)
    return found
