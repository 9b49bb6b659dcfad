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
import struct
import sys

from sim.check.refused import Refused
from store.foreign import prctl
from store.tools import ToolError

_LARGEST_FILE, _MOST_OPEN = 1 << 28, 1024
_NO_NEW_PRIVS, _SECCOMP, _FILTER = 38, 22, 2  # from linux/prctl.h and linux/seccomp.h
# Architecture, then system calls whose memory no limit counts, or that reach keys of the user:
# memfd_create, memfd_secret, shmget, msgget, semget, mq_open, io_uring_setup; and those of keys.
_CALLS = {
    "x86_64": (0xC000003E, 319, 447, 29, 68, 64, 240, 425, 248, 249, 250),
    "aarch64": (0xC00000B7, 279, 447, 194, 186, 190, 180, 425, 217, 218, 219),
}
_NOT_THERE = (errno.EROFS, errno.EACCES, errno.EPERM, errno.ENETUNREACH)


def main() -> None:
    """Run the task; see ``course.rank.sandbox.run``."""
    answer_to = os.dup(1)
    os.dup2(2, 1)  # what a design prints is not part of the answer
    function, arguments, (seconds, nbytes, processes) = json.load(sys.stdin.buffer)
    if processes >= 0 and platform.machine() in _CALLS:
        _forbid(*_CALLS[platform.machine()])
    for what, most in (
        (resource.RLIMIT_CPU, 4 * int(seconds + 1)),  # of all threads
        (resource.RLIMIT_AS, nbytes),
        (resource.RLIMIT_FSIZE, _LARGEST_FILE),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, _MOST_OPEN),
        (resource.RLIMIT_NPROC, processes),
    ):
        given = most, resource.getrlimit(what)[1]
        least = min((x for x in given if x >= 0), default=resource.RLIM_INFINITY)
        resource.setrlimit(what, (least, least))
    try:
        answer = json.dumps({"result": pkgutil.resolve_name(function)(**arguments)})
    except BaseException as error:
        answer = json.dumps(_told(error))
    os.pwrite(answer_to, answer.encode(), 0)
    os._exit(0)


def _forbid(architecture: int, *calls: int) -> None:
    """Refuse system calls of this process, and of all that it starts, by a filter (seccomp)."""
    load, equal, least, end = 0x20, 0x15, 0x35, 0x06  # then skips if true, if false, and a number
    refuse = (end, 0, 0, 0x50000 | errno.EPERM)
    # Calls from 2^30 on are those of x32, with other numbers.
    lines = [(load, 0, 0, 4), (equal, 1, 0, architecture), refuse]
    lines += [(load, 0, 0, 0), (least, 0, 1, 1 << 30), refuse]
    lines += [line for call in calls for line in ((equal, 0, 1, call), refuse)]
    lines += [(end, 0, 0, 0x7FFF0000)]
    text = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *x) for x in lines))
    program = ctypes.create_string_buffer(struct.pack("HP", len(lines), ctypes.addressof(text)))
    prctl(_NO_NEW_PRIVS, 1)
    prctl(_SECCOMP, _FILTER, ctypes.addressof(program))


def _told(error: BaseException) -> dict[str, str]:
    if isinstance(error, Refused):
        return {"kind": error.kind, "error": error.reason, "replay": error.replay}
    if isinstance(error, MemoryError):
        return {"kind": "limits", "error": "it takes more memory than allowed"}
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
