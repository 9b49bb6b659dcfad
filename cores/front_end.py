"""Reads Verilog in another process: a crash, an endless run or a full memory becomes one line.

A macro, a loop or a module that calls itself may let the front end (slang) run without an end, and
what is nested too deep ends its process.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path

from rsaxcel.cores import verilog, vhdl
from rsaxcel.cores.errors import DescriptionError
from rsaxcel.cores.findings import Clock
from rsaxcel.cores.limits import limit
from rsaxcel.plan.protocols import Port
from rsaxcel.store.processes import end_with_parent

_SECONDS = 10  #: processor time of the process
_WAITED = 300  #: seconds until the end, on a machine that does much else, too
_GB = 2
_MOST_TEXT = 32 << 20  #: characters of all modules, with macros expanded
_LONGEST_LINE = 600  #: characters of an error, because names in the Verilog may be long

_LONG = (
    f"reading the Verilog takes more than {_SECONDS} s or {_GB} GB: a macro, a loop, a module that "
    "has itself or an array of instances may be too large; smaller ones are allowed"
)
_WAITING = (
    f"reading the Verilog takes more than {_WAITED} s, and less than {_SECONDS} s of the "
    "processors: the machine does too much else; another try is allowed"
)
_DEEP = "something is nested too deep, such as parentheses; less deep ones are allowed"


def elaborate(
    sources: verilog.Sources, top: str, parameters: Mapping[str, int | str], standard: str = ""
) -> verilog.Elaborated:
    """Elaborate a top module; ``DescriptionError`` for the first mistake.

    ``standard`` is that of VHDL; "": the files are Verilog.
    """
    if not standard:
        return _elaborate(sources, top, parameters)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, f"{top}.v")
        text, notes = vhdl.to_verilog(sources, top, parameters, standard)
        file.write_text(text)
        found = _elaborate(replace(sources, folder=Path(folder), files=(file,)), top, {})
        return replace(found, notes=(*notes, *found.notes))


def _elaborate(
    sources: verilog.Sources, top: str, parameters: Mapping[str, int | str]
) -> verilog.Elaborated:
    request = {
        "folder": os.fspath(sources.folder),
        "shown": sources.shown,
        "files": [os.fspath(x) for x in sources.files],
        "includes": [os.fspath(x) for x in sources.includes],
        "defines": sources.defines,
        "top": top,
        "parameters": dict(parameters),
    }
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", __name__],
            input=json.dumps(request).encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            timeout=_WAITED,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise DescriptionError(f"{sources.shown}: {_WAITING}") from None
    if done.returncode or not done.stdout:
        told = _LONG if -done.returncode in (signal.SIGXCPU, signal.SIGKILL) else _DEEP
        raise DescriptionError(f"{sources.shown}: {told}")
    answer = json.loads(done.stdout)
    if told := answer.get("error"):
        raise DescriptionError(told)
    ports = []
    for port in answer["ports"]:
        try:
            ports.append(Port(**port))
        except ValueError as error:
            raise DescriptionError(f"{sources.shown}: {error}") from None
    modules, notes, faults = (tuple(answer[x]) for x in ("modules", "notes", "faults"))
    clocks = tuple(Clock(**x) for x in answer["clocks"])
    text, netlist = answer["text"], answer["netlist"]
    data = tuple((file, place) for file, place in answer["data"])
    return verilog.Elaborated(text, tuple(ports), modules, notes, clocks, faults, netlist, data)


def _main() -> None:
    """Answer a request of ``elaborate`` from standard input."""
    end_with_parent(signal.SIGKILL)
    limit(_SECONDS, _GB, 0)
    given = json.load(sys.stdin.buffer)
    answer_to = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    files, includes = ([Path(x) for x in given[key]] for key in ("files", "includes"))
    defines = tuple((name, value) for name, value in given["defines"])
    sources = verilog.Sources(
        Path(given["folder"]), given["shown"], tuple(files), tuple(includes), defines
    )
    try:
        found = verilog.elaborate(sources, given["top"], given["parameters"])
        answer = asdict(found)
        if len(found.text) > _MOST_TEXT:
            answer = {"error": f"{sources.shown}: more than {_MOST_TEXT >> 20} MB of modules"}
    except DescriptionError as error:
        answer = {"error": str(error)[:_LONGEST_LINE]}
    except MemoryError:
        answer = {"error": f"{sources.shown}: {_LONG}"}
    except RecursionError:
        answer = {"error": f"{sources.shown}: {_DEEP}"}
    except OSError as error:
        answer = {"error": f"{sources.shown}: {error.strerror}"}
    except ValueError as error:  # such as sizes of files
        answer = {"error": f"{sources.shown}: {error}"[:_LONGEST_LINE]}
    answer_to.write(json.dumps(answer).encode())
    answer_to.flush()
    os._exit(0)  # pyslang complains at the exit about what is not collected


if __name__ == "__main__":
    _main()
