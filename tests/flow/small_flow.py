"""Runs the flow on a small design, for tests of its kept results and interruptions."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rsaxcel import catalog
from rsaxcel.flow.run import run_flow

EXPONENTS = {"encrypt": 17, "decrypt": 0b10110111}

#: Script of a process that tests can kill: prints each node when it begins, then the record.
_RUN = f"""
import json, sys
from pathlib import Path
from rsaxcel import catalog
from rsaxcel.flow.run import run_flow
record = run_flow(
    catalog.get("mulrem_r2l").configure(8), operations={EXPONENTS},
    directory=Path(sys.argv[1]), progress=lambda line: print(line, flush=True),
)
print(json.dumps(record.as_json()), flush=True)
"""


def flow(directory: Path, **options: Any) -> tuple[dict[str, Any], list[str]]:
    """Run the small design; give its record as JSON and the lines of progress."""
    lines: list[str] = []
    options = {"operations": EXPONENTS, **options}
    configuration = catalog.get("mulrem_r2l").configure(8)
    record = run_flow(configuration, directory=directory, progress=lines.append, **options)
    return record.as_json(), lines


@contextmanager
def running(directory: Path) -> Iterator[subprocess.Popen[str]]:
    """Start the small flow as a process group of its own."""
    command = [sys.executable, "-c", _RUN, str(directory)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    options: dict[str, Any] = {"stdout": subprocess.PIPE, "text": True, "start_new_session": True}
    with subprocess.Popen(command, env=environment, **options) as process:
        yield process


def result(directory: Path, node: str) -> Path:
    """Find the folder of a node's result."""
    (folder,) = (x for x in directory.glob(f"stages/{node}-mulrem_r2l_8-*") if x.is_dir())
    return folder


def outputs(directory: Path) -> dict[str, int]:
    """Times at which the nodes' results were made."""
    return {str(x): x.stat().st_mtime_ns for x in directory.glob("stages/*-*/contents.json")}
