"""Runs the graph for one job: in a new folder, whose nodes take what there is from the store.

A run that was interrupted goes on behind the last finished stage, because the stages' results
outlive the folder. What is in the folder, such as its makefile, is never used a second time.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from pathlib import Path

from flow import given, translation
from flow.errors import FlowError, SetupError, ToolFailure
from flow.files import read_json, write_json
from flow.job import JOB, KNOWN, Job
from flow.kit import LIBRARIES
from flow.node import FAILURES
from flow.paths import check_cells, code_folder, make_work_folder, variables, work_folder
from flow.stage import Place, Stage, levels, results
from flow.subjects import is_given
from store.folders import (
    TOLD,
    CacheError,
    cache_root,
    discard,
    find,
    is_full,
    keep,
    key_of,
    tell,
    unwritable,
)
from store.installing import beside_python, missing
from store.tools import BASH, MAKE, MFLOWGEN

Progress = Callable[[str], None]

STORE = "stages"
"""Name of the store of results in a folder of runs."""

_CONSTRUCT = Path("flow", "construct.py")
_LONGEST_NAME = 200  # a name in a file system has 255 characters
# Make's own settings, and those of another mflowgen, must not reach the makes that run here.
_NOT_INHERITED = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MFLOWGEN_HOME")


def run_graph(
    job: Job,
    stages: Sequence[Stage],
    root: Path,
    progress: Progress,
    check: Callable[[Path], object],
) -> tuple[Path, str]:
    """Make the stages of a job, as far as they have no results.

    Processes that want the same at once wait for the first one.

    Parameters
    ----------
    job
        What is asked.
    stages
        Stages in their order, each with all that it needs before it.
    root
        Folder of the runs and of the store (of a link to them, see ``flow.paths``).
    progress
        Called with a line at the beginning of each stage.
    check
        Raises ``ValueError`` for a last result that is not what it should be.

    Returns
    -------
    Path, str
        Folder of the last stage's result, and its key.

    Raises
    ------
    SetupError
        If the folder cannot be written.
    FlowError
        If a stage fails, with its reason and its log.
    """
    work = work_folder(root)
    job, folder = placed(job, work)
    name = folder.name
    try:
        make_work_folder(root)
        _translate(job, stages[0], progress)
        if (found := _finished(job, stages, check)) is not None:
            progress("record of an earlier run")
            _note_answer(folder, job, stages, found)
            return found
        with _locked(work / f"{name}.lock", progress) as lock:
            if (found := _finished(job, stages, check)) is not None:
                return found
            _make_folder(folder, job, stages)
            _generate(folder, lock)
            done: list[Stage] = []
            for level in levels(stages):
                for stage in level:
                    if not results(job, [*done, stage])[-1].made:
                        progress(stage.name)
                _make(folder, [stage.name for stage in level], lock)
                done += level
            found = _finished(job, stages, check)
            _write_known(folder, job, stages)
    except CacheError as error:
        raise SetupError(str(error)) from error
    except OSError as error:
        raise SetupError(str(unwritable(folder, error))) from error
    if found is None:
        raise FlowError(f"{stages[-1].name} of {name}: its result is gone")
    return found


def find_result(
    job: Job, stages: Sequence[Stage], root: Path, check: Callable[[Path], object]
) -> tuple[Path, str] | None:
    """Folder and key of the last stage's result if there is one; see ``run_graph``."""
    try:
        return _finished(placed(job, work_folder(root))[0], stages, check)
    except (CacheError, OSError) as error:
        raise SetupError(str(error)) from error


def find_run(root: Path, job: Job, stages: Sequence[Stage]) -> dict[str, Path]:
    """Folders of the results that there are of a job's first stages, by their names.

    ``run`` is the folder of the run that made them, where it is still there, with the tools' logs.
    The files themselves are not looked at.
    """
    job, folder = placed(job, work_folder(root))
    made = [result for result in results(job, stages) if result.made]
    found = {stage.name: job.store / x.name for stage, x in zip(stages, made, strict=False)}
    return found | ({"run": folder} if folder.is_dir() else {})


def placed(job: Job, work: Path) -> tuple[Job, Path]:
    """Let a job keep its results in the folder of the runs; give the folder of its own run."""
    job = replace(job, results=str(work / STORE))
    return job, work / f"{job.name[:_LONGEST_NAME]}-{key_of(asdict(job))[:12]}"


def check_graph_tools(library: str = LIBRARIES[0]) -> None:
    """Look for what every run of the graph needs.

    Raises
    ------
    SetupError
        Naming what is missing and how to install it.
    """
    try:
        check_cells(library)
    except FlowError as error:
        raise SetupError(str(error)) from error
    for tool in (MAKE, BASH):
        if shutil.which(tool.ask[0]) is None:
            raise SetupError(missing(tool))
    if beside_python(MFLOWGEN.ask[0]) is None:
        python = sys.executable
        raise SetupError(
            f"mflowgen's program is missing: it is neither beside {python} nor on PATH"
        )


def _translate(job: Job, stage: Stage, progress: Progress) -> None:
    """Translate the circuit here unless that has been done: it takes less than a node's start.

    Later stages know it by its Verilog, so that they often have their results already.
    """
    (result,) = results(job, [stage])
    if result.made:
        return
    progress(stage.name)

    run = given.run if is_given(job.params) else translation.run

    def populate(draft: Path) -> None:
        run(job, Place(draft, draft, draft, result.key))

    try:
        keep(job.store, result.name, populate)
    except (FlowError, ValueError) as error:
        raise FlowError(f"{stage.name} of {job.name}: {error}") from error


