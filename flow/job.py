"""Job of the flow: what a run measures, and under which conditions; kept in ``job.json``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from rsaxcel.flow.conditions import TIMED, TIMED_CYCLES
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.files import read_json, write_json
from rsaxcel.flow.kit import CLOCK_NS, DEFAULT_LIBRARY
from rsaxcel.flow.layout import EMBEDDED, SEARCHED, SYNTHESIZED, usual_timer
from rsaxcel.flow.subjects import Subject, find_target, subject_of

JOB = "job.json"
"""Name of the file with the job, in the folder of a run."""


@dataclass(frozen=True)
class FlowJob:
    """What a run of the flow measures, and under which conditions.

    Parameters
    ----------
    design, nbits, params
        Design, multiplier or system, its width in bits, its parameters.
    name
        Name for the job's folders, which contains design, width and parameters.
    results
        Folder in which the nodes' results are kept.
    library
        Name of the cell library.
    clock_ns
        Clock period to synthesize for, in ns.
    exponents
        Exponent of each type of operation, by the type's name, such as ``encrypt``.
    activity, timed_cycles
        ``timed`` (gates have delays) or ``zero`` (no delays), and the number of cycles of each type
        of operation in which gates have delays.
    family
        Family of FPGAs to map to; empty if no FPGA mapping is requested.
    stage, physical, utilisation, seed, uncertainty_ns, derate, timer
        How far the circuit is taken towards a chip, how it is placed, and what analyses its timing;
        see ``flow.layout``.
    """

    design: str
    nbits: int
    params: Mapping[str, Any]
    name: str
    results: str
    library: str = DEFAULT_LIBRARY
    clock_ns: float = CLOCK_NS
    exponents: Mapping[str, int] = field(default_factory=dict)
    activity: str = TIMED
    timed_cycles: int = TIMED_CYCLES
    family: str = ""
    stage: str = SYNTHESIZED
    physical: str = EMBEDDED
    utilisation: float = SEARCHED
    seed: int = 1
    uncertainty_ns: float = 0.0
    derate: float = 0.0
    timer: str = field(default_factory=usual_timer)

    @classmethod
    def of(cls, subject: Subject, results: Path, **asked: Any) -> FlowJob:
        """Create the job of a subject; ``asked`` gives the fields from ``library`` on."""
        own = subject.design, subject.nbits, subject.params, subject.name
        job = cls(*own, str(results), **asked)
        job.__dict__["subject"] = subject  # fills the cached property: it is not built twice
        return job

    @cached_property
    def subject(self) -> Subject:
        """Subject of the run: circuit, and the operations whose energy is measured."""
        return subject_of(find_target(self.design, self.nbits, self.params))

    @property
    def store(self) -> Path:
        """Folder in which the nodes' results are kept."""
        return Path(self.results)

    def at(self, utilisation: float) -> FlowJob:
        """Return the same job at another utilisation; the subject is not built again."""
        job = replace(self, utilisation=utilisation)
        job.__dict__["subject"] = self.subject
        return job

    def as_json(self) -> dict[str, Any]:
        """Return the job for JSON: the value of each field, by the field's name."""
        return {x.name: getattr(self, x.name) for x in fields(self)}

    def write(self, path: Path) -> None:
        """Write the job to a JSON file."""
        write_json(path, self.as_json())

    @classmethod
    def read(cls, path: Path) -> FlowJob:
        """Read a job from a JSON file. A job of an earlier version may lack fields with a default.

        Raises
        ------
        FlowError
            If the file is missing or does not contain a job.
        """
        content = read_json(path)
        names = {x.name for x in fields(cls)}
        needed = {x.name for x in fields(cls) if x.default is x.default_factory is MISSING}
        if not isinstance(content, dict) or not needed <= set(content) <= names:
            raise FlowError(f"{path} is no job: a job is an object with {', '.join(sorted(names))}")
        return cls(**content)
