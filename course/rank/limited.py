"""Runs a function in a new process with limits of time and memory."""

from __future__ import annotations

import multiprocessing
import resource
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from course.rank.outside import Limits
from eval.signals import descendants, end_processes
from sim.check.refused import Refused


def limited(limits: Limits, what: str, function: Callable[..., Any], *args: Any) -> Any:
    """Return the result of ``function(*args)``, run in a new process within limits.

    Parameters
    ----------
    limits
        Limits of time and memory.
    what
        Name of the work, for messages.
    function, args
        Function at the top of a module, and its arguments, which must be picklable.

    Raises
    ------
    Refused
        If the function exceeds a limit, or its process ends without a result.
    Exception
        Any exception that the function raises, except ``MemoryError``.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_serve, args=(theirs, limits.memory_gb, function, args))
    process.start()
    theirs.close()
    try:
        if not ours.poll(limits.seconds):
            raise Refused("limits", f"{what} takes more than {limits.seconds:g} s")
        done, result = ours.recv()
    except EOFError as error:
        process.join()
        raise Refused("limits", f"{what} ended with exit code {process.exitcode}") from error
    finally:
        ours.close()
        if process.is_alive() and process.pid is not None:
            end_processes([*descendants(process.pid), process.pid], signal.SIGKILL)
        process.join()
    if done:
        return result
    if isinstance(result, MemoryError):
        raise Refused("limits", f"{what} takes more than {limits.memory_gb:g} GB")
    raise result


def _serve(
    connection: Connection, memory_gb: float, function: Callable[..., Any], args: tuple[Any, ...]
) -> None:
    nbytes = int(memory_gb * 2**30)
    resource.setrlimit(resource.RLIMIT_AS, (nbytes, nbytes))
    try:
        connection.send((True, function(*args)))
    except Exception as error:  # the parent process raises it
        connection.send((False, error))
