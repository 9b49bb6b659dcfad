"""Names of packages until version 0.2 (``catalog``), for designs outside; to go in version 0.4."""

import os
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from rsaxcel.store.packages import PACKAGES

_OLD = {*PACKAGES} - {"lab", "cli"}  #: lab and cli are newer than the old names
_ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))


class _Known(Loader):
    """Gives ``rsaxcel.X`` for the module ``X``."""

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        name = f"rsaxcel.{spec.name}"
        if "." not in spec.name:
            warnings.warn(
                f"{spec.name} is now {name}, like all packages of rsaxcel: write "
                f"`from {name} import ...` or `from rsaxcel import {spec.name}`",
                FutureWarning,
                # frame of the module that imports it: Python leaves out its own frames
                stacklevel=2,
            )
        module = import_module(name)
        self._spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._spec  # Python has set the spec of the old name


class _OldNames(MetaPathFinder):
    """Finds ``rsaxcel.X`` under the name ``X``, unless somebody else has a module ``X``."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        top = name.partition(".")[0]
        if top not in _OLD:
            return None
        others: list[Any] = [x for x in sys.meta_path if not isinstance(x, _OldNames)]
        if top in sys.modules:
            found = sys.modules[top].__spec__
        else:
            found = next((spec for x in others if (spec := x.find_spec(top, None))), None)
        # without a location, the module is missing, or a folder of data
        if found and found.has_location:
            # In the root of a checkout, Python finds this project's folder.
            folder = os.path.dirname(os.path.realpath(str(found.origin)))
            if folder != os.path.join(_ROOT, top):
                return None
        return ModuleSpec(name, _Known())


def install() -> None:
    """Make the old names known to Python's imports."""
    sys.meta_path.insert(0, _OldNames())
