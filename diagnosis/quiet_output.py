"""Suppresses PyMTL3's output about a circuit, as this package reports mistakes itself."""

import io
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout


@contextmanager
def silent() -> Iterator[None]:
    """Context that discards standard output: PyMTL3 prints there if an elaboration fails."""
    with redirect_stdout(io.StringIO()):
        yield
