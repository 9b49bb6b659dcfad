"""Runs the flow on a small design with the fake physical tool."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from rsaxcel import catalog
from rsaxcel.flow.layout import PLACED, Layout
from rsaxcel.flow.run import run_flow

EXPONENTS = {"encrypt": 17}
UTILISATION = 0.6

#: Script of a process that tests can kill: prints each node when it begins, then the record.
_RUN = f"""
import json, sys
from pathlib import Path
from rsaxcel import catalog
from rsaxcel.flow.layout import EMBEDDED, Layout
from rsaxcel.flow.tools import TOOLS
from rsaxcel.flow.run import run_flow
from tests.flow.fake_tool import FakeTool
TOOLS[EMBEDDED] = FakeTool
record = run_flow(
    catalog.get("mulrem_r2l").configure(8), operations={EXPONENTS},
    layout=Layout("placed", utilisation=float(sys.argv[2])),
    directory=Path(sys.argv[1]), progress=lambda line: print(line, flush=True),
)
print(json.dumps(record.as_json()), flush=True)
"""


def placed(directory: Path, **choices: Any) -> tuple[dict[str, Any], list[str]]:
    """Place the small design; give its record as JSON and the lines of progress."""
    lines: list[str] = []
    layout = Layout(PLACED, **{"utilisation": UTILISATION, **choices})
    record = run_flow(
        catalog.get("mulrem_r2l").configure(8),
        operations=EXPONENTS,
        layout=layout,
        directory=directory,
        progress=lines.append,
    )
    return record.as_json(), lines


def start(directory: Path, utilisation: float = UTILISATION) -> subprocess.Popen[str]:
    """Start the small flow as a process group of its own."""
    root = Path(__file__).parents[2]
    paths = [str(root), *(path for path in sys.path if path)]
    return subprocess.Popen(
        [sys.executable, "-c", _RUN, str(directory), str(utilisation)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
