"""Reads the Verilog of a core: one text of the modules that its top needs, and the top's ports."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rsaxcel.cores.errors import DescriptionError, spot_of
from rsaxcel.cores.findings import Clock, Findings, counters, find, instances, scopes, shared_by
from rsaxcel.cores.initial import Constants, Edit
from rsaxcel.cores.table import shown_value
from rsaxcel.plan.protocols import Port
from rsaxcel.store.errors import nearest

if TYPE_CHECKING:  # slow to load
    from pyslang import SourceManager


_MOST_FILES, _MOST_BYTES = 500, 16 << 20
_MOST_ENTRIES = 20_000  #: entries of all folders that a pattern looks through
# slang recurses into the operands of a statement: too many in a chain would end its process.
_MOST_OPERATORS = 5_000
_MOST_NAMED = 8  #: missing modules in a message
_PROBE = "rsaxcel_probe"  #: a module around the top, which sets its parameters

# Strings match, too: no comment begins in one. A comment without an end takes the rest of the file.
_COMMENT = re.compile(r'"(?:[^"\\\n]|\\[\s\S])*+"|//[^\n]*|/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/|\Z)')
_INCLUDE = re.compile(r"`include\b\s*(\S[^\n]*)?")
_NAMED = re.compile(r"\"([^\"\n]{1,200})\"")  # no file has a longer name
_OPERATOR = re.compile(r"[-+*/%&|^?<>=!~]+")
_QUOTED = re.compile(r'["<]([^">\n]+)[">]')
#: A string goes on in the next line after a backslash, and a name after a backslash may have
#: quotes.
_TEXT = r'"(?:[^"\\\n]|\\[\s\S])*"|\\(?P<escaped>\S+)'
_CALL = re.compile(_TEXT + r'|(?<![\w$])(?P<call>\$[A-Za-z_]\w*)|\b(?P<c>import|export)\s*"')
_ESCAPED = re.compile(r"(?!\S*/[/*])[\w$.\[\]<>:!+/-]+", re.ASCII)
_SAFE = frozenset(
    "$bits $clog2 $countones $dimensions $high $increment $isunknown $left $low $onehot $onehot0 "
    "$right $signed $size $unsigned".split()
)
"""System functions that have a value and do nothing else: others write files, or run programs."""

_OUTPUT = re.compile(
    _TEXT + r"|(?<![\w$])(?P<task>\$(?:display|write|strobe|monitor|error|warning|info|fatal|"
    r"finish|stop)[bho]?\b\s*)|(?P<mark>[();])"
)
"""Tasks of a simulation that a circuit does not need."""

_UNKNOWN = re.compile(r"unknown (module|package|interface) '([^']+)'")
_INTERFACE = re.compile(r"interface port '([^']+)' not connected")


@dataclass(frozen=True)
class Sources:
    """Files of a core, all of them inside a folder."""

    folder: Path
    shown: str  #: the folder in messages
    files: tuple[Path, ...]
    includes: tuple[Path, ...]  #: folders
    defines: tuple[tuple[str, str], ...]

    @cached_property
    def all_files(self) -> tuple[Path, ...]:
        """The files and all that may be included, on which a circuit depends."""
        found = dict.fromkeys(self.files)
        for folder in self.includes:
            with os.scandir(folder) as entries:
                names = sorted(x.name for x in islice(entries, _MOST_FILES + 1))
            there = (folder / x for x in names)
            found |= dict.fromkeys(inside(self.folder, x) for x in there if _is_file(x))
        check_sizes([*found])
        left = [*found]
        while left:  # files beside those that include them
            file = left.pop()
            text = file.read_text("utf-8", errors="replace")
            for name in {x for x, _ in _included(text)}:
                path = _find(self, file, name) if name else None
                if path and path not in found and is_inside(self.folder, path):
                    found[path] = None
                    check_sizes([*found])
                    left.append(path)
        return tuple(found)

    def data_files(self, texts: Iterable[str]) -> tuple[Path, ...]:
        """Files that a text in quotes in these texts or in a file names: ROMs may be among them."""
        found = set[Path]()
        places = {self.folder, *(x.parent for x in self.all_files), *self.includes}
        written = (x.read_text("utf-8", errors="replace") for x in self.all_files)
        names = {x for text in (*texts, *written) for x in _NAMED.findall(text)}
        for name in islice(sorted(names), _MOST_ENTRIES):
            if ".." not in Path(name).parts:
                # In all places: which of them counts depends on the file that has the name.
                there = filter(_is_file, (x / name for x in places))
                found |= {x for x in there if is_inside(self.folder, x)}
        return tuple(sorted(found - {*self.all_files}))


@dataclass(frozen=True)
class Elaborated:
    """A top module with values for its parameters."""

    text: str  #: Verilog of all modules that it needs, without directives
    ports: tuple[Port, ...]
    modules: tuple[str, ...]  #: names of these modules
    notes: tuple[str, ...] = ()  #: what a user should know of them, such as memories
    clocks: tuple[Clock, ...] = ()
    faults: tuple[str, ...] = ()  #: why no netlist can be made
    netlist: str = ""  #: text for netlists, where it differs: what nothing drives is 0
    data: tuple[tuple[str, str], ...] = ()  #: files of ROMs, and where each is read


def matching(folder: Path, pattern: str) -> list[Path]:
    """Files of a folder that match a pattern; ``ValueError`` for those outside it."""
    if Path(pattern).is_absolute() or ".." in Path(pattern).parts:
        raise ValueError(
            f"{shown_value(pattern)} leads out of the folder; paths inside it are allowed"
        )
    found = sorted(x for x in _Glob(folder).paths(Path(pattern).parts) if _is_file(x))
    if not found:
        raise ValueError(f"no file {shown_value(pattern)} in the folder")
    return [inside(folder, x) for x in found]


class _Glob:
    """Finds paths in a folder by a pattern, as ``pathlib`` does, in limited time.

    A link to a folder is followed if it leads to the inside, and not by ``**``.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._left = _MOST_ENTRIES

    def paths(self, parts: Sequence[str]) -> set[Path]:
        places = {self._folder}
        for position, part in enumerate(parts, 1):
            found = {x for place in places for x in self._matching(place, part)}
            if position == len(parts):
                return found
            # Folders that links make the same are looked through once.
            same = {x.resolve(): x for x in sorted(found, reverse=True) if _is_folder(x)}
            places = {inside(self._folder, x) for x in same.values()}
        return set()

    def _matching(self, place: Path, part: str) -> Iterator[Path]:
        if part == "**":
            yield place
            for entry in self._entries(place):
                if entry.is_dir(follow_symlinks=False):
                    yield from self._matching(place / entry.name, part)
        elif any(x in part for x in "*?["):
            names = [x.name for x in self._entries(place)]
            yield from (place / x for x in names if fnmatchcase(x, part))
        elif _exists(place / part):
            yield place / part

    def _entries(self, place: Path) -> list[os.DirEntry[str]]:
        with os.scandir(place) as entries:
            found = list(islice(entries, self._left + 1))
        self._left -= len(found)
        if self._left < 0:
            raise ValueError(
                f"the folder has more than {_MOST_ENTRIES:,} files and folders; a narrower pattern "
                "is allowed"
            )
        return found


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # the system refuses the path, such as one that is too long
        return False


