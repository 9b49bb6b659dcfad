"""What has figures: accelerators on their own, and programs on systems."""

from collections.abc import Iterable
from dataclasses import dataclass

from flow.subjects import Measured, find_measured
from proc.systems import NULL_SYSTEM, OVERHEAD

STANDARD_NBITS = 32


@dataclass(frozen=True)
class Subject:
    """Something with figures of its own: an accelerator, or a program on a system.

    Parameters
    ----------
    name : str
        Name in tables and files.
    hardware : str
        Design or system.
    program : str or None
        The program; None for an accelerator on its own.
    """

    name: str
    hardware: str
    program: str | None = None

    def entry(self, operation: str) -> str:
        """Name of an operation in the flow's record."""
        return operation if self.program is None else f"{self.program}_{operation}"

    def dummy_entry(self, operation: str) -> str | None:
        """Name of what is taken off: the program that computes nothing."""
        return None if self.program is None else f"{OVERHEAD}_{operation}"


ACCELERATORS = tuple(Subject(name, name) for name in ("mulrem_r2l", "mont_r2l", "mont_r2l_shared"))
SOFTWARE = (
    Subject("software_naive", NULL_SYSTEM, "naive"),
    Subject("software_montgomery", NULL_SYSTEM, "montgomery"),
)
SYSTEMS = SOFTWARE + tuple(
    Subject(f"proc_{x.hardware}", f"proc_{x.hardware}", "xcel") for x in ACCELERATORS
)
STANDARD_SUBJECTS = SYSTEMS + ACCELERATORS


def find_hardware(subjects: Iterable[Subject]) -> dict[str, Measured]:
    """Designs and systems of subjects by name, those that take longest in the flow first."""
    on_system = {x.hardware: x.program is not None for x in subjects}
    return {
        name: find_measured(name, STANDARD_NBITS, {})
        for name in sorted(on_system, key=lambda x: (not on_system[x], x == NULL_SYSTEM))
    }
