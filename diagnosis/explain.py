"""Finds the mistake in the source that caused an exception of PyMTL3 or Python."""

import ast
import re
import sys
import sysconfig
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache
from inspect import isfunction, signature
from itertools import combinations, product
from pathlib import Path
from types import FrameType, FunctionType
from typing import Any

from pymtl3 import Component, OutPort
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
from pymtl3.dsl.NamedObject import NamedObject
from pymtl3.passes.rtlir.errors import RTLIRConversionError

from rsaxcel.diagnosis.constructs import (
    IN_BLOCKS,
    NAMES,
    PYMTL3,
    SAME_WIDTH,
    THE_COMPONENT,
    WIDTHS,
    Frames,
    UpdateBlock,
    block_of,
    block_tree,
    blocks_of,
    by_text,
    causes_of,
    check_constructs,
    circuit_name,
    functions_in,
    names_of,
    owner_of,
    signal_name,
)
from rsaxcel.diagnosis.dataflow import Execution
from rsaxcel.diagnosis.drivers import CONNECTIONS, ONE_DRIVER, declaration, statement_with, undriven
from rsaxcel.diagnosis.error import DesignError, Place
from rsaxcel.diagnosis.words import Ref, reference
from rsaxcel.store import limit
from rsaxcel.store.packages import MODULES, PACKAGES

_QUOTED = re.compile(r'"(s[\w.\[\]:]*)"')
_INDEX = re.compile(r"\[.*?\]")
_IN_BLOCK = re.compile(
    r'- (?P<kind>\w+) "(?P<signal>s\S*)" of .* is (?P<done>read|written) in update block\s+'
    r'"(?P<block>\w+)" of (?P<host>s\S*) \(class (?P<cls>\w+)\)'
)
_CONNECTED = re.compile(
    r'"(?P<signal>s\S*)"(?: of \S+ \(class \w+\))? cannot be driven by \w+ "(?P<by>s\S*)"'
)
_MAY_READ = "a block reads signals of its own component, and OutPorts of its parts"
_MAY_WRITE = "a block writes wires and OutPorts of its own component, and InPorts of its parts"
_MAY_DRIVE = "InPorts of a part are driven from outside the part, OutPorts from inside"


def two_drivers(error: BaseException, frames: Frames) -> DesignError | None:
    """Return the error for a signal with two drivers, at a statement that drives the signal."""
    top = top_of(frames)
    if top is None:
        return None
    blocks = _blocks(top)
    for one, other in combinations(blocks, 2):
        for bits in _both(one.assigned, other.assigned):
            names = " and ".join(sorted((one.name, other.name)))
            kind = type(bits.signal.get_host_component()).__name__
            told = f"two blocks drive {bits} of {kind}: {names}"
            places = [x.place(y) for x in (one, other) for y in _both(x.assigned, [bits])]
            place = max(places, key=lambda place: (not place.ours, place.line))
            return DesignError(told, ONE_DRIVER, place)
    for one, other in combinations(blocks, 2):
        for bits in _both(one.taken, other.taken):
            taken, by = (other, one) if [*_both(one.assigned, [bits])] else (one, other)
            return taken.for_driver_of(next(_both(by.assigned, [bits]), bits), by.name)
    text = str(error)
    signals = sorted({*_QUOTED.findall(text)})
    if not signals:
        return None
    members = {*signals, *re.findall(r"^ - (s\S*)$", text, re.MULTILINE)}
    net = [reference(x) for x in top._dsl.all_signals if repr(x) in members]
    for block in blocks:
        for bits in _both(block.taken, net):
            if not [*_both(block.assigned, [bits])]:
                return block.for_driver_of(bits, "a connection")
    host = _component_at(top, signals[0])
    told = f"two drivers of one net of {type(host).__name__}: {' and '.join(signals)}"
    return DesignError(told, ONE_DRIVER, _connection(top, members))


def ring(error: BaseException, frames: Frames) -> DesignError | None:
    """Return the error for signals that are connected in a ring, or to themselves."""
    top, known = top_of(frames), frames[-1][0].f_locals
    if top is None or not isinstance(known.get("v"), Signal):
        return None
    ring = [known["v"]]
    for signal in ring:
        ring += known["adjacency"][signal].difference(ring)
    first = min(map(repr, ring))
    told = f"{first} is connected to itself, also through other signals"
    return DesignError(told, ONE_DRIVER, _connection(top, [first]))


