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
    """Files and folders on which a configuration depends.

    Other multipliers are left out, unless a file that remains imports them.
    """
    return _sources(configuration.multiplier.classes)


def system_sources(accelerator: Configuration | None) -> tuple[Path, ...]:
    """Files and folders on which a system and its programs depend.

    A system without an accelerator depends on all designs.
    """
    levels = catalog.sources() if accelerator is None else design_sources(accelerator)
    return (*levels, *map(Path, proc.__path__))


@cache  # a process keeps the code that it has started with
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
    """Files and folders of a multiplier outside this project, and the files that it imports."""
    own = catalog.outside([classes])
    if not own:
        return ()
    packages = [path for path in catalog.outside() if path.is_dir()]
    files = [file for path in own for file in (files_below(path) if path.is_dir() else [path])]
    modules = [file for file in files if file.suffix == ".py"]
    return tuple(dict.fromkeys((*own, *closure(modules, packages))))
