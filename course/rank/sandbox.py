"""Runs functions on foreign files, in namespaces of bubblewrap and with limits.

Root runs functions under a uid without an account: the kernel limits no processes of root. Where
the kernel refuses user namespaces, ``BY_USER`` confines by such a uid, and by a namespace of the
network if root may make one.
"""

from __future__ import annotations

import json
import os
import pwd
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import psutil

from rsaxcel.sim.check.refused import KINDS, Refused
from rsaxcel.store.errors import UserError
from rsaxcel.store.installing import program
from rsaxcel.store.packages import MODULES, PACKAGES
from rsaxcel.store.shown import one_line
from rsaxcel.store.tools import BUBBLEWRAP, GXX, ToolError

#: ways to confine hand-ins
BY_BUBBLEWRAP, BY_USER, TRUSTED = ("bubblewrap", "another uid", "nothing")

HANDED = Path("/handed")  #: where a sandbox of bubblewrap shows the folder that is read
_ROOT = Path(__file__).parents[2]  #: root of the package, as Python finds it
_SYSTEM = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
)
_TMP = "/tmp"
#: Root's mounts that the other uid can reach, whatever folders they come from.
_STAGE = "/mnt"
#: With CAP_KILL, the kernel can end the other uid when its parent dies.
_CAPS = ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_KILL")
#: folders that every uid can write; files that a hand-in's uid leaves there are removed
_SHARED = ("/tmp", "/var/tmp", "/dev/shm", "/run/lock")
_UIDS = range(61184, 65520)  #: uids that Debian and systemd use only for short-lived accounts
_MOST_PROCESSES = 256
_LARGEST_ANSWER, _LARGEST_FOREIGN, _POLL_S = 1 << 26, 1 << 24, 0.1


@dataclass(frozen=True)
class Limits:
    """Limits of a step (files may take half of the memory), and its confinement."""

    seconds: float
    memory_gb: float
    confinement: str = BY_BUBBLEWRAP

    @property
    def nbytes(self) -> int:
        return int(self.memory_gb * 2**30)


def check_confinement(confinement: str) -> None:
    """Raise a ``UserError`` that names the other ways, if this machine lacks this one."""
    if confinement == BY_USER and os.geteuid():
        raise UserError("--as-user: only root can change to another uid; sudo is allowed")
    if confinement == BY_USER and (reason := _failure((*_as(_UIDS[0]), sys.executable, "-c", ""))):
        raise UserError(
            f"--as-user: another uid cannot run this Python: {reason}; one outside of closed "
            "folders, such as /root, is allowed: make setup PYTHON=/path/to/python3"
        )
    if confinement == BY_BUBBLEWRAP and (reason := _refusal()):
        raise UserError(
            f"hand-ins cannot be confined: {reason}; --as-user (as root) runs them under another "
            "uid, --trust-hand-ins with all rights of yours"
        )


def description(confinement: str) -> str:
    """Text on the confinement of hand-ins, and on the enforcement of each limit."""
    if confinement == TRUSTED:
        return "hand-ins ran with all rights of the user (--trust-hand-ins)"
    memory = "a cgroup" if _cgroup_parents() else "a watcher of all its processes"
    limits = f"memory by RLIMIT_AS and {memory}, processes by RLIMIT_NPROC"
    if confinement == BY_BUBBLEWRAP:
        return f"hand-ins ran in namespaces of bubblewrap; {limits}, files by the size of a tmpfs"
    network = "without network" if _closed() else "with the network open"
    return f"hand-ins ran under another uid, {network}; {limits}, files by a watcher"