class _Driver:
    """An update block, its assigned bits, and the bits that PyMTL3 takes for assigned.

    PyMTL3 takes all bits or elements as assigned where an index is neither a number nor a
    parameter.
    """

    def __init__(self, block: UpdateBlock, taken: Iterable[Any]) -> None:
        self._block, self.name = block, block.name
        self._nodes = {
            Ref(signal, high - low, low): node
            for signal, ranges in Execution(block).assigned.items()
            for low, high, node in ranges
            if not isinstance(signal, str)
        }
        self.assigned: Collection[Ref] = self._nodes.keys()
        self.taken = sorted(map(reference, taken), key=str)

    def place(self, bits: Ref) -> Place:
        return self._block.place(next(y for x, y in self._nodes.items() if [*_both([x], [bits])]))

    def for_driver_of(self, bits: Ref, other: str) -> DesignError:
        """Return the error for bits that PyMTL3 wrongly takes for assigned by the block."""
        host = bits.signal.get_host_component()
        name = _INDEX.sub("", f"s{repr(bits.signal).removeprefix(repr(host))}")
        moving = (x for x in self._nodes.values() if str(signal_name(x)).endswith(name[1:]))
        told = f"{self.name} counts as driver of all of {name}, as its index varies; {other} "
        told += f"drives {bits}"
        allowed = "one block for all indices; indices that are numbers or parameters"
        return DesignError(told, allowed, self._block.place(next(moving, self._block.tree)))


def _blocks(top: Component) -> list[_Driver]:
    hosts, taken = top._dsl.all_upblk_hostobj, top._dsl.all_upblk_writes
    functions = sorted(hosts, key=lambda x: (repr(hosts[x]), x.__name__))
    blocks = {x: block_of(x, hosts[x]) for x in functions}
    return [_Driver(block, taken[x]) for x, block in blocks.items() if block]


def _both(one: Iterable[Ref], other: Iterable[Ref]) -> Iterator[Ref]:
    """Yield the bits that two groups of references have in common."""
    for x, y in product(one, other):
        low, high = max(x.low, y.low), min(x.low + x.width, y.low + y.width)
        if x.signal is y.signal and low < high:
            yield Ref(x.signal, high - low, low)


def _connection(top: Component, signals: Collection[str]) -> Place | None:
    """Place of a connection to one of several signals."""
    hosts = {repr(x): x for x in (_component_at(top, signal) for signal in sorted(signals))}
    parents = [x.get_parent_object() for x in hosts.values()]
    found = [*hosts.values(), *(x for x in parents if x is not None)]
    for plain in (False, True):  # first with indices; without, if no connection has the same ones
        for host in found:
            inside = {f"s{x.removeprefix(repr(host))}" for x in signals}
            if place := statement_with(host, lambda x, y=inside, z=plain: _connects(x, y, z)):
                return place
    return None


def _connects(statement: ast.stmt, names: Collection[str], plain: bool) -> bool:
    match statement:
        case ast.AugAssign(target=target, op=ast.FloorDiv(), value=value):
            sides = [target, value]
        case ast.Expr(value=ast.Call(func=ast.Name(id="connect"), args=sides)):
            pass
        case _:
            return False
    if plain:
        return bool({signal_name(x) for x in sides} & {_INDEX.sub("", x) for x in names})
    return bool({ast.unparse(x) for x in sides} & {*names})


def wrong_direction(error: BaseException, frames: Frames) -> DesignError | None:
    """Return the error for a statement that reads or drives a signal which it has no access to.

    For example, an update block assigns an ``InPort`` of its own component.
    """
    top, text = top_of(frames), str(error)
    if top is None:
        return None
    if found := _IN_BLOCK.search(text):
        signal = f"{found['kind']} {found['signal']}"
        told = f"{signal} is {found['done']} in {found['block']} of {found['cls']}"
        place = _in_block(top, found["host"], found["block"], found["signal"])
        return DesignError(told, _MAY_READ if found["done"] == "read" else _MAY_WRITE, place)
    if found := _CONNECTED.search(text):
        signals = (found["signal"], found["by"])
        if place := _connection(top, signals):
            return DesignError(f"{signals[0]} can't be driven by {signals[1]}", _MAY_DRIVE, place)
    return None


