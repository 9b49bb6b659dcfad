"""Confines a process to its folder before it imports what somebody else wrote.

Landlock, where the kernel has it, lets nothing be written elsewhere, and nothing be read but
Python, the packages and the design. Everywhere, a hook tells what was tried and ends the process.
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
    """Limit processor time and memory of this process, and the size of what it writes."""
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
    nbytes = int(memory_gb * 2**30)
    resource.setrlimit(resource.RLIMIT_AS, (nbytes, nbytes))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_LARGEST_FILE, _LARGEST_FILE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def restrict_files(own: Path, readable: Iterable[Path], listable: Iterable[Path]) -> bool:
    """Let this process write in its own folder alone, and read that, Python and these.

    Returns False where the kernel can't.
    """
    ctypes.set_errno(0)  # landlock takes an earlier call's for its own
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
    """From now on, call ``tell`` with what this process does to anything but its own folder."""

    def outside(path: Any) -> bool:
        if not isinstance(path, str | bytes | os.PathLike):
            return False  # a descriptor that is open already
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
        elif event == "import" and isinstance(arguments[1], str):  # an extension
            if Path(arguments[1]).is_relative_to(own):
                tell(f"it loads machine code, {Path(arguments[1]).name}")
        elif event in _NETWORK:
            tell(f"it uses the network ({event})")

    sys.addaudithook(hook)