def run(
    function: Callable[..., Any],
    arguments: Mapping[str, Any],
    limits: Limits,
    what: str,
    *,
    folder: Path | None = None,
    is_foreign: bool = False,
) -> Any:
    """Return the result of a module's function, run in a sandbox; all values are those of JSON.

    The function may read ``folder``, in which nothing may run: as root, it can read all files. The
    answer of foreign code can only refuse a design. ``Refused`` names the function by ``what``.
    """
    is_confined = limits.confinement != TRUSTED
    most = limits.seconds, limits.nbytes, _MOST_PROCESSES if is_confined else -1
    task = f"{function.__module__}:{function.__qualname__}", arguments, most
    too_much = Refused("limits", f"{what} takes more than {limits.memory_gb:g} GB")
    with ExitStack() as stack:
        given, answered, said = (stack.enter_context(tempfile.TemporaryFile()) for _ in range(3))
        os.pwrite(given.fileno(), json.dumps(task).encode(), 0)
        groups = stack.enter_context(_cgroup(limits.nbytes if is_confined else 0))
        streams = {"stdin": given, "stdout": answered, "stderr": said}
        process, uid = stack.enter_context(_started(limits, folder, groups, streams))
        until = time.monotonic() + limits.seconds
        while process.poll() is None:
            with suppress(subprocess.TimeoutExpired):
                process.wait(min(_POLL_S, max(0.0, until - time.monotonic())))
            if time.monotonic() > until:
                raise Refused("limits", f"{what} takes more than {limits.seconds:g} s")
            if is_confined and _used(process.pid, uid) > limits.nbytes:
                raise too_much
        answer = _answer(answered, _LARGEST_FOREIGN if is_foreign else _LARGEST_ANSWER)
        if answer is None:
            if any(map(_ended_for_memory, groups)):
                raise too_much
            is_killed = _signal(process.returncode) in (signal.SIGKILL, signal.SIGTERM)
            # Whoever ended it may not be the design: another try may succeed.
            kind = "unknown" if is_killed else "broken"
            raise Refused(kind, f"{what}: {_end(process.returncode, said)}")
    if "result" in answer:
        return answer["result"]
    kind, error = str(answer.get("kind")), one_line(answer.get("error"))
    if is_foreign:
        raise Refused(kind if kind in ("touches", "limits") else "broken", error)
    raise Refused(kind if kind in KINDS else "broken", error, str(answer.get("replay", "")))


def _answer(file: Any, most: int) -> dict[str, Any] | None:
    file.seek(0)
    content = file.read(most + 1)
    if len(content) > most:
        raise Refused("limits", f"its answer has more than {most >> 20} MB")
    answer = None
    with suppress(ValueError, RecursionError):
        # parse_constant=int fails for Infinity and NaN
        answer = json.loads(content, parse_constant=int)
    return answer if isinstance(answer, dict) else None


def _end(status: int, said: Any) -> str:
    """Text on the end of a process without an answer, with the last line that it printed."""
    said.seek(max(0, said.seek(0, os.SEEK_END) - 2000))
    last = (said.read().decode(errors="replace").strip().splitlines() or ["it printed nothing"])[-1]
    if (number := _signal(status)) in {*signal.Signals}:
        return f"its process was ended by {signal.Signals(number).name}: {one_line(last)}"
    return f"its process ended with exit status {status}, without an answer: {one_line(last)}"


def _signal(status: int) -> int:
    """Return the signal that ended a process, or a child of bubblewrap or setpriv."""
    return -status if status < 0 else status - 128


