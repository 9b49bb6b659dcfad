"""Finds files of a user's that hide packages of ours, such as a ``sim.py`` beside a notebook.

It imports nothing of ours, because that may be hidden.
"""

import sys
from importlib.util import find_spec
from pathlib import Path

PACKAGES = (
    *("store", "plan", "fl", "cl", "rtl", "catalog", "proc", "diagnosis", "sim", "flow"),
    *("eval", "course"),
)
"""Packages of the tree, from the lowest up."""

_OWN = Path(__file__).resolve().parents[1]


class HiddenPackageError(ImportError):
    """Another module has the name of a package of ours; the message is one line."""


def check_packages() -> None:
    """Look for what Python would import in place of our packages.

    Raises
    ------
    HiddenPackageError
        Naming the file or folder, and what to do.
    """
    for name in PACKAGES:
        place = _place(name)
        if place is not None and place.resolve() != _OWN / name / "__init__.py":
            other = place.parent if place.name == "__init__.py" else place
            raise HiddenPackageError(
                f"{other} hides rsaxcel's package {name!r}: give it another name, or remove its "
                "folder from Python's path"
            )


def _place(name: str) -> Path | None:
    """File that is, or would be, imported under a name; None for a folder of no package."""
    module = sys.modules.get(name)
    if module is not None:
        file = getattr(module, "__file__", None)
    else:
        spec = find_spec(name)
        file = spec.origin if spec and spec.has_location else None
    return None if file is None else Path(file)
