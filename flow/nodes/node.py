"""Base class of the nodes: what a node declares, and the key of its result."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from rsaxcel.flow.code import code_of
from rsaxcel.flow.job import FlowJob
from rsaxcel.store.folders import key_of

KIT = "adk"  #: the design kit, among a node's inputs

_OWN = ("name", "inputs", "outputs")  #: attributes that each node declares itself
_DECLARED = (*_OWN, "configuration", "tools", "run")  #: attributes that a node declares or inherits
#: longest name of a job in the name of a folder; file systems allow 255 characters
LONGEST_NAME = 150


@dataclass(frozen=True)
class Folders:
    inputs: Path
    outputs: Path
    work: Path  #: logs and temporary files
    key: str


class Node(ABC):
    """A node of the flow: a step from files to files; its class is used without instances.

    A subclass of another node does the same with other files. A result is stored under a key: a
    digest of the input files, the declared fields and tool versions, what ``decides`` returns, and
    the code of the node's module with all that it imports.
    """

    name: ClassVar[str]
    inputs: ClassVar[tuple[str, ...]]  #: outputs of other nodes, or KIT
    outputs: ClassVar[tuple[str, ...]]
    configuration: ClassVar[tuple[str, ...]]  #: fields of the job that the node reads
    tools: ClassVar[tuple[Callable[[], str], ...]]

    def __init_subclass__(cls, *, base: bool = False) -> None:
        """Refuse a class that lacks an attribute or names an unknown field of the job.

        A ``base`` may do both.
        """
        if base:
            return
        own = {*cls.__dict__}
        declared = {x for one in cls.__mro__ if one is not Node for x in one.__dict__}
        if lacking := [x for x in _DECLARED if x not in (own if x in _OWN else declared)]:
            raise TypeError(f"node class {cls.__name__} does not declare {', '.join(lacking)}")
        known = FlowJob.names()
        if unknown := sorted(set(cls.configuration) - set(known)):
            told = f"{', '.join(unknown)}; a job has {', '.join(known)}"
            raise TypeError(f"node class {cls.__name__}: unknown configuration {told}")

    @staticmethod
    @abstractmethod
    def run(job: FlowJob, folders: Folders) -> None:
        """Read the input files and write the output files.

        ``FlowError`` or ``ValueError`` on failure.
        """

    @staticmethod
    def decides(job: FlowJob) -> Any:
        """Return further values for the result's key; no circuit may be elaborated here."""
        return None

    @classmethod
    def files(cls, folder: Path) -> dict[str, Path]:
        return {name: folder / name for name in cls.inputs}

    @classmethod
    def key(cls, job: FlowJob, digests: Mapping[str, str]) -> str:
        """Key of the result, from the job and the digests of files by name."""
        asked = job.as_json()
        inputs = {name: digests[name] for name in cls.inputs}
        own = {name: asked[name] for name in cls.configuration}
        at = key_of(cls.name, inputs, own)
        # the key is kept: its parts do not change while a process has the job
        if at not in job.keys:
            tools = [version() for version in cls.tools]
            job.keys[at] = key_of(inputs, own, cls.decides(job), tools, code_of(cls))
        return job.keys[at]

    @classmethod
    def entry(cls, job: FlowJob, key: str) -> str:
        """Name of the folder of a result in the job's result cache."""
        return f"{cls.name}-{job.name[:LONGEST_NAME]}-{key}"
