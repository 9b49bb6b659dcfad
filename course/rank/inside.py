"""Runs a task of ``course.rank.sandbox``: JSON from standard input to the file at standard output.

A design can change all state of this process.
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

from rsaxcel.sim.check.refused import Refused
from rsaxcel.store.errors import SetupError
from rsaxcel.store.foreign import prctl

_LARGEST_FILE, _MOST_OPEN = 1 << 28, 1024
_NO_NEW_PRIVS, _SECCOMP, _FILTER = 38, 22, 2  #: from linux/prctl.h and linux/seccomp.h
#: Architecture, socket, clone, then refused calls: memory that no limit counts (memfd_create,
#: shmget, msgget, semget, mq_open; on both machines memfd_secret, io_uring_setup), keys of the user
#: (three calls), unshare, bpf, perf_event_open.
_CALLS = {
    "x86_64": (0xC000003E, 41, 56, 319, 29, 68, 64, 240, 248, 249, 250, 272, 321, 298),
    "aarch64": (0xC00000B7, 198, 220, 279, 194, 186, 190, 180, 217, 218, 219, 97, 280, 241),
}
_ALIKE, _CLONE3, _NEW_USER, _UNIX = (447, 425), 435, 1 << 28, 1
_NOT_THERE = (errno.EROFS, errno.EACCES, errno.EPERM, errno.ENETUNREACH)


def main() -> None:
    """Run the task; see ``course.rank.sandbox.run``."""
    answer_to = os.dup(1)
    os.dup2(2, 1)  # a design's own output is not part of the answer
    function, arguments, (seconds, nbytes, processes) = json.load(sys.stdin.buffer)
    if processes >= 0 and platform.machine() in _CALLS:
        _forbid(*_CALLS[platform.machine()])
    for what, most in (
        (resource.RLIMIT_CPU, 4 * int(seconds + 1)),  # CPU time of all threads
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


def _forbid(architecture: int, socket: int, clone: int, *calls: int) -> None:
    """Refuse system calls of this process, and of all that it starts, by a filter (seccomp)."""
    # Of sockets, those between processes stay: others may reach the host from any namespace.
    # Without clone3, libraries call clone, whose flags are seen: new namespaces have a tmpfs
    # without a size.
    # jump: lines to skip if true, if false; number to compare
    load, equal, least, has, end = 0x20, 0x15, 0x35, 0x45, 0x06
    refuse, absent = ((end, 0, 0, 0x50000 | x) for x in (errno.EPERM, errno.ENOSYS))
    allow, argument = (end, 0, 0, 0x7FFF0000), (load, 0, 0, 16)
    # Calls from 2^30 on are those of x32, with other numbers.
    lines = [(load, 0, 0, 4), (equal, 1, 0, architecture), refuse]
    lines += [(load, 0, 0, 0), (least, 0, 1, 1 << 30), refuse, (equal, 0, 1, _CLONE3), absent]
    lines += [line for call in (*calls, *_ALIKE) for line in ((equal, 0, 1, call), refuse)]
    lines += [(equal, 0, 4, socket), argument, (equal, 0, 1, _UNIX), allow, refuse]
    lines += [(equal, 0, 3, clone), argument, (has, 0, 1, _NEW_USER), refuse, allow]
    text = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *x) for x in lines))
    program = ctypes.create_string_buffer(struct.pack("HP", len(lines), ctypes.addressof(text)))
    prctl(_NO_NEW_PRIVS, 1)
    prctl(_SECCOMP, _FILTER, ctypes.addressof(program))


def _told(error: BaseException) -> dict[str, str]:
    if isinstance(error, Refused):
        return {"kind": error.kind, "error": error.reason, "replay": error.replay}
    if isinstance(error, MemoryError):
        return {"kind": "limits", "error": "it takes more memory than allowed"}
    from rsaxcel.diagnosis.error import DesignError
    from rsaxcel.flow.errors import FlowError

    # A missing tool would have been reported before the sandbox: a failure that a design causes
    # must not stop other designs.
    tool = "unknown" if isinstance(error, SetupError) else ""
    known = tool or ("flow" if isinstance(error, FlowError) else "")
    kind = "touches" if getattr(error, "errno", None) in _NOT_THERE else "broken"
    text = str(error) if known else f"{type(error).__name__}: {error}"
    told = str(error) if isinstance(error, DesignError) else text
    return {"kind": known or kind, "error": " ".join(told.split())}


if __name__ == "__main__":
    main()
