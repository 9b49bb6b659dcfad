"""Runs the nodes of a job in this process; results that the store has are used again.

Results are stored outside the run's folder, so that an interrupted run resumes after the last one.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from rsaxcel.flow.errors import FlowError, NoRoom, ToolFailure, WrongNetlist
from rsaxcel.flow.files import read_json, write_json
from rsaxcel.flow.graph import NODES, AnyNode, numbered
from rsaxcel.flow.job import JOB, FlowJob
from rsaxcel.flow.nodes.node import KIT
from rsaxcel.flow.paths import STORE, make_work_folder, plain_kit, work_folder
from rsaxcel.flow.results import Result, link, make_result, plain_folder, results
from rsaxcel.flow.subjects import Subject
from rsaxcel.store.errors import RsaxcelError, RunError, SetupError, UserError
from rsaxcel.store.folders import CacheError, find, key_of, unwritable

Progress = Callable[[str], None]

# File beside job.json, written at the end of the run: key of each node's result.
KNOWN = "known.json"

_LOG = "error.log"
_LONGEST_NAME = 200  # a name in a file system has 255 characters


def run_nodes(
    job: FlowJob,
    nodes: Sequence[AnyNode],
    root: Path,
    progress: Progress,
    check: Callable[[Path], object],
) -> tuple[Path, str]:
    """Run the nodes whose results are missing; return folder and key of the last node's result.

    Of several processes with one job, the first makes the results, the others wait. ``check`` reads
    the last result; ``ValueError`` means damage. ``root`` has the runs and the store, or a link.
    """
    folder = run_folder(job)
    try:
        make_work_folder(root)
        if (found := find_result(job, nodes, check)) is not None:
            progress("record of an earlier run")
            _note_answer(folder, job, nodes, found)
            return found
        with _locked(folder, progress):
            if (found := find_result(job, nodes, check)) is not None:
                return found
            plain_folder(folder)
            job.write(folder / JOB)
            for node, result in zip(nodes, results(job, nodes), strict=False):
                _run(node, job, result, folder, progress)
            found = find_result(job, nodes, check)
            _write_known(folder, job, nodes)
    except OSError as error:
        raise unwritable(folder, error) from error
    if found is None:
        raise FlowError(f"{nodes[-1].name} of {folder.name}: its result is gone")
    return found


def _run(node: AnyNode, job: FlowJob, result: Result, folder: Path, progress: Progress) -> None:
    """Run a node unless its result exists; the results of all nodes before it must exist."""
    own = folder / numbered(node)
    if not result.made:
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


@contextmanager
def _telling(node: AnyNode, folder: Path, log: Path) -> Iterator[None]:
    """Turn an exception into one of ours: one line with the node's name and its log."""
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


def find_result(
    job: FlowJob, nodes: Sequence[AnyNode], check: Callable[[Path], object]
) -> tuple[Path, str] | None:
    """Folder and key of the last node's result; None if any is missing.

    No circuit is elaborated. A result that ``check`` finds damaged is removed.
    """
    try:
        looked_for = list(results(job, nodes))
        last = looked_for[-1]
        if len(looked_for) < len(nodes) or not last.made:
            return None
        folder = find(job.store, last.name, check)
    except OSError as error:
        raise SetupError(str(error)) from error
    return None if folder is None else (folder, last.key)


def find_run(job: FlowJob, nodes: Sequence[AnyNode]) -> dict[str, Path]:
    """Folders of a job's results, unchecked, by node, up to the first missing one."""
    # `run`: the folder of the run with the logs, if it still exists.
    found = {node.name: job.store / x.name for node, x in _made(job, nodes)}
    folder = run_folder(job)
    return found | ({"run": folder} if folder.is_dir() else {})


def job_of(subject: Subject, root: Path, **asked: Any) -> FlowJob:
    """Create a subject's job; ``root`` is the folder of runs, ``asked`` as in ``FlowJob.of``."""
    return FlowJob.of(subject, work_folder(root) / STORE, **asked)


def run_folder(job: FlowJob) -> Path:
    """Folder of a job's run, beside the store."""
    return job.store.parent / f"{job.name[:_LONGEST_NAME]}-{key_of(job.as_json())[:12]}"


def _made(job: FlowJob, nodes: Sequence[AnyNode]) -> list[tuple[AnyNode, Result]]:
    found = zip(nodes, results(job, nodes), strict=False)
    return [(node, result) for node, result in found if result.made]


@contextmanager
def _locked(folder: Path, progress: Progress) -> Iterator[None]:
    """Hold the lock of a run, or wait for it; the system releases it if a process dies."""
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW
    descriptor = os.open(folder.with_name(f"{folder.name}.lock"), flags, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            progress("waiting for another run of the same configuration")
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def known_keys(folder: Path) -> dict[str, str]:
    """Read the key of each node's result, by node, from a run's folder; empty without the file."""
    try:
        return read_json(folder / KNOWN)
    except FlowError:
        return {}


def _write_known(folder: Path, job: FlowJob, nodes: Sequence[AnyNode]) -> None:
    """Write the keys of the existing results, by node, to the folder of a run."""
    write_json(folder / KNOWN, {node.name: result.key for node, result in _made(job, nodes)})


def _note_answer(
    folder: Path, job: FlowJob, nodes: Sequence[AnyNode], found: tuple[Path, str]
) -> None:
    """Note by time stamps that a stored result was used again, for ``flow.earlier``.

    The result requested last need not be the newest: a changed line may have been changed back.
    """
    with suppress(OSError):  # the folder may be read-only
        os.utime(found[0])
        if known_keys(folder).get(nodes[-1].name) == found[1]:
            os.utime(folder / KNOWN)
            os.utime(folder)
            return
        with _locked(folder, lambda line: None):
            plain_folder(folder)
            job.write(folder / JOB)
            _write_known(folder, job, nodes)
