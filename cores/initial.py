"""What ``initial`` blocks give to variables that nothing else drives: constants, such as ROMs.

An ASIC has no initial values, but it has constants: the blocks are evaluated when the Verilog is
read, and an assignment of the values takes the place of each. Files of ``$readmemh`` and
``$readmemb`` are read here: tools never open a file of a core.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rsaxcel.cores.errors import DescriptionError

MOST_BITS = 1 << 20
"""Bits of a ROM, and of all together."""

_READ = {"$readmemh": 16, "$readmemb": 2}
_PRINTS = (
    frozenset(
        f"${x}{y}" for x in ("display", "write", "strobe", "monitor") for y in ("", "b", "o", "h")
    )
    | {"$error", "$fatal", "$finish", "$info", "$stop", "$timeformat", "$warning"}
    | {f"$dump{x}" for x in ("all", "file", "flush", "limit", "off", "on", "vars")}
)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)

Place = Callable[[Any], str]
"""Gives a location as FILE:LINE."""


@dataclass(frozen=True)
class Edit:
    """Text that takes the place of a part of a file."""

    buffer: Any
    start: int
    end: int
    text: str


class Constants:
    """Evaluates the ``initial`` blocks of all instances of a core."""

    def __init__(
        self,
        drivers: Callable[[Any], list[Any]],
        place: Place,
        find: Callable[[str, str], tuple[Path, str]],
    ) -> None:
        self._drivers, self._place, self._find = drivers, place, find
        self._edits: dict[Any, tuple[str, str, Edit]] = {}
        self._bits = 0
        self.notes: list[str] = []  #: for the user
        self._loaded: dict[str, dict[int, int]] = {}  #: words of files, by path of the variable

    @property
    def edits(self) -> list[Edit]:
        return [edit for _, _, edit in self._edits.values()]

    def scope(self, members: list[Any], known: dict[str, Any]) -> None:
        """Evaluate the blocks of a module or of a block of ``generate``."""
        blocks = [x for x in members if x.kind.name == "ProceduralBlock"]
        blocks = [x for x in blocks if x.procedureKind.name == "Initial"]
        if not blocks:
            return
        from pyslang import ast

        variables = [x for x in members if x.kind.name == "Variable"]
        context = ast.EvalContext(blocks[0])
        context.pushEmptyFrame()
        own: dict[tuple[Any, int], list[Any]] = {}  # constants of each block
        mixed = set()
        for variable in variables:
            drivers = self._drivers(known.get(variable.name) or variable)
            starts = [x for x in drivers if x.source.name == "Initial"]
            if not starts:
                continue
            context.createLocal(variable, variable.type.defaultValue)
            spots = [_spot(x.containingSymbol.location) for x in starts]
            if len(starts) == len(drivers):
                own.setdefault(spots[0], []).append(variable)
            elif not variable.type.canonicalType.isPredefinedInteger:
                mixed |= {*spots}
        for block in blocks:
            spot = _spot(block.location)
            self._block(block, context, own.get(spot, []), is_mixed=spot in mixed)

    def _block(self, block: Any, context: Any, driven: list[Any], *, is_mixed: bool) -> None:
        place = self._place(block.location)
        files: list[str] = []
        try:
            for statement in _flat(block.body, context):
                self._run(statement, context, place, files)
        except _UntoldError as error:
            if not driven and not is_mixed:  # nothing depends on it
                self._put(block, ";", "", place)
                return
            raise DescriptionError(
                f"{place}: `initial`: {error}; values, loops with an end and $readmemh are allowed"
            ) from None
        if is_mixed:
            if driven and not all(x.type.canonicalType.isPredefinedInteger for x in driven):
                raise DescriptionError(
                    f"{place}: `initial` gives values to {driven[0].name}, which nothing else "
                    "drives, and to others; one block for each is allowed"
                )
            if files:
                raise DescriptionError(
                    f"{place}: a file is read into what has other drivers, too: an ASIC has no "
                    "initial contents; a ROM is allowed"
                )
            return
        texts = [self._assignment(x, context, place) for x in driven]
        self._put(block, " ".join(texts) or ";", ", ".join(files), place)

    def _put(self, block: Any, text: str, files: str, place: str) -> None:
        """Put a text in place of a block, the same in all instances."""
        span = block.syntax.sourceRange
        edit = Edit(span.start.buffer, span.start.offset, span.end.offset, text)
        before = self._edits.setdefault(_spot(span.start), (text, files, edit))
        if before[0] != text:
            named = f" ({before[1]} and {files})" if files else ""
            raise DescriptionError(
                f"{place}: `initial` gives other values in other instances{named}; a module for "
                "each is allowed"
            )

    def _run(self, statement: Any, context: Any, place: str, files: list[str]) -> None:
        expression = getattr(statement, "expr", None)
        if expression is not None and expression.kind.name == "Call" and expression.isSystemCall:
            name = expression.subroutineName
            if name in _READ:
                files.append(self._load(expression, context, place, _READ[name]))
                return
            if name in _PRINTS:
                return
            raise DescriptionError(f"{place}: {name} is not allowed in `initial`")
        found = statement.eval(context)
        if found.name != "Success":
            raise _UntoldError("it cannot be evaluated, or takes too many steps")

    def _load(self, call: Any, context: Any, place: str, base: int) -> str:
        """Read a file into a variable, and give the name of the file."""
        name, target, *bounds = call.arguments
        text = name.eval(context).convertToStr().value
        if not isinstance(text, str) or not text:
            raise _UntoldError("the name of the file is no constant")
        while target.kind.name in ("Assignment", "Conversion"):
            target = getattr(target, "left", None) or target.operand
        variable: Any = getattr(target, "symbol", None)
        kind: Any = variable.type.canonicalType if variable is not None else None
        is_array = kind is not None and kind.isUnpackedArray and kind.hasFixedRange
        inner = kind.arrayElementType.canonicalType if is_array else None
        if inner is None or not inner.isIntegral:
            raise _UntoldError(f"{call.subroutineName} fills a memory of words")
        where = kind.fixedRange
        low, high = sorted((where.left, where.right))
        given = [integer(x.eval(context)) for x in bounds]
        first = given[0] if given else low
        last = given[1] if len(given) > 1 else (high if first <= high else low)
        file, shown = self._find(place, text)
        words = _words(file, shown, base, inner.bitWidth, first, last)
        outside = [x for x in words if not low <= x <= high]
        if outside:
            raise DescriptionError(
                f"{place}: {text}: word {outside[0]} is not in {variable.name}, which has "
                f"{low} to {high}"
            )
        if not words:
            raise DescriptionError(f"{shown}: no word in it; one a line is allowed")
        self._store(variable, words, context, place)
        return text

    def _store(self, variable: Any, words: dict[int, int], context: Any, place: str) -> None:
        local = context.findLocal(variable)
        if local is None:
            raise DescriptionError(
                f"{place}: a file is read into {variable.name}, which has other drivers, too: an "
                "ASIC has no initial contents; a ROM is allowed"
            )
        self._loaded.setdefault(variable.hierarchicalPath, {}).update(words)

    def _assignment(self, variable: Any, context: Any, place: str) -> str:
        kind = variable.type.canonicalType
        nbits = kind.bitstreamWidth if kind.isFixedSize else MOST_BITS + 1
        self._bits += nbits
        if self._bits > MOST_BITS:
            raise DescriptionError(
                f"{place}: {variable.name} has {nbits:,} bits of constants; {MOST_BITS:,} are "
                "allowed, with all others"
            )
        loaded = self._loaded.get(variable.hierarchicalPath, {})
        shown = _shown(context.findLocal(variable), kind, loaded, place)
        if kind.isUnpackedArray:
            words = max(1, kind.fixedRange.width)
            self.notes.append(
                f"{place}: memory {variable.name}: {words:,} words of {nbits // words:,} bits, "
                f"{nbits:,} bits, constants"
            )
        return f"assign {variable.name} = {shown};"


class _UntoldError(DescriptionError):
    """A value that cannot be told."""


def _flat(statement: Any, context: Any) -> Iterator[Any]:
    """Yield the statements of blocks and of conditions that are constant, one by one."""
    kind = statement.kind.name
    if kind == "Block":
        yield from _flat(statement.body, context)
    elif kind == "List":
        for each in statement.list:
            yield from _flat(each, context)
    elif kind == "Conditional":
        values = [x.expr.eval(context) for x in statement.conditions]
        taken = statement.ifTrue if all(x.isTrue() for x in values) else statement.ifFalse
        if taken is not None:
            yield from _flat(taken, context)
    elif kind != "Empty":
        yield statement


def _shown(value: Any, kind: Any, loaded: dict[int, int], place: str) -> str:
    """Give a value as Verilog has it."""
    if kind.isUnpackedArray and kind.hasFixedRange:
        inner, bounds = kind.arrayElementType.canonicalType, kind.fixedRange
        step = 1 if bounds.left <= bounds.right else -1
        indices = range(bounds.left, bounds.right + step, step)
        parts = [
            f"{inner.bitWidth}'h{loaded[index]:x}"
            if index in loaded
            else _shown(each, inner, {}, place)
            for index, each in zip(indices, value.value, strict=True)
        ]
        return f"'{{{', '.join(parts)}}}"
    if not kind.isIntegral:
        raise DescriptionError(f"{place}: `initial`: a value of type {kind}; bits are allowed")
    number = 0 if value.hasUnknown() else integer(value)
    return f"{kind.bitWidth}'h{number & (1 << kind.bitWidth) - 1:x}"


def integer(value: Any) -> int:
    """Give a value of slang without unknown bits, unsigned."""
    from pyslang import LiteralBase

    return int(value.value.toString(LiteralBase.Hex, False), 16)


def _words(file: Path, shown: str, base: int, nbits: int, first: int, last: int) -> dict[int, int]:
    """Read the words of a file by their addresses."""
    text = file.read_text("utf-8", errors="replace")
    text = _COMMENT.sub(lambda x: "\n" * x[0].count("\n") or " ", text)
    found: dict[int, int] = {}
    address, step = first, 1 if first <= last else -1
    for number, line in enumerate(text.split("\n"), 1):
        for word in line.split():
            digits = word.removeprefix("@").replace("_", "")
            try:
                if not re.fullmatch(r"[0-9a-fA-F]+", digits):
                    raise ValueError
                value = int(digits, 16 if word[0] == "@" else base)
            except ValueError:
                digit = "0 and 1" if base == 2 else "0 to f"
                raise DescriptionError(
                    f"{shown}:{number}: {word[:20]!r} is no word of a ROM; digits {digit} are "
                    "allowed"
                ) from None
            if word[0] == "@":
                address = value
                continue
            if value >> nbits:
                raise DescriptionError(
                    f"{shown}:{number}: {word[:20]} has more bits than a word of the memory; "
                    f"{nbits} are allowed"
                )
            if (address - last) * step > 0:
                raise DescriptionError(
                    f"{shown}:{number}: more words than the memory has; {abs(last - first) + 1} "
                    "are allowed"
                )
            found[address] = value
            address += step
    return found


def _spot(location: Any) -> tuple[Any, int]:
    return location.buffer.id, location.offset
