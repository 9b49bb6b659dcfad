"""Source files and folders that define models and circuits."""

import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from rsaxcel import cl, cores, fl, plan, rtl
from rsaxcel.catalog.multipliers import MULTIPLIERS
from rsaxcel.catalog.units import Classes

_PACKAGES = tuple(Path(path) for p in (plan, fl, cl, rtl) for path in p.__path__)
_MULTIPLIERS = tuple(f"{folder}/multipliers/" for folder in rtl.__path__)
CATALOG = Path(__file__).parent
_DESCRIBED = tuple(CATALOG / name for name in ("described.py", "given.py"))


def sources() -> tuple[Path, ...]:
    """Files and folders that define components, also of multipliers outside this project."""
    return (*_PACKAGES, CATALOG, *outside())


def outside(multipliers: Iterable[Classes] | None = None) -> tuple[Path, ...]:
    """Files and folders outside this project that define multipliers (None: all)."""
    multipliers = MULTIPLIERS.values() if multipliers is None else multipliers
    found: list[Path] = []
    for classes in multipliers:
        for cls in _levels(classes):
            for path in _place(cls.__module__):
                if not any(path.is_relative_to(x) for x in (*_PACKAGES, CATALOG, *found)):
                    found.append(path)
    return tuple(found)


def _levels(classes: Classes) -> tuple[type, ...]:
    return tuple(filter(None, (classes.fl, classes.cl, classes.rtl)))


def _place(module: str) -> list[Path]:
    """Folders of a module's top-level package, or the Python files beside a single module."""
    # The folder of a single module is not returned itself, because it may be a home folder.
    name, *_ = module.split(".")
    if name == "rsaxcel":
        return [Path(str(sys.modules[module].__file__)).absolute()]
    top = sys.modules[name]
    if hasattr(top, "__path__"):
        return [Path(path).absolute() for path in top.__path__]
    file = top.__file__
    return sorted(Path(file).absolute().parent.glob("*.py")) if file else []


@cache  # a running process keeps the code that it has loaded, so later changes don't matter
def sources_with(classes: Classes) -> tuple[Path, ...]:
    """Source files of models and of circuits with a multiplier; other circuits if imported."""
    from rsaxcel.store.code import Imports, closure, files_below

    modules_of = (sys.modules[cls.__module__].__file__ for cls in _levels(classes))
    own = [Path(x) for x in modules_of if x]
    imports = Imports(_PACKAGES)
    common = [x for x in imports.files if x.suffix == ".py" and not str(x).startswith(_MULTIPLIERS)]
    files = imports.closure([*common, *(x for x in own if CATALOG not in x.parents)])
    if not (found := outside([classes])):
        return (*files, CATALOG)
    packages = [path for path in outside() if path.is_dir()]
    theirs = [file for path in found for file in (files_below(path) if path.is_dir() else [path])]
    modules = [file for file in theirs if file.suffix == ".py"]
    return (*files, CATALOG, *dict.fromkeys((*found, *closure(modules, packages))))


@cache
def sources_of_described() -> tuple[Path, ...]:
    """Source files of circuits by descriptions: shells, the reader, and all that they import."""
    from rsaxcel.store.code import closure

    folders = (*_PACKAGES, *map(Path, cores.__path__), *_DESCRIBED)
    return closure(_DESCRIBED, folders)
