"""Cache of parsed cell libraries, because the parser takes a second.

The parser runs in a process of its own, because it ends its process at a syntax error.
"""

from __future__ import annotations

import re
import subprocess
import sys
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from flow.code import code_of
from store.folders import cache_root, file_digest, keep, key_of

if TYPE_CHECKING:
    from flow.power.liberty import Library

_FILE = "library.msgpack"
_SYNTAX_ERROR = re.compile(r"Syntax error in liberty file on line (\d+)")
_GZIP = b"\x1f\x8b"
# Comments and whole strings, which may contain braces, then braces and the quote of an open string.
_TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"|[{}"]', re.DOTALL)
_UNUSABLE = 3  # exit status of the parser's process if standard output has the reason
_PARSE = """
import sys
sys.path[:] = {path}
from flow.library import parse
parse(*sys.argv[1:])
"""


def liberty_reader_version() -> str:
    """Version of libparse, which parses Liberty files."""
    return version("libparse")


def kept_library(path: Path) -> Library:
    """Read a Liberty file, or take the library from the cache if its content was read before.

    Parameters
    ----------
    path
        Liberty file.

    Raises
    ------
    PowerError
        If the file cannot be read, is not a Liberty file, or has a construct that is not supported.
    CacheError
        If the store cannot be written.
    """
    from flow import packed
    from flow.power import liberty_reader

    try:
        content = file_digest(path)
    except OSError:
        return liberty_reader.read_liberty(path)  # raises with the reason
    key = key_of(content, liberty_reader_version(), code_of(liberty_reader), code_of(packed))

    def populate(folder: Path) -> None:
        _parse_apart(path, folder / _FILE)

    return _read(keep(cache_root(), f"library-{key}", populate) / _FILE)


def _parse_apart(path: Path, target: Path) -> None:
    """Parse a Liberty file in another process, which writes the library to ``target``."""
    from flow.power.errors import PowerError

    content = path.read_bytes()
    if content.startswith(_GZIP):
        raise PowerError(f"{path}: compressed by gzip; the flow needs the unpacked file")
    # At a string or group without an end, the parser does not stop, or stops without an error.
    if where := _open_at_the_end(content.decode(errors="replace")):
        raise PowerError(f"{path}, {where}; is the file cut?")
    command = [sys.executable, "-c", _PARSE.format(path=sys.path), str(path), str(target)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if done.returncode == 0:
        return
    if done.returncode == _UNUSABLE:
        raise PowerError(done.stdout.strip())
    if found := _SYNTAX_ERROR.search(done.stderr):
        raise PowerError(f"{path}, line {found[1]}: not a Liberty file")
    lines = done.stderr.split("\n")
    reason = next((x.strip() for x in reversed(lines) if x.strip()), f"status {done.returncode}")
    raise PowerError(f"{path} cannot be parsed: {reason}")


def _open_at_the_end(text: str) -> str:
    """Return which string or group of a Liberty text does not end, and its line; empty if none."""
    groups: list[int] = []
    for token in _TOKEN.finditer(text):
        if token[0] == "{":
            groups.append(token.start())
        elif token[0] == "}" and groups:
            groups.pop()
        elif token[0] == '"':
            return f"line {_line(text, token.start())}: the string that begins here does not end"
    if groups:
        return f"line {_line(text, groups[-1])}: the group that begins here does not end"
    return ""


def _line(text: str, position: int) -> int:
    return 1 + text.count("\n", 0, position)


def parse(path: str, target: str) -> None:
    """Parse a Liberty file, and write the library to ``target``, for ``kept_library``."""
    from flow.packed import write_packed
    from flow.power.errors import PowerError
    from flow.power.liberty_reader import read_liberty

    try:
        library = read_liberty(path)
    except PowerError as error:
        print(error)
        sys.exit(_UNUSABLE)
    write_packed(Path(target), library)


@lru_cache(2)  # three nodes of a flow need the same library
def _read(path: Path) -> Library:
    from flow.packed import read_packed
    from flow.power.liberty import Library

    return read_packed(path, Library)
