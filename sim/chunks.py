"""Runs vectors in chunks, with several processes if the run takes more than a second."""

import multiprocessing
import os
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing.connection import Connection
from typing import NamedTuple

from rsaxcel.sim.runners import Answer, Runner, RunnerError
from rsaxcel.sim.vectors import Vector

_FIRST_SIZE = 1
_CHUNK_SECONDS = 0.25
_ALONE_SECONDS = 1.0  #: after this time, chunks run in several processes


class Chunk(NamedTuple):
    """Vectors with their answers, reduced as ``Vector.reduced`` does."""

    vectors: list[Vector]
    answers: list[Answer]
    cycles: int
    seconds: float


class _Sizes:
    """Adapts the chunk size so that a chunk takes a fraction of a second, to show progress."""

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
    """Run all vectors.

    Yield the chunks in order, and raise ``RunnerError`` after the last good one.
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
    """Run all vectors in one batch, as a waveform requires."""
    yield _run(runner, list(vectors))


def _run_parallel(vectors: Iterator[Vector], runner: Runner, sizes: _Sizes) -> Iterator[Chunk]:
    """Give each worker process one chunk at a time, in turn, so that answers arrive in order."""
    # A fork copies the elaborated component, which can't be pickled and is slow to build.
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
    """A process that runs chunks one after the other."""

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
            raise RunnerError(f"a simulation process ended with exit code {code}") from error

    def stop(self) -> None:
        self._process.terminate()
        self._process.join()


def _serve(connection: Connection, parents: Connection, runner: Runner) -> None:
    # Close this process's copy of the parent's end of the pipe: otherwise the pipe would stay open
    # when the parent exits, and this process would wait forever.
    parents.close()
    with suppress(EOFError, ConnectionError):
        while True:
            vectors = connection.recv()
            try:
                reply: Chunk | Exception = _run(runner, vectors)
            except RunnerError as error:
                reply = error
            except Exception as error:  # the traceback of an exception can't be sent to the parent
                from rsaxcel.diagnosis.explain import diagnose  # imported only for this rare case

                reply = diagnose(error) or RunnerError(f"{type(error).__name__}: {error}")
            connection.send(reply)


def _run(runner: Runner, vectors: list[Vector]) -> Chunk:
    started = time.monotonic()
    answers, cycles = runner.run(vectors)
    answers = [
        answer._replace(result=vector.reduced(answer.result))
        for vector, answer in zip(vectors, answers, strict=True)
    ]
    return Chunk(vectors, answers, cycles, time.monotonic() - started)
