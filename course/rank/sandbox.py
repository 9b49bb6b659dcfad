"""Runs functions on what somebody else wrote, in a sandbox with limits.

The sandbox is made by bubblewrap: new namespaces of users, processes, network, mounts and IPC, in
which the interpreter, the tools and the packages can be read, and only a tmpfs can be written.
Where the kernel refuses namespaces, another uid confines, if the user asks for it.
"""

from __future__ import annotations

import contextlib
import json
import os
import pwd
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import psutil

from eval.signals import descendants, end_processes
from flow.errors import FlowError
from sim.check.refused import KINDS, Refused
from store.errors import UserError
from store.installing import program
from store.packages import PACKAGES
from store.tools import BUBBLEWRAP, GXX, ToolError

BY_BUBBLEWRAP, BY_USER, TRUSTED = "bubblewrap", "another uid", "nothing"
"""What confines the code of hand-ins."""

_ROOT = Path(__file__).resolve().parents[2]
_SYSTEM = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"),
    *("/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d"),
)
# Where root mounts what the other uid could not reach, in a mount namespace of its own.
_STAGE = Path("/mnt")
_TMP = Path("/tmp")
# Folders that everybody may write; another uid gets new ones.
_SHARED = ("/tmp", "/var/tmp", "/dev/shm", "/run/lock")
# System users of no package: Debian and systemd leave these numbers to short-lived accounts.
_UIDS = range(61184, 65520)
_LARGEST_ANSWER = 1 << 26
_MOST_PROCESSES = 256
_LARGEST_SHARED = 1 << 26
_TAIL_NBYTES = 2000
_LONGEST_REASON = 300
_POLL_S = 0.1
_CGROUPS = Path("/sys/fs/cgroup")


@dataclass(frozen=True)
class Limits:
    """Limits for each step of a handed-in design: reading, translation, checks, models, flow.

    Parameters
    ----------
    seconds
        Time limit in seconds.
    memory_gb
        Memory limit in GB, for each process and for all processes of a step together; the files
        that a step writes may take half of it.
    confinement
        ``BY_BUBBLEWRAP``, ``BY_USER`` or ``TRUSTED``.
    """

    seconds: float
    memory_gb: float
    confinement: str = BY_BUBBLEWRAP

    @property
    def nbytes(self) -> int:
        """Memory limit in bytes."""
        return int(self.memory_gb * 2**30)


def check_confinement(confinement: str) -> None:
    """Check that this machine can confine in a certain way.

    Raises
    ------
    UserError
        If it cannot; the message says why, and what else can be asked for.
    """
    if confinement == BY_USER and os.geteuid():
        raise UserError("--as-user: only root can change to another uid; sudo is allowed")
    if confinement == BY_BUBBLEWRAP and (reason := _refusal()):
        raise UserError(
            f"hand-ins cannot be confined: {reason}; --as-user (as root) runs them under another "
            "uid, --trust-hand-ins with all rights of yours"
        )


def description(confinement: str) -> str:
    """Say in a line what holds hand-ins back, and which of the limits has which guard."""
    if confinement == TRUSTED:
        return "hand-ins ran with all rights of the user (--trust-hand-ins)"
    memory = "a cgroup" if _cgroup_folders() else "a watcher of all its processes"
    limits = f"memory by RLIMIT_AS and {memory}, processes by RLIMIT_NPROC"
    if confinement == BY_BUBBLEWRAP:
        return f"hand-ins ran in namespaces of bubblewrap; {limits}, files by the size of a tmpfs"
    if _namespaces():
        return f"hand-ins ran under another uid, without network; {limits}, files by a tmpfs"
    lacking = "network and files in folders that everybody may write were open to them"
    return f"hand-ins ran under another uid; {limits}; {lacking}"


