"""Reads what PyMTL3, the translator and Python raise about a circuit."""

import ast
import re
import sysconfig
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import FrameType, FunctionType
from typing import Any

import pymtl3
from pymtl3 import Component, OutPort
from pymtl3.datatypes import is_bitstruct_class
from pymtl3.dsl.errors import (
    InvalidConnectionError,
    InvalidIndexError,
    MultiWriterError,
    NoWriterError,
    UpblkCyclicError,
    UpdateBlockWriteError,
    UpdateFFBlockWriteError,
    UpdateFFNonTopLevelSignalError,
    VarNotDeclaredError,
)

from eval.diagnosis.blocks import block_of, functions_in, signal_name
from eval.diagnosis.constructs import IN_BLOCKS, NAMES, check_constructs
from eval.diagnosis.drivers import ONE_DRIVER, statement_with, undriven
from eval.diagnosis.error import DesignError, Place
from eval.diagnosis.loops import combinational_loop

_PLACE = re.compile(r"In file (?P<file>.+?)(?::|, Line )(?P<line>\d+)")
_REASON = re.compile(r"(?:^|\s)(?:-|\^\^\^|\^ -) (?P<reason>\S.*)", re.DOTALL)
_WIDTHS = re.compile(r"same type|itwidth|too wide|bit width|mismatch")
_OBJECT = re.compile(r"<[\w.]*?(\w+) object at 0x[0-9a-f]+>")
_QUOTED = re.compile(r'"(s[\w.\[\]:]*)"')
_INDEX = re.compile(r"\[.*?\]")
_WRITER = re.compile(r"- (\w+) at (s\S*)|- (s\S*) \(in (\w+)\)")
_SAME_WIDTH = "the same width on both sides: zext, sext, trunc or a slice [0:n] makes it so"
_NO_SIGNALS = ("clk", "reset", "construct", "line_trace")
_OURS = ("eval", "flow", "sim", "store", "catalog", "proc")
_ROOT = Path(__file__).parents[2]
_PYMTL3 = str(Path(pymtl3.__file__).parent)
_LIBRARIES = tuple({sysconfig.get_path(x) for x in ("stdlib", "platlib", "purelib")})


def diagnose(error: BaseException, *, circuits_only: bool = False) -> DesignError | None:
    """Say which statement of a circuit, or of its models, an exception is about.

    Parameters
    ----------
    error : BaseException
        Anything that was raised, with its traceback and causes.
    circuits_only : bool
        Look for components alone, not for their models in Python.

    Returns
    -------
    DesignError or None
        None where no design is to blame.
    """
    causes = list(_causes(error))
    for cause in reversed(causes):
        if isinstance(cause, DesignError):
            return cause
    for cause in reversed(causes):
        told = _explain(cause, circuits_only)
        if told is not None:
            return told
    return None


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _explain(error: BaseException, circuits_only: bool) -> DesignError | None:
    frames = _frames(error)
    if any(_PYMTL3 in frame.f_code.co_filename for frame, _ in frames):
        for explain in (_construct, _by_type, _by_text):
            told = explain(error, frames)
            if told is not None:
                return told
    return _by_frame(error, frames, circuits_only)


def _frames(error: BaseException) -> list[tuple[FrameType, int]]:
    frames, at = [], error.__traceback__
    while at is not None:
        frames.append((at.tb_frame, at.tb_lineno))
        at = at.tb_next
    return frames


def _construct(error: BaseException, frames: list[tuple[FrameType, int]]) -> DesignError | None:
    """Statement that can't be translated, at which PyMTL3 fails while it reads a block."""
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


def _by_type(error: BaseException, frames: list[tuple[FrameType, int]]) -> DesignError | None:
    explain = next((f for kind, f in _EXPLAINED.items() if isinstance(error, kind)), None)
    return explain(error, frames) if explain else None


def _by_text(error: BaseException, frames: list[tuple[FrameType, int]]) -> DesignError | None:
    """By the file and the line that PyMTL3's messages have."""
    text = str(error)
    found = _PLACE.search(text)
    if found is None or found["file"].startswith(_PYMTL3):
        return None
    reason = _REASON.search(text[found.end() :])
    what = " ".join((reason["reason"] if reason else text).split())
    what = _OBJECT.sub(r"\1", what).replace("Vector", "Bits").rstrip("!.")
    allowed = _SAME_WIDTH if _WIDTHS.search(what) else IN_BLOCKS
    return DesignError(what, allowed, Place(found["file"], int(found["line"])))


