"""Runs a tool with a time limit, to see whether it works."""

import os
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from rsaxcel.store.errors import RunError

_SECONDS = 30.0


class ToolOutputError(RunError):
    """A tool does not run; the message is one line of text."""


def output_of(*command: str) -> str:
    """Run a command and return its standard output, followed by its standard error.

    A command that runs Python searches this process's module path, not the current folder.

    Raises
    ------
    ToolOutputError
        If the command cannot be started, fails, or has not ended after 30 seconds.
    """
    environment = os.environ | {
        "LC_ALL": "C",
        "PYTHONPATH": os.pathsep.join(sys.path),
        "PYTHONSAFEPATH": "1",
    }
    name = Path(command[0]).name
    # Files rather than pipes: a process that the tool leaves behind may keep a pipe open.
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=errors,
                env=environment,
                start_new_session=True,
            )
        except OSError as error:
            raise ToolOutputError(f"cannot start {command[0]}: {error.strerror}") from error
        try:
            status = process.wait(_SECONDS)
        except subprocess.TimeoutExpired as error:
            raise ToolOutputError(f"{name} does not end within {_SECONDS:g} s") from error
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        said = []
        for file in (output, errors):
            file.seek(0)
            said.append(file.read().decode(errors="replace"))
    if status:
        lines = [line.strip() for line in "".join(reversed(said)).splitlines() if line.strip()]
        told = [line for line in lines if "Error" in line] or lines or ["no message"]
        reason = told[-1 if "Traceback" in said[1] else 0]
        ended = f"signal {-status}" if status < 0 else f"status {status}"
        raise ToolOutputError(f"{name} ends with {ended}: {reason}")
    return "".join(said)