def run(
    function: Callable[..., Any],
    arguments: Mapping[str, Any],
    limits: Limits,
    what: str,
    *,
    folder: Path | None = None,
    is_foreign: bool = False,
    informs: bool = True,
) -> Any:
    """Return the result of ``function(**arguments)``, run in a sandbox.

    Parameters
    ----------
    function, arguments
        Function at the top of a module, and its arguments; arguments and result are values for
        JSON.
    limits
        Limits, and what confines.
    what
        Name of the step, for messages.
    folder
        A folder of somebody else that the function may read, at the path in
        ``arguments["folder"]``. Its code must not run: as root, the step can read all of it.
    is_foreign
        Whether the function runs code of somebody else. Its answer may then be anything, and
        nothing but a refusal of the design follows from it.
    informs
        Whether foreign code is refused in words if it starts programs, or changes files or our
        functions; all that is confined in any case.

    Raises
    ------
    Refused
        If the function raises it or fails, or if it exceeds a limit.
    ToolError, FlowError
        If the function raises it and is not foreign.
    """
    task = {
        "function": f"{function.__module__}:{function.__qualname__}",
        "arguments": arguments,
        "seconds": limits.seconds,
        "nbytes": limits.nbytes,
        "processes": _MOST_PROCESSES,
        "informs": is_foreign and informs,
    }
    with contextlib.ExitStack() as stack:
        given, answered, said = (stack.enter_context(tempfile.TemporaryFile()) for _ in range(3))
        given.write(json.dumps(task).encode())
        given.seek(0)
        sandbox = stack.enter_context(_sandbox(limits, folder))
        process = stack.enter_context(_started(sandbox, given, answered, said))
        if over := _wait(process, sandbox, limits):
            raise Refused("limits", f"{what} takes more than {over}")
        answer = _answer(answered)
        if answer is None:
            if sandbox.cgroup and sandbox.cgroup.over:
                raise Refused("limits", f"{what} takes more than {limits.memory_gb:g} GB")
            raise Refused("broken", f"{what}: {_end(process.returncode, said)}")
    if "result" in answer:
        return answer["result"]
    kind, error = str(answer.get("kind")), line(answer.get("error"))
    if not is_foreign and kind in _RAISED:
        raise _RAISED[kind](error)
    replay = "" if is_foreign else str(answer.get("replay", ""))
    allowed = ("touches", "limits", "broken") if is_foreign else KINDS
    raise Refused(kind if kind in allowed else "broken", error, replay)


_RAISED: dict[str, type[Exception]] = {"tool": ToolError, "flow": FlowError}
"""Exceptions that a function may raise, by the kind that ``inside`` gives them."""


def _answer(file: Any) -> dict[str, Any] | None:
    """Read the answer; None if there is none, or one that is too long or no JSON object."""
    file.seek(0)
    content = file.read(_LARGEST_ANSWER + 1)
    try:
        if len(content) > _LARGEST_ANSWER:
            raise Refused("limits", f"its answer has more than {_LARGEST_ANSWER >> 20} MB")
        answer = json.loads(content, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return None
    return answer if isinstance(answer, dict) else None


def _refuse_constant(name: str) -> float:
    raise ValueError(name)


def _end(status: int, said: Any) -> str:
    """Say how a process ended that gave no answer, with the last line that it printed."""
    said.seek(max(0, said.seek(0, os.SEEK_END) - _TAIL_NBYTES))
    last = (said.read().decode(errors="replace").strip().splitlines() or ["it printed nothing"])[-1]
    # bubblewrap and setpriv turn the signal of their child into an exit status.
    number = -status if status < 0 else status - 128
    if number in {*signal.Signals}:
        return f"its process was ended by {signal.Signals(number).name}: {line(last)}"
    return f"its process ended with exit status {status}, without an answer: {line(last)}"


def line(told: object) -> str:
    """Turn a text of somebody else into one printable line of at most 300 characters."""
    return printable(" ".join(str(told)[: 10 * _LONGEST_REASON].split())[:_LONGEST_REASON])


def printable(text: str) -> str:
    """Replace what a terminal would not print as it stands."""
    return "".join(x if x.isprintable() else "?" for x in text)


@dataclass(frozen=True)
class _Sandbox:
    """How a process is started; ``uid`` is None if it has the user's own."""

    command: tuple[str, ...]
    environment: Mapping[str, str]
    folder: Path
    uid: int | None
    cgroup: _Cgroup | None

    def processes(self, pid: int) -> list[int]:
        """All processes in the sandbox: those of the other uid, or the descendants of ``pid``."""
        if self.uid is None:
            return descendants(pid)
        found = []
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error):
                is_alive = process.status() != psutil.STATUS_ZOMBIE
                if is_alive and process.uids().real == self.uid:
                    found.append(process.pid)
        return found