def _by_frame(
    error: BaseException, frames: list[tuple[FrameType, int]], circuits_only: bool
) -> DesignError | None:
    """By the last frame of a design's code."""
    for frame, line in reversed(frames):
        file = frame.f_code.co_filename
        if _is_library(file):
            continue
        if file.startswith("<") or not _is_design(file) or frame.f_code.co_name == "<module>":
            return None
        if circuits_only and not isinstance(frame.f_locals.get("s"), Component):
            return None
        place = Place(file, line)
        if place.statement.startswith("raise"):  # it says itself what is wrong
            return None
        return DesignError(_told(error, frame), _allowed(error), place)
    return None


def _told(error: BaseException, frame: FrameType) -> str:
    first = (str(error).strip().splitlines() or [""])[0]
    kind = type(error)
    known = isinstance(error, InvalidConnectionError) or _WIDTHS.search(first)
    what = first if known else f"{kind.__name__}: {first}".rstrip(": ")
    component = frame.f_locals.get("s")
    names = [type(component).__name__] if isinstance(component, Component) else []
    if frame.f_code.co_name != "construct":
        names.append(frame.f_code.co_name)
    return f"{what.rstrip('.')} ({', '.join(names)})" if names else what


def _allowed(error: BaseException) -> str:
    if _WIDTHS.search(str(error)):
        return _SAME_WIDTH
    if isinstance(error, AttributeError):
        return _names(_owner(error))
    if isinstance(error, NameError):
        return NAMES
    if isinstance(error, InvalidConnectionError):
        return ONE_DRIVER
    return ""


def _owner(error: BaseException | None) -> Any:
    """Object that lacks an attribute."""
    for cause in _causes(error):
        if isinstance(cause, AttributeError) and getattr(cause, "obj", None) is not None:
            return cause.obj
    return None


def _names(owner: Any) -> str:
    """Names that there are instead."""
    if is_bitstruct_class(type(owner)):
        return f"the fields {', '.join(type(owner).__bitstruct_fields__)}"
    if owner is None or not hasattr(owner, "__dict__"):
        return ""
    names = sorted(x for x in vars(owner) if not x.startswith("_") and x not in _NO_SIGNALS)
    return f"the names {', '.join(names)}" if names else ""


def _wrong_name(error: BaseException, frames: list[tuple[FrameType, int]]) -> DesignError | None:
    told = _by_text(error, frames)
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
            told = DesignError(f"{owner!r} has no {field}", _names(kind), told.place)
            break
    return told


def _wrong_assignment(
    error: BaseException, frames: list[tuple[FrameType, int]]
) -> DesignError | None:
    told = _by_text(error, frames)
    if told is None:
        return None
    found = re.search(r"not (\S+)", str(error))
    wrong = found[1] if found else "="
    if isinstance(error, UpdateFFNonTopLevelSignalError):
        return DesignError("<<= to a part of a register", "<<= to the whole register", told.place)
    if isinstance(error, UpdateFFBlockWriteError):
        return DesignError(f"{wrong} in an update_ff block", "<<= to registers", told.place)
    return DesignError(f"{wrong} to a signal in an update block", "@= to signals", told.place)


def _wrong_index(error: BaseException, frames: list[tuple[FrameType, int]]) -> DesignError | None:
    told = _by_text(error, frames)
    if told is None:
        return None
    found = re.search(r'Slice (\S+) of object "(.+?)".*has "Bits(\d+)"', str(error), re.DOTALL)
    if found is None:
        return told
    last = int(found[3]) - 1
    return DesignError(f"{found[2]} has no bit {found[1]}", f"bits 0 to {last}", told.place)


