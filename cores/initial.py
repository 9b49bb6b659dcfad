"""Makes constants, such as ROMs, of variables that ``initial`` blocks alone give a value.

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

from rsaxcel.cores.effort import integer
from rsaxcel.cores.errors import DescriptionError, Place, spot_of
from rsaxcel.cores.findings import scopes

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
_WITHOUT_VALUE = {
    "ForeverLoop": "`forever` has no end",
    **dict.fromkeys(("Timed", "Wait", "WaitFork", "WaitOrder"), "a delay or an event"),
}
"""Kinds of statements that cannot be evaluated."""

_STEPS = ("Preincrement", "Predecrement", "Postincrement", "Postdecrement")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)

Find = Callable[[Any, str], tuple[Path, str]]
"""Gives the path of a file that is named at a location, and its name in messages."""


@dataclass(frozen=True)
class Edit:
    """Text that takes the place of a part of a file."""

    buffer: Any
    start: int
    end: int
    text: str


@dataclass(frozen=True)
class _Variable:
    """A variable that ``initial`` gives a value to."""

    symbol: Any
    path: str  #: path of its scope
    spots: set[Any]  #: places of the blocks that give it a value
    is_constant: bool  #: nothing else drives it

    @property
    def is_integer(self) -> bool:
        return bool(self.symbol.type.canonicalType.isPredefinedInteger)


class Constants:
    """Evaluates the ``initial`` blocks of all instances of a core."""

    def __init__(self, drivers: Callable[[Any], list[Any]], place: Place, find: Find) -> None:
        self._drivers, self._place, self._find = drivers, place, find
        self._edits: dict[Any, tuple[str, str, Edit]] = {}
        self._declared: dict[Any, tuple[str, Edit | None]] = {}  #: what stands after declarations
        self._unused: list[Any] = []  #: blocks that an instance does not have
        self._kept: set[Any] = set()  #: places of blocks that stay as they are
        self._bits = 0
        self.notes: list[str] = []  #: what the user should know

    @property
    def edits(self) -> list[Edit]:
        for block in self._unused:  # tools would not know of their files
            span = block.syntax.sourceRange
            spot = spot_of(span.start)
            is_known = spot in self._edits or spot in self._kept
            if not is_known and any(x in str(block.syntax) for x in _READ):
                edit = Edit(span.start.buffer, span.start.offset, span.end.offset, ";")
                self._edits[spot] = ";", "", edit
        after = [edit for _, edit in self._declared.values() if edit]
        return [*(edit for _, _, edit in self._edits.values()), *after]

    def instance(self, instance: Any) -> None:
        """Evaluate the blocks of an instance and of its blocks of ``generate``."""
        from pyslang import ast

        every = [*_blocks(instance.body)]
        blocks = [x for x, is_used in every if is_used]
        self._unused += [x for x, is_used in every if not is_used]
        context = ast.EvalContext(blocks[0] if blocks else instance.body)
        context.pushEmptyFrame()
        variables = list(self._variables(instance, {spot_of(x.location) for x in blocks}))
        mixed = set()
        for each in variables:
            start = each.symbol.initializer
            value = each.symbol.type.defaultValue if start is None else start.eval(context)
            context.createLocal(each.symbol, value)
            if not each.is_constant and not each.is_integer:
                mixed |= each.spots
        self._check_order(blocks, {x.symbol for x in variables if x.is_constant})
        # All run before anything is written: several blocks may fill one memory.
        files = [self._run_all(x, context, variables) for x in blocks]
        texts: dict[int, list[str]] = {x: [] for x in range(len(blocks))}
        for each in variables:
            home = self._home(each, blocks, mixed)
            text = ""
            if home is not None:
                first = next(x for x in blocks if spot_of(x.location) in each.spots)
                text = self._assignment(each.symbol, context, self._place(first.location))
            if home is not None and home >= 0:
                texts[home].append(text)
            self._declare(each, instance, "" if home is None or home >= 0 else text)
        for position, block in enumerate(blocks):
            if spot_of(block.location) in mixed:
                self._kept.add(spot_of(block.syntax.sourceRange.start))
            else:
                text = " ".join(texts[position]) or ";"
                self._put(block, text, ", ".join(files[position]), self._place(block.location))

    def _check_order(self, blocks: list[Any], constants: set[Any]) -> None:
        """Refuse what a nonblocking assignment gives later than a blocking one would."""
        later: dict[Any, Any] = {}  # by variable: a nonblocking assignment
        uses: dict[Any, int] = {}  # by variable: how often it stands elsewhere

        def count(node: Any, by: int) -> None:
            for symbol in _named(node):
                uses[symbol] = uses.get(symbol, 0) + by

        def look(kind: str, node: Any) -> None:
            if kind.endswith("Value"):
                count(node, 1)
            elif kind == "Assignment" and node.isNonBlocking:
                target = _base(node.left)
                count(target, -1)
                later.update(dict.fromkeys(_named(target), node))

        for block in blocks:
            _visit(block.body, look)
        for symbol, node in later.items():
            if symbol in constants and uses.get(symbol):
                raise DescriptionError(
                    f"{self._place(node.sourceRange.start)}: `initial` gives {symbol.name} a value "
                    "by <=, which comes at the end of all blocks, and uses it before; = is allowed"
                )

    def _variables(self, instance: Any, spots: set[Any]) -> Iterator[_Variable]:
        """Yield the variables that blocks give values to."""
        for path, members, known in scopes(instance):
            for variable in (x for x in members if x.kind.name == "Variable"):
                drivers = self._drivers(known.get(variable.name) or variable)
                starts = [x.containingSymbol for x in drivers if x.source.name == "Initial"]
                found = _Variable(
                    variable,
                    path,
                    {spot_of(x.location) for x in starts},
                    len(starts) == len(drivers),
                )
                for start in starts:
                    if spot_of(start.location) not in spots:
                        raise DescriptionError(
                            f"{self._place(start.location)}: `initial` gives a value to "
                            f"{variable.name} of another module; one in its own module is allowed"
                        )
                if starts:
                    yield found
                else:
                    self._declare(found, instance, "")

    def _home(self, variable: _Variable, blocks: list[Any], mixed: set[Any]) -> int | None:
        """Return the number of the block that the constant replaces; None: it is no constant.

        -1: it stands after the declaration.
        """
        if not variable.is_constant:
            return None
        own = [
            (x.hierarchicalPath, spot_of(x.location), position)
            for position, x in enumerate(blocks)
            if spot_of(x.location) in variable.spots
        ]
        if not variable.spots.isdisjoint(mixed):
            if variable.is_integer:
                return None
            start = next(x for _, spot, x in own if spot in mixed)
            raise DescriptionError(
                f"{self._place(blocks[start].location)}: `initial` gives values to "
                f"{variable.symbol.name}, which nothing else drives, and to others; one block for "
                "each is allowed"
            )
        path = variable.path
        beside = [x for x in own if x[0] == path]
        below = [x for x in own if x[0].startswith(f"{path}.")]
        # A block in a generate loop is there several times, and one constant has one place.
        single = [x for x in below if sum(x[1] == y[1] for y in below) == 1]
        found = [position for _, _, position in (*beside, *single)]
        return found[0] if found else -1

    def _run_all(self, block: Any, context: Any, variables: list[_Variable]) -> list[str]:
        """Run a block, and give the names of the files that it reads."""
        place = self._place(block.location)
        files: list[str] = []
        own = {x.symbol.hierarchicalPath: x for x in variables}
        try:
            for statement in _flat(block.body, context):
                self._run(statement, context, block.location, files, own)
        except _UntoldError as error:
            place = self._place(error.where) if error.where else place
            for symbol in _written(block.body):
                known = own.get(symbol.hierarchicalPath)
                # An integer that is driven elsewhere, too, such as a counter, needs no value.
                if not (known and known.is_integer and not known.is_constant):
                    raise DescriptionError(
                        f"{place}: `initial`: {error}; values, loops with an end and $readmemh "
                        "are allowed"
                    ) from None
        return files

    def _declare(self, variable: _Variable, instance: Any, text: str) -> None:
        """Put a text after a declaration, the same in all instances."""
        symbol = variable.symbol
        edit = None
        if text:
            declaration = symbol.syntax.parent
            end = declaration.sourceRange.end
            if declaration.kind.name != "DataDeclaration":
                end = instance.definition.syntax.endmodule.location
            edit = Edit(end.buffer, end.offset, end.offset, f" {text} ")
        if self._declared.setdefault(spot_of(symbol.location), (text, edit))[0] != text:
            raise DescriptionError(
                f"{self._place(symbol.location)}: `initial` gives other values to {symbol.name} in "
                "other instances; a module for each is allowed"
            )

    def _put(self, block: Any, text: str, files: str, place: str) -> None:
        """Put a text in place of a block, the same in all instances."""
        span = block.syntax.sourceRange
        edit = Edit(span.start.buffer, span.start.offset, span.end.offset, text)
        before = self._edits.setdefault(spot_of(span.start), (text, files, edit))
        if before[0] != text:
            named = f" ({before[1]} and {files})" if files else ""
            raise DescriptionError(
                f"{place}: `initial` gives other values in other instances{named}; a module for "
                "each is allowed"
            )

    def _run(
        self,
        statement: Any,
        context: Any,
        location: Any,
        files: list[str],
        variables: dict[str, _Variable],
    ) -> None:
        expression = getattr(statement, "expr", None)
        if expression is not None and expression.kind.name == "Call" and expression.isSystemCall:
            name = expression.subroutineName
            if name in _READ:
                files.append(self._load(expression, context, location, variables))
                return
            if name in _PRINTS:
                return
            where = self._place(statement.sourceRange.start)
            raise DescriptionError(f"{where}: {name} is not allowed in `initial`")
        for call in _calls(statement):  # slang passes over tasks
            if call.isSystemCall and call.subroutineName in _READ:
                raise _UntoldError(f"{call.subroutineName} stands in a loop, `case` or task")
        found = statement.eval(context)
        if found.name != "Success":
            raise _UntoldError(*_why_not(statement, context))

    def _load(self, call: Any, context: Any, location: Any, variables: dict[str, _Variable]) -> str:
        """Read a file into a variable, and give the name of the file."""
        place = self._place(location)
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
        given = [_told(x.eval(context)) for x in bounds]
        first = given[0] if given else low
        last = given[1] if len(given) > 1 else (high if first <= high else low)
        file, shown = self._find(location, text)
        base = _READ[call.subroutineName]
        words = _words(file, shown, base, inner.bitWidth, first, last)
        outside = [x for x in words if not low <= x <= high]
        if outside:
            raise DescriptionError(
                f"{place}: {text}: word {outside[0]} is not in {variable.name}, which has "
                f"{low} to {high}"
            )
        if not words:
            raise DescriptionError(f"{shown}: no word in it; one a line is allowed")
        known = variables.get(variable.hierarchicalPath)
        if known is None:
            raise DescriptionError(
                f"{place}: a file is read into {variable.name}, which is in another module or "
                "block; one in its own module is allowed"
            )
        if not known.is_constant:
            raise DescriptionError(
                f"{place}: a file is read into {variable.name}, which has other drivers, too: an "
                "ASIC has no initial contents; a ROM is allowed"
            )
        _store(variable, words, context)
        return text

    def _assignment(self, variable: Any, context: Any, place: str) -> str:
        kind = variable.type.canonicalType
        nbits = kind.bitstreamWidth if kind.isFixedSize else MOST_BITS + 1
        self._bits += nbits
        if self._bits > MOST_BITS:
            raise DescriptionError(
                f"{place}: {variable.name} has {nbits:,} bits of constants; {MOST_BITS:,} are "
                "allowed, with all others"
            )
        shown = _shown(context.findLocal(variable), kind, place)
        if kind.isUnpackedArray:
            words = max(1, kind.fixedRange.width)
            self.notes.append(
                f"{place}: memory {variable.name}: {words:,} words of {nbits // words:,} bits, "
                f"{nbits:,} bits, constants"
            )
        return f"assign {variable.name} = {shown};"


class _UntoldError(DescriptionError):
    """Raised for a value that is not known when the Verilog is read, because of ``where``."""

    def __init__(self, told: str, where: Any = None) -> None:
        super().__init__(told)
        self.where = where


def _why_not(statement: Any, context: Any) -> tuple[str, Any]:
    """Say what of a statement cannot be evaluated, and where it stands."""
    found: list[tuple[str, Any]] = []

    def look(kind: str, node: Any) -> None:
        told = _WITHOUT_VALUE.get(kind, "")
        if kind == "Assignment" and node.timingControl is not None:
            told = _WITHOUT_VALUE["Timed"]
        elif kind == "Call" and node.isSystemCall and not node.eval(context):
            told = f"{node.subroutineName} has no value"
        if told:
            found.append((told, node.sourceRange.start))

    _visit(statement, look)
    return found[0] if found else ("it cannot be evaluated, or takes too many steps", None)


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
        if any(x.value is None for x in values):
            raise _UntoldError("a condition is no constant")
        taken = statement.ifTrue if all(x.isTrue() for x in values) else statement.ifFalse
        if taken is not None:
            yield from _flat(taken, context)
    elif kind != "Empty":
        yield statement


def _blocks(scope: Any, *, is_used: bool = True) -> Iterator[tuple[Any, bool]]:
    """Yield the ``initial`` blocks of a scope and of its blocks of ``generate``, in order.

    With each comes whether the instance has it: its parameters may leave it out.
    """
    for member in scope:
        kind = member.kind.name
        if kind == "ProceduralBlock" and member.procedureKind.name == "Initial":
            yield member, is_used
        elif kind == "GenerateBlockArray":
            yield from _blocks(member, is_used=is_used)
        elif kind == "GenerateBlock":
            yield from _blocks(member, is_used=is_used and not member.isUninstantiated)


def _calls(body: Any) -> list[Any]:
    """Return the calls in a statement, and in the functions that it calls."""
    found: list[Any] = []
    _visit(body, lambda kind, node: found.append(node) if kind == "Call" else None)
    return found


def _base(target: Any) -> Any:
    """Give the variable of which a target of an assignment is a part."""
    while target.kind.name in ("ElementSelect", "RangeSelect", "MemberAccess"):
        target = target.value
    return target


def _named(node: Any) -> list[Any]:
    """Give the symbol that an expression names."""
    symbol = getattr(node, "symbol", None)
    return [symbol] if symbol is not None else []


def _written(body: Any) -> list[Any]:
    """Return the variables that a statement may write, also in the functions that it calls."""
    found: list[Any] = []

    def named(kind: str, node: Any) -> None:
        symbol = getattr(node, "symbol", None)
        if kind.endswith("Value") and symbol is not None and symbol.kind.name == "Variable":
            if not symbol.parentScope.isProceduralContext:
                found.append(symbol)

    def look(kind: str, node: Any) -> None:
        if kind == "Assignment":
            _visit(node.left, named)
        elif kind == "UnaryOp" and node.op.name in _STEPS:
            _visit(node.operand, named)
        elif kind == "Call" and node.isSystemCall and node.subroutineName in _READ:
            _visit(node.arguments[1], named)

    _visit(body, look)
    return found


def _visit(body: Any, look: Callable[[str, Any], None]) -> None:
    """Call ``look`` for each part of a statement, and of the functions that it calls."""
    left, seen = [body], set()

    def visit(node: Any) -> None:
        kind = getattr(getattr(node, "kind", None), "name", "")
        look(kind, node)
        if kind == "Call" and not node.isSystemCall:
            spot = spot_of(node.subroutine.location)
            if spot not in seen:
                seen.add(spot)
                left.append(node.subroutine.body)

    while left:
        left.pop().visit(visit)


def _store(variable: Any, words: dict[int, int], context: Any) -> None:
    """Put words into a variable of the evaluation, where later statements find them."""
    from pyslang import ast

    kind = variable.type.canonicalType
    inner, bounds = kind.arrayElementType.canonicalType, kind.fixedRange
    step = 1 if bounds.left <= bounds.right else -1
    indices = range(bounds.left, bounds.right + step, step)
    nbits, sign = inner.bitWidth, "s" if inner.isSigned else ""
    base = "logic" if inner.isFourState else "bit"
    parts = [
        f"{nbits}'{sign}h{words[index]:x}" if index in words else f"{nbits}'{sign}b{_digits(each)}"
        for index, each in zip(indices, context.findLocal(variable).value, strict=True)
    ]
    session = ast.ScriptSession()
    declared = f"{base} {'signed' if sign else ''} [{nbits - 1}:0] x [0:{len(parts) - 1}]"
    session.eval(f"{declared} = '{{{', '.join(parts)}}};")
    context.createLocal(variable, session.eval("x"))


def _shown(value: Any, kind: Any, place: str) -> str:
    """Write a value in Verilog; bits without a value are 0."""
    if kind.isUnpackedArray and kind.hasFixedRange:
        inner = kind.arrayElementType.canonicalType
        return f"'{{{', '.join(_shown(x, inner, place) for x in value.value)}}}"
    if not kind.isIntegral:
        raise DescriptionError(f"{place}: `initial`: a value of type {kind}; bits are allowed")
    number = int(re.sub("[^01]", "0", _digits(value)), 2) if value.hasUnknown() else integer(value)
    return f"{kind.bitWidth}'h{number & (1 << kind.bitWidth) - 1:x}"


def _digits(value: Any) -> str:
    """Return all bits of a value of slang as digits, with x and z for unknown ones."""
    from pyslang import LiteralBase

    number = value.value
    digits = str(number.toString(LiteralBase.Binary, False))
    if digits.startswith("-"):  # signed
        return f"{integer(value) & (1 << number.bitWidth) - 1:0{number.bitWidth}b}"
    return digits.rjust(number.bitWidth, digits[0] if digits[0] in "xz" else "0")


def _told(value: Any) -> int:
    if value.value is None or value.hasUnknown():
        raise _UntoldError("an address of the file is no constant")
    return integer(value)


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
