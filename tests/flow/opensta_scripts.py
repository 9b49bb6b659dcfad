"""Runs scripts in OpenSTA itself, beside the flow."""

import subprocess
from pathlib import Path

from rsaxcel.flow.opensta import find_sta


def run_opensta(script: str, folder: Path) -> str:
    """Output of a script that runs in a folder."""
    (folder / "script.tcl").write_text(script)
    command = [find_sta(), "-no_init", "-no_splash", "-exit", "script.tcl"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
