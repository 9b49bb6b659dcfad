"""Digests of source code without comments and docstrings, and the imports of modules.

A result that depends on code is renewed when the code changes, not when a comment changes.
"""

import ast
import hashlib
import json
import os
import re
import sys
from collections.abc import Callable, Collection, Iterable
from dataclasses import asdict, dataclass
from functools import cache
from itertools import groupby
from pathlib import Path

from rsaxcel.store.folders import cache_root, keep_json, key_of

# Matches comments and literals. Literals are matched to be kept, because their text can look like a
# comment. A single quote between digits does not begin a literal: it separates groups of digits, as
# in 1'000.
_C_TOKENS = re.compile(
    r"""(?P<kept> R"(?P<mark>[^\s()\\]*)\(.*?\)(?P=mark)"   # C++'s raw strings
        | "(?:\\.|[^"\\\n])*" | (?<=[0-9a-fA-F])'(?=[0-9a-fA-F]) | '(?:\\.|[^'\\\n])+'
        | /\*\s*verilator\b.*?\*/ )
      | (?P<comment> //(?:\\\n|[^\n])* | /\*.*?\*/ )""",
    re.VERBOSE | re.DOTALL,
)
# In Verilog, a single quote begins no literal. A backslash begins an escaped name, which ends at
# the next blank.
_VERILOG_TOKENS = re.compile(
    r"""(?P<kept> "(?:\\.|[^"\\\n])*" | \\\S+ | /\*\s*verilator\b.*?\*/ )
      | (?P<comment> //[^\n]* | /\*.*?\*/ )""",
    re.VERBOSE | re.DOTALL,
)
_TCL_COMMENT = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*\n?", re.MULTILINE)
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"', re.MULTILINE)
_MADE = ("build", "__pycache__")
_FILE_NAME = re.compile(r"[\w-]+\.(?:c|cpp|h|inc|S|ld|v|tcl)")


_OWN = Path(__file__).read_bytes()


@dataclass(frozen=True)
class Source:
    """Digest and dependencies of a source file."""

    digest: str
    imports: tuple[str, ...] = ()  #: dotted names of imported modules
    #: names of files in the same folder that the code may read or include
    names: tuple[str, ...] = ()


#: State (time, size, inode) of each file that this process has read, and its ``Source``.
_seen: dict[Path, tuple[tuple[int, int, int], Source]] = {}


def code_digest(paths: Iterable[Path]) -> str:
    """Combine the code in files, and in all source files of folders, into one digest."""
    return _combined(_sources(_files(paths)))


class Imports:
    """Source files in folders, in their present state, with the files that they import and read."""

    def __init__(self, folders: Iterable[Path]) -> None:
        self._folders = tuple(folders)
        self._sources = _sources(_files(self._folders))
        self._named = {str(path): path for path in self._sources}
        self._reached: dict[Path, list[Path]] = {}

    @property
    def files(self) -> tuple[Path, ...]:
        return tuple(self._sources)

    def closure(self, modules: Iterable[Path], without: Iterable[Path] = ()) -> tuple[Path, ...]:
        """List the files that modules import or read, through all imports.

        Files that only modules in ``without`` import are left out, too.
        """
        left, found, without = list(modules), set(), set(without)
        while left:
            path = left.pop()
            if path in found or path in without or path not in self._sources:
                continue
            found.add(path)
            left += self._next(path)
        return tuple(x for x in self._sources if x in found)

    def digest(self, files: Iterable[Path]) -> str:
        """Combine the code in files of the folders into one digest."""
        return _combined({path: self._sources[path] for path in files})

    def _next(self, path: Path) -> list[Path]:
        if path not in self._reached:
            source, folder = self._sources[path], path.parent
            names = [f"{folder}/{name}" for name in source.names]
            for module in source.imports:
                names += [x for package in self._folders for x in _module_files(module, package)]
            found = dict.fromkeys(names)
            self._reached[path] = [self._named[x] for x in found if x in self._named]
        return self._reached[path]


def closure(
    modules: Iterable[Path], folders: Iterable[Path], without: Iterable[Path] = ()
) -> tuple[Path, ...]:
    """List the files that modules import or read, through all imports, within ``folders``."""
    return Imports(folders).closure(modules, without)


def without_comments(text: str, suffix: str) -> str:
    """Remove comments (except commands to Verilator), and empty lines (except in Tcl)."""
    if suffix == ".tcl":
        return _TCL_COMMENT.sub("", text)
    tokens = _VERILOG_TOKENS if suffix in (".v", ".sv") else _C_TOKENS
    parts, at = [], 0
    for token in tokens.finditer(text):
        parts += [text[at : token.start()], " " if token["comment"] else _Literal(token[0])]
        at = token.end()
    parts.append(text[at:])
    merged: list[str] = []
    for part in parts:
        literal = isinstance(part, _Literal)
        if merged and not literal and not isinstance(merged[-1], _Literal):
            merged[-1] += part
        else:
            merged.append(part)
    return "".join(x if isinstance(x, _Literal) else _tidy(x) for x in merged).strip() + "\n"


def _tidy(code: str) -> str:
    return re.sub(r"[ \t]*\n\s*", "\n", re.sub(r"[ \t]+", " ", code))