def _is_file(path: Path) -> bool:
    return _exists(path) and path.is_file()


def _is_folder(path: Path) -> bool:
    return _exists(path) and path.is_dir()


def inside(folder: Path, path: Path) -> Path:
    """Return a path if it is in a folder, also behind links; else ``ValueError``."""
    if not is_inside(folder, path):
        raise ValueError(f"{path.relative_to(folder)} leads out of the folder")
    return path


def is_inside(folder: Path, path: Path) -> bool:
    """Whether a path is in a folder, also behind links."""
    return path.resolve().is_relative_to(folder.resolve())


def check_sizes(files: Sequence[Path]) -> None:
    """Raise ``ValueError`` if files are too many or too large."""
    if len(files) > _MOST_FILES:
        raise ValueError(f"{len(files)} files; {_MOST_FILES} are allowed")
    if sum(x.stat().st_size for x in files) > _MOST_BYTES:
        raise ValueError(f"more than {_MOST_BYTES >> 20} MB of Verilog")


def elaborate(sources: Sources, top: str, parameters: Mapping[str, int | str]) -> Elaborated:
    """Elaborate a top module; ``DescriptionError`` for the first mistake."""
    _check_files(sources)
    of_packages = {name: x for name, x in parameters.items() if SEPARATOR in name}
    parameters = {name: x for name, x in parameters.items() if SEPARATOR not in name}
    try:
        given = with_parameters(sources.files, of_packages)
    except ValueError as error:
        raise DescriptionError(f"{sources.shown}: {error}") from None
    texts = {file.resolve(): text.encode() for file, text in given.items()}
    notes: Sequence[str] = ()
    data: Sequence[tuple[str, str]] = ()
    found, changed = _elaborate(sources, top, parameters, texts)
    if found is None:  # constants are put in place of `initial`
        texts, notes, data = {**texts, **changed.texts}, changed.notes, changed.data
        found, changed = _elaborate(sources, top, parameters, texts)
    if found is None:  # `include may put one `initial` into several modules
        raise DescriptionError(
            f"{sources.shown}: an `initial` stays when constants are in its place; a file for each "
            "module is allowed"
        )
    if changed.texts:
        driven, _ = _elaborate(sources, top, parameters, {**texts, **changed.texts})
        found = replace(found, netlist=driven.text if driven else "")
    return replace(found, notes=(*notes, *found.notes), data=tuple(data))


