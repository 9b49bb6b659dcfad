"""What the page's script needs, packed into the page: it must come from nowhere else."""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any

_SCRIPTS = (
    *("page.js", "tables.js", "folds.js", "scatter.js", "circuits.js", "explorer.js", "cards.js"),
    "start.js",
)
# A higher level takes three times as long for a page that is 3 % smaller.
_LEVEL = 4


def pack(content: bytes) -> str:
    """Compress for a browser's ``DecompressionStream``, in letters; the same each time."""
    return b64encode(gzip.compress(content, _LEVEL, mtime=0)).decode("ascii")


def pack_json(content: Any) -> str:
    """Pack what JSON can hold."""
    return pack(json.dumps(content, separators=(",", ":")).encode())


@cache
def plotting() -> str:
    """Pack Plotly's script, read as a file: importing the package takes longer."""
    found = find_spec("plotly")
    assert found is not None  # a dependency
    assert found.origin is not None
    return pack(Path(found.origin).with_name("package_data").joinpath("plotly.min.js").read_bytes())


def script() -> str:
    """Give the page's own script."""
    folder = files("eval.report").joinpath("scripts")
    return "\n".join(folder.joinpath(name).read_text(encoding="utf-8") for name in _SCRIPTS)
