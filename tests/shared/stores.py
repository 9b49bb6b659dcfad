"""Separate stores, for tests of kept results."""

from pathlib import Path

from rsaxcel.store.folders import cache_root


def link_runtime(folder: Path) -> Path:
    """Link Verilator's runtime and headers into a store: compiling them takes many seconds."""
    folder.mkdir(parents=True, exist_ok=True)
    for pattern in ("verilated*", "headers-*"):
        for entry in cache_root().glob(pattern):
            if entry.is_dir():
                (folder / entry.name).symlink_to(entry)
    return folder