@dataclass(frozen=True)
class _Changed:
    """Other texts of files, with constants in place of something."""

    texts: Mapping[Path, bytes]
    notes: Sequence[str] = ()
    data: Sequence[tuple[str, str]] = ()


def _elaborate(
    sources: Sources, top: str, parameters: Mapping[str, int | str], texts: Mapping[Path, bytes]
) -> tuple[Elaborated | None, _Changed]:
    """Elaborate with other texts of some files.

    None: the texts have to be changed first; else those of netlists, where they differ.
    """
    from pyslang import (
        Bag,
        DiagnosticEngine,
        DiagnosticSeverity,
        SourceManager,
        TimeScale,
        ast,
        syntax,
    )
    from pyslang.parsing import PreprocessorOptions

    manager = SourceManager()
    for file, content in texts.items():
        # slang then reads this text in place of the file.
        manager.assignText(str(file), content.decode(errors="replace"))
    preprocessing, options = PreprocessorOptions(), ast.CompilationOptions()
    preprocessing.additionalIncludePaths = [str(x) for x in sources.includes]
    preprocessing.predefines = [f"{name}={value}" for name, value in sources.defines]
    # A `timescale` in one file alone is common, and what is synthesized has no delays.
    options.defaultTimeScale = TimeScale.fromString("1ns/1ps")
    options.topModules = {_PROBE}
    options.flags |= ast.CompilationFlags.AllowUseBeforeDeclare
    bag = Bag([preprocessing, options])
    given = ", ".join(
        f'.{name}("{x}")' if isinstance(x, str) else f".{name}({x})"
        for name, x in parameters.items()
    )
    lines = [f'`include "{x}"' for x in sources.files]
    lines += [
        "`resetall",
        f"module {_PROBE}; {top} {f'#({given})' * bool(given)} core (); endmodule",
    ]
    tree = syntax.SyntaxTree.fromText("\n".join(lines) + "\n", manager, _PROBE, _PROBE, bag)
    _check_places(sources, manager)
    compilation = ast.Compilation(bag)
    compilation.addSyntaxTree(tree)
    engine = DiagnosticEngine(manager)
    severe = (DiagnosticSeverity.Error, DiagnosticSeverity.Fatal)
    diagnostics = [
        x
        for x in compilation.getAllDiagnostics()
        if engine.getSeverity(x.code, x.location) in severe
    ]
    used = _used(compilation)
    members = list(_members(tree.root))
    kept = [x for name, x in members if name is None or name in used]
    kept.sort(key=_rank)  # tools want packages before what imports them
    unused = [x for name, x in members if name not in (None, _PROBE, *used)]
    dropped = [x.sourceRange for x in unused]
    wrong = [x for x in diagnostics if not any(_is_in(x.location, y) for y in dropped)]
    if wrong:
        told = [(x.location, engine.formatMessage(x)) for x in wrong]
        _refuse(sources, manager, top, told, [name for name, _ in members if name])
    instance = _core(compilation)
    known = [x.name for x in instance.body.parameters]
    for name in parameters:
        if name not in known:
            listed = ", ".join(known) or "none"
            raise DescriptionError(
                f"{sources.shown}: top module {top}: parameter {name!r} is unknown; "
                f"allowed: {listed}"
            )
    ports = tuple(_port(partial(_place, sources, manager), top, x) for x in instance.body.portList)
    analyzed = _analyzed(compilation)
    changed = _with_constants(sources, manager, compilation, analyzed, texts)
    if changed.texts:
        return None, changed
    text = without_output("\n".join(_printed(manager, x) for x in kept))
    if _has_errors(text):
        text = without_output("\n".join(_declared_first(manager, x) for x in kept))
    _check_calls(sources, text)
    names = [str(name) for name, _ in members if name in used]
    for name in names:
        if names.count(name) > 1:
            raise DescriptionError(f"{sources.shown}: module {name}: there are two of this name")
    found = _findings(sources, manager, compilation, analyzed, dropped)
    elaborated = Elaborated(
        text, ports, tuple(names), tuple(found.notes), tuple(found.clocks), tuple(found.faults)
    )
    return elaborated, _with_zeros(sources, manager, compilation, analyzed, found.high, texts)


