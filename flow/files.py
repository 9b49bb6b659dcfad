"""JSON files of the nodes, written atomically."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rsaxcel.flow.errors import FlowError
from rsaxcel.store.whole_files import write_whole


def write_json(path: Path, content: Any) -> None:
    if path.is_symlink():  # a link in a folder from another user may lead anywhere
        path.unlink()
    write_whole(path, json.dumps(content, indent=1) + "\n")


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON file of a node; raises ``FlowError`` if that fails."""
    try:
        if not path.is_file() and path.exists():  # a pipe would never end
            raise ValueError("not a file")
        return json.loads(path.read_text())
    except (OSError, ValueError, RecursionError) as error:
        raise FlowError(f"cannot read {path}: {error}") from error
