"""Runs the function of a task in a sandbox: ``python -m course.rank.inside``.

It reads the task from standard input, and writes the answer, with ``result`` or ``error``, to the
file that is its standard output. A design can change all that is here.
"""

import ctypes
import errno
import json
import os
import pkgutil
import platform
import resource
import sys
from typing import Any

from sim.check.refused import Refused
from store.foreign import ForeignLibrary
from store.tools import ToolError

_LARGEST_FILE = 1 << 28
_KEYCTL = {"x86_64": 250, "aarch64": 219}  # numbers of the system call
_NOT_THERE = (errno.EROFS, errno.EACCES, errno.EPERM, errno.ENETUNREACH)


def main() -> None:
    """Run the task; see ``course.rank.sandbox.run``."""
    answer_to = os.dup(1)
    os.dup2(2, 1)  # what a design prints is not part of the answer
    task = json.load(sys.stdin.buffer)
    # A new session keyring of the kernel: the user's own, with its keys, is handed on to children.
    join = ForeignLibrary().declare("syscall", ctypes.c_long, *[ctypes.c_long] * 3)
    if number := _KEYCTL.get(platform.machine()):
        join(number, 1, 0)
    for what, most in (
        (resource.RLIMIT_CPU, 4 * int(task["seconds"] + 1)),  # of all threads
        (resource.RLIMIT_AS, task["nbytes"]),
        (resource.RLIMIT_FSIZE, _LARGEST_FILE),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NPROC, task["processes"]),
    ):
        _, allowed = resource.getrlimit(what)
        most = most if allowed == resource.RLIM_INFINITY else min(most, allowed)
        resource.setrlimit(what, (most, most))

    def give(**content: Any) -> None:
        os.pwrite(answer_to, json.dumps(content).encode(), 0)

    try:
        give(result=pkgutil.resolve_name(task["function"])(**task["arguments"]))
    except Refused as error:
        give(kind=error.kind, error=error.reason, replay=error.replay)
    except MemoryError:
        give(kind="limits", error=f"more than {task['nbytes'] / 2**30:g} GB of memory")
    except BaseException as error:
        give(**_told(error))
    os._exit(0)


def _told(error: BaseException) -> dict[str, str]:
    from diagnosis.error import DesignError
    from flow.errors import FlowError, SetupError

    # A missing tool was told before the sandbox: what a design makes fail stops no other one.
    tool = "unknown" if isinstance(error, ToolError | SetupError) else ""
    known = tool or ("flow" if isinstance(error, FlowError) else "")
    kind = "touches" if getattr(error, "errno", None) in _NOT_THERE else "broken"
    text = str(error) if known else f"{type(error).__name__}: {error}"
    told = error.format_message() if isinstance(error, DesignError) else text
    return {"kind": known or kind, "error": " ".join(told.split())}


if __name__ == "__main__":
    main()
