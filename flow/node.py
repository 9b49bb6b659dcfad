"""What the nodes of the graph have in common: their command line and their files."""

from __future__ import annotations

import inspect
import json
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from flow.errors import FlowError
from flow.power.errors import PowerError

ERROR = "error: "
"""Begins the line that says why a node failed."""


def main(run: Callable[..., None]) -> None:
    """Call a node's function with the current folder and the options of the command line.

    The options are ``--name value``, one for each parameter of the function but the first. Failure
    is one line on standard error, and exit status 1.
    """
    names = list(inspect.signature(run).parameters)[1:]
    options = sys.argv[1:]
    if options[::2] != [f"--{name.replace('_', '-')}" for name in names] or len(options) % 2:
        usage = " ".join(f"--{name.replace('_', '-')} VALUE" for name in names)
        sys.exit(f"{ERROR}usage: {usage}")
    try:
        run(Path.cwd(), *options[1::2])
    except (FlowError, PowerError, ValueError, OSError) as error:
        sys.exit(f"{ERROR}{' '.join(str(error).split())}")


def write_json(path: Path, content: dict[str, Any]) -> None:
    """Write a file that is complete or not there."""
    with tempfile.NamedTemporaryFile("w", dir=path.parent, prefix=".", delete=False) as file:
        json.dump(content, file, indent=1)
        file.write("\n")
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)


def read_json(path: Path) -> dict[str, Any]:
    """Read a stage's result."""
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise FlowError(f"cannot read {path}: {error}") from error