def _check_files(sources: Sources) -> None:
    """Check lengths of statements and the places of included files, before slang reads them."""
    for file in sources.all_files:
        try:
            text = _without_comments(file)
        except OSError as error:
            raise DescriptionError(f"{_shown(sources, file)}: {error.strerror}") from None
        for statement in text.split(";"):
            if len(_OPERATOR.findall(statement)) > _MOST_OPERATORS:
                raise DescriptionError(
                    f"{_shown(sources, file)}: a statement with more than {_MOST_OPERATORS:,} "
                    "operators"
                )
        told = dict(reversed([*_included(text)]))  # reversed: the first place of a name stays
        for name, start in sorted(told.items(), key=lambda x: x[1]):
            if wrong := _wrong_include(sources, file, name):
                line = text.count("\n", 0, start) + 1
                raise DescriptionError(f"{_shown(sources, file)}:{line}: {wrong}")


def _wrong_include(sources: Sources, file: Path, name: str) -> str:
    """Say what is wrong with the name of an included file; "": nothing."""
    if not name:
        return "`include: a name in quotes is allowed"
    found = _find(sources, file, name)
    if not found:
        return f"there is no {shown_value(name)} beside the file or in the include folders"
    if not is_inside(sources.folder, found):
        return f"{shown_value(name)} leads out of the folder of the core"
    return ""


def _without_comments(file: Path) -> str:
    text = file.read_text("utf-8", errors="replace")
    return _COMMENT.sub(lambda x: x[0] if x[0][0] == '"' else "\n" * x[0].count("\n"), text)


def _included(text: str) -> Iterator[tuple[str, int]]:
    """Yield the names of included files and where they stand; "": it is no name in quotes."""
    for match in _INCLUDE.finditer(text):
        name = _QUOTED.match(match[1] or "")
        yield name[1] if name else "", match.start()


def _find(sources: Sources, file: Path, name: str) -> Path | None:
    places = (x / name for x in (file.parent, *sources.includes))
    return next(filter(_is_file, places), None)


def _check_places(sources: Sources, manager: SourceManager) -> None:
    """Check that no file outside the folder was read, however a directive was written."""
    for buffer in manager.getAllBuffers():
        path = Path(manager.getFullPath(buffer))
        if path.is_absolute() and not path.resolve().is_relative_to(sources.folder.resolve()):
            raise DescriptionError(f"{sources.shown}: an `include leads out of the folder")


def without_output(text: str) -> str:
    """Leave out statements that print or end a simulation: circuits do not need them."""
    parts, kept, depth, task = [], 0, 0, -1
    for match in _OUTPUT.finditer(text):
        if match["task"] and task < 0:
            task, depth = match.start(), 0
        elif task >= 0 and match["mark"] in ("(", ")"):
            depth += 1 if match["mark"] == "(" else -1
        elif task >= 0 and match["mark"] == ";" and depth == 0:
            parts.append(text[kept:task])
            kept, task = match.start(), -1
    return "".join([*parts, text[kept:]])