@contextmanager
def _started(
    limits: Limits, folder: Path | None, groups: Iterable[Path], streams: Mapping[str, Any]
) -> Iterator[tuple[subprocess.Popen, int | None]]:
    """Context with a process and its uid, if it is another; at the end, its family is killed."""
    # The reader of the folder keeps root's right to read, and runs no file of the folder.
    by_root = limits.confinement if os.geteuid() == 0 else TRUSTED
    changes = by_root == BY_USER or (by_root == BY_BUBBLEWRAP and folder is None)
    uid = _unused_uid() if changes else None
    # -P: Python imports no module from the current folder.
    python = (sys.executable, "-P", "-m", "rsaxcel.course.rank.inside")

    with ExitStack() as stack:
        own = _TMP
        if limits.confinement == BY_BUBBLEWRAP:
            command = _bubblewrap(_readable(folder), limits, uid)
        else:
            own = tempfile.mkdtemp(prefix="rsaxcel-rank-")
            stack.callback(_remove, own, uid)
            command = () if uid is None else (*_closed(), *_as(uid, *_reading() if folder else ()))
            os.chown(own, *((-1, -1) if uid is None else (uid, uid)))
        environment = {x: os.environ[x] for x in ("PATH", GXX.variable) if x in os.environ}
        environment |= {"LANG": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1"}
        environment |= {"HOME": own, "TMPDIR": own, "RSAXCEL_CACHE": f"{own}/cache"}
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
        # As Python finds this package; other folders of the variable stay outside.
        if str(_ROOT.parent) in os.environ.get("PYTHONPATH", "").split(os.pathsep):
            environment["PYTHONPATH"] = str(_ROOT.parent)
        how: dict[str, Any] = {"cwd": own, "env": environment, "start_new_session": True, **streams}
        how["preexec_fn"] = lambda: [(x / "cgroup.procs").write_text("0") for x in groups]
        process = subprocess.Popen([*command, *python], **how)
        try:
            yield process, uid
        finally:
            # Without a namespace of processes, new ones may come while others are killed.
            while (left := _family(process.pid, uid)) or process.poll() is None:
                for each in (*left, process):
                    with suppress(psutil.Error):
                        each.kill()
                with suppress(subprocess.TimeoutExpired):
                    process.wait(_POLL_S)


def _bubblewrap(sources: dict[str, str], limits: Limits, uid: int | None) -> tuple[str, ...]:
    """Command that confines the command behind it; ``sources``: readable files, by path."""
    bwrap = program(BUBBLEWRAP)
    before: list[str] = []
    if uid is not None:
        before = [*bwrap, "--die-with-parent", "--dev-bind", "/", "/", "--tmpfs", _STAGE]
        for number, (path, source) in enumerate(sources.items()):
            sources[path] = f"{_STAGE}/{number}"
            before += ["--ro-bind", source, sources[path]]
        before += [*_CAPS, *_as(uid)]
    is_root = os.geteuid() == 0 and uid is None
    users = ["--cap-add", "CAP_DAC_READ_SEARCH"] if is_root else ["--unshare-user"]
    inner = [*bwrap, *users, "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]
    inner += ["--die-with-parent", "--new-session", "--proc", "/proc", "--dev", "/dev"]
    inner += ["--size", str(limits.nbytes // 2), "--tmpfs", _TMP, "--chdir", _TMP]
    for path, source in sources.items():
        inner += ["--ro-bind", source, path]
    # bubblewrap gives the root and /dev a tmpfs without a size.
    inner += ["--size", str(1 << 26), "--tmpfs", "/dev/shm", "--remount-ro", "/dev"]
    return (*before, *inner, "--remount-ro", "/")


def _readable(folder: Path | None) -> dict[str, str]:
    """Interpreter, tools, packages and a folder, each by its path in the sandbox."""
    found = [Path(x) for x in (*_SYSTEM, sys.prefix, sys.base_prefix)]
    found += [_ROOT / name for name in (*PACKAGES, *MODULES)]
    tools = filter(None, map(shutil.which, ("sta", "openroad", os.environ.get(GXX.variable, ""))))
    found += [Path(tool).resolve().parent for tool in tools]
    wanted = sorted({x for x in found if x.exists()})
    outer = [x for x in wanted if not any(x.is_relative_to(y) for y in wanted if y != x)]
    return {str(x): str(x) for x in outer} | ({str(HANDED): str(folder)} if folder else {})


@cache
def _closed() -> tuple[str, ...]:
    """Command by which root closes network, IPC and processes to another command, if possible."""
    for more in (("--pid", "--fork", "--kill-child", "--mount-proc"), ()):
        command = ("unshare", "--net", "--ipc", *more)
        if not _failure((*command, "/bin/sh", "-c", ":")):
            return command
    return ()


@cache
def _refusal() -> str:
    """Reason why bubblewrap cannot confine; empty if it can."""
    try:
        uid = None if os.geteuid() else _UIDS[0]
        system = {x: x for x in _SYSTEM if Path(x).exists()}
        return _failure((*_bubblewrap(system, Limits(1, 0.01), uid), "/bin/sh", "-c", ":"))
    except ToolError as error:
        return str(error)


def _failure(command: Iterable[str]) -> str:
    """Run a command; return the last line of its errors, or nothing if it succeeds."""
    try:
        done = subprocess.run([*command], capture_output=True, text=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired) as error:
        return one_line(error)
    lines = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
    return one_line(lines[-1]) if done.returncode else ""


def _as(uid: int, *more: str) -> tuple[str, ...]:
    return "setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "--no-new-privs", *more


def _reading() -> tuple[str, ...]:
    """Options of ``setpriv`` with which another uid reads what root can."""
    # Docker's containers have CAP_DAC_OVERRIDE (1) alone: what reads a folder runs no file of it.
    allowed = re.search(r"CapBnd:\s+(\w+)", Path("/proc/self/status").read_text())
    may_search = allowed is not None and int(allowed[1], 16) >> 2 & 1
    name = "dac_read_search" if may_search else "dac_override"
    return tuple(f"--{kind}-caps=-all,+{name}" for kind in ("inh", "ambient"))


def _remove(own: str, uid: int | None) -> None:
    """Remove a folder, nested at will, and another uid's files where all users can write."""
    find = ("find", *_SHARED, "-maxdepth", "1", "-user", str(uid), "-exec", "rm", "-rf", "{}", "+")
    for command in (("rm", "-rf", own), find)[: 1 + (uid is not None)]:
        subprocess.run(command, stderr=subprocess.DEVNULL)


def _unused_uid() -> int:
    taken = {entry.pw_uid for entry in pwd.getpwall()}
    taken |= {x.info["uids"].real for x in psutil.process_iter(["uids"]) if x.info["uids"]}
    return secrets.choice([uid for uid in _UIDS if uid not in taken])


def _family(pid: int, uid: int | None) -> list[psutil.Process]:
    """Living processes of another uid, or the descendants of a process."""
    if uid is not None:
        found = [x for x in psutil.process_iter(["uids", "status"]) if x.info["uids"]]
        alive = [x for x in found if x.info["status"] != psutil.STATUS_ZOMBIE]
        return [x for x in alive if x.info["uids"].real == uid]
    with suppress(psutil.Error):
        return psutil.Process(pid).children(recursive=True)
    return []


def _used(pid: int, uid: int | None) -> int:
    """Bytes of memory of a family: memory without files, or written files if these are more."""
    memory = written = 0
    for process in _family(pid, uid):
        with suppress(OSError, psutil.Error):
            status = Path(f"/proc/{process.pid}/status").read_text()
            memory += 1024 * sum(map(int, re.findall(r"Rss(?:Anon|Shmem):\s+(\d+)", status)))
            written += process.io_counters().write_chars if uid is not None else 0
    return max(memory, written)


@contextmanager
def _cgroup(nbytes: int) -> Iterator[list[Path]]:
    """Context with the folders of a new cgroup, if there is a limit and cgroups can be written."""
    name = f"rsaxcel-{os.getpid()}-{secrets.token_hex(4)}"
    limit = dict.fromkeys(("memory.limit_in_bytes", "memory.max"), nbytes)
    limit |= {"memory.swap.max": 0, "pids.max": _MOST_PROCESSES}
    groups = [x / name for x in _cgroup_parents()] if nbytes else []
    try:
        for group in groups:
            group.mkdir()
            for file in filter(Path.exists, map(group.joinpath, limit)):
                file.write_text(str(limit[file.name]))
        yield groups
    finally:
        for group in groups:
            with suppress(OSError):  # a process is still ending: the empty group stays
                group.rmdir()


@cache
def _cgroup_parents() -> tuple[Path, ...]:
    """Folders where this process can make cgroups of memory and processes, of version 1 or 2."""
    found = []
    for entry in Path("/proc/self/cgroup").read_text().splitlines():
        name, path = entry.split(":", 2)[1:]
        folder = Path("/sys/fs/cgroup", name, path.lstrip("/"))
        handed_on = folder / "cgroup.subtree_control"  # file of version 2, which has no name
        known = handed_on.read_text() if handed_on.exists() and not name else name
        if os.access(folder, os.W_OK) and {"memory", "pids"} & {*known.split()}:
            found.append(folder)
    return tuple(found)


def _ended_for_memory(group: Path) -> bool:
    told = "".join(x.read_text() for x in group.glob("memory.[eo]*"))
    return bool(re.search(r"^oom_kill [1-9]", told, re.MULTILINE))
