"""Work in processes of its own, so that several pieces run side by side.

PyMTL3 elaborates one component per process at a time, which rules threads out.
"""

import multiprocessing
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from eval.measure.errors import MeasureError, SetupFailure
from eval.measure.job import Progress
from eval.signals import descendants, end_processes
from flow.errors import SetupError
from proc.programs.build import CompilerError
from sim.native.toolchain import ToolError
from store.folders import CacheError

LACKING = (SetupError, ToolError, CacheError, CompilerError)
"""What is raised where a tool is missing or a folder can't be written."""

_STEP, _RESULT, _SETUP, _ERROR = range(4)


class Processes:
    """Runs functions, each in a process; called from a thread per run."""

    def __init__(self) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._running: list[multiprocessing.process.BaseProcess] = []

    def run(self, function: Callable[..., Any], *args: Any, progress: Progress) -> Any:
        """Return what ``function(*args, progress=...)`` returns.

        Parameters
        ----------
        function : callable
            A module's function, so that the other process finds it.
        args : any
            Arguments that can be pickled.
        progress : callable
            Takes the lines that the function reports.

        Raises
        ------
        SetupFailure
            If a tool is missing or a folder can't be written.
        MeasureError
            If the function fails; says how.
        """
        ours, theirs = self._context.Pipe(duplex=False)
        # No daemon: those may not have processes of their own, such as Yosys's.
        process = self._context.Process(target=_serve, args=(theirs, function, args))
        process.start()
        self._running.append(process)
        theirs.close()
        try:
            while True:
                kind, content = ours.recv()
                if kind == _RESULT:
                    return content
                if kind == _SETUP:
                    raise SetupFailure(content)
                if kind == _ERROR:
                    raise MeasureError(content)
                progress(content)
        except EOFError as error:
            process.join()
            raise MeasureError(f"its process ended with {process.exitcode}") from error
        finally:
            ours.close()
            process.join()
            self._running.remove(process)

    def stop(self) -> None:
        """End what still runs, and what that runs."""
        for process in list(self._running):
            if process.pid is not None:  # it has begun
                end_processes([process.pid, *descendants(process.pid)])


def _serve(connection: Connection, function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    try:
        result = function(*args, progress=lambda line: connection.send((_STEP, line)))
        connection.send((_RESULT, result))
    except LACKING as error:
        connection.send((_SETUP, str(error)))
    except Exception as error:  # the parent reports whatever it is
        connection.send((_ERROR, str(error) or type(error).__name__))
