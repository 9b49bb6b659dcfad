"""Runs an untrusted design's Python in its own process; the caller checks all that it returns.

``python -m course.rank.inside TASK ANSWER`` reads the JSON file TASK and writes the JSON file
ANSWER: the design's Verilog at some widths, or the results of its models for given operands.
"""

import builtins
import json
import os
import sys
from pathlib import Path
from types import BuiltinFunctionType, FunctionType
from typing import Any

from course.rank import confine
from store.packages import PACKAGES

_FUNCTIONS = (FunctionType, BuiltinFunctionType)
_LONGEST_REASON = 500


def main(task_file: str, answer_file: str) -> None:
    """Run a task, and write its answer: a JSON object, with ``error`` and ``kind`` on failure."""
    task = json.loads(Path(task_file).read_text())
    own = Path.cwd()
    confine.limit(task["seconds"], task["memory_gb"])
    # Opened now, because no file outside the folder can be opened later.
    descriptor = os.open(answer_file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    answer: dict[str, Any] = {}
    if not confine.restrict_files(own, map(Path, task["readable"]), map(Path, task["listable"])):
        answer["open"] = True

    def give(**content: Any) -> None:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, json.dumps(answer | content).encode(), 0)

    def refuse(reason: str) -> None:
        give(kind="touches", error=reason)
        os._exit(1)

    # Imported before the design, so that the design can't replace these modules by its own.
    from course.rank import models

    known = _functions()
    confine.watch(own, refuse)
    try:
        design = models.load(Path(task["design"]) if task["design"] else None, task["name"])
        result = getattr(models, task["do"])(design, task)
        changed = sorted(name for name, x in _functions().items() if known.get(name, x) is not x)
        if changed:
            give(kind="touches", error=f"it replaces {', '.join(changed[:3])}")
        else:
            give(**result)
    except MemoryError:
        give(kind="limits", error=f"more than {task['memory_gb']:g} GB of memory")
    except BaseException as error:
        give(kind="broken", error=_told(error)[:_LONGEST_REASON])
    os._exit(0)


def _told(error: BaseException) -> str:
    """Describe an exception in one line."""
    from diagnosis.error import DesignError

    if isinstance(error, DesignError):
        return " ".join(error.format_message().split())
    return " ".join(f"{type(error).__name__}: {error}".split())


def _functions() -> dict[str, object]:
    """Return the functions of builtins and of rsaxcel's packages, by qualified name.

    The caller compares them with a later call, to find functions that a design has replaced.
    """
    found: dict[str, object] = {
        f"builtins.{name}": x for name, x in vars(builtins).items() if isinstance(x, _FUNCTIONS)
    }
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in PACKAGES:
            for key, value in list(vars(module).items()):
                if isinstance(value, _FUNCTIONS):
                    found[f"{name}.{key}"] = value
                elif isinstance(value, type) and value.__module__ == name:
                    for method, function in list(vars(value).items()):
                        if isinstance(function, FunctionType):
                            found[f"{name}.{key}.{method}"] = function
    return found


if __name__ == "__main__":
    main(*sys.argv[1:])
