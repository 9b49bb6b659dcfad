"""Messages for numbers that an option does not allow."""

import ast
import re
import shlex
from typing import Any

import click

from rsaxcel.store.shown import shorten

_REFUSED = re.compile(r"(?P<value>.+) is not (?:a valid|in the range) .+", re.DOTALL)
"""Message of click: the refused value is in quotes if it is not a number, else out of range."""
_WHOLE, _ANY = type(click.INT), type(click.FLOAT)
_LONGEST = 40
_LARGEST = 1e15
"""Whole numbers up to this one are exact as floating-point numbers."""


def number_error(error: click.BadParameter) -> str:
    """Return a message with the refused number and the allowed ones; empty for other errors.

    For texts such as ``1e3``, ``1,000`` and ``0x3e8``, the message suggests the whole number.
    """
    option: Any = error.param
    kind = getattr(option, "type", None)
    found = _REFUSED.fullmatch(error.message)
    if not isinstance(kind, _WHOLE | _ANY) or not found:
        return ""
    value = found["value"]
    if value[0] in "'\"":
        value = ast.literal_eval(value)
    what = "a whole number" if isinstance(kind, _WHOLE) else "a number"
    meant = _whole(value) if isinstance(kind, _WHOLE) else None
    example = f", as {meant}" if meant is not None and _fits(meant, kind) else ""
    name = max(option.opts, key=len)
    return f"{name} {quoted(value)}: {what}{_range(kind)} is allowed{example}"


def quoted(value: str) -> str:
    """Quote a value as a shell reads it, shortened if it is long."""
    return shlex.quote(shorten(value, _LONGEST))


def _whole(text: str) -> int | None:
    """Return the whole number that a text such as ``1e3`` or ``1,000`` means, or None."""
    plain = re.sub(r"[\s,_']", "", text)
    try:
        return int(plain, 0)
    except ValueError:
        pass
    try:
        number = float(plain)
    except ValueError:
        return None
    return int(number) if abs(number) <= _LARGEST and number.is_integer() else None


def _fits(number: int, kind: Any) -> bool:
    try:
        kind.convert(str(number), None, None)
    except click.BadParameter:
        return False
    return True


def _range(kind: Any) -> str:
    least, most = getattr(kind, "min", None), getattr(kind, "max", None)
    words = []
    if least is not None:
        words.append(f"above {least:g}" if kind.min_open else f"from {least}")
    if most is not None:
        words.append("to" if words else "up to")
        words.append(f"below {most:g}" if kind.max_open else str(most))
    return "".join(f" {word}" for word in words)
