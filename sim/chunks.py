"""Runs vectors chunk by chunk, in several processes where there is enough to do."""

import multiprocessing
import os
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing.connection import Connection
from typing import NamedTuple

from sim.runners import Answer, Runner, RunnerError
from sim.vectors import Vector

_FIRST_SIZE = 1
_CHUNK_SECONDS = 0.25
_ALONE_SECONDS = 1.0
"""A run that takes less stays in one process."""


class Chunk(NamedTuple):
    """Some vectors with their answers, and the cycles simulated for them."""

    vectors: list[Vector]
    answers: list[Answer]
    cycles: int
    seconds: float


class _Sizes:
    """Numbers of vectors that take a fraction of a second, so that progress shows."""

    def __init__(self) -> None:
        self.size = _FIRST_SIZE

    def learn(self, chunk: Chunk) -> None:
        if len(chunk.vectors) < self.size:
            return
        if chunk.seconds < _CHUNK_SECONDS:
            self.size *= 2
        elif chunk.seconds > 4 * _CHUNK_SECONDS:
            self.size = max(1, self.size // 2)


def run_chunks(vectors: Iterator[Vector], runner: Runner) -> Iterator[Chunk]:
    """Run all vectors; chunks come in order.

    Raises
    ------
    RunnerError
        If the simulation fails; all chunks before have been given.
    """
    sizes = _Sizes()
    started = time.monotonic()
    while time.monotonic() - started < _ALONE_SECONDS:
        taken = list(islice(vectors, sizes.size))
        if not taken:
            return
        chunk = _run(runner, taken)
        sizes.learn(chunk)
        yield chunk
    yield from _run_parallel(vectors, runner, sizes)


def run_whole(vectors: Iterator[Vector], runner: Runner) -> Iterator[Chunk]:
    """Run all vectors in one batch, which may be watched.

    Raises
    ------
    RunnerError
        If the simulation fails.
    """
    yield _run(runner, list(vectors))


def _run_parallel(vectors: Iterator[Vector], runner: Runner, sizes: _Sizes) -> Iterator[Chunk]:
    """Hand chunks to worker processes in turn; each has one at a time, so answers come in order."""
    # A fork takes the elaborated component along, which can't be pickled and takes long to make.
    context = multiprocessing.get_context("fork")
    workers = [_Worker(context, runner) for _ in range(len(os.sched_getaffinity(0)))]
    busy: deque[_Worker] = deque()
    try:
        for worker in workers:
            if taken := list(islice(vectors, sizes.size)):
                busy.append(worker.start(taken))
        while busy:
            worker = busy.popleft()
            chunk = worker.finish()
            sizes.learn(chunk)
            if taken := list(islice(vectors, sizes.size)):
                busy.append(worker.start(taken))
            yield chunk
    finally:
        for worker in workers:
            worker.stop()


class _Worker:
    """A process that runs one chunk after the other."""

    def __init__(self, context: multiprocessing.context.ForkContext, runner: Runner) -> None:
        self._connection, theirs = context.Pipe()
        arguments = (theirs, self._connection, runner)
        self._process = context.Process(target=_serve, args=arguments, daemon=True)
        self._process.start()
        theirs.close()

    def start(self, vectors: list[Vector]) -> "_Worker":
        with self._alive():
            self._connection.send(vectors)
        return self

    def finish(self) -> Chunk:
        with self._alive():
            reply = self._connection.recv()
        if isinstance(reply, Exception):
            raise reply
        return reply

    @contextmanager
    def _alive(self) -> Iterator[None]:
        try:
            yield
        except (EOFError, ConnectionError) as error:
            self._process.join()
            code = self._process.exitcode
            raise RunnerError(f"a simulating process ended with exit code {code}") from error

    def stop(self) -> None:
        self._process.terminate()
        self._process.join()


def _serve(connection: Connection, parents: Connection, runner: Runner) -> None:
    parents.close()  # or its other end, here, would never be told that the parent is gone
    with suppress(EOFError, ConnectionError):
        while True:
            vectors = connection.recv()
            try:
                reply: Chunk | Exception = _run(runner, vectors)
            except RunnerError as error:
                reply = error
            except Exception as error:  # its traceback can't be sent
                from diagnosis.explain import diagnose  # of use to nobody else

                reply = diagnose(error) or RunnerError(f"{type(error).__name__}: {error}")
            connection.send(reply)


def _run(runner: Runner, vectors: list[Vector]) -> Chunk:
    started = time.monotonic()
    answers, cycles = runner.run(vectors)
    return Chunk(vectors, answers, cycles, time.monotonic() - started)
