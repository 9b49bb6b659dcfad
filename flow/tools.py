"""The timers and the physical tools by name; a tool is imported when it is used.

This module is not in the keys of results, so that a change of one tool does not renew the results
of another: a key has name, version and code of the tool that made the result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rsaxcel.flow.code import code_of
from rsaxcel.flow.layout import EMBEDDED, OPENROAD, OPENSTA
from rsaxcel.flow.physical.interface import PhysicalTool
from rsaxcel.flow.timer import Timer


def _embedded() -> PhysicalTool:
    from rsaxcel.flow.physical.embedded.tool import EmbeddedTool

    return EmbeddedTool()


def _openroad() -> PhysicalTool:
    from rsaxcel.flow.physical.openroad.tool import OpenRoadTool

    return OpenRoadTool()


TOOLS: dict[str, Callable[[], PhysicalTool]] = {EMBEDDED: _embedded, OPENROAD: _openroad}


def find_timer(name: str) -> Timer:
    if name == OPENSTA:
        from rsaxcel.flow.opensta import OpenSta

        return OpenSta()
    from rsaxcel.flow.physical.embedded.static_timing import EmbeddedTimer

    return EmbeddedTimer()


def find_tool(name: str) -> PhysicalTool:
    return TOOLS[name]()


def key_of_tool(tool: Timer | PhysicalTool) -> Any:
    """Return name, version and a digest of the code of a tool, for the keys of results."""
    return tool.name, tool.version(), code_of(type(tool))
