"""Stages, and the keys of their results: what decides them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import yaml

from flow.job import Job
from flow.kit import kit_digest
from store.code import closure, code_digest
from store.folders import digests, key_of

NODES = Path(__file__).with_name("nodes")
KIT = "adk"
"""Name of the design kit among a stage's inputs."""

_FLOW = Path(__file__).parent
# Beside this package, wherever it is installed. Not imported: PyMTL3, which it brings along, takes
# longer than some stages.
_FOLDERS = (_FLOW, _FLOW.with_name("sim"))
# These only bring a stage's code and its inputs together. What designs and programs are, a stage
# sees in its inputs and in what the stage names.
_AROUND = tuple(
    _FLOW / name for name in ("node.py", "stage.py", "job.py", "files.py", "subjects/__init__.py")
)

_LONGEST_NAME = 150  # a name in a file system has 255 characters


@dataclass(frozen=True)
class Place:
    """Where a stage runs.

    Parameters
    ----------
    inputs, outputs
        Folders of the files that the node declares.
    work
        Folder of logs and whatever else the tools read and write.
    key
        Key of the result.
    """

    inputs: Path
    outputs: Path
    work: Path
    key: str


@dataclass(frozen=True)
class Stage:
    """A stage of the flow, run by the node of this name.

    Parameters
    ----------
    name
        Name of the node.
    module
        File of the module that runs it: its code, and that of all it imports, decides the result.
    decides
        Gives what else of a job does, for JSON.
    tools
        Gives the versions of tools that do, by name.
    """

    name: str
    module: Path
    decides: Callable[[Job], Any] = field(compare=False)
    tools: Mapping[str, Callable[[], str]] = field(default_factory=dict, compare=False)

    @cached_property
    def inputs(self) -> tuple[str, ...]:
        """Names of what the stage reads."""
        return tuple(self._node.get("inputs", ()))

    @cached_property
    def outputs(self) -> tuple[str, ...]:
        """Names of the files that it writes."""
        return tuple(self._node["outputs"])

    @cached_property
    def _node(self) -> dict[str, Any]:
        return yaml.safe_load((NODES / self.name / "configure.yml").read_text())

    def key(self, job: Job, inputs: Mapping[str, str]) -> str:
        """Key of the result, which is the same while nothing changes that decides it.

        Parameters
        ----------
        job
            What is asked.
        inputs
            Digests of files by name, those of the stage's inputs among them.
        """
        return key_of(
            {name: inputs[name] for name in self.inputs},
            self.decides(job),
            {name: version() for name, version in self.tools.items()},
            code_of(self.module),
        )

    def entry(self, job: Job, key: str) -> str:
        """Name of the folder of a result in the job's store."""
        return f"{self.name}-{job.name[:_LONGEST_NAME]}-{key}"


def levels(stages: Sequence[Stage]) -> list[list[Stage]]:
    """Stages that can run side by side, level by level: what each reads comes from those before."""
    level_of: dict[str, int] = {}
    found: list[list[Stage]] = []
    for stage in stages:
        before = (level_of[name] for name in stage.inputs if name in level_of)
        level = 1 + max(before, default=-1)
        level_of |= dict.fromkeys(stage.outputs, level)
        found += [[]] * (level == len(found))
        found[level] = [*found[level], stage]
    return found


@dataclass(frozen=True)
class Result:
    """Result of a stage in a job's store, whether it is there or not.

    Parameters
    ----------
    name, key
        Name of its folder, and its key.
    made
        Whether it is there.
    """

    name: str
    key: str
    made: bool


def results(job: Job, stages: Sequence[Stage]) -> list[Result]:
    """Look for the stages' results: up to the first one that is not there."""
    digest_of = {KIT: kit_digest(job.library)}
    found = []
    for stage in stages:
        key = stage.key(job, digest_of)
        name = stage.entry(job, key)
        made = digests(job.store, name)
        found.append(Result(name, key, made is not None))
        if made is None:
            break
        digest_of |= made
    return found


@cache  # a process keeps the code with which it began
def code_of(module: Path) -> str:
    """Digest of the code of a module and of all that it imports, as far as it decides results."""
    return code_digest(closure([module], _FOLDERS, _AROUND))
