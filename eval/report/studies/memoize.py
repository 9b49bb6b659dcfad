"""Results of long measurements in files: reused while the sources that they come from hold."""

import hashlib
import json
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from sim.cache import CacheError

FOLDER = Path("build", "measurements")
_SUFFIXES = {".py", ".c", ".h", ".S", ".ld", ".cpp"}


def memoize(
    name: str,
    inputs: Mapping[str, Any],
    sources: Iterable[Path],
    measure: Callable[[], Any],
    folder: Path | None = None,
) -> Any:
    """Return what ``measure`` returns, from its file if it ran before.

    Parameters
    ----------
    name : str
        Name of the measurement, for its file.
    inputs : mapping of str to any
        What else decides the result; for JSON.
    sources : iterable of Path
        Files, and folders of files, that decide the result.
    measure : callable
        Gives the result, for JSON.
    folder : Path, optional
        Where the files are; ``build/measurements`` of the current folder by default.

    Raises
    ------
    CacheError
        If the file can't be written.
    """
    folder = folder or FOLDER
    text = json.dumps({"name": name, "inputs": inputs, "sources": _digest(sources)}, sort_keys=True)
    identity = json.loads(text)  # as it is read back
    digest = hashlib.sha256(text.encode()).hexdigest()
    path = folder / f"{re.sub(r'[^A-Za-z0-9_]+', '-', name)}-{digest[:12]}.json"
    try:
        stored = json.loads(path.read_text())
        if stored["identity"] == identity:
            return stored["result"]
    except (OSError, ValueError, KeyError, TypeError):
        pass  # none yet, or not a whole one
    result = measure()
    try:
        _write(path, json.dumps({"identity": identity, "result": result}, indent=2) + "\n")
    except OSError as error:
        raise CacheError(f"cannot write {folder}: {error.strerror or error}") from error
    # As it will be read the next time.
    return json.loads(json.dumps(result))


def _digest(sources: Iterable[Path]) -> str:
    files: set[Path] = set()
    for source in sources:
        found = source.rglob("*") if source.is_dir() else [source]
        files.update(path for path in found if path.suffix in _SUFFIXES)
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(f"\0{path.name}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def _write(path: Path, text: str) -> None:
    """Write a file that is there as a whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, draft = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".tmp")
    try:
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(draft, path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
