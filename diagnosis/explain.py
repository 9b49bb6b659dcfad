"""Finds the mistake in a circuit's source that caused an exception of PyMTL3 or Python."""

import re
import sys
import sysconfig
from collections.abc import Callable
from functools import cache
from inspect import isfunction, signature
from pathlib import Path
from types import FrameType, FunctionType

from pymtl3 import Component
from pymtl3.datatypes import is_bitstruct_class
from pymtl3.dsl import Signal
from pymtl3.dsl.errors import (
    FieldReassignError,
    InvalidConnectionError,
    InvalidIndexError,
    MultiWriterError,
    NotElaboratedError,
    NoWriterError,
    SignalTypeError,
    UpblkFuncSameNameError,
    UpdateFFNonTopLevelSignalError,
    VarNotDeclaredError,
)
from pymtl3.passes.rtlir.errors import RTLIRConversionError

from rsaxcel.diagnosis import nets
from rsaxcel.diagnosis.blocks import block_of, block_tree
from rsaxcel.diagnosis.constructs import IN_BLOCKS, NAMES, THE_COMPONENT, check_constructs
from rsaxcel.diagnosis.drivers import CONNECTIONS, ONE_DRIVER
from rsaxcel.diagnosis.error import DesignError, Place
from rsaxcel.diagnosis.texts import (
    PYMTL3,
    SAME_WIDTH,
    WIDTHS,
    Frames,
    by_text,
    causes_of,
    circuit_name,
    names_of,
    owner_of,
)
from rsaxcel.store import limit
from rsaxcel.store.packages import MODULES, PACKAGES


def module_error(
    error: BaseException, frames: Frames, is_design: Callable[[str], bool]
) -> DesignError | None:
    """Return the error for the statement at which Python failed to load a design's file.

    None for a ``raise`` statement, or other files; ``is_design`` takes the path of a file.
    """
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
        return DesignError(what, _loadable(error), place)
    return None


def _loadable(error: BaseException) -> str:
    if isinstance(error, NameError):
        return NAMES
    if isinstance(error, ModuleNotFoundError):
        return "installed modules, modules of this project, and modules of the design's folder"
    if isinstance(error, ImportError):
        return names_of(sys.modules.get(error.name or ""))
    return names_of(owner_of(error)) if isinstance(error, AttributeError) else ""


# Each function returns the error to show, or None if the exception does not tell the statement.


def wrong_name(error: BaseException, frames: Frames) -> DesignError | None:
    """Return the error for an unknown field or signal; it lists the names that exist."""
    told = by_text(error)
    if told is None:
        return None
    for frame, _ in reversed(frames):
        field, owner = frame.f_locals.get("field"), frame.f_locals.get("obj")
        if isinstance(field, str) and owner is not None:
            kind = owner
            if not isinstance(owner, Component) and hasattr(owner, "_dsl"):
                message = getattr(owner._dsl, "Type", None)
                if message is not None and is_bitstruct_class(message):
                    kind = message()
            allowed = names_of(kind) or "bits and slices, such as s.x[0] and s.x[0:8]"
            told = DesignError(f"{owner!r} has no {field}", allowed, told.place)
            break
    return told


def part_of_a_register(error: BaseException, frames: Frames) -> DesignError | None:
    told = by_text(error)
    wrong, allowed = "<<= to a part of a register", "<<= to the whole register"
    return told and DesignError(wrong, allowed, told.place)


def wrong_index(error: BaseException, frames: Frames) -> DesignError | None:
    """Return the error for an index beyond the bits of a signal; it tells the bits that exist."""
    told = by_text(error)
    if told is None:
        return None
    found = re.search(r'Slice \[(.+?)\] of object "(.+?)".*has "Bits(\d+)"', str(error), re.DOTALL)
    if found is None:
        return told
    index = re.sub(r"slice\((\S+), (\S+), None\)", r"\1:\2", found[1])
    last = int(found[3]) - 1
    circuits = [frame.f_locals.get("s") for frame, _ in reversed(frames)]
    where = next((f" ({circuit_name(x)})" for x in circuits if isinstance(x, Component)), "")
    return DesignError(f"{found[2]} has no bit [{index}]{where}", f"bits 0 to {last}", told.place)


