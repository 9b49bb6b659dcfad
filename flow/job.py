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


@dataclass(frozen=True)
class FlowJob:
    """What a run of the flow measures, and under which conditions.

    ``flow.layout`` has the last fields.
    """

    design: str
    nbits: int
    params: Mapping[str, Any]
    name: str  # with design, width and parameters, for folders
    results: str  # folder of the nodes' results
    library: str = DEFAULT_LIBRARY
    clock_ns: float = CLOCK_NS  # to synthesize for
    # by type of operation, such as `encrypt`
    exponents: Mapping[str, int] = field(default_factory=dict)
    activity: str = TIMED  # `timed` (gates have delays) or `zero`
    timed_cycles: int = TIMED_CYCLES
    family: str = ""  # of FPGAs; empty: no mapping
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
        return {x.name: getattr(self, x.name) for x in fields(self)}

    def write(self, path: Path) -> None:
        write_json(path, self.as_json())

    @classmethod
    def read(cls, path: Path) -> FlowJob:
        """Read a job from a JSON file; an earlier version's job may lack fields with a default."""
        content = read_json(path)
        names = {x.name for x in fields(cls)}
        needed = {x.name for x in fields(cls) if x.default is x.default_factory is MISSING}
        if not isinstance(content, dict) or not needed <= set(content) <= names:
            raise FlowError(f"{path} is no job: a job is an object with {', '.join(sorted(names))}")
        return cls(**content)
