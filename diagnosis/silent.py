"""Suppresses what PyMTL3 prints about a circuit, because this package reports mistakes itself."""

import io
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout


@contextmanager
def silent() -> Iterator[None]:
    """Context without standard output, where PyMTL3 prints if it fails to elaborate a circuit."""
    with redirect_stdout(io.StringIO()):
        yield
