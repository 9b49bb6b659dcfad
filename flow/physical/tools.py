"""The physical tools by name; a tool is imported when it is used.

This module is not in the keys of results, so that a change of one tool does not renew the results
of the other: a key has the code of the tool that made the result.
"""

from __future__ import annotations

from collections.abc import Callable

from rsaxcel.flow.layout import EMBEDDED, OPENROAD
from rsaxcel.flow.physical.interface import PhysicalTool


def _embedded() -> PhysicalTool:
    from rsaxcel.flow.physical.embedded.tool import EmbeddedTool

    return EmbeddedTool()


def _openroad() -> PhysicalTool:
    from rsaxcel.flow.physical.openroad.tool import OpenRoadTool

    return OpenRoadTool()


TOOLS: dict[str, Callable[[], PhysicalTool]] = {EMBEDDED: _embedded, OPENROAD: _openroad}  # by name


def find_tool(name: str) -> PhysicalTool:
    return TOOLS[name]()
