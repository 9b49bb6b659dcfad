"""What has figures: accelerators on their own, and programs on systems."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import catalog
from eval.report.published import published
from flow.subjects import Target, find_target
from proc.systems import NULL_SYSTEM, OVERHEAD, System

STANDARD_NBITS = 32


@dataclass(frozen=True)
class ReportSubject:
    """Something with figures of its own: an accelerator, or a program on a system.

    Parameters
    ----------
    name : str
        Name in tables and files.
    design : str
        Design or system by the name that the flow knows.
    program : str or None
        The program; None for an accelerator on its own.
    params : tuple of (str, str)
        Parameters of the hardware that are not the default.
    """

    name: str
    design: str
    program: str | None = None
    params: tuple[tuple[str, str], ...] = ()

    @property
    def hardware(self) -> str:
        """Name of the design or system in tables and files: with those parameters."""
        return _named(self.design, self.params)

    def entry(self, operation: str) -> str:
        """Name of an operation in the flow's record."""
        return operation if self.program is None else f"{self.program}_{operation}"

    def dummy_entry(self, operation: str) -> str | None:
        """Name of what is taken off: the program that computes nothing."""
        return None if self.program is None else f"{OVERHEAD}_{operation}"


def _named(design: str, params: Iterable[tuple[str, str]]) -> str:
    return "_".join([design, *(f"{name}_{value}" for name, value in params)])


def _on_system(accelerator: ReportSubject) -> ReportSubject:
    name, design = (f"proc_{x}" for x in (accelerator.name, accelerator.design))
    return ReportSubject(name, design, "xcel", accelerator.params)


ACCELERATORS = tuple(ReportSubject(x, x) for x in published().standard if x in catalog.DESIGNS)
SOFTWARE = (
    ReportSubject("software_naive", NULL_SYSTEM, "naive"),
    ReportSubject("software_montgomery", NULL_SYSTEM, "montgomery"),
)
SYSTEMS = SOFTWARE + tuple(_on_system(x) for x in ACCELERATORS)
STANDARD_SUBJECTS = SYSTEMS + ACCELERATORS


def added_subjects(names: Iterable[str], params: Mapping[str, str]) -> tuple[ReportSubject, ...]:
    """Subjects of more designs: each on a system and on its own, unless it is a standard one.

    Parameters
    ----------
    names : iterable of str
        Designs of the registry.
    params : mapping of str to str
        Parameters of all of them.

    Raises
    ------
    ValueError
        For an unknown name, or a design that has no such width or parameter; says what is allowed.
    """
    accelerators = dict.fromkeys(_accelerator(catalog.get(name), params) for name in names)
    added = tuple(x for x in accelerators if x not in ACCELERATORS)
    return tuple(_on_system(x) for x in added) + added


def _accelerator(design: catalog.Design, params: Mapping[str, str]) -> ReportSubject:
    try:
        configuration = design.configure(STANDARD_NBITS, **params)
    except ValueError as error:
        raise ValueError(
            f"{error} (the report measures {design.name} at {STANDARD_NBITS} bits)"
        ) from error
    defaults = {x.name: x.default(STANDARD_NBITS) for x in design.parameters}
    changed = tuple((k, str(v)) for k, v in configuration.params.items() if v != defaults[k])
    return ReportSubject(_named(design.name, changed), design.name, None, changed)


def takes_constants(subject: ReportSubject) -> bool:
    """Whether a program computes constants of the modulus for its accelerator, before the call."""
    measured = _measured(subject)
    # Subjects with a program are systems, others accelerators on their own.
    return isinstance(measured, System) and bool(measured.constants)


def find_hardware(subjects: Iterable[ReportSubject]) -> dict[str, Target]:
    """Designs and systems of subjects by name, those that take longest in the flow first."""
    found = {x.hardware: x for x in subjects}
    order = sorted(found.values(), key=lambda x: (x.program is None, x.design == NULL_SYSTEM))
    return {x.hardware: _measured(x) for x in order}


def _measured(subject: ReportSubject) -> Target:
    return find_target(subject.design, STANDARD_NBITS, dict(subject.params))