class _Literal(str):
    """Text in which blanks and line ends are kept, such as a string literal."""

    __slots__ = ()


def _files(paths: Iterable[Path]) -> tuple[Path, ...]:
    files: set[Path] = set()
    for path in paths:
        files.update(_below(path) if path.is_dir() else [path])
    return tuple(sorted(files))


def _below(folder: Path) -> list[Path]:
    return [x for x in files_below(folder) if x.suffix in _READERS]


def files_below(folder: Path) -> list[Path]:
    """List files and links without generated ones: build output, bytecode, hidden folders."""
    found = []
    for parent, folders, names in os.walk(folder):
        folders[:] = [x for x in folders if not is_made(x)]
        links = [x for x in folders if Path(parent, x).is_symlink()]
        found += [Path(parent, x) for x in (*names, *links)]
    return sorted(found)


def is_made(name: str) -> bool:
    """Whether a folder of this name has files that commands generate, or is hidden."""
    return name in _MADE or name.startswith(".")


def _sources(files: Collection[Path]) -> dict[Path, Source]:
    """``Source`` of each file; reads only files that are new to this process or changed."""
    states = {path: _state(path) for path in files}
    unseen = [path for path in files if path not in _seen or _seen[path][0] != states[path]]
    for _, group in groupby(sorted(unseen), key=lambda path: path.parent):
        folder = tuple(group)
        for path, source in zip(folder, _kept_sources(folder), strict=True):
            _seen[path] = states[path], source
    return {path: _seen[path][1] for path in files}


def _state(path: Path) -> tuple[int, int, int]:
    found = path.stat()
    return found.st_mtime_ns, found.st_size, found.st_ino


def _kept_sources(files: Collection[Path]) -> list[Source]:
    """``Source`` of each file, from the store if files with the same content were read."""
    contents = [path.read_bytes() for path in files]
    names = [path.name for path in files]
    digests = [hashlib.sha256(content).hexdigest() for content in (_OWN, *contents)]

    def read() -> list[dict[str, object]]:
        return [asdict(_read(x, content)) for x, content in zip(files, contents, strict=True)]

    found = keep_json(cache_root() / "code", key_of(sys.version, names, digests), read)
    return [Source(x["digest"], tuple(x["imports"]), tuple(x["names"])) for x in found]


def _read(path: Path, content: bytes) -> Source:
    reader = _READERS.get(path.suffix)
    try:
        return reader(content.decode()) if reader else Source(_hash(content.decode()))
    except (SyntaxError, ValueError):
        return Source(hashlib.sha256(content).hexdigest())  # no valid code: digest of all bytes


def _read_python(text: str) -> Source:
    tree = ast.parse(text)
    imports, names = set(), set()
    for node in ast.walk(tree):
        if isinstance(body := getattr(node, "body", None), list):
            # A string that stands as a statement is a docstring: it is left out.
            node.body = [x for x in body if not _is_text(x)]  # type: ignore[attr-defined]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imports |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            imports |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            names |= {node.value} if _FILE_NAME.fullmatch(node.value) else set()
    for node in [*ast.walk(tree)]:
        for field, value in [*ast.iter_fields(node)]:
            if value == []:  # versions of Python differ in whether a dump has empty lists
                delattr(node, field)
    return Source(_hash(ast.dump(tree)), tuple(sorted(imports)), tuple(sorted(names)))


def _is_text(statement: ast.stmt) -> bool:
    if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
        return False
    return isinstance(statement.value.value, str)


def _read_c(text: str) -> Source:
    return Source(_hash(without_comments(text, ".c")), (), tuple(sorted(_INCLUDE.findall(text))))


def _reader_of(suffix: str) -> Callable[[str], Source]:
    return lambda text: Source(_hash(without_comments(text, suffix)))


def _read_yaml(text: str) -> Source:
    import yaml  # slow to import, and most commands read no new YAML file

    try:
        content = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from error
    return Source(_hash(json.dumps(content, sort_keys=True, default=str)))


_READERS: dict[str, Callable[[str], Source]] = {
    ".py": _read_python,
    **dict.fromkeys((".c", ".cpp", ".h", ".inc", ".S", ".ld"), _read_c),
    ".v": _reader_of(".v"),
    ".tcl": _reader_of(".tcl"),
    ".yml": _read_yaml,
}


@cache  # most modules are imported by many others
def _module_files(module: str, package: Path) -> list[str]:
    """Files that run at an import: the module's and each ``__init__.py`` above, in the package."""
    names = module.removeprefix("rsaxcel.").split(".")
    within = (x for x in range(1, len(names) + 1) if [*package.parts[-x:]] == names[:x])
    if not (first := next(within, 0)):
        return []
    rest = names[first:]
    folders = ["/".join((str(package), *rest[:depth])) for depth in range(len(rest) + 1)]
    return [f"{folders[-1]}.py", *(f"{folder}/__init__.py" for folder in folders)]


def _combined(sources: dict[Path, Source]) -> str:
    """Digest of the names and the code of files; the folders of the files do not matter."""
    return _hash(json.dumps(sorted((path.name, x.digest) for path, x in sources.items())))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
