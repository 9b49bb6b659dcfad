"""TOML files of users: read whole, or refused in one line."""

import re
import tomllib
from pathlib import Path
from typing import Any

from rsaxcel.store.errors import UserError
from rsaxcel.store.whole_files import read_text

_DEEPEST = 20  # tables and lists within each other; the specifications have four

# A key of more parts. Python's parser keeps each beginning of it: 100,000 parts take 24 GB.
_PART = r"""(?:[\w-]+|"(?:\\.|[^"\\\n])*"|'[^'\n]*')[ \t]*\.[ \t]*"""
_LONG_KEY = re.compile(rf"""(?<![\w"'\\-])(?:{_PART}){{{_DEEPEST}}}""")


def read_toml(path: Path) -> dict[str, Any]:
    """Read a file in TOML; ``UserError`` if unreadable or nested too deep to be handled."""
    try:
        text = read_text(path)
        too_deep = _LONG_KEY.search(text)
        content = {} if too_deep else tomllib.loads(text)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror or error}") from error
    except RecursionError as error:
        raise _too_deep(path) from error
    except ValueError as error:  # also of an integer that Python does not convert, or of no UTF-8
        told = str(error).partition("; use sys.")[0]  # no advice to call a function of Python
        raise UserError(f"{path}: not TOML: {told}") from error
    if too_deep:
        raise _too_deep(path)
    level: list[Any] = [content]
    for _ in range(_DEEPEST):
        inner = [x.values() if isinstance(x, dict) else x for x in level]
        level = [y for x in inner for y in x if isinstance(y, dict | list)]
    if level:
        raise _too_deep(path)
    return content


def _too_deep(path: Path) -> UserError:
    return UserError(f"{path}: more than {_DEEPEST} tables or lists within each other")
