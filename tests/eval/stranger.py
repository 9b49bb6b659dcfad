"""Another account of this machine, which tries to reach the processes of a command."""

import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import psutil

_UID = 61234  # of no account
#: What the other account tries; it prints what succeeds.
_TRIES = Path(__file__).with_name("stranger_tries.txt").read_text("utf-8")


def reached_by_a_stranger(family: Sequence[psutil.Process]) -> list[str]:
    """List what another account can reach of processes.

    If this process may not become another account, or the other account may not run this Python,
    the list has all sockets that are listening.
    """
    ports, paths = set(), set()
    for process in family:
        with suppress(psutil.NoSuchProcess):
            for x in process.net_connections("all"):
                if isinstance(x.laddr, str):
                    paths |= {x.laddr} - {""}
                elif x.laddr and not x.raddr:
                    ports.add(f"{x.laddr.ip} {x.laddr.port}")
    if os.geteuid():
        return sorted(ports)
    found = ",".join(str(x.pid) for x in family), ",".join(ports), ",".join(paths)
    interpreter = os.path.realpath(sys.executable)  # the other account may not see .venv
    tries = [interpreter, "-I", "-c", _TRIES, *found]
    account = {"user": _UID, "group": _UID, "extra_groups": [], "cwd": "/"}
    try:
        done = subprocess.run(tries, **account, capture_output=True, text=True, check=True)
    except PermissionError:  # root's own Python, such as pyenv's
        return sorted(ports)
    return done.stdout.splitlines()