@contextlib.contextmanager
def _sandbox(limits: Limits, folder: Path | None) -> Iterator[_Sandbox]:
    is_root, uid = os.geteuid() == 0, None
    # Only the reading step needs the rights of root, and it runs nothing of the folder.
    if is_root and folder is None and limits.confinement != TRUSTED:
        uid = _unused_uid()
    # Without -P, Python would search the current folder first.
    python = (sys.executable, "-P", "-m", "course.rank.inside")
    change = ("setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "--no-new-privs")
    with contextlib.ExitStack() as stack:
        own = _TMP
        if limits.confinement == BY_BUBBLEWRAP:
            sources = _readable(folder)
            if uid is None:
                caps = ("--cap-add", "CAP_DAC_READ_SEARCH") if is_root else ()
                command = (*_bubblewrap(sources, limits, is_root=is_root), *caps, *python)
            else:
                # Root mounts all sources at places that the other uid can reach.
                staged = {path: _STAGE / str(n) for n, path in enumerate(sources)}
                outer = [str(program(BUBBLEWRAP)[0]), "--die-with-parent"]
                outer += ["--dev-bind", "/", "/", "--tmpfs", str(_STAGE)]
                for path, place in staged.items():
                    outer += ["--ro-bind", str(path), str(place)]
                outer += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
                inner = _bubblewrap(staged, limits, is_root=False)
                command = (*outer, *change, *inner, *python)
        elif uid is not None and _namespaces():
            command = (*_unshared(limits), *change, *python)
        else:
            own = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="rsaxcel-rank-")))
            if uid is not None:
                os.chown(own, uid, uid)
            command = (*(change if uid is not None else ()), *python)
        environment = {
            **{name: os.environ[name] for name in ("PATH", GXX.variable) if name in os.environ},
            "LANG": "C.UTF-8",
            "HOME": str(own),
            "TMPDIR": str(own),
            "RSAXCEL_CACHE": str(own / "cache"),
            "PYTHONPATH": str(_ROOT),
            "PYTHONDONTWRITEBYTECODE": "1",
            "OPENBLAS_NUM_THREADS": "1",
        }
        confined = limits.confinement != TRUSTED
        cgroup = stack.enter_context(_limited_cgroup(limits)) if confined else None
        yield _Sandbox(command, environment, own, uid, cgroup)