def _check_calls(sources: Sources, text: str) -> None:
    """Refuse what would do something while a simulation or a synthesis runs."""
    for match in _CALL.finditer(text):
        call, name = match["call"], match["escaped"]
        if match["c"]:
            raise DescriptionError(
                f"{_written(sources, match[0])}: {match['c']} of C is not allowed"
            )
        if name and not _ESCAPED.fullmatch(name):  # tools might read it otherwise than slang
            raise DescriptionError(
                f"{_written(sources, match[0])}: name {shown_value(name)}: letters, digits and "
                "_ $ . [ ] < > : ! + - / are allowed"
            )
        if call and call.startswith("$readmem"):
            told = "is allowed in `initial` alone"
            raise DescriptionError(f"{_written(sources, match[0])}: {call} {told}")
        if call and call not in _SAFE:
            raise DescriptionError(
                f"{_written(sources, match[0])}: {call} is not allowed; put it into `ifndef "
                'SYNTHESIS and give defines = { SYNTHESIS = "1" }'
            )


def _written(sources: Sources, text: str) -> str:
    """Give the first place of a text that is no comment, else the folder."""
    for file in sources.all_files:
        content = _without_comments(file)
        if (start := content.find(text)) >= 0:
            return f"{_shown(sources, file)}:{content.count(chr(10), 0, start) + 1}"
    return sources.shown


_UNDRIVEN = ("UndrivenNet", "UndrivenPort", "UnassignedVariable")
_TOLD = {
    "InferredLatch": "a latch",
    **dict.fromkeys(_UNDRIVEN, "nothing drives it, and a netlist has 0"),
    "MultipleContAssigns": "several drivers",
    "MultipleAlwaysAssigns": "several drivers",
    "MixedVarAssigns": "several drivers",
}
"""Findings of slang that its user is told."""


def _analyzed(compilation: Any) -> Any:
    from pyslang import analysis

    compilation.freeze()
    options = analysis.AnalysisOptions()
    options.flags = analysis.AnalysisFlags.CheckUnused  # finds what nothing drives
    found = analysis.AnalysisManager(options)
    found.analyze(compilation)
    return found


def _core(compilation: Any) -> Any:
    return next(x for x in compilation.getRoot().topInstances[0].body if x.name == "core")


def _place(sources: Sources, manager: SourceManager, location: Any) -> str:
    at = manager.getFullyOriginalLoc(location)
    file = _shown(sources, Path(str(manager.getFileName(at))))
    return f"{file}:{manager.getLineNumber(at)}"


def _with_constants(
    sources: Sources,
    manager: SourceManager,
    compilation: Any,
    analyzed: Any,
    texts: Mapping[Path, bytes],
) -> _Changed:
    """Put constants in place of ``initial``."""
    data = dict[str, str]()

    def find(location: Any, name: str) -> tuple[Path, str]:
        place = _place(sources, manager, location)
        written = manager.getFileName(manager.getFullyOriginalLoc(location))
        beside = Path(str(written)).absolute().parent
        if Path(name).is_absolute() or ".." in Path(name).parts:
            raise DescriptionError(f"{place}: {shown_value(name)} leads out of the folder")
        for folder in (sources.folder, beside, *sources.includes):
            if _is_file(folder / name):
                if not is_inside(sources.folder, folder / name):
                    raise DescriptionError(f"{place}: {shown_value(name)} leads out of the folder")
                if (folder / name).stat().st_size > _MOST_BYTES:
                    raise DescriptionError(
                        f"{_shown(sources, folder / name)}: more than {_MOST_BYTES >> 20} MB for "
                        "a ROM; less is allowed"
                    )
                data.setdefault(str((folder / name).resolve()), place)
                return folder / name, _shown(sources, folder / name)
        raise DescriptionError(f"{place}: there is no {shown_value(name)} in the folder")

    constants = Constants(analyzed.getDrivers, partial(_place, sources, manager), find)
    for instance in instances(_core(compilation)):
        constants.instance(instance)
    found = _edited(sources, manager, constants.edits, texts)
    if found is None:
        raise DescriptionError(
            f"{sources.shown}: an `initial` is in a macro; one outside of macros is allowed"
        )
    within = f"{sources.shown}{os.sep}"
    notes = [x.removeprefix(within) for x in dict.fromkeys(constants.notes)]
    return _Changed(found, notes, [*data.items()])