def _finished(
    job: Job, stages: Sequence[Stage], check: Callable[[Path], object]
) -> tuple[Path, str] | None:
    """Folder of the last stage's result and its key, if it is there and whole."""
    looked_for = results(job, stages)
    last = looked_for[-1]
    if len(looked_for) < len(stages) or not last.made:
        return None
    folder = find(job.store, last.name, check)
    return None if folder is None else (folder, last.key)


@contextmanager
def _locked(path: Path, progress: Progress) -> Iterator[int]:
    """Hold a lock, and give its descriptor.

    The stages inherit the descriptor: if this process is killed, the lock ends when they do, and
    nobody else works in the folder before.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            progress("waiting for another run of the same configuration")
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield descriptor
    finally:
        os.close(descriptor)


def _make_folder(folder: Path, job: Job, stages: Sequence[Stage]) -> None:
    """Make an empty folder with the job in it, in place of an earlier run's."""
    if folder.exists():
        discard(folder)
    for left in folder.parent.glob(f".{folder.name}.tmp-*"):
        shutil.rmtree(left, ignore_errors=True)
    folder.mkdir()
    job.write(folder / JOB)
    _write_known(folder, job, stages)


def known_keys(folder: Path) -> dict[str, str]:
    """Keys of the results by stage, as the folder of a run has them; empty where it has none."""
    try:
        return read_json(folder / KNOWN)
    except FlowError:
        return {}


def _write_known(folder: Path, job: Job, stages: Sequence[Stage]) -> None:
    """Leave in the folder of a run the keys of the results that there are, by stage."""
    found = zip(stages, results(job, stages), strict=False)
    write_json(folder / KNOWN, {stage.name: result.key for stage, result in found if result.made})


def _note_answer(folder: Path, job: Job, stages: Sequence[Stage], found: tuple[Path, str]) -> None:
    """Leave in the folder of a run that a result of an earlier run was given, and when.

    By this ``flow.earlier`` tells which of several results is today's: a line of the circuit may
    have been changed, and changed back.
    """
    with suppress(OSError):  # of a folder that can only be read
        os.utime(found[0])
        if known_keys(folder).get(stages[-1].name) == found[1]:
            os.utime(folder / KNOWN)
            os.utime(folder)
            return
        with _locked(folder.with_name(f"{folder.name}.lock"), lambda line: None):
            folder.mkdir(exist_ok=True)
            job.write(folder / JOB)
            _write_known(folder, job, stages)


def _generate(folder: Path, lock: int) -> None:
    """Let mflowgen write the makefile."""
    log = folder / "mflowgen.log"
    program = beside_python(MFLOWGEN.ask[0]) or MFLOWGEN.ask[0]
    construct = code_folder() / _CONSTRUCT
    if _call([program, "run", "--design", str(construct)], folder, log, lock):
        raise _failure("mflowgen", folder, log)


def _make(folder: Path, stages: Sequence[str], lock: int) -> None:
    """Run the nodes of stages, side by side where they are several."""
    log = folder / "make.log"
    status = _call(["make", f"--jobs={len(stages)}", *stages], folder, log, lock)
    # mflowgen puts a number before a node's name.
    nodes = {
        stage: next(folder.glob(f"[0-9]*-{stage}"), folder / stage) / "mflowgen-run.log"
        for stage in stages
    }
    found = {stage: node for stage, node in nodes.items() if node.exists()}
    for node in found.values():
        for line in node.read_text(errors="replace").splitlines():
            if line.startswith(TOLD):
                tell(line.removeprefix(TOLD))
    if status:
        failed = [stage for stage, node in found.items() if _told_failure(node)]
        stage = next(iter([*failed, *found, *stages]))
        raise _failure(stage, folder, found.get(stage, log))


def _call(command: list[str], folder: Path, log: Path, lock: int) -> int:
    environment = {k: v for k, v in os.environ.items() if k not in _NOT_INHERITED}
    # The makefile calls python and mflowgen-python by name.
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    environment |= {"RSAXCEL_CACHE": str(cache_root()), **variables()}
    with log.open("a") as output:
        output.write(f"# {time.strftime('%Y-%m-%d %H:%M:%S')} {' '.join(command)}\n")
        output.flush()
        return subprocess.run(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            pass_fds=(lock,),
            check=False,
        ).returncode


def _failure(stage: str, folder: Path, log: Path) -> FlowError:
    """Say why a stage failed: by the line that a node failed with, else the last one of its log."""
    if is_full(folder):
        return SetupError(f"cannot write {folder}: no space left on device")
    if told := _told_failure(log):
        failure, reason = told
        return failure(_told(stage, folder, reason, log))
    return ToolFailure(_told(stage, folder, (_lines(log) or ["no output"])[-1], log))


def _told_failure(log: Path) -> tuple[type[FlowError], str] | None:
    """Kind of the failure that a node has told, and its reason."""
    for line in reversed(_lines(log)):
        for start, failure in FAILURES.items():
            if line.startswith(start):
                return failure, line.removeprefix(start)
    return None


def _lines(log: Path) -> list[str]:
    return [line.strip() for line in log.read_text(errors="replace").splitlines() if line.strip()]


def _told(stage: str, folder: Path, reason: str, log: Path) -> str:
    # A tool's own log says more than the node's.
    place = "" if "(log: " in reason else f" (log: {log})"
    return f"{stage} of {folder.name}: {reason}{place}"
