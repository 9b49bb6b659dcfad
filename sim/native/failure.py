"""What a tool refused is kept beside the libraries, so that the lines that it names can be read."""

import shutil
from pathlib import Path

from sim.native.toolchain import ToolError
from store.folders import keep

_LOG = "log"


def keep_failure(error: ToolError, draft: Path, directory: Path, name: str) -> ToolError:
    """Keep what a tool read and what it said, and give the error with the paths of what is kept.

    Parameters
    ----------
    error
        What the tool said.
    draft
        Folder in which it ran, which will be removed.
    directory, name
        Where libraries are kept, and the name of the one that was to be built.

    Raises
    ------
    CacheError
        If the store cannot be written.
    """
    if not error.output:  # it could not be started
        return error
    kept = directory / f"refused-{name}"

    def populate(folder: Path) -> None:
        shutil.copytree(draft, folder, dirs_exist_ok=True)
        (folder / _LOG).write_text(error.output.replace(str(draft), str(kept)))

    keep(directory, kept.name, populate)
    reason = str(error).replace(str(draft), str(kept))
    return ToolError(f"{reason} (log: {kept / _LOG})")
