"""The ASIC flow in processes of its own, so that several run side by side.

PyMTL3 elaborates one component per process at a time, which rules threads out.
"""

import multiprocessing
import signal
from collections.abc import Mapping
from multiprocessing.connection import Connection
from typing import Any

from eval.report.measure import Progress
from eval.report.results import MeasureError, SetupFailure
from flow.subjects import Measured

_STEP, _RECORD, _SETUP, _ERROR = range(4)


class Flows:
    """Runs the flow; called from a thread per run.

    Parameters
    ----------
    clock_ns : float
        Clock constraint in ns.
    exponents : mapping of str to int
        Exponent by type of operation.
    """

    def __init__(self, clock_ns: float, exponents: Mapping[str, int]) -> None:
        self._options = {"clock_ns": clock_ns, "operations": dict(exponents)}
        self._context = multiprocessing.get_context("spawn")
        self._processes: list[multiprocessing.process.BaseProcess] = []

    def __call__(self, hardware: Measured, progress: Progress) -> dict[str, Any]:
        """Return the record of a design or system, reusing what there is.

        Raises
        ------
        SetupFailure
            If a tool is missing or a folder can't be written.
        MeasureError
            If the flow fails; says how.
        """
        ours, theirs = self._context.Pipe(duplex=False)
        process = self._context.Process(
            target=_serve, args=(theirs, hardware, self._options), daemon=True
        )
        # An interrupt waits until the new process has chosen to end by it without a traceback.
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
        try:
            process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        self._processes.append(process)
        theirs.close()
        try:
            while True:
                kind, content = ours.recv()
                if kind == _RECORD:
                    return content
                if kind == _SETUP:
                    raise SetupFailure(content)
                if kind == _ERROR:
                    raise MeasureError(content)
                progress(content)
        except EOFError as error:
            process.join()
            raise MeasureError(f"the flow's process ended with {process.exitcode}") from error
        finally:
            ours.close()
            process.join()

    def stop(self) -> None:
        """End what still runs; the next run goes on behind the last finished stage."""
        for process in self._processes:
            process.terminate()


def _serve(connection: Connection, hardware: Measured, options: dict[str, Any]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT,))
    from flow.errors import SetupError
    from flow.run import run_flow

    try:
        record = run_flow(hardware, progress=lambda line: connection.send((_STEP, line)), **options)
        connection.send((_RECORD, record))
    except SetupError as error:
        connection.send((_SETUP, str(error)))
    except Exception as error:  # the parent reports whatever it is
        connection.send((_ERROR, str(error) or type(error).__name__))
