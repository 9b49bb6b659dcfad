"""Base class of the nodes: what a node declares, and the key of its result."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar

from rsaxcel.flow.code import code_of
from rsaxcel.flow.job import FlowJob
from rsaxcel.store.folders import key_of

KIT = "adk"
"""Name of the design kit among a node's inputs."""

_OWN = ("name", "inputs", "outputs")  # a node declares these itself
_DECLARED = (*_OWN, "configuration", "tools", "run")  # a node may inherit the others
_LONGEST_NAME = 150  # a name in a file system has 255 characters


@dataclass(frozen=True)
class Place:
    """Folders in which a node runs, and the key of its result.

    Parameters
    ----------
    inputs, outputs
        Folder of the node's input files, and folder of its output files.
    work
        Folder of the logs and of the tools' temporary files.
    key
        Key of the result.
    """

    inputs: Path
    outputs: Path
    work: Path
    key: str


class Node(ABC):
    """A node of the flow: a step from files to files; its class is used without instances.

    A node may be a subclass of another node: it then does the same with other files.

    A result is stored under a key, and it is used again as long as the key is the same. The key is
    a digest of everything that can change the result: the input files, the job's fields and the
    tool versions that are declared below, what ``decides`` returns, and the code of the node's
    module and of all modules that it imports.

    Attributes
    ----------
    name
        Name of the node.
    inputs
        Names of the files that the node reads: outputs of other nodes, or the design kit.
    outputs
        Names of the files that the node writes.
    configuration
        Names of the job's fields that the node reads.
    tools
        Functions that give the version of each tool that the node calls.

    Raises
    ------
    TypeError
        If a class lacks one of these attributes, or names a field that no job has.
    """

    name: ClassVar[str]
    inputs: ClassVar[tuple[str, ...]]
    outputs: ClassVar[tuple[str, ...]]
    configuration: ClassVar[tuple[str, ...]]
    tools: ClassVar[tuple[Callable[[], str], ...]]

    def __init_subclass__(cls, *, base: bool = False) -> None:
        """Refuse a class that lacks an attribute or names an unknown field of the job.

        A class that is only a base of nodes (``base``) may lack attributes.
        """
        if base:
            return
        own = {*cls.__dict__}
        declared = {x for one in cls.__mro__ if one is not Node for x in one.__dict__}
        if lacking := [x for x in _DECLARED if x not in (own if x in _OWN else declared)]:
            raise TypeError(f"node class {cls.__name__} does not declare {', '.join(lacking)}")
        known = [x.name for x in fields(FlowJob)]
        if unknown := sorted(set(cls.configuration) - set(known)):
            told = f"{', '.join(unknown)}; a job has {', '.join(known)}"
            raise TypeError(f"node class {cls.__name__}: unknown configuration {told}")

    @staticmethod
    @abstractmethod
    def run(job: FlowJob, place: Place) -> None:
        """Read the input files and write the output files.

        Raises
        ------
        FlowError, ValueError
            If the node fails; the message is one line.
        """

    @staticmethod
    def decides(job: FlowJob) -> Any:
        """Return values for JSON that become part of the key of the result.

        They describe properties of the subject that can change the result and that are not in the
        input files or in ``configuration``. No circuit may be elaborated here.
        """
        return None

    @classmethod
    def files(cls, folder: Path) -> dict[str, Path]:
        """Paths of the node's input files in a folder, by name."""
        return {name: folder / name for name in cls.inputs}

    @classmethod
    def key(cls, job: FlowJob, digests: Mapping[str, str]) -> str:
        """Key of the result, made of everything that the result depends on.

        Parameters
        ----------
        job
            Job of the run.
        digests
            Digests of files, by name; the node's inputs must be among these files.
        """
        asked = job.as_json()
        return key_of(
            {name: digests[name] for name in cls.inputs},
            {name: asked[name] for name in cls.configuration},
            cls.decides(job),
            [version() for version in cls.tools],
            code_of(cls),
        )

    @classmethod
    def entry(cls, job: FlowJob, key: str) -> str:
        """Name of the folder of a result in the job's result cache."""
        return f"{cls.name}-{job.name[:_LONGEST_NAME]}-{key}"
