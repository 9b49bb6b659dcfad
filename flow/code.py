"""The code that decides results: that of a module and of all that it imports."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from types import ModuleType

from store.code import closure, code_digest

_FLOW = Path(__file__).parent
# Beside this package, wherever it is installed.
_FOLDERS = (_FLOW, _FLOW.with_name("sim"))
# These only bring a node's code and its inputs together. What designs and programs are, a node
# sees in its inputs and in what it declares.
_AROUND = tuple(
    _FLOW / name
    for name in ("code.py", "files.py", "job.py", "nodes/node.py", "subjects/__init__.py")
)


@cache  # a process keeps the code with which it began
def code_of(owner: type | ModuleType) -> str:
    """Digest of the code of a module, or of a class's, as far as that code decides results."""
    module = owner if isinstance(owner, ModuleType) else sys.modules[owner.__module__]
    return code_digest(closure([Path(str(module.__file__))], _FOLDERS, _AROUND))
