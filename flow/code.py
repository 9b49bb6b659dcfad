"""Digest of a result's code: of a module and everything that it imports."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from types import ModuleType

from rsaxcel.store.code import Imports

_FLOW = Path(__file__).parent
#: Folders whose modules are in the digest. The package ``sim`` lies beside the package ``flow``,
#: wherever the project is installed.
_FOLDERS = (_FLOW, _FLOW.with_name("sim"))
# Files that are not in the digest, because they only pass inputs to the code of a node. The code of
# designs and programs need not be in the digest: it reaches the node's key through the digests of
# the node's input files and through the values that ``Node.decides`` returns. So does the code of
# the physical tools and of the timers.
_AROUND = tuple(
    _FLOW / name
    for name in (
        "code.py",
        "files.py",
        "job.py",
        "nodes/node.py",
        "subjects/__init__.py",
        "tools.py",
    )
)


@cache  # the code of a running process does not change
def _imports() -> Imports:
    return Imports(_FOLDERS)


@cache
def code_of(owner: type | ModuleType) -> str:
    return _imports().digest(code_files(owner))


@cache
def code_files(owner: type | ModuleType) -> tuple[Path, ...]:
    """Files of the code of a module, or of a class's module, with all that it imports."""
    module = owner if isinstance(owner, ModuleType) else sys.modules[owner.__module__]
    return _imports().closure([Path(str(module.__file__))], _AROUND)
