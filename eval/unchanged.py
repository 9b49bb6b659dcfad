"""Tells whether a report equals the one that a command would write, without heavy imports.

Writing a report from stored results takes 12 s, for imports and plots. So a file beside the page
lists the state of everything on which the page depends; for results, the names suffice, as results
never change.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any

from rsaxcel import catalog
from rsaxcel.flow.paths import STORE, WORK
from rsaxcel.store.code import files_below
from rsaxcel.store.packages import MODULES, PACKAGES
from rsaxcel.store.places import CacheError, check_own
from rsaxcel.store.tools import TOOLS

_FILE = "unchanged.json"
_GROWING = "report.log"  #: file to which every command appends
_READ = ("laboratory/*.json", "sweeps/*/facts.parquet", "optimize/*/facts.parquet")
_STORES = "measurements", f"flow/{STORE}", f"flow/{WORK}/{STORE}"
_VARIABLES = ("RSAXCEL_", "PYTHON", *(x.variable for x in TOOLS if x.variable))
_INSTALLED = "site-packages", "dist-packages", "lib-dynload", Path(os.__file__).parent.name
#: Results that no command uses for some days are removed by `rsaxcel clean`: so a report reads them
#: again after this time in s.
_LONGEST_S = 86_400


def state(asked: Any, widths: Sequence[int] = ()) -> Any:
    """State of everything but stored results on which a report depends, before a measurement.

    The state has options (``asked``), code, tools, own designs, those in Verilog at ``widths`` and
    at the width of systems, and the tables of earlier sweeps and of the laboratory.
    """
    root = Path(__file__).parents[1]
    files = [y for x in PACKAGES for y in files_below(root / x)]
    files += [root / x for x in MODULES]
    # folders with versions of Python's packages
    files += [y for x in sys.path for y in Path(x).glob("*-info")]
    files += [y for x in _READ for y in Path("build").glob(x)]
    environment = {x: y for x, y in os.environ.items() if x.startswith(_VARIABLES)}
    found = [asked, os.getcwd(), sys.version, environment, _states([*files, *_own(), *_programs()])]
    return json.loads(json.dumps([*found, list(_given(widths))]))


def note(folder: Path, before: Any) -> None:
    """Note that the report in a folder is complete; ``before``: the ``state`` before that."""
    found = {"state": before, "written": _written(folder), "stored": _stored()}
    (folder / _FILE).write_text(json.dumps(found), encoding="utf-8")


def is_unchanged(folder: Path, now: Any) -> bool:
    """Whether a folder has the report that a command in this ``state`` would write."""
    path = folder / _FILE
    try:
        check_own(folder)
        found = json.loads(path.read_text(encoding="utf-8"))
        return (
            0 <= time.time() - path.stat().st_mtime < _LONGEST_S
            and found["state"] == now
            and found["written"] == _written(folder)
            and {*found["stored"]} <= {*_stored()}
        )
    except (CacheError, OSError, ValueError, LookupError, TypeError):
        return False


def _given(widths: Sequence[int]) -> Iterator[str]:
    """Keys of the designs in Verilog, which their files can read from anywhere."""
    for entry, nbits in product(catalog.GIVEN.values(), sorted({*widths, catalog.DEFAULT_NBITS})):
        with suppress(Exception):  # the report itself tells of a mistake in an author's function
            yield entry.configure(nbits).key


def _own() -> Iterator[Path]:
    """Files of imported packages that are neither this project's nor installed, such as designs.

    Of a single module, these are the files beside it: its folder may be a home folder.
    """
    for name, module in [*sys.modules.items()]:
        file = getattr(module, "__file__", None)
        if name in ("rsaxcel", "__main__") or "." in name or not file:
            continue
        path = Path(file)
        if not {*_INSTALLED} & {*path.parts}:
            package = path.name == "__init__.py"
            beside = path.parent.glob("[!.]*")
            yield from files_below(path.parent) if package else filter(Path.is_file, beside)


def _programs() -> Iterator[str]:
    for tool in TOOLS:
        for name in (os.environ.get(tool.variable, ""), *tool.ask[:1], *tool.others):
            if path := shutil.which(name) or shutil.which(name.partition(" ")[0]):
                yield path


def _written(folder: Path) -> dict[str, list[int]]:
    return _states(x for x in folder.iterdir() if x.name not in (_FILE, _GROWING))


def _stored() -> list[str]:
    names: list[str] = []
    for store in _STORES:
        with suppress(OSError):
            names += os.listdir(Path("build", store))
    return [x for x in names if not x.endswith(".lock")]


def _states(files: Iterable[str | Path]) -> dict[str, list[int]]:
    found = {}
    for file in files:
        with suppress(OSError):  # the file has gone meanwhile, or is a link that leads nowhere
            about = os.stat(file)
            found[str(file)] = [about.st_mtime_ns, about.st_size]
    return dict(sorted(found.items()))
