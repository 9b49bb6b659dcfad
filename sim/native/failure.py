"""Stores the files and the log of a failed build: users can read the lines that the log names."""

import re
import shutil
from pathlib import Path

from rsaxcel.sim.native.toolchain import ToolError
from rsaxcel.store.folders import keep

_LOG = "log"
# Verilator runs in the draft and names files there without a folder.
_RELATIVE = re.compile(r"(?<!\S)(?=\w+\.sv:\d)")


def keep_failure(error: ToolError, draft: Path, directory: Path, name: str) -> ToolError:
    """Store the files and the log of a failed build; return the error with the stored paths.

    ``draft`` is the tool's folder, which the caller removes.
    """
    if not error.output:  # the tool did not start
        return error
    kept = directory / f"refused-{name}"

    def with_paths(text: str) -> str:
        return _RELATIVE.sub(lambda _: f"{kept}/", text.replace(str(draft), str(kept)))

    def populate(folder: Path) -> None:
        shutil.copytree(draft, folder, dirs_exist_ok=True)
        (folder / _LOG).write_text(with_paths(error.output))

    keep(directory, kept.name, populate)
    return ToolError(f"{with_paths(str(error))} (log: {kept / _LOG})")
