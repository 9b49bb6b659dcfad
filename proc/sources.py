"""Source files of the circuits and models of designs and systems."""

import sys
from functools import cache
from pathlib import Path

import catalog
import cl
import fl
import plan
import proc
import rtl
from catalog import AnyConfiguration, Configuration
from catalog.units import Classes
from store.code import closure, files_below

_LEVELS = tuple(Path(path) for package in (plan, fl, cl, rtl) for path in package.__path__)
_MULTIPLIERS = tuple(folder / "multipliers" for folder in _LEVELS)


def design_sources(configuration: AnyConfiguration) -> tuple[Path, ...]:
    """Source files and folders on which a configuration depends.

    Files of other multipliers are left out, unless one of the remaining files imports them.
    """
    return _sources(configuration.multiplier.classes)


def system_sources(accelerator: Configuration | None) -> tuple[Path, ...]:
    """Source files and folders on which a system and its programs depend.

    For a system without an accelerator, the files of all designs are included.
    """
    levels = catalog.sources() if accelerator is None else design_sources(accelerator)
    return (*levels, *map(Path, proc.__path__))


@cache  # a running process keeps the code that it has loaded, so later changes don't matter
def _sources(classes: Classes) -> tuple[Path, ...]:
    own = [sys.modules[cls.__module__].__file__ for cls in (classes.fl, classes.cl, classes.rtl)]
    common = [
        path
        for level in _LEVELS
        for path in level.rglob("*.py")
        if not any(path.is_relative_to(folder) for folder in _MULTIPLIERS)
    ]
    files = closure([*common, *(Path(x) for x in own if x)], _LEVELS)
    return (*files, catalog.CATALOG, *_outside(classes))


def _outside(classes: Classes) -> tuple[Path, ...]:
    """Files and folders of a multiplier that is not part of this project, with imported files.

    The result is empty for a multiplier of this project.
    """
    own = catalog.outside([classes])
    if not own:
        return ()
    packages = [path for path in catalog.outside() if path.is_dir()]
    files = [file for path in own for file in (files_below(path) if path.is_dir() else [path])]
    modules = [file for file in files if file.suffix == ".py"]
    return tuple(dict.fromkeys((*own, *closure(modules, packages))))