def _in_block(top: Component, host: str, name: str, signal: str) -> Place | None:
    """Place of a signal in a block: its first assignment, else its first reading, or the block."""
    component = _component_at(top, f"{host}.")
    file = type(component).construct.__code__.co_filename
    plain = _INDEX.sub("", signal.removeprefix(host))
    own = f"s{plain}"
    for function in functions_in(file):
        if function.name == name:
            nodes = [*ast.walk(function)]
            assigned = (x for x in nodes if isinstance(x, ast.AugAssign))
            lines = [x.lineno for x in assigned if signal_name(x.target) == own]
            read = (x for x in nodes if isinstance(x, ast.Attribute | ast.Subscript))
            lines += [x.lineno for x in read if signal_name(x) == own]
            return Place(file, (lines or [function.lineno])[0])
    return None


def _component_at(top: Component, signal: str) -> Component:
    """Component to which a signal belongs; ``signal`` is the signal's hierarchical name."""
    hosts = [x for x in _components(top) if signal.startswith(f"{x!r}.")]
    return max(hosts, key=lambda x: len(repr(x)), default=top)


def _components(top: Component) -> Iterator[Component]:
    yield top
    for child in top.get_child_components():
        yield from _components(child)


def top_of(frames: Frames) -> Component | None:
    """Top component of the circuit in whose elaboration or simulation the exception was raised."""
    for frame, _ in frames:
        for names in (frame.f_locals, frame.f_globals):
            component = names.get("s")
            if isinstance(component, Component):
                return component
    return None


def no_driver(error: BaseException, frames: Frames) -> DesignError | None:
    """Return the error for a net without a driver, at the signal that should drive the net.

    The signal is the output port deepest in the hierarchy; without one, the highest signal.
    """
    for frame, _ in reversed(frames):
        nets = frame.f_locals.get("headless")
        if nets:
            for block in blocks_of(frame.f_locals["s"]):
                check_constructs(block)  # a block drives nothing, for example, if it does not use s
            signals = sorted((x for net in nets for x in net), key=repr)
            outputs = [x for x in signals if isinstance(x, OutPort)]
            signal = max(outputs, key=_depth) if outputs else min(signals, key=_depth)
            return undriven(reference(signal))
    return None


def _depth(signal: Any) -> int:
    return signal.get_host_component().get_component_level()


def without_name(error: BaseException, frames: Frames) -> DesignError | None:
    """Return the error for a signal or part whose name PyMTL3 skips, at its declaration."""
    top = top_of(frames)
    components = [top] if top else []
    for component in components:
        for name, value in vars(component).items():
            if isinstance(value, Component):
                components.append(value)
            inner = value.values() if isinstance(value, dict) else value
            kind = type(value).__name__
            if isinstance(value, dict | tuple) and any(isinstance(x, NamedObject) for x in inner):
                told = f"s.{name} of {type(component).__name__} is a {kind}, which PyMTL3 skips"
                return DesignError(told, "a list", declaration(component, f"s.{name}"))
            if str(name).startswith("_") and isinstance(value, NamedObject):
                told = f"s.{name} of {type(component).__name__} has a name that PyMTL3 skips"
                allowed = f"a name without underscore, such as s.{name.strip('_')}"
                return DesignError(told, allowed, declaration(component, f"s.{name}"))
    return None


def untranslatable(error: BaseException, frames: Frames) -> DesignError | None:
    """Return the error for an attribute of a component that PyMTL3 can't translate."""
    for frame, _ in reversed(frames):
        component, name = frame.f_locals.get("obj"), frame.f_locals.get("_id")
        if isinstance(component, Component) and isinstance(name, str):
            told = f"s.{name} of {type(component).__name__} can't be part of a circuit"
            allowed = "signals and parts, lists of one type of them, numbers; others without s."
            return DesignError(told, allowed, declaration(component, f"s.{name}"))
    return None


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
    MultiWriterError: two_drivers,
    NoWriterError: no_driver,
    NotElaboratedError: without_name,
    RTLIRConversionError: untranslatable,
    AttributeError: without_name,
    SignalTypeError: wrong_direction,
    VarNotDeclaredError: wrong_name,
    InvalidConnectionError: lambda *told: ring(*told) or wrong_slice(*told),
    KeyError: ring,
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
