"""Confines a process to its own folder before it imports an untrusted design.

If the kernel has Landlock, the process can write only in its folder, and read only Python, the
packages and the design. On every kernel, a Python audit hook reports forbidden actions.
"""

import ctypes
import os
import resource
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from landlock import FSAccess, LandlockError, Ruleset

_SYSTEM = ("/usr", "/lib", "/lib64", "/etc", "/dev")
_LARGEST_FILE = 1 << 28
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_CHANGES = (
    *("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.symlink", "os.link", "os.truncate"),
    *("os.chmod", "os.chown", "os.utime", "shutil.rmtree", "shutil.move"),
)
_PROGRAMS = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "pty.spawn")
_C = ("ctypes.dlopen", "ctypes.dlsym", "ctypes.dlsym/handle", "ctypes.call_function")
_NETWORK = ("socket.connect", "socket.bind", "socket.sendto", "socket.getaddrinfo")


def limit(seconds: float, memory_gb: float) -> None:
    """Limit the processor time and the memory of this process, and the size of its files."""
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
    nbytes = int(memory_gb * 2**30)
    resource.setrlimit(resource.RLIMIT_AS, (nbytes, nbytes))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_LARGEST_FILE, _LARGEST_FILE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def restrict_files(own: Path, readable: Iterable[Path], listable: Iterable[Path]) -> bool:
    """Restrict this process by Landlock: it may write only in its own folder.

    Parameters
    ----------
    own
        Folder of the process.
    readable
        Files and folders that the process may read, in addition to its own folder and Python.
    listable
        Folders whose contents the process may list.

    Returns
    -------
    bool
        Whether the process is restricted; False if the kernel has no Landlock.
    """
    ctypes.set_errno(0)  # else landlock would take an earlier call's error for its own
    try:
        rules = Ruleset()
        rules.allow(own)
        reading = FSAccess.READ_FILE | FSAccess.READ_DIR | FSAccess.EXECUTE
        python = (sys.prefix, sys.base_prefix, *_SYSTEM)
        for path in (*readable, *(x for x in map(Path, python) if x.exists())):
            rules.allow(path, rules=reading if path.is_dir() else FSAccess.READ_FILE)
        for path in listable:
            rules.allow(path, rules=FSAccess.READ_DIR)
        rules.apply()
    except (LandlockError, OSError):
        return False
    return True


def watch(own: Path, tell: Callable[[str], None]) -> None:
    """Install an audit hook that calls ``tell`` with a text on each forbidden action.

    Forbidden are: writing or changing files outside the folder ``own``, starting programs, calling
    C functions, loading an extension module from ``own``, and using the network.
    """

    def outside(path: Any) -> bool:
        if not isinstance(path, str | bytes | os.PathLike):
            return False  # a descriptor of an open file
        real = Path(os.path.realpath(os.fsdecode(path)))
        return not real.is_relative_to(own) and real != Path(os.devnull)

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, _, flags = arguments
            if isinstance(flags, int) and flags & _WRITING and outside(path):
                tell(f"it opens {os.fsdecode(path)} to write")
        elif event in _CHANGES:
            for path in arguments[:2]:
                if outside(path):
                    tell(f"it changes {os.fsdecode(path)} ({event})")
        elif event in _PROGRAMS:
            tell(f"it starts a program ({event})")
        elif event in _C:
            tell(f"it calls C functions ({event})")
        elif event == "import" and isinstance(arguments[1], str):
            # Only the import of an extension module has the name of a file.
            if Path(arguments[1]).is_relative_to(own):
                tell(f"it loads machine code, {Path(arguments[1]).name}")
        elif event in _NETWORK:
            tell(f"it uses the network ({event})")

    sys.addaudithook(hook)
