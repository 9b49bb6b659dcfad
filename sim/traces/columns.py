"""Columns of a line trace: a text for what some signals say in a cycle."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pymtl3 import Component

from diagnosis.component import field_widths
from sim.traces.waves import Signal

_MOST_DIGITS = 16
_KEPT_DIGITS = 6


@dataclass(frozen=True)
class Column:
    """A column of a trace.

    Parameters
    ----------
    title
        Its head.
    width
        Characters.
    signals
        What it shows.
    show
        Takes their values in a cycle, each cycle once and in order, and gives the text.
    """

    title: str
    width: int
    signals: Sequence[Signal]
    show: Callable[..., str]


def path_of(component: Component) -> str:
    """Where a component is, as the start of its signals' names."""
    return "".join(f"{name}." for name in repr(component).split(".")[1:])


def hexadecimal(value: int, nbits: int) -> str:
    """All digits of a number; of a long one the first and the last."""
    digits = f"{value:0{-(-nbits // 4)}x}"
    if len(digits) <= _MOST_DIGITS:
        return digits
    return f"{digits[:_KEPT_DIGITS]}..{digits[-_KEPT_DIGITS:]}"


def handshake(valid: int, ready: int, message: str) -> str:
    """Give what PyMTL3's traces show of a stream.

    The message where it passes, ``#`` where it waits, ``.`` where nothing is there and none would
    be taken, nothing where one would.
    """
    if valid:
        return message if ready else "#"
    return "" if ready else "."


def stream_column(component: Component, name: str) -> Column:
    """Column of the stream ``name`` of an elaborated component, whose message is a bitstruct."""
    stream = getattr(component, name)
    message = stream.msg._dsl.Type
    fields, path = field_widths(message), f"{path_of(component)}{name}"
    width = sum(len(hexadecimal(0, nbits)) + 1 for _, nbits in fields) - 1

    def show(valid: int, ready: int, *values: int) -> str:
        pairs = zip(values, fields, strict=True)
        return handshake(valid, ready, ":".join(hexadecimal(x, n) for x, (_, n) in pairs))

    signals = [Signal(f"{path}.val"), Signal(f"{path}.rdy")]
    signals += [Signal(f"{path}.msg", message, field) for field, _ in fields]
    title = f"{name} {':'.join(field for field, _ in fields)}"
    return Column(title, max(width, len(title)), signals, show)
