"""Joins the C++ files of a bench into one text."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from rsaxcel.sim.native.ports import memory_messages_source

_FOLDER = Path(__file__).parent
_HEADERS = ("bench.h", "streams.h", "systems.h")
_INCLUDE = re.compile(r'^#include "(.+)"\n', re.M)


def bench_source(name: str, more: Mapping[str, str]) -> str:
    """Return the text of the file ``name`` with each file that it includes inserted once.

    Files come from ``more`` (texts by name) and the benches' headers; other ``#include`` lines
    stay.
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


@cache  # later changes of the files do not affect this process
def read_sources(folder: Path, names: Iterable[str]) -> dict[str, str]:
    return {name: (folder / name).read_text() for name in names}