def _edited(
    sources: Sources, manager: SourceManager, edits: Iterable[Edit], texts: Mapping[Path, bytes]
) -> dict[Path, bytes] | None:
    """Texts of files with changes; None: one is in a macro."""
    # A file that is included twice has two buffers, which get the same change.
    places: dict[Path, dict[tuple[int, int], dict[int, str]]] = {}
    for edit in edits:
        path = Path(str(manager.getFullPath(edit.buffer)))
        if not path.is_absolute():
            return None
        there = places.setdefault(path, {}).setdefault((edit.start, edit.end), {})
        buffer = edit.buffer.id
        there[buffer] = there.get(buffer, "") + edit.text
    found: dict[Path, bytes] = {}
    for path, changes in places.items():
        content = texts.get(path) or path.read_bytes()
        for (start, end), there in sorted(changes.items(), reverse=True):
            if len({*there.values()}) > 1:
                line = content.count(b"\n", 0, start) + 1
                raise DescriptionError(
                    f"{_shown(sources, path)}:{line}: included by several modules, which need "
                    "other constants here; a file for each is allowed"
                )
            text = next(iter(there.values()))
            content = content[:start] + text.encode() + content[end:]
        # As slang gets it: places in what it reads again are those of this text.
        found[path] = content.decode(errors="replace").encode()
    return found


def _with_zeros(
    sources: Sources,
    manager: SourceManager,
    compilation: Any,
    analyzed: Any,
    high: Iterable[Any],
    texts: Mapping[Path, bytes],
) -> _Changed:
    """Let nets and variables be 0 that nothing drives or Z: a netlist has no value for them.

    Counters of loops that processes share become one for each: a netlist has one driver.
    """
    undriven = set()
    for each in analyzed.getDiagnostics():
        if _code(each) in _UNDRIVEN:
            undriven.add(spot_of(each.location))
    edits: dict[Any, Edit] = {}
    for instance in instances(_core(compilation)):
        edits |= _own_counters(instance, analyzed)
        for _, members, _ in scopes(instance) if undriven else ():
            for x in members:
                spot = spot_of(x.location)
                if spot not in undriven or x.kind.name not in ("Net", "Variable"):
                    continue
                value = "'{default: '0}" if x.type.canonicalType.isUnpackedArray else "'0"
                text = f" assign {x.name} = {value}; "
                declaration = x.syntax.parent
                end = declaration.sourceRange.end
                if declaration.kind.name not in ("DataDeclaration", "NetDeclaration"):
                    end = instance.definition.syntax.endmodule.location
                edits[spot] = Edit(end.buffer, end.offset, end.offset, text)
    for literal in high:
        start, end = literal.sourceRange.start, literal.sourceRange.end
        size, mark, digits = str(literal.syntax).strip().partition("'")
        text = size + mark + re.sub("[zZ?]", "0", digits)
        edits[spot_of(start)] = Edit(start.buffer, start.offset, end.offset, text)
    return _Changed(_edited(sources, manager, edits.values(), texts) or {})


def _own_counters(instance: Any, analyzed: Any) -> dict[Any, Edit]:
    """Declare the counters of loops that processes share in each of them."""
    shared = {
        spot_of(x.location): x
        for _, members, known in scopes(instance)
        for x in members
        if x.kind.name == "Variable" and shared_by(x, analyzed.getDrivers(known.get(x.name) or x))
    }
    declared: dict[Any, tuple[Any, list[str]]] = {}
    for spot, blocks in counters(instance, shared.values()).items() if shared else ():
        for block in blocks:
            own = declared.setdefault(spot_of(block.location), (block, []))[1]
            own.append(f"{shared[spot].type} {shared[spot].name};")
    edits = {}
    for spot, (block, texts) in declared.items():
        body = block.body.stmt if block.body.kind.name == "Timed" else block.body
        start, end = body.syntax.sourceRange.start, body.syntax.sourceRange.end
        begin = f" begin : rsaxcel_loop_{start.offset} {' '.join(texts)} "
        edits[spot, "start"] = Edit(start.buffer, start.offset, start.offset, begin)
        edits[spot, "end"] = Edit(end.buffer, end.offset, end.offset, " end ")
    return edits


def _code(diagnostic: Any) -> str:
    return str(diagnostic.code).removeprefix("DiagCode(").removesuffix(")")


def _findings(
    sources: Sources,
    manager: SourceManager,
    compilation: Any,
    analyzed: Any,
    dropped: Sequence[Any],
) -> Findings:
    """Find what is unusual in the modules."""
    from pyslang import DiagnosticEngine

    place = partial(_place, sources, manager)
    engine = DiagnosticEngine(manager)
    found = find(_core(compilation), analyzed.getDrivers, place)
    told = dict[str, None]()
    for each in (*compilation.getAllDiagnostics(), *analyzed.getDiagnostics()):
        kind = _code(each)
        if kind in _TOLD and not any(_is_in(each.location, x) for x in dropped):
            told[f"{place(each.location)}: {_TOLD[kind]}: {engine.formatMessage(each)}"] = None
    found.notes += told
    within = f"{sources.shown}{os.sep}"
    found.notes = [x.removeprefix(within) for x in found.notes]
    return found


