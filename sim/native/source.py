"""C++ of the benches as one text, whatever the circuit that they drive."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from sim.native.ports import memory_messages_source

_FOLDER = Path(__file__).parent
_HEADERS = ("bench.h", "streams.h", "systems.h")
_INCLUDE = re.compile(r'^#include "(.+)"\n', re.M)


def bench_source(name: str, more: Mapping[str, str]) -> str:
    """Text of one of the files of ``more`` with those that it includes, each once.

    Besides ``more`` these are the benches; what is neither stays an include.
    """
    texts = {
        "memory_messages.h": memory_messages_source(),
        **read_sources(_FOLDER, _HEADERS),
        **more,
    }
    included = {name}

    def expanded(name: str) -> str:
        return _INCLUDE.sub(include, texts[name])

    def include(line: re.Match[str]) -> str:
        name = line[1]
        if name not in texts:
            return line[0]
        if name in included:
            return ""
        included.add(name)
        return expanded(name)

    return expanded(name)


@cache  # a process keeps the code with which it began
def read_sources(folder: Path, names: Iterable[str]) -> dict[str, str]:
    """Texts of files by their names."""
    return {name: (folder / name).read_text() for name in names}
