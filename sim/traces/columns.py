"""Columns of a line trace: each shows the values of some signals in a cycle as text."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pymtl3 import Component
from pymtl3.datatypes import is_bitstruct_class

from rsaxcel.diagnosis.component import field_widths
from rsaxcel.sim.traces.waves import Signal

_MOST_DIGITS = 16
_KEPT_DIGITS = 6


@dataclass(frozen=True)
class Column:
    title: str  # in the first line of the trace
    width: int  # in characters
    signals: Sequence[Signal]
    show: Callable[..., str]  # text for the signals' values; called for each cycle, in order


def path_of(component: Component) -> str:
    """Prefix of the names of a component's signals: ``core.sequencer.``; empty for the top."""
    return "".join(f"{name}." for name in repr(component).split(".")[1:])


def hexadecimal(value: int, nbits: int) -> str:
    """Hexadecimal digits of a number of ``nbits`` bits.

    Of more than 16, the first 6 and the last 6.
    """
    digits = f"{value:0{-(-nbits // 4)}x}"
    if len(digits) <= _MOST_DIGITS:
        return digits
    return f"{digits[:_KEPT_DIGITS]}..{digits[-_KEPT_DIGITS:]}"


def handshake(valid: int, ready: int, message: str) -> str:
    """Text of a stream in a cycle, as in PyMTL3's line traces."""
    # The message on a handshake, `#` if it waits, `.` if neither valid nor ready, empty if ready.
    if valid:
        return message if ready else "#"
    return "" if ready else "."


def stream_column(component: Component, name: str) -> Column:
    """Column of a component's stream: the fields of its message, or digits sent one by one."""
    stream = getattr(component, name)
    message = stream.msg._dsl.Type
    if not is_bitstruct_class(message):
        return _digit_column(f"{path_of(component)}{name}", message.nbits)
    fields, path = field_widths(message), f"{path_of(component)}{name}"
    width = sum(len(hexadecimal(0, nbits)) + 1 for _, nbits in fields) - 1

    def show(valid: int, ready: int, *values: int) -> str:
        pairs = zip(values, fields, strict=True)
        return handshake(valid, ready, ":".join(hexadecimal(x, n) for x, (_, n) in pairs))

    signals = [Signal(f"{path}.val"), Signal(f"{path}.rdy")]
    signals += [Signal(f"{path}.msg", message, field) for field, _ in fields]
    title = f"{name} {':'.join(field for field, _ in fields)}"
    return Column(title, max(width, len(title)), signals, show)


def _digit_column(path: str, nbits: int) -> Column:
    def show(valid: int, ready: int, digit: int) -> str:
        return handshake(valid, ready, hexadecimal(digit, nbits))

    signals = [Signal(f"{path}.{port}") for port in ("val", "rdy", "msg")]
    title = f"{path} digit"
    return Column(title, max(len(hexadecimal(0, nbits)), len(title)), signals, show)
