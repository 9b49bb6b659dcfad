"""Job: the request to the flow, from the command to the record; kept in ``job.json``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from rsaxcel.circuit import Target
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.files import read_json, write_json
from rsaxcel.flow.kit import CLOCK_NS, DEFAULT_LIBRARY, PlacementSettings
from rsaxcel.flow.layout import ACTIVITIES, ALL_CYCLES, NOT_PLACED, TIMED, TIMED_CYCLES, Layout
from rsaxcel.flow.libraries import canonical, find_kit
from rsaxcel.flow.paths import STORE, work_folder
from rsaxcel.flow.requests import default_exponents, usual_exponents
from rsaxcel.flow.subjects import Subject, find_target, subject_of

JOB = "job.json"


@dataclass(frozen=True, kw_only=True)
class FlowJob(Layout):
    """Request for a run of the flow: subject, stage of the circuit, and conditions."""

    design: str
    nbits: int
    params: Mapping[str, Any]
    name: str  #: subject's name with width and parameters, for folders
    results: str  #: folder of the nodes' results
    library: str = DEFAULT_LIBRARY
    clock_ns: float = CLOCK_NS  #: clock period that synthesis aims at
    #: exponent by type of operation, such as `encrypt`; empty: at most products are measured
    exponents: Mapping[str, int] = field(default_factory=dict)
    activity: str = TIMED  #: `timed` (gates have delays) or `zero`
    timed_cycles: int = TIMED_CYCLES
    uncertainty_ns: float = 0.0
    derate: float = 0.0
    family: str = ""  #: family of FPGAs; empty: no mapping to an FPGA
    #: Folder of the runs, or a folder with a link to it. A job that is read from a file has none:
    #: such jobs are not run.
    root: Path = field(default=Path(), compare=False)

    @cached_property
    def subject(self) -> Subject:
        return subject_of(find_target(self.design, self.nbits, self.params))

    @cached_property
    def keys(self) -> dict[str, str]:
        """Keys of results that were computed before; see ``Node.key``."""
        return {}

    @property
    def store(self) -> Path:
        """Folder in which the nodes' results are kept."""
        return Path(self.results)

    def replaced(self, **changes: Any) -> FlowJob:
        """Return the job with other fields; the subject is not built again."""
        job = replace(self, **changes)
        job.__dict__.update(subject=self.subject, keys=self.keys)  # cached: neither is built again
        return job

    @classmethod
    def names(cls) -> list[str]:
        """Names of the fields that are written to ``job.json``, those of a layout at the end."""
        layout = [x.name for x in fields(Layout)]
        own = [x.name for x in fields(cls) if x.name not in ("root", *layout)]
        return own + layout

    def as_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.names()}

    def write(self, path: Path) -> None:
        write_json(path, self.as_json())

    @classmethod
    def read(cls, path: Path) -> FlowJob:
        """Read a job from a JSON file; an earlier version's job may lack fields with a default."""
        content, names = read_json(path), cls.names()
        needed = {x.name for x in fields(cls) if x.default is x.default_factory is MISSING}
        if not isinstance(content, dict) or not needed <= set(content) <= set(names):
            raise FlowError(f"{path} is no job: a job is an object with {', '.join(sorted(names))}")
        try:
            return cls(**content)
        except (ValueError, TypeError) as error:
            raise FlowError(f"{path} is no job: {error}") from error


def circuit_job(
    target: Target,
    library: str = DEFAULT_LIBRARY,
    clock_ns: float = CLOCK_NS,
    *,
    layout: Layout = NOT_PLACED,
    directory: Path | None = None,
    **asked: Any,
) -> FlowJob:
    """Return the job of a circuit without its workload; ``asked`` are fields of ``FlowJob``."""
    if not 0.01 <= clock_ns <= 1000:
        raise ValueError(f"clock_ns={clock_ns}: 0.01 to 1000 ns are allowed")
    library, margins = canonical(library), layout.as_fields()
    if None in margins.values():
        own = find_kit(library).layout if layout.placed else PlacementSettings()
        usual = {"uncertainty_ns": own.uncertainty_ns, "derate": own.derate}
        margins |= {name: value for name, value in usual.items() if margins[name] is None}
    if margins["uncertainty_ns"] >= clock_ns:
        raise ValueError(
            f"uncertainty_ns={margins['uncertainty_ns']:g}: less than clock_ns={clock_ns:g} is "
            "allowed"
        )
    subject, root = subject_of(target), (directory or Path("build", "flow")).absolute()
    job = FlowJob(
        design=subject.design,
        nbits=subject.nbits,
        params=subject.params,
        name=subject.name,
        results=str(work_folder(root) / STORE),
        library=library,
        clock_ns=float(clock_ns),
        root=root,
        **margins,
        **asked,
    )
    # fills the cached property: the subject is not built a second time
    job.__dict__["subject"] = subject
    return job


def energy_job(
    target: Target,
    library: str = DEFAULT_LIBRARY,
    clock_ns: float = CLOCK_NS,
    operations: Mapping[str, int] | None = None,
    *,
    activity: str = TIMED,
    timed_cycles: int = TIMED_CYCLES,
    layout: Layout = NOT_PLACED,
    directory: Path | None = None,
) -> FlowJob:
    """Return the job of a circuit and its workload; parameters as in ``flow.run.run_flow``."""
    if activity not in ACTIVITIES:
        raise ValueError(f"activity={activity}: {', '.join(ACTIVITIES)} are allowed")
    if timed_cycles < ALL_CYCLES:
        raise ValueError(f"timed_cycles={timed_cycles}: numbers from 1, or {ALL_CYCLES} for all")
    if activity != TIMED:
        timed_cycles = TIMED_CYCLES
    how: Any = {"layout": layout, "directory": directory, "activity": activity}
    job = circuit_job(target, library, clock_ns, **how, timed_cycles=timed_cycles)
    return job.replaced(exponents=_check_exponents(job.subject, operations))


def _check_exponents(subject: Subject, exponents: Mapping[str, int] | None) -> dict[str, int]:
    if not subject.exponent_nbits:
        if exponents:
            raise ValueError(f"operations: {subject.design} is a multiplier; none are allowed")
        return {}
    if exponents is None:
        exponents = usual_exponents(subject.nbits, subject.exponent_nbits)
    if not exponents:
        raise ValueError("operations: at least one is needed, such as encrypt")
    for name, exponent in exponents.items():
        if not name.isidentifier():
            raise ValueError(f"operations: {name!r} must be letters, digits and underscores")
        if not 0 <= exponent < 1 << subject.exponent_nbits:
            raise ValueError(f"operations: {name}={exponent}: {_allowed(subject, exponent)}")
    return dict(exponents)


def _allowed(subject: Subject, exponent: int) -> str:
    """Text on the exponents that a subject takes, and on how to measure a longer one."""
    text = f"exponents of 0 to {subject.exponent_nbits} bits are allowed"
    if exponent < 0:
        return text
    nbits, usual = exponent.bit_length(), default_exponents(subject.nbits)["encrypt"]
    wider = f"nbits={nbits} or more, or " if subject.exponent_nbits >= subject.nbits else ""
    text += f"; take {wider}a schedule with exponent_nbits={nbits}"
    if exponent == usual:
        return text
    return f"{text}; without operations, e is {usual} at {subject.nbits} bits"
