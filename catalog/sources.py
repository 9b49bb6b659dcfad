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
            file = sys.modules[cls.__module__].__file__
            path = Path(file).absolute() if file else None
            if path and not any(path.is_relative_to(folder) for folder in found):
                found.append(path.parent)
    return tuple(found)
