"""Mistakes in a design's files at which Python fails to load the files."""

import sys
from collections.abc import Callable

from rsaxcel.diagnosis.constructs import NAMES
from rsaxcel.diagnosis.error import DesignError, Place
from rsaxcel.diagnosis.texts import Frames, names_of, owner_of


def module_error(
    error: BaseException, frames: Frames, is_design: Callable[[str], bool]
) -> DesignError | None:
    """Return the error for the statement at which Python failed to load a design's file."""
    # None for a ``raise`` statement, or other files; ``is_design`` takes the path of a file.
    what = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(": ")
    if isinstance(error, SyntaxError):
        if error.filename is None or error.lineno is None or not is_design(error.filename):
            return None
        place = Place(error.filename, error.lineno)
        return DesignError(f"{type(error).__name__}: {error.msg}", "valid Python statements", place)
    for frame, line in reversed(frames):
        file = frame.f_code.co_filename
        if file.startswith("<frozen"):  # code of Python's import statement
            continue
        if frame.f_code.co_name != "<module>" or not is_design(file):
            return None
        place = Place(file, line)
        if place.statement.startswith("raise"):  # the exception's message says what is wrong
            return None
        return DesignError(what, _allowed(error), place)
    return None


def _allowed(error: BaseException) -> str:
    if isinstance(error, NameError):
        return NAMES
    if isinstance(error, ModuleNotFoundError):
        return "installed modules, modules of this project, and modules of the design's folder"
    if isinstance(error, ImportError):
        return names_of(sys.modules.get(error.name or ""))
    return names_of(owner_of(error)) if isinstance(error, AttributeError) else ""
