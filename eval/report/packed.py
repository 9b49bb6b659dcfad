"""Packs data and scripts into the page, which must not load anything from elsewhere."""

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
    "page.js",
    "tables.js",
    "folds.js",
    "scatter.js",
    "circuits.js",
    "explorer.js",
    "floor.js",
    "cards.js",
    "start.js",
)
# Level of gzip; a higher one takes three times as long, for a page that is 3 % smaller.
_LEVEL = 4


def pack(content: bytes) -> str:
    """Compress for a browser's ``DecompressionStream``, in base64; always the same text."""
    return b64encode(gzip.compress(content, _LEVEL, mtime=0)).decode("ascii")


def pack_json(content: Any) -> str:
    return pack(json.dumps(content, separators=(",", ":")).encode())


@cache
def plotting() -> str:
    """Pack Plotly's script; the file is read directly, as importing the package takes longer."""
    found = find_spec("plotly")
    assert found is not None  # a dependency
    assert found.origin is not None
    return pack(Path(found.origin).with_name("package_data").joinpath("plotly.min.js").read_bytes())


def script() -> str:
    folder = files("rsaxcel.eval.report").joinpath("scripts")
    return "\n".join(folder.joinpath(name).read_text(encoding="utf-8") for name in _SCRIPTS)
