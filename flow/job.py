"""What a run of the graph is about: one object, which the nodes read from ``job.json``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from flow.errors import FlowError
from flow.files import read_json, write_json
from flow.kit import CLOCK_NS, LIBRARIES

JOB = "job.json"
"""Name of the file in the folder of a run."""

KNOWN = "known.json"
"""File beside it, with the keys of the results by stage: first those that there were when the run
began, then those with which it ended."""


TIMED, ZERO = ACTIVITIES = ("timed", "zero")
"""What toggles: nets behind gates with delays, glitches included, or behind gates without."""

TIMED_CYCLES = 500
"""Cycles of each type of operation in which gates have delays, unless asked otherwise.

They are the least: gates have delays in all cycles where that takes some seconds
(``flow.gates.level``).
"""

ALL_CYCLES = 0
"""Number of cycles that stands for all of them."""


@dataclass(frozen=True)
class Job:
    """What a run of the graph is about.

    Parameters
    ----------
    design, nbits, params
        Design, multiplier or system, its width in bits, its parameters.
    name
        Name for folders: with width and parameters.
    results
        Folder in which the stages' results are kept.
    library
        Design kit.
    clock_ns
        Clock period to synthesize for, in ns.
    exponents
        Exponent by type of operation.
    activity, timed_cycles
        What toggles, and in how many cycles of each type of operation gates have delays.
    family
        Family of FPGAs to map to; empty where none is asked for.
    """

    design: str
    nbits: int
    params: Mapping[str, Any]
    name: str
    results: str
    library: str = LIBRARIES[0]
    clock_ns: float = CLOCK_NS
    exponents: Mapping[str, int] = field(default_factory=dict)
    activity: str = TIMED
    timed_cycles: int = TIMED_CYCLES
    family: str = ""

    @property
    def store(self) -> Path:
        """Folder in which the stages' results are kept."""
        return Path(self.results)

    def write(self, path: Path) -> None:
        """Write the file."""
        write_json(path, asdict(self))

    @classmethod
    def read(cls, path: Path) -> Job:
        """Read the file.

        Raises
        ------
        FlowError
            If it is missing or is no job.
        """
        content = read_json(path)
        names = {x.name for x in fields(cls)}
        if not isinstance(content, dict) or set(content) != names:
            raise FlowError(f"{path} is no job: an object with {', '.join(sorted(names))}")
        return cls(**content)
