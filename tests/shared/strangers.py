"""Another user of the same machine, for tests of what this user can reach."""

import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest

STRANGER = 61234
"""Number of a user that no system has."""

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")


def as_stranger(function: Callable[[], object]) -> str:
    """Call a function as another user, in a process of its own; return its result, or its error."""
    reader, writer = os.pipe()
    if not (child := os.fork()):
        try:
            os.setgroups([])
            os.setgid(STRANGER)
            os.setuid(STRANGER)
            told = str(function())
        except Exception as error:
            told = f"{type(error).__name__}: {error}"
        except BaseException:
            told = traceback.format_exc()
        os.write(writer, told.encode())
        sys.stdout.flush()
        os._exit(0)
    os.close(writer)
    with open(reader, encoding="utf-8") as said:
        told = said.read()
    os.waitpid(child, 0)
    return told


def give_away(path: Path) -> None:
    """Make another user the owner of a file or folder, and of all that is in it."""
    for each in (path, *path.rglob("*")):
        os.chown(each, STRANGER, STRANGER, follow_symlinks=False)
