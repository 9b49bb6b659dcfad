"""Runs the nodes of a job in this process; results that the store has are used again.

Results are stored outside the run's folder, so that an interrupted run resumes after the last one.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from rsaxcel.flow.errors import FlowError, NoRoom, ToolFailure, WrongNetlist
from rsaxcel.flow.files import read_json, write_json
from rsaxcel.flow.graph import NODES, AnyNode, numbered, path_to
from rsaxcel.flow.job import JOB, FlowJob
from rsaxcel.flow.libraries import kit_digest, plain_kit
from rsaxcel.flow.nodes.node import KIT, Folders
from rsaxcel.flow.paths import is_safe, make_work_folder
from rsaxcel.store.errors import RsaxcelError, RunError, SetupError, UserError
from rsaxcel.store.folders import CacheError, digests, find, keep, key_of, locked, unwritable
from rsaxcel.store.places import make_folder

Progress = Callable[[str], None]
Asked = TypeVar("Asked")

#: File beside job.json, written at the end of the run: key of each node's result.
KNOWN = "known.json"

_LOG = "error.log"
_LONGEST_NAME = 200  #: a name in a file system has 255 characters


@dataclass(frozen=True)
class Stored:
    """A result in the store."""

    node: AnyNode
    key: str
    folder: Path


Answer = tuple[Asked, Sequence[Stored]]  #: answer to a goal, and the results from which it is read


@dataclass(frozen=True)
class Goal(Generic[Asked]):
    """Request to the flow: a last node, and a reader of results."""

    last: Callable[[FlowJob], AnyNode]
    #: Reads the answer from the results of all nodes up to the last one; `ValueError`: the last
    #: result is damaged.
    read: Callable[[FlowJob, Sequence[Stored]], Asked]
    reads_all: bool = False  #: the answer is read from all results, not from the last one alone

    def nodes(self, job: FlowJob) -> tuple[AnyNode, ...]:
        return path_to(self.last(job))


def files_of(found: Sequence[Stored]) -> dict[str, Path]:
    return {path.name: path for x in found for path in x.folder.iterdir()}


def walk(job: FlowJob, nodes: Sequence[AnyNode]) -> Iterator[tuple[Stored, dict[str, str] | None]]:
    """Yield stored results with the digests of their files (None: missing); elaborate no circuit.

    The iteration ends after a missing result, unless the caller makes it.
    """
    known = {KIT: kit_digest(job.library)}
    for node in nodes:
        key = node.key(job, known)
        name = node.entry(job, key)
        made = digests(job.store, name)
        yield Stored(node, key, job.store / name), made
        made = digests(job.store, name)
        if made is None:
            return
        known |= made


def stored(job: FlowJob, nodes: Sequence[AnyNode]) -> list[Stored]:
    """Results of a job, unchecked, up to the first missing one."""
    return [x for x, made in walk(job, nodes) if made is not None]


def made_digests(job: FlowJob, nodes: Sequence[AnyNode]) -> dict[str, str] | None:
    """Digests of all files that nodes have made, and of the kit; None if a result is missing."""
    found = [made for _, made in walk(job, nodes) if made is not None]
    whole = {KIT: kit_digest(job.library)} | {name: x for made in found for name, x in made.items()}
    return whole if len(found) == len(nodes) else None


def find_result(job: FlowJob, goal: Goal[Asked]) -> Answer[Asked] | None:
    """Look for the answer to ``goal``; None if a node has to run. A damaged result is removed."""
    try:
        return _read(job, goal, stored(job, goal.nodes(job)))
    except OSError as error:
        raise SetupError(str(error)) from error


def run_nodes(job: FlowJob, goal: Goal[Asked], progress: Progress) -> Asked:
    """Return the answer to ``goal``; run the nodes whose results are missing.

    Of several processes with one job, the first makes the results, the others wait.
    """
    if (found := find_result(job, goal)) is not None:
        return note_answer(job, found, progress)
    return make_results(job, goal, progress)


def make_results(job: FlowJob, goal: Goal[Asked], progress: Progress) -> Asked:
    """Run the nodes whose results are missing, and link all results in the run's folder."""
    folder, made = run_folder(job), []
    try:
        make_work_folder(job.root)
        with _locked(folder, progress):
            plain_folder(folder)
            job.write(folder / JOB)
            for result, digest_of in walk(job, goal.nodes(job)):
                _run(job, result, digest_of is not None, folder, progress)
                made.append(result)
            found = _read(job, goal, made)
            if found is not None:
                _write_known(folder, made)
    except OSError as error:
        raise unwritable(folder, error) from error
    if found is None:
        raise FlowError(f"{made[-1].node.name} of {folder.name}: its result is gone")
    return found[0]


