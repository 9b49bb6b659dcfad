"""Stores of their own, for tests of what is kept."""

from pathlib import Path

from store.folders import cache_root


def link_runtime(folder: Path) -> Path:
    """Put Verilator's runtime and headers into a store, which take many seconds to compile."""
    folder.mkdir(parents=True, exist_ok=True)
    for pattern in ("verilated*", "headers-*"):
        for entry in cache_root().glob(pattern):
            if entry.is_dir():
                (folder / entry.name).symlink_to(entry)
    return folder