def wrong_call(error: BaseException, frames: Frames) -> DesignError | None:
    """Return the error for ``construct`` without ``s``, or for a slice; see ``wrong_slice``."""
    frame, _ = frames[-1]
    component = frame.f_locals.get("s")
    if frame.f_code.co_name == "_construct" and isinstance(component, Component):
        code = type(component).construct.__code__
        if "s" in code.co_names:  # a global name is no parameter of construct
            place = Place(code.co_filename, code.co_firstlineno)
            return DesignError(str(error), THE_COMPONENT, place)
    return wrong_slice(error, frames)


def wrong_slice(error: BaseException, frames: Frames) -> DesignError | None:
    """Return the error for a slice, in a connection, of bits that a signal does not have."""
    frame, _ = frames[-1]
    signal, index = frame.f_locals.get("s"), frame.f_locals.get("idx")
    places = [Place(x.f_code.co_filename, n) for x, n in frames if x.f_code.co_name == "construct"]
    if frame.f_code.co_name != "__getitem__" or not isinstance(signal, Signal) or not places:
        return None
    kind = signal._dsl.Type
    if is_bitstruct_class(kind):
        return DesignError(
            f"{signal} is a message, which has no bits", names_of(kind()), places[-1]
        )
    if isinstance(index, slice):
        bounds = ["" if x is None else str(x) for x in (index.start, index.stop)]
        index = ":".join(bounds) + (f":{index.step}" if index.step else "")
    allowed = f"bits 0 to {kind.nbits - 1}; a slice has both bounds: {signal}[0:{kind.nbits}]"
    return DesignError(f"{signal} has no bits [{index}]", allowed, places[-1])


_OURS = (*(x for x in PACKAGES if x not in ("plan", "fl", "cl", "rtl")), *MODULES)
_ROOT = Path(__file__).parents[1]
_LIBRARIES = tuple({sysconfig.get_path(x) for x in ("stdlib", "platlib", "purelib")})
_CALLED = re.compile(r"(?:(?P<cls>\w+)\.)?(?P<name>\w+)\(\) (?:got|missing|takes) ")
_EXPLAINED: dict[type[BaseException], Callable[[BaseException, Frames], DesignError | None]] = {
    MultiWriterError: nets.two_drivers,
    NoWriterError: nets.no_driver,
    NotElaboratedError: nets.without_name,
    RTLIRConversionError: nets.untranslatable,
    AttributeError: nets.without_name,
    SignalTypeError: nets.wrong_direction,
    VarNotDeclaredError: wrong_name,
    InvalidConnectionError: lambda *told: nets.ring(*told) or wrong_slice(*told),
    KeyError: nets.ring,
    AssertionError: wrong_slice,
    TypeError: wrong_call,
    InvalidIndexError: wrong_index,
    UpdateFFNonTopLevelSignalError: part_of_a_register,
}


def diagnose(
    error: BaseException, *, circuits_only: bool = False, modules: bool = False
) -> DesignError | None:
    """Return the error to show for an exception; None if no code of a design caused it.

    ``circuits_only``: without the models in Python (FL, CL). ``modules``: also exceptions that
    Python raises while it loads the files of a design.
    """
    causes = list(causes_of(error))
    for cause in reversed(causes):
        if isinstance(cause, DesignError):
            return cause
    for cause in reversed(causes):
        told = _explain(cause, circuits_only)
        if told is None and modules:
            told = module_error(cause, _frames(cause), _is_design)
        if told is not None:
            return told
    return None


def _explain(error: BaseException, circuits_only: bool) -> DesignError | None:
    frames = _frames(error)
    if any(PYMTL3 in frame.f_code.co_filename for frame, _ in frames):
        told = _construct(error, frames) or _by_type(error, frames) or by_text(error)
        if told is not None:
            return told
    return _by_frame(error, frames, circuits_only)


def _frames(error: BaseException) -> Frames:
    frames: Frames = []
    at = error.__traceback__
    while at is not None:
        frames.append((at.tb_frame, at.tb_lineno))
        at = at.tb_next
    return frames


def _construct(error: BaseException, frames: Frames) -> DesignError | None:
    """Return the error for a statement that can't be translated, in the block that failed."""
    for frame, _ in reversed(frames):
        component = frame.f_locals.get("s")
        for name in ("func", "blk"):
            function = frame.f_locals.get(name)
            if isinstance(function, FunctionType) and isinstance(component, Component):
                block = block_of(function, component)
                try:
                    if block:
                        check_constructs(block)
                except DesignError as told:
                    return told
    return None


