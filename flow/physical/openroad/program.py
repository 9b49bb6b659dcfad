"""The program OpenROAD: where it is, its version, and runs of scripts."""

from __future__ import annotations

import re
import signal
import subprocess
from functools import cache
from pathlib import Path

from rsaxcel.flow.errors import NoRoom, ToolFailure
from rsaxcel.store.errors import SetupError
from rsaxcel.store.foreign import prctl
from rsaxcel.store.installing import program
from rsaxcel.store.tools import OPENROAD

_HOURS = 12
_PR_SET_PDEATHSIG = 1  #: from linux/prctl.h
_DONE = "step done"
#: Last row of the table of congestion: resource, demand, usage, overflow across, up, and both.
_TOTAL = re.compile(r"^Total +\d+ +\d+ +[\d.]+% +\d+ / +\d+ / +(\d+)$", re.MULTILINE)
#: Errors of detailed and of global placement, of the placement of ports, and of global routing.
_NO_ROOM = ("DPL-0036", "GPL-0301", "PPL-0024", "GRT-0118", "GRT-0232")
_FIGURE = re.compile(r"^figure (\w+) (\S+)$", re.MULTILINE)
_ERROR = re.compile(r"^(?:\[(?:ERROR|CRITICAL)\b.*|Error\b.*|.*\bSignal \d+ received.*)$", re.M)
#: The first option is of December 2022; a version without it lacks others that the scripts use,
#: too.
_PROBE = """
foreach {command option} {repair_timing -repair_tns clock_tree_synthesis -clk_nets} {
  if {![info exists sta::cmd_args($command)]} { puts "lacking $command"; continue }
  if {[string first $option $sta::cmd_args($command)] < 0} { puts "lacking $command $option" }
}
puts "probe done"
"""
_OPTIONS = ("-no_init", "-no_splash", "-exit")
_HOW = "build it from https://github.com/The-OpenROAD-Project/OpenROAD"


def find_openroad() -> str:
    """Path of the program ``openroad``; ``SetupError`` if it is missing."""
    return program(OPENROAD)[0]


def openroad_version() -> str:
    """Version of OpenROAD: a tag with a count of commits, or a commit.

    Older than 2023 is refused.
    """
    path = find_openroad()
    return _version(path, Path(path).stat().st_mtime_ns)


@cache
def _version(path: str, _modified: int) -> str:
    said = _output([path, "-version"])
    words = said.split()
    if not words:
        raise SetupError(f"{path} does not tell its version; {_HOW}")
    probe = _output([path, *_OPTIONS, "/dev/stdin"], _PROBE)
    lacking = re.findall(r"^lacking (.+)$", probe, re.MULTILINE)
    if lacking or "probe done" not in probe:
        why = f"it has no {lacking[0]}" if lacking else "it runs no script"
        raise SetupError(f"OpenROAD {words[0]} is too old: {why}; 2023 or newer is needed: {_HOW}")
    return words[0]


def _output(command: list[str], given: str = "") -> str:
    try:
        run = subprocess.run(command, input=given, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SetupError(f"cannot start {command[0]}: {error}; {_HOW}") from error
    return run.stdout


def run_script(script: str, name: str, work: Path) -> str:
    """Run a script; return its log.

    An added last line shows a script that ends early. ``NoRoom`` if cells or wires do not fit,
    ``ToolFailure`` with OpenROAD's error otherwise.
    """
    path, log = work / f"{name}.tcl", work / f"{name}.log"
    path.write_text(f'{script}\nputs "{_DONE}"\n')
    with log.open("w") as output:
        process = subprocess.Popen(
            [find_openroad(), *_OPTIONS, path.name],
            cwd=work,
            stdout=output,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            preexec_fn=_end_with_parent,
        )
        try:
            status = process.wait(_HOURS * 3600)
        except BaseException as error:
            process.kill()
            process.wait()
            if isinstance(error, subprocess.TimeoutExpired):
                raise ToolFailure(
                    f"OpenROAD: {name} takes more than {_HOURS} hours (log: {log.resolve()})"
                ) from None
            raise
    text = log.read_text(errors="replace")
    if status or _DONE not in text.splitlines():
        reason = f"OpenROAD: {_reason(text, status)} (log: {log.resolve()})"
        raise NoRoom(reason) if any(code in reason for code in _NO_ROOM) else ToolFailure(reason)
    return text


def _end_with_parent() -> None:
    """Let the kernel end OpenROAD if this process is killed, before it writes to a later run."""
    prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def figures(log: str) -> dict[str, float]:
    """Figures that a script has written to its log, by name; the last one counts."""
    return {name: float(value) for name, value in _FIGURE.findall(log)}


def _reason(text: str, status: int) -> str:
    """Return the line of a log that names the error."""
    errors = [line.strip() for line in _ERROR.findall(text)]
    # "Error: place.tcl, 14 PPL-0024" only repeats the number of the message before it.
    told = [line for line in errors if line.startswith("[")]
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return (told or errors or lines or [f"status {status}"])[-1]


def global_overflow(log: str) -> float:
    """Tracks that the last global route of a log lacks."""
    rows = _TOTAL.findall(log)
    if not rows:
        raise ToolFailure("OpenROAD: the log has no table of the global route")
    return float(rows[-1])
