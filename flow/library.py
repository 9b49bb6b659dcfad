"""Cache of parsed cell libraries, because the parser takes a second.

The parser is imported only where it is needed: a library from the cache needs no parser.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from flow.code import code_of
from store.folders import cache_root, file_digest, keep, key_of

if TYPE_CHECKING:
    from flow.power.liberty import Library

_FILE = "library.pickle"


def liberty_reader_version() -> str:
    """Version of libparse, which parses Liberty files."""
    return version("libparse")


def kept_library(path: Path) -> Library:
    """Read a Liberty file, or take the library from the cache if its content was read before.

    Parameters
    ----------
    path
        Liberty file.

    Raises
    ------
    PowerError
        If the file cannot be read, is not a Liberty file, or has a construct that is not supported.
    CacheError
        If the store cannot be written.
    """
    import pickle

    from flow.power import liberty_reader

    try:
        content = file_digest(path)
    except OSError:
        return liberty_reader.read_liberty(path)  # raises with the reason
    tools = sys.version, version("numpy"), liberty_reader_version()
    key = key_of(content, tools, code_of(liberty_reader))

    def populate(folder: Path) -> None:
        (folder / _FILE).write_bytes(pickle.dumps(liberty_reader.read_liberty(path)))

    return _read(keep(cache_root(), f"library-{key}", populate) / _FILE)


@lru_cache(2)  # three nodes of a flow need the same library
def _read(path: Path) -> Library:
    import pickle

    return pickle.loads(path.read_bytes())
