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

ROOT = Path(__file__).parents[2]

#: Script of a process that tests can kill: prints each node when it begins, then the record.
_RUN = """
import json, sys
from pathlib import Path
from tests.flow.small_flow import flow
{setup}
record, _ = flow(Path(sys.argv[1]), progress=lambda line: print(line, flush=True), {options})
print(json.dumps(record), flush=True)
"""


def flow(directory: Path, **options: Any) -> tuple[dict[str, Any], list[str]]:
    """Run the small design; give its record as JSON and the lines of progress."""
    lines: list[str] = []
    options = {"operations": EXPONENTS, "progress": lines.append, **options}
    configuration = catalog.get("mulrem_r2l").configure(8)
    return run_flow(configuration, directory=directory, **options).as_json(), lines


@contextmanager
def running(directory: Path, setup: str = "", options: str = "") -> Iterator[subprocess.Popen[str]]:
    """Start the small flow as a process group of its own; ``options`` are written as in a call."""
    script = _RUN.format(setup=setup, options=options)
    paths = [str(ROOT), *(p for p in sys.path if p)]
    with subprocess.Popen(
        [sys.executable, "-c", script, str(directory)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        yield process


def result(directory: Path, node: str) -> Path:
    """Find the folder of a node's result."""
    (folder,) = (x for x in directory.glob(f"stages/{node}-mulrem_r2l_8-*") if x.is_dir())
    return folder


def outputs(directory: Path) -> dict[str, int]:
    """Times at which the nodes' results were made."""
    return {str(x): x.stat().st_mtime_ns for x in directory.glob("stages/*-*/contents.json")}
