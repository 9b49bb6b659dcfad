"""What the nodes of the graph have in common: their command line, their files, their store."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from flow.errors import FlowError, SetupError, ToolFailure
from flow.files import read_json
from flow.job import KNOWN, Job
from flow.kit import Kit
from flow.power.errors import PowerError
from flow.stage import KIT, Place, Stage
from store.folders import CacheError, file_digest, keep

FAILURES: dict[str, type[FlowError]] = {
    "setup error: ": SetupError,
    "tool error: ": ToolFailure,
    "error: ": FlowError,
}
"""What begins the line that says why a node failed."""

Run = Callable[[Job, Place], None]


def main(stage: Stage, run: Run) -> None:
    """Run a node in the current folder; the option ``--job`` names the file of the job.

    The result comes from the job's store, if it is there. Failure is one line on standard error,
    and exit status 1.
    """
    option, *files = sys.argv[1:] or [""]
    if option != "--job" or len(files) != 1:
        sys.exit("error: usage: --job FILE")
    try:
        link_result(stage, run, Job.read(Path(files[0])), Path.cwd())
    except (FlowError, PowerError, ValueError, OSError, CacheError) as error:
        setup = isinstance(error, OSError | CacheError)
        kinds = (k for k, failure in FAILURES.items() if isinstance(error, failure))
        kind = "setup error: " if setup else next(kinds, "error: ")
        sys.exit(f"{kind}{' '.join(str(error).split())}")


def link_result(stage: Stage, run: Run, job: Job, folder: Path) -> None:
    """Make a result unless it is kept; link the files in ``outputs/`` to those of the store."""
    inputs, outputs = folder / "inputs", folder / "outputs"
    key = _known(stage, folder.parent)
    if key is None:
        key = stage.key(job, {name: _digest(inputs / name, job) for name in stage.inputs})

    def populate(draft: Path) -> None:
        # What a killed run's tools still write does not get here.
        work = Path(tempfile.mkdtemp(prefix="work-", dir=folder))
        run(job, Place(inputs, draft, work, key))

    entry = keep(job.store, stage.entry(job, key), populate)
    outputs.mkdir(exist_ok=True)
    for name in stage.outputs:
        (outputs / name).unlink(missing_ok=True)
        (outputs / name).symlink_to(entry / name)


def _known(stage: Stage, run_folder: Path) -> str | None:
    """Key that the run has found out already: some take longer than the stage."""
    path = run_folder / KNOWN
    return read_json(path).get(stage.name) if path.exists() else None


def _digest(path: Path, job: Job) -> str:
    return Kit.read(path, job.library).digest if path.name == KIT else file_digest(path)
