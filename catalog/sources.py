"""Files that the circuits are made of."""

import sys
from pathlib import Path

import cl
import fl
import rtl
from catalog.multipliers import multiplier_classes

_PACKAGES = tuple(Path(path) for p in (fl, cl, rtl) for path in p.__path__)


def sources() -> tuple[Path, ...]:
    """Files and folders on which components depend, those of multipliers from outside included."""
    found = [*_PACKAGES, Path(__file__).parent]
    for classes in multiplier_classes().values():
        for cls in (classes.fl, classes.cl, classes.rtl):
            for path in _outside(cls.__module__):
                if not any(path.is_relative_to(known) for known in found):
                    found.append(path)
    return tuple(found)


def _outside(module: str) -> list[Path]:
    """Folders of the package that a module is part of; else the files beside the module.

    Not the folder: it may be anybody's home.
    """
    top = sys.modules[module.partition(".")[0]]
    if hasattr(top, "__path__"):
        return [Path(path).absolute() for path in top.__path__]
    file = top.__file__
    return sorted(Path(file).absolute().parent.glob("*.py")) if file else []
