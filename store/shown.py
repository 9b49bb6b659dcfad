"""Texts made safe for a terminal, a page or a table of cells, and tables of them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_DOTS = "..."
LEAST = 9  #: least width of a shortened text in characters: three digits on each side of the dots


def shorten(text: str, width: int) -> str:
    """Shorten a text to ``width`` characters, at least ``LEAST``, and keep both of its ends."""
    width = max(width, LEAST)
    if len(text) <= width:
        return text
    tail = (width - len(_DOTS)) // 2
    return f"{text[: width - len(_DOTS) - tail]}{_DOTS}{text[-tail:]}"


_LONGEST = 2000
#: Most characters of a line of JSON, or with a command that repeats a fault, when it is shown.
LONGEST_LINE = 1 << 20

#: characters that begin a formula, also in the width of an ideograph
_FORMULA = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")


def shown(text: object, longest: int = _LONGEST) -> str:
    r"""Return a text with invisible characters as escapes (``\x1b``), cut after ``longest``."""
    # Such characters would move a terminal's cursor, turn the direction of a line, or hide text.
    whole = str(text)
    part = whole if len(whole) <= longest else f"{whole[: longest - 3]}..."
    if part.isprintable():
        return part
    return "".join(x if x.isprintable() else ascii(x)[1:-1] for x in part)


def shown_lines(text: object) -> str:
    """Return a text of lines, each line as ``shown`` returns it."""
    return "\n".join(map(shown, str(text).split("\n")))


def one_line(told: object) -> str:
    """Return a text, or an error's message or class name, as one line of ``shown``."""
    text = str(told)[: 2 * _LONGEST]
    empty = type(told).__name__ if isinstance(told, BaseException) else ""
    return shown(" ".join(text.split()) or empty)


def cell(value: Any) -> Any:
    """Return the value of a cell of a CSV file; a text that a spreadsheet would run is quoted."""
    if not isinstance(value, str):
        return value
    text = shown_lines(value)
    return f"'{text}" if value.startswith(_FORMULA) and not _is_number(value) else text


def aligned(rows: Sequence[Sequence[str]], left: int = 1) -> Iterator[str]:
    """Align columns: the first ones (``left``) to the left, all others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            f"{x:{'<' if i < left else '>'}{width}}"
            for i, (x, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join(cells).rstrip()


def choices_text(choices: Mapping[str, Any]) -> str:
    """Write choices and parameters as ``name=value,name=value``, sorted by name."""
    return ",".join(f"{name}={choices[name]}" for name in sorted(choices))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
