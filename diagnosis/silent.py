"""Keeps from people what PyMTL3 prints about a circuit: it is told in words of ours."""

import io
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout


@contextmanager
def silent() -> Iterator[None]:
    """Keep what PyMTL3 prints, when it fails to elaborate a circuit, from standard output."""
    with redirect_stdout(io.StringIO()):
        yield
