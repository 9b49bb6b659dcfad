"""Source files and folders that define models and circuits."""

import sys
from collections.abc import Iterable
from pathlib import Path

import cl
import fl
import plan
import rtl
from catalog.multipliers import multiplier_classes
from catalog.units import Classes

_PACKAGES = tuple(Path(path) for p in (plan, fl, cl, rtl) for path in p.__path__)
CATALOG = Path(__file__).parent


def sources() -> tuple[Path, ...]:
    """Files and folders that define components, also of multipliers outside this project."""
    return (*_PACKAGES, CATALOG, *outside())


def outside(multipliers: Iterable[Classes] | None = None) -> tuple[Path, ...]:
    """Files and folders outside this project that define multipliers.

    ``multipliers`` has the classes of the multipliers; None stands for all multipliers.
    """
    multipliers = multiplier_classes().values() if multipliers is None else multipliers
    found: list[Path] = []
    for classes in multipliers:
        for cls in (classes.fl, classes.cl, classes.rtl):
            for path in _place(cls.__module__):
                if not any(path.is_relative_to(x) for x in (*_PACKAGES, CATALOG, *found)):
                    found.append(path)
    return tuple(found)


def _place(module: str) -> list[Path]:
    """Folders of the top-level package of a module, or the Python files beside a single module.

    The folder of a single module is not returned itself, because it may be a home folder.
    """
    top = sys.modules[module.partition(".")[0]]
    if hasattr(top, "__path__"):
        return [Path(path).absolute() for path in top.__path__]
    file = top.__file__
    return sorted(Path(file).absolute().parent.glob("*.py")) if file else []