def _refuse(
    sources: Sources,
    manager: SourceManager,
    top: str,
    wrong: list[tuple[Any, str]],
    modules: list[str],
) -> None:
    missing = {x[2]: x[1] for _, told in wrong if (x := _UNKNOWN.search(told))}
    # What is missing leads to more that is wrong, but not to a wrong syntax.
    if missing and not any(told.startswith(("expected", "unexpected")) for _, told in wrong):
        names = list(missing)
        if names == [top]:
            meant = nearest(top, [x for x in modules if x != _PROBE])
            raise DescriptionError(f"{sources.shown}: no file has the top module {top!r}{meant}")
        if len(names) == 1:
            location = next(x for x, told in wrong if _UNKNOWN.search(told))
            location = manager.getFullyOriginalLoc(location)
            file = _shown(sources, Path(str(manager.getFileName(location))))
            raise DescriptionError(
                f"{file}:{manager.getLineNumber(location)}: {missing[names[0]]} {names[0]} is "
                "missing; a file in `files` with it is needed"
            )
        more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
        raise DescriptionError(
            f"{sources.shown}: {len(names)} modules are missing: "
            f"{', '.join(names[:_MOST_NAMED])}{more}; a file in `files` with each is needed"
        )
    # What is wrong in a file often leads to more that is wrong, also in the probe.
    places = [(manager.getFullyOriginalLoc(x), told) for x, told in wrong]
    location, told = min(
        places,
        key=lambda x: (str(manager.getFileName(x[0])) == _PROBE, bool(_UNKNOWN.search(x[1]))),
    )
    name = str(manager.getFileName(location))
    if name == _PROBE and (port := _INTERFACE.search(told)):
        told = f"port {port[1]} is an interface; inputs and outputs of packed bits are allowed"
    if name == _PROBE:
        raise DescriptionError(f"{sources.shown}: top module {top}: {told}")
    file = _shown(sources, Path(name))
    raise DescriptionError(f"{file}:{manager.getLineNumber(location)}: {told}")


def _shown(sources: Sources, file: Path) -> str:
    """Give the name of a file of the core as users write it."""
    for path in (file, file.resolve()):
        for folder in (sources.folder, sources.folder.resolve()):
            if path.is_relative_to(folder):
                return str(Path(sources.shown) / path.relative_to(folder))
    # A directive has the name of a file of VHDL.
    return str(file if file.is_absolute() else Path(sources.shown) / file)


def _used(compilation: Any) -> set[str]:
    """Names of the modules and interfaces below the top."""
    found: set[str] = set()

    def visit(symbol: Any) -> None:
        if type(symbol).__name__ == "InstanceSymbol":
            found.add(symbol.definition.name)

    for top in compilation.getRoot().topInstances:
        top.visit(visit)
    return found - {_PROBE}


def _members(root: Any) -> Iterator[tuple[str | None, Any]]:
    """Yield the members of a file with the names of modules; None: it is no module."""
    for member in getattr(root, "members", None) or [root]:
        kind = str(member.kind).rpartition(".")[2]
        is_module = kind in ("ModuleDeclaration", "InterfaceDeclaration", "ProgramDeclaration")
        yield (str(member.header.name.valueText) if is_module else None), member


def _rank(member: Any) -> int:
    kinds = {"PackageDeclaration": 0, "InterfaceDeclaration": 2, "ModuleDeclaration": 3}
    return kinds.get(str(member.kind).rpartition(".")[2], 1)


def _is_in(location: Any, place: Any) -> bool:
    same = location.buffer == place.start.buffer == place.end.buffer
    return bool(same and place.start.offset <= location.offset <= place.end.offset)


