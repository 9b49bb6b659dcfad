"""Runs the function of a task in a sandbox; see ``course.rank.sandbox.run``.

``python -m course.rank.inside`` reads the task from standard input and writes the answer to
the file that is its standard output. Nothing here confines: a design can change all of it. It only
tells students which of their statements the sandbox would stop.
"""

import builtins
import json
import os
import pkgutil
import resource
import sys
from collections.abc import Callable
from pathlib import Path
from types import BuiltinFunctionType, FunctionType
from typing import Any

from sim.check.refused import Refused
from store.packages import PACKAGES
from store.tools import ToolError

_LARGEST_FILE = 1 << 28
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_FUNCTIONS = (FunctionType, BuiltinFunctionType)
_CHANGES = (
    *("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.symlink", "os.link", "os.truncate"),
    *("os.chmod", "os.chown", "os.utime", "shutil.rmtree", "shutil.move"),
)
_FORBIDDEN = {
    "starts a program": (
        *("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.forkpty"),
        *("os.spawn", "pty.spawn"),
    ),
    "sends a signal": ("os.kill", "os.killpg"),
    "calls C functions": (
        *("ctypes.dlopen", "ctypes.dlsym", "ctypes.dlsym/handle", "ctypes.call_function"),
    ),
    "uses the network": (
        *("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg"),
        *("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"),
    ),
}
_TOLD = {event: told for told, events in _FORBIDDEN.items() for event in events}


def main() -> None:
    """Run the task, and write its answer: an object with ``result``, or with ``error``."""
    answer_to = os.dup(1)
    os.dup2(2, 1)  # what a design prints is not part of the answer
    task = json.load(sys.stdin.buffer)
    _limit(task)

    def give(**content: Any) -> None:
        os.pwrite(answer_to, json.dumps(content).encode(), 0)

    def refuse(reason: str) -> None:
        give(kind="touches", error=reason)
        os._exit(1)

    try:
        function = pkgutil.resolve_name(task["function"])
        known = _functions() if task["informs"] else {}
        if task["informs"]:
            _watch(Path.cwd(), refuse)
        result = function(**task["arguments"])
        after = _functions() if known else {}
        changed = sorted(name for name, x in known.items() if after.get(name, x) is not x)
        if changed:
            give(kind="touches", error=f"it replaces {', '.join(changed[:3])}")
        else:
            give(result=result)
    except Refused as error:
        give(kind=error.kind, error=error.reason, replay=error.replay)
    except MemoryError:
        give(kind="limits", error=f"more than {task['nbytes'] / 2**30:g} GB of memory")
    except BaseException as error:
        give(kind=_kind(error), error=_told(error))
    os._exit(0)


def _limit(task: dict[str, Any]) -> None:
    seconds = int(task["seconds"]) + 1
    for what, most in (
        (resource.RLIMIT_CPU, 4 * seconds),  # a process may have threads; the whole has a time, too
        (resource.RLIMIT_AS, task["nbytes"]),
        (resource.RLIMIT_FSIZE, _LARGEST_FILE),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NPROC, task["processes"]),
    ):
        _, allowed = resource.getrlimit(what)
        most = most if allowed == resource.RLIM_INFINITY else min(most, allowed)
        resource.setrlimit(what, (most, most))


def _kind(error: BaseException) -> str:
    from flow.errors import FlowError, SetupError

    if isinstance(error, ToolError | SetupError):
        return "tool"
    return "flow" if isinstance(error, FlowError) else "broken"


def _told(error: BaseException) -> str:
    """Describe an exception in one line."""
    from diagnosis.error import DesignError

    if isinstance(error, DesignError):
        return " ".join(error.format_message().split())
    known = _kind(error) != "broken"
    return " ".join((str(error) if known else f"{type(error).__name__}: {error}").split())


def _watch(own: Path, tell: Callable[[str], None]) -> None:
    """Install an audit hook that calls ``tell`` with a text on each forbidden action."""

    def is_outside(path: Any) -> bool:
        if not isinstance(path, str | bytes | os.PathLike):
            return False  # a descriptor of an open file
        real = Path(os.path.realpath(os.fsdecode(path)))
        return not real.is_relative_to(own) and real != Path(os.devnull)

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event in _TOLD:
            tell(f"it {_TOLD[event]} ({event})")
        elif event in _CHANGES:
            for path in filter(is_outside, arguments[:2]):
                tell(f"it changes {os.fsdecode(path)} ({event})")
        elif event == "open" and isinstance(arguments[2], int) and arguments[2] & _WRITING:
            if is_outside(arguments[0]):
                tell(f"it opens {os.fsdecode(arguments[0])} to write")
        elif event == "import" and isinstance(arguments[1], str):
            # Only the import of an extension module has the name of a file.
            if Path(arguments[1]).is_relative_to(own):
                tell(f"it loads machine code, {Path(arguments[1]).name}")

    sys.addaudithook(hook)


def _functions() -> dict[str, object]:
    """Return the functions of builtins and of rsaxcel's packages, by qualified name."""
    found: dict[str, object] = {
        f"builtins.{name}": x for name, x in vars(builtins).items() if isinstance(x, _FUNCTIONS)
    }
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in PACKAGES:
            for key, value in list(vars(module).items()):
                if isinstance(value, _FUNCTIONS):
                    found[f"{name}.{key}"] = value
                elif isinstance(value, type) and value.__module__ == name:
                    for method, function in list(vars(value).items()):
                        if isinstance(function, FunctionType):
                            found[f"{name}.{key}.{method}"] = function
    return found


if __name__ == "__main__":
    main()
