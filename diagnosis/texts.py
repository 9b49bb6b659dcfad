"""Helpers that make this project's messages from PyMTL3's messages and Python's exceptions."""

import re
from collections.abc import Iterator
from inspect import signature
from pathlib import Path
from types import FrameType
from typing import Any

import pymtl3
from pymtl3 import Component
from pymtl3.datatypes import is_bitstruct_class

from rsaxcel.diagnosis.constructs import IN_BLOCKS
from rsaxcel.diagnosis.error import DesignError, Place

Frames = list[tuple[FrameType, int]]  #: A traceback: frames with their lines, the innermost last

WIDTHS = re.compile(r"same type|different types|itwidth|too wide|bit width|mismatch")
"""Pattern of PyMTL3's messages about widths that differ."""

SAME_WIDTH = "the same width on both sides: zext, sext, trunc or a slice [0:n] makes it so"
PYMTL3 = str(Path(pymtl3.__file__).parent)

_PLACE = re.compile(r"In file (?P<file>.+?)(?::|, Line )(?P<line>\d+)")
_REASON = re.compile(r"(?:^|\s)(?:-|\^\^\^|\^ -) (?P<reason>\S.*)", re.DOTALL)
_OBJECT = re.compile(r"<[\w.]*?(\w+) object at 0x[0-9a-f]+>")
_NO_SIGNALS = ("clk", "reset", "construct", "line_trace")


def by_text(error: BaseException) -> DesignError | None:
    """Convert an exception of PyMTL3 with a file and line in its text, unless PyMTL3's own."""
    text = str(error)
    found = _PLACE.search(text)
    if found is None or found["file"].startswith(PYMTL3):
        return None
    reason = _REASON.search(text[found.end() :])
    what = " ".join((reason["reason"] if reason else text).split())
    what = re.split(r" \(when constructing | Suggestion: ", what)[0]
    what = _OBJECT.sub(r"\1", what).replace("Vector", "Bits").rstrip("!.")
    allowed = SAME_WIDTH if WIDTHS.search(what) else IN_BLOCKS
    if "-bit index" in what:
        allowed = "an index of that many bits: zext, trunc or a slice makes it so"
    return DesignError(what, allowed, Place(found["file"], int(found["line"])))


def causes_of(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an exception and, one after the other, the exceptions that led to it."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:  # an exception can be raised from itself
        seen.add(id(error))
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def owner_of(error: BaseException | None) -> Any:
    """Return the object whose missing attribute led to ``error``; None if no such object."""
    for cause in causes_of(error):
        if isinstance(cause, AttributeError) and getattr(cause, "obj", None) is not None:
            return cause.obj
    return None


def names_of(owner: Any) -> str:
    """List the fields or attributes of an object for an error message; empty text if none."""
    if is_bitstruct_class(type(owner)):
        return f"the fields {', '.join(type(owner).__bitstruct_fields__)}"
    if owner is None or not hasattr(owner, "__dict__"):
        return ""
    names = sorted(x for x in vars(owner) if not x.startswith("_") and x not in _NO_SIGNALS)
    return f"the names {', '.join(names)}" if names else ""


def circuit_name(component: Component) -> str:
    """Name of a component's class, and ``nbits``, because some mistakes need certain widths."""
    name, metadata = type(component).__name__, component._dsl
    try:
        bound = signature(component.construct).bind(*metadata.args, **metadata.kwargs)
    except TypeError:  # the arguments themselves may be the mistake
        return name
    width = bound.arguments.get("nbits")
    return name if width is None else f"{name}, nbits={width}"