def _read(job: FlowJob, goal: Goal[Asked], found: list[Stored]) -> Answer[Asked] | None:
    if len(found) < len(goal.nodes(job)):
        return None
    asked: list[Asked] = []

    def check(entry: Path) -> None:
        if entry == found[-1].folder:
            asked.append(goal.read(job, found))

    for result in found if goal.reads_all else found[-1:]:
        if find(job.store, result.folder.name, check) is None:
            return None
    return asked[-1], found


def _run(job: FlowJob, result: Stored, is_made: bool, folder: Path, progress: Progress) -> None:
    """Run a node unless its result exists; the results of all nodes before it must exist."""
    node = result.node
    own = folder / numbered(node)
    if not is_made:
        progress(node.name)
        shutil.rmtree(own, ignore_errors=True)
    plain_folder(own)
    files = {
        x: folder / numbered(source) / "outputs" / x for source in NODES for x in source.outputs
    }
    files[KIT] = plain_kit(job.library)
    link(own / "inputs", {name: files[name] for name in node.inputs})
    with _telling(node, folder, own / _LOG):
        make_result(node, job, result.key, own)


def make_result(node: AnyNode, job: FlowJob, key: str, folder: Path) -> None:
    """Make a node's result unless the store has it, and link it in the node's folder.

    Inputs are in ``inputs``, links to outputs in ``outputs``, logs in ``work-...``.
    """

    def populate(draft: Path) -> None:
        # A new work folder, because tools of a killed run may still write to the old one.
        work = Path(tempfile.mkdtemp(prefix="work-", dir=folder))
        node.run(job, Folders(folder / "inputs", draft, work, key))

    entry = keep(job.store, node.entry(job, key), populate)
    link(folder / "outputs", {name: entry / name for name in node.outputs})


@contextmanager
def _telling(node: AnyNode, folder: Path, log: Path) -> Iterator[None]:
    """Turn an exception into a ``FlowError``: one line with the node's name and its log."""
    try:
        yield
    except (UserError, CacheError):
        raise  # the message is complete
    except Exception as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        if "(log: " not in reason:  # a tool's own log has more than a traceback
            log.unlink(missing_ok=True)  # it may be a link
            log.write_text(traceback.format_exc())
            reason = f"{reason} (log: {log})"
        told = _kind(error)(f"{node.name} of {folder.name}: {reason}")
        if isinstance(error, NoRoom) and isinstance(told, NoRoom):
            told.files = error.files
        raise told from error


def _kind(error: Exception) -> type[RsaxcelError]:
    if isinstance(error, NoRoom | WrongNetlist):
        return type(error)
    if isinstance(error, SetupError | OSError):
        return SetupError
    if isinstance(error, ToolFailure) or not isinstance(error, RunError | ValueError):
        return ToolFailure
    return FlowError


def run_folder(job: FlowJob) -> Path:
    """Folder of a job's run, beside the store."""
    return job.store.parent / f"{job.name[:_LONGEST_NAME]}-{key_of(job.as_json())[:12]}"


@contextmanager
def _locked(folder: Path, progress: Progress) -> Iterator[None]:
    told = "waiting for another run of the same configuration"
    lock = locked(folder.parent, folder.name, lambda: progress(told))
    try:
        yield
    finally:
        lock.release()


def known_keys(folder: Path) -> dict[str, str]:
    """Read the key of each node's result, by node, from a run's folder; empty without the file."""
    try:
        return read_json(folder / KNOWN)
    except FlowError:
        return {}


def _write_known(folder: Path, found: Sequence[Stored]) -> None:
    write_json(folder / KNOWN, {x.node.name: x.key for x in found})


def note_answer(job: FlowJob, found: Answer[Asked], progress: Progress) -> Asked:
    """Note by time stamps that a stored result was used again, for ``flow.earlier``.

    The result requested last need not be the newest: a changed line may have been changed back.
    """
    progress("record of an earlier run")
    asked, results = found
    folder, last = run_folder(job), results[-1]
    with suppress(OSError, CacheError):  # the folder may be read-only
        make_work_folder(job.root)
        os.utime(last.folder)
        if known_keys(folder).get(last.node.name) == last.key:
            os.utime(folder / KNOWN)
            os.utime(folder)
            return asked
        with _locked(folder, lambda line: None):
            plain_folder(folder)
            job.write(folder / JOB)
            _write_known(folder, results)
    return asked


def plain_folder(folder: Path) -> None:
    """Make a folder, in place of a link: somebody else may have chosen where the link leads."""
    if folder.is_symlink():
        folder.unlink()
    make_folder(folder)


def link(folder: Path, files: Mapping[str, Path]) -> None:
    """Put links into a folder, in place of links with the same names."""
    plain_folder(folder)
    for name, target in files.items():
        if not is_safe(target):
            raise FlowError(f"{target}: a link leads to a place with a name that no tool can take")
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(target)