def _port(place: Callable[[Any], str], top: str, port: Any) -> Port:
    name, kind = port.name, getattr(port, "type", None)
    directions = {"In": True, "Out": False}
    direction = getattr(port, "direction", None)
    told = ""
    if kind is None or direction is None:
        told = "an interface"
    elif direction.name not in directions:
        told = direction.name.lower()
    elif not kind.isIntegral:
        told = f"of type {kind}"
    if told:
        raise DescriptionError(
            f"{place(port.location)}: port {name} of {top} is {told}; inputs and outputs of packed "
            "bits are allowed"
        )
    try:
        return Port(name, port.type.bitWidth, directions[port.direction.name])
    except ValueError as error:
        raise DescriptionError(f"{place(port.location)}: {error}") from None


_DECLARATIONS = ("ParameterDeclarationStatement", "TypedefDeclaration", "PackageImportDeclaration")


def _declared_first(manager: SourceManager, node: Any) -> str:
    """Print a module with its declarations first: the flow wants them before they are used."""
    if str(node.kind).rpartition(".")[2] != "ModuleDeclaration":
        return _printed(manager, node)

    def is_early(member: Any) -> bool:
        kind = str(member.kind).rpartition(".")[2]
        if kind in ("DataDeclaration", "NetDeclaration"):
            return not any(getattr(x, "initializer", None) for x in member.declarators)
        return kind in _DECLARATIONS

    members = sorted(node.members, key=lambda x: not is_early(x))
    return "".join(_printed(manager, x) for x in (node.header, *members)) + "endmodule\n"


def _has_errors(text: str) -> bool:
    from pyslang import DiagnosticEngine, DiagnosticSeverity, SourceManager, ast, syntax

    manager, compilation = SourceManager(), ast.Compilation()
    compilation.addSyntaxTree(syntax.SyntaxTree.fromText(text, manager))
    severe = (DiagnosticSeverity.Error, DiagnosticSeverity.Fatal)
    engine = DiagnosticEngine(manager)
    found = compilation.getAllDiagnostics()
    return any(engine.getSeverity(x.code, x.location) in severe for x in found)


def _printed(manager: SourceManager, node: Any) -> str:
    from pyslang import syntax

    printer = syntax.SyntaxPrinter(manager)
    printer.setIncludeDirectives(False).setIncludeSkipped(False).setIncludeComments(False)
    printer.setExpandMacros(True).setExpandIncludes(True).setIncludeTrivia(True)
    return str(printer.print(node).str()).strip() + "\n"


SEPARATOR = "::"
"""Between a package or module and its parameter."""


def with_parameters(files: Sequence[Path], given: Mapping[str, int | str]) -> dict[Path, str]:
    """Text of the files that declare parameters ``package::name``, with the given values.

    ``ValueError`` for a parameter that no package or module of the files has.
    """
    found: dict[Path, str] = {}
    left = dict(given)
    for file in files if given else ():
        text = file.read_text("utf-8", errors="replace")
        changes = [x for x in _defaults(text) if x[0] in left]
        for name, start, end in sorted(changes, key=lambda x: -x[1]):
            value = left.pop(name)
            shown = f'"{value}"' if isinstance(value, str) else str(value)
            text = f"{text[:start]}{shown}{text[end:]}"
        if changes:
            found[file] = text
    for name in left:
        package, _, parameter = name.partition(SEPARATOR)
        raise ValueError(
            f"no package or module {package!r} with a parameter {parameter!r} is there"
        )
    return found


def _defaults(text: str) -> list[tuple[str, int, int]]:
    """Names of parameters of packages and modules, and where their values begin and end."""
    from pyslang import syntax

    if not text.isascii():  # slang counts bytes; comments alone have other letters
        text = "".join(x if x.isascii() else "?" for x in text)
    root: Any = syntax.SyntaxTree.fromText(text).root
    is_unit = root.kind == syntax.SyntaxKind.CompilationUnit  # a package alone is the root itself
    found = []
    for member in root.members if is_unit else [root]:
        for declaration in _declarations(member):
            for each in getattr(declaration, "declarators", ()):
                if getattr(each, "initializer", None):
                    name = f"{member.header.name.valueText}{SEPARATOR}{each.name.valueText}"
                    place = each.initializer.expr.sourceRange
                    found.append((name, place.start.offset, place.end.offset))
    return found


def _declarations(member: Any) -> Iterator[Any]:
    kind = str(member.kind).rpartition(".")[2]
    if kind == "ModuleDeclaration" and member.header.parameters:
        yield from member.header.parameters.declarations
    if kind in ("ModuleDeclaration", "PackageDeclaration"):
        statements = [x for x in member.members if hasattr(x, "parameter")]
        yield from (x.parameter for x in statements)
