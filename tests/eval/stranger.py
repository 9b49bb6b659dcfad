"""Another account of this machine, which tries to reach the processes of a command."""

import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress

import psutil

_UID = 61234  # of no account
#: What the other account tries; it prints what succeeds.
_TRIES = """
import ctypes, os, signal, socket, sys

def attempt(what, does):
    try:
        does()
    except (OSError, ValueError):
        return
    print(what)

def take_descriptor(pid):
    pidfd = os.pidfd_open(pid)
    if any(ctypes.CDLL(None).syscall(438, pidfd, number, 0) >= 0 for number in range(3, 30)):
        return
    raise OSError

pids, ports, paths = (x.split(",") if x else [] for x in sys.argv[1:])
for pid in map(int, pids):
    attempt(f"signal to {pid}", lambda: os.kill(pid, 0))
    attempt(f"descriptor of {pid}", lambda: take_descriptor(pid))
    for name in ("fd", "cwd"):
        attempt(f"{name} of {pid}", lambda: os.listdir(f"/proc/{pid}/{name}"))
    for name in ("mem", "environ"):
        attempt(f"{name} of {pid}", lambda: open(f"/proc/{pid}/{name}", "rb"))
for address, port in (x.split(" ") for x in ports):
    attempt(f"{address} {port}", lambda: socket.create_connection((address, int(port)), 5))
for path in paths:
    attempt(path, lambda: socket.socket(socket.AF_UNIX).connect(path.replace("@", chr(0), 1)))
"""


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
    try:
        done = subprocess.run(
            tries,
            user=_UID,
            group=_UID,
            extra_groups=[],
            cwd="/",
            capture_output=True,
            text=True,
            check=True,
        )
    except PermissionError:  # root's own Python, such as pyenv's
        return sorted(ports)
    return done.stdout.splitlines()
