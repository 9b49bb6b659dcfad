"""Texts and files with planted changes."""

from collections.abc import Sequence
from pathlib import Path


def planted(text: str, *changes: Sequence[str], once: bool = False) -> str:
    """Replace old texts by new ones, given in pairs; each old text has to be there.

    With ``once``, it has to be in one place alone.
    """
    for old, new in changes:
        assert text.count(old) == 1 if once else old in text, old
        text = text.replace(old, new)
    return text


def plant(file: Path, *changes: Sequence[str], once: bool = False) -> None:
    """Change a file as ``planted`` does."""
    file.write_text(planted(file.read_text("utf-8"), *changes, once=once), "utf-8")