def _by_type(error: BaseException, frames: Frames) -> DesignError | None:
    explain = next((f for kind, f in _EXPLAINED.items() if isinstance(error, kind)), None)
    try:
        return explain(error, frames) if explain else None
    except DesignError as told:
        return told


def _by_frame(error: BaseException, frames: Frames, circuits_only: bool) -> DesignError | None:
    """Return the error at a traceback's innermost frame outside libraries, if in a design.

    None also if the design raised the exception itself. ``circuits_only``: only code of components.
    """
    for frame, line in reversed(frames):
        file = frame.f_code.co_filename
        # The innermost frame can be the handler of store.limit, which raises TooLongError inside
        # the design's code: skip it.
        if _is_library(file) or file == limit.__file__:
            continue
        if file.startswith("<") or not _is_design(file) or frame.f_code.co_name == "<module>":
            return None
        if circuits_only and not isinstance(frame.f_locals.get("s"), Component):
            return None
        place = Place(file, line)
        if place.statement.startswith("raise"):  # the exception's message says what is wrong
            return None
        if isinstance(error, AssertionError) and "//=" in place.statement:
            error = InvalidConnectionError("PyMTL3 can't read this connection")
        return DesignError(_told(error, frame), _allowed(error, frame), place)
    return None


def _told(error: BaseException, frame: FrameType) -> str:
    first = (str(error).strip().splitlines() or [""])[0]
    if isinstance(error, UpblkFuncSameNameError) and "_lambda__" in first:
        first = "two connections of a lambda to one signal"
    kind = type(error)
    known = isinstance(error, InvalidConnectionError) or WIDTHS.search(first)
    what = first if known else f"{kind.__name__}: {first}".rstrip(": ")
    component = frame.f_locals.get("s")
    names = [circuit_name(component)] if isinstance(component, Component) else []
    if frame.f_code.co_name != "construct":
        names.append(frame.f_code.co_name)
    return f"{what.rstrip('.')} ({', '.join(names)})" if names else what


def _allowed(error: BaseException, frame: FrameType) -> str:
    in_construct = frame.f_code.co_name == "construct"
    if WIDTHS.search(str(error)):
        return SAME_WIDTH
    if isinstance(error, AttributeError) and error.name == "_elaborate_stack":
        return "update blocks and connections in construct"
    if isinstance(error, AttributeError):
        return names_of(owner_of(error))
    if isinstance(error, NameError):
        return THE_COMPONENT if error.name in ("s", "self") else NAMES
    if isinstance(error, InvalidConnectionError):
        return f"{ONE_DRIVER}; to a signal, a number, or lambda: ... alone on one line"
    if isinstance(error, UpblkFuncSameNameError) and "_lambda__" in str(error):
        return ONE_DRIVER
    if isinstance(error, UpblkFuncSameNameError):
        return "a name of its own for every block of a component"
    if isinstance(error, FieldReassignError):
        return "a name that s does not have; clk and reset are there already"
    if isinstance(error, AssertionError) and in_construct:
        return "Wire(8), for example, or a type: Wire(Bits8)"
    if re.search(r"unsupported operand type\(s\) for (@|<<)=", str(error)) and in_construct:
        return CONNECTIONS
    if "missing 1 required positional argument: 'blk'" in str(error):
        return "@update and @update_ff, without parentheses"
    if isinstance(error, IndexError):
        return "bits that the signal has"
    if isinstance(error, TypeError) and (found := _CALLED.match(str(error))):
        called = {**frame.f_globals, **frame.f_locals}.get(found["cls"] or found["name"])
        called = getattr(called, found["name"], called)  # method of a class, such as construct
        return f"the parameters {signature(called)}" if isfunction(called) else ""
    return IN_BLOCKS if block_tree(frame.f_code) else ""


@cache
def _is_library(file: str) -> bool:
    # Code that PyMTL3 generates has PyMTL3's path in its file name, but that of types of Bits.
    return file.startswith(_LIBRARIES) or PYMTL3 in file or file == "bits_import.py"


@cache
def _is_design(file: str) -> bool:
    """Whether a file can have a user's mistakes: in plan, fl, cl, rtl, or outside this project."""
    path = Path(file)
    return not any(path.is_relative_to(_ROOT / name) for name in _OURS)
