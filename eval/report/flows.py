"""The ASIC flow, each run in a process of its own."""

from collections.abc import Mapping
from typing import Any

from eval.report.measure import Progress
from eval.report.processes import Processes
from eval.report.results import SetupFailure
from flow.errors import SetupError
from flow.run import find_record, run_flow
from flow.subjects import Target


class Flows:
    """Runs the flow; called from a thread per run.

    Parameters
    ----------
    clock_ns : float
        Clock constraint in ns.
    exponents : mapping of str to int, optional
        Exponent by type of operation; those of each width's standard key by default.
    """

    def __init__(self, clock_ns: float, exponents: Mapping[str, int] | None = None) -> None:
        self._options: dict[str, Any] = {
            "clock_ns": clock_ns,
            "operations": None if exponents is None else dict(exponents),
        }
        self._processes = Processes()

    def __call__(self, hardware: Target, progress: Progress) -> dict[str, Any]:
        """Return the record of a design or system, reusing what there is.

        Raises
        ------
        SetupFailure
            If a tool is missing or a folder can't be written.
        MeasureError
            If the flow fails; says how.
        """
        try:
            found = find_record(hardware, **self._options)
        except SetupError as error:
            raise SetupFailure(str(error)) from error
        if found is not None:
            progress("record of an earlier run")
            return found.as_json()
        return self._processes.run(_record, hardware, self._options, progress=progress)

    def stop(self) -> None:
        """End what still runs; the next run goes on behind the last finished stage."""
        self._processes.stop()


def _record(hardware: Target, options: dict[str, Any], progress: Progress) -> dict[str, Any]:
    return run_flow(hardware, progress=progress, **options).as_json()