def _bubblewrap(sources: Mapping[Path, Path], limits: Limits, *, is_root: bool) -> tuple[str, ...]:
    """Command that confines the command behind it; it sees only ``sources``, by path."""
    users = () if is_root else ("--unshare-user", *_without_nesting())
    parts = [*program(BUBBLEWRAP), *users, "--unshare-pid", "--unshare-net", "--unshare-ipc"]
    parts += ["--unshare-uts", "--die-with-parent", "--new-session"]
    parts += ["--proc", "/proc", "--dev", "/dev"]
    parts += ["--size", str(limits.nbytes // 2), "--tmpfs", str(_TMP), "--chdir", str(_TMP)]
    for path, source in sources.items():
        parts += ["--ro-bind", str(source), str(path)]
    # bubblewrap gives the root and /dev a tmpfs without a size.
    parts += ["--size", str(_LARGEST_SHARED), "--tmpfs", "/dev/shm"]
    return (*parts, "--remount-ro", "/dev", "--remount-ro", "/")


def _readable(folder: Path | None) -> dict[Path, Path]:
    """Give the paths that a sandbox can read, each with its place outside."""
    places = [Path(x) for x in (*_SYSTEM, sys.prefix, sys.base_prefix)]
    places += [_ROOT / package for package in PACKAGES]
    for name in ("sta", "openroad"):
        if tool := shutil.which(name):
            places.append(Path(tool).resolve().parent)
    with contextlib.suppress(ToolError):
        places.append(Path(program(GXX)[0]).resolve().parent)
    found: dict[Path, Path] = {}
    for path in sorted({x for x in places if x.exists()}):
        if not any(path.is_relative_to(other) for other in found):
            found[path] = path
    return found | ({HANDED: folder} if folder else {})


HANDED = Path("/handed")
"""Where a sandbox of bubblewrap shows the folder that it may read."""


def _unshared(limits: Limits) -> tuple[str, ...]:
    """Command of root that gives the command behind it namespaces, without one of users."""
    mounts = "".join(
        f"mount -t tmpfs -o size={limits.nbytes // 2},mode=1777 none {folder}; "
        for folder in _SHARED
        if Path(folder).is_dir() and not any(x.is_relative_to(folder) for x in _readable(None))
    )
    script = f'mount -t proc proc /proc; {mounts}cd /tmp; exec "$@"'
    options = ("--mount", "--net", "--ipc", "--pid", "--fork", "--kill-child")
    return ("unshare", *options, "sh", "-ec", script, "sh")


@cache
def _namespaces() -> bool:
    """Whether root can make namespaces without one of users."""
    return _fails([*_unshared(Limits(1, 0.01)), "true"]) == ""


@cache
def _refusal() -> str:
    """Reason why bubblewrap cannot confine; empty if it can."""
    try:
        found = program(BUBBLEWRAP)
    except ToolError as error:
        return str(error)
    system = {path: path for path in map(Path, _SYSTEM) if path.exists()}
    command = (*_bubblewrap(system, Limits(1, 0.01), is_root=False), "true")
    if os.geteuid() == 0:
        uid = str(_UIDS[0])
        outer = (*found, "--dev-bind", "/", "/", "--tmpfs", str(_STAGE))
        caps = ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")
        command = (*outer, *caps, "setpriv", "--reuid", uid, "--clear-groups", *command)
    return _fails(command)


@cache
def _without_nesting() -> tuple[str, ...]:
    """Option that refuses further namespaces, in which a tmpfs would have no size (since 0.8)."""
    told = subprocess.run([*program(BUBBLEWRAP), "--help"], capture_output=True, text=True)
    return ("--disable-userns",) if "--disable-userns" in told.stdout + told.stderr else ()


def _fails(command: Iterable[str]) -> str:
    """Run a command; return the last line of its errors, or nothing if it succeeds."""
    try:
        done = subprocess.run([*command], capture_output=True, text=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired) as error:
        return line(error)
    lines = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
    return line(lines[-1]) if done.returncode else ""


def _unused_uid() -> int:
    """Choose a uid without an account and without processes."""
    taken = {entry.pw_uid for entry in pwd.getpwall()}
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            taken |= {*process.uids()}
    return secrets.choice([uid for uid in _UIDS if uid not in taken])


@contextlib.contextmanager
def _started(sandbox: _Sandbox, given: Any, answered: Any, said: Any) -> Iterator[subprocess.Popen]:
    """Context with a running process; at its end, all processes of the sandbox are killed."""
    process = subprocess.Popen(
        sandbox.command,
        cwd=sandbox.folder,
        env=sandbox.environment,
        stdin=given,
        stdout=answered,
        stderr=said,
        start_new_session=True,
        preexec_fn=sandbox.cgroup.join if sandbox.cgroup else None,
    )
    try:
        yield process
    finally:
        # Processes without a namespace of their own may fork while they are killed.
        while left := [
            *sandbox.processes(process.pid),
            *([process.pid] * (process.poll() is None)),
        ]:
            end_processes(left, signal.SIGKILL)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_POLL_S)
        process.wait()


def _wait(process: subprocess.Popen, sandbox: _Sandbox, limits: Limits) -> str:
    """Wait for the end of a process; return the limit that its family exceeds, if it does."""
    until = time.monotonic() + limits.seconds
    while True:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(min(_POLL_S, max(0, until - time.monotonic())))
            return ""
        if time.monotonic() >= until:
            return f"{limits.seconds:g} s"
        if (
            limits.confinement != TRUSTED
            and _resident(sandbox.processes(process.pid)) > limits.nbytes
        ):
            return f"{limits.memory_gb:g} GB"


def _resident(pids: Iterable[int]) -> int:
    """Memory of processes in bytes; what they share counts once where it matters."""
    found = 0
    for pid in pids:
        with contextlib.suppress(psutil.Error):
            process = psutil.Process(pid)
            found += process.memory_info().rss - process.memory_info().shared
    return found


@dataclass(frozen=True)
class _Cgroup:
    """Folders of a new cgroup, in version 1 one for each controller."""

    folders: tuple[Path, ...]

    def join(self) -> None:
        """Move this process into the cgroup."""
        for folder in self.folders:
            (folder / "cgroup.procs").write_text("0")

    @property
    def over(self) -> bool:
        """Whether the kernel ended a process for want of memory."""
        for folder in self.folders:
            for name in ("memory.events", "memory.oom_control"):
                if (file := folder / name).exists():
                    lines = map(str.split, file.read_text().splitlines())
                    return any(x[0] == "oom_kill" and int(x[1]) > 0 for x in lines)
        return False


@contextlib.contextmanager
def _limited_cgroup(limits: Limits) -> Iterator[_Cgroup | None]:
    """Context with a cgroup for a family of processes; None where cgroups cannot be written."""
    folders = _cgroup_folders()
    if not folders:
        yield None
        return
    name = f"rsaxcel-{os.getpid()}-{secrets.token_hex(4)}"
    made = []
    try:
        for parent in folders:
            (folder := parent / name).mkdir()
            made.append(folder)
            for file, value in (
                ("memory.limit_in_bytes", limits.nbytes),
                ("memory.max", limits.nbytes),
                ("memory.swap.max", 0),
                ("pids.max", _MOST_PROCESSES),
            ):
                if (folder / file).exists():
                    (folder / file).write_text(str(value))
        yield _Cgroup(tuple(made))
    finally:
        for folder in made:
            with contextlib.suppress(OSError):  # a process is still ending: the folder is left
                folder.rmdir()


@cache
def _cgroup_folders() -> tuple[Path, ...]:
    """Folders in which this process can make cgroups that limit memory and processes."""
    found = []
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        for name in controllers.split(",") if controllers else [""]:
            folder = _CGROUPS / name / path.lstrip("/")
            if name not in ("", "memory", "pids") or not os.access(folder, os.W_OK):
                continue
            handed_on = folder / "cgroup.subtree_control"
            if name or (handed_on.exists() and "memory" in handed_on.read_text().split()):
                found.append(folder)
    limits_memory = any("memory" in x.parts or (x / "memory.max").exists() for x in found)
    return tuple(found) if limits_memory else ()
