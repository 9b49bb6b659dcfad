"""Runs a tool to see whether it works, for no longer than it may take."""

import os
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

_SECONDS = 30.0


class NoAnswerError(Exception):
    """A tool does not run; the message is one line."""


def answer(*command: str) -> str:
    """Give what a tool says, on standard output and behind that on standard error.

    Python finds the modules that this Python finds, and none of the current folder besides.

    Raises
    ------
    NoAnswerError
        If the tool cannot be started, fails, or has not ended after half a minute.
    """
    environment = os.environ | {
        "LC_ALL": "C",
        "PYTHONPATH": os.pathsep.join(sys.path),
        "PYTHONSAFEPATH": "1",
    }
    name = Path(command[0]).name
    # Files rather than pipes: what a tool leaves behind may keep a pipe open.
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
            raise NoAnswerError(f"cannot start {command[0]}: {error.strerror}") from error
        try:
            status = process.wait(_SECONDS)
        except subprocess.TimeoutExpired as error:
            raise NoAnswerError(f"{name} does not end within {_SECONDS:g} s") from error
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
        raise NoAnswerError(f"{name} ends with {ended}: {reason}")
    return "".join(said)