def _two_drivers(error: BaseException, frames: list[tuple[FrameType, int]]) -> DesignError | None:
    top = _top(frames)
    if top is None:
        return None
    text = str(error)
    blocks = [(x[0] or x[3], x[1] or x[2]) for x in _WRITER.findall(text)]
    if text.startswith("Multiple update blocks write "):
        signal = text.removeprefix("Multiple update blocks write ").split("\n")[0].rstrip(".")
        places = [_in_block(top, host, name, signal) for name, host in blocks]
        names = " and ".join(sorted(name for name, _ in blocks))
        host = _component_at(top, signal)
        told = f"two blocks drive {signal} of {type(host).__name__}: {names}"
        place = max((x for x in places if x), key=lambda x: x.line, default=None)
        return DesignError(told, ONE_DRIVER, place)
    signals = [x for x in dict.fromkeys(_QUOTED.findall(text) or [host for _, host in blocks])]
    if not signals:
        return None
    net = re.findall(r"^ - (s\S*)$", text, re.MULTILINE) or signals
    host = _component_at(top, signals[0])
    prefix = repr(host)
    inside = {f"s{x.removeprefix(prefix)}" for x in (*signals, *net) if x.startswith(prefix)}
    told = f"two drivers of one net of {type(host).__name__}: {' and '.join(sorted(signals))}"
    return DesignError(told, ONE_DRIVER, statement_with(host, lambda x: _connects(x, inside)))


def _connects(statement: ast.stmt, names: set[str]) -> bool:
    if not (isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.FloorDiv)):
        return False
    return bool({ast.unparse(x) for x in (statement.target, statement.value)} & names)


def _in_block(top: Component, host: str, name: str, signal: str) -> Place | None:
    """Place where a block assigns a signal, by their names in the hierarchy."""
    component = _component_at(top, f"{host}.")
    for function in functions_in(_file_of(component)):
        if function.name == name:
            plain = _INDEX.sub("", signal.removeprefix(host))
            own = f"s{plain}"
            for node in ast.walk(function):
                if isinstance(node, ast.AugAssign) and signal_name(node.target) == own:
                    return Place(_file_of(component), node.lineno)
            return Place(_file_of(component), function.lineno)
    return None


def _file_of(component: Component) -> str:
    return type(component).construct.__code__.co_filename


def _component_at(top: Component, signal: str) -> Component:
    """Component that a signal belongs to, by its name in the hierarchy."""
    hosts = [x for x in _components(top) if signal.startswith(f"{x!r}.")]
    return max(hosts, key=lambda x: len(repr(x)), default=top)


def _components(top: Component) -> Iterator[Component]:
    yield top
    for child in top.get_child_components():
        yield from _components(child)


def _top(frames: list[tuple[FrameType, int]]) -> Component | None:
    """Top of the hierarchy that is being elaborated or simulated."""
    for frame, _ in frames:
        for names in (frame.f_locals, frame.f_globals):
            component = names.get("s")
            if isinstance(component, Component):
                return component
    return None


def _no_driver(error: BaseException, frames: list[tuple[FrameType, int]]) -> DesignError | None:
    """Name the signal of a net that should drive it: the output of the innermost component."""
    for frame, _ in reversed(frames):
        nets = frame.f_locals.get("headless")
        if nets:
            signals = [x for net in nets for x in net]
            outputs = [x for x in signals if isinstance(x, OutPort)] or signals
            return undriven(max(sorted(outputs, key=repr), key=_depth))
    return None


def _depth(signal: Any) -> int:
    return signal.get_host_component().get_component_level()


def _loop(error: BaseException, frames: list[tuple[FrameType, int]]) -> DesignError | None:
    found = re.search(r"\{(.*)\}", str(error))
    blocks = found[1].split(", ") if found else []
    tops = (x for frame, _ in frames if isinstance(x := frame.f_globals.get("s"), Component))
    return next((combinational_loop(top, lambda _, block: block in blocks) for top in tops), None)


_Explanation = Callable[[BaseException, list[tuple[FrameType, int]]], DesignError | None]
_EXPLAINED: dict[type[BaseException], _Explanation] = {
    MultiWriterError: _two_drivers,
    NoWriterError: _no_driver,
    UpblkCyclicError: _loop,
    VarNotDeclaredError: _wrong_name,
    InvalidIndexError: _wrong_index,
    UpdateBlockWriteError: _wrong_assignment,
    UpdateFFBlockWriteError: _wrong_assignment,
    UpdateFFNonTopLevelSignalError: _wrong_assignment,
}


@cache
def _is_library(file: str) -> bool:
    return file.startswith(_LIBRARIES) or _PYMTL3 in file  # generated code, too


@cache
def _is_design(file: str) -> bool:
    """Whether a file is none of the program's own but the models and circuits."""
    path = Path(file)
    return not any(path.is_relative_to(_ROOT / name) for name in _OURS)
