"""Finds files that Python imports in place of a package of rsaxcel, because of an equal name.

An example is a user's file ``sim.py`` beside a notebook. This module imports no package of rsaxcel,
because that package may be hidden.
"""

import sys
from importlib.util import find_spec
from pathlib import Path

PACKAGES = (
    *("store", "plan", "fl", "cl", "rtl", "catalog", "proc", "diagnosis", "sim", "flow"),
    *("eval", "course"),
)
"""Packages of rsaxcel's source tree, from the lowest layer up."""

_OWN = Path(__file__).resolve().parents[1]


class ShadowedPackageError(ImportError):
    """Another module has the name of one of rsaxcel's packages; the message is one line of text."""


def check_packages() -> None:
    """Check that Python imports rsaxcel's packages, not other modules with their names.

    Raises
    ------
    ShadowedPackageError
        If Python imports another module; the message names its file or folder, and a remedy.
    """
    for name in PACKAGES:
        place = _place(name)
        if place is not None and place.resolve() != _OWN / name / "__init__.py":
            other = place.parent if place.name == "__init__.py" else place
            raise ShadowedPackageError(
                f"{other} hides rsaxcel's package {name!r}: give it another name, or remove its "
                "folder from Python's path"
            )


def _place(name: str) -> Path | None:
    """File that is, or would be, imported under a name; None if there is no such file."""
    module = sys.modules.get(name)
    if module is not None:
        file = getattr(module, "__file__", None)
    else:
        spec = find_spec(name)
        file = spec.origin if spec and spec.has_location else None
    return None if file is None else Path(file)
