"""What the report knows about a design: the flow's record, checked and with derived figures."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

OPERATIONS = ("encrypt", "decrypt")
POWER_PARTS = ("clock", "switching", "internal", "leakage")
OPERATION_TITLES = {"encrypt": "Encryption", "decrypt": "Decryption"}


class MeasureError(Exception):
    """A design can't be measured, or its record is incomplete or contradicts the simulation."""


class SetupFailure(MeasureError):  # noqa: N818
    """A tool is missing or a folder can't be written."""


@dataclass(frozen=True)
class Operation:
    """One modular exponentiation with the exponent of encryption or decryption.

    Parameters
    ----------
    name : str
        Key in ``OPERATIONS``.
    exponent : int
        Exponent.
    cycles : int
        Request accepted to response valid, one request in flight.
    period_ns : float
        Clock period in ns at which the operation runs.
    power_mw, energy_nj : float
        Average power in mW over the operation, and energy per operation in nJ.
    power_parts_mw : dict of str to float
        Power in mW by ``POWER_PARTS``: clock, other nets, inside of cells, leakage.
    """

    name: str
    exponent: int
    cycles: int
    period_ns: float
    power_mw: float
    energy_nj: float
    power_parts_mw: dict[str, float]

    @property
    def time_us(self) -> float:
        """Time of one operation in microseconds."""
        return self.cycles * self.period_ns / 1e3

    @property
    def operations_per_s(self) -> float:
        """Operations per second, one after the other."""
        return 1e6 / self.time_us


@dataclass(frozen=True)
class Failure:
    """Why a design has no figures.

    Parameters
    ----------
    design : str
        Registry name.
    message : str
        One line.
    setup : bool
        Whether a missing tool or folder is to blame.
    """

    design: str
    message: str
    setup: bool = False


@dataclass(frozen=True)
class Result:
    """A design's figures.

    Parameters
    ----------
    design : str
        Registry name.
    record : mapping
        The flow's record.
    operations : dict of str to Operation
        By name.
    """

    design: str
    record: Mapping[str, Any]
    operations: dict[str, Operation]

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
